//! Matches over real sockets: whole games, reconnecting, taking back, clocks, ends of every kind, hostile clients,
//! restarts.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;

use common::Place;
use common::pair::{Pair, play, rejection, server, wait};
use std::collections::BTreeSet;
use std::time::{Duration, Instant};
use trilogy_engine::{Journal, Random};
use trilogy_server::client::{Dice, Rest, Socket};
use trilogy_server::protocol::*;

on_both_storages!(
    a_whole_game_between_two_people_with_somebody_looking_on,
    bots_play_to_the_end,
    another_device_goes_on_in_mid_ask,
    an_answer_is_taken_once_and_only_for_its_ask,
    taking_back_is_free_until_something_is_shown_or_another_has_answered,
    whoever_is_out_of_time_loses,
    matches_end_by_resignation_and_by_agreement_and_begin_again,
    windows_are_passed_for_those_who_wish_it,
    people_talk_within_limits_and_are_not_heard_by_those_who_blocked_them,
    questions_about_the_table_are_answered,
    what_cannot_be_played_says_why,
    a_client_of_another_kind_is_refused_politely,
    a_hostile_client_harms_nobody,
);

/// The others' hidden cards are counted, not shown.
fn hides(table: &Table, seat: Option<u8>) {
    assert_eq!(table.seat, seat);
    for (name, zone) in &table.zones {
        let hidden = name.starts_with("deck.") || (name.starts_with("hand.") && zone.seat != seat);
        if hidden && !matches!(table.state, MatchState::Over { .. }) {
            let known: Vec<&Card> = zone.cards.iter().filter_map(|id| table.cards.get(id.to_string().as_str())).collect();
            assert!(known.iter().all(|card| card.key.is_some()), "only cards that were shown may be here: {known:?}");
        }
    }
    for card in table.cards.values().filter(|card| card.facedown && card.key.is_some()) {
        assert!(Some(card.controller) == seat || matches!(table.state, MatchState::Over { .. }), "a card face down is known: {card:?}");
    }
    if let Some(ask) = &table.ask {
        assert_eq!(ask.question.is_some(), Some(ask.seat) == seat);
    }
    assert_eq!(table.seed.is_some(), matches!(table.state, MatchState::Over { .. }));
}

