//! Pure queries: expressions, values with their modifiers, permissions, legal moves, reasons.
//! Nothing in this folder can change a state.
//!
//! An expression is worked out in one of two ways that mean the same: it is walked as it stands (`walk`), or run as the code that it
//! was compiled to when the catalogue was loaded (`code`, `run`). All else is written once, above both.

mod actors;
mod cells;
pub(crate) mod code;
mod compile;
mod counts;
mod desk;
mod grants;
mod kept;
mod moves;
mod permissions;
mod reasons;
mod replaced;
mod run;
mod shared;
mod speakers;
mod triggers;
mod values;
mod walk;

pub(crate) use code::{Lies, Operand, Step};
pub(crate) use compile::compile;
pub(crate) use counts::Work;
pub use counts::{Count, Counts, Origin};
pub(crate) use desk::Desk;
pub use moves::{moves, open_window};
pub use reasons::{Refusal, deck_faults, refused_moves, why_not};
pub(crate) use replaced::Instead;
pub(crate) use run::{NO_REGS, Regs};
pub(crate) use triggers::Heard;
pub use values::{TraceLine, stat, stat_for, trace};
pub(crate) use values::{is_unchanged, printed};

use crate::catalogue::{Catalogue, ClauseKind, ExprId, Speaks};
use crate::memo::Memo;
use crate::state::{Lasting, State};
use crate::value::{CardId, Move, PlayerId, Value};
pub(crate) use cells::Cell;
use smallvec::SmallVec;

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

    /// Work something out. Nothing that is held on the desk outlives this.
    #[inline]
    fn ask<T>(self, ask: impl FnOnce(&mut Eval<'_>) -> T) -> T {
        let World { catalogue, state, memo } = self;
        match memo {
            Some(memo) => {
                let mut desk = memo.desk();
                desk.begin();
                ask(&mut Eval { catalogue, state, desk: &mut desk })
            }
            None => ask(&mut Eval { catalogue, state, desk: &mut Desk::plain() }),
        }
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

/// Levels of expressions inside each other, through functions, values, scopes and permissions. Deeper than
/// any sensible rule; a value that needs more has no value.
const MAX_DEPTH: u16 = 480;
/// What a value, permission or window costs of that, besides its expressions.
const STEP: u16 = 12;

/// Where an expression is worked out: for whom, on which card, with which registers, and how deep inside others.
#[derive(Clone, Copy)]
pub(crate) struct Place<'a> {
    me: Option<CardId>,
    source: Option<CardId>,
    you: PlayerId,
    depth: u16,
    registers: &'a [Value],
}

impl<'a> Place<'a> {
    #[inline]
    fn of_player(you: PlayerId, depth: u16) -> Place<'a> {
        Place { me: None, source: None, you, depth, registers: &[] }
    }
    #[inline]
    pub(crate) fn of_card(me: Option<CardId>, source: Option<CardId>, you: PlayerId, depth: u16) -> Place<'a> {
        Place { me, source, you, depth, registers: &[] }
    }
    /// Where a program runs.
    #[inline]
    pub(crate) fn of_program(me: Option<CardId>, source: Option<CardId>, you: PlayerId, registers: &'a [Value]) -> Place<'a> {
        Place { me, source, you, depth: 0, registers }
    }
    #[inline]
    fn of_effect(effect: &'a Lasting, depth: u16) -> Place<'a> {
        Place { me: effect.me, source: effect.source, you: effect.you, depth, registers: &effect.captured }
    }
    #[inline]
    fn deeper(&self, by: u16) -> Place<'a> {
        Place { depth: self.depth + by, ..*self }
    }
}

/// A question that is being worked out.
pub(crate) struct Eval<'a> {
    catalogue: &'a Catalogue,
    state: &'a State,
    desk: &'a mut Desk,
}

