// What pictures are drawn with: seeded chance, colours of the side, shapes as SVG text.

import type { CardInfo } from "../protocol.js";

export const WIDTH = 200;
export const HEIGHT = 140;

export type Subject = (pen: Pen) => void;
type Attributes = Record<string, string | number | undefined>;

const HUES: Record<string, readonly [number, number]> = { light: [195, 50], dark: [345, 40], neutral: [35, 70] };

export class Pen {
  readonly kind: string;
  readonly side: string;
  readonly words: ReadonlySet<string>;
  readonly title: string;
  /** The main hue of the picture and another that goes with it. */
  readonly hue: number;
  readonly hue2: number;
  private readonly parts: string[] = [];
  private readonly defs: string[] = [];
  private state: number;

  constructor(info: CardInfo, kind: string) {
    this.kind = kind;
    this.side = info.side.toLowerCase();
    this.title = info.title.toLowerCase();
    this.words = new Set(info.subtypes.flatMap((word) => word.toLowerCase().split(/[\s_]+/)));
    this.state = hash(info.key);
    const [start, spread] = HUES[this.side] ?? [0, 360];
    this.hue = (start + this.next() * spread) % 360;
    this.hue2 = (this.hue + 90 + this.next() * 180) % 360;
  }

  has(...words: string[]): boolean {
    return words.some((word) => this.words.has(word) || this.title.includes(word));
  }

  // ---- chance ----

  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  }

  between(least: number, most: number): number {
    return least + this.next() * (most - least);
  }

  whole(least: number, most: number): number {
    return Math.floor(this.between(least, most + 1));
  }

  chance(of: number): boolean {
    return this.next() < of;
  }

  pick<T>(from: readonly [T, ...T[]]): T {
    return from[Math.floor(this.next() * from.length)] ?? from[0];
  }

  // ---- shapes ----

  shape(name: string, attributes: Attributes, inside = ""): void {
    this.parts.push(element(name, attributes, inside));
  }

  path(d: string, fill: string, more: Attributes = {}): void {
    this.shape("path", { d, fill, ...more });
  }

  circle(cx: number, cy: number, r: number, fill: string, more: Attributes = {}): void {
    this.shape("circle", { cx, cy, r, fill, ...more });
  }

  rect(x: number, y: number, width: number, height: number, fill: string, more: Attributes = {}): void {
    this.shape("rect", { x, y, width, height, fill, ...more });
  }

  ellipse(cx: number, cy: number, rx: number, ry: number, fill: string, more: Attributes = {}): void {
    this.shape("ellipse", { cx, cy, rx, ry, fill, ...more });
  }

  line(x1: number, y1: number, x2: number, y2: number, stroke: string, width: number, more: Attributes = {}): void {
    this.shape("line", { x1, y1, x2, y2, stroke, "stroke-width": width, "stroke-linecap": "round", ...more });
  }

  /** What is drawn inside is moved, turned, scaled. */
  group(transform: string, draw: () => void, more: Attributes = {}): void {
    const start = this.parts.length;
    draw();
    const inside = this.parts.splice(start).join("");
    this.parts.push(element("g", { transform, ...more }, inside));
  }

  /** A gradient to fill with. */
  gradient(kind: "linear" | "radial", stops: readonly (readonly [number, string, number?])[], more: Attributes = {}): string {
    const id = `g${this.defs.length}`;
    const inside = stops.map(([at, color, opacity]) => element("stop", { offset: at, "stop-color": color, "stop-opacity": opacity })).join("");
    this.defs.push(element(`${kind}Gradient`, { id, ...(kind === "linear" ? { x1: 0, y1: 0, x2: 0, y2: 1 } : {}), ...more }, inside));
    return `url(#${id})`;
  }

  svg(): string {
    return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="xMidYMid slice"><defs>${this.defs.join("")}</defs>${this.parts.join("")}</svg>`;
  }
}

export function hsl(hue: number, saturation: number, lightness: number, opacity = 1): string {
  const base = `${Math.round(((hue % 360) + 360) % 360)} ${Math.round(saturation)}% ${Math.round(lightness)}%`;
  return opacity === 1 ? `hsl(${base})` : `hsl(${base} / ${opacity})`;
}

function element(name: string, attributes: Attributes, inside = ""): string {
  let text = `<${name}`;
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== undefined) text += ` ${key}="${typeof value === "number" ? Math.round(value * 10) / 10 : value}"`;
  }
  return inside === "" ? `${text}/>` : `${text}>${inside}</${name}>`;
}

function hash(text: string): number {
  let value = 2166136261;
  for (let at = 0; at < text.length; at += 1) value = Math.imul(value ^ text.charCodeAt(at), 16777619);
  value ^= value >>> 15;
  return Math.imul(value, 2246822507) | 0;
}
