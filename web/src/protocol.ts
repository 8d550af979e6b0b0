// Written by server/tests/types.rs from server/src/protocol.rs; do not edit.

export const PROTOCOL = 1;

/**
 * What all programs need; the browser is sent this.
 */
export type About = { 
/**
 * Said on the first page, and above the decks.
 */
lead: string, deck_lead: string, 
/**
 * How a pasted list may look.
 */
list_example: string, 
/**
 * More copies of a card than these are more than a deck may have; none where there is no such number.
 */
most_copies: number | null, 
/**
 * Whether there is a guided first game.
 */
lesson: boolean, 
/**
 * Types of cards in the order in which a deck is read.
 */
kinds: Array<string>, 
/**
 * Types of which a deck needs so many each, where the game asks for it.
 */
balance: Balance | null, 
/**
 * Numbers printed on cards, in the order in which they are told.
 */
numbers: Array<string>, 
/**
 * The number in the upper corner: what a card costs, and what that is called.
 */
cost: string, cost_name: string, 
/**
 * A number in the other upper corner.
 */
corner: string | null, 
/**
 * Which of its words say more closely what a card is, in the order in which they are told; all of them where none is named.
 */
type_words: Array<TypeWord>, 
/**
 * What stands before the title of some cards.
 */
title_marks: Array<TitleMark>, 
/**
 * What the other words of a card are called, as a filter.
 */
words_name: string, 
/**
 * Words of which a card has one, as a filter of their own: its affiliation.
 */
family: Family | null, 
/**
 * Words of a card that are drawn as signs.
 */
signs: Array<WordSign>, 
/**
 * Numbers at the foot of a card.
 */
stats: Array<StatSign>, 
/**
 * Words that a card may have at times, with a sign.
 */
keywords: Array<Keyword>, 
/**
 * Counters on a card: how they are told, and what the mark on the card shows.
 */
counters: Array<CounterWords>, 
/**
 * How cards lie on others.
 */
roles: Array<RoleWords>, 
/**
 * Windows in which a player may want to be asked.
 */
windows: Array<WindowWords>, 
/**
 * What passing is called, by the name of the question, where the rules have no word for it.
 */
passing: Array<PassWords>, 
/**
 * A player's own zone, by its name without the seat.
 */
hand: string, piles: Array<Pile>, 
/**
 * Moves that no card stands for and that are made with a pile, so that a click on the pile does them.
 */
pile_moves: Array<PileMove>, 
/**
 * Actions of the rules of which there is one for each number: the number is set, and then done.
 */
by_number: Array<string>, 
/**
 * What counts on a player's line beside the piles.
 */
figures: Array<Figure>, 
/**
 * The parts of a turn, where the rules have them in a variable.
 */
phases: Phases | null, 
/**
 * Games within the game, and tallies that go on for longer: told beside the board while they are there.
 */
scenes: Array<Scene>, };

/**
 * `GET /api/admin/users?find=TEXT`, for admins.
 */
export type AdminUser = { name: string, guest: boolean, admin: boolean, 
/**
 * Why they are shut out.
 */
banned: string | null, 
/**
 * Seconds since 1970.
 */
created: number, seen: number | null, };

export type AnswerData = { "pick": Array<number> } | { "number": number };

export type Ask = { 
/**
 * Number of the ask in the match; an answer names it.
 */
number: number, seat: number, 
/**
 * None for everyone but the one who is asked.
 */
question: Question | null, 
/**
 * The name that the rules give the question: hosts tell asks apart by this, since the words of a prompt may change.
 * None for everyone but the one who is asked.
 */
name: string | null, 
/**
 * Whose question it is.
 */
by: Asker, 
/**
 * The title of the card whose text asks, where one does.
 */
card: string | null, 
/**
 * The window whose moves are offered, where it is one: "general_window".
 */
window: string | null, };

/**
 * Whose question it is: the rules', that of a cost, of a triggered ability or of an ability that was used.
 */
export type Asker = "rules" | "cost" | "trigger" | "ability";

export type Badge = { says: string, when: SceneSign, };

export type Balance = { kinds: Array<string>, least: number, };

export type BrokenRules = { game: string, report: string, 
/**
 * Seconds since 1970.
 */
since: number, };

