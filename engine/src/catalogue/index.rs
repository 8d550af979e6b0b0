//! Tables derived from the rest of a catalogue, so that the machine finds what it looks for at a glance.

use super::{Catalogue, Clause, ClauseKind, EnumDef, Expr, Reads};
use crate::bits::{BitSet, BitTable};
use crate::ids::*;

/// Tables derived from the rest of a catalogue when it is loaded.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Index {
    pub stat_rules: Vec<Vec<ClauseId>>,
    pub permission_rules: Vec<Vec<ClauseId>>,
    /// What the rules alone say of each permission, where they need not look: nothing is said, or all of it is forbidden.
    pub permission_rest: Vec<Option<bool>>,
    /// The zone of each kind for each player.
    pub zone_of: Vec<[ZoneId; 2]>,
    pub event_rules: Vec<Vec<ClauseId>>,
    pub window_actions: Vec<Vec<AbilityId>>,
    /// The windows that actions of the rules are for.
    pub action_windows: BitSet,
    /// Events that anything in this game listens to.
    pub heard: BitSet,
    pub live_zones: Vec<ZoneId>,
    pub act_zones: Vec<ZoneId>,
    /// The values, permissions, events and windows that the abilities of each card speak of, and its words.
    pub stats: BitTable,
    pub permissions: BitTable,
    pub events: BitTable,
    pub windows: BitTable,
    pub words: BitTable,
    /// The programs that each card does something instead of, and whether it gives abilities to others.
    pub replaced: BitTable,
    pub grants: BitTable,
    /// Whether a card has any clause.
    pub speaks: Vec<bool>,
    /// The member of each enumeration that each card carries, card by card.
    pub members: Vec<Option<WordId>>,
    /// How many levels each expression has, and the deepest one of each clause.
    pub depths: Vec<u16>,
    pub clause_depths: Vec<u16>,
    /// Functions whose answers depend on nothing but the state and their arguments, and take some work.
    pub kept: Vec<bool>,
    /// The parts of a state that questions read.
    pub reads: Reads,
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
const WORTH_KEEPING: u32 = 24;

