// Ships and what fights on the ground.

import { hsl, Pen } from "./pen.js";
import { standing } from "./figures.js";

type Shade = { hull: string; dark: string; light: string; glow: string };

function shades(pen: Pen): Shade {
  const hue = pen.side === "neutral" ? pen.between(20, 60) : pen.hue + pen.between(-20, 20);
  const grey = pen.between(10, 40);
  return { hull: hsl(hue, grey, 62), dark: hsl(hue, grey, 30), light: hsl(hue, grey, 84), glow: hsl(pen.pick([195, 30, 330, 170] as const), 100, 72) };
}

// ---- space ----

export function ship(pen: Pen): void {
  const shade = shades(pen);
  if (pen.words.has("tie")) return pen.group(`translate(100 72) rotate(${pen.whole(-18, 12)}) scale(1.25)`, () => twinPanels(pen, shade));
  if (pen.kind === "starship" && pen.words.has("wing")) return pen.group(`translate(100 74) rotate(${pen.whole(-26, -8)}) scale(1.3)`, () => crossFoil(pen, shade, pen.words.has("y")));
  if (pen.has("falcon")) return pen.group(`translate(100 72) rotate(${pen.whole(-24, -12)}) scale(1.25)`, () => saucer(pen, shade));
  const big = pen.has("capital", "cruiser", "destroyer", "battleship", "core ship", "station");
  const small = pen.has("starfighter", "fighter", "interceptor", "squadron", "slave");
  const tilt = pen.whole(-24, 14);
  if (small) {
    const many = pen.has("squad", "squadron", "wing") ? 4 : pen.pick([1, 1, 2, 3] as const);
    const hull = pen.whole(0, 3);
    const places = [[104, 72, 1.25], [48, 40, 0.7], [156, 36, 0.62], [52, 108, 0.6]] as const;
    for (const [x, y, scale] of places.slice(0, many)) pen.group(`translate(${x} ${y}) rotate(${tilt}) scale(${scale})`, () => fighter(pen, shade, hull));
    return;
  }
  pen.group(`translate(100 74) rotate(${Math.round(tilt / 2)}) scale(${big ? 1.15 : 1})`, () => (big ? capital(pen, shade) : transport(pen, shade)));
}

/** A ball between two panels. */
function twinPanels(pen: Pen, shade: Shade): void {
  const bent = pen.has("advanced", "custom", "vader");
  pen.rect(-34, -4, 68, 8, shade.dark);
  pen.circle(0, 0, 13, shade.hull);
  pen.circle(0, 0, 7.5, hsl(210, 20, 12));
  for (let at = 0; at < 8; at += 1) pen.line(0, 0, Math.cos((at * Math.PI) / 4) * 7.5, Math.sin((at * Math.PI) / 4) * 7.5, shade.light, 0.8);
  for (const sign of [-1, 1]) {
    const x = sign * 36;
    pen.path(bent ? `M${x} -8L${x + sign * 10} -34H${x + sign * 3}L${x - sign * 6} -8V8L${x + sign * 3} 34H${x + sign * 10}L${x} 8Z` : `M${x} -36L${x + sign * 8} -24V24L${x} 36L${x - sign * 4} 24V-24Z`, hsl(220, 16, 16), { stroke: shade.light, "stroke-width": 1.4 });
    for (let at = -1; at <= 1; at += 1) pen.line(x - sign * 2, at * 12, x + sign * 6, at * 12, shade.hull, 0.8);
  }
}

/** A round hull with two prongs and a cockpit at its side. */
function saucer(pen: Pen, shade: Shade): void {
  pen.ellipse(-44, 0, 16, 26, pen.gradient("radial", [[0, shade.glow, 0.9], [1, shade.glow, 0]]));
  for (const sign of [-1, 1]) pen.path(`M22 ${sign * 6}L62 ${sign * 7}L60 ${sign * 15}L16 ${sign * 24}Z`, sign < 0 ? shade.hull : shade.dark);
  pen.circle(0, 0, 36, shade.hull);
  pen.path("M-36 0A36 36 0 0 0 36 0Z", shade.dark, { opacity: 0.55 });
  pen.circle(0, 0, 10, shade.light);
  pen.path("M14 22L34 36L44 30L26 14Z", shade.light);
  pen.circle(38, 32, 6, hsl(205, 60, 22));
  pen.circle(12, -18, 7, shade.light, { stroke: shade.dark, "stroke-width": 1.4 });
  for (let at = 0; at < 9; at += 1) pen.line(0, 0, Math.cos(at * 0.7) * 34, Math.sin(at * 0.7) * 34, shade.dark, 0.8, { opacity: 0.6 });
}

