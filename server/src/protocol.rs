//! What travels between server and client, the one source for both ends: serde here, and TypeScript in
//! `web/src/protocol.ts`, which a test writes from these types. `docs/PROTOCOL.md` tells how to use it.
//!
//! Numbers are at most 32 bits, so that they are plain numbers in JavaScript.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
pub use trilogy_games::host::About;
use ts_rs::TS;
use utoipa::ToSchema;

/// A name in a picture of a table. There are hundreds in each, and most are so short that they need no memory of their own.
pub type Name = compact_str::CompactString;

/// Raised when an old client could no longer be understood.
pub const PROTOCOL: u32 = 1;

// ---- from the client ----

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum ClientMessage {
    /// First message on a socket. A client of another protocol or build is refused politely.
    Hello {
        protocol: u32,
        build: Option<String>,
    },
    /// Follow a match: as a player where the session owns a seat, else as a spectator. `since` is the last
    /// sequence number that was seen (0 for none); the answer is an update from there or from nothing.
    Watch {
        table: String,
        since: u32,
    },
    Unwatch {
        table: String,
    },
    /// Answer the ask with this number. `id` is the client's own; the same id twice is taken once.
    Answer {
        table: String,
        ask: u32,
        id: u32,
        answer: AnswerData,
    },
    /// Take back the last own answer: at once while nothing hidden was revealed, else by the opponent's leave.
    Undo {
        table: String,
    },
    UndoReply {
        table: String,
        agree: bool,
    },
    Resign {
        table: String,
    },
    /// Offer a draw, or agree to one that was offered.
    OfferDraw {
        table: String,
    },
    /// Ask to pause the clocks, or agree to a pause; again to go on.
    Pause {
        table: String,
    },
    /// Wish for another game with the same decks; when both do, it is opened.
    Rematch {
        table: String,
    },
    Chat {
        table: String,
        text: String,
    },
    /// Where the server stops for this player although they have nothing that must be asked.
    Stops {
        table: String,
        stops: Stops,
    },
    /// Why moves are not possible now; answered by `Reasons`.
    WhyNot {
        table: String,
    },
    /// How a value comes about; answered by `Trace`.
    TraceValue {
        table: String,
        card: u32,
        stat: String,
    },
    Ping {
        id: u32,
    },
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum AnswerData {
    /// Indices of options; none passes, where that is allowed.
    Pick(Vec<u32>),
    Number(i32),
}

/// What the server answers for a player: questions that the rules think not worth a stop, unless they want to be asked.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Stops {
    /// Ask me everything.
    pub full_control: bool,
    /// Pass every window for me, not only those that are not worth a stop.
    pub auto_pass: bool,
    /// Windows (by name) in which I always want to be asked.
    pub except: Vec<String>,
}

// ---- from the server ----

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ServerMessage {
    Welcome {
        protocol: u32,
        build: String,
        catalogues: BTreeMap<String, String>,
        name: Option<String>,
        message_of_the_day: String,
    },
    /// The socket will be closed: another protocol, too many messages, a ban.
    Refused {
        reason: String,
    },
    /// A change to what the client knows of a match. `patch` is merged into it (RFC 7396: objects are merged key
    /// by key, null removes a key); with `base` 0 it is merged into nothing. A client whose last `seq` is not
    /// `base` sends `Watch` again. The whole is a [`Table`].
    Update {
        table: String,
        base: u32,
        seq: u32,
        #[ts(type = "unknown")]
        patch: serde_json::Value,
        /// Log lines since `base`, in order.
        log: Vec<LogLine>,
        /// What to animate, in order.
        moves: Vec<Motion>,
    },
    /// The answer with this id was taken (and is on disk) or had been before.
    Accepted {
        table: String,
        id: u32,
        seq: u32,
    },
    /// Something the client sent was not possible; nothing has changed.
    Rejected {
        table: Option<String>,
        id: Option<u32>,
        reason: String,
        rule: Option<String>,
    },
    Reasons {
        table: String,
        reasons: Vec<Reason>,
    },
    Trace {
        table: String,
        card: u32,
        stat: String,
        value: Option<i32>,
        lines: Vec<TracePart>,
    },
    Said {
        table: String,
        by: String,
        seat: Option<u8>,
        text: String,
    },
    Pong {
        id: u32,
    },
    /// The table is played at another server, at this address: go there. The ticket signs in who has none there, once and soon
    /// (`POST /api/enter`).
    Moved {
        table: String,
        url: String,
        ticket: Option<String>,
    },
}

