//! Answers to questions about one state, each kept while the parts of the state that it read do not change.
//! A memo never changes an answer, only how often it is worked out.

use crate::eval::{Counts, Desk};
use std::cell::{Cell, RefCell, RefMut};

/// What has been found out about a state, and where more of it is worked out. Made for one game: a state that changes otherwise than
/// through steps with this memo needs a new one.
pub struct Memo(RefCell<Desk>);

thread_local!(
    /// The desk that was left last, on each thread: whoever needs one next has its memory, and nothing that was known there.
    static LEFT: Cell<Option<Box<Desk>>> = const { Cell::new(None) }
);

impl Default for Memo {
    fn default() -> Memo {
        let left = LEFT.try_with(Cell::take).ok().flatten();
        Memo(RefCell::new(left.map_or_else(Desk::default, |desk| *desk)))
    }
}

impl Drop for Memo {
    fn drop(&mut self) {
        let desk = self.0.get_mut();
        if desk.is_quick() {
            let mut desk = Box::new(std::mem::take(desk));
            desk.clear();
            // Where the thread ends there is nobody to leave it to.
            let _ = LEFT.try_with(|left| left.set(Some(desk)));
        }
    }
}

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
