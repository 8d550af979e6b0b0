//! What the printer makes of programs, in words of the toy game and some of its own.

#![allow(clippy::unwrap_used, reason = "tests")]

use std::path::Path;
use trilogy_saga::source::read_game;
use trilogy_saga::{SourceFile, Workshop, report};

/// Words that the toy game does not need itself.
const WORDS: &str = r#"
event scorched(c: card, n: num) "{c} takes {n} soot"
event visits(c: card, k: card) "{c} calls at {k}"
event stirs(c: card, k: card)
permission rest_at(c: card, l: card) "{c} {can} rest at {l}"
proc scorch(c: card, n: num) "put {n} soot on {c}"
  c.soot += n
proc fetch(p: player, n: num) "{p} {p|draw|draws} {n} {n|card|cards}"
  p.light += n
proc fan(cs: cards) "{cs:each} is fanned"
  for c in cs:
    c.soot := 0
proc unmask(c: card) "{c} is unmasked, and {c}'s glow is told"
  turn_up(c)
proc pays(p: player, n: num): bool "{p} {p|pay|pays} {n} light"
  return true
kind lunge
  scope in_hand
  in act_window
  steps target, pay, effect
cost burn_this(c: card) "burn {c}"
  do:
    burn(c)
cost dim(n: num) "dim {n} {n|lamp|lamps}"
  do:
    you.light -= n
def lit(c: card): bool "{c} is lit" = c.glow > 0
def guarded(p: player): bool "{p} {p|have|has} a guard" = p.light > 0
def night(): bool "it is night" = depth > 0
def nearness(c: card): bool "{c} is at the gate" = c.glow > 1
def nearness_of_well(c: card): bool "{c} is at the well" = c.glow > 2
adjective here "by the same lamp": it.glow > 0
adjective resting "asleep": it.worn = 1
kind urge "you may"
  scope in_hand
  in act_window
  steps target, pay, effect
enum name_of proper alone: Ash, Ember
noun creature/creatures unsaid Owl, resting_now from porch.cards where it is Keeper
adjective resting_now "sleeper": it.worn = 1
noun hidden_card/hidden_cards "card in {whose} hand"/"cards in {whose} hand"
    from North.hand.cards ++ South.hand.cards where true
proc throw_out(cs: cards) "throw {cs:bare} out of your hand"
  burn_all(cs)
proc burn_all(cs: cards) "burn {cs:many}"
  for c in cs: burn(c)
"#;

