//! Numbers that name something of a game, each of a type of its own: a value cannot be taken for a window.
//! They are made from a place in a table and only where there is one, so that no table has a silent end.

use serde::{Deserialize, Serialize};

/// A table is so long that its next place has no number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Full(pub &'static str);

impl std::fmt::Display for Full {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "there is no room for more {}", self.0)
    }
}
impl std::error::Error for Full {}

/// A number of a place in a table.
pub trait Id: Copy + Default {
    /// The number of this place; an error past the last one there can be.
    fn new(place: usize) -> Result<Self, Full>;
    fn index(self) -> usize;
}

macro_rules! ids {
    ($($(#[$about:meta])* $name:ident($of:ty) $things:literal;)*) => {$(
        $(#[$about])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name($of);

        impl $name {
            /// The first place of the table.
            pub const FIRST: $name = $name(0);

            /// The number of this place; an error past the last one there can be.
            #[inline]
            pub fn new(place: usize) -> Result<$name, Full> {
                <$of>::try_from(place).map($name).map_err(|_| Full($things))
            }
            #[inline]
            pub const fn index(self) -> usize {
                self.0 as usize
            }
            /// All numbers of a table of this length, in order.
            pub fn all(length: usize) -> impl Iterator<Item = $name> {
                (0..length).map_while(|place| $name::new(place).ok())
            }
        }

        impl Id for $name {
            fn new(place: usize) -> Result<$name, Full> {
                $name::new(place)
            }
            fn index(self) -> usize {
                self.index()
            }
        }
    )*};
}

ids! {
    ExprId(u32) "expressions";
    TextId(u32) "texts";
    ProcId(u32) "programs";
    ClauseId(u32) "clauses";
    AskId(u32) "questions";
    CiteId(u32) "cited rules";
    /// A card of the catalogue.
    DefId(u16) "cards";
    /// An action of the rules or an ability of a card.
    AbilityId(u16) "abilities";
    FunctionId(u16) "functions";
    /// A value of cards or players.
    StatId(u16) "values";
    /// A number that is printed on cards.
    FactId(u16) "printed numbers";
    EnumId(u16) "enumerations";
    /// What cards remember.
    FieldId(u16) "fields and counters of cards";
    /// What players count.
    PlayerCounterId(u16) "counters of players";
    VarId(u16) "variables";
    OptionId(u16) "options";
    PeriodId(u16) "periods";
    /// A way in which a card lies on or under another one.
    RoleId(u16) "roles";
    EventId(u16) "events";
    WindowId(u16) "windows";
    ScopeId(u16) "scopes";
    PermissionId(u16) "permissions";
    /// A sort of waiting triggers.
    ClassId(u16) "classes of triggers";
    /// A place in the registers of a running program.
    RegisterId(u16) "names in one program";
    /// A place among the values that are bound while an expression is worked out.
    LocalId(u16) "names in one expression";
    /// A word of the game: a type, a subtype, a side, a member of an enumeration, a title.
    WordId(u16) "words";
    /// A sort of zone: each player may have one of it.
    ZoneKindId(u16) "sorts of zones";
    /// A zone of this game: each zone that every player has stands once for each of them.
    ZoneId(u16) "zones";
}
