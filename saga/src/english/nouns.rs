//! Things: what an expression is called, and what a phrase says.

use super::amounts::each_of;
use super::said::{Amount, Number, Person, Said, Thing, alternatives};
use super::words::{article, for_many, joined, plural_of};
use super::{English, Owner};
use crate::ast::*;
use crate::compile::spaced;
use crate::diagnostics::Span;
use crate::types::Ty;

impl English<'_> {
    pub(super) fn noun(&mut self, expr: &Expr, number: Number) -> Said {
        match &*expr.kind {
            ExprKind::Int(n) => Said::number(*n),
            ExprKind::Str(title) => Said::one(title.clone()),
            ExprKind::Name(name) => self.name(name, number),
            ExprKind::Field(of, field) => self.field(of, field, number),
            ExprKind::Phrase(phrase) => self.phrase(phrase).said(number),
            ExprKind::Call(name, args) => self.call(name, args, number),
            ExprKind::Bin(Bin::Mul, a, b) => self.times(a, b),
            ExprKind::Bin(op @ (Bin::Add | Bin::Sub | Bin::Div), a, b) => {
                let (a, b) = (self.noun(a, Number::One).text, self.noun(b, Number::One));
                let between = match op {
                    Bin::Add => "plus",
                    Bin::Sub => "minus",
                    _ => "divided by",
                };
                Said::value(match b.amount {
                    _ if b.text == "0" && *op != Bin::Div => a,
                    Some(Amount::Or(..)) => format!("{a} ({between} {})", b.text),
                    _ => format!("{a} {between} {}", b.text),
                })
            }
            ExprKind::Bin(Bin::Join, a, b) => {
                let (a, b) = (self.noun(a, number).text, self.noun(b, number).text);
                // Each of several is one, but two names are two.
                let both = format!("{a} and {b}");
                if number == Number::Each && both.starts_with("each ") { Said::one(both) } else { Said::many(both) }
            }
            ExprKind::Neg(inner) => match (self.noun(inner, Number::One), &*inner.kind) {
                (_, ExprKind::Int(n)) => Said::number(-n),
                (said, _) => Said::value(format!("minus {}", said.text)),
            },
            ExprKind::If(test, a, b) => self.either(test, a, b),
            ExprKind::Quantify { which, var, list, test, value } => {
                self.quantified(&which.text, var, list, test.as_ref(), value.as_ref(), number)
            }
            ExprKind::List(items) => {
                let items: Vec<String> = items.iter().map(|item| self.noun(item, number).text).collect();
                // One of these, or all of them.
                if number == Number::One { Said::one(joined(&items, "or")) } else { Said::many(joined(&items, "and")) }
            }
            ExprKind::Range(low, high) => Said::value(format!("{} to {}", self.noun(low, number).text, self.noun(high, number).text)),
            ExprKind::Bin(..) | ExprKind::Not(_) | ExprKind::Is(..) | ExprKind::Can(..) => Said::one(self.truth(expr).text()),
        }
    }

    fn quantified(&mut self, which: &str, var: &Name, list: &Expr, test: Option<&Expr>, value: Option<&Expr>, number: Number) -> Said {
        match (which, value) {
            ("sum" | "highest" | "lowest", Some(value)) => self.of_all(which, var, list, test, value),
            ("count", _) => match self.thing_where(var, list, test) {
                Some(thing) => each_of(&thing, 1),
                None => self.count(list),
            },
            ("any" | "all", _) => Said::one(self.quantified_claim(which, var, list, test).text()),
            _ => match self.thing_where(var, list, test) {
                Some(thing) => thing.said(number),
                None => {
                    let said = self.noun(list, number);
                    let which = self.which(var, test);
                    Said::new(format!("{}{which}", said.text), said.person).with_more()
                }
            },
        }
    }

    fn name(&mut self, name: &str, number: Number) -> Said {
        if let Some(said) = self.aliased(name, |english, argument| english.noun(argument, number)) {
            return said;
        }
        if let Some(said) = self.speaker.names.get(name).cloned() {
            self.speaker.mentioned.insert(name.to_string());
            return said;
        }
        match name {
            "you" => self.owner(Owner::Your),
            "opponent" => self.owner(Owner::Opponents),
            "self" => Said::one(self.speaker.own.clone()),
            "it" => Said::it(),
            "source" => Said::one(self.speaker.title.clone()),
            _ if self.names.players.contains_key(name) => Said::new(format!("the {}", spaced(name)), Person::Player),
            _ => {
                if let Some(zone) = self.names.zone_english.get(name) {
                    return Said::one(zone.clone());
                }
                if self.names.functions.get(name).is_some_and(|callee| callee.says.is_some()) {
                    return self.function(name, &[]);
                }
                if let Some(said) = self.told_value(name, &[], |english, body| english.noun(body, number)) {
                    return said;
                }
                match self.names.var_english.get(name) {
                    Some(english) => Said::one(self.facing(english)),
                    None => Said::one(self.word_text(name)),
                }
            }
        }
    }

    fn field(&mut self, of: &Expr, field: &Name, number: Number) -> Said {
        if let Some(thing) = self.lying_in(of, &field.text) {
            return if field.text == "size" { each_of(&thing, 1) } else { thing.said(number) };
        }
        if self.names.functions.get(&field.text).is_some_and(|callee| callee.says.is_some()) {
            return self.function(&field.text, std::slice::from_ref(of));
        }
        if let Some(said) = self.told_value(&field.text, std::slice::from_ref(of), |english, body| english.noun(body, number)) {
            return said;
        }
        let whose = self.noun(of, Number::One);
        if let Some((_, true)) = self.names.zones.get(&field.text) {
            let zone = self.names.zone_english.get(&field.text).cloned().unwrap_or_else(|| spaced(&field.text));
            return Said::of(&whose, &zone, Person::One);
        }
        match field.text.as_str() {
            "opponent" if whose == Said::you() => return Said::opponent(),
            "opponent" if whose == Said::opponent() => return Said::you(),
            "opponent" | "controller" | "owner" => return Said::of(&whose, &field.text, Person::Player),
            "facedown" => return Said::one(format!("{} is face down", whose.text)),
            "cards" => return Said::many(format!("the cards in {}", whose.text)),
            "size" => return self.count(of),
            _ => {}
        }
        let english = self.names.stat_english.get(&field.text).map(|english| value_for(english, None, None));
        let english = english.unwrap_or_else(|| spaced(&field.text));
        let person = if self.is_number(&field.text) { Person::Amount(None) } else { Person::One };
        Said::of(&whose, &english, person)
    }

    fn call(&mut self, name: &Name, args: &[Expr], number: Number) -> Said {
        if self.names.functions.get(&name.text).is_some_and(|callee| callee.says.is_some()) {
            return self.function(&name.text, args);
        }
        if let Some(said) = self.told_value(&name.text, args, |english, body| english.noun(body, number)) {
            return said;
        }
        match (name.text.as_str(), args) {
            ("count", [list]) => self.count(list),
            ("min", _) => self.whichever(args, "less"),
            ("max", _) => self.whichever(args, "more"),
            ("distinct", [list]) => self.noun(list, number),
            ("attached", [card, _]) => self.cards_on(card).said(number),
            // A value for something: the Force drain for you at a place.
            (stat, [of, what]) if self.names.stat_params.contains_key(stat) => {
                let (of, what) = (self.noun(of, Number::One), self.noun(what, Number::One));
                let param = self.names.stat_params.get(stat).map(|(param, _)| param.clone());
                let english = self
                    .names
                    .stat_english
                    .get(stat)
                    .map_or_else(|| spaced(stat), |english| value_for(english, Some(&what), param.as_deref()));
                Said::of(&of, &english, Person::Amount(None))
            }
            _ => {
                if self.speaker.printing && self.names.functions.contains_key(&name.text) {
                    self.no_english("function", name);
                }
                Said::one(spaced(&name.text))
            }
        }
    }

    /// What a function with English says of its arguments.
    pub(super) fn function(&mut self, name: &str, args: &[Expr]) -> Said {
        let Some(callee) = self.names.functions.get(name) else { return Said::one(spaced(name)) };
        let Some(says) = &callee.says else { return Said::one(spaced(name)) };
        // What only passes something on is called as that.
        if let [(param, _)] = &callee.params[..]
            && says.text == format!("{{{param}}}")
            && let [arg] = args
        {
            return self.noun(arg, Number::One);
        }
        let (says, result) = (says.text.clone(), callee.result);
        let named: Vec<(String, Expr)> = callee.params.iter().map(|(name, _)| name.clone()).zip(args.iter().cloned()).collect();
        let text = self.fill(&says, &named).text();
        match result {
            Ty::Num => Self::worded_amount(text),
            Ty::Player => Said::new(text, Person::Player),
            Ty::Cards | Ty::Players if ["your ", "their ", "all ", "those ", "the cards "].iter().any(|start| text.starts_with(start)) => {
                Said::many(text)
            }
            _ => Said::one(text),
        }
    }

    /// The things that a list is made of, where their noun is known.
    pub(super) fn thing(&mut self, list: &Expr) -> Option<Thing> {
        match &*list.kind {
            ExprKind::Phrase(phrase) => Some(self.phrase(phrase)),
            ExprKind::Quantify { which, var, list, test, .. } if ["filter", "first"].contains(&which.text.as_str()) => {
                self.thing_where(var, list, test.as_ref())
            }
            ExprKind::Name(name) if self.aliases.contains_key(name) => {
                self.aliased(name, |english, argument| english.thing(argument)).flatten()
            }
            ExprKind::Field(of, field) => self.lying_in(of, &field.text).or_else(|| {
                // A zone stands for its cards.
                let (_, true) = self.names.zones.get(&field.text)? else { return None };
                self.in_zone(list)
            }),
            ExprKind::Name(name) if self.is_told(name) => self.told_value(name, &[], |english, body| english.thing(body)).flatten(),
            ExprKind::Call(name, args) if self.is_told(&name.text) => {
                self.told_value(&name.text, args, |english, body| english.thing(body)).flatten()
            }
            ExprKind::Call(name, args) if name.text == "attached" && args.len() == 2 => Some(self.cards_on(&args[0])),
            // What passes its list on: `open_to(c, [sites])`.
            ExprKind::Call(name, args) => {
                let callee = self.names.functions.get(&name.text)?;
                let says = callee.says.as_ref()?;
                let at = callee.params.iter().position(|(param, _)| says.text == format!("{{{param}}}"))?;
                self.thing(args.get(at)?)
            }
            _ => None,
        }
    }

    fn cards_on(&mut self, card: &Expr) -> Thing {
        let mut cards = Thing::sort("card");
        cards.where_it_is(format!("on {}", self.noun(card, Number::One).text));
        cards
    }

    /// Things of a list that pass a test.
    pub(super) fn thing_where(&mut self, var: &Name, list: &Expr, test: Option<&Expr>) -> Option<Thing> {
        let mut thing = self.thing(list)?;
        if let Some(test) = test {
            self.speaker.name(var, Said::it());
            self.narrow(&mut thing, test, &var.text);
        }
        Some(thing)
    }

    /// Which of them, behind what has no noun of its own.
    pub(super) fn which(&mut self, var: &Name, test: Option<&Expr>) -> String {
        let Some(test) = test else { return String::new() };
        self.speaker.name(var, Said::it());
        self.truth(test).telling_which().into_iter().map(|(one, _)| format!(" {one}")).collect()
    }

    /// `you.hand.cards`, `you.hand.size`: cards in a zone.
    fn lying_in(&mut self, zone: &Expr, field: &str) -> Option<Thing> {
        let known = match &*zone.kind {
            ExprKind::Field(_, zone) => self.names.zones.get(&zone.text).is_some_and(|(_, of_player)| *of_player),
            ExprKind::Name(zone) => self.names.zones.contains_key(zone),
            _ => false,
        };
        if known && ["cards", "size"].contains(&field) { self.in_zone(zone) } else { None }
    }
    fn in_zone(&mut self, zone: &Expr) -> Option<Thing> {
        let zone = self.noun(zone, Number::One).text;
        let mut cards = Thing::sort("card");
        cards.where_it_is(format!("in {zone}"));
        Some(cards)
    }

    /// All that a phrase selects by, in its place.
    pub(super) fn phrase(&mut self, phrase: &Phrase) -> Thing {
        let mut thing = self.called(phrase);
        thing.owner = phrase.owner.map(|owner| self.owner(owner));
        thing.other = phrase.other;
        thing.title = phrase.named.as_ref().map(|title| title.text.clone()).or(thing.title);
        in_whose_place(&mut thing);
        if let Some(zone) = &phrase.zone {
            let zone = self.noun(zone, Number::One).text;
            thing.where_it_is(format!("in {zone}"));
        }
        // Adjectives without English say their tests.
        let it = Expr { kind: Box::new(ExprKind::Name("it".into())), span: Span::default() };
        let own = phrase.words.iter().filter_map(|word| if let PhraseWord::Is(name) = word { Some(name) } else { None });
        let own: Vec<Expr> = own
            .filter(|name| self.is_told(&name.text))
            .map(|name| Expr { kind: Box::new(ExprKind::Call(name.clone(), vec![it.clone()])), span: name.span })
            .collect();
        for with in own.iter().chain(&phrase.with) {
            let outer = self.speaker.names.insert("it".into(), Said::it());
            self.narrow(&mut thing, with, "it");
            match outer {
                Some(outer) => self.speaker.names.insert("it".into(), outer),
                None => self.speaker.names.remove("it"),
            };
        }
        thing
    }

    /// The noun of a phrase with its adjectives.
    fn called(&self, phrase: &Phrase) -> Thing {
        let mut thing = Thing::default();
        let mut noun = None;
        // What stands before the noun, by its names and in words, and behind which of those the noun goes unsaid.
        let mut head: (Vec<String>, (String, String)) = Default::default();
        let mut unsaid: Vec<String> = Vec::new();
        // Where there is no noun the last word stands for it, if it is a subtype: "a Jedi".
        let mut last: Option<(String, String)> = None;
        for word in &phrase.words {
            match word {
                PhraseWord::Is(name) => {
                    if let Some(def) = self.names.nouns.get(&name.text) {
                        unsaid.clone_from(&def.unsaid);
                        noun = Some((self.facing(&def.singular), self.facing(&def.plural)));
                    } else if self.names.alone.contains(&name.text) {
                        thing.title = Some(self.word_text(&name.text));
                    } else if self.is_told(&name.text) {
                        // Told behind the noun.
                    } else if let Some((_, english)) = self.names.adjectives.get(&name.text) {
                        let length = thing.before.len();
                        describe(&mut thing, &english.replace("{self}", &self.speaker.own));
                        last = last.filter(|_| thing.before.len() == length);
                        if thing.before.len() > length {
                            head = (vec![name.text.clone()], (english.clone(), plural_of(english)));
                        }
                    } else {
                        let word = self.word_text(&name.text);
                        let many = if self.names.proper.contains(&name.text) { word.clone() } else { plural_of(&word) };
                        thing.before.push(word.clone());
                        head = (vec![name.text.clone()], (word.clone(), many.clone()));
                        last = Some((word, many));
                    }
                }
                PhraseWord::Not(name) => self.exclude(&mut thing, &name.text),
                PhraseWord::AnyOf(names) if names.iter().all(|name| self.names.alone.contains(&name.text)) => {
                    let words: Vec<String> = names.iter().map(|name| self.word_text(&name.text)).collect();
                    thing.title = Some(alternatives(&words, false));
                }
                PhraseWord::AnyOf(names) => {
                    let words: Vec<String> = names.iter().map(|name| self.quality(&name.text)).collect();
                    let adjectives = names.iter().all(|name| self.names.adjectives.contains_key(&name.text));
                    thing.before.push(alternatives(&words, false));
                    let names_of = names.iter().map(|name| name.text.clone()).collect();
                    head = (names_of, (alternatives(&words, false), alternatives(&words, true)));
                    last = (!adjectives).then(|| (alternatives(&words, false), alternatives(&words, true)));
                }
            }
        }
        let (one, many) = match (noun, last) {
            // "asteroid sectors", not "asteroid sector sectors"
            (Some((one, _)), Some((word, many))) if word.to_lowercase().ends_with(&format!(" {one}")) => {
                thing.before.pop();
                (word, many)
            }
            (Some(_), _) if !head.0.is_empty() && head.0.iter().all(|name| unsaid.contains(name)) && thing.title.is_none() => {
                thing.before.pop();
                head.1
            }
            (Some(noun), _) => noun,
            (None, Some(last)) => {
                thing.before.pop();
                last
            }
            (None, None) => {
                let def = self.names.phrase_noun(phrase);
                def.map_or(("card".into(), "cards".into()), |def| (self.facing(&def.singular), self.facing(&def.plural)))
            }
        };
        Thing { one, many, ..thing }
    }

    /// "non-Jedi"; what has several words stands behind the noun.
    pub(super) fn exclude(&self, thing: &mut Thing, word: &str) {
        let said = self.quality(word);
        if is_behind(&said) {
            thing.where_it_is(format!("not {said}"));
        } else if said.contains(' ') {
            let proper = self.names.proper.contains(word);
            let (one, many) = if proper { (said.clone(), said) } else { (article(&said), plural_of(&said)) };
            thing.behind.insert(0, (format!("other than {one}"), format!("other than {many}")));
        } else {
            // Before the other adjectives: "non-unique alien".
            let at = thing.before.iter().take_while(|word| word.starts_with("non-")).count();
            thing.before.insert(at, format!("non-{said}"));
        }
    }

    /// What is spoken of again: "that unit", "those units".
    pub(super) fn again(&mut self, from: &Expr, many: bool) -> Said {
        if let Some(thing) = self.thing(from) {
            return thing.again(many);
        }
        let sort = match &*from.kind {
            // "an arena where ..." is later "that arena".
            ExprKind::Name(name) | ExprKind::Call(Name { text: name, .. }, _) => {
                let callee = self.names.functions.get(name);
                let says = callee.and_then(|callee| callee.says.as_ref());
                let sort = callee.map_or("card", |callee| match callee.result {
                    Ty::Words => "choice",
                    Ty::Nums | Ty::Num => "number",
                    Ty::Players | Ty::Player => "player",
                    _ => "card",
                });
                says.and_then(|says| head_noun(&says.text)).unwrap_or_else(|| sort.into())
            }
            ExprKind::List(_) => "choice".into(),
            _ => "card".into(),
        };
        Thing::sort(&sort).again(many)
    }

    /// "Choose up to 2 of your units"
    pub(crate) fn choose_english(&mut self, how: &HowMany, from: &Expr) -> String {
        super::capital(&format!("choose {}", self.choose_what(how, from)))
    }

    pub(crate) fn choose_what(&mut self, how: &HowMany, from: &Expr) -> String {
        let count = match how {
            // One of either sort.
            HowMany::One | HowMany::OneOrNone if matches!(&*from.kind, ExprKind::Bin(Bin::Join, ..)) => {
                let sorts: Vec<String> = joints(from).into_iter().map(|sort| self.noun(sort, Number::One).text).collect();
                return joined(&sorts, "or");
            }
            HowMany::One | HowMany::OneOrNone => return self.noun(from, Number::One).text,
            HowMany::UpTo(n) => format!("up to {}", self.noun(n, Number::One).text),
            HowMany::AtLeast(n) => format!("{} or more", self.noun(n, Number::One).text),
            HowMany::Exactly(n) => self.noun(n, Number::One).text,
            HowMany::Any => "any number".into(),
        };
        let of = match self.thing(from) {
            // "2 of your units", but "2 units"; "any number of units"
            Some(Thing { owner: None, .. }) if *how != HowMany::Any => "",
            _ => "of ",
        };
        format!("{count} {of}{}", self.noun(from, Number::Many).text)
    }
}

