//! What is hidden from a viewer stays hidden through whatever the rules make of it.
//!
//! Two worlds differ in two cards that the viewer may not know: they have changed places. Both go the same way. As long as
//! the viewer has not come to know either card, nothing that the viewer is shown may differ: no variable that holds a word or
//! a number of such a card, no value, effect, question, or line of the log.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;

use common::{Built, GAMES, legal};
use trilogy_engine::catalogue::{ProcId, StatId};
use trilogy_engine::inside::{self, State, World, start, step};
use trilogy_engine::{
    Answer, AskKind, CardId, Catalogue, Event, PlayerId, Random, Silent, Snapshot, Value, View, Viewer, log_line, seed_from_number,
};

/// Everything that a viewer can get out of a view.
#[derive(PartialEq, Debug)]
struct Picture {
    snapshot: Snapshot,
    vars: Vec<(String, Value)>,
    values: Vec<Option<i32>>,
    totals: Vec<Option<i32>>,
}

fn picture(view: &View<'_>) -> Picture {
    let catalogue = view.catalogue();
    let snapshot = view.snapshot();
    let stats = || StatId::all(catalogue.stats.len());
    let players = [PlayerId(0), PlayerId(1)];
    let cards: Vec<CardId> = snapshot.zones.iter().flat_map(|zone| &zone.cards).map(|card| card.id).collect();
    let values = stats().flat_map(|stat| players.map(|player| view.player_value(stat, player))).collect();
    let of_card = |stat: StatId, card: CardId| players.map(|player| view.value_for(stat, card, &Value::Player(player)));
    let totals = stats().flat_map(|stat| cards.iter().flat_map(move |&card| of_card(stat, card))).collect();
    let vars = view.vars().map(|(name, value)| (name.to_string(), value)).collect();
    Picture { snapshot, vars, values, totals }
}

/// A world that a viewer cannot tell from the real one.
struct Twin {
    state: State,
    viewer: Viewer,
    /// The cards that have changed places; where a shuffle put them under other numbers, those they had and those they have.
    swapped: Vec<CardId>,
}

impl Twin {
    /// Two cards of one owner that the viewer may not know, that differ, and that nothing in the state speaks of yet.
    fn of(catalogue: &Catalogue, state: &State, viewer: Viewer, swapped: [CardId; 2]) -> Option<Twin> {
        let [one, other] = swapped.map(|card| state.card(card));
        let unspoken = |card: CardId| {
            let held = state.registers.iter().chain(&state.vars).chain(state.effects.iter().flat_map(|effect| &effect.captured));
            let acts = state.frames.iter().any(|frame| frame.me == Some(card) || frame.source == Some(card));
            !acts && !held.chain(state.waiting.iter().flat_map(|waiting| &waiting.registers)).any(|value| speaks_of(value, card))
        };
        let alike = one.owner == other.owner && one.zone == other.zone && one.facedown == other.facedown && one.shown == other.shown;
        if one.def == other.def || !alike || swapped.iter().any(|&card| view(catalogue, state, viewer).knows(card) || !unspoken(card)) {
            return None;
        }
        let twin = state.with_faces([(swapped[0], other.def), (swapped[1], one.def)]);
        Some(Twin { state: twin, viewer, swapped: swapped.to_vec() })
    }

    /// Follow the cards through shuffles, after which a number stands for another card.
    fn follow(&mut self, state: &State) {
        let differs = |card: &CardId| state.card(*card).def != self.state.card(*card).def;
        let now: Vec<CardId> = (0..state.cards.len() as u16).map(CardId).filter(differs).collect();
        self.swapped.retain(|card| !now.contains(card));
        self.swapped.extend(now);
    }

    /// Whether the viewer has seen one of the cards in passing, be it hidden again now.
    fn was_seen(&self, events: &[Event]) -> bool {
        let ours = |card: &CardId, seen: u8| self.swapped.contains(card) && seen & self.viewer.bit() != 0;
        events.iter().any(|event| match event {
            Event::Moved { card, seen, .. } | Event::Attached { card, seen, .. } | Event::Turned { card, seen, .. } => ours(card, *seen),
            Event::Declared { cards, .. } | Event::Shown { cards } => cards.iter().any(|told| ours(&told.card, told.seen)),
            _ => false,
        })
    }

    fn still_hidden(&self, catalogue: &Catalogue, state: &State) -> bool {
        let hidden = |state: &State| self.swapped.iter().all(|&card| !view(catalogue, state, self.viewer).knows(card));
        hidden(state) && hidden(&self.state)
    }
}

fn view<'a>(catalogue: &'a Catalogue, state: &'a State, viewer: Viewer) -> View<'a> {
    inside::view(catalogue, state, viewer)
}

fn speaks_of(value: &Value, card: CardId) -> bool {
    match value {
        Value::Card(other) => *other == card,
        Value::Move(chosen) => chosen.card == Some(card) || chosen.source == Some(card),
        Value::List(items) => items.iter().any(|item| speaks_of(item, card)),
        _ => false,
    }
}

/// The card that this answer chooses, with each other one that could have been chosen for the same.
fn rivals(state: &State, answer: &Answer) -> Vec<[CardId; 2]> {
    let mut found = Vec::new();
    if let (Some(AskKind::Pick { options, .. }), Answer::Pick(picks)) = (state.ask.as_ref().map(|ask| &ask.kind), answer)
        && let Some(Value::Move(chosen)) = picks.first().and_then(|&pick| options.get(pick as usize))
    {
        let others = options.iter().filter_map(|option| match option {
            Value::Move(other) if other.ability == chosen.ability => other.card,
            _ => None,
        });
        found.extend(others.filter_map(|other| Some([chosen.card?, other])));
    }
    found
}