/** A long nose, wings and engines. */
function crossFoil(pen: Pen, shade: Shade, pods: boolean): void {
  for (const sign of [-1, 1]) {
    if (pods) {
      pen.rect(-42, sign * 22 - 5, 62, 10, shade.hull, { rx: 4 });
      engine(pen, -42, sign * 22, 4, shade.glow);
      pen.rect(-20, sign < 0 ? -20 : 4, 12, 16, shade.dark);
    } else {
      pen.path(`M-22 ${sign * 5}L-30 ${sign * 36}H-14L6 ${sign * 6}Z`, sign < 0 ? shade.hull : shade.dark);
      pen.rect(-34, sign * 9 - 4, 26, 8, shade.light, { rx: 3 });
      engine(pen, -36, sign * 9, 3.4, shade.glow);
      pen.line(-30, sign * 36, 22, sign * 36, shade.dark, 2.6);
    }
  }
  pen.path("M58 0L20 -6L-24 -8V8L20 6Z", shade.light);
  pen.path("M58 0L-24 0V8L20 6Z", shade.dark, { opacity: 0.5 });
  pen.ellipse(-4, -2, 9, 4, hsl(205, 60, 20));
  pen.rect(24, -4, 10, 8, hsl(pen.hue + 150, 65, 46));
  pen.circle(-16, -4, 3.4, hsl(215, 60, 62));
}

function engine(pen: Pen, x: number, y: number, r: number, glow: string): void {
  pen.ellipse(x - r * 2.6, y, r * 4, r * 1.1, pen.gradient("radial", [[0, glow, 0.95], [1, glow, 0]]));
  pen.circle(x, y, r * 0.8, "#fff", { opacity: 0.9 });
}

function fighter(pen: Pen, shade: Shade, hull: number): void {
  const span = pen.between(18, 30);
  const long = pen.between(34, 48);
  if (hull === 0) {
    engine(pen, -24, 0, 4, shade.glow);
    pen.path(`M${long} 0L-18 -${span}L-26 -${span * 0.8}L-16 0L-26 ${span * 0.8}L-18 ${span}Z`, shade.hull);
    pen.path(`M${long} 0L-18 ${span}L-26 ${span * 0.8}L-16 0Z`, shade.dark);
  } else if (hull === 1) {
    engine(pen, -22, -9, 3, shade.glow);
    engine(pen, -22, 9, 3, shade.glow);
    pen.ellipse(4, 0, long * 0.75, 8, shade.hull);
    pen.path(`M10 0L-12 -${span}h-9L-8 0L-21 ${span}h9Z`, shade.light);
    pen.path(`M10 0L-12 ${span}h-9L-8 0Z`, shade.dark);
  } else if (hull === 2) {
    engine(pen, -20, 0, 3.5, shade.glow);
    for (const sign of [-1, 1]) {
      pen.path(`M-14 ${sign * 6}Q${long} ${sign * 8} ${long * 0.9} ${sign * (span - 6)}Q0 ${sign * (span + 8)} -24 ${sign * (span - 2)}Q-4 ${sign * 16} -14 ${sign * 6}Z`, sign < 0 ? shade.hull : shade.dark);
    }
    pen.circle(-4, 0, 11, shade.light);
  } else {
    engine(pen, -26, 0, 4.5, shade.glow);
    pen.path(`M${long} -2Q10 -14 -26 -10L-30 0L-26 10Q10 14 ${long} 2Z`, shade.hull);
    pen.path(`M-6 -9L-26 -${span + 4}l-6 3L-22 -8ZM-6 9L-26 ${span + 4}l-6 -3L-22 8Z`, shade.dark);
    pen.path(`M${long} 2Q10 14 -26 10L-30 0Z`, shade.dark, { opacity: 0.55 });
  }
  pen.ellipse(hull === 2 ? -2 : 8, 0, 6.5, 3.4, hsl(200, 70, 22));
  pen.ellipse(hull === 2 ? -1 : 9, -1.2, 3.6, 1.2, hsl(195, 90, 82, 0.9));
}

