//! Cards: checked, formatted, shown, listed, compared with printed text, counted.

use crate::games::{Shelf, count};
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use trilogy_engine::Catalogue;
use trilogy_engine::catalogue::CardDef;
use trilogy_saga::{scenario, source};

#[derive(clap::Subcommand)]
pub(crate) enum Command {
    /// Compile rules and cards and report every problem
    Check {
        #[arg(default_value = "tcg")]
        game: String,
        /// Check again whenever a file changes (with --games DIR)
        #[arg(long)]
        watch: bool,
    },
    /// Rewrite source files in the usual form
    Fmt {
        /// Files or folders
        #[arg(required = true)]
        paths: Vec<PathBuf>,
        /// Only tell which files would change; exit code 1 if any
        #[arg(long)]
        check: bool,
    },
    /// Show a card: its numbers and its text
    Show {
        game: String,
        title: String,
        #[arg(long)]
        json: bool,
    },
    /// List cards
    List {
        #[arg(default_value = "tcg")]
        game: String,
        /// Only cards with this word: a type, side or subtype
        #[arg(long)]
        word: Vec<String>,
        /// Only cards whose title or text holds this
        #[arg(long)]
        find: Option<String>,
        #[arg(long)]
        json: bool,
    },
    /// Compare our text and numbers with a file of printed cards, worst first
    Audit {
        game: String,
        /// A JSON-lines file with title, version, set, number, stats and text of each card
        #[arg(long)]
        printed: PathBuf,
        #[arg(long)]
        json: bool,
        /// How many to show; all with --json
        #[arg(long, default_value_t = 20)]
        most: usize,
    },
    /// How many cards of each set are done, and which are not and why
    Coverage {
        #[arg(default_value = "tcg")]
        game: String,
        #[arg(long)]
        json: bool,
        /// Where the scenarios are
        #[arg(long)]
        scenarios: Option<PathBuf>,
    },
    /// Print the manual of the language
    Manual,
}

pub(crate) fn run(shelf: &Shelf, command: &Command) -> Result<(), String> {
    match command {
        Command::Check { game, watch } => check(shelf, game, *watch),
        Command::Fmt { paths, check } => format(paths, *check),
        Command::Show { game, title, json } => show(shelf, game, title, *json),
        Command::List { game, word, find, json } => list(shelf, game, word, find.as_deref(), *json),
        Command::Audit { game, printed, json, most } => audit(shelf, game, printed, *json, *most),
        Command::Coverage { game, json, scenarios } => coverage(shelf, game, *json, scenarios.as_deref()),
        Command::Manual => {
            put!("{}", trilogy_saga::manual::manual());
            Ok(())
        }
    }
}

fn check(shelf: &Shelf, game: &str, watch: bool) -> Result<(), String> {
    if !watch {
        return check_once(shelf, game);
    }
    let folder = shelf.source_folder(game).ok_or("--watch needs --games DIR: built-in cards do not change")?;
    let mut seen = String::new();
    loop {
        let now = source::read_game(&folder).map(|(files, _)| files.iter().map(|file| file.text.as_str()).collect::<String>())?;
        if now != seen {
            seen = now;
            if let Err(problems) = check_once(shelf, game) {
                eprintln!("{problems}");
            }
        }
        std::thread::sleep(Duration::from_millis(300));
    }
}

fn check_once(shelf: &Shelf, game: &str) -> Result<(), String> {
    let started = Instant::now();
    let workshop = shelf.workshop(game)?;
    let catalogue = workshop.catalogue();
    let took = started.elapsed().as_secs_f64() * 1000.0;
    say!(
        "{game}: {}, {}, {} of rules, all well ({took:.0} ms)",
        count(catalogue.cards.len(), "card"),
        count(catalogue.actions.len(), "action"),
        count(catalogue.procs.len(), "program")
    );
    Ok(())
}

fn format(paths: &[PathBuf], check: bool) -> Result<(), String> {
    let mut files = Vec::new();
    for path in paths {
        if path.is_dir() {
            source::find(path, "saga", &mut files).map_err(|error| format!("{}: {error}", path.display()))?;
        } else {
            files.push(path.clone());
        }
    }
    let mut changed = 0;
    for path in &files {
        let text = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
        let formatted = trilogy_saga::fmt::format(&text).map_err(|error| format!("{}: {error}", path.display()))?;
        if formatted != text {
            changed += 1;
            say!("{}", path.display());
            if !check {
                std::fs::write(path, formatted).map_err(|error| format!("{}: {error}", path.display()))?;
            }
        }
    }
    if check && changed > 0 { Err(format!("{} not in the usual form", count(changed, "file"))) } else { Ok(()) }
}

fn words(catalogue: &Catalogue, card: &CardDef) -> Vec<String> {
    card.words.iter().map(|word| catalogue.word(*word).replace('_', " ")).collect()
}

