// The coach of the Customizable Card Game: six phases, Force as the one thing that is counted, and battles.

import type { Card, Question, Table } from "../protocol.js";
import { battleOf, nameIn, planetsOf, sideAt, totalOf } from "../table/layouts/ccg/read.js";
import type { Advice, Catalogue, Lesson, Standing, Topic } from "./coach.js";
import { advised } from "./coach-moments.js";
import type { Moments, Scene } from "./coach-moments.js";

const TOPICS: readonly Topic[] = [
  {
    id: "life",
    title: "Your deck is your life",
    text: [
      "There are no life points here: your sixty cards are your Life Force. They go round: from the Reserve Deck to the Force Pile when you activate, to the Used Pile when you spend them, and back under the Reserve Deck at the end of the turn.",
      "What is lost goes to the Lost Pile and stays there. Whose Reserve Deck, Force Pile and Used Pile are all empty has lost the game.",
    ],
    rule: "ccg.1.A.life-force",
  },
  {
    id: "start",
    title: "A place to start at",
    text: [
      "Each side begins with one location of its own choice. Locations are shared: both sides may go to every one of them.",
      "The icons on your end of a location are Force that you get each turn. So start where you have many, and your opponent few.",
    ],
    rule: "ccg.2.start.location",
  },
  {
    id: "activate",
    title: "Activate: Force for the turn",
    text: [
      "Your turn has six phases, shown at the top. In the first you activate Force: one for each of your icons on all locations, and one more. That many cards go unseen from your Reserve Deck to your Force Pile.",
      "Usually take all of it: what you do not spend is drawn, or stays for the opponent's turn.",
    ],
    rule: "ccg.3.activate.phase",
  },
  {
    id: "drain",
    title: "Control: Force drains",
    text: [
      "You control a location where you have presence (characters with ability) and your opponent has none. There you may Force drain in your control phase: your opponent loses one Force for each of their own icons at that place.",
      "This is how most games are won. Be where your opponent has icons, and make them come to you.",
    ],
    rule: "ccg.4.drain",
  },
  {
    id: "deploy",
    title: "Deploy: out of your hand",
    text: [
      "Deploy cards by using as much Force as the number in their upper left corner. Characters go to locations where you have Force icons or presence; weapons and devices go onto characters.",
      "Locations cost nothing and pay every turn: lay them first.",
    ],
    rule: "ccg.5.deploy.phase",
  },
  {
    id: "battle",
    title: "Battle: power and destiny",
    text: [
      "In your battle phase one Force starts a battle at a location where both sides have presence. Weapons fire first. Then power is added up; a side with ability 4 or more in all also draws battle destiny: the number in the upper right corner of the top card of its Reserve Deck.",
      "Destiny adds to your power, and it is attrition for the other side as well.",
    ],
    rule: "ccg.6.battle",
  },
  {
    id: "damage",
    title: "Attrition and battle damage",
    text: [
      "The loser takes the difference as battle damage. It is paid by losing Force, or by forfeiting characters from the battle, each for its forfeit number (with the shield).",
      "Attrition can only be paid with characters from the battle, and both sides may owe it. One forfeit counts against both.",
    ],
    rule: "ccg.6.battle.damage",
  },
  {
    id: "move",
    title: "Move: to the next site",
    text: [
      "In the move phase each character may go to a neighbouring site for one Force. Docking bays lead to other planets.",
      "Go where you can drain next turn, or out of the way of somebody stronger. The opponent moves and battles before you drain.",
    ],
    rule: "ccg.7.regular",
  },
  {
    id: "draw",
    title: "Draw: what is left becomes your hand",
    text: [
      "At the end draw as many cards as you like from your Force Pile. Leave one or two if you hold something to play in your opponent's turn.",
      "Then the Used Pile goes back under the Reserve Deck, and it is your opponent's turn.",
    ],
    rule: "ccg.8.draw",
  },
  {
    id: "respond",
    title: "Interrupts and responses",
    text: [
      "When something happens that one of your cards can answer, you are asked. Interrupts are played from your hand: used ones come back with the Used Pile, lost ones do not.",
      "Passing costs nothing. Most of the time it is right.",
    ],
    rule: "ccg.1.C.stack",
  },
];

function advise(table: Table, catalogue: Catalogue): Advice {
  return advised(table, catalogue, MOMENTS, table.vars.battle_at ? ["battle"] : [], atTheEnd);
}

