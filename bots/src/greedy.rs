//! One step ahead: it tries each answer on states it could be in, lets the next few asks be answered
//! in a plain way, and takes the answer after which its side of the table is worth the most.

use crate::{Bot, Whim, random::any_answer, worth};
use trilogy_engine::catalogue::Catalogue;
use trilogy_engine::{Answer, AskKind, Silent, State, View, Viewer, step};

pub struct Greedy {
    whim: Whim,
}

/// States imagined for each decision, and plain answers given after the one on trial.
const WORLDS: usize = 3;
const AHEAD: usize = 6;
/// Answers tried at most; of more, some are left out at random.
const TRIES: usize = 24;

impl Greedy {
    pub fn new(seed: u64) -> Greedy {
        Greedy { whim: Whim::new(seed) }
    }

    fn candidates(&mut self, ask: &AskKind) -> Vec<Answer> {
        let mut all: Vec<Answer> = match ask {
            AskKind::Number { least, most } => (*least..=*most).map(Answer::Number).collect(),
            AskKind::Order { .. } => (0..6).map(|_| any_answer(&mut self.whim, ask)).collect(),
            AskKind::Pick { options, least, most } => {
                let count = options.len() as u16;
                let mut all: Vec<Answer> = Vec::new();
                if *least == 0 {
                    all.push(Answer::Pick(Vec::new()));
                }
                if *least <= 1 {
                    all.extend((0..count).map(|at| Answer::Pick(vec![at])));
                }
                if *most > 1 {
                    all.push(Answer::Pick((0..count.min(*most)).collect()));
                    all.extend((0..6).map(|_| any_answer(&mut self.whim, ask)));
                }
                all
            }
        };
        while all.len() > TRIES {
            all.swap_remove(self.whim.below(all.len()));
        }
        all
    }
}

impl Bot for Greedy {
    fn answer(&mut self, view: &View<'_>) -> Answer {
        let Some(ask) = view.ask_kind() else { return Answer::Pick(Vec::new()) };
        let Viewer::Player(me) = view.viewer() else { return Answer::Pick(Vec::new()) };
        let candidates = self.candidates(ask);
        let worlds: Vec<State> = (0..WORLDS)
            .map(|_| {
                let mut seed = [0; 32];
                seed[..8].copy_from_slice(&self.whim.next().to_le_bytes());
                view.imagine(seed)
            })
            .collect();
        let mut best = (i64::MIN, Answer::Pick(Vec::new()));
        for candidate in candidates {
            let mut score = 0;
            for world in &worlds {
                let mut world = world.clone();
                if step(view.catalogue(), &mut world, &candidate, &mut Silent).is_ok() {
                    settle(view.catalogue(), &mut world);
                    score += worth(view.catalogue(), &world, me);
                }
            }
            // A whim decides between equals, so that the bot is not the same every time.
            let score = score * 1024 + (self.whim.next() & 1023) as i64;
            if score > best.0 {
                best = (score, candidate);
            }
        }
        best.1
    }
}

/// Answer the next few asks in a plain way: do what is asked, take the most, pass where one may.
fn settle(catalogue: &Catalogue, world: &mut State) {
    for _ in 0..AHEAD {
        let Some(ask) = &world.ask else { return };
        let answer = match &ask.kind {
            AskKind::Number { most, .. } => Answer::Number(*most),
            AskKind::Pick { least, .. } => Answer::Pick((0..*least).collect()),
            AskKind::Order { options } => Answer::Pick((0..options.len() as u16).collect()),
        };
        if step(catalogue, world, &answer, &mut Silent).is_err() {
            return;
        }
    }
}
