//! The English that rules give in quotes, its holes filled with what the arguments are called. Verbs behind the first hole agree
//! with it, "'s" behind a hole makes a possessive, and an amount that is no plain number is told behind the sentence.

use super::English;
use super::claims::Claim;
use super::said::{Amount, Number, Person, Said};
use super::words::is_verb;
use crate::ast::*;
use crate::compile::spaced;
use crate::holes::{Part, parts};

/// Arguments by the names of their parameters.
pub(super) type Args = [(String, Expr)];

/// A text on its way: what was said, and what is told behind it.
#[derive(Default)]
struct Filling {
    out: String,
    behind: Vec<String>,
}

impl Filling {
    fn done(self) -> String {
        self.behind.into_iter().fold(self.out, |out, behind| out + &behind)
    }
}

impl English<'_> {
    /// A text as a claim: its subject is the hole that it starts with.
    pub(super) fn fill(&mut self, says: &str, args: &Args) -> Claim {
        self.fill_with(says, &mut |english, name, number| english.hole(name, number, args))
    }

    /// The same, with somebody else who knows what stands in the holes.
    pub(super) fn fill_with(&mut self, says: &str, hole: &mut dyn FnMut(&mut Self, &str, Number) -> Said) -> Claim {
        let parts = parts(says).unwrap_or_default();
        match parts[..] {
            [Part::Value(name), Part::Plain(plain), ref rest @ ..] if plain.starts_with(' ') => {
                let (verb, after) = plain[1..].split_once(' ').map_or((&plain[1..], ""), |(verb, _)| (verb, &plain[1 + verb.len()..]));
                if is_verb(verb) {
                    let subject = self.filled(name, hole);
                    let rest: Vec<Part> = std::iter::once(Part::Plain(after)).chain(rest.iter().cloned()).collect();
                    return Claim::does(subject, verb, self.fill_parts(&rest, hole).trim_start());
                }
                // "{p} {p|gain|gains} 2 Force"
                if let (true, [Part::Plural(of, _, verb), rest @ ..]) = (verb.is_empty(), rest)
                    && *of == name
                {
                    let subject = self.filled(name, hole);
                    return Claim::does(subject, verb, self.fill_parts(rest, hole).trim_start());
                }
                Claim::whole(self.fill_parts(&parts, hole))
            }
            _ => Claim::whole(self.fill_parts(&parts, hole)),
        }
    }

    fn fill_parts(&mut self, parts: &[Part], hole: &mut dyn FnMut(&mut Self, &str, Number) -> Said) -> String {
        let mut filling = Filling::default();
        let mut parts: Vec<Part> = parts.to_vec();
        parts.reverse();
        while let Some(part) = parts.pop() {
            match part {
                Part::Plain(plain) => filling.out += &self.facing(plain),
                Part::Value(name) => {
                    let said = self.filled(name, hole);
                    put_value(&mut filling, &said, name, &mut parts);
                }
                Part::Plural(name, one, many) => {
                    let said = self.filled(name, hole);
                    let first = match said.amount {
                        Some(Amount::Each(count, _)) => count == 1,
                        Some(Amount::Or(ref base, _)) => base == "1",
                        None => said.person.takes_first_form(),
                    };
                    filling.out += if first { one } else { many };
                }
                // What is said on a condition is for labels, where the condition can be asked.
                Part::When(..) => {}
            }
        }
        filling.done()
    }

    fn filled(&mut self, hole: &str, say: &mut dyn FnMut(&mut Self, &str, Number) -> Said) -> Said {
        match hole.split_once(':') {
            // What is done to many is done to each of them.
            Some((name, "each")) => match say(self, name, Number::Each) {
                said if said.person == Person::Many => Said::one(format!("each of {}", said.text)).with_more(),
                said => said,
            },
            Some((name, "many")) => say(self, name, Number::Many),
            Some((name, "bare")) => {
                let mut said = say(self, name, Number::One);
                said.text = self.without_zone(&said.text);
                said
            }
            _ => say(self, hole, Number::One),
        }
    }

    /// What lies in a zone, where the sentence says that itself: "a card" of "a card in your hand".
    fn without_zone(&self, text: &str) -> String {
        // How long the zone is, with whose it is.
        let zone = |rest: &str| {
            let whose = |at: usize| at == 0 || (rest[..at].ends_with(' ') && rest[..at].matches(' ').count() <= 2);
            let named = |zone: &String| {
                let zone = self.names.zone_english.get(zone).cloned().unwrap_or_else(|| spaced(zone));
                rest.find(&zone).filter(|at| whose(*at)).map(|at| at + zone.len())
            };
            self.names.zones.keys().filter_map(named).max()
        };
        let found = text.match_indices(" in ").find_map(|(at, within)| Some((at, at + within.len() + zone(&text[at + within.len()..])?)));
        // Each of several lies there.
        found.map_or_else(|| text.to_string(), |(from, to)| self.without_zone(&format!("{}{}", &text[..from], &text[to..])))
    }

    pub(super) fn hole(&mut self, name: &str, number: Number, args: &Args) -> Said {
        if let Some((_, arg)) = args.iter().find(|(param, _)| param == name) {
            return self.noun(arg, number);
        }
        if let Some(said) = self.aliased(name, |english, argument| english.noun(argument, number)) {
            return said;
        }
        match name {
            "self" => Said::one(self.speaker.own.clone()),
            "source" => Said::one(self.speaker.title.clone()),
            _ => self.speaker.names.get(name).cloned().unwrap_or_else(|| Said::one(name)),
        }
    }
}

