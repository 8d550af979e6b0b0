//! Values of cards and players: a base, the modifiers that apply, and the account of both.

use super::permissions::in_scope;
use super::{Env, MAX_DEPTH, STEP, World};
use crate::catalogue::{Catalogue, Change, ClauseKind, Speaks, StatDef, ValuePolicy};
use crate::ids::*;
use crate::memo::{Key, Sort};
use crate::value::{CardId, PlayerId, Value};
use smallvec::SmallVec;
use std::ops::ControlFlow;

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
    stat_at(world, stat, of, None, 0, None)
}

/// The current value of a card or player for something: a player, a place.
pub fn stat_for(world: World<'_>, stat: StatId, of: &Value, what: &Value) -> Value {
    stat_at(world, stat, of, Some(what), 0, None)
}

/// A value with its account: the base first, then each modifier in the order in which it counts.
pub fn trace(world: World<'_>, stat: StatId, of: &Value, what: Option<&Value>) -> (Value, Vec<TraceLine>) {
    let mut lines = Vec::new();
    let value = stat_at(world, stat, of, what, 0, Some(&mut lines));
    (value, lines)
}

impl Env<'_> {
    pub(super) fn stat(&mut self, stat: StatId, of: &Value, what: Option<&Value>) -> Value {
        if self.depth >= MAX_DEPTH {
            return self.too_deep();
        }
        let (world, depth) = (self.world(), self.depth + STEP);
        // What nothing changes is at hand: the printed number, or 0 where none is ever printed.
        if let (Some(memo), StatDef { base: None, fact, missing, floor, .. }, Value::Card(card)) =
            (self.memo, &self.catalogue.stats[stat.index()], of)
            && self.catalogue.index.stat_rules[stat.index()].is_empty()
            && world.is_quiet(memo, Speaks::Stat(stat), std::slice::from_ref(of))
        {
            let printed = match fact {
                Some(fact) => self.catalogue.def(self.state.card(*card).def).facts[fact.index()].or(*missing),
                None => Some(0),
            };
            return printed.map_or(Value::None, |number| Value::Num(floor.map_or(number, |floor| number.max(floor))));
        }
        let key = match what {
            Some(what) => Key::new(Sort::Stat, stat.index(), &[of.clone(), what.clone()]),
            None => Key::new(Sort::Stat, stat.index(), std::slice::from_ref(of)),
        };
        match (self.memo, key) {
            (Some(memo), Some(key)) => {
                memo.recall(key, self.catalogue.index.reads.stats[stat.index()], || stat_at(world, stat, of, what, depth, None))
            }
            _ => stat_at(world, stat, of, what, depth, None),
        }
    }
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

fn stat_at(world: World<'_>, stat: StatId, of: &Value, what: Option<&Value>, depth: u16, trace: Option<&mut Vec<TraceLine>>) -> Value {
    let World { catalogue, state, .. } = world;
    let def = &catalogue.stats[stat.index()];
    let you = match (what, of) {
        (Some(Value::Player(player)), _) | (_, Value::Player(player)) => *player,
        (_, Value::Card(card)) => state.card(*card).controller,
        _ => return Value::None,
    };
    let base = match (def.base, def.fact, of) {
        (Some(base), _, _) => {
            let depth = depth + catalogue.index.depths[base.index()];
            let mut env = Env { me: of.card(), depth, ..Env::new(world, you) };
            env.locals.push(of.clone());
            env.locals.extend(what.cloned());
            env.eval(base)
        }
        (None, Some(fact), Value::Card(card)) => {
            let fact = catalogue.def(state.card(*card).def).facts[fact.index()].or(def.missing);
            fact.map_or(Value::None, Value::Num)
        }
        _ => Value::Num(0),
    };
    let Value::Num(base) = base else { return Value::None };
    let mut modifiers = modifiers(world, stat, of, what, you, depth);
    if modifiers.iter().any(|modifier| matches!(modifier.change, Change::Unreduced | Change::Unmodified)) {
        only_admitted(world, base, you, &mut modifiers);
    }
    if catalogue.values == ValuePolicy::TimeOrder {
        only_once(catalogue, &mut modifiers);
        modifiers.sort_by_key(|modifier| (order(modifier.change), modifier.since));
    }
    let total = combined(catalogue.values, base, &modifiers);
    if let Some(lines) = trace {
        lines.push(TraceLine { change: Change::Set, amount: base, source: of.card(), cite: String::new(), says: "printed".into() });
        for modifier in modifiers.iter().filter(|modifier| modifier.amount != 0 || modifier.change != Change::Add) {
            let clause = catalogue.clause(modifier.clause);
            let (cite, says) = (catalogue.cite(clause.cite).to_string(), crate::text::clause_text(catalogue, modifier.clause, |_| None));
            lines.push(TraceLine { change: modifier.change, amount: modifier.amount, source: modifier.source, cite, says });
        }
    }
    Value::Num(def.floor.map_or(total, |floor| total.max(floor)))
}

/// Every modifier that applies: of the rules, of cards, of lasting effects.
fn modifiers(world: World<'_>, stat: StatId, of: &Value, what: Option<&Value>, you: PlayerId, depth: u16) -> Modifiers {
    let World { catalogue, state, .. } = world;
    let mut found = Modifiers::new();
    let mut consider = |id: ClauseId, mut env: Env<'_>, source: Option<CardId>, since: u32, like: Option<Like>| {
        let clause = catalogue.clause(id);
        let ClauseKind::Modify { stat: s, who, change, by, cumulative } = clause.kind else { return };
        if s != stat {
            return;
        }
        env.depth = depth + catalogue.index.clause_depths[id.index()];
        env.locals.push(of.clone());
        env.locals.extend(what.cloned());
        if who.is_some_and(|who| !env.test(who)) || clause.when.is_some_and(|when| !env.test(when)) {
            return;
        }
        let Value::Num(amount) = env.eval(by) else { return };
        found.push(Modifier { clause: id, source, change, amount, since, like: like.filter(|_| !cumulative) });
    };
    for &id in &catalogue.index.stat_rules[stat.index()] {
        consider(id, Env { me: of.card(), ..Env::new(world, you) }, None, 0, None);
    }
    world.carriers(Speaks::Stat(stat), std::slice::from_ref(of), |card| {
        let carrier = state.card(card);
        let def = catalogue.def(carrier.def);
        for (at, &id) in def.clauses.iter().enumerate() {
            let clause = catalogue.clause(id);
            if matches!(clause.kind, ClauseKind::Modify { stat: s, .. } if s == stat)
                && let Some((me, you)) = in_scope(world, clause.scope, card, depth)
            {
                let like = Some((carrier.def, Text::Printed(at)));
                consider(id, Env::for_card(world, me, Some(card), you), Some(card), carrier.since, like);
            }
        }
        ControlFlow::Continue(())
    });
    for effect in &state.effects {
        let clause = catalogue.clause(effect.clause);
        if matches!(clause.kind, ClauseKind::Modify { stat: s, .. } if s == stat) {
            let like = effect.carrier.map(|def| (def, Text::Lasting(effect.clause)));
            consider(effect.clause, Env::for_effect(world, effect), effect.source, effect.since, like);
        }
    }
    found
}

/// What may not be reduced or modified stays as it is: the modifiers against that do not count.
fn only_admitted(world: World<'_>, base: i32, you: PlayerId, modifiers: &mut Modifiers) {
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
        let opponents = one.source.is_some_and(|source| world.state.card(source).controller != you);
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
            let (mine, theirs) = (modifiers[at].amount.abs(), one.amount.abs());
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
