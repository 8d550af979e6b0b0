// Which cards the browser shows: a filter that is also the query of the page's address, so that it can be shared.

import type { CardInfo, RuleInfo } from "../protocol.js";
import { aboutCard, bringersOf, isSet } from "../catalogue.js";
import { plain } from "./deck-list.js";

/** Facts that a card has one or several of, in the order they are offered. */
export const FACTS = ["side", "family", "kind", "subtype", "keyword", "with", "set", "rarity", "version"] as const;
export type Fact = (typeof FACTS)[number];

export type Range = { least: number | null; most: number | null };

export interface Filter {
  text: string;
  /** A card passes a fact when it has any of the values; an empty list asks nothing. */
  facts: Record<Fact, string[]>;
  /** By the numbers that cards of the game have. */
  ranges: Record<string, Range>;
  /** "set", "title" or a number. */
  sort: string;
}

export interface Keyword {
  name: string;
  rule: string;
}

/** Keywords are those that the rulebook explains: ids with `.kw.`. */
export function keywords(rules: readonly RuleInfo[]): Keyword[] {
  return rules
    .filter((rule) => rule.id.includes(".kw."))
    .map((rule) => ({ name: (rule.id.split(".kw.")[1] ?? "").replace(/_/g, " "), rule: rule.id }));
}

/** The values of a fact that a card has. */
export function factOf(card: CardInfo, fact: Fact, words: readonly Keyword[]): string[] {
  switch (fact) {
    case "side":
      return [card.side];
    case "kind":
      return [card.kind];
    case "family":
      return card.subtypes.filter((word) => aboutCard(card).family?.words.includes(word));
    case "subtype":
      return card.subtypes.filter((word) => !aboutCard(card).family?.words.includes(word));
    case "with":
      return [...(isSet(card) ? [card] : []), ...bringersOf(card)].map((one) => one.key);
    case "keyword": {
      const text = plain(card.text.join(" "));
      return words.map((word) => word.name).filter((name) => new RegExp(`\\b${name}\\b`).test(text));
    }
    case "set":
      return [card.set];
    case "rarity":
      return [card.rarity];
    case "version":
      return [card.version ?? "none"];
  }
}

/** All values of a fact with how many cards have them. */
export function values(cards: readonly CardInfo[], fact: Fact, words: readonly Keyword[]): Map<string, number> {
  const found = new Map<string, number>();
  for (const card of cards) for (const value of factOf(card, fact, words)) found.set(value, (found.get(value) ?? 0) + 1);
  return new Map([...found].sort(([a], [b]) => a.localeCompare(b)));
}

/** Words and "phrases" that must be in the card; with a minus they must not. */
function terms(text: string): { wanted: string; not: boolean }[] {
  return Array.from(plain(text).matchAll(/(-?)(?:"([^"]+)"?|(\S+))/g), (found) => ({
    wanted: found[2] ?? found[3] ?? "",
    not: found[1] === "-",
  })).filter((term) => term.wanted !== "");
}

export function apply(cards: readonly CardInfo[], filter: Filter, words: readonly Keyword[]): CardInfo[] {
  const wanted = terms(filter.text);
  const passes = (card: CardInfo): boolean => {
    const printed = plain([card.key, card.side, card.kind, ...card.subtypes, ...card.text].join(" \n "));
    return (
      wanted.every((term) => printed.includes(term.wanted) !== term.not) &&
      FACTS.every((fact) => {
        const some = filter.facts[fact];
        return some.length === 0 || factOf(card, fact, words).some((value) => some.includes(value));
      }) &&
      Object.entries(filter.ranges).every(([name, range]) => within(card.numbers[name], range))
    );
  };
  return cards.filter(passes).sort(order(filter.sort));
}

function within(value: number | undefined, range: Range): boolean {
  if (range.least === null && range.most === null) return true;
  return value !== undefined && value >= (range.least ?? -Infinity) && value <= (range.most ?? Infinity);
}

function order(sort: string): (a: CardInfo, b: CardInfo) => number {
  const bySet = (a: CardInfo, b: CardInfo): number => a.set.localeCompare(b.set) || a.number - b.number;
  if (sort === "set") return bySet;
  if (sort === "title") return (a, b) => a.key.localeCompare(b.key);
  return (a, b) => (b.numbers[sort] ?? -1) - (a.numbers[sort] ?? -1) || a.key.localeCompare(b.key);
}

/** What cards can be sorted by. */
export function sorts(numbers: readonly string[]): string[] {
  return ["set", "title", ...numbers];
}

export function fromQuery(query: URLSearchParams, numbers: readonly string[]): Filter {
  const list = (name: string): string[] => (query.get(name) ?? "").split(",").filter((value) => value !== "");
  const range = (name: string): Range => {
    const [least, most] = (query.get(name) ?? "").split("..");
    const number = (text: string | undefined): number | null => (text && /^-?\d+$/.test(text) ? Number(text) : null);
    return { least: number(least), most: number(most) };
  };
  const sort = query.get("sort") ?? "set";
  return {
    text: query.get("q") ?? "",
    facts: Object.fromEntries(FACTS.map((fact) => [fact, list(fact)])) as Record<Fact, string[]>,
    ranges: Object.fromEntries(numbers.map((name) => [name, range(name)])),
    sort: sorts(numbers).includes(sort) ? sort : "set",
  };
}

/** The query without its question mark; empty for a filter that asks nothing. */
export function toQuery(filter: Filter): string {
  const query = new URLSearchParams();
  if (filter.text.trim() !== "") query.set("q", filter.text.trim());
  for (const fact of FACTS) if (filter.facts[fact].length > 0) query.set(fact, filter.facts[fact].join(","));
  for (const [name, { least, most }] of Object.entries(filter.ranges)) {
    if (least !== null || most !== null) query.set(name, `${least ?? ""}..${most ?? ""}`);
  }
  if (filter.sort !== "set") query.set("sort", filter.sort);
  return query.toString().replace(/%2C/g, ",");
}
