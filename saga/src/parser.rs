//! Tokens to syntax, by descent. After an error it goes on at the next item, so that one run
//! reports every broken item of a file.

use crate::ast::*;
use crate::diagnostics::{Diagnostic, Span};
use crate::lexer::{Tok, Token, lex};

type Res<T> = Result<T, Diagnostic>;

pub fn parse(file: u16, text: &str) -> (Vec<Item>, Vec<Diagnostic>) {
    let (tokens, mut problems) = lex(file, text);
    let mut parser = Parser::new(tokens);
    let mut items = Vec::new();
    while *parser.peek() != Tok::End {
        match parser.item() {
            Ok(item) => items.push(item),
            Err(problem) => {
                problems.push(problem);
                parser.skip_item();
            }
        }
    }
    (items, problems)
}

struct Parser {
    tokens: Vec<Token>,
    /// How deep each token is indented.
    levels: Vec<u16>,
    at: usize,
    depth: u16,
    /// Operators so far on this line: a long chain of them is a deep tree, too.
    operators: u16,
}

/// Expressions and blocks nested deeper than this are refused rather than risk the stack.
const MAX_NESTING: u16 = 60;
const MAX_OPERATORS: u16 = 250;

pub const QUANTIFIERS: [&str; 9] = ["any", "all", "count", "sum", "filter", "each", "highest", "lowest", "first"];

impl Parser {
    fn new(tokens: Vec<Token>) -> Parser {
        let mut level = 0u16;
        let levels = tokens.iter().map(|token| {
            match token.tok {
                Tok::Indent => level += 1,
                Tok::Dedent => level = level.saturating_sub(1),
                _ => {}
            }
            level
        });
        Parser { levels: levels.collect(), tokens, at: 0, depth: 0, operators: 0 }
    }
    fn peek(&self) -> &Tok {
        &self.tokens[self.at].tok
    }
    fn peek_at(&self, ahead: usize) -> &Tok {
        &self.tokens[(self.at + ahead).min(self.tokens.len() - 1)].tok
    }
    fn span(&self) -> Span {
        self.tokens[self.at].span
    }
    fn last_span(&self) -> Span {
        self.tokens[self.at.saturating_sub(1)].span
    }
    fn next(&mut self) -> Token {
        let token = self.tokens[self.at].clone();
        if self.at + 1 < self.tokens.len() {
            self.at += 1;
        }
        token
    }
    fn is(&self, word: &str) -> bool {
        matches!(self.peek(), Tok::Name(name) if name == word)
    }
    fn eat(&mut self, tok: &Tok) -> bool {
        let yes = self.peek() == tok;
        if yes {
            self.next();
        }
        yes
    }
    fn eat_word(&mut self, word: &str) -> bool {
        let yes = self.is(word);
        if yes {
            self.next();
        }
        yes
    }
    fn wrong<T>(&self, wanted: &str) -> Res<T> {
        Err(Diagnostic::new(self.span(), format!("expected {wanted}, found {}", self.peek().describe())))
    }
    fn expect(&mut self, tok: Tok) -> Res<()> {
        if self.eat(&tok) { Ok(()) } else { self.wrong(&tok.describe()) }
    }
    fn expect_word(&mut self, word: &str) -> Res<()> {
        if self.eat_word(word) { Ok(()) } else { self.wrong(&format!("`{word}`")) }
    }
    fn name(&mut self, what: &str) -> Res<Name> {
        let span = self.span();
        match self.peek().clone() {
            Tok::Name(text) => {
                self.next();
                Ok(Name { text, span })
            }
            _ => self.wrong(what),
        }
    }
    fn text(&mut self, what: &str) -> Res<Text> {
        let span = self.span();
        match self.peek().clone() {
            Tok::Str(text) => {
                self.next();
                Ok(Text { text, span })
            }
            _ => self.wrong(what),
        }
    }
    fn optional_text(&mut self) -> Option<Text> {
        if matches!(self.peek(), Tok::Str(_)) { self.text("a text").ok() } else { None }
    }
    fn int(&mut self) -> Res<i32> {
        let sign = if self.eat(&Tok::Minus) { -1 } else { 1 };
        match *self.peek() {
            Tok::Int(number) => {
                self.next();
                Ok(sign * number)
            }
            _ => self.wrong("a number"),
        }
    }
    fn names(&mut self, what: &str) -> Res<Vec<Name>> {
        let mut names = vec![self.name(what)?];
        while self.eat(&Tok::Comma) {
            names.push(self.name(what)?);
        }
        Ok(names)
    }
    fn cites(&mut self) -> Vec<Name> {
        let mut cites = Vec::new();
        while let Tok::Cite(text) = self.peek().clone() {
            cites.push(Name { text, span: self.span() });
            self.next();
        }
        cites
    }
    fn end_of_line(&mut self) -> Res<()> {
        self.operators = 0;
        self.expect(Tok::Newline)
    }
    /// Go one level deeper, unless that is too deep.
    fn deeper<T>(&mut self, inside: impl FnOnce(&mut Self) -> Res<T>) -> Res<T> {
        if self.depth >= MAX_NESTING {
            return Err(Diagnostic::new(self.span(), "this is nested too deep".into()));
        }
        self.depth += 1;
        let result = inside(self);
        self.depth -= 1;
        result
    }
    fn operator(&mut self) -> Res<()> {
        self.operators += 1;
        if self.operators > MAX_OPERATORS {
            return Err(Diagnostic::new(self.span(), "this line is too long: name its parts with `def` or `let`".into()));
        }
        Ok(())
    }

    /// After an error: go on behind the item it is in.
    fn skip_item(&mut self) {
        (self.depth, self.operators) = (0, 0);
        while *self.peek() != Tok::End {
            let before = self.next().tok;
            let fresh = matches!(before, Tok::Newline | Tok::Dedent) && self.levels[self.at] == 0;
            if fresh && !matches!(self.peek(), Tok::Dedent | Tok::Newline | Tok::Indent) {
                return;
            }
        }
    }

    // ---- items ----

