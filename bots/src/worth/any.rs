//! A game that nothing is known of: cards that work count most, those that may still be played a little.

use super::{Sense, side};
use trilogy_engine::catalogue::Sight;
use trilogy_engine::{Catalogue, PlayerId, State};

pub(super) struct Any;

impl Sense for Any {
    fn worth(&self, catalogue: &Catalogue, state: &State, me: PlayerId) -> i64 {
        let mut total = 0;
        for (zone, cards) in catalogue.zones.iter().zip(&state.zones) {
            let each = if zone.live {
                100
            } else if zone.acts && zone.up != Sight::Nobody {
                20
            } else {
                0
            };
            total += cards.iter().map(|&card| side(me, state.card(card).controller) * each).sum::<i64>();
        }
        total
    }
}