export type Card = { id: number, 
/**
 * Key of the card (see `/api/cards`), where the viewer may know it.
 */
key: string | null, owner: number, controller: number, zone: string, facedown: boolean, 
/**
 * The card it lies on or under, and how.
 */
parent: number | null, role: string | null, 
/**
 * Those that are not zero.
 */
counters: { [key in string]: number }, 
/**
 * Current values, where the viewer may know the card: speed, power, health, ...
 */
values: { [key in string]: number }, 
/**
 * Values that a common card has for each player, by seat: a location's total power, its icons, what it drains.
 */
totals: { [key in string]: Array<number> }, };

/**
 * `GET /api/cards/GAME`: every card of a game.
 */
export type CardInfo = { key: string, title: string, side: string, kind: string, version: string | null, subtypes: Array<string>, numbers: { [key in string]: number }, text: Array<string>, set: string, number: number, rarity: string, 
/**
 * Cards that come into a deck with this one and not otherwise, with the number of their copies.
 */
brings: { [key in string]: number }, };

export type Choice = { label: string, 
/**
 * In what it differs from other choices of the same label.
 */
detail: string | null, card: number | null, 
/**
 * The card acted upon, where it is another one than the one acted with.
 */
target: number | null, 
/**
 * The action of the rules that it takes, by its name there; labels may change. None where it is no action.
 */
action: string | null, 
/**
 * The zone of a card in a hand or pile: the viewer may not know the card, but can point at the pile.
 */
zone: string | null, 
/**
 * An earlier choice that comes to the same: a list shows that one only.
 */
alike: number | null, 
/**
 * What it gives away, where it should be confirmed.
 */
warning: string | null, };

export type ClientMessage = { "type": "hello", protocol: number, build: string | null, } | { "type": "watch", table: string, since: number, } | { "type": "unwatch", table: string, } | { "type": "answer", table: string, ask: number, id: number, answer: AnswerData, } | { "type": "undo", table: string, } | { "type": "undo_reply", table: string, agree: boolean, } | { "type": "resign", table: string, } | { "type": "offer_draw", table: string, } | { "type": "pause", table: string, } | { "type": "rematch", table: string, } | { "type": "chat", table: string, text: string, } | { "type": "stops", table: string, stops: Stops, } | { "type": "why_not", table: string, } | { "type": "trace_value", table: string, card: number, stat: string, } | { "type": "ping", id: number, };

export type Clock = { "kind": "none" } | { "kind": "per_move", seconds: number, } | { "kind": "per_player", seconds: number, increment: number, };

/**
 * What a figure of a player counts.
 */
export type Counted = { "counter": string } | { "value": string } | { "zones": Array<string> };

/**
 * `{n}` stands for the number.
 */
export type CounterWords = { name: string, says: string, 
/**
 * How one of them is told, where that differs.
 */
says_one: string | null, mark: string, mark_one: string | null, 
/**
 * A value of the card that the counters are on their way to: the mark is "3/6" where the card has it.
 */
of: string | null, };

export type DeckFault = { rule: string, reason: string, };

/**
 * `GET /api/decks/GAME` (starter decks and own ones), `POST` and `PUT` to keep one.
 */
export type DeckInfo = { id: string, name: string, game: string, starter: boolean, 
/**
 * 0 or 1: the player it is for.
 */
seat: number, 
/**
 * The plain list, `4x Title (A)` a line.
 */
list: string, };

/**
 * `POST /api/decks/GAME/check` with a plain list.
 */
export type DeckReport = { cards: number, legal: boolean, faults: Array<DeckFault>, 
/**
 * Lines that could not be read, each with the reason.
 */
unread: Array<string>, 
/**
 * What was read, as a plain list with the full name of each card.
 */
list: string, };

export type Family = { name: string, words: Array<string>, };

export type Figure = { label: string, 
/**
 * In full, for those who wonder.
 */
title: string | null, counts: Counted, };

/**
 * `GET /api/games`: what this server plays.
 */
export type GameInfo = { 
/**
 * As other requests name it: "tcg".
 */
name: string, title: string, 
/**
 * Hash of its newest cards and rules: those that new matches are played with.
 */
catalogue: string, 
/**
 * What the rules call the players, by seat.
 */
players: Array<string>, 
/**
 * Its words, signs, piles and the order of things: `host.json` of the game.
 */
about: About, };

