//! The words of a game, looked up: by sort, by name, by English.

use crate::games::Shelf;
use trilogy_saga::diagnostics::nearest;
use trilogy_saga::vocabulary::{Entry, Sort, Vocabulary};

#[derive(clap::Args)]
pub(crate) struct Args {
    game: String,
    /// Only one sort: noun, adjective, verb, cost, timing, ...
    #[arg(long)]
    sort: Option<String>,
    /// Only what has these words in its name, its English or its meaning, nearest first
    #[arg(long)]
    find: Option<String>,
    /// One JSON object a line
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(shelf: &Shelf, args: &Args) -> Result<(), String> {
    let sort = args.sort.as_deref().map(sort_named).transpose()?;
    let vocabulary = Vocabulary::read(&shelf.game(&args.game)?.files()?);
    let found = vocabulary.search(args.find.as_deref().unwrap_or(""), sort);
    if found.is_empty() {
        let (what, of) = (args.find.as_deref().map_or(String::new(), |text| format!(" \"{text}\"")), sort.map_or("word", Sort::name));
        return Err(format!("{}: no {of}{what} is there; `cards manual` has the words of the language itself", args.game));
    }
    for entry in &found {
        if args.json {
            say!("{}", serde_json::to_string(entry).map_err(|error| error.to_string())?);
        } else {
            say!("{}", told(entry));
        }
    }
    if !args.json {
        say!("{} in all", found.len());
    }
    Ok(())
}

fn sort_named(name: &str) -> Result<Sort, String> {
    let names = || Sort::ALL.iter().map(|sort| sort.name());
    // As one says it: `--sort verbs`.
    let plain = name.to_lowercase();
    let called = |sort: &&Sort| plain == sort.name() || plain.strip_suffix('s') == Some(sort.name());
    Sort::ALL.iter().find(called).copied().ok_or_else(|| {
        let near = nearest(&plain, names()).map_or(String::new(), |near| format!(", did you mean \"{near}\"?"));
        format!("\"{name}\" is no sort of word{near}; there are {}", names().collect::<Vec<_>>().join(", "))
    })
}

/// An entry for a terminal: how it is written, what texts print for it, and below that what is known of it.
fn told(entry: &Entry) -> String {
    let of = entry.of.as_ref().map_or(String::new(), |of| format!(" of {of}"));
    let mut said = format!("{}  ({}{of})", entry.signature(), entry.sort.name());
    if !entry.english.is_empty() {
        said += &format!("\n    \"{}\"", entry.english);
    }
    if !entry.meaning.is_empty() {
        said += &format!("\n    {}", entry.meaning);
    }
    let cards = match entry.uses {
        0 => "no card uses it".into(),
        uses if uses > entry.cards.len() => format!("{} cards use it: {}, ...", uses, entry.cards.join(", ")),
        uses => format!("{}: {}", if uses == 1 { "1 card uses it".into() } else { format!("{uses} cards use it") }, entry.cards.join(", ")),
    };
    said + &format!(
        "\n    {cards}\n    {}:{}{}\n",
        entry.file,
        entry.line,
        entry.rules.iter().map(|rule| format!(" @{rule}")).collect::<String>()
    )
}
