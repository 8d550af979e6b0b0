// What the coaches of games share that tell their moments apart by the words in which the rules ask.

import type { Question, Table } from "../protocol.js";
import type { Advice, Catalogue } from "./coach.js";

export interface Scene {
  table: Table;
  question: Question;
  seat: number;
  catalogue: Catalogue;
}

/** Asks, told apart by how the rules word them; the first that fits speaks. */
export type Moments = readonly { when: RegExp; say: (scene: Scene) => Advice }[];

/** The words for a table: those of its moment, of the end, or for the time while the opponent thinks. */
export function advised(table: Table, catalogue: Catalogue, moments: Moments, meanwhile: readonly string[], atTheEnd: (won: boolean) => Advice): Advice {
  const seat = table.seat ?? 0;
  if (table.state.is === "over") return atTheEnd(table.state.winner === seat);
  const question = table.ask?.seat === seat ? table.ask.question : null;
  if (!question) return { now: "Your opponent is thinking.", hint: null, topics: meanwhile, waits: true };
  const found = moments.find((moment) => moment.when.test(question.prompt));
  if (found) return found.say({ table, question, seat, catalogue });
  return { now: question.prompt, hint: "A card asks for something of its own. Point at the card, or hold it, to read it large; whatever is offered is legal.", topics: [] };
}
