//! What holds from release to release: a catalogue's hash is of what it means; what older releases wrote is read, or refused for what
//! it is. See docs/RELEASES.md.
//!
//! `UPDATE_RELEASES=1 cargo test -p trilogy-games --test releases` writes the fixtures of a new version, and never those of an old one.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;

use common::{Built, GAMES, legal};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};
use trilogy_engine::catalogue::{self, Head, Unreadable};
use trilogy_engine::journal::{self, Writer, carrying, hex};
use trilogy_engine::{Catalogue, Game, Journal, Random, Silent, Status, seed_from_number};
use trilogy_games::archive;
use trilogy_saga::source::find;
use trilogy_saga::{SourceFile, compile};

// ---- a catalogue and its hash ----

fn compiled(files: Vec<SourceFile>) -> Catalogue {
    let compiled = compile(files, None);
    assert!(compiled.problems.is_empty(), "{}", trilogy_saga::report(&compiled.files, &compiled.problems, false));
    compiled.catalogue
}

/// Whether a file has nothing but cards.
fn has_cards_only(file: &SourceFile) -> bool {
    let heads = file.text.lines().filter(|line| line.starts_with(|c: char| c.is_ascii_alphabetic()));
    let mut heads = heads.peekable();
    heads.peek().is_some() && heads.all(|line| line.starts_with("card "))
}

#[test]
fn neither_comments_nor_files_nor_their_order_change_what_a_game_means() {
    for game in trilogy_games::games() {
        let hash = compiled(game.files()).hash;
        let mut files = game.files();
        files.reverse();
        for file in &mut files {
            file.text = format!("# A word to the reader.\n\n\n{}\n# And one more.\n", file.text.replace('\n', "   # why\n"));
        }
        let (cards, mut rest): (Vec<SourceFile>, Vec<SourceFile>) = files.into_iter().partition(has_cards_only);
        let text: Vec<String> = cards.into_iter().map(|file| file.text).collect();
        rest.push(SourceFile { name: "cards/a.saga".into(), text: text.join("\n") });
        assert_eq!(compiled(rest).hash, hash, "{}", game.name);
        assert_eq!(game.catalogue().unwrap().hash, hash, "{}: the one inside is the same", game.name);
    }
}

#[test]
fn another_number_on_a_card_changes_what_a_game_means() {
    let game = trilogy_games::find("tcg").unwrap();
    let mut files = game.files();
    let file = files.iter_mut().find(|file| file.text.contains("power 1, health 4")).unwrap();
    file.text = file.text.replacen("power 1, health 4", "power 1, health 5", 1);
    assert_ne!(compiled(files).hash, game.catalogue().unwrap().hash);
}

#[test]
fn a_packed_catalogue_is_the_same_and_half_of_one_is_none() {
    let catalogue = trilogy_games::find("tcg").unwrap().catalogue().unwrap();
    let packed = archive::pack(&catalogue);
    assert!(archive::unpack(&packed).unwrap() == catalogue);
    assert_eq!(archive::head(&packed).unwrap().hash, catalogue.hash);
    assert_eq!(archive::from_text(&archive::to_text(&packed)).unwrap(), packed);
    assert!(matches!(archive::unpack(&packed[..packed.len() / 2]), Err(Unreadable::Damaged(_))));
}

// ---- what releases wrote ----

/// How a release writes: the format of catalogues, the meaning of programs, the format of journals.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Versions {
    format: u32,
    meaning: u32,
    journal: u32,
}

const PRESENT: Versions = Versions { format: catalogue::FORMAT, meaning: catalogue::MEANING, journal: journal::FORMAT };

impl Versions {
    fn are_read(self) -> bool {
        catalogue::READ_FORMATS.contains(&self.format)
            && catalogue::READ_MEANINGS.contains(&self.meaning)
            && journal::READ_FORMATS.contains(&self.journal)
    }
}

/// The fixtures of a folder: a packed catalogue of each game, and journals that were played by them.
struct Release {
    name: String,
    versions: Versions,
    /// By their hashes.
    catalogues: BTreeMap<String, Vec<u8>>,
    journals: BTreeMap<PathBuf, String>,
}

/// How many games of each game are kept. Every other one is played with decks of all cards.
const KEPT: u64 = 6;
const COMMAND: &str = "UPDATE_RELEASES=1 cargo test -p trilogy-games --test releases";

