//! A compiled game: its vocabulary, its rules and its cards, as flat arenas of small nodes.
//!
//! `saga` makes a catalogue from source text; the machine only reads it. Nothing here names a game.

use crate::memo::{self, Parts};
use crate::value::{PlayerId, WordId, ZoneId};
use serde::{Deserialize, Serialize};

pub type ExprId = u32;
pub type TextId = u32;
pub type AskId = u16;
pub type ProcId = u16;
pub type ClauseId = u16;
pub type DefId = u16;
pub type CiteId = u16;

/// A run of nodes in [`Catalogue::args`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub struct Args {
    pub start: u32,
    pub len: u8,
}

#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Catalogue {
    pub game: String,
    pub title: String,
    /// Hash of the sources this was compiled from; a journal names it.
    pub hash: [u8; 32],
    pub players: Vec<String>,
    pub words: Vec<String>,
    pub enums: Vec<EnumDef>,
    pub zones: Vec<ZoneDef>,
    pub card_counters: Vec<CounterDef>,
    pub player_counters: Vec<CounterDef>,
    pub facts: Vec<String>,
    pub stats: Vec<StatDef>,
    pub vars: Vec<VarDef>,
    pub periods: Vec<String>,
    pub roles: Vec<RoleDef>,
    pub options: Vec<OptionDef>,
    pub events: Vec<EventDef>,
    pub windows: Vec<WindowDef>,
    pub scopes: Vec<ScopeDef>,
    pub permissions: Vec<PermissionDef>,
    pub exprs: Vec<Expr>,
    pub args: Vec<ExprId>,
    pub functions: Vec<Function>,
    pub ops: Vec<Op>,
    pub procs: Vec<Proc>,
    pub clauses: Vec<Clause>,
    pub abilities: Vec<Ability>,
    pub texts: Vec<Text>,
    pub asks: Vec<AskDef>,
    pub cards: Vec<CardDef>,
    /// Rule ids, each once; [`CiteId`] points here.
    pub cites: Vec<String>,
    /// Where each rule id is cited by a program: `(cite, place)`.
    pub cited_at: Vec<(CiteId, String)>,
    pub rule_clauses: Vec<ClauseId>,
    pub actions: Vec<u16>,
    pub deck_rules: Vec<Require>,
    pub values: ValuePolicy,
    pub main: ProcId,
    /// Zone that cards of a deck start in, for player 0 and 1.
    pub deck_zones: Vec<u8>,
    #[serde(skip)]
    pub index: Index,
}

/// How the modifiers of a value combine; each game has its own order.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum ValuePolicy {
    /// In the order in which they came about; a set value starts anew.
    #[default]
    TimeOrder,
    /// All additions, then multiplications; a set value overrides them.
    AddMultiplySet,
}

/// Tables derived from the rest of a catalogue when it is loaded.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Index {
    pub stat_rules: Vec<Vec<ClauseId>>,
    pub permission_rules: Vec<Vec<ClauseId>>,
    /// What the rules alone say of each permission, where they need not look: nothing is said, or all of it is forbidden.
    pub permission_rest: Vec<Option<bool>>,
    /// The zone of each kind for each player.
    pub zone_of: Vec<[ZoneId; 2]>,
    pub event_rules: Vec<Vec<ClauseId>>,
    pub window_actions: Vec<Vec<u16>>,
    /// The windows that actions of the rules are for.
    pub action_windows: u128,
    /// Events that anything in this game listens to.
    pub heard: u128,
    pub live_zones: Vec<u8>,
    pub act_zones: Vec<u8>,
    /// What each card definition has to do with, side by side for quick scans.
    pub masks: Vec<Masks>,
    /// The member of each enumeration that each card carries, card by card.
    pub members: Vec<Option<WordId>>,
    /// How many levels each expression has, and the deepest one of each clause.
    pub depths: Vec<u16>,
    pub clause_depths: Vec<u16>,
    /// Functions whose answers depend on nothing but the state and their arguments, and take some work.
    pub kept: Vec<bool>,
    /// The parts of a state that questions read.
    pub reads: Reads,
}

/// For each function, value, permission and scope the parts of a state that it reads, itself or through others.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Reads {
    pub functions: Vec<Parts>,
    pub stats: Vec<Parts>,
    pub permissions: Vec<Parts>,
    pub scopes: Vec<Parts>,
}

