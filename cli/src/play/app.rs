//! What the keyboard does: the pending choice, the pane in focus, the pages that lie over the table.
//! There is no terminal here; `board` and `pages` draw what this holds.

use super::choice::{Choice, Typed};
use super::layout::{self, Layout};
use super::session::Session;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use std::cell::Cell;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use trilogy_engine::{Answer, AskView, CardId, PlayerId, Status, View};
use trilogy_games::host::Host;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Focus {
    Moves,
    Board,
    Hand,
    Log,
}

/// Something that lies over the table until it is closed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Page {
    Help,
    /// What cannot be done now; the number is the line pointed at.
    WhyNot(Vec<Refused>, usize),
    /// A rule of the rulebook, by its id.
    Rule(String),
    Card(CardId),
    Quit,
    /// An answer that gives something away: what, and the answer that waits to be confirmed.
    Confirm(String, Answer),
    /// Nothing is shown until this player sits at the keyboard.
    Curtain(PlayerId),
    End,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Refused {
    pub label: String,
    pub reason: String,
    pub cite: String,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Flow {
    Go,
    Rematch,
    Quit,
}

pub(crate) struct App {
    pub session: Session,
    /// What the game's table looks like.
    pub layout: Box<dyn Layout>,
    pub rulebook: String,
    /// Whose eyes the table is shown to.
    pub viewer: PlayerId,
    pub ask: Option<AskView>,
    pub choice: Choice,
    pub focus: Focus,
    /// Column and row of the card pointed at on the board.
    pub spot: (usize, usize),
    pub hand_at: usize,
    /// Lines between the end of the log and the end of what is shown; drawing holds it inside the log.
    pub log_up: Cell<usize>,
    pub pages: Vec<Page>,
    /// Lines scrolled down in the page on top; drawing holds it inside the page.
    pub scroll: Cell<usize>,
    pub message: Option<String>,
    /// Where the journal goes.
    pub journal: Option<PathBuf>,
    /// The card of the last move, which a number that is asked next is likely about.
    last_card: Option<CardId>,
    /// When the pending question came up.
    asked_at: Option<Instant>,
}

/// For so long a new question is not answered: the key was meant for the one before it.
const GUARD: Duration = Duration::from_millis(250);

impl App {
    pub(crate) fn new(session: Session, host: &Host, rulebook: String, journal: Option<PathBuf>) -> Result<App, String> {
        let layout = layout::of(session.catalogue(), host)?;
        let people: Vec<PlayerId> = [PlayerId(0), PlayerId(1)].into_iter().filter(|p| !session.is_bot(*p)).collect();
        let viewer = people.first().copied().ok_or("nobody sits at the keyboard")?;
        let mut app = App {
            session,
            layout,
            rulebook,
            viewer,
            ask: None,
            choice: Choice::new(None, None),
            focus: Focus::Moves,
            spot: (0, 0),
            hand_at: 0,
            log_up: Cell::new(0),
            pages: Vec::new(),
            scroll: Cell::new(0),
            message: None,
            journal,
            last_card: None,
            asked_at: None,
        };
        app.session.advance()?;
        app.refresh();
        if let (2, Some(first)) = (people.len(), app.session.asked()) {
            app.pages = vec![Page::Curtain(first)];
        }
        Ok(app)
    }

    pub(crate) fn view(&self) -> View<'_> {
        self.session.view(self.viewer)
    }
    pub(crate) fn is_over(&self) -> bool {
        *self.session.status() != Status::Asking
    }

    /// The card that `i` would tell about: the one pointed at in the pane in focus.
    pub(crate) fn pointed(&self) -> Option<CardId> {
        let view = self.view();
        match self.focus {
            Focus::Moves | Focus::Log => match &self.ask {
                Some(AskView::Pick { options, .. } | AskView::Order { options, .. }) => {
                    self.choice.pointed().and_then(|at| options.get(at as usize)).and_then(|option| option.card)
                }
                Some(AskView::Number { .. }) => self.last_card,
                Some(AskView::Wait { .. }) | None => None,
            },
            Focus::Board => self.layout.columns(&view, self.viewer).get(self.spot.0)?.get(self.spot.1).copied(),
            Focus::Hand => self.hand().get(self.hand_at).copied(),
        }
    }

    fn hand(&self) -> Vec<CardId> {
        self.view().zone(self.layout.told().hand(self.viewer)).cards.iter().map(|card| card.id).collect()
    }

    /// A key that was pressed at a certain time.
    pub(crate) fn key(&mut self, key: KeyEvent, now: Instant) -> Flow {
        if key.kind == KeyEventKind::Release {
            return Flow::Go;
        }
        let asked = |app: &App| (app.session.answers(), app.viewer, app.choice.outer.is_some());
        let before = asked(self);
        let flow = self.take_key(key, now);
        if before != asked(self) {
            self.asked_at = Some(now);
        }
        flow
    }

    fn take_key(&mut self, key: KeyEvent, now: Instant) -> Flow {
        self.message = None;
        if key.modifiers.contains(KeyModifiers::CONTROL) {
            return if key.code == KeyCode::Char('c') { Flow::Quit } else { Flow::Go };
        }
        match self.pages.pop() {
            Some(page) => self.page_key(page, key.code),
            None if self.is_too_soon(key.code, now) => Flow::Go,
            None => self.table_key(key.code),
        }
    }

    /// Whether a key that could answer was most likely meant for the question before this one.
    fn is_too_soon(&self, key: KeyCode, now: Instant) -> bool {
        let answers = matches!(key, KeyCode::Enter | KeyCode::Char('p' | 'P' | '0'..='9'));
        answers && self.focus == Focus::Moves && self.asked_at.is_some_and(|asked| now.saturating_duration_since(asked) < GUARD)
    }

    fn table_key(&mut self, key: KeyCode) -> Flow {
        match key {
            KeyCode::Char('q') => self.open(Page::Quit),
            KeyCode::Char('h') | KeyCode::F(1) => self.open(Page::Help),
            KeyCode::Char('?') => self.open_refusals(),
            KeyCode::Char('i') => match self.pointed() {
                Some(card) => self.open(Page::Card(card)),
                None => self.say("point at a card first: Tab goes to the table and to your hand"),
            },
            KeyCode::Char('u') => self.undo(),
            KeyCode::Char('l') => self.focus = if self.focus == Focus::Log { Focus::Moves } else { Focus::Log },
            KeyCode::Char('P') => self.pass_on(),
            KeyCode::Char('F') => self.turn_full_control(),
            KeyCode::Char('r') if self.is_over() => return Flow::Rematch,
            KeyCode::Tab => self.turn_focus(1),
            KeyCode::BackTab => self.turn_focus(3),
            KeyCode::Esc if self.focus != Focus::Moves => self.focus = Focus::Moves,
            _ => match self.focus {
                Focus::Moves => self.choose(key),
                Focus::Board => self.walk(key),
                Focus::Hand => self.walk_hand(key),
                Focus::Log => self.scroll_log(key),
            },
        }
        Flow::Go
    }

    /// A key for the page on top, which has been taken off and is put back unless the key closes it.
    fn page_key(&mut self, page: Page, key: KeyCode) -> Flow {
        match (page, key) {
            (Page::Curtain(player), KeyCode::Enter) => self.sit_down(player),
            (page @ Page::Curtain(_), KeyCode::Char('q')) => {
                self.pages.push(page);
                self.open(Page::Quit);
            }
            (page @ Page::Curtain(_), _) => self.pages.push(page),
            (Page::Quit, KeyCode::Char('y')) => return Flow::Quit,
            (Page::Quit, KeyCode::Char('n' | 'q') | KeyCode::Esc) => {}
            (Page::Confirm(_, answer), KeyCode::Char('y')) => self.answer(&answer),
            (Page::Confirm(..), KeyCode::Char('n') | KeyCode::Esc) => {}
            (page @ Page::Confirm(..), _) => self.pages.push(page),
            (Page::End, KeyCode::Char('r')) => return Flow::Rematch,
            (Page::End, KeyCode::Char('q')) => return Flow::Quit,
            (Page::End, KeyCode::Char('u')) => self.undo(),
            (Page::WhyNot(rows, at), KeyCode::Enter) => {
                let cite = rows[at].cite.clone();
                self.pages.push(Page::WhyNot(rows, at));
                if cite.is_empty() {
                    self.say("no rule is cited for this one");
                } else {
                    self.open(Page::Rule(cite));
                }
            }
            (Page::WhyNot(rows, at), KeyCode::Up | KeyCode::Char('k')) => {
                self.pages.push(Page::WhyNot(rows, at.saturating_sub(1)));
            }
            (Page::WhyNot(rows, at), KeyCode::Down | KeyCode::Char('j')) => {
                let last = rows.len().saturating_sub(1);
                self.pages.push(Page::WhyNot(rows, (at + 1).min(last)));
            }
            (page, key) => self.read_on(page, key),
        }
        Flow::Go
    }

    /// Scroll a page, or close it.
    fn read_on(&mut self, page: Page, key: KeyCode) {
        let at = self.scroll.get();
        let to = match key {
            KeyCode::Up | KeyCode::Char('k') => at.saturating_sub(1),
            KeyCode::Down | KeyCode::Char('j') => at.saturating_add(1),
            KeyCode::PageUp => at.saturating_sub(10),
            KeyCode::PageDown | KeyCode::Char(' ') => at.saturating_add(10),
            KeyCode::Home => 0,
            KeyCode::Esc | KeyCode::Enter | KeyCode::Char('q' | 'i' | 'h' | '?') => {
                self.scroll.set(0);
                return;
            }
            _ => at,
        };
        self.scroll.set(to);
        self.pages.push(page);
    }

    fn open(&mut self, page: Page) {
        self.scroll.set(0);
        self.pages.push(page);
    }

    fn say(&mut self, message: &str) {
        self.message = Some(message.to_string());
    }

    fn open_refusals(&mut self) {
        let refusals = self.view().refusals();
        let rows: Vec<Refused> =
            refusals.into_iter().map(|(_, label, refusal)| Refused { label, reason: refusal.reason, cite: refusal.cite }).collect();
        if rows.is_empty() {
            self.say("nothing is refused here: all there is to choose is in the list");
        } else {
            self.open(Page::WhyNot(rows, 0));
        }
    }

    fn choose(&mut self, key: KeyCode) {
        match self.choice.key(key) {
            Typed::Nothing => {}
            Typed::Say(message) => self.message = Some(message),
            Typed::Answer(answer) => match self.warning(&answer) {
                Some(warning) => self.open(Page::Confirm(warning, answer)),
                None => self.answer(&answer),
            },
        }
    }

    /// What an answer gives away.
    fn warning(&self, answer: &Answer) -> Option<String> {
        self.ask.as_ref()?.warning(answer).map(str::to_string)
    }

    fn turn_full_control(&mut self) {
        let on = !self.session.full_control(self.viewer);
        if let Err(error) = self.session.set_full_control(self.viewer, on) {
            self.message = Some(error);
            return;
        }
        self.refresh();
        self.say(if on { "full control: you are asked everything" } else { "the usual stops: what is not worth asking is not asked" });
    }

    pub(crate) fn answer(&mut self, answer: &Answer) {
        self.last_card = match (&self.ask, answer) {
            (Some(AskView::Pick { options, .. }), Answer::Pick(picks)) => {
                picks.first().and_then(|at| options.get(*at as usize)).and_then(|option| option.card)
            }
            _ => None,
        };
        if let Err(error) = self.session.answer(answer) {
            self.message = Some(error);
        }
        self.log_up.set(0);
        self.refresh();
    }

    /// Pass, and go on passing while the very same chance comes back and nothing has happened: the same window with the same
    /// moves, and not a line in the log.
    fn pass_on(&mut self) {
        let chance = |app: &App| match (app.view().window(), &app.ask) {
            (Some(window), Some(ask @ AskView::Pick { least: 0, .. })) => Some((app.viewer, window, ask.clone())),
            _ => None,
        };
        let Some(first) = chance(self) else {
            return self.say("P passes chances to act; this is a question");
        };
        if self.warning(&Answer::Pick(Vec::new())).is_some() {
            return self.choose(KeyCode::Char('p'));
        }
        let told = self.session.log(self.viewer).len();
        while self.pages.is_empty() && chance(self).as_ref() == Some(&first) && self.session.log(self.viewer).len() == told {
            self.answer(&Answer::Pick(Vec::new()));
            if self.message.is_some() {
                break;
            }
        }
    }

    fn undo(&mut self) {
        match self.session.undo() {
            Ok(true) => {
                self.last_card = None;
                self.refresh();
                self.say("taken back");
            }
            Ok(false) => self.say("there is nothing to take back"),
            Err(error) => self.message = Some(error),
        }
    }

    /// Read the pending ask anew after the game has gone on.
    fn refresh(&mut self) {
        self.focus = Focus::Moves;
        let asked = self.session.asked();
        if let Some(player) = asked.filter(|player| *player != self.viewer) {
            if self.session.is_bot(self.viewer.opponent()) || self.session.is_bot(self.viewer) {
                self.viewer = player;
            } else {
                self.pages = vec![Page::Curtain(player)];
            }
        }
        if self.is_over() {
            self.pages = vec![Page::End];
        }
        self.ask = self.view().ask();
        self.choice = Choice::new(self.ask.as_ref(), self.suggested());
    }

    fn sit_down(&mut self, player: PlayerId) {
        self.viewer = player;
        self.refresh();
    }

    /// A number that the card of the last move makes likely.
    fn suggested(&self) -> Option<i32> {
        let view = self.view();
        self.layout.suggested(&view, self.viewer, self.ask.as_ref()?, self.last_card)
    }

    fn turn_focus(&mut self, by: usize) {
        let order = [Focus::Moves, Focus::Board, Focus::Hand, Focus::Log];
        let at = order.iter().position(|focus| *focus == self.focus).unwrap_or(0);
        self.focus = order[(at + by) % order.len()];
        if self.focus == Focus::Board && self.pointed().is_none() {
            self.walk(KeyCode::Right);
        }
    }

    fn walk(&mut self, key: KeyCode) {
        let columns = self.layout.columns(&self.view(), self.viewer);
        if columns.is_empty() {
            return;
        }
        let (column, row) = (self.spot.0.min(columns.len() - 1), self.spot.1);
        let row = row.min(columns[column].len().saturating_sub(1));
        let to_side = |by: usize| {
            let others = (1..=columns.len()).map(|step| (column + by * step) % columns.len());
            let found = others.into_iter().find(|at| !columns[*at].is_empty()).unwrap_or(column);
            (found, row.min(columns[found].len().saturating_sub(1)))
        };
        self.spot = match key {
            KeyCode::Left => to_side(columns.len() - 1),
            KeyCode::Right => to_side(1),
            KeyCode::Up | KeyCode::Char('k') => (column, row.saturating_sub(1)),
            KeyCode::Down | KeyCode::Char('j') => (column, (row + 1).min(columns[column].len().saturating_sub(1))),
            KeyCode::Enter => {
                if let Some(card) = self.pointed() {
                    self.open(Page::Card(card));
                }
                (column, row)
            }
            _ => (column, row),
        };
    }

    fn walk_hand(&mut self, key: KeyCode) {
        let last = self.hand().len().saturating_sub(1);
        self.hand_at = match key {
            KeyCode::Up | KeyCode::Left | KeyCode::Char('k') => self.hand_at.saturating_sub(1),
            KeyCode::Down | KeyCode::Right | KeyCode::Char('j') => self.hand_at + 1,
            KeyCode::Enter => {
                if let Some(card) = self.pointed() {
                    self.open(Page::Card(card));
                }
                self.hand_at
            }
            _ => self.hand_at,
        }
        .min(last);
    }

    fn scroll_log(&mut self, key: KeyCode) {
        let at = self.log_up.get();
        self.log_up.set(match key {
            KeyCode::Up | KeyCode::Char('k') => at + 1,
            KeyCode::Down | KeyCode::Char('j') => at.saturating_sub(1),
            KeyCode::PageUp => at + 10,
            KeyCode::PageDown | KeyCode::Char(' ') => at.saturating_sub(10),
            KeyCode::Home => usize::MAX / 2,
            KeyCode::End | KeyCode::Enter => 0,
            _ => at,
        });
    }
}
