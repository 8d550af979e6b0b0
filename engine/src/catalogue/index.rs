//! Tables derived from the rest of a catalogue, so that the machine finds what it looks for at a glance.

use super::narrow::Within;
use super::whole::MOST_LEVELS;
use super::{BinOp, Catalogue, Clause, ClauseKind, EnumDef, Expr, Reads};
use crate::bits::{BitSet, BitTable};
use crate::eval::code::Code;
use crate::eval::compile;
use crate::ids::*;
use crate::parts::{self, Part, Parts};
use crate::value::Value;
use std::collections::HashMap;
use std::sync::Arc;

/// What is derived from the rest of a catalogue when it is loaded: tables of what there is, and what comes of the rules. Of a game among
/// certain cards the second is of its own.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Index {
    tables: Arc<Tables>,
    pub stat_rules: Vec<Vec<ClauseId>>,
    /// The values that are what is printed, unless a card or a lasting effect speaks of them; and those that nothing can speak of.
    pub printed_stats: BitSet,
    pub settled_stats: BitSet,
    pub permission_rules: Vec<Vec<ClauseId>>,
    /// What the rules alone say of each permission, where they need not look: nothing is said, or all of it is forbidden.
    pub permission_rest: Vec<Option<bool>>,
    pub event_rules: Vec<Vec<ClauseId>>,
    /// The actions of the rules that may be possible in each window.
    pub usable_actions: Vec<Vec<AbilityId>>,
    /// The windows that abilities of cards are for.
    pub acting_windows: BitSet,
    /// Whether anything gives abilities to other cards.
    pub grants_any: bool,
    /// Events that anything in this game listens to.
    pub heard: BitSet,
    /// Functions that stand in place of their calls: they are small and call nothing that calls them. How deep they go counts as if they
    /// were called.
    pub inlined: Vec<bool>,
    /// Functions whose answers depend on nothing but the state and their arguments, and take some work.
    pub kept: Vec<bool>,
    /// The parts of a state that questions read.
    pub reads: Reads,
    /// Expressions as code.
    pub code: Code,
}

impl Index {
    #[inline]
    pub(crate) fn tables(&self) -> &Arc<Tables> {
        &self.tables
    }
    /// The tables alone.
    pub(super) fn without_rules(&self) -> Index {
        Index { tables: self.tables.clone(), ..Index::default() }
    }
}

impl std::ops::Deref for Index {
    type Target = Tables;
    #[inline]
    fn deref(&self) -> &Tables {
        &self.tables
    }
}

/// Tables of all that a catalogue holds.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Tables {
    /// The cards by their keys.
    pub keys: HashMap<String, DefId>,
    /// The zone of each kind for each player.
    pub zone_of: Vec<[ZoneId; 2]>,
    pub live_zones: Vec<ZoneId>,
    pub act_zones: Vec<ZoneId>,
    pub window_actions: Vec<Vec<AbilityId>>,
    /// The windows that actions of the rules are for.
    pub action_windows: BitSet,
    /// The cards that have abilities.
    pub able: BitSet,
    /// The abilities that belong to the controller of their card, whoever that is.
    pub of_controller: BitSet,
    /// The values, permissions, events and windows that the abilities of each card speak of, and its words.
    pub stats: BitTable,
    pub permissions: BitTable,
    pub events: BitTable,
    pub windows: BitTable,
    pub words: BitTable,
    /// The programs that each card does something instead of, and whether it gives abilities to others.
    pub replaced: BitTable,
    pub grants: BitTable,
    /// The parts of a state that change where each card comes or goes that says something.
    pub spoken_by: Vec<Parts>,
    /// The member of each enumeration that each card carries, card by card, and all that each enumeration has.
    pub members: Vec<Option<WordId>>,
    pub enum_members: Vec<BitSet>,
    /// How many levels each expression has, and the deepest one of each clause.
    pub depths: Vec<u16>,
    pub clause_depths: Vec<u16>,
    /// How many locals each expression needs to be given: one more than the last that it speaks of and does not bind.
    pub widths: Vec<u16>,
    call_depths: Vec<u16>,
    /// Clauses of cards that speak only of what their ability speaks of as itself, and scopes in which that is the card that carries it.
    pub of_itself: BitSet,
    pub carrier_itself: BitSet,
    /// What starts anew when each period ends.
    pub periods: Vec<Ends>,
    /// How many values, permissions and events there are.
    sizes: [usize; 3],
}

