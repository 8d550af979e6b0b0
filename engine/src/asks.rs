//! A question as the player who is asked reads it: options that are told apart where they differ and known as alike where they
//! do not, what an answer would give away, and whether the question is worth asking at all.

use crate::catalogue::{AskDef, Catalogue};
use crate::eval::{Env, World};
use crate::ids::*;
use crate::sight::{Viewer, knows};
use crate::state::{ATTACHED, Answer, Ask, AskKind, Card, State};
use crate::text;
use crate::value::{CardId, PlayerId, Value};
use serde::Serialize;
use std::collections::BTreeMap;

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct OptionView {
    pub label: String,
    /// In what it differs from other options of the same label.
    pub detail: Option<String>,
    pub card: Option<CardId>,
    /// The second card of a move that takes two.
    pub target: Option<CardId>,
    /// An earlier option that comes to the same: hosts list that one only.
    pub alike: Option<u16>,
    /// What is given away by choosing it; to be confirmed.
    pub warning: Option<String>,
}

impl OptionView {
    /// The label with what tells it apart.
    pub fn full(&self) -> String {
        match &self.detail {
            Some(detail) => format!("{} ({detail})", self.label),
            None => self.label.clone(),
        }
    }
}

/// What choosing nothing is called, and what it gives away.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct PassView {
    pub label: String,
    pub warning: Option<String>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum AskView {
    Pick {
        prompt: String,
        options: Vec<OptionView>,
        least: u16,
        most: u16,
        /// None where something must be chosen.
        pass: Option<PassView>,
    },
    Number {
        prompt: String,
        least: i32,
        most: i32,
        /// Numbers that give something away, with what.
        warnings: Vec<(i32, String)>,
    },
    Order {
        prompt: String,
        options: Vec<OptionView>,
    },
    /// Another player is asked.
    Wait {
        player: PlayerId,
    },
}

impl AskView {
    pub fn options(&self) -> &[OptionView] {
        match self {
            AskView::Pick { options, .. } | AskView::Order { options, .. } => options,
            AskView::Number { .. } | AskView::Wait { .. } => &[],
        }
    }

    /// What an answer gives away; to be confirmed.
    pub fn warning(&self, answer: &Answer) -> Option<&str> {
        match (self, answer) {
            (AskView::Pick { pass, .. }, Answer::Pick(picks)) if picks.is_empty() => pass.as_ref()?.warning.as_deref(),
            (_, Answer::Pick(picks)) => picks.iter().find_map(|&pick| self.options().get(pick as usize)?.warning.as_deref()),
            (AskView::Number { warnings, .. }, Answer::Number(number)) => {
                warnings.iter().find(|(warned, _)| warned == number).map(|(_, warning)| warning.as_str())
            }
            (_, Answer::Number(_)) => None,
        }
    }

    /// An answer in the words of the question.
    pub fn words(&self, answer: &Answer) -> String {
        match (self, answer) {
            (_, Answer::Number(number)) => number.to_string(),
            (AskView::Pick { pass: Some(pass), .. }, Answer::Pick(picks)) if picks.is_empty() => pass.label.clone(),
            (_, Answer::Pick(picks)) => {
                let named: Vec<String> = picks.iter().filter_map(|&pick| self.options().get(pick as usize)).map(OptionView::full).collect();
                named.join(" & ")
            }
        }
    }
}

/// More numbers than this are not looked through for warnings.
const MOST_NUMBERS: i32 = 200;

/// The pending question, seen by the player who is asked (or the referee).
pub(crate) struct Question<'a> {
    world: World<'a>,
    ask: &'a Ask,
    def: &'a AskDef,
    viewer: Viewer,
}

