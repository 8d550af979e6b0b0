//! Cards: checked, formatted, shown, listed, compared with printed text, counted.

use crate::games::{Shelf, count};
use crate::test::{files, scenario_folder};
use serde_json::json;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use trilogy_engine::Catalogue;
use trilogy_engine::catalogue::CardDef;
use trilogy_games::files::read;
use trilogy_games::sets;
use trilogy_games::source::Source;
use trilogy_saga::vocabulary::{Entry, Vocabulary};
use trilogy_saga::{Workshop, scenario, source};

#[derive(clap::Subcommand)]
pub(crate) enum Command {
    /// Compile rules and cards and report every problem
    Check {
        /// All games by default
        game: Option<String>,
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
        /// All games by default
        game: Option<String>,
        /// Only cards with this word: a type, side or subtype
        #[arg(long)]
        word: Vec<String>,
        /// Only cards whose title or text holds this
        #[arg(long)]
        find: Option<String>,
        #[arg(long)]
        json: bool,
    },
    /// Compare our cards with a file of printed ones: text, numbers, words, rarity and set, worst first.
    /// GAME/audit.txt says how the game calls its things, GAME/accepted.txt which differences are known and why
    Audit {
        game: String,
        /// A JSON-lines file with title, version or side, set, number, stats, text and what audit.txt names of each card
        #[arg(long)]
        printed: PathBuf,
        #[arg(long)]
        json: bool,
        /// How many to show; all with --json
        #[arg(long, default_value_t = 20)]
        most: usize,
        /// Only cards with this in their titles
        #[arg(long)]
        only: Option<String>,
    },
    /// How many cards of each set are done, and which are not and why
    Coverage {
        /// All games by default
        game: Option<String>,
        /// One JSON object for each game
        #[arg(long)]
        json: bool,
        /// Where the scenarios are
        #[arg(long, requires = "game")]
        scenarios: Option<PathBuf>,
    },
    /// What cards of a game can be written with: every noun, adjective, timing, cost, verb, value and so on
    Vocabulary(crate::vocabulary::Args),
    /// Print the text of all cards, or show which say something else than before
    Printed(crate::printed::Args),
    /// Print the manual of the language
    Manual,
}

pub(crate) fn run(shelf: &Shelf, command: &Command) -> Result<(), String> {
    match command {
        Command::Check { game, watch } => check(shelf, &shelf.chosen(game.as_deref())?, *watch),
        Command::Fmt { paths, check } => format(paths, *check),
        Command::Show { game, title, json } => show(shelf, game, title, *json),
        Command::List { game, word, find, json } => {
            shelf.chosen(game.as_deref())?.iter().try_for_each(|game| list(shelf, game, word, find.as_deref(), *json))
        }
        Command::Audit { game, printed, json, most, only } => {
            crate::audit::run(shelf, game, printed, &crate::audit::Shown { as_json: *json, most: *most, only: only.as_deref() })
        }
        Command::Coverage { game, json, scenarios } => {
            shelf.chosen(game.as_deref())?.iter().try_for_each(|game| coverage(shelf, game, *json, scenarios.as_deref()))
        }
        Command::Vocabulary(args) => crate::vocabulary::run(shelf, args),
        Command::Printed(args) => crate::printed::run(shelf, args),
        Command::Manual => {
            put!("{}", trilogy_saga::manual::manual());
            Ok(())
        }
    }
}

fn check(shelf: &Shelf, games: &[String], watch: bool) -> Result<(), String> {
    if !watch {
        // All of them are checked, even if one is not well.
        let problems: Vec<String> = games.iter().filter_map(|game| check_once(shelf, game).err()).collect();
        return if problems.is_empty() { Ok(()) } else { Err(problems.join("\n")) };
    }
    let mut seen = vec![String::new(); games.len()];
    loop {
        for (game, seen) in games.iter().zip(&mut seen) {
            let source = shelf.game(game)?;
            let folder = source.folder().ok_or("--watch needs --games DIR: built-in cards do not change")?;
            let now = source::read_game(folder).map(|(files, _)| files.iter().map(|file| file.text.as_str()).collect::<String>())?;
            if now != *seen {
                *seen = now;
                if let Err(problems) = check_once(shelf, game) {
                    eprintln!("{problems}");
                }
            }
        }
        std::thread::sleep(Duration::from_millis(300));
    }
}

