//! What one viewer may know of a game. Bots get a [`View`], clients a [`Snapshot`] made from one;
//! both are built from what is known, never cut down from the state.

use crate::asks::{AskView, Question};
use crate::catalogue::{AskDef, CardDef, Catalogue};
use crate::eval::{self, Refusal, TraceLine, World};
use crate::ids::*;
use crate::memo::Memo;
use crate::playout::Playout;
use crate::rng::Random;
use crate::sight::{self, Viewer, knows};
use crate::state::{ATTACHED, Answer, AskKind, Card, State, Status};
use crate::text;
use crate::value::{CardId, Move, PlayerId, Value};
use serde::Serialize;
use std::cell::OnceCell;

/// A window on a state that shows only what its viewer may know.
pub struct View<'a> {
    catalogue: &'a Catalogue,
    state: &'a State,
    viewer: Viewer,
    memo: Kept<'a>,
    /// The values of cards that the rules show, and of each whether it is what is printed on all cards that do not speak of it.
    shown: OnceCell<Vec<(StatId, bool)>>,
}

/// Windows for several viewers on one state: what is found out for one of them is at hand for the others.
pub struct Views<'a> {
    catalogue: &'a Catalogue,
    state: &'a State,
    memo: Memo,
}

impl<'a> Views<'a> {
    pub(crate) fn new(catalogue: &'a Catalogue, state: &'a State) -> Views<'a> {
        Views { catalogue, state, memo: Memo::default() }
    }
    pub fn of(&self, viewer: Viewer) -> View<'_> {
        View::sharing(self.catalogue, self.state, viewer, &self.memo)
    }
}

/// Where a view keeps what it has found out about its state. A glance finds out nothing that would have to be kept.
enum Kept<'a> {
    Here(OnceCell<Box<Memo>>),
    /// With a game that is played on, where the next view of it finds it.
    There(&'a Memo),
}

/// A card at a glance: where it lies and for whom, without its numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Glance {
    pub owner: PlayerId,
    pub controller: PlayerId,
    pub zone: ZoneId,
    pub facedown: bool,
    pub parent: Option<CardId>,
    pub role: RoleId,
}

/// A card as a viewer sees it; `def` is none where the viewer may not know it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct CardView {
    pub id: CardId,
    pub def: Option<DefId>,
    pub owner: PlayerId,
    pub controller: PlayerId,
    pub zone: ZoneId,
    pub facedown: bool,
    pub parent: Option<CardId>,
    pub role: RoleId,
    /// The counters that are told and not at their floor, of a card that is not known only the open ones.
    pub counters: Vec<(FieldId, i32)>,
    /// Current values by their number in the catalogue, of those that are told; empty where the card is not known.
    pub stats: Vec<Option<i32>>,
}

impl CardView {
    /// A counter of the card; the floor where it is not there or not told.
    pub fn counter(&self, field: FieldId) -> i32 {
        self.counters.iter().find(|(known, _)| *known == field).map_or(0, |(_, count)| *count)
    }
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ZoneView {
    pub name: String,
    pub player: Option<PlayerId>,
    pub cards: Vec<CardView>,
    /// Cards that are only counted.
    pub hidden: usize,
}

/// A whole view as owned, serialisable data.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Snapshot {
    pub viewer: Viewer,
    pub status: Status,
    pub answers: u32,
    pub players: Vec<Vec<i32>>,
    pub zones: Vec<ZoneView>,
    pub effects: Vec<String>,
    pub ask: Option<AskView>,
}