fn facts<'a>(catalogue: &'a Catalogue, card: &'a CardDef) -> impl Iterator<Item = (&'a str, i32)> {
    catalogue.facts.iter().zip(&card.facts).filter_map(|(name, value)| value.map(|value| (name.as_str(), value)))
}

fn card_json(catalogue: &Catalogue, card: &CardDef) -> serde_json::Value {
    let numbers: serde_json::Map<String, serde_json::Value> =
        facts(catalogue, card).map(|(name, value)| (name.to_string(), json!(value))).collect();
    json!({"key": card.key, "title": card.title, "words": words(catalogue, card), "numbers": numbers, "text": card.text, "set": card.set, "number": card.number, "rarity": card.rarity})
}

fn show(shelf: &Shelf, game: &str, title: &str, as_json: bool) -> Result<(), String> {
    let catalogue = shelf.catalogue(game)?;
    let exact = trilogy_engine::deck::find(&catalogue, title);
    let found: Vec<&CardDef> = match &exact {
        Ok(key) => catalogue.cards.iter().filter(|card| card.key == *key).collect(),
        Err(_) => catalogue.cards.iter().filter(|card| card.key.to_lowercase().contains(&title.to_lowercase())).collect(),
    };
    if found.is_empty() {
        return Err(exact.err().unwrap_or_default());
    }
    for card in found {
        if as_json {
            say!("{}", card_json(&catalogue, card));
            continue;
        }
        say!("{}  ({} {}, {})", card.key, card.set, card.number, card.rarity);
        say!("  {}", words(&catalogue, card).join(" "));
        let numbers: Vec<String> = facts(&catalogue, card).map(|(name, value)| format!("{} {value}", name.replace('_', " "))).collect();
        if !numbers.is_empty() {
            say!("  {}", numbers.join(", "));
        }
        for line in &card.text {
            say!("  {line}");
        }
    }
    Ok(())
}

fn list(shelf: &Shelf, game: &str, wanted: &[String], find: Option<&str>, as_json: bool) -> Result<(), String> {
    let catalogue = shelf.catalogue(game)?;
    let find = find.map(str::to_lowercase);
    let fits = |card: &&CardDef| {
        let own = words(&catalogue, card);
        wanted.iter().all(|word| own.iter().any(|own| own.eq_ignore_ascii_case(&word.replace('_', " "))))
            && find.as_ref().is_none_or(|text| card.key.to_lowercase().contains(text) || card.text.join(" ").to_lowercase().contains(text))
    };
    for card in catalogue.cards.iter().filter(fits) {
        if as_json {
            say!("{}", card_json(&catalogue, card));
        } else {
            say!("{:<6}{:>4}  {:<40} {}", card.set, card.number, card.key, words(&catalogue, card).join(" "));
        }
    }
    Ok(())
}

/// One card of a file of printed cards.
struct Printed {
    id: String,
    key: String,
    set: String,
    text: String,
    stats: Vec<(String, i32)>,
}

fn read_printed(path: &Path) -> Result<Vec<Printed>, String> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let mut cards = Vec::new();
    for (at, line) in text.lines().enumerate() {
        let value: serde_json::Value = serde_json::from_str(line).map_err(|error| format!("{}:{}: {error}", path.display(), at + 1))?;
        // Promotional copies have no number.
        if value["number"].as_u64().is_none() {
            continue;
        }
        let text = |field: &str| value[field].as_str().unwrap_or("").to_string();
        let title = text("title");
        let key = value["version"].as_str().map_or_else(|| title.clone(), |version| format!("{title} ({version})"));
        let stats = value["stats"]
            .as_object()
            .map(|stats| stats.iter().filter_map(|(name, value)| Some((name.clone(), value.as_i64()? as i32))).collect());
        cards.push(Printed { id: text("id"), key, set: text("set"), text: text("text"), stats: stats.unwrap_or_default() });
    }
    Ok(cards)
}

/// How far our text is from the printed one, 0 (the same words) to 1, and 1 more for each wrong number.
fn difference(catalogue: &Catalogue, card: &CardDef, printed: &Printed) -> f64 {
    let wrong = printed.stats.iter().filter(|(name, value)| {
        let at = catalogue.facts.iter().position(|fact| fact == name);
        at.is_some_and(|at| card.facts[at] != Some(*value))
    });
    let wrong = wrong.count() as f64;
    let (ours, theirs) = (bag(&card.text.join(" ")), bag(&printed.text));
    if ours.is_empty() && theirs.is_empty() {
        return wrong;
    }
    let keys: BTreeSet<&String> = ours.keys().chain(theirs.keys()).collect();
    let (mut common, mut all) = (0.0, 0.0);
    for key in keys {
        // Numbers weigh more than words: a wrong one is a wrong card.
        let weight = if key.chars().all(|c| c.is_ascii_digit()) { 3.0 } else { 1.0 };
        let (a, b) = (ours.get(key).copied().unwrap_or(0), theirs.get(key).copied().unwrap_or(0));
        common += weight * a.min(b) as f64;
        all += weight * a.max(b) as f64;
    }
    wrong + 1.0 - common / all
}

