// What the ccg has beyond the rest: station corridors, jungles and systems; arms and tools; faces that everyone knows
// by their outline. All of it is drawn by us, from words on the card.

import { hsl, Pen } from "./pen.js";
import { planet, stars, world } from "./places.js";

// ---- locations ----

export function location(pen: Pen): void {
  if (pen.has("system")) return system(pen);
  if (pen.has("docking")) return bay(pen);
  if (pen.has("interior") && pen.has("death")) return corridor(pen);
  if (pen.has("interior")) return vault(pen);
  if (pen.has("jungle", "yavin")) return jungle(pen);
  world(pen, 88);
  if (pen.has("farm", "hut")) dome(pen, 118, 104, 30);
  if (pen.has("eisley", "cantina")) for (const [x, y, r] of [[46, 104, 16], [96, 108, 26], [152, 102, 20], [184, 110, 12]] as const) dome(pen, x, y, r);
  if (pen.has("camp")) for (const x of [60, 96, 138]) pen.path(`M${x - 20} 112L${x} 86L${x + 20} 112Z`, hsl(28, 35, pen.between(22, 34)));
  if (pen.has("wastes", "canyon")) for (const x of [20, 64, 150, 186]) pen.path(`M${x - 26} 120L${x - 16} ${pen.whole(44, 70)}L${x + 6} ${pen.whole(40, 64)}L${x + 26} 120Z`, hsl(20, 45, pen.between(22, 36)));
}

function system(pen: Pen): void {
  pen.rect(0, 0, 200, 140, pen.gradient("linear", [[0, hsl(230, 45, 5)], [1, hsl(pen.hue, 45, 12)]]));
  stars(pen, 90);
  const hues: readonly [string, number][] = [["tatooine", 36], ["yavin", 130], ["alderaan", 205], ["dantooine", 95], ["kessel", 12]];
  const hue = hues.find(([name]) => pen.has(name))?.[1] ?? pen.hue2;
  const x = pen.between(84, 116);
  pen.circle(x, 72, 66, pen.gradient("radial", [[0.7, hsl(hue, 80, 65, 0.4)], [1, hsl(hue, 80, 60, 0)]]));
  pen.circle(x, 72, 50, pen.gradient("radial", [[0, hsl(hue, 62, 70)], [0.55, hsl(hue, 55, 42)], [1, hsl(hue, 60, 9)]], { cx: 0.32, cy: 0.28, r: 0.8 }));
  for (let at = 0; at < 7; at += 1) {
    const dy = pen.between(-38, 38);
    const wide = Math.sqrt(2500 - dy * dy) * pen.between(0.3, 0.9);
    pen.ellipse(x + pen.between(-12, 8), 72 + dy, wide, pen.between(1.5, 6), hsl(hue + pen.between(-24, 24), 50, pen.between(34, 74), 0.35));
  }
  planet(pen, pen.between(14, 40), pen.between(14, 36), pen.between(5, 10));
  if (pen.has("tatooine")) for (const [sx, sy, r] of [[176, 24, 9], [188, 44, 6]] as const) pen.circle(sx, sy, r * 2, pen.gradient("radial", [[0.2, "#fff6d8", 1], [1, "#ffcf7a", 0]]));
}

/** A corridor of the station: ribs of light that meet in the distance. */
function corridor(pen: Pen): void {
  const hue = pen.has("detention", "compactor") ? 8 : pen.has("core") ? 190 : 215;
  pen.rect(0, 0, 200, 140, hsl(hue, 14, 9));
  const [x, y] = [pen.between(84, 116), pen.between(58, 74)];
  pen.circle(x, y, 70, pen.gradient("radial", [[0, hsl(hue, 70, 74, 0.9)], [1, hsl(hue, 60, 40, 0)]]));
  for (let ring = 6; ring >= 1; ring -= 1) {
    const w = ring * ring * 4.2;
    const h = ring * ring * 2.9;
    pen.path(`M${x - w} ${y + h}L${x - w} ${y - h * 0.5}L${x - w * 0.55} ${y - h}H${x + w * 0.55}L${x + w} ${y - h * 0.5}V${y + h}Z`, "none", { stroke: hsl(hue, 18, 14 + ring * 6), "stroke-width": ring * 1.9 });
    for (const sign of [-1, 1]) pen.line(x + sign * w * 0.92, y - h * 0.35, x + sign * w * 0.92, y + h * 0.4, hsl(hue, 90, 80, 0.85), ring * 0.55);
  }
  pen.path(`M${x - 8} ${y + 6}L${x - 60} 140H${x + 60}L${x + 8} ${y + 6}Z`, hsl(hue, 25, 62, 0.22));
}

