//! The storage by itself, on both databases: matches with their answers, who may write to them, catalogues, damage.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;

use common::Place;
use std::time::Duration;
use trilogy_server::store::{
    AnswerRow, CatalogueRow, ChatRow, Claim, NewSession, Noted, SeatRow, ServerRow, Store, StoreError, TableRow, UserRow, packed_catalogue,
};

on_both_storages!(
    what_storage_is_told_it_tells_again,
    whoever_has_lost_a_match_writes_nothing_more,
    a_match_is_free_when_its_owner_is_gone,
    an_answer_and_a_takeover_never_pass_each_other,
    catalogues_are_kept_once_as_long_as_they_are_needed,
    a_damaged_row_costs_no_other,
    a_ticket_lets_in_once_and_soon,
);

async fn open(place: &Place) -> Store {
    Store::open(place.database.as_deref().unwrap_or(&place.folder.to_string_lossy())).await.expect("it opens")
}

const PLAYING: &str = "{\"is\":\"playing\"}";
const OVER: &str = "{\"is\":\"over\",\"winner\":null,\"how\":\"agreed\"}";

fn table(id: &str, owner: Option<&str>) -> TableRow {
    let seat = |name: &str| SeatRow { user: Some(name.into()), name: name.into(), bot: None, deck_name: "deck".into() };
    TableRow {
        id: id.into(),
        game: "tcg".into(),
        setup: "{}".into(),
        catalogue: "00".into(),
        seats: [seat("a"), SeatRow { bot: Some("greedy".into()), user: None, ..seat("b") }],
        clock: "{\"kind\":\"none\"}".into(),
        private: true,
        state: PLAYING.into(),
        address: "10.0.0.1".into(),
        created: 5,
        updated: 6,
        noted: Noted { aside: "{}".into(), left: [1, -2], at: 0 },
        owner: owner.map(str::to_string),
    }
}

fn server(id: &str) -> ServerRow {
    ServerRow { id: id.into(), url: format!("http://{id}/"), plays: "{}".into(), seen: 0, live: true, draining: false }
}

fn line(text: &str) -> AnswerRow {
    AnswerRow::of(text.into())
}

const LONG: i64 = 600_000;