/// What starts anew when a period ends: counters of players with their floor, and variables.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Ends {
    pub(crate) counters: Vec<(PlayerCounterId, i32)>,
    pub(crate) vars: Vec<(VarId, Start)>,
    /// Whether cards forget anything with it.
    pub(crate) fields: bool,
}

/// What a variable starts with: a value, or what an expression is worth by then.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Start {
    Value(Value),
    Expr(ExprId),
}

/// What a clause of a card may speak of.
#[derive(Clone, Copy)]
pub(crate) enum Speaks {
    Stat(StatId),
    Permission(PermissionId),
    Event(EventId),
    Replaced(ProcId),
    Grants,
}

/// How many parts a function has whose answers are quicker to keep than to work out.
const WORTH_KEEPING: u32 = 60;

/// How many parts a function has at most that stands in place of its calls, with all that stand in it.
const IN_PLACE: u32 = 80;

impl Speaks {
    /// What a clause speaks of.
    pub(crate) fn of(kind: &ClauseKind) -> Speaks {
        match *kind {
            ClauseKind::Modify { stat, .. } => Speaks::Stat(stat),
            ClauseKind::Permit { permission, .. } => Speaks::Permission(permission),
            ClauseKind::Trigger { event, .. } => Speaks::Event(event),
            ClauseKind::Replace { proc, .. } => Speaks::Replaced(proc),
            ClauseKind::Grant { .. } => Speaks::Grants,
        }
    }
}

impl Tables {
    /// How much deeper the body of a function is than its call.
    #[inline]
    pub(crate) fn call_depth(&self, function: FunctionId) -> u16 {
        self.call_depths[function.index()]
    }

    #[inline]
    pub(crate) fn call_depth_at(&self, function: usize) -> u16 {
        self.call_depths[function]
    }

    /// A number for what clauses speak of, from 0.
    #[inline]
    pub(crate) fn place_of(&self, what: Speaks) -> usize {
        let [stats, permissions, events] = self.sizes;
        match what {
            Speaks::Grants => 0,
            Speaks::Stat(stat) => 1 + stat.index(),
            Speaks::Permission(permission) => 1 + stats + permission.index(),
            Speaks::Event(event) => 1 + stats + permissions + event.index(),
            Speaks::Replaced(proc) => 1 + stats + permissions + events + proc.index(),
        }
    }

    /// The part of a state that tells who says what a clause does.
    pub(crate) fn part_of(&self, clause: &Clause) -> Part {
        parts::spoken(self.place_of(Speaks::of(&clause.kind)))
    }

    /// The table that tells which cards speak of this, and its place there.
    #[inline]
    pub(crate) fn table(&self, what: Speaks) -> (&BitTable, usize) {
        match what {
            Speaks::Stat(stat) => (&self.stats, stat.index()),
            Speaks::Permission(permission) => (&self.permissions, permission.index()),
            Speaks::Event(event) => (&self.events, event.index()),
            Speaks::Replaced(proc) => (&self.replaced, proc.index()),
            Speaks::Grants => (&self.grants, 0),
        }
    }
}

impl Catalogue {
    /// Build the derived tables. Call once after loading or compiling.
    pub fn build_index(&mut self) {
        self.index = Index { tables: Arc::new(self.tables()), ..Index::default() };
        self.build_rules(&Within::default());
    }

    /// What comes of the rules and of all clauses, abilities and programs that can come about.
    pub(super) fn build_rules(&mut self, within: &Within) {
        let mut index = Index {
            tables: self.index.tables.clone(),
            stat_rules: vec![Vec::new(); self.stats.len()],
            permission_rules: vec![Vec::new(); self.permissions.len()],
            event_rules: vec![Vec::new(); self.events.len()],
            ..Index::default()
        };
        for &id in self.rule_clauses.iter().filter(|id| within.has_clause(**id)) {
            match self.clauses[id.index()].kind {
                ClauseKind::Modify { stat, .. } => index.stat_rules[stat.index()].push(id),
                ClauseKind::Permit { permission, .. } => index.permission_rules[permission.index()].push(id),
                ClauseKind::Trigger { event, .. } => index.event_rules[event.index()].push(id),
                // Only cards replace and grant: the rules say what they mean at once.
                ClauseKind::Replace { .. } | ClauseKind::Grant { .. } => {}
            }
        }
        let mut spoken = BitSet::default();
        for (_, clause) in ClauseId::all(self.clauses.len()).zip(&self.clauses).filter(|(id, _)| within.has_clause(*id)) {
            match clause.kind {
                ClauseKind::Trigger { event, .. } => index.heard.insert(event.index()),
                ClauseKind::Modify { stat, .. } => spoken.insert(stat.index()),
                ClauseKind::Grant { .. } => index.grants_any = true,
                ClauseKind::Permit { .. } | ClauseKind::Replace { .. } => {}
            }
        }
        for (at, stat) in self.stats.iter().enumerate() {
            if stat.base.is_none() && index.stat_rules[at].is_empty() {
                index.printed_stats.insert(at);
                if !spoken.has(at) {
                    index.settled_stats.insert(at);
                }
            }
        }
        index.permission_rest = index.permission_rules.iter().map(|rules| self.permission_rest(rules)).collect();
        let usable = |actions: &Vec<AbilityId>| actions.iter().copied().filter(|id| within.has_ability(*id)).collect();
        index.usable_actions = index.window_actions.iter().map(usable).collect();
        for card in self.cards.iter().enumerate().filter(|(at, _)| within.has_card(*at)).map(|(_, card)| card) {
            card.abilities.iter().for_each(|&ability| index.acting_windows.join(self.ability(ability).windows.words()));
        }
        (index.kept, index.inlined) = self.sorts_of_functions(within);
        self.index = index;
        self.index.reads = self.reads(within);
        self.index.code = compile(self, within);
    }

