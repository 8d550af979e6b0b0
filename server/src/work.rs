//! Work that takes a while: bots that think, games that are played again, decks that are checked, passwords that are hashed. It is done
//! by a few threads of its own, so that those who only answer never wait for it, and in turns: whichever address has used least of
//! their time comes next.

use crate::accounts::User;
use crate::failure::Failure;
use crate::guard::Client;
use crate::limits::{Limiter, What, address_key};
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use std::collections::{BTreeMap, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::oneshot;

/// For whom something is done.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct For {
    /// The household.
    pub(crate) address: String,
    /// Id of the user; none for those without a session.
    pub(crate) user: Option<String>,
}

impl For {
    /// What the server does of itself has no limit.
    pub(crate) fn itself() -> For {
        For { address: String::new(), user: None }
    }
}

impl<S: Send + Sync> FromRequestParts<S> for For {
    type Rejection = Failure;
    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<For, Failure> {
        let client = Client::from_request_parts(parts, state).await?;
        Ok(For { address: address_key(client.address), user: parts.extensions.get::<User>().map(|user| user.id.clone()) })
    }
}

/// What is worked on for guests: each address and each user has a budget of time.
pub(crate) struct Work {
    workers: Workers,
    limits: Arc<Limiter>,
}

/// Seconds after which one who found no room should come back.
const COME_BACK: u32 = 2;

impl Work {
    pub(crate) fn start(limits: Arc<Limiter>) -> Result<Work, String> {
        let threads = std::thread::available_parallelism().map_or(2, |cores| cores.get().clamp(2, 8));
        let room = Room { in_all: limits.limits().work_waits, of_one: limits.limits().work_waits_of_one };
        Ok(Work { workers: Workers::start("work", threads, room)?, limits })
    }

    /// Have something done, in turn and within the budget.
    pub(crate) async fn run<T: Send + 'static>(&self, who: &For, work: impl FnOnce() -> T + Send + 'static) -> Result<T, Failure> {
        let budgets = || {
            let address = Some((What::Work, who.address.as_str())).filter(|(_, address)| !address.is_empty());
            address.into_iter().chain(who.user.as_deref().map(|user| (What::WorkOfUser, user)))
        };
        for (what, who) in budgets() {
            self.limits.has_some(what, who)?;
        }
        let (done, took) = self.workers.run(&who.address, work).await.map_err(|why| match why {
            NoWork::FullForOne => Failure::too_many(COME_BACK),
            NoWork::Full => Failure::busy(COME_BACK, "the server has too much to do at this moment; try again"),
            NoWork::Failed => Failure::internal("a piece of work broke"),
        })?;
        for (what, who) in budgets() {
            self.limits.spend(what, who, took.as_secs_f64());
        }
        Ok(done)
    }

    /// How many pieces of work wait.
    pub(crate) fn waiting(&self) -> usize {
        self.workers.waiting()
    }
}

/// How much may wait.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Room {
    pub(crate) in_all: usize,
    pub(crate) of_one: usize,
}

/// Why something was not worked on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum NoWork {
    /// Too much of this address waits already.
    FullForOne,
    /// Too much waits already.
    Full,
    /// It broke, or nobody works any more.
    Failed,
}

pub(crate) struct Pool {
    state: Mutex<State>,
    wake: Condvar,
    room: Room,
}

/// A piece of work: says whether somebody still waits for it, then does it.
struct Job {
    is_wanted: Box<dyn Fn() -> bool + Send>,
    run: Box<dyn FnOnce() + Send>,
}

#[derive(Default)]
struct State {
    /// Addresses with something that waits, or that have had more than their share lately.
    lines: BTreeMap<String, Line>,
    /// Time that whoever was served last has used.
    clock: Duration,
    closed: bool,
}

#[derive(Default)]
struct Line {
    /// Time of the threads that this address has used, beside others that had something to do at the same time.
    used: Duration,
    jobs: VecDeque<Job>,
    /// Pieces of work under way.
    busy: usize,
}

/// The threads end with it.
pub(crate) struct Workers(Arc<Pool>);

/// Work yields to answers: so much lower is the priority of the threads.
const NICE: i32 = 10;

impl Workers {
    /// So many threads, each under this name.
    pub(crate) fn start(name: &str, threads: usize, room: Room) -> Result<Workers, String> {
        let pool = Arc::new(Pool { state: Mutex::default(), wake: Condvar::new(), room });
        for _ in 0..threads {
            let pool = pool.clone();
            let work = move || {
                yield_to_others();
                while pool.work_once(true) {}
            };
            std::thread::Builder::new().name(name.into()).spawn(work).map_err(|error| format!("no thread for {name}: {error}"))?;
        }
        Ok(Workers(pool))
    }

