//! What is said of a thing: a subject, a verb that agrees with it, and the rest. Claims about one subject share it.

use super::said::{Number, Person, Said, Thing};
use super::words::{agreeing, denied, is_verb, joined, plain_verb};

#[derive(Clone, PartialEq, Debug)]
pub(super) enum Claim {
    /// The verb stands in the third person: "is", "has", "pays".
    Does { subject: Said, verb: String, rest: String, not: bool },
    /// "you have 2 or more Jedi", "there is no Jedi"
    Exists { who: Option<Said>, what: Thing, count: Count },
    /// What has no subject of its own: "tap that unit"; denied as a whole.
    Whole { text: String, not: bool },
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Count {
    AtLeast(i32),
    AtMost(i32),
    Exactly(i32),
    Not(i32),
    MoreThan(i32),
    FewerThan(i32),
}

impl Claim {
    pub(super) fn whole(text: impl Into<String>) -> Claim {
        Claim::Whole { text: text.into(), not: false }
    }
    pub(super) fn does(subject: Said, verb: &str, rest: impl Into<String>) -> Claim {
        Claim::Does { subject, verb: verb.into(), rest: rest.into(), not: false }
    }

    /// A finished half-sentence, taken apart at its first plain verb.
    pub(super) fn read(text: &str) -> Claim {
        let words: Vec<&str> = text.split(' ').collect();
        let at = words.iter().position(|word| ["is", "are", "has", "have", "was", "were", "can", "can't"].contains(word));
        let Some(at) = at.filter(|at| *at > 0) else {
            // "you control it"
            return match words[..] {
                ["you", verb, ..] => Claim::does(Said::you(), &third(verb), words[2..].join(" ")),
                ["your", "opponent", verb, ..] if is_verb(verb) => Claim::does(Said::opponent(), verb, words[3..].join(" ")),
                _ => Claim::whole(text),
            };
        };
        let subject = match &words[..at] {
            ["you"] => Said::you(),
            ["it"] => Said::it(),
            ["its", thing @ ..] => Said::of(&Said::it(), &thing.join(" "), Person::One),
            ["there" | "no" | "either" | "both", ..] => return Claim::whole(text),
            words if ["are", "have", "were"].contains(&text.split(' ').nth(at).unwrap_or("")) => Said::many(words.join(" ")),
            words => Said::one(words.join(" ")),
        };
        Claim::does(subject, &third(words[at]), words[at + 1..].join(" "))
    }

    pub(super) fn denied(self) -> Claim {
        match self {
            Claim::Does { subject, verb, rest, not } => Claim::Does { subject, verb, rest, not: !not },
            Claim::Exists { who, what, count } => Claim::Exists { who, what, count: count.denied() },
            Claim::Whole { text, not } => match text.strip_prefix("no ").filter(|_| !not) {
                // "no unit has attacked" is denied by "a unit has".
                Some(rest) => Claim::whole(super::words::article(rest)),
                None => Claim::Whole { text, not: !not },
            },
        }
    }

    /// Whether it speaks of "it" alone, so that it can tell which thing is meant.
    pub(super) fn is_of_it(&self) -> bool {
        self.subject().is_some_and(|subject| subject.person == Person::It || subject.of_it().is_some())
    }
    pub(super) fn subject(&self) -> Option<&Said> {
        if let Claim::Does { subject, .. } = self { Some(subject) } else { None }
    }

    /// The name it is: "Luke" of "it is Luke".
    pub(super) fn name_of_it(&self) -> Option<&str> {
        match self {
            Claim::Does { subject, verb, rest, not: false } if subject.person == Person::It && verb == "is" => {
                Some(rest.as_str()).filter(|rest| rest.starts_with(char::is_uppercase))
            }
            _ => None,
        }
    }

