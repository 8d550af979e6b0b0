//! The vocabulary of the language itself, one row for each construct: its name, how it is written,
//! what it means, and for what can be called, its types. The parser's suggestions, the type checker,
//! the compiler and the manual all read these rows; `docs/SAGA.md` is printed from them.
//!
//! What a game adds (its zones, values, verbs, nouns, timings) is declared in its own rules programs,
//! each with its English, and is no part of this table.

use crate::types::Ty;

pub struct Construct {
    pub name: &'static str,
    pub syntax: &'static str,
    pub doc: &'static str,
}

const fn row(name: &'static str, syntax: &'static str, doc: &'static str) -> Construct {
    Construct { name, syntax, doc }
}

pub static ITEMS: &[Construct] = &[
    row("game", "game NAME \"Title\"", "Names the game. Once in a game, in any file."),
    row("players", "players A, B", "The two players, in the order in which ties and simultaneous acts are settled."),
    row(
        "values",
        "values time_order | add_multiply_set",
        "How modifiers of a value combine. `time_order`: in the order in which they came about, those of one title once unless they are cumulative, then the lowest set value; `add_multiply_set`: all additions first, then multiplications, with a set value over both. Limits (`>=`, `<=`) come last.",
    ),
    row("words", "words A, B, ...", "Words that cards may carry as subtypes. An underscore prints as a space."),
    row(
        "calls",
        "calls \"unit\": A, B, ...",
        "What a card with one of these words calls itself in its text, \"this unit\"; other cards say \"this card\". The first such line also names what is meant where nothing else is. `calls \"{title}\"` lets a card use its title.",
    ),
    row("spelled", "spelled WORD \"English\"", "How texts print a word, where it is not the word with spaces for underscores."),
    row(
        "enum",
        "enum NAME [proper] [alone] [several]: A, B, ... or enum NAME also: A, B, ...",
        "Words of which a card carries at most one; `card.NAME` asks which. Those of a `proper` one are names and print without an article; those that stand `alone` need no noun either: your Vader, not one of your Vader characters. Of `several` a card may carry more, and `card.NAME` lists them. With `also`, any file adds members to one that is there.",
    ),
    row(
        "apart",
        "apart ENUM [when shared], ...",
        "Cards of one title are told apart by their members of these enumerations, and by `set` where they are printed: those stand behind the title in decks, `Title (Light, V)`, always or where a title is shared by cards that differ in it. Who writes a title may leave out what is not needed; where several cards could be meant, all are named.",
    ),
    row(
        "needs",
        "needs [WORDS] [not WORD ...]: NUMBERS, ENUMERATIONS",
        "Numbers that a card with all these words (and without those behind `not`) prints, and enumerations of which it carries a member: one that lacks them is an error. Without words it is meant of every card. What is printed as a letter is written 0. Cards of scenarios may leave them out.",
    ),
    row(
        "lies",
        "lies WORDS: ZONES",
        "Where cards with one of these words come to lie, of the zones from which abilities work or may be used; without such a line that is every zone. An ability of theirs whose scope can hold in none of them is an error.",
    ),
    row(
        "zone",
        "zone NAME [\"English\"] [of player]: TRAITS",
        "A place for cards. Traits: `deck` (cards start here), `hidden` (nobody sees face-up cards), `private` (their owner sees them), `top` (everyone sees the top card only), `down_hidden` and `down_private` (the same for face-down cards; without them a face-down card is seen by its owner), `live` (static and triggered abilities work from here; from elsewhere only what a card says of itself, where its scope holds), `acts` (cards here may offer moves), `counted` (others see only how many cards there are).",
    ),
    row(
        "counter",
        "[shown] counter NAME [\"English\"] of card|player [floor N] [cap N] [for PERIOD] [kept] [open]",
        "Counters on cards or players, never below the floor (0) or above the cap. `for` sets it back when the period ends; `kept` lets it stay when its card changes zones; `open` shows it on a face-down card. Players are told of those that are `shown` or have English, and options that differ in one with English are told apart by it; the others are the rules' own.",
    ),
    row(
        "field",
        "field NAME of card: TYPE [for PERIOD] [kept] [open]",
        "What a card remembers: a num, a bool, a card, player, word or zone, or a list of them. A card without it has 0, false, none or an empty list, and pays nothing for it. `for` and `kept` are as for counters. A card that goes to a hidden place is forgotten by those that remember it; one that takes another's place is remembered in its stead. A number or truth that is `open` is told to players, also of a face-down card.",
    ),
    row(
        "stat",
        "[shown] stat NAME [\"English\"] of card|player [for X: TYPE] [printed | icon | keyword | flag | predicate | = EXPR] [floor N]",
        "A value that is computed whenever it is asked for: the printed number, the printed number or 0 where there is none, a keyword's number (0 without it), a keyword without a number, something that holds while it is not zero (its English says it: \"takes no damage\"), or an expression over `it`; then the modifiers that apply. With `for` it is a value of a card or player for something else, a place or a player: `NAME(it, x)` asks for it. Players are told of those that are `shown`.",
    ),
    row(
        "var",
        "[shown] var NAME [\"English\"] [of player]: TYPE [= EXPR] [for PERIOD]",
        "A variable of the game, or one that each player has (`p.NAME`); `for` sets it back when the period ends. Players, onlookers and bots are told of those that are `shown` (less the cards that they may not know; of what each player has, a `shown stat` tells); the others are the rules' own memory.",
    ),
    row("periods", "periods A, B, ...", "Stretches of time that lasting effects, limits and counters end with; `end PERIOD` ends one."),
    row(
        "roles",
        "roles A [\"English\"], B, ...",
        "Ways in which a card can lie on or under another one, with what stands before the other one in English (\"on\").",
    ),
    row(
        "classes",
        "classes A, B, ...",
        "Classes of triggered abilities, so that rules can settle them at different moments. The first is the usual one.",
    ),
    row(
        "option",
        "option NAME \"doc\": DEFAULT, B, ...",
        "A choice made before the game where the rulebook leaves one; `NAME = DEFAULT` tests it.",
    ),
    row(
        "event",
        "event NAME(PARAMS) [\"English\"] [as TONE] [quiet [if EXPR]] [shows SIGHT(PARAMS)]",
        "Something that rules `emit` and abilities wait for. The text is its line in the log; `{param}` fills in, `{if param: ...}` says more where there is one. The tone says how the line reads: `turn`, `phase`, `heading`, `fight`, `chance`, `grave`. Players are not told of a `quiet` one, since the lines around it say it; scenarios are. What it `shows` is drawn: `attack(by, on)`, `damage(card, n)`, `draw(player, card, n)`, `totals(a, b)`.",
    ),
    row(
        "window",
        "window NAME \"English\" [asking \"...\"] [until EXPR]",
        "A moment at which players are offered moves, and what is asked then: `asking \"{w}\"` asks that of a window `w`, `you` in it is whoever is asked, `{moves}` what they can do. Where `until` holds it is over, whoever could still act: `is_over(w)` asks.",
    ),
    row(
        "scope",
        "scope NAME [\"English\"] when EXPR [as EXPR [\"English\"]] [for PLAYER]",
        "Where an ability works: a test over `it`, the card that carries it; the card that the ability calls `self` (a pilot speaks of its ship); the player who has it, where that is not the controller of the card.",
    ),
    row(
        "timing",
        "timing NAME[(X: TYPE, Y: TYPE = EXPR)] [\"English\"]",
        "When an ability may be used. Lines: `in WINDOWS`, `require EXPR else \"reason\"`, `once per PERIOD [shared]` (all copies of a card share the limit), `worth EXPR` (where it does not hold, nobody is stopped for it under the usual stops). A card gives it a value for each parameter, and a name of its own for each that has an expression: that is what the moment tells the card, as `now_card` of the rules is `c` in `KIND damaged(c) if c in [your units]`.",
    ),
    row(
        "kind",
        "kind NAME [\"English\"]",
        "A kind of ability on cards. Its English stands before the text of its abilities (Action: ...); one that starts with a small letter stands in their first sentence (you may ...). Lines: `scope NAME`, `in WINDOWS` (where its timing names none), `pay COSTS` (what every ability of the kind costs besides its own; their English stands behind the label of a move, not on the card), `steps could, target [PERMISSION], pay, respond PROGRAM, effect` in the order of this game. With `could` an ability may be used only if something could come of it: one of the programs it calls (each needs a `could` line), in the state as it is; of its targets those are offered of which something could come. Every target needs the permission, which is asked with the card of the ability, the target and what it is chosen for. The program of `respond` returns whether the ability was stopped, and may take the cards it is aimed at, or those and the purpose of each; what is stopped before it was paid for does not count against a limit.",
    ),
    row(
        "cost",
        "cost NAME(PARAMS)[: TYPE] \"English\"",
        "Something to pay. Lines: `require` and `do:` with the program that pays it. What the costs of an ability are given is worked out before any of them is paid. Where the program says `return false` it was not paid: the ability ends there, and does not count against a limit. One with a type returns what it took, and `pay COST(ARGS) as NAME` gives that a name; where it returns none it was not paid.",
    ),
    row(
        "permission",
        "permission NAME(PARAMS) \"English\"",
        "Something that `forbid` and `allow` speak of; `can NAME(...)` asks. A card that forbids beats a card that allows, and a card beats a rule.",
    ),
    row(
        "noun",
        "noun ONE/MANY [\"English\"/\"English\"] [unsaid WORDS] from LIST where EXPR",
        "A noun for phrases: the cards to look through and the test that `it` must pass. Behind words that only such cards have it can go `unsaid`: a Rebel, not a Rebel character.",
    ),
    row("adjective", "adjective NAME [\"English\"]: EXPR", "An adjective for phrases: a test over `it`."),
    row(
        "def",
        "def NAME(PARAMS): TYPE [\"English\"] = EXPR [where: with lines NAME = EXPR]",
        "A function: it computes and changes nothing. With one parameter it can be written as a property, `x.NAME`. The names below `where:` stand for their expressions wherever they are used, each over those before it: they may speak of what is bound there.",
    ),
    row(
        "proc",
        "proc NAME(PARAMS)[: TYPE] [contains_faults] [\"English\"] [would \"English\"]",
        "A program. With English it is a verb that cards may use; with `would \"{c} would be lost\"` cards may do something instead of it. A first line `could EXPR [else \"reason\"]` over its parameters says when it could change something, `could true` that it always could.",
    ),
    row(
        "action",
        "action NAME(CARD, SECOND) \"label\"",
        "Something the rules let players do, with no card, one, or two. Lines: `in WINDOWS`, `from LIST`, `to LIST else \"reason\"` (what the second card may be for the first: each is an option of its own; without one the move is refused, and `SECOND` is `none` in its label), `require`, `once per PERIOD`, `worth EXPR` (as for a timing), `usual EXPR` (everybody would do it: the usual stops do where nothing else is worth a stop), `warning \"...\"` (what it gives away and must be confirmed; empty: nothing), `do:`.",
    ),
    row("rule", "rule CLAUSE", "A clause that always holds."),
    row("deck", "deck require EXPR else \"reason\"", "A rule of deck construction, over the deck of `you`."),
    row("template", "template NAME(PARAMS) [\"English\"]", "Abilities that many cards share, written once."),
    row(
        "card",
        "card \"Title\" WORDS: SUBTYPES",
        "A card: members of enumerations, subtypes, then `set CODE NUMBER RARITY` (a further such line for each reprint), `brings \"Title\", ...` (cards that come into a deck with this one and not otherwise), `lore WORD, ...` (words of its lore that others ask for), numbers (`power 3, speed 40`) and abilities. Definitions that nobody else needs stand in it, behind its abilities: a `def`, `proc`, `adjective`, `noun`, `timing`, `cost`, `scope`, `event`, `permission`, `stat`, `counter`, `field`, `var`, `template`, `window` or `rule` there is seen by this card only, and by others of its title.",
    ),
];

