//! The Trading Card Game: units by what they cost and how hurt they are, arenas held alone, what is being built, Force and points.

use super::{Sense, side};
use trilogy_engine::catalogue::PlayerCounterId;
use trilogy_engine::{Answer, AskKind, Catalogue, PlayerId, State, Value};

pub(super) struct Tcg;

impl Sense for Tcg {
    fn worth(&self, catalogue: &Catalogue, state: &State, me: PlayerId) -> i64 {
        let fact = |name: &str| catalogue.facts.iter().position(|fact| fact == name);
        let (cost, health) = (fact("cost"), fact("health"));
        let counter = |name: &str| catalogue.field(name);
        let (damage, built) = (counter("damage"), counter("build_counters"));
        let mut total = 0i64;
        for (at, zone) in catalogue.zones.iter().enumerate() {
            let cards = &state.zones[at];
            if zone.live && zone.player.is_none() && at != 0 {
                let mut present = [0i64; 2];
                for &card in cards {
                    let data = state.card(card);
                    let def = catalogue.def(data.def);
                    let price = cost.and_then(|at| def.facts[at]).unwrap_or(1) as i64;
                    let full = health.and_then(|at| def.facts[at]).unwrap_or(1).max(1) as i64;
                    let hurt = damage.and_then(|at| state.number(card, at)).unwrap_or(0) as i64;
                    let left = (full - hurt).max(0);
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
                    let data = state.card(card);
                    let price = cost.and_then(|at| catalogue.def(data.def).facts[at]).unwrap_or(0) as i64;
                    total += side(me, owner)
                        * if zone.live {
                            let counters = built.and_then(|at| state.number(card, at)).unwrap_or(0) as i64;
                            if data.facedown { counters.min(price) * 50 } else { price * 70 }
                        } else if zone.counted && at != 0 && catalogue.deck_zones.iter().all(|deck| deck.index() != at) {
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
                    total += side(me, player) * state.tally(player, at).min(40) as i64 * 6;
                }
            }
        }
        total
    }

    /// Where all units of an arena can be set on one enemy, that is better than to scratch several; who of equals begins changes little.
    fn advice(&self, catalogue: &Catalogue, state: &State) -> Option<Vec<Answer>> {
        let AskKind::Pick { options, .. } = &state.ask.as_ref()?.kind else { return None };
        let named = |option: &Value, name: &str| matches!(option, Value::Move(chosen) if catalogue.ability(chosen.ability).name == name);
        let offered = |name| options.iter().any(|option| named(option, name));
        let (together, equals) = (offered("set_all_on"), offered("let_first"));
        let passed_over = |option: &Value| named(option, "let_first") || (together && named(option, "attack"));
        let tried = options.iter().enumerate().filter(|(_, option)| !passed_over(option));
        (together || equals).then(|| tried.map(|(at, _)| Answer::Pick(vec![at as u16])).collect())
    }
}
