// What one can do about the match itself: undo, pause, draw, resign, rematch, stops, keys; and its end.

import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { socket } from "../net.js";
import type { ClientMessage, Stops, Table } from "../protocol.js";
import { Link } from "../router.js";
import { animations, pace } from "../settings.js";
import { kindOfStops, STOPS, stopsOf } from "../stops.js";
import { Button, confirm, Dialog, ThemeSwitch, toast } from "../ui.js";
import { Edition } from "./edition.js";
import { busy } from "./effects.js";
import { isSeat, otherSeat, ownSeat } from "./model.js";
import { movesOpen } from "./menu.js";
import { sideOpen, sideTab } from "./log.js";
import { usePlay } from "./play.js";

export const menuOpen = signal(false);
export const keysOpen = signal(false);
const endSeen = signal<string | null>(null);

function send(message: ClientMessage): void {
  if (!socket.send(message)) toast("Not connected; trying again.", "bad");
}

export function undo(table: Table): void {
  send({ type: "undo", table: table.id });
}

export function Controls() {
  const { table } = usePlay();
  if (!table) return null;
  const player = isSeat(table.seat);
  const playing = table.state.is === "playing";
  return (
    <div class="controls">
      {player && playing ? (
        <Button kind="quiet" class="icon" aria-label="Take back (U)" title={table.undo_free ? "Take back (U)" : "Ask to take back (U)"} onClick={() => undo(table)}>↶</Button>
      ) : null}
      <Button kind="quiet" class="icon" aria-label="All moves (M)" title="All moves (M)" onClick={() => (movesOpen.value = true)}>≡</Button>
      <Button kind="quiet" class="icon side-button" aria-label="Log and chat (L)" title="Log and chat (L)" onClick={() => { sideTab.value = "log"; sideOpen.value = !sideOpen.value; }}>☰</Button>
      <Button kind="quiet" class="icon" aria-label="Settings of this table" title="Settings of this table" onClick={() => (menuOpen.value = true)}>⚙</Button>
    </div>
  );
}

/** Offers of the other player, and own ones that wait. */
export function Offers() {
  const { table } = usePlay();
  if (!table || !isSeat(table.seat)) return null;
  return <OffersOf table={table} />;
}

function OffersOf({ table }: { table: Table }) {
  const [mine, other] = [ownSeat(table), otherSeat(table)];
  const name = table.seats[other]?.name ?? "Your opponent";
  const by = (offer: string, seat: number) => table.offers[offer]?.includes(seat) === true;
  const id = table.id;
  const over = table.state.is === "over";
  useTurnedDown(by("draw", mine), over);
  return (
    <div class="offers" aria-live="polite">
      {by("undo", other) ? (
        <p>{name} asks to take back. <Button onClick={() => send({ type: "undo_reply", table: id, agree: true })}>Allow</Button> <Button onClick={() => send({ type: "undo_reply", table: id, agree: false })}>Refuse</Button></p>
      ) : null}
      {by("draw", other) && !over ? <p>{name} offers a draw. <Button onClick={() => send({ type: "offer_draw", table: id })}>Agree</Button> <small class="dim">Or play on: your next answer turns it down.</small></p> : null}
      {by("pause", other) && !over ? <p>{name} asks for a pause. <Button onClick={() => send({ type: "pause", table: id })}>Agree</Button></p> : null}
      {by("undo", mine) ? <p class="dim">You have asked to take back.</p> : null}
      {by("draw", mine) && !over ? <p class="dim">You have offered a draw.</p> : null}
      {by("pause", mine) && !over ? <p class="dim">You have asked for a pause.</p> : null}
    </div>
  );
}

/** An answer turns an offer down without a word: say it. */
function useTurnedDown(offered: boolean, over: boolean): void {
  const before = useRef(offered);
  useEffect(() => {
    if (before.current && !offered && !over) toast("No draw: the game goes on.");
    before.current = offered;
  }, [offered, over]);
}

export function TableMenu() {
  const play = usePlay();
  const { table } = play;
  if (!menuOpen.value || !table) return null;
  const close = () => (menuOpen.value = false);
  const player = isSeat(table.seat);
  const playing = table.state.is === "playing";
  const resign = async () => {
    close();
    if (await confirm("Resign this game?", "The game ends here, and your opponent wins it. This cannot be taken back.", "Resign")) send({ type: "resign", table: table.id });
  };
  return (
    <Dialog title="This table" onClose={close}>
      {player && playing ? (
        <div class="buttons start">
          <Button onClick={() => { send({ type: "offer_draw", table: table.id }); close(); }}>Offer a draw</Button>
          <Button onClick={() => { send({ type: "pause", table: table.id }); close(); }}>{table.paused ? "Go on" : "Pause"}</Button>
          <Button kind="danger" onClick={() => void resign()}>Resign</Button>
        </div>
      ) : null}
      {player && table.state.is === "open" ? (
        <div class="buttons start">
          <Button kind="danger" onClick={() => { send({ type: "resign", table: table.id }); close(); }}>Close this table</Button>
        </div>
      ) : null}
      {player ? <StopsForm stops={table.stops} /> : null}
      <h3>On this device</h3>
      <label class="check"><input type="checkbox" checked={animations.value} onChange={(event) => (animations.value = event.currentTarget.checked)} /> Animate moves and dice</label>
      <label class="check">Speed <input type="range" min="0.5" max="3" step="0.25" value={pace.value} onInput={(event) => (pace.value = event.currentTarget.valueAsNumber)} /> {pace.value}×</label>
      <p class="buttons start"><ThemeSwitch /> <Button onClick={() => { close(); keysOpen.value = true; }}>Keys</Button> <Link to="/" class="button">Leave to the lobby</Link></p>
      <h3>Fairness</h3>
      <p class="dim small">The shuffles of this game come from a seed that was fixed before it began. Its hash is <code class="hash">{table.commitment}</code>; the seed is shown at the end.</p>
      <Edition table={table} />
    </Dialog>
  );
}

