// What pages and cards need to know of a game, in words and names: nothing here draws. The words are the game's own
// (`host.json` of its folder, sent by the server); only what is computed from a card has code, and that in its folder here.

import { computed } from "@preact/signals";
import { games } from "../../games.js";
import type { Card, CardInfo, CounterWords, GameInfo, Phase, Table, About as Told } from "../../protocol.js";
import { ccg } from "./ccg/about.js";
import { lcg } from "./lcg/about.js";

export type About = Told & {
  /** The type of a card and what it is more closely, as its type line has it. */
  typeLine(info: CardInfo): readonly [string, string];
  /** What stands before the title. */
  mark(info: CardInfo): string;
  /** A card that is read from two ends: for each player, the own end last. */
  ends(info: CardInfo): readonly CardEnd[] | null;
};

/** One end of a card: whose it is, how many icons it has for them, and what it says to them. */
export type CardEnd = { side: string; icons: number; text: readonly string[] };

/** What some games read from a card in a way of their own. */
export type Reading = {
  typeLine(told: Told, info: CardInfo): readonly [string, string];
  ends?(info: CardInfo): readonly CardEnd[] | null;
};

const READINGS: Record<string, Reading> = { ccg, lcg };

function aboutFrom({ name, about }: GameInfo): About {
  const reading = READINGS[name];
  return {
    ...about,
    typeLine: (info) => reading?.typeLine(about, info) ?? [info.kind, typeWords(about, info).join(" ")],
    mark: (info) => about.title_marks.find((one) => (one.word !== null && info.subtypes.includes(one.word)) || (one.number !== null && !!info.numbers[one.number]))?.mark ?? "",
    ends: (info) => reading?.ends?.(info) ?? null,
  };
}

const known = computed(() => new Map(games.value.map((one) => [one.name, aboutFrom(one)])));

/** None for a game that this server does not have. */
export function findAbout(game: string): About | undefined {
  return known.value.get(game);
}

/** For a game that is known to be there: one of the list, or that of a card. */
export function aboutOf(game: string): About {
  const about = findAbout(game);
  if (!about) throw new Error(`this server has no game "${game}"`);
  return about;
}

/** The words that say more closely what a card is, as its type line has them. */
export function typeWords(told: Told, info: CardInfo): readonly string[] {
  if (told.type_words.length === 0) return info.subtypes;
  return told.type_words.flatMap((one) => (info.subtypes.includes(one.word) ? [one.says ?? one.word] : []));
}

/** "3 damage" */
export function counterSays(counter: CounterWords, count: number): string {
  return ((count === 1 ? counter.says_one : null) ?? counter.says).replace("{n}", `${count}`);
}

/** What the mark on a card shows of its counters. */
export function counterMark(counter: CounterWords, count: number, card: Card): string {
  const whole = counter.of === null ? undefined : card.values[counter.of];
  const mark = ((count === 1 ? counter.mark_one : null) ?? counter.mark).replace("{n}", `${count}`);
  return whole === undefined ? mark : `${mark}/${whole}`;
}

/** The part of the turn that a match is in; none before the first turn, between turns, and where the rules have no such parts. */
export function phaseOf(table: Table): Phase | null {
  const phases = aboutOf(table.game).phases;
  return phases?.steps.find((step) => step.value === table.vars[phases.variable]) ?? null;
}

/** All parts of a turn, the present one marked. */
export function stepsOf(table: Table): readonly { name: string; now: boolean }[] {
  const now = phaseOf(table);
  return (aboutOf(table.game).phases?.steps ?? []).map((step) => ({ name: step.name, now: step === now }));
}
