//! What reads what: the parts of a state that each question looks at, worked out from the programs.

use super::{BinOp, Catalogue, Clause, ClauseKind, Expr, ExprId, Prop, VarId};
use crate::parts::{self, Parts};

/// For each function, value, permission and scope the parts of a state that it reads, itself or through others.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Reads {
    pub functions: Vec<Parts>,
    pub stats: Vec<Parts>,
    pub permissions: Vec<Parts>,
    pub scopes: Vec<Parts>,
}

/// Something whose answers may be kept, and what others ask for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Asked {
    Function(usize),
    Stat(usize),
    Permission(usize),
    Scope(usize),
}

/// What was found of one of these: what it reads itself, and what it asks for.
struct Found {
    of: Asked,
    reads: Parts,
    asks: Vec<Asked>,
}

impl Reads {
    fn of(&mut self, what: Asked) -> &mut Parts {
        match what {
            Asked::Function(at) => &mut self.functions[at],
            Asked::Stat(at) => &mut self.stats[at],
            Asked::Permission(at) => &mut self.permissions[at],
            Asked::Scope(at) => &mut self.scopes[at],
        }
    }
}

/// Goes through expressions, and through each part once.
struct Search<'c> {
    catalogue: &'c Catalogue,
    /// For which of the searches each expression was seen last.
    seen: Vec<u32>,
    search: u32,
    grants: bool,
}

impl Search<'_> {
    fn of(&mut self, of: Asked, exprs: impl IntoIterator<Item = ExprId>) -> Found {
        let catalogue = self.catalogue;
        self.search += 1;
        let mut found = Found { of, reads: Parts::NONE, asks: Vec::new() };
        let mut todo: Vec<ExprId> = exprs.into_iter().collect();
        while let Some(id) = todo.pop() {
            if std::mem::replace(&mut self.seen[id.index()], self.search) == self.search {
                continue;
            }
            let expr = catalogue.exprs[id.index()];
            if let Some((card, zone)) = catalogue.lies_in_play(expr) {
                found.reads |= parts::PLACES;
                catalogue.parts(zone, &mut |part| todo.push(part));
                todo.push(card);
                continue;
            }
            match expr {
                Expr::Stat(at, _) | Expr::StatFor(at, ..) => found.asks.push(Asked::Stat(at.index())),
                Expr::May(at, _) => found.asks.push(Asked::Permission(at.index())),
                Expr::Call(at, _) => found.asks.push(Asked::Function(at.index())),
                _ => found.reads |= catalogue.own_reads(expr, self.grants),
            }
            catalogue.parts(id, &mut |part| todo.push(part));
        }
        found
    }
}

impl Catalogue {
    /// The card and the zone of a question whether a card is in a zone of cards that do something: what moves among the other zones
    /// is never there.
    fn lies_in_play(&self, expr: Expr) -> Option<(ExprId, ExprId)> {
        let Expr::Bin(BinOp::Eq | BinOp::Ne, asked, zone) = expr else { return None };
        let Expr::Prop(Prop::Zone, card) = self.exprs[asked.index()] else { return None };
        (self.zone_reads(zone) == parts::PLACES).then_some((card, zone))
    }