    /// Verb and rest: "is not a Jedi".
    pub(super) fn predicate(&self) -> Option<String> {
        let Claim::Does { subject, verb, rest, not } = self else { return None };
        Some(put(&if *not { denied(verb, subject.person) } else { agreeing(verb, subject.person) }, rest))
    }

    pub(super) fn text(&self) -> String {
        match self {
            Claim::Does { subject, .. } => put(&subject.text, &self.predicate().unwrap_or_default()),
            // "Luke is at the site", not "there is Luke at the site".
            Claim::Exists { who: None, what, count } if what.has_name_and_place() && (count.is_single() || count.is_none()) => {
                let (name, place) = what.name_and_place();
                format!("{name} {} {place}", if count.is_none() { "is not" } else { "is" })
            }
            Claim::Exists { who, what, count } => {
                let (whose, has) = match who {
                    Some(who) => (who.text.as_str(), agreeing("has", who.person)),
                    None => ("there", if count.is_single() || what.title.is_some() { "is".into() } else { "are".into() }),
                };
                format!("{whose} {has} {}", count.of(what))
            }
            Claim::Whole { text, not: false } => text.clone(),
            Claim::Whole { text, not: true } => format!("it is not so that {text}"),
        }
    }

    /// Something to do: what you do is told without you.
    pub(super) fn order(&self) -> String {
        match self {
            Claim::Does { subject, verb, rest, not: false } if subject.is_you() && is_verb(verb) && verb.ends_with('s') && verb != "is" => {
                put(&plain_verb(verb), rest)
            }
            _ => self.text(),
        }
    }

    /// "you may draw a card", not "you may you draw a card".
    pub(super) fn allowed_to(&self, who: &Said) -> String {
        match self {
            Claim::Does { subject, verb, rest, not: false } if subject.text == who.text => {
                let verb = if verb == "is" { "be".into() } else { plain_verb(verb) };
                format!("{} may {}", who.text, put(&verb, rest))
            }
            _ => format!("{} may {}", who.text, self.text()),
        }
    }

    /// What tells which things are meant, behind their noun, for one and for many: "with power 3 or less", "that is alone".
    pub(super) fn telling_which(&self) -> (String, String) {
        if let Claim::Does { subject, verb, rest, not } = self {
            if let Some(thing) = subject.of_it().filter(|_| verb == "is") {
                let how = if *not { "other than " } else { "" };
                let with = format!("with {thing} {how}{rest}");
                return (with.clone(), with);
            }
            // "with 2 damage", "with no damage", but "that has attacked".
            let counted = rest.starts_with(|first: char| first.is_ascii_digit() || first.is_uppercase());
            let counted = counted || ["no ", "more than ", "less than "].iter().any(|start| rest.starts_with(start));
            if subject.person == Person::It && verb == "has" && !not && counted {
                return (format!("with {rest}"), format!("with {rest}"));
            }
            // "at the site", without "that is".
            if subject.person == Person::It && verb == "is" && !not && says_where(rest) {
                return (rest.clone(), rest.clone());
            }
            if subject.person == Person::It {
                let as_many = Claim::Does { subject: Said::many("they"), verb: verb.clone(), rest: rest.clone(), not: *not };
                let that = |claim: &Claim| format!("that {}", claim.predicate().unwrap_or_default());
                return (that(self), that(&as_many));
            }
        }
        // "with the name of one of your units"
        let of_which = format!("{} {}", if matches!(self, Claim::Whole { not: false, .. }) { "with" } else { "where" }, self.text());
        (of_which.clone(), of_which)
    }

