//! What a table is worth to a player: by what a game is won in the end, estimated by the file of the game.
//! A game may also say what needs no thought, and when a table is quiet enough to be judged.

mod any;
mod ccg;
mod lcg;
mod tcg;

use trilogy_engine::{Answer, AskKind, Catalogue, Move, PlayerId, Status, Value, View};

/// What a player of a game knows by heart. All of it looks at games that were imagined, where nothing is hidden, never at the real one.
pub(crate) trait Sense: Sync {
    /// Estimates the table of a game that goes on; one's gain is the other's loss.
    fn worth(&self, view: &View<'_>, me: PlayerId) -> i64;

    /// The answers worth trying for the pending ask; none where all of them are.
    fn advice(&self, _view: &View<'_>) -> Option<Vec<Answer>> {
        None
    }

    /// How anyone would answer the pending ask without a thought: do what is asked, take the most, pass where one may.
    fn habit(&self, _view: &View<'_>, ask: &AskKind) -> Answer {
        plainly(ask)
    }

    /// Which of the second cards that a move may be made with is looked at first.
    fn place(&self, _view: &View<'_>, _chosen: &Move, _targets: &[Value]) -> usize {
        0
    }

    /// Whether nothing is half done, so that the table can be judged.
    fn calm(&self, _view: &View<'_>) -> bool {
        false
    }

    /// How many answers by habit follow one on trial, at most.
    fn patience(&self) -> usize {
        6
    }

    /// Games imagined for a decision between so many answers.
    fn worlds(&self, _answers: usize) -> usize {
        3
    }

    /// What must be gained to do anything at all rather than to pass.
    fn laziness(&self) -> i64 {
        0
    }
}

/// Games with a sense of their own; the others are played by what all games have in common.
const SENSES: [(&str, &dyn Sense); 3] = [("ccg", &ccg::Ccg), ("lcg", &lcg::Lcg), ("tcg", &tcg::Tcg)];

pub(crate) fn sense(catalogue: &Catalogue) -> &'static dyn Sense {
    let own = SENSES.iter().find(|(game, _)| *game == catalogue.game);
    own.map_or(&any::Any, |(_, sense)| *sense)
}

/// A million where the player has won. What a table is worth to one is what it costs the other.
/// The viewer is to know all cards: this is for games that are imagined or over.
pub fn worth(view: &View<'_>, me: PlayerId) -> i64 {
    match view.status() {
        Status::Won(winner) => side(me, *winner) * 1_000_000,
        Status::Drawn => 0,
        Status::Asking | Status::Broken(_) => sense(view.catalogue()).worth(view, me),
    }
}

fn plainly(ask: &AskKind) -> Answer {
    match ask {
        AskKind::Number { most, .. } => Answer::Number(*most),
        AskKind::Pick { least, .. } => Answer::Pick((0..*least).collect()),
        AskKind::Order { options } => Answer::Pick((0..options.len() as u16).collect()),
    }
}

/// The name of the question that a game waits on.
fn question<'a>(view: &View<'a>) -> &'a str {
    view.question().map_or("", |question| &question.id)
}

/// Counts for the player's own things, against the opponent's.
fn side(me: PlayerId, player: PlayerId) -> i64 {
    if player == me { 1 } else { -1 }
}
