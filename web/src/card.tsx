// A card as we draw it, and the large picture of it that appears on hover or a long press.

import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { artOf } from "./art.js";
import { aboutCard, fullTitle } from "./catalogue.js";
import type { Card, CardInfo } from "./protocol.js";
import { arrows } from "./ui.js";
import { type About, type CardEnd, counterSays } from "./table/layouts/about.js";

export type CardSize = "small" | "normal" | "large";
type StatDef = About["stats"][number];
type FaceProps = { info: CardInfo; size?: CardSize; live?: Card | undefined };

/** What frames and colours depend on. */
export function frameOf(info: CardInfo): string {
  return `side-${info.side.toLowerCase()} kind-${info.kind.toLowerCase()}`;
}

export function CardFace({ info, size = "normal", live }: FaceProps) {
  const about = aboutCard(info);
  const [kind, more] = about.typeLine(info);
  const ends = about.ends(info);
  const stats = about.stats.filter((stat) => hasStat(stat, info, live));
  return (
    <div class={`card ${size} ${frameOf(info)} ${info.text.length === 0 && !ends ? "no-text" : ""} ${ends ? "two-ended" : ""}`} aria-hidden="true">
      <div class="card-head">
        {info.numbers[about.cost] === undefined ? null : <Value class="card-cost" printed={info.numbers[about.cost] ?? 0} now={live?.values[about.cost]} />}
        <span class={`card-title ${info.title.length > 23 || (about.corner !== null && /\S{11}/.test(info.title)) ? "longer" : info.title.length > 18 ? "long" : ""}`}>{about.mark(info)}{info.title}</span>
        {about.corner !== null && info.numbers[about.corner] !== undefined ? <Value class="card-corner" printed={info.numbers[about.corner] ?? 0} now={live?.values[about.corner]} /> : null}
        {info.version ? <span class="card-version">{info.version}</span> : null}
      </div>
      <img class="card-art" src={artOf(info)} alt="" draggable={false} />
      <div class="card-type">
        <b>{kind}</b> {more}
      </div>
      <Signs info={info} about={about} />
      {ends ? <Ends ends={ends} whole={size !== "small"} /> : null}
      {size === "small" || info.text.length === 0 || ends ? null : (
        <div class={`card-text ${lengthOf(info, stats.length > 0)}`}>
          {info.text.map((line, at) => (
            <p key={at}>{arrows(line)}</p>
          ))}
        </div>
      )}
      {size === "small" && live ? <Keywords about={about} live={live} /> : null}
      {stats.length > 0 ? (
        <div class="card-stats">
          {stats.map((stat) => (
            <Stat key={stat.name} stat={stat} info={info} live={live} />
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

/** Icons of a card: pilot, warrior, ... */
function Signs({ info, about }: { info: CardInfo; about: About }) {
  const shown = about.signs.filter((one) => info.subtypes.includes(one.word));
  if (shown.length === 0) return null;
  return (
    <div class="card-signs">
      {shown.map((one) => (
        <span key={one.word} title={one.label}>
          <svg viewBox="0 0 16 16"><path d={one.sign} /></svg>
        </span>
      ))}
    </div>
  );
}

/** Both ends of a location: Force icons and text of each side, each read from its own. */
function Ends({ ends, whole }: { ends: readonly CardEnd[]; whole: boolean }) {
  return (
    <div class="card-ends">
      {ends.map((end) => (
        <div key={end.side} class={`card-end of-${end.side}`}>
          <ForceIcons side={end.side} count={end.icons} />
          {whole ? <p class={lengthOfEnd(end)}>{end.text.length > 0 ? end.text.map((line) => arrows(line)).join(" ") : "–"}</p> : null}
        </div>
      ))}
    </div>
  );
}

function lengthOfEnd(end: CardEnd): string {
  const letters = end.text.join(" ").length;
  // Like other texts that are long, it takes room from the picture.
  return letters > 300 ? "longest" : letters > 160 ? "longer" : letters > 110 ? "long" : "";
}

export function ForceIcons({ side, count }: { side: string; count: number }) {
  return (
    <span class={`force-icons of-${side}`}>
      {Array.from({ length: Math.min(count, 6) }, (_, at) => (
        <svg key={at} viewBox="0 0 16 16">
          {side === "dark" ? <path d="M8 .6 14.600 4.300V11.700L8 15.400 1.400 11.700V4.300ZM8 4a4 4 0 1 0 .01 0Z" /> : <path d="M8 .6a7.400 7.400 0 1 0 .01 0ZM8 3.500l1.300 3 3.200.3-2.400 2.100.7 3.200L8 10.400l-2.800 1.700.7-3.200L3.500 6.800l3.200-.3Z" />}
        </svg>
      ))}
      {count > 6 ? <b>{count}</b> : null}
    </span>
  );
}

/** Long texts are set smaller, so that all of a card can be read on it. */
function lengthOf(info: CardInfo, stats: boolean): string {
  const letters = info.text.reduce((sum, line) => sum + line.length + 30, 0);
  const room = stats ? 195 : 240;
  // As on printed Objectives, the picture makes room for what cannot be said in short.
  if (letters > room * 2.2) return letters > room * 4.6 ? "endless fine" : "endless";
  return letters > room * 1.7 ? "longest" : letters > room * 1.28 ? "longer" : letters > room ? "long" : "";
}

/** Words such as Shields, which the small face has no text for. */
function Keywords({ about, live }: { about: About; live: Card }) {
  const words = about.keywords.filter((word) => live.values[word.name]);
  if (words.length === 0) return null;
  return (
    <div class="card-words">
      {words.map((word) => (
        <span key={word.name} class="card-word-sign" data-word={word.name}>
          <svg viewBox="0 0 16 16"><path d={word.sign} /></svg>
          {word.note ? word.note.replace("{n}", `${live.values[word.name]}`) : word.counts ? live.values[word.name] : null}
        </span>
      ))}
    </div>
  );
}

/** Whether a card shows a number: it prints it, or has been given it. */
function hasStat(stat: StatDef, info: CardInfo, live: Card | undefined): boolean {
  if (info.numbers[stat.name] !== undefined) return true;
  return stat.more !== null && [info.numbers[stat.more], live?.values[stat.name], live?.values[stat.more]].some((number) => !!number);
}

function Stat({ stat, info, live }: { stat: StatDef; info: CardInfo; live: Card | undefined }) {
  const printed = info.numbers[stat.name] ?? 0;
  const damage = stat.less ? (live?.counters[stat.less] ?? 0) : 0;
  const now = live?.values[stat.name];
  const more = stat.more ? (info.numbers[stat.more] ?? 0) : 0;
  const moreNow = stat.more ? live?.values[stat.more] : undefined;
  const alone = stat.more !== null && (now ?? 0) === 0 && printed === 0;
  return (
    <span class={`stat ${stat.name} ${damage > 0 ? "hurt" : ""} ${alone ? "only-more" : ""}`}>
      <svg viewBox="0 0 16 16" aria-hidden="true">
        <path d={stat.sign} />
      </svg>
      {damage > 0 ? <b>{(now ?? printed) - damage}<i>/{now ?? printed}</i></b> : alone ? null : <Value printed={printed} now={now} />}
      {stat.more && (more || moreNow) ? <Value class="stat-more" printed={more} now={moreNow} /> : null}
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
  const about = aboutCard(info);
  const parts = [fullTitle(info), [info.side, ...about.typeLine(info), ...about.signs.filter((one) => info.subtypes.includes(one.word) && !about.typeLine(info)[1].includes(one.word)).map((one) => one.label)].filter(Boolean).join(" ")];
  for (const name of about.numbers) {
    const number = value(name);
    if (number !== undefined) parts.push(`${name.replaceAll("_", " ")} ${number}`);
  }
  for (const word of about.keywords) {
    const number = live?.values[word.name];
    if (number) parts.push(word.counts ? `${word.label} ${number}` : word.label);
  }
  for (const counter of about.counters) {
    const count = live?.counters[counter.name];
    if (count) parts.push(counterSays(counter, count));
  }
  return parts.join(", ");
}

// ---- zoom ----

type Zoomed = { info: CardInfo; live: Card | undefined; box: DOMRect; held: boolean; more: (() => void) | undefined };
const zoomed = signal<Zoomed | null>(null);
const HOVER_MS = 260;
const PRESS_MS = 380;
/** The mouse and a finger each have their own patience: the mouse leaving a card says nothing about the finger. */
let hover = 0;
let press = 0;
let lastTouch = -Infinity;

/** The table has changed: what a mouse hovered over may be elsewhere. A finger that is down or has held a card up goes on. */
export function unhover(): void {
  if (zoomed.value && !zoomed.value.held) zoomed.value = null;
}

export function hideZoom(): void {
  window.clearTimeout(hover);
  window.clearTimeout(press);
  zoomed.value = null;
}

/** Show the large picture now. */
function showZoom(info: CardInfo, at: Element, live: Card | undefined, held = false, more?: () => void): void {
  if (!at.isConnected) return;
  zoomed.value = { info, live, box: at.getBoundingClientRect(), held, more };
}

/** Handlers for whatever stands for a card: hover and a long press show it large. `more` opens its details. */
export function zoomProps(info: CardInfo | undefined, live?: Card, more?: () => void) {
  if (!info) return {};
  return {
    onPointerEnter: (event: PointerEvent) => {
      if (event.pointerType !== "mouse" || event.buttons !== 0) return;
      const at = event.currentTarget as Element;
      window.clearTimeout(hover);
      hover = window.setTimeout(() => {
        if (!zoomed.value?.held) showZoom(info, at, live);
      }, zoomed.value ? 40 : HOVER_MS);
    },
    onPointerLeave: (event: PointerEvent) => {
      if (event.pointerType !== "mouse") return;
      window.clearTimeout(hover);
      unhover();
    },
    onTouchStart: (event: TouchEvent) => {
      const at = event.currentTarget as Element;
      lastTouch = performance.now();
      window.clearTimeout(hover);
      window.clearTimeout(press);
      press = window.setTimeout(() => {
        lastTouch = performance.now();
        showZoom(info, at, live, true, more);
      }, PRESS_MS);
    },
    onTouchMove: () => {
      window.clearTimeout(press);
    },
    onTouchCancel: () => {
      window.clearTimeout(press);
    },
    onTouchEnd: (event: TouchEvent) => {
      window.clearTimeout(press);
      if (!zoomed.value?.held) return;
      // The finger that asked to see the card does not also play it. The picture stays until it is tapped.
      if (event.cancelable) event.preventDefault();
    },
    onContextMenu: (event: Event) => {
      const touched = performance.now() - lastTouch < 2000;
      if (touched || more) event.preventDefault();
      if (!touched) more?.();
    },
  };
}

/** What the large picture never covers: what is asked, and what is offered. A menu is, while it is open. */
const ASKED = ".prompt.yours, .offers:not(:empty), .card-menu";
const GAP = 12;
const MARGIN = 8;
/** Of a card, its height to its width. */
const TALL = 1.4;

type Area = { left: number; top: number; right: number; bottom: number };

/** As large as fits into the window beside what is asked, near the card and not upon it. */
function putBeside(picture: HTMLElement, box: DOMRect, held: boolean): void {
  picture.style.removeProperty("--zoom-w");
  const wanted = picture.offsetWidth;
  const places = freeAreas().map((area) => {
    const width = Math.min(wanted, area.right - area.left, (area.bottom - area.top) / TALL);
    return { width, ...nearest(area, width, box, held) };
  });
  const [best] = places.sort((a, b) => b.width / wanted - b.strain - (a.width / wanted - a.strain));
  if (!best) return;
  picture.style.setProperty("--zoom-w", `${Math.floor(best.width)}px`);
  picture.style.left = `${best.x}px`;
  picture.style.top = `${best.y}px`;
}

/** The window, and what is left of it on each side of what is asked. */
function freeAreas(): Area[] {
  const all = { left: MARGIN, top: MARGIN, right: innerWidth - MARGIN, bottom: innerHeight - MARGIN };
  const asked = [...document.querySelectorAll(ASKED)].map((element) => element.getBoundingClientRect()).filter((box) => box.width > 0);
  if (asked.length === 0) return [all];
  const [left, top] = [Math.min(...asked.map((box) => box.left)), Math.min(...asked.map((box) => box.top))];
  const [right, bottom] = [Math.max(...asked.map((box) => box.right)), Math.max(...asked.map((box) => box.bottom))];
  const areas = [{ ...all, bottom: top - MARGIN }, { ...all, top: bottom + MARGIN }, { ...all, right: left - MARGIN }, { ...all, left: right + MARGIN }];
  return areas.filter((area) => area.right - area.left > 40 && area.bottom - area.top > 40);
}

/** Where in an area the picture is nearest to its card; `strain` grows with the way there and with what it covers of the card. */
function nearest(area: Area, width: number, box: DOMRect, held: boolean): { x: number; y: number; strain: number } {
  const height = width * TALL;
  const [across, down] = [box.left + box.width / 2 - width / 2, box.top + box.height / 2 - height / 2];
  const beside = [[box.right + GAP, down], [box.left - GAP - width, down], [across, box.top - GAP - height], [across, box.bottom + GAP]] as const;
  const middle = (area.left + area.right - width) / 2;
  const spots = beside.map(([wishX, wishY]) => {
    const x = Math.max(area.left, Math.min(held ? middle : wishX, area.right - width));
    const y = Math.max(area.top, Math.min(wishY, area.bottom - height));
    const [over, under] = [Math.min(x + width, box.right) - Math.max(x, box.left), Math.min(y + height, box.bottom) - Math.max(y, box.top)];
    const covered = over > 0 && under > 0 ? (over * under) / (box.width * box.height) : 0;
    return { x, y, strain: covered * 0.4 + Math.hypot(x - wishX, y - wishY) / 4000 };
  });
  return spots.sort((a, b) => a.strain - b.strain)[0] ?? { x: area.left, y: area.top, strain: 1 };
}

/** Where the large picture appears; once in the page. */
export function CardZoom() {
  const shown = zoomed.value;
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const away = (event: Event) => {
      if (event instanceof KeyboardEvent && event.key !== "Escape") return;
      // One that was asked for by a long press has its own way out.
      if (zoomed.value?.held && !(event instanceof KeyboardEvent)) return;
      if (zoomed.value) hideZoom();
    };
    // Over a dialog the page behind it hears no taps: the next one anywhere closes the picture, and does no more.
    const tapped = (event: Event) => {
      if (!zoomed.value?.held || (event.target instanceof Element && event.target.closest(".zoom-held"))) return;
      event.preventDefault();
      event.stopPropagation();
      hideZoom();
    };
    addEventListener("click", tapped, true);
    addEventListener("pointerdown", away, true);
    addEventListener("keydown", away, true);
    addEventListener("scroll", away, { capture: true, passive: true });
    return () => {
      removeEventListener("click", tapped, true);
      removeEventListener("pointerdown", away, true);
      removeEventListener("keydown", away, true);
      removeEventListener("scroll", away, true);
    };
  }, []);
  useEffect(() => {
    const element = ref.current;
    if (!shown || !element) return;
    // Above dialogs as well.
    element.popover = "manual";
    element.showPopover();
    putBeside(element, shown.box, shown.held);
    element.style.visibility = "visible";
  }, [shown]);
  if (!shown) return null;
  const face = (
    <div ref={ref} class="zoom" key={shown.info.key}>
      <CardFace info={shown.info} size="large" live={shown.live} />
    </div>
  );
  if (!shown.held) return face;
  const details = (event: Event) => {
    event.stopPropagation();
    hideZoom();
    shown.more?.();
  };
  return (
    <div class="zoom-held" onClick={hideZoom}>
      {face}
      {shown.more ? <button type="button" class="button primary zoom-more" onClick={details}>Details and numbers</button> : null}
    </div>
  );
}