/// A match as one viewer knows it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS, ToSchema)]
pub struct Table {
    pub id: String,
    pub game: String,
    /// The cards and rules that it is played with: `GET /api/cards/GAME?catalogue=HASH` tells what its cards say.
    pub catalogue: String,
    /// The viewer's seat; none for a spectator.
    pub seat: Option<u8>,
    pub seats: Vec<Seat>,
    pub state: MatchState,
    /// Offers on the table: `draw`, `pause`, `undo`, `rematch`, each with the seats that made it.
    pub offers: BTreeMap<String, Vec<u8>>,
    pub paused: bool,
    pub spectators: u32,
    pub stops: Stops,
    /// Whether `Undo` takes effect without the opponent's leave.
    pub undo_free: bool,
    /// Hash that the seed will be checked against; the seed itself when the match is over.
    pub commitment: String,
    pub seed: Option<String>,
    /// Variables of the rules worth showing: turn, arena, attacker, defender, dice.
    #[ts(type = "Record<string, unknown>")]
    pub vars: BTreeMap<String, serde_json::Value>,
    /// By name and, for a player's own zones, seat: `hand.0`, `space`.
    pub zones: BTreeMap<String, Zone>,
    /// By id.
    #[ts(as = "BTreeMap<String, Card>")]
    #[schema(value_type = BTreeMap<String, Card>)]
    pub cards: BTreeMap<Name, Card>,
    /// What lasts for now, in English.
    pub effects: Vec<String>,
    pub ask: Option<Ask>,
    /// The table of the next game, once both players wished for a rematch.
    pub rematch: Option<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS, ToSchema)]
pub struct Seat {
    pub name: String,
    /// What the rules call this player: "Dark Side".
    pub side: String,
    pub bot: Option<String>,
    pub connected: bool,
    pub deck: String,
    /// Milliseconds left, where there is a clock, as of this update.
    pub clock: Option<u32>,
    /// Counters of the player by name: force, points.
    pub counters: BTreeMap<String, i32>,
    /// Current values of the player that are not zero: generation, ...
    pub values: BTreeMap<String, i32>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(tag = "is", rename_all = "snake_case")]
pub enum MatchState {
    /// A seat is free.
    Open,
    Playing,
    /// Over; without a winner it is drawn. `how`: "rules", "resigned", "time", "agreed", "broken"
    Over {
        winner: Option<u8>,
        how: String,
    },
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS, ToSchema)]
pub struct Zone {
    pub english: String,
    pub seat: Option<u8>,
    /// Cards that the viewer sees as cards, bottom first.
    pub cards: Vec<u32>,
    /// Cards that are only counted.
    pub hidden: u32,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS, ToSchema)]
pub struct Card {
    pub id: u32,
    /// Key of the card (see `/api/cards`), where the viewer may know it.
    #[ts(as = "Option<String>")]
    #[schema(value_type = Option<String>)]
    pub key: Option<Name>,
    pub owner: u8,
    pub controller: u8,
    #[ts(as = "String")]
    #[schema(value_type = String)]
    pub zone: Name,
    pub facedown: bool,
    /// The card it lies on or under, and how.
    pub parent: Option<u32>,
    #[ts(as = "Option<String>")]
    #[schema(value_type = Option<String>)]
    pub role: Option<Name>,
    /// Those that are not zero.
    #[ts(as = "BTreeMap<String, i32>")]
    #[schema(value_type = BTreeMap<String, i32>)]
    pub counters: BTreeMap<Name, i32>,
    /// Current values, where the viewer may know the card: speed, power, health, ...
    #[ts(as = "BTreeMap<String, i32>")]
    #[schema(value_type = BTreeMap<String, i32>)]
    pub values: BTreeMap<Name, i32>,
    /// Values that a common card has for each player, by seat: a location's total power, its icons, what it drains.
    #[ts(as = "BTreeMap<String, Vec<i32>>")]
    #[schema(value_type = BTreeMap<String, Vec<i32>>)]
    pub totals: BTreeMap<Name, Vec<i32>>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS, ToSchema)]
pub struct Ask {
    /// Number of the ask in the match; an answer names it.
    pub number: u32,
    pub seat: u8,
    /// None for everyone but the one who is asked.
    pub question: Option<Question>,
    /// The name that the rules give the question: hosts tell asks apart by this, since the words of a prompt may change.
    /// None for everyone but the one who is asked.
    pub name: Option<String>,
    /// Whose question it is.
    pub by: Asker,
    /// The title of the card whose text asks, where one does.
    pub card: Option<String>,
    /// The window whose moves are offered, where it is one: "general_window".
    pub window: Option<String>,
}

/// Whose question it is: the rules', that of a cost, of a triggered ability or of an ability that was used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Asker {
    #[default]
    Rules,
    Cost,
    Trigger,
    Ability,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Question {
    /// `pass` is none where something must be chosen.
    Pick {
        prompt: String,
        options: Vec<Choice>,
        least: u32,
        most: u32,
        pass: Option<Pass>,
    },
    /// `warnings` by number: what that answer gives away.
    Number {
        prompt: String,
        least: i32,
        most: i32,
        warnings: BTreeMap<String, String>,
    },
    Order {
        prompt: String,
        options: Vec<Choice>,
    },
}

