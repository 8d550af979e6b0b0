//! The data of a game: its vocabulary, clauses, abilities, questions, texts and cards.

use super::Print;
use crate::bits::BitSet;
use crate::ids::*;
use crate::text::has_word;
use crate::value::PlayerId;
use serde::{Deserialize, Serialize};

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct EnumDef {
    pub name: String,
    /// Whether a card may carry several of them.
    pub several: bool,
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
    pub kind: ZoneKindId,
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

impl ZoneDef {
    /// Whether cards lie here in a row: in front of all, where they can do something, and on no other card.
    pub(crate) fn is_row(&self) -> bool {
        self.live && self.player.is_none() && self.kind != ZoneKindId::FIRST
    }
}

/// What a card remembers: a counter, or a value of a type. What it does not have costs nothing.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct FieldDef {
    pub name: String,
    pub sort: FieldSort,
    /// Gone when this period ends.
    pub period: Option<PeriodId>,
    /// Whether it stays when the card changes zones.
    pub kept: bool,
    /// Whether a viewer who does not know the card still sees it.
    pub open: bool,
    /// Whether players are told of it; the others are the rules' own memory and never leave them.
    pub shown: bool,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum FieldSort {
    /// A number that is told when it changes, from the floor to the cap. It has a name in English where players count it, too;
    /// the others are the rules' own.
    Counter { english: Option<String>, floor: i32, cap: i32 },
    /// A number, 0 where there is none.
    Number,
    /// A truth, false where there is none.
    Truth,
    /// A card, player, word or zone, or none.
    Value,
    /// A list, empty where there is none.
    List,
}

impl FieldDef {
    /// What a card without the field has.
    #[inline]
    pub fn floor(&self) -> i32 {
        if let FieldSort::Counter { floor, .. } = self.sort { floor } else { 0 }
    }
    /// What a counter is called to players.
    pub fn english(&self) -> Option<&str> {
        if let FieldSort::Counter { english, .. } = &self.sort { english.as_deref() } else { None }
    }
    /// Whether a counter is either there or not.
    pub fn is_mark(&self) -> bool {
        matches!(self.sort, FieldSort::Counter { cap: 1, .. })
    }
    pub fn is_counter(&self) -> bool {
        matches!(self.sort, FieldSort::Counter { .. })
    }
}

/// What a player counts.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct CounterDef {
    pub name: String,
    /// What it is called to players; the others are the rules' own.
    pub english: Option<String>,
    /// Whether players are told of it.
    pub shown: bool,
    pub floor: i32,
    pub cap: i32,
    /// Set back to the floor when this period ends.
    pub period: Option<PeriodId>,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct StatDef {
    pub name: String,
    /// Whether players are told of it; the others are the rules' own.
    pub shown: bool,
    pub english: String,
    pub of_player: bool,
    /// Whether it is a value for something: a cost for a place, a total for a player. That is local 1.
    pub for_something: bool,
    /// Whether that is a player.
    pub for_player: bool,
    /// A pure expression over local 0; where it is none, the printed fact or no value.
    pub base: Option<ExprId>,
    pub fact: Option<FactId>,
    /// What a card without the printed fact has; none where it has no value then.
    pub missing: Option<i32>,
    pub floor: Option<i32>,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct VarDef {
    pub name: String,
    /// Whether players are told of it; the others are the rules' own memory and never leave them.
    pub shown: bool,
    /// The player whose it is: a variable that each player has stands once for each of them, side by side.
    pub player: Option<PlayerId>,
    pub init: Option<ExprId>,
    pub period: Option<PeriodId>,
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
    pub tone: Tone,
    /// Where this holds, over the parameters, its line only repeats what the lines around it say: players are not told.
    pub quiet: Option<ExprId>,
    /// What is seen to happen, with the places of its cards, players and numbers among the parameters.
    pub shows: Option<(Sign, Vec<u32>)>,
}

/// What sort of line the log has for an event.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum Tone {
    #[default]
    Plain,
    /// A turn starts.
    Turn,
    /// A part of a turn starts that may pass without anything happening.
    Phase,
    Heading,
    Fight,
    Chance,
    Grave,
}

/// What players see happen on the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Sign {
    /// One card goes for another: `attack(by, on)`.
    Attack,
    /// A card is hurt: `damage(card, amount)`.
    Damage,
    /// A card is turned up for its number: `draw(player, card, number)`.
    Draw,
    /// Two totals stand against each other: `totals(first, second)`.
    Totals,
}

impl Tone {
    pub const ALL: [(&str, Tone); 6] = [
        ("turn", Tone::Turn),
        ("phase", Tone::Phase),
        ("heading", Tone::Heading),
        ("fight", Tone::Fight),
        ("chance", Tone::Chance),
        ("grave", Tone::Grave),
    ];
}