    fn tables(&self) -> Tables {
        let mut tables = Tables {
            keys: self.cards.iter().zip(DefId::all(self.cards.len())).map(|(card, id)| (card.key.clone(), id)).collect(),
            window_actions: vec![Vec::new(); self.windows.len()],
            sizes: [self.stats.len(), self.permissions.len(), self.events.len()],
            depths: self.expr_depths(),
            widths: self.expr_widths(),
            periods: PeriodId::all(self.periods.len()).map(|period| self.ends(period)).collect(),
            ..Tables::default()
        };
        tables.clause_depths = self.clauses.iter().map(|clause| clause_depth(clause, &tables.depths)).collect();
        tables.call_depths = self.functions.iter().map(|function| tables.depths[function.body.index()]).collect();
        for (at, clause) in self.clauses.iter().enumerate() {
            if let ClauseKind::Modify { who: Some(test), .. } | ClauseKind::Permit { test: Some(test), .. } = clause.kind
                && self.is_of_itself(test)
            {
                tables.of_itself.insert(at);
            }
        }
        for (at, scope) in self.scopes.iter().enumerate() {
            if matches!(self.exprs[scope.subject.index()], Expr::Me | Expr::Local(LocalId::FIRST)) {
                tables.carrier_itself.insert(at);
            }
        }
        for &action in &self.actions {
            let windows = &self.ability(action).windows;
            tables.action_windows.join(windows.words());
            for (window, actions) in tables.window_actions.iter_mut().enumerate() {
                if windows.has(window) {
                    actions.push(action);
                }
            }
        }
        self.index_zones(&mut tables);
        self.index_cards(&mut tables);
        for (def, _) in self.cards.iter().enumerate().filter(|(_, card)| !card.abilities.is_empty()) {
            tables.able.insert(def);
        }
        for (id, ability) in self.abilities.iter().enumerate() {
            if ability.scope.is_none_or(|scope| self.scopes[scope.index()].player.is_none()) {
                tables.of_controller.insert(id);
            }
        }
        tables.spoken_by = self.cards.iter().map(|card| card.clauses.iter().map(|id| tables.part_of(self.clause(*id))).collect()).collect();
        for one in &self.enums {
            let mut members = BitSet::default();
            one.members.iter().for_each(|word| members.insert(word.index()));
            tables.enum_members.push(members);
        }
        for card in &self.cards {
            let member = |one: &EnumDef| card.words.iter().copied().find(|word| one.members.contains(word));
            tables.members.extend(self.enums.iter().map(member));
        }
        tables
    }

    fn ends(&self, period: PeriodId) -> Ends {
        let counters = PlayerCounterId::all(self.player_counters.len()).zip(&self.player_counters);
        let vars = VarId::all(self.vars.len()).zip(&self.vars);
        let start = |init: Option<ExprId>| match init.map(|init| (init, self.exprs[init.index()])) {
            None | Some((_, Expr::None)) => Start::Value(Value::None),
            Some((_, Expr::Num(number))) => Start::Value(Value::Num(number)),
            Some((_, Expr::Bool(value))) => Start::Value(Value::Bool(value)),
            Some((_, Expr::List(items))) if items.len == 0 => Start::Value(Value::list(Vec::new())),
            Some((init, _)) => Start::Expr(init),
        };
        Ends {
            counters: counters.filter(|(_, def)| def.period == Some(period)).map(|(id, def)| (id, def.floor)).collect(),
            vars: vars.filter(|(_, def)| def.period == Some(period)).map(|(id, def)| (id, start(def.init))).collect(),
            fields: self.fields.iter().any(|field| field.period == Some(period)),
        }
    }

