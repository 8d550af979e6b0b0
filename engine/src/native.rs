//! The fence: queries written in Rust because no composition of constructs can say them.
//!
//! Each entry has a number that never changes, a documented meaning and a test. The list is empty:
//! so far the language has carried every rule. A new entry needs a reason in its doc line that names
//! the compositions that were tried.

use crate::catalogue::Catalogue;
use crate::state::State;
use crate::value::Value;

pub struct Native {
    pub name: &'static str,
    pub params: &'static [NativeType],
    pub result: NativeType,
    pub doc: &'static str,
    pub query: fn(&Catalogue, &State, &[Value]) -> Value,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NativeType {
    Num,
    Bool,
    Card,
    Player,
    Cards,
    Nums,
}

pub static NATIVES: &[Native] = &[];

pub(crate) fn query(catalogue: &Catalogue, state: &State, native: u16, args: &[Value]) -> Value {
    NATIVES.get(native as usize).map_or(Value::None, |native| (native.query)(catalogue, state, args))
}
