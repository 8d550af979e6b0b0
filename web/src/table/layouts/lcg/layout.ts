// The table of Star Wars: The Card Game.

import type { Table } from "../../../protocol.js";
import { rootOf } from "../../model.js";
import { phaseOf, stepsOf } from "../about.js";
import type { Drawing } from "../layout.js";
import { Board } from "./board.js";
import { AREA, BASE, cardVar, FIGHT, fightOf, HOME, isOwnTurn, numberVar, PLAYED, placeOf, ROW, STACK, titleOf } from "./read.js";

function whose(table: Table): string {
  const seat = table.vars.turn_of;
  if (typeof seat !== "number") return "";
  return isOwnTurn(table) ? "your turn" : `${table.seats[seat]?.side ?? "other side"}'s turn`;
}

export const lcg: Drawing = {
  Board,
  places: (table) => [
    ...(fightOf(table) ? [{ zone: FIGHT, name: "Engagement" }] : []),
    { zone: HOME, name: "Units" },
    { zone: BASE, name: "Objectives" },
  ],
  placeOf: (table, card) => placeOf(table, rootOf(table, card)),
  draws: (zone) => zone === PLAYED || [ROW, AREA, STACK].some((name) => zone.startsWith(`${name}.`)),
  turn: (table) => {
    const turn = numberVar(table, "turn_number");
    return turn > 0 ? `Turn ${turn}, ${whose(table)}` : "";
  },
  steps: (table) => (table.state.is === "playing" && numberVar(table, "turn_number") > 0 ? stepsOf(table) : []),
  phase: (table) => {
    if (table.state.is === "open") return "Waiting for an opponent";
    if (table.state.is === "over") return "The game is over";
    const fight = fightOf(table);
    if (fight) return `Engagement: ${titleOf(fight.at)}`;
    const phase = phaseOf(table);
    return phase ? `${phase.name} phase` : "Start of the game";
  },
  placeNow: (table) => (fightOf(table) ? FIGHT : null),
  attack: (table) => {
    const by = cardVar(table, "striking");
    return by ? { by: by.id, on: null } : null;
  },
  acting: () => null,
  spent: (card) => !!card.counters.focus,
  marks: (table, card) => {
    const fight = fightOf(table);
    if (!fight) return [];
    const side = fight.sides.find((one) => one.units.some((unit) => unit.id === card.id));
    return [
      ...(fight.at.id === card.id ? [["engaged", "engaged"] as const] : []),
      ...(side ? [[side.attacks ? "in-attack" : "in-defense", side.attacks ? "attacking" : "defending"] as const] : []),
      ...(side && fight.settled && !card.counters.focus ? [["to-strike", "has not struck yet"] as const] : []),
    ];
  },
};
