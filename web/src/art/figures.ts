// People, droids and beasts: busts for characters, small standing figures for squads.

import { outline } from "./galaxy.js";
import { hsl, Pen } from "./pen.js";

type Look = { skin: string; cloth: string; dark: string; rim: string };

export function figure(pen: Pen): void {
  const hue = pen.side === "neutral" ? pen.between(20, 70) : pen.hue + pen.between(-15, 15);
  const look: Look = {
    skin: skin(pen),
    cloth: hsl(hue, pen.between(18, 42), pen.between(22, 34)),
    dark: hsl(hue, 35, 11),
    rim: hsl(pen.hue, 75, 78),
  };
  const x = pen.between(84, 116);
  if (pen.has("creature", "acklay", "nexu")) return monster(pen, look);
  const flip = pen.chance(0.5) ? -1 : 1;
  const jedi = pen.has("jedi", "sidious", "tyranus", "vader", "obi-wan", "luke");
  if (jedi && !pen.has("sidious")) saber(pen, x + flip * 46, flip);
  pen.group(`translate(${Math.round(x)} 142) scale(${flip} 1)`, () => {
    const small = pen.has("yoda", "boy", "r2-d2", "watto") ? 0.8 : 1;
    pen.group(`scale(${small})`, () => person(pen, look));
  });
  if (pen.has("bounty", "soldier", "guard", "hunter", "warrior") || (pen.has("droid") && !pen.has("protocol", "astromech"))) blaster(pen, x, flip);
}

function skin(pen: Pen): string {
  if (pen.has("yoda")) return hsl(88, 30, 48);
  if (pen.has("gungan", "nautolan")) return hsl(pen.has("nautolan") ? 140 : 24, 35, 48);
  if (pen.has("togruta")) return hsl(14, 60, 48);
  if (pen.has("kaminoan")) return hsl(200, 15, 82);
  if (pen.has("geonosian")) return hsl(28, 38, 40);
  if (pen.has("kel")) return hsl(24, 45, 42);
  if (pen.has("gunray", "federation")) return hsl(150, 15, 50);
  if (pen.has("watto")) return hsl(215, 32, 52);
  return hsl(pen.between(18, 32), pen.between(35, 50), pen.between(38, 72));
}

function person(pen: Pen, look: Look): void {
  if (pen.has("astromech", "r2-d2")) return astromech(pen);
  if (pen.has("droid", "asn-121", "c-3po")) return droid(pen, look);
  const broad = pen.between(40, 52);
  shoulders(pen, look, broad);
  if (outline(pen)) return;
  if (pen.has("kaminoan")) return longNeck(pen, look);
  if (pen.has("clone", "jango") && !pen.has("boy")) return helmet(pen, look, pen.has("jango"));
  pen.path("M-9 -56h18l3 16h-24Z", look.skin);
  pen.ellipse(0, -74, 18.5, 23, look.skin);
  pen.path("M0 -97A18.5 23 0 0 1 0 -51A30 40 0 0 0 0 -97Z", look.dark, { opacity: 0.35 });
  features(pen, look);
  if (pen.has("geonosian")) wings(pen, look);
  if (pen.has("soldier", "typho", "guard", "zam", "trooper", "admiral", "general", "commander", "officer", "colonel", "moff")) cap(pen, look);
}

function shoulders(pen: Pen, look: Look, broad: number): void {
  pen.path(`M-${broad} 4Q-${broad} -34 -18 -42L0 -34L18 -42Q${broad} -34 ${broad} 4Z`, look.cloth);
  pen.path(`M0 -34L18 -42Q${broad} -34 ${broad} 4H6Z`, look.dark, { opacity: 0.45 });
  pen.path(`M-${broad} 4Q-${broad} -34 -18 -42`, "none", { stroke: look.rim, "stroke-width": 1.6, opacity: 0.8 });
  const trim = hsl(pen.hue2, pen.between(30, 70), pen.between(45, 65));
  const style = pen.whole(0, 3);
  if (style === 0) pen.path("M-18 -42L0 -12L18 -42L8 -40L0 -25L-8 -40Z", trim);
  else if (style === 1) pen.path("M-20 -43L-6 4H6L20 -43L10 -44L0 -10L-10 -44Z", look.dark);
  else if (style === 2) pen.path(`M-${broad - 6} -18Q0 2 ${broad - 6} -18L${broad - 8} -11Q0 9 -${broad - 8} -11Z`, trim);
  else for (let at = 0; at < 3; at += 1) pen.circle(0, -26 + at * 10, 2, trim);
}