    /// Have something done for an address, in its turn. How long it took comes with it.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        who: &str,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<(T, Duration), NoWork> {
        let (give, done) = oneshot::channel();
        self.0.line_up(who, job(give, work))?;
        done.await.map_err(|_| NoWork::Failed)
    }

    /// How many pieces of work wait.
    pub(crate) fn waiting(&self) -> usize {
        self.0.state().waiting()
    }
}

impl Drop for Workers {
    fn drop(&mut self) {
        let mut state = self.0.state();
        state.closed = true;
        // Whoever waits hears that nothing comes of it.
        state.lines.clear();
        self.0.wake.notify_all();
    }
}

fn job<T: Send + 'static>(give: oneshot::Sender<(T, Duration)>, work: impl FnOnce() -> T + Send + 'static) -> Job {
    let give = Arc::new(Mutex::new(Some(give)));
    let wanted = give.clone();
    let open = |give: &Mutex<Option<oneshot::Sender<(T, Duration)>>>| {
        give.lock().unwrap_or_else(PoisonError::into_inner).as_ref().is_some_and(|give| !give.is_closed())
    };
    Job {
        is_wanted: Box::new(move || open(&wanted)),
        run: Box::new(move || {
            let since = Instant::now();
            // What breaks here must not take the thread with it: whoever waits is told.
            let done = catch_unwind(AssertUnwindSafe(work)).ok();
            let give = give.lock().unwrap_or_else(PoisonError::into_inner).take();
            if let (Some(done), Some(give)) = (done, give) {
                let _ = give.send((done, since.elapsed()));
            }
        }),
    }
}

impl State {
    fn waiting(&self) -> usize {
        self.lines.values().map(|line| line.jobs.len()).sum()
    }

    /// The next piece of work: of the address that has used least, those that have less under way before others.
    fn next(&mut self) -> Option<(String, Job)> {
        loop {
            let ready = self.lines.iter_mut().filter(|(_, line)| !line.jobs.is_empty());
            let (who, line) = ready.min_by_key(|(_, line)| (line.used, line.busy))?;
            let job = line.jobs.pop_front()?;
            if !(job.is_wanted)() {
                continue;
            }
            line.busy += 1;
            self.clock = self.clock.max(line.used);
            return Some((who.clone(), job));
        }
    }

    fn done(&mut self, who: &str, took: Duration) {
        if let Some(line) = self.lines.get_mut(who) {
            line.busy -= 1;
            line.used += took;
        }
        let clock = self.clock;
        self.lines.retain(|_, line| !line.jobs.is_empty() || line.busy > 0 || line.used > clock);
    }
}

impl Pool {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn line_up(&self, who: &str, job: Job) -> Result<(), NoWork> {
        let mut state = self.state();
        if state.closed {
            return Err(NoWork::Failed);
        }
        if state.waiting() >= self.room.in_all {
            // Those who have gone away make room.
            state.lines.values_mut().for_each(|line| line.jobs.retain(|job| (job.is_wanted)()));
            if state.waiting() >= self.room.in_all {
                return Err(NoWork::Full);
            }
        }
        let clock = state.clock;
        let line = state.lines.entry(who.to_string()).or_default();
        if line.jobs.len() >= self.room.of_one {
            line.jobs.retain(|job| (job.is_wanted)());
            if line.jobs.len() >= self.room.of_one {
                return Err(NoWork::FullForOne);
            }
        }
        if line.jobs.is_empty() && line.busy == 0 {
            // Time in which nothing was wanted is not saved up.
            line.used = line.used.max(clock);
        }
        line.jobs.push_back(job);
        self.wake.notify_one();
        Ok(())
    }

    /// Do one piece of work; where there is none, wait for it or not. False when there is nothing to do, or never will be.
    fn work_once(&self, wait: bool) -> bool {
        let (who, job) = {
            let mut state = self.state();
            loop {
                if state.closed {
                    return false;
                }
                match state.next() {
                    Some(next) => break next,
                    None if wait => state = self.wake.wait(state).unwrap_or_else(PoisonError::into_inner),
                    None => return false,
                }
            }
        };
        let since = Instant::now();
        (job.run)();
        self.state().done(&who, since.elapsed());
        true
    }
}

