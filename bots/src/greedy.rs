//! One step ahead: it tries each answer in games it could be in, lets the next few asks be answered
//! in a plain way, and takes the answer after which its side of the table is worth the most.

use crate::worth::{Sense, sense};
use crate::{Bot, Whim, random::any_answer, worth};
use std::collections::BTreeMap;
use trilogy_engine::{Answer, AskKind, Move, Playout, Silent, Value, View, Viewer};

pub struct Greedy {
    whim: Whim,
}

/// Answers tried at most; of more, some are left out at random.
const TRIES: usize = 24;

impl Greedy {
    pub fn new(seed: u64) -> Greedy {
        Greedy { whim: Whim::new(seed) }
    }

    /// The answers to try; of a move that takes a second card, one for each first card.
    fn candidates(&mut self, ask: &AskKind, pairs: &[Pairs]) -> Vec<Answer> {
        match ask {
            AskKind::Number { least, most } => (*least..=*most).map(Answer::Number).collect(),
            AskKind::Order { .. } => (0..6).map(|_| any_answer(&mut self.whim, ask)).collect(),
            AskKind::Pick { options, least, most } => {
                let count = options.len() as u16;
                let mut all: Vec<Answer> = Vec::new();
                if *least == 0 {
                    all.push(Answer::Pick(Vec::new()));
                }
                if *least <= 1 {
                    let beside = |at: &u16| !pairs.iter().any(|pairs| pairs.all.contains(at) && pairs.first != *at);
                    all.extend((0..count).filter(beside).map(|at| Answer::Pick(vec![at])));
                }
                if *most > 1 {
                    all.push(Answer::Pick((0..count.min(*most)).collect()));
                    all.extend((0..6).map(|_| any_answer(&mut self.whim, ask)));
                }
                all
            }
        }
    }

    fn thin(&mut self, answers: &mut Vec<Answer>) {
        while answers.len() > TRIES {
            answers.swap_remove(self.whim.below(answers.len()));
        }
    }

    fn imagine<'a>(&mut self, view: &View<'a>) -> Playout<'a> {
        let mut seed = [0; 32];
        seed[..8].copy_from_slice(&self.whim.next().to_le_bytes());
        view.imagine(seed)
    }
}

/// The options of one move with each second card that it may be made with, and the one to look at first.
struct Pairs {
    first: u16,
    all: Vec<u16>,
}

fn pairs(sense: &dyn Sense, view: &View<'_>, ask: &AskKind) -> Vec<Pairs> {
    let AskKind::Pick { options, .. } = ask else { return Vec::new() };
    let mut groups: BTreeMap<Move, Vec<(u16, Value)>> = BTreeMap::new();
    for (at, option) in (0..).zip(options) {
        if let Value::Move(chosen @ Move { target: Some(target), .. }) = option {
            groups.entry(Move { target: None, ..*chosen }).or_default().push((at, Value::Card(*target)));
        }
    }
    let several = groups.into_iter().filter(|(_, pairs)| pairs.len() > 1);
    several
        .map(|(chosen, pairs)| {
            let (all, targets): (Vec<u16>, Vec<Value>) = pairs.into_iter().unzip();
            Pairs { first: all[sense.place(view, &chosen, &targets)], all }
        })
        .collect()
}

impl Bot for Greedy {
    fn answer(&mut self, view: &View<'_>) -> Answer {
        let Some(ask) = view.ask_kind() else { return Answer::Pick(Vec::new()) };
        let Viewer::Player(me) = view.viewer() else { return Answer::Pick(Vec::new()) };
        let sense = sense(view.catalogue());
        let mut worlds = vec![self.imagine(view)];
        let (pairs, advice) = {
            let first = worlds[0].view(Viewer::Referee);
            (pairs(sense, &first, ask), sense.advice(&first))
        };
        let mut candidates = advice.unwrap_or_else(|| self.candidates(ask, &pairs));
        self.thin(&mut candidates);
        if let [only] = &mut candidates[..] {
            return std::mem::replace(only, Answer::Pick(Vec::new()));
        }
        while worlds.len() < sense.worlds(candidates.len()) {
            worlds.push(self.imagine(view));
        }
        let mut best = (i64::MIN, Answer::Pick(Vec::new()));
        let mut consider = |candidate: Answer, best: &mut (i64, Answer)| {
            let mut score = 0;
            if candidate == Answer::Pick(Vec::new()) {
                score += sense.laziness() * worlds.len() as i64;
            }
            for world in &worlds {
                let mut world = world.clone();
                if world.answer(&candidate, &mut Silent).is_ok() {
                    settle(sense, &mut world);
                    score += worth(&world.view(Viewer::Referee), me);
                }
            }
            // A whim decides between equals, so that the bot is not the same every time.
            let score = score * 1024 + (self.whim.next() & 1023) as i64;
            if score > best.0 {
                *best = (score, candidate);
            }
        };
        for candidate in candidates {
            consider(candidate, &mut best);
        }
        // The best first card is tried with the other second ones.
        if let Some(pairs) = pairs.iter().find(|pairs| best.1 == Answer::Pick(vec![pairs.first])) {
            for &at in pairs.all.iter().filter(|at| **at != pairs.first) {
                consider(Answer::Pick(vec![at]), &mut best);
            }
        }
        best.1
    }
}

/// Answer the next few asks by habit, until the table can be judged.
fn settle(sense: &dyn Sense, world: &mut Playout<'_>) {
    for _ in 0..sense.patience() {
        let view = world.view(Viewer::Referee);
        let Some(ask) = view.ask_kind() else { return };
        if sense.calm(&view) {
            return;
        }
        let answer = sense.habit(&view, ask);
        drop(view);
        if world.answer(&answer, &mut Silent).is_err() {
            return;
        }
    }
}
