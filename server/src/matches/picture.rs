//! What a viewer is shown of a game: the table, the lines of the log, what moves. Built from a [`View`] and from
//! events with their viewers, so nothing that the viewer may not know can get in.

use crate::protocol::{self, Card, Choice, LogLine, MatchState, Motion, Name, Pass, Question, Seat, Stops, Table, TracePart, Zone};
use compact_str::ToCompactString;
use std::collections::BTreeMap;
use trilogy_engine::catalogue::{Asker, Catalogue, Change, DefId, FactId, Sign, StatId, Tone};
use trilogy_engine::journal::hex;
use trilogy_engine::{
    Answer, AskKind, AskView, CardId, CardView, Event, Game, OptionView, PlayerId, Value, View, Viewer, log_line, player_text,
};

/// The part of a table that is not in the game: who sits there and how the match stands.
pub(crate) struct Frame {
    pub(crate) id: String,
    pub(crate) game: String,
    pub(crate) seat: Option<u8>,
    /// Names and clocks; sides and counters are filled in from the game.
    pub(crate) seats: Vec<Seat>,
    pub(crate) state: MatchState,
    pub(crate) offers: BTreeMap<String, Vec<u8>>,
    pub(crate) paused: bool,
    pub(crate) spectators: u32,
    pub(crate) stops: Stops,
    pub(crate) undo_free: bool,
    pub(crate) commitment: String,
    pub(crate) seed: Option<String>,
    /// Number of the pending ask.
    pub(crate) ask: u32,
    pub(crate) rematch: Option<String>,
}

/// A match without a game yet: nobody has taken the free seat.
pub(crate) fn empty(frame: Frame, catalogue: &Catalogue) -> Table {
    let mut seats = frame.seats;
    for (at, seat) in seats.iter_mut().enumerate() {
        seat.side = player_text(catalogue, PlayerId(at as u8));
    }
    Table {
        id: frame.id,
        game: frame.game,
        catalogue: hex(&catalogue.hash),
        seat: frame.seat,
        seats,
        state: frame.state,
        offers: frame.offers,
        paused: frame.paused,
        spectators: frame.spectators,
        stops: frame.stops,
        undo_free: frame.undo_free,
        commitment: frame.commitment,
        seed: frame.seed,
        vars: BTreeMap::new(),
        zones: BTreeMap::new(),
        cards: BTreeMap::new(),
        effects: Vec::new(),
        ask: None,
        rematch: frame.rematch,
    }
}

pub(crate) fn table(view: &View<'_>, frame: Frame) -> Table {
    let catalogue = view.catalogue();
    let number = frame.ask;
    let over = matches!(frame.state, MatchState::Over { .. });
    let mut table = empty(frame, catalogue);
    let snapshot = view.snapshot();
    for (seat, counters) in table.seats.iter_mut().zip(&snapshot.players) {
        seat.counters = catalogue.player_counters.iter().zip(counters).map(|(def, &count)| (def.name.clone(), count)).collect();
    }
    for (at, seat) in table.seats.iter_mut().enumerate() {
        seat.values = player_values(view, PlayerId(at as u8));
    }
    let for_players = values_for_players(catalogue);
    for (at, zone) in snapshot.zones.into_iter().enumerate() {
        let (def, key) = (&catalogue.zones[at], zone_key(catalogue, at));
        let name = Name::from(&key);
        let ids = zone.cards.iter().map(|card| card.id.0.into()).collect();
        for shown in zone.cards {
            let totals =
                if def.player.is_none() && shown.parent.is_none() { totals(view, &for_players, shown.id) } else { BTreeMap::new() };
            table.cards.insert(shown.id.0.to_compact_string(), card(catalogue, shown, &name, totals));
        }
        let seat = def.player.map(|player| player.0);
        table.zones.insert(key, Zone { english: def.english.clone(), seat, cards: ids, hidden: zone.hidden as u32 });
    }
    for (name, value) in view.vars() {
        if let Some(shown) = json(catalogue, &value) {
            table.vars.insert(name.to_string(), shown);
        }
    }
    table.effects = snapshot.effects;
    // When a match ends by resignation the game still waits for somebody; there is nothing left to answer.
    table.ask = view.asked().filter(|_| !over).map(|player| protocol::Ask {
        number,
        seat: player.0,
        question: if matches!(view.viewer(), Viewer::Referee) || view.viewer() == Viewer::Player(player) {
            snapshot.ask.and_then(|ask| question(view, ask))
        } else {
            None
        },
        name: view.question().map(|question| question.id.clone()),
        by: view.question().map_or(protocol::Asker::Rules, |question| asker(question.by)),
        card: view.asking_card().and_then(|card| Some(view.printed(card)?.title.clone())),
        window: view.window().map(|window| catalogue.windows[window.index()].name.clone()),
    });
    table
}

