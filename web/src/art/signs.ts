// What has no body: battles as blades and blasts, missions as holograms and maps, equipment as tools.

import { hsl, Pen } from "./pen.js";
import { planet } from "./places.js";

export function battle(pen: Pen): void {
  if (pen.has("dodge", "evade", "speed", "dive", "effort", "surge")) streak(pen);
  else if (pen.has("deflection", "ward", "intervention", "dodge", "response")) shield(pen);
  else if (pen.has("command", "compulsion", "flaw", "hate", "spirit", "senate")) eye(pen);
  else if (pen.has("wrath", "power", "malfunction", "shockwave")) lightning(pen);
  else if (pen.has("flames", "asteroids", "knockdown", "war", "fire")) blast(pen);
  else pen.pick([blades, blast, shield, streak, sight, eye, lightning] as const)(pen);
}

function blades(pen: Pen): void {
  const hues = pen.side === "dark" ? [358, 20] : [212, 130];
  [-1, 1].forEach((sign, at) => {
    const hue = hues[at] ?? 212;
    const [x1, y1, x2, y2] = [100 - sign * pen.between(48, 62), 128, 100 + sign * pen.between(40, 66), pen.between(6, 22)];
    pen.line(x1, y1, x2, y2, hsl(hue, 100, 60, 0.3), 15);
    pen.line(x1, y1, x2, y2, hsl(hue, 100, 66), 6);
    pen.line(x1, y1, x2, y2, "#fff", 2.4);
  });
  flare(pen, 100, 72, 26);
}

function flare(pen: Pen, x: number, y: number, r: number): void {
  pen.circle(x, y, r, pen.gradient("radial", [[0, "#fff", 1], [0.3, hsl(48, 100, 80), 0.9], [1, hsl(30, 100, 60), 0]]));
  for (let at = 0; at < 8; at += 1) {
    const turn = pen.between(0, Math.PI * 2);
    const far = pen.between(r, r * 2.1);
    pen.line(x, y, x + Math.cos(turn) * far, y + Math.sin(turn) * far, "#fff", 0.9, { opacity: 0.7 });
  }
}

function blast(pen: Pen): void {
  const x = pen.between(84, 116);
  const y = pen.between(62, 80);
  const star = (r: number, spikes: number, fill: string) => {
    let d = "";
    for (let at = 0; at < spikes * 2; at += 1) {
      const turn = (at / spikes) * Math.PI;
      const far = (at % 2 ? 0.5 : 1) * r * pen.between(0.78, 1.2);
      d += `${at ? "L" : "M"}${Math.round(x + Math.cos(turn) * far * 1.25)} ${Math.round(y + Math.sin(turn) * far)}`;
    }
    pen.path(`${d}Z`, fill);
  };
  const hue = pen.pick([8, 8, 190, 275, 95, 320] as const);
  star(pen.between(52, 72), pen.whole(7, 15), hsl(hue, 90, 46));
  star(pen.between(38, 50), pen.whole(7, 12), hsl(hue + 24, 96, 57));
  star(pen.between(20, 32), pen.whole(6, 10), hsl(hue + 42, 100, 78));
  for (let at = 0; at < 14; at += 1) pen.rect(pen.between(10, 190), pen.between(8, 130), pen.between(2, 6), pen.between(2, 5), hsl(pen.hue, 20, 14), { transform: `rotate(${pen.whole(0, 90)} 100 70)` });
}

