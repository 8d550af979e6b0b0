// Pictures of cards, generated: the same card always has the same picture, and no two cards have one. A picture is a
// place (sky, ground, stars) and a subject (a hull, a walker, a figure, a burst, a scroll), both drawn from the words
// on the card and from chance that is seeded with its key.

import { backdrop, world } from "./art/places.js";
import { Pen, type Subject } from "./art/pen.js";
import { battle, emblem, equipment, mission } from "./art/signs.js";
import { device, location, weapon } from "./art/galaxy.js";
import { figure } from "./art/figures.js";
import { ground, ship } from "./art/vehicles.js";
import type { CardInfo } from "./protocol.js";

const made = new Map<string, string>();

/** The picture of a card as an address for `<img>`. */
export function artOf(info: CardInfo): string {
  let url = made.get(info.key);
  if (!url) {
    url = `data:image/svg+xml,${encodeURIComponent(draw(info))}`;
    made.set(info.key, url);
  }
  return url;
}

const SUBJECTS: Record<string, Subject> = {
  // The tcg.
  space: ship, ground, battle, mission, equipment,
  // The ccg.
  starship: ship, vehicle: ground, weapon, device, effect: mission, interrupt: battle,
  // The lcg, where the words of a card do not make it one of these.
  place: (pen) => world(pen, 96), void: (pen) => void pen, emblem,
  // Both; a location of the ccg has no place behind it, it is one.
  character: figure, location: (pen) => (pen.has("site", "system") ? location(pen) : undefined),
};

/** What the picture of a card is of; cards of the lcg say it by their traits. */
function subjectOf(info: CardInfo): string {
  const kind = info.kind.toLowerCase();
  const has = (...words: string[]) => words.some((word) => info.subtypes.includes(word));
  switch (kind) {
    case "unit":
      return has("Fighter", "Capital Ship") ? "starship" : has("Vehicle") && !has("Character") ? "vehicle" : "character";
    case "objective":
    case "mission card":
      return has("Death Star", "Fleet", "Black Squadron", "Squadron", "Executor", "Kuat") ? "void" : has("Mission", "Operation") ? "mission" : "place";
    case "enhancement":
      return has("Weapon") ? "weapon" : has("Location") ? "place" : has("Skill", "Lightsaber Form", "Condition", "Force") ? "effect" : "equipment";
    case "event":
    case "fate":
      return "battle";
    case "affiliation":
      return "emblem";
    default:
      return kind;
  }
}

export function draw(info: CardInfo): string {
  const pen = new Pen(info, subjectOf(info));
  backdrop(pen);
  SUBJECTS[pen.kind]?.(pen);
  return pen.svg();
}
