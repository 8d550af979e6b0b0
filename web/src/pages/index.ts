// The pages around the table, each with its path. Only the lobby is fetched at once.

import type { Page } from "../router.js";
import { lazy } from "./lazy.js";
import { Lobby } from "./lobby.js";
import { startUsualStops } from "./usual-stops.js";

startUsualStops();

const cards = lazy(async () => (await import("./cards.js")).Cards);
const rules = lazy(async () => (await import("./rules.js")).Rules);

export const pages: Page[] = [
  { path: "/", component: Lobby, title: "Play" },
  { path: "/play", component: lazy(async () => (await import("./play-page.js")).PlayDeck), title: "Play" },
  { path: "/enter", component: lazy(async () => (await import("./enter.js")).Enter), title: "One moment" },
  { path: "/join/:id", component: lazy(async () => (await import("./join.js")).Join), title: "Join a table" },
  { path: "/account", component: lazy(async () => (await import("./account.js")).Account), title: "Account" },
  { path: "/cards", component: cards, title: "Cards" },
  { path: "/decks", component: lazy(async () => (await import("./decks.js")).Decks), title: "Decks" },
  { path: "/deck/:id", component: lazy(async () => (await import("./deck.js")).Deck), title: "Deck" },
  { path: "/rules", component: rules, title: "Rules" },
  { path: "/rules/:id", component: rules, title: "Rules" },
  { path: "/vocabulary", component: lazy(async () => (await import("./vocabulary.js")).VocabularyPage), title: "Vocabulary" },
  { path: "/replay/:id", component: lazy(async () => (await import("./replay.js")).ReplayPage), title: "Replay" },
  { path: "/history", component: lazy(async () => (await import("./history.js")).History), title: "History" },
  { path: "/settings", component: lazy(async () => (await import("./settings.js")).Settings), title: "Settings" },
  { path: "/admin", component: lazy(async () => (await import("./admin.js")).Admin), title: "Administration" },
  { path: "/learn", component: lazy(async () => (await import("./learn.js")).Learn), title: "Your first game" },
  { path: "/learn/:id", component: lazy(async () => (await import("./learn.js")).LearnTable), title: "Your first game" },
];
