//! Merge patches (RFC 7396): what a client must merge into the table that it has.

use crate::protocol::Table;
use serde::Serialize;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// The patch that leads from one table to another, or from nothing; none where nothing changed.
/// What is the same is told by comparing, so that only what changed is written as JSON.
pub(crate) fn tables(old: Option<&Table>, new: &Table) -> Option<Value> {
    let Some(old) = old else { return Some(whole(&json(new))) };
    // Every field is named, so that none can be forgotten here.
    let Table {
        id,
        game,
        catalogue,
        seat,
        seats,
        state,
        offers,
        paused,
        spectators,
        stops,
        undo_free,
        commitment,
        seed,
        vars,
        zones,
        cards,
        effects,
        ask,
        rematch,
    } = new;
    let mut patch = Map::new();
    field(&mut patch, "id", &old.id, id);
    field(&mut patch, "game", &old.game, game);
    field(&mut patch, "catalogue", &old.catalogue, catalogue);
    field(&mut patch, "seat", &old.seat, seat);
    field(&mut patch, "seats", &old.seats, seats);
    field(&mut patch, "state", &old.state, state);
    field(&mut patch, "offers", &old.offers, offers);
    field(&mut patch, "paused", &old.paused, paused);
    field(&mut patch, "spectators", &old.spectators, spectators);
    field(&mut patch, "stops", &old.stops, stops);
    field(&mut patch, "undo_free", &old.undo_free, undo_free);
    field(&mut patch, "commitment", &old.commitment, commitment);
    field(&mut patch, "seed", &old.seed, seed);
    field(&mut patch, "vars", &old.vars, vars);
    field(&mut patch, "effects", &old.effects, effects);
    field(&mut patch, "ask", &old.ask, ask);
    field(&mut patch, "rematch", &old.rematch, rematch);
    entries(&mut patch, "zones", &old.zones, zones);
    entries(&mut patch, "cards", &old.cards, cards);
    (!patch.is_empty()).then_some(Value::Object(patch))
}

fn json<T: Serialize>(value: &T) -> Value {
    serde_json::to_value(value).unwrap_or_default()
}

fn field<T: Serialize + PartialEq>(patch: &mut Map<String, Value>, name: &str, old: &T, new: &T) {
    if old == new {
        return;
    }
    let new = json(new);
    let change = if new.is_null() { Some(Value::Null) } else { between(&json(old), &new) };
    patch.extend(change.map(|change| (name.to_string(), change)));
}

fn entries<K: Ord + AsRef<str>, T: Serialize + PartialEq>(
    patch: &mut Map<String, Value>,
    name: &str,
    old: &BTreeMap<K, T>,
    new: &BTreeMap<K, T>,
) {
    let mut inner = Map::new();
    for key in old.keys().filter(|key| !new.contains_key(*key)) {
        inner.insert(key.as_ref().to_string(), Value::Null);
    }
    for (key, value) in new {
        match old.get(key) {
            Some(before) => field(&mut inner, key.as_ref(), before, value),
            None => drop(inner.insert(key.as_ref().to_string(), whole(&json(value)))),
        }
    }
    if !inner.is_empty() {
        patch.insert(name.to_string(), Value::Object(inner));
    }
}

/// The patch that leads from `old` to `new`; none where nothing changed. Documents have no null inside objects
/// except where a key is absent from the other: a key that became null is removed, and reads as null again.
fn between(old: &Value, new: &Value) -> Option<Value> {
    match (old, new) {
        (Value::Object(old), Value::Object(new)) => {
            let mut patch = Map::new();
            for key in old.keys().filter(|key| new.get(*key).is_none_or(Value::is_null)) {
                if !old[key].is_null() {
                    patch.insert(key.clone(), Value::Null);
                }
            }
            for (key, value) in new.iter().filter(|(_, value)| !value.is_null()) {
                match old.get(key) {
                    Some(before) => {
                        if let Some(change) = between(before, value) {
                            patch.insert(key.clone(), change);
                        }
                    }
                    None => {
                        patch.insert(key.clone(), whole(value));
                    }
                }
            }
            (!patch.is_empty()).then_some(Value::Object(patch))
        }
        _ if old == new => None,
        _ => Some(whole(new)),
    }
}

/// A document as a patch on nothing: the same without its nulls, which a patch could not set.
fn whole(value: &Value) -> Value {
    match value {
        Value::Object(map) => {
            Value::Object(map.iter().filter(|(_, value)| !value.is_null()).map(|(key, value)| (key.clone(), whole(value))).collect())
        }
        other => other.clone(),
    }
}

/// Merge a patch into a document, as a client does.
pub fn merge(document: &mut Value, patch: &Value) {
    let Value::Object(patch) = patch else {
        *document = patch.clone();
        return;
    };
    if !document.is_object() {
        *document = Value::Object(Map::new());
    }
    let Value::Object(map) = document else { return };
    for (key, value) in patch {
        if value.is_null() {
            map.remove(key);
        } else {
            merge(map.entry(key.clone()).or_insert(Value::Null), value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_patch_leads_from_old_to_new() {
        let documents = [
            json!({}),
            json!({"a": 1, "b": {"c": [1, 2], "d": null}}),
            json!({"a": null, "b": {"c": [1], "d": {"e": 5}}}),
            json!({"b": 7, "x": {"y": {"z": null, "w": "text"}}}),
            json!({"x": {"y": {"w": "text"}, "v": []}}),
        ];
        for old in &documents {
            for new in &documents {
                let mut merged = whole(old);
                if let Some(patch) = between(old, new) {
                    merge(&mut merged, &patch);
                } else {
                    assert_eq!(whole(old), whole(new));
                }
                assert_eq!(merged, whole(new), "from {old} to {new}");
            }
        }
    }

    #[test]
    fn what_stays_is_not_sent() {
        let old = json!({"cards": {"1": {"damage": 1, "power": 2}, "2": {"damage": 0}}});
        let new = json!({"cards": {"1": {"damage": 2, "power": 2}, "2": {"damage": 0}}});
        assert_eq!(between(&old, &new), Some(json!({"cards": {"1": {"damage": 2}}})));
        assert_eq!(between(&new, &new), None);
    }
}
