//! A server and a browser for one test, and people who play in it.

use crate::cdp::{Chrome, Page, program};
use crate::common::{Place, temporary_folder};
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use trilogy_server::client::{Dice, Rest, Socket};
use trilogy_server::limits::Limits;
use trilogy_server::matches::Settings;
use trilogy_server::protocol::{Clock, MatchState, NewTable, Table, TableInfo};
use trilogy_server::{Config, Running, start};

pub(crate) struct Stage {
    pub(crate) server: Running,
    chrome: Chrome,
    pub(crate) place: Place,
}

/// Run a test with a server and a browser of its own, for at most so many seconds. Without a Chromium it is skipped,
/// which only CI holds against us.
pub(crate) async fn on_stage(seconds: u64, test: impl AsyncFnOnce(&Stage)) {
    on_stage_at(Place::folder(), seconds, test).await;
}

/// The same in a place where other servers have been before, or are as well.
pub(crate) async fn on_stage_at(place: Place, seconds: u64, test: impl AsyncFnOnce(&Stage)) {
    let Some(program) = program() else {
        assert!(std::env::var("CI").as_deref() != Ok("true"), "no Chromium on the PATH");
        eprintln!("skipped: no Chromium on the PATH");
        return;
    };
    let play = async {
        let server = server_at(&place).await;
        let chrome = Chrome::start(program, temporary_folder()).await;
        let stage = Stage { server, chrome, place };
        test(&stage).await;
    };
    assert!(tokio::time::timeout(Duration::from_secs(seconds), play).await.is_ok(), "not done in {seconds} seconds");
}

/// A server that lets one machine play many people.
pub(crate) async fn server_at(place: &Place) -> Running {
    start(config_at(place)).await.expect("the server starts")
}

pub(crate) fn config_at(place: &Place) -> Config {
    Config { limits: Limits::none(), matches: Settings::unlimited(), ..place.config() }
}

impl Stage {
    pub(crate) fn url(&self, path: &str) -> String {
        format!("{}{}", self.server.url(), path.trim_start_matches('/'))
    }

    /// Somebody new in the lobby, for whom nothing moves longer than it must.
    pub(crate) async fn visitor(&self) -> Page {
        let page = self.person().await;
        page.goto(&self.url("/")).await;
        page
    }

    /// Somebody new who has not opened any page yet.
    pub(crate) async fn person(&self) -> Page {
        let page = self.chrome.person().await;
        page.prefers("dark", "reduce").await;
        // Most of what is tested here has been written for this game; the other has its own tests.
        page.prepare(
            "try { localStorage.setItem('trilogy.game', localStorage.getItem('trilogy.game') ?? JSON.stringify('tcg')); } catch {}",
        )
        .await;
        page
    }

    /// Somebody who is known to the server already.
    pub(crate) async fn known(&self, rest: &Rest) -> Page {
        let page = self.person().await;
        let cookie = rest.cookie.as_deref().and_then(|cookie| cookie.split_once('=')).expect("a session");
        page.call("Network.setCookie", json!({ "name": cookie.0, "value": cookie.1, "url": self.url("/") })).await;
        page
    }

    /// Somebody who has pressed "Play now".
    pub(crate) async fn player(&self) -> Page {
        let page = self.visitor().await;
        play_now(&page).await;
        page
    }
}

impl Stage {
    /// Two people at a table: one has opened it with a clock of this kind, the other has followed the link.
    pub(crate) async fn pair(&self, clock: &str) -> [Page; 2] {
        let [host, guest] = [self.visitor().await, self.visitor().await];
        host.press("Open a table", "driver.button('Open a table')").await;
        host.press("the clock", &format!("document.querySelector('dialog[open] input[value={clock}]')?.closest('label')")).await;
        host.press("the form's button", "driver.button('Open the table', document.querySelector('dialog[open]') ?? undefined)").await;
        let link = host.until("the link", "document.querySelector('input[readonly]')?.value").await;
        guest.goto(link.as_str().expect("a link")).await;
        guest.press("Sit down", "driver.button('Sit down')").await;
        let people = [host, guest];
        for person in &people {
            // Cards are known a little later than that they are there.
            person.until("the table", "document.querySelectorAll('.table .hand .card-title').length > 0").await;
        }
        people
    }
}

/// Which of two people is asked now.
pub(crate) async fn asked(people: &[Page; 2]) -> usize {
    for _ in 0..1000 {
        for (at, person) in people.iter().enumerate() {
            if person.is("driver.prompt() !== null").await {
                return at;
            }
        }
        tokio::time::sleep(Duration::from_millis(15)).await;
    }
    panic!("nobody is asked\n{}", people[0].told().await);
}

/// Press a button in the menu of the table.
pub(crate) async fn in_menu(page: &Page, button: &str) {
    page.press("the menu", "document.querySelector('[aria-label=\"Settings of this table\"]')").await;
    page.press(button, &format!("driver.button({}, document.querySelector('dialog[open]') ?? new DocumentFragment())", json!(button)))
        .await;
}

pub(crate) async fn play_now(page: &Page) {
    page.press("Play now", "driver.button('Play now')").await;
    page.until(
        "a table with a question",
        "location.pathname.startsWith('/table/') && driver.prompt() !== null && document.querySelector('.hand .card-title') !== null",
    )
    .await;
}

pub(crate) async fn table_of(page: &Page) -> String {
    page.text("location.pathname.split('/').pop()").await
}

