// How the table of a game is laid out. A game brings a folder beside this file with its board, and what board and table
// compute of a match; its words, piles and the order of things come with its list of games (`about`). Everything else at
// the table is the same for all games.

import type { ComponentType } from "preact";
import type { Card, Table } from "../../protocol.js";
import { type About, findAbout } from "./about.js";
import { ccg } from "./ccg/layout.js";
import { lcg } from "./lcg/layout.js";
import { tcg } from "./tcg/layout.js";

export type Place = { zone: string; name: string };

/** What has to be computed or drawn. */
export type Drawing = {
  /** What lies between the two players. Parts of it that a narrow screen shows one at a time have `data-place`. */
  Board: ComponentType;
  places(table: Table): readonly Place[];
  /** The place at which a card is seen. */
  placeOf(table: Table, card: Card): string | null;
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
};

export type Layout = Drawing & { about: About };

/** What passing is called, by the name of the question; else as it is always: a window is passed, of cards none is chosen. */
export function passing({ ask }: Table, { passing }: About): string {
  const own = passing.find((one) => one.question === ask?.name);
  if (own) return own.says;
  const options = ask?.question?.kind === "pick" ? ask.question.options : [];
  return ask?.window || options.length === 0 ? "Pass" : "None";
}

const DRAWINGS: Record<string, Drawing> = { tcg, ccg, lcg };

/** None for a game that this client has no board for, or this server no words. */
export function findLayout(game: string): Layout | undefined {
  const [drawing, about] = [DRAWINGS[game], findAbout(game)];
  return drawing && about ? { ...drawing, about } : undefined;
}

/** What is said where there is none. */
export function noLayout(game: string): string {
  return `There is no board for the game "${game}" here.`;
}
