//! Whole questions as one piece of code: what actions allow, what abilities require, what rules forbid.

use super::{Compiler, Shelf};
use crate::catalogue::{Ability, ClauseKind, Expr};
use crate::eval::STEP;
use crate::eval::cells::Cell;
use crate::eval::code::{FREE, ME, Piece, Reg, Step, To};
use crate::ids::*;

/// The code of what each action of the rules allows: one list of its cards, the first and the second of each move.
pub(super) fn legal_moves(shelf: &mut Shelf<'_>) {
    let catalogue = shelf.catalogue;
    let of_caller = catalogue.functions_of_caller();
    shelf.code.legal = vec![Piece::NONE; catalogue.abilities.len()];
    let can = |ability: &Ability| {
        // Uses are counted elsewhere; and the card that is gone through lies where the one that asks would.
        let asks = ability.from.is_some_and(|from| catalogue.speaks_of(from, &|expr| of_me(&expr, &of_caller)));
        ability.limit.is_none() && !asks
    };
    for &action in catalogue.actions.iter().filter(|action| shelf.within.has_ability(**action)) {
        let ability = catalogue.ability(action);
        if can(ability) {
            let mut compiler = Compiler::new(shelf, 0);
            compiler.legal(&[(action, ability)], None, &of_caller);
            shelf.code.legal[action.index()] = compiler.finish(&[]).map_or(Piece::NONE, |(piece, _)| piece);
        }
    }
    for actions in &catalogue.index.usable_actions {
        let actions: Vec<(AbilityId, &Ability)> = actions.iter().map(|&id| (id, catalogue.ability(id))).collect();
        let mut piece = Piece::NONE;
        if actions.iter().all(|(_, ability)| can(ability)) {
            let mut compiler = Compiler::new(shelf, 0);
            let which = compiler.fresh();
            compiler.legal(&actions, Some(which), &of_caller);
            piece = compiler.finish(&[]).map_or(Piece::NONE, |(piece, _)| piece);
        }
        shelf.code.legal_in.push(piece);
    }
}

/// Whether an expression asks for the card that asks, itself or through a function.
fn of_me(expr: &Expr, of_caller: &[bool]) -> bool {
    match expr {
        Expr::Me => true,
        Expr::Call(function, _) => of_caller[function.index()],
        _ => false,
    }
}

impl Compiler<'_, '_> {
    /// What actions allow, one after the other: the first and the second card of each move, and which action it is where that is told.
    fn legal(&mut self, actions: &[(AbilityId, &Ability)], which: Option<Reg>, of_caller: &[bool]) {
        // Nothing is ever put into the second place, and at first nothing into that of the card that asks.
        let (list, nothing, own) = (self.fresh(), self.fresh(), self.next);
        self.emit(Step::NewList(list));
        // Tests that were made for the action before, and where one of them goes on where it does not hold.
        let mut made: Vec<(ExprId, To)> = Vec::new();
        for (at, (id, ability)) in actions.iter().enumerate() {
            self.next = own;
            if actions[..at].iter().any(|(_, before)| before.from.is_some()) {
                self.put(ME, Cell::NONE);
            }
            let (first, then) = self.in_turn(ability, of_caller);
            self.allowed((*id, ability), (first, then), [list, nothing], which, &mut made);
        }
        made.into_iter().for_each(|(_, otherwise)| self.here(otherwise));
        self.emit(Step::Return(list));
    }

    /// What an action requires: what is the same for all cards, and what is asked of each. Of the first what is quickly seen comes first.
    fn in_turn(&self, ability: &Ability, of_caller: &[bool]) -> (Vec<ExprId>, Vec<ExprId>) {
        let of_card = |expr: Expr| matches!(expr, Expr::Local(_)) || of_me(&expr, of_caller);
        let tests = ability.requires.iter().map(|require| require.test);
        let (then, mut first): (Vec<_>, Vec<_>) = tests.partition(|&test| self.catalogue.speaks_of(test, &of_card));
        first.sort_by_key(|&test| !self.catalogue.is_slight(test));
        (first, then)
    }

