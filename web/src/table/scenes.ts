// Games within the game, as a game's `host.json` describes them: who takes part, what lies there for it, how it stands.
// Nothing here knows a rule; names of what the rules show come with the list of games.

import type { Card, Figure, Scene, SceneCards, SceneSign, Table } from "../protocol.js";
import { countIn, otherSeat, ownSeat } from "./model.js";

export type ScenePart = { label: string; title: string; number: number };
/** One player's line. */
export type SceneSide = {
  seat: number;
  name: string;
  /** "dark" of "Dark Side". */
  side: string;
  who: Card[];
  cards: Card[];
  /** Cards of which only the number is known. */
  hidden: number;
  /** What the cards add up to; null where some are not known. */
  worth: number | null;
  parts: ScenePart[];
  badges: string[];
};
export type SceneState = {
  scene: Scene;
  card: Card | null;
  /** The opponent first, as they sit. */
  sides: readonly [SceneSide, SceneSide];
  goal: number | null;
  /** A number that counts for both. */
  total: number | null;
  steps: readonly { name: string; now: boolean }[];
};

export function scenesOf(table: Table, scenes: readonly Scene[]): SceneState[] {
  return scenes.flatMap((scene) => (table.seats.some((_, seat) => isSo(table, scene.during, seat)) ? [stateOf(table, scene)] : []));
}

function stateOf(table: Table, scene: Scene): SceneState {
  const both = [sideOf(table, scene, otherSeat(table)), sideOf(table, scene, ownSeat(table))] as const;
  // What one of them has is told of both; where it is one player's undertaking, of that one.
  const told = scene.parts.map((_, at) => both.map((side) => !!(scene.total === null ? both.some((one) => one.parts[at]?.number) : side.parts[at]?.number)));
  const [theirs, mine] = both.map((side, of) => ({ ...side, parts: side.parts.filter((_, at) => told[at]?.[of]) }));
  const sides = [theirs ?? both[0], mine ?? both[1]] as const;
  const about = scene.card === null ? [] : cardsOf(table, table.vars[scene.card]);
  return { scene, card: about[0] ?? null, sides, goal: goalOf(table, scene), total: scene.total === null ? null : Number(table.vars[scene.total.variable] ?? 0), steps: (scene.steps?.steps ?? []).map((step) => ({ name: step.name, now: step.value === table.vars[scene.steps?.variable ?? ""] })) };
}

function sideOf(table: Table, scene: Scene, seat: number): SceneSide {
  const player = table.seats[seat];
  const who = scene.who.flatMap((cards) => meant(table, cards, seat, []));
  const cards = scene.cards.flatMap((some) => meant(table, some, seat, who));
  const hidden = scene.cards.reduce((sum, some) => sum + ("zone" in some ? (table.zones[`${some.zone}.${seat}`]?.hidden ?? 0) : 0), 0);
  const value = scene.worth?.value;
  const worth = value === undefined || hidden > 0 || cards.some((card) => !card.key) ? null : cards.reduce((sum, card) => sum + (card.values[value] ?? 0), 0);
  return {
    seat,
    name: player?.name ?? "",
    side: (player?.side ?? "").toLowerCase().split(" ")[0] ?? "",
    who,
    cards,
    hidden,
    worth,
    parts: scene.parts.map((part) => ({ label: part.label, title: part.title ?? part.label, number: figureOf(table, part, seat) })),
    badges: scene.badges.filter((badge) => isSo(table, badge.when, seat)).map((badge) => badge.says),
  };
}

function isSo(table: Table, sign: SceneSign, seat: number): boolean {
  const player = table.seats[seat];
  if ("counter" in sign) return !!player?.counters[sign.counter];
  if ("value" in sign) return !!player?.values[sign.value];
  return cardsOf(table, table.vars[sign.variable]).some((card) => card.controller === seat);
}

/** The cards of a variable: it holds one or several. */
function cardsOf(table: Table, value: unknown): Card[] {
  const ids: unknown[] = Array.isArray(value) ? value : [value];
  return ids.flatMap((id) => (typeof id === "number" ? (table.cards[String(id)] ?? []) : []));
}

function meant(table: Table, cards: SceneCards, seat: number, who: readonly Card[]): Card[] {
  const all = () => Object.values(table.cards);
  if ("variable" in cards) return cardsOf(table, table.vars[cards.variable]).filter((card) => card.controller === seat);
  if ("zone" in cards) return (table.zones[`${cards.zone}.${seat}`]?.cards ?? []).flatMap((id) => table.cards[String(id)] ?? []);
  if ("value" in cards) return all().filter((card) => card.controller === seat && !!card.values[cards.value]);
  return all().filter((card) => card.role === cards.role && who.some((one) => one.id === card.parent));
}

function figureOf(table: Table, { counts }: Figure, seat: number): number {
  const player = table.seats[seat];
  if ("counter" in counts) return player?.counters[counts.counter] ?? 0;
  if ("value" in counts) return player?.values[counts.value] ?? 0;
  return counts.zones.reduce((sum, zone) => sum + countIn(table, `${zone}.${seat}`), 0);
}

function goalOf(table: Table, { goal }: Scene): number | null {
  if (goal === null) return null;
  const at = goal.at;
  if ("number" in at) return at.number;
  if ("variable" in at) return Number(table.vars[at.variable] ?? 0) || null;
  return Math.max(0, ...Object.values(table.cards).map((card) => card.values[at.value] ?? 0)) || null;
}
