// Deck lists as text: reading what people paste, and writing it out again. `4x Title (A)` a line is our own form;
// `4 Title (A)`, `Title (A) x4`, tab-separated lists and LackeyCCG's .dek files are read as well.

import type { CardInfo } from "../protocol.js";

export type Counts = ReadonlyMap<string, number>;

export interface ReadList {
  name: string | null;
  counts: Map<string, number>;
  /** Lines that name no card, each with the reason. */
  unread: { line: string; reason: string }[];
}

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

/** Finds a card by what somebody wrote: key, or a title that only one version has. */
export class Titles {
  private byKey = new Map<string, CardInfo>();
  private byTitle = new Map<string, CardInfo[]>();

  constructor(cards: readonly CardInfo[]) {
    for (const card of cards) {
      this.byKey.set(plain(card.key), card);
      const title = plain(card.title);
      this.byTitle.set(title, [...(this.byTitle.get(title) ?? []), card]);
    }
  }

  find(written: string): CardInfo | string {
    const wanted = plain(written);
    const exact = this.byKey.get(wanted);
    if (exact) return exact;
    const versions = this.byTitle.get(wanted) ?? [];
    const [only] = versions;
    if (only && versions.length === 1) return only;
    if (versions.length > 1) return `which version? ${versions.map((card) => card.version ?? card.key).join(", ")}`;
    // A set and number behind the title, as some lists have: "Yoda (B) [AOTC 119]".
    const shorter = wanted.replace(/\s*[[(][a-z]{2,5}\s*#?\d+[\])]$/, "");
    return shorter === wanted ? "no card of this name" : this.find(shorter);
  }
}

const COUNT_FIRST = /^(\d{1,3})\s*[x×*]?\s+(.+)$/i;
const COUNT_LAST = /^(.+?)\s+[x×*]\s*(\d{1,3})$/i;
const HEADING = /^(deck|main|sideboard|units?|space|ground|characters?|battle|missions?|locations?|equipment|total)\b[^a-z]*$/i;

export function readList(text: string, cards: readonly CardInfo[]): ReadList {
  const read: ReadList = { name: null, counts: new Map(), unread: [] };
  const titles = new Titles(cards);
  for (const raw of (text.trimStart().startsWith("<") ? fromLackey(text) : text).split(/\r?\n/)) {
    const line = raw.replace(/^\s*[-*•]\s+/, "").replace(/\t/g, " ").trim();
    if (line === "" || line.startsWith("#") || line.startsWith("//")) continue;
    const named = /^(?:deck )?name:\s*(.+)$/i.exec(line);
    if (named?.[1]) {
      read.name = named[1];
      continue;
    }
    addLine(read, titles, line);
  }
  return read;
}

function addLine(read: ReadList, titles: Titles, line: string): void {
  const first = COUNT_FIRST.exec(line);
  const last = COUNT_LAST.exec(line);
  const attempts: [number, string][] = [];
  if (first?.[1] && first[2]) attempts.push([Number(first[1]), first[2]]);
  if (last?.[1] && last[2]) attempts.push([Number(last[2]), last[1]]);
  attempts.push([1, line]);
  let reason = "";
  for (const [count, written] of attempts) {
    const found = titles.find(written);
    if (typeof found !== "string") {
      if (count > 0) read.counts.set(found.key, (read.counts.get(found.key) ?? 0) + count);
      return;
    }
    reason ||= found;
  }
  if (!HEADING.test(line)) read.unread.push({ line, reason });
}

/** LackeyCCG writes a card element for each copy. */
function fromLackey(xml: string): string {
  const page = new DOMParser().parseFromString(xml, "text/xml");
  return Array.from(page.querySelectorAll("card > name"), (name) => `1x ${name.textContent ?? ""}`).join("\n");
}

export function writeList(name: string, counts: Counts): string {
  const lines = Array.from(counts, ([key, count]) => `${count}x ${key}`);
  return [`name: ${name.replace(/\s+/g, " ").trim()}`, ...lines, ""].join("\n");
}

export function total(counts: Counts): number {
  let sum = 0;
  for (const count of counts.values()) sum += count;
  return sum;
}

/** Cards of a deck with their counts, in the order that a builder reads them: by type, cost and title. */
export function ordered(counts: Counts, cards: ReadonlyMap<string, CardInfo>, kinds: readonly string[]): { card: CardInfo; count: number }[] {
  const rows = Array.from(counts, ([key, count]) => ({ card: cards.get(key), count }));
  return rows
    .filter((row): row is { card: CardInfo; count: number } => row.card !== undefined && row.count > 0)
    .sort(
      (a, b) =>
        kinds.indexOf(a.card.kind) - kinds.indexOf(b.card.kind) ||
        (a.card.numbers.cost ?? 0) - (b.card.numbers.cost ?? 0) ||
        a.card.title.localeCompare(b.card.title) ||
        a.card.key.localeCompare(b.card.key),
    );
}
