//! Expressions as code: steps that work on a handful of places (`Reg`), one after the other, with jumps where a test decides.
//! It is made from the expressions when a catalogue is loaded, whether built in or read from sources, and is never stored.

use super::MAX_DEPTH;
use super::cells::Cell;
use super::counts::Origin;
use crate::catalogue::{BinOp, Catalogue, Print, Prop, Quantifier};
use crate::ids::*;

/// One of the places that a piece of code works on.
pub(super) type Reg = u8;
/// How many of them there are.
pub(super) const REGS: usize = 32;
/// Who asks and the card that asks lie there from the start.
pub(super) const YOU: Reg = 31;
pub(super) const ME: Reg = 30;
/// The places that code has for all else.
pub(super) const FREE: usize = 30;

/// Where a jump goes: while code is made the number of a label, afterwards that of a step, counted from the start of its piece.
pub(super) type To = u16;
/// The place of a constant among those of the code.
pub(super) type Constant = u32;
/// The place of a call among those of the code.
pub(super) type Site = u32;

/// How much deeper a step is than the code it stands in: functions that stand in place of their calls count as if they were called.
pub(super) type Deeper = u16;

/// One step. The first place is the one that is written, where a step writes one; tests jump where they come out as wanted.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Step {
    Put(Reg, Constant),
    PutNum(Reg, i32),
    Copy(Reg, Reg),
    Register(Reg, RegisterId),
    Var(Reg, VarId),
    PlayerVar(Reg, Reg, VarId),
    Source(Reg),
    Option(Reg, OptionId),
    ChangesInPlay(Reg),
    Neg(Reg, Reg),
    Multiply(Reg, Reg, Reg),
    Max(Reg, Reg, Reg),
    /// No less than a number.
    AtLeast(Reg, Reg, i32),
    Add(Reg, Reg, Reg),
    Sub(Reg, Reg, Reg),
    Arithmetic(BinOp, Reg, Reg, Reg),
    Increase(Reg, Reg, i32),
    Stat(Reg, Reg, StatId, Deeper),
    StatFor(Reg, Reg, Reg, StatId, Deeper),
    /// A value that is what is printed.
    Printed(Reg, Reg, StatId),
    Fact(Reg, Reg, FactId),
    Enum(Reg, Reg, EnumId),
    Members(Reg, Reg, EnumId),
    /// A number of a card, 0 where it has none.
    Number(Reg, Reg, FieldId),
    /// A counter of a card, at its floor where it has none.
    Counter(Reg, Reg, FieldId),
    Field(Reg, Reg, FieldId),
    PlayerCounter(Reg, Reg, PlayerCounterId),
    Owner(Reg, Reg),
    Controller(Reg, Reg),
    Parent(Reg, Reg),
    Name(Reg, Reg),
    Root(Reg, Reg),
    Position(Reg, Reg),
    Facedown(Reg, Reg),
    /// The cards of a zone as a list.
    Cards(Reg, Reg),
    Last(Reg, Reg),
    Opponent(Reg, Reg),
    /// How many there are in a zone or list.
    Size(Reg, Reg),
    /// The same, and 0 where it is neither.
    Length(Reg, Reg),
    /// The same for a list that lies in a register of the program, or in a variable.
    LengthOfRegister(Reg, RegisterId),
    LengthOfVar(Reg, VarId),
    /// The same for the zone of a kind that a player has.
    SizeOf(Reg, Reg, ZoneKindId),
    /// A number and how many there are in the zone of a kind that a player has.
    AddSizeOf(Reg, Reg, Reg, ZoneKindId),
    Prop(Reg, Prop, Reg),
    Words(Reg, Reg),
    ZoneOf(Reg, Reg, ZoneKindId),
    Attached(Reg, Reg, RoleId),
    AllOn(Reg, Reg),
    Call(Reg, Site),
    /// The same for a function whose answers are kept.
    Kept(Reg, Site),
    NewList(Reg),
    Push(Reg, Reg),
    /// Two at once, the second one behind the first.
    PushTwo(Reg, Reg, Reg),
    Range(Reg, Reg, Reg),
    Join(Reg, Reg, Reg),
    Without(Reg, Reg, Reg),
    Moves(Reg, Reg, Reg, Deeper),
    Waiting(Reg, Reg, Reg),
    CountWaiting(Reg, Reg, Reg),
    Item(Reg, Reg, Reg),
    /// The same of the cards of a zone, and of a list that lies in a register of the program.
    CardAt(Reg, Reg, Reg),
    ItemOfRegister(Reg, Reg, RegisterId),
    Brings(Reg, Reg, Reg),
    Native(Reg, Site),
    Count(Reg),
    Sum(Reg, Reg),
    Better(Quantifier, Reg, Reg),

    Jump(To),
    If(Reg, bool, To),
    Same(Reg, Reg, bool, To),
    /// Only the first constants have a number that is short enough.
    SameAs(Reg, u16, bool, To),
    SameVar(Reg, VarId, bool, To),
    /// Whether cards in play have changed as often as a variable says.
    ChangesAre(VarId, bool, To),
    Missing(Reg, bool, To),
    // The same of what lies in a register of the program.
    IfRegister(RegisterId, bool, To),
    RegisterIs(RegisterId, u16, bool, To),
    RegisterMissing(RegisterId, bool, To),
    RegisterBelow(RegisterId, i16, bool, To),
    RegisterAbove(RegisterId, i16, bool, To),
    Less(Reg, Reg, bool, To),
    AtMost(Reg, Reg, bool, To),
    Below(Reg, i16, bool, To),
    Above(Reg, i16, bool, To),
    // The same of a number of a card, 0 where it has none, and of a counter of a player.
    NumberIs(Reg, FieldId, i8, bool, To),
    NumberAbove(Reg, FieldId, i8, bool, To),
    TallyAbove(Reg, PlayerCounterId, i8, bool, To),
    /// Whether a card is one of a class.
    Fits(Reg, u16, bool, To),
    Truth(Reg, FieldId, bool, To),
    Role(Reg, RoleId, bool, To),
    /// Whether it lies on another one in one of several roles.
    Roles(Reg, u16, bool, To),
    ControlledBy(Reg, Reg, bool, To),
    LiesIn(Reg, ZoneId, bool, To),
    /// Whether it lies in the zone of a kind that its controller has, its owner, a player.
    WithController(Reg, ZoneKindId, bool, To),
    WithOwner(Reg, ZoneKindId, bool, To),
    WithPlayer(Reg, Reg, ZoneKindId, bool, To),
    IsDown(Reg, bool, To),
    May(Site, bool, To),
    /// Whether a function says so whose answers are kept.
    KeptTest(Site, bool, To),
    /// Whether a list or zone has nothing in it.
    Empty(Reg, bool, To),
    /// Whether no trigger waits at all.
    NothingWaits(bool, To),
    In(Reg, Reg, bool, To),
    InRegister(Reg, RegisterId, bool, To),
    InVar(Reg, VarId, bool, To),
    Carries(Reg, Reg, bool, To),
    Mentions(Print, Reg, Reg, bool, To),
    WindowOver(Reg, bool, To, Deeper),
    AnythingActsIn(Reg, bool, To, Deeper),
    /// The same for a window that is known.
    SomebodyActs(WindowId, bool, To, Deeper),
    ActsIn(Reg, Reg, bool, To, Deeper),

    // The first of several, and the next: how far one is, where it goes, from which. A jump where there is no first one, and where
    // there is a next one.
    FirstIn(Reg, Reg, ZoneId, To),
    FirstOfZone(Reg, Reg, Reg, To),
    /// The same of the zone of a kind that a player has.
    FirstOfKind(Reg, Reg, Reg, ZoneKindId, To),
    /// Those in several zones, one behind the other.
    FirstInAll(Reg, Reg, u16, To),
    NextInAll(Reg, Reg, u16, To),
    NextOfZone(Reg, Reg, To),
    FirstAttached(Reg, Reg, Reg, RoleId, To),
    NextAttached(Reg, Reg, Reg, RoleId, To),
    FirstOn(Reg, Reg, Reg, To),
    NextOn(Reg, Reg, Reg, To),
    FirstOfList(Reg, Reg, Reg, To),
    NextOfList(Reg, Reg, Reg, To),
    FirstOfRegister(Reg, Reg, RegisterId, To),
    NextOfRegister(Reg, Reg, RegisterId, To),
    FirstOfVar(Reg, Reg, VarId, To),
    NextOfVar(Reg, Reg, VarId, To),

    Return(Reg),
    Answer(Constant),
    Decide(bool),

    // Of programs only.
    /// A value into a register of the program.
    Write(Reg, RegisterId),
    /// A constant into a register.
    Settle(RegisterId, Constant),
    /// A number in a register, so much more.
    Raise(RegisterId, i16),
    /// The opponent of who stands in another register.
    TakeOpponent(RegisterId, RegisterId),
    /// The value of another register.
    Take(RegisterId, RegisterId),
    /// The value of a variable.
    Load(RegisterId, VarId),
    /// The next item of a list: the registers of the list, of how far one is, and of the item; a jump where there is none.
    NextItem(u8, u8, u8, To),
    /// A jump back.
    Back(To),
    /// So many instructions have come to nothing: it goes on behind them.
    Spend(u16, To),
    /// Another program, by its place among the calls of the code.
    CallTo(u32),
    /// The end of the program, and what it comes to.
    End(Operand),
    SetVar(Operand, VarId),
    Bind(Operand, VarId),
    /// So many bindings at once, of those of the code from one on.
    BindAll(u16, u32),
    /// Any other instruction that changes something, by its place among those of the code, with what it needs.
    Do(u32),
    /// The same where it works that out itself.
    DoBare(u32),
}

