//! A game at one keyboard, without any terminal: people answer, bots answer at once, what happened is kept
//! for the log, and every answer of a person can be taken back.

use std::sync::Arc;
use trilogy_bots::Bot;
use trilogy_engine::catalogue::{EventDef, Tone as Told};
use trilogy_engine::journal::{Journal, Writer};
use trilogy_engine::{
    Answer, AskKind, Catalogue, Event, Game, PlayerId, Random, Setup, Silent, Status, Value, View, Viewer, log_line, player_text,
};

/// The bot of each seat; none where a person sits.
pub(crate) type Seats = [Option<Box<dyn Bot>>; 2];

pub(crate) struct Session {
    game: Game,
    bots: Seats,
    /// Who wants to be asked everything; the others are spared what is not worth asking.
    full_control: [bool; 2],
    entries: Vec<Entry>,
    /// How many answers there were before each answer of a person.
    turns_of_people: Vec<usize>,
    writer: Writer,
    /// The catalogue as the journal carries it, where it does.
    carried: Option<String>,
}

struct Entry {
    /// How many answers had been given when it happened.
    at: usize,
    what: What,
}

enum What {
    Event(Event),
    /// An ability of a card was used: the line for each player, empty where that player may not know the card.
    Used([String; 2]),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Tone {
    Plain,
    /// A turn, a phase or an arena starts.
    Heading,
    Dice,
    Grave,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct LogLine {
    pub text: String,
    pub tone: Tone,
    /// It happened after the last answer of a person.
    pub fresh: bool,
}

/// Where the game stands, as its events tell it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Moment {
    pub turn: usize,
    pub phase: String,
}

impl Session {
    /// Set up a game; nobody has answered yet.
    pub(crate) fn new(catalogue: Arc<Catalogue>, setup: Setup, bots: Seats, carried: Option<String>) -> Result<Session, String> {
        let mut events = Vec::new();
        let game = Game::new(catalogue, setup, &mut events)?;
        let writer = new_writer(&game, &carried);
        let entries = events.into_iter().map(|event| Entry { at: 0, what: What::Event(event) }).collect();
        Ok(Session { game, bots, full_control: [false; 2], entries, turns_of_people: Vec::new(), writer, carried })
    }

    /// Go on with a stored game.
    pub(crate) fn resume(catalogue: Arc<Catalogue>, journal: &Journal, bots: Seats, carried: Option<String>) -> Result<Session, String> {
        journal.replay(&catalogue, journal.answers(), &mut Silent)?;
        let mut session = Session::new(catalogue, journal.setup.clone(), bots, carried)?;
        for at in 0..journal.answers() {
            let answer = journal.answer(at);
            if let Some(player) = session.asked()
                && session.view(player).usual().as_ref() != Some(&answer)
            {
                session.turns_of_people.push(at);
            }
            session.take(&answer)?;
        }
        Ok(session)
    }

    /// Let bots answer, and what is not worth asking a person, until there is something to ask or the game is over.
    pub(crate) fn advance(&mut self) -> Result<(), String> {
        while let Some(player) = self.game.asked() {
            let view = self.game.view(Viewer::Player(player));
            let answer = match &mut self.bots[player.index()] {
                Some(bot) => Some(bot.answer(&view)),
                None if self.full_control[player.index()] => None,
                None => view.usual(),
            };
            let Some(answer) = answer else { break };
            self.take(&answer).map_err(|error| format!("an answer was refused: {error}"))?;
        }
        Ok(())
    }

    pub(crate) fn full_control(&self, player: PlayerId) -> bool {
        self.full_control[player.index()]
    }
    pub(crate) fn set_full_control(&mut self, player: PlayerId, on: bool) -> Result<(), String> {
        self.full_control[player.index()] = on;
        self.advance()
    }

    /// A person's answer, and those of the bots after it.
    pub(crate) fn answer(&mut self, answer: &Answer) -> Result<(), String> {
        let before = self.game.answers().len();
        self.take(answer)?;
        self.turns_of_people.push(before);
        self.advance()
    }

    fn take(&mut self, answer: &Answer) -> Result<(), String> {
        let used = self.used(answer);
        let events = self.game.answer(answer).map_err(|error| error.to_string())?;
        self.writer.answer(answer, &self.game.hash());
        if *self.status() != Status::Asking {
            self.writer.end(self.game.status(), &self.game.hash());
        }
        let at = self.game.answers().len();
        let used = used.map(What::Used).into_iter();
        self.entries.extend(used.chain(events.into_iter().map(What::Event)).map(|what| Entry { at, what }));
        Ok(())
    }

    /// What the log says of an answer that uses an ability of a card on the table.
    fn used(&self, answer: &Answer) -> Option<[String; 2]> {
        let (catalogue, asked) = (self.game.catalogue(), self.game.asked()?);
        let view = self.view(asked);
        let (AskKind::Pick { options, .. }, Answer::Pick(picks)) = (view.ask_kind()?, answer) else {
            return None;
        };
        let [pick] = picks.as_slice() else {
            return None;
        };
        let Value::Move(chosen) = options.get(*pick as usize)? else {
            return None;
        };
        let source = chosen.source.or(chosen.card)?;
        catalogue.ability(chosen.ability).def?;
        Some([PlayerId(0), PlayerId(1)].map(|player| {
            let view = self.view(player);
            // A card that is played from a hidden place has its own event.
            if catalogue.zones[view.glance(source).zone.index()].counted || !view.knows(source) {
                return String::new();
            }
            format!("{} uses {}", player_text(catalogue, asked), view.move_text(chosen))
        }))
    }

