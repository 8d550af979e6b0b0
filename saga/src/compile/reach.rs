//! Abilities that can never work where their card comes to lie: in none of its zones could their scope hold.
//!
//! A scope is tried for one card in one zone. What depends on the state of a game is not known, and counts as possible; so an ability
//! that is refused can certainly never work, and one that is not may still be wrong. In a zone that is not `live` a clause works only
//! where it can speak of its own card.

use super::Compiler;
use super::cards::Gathered;
use super::names::Holder;
use crate::ast::{Ability as Written, Name};
use crate::diagnostics::Span;
use crate::types::Ty;
use trilogy_engine::WordId;
use trilogy_engine::catalogue::*;

/// What is known of a value, of one card in one zone.
#[derive(Clone, Copy, PartialEq)]
enum Known {
    /// The card itself.
    Card,
    Nothing,
    Truth(bool),
    Word(WordId),
    /// A zone of a kind, of whichever player.
    Zone(ZoneKindId),
    Unknown,
}

impl Known {
    fn truth(self) -> Option<bool> {
        if let Known::Truth(truth) = self { Some(truth) } else { None }
    }
    fn of(truth: Option<bool>) -> Known {
        truth.map_or(Known::Unknown, Known::Truth)
    }
}

/// Functions that call each other deeper than this say nothing.
const MAX_DEPTH: u32 = 40;

struct Trial<'a> {
    catalogue: &'a Catalogue,
    words: &'a [WordId],
    zone: ZoneKindId,
    /// What `self` is.
    me: Known,
}

impl Trial<'_> {
    /// The same for what speaks in a scope: there `self` may be another card.
    fn speaking(self, scope: &ScopeDef) -> Self {
        Trial { me: self.known(scope.subject, &[Known::Card], 0), ..self }
    }

    fn may_hold(&self, test: ExprId) -> bool {
        self.may_hold_of(test, 0)
    }

    /// Whether a test could hold of the card, as the local at a place.
    fn may_hold_of(&self, test: ExprId, place: usize) -> bool {
        let mut locals = vec![Known::Unknown; place];
        locals.push(Known::Card);
        self.known(test, &locals, 0) != Known::Truth(false)
    }

    fn known(&self, id: ExprId, locals: &[Known], depth: u32) -> Known {
        if depth > MAX_DEPTH {
            return Known::Unknown;
        }
        let of = |id: ExprId| self.known(id, locals, depth + 1);
        match self.catalogue.exprs[id.index()] {
            Expr::None => Known::Nothing,
            Expr::Me => self.me,
            Expr::Bool(truth) => Known::Truth(truth),
            Expr::Word(word) => Known::Word(word),
            Expr::Local(at) => locals.get(at.index()).copied().unwrap_or(Known::Unknown),
            Expr::Zone(zone) => Known::Zone(self.catalogue.zones[zone.index()].kind),
            Expr::ZoneOf(kind, _) => Known::Zone(kind),
            Expr::Prop(prop, card) if of(card) == Known::Card => self.property(prop),
            Expr::HasRole(card, _) if of(card) == Known::Card && !self.on_a_card() => Known::Truth(false),
            Expr::Is(card, word) if of(card) == Known::Card && self.is_fixed(word) => Known::Truth(self.words.contains(&word)),
            Expr::Enum(which, card) if of(card) == Known::Card => {
                let member = self.words.iter().find(|word| self.catalogue.enums[which.index()].members.contains(word));
                member.map_or(Known::Nothing, |word| Known::Word(*word))
            }
            Expr::Not(test) => Known::of(of(test).truth().map(|truth| !truth)),
            // What decides alone, `false` for and, `true` for or, spares the rest.
            Expr::Bin(op @ (BinOp::And | BinOp::Or), a, b) => {
                let decides = Known::Truth(op == BinOp::Or);
                match of(a) {
                    a if a == decides => decides,
                    a => match of(b) {
                        b if b == decides => decides,
                        b if a == b => b,
                        _ => Known::Unknown,
                    },
                }
            }
            Expr::Bin(BinOp::Eq, a, b) => Known::of(self.same(of(a), of(b))),
            Expr::Bin(BinOp::Ne, a, b) => Known::of(self.same(of(a), of(b)).map(|same| !same)),
            Expr::If(test, a, b) => match of(test).truth() {
                Some(true) => of(a),
                Some(false) => of(b),
                None => {
                    let (a, b) = (of(a), of(b));
                    if a == b && !matches!(a, Known::Zone(_)) { a } else { Known::Unknown }
                }
            },
            Expr::Call(function, args) => {
                let args = &self.catalogue.args[args.start as usize..(args.start + args.len) as usize];
                let args: Vec<Known> = args.iter().map(|&arg| of(arg)).collect();
                // Nothing is known of what it is asked about, so nothing will be of the answer.
                if args.iter().all(|arg| *arg == Known::Unknown) {
                    return Known::Unknown;
                }
                self.known(self.catalogue.functions[function.index()].body, &args, depth + 1)
            }
            _ => Known::Unknown,
        }
    }

    fn property(&self, prop: Prop) -> Known {
        match prop {
            Prop::Zone => Known::Zone(self.zone),
            Prop::Parent if !self.on_a_card() => Known::Nothing,
            _ => Known::Unknown,
        }
    }

    fn on_a_card(&self) -> bool {
        self.zone == ZoneKindId::FIRST
    }

    /// Whether a card has a word for good: the members of enumerations, such as types.
    fn is_fixed(&self, word: WordId) -> bool {
        self.catalogue.enums.iter().any(|one| one.members.contains(&word))
    }

    fn same(&self, a: Known, b: Known) -> Option<bool> {
        match (a, b) {
            (Known::Unknown, _) | (_, Known::Unknown) => None,
            // One player's is not the other's.
            (Known::Zone(a), Known::Zone(b)) if a == b => {
                self.catalogue.zones.iter().any(|zone| zone.kind == a && zone.player.is_none()).then_some(true)
            }
            (a, b) => Some(a == b),
        }
    }
}

