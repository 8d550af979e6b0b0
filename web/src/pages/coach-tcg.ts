// The coach of the Trading Card Game. It reads the table as it is: the ask, the phase and what lies where.

import type { Card, Table } from "../protocol.js";
import { optionsOf } from "../table/model.js";
import type { Advice, Catalogue, Lesson, Standing, Topic } from "./coach.js";
import { advised, cardsOf, type Moments, said, type Scene, taking } from "./coach-moments.js";

type TopicId = "setup" | "ready" | "build" | "deploy" | "retreat" | "speed" | "attack" | "dice" | "force" | "win";

/** In the order in which a game usually meets them. */
const TOPICS: readonly (Topic & { id: TopicId })[] = [
  {
    id: "setup",
    title: "Thirty points to start with",
    text: [
      "Before the first turn each side lays out units for up to 30 points. What a unit counts for is its build cost, the number in its upper corner.",
      "You place one, draw one, and so on, until you are ahead of your opponent; then it is their go. Placing does not use up your hand, since you draw for each unit.",
      "If nothing fits exactly, the rest may go onto one last unit, which then waits half built in your build zone.",
    ],
    rule: "tcg.setup.4_2",
  },
  {
    id: "ready",
    title: "A new turn: Force and build points",
    text: [
      "Both players share each turn. It opens with everything untapped, 4 more Force for each side, and one die: both players get that many build points.",
      "Have a unit in all three arenas and you get one point more. Over a few turns that is a whole unit for nothing.",
      "Force is saved from turn to turn. Build points are not: use them or lose them.",
    ],
    rule: "tcg.turn.ready3_roll",
  },
  {
    id: "build",
    title: "Building",
    text: [
      "Choose a card from your hand and put build points on it. It lies face down in your build zone, with its counters in plain sight: your opponent sees how much, not what.",
      "You need not pay at once. Half a cruiser this turn, the other half next turn, is quite usual. You may even put on more than it costs, as a bluff.",
    ],
    rule: "tcg.build.start",
  },
  {
    id: "deploy",
    title: "Deploying",
    text: [
      "A card with all its counters may be turned face up in your build step. A unit goes to its own arena: ships to Space, vehicles to Ground, people to the Character arena.",
      "It arrives untapped, so it fights in this very turn. Missions do what they say and are gone; Locations and Equipment stay.",
    ],
    rule: "tcg.build.ready",
  },
  {
    id: "retreat",
    title: "Retreating",
    text: [
      "After building, and before any shot is fired, you may pull untapped units back into your build zone. There nobody can attack them, but they do not fight either.",
      "Use it for a unit that is nearly dead. Take care not to leave an arena empty: who is alone there controls it. In a later build step the unit may go back.",
    ],
    rule: "tcg.retreat.step",
  },
  {
    id: "speed",
    title: "Who shoots first",
    text: [
      "Battle goes through the arenas in order: Space, Ground, Character. In each of them the fastest untapped unit acts first, whoever owns it, then the next fastest.",
      "Speed wins fights: a unit that is destroyed before its turn never fires. Between equals the Dark Side goes first.",
    ],
    rule: "tcg.battle.order",
  },
  {
    id: "attack",
    title: "Attacking",
    text: [
      "A unit attacks one enemy in its own arena and is tapped for the rest of the turn. The defender does not shoot back; its own turn comes by its own speed.",
      "Attacking is not compulsory, but a unit that holds its fire is tapped all the same.",
    ],
    rule: "tcg.attack.step1",
  },
  {
    id: "dice",
    title: "Dice and damage",
    text: [
      "Power is the number of dice. Each die that shows 4, 5 or 6 is a hit, and a hit is one damage: half of your dice, on average.",
      "Damage stays from turn to turn. When it reaches the unit's health, the unit is discarded. So it is mostly better to finish one enemy than to scratch three.",
    ],
    rule: "tcg.attack.hit",
  },
  {
    id: "force",
    title: "Force, Evade and Battle cards",
    text: [
      "At many moments both players may play something or pass. That is what Force is for: Battle cards from your hand, and abilities written on your units with an arrow.",
      "Evade prevents damage that is about to be done. It comes after the dice, so you pay only when you know what it saves. Deflect does the same and throws the damage at somebody else.",
      "Passing costs nothing. Where you have nothing to play, we pass for you.",
    ],
    rule: "tcg.pop.general",
  },
  {
    id: "win",
    title: "How to win",
    text: [
      "You control an arena when you have a unit there and your opponent has none. Whoever controls two of the three when a turn ends has won.",
      "That makes three small wars of it. You can lose one of them entirely, if you win the other two.",
    ],
    rule: "tcg.end.win",
  },
];

