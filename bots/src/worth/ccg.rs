//! The Customizable Card Game: Life Force, cards on the table and in hand, Force generation, and every location by who
//! holds it, what can be drained there and who would win a battle.

use super::{Sense, plainly, question, side};
use trilogy_engine::catalogue::StatId;
use trilogy_engine::{Answer, AskKind, CardId, Catalogue, Move, PlayerId, Value, View, WordId, ZoneId};

pub(super) struct Ccg;

/// What a unit of Life Force is worth; everything else is measured by it.
const LIFE: i64 = 100;
/// Cards of the Reserve Deck that are left for destiny.
const FOR_DESTINY: usize = 3;
/// What a battle destiny is worth on average.
const DESTINY: i64 = 3;

const PLAYERS: [PlayerId; 2] = [PlayerId(0), PlayerId(1)];

impl Sense for Ccg {
    fn worth(&self, view: &View<'_>, me: PlayerId) -> i64 {
        let table = Table::new(view);
        let mut total = 0;
        for player in PLAYERS {
            total += side(me, player) * (table.life(player) + table.hand(player) + table.force(player));
        }
        for &card in view.lying_in(table.locations) {
            total += table.place(card, me) + side(me, view.glance(card).owner) * (LIFE + 30);
        }
        for zone in [ZoneId::FIRST, table.table] {
            for &card in view.lying_in(zone) {
                if zone != ZoneId::FIRST || table.is_out(card) {
                    total += side(me, view.glance(card).controller) * table.card(card);
                }
            }
        }
        total
    }

    fn advice(&self, view: &View<'_>) -> Option<Vec<Answer>> {
        let (ask, player) = (view.ask_kind()?, view.asked()?);
        let (table, catalogue) = (Table::new(view), view.catalogue());
        match ask {
            AskKind::Pick { options, .. } => {
                let moves = |name: &str| {
                    options
                        .iter()
                        .position(|option| matches!(option, Value::Move(chosen) if catalogue.ability(chosen.ability).name == name))
                };
                if let Some(at) = moves("activate_force") {
                    // All Force at once: it comes back, and what is not used can be drawn.
                    if table.pile("reserve", player).len() > FOR_DESTINY {
                        return Some(vec![Answer::Pick(vec![at as u16])]);
                    }
                }
                match question(view) {
                    "lose_force" => Some(vec![table.lose(options, player)]),
                    "satisfy_damage" | "forfeit_in_place_of" | "forfeit_or_lose" => Some(table.satisfy(options, player)),
                    _ => None,
                }
            }
            AskKind::Number { least, most } => Some(match question(view) {
                "activate_force" | "activate_at_once" => vec![table.activate(*least, *most, player)],
                "draw_battle_destiny" | "lose_how_much_from_pile" | "satisfy_how_much_from_pile" => vec![Answer::Number(*most)],
                _ => {
                    let mut some: Vec<i32> = [*least, least + 1, (least + most) / 2, most - 1, *most].into_iter().collect();
                    some.retain(|number| (least..=most).contains(&number));
                    some.dedup();
                    some.into_iter().map(Answer::Number).collect()
                }
            }),
            AskKind::Order { .. } => Some(vec![plainly(ask)]),
        }
    }

    fn habit(&self, view: &View<'_>, ask: &AskKind) -> Answer {
        let (Some(player), AskKind::Pick { options, least: 1, .. }) = (view.asked(), ask) else {
            return plainly(ask);
        };
        let table = Table::new(view);
        match question(view) {
            "lose_force" => table.lose(options, player),
            "satisfy_damage" | "forfeit_in_place_of" | "forfeit_or_lose" => {
                table.satisfy(options, player).into_iter().next().unwrap_or_else(|| plainly(ask))
            }
            _ => Answer::Pick(vec![table.best_place(view.acting_card(), options, player) as u16]),
        }
    }

    fn place(&self, view: &View<'_>, chosen: &Move, targets: &[Value]) -> usize {
        Table::new(view).best_place(chosen.card, targets, chosen.player)
    }

    /// A player may act at the top level, or says how much Force to activate, and there is no battle.
    fn calm(&self, view: &View<'_>) -> bool {
        matches!(question(view), "take_action" | "activate_at_once") && view.var("battle_at").is_none()
    }

    fn patience(&self) -> usize {
        40
    }