fn put_value(filling: &mut Filling, said: &Said, name: &str, parts: &mut Vec<Part>) {
    if let Some(Part::Plain(after)) = parts.last_mut()
        && let Some(rest) = after.strip_prefix("'s")
    {
        *after = rest;
        filling.out += &said.possessive();
        return;
    }
    match &said.amount {
        Some(Amount::Each(count, each)) => {
            filling.out += &count.to_string();
            filling.behind.push(format!(" {each}"));
        }
        Some(Amount::Or(base, or)) => {
            filling.out += base;
            filling.behind.push(or.clone());
        }
        None if said.person == Person::Amount(None) && !said.is_plain_number() => put_amount(filling, said, name, parts),
        None => filling.out += &said.text,
    }
}

/// "damage equal to its power", "by its power", or "up to X cards, where X is its power".
fn put_amount(filling: &mut Filling, said: &Said, name: &str, parts: &mut Vec<Part>) {
    let before = filling.out.trim_end();
    let limits = ["up to", "top", "first", "more than", "less than", "+", "-"].iter().any(|end| before.ends_with(end));
    let noun = if limits { Vec::new() } else { counted_noun(name, parts) };
    let more = noun.first().is_some_and(|word| ["more", "fewer", "less", "times"].contains(&word.as_str()));
    if limits || more {
        filling.out += "X";
        if !noun.is_empty() {
            filling.out += &format!(" {}", noun.join(" "));
        }
        filling.behind.push(format!(", where X is {}", said.text));
    } else if noun.is_empty() {
        filling.out += &said.text;
    } else {
        filling.out += &format!("{} equal to {}", noun.join(" "), said.text);
    }
}

/// The words behind a number that say what is counted, taken from the text: "damage", "a number of focus tokens".
fn counted_noun(name: &str, parts: &mut Vec<Part>) -> Vec<String> {
    let mut noun: Vec<String> = Vec::new();
    while let Some(part) = parts.pop() {
        match part {
            Part::Plural(of, _, many) if of == name => {
                noun.push(many.to_string());
                if !["more", "fewer"].contains(&noun[0].as_str()) {
                    noun.insert(0, "a number of".into());
                }
            }
            Part::Plain(plain) => {
                let mut used = 0;
                for word in plain.split_inclusive(' ') {
                    let bare = word.trim();
                    if ends_noun(bare) {
                        break;
                    }
                    used += word.len();
                    if !bare.is_empty() {
                        noun.push(bare.into());
                    }
                }
                if used < plain.len() {
                    // The blank before what is left.
                    let left = used - usize::from(used > 0 && plain[..used].ends_with(' '));
                    parts.push(Part::Plain(&plain[left..]));
                    return noun;
                }
            }
            other => {
                parts.push(other);
                if !noun.is_empty() {
                    parts.push(Part::Plain(" "));
                }
                return noun;
            }
        }
    }
    noun
}

fn ends_noun(word: &str) -> bool {
    let little = ["to", "from", "on", "of", "for", "at", "in", "into", "and", "this", "if", "less", "each", "instead", "or", "is", "than"];
    little.contains(&word) || word.contains(['.', ',', ';', ':', '(', ')'])
}