pub static ABILITIES: &[Construct] = &[
    row(
        "KIND",
        "KIND [TIMING[(ARGS)] [if EXPR] [once per PERIOD [shared]]] [target [up to N] X [to WORD] from LIST] [pay COST [as NAME], ...] [require ...]: program",
        "An ability that its player may use, at a timing and where the condition on what that tells holds. It needs its targets; among them only those are offered that may be targeted, for the purpose named by the word, and for which its costs can be paid.",
    ),
    row(
        "when",
        "when EVENT(NAMES) [if EXPR] [once per PERIOD [shared]] [as CLASS]: program",
        "A triggered ability: it waits until the rules settle it. With a limit it is set off the first time in each period.",
    ),
    row(
        "instead",
        "[may] instead of PROGRAM(NAMES) [if EXPR] [QUESTION]: program",
        "What is done instead of a program of the rules that has a `would` text: where the condition holds, this program is run and that one is not, unless it returns false; with `may` its player decides. The card or effect that came first comes first, and none is done for what it does itself.",
    ),
    row(
        "gains",
        "SUBJECT gains [while EXPR]: abilities",
        "A card or each card of a phrase has the abilities below, too, also those of a template: whoever controls it uses them, and `self` in them is that card. What it gets in values, and what is set off for it, are clauses of their own.",
    ),
    row(
        "gets",
        "SUBJECT gets VALUE[(FOR)] +N, ... [cumulatively] [while EXPR]",
        "A static ability: a card, a player or each card of a phrase has another value (`+`, `-`, `*`, `=` to set it, `>=` no less, `<=` no more; `VALUE unreduced [by opponent]`: nothing makes it less, `VALUE unmodified [by opponent]`: nothing changes it). FOR is what the value is for; its name may stand in the amount and the condition.",
    ),
    row("forbid", "forbid PERMISSION(NAMES) [when EXPR] [else \"reason\"] [while EXPR]", "Something can't be done."),
    row("allow", "allow PERMISSION(NAMES) [when EXPR] [while EXPR]", "Something can be done although the rules forbid it."),
    row("in", "in SCOPE:", "The abilities below work in another scope."),
    row(
        "says",
        "says \"TEXT\":",
        "The abilities below have this text, written by hand. `cards coverage` counts such texts: the printer should say what a program does.",
    ),
    row(
        "treat_as",
        "treat_as WORD or \"Title\", ...",
        "The card counts as having these subtypes or titles besides its own, wherever it lies: `is` and `named` find it by them.",
    ),
    row("TEMPLATE", "TEMPLATE(ARGS)", "The abilities of a template."),
];

