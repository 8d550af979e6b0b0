//! What one address, session or user may have of the server, and how often: no guest harms another. An address is a household
//! ([`address_key`]). Matches have limits of their own (`matches::Settings`).

use crate::failure::Failure;
use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// At most `burst` at once, refilled at `per_second`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rate {
    pub burst: f64,
    pub per_second: f64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// Requests of one address.
    pub address: Rate,
    /// Requests of one session that change something.
    pub session: Rate,
    /// Wrong passwords and wrong admin tokens of one address; a right one costs nothing.
    pub password: Rate,
    /// Passwords that are hashed for one address, right or wrong.
    pub hashing: Rate,
    /// Passwords that wait to be hashed, of all addresses together.
    pub hashing_waits: usize,
    /// Passwords that wait to be hashed, of one address.
    pub hashing_waits_of_one: usize,
    /// New guests and accounts of one address.
    pub newcomer: Rate,
    /// Guests made from one address who can still come back.
    pub guests: usize,
    /// Accounts made from one address.
    pub accounts: usize,
    /// Connections open at once, of all addresses together; more wait to be taken.
    pub connections: usize,
    /// Connections open at once from one address; more are closed. Trusted proxies may open any number.
    pub connections_of_one: usize,
    /// Decks of one user, in all games together.
    pub decks: usize,
    /// Decks of all users who were made from one address.
    pub decks_of_one: usize,
    /// Bytes of a deck list.
    pub deck_bytes: usize,
    /// Lines of a deck list.
    pub deck_lines: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            address: Rate { burst: 2000.0, per_second: 200.0 },
            session: Rate { burst: 120.0, per_second: 10.0 },
            password: Rate { burst: 10.0, per_second: 0.05 },
            hashing: Rate { burst: 40.0, per_second: 0.5 },
            hashing_waits: 64,
            hashing_waits_of_one: 8,
            newcomer: Rate { burst: 60.0, per_second: 0.2 },
            guests: 100,
            accounts: 40,
            connections: 10_000,
            connections_of_one: 256,
            decks: 200,
            decks_of_one: 1000,
            deck_bytes: 16 * 1024,
            deck_lines: 500,
        }
    }
}

impl Limits {
    /// For measuring, where one machine plays many players.
    pub fn none() -> Limits {
        let free = Rate { burst: 1e9, per_second: 1e9 };
        Limits {
            address: free,
            session: free,
            password: free,
            hashing: free,
            hashing_waits: usize::MAX,
            hashing_waits_of_one: usize::MAX,
            newcomer: free,
            guests: usize::MAX,
            accounts: usize::MAX,
            connections: usize::MAX,
            connections_of_one: usize::MAX,
            decks: usize::MAX,
            decks_of_one: usize::MAX,
            deck_bytes: usize::MAX,
            deck_lines: usize::MAX,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum What {
    Address,
    Session,
    Password,
    Hashing,
    Newcomer,
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
        let rate = self.rate(what);
        let Ok(mut buckets) = self.buckets.lock() else { return Err(Failure::internal("the limiter is poisoned")) };
        if buckets.len() > MANY {
            buckets.retain(|(what, _), bucket| filled(bucket, self.rate(*what), now) < self.rate(*what).burst);
        }
        let bucket = buckets.entry((what, who.to_string())).or_insert(Bucket { left: rate.burst, at: now });
        bucket.left = filled(bucket, rate, now);
        bucket.at = now;
        if bucket.left < 1.0 {
            return Err(Failure::too_many(((1.0 - bucket.left) / rate.per_second).ceil().clamp(1.0, 3600.0) as u32));
        }
        bucket.left -= 1.0;
        Ok(())
    }

    /// Put back a token that was taken for what turned out to cost nothing.
    pub fn give_back(&self, what: What, who: &str) {
        let Ok(mut buckets) = self.buckets.lock() else { return };
        if let Some(bucket) = buckets.get_mut(&(what, who.to_string())) {
            bucket.left = (bucket.left + 1.0).min(self.rate(what).burst);
        }
    }

    fn rate(&self, what: What) -> Rate {
        match what {
            What::Address => self.limits.address,
            What::Session => self.limits.session,
            What::Password => self.limits.password,
            What::Hashing => self.limits.hashing,
            What::Newcomer => self.limits.newcomer,
        }
    }
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
    use std::time::Duration;

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