    fn allowed(
        &mut self,
        (id, ability): (AbilityId, &Ability),
        (first, then): (Vec<ExprId>, Vec<ExprId>),
        [list, nothing]: [Reg; 2],
        which: Option<Reg>,
        made: &mut Vec<(ExprId, To)>,
    ) {
        self.locals = vec![Some(ME)];
        if ability.to.is_some() {
            self.locals.push(Some(nothing));
        }
        // Actions that stand together often have the same first test: it is made once for them.
        let mut first = first.into_iter().peekable();
        match (first.peek().copied(), made.first().copied()) {
            (Some(test), Some((before, _))) if self.catalogue.is_same(test, before) => {
                first.next();
            }
            (test, _) => {
                made.drain(..).for_each(|(_, otherwise)| self.here(otherwise));
                if let Some(test) = test {
                    let otherwise = self.label();
                    self.require(test, otherwise);
                    made.push((test, otherwise));
                    first.next();
                }
            }
        }
        if let Some(which) = which {
            self.put(which, Cell::num(id.index() as i32));
        }
        let end = self.label();
        first.for_each(|test| self.require(test, end));
        let push = |this: &mut Compiler<'_, '_>, target: Reg| {
            which.into_iter().for_each(|which| this.emit(Step::Push(list, which)));
            this.emit(Step::PushTwo(list, ME, target));
        };
        let each = |this: &mut Compiler<'_, '_>, next: To| {
            then.iter().for_each(|&test| this.require(test, next));
            match &ability.to {
                Some(to) => {
                    let target = this.fresh();
                    this.at_depth_of(to.list, |this| this.each(to.list, target, &mut |this, _| push(this, target)));
                    this.next = target;
                }
                None => push(this, nothing),
            }
        };
        match ability.from {
            Some(from) => self.at_depth_of(from, |this| this.each(from, ME, &mut |this, next| this.outside(|this| each(this, next)))),
            None => each(self, end),
        }
        self.here(end);
    }

    fn require(&mut self, test: ExprId, otherwise: To) {
        self.at_depth_of(test, |this| this.branch(test, false, otherwise));
    }

    /// Code that is as deep as if the expression were asked for by itself.
    fn at_depth_of<T>(&mut self, expr: ExprId, then: impl FnOnce(&mut Self) -> T) -> T {
        let deeper = STEP + self.catalogue.index.depths[expr.index()];
        self.deepest = self.deepest.max(deeper);
        let before = std::mem::replace(&mut self.deeper, deeper);
        let result = then(self);
        self.deeper = before;
        result
    }
    pub(super) fn outside<T>(&mut self, then: impl FnOnce(&mut Self) -> T) -> T {
        let before = std::mem::take(&mut self.deeper);
        let result = then(self);
        self.deeper = before;
        result
    }
}

/// The code of all that each ability of a card requires, one after the other.
pub(super) fn usable(shelf: &mut Shelf<'_>) {
    let catalogue = shelf.catalogue;
    shelf.code.usable = vec![Piece::NONE; catalogue.abilities.len()];
    for (id, ability) in AbilityId::all(catalogue.abilities.len()).zip(&catalogue.abilities) {
        // Those of actions stand in the code of what they allow.
        if !shelf.within.has_ability(id) || shelf.code.legal[id.index()] != Piece::NONE {
            continue;
        }
        let mut compiler = Compiler::new(shelf, 1 + usize::from(ability.to.is_some()));
        let no = compiler.label();
        ability.requires.iter().for_each(|require| compiler.require(require.test, no));
        compiler.emit(Step::Decide(true));
        compiler.here(no);
        compiler.emit(Step::Decide(false));
        shelf.code.usable[id.index()] = compiler.finish(&[]).map_or(Piece::NONE, |(piece, _)| piece);
    }
}

/// The code of what the rules forbid: whether any of their clauses on a permission does.
pub(super) fn forbidden(shelf: &mut Shelf<'_>) {
    let catalogue = shelf.catalogue;
    let forbids = |id: &&ClauseId| matches!(catalogue.clause(**id).kind, ClauseKind::Permit { allow: false, .. });
    let rules = |permission: usize| catalogue.index.permission_rules[permission].iter().filter(forbids);
    shelf.code.forbidden = (0..catalogue.permissions.len())
        .map(|permission| {
            let params = catalogue.permissions[permission].params as usize;
            if params >= FREE {
                return Piece::NONE;
            }
            let mut compiler = Compiler::new(shelf, params);
            for &id in rules(permission) {
                let clause = catalogue.clause(id);
                let ClauseKind::Permit { test, .. } = clause.kind else { continue };
                let other = compiler.label();
                compiler.deeper = catalogue.index.clause_depths[id.index()];
                compiler.deepest = compiler.deepest.max(compiler.deeper);
                test.into_iter().chain(clause.when).for_each(|test| compiler.branch(test, false, other));
                compiler.emit(Step::Decide(true));
                compiler.here(other);
            }
            compiler.emit(Step::Decide(false));
            compiler.finish(&[]).map_or(Piece::NONE, |(piece, _)| piece)
        })
        .collect();
}
