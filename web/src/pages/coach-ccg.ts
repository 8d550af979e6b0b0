// The coach of the Customizable Card Game: six phases, Force as the one thing that is counted, and battles.

import type { Card, Table } from "../protocol.js";
import { battleOf, nameIn, planetsOf, sideAt, totalOf } from "../table/layouts/ccg/read.js";
import { optionsOf } from "../table/model.js";
import type { Advice, Catalogue, Lesson, Standing, Topic } from "./coach.js";
import { advised, cardsOf, inWindow, type Moments, said, type Scene, taking, targetsOf } from "./coach-moments.js";

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
      "A drain that costs nothing happens by itself, unless there is something else that you could do first. This is how most games are won. Be where your opponent has icons, and make them come to you.",
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

const ORDER = said("In which order do they go to the pile?", "It seldom matters. What goes last lies on top.");
const RETRIEVE = said("You get lost Force back.", "Every card is one more for your Life Force. Take all that you may, the best ones if you can choose.", "life");
const SEEN = said("You may look at these cards.", "Take a good look at what is to come, then go on. Nothing is to be chosen.");
const WHO_IS_LOST = said("Some of your cards will be lost. Which?", "Those with the lowest forfeit and power; what sits on them goes too.", "damage");
const WHERE = (scene: Scene): Advice => ({ now: "Where does it go?", hint: whereTo(scene), topics: ["deploy"] });
const WHERE_TO = (scene: Scene): Advice => ({ now: "Where does it move to?", hint: whereTo(scene), topics: ["move"] });
const WHO_GOES = said("Who goes to the other docking bay?", "Those who do nothing where they are; all of them cost as much as one.", "move");
const FETCH = said("Take a card out of a pile.", "Type a name to find a card. Take what you can deploy or play soon.", "deploy");
const FROM_PILE = said("How many of them come from this pile?", "All of them, unless the pile would be gone: what is left is asked for again.", "life");
const HOW_MUCH = said("How much Force do you use for it?", "No more than it takes: what is left you may still deploy with, or draw.", "life");
const BEGIN_WITH = said("Which card do you begin with?", "One that works from the first turn on. Choose none where you may, if nothing helps.", "start");
const CAPTURED = said("Somebody is captured. What becomes of the captive?", "An escort who stays with others is hard to be robbed of it.", "battle");
const CREATURE = said("Creatures attack by themselves. Which one, and whom?", "Keep your own people away from places where one lives.", "battle");
const FIRE_ON = said("The weapon may fire more than once.", "Fire while you can pay for it and there is somebody worth hitting.", "battle");
const REVEALED = said("Cards of your Reserve Deck are revealed, and some may be deployed for free.", "Reveal few if your deck is small: what cannot be deployed is lost.", "deploy");
const LOOT = said("You may take or destroy weapons or devices.", "Take what you can use; destroy the rest.", "battle");
const SLEEP = said("Somebody may fall asleep.", "Those with low ability are the easiest; begin with the one that hurts you most.", "respond");
const CONVERT = said("A character changes sides. Who, and where does it stand?", "The stronger one, where it can be used at once.", "deploy");
const FREED = said("A captive is free again. Where does it go?", "To your own people if they are strong there; into your hand or the Used Pile if not.", "battle");
const COURSE = said("Where does it move?", "To the parsec of a system where you have ships.", "move");
const VICTIM = said("Where is the victim taken?", "Where it does least harm to you. If nowhere, it is eaten.", "battle");
const VOLLEY = said("Fire which weapon?", "The best one first.", "battle");
const GUESS = said("Guess.", "Think of what decks have most: characters, and locations at the start.");
const GEAR = said("Who gets it?", "Somebody strong who stands where a fight is likely. A weapon needs a warrior.", "deploy");

/** Actions of the rules that the coach looks for. */
const ACTIONS = { activate: "activate_force", drain: "force_drain", drainAll: "drain_all", battle: "initiate_battle" } as const;

