//! Forms of words: articles, plurals, persons of verbs, and the joints of a sentence.

use super::said::Person;
use crate::compile::spaced;

pub(crate) fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

pub(super) fn sentence(text: &str) -> String {
    let text = capital(text.trim());
    if text.is_empty() || text.ends_with('.') || text.ends_with(".\"") { text } else { text + "." }
}

pub(super) fn article(noun: &str) -> String {
    let word = noun.split(' ').next().unwrap_or("").trim_start_matches('[');
    // An X-wing and an R-unit are spoken by their letter; a unit and a one begin with a consonant.
    let lettered =
        word.chars().nth(1).is_none_or(|second| !second.is_alphabetic()) && word.starts_with(['F', 'H', 'L', 'M', 'N', 'R', 'S', 'X']);
    let vowel = word.starts_with(['a', 'e', 'i', 'o', 'u', 'A', 'E', 'I', 'O', 'U', '8']);
    let consonant = ["uni", "Uni", "use", "one", "One", "eu", "Eu", "Ubr", "Uti"].iter().any(|start| word.starts_with(start))
        && !word.starts_with("unid");
    let an = lettered || (vowel && !consonant);
    format!("{} {noun}", if an { "an" } else { "a" })
}

pub(super) fn plural_of(word: &str) -> String {
    let consonant_y =
        word.ends_with('y') && !word.ends_with(['a', 'e', 'o', 'u']) && !["ay", "ey", "oy", "uy"].iter().any(|end| word.ends_with(end));
    if word.ends_with(['s', 'i']) {
        word.into()
    } else if consonant_y {
        format!("{}ies", &word[..word.len() - 1])
    } else {
        format!("{word}s")
    }
}

pub(super) fn joined(parts: &[String], last: &str) -> String {
    match parts {
        [] => String::new(),
        [one] => one.clone(),
        [a, b] => format!("{a} {last} {b}"),
        [rest @ .., end] => format!("{}, {last} {end}", rest.join(", ")),
    }
}

/// Whether a word behind a subject is its verb. Verbs stand in the third person in the English of the rules.
pub(super) fn is_verb(word: &str) -> bool {
    let word = word.trim_end_matches([',', '.', ';', ':']);
    if ["was", "can", "can't", "cannot", "may", "must", "would", "could", "will"].contains(&word) {
        return true;
    }
    let no_verb = ["its", "as", "this", "plus", "less", "yours", "theirs", "always", "us", "unless"];
    word.len() > 1 && word.ends_with('s') && !word.ends_with("'s") && word.starts_with(char::is_lowercase) && !no_verb.contains(&word)
}

/// A verb in the third person, as anybody but a single one has it: "are", "have", "carry".
pub(super) fn plain_verb(verb: &str) -> String {
    match verb {
        "is" => "are".into(),
        "was" => "were".into(),
        "has" => "have".into(),
        "can" | "can't" | "cannot" | "may" | "must" | "would" | "could" | "will" => verb.into(),
        _ => match verb.strip_suffix("ies") {
            Some(stem) if stem.len() > 1 => format!("{stem}y"),
            _ => {
                let hissing = ["sses", "shes", "ches", "xes", "oes"].iter().any(|end| verb.ends_with(end));
                verb.strip_suffix(if hissing { "es" } else { "s" }).unwrap_or(verb).into()
            }
        },
    }
}

/// What stands behind one thing, behind many: "that is awake" is "that are awake".
pub(super) fn for_many(behind: &str) -> String {
    let words: Vec<&str> = behind.split(' ').collect();
    let at = words.first().filter(|first| ["that", "who", "which"].contains(first)).map(|_| 1);
    // Both verbs of "that deploys for free and is immune".
    let verbs = |(place, word): (usize, &&str)| {
        let begins = Some(place) == at || (at.is_some() && place > 1 && ["and", "or"].contains(&words[place - 1]));
        if begins && is_verb(word) { plain_verb(word) } else { word.to_string() }
    };
    words.iter().enumerate().map(verbs).collect::<Vec<_>>().join(" ")
}

/// A verb in the third person, for this person.
pub(super) fn agreeing(verb: &str, person: Person) -> String {
    if person.takes_plain_verb() { plain_verb(verb) } else { verb.into() }
}

/// The same, denied: "is not", "can't", "does not have".
pub(super) fn denied(verb: &str, person: Person) -> String {
    match verb {
        "is" | "was" => format!("{} not", agreeing(verb, person)),
        "can" => "can't".into(),
        "can't" | "cannot" => "can".into(),
        "may" | "must" | "would" | "could" | "will" => format!("{verb} not"),
        _ => format!("{} not {}", agreeing("does", person), plain_verb(verb)),
    }
}

/// A text for the player of a card, for the other player: "your hand" is "your opponent's hand", and the other way round.
pub(super) fn turned(text: &str) -> String {
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
            "you" if end.is_empty() => rest.next_if(|_| subject).map(plain_verb),
            "your opponent" if end.is_empty() => rest.next_if(|_| subject).map(third_person),
            _ => None,
        };
        words.push(format!("{said}{end}"));
        words.extend(verb);
    }
    words.join(" ")
}

/// A verb as "you" has it, for anyone else.
fn third_person(verb: &str) -> String {
    match verb {
        "are" => "is".into(),
        "have" => "has".into(),
        "may" | "can" | "can't" | "must" | "would" | "could" | "" => verb.into(),
        _ => format!("{verb}s"),
    }
}

pub(super) fn until(period: &str) -> String {
    match period {
        "attack" => "for this attack".into(),
        "turn" => "this turn".into(),
        "game" => "for the rest of the game".into(),
        other => format!("until the end of the {}", spaced(other)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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

    #[test]
    fn verbs_agree() {
        let forms =
            [("is", "are", "are not"), ("has", "have", "do not have"), ("carries", "carry", "do not carry"), ("can", "can", "can't")];
        for (verb, many, no) in forms {
            assert_eq!(agreeing(verb, Person::Many), many);
            assert_eq!(denied(verb, Person::You), no);
        }
        assert_eq!(denied("seizes", Person::One), "does not seize");
        assert!(is_verb("does") && !is_verb("its") && !is_verb("Luke's"));
    }

    #[test]
    fn articles_and_plurals() {
        let articles = ["a unit", "an X-wing", "an Ewok", "a Lamp", "an event", "an unpiloted ship", "a Utinni Effect", "an Owl", "a Sith"];
        for said in articles {
            assert_eq!(article(said.split_once(' ').map_or("", |(_, noun)| noun)), said);
        }
        assert_eq!([plural_of("Jedi"), plural_of("spy"), plural_of("bay")], ["Jedi", "spies", "bays"]);
    }
}