export type Goal = { 
/**
 * `{n}` stands for the number.
 */
says: string, at: GoalAt, };

export type GoalAt = { "number": number } | { "variable": string } | { "value": string };

/**
 * `GET /api/history`: own matches and how they went.
 */
export type History = { matches: Array<TableInfo>, played: number, won: number, 
/**
 * By deck name: played, won.
 */
decks: { [key in string]: [number, number] }, };

export type Keyword = { name: string, label: string, 
/**
 * Whether the number behind it matters.
 */
counts: boolean, 
/**
 * In a word, where the sign would not be known, and where there are letters only; `{n}` stands for the number.
 */
note: string | null, 
/**
 * A path of 16 by 16, drawn in lines.
 */
sign: string, };

export type LogLine = { text: string, 
/**
 * What sort of line it is, as the rules say.
 */
tone: Tone, 
/**
 * Keys of the cards it names.
 */
cards: Array<string>, 
/**
 * Which answer of the match it followed.
 */
answer: number, };

export type MatchState = { "is": "open" } | { "is": "playing" } | { "is": "over", winner: number | null, how: string, };

/**
 * `GET /api/me`, `POST /api/guest {name}`, `POST /api/register {name, password}`, `POST /api/login`, `POST /api/logout`,
 * `POST /api/rename {name}`, `DELETE /api/me`
 */
export type Me = { name: string, guest: boolean, admin: boolean, 
/**
 * To be sent back as the header `x-csrf` with everything that changes something.
 */
csrf: string, };

export type Motion = { "what": "move", card: number, from: string, to: string, } | { "what": "attack", by: number, on: number, } | { "what": "dice", faces: Array<number>, } | { "what": "damage", card: number, amount: number, } | { "what": "shuffle", zone: string, } | { "what": "destiny", seat: number, card: string | null, value: number, } | { "what": "powers", totals: Array<number>, };

/**
 * `POST /api/tables`: open a table.
 */
export type NewTable = { game: string, 
/**
 * Id of a deck.
 */
deck: string, 
/**
 * Name of a bot to play against, with its deck; else the table waits for somebody.
 */
bot: string | null, bot_deck: string | null, 
/**
 * Only those who have the link see it.
 */
private: boolean, clock: Clock, };

/**
 * What choosing nothing is called.
 */
export type Pass = { label: string, 
/**
 * What it gives away, where it should be confirmed.
 */
warning: string | null, };

export type PassWords = { question: string, says: string, };

export type Phase = { 
/**
 * What the variable is then.
 */
value: PhaseValue, name: string, 
/**
 * Within a sentence.
 */
says: string, };

export type PhaseValue = number | string;

export type Phases = { 
/**
 * The variable of the rules that says which it is.
 */
variable: string, steps: Array<Phase>, };

/**
 * A player's pile.
 */
export type Pile = { zone: string, name: string, 
/**
 * False for one that is shown only when something lies there.
 */
always: boolean, };

export type PileMove = { action: string, 
/**
 * The zone of the pile.
 */
pile: string, };

/**
 * Every failure of the REST interface.
 */
export type Problem = { reason: string, rule: string | null, 
/**
 * Where it can be had instead: another server of the same accounts and matches.
 */
moved: string | null, };

export type Question = { "kind": "pick", prompt: string, options: Array<Choice>, least: number, most: number, pass: Pass | null, } | { "kind": "number", prompt: string, least: number, most: number, warnings: { [key in string]: string }, } | { "kind": "order", prompt: string, options: Array<Choice>, };

export type Reason = { move_label: string, card: number | null, reason: string, rule: string | null, };

/**
 * `GET /api/replays/ID`: a finished match, or one's own: all that is needed to step through it. States come from
 * `GET /api/replays/ID/at/N` as a [`Table`] of the referee, or of a seat before the end.
 */
export type Replay = { info: TableInfo, answers: number, log: Array<LogLine>, 
/**
 * Answers after which the balance of the table changed most, for the seek bar.
 */
turning_points: Array<number>, seed: string | null, commitment: string, };

export type RoleWords = { name: string, 
/**
 * Before the names of the cards that lie so, in a list; none where they are not listed.
 */
label: string | null, 
/**
 * On the card itself.
 */
tag: string | null, 
/**
 * Beside the card where there are letters only.
 */
note: string | null, };