/// What choosing nothing is called.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS, ToSchema)]
pub struct Pass {
    pub label: String,
    /// What it gives away, where it should be confirmed.
    pub warning: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS, ToSchema)]
pub struct Choice {
    pub label: String,
    /// In what it differs from other choices of the same label.
    pub detail: Option<String>,
    pub card: Option<u32>,
    /// The card acted upon, where it is another one than the one acted with.
    pub target: Option<u32>,
    /// The action of the rules that it takes, by its name there; labels may change. None where it is no action.
    pub action: Option<String>,
    /// The zone of a card in a hand or pile: the viewer may not know the card, but can point at the pile.
    pub zone: Option<String>,
    /// An earlier choice that comes to the same: a list shows that one only.
    pub alike: Option<u32>,
    /// What it gives away, where it should be confirmed.
    pub warning: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS, ToSchema)]
pub struct LogLine {
    pub text: String,
    /// What sort of line it is, as the rules say.
    pub tone: Tone,
    /// Keys of the cards it names.
    pub cards: Vec<String>,
    /// Which answer of the match it followed.
    pub answer: u32,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Tone {
    #[default]
    Plain,
    Turn,
    Heading,
    Fight,
    Chance,
    Grave,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(tag = "what", rename_all = "snake_case")]
pub enum Motion {
    Move {
        card: u32,
        from: String,
        to: String,
    },
    Attack {
        by: u32,
        on: u32,
    },
    Dice {
        faces: Vec<u32>,
    },
    Damage {
        card: u32,
        amount: i32,
    },
    Shuffle {
        zone: String,
    },
    /// A card was drawn for destiny.
    Destiny {
        seat: u8,
        card: Option<String>,
        value: i32,
    },
    /// What both sides of a battle came to, by seat.
    Powers {
        totals: Vec<i32>,
    },
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS, ToSchema)]
pub struct Reason {
    pub move_label: String,
    pub card: Option<u32>,
    pub reason: String,
    pub rule: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS, ToSchema)]
pub struct TracePart {
    pub amount: i32,
    /// "+", "x" or "="
    pub change: String,
    pub card: Option<String>,
    pub rule: Option<String>,
    pub says: String,
}

// ---- REST, under /api ----

/// `GET /api/cards/GAME`: every card of a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS, ToSchema)]
pub struct CardInfo {
    pub key: String,
    pub title: String,
    pub side: String,
    pub kind: String,
    pub version: Option<String>,
    pub subtypes: Vec<String>,
    pub numbers: BTreeMap<String, i32>,
    pub text: Vec<String>,
    pub set: String,
    pub number: u32,
    pub rarity: String,
    /// Cards that come into a deck with this one and not otherwise, with the number of their copies.
    pub brings: BTreeMap<String, u32>,
}

/// `GET /api/games`: what this server plays.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS, ToSchema)]
pub struct GameInfo {
    /// As other requests name it: "tcg".
    pub name: String,
    pub title: String,
    /// Hash of its newest cards and rules: those that new matches are played with.
    pub catalogue: String,
    /// What the rules call the players, by seat.
    pub players: Vec<String>,
    /// Its words, signs, piles and the order of things: `host.json` of the game.
    pub about: About,
}

/// `GET /api/rules/GAME`
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS, ToSchema)]
pub struct RuleInfo {
    pub id: String,
    pub section: String,
    pub text: String,
    /// Our decisions beside it, where the sources are silent or disagree.
    pub rulings: Vec<RulingInfo>,
}

/// `GET /api/vocabulary/GAME`: a word that cards can be written with
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS, ToSchema)]
pub struct VocabularyInfo {
    pub name: String,
    /// With its parameters and its type, as a use of it is written.
    pub written: String,
    /// What sort of word it is: noun, adjective, verb, cost, ...
    pub sort: String,
    /// What it belongs to: an enumeration, a card, a player.
    pub of: Option<String>,
    /// How texts print it, with its parameters in braces; empty where it has no English.
    pub english: String,
    pub meaning: String,
    /// Ids of the rules that it is there for.
    pub rules: Vec<String>,
    /// The file and line that defines it.
    pub place: String,
    /// Titles of some cards that use it.
    pub cards: Vec<String>,
    /// How many cards use it.
    pub uses: u32,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS, ToSchema)]
pub struct RulingInfo {
    pub title: String,
    pub readings: String,
    pub ours: String,
    /// The option that players may set, or why there is none.
    pub option: String,
}