function StopsForm({ stops }: { stops: Stops }) {
  const play = usePlay();
  const { table, layout } = play;
  // What was wished last: the next wish may come before the server's word.
  const wished = useRef(stops);
  useEffect(() => void (wished.current = stops), [JSON.stringify(stops)]);
  if (!table) return null;
  const set = (change: Partial<Stops>) => {
    wished.current = { ...wished.current, ...change };
    send({ type: "stops", table: table.id, stops: wished.current });
  };
  const except = (name: string, on: boolean) => set({ except: [...wished.current.except.filter((other) => other !== name), ...(on ? [name] : [])] });
  return (
    <fieldset>
      <legend>When to ask me</legend>
      {STOPS.map(([name, label, does]) => (
        <label key={name} class="check">
          <input type="radio" name="stops" value={name} checked={kindOfStops(stops) === name} onChange={() => set(stopsOf(name))} /> <span><b>{label}</b> <small class="dim">{does}</small></span>
        </label>
      ))}
      <p class="dim small">Always ask me</p>
      {layout.about.windows.map((window) => (
        <label key={window.name} class="check inner">
          <input type="checkbox" disabled={stops.full_control} checked={stops.except.includes(window.name)} onChange={(event) => except(window.name, event.currentTarget.checked)} /> {window.label}
        </label>
      ))}
    </fieldset>
  );
}

const KEYS: readonly (readonly [string, string])[] = [
  ["Tab, arrows", "go from card to card and option to option"],
  ["Enter", "play the card or choose the option; confirm a choice of several"],
  ["1 – 9", "choose the button with that number"],
  ["+ and −", "change a number that is asked"],
  ["P", "pass or end the step"],
  ["U", "take back"],
  ["? or I", "details of the card in focus: why it cannot be played, its numbers"],
  ["M", "all moves as a list"],
  ["L, C", "log, chat"],
  ["H", "go to the hand"],
  ["K", "this list"],
  ["Esc", "close, or put many choices aside to see the table; it never answers"],
];

export function KeysDialog() {
  if (!keysOpen.value) return null;
  return (
    <Dialog title="Keys" onClose={() => (keysOpen.value = false)}>
      <dl class="keys">
        {KEYS.map(([key, does]) => (
          <div key={key}>
            <dt><kbd>{key}</kbd></dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}

const HOW: Record<string, string> = {
  rules: "by the rules of the game",
  resigned: "by resignation",
  time: "on time",
  agreed: "by agreement",
  abandoned: "because nobody came back",
  broken: "because the game could not go on",
};

/** Nobody had sat down yet; or those who look after the server have ended the game. */
function Closed({ table, onClose }: { table: Table; onClose: () => void }) {
  const began = table.seats.every((seat) => seat.name);
  return (
    <Dialog title={began ? "This game was ended" : "This table is closed"} onClose={onClose} class="end">
      <p>{began ? "Those who look after the server have ended it. Nobody has won." : "Nobody had taken the free seat."}</p>
      <Link to="/" class="button primary">To the lobby</Link>
    </Dialog>
  );
}

export function EndDialog() {
  const { table } = usePlay();
  if (!table || table.state.is !== "over" || endSeen.value === table.id || busy.value) return null;
  const { winner, how } = table.state;
  const close = () => (endSeen.value = table.id);
  const player = isSeat(table.seat);
  const name = isSeat(winner) ? (table.seats[winner]?.name ?? "") : "";
  if (how === "closed") return <Closed table={table} onClose={close} />;
  const title = !isSeat(winner) ? "A draw" : player && winner === table.seat ? "You win!" : player ? "You lose" : `${name} wins`;
  const wished = player && table.offers.rematch?.includes(ownSeat(table));
  const asked = player && table.offers.rematch?.includes(otherSeat(table));
  return (
    <Dialog title={title} onClose={close} class="end">
      <p>{isSeat(winner) ? `${name} (${table.seats[winner]?.side}) wins ${HOW[how] ?? how}.` : `The game is drawn ${HOW[how] ?? how}.`}</p>
      {asked && !table.rematch ? <p>Your opponent would like another game.</p> : null}
      <div class="buttons start">
        {table.rematch ? <Link to={`/table/${table.rematch}`} class="button primary">To the next game</Link> : null}
        {player && !table.rematch ? <Button kind="primary" disabled={wished} onClick={() => send({ type: "rematch", table: table.id })}>{wished ? "Waiting for your opponent" : "Rematch"}</Button> : null}
        <Link to={`/replay/${table.id}`} class="button">Watch the replay</Link>
        <Link to="/" class="button">To the lobby</Link>
      </div>
      <details>
        <summary>Was it fair?</summary>
        <p class="small">Before the game this hash of its seed was fixed; whoever hashes the seed gets the same.</p>
        <p class="small">Seed <code class="hash">{table.seed ?? "–"}</code></p>
        <p class="small">Hash <code class="hash">{table.commitment}</code></p>
      </details>
    </Dialog>
  );
}