/// The table of a game that is not played here, as a viewer would be shown it: for tests of what clients make of one.
pub fn shown(view: &View<'_>, game: &str) -> Table {
    let player = |at: u8| Seat { name: format!("Player {at}"), connected: true, ..Seat::default() };
    let frame = Frame {
        id: "none".into(),
        game: game.into(),
        seat: if let Viewer::Player(player) = view.viewer() { Some(player.0) } else { None },
        seats: vec![player(0), player(1)],
        state: MatchState::Playing,
        offers: BTreeMap::new(),
        paused: false,
        spectators: 0,
        stops: Stops::default(),
        undo_free: false,
        commitment: String::new(),
        seed: None,
        ask: view.answers(),
        rematch: None,
    };
    table(view, frame)
}

/// All cards of a game that is not played here, likewise.
pub fn cards(catalogue: &Catalogue) -> Vec<protocol::CardInfo> {
    catalogue.cards.iter().map(|card| crate::games::card_info(catalogue, card)).collect()
}

/// `hand.0` for a player's zone, `space` for a common one.
pub(crate) fn zone_key(catalogue: &Catalogue, at: usize) -> String {
    let zone = &catalogue.zones[at];
    zone.player.map_or_else(|| zone.name.clone(), |player| format!("{}.{}", zone.name, player.0))
}

/// The values that a card has for each player and that the rules show.
fn values_for_players(catalogue: &Catalogue) -> Vec<(StatId, &str)> {
    let stats = StatId::all(catalogue.stats.len()).zip(&catalogue.stats);
    stats.filter(|(_, stat)| stat.shown && stat.for_player && !stat.of_player).map(|(at, stat)| (at, stat.name.as_str())).collect()
}

/// Values of a common card for each player, those that are not 0 for both.
fn totals(view: &View<'_>, stats: &[(StatId, &str)], card: CardId) -> BTreeMap<Name, Vec<i32>> {
    let by_seat = |at: StatId| [0, 1].map(|seat| view.value_for(at, card, &Value::Player(PlayerId(seat))).unwrap_or(0));
    let totals = stats.iter().map(|(at, name)| (name, by_seat(*at))).filter(|(_, values)| *values != [0, 0]);
    totals.map(|(name, values)| (Name::from(*name), values.to_vec())).collect()
}

fn player_values(view: &View<'_>, player: PlayerId) -> BTreeMap<String, i32> {
    let stats = StatId::all(view.catalogue().stats.len()).zip(&view.catalogue().stats).filter(|(_, stat)| stat.of_player);
    let values = stats.filter_map(|(at, stat)| Some((&stat.name, view.player_value(at, player)?)));
    values.filter(|(_, value)| *value != 0).map(|(name, value)| (name.clone(), value)).collect()
}

