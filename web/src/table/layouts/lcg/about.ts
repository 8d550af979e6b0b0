// Star Wars: The Card Game in words and names.

import type { CardInfo } from "../../../protocol.js";
import type { About } from "../about.js";

const AFFILIATIONS: readonly string[] = ["Jedi", "Rebel Alliance", "Smugglers and Spies", "Sith", "Imperial Navy", "Scum and Villainy", "Neutral"];

function affiliationOf(info: CardInfo): string {
  return AFFILIATIONS.find((one) => info.subtypes.includes(one)) ?? "";
}

export const lcg: About = {
  lead: "The Death Star draws near. Strike down three objectives of the Empire before its dial reaches twelve.",
  deckLead: "One affiliation card and at least ten objective sets of its side: an objective with its five cards each.",
  listExample: "1x Jedi\nsets:\n2x A Hero's Journey\n1x In You Must Go",
  mostCopies: null,
  lesson: true,
  kinds: ["Affiliation", "Objective", "Unit", "Enhancement", "Event", "Fate", "Mission card"],
  balance: null,
  numbers: ["cost", "force", "resources", "unit_damage", "edge_unit_damage", "tactics", "edge_tactics", "blast_damage", "edge_blast_damage", "capacity", "priority"],
  cost: "cost",
  costName: "Cost",
  corner: "force",
  typeLine: (info) => {
    const affiliation = affiliationOf(info);
    const traits = info.subtypes.filter((word) => word !== affiliation).join(", ");
    return [info.kind, [info.kind === "Affiliation" ? "" : affiliation, traits].filter(Boolean).join(" · ")];
  },
  wordsName: "Trait",
  family: { name: "Affiliation", words: AFFILIATIONS },
  mark: (info) => (info.numbers.unique ? "•" : ""),
  signs: [],
  ends: () => null,
  stats: [
    { name: "resources", sign: "M8 .8l6.2 3.6v7.2L8 15.2l-6.200-3.600V4.400zM8 4.500a3.500 3.500 0 1 1-.01 0z" },
    { name: "unit_damage", more: "edge_unit_damage", sign: "M.8 4.600h9.400l1.300-1.400h1.500v1.400h2.200v2.600h-3.600l-1.400 1.600H7.400l-1.500 4.600H2.600L4 8.800H.8z" },
    { name: "tactics", more: "edge_tactics", sign: "M8 .8a7.200 7.200 0 1 0 .01 0zM8 3.200a4.800 4.800 0 1 1-.01 0zM8 5.600a2.400 2.400 0 1 0 .01 0z" },
    { name: "blast_damage", more: "edge_blast_damage", sign: "M8 .3l1.700 4 3.900-2.100-1.600 4.100L16 8l-4 1.700 1.600 4.100-3.900-2.100-1.700 4-1.700-4-3.900 2.100L4 9.700 0 8l4-1.700L2.400 2.200l3.900 2.100z" },
    { name: "priority", sign: "M8 1.500l6 6.500h-3.600v6.500H5.600V8H2z" },
    { name: "capacity", sign: "M8 14.5C2 10 .5 7.6.5 5A3.6 3.6 0 0 1 8 3.6 3.6 3.6 0 0 1 15.5 5c0 2.6-1.5 5-7.5 9.5z", less: "damage" },
  ],
  keywords: [
    { name: "edge", label: "Edge", counts: true, sign: "M3 13.500L13 2.500M9.500 2.500H13V6M3 8.500v5h5" },
    { name: "elite", label: "Elite", counts: false, sign: "M8 1.500l2 4.300 4.500.6-3.300 3.200.8 4.600L8 12l-4 2.200.8-4.600L1.500 6.400 6 5.800z" },
    { name: "targeted_strike", label: "Targeted Strike", counts: false, sign: "M8 3.500a4.500 4.500 0 1 0 .01 0M8 1v4M8 11v4M1 8h4M11 8h4" },
    { name: "shielding", label: "Shielding", counts: false, sign: "M3 3l5-1.5L13 3v4c0 4-2.500 6-5 7.500C5.500 13 3 11 3 7zM8 5v5M5.500 7.500h5" },
    { name: "no_enhancements", label: "No enhancements", counts: false, sign: "M8 2a6 6 0 1 0 .01 0M3.800 3.800l8.400 8.400" },
    { name: "influence", label: "Influence", counts: false, sign: "M8 6a2 2 0 1 0 .01 0M8 2a6 6 0 0 1 6 6M8 14a6 6 0 0 1-6-6" },
    { name: "limited", label: "Limited", counts: false, sign: "M4 2h8M4 14h8M5 2c0 4 6 4 6 6s-6 2-6 6M11 2c0 4-6 4-6 6s6 2 6 6" },
    { name: "pilot", label: "Pilot", counts: true, sign: "M8 2.500v11M2 7.500l6-2.500 6 2.500M5 13l3-1.500 3 1.500" },
  ],
  counters: [
    { name: "damage", says: (count) => `${count} damage`, mark: (count) => `${count}` },
    { name: "pending", says: (count) => `${count} damage about to be dealt`, mark: (count) => `${count}!` },
    { name: "focus", says: (count) => `${count} focus ${count === 1 ? "token" : "tokens"}, exhausted`, mark: (count) => `${count}` },
    { name: "shields", says: (count) => (count === 1 ? "shielded" : `${count} shields`), mark: (count) => (count === 1 ? "" : `${count}`) },
    { name: "committed", says: () => "committed to the Force", mark: () => "" },
  ],
  windows: [
    { name: "refresh_window", label: "After refreshing" },
    { name: "draw_window", label: "After drawing" },
    { name: "deploy_window", label: "The deployment phase" },
    { name: "conflict_window", label: "The conflict phase, before each engagement" },
    { name: "attackers_window", label: "Attackers were declared" },
    { name: "defenders_window", label: "Defenders were declared" },
    { name: "edge_window", label: "After the edge battle" },
    { name: "strike_window", label: "After each strike" },
    { name: "conflict_end_window", label: "The end of the conflict phase" },
    { name: "force_window", label: "After the Force struggle" },
    { name: "using", label: "A card is about to take effect" },
    { name: "damaging", label: "Damage is about to be dealt" },
    { name: "destroying", label: "A card is about to be destroyed" },
  ],
};
