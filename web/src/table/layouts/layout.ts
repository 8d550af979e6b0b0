// How the table of a game is laid out. A game brings a folder beside this file: its words (`about`), its board, and
// the layout that names what lies where. Everything else at the table is the same for all games.

import type { ComponentType } from "preact";
import type { Card, Choice, Table } from "../../protocol.js";
import type { About } from "./about.js";
import { ccg } from "./ccg/layout.js";
import { lcg } from "./lcg/layout.js";
import { tcg } from "./tcg/layout.js";

export type Place = { zone: string; name: string };
/** `always` is false for a pile that is shown only when something lies there. */
export type Pile = Place & { always: boolean };

export type Layout = {
  about: About;
  /** What lies between the two players. Parts of it that a narrow screen shows one at a time have `data-place`. */
  Board: ComponentType;
  places(table: Table): readonly Place[];
  /** The place at which a card is seen. */
  placeOf(table: Table, card: Card): string | null;
  /** A player's own zones, by their names without the seat. */
  hand: string;
  piles: readonly Pile[];
  /** Whether a move that no card stands for is made with a pile, so that a click on the pile does it. */
  fromPile(option: Choice, pile: string): boolean;
  /** Actions of the rules of which there is one for each number: the number is set, and then done. */
  byNumber: readonly string[];
  /** Counters and values of a player on their line: name in the protocol, label, title. */
  counters: readonly { name: string; label: string; title: string }[];
  /** Whether the board draws the cards of a zone, so that their moves are chosen there. */
  draws(zone: string): boolean;
  turn(table: Table): string;
  /** The steps of a turn, the present one marked; none where the phase says enough. */
  steps(table: Table): readonly { name: string; now: boolean }[];
  phase(table: Table): string;
  /** The zone of the place where something is going on. */
  placeNow(table: Table): string | null;
  /** The card that acts upon another, and that other. */
  attack(table: Table): { by: number; on: number | null } | null;
  /** The card that the player who is asked acts with. */
  acting(table: Table): number | null;
  /** Whether a card has been used, and looks it. */
  spent(card: Card): boolean;
  /** How a card stands out besides, with the words for it. */
  marks(table: Table, card: Card): readonly (readonly [string, string])[];
  /** What passing the ask of a table is called, where the rules have no word for it. */
  pass(table: Table): string;
};

/** What passing is called, by the name of the question; else as it is always: a window is passed, of cards none is chosen. */
export function passing({ ask }: Table, words: Record<string, string>): string {
  const own = words[ask?.name ?? ""];
  if (own !== undefined) return own;
  const options = ask?.question?.kind === "pick" ? ask.question.options : [];
  return ask?.window || options.length === 0 ? "Pass" : "None";
}

const LAYOUTS: Record<string, Layout> = { tcg, ccg, lcg };

export function layoutOf(game: string): Layout {
  return LAYOUTS[game] ?? tcg;
}
