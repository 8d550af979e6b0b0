//! What a guest or an account may be called: names that are kept tidy, and none that passes for somebody else of ours.
//!
//! Two names are compared by what people see: letters of other alphabets that look like ours (Unicode has a table of these), capitals,
//! accents, spaces, signs, and digits that stand for letters make no difference.

use crate::failure::Failure;
use std::collections::HashSet;
use std::sync::LazyLock;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;
use unicode_security::skeleton;

const LONGEST: usize = 24;

/// A name as it is kept: 2 to 24 characters, one space between words, nothing invisible.
pub fn fit(name: &str) -> Result<String, Failure> {
    let name = name.split(' ').filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
    let length = name.chars().count();
    if !(2..=LONGEST).contains(&length) {
        return Err(Failure::bad(format!("a name has 2 to {LONGEST} characters")));
    }
    if name.chars().any(|c| c.is_control() || invisible(c) || (c.is_whitespace() && c != ' ')) {
        return Err(Failure::bad("a name has no invisible characters"));
    }
    Ok(name)
}

/// Characters that would let two names look alike, or turn the text around them.
fn invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{2800}' | '\u{3164}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{ffff}' | '\u{e0000}'..='\u{e0fff}')
}

/// Nobody has one of these among the words of a name. Within a longer word they are only letters.
const NEVER: [&str; 8] = ["admin", "admins", "administrator", "administrators", "sysadmin", "moderator", "moderators", "trilogy"];
/// Nobody is called one of these and nothing else, with or without "the".
const NOT_ALONE: [&str; 15] = [
    "system",
    "server",
    "host",
    "operator",
    "staff",
    "support",
    "referee",
    "mod",
    "mods",
    "bot",
    "bots",
    "deleted",
    "deleted user",
    "deleted guest",
    "deleted account",
];

struct Ours {
    never: HashSet<String>,
    not_alone: HashSet<String>,
}

/// The names above and those of the bots, as people see them.
static OURS: LazyLock<Ours> = LazyLock::new(|| {
    let seen = |name: &str| look(&words(name, Digits::AreLetters));
    let bots = trilogy_bots::NAMES.map(|bot| format!("{bot} bot"));
    Ours {
        never: NEVER.iter().copied().chain(bots.iter().map(String::as_str)).map(seen).collect(),
        not_alone: NOT_ALONE.iter().copied().chain(trilogy_bots::NAMES).map(seen).collect(),
    }
});

/// Whether a name passes for one of the bots, an admin, the server, or somebody who is gone.
pub fn passes_for_ours(name: &str) -> bool {
    [Digits::AreLetters, Digits::AreNothing].into_iter().any(|digits| {
        let words = words(name, digits);
        // Words that stand beside each other may be one that was taken apart.
        let mut runs = (0..words.len()).flat_map(|from| (from + 1..=words.len()).map(move |to| (from, to)));
        let named = match words.as_slice() {
            [the, rest @ ..] if the == "the" => rest,
            all => all,
        };
        runs.any(|(from, to)| OURS.never.contains(&look(&words[from..to]))) || OURS.not_alone.contains(&look(named))
    })
}

/// Whether two names can be taken for each other.
pub fn alike(one: &str, other: &str) -> bool {
    let [one, other] = [one, other].map(|name| look(&words(name, Digits::AreLetters)));
    !one.is_empty() && one == other
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Digits {
    /// `4dmin`
    AreLetters,
    /// `Admin 4`
    AreNothing,
}

/// The words of a name in small plain letters. A new one begins at a capital within a word, and digits stand alone, since nobody can tell
/// whether they belong to what is beside them.
fn words(name: &str, digits: Digits) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut small = false;
    for c in name.chars() {
        for part in c.nfkd().filter(|part| !is_combining_mark(*part)) {
            if let Some(letter) = letter_of(part) {
                words.extend([if digits == Digits::AreLetters { letter.into() } else { String::new() }, String::new()]);
                continue;
            }
            let plain = plain(part);
            if plain.is_empty() || (small && c.is_uppercase()) {
                words.push(String::new());
            }
            if let Some(word) = words.last_mut() {
                word.push_str(&plain);
            }
        }
        small = c.is_lowercase();
    }
    words.retain(|word| !word.is_empty());
    words
}

/// The small plain letters that a letter looks like; nothing for what is no letter.
fn plain(c: char) -> String {
    let alike: String = skeleton(c.encode_utf8(&mut [0; 4])).collect();
    // What looks like a capital may look like something else again as a small letter.
    let alike = alike.to_lowercase();
    let letters = skeleton(&alike).filter(|c| !is_combining_mark(*c)).map(|c| letter_of(c).or_else(|| in_plain(c)).unwrap_or(c));
    letters.filter(|c| c.is_alphanumeric()).collect()
}