function atTheEnd(won: boolean): Advice {
  return {
    now: won ? "Your opponent has no Life Force left: you win." : "The game is over.",
    hint: won ? "You know all six phases now. Try a deck of your own next." : "The first one is for learning. The replay shows where your Force went.",
    topics: ["life"],
  };
}

const MOMENTS: Moments = [
  {
    when: /^Choose your starting location/,
    say: () => ({ now: "Choose the location you start at.", hint: "Take one with two icons of your own, if you have it: that is Force in every turn.", topics: ["life", "start"] }),
  },
  {
    when: /^Both start at/,
    say: () => ({ now: "Both of you chose the same location. One may lie on the other.", hint: "It makes little difference. Say yes.", topics: ["start"] }),
  },
  {
    when: /^Activate how much/,
    say: () => ({ now: "How much Force do you activate?", hint: "All of it, in the first turns.", topics: ["activate"] }),
  },
  {
    when: /^(Lose|Battle damage)/,
    say: paying,
  },
  {
    when: /^Draw how many battle destiny/,
    say: () => ({ now: "You may draw battle destiny.", hint: "Draw: it adds to your power and hurts the other side.", topics: ["battle"] }),
  },
  {
    when: /^Deploy .+ where/,
    say: (scene) => ({ now: "Where does it go?", hint: whereTo(scene), topics: ["deploy"] }),
  },
  {
    when: /^Move .+ where/,
    say: (scene) => ({ now: "Where does it move to?", hint: whereTo(scene), topics: ["move"] }),
  },
  {
    when: /^Behind which location/,
    say: () => ({ now: "Where in the row does the new site lie?", hint: "Sites beside each other are one move apart. Near your own people is good.", topics: ["deploy"] }),
  },
  {
    when: /^In which order/,
    say: () => ({ now: "In which order do they go?", hint: "It seldom matters. Choose one after the other.", topics: [] }),
  },
  { when: /^Respond/, say: () => ({ now: "You may answer what just happened, or pass.", hint: "Keep an Interrupt for a moment when it saves or costs more than one Force.", topics: ["respond"] }) },
  { when: /^Your action, or pass/, say: inPhase },
];

function labels(question: Question): string[] {
  return question.kind === "number" ? [] : question.options.map((option) => option.label);
}

function inPhase(scene: Scene): Advice {
  const { table, question, seat } = scene;
  const offers = labels(question);
  const can = (start: string) => offers.filter((label) => label.startsWith(start));
  if (table.vars.turn_of !== seat) return { now: "It is your opponent's turn; you may act all the same.", hint: "Pass, unless a card of yours is made for this moment.", topics: ["respond"] };
  switch (table.vars.phase_now) {
    case "activate_phase":
      return {
        now: can("Activate").length > 0 ? "Activate your Force: click your Reserve Deck." : "You have activated. Go on.",
        hint: `Your icons give you ${table.seats[seat]?.values.generation ?? 1} Force a turn.`,
        topics: ["activate", "life"],
      };
    case "control_phase": {
      const drains = can("Force drain");
      return { now: drains.length > 0 ? `You may Force drain at ${drains.length === 1 ? "one location" : `${drains.length} locations`}.` : "Your control phase.", hint: drains.length > 0 ? "Click the location that glows. There is nearly never a reason not to." : "You control no place where your opponent has icons. Pass.", topics: ["drain"] };
    }
    case "deploy_phase": {
      const force = (table.zones[`force.${seat}`]?.hidden ?? 0) + (table.zones[`force.${seat}`]?.cards.length ?? 0);
      const lands = (question.kind === "number" ? [] : question.options).filter((option) => kindOf(scene, option.card) === "Location");
      return {
        now: `Deploy: ${force} Force to spend. Cards that glow can be deployed.`,
        hint: lands.length > 0 ? "You hold a location. Lay it: it is free, and gives Force from now on." : force === 0 ? "Your Force is spent. Pass." : "Put two or three characters together rather than one everywhere: ability 4 at a place draws battle destiny.",
        topics: ["deploy"],
      };
    }
    case "battle_phase":
      return battlePhase(scene, can("Initiate"));
    case "move_phase":
      return { now: "You may move characters, one Force each.", hint: "Towards a place with your opponent's icons and none of their people; or pass.", topics: ["move"] };
    case "draw_phase":
      return { now: "Draw cards from your Force Pile, one by one.", hint: "Draw until you hold seven or eight. Keep one Force if an Interrupt in your hand costs something.", topics: ["draw"] };
    default:
      return table.vars.battle_at ? { now: "The weapons segment: fire, or pass.", hint: "A hit card is lost at the end of the battle.", topics: ["battle"] } : { now: "You may act, or pass.", hint: null, topics: [] };
  }
}

