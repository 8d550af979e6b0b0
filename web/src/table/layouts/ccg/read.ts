// What the table of the ccg is read for: where the locations lie, who is there, what a battle has come to.

import type { Card, Table } from "../../../protocol.js";
import { attachedTo, cardsIn, isSeat, otherSeat, ownSeat } from "../../model.js";

export const LOCATIONS = "locations";
/** Cards beside all locations: Effects and the like. */
export const BESIDE = "table";
export const STACK = "stack";
/** What lies on these waits for the end of a destiny draw. */
export const DRAWS = "draws";
export const SABACC = "sabacc";

/** "Docking Bay 94" of "Tatooine: Docking Bay 94 (Dark)". */
export function nameIn(card: Card): { planet: string; name: string } {
  const title = (card.key ?? "A location").replace(/ \((?:Dark|Light)\)$/, "");
  const colon = title.indexOf(": ");
  return colon < 0 ? { planet: title, name: title } : { planet: title.slice(0, colon), name: title.slice(colon + 2) };
}

/** Neighbours of one planet, in the order in which they lie. */
export type Planet = { name: string; places: Card[] };

export function planetsOf(table: Table): Planet[] {
  const planets: Planet[] = [];
  for (const card of cardsIn(table, LOCATIONS)) {
    const { planet } = nameIn(card);
    const last = planets.at(-1);
    if (last && last.name === planet) last.places.push(card);
    else planets.push({ name: planet, places: [card] });
  }
  return planets;
}

export function placeKey(card: number): string {
  return `at-${card}`;
}

/** A side's cards at a location, those of one title beside each other. */
export function sideAt(table: Table, location: number, seat: number): Card[] {
  const found = attachedTo(table, location).filter((card) => card.controller === seat && card.role !== "beneath");
  const first = new Map<string, number>();
  found.forEach((card, at) => first.set(card.key ?? "", first.get(card.key ?? "") ?? at));
  return found.sort((a, b) => (first.get(a.key ?? "") ?? 0) - (first.get(b.key ?? "") ?? 0) || a.id - b.id);
}

/** Cards in a row, those beside each other that are alike in all that is seen of them put together. */
export function fansOf(table: Table, cards: Card[]): Card[][] {
  const looks = (card: Card) => JSON.stringify([card.key, card.facedown, card.counters, card.values]);
  const fans: Card[][] = [];
  for (const card of cards) {
    const last = fans.at(-1);
    const alike = last?.[0] && card.key && attachedTo(table, card.id).length === 0 && attachedTo(table, last[0].id).length === 0 && looks(last[0]) === looks(card);
    if (last && alike) last.push(card);
    else fans.push([card]);
  }
  return fans;
}

/** How many cards beside each other take as much room as these; of one that is covered a part is seen (`ccg.css`). */
export function widthOf(fans: readonly Card[][]): number {
  return Math.max(1, Math.ceil(fans.reduce((sum, fan) => sum + 1 + 0.36 * (fan.length - 1), 0)));
}

export function cardVar(table: Table, name: string): Card | null {
  const id = table.vars[name];
  return typeof id === "number" ? (table.cards[String(id)] ?? null) : null;
}

export function totalOf(card: Card, name: string, seat: number): number {
  return card.totals[name]?.[seat] ?? 0;
}

/** One side of a battle: what it has, what it drew, what it still has to lose. */
export type BattleSide = { seat: number; name: string; side: string; power: number; destiny: number; drawn: number; due: number; total: number; settled: boolean; attrition: number; damage: number };
export type BattleState = { place: Card; by: number | null; sides: readonly [BattleSide, BattleSide]; wonBy: number | null };

/** The opponent first, as they sit. */
export function battleOf(table: Table): BattleState | null {
  const place = cardVar(table, "battle_at");
  if (!place) return null;
  const powers = Array.isArray(table.vars.battle_powers) ? (table.vars.battle_powers as number[]) : null;
  const side = (seat: number): BattleSide => {
    const player = table.seats[seat];
    const count = (name: string) => player?.counters[name] ?? 0;
    const power = totalOf(place, "total_power", seat);
    const destiny = count("destiny_total");
    const settled = powers?.[seat];
    return {
      seat,
      name: player?.name ?? "",
      side: (player?.side ?? "").toLowerCase().split(" ")[0] ?? "",
      power: settled === undefined ? power : settled - destiny,
      destiny,
      drawn: count("drawn"),
      due: player?.values.battle_destinies ?? 0,
      total: settled ?? power + destiny,
      settled: settled !== undefined,
      attrition: count("attrition"),
      damage: count("damage"),
    };
  };
  const by = table.vars.battle_by;
  const won = table.vars.won_by;
  return { place, by: typeof by === "number" ? by : null, sides: [side(otherSeat(table)), side(ownSeat(table))], wonBy: typeof won === "number" ? won : null };
}

/** Cards on the stack and destinies that are being drawn, the newest last. */
export function underWay(table: Table): Card[] {
  return [...cardsIn(table, STACK), ...table.seats.flatMap((_, seat) => cardsIn(table, `${DRAWS}.${seat}`))];
}

/** What the action that is answered is aimed at. */
export function aimedAt(table: Table): number[] {
  const at = table.vars.now_at;
  return Array.isArray(at) ? at.filter((one): one is number => typeof one === "number") : [];
}

export function isOwnTurn(table: Table): boolean {
  return isSeat(table.seat) && table.vars.turn_of === table.seat;
}