/** The mind: an eye in a web of light. */
function eye(pen: Pen): void {
  const hue = pen.side === "dark" ? pen.pick([48, 0, 285] as const) : pen.pick([200, 150, 265] as const);
  const [x, y] = [pen.between(88, 112), pen.between(62, 78)];
  for (let at = 0; at < 4; at += 1) pen.circle(x, y, 30 + at * 14, "none", { stroke: hsl(hue, 90, 70, 0.4 - at * 0.07), "stroke-width": pen.between(1, 4), "stroke-dasharray": `${pen.whole(3, 30)} ${pen.whole(3, 14)}` });
  const wide = pen.between(46, 60);
  const high = pen.between(22, 38);
  pen.path(`M${Math.round(x - wide)} ${Math.round(y)}Q${Math.round(x)} ${Math.round(y - high * 1.9)} ${Math.round(x + wide)} ${Math.round(y)}Q${Math.round(x)} ${Math.round(y + high * 1.9)} ${Math.round(x - wide)} ${Math.round(y)}Z`, hsl(hue, 30, 10, 0.85), { stroke: hsl(hue, 90, 78), "stroke-width": 2.5 });
  pen.circle(x, y, high * 0.82, pen.gradient("radial", [[0, hsl(hue + 20, 100, 85)], [0.5, hsl(hue, 95, 55)], [1, hsl(hue - 20, 80, 22)]]));
  if (pen.chance(0.5)) pen.ellipse(x, y, 4, high * 0.7, "#07070a");
  else pen.circle(x, y, high * 0.32, "#07070a");
  pen.circle(x - high * 0.3, y - high * 0.3, 4, "#fff", { opacity: 0.85 });
}

function lightning(pen: Pen): void {
  const hue = pen.side === "dark" ? 265 : pen.pick([190, 50, 210] as const);
  const bolts = pen.whole(2, 4);
  for (let at = 0; at < bolts; at += 1) {
    let x = pen.between(20, 180);
    let points = `${Math.round(x)},0`;
    for (let y = 16; y < 120; y += pen.between(12, 24)) {
      x += pen.between(-22, 22) + (100 - x) * 0.12;
      points += ` ${Math.round(x)},${Math.round(y)}`;
    }
    points += " 100,118";
    for (const [width, color] of [[9, hsl(hue, 100, 65, 0.3)], [3.6, hsl(hue, 100, 78)], [1.5, "#fff"]] as const) pen.shape("polyline", { points, fill: "none", stroke: color, "stroke-width": width, "stroke-linejoin": "round" });
  }
  flare(pen, 100, 118, pen.between(20, 34));
}

function shield(pen: Pen): void {
  const hue = pen.side === "dark" ? 350 : 200;
  for (let at = 0; at < 4; at += 1) pen.path(`M${100 - 54 + at * 11} ${126 - at * 5}A${58 - at * 11} ${74 - at * 13} 0 0 1 ${100 + 54 - at * 11} ${126 - at * 5}`, hsl(hue, 90, 65, 0.14), { stroke: hsl(hue, 95, 80, 0.9 - at * 0.18), "stroke-width": 3 - at * 0.5 });
  const hits = pen.whole(1, 3);
  for (let at = 0; at < hits; at += 1) {
    const turn = pen.between(-2.6, -0.5);
    const [x, y] = [100 + Math.cos(turn) * 56, 122 + Math.sin(turn) * 74];
    pen.line(x, y, 100 + Math.cos(turn) * 170, 122 + Math.sin(turn) * 190, hsl(pen.pick([0, 120, 30] as const), 100, 62), 4);
    flare(pen, x, y, 15);
  }
  pen.path("M82 130Q80 92 92 88A11 12 0 1 1 108 88Q120 92 118 130Z", hsl(pen.hue, 30, 12));
}

function streak(pen: Pen): void {
  const slope = pen.between(-0.5, 0.5);
  for (let at = 0; at < 26; at += 1) {
    const x = pen.between(-20, 150);
    const y = pen.between(0, 140);
    const far = pen.between(20, 80);
    pen.line(x, y, x + far, y + far * slope, hsl(pen.hue + 20, 95, pen.between(70, 95), pen.between(0.25, 0.8)), pen.between(0.6, 3));
  }
  pen.group(`translate(118 70) rotate(${Math.round(slope * 50)})`, () => {
    pen.path("M40 0L-18 -17L-8 0L-18 17Z", hsl(pen.hue, 25, 92));
    pen.path("M40 0L-8 0L-18 17Z", hsl(pen.hue, 30, 50));
  });
}

