//! Where things lie on the table of the Trading Card Game: its zones, counters and values, found by name once.

use trilogy_engine::view::CardView;
use trilogy_engine::{CardId, Catalogue, PlayerId, View, ZoneId};

/// How a card lies on another one. The catalogue does not name the roles; this is their order in the rules.
pub(crate) const BENEATH: u8 = 0;
pub(crate) const PILOT: u8 = 1;
pub(crate) const EQUIPMENT: u8 = 2;

/// Keywords with the name of their value; those that are only there or not show no number.
const KEYWORDS: [(&str, bool); 9] = [
    ("accuracy", true),
    ("armor", false),
    ("bombard", true),
    ("critical_hit", true),
    ("ion_cannon", true),
    ("lucky", true),
    ("overkill", false),
    ("shields", true),
    ("stun", true),
];

pub(crate) struct Table {
    pub arenas: [ZoneId; 3],
    pub hand: [ZoneId; 2],
    pub build: [ZoneId; 2],
    pub deck: [ZoneId; 2],
    pub discard: [ZoneId; 2],
    pub force: u8,
    pub points: u8,
    pub cost: u8,
    pub speed: u8,
    pub power: u8,
    pub health: u8,
    pub build_counters: u8,
    pub damage: u8,
    /// Damage that is about to be dealt.
    pub pending: u8,
    pub tapped: u8,
    /// Values that are keywords, and whether their number counts.
    pub keywords: Vec<(u8, bool)>,
}

impl Table {
    pub(crate) fn new(catalogue: &Catalogue) -> Result<Table, String> {
        let missing = |what: &str| format!("{} has no {what}, so its table cannot be drawn", catalogue.title);
        let zone = |name: &str, player: Option<u8>| {
            let found = catalogue.zones.iter().position(|zone| zone.name == name && zone.player == player.map(PlayerId));
            found.map(|at| ZoneId(at as u8)).ok_or_else(|| missing(name))
        };
        let both = |name: &str| Ok::<_, String>([zone(name, Some(0))?, zone(name, Some(1))?]);
        let at = |found: Option<usize>, name: &str| found.map(|at| at as u8).ok_or_else(|| missing(name));
        let stat = |name: &str| at(catalogue.stats.iter().position(|stat| stat.name == name), name);
        let counter = |name: &str| at(catalogue.card_counters.iter().position(|counter| counter.name == name), name);
        let of_player = |name: &str| at(catalogue.player_counters.iter().position(|counter| counter.name == name), name);
        let keywords: Result<_, String> = KEYWORDS.iter().map(|(name, number)| Ok((stat(name)?, *number))).collect();
        Ok(Table {
            arenas: [zone("space", None)?, zone("ground", None)?, zone("character", None)?],
            hand: both("hand")?,
            build: both("build")?,
            deck: both("deck")?,
            discard: both("discard")?,
            force: of_player("force")?,
            points: of_player("points")?,
            cost: stat("cost")?,
            speed: stat("speed")?,
            power: stat("power")?,
            health: stat("health")?,
            build_counters: counter("build_counters")?,
            damage: counter("damage")?,
            pending: counter("pending")?,
            tapped: counter("tapped")?,
            keywords: keywords?,
        })
    }

    /// A player's cards in an arena.
    pub(crate) fn in_arena(&self, view: &View<'_>, arena: usize, player: PlayerId) -> Vec<CardView> {
        view.zone(self.arenas[arena]).cards.into_iter().filter(|card| card.controller == player).collect()
    }

    /// The cards of the table in columns, as the keyboard walks over them: the arenas, then the build zones;
    /// in each the opponent's cards, then the viewer's.
    pub(crate) fn columns(&self, view: &View<'_>, viewer: PlayerId) -> [Vec<CardId>; 4] {
        let players = [viewer.opponent(), viewer];
        let ids = |cards: Vec<CardView>| cards.into_iter().map(|card| card.id).collect::<Vec<_>>();
        let arena = |at: usize| players.iter().flat_map(|&player| ids(self.in_arena(view, at, player))).collect();
        let build = players.iter().flat_map(|player| ids(view.zone(self.build[player.index()]).cards)).collect();
        [arena(0), arena(1), arena(2), build]
    }

    pub(crate) fn counter(card: &CardView, counter: u8) -> i32 {
        card.counters.get(counter as usize).copied().unwrap_or(0).into()
    }

    pub(crate) fn stat(card: &CardView, stat: u8) -> Option<i32> {
        card.stats.get(stat as usize).copied().flatten()
    }

    /// What is printed on a card for a value.
    pub(crate) fn printed(catalogue: &Catalogue, card: &CardView, stat: u8) -> Option<i32> {
        let fact = catalogue.stats[stat as usize].fact?;
        catalogue.def(card.def?).facts.get(fact as usize).copied().flatten()
    }
}
