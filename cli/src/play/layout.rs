//! What is a game's own about its table in the terminal: what lies between the players, and what it takes to tell how
//! things stand. Words, figures and the order of things come from its `host.json`; everything else is the same for all games.

use super::board::Scene;
use super::cards::{counter_of, stat_of};
use super::{ccg, lcg, tcg};
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::Span;
use trilogy_engine::catalogue::{FieldId, PlayerCounterId, RoleId, StatId};
use trilogy_engine::{AskView, CardId, CardView, Catalogue, PlayerId, Value, View, ZoneId, player_text};
use trilogy_games::host::{Counted, CounterLine, Figure, Host, PhaseValue, Phases, Sign};

pub(crate) trait Layout {
    /// What `host.json` says.
    fn told(&self) -> &Told;

    /// The cards of the table in columns, as the keyboard walks over them.
    fn columns(&self, view: &View<'_>, viewer: PlayerId) -> Vec<Vec<CardId>>;

    /// What lies between the players; in a roomy terminal with boxes, in a small one without.
    fn board(&self, scene: &Scene<'_>, frame: &mut Frame<'_>, area: Rect, roomy: bool);

    /// What is going on, above the choice.
    fn now(&self, scene: &Scene<'_>) -> Option<String>;

    /// The card that acts upon another, and that other.
    fn attack(&self, _view: &View<'_>) -> Option<(CardId, CardId)> {
        None
    }

    /// The phase, where the game keeps it itself; otherwise the headings of the log tell it.
    fn phase(&self, view: &View<'_>) -> Option<String> {
        self.told().phase(view)
    }

    fn cost(&self, card: &CardView) -> Option<i32> {
        stat_of(card, self.told().cost)
    }

    /// What stands behind the name of a card in hand where there is room for little.
    fn tag(&self, card: &CardView) -> String {
        self.cost(card).map_or(String::new(), |cost| format!(" ({cost})"))
    }

    /// The values that stand beside a card's name.
    fn note(&self, view: &View<'_>, card: &CardView) -> Vec<Span<'static>>;

    /// Whether a value on a card's page is worth a line there at all.
    fn has_value(&self, _card: &CardView, _stat: StatId) -> bool {
        true
    }

    /// The values that a card has for each player, on its page.
    fn totals(&self, _view: &View<'_>, _card: &CardView) -> Vec<StatId> {
        Vec::new()
    }

    /// Why the winner has won.
    fn victory(&self, view: &View<'_>, winner: &str) -> String;

    /// A number that is likely to be meant, from the card of the last move.
    fn suggested(&self, view: &View<'_>, me: PlayerId, ask: &AskView, last: Option<CardId>) -> Option<i32>;
}

/// What `host.json` says, found in the catalogue.
pub(crate) struct Told {
    hand: [ZoneId; 2],
    cost: StatId,
    figures: Vec<(String, Source)>,
    /// The values on a card's page.
    pub(super) values: Vec<Shown>,
    pub(super) counters: Vec<(FieldId, CounterLine)>,
    /// Words beside a card for a value that it has at times, and for how it lies on another one.
    keywords: Vec<(StatId, String)>,
    tags: Vec<(RoleId, String)>,
    pub(super) scenes: Vec<trilogy_games::host::Scene>,
    /// How other cards lie on a card, and what that is called.
    pub(super) roles: Vec<(RoleId, String)>,
    phases: Option<Phases>,
    /// Signs on the table, for the help page.
    pub(super) signs: Vec<Sign>,
}

/// Where a figure of a player comes from.
enum Source {
    Counter(PlayerCounterId),
    Value(StatId),
    Zones(Vec<[ZoneId; 2]>),
}

/// A value on a card's page; one that is not always shown is shown where there is something to say.
pub(crate) struct Shown {
    pub stat: StatId,
    pub always: bool,
}

impl Told {
    pub(super) fn new(names: &Names<'_>, host: &Host) -> Result<Told, String> {
        let Host { about, terminal } = host;
        let source = |figure: &Figure| -> Result<(String, Source), String> {
            let source = match &figure.counts {
                Counted::Counter(name) => Source::Counter(names.player_counter(name)?),
                Counted::Value(name) => Source::Value(names.stat(name)?),
                Counted::Zones(zones) => Source::Zones(all(zones, |name| names.both(name))?),
            };
            Ok((figure.label.clone(), source))
        };
        let shown = |name: &String| Ok(Shown { stat: names.stat(name)?, always: terminal.always.contains(name) });
        let labelled: Vec<_> = about.roles.iter().filter_map(|role| Some((&role.name, role.label.clone()?))).collect();
        let noted: Vec<_> = about.keywords.iter().filter_map(|word| Some((&word.name, word.note.clone()?))).collect();
        let tagged: Vec<_> = about.roles.iter().filter_map(|role| Some((&role.name, role.note.clone()?))).collect();
        Ok(Told {
            hand: names.both(&about.hand)?,
            cost: names.stat(&about.cost)?,
            figures: all(&terminal.figures, source)?,
            values: all(&terminal.values, shown)?,
            counters: all(&terminal.counters, |line| Ok((names.counter(&line.name)?, line.clone())))?,
            roles: all(&labelled, |(name, label)| Ok((names.role(name)?, label.clone())))?,
            keywords: all(&noted, |(name, note)| Ok((names.stat(name)?, note.clone())))?,
            tags: all(&tagged, |(name, tag)| Ok((names.role(name)?, tag.clone())))?,
            scenes: about.scenes.clone(),
            phases: about.phases.clone(),
            signs: terminal.signs.clone(),
        })
    }

    pub(super) fn hand(&self, player: PlayerId) -> ZoneId {
        self.hand[player.index()]
    }

    /// What stands beside a card besides its numbers: what has happened to it, what it is at times, how it lies there.
    pub(super) fn notes(&self, view: &View<'_>, card: &CardView) -> Vec<String> {
        let counted = self.counters.iter().filter(|(field, _)| counter_of(card, *field) > 0);
        let mut notes: Vec<String> = counted.filter_map(|(_, line)| line.note.clone()).collect();
        for (stat, note) in &self.keywords {
            let number = view.value(*stat, card.id).unwrap_or(0);
            if number != 0 {
                notes.push(note.replace("{n}", &number.to_string()));
            }
        }
        notes.extend(self.tags.iter().filter(|(role, _)| card.parent.is_some() && card.role == *role).map(|(_, tag)| tag.clone()));
        notes
    }

    /// A player's piles and counters, behind the name.
    pub(super) fn figures(&self, view: &View<'_>, player: PlayerId) -> Vec<(&str, i32)> {
        let size = |zone| {
            let zone = view.zone(zone);
            (zone.cards.len() + zone.hidden) as i32
        };
        let number = |source: &Source| match source {
            Source::Counter(counter) => view.player_counter(player, *counter).max(0),
            Source::Value(stat) => view.player_value(*stat, player).unwrap_or(0),
            Source::Zones(zones) => zones.iter().map(|zone| size(zone[player.index()])).sum(),
        };
        self.figures.iter().map(|(label, source)| (label.as_str(), number(source))).collect()
    }

    /// "deploy phase of the Dark Side"
    fn phase(&self, view: &View<'_>) -> Option<String> {
        let phases = self.phases.as_ref()?;
        let now = view.var(&phases.variable);
        let is_now = |value: &PhaseValue| match (value, &now) {
            (PhaseValue::Number(number), Value::Num(now)) => number == now,
            (PhaseValue::Word(word), Value::Word(now)) => word == view.catalogue().word(*now),
            _ => false,
        };
        let phase = phases.steps.iter().find(|step| is_now(&step.value))?;
        Some(format!("{} of the {}", phase.says, player_text(view.catalogue(), view.var("turn_of").player()?)))
    }
}

/// Every one of a list, or the first that failed.
fn all<T, U>(list: &[T], one: impl Fn(&T) -> Result<U, String>) -> Result<Vec<U>, String> {
    list.iter().map(one).collect()
}

/// The table of a game; an error where there is none for it.
pub(crate) fn of(catalogue: &Catalogue, host: &Host) -> Result<Box<dyn Layout>, String> {
    match catalogue.game.as_str() {
        "ccg" => Ok(Box::new(ccg::Table::new(catalogue, host)?)),
        "lcg" => Ok(Box::new(lcg::Table::new(catalogue, host)?)),
        "tcg" => Ok(Box::new(tcg::Table::new(catalogue, host)?)),
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