fn check_once(shelf: &Shelf, game: &str) -> Result<(), String> {
    let started = Instant::now();
    let source = shelf.game(game)?;
    let workshop = source.workshop()?;
    let catalogue = workshop.catalogue();
    // Cards can be written before anybody thinks of showing the game or of its sets.
    if source.folder().is_none_or(|folder| folder.join("sets.txt").exists()) {
        let (sets, rarities) = source.sets_and_rarities()?;
        let problems = sets::check(catalogue, workshop.printings(), &sets, &rarities);
        if !problems.is_empty() {
            return Err(trilogy_saga::report(workshop.files(), &problems, false));
        }
    }
    if source.folder().is_none_or(|folder| folder.join("host.json").exists()) {
        source.host(catalogue)?;
    }
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

pub(crate) fn words(catalogue: &Catalogue, card: &CardDef) -> Vec<String> {
    card.words.iter().map(|word| catalogue.word(*word).replace('_', " ")).collect()
}

pub(crate) fn facts<'a>(catalogue: &'a Catalogue, card: &'a CardDef) -> impl Iterator<Item = (&'a str, i32)> {
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
        let built_in = shelf.folder.is_none();
        let where_else = if built_in { " (these are the cards that were built in; `--games DIR` reads sources)" } else { "" };
        return Err(format!("{}{where_else}", exact.err().unwrap_or_default()));
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

fn coverage(shelf: &Shelf, game: &str, as_json: bool, scenarios: Option<&Path>) -> Result<(), String> {
    let source = shelf.game(game)?;
    let workshop = source.workshop()?;
    let (catalogue, by_hand) = (workshop.catalogue(), workshop.by_hand());
    let vocabulary = Vocabulary::read(&source.files()?);
    let covered: BTreeSet<String> = read_scenarios(&source, scenarios)?.into_iter().flat_map(|scenario| scenario.covers).collect();
    let mut sets = Vec::new();
    for set in source.sets()? {
        let mut missing = Vec::new();
        for number in set.numbers() {
            match catalogue.cards.iter().find(|card| card.is_number(&set.code, number)) {
                None => missing.push(json!({"number": number, "why": "no program"})),
                Some(card) if !card.text.is_empty() && !covered.contains(&card.key) => {
                    missing.push(json!({"number": number, "title": card.key, "why": "no scenario covers it"}))
                }
                Some(_) => {}
            }
        }
        let of_set = |card: &CardDef| card.set == set.code;
        let abilities: usize = catalogue.cards.iter().filter(|card| of_set(card)).map(|card| card.text.len()).sum();
        let titles: BTreeSet<&str> = catalogue.cards.iter().filter(|card| of_set(card)).map(|card| card.title.as_str()).collect();
        let written = by_hand.iter().filter(|def| of_set(catalogue.def(**def))).count();
        // What stands in the rules is told of every card of the title that uses it.
        let said = |(title, entry): &(&str, &Entry)| entry.set.as_ref().map_or(titles.contains(title), |own| *own == set.code);
        let by_hand = written + vocabulary.sentences().filter(said).count();
        sets.push((set, missing, abilities, by_hand));
    }
    if as_json {
        let sets: Vec<_> = sets.iter().map(|(set, missing, abilities, by_hand)| json!({"set": set.code, "name": set.name, "total": set.numbers().count(), "done": set.numbers().count() - missing.len(), "abilities": abilities, "by_hand": by_hand, "missing": missing})).collect();
        let (lines, beside) = vocabulary.lines();
        say!("{}", json!({"game": game, "sets": sets, "cards": catalogue.cards.len(), "lines": lines, "lines_beside": beside}));
        return Ok(());
    }
    for (set, missing, abilities, by_hand) in &sets {
        let share = 100.0 * *by_hand as f64 / (*abilities).max(1) as f64;
        let hands = if *abilities > 0 { format!("{by_hand} of {abilities} abilities by hand ({share:.1} %)") } else { String::new() };
        say!("{:<6} {:<40} {:>4} of {:<5} {hands}", set.code, set.name, set.numbers().count() - missing.len(), set.numbers().count());
        let told = missing.iter().filter(|one| one["title"].is_string());
        told.for_each(|one| {
            say!("         {} {}: {}", one["number"], one["title"].as_str().unwrap_or(""), one["why"].as_str().unwrap_or(""))
        });
    }
    let (lines, beside) = vocabulary.lines();
    let a_card = |lines: usize| lines as f64 / catalogue.cards.len().max(1) as f64;
    say!(
        "{game}: {:.1} lines a card with all that stands in it; {:.1} more in rules that only one title uses as yet",
        a_card(lines),
        a_card(beside)
    );
    for line in sentences_by_hand(&workshop, &vocabulary) {
        say!("  {line}");
    }
    Ok(())
}

/// Sentences that are written by hand, with their cards: what the printer should say.
pub(crate) fn sentences_by_hand(workshop: &Workshop, vocabulary: &Vocabulary) -> Vec<String> {
    let defined = vocabulary.sentences().map(|(title, entry)| format!("by hand, {title}: {}:{} `{}`", entry.file, entry.line, entry.name));
    let written = workshop.by_hand().into_iter().map(|def| format!("by hand, {}: its text", workshop.catalogue().def(def).key));
    written.chain(defined).collect()
}

/// All scenarios of a game; those of the checkout unless another place is named.
pub(crate) fn read_scenarios(source: &Source, place: Option<&Path>) -> Result<Vec<scenario::Scenario>, String> {
    let boards = source.boards()?;
    let mut all = Vec::new();
    for path in files(&[place.map_or_else(|| scenario_folder(source), Path::to_path_buf)])? {
        let text = read(&path)?;
        all.extend(scenario::parse(&text, &boards).map_err(|error| format!("{}: {error}", path.display()))?);
    }
    Ok(all)
}