async fn what_storage_is_told_it_tells_again(place: Place) {
    let store = open(&place).await;
    let mut row = table("t1", None);
    let claim = store.create_table(&row).await.expect("it is new");
    assert_eq!(claim, Claim { table: "t1".into(), fence: 1 });
    assert_eq!(store.create_table(&row).await, Err(StoreError::Taken));
    assert_eq!(store.table("t1").await, Ok(Some(row.clone())));
    assert_eq!(store.table("t2").await, Ok(None));
    let nowhere = Claim { table: "t2".into(), fence: 1 };
    assert_eq!(store.append_answer(&nowhere, 1, line("x")).await, Err(StoreError::Fenced), "an answer belongs to a match");

    // Many at once share commits; one that is wrong does not take the others with it.
    let appends = (1..=300).chain([7]).map(|number| {
        let (store, claim) = (store.clone(), claim.clone());
        tokio::spawn(async move { store.append_answer(&claim, number, line(&format!("line {number}"))).await })
    });
    let mut refused = 0;
    for append in appends.collect::<Vec<_>>() {
        refused += usize::from(append.await.expect("no panic") == Err(StoreError::Taken));
    }
    assert_eq!(refused, 1);
    let noted = Noted { aside: "{\"undone\":2}".into(), left: [7, 8], at: 0 };
    store.truncate_answers(&claim, 299, &noted).await.expect("undo");
    let last = AnswerRow { ask: Some(300), sent: Some(u32::MAX), by: 2, left: Some([5, 6]), ..line("another") };
    store.append_answer(&claim, 300, last.clone()).await.expect("the number is free again");
    let chat = ChatRow { user: Some("a".into()), name: "a".into(), seat: Some(1), text: "hello \u{1f600}".into(), created: 1 };
    assert_eq!(store.add_chat("t1", &chat, 2).await, Ok(true));
    assert_eq!(store.add_chat("t1", &ChatRow { user: None, seat: None, ..chat.clone() }, 2).await, Ok(true));
    assert_eq!(store.add_chat("t1", &chat, 2).await, Ok(false), "that is enough");
    store.close().await;

    let store = open(&place).await;
    let answers = store.answers("t1").await.expect("they are there");
    assert_eq!(answers.len(), 300);
    assert_eq!(AnswerRow { at: 0, ..answers[0].clone() }, line("line 1"));
    assert_eq!(AnswerRow { at: 0, ..answers[299].clone() }, last);
    let read = store.table("t1").await.unwrap().expect("it is there").noted;
    assert_eq!(Noted { at: 0, ..read.clone() }, noted);
    assert!(answers[299].at >= read.at && read.at > 1_600_000_000_000, "the database tells the time: {answers:?}, {read:?}");
    assert_eq!(store.chats("t1").await, Ok(vec![chat.clone(), ChatRow { user: None, seat: None, ..chat }]));
    assert_eq!(store.orphans().await, Ok(vec!["t1".to_string()]));
    assert_eq!(store.tables_of("a", 10).await.map(|rows| rows.len()), Ok(1));
    let (alive, bytes) = store.kept_of_address("10.0.0.1").await.unwrap();
    assert_eq!((alive, store.kept_of_address("10.0.0.2").await), (1, Ok((0, 0))));
    row.state = OVER.into();
    store.update_table(&claim, &row).await.expect("it is there");
    assert_eq!(store.orphans().await, Ok(vec![]));
    let after = store.kept_of_address("10.0.0.1").await.unwrap();
    assert_eq!(after.0, 0);
    assert!(after.1 > bytes + 300 * 60, "300 answers count: {bytes}, {after:?}");
    assert_eq!(store.table("t1").await.unwrap().unwrap().noted.aside, noted.aside, "what was noted stays");
    store.close().await;
}

async fn whoever_has_lost_a_match_writes_nothing_more(place: Place) {
    let store = open(&place).await;
    store.enter_server(&server("one"), LONG).await.unwrap();
    store.enter_server(&server("two"), LONG).await.unwrap();
    let old = store.create_table(&table("t", Some("one"))).await.unwrap();
    store.append_answer(&old, 1, line("first")).await.unwrap();
    assert_eq!(store.claim("t", "two").await, Ok(None), "its owner is there");
    assert_eq!(store.claim("t", "three").await, Ok(None), "who is no server owns nothing");
    store.enter_server(&server("one"), -1).await.unwrap();
    assert_eq!(store.orphans().await, Ok(vec!["t".to_string()]));
    let new = store.claim("t", "two").await.unwrap().expect("its owner is gone");
    assert!(new.fence > old.fence);
    assert_eq!(store.claim("t", "one").await, Ok(None), "one that has slept takes nothing back");

    let row = table("t", Some("one"));
    assert_eq!(store.append_answer(&old, 2, line("late")).await, Err(StoreError::Fenced));
    assert_eq!(store.update_table(&old, &TableRow { state: OVER.into(), ..row.clone() }).await, Err(StoreError::Fenced));
    assert_eq!(store.note(&old, &Noted::default()).await, Err(StoreError::Fenced));
    assert_eq!(store.truncate_answers(&old, 0, &Noted::default()).await, Err(StoreError::Fenced));
    store.release(&old).await.unwrap();
    // Beside those of others that hold.
    let (good, late) = tokio::join!(store.append_answer(&new, 2, line("second")), store.append_answer(&old, 2, line("late")));
    assert_eq!((good, late), (Ok(()), Err(StoreError::Fenced)));
    let lines: Vec<String> = store.answers("t").await.unwrap().into_iter().map(|answer| answer.line).collect();
    assert_eq!(lines, ["first", "second"]);
    let stored = store.table("t").await.unwrap().unwrap();
    assert_eq!((stored.owner.as_deref(), stored.state.as_str(), stored.noted.aside.as_str()), (Some("two"), PLAYING, "{}"));
    assert_eq!(store.claims("two").await, Ok(vec![new]));
    store.close().await;
}