    /// Chance decides battles: where there is little to choose from, more of it is looked at.
    fn worlds(&self, answers: usize) -> usize {
        (16 / answers.max(1)).clamp(2, 6)
    }

    fn laziness(&self) -> i64 {
        2
    }
}

/// Both sides at a location, by player.
struct Standing {
    power: [i64; 2],
    ability: [i64; 2],
    drain: [i64; 2],
}

impl Standing {
    /// What it is worth to a player to stand like that.
    fn worth(&self, me: PlayerId) -> i64 {
        let mut total = 0;
        let might = |at: usize| self.power[at] + if self.ability[at] >= 4 { DESTINY } else { 0 };
        for player in PLAYERS {
            let (own, other) = (player.index(), player.opponent().index());
            if self.ability[own] > 0 && self.ability[other] == 0 {
                total += side(me, player) * (10 + 110 * self.drain[own].min(4) + 4 * self.power[own].min(10));
            }
        }
        if self.ability[0] > 0 && self.ability[1] > 0 {
            let ahead = might(me.index()) - might(me.opponent().index());
            total += 40 * ahead.clamp(-14, 14);
        }
        total
    }
}

/// A table with the names that this file speaks of looked up.
struct Table<'a> {
    view: &'a View<'a>,
    catalogue: &'a Catalogue,
    locations: ZoneId,
    table: ZoneId,
    power: StatId,
    ability: StatId,
    forfeit: StatId,
    kinds: Kinds,
}

/// Words of card types.
struct Kinds {
    units: [Option<WordId>; 3],
    location: Option<WordId>,
    interrupt: Option<WordId>,
}

