//! What is done instead of a program that is about to run.

use super::permissions::in_scope;
use super::{Env, World};
use crate::catalogue::{ClauseKind, Speaks};
use crate::ids::*;
use crate::value::{CardId, PlayerId, Value};
use std::ops::ControlFlow;

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

/// The first thing that would be done instead of a program with these arguments, in the order in which the cards and effects
/// came to be there, of those that pass a test.
pub(crate) fn instead(world: World<'_>, proc: ProcId, args: &[Value], fresh: impl Fn(ClauseId, Option<CardId>) -> bool) -> Option<Instead> {
    let World { catalogue, state, .. } = world;
    let mut found: Option<(u32, Instead)> = None;
    let mut consider = |id: ClauseId, mut env: Env<'_>, since: u32, effect: Option<usize>| {
        let clause = catalogue.clause(id);
        let ClauseKind::Replace { proc: of, test, program } = clause.kind else { return };
        if of != proc || !fresh(id, env.source) || found.as_ref().is_some_and(|(earliest, _)| *earliest <= since) {
            return;
        }
        let (me, source, you, captured) = (env.me, env.source, env.you, env.registers.to_vec());
        env.depth = catalogue.index.clause_depths[id.index()];
        env.locals.extend(args.iter().cloned());
        if test.is_none_or(|test| env.test(test)) && clause.when.is_none_or(|when| env.test(when)) {
            found = Some((since, Instead { clause: id, program, me, source, you, captured, effect }));
        }
    };
    world.carriers(Speaks::Replaced(proc), args, |card| {
        for &id in &catalogue.def(state.card(card).def).clauses {
            let clause = catalogue.clause(id);
            if matches!(clause.kind, ClauseKind::Replace { .. })
                && let Some((me, you)) = in_scope(world, clause.scope, card, 0)
            {
                consider(id, Env::for_card(world, me, Some(card), you), state.card(card).since, None);
            }
        }
        ControlFlow::Continue(())
    });
    for (at, effect) in state.effects.iter().enumerate() {
        consider(effect.clause, Env::for_effect(world, effect), effect.since, Some(at));
    }
    found.map(|(_, instead)| instead)
}
