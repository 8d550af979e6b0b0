//! Permissions: what rules, cards and lasting effects together allow, and the scopes in which a card speaks at all.

use super::{Env, MAX_DEPTH, STEP, World};
use crate::catalogue::{Args, ClauseId, ClauseKind, PermissionId, ScopeId, Speaks};
use crate::memo::{Key, Sort};
use crate::value::{CardId, PlayerId, Value};
use std::ops::ControlFlow;

impl Env<'_> {
    /// Whether something is permitted.
    pub(super) fn may(&mut self, permission: PermissionId, args: Args) -> Value {
        let (world, values) = (self.world(), self.values(args));
        if let Some(memo) = self.memo
            && let Some(rest) = self.catalogue.index.permission_rest[permission.index()]
            && world.is_quiet(memo, Speaks::Permission(permission), &values)
        {
            return Value::Bool(rest);
        }
        let key = Key::new(Sort::May, permission.index(), &values);
        let depth = self.depth;
        let may = || Value::Bool(forbidder(world, permission, &values, depth).is_none());
        match (self.memo, key) {
            (Some(memo), Some(key)) => memo.recall(key, self.catalogue.index.reads.permissions[permission.index()], may),
            _ => may(),
        }
    }
}

/// The clause that forbids something, if any. Between cards "can't" beats "can"; a card beats a rule.
pub(super) fn forbidder(world: World<'_>, permission: PermissionId, args: &[Value], depth: u16) -> Option<(ClauseId, Option<CardId>)> {
    let World { catalogue, state, memo } = world;
    if depth >= MAX_DEPTH {
        if let Some(memo) = memo {
            memo.cut();
        }
        return None;
    }
    let depth = depth + STEP;
    let matches = |id: ClauseId, mut env: Env<'_>| -> Option<bool> {
        let clause = catalogue.clause(id);
        let ClauseKind::Permit { permission: p, allow, test } = clause.kind else { return None };
        if p != permission {
            return None;
        }
        env.depth = depth + catalogue.index.clause_depths[id.index()];
        env.locals.extend(args.iter().cloned());
        let holds = test.is_none_or(|test| env.test(test)) && clause.when.is_none_or(|when| env.test(when));
        holds.then_some(allow)
    };
    let mut allowed = false;
    let mut forbidding = None;
    world.carriers(Speaks::Permission(permission), args, |card| {
        for &id in &catalogue.def(state.card(card).def).clauses {
            let clause = catalogue.clause(id);
            if !matches!(clause.kind, ClauseKind::Permit { permission: p, .. } if p == permission) {
                continue;
            }
            let Some((me, you)) = in_scope(world, clause.scope, card, depth) else { continue };
            match matches(id, Env::for_card(world, me, Some(card), you)) {
                Some(false) => {
                    forbidding = Some((id, Some(card)));
                    return ControlFlow::Break(());
                }
                Some(true) => allowed = true,
                None => {}
            }
        }
        ControlFlow::Continue(())
    });
    if forbidding.is_some() {
        return forbidding;
    }
    for effect in &state.effects {
        match matches(effect.clause, Env::for_effect(world, effect)) {
            Some(false) => return Some((effect.clause, effect.source)),
            Some(true) => allowed = true,
            None => {}
        }
    }
    if allowed {
        return None;
    }
    for &id in &catalogue.index.permission_rules[permission.index()] {
        let you = args.iter().find_map(Value::card).map_or(PlayerId(0), |card| state.card(card).controller);
        let me = args.iter().find_map(Value::card);
        if matches(id, Env::for_card(world, me, None, you)) == Some(false) {
            return Some((id, None));
        }
    }
    None
}

/// Whether an ability in this scope works on this card now; then the card it speaks of and the player who has it.
pub(crate) fn in_scope(world: World<'_>, scope: Option<ScopeId>, card: CardId, depth: u16) -> Option<(Option<CardId>, PlayerId)> {
    let World { catalogue, state, memo } = world;
    let controller = state.card(card).controller;
    let Some(scope) = scope else { return Some((Some(card), controller)) };
    if depth >= MAX_DEPTH {
        if let Some(memo) = memo {
            memo.cut();
        }
        return None;
    }
    let find = || {
        let scope = &catalogue.scopes[scope.index()];
        let depth = depth + catalogue.index.depths[scope.test.index()];
        let mut env = Env { depth, ..Env::for_card(world, Some(card), Some(card), controller) };
        env.locals.push(Value::Card(card));
        if let Some(player) = scope.player.and_then(|player| env.player(player)) {
            env.you = player;
        }
        env.test(scope.test).then(|| (env.card(scope.subject), env.you))
    };
    match memo {
        Some(memo) => memo.recall_scope(scope, card, catalogue.index.reads.scopes[scope.index()], find),
        None => find(),
    }
}
