//! The table of a scenario, laid by hand as its board lines say.

use super::parse::{BoardKind, Placed, Scenario};
use crate::Workshop;
use trilogy_engine::catalogue::{Catalogue, FieldId, FieldSort, PlayerCounterId, RoleId, VarId};
use trilogy_engine::inside::{ATTACHED, State, table};
use trilogy_engine::{CardId, PlayerId, Setup, Value, ZoneId, deck, seed_from_number};

/// The table as the board lines say, before any program runs.
pub(super) fn lay(workshop: &Workshop, scenario: &Scenario) -> Result<(State, Vec<(String, CardId)>), String> {
    let catalogue = workshop.catalogue();
    let setup = Setup { decks: Default::default(), options: scenario.options.iter().cloned().collect(), seed: seed_from_number(0) };
    let mut state = table(catalogue, &setup).map_err(|error| format!("line {}: {error}", scenario.line))?;
    state.script();
    let mut names: Vec<(String, CardId)> = Vec::new();
    for line in &scenario.board {
        let at = |error: String| format!("{}: {error}", line.at);
        match &line.kind {
            BoardKind::Counter { player, counter, value } => {
                let player = player_named(catalogue, player).map_err(at)?;
                let index = catalogue.player_counters.iter().position(|known| known.name == *counter);
                let index = index.ok_or_else(|| at(format!("players have no counter `{counter}`")))?;
                let index = PlayerCounterId::new(index).map_err(|full| at(full.to_string()))?;
                state.lay_player_counter(player, index, *value);
            }
            BoardKind::Var { name, value } => {
                let index = catalogue.vars.iter().position(|known| known.name == *name);
                let index = index.ok_or_else(|| at(format!("there is no variable `{name}`")))?;
                let value = match value.parse() {
                    Ok(number) => Value::Num(number),
                    Err(_) => Value::Player(player_named(catalogue, value).map_err(at)?),
                };
                let index = VarId::new(index).map_err(|full| at(full.to_string()))?;
                state.lay_var(index, value);
            }
            // The boards that a scenario builds on have settled them.
            BoardKind::With(_) | BoardKind::Without(_) => {}
            BoardKind::Cards { player, zone, cards } => {
                let player = player_named(catalogue, player).map_err(at)?;
                let zone = catalogue.zones.iter().position(|known| known.name == *zone && known.player.is_none_or(|owner| owner == player));
                let zone = zone.ok_or_else(|| at("there is no such zone".into()))?;
                let zone = ZoneId::new(zone).map_err(|full| at(full.to_string()))?;
                let first = state.zone(zone).len();
                for placed in cards {
                    for _ in 0..placed.count {
                        let card = put(workshop, &mut state, placed, player, zone, &mut names)?;
                        attach_all(workshop, &mut state, card, placed, player, &mut names)?;
                    }
                }
                // The first line is the top.
                state.lay_top_first(zone, first);
            }
        }
    }
    Ok((state, names))
}

fn put(
    workshop: &Workshop,
    state: &mut State,
    placed: &Placed,
    player: PlayerId,
    zone: ZoneId,
    names: &mut Vec<(String, CardId)>,
) -> Result<CardId, String> {
    let catalogue = workshop.catalogue();
    let at = |error: String| format!("{}: {error}", placed.at);
    let key = deck::find_for(catalogue, &placed.title, player).map_err(at)?;
    let def = catalogue.card(&key).ok_or_else(|| at(format!("no card is called \"{key}\"")))?;
    let card = state.lay_card(def, player, zone).map_err(at)?;
    state.lay_face(card, placed.facedown, if placed.shown { trilogy_engine::inside::EVERYONE } else { 0 });
    for (counter, value) in &placed.counters {
        lay_field(workshop, state, card, counter, value).map_err(at)?;
    }
    let wanted = placed.name.clone().unwrap_or_else(|| slug(&key));
    let taken = |name: &str| names.iter().any(|(known, _)| known == name);
    let name = if taken(&wanted) { (2..).map(|n| format!("{wanted}_{n}")).find(|name| !taken(name)).unwrap_or_default() } else { wanted };
    names.push((name, card));
    Ok(card)
}

/// What a card counts or remembers: a number, or a word, title or player by name.
fn lay_field(workshop: &Workshop, state: &mut State, card: CardId, name: &str, value: &str) -> Result<(), String> {
    let catalogue = workshop.catalogue();
    let fields = FieldId::all(catalogue.fields.len()).zip(&catalogue.fields);
    let (field, def) =
        fields.into_iter().find(|(_, def)| def.name == name).ok_or_else(|| format!("cards have no counter or field `{name}`"))?;
    match def.sort {
        FieldSort::Counter { .. } | FieldSort::Number | FieldSort::Truth => {
            let number = value.parse().map_err(|_| format!("`{value}` is no number"))?;
            state.lay_number(catalogue, card, field, number);
        }
        FieldSort::Value | FieldSort::List => {
            let word = workshop.word(value).map(Value::Word);
            let value = word
                .or_else(|| player_named(catalogue, value).ok().map(Value::Player))
                .ok_or_else(|| format!("there is no word `{value}`"))?;
            state.lay_memory(card, field, if def.sort == FieldSort::List { Value::list(vec![value]) } else { value });
        }
    }
    Ok(())
}

fn attach_all(
    workshop: &Workshop,
    state: &mut State,
    host: CardId,
    placed: &Placed,
    player: PlayerId,
    names: &mut Vec<(String, CardId)>,
) -> Result<(), String> {
    let catalogue = workshop.catalogue();
    for (role, on) in &placed.attached {
        let at = |error: String| format!("{}: {error}", on.at);
        let own = match &on.owner {
            Some(owner) => Some(player_named(catalogue, owner).map_err(at)?),
            None => deck::owner(catalogue, &on.title),
        };
        let player = own.unwrap_or(player);
        let card = put(workshop, state, on, player, ATTACHED, names)?;
        attach(catalogue, state, card, host, role).map_err(|error| format!("{}: {error}", on.at))?;
        attach_all(workshop, state, card, on, player, names)?;
    }
    Ok(())
}

fn attach(catalogue: &Catalogue, state: &mut State, card: CardId, to: CardId, role: &str) -> Result<(), String> {
    let role = catalogue.roles.iter().position(|known| known.name == role).ok_or_else(|| format!("there is no role `{role}`"))?;
    state.lay_on(card, to, RoleId::new(role).map_err(|full| full.to_string())?);
    Ok(())
}

/// "Anakin Skywalker (A)" is `anakin_skywalker_a`.
fn slug(key: &str) -> String {
    let mut out = String::new();
    for c in key.chars().filter(|c| *c != '\'') {
        if c.is_ascii_alphanumeric() {
            out.push(c.to_ascii_lowercase());
        } else if !out.ends_with('_') {
            out.push('_');
        }
    }
    out.trim_matches('_').to_string()
}

pub(super) fn player_named(catalogue: &Catalogue, name: &str) -> Result<PlayerId, String> {
    let at = catalogue.players.iter().position(|player| player == name);
    at.map(|at| PlayerId(at as u8)).ok_or_else(|| format!("no player is called `{name}`: there are {}", catalogue.players.join(" and ")))
}