fn joints(list: &Expr) -> Vec<&Expr> {
    match &*list.kind {
        ExprKind::Bin(Bin::Join, a, b) => joints(a).into_iter().chain(joints(b)).collect(),
        _ => vec![list],
    }
}

/// An adjective before its noun, or a clause such as "about to take damage" behind it.
pub(super) fn describe(thing: &mut Thing, english: &str) {
    if is_behind(english) {
        thing.behind.push((english.into(), for_many(english)));
    } else if !english.is_empty() {
        thing.before.push(english.into());
    }
}

/// "a card in your Reserve Deck": what lies in somebody's place is that place's, not its own.
fn in_whose_place(thing: &mut Thing) {
    let places = |noun: &str| noun.split_once(" in {whose} ").map(|(noun, place)| (noun.to_string(), place.to_string()));
    let (Some((one, place)), Some((many, _))) = (places(&thing.one), places(&thing.many)) else { return };
    let whose = thing.owner.take().map_or_else(|| "a".into(), |owner| owner.possessive());
    thing.behind.insert(0, (format!("in {whose} {place}"), format!("in {whose} {place}")));
    (thing.one, thing.many) = (one, many);
}

fn is_behind(english: &str) -> bool {
    (english.contains(' ') && english.starts_with(char::is_lowercase)) || english == "present" || english == "here"
}