// Code is read far more often than anything else: a step is no longer than a word of memory.
const _: () = assert!(size_of::<Step>() == 8);

impl Step {
    /// Where it may jump.
    pub(super) fn to(&mut self) -> Option<&mut To> {
        use Step::*;
        match self {
            Jump(to)
            | Back(to)
            | Spend(_, to)
            | NextItem(_, _, _, to)
            | If(_, _, to)
            | Same(_, _, _, to)
            | SameAs(_, _, _, to)
            | SameVar(_, _, _, to)
            | ChangesAre(_, _, to)
            | Missing(_, _, to)
            | IfRegister(_, _, to)
            | RegisterIs(_, _, _, to)
            | RegisterMissing(_, _, to)
            | RegisterBelow(_, _, _, to)
            | RegisterAbove(_, _, _, to)
            | Less(_, _, _, to)
            | AtMost(_, _, _, to)
            | Below(_, _, _, to)
            | Above(_, _, _, to)
            | NumberIs(_, _, _, _, to)
            | NumberAbove(_, _, _, _, to)
            | TallyAbove(_, _, _, _, to)
            | SomebodyActs(_, _, to, _)
            | Fits(_, _, _, to)
            | Truth(_, _, _, to)
            | Role(_, _, _, to)
            | Roles(_, _, _, to)
            | ControlledBy(_, _, _, to)
            | LiesIn(_, _, _, to)
            | WithController(_, _, _, to)
            | WithOwner(_, _, _, to)
            | WithPlayer(_, _, _, _, to)
            | IsDown(_, _, to)
            | May(_, _, to)
            | KeptTest(_, _, to)
            | Empty(_, _, to)
            | NothingWaits(_, to)
            | In(_, _, _, to)
            | InRegister(_, _, _, to)
            | InVar(_, _, _, to)
            | Carries(_, _, _, to)
            | Mentions(_, _, _, _, to)
            | WindowOver(_, _, to, _)
            | AnythingActsIn(_, _, to, _)
            | ActsIn(_, _, _, to, _)
            | FirstIn(_, _, _, to)
            | FirstOfZone(_, _, _, to)
            | FirstOfKind(_, _, _, _, to)
            | FirstInAll(_, _, _, to)
            | NextInAll(_, _, _, to)
            | NextOfZone(_, _, to)
            | FirstAttached(_, _, _, _, to)
            | NextAttached(_, _, _, _, to)
            | FirstOn(_, _, _, to)
            | NextOn(_, _, _, to)
            | FirstOfList(_, _, _, to)
            | NextOfList(_, _, _, to)
            | FirstOfRegister(_, _, _, to)
            | NextOfRegister(_, _, _, to)
            | FirstOfVar(_, _, _, to)
            | NextOfVar(_, _, _, to) => Some(to),
            _ => None,
        }
    }

