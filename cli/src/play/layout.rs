//! What is a game's own about its table in the terminal: what lies between the players, which figures count,
//! how the log tells it. Everything else is the same for all games.

use super::board::Scene;
use super::{ccg, lcg, tcg};
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::Span;
use trilogy_engine::catalogue::{FieldId, PlayerCounterId, RoleId, StatId};
use trilogy_engine::{AskView, CardId, CardView, Catalogue, PlayerId, View, ZoneId};

pub(crate) trait Layout {
    fn hand(&self, player: PlayerId) -> ZoneId;

    /// The cards of the table in columns, as the keyboard walks over them.
    fn columns(&self, view: &View<'_>, viewer: PlayerId) -> Vec<Vec<CardId>>;

    /// A player's piles and counters, behind the name.
    fn figures(&self, view: &View<'_>, player: PlayerId) -> Vec<(&'static str, i32)>;

    /// What lies between the players; in a roomy terminal with boxes, in a small one without.
    fn board(&self, scene: &Scene<'_>, frame: &mut Frame<'_>, area: Rect, roomy: bool);

    /// What is going on, above the choice.
    fn now(&self, scene: &Scene<'_>) -> Option<String>;

    /// The card that acts upon another, and that other.
    fn attack(&self, _view: &View<'_>) -> Option<(CardId, CardId)> {
        None
    }

    /// The phase, where the game keeps it itself; otherwise the headings of the log tell it.
    fn phase(&self, _view: &View<'_>) -> Option<String> {
        None
    }

    fn cost(&self, card: &CardView) -> Option<i32>;

    /// What stands behind the name of a card in hand where there is room for little.
    fn tag(&self, card: &CardView) -> String {
        self.cost(card).map_or(String::new(), |cost| format!(" ({cost})"))
    }

    /// The values that stand beside a card's name.
    fn note(&self, view: &View<'_>, card: &CardView) -> Vec<Span<'static>>;

    /// The values on a card's page.
    fn values(&self, view: &View<'_>, card: &CardView) -> Vec<Shown>;

    /// The values that a card has for each player, on its page.
    fn totals(&self, _view: &View<'_>, _card: &CardView) -> Vec<StatId> {
        Vec::new()
    }

    fn counters(&self) -> Vec<(FieldId, Label)>;

    /// How other cards lie on a card, and what that is called.
    fn roles(&self) -> Vec<(RoleId, &'static str)>;

    /// Signs on the table, for the help page.
    fn signs(&self) -> &'static [(&'static str, &'static str)];

    /// Why the winner has won.
    fn victory(&self, view: &View<'_>, winner: &str) -> String;

    /// A number that is likely to be meant, from the card of the last move.
    fn suggested(&self, view: &View<'_>, me: PlayerId, ask: &AskView, last: Option<CardId>) -> Option<i32>;
}

/// A value on a card's page; one that is not always shown is shown where there is something to say.
pub(crate) struct Shown {
    pub stat: StatId,
    pub always: bool,
}

/// What a counter is called: with its number, or only that it is there.
pub(crate) enum Label {
    Numbered(&'static str),
    Only(&'static str),
}

/// The table of a game; an error where there is none for it.
pub(crate) fn of(catalogue: &Catalogue) -> Result<Box<dyn Layout>, String> {
    match catalogue.game.as_str() {
        "ccg" => Ok(Box::new(ccg::Table::new(catalogue)?)),
        "lcg" => Ok(Box::new(lcg::Table::new(catalogue)?)),
        "tcg" => Ok(Box::new(tcg::Table::new(catalogue)?)),
        game => Err(format!("the game {game} has no table in the terminal")),
    }
}

/// Looks up what a table is made of.
pub(super) struct Names<'a>(pub &'a Catalogue);

impl Names<'_> {
    fn found<T>(&self, found: Option<T>, name: &str) -> Result<T, String> {
        found.ok_or_else(|| format!("{} has no {name}, so its table cannot be drawn", self.0.title))
    }
    pub(super) fn zone(&self, name: &str, player: Option<u8>) -> Result<ZoneId, String> {
        self.found(self.0.zone(name, player.map(PlayerId)), name)
    }
    pub(super) fn both(&self, name: &str) -> Result<[ZoneId; 2], String> {
        Ok([self.zone(name, Some(0))?, self.zone(name, Some(1))?])
    }
    pub(super) fn stat(&self, name: &str) -> Result<StatId, String> {
        self.found(self.0.stat(name).filter(|stat| self.0.stats[stat.index()].shown), name)
    }
    pub(super) fn counter(&self, name: &str) -> Result<FieldId, String> {
        self.found(self.0.field(name).filter(|field| self.0.fields[field.index()].shown), name)
    }
    pub(super) fn player_counter(&self, name: &str) -> Result<PlayerCounterId, String> {
        self.found(self.0.player_counter(name).filter(|counter| self.0.player_counters[counter.index()].shown), name)
    }
    pub(super) fn role(&self, name: &str) -> Result<RoleId, String> {
        self.found(self.0.role(name), name)
    }
}