    /// Whether a test holds of nothing but the card that asks: that is one of the tests which must all hold.
    fn is_of_itself(&self, test: ExprId) -> bool {
        match self.exprs[test.index()] {
            Expr::Bin(BinOp::And, a, b) => self.is_of_itself(a) || self.is_of_itself(b),
            Expr::Bin(BinOp::Eq, a, b) => matches!(
                (self.exprs[a.index()], self.exprs[b.index()]),
                (Expr::Local(LocalId::FIRST), Expr::Me) | (Expr::Me, Expr::Local(LocalId::FIRST))
            ),
            _ => false,
        }
    }

    fn index_zones(&self, index: &mut Tables) {
        for (at, zone) in ZoneId::all(self.zones.len()).zip(&self.zones) {
            let kind = zone.kind.index();
            if index.zone_of.len() <= kind {
                index.zone_of.resize(kind + 1, [ZoneId::default(); 2]);
            }
            for (player, of) in index.zone_of[kind].iter_mut().enumerate() {
                if zone.player.is_none_or(|owner| owner.index() == player) {
                    *of = at;
                }
            }
            if zone.live {
                index.live_zones.push(at);
            }
            if zone.acts {
                index.act_zones.push(at);
            }
        }
    }

    fn index_cards(&self, index: &mut Tables) {
        let sets = || vec![BitSet::default(); self.cards.len()];
        let (mut stats, mut permissions, mut events, mut windows, mut words) = (sets(), sets(), sets(), sets(), sets());
        let (mut replaced, mut grants) = (sets(), sets());
        for (at, card) in self.cards.iter().enumerate() {
            for &id in &card.clauses {
                match self.clause(id).kind {
                    ClauseKind::Modify { stat, .. } => stats[at].insert(stat.index()),
                    ClauseKind::Permit { permission, .. } => permissions[at].insert(permission.index()),
                    ClauseKind::Trigger { event, .. } => events[at].insert(event.index()),
                    ClauseKind::Replace { proc, .. } => replaced[at].insert(proc.index()),
                    ClauseKind::Grant { .. } => grants[at].insert(0),
                }
            }
            for &ability in &card.abilities {
                windows[at].join(self.ability(ability).windows.words());
            }
            card.words.iter().chain(&card.titles).for_each(|word| words[at].insert(word.index()));
        }
        [index.stats, index.permissions, index.events, index.windows, index.words, index.replaced, index.grants] =
            [stats, permissions, events, windows, words, replaced, grants].map(|rows| BitTable::new(&rows));
    }

    pub(super) fn permission_rest(&self, rules: &[ClauseId]) -> Option<bool> {
        let always = |test: Option<ExprId>| test.is_none_or(|test| self.exprs[test.index()] == Expr::Bool(true));
        let all = |id: &ClauseId| {
            let clause = self.clause(*id);
            matches!(clause.kind, ClauseKind::Permit { allow: false, test, .. } if always(test)) && always(clause.when)
        };
        let allows = |id: &ClauseId| matches!(self.clause(*id).kind, ClauseKind::Permit { allow: true, .. });
        match rules {
            [] => Some(true),
            rules if rules.iter().any(all) && !rules.iter().any(allows) => Some(false),
            _ => None,
        }
    }

    /// Levels of the expressions, from those of the expressions before them: parts come before the whole.
    fn expr_depths(&self) -> Vec<u16> {
        let mut depths: Vec<u16> = Vec::with_capacity(self.exprs.len());
        for at in ExprId::all(self.exprs.len()) {
            let mut inner = 0u16;
            self.parts(at, &mut |part| inner = inner.max(depths[part.index()]));
            // Going through a list takes more of the stack.
            let own = if matches!(self.exprs[at.index()], Expr::Quantify(..)) { 4 } else { 1 };
            depths.push(inner.saturating_add(own).min(MOST_LEVELS));
        }
        depths
    }

    fn expr_widths(&self) -> Vec<u16> {
        let mut widths: Vec<u16> = Vec::with_capacity(self.exprs.len());
        for at in ExprId::all(self.exprs.len()) {
            let mut width = 0;
            self.parts(at, &mut |part| width = width.max(widths[part.index()]));
            match self.exprs[at.index()] {
                Expr::Local(local) => width = (local.index() as u16).saturating_add(1),
                // What it binds itself is its own affair; what it speaks of besides comes before that.
                Expr::Quantify(_, _, local, _) if usize::from(width) == local.index() + 1 => width -= 1,
                _ => {}
            }
            widths.push(width);
        }
        widths
    }