/** What has just happened, by the window in which it can be answered. */
const ANSWERED: Readonly<Record<string, string>> = {
  drain_window: "A Force drain has begun. You may answer it, or pass.",
  loss_window: "You are about to lose Force. You may answer, or pass.",
  battle_begun: "A battle has begun. You may answer, or pass.",
  about_window: "A destiny is about to be drawn. You may answer, or pass.",
  destiny_window: "A destiny was drawn. You may answer, or pass.",
  deployed_window: "A card was deployed. You may answer, or pass.",
  played_window: "A card was played. You may answer it, or pass.",
  aimed_window: "A card was targeted. You may answer, or pass.",
  fired_window: "A weapon was fired. You may answer, or pass.",
  forfeit_window: "A card was forfeited. You may answer, or pass.",
  lost_window: "A card was lost. You may answer, or pass.",
  about_to_be_lost_window: "A card is about to be lost. You may answer, or pass.",
  moved_window: "A card has moved. You may answer, or pass.",
};

/** By the name of the question. */
const MOMENTS: Moments = {
  choose_starting_location: said("Choose the location you start at.", "Take one with two icons of your own, if you have it: that is Force in every turn.", "life", "start"),
  allow_conversion: said("Both of you chose the same location. One may lie on the other.", "It makes little difference. Say yes.", "start"),
  activate_at_once: said("How much Force do you activate?", "All of it, in the first turns.", "activate", "life"),
  activate_force: said("How much of the Force that you held back do you activate?", "All of it, unless your Reserve Deck is nearly empty: destiny is drawn from there.", "activate"),
  activate_how_much_more: said("You may activate more Force.", "Take all of it.", "activate"),
  lose_force: paying,
  lose_how_much_from_pile: FROM_PILE,
  satisfy_damage: paying,
  satisfy_how_much_from_pile: FROM_PILE,
  forfeit_in_place_of: said("Somebody else may be forfeited instead.", "Choose nobody, unless the other one is worth less to you.", "damage"),
  forfeit_or_lose: paying,
  draw_battle_destiny: said("You may draw battle destiny.", "Draw: it adds to your power and hurts the other side.", "battle"),
  draw_another_destiny: said("You may draw another battle destiny.", "Draw: it adds to your power and hurts the other side.", "battle"),
  draw_attack_destiny: said("You may draw destiny to add to your power.", "Draw.", "battle"),
  choose_destiny_number: said("Which destiny counts?", "The higher one.", "battle"),
  choose_destiny: said("Which destiny counts?", "The highest.", "battle"),
  deploy_which_card: said("Which card is deployed?", "One that works at once, where you have people or your opponent has icons.", "deploy"),
  deploy_where: WHERE,
  "ability deploy": GEAR,
  "ability fire": said("At whom is the weapon fired?", "At the one whose loss hurts most and whom you are likely to hit.", "battle"),
  fire_which_weapon: VOLLEY,
  resolve_which_weapon: VOLLEY,
  choose_seat: said("Does it go aboard as pilot or as passenger?", "A pilot adds to the power of what it flies; passengers only ride along.", "deploy"),
  choose_vessel_of_site: said("To which of your vessels does this site belong?", "To the one that stays on the table longest.", "deploy"),
  place_in_row: said("Where in the row does the new site lie?", "Sites beside each other are one move apart. Near your own people is good.", "deploy"),
  move_away_where: WHERE_TO,
  move_away_next: said("Several of yours must move away. Who goes first?", "It seldom matters.", "move"),
  transit_who: WHO_GOES,
  change_ships: said("Who changes ships?", "Pilots where there are none yet.", "move"),
  take_aboard: said("Who goes aboard?", "A pilot, if there is none yet.", "move"),
  let_out: said("Who leaves the ship or vehicle?", "Whoever is needed at the site.", "move"),
  order_lost_cards: ORDER,
  order_hit_cards: ORDER,
  order_used_cards: ORDER,
  retrieve_which_cards: RETRIEVE,
  retrieve_force: RETRIEVE,
  look_over: SEEN,
  place_which_in_used_pile: said("You may place some of these cards in the Used Pile.", "Those that would hurt you soon: they are back when the pile is used up.", "respond"),
  take_into_hand: FETCH,
  play_which_card: FETCH,
  lose_which_card: WHO_IS_LOST,
  bury_which_cards: said("Which cards are put away?", "Those that you do not need: they are out of the way until the pile is dealt again."),
  move_top_card_to_force_pile: said("You have seen the top card of a pile. Shall it be moved?", "Yes, if you would like to have it in hand soon; then draw it."),
  defuse_mines: said("You may use Force to defuse mines.", "Worth it for a character that you need; not for one that you would forfeit anyway.", "battle"),
  move_away_who: said("Who must move away?", "Whoever is needed least where they are.", "move"),
  guess_type: GUESS,
  point_to_card: GUESS,
  remove_which_copy: said("One copy too many: which goes to the Used Pile?", "Any of them."),
  use_how_much_force: HOW_MUCH,
  use_opponents_force: HOW_MUCH,
  "cost use_how_much_force": HOW_MUCH,
  "cost name_pile": said("Which pile is it about?", "Your own Reserve Deck, if you would like other cards on top; your opponent's, if you know what lies there."),
  "cost pay_for_transport": said("Do you use the Force that destiny asks for?", "Yes, if those who are carried are needed there this turn.", "move"),
  "cost name_reserve_deck": said("Whose Reserve Deck is it about?", "Your opponent's, unless the card helps whoever it is for."),
  choose_starting_effect: BEGIN_WITH,
  choose_starting_interrupt: BEGIN_WITH,
  start_with_which_card: BEGIN_WITH,
  lay_beneath: said("Your deck has more than sixty cards. Which are put under the Effect?", "Those that you are least likely to need.", "start"),
  choose_planet: said("To which planet does this location belong?", "To one where you have people, or your opponent has many icons.", "deploy"),
  choose_pilot: said("Who pilots it?", "The one whose text makes it stronger; keep leaders for the sites.", "deploy"),
  deploy_other_at_start: WHERE,
  choose_caller: said("Whose call brings the others?", "It makes little difference: whoever has nothing else to do.", "battle"),
  transfer_weapon: GEAR,
  reveal_how_many: REVEALED,
  deploy_revealed_card: REVEALED,
  place_top_card: said("You have seen the top card of your Reserve Deck. Where shall it lie?", "On the Force Pile if you want to draw it, on the Used Pile if not.", "life"),
  fire_once_more: FIRE_ON,
  fire_separately_or_combined: FIRE_ON,
  apply_how_much_ability: said("How much ability is applied to draw battle destiny?", "As much as is missing to 4.", "battle"),
  predict_winner: said("Who will win this battle?", "The side with more power, if nobody draws destiny; else trust the better cards.", "battle"),
  loot_weapons_or_devices: LOOT,
  loot_which: LOOT,
  steal_or_destroy: LOOT,
  draw_for_whom: SLEEP,
  fall_asleep: SLEEP,
  declare_which: said("Declare one of these.", "Read both, and take what helps you now.", "respond"),
  convert_whom: CONVERT,
  place_convert_where: CONVERT,
  cross_over_aboard: WHERE,
  lose_which_operative: WHO_IS_LOST,
  seize_or_imprison: CAPTURED,
  replace_which_captive: CAPTURED,
  choose_escort: CAPTURED,
  rally_or_escape: FREED,
  rally_where: FREED,
  choose_besiegers: said("Who battles those trapped aboard?", "All who are not needed alive: the more power, the better.", "battle"),
  launch_or_escape: said("Your starship is free. Does it launch or escape?", "Launch, unless what waits for it there is too strong: what escapes goes to your Used Pile.", "move"),
  jump_off: said("Does the rider jump off?", "Yes: what stays aboard is lost.", "battle"),
  choose_search_party: said("Who searches for the missing?", "As many as have nothing better to do: each helps the draw.", "move"),
  seeker_strikes_whom: said("Whom does the seeker strike?", "The one whose loss hurts your opponent most.", "battle"),
  transit_which_seekers: WHO_GOES,
  shuttle_whom: said("Whom does the shuttle take along?", "It is free, but it is their move for this turn.", "move"),
  move_to_which_parsec: COURSE,
  orbit_which_system: COURSE,
  asteroids_against_which_starship: said("Against which starship is asteroid destiny drawn?", "The one that is worth most and maneuvers worst.", "battle"),
  move_back_which: said("Your starfighters must leave the sectors of Death Star II. Which moves back first?", "It makes no difference: all of them move back one sector.", "move"),
  escape_which: said("Death Star II is about to be blown away. Which starship flies on towards the system?", "All of them: what stays in a sector is lost with it.", "move"),
  lead_pack_by: CREATURE,
  move_with_pack: CREATURE,
  attack_whose_creature: CREATURE,
  attack_which_side: CREATURE,
  attack_with_which_creature: CREATURE,
  relocate_or_devour: VICTIM,
  relocate_victim: VICTIM,
  beside_which_lost_pile: said("Beside whose Lost Pile does it go?", "Beside your own, to keep what you lose from your opponent."),
  use_race_destiny: said("Is this race destiny used, or let go?", "Use it, unless it is very low."),
  choose_race_destinies: said("Which race destinies are used?", "The highest."),
  choose_sabacc_player: said("Your opponent begins a game of sabacc. Does one of yours play?", "Name one whose text helps at sabacc; it costs nothing."),
  draw_sabacc_card: said("Sabacc: as close to 11 as you can, without going over. Draw a further card?", "Yes up to 8 or so; most destiny numbers are 3 or less."),
  choose_wild_value: said("What is this wild card worth?", "As much as is missing to 11."),
  choose_clone_value: said("Which value does this clone card copy?", "The highest that keeps you at 11 or less."),
  change_sabacc_total: said("Your total may be changed.", "Take 11, or what is next below it."),
  win_which_stake: said("You have won at sabacc. Which card?", "The one that is worth most to either of you."),
  place_bluff_card: said("Which card lies face down at the Bluffs?", "A character that could be deployed there, or one you can do without."),
  call_which_bluff: said("Which of the face-down cards do you flip?", "Any: if it cannot come into play there, your opponent loses it and 2 Force."),
  deploy_bluff_card: said("Your bluff was called. Do you deploy this card?", "Yes, for nothing: else you lose it and 2 Force."),
  do_what_is_owed: said("This must still be done in this phase.", "Choose what comes first; it seldom matters."),
  explode_under_which: said("Under which of them does the mine explode?", "Under the one whose loss hurts most."),
  keep_which_destinies: said("Which destinies count?", "The highest.", "battle"),
  lay_combat_card: said("Which card lies under your character, for a duel or combat to come?", "One with a high destiny that you can do without.", "deploy"),
  use_combat_card: said("Which combat card is used instead of the draw?", "The one with the highest destiny."),
  play_which_shield: said("Which Defensive Shield is played?", "The one that answers what your opponent does."),
  replace_cards: said("In which order do these cards go back?", "What you would like to draw first lies on top."),
  replace_which_starfighters: said("Which starfighters make up the squadron?", "Those with the least on them.", "deploy"),
  start_with_how_many_sites: said("With how many sites do you begin?", "As many as you may."),
  subtract_from_destiny: said("Is 1 taken from the destiny?", "Yes, where only the lower number is that of the target.", "battle"),
  see_to_maintenance: said("A card asks for its maintenance: use Force, or part with it?", "Maintain what still fights for you; what goes to the Used Pile comes back.", "draw"),
  stack_on_which_grabber: said("Two cards would take this Interrupt. Which one gets it?", "Only that one is paid: 1 Force for each card that lies there.", "respond"),
  transfer_to_squadron: said("Does this card come along to the squadron?", "Yes: what stays goes to the Used Pile.", "deploy"),
  enter_trench_armed: said("An Attack Run: which starfighter with torpedoes flies into the trench?", "The one with the best pilot: his ability counts.", "move"),
  enter_trench: said("Which starfighters fly with it?", "All that may: wingmen are shot at before the lead.", "move"),
  follow_with_squadron: said("Does a squadron follow into the trench?", "Yes, if its guns or its pilots are better than those of single TIEs.", "move"),
  follow_into_trench: said("An Attack Run: which TIEs follow into the trench?", "Those with weapons, and the one with the best pilot. It costs nothing, and they come back.", "move"),
  choose_lead: said("Which starfighter leads the Attack Run?", "The one whose pilot has the most ability.", "battle"),
  choose_new_lead: said("The lead is out. Who takes over?", "Somebody, or the Attack Run is over.", "battle"),
  forfeit_which_cards: WHO_IS_LOST,
  carry_out_which_action: said("Several things happen by themselves. Which comes first?", "It seldom matters."),
  respond: inWindow(
    ANSWERED,
    "You may answer what just happened, or pass.",
    "Keep an Interrupt for a moment when it saves or costs more than one Force.",
    "respond",
  ),
  take_action: inPhase,
};

