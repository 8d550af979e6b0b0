//! What runs: expressions, which change nothing, and instructions.

use super::{Args, Catalogue};
use crate::ids::*;
use crate::value::PlayerId;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Function {
    pub name: String,
    pub params: u32,
    pub body: ExprId,
}

#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Proc {
    pub name: String,
    pub start: u32,
    pub params: u32,
    pub registers: u32,
    /// A fault below this frame ends this frame and no more.
    pub contains_faults: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum BinOp {
    Add,
    Sub,
    Mul,
    Div,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    And,
    Or,
    Min,
    Max,
    /// Membership of the left value in the right list.
    In,
    /// Two lists, one after the other.
    Join,
    /// A list less the items of another, each taken away once.
    Without,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Prop {
    Owner,
    Controller,
    Zone,
    Facedown,
    Parent,
    Role,
    Name,
    /// The card of a move or of a waiting trigger.
    MoveCard,
    /// The card that carries the ability of a move.
    MoveSource,
    /// Whether a move carries an ability of a card (not of the rules).
    MoveIsCard,
    /// The outermost card that a card lies on; the card itself where it lies on none.
    Root,
    /// The place of a card in its row, counted from the first; none where it lies in no row on the table.
    Position,
    Opponent,
    First,
    Last,
    Size,
    /// The cards of a zone, bottom first.
    Cards,
    /// Distinct values of a list, in the order of their first appearance.
    Distinct,
}

/// A part of what is printed on a card.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Print {
    Title,
    Text,
    Lore,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Quantifier {
    Any,
    All,
    Count,
    Sum,
    Where,
    /// The list of the values of an expression.
    Each,
    Highest,
    Lowest,
    First,
}

/// A pure expression. Evaluation changes nothing and cannot suspend.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Expr {
    None,
    Num(i32),
    Bool(bool),
    Word(WordId),
    Player(PlayerId),
    Zone(ZoneId),
    Text(TextId),
    /// A register of the running frame, or a value captured by a lasting effect.
    Register(RegisterId),
    /// A value bound while evaluating: a parameter of a function, the item of a quantifier.
    Local(LocalId),
    Var(VarId),
    Me,
    Source,
    You,
    Option(OptionId),
    /// How often cards in play have changed.
    ChangesInPlay,
    Not(ExprId),
    Neg(ExprId),
    Bin(BinOp, ExprId, ExprId),
    If(ExprId, ExprId, ExprId),
    Stat(StatId, ExprId),
    /// A value of the first for the second.
    StatFor(StatId, ExprId, ExprId),
    Fact(FactId, ExprId),
    Enum(EnumId, ExprId),
    /// All words of an enumeration that a card carries.
    Members(EnumId, ExprId),
    /// A counter or number of a card.
    Number(FieldId, ExprId),
    /// A truth that a card remembers.
    Truth(FieldId, ExprId),
    /// Anything else that a card remembers.
    Field(FieldId, ExprId),
    PlayerCounter(PlayerCounterId, ExprId),
    /// The variable of a player, of those that each has: the first one's stands here.
    PlayerVar(VarId, ExprId),
    Prop(Prop, ExprId),
    Is(ExprId, WordId),
    /// Whether a card carries a word that is a value.
    Carries(ExprId, ExprId),
    /// All words that a card carries.
    Words(ExprId),
    /// Whether a word stands in the title, text or lore of a card.
    Mentions(Print, ExprId, ExprId),
    /// Whether a card lies on or under another one in a role.
    HasRole(ExprId, RoleId),
    /// The zone of a kind that belongs to a player.
    ZoneOf(ZoneKindId, ExprId),
    Attached(RoleId, ExprId),
    /// All cards on or under a card, and on or under those.
    AllOn(ExprId),
    /// `Quantify(which, list, local, [test, value])`
    Quantify(Quantifier, ExprId, LocalId, Args),
    Call(FunctionId, Args),
    List(Args),
    Range(ExprId, ExprId),
    /// Whether something is permitted, after rules and cards have spoken.
    May(PermissionId, Args),
    /// `Moves(window, player)`
    Moves(ExprId, ExprId),
    /// Waiting triggers of a class that a player controls.
    Waiting(ExprId, ExprId),
    Item(ExprId, ExprId),
    /// Whether a window is over, as it says of itself.
    WindowOver(ExprId),
    /// Whether anything could be done in a window: a card that lies where it can act has an ability for it, or the rules have an action.
    AnythingActsIn(ExprId),
    /// `ActsIn(card, window)`: whether a card has an ability for a window, wherever it lies.
    ActsIn(ExprId, ExprId),
    /// How many copies of the second card come into a deck with the first.
    Brings(ExprId, ExprId),
    Native(u16, Args),
}