function sight(pen: Pen): void {
  const color = hsl(pen.pick([10, 120, 190] as const), 95, 66);
  const [x, y] = [pen.between(84, 116), pen.between(60, 80)];
  pen.circle(x, y, 44, hsl(0, 0, 0, 0.35));
  for (const r of [44, 30, 14]) pen.circle(x, y, r, "none", { stroke: color, "stroke-width": 1.8, "stroke-dasharray": r === 30 ? "8 5" : undefined });
  pen.line(x - 62, y, x - 9, y, color, 1.6);
  pen.line(x + 9, y, x + 62, y, color, 1.6);
  pen.line(x, y - 60, x, y - 9, color, 1.6);
  pen.line(x, y + 9, x, y + 60, color, 1.6);
  pen.path(`M${Math.round(x - 13)} ${Math.round(y + 8)}L${Math.round(x)} ${Math.round(y - 10)}L${Math.round(x + 13)} ${Math.round(y + 8)}L${Math.round(x)} ${Math.round(y + 2)}Z`, hsl(pen.hue, 20, 88));
}

// ---- missions ----

export function mission(pen: Pen): void {
  pen.pick([hologram, map, scroll, council] as const)(pen);
}

function hologram(pen: Pen): void {
  const hue = pen.hue2;
  pen.path("M100 126L34 34H166Z", pen.gradient("linear", [[0, hsl(hue, 90, 70, 0.05)], [1, hsl(hue, 95, 75, 0.55)]]));
  const r = pen.between(28, 38);
  pen.circle(100, 56, r, hsl(hue, 85, 60, 0.2), { stroke: hsl(hue, 95, 80), "stroke-width": 1.3 });
  for (let at = 1; at < 4; at += 1) {
    pen.ellipse(100, 56, (r * at) / 4, r, "none", { stroke: hsl(hue, 95, 80, 0.7), "stroke-width": 0.8 });
    pen.ellipse(100, 56, r, (r * at) / 4, "none", { stroke: hsl(hue, 95, 80, 0.7), "stroke-width": 0.8 });
  }
  if (pen.chance(0.6)) pen.ellipse(100, 56, r * 1.6, r * 0.4, "none", { stroke: hsl(hue, 95, 85), "stroke-width": 1.2, transform: `rotate(${pen.whole(-30, 30)} 100 56)` });
  pen.circle(100 + pen.between(-r, r) * 0.7, 56 + pen.between(-r, r) * 0.6, 3, hsl(45, 100, 70));
  pen.ellipse(100, 126, 30, 7, hsl(pen.hue, 25, 24));
  pen.ellipse(100, 123, 21, 4.5, hsl(hue, 95, 85));
}

function map(pen: Pen): void {
  const color = hsl(pen.hue2, 80, 70);
  for (let x = 10; x < 200; x += 20) pen.line(x, 0, x, 140, hsl(pen.hue, 50, 55, 0.22), 0.6);
  for (let y = 10; y < 140; y += 20) pen.line(0, y, 200, y, hsl(pen.hue, 50, 55, 0.22), 0.6);
  const stops = Array.from({ length: pen.whole(4, 6) }, (_, at) => [18 + at * 34 + pen.between(-8, 8), pen.between(22, 116)] as const);
  pen.shape("polyline", { points: stops.map(([x, y]) => `${Math.round(x)},${Math.round(y)}`).join(" "), fill: "none", stroke: color, "stroke-width": 2, "stroke-dasharray": "6 4" });
  stops.forEach(([x, y], at) => (at === stops.length - 1 ? planet(pen, x, y, 13) : planet(pen, x, y, pen.between(4, 9))));
  const last = stops.at(-1);
  if (last) pen.circle(last[0], last[1], 20, "none", { stroke: hsl(8, 95, 65), "stroke-width": 2 });
}