impl Index {
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
        let mut index = Index {
            stat_rules: vec![Vec::new(); self.stats.len()],
            permission_rules: vec![Vec::new(); self.permissions.len()],
            event_rules: vec![Vec::new(); self.events.len()],
            window_actions: vec![Vec::new(); self.windows.len()],
            ..Index::default()
        };
        for at in ExprId::all(self.exprs.len()) {
            let depth = self.expr_depth(&index.depths, at);
            index.depths.push(depth);
        }
        index.clause_depths = self.clauses.iter().map(|clause| clause_depth(clause, &index.depths)).collect();
        index.kept = self.kept_functions();
        index.reads = self.reads();
        for &id in &self.rule_clauses {
            match self.clauses[id.index()].kind {
                ClauseKind::Modify { stat, .. } => index.stat_rules[stat.index()].push(id),
                ClauseKind::Permit { permission, .. } => index.permission_rules[permission.index()].push(id),
                ClauseKind::Trigger { event, .. } => index.event_rules[event.index()].push(id),
                // Only cards replace and grant: the rules say what they mean at once.
                ClauseKind::Replace { .. } | ClauseKind::Grant { .. } => {}
            }
        }
        index.permission_rest = index.permission_rules.iter().map(|rules| self.permission_rest(rules)).collect();
        for clause in &self.clauses {
            if let ClauseKind::Trigger { event, .. } = clause.kind {
                index.heard.insert(event.index());
            }
        }
        for &action in &self.actions {
            let windows = &self.ability(action).windows;
            index.action_windows.join(windows.words());
            for (window, actions) in index.window_actions.iter_mut().enumerate() {
                if windows.has(window) {
                    actions.push(action);
                }
            }
        }
        self.index_zones(&mut index);
        self.index_cards(&mut index);
        for card in &self.cards {
            let member = |one: &EnumDef| card.words.iter().copied().find(|word| one.members.contains(word));
            index.members.extend(self.enums.iter().map(member));
        }
        self.index = index;
    }

    fn index_zones(&self, index: &mut Index) {
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

    fn index_cards(&self, index: &mut Index) {
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
        index.speaks = self.cards.iter().map(|card| !card.clauses.is_empty()).collect();
        [index.stats, index.permissions, index.events, index.windows, index.words, index.replaced, index.grants] =
            [stats, permissions, events, windows, words, replaced, grants].map(|rows| BitTable::new(&rows));
    }

    fn permission_rest(&self, rules: &[ClauseId]) -> Option<bool> {
        let all = |id: &ClauseId| {
            let clause = self.clause(*id);
            matches!(clause.kind, ClauseKind::Permit { allow: false, test: None, .. }) && clause.when.is_none()
        };
        let allows = |id: &ClauseId| matches!(self.clause(*id).kind, ClauseKind::Permit { allow: true, .. });
        match rules {
            [] => Some(true),
            rules if rules.iter().any(all) && !rules.iter().any(allows) => Some(false),
            _ => None,
        }
    }

    /// Levels of an expression, from those of the expressions before it: parts come before the whole.
    fn expr_depth(&self, depths: &[u16], at: ExprId) -> u16 {
        let mut inner = 0u16;
        self.parts(at, &mut |part| inner = inner.max(depths.get(part.index()).copied().unwrap_or(0)));
        // Going through a list takes more of the stack.
        let own = if matches!(self.exprs[at.index()], Expr::Quantify(..)) { 4 } else { 1 };
        inner.saturating_add(own).min(400)
    }

    /// Functions that are closed (they use neither player, card nor registers of their caller, nor do those they call)
    /// and go through lists, ask for values or have many parts.
    fn kept_functions(&self) -> Vec<bool> {
        let count = self.functions.len();
        let (mut open, mut heavy) = (vec![false; count], vec![false; count]);
        let mut calls: Vec<Vec<FunctionId>> = vec![Vec::new(); count];
        let mut size = vec![0u32; count];
        for (at, function) in self.functions.iter().enumerate() {
            let mut todo = vec![function.body];
            while let Some(id) = todo.pop() {
                size[at] += 1;
                match self.exprs.get(id.index()) {
                    Some(
                        Expr::You | Expr::Me | Expr::Source | Expr::Register(_) | Expr::Moves(..) | Expr::Waiting(..) | Expr::WindowOver(_),
                    ) => open[at] = true,
                    Some(Expr::Quantify(..) | Expr::AllOn(_) | Expr::Attached(..) | Expr::Stat(..) | Expr::StatFor(..) | Expr::May(..)) => {
                        heavy[at] = true;
                    }
                    Some(Expr::Call(callee, _)) => calls[at].push(*callee),
                    Some(_) => {}
                    None => continue,
                }
                self.parts(id, &mut |part| todo.push(part));
            }
        }
        // A test of many parts is worth keeping, too, with what it calls.
        let own = size.clone();
        for _ in 0..4 {
            for at in 0..count {
                size[at] = calls[at].iter().fold(own[at], |sum, &callee| sum.saturating_add(size[callee.index()]).min(1000));
                heavy[at] |= size[at] >= WORTH_KEEPING;
            }
        }
        // What a function calls makes it open or heavy in its turn, until nothing changes any more.
        let mut changed = true;
        while changed {
            changed = false;
            for at in 0..count {
                for &callee in &calls[at] {
                    let (is_open, is_heavy) = (open[callee.index()], heavy[callee.index()]);
                    changed |= (is_open && !open[at]) || (is_heavy && !heavy[at]);
                    open[at] |= is_open;
                    heavy[at] |= is_heavy;
                }
            }
        }
        (0..count).map(|at| heavy[at] && !open[at]).collect()
    }
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