pub static STATEMENTS: &[Construct] = &[
    row("let", "let NAME = EXPR", "Remember a value. A program that returns one, `roll` and `random` may stand on the right."),
    row(
        ":=",
        "TARGET := EXPR, TARGET += EXPR, TARGET -= EXPR",
        "Change a variable, a name, or what a card, several cards or a player counts or remembers.",
    ),
    row("if", "if EXPR: ... elif EXPR: ... else: ...", "Do one of several things."),
    row("unless", "unless EXPR: ...", "Do something if not."),
    row(
        "match",
        "match EXPR: with lines VALUE, ...: ... and else: ...",
        "Do what stands behind the first line with a value that is equal.",
    ),
    row(
        "with",
        "with VARIABLE = EXPR, ...: ...",
        "The variables have these values inside the block, each set before the next is worked out, and theirs again however it ends.",
    ),
    row("while", "while EXPR: ...", "Repeat."),
    row("for", "for NAME in LIST: ...", "For each item of a list, as it was at the start."),
    row("return", "return [EXPR]", "Leave the program."),
    row(
        "choose",
        "choose [up to N | at least N | exactly N | any] NAME from LIST [as NAME] [or none [\"label\"]] [QUESTION]",
        "A player (`you`) picks. One item gives the item itself, several a list. A choice with one possible answer is not asked.",
    ),
    row(
        "choose one",
        "choose one [QUESTION]:",
        "A player picks one of the texts below, each with its program; `if EXPR` after a text says when it can be picked.",
    ),
    row("number", "number NAME from A to B [QUESTION]", "A player picks a number."),
    row("order", "order NAME from LIST [QUESTION]", "A player puts a list in order."),
    row(
        "then",
        "then: ...",
        "What only follows from what stands before it, and is printed so. It does not count where an ability is asked whether it could change something.",
    ),
    row("may", "may [QUESTION]: ...", "A player decides whether to do it."),
    row(
        "QUESTION",
        "[as NAME] [by PLAYER] [asking \"...\"] [labelled \"...\"] [warning \"...\"] [worth EXPR]",
        "By which name hosts know the question (one of a `proc`, `action` or `cost` must have one; without, it is that of the kind of ability or of the event), who is asked (`you`), the question, what an option is called, what an answer gives away and must be confirmed (empty: nothing), and whether the question is worth asking: where that does not hold, the usual stops answer it (nothing where that is allowed, else the first options, the highest number, the order as it stands). In labels and warnings `it` is the option or number, `none` for passing.",
    ),
    row(
        "until",
        "until PERIOD: CLAUSE",
        "A lasting effect: the clause holds until the period ends, with the names as they are now; a variable of the game is read whenever it is asked for.",
    ),
    row(
        "once",
        "once: when EVENT(...) ... or once: instead of PROGRAM(...) ...",
        "The next time something happens: a triggered ability that works once.",
    ),
    row("emit", "emit EVENT(ARGS)", "Something has happened: it is logged and sets off triggered abilities."),
    row("end", "end PERIOD", "A period ends, and with it its effects, limits and counters."),
    row("run", "run MOVE", "Carry out a move that a player chose."),
    row(
        "repeat",
        "repeat MOVE or TRIGGER [by PLAYER]",
        "The effect of a move once more, for `you` or that player: its targets are chosen anew, and it is neither paid for nor answered. Or that of a triggered ability that waits, and goes on waiting.",
    ),
    row("resolve", "resolve TRIGGER", "Carry out a triggered ability that waits."),
    row("drop", "drop TRIGGER", "A triggered ability waits no longer, and nothing comes of it."),
    row("win", "win PLAYER", "The game is over; `win none` ends it without a winner."),
];