impl Expr {
    /// Whether it needs no working out in a program: it stands in the program, in a register or in a variable.
    #[inline]
    pub(crate) fn is_at_hand(self) -> bool {
        matches!(self, Expr::None | Expr::Num(_) | Expr::Bool(_) | Expr::Player(_) | Expr::Var(_) | Expr::Register(_))
    }
}

/// One instruction of a program. Instructions change the state through atoms, ask, or jump.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Op {
    Set(RegisterId, ExprId),
    SetVar(VarId, ExprId),
    /// `SetPlayerVar(first, player, value)`
    SetPlayerVar(VarId, ExprId, ExprId),
    Jump(u32),
    JumpUnless(ExprId, u32),
    /// `Next(list, index, item, exit)`: the next item of a list register, or leave.
    Next(RegisterId, RegisterId, RegisterId, u32),
    Call(ProcId, Args, Option<RegisterId>),
    Return(ExprId),
    /// Run the ability of a move in a frame of its own.
    Run(ExprId),
    /// Run the effect of a move once more, for a player: neither paid for nor answered. A waiting trigger goes on waiting.
    Repeat(ExprId, ExprId),
    /// `Replace(program, tried, result, exit)`: run the next thing that is done instead of this program, or leave.
    Replace(ProcId, RegisterId, RegisterId, u32),
    /// Run a waiting trigger and take it out of the pool.
    Resolve(ExprId),
    /// Take a waiting trigger out of the pool.
    Drop(ExprId),
    /// Count a use of the running ability against its limit.
    Use,
    /// It came to nothing before it was paid for: that use does not count.
    Unuse,
    Pick {
        to: RegisterId,
        who: ExprId,
        from: ExprId,
        least: ExprId,
        most: ExprId,
        ask: AskId,
        list: bool,
    },
    Number {
        to: RegisterId,
        who: ExprId,
        least: ExprId,
        most: ExprId,
        ask: AskId,
    },
    Order {
        to: RegisterId,
        who: ExprId,
        from: ExprId,
        ask: AskId,
    },
    Place {
        card: ExprId,
        zone: ExprId,
        how: Placing,
    },
    Attach {
        card: ExprId,
        to: ExprId,
        role: RoleId,
        down: bool,
    },
    Turn {
        card: ExprId,
        down: ExprId,
    },
    /// `for_good` makes the player the owner, too.
    Control {
        card: ExprId,
        player: ExprId,
        for_good: bool,
    },
    /// Into the zone of another card, right behind it.
    PlaceBeside {
        card: ExprId,
        other: ExprId,
    },
    /// One card takes the place of another in all that is on it, aimed at it or lasts for it.
    TakeOver {
        card: ExprId,
        old: ExprId,
    },
    Shuffle(ExprId),
    Reveal {
        cards: ExprId,
        to: ExprId,
    },
    Count {
        counter: FieldId,
        of: ExprId,
        by: ExprId,
        set: bool,
    },
    /// What a card remembers from now on.
    Remember {
        field: FieldId,
        of: ExprId,
        value: ExprId,
    },
    CountPlayer {
        counter: PlayerCounterId,
        of: ExprId,
        by: ExprId,
        set: bool,
    },
    Roll {
        to: RegisterId,
        count: ExprId,
        sides: ExprId,
    },
    Random {
        to: RegisterId,
        from: ExprId,
    },
    Emit {
        event: EventId,
        args: Args,
    },
    /// Register a clause as a lasting effect, with a copy of this frame's registers. Without an end
    /// it waits for its event once.
    Lasting {
        clause: ClauseId,
        until: Option<PeriodId>,
    },
    /// A variable has another value until the block ends, however it does.
    Bind(VarId, ExprId),
    /// So many of the last bindings of this program are over.
    Unbind(u32),
    End(PeriodId),
    Win(ExprId),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Placing {
    /// Last of the zone: the top of a pile.
    Top,
    /// The same, face down: nobody sees it who would only see its face.
    Down,
    Bottom,
}