    /// How a test must come out for it to jump.
    pub(super) fn want(&mut self) -> Option<&mut bool> {
        use Step::*;
        match self {
            If(_, want, _)
            | Same(_, _, want, _)
            | SameAs(_, _, want, _)
            | SameVar(_, _, want, _)
            | ChangesAre(_, want, _)
            | Missing(_, want, _)
            | IfRegister(_, want, _)
            | RegisterIs(_, _, want, _)
            | RegisterMissing(_, want, _)
            | RegisterBelow(_, _, want, _)
            | RegisterAbove(_, _, want, _)
            | Less(_, _, want, _)
            | AtMost(_, _, want, _)
            | Below(_, _, want, _)
            | Above(_, _, want, _)
            | NumberIs(_, _, _, want, _)
            | NumberAbove(_, _, _, want, _)
            | TallyAbove(_, _, _, want, _)
            | SomebodyActs(_, want, _, _)
            | Fits(_, _, want, _)
            | Truth(_, _, want, _)
            | Role(_, _, want, _)
            | Roles(_, _, want, _)
            | ControlledBy(_, _, want, _)
            | LiesIn(_, _, want, _)
            | WithController(_, _, want, _)
            | WithOwner(_, _, want, _)
            | WithPlayer(_, _, _, want, _)
            | IsDown(_, want, _)
            | May(_, want, _)
            | KeptTest(_, want, _)
            | Empty(_, want, _)
            | NothingWaits(want, _)
            | In(_, _, want, _)
            | InRegister(_, _, want, _)
            | InVar(_, _, want, _)
            | Carries(_, _, want, _)
            | Mentions(_, _, _, want, _)
            | WindowOver(_, want, _, _)
            | AnythingActsIn(_, want, _, _)
            | ActsIn(_, _, want, _, _) => Some(want),
            _ => None,
        }
    }

