//! The types of the language.

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Ty {
    /// Fits everything: `none`, and items of lists whose type is not known.
    Any,
    Num,
    Bool,
    Card,
    Player,
    Zone,
    Word,
    Move,
    Trigger,
    Nums,
    Cards,
    Players,
    Zones,
    Words,
    Moves,
    Triggers,
    /// A window or class of triggers, by name.
    Window,
    Class,
}

pub const TYPES: [(&str, Ty); 17] = [
    ("num", Ty::Num),
    ("bool", Ty::Bool),
    ("card", Ty::Card),
    ("player", Ty::Player),
    ("zone", Ty::Zone),
    ("word", Ty::Word),
    ("move", Ty::Move),
    ("trigger", Ty::Trigger),
    ("nums", Ty::Nums),
    ("cards", Ty::Cards),
    ("players", Ty::Players),
    ("zones", Ty::Zones),
    ("words", Ty::Words),
    ("moves", Ty::Moves),
    ("triggers", Ty::Triggers),
    ("window", Ty::Window),
    ("class", Ty::Class),
];

impl Ty {
    pub fn named(name: &str) -> Option<Ty> {
        TYPES.iter().find(|(known, _)| *known == name).map(|(_, ty)| *ty)
    }
    pub fn name(self) -> &'static str {
        TYPES.iter().find(|(_, ty)| *ty == self).map_or("anything", |(name, _)| name)
    }
    /// The type of the items of a list; a zone lists its cards.
    pub fn item(self) -> Option<Ty> {
        Some(match self {
            Ty::Any => Ty::Any,
            Ty::Nums => Ty::Num,
            Ty::Cards | Ty::Zone => Ty::Card,
            Ty::Players => Ty::Player,
            Ty::Zones => Ty::Zone,
            Ty::Words => Ty::Word,
            Ty::Moves => Ty::Move,
            Ty::Triggers => Ty::Trigger,
            Ty::Num | Ty::Bool | Ty::Card | Ty::Player | Ty::Word | Ty::Move | Ty::Trigger | Ty::Window | Ty::Class => return None,
        })
    }
    pub fn list_of(self) -> Ty {
        match self {
            Ty::Num => Ty::Nums,
            Ty::Card => Ty::Cards,
            Ty::Player => Ty::Players,
            Ty::Zone => Ty::Zones,
            Ty::Word => Ty::Words,
            Ty::Move => Ty::Moves,
            Ty::Trigger => Ty::Triggers,
            _ => Ty::Any,
        }
    }
    pub fn fits(self, wanted: Ty) -> bool {
        self == wanted || self == Ty::Any || wanted == Ty::Any
    }
}
