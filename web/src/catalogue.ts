// The cards of a game as a catalogue has them, fetched once: the newest, or those that a match began with.

import { computed, type ReadonlySignal, signal, type Signal } from "@preact/signals";
import { loadGames, newestOf } from "./games.js";
import { api, ApiError } from "./net.js";
import type { CardInfo } from "./protocol.js";
import { type About, aboutOf } from "./table/layouts/about.js";

export type Cards = ReadonlyMap<string, CardInfo>;

/** Which game a card is of. */
const gameOfCard = new WeakMap<CardInfo, string>();

/** Which cards bring a card into a deck. */
const bringers = new WeakMap<CardInfo, CardInfo[]>();

/** By game and catalogue. */
const editions = new Map<string, Signal<Cards>>();
const newest = new Map<string, ReadonlySignal<Cards>>();

/** Milliseconds until cards that did not come are asked for again: at first, and at most. */
const SOON = 500;
const LATER = 15_000;

/** All cards of a game by key: those of a match's catalogue, or the newest. Empty until they have come. */
export function cardsOf(game: string, catalogue?: string): ReadonlySignal<Cards> {
  return catalogue === undefined ? newestCards(game) : edition(game, catalogue);
}

/** Where newer ones come, those of before stay until they are there. */
function newestCards(game: string): ReadonlySignal<Cards> {
  let cards = newest.get(game);
  if (!cards) {
    let last: Cards = new Map();
    cards = computed(() => {
      const now = edition(game, newestOf(game)).value;
      if (now.size > 0) last = now;
      return last;
    });
    newest.set(game, cards);
  }
  return cards;
}

function edition(game: string, catalogue: string): Signal<Cards> {
  const name = `${game} ${catalogue}`;
  let cards = editions.get(name);
  if (!cards) {
    cards = signal<Cards>(new Map());
    editions.set(name, cards);
    void fetchCards(game, catalogue, cards);
  }
  return cards;
}

/** A server that is being replaced has them a little later. */
async function fetchCards(game: string, catalogue: string, into: Signal<Cards>): Promise<void> {
  const path = `/api/cards/${encodeURIComponent(game)}${catalogue === "" ? "" : `?catalogue=${encodeURIComponent(catalogue)}`}`;
  for (let pause = SOON; ; pause = Math.min(pause * 2, LATER)) {
    try {
      into.value = bound(game, await api<Partial<CardInfo>[]>("GET", path));
      return;
    } catch (error) {
      if (!(error instanceof ApiError) || !error.passes) break;
    }
    await new Promise((done) => setTimeout(done, pause));
  }
  // What was the newest may no longer be.
  editions.delete(`${game} ${catalogue}`);
  if (catalogue === newestOf(game)) await loadGames().catch(() => undefined);
}

/** What a card of another release may lack. */
const PLAIN: CardInfo = { key: "", title: "", side: "", kind: "", version: null, subtypes: [], numbers: {}, text: [], set: "", number: 0, rarity: "", brings: {} };

/** By key, with what each card has to do with others. */
function bound(game: string, sent: readonly Partial<CardInfo>[]): Cards {
  const list = sent.map((card) => ({ ...PLAIN, ...card }));
  const cards = new Map(list.map((card) => [card.key, card]));
  for (const card of list) {
    gameOfCard.set(card, game);
    for (const key of Object.keys(card.brings)) {
      const brought = cards.get(key);
      if (brought) bringers.set(brought, [...(bringers.get(brought) ?? []), card]);
    }
  }
  return cards;
}

/** What is known of the game that a card is of. */
export function aboutCard(info: CardInfo): About {
  return aboutOf(gameOfCard.get(info) ?? "");
}

/** The cards with which a card comes into a deck; none where it is taken alone. */
export function bringersOf(info: CardInfo): readonly CardInfo[] {
  return bringers.get(info) ?? [];
}

/** Whether a card stands for a set: others come into a deck with it. */
export function isSet(info: CardInfo): boolean {
  return Object.keys(info.brings).length > 0;
}

/** "Yoda (A)" */
export function fullTitle(info: CardInfo): string {
  return info.version ? `${info.title} (${info.version})` : info.title;
}