/// Words that carry meaning, without their endings.
fn bag(text: &str) -> BTreeMap<String, usize> {
    const IDLE: [&str; 34] = [
        "a", "an", "the", "of", "to", "in", "is", "that", "this", "it", "its", "your", "you", "one", "each", "as", "long", "with", "from",
        "and", "or", "gets", "get", "may", "any", "his", "her", "unit", "units", "card", "cards", "play", "only", "choose",
    ];
    let mut bag = BTreeMap::new();
    for word in text.to_lowercase().split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()) {
        if !IDLE.contains(&word) {
            *bag.entry(word.trim_end_matches('s').to_string()).or_insert(0) += 1;
        }
    }
    bag
}

fn audit(shelf: &Shelf, game: &str, path: &Path, as_json: bool, most: usize) -> Result<(), String> {
    let catalogue = shelf.catalogue(game)?;
    let sets: BTreeSet<&str> = catalogue.cards.iter().map(|card| card.set.as_str()).collect();
    let mut rows = Vec::new();
    for printed in read_printed(path)?.into_iter().filter(|printed| sets.contains(printed.set.as_str())) {
        let ours = catalogue.cards.iter().find(|card| card.key == printed.key && card.set == printed.set);
        let score = ours.map_or(9.0, |card| difference(&catalogue, card, &printed));
        rows.push((score, printed, ours.map_or_else(|| "(no such card here)".to_string(), |card| card.text.join(" "))));
    }
    rows.sort_by(|a, b| b.0.total_cmp(&a.0));
    if as_json {
        let cards: Vec<_> = rows.iter().map(|(score, printed, ours)| json!({"id": printed.id, "title": printed.key, "score": score, "printed": printed.text, "ours": ours})).collect();
        say!("{}", json!({"game": game, "cards": cards}));
        return Ok(());
    }
    say!("{} compared; the {} that differ most:", count(rows.len(), "card"), most.min(rows.len()));
    for (score, printed, ours) in rows.iter().take(most) {
        say!("\n{:.2}  {}\n  printed: {}\n  ours:    {ours}", score, printed.key, printed.text);
    }
    Ok(())
}

fn coverage(shelf: &Shelf, game: &str, as_json: bool, scenarios: Option<&Path>) -> Result<(), String> {
    let catalogue = shelf.catalogue(game)?;
    let covered: BTreeSet<String> = read_scenarios(game, scenarios)?.into_iter().flat_map(|scenario| scenario.covers).collect();
    let mut sets = Vec::new();
    for line in trilogy_tcg::SETS.lines().filter(|line| !line.starts_with('#')) {
        let mut parts = line.splitn(3, ' ');
        let (code, total) = (parts.next().unwrap_or(""), parts.next().and_then(|total| total.parse::<u16>().ok()).unwrap_or(0));
        let mut missing = Vec::new();
        for number in 1..=total {
            match catalogue.cards.iter().find(|card| card.set == code && card.number == number) {
                None => missing.push(json!({"number": number, "why": "no program"})),
                Some(card) if !card.text.is_empty() && !covered.contains(&card.key) => {
                    missing.push(json!({"number": number, "title": card.key, "why": "no scenario covers it"}))
                }
                Some(_) => {}
            }
        }
        sets.push((code.to_string(), parts.next().unwrap_or("").to_string(), total, missing));
    }
    if as_json {
        let sets: Vec<_> = sets.iter().map(|(code, name, total, missing)| json!({"set": code, "name": name, "total": total, "done": *total as usize - missing.len(), "missing": missing})).collect();
        say!("{}", json!({"game": game, "sets": sets}));
        return Ok(());
    }
    for (code, name, total, missing) in &sets {
        say!("{code:<6} {name:<28} {:>4} of {total}", *total as usize - missing.len());
        let told = missing.iter().filter(|one| one["title"].is_string());
        told.for_each(|one| {
            say!("         {} {}: {}", one["number"], one["title"].as_str().unwrap_or(""), one["why"].as_str().unwrap_or(""))
        });
    }
    Ok(())
}

/// All scenarios of a game; those of the checkout unless another place is named.
pub(crate) fn read_scenarios(game: &str, place: Option<&Path>) -> Result<Vec<scenario::Scenario>, String> {
    let default = Path::new("games").join(game).join("scenarios");
    let mut all = Vec::new();
    for path in crate::test::files(&[place.map_or(default, Path::to_path_buf)])? {
        let text = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        all.extend(scenario::parse(&text).map_err(|error| format!("{}: {error}", path.display()))?);
    }
    Ok(all)
}
