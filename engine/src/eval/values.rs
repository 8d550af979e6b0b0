//! Values of cards and players: a base, the modifiers that apply, and the account of both.

use super::cells::Cell;
use super::counts::Work;
use super::kept::{Key, NO_PLACE, Sort};
use super::{Eval, MAX_DEPTH, Place, STEP, World};
use crate::catalogue::{Catalogue, Change, ClauseKind, Speaks, StatDef, ValuePolicy};
use crate::ids::*;
use crate::state::State;
use crate::value::{CardId, PlayerId, Value};
use smallvec::SmallVec;

/// One line of the account of a value: `+1 from Clone Officer`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TraceLine {
    pub change: Change,
    pub amount: i32,
    pub source: Option<CardId>,
    pub cite: String,
    pub says: String,
}

/// The current value of a card or player, or none where it has none.
pub fn stat(world: World<'_>, stat: StatId, of: &Value) -> Value {
    asked(world, of, None, |eval, of, what| eval.kept_stat(stat, of, what, 0))
}

/// The current value of a card or player for something: a player, a place.
pub fn stat_for(world: World<'_>, stat: StatId, of: &Value, what: &Value) -> Value {
    asked(world, of, Some(what), |eval, of, what| eval.kept_stat(stat, of, what, 0))
}

/// A value with its account: the base first, then each modifier in the order in which it counts.
pub fn trace(world: World<'_>, stat: StatId, of: &Value, what: Option<&Value>) -> (Value, Vec<TraceLine>) {
    let mut lines = Vec::new();
    let value = asked(world, of, what, |eval, of, what| eval.stat_at(stat, of, what, 0, Some(&mut lines)));
    (value, lines)
}

fn asked(world: World<'_>, of: &Value, what: Option<&Value>, ask: impl FnOnce(&mut Eval<'_>, Cell, Option<Cell>) -> Cell) -> Value {
    world.ask(|eval| {
        let (of, what) = (eval.desk.heap.read(of), what.map(|what| eval.desk.heap.read(what)));
        let value = ask(eval, of, what);
        eval.desk.heap.value(value)
    })
}

/// Whether a value of these cards is what is printed on them: no rule, no card in play, nothing that lasts speaks of it, nor do they
/// themselves. Without cards: whether that is so of all that do not.
pub(crate) fn is_unchanged(world: World<'_>, stat: StatId, of: &[Value]) -> bool {
    world.memo.is_some()
        && world.ask(|eval| {
            let of: SmallVec<[Cell; 2]> = of.iter().map(|of| eval.desk.heap.read(of)).collect();
            eval.is_unchanged(stat, &of)
        })
}

/// A value of a card that nothing changes: the printed number, or 0 where none is ever printed.
#[inline]
pub(crate) fn printed(catalogue: &Catalogue, stat: StatId, def: DefId) -> Option<i32> {
    let StatDef { fact, missing, floor, .. } = &catalogue.stats[stat.index()];
    let number = match fact {
        Some(fact) => catalogue.def(def).facts[fact.index()].or(*missing),
        None => Some(0),
    };
    number.map(|number| floor.map_or(number, |floor| number.max(floor)))
}

/// A change to a value, and what tells whether it counts beside another one like it.
struct Modifier {
    clause: ClauseId,
    source: Option<CardId>,
    change: Change,
    amount: i32,
    since: u32,
    /// Modifiers of one title and place in its text count once, unless they are cumulative.
    like: Option<Like>,
}

/// Which text of which card a modifier comes from.
#[derive(Clone, Copy, PartialEq)]
enum Text {
    /// The place of a clause in the text of its card.
    Printed(usize),
    Lasting(ClauseId),
}

type Like = (DefId, Text);

type Modifiers = SmallVec<[Modifier; 8]>;