const ARENAS = [
  { zone: "space", english: "Space" },
  { zone: "ground", english: "Ground" },
  { zone: "character", english: "Character" },
] as const;

interface ArenaState {
  english: string;
  mine: number;
  theirs: number;
}

function advise(table: Table, catalogue: Catalogue): Advice {
  const meanwhile: TopicId[] = table.vars.setting_up === true ? ["setup"] : table.vars.attacker ? ["dice"] : [];
  return advised(table, catalogue, MOMENTS, meanwhile, atTheEnd);
}

/** How many units of each side stand in the three arenas. */
function arenas(table: Table, catalogue: Catalogue): ArenaState[] {
  const seat = table.seat ?? 0;
  return ARENAS.map(({ zone, english }) => {
    const units = cardsIn(table, zone).filter((card) => isUnit(card, catalogue));
    const mine = units.filter((card) => card.controller === seat).length;
    return { english, mine, theirs: units.length - mine };
  });
}

function atTheEnd(won: boolean): Advice {
  return {
    now: won ? "The game is yours." : "The game is over.",
    hint: won
      ? "You know all you need. Next, try the stronger bot, or build a deck of your own."
      : "Everybody loses the first one. The replay shows where it turned; and a rematch is one click away.",
    topics: ["win"],
  };
}

const REROLL = said("Which dice are rolled again?", "Choose those that you would rather not see: misses when you attack, hits when you defend.", "dice");
const REROLL_CHANCE = said("The dice lie. You may do something about them, or pass.", "Rolling again is worth it when many of them are not what you want.", "dice", "force");
const OVERKILL = said("More hits than needed: some may go to another unit.", "Give them to one that falls from them, or is nearly hurt enough.", "dice");
const PREVENT = said("How much of this damage do you prevent?", "As much as you can: you have paid for it already.", "force");
const SPARE = said("Whom do you spare the damage?", "The one that it would destroy; else the one that cost you most.", "force");
const BID = said(
  "Both sides have the same person in battle. Bid Force: the loser's unit goes back to the build zone.",
  "Build cost and bid are added up, and only the winner pays. Bid what it is worth to you, not more.",
  "force",
);
const DISCARD = said("Cards of your hand are to be discarded.", "Take what costs most Force, or waits for something rare.");
const DAMAGE = said("Damage is dealt. To whom, and how much?", "Finish off what is nearly gone; a unit that falls does no harm any more.", "dice");
const GUESS = said("Guess what the dice will bring.", "About half of them hit. Say that number.", "dice");
const SEARCH = said("Choose among these cards.", "What is missing in your weakest arena; of your opponent's cards the one that you fear most.", "build");
const KEEP = said("Which of these cards do you keep?", "Units that you can pay for soon, for an arena in which you are behind.");
const BOTTOM = said("Cards go to the bottom of a deck.", "What lies there does not come back soon, so the order hardly matters.");
const ARENA = said("Which arena is it?", "Where it decides who holds the arena at the end of the turn.", "win");
const STACK = said("Which card of a stack is it?", "The card on top is the one that fights: let the best be there.", "setup");
const PILOT = said("Who flies what?", "A pilot makes a unit better and is lost with it. Choose the unit that you will keep longest.", "deploy");

/** Actions of the rules that the coach looks for: what can be finished, and what comes back. */
const FINISHES = "bring_out";
const BUILDS_UP = "build_up";
const SETS_ALL = "set_all_on";
const COMES_BACK = "into_battle";
const [REROLLS, PREVENTS] = ["reroll_window", "prevent_window"] as const;