function transport(pen: Pen, shade: Shade): void {
  const long = pen.between(50, 68);
  const high = pen.between(11, 19);
  const style = pen.whole(0, 3);
  for (let at = -1; at <= 1; at += 1) engine(pen, -long + 2, at * high * 0.55, 3.6, shade.glow);
  if (style === 0) {
    pen.path(`M${long} 0Q${long * 0.5} -${high * 1.2} -${long * 0.4} -${high}L-${long} -${high * 0.7}V${high * 0.7}L-${long * 0.4} ${high}Q${long * 0.5} ${high * 1.1} ${long} 0Z`, shade.hull);
  } else if (style === 1) {
    pen.path(`M${long} ${high * 0.3}L${long * 0.45} -${high * 0.9}H-${long * 0.6}L-${long} -${high * 1.7}V${high}H${long * 0.6}Z`, shade.hull);
  } else if (style === 2) {
    pen.ellipse(0, 0, long, high, shade.hull);
    pen.ellipse(-long * 0.15, -high * 0.8, long * 0.34, high * 0.6, shade.light);
  } else {
    pen.path(`M${long} 0L-${long * 0.2} -${high * 1.9}L-${long} -${high * 0.9}L-${long * 0.7} 0L-${long} ${high * 0.9}L-${long * 0.2} ${high * 1.9}Z`, shade.hull);
  }
  pen.path(`M${long} 1Q${long * 0.5} ${high * 1.1} -${long * 0.4} ${high * 0.95}L-${long} ${high * 0.65}V2Z`, shade.dark, { opacity: 0.65 });
  for (let at = 0; at < 6; at += 1) pen.rect(pen.between(-long * 0.7, long * 0.5), pen.between(-high * 0.5, -2), pen.between(2, 9), 1.5, pen.chance(0.5) ? shade.light : hsl(48, 95, 78));
  pen.line(-long * 0.5, -high * 0.4, long * 0.4, -high * 0.2, shade.dark, 0.8);
}

function capital(pen: Pen, shade: Shade): void {
  const style = pen.has("battleship", "federation", "core ship") ? 1 : pen.has("techno", "guild", "banking") ? 2 : pen.pick([0, 0, 2] as const);
  if (style === 1) {
    pen.circle(0, 0, 24, shade.dark);
    pen.path("M-56 -30A62 62 0 1 1 -56 30L-46 22A50 50 0 1 0 -46 -22Z", shade.hull);
    pen.circle(0, 0, 19, shade.hull);
    pen.circle(-5, -6, 9, shade.light, { opacity: 0.6 });
    for (let at = 0; at < 16; at += 1) {
      const turn = pen.between(-2.4, 2.4);
      pen.circle(Math.cos(turn) * 55, Math.sin(turn) * 55, 1, hsl(48, 95, 78));
    }
    return;
  }
  for (let at = -1; at <= 1; at += 1) engine(pen, -70, at * 9, 5, shade.glow);
  if (style === 2) {
    pen.path("M78 0L20 -9L-10 -30L-22 -29L-14 -9L-66 -14V14L-14 9L-22 29L-10 30L20 9Z", shade.hull);
    pen.path("M78 0L20 9L-10 30L-22 29L-14 9L-66 14V1Z", shade.dark, { opacity: 0.7 });
  } else {
    pen.path("M82 6L-68 -24V26Z", shade.hull);
    pen.path("M82 6L-68 6V26Z", shade.dark, { opacity: 0.75 });
    pen.path("M-20 -14L-52 -20V-33H-40L-36 -24L-24 -22Z", shade.light);
  }
  for (let at = 0; at < 22; at += 1) {
    const x = pen.between(-62, 40);
    pen.rect(x, pen.between(-8, 10) * (1 - (x + 62) / 160), pen.between(0.8, 2.4), 0.9, hsl(48, 95, 80));
  }
}

// ---- ground ----

export function ground(pen: Pen): void {
  const shade = shades(pen);
  pen.ellipse(100, 122, 74, 8, "#000", { opacity: 0.35 });
  if (pen.has("walker", "at-te")) walker(pen, shade);
  else if (pen.has("fortification", "station", "spaceport", "platform", "core", "lift")) tower(pen, shade);
  else if (pen.has("gunship")) gunship(pen, shade);
  else if (pen.has("creature", "reek")) beast(pen, shade);
  else if (pen.has("sandcrawler")) crawler(pen, shade);
  else if (pen.has("speeder", "bike", "swoop", "vehicle", "rickshaw")) speeder(pen, shade);
  else if (pen.has("droid")) droids(pen, shade);
  else squad(pen);
}

