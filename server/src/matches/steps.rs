//! Answers one by one: read from the protocol and from the archive, played again for the log, and whether they
//! showed anybody something new.

use super::picture::{self, Told};
use crate::protocol::AnswerData;
use std::sync::Arc;
use trilogy_engine::{Answer, CardId, Catalogue, Event, Game, Setup, View, Viewer};

pub(crate) fn read(answer: AnswerData) -> Result<Answer, String> {
    match answer {
        AnswerData::Number(number) => Ok(Answer::Number(number)),
        AnswerData::Pick(picks) => {
            let picks: Result<Vec<u16>, _> = picks.into_iter().map(u16::try_from).collect();
            picks.map(Answer::Pick).map_err(|_| "there is no such option".into())
        }
    }
}

/// The answer in a line of a journal.
pub(crate) fn answer_of(line: &str) -> Result<Answer, String> {
    #[derive(serde::Deserialize)]
    struct Line {
        pick: Option<Vec<u16>>,
        number: Option<i32>,
    }
    let line: Line = serde_json::from_str(line).map_err(|error| format!("a stored answer cannot be read: {error}"))?;
    match (line.pick, line.number) {
        (Some(pick), None) => Ok(Answer::Pick(pick)),
        (None, Some(number)) => Ok(Answer::Number(number)),
        _ => Err("a stored answer is neither a pick nor a number".into()),
    }
}

/// Who knows each card now, as the bits of viewers.
pub(crate) fn masks(game: &Game) -> Vec<u8> {
    let views = Viewer::ALL.map(|viewer| game.view(viewer));
    let bit = |view: &View<'_>, card: CardId| if view.knows(card) { view.viewer().bit() } else { 0 };
    views[0].cards().map(|card| views.iter().fold(0, |known, view| known | bit(view, card))).collect()
}

/// Whether events showed a card to somebody who had not known it (`before` has who did), or left something to chance.
pub(crate) fn revealed(before: &[u8], events: &[Event]) -> bool {
    let new = |card: CardId, seen: u8| seen & !before.get(card.0 as usize).copied().unwrap_or(0) != 0;
    events.iter().any(|event| match event {
        Event::Moved { card, seen, .. } | Event::Attached { card, seen, .. } | Event::Turned { card, seen, .. } => new(*card, *seen),
        Event::Shown { cards } => cards.iter().any(|told| new(told.card, told.seen)),
        Event::Rolled { .. } | Event::Shuffled { .. } | Event::Chosen { .. } => true,
        _ => false,
    })
}

/// Play a game again from its start and tell what happened, answer by answer.
pub(crate) fn retell(catalogue: &Arc<Catalogue>, setup: &Setup, answers: &[Answer], mut take: impl FnMut(&mut Told)) {
    let mut events = Vec::new();
    let Ok(mut game) = Game::new(catalogue.clone(), setup.clone(), &mut events) else { return };
    take(&mut Told::of(catalogue, Default::default(), &events, 0));
    for answer in answers {
        let used = picture::used(&game, answer);
        let Ok(events) = game.answer(answer) else { return };
        take(&mut Told::of(catalogue, used, &events, game.answers().len() as u32));
    }
}
