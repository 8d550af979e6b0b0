// A card as we draw it, and the large picture of it that appears on hover or a long press.

import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { artOf } from "./art.js";
import { fullTitle } from "./catalogue.js";
import type { Card, CardInfo } from "./protocol.js";

export type CardSize = "small" | "normal" | "large";
type FaceProps = { info: CardInfo; size?: CardSize; live?: Card | undefined };

const STATS = ["speed", "power", "health"] as const;
const STAT_SIGNS: Record<(typeof STATS)[number], string> = {
  speed: "M2 6h7l-2-2.5L12 8l-5 4.5L9 10H2z",
  power: "M8 1l1.8 4.4L14.5 3l-2.3 4.6L16 10l-4.6.4L12 15 8 12l-4 3 .6-4.6L0 10l3.8-2.4L1.5 3l4.7 2.4z",
  health: "M8 14.5C2 10 .5 7.6.5 5A3.6 3.6 0 0 1 8 3.6 3.6 3.6 0 0 1 15.5 5c0 2.6-1.500 5-7.500 9.500z",
};

/** What frames and colours depend on. */
export function frameOf(info: CardInfo): string {
  return `side-${info.side.toLowerCase()} kind-${info.kind.toLowerCase()}`;
}

export function CardFace({ info, size = "normal", live }: FaceProps) {
  const unit = info.numbers.power !== undefined;
  return (
    <div class={`card ${size} ${frameOf(info)} ${info.text.length === 0 ? "no-text" : ""}`} aria-hidden="true">
      <div class="card-head">
        {info.numbers.cost === undefined ? null : <Value class="card-cost" printed={info.numbers.cost} now={live?.values.cost} />}
        <span class="card-title">{info.title}</span>
        {info.version ? <span class="card-version">{info.version}</span> : null}
      </div>
      <img class="card-art" src={artOf(info)} alt="" draggable={false} />
      <div class="card-type">
        <b>{info.kind}</b> {info.subtypes.join(" ")}
      </div>
      {size === "small" || info.text.length === 0 ? null : (
        <div class={`card-text ${lengthOf(info)}`}>
          {info.text.map((line, at) => (
            <p key={at}>{line}</p>
          ))}
        </div>
      )}
      {unit ? (
        <div class="card-stats">
          {STATS.map((stat) => (
            <Stat key={stat} stat={stat} info={info} live={live} />
          ))}
        </div>
      ) : null}
      {size === "small" ? null : (
        <div class="card-set">
          {info.set} {info.number} · {info.rarity}
        </div>
      )}
    </div>
  );
}

/** Long texts are set smaller, so that all of a card can be read on it. */
function lengthOf(info: CardInfo): string {
  const letters = info.text.reduce((sum, line) => sum + line.length + 18, 0);
  const room = info.numbers.power === undefined ? 260 : 200;
  return letters > room * 1.45 ? "longer" : letters > room ? "long" : "";
}

function Stat({ stat, info, live }: { stat: (typeof STATS)[number]; info: CardInfo; live: Card | undefined }) {
  const printed = info.numbers[stat];
  if (printed === undefined) return null;
  const damage = stat === "health" ? (live?.counters.damage ?? 0) : 0;
  const now = live?.values[stat];
  return (
    <span class={`stat ${stat} ${damage > 0 ? "hurt" : ""}`}>
      <svg viewBox="0 0 16 16" aria-hidden="true">
        <path d={STAT_SIGNS[stat]} />
      </svg>
      {damage > 0 ? <b>{(now ?? printed) - damage}<i>/{now ?? printed}</i></b> : <Value printed={printed} now={now} />}
    </span>
  );
}

/** A number; marked where it is not what is printed. */
function Value({ printed, now, class: more = "" }: { printed: number; now?: number | undefined; class?: string }) {
  const change = now === undefined || now === printed ? "" : now > printed ? "raised" : "lowered";
  return <b class={`${more} ${change}`}>{now ?? printed}</b>;
}

/** The back of a card that is only counted or lies face down. */
export function CardBack({ size = "normal", side }: { size?: CardSize; side?: string | undefined }) {
  return (
    <div class={`card back ${size} ${side ? `side-${side}` : ""}`} aria-hidden="true">
      <svg viewBox="0 0 100 140">
        <circle cx="50" cy="70" r="27" />
        <ellipse cx="50" cy="70" rx="44" ry="16" transform="rotate(-24 50 70)" />
        <circle cx="50" cy="70" r="11" class="solid" />
        <circle cx="13" cy="84" r="5" class="solid" />
        <circle cx="87" cy="55" r="5" class="solid" />
      </svg>
    </div>
  );
}