    fn item(&mut self) -> Res<Item> {
        let start = self.span();
        // A line that does not start an item was indented by mistake or is left over from a broken one.
        if matches!(self.peek(), Tok::Indent | Tok::Dedent | Tok::Newline) {
            self.next();
            return Err(Diagnostic::new(start, "an item starts at the left margin".into()));
        }
        let head = self.name("an item such as `card`, `proc` or `zone`")?;
        let mut cites = Vec::new();
        let kind = match head.text.as_str() {
            "game" => ItemKind::Game { name: self.name("the short name of the game")?, title: self.text("the title of the game")?.text },
            "players" => ItemKind::Players(self.names("a player")?),
            "values" => ItemKind::Values(self.name("`time_order` or `add_multiply_set`")?),
            "words" => ItemKind::Words(self.names("a word")?),
            "calls" => {
                let says = self.text("what such a card calls itself")?.text;
                self.expect(Tok::Colon)?;
                ItemKind::Calls { says, words: self.names("a word")? }
            }
            "spelled" => ItemKind::Spelled { word: self.name("a word")?, says: self.text("how texts print it")?.text },
            "periods" => ItemKind::Periods(self.names("a period")?),
            "roles" => {
                let mut roles = Vec::new();
                loop {
                    roles.push((self.name("a role")?, self.optional_text().map(|text| text.text)));
                    if !self.eat(&Tok::Comma) {
                        break;
                    }
                }
                ItemKind::Roles(roles)
            }
            "classes" => ItemKind::Classes(self.names("a class of triggers")?),
            "enum" => {
                let name = self.name("the name of the enumeration")?;
                let proper = self.eat_word("proper");
                self.expect(Tok::Colon)?;
                ItemKind::Enum { name, proper, members: self.names("a member")? }
            }
            "apart" => {
                let name = self.name("an enumeration")?;
                let when_shared = self.eat_word("when");
                if when_shared {
                    self.expect_word("shared")?;
                }
                ItemKind::Apart { name, when_shared }
            }
            "zone" => self.zone()?,
            "counter" => self.counter()?,
            "stat" => self.stat()?,
            "var" | "shown" => {
                let shown = head.text == "shown";
                if shown {
                    self.expect_word("var")?;
                }
                let name = self.name("the name of the variable")?;
                let english = self.optional_text().map(|text| text.text);
                self.expect(Tok::Colon)?;
                let ty = self.name("a type")?;
                let init = if self.eat(&Tok::Equal) { Some(self.expr()?) } else { None };
                let period = if self.eat_word("for") { Some(self.name("a period")?) } else { None };
                ItemKind::Var { shown, name, english, ty, init, period }
            }
            "option" => {
                let name = self.name("the name of the option")?;
                let doc = self.text("what the option is about")?.text;
                self.expect(Tok::Colon)?;
                ItemKind::Option { name, doc, choices: self.names("a choice")? }
            }
            "event" | "quiet" => {
                let quiet = head.text == "quiet";
                if quiet {
                    self.expect_word("event")?;
                }
                let name = self.name("the name of the event")?;
                let params = self.params()?;
                ItemKind::Event { name, params, quiet, says: self.optional_text() }
            }
            "window" => {
                let name = self.name("the name of the window")?;
                let english = self.text("what the window is")?.text;
                let asking = if self.eat_word("asking") { Some(self.text("the question")?) } else { None };
                ItemKind::Window { name, english, asking }
            }
            "scope" => {
                let name = self.name("the name of the scope")?;
                let says = self.optional_text().map_or(String::new(), |text| text.text);
                self.expect_word("when")?;
                let test = self.expr()?;
                let subject = if self.eat_word("as") { Some(self.expr()?) } else { None };
                let own = if subject.is_some() { self.optional_text().map(|text| text.text) } else { None };
                let player = if self.eat_word("for") { Some(self.expr()?) } else { None };
                ItemKind::Scope { name, says, test, subject, own, player }
            }
            "permission" => {
                let name = self.name("the name of the permission")?;
                let params = self.params()?;
                ItemKind::Permission { name, params, says: self.text("what is permitted, such as \"{a} attack {d}\"")? }
            }
            "noun" => self.noun()?,
            "adjective" => {
                let name = self.name("an adjective")?;
                let english = self.optional_text().map(|text| text.text);
                self.expect(Tok::Colon)?;
                ItemKind::Adjective { name, english, test: self.expr()? }
            }
            "def" => {
                let name = self.name("the name of the function")?;
                let params = self.params()?;
                self.expect(Tok::Colon)?;
                let ty = self.name("the type of the result")?;
                let says = self.optional_text();
                self.expect(Tok::Equal)?;
                ItemKind::Def { name, params, ty, says, body: self.expr()? }
            }
            "deck" => ItemKind::Deck(self.require("require", &mut cites)?),
            "rule" => {
                let clause = self.clause()?;
                return Ok(Item { cites: clause.cites.clone(), span: start.to(self.last_span()), kind: ItemKind::Rule(clause) });
            }
            "timing" => return self.timing(start),
            "kind" => return self.ability_kind(start),
            "cost" => return self.cost(start),
            "proc" => return self.proc(start),
            "action" => return self.action(start),
            "template" => return self.template(start),
            "card" => return self.card(start),
            other => {
                let problem = Diagnostic::new(head.span, format!("`{other}` does not start an item"));
                let known = crate::table::ITEMS.iter().map(|item| item.name);
                return Err(match crate::diagnostics::nearest(other, known) {
                    Some(near) => problem.hint(format!("did you mean `{near}`?")),
                    None => problem,
                });
            }
        };
        cites.extend(self.cites());
        let span = start.to(self.last_span());
        self.end_of_line()?;
        Ok(Item { kind, span, cites })
    }

    fn params(&mut self) -> Res<Vec<Param>> {
        let mut params = Vec::new();
        if !self.eat(&Tok::Open) {
            return Ok(params);
        }
        while !self.eat(&Tok::Close) {
            let name = self.name("a parameter")?;
            self.expect(Tok::Colon)?;
            params.push(Param { name, ty: self.name("a type")? });
            if !self.eat(&Tok::Comma) && *self.peek() != Tok::Close {
                return self.wrong("`,` or `)`");
            }
        }
        Ok(params)
    }