impl<'a> Question<'a> {
    pub(crate) fn new(world: World<'a>, ask: &'a Ask, viewer: Viewer) -> Question<'a> {
        Question { world, ask, def: &world.catalogue.asks[ask.def.index()], viewer }
    }

    fn state(&self) -> &'a State {
        self.world.state
    }
    fn catalogue(&self) -> &'a Catalogue {
        self.world.catalogue
    }

    /// A text of the question over an answer: local 0 is the option or number, none for passing.
    fn say(&self, says: TextId, about: Value) -> String {
        text::render(&mut Env::of_frame(self.world).with(&[about]), says, Some(self.viewer))
    }
    fn warning(&self, about: Value) -> Option<String> {
        let of_move = match &about {
            Value::Move(chosen) => self.catalogue().ability(chosen.ability).warning.map(|says| {
                let mut env = Env::for_move(self.world, chosen);
                text::render(&mut env, says, Some(self.viewer))
            }),
            _ => None,
        };
        let own = self.def.warning.map(|says| self.say(says, about));
        of_move.into_iter().chain(own).find(|says| !says.is_empty())
    }

    pub(crate) fn view(&self) -> AskView {
        let prompt = text::prompt(self.world);
        match &self.ask.kind {
            AskKind::Pick { options, least, most } => {
                let says = self.def.pass.map_or("Pass".into(), |says| self.say(says, Value::None));
                let pass = (*least == 0).then(|| PassView { label: says, warning: self.warning(Value::None) });
                AskView::Pick { prompt, options: self.options(options), least: *least, most: *most, pass }
            }
            AskKind::Number { least, most } => {
                let all = *least..=(*most).min(least.saturating_add(MOST_NUMBERS));
                let warnings = match self.def.warning {
                    Some(_) => all.filter_map(|number| Some((number, self.warning(Value::Num(number))?))).collect(),
                    None => Vec::new(),
                };
                AskView::Number { prompt, least: *least, most: *most, warnings }
            }
            AskKind::Order { options } => AskView::Order { prompt, options: self.options(options) },
        }
    }

    fn options(&self, options: &[Value]) -> Vec<OptionView> {
        let shown = |option| OptionView {
            label: self.label(option),
            detail: None,
            card: subject(option),
            target: if let Value::Move(chosen) = option { chosen.target } else { None },
            alike: None,
            warning: self.warning(option.clone()),
        };
        let mut views: Vec<OptionView> = options.iter().map(shown).collect();
        self.tell_apart(options, &mut views);
        for at in 1..options.len() {
            let like = |first: &usize| views[*first].label == views[at].label && self.alike(&options[*first], &options[at]);
            views[at].alike = (0..at).find(like).map(|first| first as u16);
        }
        views
    }

    fn label(&self, option: &Value) -> String {
        match self.def.label {
            Some(says) => self.say(says, option.clone()),
            None => text::value_text(self.world, option, Some(self.viewer)),
        }
    }

    // ---- told apart, or alike ----

    /// Options of one label say in what they differ: place, counters, what they carry, what lasts for them.
    fn tell_apart(&self, options: &[Value], views: &mut [OptionView]) {
        let mut groups: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (at, view) in views.iter().enumerate().filter(|(at, _)| acted_on(&options[*at]).next().is_some()) {
            groups.entry(view.label.clone()).or_default().push(at);
        }
        for group in groups.values().filter(|group| group.len() > 1) {
            let features = |&at: &usize| acted_on(&options[at]).flat_map(|card| self.features(card)).collect();
            let told: Vec<Vec<Option<String>>> = group.iter().map(features).collect();
            let differ = |which: usize| told.iter().any(|features| features.get(which) != told[0].get(which));
            let most = told.iter().map(Vec::len).max().unwrap_or(0);
            let telling: Vec<usize> = (0..most).filter(|&which| differ(which)).collect();
            for (&at, features) in group.iter().zip(&told) {
                let says: Vec<&str> = telling.iter().filter_map(|&which| features.get(which)?.as_deref()).collect();
                views[at].detail = (!says.is_empty()).then(|| says.join(", "));
            }
        }
    }

    /// The plainest first.
    fn features(&self, card: CardId) -> [Option<String>; 6] {
        [self.side(card), self.place(card), self.outer_place(card), self.counters(card), self.cargo(card), self.lasting(card)]
    }
    fn side(&self, card: CardId) -> Option<String> {
        let controller = self.state().card(card).controller;
        Some(if self.viewer == Viewer::Player(controller) {
            "yours".into()
        } else {
            format!("{}'s", text::player_text(self.catalogue(), controller))
        })
    }
    fn place(&self, card: CardId) -> Option<String> {
        let data = self.state().card(card);
        Some(match data.parent {
            Some(parent) => {
                let role = &self.catalogue().roles[data.role.index()].english;
                format!("{role} {}", text::card_text(self.catalogue(), self.state(), parent, Some(self.viewer)))
            }
            None => {
                let zone = &self.catalogue().zones[data.zone.index()];
                let whose = match zone.player {
                    Some(player) if self.viewer == Viewer::Player(player) => "your ".into(),
                    Some(player) => format!("{}'s ", text::player_text(self.catalogue(), player)),
                    None => String::new(),
                };
                format!("in {whose}{}", zone.english)
            }
        })
    }
    fn outer_place(&self, card: CardId) -> Option<String> {
        let root = self.state().root(card);
        (root != card && self.state().card(card).parent != Some(root))
            .then(|| format!("at {}", text::card_text(self.catalogue(), self.state(), root, Some(self.viewer))))
    }
    fn counters(&self, card: CardId) -> Option<String> {
        let known = knows(self.catalogue(), self.state(), self.viewer, card);
        let counted = self.state().numbers_of(card).filter_map(|(field, count)| {
            let def = &self.catalogue().fields[field.index()];
            let english = def.english().filter(|_| known || def.open)?;
            Some(if def.is_mark() { english.to_string() } else { format!("{count} {english}") })
        });
        let told: Vec<String> = counted.collect();
        (!told.is_empty()).then(|| told.join(", "))
    }
    fn cargo(&self, card: CardId) -> Option<String> {
        let on = self.state().zone(ATTACHED).iter().copied().filter(|&on| self.state().card(on).parent == Some(card));
        let named: Vec<String> = on.map(|on| text::card_text(self.catalogue(), self.state(), on, Some(self.viewer))).collect();
        (!named.is_empty()).then(|| format!("with {}", named.join(", ")))
    }
    fn lasting(&self, card: CardId) -> Option<String> {
        let held = self.state().effects.iter().filter(|effect| effect.captured.iter().any(|value| value.speaks_of(card)));
        let remembered = self.state().memory.iter().filter(|entry| entry.value.speaks_of(card)).map(|entry| entry.card);
        let sources = held.filter_map(|effect| effect.source).chain(remembered);
        let mut named: Vec<String> =
            sources.map(|source| text::card_text(self.catalogue(), self.state(), source, Some(self.viewer))).collect();
        named.sort_unstable();
        named.dedup();
        (!named.is_empty()).then(|| format!("under {}", named.join(", ")))
    }

    /// Whether it comes to the same which of two options is taken.
    fn alike(&self, a: &Value, b: &Value) -> bool {
        match (a, b) {
            (Value::Card(a), Value::Card(b)) => self.twins(*a, *b),
            (Value::Move(a), Value::Move(b)) => {
                a.ability == b.ability
                    && a.target == b.target
                    && match (a.card, b.card, a.source, b.source) {
                        (Some(a), Some(b), None, None) => self.twins(a, b),
                        (Some(a), Some(b), Some(from_a), Some(from_b)) => {
                            self.twins(from_a, from_b) && (a == b || (a == from_a && b == from_b))
                        }
                        _ => false,
                    }
            }
            // Copies of one text that were set off alike.
            (Value::Trigger(a), Value::Trigger(b)) => {
                let waiting = |serial: &u32| self.state().waiting.iter().find(|waiting| waiting.serial == *serial);
                let set_off = |serial| waiting(serial).map(|waiting| (waiting.clause, waiting.you, &waiting.registers));
                set_off(a) == set_off(b)
            }
            _ => a == b,
        }
    }

    /// Two cards that differ in nothing that any rule could ask: copies of one card in one place, with nothing on or about them.
    fn twins(&self, a: CardId, b: CardId) -> bool {
        let state = self.state();
        let known = |card| knows(self.catalogue(), state, self.viewer, card);
        let bare = |card: CardId| {
            let memory = state.memory.iter().map(|entry| &entry.value);
            let held = state.vars.iter().chain(memory).chain(state.effects.iter().flat_map(|effect| &effect.captured));
            let waits =
                state.waiting.iter().any(|waiting| waiting.me == Some(card) || waiting.registers.iter().any(|value| value.speaks_of(card)));
            let used = state.used.iter().any(|used| used.source == Some(card));
            let carries = state.zone(ATTACHED).iter().any(|&on| state.card(on).parent == Some(card));
            let lasts = state.effects.iter().any(|effect| effect.me == Some(card));
            !waits && !used && !carries && !lasts && !held.into_iter().any(|value| value.speaks_of(card))
        };
        let face = |card: CardId| {
            let Card { def, owner, controller, zone, facedown, shown, parent, role, .. } = *state.card(card);
            (def, owner, controller, zone, facedown, shown, parent, role)
        };
        let memory = |card: CardId| (state.numbers_of(card), state.memory_of(card));
        let remember_alike = |a, b| {
            let ((numbers_a, memory_a), (numbers_b, memory_b)) = (memory(a), memory(b));
            numbers_a.eq(numbers_b) && memory_a.eq(memory_b)
        };
        a == b || (known(a) && known(b) && face(a) == face(b) && remember_alike(a, b) && bare(a) && bare(b))
    }

    // ---- the usual stops ----

    /// The answer that goes without asking, where the question is not worth it: nothing that the rules think worth a stop can be
    /// done, or all that can be chosen comes to the same.
    pub(crate) fn usual(&self) -> Option<Answer> {
        let same = |options: &[Value]| options.iter().skip(1).all(|option| self.alike(&options[0], option));
        let worth = |worth: Option<ExprId>| worth.is_none_or(|worth| Env::of_frame(self.world).test(worth));
        match &self.ask.kind {
            AskKind::Pick { options, least, .. } => {
                let least = *least;
                let first = || Answer::Pick((0..least).collect());
                let dull = !worth(self.def.worth) || (least > 0 && self.exact() && same(options));
                if dull || least > 0 {
                    return dull.then(first);
                }
                let mut stops = (0..).zip(options).filter(|(_, option)| self.is_worth_a_stop(option));
                let Some((at, option)) = stops.next() else { return Some(first()) };
                (self.goes_unasked(option) && stops.all(|(_, other)| self.goes_unasked(other))).then(|| Answer::Pick(vec![at]))
            }
            AskKind::Order { options } => {
                (!worth(self.def.worth) || same(options)).then(|| Answer::Pick((0..options.len() as u16).collect()))
            }
            // As much as there is: to heal, to prevent, to take.
            AskKind::Number { most, .. } => (!worth(self.def.worth)).then_some(Answer::Number(*most)),
        }
    }

    fn exact(&self) -> bool {
        matches!(&self.ask.kind, AskKind::Pick { least, most, .. } if least == most)
    }

    fn is_worth_a_stop(&self, option: &Value) -> bool {
        let Value::Move(chosen) = option else { return true };
        let worth = self.catalogue().ability(chosen.ability).worth;
        worth.is_none_or(|worth| Env::for_move(self.world, chosen).test(worth))
    }
    /// A move that everybody would make.
    fn goes_unasked(&self, option: &Value) -> bool {
        let Value::Move(chosen) = option else { return false };
        let usual = self.catalogue().ability(chosen.ability).usual;
        usual.is_some_and(|usual| Env::for_move(self.world, chosen).test(usual))
    }
}

/// The card that an option is shown on.
fn subject(option: &Value) -> Option<CardId> {
    match option {
        Value::Card(card) => Some(*card),
        Value::Move(chosen) => chosen.source.or(chosen.card),
        _ => None,
    }
}

/// The cards that an option does something to.
fn acted_on(option: &Value) -> impl Iterator<Item = CardId> {
    let both = match option {
        Value::Card(card) => [Some(*card), None],
        Value::Move(chosen) => [chosen.card.or(chosen.source), chosen.target],
        _ => [None, None],
    };
    both.into_iter().flatten()
}
