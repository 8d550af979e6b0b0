// Servers that share a storage: a match is played at one of them. A page that asks another one is told where it is, and goes there
// with a ticket that signs in whoever has no session there. What has to go along stands behind the `#`, which no server is sent.

import { signal } from "@preact/signals";
import { api, me, socket } from "./net.js";
import type { Me, ServerMessage } from "./protocol.js";
import { location_ } from "./router.js";

type Moved = Extract<ServerMessage, { type: "moved" }>;

/** So many times within so many milliseconds a page goes where it is sent: servers that send it to and fro do not make it dance. */
const MOST_MOVES = 3;
const WITHIN = 60_000;

/** What was said last to a page that has been sent about too often: it stays, and says so in place of the match. */
export const stranded = signal<Moved | null>(null);

/** A page may go on at these addresses of ours, and at no others. */
const GOES_ON_AT = /^\/(table|learn|join)\/[0-9A-Za-z]{1,64}$/;
const ENTRANCE = "/enter";

type Arrival = { ticket: string | null; to: string };

/** When this page has gone from one server to another lately. */
let moves: number[] = [];
let leaving = false;
let arrived: Arrival | null = null;

if (location.pathname === ENTRANCE) {
  const told = new URLSearchParams(location.hash.slice(1));
  const to = told.get("to") ?? "";
  arrived = { ticket: told.get("ticket"), to: GOES_ON_AT.test(to) ? to : "/" };
  moves = lately((told.get("moves") ?? "").split(",").map(Number));
  // A ticket stays neither in the address nor in the history. The way on does, should the page be loaded again.
  told.delete("ticket");
  history.replaceState(null, "", `${ENTRANCE}#${told}`);
}

function lately(times: number[]): number[] {
  const now = Date.now();
  return times.filter((time) => time > now - WITHIN && time <= now);
}

/** How this page has come from another server; null where it has not. */
export function arrival(): Arrival | null {
  return arrived;
}

/** Be here who one was there. Who is signed in here stays who they are. */
export async function enter({ ticket }: Arrival): Promise<void> {
  if (!me.value && ticket) me.value = await api<Me>("POST", "/api/enter", { ticket });
  arrived = null;
}

function hear(message: ServerMessage): void {
  if (message.type !== "moved" || leaving || stranded.value || !socket.follows(message.table)) return;
  moves = lately(moves);
  if (moves.length < MOST_MOVES) leaveFor(message);
  else stranded.value = message;
}
socket.listen(hear);

function leaveFor({ table, url, ticket }: Moved): void {
  const server = webAddress(url);
  if (!server) {
    stranded.value = { type: "moved", table, url, ticket };
    return;
  }
  const here = location.pathname;
  const told = new URLSearchParams({ to: GOES_ON_AT.test(here) && here.endsWith(`/${table}`) ? here : `/table/${table}`, moves: [...moves, Date.now()].join(",") });
  if (ticket) told.set("ticket", ticket);
  leaving = true;
  // The way back does not lead to a page that sends on.
  location.replace(`${new URL(ENTRANCE, server)}#${told}`);
}

/** Where a server says that another one is; nothing but a place in the web is gone to. */
function webAddress(url: string): URL | null {
  const address = URL.canParse(url) ? new URL(url) : null;
  return address && /^https?:$/.test(address.protocol) ? address : null;
}

/** Come back to the match, and go where it is after all, if the page is still sent there. */
export function moveAgain(): void {
  moves = [];
  stranded.value = null;
}

// On another page nothing is to be said of it.
location_.subscribe(() => (stranded.value = null));