fn card(catalogue: &Catalogue, shown: CardView, zone: &Name, totals: BTreeMap<Name, Vec<i32>>) -> Card {
    let counters = shown.counters.iter().map(|(field, count)| (Name::from(&catalogue.fields[field.index()].name), *count));
    // A value that is zero says something only where the card has it printed.
    let printed = |fact: Option<FactId>| {
        let facts = shown.def.map(|def| &catalogue.def(def).facts);
        fact.and_then(|fact| facts?.get(fact.index()).copied().flatten()).is_some()
    };
    let values = catalogue.stats.iter().zip(&shown.stats).filter_map(|(stat, value)| value.map(|value| (stat, value)));
    let values = values.filter(|(stat, value)| *value != 0 || printed(stat.fact));
    Card {
        id: shown.id.0.into(),
        key: shown.def.map(|def| Name::from(&catalogue.def(def).key)),
        owner: shown.owner.0,
        controller: shown.controller.0,
        zone: zone.clone(),
        facedown: shown.facedown,
        parent: shown.parent.map(|parent| parent.0.into()),
        role: shown.parent.and_then(|_| catalogue.roles.get(shown.role.index()).map(|role| Name::from(&role.name))),
        counters: counters.collect(),
        values: values.map(|(stat, value)| (Name::from(&stat.name), value)).collect(),
        totals,
    }
}

fn question(view: &View<'_>, ask: AskView) -> Option<Question> {
    let raw: &[Value] = match view.ask_kind() {
        Some(AskKind::Pick { options, .. } | AskKind::Order { options }) => options,
        _ => &[],
    };
    let choices =
        |options: Vec<OptionView>| options.into_iter().enumerate().map(|(at, option)| choice(view, option, raw.get(at))).collect();
    match ask {
        AskView::Pick { prompt, options, least, most, pass } => {
            let pass = pass.map(|pass| Pass { label: pass.label, warning: pass.warning });
            Some(Question::Pick { prompt, options: choices(options), least: least.into(), most: most.into(), pass })
        }
        AskView::Order { prompt, options } => Some(Question::Order { prompt, options: choices(options) }),
        AskView::Number { prompt, least, most, warnings } => {
            let warnings = warnings.into_iter().map(|(number, warning)| (number.to_string(), warning)).collect();
            Some(Question::Number { prompt, least, most, warnings })
        }
        AskView::Wait { .. } => None,
    }
}

fn choice(view: &View<'_>, option: OptionView, raw: Option<&Value>) -> Choice {
    let target = match raw {
        Some(Value::Move(chosen)) if chosen.source.is_some() && chosen.card != chosen.source => chosen.card,
        _ => option.target,
    };
    let catalogue = view.catalogue();
    let action = match raw {
        Some(Value::Move(chosen)) => Some(catalogue.ability(chosen.ability)).filter(|ability| ability.def.is_none()),
        _ => None,
    };
    let zone = option.card.map(|card| view.glance(card).zone.index());
    let zone = zone.filter(|at| catalogue.zones[*at].counted).map(|at| zone_key(catalogue, at));
    Choice {
        label: option.label,
        detail: option.detail,
        card: option.card.map(id),
        target: target.map(id),
        action: action.map(|action| action.name.clone()),
        zone,
        alike: option.alike.map(u32::from),
        warning: option.warning,
    }
}

pub(super) fn id(card: CardId) -> u32 {
    card.0.into()
}

/// A variable of the rules as JSON; none where it says nothing. Cards are ids, players seats, zones their keys.
fn json(catalogue: &Catalogue, value: &Value) -> Option<serde_json::Value> {
    match value {
        Value::None | Value::Bool(false) | Value::Move(_) | Value::Text(_) | Value::Trigger(_) => None,
        Value::Bool(true) => Some(true.into()),
        Value::Num(number) => Some((*number).into()),
        Value::Card(card) => Some(id(*card).into()),
        Value::Player(player) => Some(player.0.into()),
        Value::Zone(zone) => Some(zone_key(catalogue, zone.index()).into()),
        Value::Word(word) => Some(catalogue.word(*word).into()),
        Value::List(items) if items.is_empty() => None,
        Value::List(items) => Some(items.iter().filter_map(|item| json(catalogue, item)).collect()),
    }
}

/// The window that the pending ask is, by name; none where it is no window or cannot be passed.
pub(crate) fn window(view: &View<'_>) -> Option<String> {
    let Some(AskKind::Pick { least: 0, .. }) = view.ask_kind() else { return None };
    view.window().map(|window| view.catalogue().windows[window.index()].name.clone())
}