async fn a_whole_game_between_two_people_with_somebody_looking_on(place: Place) {
    let server = server(&place).await;
    let mut pair = Pair::new(&server, Clock::None).await;
    let nobody = Rest::nobody(server.addr);
    let mut spectator = Socket::at(&nobody, &pair.table).await.unwrap();
    pair.both(|table| table.spectators == 1).await;
    let commitment = pair.table(0).commitment.clone();
    let refused = nobody.text(&format!("/api/replays/{}/journal", pair.table)).await.unwrap_err();
    assert_eq!(refused.status, 403, "a journal holds the seed");
    let own = pair.rest[0].text(&format!("/api/replays/{}/journal", pair.table)).await.unwrap_err();
    assert_eq!(own.status, 409, "{own:?}");
    loop {
        let goes_on = pair.answer(None).await;
        let number = pair.table(0).ask.map(|ask| ask.number);
        wait(&mut spectator, &pair.table, |table| table.ask.as_ref().map(|ask| ask.number) == number).await;
        let merged = [pair.table(0), pair.table(1), spectator.table(&pair.table).unwrap()];
        for (at, (rest, table)) in [&pair.rest[0], &pair.rest[1], &nobody].into_iter().zip(&merged).enumerate() {
            hides(table, (at < 2).then_some(at as u8));
            let whole: Table = rest.get(&format!("/api/tables/{}/view", pair.table)).await.unwrap();
            assert_eq!(*table, whole, "the updates have led to what is there");
        }
        if !goes_on {
            break;
        }
    }
    let (last, other) = (pair.table(0), pair.table(1));
    assert_eq!(last.state, other.state);
    let MatchState::Over { how, .. } = &last.state else { panic!("{:?}", last.state) };
    assert_eq!(how, "rules");
    let seed: Vec<u8> = (0..32).map(|at| u8::from_str_radix(&last.seed.as_ref().unwrap()[2 * at..2 * at + 2], 16).unwrap()).collect();
    assert_eq!(Random::commitment(&seed.try_into().unwrap()), commitment);
    assert!(pair.sockets[0].tables[&pair.table].log.len() > 20);

    // The journal is the one the engine would have written, and its hashes hold.
    let text = nobody.text(&format!("/api/replays/{}/journal", pair.table)).await.unwrap();
    let journal = Journal::parse(&text).unwrap();
    assert!(journal.is_complete());
    let catalogue = std::sync::Arc::new(trilogy_games::find("tcg").unwrap().catalogue().unwrap());
    journal.replay(&catalogue, journal.answers(), &mut trilogy_engine::Silent).unwrap();

    let replay: Replay = nobody.get(&format!("/api/replays/{}", pair.table)).await.unwrap();
    assert_eq!(replay.answers as usize, journal.answers());
    assert!(!replay.turning_points.is_empty() && replay.turning_points.iter().all(|point| *point <= replay.answers));
    let middle: Table = nobody.get(&format!("/api/replays/{}/at/{}", pair.table, replay.answers / 2)).await.unwrap();
    assert!(middle.cards.values().all(|card| card.key.is_some()), "a referee sees everything");
    assert_eq!(middle.ask.unwrap().number, replay.answers / 2);

    // Play on from the middle against a bot.
    let wish = serde_json::json!({"answers": replay.answers / 2, "seat": 1, "bot": "random"});
    let forked: TableInfo = pair.rest[1].post(&format!("/api/replays/{}/fork", pair.table), &wish).await.unwrap();
    let mut again = Socket::at(&pair.rest[1], &forked.id).await.unwrap();
    play(&mut again, &forked.id, &mut Dice(3), u32::MAX).await;
    let history: History = pair.rest[1].get("/api/history").await.unwrap();
    assert_eq!((history.matches.len(), history.played), (2, 2));
    assert_eq!(history.decks.values().map(|deck| deck.0).sum::<u32>(), 2);
    server.stop().await;
}

async fn bots_play_to_the_end(place: Place) {
    let server = server(&place).await;
    let rest = Rest::guest(server.addr, "Ana").await.unwrap();
    for bot in ["random", "greedy"] {
        let table = rest.against(bot).await.unwrap().id;
        let mut socket = Socket::at(&rest, &table).await.unwrap();
        let last = play(&mut socket, &table, &mut Dice(11), u32::MAX).await;
        assert!(matches!(last.state, MatchState::Over { .. }), "{:?}", last.state);
    }
    server.stop().await;
}

async fn another_device_goes_on_in_mid_ask(place: Place) {
    let server = server(&place).await;
    let mut pair = Pair::after(&server, 5).await;
    let (seat, ask) = pair.asked();
    let before = pair.table(seat);
    let again = Socket::at(&pair.rest[seat], &pair.table).await.unwrap();
    let old = std::mem::replace(&mut pair.sockets[seat], again);
    assert_eq!(pair.table(seat), before);
    assert_eq!(pair.sockets[seat].tables[&pair.table].log, old.tables[&pair.table].log);
    old.close().await;
    assert_eq!(pair.table(seat).ask, Some(ask));
    // Both gone, and back.
    let other = Socket::at(&pair.rest[1 - seat], &pair.table).await.unwrap();
    std::mem::replace(&mut pair.sockets[1 - seat], other).close().await;
    pair.answer(None).await;
    // One who is up to date is told so, and no more.
    let (table, seq) = (pair.table.clone(), pair.sockets[0].tables[&pair.table].seq);
    pair.sockets[0].send(&ClientMessage::Watch { table, since: seq }).await.unwrap();
    let ServerMessage::Update { base, patch, .. } = pair.sockets[0].next().await.unwrap() else { panic!("no update") };
    assert_eq!((base, patch), (seq, serde_json::json!({})));
    server.stop().await;
}

