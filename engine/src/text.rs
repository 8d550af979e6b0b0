//! Text for people: prompts, labels and log lines, rendered for one viewer.

use crate::catalogue::{Catalogue, Expr, Piece, WindowDef};
use crate::eval::{Env, World};
use crate::event::{Event, Told};
use crate::ids::*;
use crate::sight::{Viewer, knows};
use crate::state::{AskKind, State};
use crate::value::{CardId, Move, PlayerId, Value};

/// Fill the holes of a text. `viewer` none means that nothing needs hiding (the text speaks of open cards).
pub fn render(env: &mut Env<'_>, text: TextId, viewer: Option<Viewer>) -> String {
    let mut out = String::new();
    for piece in &env.catalogue.texts[text.index()].0 {
        match piece {
            Piece::Plain(plain) => out.push_str(plain),
            Piece::Hole(expr) => {
                let value = env.eval(*expr);
                out.push_str(&hole_text(env.catalogue, env.state, &value, viewer));
            }
            Piece::Plural(expr, one, many) => out.push_str(if env.num(*expr) == 1 { one } else { many }),
            Piece::When(test, then, otherwise) => {
                if let Some(text) = if env.test(*test) { Some(*then) } else { *otherwise } {
                    out.push_str(&render(env, text, viewer));
                }
            }
            Piece::Window(expr) => {
                let window = usize::try_from(env.num(*expr)).ok().and_then(|at| env.catalogue.windows.get(at));
                // In the text of a window `you` is whoever is asked.
                let you = env.you;
                env.you = env.state.ask.as_ref().map_or(you, |ask| ask.player);
                match window {
                    Some(WindowDef { asking: Some(asking), .. }) => out.push_str(&render(env, *asking, viewer)),
                    Some(window) => out.push_str(&window.english),
                    None => {}
                }
                env.you = you;
            }
            Piece::Moves => out.push_str(&moves_text(env.catalogue, env.state)),
        }
    }
    out
}

/// What the pending ask lets one do, in short: "Deploy (3), Attack, 2 cards".
fn moves_text(catalogue: &Catalogue, state: &State) -> String {
    let Some(AskKind::Pick { options, .. }) = state.ask.as_ref().map(|ask| &ask.kind) else { return String::new() };
    let mut kinds: Vec<(String, u32)> = Vec::new();
    let mut moves: Vec<Move> =
        options.iter().filter_map(|option| if let Value::Move(chosen) = option { Some(*chosen) } else { None }).collect();
    // A card that may go to several places is one that may go.
    moves.dedup_by_key(|chosen| Move { target: None, ..*chosen });
    for chosen in moves {
        let ability = catalogue.ability(chosen.ability);
        let kind = match (ability.def, catalogue.texts[ability.label.index()].0.first()) {
            (Some(_), _) => "cards".to_string(),
            (None, Some(Piece::Plain(plain))) => verb(plain),
            (None, _) => ability.name.replace('_', " "),
        };
        match kinds.iter_mut().find(|(known, _)| *known == kind) {
            Some((_, count)) => *count += 1,
            None => kinds.push((kind, 1)),
        }
    }
    // Cards come last, whatever they do.
    kinds.sort_by_key(|(kind, _)| kind == "cards");
    let told = kinds.into_iter().map(|(kind, count)| match (kind.as_str(), count) {
        ("cards", 1) => "a card".into(),
        ("cards", count) => format!("{count} cards"),
        (_, 1) => kind,
        (_, count) => format!("{kind} ({count})"),
    });
    told.collect::<Vec<String>>().join(", ")
}

/// The start of a label without what leads over to its card: "Deploy ", "Attack with " become "Deploy", "Attack".
fn verb(label: &str) -> String {
    let mut words: Vec<&str> = label.split_whitespace().collect();
    while words.len() > 1
        && words.last().is_some_and(|last| matches!(*last, "at" | "to" | "from" | "with" | "on" | "the" | "a" | "of" | "for"))
    {
        words.pop();
    }
    words.join(" ")
}

/// What fills a hole. Moves and choices have texts with holes of their own, which may hold them again:
/// here they are only named.
fn hole_text(catalogue: &Catalogue, state: &State, value: &Value, viewer: Option<Viewer>) -> String {
    match value {
        Value::Move(chosen) => catalogue.ability(chosen.ability).name.replace('_', " "),
        Value::Text(_) => "a choice".into(),
        Value::List(items) => listed(items.iter().map(|item| hole_text(catalogue, state, item, viewer)).collect()),
        other => value_text(World::new(catalogue, state), other, viewer),
    }
}

fn listed(items: Vec<String>) -> String {
    match items.as_slice() {
        [] => "nothing".into(),
        [one] => one.clone(),
        [rest @ .., last] => format!("{} and {last}", rest.join(", ")),
    }
}

pub fn card_text(catalogue: &Catalogue, state: &State, card: CardId, viewer: Option<Viewer>) -> String {
    if viewer.is_none_or(|viewer| knows(catalogue, state, viewer, card)) {
        catalogue.def(state.card(card).def).key.clone()
    } else {
        "a card".into()
    }
}