/// The noun of "an arena where ...", "another site": what it is called later.
fn head_noun(english: &str) -> Option<String> {
    let noun = ["an ", "a ", "another "].iter().find_map(|article| english.strip_prefix(article))?;
    let ends = ["at", "with", "where", "that", "of", "in", "other", "piloted", "present", "aboard", "on", "under", "one", "related"];
    let ends_it = |at: usize, word: &str| ends.contains(&word) || word.starts_with(['(', '{']) || (at > 0 && word.ends_with("ed"));
    let goes_on = |(at, word): &(usize, &str)| !ends_it(*at, word);
    let words: Vec<&str> = noun.split(' ').enumerate().take_while(goes_on).map(|(_, word)| word).collect();
    let head = match words.iter().position(|word| *word == "or") {
        // "a system or sector"
        Some(at) if at + 1 < words.len() => words.join(" "),
        Some(at) => words[..at].last()?.to_string(),
        None => words.last()?.to_string(),
    };
    Some(head.trim_end_matches(',').to_string())
}

/// A value for something is called with it: "Force drain for you"; without it the words for it are left out.
pub(super) fn value_for(english: &str, what: Option<&Said>, param: Option<&str>) -> String {
    let Some(open) = english.find('{') else { return english.to_string() };
    match (what, param) {
        (Some(what), Some(param)) => english.replace(&format!("{{{param}}}"), &what.text),
        _ if english[open..].starts_with("{it") => english.to_string(),
        _ => english[..open].trim_end().rsplit_once(' ').map_or("", |(before, _)| before).to_string(),
    }
}
