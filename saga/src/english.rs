//! What a program says in English. The text on a card is printed from the same syntax that is compiled,
//! with the words that the rules of the game give to their verbs, nouns, timings and costs.

use crate::ast::*;
use crate::compile::{Alias, Compiler, PermissionNames, TemplateDef, spaced};
use std::collections::{HashMap, HashSet};
use trilogy_engine::value::WordId;

/// Who speaks: the card whose text is printed, and the names its text has given to things so far.
#[derive(Clone, Default)]
pub(crate) struct Speaker {
    title: String,
    own: String,
    pub(crate) names: HashMap<String, String>,
    /// Names of what may have been chosen.
    choices: HashSet<String>,
    /// The text is for the opponent of its player: "you" is the other one.
    turned: bool,
}

impl Speaker {
    pub(crate) fn for_card(title: &str, unique: bool, noun: String) -> Speaker {
        // Some cards speak of themselves by their title.
        let own = if unique || noun == "{title}" { title.to_string() } else { format!("this {noun}") };
        Speaker { title: title.to_string(), own, ..Speaker::default() }
    }
    pub(crate) fn title(&self) -> &str {
        &self.title
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Number {
    /// "one of your units", "a unit"
    One,
    /// "each of your units", "each unit"
    Each,
    /// "your units", "units"
    Many,
}

pub(crate) fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

fn sentence(text: &str) -> String {
    let text = capital(text.trim());
    if text.is_empty() || text.ends_with('.') { text } else { text + "." }
}

fn article(noun: &str) -> String {
    let vowel = noun.starts_with(['a', 'e', 'i', 'o', 'A', 'E', 'I', 'O']) || (noun.starts_with("un") && !noun.starts_with("uni"));
    format!("{} {noun}", if vowel { "an" } else { "a" })
}

fn plural_of(word: &str) -> String {
    if word.ends_with(['s', 'i']) { word.into() } else { format!("{word}s") }
}

fn joined(parts: &[String], last: &str) -> String {
    match parts {
        [] => String::new(),
        [one] => one.clone(),
        [a, b] => format!("{a} {last} {b}"),
        [rest @ .., end] => format!("{}, {last} {end}", rest.join(", ")),
    }
}

impl Compiler {
    /// What is said, as the opponent of its player would put it: "one of your units", not "one of your opponent's units".
    pub(crate) fn seen_by_opponent(&mut self, say: impl Fn(&mut Compiler) -> String) -> String {
        let own = self.speaker.clone();
        self.speaker.turned = true;
        let said = say(self);
        self.speaker = own;
        said
    }

    /// Words that stand in the rules as the player of a card reads them, for whoever reads them now.
    fn facing(&self, text: &str) -> String {
        if self.speaker.turned { turned(text) } else { text.to_string() }
    }

    /// What a card of these words calls itself: a unit, a card.
    pub(crate) fn self_noun(&self, words: &[WordId]) -> String {
        let has = |name: &String| self.names.words.get(name).is_some_and(|word| words.contains(word));
        self.names.calls.iter().find(|(word, _)| has(word)).map_or_else(|| "card".into(), |(_, says)| says.clone())
    }

    /// A word as texts print it.
    fn word_text(&self, word: &str) -> String {
        self.names.word_english.get(word).cloned().unwrap_or_else(|| spaced(word))
    }

    /// A word, an adjective or a noun of a phrase.
    fn quality(&self, name: &str) -> String {
        let adjective = self.names.adjectives.get(name).map(|(_, english)| english.clone());
        adjective.or_else(|| self.names.nouns.get(name).map(|noun| noun.singular.clone())).unwrap_or_else(|| self.word_text(name))
    }

    /// "a Jedi", but "Luke".
    fn one_of(&self, word: &str) -> String {
        let said = self.word_text(word);
        if self.names.proper.contains(word) { said } else { article(&said) }
    }

    /// What is meant where a text names nothing: "a unit".
    fn something(&self) -> String {
        article(self.names.calls.first().map_or("card", |(_, says)| says))
    }

    /// A keyword among the numbers of a card; printed numbers such as power are no text.
    pub(crate) fn keyword_line(&self, fact: &str, value: Option<i32>) -> Option<String> {
        let &(at, _) = self.names.stats.get(fact)?;
        let stat = &self.out.stats[at as usize];
        self.names.keywords.contains(fact).then(|| match value {
            Some(value) => format!("{} {value}.", stat.english),
            None => format!("{}.", stat.english),
        })
    }

    pub(crate) fn speak_template(&mut self, says: &Text) -> String {
        let text = self.fill(says, &[]);
        sentence(&text)
    }

    pub(crate) fn speak_ability(&mut self, ability: &Ability) -> String {
        self.speaker.names.clear();
        match ability {
            Ability::Clause(clause) => sentence(&self.speak_clause(clause)),
            Ability::TreatAs(words) => {
                let words: Vec<String> = words.iter().map(|word| article(&self.word_text(&word.text))).collect();
                sentence(&format!("treat {} as {}", self.speaker.own.clone(), joined(&words, "and")))
            }
            Ability::In { scope, abilities } => {
                let own = self.names.scope_own.get(&scope.text).cloned().map(|own| self.fill(&Text { text: own, span: scope.span }, &[]));
                let outer = own.map(|own| std::mem::replace(&mut self.speaker.own, own));
                let inner: Vec<String> = abilities.iter().map(|ability| self.speak_ability(ability)).collect();
                if let Some(outer) = outer {
                    self.speaker.own = outer;
                }
                match self.names.scope_english.get(&scope.text) {
                    Some(english) if !english.is_empty() => format!("{english}: {}", inner.join(" ")),
                    _ => inner.join(" "),
                }
            }
            Ability::Template { name, args, .. } => {
                let Some(TemplateDef { params, says, body }) = self.names.templates.get(&name.text).cloned() else { return String::new() };
                let outer = self.open_aliases(&params, args);
                let text = match &says {
                    Some(says) => self.speak_template(says),
                    None => body.iter().map(|ability| self.speak_ability(ability)).collect::<Vec<_>>().join(" "),
                };
                self.aliases = outer;
                text
            }
            Ability::Use(ability) => self.speak_use(ability),
        }
    }

    /// "Reaction: After you refresh, pay 1 Force -> Choose a unit. Tap that unit. Only if it is your turn."
    fn speak_use(&mut self, ability: &Use) -> String {
        let mut lines = Vec::new();
        for Target { name, how, from, .. } in &ability.targets {
            let aim = self.choose_what(how, from);
            let many = !matches!(how, HowMany::One | HowMany::OneOrNone);
            let later = if many { format!("those {}", self.plural(from)) } else { format!("that {}", self.singular(from)) };
            // The second of two alike is "the other unit".
            let again = self.speaker.names.values().any(|said| *said == later);
            let later = if again { later.replacen("that ", "the other ", 1).replacen("those ", "the other ", 1) } else { later };
            self.speaker.names.insert(name.text.clone(), later);
            lines.push(format!("choose {aim}"));
        }
        let mut costs = Vec::new();
        for (cost, args) in &ability.costs {
            if let Some(def) = self.names.costs.get(&cost.text).cloned()
                && let Some(says) = def.program.says
            {
                let named: Vec<(String, Expr)> =
                    def.program.params.iter().map(|(name, _)| name.clone()).zip(args.iter().cloned()).collect();
                costs.extend(Some(self.fill(&says, &named)).filter(|said| !said.is_empty()));
            }
        }
        lines.extend(ability.body.iter().map(|stmt| self.speak_statement(stmt)).filter(|line| !line.is_empty()));
        let when = match ability.timing.as_ref().and_then(|timing| self.names.timings.get(&timing.text)).map(|item| &item.kind) {
            Some(ItemKind::Timing { says, .. }) => self.fill(&Text { text: says.clone(), span: ability.span }, &[]),
            _ => String::new(),
        };
        // A time leads the sentence, a restriction stands behind it.
        let leads = ["After", "At", "Before", "During", "If", "Once", "When", "While"].contains(&when.split(' ').next().unwrap_or(""));
        if let Some(first) = lines.first_mut() {
            if !costs.is_empty() {
                *first = format!("{} -> {}", joined(&costs, "and"), capital(first));
            }
            if leads {
                *first = format!("{when}, {first}");
            }
        }
        let mut text: Vec<String> = lines.iter().map(|line| sentence(line)).collect();
        let chosen = self.chosen_from(&ability.body);
        for require in &ability.requires {
            // That there is something to choose goes without saying.
            if self.exists(&require.test).is_none_or(|what| !chosen.contains(&what)) {
                text.push(format!("Only if {}.", self.truth(&require.test)));
            }
        }
        if !leads && !when.is_empty() {
            text.push(sentence(&when));
        }
        match self.names.kinds.get(&ability.kind.text) {
            Some(ItemKind::Kind { says, .. }) if !says.is_empty() => format!("{says}: {}", text.join(" ")),
            _ => text.join(" "),
        }
    }

    /// A body inside a sentence: "tap that unit, then draw a card".
    pub(crate) fn speak(&mut self, body: &[Stmt]) -> String {
        let lines: Vec<String> = body.iter().map(|stmt| self.speak_statement(stmt)).filter(|line| !line.is_empty()).collect();
        // "If you do" starts a sentence of its own.
        lines
            .into_iter()
            .reduce(|text, line| {
                let line = line.strip_prefix("then, ").unwrap_or(&line);
                if line.starts_with("if ") || line.starts_with("If ") {
                    format!("{text}. {}", capital(line))
                } else {
                    format!("{text}, then {line}")
                }
            })
            .unwrap_or_default()
    }

    fn player(&mut self, by: Option<&Expr>) -> (String, bool) {
        let who = by.map_or("you".into(), |by| self.noun(by, Number::One));
        let you = who == "you";
        (who, you)
    }

    fn speak_statement(&mut self, stmt: &Stmt) -> String {
        match &stmt.kind {
            StmtKind::Let(name, expr) => {
                // What a verb gives back is called by its sort.
                if let ExprKind::Call(verb, args) = &*expr.kind
                    && let Some(callee) = self.names.procs.get(&verb.text).cloned()
                    && callee.says.is_some()
                {
                    let said = self.verb(verb, args);
                    let later = if callee.result == crate::types::Ty::Num { "the total" } else { "that" };
                    self.speaker.names.insert(name.text.clone(), later.into());
                    return said;
                }
                let noun = self.noun(expr, Number::One);
                self.speaker.names.insert(name.text.clone(), noun);
                String::new()
            }
            StmtKind::Choose { name, how, from, question: Question { by, .. } } => {
                let mut what = self.choose_what(how, from);
                if matches!(by.as_ref().map(|by| &*by.kind), Some(ExprKind::Name(name)) if name == "opponent") {
                    what = what.replace("your opponent's ", "their ");
                }
                let single = self.singular(from);
                let many = matches!(how, HowMany::UpTo(_) | HowMany::AtLeast(_) | HowMany::Any | HowMany::Exactly(_));
                self.speaker.choices.insert(name.text.clone());
                let later = if many { format!("those {}", self.plural(from)) } else { format!("that {single}") };
                self.speaker.names.insert(name.text.clone(), later);
                let (who, you) = self.player(by.as_ref());
                let may = matches!(how, HowMany::OneOrNone);
                match (you, may) {
                    (true, true) => format!("you may choose {what}"),
                    (true, false) => format!("choose {what}"),
                    (false, true) => format!("{who} may choose {what}"),
                    (false, false) => format!("{who} chooses {what}"),
                }
            }
            StmtKind::Number { name, least, most, question: Question { by, .. } } => {
                let (least, most) = (self.noun(least, Number::One), self.noun(most, Number::One));
                self.speaker.names.insert(name.text.clone(), "that number".into());
                let (who, you) = self.player(by.as_ref());
                format!("{} a number from {least} to {most}", if you { "choose".into() } else { format!("{who} chooses") })
            }
            StmtKind::Order { name, from, question: Question { by, .. } } => {
                let what = self.noun(from, Number::Many);
                self.speaker.names.insert(name.text.clone(), what.clone());
                let (who, you) = self.player(by.as_ref());
                format!("{} {what} in any order", if you { "put".into() } else { format!("{who} puts") })
            }
            StmtKind::May { question: Question { by, .. }, body } => {
                let (who, _) = self.player(by.as_ref());
                let what = self.speak(body);
                may(&who, &what)
            }
            StmtKind::Then(body) => format!("then, {}", self.speak(body)),
            StmtKind::OneOf { branches, question: Question { by, .. } } => {
                let options: Vec<String> = branches.iter().map(|(_, _, body)| self.speak(body)).collect();
                let (who, you) = self.player(by.as_ref());
                format!("{} one: {}", if you { "choose".into() } else { format!("{who} chooses") }, joined(&options, "or"))
            }
            StmtKind::If(arms, otherwise) => {
                let mut parts = Vec::new();
                for (at, (test, body)) in arms.iter().enumerate() {
                    let test = self.truth(test);
                    let body = self.speak(body);
                    parts.push(format!("{}if {test}, {body}", if at > 0 { "otherwise, " } else { "" }));
                }
                if let ([one], None) = (&parts[..], otherwise) {
                    return one.clone();
                }
                if let Some(body) = otherwise {
                    let body = self.speak(body);
                    parts.push(format!("otherwise, {body}"));
                }
                parts.iter().map(|part| sentence(part)).collect::<Vec<_>>().join(" ")
            }
            StmtKind::Unless(test, body) => {
                let test = self.truth(test);
                format!("{} unless {test}", self.speak(body))
            }
            StmtKind::While(test, body) => {
                let test = self.truth(test);
                format!("as long as {test}, {}", self.speak(body))
            }
            StmtKind::For(name, list, body) => {
                let each = self.noun(list, Number::Each);
                let single = self.singular(list);
                self.speaker.names.insert(name.text.clone(), format!("that {single}"));
                // "Retreat each of your units" reads better than "for each of your units, retreat that unit".
                if let [Stmt { kind: StmtKind::Call(_) | StmtKind::Until(..) | StmtKind::Assign(..), .. }] = &body[..] {
                    self.speaker.names.insert(name.text.clone(), each);
                    return self.speak(body);
                }
                format!("for {each}: {}", self.speak(body))
            }
            StmtKind::Until(period, clause) => {
                let clause = self.speak_clause(clause);
                let until = until(&period.text);
                // How long stands before the conditions.
                match clause.split_once(" if ") {
                    Some((what, condition)) => format!("{what} {until} if {condition}"),
                    None => format!("{clause} {until}"),
                }
            }
            StmtKind::Once(clause) => {
                let clause = self.speak_clause(clause);
                clause.replacen("when ", "the next time ", 1)
            }
            StmtKind::Call(expr) => match &*expr.kind {
                ExprKind::Call(name, args) => self.verb(name, args),
                _ => String::new(),
            },
            StmtKind::Assign(target, change, value) => {
                let value = self.noun(value, Number::One);
                match &*target.kind {
                    ExprKind::Field(of, field) => {
                        let (of, field) = (self.noun(of, Number::One), spaced(&field.text));
                        match change {
                            Change::Add => format!("put {value} {field} {} on {of}", counters(&value)),
                            Change::Subtract => format!("remove {value} {field} {} from {of}", counters(&value)),
                            _ => format!("{of} has {value} {field}"),
                        }
                    }
                    _ => String::new(),
                }
            }
            StmtKind::Cite | StmtKind::Return(_) | StmtKind::Emit(..) | StmtKind::End(_) | StmtKind::Run(_) | StmtKind::Resolve(_) => {
                String::new()
            }
            StmtKind::Win(player) => {
                let (who, you) = self.player(Some(player));
                format!("{who} {} the game", if you { "win" } else { "wins" })
            }
        }
    }

    fn verb(&mut self, name: &Name, args: &[Expr]) -> String {
        if let Some(callee) = self.names.procs.get(&name.text).cloned() {
            let Some(says) = callee.says else {
                // Rules programs need no English; a card may only use what can be printed.
                if !self.speaker.title.is_empty() {
                    self.fail(name.span, format!("the program `{}` has no English, so no card can use it", name.text));
                }
                return String::new();
            };
            let named: Vec<(String, Expr)> = callee.params.iter().map(|(name, _)| name.clone()).zip(args.iter().cloned()).collect();
            return self.fill(&says, &named);
        }
        let spoken: Vec<String> = args.iter().map(|arg| self.noun(arg, Number::One)).collect();
        match (name.text.as_str(), &spoken[..]) {
            ("place", [card, zone]) => format!("put {card} into {zone}"),
            ("place_down", [card, zone]) => format!("put {card} face down into {zone}"),
            ("place_beside", [card, other]) => format!("put {card} beside {other}"),
            ("take_over", [card, old]) => format!("{card} takes the place of {old}"),
            ("give", [card, player]) => format!("{player} gains {card}"),
            ("place_bottom", [card, zone]) => format!("put {card} on the bottom of {zone}"),
            ("attach", [card, to, ..]) => format!("put {card} on {to}"),
            ("attach_down", [card, to, ..]) => format!("put {card} face down on {to}"),
            ("turn_up", [card]) => format!("turn {card} face up"),
            ("turn_down", [card]) => format!("turn {card} face down"),
            ("control", [card, player]) => format!("{player} gains control of {card}"),
            ("shuffle", [zone]) => format!("shuffle {zone}"),
            ("reveal", [cards]) => format!("reveal {cards}"),
            ("reveal_to", [cards, player]) => format!("show {cards} to {player}"),
            _ => String::new(),
        }
    }

    /// Fill the holes of a text with what the arguments say. `{n|one|many}` picks by number or person.
    fn fill(&mut self, says: &Text, args: &[(String, Expr)]) -> String {
        let mut out = String::new();
        let mut rest = says.text.as_str();
        while let Some(open) = rest.find('{') {
            out.push_str(&self.facing(&rest[..open]));
            let Some(close) = rest[open..].find('}') else { break };
            let hole = &rest[open + 1..open + close];
            let mut parts = hole.split('|');
            let (name, number) = match parts.next().unwrap_or("") {
                hole if hole.ends_with(":each") => (&hole[..hole.len() - 5], Number::Each),
                hole if hole.ends_with(":many") => (&hole[..hole.len() - 5], Number::Many),
                hole => (hole, Number::One),
            };
            let arg = args.iter().find(|(param, _)| param == name).map(|(_, arg)| arg.clone());
            let spoken = match (&arg, name) {
                (Some(arg), _) => self.noun(arg, number),
                (None, _) if self.aliases.contains_key(name) => self.alias(name, number).unwrap_or_default(),
                (None, "self") => self.speaker.own.clone(),
                (None, "source") => self.speaker.title.clone(),
                (None, _) => name.to_string(),
            };
            match (parts.next(), parts.next()) {
                (Some(one), Some(many)) => {
                    let single = spoken == "1" || spoken == "you";
                    out.push_str(if single { one } else { many });
                }
                _ => out.push_str(&spoken),
            }
            rest = &rest[open + close + 1..];
            // "Those units are lost."
            if spoken.starts_with("those ")
                && let Some(after) = rest.strip_prefix(" is ")
            {
                out.push_str(" are ");
                rest = after;
            }
        }
        out.push_str(&self.facing(rest));
        out
    }

    /// A clause without its full stop.
    pub(crate) fn speak_clause(&mut self, clause: &Clause) -> String {
        let mut text = match &clause.kind {
            ClauseKind::Gets { subject, changes, cumulative } => {
                let who = self.noun(subject, Number::Each);
                let verb = if who == "you" || who.starts_with("those ") { "get" } else { "gets" };
                let mut gets = Vec::new();
                let mut predicates = Vec::new();
                for Gets { stat, what, change, by } in changes {
                    let Some(&(at, _)) = self.names.stats.get(&stat.text) else { continue };
                    let what = what.as_ref().map(|what| self.noun(what, Number::One));
                    let stat = &self.out.stats[at as usize];
                    let (english, keyword) = (value_for(&stat.english, what.as_deref()), self.names.keywords.contains(&stat.name));
                    let predicate = self.names.predicates.contains(&stat.name);
                    let flag = self.names.facts.get(&stat.name).is_some_and(|(_, flag)| *flag);
                    let amount = self.noun(by, Number::One);
                    if predicate {
                        predicates.push(english);
                    } else {
                        gets.push(match change {
                            Change::Add if flag => english,
                            Change::Add if keyword => format!("{english} {amount}"),
                            Change::Add => format!("+{amount} {english}"),
                            Change::Subtract => format!("-{amount} {english}"),
                            Change::Multiply => format!("{amount} times its {english}"),
                            Change::Set => format!("{english} {amount}"),
                            // "immunity to attrition less than 3"
                            Change::AtLeast if english.ends_with(" than") || english.ends_with("exactly") => format!("{english} {amount}"),
                            Change::AtLeast => format!("at least {amount} {english}"),
                            Change::AtMost => format!("at most {amount} {english}"),
                        });
                    }
                }
                let mut parts = Vec::new();
                if !gets.is_empty() {
                    parts.push(format!("{verb} {}", joined(&gets, "and")));
                }
                parts.extend(predicates);
                let cumulatively = if *cumulative { ", cumulatively" } else { "" };
                format!("{who} {}{cumulatively}", joined(&parts, "and"))
            }
            ClauseKind::Permit { allow, name, params, test, .. } => {
                let Some(PermissionNames { params: types, says, .. }) = self.names.permissions.get(&name.text).cloned() else {
                    return String::new();
                };
                let says = says.text.clone();
                let word = if *allow { "can" } else { "can't" };
                // Parameters that the test equates with something are spoken of as that.
                let mut named = Vec::new();
                let mut rest = Vec::new();
                if let Some(test) = test {
                    self.equated(test, params, Number::Many, &mut named, &mut rest);
                }
                let mut text = says.replace("{can}", word);
                for (param, (own, ty)) in params.iter().zip(&types) {
                    let spoken = named.iter().find(|(name, _)| *name == param.text).map(|(_, said)| said.clone());
                    let spoken = spoken.unwrap_or_else(|| match ty {
                        crate::types::Ty::Card => self.something(),
                        crate::types::Ty::Player => "a player".into(),
                        _ => "it".into(),
                    });
                    text = text.replace(&format!("{{{own}}}"), &spoken);
                }
                for (name, _) in types.iter().skip(params.len()) {
                    text = text.replace(&format!("{{{name}}}"), &self.something());
                }
                if !rest.is_empty() {
                    text = format!("{text} if {}", joined(&rest, "and"));
                }
                text
            }
            ClauseKind::When { event, params, test, body, .. } => {
                let (types, log) = match self.names.events.get(&event.text) {
                    Some((at, types)) => (types.clone(), self.event_english(*at)),
                    None => return String::new(),
                };
                let (mut named, mut rest) = (Vec::new(), Vec::new());
                if let Some(test) = test {
                    self.equated(test, params, Number::One, &mut named, &mut rest);
                }
                let mut text = log;
                for (at, (own, ty)) in types.iter().enumerate() {
                    let given = params.get(at);
                    let said = given.and_then(|given| named.iter().find(|(name, _)| *name == given.text)).map(|(_, said)| said.clone());
                    let said = said.unwrap_or_else(|| match ty {
                        crate::types::Ty::Card => self.something(),
                        crate::types::Ty::Player => "a player".into(),
                        _ => "that".into(),
                    });
                    if let Some(given) = given {
                        let later = match said.strip_prefix("a ").or(said.strip_prefix("an ")) {
                            Some(noun) => format!("that {noun}"),
                            None => said.clone(),
                        };
                        self.speaker.names.insert(given.text.clone(), later);
                    }
                    text = text.replace(&format!("{{{own}}}"), &said);
                }
                let text = second_person(&text);
                let when = if rest.is_empty() { format!("when {text}") } else { format!("when {text}, if {}", joined(&rest, "and")) };
                format!("{when}, {}", self.speak(body))
            }
        };
        if let Some(when) = &clause.when {
            text = match &*when.kind {
                ExprKind::Not(inner) => format!("unless {}, {text}", self.truth(inner)),
                _ => format!("as long as {}, {text}", self.truth(when)),
            };
        }
        text
    }

    /// The English of an event is its log text, with holes by name.
    fn event_english(&self, event: u8) -> String {
        self.event_texts.get(&event).cloned().unwrap_or_else(|| spaced(&self.out.events[event as usize].name))
    }

    /// Split a test into `param = something` (said in place of the parameter) and the rest.
    fn equated(&mut self, test: &Expr, params: &[Name], number: Number, named: &mut Vec<(String, String)>, rest: &mut Vec<String>) {
        match &*test.kind {
            ExprKind::Bin(Bin::And, a, b) => {
                self.equated(a, params, number, named, rest);
                self.equated(b, params, number, named, rest);
            }
            ExprKind::Bin(Bin::Eq, a, b) => {
                if let ExprKind::Name(name) = &*a.kind
                    && params.iter().any(|param| param.text == *name)
                {
                    let said = self.noun(b, Number::One);
                    self.speaker.names.insert(name.clone(), said.clone());
                    named.push((name.clone(), said));
                } else {
                    let said = self.truth(test);
                    rest.push(said);
                }
            }
            ExprKind::Bin(Bin::In, a, b) => {
                if let (ExprKind::Name(name), ExprKind::Phrase(_)) = (&*a.kind, &*b.kind)
                    && params.iter().any(|param| param.text == *name)
                {
                    let said = self.noun(b, number);
                    named.push((name.clone(), said));
                } else {
                    let said = self.truth(test);
                    rest.push(said);
                }
            }
            _ => {
                let said = self.truth(test);
                rest.push(said);
            }
        }
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

    /// What a body lets a player choose from, in words.
    fn chosen_from(&mut self, body: &[Stmt]) -> Vec<String> {
        let mut found = Vec::new();
        for stmt in body {
            if let StmtKind::Choose { from, .. } = &stmt.kind {
                found.push(self.noun(from, Number::Many));
            }
        }
        found
    }

    /// The things that a test like `count([...]) > 0` asks for, in words.
    fn exists(&mut self, test: &Expr) -> Option<String> {
        let ExprKind::Bin(Bin::Gt, count, zero) = &*test.kind else { return None };
        let (ExprKind::Call(name, args), ExprKind::Int(0)) = (&*count.kind, &*zero.kind) else { return None };
        let [list] = &args[..] else { return None };
        (name.text == "count").then(|| self.noun(list, Number::Many))
    }

    fn singular(&self, from: &Expr) -> String {
        match &*from.kind {
            ExprKind::Phrase(phrase) => {
                let noun = self.phrase_noun(phrase).map_or("card".into(), |noun| noun.singular);
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

    fn plural(&self, from: &Expr) -> String {
        if let ExprKind::Phrase(phrase) = &*from.kind
            && let Some(noun) = self.phrase_noun(phrase)
            && noun.singular.starts_with(&self.singular(from))
        {
            return noun.plural.split(" in ").next().unwrap_or("cards").to_string();
        }
        plural_of(&self.singular(from))
    }

    fn phrase(&mut self, phrase: &Phrase, number: Number) -> String {
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
                let def = self.phrase_noun(phrase);
                let (one, many) = def.map_or(("card".into(), "cards".into()), |def| (self.facing(&def.singular), self.facing(&def.plural)));
                let before = adjectives.join(" ");
                (format!("{before} {one}"), format!("{before} {many}"))
            }
        };
        let (one, many) = (one.trim().to_string(), many.trim().to_string());
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

    /// What the argument of a template says.
    fn alias(&mut self, name: &str, number: Number) -> Option<String> {
        let Alias { argument, outside } = self.aliases.get(name).cloned()?;
        let inside = std::mem::replace(&mut self.aliases, outside);
        let said = self.noun(&argument, number);
        self.aliases = inside;
        Some(said)
    }

    fn noun(&mut self, expr: &Expr, number: Number) -> String {
        match &*expr.kind {
            ExprKind::Int(n) => n.to_string(),
            ExprKind::Str(title) => title.clone(),
            ExprKind::Name(name) => {
                if let Some(said) = self.alias(name, number) {
                    return said;
                }
                if let Some(said) = self.speaker.names.get(name) {
                    return said.clone();
                }
                match name.as_str() {
                    "you" | "opponent" if (name == "you") != self.speaker.turned => "you".into(),
                    "you" | "opponent" => "your opponent".into(),
                    "self" => self.speaker.own.clone(),
                    "it" => "it".into(),
                    "source" => self.speaker.title.clone(),
                    _ => {
                        if self.names.players.contains_key(name) {
                            return format!("the {}", spaced(name));
                        }
                        if let Some(&(kind, _)) = self.names.zones.get(name) {
                            return self
                                .out
                                .zones
                                .iter()
                                .find(|zone| zone.kind == kind)
                                .map_or_else(|| spaced(name), |zone| zone.english.clone());
                        }
                        if let Some(callee) = self.names.functions.get(name)
                            && let Some(says) = callee.says.clone()
                        {
                            return self.fill(&says, &[]);
                        }
                        if let Some(english) = self.names.var_english.get(name) {
                            return self.facing(english);
                        }
                        self.word_text(name)
                    }
                }
            }
            ExprKind::Field(of, field) => {
                let of_zone = self.names.zones.get(&field.text).copied();
                let whose = self.noun(of, Number::One);
                if let Some((kind, true)) = of_zone {
                    let zone = self
                        .out
                        .zones
                        .iter()
                        .find(|zone| zone.kind == kind)
                        .map_or_else(|| spaced(&field.text), |zone| zone.english.clone());
                    return match whose.as_str() {
                        "you" => format!("your {zone}"),
                        "your opponent" => format!("your opponent's {zone}"),
                        _ => format!("{whose}'s {zone}"),
                    };
                }
                if let Some(callee) = self.names.functions.get(&field.text).cloned()
                    && let Some(says) = callee.says
                {
                    let named: Vec<(String, Expr)> = callee.params.iter().map(|(name, _)| (name.clone(), of.clone())).collect();
                    return self.fill(&says, &named);
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
            ExprKind::Phrase(phrase) => self.phrase(phrase, number),
            ExprKind::Call(name, args) => {
                if let Some(callee) = self.names.functions.get(&name.text).cloned()
                    && let Some(says) = callee.says
                {
                    let named: Vec<(String, Expr)> = callee.params.iter().map(|(name, _)| name.clone()).zip(args.iter().cloned()).collect();
                    return self.fill(&says, &named);
                }
                let spoken: Vec<String> = args.iter().map(|arg| self.noun(arg, Number::Many)).collect();
                match (name.text.as_str(), &spoken[..]) {
                    ("count", [what]) => format!("the number of {what}"),
                    ("min", [a, b]) => format!("{a} or {b}, whichever is less"),
                    ("max", [a, b]) => format!("{a} or {b}, whichever is more"),
                    _ => spaced(&name.text),
                }
            }
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

    /// A test as a half-sentence: "you have a Jedi in the Character arena".
    fn truth(&mut self, expr: &Expr) -> String {
        match &*expr.kind {
            ExprKind::Bin(Bin::And, a, b) => format!("{} and {}", self.truth(a), self.truth(b)),
            ExprKind::Bin(Bin::Or, a, b) => format!("{} or {}", self.truth(a), self.truth(b)),
            ExprKind::Not(inner) => match &*inner.kind {
                ExprKind::Is(of, word, false) => format!("{} is not {}", self.noun(of, Number::One), self.one_of(&word.text)),
                _ => format!("it is not so that {}", self.truth(inner)),
            },
            ExprKind::Is(of, word, negated) => {
                let of = self.noun(of, Number::One);
                format!("{of} is {}{}", if *negated { "not " } else { "" }, self.one_of(&word.text))
            }
            ExprKind::Bin(op, a, b) => {
                if let (ExprKind::Call(name, args), ExprKind::Int(n)) = (&*a.kind, &*b.kind)
                    && name.text == "count"
                    && let [arg] = &args[..]
                    && let ExprKind::Phrase(phrase) = &*arg.kind
                {
                    return self.existence(phrase, *op, *n);
                }
                if let (Bin::Ne, ExprKind::Name(name), ExprKind::Name(none)) = (op, &*a.kind, &*b.kind)
                    && none == "none"
                    && self.speaker.choices.contains(name)
                {
                    return "you do".into();
                }
                // Something that may not be there: "there is no total".
                if let (Bin::Eq | Bin::Ne, ExprKind::Name(none)) = (op, &*b.kind)
                    && none == "none"
                {
                    let what = self.noun(a, Number::One);
                    return if *op == Bin::Eq {
                        format!("there is no {}", what.trim_start_matches("the "))
                    } else {
                        format!("there is {what}")
                    };
                }
                let (left, right) = (self.noun(a, Number::One), self.noun(b, Number::One));
                match op {
                    Bin::Eq => format!("{left} is {right}"),
                    Bin::Ne => format!("{left} is not {right}"),
                    Bin::Lt => format!("{left} is less than {right}"),
                    Bin::Le => format!("{left} is {right} or less"),
                    Bin::Gt => format!("{left} is more than {right}"),
                    Bin::Ge => format!("{left} is {right} or more"),
                    Bin::In => format!("{left} is {}", right.strip_prefix("the cards ").unwrap_or(&right)),
                    _ => self.noun(expr, Number::One),
                }
            }
            ExprKind::Can(name, args) => {
                let Some(PermissionNames { params, says, .. }) = self.names.permissions.get(&name.text).cloned() else {
                    return String::new();
                };
                let mut text = says.text.replace("{can}", "can");
                for ((param, _), arg) in params.iter().zip(args) {
                    let said = self.noun(arg, Number::One);
                    text = text.replace(&format!("{{{param}}}"), &said);
                }
                text
            }
            // A program in a test is something a player does: "your opponent pays 2 Force".
            ExprKind::Call(name, args) if self.names.procs.contains_key(&name.text) => self.verb(name, args),
            ExprKind::Quantify { which, var, list, test, .. } if which.text == "any" => {
                let list = self.noun(list, Number::One);
                self.speaker.names.insert(var.text.clone(), "it".into());
                match test {
                    Some(test) => format!("there is {list} such that {}", self.truth(test)),
                    None => format!("there is {list}"),
                }
            }
            _ => self.noun(expr, Number::One),
        }
    }

    fn existence(&mut self, phrase: &Phrase, op: Bin, n: i32) -> String {
        let bare = Phrase { owner: None, ..phrase.clone() };
        let (who, has) = match (phrase.owner, self.speaker.turned) {
            (Some(Owner::Your), false) | (Some(Owner::Opponents), true) => ("you", "have"),
            (Some(_), _) => ("your opponent", "has"),
            (None, _) => ("there", "is"),
        };
        match (op, n) {
            (Bin::Gt, 0) | (Bin::Ge, 1) => format!("{who} {has} {}", self.phrase(&bare, Number::One)),
            (Bin::Eq, 0) | (Bin::Lt, 1) => format!("{who} {has} no {}", self.phrase(&bare, Number::Many)),
            (Bin::Ge, n) => format!("{who} {has} {n} or more {}", self.phrase(&bare, Number::Many)),
            (Bin::Gt, n) => format!("{who} {has} more than {n} {}", self.phrase(&bare, Number::Many)),
            (Bin::Le, n) => format!("{who} {has} {n} or fewer {}", self.phrase(&bare, Number::Many)),
            (Bin::Lt, n) => format!("{who} {has} fewer than {n} {}", self.phrase(&bare, Number::Many)),
            (_, n) => format!("{who} {has} {n} {}", self.phrase(&bare, Number::Many)),
        }
    }
}

/// A value for something is called with it: "Force drain for you"; without it the last words are left out.
fn value_for(english: &str, what: Option<&str>) -> String {
    let Some(open) = english.find('{') else { return english.to_string() };
    match what {
        Some(what) => english[..open].to_string() + what,
        None => english[..open].trim_end().rsplit_once(' ').map_or("", |(before, _)| before).to_string(),
    }
}

/// A text for the player of a card, for the other player: "your hand" is "your opponent's hand", and the other way round.
fn turned(text: &str) -> String {
    let bare = |word: &str| word.trim_end_matches([',', '.', ';', ':']).len();
    let mut words: Vec<String> = Vec::new();
    let mut rest = text.split(' ').peekable();
    while let Some(word) = rest.next() {
        let after = rest.peek().map_or("", |after| &after[..bare(after)]);
        let subject =
            words.last().is_none_or(|before| before.ends_with(',') || ["and", "if", "then", "unless", "when"].contains(&before.as_str()));
        let (said, end) = match (&word[..bare(word)], after) {
            ("your", "opponent's" | "opponent") => {
                let said = if after == "opponent" { "you" } else { "your" };
                let next = rest.next().unwrap_or("");
                (said, &next[bare(next)..])
            }
            ("your", _) => ("your opponent's", &word[bare(word)..]),
            ("you", _) => ("your opponent", &word[bare(word)..]),
            _ => (word, ""),
        };
        let verb = match said {
            "you" if end.is_empty() => rest.next_if(|_| subject).map(|verb| verb_for(verb, true)),
            "your opponent" if end.is_empty() => rest.next_if(|_| subject).map(|verb| verb_for(verb, false)),
            _ => None,
        };
        words.push(format!("{said}{end}"));
        words.extend(verb);
    }
    words.join(" ")
}

/// "You may draw a card", not "you may you draw a card".
pub(crate) fn may(who: &str, what: &str) -> String {
    match what.strip_prefix(who).and_then(|what| what.strip_prefix(' ')) {
        Some(what) => {
            let (verb, rest) = what.split_once(' ').unwrap_or((what, ""));
            let verb = if who == "you" { verb.to_string() } else { verb_for(verb, true) };
            format!("{who} may {verb} {rest}").trim_end().to_string()
        }
        None => format!("{who} may {what}"),
    }
}

/// A verb for "you", or for anyone else.
fn verb_for(verb: &str, you: bool) -> String {
    match (verb, you) {
        ("is", true) => "are".into(),
        ("has", true) => "have".into(),
        ("are", false) => "is".into(),
        ("have", false) => "has".into(),
        ("may" | "can" | "can't" | "must" | "would" | "could" | "", _) => verb.into(),
        (_, true) => verb.strip_suffix('s').unwrap_or(verb).into(),
        (_, false) => format!("{verb}s"),
    }
}

/// "you initiates" is "you initiate".
fn second_person(text: &str) -> String {
    if let Some(rest) = text.strip_prefix("you's ") {
        return format!("your {rest}");
    }
    let Some(rest) = text.strip_prefix("you ") else { return text.to_string() };
    let (verb, rest) = rest.split_once(' ').unwrap_or((rest, ""));
    format!("you {} {rest}", verb_for(verb, true)).trim_end().to_string()
}

fn counters(amount: &str) -> &'static str {
    if amount == "1" { "counter" } else { "counters" }
}

fn until(period: &str) -> String {
    match period {
        "attack" => "for this attack".into(),
        "turn" => "this turn".into(),
        "game" => "for the rest of the game".into(),
        other => format!("until the end of the {}", spaced(other)),
    }
}

#[cfg(test)]
mod tests {
    use super::{may, turned};

    #[test]
    fn a_player_who_may_is_named_once() {
        assert_eq!(may("you", "you draw a card"), "you may draw a card");
        assert_eq!(may("your opponent", "your opponent discards your hand"), "your opponent may discard your hand");
        assert_eq!(may("you", "your units are tapped"), "you may your units are tapped");
        assert_eq!(may("you", "tap it"), "you may tap it");
    }

    #[test]
    fn a_text_is_turned_round() {
        let pairs = [
            ("your hand", "your opponent's hand"),
            ("you gain 1 Force, then your opponent loses your Force", "your opponent gains 1 Force, then you lose your opponent's Force"),
            ("one of your opponent's units, if you have it", "one of your units, if your opponent has it"),
            ("show it to your opponent.", "show it to you."),
        ];
        for (own, other) in pairs {
            assert_eq!(turned(own), other);
            assert_eq!(turned(other), own);
        }
    }
}
