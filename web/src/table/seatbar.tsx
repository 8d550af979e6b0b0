// A player's line: name, side, Force and build points, piles, clock.

import { signal } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import { CardBack, CardFace, inWords, zoomProps } from "../card.js";
import type { Counted, Seat, Table } from "../protocol.js";
import { cardsIn, countIn, optionsForPile } from "./model.js";
import { usePlay } from "./play.js";
import { sideOf } from "./unit.js";
import { Dialog } from "../ui.js";

export function SeatBar({ seat, own }: { seat: number; own: boolean }) {
  const { table, layout } = usePlay();
  const player = table?.seats[seat];
  if (!table || !player) return null;
  const asked = table.ask?.seat === seat;
  return (
    <section class={`seatbar ${own ? "own" : "other"} ${asked ? "asked" : ""} side-${sideOf(player.side)}`} aria-label={`${player.name}, ${player.side}`}>
      <span class={`lamp ${player.connected || player.bot ? "on" : "off"}`} title={player.bot ? "Bot" : player.connected ? "Here" : "Away"} />
      <span class="who">
        <b>{player.name || "Free seat"}</b>
        <small>{player.side}{player.bot ? " · bot" : ""}{!player.bot && !player.connected && player.name ? " · away" : ""}</small>
      </span>
      {layout.about.figures.map((one) => {
        const number = figure(table, player, seat, one.counts);
        return (
          <span key={one.label} class={`figure ${nameOf(one.counts)}`} title={one.title ?? one.label}>
            <small>{one.label}</small>
            <b key={number}>{number}</b>
          </span>
        );
      })}
      <span class="piles">
        {own ? null : (
          <span class="pile" data-zone={`${layout.about.hand}.${seat}`} title="Cards in hand">
            <CardBack size="small" side={sideOf(player.side)} />
            <span class="pile-count"><small>Hand</small><b>{countIn(table, `${layout.about.hand}.${seat}`)}</b></span>
          </span>
        )}
        {layout.about.piles.filter((pile) => pile.always || countIn(table, `${pile.zone}.${seat}`) > 0).map((pile) => (
          <Pile key={pile.zone} zone={`${pile.zone}.${seat}`} name={pile.name} side={sideOf(player.side)} whose={player.name} own={own} />
        ))}
      </span>
      {player.clock === null || player.clock === undefined ? null : <ClockFace seat={seat} />}
    </section>
  );
}

function figure(table: Table, player: Seat, seat: number, counts: Counted): number {
  if ("zones" in counts) return counts.zones.reduce((sum, zone) => sum + countIn(table, `${zone}.${seat}`), 0);
  return ("counter" in counts ? player.counters[counts.counter] : player.values[counts.value]) ?? 0;
}

/** What the rules call it: the look of some figures goes by it. */
function nameOf(counts: Counted): string {
  return "zones" in counts ? counts.zones.join(" ") : "counter" in counts ? counts.counter : counts.value;
}

const openPile = signal<{ zone: string; title: string } | null>(null);

function Pile({ zone, name, side, whose, own }: { zone: string; name: string; side: string; whose: string; own: boolean }) {
  const play = usePlay();
  const { table } = play;
  if (!table) return null;
  const count = countIn(table, zone);
  const top = cardsIn(table, zone).at(-1);
  const info = play.info(top);
  const kind = zone.split(".")[0] ?? "";
  const inside = (
    <>
      {info && top ? <span class="pile-top" data-card={top.id} aria-hidden="true"><CardFace info={info} size="small" /></span> : count > 0 ? <CardBack size="small" side={side} /> : <span class="pile-empty" />}
      <span class="pile-count" aria-hidden="true"><small>{name}</small><b>{count}</b></span>
      <span class="unseen">{name}: {count} cards</span>
    </>
  );
  const options = optionsForPile(play.question.value, play.layout, zone, own);
  if (options.length > 0) {
    const picked = options.some((at) => play.picked.value.includes(at));
    return (
      <button type="button" class={`pile legal ${kind} ${picked ? "picked" : ""}`} data-zone={zone} data-nav title={`${name}: ${count}`} aria-pressed={picked ? true : undefined} onClick={(event) => play.chooseAmong(top?.id ?? -1, options, event.currentTarget)}>
        {inside}
        <span class="unseen">, can be chosen</span>
      </button>
    );
  }
  if (!info) return <span class={`pile ${kind}`} data-zone={zone} title={`${name}: ${count}`}>{inside}</span>;
  return (
    <button type="button" class={`pile ${kind}`} data-zone={zone} data-nav title={`Look through ${whose}'s ${name.toLowerCase()}`} onClick={() => (openPile.value = { zone, title: `${whose}: ${name}` })}>
      {inside}
    </button>
  );
}

export function PileDialog() {
  const play = usePlay();
  const open = openPile.value;
  if (!open || !play.table) return null;
  const cards = cardsIn(play.table, open.zone).reverse();
  return (
    <Dialog title={`${open.title} (${cards.length})`} onClose={() => (openPile.value = null)} class="wide">
      <ul class="card-list">
        {cards.map((card) => {
          const info = play.info(card);
          return info ? (
            <li key={card.id} {...zoomProps(info)}>
              <span class="unseen">{inWords(info)}</span>
              <CardFace info={info} size="normal" />
            </li>
          ) : null;
        })}
      </ul>
    </Dialog>
  );
}

/** Time left, counted down here between updates. */
function ClockFace({ seat }: { seat: number }) {
  const { table, match } = usePlay();
  const [, tick] = useState(0);
  const running = table?.state.is === "playing" && !table.paused && table.ask?.seat === seat;
  useEffect(() => {
    if (!running) return;
    const timer = window.setInterval(() => tick((n) => n + 1), 250);
    return () => window.clearInterval(timer);
  }, [running]);
  const left = table?.seats[seat]?.clock ?? 0;
  const now = Math.max(0, left - (running ? performance.now() - match.updated.value : 0));
  const seconds = Math.ceil(now / 1000);
  const text = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  return <time class={`clock ${running ? "running" : ""} ${seconds <= 30 ? "short" : ""}`} aria-label={`Time left ${text}`}>{text}</time>;
}