    fn zone(&mut self) -> Res<ItemKind> {
        let name = self.name("the name of the zone")?;
        let english = self.optional_text().map(|text| text.text);
        let of_player = self.eat_word("of");
        if of_player {
            self.expect_word("player")?;
        }
        let mut traits = Vec::new();
        if self.eat(&Tok::Colon) {
            traits = self.names("a trait of the zone")?;
        }
        Ok(ItemKind::Zone { name, english, of_player, traits })
    }

    fn of_whom(&mut self) -> Res<bool> {
        self.expect_word("of")?;
        match self.name("`card` or `player`")? {
            name if name.text == "card" => Ok(false),
            name if name.text == "player" => Ok(true),
            name => Err(Diagnostic::new(name.span, "it belongs to a `card` or to a `player`".into())),
        }
    }

    fn counter(&mut self) -> Res<ItemKind> {
        let name = self.name("the name of the counter")?;
        let english = self.optional_text().map(|text| text.text);
        let of_player = self.of_whom()?;
        let mut traits = Vec::new();
        while let Tok::Name(word) = self.peek().clone() {
            let span = self.span();
            self.next();
            traits.push(match word.as_str() {
                "floor" => CounterTrait::Floor(self.int()?),
                "cap" => CounterTrait::Cap(self.int()?),
                "for" => CounterTrait::For(self.name("a period")?),
                "kept" => CounterTrait::Kept,
                "open" => CounterTrait::Open,
                _ => return Err(Diagnostic::new(span, format!("`{word}` is no trait of a counter")).hint("floor, cap, for, kept, open")),
            });
        }
        Ok(ItemKind::Counter { name, english, of_player, traits })
    }

    fn stat(&mut self) -> Res<ItemKind> {
        let name = self.name("the name of the value")?;
        let english = self.optional_text().map(|text| text.text);
        let of_player = self.of_whom()?;
        let what = if self.eat_word("for") {
            let name = self.name("a name for what it is a value for")?;
            self.expect(Tok::Colon)?;
            Some(Param { name, ty: self.name("a type")? })
        } else {
            None
        };
        let base = if self.eat_word("printed") {
            StatBase::Printed
        } else if self.eat_word("keyword") {
            StatBase::Keyword
        } else if self.eat_word("icon") {
            StatBase::Icon
        } else if self.eat_word("flag") {
            StatBase::Flag
        } else if self.eat_word("predicate") {
            StatBase::Predicate
        } else if self.eat(&Tok::Equal) {
            StatBase::Computed(self.expr()?)
        } else {
            StatBase::Plain
        };
        let floor = if self.eat_word("floor") { Some(self.int()?) } else { None };
        Ok(ItemKind::Stat { name, english, of_player, what, base, floor })
    }

    fn noun(&mut self) -> Res<ItemKind> {
        let name = self.name("a noun")?;
        self.expect(Tok::Slash)?;
        let plural = self.name("its plural")?;
        let english = match self.optional_text() {
            Some(one) => {
                self.expect(Tok::Slash)?;
                Some((one.text, self.text("the plural in English")?.text))
            }
            None => None,
        };
        self.expect_word("from")?;
        let from = self.expr()?;
        self.expect_word("where")?;
        Ok(ItemKind::Noun { name, plural, english, from, test: self.expr()? })
    }

    fn require(&mut self, word: &str, cites: &mut Vec<Name>) -> Res<Require> {
        let start = self.span();
        self.expect_word(word)?;
        let test = self.expr()?;
        self.expect_word("else")?;
        let reason = self.text("the reason of the refusal")?;
        let own = self.cites();
        cites.extend(own.iter().cloned());
        Ok(Require { test, reason, cites: own, span: start.to(self.last_span()) })
    }

    /// The lines of a declaration block, each started by a word; `do` opens the program.
    fn declaration(&mut self, line: &mut dyn FnMut(&mut Self, &str) -> Res<bool>) -> Res<Vec<Stmt>> {
        let mut body = Vec::new();
        if !self.eat(&Tok::Indent) {
            return Ok(body);
        }
        while !self.eat(&Tok::Dedent) {
            if *self.peek() == Tok::End {
                break;
            }
            if self.is("do") {
                self.next();
                self.expect(Tok::Colon)?;
                self.end_of_line()?;
                body = self.block()?;
                continue;
            }
            let word = match self.peek() {
                Tok::Name(word) => word.clone(),
                _ => return self.wrong("a line of the declaration"),
            };
            if !line(self, &word)? {
                return self.wrong("a line of the declaration");
            }
            self.end_of_line()?;
        }
        Ok(body)
    }

    /// `once per PERIOD [shared]`
    fn limit(&mut self) -> Res<Limit> {
        self.expect_word("once")?;
        self.expect_word("per")?;
        Ok(Limit { period: self.name("a period")?, shared: self.eat_word("shared") })
    }

    fn timing(&mut self, start: Span) -> Res<Item> {
        let name = self.name("the name of the timing")?;
        let says = self.optional_text().map_or(String::new(), |text| text.text);
        let mut cites = self.cites();
        self.end_of_line()?;
        let (mut windows, mut requires, mut limit, mut worth) = (Vec::new(), Vec::new(), None, None);
        self.declaration(&mut |p, word| {
            match word {
                "in" => {
                    p.next();
                    windows = p.names("a window")?;
                }
                "require" => requires.push(p.require("require", &mut cites)?),
                "once" => limit = Some(p.limit()?),
                "worth" => worth = Some(p.worth()?),
                _ => return Ok(false),
            }
            Ok(true)
        })?;
        let kind = ItemKind::Timing { name, says, windows, requires, limit, worth };
        Ok(Item { kind, span: start.to(self.last_span()), cites })
    }