/// Letters in a shape of their own that Unicode's table does not count as looking alike: small capitals, white on black, of flags.
fn in_plain(c: char) -> Option<char> {
    const SMALL_CAPITALS: &str = "ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘꞯʀꜱᴛᴜᴠᴡxʏᴢ";
    let at = match c {
        '\u{1f150}'..='\u{1f169}' => c as usize - 0x1f150,
        '\u{1f170}'..='\u{1f189}' => c as usize - 0x1f170,
        '\u{1f1e6}'..='\u{1f1ff}' => c as usize - 0x1f1e6,
        // What the table makes of a small capital M, and of some that look like it.
        'ʍ' => return Some('m'),
        _ => SMALL_CAPITALS.chars().position(|small| small == c)?,
    };
    ('a'..='z').nth(at)
}

/// The letter that a digit or sign is written for.
fn letter_of(c: char) -> Option<char> {
    Some(match c {
        '0' => 'o',
        '1' | '!' | '|' => 'i',
        '3' => 'e',
        '4' | '@' => 'a',
        '5' | '$' => 's',
        '6' | '8' => 'b',
        '7' | '+' => 't',
        '9' => 'g',
        '2' => 'z',
        _ => return None,
    })
}

/// Words as one, with those letters made the same that look so.
fn look(words: &[String]) -> String {
    words.concat().replace('l', "i").replace("rn", "m").replace("vv", "w")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_kept_tidy() {
        assert_eq!(fit("  Ana   of Alder "), Ok("Ana of Alder".into()));
        assert_eq!(fit("<b>Ana</b>"), Ok("<b>Ana</b>".into()), "HTML is only text");
        for wrong in ["", "a", " a ", "a\u{0}b", "a\nb", "ab\u{202e}", "\u{200b}\u{200b}", "a\u{a0}b", &"x".repeat(25)] {
            assert!(fit(wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn nobody_passes_for_ours() {
        for name in [
            "greedy bot",
            "Random Bot",
            "gr33dy b0t",
            "GreedyBot",
            "the greedy-bot",
            "greedy bot 2",
            "r4nd0m_b0t",
            "Greedy",
            "random",
            "g r e e d y b o t",
            "Admin",
            "ADMIN",
            "Admin.",
            "admin1",
            "4dm1n",
            "@dm!n",
            "TheAdmin",
            "Ana (admin)",
            "ad min",
            "adrnin",
            "a.d.m.i.n",
            "Аdmin",
            "АDМІN",
            "ᴀᴅᴍɪɴ",
            "ⒶⓓⓜⒾⓝ",
            "Ádmïn",
            "ａｄｍｉｎ",
            "🅰🅳🅼🅸🅽",
            "a\u{336}d\u{336}min",
            "αdmin",
            "Administrator",
            "Moderator Bob",
            "m0derat0r",
            "(deleted)",
            "Deleted",
            "[deleted] 7",
            "d3l3ted user",
            "Trilogy",
            "TRlLOGY",
            "Trіlоgу",
            "Trilogy Support",
            "system",
            "ѕуѕtеm",
            "System!",
            "The Server",
            "the_server",
            "mod",
            "Staff",
        ] {
            assert!(passes_for_ours(name), "{name}");
        }
    }

    #[test]
    fn words_within_words_are_fine() {
        for name in [
            "Badminton",
            "Abbot",
            "Abbott",
            "My bot",
            "Solar System",
            "Observer",
            "Modesty",
            "Ana",
            "Bob 7",
            "Ödön Ähre",
            "Host of Alder",
            "Randomly",
            "Greedo",
            "Greedy Gus",
            "Trilogys",
            "田中さん",
            "Ιωάννης",
            "محمد",
            "Deleted Scenes",
            "Python 381654",
            "The Bobs",
            "77",
            "!!",
            "<img src=x onerror=1>",
            "'; DROP TABLE users",
        ] {
            assert!(!passes_for_ours(name), "{name}");
        }
    }

    #[test]
    fn what_looks_the_same_is_alike() {
        for other in ["ana", "Аnа", "A n a", "4na", "Àna", "-Ana-"] {
            assert!(alike("Ana", other), "{other}");
        }
        for other in ["Anna", "Ana 2", "Bana", "An", "!!"] {
            assert!(!alike("Ana", other), "{other}");
        }
        assert!(!alike("??", "()"), "names without a letter are told apart by their signs");
    }
}
