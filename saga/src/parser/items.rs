//! Items: what the rules declare, and cards.

use super::{Parser, Res};
use crate::ast::*;
use crate::diagnostics::{Diagnostic, Span, nearest};
use crate::lexer::Tok;
use crate::own;
use crate::table;

impl Parser {
    pub(super) fn item(&mut self) -> Res<Item> {
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
            "calls" => self.calls()?,
            "spelled" => ItemKind::Spelled { word: self.name("a word")?, says: self.text("how texts print it")?.text },
            "periods" => ItemKind::Periods(self.names("a period")?),
            "roles" => self.roles()?,
            "classes" => ItemKind::Classes(self.names("a class of triggers")?),
            "enum" => self.enumeration()?,
            "apart" => self.apart()?,
            "needs" => self.needs()?,
            "lies" => self.lies()?,
            "zone" => self.zone()?,
            "counter" => self.counter(false)?,
            "field" => self.field()?,
            "stat" => self.stat(false)?,
            "var" => self.variable(false)?,
            "shown" => match self.name("`var`, `stat` or `counter`")? {
                name if name.text == "counter" => self.counter(true)?,
                name if name.text == "var" => self.variable(true)?,
                name if name.text == "stat" => self.stat(true)?,
                name => {
                    return Err(Diagnostic::new(
                        name.span,
                        "what can be shown is a variable, a value or a counter: `shown var`, `shown stat`, `shown counter`".into(),
                    ));
                }
            },
            "option" => self.option()?,
            "event" => self.event()?,
            "window" => self.window()?,
            "scope" => self.scope()?,
            "permission" => self.permission()?,
            "noun" => self.noun()?,
            "adjective" => self.adjective()?,
            "def" => return self.function(start),
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
            _ => return Err(no_item(&head)),
        };
        cites.extend(self.cites());
        let span = start.to(self.last_span());
        self.end_of_line()?;
        Ok(Item { kind, span, cites })
    }

    fn calls(&mut self) -> Res<ItemKind> {
        let says = self.text("what such a card calls itself")?.text;
        self.expect(Tok::Colon)?;
        Ok(ItemKind::Calls { says, words: self.names("a word")? })
    }

    fn roles(&mut self) -> Res<ItemKind> {
        let mut roles = Vec::new();
        loop {
            roles.push((self.name("a role")?, self.optional_text().map(|text| text.text)));
            if !self.eat(&Tok::Comma) {
                break;
            }
        }
        Ok(ItemKind::Roles(roles))
    }

    fn enumeration(&mut self) -> Res<ItemKind> {
        let name = self.name("the name of the enumeration")?;
        let also = self.eat_word("also");
        let proper = !also && self.eat_word("proper");
        let alone = !also && self.eat_word("alone");
        let several = !also && self.eat_word("several");
        self.expect(Tok::Colon)?;
        Ok(ItemKind::Enum { name, also, proper, alone, several, members: self.names("a member")? })
    }

    /// `apart ENUM [when shared], ...`
    fn apart(&mut self) -> Res<ItemKind> {
        let mut enums = Vec::new();
        loop {
            let name = self.name("an enumeration or `set`")?;
            let when_shared = self.eat_word("when");
            if when_shared {
                self.expect_word("shared")?;
            }
            enums.push((name, when_shared));
            if !self.eat(&Tok::Comma) {
                return Ok(ItemKind::Apart(enums));
            }
        }
    }

    fn needs(&mut self) -> Res<ItemKind> {
        let mut of = Vec::new();
        while !self.eat(&Tok::Colon) {
            let without = self.eat_word("not");
            of.push((self.name("a word")?, without));
        }
        Ok(ItemKind::Needs { of, numbers: self.names("a number of cards")? })
    }

    fn lies(&mut self) -> Res<ItemKind> {
        let words = self.names("a word")?;
        self.expect(Tok::Colon)?;
        Ok(ItemKind::Lies { words, zones: self.names("a zone")? })
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

    fn counter(&mut self, shown: bool) -> Res<ItemKind> {
        let name = self.name("the name of the counter")?;
        let english = self.optional_text().map(|text| text.text);
        let of_player = self.of_whom()?;
        Ok(ItemKind::Counter { shown, name, english, of_player, traits: self.traits("counter", &["floor", "cap", "for", "kept", "open"])? })
    }

    fn traits(&mut self, of: &str, known: &[&str]) -> Res<Vec<CounterTrait>> {
        let mut traits = Vec::new();
        while let Tok::Name(word) = self.peek().clone() {
            let span = self.span();
            self.next();
            traits.push(match word.as_str() {
                word if !known.contains(&word) => {
                    return Err(Diagnostic::new(span, format!("`{word}` is no trait of a {of}")).hint(known.join(", ")));
                }
                "floor" => CounterTrait::Floor(self.int()?),
                "cap" => CounterTrait::Cap(self.int()?),
                "for" => CounterTrait::For(self.name("a period")?),
                "kept" => CounterTrait::Kept,
                _ => CounterTrait::Open,
            });
        }
        Ok(traits)
    }

    /// `field NAME of card: TYPE [for PERIOD] [kept] [open]`
    fn field(&mut self) -> Res<ItemKind> {
        let name = self.name("the name of the field")?;
        self.expect_word("of")?;
        self.expect_word("card")?;
        self.expect(Tok::Colon)?;
        let ty = self.name("a type")?;
        Ok(ItemKind::Field { name, ty, traits: self.traits("field", &["for", "kept", "open"])? })
    }

    fn stat(&mut self, shown: bool) -> Res<ItemKind> {
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
        Ok(ItemKind::Stat { shown, name, english, of_player, what, base, floor })
    }

    fn of_whom(&mut self) -> Res<bool> {
        self.expect_word("of")?;
        match self.name("`card` or `player`")? {
            name if name.text == "card" => Ok(false),
            name if name.text == "player" => Ok(true),
            name => Err(Diagnostic::new(name.span, "it belongs to a `card` or to a `player`".into())),
        }
    }

    fn variable(&mut self, shown: bool) -> Res<ItemKind> {
        let name = self.name("the name of the variable")?;
        let english = self.optional_text().map(|text| text.text);
        let of_player = self.is("of") && self.of_whom()?;
        self.expect(Tok::Colon)?;
        let ty = self.name("a type")?;
        let init = if self.eat(&Tok::Equal) { Some(self.expr()?) } else { None };
        let period = if self.eat_word("for") { Some(self.name("a period")?) } else { None };
        Ok(ItemKind::Var { shown, name, english, of_player, ty, init, period })
    }

    fn option(&mut self) -> Res<ItemKind> {
        let name = self.name("the name of the option")?;
        let doc = self.text("what the option is about")?.text;
        self.expect(Tok::Colon)?;
        Ok(ItemKind::Option { name, doc, choices: self.names("a choice")? })
    }

    /// `event NAME(...) ["log line"] [as TONE] [quiet [if EXPR]] [shows SIGHT(...)]`
    fn event(&mut self) -> Res<ItemKind> {
        let name = self.name("the name of the event")?;
        let params = self.params()?;
        let says = self.optional_text();
        let tone = if self.eat_word("as") { Some(self.name("a tone")?) } else { None };
        let quiet = match self.eat_word("quiet") {
            true if self.eat_word("if") => Some(Quiet::If(self.expr()?)),
            true => Some(Quiet::Always),
            false => None,
        };
        let mut shows = None;
        if self.eat_word("shows") {
            let sight = self.name("what is seen")?;
            self.expect(Tok::Open)?;
            let of = self.names("a parameter of the event")?;
            self.expect(Tok::Close)?;
            shows = Some((sight, of));
        }
        Ok(ItemKind::Event { name, params, says, told: Told { tone, quiet, shows } })
    }

    fn window(&mut self) -> Res<ItemKind> {
        let name = self.name("the name of the window")?;
        let english = self.text("what the window is")?.text;
        let asking = if self.eat_word("asking") { Some(self.text("the question")?) } else { None };
        let until = if self.eat_word("until") { Some(self.expr()?) } else { None };
        Ok(ItemKind::Window { name, english, asking, until })
    }

    fn scope(&mut self) -> Res<ItemKind> {
        let name = self.name("the name of the scope")?;
        let says = self.optional_text().map_or(String::new(), |text| text.text);
        self.expect_word("when")?;
        let test = self.expr()?;
        let subject = if self.eat_word("as") { Some(self.expr()?) } else { None };
        let own = if subject.is_some() { self.optional_text().map(|text| text.text) } else { None };
        let player = if self.eat_word("for") { Some(self.expr()?) } else { None };
        Ok(ItemKind::Scope { name, says, test, subject, own, player })
    }

    fn permission(&mut self) -> Res<ItemKind> {
        let name = self.name("the name of the permission")?;
        let params = self.params()?;
        Ok(ItemKind::Permission { name, params, says: self.text("what is permitted, such as \"{a} attack {d}\"")? })
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
        let unsaid = if self.eat_word("unsaid") { self.names("a word")? } else { Vec::new() };
        self.expect_word("from")?;
        let from = self.expr()?;
        self.expect_word("where")?;
        Ok(ItemKind::Noun { name, plural, english, unsaid, from, test: self.expr()? })
    }

    fn adjective(&mut self) -> Res<ItemKind> {
        let name = self.name("an adjective")?;
        let english = self.optional_text().map(|text| text.text);
        self.expect(Tok::Colon)?;
        Ok(ItemKind::Adjective { name, english, test: self.expr()? })
    }

    /// `def NAME(...): TYPE ["..."] = EXPR`, and perhaps `where:` with a line for each part that has a name.
    fn function(&mut self, start: Span) -> Res<Item> {
        let name = self.name("the name of the function")?;
        let params = self.params()?;
        self.expect(Tok::Colon)?;
        let ty = self.name("the type of the result")?;
        let says = self.optional_text();
        self.expect(Tok::Equal)?;
        let body = self.expr()?;
        let cites = self.cites();
        let mut parts = Vec::new();
        if self.eat_word("where") {
            self.expect(Tok::Colon)?;
            self.end_of_line()?;
            self.expect(Tok::Indent)?;
            while !self.eat(&Tok::Dedent) {
                let part = self.name("a name for a part")?;
                self.expect(Tok::Equal)?;
                parts.push((part, self.expr()?));
                self.end_of_line()?;
            }
        } else {
            self.end_of_line()?;
        }
        Ok(Item { kind: ItemKind::Def { name, params, ty, says, body, parts }, span: start.to(self.last_span()), cites })
    }

    fn params(&mut self) -> Res<Vec<Param>> {
        self.listed(Self::param)
    }

    fn param(&mut self) -> Res<Param> {
        let name = self.name("a parameter")?;
        self.expect(Tok::Colon)?;
        Ok(Param { name, ty: self.name("a type")? })
    }

    /// What stands in brackets, where there are any, with commas between.
    fn listed<T>(&mut self, one: impl Fn(&mut Self) -> Res<T>) -> Res<Vec<T>> {
        let mut all = Vec::new();
        if !self.eat(&Tok::Open) {
            return Ok(all);
        }
        while !self.eat(&Tok::Close) {
            all.push(one(self)?);
            if !self.eat(&Tok::Comma) && *self.peek() != Tok::Close {
                return self.wrong("`,` or `)`");
            }
        }
        Ok(all)
    }

    fn timing(&mut self, start: Span) -> Res<Item> {
        let name = self.name("the name of the timing")?;
        let params = self.timing_params()?;
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
        let kind = ItemKind::Timing { name, params, says, windows, requires, limit, worth };
        Ok(Item { kind, span: start.to(self.last_span()), cites })
    }

    /// `(NAME: TYPE, NAME: TYPE = EXPR)`
    fn timing_params(&mut self) -> Res<Vec<(Param, Option<Expr>)>> {
        self.listed(|parser| {
            let param = parser.param()?;
            let tells = if parser.eat(&Tok::Equal) { Some(parser.expr()?) } else { None };
            Ok((param, tells))
        })
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
        let ty = if self.eat(&Tok::Colon) { Some(self.name("the type of what it takes")?) } else { None };
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
        let kind = ItemKind::Cost { name, params, ty, says, requires, body };
        Ok(Item { kind, span: start.to(self.last_span()), cites })
    }

    fn proc(&mut self, start: Span) -> Res<Item> {
        let name = self.name("the name of the program")?;
        let params = self.params()?;
        let ty = if self.eat(&Tok::Colon) { Some(self.name("the type of the result")?) } else { None };
        let contains = self.eat_word("contains_faults");
        let says = self.optional_text();
        let would = if self.eat_word("would") { Some(self.text("what would happen, such as \"{c} would be lost\"")?) } else { None };
        let cites = self.cites();
        self.end_of_line()?;
        self.expect(Tok::Indent)?;
        let could = if self.is("could") { Some(self.could()?) } else { None };
        let body = self.statements()?;
        let kind = ItemKind::Proc { name, params, ty, says, would, contains, could, body };
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
            lore: Vec::new(),
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
                } else if self.is("lore") && matches!(self.peek_at(1), Tok::Name(_)) {
                    self.next();
                    card.lore.extend(self.names("a word of its lore")?);
                    self.end_of_line()?;
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
                } else if self.owns_item() {
                    let item = self.item()?;
                    self.owned.push(item);
                } else {
                    card.abilities.push(self.ability()?);
                }
            }
        }
        Ok(Item { kind: ItemKind::Card(card), span: start.to(self.last_span()), cites })
    }

    /// Whether a line of a card is a definition of its own.
    fn owns_item(&self) -> bool {
        let head = matches!(self.peek(), Tok::Name(word) if own::ITEMS.contains(&word.as_str()));
        head && (self.is("rule") || matches!(self.peek_at(1), Tok::Name(_)))
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

    pub(super) fn require(&mut self, word: &str, cites: &mut Vec<Name>) -> Res<Require> {
        let start = self.span();
        self.expect_word(word)?;
        let test = self.expr()?;
        self.expect_word("else")?;
        let reason = self.text("the reason of the refusal")?;
        let own = self.cites();
        cites.extend(own.iter().cloned());
        Ok(Require { test, reason, cites: own, span: start.to(self.last_span()) })
    }

    /// `once per PERIOD [shared]`
    pub(super) fn limit(&mut self) -> Res<Limit> {
        self.expect_word("once")?;
        self.expect_word("per")?;
        Ok(Limit { period: self.name("a period")?, shared: self.eat_word("shared") })
    }
}

fn no_item(head: &Name) -> Diagnostic {
    let problem = Diagnostic::new(head.span, format!("`{}` does not start an item", head.text));
    match nearest(&head.text, table::ITEMS.iter().map(|item| item.name)) {
        Some(near) => problem.hint(format!("did you mean `{near}`?")),
        None => problem,
    }
}
