//! Passwords: hashed slowly, a few at a time, and everybody in turn.
//!
//! What keeps a guesser back: a household has few wrong tries (`Limits::password`) and few hashes, right or wrong (`Limits::hashing`).
//! A guess that is spread over many households meets what is left: a hash takes 19 MB and some 20 ms of a core, and only as many are worked
//! on at once as there are threads for work (two to eight). So all guessers of the world together have a few hundred tries a second, for
//! all names together, and share them with everybody who signs in: enough for a password that stands in every list, and hopeless against
//! eight characters that do not. Tries are not counted by name: whoever knows a name could lock its owner out.

use crate::failure::Failure;
use crate::limits::{Limiter, What};
use crate::work::{For, Work};
use argon2::{Argon2, PasswordHasher, PasswordVerifier};

/// Bytes of the longest password. Longer ones cannot be right and need not be worked on.
pub(crate) const LONGEST: usize = 200;

pub(crate) async fn hash(work: &Work, limits: &Limiter, who: &For, password: String) -> Result<String, Failure> {
    limits.take(What::Hashing, &who.address)?;
    let hashing = move || Argon2::default().hash_password(password.as_bytes()).map(|hash| hash.to_string());
    work.run(who, hashing).await?.map_err(Failure::internal)
}

/// Whether a password fits a hash; without a hash it does not, after the same work. A wrong one costs its household a try, before it is
/// known, so that many at once do not pass together.
pub(crate) async fn verify(work: &Work, limits: &Limiter, who: &For, password: String, hash: Option<String>) -> Result<bool, Failure> {
    limits.take(What::Hashing, &who.address)?;
    limits.take(What::Password, &who.address)?;
    let password = if password.len() <= LONGEST { password } else { String::new() };
    let verifying = move || match hash {
        Some(hash) => Argon2::default().verify_password(password.as_bytes(), hash.as_str()).is_ok(),
        None => {
            let _ = Argon2::default().hash_password(password.as_bytes());
            false
        }
    };
    let fits = work.run(who, verifying).await;
    if !matches!(fits, Ok(false)) {
        limits.give_back(What::Password, &who.address);
    }
    fits
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Limits;
    use std::sync::Arc;

    #[tokio::test]
    async fn a_password_fits_its_hash_only() {
        let limits = Arc::new(Limiter::new(Limits::none()));
        let work = Work::start(limits.clone()).expect("threads");
        let who = For { address: "a".into(), user: None };
        let hash = hash(&work, &limits, &who, "correct horse".into()).await.expect("it is hashed");
        let verify = async |password: &str, hash: Option<&String>| verify(&work, &limits, &who, password.into(), hash.cloned()).await;
        assert_eq!(verify("correct horse", Some(&hash)).await, Ok(true));
        assert_eq!(verify("wrong horse", Some(&hash)).await, Ok(false));
        assert_eq!(verify("correct horse", None).await, Ok(false));
    }
}