    /// "while attacking a Jedi", where it is the subject of the sentence that is.
    pub(super) fn while_of(&self, subject: &Said) -> Option<String> {
        match self {
            Claim::Does { subject: own, verb, rest, not } if own.speaks_of(subject) && verb == "is" => {
                // "while attacking", but "while it is a Jedi", "while it is Luke".
                let named = rest.starts_with(char::is_uppercase) || rest.starts_with("a ") || rest.starts_with("an ");
                let it = if named { "it is " } else { "" };
                Some(if *not { format!("while {it}not {rest}") } else { format!("while {it}{rest}") })
            }
            _ => None,
        }
    }
}

impl Count {
    fn denied(self) -> Count {
        match self {
            Count::AtLeast(n) => Count::AtMost(n - 1),
            Count::AtMost(n) => Count::AtLeast(n + 1),
            Count::Exactly(n) => Count::Not(n),
            Count::Not(n) => Count::Exactly(n),
            Count::MoreThan(n) => Count::AtMost(n),
            Count::FewerThan(n) => Count::AtLeast(n),
        }
    }
    fn is_single(self) -> bool {
        matches!(self, Count::AtLeast(1) | Count::Exactly(1) | Count::Not(0))
    }
    fn is_none(self) -> bool {
        matches!(self, Count::AtMost(0) | Count::Exactly(0))
    }
    fn of(self, what: &Thing) -> String {
        match self {
            Count::AtLeast(1) | Count::Not(0) => what.said(Number::One).text,
            Count::AtMost(0) | Count::Exactly(0) => what.counted("no", false),
            Count::AtLeast(n) => what.counted(&format!("{n} or more"), false),
            Count::AtMost(n) => what.counted(&format!("{n} or fewer"), false),
            Count::Exactly(1) => what.counted("exactly 1", true),
            Count::Exactly(n) => what.counted(&format!("exactly {n}"), false),
            Count::Not(n) => what.counted(&format!("more or fewer than {n}"), false),
            Count::MoreThan(n) => what.counted(&format!("more than {n}"), false),
            Count::FewerThan(n) => what.counted(&format!("fewer than {n}"), false),
        }
    }
}

/// Claims in one half-sentence. What they share (subject, verb, the words up to a preposition) is said once.
pub(super) fn all_of(claims: &[Claim], last: &str) -> String {
    // What one player has is told of that player: "you have a lamp and a map".
    let had = |claim: &Claim| match claim {
        Claim::Exists { who: Some(who), what, count } => Claim::does(who.clone(), "has", count.of(what)),
        claim => claim.clone(),
    };
    let claims: &[Claim] = &claims.iter().map(had).collect::<Vec<_>>();
    let mut told: Vec<String> = Vec::new();
    let mut at = 0;
    while at < claims.len() {
        let alike = |claim: &&Claim| {
            claim
                .subject()
                .is_some_and(|subject| claims[at].subject().is_some_and(|own| own.text == subject.text && own.person == subject.person))
        };
        let run = claims[at..].iter().take_while(alike).count().max(1);
        told.push(of_one_subject(&claims[at..at + run], last));
        at += run;
    }
    joined(&told, last)
}

fn of_one_subject(claims: &[Claim], last: &str) -> String {
    let [first, others @ ..] = claims else { return String::new() };
    let Claim::Does { subject, verb, rest, not } = first else { return first.text() };
    if others.is_empty() {
        return first.text();
    }
    let has_none = |rest: &str| rest.starts_with("no ");
    let alike = |own: &String, own_rest: &String, no: &bool| own == verb && no == not && has_none(own_rest) == has_none(rest);
    let same_verb = others.iter().all(|claim| matches!(claim, Claim::Does { verb, rest, not, .. } if alike(verb, rest, not)));
    if !same_verb {
        let predicates: Vec<String> = claims.iter().filter_map(Claim::predicate).collect();
        return format!("{} {}", subject.text, joined(&predicates, last));
    }
    let rests: Vec<&str> = claims.iter().map(|claim| if let Claim::Does { rest, .. } = claim { rest.as_str() } else { "" }).collect();
    let shared = shared_start(&rests);
    let rests: Vec<String> = rests.iter().map(|rest| rest[shared..].to_string()).collect();
    // "is not a Jedi or a Sith" denies both, "is not a Jedi and a Sith" would not.
    let last = if *not { "or" } else { last };
    let verb = if *not { denied(verb, subject.person) } else { agreeing(verb, subject.person) };
    format!("{} {verb} {}{}", subject.text, &rest[..shared], joined(&rests, last))
}

/// How many letters of all rests are the same up to a preposition.
fn shared_start(rests: &[&str]) -> usize {
    let [first, others @ ..] = rests else { return 0 };
    let (mut end, mut shared) = (0, 0);
    for word in first.split_inclusive(' ') {
        end += word.len();
        if end >= first.len() || !others.iter().all(|other| other.len() > end && other[..].starts_with(&first[..end])) {
            break;
        }
        if ["as", "at", "by", "in", "of", "on", "than", "to", "with"].contains(&word.trim_end()) {
            shared = end;
        }
    }
    shared
}

pub(super) fn says_where(rest: &str) -> bool {
    ["at ", "in ", "on ", "by ", "aboard ", "present ", "under "].iter().any(|place| rest.starts_with(place))
}

fn put(start: &str, rest: &str) -> String {
    let rest = rest.trim_start();
    if rest.is_empty() { start.trim_end().to_string() } else { format!("{} {rest}", start.trim_end()) }
}

/// The third person of a verb that may stand for "you" or many.
fn third(verb: &str) -> String {
    match verb {
        "are" => "is".into(),
        "have" => "has".into(),
        "were" => "was".into(),
        "can" | "can't" | "may" | "must" => verb.into(),
        _ if verb.ends_with('s') => verb.into(),
        _ => format!("{verb}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is(rest: &str) -> Claim {
        Claim::does(Said::one("the owl"), "is", rest)
    }

    #[test]
    fn claims_share_what_they_can() {
        assert_eq!(all_of(&[is("a Fox"), is("a Moth")], "or"), "the owl is a Fox or a Moth");
        assert_eq!(all_of(&[is("at the same site as A"), is("at the same site as B")], "or"), "the owl is at the same site as A or B");
        assert_eq!(all_of(&[is("awake"), Claim::does(Said::one("the owl"), "has", "a lamp")], "and"), "the owl is awake and has a lamp");
        assert_eq!(all_of(&[is("a Fox").denied(), is("a Moth").denied()], "and"), "the owl is not a Fox or a Moth");
        assert_eq!(all_of(&[is("awake"), Claim::does(Said::you(), "has", "light")], "and"), "the owl is awake and you have light");
    }

    #[test]
    fn claims_are_denied() {
        let owls = |count| Claim::Exists { who: None, what: Thing::sort("owl"), count };
        assert_eq!(owls(Count::AtLeast(1)).text(), "there is an owl");
        assert_eq!(owls(Count::AtLeast(1)).denied().text(), "there are no owls");
        assert_eq!(owls(Count::AtLeast(3)).denied().text(), "there are 2 or fewer owls");
        assert_eq!(Claim::does(Said::opponent(), "pays", "2 light").denied().text(), "your opponent does not pay 2 light");
        assert_eq!(Claim::read("the lamp is lit").denied().text(), "the lamp is not lit");
        assert_eq!(Claim::read("you control it").denied().text(), "you do not control it");
        assert_eq!(Claim::read("no owl has flown").denied().text(), "an owl has flown");
    }

    #[test]
    fn claims_tell_which_and_allow() {
        let glow = Claim::does(Said::of(&Said::it(), "glow", Person::One), "is", "3 or less");
        assert_eq!(glow.telling_which().0, "with glow 3 or less");
        assert_eq!(Claim::read("it is awake").telling_which(), ("that is awake".into(), "that are awake".into()));
        let draws = Claim::does(Said::you(), "draws", "a card");
        assert_eq!(draws.allowed_to(&Said::you()), "you may draw a card");
        assert_eq!(draws.order(), "draw a card");
        assert_eq!(Claim::whole("tap it").allowed_to(&Said::opponent()), "your opponent may tap it");
    }
}
