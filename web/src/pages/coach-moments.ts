// What the coaches of all games share: an ask is told apart by the name that the rules give it and by the window whose
// moves it offers. Its words may change and are never read.

import type { Card, Choice, Question, Table } from "../protocol.js";
import { optionsOf } from "../table/model.js";
import type { Advice, Catalogue } from "./coach.js";

export interface Scene {
  table: Table;
  question: Question;
  seat: number;
  catalogue: Catalogue;
  /** The window whose moves are offered, where it is one. */
  window: string;
  /** The title of the card whose ability asks, where one does. */
  card: string | null;
}

/**
 * Words by the name of the question. Those of costs and of abilities that cards have stand behind "cost" and "ability":
 * "ability play" is what is asked when a card of that kind is played and its question has no other name.
 */
export type Moments = Readonly<Record<string, (scene: Scene) => Advice>>;

/** Words that depend on nothing. */
export function said(now: string, hint: string | null, ...topics: string[]): () => Advice {
  return () => ({ now, hint, topics });
}

/** Words for a window, by its name. */
export function inWindow(words: Readonly<Record<string, string>>, otherwise: string, hint: string | null, ...topics: string[]): (scene: Scene) => Advice {
  return ({ window }) => ({ now: words[window] ?? otherwise, hint, topics });
}

/** The words for a table: those of its moment, of the end, or for the time while the opponent thinks. */
export function advised(table: Table, catalogue: Catalogue, moments: Moments, meanwhile: readonly string[], atTheEnd: (won: boolean) => Advice): Advice {
  const seat = table.seat ?? 0;
  if (table.state.is === "over") return atTheEnd(table.state.winner === seat);
  const ask = table.ask?.seat === seat ? table.ask : null;
  if (!ask?.question) return { now: "Your opponent is thinking.", hint: null, topics: meanwhile, waits: true };
  const name = ask.name ?? "";
  const scene = { table, question: ask.question, seat, catalogue, window: ask.window ?? "", card: ask.card };
  const say = moments[ask.by === "rules" ? name : `${ask.by} ${name}`] ?? SHARED[ask.by] ?? (ask.card === null ? general : ofCard);
  return say(scene);
}

const SHARED: Moments = {
  cost: (scene) => ({ now: asked(scene), hint: "It is a part of what the card costs. You have decided to use it; take what you will miss least.", topics: [] }),
  trigger: (scene) => ({ now: asked(scene), hint: `A card that lies on the table asks this by itself. ${shapeOf(scene)}`, topics: [] }),
};

/** An ability of a card asks what it is to be done to. */
function ofCard(scene: Scene): Advice {
  return { now: `${scene.card}: ${asked(scene)}`, hint: shapeOf(scene), topics: [] };
}

/** For all that nobody has thought of. */
function general(scene: Scene): Advice {
  return { now: asked(scene), hint: `${shapeOf(scene)} Whatever is offered is legal; what you regret can be taken back.`, topics: [], general: true };
}

function asked({ question }: Scene): string {
  return question.prompt;
}

/** What can be said of a choice by what there is to choose from. */
function shapeOf(scene: Scene): string {
  const { question, seat, table, window } = scene;
  if (question.kind === "number") return "Set the number and confirm it. What you spend is gone, so no more than it is worth.";
  if (question.kind === "order") return "Choose one after the other; it seldom matters.";
  if (window !== "") return "You may do one of these things, or pass. Passing costs nothing.";
  const cards = cardsOf(scene);
  const may = question.least === 0 ? " You may also choose none." : "";
  if (cards.length === 0) return `Read the card again if in doubt: point at it, or hold it.${may}`;
  if (cards.every((card) => card.zone === `hand.${seat}`)) return `These are in your hand. Take what you can do without for now.${may}`;
  if (question.options.every((option) => option.zone)) return `These lie in a pile. Take what you can use soonest.${may}`;
  const mine = cards.filter((card) => card.controller === seat).length;
  if (mine === cards.length) return `All of these are yours. Take the one that needs it, or that gains most by it.${may}`;
  if (mine === 0 && table.seats.length > 0) return `All of these are your opponent's. Take the strongest, or the one that is about to act.${may}`;
  return `Both sides' cards can be chosen, so mind whose it is: for yours if it helps, for theirs if it hurts.${may}`;
}

/** The cards that options stand for. */
export function cardsOf({ table, question }: Scene): Card[] {
  return optionsOf(question).flatMap((option) => (typeof option.card === "number" ? (table.cards[String(option.card)] ?? []) : []));
}

/** The cards that options are aimed at: where they lead, whom they are for. */
export function targetsOf({ table, question }: Scene): Card[] {
  return optionsOf(question).flatMap((option) => (typeof option.target === "number" ? (table.cards[String(option.target)] ?? []) : []));
}

/** Options that take one of these actions of the rules. */
export function taking({ question }: Scene, ...actions: readonly string[]): Choice[] {
  return optionsOf(question).filter((option) => typeof option.action === "string" && actions.includes(option.action));
}