async fn an_answer_is_taken_once_and_only_for_its_ask(place: Place) {
    let server = server(&place).await;
    let mut pair = Pair::new(&server, Clock::None).await;
    let (seat, ask) = pair.asked();
    let answer = Dice(1).answer(ask.question.as_ref().unwrap());
    let table = pair.table.clone();
    for _ in 0..3 {
        pair.sockets[seat].answer(&table, ask.number, 77, answer.clone()).await.unwrap();
    }
    for _ in 0..3 {
        loop {
            match pair.sockets[seat].next().await.unwrap() {
                ServerMessage::Accepted { id, .. } => {
                    assert_eq!(id, 77);
                    break;
                }
                ServerMessage::Rejected { reason, .. } => panic!("{reason}"),
                _ => {}
            }
        }
    }
    pair.both(|table| table.ask.as_ref().is_some_and(|now| now.number == ask.number + 1)).await;
    // The same ask again with another id is stale; so is one that has not come yet; a foreign ask is foreign.
    let (seat, ask) = pair.asked();
    for number in [ask.number - 1, ask.number + 1, u32::MAX] {
        pair.sockets[seat].answer(&table, number, 78, AnswerData::Pick(vec![])).await.unwrap();
        let reason = rejection(&mut pair.sockets[seat]).await;
        assert!(reason.contains("the game is at ask"), "{reason}");
    }
    pair.sockets[1 - seat].answer(&table, ask.number, 79, AnswerData::Pick(vec![])).await.unwrap();
    assert_eq!(rejection(&mut pair.sockets[1 - seat]).await, "it is not for you to answer now");
    // Wrong answers to the right ask change nothing.
    for wrong in [AnswerData::Number(i32::MIN), AnswerData::Pick(vec![9999]), AnswerData::Pick(vec![70_000]), AnswerData::Pick(vec![0; 99])]
    {
        pair.sockets[seat].answer(&table, ask.number, 80, wrong).await.unwrap();
        rejection(&mut pair.sockets[seat]).await;
    }
    assert_eq!(pair.asked().1, ask);
    assert!(pair.answer(None).await);
    server.stop().await;
}

async fn taking_back_is_free_until_something_is_shown_or_another_has_answered(place: Place) {
    let server = server(&place).await;
    let mut pair = Pair::new(&server, Clock::None).await;
    // Keeping all cards shows nothing. A hand in which nothing can be exchanged is not asked about: then another game.
    while !pair.both_may_keep_all().await {
        pair = pair.another().await;
    }
    let table = pair.table.clone();
    let (first, ask) = pair.asked();
    pair.sockets[first].send(&ClientMessage::Undo { table: table.clone() }).await.unwrap();
    assert_eq!(rejection(&mut pair.sockets[first]).await, "there is nothing to take back");
    let before = pair.table(first);
    pair.answer(Some(AnswerData::Pick(vec![]))).await;
    assert!(pair.table(first).undo_free && !pair.table(1 - first).undo_free);
    pair.sockets[first].send(&ClientMessage::Undo { table: table.clone() }).await.unwrap();
    pair.both(|table| table.ask.as_ref().is_some_and(|now| usize::from(now.seat) == first && now.number > ask.number)).await;
    let after = pair.table(first);
    assert_eq!(after.ask.as_ref().unwrap().question, ask.question);
    assert_eq!((after.cards, after.zones), (before.cards, before.zones));
    // A late answer to the ask of before does not meet this one.
    pair.sockets[first].answer(&table, ask.number, 500, AnswerData::Pick(vec![])).await.unwrap();
    rejection(&mut pair.sockets[first]).await;

    // After the other has answered it takes their leave.
    pair.answer(Some(AnswerData::Pick(vec![]))).await;
    pair.answer(Some(AnswerData::Pick(vec![]))).await;
    let number = pair.asked().1.number;
    assert!(!pair.table(first).undo_free);
    for agree in [false, true] {
        pair.sockets[first].send(&ClientMessage::Undo { table: table.clone() }).await.unwrap();
        pair.both(|table| table.offers.get("undo").is_some_and(|by| *by == [first as u8])).await;
        pair.sockets[first].send(&ClientMessage::UndoReply { table: table.clone(), agree: true }).await.unwrap();
        assert_eq!(rejection(&mut pair.sockets[first]).await, "nobody asks to take an answer back");
        pair.sockets[1 - first].send(&ClientMessage::UndoReply { table: table.clone(), agree }).await.unwrap();
        pair.both(|table| table.offers.is_empty()).await;
    }
    let (seat, now) = pair.asked();
    assert!(seat == first && now.number > number && now.question == ask.question);
    // What was taken back is not on disk either.
    while pair.answer(None).await {}
    let text = pair.rest[0].text(&format!("/api/replays/{table}/journal")).await.unwrap();
    let journal = Journal::parse(&text).unwrap();
    let catalogue = std::sync::Arc::new(trilogy_games::find("tcg").unwrap().catalogue().unwrap());
    journal.replay(&catalogue, journal.answers(), &mut trilogy_engine::Silent).unwrap();
    pair.sockets[0].send(&ClientMessage::Undo { table }).await.unwrap();
    assert_eq!(rejection(&mut pair.sockets[0]).await, "the match is not being played");
    server.stop().await;
}