/// All that were kept, after those of the present versions were written where that is wanted.
static RELEASES: LazyLock<Vec<Release>> = LazyLock::new(|| {
    let place = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/releases");
    let mut numbers: Vec<u32> =
        std::fs::read_dir(&place).unwrap().map(|entry| entry.unwrap().file_name().to_str().unwrap().parse().unwrap()).collect();
    numbers.sort_unstable();
    let mut releases: Vec<Release> = numbers.iter().map(|number| Release::read(&place.join(number.to_string()))).collect();
    if std::env::var("UPDATE_RELEASES").is_ok_and(|value| value == "1") {
        if let Some(there) = releases.iter().find(|release| release.versions == PRESENT) {
            panic!("releases/{} is of {PRESENT:?}, and what a release wrote is never written again: raise what has changed", there.name);
        }
        let folder = place.join((numbers.last().unwrap_or(&0) + 1).to_string());
        write(&folder);
        releases.push(Release::read(&folder));
    }
    releases
});

impl Release {
    fn read(folder: &Path) -> Release {
        let files = |ending: &str| {
            let mut files = Vec::new();
            find(folder, ending, &mut files).unwrap();
            files
        };
        let stem = |path: &Path| path.file_stem().unwrap().to_str().unwrap().to_string();
        let catalogues: BTreeMap<String, Vec<u8>> =
            files(archive::EXTENSION).iter().map(|path| (stem(path), std::fs::read(path).unwrap())).collect();
        let journals: BTreeMap<PathBuf, String> =
            files("journal").into_iter().map(|path| (path.clone(), std::fs::read_to_string(path).unwrap())).collect();
        let heads = catalogues.values().map(|packed| archive::head(packed).unwrap());
        let catalogue_versions: BTreeSet<(u32, u32)> = heads.map(|Head { format, meaning, .. }| (format, meaning)).collect();
        let formats: BTreeSet<u64> = journals.values().map(|text| head_line(text)["trilogy"].as_u64().unwrap()).collect();
        let name = stem(folder);
        assert_eq!((catalogue_versions.len(), formats.len()), (1, 1), "releases/{name} is of one version");
        let (format, meaning) = *catalogue_versions.first().unwrap();
        let versions = Versions { format, meaning, journal: *formats.first().unwrap() as u32 };
        Release { name, versions, catalogues, journals }
    }
}

fn head_line(journal: &str) -> serde_json::Value {
    serde_json::from_str(journal.lines().next().unwrap()).unwrap()
}

fn write(folder: &Path) {
    std::fs::create_dir_all(folder).unwrap();
    for built in GAMES.iter() {
        archive::keep(folder, &built.catalogue).unwrap();
        for seed in 1..=KEPT {
            std::fs::write(folder.join(format!("{}-{seed}.journal", built.catalogue.game)), whole_game(built, seed)).unwrap();
        }
    }
}

fn whole_game(built: &Built, seed: u64) -> String {
    let mut game = Game::new(built.catalogue.clone(), built.setup(seed), &mut Silent).unwrap();
    let mut writer = Writer::new(&built.catalogue, game.setup(), &game.hash());
    let mut luck = Random::from_seed(seed_from_number(seed));
    while let Some(player) = game.asked() {
        let answer = legal(&mut luck, game.view(trilogy_engine::Viewer::Player(player)).ask_kind().unwrap());
        game.answer(&answer).unwrap();
        writer.answer(&answer, &game.hash());
    }
    writer.end(game.status(), &game.hash());
    writer.into_text()
}

/// The catalogues of a release that is read, as they were compiled then.
fn unpacked(release: &Release) -> BTreeMap<String, Arc<Catalogue>> {
    let unpack = |(hash, packed): (&String, &Vec<u8>)| {
        let read = archive::unpack(packed).unwrap_or_else(|error| {
            panic!(
                "releases/{}: {error}\nIf the form of catalogues has changed, FORMAT is to be raised, and this program reads the old form, too, \
                 or leaves its number out of READ_FORMATS (engine/src/catalogue/stored.rs, docs/RELEASES.md)",
                release.name
            )
        });
        assert_eq!(hex(&read.hash), *hash, "releases/{}", release.name);
        (hash.clone(), Arc::new(read))
    };
    release.catalogues.iter().map(unpack).collect()
}

#[test]
fn every_version_that_is_read_has_its_fixtures() {
    let of = |number: fn(Versions) -> u32| RELEASES.iter().map(|release| number(release.versions)).collect::<BTreeSet<u32>>();
    let all = [
        (of(|versions| versions.format), &catalogue::READ_FORMATS[..], "format of catalogues"),
        (of(|versions| versions.meaning), &catalogue::READ_MEANINGS[..], "meaning of programs"),
        (of(|versions| versions.journal), &journal::READ_FORMATS[..], "format of journals"),
    ];
    for (kept, read, what) in all {
        for number in read {
            assert!(kept.contains(number), "there are no fixtures of {what} {number}: {COMMAND} writes those of the present one");
        }
    }
    assert!(PRESENT.are_read(), "a release reads what it writes");
    assert!(RELEASES.iter().any(|release| release.versions == PRESENT), "there are no fixtures of {PRESENT:?}: {COMMAND} writes them");
}

