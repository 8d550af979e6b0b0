//! What a server does by itself, again and again: say that it is there, see what has become of others, go on with the matches that
//! nobody holds, read the list of those who are shut out, and now and then clear away.

use crate::app::{App, Shared};
use crate::games::Told;
use crate::peers::{LEASE, RENEW};
use crate::store::StoreError;
use crate::work::For;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Instant;
use tokio::sync::watch;
use tokio::time::{sleep, timeout};

/// How many rounds pass until claims are looked at without need, bans are read, and things are cleared away.
const CLAIMS: u64 = 7;
const BANS: u64 = 5;
const TIDYING: u64 = 1800;

/// Runs until the server stops. `drained` becomes true when a server that was to finish its matches has done so.
pub(crate) async fn keep_up(app: Shared, drained: watch::Sender<bool>) {
    let mut keeper = Keeper { failing: false, patient_until: Instant::now() };
    let warming = tokio::spawn(warm(app.clone()));
    for round in 1.. {
        keeper.adopt(&app, &drained).await;
        sleep(RENEW).await;
        keeper.renew(&app).await;
        if !keeper.failing {
            keeper.look_after(&app, round).await;
        }
    }
    warming.abort();
}

struct Keeper {
    /// The storage failed when it was last asked.
    failing: bool,
    /// After a break all servers come back at about the same time: what the others held is left to them until then.
    patient_until: Instant,
}

impl Keeper {
    async fn adopt(&self, app: &App, drained: &watch::Sender<bool>) {
        if self.patient_until > Instant::now() {
            return;
        }
        let (hall, peers) = (&app.hall, app.hall.peers());
        match hall.adopt().await {
            Ok(adopted) => {
                if adopted > 0 {
                    tracing::info!(adopted, "matches that nobody held go on here");
                }
                app.ready.store(!peers.is_draining(), Relaxed);
                let [open, playing, _] = hall.counts();
                if peers.is_draining() && adopted + open + playing == 0 {
                    let _ = drained.send(true);
                }
            }
            Err(error) => tracing::error!(%error, "matches that nobody holds could not be looked for"),
        }
    }

    async fn renew(&mut self, app: &App) {
        let hall = &app.hall;
        let renewing = hall.peers().renew(async || hall.check_claims().await);
        let renewed = timeout(LEASE, renewing).await.unwrap_or_else(|_| Err(StoreError::Failed("it does not answer".into())));
        match renewed {
            Ok(true) => self.failing = false,
            Ok(false) => {
                self.failing = false;
                tracing::warn!("this server was not heard of for so long that others may have taken over its matches");
                self.patient_until = Instant::now() + LEASE;
            }
            Err(error) => {
                if !std::mem::replace(&mut self.failing, true) {
                    tracing::error!(%error, "the storage fails");
                }
                self.patient_until = Instant::now() + LEASE;
            }
        }
    }

    async fn look_after(&self, app: &App, round: u64) {
        let store = &app.store;
        let mut done = Vec::new();
        if round.is_multiple_of(CLAIMS) {
            // An account that was deleted at another server has ended its matches.
            done.push(app.hall.check_claims().await);
        }
        if round.is_multiple_of(BANS) {
            done.push(app.reload_bans().await.map_err(|failure| StoreError::Failed(failure.problem.reason)));
        }
        if round.is_multiple_of(TIDYING) {
            done.extend([store.forget_servers().await, store.forget_catalogues().await]);
            // Others may have changed names.
            app.hall.replays().clear();
        }
        for error in done.into_iter().filter_map(Result::err) {
            tracing::error!(%error, "the server could not look after itself");
        }
    }
}

/// What every first visitor asks for is written before they do.
async fn warm(app: Shared) {
    for game in app.games.all() {
        if let Err(failure) = game.told(Told::Cards, &app.work, &For::itself()).await {
            tracing::warn!(game = game.name, reason = failure.problem.reason, "the cards could not be written beforehand");
        }
    }
}
