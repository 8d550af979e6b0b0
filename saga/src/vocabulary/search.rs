//! Looking something up by its name or its English.

use super::{Entry, Sort, Vocabulary};

impl Vocabulary {
    /// What cards can be written with, of one sort if one is named, whose name, English or meaning holds all words of a text:
    /// what is nearest to the text first, then what more cards use. Without a text all of it, by sort and name.
    pub fn search(&self, text: &str, sort: Option<Sort>) -> Vec<&Entry> {
        let wanted = plain(text);
        let fits = |entry: &&Entry| entry.is_for_cards() && sort.is_none_or(|sort| entry.sort == sort);
        let mut found: Vec<(u32, &Entry)> =
            self.entries().iter().filter(fits).filter_map(|entry| Some((distance(entry, &wanted)?, entry))).collect();
        if wanted.is_empty() {
            found.sort_by(|(_, a), (_, b)| (a.sort, &a.name).cmp(&(b.sort, &b.name)));
        } else {
            found.sort_by(|(far_a, a), (far_b, b)| (far_a, b.uses, &a.name).cmp(&(far_b, a.uses, &b.name)));
        }
        found.into_iter().map(|(_, entry)| entry).collect()
    }
}

/// Lower case, with one blank for whatever is no letter and no number.
fn plain(text: &str) -> String {
    let spaced: String = text.chars().map(|letter| if letter.is_alphanumeric() || letter == '\'' { letter } else { ' ' }).collect();
    spaced.to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ")
}

/// How far an entry is from what is wanted: the same, a beginning, a part of its name or English, all words in any order, and only
/// then what is said of it; none where a word is missing.
fn distance(entry: &Entry, wanted: &str) -> Option<u32> {
    let own = [plain(&entry.name), plain(entry.plural.as_deref().unwrap_or("")), plain(&entry.english)];
    let any = |test: &dyn Fn(&String) -> bool| own.iter().any(test);
    let words = || wanted.split(' ');
    let all_in = |text: &str| words().all(|word| text.contains(word));
    if any(&|own| own == wanted) {
        Some(0)
    } else if any(&|own| own.starts_with(wanted)) {
        Some(1)
    } else if any(&|own| format!(" {own} ").contains(&format!(" {wanted} "))) {
        Some(2)
    } else if any(&|own| own.contains(wanted)) {
        Some(3)
    } else if all_in(&own.join(" ")) {
        Some(4)
    } else {
        all_in(&format!("{} {}", own.join(" "), plain(&entry.meaning))).then_some(5)
    }
}