async fn whoever_is_out_of_time_loses(place: Place) {
    let server = server(&place).await;
    let mut pair = Pair::new(&server, Clock::PerMove { seconds: 2 }).await;
    let (seat, _) = pair.asked();
    assert!(pair.table(0).seats[seat].clock.is_some_and(|left| left > 0 && left <= 2000));
    // A pause by agreement stops the clock; an answer waits for its end.
    let table = pair.table.clone();
    for by in [0, 1] {
        pair.sockets[by].send(&ClientMessage::Pause { table: table.clone() }).await.unwrap();
    }
    pair.both(|table| table.paused).await;
    tokio::time::sleep(Duration::from_millis(2300)).await;
    let number = pair.asked().1.number;
    pair.sockets[seat].answer(&table, number, 1, AnswerData::Pick(vec![])).await.unwrap();
    assert_eq!(rejection(&mut pair.sockets[seat]).await, "the match is paused");
    pair.sockets[1 - seat].send(&ClientMessage::Pause { table: table.clone() }).await.unwrap();
    pair.both(|table| !table.paused).await;
    assert!(pair.answer(None).await);
    let started = Instant::now();
    let (late, _) = pair.asked();
    pair.both(|table| matches!(table.state, MatchState::Over { .. })).await;
    assert!(started.elapsed() > Duration::from_millis(1000));
    assert_eq!(pair.table(0).state, MatchState::Over { winner: Some(1 - late as u8), how: "time".into() });
    server.stop().await;
}

async fn matches_end_by_resignation_and_by_agreement_and_begin_again(place: Place) {
    let server = server(&place).await;
    let mut pair = Pair::new(&server, Clock::None).await;
    let table = pair.table.clone();
    pair.sockets[0].send(&ClientMessage::Rematch { table: table.clone() }).await.unwrap();
    assert!(rejection(&mut pair.sockets[0]).await.contains("over"));
    pair.sockets[0].send(&ClientMessage::OfferDraw { table: table.clone() }).await.unwrap();
    pair.both(|table| table.offers.get("draw").is_some_and(|by| *by == [0])).await;
    // An answer turns the offer down.
    pair.answer(None).await;
    assert!(pair.table(0).offers.is_empty());
    for by in [0, 1] {
        pair.sockets[by].send(&ClientMessage::OfferDraw { table: table.clone() }).await.unwrap();
    }
    pair.both(|table| table.state == MatchState::Over { winner: None, how: "agreed".into() }).await;
    for by in [1, 0] {
        pair.sockets[by].send(&ClientMessage::Rematch { table: table.clone() }).await.unwrap();
    }
    pair.both(|table| table.rematch.is_some()).await;
    let next = pair.table(0).rematch.unwrap();
    assert_eq!(Some(&next), pair.table(1).rematch.as_ref());
    let commitment = pair.table(0).commitment;
    for by in [0, 1] {
        pair.sockets[by].watch(&next).await.unwrap();
    }
    pair.table = next.clone();
    assert_ne!(pair.table(0).commitment, commitment, "the luck is fresh");
    pair.answer(None).await;
    pair.sockets[1].send(&ClientMessage::Resign { table: next.clone() }).await.unwrap();
    pair.both(|table| table.state == MatchState::Over { winner: Some(0), how: "resigned".into() }).await;
    assert!(pair.table(0).ask.is_none());
    pair.sockets[0].answer(&next, 1, 900, AnswerData::Pick(vec![])).await.unwrap();
    assert_eq!(rejection(&mut pair.sockets[0]).await, "the match is over");
    // An open table that its owner leaves is closed.
    let open = pair.rest[0].opens(Clock::None).await.unwrap().id;
    assert_eq!(pair.rest[0].joins(&open).await.unwrap_err().status, 409);
    pair.sockets[0].watch(&open).await.unwrap();
    pair.sockets[0].send(&ClientMessage::Resign { table: open.clone() }).await.unwrap();
    wait(&mut pair.sockets[0], &open, |table| table.state == MatchState::Over { winner: None, how: "closed".into() }).await;
    assert_eq!(pair.rest[1].joins(&open).await.unwrap_err().status, 409);
    let listed: Vec<TableInfo> = pair.rest[1].get("/api/tables").await.unwrap();
    assert!(listed.is_empty(), "{listed:?}");
    server.stop().await;
}