pub static EXPRESSIONS: &[Construct] = &[
    row(
        "names",
        "you, self, it, none, true, false",
        "The player of the program; the card of the ability; the card under test in a phrase, scope or value; nothing; truth.",
    ),
    row("source", "source", "The card that carries the ability, where `self` is another one."),
    row(
        "operators",
        "+ - * / = != < <= > >= and or not in ++",
        "`++` joins lists, `in` asks whether a list or zone holds an item. A missing value compares with nothing.",
    ),
    row("is", "EXPR is [not] WORD", "Whether a card carries a word: one of the game, or a value such as a parameter."),
    row("if", "if A then B else C", "One of two values."),
    row(
        "field",
        "EXPR.NAME",
        "A value, counter, enumeration or property. Cards: owner, controller, zone, facedown, parent, name, and `printed_VALUE`. Players: opponent, and their zones. Zones: cards, size. Lists: size, first, last. Moves and triggers: card; moves: from_card, source.",
    ),
    row(
        "phrase",
        "[your|opponents other WORDS NOUN in ZONE named \"X\" with EXPR]",
        "The cards that a noun phrase means. Words are adjectives, nouns, `not WORD`, or alternatives `A|B`.",
    ),
    row("quantifiers", "any|all|count|sum|filter|each|highest|lowest|first(NAME in LIST where EXPR: EXPR)", "Questions about lists."),
    row("can", "can PERMISSION(ARGS)", "Whether something is permitted."),
    row("match", "match EXPR to (VALUE or VALUE: EXPR, ..., else EXPR)", "The value behind the first one that is equal, or the last."),
    row("list", "list(A, B, ...), A..B", "A list; a range of numbers, both ends included."),
];

