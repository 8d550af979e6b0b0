// What is shown above the board for a moment: dice, the arrow of an attack, damage. Nothing waits for it.

import { computed, signal } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import { motionWanted, pace } from "../settings.js";
import { CardFace } from "../card.js";
import type { Motion } from "../protocol.js";
import type { Mover } from "./motion.js";
import { usePlay } from "./play.js";

type Point = { x: number; y: number };
type Shown =
  | { what: "dice"; faces: number[] }
  | { what: "attack"; from: Point; to: Point }
  | { what: "damage"; at: Point; amount: number }
  | { what: "destiny"; seat: number; card: string | null; value: number }
  | { what: "powers"; totals: number[] };

const LASTS: Record<Shown["what"], number> = { dice: 1300, attack: 700, damage: 700, destiny: 1100, powers: 1300 };
/** However much happened, it is shown in this time. */
const ALL_MS = 3500;
let deadline = 0;

/** How far from the middle of a card an arrow ends. */
const ROOM = 46;

const queue: Shown[] = [];
const now = signal<Shown | null>(null);
let running = false;
/** Something is still being shown. */
export const busy = computed(() => now.value !== null);

/** Show what has happened, one after the other. */
export function enqueue(moves: Motion[], mover: Mover): void {
  const wanted = motionWanted();
  for (const move of moves) {
    const shown = prepare(move, mover);
    if (shown && (wanted || shown.what === "dice")) queue.push(shown);
  }
  deadline = performance.now() + ALL_MS / pace.value;
  if (!running) next();
}

function prepare(move: Motion, mover: Mover): Shown | null {
  switch (move.what) {
    case "dice":
      return { what: "dice", faces: move.faces };
    case "attack": {
      const from = placeOf(move.by, mover);
      const to = placeOf(move.on, mover);
      return from && to ? { what: "attack", from, to } : null;
    }
    case "damage": {
      const at = placeOf(move.card, mover);
      return at ? { what: "damage", at, amount: move.amount } : null;
    }
    case "destiny":
      return { what: "destiny", seat: move.seat, card: move.card ?? null, value: move.value };
    case "powers":
      return { what: "powers", totals: move.totals };
    default:
      return null;
  }
}

function placeOf(card: number, mover: Mover): Point | null {
  const box = mover.was(card) ?? document.querySelector(`.table [data-card="${card}"]`)?.getBoundingClientRect();
  return box && box.width > 0 ? { x: box.left + box.width / 2, y: box.top + box.height / 2 } : null;
}

function next(): void {
  const shown = queue.shift() ?? null;
  now.value = shown;
  running = shown !== null;
  if (!shown) return;
  const total = queue.reduce((sum, one) => sum + LASTS[one.what], LASTS[shown.what]);
  const left = Math.max(0, deadline - performance.now());
  window.setTimeout(next, LASTS[shown.what] * Math.min(1 / pace.value, left / total));
}

export function Effects() {
  const shown = now.value;
  return (
    <div class="effects-layer">
      <CurrentAttack />
      {shown?.what === "attack" ? <Arrow from={shown.from} to={shown.to} fresh /> : null}
      {shown?.what === "damage" ? <span class="hurt-number" aria-hidden="true" style={`left:${shown.at.x}px;top:${shown.at.y}px`}>−{shown.amount}</span> : null}
      {shown?.what === "destiny" ? <Destiny seat={shown.seat} card={shown.card} value={shown.value} /> : null}
      {shown?.what === "powers" ? <div class="destiny" aria-hidden="true"><span>Total power</span><span class="powers">{shown.totals.join(" : ")}</span></div> : null}
      {shown?.what === "dice" ? <Dice faces={shown.faces} /> : null}
    </div>
  );
}

/** A destiny that was drawn, with its card. */
function Destiny({ seat, card, value }: { seat: number; card: string | null; value: number }) {
  const { table, cards } = usePlay();
  const info = card === null ? undefined : cards.value.get(card);
  return (
    <div class="destiny" aria-hidden="true">
      <span>{table?.seats[seat]?.name} draws destiny</span>
      {info ? <CardFace info={info} size="small" /> : null}
      <b>{value}</b>
    </div>
  );
}

/** The attack that is going on stays marked. */
function CurrentAttack() {
  const { table, layout } = usePlay();
  const attack = table ? layout.attack(table) : null;
  const attacker = attack?.by ?? null;
  const defender = attack?.on ?? null;
  const [line, setLine] = useState<[Point, Point] | null>(null);
  useEffect(() => {
    const measure = () => {
      const place = (card: number | null) => {
        const box = card === null ? undefined : document.querySelector(`.board [data-card="${card}"]`)?.getBoundingClientRect();
        return box && box.width > 0 ? { x: box.left + box.width / 2, y: box.top + box.height / 2 } : null;
      };
      const from = place(attacker);
      const to = place(defender);
      setLine(from && to ? [from, to] : null);
    };
    const timer = window.setTimeout(measure, 360);
    addEventListener("resize", measure);
    return () => {
      window.clearTimeout(timer);
      removeEventListener("resize", measure);
    };
  }, [attacker, defender, table]);
  return line && attacker !== null ? <Arrow from={line[0]} to={line[1]} /> : null;
}

function Arrow({ from: start, to: end, fresh = false }: { from: Point; to: Point; fresh?: boolean }) {
  const length = Math.hypot(end.x - start.x, end.y - start.y) || 1;
  // From the edge of one card to the edge of the other, so that both stay readable.
  const part = Math.min(ROOM, length * 0.3) / length;
  const from = { x: start.x + (end.x - start.x) * part, y: start.y + (end.y - start.y) * part };
  const to = { x: end.x - (end.x - start.x) * part, y: end.y - (end.y - start.y) * part };
  const bend = { x: (from.x + to.x) / 2 - ((to.y - from.y) / length) * 24, y: (from.y + to.y) / 2 + ((to.x - from.x) / length) * 24 };
  const angle = (Math.atan2(to.y - bend.y, to.x - bend.x) * 180) / Math.PI;
  return (
    <svg class={`arrow ${fresh ? "fresh" : ""}`} aria-hidden="true">
      <path class="shaft" pathLength="1" d={`M${from.x} ${from.y} Q${bend.x} ${bend.y} ${to.x} ${to.y}`} />
      <path class="head" d="M0 0 L-22 -11 L-16 0 L-22 11 Z" transform={`translate(${to.x} ${to.y}) rotate(${angle})`} />
    </svg>
  );
}

const PIPS: Record<number, readonly (readonly [number, number])[]> = {
  1: [[50, 50]],
  2: [[28, 28], [72, 72]],
  3: [[26, 26], [50, 50], [74, 74]],
  4: [[28, 28], [72, 28], [28, 72], [72, 72]],
  5: [[26, 26], [74, 26], [50, 50], [26, 74], [74, 74]],
  6: [[28, 24], [72, 24], [28, 50], [72, 50], [28, 76], [72, 76]],
};

export function Dice({ faces }: { faces: number[] }) {
  return (
    <div class="dice" role="img" aria-label={`Dice: ${faces.join(", ")}`}>
      {faces.map((face, at) => (
        <svg key={at} class="die" viewBox="0 0 100 100" style={`--at:${at}`}>
          <rect x="4" y="4" width="92" height="92" rx="18" />
          {(PIPS[face] ?? []).map(([x, y]) => (
            <circle key={`${x}${y}`} cx={x} cy={y} r="9.5" />
          ))}
          {PIPS[face] ? null : <text x="50" y="66">{face}</text>}
        </svg>
      ))}
    </div>
  );
}
