//! The Card Game: the race between the Death Star dial and the dark objectives, units by their icons and tokens, the Force
//! struggle, resources that are not spent for turns to come. Edge battles, attackers and defenders are narrowed by rules of thumb.

use super::{Sense, plainly, question, side};
use std::cmp::Reverse;
use trilogy_engine::catalogue::{FieldId, RoleId, StatId};
use trilogy_engine::{Answer, AskKind, CardId, Catalogue, PlayerId, Value, View, WordId, ZoneId};

pub(super) struct Lcg;

const DARK: PlayerId = PlayerId(0);
const LIGHT: PlayerId = PlayerId(1);
const PLAYERS: [PlayerId; 2] = [DARK, LIGHT];

/// What one of the three dark objectives is worth that the light side must destroy; everything else is measured by it.
const OBJECTIVE: i64 = 480;
/// The dial at which the dark side has won.
const FULL: i64 = 12;
/// Force icons of a face-down card in tenths, on average.
const ICONS: i64 = 17;
/// How many sets of attackers are tried against each objective.
const SETS_OF_ATTACKERS: usize = 4;

impl Sense for Lcg {
    fn worth(&self, view: &View<'_>, me: PlayerId) -> i64 {
        let table = Table::new(view);
        let mut total = side(me, LIGHT) * (table.objectives() + table.struggle()) - side(me, LIGHT) * table.dial();
        for player in PLAYERS {
            total += side(me, player) * table.own(player);
        }
        total
    }

    fn advice(&self, view: &View<'_>) -> Option<Vec<Answer>> {
        let (ask, player) = (view.ask_kind()?, view.asked()?);
        let table = Table::new(view);
        let AskKind::Pick { options, least, .. } = ask else {
            return matches!(ask, AskKind::Order { .. }).then(|| vec![plainly(ask)]);
        };
        let by_rule = || vec![self.habit(view, ask)];
        match question(view) {
            "choose_objectives"
            | "turn_up_objective"
            | "mulligan"
            | "discard_before_draw"
            | "discard_to_reserve"
            | "pay_with_which_cards" => Some(by_rule()),
            "choose_defenders" => Some(table.troops(options, player)),
            "engage" | "choose_attackers" => Some(table.attacks(options, player)),
            "commit_to_the_force" => Some(table.commitments(ask)),
            "place_edge_card" => {
                let mut ways = by_rule();
                let fates = (0..options.len()).filter(|&at| options[at].card().is_some_and(|card| table.is(card, table.kinds.fate)));
                ways.extend(fates.map(|at| Answer::Pick(vec![at as u16])));
                if *least == 0 {
                    ways.push(Answer::Pick(Vec::new()));
                }
                ways.dedup();
                Some(ways)
            }
            _ => None,
        }
    }

    fn habit(&self, view: &View<'_>, ask: &AskKind) -> Answer {
        let Some(player) = view.asked() else { return plainly(ask) };
        let asked = question(view);
        let (options, least) = match ask {
            AskKind::Pick { options, least, .. } => (options, *least as usize),
            AskKind::Number { least, .. } if asked == "discard_how_many" => return Answer::Number(*least),
            _ => return plainly(ask),
        };
        // Windows are passed, and nothing is begun.
        if matches!(asked, "take_action" | "respond" | "commit_to_the_force") && least == 0 {
            return Answer::Pick(Vec::new());
        }
        let table = Table::new(view);
        match asked {
            "choose_objectives" => {
                table.best(options, least, |card| table.printed(table.resources, card) * 3 + table.printed(table.capacity, card))
            }
            "mulligan" => table.mulligan(player),
            "discard_before_draw" | "discard_to_reserve" => table.tidy(options, least, player),
            // Whoever names no card gives what costs the least.
            "pay_with_which_cards" => plainly(ask),
            "engage" if table.objectives_among(options).next().is_some() => Answer::Pick(Vec::new()),
            "engage" | "choose_attackers" => table.most_of(ask, table.attack(options)),
            "place_edge_card" => table.place_edge(options, player),
            "choose_defenders" => Answer::Pick(table.defence(options, player)),
            "strike_with_which_unit" => table.best(options, 1, |card| table.icons(card).worth(table.has_edge(player))),
            "strike_with_which_icon" => Answer::Pick(vec![0]),
            "strike_whom" => {
                let much = table.var("striking").card().map_or(0, |unit| table.icons(unit).damage(table.has_edge(player)));
                table.best(options, 1, |card| {
                    table.unit(card) * much.min(table.room(card)) / table.room(card).max(1) + if much >= table.room(card) { 40 } else { 0 }
                })
            }
            "focus_whom" => {
                let fighting = table.fighting(player.opponent());
                table.best(options, 1, |card| {
                    let ready = table.counter(card, table.focus) == 0;
                    table.unit(card) + if ready { 200 } else { 0 } + if ready && fighting.contains(&card) { 300 } else { 0 }
                })
            }
            // Cards of one's own hand that have to go.
            _ if least > 0 && options.iter().all(|option| option.card().is_some_and(|card| table.pile("hand", player).contains(&card))) => {
                table.best(options, least, |card| -table.promise(card))
            }
            // Yes, where one may.
            _ if matches!(options[..], [Value::Text(_)]) => Answer::Pick(vec![0]),
            _ if least == 1 => table.best(options, 1, |card| {
                let worth = table.unit(card);
                if view.glance(card).controller == player { -worth } else { worth }
            }),
            _ => plainly(ask),
        }
    }