    /// Whether it is left to the machine at once.
    #[inline(always)]
    pub(crate) fn is_of_machine(self) -> bool {
        matches!(self, Step::CallTo(_) | Step::End(_) | Step::SetVar(..) | Step::Bind(..) | Step::BindAll(..) | Step::Do(_))
    }

    /// Whether it gives an answer, so that nothing comes behind it.
    pub(super) fn is_last(self) -> bool {
        matches!(self, Step::Return(_) | Step::Answer(_) | Step::Decide(_))
    }
}

/// An argument with this number or a higher one is a constant, that of the rest.
pub(super) const FIRST_CONSTANT: Reg = REGS as Reg;

/// How many arguments code can give.
pub(super) const ARGS: usize = 5;

/// Where a value lies that an instruction needs.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Operand(u16);

#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Lies {
    /// In a place that code works on.
    At(usize),
    /// Among the constants of the code.
    Constant(usize),
    /// In a register of the program that runs.
    Register(usize),
    /// In a variable.
    Var(usize),
}

impl Operand {
    const BITS: u32 = 14;
    pub(super) const NOTHING: Operand = Operand(0);

    /// None where its number is too large.
    pub(super) fn new(lies: Lies) -> Option<Operand> {
        let (sort, at) = match lies {
            Lies::At(at) => (0, at),
            Lies::Constant(at) => (1, at),
            Lies::Register(at) => (2, at),
            Lies::Var(at) => (3, at),
        };
        (at < 1 << Operand::BITS).then_some(Operand(sort << Operand::BITS | at as u16))
    }
    #[inline]
    pub(crate) fn lies(self) -> Lies {
        let at = (self.0 & ((1 << Operand::BITS) - 1)) as usize;
        match self.0 >> Operand::BITS {
            0 => Lies::At(at & (REGS - 1)),
            1 => Lies::Constant(at),
            2 => Lies::Register(at),
            _ => Lies::Var(at),
        }
    }
}

/// A program: where its code starts, and its instructions, and how many registers it has.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Program {
    pub(super) first: u32,
    pub(crate) start: u32,
    pub(crate) registers: u32,
}

/// A call of a program.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Calling {
    pub(crate) program: ProcId,
    pub(crate) result: Option<RegisterId>,
    /// Where the program goes on that calls it.
    pub(crate) back: u32,
    /// Its arguments among the operands of the code.
    first: u32,
    count: u32,
}

/// An instruction that changes something, by its place among all, and where what it needs stands among the operands of the code.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Doing {
    pub(crate) op: u32,
    pub(crate) needs: u32,
}

/// What is asked for in some place: a function, a permission or a query in Rust, with its arguments.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Called {
    /// The place of the function, permission or query in its table.
    pub(super) what: u16,
    pub(super) deeper: Deeper,
    pub(super) count: u8,
    pub(super) args: [Reg; ARGS],
}