pub(crate) fn value_text(world: World<'_>, value: &Value, viewer: Option<Viewer>) -> String {
    let World { catalogue, state, .. } = world;
    match value {
        Value::None => "nothing".into(),
        Value::Num(number) => number.to_string(),
        Value::Bool(true) => "yes".into(),
        Value::Bool(false) => "no".into(),
        Value::Card(card) => card_text(catalogue, state, *card, viewer),
        Value::Player(player) => player_text(catalogue, *player),
        Value::Zone(zone) => catalogue.zones[zone.index()].english.clone(),
        Value::Word(word) => catalogue.word(*word).replace('_', " "),
        Value::Move(chosen) => move_text(world, chosen, viewer),
        Value::Text(text) => render(&mut Env::of_frame(world), *text, viewer),
        Value::Trigger(serial) => match state.waiting.iter().find(|waiting| waiting.serial == *serial) {
            Some(waiting) => {
                let says = clause_text(catalogue, waiting.clause, |_| None);
                match waiting.source {
                    Some(card) => format!("{}: {says}", card_text(catalogue, state, card, viewer)),
                    None => says,
                }
            }
            None => "a triggered ability".into(),
        },
        Value::List(items) => listed(items.iter().map(|item| value_text(world, item, viewer)).collect()),
    }
}

pub fn player_text(catalogue: &Catalogue, player: PlayerId) -> String {
    catalogue.players[player.index()].replace('_', " ")
}

pub(crate) fn move_text(world: World<'_>, chosen: &Move, viewer: Option<Viewer>) -> String {
    let World { catalogue, state, .. } = world;
    let ability = catalogue.ability(chosen.ability);
    let mut env = Env::for_move(world, chosen);
    let label = render(&mut env, ability.label, viewer);
    match (ability.def, chosen.source) {
        (Some(_), Some(source)) => format!("{}: {label}", card_text(catalogue, state, source, viewer)),
        _ => label,
    }
}

/// The question that a state waits on, as its player reads it.
pub(crate) fn prompt(world: World<'_>) -> String {
    match &world.state.ask {
        Some(ask) => {
            let viewer = Viewer::Player(ask.player);
            let prompt = world.catalogue.asks[ask.def.index()].prompt;
            render(&mut Env::of_frame(world), prompt, Some(viewer))
        }
        None => String::new(),
    }
}

/// The registers that the text of a clause in a program names.
pub(crate) fn registers(english: &str) -> impl Iterator<Item = RegisterId> + '_ {
    english.split("{#").skip(1).filter_map(|rest| RegisterId::new(rest.split('}').next()?.parse().ok()?).ok())
}

/// The text of a clause. In a program it names registers: they are what they were when it began.
pub(crate) fn clause_text(catalogue: &Catalogue, clause: ClauseId, say: impl Fn(RegisterId) -> Option<String>) -> String {
    let mut parts = catalogue.clause(clause).english.split("{#");
    let mut out = parts.next().unwrap_or("").to_string();
    for part in parts {
        let (register, rest) = part.split_once('}').unwrap_or(("", part));
        out += &register.parse().ok().and_then(|at| RegisterId::new(at).ok()).and_then(&say).unwrap_or_else(|| "it".into());
        out += rest;
    }
    out
}

/// A log line for one viewer, or none where the event is only of use to animation.
pub fn log_line(catalogue: &Catalogue, event: &Event, viewer: Viewer) -> Option<String> {
    let name = |def: DefId, seen: u8| {
        if seen & viewer.bit() != 0 { catalogue.def(def).key.clone() } else { "a card".to_string() }
    };
    match event {
        Event::Declared { event, args, cards, .. } => {
            let text = catalogue.events[event.index()].log?;
            Some(event_text(catalogue, text, args, &|card| {
                let told = cards.iter().find(|told| told.card == card)?;
                (told.seen & viewer.bit() != 0).then(|| catalogue.def(told.def).key.clone())
            }))
        }
        Event::Rolled { dice } => Some(format!("dice: {}", dice.iter().map(|die| die.to_string()).collect::<Vec<_>>().join(" "))),
        Event::Shuffled { zone } => Some(format!("{} is shuffled", zone_text(catalogue, *zone))),
        // The rules' own triggers and effects have no card that says so: what they do is told by what comes of it.
        Event::Resolving { def, seen, clause } => {
            let says = clause_text(catalogue, *clause, |_| None);
            def.map(|def| format!("{}: {says}", name(def, *seen)))
        }
        Event::EffectStarted { def, seen, clause, names } => {
            let says = clause_text(catalogue, *clause, |register| {
                let spoken = names.iter().find(|spoken| spoken.register == register)?;
                Some(match spoken.value {
                    Value::Card(_) => name(spoken.def, spoken.seen),
                    _ => plain_text(catalogue, &spoken.value),
                })
            });
            def.map(|def| format!("{}: {says}", name(def, *seen)))
        }
        Event::Shown { cards } => shown_text(catalogue, cards, viewer),
        Event::Fault { reason } => Some(format!("fault: {reason}")),
        Event::Over { winner: Some(player) } => Some(format!("{} wins", player_text(catalogue, *player))),
        Event::Over { winner: None } => Some("the game is drawn".into()),
        Event::Moved { .. }
        | Event::Attached { .. }
        | Event::Turned { .. }
        | Event::Controlled { .. }
        | Event::Counted { .. }
        | Event::PlayerCounted { .. }
        | Event::Chosen { .. }
        | Event::PeriodEnded { .. }
        | Event::Moving { .. }
        | Event::Answered { .. } => None,
    }
}

