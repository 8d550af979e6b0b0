// The coach of Star Wars: The Card Game: objectives, resources as focus tokens, edge battles, and the Force.

import type { Card, Table } from "../protocol.js";
import { baseOf, fightOf, isOwnTurn, numberVar, seatVar, titleOf } from "../table/layouts/lcg/read.js";
import type { Advice, Catalogue, Lesson, Standing, Topic } from "./coach.js";
import { advised } from "./coach-moments.js";
import type { Moments, Scene } from "./coach-moments.js";

const TOPICS: readonly Topic[] = [
  {
    id: "aim",
    title: "A race",
    text: [
      "You play the Light Side. Destroy three objectives of the Dark Side and you win at once.",
      "The Dark Side only needs time: at the start of each of its turns the Death Star dial goes up by one, and faster while the Force is with it or when it destroys your objectives. At twelve you have lost.",
    ],
    rule: "lcg.win.ls",
  },
  {
    id: "objectives",
    title: "Objectives",
    text: [
      "Each side always has three objectives before it. They give resources, some have an effect, and they are what is attacked. The heart is how much damage one takes before it falls.",
      "Of the first four you keep three. Many resources at once make for a quick start.",
    ],
    rule: "lcg.setup.8_objectives",
  },
  {
    id: "resources",
    title: "Paying with focus tokens",
    text: [
      "Cards are paid for by ready cards with resources (the golden hexagon): a focus token on the card for each resource taken from it. A card with focus tokens is exhausted and grey; one token comes off in your refresh phase.",
      "One of the cards you pay with must be of the affiliation of the card you play. So two tokens on one objective means two turns without it: spread them.",
    ],
    rule: "lcg.res.generate",
  },
  {
    id: "draw",
    title: "Draw back up to six",
    text: [
      "Each turn you may discard one card, then you draw until you hold six. An empty hand is no shame: what you do not use is a card that you did not draw.",
      "But some cards are worth more in an edge battle than on the table. Keep an eye on their Force icons, the number in the upper right corner.",
    ],
    rule: "lcg.draw.2",
  },
  {
    id: "deploy",
    title: "Deployment",
    text: [
      "In the deployment phase you play units and enhancements, as many as you can pay. A unit may fight in the turn in which it comes.",
      "Leave somebody ready at home: your objectives can only be defended by units without focus tokens.",
    ],
    rule: "lcg.dep.play",
  },
  {
    id: "engage",
    title: "Engagements",
    text: [
      "In the conflict phase you may engage each enemy objective once. Declare ready units as attackers; your opponent declares defenders. Then there is an edge battle, and then strikes in turn.",
      "A unit that strikes gets a focus token, so attackers cannot defend in the turn after.",
    ],
    rule: "lcg.eng.2_attackers",
  },
  {
    id: "edge",
    title: "The edge battle",
    text: [
      "Both put cards from hand face down into their edge stacks, one at a time, until both pass. Then they are turned up and Force icons are counted. More icons have the edge; the defender wins ties.",
      "Whoever has the edge strikes first, and their white numbers count as well. All cards of the stacks are discarded, so do not spend your best ones. Fate cards do something when they are turned up.",
    ],
    rule: "lcg.edge.1_place",
  },
  {
    id: "strike",
    title: "Strikes",
    text: [
      "A unit strikes with all its icons: the blaster damages a unit in the engagement, the rings put focus tokens on enemy units, and the burst damages the engaged objective, but only from an attacker.",
      "Tactics before the enemy has struck keeps them from striking. If no defender is left at the end, the objective takes one more damage.",
    ],
    rule: "lcg.str.icons",
  },
  {
    id: "force",
    title: "The Balance of the Force",
    text: [
      "At the end of your turn you may commit units to the Force, three at most. Both sides then count the Force icons of their ready committed units; more of them win the Balance.",
      "With it you damage an enemy objective at the start of your turn. For the Dark Side it turns the dial once more. But a committed unit that strikes gets two focus tokens: commit those who stay at home.",
    ],
    rule: "lcg.force.struggle",
  },
  {
    id: "capture",
    title: "Captives",
    text: [
      "The Dark Side may capture your cards. They lie face down under one of its objectives, and you may not look.",
      "When that objective is destroyed you get them back into your hand.",
    ],
    rule: "lcg.cap.do",
  },
  {
    id: "respond",
    title: "Reactions and interrupts",
    text: [
      "Sometimes a card may answer what happens. You are asked only when one can. Both sides may also act in most phases, one action in turn.",
      "Passing costs nothing. Most of the time it is right.",
    ],
    rule: "lcg.ab.reaction",
  },
];

function advise(table: Table, catalogue: Catalogue): Advice {
  return advised(table, catalogue, MOMENTS, fightOf(table) ? ["engage"] : [], atTheEnd);
}

function atTheEnd(won: boolean): Advice {
  return {
    now: won ? "You win: the Death Star came too late." : "The game is over.",
    hint: won ? "You know all six phases now. Build a deck of your own sets next." : "The first one is for learning. Attack earlier next time: the dial does not wait.",
    topics: ["aim"],
  };
}