impl<'a> Eval<'a> {
    pub(crate) fn new(catalogue: &'a Catalogue, state: &'a State, desk: &'a mut Desk) -> Eval<'a> {
        Eval { catalogue, state, desk }
    }

    /// What an expression of the running program is worth, with its registers and these values as its first locals.
    pub(crate) fn in_frame(&mut self, expr: ExprId, registers: &[Value], locals: &[Value]) -> Cell {
        let place = match self.state.frames.last() {
            Some(frame) => Place::of_program(frame.me, frame.source, frame.you, registers),
            None => Place::of_player(PlayerId(0), 0),
        };
        self.desk.begin();
        let locals: SmallVec<[Cell; 4]> = locals.iter().map(|local| self.desk.heap.read(local)).collect();
        self.value(&place, &locals, expr)
    }
}

impl Eval<'_> {
    /// What an expression is worth, with these values as its first locals.
    #[inline]
    fn value(&mut self, place: &Place<'_>, locals: &[Cell], expr: ExprId) -> Cell {
        match self.catalogue.index.code.start_of(expr, place.depth) {
            Some(start) if self.desk.is_quick() => self.run_steps::<false>(place, start, locals),
            start => self.value_slowly(place, locals, expr, start),
        }
    }

    /// The same where expressions are walked, or looked at more closely.
    #[cold]
    fn value_slowly(&mut self, place: &Place<'_>, locals: &[Cell], expr: ExprId, start: Option<u32>) -> Cell {
        let Some(start) = start.filter(|_| !self.desk.is_plain()) else { return self.walk_from(place, locals, expr) };
        let value = self.run_steps::<true>(place, start, locals);
        if self.desk.is_checking() {
            self.check(place, locals, expr, value);
        }
        value
    }

    /// What came of running an expression comes of walking it.
    #[cold]
    fn check(&mut self, place: &Place<'_>, locals: &[Cell], expr: ExprId, value: Cell) {
        let walked = self.walk_from(place, locals, expr);
        let heap = &self.desk.heap;
        let what = || format!("{:?} with {locals:?} at {:?}", self.catalogue.exprs[expr.index()], (place.me, place.source, place.you));
        assert!(heap.same(value, walked), "{}: run {:?}, walked {:?}", what(), heap.value(value), heap.value(walked));
    }

    #[inline]
    fn test(&mut self, place: &Place<'_>, locals: &[Cell], expr: ExprId) -> bool {
        self.value(place, locals, expr).truth()
    }

    /// The cards whose clauses are of a sort: those in live zones, and those of which something is asked or told, since what
    /// a card says of itself holds wherever its scope does.
    fn carriers(&mut self, what: Speaks, about: &[Cell]) -> SmallVec<[CardId; 16]> {
        let mut found: SmallVec<[CardId; 16]> = SmallVec::new();
        found.extend_from_slice(self.in_play(what));
        self.out_of_play(what, about, |card| found.push(card));
        found
    }

    fn in_play(&mut self, what: Speaks) -> &[CardId] {
        let (catalogue, state) = (self.catalogue, self.state);
        if self.desk.is_plain() {
            let (table, place) = catalogue.index.table(what);
            let live = catalogue.index.live_zones.iter().flat_map(|zone| &state.zones[zone.index()]);
            return self.desk.found(live.copied().filter(|card| table.has(state.card(*card).def.index(), place)));
        }
        self.desk.speakers(catalogue, state).cards(state, catalogue.index.place_of(what))
    }

    /// The cards among these that lie in no live zone and have clauses of a sort, each once.
    #[inline]
    fn out_of_play(&self, what: Speaks, about: &[Cell], mut visit: impl FnMut(CardId)) {
        let (table, place) = self.catalogue.index.table(what);
        for (at, cell) in about.iter().enumerate() {
            if let Some(id) = cell.card()
                && let card = self.state.card(id)
                && table.has(card.def.index(), place)
                && !self.catalogue.zones[card.zone.index()].live
                && !about[..at].contains(cell)
            {
                visit(id);
            }
        }
    }