    fn ability_kind(&mut self, start: Span) -> Res<Item> {
        let name = self.name("the name of the kind of ability")?;
        let says = self.optional_text().map_or(String::new(), |text| text.text);
        let cites = self.cites();
        self.end_of_line()?;
        let (mut scope, mut windows, mut costs, mut steps, mut step_cites) = (None, Vec::new(), Vec::new(), Vec::new(), Vec::new());
        self.declaration(&mut |p, word| {
            match word {
                "scope" => {
                    p.next();
                    scope = Some(p.name("a scope")?);
                }
                "in" => {
                    p.next();
                    windows = p.names("a window")?;
                }
                "pay" => costs = p.costs()?,
                "steps" => {
                    p.next();
                    loop {
                        let step = p.name("could, target, pay, respond or effect")?;
                        steps.push(match step.text.as_str() {
                            "could" => Step::Could,
                            "target" => {
                                let permission = matches!(p.peek(), Tok::Name(_));
                                Step::Target(if permission { Some(p.name("the permission that targets need")?) } else { None })
                            }
                            "pay" => Step::Pay,
                            "respond" => Step::Respond(p.name("the program that offers responses")?),
                            "effect" => Step::Effect,
                            _ => {
                                return Err(Diagnostic::new(step.span, "the steps are could, target, pay, respond NAME and effect".into()));
                            }
                        });
                        if !p.eat(&Tok::Comma) {
                            break;
                        }
                    }
                    step_cites = p.cites();
                }
                _ => return Ok(false),
            }
            Ok(true)
        })?;
        let Some(scope) = scope else { return Err(Diagnostic::new(name.span, "a kind of ability needs a `scope` line".into())) };
        let kind = ItemKind::Kind { name, says, scope, windows, costs, steps, step_cites };
        Ok(Item { kind, span: start.to(self.last_span()), cites })
    }

    fn cost(&mut self, start: Span) -> Res<Item> {
        let name = self.name("the name of the cost")?;
        let params = self.params()?;
        let says = self.text("the cost in English")?;
        let mut cites = self.cites();
        self.end_of_line()?;
        let mut requires = Vec::new();
        let body = self.declaration(&mut |p, word| {
            if word == "require" {
                requires.push(p.require("require", &mut cites)?);
            }
            Ok(word == "require")
        })?;
        let kind = ItemKind::Cost { name, params, says, requires, body };
        Ok(Item { kind, span: start.to(self.last_span()), cites })
    }

    fn proc(&mut self, start: Span) -> Res<Item> {
        let name = self.name("the name of the program")?;
        let params = self.params()?;
        let ty = if self.eat(&Tok::Colon) { Some(self.name("the type of the result")?) } else { None };
        let contains = self.eat_word("contains_faults");
        let says = self.optional_text();
        let cites = self.cites();
        self.end_of_line()?;
        self.expect(Tok::Indent)?;
        let could = if self.is("could") { Some(self.could()?) } else { None };
        let body = self.statements()?;
        let kind = ItemKind::Proc { name, params, ty, says, contains, could, body };
        Ok(Item { kind, span: start.to(self.last_span()), cites })
    }

    /// `could EXPR [else "reason"]`
    fn could(&mut self) -> Res<Require> {
        let start = self.span();
        self.expect_word("could")?;
        let test = self.expr()?;
        let nothing = Text { text: "nothing would come of it".into(), span: start };
        let reason = if self.eat_word("else") { self.text("the reason of the refusal")? } else { nothing };
        let cites = self.cites();
        let span = start.to(self.last_span());
        self.end_of_line()?;
        Ok(Require { test, reason, cites, span })
    }

    fn action(&mut self, start: Span) -> Res<Item> {
        let name = self.name("the name of the action")?;
        let mut params = Vec::new();
        if self.eat(&Tok::Open) {
            params.push(self.name("the card it is done with")?);
            if self.eat(&Tok::Comma) {
                params.push(self.name("the second card")?);
            }
            self.expect(Tok::Close)?;
        }
        let label = self.text("what the player reads")?;
        let mut cites = self.cites();
        self.end_of_line()?;
        let (mut from, mut to, mut windows, mut requires, mut limit) = (None, None, Vec::new(), Vec::new(), None);
        let (mut worth, mut usual, mut warning) = (None, None, None);
        let body = self.declaration(&mut |p, word| {
            match word {
                "in" => {
                    p.next();
                    windows = p.names("a window")?;
                }
                "from" => {
                    p.next();
                    from = Some(p.expr()?);
                }
                "usual" => {
                    p.next();
                    usual = Some(p.expr()?);
                }
                "to" => to = Some(p.require("to", &mut cites)?),
                "once" => limit = Some(p.limit()?),
                "require" => requires.push(p.require("require", &mut cites)?),
                "worth" => worth = Some(p.worth()?),
                "warning" => {
                    p.next();
                    warning = Some(p.text("what is given away")?);
                }
                _ => return Ok(false),
            }
            Ok(true)
        })?;
        let kind = ItemKind::Action(Action { name, params, to, usual, label, from, windows, requires, limit, worth, warning, body });
        Ok(Item { kind, span: start.to(self.last_span()), cites })
    }

    fn template(&mut self, start: Span) -> Res<Item> {
        let name = self.name("the name of the template")?;
        let params = self.params()?;
        let says = self.optional_text();
        let cites = self.cites();
        self.end_of_line()?;
        self.expect(Tok::Indent)?;
        let mut body = Vec::new();
        while !self.eat(&Tok::Dedent) {
            body.push(self.ability()?);
        }
        Ok(Item { kind: ItemKind::Template { name, params, says, body }, span: start.to(self.last_span()), cites })
    }

    fn card(&mut self, start: Span) -> Res<Item> {
        let title = self.text("the title of the card")?;
        let mut header = Vec::new();
        while matches!(self.peek(), Tok::Name(_)) {
            header.push(self.name("a word")?);
        }
        let words = if self.eat(&Tok::Colon) { self.names("a subtype")? } else { Vec::new() };
        let cites = self.cites();
        self.end_of_line()?;
        let mut card = Card {
            title,
            header,
            words,
            set: None,
            number: 0,
            rarity: None,
            reprints: Vec::new(),
            brings: Vec::new(),
            facts: Vec::new(),
            abilities: Vec::new(),
        };
        if self.eat(&Tok::Indent) {
            while !self.eat(&Tok::Dedent) {
                if self.is("set") {
                    self.next();
                    let set = self.name("the set")?;
                    let number = self.int()?.clamp(0, u16::MAX as i32) as u16;
                    let rarity = if matches!(self.peek(), Tok::Name(_)) { Some(self.name("a rarity")?) } else { None };
                    self.end_of_line()?;
                    if card.set.is_none() {
                        (card.set, card.number, card.rarity) = (Some(set), number, rarity);
                    } else {
                        card.reprints.push((set, number));
                    }
                } else if self.eat_word("brings") {
                    loop {
                        card.brings.push(self.text("the title of a card")?);
                        if !self.eat(&Tok::Comma) {
                            break;
                        }
                    }
                    self.end_of_line()?;
                } else if matches!(self.peek(), Tok::Name(_))
                    && matches!(self.peek_at(1), Tok::Int(_) | Tok::Newline | Tok::Comma | Tok::Minus)
                {
                    loop {
                        let fact = self.name("a number of the card, such as `power 3`")?;
                        let value = if matches!(self.peek(), Tok::Int(_) | Tok::Minus) { Some(self.int()?) } else { None };
                        card.facts.push((fact, value));
                        if !self.eat(&Tok::Comma) {
                            break;
                        }
                    }
                    self.end_of_line()?;
                } else {
                    card.abilities.push(self.ability()?);
                }
            }
        }
        Ok(Item { kind: ItemKind::Card(card), span: start.to(self.last_span()), cites })
    }