/// Do one thing by the mouse. Returns whether the game goes on.
pub(crate) async fn one_click(page: &Page, dice: &mut Dice) -> bool {
    if page.waits() {
        tokio::time::sleep(Duration::from_millis(3)).await;
        return true;
    }
    let step = page.eval(&format!("driver.step({})", dice.below(1000))).await;
    match step["is"].as_str().unwrap_or_default() {
        "over" => return false,
        "stuck" => panic!("nothing can be clicked\n{}", page.told().await),
        "wait" => tokio::time::sleep(Duration::from_millis(10)).await,
        _ => match (step["at"]["x"].as_f64(), step["at"]["y"].as_f64()) {
            (Some(x), Some(y)) => {
                let asked = page.eval("driver.asked()").await;
                page.click(x, y).await;
                settled(page, &asked).await;
            }
            // Perhaps it is only just coming into view; another one is tried next time.
            _ => tokio::time::sleep(Duration::from_millis(10)).await,
        },
    }
    true
}

/// Give a click the time to come to something: another question, a choice among several, a menu. Else the next click
/// could be meant for what is gone by then. One that went nowhere (what it was meant for had moved) is not waited for long.
pub(crate) async fn settled(page: &Page, asked: &Value) {
    let chosen = format!(
        "driver.asked() !== {asked} || document.querySelector('.card-menu, .table .picked, .prompt .picked, dialog.confirm[open]') !== null || driver.next(0)[0] === 'over'"
    );
    let since = Instant::now();
    while !page.is(&chosen).await && (since.elapsed() < Duration::from_millis(500) || page.is("driver.prompt() === null").await) {
        assert!(since.elapsed() < Duration::from_secs(60), "nothing comes of an answer\n{}", page.told().await);
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// Play by the mouse until so many answers were taken; false where the game was over before.
pub(crate) async fn click_on(page: &Page, dice: &mut Dice, answers: u32) -> bool {
    let goal = page.accepted() + answers;
    while page.accepted() < goal {
        if !one_click(page, dice).await {
            return false;
        }
    }
    true
}

/// Games against the random bot can be short: begin others until one has come so far and asks something.
pub(crate) async fn in_mid_game(stage: &Stage, page: &Page, answers: u32) {
    for seed in 0..10 {
        let mut dice = Dice(seed);
        let asked = click_on(page, &mut dice, answers).await;
        if asked {
            page.until("a question or the end", "driver.prompt() !== null || driver.next(0)[0] === 'over'").await;
            if page.eval("driver.prompt() !== null").await == json!(true) {
                return;
            }
        }
        page.goto(&stage.url("/")).await;
        play_now(page).await;
    }
    panic!("no game lasts {answers} answers");
}

/// Two people without a browser, some way into a game.
pub(crate) struct Duel {
    pub(crate) sockets: [Socket; 2],
    pub(crate) table: String,
}

impl Duel {
    /// Random games can be short: begin others until one has come so far.
    pub(crate) async fn new(stage: &Stage, answers: u32) -> Duel {
        let [first, second] = ["Ana", "Ben"].map(|name| Rest::guest(stage.server.addr, name));
        let (first, second) = (first.await.unwrap(), second.await.unwrap());
        for seed in 0..10 {
            let table = first.opens(Clock::None).await.unwrap().id;
            second.joins(&table).await.unwrap();
            let sockets = [Socket::at(&first, &table).await.unwrap(), Socket::at(&second, &table).await.unwrap()];
            let mut duel = Duel { sockets, table };
            if duel.plays(answers, &mut Dice(seed)).await {
                return duel;
            }
        }
        panic!("no game lasts {answers} answers");
    }

    /// Two people at a table of any game, each with a deck of theirs; nothing has been answered.
    pub(crate) async fn between(people: [&Rest; 2], game: &str, decks: [&str; 2]) -> Duel {
        let table = NewTable { game: game.into(), deck: decks[0].into(), bot: None, bot_deck: None, private: false, clock: Clock::None };
        let table = people[0].post::<TableInfo>("/api/tables", &table).await.unwrap().id;
        let join = json!({ "deck": decks[1] });
        people[1].post::<TableInfo>(&format!("/api/tables/{table}/join"), &join).await.unwrap();
        let sockets = [Socket::at(people[0], &table).await.unwrap(), Socket::at(people[1], &table).await.unwrap()];
        Duel { sockets, table }
    }

    /// Play on by chance until something is so, for at most so many answers; false where it never was.
    pub(crate) async fn plays_until(&mut self, answers: u32, dice: &mut Dice, is_so: impl Fn(&Table) -> bool) -> bool {
        for _ in 0..answers {
            if is_so(&self.table(0)) {
                return true;
            }
            if !self.plays(1, dice).await {
                return false;
            }
        }
        false
    }

    pub(crate) async fn plays(&mut self, answers: u32, dice: &mut Dice) -> bool {
        for _ in 0..answers {
            let seat = self.table(0).ask.expect("somebody is asked").seat;
            let ask = self.table(seat.into()).ask.expect("both know who");
            let answer = dice.answer(&ask.question.expect("a question"));
            self.sockets[usize::from(seat)].answer(&self.table, ask.number, ask.number + 1, answer).await.unwrap();
            for at in [0, 1] {
                while self.table(at).ask.is_some_and(|now| now.number == ask.number) {
                    self.sockets[at].next().await.unwrap();
                }
            }
            if self.table(0).state != MatchState::Playing {
                return false;
            }
        }
        true
    }

    pub(crate) fn table(&self, seat: usize) -> Table {
        self.sockets[seat].table(&self.table).unwrap()
    }
}