impl<'a> Table<'a> {
    fn new(view: &'a View<'a>) -> Table<'a> {
        let catalogue = view.catalogue();
        let zone = |name: &str| catalogue.zone(name, None).unwrap_or_default();
        let word = |name: &str| catalogue.word_named(name);
        Table {
            view,
            catalogue,
            locations: zone("locations"),
            table: zone("table"),
            power: stat_number(catalogue, "power"),
            ability: stat_number(catalogue, "ability"),
            forfeit: stat_number(catalogue, "forfeit"),
            kinds: Kinds {
                units: [word("Character"), word("Starship"), word("Vehicle")],
                location: word("Location"),
                interrupt: word("Interrupt"),
            },
        }
    }

    fn stat(&self, stat: StatId, card: CardId) -> i64 {
        self.view.value(stat, card).unwrap_or(0) as i64
    }
    fn stat_for(&self, name: &str, card: CardId, player: PlayerId) -> i64 {
        let stat = stat_number(self.catalogue, name);
        self.view.value_for(stat, card, &Value::Player(player)).unwrap_or(0) as i64
    }
    fn counter(&self, name: &str, player: PlayerId) -> i64 {
        let at = self.catalogue.player_counter(name);
        at.map_or(0, |at| self.view.player_counter(player, at) as i64)
    }
    fn pile(&self, name: &str, player: PlayerId) -> &'a [CardId] {
        self.catalogue.zone(name, Some(player)).map_or(&[], |zone| self.view.lying_in(zone))
    }
    fn is(&self, card: CardId, word: Option<WordId>) -> bool {
        word.is_some_and(|word| self.view.printed(card).is_some_and(|def| def.words.contains(&word)))
    }
    fn is_unit(&self, card: CardId) -> bool {
        self.kinds.units.iter().any(|&kind| self.is(card, kind))
    }
    /// Not stacked on something, and not beneath another version.
    fn is_out(&self, card: CardId) -> bool {
        let role = self.view.glance(card).role.index();
        !matches!(self.catalogue.roles.get(role).map(|role| role.name.as_str()), Some("stacked" | "beneath"))
    }

    fn life(&self, player: PlayerId) -> i64 {
        let left: usize = ["reserve", "force", "used", "draws"].iter().map(|pile| self.pile(pile, player).len()).sum();
        let left = left as i64;
        // The last of it is dearer than the first.
        LIFE * left - (15 - left).max(0) * 20
    }

    /// A hand serves as long as it can be played; too many cards in it only wait to be lost.
    fn hand(&self, player: PlayerId) -> i64 {
        let hand = self.pile("hand", player);
        let each = |at: usize| {
            LIFE + if at < 7 {
                6
            } else if at < 10 {
                0
            } else {
                -12
            }
        };
        let playable: i64 = hand.iter().map(|&card| self.promise(card) / 8).sum();
        (0..hand.len()).map(each).sum::<i64>() + playable
    }

    /// How gladly a card is held: from the printed card alone, which is quick.
    fn promise(&self, card: CardId) -> i64 {
        let Some(def) = self.view.printed(card) else { return 0 };
        let fact = |name: &str| {
            let at = self.catalogue.facts.iter().position(|fact| fact == name);
            at.and_then(|at| def.facts[at]).unwrap_or(0) as i64
        };
        // What is on the table once cannot come twice.
        let twice = def.words.iter().any(|&word| self.catalogue.word(word) == "unique")
            && [ZoneId::FIRST, self.locations, self.table]
                .iter()
                .any(|&zone| self.view.lying_in(zone).iter().any(|&other| self.view.face(other) == self.view.face(card)));
        if twice {
            0
        } else if self.is(card, self.kinds.location) {
            60
        } else if self.is_unit(card) {
            20 + 6 * fact("power") + 4 * fact("ability")
        } else if self.is(card, self.kinds.interrupt) {
            24
        } else {
            16
        }
    }

    /// Force that can be used, with something for the next battle, and what comes every turn.
    fn force(&self, player: PlayerId) -> i64 {
        let force = self.pile("force", player).len() as i64;
        let generation = self.view.player_value(stat_number(self.catalogue, "generation"), player).unwrap_or(0) as i64;
        8 * force.min(2) + 3 * force + 24 * generation.min(9) + 8 * (generation - 9).max(0)
    }

    /// A card on the table, wherever it is.
    fn card(&self, card: CardId) -> i64 {
        if self.is_unit(card) {
            LIFE + 10 + 6 * self.stat(self.power, card) + 4 * self.stat(self.ability, card) + 3 * self.stat(self.forfeit, card)
        } else {
            LIFE + 14
        }
    }

    fn standing(&self, location: CardId) -> Standing {
        let both = |name: &str| PLAYERS.map(|player| self.stat_for(name, location, player));
        let ability = both("total_ability");
        if ability == [0, 0] {
            return Standing { power: [0; 2], ability, drain: [0; 2] };
        }
        Standing { power: both("total_power"), ability, drain: both("drain") }
    }

    fn place(&self, location: CardId, me: PlayerId) -> i64 {
        // Icons of the opponent are there to be drained, one day.
        let chance = |player| 8 * self.stat_for("drain", location, player).min(4);
        self.standing(location).worth(me) + chance(me) - chance(me.opponent())
    }

    fn activate(&self, least: i32, most: i32, player: PlayerId) -> Answer {
        let spare = self.pile("reserve", player).len().saturating_sub(FOR_DESTINY) as i32;
        Answer::Number(most.min(spare).max(least))
    }

    /// Lose what is missed least: cards in hand where there are too many or life is short, otherwise what was used already.
    fn lose(&self, options: &[Value], player: PlayerId) -> Answer {
        let at = |card: &CardId| options.iter().position(|option| option.card() == Some(*card));
        let hand = self.pile("hand", player);
        let worst = hand.iter().filter(|card| at(card).is_some()).min_by_key(|&&card| self.promise(card));
        let life: usize = ["reserve", "force", "used", "draws"].iter().map(|pile| self.pile(pile, player).len()).sum();
        let from_hand = worst.filter(|&&card| hand.len() > 9 || life <= 8 || self.promise(card) == 0);
        let piles = ["used", "reserve", "force", "draws"];
        let from_pile = || piles.iter().find_map(|pile| self.pile(pile, player).last().filter(|card| at(card).is_some()));
        let chosen = from_hand.or_else(from_pile).or(worst).and_then(at);
        Answer::Pick(vec![chosen.unwrap_or(0) as u16])
    }

    /// Battle damage and attrition: each card that could be forfeited, and a Force; the best guess first.
    fn satisfy(&self, options: &[Value], player: PlayerId) -> Vec<Answer> {
        let (damage, attrition) = (self.counter("damage", player), self.counter("attrition", player));
        let hit = self.catalogue.field("hit");
        let mut ways: Vec<(i64, u16)> = Vec::new();
        for (at, option) in options.iter().enumerate() {
            let Some(card) = option.card().filter(|&card| self.view.glance(card).parent.is_some() && self.is_unit(card)) else { continue };
            let forfeit = self.stat(self.forfeit, card);
            let lost = hit.is_some_and(|at| self.view.counter(card, at).is_some());
            let price = if lost { 0 } else { self.card(card) };
            let needless = if attrition > 0 { (forfeit - damage.max(attrition)).max(0) * 10 } else { 0 };
            ways.push((
                price - LIFE * forfeit.min(damage) - if attrition > 0 { LIFE * forfeit.min(attrition) / 2 } else { 0 } + needless,
                at as u16,
            ));
        }
        ways.sort_unstable();
        ways.truncate(5);
        let mut answers: Vec<Answer> = ways.iter().map(|&(_, at)| Answer::Pick(vec![at])).collect();
        let force = options.iter().any(|option| option.card().is_some_and(|card| self.view.glance(card).parent.is_none()));
        if damage > 0 && force {
            let first = attrition == 0 && ways.first().is_none_or(|&(price, _)| price > 0);
            answers.insert(if first { 0 } else { answers.len() }, self.lose(options, player));
        }
        if answers.is_empty() {
            answers.push(Answer::Pick(vec![0]));
        }
        answers
    }

    /// A place to go to by what it gains there; else the best card of the opponent; else the first.
    fn best_place(&self, mover: Option<CardId>, options: &[Value], player: PlayerId) -> usize {
        let score = |option: &Value| {
            let Some(card) = option.card() else { return 0 };
            let place = self.view.root(card);
            let data = self.view.glance(card);
            if let Some(mover) = mover.filter(|&mover| self.is_unit(mover))
                && self.view.glance(place).zone == self.locations
                && (card == place || data.controller == player)
            {
                let mut standing = self.standing(place);
                let before = standing.worth(player);
                standing.drain = PLAYERS.map(|player| self.stat_for("drain", place, player));
                standing.power[player.index()] += self.stat(self.power, mover);
                standing.ability[player.index()] += self.stat(self.ability, mover);
                // A pilot makes a starship go.
                return standing.worth(player) - before + if card == place { 0 } else { 30 };
            }
            if data.parent.is_some() && data.controller != player { self.card(card) } else { 0 }
        };
        (0..options.len()).max_by_key(|&at| (score(&options[at]), std::cmp::Reverse(at))).unwrap_or(0)
    }
}