async fn a_match_is_free_when_its_owner_is_gone(place: Place) {
    let store = open(&place).await;
    store.enter_server(&server("one"), LONG).await.unwrap();
    store.enter_server(&server("two"), LONG).await.unwrap();
    let claim = store.create_table(&table("t", Some("one"))).await.unwrap();
    assert_eq!(store.tables_elsewhere("two", 9).await.map(|rows| rows.len()), Ok(1));
    assert_eq!(store.tables_elsewhere("one", 9).await, Ok(vec![]));
    assert_eq!(store.orphans().await, Ok(vec![]));
    store.release(&claim).await.unwrap();
    assert_eq!(store.orphans().await, Ok(vec!["t".to_string()]));
    let claim = store.claim("t", "one").await.unwrap().expect("it was given up");
    store.leave_server("one").await.unwrap();
    assert!(store.claim("t", "two").await.unwrap().is_some_and(|next| next.fence > claim.fence));
    assert_eq!(store.renew_server("one", LONG).await, Ok(false), "who has left holds nothing");
    assert_eq!(store.renew_server("two", LONG).await, Ok(true));
    store.end_leases().await.unwrap();
    assert_eq!(store.renew_server("two", LONG).await, Ok(false), "nor whose lease has run out");
    let known = store.servers().await.unwrap();
    assert!(known.len() == 1 && !known[0].live && known[0].seen > 0, "{known:?}");
    store.forget_servers().await.unwrap();
    assert_eq!(store.servers().await.map(|known| known.len()), Ok(1), "what it was last heard of tells how its clocks stand");
    let next = store.claim("t", "two").await.unwrap();
    assert_eq!(next, None, "without a lease nothing is taken over");
    store.enter_server(&server("three"), LONG).await.unwrap();
    assert!(store.claim("t", "three").await.unwrap().is_some());
    store.forget_servers().await.unwrap();
    assert_eq!(store.servers().await.map(|known| known.len()), Ok(1));
    store.close().await;
}

/// One server writes as fast as it can while another takes its matches over: whatever was acknowledged is what the new owner reads.
async fn an_answer_and_a_takeover_never_pass_each_other(place: Place) {
    let store = open(&place).await;
    store.enter_server(&server("new"), LONG).await.unwrap();
    let mut races = Vec::new();
    for at in 0..24 {
        let (store, id) = (store.clone(), format!("t{at}"));
        races.push(tokio::spawn(async move {
            // Its owner is no server: gone, but still at work.
            let old = store.create_table(&table(&id, Some("old"))).await.unwrap();
            let writer = {
                let store = store.clone();
                tokio::spawn(async move {
                    let mut taken = 0;
                    loop {
                        match store.append_answer(&old, taken + 1, line(&format!("old {}", taken + 1))).await {
                            Ok(()) => taken += 1,
                            Err(StoreError::Fenced) => return taken,
                            Err(other) => panic!("{other}"),
                        }
                    }
                })
            };
            tokio::time::sleep(Duration::from_millis(at % 7)).await;
            let new = store.claim(&id, "new").await.unwrap().expect("it is free");
            let known = store.answers(&id).await.unwrap().len() as u32;
            for number in known + 1..known + 6 {
                store.append_answer(&new, number, line(&format!("new {number}"))).await.expect("nobody else writes");
            }
            assert_eq!(writer.await.unwrap(), known, "what was acknowledged was there when the match was taken over");
        }));
    }
    for race in races {
        race.await.unwrap();
    }
    store.close().await;
}