/** Head-dress, hair and face. */
function features(pen: Pen, look: Look): void {
  const eyes = (color: string, r: number, y = -76) => [-7, 7].forEach((x) => pen.ellipse(x, y, r, r * 0.75, color));
  const hood = pen.has("sidious") || (pen.has("jedi") && pen.chance(0.35) && !pen.has("yoda", "togruta", "nautolan"));
  if (pen.has("yoda")) {
    pen.path("M-16 -76L-48 -86L-17 -66ZM16 -76L48 -86L17 -66Z", look.skin);
    for (let at = 0; at < 3; at += 1) pen.line(-9, -88 + at * 3, 9, -88 + at * 3, look.dark, 0.7, { opacity: 0.5 });
  } else if (pen.has("togruta")) {
    pen.path("M-17 -82Q-30 -118 -16 -126Q-8 -108 0 -100Q8 -108 16 -126Q30 -118 17 -82Q0 -98 -17 -82Z", hsl(215, 20, 88));
    pen.path("M-18 -82Q-26 -56 -21 -30L-13 -36Q-17 -60 -13 -80ZM18 -82Q26 -56 21 -30L13 -36Q17 -60 13 -80Z", hsl(215, 45, 60));
  } else if (pen.has("nautolan")) {
    for (let at = 0; at < 7; at += 1) pen.path(`M${-18 + at * 6} -88Q${-34 + at * 11} -70 ${-30 + at * 10} -40l6 0Q${-22 + at * 9} -70 ${-12 + at * 6} -88Z`, at % 2 ? look.skin : hsl(140, 30, 36));
    pen.path("M-19 -80a19 21 0 0 1 38 0Z", look.skin);
  } else if (pen.has("gungan")) {
    pen.path("M-15 -84Q-32 -78 -30 -32L-22 -34Q-24 -66 -10 -76ZM15 -84Q32 -78 30 -32L22 -34Q24 -66 10 -76Z", look.skin);
    pen.circle(-8, -99, 6, look.skin);
    pen.circle(8, -99, 6, look.skin);
    [-8, 8].forEach((x) => pen.circle(x, -99, 2.4, "#111"));
    pen.path("M-12 -66Q0 -52 12 -66Q0 -60 -12 -66Z", look.dark);
    return;
  } else if (pen.has("kel")) {
    pen.path("M-14 -72H14L10 -54Q0 -48 -10 -54Z", look.dark);
    [-8, 8].forEach((x) => pen.circle(x, -79, 5, "#2b2b30"));
    return;
  } else if (pen.has("diplomat", "queen", "handmaiden", "padme", "corde", "gunray", "senat") && pen.chance(0.85)) {
    headdress(pen, look);
  } else if (!pen.has("geonosian", "watto", "dexter")) {
    hair(pen, look);
  }
  if (hood) {
    pen.path("M-27 -40Q-34 -100 0 -106Q34 -100 27 -40Q22 -88 0 -90Q-22 -88 -27 -40Z", look.cloth);
    pen.path("M-17 -80Q0 -98 17 -80Q20 -62 14 -54Q8 -50 0 -50Q-8 -50 -14 -54Q-20 -62 -17 -80Z", "#000", { opacity: pen.has("sidious") ? 0.72 : 0.35 });
  }
  eyes(pen.has("sidious") ? hsl(48, 100, 62) : pen.has("geonosian", "zam") ? hsl(55, 90, 65) : "#15151c", pen.has("yoda", "geonosian", "watto") ? 3.4 : 2.2);
  pen.path("M-5 -61Q0 -58.500 5 -61", "none", { stroke: look.dark, "stroke-width": 1.1 });
  if (pen.has("tyranus", "windu", "organa", "obi-wan", "wesell", "hill") && pen.chance(0.7)) pen.path("M-11 -64Q0 -46 11 -64Q6 -56 0 -57Q-6 -56 -11 -64Z", hsl(30, 12, pen.between(30, 75)));
}

