//! One step ahead: it tries each answer on states it could be in, lets the next few asks be answered
//! in a plain way, and takes the answer after which its side of the table is worth the most.

use crate::{Bot, Whim, random::any_answer};
use trilogy_engine::catalogue::Catalogue;
use trilogy_engine::{Answer, AskKind, PlayerId, Silent, State, Status, View, Viewer, step};

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

/// What a table is worth to a player. Knows no game: printed numbers of cards in live shared zones
/// count in full, counters of players a little, cards elsewhere by what they promise.
pub fn worth(catalogue: &Catalogue, state: &State, me: PlayerId) -> i64 {
    match state.status {
        Status::Won(winner) => return if winner == me { 1_000_000 } else { -1_000_000 },
        Status::Drawn => return 0,
        Status::Asking | Status::Broken(_) => {}
    }
    let side = |player: PlayerId| if player == me { 1 } else { -1 };
    let fact = |name: &str| catalogue.facts.iter().position(|fact| fact == name);
    let (cost, health) = (fact("cost"), fact("health"));
    let counter = |name: &str| catalogue.card_counters.iter().position(|counter| counter.name == name);
    let (damage, built) = (counter("damage"), counter("build_counters"));
    let mut total = 0i64;
    for (at, zone) in catalogue.zones.iter().enumerate() {
        let cards = &state.zones[at];
        if zone.live && zone.player.is_none() && at != 0 {
            let mut present = [0i64; 2];
            for &card in cards {
                let data = state.card(card);
                let def = catalogue.def(data.def);
                let price = cost.and_then(|at| def.facts[at]).unwrap_or(1) as i64;
                let full = health.and_then(|at| def.facts[at]).unwrap_or(1).max(1) as i64;
                let hurt = damage.map_or(0, |at| data.counters[at]) as i64;
                let left = (full - hurt).max(0);
                total += side(data.controller) * (price * 60 + price * 40 * left / full + 20);
                present[data.controller.index()] += 1;
            }
            // To be alone in a place is what games are won by.
            for player in [PlayerId(0), PlayerId(1)] {
                if present[player.index()] > 0 && present[1 - player.index()] == 0 {
                    total += side(player) * 250;
                }
            }
        } else if let Some(owner) = zone.player {
            for &card in cards {
                let data = state.card(card);
                let price = cost.and_then(|at| catalogue.def(data.def).facts[at]).unwrap_or(0) as i64;
                total += side(owner)
                    * if zone.live {
                        let counters = built.map_or(0, |at| data.counters[at]) as i64;
                        if data.facedown { counters.min(price) * 50 } else { price * 70 }
                    } else if zone.counted && at != 0 && catalogue.deck_zones.iter().all(|&deck| deck as usize != at) {
                        20
                    } else {
                        0
                    };
            }
        }
    }
    for player in [PlayerId(0), PlayerId(1)] {
        for (at, counter) in catalogue.player_counters.iter().enumerate() {
            if counter.period.is_none() && counter.cap > 100 {
                total += side(player) * state.players[player.index()].counters[at].min(40) as i64 * 6;
            }
        }
    }
    total
}
