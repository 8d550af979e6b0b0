//! Every legal answer is equally likely.

use crate::{Bot, Whim};
use trilogy_engine::{Answer, AskKind, View};

pub struct RandomBot {
    whim: Whim,
}

impl RandomBot {
    pub fn new(seed: u64) -> RandomBot {
        RandomBot { whim: Whim::new(seed) }
    }
}

impl Bot for RandomBot {
    fn answer(&mut self, view: &View<'_>) -> Answer {
        view.ask_kind().map_or(Answer::Pick(Vec::new()), |ask| any_answer(&mut self.whim, ask))
    }
}

pub(crate) fn any_answer(whim: &mut Whim, ask: &AskKind) -> Answer {
    match ask {
        AskKind::Number { least, most } => Answer::Number(least + whim.below((most - least + 1) as usize) as i32),
        AskKind::Order { options } => {
            let mut order: Vec<u16> = (0..options.len() as u16).collect();
            for at in (1..order.len()).rev() {
                order.swap(at, whim.below(at + 1));
            }
            Answer::Pick(order)
        }
        AskKind::Pick { options, least, most } => {
            let (count, least, most) = (options.len(), *least as usize, *most as usize);
            if most == 1 {
                let at = whim.below(count + usize::from(least == 0));
                return Answer::Pick(if at < count { vec![at as u16] } else { Vec::new() });
            }
            // Every subset of a legal size is equally likely: draw subsets until one has a legal size.
            for _ in 0..32 {
                let picked: Vec<u16> = (0..count as u16).filter(|_| whim.next() & 1 == 1).collect();
                if (least..=most).contains(&picked.len()) {
                    return Answer::Pick(picked);
                }
            }
            // Legal sizes are rare among subsets: then any of the smallest size.
            let mut all: Vec<u16> = (0..count as u16).collect();
            for at in 0..least {
                let other = at + whim.below(count - at);
                all.swap(at, other);
            }
            all.truncate(least);
            Answer::Pick(all)
        }
    }
}