function hair(pen: Pen, look: Look): void {
  const color = hsl(pen.between(15, 45), pen.between(10, 50), pen.between(12, 60));
  const style = pen.whole(0, 3);
  if (style === 0) pen.path("M-20 -74Q-22 -100 0 -100Q22 -100 20 -74Q14 -88 0 -88Q-14 -86 -20 -74Z", color);
  else if (style === 1) pen.path("M-20 -60Q-26 -102 0 -101Q26 -102 20 -60Q18 -84 4 -90Q-14 -86 -20 -60Z", color);
  else if (style === 2) pen.path("M-21 -40Q-27 -102 0 -102Q27 -102 21 -40L14 -48Q18 -78 0 -88Q-18 -78 -14 -48Z", color);
  else {
    pen.path("M-19 -76Q-18 -99 0 -99Q18 -99 19 -76Q8 -90 -19 -76Z", color);
    if (pen.has("padawan")) pen.line(15, -76, 18, -44, color, 1.8);
  }
  pen.path("M-19 -78Q-18 -99 0 -100", "none", { stroke: look.rim, "stroke-width": 1.2, opacity: 0.7 });
}

function headdress(pen: Pen, look: Look): void {
  const color = hsl(pen.hue2, pen.between(40, 70), pen.between(32, 52));
  const gold = hsl(45, 80, 62);
  const style = pen.whole(0, 3);
  if (style === 0) pen.path("M-18 -82Q-34 -112 -14 -124Q0 -114 14 -124Q34 -112 18 -82Q0 -96 -18 -82Z", color);
  else if (style === 1) {
    pen.circle(0, -82, 32, color);
    pen.ellipse(0, -74, 18.5, 23, look.skin);
  } else if (style === 2) pen.path("M-17 -84L-12 -124H12L17 -84Q0 -94 -17 -84Z", color);
  else pen.path("M-28 -46Q-34 -104 0 -108Q34 -104 28 -46Q26 -88 0 -90Q-26 -88 -28 -46Z", color);
  pen.path("M-17 -86Q0 -98 17 -86L16 -82Q0 -93 -16 -82Z", gold);
  pen.circle(0, -95, 3, gold);
}

function cap(pen: Pen, look: Look): void {
  const color = hsl(pen.hue2, 30, 28);
  pen.path("M-21 -80Q-20 -102 0 -102Q20 -102 21 -80Q0 -88 -21 -80Z", color);
  pen.path("M-21 -80Q0 -89 21 -80L24 -76Q0 -84 -24 -76Z", look.dark);
}

function longNeck(pen: Pen, look: Look): void {
  pen.path("M-5 -40Q-7 -74 -4 -92H5Q7 -74 5 -40Z", look.skin);
  pen.ellipse(1, -104, 11, 16, look.skin);
  [-4, 6].forEach((x) => pen.ellipse(x, -104, 3, 4.5, "#16161c"));
  pen.path("M-2 -119Q0 -132 10 -134Q4 -126 5 -118Z", look.skin);
}

function helmet(pen: Pen, look: Look, hunter: boolean): void {
  const shell = hunter ? hsl(205, 14, 62) : hsl(pen.hue, 8, 88);
  const stripe = hunter ? hsl(220, 50, 40) : pen.pick([hsl(220, 70, 50), hsl(45, 85, 52), hsl(5, 70, 48), hsl(140, 45, 40)] as const);
  pen.path("M-22 -60Q-25 -104 0 -105Q25 -104 22 -60L17 -48H-17Z", shell);
  pen.path("M0 -105Q25 -104 22 -60L17 -48H4Z", "#000", { opacity: 0.22 });
  pen.path("M-18 -80H18L16 -71H4L3 -50H-3L-4 -71H-16Z", "#101016");
  pen.path("M-3 -105h6V-84h-6Z", stripe);
  pen.path("M-22 -62l-3 -12l4 -8ZM22 -62l3 -12l-4 -8Z", stripe);
  if (hunter) {
    pen.line(20, -84, 23, -120, look.dark, 2);
    pen.rect(17, -96, 8, 12, look.dark, { rx: 2 });
  }
}

function wings(pen: Pen, look: Look): void {
  for (const sign of [-1, 1]) pen.path(`M${sign * 20} -40Q${sign * 70} -90 ${sign * 84} -64Q${sign * 64} -34 ${sign * 24} -28Z`, hsl(40, 45, 75, 0.4), { stroke: look.dark, "stroke-width": 0.8 });
  pen.path("M-14 -90L-22 -108L-6 -96ZM14 -90L22 -108L6 -96Z", look.skin);
}