/// The code of a game.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Code {
    pub(super) steps: Vec<Step>,
    pub(super) constants: Vec<Cell>,
    pub(super) sites: Vec<Called>,
    /// Classes of cards: a row of bits for each, a bit for each card of the catalogue.
    pub(super) classes: Vec<u64>,
    pub(super) stride: usize,
    /// Sets of roles.
    pub(super) roles: Vec<u64>,
    /// Calls of programs, and where the values lie that instructions need.
    pub(super) calls: Vec<Calling>,
    pub(super) operands: Vec<Operand>,
    pub(super) bindings: Vec<(VarId, Operand)>,
    /// Other instructions of programs that change something.
    pub(super) doings: Vec<Doing>,
    /// Zones that are gone through one behind the other.
    pub(super) zones: Vec<Vec<ZoneId>>,
    /// Where the code of each expression starts that something asks for; expressions without are walked.
    pub(super) pieces: Vec<Piece>,
    /// The same for the bodies of functions.
    pub(super) functions: Vec<Piece>,
    /// The same for the legal moves of each action of the rules, and for those of all of them in each window.
    pub(super) legal: Vec<Piece>,
    pub(super) legal_in: Vec<Piece>,
    /// The same for all that each ability requires.
    pub(super) usable: Vec<Piece>,
    /// The same for what the rules forbid of each permission.
    pub(super) forbidden: Vec<Piece>,
    /// Where the code of each program starts, and within it that of each instruction; programs without are run as they stand.
    pub(super) programs: Vec<Program>,
    pub(super) entries: Vec<To>,
}

/// Where the code of an expression starts, and the deepest call within it, from where it starts: where there is no room for that, it is
/// walked, which stops in the right place.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Piece {
    pub(super) start: u32,
    pub(super) deepest: Deeper,
}

impl Piece {
    /// There is no code: nothing is so shallow.
    pub(super) const NONE: Piece = Piece { start: u32::MAX, deepest: MAX_DEPTH };

    /// Where it starts, if there is room for it from this depth on.
    #[inline]
    fn from(self, depth: u16) -> Option<u32> {
        (depth + self.deepest < MAX_DEPTH).then_some(self.start)
    }
}

/// There is no code of a program.
pub(super) const NO_CODE: u32 = u32::MAX;

impl Code {
    /// Whether a card is one of a class.
    #[inline(always)]
    pub(super) fn fits(&self, def: DefId, class: u16) -> bool {
        self.classes[class as usize * self.stride + def.index() / 64] >> (def.index() % 64) & 1 != 0
    }

    /// Where the code of what an action allows starts, if there is room for it.
    #[inline]
    pub(super) fn legal_moves(&self, ability: AbilityId, depth: u16) -> Option<u32> {
        self.legal.get(ability.index())?.from(depth)
    }

    /// Where the code of a function starts, if there is room for it.
    #[inline]
    pub(crate) fn function(&self, function: usize, depth: u16) -> Option<u32> {
        self.functions.get(function)?.from(depth)
    }

    /// Where the code of what all actions allow in a window starts, if there is room for it.
    #[inline]
    pub(super) fn legal_moves_in(&self, window: WindowId, depth: u16) -> Option<u32> {
        self.legal_in.get(window.index())?.from(depth)
    }

    /// Where the code of what an ability requires starts, if there is room for it.
    #[inline]
    pub(super) fn usable(&self, ability: AbilityId, depth: u16) -> Option<u32> {
        self.usable.get(ability.index())?.from(depth)
    }

    /// Where the code of what the rules forbid of a permission starts, if there is room for it.
    #[inline]
    pub(super) fn forbidden(&self, permission: PermissionId, depth: u16) -> Option<u32> {
        self.forbidden.get(permission.index())?.from(depth)
    }

    /// A call of a program with its arguments, put behind those that are there.
    pub(super) fn calling(&mut self, program: ProcId, result: Option<RegisterId>, back: u32, args: &[Operand]) -> u32 {
        let first = self.operands.len() as u32;
        self.operands.extend_from_slice(args);
        self.calls.push(Calling { program, result, back, first, count: args.len() as u32 });
        self.calls.len() as u32 - 1
    }
    /// An instruction with what it needs, put behind those that are there.
    pub(super) fn doing(&mut self, op: u32, needs: &[Operand]) -> u32 {
        self.doings.push(Doing { op, needs: self.operands.len() as u32 });
        self.operands.extend_from_slice(needs);
        self.doings.len() as u32 - 1
    }
    /// Bindings, put behind those that are there.
    pub(super) fn binding(&mut self, all: &[(VarId, Operand)]) -> u32 {
        self.bindings.extend_from_slice(all);
        (self.bindings.len() - all.len()) as u32
    }
    #[inline]
    pub(crate) fn bindings(&self, count: u16, first: u32) -> &[(VarId, Operand)] {
        &self.bindings[first as usize..][..count as usize]
    }
    #[inline]
    pub(crate) fn to_do(&self, at: u32) -> Doing {
        self.doings[at as usize]
    }
    #[inline]
    pub(crate) fn operand(&self, at: usize) -> Operand {
        self.operands[at]
    }
    #[inline]
    pub(crate) fn args(&self, call: &Calling) -> &[Operand] {
        &self.operands[call.first as usize..][..call.count as usize]
    }
    #[inline]
    pub(crate) fn call(&self, at: u32) -> &Calling {
        &self.calls[at as usize]
    }
    #[inline]
    pub(crate) fn constant(&self, at: usize) -> Cell {
        self.constants[at]
    }