impl Op {
    /// The expressions of an instruction.
    pub(crate) fn exprs(&self, catalogue: &Catalogue, visit: &mut dyn FnMut(ExprId)) {
        let args = |args: Args, visit: &mut dyn FnMut(ExprId)| {
            let args = args.start as usize..args.start as usize + args.len as usize;
            catalogue.args.get(args).unwrap_or_default().iter().for_each(|&id| visit(id));
        };
        let own: &[ExprId] = match self {
            Op::Set(_, a)
            | Op::SetVar(_, a)
            | Op::JumpUnless(a, _)
            | Op::Return(a)
            | Op::Run(a)
            | Op::Resolve(a)
            | Op::Drop(a)
            | Op::Shuffle(a)
            | Op::Bind(_, a)
            | Op::Win(a)
            | Op::Random { from: a, .. } => &[*a],
            Op::SetPlayerVar(_, a, b)
            | Op::Repeat(a, b)
            | Op::Place { card: a, zone: b, .. }
            | Op::Attach { card: a, to: b, .. }
            | Op::Turn { card: a, down: b }
            | Op::Control { card: a, player: b, .. }
            | Op::PlaceBeside { card: a, other: b }
            | Op::TakeOver { card: a, old: b }
            | Op::Reveal { cards: a, to: b }
            | Op::Count { of: a, by: b, .. }
            | Op::CountPlayer { of: a, by: b, .. }
            | Op::Remember { of: a, value: b, .. }
            | Op::Order { who: a, from: b, .. }
            | Op::Roll { count: a, sides: b, .. } => &[*a, *b],
            Op::Number { who, least, most, .. } => &[*who, *least, *most],
            Op::Pick { who, from, least, most, .. } => &[*who, *from, *least, *most],
            Op::Call(_, list, _) | Op::Emit { args: list, .. } => return args(*list, visit),
            Op::Jump(_) | Op::Next(..) | Op::Replace(..) | Op::Use | Op::Unuse | Op::Lasting { .. } | Op::Unbind(_) | Op::End(_) => &[],
        };
        own.iter().for_each(|&id| visit(id));
    }
}

impl Catalogue {
    /// The parts of an expression.
    pub(super) fn parts(&self, at: ExprId, visit: &mut dyn FnMut(ExprId)) {
        self.parts_of(self.exprs[at.index()], visit);
    }
    pub(super) fn parts_of(&self, expr: Expr, visit: &mut dyn FnMut(ExprId)) {
        let mut all = |args: Args| {
            let args = args.start as usize..args.start as usize + args.len as usize;
            self.args.get(args).unwrap_or_default().iter().for_each(|&id| visit(id));
        };
        match expr {
            Expr::None
            | Expr::Num(_)
            | Expr::Bool(_)
            | Expr::Word(_)
            | Expr::Player(_)
            | Expr::Zone(_)
            | Expr::Text(_)
            | Expr::Register(_)
            | Expr::Local(_)
            | Expr::Var(_)
            | Expr::Me
            | Expr::Source
            | Expr::You
            | Expr::ChangesInPlay
            | Expr::Option(_) => {}
            Expr::Not(a)
            | Expr::Neg(a)
            | Expr::Stat(_, a)
            | Expr::Fact(_, a)
            | Expr::Enum(_, a)
            | Expr::Members(_, a)
            | Expr::Number(_, a)
            | Expr::Truth(_, a)
            | Expr::Field(_, a)
            | Expr::PlayerCounter(_, a)
            | Expr::PlayerVar(_, a)
            | Expr::Prop(_, a)
            | Expr::Is(a, _)
            | Expr::Words(a)
            | Expr::HasRole(a, _)
            | Expr::ZoneOf(_, a)
            | Expr::AllOn(a)
            | Expr::AnythingActsIn(a)
            | Expr::WindowOver(a)
            | Expr::Attached(_, a) => visit(a),
            Expr::Bin(_, a, b)
            | Expr::StatFor(_, a, b)
            | Expr::Carries(a, b)
            | Expr::Mentions(_, a, b)
            | Expr::Range(a, b)
            | Expr::Moves(a, b)
            | Expr::Waiting(a, b)
            | Expr::Brings(a, b)
            | Expr::ActsIn(a, b)
            | Expr::Item(a, b) => {
                visit(a);
                visit(b);
            }
            Expr::If(a, b, c) => {
                visit(a);
                visit(b);
                visit(c);
            }
            Expr::Quantify(_, list, _, args) => {
                all(args);
                visit(list);
            }
            Expr::Call(_, args) | Expr::List(args) | Expr::May(_, args) | Expr::Native(_, args) => all(args),
        }
    }

