// Deck lists as text. Which card a line means the server says (it alone knows sides and versions); here lists that it
// has read are taken apart, written out again, and what people paste is brought into lines.

import { isSet } from "../catalogue.js";
import type { CardInfo } from "../protocol.js";

export type Counts = ReadonlyMap<string, number>;
type Cards = ReadonlyMap<string, CardInfo>;

/** Small letters, plain quotes, no accents: how titles are compared. */
export function plain(text: string): string {
  return text
    .normalize("NFD")
    .replace(/[\u0300-\u036f]/g, "")
    .replace(/[\u2018\u2019`]/g, "'")
    .replace(/[\u201c\u201d]/g, '"')
    .replace(/\s+/g, " ")
    .trim()
    .toLowerCase();
}

const HEADING = /^(deck|main|sideboard|units?|space|ground|characters?|battle|missions?|locations?|equipment|starships?|vehicles?|weapons?|devices?|effects?|interrupts?|total)\b[^a-z]*$/i;

/** What people paste, a card a line: without bullets, headings and the marks of other programs. GEMP's XML stays as it is. */
export function tidy(text: string): string {
  const xml = text.trimStart().startsWith("<");
  if (xml && !/<card\b[^>]*>\s*<name\b/i.test(text)) return text;
  const lines = (xml ? fromLackey(text) : text).split(/\r?\n/).map((raw) => {
    const line = raw.replace(/^\s*[-*•]\s+/, "").replace(/\t/g, " ").trim();
    const named = /^(?:deck )?name:\s*(.+)$/i.exec(line);
    if (named?.[1]) return `name: ${named[1]}`;
    return line.startsWith("//") || HEADING.test(line) ? "" : line.replace(/\s*[[(][A-Z]{2,5}\s*#?\d+[\])]$/, "");
  });
  return lines.filter((line) => line !== "").join("\n");
}

/** LackeyCCG writes a card element for each copy. */
function fromLackey(xml: string): string {
  const page = new DOMParser().parseFromString(xml, "text/xml");
  return Array.from(page.querySelectorAll("card > name"), (name) => `1x ${name.textContent ?? ""}`).join("\n");
}

/** A list that the server has read: `2x Key` a line. */
export function countsOf(list: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const line of list.split("\n")) {
    const found = /^(\d+)x (.+)$/.exec(line.trim());
    if (found?.[1] && found[2]) counts.set(found[2], (counts.get(found[2]) ?? 0) + Number(found[1]));
  }
  return counts;
}

export function nameIn(list: string): string | null {
  return /^name:\s*(.+)$/m.exec(list)?.[1]?.trim() ?? null;
}

/** A list as the server reads it; sets are named by the card that brings them, where all they bring is there. */
export function writeList(name: string, counts: Counts, cards: Cards): string {
  const { sets, alone } = setsIn(counts, cards);
  const lines = (some: Counts) => Array.from(some, ([key, count]) => `${count}x ${key}`);
  return [`name: ${name.replace(/\s+/g, " ").trim()}`, ...lines(alone), ...(sets.size > 0 ? ["sets:", ...lines(sets)] : []), ""].join("\n");
}

/** The whole sets of a deck, by the card that brings them, and the cards that are in none. */
export function setsIn(counts: Counts, cards: Cards): { sets: Counts; alone: Counts } {
  const sets = new Map<string, number>();
  const alone = new Map(counts);
  for (const [key, count] of counts) {
    const card = cards.get(key);
    if (!card || !isSet(card)) continue;
    const brought = Object.entries(card.brings);
    const whole = Math.min(count, ...brought.map(([other, copies]) => Math.floor((alone.get(other) ?? 0) / copies)));
    if (whole === 0) continue;
    sets.set(key, whole);
    for (const [other, copies] of [[key, 1] as const, ...brought]) add(alone, other, -whole * copies);
  }
  return { sets, alone };
}

/** A deck with a set more or less; of a set that is not whole what there is goes. */
export function withSet(counts: Counts, card: CardInfo, by: number): Map<string, number> {
  const next = new Map(counts);
  for (const [key, copies] of [[card.key, 1] as const, ...Object.entries(card.brings)]) add(next, key, by * copies);
  return next;
}

function add(counts: Map<string, number>, key: string, by: number): void {
  const count = Math.max(0, (counts.get(key) ?? 0) + by);
  if (count === 0) counts.delete(key);
  else counts.set(key, count);
}

/** How large a deck is, as its list says it: sets are counted as such. */
export function sizeOf(list: string): string {
  const [before = "", after] = list.split(/^sets:\s*$/m);
  return after === undefined ? `${total(countsOf(before))} cards` : `${total(countsOf(after))} sets`;
}

/** The same list under another name. */
export function renamed(name: string, list: string): string {
  return `name: ${name.replace(/\s+/g, " ").trim()}\n${list.replace(/^name:.*\n?/gm, "")}`;
}

export function total(counts: Counts): number {
  let sum = 0;
  for (const count of counts.values()) sum += count;
  return sum;
}

/** Cards of a deck with their counts, in the order that a builder reads them: by type, cost and title. */
export function ordered(counts: Counts, cards: ReadonlyMap<string, CardInfo>, kinds: readonly string[], cost: string): { card: CardInfo; count: number }[] {
  const rows = Array.from(counts, ([key, count]) => ({ card: cards.get(key), count }));
  return rows
    .filter((row): row is { card: CardInfo; count: number } => row.card !== undefined && row.count > 0)
    .sort(
      (a, b) =>
        kinds.indexOf(a.card.kind) - kinds.indexOf(b.card.kind) ||
        (a.card.numbers[cost] ?? 0) - (b.card.numbers[cost] ?? 0) ||
        a.card.title.localeCompare(b.card.title) ||
        a.card.key.localeCompare(b.card.key),
    );
}
