//! What the parser makes: items, clauses, statements and expressions, each with its place.

use crate::diagnostics::Span;

#[derive(Clone, PartialEq, Debug)]
pub struct Name {
    pub text: String,
    pub span: Span,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Param {
    pub name: Name,
    pub ty: Name,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Item {
    pub kind: ItemKind,
    pub span: Span,
    /// Rule ids named on the line that opens the item.
    pub cites: Vec<Name>,
}

#[derive(Clone, PartialEq, Debug)]
pub enum ItemKind {
    Game {
        name: Name,
        title: String,
    },
    Players(Vec<Name>),
    Values(Name),
    Words(Vec<Name>),
    Calls {
        says: String,
        words: Vec<Name>,
    },
    Spelled {
        word: Name,
        says: String,
    },
    Periods(Vec<Name>),
    /// Each with what stands before the other card in English.
    Roles(Vec<(Name, Option<String>)>),
    Classes(Vec<Name>),
    Enum {
        name: Name,
        /// It is there already: these members come to it.
        also: bool,
        proper: bool,
        /// A card with one of them is called by it, without a noun.
        alone: bool,
        /// A card may carry several of them.
        several: bool,
        members: Vec<Name>,
    },
    Zone {
        name: Name,
        english: Option<String>,
        of_player: bool,
        traits: Vec<Name>,
    },
    Counter {
        /// Whether players are told of it.
        shown: bool,
        name: Name,
        english: Option<String>,
        of_player: bool,
        traits: Vec<CounterTrait>,
    },
    /// What a card remembers.
    Field {
        name: Name,
        ty: Name,
        traits: Vec<CounterTrait>,
    },
    Stat {
        /// Whether players are told of it.
        shown: bool,
        name: Name,
        english: Option<String>,
        of_player: bool,
        what: Option<Param>,
        base: StatBase,
        floor: Option<i32>,
    },
    Var {
        shown: bool,
        name: Name,
        english: Option<String>,
        /// Whether each player has one.
        of_player: bool,
        ty: Name,
        init: Option<Expr>,
        period: Option<Name>,
    },
    Option {
        name: Name,
        doc: String,
        choices: Vec<Name>,
    },
    Event {
        name: Name,
        params: Vec<Param>,
        says: Option<Text>,
        told: Told,
    },
    Window {
        name: Name,
        english: String,
        asking: Option<Text>,
        /// When it is over, whoever could still act in it.
        until: Option<Expr>,
    },
    Scope {
        name: Name,
        says: String,
        test: Expr,
        subject: Option<Expr>,
        own: Option<String>,
        player: Option<Expr>,
    },
    /// Numbers that cards with these words print; of a word with `true` only those without it.
    Needs {
        of: Vec<(Name, bool)>,
        numbers: Vec<Name>,
    },
    /// Where cards with one of these words come to lie.
    Lies {
        words: Vec<Name>,
        zones: Vec<Name>,
    },
    /// Enumerations, each with whether it tells cards apart only where a title is shared.
    Apart(Vec<(Name, bool)>),
    Timing {
        name: Name,
        /// What a card gives it; with an expression, what it tells the card instead.
        params: Vec<(Param, Option<Expr>)>,
        says: String,
        windows: Vec<Name>,
        requires: Vec<Require>,
        limit: Option<Limit>,
        worth: Option<Expr>,
    },
    Kind {
        name: Name,
        says: String,
        scope: Name,
        windows: Vec<Name>,
        costs: Vec<Paid>,
        steps: Vec<Step>,
        /// Rule ids named on the line of the steps.
        step_cites: Vec<Name>,
    },
    Cost {
        name: Name,
        params: Vec<Param>,
        /// The type of what it takes.
        ty: Option<Name>,
        says: Text,
        requires: Vec<Require>,
        body: Vec<Stmt>,
    },
    Permission {
        name: Name,
        params: Vec<Param>,
        says: Text,
    },
    Noun {
        name: Name,
        plural: Name,
        english: Option<(String, String)>,
        /// Words behind which it goes unsaid: a Rebel is a character.
        unsaid: Vec<Name>,
        from: Expr,
        test: Expr,
    },
    Adjective {
        name: Name,
        english: Option<String>,
        test: Expr,
    },
    Def {
        name: Name,
        params: Vec<Param>,
        ty: Name,
        says: Option<Text>,
        body: Expr,
        /// Names of parts of it, each over those before it.
        parts: Vec<(Name, Expr)>,
    },
    Proc {
        name: Name,
        params: Vec<Param>,
        ty: Option<Name>,
        says: Option<Text>,
        /// What is said of it where something else may be done instead.
        would: Option<Text>,
        contains: bool,
        /// When it could change something.
        could: Option<Require>,
        body: Vec<Stmt>,
    },
    Action(Action),
    Rule(Clause),
    Deck(Require),
    Template {
        name: Name,
        params: Vec<Param>,
        says: Option<Text>,
        body: Vec<Ability>,
    },
    Card(Card),
}

/// How an event is told and shown.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Told {
    /// What sort of line it is.
    pub tone: Option<Name>,
    /// Where this holds, its line only repeats what is told anyway.
    pub quiet: Option<Quiet>,
    /// What is seen to happen, with the parameters it happens to.
    pub shows: Option<(Name, Vec<Name>)>,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Quiet {
    Always,
    If(Expr),
}

#[derive(Clone, PartialEq, Debug)]
pub enum CounterTrait {
    Floor(i32),
    Cap(i32),
    For(Name),
    Kept,
    Open,
}

#[derive(Clone, PartialEq, Debug)]
pub enum StatBase {
    /// A number that cards print; a card without it has no value.
    Printed,
    /// A number that cards print, zero where a card has none.
    Icon,
    /// A keyword with a number, zero where a card does not have it.
    Keyword,
    /// A keyword without a number.
    Flag,
    /// Zero until something changes it.
    Plain,
    /// The same, said as a whole: "takes no damage".
    Predicate,
    Computed(Expr),
}

#[derive(Clone, PartialEq, Debug)]
pub enum Step {
    /// Only if something could come of it.
    Could,
    /// The permission that every target needs, if any.
    Target(Option<Name>),
    Pay,
    Respond(Name),
    Effect,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Action {
    pub name: Name,
    /// The card it is done with, and the second one where it takes two.
    pub params: Vec<Name>,
    pub label: Text,
    pub from: Option<Expr>,
    pub to: Option<Require>,
    pub windows: Vec<Name>,
    pub requires: Vec<Require>,
    pub limit: Option<Limit>,
    pub worth: Option<Expr>,
    pub usual: Option<Expr>,
    pub warning: Option<Text>,
    pub body: Vec<Stmt>,
}

/// `once per PERIOD`, and whether all copies of a card share it.
#[derive(Clone, PartialEq, Debug)]
pub struct Limit {
    pub period: Name,
    pub shared: bool,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Require {
    pub test: Expr,
    pub reason: Text,
    pub cites: Vec<Name>,
    pub span: Span,
}

/// Text with holes, `{name}` or `{name|one|many}`.
#[derive(Clone, PartialEq, Debug)]
pub struct Text {
    pub text: String,
    pub span: Span,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Card {
    pub title: Text,
    /// Members of enumerations: side, type, version.
    pub header: Vec<Name>,
    pub words: Vec<Name>,
    pub set: Option<Name>,
    pub number: u16,
    pub rarity: Option<Name>,
    pub reprints: Vec<(Name, u16)>,
    /// Titles of the cards that come into a deck with this one.
    pub brings: Vec<Text>,
    /// Words of its lore that other cards ask for.
    pub lore: Vec<Name>,
    pub facts: Vec<(Name, Option<i32>)>,
    pub abilities: Vec<Ability>,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Ability {
    Use(Use),
    Clause(Clause),
    Template {
        name: Name,
        args: Vec<Expr>,
        span: Span,
    },
    In {
        scope: Name,
        abilities: Vec<Ability>,
    },
    /// Abilities whose text is written by hand.
    Says {
        text: Text,
        abilities: Vec<Ability>,
    },
    /// Subtypes and titles that the card counts as.
    TreatAs(Vec<Expr>),
}

#[derive(Clone, PartialEq, Debug)]
pub struct Use {
    pub kind: Name,
    pub timing: Option<Timed>,
    pub costs: Vec<Paid>,
    pub requires: Vec<Require>,
    /// What it is aimed at, chosen before it is paid for or after, as the kind has it.
    pub targets: Vec<Target>,
    pub body: Vec<Stmt>,
    pub span: Span,
}

/// `COST(ARGS) [as NAME]`: a cost, and what is called what it took.
#[derive(Clone, PartialEq, Debug)]
pub struct Paid {
    pub cost: Name,
    pub args: Vec<Expr>,
    pub took: Option<Name>,
}

/// `TIMING(ARGS) [if EXPR] [once per PERIOD]`: when an ability can be used.
#[derive(Clone, PartialEq, Debug)]
pub struct Timed {
    pub name: Name,
    /// Values, or names for what the timing tells.
    pub args: Vec<Expr>,
    pub test: Option<Expr>,
    pub limit: Option<Limit>,
}

/// `target up to 2 x to WORD from LIST`: one of those that can be had, or the ability can't be used.
#[derive(Clone, PartialEq, Debug)]
pub struct Target {
    pub name: Name,
    pub how: HowMany,
    /// What it is chosen for.
    pub purpose: Option<Name>,
    pub from: Expr,
    pub cites: Vec<Name>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Clause {
    pub kind: ClauseKind,
    pub when: Option<Expr>,
    pub cites: Vec<Name>,
    pub span: Span,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Change {
    Add,
    Subtract,
    Multiply,
    Set,
    AtLeast,
    AtMost,
    /// Nothing makes it less.
    Unreduced,
    /// Nothing changes it.
    Unmodified,
}

/// `power +2` or `drain(you) +1`: which value, of those for this, and how it changes.
#[derive(Clone, PartialEq, Debug)]
pub struct Gets {
    pub stat: Name,
    pub what: Option<Expr>,
    pub change: Change,
    pub by: Expr,
}

#[derive(Clone, PartialEq, Debug)]
pub enum ClauseKind {
    Gets {
        subject: Expr,
        changes: Vec<Gets>,
        cumulative: bool,
    },
    Permit {
        allow: bool,
        name: Name,
        params: Vec<Name>,
        test: Option<Expr>,
        reason: Option<Text>,
    },
    When {
        event: Name,
        params: Vec<Name>,
        test: Option<Expr>,
        limit: Option<Limit>,
        class: Option<Name>,
        body: Vec<Stmt>,
    },
    /// What is done instead of a program; `may` holds where its player decides.
    Instead {
        program: Name,
        params: Vec<Name>,
        test: Option<Expr>,
        may: Option<Question>,
        body: Vec<Stmt>,
    },
    /// Cards that have these abilities, too.
    Gains {
        subject: Expr,
        abilities: Vec<Ability>,
    },
}

#[derive(Clone, PartialEq, Debug)]
pub struct Stmt {
    pub kind: StmtKind,
    pub cites: Vec<Name>,
    pub span: Span,
}

#[derive(Clone, PartialEq, Debug)]
pub enum HowMany {
    One,
    OneOrNone,
    UpTo(Expr),
    AtLeast(Expr),
    Exactly(Expr),
    Any,
}

/// Who is asked, and what is said around the answers.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Question {
    /// By which hosts know it.
    pub id: Option<Name>,
    /// What its name stands behind, for who forgot to write one.
    pub after: Span,
    pub by: Option<Expr>,
    pub asking: Option<Text>,
    /// What an option is called; `it` is the option.
    pub labelled: Option<Text>,
    /// What choosing nothing is called.
    pub pass: Option<Text>,
    /// What an answer gives away; `it` is the answer.
    pub warning: Option<Text>,
    /// Where it does not hold, the usual stops answer.
    pub worth: Option<Expr>,
}

#[derive(Clone, PartialEq, Debug)]
pub enum StmtKind {
    Let(Name, Expr),
    /// `target := value`, `+=`, `-=`
    Assign(Expr, Change, Expr),
    If(Vec<(Expr, Vec<Stmt>)>, Option<Vec<Stmt>>),
    Unless(Expr, Vec<Stmt>),
    While(Expr, Vec<Stmt>),
    For(Name, Expr, Vec<Stmt>),
    Return(Option<Expr>),
    Choose {
        name: Name,
        how: HowMany,
        from: Expr,
        question: Question,
    },
    Number {
        name: Name,
        least: Expr,
        most: Expr,
        question: Question,
    },
    Order {
        name: Name,
        from: Expr,
        question: Question,
    },
    May {
        question: Question,
        body: Vec<Stmt>,
    },
    OneOf {
        question: Question,
        branches: Vec<(Text, Option<Expr>, Vec<Stmt>)>,
    },
    /// Variables that have other values inside the block, and theirs again after it.
    With(Vec<(Name, Expr)>, Vec<Stmt>),
    /// What only follows from what stands before it.
    Then(Vec<Stmt>),
    Emit(Name, Vec<Expr>),
    End(Name),
    Until(Name, Clause),
    Once(Clause),
    /// Rule ids that stand for the statements around them.
    Cite,
    Run(Expr),
    /// The effect of a move once more, for a player.
    Repeat(Expr, Option<Expr>),
    Resolve(Expr),
    Drop(Expr),
    Win(Expr),
    Call(Expr),
}

#[derive(Clone, PartialEq, Debug)]
pub struct Expr {
    pub kind: Box<ExprKind>,
    pub span: Span,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bin {
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
    In,
    Join,
}

#[derive(Clone, PartialEq, Debug)]
pub enum ExprKind {
    Int(i32),
    /// The name of a card.
    Str(String),
    Name(String),
    Field(Expr, Name),
    Call(Name, Vec<Expr>),
    Bin(Bin, Expr, Expr),
    Not(Expr),
    Neg(Expr),
    If(Expr, Expr, Expr),
    Is(Expr, Name, bool),
    Phrase(Phrase),
    Quantify {
        which: Name,
        var: Name,
        list: Expr,
        test: Option<Expr>,
        value: Option<Expr>,
    },
    List(Vec<Expr>),
    Range(Expr, Expr),
    Can(Name, Vec<Expr>),
}

/// A noun phrase: `[your other Naboo Soldier units in character]`.
#[derive(Clone, PartialEq, Debug)]
pub struct Phrase {
    pub owner: Option<Owner>,
    pub other: bool,
    pub words: Vec<PhraseWord>,
    pub zone: Option<Expr>,
    pub named: Option<Text>,
    pub with: Option<Expr>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Owner {
    Your,
    Opponents,
}

#[derive(Clone, PartialEq, Debug)]
pub enum PhraseWord {
    Is(Name),
    Not(Name),
    AnyOf(Vec<Name>),
}
