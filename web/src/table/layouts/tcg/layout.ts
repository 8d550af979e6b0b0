// The table of the Trading Card Game.

import { rootOf } from "../../model.js";
import type { Drawing } from "../layout.js";
import { Board } from "./board.js";
import { ARENAS, BUILD, MIDDLE } from "./zones.js";

export const tcg: Drawing = {
  Board,
  places: () => [...ARENAS, { zone: BUILD, name: "Build" }],
  placeOf: (table, card) => rootOf(table, card).zone.split(".")[0] ?? null,
  draws: (zone) => MIDDLE.includes(zone) || ARENAS.some((arena) => arena.zone === zone) || zone.startsWith(`${BUILD}.`),
  turn: (table) => {
    const turn = table.vars.turn_number;
    return typeof turn === "number" && turn > 0 ? `Turn ${turn}` : "";
  },
  steps: () => [],
  phase: (table) => {
    if (table.state.is === "open") return "Waiting for an opponent";
    if (table.state.is === "over") return "The game is over";
    if (table.vars.setting_up === true) return "Set-up";
    const arena = ARENAS.find((arena) => arena.zone === table.vars.arena_now);
    if (arena) return `Battle: ${arena.name}`;
    return table.vars.build_roll === undefined ? "Ready phase" : "Command phase";
  },
  placeNow: (table) => (typeof table.vars.arena_now === "string" ? table.vars.arena_now : null),
  attack: (table) => {
    const { attacker, defender } = table.vars;
    return typeof attacker === "number" ? { by: attacker, on: typeof defender === "number" ? defender : null } : null;
  },
  acting: (table) => {
    const unit = table.vars.next_unit;
    const card = typeof unit === "number" ? table.cards[String(unit)] : undefined;
    // The rules leave the name of the last unit there until the next one comes.
    return card && card.zone === table.vars.arena_now && !card.counters.tapped ? card.id : null;
  },
  spent: (card) => !!card.counters.tapped,
  marks: () => [],
};
