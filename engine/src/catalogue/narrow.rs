//! A game among certain cards. Most rules are for cards that are not there: who plays with two decks need not ask for a word that no card
//! in them carries, a role that nothing lays a card in, or a field that nothing writes. Every answer is the same as in the whole game.
//!
//! What can come about grows from nothing: what is told apart by what cannot be is folded to what it must come to, programs that can run
//! then are gone through, and what they write, lay and tell is possible from there on, until nothing is added.

use super::{Ability, Args, BinOp, Catalogue, ClauseKind, Expr, FieldSort, Op, Prop, Quantifier};
use crate::bits::BitSet;
use crate::ids::*;
use std::sync::Arc;

/// All that can come about, and the expressions of the whole game. The whole game has no bounds.
#[derive(Default)]
pub(crate) struct Within(Option<(Possible, Arc<Vec<Expr>>)>);

/// What can come about among certain cards.
#[derive(Clone, PartialEq, Default)]
struct Possible {
    cards: BitSet,
    words: BitSet,
    names: BitSet,
    /// What programs do that can run: write a field or variable, lay a card in a role, tell an event, start a lasting effect.
    fields: BitSet,
    vars: BitSet,
    roles: BitSet,
    events: BitSet,
    lasting: BitSet,
    /// What can be so: clauses that can hold, abilities that can be used, programs that can run, functions that can be asked.
    clauses: BitSet,
    abilities: BitSet,
    procs: BitSet,
    functions: BitSet,
}

impl Within {
    fn has(&self, of: impl Fn(&Possible) -> &BitSet, at: usize) -> bool {
        self.0.as_ref().is_none_or(|(possible, _)| of(possible).has(at))
    }
    /// An expression as it stands in the whole game.
    pub(crate) fn whole(&self, catalogue: &Catalogue, expr: ExprId) -> Expr {
        self.0.as_ref().map_or(&catalogue.exprs, |(_, whole)| whole)[expr.index()]
    }
    pub(crate) fn is_narrow(&self) -> bool {
        self.0.is_some()
    }
    pub(crate) fn has_card(&self, at: usize) -> bool {
        self.has(|possible| &possible.cards, at)
    }
    pub(crate) fn has_clause(&self, id: ClauseId) -> bool {
        self.has(|possible| &possible.clauses, id.index())
    }
    pub(crate) fn has_ability(&self, id: AbilityId) -> bool {
        self.has(|possible| &possible.abilities, id.index())
    }
    pub(crate) fn has_proc(&self, at: usize) -> bool {
        self.has(|possible| &possible.procs, at)
    }
    pub(crate) fn has_function(&self, at: usize) -> bool {
        self.has(|possible| &possible.functions, at)
    }
}

impl Catalogue {
    /// The same game among these cards and no others: a table laid with it must have none but these. It is quicker to play, and takes
    /// some milliseconds to make.
    pub fn among(self: &Arc<Self>, cards: impl IntoIterator<Item = DefId>) -> Catalogue {
        let mut possible = Possible::default();
        for card in cards {
            let def = self.def(card);
            possible.cards.insert(card.index());
            def.words.iter().chain(&def.titles).for_each(|word| possible.words.insert(word.index()));
            def.name.iter().for_each(|word| possible.names.insert(word.index()));
        }
        let among = Some((possible.cards.clone(), self.clone()));
        let relevant = self.relevant(&possible.cards);
        let mut folding = Folding { catalogue: self, exprs: self.exprs.to_vec(), constant: Vec::new(), possible };
        loop {
            folding.fold(&relevant);
            let found = folding.reached();
            if found == folding.possible {
                break;
            }
            folding.possible = found;
        }
        let Folding { exprs, possible, .. } = folding;
        let mut narrow = Catalogue { contents: self.contents.clone(), exprs: Arc::new(exprs), index: self.index.without_rules(), among };
        narrow.build_rules(&Within(Some((possible, self.exprs.clone()))));
        // What is walked after all, and what instructions find at hand, is as it stands in the whole game.
        narrow.exprs = self.exprs.clone();
        narrow
    }

