//! Abilities that cards have from others.

use super::permissions::in_scope;
use super::{Env, World};
use crate::catalogue::{ClauseKind, Speaks};
use crate::ids::*;
use crate::value::{CardId, Value};
use std::ops::ControlFlow;

impl<'a> World<'a> {
    /// Visit the abilities that cards which may act have from other cards and from lasting effects.
    pub(super) fn granted(&self, depth: u16, visit: &mut dyn FnMut(CardId, AbilityId)) {
        let World { catalogue, state, .. } = *self;
        self.granters(depth, &mut |id, env| {
            let clause = catalogue.clause(id);
            let ClauseKind::Grant { who, first, count } = clause.kind else { return };
            let depth = depth + catalogue.index.clause_depths[id.index()];
            for &card in catalogue.index.act_zones.iter().flat_map(|&zone| &state.zones[zone.index()]) {
                let mut env = Env { depth, ..env() }.with(&[Value::Card(card)]);
                if env.test(who) && clause.when.is_none_or(|when| env.test(when)) {
                    abilities(first, count).for_each(|ability| visit(card, ability));
                }
            }
        });
    }

    /// Whether a window is among those of any ability that something gives to cards now.
    pub(super) fn grants_in(&self, window: WindowId, depth: u16) -> bool {
        let mut found = false;
        self.granters(depth, &mut |id, _| {
            let ClauseKind::Grant { first, count, .. } = self.catalogue.clause(id).kind else { return };
            found |= abilities(first, count).any(|ability| self.catalogue.ability(ability).windows.has(window.index()));
        });
        found
    }

    /// Visit what gives abilities, each with the place where it speaks.
    fn granters(&self, depth: u16, visit: &mut dyn FnMut(ClauseId, &dyn Fn() -> Env<'a>)) {
        let World { catalogue, state, .. } = *self;
        self.carriers(Speaks::Grants, &[], |card| {
            for &id in &catalogue.def(state.card(card).def).clauses {
                let clause = catalogue.clause(id);
                if matches!(clause.kind, ClauseKind::Grant { .. })
                    && let Some((me, you)) = in_scope(*self, clause.scope, card, depth)
                {
                    visit(id, &|| Env::for_card(*self, me, Some(card), you));
                }
            }
            ControlFlow::Continue(())
        });
        for effect in state.effects.iter().filter(|effect| matches!(catalogue.clause(effect.clause).kind, ClauseKind::Grant { .. })) {
            visit(effect.clause, &|| Env::for_effect(*self, effect));
        }
    }
}

fn abilities(first: AbilityId, count: u32) -> impl Iterator<Item = AbilityId> {
    (first.index()..first.index() + count as usize).filter_map(|place| AbilityId::new(place).ok())
}
