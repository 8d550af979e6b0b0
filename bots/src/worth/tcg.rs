//! The Trading Card Game: units by what they cost and how hurt they are, arenas held alone, what is being built, Force and points.

use super::{Sense, side};
use trilogy_engine::catalogue::{FieldId, PlayerCounterId};
use trilogy_engine::{Answer, AskKind, CardId, PlayerId, Value, View, ZoneId};

pub(super) struct Tcg;

impl Sense for Tcg {
    fn worth(&self, view: &View<'_>, me: PlayerId) -> i64 {
        let catalogue = view.catalogue();
        let fact = |name: &str| catalogue.facts.iter().position(|fact| fact == name);
        let (cost, health) = (fact("cost"), fact("health"));
        let counter = |name: &str| catalogue.field(name);
        let (damage, built) = (counter("damage"), counter("build_counters"));
        let printed = |card: CardId, fact: Option<usize>| fact.and_then(|at| view.printed(card)?.facts[at]).map(i64::from);
        let count = |card: CardId, counter: Option<FieldId>| counter.and_then(|at| view.counter(card, at)).unwrap_or(0) as i64;
        let mut total = 0i64;
        for (at, zone) in ZoneId::all(catalogue.zones.len()).zip(&catalogue.zones) {
            let cards = view.lying_in(at);
            if zone.live && zone.player.is_none() && at != ZoneId::FIRST {
                let mut present = [0i64; 2];
                for &card in cards {
                    let data = view.glance(card);
                    let price = printed(card, cost).unwrap_or(1);
                    let full = printed(card, health).unwrap_or(1).max(1);
                    let left = (full - count(card, damage)).max(0);
                    total += side(me, data.controller) * (price * 60 + price * 40 * left / full + 20);
                    present[data.controller.index()] += 1;
                }
                // To be alone in a place is what games are won by.
                for player in [PlayerId(0), PlayerId(1)] {
                    if present[player.index()] > 0 && present[1 - player.index()] == 0 {
                        total += side(me, player) * 250;
                    }
                }
            } else if let Some(owner) = zone.player {
                for &card in cards {
                    let price = printed(card, cost).unwrap_or(0);
                    total += side(me, owner)
                        * if zone.live {
                            if view.glance(card).facedown { count(card, built).min(price) * 50 } else { price * 70 }
                        } else if zone.counted && at != ZoneId::FIRST && !catalogue.deck_zones.contains(&at) {
                            20
                        } else {
                            0
                        };
                }
            }
        }
        for player in [PlayerId(0), PlayerId(1)] {
            for (at, counter) in PlayerCounterId::all(catalogue.player_counters.len()).zip(&catalogue.player_counters) {
                if counter.period.is_none() && counter.cap > 100 {
                    total += side(me, player) * view.player_counter(player, at).min(40) as i64 * 6;
                }
            }
        }
        total
    }

    /// Where all units of an arena can be set on one enemy, that is better than to scratch several; who of equals begins changes little.
    fn advice(&self, view: &View<'_>) -> Option<Vec<Answer>> {
        let AskKind::Pick { options, .. } = view.ask_kind()? else { return None };
        let catalogue = view.catalogue();
        let named = |option: &Value, name: &str| matches!(option, Value::Move(chosen) if catalogue.ability(chosen.ability).name == name);
        let offered = |name| options.iter().any(|option| named(option, name));
        let (together, equals) = (offered("set_all_on"), offered("let_first"));
        let passed_over = |option: &Value| named(option, "let_first") || (together && named(option, "attack"));
        let tried = options.iter().enumerate().filter(|(_, option)| !passed_over(option));
        (together || equals).then(|| tried.map(|(at, _)| Answer::Pick(vec![at as u16])).collect())
    }
}