/// Give way to the threads that answer. Where that cannot be had, all are alike.
fn yield_to_others() {
    #[cfg(target_os = "linux")]
    let _ = rustix::process::nice(NICE);
    #[cfg(not(target_os = "linux"))]
    let _ = NICE;
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    fn pool(in_all: usize, of_one: usize) -> Pool {
        Pool { state: Mutex::default(), wake: Condvar::new(), room: Room { in_all, of_one } }
    }

    /// Work that notes who it was for, and somebody who waits for it.
    fn noted(who: &'static str, order: &mpsc::Sender<&'static str>) -> (Job, oneshot::Receiver<((), Duration)>) {
        let (give, done) = oneshot::channel();
        let order = order.clone();
        (job(give, move || order.send(who).expect("somebody listens")), done)
    }

    #[test]
    fn whoever_has_used_least_comes_next() {
        let pool = pool(100, 100);
        let (order, told) = mpsc::channel();
        let mut waiting = Vec::new();
        for who in ["a", "a", "a", "b", "c", "b"] {
            let (job, done) = noted(who, &order);
            pool.line_up(who, job).unwrap();
            waiting.push(done);
        }
        // As if each piece of work had taken a second, but those of b three.
        for _ in 0..6 {
            let (who, job) = pool.state().next().unwrap();
            (job.run)();
            pool.state().done(&who, Duration::from_secs(if who == "b" { 3 } else { 1 }));
        }
        assert_eq!(told.try_iter().collect::<Vec<_>>(), ["a", "b", "c", "a", "a", "b"]);
        assert!(waiting.iter_mut().all(|done| done.try_recv().is_ok()));
        assert!(!pool.work_once(false));
    }

    #[test]
    fn nobody_saves_up_time_by_doing_nothing() {
        let pool = pool(100, 100);
        let (order, told) = mpsc::channel();
        let mut waiting = Vec::new();
        let mut line_up = |who: &'static str| {
            let (job, done) = noted(who, &order);
            pool.line_up(who, job).unwrap();
            waiting.push(done);
        };
        let work = |times: usize| {
            for _ in 0..times {
                let (who, job) = pool.state().next().unwrap();
                (job.run)();
                pool.state().done(&who, Duration::from_secs(1));
            }
        };
        (0..10).for_each(|_| line_up("a"));
        work(8);
        (0..4).for_each(|_| line_up("late"));
        work(6);
        let order: String = told.try_iter().map(|who| &who[..1]).collect();
        assert_eq!(order, "aaaaaaaalalall", "they take turns from when the second came");
    }

    #[test]
    fn a_line_that_is_too_long_is_not_joined() {
        let pool = pool(3, 2);
        let (order, _told) = mpsc::channel();
        let mut waiting = Vec::new();
        let mut line_up = |who: &'static str| {
            let (job, done) = noted(who, &order);
            let joined = pool.line_up(who, job);
            waiting.push(done);
            (joined, waiting.len() - 1)
        };
        let (joined, first) = line_up("a");
        assert_eq!((joined, line_up("a").0), (Ok(()), Ok(())));
        assert_eq!(line_up("a").0, Err(NoWork::FullForOne));
        assert_eq!(line_up("b").0, Ok(()));
        assert_eq!(line_up("c").0, Err(NoWork::Full));
        drop(waiting.swap_remove(first));
        let (job, _done) = noted("c", &order);
        assert_eq!(pool.line_up("c", job), Ok(()), "one who has gone away makes room");
    }

    #[test]
    fn nothing_is_done_for_those_who_have_gone() {
        let pool = pool(9, 9);
        let (order, told) = mpsc::channel();
        for who in ["a", "b"] {
            let (job, _) = noted(who, &order);
            pool.line_up(who, job).unwrap();
        }
        let (job, mut done) = noted("c", &order);
        pool.line_up("c", job).unwrap();
        while pool.work_once(false) {}
        assert_eq!(told.try_iter().collect::<Vec<_>>(), ["c"]);
        assert!(done.try_recv().is_ok());
    }

    #[tokio::test]
    async fn what_breaks_is_told_and_the_next_is_done() {
        let workers = Workers::start("test", 1, Room { in_all: 9, of_one: 9 }).unwrap();
        let broken = workers.run("a", || panic!("as it must")).await;
        assert_eq!(broken.map(|((), _)| ()), Err(NoWork::Failed));
        assert_eq!(workers.run("a", || 7).await.map(|(seven, _)| seven), Ok(7));
        assert_eq!(workers.waiting(), 0);
    }
}