function bay(pen: Pen): void {
  const sandy = pen.has("tatooine");
  const hue = sandy ? 34 : pen.has("yavin") ? 110 : 215;
  pen.rect(0, 0, 200, 140, hsl(hue, sandy ? 30 : 14, sandy ? 26 : 11));
  pen.path("M28 116L44 34H156L172 116Z", pen.gradient("linear", [[0, hsl(hue + 10, 60, sandy ? 74 : 16)], [1, hsl(hue, 50, sandy ? 58 : 6)]]));
  if (!sandy) stars(pen, 26, 96);
  pen.path("M0 140L28 116H172L200 140Z", hsl(hue, 18, sandy ? 44 : 26));
  for (let at = 0; at < 5; at += 1) pen.line(100 + (at - 2) * 28, 118, 100 + (at - 2) * 52, 140, hsl(48, 95, 66, 0.8), 1.6);
  for (const x of [16, 184]) for (let at = 0; at < 5; at += 1) pen.rect(x - 4, 26 + at * 19, 8, 9, hsl(sandy ? 36 : 200, 80, 76, 0.85), { rx: 2 });
  pen.path("M44 34H156L162 22H38Z", hsl(hue, 15, 34));
  pen.ellipse(100, 112, pen.between(34, 46), 6, "#000", { opacity: 0.4 });
  pen.path("M66 104Q100 76 136 102L128 110H74Z", hsl(pen.hue, 12, 56));
  pen.path("M66 104L128 110H74Z", hsl(pen.hue, 12, 30));
}

/** A hall of stone, with light from above. */
function vault(pen: Pen): void {
  const hue = pen.has("tatooine", "cantina") ? 30 : 96;
  pen.rect(0, 0, 200, 140, pen.gradient("linear", [[0, hsl(hue, 30, 10)], [1, hsl(hue, 34, 24)]]));
  for (let at = 0; at < 3; at += 1) {
    const x = 40 + at * 60 + pen.between(-6, 6);
    pen.path(`M${x - 22} 128V66a22 26 0 0 1 44 0V128Z`, pen.gradient("linear", [[0, hsl(hue + 12, 75, 72)], [1, hsl(hue, 50, 30)]]));
    pen.path(`M${x - 6} 40L${x - 34} 140H${x + 40}L${x + 6} 40Z`, hsl(hue + 10, 90, 80, 0.1));
  }
  for (const x of [10, 70, 130, 190]) pen.rect(x - 7, 20, 14, 120, hsl(hue, 26, 20));
  pen.rect(0, 122, 200, 18, hsl(hue, 26, 14));
  for (let at = 0; at < 5; at += 1) pen.circle(pen.between(20, 180), 121, 6, hsl(hue, 30, 9));
}

function jungle(pen: Pen): void {
  pen.rect(0, 0, 200, 140, pen.gradient("linear", [[0, hsl(150, 40, 26)], [0.7, hsl(80, 55, 62)], [1, hsl(70, 60, 70)]]));
  planet(pen, 158, 26, 24);
  pen.path("M44 108L66 70H78V58H122V70H134L156 108Z", hsl(60, 22, 34));
  pen.path("M100 58H122V70H134L156 108H100Z", hsl(60, 25, 22));
  pen.rect(92, 84, 16, 24, hsl(60, 25, 10));
  for (let at = 0; at < 26; at += 1) pen.circle(pen.between(-6, 206), pen.between(98, 124), pen.between(8, 20), hsl(pen.between(95, 145), 42, pen.between(12, 28)));
  for (const x of [12, 186]) pen.path(`M${x - 7} 140L${x - 3} 20h8L${x + 8} 140Z`, hsl(30, 35, 12));
}

function dome(pen: Pen, x: number, y: number, r: number): void {
  pen.path(`M${x - r} ${y}a${r} ${r * 0.86} 0 0 1 ${r * 2} 0v${r * 0.24}h${-r * 2}Z`, hsl(36, 40, 70));
  pen.path(`M${x} ${y - r * 0.86}a${r} ${r * 0.86} 0 0 1 ${r} ${r * 0.86}v${r * 0.24}h${-r}Z`, hsl(30, 40, 46));
  pen.path(`M${x - r * 0.2} ${y + r * 0.24}v${-r * 0.4}a${r * 0.2} ${r * 0.2} 0 0 1 ${r * 0.4} 0v${r * 0.4}Z`, hsl(26, 50, 16));
}

// ---- arms and tools ----