/** By the name of the question. */
const MOMENTS: Moments = {
  mulligan: said(
    "You may swap cards of your first hand that are not units.",
    "You will need units for the set-up. Cards that cost a lot of Force, or that wait for something rare, can go; if unsure, keep all.",
    "setup",
  ),
  place_unit: settingUp,
  place_in_stack: said("You have another version of this person there. Does it go on top or beneath?", "The card on top is the one that fights; each card beneath makes it a little faster and stronger. The better one goes on top.", "setup"),
  build_step: building,
  build_how_much: said("How many build points go onto this card?", "Pay all that it costs and you can deploy it at once. If you cannot, put on what you have left and finish it next turn.", "build"),
  add_how_much: said("How many more build points go onto this card?", "What is still missing, if you have it. The rest can wait for the next turn.", "build"),
  deploy_where: said("The unit is built. Where does it go?", "To its arena, unless a faster enemy there would only shoot it down.", "deploy"),
  complete_card_as: said("The card is paid for. What does it do?", "Read both, and take what changes more on the table right now.", "deploy"),
  equip_which_unit: said("Which unit carries it?", "One that will fight often and not fall soon.", "deploy"),
  location_in_which_arena: said("This Location fits several arenas. Where does it go?", "Where an enemy Location helps your opponent: yours takes its place.", "deploy"),
  pilot_which_unit: PILOT,
  leave_seat_for: said("Where does the pilot go?", "To the Character arena to fight there; to the build zone to be safe.", "retreat"),
  retreat_who: retreating,
  attack_first_with: said("Several of your units are equally fast. Which one goes first?", "Let the one with fewer dice shoot first: if it happens to be enough, the strong one is free for another target.", "speed"),
  attack_whom: attacking,
  command_attack_on: said("You may make this unit attack one of its own side.", "Do it, if there is something worth hitting.", "attack"),
  play_or_pass: (scene) => (scene.window === REROLLS ? REROLL_CHANCE() : playOrPass(scene)),
  reroll_which_dice: REROLL,
  overkill_whom: OVERKILL,
  overkill_how_many: OVERKILL,
  prevent_how_much: PREVENT,
  deflect_to_whom: said("The damage is thrown back. At whom?", "At a unit that falls from it; else at the strongest.", "force"),
  prevent_damage_to_whom: SPARE,
  mend_which_unit: said("Damage may be taken from one of your units.", "From the strongest that is hurt.", "dice"),
  heal_how_much: said("How much damage is taken off?", "All that you may."),
  contest_which_unit: said("Two persons are in battle on both sides. Which is settled first?", "The one that matters more to you, while you have the Force to bid.", "force"),
  bid_force: BID,
  keep_which_version: said("You have the same person twice; only one may stay.", "Keep the better version, or the one that is hurt less.", "deploy"),
  pay_upkeep: said("This card wants something every turn, or it is tapped.", "Pay while it earns more than it costs."),
  buy_off: said("You may pay Force to stop this.", "Only if what it would do costs you more.", "force"),
  discard_from_hand: DISCARD,
  discard_which_unit: said("One of your units there has to go.", "The weakest, or one that would not last anyway."),
  take_from_deck: said("Take a card from your deck.", "You see all of it. Type a name to find a card; take the unit that is missing in your weakest arena.", "build"),
  put_back_in_which_order: said("These cards go back on top of the deck. In which order?", "Of your own deck the best on top; of your opponent's the one that helps least."),
  attack_whom_with_tamed: said("You decide whom this creature attacks.", "The unit of theirs that it hurts most; it is their own creature that does it.", "attack"),
  act_instead: said("Your opponent decides whom this unit attacks. You may do something in place of that.", "Do it if the attack would cost you a unit that you need.", "attack"),
  divide_hits_with_whom: said("The hits may be divided with another unit.", "Pick one that falls from few hits, while enough are left for the first.", "dice"),
  divide_how_many_hits: said("How many hits go to the other unit?", "As many as it needs to fall, if the first one falls from the rest.", "dice"),
  damage_whom: DAMAGE,
  damage_whom_else: DAMAGE,
  damage_how_much: DAMAGE,
  predict_hits: GUESS,
  predict_damage: GUESS,
  finish_building: said("You may finish a card that is being built, and deploy it.", "Do it: what is in its arena can fight.", "build", "deploy"),
  begin_with_how_many: said("How many build counters lie on the card to begin with?", "As many as you may.", "build"),
  gain_how_many_points: said("How much of it do you take as build points?", "What you can still build with this turn; the rest is worth more as Force.", "build", "force"),
  remove_build_counters: said("Build counters are taken off a card.", "Take them from what would hurt you soonest once it is finished.", "build"),
  begin_from_deck: SEARCH,
  search_out: SEARCH,
  gather_which: SEARCH,
  keep_of_top: KEEP,
  take_back_from_hand: KEEP,
  return_to_deck: said("Cards of your discard pile go back to your deck.", "Those that you would be glad to draw again."),
  discard_from_deck: DISCARD,
  discard_in_place_of_more: said("Discard one of these, and keep all else?", "One good card is often worth less than two of the others. Count what you lose either way."),
  put_into_discard: said("You see the card. Does it go to the discard pile?", "A good card of your opponent's: yes. A good one of your own: leave it."),
  remove_which_card: said("A card leaves the game for good.", "Of your own the one that you miss least; of your opponent's the one that could come back."),
  put_on_bottom: BOTTOM,
  put_on_bottom_in_which_order: BOTTOM,
  put_under_deck_in_which_order: BOTTOM,
  whose_deck: said("Whose deck is it?", "Your own where something good comes of it, your opponent's where something bad does."),
  replace_whose_hand: said("Whose hand is replaced?", "Your own if it is poor; your opponent's if they have saved up for something."),
  name_card_type: said("Name a type of card.", "The one that you think is most frequent where it will be looked for."),
  which_type: said("Which type of unit is it?", "The one that most units here have, if it helps you; the one of your opponent's units, if it hurts."),
  which_arena: ARENA,
  put_into_which_arena: ARENA,
  put_into_space: ARENA,
  give_up_arena: said("Agree that nobody can win this arena?", "Yes, unless you have a unit there that can still hit something.", "win"),
  choose_one_in_each_arena: said("Choose a unit in each arena.", "Your own strongest for something good, the enemy's strongest for something bad."),
  choose_another: said("Choose one unit after the other.", "Begin with the one that matters most: the others must differ from it."),
  return_which_unit: said("Which units go back to their owner's hand?", "What cost your opponent most to build; of your own, what would fall anyway."),
  tap_to_harm: said("Tap a Character, or this unit does no damage.", "Tap one that does not fight this turn, if the damage is worth it.", "dice"),
  keep_tapped: said("Which of these stay tapped?", "Those that do more for you tapped: they hold another card for as long."),
  take_shape: said("Which shape does it take?", "Strong and slow against a few big units, quick against many small ones.", "speed"),
  stack_under_which: STACK,
  bring_up_which: STACK,
  pay_for_it: said("You may pay Force for this.", "If it does more than an Evade would, and enough is left for one.", "force"),
  resolve_which_trigger: said("Several abilities happen at once. Which one first?", "The order seldom matters. Take any of them."),
};