function scroll(pen: Pen): void {
  pen.group(`translate(100 72) rotate(${pen.whole(-12, 12)})`, () => {
    pen.rect(-48, -52, 96, 104, hsl(42, 45, 78), { rx: 3 });
    pen.rect(-56, -58, 112, 13, hsl(32, 40, 52), { rx: 6 });
    pen.rect(-56, 45, 112, 13, hsl(32, 40, 46), { rx: 6 });
    for (let at = 0; at < 6; at += 1) pen.rect(-38, -34 + at * 10, pen.between(34, 76), 3.2, hsl(28, 35, 32, 0.75));
    pen.circle(26, 30, 11, hsl(pen.hue, 70, 42));
    pen.path("M26 22l2.400 5.600 6 .4-4.600 4 1.600 6-5.400-3.200-5.400 3.200 1.600-6-4.600-4 6-.4Z", hsl(45, 80, 70));
  });
}

function council(pen: Pen): void {
  pen.circle(100, 40, 70, pen.gradient("radial", [[0, hsl(pen.hue2, 80, 75, 0.8)], [1, hsl(pen.hue2, 80, 50, 0)]]));
  const seats = pen.whole(5, 7);
  for (let at = 0; at < seats; at += 1) {
    const turn = Math.PI * (0.08 + (0.84 * at) / (seats - 1));
    const [x, y] = [100 - Math.cos(turn) * 82, 66 + Math.sin(turn) * 44];
    const shade = hsl(pen.hue, 30, pen.between(8, 18));
    pen.path(`M${Math.round(x - 12)} ${Math.round(y + 26)}Q${Math.round(x - 12)} ${Math.round(y - 2)} ${Math.round(x)} ${Math.round(y - 3)}Q${Math.round(x + 12)} ${Math.round(y - 2)} ${Math.round(x + 12)} ${Math.round(y + 26)}Z`, shade);
    pen.circle(x, y - 9, 6.5, shade);
  }
  pen.ellipse(100, 128, 60, 9, hsl(pen.hue2, 70, 60, 0.4));
}

export function equipment(pen: Pen): void {
  pen.group(`translate(100 70) rotate(${pen.whole(-40, 40)})`, () => {
    pen.rect(-50, -9, 100, 18, hsl(pen.hue, 15, 62), { rx: 5 });
    pen.rect(-50, 0, 100, 9, hsl(pen.hue, 20, 30), { rx: 4 });
    for (let at = 0; at < 4; at += 1) pen.rect(-40 + at * 16, -9, 5, 18, hsl(pen.hue2, 50, 45));
    pen.circle(44, 0, 7, hsl(pen.hue2, 90, 70));
  });
}

/** A banner of those who stand together: rings, rays and a shape that is theirs. */
export function emblem(pen: Pen): void {
  const points = pen.whole(3, 8);
  const shape = (r: number, inner: number) =>
    `M${Array.from({ length: points * 2 }, (_, at) => {
      const turn = (at / points) * Math.PI - Math.PI / 2;
      const far = at % 2 ? r * inner : r;
      return `${Math.round(100 + Math.cos(turn) * far)} ${Math.round(70 + Math.sin(turn) * far)}`;
    }).join("L")}Z`;
  pen.circle(100, 70, 60, pen.gradient("radial", [[0, hsl(pen.hue, 70, 60, 0.9)], [1, hsl(pen.hue, 70, 30, 0)]]));
  pen.circle(100, 70, 46, "none", { stroke: hsl(pen.hue, 60, 82), "stroke-width": 5 });
  pen.path(shape(40, pen.between(0.35, 0.7)), hsl(pen.hue, 45, 92));
  pen.circle(100, 70, pen.between(6, 13), hsl(pen.hue, 70, 26));
}
