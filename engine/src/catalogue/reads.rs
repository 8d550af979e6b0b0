//! What reads what: the parts of a state that each question looks at, worked out from the programs.

use super::{BinOp, Catalogue, Clause, ClauseKind, Expr, ExprId, Prop, VarId};
use crate::memo::{self, Parts};

/// For each function, value, permission and scope the parts of a state that it reads, itself or through others.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Reads {
    pub functions: Vec<Parts>,
    pub stats: Vec<Parts>,
    pub permissions: Vec<Parts>,
    pub scopes: Vec<Parts>,
}

impl Catalogue {
    /// The parts of a state that an expression reads, as far as is known so far of what it asks others.
    fn expr_reads(&self, id: ExprId, known: &Reads) -> Parts {
        let mut parts = 0;
        let mut todo = vec![id];
        while let Some(id) = todo.pop() {
            let Some(&expr) = self.exprs.get(id.index()) else { continue };
            // Whether a card is in a zone of cards that do something: what moves among the other zones is never there.
            if let Expr::Bin(BinOp::Eq | BinOp::Ne, asked, zone) = expr
                && let Some(&Expr::Prop(Prop::Zone, card)) = self.exprs.get(asked.index())
                && self.zone_reads(zone) == memo::PLACES
            {
                parts |= memo::PLACES;
                self.parts(zone, &mut |part| todo.push(part));
                todo.push(card);
                continue;
            }
            let of = |list: &Vec<Parts>, at: usize| list.get(at).copied().unwrap_or(Parts::MAX);
            parts |= match expr {
                Expr::Var(at) => memo::var(at),
                Expr::Number(at, _) | Expr::Truth(at, _) | Expr::Field(at, _) => memo::field(at),
                Expr::PlayerVar(first, _) => memo::var(first) | VarId::new(first.index() + 1).map_or(Parts::MAX, memo::var),
                Expr::PlayerCounter(..) => memo::PLAYERS,
                Expr::Fact(..) | Expr::Enum(..) | Expr::Members(..) | Expr::Brings(..) | Expr::Prop(Prop::Name, _) => memo::FACES,
                Expr::Is(..) | Expr::Carries(..) | Expr::Words(_) | Expr::Mentions(..) => memo::FACES,
                // Who has an ability from another card is a question of that card's own.
                Expr::ActsIn(..) | Expr::AnythingActsIn(_) if self.grants() => Parts::MAX,
                Expr::ActsIn(..) => memo::FACES,
                Expr::HasRole(..) | Expr::Attached(..) | Expr::AllOn(_) => memo::PLACES,
                Expr::Prop(Prop::Parent | Prop::Role | Prop::Root | Prop::Position, _) => memo::PLACES,
                Expr::Prop(Prop::Cards | Prop::Size, zone) => self.zone_reads(zone),
                Expr::Prop(Prop::Owner, _) => memo::PLACES | memo::FACES,
                Expr::Prop(Prop::Controller | Prop::Facedown, _) => memo::PLACES | memo::FACES,
                Expr::Prop(Prop::Zone, _) => memo::PLACES | memo::PILES,
                Expr::Stat(at, _) | Expr::StatFor(at, ..) => of(&known.stats, at.index()),
                Expr::May(at, _) => of(&known.permissions, at.index()),
                Expr::Call(at, _) => of(&known.functions, at.index()),
                Expr::Moves(..) | Expr::Waiting(..) | Expr::WindowOver(_) | Expr::ChangesInPlay | Expr::Native(..) => Parts::MAX,
                Expr::AnythingActsIn(_) => memo::PLACES | memo::PILES | memo::FACES,
                _ => 0,
            };
            self.parts(id, &mut |part| todo.push(part));
        }
        parts
    }

    /// What a list of the cards of a zone reads; the size of a list of something else reads nothing by itself.
    fn zone_reads(&self, zone: ExprId) -> Parts {
        let of = |live: bool| if live { memo::PLACES } else { memo::PILES };
        match self.exprs.get(zone.index()) {
            Some(&Expr::Zone(at)) => self.zones.get(at.index()).map_or(Parts::MAX, |zone| of(zone.live)),
            Some(&Expr::ZoneOf(kind, _)) => self.zones.iter().find(|zone| zone.kind == kind).map_or(Parts::MAX, |zone| of(zone.live)),
            _ => memo::PLACES | memo::PILES,
        }
    }

    /// What a clause reads, its scope with it.
    fn clause_reads(&self, clause: &Clause, known: &Reads) -> Parts {
        let inner = match clause.kind {
            ClauseKind::Modify { who, by, .. } => [who, Some(by), clause.when],
            ClauseKind::Permit { test, .. } => [test, clause.when, None],
            ClauseKind::Trigger { .. } | ClauseKind::Replace { .. } | ClauseKind::Grant { .. } => return 0,
        };
        let scope = clause.scope.map_or(0, |scope| known.scopes.get(scope.index()).copied().unwrap_or(Parts::MAX));
        inner.into_iter().flatten().fold(scope, |parts, id| parts | self.expr_reads(id, known))
    }

    /// Grows from nothing until nothing is added: what is asked of others is read, too.
    pub(super) fn reads(&self) -> Reads {
        let mut known = Reads {
            functions: vec![0; self.functions.len()],
            // Which cards have clauses depends on where they are, and lasting effects have clauses, too.
            stats: vec![memo::PLACES | memo::EFFECTS | memo::FACES; self.stats.len()],
            permissions: vec![memo::PLACES | memo::EFFECTS | memo::FACES; self.permissions.len()],
            scopes: vec![memo::PLACES; self.scopes.len()],
        };
        loop {
            let mut next = known.clone();
            for (parts, function) in next.functions.iter_mut().zip(&self.functions) {
                *parts |= self.expr_reads(function.body, &known);
            }
            for (parts, stat) in next.stats.iter_mut().zip(&self.stats) {
                *parts |= stat.base.map_or(0, |base| self.expr_reads(base, &known));
            }
            for (parts, scope) in next.scopes.iter_mut().zip(&self.scopes) {
                let inner = [Some(scope.test), Some(scope.subject), scope.player];
                *parts |= inner.into_iter().flatten().fold(0, |parts, id| parts | self.expr_reads(id, &known));
            }
            for clause in &self.clauses {
                match clause.kind {
                    ClauseKind::Modify { stat, .. } => next.stats[stat.index()] |= self.clause_reads(clause, &known),
                    ClauseKind::Permit { permission, .. } => next.permissions[permission.index()] |= self.clause_reads(clause, &known),
                    ClauseKind::Trigger { .. } | ClauseKind::Replace { .. } | ClauseKind::Grant { .. } => {}
                }
            }
            if next == known {
                return known;
            }
            known = next;
        }
    }
}