impl Eval<'_> {
    pub(super) fn stat(&mut self, stat: StatId, of: Cell, what: Option<Cell>, depth: u16) -> Cell {
        if depth >= MAX_DEPTH {
            return self.too_deep();
        }
        self.kept_stat(stat, of, what, depth + STEP)
    }

    fn is_unchanged(&mut self, stat: StatId, of: &[Cell]) -> bool {
        self.catalogue.index.printed_stats.has(stat.index()) && self.is_quiet(Speaks::Stat(stat), of)
    }

    /// The value of a card or player for nothing in particular: kept, or as it is printed where nothing changes it; else worked out.
    #[inline(never)]
    pub(super) fn stat_of(&mut self, stat: StatId, of: Cell, depth: u16) -> Cell {
        let about = of.place(self.state.cards.len());
        if about == NO_PLACE || depth >= MAX_DEPTH || !self.desk.is_quick() {
            return self.stat(stat, of, None, depth);
        }
        if let Some(known) = self.desk.recall_at(Sort::Stat, stat.index(), about, &self.catalogue.index.reads.stats[stat.index()]) {
            return known;
        }
        // That is seen as quickly as it would be recalled.
        let (catalogue, state) = (self.catalogue, self.state);
        if catalogue.index.printed_stats.has(stat.index())
            && let Some(card) = of.card_in(state)
            && self.desk.speakers(catalogue, state).is_quiet(catalogue.index.place_of(Speaks::Stat(stat)), std::iter::once(card.def))
        {
            return printed(catalogue, stat, card.def).map_or(Cell::NONE, Cell::num);
        }
        let start = self.desk.start();
        let value = self.stat_at(stat, of, None, depth + STEP, None);
        self.desk.keep_at(Sort::Stat, stat.index(), about, value, start, self.state.cards.len())
    }

    /// A value that is at hand, or kept, or worked out.
    fn kept_stat(&mut self, stat: StatId, of: Cell, what: Option<Cell>, depth: u16) -> Cell {
        let catalogue = self.catalogue;
        if self.desk.is_plain() {
            return self.stat_at(stat, of, what, depth, None);
        }
        // What nothing changes is at hand.
        if catalogue.index.settled_stats.has(stat.index()) {
            return self.printed(stat, of);
        }
        let key = match what {
            Some(what) => Key::new(Sort::Stat, stat.index(), &[of, what], self.state.cards.len()),
            None => Key::new(Sort::Stat, stat.index(), &[of], self.state.cards.len()),
        };
        self.recall(Work::Stat(stat), key, &catalogue.index.reads.stats[stat.index()], |eval| {
            if of.card().is_some() && eval.is_unchanged(stat, &[of]) {
                return eval.printed(stat, of);
            }
            eval.counted(Work::Stat(stat), |eval| eval.stat_at(stat, of, what, depth, None))
        })
    }

    /// A value that nothing changes: what is printed on a card; players have none.
    #[inline(never)]
    pub(super) fn printed(&self, stat: StatId, of: Cell) -> Cell {
        match of.card_in(self.state) {
            Some(card) => printed(self.catalogue, stat, card.def).map_or(Cell::NONE, Cell::num),
            None if of.player().is_some() => Cell::num(self.catalogue.stats[stat.index()].floor.map_or(0, |floor| floor.max(0))),
            None => Cell::NONE,
        }
    }

    fn stat_at(&mut self, stat: StatId, of: Cell, what: Option<Cell>, depth: u16, trace: Option<&mut Vec<TraceLine>>) -> Cell {
        let (catalogue, state) = (self.catalogue, self.state);
        let def = &catalogue.stats[stat.index()];
        let you = match (what.and_then(Cell::player), of.player(), of.card()) {
            (Some(player), ..) | (None, Some(player), _) => player,
            (None, None, Some(card)) => state.card(card).controller,
            _ => return Cell::NONE,
        };
        let (locals, count) = ([of, what.unwrap_or_default()], 1 + usize::from(what.is_some()));
        let about = Asked { locals: &locals[..count], you, depth };
        let base = match (def.base, def.fact, of.card()) {
            (Some(base), _, card) => {
                let place = Place { me: card, ..Place::of_player(you, depth + catalogue.index.depths[base.index()]) };
                self.value(&place, about.locals, base)
            }
            (None, Some(fact), Some(card)) => {
                catalogue.def(state.card(card).def).facts[fact.index()].or(def.missing).map_or(Cell::NONE, Cell::num)
            }
            _ => Cell::num(0),
        };
        let Some(base) = base.number() else { return Cell::NONE };
        let mut modifiers = Modifiers::new();
        self.modifiers(stat, &about, &mut modifiers);
        if modifiers.iter().any(|modifier| matches!(modifier.change, Change::Unreduced | Change::Unmodified)) {
            only_admitted(state, base, you, &mut modifiers);
        }
        if catalogue.values == ValuePolicy::TimeOrder && modifiers.len() > 1 {
            only_once(catalogue, &mut modifiers);
            modifiers.sort_by_key(|modifier| (order(modifier.change), modifier.since));
        }
        let total = combined(catalogue.values, base, &modifiers);
        if let Some(lines) = trace {
            lines.push(TraceLine { change: Change::Set, amount: base, source: of.card(), cite: String::new(), says: "printed".into() });
            for modifier in modifiers.iter().filter(|modifier| modifier.amount != 0 || modifier.change != Change::Add) {
                let clause = catalogue.clause(modifier.clause);
                let (cite, says) =
                    (catalogue.cite(clause.cite).to_string(), crate::text::clause_text(catalogue, modifier.clause, |_| None));
                lines.push(TraceLine { change: modifier.change, amount: modifier.amount, source: modifier.source, cite, says });
            }
        }
        Cell::num(def.floor.map_or(total, |floor| total.max(floor)))
    }

    /// Every modifier that applies: of the rules, of cards, of lasting effects.
    fn modifiers(&mut self, stat: StatId, about: &Asked<'_>, found: &mut Modifiers) {
        let (catalogue, state) = (self.catalogue, self.state);
        for &id in &catalogue.index.stat_rules[stat.index()] {
            let place = Place { me: about.locals[0].card(), ..Place::of_player(about.you, 0) };
            found.extend(self.modifier(id, &place, about).map(|(change, amount)| Modifier {
                clause: id,
                source: None,
                change,
                amount,
                since: 0,
                like: None,
            }));
        }
        for card in self.carriers(Speaks::Stat(stat), &about.locals[..1]) {
            let carrier = state.card(card);
            for (at, &id) in catalogue.def(carrier.def).clauses.iter().enumerate() {
                let clause = catalogue.clause(id);
                if let ClauseKind::Modify { stat: s, cumulative, .. } = clause.kind
                    && s == stat
                    && self.may_speak_of(id, clause, card, about.locals)
                    && let Some((me, you)) = self.in_scope(clause.scope, card, about.depth)
                    && let Some((change, amount)) = self.modifier(id, &Place::of_card(me, Some(card), you, 0), about)
                {
                    let like = (!cumulative).then_some((carrier.def, Text::Printed(at)));
                    found.push(Modifier { clause: id, source: Some(card), change, amount, since: carrier.since, like });
                }
            }
        }
        for effect in &state.effects {
            if let ClauseKind::Modify { stat: s, cumulative, .. } = catalogue.clause(effect.clause).kind
                && s == stat
                && let Some((change, amount)) = self.modifier(effect.clause, &Place::of_effect(effect, 0), about)
            {
                let like = effect.carrier.filter(|_| !cumulative).map(|def| (def, Text::Lasting(effect.clause)));
                found.push(Modifier { clause: effect.clause, source: effect.source, change, amount, since: effect.since, like });
            }
        }
    }

    /// What a clause does to a value, where it applies.
    fn modifier(&mut self, id: ClauseId, place: &Place<'_>, about: &Asked<'_>) -> Option<(Change, i32)> {
        let clause = self.catalogue.clause(id);
        let ClauseKind::Modify { who, change, by, .. } = clause.kind else { return None };
        let place = Place { depth: about.depth + self.catalogue.index.clause_depths[id.index()], ..*place };
        let mut holds = |test: Option<ExprId>| test.is_none_or(|test| self.test(&place, about.locals, test));
        if !holds(who) || !holds(clause.when) {
            return None;
        }
        let amount = self.value(&place, about.locals, by).number()?;
        Some((change, amount))
    }
}