export function weapon(pen: Pen): void {
  if (pen.has("lightsaber", "saber")) return blade(pen);
  if (pen.has("mine")) return mine(pen);
  if (pen.has("seeker")) return seeker(pen);
  if (pen.has("cannon", "turbolaser", "torpedoes", "projector")) return cannon(pen);
  if (pen.has("stick")) return stick(pen);
  gun(pen, pen.has("rifle", "repeating"));
}

function blade(pen: Pen): void {
  const hue = pen.side === "dark" ? 356 : pen.has("obi") ? 205 : pen.pick([212, 130] as const);
  pen.group(`translate(100 70) rotate(${pen.whole(-42, -24)})`, () => {
    pen.line(-14, 0, 92, 0, hsl(hue, 100, 60, 0.3), 18);
    pen.line(-14, 0, 92, 0, hsl(hue, 100, 64), 9);
    pen.line(-14, 0, 92, 0, "#fff", 4);
    pen.rect(-62, -6, 50, 12, hsl(220, 8, 62), { rx: 3 });
    pen.rect(-62, 0, 50, 6, hsl(220, 10, 30), { rx: 3 });
    for (let at = 0; at < 4; at += 1) pen.rect(-56 + at * 8, -6, 3, 12, "#15171d");
    pen.rect(-20, -8, 8, 16, hsl(45, 50, 56), { rx: 2 });
  });
}

function gun(pen: Pen, long: boolean): void {
  const steel = hsl(220, 8, pen.between(24, 40));
  const dark = hsl(220, 10, 12);
  pen.group(`translate(100 76) rotate(${pen.whole(-24, 10)}) scale(${pen.chance(0.5) ? 1.15 : -1.15} 1.15)`, () => {
    pen.rect(long ? -60 : -30, -9, long ? 62 : 44, 14, steel, { rx: 3 });
    pen.rect(2, -6, long ? 70 : 44, 7, dark, { rx: 2 });
    pen.rect(long ? 60 : 40, -8, 12, 11, steel, { rx: 2 });
    pen.path("M-18 4L-28 36H-14L-6 4Z", dark);
    pen.path("M-2 5q8 10 12 0Z", "none", { stroke: dark, "stroke-width": 2.4 });
    if (long) pen.path("M-60 -7L-84 -2V12H-60Z", steel);
    pen.rect(-26, -18, 40, 6, dark, { rx: 3 });
    pen.circle(16, -15, 4, hsl(195, 90, 70));
    for (let at = 0; at < 4; at += 1) pen.rect(8 + at * 9, -6, 3, 7, steel);
  });
  pen.circle(pen.chance(0.5) ? 176 : 24, pen.between(40, 62), 16, pen.gradient("radial", [[0, "#fff", 1], [0.4, hsl(pen.side === "dark" ? 4 : 130, 100, 66), 0.8], [1, hsl(20, 100, 50), 0]]));
}

function cannon(pen: Pen): void {
  pen.path("M60 126L72 84H128L140 126Z", hsl(pen.hue, 12, 34));
  pen.group(`translate(100 82) rotate(${pen.whole(-40, -14)})`, () => {
    for (const y of [-9, 9]) {
      pen.rect(-14, y - 5, 92, 10, hsl(pen.hue, 10, 52), { rx: 3 });
      pen.rect(60, y - 7, 14, 14, hsl(pen.hue, 12, 28), { rx: 3 });
      pen.line(80, y, 150, y, hsl(pen.side === "dark" ? 120 : 5, 100, 66, 0.85), 4);
    }
    pen.rect(-34, -20, 46, 40, hsl(pen.hue, 12, 42), { rx: 8 });
  });
  pen.circle(100, 88, 17, hsl(pen.hue, 14, 22), { stroke: hsl(pen.hue, 20, 60), "stroke-width": 2 });
}

function mine(pen: Pen): void {
  pen.ellipse(100, 112, 56, 10, "#000", { opacity: 0.4 });
  pen.path("M52 108Q56 62 100 60Q144 62 148 108Z", hsl(pen.hue, 14, 34));
  pen.path("M100 60Q144 62 148 108H100Z", hsl(pen.hue, 16, 20));
  for (const x of [-34, -12, 12, 34]) pen.path(`M${98 + x} ${64 + Math.abs(x) * 0.3}l4 -18l4 18Z`, hsl(pen.hue, 10, 56));
  pen.circle(100, 86, 10, hsl(4, 95, 56));
  pen.circle(100, 86, 22, pen.gradient("radial", [[0.2, hsl(4, 100, 66, 0.7)], [1, hsl(4, 100, 50, 0)]]));
}