/// `GET /api/decks/GAME` (starter decks and own ones), `POST` and `PUT` to keep one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS, ToSchema)]
pub struct DeckInfo {
    pub id: String,
    pub name: String,
    pub game: String,
    pub starter: bool,
    /// 0 or 1: the player it is for.
    pub seat: u8,
    /// The plain list, `4x Title (A)` a line.
    pub list: String,
}

/// `POST /api/decks/GAME/check` with a plain list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS, ToSchema)]
pub struct DeckReport {
    pub cards: u32,
    pub legal: bool,
    pub faults: Vec<DeckFault>,
    /// Lines that could not be read, each with the reason.
    pub unread: Vec<String>,
    /// What was read, as a plain list with the full name of each card.
    pub list: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS, ToSchema)]
pub struct DeckFault {
    pub rule: String,
    pub reason: String,
}

/// `GET /api/me`, `POST /api/guest {name}`, `POST /api/register {name, password}`, `POST /api/login`, `POST /api/logout`,
/// `POST /api/rename {name}`, `DELETE /api/me`
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS, ToSchema)]
pub struct Me {
    pub name: String,
    pub guest: bool,
    pub admin: bool,
    /// To be sent back as the header `x-csrf` with everything that changes something.
    pub csrf: String,
}

/// `POST /api/tables`: open a table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewTable {
    pub game: String,
    /// Id of a deck.
    pub deck: String,
    /// Name of a bot to play against, with its deck; else the table waits for somebody.
    pub bot: Option<String>,
    pub bot_deck: Option<String>,
    /// Only those who have the link see it.
    pub private: bool,
    pub clock: Clock,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Clock {
    None,
    PerMove { seconds: u32 },
    PerPlayer { seconds: u32, increment: u32 },
}

/// `GET /api/tables`: open tables and those being played; `POST /api/tables/ID/join {deck}` takes the free seat.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS, ToSchema)]
pub struct TableInfo {
    pub id: String,
    pub game: String,
    pub players: Vec<Option<String>>,
    pub state: MatchState,
    pub clock: Clock,
    pub private: bool,
    pub answers: u32,
    /// Seconds since 1970.
    pub created: u32,
    pub mine: bool,
    /// The seat that is free: what a deck must be for.
    pub free_seat: Option<u8>,
}

/// `GET /api/replays/ID`: a finished match, or one's own: all that is needed to step through it. States come from
/// `GET /api/replays/ID/at/N` as a [`Table`] of the referee, or of a seat before the end.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS, ToSchema)]
pub struct Replay {
    pub info: TableInfo,
    pub answers: u32,
    pub log: Vec<LogLine>,
    /// Answers after which the balance of the table changed most, for the seek bar.
    pub turning_points: Vec<u32>,
    pub seed: Option<String>,
    pub commitment: String,
}

/// `GET /api/history`: own matches and how they went.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS, ToSchema)]
pub struct History {
    pub matches: Vec<TableInfo>,
    pub played: u32,
    pub won: u32,
    /// By deck name: played, won.
    pub decks: BTreeMap<String, (u32, u32)>,
}

/// `GET /api/admin/users?find=TEXT`, for admins.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS, ToSchema)]
pub struct AdminUser {
    pub name: String,
    pub guest: bool,
    pub admin: bool,
    /// Why they are shut out.
    pub banned: Option<String>,
    /// Seconds since 1970.
    pub created: u32,
    pub seen: Option<u32>,
}

/// Every failure of the REST interface.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS, ToSchema)]
pub struct Problem {
    pub reason: String,
    pub rule: Option<String>,
    /// Where it can be had instead: another server of the same accounts and matches.
    #[serde(default)]
    pub moved: Option<String>,
}

/// `GET /api/admin/troubles`: what is wrong with this server, for admins.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS, ToSchema)]
pub struct Troubles {
    /// Matches that it cannot go on with. They are left as they are.
    pub matches: Vec<UnreadableMatch>,
    /// Folders of rules and cards that cannot be read, each with the report. Games go on with what they had.
    pub rules: Vec<BrokenRules>,
    /// Servers on this storage.
    pub servers: Vec<ServerInfo>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS, ToSchema)]
pub struct UnreadableMatch {
    pub id: String,
    pub reason: String,
    /// Seconds since 1970.
    pub since: u32,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS, ToSchema)]
pub struct BrokenRules {
    pub game: String,
    pub report: String,
    /// Seconds since 1970.
    pub since: u32,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS, ToSchema)]
pub struct ServerInfo {
    pub url: String,
    /// The one that answers.
    pub this: bool,
    /// Whether it is there.
    pub live: bool,
    /// It finishes its matches and takes no new ones.
    pub draining: bool,
}
