// The Customizable Card Game in words and names.

import type { CardInfo } from "../../../protocol.js";
import type { About, CardEnd } from "../about.js";

/** Which of its words say more closely what a card is, in the order in which they are told. */
const CLOSER: readonly string[] = [
  "Imperial", "Rebel", "Alien", "Droid",
  "Capital", "Starfighter", "Transport", "Creature vehicle", "Combat vehicle",
  "Character weapon", "Starship weapon", "Automated", "Utinni", "Used interrupt", "Lost interrupt",
  "Interior", "Exterior", "Mobile", "Site", "System",
];
const SAID: Record<string, string> = { Capital: "capital", Starfighter: "starfighter", "Used interrupt": "used", "Lost interrupt": "lost", "Creature vehicle": "creature", "Combat vehicle": "combat", "Character weapon": "character", "Starship weapon": "starship" };

const DOTS: Record<string, string> = { unique: "•", "limit 2": "••", "limit 3": "•••" };

function ends(info: CardInfo): readonly CardEnd[] | null {
  if (info.kind !== "Location") return null;
  const of = (side: string, name: string): CardEnd => ({
    side,
    icons: info.numbers[`${side}_icons`] ?? 0,
    text: info.text.flatMap((line) => (line.startsWith(`${name}: `) ? [line.slice(name.length + 2)] : /^(Dark|Light) Side: /.test(line) ? [] : [line])),
  });
  const [dark, light] = [of("dark", "Dark Side"), of("light", "Light Side")];
  return info.side === "dark" ? [light, dark] : [dark, light];
}

export const ccg: About = {
  lead: "Deploy to the worlds of the galaxy, control them, and drain your opponent's Life Force away.",
  deckLead: "Exactly sixty cards of one side, with at least one location to start at.",
  listExample: "2x Stormtrooper\n1 Darth Vader\nor the XML of GEMP",
  mostCopies: null,
  lesson: true,
  kinds: ["Location", "Character", "Starship", "Vehicle", "Weapon", "Device", "Effect", "Interrupt"],
  balance: null,
  numbers: ["destiny", "deploy", "power", "ability", "armor", "maneuver", "hyperspeed", "forfeit", "dark_icons", "light_icons", "parsec"],
  cost: "deploy",
  costName: "Deploy cost",
  corner: "destiny",
  typeLine: (info) => {
    const closer = CLOSER.filter((word) => info.subtypes.includes(word)).map((word) => SAID[word] ?? word);
    const parsec = info.numbers.parsec === undefined ? "" : ` · parsec ${info.numbers.parsec}`;
    return [info.kind, closer.join(info.kind === "Interrupt" ? " or " : " ") + parsec];
  },
  wordsName: "Icon or characteristic",
  family: null,
  mark: (info) => {
    const word = info.subtypes.find((one) => DOTS[one] !== undefined);
    return word === undefined ? "" : (DOTS[word] ?? "");
  },
  signs: [
    { word: "Pilot", label: "Pilot", sign: "M8 2.500v11M2 7.500l6-2.500 6 2.500M5 13l3-1.500 3 1.500" },
    { word: "Warrior", label: "Warrior", sign: "M3 13L13 3M10.500 2.500h3v3M4.500 9.500l2 2M3 3l4 4M9 9l4 4" },
    { word: "Permanent pilot", label: "Permanent pilot", sign: "M8 2.500v11M2 7.500l6-2.500 6 2.500M5 13l3-1.500 3 1.500" },
    { word: "Nav computer", label: "Nav computer", sign: "M8 2a6 6 0 1 0 .01 0M2 8h12M8 2c-3.500 4-3.500 8 0 12M8 2c3.500 4 3.500 8 0 12" },
    { word: "Scomp link", label: "Scomp link", sign: "M8 2.500a5.500 5.500 0 1 0 .01 0M8 5.500v5M5.500 8h5" },
    { word: "Interior", label: "Interior", sign: "M3 14V5l5-3 5 3v9M6.500 14v-5h3v5" },
    { word: "Exterior", label: "Exterior", sign: "M1.500 12.500h13M3 12.500a5 5 0 0 1 10 0M8 3.500v2M3.500 5.500l1.300 1.300M12.500 5.500l-1.300 1.300" },
    { word: "Mobile", label: "Mobile", sign: "M2 8h12M10.500 4.500L14 8l-3.500 3.500M5.500 4.500L2 8l3.500 3.500" },
  ],
  ends,
  stats: [
    { name: "power", sign: "M8 1l1.8 4.4L14.5 3l-2.3 4.6L16 10l-4.6.4L12 15 8 12l-4 3 .6-4.6L0 10l3.8-2.4L1.5 3l4.7 2.4z" },
    { name: "ability", sign: "M8 1.500C11 4 12 6 12 8a4 4 0 0 1-8 0C4 6 5 4 8 1.500zM6.500 13h3v2h-3z" },
    { name: "armor", sign: "M2.500 3L8 1l5.500 2v4.500c0 4-2.500 6-5.500 7.500-3-1.500-5.500-3.500-5.500-7.500z" },
    { name: "maneuver", sign: "M1 11c3-8 8-8 11-4l2.500-2v6H8.500l2-2C8 6.500 5 7 1 11z" },
    { name: "hyperspeed", sign: "M1 4l6 4-6 4zM8 4l6 4-6 4z" },
    { name: "forfeit", sign: "M3 2h10v7c0 3-2.500 5-5 6-2.500-1-5-3-5-6zM5.500 5v3h5V5z" },
  ],
  keywords: [],
  counters: [
    { name: "hit", says: () => "hit", mark: () => "hit" },
    { name: "excluded", says: () => "excluded from the battle", mark: () => "out" },
    { name: "moved", says: () => "has moved this turn", mark: () => "➜" },
    { name: "drained", says: () => "has Force drained this turn", mark: () => "▽" },
  ],
  windows: [
    { name: "activate_window", label: "Activate phases" },
    { name: "control_window", label: "Control phases" },
    { name: "deploy_window", label: "Deploy phases" },
    { name: "battle_window", label: "Battle phases" },
    { name: "weapons_window", label: "Weapons segments of battles" },
    { name: "move_window", label: "Move phases" },
    { name: "draw_window", label: "Draw phases" },
    { name: "played_window", label: "A card was just played" },
    { name: "deployed_window", label: "A card was just deployed" },
    { name: "drain_window", label: "A Force drain was just initiated" },
    { name: "battle_begun", label: "A battle was just initiated" },
    { name: "destiny_window", label: "A destiny was just drawn" },
    { name: "loss_window", label: "Force is about to be lost" },
  ],
};
