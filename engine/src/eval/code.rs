//! Expressions as code: steps that work on a handful of places (`Reg`), one after the other, with jumps where a test decides.
//! It is made from the expressions when a catalogue is loaded, whether built in or read from sources, and is never stored.

use super::MAX_DEPTH;
use super::cells::Cell;
use crate::catalogue::{BinOp, Print, Prop, Quantifier};
use crate::ids::*;

/// One of the places that a piece of code works on.
pub(super) type Reg = u8;
/// How many of them there are.
pub(super) const REGS: usize = 32;
/// Where a jump goes: while code is made the number of a label, afterwards that of a step.
pub(super) type To = u32;

/// How much deeper a step is than the code it stands in: functions that stand in place of their calls count as if they were called.
pub(super) type Deeper = u16;

/// One step. The first place is the one that is written, where a step writes one; tests jump where they come out as wanted.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Step {
    Put(Reg, Cell),
    Copy(Reg, Reg),
    Register(Reg, RegisterId),
    Var(Reg, VarId),
    PlayerVar(Reg, VarId, Reg),
    Me(Reg),
    Source(Reg),
    You(Reg),
    Option(Reg, OptionId),
    ChangesInPlay(Reg),
    Neg(Reg, Reg),
    Arithmetic(BinOp, Reg, Reg, Reg),
    Increase(Reg, Reg, i32),
    Stat(Reg, StatId, Reg, Deeper),
    StatFor(Reg, StatId, Reg, Reg, Deeper),
    Fact(Reg, FactId, Reg),
    Enum(Reg, EnumId, Reg),
    Members(Reg, EnumId, Reg),
    Number(Reg, FieldId, Reg),
    Field(Reg, FieldId, Reg),
    PlayerCounter(Reg, PlayerCounterId, Reg),
    Controller(Reg, Reg),
    Parent(Reg, Reg),
    Root(Reg, Reg),
    Prop(Reg, Prop, Reg),
    Words(Reg, Reg),
    ZoneOf(Reg, ZoneKindId, Reg),
    Attached(Reg, RoleId, Reg),
    AllOn(Reg, Reg),
    /// The arguments lie side by side, from a place on.
    Call(Reg, FunctionId, Reg, u8, Deeper),
    /// The same for a function whose answers are kept.
    Kept(Reg, FunctionId, Reg, u8, Deeper),
    NewList(Reg),
    Push(Reg, Reg),
    Range(Reg, Reg, Reg),
    Join(Reg, Reg, Reg),
    Without(Reg, Reg, Reg),
    Moves(Reg, Reg, Reg, Deeper),
    Waiting(Reg, Reg, Reg),
    Item(Reg, Reg, Reg),
    Brings(Reg, Reg, Reg),
    Native(Reg, u16, Reg, u8),
    Count(Reg),
    Sum(Reg, Reg),
    Better(Quantifier, Reg, Reg),

    Jump(To),
    If(Reg, bool, To),
    Same(Reg, Reg, bool, To),
    SameAs(Reg, bool, To, Cell),
    Compares(BinOp, Reg, Reg, bool, To),
    ComparesWith(BinOp, Reg, i32, bool, To),
    Is(Reg, WordId, bool, To),
    Truth(Reg, FieldId, bool, To),
    Role(Reg, RoleId, bool, To),
    ControlledBy(Reg, Reg, bool, To),
    LiesIn(Reg, ZoneId, bool, To),
    May(PermissionId, Reg, u8, bool, To, Deeper),
    In(Reg, Reg, bool, To),
    InRegister(Reg, RegisterId, bool, To),
    InVar(Reg, VarId, bool, To),
    Carries(Reg, Reg, bool, To),
    Mentions(Print, Reg, Reg, bool, To),
    WindowOver(Reg, bool, To, Deeper),
    AnythingActsIn(Reg, bool, To, Deeper),
    ActsIn(Reg, Reg, bool, To, Deeper),

    // The next of several: from which, how far one is, where it goes; a jump where there is one.
    NextOfZone(Reg, Reg, Reg, To),
    NextAttached(RoleId, Reg, Reg, Reg, To),
    NextOn(Reg, Reg, Reg, To),
    NextOfList(Reg, Reg, Reg, To),
    NextOfRegister(RegisterId, Reg, Reg, To),
    NextOfVar(VarId, Reg, Reg, To),

    Return(Reg),
    Answer(Cell),
}

impl Step {
    /// Where it may jump.
    pub(super) fn to(&mut self) -> Option<&mut To> {
        match self {
            Step::Jump(to)
            | Step::If(_, _, to)
            | Step::Same(_, _, _, to)
            | Step::SameAs(_, _, to, _)
            | Step::Compares(_, _, _, _, to)
            | Step::ComparesWith(_, _, _, _, to)
            | Step::Is(_, _, _, to)
            | Step::Truth(_, _, _, to)
            | Step::Role(_, _, _, to)
            | Step::ControlledBy(_, _, _, to)
            | Step::LiesIn(_, _, _, to)
            | Step::May(_, _, _, _, to, _)
            | Step::In(_, _, _, to)
            | Step::InRegister(_, _, _, to)
            | Step::InVar(_, _, _, to)
            | Step::Carries(_, _, _, to)
            | Step::Mentions(_, _, _, _, to)
            | Step::WindowOver(_, _, to, _)
            | Step::AnythingActsIn(_, _, to, _)
            | Step::ActsIn(_, _, _, to, _)
            | Step::NextOfZone(_, _, _, to)
            | Step::NextAttached(_, _, _, _, to)
            | Step::NextOn(_, _, _, to)
            | Step::NextOfList(_, _, _, to)
            | Step::NextOfRegister(_, _, _, to)
            | Step::NextOfVar(_, _, _, to) => Some(to),
            _ => None,
        }
    }
}

/// The code of a game.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Code {
    pub(super) steps: Vec<Step>,
    /// Where the code of each expression starts that something asks for; expressions without are walked.
    pub(super) starts: Vec<u32>,
    /// The deepest call within it, from where it starts: where there is no room for that, it is walked, which stops in the right place.
    pub(super) deepest: Vec<Deeper>,
}

pub(super) const NO_CODE: u32 = u32::MAX;

impl Code {
    /// Where the code of an expression starts, if there is room for it from this depth on. Expressions that came later than the code,
    /// those of a scenario, have none.
    #[inline]
    pub(super) fn start_of(&self, expr: ExprId, depth: u16) -> Option<u32> {
        let start = *self.starts.get(expr.index())?;
        (start != NO_CODE && depth + self.deepest[expr.index()] < MAX_DEPTH).then_some(start)
    }
}