    /// A player may act or choose at the top level, and there is no engagement. The last window of a turn is passed
    /// first: whoever does something in it is to be compared with whoever does nothing and sees the next turn begin.
    fn calm(&self, view: &View<'_>) -> bool {
        match question(view) {
            "take_action" => view.var("engaged").is_none() && view.var("phase").num() != 6,
            "damage_which_objective" | "discard_before_draw" | "discard_to_reserve" => true,
            "engage" | "attack_which_objective" | "choose_attackers" | "commit_to_the_force" => true,
            _ => false,
        }
    }

    fn patience(&self) -> usize {
        60
    }

    fn worlds(&self, answers: usize) -> usize {
        (32 / answers.max(1)).clamp(4, 8)
    }

    fn laziness(&self) -> i64 {
        3
    }
}

/// A unit's combat icons, those that need the edge apart: unit damage, tactics, blast damage.
struct Icons {
    plain: [i64; 3],
    edge: [i64; 3],
}

impl Icons {
    const WORTH: [i64; 3] = [34, 38, 36];

    fn worth(&self, edge: bool) -> i64 {
        let counted = |at: usize| 2 * self.plain[at] + if edge { 2 * self.edge[at] } else { self.edge[at] };
        (0..3).map(|at| Self::WORTH[at] * counted(at) / 2).sum()
    }
    fn damage(&self, edge: bool) -> i64 {
        self.plain[0] + if edge { self.edge[0] } else { 0 }
    }
    fn any(&self) -> bool {
        self.plain.iter().chain(&self.edge).any(|&icon| icon > 0)
    }
}

/// A table with the names that this file speaks of looked up.
struct Table<'a> {
    view: &'a View<'a>,
    catalogue: &'a Catalogue,
    kinds: Kinds,
    captive: RoleId,
    icons: [StatId; 6],
    cost: StatId,
    force: StatId,
    capacity: StatId,
    resources: StatId,
    struggle: StatId,
    edge: StatId,
    elite: StatId,
    damage: FieldId,
    focus: FieldId,
    shields: FieldId,
    committed: FieldId,
}

/// Words of card types.
struct Kinds {
    unit: Option<WordId>,
    enhancement: Option<WordId>,
    fate: Option<WordId>,
}

