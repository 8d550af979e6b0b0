//! Definitions: the bodies of what was declared.

use super::Compiler;
use super::expressions::Cx;
use super::names::{Apart, Held};
use crate::ast::{self, CounterTrait, Item, ItemKind, Name, Quiet, StatBase, Stmt, Told};
use crate::diagnostics::Span;
use crate::types::Ty;
use trilogy_engine::catalogue::{Asker, Expr, LocalId, ScopeDef};

impl Compiler {
    /// Compile what an item says; cards come later.
    pub(super) fn define(&mut self, item: &Item) {
        // Actions, rules and rules of decks cite for their parts.
        if !matches!(item.kind, ItemKind::Action(_) | ItemKind::Rule(_) | ItemKind::Deck(_)) {
            self.cite(&item.cites);
        }
        match &item.kind {
            ItemKind::Def { name, body, parts, .. } => self.define_function(name, body, parts),
            ItemKind::Noun { name, unsaid, from, test, .. } => {
                for word in unsaid.iter().filter(|word| !self.names.adjectives.contains_key(&word.text)).collect::<Vec<_>>() {
                    self.lookup("word", word, |names| &names.words);
                }
                self.define_noun(name, from, test);
            }
            ItemKind::Adjective { name, test, .. } => self.define_adjective(name, test),
            ItemKind::Apart(enums) => self.define_apart(enums, item.span),
            ItemKind::Scope { name, test, subject, player, .. } => self.define_scope(name, test, subject.as_ref(), player.as_ref()),
            ItemKind::Counter { name, traits, .. } | ItemKind::Field { name, traits, .. } => self.define_counter(name, traits),
            ItemKind::Stat { name, base, floor, of_player, .. } => self.define_stat(name, base, *floor, *of_player),
            ItemKind::Var { name, init, period, .. } => self.define_var(name, init.as_ref(), period.as_ref()),
            ItemKind::Event { name, says, told, .. } => self.define_event(name, says.as_ref(), told),
            ItemKind::Window { name, asking, until, .. } => {
                // In it, `you` is whoever is asked.
                let asking = asking.as_ref().map(|asking| self.text(&mut Cx::pure(&[]), asking));
                let until = until.as_ref().map(|until| self.expr_of(&mut Cx::pure(&[]), until, Ty::Bool));
                let at = self.names.windows[&name.text].index();
                (self.out.windows[at].asking, self.out.windows[at].until) = (asking, until);
            }
            ItemKind::Timing { windows, limit, .. } => {
                for window in windows {
                    self.lookup("window", window, |names| &names.windows);
                }
                if let Some(limit) = limit {
                    self.lookup("period", &limit.period, |names| &names.periods);
                }
            }
            ItemKind::Cost { name, requires, body, .. } => self.define_cost(name, requires, body),
            ItemKind::Proc { name, body, could, .. } => self.define_proc(name, could.as_ref(), body),
            ItemKind::Action(action) => self.action(action, &item.cites),
            ItemKind::Rule(ast::Clause { kind: ast::ClauseKind::Instead { .. } | ast::ClauseKind::Gains { .. }, span, .. }) => {
                self.fail(*span, "a rule says at once what is done and who can do it: only cards change that");
            }
            ItemKind::Rule(clause) => {
                let ids = self.clause(&mut Cx::pure(&[]), clause, None);
                self.out.rule_clauses.extend(ids);
            }
            ItemKind::Deck(require) => {
                let require = self.require(&mut Cx::pure(&[]), require);
                self.out.deck_rules.push(require);
            }
            // Tried with all others when everything is defined.
            ItemKind::Template { .. } => {}
            ItemKind::Spelled { word, .. } => {
                self.lookup("word", word, |names| &names.words);
            }
            ItemKind::Calls { words, .. } => {
                for word in words {
                    self.lookup("word", word, |names| &names.words);
                }
            }
            ItemKind::Kind { step_cites, .. } => {
                self.cite(step_cites);
            }
            ItemKind::Game { .. }
            | ItemKind::Players(_)
            | ItemKind::Values(_)
            | ItemKind::Words(_)
            | ItemKind::Periods(_)
            | ItemKind::Roles(_)
            | ItemKind::Classes(_)
            | ItemKind::Enum { .. }
            | ItemKind::Zone { .. }
            | ItemKind::Option { .. }
            | ItemKind::Permission { .. }
            | ItemKind::Card(_) => {}
            ItemKind::Needs { of, numbers } => self.define_needs(of, numbers),
            ItemKind::Lies { words, zones } => self.define_lies(words, zones),
        }
    }

    fn define_apart(&mut self, enums: &[(Name, bool)], span: Span) {
        if !self.names.apart.is_empty() {
            return self.fail(span, "a game has one line that tells cards apart");
        }
        for (name, when_shared) in enums {
            let by = if name.text == "set" { None } else { self.lookup("enumeration", name, |names| &names.enums) };
            if by.is_some() || name.text == "set" {
                self.names.apart.push(Apart { by, when_shared: *when_shared });
            }
        }
    }

    fn define_event(&mut self, name: &Name, says: Option<&ast::Text>, told: &Told) {
        let (at, params) = self.names.events[&name.text].clone();
        let log = says.map(|says| self.text(&mut Cx::pure(&params), says));
        let quiet = told.quiet.as_ref().map(|quiet| match quiet {
            Quiet::Always => self.add(Expr::Bool(true)),
            Quiet::If(test) => self.expr_of(&mut Cx::pure(&params), test, Ty::Bool),
        });
        let event = &mut self.out.events[at.index()];
        (event.log, event.quiet) = (log, quiet);
    }

