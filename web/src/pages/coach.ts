// What a coach of a guided first game is: topics to read, and what is said to the table as it stands. Each game that
// is taught has its own; nothing is scripted, so that the newcomer may play as they like and is still told what goes on.

import type { CardInfo, Table } from "../protocol.js";
import { ccgLesson } from "./coach-ccg.js";
import { lcgLesson } from "./coach-lcg.js";
import { tcgLesson } from "./coach-tcg.js";

export interface Topic {
  id: string;
  title: string;
  /** Paragraphs. */
  text: string[];
  /** Rule to read on. */
  rule: string;
}

export interface Advice {
  /** What is asked now, in one sentence. */
  now: string;
  /** What a friend would suggest here. */
  hint: string | null;
  /** Topics that this moment is about; the first one not yet read is the one to show. */
  topics: readonly string[];
  /** It is the opponent's turn to answer. */
  waits?: boolean;
  /** Nobody has thought of words for this: it is what can always be said. */
  general?: boolean;
}

export type Catalogue = ReadonlyMap<string, CardInfo>;

/** How one thing stands between the two, and in a word whose it is. */
export interface Standing {
  name: string;
  mine: number;
  theirs: number;
  word: "yours" | "theirs" | "empty" | "fought over" | "";
}

export interface Lesson {
  /** What the game is about, for somebody who has never seen it. */
  about: string;
  /** Starter decks of the newcomer and of the bot; others of their seats where these are not there. */
  decks: readonly [string, string];
  /** In the order in which a game usually meets them. */
  topics: readonly Topic[];
  advise(table: Table, catalogue: Catalogue): Advice;
  /** What it has words for, by the names of the rules: a test tells which of them the rules no longer know. */
  names: { questions: readonly string[]; windows: readonly string[]; actions: readonly string[] };
  /** What it is all about, counted. */
  balance(table: Table, catalogue: Catalogue): Standing[];
}

const LESSONS: Record<string, Lesson> = { tcg: tcgLesson, ccg: ccgLesson, lcg: lcgLesson };

/** None for a game that nobody teaches here. */
export function lessonOf(game: string): Lesson | null {
  return LESSONS[game] ?? null;
}
