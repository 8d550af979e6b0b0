//! Backup and restore: what is taken while games are played is a whole storage, on which a new server goes on with every match from
//! where it was; and nothing is ever written over.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;

use common::pair::{Pair, both_at, play, server};
use common::{Place, postgres_programs, skip, temporary_folder};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use trilogy_engine::{Answer, Catalogue, Journal, Silent};
use trilogy_server::Running;
use trilogy_server::client::{Dice, Rest, Socket};
use trilogy_server::protocol::*;
use trilogy_server::store::{back_up, restore};

on_both_storages!(every_match_goes_on_from_where_the_backup_was);

/// A program of PostgreSQL, as docs/OPERATIONS.md runs it.
async fn postgres(program: &str, args: &[&str]) {
    let program = postgres_programs().map_or_else(|| program.into(), |folder| folder.join(program));
    let mut command = Command::new(&program);
    command.args(args);
    let output = tokio::task::spawn_blocking(move || command.output()).await.unwrap();
    let output = output.unwrap_or_else(|error| panic!("{}: {error}", program.display()));
    assert!(output.status.success(), "{}: {}", program.display(), String::from_utf8_lossy(&output.stderr));
}

/// Whether there are programs to copy a database with.
fn can_copy(place: &Place) -> bool {
    let has = place.database.is_none() || postgres_programs().is_some_and(|folder| folder.join("pg_dump").is_file());
    if !has {
        skip("no pg_dump here");
    }
    has
}

async fn taken(place: &Place, to: &Path) {
    match &place.database {
        Some(url) => postgres("pg_dump", &["--format=custom", "--file", to.to_str().unwrap(), url]).await,
        None => drop(back_up(&place.folder, to).await.unwrap()),
    }
}

async fn put_back(of: &Place, from: &Path) -> Place {
    if of.database.is_some() {
        let place = Place::postgres().await.unwrap();
        let url = place.database.as_deref().unwrap();
        postgres("pg_restore", &["--no-owner", "--exit-on-error", "--dbname", url, from.to_str().unwrap()]).await;
        return place;
    }
    let place = Place::folder();
    restore(from, &place.folder).await.unwrap();
    place
}

/// Two people who play game after game.
struct Playing {
    pair: Pair,
    /// Their tables, with the answers that were acknowledged and the asks that these were for.
    given: Vec<(String, Vec<(u32, AnswerData)>)>,
}

/// How far each of them is: how many tables, and how many answers at the last of them.
type Progress = Arc<[AtomicUsize; 2]>;

impl Playing {
    async fn new(server: &Running, number: u64) -> Playing {
        let names = [format!("Ana {number}"), format!("Ben {number}")];
        let pair = Pair::between(server, [&names[0], &names[1]], Clock::None).await;
        let pair = Pair { dice: Dice(number), ..pair };
        Playing { given: vec![(pair.table.clone(), Vec::new())], pair }
    }

    async fn play_until(mut self, enough: Arc<AtomicBool>, progress: Progress) -> Playing {
        while !enough.load(Relaxed) {
            let (_, ask) = self.pair.asked();
            let answer = self.pair.dice.answer(ask.question.as_ref().unwrap());
            let goes_on = self.pair.answer(Some(answer.clone())).await;
            self.given.last_mut().unwrap().1.push((ask.number, answer));
            if !goes_on {
                self.pair = self.pair.another().await;
                self.given.push((self.pair.table.clone(), Vec::new()));
            }
            progress[0].store(self.given.len(), Relaxed);
            progress[1].fetch_add(1, Relaxed);
        }
        self
    }
}

/// Wait until everybody has given so many answers more than before.
async fn played_on(progress: &[Progress], more: usize) {
    for one in progress {
        let before = one[1].load(Relaxed);
        while one[1].load(Relaxed) < before + more {
            tokio::task::yield_now().await;
        }
    }
}

