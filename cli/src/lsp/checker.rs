//! Compiles games beside the conversation with the editor: however long it takes, questions are answered meanwhile.

use crossbeam_channel::{Receiver, Sender, unbounded};
use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use trilogy_engine::Catalogue;
use trilogy_engine::catalogue::CardDef;
use trilogy_saga::{Diagnostic, SourceFile, Vocabulary, compile};

/// A game to be checked.
pub(super) struct Job {
    pub(super) game: PathBuf,
    pub(super) files: Vec<SourceFile>,
    pub(super) rules: Option<BTreeSet<String>>,
}

/// What came of it.
pub(super) struct Checked {
    pub(super) game: PathBuf,
    pub(super) files: Vec<SourceFile>,
    pub(super) problems: Vec<Diagnostic>,
    pub(super) vocabulary: Vocabulary,
    /// What cards print, by title.
    pub(super) texts: BTreeMap<String, Vec<String>>,
}

pub(super) struct Checker {
    jobs: Sender<Job>,
    pub(super) done: Receiver<Checked>,
}

impl Checker {
    pub(super) fn start() -> Checker {
        let (jobs, waiting) = unbounded();
        let (told, done) = unbounded();
        std::thread::spawn(move || work(&waiting, &told));
        Checker { jobs, done }
    }

    pub(super) fn check(&self, job: Job) {
        // It ends only with the program.
        let _ = self.jobs.send(job);
    }
}

fn work(waiting: &Receiver<Job>, told: &Sender<Checked>) {
    while let Ok(first) = waiting.recv() {
        // Of each game only what was sent last still matters.
        let mut jobs = BTreeMap::from([(first.game.clone(), first)]);
        jobs.extend(waiting.try_iter().map(|job| (job.game.clone(), job)));
        for job in jobs.into_values() {
            // A fault of the compiler costs this check and nothing else.
            let Ok(checked) = catch_unwind(AssertUnwindSafe(|| check(job))) else { continue };
            if told.send(checked).is_err() {
                return;
            }
        }
    }
}

fn check(job: Job) -> Checked {
    let vocabulary = Vocabulary::read(&job.files);
    let compiled = compile(job.files, job.rules);
    let mut texts: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for card in &compiled.catalogue.cards {
        texts.entry(card.title.clone()).or_default().push(printed(&compiled.catalogue, card));
    }
    Checked { game: job.game, files: compiled.files, problems: compiled.problems, vocabulary, texts }
}

/// A card as it reads: its words, its numbers and its text.
fn printed(catalogue: &Catalogue, card: &CardDef) -> String {
    let numbers: Vec<String> =
        crate::cards::facts(catalogue, card).map(|(name, value)| format!("{} {value}", name.replace('_', " "))).collect();
    let mut lines = vec![format!("**{}**", card.key), crate::cards::words(catalogue, card).join(" ")];
    lines.extend((!numbers.is_empty()).then(|| numbers.join(", ")));
    lines.extend(card.text.iter().cloned());
    lines.join("\n\n")
}