function droid(pen: Pen, look: Look): void {
  const metal = pen.has("protocol", "c-3po") ? hsl(44, 75, 56) : hsl(pen.hue, pen.between(8, 25), pen.between(42, 68));
  const dark = hsl(pen.hue, 20, 18);
  const bright = hsl(pen.hue, 25, 86);
  const eye = pen.has("c-3po") ? hsl(48, 100, 85) : hsl(pen.pick([0, 12, 200] as const), 100, 62);
  if (pen.has("destroyer")) {
    pen.circle(0, -48, 40, metal);
    pen.path("M-40 -48a40 40 0 0 1 80 0Z", bright, { opacity: 0.55 });
    pen.path("M-28 -56H28L20 -34H-20Z", dark);
    pen.circle(0, -46, 9, eye);
    pen.line(-34, -32, -62, -50, dark, 8);
    pen.line(34, -32, 62, -50, dark, 8);
    pen.circle(0, -48, 62, "none", { stroke: hsl(200, 90, 75, 0.5), "stroke-width": 2 });
    return;
  }
  const style = pen.has("c-3po") ? 0 : pen.has("super") ? 2 : pen.has("infantry", "b1") ? 1 : 3;
  pen.path("M-38 4L-34 -30L-14 -42H14L34 -30L38 4Z", metal);
  pen.path("M0 -42H14L34 -30L38 4H0Z", dark, { opacity: 0.45 });
  for (let at = 0; at < 3; at += 1) pen.rect(-10, -34 + at * 11, 20, 5, dark, { rx: 2 });
  if (style === 0) {
    pen.ellipse(0, -72, 19, 24, metal);
    pen.path("M0 -96A19 24 0 0 1 0 -48A28 40 0 0 0 0 -96Z", dark, { opacity: 0.3 });
    [-8, 8].forEach((x) => pen.circle(x, -76, 5, eye));
    pen.rect(-6, -61, 12, 3, dark);
  } else if (style === 1) {
    pen.line(0, -42, 2, -62, dark, 5);
    pen.path("M-12 -92L4 -98L32 -70L28 -58L-4 -66Z", metal);
    pen.circle(8, -80, 3, eye);
  } else if (style === 2) {
    pen.path("M-50 -34Q-44 -60 -14 -58H14Q44 -60 50 -34L40 -22H-40Z", metal);
    pen.path("M-12 -58Q0 -78 12 -58Z", bright);
    pen.circle(0, -63, 2.6, eye);
    pen.path("M-50 -34L-40 -22H40L50 -34L44 4H-44Z", dark, { opacity: 0.35 });
  } else {
    pen.path("M-20 -52L-26 -80L-10 -98H12L26 -82L18 -52Z", metal);
    pen.path("M-18 -76H20L15 -66H-14Z", dark);
    pen.circle(pen.between(-6, 8), -71, 3.6, eye);
    pen.line(12, -98, pen.between(16, 28), -120, dark, 2);
  }
  pen.path("M-38 4L-34 -30L-14 -42", "none", { stroke: look.rim, "stroke-width": 1.5, opacity: 0.8 });
}

function astromech(pen: Pen): void {
  pen.path("M-32 0V-62H32V0Z", hsl(210, 10, 86));
  pen.path("M-32 -62a32 34 0 0 1 64 0Z", hsl(210, 14, 70));
  pen.path("M-30 -66a32 34 0 0 1 60 0Z", "none", { stroke: hsl(220, 75, 45), "stroke-width": 5 });
  pen.circle(0, -78, 7, "#111");
  pen.circle(2, -80, 2, hsl(0, 95, 65));
  pen.rect(-22, -50, 44, 9, hsl(220, 75, 45));
  pen.rect(-22, -34, 18, 26, hsl(220, 75, 45));
  pen.rect(4, -34, 18, 26, hsl(220, 70, 40));
  pen.rect(-48, -52, 14, 56, hsl(210, 10, 74), { rx: 5 });
  pen.rect(34, -52, 14, 56, hsl(210, 10, 64), { rx: 5 });
}

