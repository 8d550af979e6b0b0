// What pages and cards need to know of a game, in words and names: nothing here draws. Each game has its own `about`.

import type { Card, CardInfo } from "../../protocol.js";
import { ccg } from "./ccg/about.js";
import { lcg } from "./lcg/about.js";
import { tcg } from "./tcg/about.js";

export type About = {
  /** Said on the first page, and above the decks. */
  lead: string;
  deckLead: string;
  /** How a pasted list may look. */
  listExample: string;
  /** How many copies of a card are more than a deck may have; none where there is no such number. */
  mostCopies: number | null;
  /** Whether there is a guided first game. */
  lesson: boolean;
  /** Types of cards in the order in which a deck is read. */
  kinds: readonly string[];
  /** Types of which a deck needs so many each, where the game asks for it. */
  balance: { kinds: readonly string[]; least: number } | null;
  /** Numbers printed on cards, in the order in which they are told. */
  numbers: readonly string[];
  /** The number in the upper corner: what a card costs, and what that is called. */
  cost: string;
  costName: string;
  /** A number in the other upper corner. */
  corner: string | null;
  /** The type of a card and what it is more closely, as its type line has it. */
  typeLine(info: CardInfo): readonly [string, string];
  /** What its other words are called, as a filter. */
  wordsName: string;
  /** Words of which a card has one, as a filter of their own: its affiliation. */
  family: { name: string; words: readonly string[] } | null;
  /** What stands before the title. */
  mark(info: CardInfo): string;
  /** Words of a card that are drawn as signs. */
  signs: readonly { word: string; label: string; sign: string }[];
  /** A card that is read from two ends: for each player, the own end last. */
  ends(info: CardInfo): readonly CardEnd[] | null;
  /**
   * Numbers at the foot of a card, each with a sign (a path of 16 by 16); `less` is the counter that takes from it,
   * `more` a number that counts beside it at times. One with `more` may be given to a card that does not print it.
   */
  stats: readonly { name: string; sign: string; less?: string; more?: string }[];
  /** Words that a card may have, with a sign drawn in lines; `counts` where the number behind it matters. */
  keywords: readonly { name: string; label: string; sign: string; counts: boolean }[];
  /** Counters on a card: how they are told, and what the mark on the card shows. */
  counters: readonly { name: string; says: (count: number) => string; mark: (count: number, card: Card) => string }[];
  /** Windows in which a player may want to be asked. */
  windows: readonly { name: string; label: string }[];
};

/** One end of a card: whose it is, how many icons it has for them, and what it says to them. */
export type CardEnd = { side: string; icons: number; text: readonly string[] };

const GAMES: Record<string, About> = { tcg, ccg, lcg };

/** Games that this client can draw. */
export const KNOWN: readonly string[] = Object.keys(GAMES);

export function aboutOf(game: string): About {
  return GAMES[game] ?? tcg;
}