function settingUp({ table, seat, catalogue }: Scene): Advice {
  const states = arenas(table, catalogue);
  const empty = states.filter((arena) => arena.mine === 0);
  const weak = states.filter((arena) => arena.mine < arena.theirs);
  const full = weak[0]
    ? `All three arenas are manned. You are outnumbered in ${list(weak.map((arena) => arena.english))}: another unit helps most there.`
    : "All three arenas are manned. Use the rest of your points; what is left over can go onto a last, half-built unit.";
  return {
    now: "Place a unit, or stop where you are.",
    hint:
      empty.length === 0
        ? full
        : `You have nobody in ${list(empty.map((arena) => arena.english))} yet. One unit everywhere earns you a build point each turn, and keeps your opponent from holding an arena for free.`,
    topics: table.seats[seat]?.counters.stopped ? [] : ["setup", "win"],
  };
}

function building(scene: Scene): Advice {
  const { table, seat, catalogue } = scene;
  const [ready] = taking(scene, FINISHES);
  const points = table.seats[seat]?.counters.points ?? 0;
  const weak = arenas(table, catalogue).filter((arena) => arena.mine <= arena.theirs && arena.theirs > 0);
  const [back] = taking(scene, COMES_BACK);
  const today = taking(scene, BUILDS_UP).length > 0 ? "What is built and deployed in one go can fight today; put all points on one that is too dear, and finish it next turn." : "";
  let hint: string;
  if (ready) hint = `${ready.label}: its counters are all there.`;
  else if (points === 0) hint = "Your points are spent. Pass, and the turn goes on.";
  else if (weak[0]) hint = `You are not ahead in ${list(weak.map((arena) => arena.english))}. A unit for that arena is the best use of your points. ${today}`.trim();
  else hint = "You are ahead everywhere. Save up for something big: put points on a card that you will finish next turn.";
  if (!ready && back) hint += " Units that you pulled back may also return now.";
  return {
    now: `Your build step: ${points} build point${points === 1 ? "" : "s"} to spend.`,
    hint,
    topics: ready ? ["ready", "build", "deploy"] : ["ready", "build", "win"],
  };
}