/// The values, permissions, events and windows that a card's abilities speak of, and its words, as bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Masks {
    pub stats: u128,
    pub permissions: u128,
    pub events: u128,
    pub windows: u128,
    /// The first 256 words; later ones are looked up in the list.
    pub words: [u128; 2],
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct EnumDef {
    pub name: String,
    pub members: Vec<WordId>,
}

/// Who may see a face-up card in a zone; a face-down one is seen by `down`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Sight {
    Nobody,
    Owner,
    /// Everyone sees the top card and no other.
    Top,
    All,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ZoneDef {
    pub name: String,
    pub english: String,
    pub kind: u8,
    pub player: Option<PlayerId>,
    pub up: Sight,
    pub down: Sight,
    /// Cards here may be a source of static and triggered abilities.
    pub live: bool,
    /// Cards here may offer moves of their own.
    pub acts: bool,
    /// Viewers who do not know a card here see only how many there are.
    pub counted: bool,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct CounterDef {
    pub name: String,
    /// What it is called to players; the others are the rules' own.
    pub english: Option<String>,
    pub floor: i32,
    pub cap: i32,
    /// Set back to the floor when this period ends.
    pub period: Option<u8>,
    /// Whether the counter stays when a card changes zones.
    pub kept: bool,
    /// Whether a viewer who does not know the card still sees the counter.
    pub open: bool,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct StatDef {
    pub name: String,
    pub english: String,
    pub of_player: bool,
    /// Whether it is a value for something: a cost for a place, a total for a player. That is local 1.
    pub for_something: bool,
    /// A pure expression over local 0; where it is none, the printed fact or no value.
    pub base: Option<ExprId>,
    pub fact: Option<u8>,
    /// What a card without the printed fact has; none where it has no value then.
    pub missing: Option<i32>,
    pub floor: Option<i32>,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct VarDef {
    pub name: String,
    /// Whether players are told of it; the others are the rules' own memory and never leave them.
    pub shown: bool,
    pub init: Option<ExprId>,
    pub period: Option<u8>,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct OptionDef {
    pub name: String,
    pub doc: String,
    pub choices: Vec<String>,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct EventDef {
    pub name: String,
    pub params: Vec<String>,
    pub log: Option<TextId>,
    /// Its line only repeats what the lines around it say: players are not told.
    pub quiet: bool,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct WindowDef {
    pub name: String,
    pub english: String,
    /// What is asked in it, over the variables of the game.
    pub asking: Option<TextId>,
}

/// A way in which a card can lie on or under another one.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct RoleDef {
    pub name: String,
    /// What stands before the other card: "at", "piloting".
    pub english: String,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ScopeDef {
    pub name: String,
    /// Over local 0, the card that carries the ability.
    pub test: ExprId,
    /// The card that the ability speaks of as itself.
    pub subject: ExprId,
    /// The player who has the ability; where it is none, the controller of its card.
    pub player: Option<ExprId>,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct PermissionDef {
    pub name: String,
    pub params: u8,
}

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

/// How many parts a function has whose answers are quicker to keep than to work out.
const WORTH_KEEPING: u32 = 24;

/// A bit of a mask; there is none past the 128th, which the compiler refuses to make.
fn bit(at: u8) -> u128 {
    1u128.checked_shl(at as u32).unwrap_or(0)
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Clause {
    pub kind: ClauseKind,
    /// In force while the scope holds for the card that carries it; none for rules and lasting effects.
    pub scope: Option<u8>,
    pub when: Option<ExprId>,
    pub reason: Option<TextId>,
    pub cite: Option<CiteId>,
    /// English of the clause, for traces and the list of lasting effects.
    pub english: String,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Change {
    Add,
    Multiply,
    Set,
    /// No less than this, whatever else is said.
    AtLeast,
    /// No more than this, whatever else is said.
    AtMost,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum ClauseKind {
    /// `who` is a test over local 0, the card or player whose value it is, and local 1, what it is for; `by` may use them too.
    /// A modifier that is not cumulative counts once for each title that carries it.
    Modify { stat: u8, who: Option<ExprId>, change: Change, by: ExprId, cumulative: bool },
    /// `test` is over the parameters of the permission, locals 0 and up.
    Permit { permission: u8, allow: bool, test: Option<ExprId> },
    /// `test` is over the parameters of the event; the program gets them in its first registers.
    Trigger { event: u8, test: Option<ExprId>, program: ProcId, class: u8 },
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Require {
    pub test: ExprId,
    pub reason: TextId,
    pub cite: Option<CiteId>,
}

/// What belongs to a question besides its options. Texts about an answer find it in local 0: the option or number, none for passing.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct AskDef {
    pub prompt: TextId,
    /// What an option is called, where not by its name.
    pub label: Option<TextId>,
    /// What choosing nothing is called.
    pub pass: Option<TextId>,
    /// What an answer gives away; empty where it gives away nothing.
    pub warning: Option<TextId>,
    /// Where this does not hold, the usual stops answer the question.
    pub worth: Option<ExprId>,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Ability {
    pub name: String,
    pub label: TextId,
    pub windows: u128,
    pub scope: Option<u8>,
    /// The cards an action of the rules may be done with; none for a move without a card.
    pub from: Option<ExprId>,
    /// The second cards that an action of two may be done with, and why it may not where there are none.
    pub to: Option<Targets>,
    pub requires: Vec<Require>,
    /// At most once in this period.
    pub limit: Option<u8>,
    /// Whether all copies of the card share the limit.
    pub limit_shared: bool,
    pub program: ProcId,
    /// Where this does not hold, nobody is stopped for it under the usual stops.
    pub worth: Option<ExprId>,
    /// Where this holds everybody would do it: the usual stops do, where nothing else is worth a stop.
    pub usual: Option<ExprId>,
    /// What is given away by it; empty where nothing is.
    pub warning: Option<TextId>,
    pub cite: Option<CiteId>,
    /// The definition that carries it; none for actions of the rules.
    pub def: Option<DefId>,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Targets {
    /// Over the first card.
    pub list: ExprId,
    pub reason: TextId,
    pub cite: Option<CiteId>,
}

/// Text with holes: what is said to people, rendered against a state.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Text(pub Vec<Piece>);

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum Piece {
    Plain(String),
    Hole(ExprId),
    /// One of two texts: the first where the number is 1.
    Plural(ExprId, String, String),
    /// A text where something holds, and perhaps another where it does not.
    When(ExprId, TextId, Option<TextId>),
    /// What is asked in a window.
    Window(ExprId),
    /// What can be done, in short.
    Moves,
}

#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct CardDef {
    /// Stable name for decks and journals: the title and, where there is one, the version.
    pub key: String,
    pub title: String,
    pub name: Option<WordId>,
    pub words: Vec<WordId>,
    pub facts: Vec<Option<i32>>,
    pub clauses: Vec<ClauseId>,
    pub abilities: Vec<u16>,
    /// English, printed from the program, one line for each ability.
    pub text: Vec<String>,
    pub set: String,
    pub number: u16,
    pub rarity: String,
    /// Further sets and numbers under which it was printed.
    pub reprints: Vec<(String, u16)>,
    /// Cards that come into a deck with this one and not otherwise, each with the number of its copies.
    pub brings: Vec<(DefId, u8)>,
}

impl CardDef {
    /// Whether it was printed in a set under a number.
    pub fn is_number(&self, set: &str, number: u16) -> bool {
        (self.set == set && self.number == number) || self.reprints.iter().any(|reprint| reprint.0 == set && reprint.1 == number)
    }
}

impl Catalogue {
    pub fn card(&self, key: &str) -> Option<DefId> {
        self.cards.iter().position(|card| card.key == key).map(|at| at as DefId)
    }
    pub fn masks(&self, def: DefId) -> &Masks {
        &self.index.masks[def as usize]
    }
    pub fn def(&self, def: DefId) -> &CardDef {
        &self.cards[def as usize]
    }
    pub fn slice(&self, args: Args) -> &[ExprId] {
        &self.args[args.start as usize..args.start as usize + args.len as usize]
    }
    pub fn word(&self, word: WordId) -> &str {
        &self.words[word.0 as usize]
    }
    pub fn cite(&self, cite: Option<CiteId>) -> &str {
        cite.map_or("", |cite| &self.cites[cite as usize])
    }
    pub fn clause(&self, clause: ClauseId) -> &Clause {
        &self.clauses[clause as usize]
    }
    pub fn ability(&self, ability: u16) -> &Ability {
        &self.abilities[ability as usize]
    }

    /// Levels of an expression, from those of the expressions before it: parts come before the whole.
    fn expr_depth(&self, depths: &[u16], at: usize) -> u16 {
        let mut inner = 0u16;
        self.parts(at as ExprId, &mut |part| inner = inner.max(depths.get(part as usize).copied().unwrap_or(0)));
        // Going through a list takes more of the stack.
        let own = if matches!(self.exprs[at], Expr::Quantify(..)) { 4 } else { 1 };
        inner.saturating_add(own).min(400)
    }

    /// The parts of an expression.
    fn parts(&self, at: ExprId, visit: &mut dyn FnMut(ExprId)) {
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

    /// Functions that are closed (they use neither player, card nor registers of their caller, nor do those they call)
    /// and go through lists, ask for values or have many parts.
    fn kept_functions(&self) -> Vec<bool> {
        let count = self.functions.len();
        let (mut open, mut heavy) = (vec![false; count], vec![false; count]);
        let mut calls: Vec<Vec<u16>> = vec![Vec::new(); count];
        let mut size = vec![0u32; count];
        for (at, function) in self.functions.iter().enumerate() {
            let mut todo = vec![function.body];
            while let Some(id) = todo.pop() {
                size[at] += 1;
                match self.exprs.get(id as usize) {
                    Some(Expr::You | Expr::Me | Expr::Source | Expr::Register(_) | Expr::Moves(..) | Expr::Waiting(..)) => open[at] = true,
                    Some(Expr::Quantify(..) | Expr::Laden(_) | Expr::Attached(..) | Expr::Stat(..) | Expr::StatFor(..) | Expr::May(..)) => {
                        heavy[at] = true;
                    }
                    Some(Expr::Call(callee, _)) => calls[at].push(*callee),
                    Some(_) => {}
                    None => continue,
                }
                self.parts(id, &mut |part| todo.push(part));
            }
        }
        // A test of many parts is worth keeping, too, with what it calls.
        let own = size.clone();
        for _ in 0..4 {
            for at in 0..count {
                size[at] = calls[at].iter().fold(own[at], |sum, &callee| sum.saturating_add(size[callee as usize]).min(1000));
                heavy[at] |= size[at] >= WORTH_KEEPING;
            }
        }
        // What a function calls makes it open or heavy in its turn, until nothing changes any more.
        let mut changed = true;
        while changed {
            changed = false;
            for at in 0..count {
                for &callee in &calls[at] {
                    let (is_open, is_heavy) = (open[callee as usize], heavy[callee as usize]);
                    changed |= (is_open && !open[at]) || (is_heavy && !heavy[at]);
                    open[at] |= is_open;
                    heavy[at] |= is_heavy;
                }
            }
        }
        (0..count).map(|at| heavy[at] && !open[at]).collect()
    }

    /// The parts of a state that an expression reads, as far as is known so far of what it asks others.
    fn expr_reads(&self, id: ExprId, known: &Reads) -> Parts {
        let mut parts = 0;
        let mut todo = vec![id];
        while let Some(id) = todo.pop() {
            let Some(&expr) = self.exprs.get(id as usize) else { continue };
            // Whether a card is in a zone of cards that do something: what moves among the other zones is never there.
            if let Expr::Bin(BinOp::Eq | BinOp::Ne, asked, zone) = expr
                && let Some(&Expr::Prop(Prop::Zone, card)) = self.exprs.get(asked as usize)
                && self.zone_reads(zone) == memo::PLACES
            {
                parts |= memo::PLACES;
                self.parts(zone, &mut |part| todo.push(part));
                todo.push(card);
                continue;
            }
            let of = |list: &Vec<Parts>, at: usize| list.get(at).copied().unwrap_or(Parts::MAX);
            parts |= match expr {
                Expr::Var(at) => memo::var(at),
                Expr::Counter(at, _) => memo::counter(at),
                Expr::PlayerCounter(..) => memo::PLAYERS,
                Expr::Fact(..) | Expr::Enum(..) | Expr::Is(..) | Expr::Brings(..) | Expr::Heeds(..) | Expr::Prop(Prop::Name, _) => {
                    memo::FACES
                }
                Expr::HasRole(..) | Expr::Attached(..) | Expr::Laden(_) => memo::PLACES,
                Expr::Prop(Prop::Parent | Prop::Role | Prop::Root | Prop::Position, _) => memo::PLACES,
                Expr::Prop(Prop::Cards | Prop::Size, zone) => self.zone_reads(zone),
                Expr::Prop(Prop::Owner, _) => memo::PLACES | memo::FACES,
                Expr::Prop(Prop::Controller | Prop::Facedown, _) => memo::PLACES | memo::FACES,
                Expr::Prop(Prop::Zone, _) => memo::PLACES | memo::PILES,
                Expr::Stat(at, _) | Expr::StatFor(at, ..) => of(&known.stats, at as usize),
                Expr::May(at, _) => of(&known.permissions, at as usize),
                Expr::Call(at, _) => of(&known.functions, at as usize),
                Expr::Moves(..) | Expr::Waiting(..) | Expr::Stirred | Expr::Native(..) => Parts::MAX,
                Expr::Heeded(_) => memo::PLACES | memo::PILES | memo::FACES,
                _ => 0,
            };
            self.parts(id, &mut |part| todo.push(part));
        }
        parts
    }

    /// What a list of the cards of a zone reads; the size of a list of something else reads nothing by itself.
    fn zone_reads(&self, zone: ExprId) -> Parts {
        let of = |live: bool| if live { memo::PLACES } else { memo::PILES };
        match self.exprs.get(zone as usize) {
            Some(&Expr::Zone(at)) => self.zones.get(at as usize).map_or(Parts::MAX, |zone| of(zone.live)),
            Some(&Expr::ZoneOf(kind, _)) => self.zones.iter().find(|zone| zone.kind == kind).map_or(Parts::MAX, |zone| of(zone.live)),
            _ => memo::PLACES | memo::PILES,
        }
    }

    /// What a clause reads, its scope with it.
    fn clause_reads(&self, clause: &Clause, known: &Reads) -> Parts {
        let inner = match clause.kind {
            ClauseKind::Modify { who, by, .. } => [who, Some(by), clause.when],
            ClauseKind::Permit { test, .. } => [test, clause.when, None],
            ClauseKind::Trigger { .. } => return 0,
        };
        let scope = clause.scope.map_or(0, |scope| known.scopes.get(scope as usize).copied().unwrap_or(Parts::MAX));
        inner.into_iter().flatten().fold(scope, |parts, id| parts | self.expr_reads(id, known))
    }

    /// Grows from nothing until nothing is added: what is asked of others is read, too.
    fn reads(&self) -> Reads {
        let mut known = Reads {
            functions: vec![0; self.functions.len()],
            // Which cards have clauses depends on where they are, and lasting effects have clauses, too.
            stats: vec![memo::PLACES | memo::EFFECTS | memo::FACES; self.stats.len()],
            permissions: vec![memo::PLACES | memo::EFFECTS | memo::FACES; self.permissions.len()],
            scopes: vec![memo::PLACES; self.scopes.len()],
        };
        loop {
            let mut next = known.clone();
            for (parts, function) in next.functions.iter_mut().zip(&self.functions) {
                *parts |= self.expr_reads(function.body, &known);
            }
            for (parts, stat) in next.stats.iter_mut().zip(&self.stats) {
                *parts |= stat.base.map_or(0, |base| self.expr_reads(base, &known));
            }
            for (parts, scope) in next.scopes.iter_mut().zip(&self.scopes) {
                let inner = [Some(scope.test), Some(scope.subject), scope.player];
                *parts |= inner.into_iter().flatten().fold(0, |parts, id| parts | self.expr_reads(id, &known));
            }
            for clause in &self.clauses {
                match clause.kind {
                    ClauseKind::Modify { stat, .. } => next.stats[stat as usize] |= self.clause_reads(clause, &known),
                    ClauseKind::Permit { permission, .. } => next.permissions[permission as usize] |= self.clause_reads(clause, &known),
                    ClauseKind::Trigger { .. } => {}
                }
            }
            if next == known {
                return known;
            }
            known = next;
        }
    }

    /// Whether everything that the derived tables are built from is there.
    fn is_whole(&self) -> bool {
        let clause = |id: &ClauseId| (*id as usize) < self.clauses.len();
        let ability = |id: &u16| (*id as usize) < self.abilities.len();
        let speaks_of = |clause: &Clause| match clause.kind {
            ClauseKind::Modify { stat, .. } => (stat as usize) < self.stats.len(),
            ClauseKind::Permit { permission, .. } => (permission as usize) < self.permissions.len(),
            ClauseKind::Trigger { event, .. } => (event as usize) < self.events.len(),
        };
        self.clauses.iter().all(speaks_of)
            && self.rule_clauses.iter().all(clause)
            && self.actions.iter().all(ability)
            && self.cards.iter().all(|card| card.clauses.iter().all(clause) && card.abilities.iter().all(ability))
    }

    /// Build the derived tables. Call once after loading or compiling.
    pub fn build_index(&mut self) {
        let mut index = Index {
            stat_rules: vec![Vec::new(); self.stats.len()],
            permission_rules: vec![Vec::new(); self.permissions.len()],
            event_rules: vec![Vec::new(); self.events.len()],
            window_actions: vec![Vec::new(); self.windows.len()],
            ..Index::default()
        };
        for at in 0..self.exprs.len() {
            let depth = self.expr_depth(&index.depths, at);
            index.depths.push(depth);
        }
        for clause in &self.clauses {
            let inner = match clause.kind {
                ClauseKind::Modify { who, by, .. } => [who, Some(by), clause.when],
                ClauseKind::Permit { test, .. } | ClauseKind::Trigger { test, .. } => [test, clause.when, None],
            };
            let depths = inner.into_iter().flatten().map(|id| index.depths.get(id as usize).copied().unwrap_or(1));
            index.clause_depths.push(depths.max().unwrap_or(1));
        }
        index.kept = self.kept_functions();
        index.reads = self.reads();
        for &id in &self.rule_clauses {
            match self.clauses[id as usize].kind {
                ClauseKind::Modify { stat, .. } => index.stat_rules[stat as usize].push(id),
                ClauseKind::Permit { permission, .. } => index.permission_rules[permission as usize].push(id),
                ClauseKind::Trigger { event, .. } => index.event_rules[event as usize].push(id),
            }
        }
        index.permission_rest = index.permission_rules.iter().map(|rules| self.permission_rest(rules)).collect();
        for clause in &self.clauses {
            if let ClauseKind::Trigger { event, .. } = clause.kind {
                index.heard |= bit(event);
            }
        }
        for &action in &self.actions {
            index.action_windows |= self.abilities[action as usize].windows;
            for (window, actions) in index.window_actions.iter_mut().enumerate() {
                if self.abilities[action as usize].windows & bit(window as u8) != 0 {
                    actions.push(action);
                }
            }
        }
        for (at, zone) in self.zones.iter().enumerate() {
            let kind = zone.kind as usize;
            if index.zone_of.len() <= kind {
                index.zone_of.resize(kind + 1, [ZoneId(0); 2]);
            }
            for (player, of) in index.zone_of[kind].iter_mut().enumerate() {
                if zone.player.is_none_or(|owner| owner.index() == player) {
                    *of = ZoneId(at as u8);
                }
            }
            if zone.live {
                index.live_zones.push(at as u8);
            }
            if zone.acts {
                index.act_zones.push(at as u8);
            }
        }
        for card in &self.cards {
            let mut masks = Masks::default();
            for &id in &card.clauses {
                match self.clauses[id as usize].kind {
                    ClauseKind::Modify { stat, .. } => masks.stats |= bit(stat),
                    ClauseKind::Permit { permission, .. } => masks.permissions |= bit(permission),
                    ClauseKind::Trigger { event, .. } => masks.events |= bit(event),
                }
            }
            for &ability in &card.abilities {
                masks.windows |= self.abilities[ability as usize].windows;
            }
            for word in card.words.iter().filter(|word| word.0 < 256) {
                masks.words[word.0 as usize / 128] |= 1 << (word.0 % 128);
            }
            index.masks.push(masks);
            let member = |one: &EnumDef| card.words.iter().copied().find(|word| one.members.contains(word));
            index.members.extend(self.enums.iter().map(member));
        }
        self.index = index;
    }

    fn permission_rest(&self, rules: &[ClauseId]) -> Option<bool> {
        let all = |id: &ClauseId| {
            let clause = &self.clauses[*id as usize];
            matches!(clause.kind, ClauseKind::Permit { allow: false, test: None, .. }) && clause.when.is_none()
        };
        let allows = |id: &ClauseId| matches!(self.clauses[*id as usize].kind, ClauseKind::Permit { allow: true, .. });
        match rules {
            [] => Some(true),
            rules if rules.iter().any(all) && !rules.iter().any(allows) => Some(false),
            _ => None,
        }
    }

    pub fn to_bytes(&self) -> Vec<u8> {
        postcard::to_stdvec(self).unwrap_or_default()
    }

    pub fn from_bytes(bytes: &[u8]) -> Result<Catalogue, String> {
        let mut catalogue: Catalogue =
            postcard::from_bytes(bytes).map_err(|error| format!("the compiled catalogue is damaged: {error}"))?;
        if !catalogue.is_whole() {
            return Err("the compiled catalogue is damaged: parts of it are missing".into());
        }
        catalogue.build_index();
        Ok(catalogue)
    }
}