/** A card in words, for those who hear it. */
export function inWords(info: CardInfo, live?: Card): string {
  const value = (name: string) => live?.values[name] ?? info.numbers[name];
  const parts = [fullTitle(info), [info.side, info.kind, ...info.subtypes].join(" ")];
  for (const name of ["cost", ...STATS]) {
    const number = value(name);
    if (number !== undefined) parts.push(`${name} ${number}`);
  }
  const counters = live?.counters ?? {};
  if (counters.damage) parts.push(`${counters.damage} damage`);
  if (counters.pending) parts.push(`${counters.pending} damage about to be dealt`);
  if (counters.tapped) parts.push("tapped");
  if (counters.build_counters) parts.push(`${counters.build_counters} build counters`);
  return parts.join(", ");
}

// ---- zoom ----

type Zoomed = { info: CardInfo; live: Card | undefined; box: DOMRect; held: boolean };
const zoomed = signal<Zoomed | null>(null);
const HOVER_MS = 260;
const PRESS_MS = 380;
let timer = 0;
let lastTouch = 0;

function later(ms: number, what: () => void): void {
  window.clearTimeout(timer);
  timer = window.setTimeout(what, ms);
}

export function hideZoom(): void {
  window.clearTimeout(timer);
  zoomed.value = null;
}

/** Show the large picture now. */
export function showZoom(info: CardInfo, at: Element, live?: Card, held = false): void {
  zoomed.value = { info, live, box: at.getBoundingClientRect(), held };
}

/** Handlers for whatever stands for a card: hover, long press and keyboard focus show it large. */
export function zoomProps(info: CardInfo | undefined, live?: Card) {
  if (!info) return {};
  return {
    onPointerEnter: (event: PointerEvent) => {
      if (event.pointerType !== "mouse" || event.buttons !== 0) return;
      const at = event.currentTarget as Element;
      later(zoomed.value ? 40 : HOVER_MS, () => showZoom(info, at, live));
    },
    onPointerLeave: (event: PointerEvent) => {
      if (event.pointerType === "mouse") hideZoom();
    },
    onTouchStart: (event: TouchEvent) => {
      const at = event.currentTarget as Element;
      later(PRESS_MS, () => {
        lastTouch = performance.now();
        showZoom(info, at, live, true);
      });
    },
    onTouchMove: () => {
      if (!zoomed.value) window.clearTimeout(timer);
    },
    onTouchEnd: (event: TouchEvent) => {
      window.clearTimeout(timer);
      if (!zoomed.value?.held) return;
      // The finger that asked to see the card does not also play it.
      if (event.cancelable) event.preventDefault();
      hideZoom();
    },
    onContextMenu: (event: Event) => {
      if (performance.now() - lastTouch < 2000) event.preventDefault();
    },
  };
}

/** Where the large picture appears; once in the page. */
export function CardZoom() {
  const shown = zoomed.value;
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const away = (event: Event) => {
      if (event instanceof KeyboardEvent && event.key !== "Escape") return;
      if (zoomed.value) hideZoom();
    };
    addEventListener("pointerdown", away, true);
    addEventListener("keydown", away, true);
    addEventListener("scroll", away, { capture: true, passive: true });
    return () => {
      removeEventListener("pointerdown", away, true);
      removeEventListener("keydown", away, true);
      removeEventListener("scroll", away, true);
    };
  }, []);
  useEffect(() => {
    const element = ref.current;
    if (!shown || !element) return;
    const { width, height } = element.getBoundingClientRect();
    const { box } = shown;
    const gap = 12;
    const right = box.right + gap + width < innerWidth;
    const left = box.left - gap - width > 0;
    let x = right ? box.right + gap : left ? box.left - gap - width : (innerWidth - width) / 2;
    let y = box.top + box.height / 2 - height / 2;
    if (shown.held || (!right && !left)) {
      x = (innerWidth - width) / 2;
      y = box.top > innerHeight / 2 ? box.top - gap - height : box.bottom + gap;
    }
    element.style.left = `${Math.max(8, Math.min(x, innerWidth - width - 8))}px`;
    element.style.top = `${Math.max(8, Math.min(y, innerHeight - height - 8))}px`;
    element.style.visibility = "visible";
  }, [shown]);
  if (!shown) return null;
  return (
    <div ref={ref} class={`zoom ${shown.held ? "held" : ""}`} key={shown.info.key}>
      <CardFace info={shown.info} size="large" live={shown.live} />
    </div>
  );
}