/** The phases of one's own turn, by their windows. */
const PHASES: Moments = {
  activate_window: (scene) => ({
    now: taking(scene, ACTIONS.activate).length > 0 ? "You have held Force back. You may still activate it: click your Reserve Deck." : "You have activated. Go on.",
    hint: `Your icons give you ${scene.table.seats[scene.seat]?.values.generation ?? 1} Force a turn.`,
    topics: ["activate", "life"],
  }),
  control_window: (scene) => {
    const drains = taking(scene, ACTIONS.drain).length;
    return {
      now: drains > 0 ? `You may Force drain at ${drains === 1 ? "one location" : `${drains} locations`}.` : "Your control phase.",
      hint:
        taking(scene, ACTIONS.drainAll).length > 0
          ? "One button drains at all of them in turn. You are asked because there is something else that you could do first."
          : drains > 0
            ? "Click the location that glows: there is nearly never a reason not to. You are asked because it costs Force, may call somebody there, or there is something else to do."
            : "You control no place where your opponent has icons. Pass.",
      topics: ["drain"],
    };
  },
  deploy_window: (scene) => {
    const pile = scene.table.zones[`force.${scene.seat}`];
    const force = (pile?.hidden ?? 0) + (pile?.cards.length ?? 0);
    const lands = optionsOf(scene.question).filter((option) => kindOf(scene, option.card) === "Location");
    return {
      now: `Deploy: ${force} Force to spend. Click a card that glows, then where it goes.`,
      hint: lands.length > 0 ? "You hold a location. Lay it: it is free, and gives Force from now on." : force === 0 ? "Your Force is spent. Pass." : (goTo(scene) ?? "Put two or three characters together rather than one everywhere: ability 4 at a place draws battle destiny."),
      topics: ["deploy"],
    };
  },
  battle_window: battlePhase,
  move_window: (scene) => ({
    now: "You may move: click a card that glows, then where it goes.",
    hint: `${goTo(scene) ?? "Towards a place with your opponent's icons and none of their people."} Or pass.`,
    topics: ["move"],
  }),
  draw_window: said("How many cards do you draw from your Force Pile?", "Draw until you hold seven or eight. Keep one Force if an Interrupt in your hand costs something.", "draw"),
};
const WEAPONS = "weapons_window";
const COVER = "cover_window";