impl Sign {
    /// With how many things each shows.
    pub const ALL: [(&str, Sign, usize); 4] =
        [("attack", Sign::Attack, 2), ("damage", Sign::Damage, 2), ("draw", Sign::Draw, 3), ("totals", Sign::Totals, 2)];
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct WindowDef {
    pub name: String,
    pub english: String,
    /// What is asked in it, over the variables of the game.
    pub asking: Option<TextId>,
    /// Where this holds it is over, whoever could still act in it.
    pub until: Option<ExprId>,
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
    pub params: u32,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Clause {
    pub kind: ClauseKind,
    /// In force while the scope holds for the card that carries it; none for rules and lasting effects.
    pub scope: Option<ScopeId>,
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
    /// Nothing makes it less; where the amount is not 0, nothing of the opponent's does.
    Unreduced,
    /// Nothing changes it; where the amount is not 0, nothing of the opponent's does.
    Unmodified,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum ClauseKind {
    /// `who` is a test over local 0, the card or player whose value it is, and local 1, what it is for; `by` may use them too.
    /// A modifier that is not cumulative counts once for each title that carries it.
    Modify { stat: StatId, who: Option<ExprId>, change: Change, by: ExprId, cumulative: bool },
    /// `test` is over the parameters of the permission, locals 0 and up.
    Permit { permission: PermissionId, allow: bool, test: Option<ExprId> },
    /// `test` is over the parameters of the event; the program gets them in its first registers.
    /// `limit` is an ability that is never used: it counts how often this has been set off.
    Trigger { event: EventId, test: Option<ExprId>, program: ProcId, class: ClassId, limit: Option<AbilityId> },
    /// What is done instead of a program: `test` is over its parameters, and `program` gets them in its first registers;
    /// where it returns false, the program is run after all.
    Replace { proc: ProcId, test: Option<ExprId>, program: ProcId },
    /// `who` is a test over local 0, the card that has these abilities, too.
    Grant { who: ExprId, first: AbilityId, count: u32 },
}

impl Clause {
    /// Its expressions.
    pub(crate) fn exprs(&self) -> impl Iterator<Item = ExprId> {
        let own = match self.kind {
            ClauseKind::Modify { who, by, .. } => [who, Some(by)],
            ClauseKind::Permit { test, .. } | ClauseKind::Trigger { test, .. } | ClauseKind::Replace { test, .. } => [test, None],
            ClauseKind::Grant { who, .. } => [Some(who), None],
        };
        own.into_iter().chain([self.when]).flatten()
    }
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Require {
    pub test: ExprId,
    pub reason: TextId,
    pub cite: Option<CiteId>,
}

/// Whose question it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Asker {
    #[default]
    Rules,
    /// What something costs.
    Cost,
    /// A triggered ability.
    Trigger,
    /// An ability that was used; without a name of its own the question has that of the kind.
    Ability,
}

/// What belongs to a question besides its options. Texts about an answer find it in local 0: the option or number, none for passing.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct AskDef {
    /// By which hosts know the question.
    pub id: String,
    pub by: Asker,
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

#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Ability {
    pub name: String,
    pub label: TextId,
    pub windows: BitSet,
    pub scope: Option<ScopeId>,
    /// The cards an action of the rules may be done with; none for a move without a card.
    pub from: Option<ExprId>,
    /// The second cards that an action of two may be done with, and why it may not where there are none.
    pub to: Option<Targets>,
    pub requires: Vec<Require>,
    /// At most once in this period.
    pub limit: Option<PeriodId>,
    /// Whether all copies of the card share the limit.
    pub limit_shared: bool,
    pub program: ProcId,
    /// Its targets and its effect alone, where the game has something that repeats effects.
    pub effect: Option<ProcId>,
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

impl Ability {
    /// The expressions that tell when it is used and with what.
    pub(crate) fn exprs(&self) -> impl Iterator<Item = ExprId> {
        let lists = [self.from, self.to.as_ref().map(|to| to.list), self.worth, self.usual];
        lists.into_iter().flatten().chain(self.requires.iter().map(|require| require.test))
    }
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
    /// Stable name for decks and journals: the title, with as much behind it as tells the card from others.
    pub key: String,
    /// All that can stand behind its title to tell it from others.
    pub marks: Vec<String>,
    pub title: String,
    pub name: Option<WordId>,
    /// Titles that it counts as, besides its own.
    pub titles: Vec<WordId>,
    pub words: Vec<WordId>,
    pub facts: Vec<Option<i32>>,
    pub clauses: Vec<ClauseId>,
    pub abilities: Vec<AbilityId>,
    /// English, printed from the program, one line for each ability.
    pub text: Vec<String>,
    /// Words that stand in its lore, as far as any card asks for them.
    pub lore: Vec<WordId>,
    pub set: String,
    pub number: u16,
    pub rarity: String,
    /// Further sets and numbers under which it was printed.
    pub reprints: Vec<(String, u16)>,
    /// Cards that come into a deck with this one and not otherwise, each with the number of its copies.
    pub brings: Vec<(DefId, u32)>,
}

impl CardDef {
    /// Whether a word, which reads so, stands in a part of what is printed.
    pub(crate) fn mentions(&self, print: Print, word: WordId, text: &str) -> bool {
        match print {
            Print::Title => has_word(&self.title, text),
            Print::Text => self.text.iter().any(|line| has_word(line, text)),
            Print::Lore => self.lore.contains(&word),
        }
    }
    /// Whether it was printed in a set under a number.
    pub fn is_number(&self, set: &str, number: u16) -> bool {
        (self.set == set && self.number == number) || self.reprints.iter().any(|reprint| reprint.0 == set && reprint.1 == number)
    }
}
