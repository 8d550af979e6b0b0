// Where a picture plays: open space, a world with its weather and horizon, a hall, a burst of light.

import { HEIGHT, hsl, Pen, WIDTH } from "./pen.js";

export function backdrop(pen: Pen): void {
  if (pen.kind === "space" || pen.kind === "starship" || pen.kind === "void") space(pen);
  else if (pen.kind === "place") return;
  else if (pen.kind === "ground" || pen.kind === "vehicle" || pen.kind === "location") world(pen, 92);
  else if (pen.kind === "character") pen.chance(0.55) ? hall(pen) : world(pen, 118);
  else if (pen.kind === "mission" || pen.kind === "effect" || pen.kind === "device") table(pen);
  else burst(pen);
}

function fillAll(pen: Pen, fill: string): void {
  pen.rect(0, 0, WIDTH, HEIGHT, fill);
}

export function stars(pen: Pen, count: number, below = HEIGHT): void {
  for (let at = 0; at < count; at += 1) {
    const bright = pen.next();
    pen.circle(pen.between(0, WIDTH), pen.between(0, below), 0.3 + bright * bright * 1.1, hsl(pen.between(190, 260), 60, 92, 0.35 + bright * 0.6));
  }
}

function space(pen: Pen): void {
  fillAll(pen, pen.gradient("linear", [[0, hsl(pen.hue + 15, 55, 7)], [1, hsl(pen.hue2, 50, 13)]]));
  for (let at = 0; at < 3; at += 1) {
    const cloud = pen.gradient("radial", [[0, hsl(at === 0 ? pen.hue : pen.hue2, 75, 52, 0.5)], [1, hsl(pen.hue, 80, 40, 0)]]);
    pen.ellipse(pen.between(0, WIDTH), pen.between(0, HEIGHT), pen.between(50, 110), pen.between(25, 70), cloud);
  }
  stars(pen, 70);
  planet(pen, pen.between(10, 190), pen.between(10, 130), pen.between(16, 62));
  if (pen.chance(0.45)) planet(pen, pen.between(0, 200), pen.between(0, 60), pen.between(4, 10));
}

export function planet(pen: Pen, x: number, y: number, r: number): void {
  const hue = pen.pick([pen.hue2, pen.hue, pen.between(0, 360)] as const);
  const lit = pen.between(0.2, 0.8);
  const body = pen.gradient("radial", [[0, hsl(hue, 60, 66)], [0.6, hsl(hue, 55, 38)], [1, hsl(hue, 60, 12)]], { cx: lit, cy: 0.3, r: 0.75 });
  pen.circle(x, y, r * 1.25, pen.gradient("radial", [[0.75, hsl(hue, 80, 65, 0.35)], [1, hsl(hue, 80, 60, 0)]]));
  pen.circle(x, y, r, body);
  const bands = pen.whole(0, 4);
  for (let at = 0; at < bands; at += 1) {
    const dy = pen.between(-0.7, 0.7) * r;
    pen.ellipse(x, y + dy, Math.sqrt(r * r - dy * dy), r * pen.between(0.03, 0.1), hsl(hue + pen.between(-30, 30), 50, pen.between(30, 70), 0.35));
  }
  if (pen.chance(0.3) && r > 14) {
    pen.ellipse(x, y, r * 1.8, r * 0.42, "none", { stroke: hsl(hue + 30, 45, 75, 0.65), "stroke-width": r * 0.12, transform: `rotate(${pen.whole(-35, 35)} ${Math.round(x)} ${Math.round(y)})` });
  }
}

