//! Rings: values, permissions, scopes and functions that ask for themselves, about the same cards and players, and so never have an answer.
//!
//! Only what is certain is told. A question asks for another one where it must be worked out, perhaps under conditions; of what it is
//! about so much is known as the sources say. Where a question comes back to itself and everything on the way holds as soon as one step
//! of it does, there is no way out. What depends on more than that is left to the game, which ends the action that it happens in.

use super::Compiler;
use crate::ast::{Item, ItemKind};
use crate::diagnostics::{Diagnostic, Span, place};
use crate::types::Ty;
use std::collections::{HashMap, HashSet, VecDeque};
use trilogy_engine::catalogue::*;

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum What {
    Stat(StatId),
    Permission(PermissionId),
    Scope(ScopeId),
    Function(FunctionId),
}

/// What is known of something that a question is about.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum About {
    /// What the question was asked about, by its place there, or the opponent of that.
    Given(usize, bool),
    Me,
    You(bool),
    /// The same for as long as nothing changes.
    Fixed(Expr),
    Unknown,
}

impl About {
    fn opponent(self) -> About {
        match self {
            About::Given(at, turned) => About::Given(at, !turned),
            About::You(turned) => About::You(!turned),
            About::Fixed(Expr::Player(player)) => About::Fixed(Expr::Player(player.opponent())),
            _ => About::Unknown,
        }
    }
}

/// What expressions are over: their first locals, on which card and for whom they are asked.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Place {
    locals: Vec<About>,
    me: About,
    you: About,
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct Question {
    what: What,
    place: Place,
}

impl Question {
    /// A question about anything at all.
    fn new(what: What, count: usize) -> Question {
        let locals = (0..count).map(|at| About::Given(at, false)).collect();
        Question { what, place: Place { locals, me: About::Me, you: About::You(false) } }
    }
    /// Whether it is known what it is about: asked once more, it is the same question.
    fn is_known(&self) -> bool {
        let Place { locals, me, you } = &self.place;
        !locals.contains(&About::Unknown) && (!matches!(self.what, What::Function(_)) || ![me, you].contains(&&About::Unknown))
    }
}

/// Under what another question is asked.
#[derive(Clone, PartialEq, Eq)]
enum Condition {
    /// A card is one of these.
    Card(About, DefId),
    Scope(ScopeId),
    /// No clause of the rules before this one has forbidden it.
    Reached(ClauseId),
    Test(ExprId, bool, Place),
}

/// Another question that is asked, under what conditions, and the clause that asks it.
struct Step {
    to: Question,
    under: Vec<Condition>,
    clause: Option<ClauseId>,
}

/// The clauses that speak of something, those of the rules first, with the cards that carry the others.
type Clauses = HashMap<What, Vec<(ClauseId, Option<DefId>)>>;

struct Search<'a> {
    catalogue: &'a Catalogue,
    clauses: Clauses,
    /// The permissions that are about a card first.
    of_cards: HashSet<PermissionId>,
    steps: HashMap<Question, Vec<Step>>,
}

/// Goes through what must be worked out for a question.
struct Walk<'s, 'a> {
    search: &'s Search<'a>,
    place: Place,
    under: Vec<Condition>,
    clause: Option<ClauseId>,
    /// Whether it is a test of a card whose text speaks of a card: mostly of others, and then nothing is known of itself.
    of_carrier: bool,
    found: Vec<Step>,
}

impl Walk<'_, '_> {
    fn about(&self, id: ExprId) -> About {
        match self.search.catalogue.exprs[id.index()] {
            Expr::Local(at) => self.place.locals.get(at.index()).copied().unwrap_or(About::Unknown),
            Expr::Me => self.place.me,
            Expr::You => self.place.you,
            Expr::Prop(Prop::Opponent, of) => self.about(of).opponent(),
            fixed @ (Expr::None | Expr::Num(_) | Expr::Bool(_) | Expr::Word(_) | Expr::Player(_) | Expr::Zone(_) | Expr::Var(_)) => {
                About::Fixed(fixed)
            }
            _ => About::Unknown,
        }
    }
    fn all(&self, args: Args) -> Vec<About> {
        self.search.catalogue.slice(args).iter().map(|&arg| self.about(arg)).collect()
    }

