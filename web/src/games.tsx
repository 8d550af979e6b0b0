// The games of this server, and the one that the pages are about. Where there is only one, nothing shows of it.

import { computed, signal } from "@preact/signals";
import { api } from "./net.js";
import type { GameInfo } from "./protocol.js";
import { location_, navigate } from "./router.js";
import { kept } from "./settings.js";

export const games = signal<GameInfo[]>([]);
const chosen = kept("game", "");

/** The game that cards, decks, rules and new tables are of; none until the list has come. */
export const game = computed(() => (games.value.find((one) => one.name === chosen.value) ?? games.value[0])?.name ?? "");

export async function loadGames(): Promise<void> {
  games.value = await api<GameInfo[]>("GET", "/api/games");
}

/** What the rules call the player at a seat: "Dark Side". */
export function sideName(seat: number, of = game.value): string {
  return games.value.find((one) => one.name === of)?.players[seat] ?? `Player ${seat + 1}`;
}

/** The title of a game, said only where there are others. */
export function titleAmongOthers(name: string): string {
  return games.value.length > 1 ? (games.value.find((one) => one.name === name)?.title ?? name) : "";
}

export function GameSwitch() {
  if (games.value.length < 2) return null;
  const change = (name: string) => {
    chosen.value = name;
    // One deck and one rule are of one game.
    const whole = /^\/(deck|rules)\//.exec(location_.value)?.[1];
    if (whole) navigate(whole === "deck" ? "/decks" : "/rules");
  };
  return (
    <select class="game-switch" aria-label="Game" value={game.value} onChange={(event) => change(event.currentTarget.value)}>
      {games.value.map((one) => (
        <option key={one.name} value={one.name}>{one.title}</option>
      ))}
    </select>
  );
}
