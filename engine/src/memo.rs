//! Answers to questions about one state, each kept while the parts of the state that it read do not change.
//! A memo never changes an answer, only how often it is worked out.

use crate::eval::{Counts, Desk};
use std::cell::{RefCell, RefMut};

/// What has been found out about a state, and where more of it is worked out. Made for one game: a state that changes otherwise than
/// through steps with this memo needs a new one.
#[derive(Default)]
pub struct Memo(RefCell<Desk>);

impl Memo {
    /// A memo that trusts no answer: it works each one out again and panics where it has kept another. For tests.
    pub fn checking() -> Memo {
        Memo(RefCell::new(Desk::checking()))
    }

    /// A memo that keeps nothing and has expressions walked as they stand, not run as code: the reference that the rest is held to.
    pub fn plain() -> Memo {
        Memo(RefCell::new(Desk::plain()))
    }

    /// A memo that counts what is done with it.
    pub fn counting() -> Memo {
        Memo(RefCell::new(Desk::counting()))
    }

    /// What was done so far, where it counts.
    pub fn counts(&self) -> Option<Counts> {
        self.0.borrow().counts().cloned()
    }

    /// How often something was too deep to be worked out, since this memo was made.
    pub fn cuts(&self) -> u32 {
        self.0.borrow().cuts()
    }

    #[inline]
    pub(crate) fn desk(&self) -> RefMut<'_, Desk> {
        self.0.borrow_mut()
    }
}