    /// The names of its parts stand for what they are, each over those before it.
    fn define_function(&mut self, name: &Name, body: &ast::Expr, parts: &[(Name, ast::Expr)]) {
        let outside = self.aliases.clone();
        for (part, means) in parts {
            self.open_aliases(&[(part.text.clone(), Ty::Any)], std::slice::from_ref(means));
        }
        let callee = self.names.functions[&name.text].clone();
        let mut cx = Cx::pure(&callee.params);
        let body = self.expr_of(&mut cx, body, callee.result);
        self.aliases = outside;
        self.out.functions[callee.id.index()].body = body;
    }

    fn define_noun(&mut self, name: &Name, from: &ast::Expr, test: &ast::Expr) {
        let def = self.names.nouns[&name.text].clone();
        let from = self.expr_of(&mut Cx::pure(&[]), from, Ty::Cards);
        self.out.functions[def.from.index()].body = from;
        let test = self.expr_of(&mut Cx::pure(&[("it".into(), Ty::Card)]), test, Ty::Bool);
        self.out.functions[def.test.index()].body = test;
    }

    fn define_adjective(&mut self, name: &Name, test: &ast::Expr) {
        let id = self.names.adjectives[&name.text].0;
        let test = self.expr_of(&mut Cx::pure(&[("it".into(), Ty::Card)]), test, Ty::Bool);
        self.out.functions[id.index()].body = test;
    }

    fn define_scope(&mut self, name: &Name, test: &ast::Expr, subject: Option<&ast::Expr>, player: Option<&ast::Expr>) {
        let mut cx = Cx::pure(&[("it".into(), Ty::Card)]);
        let test = self.expr_of(&mut cx, test, Ty::Bool);
        let subject = match subject {
            Some(subject) => self.expr_of(&mut cx, subject, Ty::Card),
            None => self.add(Expr::Local(LocalId::FIRST)),
        };
        let player = player.map(|player| self.expr_of(&mut cx, player, Ty::Player));
        let at = self.names.scopes[&name.text].index();
        self.out.scopes[at] = ScopeDef { name: name.text.clone(), test, subject, player };
    }

    fn define_counter(&mut self, name: &Name, traits: &[CounterTrait]) {
        for one in traits {
            if let CounterTrait::For(period) = one {
                let period = self.lookup("period", period, |names| &names.periods);
                match self.names.held[&name.text] {
                    Held::Counter(at) | Held::Field(at, _) => self.out.fields[at.index()].period = period,
                    Held::PlayerCounter(at) => self.out.player_counters[at.index()].period = period,
                    Held::PlayerVar(..) => {}
                }
            }
        }
    }

    fn define_stat(&mut self, name: &Name, base: &StatBase, floor: Option<i32>, of_player: bool) {
        let at = self.names.stats[&name.text].0.index();
        self.out.stats[at].floor = floor;
        let mut locals = vec![("it".into(), if of_player { Ty::Player } else { Ty::Card })];
        locals.extend(self.names.stat_params.get(&name.text).cloned());
        match base {
            StatBase::Computed(expr) => {
                let base = self.expr_of(&mut Cx::pure(&locals), expr, Ty::Num);
                self.out.stats[at].base = Some(base);
            }
            StatBase::Icon | StatBase::Keyword | StatBase::Flag => self.out.stats[at].missing = Some(0),
            StatBase::Printed | StatBase::Plain | StatBase::Predicate => {}
        }
    }

    fn define_var(&mut self, name: &Name, init: Option<&ast::Expr>, period: Option<&Name>) {
        let (at, ty, count) = match (self.names.vars.get(&name.text), self.names.held.get(&name.text)) {
            (Some(&(at, ty)), _) => (at.index(), ty, 1),
            (None, Some(&Held::PlayerVar(at, ty))) => (at.index(), ty, 2),
            _ => return,
        };
        let init = init.map(|init| self.expr_of(&mut Cx::pure(&[]), init, ty));
        let period = period.and_then(|period| self.lookup("period", period, |names| &names.periods));
        for var in &mut self.out.vars[at..at + count] {
            (var.init, var.period) = (init, period);
        }
    }

    fn define_cost(&mut self, name: &Name, requires: &[ast::Require], body: &[Stmt]) {
        self.asker = (Asker::Cost, name.text.clone());
        let program = self.names.costs[&name.text].program.clone();
        let mut compiled = Vec::new();
        for (at, require) in requires.iter().enumerate() {
            let function = Name { text: format!("can pay {} {at}", name.text), span: require.span };
            let id = self.declare_function(&function, program.params.clone(), Ty::Bool, None);
            let test = self.expr_of(&mut Cx::pure(&program.params), &require.test, Ty::Bool);
            self.out.functions[id.index()].body = test;
            let cite = self.cite(&require.cites);
            compiled.push((id, require.reason.clone(), cite));
        }
        if let Some(cost) = self.names.costs.get_mut(&name.text) {
            cost.requires = compiled;
        }
        // A cost tells by its result that it was not paid, or what it took.
        let result = if program.returns { program.result } else { Ty::Bool };
        let cx = Cx { returns: Some(result), ..Cx::program(&program.params) };
        self.program(program.id, cx, body);
    }

    fn define_proc(&mut self, name: &Name, could: Option<&ast::Require>, body: &[Stmt]) {
        if let Some(could) = could {
            self.define_could(name, could);
        }
        self.asker = (Asker::Rules, name.text.clone());
        let callee = self.names.procs[&name.text].clone();
        let mut cx = Cx::program(&callee.params);
        cx.returns = callee.returns.then_some(callee.result);
        if self.names.woulds.contains_key(&name.text) {
            return self.replaceable(callee.id, cx, body, name.span);
        }
        self.program(callee.id, cx, body);
    }
}