    /// All expressions that the rules and these cards have to do with, in order.
    fn relevant(&self, cards: &BitSet) -> Vec<ExprId> {
        let mut reach = Reach::of(self, &self.exprs);
        let present = || cards.iter().map(|card| &self.cards[card]);
        self.rule_clauses.iter().chain(present().flat_map(|card| &card.clauses)).for_each(|&id| reach.clause(id));
        self.actions.iter().chain(present().flat_map(|card| &card.abilities)).for_each(|&id| reach.ability(id));
        reach.rules();
        reach.proc(self.main);
        reach.finish();
        let mut exprs = reach.exprs;
        exprs.sort_unstable();
        exprs
    }
}

/// An empty list.
const NOTHING: Expr = Expr::List(Args { start: 0, len: 0 });

/// Expressions folded to what they must come to, given what is possible.
struct Folding<'c> {
    catalogue: &'c Catalogue,
    exprs: Vec<Expr>,
    /// The functions that come to the same whatever they are asked for.
    constant: Vec<Option<Expr>>,
    possible: Possible,
}

impl Folding<'_> {
    fn at(&self, expr: ExprId) -> Expr {
        self.exprs[expr.index()]
    }
    fn constant(&self, expr: ExprId) -> Option<Expr> {
        let expr = self.at(expr);
        match expr {
            Expr::None | Expr::Num(_) | Expr::Bool(_) | Expr::Word(_) | Expr::Player(_) | Expr::Zone(_) => Some(expr),
            _ => (expr == NOTHING).then_some(expr),
        }
    }
    /// How a test must come out.
    fn truth(&self, expr: ExprId) -> Option<bool> {
        Some(match self.constant(expr)? {
            Expr::None => false,
            Expr::Bool(value) => value,
            Expr::Num(number) => number != 0,
            _ => true,
        })
    }
    fn is_never(&self, test: Option<ExprId>) -> bool {
        test.is_some_and(|test| self.truth(test) == Some(false))
    }
    fn is_empty(&self, list: ExprId) -> bool {
        match self.at(list) {
            Expr::None => true,
            Expr::Field(field, _) => {
                self.catalogue.fields[field.index()].sort == FieldSort::List && !self.possible.fields.has(field.index())
            }
            list => list == NOTHING,
        }
    }

    /// Whether a clause can ever hold.
    fn can_hold(&self, id: ClauseId) -> bool {
        let clause = self.catalogue.clause(id);
        let test = match clause.kind {
            ClauseKind::Trigger { event, .. } if !self.possible.events.has(event.index()) => return false,
            ClauseKind::Modify { who, .. } => who,
            ClauseKind::Permit { test, .. } | ClauseKind::Replace { test, .. } | ClauseKind::Trigger { test, .. } => test,
            ClauseKind::Grant { who, .. } => Some(who),
        };
        !self.is_never(test) && !self.is_never(clause.when)
    }
    /// Whether an ability can ever be used.
    fn can_be_used(&self, ability: &Ability) -> bool {
        !ability.requires.iter().any(|require| self.is_never(Some(require.test)))
            && !ability.from.is_some_and(|from| self.is_empty(from))
            && !ability.to.as_ref().is_some_and(|to| self.is_empty(to.list))
    }

    /// Fold all of these from how they stand, given what is possible, until no function comes to less.
    fn fold(&mut self, relevant: &[ExprId]) {
        for id in relevant {
            self.exprs[id.index()] = self.catalogue.exprs[id.index()];
        }
        self.constant = vec![None; self.catalogue.functions.len()];
        loop {
            let said = self.permissions();
            for &id in relevant {
                self.exprs[id.index()] = self.folded(self.catalogue.exprs[id.index()], &said);
            }
            let constant: Vec<_> = self.catalogue.functions.iter().map(|function| self.constant(function.body)).collect();
            if constant == self.constant {
                return;
            }
            self.constant = constant;
        }
    }

    /// For each permission what holds whatever is asked about, where nothing but the rules can speak of it.
    fn permissions(&self) -> Vec<Option<bool>> {
        let catalogue = self.catalogue;
        let mut spoken = vec![false; catalogue.permissions.len()];
        let cards = self.possible.cards.iter().flat_map(|card| &catalogue.cards[card].clauses).copied();
        for id in cards.chain(self.possible.lasting.iter().filter_map(|id| ClauseId::new(id).ok())) {
            if let ClauseKind::Permit { permission, .. } = catalogue.clause(id).kind
                && self.can_hold(id)
            {
                spoken[permission.index()] = true;
            }
        }
        let mut rules: Vec<Vec<ClauseId>> = vec![Vec::new(); catalogue.permissions.len()];
        for &id in &catalogue.rule_clauses {
            if let ClauseKind::Permit { permission, .. } = catalogue.clause(id).kind
                && self.can_hold(id)
            {
                rules[permission.index()].push(id);
            }
        }
        let rest = |(rules, spoken): (&Vec<ClauseId>, bool)| if spoken { None } else { self.rest(rules) };
        rules.iter().zip(spoken).map(rest).collect()
    }

    /// What rules say of a permission, where it is the same for all: nothing, or that all of it is forbidden.
    fn rest(&self, rules: &[ClauseId]) -> Option<bool> {
        let always = |test: Option<ExprId>| test.is_none_or(|test| self.truth(test) == Some(true));
        let forbids_all = |id: &ClauseId| {
            let clause = self.catalogue.clause(*id);
            matches!(clause.kind, ClauseKind::Permit { allow: false, test, .. } if always(test)) && always(clause.when)
        };
        match rules {
            [] => Some(true),
            rules => rules.iter().any(forbids_all).then_some(false),
        }
    }

    /// One expression, its parts being folded: as it is, or what it must come to.
    fn folded(&self, expr: Expr, said: &[Option<bool>]) -> Expr {
        let Possible { words, names, fields, vars, roles, .. } = &self.possible;
        let is_none = |of: ExprId| self.at(of) == Expr::None;
        match expr {
            Expr::Is(of, word) if !words.has(word.index()) || is_none(of) => Expr::Bool(false),
            Expr::Carries(_, word) if matches!(self.at(word), Expr::Word(word) if !words.has(word.index())) => Expr::Bool(false),
            Expr::HasRole(of, role) if !roles.has(role.index()) || is_none(of) => Expr::Bool(false),
            Expr::Truth(field, of) if !fields.has(field.index()) || is_none(of) => Expr::Bool(false),
            Expr::Attached(role, of) if !roles.has(role.index()) || is_none(of) => NOTHING,
            Expr::AllOn(of) if is_none(of) => NOTHING,
            Expr::Field(field, _) if !fields.has(field.index()) && self.catalogue.fields[field.index()].sort == FieldSort::Value => {
                Expr::None
            }
            Expr::Field(_, of) | Expr::Number(_, of) | Expr::Enum(_, of) | Expr::Fact(_, of) | Expr::Members(_, of) if is_none(of) => {
                Expr::None
            }
            Expr::Prop(Prop::Size, list) if self.at(list) == NOTHING => Expr::Num(0),
            Expr::Prop(Prop::First | Prop::Last, list) if self.at(list) == NOTHING => Expr::None,
            Expr::Prop(Prop::Distinct, list) if self.at(list) == NOTHING => NOTHING,
            Expr::Prop(_, of) if is_none(of) => Expr::None,
            Expr::Var(var) if !vars.has(var.index()) => match self.catalogue.vars[var.index()].init {
                None => Expr::None,
                Some(init) => self.constant(init).unwrap_or(expr),
            },
            Expr::May(permission, _) => said[permission.index()].map_or(expr, Expr::Bool),
            Expr::Call(function, _) => self.constant[function.index()].unwrap_or(expr),
            Expr::Not(a) => self.truth(a).map_or(expr, |value| Expr::Bool(!value)),
            Expr::If(test, a, b) => self.truth(test).map_or(expr, |value| self.at(if value { a } else { b })),
            Expr::Bin(op @ (BinOp::And | BinOp::Or), a, b) => {
                let decides = op == BinOp::Or;
                match (self.truth(a), self.truth(b)) {
                    (Some(value), _) | (_, Some(value)) if value == decides => Expr::Bool(decides),
                    (Some(_), Some(_)) => Expr::Bool(!decides),
                    _ => expr,
                }
            }
            Expr::Bin(op @ (BinOp::Eq | BinOp::Ne), a, b) => {
                let same = match (self.at(a), self.at(b)) {
                    (Expr::Enum(..), Expr::Word(word)) if !words.has(word.index()) => Some(false),
                    (Expr::Prop(Prop::Name, _), Expr::Word(word)) if !names.has(word.index()) => Some(false),
                    (x, y) if self.constant(a).is_some() && self.constant(b).is_some() => Some(x == y),
                    _ => None,
                };
                same.map_or(expr, |same| Expr::Bool(same == (op == BinOp::Eq)))
            }
            Expr::Bin(op @ (BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge), a, b) => self.compared(expr, op, a, b),
            Expr::Bin(BinOp::In, _, list) if self.is_empty(list) => Expr::Bool(false),
            Expr::Bin(BinOp::Join, a, b) if self.at(b) == NOTHING && self.is_list(a) => self.at(a),
            Expr::Bin(BinOp::Join, a, b) if self.at(a) == NOTHING && self.is_list(b) => self.at(b),
            Expr::Bin(BinOp::Without, a, _) if self.at(a) == NOTHING => NOTHING,
            Expr::Quantify(which, list, _, args) => {
                let test = self.truth(self.catalogue.slice(args)[0]);
                let none = self.is_empty(list) || test == Some(false);
                match which {
                    Quantifier::All if self.is_empty(list) || test == Some(true) => Expr::Bool(true),
                    Quantifier::Any if none => Expr::Bool(false),
                    Quantifier::Count | Quantifier::Sum if none => Expr::Num(0),
                    Quantifier::Where | Quantifier::Each if none => NOTHING,
                    Quantifier::First | Quantifier::Highest | Quantifier::Lowest if none => Expr::None,
                    _ => expr,
                }
            }
            _ => expr,
        }
    }

    /// A comparison that cannot hold; a field that nothing writes is at its floor, and what has no field compares with nothing.
    fn compared(&self, expr: Expr, op: BinOp, a: ExprId, b: ExprId) -> Expr {
        let number = |of: ExprId| match self.at(of) {
            Expr::Number(field, _) if !self.possible.fields.has(field.index()) => Some(self.catalogue.fields[field.index()].floor()),
            Expr::Num(number) => Some(number),
            _ => None,
        };
        let holds = match (number(a), number(b)) {
            (Some(a), Some(b)) => match op {
                BinOp::Lt => a < b,
                BinOp::Le => a <= b,
                BinOp::Gt => a > b,
                _ => a >= b,
            },
            _ => self.at(a) != Expr::None && self.at(b) != Expr::None,
        };
        if holds { expr } else { Expr::Bool(false) }
    }

    /// Whether an expression is a list by its form.
    fn is_list(&self, expr: ExprId) -> bool {
        matches!(
            self.at(expr),
            Expr::List(_)
                | Expr::Attached(..)
                | Expr::AllOn(_)
                | Expr::Quantify(Quantifier::Where | Quantifier::Each, ..)
                | Expr::Bin(BinOp::Join | BinOp::Without, ..)
        )
    }

    /// What is possible then: what programs do that can run.
    fn reached(&self) -> Possible {
        let catalogue = self.catalogue;
        let mut reach = Reach { possible: self.possible.clone(), ..Reach::of(catalogue, &self.exprs) };
        let present = || self.possible.cards.iter().map(|card| &catalogue.cards[card]);
        let lasting = self.possible.lasting.iter().filter_map(|id| ClauseId::new(id).ok());
        let clauses = catalogue.rule_clauses.iter().chain(present().flat_map(|card| &card.clauses)).copied().chain(lasting);
        clauses.filter(|id| self.can_hold(*id)).for_each(|id| reach.clause(id));
        let abilities = catalogue.actions.iter().chain(present().flat_map(|card| &card.abilities));
        abilities.filter(|id| self.can_be_used(catalogue.ability(**id))).for_each(|&id| reach.ability(id));
        reach.rules();
        reach.proc(catalogue.main);
        reach.finish();
        reach.possible
    }
}