async fn windows_are_passed_for_those_who_wish_it(place: Place) {
    let server = server(&place).await;
    let rest = Rest::guest(server.addr, "Ana").await.unwrap();
    let table = rest.against("random").await.unwrap().id;
    let mut socket = Socket::at(&rest, &table).await.unwrap();
    let stops = Stops { full_control: false, auto_pass: true, except: vec!["no_such_window".into()] };
    socket.send(&ClientMessage::Stops { table: table.clone(), stops }).await.unwrap();
    assert!(rejection(&mut socket).await.contains("general_window"));
    let except: Vec<String> = ["setup_window", "build_window", "retreat_window"].map(str::to_string).into();
    let stops = Stops { full_control: false, auto_pass: true, except };
    socket.send(&ClientMessage::Stops { table: table.clone(), stops: stops.clone() }).await.unwrap();
    wait(&mut socket, &table, |table| table.stops.auto_pass).await;
    let mut dice = Dice(5);
    loop {
        let now = play(&mut socket, &table, &mut dice, 1).await;
        if let Some(Ask { question: Some(Question::Pick { prompt, .. }), .. }) = &now.ask {
            assert_ne!(prompt, "Play or pass");
        }
        if matches!(now.state, MatchState::Over { .. }) {
            break;
        }
    }
    server.stop().await;
}

async fn people_talk_within_limits_and_are_not_heard_by_those_who_blocked_them(place: Place) {
    let server = server(&place).await;
    let mut pair = Pair::new(&server, Clock::None).await;
    let table = pair.table.clone();
    let mut nobody = Socket::at(&Rest::nobody(server.addr), &table).await.unwrap();
    nobody.send(&ClientMessage::Chat { table: table.clone(), text: "hello".into() }).await.unwrap();
    assert_eq!(rejection(&mut nobody).await, "only those with a name can speak");
    async fn hears(socket: &mut Socket) -> String {
        loop {
            if let ServerMessage::Said { text, .. } = socket.next().await.unwrap() {
                return text;
            }
        }
    }
    let say = |text: &str| ClientMessage::Chat { table: table.clone(), text: text.into() };
    pair.sockets[0].send(&say("  <b>hello</b>\u{7} ")).await.unwrap();
    assert_eq!(hears(&mut pair.sockets[1]).await, "<b>hello</b>");
    assert_eq!(hears(&mut nobody).await, "<b>hello</b>");
    pair.sockets[0].send(&say(&"x".repeat(301))).await.unwrap();
    assert!(rejection(&mut pair.sockets[0]).await.contains("300"));
    let _: () = pair.rest[1].post("/api/blocks", &serde_json::json!({"name": "Ana"})).await.unwrap();
    pair.sockets[0].send(&say("can you hear me?")).await.unwrap();
    assert_eq!(hears(&mut nobody).await, "can you hear me?");
    pair.sockets[1].send(&say("no")).await.unwrap();
    assert_eq!(hears(&mut pair.sockets[1]).await, "no", "the line before it did not come");
    for _ in 0..4 {
        pair.sockets[0].send(&say("again")).await.unwrap();
    }
    assert!(rejection(&mut pair.sockets[0]).await.contains("no more than"));
    server.stop().await;
}