    /// Whether nothing speaks of a value or permission where these are asked about: no card in play, no lasting effect, none of
    /// themselves. That is quickly seen.
    #[inline]
    fn is_quiet(&mut self, what: Speaks, about: &[Cell]) -> bool {
        let (catalogue, state) = (self.catalogue, self.state);
        if self.desk.is_plain() {
            let mut quiet = self.in_play(what).is_empty();
            self.out_of_play(what, about, |_| quiet = false);
            return quiet && !state.effects.iter().any(|effect| speaks_of(&catalogue.clause(effect.clause).kind, what));
        }
        let place = catalogue.index.place_of(what);
        let defs = about.iter().filter_map(|cell| cell.card_in(state)).map(|card| card.def);
        self.desk.speakers(catalogue, state).is_quiet(place, defs)
    }

    fn too_deep(&mut self) -> Cell {
        self.desk.cut();
        Cell::NONE
    }
}

/// A place where expressions can be worked out one after the other.
pub struct Env<'a> {
    pub catalogue: &'a Catalogue,
    pub state: &'a State,
    pub you: PlayerId,
    place: Place<'a>,
    locals: SmallVec<[Value; 2]>,
    memo: Option<&'a Memo>,
}

impl<'a> Env<'a> {
    pub fn new(world: World<'a>, you: PlayerId) -> Env<'a> {
        Env::at(world, Place::of_player(you, 0))
    }

    fn at(world: World<'a>, place: Place<'a>) -> Env<'a> {
        let World { catalogue, state, memo } = world;
        Env { catalogue, state, you: place.you, place, locals: SmallVec::new(), memo }
    }

    pub fn of_frame(world: World<'a>) -> Env<'a> {
        let Some(frame) = world.state.frames.last() else { return Env::new(world, PlayerId(0)) };
        let registers = &world.state.registers[frame.base as usize..];
        Env::at(world, Place { registers, ..Place::of_card(frame.me, frame.source, frame.you, 0) })
    }

    pub fn for_card(world: World<'a>, me: Option<CardId>, source: Option<CardId>, you: PlayerId) -> Env<'a> {
        Env::at(world, Place::of_card(me, source, you, 0))
    }

    /// The place of a move: its cards are the first locals, the second one only where its action takes two.
    pub fn for_move(world: World<'a>, chosen: &Move) -> Env<'a> {
        let cards: [Value; 2] = [chosen.card.into(), chosen.target.into()];
        let taken = 1 + usize::from(world.catalogue.ability(chosen.ability).to.is_some());
        Env::for_card(world, chosen.card, chosen.source, chosen.player).with(&cards[..taken])
    }

    /// The same place with other registers.
    pub fn reading(mut self, registers: &'a [Value]) -> Self {
        self.place.registers = registers;
        self
    }

    /// The same place with these values as its first locals.
    pub fn with(mut self, locals: &[Value]) -> Self {
        self.locals.extend(locals.iter().cloned());
        self
    }

    #[inline]
    fn ask<T>(&self, expr: ExprId, then: impl FnOnce(&mut Eval<'_>, Cell) -> T) -> T {
        let place = Place { you: self.you, ..self.place };
        World { catalogue: self.catalogue, state: self.state, memo: self.memo }.ask(|eval| {
            let locals: SmallVec<[Cell; 4]> = self.locals.iter().map(|local| eval.desk.heap.read(local)).collect();
            let cell = eval.value(&place, &locals, expr);
            then(eval, cell)
        })
    }
    pub fn eval(&mut self, expr: ExprId) -> Value {
        self.ask(expr, |eval, cell| eval.desk.heap.value(cell))
    }
    pub fn test(&mut self, expr: ExprId) -> bool {
        self.ask(expr, |_, cell| cell.truth())
    }
    pub fn num(&mut self, expr: ExprId) -> i32 {
        self.ask(expr, |_, cell| cell.count())
    }
    pub fn card(&mut self, expr: ExprId) -> Option<CardId> {
        self.ask(expr, |_, cell| cell.card())
    }
    pub fn player(&mut self, expr: ExprId) -> Option<PlayerId> {
        self.ask(expr, |_, cell| cell.player())
    }
}