impl<'a> View<'a> {
    pub(crate) fn new(catalogue: &'a Catalogue, state: &'a State, viewer: Viewer) -> View<'a> {
        View { catalogue, state, viewer, memo: Kept::Here(OnceCell::new()), shown: OnceCell::new() }
    }
    /// The memo must be of this very state.
    pub(crate) fn sharing(catalogue: &'a Catalogue, state: &'a State, viewer: Viewer, memo: &'a Memo) -> View<'a> {
        View { catalogue, state, viewer, memo: Kept::There(memo), shown: OnceCell::new() }
    }
    fn world(&self) -> World<'_> {
        let memo: &Memo = match &self.memo {
            Kept::Here(memo) => memo.get_or_init(Box::default),
            Kept::There(memo) => memo,
        };
        World::remembering(self.catalogue, self.state, memo)
    }
    pub fn catalogue(&self) -> &'a Catalogue {
        self.catalogue
    }
    pub fn viewer(&self) -> Viewer {
        self.viewer
    }
    pub fn status(&self) -> &'a Status {
        &self.state.status
    }
    pub fn answers(&self) -> u32 {
        self.state.answers
    }
    /// How many actions were broken off because they could not go on.
    pub fn faults(&self) -> u16 {
        self.state.faults
    }
    pub fn asked(&self) -> Option<PlayerId> {
        self.state.asked()
    }
    fn mine(&self) -> bool {
        match self.viewer {
            Viewer::Player(player) => self.asked() == Some(player),
            Viewer::Referee => true,
            Viewer::Spectator => false,
        }
    }
    /// The window that is open, where the pending ask offers the moves of one and is this viewer's to answer.
    pub fn window(&self) -> Option<WindowId> {
        eval::open_window(self.world()).filter(|_| self.mine())
    }
    /// A triggered ability that waits, with the card that carries it.
    pub fn waiting(&self, serial: u32) -> Option<(ClauseId, Option<CardId>)> {
        let waiting = self.state.waiting.iter().find(|waiting| waiting.serial == serial)?;
        Some((waiting.clause, waiting.source.filter(|&card| self.knows(card))))
    }
    /// What belongs to the pending question, where it is this viewer's to answer: hosts know it by its name.
    pub fn question(&self) -> Option<&'a AskDef> {
        let ask = self.state.ask.as_ref().filter(|_| self.mine())?;
        Some(&self.catalogue.asks[ask.def.index()])
    }
    /// The card whose text asks, where one does and the viewer knows it.
    pub fn asking_card(&self) -> Option<CardId> {
        self.ask_kind()?;
        self.state.frames.last()?.source.filter(|&card| self.knows(card))
    }
    /// The card that the asking program begins with, where it has one and the viewer knows it: as a rule the one that acts.
    pub fn acting_card(&self) -> Option<CardId> {
        self.ask_kind()?;
        let frame = self.state.frames.last()?;
        self.state.registers.get(frame.base as usize)?.card().filter(|&card| self.knows(card))
    }
    /// The pending ask with its raw options, where it is this viewer's to answer.
    pub fn ask_kind(&self) -> Option<&'a AskKind> {
        self.state.ask.as_ref().filter(|_| self.mine()).map(|ask| &ask.kind)
    }
    /// A counter of a player that the rules show; 0 for another one.
    pub fn player_counter(&self, player: PlayerId, counter: PlayerCounterId) -> i32 {
        let shown = self.catalogue.player_counters[counter.index()].shown;
        if shown { self.state.tally(player, counter) } else { 0 }
    }
    fn player_counters(&self, player: PlayerId) -> Vec<i32> {
        PlayerCounterId::all(self.catalogue.player_counters.len()).map(|counter| self.player_counter(player, counter)).collect()
    }
    /// The variables that the rules show, each as far as the viewer may know it.
    pub fn vars(&self) -> impl Iterator<Item = (&'a str, Value)> {
        self.shown_vars().map(|(name, value)| (name, self.known_part(value)))
    }
    /// A variable that the rules show, by its name; none where they show no such one.
    pub fn var(&self, name: &str) -> Value {
        let found = self.shown_vars().find(|(known, _)| *known == name);
        debug_assert!(found.is_some(), "the rules show no variable called {name}");
        found.map_or(Value::None, |(_, value)| self.known_part(value))
    }
    fn shown_vars(&self) -> impl Iterator<Item = (&'a str, &'a Value)> + use<'a> {
        let shown = self.catalogue.vars.iter().zip(&self.state.vars).filter(|(var, _)| var.shown);
        shown.map(|(var, value)| (var.name.as_str(), value))
    }
    fn known_part(&self, value: &Value) -> Value {
        match self.viewer {
            // Nothing is hidden, so that there is nothing to go through.
            Viewer::Referee => value.clone(),
            viewer => sight::known_part(self.catalogue, self.state, viewer, value),
        }
    }

    #[inline]
    pub fn knows(&self, card: CardId) -> bool {
        self.viewer == Viewer::Referee || knows(self.catalogue, self.state, self.viewer, card)
    }
    /// All cards of the game.
    pub fn cards(&self) -> impl Iterator<Item = CardId> + use<'a> {
        (0..self.state.cards.len() as u16).map(CardId)
    }
    /// The cards of a zone, from the bottom to the top. They may be told by their numbers: those betray nothing.
    #[inline]
    pub fn lying_in(&self, zone: ZoneId) -> &'a [CardId] {
        self.state.zone(zone)
    }
    #[inline]
    pub fn glance(&self, card: CardId) -> Glance {
        let Card { owner, controller, zone, facedown, parent, role, .. } = *self.state.card(card);
        Glance { owner, controller, zone, facedown, parent, role }
    }
    /// What a card is; none where the viewer may not know it.
    #[inline]
    pub fn face(&self, card: CardId) -> Option<DefId> {
        self.knows(card).then(|| self.state.card(card).def)
    }
    /// What is printed on a card; none where the viewer may not know it.
    #[inline]
    pub fn printed(&self, card: CardId) -> Option<&'a CardDef> {
        self.face(card).map(|def| self.catalogue.def(def))
    }
    /// The outermost card that a card lies on; the card itself where it lies on none.
    pub fn root(&self, card: CardId) -> CardId {
        self.state.root(card)
    }
    /// A counter of a card that the rules show; none where it stands at its floor or the viewer may not know it.
    #[inline]
    pub fn counter(&self, card: CardId, field: FieldId) -> Option<i32> {
        let def = &self.catalogue.fields[field.index()];
        let told = def.shown && (def.open || self.knows(card));
        told.then(|| self.state.number(card, field)).flatten()
    }
    /// A value of a card that the rules show; none where it has none or the viewer may not know the card.
    pub fn value(&self, stat: StatId, card: CardId) -> Option<i32> {
        let own = self.is_shown(stat) && self.knows(card);
        own.then(|| self.known_value(stat, card)).flatten()
    }
    /// Whether the rules show this value of a card.
    fn is_shown(&self, stat: StatId) -> bool {
        let def = &self.catalogue.stats[stat.index()];
        def.shown && !def.of_player && !def.for_something
    }
    fn known_value(&self, stat: StatId, card: CardId) -> Option<i32> {
        match eval::stat(self.world(), stat, &Value::Card(card)) {
            Value::Num(number) => Some(number),
            _ => None,
        }
    }
    /// All values of a card that the viewer knows, by their number in the catalogue.
    fn known_values(&self, card: CardId) -> Vec<Option<i32>> {
        let def = self.state.card(card).def;
        let mut values = vec![None; self.catalogue.stats.len()];
        for &(stat, unchanged) in self.shown_values() {
            let at_hand = unchanged && !self.catalogue.index.stats.has(def.index(), stat.index());
            values[stat.index()] = if at_hand { eval::printed(self.catalogue, stat, def) } else { self.known_value(stat, card) };
        }
        values
    }
    fn shown_values(&self) -> &[(StatId, bool)] {
        self.shown.get_or_init(|| {
            let shown = StatId::all(self.catalogue.stats.len()).filter(|&stat| self.is_shown(stat));
            shown.map(|stat| (stat, eval::is_unchanged(self.world(), stat, &[]))).collect()
        })
    }

    /// The pending question as its player reads it; empty where it is another player's.
    pub fn prompt(&self) -> String {
        if self.mine() { text::prompt(self.world()) } else { String::new() }
    }

    pub fn ask(&self) -> Option<AskView> {
        let ask = self.state.ask.as_ref()?;
        if !self.mine() {
            return Some(AskView::Wait { player: ask.player });
        }
        Some(Question::new(self.world(), ask, self.viewer).view())
    }

    /// The answer to the pending question that goes without asking under the usual stops; none where the question is worth asking,
    /// or another player's.
    pub fn usual(&self) -> Option<Answer> {
        let ask = self.state.ask.as_ref().filter(|_| self.mine())?;
        Question::new(self.world(), ask, self.viewer).usual()
    }

    /// Moves of the window that the viewer is asked in which are not legal now, each with its reason.
    /// Empty where the ask is no window.
    pub fn refusals(&self) -> Vec<(Move, String, Refusal)> {
        let Some(ask) = self.state.ask.as_ref().filter(|_| self.mine()) else { return Vec::new() };
        let Some(window) = eval::open_window(self.world()) else { return Vec::new() };
        let mut found = Vec::new();
        for (candidate, refusal) in eval::refused_moves(self.world(), window, ask.player) {
            found.push((candidate, self.move_text(&candidate), refusal));
        }
        found
    }

    /// What a player could think of doing if this window were open: legal moves first, then those that would be refused, with the
    /// reason. Only the moves of cards that the viewer knows.
    pub fn moves_in(&self, window: WindowId, player: PlayerId) -> Vec<(Move, Option<Refusal>)> {
        let legal = eval::moves(self.world(), window, player).into_iter().map(|chosen| (chosen, None));
        let refused = eval::refused_moves(self.world(), window, player).into_iter();
        let all = legal.chain(refused.map(|(chosen, refusal)| (chosen, Some(refusal))));
        all.filter(|(chosen, _)| chosen.source.or(chosen.card).is_some_and(|card| self.knows(card))).collect()
    }

    /// A move in words.
    pub fn move_text(&self, chosen: &Move) -> String {
        text::move_text(self.world(), chosen, Some(self.viewer))
    }

    pub fn card(&self, card: CardId) -> CardView {
        let known = self.knows(card);
        let data = self.state.card(card);
        let counters = self.state.numbers_of(card).filter(|(field, _)| {
            let def = &self.catalogue.fields[field.index()];
            def.shown && (known || def.open)
        });
        let stats = if known { self.known_values(card) } else { Vec::new() };
        CardView {
            id: card,
            def: known.then_some(data.def),
            owner: data.owner,
            controller: data.controller,
            zone: data.zone,
            facedown: data.facedown,
            parent: data.parent,
            role: data.role,
            counters: counters.collect(),
            stats,
        }
    }

    /// A value of a card or player with its account; none where the viewer may not know the card.
    pub fn trace(&self, stat: StatId, of: &Value) -> Option<(Value, Vec<TraceLine>)> {
        match of {
            Value::Card(card) if !self.knows(*card) => None,
            _ => Some(eval::trace(self.world(), stat, of, None)),
        }
    }

    /// A value of a card for somebody or something: a total for a player, a cost for a place.
    pub fn value_for(&self, stat: StatId, card: CardId, what: &Value) -> Option<i32> {
        let known = self.catalogue.stats[stat.index()].for_something && self.knows(card);
        known.then(|| eval::stat_for(self.world(), stat, &Value::Card(card), what)).and_then(|value| match value {
            Value::Num(number) => Some(number),
            _ => None,
        })
    }

    /// A value of a player.
    pub fn player_value(&self, stat: StatId, player: PlayerId) -> Option<i32> {
        let def = &self.catalogue.stats[stat.index()];
        let own = def.shown && def.of_player && !def.for_something;
        own.then(|| eval::stat(self.world(), stat, &Value::Player(player))).and_then(|value| match value {
            Value::Num(number) => Some(number),
            _ => None,
        })
    }

    pub fn zone(&self, zone: ZoneId) -> ZoneView {
        let def = &self.catalogue.zones[zone.index()];
        let all = self.state.zone(zone);
        let shown = all.iter().filter(|&&card| !def.counted || self.knows(card));
        let cards: Vec<CardView> = shown.map(|&card| self.card(card)).collect();
        ZoneView { name: def.name.clone(), player: def.player, hidden: all.len() - cards.len(), cards }
    }

    pub fn attached(&self, to: CardId) -> Vec<CardView> {
        let attached = self.state.zone(ATTACHED).iter().filter(|&&card| self.state.card(card).parent == Some(to));
        attached.map(|&card| self.card(card)).collect()
    }

    /// A value of a card for somebody or something, with its account.
    pub fn trace_for(&self, stat: StatId, card: CardId, what: &Value) -> Option<(Value, Vec<TraceLine>)> {
        let known = self.catalogue.stats[stat.index()].for_something && self.knows(card);
        known.then(|| eval::trace(self.world(), stat, &Value::Card(card), Some(what)))
    }

    pub fn snapshot(&self) -> Snapshot {
        let zones = ZoneId::all(self.catalogue.zones.len()).map(|zone| self.zone(zone));
        let effects = self.state.effects.iter().map(|effect| {
            let value = |register: RegisterId| effect.captured.get(register.index());
            let says = text::clause_text(self.catalogue, effect.clause, |register| {
                Some(text::value_text(self.world(), value(register)?, Some(self.viewer)))
            });
            match effect.source {
                Some(card) => format!("{}: {says}", text::card_text(self.catalogue, self.state, card, Some(self.viewer))),
                None => says,
            }
        });
        Snapshot {
            viewer: self.viewer,
            status: self.state.status.clone(),
            answers: self.state.answers,
            players: [PlayerId(0), PlayerId(1)].map(|player| self.player_counters(player)).to_vec(),
            zones: zones.collect(),
            effects: effects.collect(),
            ask: self.ask(),
        }
    }

    /// A game that this viewer cannot tell from the real one: what is hidden is drawn anew.
    /// Own hidden cards change places among themselves; hidden cards of others become cards that
    /// the viewer has seen of them, or any card of the game. The generator is another one, too.
    pub fn imagine(&self, seed: [u8; 32]) -> Playout<'a> {
        let mut imagined = self.state.clone();
        let mut catalogue = self.catalogue;
        let mut random = Random::from_seed(seed);
        let all = self.state.cards.len();
        let (mut hidden, mut defs): (Vec<CardId>, Vec<DefId>) = (Vec::with_capacity(all), Vec::with_capacity(all));
        for owner in [PlayerId(0), PlayerId(1)] {
            let own = self.viewer == Viewer::Player(owner);
            hidden.clear();
            // What the hidden ones can be: of one's own cards those that they are, of others what is known of them.
            defs.clear();
            for (card, data) in self.cards().zip(&self.state.cards).filter(|(_, data)| data.owner == owner) {
                let known = self.knows(card);
                if !known {
                    hidden.push(card);
                }
                if known != own {
                    defs.push(data.def);
                }
            }
            if own {
                defs.sort_unstable();
                random.shuffle(&mut defs);
                imagined.lay_faces(hidden.iter().copied().zip(defs.iter().copied()));
            } else {
                if defs.is_empty() {
                    defs.extend(DefId::all(self.catalogue.cards.len()));
                    catalogue = self.catalogue.whole();
                }
                let mut drawn = vec![0; hidden.len()];
                random.draw(defs.len() as u32, &mut drawn);
                imagined.lay_faces(hidden.iter().copied().zip(drawn.into_iter().map(|at| defs[at as usize])));
            }
        }
        imagined.lay_seed(*blake3::hash(&seed).as_bytes());
        Playout::of(catalogue, imagined)
    }
}
