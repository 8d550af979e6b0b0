//! Things: what an expression is called, and what a phrase says.

use super::words::{article, capital, joined, plural_of};
use super::{English, Number};
use crate::ast::*;
use crate::compile::spaced;

/// What a phrase calls the things it means, before it says whose and which they are.
struct Called {
    one: String,
    many: String,
    /// Clauses that stand behind the noun.
    behind: Vec<String>,
}

impl English<'_> {
    pub(super) fn noun(&mut self, expr: &Expr, number: Number) -> String {
        match &*expr.kind {
            ExprKind::Int(n) => n.to_string(),
            ExprKind::Str(title) => title.clone(),
            ExprKind::Name(name) => self.name(name, number),
            ExprKind::Field(of, field) => self.field(of, field),
            ExprKind::Phrase(phrase) => self.phrase(phrase, number),
            ExprKind::Call(name, args) => self.call(name, args),
            ExprKind::Bin(op, a, b) => {
                let (a, b) = (self.noun(a, Number::One), self.noun(b, Number::One));
                match op {
                    Bin::Add => format!("{a} plus {b}"),
                    Bin::Sub => format!("{a} minus {b}"),
                    Bin::Mul => format!("{a} times {b}"),
                    Bin::Div => format!("{a} divided by {b}"),
                    Bin::Join => format!("{a} and {b}"),
                    _ => self.truth(expr),
                }
            }
            ExprKind::Neg(inner) => format!("-{}", self.noun(inner, Number::One)),
            ExprKind::If(test, a, b) => {
                let (test, a, b) = (self.truth(test), self.noun(a, Number::One), self.noun(b, Number::One));
                format!("{a} if {test}, or else {b}")
            }
            ExprKind::Quantify { list, test, var, .. } => {
                let list = self.noun(list, number);
                self.speaker.names.insert(var.text.clone(), "it".into());
                match test {
                    Some(test) => {
                        let test = self.truth(test);
                        format!("{list} where {test}")
                    }
                    None => list,
                }
            }
            ExprKind::List(items) => {
                let items: Vec<String> = items.iter().map(|item| self.noun(item, number)).collect();
                joined(&items, "or")
            }
            ExprKind::Range(low, high) => format!("{} to {}", self.noun(low, number), self.noun(high, number)),
            ExprKind::Not(_) | ExprKind::Is(..) | ExprKind::Can(..) => self.truth(expr),
        }
    }

    fn name(&mut self, name: &str, number: Number) -> String {
        if let Some(said) = self.alias(name, number) {
            return said;
        }
        if let Some(said) = self.speaker.names.get(name) {
            return said.clone();
        }
        match name {
            "you" | "opponent" if (name == "you") != self.speaker.turned => "you".into(),
            "you" | "opponent" => "your opponent".into(),
            "self" => self.speaker.own.clone(),
            "it" => "it".into(),
            "source" => self.speaker.title.clone(),
            _ => {
                if self.names.players.contains_key(name) {
                    return format!("the {}", spaced(name));
                }
                if let Some(zone) = self.names.zone_english.get(name) {
                    return zone.clone();
                }
                if let Some(callee) = self.names.functions.get(name)
                    && let Some(says) = &callee.says
                {
                    return self.fill(says, &[]);
                }
                if let Some(english) = self.names.var_english.get(name) {
                    return self.facing(english);
                }
                self.word_text(name)
            }
        }
    }

    fn field(&mut self, of: &Expr, field: &Name) -> String {
        let whose = self.noun(of, Number::One);
        if let Some((_, true)) = self.names.zones.get(&field.text) {
            let zone = self.names.zone_english.get(&field.text).cloned().unwrap_or_else(|| spaced(&field.text));
            return match whose.as_str() {
                "you" => format!("your {zone}"),
                "your opponent" => format!("your opponent's {zone}"),
                _ => format!("{whose}'s {zone}"),
            };
        }
        if let Some(callee) = self.names.functions.get(&field.text)
            && let Some(says) = &callee.says
        {
            let named: Vec<(String, Expr)> = callee.params.iter().map(|(name, _)| (name.clone(), of.clone())).collect();
            return self.fill(says, &named);
        }
        let field = match field.text.as_str() {
            "cards" => return format!("the cards in {whose}"),
            "size" => return format!("the number of cards in {whose}"),
            other => spaced(other),
        };
        match whose.as_str() {
            "it" => format!("its {field}"),
            "you" => format!("your {field}"),
            _ => format!("{whose}'s {field}"),
        }
    }

    fn call(&mut self, name: &Name, args: &[Expr]) -> String {
        if let Some(callee) = self.names.functions.get(&name.text)
            && let Some(says) = &callee.says
        {
            let named: Vec<(String, Expr)> = callee.params.iter().map(|(name, _)| name.clone()).zip(args.iter().cloned()).collect();
            return self.fill(says, &named);
        }
        let spoken: Vec<String> = args.iter().map(|arg| self.noun(arg, Number::Many)).collect();
        match (name.text.as_str(), &spoken[..]) {
            ("count", [what]) => format!("the number of {what}"),
            ("min", [a, b]) => format!("{a} or {b}, whichever is less"),
            ("max", [a, b]) => format!("{a} or {b}, whichever is more"),
            _ => spaced(&name.text),
        }
    }

    pub(super) fn phrase(&mut self, phrase: &Phrase, number: Number) -> String {
        let Called { one, many, behind } = self.called(phrase, number);
        let owner = match (phrase.owner, self.speaker.turned) {
            (Some(Owner::Your), false) | (Some(Owner::Opponents), true) => "your ",
            (Some(_), _) => "your opponent's ",
            (None, _) => "",
        };
        let other = if phrase.other { "other " } else { "" };
        let mut text = match (number, phrase.owner) {
            (Number::One, None) => article(&format!("{other}{one}")).replace("an other", "another").replace("a other", "another"),
            (Number::One, Some(_)) => format!("one of {owner}{other}{many}"),
            (Number::Each, None) => format!("each {other}{one}"),
            (Number::Each, Some(_)) => format!("each of {owner}{other}{many}"),
            (Number::Many, _) => format!("{owner}{other}{many}"),
        };
        for english in behind {
            text = format!("{text} {english}");
        }
        if let Some(title) = &phrase.named {
            text = format!("{owner}{}", title.text);
        }
        if let Some(zone) = &phrase.zone {
            let zone = self.noun(zone, Number::One);
            text = format!("{text} in {zone}");
        }
        if let Some(with) = &phrase.with {
            let with = self.truth(with);
            // "that is alone", "with power 3 or less", not "with it is alone", "with its power is 3 or less".
            if let Some(rest) = with.strip_prefix("it ") {
                return format!("{text} that {rest}");
            }
            let with = with.strip_prefix("its ").map_or(with.clone(), |with| with.replacen(" is ", " ", 1));
            text = format!("{text} with {}", with.replace(" its ", " "));
        }
        text
    }

    /// The noun of a phrase with its adjectives.
    fn called(&self, phrase: &Phrase, number: Number) -> Called {
        let mut words: Vec<String> = Vec::new();
        let mut noun = None;
        let mut unwanted = Vec::new();
        let mut behind = Vec::new();
        for word in &phrase.words {
            match word {
                PhraseWord::Is(name) => {
                    if let Some(def) = self.names.nouns.get(&name.text) {
                        noun = Some((self.facing(&def.singular), self.facing(&def.plural)));
                    } else if let Some((_, english)) = self.names.adjectives.get(&name.text) {
                        // A clause, such as "about to take damage", stands behind its noun.
                        if english.contains(' ') && english.starts_with(char::is_lowercase) { &mut behind } else { &mut words }
                            .push(english.clone());
                    } else {
                        words.push(self.word_text(&name.text));
                    }
                }
                PhraseWord::Not(name) => {
                    unwanted.push(format!("non-{}", self.quality(&name.text)));
                }
                PhraseWord::AnyOf(names) => {
                    let all: Vec<String> = names.iter().map(|name| self.quality(&name.text)).collect();
                    let counted =
                        phrase.words.iter().any(|word| matches!(word, PhraseWord::Is(name) if self.names.nouns.contains_key(&name.text)));
                    if counted || (number == Number::One && phrase.owner.is_none()) {
                        words.push(joined(&all, "or"));
                    } else {
                        let all: Vec<String> = all.iter().map(|one| plural_of(one)).collect();
                        words.push(joined(&all, "or"));
                    }
                }
            }
        }
        let adjectives: Vec<String> = unwanted.into_iter().chain(words.iter().cloned()).collect();
        let (one, many) = match (noun, adjectives.last()) {
            (Some((one, many)), _) => {
                let before = adjectives.join(" ");
                (format!("{before} {one}"), format!("{before} {many}"))
            }
            (None, Some(last)) if self.names.adjectives.values().all(|(_, english)| english != last) => {
                let before = adjectives[..adjectives.len() - 1].join(" ");
                (format!("{before} {last}"), format!("{before} {}", plural_of(last)))
            }
            (None, _) => {
                let def = self.names.phrase_noun(phrase);
                let (one, many) = def.map_or(("card".into(), "cards".into()), |def| (self.facing(&def.singular), self.facing(&def.plural)));
                let before = adjectives.join(" ");
                (format!("{before} {one}"), format!("{before} {many}"))
            }
        };
        Called { one: one.trim().to_string(), many: many.trim().to_string(), behind }
    }

    pub(crate) fn singular(&self, from: &Expr) -> String {
        match &*from.kind {
            ExprKind::Phrase(phrase) => {
                let noun = self.names.phrase_noun(phrase).map_or("card", |noun| &noun.singular);
                let tag = phrase.words.iter().rev().find_map(|word| match word {
                    PhraseWord::Is(name)
                        if !self.names.adjectives.contains_key(&name.text) && !self.names.nouns.contains_key(&name.text) =>
                    {
                        Some(self.word_text(&name.text))
                    }
                    _ => None,
                });
                let explicit =
                    phrase.words.iter().any(|word| matches!(word, PhraseWord::Is(name) if self.names.nouns.contains_key(&name.text)));
                match tag {
                    Some(tag) if !explicit => tag,
                    // "a card in your deck" is later "that card".
                    _ => noun.split(" in ").next().unwrap_or("card").to_string(),
                }
            }
            // "an arena where ..." is later "that arena".
            ExprKind::Name(name) | ExprKind::Call(Name { text: name, .. }, _) => {
                let says = self.names.functions.get(name).and_then(|callee| callee.says.as_ref());
                let noun = says.and_then(|says| says.text.strip_prefix("an ").or(says.text.strip_prefix("a ")));
                noun.and_then(|noun| noun.split(' ').next()).unwrap_or("card").to_string()
            }
            ExprKind::List(_) => "choice".into(),
            _ => "card".into(),
        }
    }

    pub(super) fn plural(&self, from: &Expr) -> String {
        if let ExprKind::Phrase(phrase) = &*from.kind
            && let Some(noun) = self.names.phrase_noun(phrase)
            && noun.singular.starts_with(&self.singular(from))
        {
            return noun.plural.split(" in ").next().unwrap_or("cards").to_string();
        }
        plural_of(&self.singular(from))
    }

    pub(crate) fn choose_english(&mut self, how: &HowMany, from: &Expr) -> String {
        capital(&format!("choose {}", self.choose_what(how, from)))
    }

    pub(crate) fn choose_what(&mut self, how: &HowMany, from: &Expr) -> String {
        match how {
            HowMany::One | HowMany::OneOrNone => self.noun(from, Number::One),
            HowMany::UpTo(n) => {
                let n = self.noun(n, Number::One);
                format!("up to {n} {}{}", self.of(from), self.noun(from, Number::Many))
            }
            HowMany::AtLeast(n) => {
                let n = self.noun(n, Number::One);
                format!("{n} or more {}{}", self.of(from), self.noun(from, Number::Many))
            }
            HowMany::Exactly(n) => {
                let n = self.noun(n, Number::One);
                format!("{n} {}{}", self.of(from), self.noun(from, Number::Many))
            }
            HowMany::Any => format!("any number of {}", self.noun(from, Number::Many)),
        }
    }

    /// "2 of your units", but "2 units".
    fn of(&self, from: &Expr) -> &'static str {
        if matches!(&*from.kind, ExprKind::Phrase(Phrase { owner: None, .. })) { "" } else { "of " }
    }
}
