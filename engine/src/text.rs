//! Text for people: prompts, labels and log lines, rendered for one viewer.

use crate::catalogue::{Catalogue, ClauseId, Piece, TextId};
use crate::eval::{Env, World};
use crate::event::Event;
use crate::sight::{Viewer, knows};
use crate::state::State;
use crate::value::{CardId, Move, PlayerId, Value};

/// Fill the holes of a text. `viewer` none means that nothing needs hiding (the text speaks of open cards).
pub fn render(env: &mut Env<'_>, text: TextId, viewer: Option<Viewer>) -> String {
    let mut out = String::new();
    for piece in &env.catalogue.texts[text as usize].0 {
        match piece {
            Piece::Plain(plain) => out.push_str(plain),
            Piece::Hole(expr) => {
                let value = env.eval(*expr);
                out.push_str(&hole_text(env.catalogue, env.state, &value, viewer));
            }
            Piece::Plural(expr, one, many) => out.push_str(if env.num(*expr) == 1 { one } else { many }),
        }
    }
    out
}

/// What fills a hole. Moves and choices have texts with holes of their own, which may hold them again:
/// here they are only named.
fn hole_text(catalogue: &Catalogue, state: &State, value: &Value, viewer: Option<Viewer>) -> String {
    match value {
        Value::Move(chosen) => catalogue.ability(chosen.ability).name.replace('_', " "),
        Value::Text(_) => "a choice".into(),
        Value::List(items) => listed(items.iter().map(|item| hole_text(catalogue, state, item, viewer)).collect()),
        other => value_text(catalogue, state, other, viewer),
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

pub fn value_text(catalogue: &Catalogue, state: &State, value: &Value, viewer: Option<Viewer>) -> String {
    match value {
        Value::None => "nothing".into(),
        Value::Num(number) => number.to_string(),
        Value::Bool(true) => "yes".into(),
        Value::Bool(false) => "no".into(),
        Value::Card(card) => card_text(catalogue, state, *card, viewer),
        Value::Player(player) => player_text(catalogue, *player),
        Value::Zone(zone) => catalogue.zones[zone.0 as usize].english.clone(),
        Value::Word(word) => catalogue.word(*word).replace('_', " "),
        Value::Move(chosen) => move_text(catalogue, state, chosen, viewer),
        Value::Text(text) => render(&mut Env::of_frame(World::new(catalogue, state)), *text, viewer),
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
        Value::List(items) => listed(items.iter().map(|item| value_text(catalogue, state, item, viewer)).collect()),
    }
}

pub fn player_text(catalogue: &Catalogue, player: PlayerId) -> String {
    catalogue.players[player.index()].replace('_', " ")
}

pub fn move_text(catalogue: &Catalogue, state: &State, chosen: &Move, viewer: Option<Viewer>) -> String {
    let ability = catalogue.ability(chosen.ability);
    let mut env = Env::for_card(World::new(catalogue, state), chosen.card, chosen.source, chosen.player).with(&[chosen.card.into()]);
    let label = render(&mut env, ability.label, viewer);
    match (ability.def, chosen.source) {
        (Some(_), Some(source)) => format!("{}: {label}", card_text(catalogue, state, source, viewer)),
        _ => label,
    }
}

/// The question that a state waits on, as its player reads it.
pub fn prompt(catalogue: &Catalogue, state: &State) -> String {
    match &state.ask {
        Some(ask) => {
            let viewer = Viewer::Player(ask.player);
            render(&mut Env::of_frame(World::new(catalogue, state)), ask.prompt, Some(viewer))
        }
        None => String::new(),
    }
}

/// The registers that the text of a clause in a program names.
pub(crate) fn registers(english: &str) -> impl Iterator<Item = u8> + '_ {
    english.split("{#").skip(1).filter_map(|rest| rest.split('}').next()?.parse().ok())
}

/// The text of a clause. In a program it names registers: they are what they were when it began.
pub(crate) fn clause_text(catalogue: &Catalogue, clause: ClauseId, say: impl Fn(u8) -> Option<String>) -> String {
    let mut parts = catalogue.clause(clause).english.split("{#");
    let mut out = parts.next().unwrap_or("").to_string();
    for part in parts {
        let (register, rest) = part.split_once('}').unwrap_or(("", part));
        out += &register.parse().ok().and_then(&say).unwrap_or_else(|| "it".into());
        out += rest;
    }
    out
}

/// A log line for one viewer, or none where the event is only of use to animation.
pub fn log_line(catalogue: &Catalogue, event: &Event, viewer: Viewer) -> Option<String> {
    let name = |def: u16, seen: u8| {
        if seen & viewer.bit() != 0 { catalogue.def(def).key.clone() } else { "a card".to_string() }
    };
    match event {
        Event::Declared { event, args, seen, defs } => {
            let text = catalogue.events[*event as usize].log?;
            let mut out = String::new();
            for piece in &catalogue.texts[text as usize].0 {
                match piece {
                    Piece::Plain(plain) => out.push_str(plain),
                    // Holes of a log text are the parameters of the event, in any order.
                    Piece::Hole(expr) => {
                        let crate::catalogue::Expr::Local(at) = catalogue.exprs[*expr as usize] else { continue };
                        let at = at as usize;
                        match &args[at] {
                            Value::Card(_) => out.push_str(&name(defs[at], seen[at])),
                            other => out.push_str(&plain_text(catalogue, other)),
                        }
                    }
                    Piece::Plural(expr, one, many) => {
                        let crate::catalogue::Expr::Local(at) = catalogue.exprs[*expr as usize] else { continue };
                        out.push_str(if args[at as usize].num() == 1 { one } else { many });
                    }
                }
            }
            Some(out)
        }
        Event::Rolled { dice } => Some(format!("dice: {}", dice.iter().map(|die| die.to_string()).collect::<Vec<_>>().join(" "))),
        Event::Shuffled { zone } => {
            let zone = &catalogue.zones[zone.0 as usize];
            let whose = zone.player.map_or(String::new(), |player| format!("{}'s ", player_text(catalogue, player)));
            Some(format!("{whose}{} is shuffled", zone.english))
        }
        Event::Resolving { def, seen, clause } => {
            let says = clause_text(catalogue, *clause, |_| None);
            Some(def.map_or(says.clone(), |def| format!("{}: {says}", name(def, *seen))))
        }
        Event::EffectStarted { def, seen, clause, names } => {
            let says = clause_text(catalogue, *clause, |register| {
                let spoken = names.iter().find(|spoken| spoken.register == register)?;
                Some(match spoken.value {
                    Value::Card(_) => name(spoken.def, spoken.seen),
                    _ => plain_text(catalogue, &spoken.value),
                })
            });
            Some(def.map_or(says.clone(), |def| format!("{}: {says}", name(def, *seen))))
        }
        Event::Shown { def, seen, .. } => (seen & viewer.bit() != 0).then(|| format!("{} is shown", catalogue.def(*def).key)),
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

fn plain_text(catalogue: &Catalogue, value: &Value) -> String {
    match value {
        Value::Player(player) => player_text(catalogue, *player),
        Value::Zone(zone) => catalogue.zones[zone.0 as usize].english.clone(),
        Value::Word(word) => catalogue.word(*word).replace('_', " "),
        Value::Num(number) => number.to_string(),
        Value::List(items) => items.iter().map(|item| plain_text(catalogue, item)).collect::<Vec<_>>().join(" "),
        _ => "something".into(),
    }
}