/** A world: the words on the card say which. */
export function world(pen: Pen, horizon: number): void {
  const sandy = pen.has("tatooine", "jawa", "farmer", "sandcrawler", "desert", "tusken", "bantha", "landspeeder");
  const rocky = pen.has("geonosian", "geonosis", "acklay", "reek", "nexu", "arena");
  const green = pen.has("naboo", "gungan", "alderaanian", "peace");
  const city = pen.has("coruscant", "senate", "republic", "chancellor", "diner", "jedi");
  const sea = pen.has("kaminoan", "clone");
  const hue = sandy ? 36 : rocky ? 14 : green ? 110 : city ? 265 : sea ? 205 : pen.hue;
  const night = pen.chance(city ? 0.6 : 0.3);
  const sky = hue + pen.between(-14, 14);
  fillAll(pen, pen.gradient("linear", night ? [[0, hsl(sky + 20, 50, 8)], [1, hsl(sky, 55, 34)]] : [[0, hsl(sky + 25, 50, 34)], [0.65, hsl(sky, 68, 66)], [1, hsl(sky - 12, 75, 78)]]));
  if (night) stars(pen, 35, horizon);
  sun(pen, pen.between(20, 180), pen.between(18, horizon - 26), pen.between(8, 18), sky - 20);
  if (sandy) sun(pen, pen.between(20, 180), pen.between(25, horizon - 20), pen.between(6, 11), sky - 30);
  if (pen.chance(0.4)) planet(pen, pen.between(0, 200), pen.between(5, 40), pen.between(10, 28));
  for (let layer = 0; layer < 3; layer += 1) {
    const y = horizon - 14 + layer * 9;
    const shade = (night ? 10 : 24) + layer * (night ? 2 : 5);
    const fill = hsl(sky - 8, 42 - layer * 4, shade);
    if (city && layer < 2) skyline(pen, y + 8, fill, sky);
    else if (rocky && layer < 2) spires(pen, y + 6, fill);
    else if (green && layer === 1) domes(pen, y + 6, fill, sky);
    else hills(pen, y, sandy || sea ? 5 : 13, fill);
  }
  pen.rect(0, horizon + 6, WIDTH, HEIGHT - horizon, pen.gradient("linear", [[0, hsl(sky - 10, 40, night ? 17 : 38)], [1, hsl(sky - 14, 45, night ? 8 : 20)]]));
  if (sea) rain(pen);
}

function sun(pen: Pen, x: number, y: number, r: number, hue: number): void {
  pen.circle(x, y, r * 3.2, pen.gradient("radial", [[0, hsl(hue + 20, 95, 85, 0.75)], [1, hsl(hue, 90, 70, 0)]]));
  pen.circle(x, y, r, hsl(hue + 25, 100, 91));
}

function hills(pen: Pen, y: number, height: number, fill: string): void {
  let d = `M0 ${HEIGHT}V${Math.round(y)}`;
  for (let x = 0; x <= WIDTH; x += 25) d += `Q${x + 12} ${Math.round(y - pen.between(0, height) * 1.6)} ${x + 25} ${Math.round(y - pen.between(-3, height) * 0.5)}`;
  pen.path(`${d}V${HEIGHT}Z`, fill);
}

function spires(pen: Pen, y: number, fill: string): void {
  let d = `M0 ${HEIGHT}V${y}`;
  for (let x = 0; x < WIDTH; x += pen.between(9, 26)) d += `L${Math.round(x)} ${y}l${pen.whole(3, 7)} ${-pen.whole(8, 44)}l${pen.whole(2, 5)} ${pen.whole(3, 9)}L${Math.round(x + 13)} ${y}`;
  pen.path(`${d}H${WIDTH}V${HEIGHT}Z`, fill);
}

function skyline(pen: Pen, y: number, fill: string, hue: number): void {
  for (let x = -5; x < WIDTH; ) {
    const width = pen.between(6, 19);
    const height = pen.between(10, 62);
    pen.rect(x, y - height, width, height + 30, fill);
    if (pen.chance(0.4)) pen.rect(x + width / 2 - 0.7, y - height - 12, 1.4, 12, fill);
    for (let at = 0; at < 3; at += 1) pen.rect(x + pen.between(1, width - 2), y - pen.between(2, height), 1.3, 1.3, hsl(hue + 150, 85, 75, 0.8));
    x += width + pen.between(-1, 4);
  }
}