/// More cards than these are a pile that somebody looks through.
const MOST_NAMED: usize = 8;

/// Cards that were shown to everybody, or to one player alone, as those read it who saw them.
fn shown_text(catalogue: &Catalogue, cards: &[Told], viewer: Viewer) -> Option<String> {
    let seen: Vec<&Told> = cards.iter().filter(|told| told.seen & viewer.bit() != 0).collect();
    let what = match seen.len() {
        0 => return None,
        count if count > MOST_NAMED => format!("{count} cards"),
        _ => listed(seen.iter().map(|told| catalogue.def(told.def).key.clone()).collect()),
    };
    let knows = |player: PlayerId| seen.iter().all(|told| told.seen & Viewer::Player(player).bit() != 0);
    match [PlayerId(0), PlayerId(1)].map(knows) {
        [true, false] => Some(format!("{} looks at {what}", player_text(catalogue, PlayerId(0)))),
        [false, true] => Some(format!("{} looks at {what}", player_text(catalogue, PlayerId(1)))),
        _ => Some(format!("{what} {} shown", if seen.len() == 1 { "is" } else { "are" })),
    }
}

/// The text of an event of the rules. Its holes are the parameters of the event, in any order; `name` says what a card is called
/// to whoever reads it, if they may know it.
fn event_text(catalogue: &Catalogue, text: TextId, args: &[Value], name: &dyn Fn(CardId) -> Option<String>) -> String {
    let arg = |expr: &ExprId| match catalogue.exprs[expr.index()] {
        Expr::Local(at) => args.get(at.index()),
        _ => None,
    };
    let mut out = String::new();
    for piece in &catalogue.texts[text.index()].0 {
        match piece {
            Piece::Plain(plain) => out.push_str(plain),
            Piece::Hole(expr) => out.push_str(&arg(expr).map_or(String::new(), |value| told_text(catalogue, value, name))),
            Piece::Plural(expr, one, many) => out.push_str(if arg(expr).is_some_and(|value| value.num() == 1) { one } else { many }),
            Piece::When(test, then, otherwise) => {
                let holds = arg(test).is_some_and(|value| value.truth() && !matches!(value, Value::List(items) if items.is_empty()));
                if let Some(text) = if holds { Some(*then) } else { *otherwise } {
                    out.push_str(&event_text(catalogue, text, args, name));
                }
            }
            Piece::Window(_) | Piece::Moves => {}
        }
    }
    out
}

/// Cards that the reader may not know are counted.
fn told_text(catalogue: &Catalogue, value: &Value, name: &dyn Fn(CardId) -> Option<String>) -> String {
    match value {
        Value::Card(card) => name(*card).unwrap_or_else(|| "a card".into()),
        Value::List(items) if items.iter().any(|item| item.card().is_some()) => {
            let mut known: Vec<String> = items.iter().filter_map(Value::card).filter_map(name).collect();
            match items.len() - known.len() {
                0 => {}
                1 => known.push("a card".into()),
                hidden => known.push(format!("{hidden} cards")),
            }
            listed(known)
        }
        other => plain_text(catalogue, other),
    }
}

/// A zone, and whose it is where each player has one.
fn zone_text(catalogue: &Catalogue, zone: ZoneId) -> String {
    let zone = &catalogue.zones[zone.index()];
    let whose = zone.player.map_or(String::new(), |player| format!("{}'s ", player_text(catalogue, player)));
    format!("{whose}{}", zone.english)
}

fn plain_text(catalogue: &Catalogue, value: &Value) -> String {
    match value {
        Value::Player(player) => player_text(catalogue, *player),
        Value::Zone(zone) => zone_text(catalogue, *zone),
        Value::Word(word) => catalogue.word(*word).replace('_', " "),
        Value::Num(number) => number.to_string(),
        Value::List(items) => items.iter().map(|item| plain_text(catalogue, item)).collect::<Vec<_>>().join(" "),
        _ => "something".into(),
    }
}
/// Whether a word of a game, an underscore for each blank, stands in a text as a whole word, whatever the case.
pub(crate) fn has_word(text: &str, word: &str) -> bool {
    let (text, word) = (text.to_lowercase(), word.replace('_', " ").to_lowercase());
    let bound = |letter: Option<char>| letter.is_none_or(|letter| !letter.is_alphanumeric());
    text.match_indices(&word).any(|(at, _)| bound(text[..at].chars().next_back()) && bound(text[at + word.len()..].chars().next()))
}