function retreating({ table, seat, catalogue }: Scene): Advice {
  const hurt = ARENAS.flatMap(({ zone }) => cardsIn(table, zone)).filter(
    (card) => card.controller === seat && isUnit(card, catalogue) && healthLeft(card, catalogue) <= 1 && (card.counters.damage ?? 0) > 0,
  );
  const names = hurt.map((card) => titleOf(card, catalogue));
  return {
    now: "Your retreat step: choose all that leave the fight, or nobody.",
    hint:
      names.length > 0
        ? `${list(names)} would not survive another hit. Pull back, unless that leaves the arena to your opponent.`
        : "Nobody of yours is in trouble. Let all of them stay.",
    topics: ["retreat"],
  };
}

function attacking(scene: Scene): Advice {
  const { table, question, seat, catalogue } = scene;
  const targets = optionsOf(question)
    .map((option) => table.cards[String(option.target ?? option.card)])
    .filter((card): card is Card => card !== undefined && card.controller !== seat);
  const softest = targets.sort((a, b) => healthLeft(a, catalogue) - healthLeft(b, catalogue))[0];
  const unit = table.cards[String(table.vars.next_unit)];
  return {
    now: `${unit ? titleOf(unit, catalogue) : "One of your units"} may attack now. Choose a target.`,
    hint: softest
      ? `${titleOf(softest, catalogue)} has ${healthLeft(softest, catalogue)} health left, the least of all. About half of your dice will hit.${taking(scene, SETS_ALL).length > 0 ? " One choice sets all your units here on the same target." : ""}`
      : "There is nobody to shoot at.",
    topics: ["speed", "attack", "dice", "win"],
  };
}

function playOrPass(scene: Scene): Advice {
  const { table, seat } = scene;
  const force = table.seats[seat]?.counters.force ?? 0;
  const danger = Object.values(table.cards).some((card) => card.controller === seat && (card.counters.pending ?? 0) > 0);
  const helps = scene.window === PREVENTS && cardsOf(scene).length > 0;
  return {
    now: danger ? "One of your units is about to take damage. Play something, or pass." : `You may play something with your ${force} Force, or pass.`,
    hint: danger
      ? helps
        ? "Preventing is worth it when it keeps a unit alive, or a big one healthy. A cheap unit may be let go."
        : "If nothing here helps, pass."
      : table.vars.attacker
        ? "Something that adds dice or speed is at its best in the middle of an attack."
        : "No hurry. Force that you save now is Force for an Evade later.",
    topics: ["force"],
  };
}

// ---- reading the table ----

function cardsIn(table: Table, zone: string): Card[] {
  const ids = table.zones[zone]?.cards ?? [];
  return ids.map((id) => table.cards[String(id)]).filter((card): card is Card => card !== undefined && (card.parent ?? null) === null);
}

function isUnit(card: Card, catalogue: Catalogue): boolean {
  const kind = catalogue.get(card.key ?? "")?.kind;
  return kind === "Space" || kind === "Ground" || kind === "Character";
}

function healthLeft(card: Card, catalogue: Catalogue): number {
  const printed = catalogue.get(card.key ?? "")?.numbers.health;
  return (card.values.health ?? printed ?? 0) - (card.counters.damage ?? 0);
}

function titleOf(card: Card, catalogue: Catalogue): string {
  return catalogue.get(card.key ?? "")?.title ?? "An unknown card";
}

/** "Space", "Space and Ground", "Space, Ground and Character". */
function list(words: readonly string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words[words.length - 1]}`;
}

/** Who holds which arena: what it is all about. */
function balance(table: Table, catalogue: Catalogue): Standing[] {
  const word = (mine: number, theirs: number) => (mine > 0 && theirs === 0 ? "yours" : theirs > 0 && mine === 0 ? "theirs" : mine + theirs === 0 ? "empty" : "fought over");
  return arenas(table, catalogue).map((state) => ({ name: state.english, mine: state.mine, theirs: state.theirs, word: word(state.mine, state.theirs) }));
}

export const tcgLesson: Lesson = {
  about: "Two sides fight in three places at once: in Space, on the Ground, and person against Character. Whoever holds two of the three at the end of a turn has won.",
  decks: ["", ""],
  topics: TOPICS,
  advise,
  names: { questions: Object.keys(MOMENTS), windows: [REROLLS, PREVENTS], actions: [FINISHES, BUILDS_UP, SETS_ALL, COMES_BACK] },
  balance,
};
