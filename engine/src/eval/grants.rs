//! Abilities that cards have from others.

use super::cells::Cell;
use super::{Eval, Place};
use crate::catalogue::{ClauseKind, Speaks};
use crate::ids::*;
use crate::value::CardId;

impl Eval<'_> {
    /// Visit the abilities that cards which may act have from other cards and from lasting effects.
    pub(super) fn granted(&mut self, depth: u16, visit: &mut dyn FnMut(&mut Self, CardId, AbilityId)) {
        let (catalogue, state) = (self.catalogue, self.state);
        self.granters(depth, &mut |eval, id, place| {
            let clause = catalogue.clause(id);
            let ClauseKind::Grant { who, first, count } = clause.kind else { return };
            let place = place.deeper(catalogue.index.clause_depths[id.index()]);
            for &card in catalogue.index.act_zones.iter().flat_map(|&zone| &state.zones[zone.index()]) {
                let mut holds = |test| eval.test(&place, &[Cell::of_card(card)], test);
                if holds(who) && clause.when.is_none_or(holds) {
                    abilities(first, count).for_each(|ability| visit(eval, card, ability));
                }
            }
        });
    }

    /// Whether a window is among those of any ability that something gives to cards now.
    pub(super) fn grants_in(&mut self, window: WindowId, depth: u16) -> bool {
        let (catalogue, mut found) = (self.catalogue, false);
        self.granters(depth, &mut |_, id, _| {
            let ClauseKind::Grant { first, count, .. } = catalogue.clause(id).kind else { return };
            found |= abilities(first, count).any(|ability| catalogue.ability(ability).windows.has(window.index()));
        });
        found
    }

    /// Visit what gives abilities, each with the place where it speaks.
    fn granters(&mut self, depth: u16, visit: &mut dyn FnMut(&mut Self, ClauseId, &Place<'_>)) {
        let (catalogue, state) = (self.catalogue, self.state);
        if !catalogue.index.grants_any {
            return;
        }
        for card in self.carriers(Speaks::Grants, &[]) {
            for &id in &catalogue.def(state.card(card).def).clauses {
                let clause = catalogue.clause(id);
                if matches!(clause.kind, ClauseKind::Grant { .. })
                    && let Some((me, you)) = self.in_scope(clause.scope, card, depth)
                {
                    visit(self, id, &Place::of_card(me, Some(card), you, depth));
                }
            }
        }
        for effect in state.effects.iter().filter(|effect| matches!(catalogue.clause(effect.clause).kind, ClauseKind::Grant { .. })) {
            visit(self, effect.clause, &Place::of_effect(effect, depth));
        }
    }
}

fn abilities(first: AbilityId, count: u32) -> impl Iterator<Item = AbilityId> {
    (first.index()..first.index() + count as usize).filter_map(|place| AbilityId::new(place).ok())
}