    // ---- abilities and clauses ----

    fn ability(&mut self) -> Res<Ability> {
        let start = self.span();
        if matches!(self.peek(), Tok::OpenPhrase) || self.is("when") || self.is("forbid") || self.is("allow") {
            return Ok(Ability::Clause(self.clause()?));
        }
        if self.is("in") {
            self.next();
            let scope = self.name("a scope")?;
            self.expect(Tok::Colon)?;
            self.end_of_line()?;
            self.expect(Tok::Indent)?;
            let mut abilities = Vec::new();
            while !self.eat(&Tok::Dedent) {
                abilities.push(self.deeper(Self::ability)?);
            }
            return Ok(Ability::In { scope, abilities });
        }
        if self.eat_word("treat_as") {
            let words = self.names("a subtype")?;
            self.end_of_line()?;
            return Ok(Ability::TreatAs(words));
        }
        match (self.peek(), self.peek_at(1)) {
            (Tok::Name(_), Tok::Open) if !self.is("each") => {
                let name = self.name("a template")?;
                let args = self.args()?;
                if self.is("gets") {
                    let expr = Expr { span: name.span, kind: Box::new(ExprKind::Call(name, args)) };
                    return Ok(Ability::Clause(self.gets(start, expr)?));
                }
                self.end_of_line()?;
                Ok(Ability::Template { name, args, span: start })
            }
            (Tok::Name(_), Tok::Newline) => {
                let name = self.name("a template")?;
                self.end_of_line()?;
                Ok(Ability::Template { name, args: Vec::new(), span: start })
            }
            (Tok::Name(_), Tok::Name(word)) if word == "gets" => Ok(Ability::Clause(self.clause()?)),
            (Tok::Name(_), Tok::Dot) => Ok(Ability::Clause(self.clause()?)),
            _ => Ok(Ability::Use(self.use_ability()?)),
        }
    }

    fn use_ability(&mut self) -> Res<Use> {
        let start = self.span();
        let kind = self.name("an ability")?;
        let timing = if matches!(self.peek(), Tok::Name(word) if !["pay", "require", "target"].contains(&word.as_str())) {
            Some(self.name("a timing")?)
        } else {
            None
        };
        let (mut targets, mut costs, mut requires) = (Vec::new(), Vec::new(), Vec::new());
        loop {
            if self.is("target") {
                targets.push(self.target()?);
            } else if self.is("pay") {
                costs.extend(self.costs()?);
            } else if self.is("require") {
                requires.push(self.require("require", &mut Vec::new())?);
            } else {
                break;
            }
        }
        self.expect(Tok::Colon)?;
        let body = self.block_or_line()?;
        Ok(Use { kind, timing, costs, requires, targets, body, span: start })
    }

    fn how_many(&mut self) -> Res<HowMany> {
        Ok(if self.eat_word("up") {
            self.expect_word("to")?;
            HowMany::UpTo(self.product()?)
        } else if self.eat_word("at") {
            self.expect_word("least")?;
            HowMany::AtLeast(self.product()?)
        } else if self.eat_word("any") {
            HowMany::Any
        } else if self.eat_word("exactly") {
            HowMany::Exactly(self.product()?)
        } else {
            HowMany::One
        })
    }

    /// `target [up to N | ...] NAME [to WORD] from LIST`
    fn target(&mut self) -> Res<Target> {
        self.expect_word("target")?;
        let how = self.how_many()?;
        let name = self.name("a name for the target")?;
        let purpose = if self.eat_word("to") { Some(self.name("what the target is chosen for")?) } else { None };
        self.expect_word("from")?;
        let from = self.expr()?;
        Ok(Target { name, how, purpose, from, cites: self.cites() })
    }

    /// `pay COST, COST(ARGS)`
    fn costs(&mut self) -> Res<Vec<(Name, Vec<Expr>)>> {
        self.expect_word("pay")?;
        let mut costs = Vec::new();
        loop {
            let cost = self.name("a cost")?;
            let args = if *self.peek() == Tok::Open { self.args()? } else { Vec::new() };
            costs.push((cost, args));
            if !self.eat(&Tok::Comma) {
                return Ok(costs);
            }
        }
    }

    /// One clause with its line end, or its block for a trigger.
    fn clause(&mut self) -> Res<Clause> {
        let start = self.span();
        if self.eat_word("when") {
            let event = self.name("an event")?;
            let params = self.binders()?;
            let test = if self.eat_word("if") { Some(self.expr()?) } else { None };
            let class = if self.eat_word("as") { Some(self.name("a class of triggers")?) } else { None };
            let cites = self.cites();
            self.expect(Tok::Colon)?;
            let span = start.to(self.last_span());
            let body = self.block_or_line()?;
            return Ok(Clause { kind: ClauseKind::When { event, params, test, class, body }, when: None, cites, span });
        }
        if self.is("forbid") || self.is("allow") {
            let allow = self.is("allow");
            self.next();
            let name = self.name("a permission")?;
            let params = self.binders()?;
            let test = if self.eat_word("when") { Some(self.expr()?) } else { None };
            let reason = if self.eat_word("else") { Some(self.text("the reason")?) } else { None };
            let when = if self.eat_word("while") { Some(self.expr()?) } else { None };
            let cites = self.cites();
            let span = start.to(self.last_span());
            self.end_of_line()?;
            return Ok(Clause { kind: ClauseKind::Permit { allow, name, params, test, reason }, when, cites, span });
        }
        let subject = self.expr()?;
        self.gets(start, subject)
    }