/// What a call of a built-in compiles to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Builtin {
    Min,
    Max,
    Count,
    Moves,
    Waiting,
    Attached,
    HasRole,
    AllOn,
    WordsOf,
    TitleHas,
    TextHas,
    LoreHas,
    ChangesInPlay,
    Root,
    Position,
    Distinct,
    Without,
    Item,
    Brings,
    AnythingActsIn,
    ActsIn,
    Over,
    Place,
    PlaceBottom,
    PlaceDown,
    PlaceBeside,
    TakeOver,
    Attach,
    AttachDown,
    TurnUp,
    TurnDown,
    Control,
    Give,
    Shuffle,
    Reveal,
    RevealTo,
    Roll,
    Random,
}

/// A parameter of a built-in: a value, or a name that the game declares.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wants {
    Value(Ty),
    /// A list of any type, or a zone.
    AnyList,
    /// A card or a list of cards.
    CardOrCards,
    Role,
}

pub struct Callable {
    pub name: &'static str,
    pub builtin: Builtin,
    pub params: &'static [Wants],
    /// None for a statement; lists of any type give back the type they were given.
    pub result: Option<Ty>,
    /// Whether it changes the state: then it is a statement, or stands right of `let`.
    pub acts: bool,
    pub doc: &'static str,
}