/**
 * `GET /api/rules/GAME`
 */
export type RuleInfo = { id: string, section: string, text: string, 
/**
 * Our decisions beside it, where the sources are silent or disagree.
 */
rulings: Array<RulingInfo>, };

export type RulingInfo = { title: string, readings: string, ours: string, 
/**
 * The option that players may set, or why there is none.
 */
option: string, };

/**
 * Something that both players take part in besides what lies on the board: for each of them a line with cards and numbers.
 */
export type Scene = { name: string, 
/**
 * How it is won, in a sentence, for those who have never seen it.
 */
says: string, 
/**
 * It is there while this is so for one of the players.
 */
during: SceneSign, 
/**
 * A variable with the card that it is about.
 */
card: string | null, 
/**
 * The steps that it goes through, where the rules have them in a variable.
 */
steps: Phases | null, 
/**
 * Who takes part: named on the line of their player.
 */
who: Array<SceneCards>, 
/**
 * Cards that are held or laid open for it, on the line of their player.
 */
cards: Array<SceneCards>, 
/**
 * What these cards are called.
 */
cards_label: string | null, 
/**
 * A value of these cards that is added up, as far as the viewer knows them, and what the sum is called.
 */
worth: Worth | null, 
/**
 * Numbers of each player, told where one of them has any; the last one is what counts.
 */
parts: Array<Figure>, 
/**
 * A number of the game that counts for both, told between them.
 */
total: Total | null, 
/**
 * What the last number, or the one between the players, is on its way to.
 */
goal: Goal | null, 
/**
 * Words for a player for whom something is so: who leads, who has won.
 */
badges: Array<Badge>, };

/**
 * Which cards are meant, of each player those that he controls.
 */
export type SceneCards = { "variable": string } | { "zone": string } | { "value": string } | { "role": string };

/**
 * Something that is so for a player.
 */
export type SceneSign = { "variable": string } | { "counter": string } | { "value": string };

export type Seat = { name: string, 
/**
 * What the rules call this player: "Dark Side".
 */
side: string, bot: string | null, connected: boolean, deck: string, 
/**
 * Milliseconds left, where there is a clock, as of this update.
 */
clock: number | null, 
/**
 * Counters of the player by name: force, points.
 */
counters: { [key in string]: number }, 
/**
 * Current values of the player that are not zero: generation, ...
 */
values: { [key in string]: number }, };

export type ServerInfo = { url: string, 
/**
 * The one that answers.
 */
this: boolean, 
/**
 * Whether it is there.
 */
live: boolean, 
/**
 * It finishes its matches and takes no new ones.
 */
draining: boolean, };

export type ServerMessage = { "type": "welcome", protocol: number, build: string, catalogues: { [key in string]: string }, name: string | null, message_of_the_day: string, } | { "type": "refused", reason: string, } | { "type": "update", table: string, base: number, seq: number, patch: unknown, 
/**
 * Log lines since `base`, in order.
 */
log: Array<LogLine>, 
/**
 * What to animate, in order.
 */
moves: Array<Motion>, } | { "type": "accepted", table: string, id: number, seq: number, } | { "type": "rejected", table: string | null, id: number | null, reason: string, rule: string | null, } | { "type": "reasons", table: string, reasons: Array<Reason>, } | { "type": "trace", table: string, card: number, stat: string, value: number | null, lines: Array<TracePart>, } | { "type": "said", table: string, by: string, seat: number | null, text: string, } | { "type": "pong", id: number, } | { "type": "moved", table: string, url: string, ticket: string | null, };

export type StatSign = { name: string, 
/**
 * The counter that takes from it.
 */
less: string | null, 
/**
 * A number that counts beside it at times. A number with such a one may be given to a card that does not print it.
 */
more: string | null, 
/**
 * The sign where there are letters only.
 */
letter: string | null, 
/**
 * A path of 16 by 16, drawn full.
 */
sign: string, };

/**
 * What the server answers for a player: questions that the rules think not worth a stop, unless they want to be asked.
 */
export type Stops = { 
/**
 * Ask me everything.
 */
full_control: boolean, 
/**
 * Pass every window for me, not only those that are not worth a stop.
 */
auto_pass: boolean, 
/**
 * Windows (by name) in which I always want to be asked.
 */
except: Array<string>, };

