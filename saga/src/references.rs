//! Which names a source uses, and what each can stand for where it is written: for the vocabulary and for editors.
//! It knows where names are bound, and no types: a property is looked for among the properties of everything.

use crate::ast::*;
use crate::diagnostics::Span;

/// Where a name is written; this decides what it can stand for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// What a card carries: a word or a member of an enumeration.
    Word,
    /// Behind `is`: a word, or what stands for one.
    Is,
    Enumeration,
    /// Between the brackets of a phrase.
    Phrase,
    Kind,
    Timing,
    Cost,
    /// What `gets` changes.
    Value,
    /// A printed number or a keyword of a card.
    Fact,
    Template,
    Event,
    Scope,
    Permission,
    Window,
    Period,
    Class,
    Variable,
    /// A program that a statement calls.
    Program,
    /// A call inside an expression.
    Call,
    /// `x.NAME`
    Property,
    /// A name on its own inside an expression.
    Expression,
    /// A name that is given to a timing: a value, or else a name for what the timing tells.
    Told,
    /// The title of a card.
    Title,
}

/// A name as it is used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reference<'a> {
    pub name: &'a str,
    pub span: Span,
    pub place: Place,
    /// Where it was bound, if it is a name of the item's own: a parameter, a target, what `let` remembers.
    pub bound: Option<Span>,
}

/// All names that an item uses.
pub fn references(item: &Item) -> Vec<Reference<'_>> {
    let mut walk = Walk { found: Vec::new(), bound: Vec::new(), gone_through: Vec::new() };
    walk.item(item);
    walk.found
}

/// The templates that abilities use, their programs with them.
pub(crate) fn templates_in(abilities: &[Ability]) -> impl Iterator<Item = &str> {
    let mut walk = Walk { found: Vec::new(), bound: Vec::new(), gone_through: Vec::new() };
    walk.abilities(abilities);
    walk.found.into_iter().filter(|reference| reference.place == Place::Template).map(|reference| reference.name)
}

