//! Conditions on what a sentence names: "when a Jedi you control is damaged", not "when a card is damaged, if it is a Jedi".

use super::English;
use super::nouns::describe;
use super::said::{Number, Person, Said, Thing};
use super::truths::Truth;
use super::words::plural_of;
use crate::ast::*;
use crate::compile::mentions;
use crate::types::Ty;

/// What the parameters of an event or permission are called, and what of its test is still to say.
pub(super) struct NamedParams {
    /// By the name that the rules gave the parameter.
    pub(super) said: Vec<(String, Said)>,
    /// Nothing was said of it.
    pub(super) free: Vec<String>,
    pub(super) rest: Vec<Truth>,
}

/// One parameter on its way to its name.
struct Param {
    own: String,
    given: Option<Name>,
    ty: Ty,
    said: Option<Said>,
    thing: Option<Thing>,
}

impl English<'_> {
    /// Names for parameters, with all that a test says of each of them alone. What the English does not speak of cannot be told
    /// there: conditions on it are told apart.
    pub(super) fn name_params(
        &mut self,
        says: &str,
        types: &[(String, Ty)],
        given: &[Name],
        test: Option<&Expr>,
        number: Number,
    ) -> NamedParams {
        let mut params: Vec<Param> = Vec::new();
        for (at, (own, ty)) in types.iter().enumerate() {
            params.push(Param { own: own.clone(), given: given.get(at).cloned(), ty: *ty, said: None, thing: None });
        }
        let mut left = Vec::new();
        // What names a thing as a whole comes first, what else is said of it is put to that.
        let mut parts = test.map(conjuncts).unwrap_or_default();
        parts.sort_by_key(|part| !matches!(&*part.kind, ExprKind::Bin(Bin::In, ..)));
        for part in parts {
            let spoken = |own: &str| ["}", "|", ":", "'"].iter().any(|end| says.contains(&format!("{{{own}{end}")));
            let known = params.iter_mut().any(|param| spoken(&param.own) && self.tells_of(param, part));
            if !known {
                left.push(part);
            }
        }
        let mut named = NamedParams { said: Vec::new(), free: Vec::new(), rest: Vec::new() };
        for param in params {
            let (said, again) = match (param.said, param.thing, param.ty) {
                (Some(said), ..) => (said.clone(), said),
                (None, Some(thing), _) => (thing.said(number), thing.again(number == Number::Many)),
                (None, None, ty) => {
                    named.free.push(param.own.clone());
                    self.anybody(ty, number)
                }
            };
            if let Some(given) = &param.given {
                self.speaker.name(given, again);
            }
            named.said.push((param.own, said));
        }
        named.rest = left.into_iter().map(|part| self.truth(part)).collect();
        named
    }

    fn anybody(&self, ty: Ty, number: Number) -> (Said, Said) {
        match ty {
            Ty::Card => {
                let thing = self.something();
                (thing.said(number), thing.again(number == Number::Many))
            }
            Ty::Player => (Said::new("a player", Person::Player), Said::new("that player", Person::Player)),
            Ty::Num => (Said::new("any", Person::Amount(Some(2))), Said::new("that many", Person::Amount(Some(2)))),
            _ => (Said::one("that"), Said::one("that")),
        }
    }

    /// Whether a test says something of this parameter that its name can tell.
    fn tells_of(&mut self, param: &mut Param, test: &Expr) -> bool {
        let Some(given) = param.given.as_ref().map(|given| given.text.clone()) else { return false };
        let is_it = |expr: &Expr| matches!(&*expr.kind, ExprKind::Name(name) if *name == given);
        match &*test.kind {
            ExprKind::Bin(op, a, b) if is_it(a) && param.ty == Ty::Num && param.said.is_none() => match &*b.kind {
                ExprKind::Int(n) => {
                    param.said = limited(*op, *n);
                    param.said.is_some()
                }
                _ => false,
            },
            ExprKind::Bin(Bin::Eq, a, b) if is_it(a) && param.said.is_none() && param.thing.is_none() && !is_none(b) => {
                param.said = Some(self.noun(b, Number::One));
                true
            }
            // There are two players.
            ExprKind::Bin(Bin::Ne, a, b) if is_it(a) && param.ty == Ty::Player && param.said.is_none() => {
                let said = self.noun(b, Number::One);
                let other = if said.is_you() { Said::opponent() } else { Said::you() };
                let known = said == Said::you() || said == Said::opponent();
                param.said = known.then_some(other);
                known
            }
            ExprKind::Bin(Bin::In, a, b) if is_it(a) && param.said.is_none() && param.thing.is_none() => {
                param.thing = self.thing(b);
                param.thing.is_some()
            }
            _ if param.ty == Ty::Card && param.said.is_none() => {
                let mut thing = param.thing.clone().unwrap_or_else(|| self.something());
                let told = self.narrow_by(&mut thing, test, &given, param.thing.is_none()) || self.tells_which(&mut thing, test, &given);
                if told {
                    param.thing = Some(thing);
                }
                told
            }
            _ => false,
        }
    }

    /// What is claimed of a thing alone stands behind its noun.
    fn tells_which(&mut self, thing: &mut Thing, test: &Expr, var: &str) -> bool {
        if !mentions(test, var) {
            return false;
        }
        let outer = self.speaker.names.insert(var.to_string(), Said::it());
        let truth = self.truth(test);
        match outer {
            Some(outer) => self.speaker.names.insert(var.to_string(), outer),
            None => self.speaker.names.remove(var),
        };
        if takes_title(thing, &truth) {
            return true;
        }
        let told = match truth {
            Truth::One(claim) if claim.is_of_it() => Some(claim.telling_which()),
            _ => None,
        };
        let known = told.is_some();
        thing.behind.extend(told);
        known
    }

    /// Put a test over a thing into its noun phrase: what it can say as an owner, adjective or title, the rest behind it.
    pub(super) fn narrow(&mut self, thing: &mut Thing, test: &Expr, var: &str) {
        let mut left = Vec::new();
        for part in conjuncts(test) {
            if !self.narrow_by(thing, part, var, false) && !self.narrow_told(thing, part, var) {
                left.push(self.truth(part));
            }
        }
        left.retain(|truth| !takes_title(thing, truth));
        let told = match left.len() {
            0 => return,
            1 => left.remove(0),
            _ => Truth::All(left),
        };
        thing.behind.extend(told.telling_which());
    }

    /// Whether one test over a thing has found its place in the noun phrase. What has no noun of its own takes a word as its noun.
    fn narrow_by(&mut self, thing: &mut Thing, test: &Expr, var: &str, nameless: bool) -> bool {
        let is_var = |expr: &Expr| matches!(&*expr.kind, ExprKind::Name(name) if name == var);
        match &*test.kind {
            ExprKind::Is(of, word, negated) if is_var(of) => self.narrow_by_word(thing, &word.text, *negated, nameless),
            ExprKind::Not(inner) => match &*inner.kind {
                ExprKind::Is(of, word, negated) if is_var(of) => self.narrow_by_word(thing, &word.text, !negated, nameless),
                _ => false,
            },
            ExprKind::Bin(op @ (Bin::Eq | Bin::Ne), a, b) => match &*a.kind {
                // Another one than this card, or than what was chosen before.
                ExprKind::Name(_) if is_var(a) && *op == Bin::Ne && self.is_spoken_of(b) => {
                    thing.other = true;
                    true
                }
                ExprKind::Field(of, field) if is_var(of) => self.narrow_by_field(thing, &field.text, *op == Bin::Eq, b),
                _ => false,
            },
            _ => false,
        }
    }

    fn is_spoken_of(&self, expr: &Expr) -> bool {
        matches!(&*expr.kind, ExprKind::Name(name) if name == "self" || self.speaker.names.get(name).is_some_and(|said| said.person == Person::One))
    }

    fn narrow_by_word(&mut self, thing: &mut Thing, word: &str, negated: bool, nameless: bool) -> bool {
        let said = self.word_text(word);
        if negated {
            self.exclude(thing, word);
        } else if nameless && said.starts_with(char::is_uppercase) {
            (thing.one, thing.many) = (said.clone(), plural_of(&said));
        } else {
            describe(thing, &said);
        }
        true
    }

    fn narrow_by_field(&mut self, thing: &mut Thing, field: &str, same: bool, b: &Expr) -> bool {
        match field {
            "controller" | "owner" if thing.owner.is_none() => {
                let who = self.noun(b, Number::One);
                let owner = match (who.person, same) {
                    (Person::You, true) => Said::you(),
                    (Person::You, false) => Said::opponent(),
                    _ if who == Said::opponent() => {
                        if same {
                            who
                        } else {
                            Said::you()
                        }
                    }
                    _ => return false,
                };
                thing.owner = Some(owner);
                true
            }
            "name" if same && thing.title.is_none() => {
                thing.title = Some(self.noun(b, Number::One).text);
                true
            }
            "zone" if same => {
                let zone = self.noun(b, Number::One).text;
                thing.where_it_is(format!("in {zone}"));
                true
            }
            _ => false,
        }
    }
}