    fn asks(&mut self, what: What, locals: Vec<About>) {
        let Place { me, you, .. } = self.place;
        let place = match what {
            What::Function(_) => Place { locals, me, you },
            What::Stat(stat) => self.search.place_of_stat(stat, locals),
            What::Scope(_) => Place { me: locals[0], locals, you: About::Unknown },
            What::Permission(_) => Place { locals, me: About::Unknown, you: About::Unknown },
        };
        self.found.push(Step { to: Question { what, place }, under: self.under.clone(), clause: self.clause });
    }

    /// What follows is asked only where a test comes out so. Whether that may be.
    fn where_it(&mut self, test: ExprId, holds: bool) -> bool {
        let always = match self.search.catalogue.exprs[test.index()] {
            Expr::Bool(truth) => truth == holds,
            Expr::Bin(BinOp::Eq, a, b) => holds && self.about(a) == self.about(b) && self.about(a) != About::Unknown,
            _ => false,
        };
        if !always {
            self.under.push(Condition::Test(test, holds, self.place.clone()));
        }
        always || !self.of_carrier
    }
    fn only_where(&mut self, test: ExprId, holds: bool, then: ExprId) {
        let before = self.under.len();
        if self.where_it(test, holds) {
            self.expr(then);
        }
        self.under.truncate(before);
    }

    fn expr(&mut self, id: ExprId) {
        let catalogue = self.search.catalogue;
        match catalogue.exprs[id.index()] {
            Expr::Bin(op @ (BinOp::And | BinOp::Or), a, b) => {
                self.expr(a);
                return self.only_where(a, op == BinOp::And, b);
            }
            Expr::If(test, a, b) => {
                self.expr(test);
                self.only_where(test, true, a);
                return self.only_where(test, false, b);
            }
            // There may be nothing in the list.
            Expr::Quantify(_, list, ..) => return self.expr(list),
            Expr::Stat(stat, of) => self.asks(What::Stat(stat), vec![self.about(of)]),
            Expr::StatFor(stat, of, what) => self.asks(What::Stat(stat), vec![self.about(of), self.about(what)]),
            Expr::Call(function, args) => self.asks(What::Function(function), self.all(args)),
            Expr::May(permission, args) => self.asks(What::Permission(permission), self.all(args)),
            _ => {}
        }
        catalogue.parts(id, &mut |part| self.expr(part));
    }

    /// A test of a clause; what follows is asked only where it holds. Whether that may be.
    fn test(&mut self, test: Option<ExprId>) -> bool {
        test.is_none_or(|test| {
            self.expr(test);
            self.where_it(test, true)
        })
    }
    /// The same for the test that tells what the text of a card speaks of.
    fn speaks_of(&mut self, test: Option<ExprId>, carrier: Option<DefId>) -> bool {
        self.of_carrier = carrier.is_some();
        let may_be = self.test(test);
        self.of_carrier = false;
        may_be
    }

    /// A clause that speaks of what is asked: one of the rules, or one on a card.
    fn clause(&mut self, id: ClauseId, carrier: Option<DefId>, of_card: bool) {
        let (catalogue, outside) = (self.search.catalogue, (self.place.clone(), self.under.len()));
        let clause = catalogue.clause(id);
        self.clause = Some(id);
        if let Some(carrier) = carrier {
            // That a card is asked about whose own text speaks of it.
            let card = if of_card { self.place.locals[0] } else { About::Unknown };
            self.under.push(Condition::Card(card, carrier));
            (self.place.me, self.place.you) = (About::Unknown, About::Unknown);
            if let Some(scope) = clause.scope {
                self.asks(What::Scope(scope), vec![card]);
                self.under.push(Condition::Scope(scope));
                let subject = catalogue.exprs[catalogue.scopes[scope.index()].subject.index()];
                self.place.me = if subject == Expr::Local(LocalId::FIRST) { card } else { About::Unknown };
            }
        }
        match clause.kind {
            ClauseKind::Modify { who, by, .. } => {
                if let Some(Expr::Bin(BinOp::Eq, it, whose)) = who.map(|who| catalogue.exprs[who.index()])
                    && catalogue.exprs[it.index()] == Expr::Local(LocalId::FIRST)
                {
                    match catalogue.exprs[whose.index()] {
                        Expr::Me => self.place.me = self.place.locals[0],
                        Expr::You => self.place.you = self.place.locals[0],
                        _ => {}
                    }
                }
                if self.speaks_of(who, carrier) && self.test(clause.when) {
                    self.expr(by);
                }
            }
            ClauseKind::Permit { test, .. } => {
                if self.speaks_of(test, carrier) {
                    self.test(clause.when);
                }
            }
            ClauseKind::Trigger { .. } | ClauseKind::Replace { .. } | ClauseKind::Grant { .. } => {}
        }
        self.place = outside.0;
        self.under.truncate(outside.1);
    }
}

