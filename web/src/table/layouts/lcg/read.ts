// What the table of the lcg is read for: what lies in front of whom, how an engagement stands, dial and balance.

import type { Card, Table } from "../../../protocol.js";
import { cardsIn, isSeat, otherSeat, ownSeat } from "../../model.js";

/** Each player's own, by their names without the seat. */
export const ROW = "row";
export const AREA = "area";
export const STACK = "stack";
/** Where an event lies while it is played. */
export const PLAYED = "table";
/** The parts of the board; no zones, since units stay where they are while they fight. */
export const BASE = "at-base";
export const HOME = "at-home";
export const FIGHT = "engagement";
/** The Dark Side wins when the dial comes to this. */
export const DIAL_END = 12;

export function cardVar(table: Table, name: string): Card | null {
  const id = table.vars[name];
  return typeof id === "number" ? (table.cards[String(id)] ?? null) : null;
}

function cardsVar(table: Table, name: string): Card[] {
  const ids = table.vars[name];
  return Array.isArray(ids) ? ids.flatMap((id) => table.cards[String(id)] ?? []) : [];
}

export function seatVar(table: Table, name: string): number | null {
  const seat = table.vars[name];
  return typeof seat === "number" ? seat : null;
}

export function numberVar(table: Table, name: string): number {
  const number = table.vars[name];
  return typeof number === "number" ? number : 0;
}

/** One side of an engagement; totals of the edge battle as far as they are known. */
export type FightSide = {
  seat: number;
  attacks: boolean;
  units: Card[];
  stack: Card[];
  /** What was in the stack, once it is discarded. */
  was: Card[];
  /** Force icons that everybody sees. */
  shown: number;
  hasEdge: boolean;
};
export type Fight = { at: Card; by: number; settled: boolean; sides: readonly [FightSide, FightSide] };

/** The opponent's side first, as they sit. */
export function fightOf(table: Table): Fight | null {
  const at = cardVar(table, "engaged");
  const by = seatVar(table, "attacking_player");
  if (!at || by === null) return null;
  const totals = Array.isArray(table.vars.edge_totals) ? (table.vars.edge_totals as number[]) : null;
  const holder = seatVar(table, "edge_holder");
  const side = (seat: number): FightSide => ({
    seat,
    attacks: seat === by,
    units: cardsVar(table, seat === by ? "attackers" : "defenders"),
    stack: cardsIn(table, `${STACK}.${seat}`),
    was: cardsVar(table, "edge_cards").filter((card) => card.owner === seat && card.zone === `discard.${seat}`),
    shown: totals?.[seat] ?? table.seats[seat]?.values.edge_shown ?? 0,
    hasEdge: holder === seat,
  });
  return { at, by, settled: holder !== null, sides: [side(otherSeat(table)), side(ownSeat(table))] };
}

/** An affiliation card, and whatever else in a play area is neither paid for nor destroyed: it lies with the objectives. */
function isBase(card: Card): boolean {
  return card.values.cost === undefined && card.values.capacity === undefined;
}

/** Objectives with what lies beside them. */
export function baseOf(table: Table, seat: number): Card[] {
  return [...cardsIn(table, `${AREA}.${seat}`).filter(isBase), ...cardsIn(table, `${ROW}.${seat}`)];
}

/** Units that stay at home, then what else a player has in play. */
export function homeOf(table: Table, seat: number, fight: Fight | null): Card[] {
  const away = fight ? fight.sides.flatMap((side) => side.units.map((card) => card.id)) : [];
  const found = cardsIn(table, `${AREA}.${seat}`).filter((card) => !isBase(card) && !away.includes(card.id));
  const rank = (card: Card) => (card.values.capacity === undefined ? 1 : 0);
  return found.sort((a, b) => rank(a) - rank(b));
}

export function placeOf(table: Table, card: Card): string | null {
  const fights = fightOf(table)?.sides.some((side) => [...side.units, ...side.stack].some((one) => one.id === card.id));
  if (fights) return FIGHT;
  const zone = card.zone.split(".")[0] ?? "";
  if (zone === ROW || (zone === AREA && isBase(card))) return BASE;
  return zone === AREA ? HOME : null;
}

export function isOwnTurn(table: Table): boolean {
  return isSeat(table.seat) && table.vars.turn_of === table.seat;
}

/** "Yoda" of "Yoda", "Heat of Battle" of "Heat of Battle (dark)". */
export function titleOf(card: Card | null | undefined): string {
  return (card?.key ?? "a card").replace(/ \((?:dark|light)\)$/i, "");
}
