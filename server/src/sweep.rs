//! Sessions that nobody uses run out, and guests without one are forgotten. Time is counted as servers live through it, by a clock that
//! only goes forward: what the clock on the wall says, and how it jumps, ends nobody's session.
//!
//! Of several servers on one database one sweeps. Each looks now and then how many sweeps there were; if there was none since it last
//! looked, the next is its own. So the one that sweeps goes on doing so, and another takes over once it has gone. What passes meanwhile
//! counts for nobody: sessions may last longer than they should, never shorter.

use crate::accounts::LASTING;
use crate::store::{Result, Store};
use std::time::{Duration, Instant};

/// How often a server looks.
pub const EVERY: Duration = Duration::from_secs(30 * 60);

pub struct Sweeper {
    store: Store,
    /// How many sweeps there were when this server last looked, and when that was.
    looked: Option<(u64, Instant)>,
}

impl Sweeper {
    pub fn new(store: Store) -> Sweeper {
        Sweeper { store, looked: None }
    }

    /// Look, and sweep if it is this server's turn. Whether it was.
    pub async fn look(&mut self, now: Instant) -> Result<bool> {
        let sweeps = self.store.sweeps().await?;
        let since = self.looked.filter(|(known, _)| *known == sweeps).map(|(_, since)| since);
        let swept = match since {
            // A machine that was asleep has not lived through all of it, though its clock may count that.
            Some(since) => {
                let passed = now.saturating_duration_since(since).min(2 * EVERY);
                self.store.sweep(sweeps, passed.as_secs() as i64, LASTING).await?
            }
            None => false,
        };
        self.looked = Some((sweeps + u64::from(swept), now));
        Ok(swept)
    }

    pub(crate) async fn run(mut self) {
        loop {
            if let Err(error) = self.look(Instant::now()).await {
                tracing::error!(%error, "clearing away failed");
            }
            tokio::time::sleep(EVERY).await;
        }
    }
}