function walker(pen: Pen, shade: Shade): void {
  const legs = pen.pick([4, 6] as const);
  pen.group(`translate(100 ${pen.whole(60, 68)}) scale(${pen.chance(0.5) ? 1 : -1} 1)`, () => {
    for (let at = 0; at < legs; at += 1) {
      const x = -48 + (at * 92) / (legs - 1);
      const knee = pen.between(-7, 7);
      pen.path(`M${x - 5} 6L${x + knee - 4} 30L${x - 6} 56H${x + 8}L${x + knee + 5} 30L${x + 6} 6Z`, at % 2 ? shade.dark : shade.hull);
      pen.rect(x - 9, 53, 19, 5, shade.dark, { rx: 2 });
    }
    pen.path("M-60 -6L-52 -22H40L58 -14L66 2L50 14H-54Z", shade.hull);
    pen.path("M-60 -4H64L50 14H-54Z", shade.dark, { opacity: 0.6 });
    pen.path("M-12 -22L-4 -34H22L30 -22Z", shade.light);
    pen.line(18, -29, pen.between(48, 66), -31, shade.dark, 4);
    pen.rect(44, -9, 11, 5, hsl(195, 80, 70));
    for (let at = 0; at < 5; at += 1) pen.rect(-46 + at * 17, -14, 8, 2.4, shade.light);
  });
}

function tower(pen: Pen, shade: Shade): void {
  const count = pen.whole(1, 3);
  for (let at = 0; at < count; at += 1) {
    const x = 100 + (at - (count - 1) / 2) * 52;
    const high = pen.between(44, 84);
    const wide = pen.between(18, 30);
    const top = 122 - high;
    pen.path(`M${x - wide} 122L${x - wide * 0.62} ${top}H${x + wide * 0.62}L${x + wide} 122Z`, shade.hull);
    pen.path(`M${x} 122V${top}H${x + wide * 0.62}L${x + wide} 122Z`, shade.dark, { opacity: 0.65 });
    if (pen.chance(0.5)) pen.path(`M${x - wide * 0.8} ${top + 2}a${wide * 0.8} ${wide * 0.7} 0 0 1 ${wide * 1.6} 0Z`, shade.light);
    else pen.path(`M${x - wide * 0.9} ${top + 4}L${x - wide * 0.5} ${top - 9}H${x + wide * 0.5}L${x + wide * 0.9} ${top + 4}Z`, shade.light);
    pen.line(x, top - 6, x + pen.between(16, 30) * pen.pick([1, -1] as const), top - pen.between(12, 24), shade.dark, 3.2);
    for (let floor = 0; floor < 4; floor += 1) pen.rect(x - wide * 0.4, top + 12 + floor * 13, wide * 0.8, 2.4, hsl(48, 90, 76));
  }
}

function gunship(pen: Pen, shade: Shade): void {
  pen.group(`translate(100 ${pen.whole(56, 70)}) rotate(${pen.whole(-10, 6)}) scale(${pen.chance(0.5) ? 1 : -1} 1)`, () => {
    pen.path("M62 4Q60 -10 38 -12L-36 -15L-74 -27L-76 -17L-44 4L-40 14H40Q58 14 62 4Z", shade.hull);
    pen.path("M62 4L-44 4L-40 14H40Q58 14 62 4Z", shade.dark);
    pen.path("M-30 -15Q-6 -27 26 -13Z", shade.light);
    pen.path("M-44 -13L4 -10L-6 -5L-50 -8Z", shade.dark);
    pen.circle(46, -2, 6, hsl(195, 80, 60));
    pen.rect(-22, -5, 26, 14, hsl(30, 30, 14));
    for (let at = 0; at < 3; at += 1) pen.circle(-16 + at * 8, 2, 3, hsl(0, 0, 80));
    pen.ellipse(-66, -20, 9, 3, shade.glow, { opacity: 0.8 });
  });
}

function speeder(pen: Pen, shade: Shade): void {
  const style = pen.has("bike", "swoop") ? 1 : pen.whole(0, 2);
  const many = pen.has("squad", "squadron", "patrol") ? 3 : 1;
  const places = [[100, 84, 1.15], [46, 62, 0.66], [158, 60, 0.6]] as const;
  for (const [x, y, scale] of places.slice(0, many)) {
    pen.group(`translate(${x} ${y}) rotate(${pen.whole(-9, 3)}) scale(${scale})`, () => {
      for (let at = 0; at < 4; at += 1) pen.line(-64 - pen.between(0, 30), pen.between(-10, 12), -56, pen.between(-10, 12), "#fff", 1, { opacity: 0.5 });
      if (style === 1) {
        pen.path("M66 -3L20 -6L-6 -2L-46 -7L-50 6L-10 9L22 4L66 2Z", shade.hull);
        pen.path("M-12 -2L-4 -18L6 -26L12 -20L8 -12L20 -8L16 -3Z", hsl(pen.hue2, 30, 24));
        pen.circle(10, -29, 5.5, hsl(pen.hue2, 25, 70));
      } else if (style === 2) {
        pen.path("M62 2Q36 -12 -8 -11L-56 -4L-50 11H36Q56 10 62 2Z", shade.hull);
        pen.path("M8 -11L22 -22L28 -11Z", hsl(195, 70, 75, 0.8));
        pen.circle(0, -17, 5.5, hsl(28, 40, 55));
        pen.path("M-8 -10q8 -6 16 0Z", hsl(pen.hue2, 40, 30));
        pen.ellipse(-44, 2, 17, 8, shade.dark);
      } else {
        pen.path("M70 0L10 -10L-60 -17L-46 0L-60 17L10 10Z", shade.hull);
        pen.path("M70 0L-46 0L-60 17L10 10Z", shade.dark, { opacity: 0.7 });
        pen.ellipse(8, -3, 15, 6, hsl(200, 70, 24));
        pen.ellipse(12, -5, 8, 2, hsl(195, 90, 85, 0.9));
      }
      engine(pen, -52, 1, 3.4, shade.glow);
    });
  }
}