    fn gets(&mut self, start: Span, subject: Expr) -> Res<Clause> {
        self.expect_word("gets")?;
        let mut changes = Vec::new();
        loop {
            let stat = self.name("a value, such as `power`")?;
            let what = if self.eat(&Tok::Open) {
                let what = self.expr()?;
                self.expect(Tok::Close)?;
                Some(what)
            } else {
                None
            };
            let change = match self.next().tok {
                Tok::Plus => Change::Add,
                Tok::Minus => Change::Subtract,
                Tok::Star => Change::Multiply,
                Tok::Equal => Change::Set,
                Tok::AtLeast => Change::AtLeast,
                Tok::AtMost => Change::AtMost,
                _ => {
                    self.at -= 1;
                    return self.wrong("`+`, `-`, `*`, `=`, `>=` or `<=` and an amount");
                }
            };
            changes.push(Gets { stat, what, change, by: self.product()? });
            if !self.eat(&Tok::Comma) {
                break;
            }
        }
        let cumulative = self.eat_word("cumulatively");
        let when = if self.eat_word("while") { Some(self.expr()?) } else { None };
        let cites = self.cites();
        let span = start.to(self.last_span());
        self.end_of_line()?;
        Ok(Clause { kind: ClauseKind::Gets { subject, changes, cumulative }, when, cites, span })
    }

    fn binders(&mut self) -> Res<Vec<Name>> {
        let mut names = Vec::new();
        if self.eat(&Tok::Open) && !self.eat(&Tok::Close) {
            names = self.names("a name")?;
            self.expect(Tok::Close)?;
        }
        Ok(names)
    }

    // ---- statements ----

    fn block_or_line(&mut self) -> Res<Vec<Stmt>> {
        let span = self.span();
        let cites = self.cites();
        let mut body = if self.eat(&Tok::Newline) { self.block()? } else { vec![self.deeper(Self::statement)?] };
        if !cites.is_empty() {
            body.insert(0, Stmt { kind: StmtKind::Cite, cites, span });
        }
        Ok(body)
    }

    fn block(&mut self) -> Res<Vec<Stmt>> {
        self.expect(Tok::Indent)?;
        self.statements()
    }

    /// To the end of the block that is open.
    fn statements(&mut self) -> Res<Vec<Stmt>> {
        self.deeper(|parser| {
            let mut statements = Vec::new();
            while !parser.eat(&Tok::Dedent) {
                if *parser.peek() == Tok::End {
                    break;
                }
                statements.push(parser.statement()?);
            }
            Ok(statements)
        })
    }

    /// `[by PLAYER] [asking "..."] [labelled "..."] [warning "..."] [worth EXPR]`, in this order.
    fn question(&mut self) -> Res<Question> {
        let by = if self.eat_word("by") { Some(self.expr()?) } else { None };
        let asking = if self.eat_word("asking") { Some(self.text("the question")?) } else { None };
        let labelled = if self.eat_word("labelled") { Some(self.text("what an option is called")?) } else { None };
        let warning = if self.eat_word("warning") { Some(self.text("what is given away")?) } else { None };
        let worth = if self.is("worth") { Some(self.worth()?) } else { None };
        Ok(Question { by, asking, labelled, pass: None, warning, worth })
    }

    fn worth(&mut self) -> Res<Expr> {
        self.expect_word("worth")?;
        self.expr()
    }

    fn statement(&mut self) -> Res<Stmt> {
        let start = self.span();
        let mut cites = Vec::new();
        let word = match self.peek() {
            Tok::Name(word) => word.clone(),
            Tok::Cite(_) => {
                // A line of citations stands for the statements around it.
                let cites = self.cites();
                self.end_of_line()?;
                return Ok(Stmt { kind: StmtKind::Cite, cites, span: start });
            }
            _ => return self.wrong("a statement"),
        };
        let block_follows = matches!(self.peek_at(1), Tok::Assign | Tok::Dot | Tok::AddAssign | Tok::SubAssign);
        let kind = match word.as_str() {
            _ if block_follows => self.simple_statement()?,
            "if" => {
                self.next();
                let test = self.expr()?;
                cites.extend(self.cites());
                self.expect(Tok::Colon)?;
                let mut arms = vec![(test, self.block_or_line()?)];
                let mut otherwise = None;
                loop {
                    if self.is("elif") {
                        self.next();
                        let test = self.expr()?;
                        cites.extend(self.cites());
                        self.expect(Tok::Colon)?;
                        arms.push((test, self.block_or_line()?));
                    } else if self.is("else") {
                        self.next();
                        cites.extend(self.cites());
                        self.expect(Tok::Colon)?;
                        otherwise = Some(self.block_or_line()?);
                        break;
                    } else {
                        break;
                    }
                }
                return Ok(Stmt { kind: StmtKind::If(arms, otherwise), cites, span: start.to(self.last_span()) });
            }
            "unless" | "while" | "for" | "may" | "then" => {
                self.next();
                let kind = match word.as_str() {
                    "for" => {
                        let name = self.name("a name for the item")?;
                        self.expect_word("in")?;
                        let list = self.expr()?;
                        cites.extend(self.cites());
                        self.expect(Tok::Colon)?;
                        StmtKind::For(name, list, self.block_or_line()?)
                    }
                    "may" => {
                        let question = self.question()?;
                        cites.extend(self.cites());
                        self.expect(Tok::Colon)?;
                        StmtKind::May { question, body: self.block_or_line()? }
                    }
                    "then" => {
                        cites.extend(self.cites());
                        self.expect(Tok::Colon)?;
                        StmtKind::Then(self.block_or_line()?)
                    }
                    _ => {
                        let test = self.expr()?;
                        cites.extend(self.cites());
                        self.expect(Tok::Colon)?;
                        let body = self.block_or_line()?;
                        if word == "unless" { StmtKind::Unless(test, body) } else { StmtKind::While(test, body) }
                    }
                };
                return Ok(Stmt { kind, cites, span: start.to(self.last_span()) });
            }
            "choose"
                if matches!(self.peek_at(1), Tok::Name(one) if one == "one")
                    && !matches!(self.peek_at(2), Tok::Name(from) if from == "from") =>
            {
                self.next();
                self.next();
                let question = self.question()?;
                cites.extend(self.cites());
                self.expect(Tok::Colon)?;
                self.end_of_line()?;
                self.expect(Tok::Indent)?;
                let mut branches = Vec::new();
                while !self.eat(&Tok::Dedent) {
                    let label = self.text("the text of a choice")?;
                    let test = if self.eat_word("if") { Some(self.expr()?) } else { None };
                    self.expect(Tok::Colon)?;
                    branches.push((label, test, self.block_or_line()?));
                }
                return Ok(Stmt { kind: StmtKind::OneOf { question, branches }, cites, span: start.to(self.last_span()) });
            }
            "until" => {
                self.next();
                let period = self.name("a period")?;
                self.expect(Tok::Colon)?;
                let clause = self.clause()?;
                cites.extend(clause.cites.iter().cloned());
                return Ok(Stmt { kind: StmtKind::Until(period, clause), cites, span: start.to(self.last_span()) });
            }
            "once" => {
                self.next();
                self.expect(Tok::Colon)?;
                if !self.is("when") {
                    return self.wrong("`when`");
                }
                let clause = self.clause()?;
                return Ok(Stmt { kind: StmtKind::Once(clause), cites, span: start.to(self.last_span()) });
            }
            _ => self.simple_statement()?,
        };
        cites.extend(self.cites());
        let span = start.to(self.last_span());
        self.end_of_line()?;
        Ok(Stmt { kind, cites, span })
    }