/// The lines of a card with these abilities.
fn says(abilities: &str) -> String {
    let (files, rules) = read_game(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/toy")).unwrap();
    let mut workshop = Workshop::new(files, rules).unwrap_or_else(|wrong| panic!("{}", report(&wrong.files, &wrong.problems, false)));
    let card = format!("{WORDS}\ncard \"Warden\" Keeper: Fox\n  glow 1\n{abilities}\n");
    workshop.add(SourceFile { name: "more".into(), text: card }).unwrap_or_else(|problem| panic!("{abilities}: {problem}"));
    workshop.catalogue().cards.last().unwrap().text.join(" / ")
}

/// Each line of abilities, indented as on a card, with what it says.
fn check(pairs: &[(&str, &str)]) {
    let wrong: Vec<String> = pairs
        .iter()
        .map(|(abilities, expected)| (abilities, says(abilities), expected))
        .filter(|(_, said, expected)| said != **expected)
        .map(|(abilities, said, expected)| format!("{abilities}\n  says    {said}\n  and not {expected}"))
        .collect();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn what_there_is() {
    check(&[
        (
            "  self gets glow +1 while any(c in [lamps here] where c is Moth)",
            "While there is a Moth lamp by the same lamp, this card gets +1 glow.",
        ),
        ("  self gets glow +1 while count([your Moth]) >= 2", "While you have 2 or more Moths, this card gets +1 glow."),
        ("  self gets glow +1 while count([opponents lamps]) = 0", "While your opponent has no lamps, this card gets +1 glow."),
        (
            "  self gets glow +1 while not any(c in [keepers] where c.glow > 3)",
            "While there are no keepers with glow more than 3, this card gets +1 glow.",
        ),
        (
            "  self gets glow +1 while all(c in [your keepers] where c is Moth)",
            "While each of your keepers is a Moth, this card gets +1 glow.",
        ),
        ("  self gets glow +1 while you.hand.size <= 2", "While there are 2 or fewer cards in your hand, this card gets +1 glow."),
    ]);
}

#[test]
fn amounts() {
    check(&[
        ("  self gets glow +count([other keepers here])", "This card gets +1 glow for each other keeper by the same lamp."),
        (
            "  self gets glow +2 * count([your lamps]), stripes -count([your lamps])",
            "This card gets +2 glow and -1 stripes for each of your lamps.",
        ),
        ("  self gets glow +count([lamps]), stripes +count([lamps])", "This card gets +1 glow and +1 stripes for each lamp."),
        ("  self gets glow +count(c in [keepers] where c is not Owl)", "This card gets +1 glow for each non-Owl keeper."),
        ("  self gets glow +you.hand.size", "This card gets +1 glow for each card in your hand."),
        ("  [your Moth] gets glow =it.stripes", "Each of your Moths gets glow equal to its stripes."),
        (
            "  self gets glow +highest(c in [your keepers here]: c.glow)",
            "This card gets +X glow, where X is the highest glow among your keepers by the same lamp.",
        ),
        (
            "  self gets glow -lowest(c in [keepers] where c is Owl: c.glow)",
            "This card gets -X glow, where X is the lowest glow among Owl keepers.",
        ),
        ("  self gets glow +sum(c in [your lamps]: c.stripes)", "This card gets +X glow, where X is the total stripes of your lamps."),
        ("  self gets glow +(if night then 3 else 1)", "This card gets +1 glow (+3 if it is night)."),
        ("  self gets glow +(if night then 2 else 0)", "This card gets +2 glow if it is night."),
        (
            "  self gets glow +(match self.type to (Lamp: 4, Wick or Charm: 2, else 1))",
            "This card gets +1 glow (+4 if this card's type is Lamp, 2 if this card's type is Wick or Charm).",
        ),
        ("  spark:\n    fetch(you, min(you.light, 3))", "Draw a number of cards equal to your light or 3, whichever is less."),
        ("  spark:\n    fetch(you, count([your lamps]))", "Draw 1 card for each of your lamps."),
        (
            "  spark:\n    choose k from [keepers]\n    scorch(k, k.glow)",
            "Choose a keeper. Put soot equal to that keeper's glow on that keeper.",
        ),
        ("  spark:\n    choose k from [keepers]\n    scorch(k, if night then 2 else 3)", "Put 3 soot on a keeper (2 if it is night)."),
        (
            "  spark:\n    let n = count([lamps]) + 1\n    fetch(opponent, n)",
            "Your opponent draws a number of cards equal to the number of lamps plus 1.",
        ),
        ("  self gets glow *2\n  self gets glow *3", "This card gets double glow. / This card gets 3 times its glow."),
    ]);
}

#[test]
fn choices_and_costs() {
    check(&[
        (
            "  spark:\n    choose up to 3 ks from [your keepers]\n    fan(ks)",
            "Choose up to 3 of your keepers. Each of those keepers is fanned.",
        ),
        ("  spark:\n    choose exactly 2 ks from [lamps]\n    for k in ks:\n      burn(k)", "Burn 2 lamps."),
        ("  spark:\n    choose any ks from [your lamps]\n    place(ks, aside)", "Put any number of your lamps into the side of the table."),
        (
            "  spark:\n    choose k from [keepers] or none\n    if k != none: burn(k)",
            "You may choose a keeper. If you do, burn that keeper.",
        ),
        (
            "  spark:\n    choose k from [opponents keepers] by opponent\n    burn(k)",
            "Your opponent chooses one of their keepers. Burn that keeper.",
        ),
        (
            "  lunge pay burn_this(k) target k from [your keepers]:\n    fetch(you, k.glow)",
            "Choose one of your keepers. Burn that keeper -> Draw a number of cards equal to that keeper's glow.",
        ),
        (
            "  dart pay light(1), burn_one([your lamps]) target k from [keepers] target l from [keepers]:\n    burn(k)\n    rouse(l)",
            "Pay 1 light and burn one of your lamps -> Choose a keeper. Choose a keeper. Burn that keeper. The other keeper is worn no more.",
        ),
        (
            "  spark:\n    choose k from [keepers]\n    choose o from [your keepers with it != k]\n    burn(o)",
            "Choose a keeper. Burn one of your other keepers.",
        ),
        ("  spark pay dim(1):\n    may: fetch(you, 2)", "Dim 1 lamp -> You may draw 2 cards."),
        ("  spark:\n    unless pays(opponent, 2): lose(opponent, 1)", "Your opponent loses 1 light unless your opponent pays 2 light."),
        ("  spark:\n    lose(opponent, 1)\n    gain(you, 1)", "Your opponent loses 1 light. You gain 1 light."),
        (
            "  spark require you.light = 0 and not guarded(opponent) else \"no\":\n    gain(you, 1)",
            "Gain 1 light. Only if you have no light and your opponent does not have a guard.",
        ),
        (
            "  spark require count([lamps]) > 0 else \"no\":\n    choose k from [lamps]\n    unmask(k)",
            "Choose a lamp. That lamp is unmasked, and that lamp's glow is told.",
        ),
    ]);
}

#[test]
fn conditions_stand_with_what_they_speak_of() {
    check(&[
        (
            "  when scorched(c, n) if c is Moth and c.controller = you:\n    gain(you, 1)",
            "When one of your Moths takes any soot, gain 1 light.",
        ),
        ("  when scorched(c, n) if c is not Owl and n >= 3:\n    burn(c)", "When a non-Owl card takes 3 or more soot, burn that card."),
        ("  when scorched(c, n) if c = self and n = 0:\n    gain(you, 1)", "When this card takes no soot, gain 1 light."),
        (
            "  when scorched(c, n) if c != self and c in [keepers here]:\n    gain(you, n)",
            "When another keeper by the same lamp takes any soot, gain that many light.",
        ),
        ("  when visits(c, k) if c is Owl and k is Fox:\n    rouse(k)", "When an Owl calls at a Fox, that Fox is worn no more."),
        ("  when visits(c, k) if c.owner = opponent:\n    gain(you, 1)", "When one of your opponent's cards calls, gain 1 light."),
        ("  when stirs(c, k) if lit(k):\n    burn(k)", "When that card is lit, burn that card."),
        (
            "  when stirs(c, k) if c is Owl and k.controller = you:\n    gain(you, 1)",
            "When stirs, if that card is an Owl and you control that card, gain 1 light.",
        ),
        ("  when stirs(c, k) if guarded(k.controller):\n    gain(you, 1)", "When that card's controller has a guard, gain 1 light."),
        (
            "  when visits(c, k) if lit(c) and k.soot > 2:\n    gain(you, 1)",
            "When a card that is lit calls at a card with more than 2 soot, gain 1 light.",
        ),
        ("  forbid enter(c) when c is Owl and c.glow > 2", "Owls with glow more than 2 can't come to the porch."),
        (
            "  when turn_starts(p) if p != you and night:\n    gain(you, 1)",
            "When your opponent starts a turn, if it is night, gain 1 light.",
        ),
        ("  forbid enter(c) when c is Owl and c.controller = opponent", "Your opponent's Owls can't come to the porch."),
        ("  forbid enter(c)", "No card can come to the porch."),
        ("  forbid rest_at(c, l) when l = self and c is not Moth", "Non-Moth cards can't rest at this card."),
        ("  allow rest_at(c, l) when c = self and l in [your lamps here]", "This card can rest at your lamps by the same lamp."),
        ("  spark:\n    until turn: forbid enter(c) when c is Owl and night", "Owls can't come to the porch this turn if it is night."),
    ]);
}

#[test]
fn claims_are_joined_and_denied() {
    check(&[
        ("  self gets glow +1, stripes +1 while lit(self)", "This card gets +1 glow and +1 stripes while lit."),
        ("  self gets glow +1 while not lit(self)", "This card gets +1 glow while not lit."),
        ("  self gets glow +1 while self is Moth or self is Owl", "While this card is a Moth or an Owl, this card gets +1 glow."),
        ("  self gets glow +1 while not (self is Moth or self is Owl)", "While this card is not a Moth or an Owl, this card gets +1 glow."),
        ("  self gets glow +1 while nearness(self) or nearness_of_well(self)", "This card gets +1 glow while at the gate or the well."),
        ("  self gets glow +1 while guarded(you) and lit(self)", "While you have a guard and this card is lit, this card gets +1 glow."),
        ("  self gets glow +1 while not guarded(you)", "Unless you have a guard, this card gets +1 glow."),
        (
            "  self gets glow +1 while night and guarded(you) or self.worn = 0",
            "While it is night and you have a guard, or this card is not worn, this card gets +1 glow.",
        ),
        ("  self gets glow +1 while self.soot = 0 and self.sly > 0", "While this card has no soot and has Sly, this card gets +1 glow."),
        ("  self gets glow +1 while self.controller = opponent", "While your opponent controls this card, this card gets +1 glow."),
        ("  self gets glow +1 while can enter(self)", "While this card can come to the porch, this card gets +1 glow."),
        ("  self gets glow +1 while not can enter(self)", "Unless this card can come to the porch, this card gets +1 glow."),
        ("  [keepers with it.rooted > 0] gets glow +1", "Each keeper that can't be lured gets +1 glow."),
    ]);
}

#[test]
fn phrases_say_all_that_selects() {
    check(&[
        ("  [here keepers named \"Tiger Moth\"] gets glow +1", "Tiger Moth by the same lamp gets +1 glow."),
        (
            "  [opponents other resting Moth|Owl keepers here with it.glow <= 2] gets glow -1",
            "Each of your opponent's other asleep Moth or Owl keepers by the same lamp with glow 2 or less gets -1 glow.",
        ),
        ("  [not Owl Moth] gets glow +1", "Each non-Owl Moth gets +1 glow."),
        ("  [not here keepers] gets glow +1", "Each keeper not by the same lamp gets +1 glow."),
        ("  [keepers in porch named \"Tiger Moth\" with it is not Owl] gets glow +1", "Non-Owl Tiger Moth in the porch gets +1 glow."),
        ("  [lamps with lit(it) or night] gets glow +1", "Each lamp where it is lit or it is night gets +1 glow."),
        ("  [lamps with lit(it) or it.worn = 1] gets glow +1", "Each lamp that is lit or worn gets +1 glow."),
        ("  [your lamps with not lit(it)] gets glow +1", "Each of your lamps that are not lit gets +1 glow."),
    ]);
}

#[test]
fn what_a_card_owns_and_gives_no_english_is_told_by_what_it_does() {
    check(&[
        (
            "  spark:\n    flicker(you, 2)\n  proc flicker(p: player, n: num)\n    lose(p, n)\n    if night: gain(p, 1)",
            "Lose 2 light. If it is night, gain 1 light.",
        ),
        (
            "  self gets glow +1 while is_dark(self)\n  def is_dark(c: card): bool = not lit(c) and is_late\n    where:\n      is_late = night",
            "While this card is not lit and it is night, this card gets +1 glow.",
        ),
        ("  [sooty keepers] gets glow +1\n  adjective sooty: it.worn = 1 and it is Moth", "Each Moth keeper that is worn gets +1 glow."),
        (
            "  spark:\n    choose k from moths_of(opponent)\n    burn(k)\n  def moths_of(p: player): cards = filter(c in [keepers] where c is Moth and c.controller = p)",
            "Burn one of your opponent's Moth keepers.",
        ),
        (
            "  spark:\n    let n = lamps_lit(you)\n    lose(opponent, n)\n  proc lamps_lit(p: player): num\n    gain(p, 1)\n    return p.light",
            "Gain 1 light. Your opponent loses light equal to your light.",
        ),
    ]);
    let endless = "  spark:\n    flicker(2)\n  proc flicker(n: num)\n    if n > 0: flicker(n - 1)";
    assert!(refused(endless).contains("`flicker` speaks of itself, so it needs English"), "{}", refused(endless));
    assert!(refused("  spark:\n    burn_all(owls_of(3))\n  def owls_of(n: num): cards = secret_owls(n)\ndef secret_owls(n: num): cards = porch.cards").contains("the function `secret_owls` has no English"));
}

#[test]
fn what_is_chosen_is_told_where_something_is_done_with_it() {
    check(&[
        ("  dart target k from [opponents keepers]:\n    burn(k)", "Burn one of your opponent's keepers."),
        (
            "  dart target k from [keepers]:\n    burn(k)\n    scorch(self, k.glow)",
            "Burn a keeper. Put soot equal to that keeper's glow on this card.",
        ),
        // Somebody else does it, or it is done on a condition: then the choice comes first.
        ("  dart target k from [keepers]:\n    if night: burn(k)", "Choose a keeper. If it is night, burn that keeper."),
        ("  dart target k from [keepers]:\n    rouse(k)", "Choose a keeper. That keeper is worn no more."),
    ]);
}

#[test]
fn names_need_no_noun_and_places_have_owners() {
    check(&[
        ("  dart target k from [your Ash keepers]:\n    burn(k)", "Burn your Ash."),
        ("  self gets glow +1 while count([Ember keepers here]) > 0", "While Ember is by the same lamp, this card gets +1 glow."),
        ("  spark:\n    throw_out([your Moth hidden_cards])", "Throw a Moth card out of your hand."),
        ("  spark:\n    burn_all([opponents hidden_cards])", "Burn cards in your opponent's hand."),
        ("  dart target k from [your Owl creatures]:\n    burn(k)", "Burn one of your Owls."),
        ("  [resting_now creatures here] gets glow +1", "Each sleeper by the same lamp gets +1 glow."),
        ("  [Moth creatures] gets glow +1", "Each Moth creature gets +1 glow."),
        ("  urge pay dim(2):\n    fetch(you, 1)", "You may dim 2 lamps -> Draw 1 card."),
        ("  urge:\n    lose(opponent, 1)", "Your opponent loses 1 light."),
    ]);
}

/// A name that stands for something cannot be given to something else: which of both is meant would not be clear.
#[test]
fn a_name_is_given_once() {
    let template = "  hums(2)\n  template hums(n: num) \"Hums {n}\"\n    self gets glow +count(n in [keepers] where lit(n))";
    assert!(refused(template).contains("`n` stands for something else here"), "{}", refused(template));
}

/// What a card with this ability is refused for.
fn refused(ability: &str) -> String {
    let (files, rules) = read_game(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/toy")).unwrap();
    let mut workshop = Workshop::new(files, rules).unwrap_or_else(|wrong| panic!("{}", report(&wrong.files, &wrong.problems, false)));
    let card = format!("{WORDS}\ncard \"Warden\" Keeper: Fox\n  glow 1\n{ability}\n");
    workshop.add(SourceFile { name: "more".into(), text: card }).err().unwrap_or_default()
}

/// Phrases that print well and can mean nothing.
#[test]
fn a_phrase_that_means_nothing_is_refused() {
    let pairs = [
        ("  [keepers in you.hand] gets glow +1", "`keepers` looks through `porch` only, so nothing in `hand` is meant"),
        ("  [Moth in aside] gets glow +1", "`anything` looks through `porch` only, so nothing in `aside` is meant"),
        (
            "  [Keeper Lamp everything] gets glow +1",
            "no card is both `Keeper` and `Lamp`: a card has one type, so this phrase means no card",
        ),
        ("  [Moth not Moth keepers] gets glow +1", "nothing is `Moth` and `not Moth` at once, so this phrase means no card"),
    ];
    for (ability, problem) in pairs {
        assert!(refused(ability).contains(problem), "{ability}: {}", refused(ability));
    }
    for well in ["  [keepers in porch] gets glow +1", "  [Moth Owl keepers] gets glow +1", "  [Moth not Owl keepers] gets glow +1"] {
        assert_eq!(refused(well), "");
    }
}
