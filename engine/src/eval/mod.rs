//! Pure queries: expressions, values with their modifiers, permissions, legal moves, reasons.
//! Nothing in this folder can change a state.

mod expressions;
mod grants;
mod lists;
mod moves;
mod permissions;
mod reasons;
mod replaced;
mod values;

pub use moves::{moves, open_window};
pub(crate) use permissions::in_scope;
pub use reasons::{Refusal, deck_faults, refused_moves, why_not};
pub(crate) use replaced::{Instead, instead};
pub use values::{TraceLine, stat, stat_for, trace};

use crate::catalogue::{Catalogue, ClauseKind, Speaks};
use crate::memo::{Live, Memo};
use crate::state::{Lasting, State};
use crate::value::{CardId, Move, PlayerId, Value};
use smallvec::SmallVec;
use std::ops::ControlFlow;

/// What is asked about: a state, the game it is of, and what has been found out about it so far.
#[derive(Clone, Copy)]
pub struct World<'a> {
    pub catalogue: &'a Catalogue,
    pub state: &'a State,
    memo: Option<&'a Memo>,
}

impl<'a> World<'a> {
    pub fn new(catalogue: &'a Catalogue, state: &'a State) -> World<'a> {
        World { catalogue, state, memo: None }
    }
    /// With answers kept for as long as the state does not change.
    pub fn remembering(catalogue: &'a Catalogue, state: &'a State, memo: &'a Memo) -> World<'a> {
        World { catalogue, state, memo: Some(memo) }
    }

    /// The cards in live zones that have clauses.
    fn fill_live(&self, live: &mut Live) {
        let World { catalogue, state, .. } = *self;
        for &zone in &catalogue.index.live_zones {
            for &card in &state.zones[zone.index()] {
                let def = state.card(card).def;
                if catalogue.index.speaks[def.index()] {
                    live.add(catalogue, card, def);
                }
            }
        }
    }

    /// Whether nothing speaks of a value or permission where these are asked about: no card in play, no lasting effect, none of
    /// themselves. That is quickly seen.
    fn is_quiet(&self, memo: &Memo, what: Speaks, about: &[Value]) -> bool {
        let World { catalogue, state, .. } = *self;
        self.out_of_play(what, about).next().is_none()
            && !state.effects.iter().any(|effect| speaks_of(&catalogue.clause(effect.clause).kind, what))
            && !memo.see_live(|live| self.fill_live(live), |live| live.speaks_of(what))
    }

    /// Visit the cards whose clauses are of a sort: those in live zones, and those of which something is asked or told, since what
    /// a card says of itself holds wherever its scope does.
    pub(crate) fn carriers(&self, what: Speaks, about: &[Value], mut visit: impl FnMut(CardId) -> ControlFlow<()>) {
        if self.carriers_in_play(what, &mut visit).is_continue() {
            let _ = self.out_of_play(what, about).try_for_each(visit);
        }
    }

    /// The cards among these that lie in no live zone and have clauses of a sort, each once.
    fn out_of_play<'v>(&self, what: Speaks, about: &'v [Value]) -> impl Iterator<Item = CardId> + use<'a, 'v> {
        let World { catalogue, state, .. } = *self;
        let (table, place) = catalogue.index.table(what);
        let first = |(at, value): (usize, &Value)| value.card().filter(|_| !about[..at].contains(value));
        about.iter().enumerate().filter_map(first).filter(move |&card| {
            let card = state.card(card);
            table.has(card.def.index(), place) && !catalogue.zones[card.zone.index()].live
        })
    }

    fn carriers_in_play(&self, what: Speaks, visit: &mut impl FnMut(CardId) -> ControlFlow<()>) -> ControlFlow<()> {
        let World { catalogue, state, memo } = *self;
        let (table, place) = catalogue.index.table(what);
        let speaks = |card: &CardId| table.has(state.card(*card).def.index(), place);
        let Some(memo) = memo else {
            let live = catalogue.index.live_zones.iter().flat_map(|zone| &state.zones[zone.index()]);
            return live.filter(|card| speaks(card)).try_for_each(|card| visit(*card));
        };
        let live = memo.live(|live| self.fill_live(live));
        if !live.speaks_of(what) {
            return ControlFlow::Continue(());
        }
        live.cards.iter().filter(|card| speaks(card)).try_for_each(|card| visit(*card))
    }
}

fn speaks_of(kind: &ClauseKind, what: Speaks) -> bool {
    match (kind, what) {
        (ClauseKind::Modify { stat, .. }, Speaks::Stat(wanted)) => *stat == wanted,
        (ClauseKind::Permit { permission, .. }, Speaks::Permission(wanted)) => *permission == wanted,
        (ClauseKind::Trigger { event, .. }, Speaks::Event(wanted)) => *event == wanted,
        (ClauseKind::Replace { proc, .. }, Speaks::Replaced(wanted)) => *proc == wanted,
        (ClauseKind::Grant { .. }, Speaks::Grants) => true,
        _ => false,
    }
}

/// Where an expression is evaluated: for whom, on which card, with which registers.
pub struct Env<'a> {
    pub catalogue: &'a Catalogue,
    pub state: &'a State,
    pub me: Option<CardId>,
    pub source: Option<CardId>,
    pub you: PlayerId,
    pub registers: &'a [Value],
    locals: SmallVec<[Value; 6]>,
    base: usize,
    depth: u16,
    memo: Option<&'a Memo>,
}

/// Levels of expressions inside each other, through functions, values, scopes and permissions. Deeper than
/// any sensible rule; a value that needs more has no value.
const MAX_DEPTH: u16 = 480;
/// What a value, permission or window costs of that, besides its expressions.
const STEP: u16 = 12;

impl<'a> Env<'a> {
    pub fn new(world: World<'a>, you: PlayerId) -> Env<'a> {
        let World { catalogue, state, memo } = world;
        Env { catalogue, state, me: None, source: None, you, registers: &[], locals: SmallVec::new(), base: 0, depth: 0, memo }
    }

    pub fn of_frame(world: World<'a>) -> Env<'a> {
        let Some(frame) = world.state.frames.last() else { return Env::new(world, PlayerId(0)) };
        Env {
            me: frame.me,
            source: frame.source,
            you: frame.you,
            registers: &world.state.registers[frame.base as usize..],
            ..Env::new(world, frame.you)
        }
    }

    pub fn for_card(world: World<'a>, me: Option<CardId>, source: Option<CardId>, you: PlayerId) -> Env<'a> {
        Env { me, source, ..Env::new(world, you) }
    }

    /// The place of a move: its cards are the first locals, the second one only where its action takes two.
    pub fn for_move(world: World<'a>, chosen: &Move) -> Env<'a> {
        let cards: [Value; 2] = [chosen.card.into(), chosen.target.into()];
        let taken = 1 + usize::from(world.catalogue.ability(chosen.ability).to.is_some());
        Env::for_card(world, chosen.card, chosen.source, chosen.player).with(&cards[..taken])
    }

    pub(crate) fn for_effect(world: World<'a>, effect: &'a Lasting) -> Env<'a> {
        Env::for_card(world, effect.me, effect.source, effect.you).reading(&effect.captured)
    }

    fn world(&self) -> World<'a> {
        World { catalogue: self.catalogue, state: self.state, memo: self.memo }
    }

    /// The same place with other registers.
    pub fn reading(self, registers: &'a [Value]) -> Self {
        Env { registers, ..self }
    }

    /// The same place with these values as its first locals.
    pub fn with(mut self, locals: &[Value]) -> Self {
        self.locals.extend(locals.iter().cloned());
        self
    }
}
