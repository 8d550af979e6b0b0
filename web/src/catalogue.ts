// The cards of a game, fetched once.

import { signal, type Signal } from "@preact/signals";
import { api } from "./net.js";
import type { CardInfo } from "./protocol.js";
import { type About, aboutOf } from "./table/layouts/about.js";

export type Cards = ReadonlyMap<string, CardInfo>;

/** Which game a card is of. */
const gameOfCard = new WeakMap<CardInfo, string>();

/** Which cards bring a card into a deck. */
const bringers = new WeakMap<CardInfo, CardInfo[]>();

const games = new Map<string, Signal<Cards>>();

/** All cards of a game by key; empty until they have come. */
export function cardsOf(game: string): Signal<Cards> {
  let cards = games.get(game);
  if (!cards) {
    cards = signal<Cards>(new Map());
    games.set(game, cards);
    void fetchCards(game, cards);
  }
  return cards;
}

async function fetchCards(game: string, into: Signal<Cards>): Promise<void> {
  try {
    const list = await api<CardInfo[]>("GET", `/api/cards/${encodeURIComponent(game)}`);
    for (const card of list) gameOfCard.set(card, game);
    const cards = new Map(list.map((card) => [card.key, card]));
    for (const card of list) {
      for (const key of Object.keys(card.brings)) {
        const brought = cards.get(key);
        if (brought) bringers.set(brought, [...(bringers.get(brought) ?? []), card]);
      }
    }
    into.value = cards;
  } catch {
    // Whoever asks next starts again.
    games.delete(game);
  }
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