impl<'a> Search<'a> {
    fn new(catalogue: &'a Catalogue, of_cards: HashSet<PermissionId>) -> Search<'a> {
        let mut clauses = Clauses::new();
        let of_rules = catalogue.rule_clauses.iter().map(|&id| (id, None));
        let defs = DefId::all(catalogue.cards.len()).zip(&catalogue.cards);
        let of_defs = defs.flat_map(|(def, card)| card.clauses.iter().map(move |&id| (id, Some(def))));
        for (id, carrier) in of_rules.chain(of_defs) {
            let what = match catalogue.clause(id).kind {
                ClauseKind::Modify { stat, .. } => What::Stat(stat),
                ClauseKind::Permit { permission, .. } => What::Permission(permission),
                ClauseKind::Trigger { .. } | ClauseKind::Replace { .. } | ClauseKind::Grant { .. } => continue,
            };
            clauses.entry(what).or_default().push((id, carrier));
        }
        Search { catalogue, clauses, of_cards, steps: HashMap::new() }
    }

    fn place_of_stat(&self, stat: StatId, locals: Vec<About>) -> Place {
        let def = &self.catalogue.stats[stat.index()];
        let you = match locals.get(1) {
            Some(&what) if def.for_player => what,
            _ if def.of_player => locals[0],
            _ => About::Unknown,
        };
        let me = if def.of_player { About::Fixed(Expr::None) } else { locals[0] };
        Place { locals, me, you }
    }

    /// A question of each sort, about anything. Values come first: people know them best.
    fn questions(&self) -> Vec<Question> {
        let catalogue = self.catalogue;
        let stats = StatId::all(catalogue.stats.len()).zip(&catalogue.stats).map(|(id, stat)| {
            let asked = Question::new(What::Stat(id), 1 + usize::from(stat.for_something));
            Question { place: self.place_of_stat(id, asked.place.locals), ..asked }
        });
        let permissions = PermissionId::all(catalogue.permissions.len()).zip(&catalogue.permissions);
        let permissions = permissions.map(|(id, permission)| Question::new(What::Permission(id), permission.params as usize));
        let scopes = ScopeId::all(catalogue.scopes.len()).map(|id| {
            let card = About::Given(0, false);
            Question { what: What::Scope(id), place: Place { locals: vec![card], me: card, you: About::Unknown } }
        });
        let functions = FunctionId::all(catalogue.functions.len()).zip(&catalogue.functions);
        let functions = functions.map(|(id, function)| Question::new(What::Function(id), function.params as usize));
        stats.chain(permissions).chain(scopes).chain(functions).collect()
    }

    /// What must be asked for a question.
    fn steps_of(&self, question: &Question) -> Vec<Step> {
        let catalogue = self.catalogue;
        let mut walk =
            Walk { search: self, place: question.place.clone(), under: Vec::new(), clause: None, of_carrier: false, found: Vec::new() };
        let clauses = self.clauses.get(&question.what).map_or(&[][..], Vec::as_slice);
        match question.what {
            What::Function(id) => walk.expr(catalogue.functions[id.index()].body),
            What::Scope(id) => {
                let ScopeDef { test, subject, player, .. } = catalogue.scopes[id.index()];
                player.into_iter().for_each(|player| walk.expr(player));
                walk.expr(test);
                walk.only_where(test, true, subject);
            }
            What::Stat(id) => {
                let def = &catalogue.stats[id.index()];
                def.base.into_iter().for_each(|base| walk.expr(base));
                clauses.iter().for_each(|&(clause, carrier)| walk.clause(clause, carrier, !def.of_player));
            }
            What::Permission(id) => {
                for &(clause, carrier) in clauses {
                    walk.clause(clause, carrier, self.of_cards.contains(&id));
                    if carrier.is_none() {
                        walk.under.push(Condition::Reached(clause));
                    } else {
                        walk.under.retain(|under| !matches!(under, Condition::Reached(_)));
                    }
                }
            }
        }
        walk.found
    }

    /// Work out the steps of everything that these questions lead to. All of them, each before those that it leads to.
    fn follow(&mut self, first: Vec<Question>) -> Vec<Question> {
        let (mut all, mut at) = (first, 0);
        while let Some(question) = all.get(at).cloned() {
            at += 1;
            if !self.steps.contains_key(&question) {
                let steps = self.steps_of(&question);
                all.extend(steps.iter().map(|step| step.to.clone()).filter(|to| !self.steps.contains_key(to)));
                self.steps.insert(question, steps);
            }
        }
        all
    }

    /// The shortest way round that begins with a step of a question and comes back to it, all under what that step is asked under.
    fn way_round<'s>(&'s self, from: &'s Question, first: &'s Step) -> Option<Vec<(What, &'s Step)>> {
        let mut before: HashMap<&Question, (&Question, &Step)> = HashMap::from([(&first.to, (from, first))]);
        let mut todo = VecDeque::from([&first.to]);
        while let Some(question) = todo.pop_front() {
            if question == from {
                let mut way = Vec::new();
                let mut at = from;
                loop {
                    let (earlier, step) = before[at];
                    way.push((earlier.what, step));
                    at = earlier;
                    if at == from {
                        way.reverse();
                        return Some(way);
                    }
                }
            }
            for step in self.steps.get(question).into_iter().flatten() {
                if step.under.iter().all(|under| first.under.contains(under)) && !before.contains_key(&step.to) {
                    before.insert(&step.to, (question, step));
                    todo.push_back(&step.to);
                }
            }
        }
        None
    }
}

