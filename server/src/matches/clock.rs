//! The clocks of a match: none, so long for each move, or so long for each player with an increment.

use crate::protocol::Clock;
use std::time::{Duration, Instant};

const LONGEST: u32 = 7 * 24 * 3600;

pub(crate) struct Clocks {
    kind: Clock,
    left: [Duration; 2],
    running: Option<(usize, Instant)>,
}

/// Whether a table may be opened with this clock.
pub(crate) fn check(clock: &Clock) -> Result<(), String> {
    let (seconds, increment) = match clock {
        Clock::None => return Ok(()),
        Clock::PerMove { seconds } => (*seconds, 0),
        Clock::PerPlayer { seconds, increment } => (*seconds, *increment),
    };
    if seconds == 0 || seconds > LONGEST || increment > LONGEST {
        return Err(format!("a clock runs for 1 to {LONGEST} seconds"));
    }
    Ok(())
}

impl Clocks {
    pub(crate) fn new(kind: Clock) -> Clocks {
        let full = match kind {
            Clock::None => Duration::ZERO,
            Clock::PerMove { seconds } | Clock::PerPlayer { seconds, .. } => Duration::from_secs(seconds.into()),
        };
        Clocks { kind, left: [full; 2], running: None }
    }

    /// Go on with what was left before, in milliseconds.
    pub(crate) fn restored(kind: Clock, left: [i64; 2]) -> Clocks {
        Clocks { left: left.map(|ms| Duration::from_millis(ms.max(0) as u64)), ..Clocks::new(kind) }
    }

    pub(crate) fn is_none(&self) -> bool {
        self.kind == Clock::None
    }

    /// A seat has thought for so long while nobody counted.
    pub(crate) fn charge(&mut self, seat: usize, spent: Duration) {
        self.left[seat] = self.left[seat].saturating_sub(spent);
    }

    /// Milliseconds left to each seat, as they are stored.
    pub(crate) fn stored(&self, now: Instant) -> [i64; 2] {
        [0, 1].map(|seat| self.left(seat, now).map_or(0, i64::from))
    }

    /// Let the clock of this seat run, or none.
    pub(crate) fn run(&mut self, seat: Option<usize>, now: Instant) {
        if let Some((running, since)) = self.running.take() {
            self.left[running] = self.left[running].saturating_sub(now.saturating_duration_since(since));
        }
        self.running = seat.filter(|_| self.kind != Clock::None).map(|seat| (seat, now));
    }

    /// A seat has answered by itself: it gets its increment, or its time for the next move.
    pub(crate) fn answered(&mut self, seat: usize, now: Instant) {
        self.run(None, now);
        match self.kind {
            Clock::None => {}
            Clock::PerMove { seconds } => self.left[seat] = Duration::from_secs(seconds.into()),
            Clock::PerPlayer { increment, .. } => self.left[seat] += Duration::from_secs(increment.into()),
        }
    }

    /// Milliseconds left, where there is a clock.
    pub(crate) fn left(&self, seat: usize, now: Instant) -> Option<u32> {
        if self.kind == Clock::None {
            return None;
        }
        let spent = match self.running {
            Some((running, since)) if running == seat => now.saturating_duration_since(since),
            _ => Duration::ZERO,
        };
        u32::try_from(self.left[seat].saturating_sub(spent).as_millis()).ok()
    }

    /// When the running clock runs out, and whose it is.
    pub(crate) fn deadline(&self) -> Option<(usize, Instant)> {
        self.running.map(|(seat, since)| (seat, since + self.left[seat]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_player_pays_for_thinking_and_gets_the_increment() {
        let start = Instant::now();
        let mut clocks = Clocks::new(Clock::PerPlayer { seconds: 60, increment: 5 });
        clocks.run(Some(0), start);
        assert_eq!(clocks.left(0, start + Duration::from_secs(10)), Some(50_000));
        clocks.answered(0, start + Duration::from_secs(20));
        clocks.run(Some(1), start + Duration::from_secs(20));
        assert_eq!(clocks.left(0, start + Duration::from_secs(99)), Some(45_000));
        assert_eq!(clocks.deadline(), Some((1, start + Duration::from_secs(80))));
    }

    #[test]
    fn each_move_has_its_own_time() {
        let start = Instant::now();
        let mut clocks = Clocks::new(Clock::PerMove { seconds: 30 });
        clocks.run(Some(1), start);
        clocks.answered(1, start + Duration::from_secs(29));
        clocks.run(Some(1), start + Duration::from_secs(29));
        assert_eq!(clocks.left(1, start + Duration::from_secs(30)), Some(29_000));
    }

    #[test]
    fn a_stopped_clock_does_not_run() {
        let start = Instant::now();
        let mut clocks = Clocks::new(Clock::PerMove { seconds: 30 });
        clocks.run(Some(0), start);
        clocks.run(None, start + Duration::from_secs(10));
        assert_eq!(clocks.left(0, start + Duration::from_secs(500)), Some(20_000));
        assert_eq!(clocks.deadline(), None);
        assert_eq!(Clocks::new(Clock::None).left(0, start), None);
    }
}