    /// Whether any part of an expression is such a one.
    pub(crate) fn speaks_of(&self, expr: ExprId, such: &dyn Fn(Expr) -> bool) -> bool {
        // Each part is looked at once, however often a (damaged) catalogue comes back to it.
        let (mut todo, mut seen) = (vec![expr], HashSet::new());
        while let Some(part) = todo.pop() {
            if such(self.exprs[part.index()]) {
                return true;
            }
            if seen.insert(part) {
                self.parts(part, &mut |part| todo.push(part));
            }
        }
        false
    }

    /// Where the code of a function starts that is called from this depth, and how deep it is then; none where there is no room for it.
    #[inline]
    pub(crate) fn function_code(&self, function: usize, depth: u16) -> Option<(u32, u16)> {
        let depth = depth + self.index.call_depth_at(function);
        Some((self.index.code.function(function, depth)?, depth))
    }

    /// Whether two expressions are the same by their form.
    pub(crate) fn is_same(&self, a: ExprId, b: ExprId) -> bool {
        if a == b {
            return true;
        }
        // The parts stand for themselves: what is left of the two must be the same.
        let (mut parts_a, mut parts_b) = (Vec::new(), Vec::new());
        self.parts(a, &mut |part| parts_a.push(part));
        self.parts(b, &mut |part| parts_b.push(part));
        let alike = match (self.exprs[a.index()], self.exprs[b.index()]) {
            (Expr::Bin(x, ..), Expr::Bin(y, ..)) => x == y,
            (Expr::Not(_), Expr::Not(_)) => true,
            (Expr::PlayerCounter(x, _), Expr::PlayerCounter(y, _)) => x == y,
            (Expr::Prop(x, _), Expr::Prop(y, _)) => x == y,
            (x, y) => parts_a.is_empty() && x == y,
        };
        alike && parts_a.len() == parts_b.len() && parts_a.len() < 3 && parts_a.iter().zip(&parts_b).all(|(&a, &b)| self.is_same(a, b))
    }

    /// Whether an expression is quickly worked out: it asks for nothing that others have a say in, and goes through no list.
    pub(crate) fn is_slight(&self, expr: ExprId) -> bool {
        let slow = |expr: Expr| match expr {
            Expr::Call(function, _) => !self.index.inlined[function.index()],
            Expr::Stat(..) | Expr::StatFor(..) | Expr::May(..) | Expr::Quantify(..) | Expr::Moves(..) | Expr::Native(..) => true,
            Expr::Attached(..) | Expr::AllOn(_) | Expr::Waiting(..) | Expr::AnythingActsIn(_) | Expr::ActsIn(..) => true,
            Expr::WindowOver(_) | Expr::Mentions(..) | Expr::Members(..) | Expr::Words(_) | Expr::Range(..) | Expr::List(_) => true,
            _ => false,
        };
        !self.speaks_of(expr, &slow)
    }

    /// For each function whether it asks for the card of its caller, itself or through another one.
    pub(crate) fn functions_of_caller(&self) -> Vec<bool> {
        let mut asks = vec![false; self.functions.len()];
        loop {
            let of_me = |expr: Expr| match expr {
                Expr::Me => true,
                Expr::Call(function, _) => asks[function.index()],
                _ => false,
            };
            let now: Vec<bool> = self.functions.iter().map(|function| self.speaks_of(function.body, &of_me)).collect();
            if now == asks {
                return asks;
            }
            asks = now;
        }
    }

    /// The window of the moves that an expression is about.
    pub(crate) fn moves_within(&self, id: ExprId) -> Option<ExprId> {
        let mut todo = vec![id];
        while let Some(id) = todo.pop() {
            match self.exprs.get(id.index())? {
                Expr::Moves(window, _) => return Some(*window),
                _ => self.parts(id, &mut |part| todo.push(part)),
            }
        }
        None
    }
}