impl Compiler {
    /// Rings in what is defined so far are errors.
    pub(super) fn refuse_rings(&mut self, items: &[Item]) {
        let of_cards = self.names.permissions.values().filter(|known| known.params.first().is_some_and(|(_, ty)| *ty == Ty::Card));
        let mut search = Search::new(&self.out, of_cards.map(|known| known.id).collect());
        let questions = search.follow(search.questions());
        let places = self.places(items);
        let (mut told, mut problems) = (HashSet::new(), Vec::new());
        for question in questions.iter().filter(|question| question.is_known()) {
            for step in &search.steps[question] {
                if told.contains(&question.what) {
                    break;
                }
                if let Some(way) = search.way_round(question, step) {
                    told.extend(way.iter().map(|(what, _)| *what));
                    problems.push(self.ring(&way, &places));
                }
            }
        }
        self.problems.extend(problems);
    }

    fn ring(&self, way: &[(What, &Step)], places: &HashMap<What, Span>) -> Diagnostic {
        let span = |&(what, step): &(What, &Step)| match step.clause {
            Some(clause) => self.clause_spans[clause.index()],
            None => places.get(&what).copied().unwrap_or_default(),
        };
        let mut message = self.called(way[0].0);
        for (at, one) in way.iter().enumerate() {
            let (file, line, _) = place(&self.files, span(one));
            message += if at == 0 { " asks for " } else { ", which asks for " };
            message += &if way.len() == 1 { String::from("itself") } else { self.called(one.1.to.what) };
            message += &format!(" ({file}:{line})");
        }
        Diagnostic::new(span(&way[0]), message + ": it never has an answer")
    }

    fn called(&self, what: What) -> String {
        match what {
            What::Stat(id) => format!("the value `{}`", self.out.stats[id.index()].name),
            What::Permission(id) => format!("the permission `{}`", self.out.permissions[id.index()].name),
            What::Scope(id) => format!("the scope `{}`", self.out.scopes[id.index()].name),
            What::Function(id) => {
                let name = &self.out.functions[id.index()].name;
                let (sort, name) = name.split_once(' ').unwrap_or(("function", name));
                format!("the {sort} `{name}`")
            }
        }
    }

    /// Where things are defined.
    fn places(&self, items: &[Item]) -> HashMap<What, Span> {
        let function = |name: &str| self.names.functions.get(name).map(|known| What::Function(known.id));
        let place = |item: &Item| {
            let (name, what) = match &item.kind {
                ItemKind::Stat { name, .. } => (name, self.names.stats.get(&name.text).map(|known| What::Stat(known.0))),
                ItemKind::Scope { name, .. } => (name, self.names.scopes.get(&name.text).map(|known| What::Scope(*known))),
                ItemKind::Def { name, .. } => (name, function(&name.text)),
                ItemKind::Adjective { name, .. } => (name, self.names.adjectives.get(&name.text).map(|known| What::Function(known.0))),
                ItemKind::Noun { name, .. } => (name, self.names.nouns.get(&name.text).map(|known| What::Function(known.test))),
                _ => return None,
            };
            what.map(|what| (what, name.span))
        };
        items.iter().filter_map(place).collect()
    }
}