impl<'a> Table<'a> {
    fn new(view: &'a View<'a>) -> Table<'a> {
        let catalogue = view.catalogue();
        let word = |name: &str| catalogue.word_named(name);
        let stat = |name: &str| catalogue.stat(name).unwrap_or_default();
        let counter = |name: &str| catalogue.field(name).unwrap_or_default();
        Table {
            view,
            catalogue,
            kinds: Kinds { unit: word("Unit"), enhancement: word("Enhancement"), fate: word("Fate") },
            captive: catalogue.role("captive").unwrap_or_default(),
            icons: ["unit_damage", "tactics", "blast_damage", "edge_unit_damage", "edge_tactics", "edge_blast_damage"].map(stat),
            cost: stat("cost"),
            force: stat("force"),
            capacity: stat("capacity"),
            resources: stat("resources"),
            struggle: stat("struggle"),
            edge: stat("edge"),
            elite: stat("elite"),
            damage: counter("damage"),
            focus: counter("focus"),
            shields: counter("shields"),
            committed: counter("committed"),
        }
    }

    fn stat(&self, stat: StatId, card: CardId) -> i64 {
        self.view.value(stat, card).unwrap_or(0) as i64
    }
    /// What is printed on a card, which is quick.
    fn printed(&self, stat: StatId, card: CardId) -> i64 {
        let fact = self.catalogue.stats[stat.index()].fact;
        fact.and_then(|fact| self.view.printed(card)?.facts[fact.index()]).unwrap_or(0) as i64
    }
    fn counter(&self, card: CardId, counter: FieldId) -> i64 {
        self.view.counter(card, counter).unwrap_or(0) as i64
    }
    fn var(&self, name: &str) -> Value {
        self.view.var(name)
    }
    fn pile(&self, name: &str, player: PlayerId) -> &'a [CardId] {
        self.catalogue.zone(name, Some(player)).map_or(&[], |zone| self.view.lying_in(zone))
    }
    fn is(&self, card: CardId, word: Option<WordId>) -> bool {
        word.is_some_and(|word| self.view.printed(card).is_some_and(|def| def.words.contains(&word)))
    }
    fn active(&self, player: PlayerId) -> bool {
        self.var("turn_of").player() == Some(player)
    }
    fn has_edge(&self, player: PlayerId) -> bool {
        self.var("edge_holder").player() == Some(player)
    }
    /// A player's side of the engagement.
    fn fighting(&self, player: PlayerId) -> Vec<CardId> {
        let attacks = self.var("attacking_player").player() == Some(player);
        self.var(if attacks { "attackers" } else { "defenders" }).items().iter().filter_map(Value::card).collect()
    }
    fn room(&self, card: CardId) -> i64 {
        (self.stat(self.capacity, card) - self.counter(card, self.damage)).max(0)
    }

    fn icons(&self, unit: CardId) -> Icons {
        let [plain, edge] = [0, 3].map(|from| [0, 1, 2].map(|at| self.stat(self.icons[from + at], unit)));
        Icons { plain, edge }
    }

    // ---- the race ----

    /// How near the light side is to its three objectives, and the dark side to the next step of the dial that one of its opponent's gives.
    fn objectives(&self) -> i64 {
        let fraction = |card: &CardId| {
            let capacity = self.stat(self.capacity, *card).max(1);
            1000 * self.counter(*card, self.damage).min(capacity) / capacity
        };
        let current = |player| -> Vec<i64> {
            let mut hurt: Vec<i64> =
                self.pile("row", player).iter().filter(|card| !self.view.glance(**card).facedown).map(fraction).collect();
            hurt.sort_unstable_by_key(|&hurt| Reverse(hurt));
            hurt
        };
        let destroyed = |by| self.pile("victory", by).len() as i64;
        let dark = destroyed(LIGHT);
        let mut total = OBJECTIVE * dark;
        for (at, hurt) in current(DARK).into_iter().enumerate() {
            // Damage that is needed to win counts in full, and more the nearer it is to the end.
            let share = if (at as i64) < 3 - dark { 60 + hurt / 40 } else { 30 };
            total += OBJECTIVE * hurt * share / 100_000;
        }
        let light = destroyed(DARK);
        let step = self.slope() * (10 * light + 18) / 10;
        for hurt in current(LIGHT) {
            total -= step * hurt * (60 + hurt / 40) / 100_000;
        }
        // What was destroyed makes the next one worth more to the dark side.
        total - light * self.slope()
    }

    /// Where the dial will stand after the dark side's next balance phase.
    fn coming(&self) -> i64 {
        let next = if self.active(LIGHT) { 1 + i64::from(self.var("balance").player() == Some(DARK)) } else { 0 };
        self.var("dial").num() as i64 + next
    }
    fn slope(&self) -> i64 {
        60 + 10 * self.coming().min(FULL)
    }
    fn dial(&self) -> i64 {
        let dial = self.coming();
        60 * dial + 5 * dial * dial + if dial >= FULL { 600 } else { 0 }
    }

    /// Who will have the Balance of the Force after this turn, and who in turns to come.
    fn struggle(&self) -> i64 {
        let brings = |card: CardId| {
            let ready = self.counter(card, self.committed) > 0 && self.counter(card, self.focus) == 0;
            self.stat(self.struggle, card) + if ready { self.stat(self.force, card) } else { 0 }
        };
        let now = |player| self.pile("area", player).iter().map(|&card| brings(card)).sum::<i64>();
        let later = |player| {
            let committed = self.pile("area", player).iter().filter(|&&card| self.counter(card, self.committed) > 0);
            committed.map(|&card| self.stat(self.force, card) * 6 / (1 + self.counter(card, self.focus)).min(3)).sum::<i64>()
        };
        let ahead = now(LIGHT) - now(DARK);
        let holder = if ahead == 0 { side(LIGHT, self.var("balance").player().unwrap_or(LIGHT)) } else { ahead.signum() };
        80 * holder + 3 * (later(LIGHT) - later(DARK)).clamp(-30, 30)
    }

    // ---- what a player has ----

    fn own(&self, player: PlayerId) -> i64 {
        let mut total: i64 = self.pile("hand", player).iter().map(|&card| 4 + self.promise(card) / 8).sum();
        for &card in self.pile("area", player) {
            total += if self.is(card, self.kinds.unit) { self.unit(card) } else { self.provider(card) };
            if self.is(card, self.kinds.enhancement) {
                total += 45 + 25 * self.stat(self.resources, card);
            }
        }
        for &card in self.pile("row", player) {
            total += self.provider(card) + 6 * self.counter(card, self.shields);
        }
        for &card in self.view.lying_in(ZoneId::FIRST) {
            let data = self.view.glance(card);
            if data.controller == player {
                total += if data.role == self.captive { 45 } else { 40 + 25 * self.stat(self.resources, card) + self.provider(card) };
            }
        }
        // Who cannot draw has lost.
        let deck = self.pile("deck", player).len() as i64;
        total - 25 * (8 - deck).max(0)
    }

    /// How many tokens a card has for more than what is left of the turn: one comes off when its player's turn begins.
    fn tokens(&self, card: CardId) -> (i64, bool) {
        let focus = self.counter(card, self.focus);
        let waits = focus > 0 && !self.active(self.view.glance(card).controller);
        let off = if self.stat(self.elite, card) > 0 { 2 } else { 1 };
        (if waits { (focus - off).max(0) } else { focus }, waits)
    }

    /// A unit in play.
    fn unit(&self, card: CardId) -> i64 {
        let icons = self.icons(card);
        let (capacity, left) = (self.stat(self.capacity, card).max(1), self.room(card));
        let force = self.stat(self.force, card);
        let mut able = icons.worth(false) * (2 * left + capacity) / (3 * capacity) + 20 * self.stat(self.resources, card);
        let committed = self.counter(card, self.committed) > 0;
        if committed {
            able = able * 85 / 100;
        }
        let (tokens, waits) = self.tokens(card);
        let lost = match tokens {
            0 => 0,
            1 => 16,
            2 => 45,
            _ => 70,
        } + if waits { 6 } else { 0 };
        able -= (able + 15) * lost / 100;
        let promise = if committed { 6 } else { 5 };
        24 + 9 * left + able + promise * force + 8 * self.printed(self.cost, card) + 6 * self.counter(card, self.shields)
    }

    /// What tokens on a card cost that provides resources: the first goes with the next refresh, more keep it exhausted for turns.
    fn provider(&self, card: CardId) -> i64 {
        if self.counter(card, self.focus) == 0 {
            return 0;
        }
        let (tokens, waits) = self.tokens(card);
        let lost = match tokens {
            0 => 0,
            1 => 3,
            more => 22 + 18 * (more - 2),
        };
        -self.stat(self.resources, card) * (lost + i64::from(waits))
    }

    /// How gladly a card is held: from the printed card alone.
    fn promise(&self, card: CardId) -> i64 {
        let owner = self.view.glance(card).owner;
        let def = self.view.face(card);
        let force = 4 * self.printed(self.force, card);
        let unique = self.catalogue.stat("unique").unwrap_or_default();
        if self.printed(unique, card) > 0
            && PLAYERS.iter().any(|&player| self.pile("area", player).iter().any(|&other| self.view.face(other) == def))
        {
            return force;
        }
        let cost = self.printed(self.cost, card);
        let worth = if self.is(card, self.kinds.unit) {
            let icons =
                (0..6).map(|at| Icons::WORTH[at % 3] * self.printed(self.icons[at], card) / if at < 3 { 1 } else { 2 }).sum::<i64>();
            24 + 9 * self.printed(self.capacity, card) + icons + 8 * cost + 20 * self.printed(self.resources, card)
        } else if self.is(card, self.kinds.enhancement) {
            60 + 25 * self.printed(self.resources, card)
        } else if self.is(card, self.kinds.fate) {
            45
        } else {
            55
        };
        let income: i64 =
            ["row", "area"].iter().flat_map(|zone| self.pile(zone, owner)).map(|&card| self.printed(self.resources, card)).sum();
        force + if cost > income { worth / 2 } else { worth }
    }

    // ---- rules of thumb ----

    /// The best of the options, so many of them.
    fn best(&self, options: &[Value], many: usize, score: impl Fn(CardId) -> i64) -> Answer {
        let mut order: Vec<(Reverse<i64>, u16)> =
            options.iter().enumerate().map(|(at, option)| (Reverse(option.card().map_or(0, &score)), at as u16)).collect();
        order.sort_unstable();
        let mut chosen: Vec<u16> = order.iter().take(many).map(|&(_, at)| at).collect();
        chosen.sort_unstable();
        Answer::Pick(chosen)
    }

    /// Six new cards for a hand with hardly a unit for the first turns.
    fn mulligan(&self, player: PlayerId) -> Answer {
        let early = self.pile("hand", player).iter().filter(|&&card| self.is(card, self.kinds.unit) && self.printed(self.cost, card) <= 3);
        Answer::Pick(if early.count() < 2 { vec![0] } else { Vec::new() })
    }

    /// Discards what must go, or one card that is of little use while there are many to draw.
    fn tidy(&self, options: &[Value], least: usize, player: PlayerId) -> Answer {
        if least > 0 {
            return self.best(options, least, |card| -self.promise(card));
        }
        let worst = self.best(options, 1, |card| -self.promise(card));
        let poor = matches!(&worst, Answer::Pick(at) if at.first().and_then(|&at| options[at as usize].card()).is_some_and(|card| self.promise(card) < 45));
        if poor && self.pile("deck", player).len() > 12 { worst } else { Answer::Pick(Vec::new()) }
    }

    fn units_by_strength(&self, options: &[Value]) -> Vec<(i64, u16, CardId)> {
        let mut units: Vec<(i64, u16, CardId)> = options
            .iter()
            .enumerate()
            .filter_map(|(at, option)| {
                option
                    .card()
                    .filter(|&card| self.is(card, self.kinds.unit))
                    .map(|card| (self.icons(card).worth(false) + self.stat(self.edge, card) * 12, at as u16, card))
            })
            .collect();
        units.sort_unstable_by_key(|&(worth, at, _)| (Reverse(worth), at));
        units
    }

    /// Those who can hurt somebody and keep no watch over the Force; else the strongest.
    fn attack(&self, options: &[Value]) -> Vec<u16> {
        let units = self.units_by_strength(options);
        let mut chosen: Vec<u16> =
            units.iter().filter(|unit| self.icons(unit.2).any() && self.counter(unit.2, self.committed) == 0).map(|unit| unit.1).collect();
        if chosen.is_empty() {
            chosen.extend(units.first().map(|unit| unit.1));
        }
        chosen.sort_unstable();
        chosen
    }

    /// Those who can strike back; whoever there is where the objective would fall.
    fn defence(&self, options: &[Value], player: PlayerId) -> Vec<u16> {
        let units = self.units_by_strength(options);
        let enemies = self.fighting(player.opponent());
        let blast: i64 = enemies.iter().map(|&unit| self.icons(unit)).map(|icons| icons.plain[2] + icons.edge[2]).sum();
        let falls = self.var("engaged").card().is_some_and(|objective| blast + 1 >= self.room(objective));
        let force: i64 = enemies.iter().map(|&unit| self.icons(unit).worth(false)).sum();
        let might: i64 = units.iter().map(|unit| unit.0).sum();
        let mut chosen: Vec<u16> = units
            .iter()
            .filter(|unit| {
                let icons = self.icons(unit.2);
                falls && icons.any()
                    || icons.plain[0] + icons.plain[1] > 0 && 3 * might >= force && self.counter(unit.2, self.committed) == 0
            })
            .map(|unit| unit.1)
            .collect();
        chosen.sort_unstable();
        chosen
    }

    /// Sets of attackers or defenders worth trying: by rule, the strongest few, each of the first alone, all.
    fn troops(&self, options: &[Value], player: PlayerId) -> Vec<Answer> {
        let attacks = self.var("engaged").is_none();
        let units = self.units_by_strength(options);
        let mut ways = vec![if attacks { self.attack(options) } else { self.defence(options, player) }];
        let mut add = |mut way: Vec<u16>| {
            way.sort_unstable();
            if !ways.contains(&way) {
                ways.push(way);
            }
        };
        for many in 1..=units.len().min(4) {
            add(units.iter().take(many).map(|unit| unit.1).collect());
        }
        for unit in units.iter().skip(1).take(3) {
            add(vec![unit.1]);
        }
        let free: Vec<u16> = units.iter().filter(|unit| self.counter(unit.2, self.committed) == 0).map(|unit| unit.1).collect();
        add(free);
        add(units.iter().map(|unit| unit.1).collect());
        if attacks {
            ways.retain(|way| !way.is_empty());
        } else {
            add(Vec::new());
        }
        let most = match self.view.ask_kind() {
            Some(AskKind::Pick { most, .. }) => *most as usize,
            _ => options.len(),
        };
        ways.retain(|way| way.len() <= most);
        ways.into_iter().map(Answer::Pick).collect()
    }

    /// Where objectives and units are named together, the options that are no units.
    fn objectives_among(&self, options: &'a [Value]) -> impl Iterator<Item = u16> + use<'a, '_> {
        (0..options.len()).filter(|&at| options[at].card().is_some_and(|card| !self.is(card, self.kinds.unit))).map(|at| at as u16)
    }

    /// Every objective with the few sets of attackers that promise most, and no attack at all.
    fn attacks(&self, options: &'a [Value], player: PlayerId) -> Vec<Answer> {
        let troops = self.troops(options, player);
        if self.objectives_among(options).next().is_none() {
            return troops;
        }
        let mut ways = vec![Answer::Pick(Vec::new())];
        for objective in self.objectives_among(options) {
            let sets = troops.iter().take(SETS_OF_ATTACKERS).filter_map(|way| match way {
                Answer::Pick(units) => Some(units),
                Answer::Number(_) => None,
            });
            ways.extend(sets.map(|units| Answer::Pick(std::iter::once(objective).chain(units.iter().copied()).collect())));
        }
        ways
    }

    /// As many of the chosen ones as may be chosen.
    fn most_of(&self, ask: &AskKind, mut chosen: Vec<u16>) -> Answer {
        if let AskKind::Pick { most, .. } = ask {
            chosen.truncate(*most as usize);
        }
        Answer::Pick(chosen)
    }

    /// Nobody to the Force, each unit alone, or those with the most icons together.
    fn commitments(&self, ask: &AskKind) -> Vec<Answer> {
        let AskKind::Pick { options, most, .. } = ask else { return vec![plainly(ask)] };
        let force = |at: u16| options[at as usize].card().map_or(0, |card| self.stat(self.force, card));
        let mut order: Vec<u16> = (0..options.len() as u16).collect();
        order.sort_by_key(|&at| Reverse(force(at)));
        let alone = order.iter().map(|&at| Answer::Pick(vec![at]));
        let together = (2..=order.len().min(*most as usize)).map(|many| Answer::Pick(order[..many].to_vec()));
        std::iter::once(Answer::Pick(Vec::new())).chain(alone).chain(together).collect()
    }

    /// Cards into the edge stack as long as the edge is worth what they are and can be had.
    fn place_edge(&self, options: &[Value], player: PlayerId) -> Answer {
        let pass = Answer::Pick(Vec::new());
        let enemy = player.opponent();
        let (mine, theirs) = (self.fighting(player), self.fighting(enemy));
        let attacks = self.var("attacking_player").player() == Some(player);
        if theirs.is_empty() {
            return pass;
        }
        let edge = |units: &[CardId]| units.iter().map(|&unit| self.stat(self.edge, unit)).sum::<i64>();
        let placed: i64 = self.pile("stack", player).iter().map(|&card| self.printed(self.force, card)).sum();
        let ahead = 10 * (placed + edge(&mine)) - ICONS * self.pile("stack", enemy).len() as i64 - 10 * edge(&theirs);
        let needed = if attacks { 10 - ahead } else { -ahead };
        if needed <= 0 {
            return pass;
        }
        let needs_edge = |units: &[CardId]| -> i64 {
            let ready = units.iter().filter(|&&unit| self.counter(unit, self.focus) == 0);
            ready.map(|&unit| self.icons(unit).edge.iter().sum::<i64>()).sum()
        };
        let might = |units: &[CardId]| -> i64 { units.iter().map(|&unit| self.icons(unit).worth(false)).sum() };
        let stake = 30 * needs_edge(&mine) + 22 * needs_edge(&theirs) + might(&mine).min(might(&theirs)) / 4;
        let mut hand: Vec<(i64, i64, u16)> = options
            .iter()
            .enumerate()
            .filter_map(|(at, option)| {
                let card = option.card()?;
                let icons = 10 * self.printed(self.force, card);
                let fate = if self.is(card, self.kinds.fate) { 10 } else { 0 };
                (icons > 0).then(|| (4 + self.promise(card) / 8 - fate, icons, at as u16))
            })
            .collect();
        hand.sort_unstable_by_key(|&(price, icons, at)| (10 * price / icons, price, at));
        let (mut price, mut gained) = (0, 0);
        for &(cost, icons, _) in &hand {
            if gained >= needed {
                break;
            }
            price += cost;
            gained += icons;
        }
        match hand.first() {
            Some(&(_, _, at)) if gained >= needed && price <= stake => Answer::Pick(vec![at]),
            _ => pass,
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

    /// What this file looks up by name is there under that name, and the rules show it: of what they do not, a view says nothing.
    #[test]
    fn names_are_those_of_the_rules() {
        let Some(game) = trilogy_games::find("lcg") else { return };
        let catalogue = game.catalogue().unwrap();
        let questions = [
            "take_action",
            "respond",
            "mulligan",
            "choose_objectives",
            "turn_up_objective",
            "damage_which_objective",
            "discard_before_draw",
            "discard_to_reserve",
            "engage",
            "attack_which_objective",
            "choose_attackers",
            "choose_defenders",
            "commit_to_the_force",
            "place_edge_card",
            "strike_with_which_unit",
            "strike_with_which_icon",
            "strike_whom",
            "focus_whom",
            "pay_with_which_cards",
            "discard_how_many",
        ];
        for name in questions {
            assert!(catalogue.asks.iter().any(|ask| ask.id == name), "question {name}");
        }
        let stats = ["unit_damage", "tactics", "blast_damage", "edge_unit_damage", "edge_tactics", "edge_blast_damage", "cost", "force"];
        for name in stats.iter().chain(&["capacity", "resources", "struggle", "edge", "elite", "unique"]) {
            assert!(catalogue.stats.iter().any(|stat| stat.name == *name && stat.shown), "value {name}");
        }
        for name in ["deck", "hand", "row", "area", "stack", "victory"] {
            assert!(catalogue.zones.iter().any(|zone| zone.name == name && zone.player.is_some()), "zone {name}");
        }
        for name in ["Unit", "Enhancement", "Fate"] {
            assert!(catalogue.words.iter().any(|word| word == name), "word {name}");
        }
        for name in ["damage", "focus", "shields", "committed"] {
            assert!(catalogue.field(name).is_some_and(|field| catalogue.fields[field.index()].shown), "counter {name}");
        }
        let vars =
            ["turn_of", "phase", "balance", "dial", "engaged", "attacking_player", "attackers", "defenders", "edge_holder", "striking"];
        for name in vars {
            assert!(catalogue.vars.iter().any(|var| var.name == name && var.shown), "variable {name}");
        }
        assert!(catalogue.roles.iter().any(|role| role.name == "captive"));
        assert_eq!(catalogue.players, ["Dark_Side", "Light_Side"]);
    }
}
