//! A table before any program runs: laid for a setup, by hand for a scenario, or as a viewer imagines it.

use super::{Card, Script, State, Status, Table, Zones};
use crate::catalogue::{Catalogue, DefId, EventId, FieldId, PlayerCounterId, RoleId, VarId, ZoneId};
use crate::eval::{Env, World};
use crate::rng::Random;
use crate::value::{CardId, PlayerId, Value};

impl State {
    /// No card, no program; all counters at their floor and the variables still without a value.
    pub(crate) fn bare(catalogue: &Catalogue, options: Vec<u8>, seed: [u8; 32]) -> State {
        let table = Table {
            cards: Vec::new(),
            zones: Zones::empty(catalogue.zones.len()),
            numbers: Vec::new(),
            memory: Vec::new(),
            tallies: catalogue.player_counters.iter().flat_map(|counter| [counter.floor; 2]).collect(),
            vars: vec![Value::None; catalogue.vars.len()],
            options: options.into(),
            effects: Vec::new(),
            waiting: Vec::new(),
            used: Vec::new(),
            frames: Vec::new(),
            registers: Vec::new(),
            bound: Default::default(),
            ask: None,
            status: Status::Asking,
            random: Random::from_seed(seed),
            script: Script::default(),
            serial: 0,
            changes_in_play: 0,
            answers: 0,
            faults: 0,
        };
        State { table }
    }

    /// Put one more card on the table, before a game or for a scenario.
    pub fn lay_card(&mut self, def: DefId, owner: PlayerId, zone: ZoneId) -> Result<CardId, String> {
        let id = u16::try_from(self.cards.len()).map(CardId).map_err(|_| "there are too many cards for one game")?;
        let (role, has) = (RoleId::FIRST, Default::default());
        self.table.cards.push(Card { def, owner, controller: owner, zone, facedown: false, shown: 0, parent: None, role, since: 0, has });
        self.table.zones.push(zone.index(), id);
        Ok(id)
    }

    /// Give the variables the values that they start with; each may read those before it and the cards.
    pub(crate) fn lay_vars(&mut self, catalogue: &Catalogue) {
        for (at, var) in catalogue.vars.iter().enumerate() {
            if let Some(init) = var.init {
                self.table.vars[at] = Env::new(World::new(catalogue, self), PlayerId(0)).eval(init);
            }
        }
    }

    /// The same game in which these cards are others, where a viewer may not know them.
    pub fn with_faces(&self, faces: impl IntoIterator<Item = (CardId, DefId)>) -> State {
        let mut other = self.clone();
        other.lay_faces(faces);
        other
    }

    /// These cards are others than they were.
    pub(crate) fn lay_faces(&mut self, faces: impl IntoIterator<Item = (CardId, DefId)>) {
        for (card, def) in faces {
            self.table.cards[card.0 as usize].def = def;
        }
    }

    /// Chance goes on from another seed.
    pub(crate) fn lay_seed(&mut self, seed: [u8; 32]) {
        self.table.random = Random::from_seed(seed);
    }
}

/// By hand, for scenarios.
impl State {
    pub fn lay_player_counter(&mut self, player: PlayerId, counter: PlayerCounterId, value: i32) {
        self.table.tallies[counter.index() * 2 + player.index()] = value;
    }

    pub fn lay_var(&mut self, var: VarId, value: Value) {
        self.table.vars[var.index()] = value;
    }

    /// A card lies face down, or was shown to viewers, as bits.
    pub fn lay_face(&mut self, card: CardId, facedown: bool, shown: u8) {
        let card = &mut self.table.cards[card.0 as usize];
        card.facedown = facedown;
        card.shown = shown;
    }

    /// A counter, number or truth of a card.
    pub fn lay_number(&mut self, catalogue: &Catalogue, card: CardId, field: FieldId, value: i32) {
        let default = catalogue.fields[field.index()].floor();
        self.put_number(card, field, (value != default).then_some(value));
    }

    /// Anything else that a card remembers.
    pub fn lay_memory(&mut self, card: CardId, field: FieldId, value: Value) {
        let _ = self.remember(card, field, value);
    }

    /// A card of the zone of attached cards lies on or under another one.
    pub fn lay_on(&mut self, card: CardId, to: CardId, role: RoleId) {
        let card = &mut self.table.cards[card.0 as usize];
        card.parent = Some(to);
        card.role = role;
    }

    /// The cards of a zone behind the first few were laid top first, and the top is the last of a zone.
    pub fn lay_top_first(&mut self, zone: ZoneId, behind: usize) {
        self.table.zones.cards_mut(zone.index())[behind..].reverse();
    }

    /// From here on nothing is left to chance.
    pub fn script(&mut self) {
        self.table.script.on = true;
    }

    /// Dice for a game without chance, to be rolled next.
    pub fn give_dice(&mut self, dice: &[i32]) {
        self.table.script.dice.extend(dice);
    }

    /// Pause when this event is told, or no longer.
    pub fn stop_at(&mut self, event: Option<EventId>) {
        self.table.script.stop = event;
    }

    /// From here on chance is chance again.
    pub fn unscript(&mut self) {
        self.table.script = Script::default();
    }
}