/// What a value is asked of, and for what; for whom, and how deep.
struct Asked<'l> {
    locals: &'l [Cell],
    you: PlayerId,
    depth: u16,
}

/// What may not be reduced or modified stays as it is: the modifiers against that do not count.
fn only_admitted(state: &State, base: i32, you: PlayerId, modifiers: &mut Modifiers) {
    let keepers: SmallVec<[(Change, bool); 2]> = modifiers
        .iter()
        .filter(|one| matches!(one.change, Change::Unreduced | Change::Unmodified))
        .map(|one| (one.change, one.amount != 0))
        .collect();
    modifiers.retain(|one| {
        let reduces = match one.change {
            Change::Add => one.amount < 0,
            Change::Multiply => one.amount < 1,
            Change::Set | Change::AtMost => one.amount < base,
            Change::AtLeast | Change::Unreduced | Change::Unmodified => false,
        };
        let opponents = one.source.is_some_and(|source| state.card(source).controller != you);
        let keeper = matches!(one.change, Change::Unreduced | Change::Unmodified);
        let kept_out = |&(keep, of_opponent): &(Change, bool)| (!of_opponent || opponents) && (keep == Change::Unmodified || reduces);
        keeper || !keepers.iter().any(kept_out)
    });
}

/// Of modifiers alike only the strongest stays.
fn only_once(catalogue: &Catalogue, modifiers: &mut Modifiers) {
    let same = |a: &Modifier, b: &Modifier| match (a.like, b.like) {
        (Some((a, x)), Some((b, y))) => x == y && catalogue.def(a).name == catalogue.def(b).name,
        _ => false,
    };
    let mut at = 0;
    while at < modifiers.len() {
        let beaten = modifiers.iter().enumerate().any(|(other, one)| {
            let (mine, theirs) = (modifiers[at].amount.unsigned_abs(), one.amount.unsigned_abs());
            other != at && same(one, &modifiers[at]) && (theirs > mine || (theirs == mine && other < at))
        });
        if beaten {
            modifiers.remove(at);
        } else {
            at += 1;
        }
    }
}