/// How a value of a card comes about; none where the viewer does not see the card or there is no such value.
pub(crate) fn trace(view: &View<'_>, card: u32, stat: &str) -> Option<(Option<i32>, Vec<TracePart>)> {
    let catalogue = view.catalogue();
    let stat = catalogue.stat(stat).filter(|stat| !catalogue.stats[stat.index()].of_player)?;
    let card = view.cards().find(|known| id(*known) == card)?;
    let (value, lines) = view.trace(stat, &Value::Card(card))?;
    let parts = lines.into_iter().map(|line| TracePart {
        amount: line.amount,
        change: match line.change {
            Change::Add => "+",
            Change::Multiply => "x",
            Change::Set => "=",
            Change::AtLeast => "at least",
            Change::AtMost => "at most",
            Change::Unreduced => "not less",
            Change::Unmodified => "not changed",
        }
        .into(),
        card: line.source.filter(|&source| view.knows(source)).and_then(|source| Some(view.printed(source)?.key.clone())),
        rule: Some(line.cite).filter(|cite| !cite.is_empty()),
        says: line.says,
    });
    let value = if let Value::Num(number) = value { Some(number) } else { None };
    Some((value, parts.collect()))
}

/// Those who may look on, in the order of [`Told`].
pub(crate) const VIEWERS: [Viewer; 4] = [Viewer::Player(PlayerId(0)), Viewer::Player(PlayerId(1)), Viewer::Spectator, Viewer::Referee];

/// What one answer led to, for each of [`VIEWERS`].
#[derive(Default)]
pub(crate) struct Told {
    pub(crate) lines: [Vec<LogLine>; 4],
    pub(crate) motions: [Vec<Motion>; 4],
}

impl Told {
    pub(crate) fn add(&mut self, more: Told) {
        self.lines.iter_mut().zip(more.lines).for_each(|(lines, more)| lines.extend(more));
        self.motions.iter_mut().zip(more.motions).for_each(|(motions, more)| motions.extend(more));
    }
}

impl Told {
    /// Events as lines and motions. `used` is what [`used`] said before the answer was taken.
    pub(crate) fn of(catalogue: &Catalogue, used: [Option<LogLine>; 4], events: &[Event], answer: u32) -> Told {
        let mut told = Told::default();
        for (lines, used) in told.lines.iter_mut().zip(used) {
            lines.extend(used.map(|line| LogLine { answer, ..line }));
        }
        for event in events {
            let quiet = matches!(event, Event::Declared { quiet: true, .. });
            let tone = tone(catalogue, event);
            for (at, viewer) in VIEWERS.into_iter().enumerate() {
                let line = if quiet { None } else { log_line(catalogue, event, viewer) };
                // A card is shown to each player in turn, an effect has several parts: one line says it.
                let again = |text: &String| event.in_parts() && told.lines[at].last().is_some_and(|last| last.text == *text);
                let line = line.filter(|text| !again(text));
                told.lines[at].extend(line.map(|text| LogLine { text, tone, cards: named(catalogue, event, viewer), answer }));
                told.motions[at].extend(motion(catalogue, event, viewer));
            }
        }
        told
    }
}

fn tone(catalogue: &Catalogue, event: &Event) -> protocol::Tone {
    match event {
        Event::Declared { event, .. } => match catalogue.events[event.index()].tone {
            Tone::Plain => protocol::Tone::Plain,
            Tone::Turn => protocol::Tone::Turn,
            Tone::Phase | Tone::Heading => protocol::Tone::Heading,
            Tone::Fight => protocol::Tone::Fight,
            Tone::Chance => protocol::Tone::Chance,
            Tone::Grave => protocol::Tone::Grave,
        },
        Event::Rolled { .. } => protocol::Tone::Chance,
        _ => protocol::Tone::Plain,
    }
}

fn asker(by: Asker) -> protocol::Asker {
    match by {
        Asker::Rules => protocol::Asker::Rules,
        Asker::Cost => protocol::Asker::Cost,
        Asker::Trigger => protocol::Asker::Trigger,
        Asker::Ability => protocol::Asker::Ability,
    }
}