async fn every_match_goes_on_from_where_the_backup_was(place: Place) {
    if !can_copy(&place) {
        return;
    }
    let catalogue = Arc::new(trilogy_games::find("tcg").unwrap().catalogue().unwrap());
    let first = server(&place).await;
    let alone = Rest::guest(first.addr, "Cleo").await.unwrap();
    let over = alone.against("random").await.unwrap().id;
    let mut socket = Socket::at(&alone, &over).await.unwrap();
    assert!(matches!(play(&mut socket, &over, &mut Dice(5), u32::MAX).await.state, MatchState::Over { .. }));
    let journal = alone.text(&format!("/api/replays/{over}/journal")).await.unwrap();

    let enough = Arc::new(AtomicBool::new(false));
    let progress: Vec<Progress> = (0..4).map(|_| Progress::default()).collect();
    let mut playing = Vec::new();
    for (number, one) in (1..).zip(&progress) {
        let pair = Playing::new(&first, number).await;
        playing.push(tokio::spawn(pair.play_until(enough.clone(), one.clone())));
    }
    played_on(&progress, 12).await;
    let tables_before: Vec<usize> = progress.iter().map(|one| one[0].load(Relaxed)).collect();
    let answers_before: Vec<usize> = progress.iter().map(|one| one[1].load(Relaxed)).collect();
    let kept = temporary_folder();
    let copy = kept.join("copy");
    taken(&place, &copy).await;
    // What comes now is no part of it.
    played_on(&progress, 12).await;
    let late = alone.against("random").await.unwrap().id;
    enough.store(true, Relaxed);
    let mut pairs = Vec::new();
    for pair in playing {
        pairs.push(pair.await.unwrap());
    }
    first.stop().await;

    let restored = put_back(&place, &copy).await;
    // In life a backup is older than the lease that the server of then had for a few seconds more.
    restored.change("UPDATE servers SET until = 0".into()).await;
    let second = server(&restored).await;
    let back = Rest { addr: second.addr, ..alone };
    let me: Option<Me> = back.get("/api/me").await.unwrap();
    assert_eq!(me.map(|me| me.name).as_deref(), Some("Cleo"), "sessions hold");
    assert_eq!(back.text(&format!("/api/tables/{late}")).await.unwrap_err().status, 404, "it was begun later");
    // Replays play.
    assert_eq!(back.text(&format!("/api/replays/{over}/journal")).await.unwrap(), journal);
    let told: Replay = back.get(&format!("/api/replays/{over}")).await.unwrap();
    let end: Table = back.get(&format!("/api/replays/{over}/at/{}", told.answers)).await.unwrap();
    assert!(matches!(end.state, MatchState::Over { .. }));

    for ((playing, tables), answers) in pairs.into_iter().zip(tables_before).zip(answers_before) {
        let Playing { mut pair, given } = playing;
        let mut found = 0;
        for (at, (table, given)) in given.iter().enumerate() {
            pair.rest[0].addr = second.addr;
            let listed = pair.rest[0].get::<TableInfo>(&format!("/api/tables/{table}")).await;
            if at < tables {
                assert!(listed.is_ok(), "{table} was begun before: {listed:?}");
            }
            let Ok(info) = listed else { continue };
            pair.table = table.clone();
            let stored = match info.state {
                MatchState::Over { .. } => u32::MAX,
                MatchState::Open => continue,
                MatchState::Playing => {
                    // The same cookies, and on to the end.
                    both_at(&mut pair, &second).await;
                    let stored = pair.asked().1.number;
                    while pair.answer(None).await {}
                    stored
                }
            };
            let known = given.iter().filter(|(number, _)| *number < stored);
            found += verified(&back, table, known, &catalogue).await;
        }
        assert!(found >= answers, "{answers} answers were acknowledged before, {found} are there");
    }
    second.stop().await;
    let _ = std::fs::remove_dir_all(kept);
}

/// The journal of a match that is over holds, and tells these answers at their places. How many they are.
async fn verified<'a>(rest: &Rest, table: &str, given: impl Iterator<Item = &'a (u32, AnswerData)>, catalogue: &Arc<Catalogue>) -> usize {
    let text = rest.text(&format!("/api/replays/{table}/journal")).await.unwrap();
    let journal = Journal::parse(&text).unwrap();
    journal.replay(catalogue, journal.answers(), &mut Silent).unwrap();
    let mut count = 0;
    for (number, answer) in given {
        let told = match journal.answer(*number as usize) {
            Answer::Pick(picks) => AnswerData::Pick(picks.into_iter().map(u32::from).collect()),
            Answer::Number(number) => AnswerData::Number(number),
        };
        assert_eq!(told, *answer, "{table}: answer {number}");
        count += 1;
    }
    count
}

// ---- copies of a folder ----