function seeker(pen: Pen): void {
  pen.circle(100, 68, 32, hsl(pen.hue, 10, 44));
  pen.path("M100 36a32 32 0 0 1 0 64Z", hsl(pen.hue, 12, 22));
  pen.circle(92, 64, 11, "#0a0a0e");
  pen.circle(92, 64, 6, hsl(2, 100, 58));
  for (const turn of [0.4, 1.4, 2.4, 3.5, 4.6, 5.6]) pen.line(100 + Math.cos(turn) * 32, 68 + Math.sin(turn) * 32, 100 + Math.cos(turn) * 52, 68 + Math.sin(turn) * 52, hsl(pen.hue, 10, 62), 3);
  pen.path("M92 64L0 118V134Z", hsl(2, 100, 66, 0.3));
}

function stick(pen: Pen): void {
  pen.group(`translate(100 72) rotate(${pen.whole(-40, 40)})`, () => {
    pen.rect(-84, -4, 168, 8, hsl(28, 40, 32), { rx: 4 });
    pen.path("M70 -18L92 -6V6L70 18L60 0Z", hsl(30, 12, 52));
    pen.path("M-70 -14L-92 0L-70 14L-60 0Z", hsl(30, 12, 44));
    for (let at = 0; at < 6; at += 1) pen.rect(-20 + at * 7, -5, 3, 10, hsl(20, 30, 16));
  });
}

export function device(pen: Pen): void {
  const body = hsl(pen.hue, 12, 46);
  const dark = hsl(pen.hue, 14, 18);
  if (pen.has("binoculars", "scope", "holocam", "computer")) {
    pen.rect(42, 46, 116, 54, body, { rx: 10 });
    pen.rect(42, 74, 116, 26, dark, { rx: 10, opacity: 0.6 });
    for (const x of [70, 130]) {
      pen.circle(x, 73, 21, dark);
      pen.circle(x, 73, 14, pen.gradient("radial", [[0, hsl(190, 90, 78)], [1, hsl(210, 80, 22)]]));
      pen.circle(x - 5, 67, 3.5, "#fff", { opacity: 0.85 });
    }
  } else if (pen.has("belt", "backpack")) {
    pen.path("M6 82Q100 116 194 82V60Q100 94 6 60Z", hsl(30, 20, 30));
    for (let at = 0; at < 6; at += 1) pen.rect(22 + at * 28, 66 + Math.sin((at / 5) * Math.PI) * 18, 20, 28, at % 2 ? body : dark, { rx: 4, stroke: hsl(pen.hue, 20, 66), "stroke-width": 1 });
  } else if (pen.has("tanks", "vaporator", "station")) {
    for (const x of [56, 100, 144]) {
      pen.rect(x - 15, 34, 30, 88, body, { rx: 13 });
      pen.rect(x, 34, 15, 88, dark, { rx: 7, opacity: 0.5 });
      for (let at = 0; at < 4; at += 1) pen.rect(x - 15, 48 + at * 18, 30, 3, hsl(pen.hue2, 70, 60));
    }
  } else {
    pen.group(`translate(100 72) rotate(${pen.whole(-18, 18)})`, () => {
      pen.rect(-22, -46, 44, 92, body, { rx: 9 });
      pen.rect(-15, -38, 30, 26, hsl(170, 60, 16), { rx: 3, stroke: hsl(165, 90, 66), "stroke-width": 1.4 });
      for (let at = 0; at < 6; at += 1) pen.circle(-10 + (at % 3) * 10, 4 + Math.floor(at / 3) * 13, 3.6, at === 1 ? hsl(4, 90, 60) : dark);
      pen.line(14, -46, 20, -68, dark, 3);
      for (let at = 1; at < 4; at += 1) pen.path(`M${20 + at * 5} ${-74 - at * 4}A${at * 9} ${at * 9} 0 0 1 ${20 + at * 9} ${-62}`, "none", { stroke: hsl(165, 90, 70, 0.8), "stroke-width": 1.8 });
    });
  }
}

// ---- faces known by their outline ----

/** Draws the head, where the card names somebody like that. */
export function outline(pen: Pen): boolean {
  if (pen.has("vader")) return blackHelmet(pen);
  if (pen.has("stormtrooper", "sandtrooper")) return whiteHelmet(pen);
  if (pen.has("death star trooper", "guard", "gunner", "black squadron", "pilot ds", "ds-61")) return darkHelmet(pen);
  if (pen.has("jawa")) return cowl(pen);
  if (pen.has("tusken")) return wrapped(pen);
  if (pen.has("chewbacca", "wookiee", "talz", "wolfman", "shistavanen")) return fur(pen);
  return false;
}