function crawler(pen: Pen, shade: Shade): void {
  pen.path("M30 122L44 52L128 40L172 96V122Z", shade.hull);
  pen.path("M128 40L172 96V122H134Z", shade.dark);
  pen.rect(26, 110, 150, 14, hsl(20, 20, 14), { rx: 7 });
  for (let at = 0; at < 9; at += 1) pen.circle(34 + at * 17, 117, 4.6, shade.dark);
  for (let at = 0; at < 5; at += 1) pen.rect(54 + at * 15, 62, 8, 3, hsl(45, 90, 75));
}

function droids(pen: Pen, shade: Shade): void {
  const round = pen.has("destroyer", "commerce");
  const count = pen.whole(2, 4);
  for (let at = 0; at < count; at += 1) {
    const x = 100 + (at - (count - 1) / 2) * 42 + pen.between(-4, 4);
    const scale = pen.between(0.85, 1.15);
    pen.group(`translate(${Math.round(x)} 118) scale(${scale.toFixed(2)})`, () => {
      if (round) {
        pen.path("M-20 0L-13 -26L0 -20L13 -26L20 0L13 0L8 -16L0 -10L-8 -16L-13 0Z", shade.dark);
        pen.circle(0, -36, 17, shade.hull);
        pen.path("M-17 -36a17 17 0 0 1 34 0Z", shade.light);
        pen.circle(0, -38, 5, hsl(0, 95, 60));
        pen.line(-15, -30, -28, -36, shade.dark, 3.4);
        pen.line(15, -30, 28, -36, shade.dark, 3.4);
      } else {
        pen.line(-5, 0, -3, -26, shade.hull, 3);
        pen.line(6, 0, 3, -26, shade.hull, 3);
        pen.path("M-9 -26L-6 -48H7L10 -26Z", shade.hull);
        pen.line(0, -48, 3, -58, shade.dark, 2.4);
        pen.path("M-3 -66L5 -68L17 -57L14 -53L0 -58Z", shade.light);
        pen.circle(9, -60, 1.3, hsl(0, 95, 55));
        pen.line(-7, -40, 20, -36, shade.dark, 3);
      }
    });
  }
}

function beast(pen: Pen, shade: Shade): void {
  const hue = pen.between(10, 45);
  const skin = hsl(hue, 35, 40);
  const under = hsl(hue, 35, 24);
  pen.group(`translate(100 118) scale(${pen.chance(0.5) ? 1 : -1} 1)`, () => {
    for (const x of [-44, -26, 22, 40]) pen.path(`M${x - 7} -34L${x - 5} 0h12L${x + 8} -34Z`, under);
    pen.path("M-62 -30Q-56 -62 -14 -66Q30 -70 52 -54L78 -40L70 -22Q44 -18 30 -24Q-20 -20 -62 -30Z", skin);
    pen.path("M54 -52Q62 -74 78 -80Q70 -62 68 -48ZM72 -36Q88 -42 92 -56Q96 -38 80 -28Z", shade.light);
    pen.circle(66, -42, 2.6, hsl(48, 100, 70));
    for (let at = 0; at < 7; at += 1) pen.path(`M${-46 + at * 13} -58l5 ${-pen.whole(6, 13)}l5 12Z`, under);
    pen.path("M-60 -34Q-84 -40 -90 -20Q-78 -30 -58 -24Z", skin);
  });
}

function squad(pen: Pen): void {
  const count = pen.whole(3, 5);
  const jedi = pen.has("jedi");
  for (let at = 0; at < count; at += 1) {
    const x = 100 + (at - (count - 1) / 2) * 34 + pen.between(-4, 4);
    standing(pen, x, 124 - Math.abs(at - (count - 1) / 2) * 5, pen.between(0.92, 1.08), jedi ? "jedi" : "soldier");
  }
}
