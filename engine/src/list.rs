//! Lists of values. Copies of one share its items until one of them is changed, and an empty list takes no memory at all: most
//! variables that hold lists are empty most of the time, and a state is copied far more often than a list in it changes.

use crate::value::Value;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::cell::Cell;
use triomphe::ThinArc;

/// It reads like a slice of its items. None where it is empty, so that every empty list is the same.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct List(Option<ThinArc<(), Value>>);

impl List {
    /// The same with each item made anew.
    pub(crate) fn map(&self, change: impl FnMut(&Value) -> Value) -> List {
        List::from_exact(self.iter().map(change))
    }

    /// The items of an iterator that knows how many they are: they are put where they stay at once.
    pub(crate) fn from_exact(items: impl ExactSizeIterator<Item = Value>) -> List {
        List((items.len() > 0).then(|| ThinArc::from_header_and_iter((), items)))
    }

    pub fn into_vec(self) -> Vec<Value> {
        self.to_vec()
    }
}

impl From<Vec<Value>> for List {
    #[inline]
    fn from(items: Vec<Value>) -> List {
        List::from_exact(items.into_iter())
    }
}

impl FromIterator<Value> for List {
    fn from_iter<I: IntoIterator<Item = Value>>(items: I) -> List {
        items.into_iter().collect::<Vec<Value>>().into()
    }
}

impl std::ops::Deref for List {
    type Target = [Value];
    #[inline]
    fn deref(&self) -> &[Value] {
        self.0.as_ref().map_or(&[], |items| &items.slice)
    }
}

impl IntoIterator for List {
    type Item = Value;
    type IntoIter = std::vec::IntoIter<Value>;
    fn into_iter(self) -> Self::IntoIter {
        self.into_vec().into_iter()
    }
}

impl<'a> IntoIterator for &'a List {
    type Item = &'a Value;
    type IntoIter = std::slice::Iter<'a, Value>;
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

// In order, in a hash and in print a list is its items, whoever shares them.

impl PartialOrd for List {
    fn partial_cmp(&self, other: &List) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for List {
    fn cmp(&self, other: &List) -> std::cmp::Ordering {
        self[..].cmp(&other[..])
    }
}

impl std::hash::Hash for List {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self[..].hash(state);
    }
}

impl std::fmt::Debug for List {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self[..].fmt(f)
    }
}

impl Serialize for List {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        self[..].serialize(to)
    }
}

/// Lists in lists, but not so deep that reading a damaged game could exhaust the stack.
impl<'de> Deserialize<'de> for List {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<List, D::Error> {
        thread_local!(static DEPTH: Cell<u8> = const { Cell::new(0) });
        let depth = DEPTH.get();
        if depth >= 32 {
            return Err(D::Error::custom("lists nested too deep"));
        }
        DEPTH.set(depth + 1);
        let items = Vec::<Value>::deserialize(from);
        DEPTH.set(depth);
        items.map(List::from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::CardId;

    fn cards(numbers: &[u16]) -> Value {
        Value::list(numbers.iter().map(|&number| Value::Card(CardId(number))).collect())
    }

    #[test]
    fn a_change_of_a_copy_leaves_the_list_alone() {
        let list = Value::list(vec![cards(&[1, 2]), Value::Num(3)]);
        let mut copy = list.clone();
        assert!(copy.rename(CardId(2), CardId(9)));
        assert_eq!(list, Value::list(vec![cards(&[1, 2]), Value::Num(3)]));
        assert_eq!(copy, Value::list(vec![cards(&[1, 9]), Value::Num(3)]));
    }

    #[test]
    fn lists_are_written_as_they_always_were() {
        let nested = Value::list(vec![cards(&[]), cards(&[300])]);
        assert_eq!(postcard::to_stdvec(&nested).unwrap(), [10, 2, 10, 0, 10, 1, 3, 172, 2]);
        assert_eq!(postcard::from_bytes::<Value>(&[10, 2, 10, 0, 10, 1, 3, 172, 2]).unwrap(), nested);
        assert!(cards(&[]) < cards(&[0]) && cards(&[1]) > cards(&[0, 5]) && format!("{:?}", cards(&[])) == "List([])");
    }

    #[test]
    fn a_list_that_is_too_deep_is_refused() {
        let deep = |depth: usize| postcard::from_bytes::<Value>(&[[10, 1].repeat(depth), vec![0]].concat());
        assert!(deep(32).is_ok() && deep(33).is_err() && deep(100_000).is_err());
    }
}
