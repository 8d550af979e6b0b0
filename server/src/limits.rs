//! Limits on how often something may be done: a bucket of tokens for each address, session or name.

use crate::failure::Failure;
use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::Mutex;
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
    /// Tries at a password or the admin token, of one address and for one name.
    pub password: Rate,
    /// New guests and accounts of one address.
    pub newcomer: Rate,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            address: Rate { burst: 2000.0, per_second: 200.0 },
            session: Rate { burst: 120.0, per_second: 10.0 },
            password: Rate { burst: 10.0, per_second: 0.2 },
            newcomer: Rate { burst: 60.0, per_second: 0.2 },
        }
    }
}

impl Limits {
    /// For measuring, where one machine plays many players.
    pub fn none() -> Limits {
        let free = Rate { burst: 1e9, per_second: 1e9 };
        Limits { address: free, session: free, password: free, newcomer: free }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum What {
    Address,
    Session,
    Password,
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

    fn rate(&self, what: What) -> Rate {
        match what {
            What::Address => self.limits.address,
            What::Session => self.limits.session,
            What::Password => self.limits.password,
            What::Newcomer => self.limits.newcomer,
        }
    }
}

fn filled(bucket: &Bucket, rate: Rate, now: Instant) -> f64 {
    (bucket.left + now.saturating_duration_since(bucket.at).as_secs_f64() * rate.per_second).min(rate.burst)
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
    fn a_network_counts_as_one() {
        let key = |text: &str| text.parse().map(address_key);
        assert_eq!(key("2001:db8::1"), key("2001:db8::ffff:2"));
        assert_ne!(key("2001:db8::1"), key("2001:db8:0:1::1"));
        assert_eq!(key("::ffff:10.0.0.1"), Ok("10.0.0.1".to_string()));
    }
}