const MOMENTS: Moments = [
  {
    when: /^Choose three objectives/,
    say: () => ({ now: "Choose three objectives to begin with.", hint: "Take those with two resources, and one that helps what is in your deck. The fourth goes to the bottom.", topics: ["aim", "objectives"] }),
  },
  {
    when: /^Shuffle your six cards/,
    say: (scene) => ({ now: "Keep this hand, or draw six new cards?", hint: cheap(scene) > 0 ? `You can pay for ${cheap(scene)} of your units early. Keep it.` : "No unit here costs two or less. New cards are worth a try.", topics: ["resources"] }),
  },
  { when: /^Turn up which objective/, say: () => ({ now: "Turn your objectives up, one after the other.", hint: "The order matters only if one of them does something when it comes into play.", topics: ["objectives"] }) },
  { when: /^The Balance of the Force is with you/, say: () => ({ now: "The Force is with you: damage one of their objectives.", hint: "The one that is closest to falling, unless you will fight over another this turn.", topics: ["force"] }) },
  { when: /^You may discard a card/, say: () => ({ now: "You may discard one card before you draw.", hint: "One that you cannot pay for in the next turns and that has few Force icons.", topics: ["draw"] }) },
  { when: /^Discard down to/, say: (scene) => ({ now: scene.question.prompt, hint: "Few Force icons and a high cost go first.", topics: ["draw"] }) },
  { when: /^Pay \d+/, say: () => ({ now: "Choose what pays for it.", hint: "Cards without focus tokens that you do not need this turn; one token each rather than two on one.", topics: ["resources"] }) },
  { when: /^How many resources/, say: () => ({ now: "How many resources does this card give?", hint: "Each is a focus token on it. One is gone at your next refresh, two are not.", topics: ["resources"] }) },
  { when: /^Engage an objective/, say: engaging },
  { when: /^Declare attackers/, say: () => ({ now: "Who attacks?", hint: "Enough to win the fight with bursts among them, and not everybody: those who attack cannot defend.", topics: ["engage"] }) },
  { when: /^Declare defenders/, say: defending },
  { when: /^Place a card in your edge stack/, say: placing },
  { when: /^Strike with which unit/, say: () => ({ now: "Which unit strikes next?", hint: "Tactics first, on an enemy that has not struck; then blasters; bursts when nobody can strike back.", topics: ["strike"] }) },
  { when: /: place a focus token/, say: () => ({ now: "Put a focus token on an enemy unit.", hint: "Best on one that is in the fight and has not struck yet.", topics: ["strike"] }) },
  { when: /deals \d+ damage/, say: () => ({ now: "Which enemy unit is hit?", hint: "One that falls from it, or the strongest that has not struck.", topics: ["strike"] }) },
  { when: /: place a shield/, say: () => ({ now: "Put a shield on something of yours.", hint: "It stops one damage or one focus token. On whoever must not be stopped.", topics: ["engage"] }) },
  { when: /^Commit a unit/, say: committing },
  { when: /^In which order do your edge cards/, say: () => ({ now: "In which order are your edge cards discarded?", hint: "It seldom matters.", topics: ["edge"] }) },
  { when: /^Respond or pass/, say: () => ({ now: "You may answer what just happened, or pass.", hint: null, topics: ["respond"] }) },
  { when: /^Your action, or pass/, say: acting },
];

function optionCards({ table, question }: Scene): Card[] {
  if (question.kind === "number") return [];
  return question.options.flatMap((option) => (typeof option.card === "number" ? (table.cards[String(option.card)] ?? []) : []));
}

function inHand({ table, seat }: Scene): Card[] {
  return (table.zones[`hand.${seat}`]?.cards ?? []).flatMap((id) => table.cards[String(id)] ?? []);
}

/** Units in hand that an early turn can pay for. */
function cheap(scene: Scene): number {
  return inHand(scene).filter((card) => card.key && scene.catalogue.get(card.key)?.kind === "Unit" && (card.values.cost ?? 9) <= 2).length;
}

function acting(scene: Scene): Advice {
  const { table, seat } = scene;
  const resources = table.seats[seat]?.values.ready_resources ?? 0;
  if (fightOf(table)) return { now: "You may act in the engagement, or pass.", hint: "Pass, unless an event or a unit of yours is made for this.", topics: ["engage", "respond"] };
  if (!isOwnTurn(table)) return { now: "It is your opponent's turn; you may act all the same.", hint: "Pass, unless a card of yours is made for this moment.", topics: ["respond"] };
  switch (table.vars.phase) {
    case 4: {
      const hands = optionCards(scene).filter((card) => card.zone === `hand.${seat}`);
      return {
        now: `Deployment: ${resources} resources are ready. Cards that glow can be played.`,
        hint: hands.length === 0 ? "Nothing that you can pay for. Pass." : "Units first. Something that stays at home to defend is as good as something that attacks.",
        topics: ["resources", "deploy"],
      };
    }
    case 5:
      return { now: "The conflict phase: an action, or pass to choose an engagement.", hint: "Pass.", topics: ["engage"] };
    case 6:
      return { now: "The Force struggle is settled.", hint: "Pass to end your turn.", topics: ["force"] };
    default:
      return { now: "You may act, or pass.", hint: "There is time later. Pass.", topics: ["respond"] };
  }
}

