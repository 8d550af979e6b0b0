//! Whether the storage takes what is written: found out by writing, once for all who ask at about the same time.

use crate::store::Store;
use std::time::{Duration, Instant};
use tokio::sync::Mutex;
use tokio::time::timeout;

/// How long the storage may take.
const PATIENCE: Duration = Duration::from_millis(1500);
/// How long what was found out is believed.
const FRESH: Duration = Duration::from_millis(500);

#[derive(Default)]
pub(crate) struct Health(Mutex<Option<(Instant, Result<(), String>)>>);

impl Health {
    /// Write a mark for the server with this id.
    pub(crate) async fn ask(&self, store: &Store, server: &str) -> Result<(), String> {
        let asked = timeout(PATIENCE, async {
            let mut known = self.0.lock().await;
            if let Some((_, found)) = known.as_ref().filter(|(at, _)| at.elapsed() < FRESH) {
                return found.clone();
            }
            let found = store.mark_server(server).await.map_err(|error| format!("the storage cannot be written: {error}"));
            *known = Some((Instant::now(), found.clone()));
            found
        });
        asked.await.unwrap_or_else(|_| Err("the storage does not answer".into()))
    }
}