impl Compiler {
    pub(super) fn define_lies(&mut self, words: &[Name], zones: &[Name]) {
        let zones: Vec<ZoneKindId> = zones.iter().filter_map(|zone| Some(self.lookup("zone", zone, |names| &names.zones)?.0)).collect();
        for word in words {
            if let Some(word) = self.lookup("word", word, |names| &names.words) {
                self.names.lies.entry(word).or_default().extend(&zones);
            }
        }
    }

    /// An ability that can never work where the card comes to lie. `before` is how much the card had gathered before it.
    pub(super) fn refuse_idle(&mut self, ability: &Written, card: &Gathered, before: (usize, usize)) {
        let idle_clause = card.clauses[before.0..].iter().map(|id| &self.out.clauses[id.index()]).find_map(|clause| {
            let scope = clause.scope.filter(|&scope| !self.could_work(clause, scope, &card.words))?;
            Some((scope, "work"))
        });
        let idle_ability = || {
            let scopes = card.abilities[before.1..].iter().filter_map(|id| self.out.abilities[id.index()].scope);
            let never = |&scope: &ScopeId| !self.could_hold(scope, &card.words, |zone| zone.acts);
            scopes.into_iter().find(never).map(|scope| (scope, "be used"))
        };
        if let Some((scope, how)) = idle_clause.or_else(idle_ability) {
            let scope = &self.out.scopes[scope.index()].name;
            self.fail(place(ability), format!("this can never {how}: the scope `{scope}` cannot hold where such a card lies"));
        }
    }

    fn could_work(&self, clause: &Clause, scope: ScopeId, words: &[WordId]) -> bool {
        if self.could_hold(scope, words, |zone| zone.live) {
            return true;
        }
        let (test, places) = self.of_itself(&clause.kind);
        self.could_hold(scope, words, |zone| {
            let trial = self.trial(words, zone).speaking(&self.out.scopes[scope.index()]);
            !zone.live && places.iter().any(|&place| test.is_none_or(|test| trial.may_hold_of(test, place)))
        })
    }

    /// Whether a scope could hold in a zone that passes a test, of those in which such a card comes to lie.
    fn could_hold(&self, scope: ScopeId, words: &[WordId], here: impl Fn(&ZoneDef) -> bool) -> bool {
        let lies: Vec<&Vec<ZoneKindId>> = words.iter().filter_map(|word| self.names.lies.get(word)).collect();
        // Piles, which let no ability work or be used, are no part of what `lies` tells.
        let comes = |zone: &&ZoneDef| {
            let told = zone.live || zone.acts;
            !told || lies.is_empty() || lies.iter().any(|of| of.contains(&zone.kind))
        };
        let test = self.out.scopes[scope.index()].test;
        let holds = |zone: &ZoneDef| self.trial(words, zone).may_hold(test);
        self.out.zones.iter().filter(comes).any(|zone| here(zone) && holds(zone))
    }

    fn trial<'a>(&'a self, words: &'a [WordId], zone: &ZoneDef) -> Trial<'a> {
        Trial { catalogue: &self.out, words, zone: zone.kind, me: Known::Card }
    }

    /// The test of a clause, and at which places among its locals the card itself can stand.
    fn of_itself(&self, kind: &ClauseKind) -> (Option<ExprId>, Vec<usize>) {
        let cards = |params: Option<&Vec<(String, Ty)>>| -> Vec<usize> {
            let params = params.into_iter().flatten().enumerate();
            params.filter(|(_, (_, ty))| *ty == Ty::Card).map(|(at, _)| at).collect()
        };
        match *kind {
            ClauseKind::Modify { stat, who, .. } => {
                let of_cards = self.names.stats.values().any(|(id, holder)| *id == stat && *holder == Holder::Card);
                (who, if of_cards { vec![0] } else { Vec::new() })
            }
            ClauseKind::Permit { permission, test, .. } => {
                (test, cards(self.names.permissions.values().find(|known| known.id == permission).map(|known| &known.params)))
            }
            ClauseKind::Trigger { event, test, .. } => {
                (test, cards(self.names.events.values().find(|(id, _)| *id == event).map(|(_, params)| params)))
            }
            ClauseKind::Replace { proc, test, .. } => {
                (test, cards(self.names.procs.values().find(|known| known.id == proc).map(|known| &known.params)))
            }
            ClauseKind::Grant { .. } => (None, Vec::new()),
        }
    }
}

/// Where an ability stands.
pub(super) fn place(ability: &Written) -> Span {
    match ability {
        Written::Use(ability) => ability.span,
        Written::Clause(clause) => clause.span,
        Written::Template { span, .. } => *span,
        Written::In { scope, .. } => scope.span,
        Written::Says { text, .. } => text.span,
        Written::TreatAs(words) => words.first().map_or_else(Span::default, |word| word.span),
    }
}