function monster(pen: Pen, look: Look): void {
  const hue = pen.has("acklay") ? 95 : 30;
  const skin = hsl(hue, 30, 38);
  const dark = hsl(hue, 35, 20);
  if (pen.has("acklay")) {
    for (const [x, bend] of [[-70, -40], [-44, -24], [44, 24], [72, 40]] as const) pen.path(`M${100 + bend * 0.5} 78Q${100 + bend * 2} 30 ${100 + x * 1.2} 138h-7Q${100 + bend * 1.6} 50 ${96 + bend * 0.4} 86Z`, dark);
    pen.ellipse(100, 80, 34, 22, skin);
    pen.path("M74 66Q100 10 126 66Q100 52 74 66Z", skin);
    pen.path("M84 62L78 22L94 52ZM116 62L122 22L106 52Z", dark);
  } else {
    pen.path("M40 140Q40 60 100 56Q160 60 160 140Z", skin);
    pen.path("M62 66L50 30L84 56ZM138 66L150 30L116 56Z", dark);
    pen.path("M70 96Q100 124 130 96Q118 132 100 132Q82 132 70 96Z", "#1a0d0d");
    for (let at = 0; at < 6; at += 1) pen.path(`M${76 + at * 8} ${104 + (at % 2) * 2}l4 9l4 -9Z`, "#f3ead6");
  }
  for (const x of [-13, 13]) pen.circle(100 + x, 76, 4.4, hsl(50, 100, 62));
  for (const x of [-13, 13]) pen.ellipse(100 + x, 76, 1.1, 4, "#111");
  pen.circle(100, 70, 60, "none", { stroke: look.rim, "stroke-width": 0.6, opacity: 0.3 });
}

export function saber(pen: Pen, x: number, flip: number): void {
  const hue = pen.has("dark", "tyranus", "sidious", "vader") ? 358 : pen.has("windu") ? 285 : pen.pick([212, 130, 212] as const);
  const lean = pen.between(6, 26) * flip;
  const [x1, y1, x2, y2] = [x, 112, x + lean, 10];
  pen.line(x1, y1, x2, y2, hsl(hue, 100, 60, 0.28), 13);
  pen.line(x1, y1, x2, y2, hsl(hue, 100, 66, 0.85), 5.5);
  pen.line(x1, y1, x2, y2, "#fff", 2.3);
  pen.line(x1, y1, x1 - lean * 0.16, y1 + 17, "#3a3d44", 5);
}

function blaster(pen: Pen, x: number, flip: number): void {
  pen.group(`translate(${Math.round(x + flip * 20)} 118) scale(${flip} 1) rotate(${pen.whole(-34, -8)})`, () => {
    pen.path("M-10 -4H44V1H20L16 8H10L12 1H0L-6 13H-14Z", "#1b1d23");
    pen.line(-8, -4, 44, -4, "#788090", 1.2);
  });
}

/** A small figure for squads. */
export function standing(pen: Pen, x: number, y: number, scale: number, who: "jedi" | "soldier"): void {
  const cloth = who === "jedi" ? hsl(30, 35, pen.between(24, 34)) : pen.has("clone") ? hsl(pen.hue, 8, 86) : hsl(pen.hue, 30, pen.between(28, 42));
  pen.group(`translate(${Math.round(x)} ${Math.round(y)}) scale(${scale.toFixed(2)})`, () => {
    if (who === "jedi") {
      pen.path("M-13 0L-9 -42Q0 -50 9 -42L13 0Z", cloth);
      pen.circle(0, -55, 7.5, hsl(25, 40, pen.between(40, 65)));
      pen.path("M-9 -50Q-9 -66 0 -66Q9 -66 9 -50Q5 -60 0 -60Q-5 -60 -9 -50Z", cloth);
      const hue = pen.pick([212, 130] as const);
      const lean = pen.between(-18, 18);
      pen.line(11, -30, 11 + lean, -82, hsl(hue, 100, 62, 0.5), 6);
      pen.line(11, -30, 11 + lean, -82, "#fff", 1.8);
    } else {
      pen.path("M-10 0L-7 -24H-1L0 0ZM1 0L2 -24H8L11 0Z", cloth);
      pen.path("M-11 -22L-9 -46Q0 -52 9 -46L11 -22Z", cloth);
      pen.path("M0 -50Q9 -50 9 -46L11 -22H0Z", "#000", { opacity: 0.25 });
      pen.circle(0, -57, 7.5, pen.has("clone") ? hsl(0, 0, 92) : hsl(26, 40, 52));
      if (pen.has("clone")) pen.path("M-5 -59H5L4 -55H1V-51H-1V-55H-4Z", "#101016");
      else pen.path("M-8 -58Q-7 -67 0 -67Q7 -67 8 -58Z", hsl(pen.hue2, 30, 28));
      pen.line(-6, -34, 20, -39, "#1b1d23", 3.4);
    }
  });
}
