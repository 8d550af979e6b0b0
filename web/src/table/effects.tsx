// What is shown above the board for a moment: dice, the arrow of an attack, damage, destinies. What an update tells of
// dice waits until they lie still, and a battle is not taken off the board while what was drawn in it is being shown.

import { computed, signal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { motionWanted, pace } from "../settings.js";
import { CardFace } from "../card.js";
import type { Motion, Table } from "../protocol.js";
import type { Layout } from "./layouts/layout.js";
import type { Mover } from "./motion.js";
import { usePlay } from "./play.js";

type Point = { x: number; y: number };
type Shown =
  | { what: "dice"; faces: number[]; place: string | null }
  | { what: "attack"; from: Point; to: Point }
  | { what: "damage"; at: Point; amount: number }
  | { what: "destiny"; seat: number; card: string | null; value: number }
  | { what: "powers"; totals: number[] };

const LASTS: Record<Shown["what"], number> = { dice: 1300, attack: 700, damage: 700, destiny: 1100, powers: 1300 };
/** However much happened in one update, it is shown in this time. */
const ALL_MS = 3500;
let deadline = 0;
/** Where others wait behind what is shown, it goes faster. */
let hurry = 1;

/** How far from the middle of a card an arrow ends. */
const ROOM = 46;

const queue: Shown[] = [];
const now = signal<Shown | null>(null);
let timer = 0;
/** Something is still being shown. */
export const busy = computed(() => now.value !== null);
/** Called once when a throw of dice lies still, and when nothing is shown any more. */
const settling = new Map<Shown, () => void>();
let idle: (() => void)[] = [];
/** How many motions of an update have been shown before it. */
const early = new WeakMap<Motion[], number>();

/** Where things are: on the table before an update, with the positions that were taken, or after it. */
export type Scene = { layout: Layout; table: Table; mover: Mover | null };

/** Where something was going on when the table was shown last. */
let place: string | null = null;

/** Show what has happened, one after the other. */
export function enqueue(moves: Motion[], scene: Scene): void {
  const before = place;
  place = scene.layout.placeNow(scene.table);
  // A table that was told anew may have left a battle of which something is still shown.
  if (before !== null && before !== place && told()) dismiss();
  push(moves.slice(early.get(moves) ?? 0), scene);
}

function told(moves: readonly { what: string }[] = now.value ? [now.value, ...queue] : queue): boolean {
  return moves.some((one) => one.what === "destiny" || one.what === "powers");
}

/** Whether an update waits: for dice that it tells of, or because it leaves a battle of which something is still shown. */
export function curtain(layout: Layout, moves: Motion[], before: Table, after: Table, behind: number): Promise<void> | null {
  if (!motionWanted() || document.hidden) return null;
  hurry = 1 + behind / 2;
  const scene = { layout, table: before, mover: null };
  const leaves = layout.placeNow(before) !== null && layout.placeNow(before) !== layout.placeNow(after);
  if (leaves && (told() || told(moves))) {
    early.set(moves, moves.length);
    push(moves, scene);
    return now.value ? new Promise<void>((done) => void idle.push(done)) : null;
  }
  const last = moves.findLastIndex((move) => move.what === "dice");
  if (last < 0) return null;
  early.set(moves, last + 1);
  const dice = push(moves.slice(0, last + 1), { ...scene, table: layout.placeNow(before) === null ? after : before }).at(-1);
  return dice ? new Promise<void>((done) => void settling.set(dice, done)) : null;
}

function push(moves: Motion[], scene: Scene): Shown[] {
  const wanted = motionWanted();
  const added: Shown[] = [];
  let attacker: number | null = null;
  for (const move of moves) {
    if (move.what === "attack") attacker = move.by;
    const shown = prepare(move, scene, attacker);
    if (shown && (wanted || shown.what === "dice")) added.push(shown);
  }
  queue.push(...added);
  deadline = performance.now() + ALL_MS / pace.value;
  if (!now.value) next();
  return added;
}

function prepare(move: Motion, scene: Scene, attacker: number | null): Shown | null {
  switch (move.what) {
    case "dice":
      return { what: "dice", faces: move.faces, place: placeOfDice(scene, attacker) };
    case "attack": {
      const from = middleOf(move.by, scene.mover);
      const to = middleOf(move.on, scene.mover);
      return from && to ? { what: "attack", from, to } : null;
    }
    case "damage": {
      const at = middleOf(move.card, scene.mover);
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

/** Dice are thrown where the attack is that they are for; else where something goes on; else in the middle. */
function placeOfDice({ layout, table }: Scene, attacker: number | null): string | null {
  const card = attacker === null ? undefined : table.cards[String(attacker)];
  return (card ? layout.placeOf(table, card) : null) ?? layout.placeNow(table);
}

function middleOf(card: number, mover: Mover | null): Point | null {
  const box = mover?.was(card) ?? document.querySelector(`.table [data-card="${card}"]`)?.getBoundingClientRect();
  return box && box.width > 0 ? { x: box.left + box.width / 2, y: box.top + box.height / 2 } : null;
}

function next(): void {
  window.clearTimeout(timer);
  if (now.value) settle(now.value);
  const shown = queue.shift() ?? null;
  now.value = shown;
  if (!shown) {
    const waiting = idle;
    idle = [];
    waiting.forEach((done) => done());
    return;
  }
  const total = queue.reduce((sum, one) => sum + LASTS[one.what], LASTS[shown.what]);
  const left = Math.max(0, deadline - performance.now());
  timer = window.setTimeout(next, LASTS[shown.what] * Math.min(1 / (pace.value * hurry), left / total));
}

function settle(shown: Shown): void {
  settling.get(shown)?.();
  settling.delete(shown);
}

/** Whoever goes on has seen it. */
export function dismiss(): void {
  for (const shown of queue.splice(0)) settle(shown);
  next();
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
      {shown?.what === "dice" ? <Thrown shown={shown} /> : null}
    </div>
  );
}

/** Dice on the board: as large as fit into the part of it that they are thrown in. */
function Thrown({ shown }: { shown: Extract<Shown, { what: "dice" }> }) {
  const ref = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const layer = ref.current;
    if (!layer) return;
    const box = boxOf(shown.place);
    const { die, across } = sizeOfDice(shown.faces.length, box);
    layer.style.cssText = `--die:${die}px;--across:${across};--pace:${pace.value * hurry};left:${box.left + box.width / 2}px;top:${box.top + box.height / 2}px`;
    const tumbling = layer.getAnimations({ subtree: true });
    void Promise.allSettled(tumbling.map((one) => one.finished)).then(() => settle(shown));
  }, [shown]);
  return (
    <div ref={ref} class="thrown">
      <Dice faces={shown.faces} />
    </div>
  );
}

/** What is seen of a part of the board; all of it where that part is out of sight. */
function boxOf(place: string | null): DOMRect {
  const board = document.querySelector(".board")?.getBoundingClientRect() ?? new DOMRect(0, 0, innerWidth, innerHeight);
  const part = place === null ? undefined : document.querySelector(`.board [data-place="${place}"]`)?.getBoundingClientRect();
  if (!part) return board;
  const [left, right] = [Math.max(part.left, board.left), Math.min(part.right, board.right)];
  return right - left < part.width / 2 ? board : new DOMRect(left, part.top, right - left, part.height);
}

const DIE = { most: 60, gap: 10, pad: 12 };

/** In as many rows as make them largest. */
function sizeOfDice(count: number, box: DOMRect): { die: number; across: number } {
  let best = { die: 0, across: 1 };
  for (let across = 1; across <= Math.max(1, count); across += 1) {
    const rows = Math.ceil(count / across);
    const room = (length: number, of: number) => (length - 2 * DIE.pad - 8 - DIE.gap * (of - 1)) / of;
    const die = Math.floor(Math.min(DIE.most, room(box.width, across), room(box.height, rows)));
    if (die >= best.die) best = { die, across };
  }
  return { die: Math.max(16, best.die), across: best.across };
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
