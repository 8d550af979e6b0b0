// The Trading Card Game in words and names.

import type { About } from "../about.js";

export const tcg: About = {
  lead: "A duel of two sides over three arenas. Hold two of them and you win.",
  deckLead: "Sixty cards or more, of one side, with enough units for each arena.",
  listExample: "4x Clone Squad\n2 Yoda (B)\nJango Fett (A) x2",
  mostCopies: 4,
  lesson: true,
  kinds: ["Space", "Ground", "Character", "Battle", "Mission", "Location", "Equipment"],
  balance: { kinds: ["Space", "Ground", "Character"], least: 12 },
  numbers: ["cost", "speed", "power", "health"],
  cost: "cost",
  costName: "Build cost",
  corner: null,
  typeLine: (info) => [info.kind, info.subtypes.join(" ")],
  wordsName: "Subtype",
  family: null,
  mark: () => "",
  signs: [],
  ends: () => null,
  stats: [
    { name: "speed", sign: "M2 6h7l-2-2.5L12 8l-5 4.5L9 10H2z" },
    { name: "power", sign: "M8 1l1.8 4.4L14.5 3l-2.3 4.6L16 10l-4.6.4L12 15 8 12l-4 3 .6-4.6L0 10l3.8-2.4L1.5 3l4.7 2.4z" },
    { name: "health", sign: "M8 14.5C2 10 .5 7.6.5 5A3.6 3.6 0 0 1 8 3.6 3.6 3.6 0 0 1 15.5 5c0 2.6-1.5 5-7.5 9.5z", less: "damage" },
  ],
  keywords: [
    { name: "accuracy", label: "Accuracy", counts: true, sign: "M8 3.5a4.5 4.5 0 1 0 .01 0M8 1v4M8 11v4M1 8h4M11 8h4" },
    { name: "armor", label: "Armor", counts: false, sign: "M3 3l5-1.5L13 3v4c0 4-2.500 6-5 7.500C5.500 13 3 11 3 7zM3 7.500h10" },
    { name: "bombard", label: "Bombard", counts: true, sign: "M8 1v8M4.500 6L8 9.500 11.500 6M1.500 14.500l3.200-2.500 3.300 2.500 3.300-2.500 3.200 2.500" },
    { name: "critical_hit", label: "Critical Hit", counts: true, sign: "M8 1.500L10 6l4.500 2L10 10l-2 4.500L6 10 1.500 8 6 6z" },
    { name: "ion_cannon", label: "Ion Cannon", counts: true, sign: "M9.500 1L4 9h4l-1.500 6L12 7H8z" },
    { name: "lucky", label: "Lucky", counts: true, sign: "M2.500 2.500h11v11h-11zM5.700 5.700h.01M10.300 10.300h.01M10.300 5.700h.01M5.700 10.300h.01" },
    { name: "overkill", label: "Overkill", counts: false, sign: "M1.500 8h9M7.500 4.500L11 8l-3.500 3.500M14 2.500v11" },
    { name: "shields", label: "Shields", counts: true, sign: "M2 12a6 6 0 0 1 12 0M5.200 12a2.800 2.800 0 0 1 5.600 0M1 14.500h14" },
    { name: "stun", label: "Stun", counts: true, sign: "M1.500 8c1.600-5 3.200-5 4.500 0s2.800 5 4 0 2.600-5 4.500 0" },
  ],
  counters: [
    { name: "build_counters", says: (count) => `${count} build counters`, mark: (count, card) => (card.values.deploy_cost === undefined ? `${count}` : `${count}/${card.values.deploy_cost}`) },
    { name: "damage", says: (count) => `${count} damage`, mark: (count) => `${count}` },
    { name: "pending", says: (count) => `${count} damage about to be dealt`, mark: (count) => `${count}!` },
    { name: "tapped", says: () => "tapped", mark: () => "⤵" },
  ],
  windows: [
    { name: "general_window", label: "Chances to play abilities and Battle cards" },
    { name: "reroll_window", label: "Chances to reroll dice" },
    { name: "prevent_window", label: "Chances to prevent damage" },
    { name: "disrupt_window", label: "Chances to disrupt" },
    { name: "retreat_window", label: "The retreat step" },
  ],
};