    /// What an expression reads besides what its parts do and what it asks for.
    fn own_reads(&self, expr: Expr, grants: bool) -> Parts {
        match expr {
            Expr::Var(at) => parts::var(at),
            Expr::Number(at, _) | Expr::Truth(at, _) | Expr::Field(at, _) => parts::field(at),
            Expr::PlayerVar(first, _) => parts::var(first) | VarId::new(first.index() + 1).map_or(Parts::ALL, parts::var),
            Expr::PlayerCounter(..) => parts::PLAYERS,
            Expr::Fact(..) | Expr::Enum(..) | Expr::Members(..) | Expr::Brings(..) | Expr::Prop(Prop::Name, _) => parts::FACES,
            Expr::Is(..) | Expr::Carries(..) | Expr::Words(_) | Expr::Mentions(..) => parts::FACES,
            // Who has an ability from another card is a question of that card's own.
            Expr::ActsIn(..) | Expr::AnythingActsIn(_) if grants => Parts::ALL,
            Expr::ActsIn(..) => parts::FACES,
            Expr::HasRole(..) | Expr::Attached(..) | Expr::AllOn(_) => parts::PLACES,
            Expr::Prop(Prop::Parent | Prop::Role | Prop::Root | Prop::Position, _) => parts::PLACES,
            Expr::Prop(Prop::Cards | Prop::Size, zone) => self.zone_reads(zone),
            Expr::Prop(Prop::Owner, _) => parts::PLACES | parts::FACES,
            Expr::Prop(Prop::Controller | Prop::Facedown, _) => parts::PLACES | parts::FACES,
            Expr::Prop(Prop::Zone, _) => parts::PLACES | parts::PILES,
            Expr::Moves(..) | Expr::Waiting(..) | Expr::WindowOver(_) | Expr::ChangesInPlay | Expr::Native(..) => Parts::ALL,
            Expr::AnythingActsIn(_) => parts::PLACES | parts::PILES | parts::FACES,
            _ => Parts::NONE,
        }
    }

    /// What a list of the cards of a zone reads; the size of a list of something else reads nothing by itself.
    fn zone_reads(&self, zone: ExprId) -> Parts {
        let of = |live: bool| if live { parts::PLACES } else { parts::PILES };
        match self.exprs.get(zone.index()) {
            Some(&Expr::Zone(at)) => self.zones.get(at.index()).map_or(Parts::ALL, |zone| of(zone.live)),
            Some(&Expr::ZoneOf(kind, _)) => self.zones.iter().find(|zone| zone.kind == kind).map_or(Parts::ALL, |zone| of(zone.live)),
            _ => parts::PLACES | parts::PILES,
        }
    }

    /// What a clause of a value or a permission speaks of, and where.
    fn clause_parts(&self, clause: &Clause) -> Option<(Asked, [Option<ExprId>; 3])> {
        match clause.kind {
            ClauseKind::Modify { stat, who, by, .. } => Some((Asked::Stat(stat.index()), [who, Some(by), clause.when])),
            ClauseKind::Permit { permission, test, .. } => Some((Asked::Permission(permission.index()), [test, clause.when, None])),
            ClauseKind::Trigger { .. } | ClauseKind::Replace { .. } | ClauseKind::Grant { .. } => None,
        }
    }

    /// Grows from nothing until nothing is added: what is asked of others is read, too.
    pub(super) fn reads(&self) -> Reads {
        // Which cards have clauses depends on where they are, and lasting effects have clauses, too.
        let spoken = parts::PLACES | parts::EFFECTS | parts::FACES;
        let mut known = Reads {
            functions: vec![Parts::NONE; self.functions.len()],
            stats: vec![spoken; self.stats.len()],
            permissions: vec![spoken; self.permissions.len()],
            scopes: vec![parts::PLACES; self.scopes.len()],
        };
        let mut search = Search { catalogue: self, seen: vec![0; self.exprs.len()], search: 0, grants: self.grants() };
        let mut found: Vec<Found> = Vec::new();
        for (at, function) in self.functions.iter().enumerate() {
            found.push(search.of(Asked::Function(at), [function.body]));
        }
        for (at, stat) in self.stats.iter().enumerate() {
            found.extend(stat.base.map(|base| search.of(Asked::Stat(at), [base])));
        }
        for (at, scope) in self.scopes.iter().enumerate() {
            found.push(search.of(Asked::Scope(at), [Some(scope.test), Some(scope.subject), scope.player].into_iter().flatten()));
        }
        for clause in &self.clauses {
            let Some((of, exprs)) = self.clause_parts(clause) else { continue };
            let mut one = search.of(of, exprs.into_iter().flatten());
            one.asks.extend(clause.scope.map(|scope| Asked::Scope(scope.index())));
            found.push(one);
        }
        loop {
            let mut changed = false;
            for one in &found {
                let reads = one.asks.iter().fold(one.reads, |reads, &asked| reads | *known.of(asked));
                let of = known.of(one.of);
                changed |= *of | reads != *of;
                *of |= reads;
            }
            if !changed {
                return known;
            }
        }
    }
}
