//! What reads what: the parts of a state that each question looks at, worked out from the programs.

use super::narrow::Within;
use super::{BinOp, Catalogue, Clause, ClauseKind, Expr, Prop, Speaks, ZoneDef};
use crate::ids::*;
use crate::parts::{self, Part, Parts, Read};
use crate::state::ATTACHED;

/// For each function, value and scope what it reads of a state, itself or through others.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Reads {
    pub(crate) functions: Vec<Read>,
    pub(crate) stats: Vec<Read>,
    pub(crate) scopes: Vec<Read>,
}

/// The same while it is worked out, and for permissions as well.
#[derive(Default)]
struct Known {
    functions: Vec<Parts>,
    stats: Vec<Parts>,
    permissions: Vec<Parts>,
    scopes: Vec<Parts>,
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

impl Known {
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
            if let Some((card, zone)) = catalogue.lies_in(expr) {
                found.reads |= catalogue.zone_reads(zone);
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
    /// The card and the zone of a question whether a card is in a zone that is named: what moves among the others is never there.
    fn lies_in(&self, expr: Expr) -> Option<(ExprId, ExprId)> {
        let Expr::Bin(BinOp::Eq | BinOp::Ne, asked, zone) = expr else { return None };
        let Expr::Prop(Prop::Zone, card) = self.exprs[asked.index()] else { return None };
        matches!(self.exprs[zone.index()], Expr::Zone(_) | Expr::ZoneOf(..)).then_some((card, zone))
    }

    /// What an expression reads besides what its parts do and what it asks for.
    fn own_reads(&self, expr: Expr, grants: bool) -> Parts {
        let both = |a: Part, b: Part| Parts::from_iter([a, b]);
        match expr {
            Expr::Var(at) => parts::var(at).into(),
            Expr::Number(at, _) | Expr::Truth(at, _) | Expr::Field(at, _) => parts::field(at).into(),
            Expr::PlayerVar(first, _) => {
                VarId::new(first.index() + 1).map_or(Parts::ALL, |second| both(parts::var(first), parts::var(second)))
            }
            Expr::PlayerCounter(..) => parts::PLAYERS.into(),
            Expr::Fact(..) | Expr::Enum(..) | Expr::Members(..) | Expr::Brings(..) | Expr::Prop(Prop::Name, _) => parts::FACES.into(),
            Expr::Is(..) | Expr::Carries(..) | Expr::Words(_) | Expr::Mentions(..) => parts::FACES.into(),
            // Who has an ability from another card is a question of that card's own.
            Expr::ActsIn(..) | Expr::AnythingActsIn(_) if grants => Parts::ALL,
            Expr::ActsIn(..) => parts::FACES.into(),
            Expr::AnythingActsIn(_) => self.zones_that(|zone| zone.acts) | parts::FACES.into(),
            Expr::HasRole(..) | Expr::Attached(..) | Expr::AllOn(_) | Expr::Prop(Prop::Parent | Prop::Role | Prop::Root, _) => {
                parts::zone(ATTACHED).into()
            }
            Expr::Prop(Prop::Position, _) => self.zones_that(ZoneDef::is_row),
            Expr::Prop(Prop::Cards | Prop::Size, zone) => self.zone_reads(zone),
            Expr::Prop(Prop::Owner | Prop::Controller, _) => both(parts::HOLDERS, parts::FACES),
            Expr::Prop(Prop::Facedown, _) => both(parts::FACING, parts::FACES),
            Expr::Prop(Prop::Zone, _) => self.zones_that(|_| true),
            Expr::Moves(..) | Expr::Waiting(..) | Expr::WindowOver(_) | Expr::ChangesInPlay | Expr::Native(..) => Parts::ALL,
            _ => Parts::NONE,
        }
    }

    fn zones_that(&self, such: impl Fn(&ZoneDef) -> bool) -> Parts {
        ZoneId::all(self.zones.len()).zip(&self.zones).filter(|(_, zone)| such(zone)).map(|(at, _)| parts::zone(at)).collect()
    }

    /// What a list of the cards of a zone reads; the size of a list of something else reads nothing by itself.
    fn zone_reads(&self, zone: ExprId) -> Parts {
        match self.exprs.get(zone.index()) {
            Some(&Expr::Zone(at)) => parts::zone(at).into(),
            Some(&Expr::ZoneOf(kind, _)) => self.zones_that(|zone| zone.kind == kind),
            _ => self.zones_that(|_| true),
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
    pub(super) fn reads(&self, within: &Within) -> Reads {
        // Who speaks of it, for whom, and which card is asked about.
        let spoken = |what: Speaks| Parts::from_iter([parts::spoken(self.index.place_of(what)), parts::HOLDERS, parts::FACES]);
        let mut known = Known {
            functions: vec![Parts::NONE; self.functions.len()],
            stats: StatId::all(self.stats.len()).map(|stat| spoken(Speaks::Stat(stat))).collect(),
            permissions: PermissionId::all(self.permissions.len()).map(|permission| spoken(Speaks::Permission(permission))).collect(),
            scopes: vec![parts::HOLDERS.into(); self.scopes.len()],
        };
        let mut search = Search { catalogue: self, seen: vec![0; self.exprs.len()], search: 0, grants: self.index.grants_any };
        let mut found: Vec<Found> = Vec::new();
        for (at, function) in self.functions.iter().enumerate().filter(|(at, _)| within.has_function(*at)) {
            found.push(search.of(Asked::Function(at), [function.body]));
        }
        for (at, stat) in self.stats.iter().enumerate() {
            found.extend(stat.base.map(|base| search.of(Asked::Stat(at), [base])));
        }
        for (at, scope) in self.scopes.iter().enumerate() {
            found.push(search.of(Asked::Scope(at), [Some(scope.test), Some(scope.subject), scope.player].into_iter().flatten()));
        }
        for (_, clause) in ClauseId::all(self.clauses.len()).zip(&self.clauses).filter(|(id, _)| within.has_clause(*id)) {
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
                let read = |all: Vec<Parts>| all.into_iter().map(Read::from).collect();
                return Reads { functions: read(known.functions), stats: read(known.stats), scopes: read(known.scopes) };
            }
        }
    }
}
