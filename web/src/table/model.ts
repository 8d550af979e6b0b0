// What is derived from a table for drawing it. Nothing here knows a rule: what may be done comes with the ask.

import type { Card, Choice, Question, Table } from "../protocol.js";
import type { Layout } from "./layouts/layout.js";

export type Pick = Extract<Question, { kind: "pick" | "order" }>;

/** The question that the viewer is asked now; while the match is paused nobody is. */
export function questionOf(table: Table): Question | null {
  const ask = table.paused ? null : table.ask;
  return ask && isSeat(table.seat) && ask.seat === table.seat ? (ask.question ?? null) : null;
}

export function isSeat(seat: number | null | undefined): seat is number {
  return seat !== null && seat !== undefined;
}

/** The seat that is drawn at the bottom. */
export function ownSeat(table: Table): number {
  return table.seat ?? 0;
}

export function otherSeat(table: Table): number {
  return 1 - ownSeat(table);
}

/** Cards of a zone in order; those that lie on or under another are left to it. */
export function cardsIn(table: Table, zone: string): Card[] {
  const ids = table.zones[zone]?.cards ?? [];
  return ids.map((id) => table.cards[String(id)]).filter((card): card is Card => card !== undefined && !isSeat(card.parent));
}

export function unitsIn(table: Table, zone: string, seat: number): Card[] {
  return cardsIn(table, zone).filter((card) => card.controller === seat);
}

/** Cards that lie on or under a card: what it is stacked with, its pilots. */
export function attachedTo(table: Table, card: number): Card[] {
  return Object.values(table.cards).filter((other) => other.parent === card);
}

export function countIn(table: Table, zone: string): number {
  const found = table.zones[zone];
  return found ? found.cards.length + found.hidden : 0;
}

export function optionsOf(question: Question | null): Choice[] {
  return question && question.kind !== "number" ? question.options : [];
}

/** One click answers it. */
export function isSingle(question: Question): boolean {
  return question.kind === "pick" && question.most <= 1;
}

/** Which options a card stands for. */
export function optionsFor(question: Question | null, card: number): number[] {
  return optionsOf(question).flatMap((option, at) => (option.card === card ? [at] : []));
}

/** The card that the viewer acts with now, where the rules name one: a unit that would attack. */
export function actingCard(table: Table, layout: Layout): number | null {
  const acting = questionOf(table) ? layout.acting(table) : null;
  return acting !== null && table.cards[String(acting)]?.controller === table.seat ? acting : null;
}

/** Options that dragging one card onto another would choose. */
export function optionsBetween(table: Table, layout: Layout, from: number, to: number): number[] {
  const acting = actingCard(table, layout);
  return optionsOf(questionOf(table)).flatMap((option, at) => {
    const aimed = option.card === from && option.target === to;
    const attacks = from === acting && option.card === to;
    return from !== to && (aimed || attacks) ? [at] : [];
  });
}

/** Whether a card is drawn somewhere on the table, so that its options can be chosen there. */
export function isDrawn(table: Table, layout: Layout, card: Card | undefined): boolean {
  if (!card) return false;
  const zone = isSeat(card.parent) ? table.cards[String(card.parent)]?.zone : card.zone;
  return zone !== undefined && (layout.draws(zone) || zone === `${layout.hand}.${ownSeat(table)}`);
}
