//! Triggered abilities that an event sets off.

use super::cells::Cell;
use super::{Eval, Place};
use crate::catalogue::{ClauseKind, Speaks};
use crate::ids::*;
use crate::state::Waiting;
use crate::value::{PlayerId, Value};
use smallvec::SmallVec;

/// Who has heard an event.
pub(crate) struct Heard {
    /// What it sets off, in the order of rules, cards and lasting effects.
    pub(crate) set_off: Vec<Waiting>,
    /// For each lasting effect, whether it has heard it.
    pub(crate) effects: Vec<bool>,
}

impl Eval<'_> {
    /// Who hears an event.
    pub(crate) fn heard(&mut self, event: EventId, args: &[Value]) -> Heard {
        let (catalogue, state) = (self.catalogue, self.state);
        self.desk.begin();
        let mut set_off = Vec::new();
        let locals: SmallVec<[Cell; 6]> = args.iter().map(|arg| self.desk.heap.read(arg)).collect();
        let mut hear = |eval: &mut Eval<'_>, id: ClauseId, place: Place<'_>| {
            let clause = catalogue.clause(id);
            let ClauseKind::Trigger { event: e, test, limit, .. } = clause.kind else { return false };
            let Place { me, source, you, registers, .. } = place;
            // What happens once in a period has perhaps happened.
            if e != event || limit.is_some_and(|limit| state.is_used_up(catalogue, limit, source)) {
                return false;
            }
            let mut holds = |test| eval.test(&place, &locals, test);
            let hears = test.is_none_or(&mut holds) && clause.when.is_none_or(holds);
            if hears {
                let registers = args.iter().chain(registers).cloned().collect();
                set_off.push(Waiting { serial: 0, clause: id, me, source, you, registers });
            }
            hears
        };
        for &id in &catalogue.index.event_rules[event.index()] {
            hear(self, id, Place::of_player(PlayerId(0), 0));
        }
        for card in self.carriers(Speaks::Event(event), &locals) {
            for &id in &catalogue.def(state.card(card).def).clauses {
                let clause = catalogue.clause(id);
                if matches!(clause.kind, ClauseKind::Trigger { event: e, .. } if e == event)
                    && let Some((me, you)) = self.in_scope(clause.scope, card, 0)
                {
                    hear(self, id, Place::of_card(me, Some(card), you, 0));
                }
            }
        }
        let effects = state.effects.iter().map(|effect| hear(self, effect.clause, Place::of_effect(effect, 0))).collect();
        Heard { effects, set_off }
    }
}
