// The coach of Star Wars: The Card Game: objectives, resources as focus tokens, edge battles, and the Force.

import type { Card, Table } from "../protocol.js";
import { baseOf, fightOf, isOwnTurn, numberVar, seatVar, titleOf } from "../table/layouts/lcg/read.js";
import { isSingle } from "../table/model.js";
import type { Advice, Catalogue, Lesson, Standing, Topic } from "./coach.js";
import { advised, cardsOf, inWindow, type Moments, said, type Scene } from "./coach-moments.js";

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

const ATTACK = said("Who attacks?", "Enough to win the fight with bursts among them, and not everybody: those who attack cannot defend.", "engage");
const DISCARD = said("Cards of your hand are to be discarded.", "Few Force icons and a high cost go first.", "draw");
const GONE = said("One of your cards has to go.", "The one that you need least: exhausted, damaged, or cheap.", "resources");
const CAPTURED = said("At which objective does the captive lie?", "At the one that is hardest to destroy: it comes free with it.", "capture");
const HURT_OWN = said("Your opponent's card hurts something of yours. You choose what.", "Something that survives it.", "strike");
const FATE = said("Fate cards take effect.", "The order seldom matters; what damages comes first.", "edge");
const PROTECT = said("A protector may take the damage. How much?", "So much that both survive, if that can be.", "engage");
const PAYING = "Each resource is a focus token on its card. One is gone at your next refresh, two are not: rather one each, on cards that you do not need this turn.";
const RESCUED = said("A captive comes free.", "Into play with it, if you may.", "capture");
const CLEANSE = said("What is taken off this card?", "All damage and focus; of the enhancements those that are your opponent's.", "resources");
const PILOT = said("Who flies what?", "A Pilot makes a Vehicle better. Choose the one that fights most.", "deploy");

/** What happens, by the window in which it can be answered. */
const ANSWERED: Readonly<Record<string, string>> = {
  turn_begun: "A turn begins. You may answer, or pass.",
  refreshed: "The refresh is done. You may answer, or pass.",
  attack_declared: "An engagement was declared. You may answer, or pass.",
  defense_declared: "Defenders were declared. You may answer, or pass.",
  edge_won: "The edge battle is decided. You may answer, or pass.",
  focused: "A unit is about to strike. You may answer, or pass.",
  damaging: "Damage is about to be dealt. You may answer, or pass.",
  destroying: "Something is about to be destroyed. You may answer, or pass.",
  using: "A card takes effect. You may answer, or pass.",
  was_played: "A card was played. You may answer, or pass.",
  entered: "A card has come into play. You may answer, or pass.",
};

/** By the name of the question. */
const MOMENTS: Moments = {
  choose_objectives: said("Choose three objectives to begin with.", "Take those with two resources, and one that helps what is in your deck. The fourth goes to the bottom.", "aim", "objectives"),
  mulligan: (scene) => ({ now: "Keep this hand, or draw six new cards?", hint: cheap(scene) > 0 ? `You can pay for ${cheap(scene)} of your units early. Keep it.` : "No unit here costs two or less. New cards are worth a try.", topics: ["resources"] }),
  turn_up_objective: said("Turn your objectives up, one after the other.", "The order matters only if one of them does something when it comes into play.", "objectives"),
  put_objective_into_play: said("Put an objective of your deck into play.", "One with many resources, or whose effect you can use from now on.", "objectives"),
  damage_which_objective: said("The Force is with you: damage one of their objectives.", "The one that is closest to falling, unless you will fight over another this turn.", "force"),
  discard_before_draw: said("You may discard one card before you draw.", "One that you cannot pay for in the next turns and that has few Force icons.", "draw"),
  discard_to_reserve: DISCARD,
  pay_with_which_cards: said("Choose the cards that pay for it, or leave it to the rules.", PAYING, "resources"),
  pay_how_much: said("How many resources does this card give?", PAYING, "resources"),
  "ability enhance": said("On what does the enhancement lie?", "On something that stays: a strong unit of yours, or what the card is meant to hinder.", "deploy"),
  pilot_which_vehicle: PILOT,
  enhance_which_card: said("What does it enhance?", "The card that will fight or stay the longest: what lies on it is lost with it.", "deploy"),
  lose_which_keyword: said("Which keyword does the unit lose?", "The one that matters in the fight to come."),
  remove_which_token: said("Which token is removed?", "Damage from a unit that would fall, focus from one that should act again."),
  search_deck: said("Choose a card from those you see, or none.", "What helps you this turn, or what you cannot win without."),
  discard_which_pilot: said("Only one Pilot may stay.", "Keep the better one.", "deploy"),
  // Objective and attackers at once; what was left open of them is asked for after that.
  engage: engaging,
  attack_which_objective: engaging,
  choose_attackers: ATTACK,
  choose_defenders: defending,
  place_edge_card: placing,
  resolve_which_fate: FATE,
  resolve_fate_again: said("A fate card may take effect once more.", "Yes, unless it could hurt you.", "edge"),
  resolve_fate: FATE,
  "ability fate": (scene) => ({ now: `${scene.card}: ${scene.question.prompt}`, hint: "The strongest of theirs that has not struck, or one that falls from it.", topics: ["edge"] }),
  order_discards: said("In which order do your cards go to the discard pile?", "It seldom matters. What goes last lies on top."),
  order_destroyed_objectives: said("Objectives of both sides fall at once. In which order do they count?", "First the one that would end the game for you.", "aim"),
  order_edge_cards: said("In which order are your edge cards discarded?", "It seldom matters.", "edge"),
  strike_with_which_unit: said("Which unit strikes next?", "Tactics first, on an enemy that has not struck; then blasters; bursts when nobody can strike back.", "strike"),
  strike_with_which_icon: said("Which of its icons does the unit use first?", "Tactics before damage, if an enemy could still strike. Bursts when the objective can fall.", "strike"),
  focus_whom: said("Put a focus token on an enemy unit.", "Best on one that is in the fight and has not struck yet.", "strike"),
  strike_whom: said("Which enemy unit is hit?", "One that falls from it, or the strongest that has not struck.", "strike"),
  strike_whom_also: said("Where does this point of damage go?", "Finish one enemy before you begin with the next.", "strike"),
  shield_whom: said("Put a shield on something of yours.", "It stops one damage or one focus token. On whoever must not be stopped.", "engage"),
  use_shield: said("Is the shield used?", "Yes, if the damage or the focus token would cost you more than the shield.", "engage"),
  protect_how_much: PROTECT,
  commit_to_the_force: committing,
  capture_where: CAPTURED,
  capture_which_card: said("Which card is captured?", "The one that your opponent would miss most.", "capture"),
  order_top_of_deck: said("In which order do they go back on the deck?", "What you would rather not meet soon comes first: the last one is on top.", "capture"),
  rescue_where: RESCUED,
  put_into_play: RESCUED,
  discard_damage_tokens: CLEANSE,
  discard_focus_tokens: CLEANSE,
  discard_shields: CLEANSE,
  discard_enhancements: CLEANSE,
  gain_which_icon: said("Which icon does it gain?", "A blaster against units, a burst against an objective, tactics to hold somebody back.", "strike"),
  damage_own_unit: HURT_OWN,
  damage_own_objective: HURT_OWN,
  focus_own_attacker: said("One of your attackers gets a focus token. Which?", "One that has struck already, or strikes least.", "strike"),
  discard_from_hand: DISCARD,
  discard_from_opponents_hand: said("Discard a card of your opponent's hand.", "Any; you cannot see them all."),
  sacrifice_which_card: GONE,
  keep_three_units: said("Three of your units may stay.", "Keep the strongest.", "engage"),
  destroy_which_unit: GONE,
  order_bottom_of_deck: said("In which order do they go under the deck?", "What you need soonest comes first."),
  resolve_which_effect: said("Several effects come at once. Which first?", "It seldom matters.", "respond"),
  respond: inWindow(
    ANSWERED,
    "You may answer what just happened, or pass.",
    "What is written as a Reaction or Interrupt costs nothing but the moment; an event costs a card.",
    "respond",
  ),
  take_action: acting,
  "cost focus_which_card": said("Which card is focused for it?", "One that you do not need this turn.", "resources"),
  "cost sacrifice_which_card": GONE,
  "cost discard_from_hand": DISCARD,
  "cost discard_how_many": DISCARD,
};