function domes(pen: Pen, y: number, fill: string, hue: number): void {
  hills(pen, y, 8, fill);
  for (let at = 0; at < 4; at += 1) {
    const x = pen.between(0, WIDTH);
    const r = pen.between(5, 13);
    pen.rect(x - r * 0.8, y - r * 0.9, r * 1.6, r * 1.6, hsl(hue - 60, 25, 48));
    pen.path(`M${Math.round(x - r)} ${Math.round(y - r * 0.8)}a${r} ${r} 0 0 1 ${r * 2} 0Z`, hsl(hue + 50, 35, 52));
  }
}

function rain(pen: Pen): void {
  for (let at = 0; at < 32; at += 1) {
    const x = pen.between(-10, WIDTH);
    const y = pen.between(-10, HEIGHT);
    pen.line(x, y, x + 3, y + 11, hsl(205, 60, 85, 0.4), 0.6);
  }
}

/** Indoors: light falls through bars or from above. */
function hall(pen: Pen): void {
  fillAll(pen, pen.gradient("linear", [[0, hsl(pen.hue, 42, 13)], [1, hsl(pen.hue2, 32, 20)]]));
  const x = pen.between(60, 140);
  pen.circle(x, 58, 92, pen.gradient("radial", [[0, hsl(pen.hue, 75, 68, 0.9)], [1, hsl(pen.hue, 75, 40, 0)]]));
  const style = pen.whole(0, 3);
  if (style === 0) for (let at = 0; at < 7; at += 1) pen.rect(at * 32 + pen.between(-3, 3), 0, pen.between(7, 15), HEIGHT, hsl(pen.hue, 35, 10, 0.7));
  else if (style === 1) for (let at = 0; at < 9; at += 1) pen.path(`M${Math.round(x)} 40L${at * 34 - 60} ${HEIGHT + 20}h18Z`, hsl(pen.hue, 80, 75, 0.13));
  else if (style === 2) for (let at = 1; at < 6; at += 1) pen.circle(x, 58, at * 17, "none", { stroke: hsl(pen.hue2, 65, 65, 0.3), "stroke-width": pen.between(0.6, 3) });
  else {
    pen.path(`M${Math.round(x - 48)} ${HEIGHT}V62a48 48 0 0 1 96 0V${HEIGHT}Z`, pen.gradient("linear", [[0, hsl(pen.hue2, 60, 60)], [1, hsl(pen.hue, 50, 25)]]));
    stars(pen, 20, 90);
  }
}

function table(pen: Pen): void {
  fillAll(pen, pen.gradient("linear", [[0, hsl(pen.hue, 45, 10)], [1, hsl(pen.hue, 50, 24)]]));
  stars(pen, 25);
  pen.ellipse(100, 122, 90, 26, pen.gradient("radial", [[0, hsl(pen.hue2, 75, 55, 0.8)], [1, hsl(pen.hue, 60, 30, 0)]]));
}

function burst(pen: Pen): void {
  fillAll(pen, pen.gradient("radial", [[0, hsl(pen.hue + 15, 85, 55)], [0.55, hsl(pen.hue, 75, 28)], [1, hsl(pen.hue - 15, 70, 10)]], { cx: pen.between(0.3, 0.7), cy: pen.between(0.3, 0.7), r: 0.85 }));
  const x = pen.between(70, 130);
  const y = pen.between(50, 90);
  const rays = pen.whole(9, 22);
  for (let at = 0; at < rays; at += 1) {
    const angle = (at / rays + pen.between(-0.02, 0.02)) * Math.PI * 2;
    const width = pen.between(0.02, 0.1);
    const far = (turn: number) => `${Math.round(x + Math.cos(turn) * 220)} ${Math.round(y + Math.sin(turn) * 220)}`;
    pen.path(`M${Math.round(x)} ${Math.round(y)}L${far(angle - width)}L${far(angle + width)}Z`, hsl(pen.hue + 25, 90, 72, pen.between(0.06, 0.3)));
  }
}