/// Limits come last, set values before them, everything else in its time.
fn order(change: Change) -> u8 {
    match change {
        Change::Add | Change::Multiply => 0,
        Change::Set => 1,
        Change::AtLeast => 2,
        Change::AtMost => 3,
        // These are taken out before anything is added up.
        Change::Unreduced | Change::Unmodified => 4,
    }
}

fn combined(policy: ValuePolicy, base: i32, modifiers: &[Modifier]) -> i32 {
    let mut total = base;
    let mut times = 1i32;
    let mut fixed = None::<i32>;
    for Modifier { change, amount, .. } in modifiers {
        match (policy, change) {
            (_, Change::Add) => total = total.saturating_add(*amount),
            (ValuePolicy::TimeOrder, Change::Multiply) => total = total.saturating_mul(*amount),
            (ValuePolicy::AddMultiplySet, Change::Multiply) => times = times.saturating_mul(*amount),
            // Of several set values the lowest counts, or the last one.
            (ValuePolicy::TimeOrder, Change::Set) => fixed = Some(fixed.map_or(*amount, |before| before.min(*amount))),
            (ValuePolicy::AddMultiplySet, Change::Set) => fixed = Some(*amount),
            (_, Change::AtLeast | Change::AtMost | Change::Unreduced | Change::Unmodified) => {}
        }
    }
    total = fixed.unwrap_or(total.saturating_mul(times));
    for Modifier { change, amount, .. } in modifiers {
        match change {
            Change::AtLeast => total = total.max(*amount),
            Change::AtMost => total = total.min(*amount),
            Change::Add | Change::Multiply | Change::Set | Change::Unreduced | Change::Unmodified => {}
        }
    }
    total
}
