//! Why a player cannot do something now: moves of the window that is open, with what refuses them, and moves of
//! their other cards, with the window that they are for.

use super::picture::id;
use crate::protocol::Reason;
use std::collections::{BTreeMap, BTreeSet};
use trilogy_engine::catalogue::WindowId;
use trilogy_engine::{AskKind, CardId, Move, PlayerId, Refusal, Value, View, Viewer};

/// The window that does not come again: once another one is open, set-up is over.
const SET_UP: &str = "setup_window";

/// A move that is not for this window, and what would refuse it in its own.
type Elsewhere = (Move, Option<Refusal>);

/// Empty where the viewer is not asked, or asked something that is no window.
pub(crate) fn reasons(view: &View<'_>) -> Vec<Reason> {
    let Some(AskKind::Pick { options, .. }) = view.ask_kind() else { return Vec::new() };
    let Viewer::Player(player) = view.viewer() else { return Vec::new() };
    let Some(window) = view.window() else { return Vec::new() };
    let mut reasons: Vec<Reason> = view.refusals().into_iter().map(|(chosen, label, refusal)| told(&chosen, label, refusal)).collect();
    // A card that can do something needs no reason.
    let answered = options.iter().filter_map(|option| if let Value::Move(chosen) = option { about(chosen) } else { None });
    let answered: BTreeSet<CardId> = answered.collect();
    let mut elsewhere = elsewhere(view, player, window);
    elsewhere.retain(|card, _| !answered.contains(card));
    for (card, moves) in elsewhere {
        let here = reasons.iter().any(|reason| reason.card == Some(id(card)));
        for (chosen, refusal) in worth_telling(moves, here) {
            let reason = not_now(view, &chosen, refusal);
            if !reasons.iter().any(|told| told.card == reason.card && told.move_label == reason.move_label) {
                reasons.push(reason);
            }
        }
    }
    reasons
}

/// The card that a player would choose to do it.
fn about(chosen: &Move) -> Option<CardId> {
    chosen.source.or(chosen.card)
}

/// What the cards that the viewer knows could do in windows that are not open now.
fn elsewhere(view: &View<'_>, player: PlayerId, now: WindowId) -> BTreeMap<CardId, Vec<Elsewhere>> {
    let catalogue = view.catalogue();
    let mut found: BTreeMap<CardId, Vec<Elsewhere>> = BTreeMap::new();
    let later = |window: &WindowId| *window != now && catalogue.windows[window.index()].name != SET_UP;
    for window in WindowId::all(catalogue.windows.len()).filter(later) {
        for (chosen, refusal) in view.moves_in(window, player) {
            let Some(card) = about(&chosen) else { continue };
            let known = found.entry(card).or_default();
            if !catalogue.ability(chosen.ability).windows.has(now.index()) && !known.iter().any(|(other, _)| *other == chosen) {
                known.push((chosen, refusal));
            }
        }
    }
    found
}

/// Moves that only wait for their window; else what the card says itself; else, where nothing was said, all of them.
fn worth_telling(moves: Vec<Elsewhere>, said: bool) -> Vec<Elsewhere> {
    let own = |(chosen, _): &Elsewhere| chosen.source.is_some();
    let waits = |one: &Elsewhere| one.1.is_none() && (own(one) || !said);
    if moves.iter().any(waits) {
        moves.into_iter().filter(waits).collect()
    } else if moves.iter().any(own) {
        moves.into_iter().filter(own).collect()
    } else if said {
        Vec::new()
    } else {
        moves
    }
}

fn not_now(view: &View<'_>, chosen: &Move, refusal: Option<Refusal>) -> Reason {
    let catalogue = view.catalogue();
    let ability = catalogue.ability(chosen.ability);
    let windows = catalogue.windows.iter().enumerate().filter(|(at, _)| ability.windows.has(*at));
    let windows: Vec<&str> = windows.map(|(_, window)| window.english.as_str()).collect();
    let besides = refusal.map(|refusal| format!(", and {}", refusal.reason)).unwrap_or_default();
    let refusal = Refusal {
        reason: format!("not now: this is for {}{besides}", windows.join(" or ")),
        cite: catalogue.cite(ability.cite).into(),
        card: None,
    };
    told(chosen, view.move_text(chosen), refusal)
}

fn told(chosen: &Move, move_label: String, refusal: Refusal) -> Reason {
    let rule = Some(refusal.cite).filter(|cite| !cite.is_empty());
    Reason { move_label, card: about(chosen).map(id), reason: refusal.reason, rule }
}