    /// A statement that ends with its line.
    fn simple_statement(&mut self) -> Res<StmtKind> {
        let word = match self.peek() {
            Tok::Name(word) => word.clone(),
            _ => return self.wrong("a statement"),
        };
        let follows_name = matches!(self.peek_at(1), Tok::Name(_));
        Ok(match word.as_str() {
            "let" if follows_name => {
                self.next();
                let name = self.name("a name")?;
                self.expect(Tok::Equal)?;
                StmtKind::Let(name, self.expr()?)
            }
            "return" => {
                self.next();
                let value = if matches!(self.peek(), Tok::Newline | Tok::Cite(_)) { None } else { Some(self.expr()?) };
                StmtKind::Return(value)
            }
            "choose" => {
                self.next();
                let how = self.how_many()?;
                let name = self.name("a name for what is chosen")?;
                self.expect_word("from")?;
                let from = self.expr()?;
                let mut how = how;
                let mut pass = None;
                if self.eat_word("or") {
                    let span = self.span();
                    self.expect_word("none")?;
                    pass = self.optional_text();
                    how = match how {
                        HowMany::One => HowMany::OneOrNone,
                        HowMany::UpTo(_) | HowMany::Any => how,
                        _ => return Err(Diagnostic::new(span, "so many must be chosen: `none` is no answer".into())),
                    };
                }
                StmtKind::Choose { name, how, from, question: Question { pass, ..self.question()? } }
            }
            "number" if follows_name => {
                self.next();
                let name = self.name("a name for the number")?;
                self.expect_word("from")?;
                let least = self.sum()?;
                self.expect_word("to")?;
                let most = self.sum()?;
                StmtKind::Number { name, least, most, question: self.question()? }
            }
            "order" if follows_name => {
                self.next();
                let name = self.name("a name for the order")?;
                self.expect_word("from")?;
                let from = self.expr()?;
                StmtKind::Order { name, from, question: self.question()? }
            }
            "emit" if follows_name => {
                self.next();
                let name = self.name("an event")?;
                let args = if *self.peek() == Tok::Open { self.args()? } else { Vec::new() };
                StmtKind::Emit(name, args)
            }
            "end" if follows_name => {
                self.next();
                StmtKind::End(self.name("a period")?)
            }
            "run" if follows_name => {
                self.next();
                StmtKind::Run(self.expr()?)
            }
            "resolve" if follows_name => {
                self.next();
                StmtKind::Resolve(self.expr()?)
            }
            "win" if follows_name => {
                self.next();
                StmtKind::Win(self.expr()?)
            }
            _ => {
                let target = self.expr()?;
                let change = match self.peek() {
                    Tok::Assign => Change::Set,
                    Tok::AddAssign => Change::Add,
                    Tok::SubAssign => Change::Subtract,
                    _ => return Ok(StmtKind::Call(target)),
                };
                self.next();
                StmtKind::Assign(target, change, self.expr()?)
            }
        })
    }

    // ---- expressions, loosest first ----

    fn expr(&mut self) -> Res<Expr> {
        self.deeper(Self::disjunction)
    }

    fn bin(op: Bin, a: Expr, b: Expr) -> Expr {
        let span = a.span.to(b.span);
        Expr { kind: Box::new(ExprKind::Bin(op, a, b)), span }
    }

    fn disjunction(&mut self) -> Res<Expr> {
        let mut left = self.conjunction()?;
        // `choose ... or none` is the statement's own.
        while self.is("or") && !matches!(self.peek_at(1), Tok::Name(word) if word == "none") {
            self.next();
            self.operator()?;
            left = Self::bin(Bin::Or, left, self.conjunction()?);
        }
        Ok(left)
    }

    fn conjunction(&mut self) -> Res<Expr> {
        let mut left = self.negation()?;
        while self.eat_word("and") {
            self.operator()?;
            left = Self::bin(Bin::And, left, self.negation()?);
        }
        Ok(left)
    }

    fn negation(&mut self) -> Res<Expr> {
        let start = self.span();
        let mut negated = false;
        while self.eat_word("not") {
            negated = !negated;
        }
        let inner = self.comparison()?;
        if negated {
            return Ok(Expr { span: start.to(inner.span), kind: Box::new(ExprKind::Not(inner)) });
        }
        Ok(inner)
    }

    fn comparison(&mut self) -> Res<Expr> {
        let left = self.sum()?;
        if self.is("is") {
            self.next();
            let negated = self.eat_word("not");
            let word = self.name("a word, such as `Jedi`")?;
            return Ok(Expr { span: left.span.to(word.span), kind: Box::new(ExprKind::Is(left, word, negated)) });
        }
        let op = match self.peek() {
            Tok::Equal => Bin::Eq,
            Tok::NotEqual => Bin::Ne,
            Tok::Less => Bin::Lt,
            Tok::AtMost => Bin::Le,
            Tok::More => Bin::Gt,
            Tok::AtLeast => Bin::Ge,
            Tok::Name(word) if word == "in" => Bin::In,
            _ => return Ok(left),
        };
        self.next();
        Ok(Self::bin(op, left, self.sum()?))
    }

