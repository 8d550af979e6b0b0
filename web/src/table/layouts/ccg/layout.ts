// The table of the Customizable Card Game.

import type { Table } from "../../../protocol.js";
import { rootOf } from "../../model.js";
import { passing, type Layout } from "../layout.js";
import { ccg as about } from "./about.js";
import { Board } from "./board.js";
import { aimedAt, BESIDE, cardVar, DRAWS, isOwnTurn, LOCATIONS, nameIn, placeKey, planetsOf, STACK } from "./read.js";

const PHASES = [
  ["activate_phase", "Activate"],
  ["control_phase", "Control"],
  ["deploy_phase", "Deploy"],
  ["battle_phase", "Battle"],
  ["move_phase", "Move"],
  ["draw_phase", "Draw"],
] as const;

function whose(table: Table): string {
  const seat = table.vars.turn_of;
  if (typeof seat !== "number") return "";
  return isOwnTurn(table) ? "your turn" : `${table.seats[seat]?.side ?? "other side"}'s turn`;
}

export const ccg: Layout = {
  about,
  Board,
  places: (table) => [
    ...planetsOf(table).flatMap((planet) => planet.places.map((card) => ({ zone: placeKey(card.id), name: nameIn(card).name }))),
    ...((table.zones[BESIDE]?.cards.length ?? 0) > 0 ? [{ zone: BESIDE, name: "On table" }] : []),
  ],
  placeOf: (table, card) => {
    const root = rootOf(table, card);
    return root.zone === LOCATIONS ? placeKey(root.id) : root.zone === BESIDE ? BESIDE : null;
  },
  hand: "hand",
  piles: [
    { zone: "reserve", name: "Reserve", always: true },
    { zone: "force", name: "Force", always: true },
    { zone: "used", name: "Used", always: true },
    { zone: "lost", name: "Lost", always: true },
    { zone: "out", name: "Out", always: false },
  ],
  fromPile: (option, pile) => (option.action === "activate_force" && pile.startsWith("reserve.")) || (option.action === "draw_card" && pile.startsWith("force.")),
  byNumber: ["draw_card"],
  counters: [],
  draws: (zone) => zone === LOCATIONS || zone === BESIDE || zone === STACK || zone.startsWith(`${DRAWS}.`),
  turn: (table) => {
    const turn = table.vars.turn_number;
    return typeof turn === "number" && turn > 0 ? `Turn ${turn}, ${whose(table)}` : "";
  },
  steps: (table) => (table.state.is === "playing" ? PHASES.map(([word, name]) => ({ name, now: table.vars.phase_now === word })) : []),
  phase: (table) => {
    if (table.state.is === "open") return "Waiting for an opponent";
    if (table.state.is === "over") return "The game is over";
    if (table.vars.setting_up === true) return "Start of the game";
    const battle = cardVar(table, "battle_at");
    if (battle) return `Battle: ${nameIn(battle).name}`;
    const drain = cardVar(table, "drain_at");
    if (drain) return `Force drain: ${nameIn(drain).name}`;
    const phase = PHASES.find(([word]) => word === table.vars.phase_now);
    return phase ? `${phase[1]} phase` : "Between turns";
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
  marks: () => [],
  pass: (table) => passing(table, { respond: "No response", look_over: "I have seen them", place_in_row: "First of its planet" }),
};