async fn questions_about_the_table_are_answered(place: Place) {
    let server = server(&place).await;
    let mut pair = Pair::after(&server, 12).await;
    let table = pair.table.clone();
    let unit = pair.table(0).cards.values().find(|card| card.values.contains_key("power")).cloned().expect("there is a unit");
    let ask = ClientMessage::TraceValue { table: table.clone(), card: unit.id, stat: "power".into() };
    pair.sockets[0].send(&ask).await.unwrap();
    let ServerMessage::Trace { value, lines, .. } = pair.sockets[0].next().await.unwrap() else { panic!("no trace") };
    assert_eq!(value, unit.values.get("power").copied());
    assert!(!lines.is_empty());
    // A card that one cannot see has no value.
    let hidden = pair.table(1).zones["hand.1"].cards[0];
    pair.sockets[0].send(&ClientMessage::TraceValue { table: table.clone(), card: hidden, stat: "power".into() }).await.unwrap();
    let ServerMessage::Trace { value: None, lines, .. } = pair.sockets[0].next().await.unwrap() else { panic!("a value") };
    assert!(lines.is_empty());
    server.stop().await;
}

/// In every window, a card in hand that cannot be played says why; and whoever is not asked learns nothing.
async fn what_cannot_be_played_says_why(place: Place) {
    let server = server(&place).await;
    let mut pair = Pair::new(&server, Clock::None).await;
    let mut windows = BTreeSet::new();
    let mut for_another_window = 0;
    for _ in 0..4 {
        // The usual stops leave out most windows.
        let table = pair.table.clone();
        for socket in &mut pair.sockets {
            let stops = Stops { full_control: true, auto_pass: false, except: Vec::new() };
            socket.send(&ClientMessage::Stops { table: table.clone(), stops }).await.unwrap();
            wait(socket, &table, |table| table.stops.full_control).await;
        }
        loop {
            let (seat, ask) = pair.asked();
            assert_eq!(pair.reasons(1 - seat).await, []);
            let reasons = pair.reasons(seat).await;
            if let Some(Question::Pick { prompt, options, .. }) = ask.question.filter(|_| !reasons.is_empty()) {
                let window = prompt.split(':').next().unwrap_or_default().to_string();
                let table = pair.table(seat);
                for card in &table.zones[&format!("hand.{seat}")].cards {
                    let own: Vec<&Reason> = reasons.iter().filter(|reason| reason.card == Some(*card)).collect();
                    let playable = options.iter().any(|option| option.card == Some(*card));
                    assert!(playable || !own.is_empty(), "{window}: nothing is said of {:?}", table.cards[card.to_string().as_str()]);
                    assert!(window.starts_with("Set-up") || own.iter().all(|reason| !reason.reason.contains("set-up")), "{own:?}");
                    for_another_window += own.iter().filter(|reason| reason.reason.starts_with("not now: this is for")).count();
                }
                assert!(reasons.iter().all(|reason| !reason.reason.is_empty() && !reason.move_label.is_empty()));
                windows.insert(window);
            }
            if !pair.answer(None).await {
                break;
            }
        }
        pair = pair.another().await;
    }
    assert!(windows.len() >= 4, "{windows:?}");
    assert!(for_another_window > 50, "{for_another_window}");
    server.stop().await;
}

