// The table: a match followed through the socket, drawn and played.

import { motionWanted } from "../settings.js";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { Absent, Empty } from "../absent.js";
import { unhover } from "../card.js";
import { connected, socket, type Match } from "../net.js";
import { Link, navigate, type PageProps } from "../router.js";
import { byKeyboard, isWriting } from "../ui.js";
import { Controls, EndDialog, KeysDialog, Offers, TableMenu } from "./controls.js";
import { curtain, Effects, enqueue } from "./effects.js";
import { Gallery } from "./gallery.js";
import { Hand } from "./hand.js";
import { beforeKey, onKey } from "./keys.js";
import { findLayout, noLayout } from "./layouts/layout.js";
import { Side } from "./log.js";
import { CardMenu, MovesDialog } from "./menu.js";
import { isSeat, otherSeat, ownSeat } from "./model.js";
import { Mover } from "./motion.js";
import { Play, PlayContext, usePlay } from "./play.js";
import { Prompt } from "./prompt.js";
import { PileDialog, SeatBar } from "./seatbar.js";
import { Sheet } from "./sheet.js";

export function TablePage({ params }: PageProps) {
  const id = params.id ?? "";
  const [match, setMatch] = useState<Match | null>(null);
  useEffect(() => {
    const [followed, done] = socket.watch(id);
    setMatch(followed);
    return done;
  }, [id]);
  const game = match?.table.value?.game;
  if (match && match.absent.value !== null) return <Absent id={id} />;
  if (!match || game === undefined) return <p class="loading" role="status">Coming to the table …</p>;
  return findLayout(game) ? <TableOf match={match} game={game} /> : <Empty title="This table cannot be shown"><p>{noLayout(game)}</p></Empty>;
}

function TableOf({ match, game }: { match: Match; game: string }) {
  const play = useMemo(() => new Play(match, game), [match, game]);
  useEffect(() => socket.listen((message) => play.hear(message)), [play]);
  useEffect(() => {
    const first = (event: KeyboardEvent) => beforeKey(play, event);
    const key = (event: KeyboardEvent) => onKey(play, event);
    const pointer = () => play.lookAround();
    addEventListener("keydown", first, true);
    addEventListener("keydown", key);
    addEventListener("pointerdown", pointer, true);
    return () => {
      removeEventListener("keydown", first, true);
      removeEventListener("keydown", key);
      removeEventListener("pointerdown", pointer, true);
    };
  }, [play]);
  const table = match.table.value;
  // Both have wished for another game while we were here.
  const rematch = table && isSeat(table.seat) ? table.rematch : null;
  const before = useRef(rematch);
  useEffect(() => {
    if (rematch && !before.current) navigate(`/table/${rematch}`);
    before.current = rematch;
  }, [rematch]);
  return (
    <PlayContext.Provider value={play}>
      <TableView />
      <EndDialog />
    </PlayContext.Provider>
  );
}

/** The table itself; whoever draws it gives it a `Play`. */
export function TableView() {
  const ref = useRef<HTMLDivElement>(null);
  const play = useMotion(ref);
  const table = play.table;
  useFollowPlace(ref, table ? play.layout.placeNow(table) : null);
  if (!table) return null;
  const player = isSeat(table.seat);
  return (
    <div ref={ref} class={`table ${player ? "" : "onlooker"} ${play.dragged.value === null ? "" : "dragging"}`}>
      <h1 class="unseen">{table.seats.map((seat) => seat.name).join(" against ")}</h1>
      <div class="table-top">
        <Link to="/" class="leave" aria-label="To the lobby" title="To the lobby">‹</Link>
        <SeatBar seat={otherSeat(table)} own={false} />
        <Phase />
        <Controls />
      </div>
      <PlaceTabs />
      <play.layout.Board />
      <Gallery />
      <div class="table-bottom">
        <Offers />
        <SeatBar seat={ownSeat(table)} own={player} />
        <Prompt />
        {player ? <Hand /> : null}
      </div>
      <Side />
      <Effects />
      <CardMenu />
      <Sheet />
      <PileDialog />
      <MovesDialog />
      <TableMenu />
      <KeysDialog />
    </div>
  );
}