function inPhase(scene: Scene): Advice {
  const { table, seat } = scene;
  if (scene.window === WEAPONS) return { now: "The weapons segment: fire, or pass.", hint: "A hit card is lost at the end of the battle. Weapons come before power is counted.", topics: ["battle"] };
  if (scene.window === COVER) return { now: "The Attack Run goes on: act, or pass.", hint: "Wingmen are shot down before the lead. Then the torpedoes are away.", topics: ["battle"] };
  if (table.vars.turn_of !== seat) return { now: "It is your opponent's turn; you may act all the same.", hint: "Pass, unless a card of yours is made for this moment.", topics: ["respond"] };
  return PHASES[scene.window]?.(scene) ?? { now: "You may act, or pass.", hint: "Pass, unless a card of yours is made for this moment.", topics: [] };
}

function battlePhase(scene: Scene): Advice {
  const { table, seat } = scene;
  if (table.vars.battle_at) return { now: "The battle goes on: fire a weapon, or pass.", hint: "Weapons come before power is counted.", topics: ["battle"] };
  if (taking(scene, ACTIONS.battle).length === 0) return { now: "Your battle phase.", hint: "Nowhere do both of you have presence. Pass.", topics: ["battle"] };
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

/** Where to go of the places that are asked for. */
function whereTo(scene: Scene): string {
  return bestOf(scene, cardsOf(scene)) ?? "Any of these will do.";
}

/** Where to go of the places that moves lead to. */
function goTo(scene: Scene): string | null {
  return bestOf(scene, targetsOf(scene));
}

/** Where something can be drained, or where one's own people already are. */
function bestOf({ table, seat }: Scene, cards: readonly Card[]): string | null {
  const places = cards.filter((card) => card.zone === "locations");
  const drainable = places.find((place) => totalOf(place, "drain", seat) > 0 && table.seats.every((_, side) => sideAt(table, place.id, side).length === 0));
  if (drainable) return `At ${nameIn(drainable).name} nobody stands in your way: hold it, and you can Force drain there for ${totalOf(drainable, "drain", seat)}.`;
  const mine = places.find((place) => sideAt(table, place.id, seat).length > 0);
  return mine ? `Your people are at ${nameIn(mine).name}: together they are safer.` : null;
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
  names: { questions: Object.keys(MOMENTS), windows: [...Object.keys(ANSWERED), ...Object.keys(PHASES), WEAPONS], actions: Object.values(ACTIONS) },
  balance,
};