/// A folder in which a guest plays, and a copy of it, in a third folder.
async fn copied() -> (Place, Running, PathBuf) {
    let place = Place::folder();
    let running = server(&place).await;
    Rest::guest(running.addr, "Ana").await.unwrap().against("random").await.unwrap();
    let copy = temporary_folder().join("copy.db");
    let told = back_up(&place.folder, &copy).await.unwrap();
    assert_eq!((told.users, told.matches, told.alive), (1, 1, 1));
    assert_eq!(told.bytes, std::fs::metadata(&copy).unwrap().len());
    (place, running, copy)
}

/// Names of what lies in a folder.
fn listed(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[tokio::test(flavor = "multi_thread")]
async fn a_backup_is_written_over_nothing() {
    let (place, running, copy) = copied().await;
    let kept = copy.parent().unwrap();
    let before = std::fs::read(&copy).unwrap();
    let refused = back_up(&place.folder, &copy).await.unwrap_err();
    assert!(refused.contains("there already"), "{refused}");
    assert_eq!(std::fs::read(&copy).unwrap(), before);
    assert_eq!(listed(kept), ["copy.db"], "nothing half done is left");
    // Another one is being written under this name, or was cut short.
    std::fs::write(kept.join("next.db.part"), "x").unwrap();
    assert!(back_up(&place.folder, &kept.join("next.db")).await.unwrap_err().contains("next.db.part: this is being written"));
    assert_eq!(std::fs::read(kept.join("next.db.part")).unwrap(), b"x");
    assert!(back_up(&place.folder, &kept.join("no/such/folder.db")).await.is_err());
    assert!(back_up(kept, &kept.join("nothing.db")).await.unwrap_err().contains("nothing is stored here"));
    assert_eq!(listed(kept), ["copy.db", "next.db.part"]);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(std::fs::metadata(&copy).unwrap().permissions().mode() & 0o777, 0o600, "nobody else reads hashes of passwords");
    }
    running.stop().await;
    // The same without a server, which leaves nothing beside the file.
    let there = listed(&place.folder);
    assert!(back_up(&place.folder, &kept.join("later.db")).await.is_ok_and(|told| told.matches == 1));
    assert_eq!(listed(&place.folder), there);
    let _ = std::fs::remove_dir_all(kept);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_folder_is_made_where_nothing_is_stored() {
    let (place, running, copy) = copied().await;
    let kept = copy.parent().unwrap();
    assert!(restore(&copy, &place.folder).await.unwrap_err().contains("another server"));
    running.stop().await;
    let before = std::fs::read(place.folder.join("trilogy.db")).unwrap();
    assert!(restore(&copy, &place.folder).await.unwrap_err().contains("stored here already"));
    assert_eq!(std::fs::read(place.folder.join("trilogy.db")).unwrap(), before);

    // The log of another file would be played into this one.
    let other = Place::folder();
    std::fs::write(other.folder.join("trilogy.db-wal"), "x").unwrap();
    assert!(restore(&copy, &other.folder).await.unwrap_err().contains("trilogy.db-wal"));
    std::fs::remove_file(other.folder.join("trilogy.db-wal")).unwrap();

    // What is no copy, or a damaged one, makes no folder.
    let whole = std::fs::read(&copy).unwrap();
    let mut damaged = whole.clone();
    let middle = whole.len() / 2;
    damaged[middle..middle + 4096].fill(0xa5);
    let pieces: [(&str, &[u8]); 4] = [("text", b"no database"), ("empty", b""), ("cut", &whole[..middle]), ("damaged", &damaged)];
    for (name, bytes) in pieces {
        let path = kept.join(name);
        std::fs::write(&path, bytes).unwrap();
        let refused = restore(&path, &other.folder).await.unwrap_err();
        assert!(refused.contains(name), "{refused}");
        assert_eq!(listed(&other.folder), ["lock"], "{name}");
    }
    assert!(restore(&kept.join("nothing"), &other.folder).await.unwrap_err().contains("no such file"));
    let told = restore(&copy, &other.folder).await.unwrap();
    assert_eq!((told.users, told.matches), (1, 1));
    assert_eq!(std::fs::read(&copy).unwrap(), whole, "the copy stays as it is");
    server(&other).await.stop().await;
    let _ = std::fs::remove_dir_all(kept);
}
