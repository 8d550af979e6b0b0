//! Passwords: hashed slowly, a few at a time, and everybody in turn.
//!
//! What keeps a guesser back: a household has few wrong tries (`Limits::password`) and few hashes, right or wrong (`Limits::hashing`).
//! A guess that is spread over many households meets what is left: a hash takes 19 MB and some 20 ms of a core, and only as many are worked
//! on at once as there are turns (two to eight). So all guessers of the world together have a few hundred tries a second, for all names
//! together, and share them with everybody who signs in: enough for a password that stands in every list, and hopeless against eight
//! characters that do not. Tries are not counted by name: whoever knows a name could lock its owner out.

use crate::failure::Failure;
use crate::limits::Limits;
use argon2::{Argon2, PasswordHasher, PasswordVerifier};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::oneshot;

/// Bytes of the longest password. Longer ones cannot be right and need not be worked on.
pub(crate) const LONGEST: usize = 200;

/// Where passwords are hashed: households that wait take turns, each with one hash.
pub(crate) struct Hashing {
    state: Mutex<State>,
    /// Most that wait, in all and of one household.
    room: [usize; 2],
}

struct State {
    free: usize,
    /// The household whose turn is next stands in front; each is here once.
    waiting: VecDeque<(String, VecDeque<oneshot::Sender<Turn>>)>,
}

/// Leave to work on one hash; handed on when it is dropped, also by one who did not wait for it.
struct Turn(Arc<Hashing>);

/// Seconds after which one who found no room should come back.
const COME_BACK: u32 = 2;

impl Hashing {
    pub(crate) fn new(limits: &Limits) -> Arc<Hashing> {
        Hashing::with_turns(std::thread::available_parallelism().map_or(2, |cores| cores.get().clamp(2, 8)), limits)
    }

    fn with_turns(at_once: usize, limits: &Limits) -> Arc<Hashing> {
        let state = State { free: at_once, waiting: VecDeque::new() };
        Arc::new(Hashing { state: Mutex::new(state), room: [limits.hashing_waits, limits.hashing_waits_of_one] })
    }

    pub(crate) async fn hash(self: &Arc<Self>, household: &str, password: String) -> Result<String, Failure> {
        let work = move || Argon2::default().hash_password(password.as_bytes()).map(|hash| hash.to_string());
        self.work(household, work).await?.map_err(Failure::internal)
    }

    /// Whether a password fits a hash; without a hash it does not, after the same work.
    pub(crate) async fn verify(self: &Arc<Self>, household: &str, password: String, hash: Option<String>) -> Result<bool, Failure> {
        let password = if password.len() <= LONGEST { password } else { String::new() };
        let work = move || match hash {
            Some(hash) => Argon2::default().verify_password(password.as_bytes(), hash.as_str()).is_ok(),
            None => {
                let _ = Argon2::default().hash_password(password.as_bytes());
                false
            }
        };
        self.work(household, work).await
    }