    /// A program.
    #[inline]
    pub(crate) fn program(&self, program: ProcId) -> Program {
        self.programs[program.index()]
    }
    /// The code of a program and the step at which one of its instructions starts; none where it is run as it stands.
    #[inline]
    pub(crate) fn enter(&self, program: Program, at: u32) -> Option<(&[Step], usize)> {
        let entry = *self.entries.get((program.start + at) as usize)?;
        Some((self.steps.get(program.first as usize..)?, entry as usize))
    }

    /// Where the code of an expression starts, if there is room for it from this depth on. Expressions that came later than the code,
    /// those of a scenario, have none.
    #[inline]
    pub(super) fn start_of(&self, expr: ExprId, depth: u16) -> Option<u32> {
        self.pieces.get(expr.index())?.from(depth)
    }

    /// What each piece of code is the code of, in the order in which they lie.
    pub(super) fn origins(&self, catalogue: &Catalogue) -> Vec<(u32, Origin)> {
        let mut origins: Vec<(u32, Origin)> = Vec::new();
        let mut add = |piece: Option<&Piece>, origin: Origin| {
            origins.extend(piece.filter(|piece| **piece != Piece::NONE).map(|piece| (piece.start, origin)));
        };
        let of = |expr: ExprId| self.pieces.get(expr.index());
        for (id, function) in FunctionId::all(catalogue.functions.len()).zip(&catalogue.functions) {
            add(of(function.body), Origin::Function(id));
        }
        for (id, stat) in StatId::all(catalogue.stats.len()).zip(&catalogue.stats) {
            stat.base.into_iter().for_each(|base| add(of(base), Origin::Stat(id)));
        }
        for (id, scope) in ScopeId::all(catalogue.scopes.len()).zip(&catalogue.scopes) {
            [Some(scope.test), Some(scope.subject), scope.player].into_iter().flatten().for_each(|expr| add(of(expr), Origin::Scope(id)));
        }
        for (id, window) in WindowId::all(catalogue.windows.len()).zip(&catalogue.windows) {
            window.until.into_iter().for_each(|until| add(of(until), Origin::Window(id)));
            add(self.legal_in.get(id.index()), Origin::Window(id));
        }
        for (id, clause) in ClauseId::all(catalogue.clauses.len()).zip(&catalogue.clauses) {
            clause.exprs().for_each(|expr| add(of(expr), Origin::Clause(id)));
        }
        for (id, ability) in AbilityId::all(catalogue.abilities.len()).zip(&catalogue.abilities) {
            ability.exprs().for_each(|expr| add(of(expr), Origin::Ability(id)));
            add(self.legal.get(id.index()), Origin::Ability(id));
            add(self.usable.get(id.index()), Origin::Ability(id));
        }
        for id in PermissionId::all(catalogue.permissions.len()) {
            add(self.forbidden.get(id.index()), Origin::Permission(id));
        }
        for (proc, start) in
            catalogue.procs.iter().zip(self.programs.iter().map(|program| program.first)).filter(|(_, start)| *start != NO_CODE)
        {
            // Up to where the next program starts.
            let end = catalogue.procs.iter().map(|other| other.start).filter(|other| *other > proc.start).min();
            for op in proc.start..end.unwrap_or(self.entries.len() as u32) {
                origins.push((start + u32::from(self.entries[op as usize]), Origin::Op(op)));
            }
        }
        origins.sort_by_key(|(start, _)| *start);
        // One that several share is the first one's.
        origins.dedup_by_key(|(start, _)| *start);
        origins
    }
}