#[test]
fn what_releases_wrote_is_replayed_to_its_end() {
    for release in RELEASES.iter().filter(|release| release.versions.are_read()) {
        let catalogues = unpacked(release);
        let mut games = BTreeSet::new();
        for (path, text) in &release.journals {
            let journal = Journal::parse(text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            assert!(journal.is_complete(), "{}", path.display());
            let game = journal.replay(&catalogues[&journal.catalogue], journal.answers(), &mut Silent).unwrap_or_else(|error| {
                panic!(
                    "{}: {error}\nA game of releases/{} takes another course. If what programs mean has changed on purpose, or the bytes of \
                     states, MEANING is to be raised (engine/src/catalogue/stored.rs, docs/RELEASES.md)",
                    path.display(),
                    release.name
                )
            });
            assert!(matches!(game.status(), Status::Won(_) | Status::Drawn), "{}: {:?}", path.display(), game.status());
            games.insert(journal.catalogue.clone());
        }
        assert!(games.iter().eq(catalogues.keys()), "releases/{}: a catalogue is there for its games", release.name);
    }
}

#[test]
fn what_is_written_is_what_its_version_says() {
    for release in RELEASES.iter().filter(|release| release.versions == PRESENT) {
        let catalogues = unpacked(release);
        for (hash, packed) in &release.catalogues {
            assert!(
                catalogues[hash].to_bytes() == archive::unpacked(packed).unwrap(),
                "a catalogue of releases/{} is written otherwise now: raise FORMAT (engine/src/catalogue/stored.rs, docs/RELEASES.md)",
                release.name
            );
        }
        for (path, text) in &release.journals {
            let journal = Journal::parse(text).unwrap();
            let mut game = Game::new(catalogues[&journal.catalogue].clone(), journal.setup.clone(), &mut Silent).unwrap();
            let mut writer = Writer::new(game.catalogue(), game.setup(), &game.hash());
            for at in 0..journal.answers() {
                game.answer(&journal.answer(at)).unwrap();
                writer.answer(&journal.answer(at), &game.hash());
            }
            writer.end(game.status(), &game.hash());
            // Each release writes its own name.
            let name = |release: &str| format!("\"engine\":\"{release}\"");
            let as_now = text.replacen(&name(&journal.release), &name(env!("CARGO_PKG_VERSION")), 1);
            assert!(
                writer.text() == as_now,
                "{} is written otherwise now: raise FORMAT (engine/src/journal.rs, docs/RELEASES.md)",
                path.display()
            );
            let inside = carrying(text, archive::to_text(&release.catalogues[&journal.catalogue]));
            let carries = Journal::parse(&inside).unwrap().carries.unwrap();
            assert_eq!(archive::from_text(&carries).unwrap(), release.catalogues[&journal.catalogue]);
            assert_eq!(carrying(&inside, carries), inside);
        }
    }
}

/// What this release wrote, had it been one to come: the numbers of its heads are others.
fn to_come() -> Release {
    let present = RELEASES.iter().find(|release| release.versions == PRESENT).unwrap();
    let later = |packed: &Vec<u8>| {
        let mut bytes = archive::unpacked(packed).unwrap();
        (bytes[8], bytes[12]) = (99, 98);
        archive::packed(&bytes)
    };
    Release {
        name: "99".into(),
        versions: Versions { format: 99, meaning: 98, journal: PRESENT.journal },
        catalogues: present.catalogues.iter().map(|(hash, packed)| (hash.clone(), later(packed))).collect(),
        journals: present.journals.iter().map(|(path, text)| (path.clone(), text.replacen("\"machine\":", "\"machine\":98", 1))).collect(),
    }
}

#[test]
fn versions_that_are_not_read_are_refused_for_what_they_are() {
    for release in RELEASES.iter().filter(|release| !release.versions.are_read()).chain([&to_come()]) {
        let Versions { format, meaning, journal } = release.versions;
        let is_read = catalogue::READ_FORMATS.contains(&format) && catalogue::READ_MEANINGS.contains(&meaning);
        for packed in release.catalogues.values().filter(|_| !is_read) {
            assert_eq!(archive::unpack(packed).err(), Some(Unreadable::OtherVersion { format, meaning }), "releases/{}", release.name);
        }
        let is_read = catalogue::READ_MEANINGS.contains(&meaning) && journal::READ_FORMATS.contains(&journal);
        for (path, text) in release.journals.iter().filter(|_| !is_read) {
            let refused = Journal::parse(text).err().unwrap_or_else(|| panic!("{} is read", path.display()));
            assert!(refused.contains("this program"), "{}: {refused}", path.display());
        }
    }
}