async fn a_client_of_another_kind_is_refused_politely(place: Place) {
    let server = server(&place).await;
    let rest = Rest::nobody(server.addr);
    let hello = |protocol, build: Option<&str>| ClientMessage::Hello { protocol, build: build.map(str::to_string) };
    // The page names the build that it came with, which its address has in it.
    let page = rest.text("/").await.unwrap();
    let own = page.split("/assets/").nth(1).and_then(|rest| rest.split('/').next()).expect("the page names its files");
    let newer = format!("protocol {PROTOCOL}, not {}: load the page again, or use a client for protocol {PROTOCOL}", PROTOCOL + 1);
    let strangers = [
        (hello(PROTOCOL + 1, None), newer.as_str()),
        (hello(PROTOCOL + 1, Some(own)), newer.as_str()),
        (hello(PROTOCOL, Some("another")), "another version of the page: load the page again"),
        (hello(PROTOCOL, Some("")), "another version of the page: load the page again"),
        (ClientMessage::Ping { id: 1 }, "a socket starts with a hello"),
    ];
    for (hello, why) in strangers {
        let mut socket = Socket::connect(&rest).await.unwrap();
        socket.send(&hello).await.unwrap();
        let ServerMessage::Refused { reason } = socket.next().await.unwrap() else { panic!("{hello:?} is not refused") };
        assert!(reason.contains(why), "{reason}");
        assert_eq!(socket.next().await.unwrap_err(), "the socket was closed: 4000 refused");
    }
    for build in [Some(own), None] {
        let mut socket = Socket::connect(&rest).await.unwrap();
        socket.send(&hello(PROTOCOL, build)).await.unwrap();
        let ServerMessage::Welcome { build, .. } = socket.next().await.unwrap() else { panic!("not welcome") };
        assert_eq!(build, own);
    }
    server.stop().await;
}

async fn a_hostile_client_harms_nobody(place: Place) {
    let server = server(&place).await;
    let mut pair = Pair::after(&server, 4).await;
    let table = pair.table.clone();
    let before = [pair.table(0), pair.table(1)];
    let stranger = Rest::guest(server.addr, "Eve").await.unwrap();
    let mut dice = Dice(13);
    let mut sent = 0;
    while sent < 1000 {
        let Ok(mut socket) = Socket::at(&stranger, &table).await else { panic!("a stranger may look on") };
        // Until it is shut out, then again from the start.
        for _ in 0..150 {
            let text = match dice.below(10) {
                0 => "{".repeat(1 + dice.below(3000)),
                1 => r#"{"type":"answer"}"#.to_string(),
                2 => format!(r#"{{"type":"answer","table":"{table}","ask":{},"id":1,"answer":{{"pick":[0]}}}}"#, dice.below(20)),
                3 => format!(r#"{{"type":"answer","table":"{table}","ask":-1,"id":1e99,"answer":{{"pick":[-1]}}}}"#),
                4 => format!(r#"{{"type":"resign","table":"{table}"}}"#),
                5 => format!(r#"{{"type":"undo_reply","table":"{table}","agree":true}}"#),
                6 => r#"{"type":"watch","table":"../../etc/passwd","since":0}"#.to_string(),
                7 => format!(r#"{{"type":"stops","table":"{table}","stops":{{"full_control":1}}}}"#),
                8 => format!(r#"{{"type":"trace_value","table":"{table}","card":4294967295,"stat":"{}"}}"#, "x".repeat(dice.below(2000))),
                _ => "\u{0}\u{1}nonsense".to_string(),
            };
            sent += 1;
            if socket.send_text(text).await.is_err() {
                break;
            }
        }
        // One frame that is too long ends the socket, not the server.
        let _ = socket.send_text("x".repeat(40_000)).await;
    }
    pair.both(|table| table.spectators == 0).await;
    for seat in [0, 1] {
        assert_eq!(pair.table(seat), before[seat]);
    }
    while pair.answer(None).await {}
    server.stop().await;
}

/// The example bot of the documentation plays a game to its end.
#[tokio::test(flavor = "multi_thread")]
async fn the_example_bot_plays() {
    let python = std::process::Command::new("python3").arg("--version").output();
    if !python.is_ok_and(|output| output.status.success()) {
        return common::skip("there is no python3 on the PATH");
    }
    let place = Place::folder();
    let server = server(&place).await;
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/examples/bot.py");
    let addr = server.addr.to_string();
    let run = move || std::process::Command::new("python3").args([path, &addr]).output();
    let output = tokio::task::spawn_blocking(run).await.unwrap().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    assert!(said.starts_with("over: "), "{said}");
    let listed: Vec<TableInfo> = Rest::nobody(server.addr).get("/api/tables").await.unwrap();
    assert!(listed.is_empty(), "the game is over: {listed:?}");
    server.stop().await;
}