/// What can be reached from the rules and from cards, through programs and expressions as they stand or as they are folded.
struct Reach<'c> {
    catalogue: &'c Catalogue,
    folded: &'c [Expr],
    possible: Possible,
    exprs: Vec<ExprId>,
    seen: BitSet,
    procs: Vec<ProcId>,
    run: BitSet,
}

impl<'c> Reach<'c> {
    fn of(catalogue: &'c Catalogue, folded: &'c [Expr]) -> Reach<'c> {
        let (possible, exprs, seen, procs, run) = Default::default();
        Reach { catalogue, folded, possible, exprs, seen, procs, run }
    }

    fn expr(&mut self, expr: ExprId) {
        let mut todo = vec![expr];
        while let Some(expr) = todo.pop() {
            if self.seen.has(expr.index()) {
                continue;
            }
            self.seen.insert(expr.index());
            self.exprs.push(expr);
            let whole = self.folded[expr.index()];
            if let Expr::Call(function, _) = whole {
                self.possible.functions.insert(function.index());
                todo.push(self.catalogue.functions[function.index()].body);
            }
            self.catalogue.parts_of(whole, &mut |part| todo.push(part));
        }
    }
    /// Values, scopes and windows.
    fn rules(&mut self) {
        let catalogue = self.catalogue;
        catalogue.stats.iter().filter_map(|stat| stat.base).for_each(|base| self.expr(base));
        catalogue.vars.iter().filter_map(|var| var.init).for_each(|init| self.expr(init));
        catalogue.windows.iter().filter_map(|window| window.until).for_each(|until| self.expr(until));
        for scope in &catalogue.scopes {
            [Some(scope.test), Some(scope.subject), scope.player].into_iter().flatten().for_each(|expr| self.expr(expr));
        }
    }
    fn clause(&mut self, id: ClauseId) {
        let clause = self.catalogue.clause(id);
        self.possible.clauses.insert(id.index());
        clause.exprs().for_each(|expr| self.expr(expr));
        match clause.kind {
            ClauseKind::Trigger { program, .. } | ClauseKind::Replace { program, .. } => self.proc(program),
            ClauseKind::Grant { first, count, .. } => {
                let given = first.index()..first.index() + count as usize;
                given.filter_map(|at| AbilityId::new(at).ok()).for_each(|ability| self.ability(ability));
            }
            ClauseKind::Modify { .. } | ClauseKind::Permit { .. } => {}
        }
    }
    fn ability(&mut self, id: AbilityId) {
        let ability = self.catalogue.ability(id);
        self.possible.abilities.insert(id.index());
        ability.exprs().for_each(|expr| self.expr(expr));
        self.proc(ability.program);
        ability.effect.into_iter().for_each(|effect| self.proc(effect));
    }
    fn proc(&mut self, proc: ProcId) {
        if !self.run.has(proc.index()) {
            self.run.insert(proc.index());
            self.procs.push(proc);
        }
    }

    /// Go through all programs that were reached.
    fn finish(&mut self) {
        while let Some(proc) = self.procs.pop() {
            self.possible.procs.insert(proc.index());
            let start = self.catalogue.procs[proc.index()].start as usize;
            let (mut seen, mut todo) = (BitSet::default(), vec![0]);
            while let Some(at) = todo.pop() {
                if let Some(op) = self.catalogue.ops.get(start + at).filter(|_| !seen.has(at)) {
                    seen.insert(at);
                    op.exprs(self.catalogue, &mut |expr| self.expr(expr));
                    self.instruction(op, at, &mut todo);
                }
            }
        }
    }

    /// What an instruction makes possible, and where it goes on.
    fn instruction(&mut self, op: &Op, at: usize, next: &mut Vec<usize>) {
        let possible = &mut self.possible;
        match *op {
            Op::Jump(to) => return next.push(to as usize),
            Op::JumpUnless(test, to) => {
                match self.folded[test.index()] {
                    Expr::Bool(false) | Expr::None | Expr::Num(0) => next.push(to as usize),
                    Expr::Bool(true) => next.push(at + 1),
                    _ => next.extend([to as usize, at + 1]),
                }
                return;
            }
            Op::Return(_) | Op::Win(_) => return,
            Op::Next(_, _, _, exit) | Op::Replace(_, _, _, exit) => next.push(exit as usize),
            Op::Call(callee, ..) => self.proc(callee),
            Op::SetVar(var, _) | Op::Bind(var, _) => possible.vars.insert(var.index()),
            Op::SetPlayerVar(first, ..) => [0, 1].into_iter().for_each(|player| possible.vars.insert(first.index() + player)),
            Op::Count { counter: field, .. } | Op::Remember { field, .. } => possible.fields.insert(field.index()),
            Op::Attach { role, .. } => possible.roles.insert(role.index()),
            Op::Emit { event, .. } => possible.events.insert(event.index()),
            Op::Lasting { clause, .. } => {
                possible.lasting.insert(clause.index());
                self.clause(clause);
            }
            _ => {}
        }
        next.push(at + 1);
    }
}