function Phase() {
  const { table, layout } = usePlay();
  if (!table) return null;
  return (
    <div class="phase" role="status">
      <b>{layout.turn(table)}</b>
      <span>{layout.phase(table)}</span>
      <Steps />
      {connected.value ? null : <span class="offline">Connecting …</span>}
      {isSeat(table.seat) ? null : <span class="watching">Watching</span>}
      {table.spectators > 0 ? <span class="dim" title="Onlookers">{table.spectators} watching</span> : null}
    </div>
  );
}

/** The steps of a turn, where the game has them. */
function Steps() {
  const { table, layout } = usePlay();
  const steps = table ? layout.steps(table) : [];
  if (steps.length === 0) return null;
  return (
    <ol class="steps" aria-hidden="true">
      {steps.map((step) => (
        <li key={step.name} class={step.now ? "now" : ""}>{step.name}</li>
      ))}
    </ol>
  );
}

/** On narrow screens one place is seen at a time; these go to each. */
function PlaceTabs() {
  const play = usePlay();
  const { table, layout } = play;
  if (!table) return null;
  const now = layout.placeNow(table);
  const options = play.question.value && play.question.value.kind !== "number" ? play.question.value.options : [];
  // While a card asks where to, what counts is where it may go.
  const menu = play.menu.value;
  const cards = menu ? menu.options.map((at) => options[at]?.target) : options.map((option) => option.card);
  const lit = (zone: string) => cards.some((id) => {
    const card = typeof id === "number" ? play.card(id) : undefined;
    return card !== undefined && layout.placeOf(table, card) === zone;
  });
  return (
    <nav class="place-tabs" aria-label="Parts of the board">
      {layout.places(table).map((place) => (
        <button key={place.zone} type="button" data-tab={place.zone} class={`${place.zone} ${now === place.zone ? "now" : ""} ${lit(place.zone) ? "lit" : ""}`} onClick={() => showPlace(place.zone)}>
          {place.name}
        </button>
      ))}
    </nav>
  );
}

function showPlace(zone: string): void {
  const place = document.querySelector<HTMLElement>(`.board [data-place="${zone}"]`);
  const board = place?.closest("[data-scroll]");
  if (place && board) board.scrollTo({ left: board.scrollLeft + place.getBoundingClientRect().left - board.getBoundingClientRect().left, behavior: motionWanted() ? "smooth" : "auto" });
  document.querySelector(`.place-tabs [data-tab="${zone}"]`)?.scrollIntoView({ block: "nearest", inline: "nearest" });
}

function useFollowPlace(ref: { current: HTMLElement | null }, zone: string | null): void {
  useEffect(() => {
    if (zone !== null && ref.current) showPlace(zone);
  }, [zone]);
}

/** A number is asked at the slider; and where the focus was on something that is gone, it goes to what can be chosen. */
function keepFocus(table: HTMLElement): void {
  if (document.querySelector("dialog[open]") || isWriting()) return;
  const slider = table.querySelector<HTMLElement>(".amount-ask input");
  const lost = document.activeElement === null || document.activeElement === document.body;
  if (slider) slider.focus({ preventScroll: true });
  else if (lost && byKeyboard()) table.querySelector<HTMLElement>(".gallery-choices [data-nav], .legal, .answers [data-nav]")?.focus({ preventScroll: true });
}

/** Positions are taken before each update and played after it is drawn. */
function useMotion(ref: { current: HTMLElement | null }): Play {
  const play = usePlay();
  const mover = useMemo(() => new Mover(), [play]);
  useEffect(() => {
    const listener: Match["listeners"] extends Set<infer L> ? L : never = (moves, before, after) => {
      unhover();
      if (ref.current && before) {
        mover.capture(ref.current, moves);
        enqueue(moves, { layout: play.layout, table: after, mover });
      }
    };
    play.match.listeners.add(listener);
    play.match.curtain = (moves, before, after, behind) => curtain(play.layout, moves, before, after, behind);
    return () => {
      play.match.listeners.delete(listener);
      play.match.curtain = null;
    };
  }, [play, mover]);
  const table = play.table;
  useLayoutEffect(() => {
    play.renew();
    if (ref.current) mover.play(ref.current);
  }, [table]);
  const asked = play.question.value ? table?.ask?.number : undefined;
  useEffect(() => {
    if (asked !== undefined && ref.current) keepFocus(ref.current);
  }, [asked]);
  return play;
}