function blackHelmet(pen: Pen): boolean {
  pen.path("M-34 -40Q-38 -104 0 -108Q38 -104 34 -40L24 -48H-24Z", "#15161b");
  pen.path("M-24 -48L-18 -84H18L24 -48L12 -36H-12Z", "#24262d");
  pen.path("M-17 -80L-3 -74L-7 -64L-18 -68ZM17 -80L3 -74L7 -64L18 -68Z", "#070709");
  pen.path("M0 -66L11 -42H-11Z", "#3a3d46");
  for (let at = 0; at < 4; at += 1) pen.line(-6 + at * 4, -50, -7 + at * 4.6, -43, "#08080a", 1.6);
  pen.path("M-30 -62Q-30 -102 -4 -106", "none", { stroke: "#7d8496", "stroke-width": 2 });
  return true;
}

function whiteHelmet(pen: Pen): boolean {
  pen.path("M-24 -56Q-28 -106 0 -107Q28 -106 24 -56L15 -42H-15Z", "#eef1f4");
  pen.path("M4 -107Q28 -104 24 -56L15 -42H6Z", "#aeb6c2");
  pen.path("M-20 -82Q0 -90 20 -82L18 -72Q8 -66 3 -74H-3Q-8 -66 -18 -72Z", "#101318");
  pen.path("M-11 -60H11L8 -50H-8Z", "#23272f");
  for (const x of [-17, 17]) pen.circle(x, -55, 4, "#5a626e");
  return true;
}

function darkHelmet(pen: Pen): boolean {
  const shell = pen.side === "dark" ? "#23262d" : hsl(pen.hue, 20, 78);
  pen.path("M-27 -66Q-30 -106 0 -107Q30 -106 27 -66L20 -76H-20Z", shell);
  pen.path("M-27 -66L-20 -46L-17 -70ZM27 -66L20 -46L17 -70Z", shell);
  pen.path("M-20 -77Q0 -86 20 -77L19 -71Q0 -79 -19 -71Z", "#0c0d11");
  return false;
}

function cowl(pen: Pen): boolean {
  pen.path("M-36 -30Q-40 -104 0 -112Q40 -104 36 -30Z", hsl(26, 38, 24));
  pen.path("M-20 -46Q-22 -90 0 -94Q22 -90 20 -46Q0 -38 -20 -46Z", "#0a0705");
  for (const x of [-8, 8]) {
    pen.circle(x, -72, 9, pen.gradient("radial", [[0, "#ffe27a", 1], [0.4, "#ffb21e", 0.8], [1, "#ff8a00", 0]]));
    pen.circle(x, -72, 3.4, "#fff4c4");
  }
  return true;
}

function wrapped(pen: Pen): boolean {
  pen.ellipse(0, -74, 24, 30, hsl(34, 26, 52));
  for (let at = 0; at < 6; at += 1) pen.path(`M-23 ${-96 + at * 9}Q0 ${-90 + at * 9 + pen.between(-4, 4)} 23 ${-96 + at * 9}`, "none", { stroke: hsl(30, 28, 34), "stroke-width": 2.2 });
  for (const x of [-10, 10]) {
    pen.rect(x - 5, -86, 10, 13, hsl(30, 10, 58), { rx: 4 });
    pen.circle(x, -80, 3, "#0b0b0d");
  }
  pen.rect(-7, -66, 14, 16, hsl(30, 10, 44), { rx: 4 });
  for (const x of [-16, 16]) pen.path(`M${x} -100l${x / 3} -14l5 14Z`, hsl(30, 12, 46));
  return true;
}

function fur(pen: Pen): boolean {
  const hue = pen.has("talz") ? 210 : pen.has("wolfman", "shistavanen") ? 24 : 28;
  const light = pen.has("talz") ? 84 : 30;
  pen.path("M-32 -28Q-40 -104 0 -108Q40 -104 32 -28Z", hsl(hue, pen.has("talz") ? 8 : 42, light));
  for (let at = 0; at < 26; at += 1) {
    const x = pen.between(-28, 28);
    const y = pen.between(-102, -36);
    pen.line(x, y, x + x * 0.12, y + pen.between(8, 16), hsl(hue, 35, light + pen.between(-14, 14)), 1.8);
  }
  if (pen.has("wolfman", "shistavanen")) pen.path("M-26 -92L-30 -122L-10 -102ZM26 -92L30 -122L10 -102Z", hsl(hue, 42, 24));
  for (const x of [-10, 10]) pen.circle(x, -78, pen.has("talz") ? 4.6 : 3, "#0b0b0d");
  pen.ellipse(0, -62, 9, 6, hsl(hue, 30, 14));
  return true;
}
