//! Whether a stored game can go on: every index in it must fit the catalogue.

use super::{Ask, AskKind, State, Status};
use crate::catalogue::Catalogue;
use crate::ids::*;
use crate::value::{CardId, PlayerId, Value};

impl State {
    pub(super) fn check(&self, catalogue: &Catalogue) -> Result<(), String> {
        let known = Known { catalogue, cards: self.cards.len() };
        let sound = self.vars.len() == catalogue.vars.len()
            && self.options.len() == catalogue.options.len()
            && self.places_hold(&known)
            && self.frames_hold(&known)
            && self.memory_holds(&known)
            && self.tallies.len() == catalogue.player_counters.len() * 2
            && self.vars.iter().chain(&self.registers).all(|value| known.value(value))
            && self.effects.iter().all(|effect| {
                known.runs(effect.clause, effect.me, effect.source, effect.you) && effect.captured.iter().all(|value| known.value(value))
            })
            && self.waiting.iter().all(|waiting| {
                known.runs(waiting.clause, waiting.me, waiting.source, waiting.you)
                    && waiting.registers.iter().all(|value| known.value(value))
            })
            && self.ask.as_ref().is_none_or(|ask| self.ask_holds(&known, ask))
            && !matches!(self.status, Status::Won(player) if !known.player(player));
        if sound { Ok(()) } else { Err("the stored game does not fit this catalogue".into()) }
    }

    /// Every card exists and lies in one place, the one it names.
    fn places_hold(&self, known: &Known<'_>) -> bool {
        let mut seen = vec![false; self.cards.len()];
        let listed = self.zones.iter().enumerate().all(|(zone, cards)| {
            cards.iter().all(|&card| {
                known.card(Some(card)) && self.card(card).zone.index() == zone && !std::mem::replace(&mut seen[card.0 as usize], true)
            })
        });
        listed
            && seen.iter().all(|seen| *seen)
            && self.zones.len() == known.catalogue.zones.len()
            && self.cards.iter().all(|card| {
                (card.def.index()) < known.catalogue.cards.len()
                    && known.player(card.owner)
                    && known.player(card.controller)
                    && known.card(card.parent)
            })
    }

    /// Each frame stands inside its program, and its registers lie behind those of its caller.
    fn frames_hold(&self, known: &Known<'_>) -> bool {
        let procs = &known.catalogue.procs;
        let (mut free, mut caller) = (0, 0);
        self.frames.iter().all(|frame| {
            let Some(program) = procs.get(frame.program.index()) else { return false };
            let end = procs.iter().map(|other| other.start).filter(|start| *start > program.start).min();
            let end = end.map_or(known.catalogue.ops.len(), |end| end as usize);
            let holds = (program.start as usize).saturating_add(frame.at as usize) < end
                && frame.base as usize >= free
                && frame.result.is_none_or(|result| result.index() < caller)
                && known.card(frame.me)
                && known.card(frame.source)
                && known.player(frame.you)
                && frame.ability.is_none_or(|ability| (ability.index()) < known.catalogue.abilities.len());
            free = (frame.base as usize).saturating_add(program.registers as usize);
            caller = program.registers as usize;
            holds && free <= self.registers.len()
        })
    }

    /// What cards remember stands once for each card and field, in order; bindings are of frames that are there.
    fn memory_holds(&self, known: &Known<'_>) -> bool {
        let field = |card: CardId, field: FieldId| known.card(Some(card)) && field.index() < known.catalogue.fields.len();
        self.numbers.is_sorted_by(|a, b| (a.card, a.field) < (b.card, b.field))
            && self.memory.is_sorted_by(|a, b| (a.card, a.field) < (b.card, b.field))
            && self.numbers.iter().all(|entry| field(entry.card, entry.field))
            && self.memory.iter().all(|entry| field(entry.card, entry.field) && known.value(&entry.value))
            && self.bound.is_sorted_by_key(|bound| bound.frames)
            && self.bound.iter().all(|bound| {
                bound.frames as usize <= self.frames.len() && bound.var.index() < self.vars.len() && known.value(&bound.before)
            })
    }

    fn ask_holds(&self, known: &Known<'_>, ask: &Ask) -> bool {
        let top = self.frames.last().and_then(|frame| known.catalogue.procs.get(frame.program.index()));
        let asks = match &ask.kind {
            AskKind::Pick { options, least, most } => {
                least <= most && *most as usize <= options.len() && options.iter().all(|option| known.value(option))
            }
            AskKind::Number { least, most } => least <= most,
            AskKind::Order { options } => options.iter().all(|option| known.value(option)),
        };
        asks && known.player(ask.player)
            && (ask.def.index()) < known.catalogue.asks.len()
            && top.is_some_and(|program| ask.to.index() < program.registers as usize)
    }
}

/// What a stored game may speak of.
struct Known<'a> {
    catalogue: &'a Catalogue,
    cards: usize,
}

impl Known<'_> {
    fn card(&self, card: Option<CardId>) -> bool {
        card.is_none_or(|card| (card.0 as usize) < self.cards)
    }
    fn player(&self, player: PlayerId) -> bool {
        player.0 < 2
    }
    fn runs(&self, clause: ClauseId, me: Option<CardId>, source: Option<CardId>, you: PlayerId) -> bool {
        (clause.index()) < self.catalogue.clauses.len() && self.card(me) && self.card(source) && self.player(you)
    }
    fn value(&self, value: &Value) -> bool {
        match value {
            Value::None | Value::Num(_) | Value::Bool(_) | Value::Trigger(_) => true,
            Value::Card(card) => self.card(Some(*card)),
            Value::Player(player) => self.player(*player),
            Value::Zone(zone) => (zone.index()) < self.catalogue.zones.len(),
            Value::Word(word) => (word.index()) < self.catalogue.words.len(),
            Value::Text(text) => text.index() < self.catalogue.texts.len(),
            Value::Move(chosen) => {
                (chosen.ability.index()) < self.catalogue.abilities.len()
                    && self.player(chosen.player)
                    && chosen.cards().all(|card| self.card(Some(card)))
            }
            Value::List(items) => items.iter().all(|item| self.value(item)),
        }
    }
}
