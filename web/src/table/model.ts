// What is derived from a table for drawing it. Nothing here knows a rule: what may be done comes with the ask.

import type { AnswerData, Card, Choice, Question, Table } from "../protocol.js";
import type { Layout } from "./layouts/layout.js";

export type Pick = Extract<Question, { kind: "pick" | "order" }>;

/** What an answer is to be asked once more for: options, passing and numbers may give something away. */
export function warningOf(question: Question, answer: AnswerData): string | null {
  if (!("pick" in answer)) return (question.kind === "number" ? question.warnings?.[String(answer.number)] : null) ?? null;
  if (answer.pick.length === 0) return (question.kind === "pick" ? question.pass?.warning : null) ?? null;
  const warnings = answer.pick.flatMap((at) => optionsOf(question)[at]?.warning ?? []);
  return [...new Set(warnings)].join(" ") || null;
}

/** An option in words, with what tells it from others of the same name. */
export function inFull(option: Choice | undefined): string {
  if (!option) return "";
  return option.detail ? `${option.label} (${option.detail})` : option.label;
}

/** Those of some options that are to be listed: where one is chosen, of all that come to the same the first stands for the others. */
export function distinct(question: Question | null, some: number[]): number[] {
  if (!question || !isSingle(question)) return some;
  return some.filter((at, place) => some.findIndex((other) => sortOf(question, other) === sortOf(question, at)) === place);
}

/** How many of some options come to the same as one of them, itself counted. */
export function copiesAmong(question: Question | null, some: number[], at: number): number {
  if (!question || !isSingle(question)) return 1;
  return some.filter((other) => sortOf(question, other) === sortOf(question, at)).length;
}

/** Of so few that differ in how many each has a button. */
const FEW_RUNGS = 2;

/** Moves that differ in how many only, the smallest number first: cards drawn from a pile. */
export function ladderOf(layout: Layout, question: Question | null): number[] {
  if (!question || !isSingle(question)) return [];
  const rungs = optionsOf(question).flatMap((option, at) => (option.action && layout.about.by_number.includes(option.action) ? [at] : []));
  return rungs.length > FEW_RUNGS ? rungs : [];
}

/** Options of one sort come to the same. */
function sortOf(question: Question, at: number): number {
  return optionsOf(question)[at]?.alike ?? at;
}

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

/** The card at the bottom of what a card lies on. */
export function rootOf(table: Table, card: Card): Card {
  let root = card;
  for (let up = 0; up < 8 && isSeat(root.parent); up += 1) root = table.cards[String(root.parent)] ?? root;
  return root;
}

/** All that lies on a card, on what lies on it, and so on, each behind what it lies on. */
export function ladenWith(table: Table, card: number): Card[] {
  return attachedTo(table, card).flatMap((other) => [other, ...ladenWith(table, other.id)]);
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

/** Which options a pile stands for: its top card, or a move that is made with it where it is one's own. */
export function optionsForPile(question: Question | null, layout: Layout, pile: string, own: boolean): number[] {
  const options = optionsOf(question);
  // One card of a pile is its top; where several can be chosen it is looked through.
  const single = options.filter((option) => option.zone === pile).length === 1;
  return options.flatMap((option, at) => ((single && option.zone === pile) || (own && (!isSeat(option.card) || option.zone === pile) && isWithPile(layout, option, pile)) ? [at] : []));
}

/** Whether a move that no card stands for is made with a pile. */
function isWithPile(layout: Layout, option: Choice, pile: string): boolean {
  return layout.about.pile_moves.some((one) => one.action === option.action && pile.startsWith(`${one.pile}.`));
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

/** Those of some options that are aimed at a card: where it goes, whom it is used on. */
export function aimedAt(question: Question | null, some: readonly number[], target: number): number[] {
  return some.filter((at) => optionsOf(question)[at]?.target === target);
}

/** Of options with one card and several targets the first: its picture stands for all of them. */
export function onePerCard(question: Question | null, some: number[]): number[] {
  const options = optionsOf(question);
  const same = (a: number, b: number) => isSeat(options[a]?.target) && isSeat(options[b]?.target) && isSeat(options[a]?.card) && options[a]?.card === options[b]?.card;
  return question && isSingle(question) ? some.filter((at, place) => some.findIndex((other) => other === at || same(other, at)) === place) : some;
}

/** Options that no card on the table stands for, by their places; where an order is asked all of them, since one card may have several. */
export function freeOptions(table: Table, layout: Layout, question: Question | null): number[] {
  const drawn = (option: Choice) => typeof option.card === "number" && isDrawn(table, layout, table.cards[String(option.card)]);
  return optionsOf(question).flatMap((option, at) => (question?.kind !== "order" && drawn(option) ? [] : [at]));
}

/** Whether a card is drawn somewhere on the table, so that its options can be chosen there. */
export function isDrawn(table: Table, layout: Layout, card: Card | undefined): boolean {
  if (!card) return false;
  const { zone } = rootOf(table, card);
  return layout.draws(zone) || zone === `${layout.about.hand}.${ownSeat(table)}`;
}
