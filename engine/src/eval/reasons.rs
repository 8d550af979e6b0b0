//! Why something is not allowed: moves that are refused, decks that break a rule.

use super::cells::Cell;
use super::moves::Unmet;
use super::{Env, World};
use crate::catalogue::{Catalogue, Expr, Require};
use crate::ids::*;
use crate::state::State;
use crate::value::{CardId, Move, PlayerId, Value};

/// Why something is not allowed: who says so, and which rule stands behind it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    pub reason: String,
    pub cite: String,
    /// The card whose text forbids it.
    pub card: Option<CardId>,
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.reason)?;
        if !self.cite.is_empty() {
            write!(f, " ({})", self.cite)?;
        }
        Ok(())
    }
}

/// What a player might think of doing in a window but may not, with the reasons.
pub fn refused_moves(world: World<'_>, window: WindowId, player: PlayerId) -> Vec<(Move, Refusal)> {
    let mut found = Vec::new();
    world.ask(|eval| eval.candidates(window, player, 0, &mut |_, candidate| found.push(candidate)));
    found.into_iter().filter_map(|candidate| why_not(world, &candidate).map(|refusal| (candidate, refusal))).collect()
}

/// Why a move is not legal now; none if it is.
pub fn why_not(world: World<'_>, candidate: &Move) -> Option<Refusal> {
    let catalogue = world.catalogue;
    let ability = catalogue.ability(candidate.ability);
    let Some(unmet) = world.ask(|eval| eval.unmet(candidate, 0)) else {
        let to = ability.to.as_ref()?;
        let mut none = true;
        world.ask(|eval| eval.with_targets(*candidate, 0, &mut |_, _| none = false));
        let reason = none.then(|| crate::text::render(&mut Env::for_move(world, candidate), to.reason, None))?;
        return Some(Refusal { reason, cite: catalogue.cite(to.cite.or(ability.cite)).into(), card: None });
    };
    match unmet {
        Unmet::Limit(period) => Some(Refusal {
            reason: format!("already used this {}", catalogue.periods[period.index()]),
            cite: catalogue.cite(ability.cite).into(),
            card: candidate.source,
        }),
        Unmet::Require(at) => {
            let require = &ability.requires[at];
            let mut env = Env::for_move(world, candidate);
            // A permission that is refused names the clause that forbids it.
            if let Expr::May(permission, args) = catalogue.exprs[require.test.index()] {
                let values: Vec<Value> = catalogue.slice(args).iter().map(|&arg| env.eval(arg)).collect();
                let forbidder = world.ask(|eval| {
                    let args: Vec<Cell> = values.iter().map(|value| eval.desk.heap.read(value)).collect();
                    eval.forbidder(permission, &args, 0)
                });
                if let Some((clause, card)) = forbidder {
                    return Some(clause_refusal(world, clause, card, &values, require));
                }
            }
            let reason = crate::text::render(&mut env, require.reason, None);
            Some(Refusal { reason, cite: catalogue.cite(require.cite.or(ability.cite)).into(), card: None })
        }
    }
}

fn clause_refusal(world: World<'_>, clause: ClauseId, card: Option<CardId>, args: &[Value], require: &Require) -> Refusal {
    let World { catalogue, state, .. } = world;
    let clause = catalogue.clause(clause);
    let you = card.map_or(PlayerId(0), |card| state.card(card).controller);
    let mut env = Env::for_card(world, card, card, you).with(args);
    let reason = match (clause.reason, card) {
        (Some(reason), _) => crate::text::render(&mut env, reason, None),
        (None, Some(card)) => {
            format!("{}: {}", catalogue.def(state.card(card).def).title, clause.english)
        }
        (None, None) => crate::text::render(&mut env, require.reason, None),
    };
    Refusal { reason, cite: catalogue.cite(clause.cite.or(require.cite)).into(), card }
}

/// Faults of a deck: each rule of construction that the cards in a player's deck break.
pub fn deck_faults(catalogue: &Catalogue, state: &State, player: PlayerId) -> Vec<Refusal> {
    let mut env = Env::new(World::new(catalogue, state), player);
    let broken = catalogue.deck_rules.iter().filter(|rule| !env.test(rule.test)).collect::<Vec<_>>();
    let mut env = Env::new(World::new(catalogue, state), player);
    broken
        .into_iter()
        .map(|rule| Refusal {
            reason: crate::text::render(&mut env, rule.reason, None),
            cite: catalogue.cite(rule.cite).into(),
            card: None,
        })
        .collect()
}