    /// Go back to the last thing a person was asked before now.
    pub(crate) fn undo(&mut self) -> Result<bool, String> {
        let Some(count) = self.turns_of_people.pop() else {
            return Ok(false);
        };
        self.game.back_to(count);
        self.entries.retain(|entry| entry.at <= count);
        let mut again = Game::new(self.game.catalogue().clone(), self.game.setup().clone(), &mut Silent)?;
        self.writer = new_writer(&again, &self.carried);
        for answer in self.game.answers() {
            again.answer(answer).map_err(|error| error.to_string())?;
            self.writer.answer(answer, &again.hash());
        }
        Ok(true)
    }

    /// The journal so far. That of an unfinished game has no last line, so that it can be gone on with.
    pub(crate) fn journal(&self) -> &str {
        self.writer.text()
    }

    pub(crate) fn status(&self) -> &Status {
        self.game.status()
    }
    pub(crate) fn setup(&self) -> &Setup {
        self.game.setup()
    }
    pub(crate) fn answers(&self) -> usize {
        self.game.answers().len()
    }
    pub(crate) fn catalogue(&self) -> &Arc<Catalogue> {
        self.game.catalogue()
    }
    pub(crate) fn view(&self, player: PlayerId) -> View<'_> {
        self.game.view(Viewer::Player(player))
    }
    pub(crate) fn is_bot(&self, player: PlayerId) -> bool {
        self.bots[player.index()].is_some()
    }
    /// The table with all cards open.
    #[cfg(test)]
    pub(crate) fn open_view(&self) -> View<'_> {
        self.game.view(Viewer::Referee)
    }
    /// The person who is asked now.
    pub(crate) fn asked(&self) -> Option<PlayerId> {
        let player = self.game.asked()?;
        (!self.is_bot(player)).then_some(player)
    }

    /// The log as one player may read it.
    pub(crate) fn log(&self, player: PlayerId) -> Vec<LogLine> {
        let last = self.turns_of_people.last().copied().unwrap_or(0);
        let committed = format!("seed commitment {}", Random::commitment(&self.setup().seed));
        let mut lines = vec![LogLine { text: committed, tone: Tone::Plain, fresh: false }];
        let mut turn = 0;
        let mut idle = false;
        for entry in &self.entries {
            let text = match &entry.what {
                What::Used(lines) => Some(lines[player.index()].clone()).filter(|line| !line.is_empty()),
                What::Event(event) => match self.told(event) {
                    Some(EventDef { tone: Told::Turn, .. }) => {
                        turn += 1;
                        let whose = if let Event::Declared { args, .. } = event { args.first() } else { None };
                        Some(match whose {
                            Some(Value::Player(whose)) => format!("turn {turn}: {}", player_text(self.catalogue(), *whose)),
                            _ => format!("turn {turn} starts"),
                        })
                    }
                    _ if matches!(event, Event::Declared { quiet: true, .. }) => None,
                    _ => log_line(self.catalogue(), event, Viewer::Player(player)),
                },
            };
            let again = |text: &String| {
                matches!(&entry.what, What::Event(event) if event.in_parts()) && lines.last().is_some_and(|last| last.text == *text)
            };
            if let Some(text) = text.filter(|text| !again(text)) {
                // A phase in which nothing happens is not worth a line.
                let told = if let What::Event(event) = &entry.what { self.told(event).map(|event| event.tone) } else { None };
                if matches!(told, Some(Told::Phase | Told::Turn)) && idle {
                    lines.pop();
                }
                idle = told == Some(Told::Phase);
                lines.push(LogLine { text, tone: self.tone(&entry.what), fresh: entry.at > last });
            }
        }
        lines
    }

    fn tone(&self, what: &What) -> Tone {
        let What::Event(event) = what else {
            return Tone::Plain;
        };
        match event {
            Event::Rolled { .. } => Tone::Dice,
            Event::Fault { .. } | Event::Over { .. } => Tone::Grave,
            _ => match self.told(event).map(|event| event.tone) {
                Some(Told::Turn | Told::Phase | Told::Heading) => Tone::Heading,
                Some(Told::Grave) => Tone::Grave,
                Some(Told::Plain | Told::Fight | Told::Chance) | None => Tone::Plain,
            },
        }
    }

    /// How the rules tell an event that they declare.
    fn told(&self, event: &Event) -> Option<&EventDef> {
        match event {
            Event::Declared { event, .. } => Some(&self.catalogue().events[event.index()]),
            _ => None,
        }
    }

    /// The turns so far, and the last heading of the log.
    pub(crate) fn moment(&self) -> Moment {
        let mut moment = Moment { phase: "set-up".into(), ..Moment::default() };
        for entry in &self.entries {
            let What::Event(event) = &entry.what else { continue };
            let Some(tone) = self.told(event).map(|event| event.tone) else { continue };
            moment.turn += usize::from(tone == Told::Turn);
            if matches!(tone, Told::Turn | Told::Phase | Told::Heading)
                && let Some(text) = log_line(self.catalogue(), event, Viewer::Spectator)
            {
                moment.phase = text;
            }
        }
        moment
    }
}

/// A journal of a game that nobody has answered in yet.
fn new_writer(game: &Game, carried: &Option<String>) -> Writer {
    let mut writer = Writer::new(game.catalogue(), game.setup(), &game.hash());
    carried.iter().for_each(|catalogue| writer.carry(catalogue.clone()));
    writer
}
