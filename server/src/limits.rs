//! What one address, session or user may have of the server, and how often: no guest harms another. An address is a household
//! ([`address_key`]).

use crate::failure::Failure;
use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// At most `burst` at once, refilled at `per_second`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rate {
    pub burst: f64,
    pub per_second: f64,
}

impl Rate {
    const FREE: Rate = Rate { burst: 1e9, per_second: 1e9 };

    /// `2000/200`: so many at once, and so many a second.
    fn read(wish: &str) -> Result<Rate, String> {
        let wrong = || format!("\"{wish}\" is no rate: write BURST/PER_SECOND, as 2000/200");
        let (burst, per_second) = wish.split_once('/').ok_or_else(wrong)?;
        let number = |text: &str| text.trim().parse::<f64>().ok().filter(|number| *number > 0.0 && number.is_finite()).ok_or_else(wrong);
        Ok(Rate { burst: number(burst)?, per_second: number(per_second)? })
    }
}

impl std::fmt::Display for Rate {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "{}/{}", self.burst, self.per_second)
    }
}

/// A limit as people read it: its name, what it is unless somebody says otherwise, what it is of.
pub struct Row {
    pub name: &'static str,
    pub usual: String,
    pub what: &'static str,
}

/// Every limit once: rates, then numbers. The struct, its usual values, the table for people and what `--limit` understands come from
/// this list.
macro_rules! limits {
    (
        rates { $($(#[doc = $rate_doc:literal])+ $rate:ident $What:ident = $burst:literal / $per_second:literal,)+ }
        counts { $($(#[doc = $count_doc:literal])+ $count:ident = $usual:expr,)+ }
    ) => {
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub struct Limits {
            $($(#[doc = $rate_doc])+ pub $rate: Rate,)+
            $($(#[doc = $count_doc])+ pub $count: usize,)+
        }

        impl Default for Limits {
            fn default() -> Limits {
                Limits { $($rate: Rate { burst: $burst, per_second: $per_second },)+ $($count: $usual,)+ }
            }
        }

        impl Limits {
            /// For measuring, where one machine plays many players.
            pub fn none() -> Limits {
                Limits { $($rate: Rate::FREE,)+ $($count: usize::MAX,)+ }
            }

            /// All of them, as they usually are.
            pub fn table() -> Vec<Row> {
                let usual = Limits::default();
                vec![
                    $(Row { name: stringify!($rate), usual: usual.$rate.to_string(), what: concat!($($rate_doc),+).trim_ascii() },)+
                    $(Row { name: stringify!($count), usual: usual.$count.to_string(), what: concat!($($count_doc),+).trim_ascii() },)+
                ]
            }

            /// Set one as `NAME=VALUE` says.
            pub fn set(&mut self, wish: &str) -> Result<(), String> {
                let (name, value) = wish.split_once('=').ok_or_else(|| format!("\"{wish}\": write NAME=VALUE"))?;
                match name.trim() {
                    $(stringify!($rate) => self.$rate = Rate::read(value.trim())?,)+
                    $(stringify!($count) => {
                        self.$count = value.trim().parse().map_err(|_| format!("\"{value}\" is no number"))?;
                    })+
                    other => {
                        let names: Vec<&str> = Limits::table().into_iter().map(|row| row.name).collect();
                        return Err(format!("no limit is called \"{other}\"; there are {}", names.join(", ")));
                    }
                }
                Ok(())
            }

            fn rate(&self, what: What) -> Rate {
                match what {
                    $(What::$What => self.$rate,)+
                }
            }
        }

        /// What there is a rate for.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum What {
            $($What,)+
        }
    };
}

limits! {
    rates {
        /// Requests of one address.
        address Address = 2000.0 / 200.0,
        /// Requests of one session that change something.
        session Session = 120.0 / 10.0,
        /// Wrong passwords and wrong admin tokens of one address; a right one costs nothing.
        password Password = 10.0 / 0.05,
        /// Passwords that are hashed for one address, right or wrong.
        hashing Hashing = 40.0 / 0.5,
        /// New guests and accounts of one address.
        newcomer Newcomer = 60.0 / 0.2,
        /// Seconds of work for one address: replays, forks, matches that are fetched, decks that are checked, passwords.
        work Work = 30.0 / 0.25,
        /// The same for one user.
        work_of_user WorkOfUser = 20.0 / 0.15,
        /// Matches of one address that begin in the middle of another.
        forks Forks = 20.0 / 0.05,
        /// Messages of all sockets of one address; a look at a whole table or the reasons why not count as several. Beyond it they are read more slowly.
        messages Messages = 1500.0 / 300.0,
        /// Messages of one socket; beyond it they are read more slowly.
        messages_of_socket MessagesOfSocket = 120.0 / 40.0,
    }
    counts {
        /// Pieces of work that wait, of all addresses together.
        work_waits = 400,
        /// Pieces of work that wait, of one address.
        work_waits_of_one = 24,
        /// Guests made from one address who can still come back.
        guests = 100,
        /// Accounts made from one address.
        accounts = 40,
        /// Connections open at once, of all addresses together; more wait to be taken.
        connections = 10_000,
        /// Connections open at once from one address; more are closed. Trusted proxies may open any number.
        connections_of_one = 256,
        /// Sockets of one address at once.
        sockets_of_one = 200,
        /// Tables that one user may have open or in play.
        tables_of_user = 20,
        /// Tables opened from one address that are open or in play.
        tables_of_one = 60,
        /// Bytes of all matches that were ever opened from one address.
        stored_bytes_of_one = 256 * 1024 * 1024,
        /// Lines of chat at one table.
        chat_lines = 2000,
        /// Decks of one user, in all games together.
        decks = 200,
        /// Decks of all users who were made from one address.
        decks_of_one = 1000,
        /// Bytes of a deck list.
        deck_bytes = 16 * 1024,
        /// Lines of a deck list.
        deck_lines = 500,
    }
}

struct Bucket {
    left: f64,
    at: Instant,
}

pub struct Limiter {
    limits: Limits,
    buckets: Mutex<HashMap<(What, String), Bucket>>,
}

/// When there are more buckets than this, the full ones are thrown away.
const MANY: usize = 20_000;

impl Limiter {
    pub fn new(limits: Limits) -> Limiter {
        Limiter { limits, buckets: Mutex::default() }
    }

    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Take a token, or learn when there will be one.
    pub fn take(&self, what: What, who: &str) -> Result<(), Failure> {
        self.take_at(what, who, Instant::now())
    }

    fn take_at(&self, what: What, who: &str, now: Instant) -> Result<(), Failure> {
        self.with(what, who, now, |bucket, rate| {
            if bucket.left < 1.0 {
                return Err(wait((1.0 - bucket.left) / rate.per_second));
            }
            bucket.left -= 1.0;
            Ok(())
        })
    }

    /// Whether anything is left to be used up.
    pub(crate) fn has_some(&self, what: What, who: &str) -> Result<(), Failure> {
        self.with(
            what,
            who,
            Instant::now(),
            |bucket, rate| if bucket.left > 0.0 { Ok(()) } else { Err(wait(-bucket.left / rate.per_second)) },
        )
    }

    /// Use up so much, also more than there is: how long it takes until it is made good.
    pub(crate) fn spend(&self, what: What, who: &str, amount: f64) -> Duration {
        self.spend_at(what, who, amount, Instant::now())
    }

    fn spend_at(&self, what: What, who: &str, amount: f64, now: Instant) -> Duration {
        self.with(what, who, now, |bucket, rate| {
            bucket.left -= amount;
            Duration::from_secs_f64((-bucket.left / rate.per_second).max(0.0))
        })
    }

    fn with<T>(&self, what: What, who: &str, now: Instant, then: impl FnOnce(&mut Bucket, Rate) -> T) -> T {
        let rate = self.limits.rate(what);
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        if buckets.len() > MANY {
            buckets.retain(|(what, _), bucket| filled(bucket, self.limits.rate(*what), now) < self.limits.rate(*what).burst);
        }
        let bucket = buckets.entry((what, who.to_string())).or_insert(Bucket { left: rate.burst, at: now });
        bucket.left = filled(bucket, rate, now);
        bucket.at = now;
        then(bucket, rate)
    }

    /// Put back a token that was taken for what turned out to cost nothing.
    pub fn give_back(&self, what: What, who: &str) {
        let Ok(mut buckets) = self.buckets.lock() else { return };
        if let Some(bucket) = buckets.get_mut(&(what, who.to_string())) {
            bucket.left = (bucket.left + 1.0).min(self.limits.rate(what).burst);
        }
    }
}

/// Come back after so many seconds.
fn wait(seconds: f64) -> Failure {
    Failure::too_many(seconds.ceil().clamp(1.0, 3600.0) as u32)
}

fn filled(bucket: &Bucket, rate: Rate, now: Instant) -> f64 {
    (bucket.left + now.saturating_duration_since(bucket.at).as_secs_f64() * rate.per_second).min(rate.burst)
}

/// How many of something each address has at once.
pub struct Places {
    most: usize,
    taken: Mutex<HashMap<String, usize>>,
}

/// One of them, free again when it is dropped.
pub struct Place {
    places: Arc<Places>,
    who: String,
}

impl Places {
    pub fn new(most: usize) -> Arc<Places> {
        Arc::new(Places { most, taken: Mutex::default() })
    }

    pub fn enter(self: &Arc<Self>, who: &str) -> Option<Place> {
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        let count = taken.get(who).copied().unwrap_or(0);
        if count >= self.most {
            return None;
        }
        taken.insert(who.to_string(), count + 1);
        Some(Place { places: self.clone(), who: who.to_string() })
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut taken = self.places.taken.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = taken.get_mut(&self.who) {
            *count -= 1;
            if *count == 0 {
                taken.remove(&self.who);
            }
        }
    }
}

/// What stands for one household: the address, or the network where everyone has millions of them.
pub fn address_key(address: IpAddr) -> String {
    match address.to_canonical() {
        IpAddr::V4(address) => address.to_string(),
        IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            format!("{a:x}:{b:x}:{c:x}:{d:x}::/64")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bucket_empties_and_fills() {
        let limiter = Limiter::new(Limits { password: Rate { burst: 2.0, per_second: 0.5 }, ..Limits::none() });
        let start = Instant::now();
        let take = |who: &str, seconds: u64| limiter.take_at(What::Password, who, start + Duration::from_secs(seconds));
        assert!(take("a", 0).is_ok() && take("a", 0).is_ok());
        assert_eq!(take("a", 0).map_err(|failure| failure.retry_after), Err(Some(2)));
        assert!(take("b", 0).is_ok(), "another one is not held up");
        assert!(take("a", 2).is_ok() && take("a", 2).is_err());
    }

    #[test]
    fn what_turns_out_to_cost_nothing_is_put_back() {
        let limiter = Limiter::new(Limits { password: Rate { burst: 2.0, per_second: 0.5 }, ..Limits::none() });
        let now = Instant::now();
        let take = || limiter.take_at(What::Password, "a", now).is_ok();
        for _ in 0..10 {
            assert!(take());
            limiter.give_back(What::Password, "a");
        }
        limiter.give_back(What::Password, "a");
        assert!(take() && take() && !take(), "no more than there were");
    }

    #[test]
    fn what_is_used_up_beyond_the_limit_is_made_good_later() {
        let limiter = Limiter::new(Limits { work: Rate { burst: 2.0, per_second: 0.5 }, ..Limits::none() });
        let start = Instant::now();
        assert_eq!(limiter.spend_at(What::Work, "a", 1.5, start), Duration::ZERO);
        assert_eq!(limiter.spend_at(What::Work, "a", 1.5, start), Duration::from_secs(2));
        assert_eq!(limiter.has_some(What::Work, "a").map_err(|failure| failure.status.as_u16()), Err(429));
        assert_eq!(limiter.has_some(What::Work, "b"), Ok(()));
        assert_eq!(limiter.spend_at(What::Work, "a", 0.0, start + Duration::from_secs(3)), Duration::ZERO);
    }

    #[test]
    fn each_limit_can_be_set_by_its_name() {
        let mut limits = Limits::default();
        assert_eq!(limits.set("guests=7").and(limits.set("address = 10/0.5")), Ok(()));
        assert_eq!((limits.guests, limits.address), (7, Rate { burst: 10.0, per_second: 0.5 }));
        for row in Limits::table() {
            assert_eq!(limits.set(&format!("{}={}", row.name, row.usual)), Ok(()), "{}", row.name);
            assert!(row.what.ends_with('.'), "{}", row.what);
        }
        assert_eq!(limits, Limits::default());
        for wrong in ["guests", "guests=-1", "address=10", "address=0/1", "address=1/nan", "no_such=1"] {
            assert!(limits.set(wrong).is_err(), "{wrong}");
        }
        assert_eq!(limits, Limits::default());
    }

    #[test]
    fn places_are_counted_for_each_and_given_back() {
        let places = Places::new(2);
        let held = [places.enter("a"), places.enter("a")];
        assert!(held.iter().all(Option::is_some) && places.enter("a").is_none() && places.enter("b").is_some());
        drop(held);
        assert!(places.enter("a").is_some());
        assert!(Places::new(0).enter("a").is_none());
        assert_eq!(places.taken.lock().map(|taken| taken.len()).ok(), Some(0), "nothing is kept of those who have gone");
    }

    #[test]
    fn a_network_counts_as_one() {
        let key = |text: &str| text.parse().map(address_key);
        assert_eq!(key("2001:db8::1"), key("2001:db8::ffff:2"));
        assert_ne!(key("2001:db8::1"), key("2001:db8:0:1::1"));
        assert_eq!(key("::ffff:10.0.0.1"), Ok("10.0.0.1".to_string()));
    }
}