async fn catalogues_are_kept_once_as_long_as_they_are_needed(place: Place) {
    let store = open(&place).await;
    let row = |hash: &str| CatalogueRow { hash: hash.into(), game: "tcg".into(), format: 1, meaning: 2, bytes: vec![0, 1, 255, 0] };
    assert_eq!(store.need_catalogue("00").await, Ok(false));
    store.put_catalogue(&row("00")).await.unwrap();
    store.put_catalogue(&CatalogueRow { bytes: vec![9], ..row("00") }).await.unwrap();
    store.put_catalogue(&row("11")).await.unwrap();
    store.put_catalogue(&row("22")).await.unwrap();
    assert_eq!(store.catalogue("00").await, Ok(Some(row("00"))), "the first one stays");
    assert_eq!(store.catalogue("99").await, Ok(None));
    assert_eq!(store.catalogue_versions("00").await, Ok(Some((1, 2))));
    // Other programs may read them, whether a server uses the storage or not.
    let named = place.database.clone().unwrap_or_else(|| place.folder.to_string_lossy().into_owned());
    assert_eq!(packed_catalogue(&named, "00").await, Ok(Some(vec![0, 1, 255, 0])));
    assert_eq!(packed_catalogue(&named, "99").await, Ok(None));
    store.create_table(&table("t", None)).await.unwrap();
    store.close().await;
    assert_eq!(packed_catalogue(&named, "00").await, Ok(Some(vec![0, 1, 255, 0])));
    // Long ago; the match refers to "00", and "11" is needed again.
    place.change("UPDATE catalogues SET created = 1".into()).await;
    let store = open(&place).await;
    assert_eq!(store.need_catalogue("11").await, Ok(true));
    store.forget_catalogues().await.unwrap();
    for (hash, there) in [("00", true), ("11", true), ("22", false)] {
        assert_eq!(store.catalogue_versions(hash).await.unwrap().is_some(), there, "{hash}");
    }
    store.close().await;
}

async fn a_damaged_row_costs_no_other(place: Place) {
    let store = open(&place).await;
    for id in ["t1", "t2", "t3"] {
        let claim = store.create_table(&table(id, None)).await.unwrap();
        for number in 1..4 {
            store.append_answer(&claim, number, line("x")).await.unwrap();
        }
    }
    store.close().await;
    // Only SQLite keeps a text where a number should be.
    if place.database.is_none() {
        place.change("UPDATE matches SET private = 'damaged' WHERE id = 't1'".into()).await;
    }
    place.change("DELETE FROM answers WHERE match_id = 't2' AND number = 2".into()).await;
    let store = open(&place).await;
    if place.database.is_none() {
        assert!(matches!(store.table("t1").await, Err(StoreError::Damaged(_))));
        assert_eq!(store.tables_of("a", 9).await.map(|rows| rows.len()), Ok(2));
    }
    assert_eq!(store.answers("t2").await, Err(StoreError::Damaged("answer 2 is missing".into())));
    assert_eq!(store.orphans().await.map(|ids| ids.len()), Ok(3));
    assert_eq!(store.answers("t3").await.map(|answers| answers.len()), Ok(3));
    store.close().await;
}

async fn a_ticket_lets_in_once_and_soon(place: Place) {
    let store = open(&place).await;
    let user =
        UserRow { id: "u".into(), name: "Ana".into(), password: None, admin: false, created: 1, banned: None, address: String::new() };
    let session = NewSession { hash: "s".into(), csrf: "c".into(), begun: 1, expires: 2 };
    assert_eq!(store.create_user(&user, &session, 9).await, Ok(true));
    store.create_ticket("new", "u", 100).await.unwrap();
    store.create_ticket("old", "u", 50).await.unwrap();
    assert_eq!(store.take_ticket("another", 60).await, Ok(None));
    assert_eq!(store.take_ticket("old", 60).await, Ok(None));
    assert_eq!(store.take_ticket("new", 60).await, Ok(Some("u".into())));
    assert_eq!(store.take_ticket("new", 60).await, Ok(None));
    store.close().await;
}
