//! A game that nothing is known of: cards that work count most, those that may still be played a little.

use super::{Sense, side};
use trilogy_engine::catalogue::Sight;
use trilogy_engine::{PlayerId, View, ZoneId};

pub(super) struct Any;

impl Sense for Any {
    fn worth(&self, view: &View<'_>, me: PlayerId) -> i64 {
        let zones = &view.catalogue().zones;
        let mut total = 0;
        for (at, zone) in ZoneId::all(zones.len()).zip(zones) {
            let each = if zone.live {
                100
            } else if zone.acts && zone.up != Sight::Nobody {
                20
            } else {
                0
            };
            total += view.lying_in(at).iter().map(|&card| side(me, view.glance(card).controller) * each).sum::<i64>();
        }
        total
    }
}
