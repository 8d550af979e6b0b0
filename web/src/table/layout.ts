// How the table of each game is laid out: what lies where and what it is called. A game adds its own entry here.

import type { Table } from "../protocol.js";

export type Arena = { zone: string; name: string };
export type Layout = {
  arenas: readonly Arena[];
  /** Zones of each player, by their name without the seat. */
  build: string;
  hand: string;
  piles: readonly { zone: string; name: string }[];
  /** Common zones whose cards lie in the middle while they are played. */
  middle: readonly string[];
  /** Counters of a player: name in the protocol, label, title. */
  counters: readonly { name: string; label: string; title: string }[];
  /** Variables that name cards with a part in what is going on. */
  attacker: string;
  defender: string;
  acting: string;
  /** Values of a card worth showing beside its numbers. */
  keywords: readonly { name: string; label: string; counts: boolean }[];
  /** Windows in which a player may want to be asked. */
  windows: readonly { name: string; label: string }[];
  turn(table: Table): string;
  phase(table: Table): string;
  arenaNow(table: Table): string | null;
  /** What passing is called for a prompt. */
  pass(prompt: string): string;
};

const ARENAS: readonly Arena[] = [
  { zone: "space", name: "Space" },
  { zone: "ground", name: "Ground" },
  { zone: "character", name: "Character" },
];

const tcg: Layout = {
  arenas: ARENAS,
  build: "build",
  hand: "hand",
  piles: [
    { zone: "deck", name: "Deck" },
    { zone: "discard", name: "Discard" },
  ],
  middle: ["table"],
  counters: [
    { name: "force", label: "Force", title: "Force, paid for abilities and Battle cards" },
    { name: "points", label: "Build", title: "Build points left this turn" },
  ],
  attacker: "attacker",
  defender: "defender",
  acting: "next_unit",
  keywords: [
    { name: "accuracy", label: "Accuracy", counts: true },
    { name: "armor", label: "Armor", counts: false },
    { name: "bombard", label: "Bombard", counts: true },
    { name: "critical_hit", label: "Critical Hit", counts: true },
    { name: "ion_cannon", label: "Ion Cannon", counts: true },
    { name: "lucky", label: "Lucky", counts: true },
    { name: "overkill", label: "Overkill", counts: false },
    { name: "shields", label: "Shields", counts: true },
    { name: "stun", label: "Stun", counts: true },
  ],
  windows: [
    { name: "general_window", label: "Chances to play abilities and Battle cards" },
    { name: "reroll_window", label: "Chances to reroll dice" },
    { name: "prevent_window", label: "Chances to prevent damage" },
    { name: "disrupt_window", label: "Chances to disrupt" },
    { name: "retreat_window", label: "The retreat step" },
  ],
  turn: (table) => {
    const turn = table.vars.turn_number;
    return typeof turn === "number" && turn > 0 ? `Turn ${turn}` : "";
  },
  phase: (table) => {
    if (table.state.is === "open") return "Waiting for an opponent";
    if (table.state.is === "over") return "The game is over";
    if (table.vars.setting_up === true) return "Set-up";
    const arena = ARENAS.find((arena) => arena.zone === table.vars.arena_now);
    if (arena) return `Battle: ${arena.name}`;
    return table.vars.build_roll === undefined ? "Ready phase" : "Command phase";
  },
  arenaNow: (table) => (typeof table.vars.arena_now === "string" ? table.vars.arena_now : null),
  pass: (prompt) => {
    if (prompt.includes("build step")) return "End build step";
    if (prompt.includes("retreat step")) return "Done retreating";
    if (prompt.startsWith("Set-up")) return "Stop placing";
    if (prompt.startsWith("Mulligan")) return "Keep all";
    if (/^(Choose|Discard|Which)/.test(prompt)) return "None";
    return "Pass";
  },
};

const LAYOUTS: Record<string, Layout> = { tcg };

export function layoutOf(game: string): Layout {
  return LAYOUTS[game] ?? tcg;
}