function engaging({ table, seat }: Scene): Advice {
  const theirs = baseOf(table, 1 - seat).filter((card) => card.values.capacity !== undefined);
  const left = (card: Card) => (card.values.capacity ?? 0) - (card.counters.damage ?? 0);
  const [weakest] = [...theirs].sort((a, b) => left(a) - left(b));
  const guards = unitsOf(table, 1 - seat).filter((card) => !card.counters.focus).length;
  return {
    now: "You may engage one of their objectives.",
    hint: `${guards === 0 ? "Nobody can defend: attack." : `${guards} of their units could defend.`} ${weakest ? `${titleOf(weakest)} falls with ${left(weakest)} more damage.` : ""}`.trim(),
    topics: ["engage"],
  };
}

function defending({ table, seat }: Scene): Advice {
  const fight = fightOf(table);
  const hurt = fight ? (fight.at.values.capacity ?? 0) - (fight.at.counters.damage ?? 0) : 0;
  const blast = fight?.sides[0].units.reduce((sum, card) => sum + (card.values.blast_damage ?? 0) + (card.values.edge_blast_damage ?? 0), 0) ?? 0;
  const falls = blast + 1 >= hurt;
  return {
    now: fight ? `${titleOf(fight.at)} is attacked. Who defends?` : "Who defends?",
    hint: falls ? "It may fall now. One defender at least takes the bonus damage away." : unitsOf(table, seat).length > 1 ? "It holds without help. Defend if you can win something by it." : "It holds. You may let them have it.",
    topics: ["engage"],
  };
}

function unitsOf(table: Table, seat: number): Card[] {
  return (table.zones[`area.${seat}`]?.cards ?? []).flatMap((id) => table.cards[String(id)] ?? []).filter((card) => card.values.capacity !== undefined && card.parent === null);
}

function placing(scene: Scene): Advice {
  const fight = fightOf(scene.table);
  const best = inHand(scene).sort((a, b) => (b.values.force ?? 0) - (a.values.force ?? 0))[0];
  const unguarded = fight?.sides.some((side) => !side.attacks && side.units.length === 0);
  return {
    now: "Place a card in your edge stack, or pass.",
    hint: unguarded ? "Nobody defends: the edge is the attacker's anyway. Pass." : best?.key ? `${titleOf(best)} has the most Force icons (${best.values.force ?? 0}). A card that you cannot pay for soon is well spent here.` : null,
    topics: ["edge"],
  };
}

function committing(scene: Scene): Advice {
  const { table, seat } = scene;
  const [mine, theirs] = [table.seats[seat]?.values.struggling ?? 0, table.seats[1 - seat]?.values.struggling ?? 0];
  const tired = optionCards(scene).find((card) => !!card.counters.focus);
  return {
    now: `Commit a unit to the Force? Icons in the struggle: yours ${mine}, theirs ${theirs}.`,
    hint: mine > theirs ? "You are ahead. Commit more only if you must." : tired ? "Only ready units count, but those who are exhausted now will be ready later." : "A ready unit with many Force icons that seldom strikes is the one.",
    topics: ["force"],
  };
}

function balance(table: Table): Standing[] {
  const seat = table.seat ?? 0;
  const size = (zone: string, of: number) => (table.zones[`${zone}.${of}`]?.cards.length ?? 0) + (table.zones[`${zone}.${of}`]?.hidden ?? 0);
  const row = (name: string, mine: number, theirs: number): Standing => ({ name, mine, theirs, word: mine > theirs ? "yours" : theirs > mine ? "theirs" : "" });
  const of = (name: string, at: number) => table.seats[at]?.values[name] ?? 0;
  const holder = seatVar(table, "balance");
  return [
    row("Objectives destroyed", size("victory", seat), size("victory", 1 - seat)),
    { name: "Dial", mine: numberVar(table, "dial"), theirs: 12, word: "" },
    { ...row("Force struggle", of("struggling", seat), of("struggling", 1 - seat)), word: holder === seat ? "yours" : "theirs" },
    row("Ready resources", of("ready_resources", seat), of("ready_resources", 1 - seat)),
  ];
}

export const lcgLesson: Lesson = {
  about: "The Empire builds its station and counts the days; the rebels strike at what it holds dear. Both sides bring objectives, fight over them with characters and ships, bluff for the edge with the cards in their hands, and struggle for the Balance of the Force.",
  decks: ["core_jedi", "core_sith"],
  topics: TOPICS,
  advise,
  balance,
};
