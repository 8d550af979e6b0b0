// The games of this server with their newest cards and rules, and the one that the pages are about. Where there is only one, nothing
// shows of it.

import { computed, signal } from "@preact/signals";
import { api, socket } from "./net.js";
import type { GameInfo, Table } from "./protocol.js";
import { location_, navigate } from "./router.js";
import { kept } from "./settings.js";

export const games = signal<GameInfo[]>([]);
const chosen = kept("game", "");

/** The game that cards, decks, rules and new tables are of; none until the list has come. */
export const game = computed(() => (games.value.find((one) => one.name === chosen.value) ?? games.value[0])?.name ?? "");

/** When the list was looked at last, and after how many milliseconds that is long ago. */
let looked = 0;
const LONG_AGO = 30_000;

export async function loadGames(): Promise<void> {
  looked = performance.now();
  const list = await api<GameInfo[]>("GET", "/api/games");
  // A list like the last one changes nothing for those who have drawn it.
  if (JSON.stringify(list) !== JSON.stringify(games.peek())) games.value = list;
}

/** The catalogue of the newest cards and rules of a game. */
export function newestOf(name: string): string {
  return games.value.find((one) => one.name === name)?.catalogue ?? "";
}

/** Whether a match is played with the newest cards and rules. */
export function isNewest({ game, catalogue }: Table): boolean {
  return catalogue === newestOf(game);
}

// A server may change its cards and rules while a page is open, or another release may take its place. Whoever has a line to it is
// told in the welcome; others look when they open a page or come back to it.
socket.listen((message) => {
  if (message.type !== "welcome") return;
  const known = Object.fromEntries(games.peek().map((one) => [one.name, one.catalogue]));
  const names = Object.keys({ ...known, ...message.catalogues });
  if (names.some((name) => known[name] !== message.catalogues[name])) lookAgain();
});
location_.subscribe(lookLater);
document.addEventListener("visibilitychange", lookLater);

function lookAgain(): void {
  // Whoever comes next looks again.
  loadGames().catch(() => (looked = 0));
}

function lookLater(): void {
  if (!document.hidden && performance.now() - looked > LONG_AGO) lookAgain();
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