/**
 * A match as one viewer knows it.
 */
export type Table = { id: string, game: string, 
/**
 * The cards and rules that it is played with: `GET /api/cards/GAME?catalogue=HASH` tells what its cards say.
 */
catalogue: string, 
/**
 * The viewer's seat; none for a spectator.
 */
seat: number | null, seats: Array<Seat>, state: MatchState, 
/**
 * Offers on the table: `draw`, `pause`, `undo`, `rematch`, each with the seats that made it.
 */
offers: { [key in string]: Array<number> }, paused: boolean, spectators: number, stops: Stops, 
/**
 * Whether `Undo` takes effect without the opponent's leave.
 */
undo_free: boolean, 
/**
 * Hash that the seed will be checked against; the seed itself when the match is over.
 */
commitment: string, seed: string | null, 
/**
 * Variables of the rules worth showing: turn, arena, attacker, defender, dice.
 */
vars: Record<string, unknown>, 
/**
 * By name and, for a player's own zones, seat: `hand.0`, `space`.
 */
zones: { [key in string]: Zone }, 
/**
 * By id.
 */
cards: { [key in string]: Card }, 
/**
 * What lasts for now, in English.
 */
effects: Array<string>, ask: Ask | null, 
/**
 * The table of the next game, once both players wished for a rematch.
 */
rematch: string | null, };

/**
 * `GET /api/tables`: open tables and those being played; `POST /api/tables/ID/join {deck}` takes the free seat.
 */
export type TableInfo = { id: string, game: string, players: Array<string | null>, state: MatchState, clock: Clock, private: boolean, answers: number, 
/**
 * Seconds since 1970.
 */
created: number, mine: boolean, 
/**
 * The seat that is free: what a deck must be for.
 */
free_seat: number | null, };

/**
 * A mark for cards with a word, or with a printed number that is not 0; one of the two is named.
 */
export type TitleMark = { word: string | null, number: string | null, mark: string, };

export type Tone = "plain" | "turn" | "heading" | "fight" | "chance" | "grave";

export type Total = { label: string, variable: string, };

export type TracePart = { amount: number, 
/**
 * "+", "x" or "="
 */
change: string, card: string | null, rule: string | null, says: string, };

/**
 * `GET /api/admin/troubles`: what is wrong with this server, for admins.
 */
export type Troubles = { 
/**
 * Matches that it cannot go on with. They are left as they are.
 */
matches: Array<UnreadableMatch>, 
/**
 * Folders of rules and cards that cannot be read, each with the report. Games go on with what they had.
 */
rules: Array<BrokenRules>, 
/**
 * Servers on this storage.
 */
servers: Array<ServerInfo>, };

export type TypeWord = { word: string, 
/**
 * How it is said behind the type, where that is shorter.
 */
says: string | null, };

export type UnreadableMatch = { id: string, reason: string, 
/**
 * Seconds since 1970.
 */
since: number, };

/**
 * `GET /api/vocabulary/GAME`: a word that cards can be written with
 */
export type VocabularyInfo = { name: string, 
/**
 * With its parameters and its type, as a use of it is written.
 */
written: string, 
/**
 * What sort of word it is: noun, adjective, verb, cost, ...
 */
sort: string, 
/**
 * What it belongs to: an enumeration, a card, a player.
 */
of: string | null, 
/**
 * How texts print it, with its parameters in braces; empty where it has no English.
 */
english: string, meaning: string, 
/**
 * Ids of the rules that it is there for.
 */
rules: Array<string>, 
/**
 * The file and line that defines it.
 */
place: string, 
/**
 * Titles of some cards that use it.
 */
cards: Array<string>, 
/**
 * How many cards use it.
 */
uses: number, };

export type WindowWords = { name: string, label: string, };

export type WordSign = { word: string, label: string, 
/**
 * A path of 16 by 16, drawn in lines.
 */
sign: string, };

export type Worth = { label: string, value: string, };

export type Zone = { english: string, seat: number | null, 
/**
 * Cards that the viewer sees as cards, bottom first.
 */
cards: Array<number>, 
/**
 * Cards that are only counted.
 */
hidden: number, };