/// What the log says of an answer that uses an ability of a card on the table; to be asked before it is taken.
pub(crate) fn used(game: &Game, answer: &Answer) -> [Option<LogLine>; 4] {
    let Answer::Pick(picks) = answer else { return Default::default() };
    let (Some(player), [pick]) = (game.asked(), picks.as_slice()) else { return Default::default() };
    let (catalogue, asked) = (game.catalogue(), game.view(Viewer::Player(player)));
    let Some(AskKind::Pick { options, .. }) = asked.ask_kind() else { return Default::default() };
    let Some(Value::Move(chosen)) = options.get(*pick as usize) else { return Default::default() };
    let Some(source) = chosen.source.or(chosen.card) else { return Default::default() };
    if catalogue.ability(chosen.ability).def.is_none() {
        return Default::default();
    }
    VIEWERS.map(|viewer| {
        let view = game.view(viewer);
        // A card that is played from a hidden place has its own event.
        let def = view.face(source).filter(|_| !catalogue.zones[view.glance(source).zone.index()].counted)?;
        let text = format!("{} uses {}", player_text(catalogue, player), view.move_text(chosen));
        Some(LogLine { text, tone: protocol::Tone::Plain, cards: vec![catalogue.def(def).key.clone()], answer: 0 })
    })
}

/// Keys of the cards that the line of an event names to a viewer.
fn named(catalogue: &Catalogue, event: &Event, viewer: Viewer) -> Vec<String> {
    let key = |def: DefId, seen: u8| (seen & viewer.bit() != 0).then(|| catalogue.def(def).key.clone());
    match event {
        Event::Declared { cards, .. } | Event::Shown { cards } => cards.iter().filter_map(|told| key(told.def, told.seen)).collect(),
        Event::Resolving { def: Some(def), seen, .. } | Event::EffectStarted { def: Some(def), seen, .. } => {
            key(*def, *seen).into_iter().collect()
        }
        _ => Vec::new(),
    }
}

/// What to animate, where the viewer saw it.
fn motion(catalogue: &Catalogue, event: &Event, viewer: Viewer) -> Option<Motion> {
    let sees = |seen: u8| seen & viewer.bit() != 0;
    match event {
        Event::Moved { card, from, to, seen, .. } if sees(*seen) => {
            Some(Motion::Move { card: id(*card), from: zone_key(catalogue, from.index()), to: zone_key(catalogue, to.index()) })
        }
        Event::Rolled { dice } => Some(Motion::Dice { faces: dice.iter().map(|die| (*die).max(0) as u32).collect() }),
        Event::Shuffled { zone } => Some(Motion::Shuffle { zone: zone_key(catalogue, zone.index()) }),
        Event::Declared { event, args, cards, .. } => {
            let (sign, of) = catalogue.events[event.index()].shows.as_ref()?;
            let part = |at: usize| args.get(*of.get(at)? as usize);
            // A card that is turned up for its number may be one that only its player sees; the others are seen whole.
            if *sign != Sign::Draw && !cards.iter().all(|told| sees(told.seen)) {
                return None;
            }
            match (sign, part(0), part(1), part(2)) {
                (Sign::Attack, Some(Value::Card(by)), Some(Value::Card(on)), _) => Some(Motion::Attack { by: id(*by), on: id(*on) }),
                (Sign::Damage, Some(Value::Card(card)), Some(Value::Num(amount)), _) => {
                    Some(Motion::Damage { card: id(*card), amount: *amount })
                }
                (Sign::Totals, Some(Value::Num(first)), Some(Value::Num(second)), _) => {
                    Some(Motion::Powers { totals: vec![*first, *second] })
                }
                (Sign::Draw, Some(Value::Player(by)), _, Some(Value::Num(value))) => {
                    let card = cards.first().filter(|told| sees(told.seen)).map(|told| catalogue.def(told.def).key.clone());
                    Some(Motion::Destiny { seat: by.0, card, value: *value })
                }
                _ => None,
            }
        }
        _ => None,
    }
}