    async fn work<T: Send + 'static>(self: &Arc<Self>, household: &str, work: impl FnOnce() -> T + Send + 'static) -> Result<T, Failure> {
        let turn = self.line_up(household)?.await.map_err(Failure::internal)?;
        // The turn goes along: work goes on where a request is given up.
        let done = tokio::task::spawn_blocking(move || {
            let done = work();
            drop(turn);
            done
        });
        done.await.map_err(Failure::internal)
    }

    /// A place in the line, unless it is too long.
    fn line_up(self: &Arc<Self>, household: &str) -> Result<oneshot::Receiver<Turn>, Failure> {
        let (give, turn) = oneshot::channel();
        let mut state = self.state();
        if state.free > 0 {
            state.free -= 1;
            drop(state);
            let _ = give.send(Turn(self.clone()));
            return Ok(turn);
        }
        // Those who have gone away do not count.
        state.waiting.iter_mut().for_each(|(_, line)| line.retain(|give| !give.is_closed()));
        state.waiting.retain(|(_, line)| !line.is_empty());
        let [in_all, of_one] = self.room;
        if state.waiting.iter().map(|(_, line)| line.len()).sum::<usize>() >= in_all {
            return Err(Failure::busy(COME_BACK, "too many people sign in at this moment; try again"));
        }
        match state.waiting.iter_mut().find(|(who, _)| who == household) {
            Some((_, line)) if line.len() >= of_one => return Err(Failure::too_many(COME_BACK)),
            Some((_, line)) => line.push_back(give),
            None => state.waiting.push_back((household.to_string(), VecDeque::from([give]))),
        }
        Ok(turn)
    }

    /// Who is next: one of the household in front, which then stands behind all others.
    fn next(&self) -> Option<oneshot::Sender<Turn>> {
        let mut state = self.state();
        while let Some((household, mut line)) = state.waiting.pop_front() {
            line.retain(|give| !give.is_closed());
            let Some(next) = line.pop_front() else { continue };
            if !line.is_empty() {
                state.waiting.push_back((household, line));
            }
            return Some(next);
        }
        state.free += 1;
        None
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        if let Some(next) = self.0.next() {
            // To one who goes away just now it cannot be sent: it is dropped again, and comes to the one after.
            let _ = next.send(Turn(self.0.clone()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hashing(at_once: usize, in_all: usize, of_one: usize) -> Arc<Hashing> {
        Hashing::with_turns(at_once, &Limits { hashing_waits: in_all, hashing_waits_of_one: of_one, ..Limits::none() })
    }

    fn refused(hashing: &Arc<Hashing>, household: &str) -> Option<(u16, Option<u32>)> {
        hashing.line_up(household).err().map(|failure| (failure.status.as_u16(), failure.retry_after))
    }

    #[test]
    fn households_take_turns() {
        let hashing = hashing(1, 10, 3);
        let mut first = hashing.line_up("a").expect("a turn is free");
        let mut waiting: Vec<_> =
            ["a", "a", "a", "b", "c", "b"].into_iter().map(|who| (who, hashing.line_up(who).expect("there is room"))).collect();
        let mut turn = first.try_recv().ok();
        let mut order = Vec::new();
        while turn.take().is_some() {
            let Some((at, next)) = waiting.iter_mut().enumerate().find_map(|(at, (_, wait))| Some((at, wait.try_recv().ok()?))) else {
                break;
            };
            order.push(waiting.remove(at).0);
            turn = Some(next);
        }
        assert_eq!(order, ["a", "b", "c", "a", "b", "a"]);
        assert!(hashing.line_up("d").expect("it is free again").try_recv().is_ok());
    }

    #[test]
    fn a_line_that_is_too_long_is_not_joined() {
        let hashing = hashing(2, 3, 2);
        let working = [hashing.line_up("a"), hashing.line_up("a")];
        let mut waiting = vec![hashing.line_up("a"), hashing.line_up("a")];
        assert_eq!(refused(&hashing, "a"), Some((429, Some(COME_BACK))));
        waiting.push(hashing.line_up("b"));
        assert_eq!(refused(&hashing, "c"), Some((503, Some(COME_BACK))));
        drop(waiting.remove(0));
        assert_eq!(refused(&hashing, "c"), None, "one who has gone away makes room");
        drop((working, waiting));
        assert!(hashing.line_up("a").expect("all are free again").try_recv().is_ok());
    }

    #[test]
    fn a_turn_passes_by_those_who_have_gone() {
        let hashing = hashing(1, 10, 10);
        let working = hashing.line_up("a").expect("a turn is free");
        let gone: Vec<_> = (0..5).map(|_| hashing.line_up("a").expect("there is room")).collect();
        let mut there = hashing.line_up("b").expect("there is room");
        drop(gone);
        assert!(there.try_recv().is_err());
        drop(working);
        assert!(there.try_recv().is_ok());
    }

    #[tokio::test]
    async fn a_password_fits_its_hash_only() {
        let hashing = hashing(1, 10, 10);
        let hash = hashing.hash("a", "correct horse".into()).await.expect("it is hashed");
        let verify = async |password: &str, hash: Option<&String>| hashing.verify("a", password.into(), hash.cloned()).await;
        assert_eq!(verify("correct horse", Some(&hash)).await, Ok(true));
        assert_eq!(verify("wrong horse", Some(&hash)).await, Ok(false));
        assert_eq!(verify("correct horse", None).await, Ok(false));
    }
}