    /// Functions whose answers are kept: they are closed (they use neither player, card nor registers of their caller, nor do those they
    /// call) and go through lists or have many parts. And small ones among the others, that stand in place of their calls.
    fn sorts_of_functions(&self, within: &Within) -> (Vec<bool>, Vec<bool>) {
        let count = self.functions.len();
        let (mut open, mut heavy) = (vec![false; count], vec![false; count]);
        let mut calls: Vec<Vec<FunctionId>> = vec![Vec::new(); count];
        let mut sizes = vec![0u32; count];
        // Each part is looked at once for a function, however often a (damaged) catalogue comes back to it.
        let mut seen_for = vec![usize::MAX; self.exprs.len()];
        for (at, function) in self.functions.iter().enumerate().filter(|(at, _)| within.has_function(*at)) {
            let mut todo = vec![function.body];
            while let Some(id) = todo.pop() {
                if std::mem::replace(&mut seen_for[id.index()], at) == at {
                    continue;
                }
                sizes[at] += 1;
                match self.exprs[id.index()] {
                    Expr::You | Expr::Me | Expr::Source | Expr::Register(_) | Expr::Moves(..) | Expr::Waiting(..) | Expr::WindowOver(_) => {
                        open[at] = true;
                    }
                    Expr::Quantify(..) | Expr::AllOn(_) | Expr::Attached(..) => heavy[at] = true,
                    Expr::Call(callee, _) => calls[at].push(callee),
                    _ => {}
                }
                self.parts(id, &mut |part| todo.push(part));
            }
        }
        until_settled(|| {
            let opened: Vec<usize> = (0..count).filter(|&at| !open[at] && calls[at].iter().any(|callee| open[callee.index()])).collect();
            opened.iter().for_each(|&at| open[at] = true);
            !opened.is_empty()
        });
        // What calls a function whose answers are kept has less to do.
        let own = sizes.clone();
        for _ in 0..4 {
            for at in 0..count {
                let within = calls[at].iter().filter(|callee| !heavy[callee.index()] || open[callee.index()]);
                sizes[at] = within.fold(own[at], |sum, callee| sum.saturating_add(sizes[callee.index()]).min(1000));
                heavy[at] |= sizes[at] >= WORTH_KEEPING;
            }
        }
        until_settled(|| {
            let busy = |callee: &FunctionId| heavy[callee.index()] && open[callee.index()];
            let more: Vec<usize> = (0..count).filter(|&at| !heavy[at] && calls[at].iter().any(busy)).collect();
            more.iter().for_each(|&at| heavy[at] = true);
            !more.is_empty()
        });
        let kept: Vec<bool> = (0..count).map(|at| heavy[at] && !open[at]).collect();
        let mut inlined = vec![false; count];
        let mut sizes = own;
        until_settled(|| {
            let mut changed = false;
            for at in (0..count).filter(|&at| !kept[at]) {
                // Those that it calls come first: so none ends up in itself.
                let settled = |callee: &FunctionId| inlined[callee.index()] || kept[callee.index()] || sizes[callee.index()] > IN_PLACE;
                if inlined[at] || !calls[at].iter().all(settled) {
                    continue;
                }
                let within = calls[at].iter().filter(|callee| inlined[callee.index()]);
                let size = within.fold(sizes[at], |sum, callee| sum.saturating_add(sizes[callee.index()]));
                if size <= IN_PLACE {
                    (sizes[at], inlined[at], changed) = (size, true, true);
                }
            }
            changed
        });
        (kept, inlined)
    }
}

/// Again and again, until nothing changes any more.
fn until_settled(mut changes: impl FnMut() -> bool) {
    while changes() {}
}

fn clause_depth(clause: &Clause, depths: &[u16]) -> u16 {
    let inner = match clause.kind {
        ClauseKind::Modify { who, by, .. } => [who, Some(by), clause.when],
        ClauseKind::Permit { test, .. } | ClauseKind::Trigger { test, .. } | ClauseKind::Replace { test, .. } => [test, clause.when, None],
        ClauseKind::Grant { who, .. } => [Some(who), clause.when, None],
    };
    let depths = inner.into_iter().flatten().map(|id| depths.get(id.index()).copied().unwrap_or(1));
    depths.max().unwrap_or(1)
}