fn stat_number(catalogue: &Catalogue, name: &str) -> StatId {
    catalogue.stat(name).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

    /// What this file looks up by name is there under that name, and the rules show it: of what they do not, a view says nothing.
    #[test]
    fn names_are_those_of_the_rules() {
        let Some(game) = trilogy_games::find("ccg") else { return };
        let catalogue = game.catalogue().unwrap();
        let questions = ["take_action", "activate_force", "activate_at_once", "draw_battle_destiny", "lose_force", "satisfy_damage"];
        for name in
            questions.iter().chain(&["forfeit_in_place_of", "forfeit_or_lose", "lose_how_much_from_pile", "satisfy_how_much_from_pile"])
        {
            assert!(catalogue.asks.iter().any(|ask| ask.id == *name), "question {name}");
        }
        for name in ["power", "ability", "forfeit", "total_power", "total_ability", "drain", "generation"] {
            assert!(catalogue.stats.iter().any(|stat| stat.name == name && stat.shown), "value {name}");
        }
        for name in ["reserve", "force", "used", "draws", "hand", "locations", "table"] {
            assert!(catalogue.zones.iter().any(|zone| zone.name == name), "zone {name}");
        }
        for name in ["Character", "Starship", "Vehicle", "Location", "Interrupt", "unique"] {
            assert!(catalogue.words.iter().any(|word| word == name), "word {name}");
        }
        for name in ["damage", "attrition"] {
            assert!(catalogue.player_counters.iter().any(|counter| counter.name == name && counter.shown), "counter {name}");
        }
        assert!(catalogue.field("hit").is_some_and(|field| catalogue.fields[field.index()].shown));
        assert!(catalogue.vars.iter().any(|var| var.name == "battle_at" && var.shown));
        assert!(catalogue.actions.iter().any(|&action| catalogue.ability(action).name == "activate_force"));
    }
}