    fn sum(&mut self) -> Res<Expr> {
        let mut left = self.product()?;
        loop {
            let op = match self.peek() {
                Tok::Plus => Bin::Add,
                Tok::Minus => Bin::Sub,
                Tok::Join => Bin::Join,
                _ => return Ok(left),
            };
            self.next();
            self.operator()?;
            left = Self::bin(op, left, self.product()?);
        }
    }

    fn product(&mut self) -> Res<Expr> {
        let mut left = self.postfix()?;
        loop {
            let op = match self.peek() {
                Tok::Star => Bin::Mul,
                Tok::Slash => Bin::Div,
                _ => return Ok(left),
            };
            self.next();
            self.operator()?;
            left = Self::bin(op, left, self.postfix()?);
        }
    }

    fn postfix(&mut self) -> Res<Expr> {
        let mut inner = self.atom()?;
        while self.eat(&Tok::Dot) {
            self.operator()?;
            let field = self.name("a property")?;
            inner = Expr { span: inner.span.to(field.span), kind: Box::new(ExprKind::Field(inner, field)) };
        }
        Ok(inner)
    }

    fn args(&mut self) -> Res<Vec<Expr>> {
        self.expect(Tok::Open)?;
        let mut args = Vec::new();
        while !self.eat(&Tok::Close) {
            args.push(self.expr()?);
            if !self.eat(&Tok::Comma) && *self.peek() != Tok::Close {
                return self.wrong("`,` or `)`");
            }
        }
        Ok(args)
    }

    fn atom(&mut self) -> Res<Expr> {
        let start = self.span();
        let kind = match self.peek().clone() {
            Tok::Int(number) => {
                self.next();
                if self.eat(&Tok::Range) {
                    let low = Expr { kind: Box::new(ExprKind::Int(number)), span: start };
                    ExprKind::Range(low, self.deeper(Self::sum)?)
                } else {
                    ExprKind::Int(number)
                }
            }
            Tok::Minus => {
                self.next();
                ExprKind::Neg(self.deeper(Self::postfix)?)
            }
            Tok::Str(text) => {
                self.next();
                ExprKind::Str(text)
            }
            Tok::Open => {
                self.next();
                let inner = self.expr()?;
                self.expect(Tok::Close)?;
                return Ok(Expr { span: start.to(self.last_span()), ..inner });
            }
            Tok::OpenPhrase => {
                self.next();
                ExprKind::Phrase(self.phrase()?)
            }
            Tok::Name(word) => match word.as_str() {
                "if" => {
                    self.next();
                    let test = self.expr()?;
                    self.expect_word("then")?;
                    let yes = self.expr()?;
                    self.expect_word("else")?;
                    ExprKind::If(test, yes, self.expr()?)
                }
                "can" => {
                    self.next();
                    let name = self.name("a permission")?;
                    let args = if *self.peek() == Tok::Open { self.args()? } else { Vec::new() };
                    ExprKind::Can(name, args)
                }
                "list" if *self.peek_at(1) == Tok::Open => {
                    self.next();
                    ExprKind::List(self.args()?)
                }
                _ => {
                    let name = self.name("a name")?;
                    let quantifies = QUANTIFIERS.contains(&word.as_str())
                        && *self.peek() == Tok::Open
                        && matches!(self.peek_at(1), Tok::Name(_))
                        && matches!(self.peek_at(2), Tok::Name(word) if word == "in");
                    if quantifies {
                        self.next();
                        let var = self.name("a name for the item")?;
                        self.expect_word("in")?;
                        let list = self.expr()?;
                        let test = if self.eat_word("where") { Some(self.expr()?) } else { None };
                        let value = if self.eat(&Tok::Colon) { Some(self.expr()?) } else { None };
                        self.expect(Tok::Close)?;
                        ExprKind::Quantify { which: name, var, list, test, value }
                    } else if *self.peek() == Tok::Open {
                        ExprKind::Call(name, self.args()?)
                    } else {
                        ExprKind::Name(name.text)
                    }
                }
            },
            _ => return self.wrong("a value"),
        };
        Ok(Expr { kind: Box::new(kind), span: start.to(self.last_span()) })
    }

    fn phrase(&mut self) -> Res<Phrase> {
        let mut phrase = Phrase { owner: None, other: false, words: Vec::new(), zone: None, named: None, with: None };
        loop {
            if self.eat(&Tok::ClosePhrase) {
                return Ok(phrase);
            }
            if self.eat_word("your") {
                phrase.owner = Some(Owner::Your);
            } else if self.eat_word("opponents") {
                phrase.owner = Some(Owner::Opponents);
            } else if self.eat_word("other") {
                phrase.other = true;
            } else if self.eat_word("in") {
                phrase.zone = Some(self.deeper(Self::sum)?);
            } else if self.eat_word("named") {
                phrase.named = Some(self.text("the name of a card")?);
            } else if self.eat_word("with") {
                phrase.with = Some(self.expr()?);
            } else if self.eat_word("not") {
                phrase.words.push(PhraseWord::Not(self.name("a word")?));
            } else {
                let first = self.name("a word of the phrase or `]`")?;
                if *self.peek() == Tok::Bar {
                    let mut names = vec![first];
                    while self.eat(&Tok::Bar) {
                        names.push(self.name("a word")?);
                    }
                    phrase.words.push(PhraseWord::AnyOf(names));
                } else {
                    phrase.words.push(PhraseWord::Is(first));
                }
            }
        }
    }
}

/// A lone expression inside a text. All of it is placed at the text.
pub fn parse_expr(at: Span, text: &str) -> Res<Expr> {
    let (mut tokens, problems) = lex(at.file, text);
    if let Some(problem) = problems.into_iter().next() {
        return Err(Diagnostic { span: at, ..problem });
    }
    tokens.iter_mut().for_each(|token| token.span = at);
    let mut parser = Parser::new(tokens);
    let expr = parser.expr()?;
    parser.end_of_line()?;
    Ok(expr)
}
