// The cards of a game, fetched once.

import { signal, type Signal } from "@preact/signals";
import { api } from "./net.js";
import type { CardInfo } from "./protocol.js";
import { type About, aboutOf } from "./table/layouts/about.js";

export type Cards = ReadonlyMap<string, CardInfo>;

/** Which game a card is of. */
const gameOfCard = new WeakMap<CardInfo, string>();

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
    into.value = new Map(list.map((card) => [card.key, card]));
  } catch {
    // Whoever asks next starts again.
    games.delete(game);
  }
}

/** What is known of the game that a card is of. */
export function aboutCard(info: CardInfo): About {
  return aboutOf(gameOfCard.get(info) ?? "");
}

/** "Yoda (A)" */
export function fullTitle(info: CardInfo): string {
  return info.version ? `${info.title} (${info.version})` : info.title;
}
