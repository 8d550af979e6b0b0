//! What is done instead of a program that is about to run.

use super::cells::Cell;
use super::{Eval, Place};
use crate::catalogue::{ClauseKind, Speaks};
use crate::ids::*;
use crate::value::{CardId, PlayerId, Value};
use smallvec::SmallVec;

/// Something that is done instead: its program, and for whom it runs.
pub(crate) struct Instead {
    pub(crate) clause: ClauseId,
    pub(crate) program: ProcId,
    pub(crate) me: Option<CardId>,
    pub(crate) source: Option<CardId>,
    pub(crate) you: PlayerId,
    pub(crate) captured: Vec<Value>,
    /// Which of the lasting effects it is.
    pub(crate) effect: Option<usize>,
}

impl Eval<'_> {
    /// The first thing that would be done instead of a program with these arguments, in the order in which the cards and effects
    /// came to be there, of those that pass a test.
    pub(crate) fn instead(&mut self, proc: ProcId, args: &[Value], fresh: impl Fn(ClauseId, Option<CardId>) -> bool) -> Option<Instead> {
        let (catalogue, state) = (self.catalogue, self.state);
        self.desk.begin();
        let args: SmallVec<[Cell; 6]> = args.iter().map(|arg| self.desk.heap.read(arg)).collect();
        let mut found: Option<(u32, Instead)> = None;
        let mut consider = |eval: &mut Eval<'_>, id: ClauseId, place: Place<'_>, since: u32, effect: Option<usize>| {
            let clause = catalogue.clause(id);
            let ClauseKind::Replace { proc: of, test, program } = clause.kind else { return };
            if of != proc || !fresh(id, place.source) || found.as_ref().is_some_and(|(earliest, _)| *earliest <= since) {
                return;
            }
            let deeper = place.deeper(catalogue.index.clause_depths[id.index()]);
            let mut holds = |test| eval.test(&deeper, &args, test);
            if test.is_none_or(&mut holds) && clause.when.is_none_or(holds) {
                let Place { me, source, you, registers, .. } = place;
                found = Some((since, Instead { clause: id, program, me, source, you, captured: registers.to_vec(), effect }));
            }
        };
        for card in self.carriers(Speaks::Replaced(proc), &args) {
            for &id in &catalogue.def(state.card(card).def).clauses {
                let clause = catalogue.clause(id);
                if matches!(clause.kind, ClauseKind::Replace { .. })
                    && let Some((me, you)) = self.in_scope(clause.scope, card, 0)
                {
                    consider(self, id, Place::of_card(me, Some(card), you, 0), state.card(card).since, None);
                }
            }
        }
        for (at, effect) in state.effects.iter().enumerate() {
            consider(self, effect.clause, Place::of_effect(effect, 0), effect.since, Some(at));
        }
        found.map(|(_, instead)| instead)
    }
}
