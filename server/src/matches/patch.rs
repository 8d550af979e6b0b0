//! Merge patches between two JSON documents (RFC 7396): what a client must merge into what it has.

use serde_json::{Map, Value};

/// The patch that leads from `old` to `new`; none where nothing changed. Documents have no null inside objects
/// except where a key is absent from the other: a key that became null is removed, and reads as null again.
pub(crate) fn between(old: &Value, new: &Value) -> Option<Value> {
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
pub(crate) fn whole(value: &Value) -> Value {
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