function inHand({ table, seat }: Scene): Card[] {
  return (table.zones[`hand.${seat}`]?.cards ?? []).flatMap((id) => table.cards[String(id)] ?? []);
}

/** Units in hand that an early turn can pay for. */
function cheap(scene: Scene): number {
  return inHand(scene).filter((card) => card.key && scene.catalogue.get(card.key)?.kind === "Unit" && (card.values.cost ?? 9) <= 2).length;
}

/** The phases of one's own turn, by their windows. */
const PHASES: Moments = {
  deploy_window: (scene) => {
    const hands = cardsOf(scene).filter((card) => card.zone === `hand.${scene.seat}`);
    return {
      now: `Deployment: ${scene.table.seats[scene.seat]?.values.ready_resources ?? 0} resources are ready. Cards that glow can be played.`,
      hint: hands.length === 0 ? "Nothing that you can pay for. Pass." : "Units first. Something that stays at home to defend is as good as something that attacks.",
      topics: ["resources", "deploy"],
    };
  },
  conflict_window: said("The conflict phase: an action, or pass to choose an engagement.", "Pass.", "engage"),
  force_window: said("The Force struggle is settled.", "Pass to end your turn.", "force"),
};

function acting(scene: Scene): Advice {
  const { table } = scene;
  if (fightOf(table)) return { now: "You may act in the engagement, or pass.", hint: "Pass, unless an event or a unit of yours is made for this.", topics: ["engage", "respond"] };
  if (!isOwnTurn(table)) return { now: "It is your opponent's turn; you may act all the same.", hint: "Pass, unless a card of yours is made for this moment.", topics: ["respond"] };
  return PHASES[scene.window]?.(scene) ?? { now: "You may act, or pass.", hint: "There is time later. Pass.", topics: ["respond"] };
}

function engaging({ table, question, seat }: Scene): Advice {
  const theirs = baseOf(table, 1 - seat).filter((card) => card.values.capacity !== undefined);
  const left = (card: Card) => (card.values.capacity ?? 0) - (card.counters.damage ?? 0);
  const [weakest] = [...theirs].sort((a, b) => left(a) - left(b));
  const guards = unitsOf(table, 1 - seat).filter((card) => !card.counters.focus).length;
  return {
    now: isSingle(question) ? "Which of their objectives is attacked?" : "You may engage one of their objectives: choose it and the units that attack it.",
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
  return (table.zones[`area.${seat}`]?.cards ?? []).flatMap((id) => table.cards[String(id)] ?? []).filter((card) => card.values.capacity !== undefined && (card.parent ?? null) === null);
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
  const tired = cardsOf(scene).find((card) => !!card.counters.focus);
  return {
    now: `Commit units to the Force? Icons in the struggle: yours ${mine}, theirs ${theirs}.`,
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
  names: { questions: Object.keys(MOMENTS), windows: [...Object.keys(ANSWERED), ...Object.keys(PHASES)], actions: [] },
  balance,
};
