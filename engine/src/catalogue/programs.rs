//! What runs: expressions, which change nothing, and instructions.

use super::{Args, AskId, Catalogue, ClauseId, ExprId, ProcId, TextId};
use crate::value::{PlayerId, WordId};
use serde::{Deserialize, Serialize};

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Function {
    pub name: String,
    pub params: u8,
    pub body: ExprId,
}

#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Proc {
    pub name: String,
    pub start: u32,
    pub params: u8,
    pub registers: u8,
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
    /// The place of a card in its zone, counted from the bottom; none in zones where cards do nothing.
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
    Zone(u8),
    Text(TextId),
    /// A register of the running frame, or a value captured by a lasting effect.
    Register(u8),
    /// A value bound while evaluating: a parameter of a function, the item of a quantifier.
    Local(u8),
    Var(u8),
    Me,
    Source,
    You,
    Option(u8),
    /// How often cards in play have changed.
    Stirred,
    Not(ExprId),
    Neg(ExprId),
    Bin(BinOp, ExprId, ExprId),
    If(ExprId, ExprId, ExprId),
    Stat(u8, ExprId),
    /// A value of the first for the second.
    StatFor(u8, ExprId, ExprId),
    Fact(u8, ExprId),
    Enum(u8, ExprId),
    Counter(u8, ExprId),
    PlayerCounter(u8, ExprId),
    Prop(Prop, ExprId),
    Is(ExprId, WordId),
    /// Whether a card lies on or under another one in a role.
    HasRole(ExprId, u8),
    /// The zone of a kind that belongs to a player.
    ZoneOf(u8, ExprId),
    Attached(u8, ExprId),
    /// All cards on or under a card, and on or under those.
    Laden(ExprId),
    /// `Quantify(which, list, local, [test, value])`
    Quantify(Quantifier, ExprId, u8, Args),
    Call(u16, Args),
    List(Args),
    Range(ExprId, ExprId),
    /// Whether something is permitted, after rules and cards have spoken.
    May(u8, Args),
    /// `Moves(window, player)`
    Moves(ExprId, ExprId),
    /// Waiting triggers of a class that a player controls.
    Waiting(ExprId, ExprId),
    Item(ExprId, ExprId),
    /// Whether anything could be done in a window: a card that lies where it can act has an ability for it, or the rules have an action.
    Heeded(ExprId),
    /// `Heeds(card, window)`: whether a card has an ability for a window, wherever it lies.
    Heeds(ExprId, ExprId),
    /// How many copies of the second card come into a deck with the first.
    Brings(ExprId, ExprId),
    Native(u8, Args),
}

/// One instruction of a program. Instructions change the state through atoms, ask, or jump.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Op {
    Set(u8, ExprId),
    SetVar(u8, ExprId),
    Jump(u32),
    JumpUnless(ExprId, u32),
    /// `Next(list, index, item, exit)`: the next item of a list register, or leave.
    Next(u8, u8, u8, u32),
    Call(ProcId, Args, u8),
    Return(ExprId),
    /// Run the ability of a move in a frame of its own.
    Run(ExprId),
    /// Run a waiting trigger and take it out of the pool.
    Resolve(ExprId),
    /// Count a use of the running ability against its limit.
    Use,
    /// It came to nothing before it was paid for: that use does not count.
    Unuse,
    Pick {
        to: u8,
        who: ExprId,
        from: ExprId,
        least: ExprId,
        most: ExprId,
        ask: AskId,
        list: bool,
    },
    Number {
        to: u8,
        who: ExprId,
        least: ExprId,
        most: ExprId,
        ask: AskId,
    },
    Order {
        to: u8,
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
        role: u8,
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
        counter: u8,
        of: ExprId,
        by: ExprId,
        set: bool,
    },
    CountPlayer {
        counter: u8,
        of: ExprId,
        by: ExprId,
        set: bool,
    },
    Roll {
        to: u8,
        count: ExprId,
        sides: ExprId,
    },
    Random {
        to: u8,
        from: ExprId,
    },
    Emit {
        event: u8,
        args: Args,
    },
    /// Register a clause as a lasting effect, with a copy of this frame's registers. Without an end
    /// it waits for its event once.
    Lasting {
        clause: ClauseId,
        until: Option<u8>,
    },
    End(u8),
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

pub const NO_REGISTER: u8 = u8::MAX;

impl Catalogue {
    /// The parts of an expression.
    pub(super) fn parts(&self, at: ExprId, visit: &mut dyn FnMut(ExprId)) {
        let mut all = |args: Args| {
            let args = args.start as usize..args.start as usize + args.len as usize;
            self.args.get(args).unwrap_or_default().iter().for_each(|&id| visit(id));
        };
        match self.exprs[at as usize] {
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
            | Expr::Stirred
            | Expr::Option(_) => {}
            Expr::Not(a)
            | Expr::Neg(a)
            | Expr::Stat(_, a)
            | Expr::Fact(_, a)
            | Expr::Enum(_, a)
            | Expr::Counter(_, a)
            | Expr::PlayerCounter(_, a)
            | Expr::Prop(_, a)
            | Expr::Is(a, _)
            | Expr::HasRole(a, _)
            | Expr::ZoneOf(_, a)
            | Expr::Laden(a)
            | Expr::Heeded(a)
            | Expr::Attached(_, a) => visit(a),
            Expr::Bin(_, a, b)
            | Expr::StatFor(_, a, b)
            | Expr::Range(a, b)
            | Expr::Moves(a, b)
            | Expr::Waiting(a, b)
            | Expr::Brings(a, b)
            | Expr::Heeds(a, b)
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

    /// The window of the moves that an expression is about.
    pub(crate) fn moves_within(&self, id: ExprId) -> Option<ExprId> {
        let mut todo = vec![id];
        while let Some(id) = todo.pop() {
            match self.exprs.get(id as usize)? {
                Expr::Moves(window, _) => return Some(*window),
                _ => self.parts(id, &mut |part| todo.push(part)),
            }
        }
        None
    }
}
