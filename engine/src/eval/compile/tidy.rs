//! Code without detours: jumps go where they end, no test jumps over a jump, nothing lies where nobody comes.

use crate::eval::code::{Step, To};

/// The steps of a piece without what is not needed, and where each label stands then. From `kept` labels code may be entered.
pub(super) fn tidied(mut steps: Vec<Step>, mut labels: Vec<To>, kept: &[To]) -> (Vec<Step>, Vec<To>) {
    for _ in 0..4 {
        straighten(&mut steps, &labels);
        if !shorten(&mut steps, &mut labels, kept) {
            break;
        }
    }
    (steps, labels)
}

/// Where a label leads in the end: through jumps, and through tests that come out as the one that led there.
fn end_of(steps: &[Step], labels: &[To], label: To, from: Step) -> To {
    let mut label = label;
    for _ in 0..8 {
        match (steps.get(labels[label as usize] as usize), from) {
            (Some(Step::Jump(next)), _) => label = *next,
            (Some(Step::NothingWaits(want, next)), Step::NothingWaits(wanted, _)) if *want == wanted => label = *next,
            _ => break,
        }
    }
    label
}

/// Jumps go where they end; a jump to an answer, or to the end of a program, gives it.
fn straighten(steps: &mut [Step], labels: &[To]) {
    for at in 0..steps.len() {
        let mut step = steps[at];
        let Some(to) = step.to() else { continue };
        *to = end_of(steps, labels, *to, steps[at]);
        if let Step::Jump(to) = step
            && let Some(answer) =
                steps.get(labels[to as usize] as usize).filter(|answer| answer.is_last() || matches!(answer, Step::End(_)))
        {
            step = *answer;
        }
        steps[at] = step;
    }
}

/// Leave out what is not needed; whether there was any.
fn shorten(steps: &mut Vec<Step>, labels: &mut [To], kept: &[To]) -> bool {
    let mut entered = vec![false; steps.len() + 1];
    let used = steps.iter().filter_map(|&step| { step }.to().map(|to| *to));
    for label in used.chain(kept.iter().copied()) {
        entered[labels[label as usize] as usize] = true;
    }
    let mut left: Vec<Step> = Vec::with_capacity(steps.len());
    let mut places: Vec<To> = Vec::with_capacity(steps.len() + 1);
    let mut reached = true;
    let mut at = 0;
    while at < steps.len() {
        reached |= entered[at];
        places.push(left.len() as To);
        let mut step = steps[at];
        let leads_on = |to: To, from: usize| labels[to as usize] as usize == from;
        match (step, steps.get(at + 1)) {
            _ if !reached => {}
            (Step::Jump(to), _) if leads_on(to, at + 1) => {}
            // What is put somewhere to be answered at once.
            (Step::Put(to, constant), Some(&Step::Return(from))) if to == from && !entered[at + 1] => {
                step = Step::Answer(constant);
                left.push(step);
                at += 1;
                places.push(left.len() as To);
            }
            (Step::Copy(to, from), Some(&Step::Return(last))) if to == last && !entered[at + 1] => {
                step = Step::Return(from);
                left.push(step);
                at += 1;
                places.push(left.len() as To);
            }
            // A test that jumps over a jump: it comes out the other way, and goes where that goes.
            (_, Some(&Step::Jump(to)))
                if !entered[at + 1] && step.want().is_some() && step.to().is_some_and(|over| leads_on(*over, at + 2)) =>
            {
                if let Some(want) = step.want() {
                    *want = !*want;
                }
                if let Some(over) = step.to() {
                    *over = to;
                }
                left.push(step);
                at += 1;
                places.push(left.len() as To);
            }
            _ => left.push(step),
        }
        reached &= !(step.is_last() || matches!(step, Step::Jump(_) | Step::Back(_) | Step::Spend(..) | Step::End(_)));
        at += 1;
    }
    places.push(left.len() as To);
    let shorter = left.len() < steps.len();
    labels.iter_mut().for_each(|label| *label = places[*label as usize]);
    *steps = left;
    shorter
}