/// A card of which only its title is told is called by it: "Sense", not "cards that are Sense".
fn takes_title(thing: &mut Thing, truth: &Truth) -> bool {
    if thing.title.is_some() || thing.one != "card" {
        return false;
    }
    thing.title = truth.names_of_it();
    thing.title.is_some()
}

/// "3 or more", "no": a number that a test speaks of.
fn limited(op: Bin, n: i32) -> Option<Said> {
    let several = |text: String| Some(Said::new(text, Person::Amount(Some(2))));
    match (op, n) {
        (Bin::Eq | Bin::Le, 0) | (Bin::Lt, 1) => several("no".into()),
        (Bin::Gt | Bin::Ne, 0) | (Bin::Ge, 1) => several("any".into()),
        (Bin::Eq, n) => Some(Said::number(n)),
        (Bin::Gt, n) => several(format!("more than {n}")),
        (Bin::Ge, n) => several(format!("{n} or more")),
        (Bin::Lt, n) => several(format!("less than {n}")),
        (Bin::Le, n) => several(format!("{n} or less")),
        _ => None,
    }
}

fn is_none(expr: &Expr) -> bool {
    matches!(&*expr.kind, ExprKind::Name(name) if name == "none")
}

pub(super) fn conjuncts(test: &Expr) -> Vec<&Expr> {
    match &*test.kind {
        ExprKind::Bin(Bin::And, a, b) => conjuncts(a).into_iter().chain(conjuncts(b)).collect(),
        _ => vec![test],
    }
}