struct Walk<'a> {
    found: Vec<Reference<'a>>,
    /// Names of the item's own, the innermost last.
    bound: Vec<(&'a str, Span)>,
    /// Names of what lists were gone through for: the parts of a function may speak of them.
    gone_through: Vec<(&'a str, Span)>,
}

impl<'a> Walk<'a> {
    fn name(&mut self, name: &'a Name, place: Place) {
        self.found.push(Reference { name: &name.text, span: name.span, place, bound: None });
    }
    fn names(&mut self, names: &'a [Name], place: Place) {
        names.iter().for_each(|name| self.name(name, place));
    }
    /// A name that may be one of the item's own.
    fn used(&mut self, name: &'a str, span: Span, place: Place) {
        let bound = self.bound.iter().rev().find(|(bound, _)| *bound == name).map(|(_, at)| *at);
        self.found.push(Reference { name, span, place, bound });
    }
    fn title(&mut self, title: &'a Text) {
        self.found.push(Reference { name: &title.text, span: title.span, place: Place::Title, bound: None });
    }
    fn bind<'n: 'a>(&mut self, names: impl IntoIterator<Item = &'n Name>) {
        self.bound.extend(names.into_iter().map(|name| (name.text.as_str(), name.span)));
    }
    fn params(&mut self, params: &'a [Param]) {
        self.bind(params.iter().map(|param| &param.name));
    }
    /// What is bound inside is forgotten behind it.
    fn inside(&mut self, walk: impl FnOnce(&mut Self)) {
        let before = self.bound.len();
        walk(self);
        self.bound.truncate(before);
    }

    fn item(&mut self, item: &'a Item) {
        match &item.kind {
            ItemKind::Calls { words, .. } => self.names(words, Place::Word),
            ItemKind::Spelled { word, .. } => self.name(word, Place::Word),
            ItemKind::Needs { of, numbers } => {
                of.iter().for_each(|(word, _)| self.name(word, Place::Word));
                self.names(numbers, Place::Fact);
            }
            // Zones are named where they are meant.
            ItemKind::Lies { words, zones } => {
                self.names(words, Place::Word);
                self.names(zones, Place::Expression);
            }
            ItemKind::Counter { traits, .. } | ItemKind::Field { traits, .. } => self.traits(traits),
            ItemKind::Stat { what, base, .. } => {
                self.params(what.as_slice());
                if let StatBase::Computed(value) = base {
                    self.expr(value);
                }
            }
            ItemKind::Var { init, period, .. } => {
                self.exprs(init);
                self.names(period.as_slice(), Place::Period);
            }
            ItemKind::Event { params, told, .. } => {
                self.params(params);
                if let Some(Quiet::If(test)) = &told.quiet {
                    self.expr(test);
                }
            }
            ItemKind::Window { until, .. } => self.exprs(until),
            ItemKind::Scope { test, subject, player, .. } => {
                [Some(test), subject.as_ref(), player.as_ref()].into_iter().flatten().for_each(|expr| self.expr(expr))
            }
            ItemKind::Apart(enums) => {
                // Where cards are printed tells them apart, too, and is no enumeration.
                enums.iter().filter(|(name, _)| name.text != "set").for_each(|(name, _)| self.name(name, Place::Enumeration));
            }
            ItemKind::Enum { name, also: true, .. } => self.name(name, Place::Enumeration),
            ItemKind::Timing { params, windows, requires, limit, worth, .. } => {
                self.bind(params.iter().map(|(param, _)| &param.name));
                params.iter().for_each(|(_, tells)| self.exprs(tells));
                self.names(windows, Place::Window);
                self.requires(requires);
                self.limit(limit.as_ref());
                self.exprs(worth);
            }
            ItemKind::Kind { scope, windows, costs, steps, .. } => self.kind(scope, windows, costs, steps),
            ItemKind::Cost { params, requires, body, .. } => {
                self.params(params);
                self.requires(requires);
                self.block(body);
            }
            ItemKind::Noun { unsaid, from, test, .. } => {
                self.names(unsaid, Place::Phrase);
                self.expr(from);
                self.expr(test);
            }
            ItemKind::Adjective { test, .. } => self.expr(test),
            ItemKind::Def { params, body, parts, .. } => {
                self.params(params);
                self.bind(parts.iter().map(|(name, _)| name));
                self.expr(body);
                // A part is used by what stands before it here: by the body, and by the parts below it.
                for (_, part) in parts.iter().rev() {
                    let outer = std::mem::take(&mut self.gone_through);
                    self.bound.splice(0..0, outer);
                    self.expr(part);
                }
            }
            ItemKind::Proc { params, could, body, .. } => {
                self.params(params);
                self.requires(could.as_slice());
                self.block(body);
            }
            ItemKind::Action(action) => self.action(action),
            ItemKind::Rule(clause) => self.clause(clause),
            ItemKind::Deck(require) => self.expr(&require.test),
            ItemKind::Template { params, body, .. } => {
                self.params(params);
                self.abilities(body);
            }
            ItemKind::Card(card) => self.card(card),
            ItemKind::Game { .. }
            | ItemKind::Players(_)
            | ItemKind::Values(_)
            | ItemKind::Words(_)
            | ItemKind::Periods(_)
            | ItemKind::Roles(_)
            | ItemKind::Classes(_)
            | ItemKind::Enum { also: false, .. }
            | ItemKind::Zone { .. }
            | ItemKind::Option { .. }
            | ItemKind::Permission { .. } => {}
        }
    }

    fn traits(&mut self, traits: &'a [CounterTrait]) {
        for one in traits {
            if let CounterTrait::For(period) = one {
                self.name(period, Place::Period);
            }
        }
    }

    fn kind(&mut self, scope: &'a Name, windows: &'a [Name], costs: &'a [Paid], steps: &'a [Step]) {
        self.name(scope, Place::Scope);
        self.names(windows, Place::Window);
        self.costs(costs);
        for step in steps {
            match step {
                Step::Target(Some(permission)) => self.name(permission, Place::Permission),
                Step::Respond(program) => self.name(program, Place::Program),
                Step::Target(None) | Step::Could | Step::Pay | Step::Effect => {}
            }
        }
    }

    fn action(&mut self, action: &'a Action) {
        self.bind(&action.params);
        self.names(&action.windows, Place::Window);
        self.exprs(&action.from);
        self.requires(action.to.as_slice());
        self.requires(&action.requires);
        self.limit(action.limit.as_ref());
        self.exprs(&action.worth);
        self.exprs(&action.usual);
        self.block(&action.body);
    }

    fn card(&mut self, card: &'a Card) {
        self.names(&card.header, Place::Word);
        self.names(&card.words, Place::Word);
        self.names(&card.lore, Place::Word);
        card.brings.iter().for_each(|title| self.title(title));
        card.facts.iter().for_each(|(fact, _)| self.name(fact, Place::Fact));
        self.abilities(&card.abilities);
    }

    fn abilities(&mut self, abilities: &'a [Ability]) {
        for ability in abilities {
            match ability {
                Ability::Use(ability) => self.inside(|walk| walk.use_ability(ability)),
                Ability::Clause(clause) => self.clause(clause),
                Ability::Template { name, args, .. } => {
                    self.name(name, Place::Template);
                    self.exprs(args);
                }
                Ability::In { scope, abilities } => {
                    self.name(scope, Place::Scope);
                    self.abilities(abilities);
                }
                Ability::Says { abilities, .. } => self.abilities(abilities),
                Ability::TreatAs(words) => {
                    for word in words {
                        match &*word.kind {
                            ExprKind::Name(name) => self.used(name, word.span, Place::Word),
                            _ => self.expr(word),
                        }
                    }
                }
            }
        }
    }

    fn use_ability(&mut self, ability: &'a Use) {
        self.name(&ability.kind, Place::Kind);
        ability.timing.iter().for_each(|timed| self.timed(timed));
        for target in &ability.targets {
            self.how_many(&target.how);
            self.names(target.purpose.as_slice(), Place::Word);
            self.expr(&target.from);
            self.bind([&target.name]);
        }
        self.costs(&ability.costs);
        self.requires(&ability.requires);
        self.block(&ability.body);
    }

    /// A bare name that is given to a timing may be one for what the timing tells.
    fn timed(&mut self, timed: &'a Timed) {
        self.name(&timed.name, Place::Timing);
        for arg in &timed.args {
            match &*arg.kind {
                ExprKind::Name(name) => {
                    self.used(name, arg.span, Place::Told);
                    self.bound.push((name, arg.span));
                }
                _ => self.expr(arg),
            }
        }
        self.exprs(&timed.test);
        self.limit(timed.limit.as_ref());
    }

    fn costs(&mut self, costs: &'a [Paid]) {
        for paid in costs {
            self.name(&paid.cost, Place::Cost);
            self.exprs(&paid.args);
            self.bind(&paid.took);
        }
    }

    fn requires(&mut self, requires: &'a [Require]) {
        requires.iter().for_each(|require| self.expr(&require.test));
    }

    fn limit(&mut self, limit: Option<&'a Limit>) {
        self.names(limit.map(|limit| &limit.period).map_or(&[], std::slice::from_ref), Place::Period);
    }

    fn how_many(&mut self, how: &'a HowMany) {
        match how {
            HowMany::UpTo(n) | HowMany::AtLeast(n) | HowMany::Exactly(n) => self.expr(n),
            HowMany::One | HowMany::OneOrNone | HowMany::Any => {}
        }
    }

    fn clause(&mut self, clause: &'a Clause) {
        self.inside(|walk| {
            match &clause.kind {
                ClauseKind::Gets { subject, changes, .. } => {
                    walk.expr(subject);
                    for change in changes {
                        walk.name(&change.stat, Place::Value);
                        walk.exprs(&change.what);
                        walk.expr(&change.by);
                    }
                }
                ClauseKind::Permit { name, params, test, .. } => {
                    walk.name(name, Place::Permission);
                    walk.bind(params);
                    walk.exprs(test);
                }
                ClauseKind::Instead { program, params, test, may, body } => {
                    walk.name(program, Place::Program);
                    walk.bind(params);
                    walk.exprs(test);
                    may.iter().for_each(|question| walk.question(question));
                    walk.block(body);
                }
                ClauseKind::Gains { subject, abilities } => {
                    walk.expr(subject);
                    walk.abilities(abilities);
                }
                ClauseKind::When { event, params, test, limit, class, body } => {
                    walk.name(event, Place::Event);
                    walk.limit(limit.as_ref());
                    walk.bind(params);
                    walk.exprs(test);
                    walk.names(class.as_slice(), Place::Class);
                    walk.block(body);
                }
            }
            walk.exprs(&clause.when);
        });
    }

    fn block(&mut self, body: &'a [Stmt]) {
        self.inside(|walk| body.iter().for_each(|stmt| walk.statement(stmt)));
    }

    fn question(&mut self, question: &'a Question) {
        self.exprs(&question.by);
        self.exprs(&question.worth);
    }

    fn statement(&mut self, stmt: &'a Stmt) {
        match &stmt.kind {
            StmtKind::Let(name, value) => {
                self.called(value);
                self.bind([name]);
            }
            StmtKind::Assign(target, _, value) => {
                self.expr(target);
                self.called(value);
            }
            StmtKind::If(arms, otherwise) => {
                for (test, body) in arms {
                    self.expr(test);
                    self.block(body);
                }
                otherwise.iter().for_each(|body| self.block(body));
            }
            StmtKind::Unless(test, body) | StmtKind::While(test, body) => {
                self.expr(test);
                self.block(body);
            }
            StmtKind::For(name, list, body) => {
                self.expr(list);
                self.inside(|walk| {
                    walk.bind([name]);
                    walk.block(body);
                });
            }
            StmtKind::Return(value) => value.iter().for_each(|value| self.called(value)),
            StmtKind::Choose { name, how, from, question } => {
                self.how_many(how);
                self.expr(from);
                self.question(question);
                self.bind([name]);
            }
            StmtKind::Number { name, least, most, question } => {
                self.expr(least);
                self.expr(most);
                self.question(question);
                self.bind([name]);
            }
            StmtKind::Order { name, from, question } => {
                self.expr(from);
                self.question(question);
                self.bind([name]);
            }
            StmtKind::May { question, body } => {
                self.question(question);
                self.block(body);
            }
            StmtKind::OneOf { question, branches } => {
                self.question(question);
                for (_, test, body) in branches {
                    self.exprs(test);
                    self.block(body);
                }
            }
            StmtKind::With(bound, body) => {
                for (variable, value) in bound {
                    self.name(variable, Place::Variable);
                    self.expr(value);
                }
                self.block(body);
            }
            StmtKind::Then(body) => self.block(body),
            StmtKind::Emit(event, args) => {
                self.name(event, Place::Event);
                self.exprs(args);
            }
            StmtKind::End(period) => self.name(period, Place::Period),
            StmtKind::Until(period, clause) => {
                self.name(period, Place::Period);
                self.clause(clause);
            }
            StmtKind::Once(clause) => self.clause(clause),
            StmtKind::Cite => {}
            StmtKind::Repeat(what, by) => {
                self.expr(what);
                self.exprs(by);
            }
            StmtKind::Run(expr) | StmtKind::Resolve(expr) | StmtKind::Drop(expr) | StmtKind::Win(expr) => self.expr(expr),
            StmtKind::Call(call) => self.called(call),
        }
    }

    /// Where a program may be called: its name goes before that of a function.
    fn called(&mut self, expr: &'a Expr) {
        match &*expr.kind {
            ExprKind::Call(name, args) => {
                self.name(name, Place::Program);
                self.exprs(args);
            }
            _ => self.expr(expr),
        }
    }

    fn exprs(&mut self, exprs: impl IntoIterator<Item = &'a Expr>) {
        exprs.into_iter().for_each(|expr| self.expr(expr));
    }

    fn expr(&mut self, expr: &'a Expr) {
        match &*expr.kind {
            ExprKind::Int(_) => {}
            ExprKind::Str(title) => self.found.push(Reference { name: title, span: expr.span, place: Place::Title, bound: None }),
            ExprKind::Name(name) => self.used(name, expr.span, Place::Expression),
            ExprKind::Field(of, field) => {
                self.expr(of);
                self.name(field, Place::Property);
            }
            ExprKind::Call(name, args) => {
                self.name(name, Place::Call);
                self.exprs(args);
            }
            ExprKind::Bin(_, a, b) | ExprKind::Range(a, b) => self.exprs([a, b]),
            ExprKind::Not(inner) | ExprKind::Neg(inner) => self.expr(inner),
            ExprKind::If(test, yes, no) => self.exprs([test, yes, no]),
            ExprKind::Is(of, word, _) => {
                self.expr(of);
                self.used(&word.text, word.span, Place::Is);
            }
            ExprKind::Phrase(phrase) => self.phrase(phrase),
            ExprKind::Quantify { var, list, test, value, .. } => {
                self.expr(list);
                self.gone_through.push((&var.text, var.span));
                self.inside(|walk| {
                    walk.bind([var]);
                    walk.exprs(test);
                    walk.exprs(value);
                });
            }
            ExprKind::List(items) => self.exprs(items),
            ExprKind::Can(name, args) => {
                self.name(name, Place::Permission);
                self.exprs(args);
            }
        }
    }

    fn phrase(&mut self, phrase: &'a Phrase) {
        for word in &phrase.words {
            match word {
                PhraseWord::Is(name) | PhraseWord::Not(name) => self.used(&name.text, name.span, Place::Phrase),
                PhraseWord::AnyOf(names) => self.names(names, Place::Phrase),
            }
        }
        self.exprs(&phrase.zone);
        phrase.named.iter().for_each(|title| self.title(title));
        self.exprs(&phrase.with);
    }
}