/// Any two cards that lie together.
fn neighbours(luck: &mut Random, state: &State) -> Option<[CardId; 2]> {
    let zone = &state.zones[luck.below(state.zones.len())];
    (zone.len() > 1).then(|| [zone[luck.below(zone.len())], zone[luck.below(zone.len())]])
}

/// Whether an answer can be given in a world as well: what it offered there is legal still.
fn offered(catalogue: &Catalogue, twin: &State, answer: &Answer) -> bool {
    let Some(AskKind::Pick { options, .. }) = twin.ask.as_ref().map(|ask| &ask.kind) else { return true };
    let Answer::Pick(picks) = answer else { return true };
    let chosen = picks.iter().filter_map(|&pick| options.get(pick as usize));
    chosen.into_iter().all(|option| match option {
        Value::Move(chosen) => {
            let own = catalogue.ability(chosen.ability).def;
            let carries = chosen.source.is_none_or(|source| own.is_none_or(|def| twin.card(source).def == def));
            carries && inside::why_not(World::new(catalogue, twin), chosen).is_none()
        }
        _ => true,
    })
}

/// Where the rules have come to: the programs that run, and how far each is.
fn place(state: &State) -> Vec<(ProcId, u32)> {
    state.frames.iter().map(|frame| (frame.program, frame.at)).collect()
}

fn lines(catalogue: &Catalogue, events: &[Event], viewer: Viewer) -> Vec<String> {
    events.iter().filter_map(|event| log_line(catalogue, event, viewer)).collect()
}

/// What differs between what a viewer is told in two worlds.
fn differences(catalogue: &Catalogue, viewer: Viewer, real: (&State, &[Event]), twin: (&State, &[Event])) -> Vec<String> {
    let mut found = Vec::new();
    let lines = |events| lines(catalogue, events, viewer);
    if lines(real.1) != lines(twin.1) {
        found.push(format!("the log says {:?} or {:?}", lines(real.1), lines(twin.1)));
    }
    let (real, twin) = (picture(&view(catalogue, real.0, viewer)), picture(&view(catalogue, twin.0, viewer)));
    for ((name, value), (_, other)) in real.vars.iter().zip(&twin.vars) {
        if value != other {
            found.push(format!("the variable {name} is {value:?} or {other:?}"));
        }
    }
    if real.snapshot != twin.snapshot {
        found.push("cards, effects or the question differ".into());
    }
    if (real.values, real.totals) != (twin.values, twin.totals) {
        found.push("values differ".into());
    }
    found
}

/// What two worlds told their viewer differently, and how often they were compared.
#[derive(Default)]
struct Watched {
    leaks: Vec<String>,
    compared: u32,
}

/// Play one game with twins beside it.
fn watch(built: &Built, seed: u64, watched: &mut Watched) {
    let catalogue = &built.catalogue;
    let mut state = start(catalogue, &built.setup(seed), &mut Silent).unwrap();
    let mut luck = Random::from_seed(seed_from_number(seed));
    let mut twins: Vec<Twin> = Vec::new();
    while let Some(ask) = state.ask.clone() {
        let answer = legal(&mut luck, &ask.kind);
        let viewers = [Viewer::Player(ask.player.opponent()), Viewer::Spectator];
        let viewer = viewers[luck.below(viewers.len())];
        let chosen = rivals(&state, &answer);
        // Of what is not being played one world at a time is enough: it lasts long.
        let others = if twins.is_empty() { neighbours(&mut luck, &state) } else { None };
        for pair in chosen.into_iter().chain(others) {
            twins.extend(Twin::of(catalogue, &state, viewer, pair).filter(|twin| offered(catalogue, &twin.state, &answer)));
        }
        let mut events = Vec::new();
        step(catalogue, &mut state, &answer, &mut events).unwrap();
        twins.retain_mut(|twin| {
            let mut others = Vec::new();
            step(catalogue, &mut twin.state, &answer, &mut others).unwrap();
            twin.follow(&state);
            let (Some(here), Some(there)) = (&state.ask, &twin.state.ask) else { return false };
            // That a player has something to choose here may be known; what it is may not.
            let seen = twin.was_seen(&events) || twin.was_seen(&others);
            if here.player != there.player || place(&state) != place(&twin.state) || seen || !twin.still_hidden(catalogue, &state) {
                return false;
            }
            watched.compared += 1;
            let told = differences(catalogue, twin.viewer, (&state, &events), (&twin.state, &others));
            if let Some(difference) = told.first() {
                let cards: Vec<&String> = twin.swapped.iter().map(|card| &catalogue.def(state.card(*card).def).key).collect();
                let asked = inside::prompt(catalogue, &state);
                watched.leaks.push(format!("{:?} is told of {cards:?} while another is asked \"{asked}\": {difference}", twin.viewer));
            }
            // Where the worlds ask for different things, they part.
            told.is_empty() && here == there
        });
    }
}

fn nothing_is_told(game: &str) {
    let built = GAMES.iter().find(|built| built.catalogue.game == game).unwrap();
    let mut watched = Watched::default();
    (0..12).for_each(|seed| watch(built, seed, &mut watched));
    assert!(watched.leaks.is_empty(), "{game}:\n{}", watched.leaks.join("\n"));
    assert!(watched.compared > 200, "{game}: only {} comparisons", watched.compared);
}

#[test]
fn what_comes_of_a_hidden_card_of_the_ccg_tells_nothing_of_it() {
    nothing_is_told("ccg");
}

#[test]
fn what_comes_of_a_hidden_card_of_the_tcg_tells_nothing_of_it() {
    nothing_is_told("tcg");
}

#[test]
fn what_comes_of_a_hidden_card_of_the_lcg_tells_nothing_of_it() {
    nothing_is_told("lcg");
}
