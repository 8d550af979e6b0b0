//! Abilities that can never work where their card comes to lie: in none of its zones could their scope hold.
//!
//! A scope is tried for one card in one zone. What depends on the state of a game is not known, and counts as possible; so an ability
//! that is refused can certainly never work, and one that is not may still be wrong.

use super::Compiler;
use super::cards::Gathered;
use crate::ast::{Ability as Written, Name};
use crate::diagnostics::Span;
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
}

impl Trial<'_> {
    fn may_hold(&self, test: ExprId) -> bool {
        self.known(test, &[Known::Card], 0) != Known::Truth(false)
    }

    fn known(&self, id: ExprId, locals: &[Known], depth: u32) -> Known {
        if depth > MAX_DEPTH {
            return Known::Unknown;
        }
        let of = |id: ExprId| self.known(id, locals, depth + 1);
        match self.catalogue.exprs[id.index()] {
            Expr::None => Known::Nothing,
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
        let clauses = card.clauses[before.0..].iter().map(|clause| (self.out.clauses[clause.index()].scope, false));
        let abilities = card.abilities[before.1..].iter().map(|ability| (self.out.abilities[ability.index()].scope, true));
        let never = clauses.chain(abilities).find(|(scope, acts)| scope.is_some_and(|scope| !self.could_work(scope, &card.words, *acts)));
        if let Some((Some(scope), acts)) = never {
            let scope = &self.out.scopes[scope.index()].name;
            let how = if acts { "be used" } else { "work" };
            self.fail(place(ability), format!("this can never {how}: the scope `{scope}` cannot hold where such a card lies"));
        }
    }

    fn could_work(&self, scope: ScopeId, words: &[WordId], acts: bool) -> bool {
        let test = self.out.scopes[scope.index()].test;
        let lies: Vec<&Vec<ZoneKindId>> = words.iter().filter_map(|word| self.names.lies.get(word)).collect();
        let here = |zone: &&ZoneDef| if acts { zone.acts } else { zone.live };
        let mut zones = self.out.zones.iter().filter(here).filter(|zone| lies.is_empty() || lies.iter().any(|of| of.contains(&zone.kind)));
        zones.any(|zone| Trial { catalogue: &self.out, words, zone: zone.kind }.may_hold(test))
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