function battlePhase({ table, seat }: Scene, battles: string[]): Advice {
  if (table.vars.battle_at) return { now: "The battle goes on: fire a weapon, or pass.", hint: "Weapons come before power is counted.", topics: ["battle"] };
  if (battles.length === 0) return { now: "Your battle phase.", hint: "Nowhere do both of you have presence. Pass.", topics: ["battle"] };
  const better = planetsOf(table).flatMap((planet) => planet.places).filter((place) => {
    const [mine, theirs] = [totalOf(place, "total_power", seat), totalOf(place, "total_power", 1 - seat)];
    return theirs > 0 && mine > theirs && totalOf(place, "total_ability", 1 - seat) > 0;
  });
  const [first] = better;
  return { now: "You may start a battle: click a location that glows.", hint: first ? `At ${nameIn(first).name} you have more power.` : "Nowhere are you stronger. Wait for help, unless you trust your destiny.", topics: ["battle"] };
}

function paying({ table, question }: Scene): Advice {
  const battle = battleOf(table);
  const own = battle?.sides[1];
  return {
    now: own ? `You still owe ${own.damage} battle damage and ${own.attrition} attrition.` : question.prompt,
    hint: own && own.attrition > 0 ? "Forfeit a character that covers as much of both as possible." : "Click a pile or a card in your hand. Losing from the Used Pile or the Reserve Deck hurts least; a card in your hand is one that you know.",
    topics: own ? ["damage"] : ["life", "drain"],
  };
}

/** Where one's own people already are, or where something can be drained. */
function whereTo({ table, question, seat }: Scene): string {
  const places = (question.kind === "number" ? [] : question.options).map((option) => (typeof option.card === "number" ? table.cards[String(option.card)] : undefined)).filter((card): card is Card => card !== undefined && card.zone === "locations");
  const drainable = places.find((place) => totalOf(place, "drain", seat) > 0 && sideAt(table, place.id, 1 - seat).length === 0);
  if (drainable) return `At ${nameIn(drainable).name} nobody stands in your way: hold it, and you can Force drain there for ${totalOf(drainable, "drain", seat)}.`;
  const mine = places.find((place) => sideAt(table, place.id, seat).length > 0);
  return mine ? `Your people are at ${nameIn(mine).name}: together they are safer.` : "Any of these will do.";
}

function kindOf({ table, catalogue }: Scene, card: number | null): string {
  const key = card === null ? null : table.cards[String(card)]?.key;
  return key ? (catalogue.get(key)?.kind ?? "") : "";
}

function balance(table: Table): Standing[] {
  const seat = table.seat ?? 0;
  const size = (of: number) => ["reserve", "force", "used"].reduce((sum, zone) => sum + (table.zones[`${zone}.${of}`]?.hidden ?? 0) + (table.zones[`${zone}.${of}`]?.cards.length ?? 0), 0);
  const places = planetsOf(table).flatMap((planet) => planet.places);
  const held = (of: number) => places.filter((place) => totalOf(place, "total_ability", of) > 0 && totalOf(place, "total_ability", 1 - of) === 0).length;
  const row = (name: string, count: (of: number) => number): Standing => {
    const [mine, theirs] = [count(seat), count(1 - seat)];
    return { name, mine, theirs, word: mine > theirs ? "yours" : theirs > mine ? "theirs" : "" };
  };
  return [row("Life Force", size), row("Force a turn", (of) => table.seats[of]?.values.generation ?? 1), row("Controlled", held)];
}

export const ccgLesson: Lesson = {
  about: "Two sides fight over the places of the galaxy. Your sixty cards are your life: you spend them as Force, they come back, and what your opponent drains from you or beats out of you is gone. Whoever has none left has lost.",
  decks: ["premiere_light", "premiere_dark"],
  topics: TOPICS,
  advise,
  balance,
};
