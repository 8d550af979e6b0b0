// The table of the Customizable Card Game.

import type { Table } from "../../../protocol.js";
import { rootOf } from "../../model.js";
import { phaseOf, stepsOf } from "../about.js";
import type { Drawing } from "../layout.js";
import { Board } from "./board.js";
import { aimedAt, BESIDE, cardVar, DRAWS, isOwnTurn, LOCATIONS, nameIn, placeKey, planetsOf, SABACC, STACK } from "./read.js";

function whose(table: Table): string {
  const seat = table.vars.turn_of;
  if (typeof seat !== "number") return "";
  return isOwnTurn(table) ? "your turn" : `${table.seats[seat]?.side ?? "other side"}'s turn`;
}

export const ccg: Drawing = {
  Board,
  places: (table) => [
    ...planetsOf(table).flatMap((planet) => planet.places.map((card) => ({ zone: placeKey(card.id), name: nameIn(card).name }))),
    ...((table.zones[BESIDE]?.cards.length ?? 0) > 0 ? [{ zone: BESIDE, name: "On table" }] : []),
  ],
  placeOf: (table, card) => {
    const root = rootOf(table, card);
    return root.zone === LOCATIONS ? placeKey(root.id) : root.zone === BESIDE ? BESIDE : null;
  },
  draws: (zone) => zone === LOCATIONS || zone === BESIDE || zone === STACK || zone.startsWith(`${DRAWS}.`) || zone.startsWith(`${SABACC}.`),
  turn: (table) => {
    const turn = table.vars.turn_number;
    return typeof turn === "number" && turn > 0 ? `Turn ${turn}, ${whose(table)}` : "";
  },
  steps: (table) => (table.state.is === "playing" ? stepsOf(table) : []),
  phase: (table) => {
    if (table.state.is === "open") return "Waiting for an opponent";
    if (table.state.is === "over") return "The game is over";
    if (table.vars.setting_up === true) return "Start of the game";
    const battle = cardVar(table, "battle_at");
    if (battle) return `Battle: ${nameIn(battle).name}`;
    const drain = cardVar(table, "drain_at");
    if (drain) return `Force drain: ${nameIn(drain).name}`;
    const phase = phaseOf(table);
    return phase ? `${phase.name} phase` : "Between turns";
  },
  placeNow: (table) => {
    const place = cardVar(table, "battle_at") ?? cardVar(table, "drain_at");
    return place ? placeKey(place.id) : null;
  },
  attack: (table) => {
    const by = cardVar(table, "now_card");
    const [on] = aimedAt(table);
    return by && on !== undefined && on !== by.id ? { by: by.id, on } : null;
  },
  acting: () => null,
  spent: () => false,
  marks: (_, card) => [...(card.role === "held" ? [["out-of-action", "captured"] as const] : []), ...(card.counters.crashed ? [["out-of-action", ""] as const] : [])],
};