use Wants::{AnyList, CardOrCards, Role, Value};

const fn query(name: &'static str, builtin: Builtin, params: &'static [Wants], result: Ty, doc: &'static str) -> Callable {
    Callable { name, builtin, params, result: Some(result), acts: false, doc }
}
const fn verb(name: &'static str, builtin: Builtin, params: &'static [Wants], result: Option<Ty>, doc: &'static str) -> Callable {
    Callable { name, builtin, params, result, acts: true, doc }
}

pub static CALLABLES: &[Callable] = &[
    query("min", Builtin::Min, &[Value(Ty::Num), Value(Ty::Num)], Ty::Num, "The smaller number."),
    query("max", Builtin::Max, &[Value(Ty::Num), Value(Ty::Num)], Ty::Num, "The larger number."),
    query("count", Builtin::Count, &[AnyList], Ty::Num, "How many items a list or zone has."),
    query("moves", Builtin::Moves, &[Value(Ty::Player), Value(Ty::Window)], Ty::Moves, "What a player may do in a window now."),
    query(
        "waiting",
        Builtin::Waiting,
        &[Value(Ty::Player), Value(Ty::Class)],
        Ty::Triggers,
        "Triggered abilities of a player that wait, of one class.",
    ),
    query("attached", Builtin::Attached, &[Value(Ty::Card), Role], Ty::Cards, "Cards on or under a card, in a role."),
    query("has_role", Builtin::HasRole, &[Value(Ty::Card), Role], Ty::Bool, "Whether a card lies on or under another one in a role."),
    query("all_on", Builtin::AllOn, &[Value(Ty::Card)], Ty::Cards, "All cards on or under a card, and on or under those."),
    query(
        "changes_in_play",
        Builtin::ChangesInPlay,
        &[],
        Ty::Num,
        "A number that grows whenever cards in play change places or lasting effects come and go.",
    ),
    query(
        "root",
        Builtin::Root,
        &[Value(Ty::Card)],
        Ty::Card,
        "The outermost card that a card lies on; the card itself where it lies on none.",
    ),
    query("words_of", Builtin::WordsOf, &[Value(Ty::Card)], Ty::Words, "All words that a card carries."),
    query("title_has", Builtin::TitleHas, &[Value(Ty::Card), Value(Ty::Word)], Ty::Bool, "Whether a word stands in the title of a card."),
    query("text_has", Builtin::TextHas, &[Value(Ty::Card), Value(Ty::Word)], Ty::Bool, "Whether a word stands in the text of a card."),
    query(
        "lore_has",
        Builtin::LoreHas,
        &[Value(Ty::Card), Value(Ty::Word)],
        Ty::Bool,
        "Whether a word stands in the lore of a card, as its `lore` line says.",
    ),
    query(
        "position",
        Builtin::Position,
        &[Value(Ty::Card)],
        Ty::Num,
        "The place of a card in its row on the table, counted from 0; none where it lies on another card, in a zone of one player or in one that is not `live`.",
    ),
    query("distinct", Builtin::Distinct, &[AnyList], Ty::Any, "The list without repetitions."),
    query("without", Builtin::Without, &[AnyList, AnyList], Ty::Any, "The first list less the items of the second, each taken away once."),
    query("item", Builtin::Item, &[AnyList, Value(Ty::Num)], Ty::Any, "The item at a place, counted from 0."),
    query(
        "brings",
        Builtin::Brings,
        &[Value(Ty::Card), Value(Ty::Card)],
        Ty::Num,
        "How many copies of the second card come into a deck with the first.",
    ),
    query(
        "anything_acts_in",
        Builtin::AnythingActsIn,
        &[Value(Ty::Window)],
        Ty::Bool,
        "Whether anything could be done in a window: a card that lies where cards may act has an ability for it, or the rules an action. Quickly seen; `moves` says what.",
    ),
    query("is_over", Builtin::Over, &[Value(Ty::Window)], Ty::Bool, "Whether a window is over, as its `until` says; one without never is."),
    query(
        "acts_in",
        Builtin::ActsIn,
        &[Value(Ty::Card), Value(Ty::Window)],
        Ty::Bool,
        "Whether a card has an ability for a window, whether or not it could be used now.",
    ),
    verb("place", Builtin::Place, &[CardOrCards, Value(Ty::Zone)], None, "Move cards to the top of a zone."),
    verb("place_bottom", Builtin::PlaceBottom, &[CardOrCards, Value(Ty::Zone)], None, "Move cards to the bottom of a zone."),
    verb("place_down", Builtin::PlaceDown, &[CardOrCards, Value(Ty::Zone)], None, "Move cards face down to the top of a zone."),
    verb(
        "place_beside",
        Builtin::PlaceBeside,
        &[Value(Ty::Card), Value(Ty::Card)],
        None,
        "Move a card into the zone of another one, right behind it.",
    ),
    verb("attach", Builtin::Attach, &[Value(Ty::Card), Value(Ty::Card), Role], None, "Put a card on or under another one."),
    verb("attach_down", Builtin::AttachDown, &[Value(Ty::Card), Value(Ty::Card), Role], None, "The same, face down."),
    verb("turn_up", Builtin::TurnUp, &[Value(Ty::Card)], None, "Turn a card face up."),
    verb("turn_down", Builtin::TurnDown, &[Value(Ty::Card)], None, "Turn a card face down."),
    verb("control", Builtin::Control, &[Value(Ty::Card), Value(Ty::Player)], None, "Give a player control of a card."),
    verb("give", Builtin::Give, &[Value(Ty::Card), Value(Ty::Player)], None, "Make a player the owner of a card, and give control of it."),
    verb(
        "take_over",
        Builtin::TakeOver,
        &[Value(Ty::Card), Value(Ty::Card)],
        None,
        "Let the first card take the place of the second in all things: what lies on it, its counters, effects that last for it, what waits for it or is remembered of it in variables. Where the cards themselves lie does not change.",
    ),
    verb("shuffle", Builtin::Shuffle, &[Value(Ty::Zone)], None, "Shuffle a zone; whoever was shown its cards no longer knows them."),
    verb("reveal", Builtin::Reveal, &[CardOrCards], None, "Show cards to everyone, where they lie."),
    verb("reveal_to", Builtin::RevealTo, &[CardOrCards, Value(Ty::Player)], None, "Show cards to one player."),
    verb("roll", Builtin::Roll, &[Value(Ty::Num), Value(Ty::Num)], Some(Ty::Nums), "Roll dice: how many, with how many sides."),
    verb("random", Builtin::Random, &[AnyList], Some(Ty::Any), "An item of a list at random."),
];

pub fn callable(name: &str) -> Option<&'static Callable> {
    CALLABLES.iter().find(|callable| callable.name == name)
}
