//! How much may be worked out for one question: so deep and so much, and no more. Past either the question is over: whatever is still to be
//! worked out for it comes to nothing at once, and none of it is kept.
//!
//! Whether a question runs over is a matter of the state alone, whatever is known of it already. An answer is kept with what it took, recalling
//! it counts as working it out does, and where there is no room for that it is worked out, so that the end is met in the same place.

use super::Eval;
use super::code::Piece;
use super::counts::Work;
use super::desk::{Desk, Start};
use crate::catalogue::Catalogue;
use crate::ids::ProcId;

/// Levels of expressions inside each other, through functions, values, scopes and permissions: deeper than any sensible rule.
pub(super) const MAX_DEPTH: u16 = 480;
/// What a value, permission or window costs of that, besides its expressions.
pub(super) const STEP: u16 = 12;
/// Items that lists are gone through by, are made of or are searched for, and questions that are asked within others, up to the next ask:
/// far more than any sensible rules take.
pub(super) const MAX_WORK: u32 = 1 << 23;
/// So much is to blame for the rest.
const MUCH: u32 = MAX_WORK / 8;
/// More work than there is: the question is over.
const OVER: u32 = 1 << 30;

/// What an answer took: so much work, and so many levels.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(crate) struct Effort {
    pub(super) work: u32,
    pub(super) depth: u16,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Limit {
    Depth,
    Work,
}

/// A question that ran over: what it had too much of, how much had been done by then, and what it was that went on for so long.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Over {
    limit: Limit,
    work: u32,
    culprit: Option<Work>,
}

impl Over {
    /// Why an action ends, for people: by the name of what is to blame, or of the program that ran where nothing within the question is.
    pub(crate) fn reason(&self, catalogue: &Catalogue, running: ProcId) -> String {
        let what = self.culprit.unwrap_or(Work::Program(running)).name(catalogue);
        match self.limit {
            Limit::Work => format!("{what} takes more than {MAX_WORK} steps to work out"),
            Limit::Depth => format!("{what} asks for others more than {MAX_DEPTH} levels deep"),
        }
    }
}

impl Desk {
    /// Nothing was done yet.
    pub(crate) fn rest(&mut self) {
        if let Some(counts) = &mut self.counts {
            counts.most = counts.most.max(self.spent.work);
        }
        // How deep it was before is of no account.
        (self.spent.work, self.room, self.over) = (0, MAX_DEPTH, None);
    }

    /// So much more is done; whether that is too much.
    #[inline(always)]
    pub(super) fn tires(&mut self, count: u32) -> bool {
        self.spent.work += count;
        self.spent.work > MAX_WORK && self.is_worn_out()
    }
    #[cold]
    #[inline(never)]
    fn is_worn_out(&mut self) -> bool {
        self.run_over(Limit::Work);
        true
    }

    /// From here on nothing more is worked out, and programs go no further.
    fn run_over(&mut self, limit: Limit) {
        if self.over.is_none() {
            self.over = Some(Over { limit, work: self.spent.work, culprit: None });
            self.ran_over += 1;
        }
        self.spent = Effort { work: OVER, depth: 0 };
        (self.room, self.left) = (0, 0);
    }

    /// Whether the question is over.
    #[inline(always)]
    pub(crate) fn is_over(&self) -> bool {
        self.spent.work > MAX_WORK
    }

    /// How the question ran over, if it did. For what follows it there is a part of the effort again.
    #[cold]
    pub(crate) fn take_over(&mut self) -> Option<Over> {
        if self.is_over() {
            self.run_over(Limit::Work);
            (self.spent, self.room) = (Effort { work: MAX_WORK / 4 * 3, depth: 0 }, MAX_DEPTH);
        }
        self.over.take()
    }

    /// What was done so far is put aside for a question that counts for nothing.
    pub(crate) fn put_aside(&mut self) -> (Effort, u32) {
        (std::mem::take(&mut self.spent), self.left)
    }
    /// Go on from there. Whether anything came of the question.
    pub(crate) fn take_up(&mut self, (spent, left): (Effort, u32)) -> bool {
        let over = self.take_over();
        (self.spent, self.left) = (spent, left);
        over.is_none()
    }

    /// Whether there is room for a piece of code from a depth on, if there is one.
    #[inline(never)]
    fn has_room(&mut self, piece: Piece, depth: u16) -> bool {
        !piece.is_none() && self.goes_deeper(depth + piece.deepest)
    }

    /// The question goes so deep. Whether it may.
    #[inline(always)]
    pub(super) fn goes_to(&mut self, depth: u16) -> bool {
        depth <= self.spent.depth || self.goes_deeper(depth)
    }
    #[inline(never)]
    fn goes_deeper(&mut self, depth: u16) -> bool {
        let room = self.reaches(depth);
        if !room {
            self.run_over(Limit::Depth);
        }
        room
    }
    #[inline(never)]
    fn reaches(&mut self, depth: u16) -> bool {
        let room = depth < self.room;
        if room {
            self.spent.depth = depth;
        }
        room
    }

    /// Where a piece of code starts that is run from a depth on: none where there is none, or where the question is over for want of room.
    #[inline(always)]
    pub(super) fn enter(&mut self, piece: Piece, depth: u16) -> Option<u32> {
        (depth + piece.deepest <= self.spent.depth || self.has_room(piece, depth)).then_some(piece.start)
    }

    /// Whether there is room for an answer that took so much, from a depth on: then it counts.
    #[inline(always)]
    pub(super) fn affords(&mut self, effort: Effort, depth: u16) -> bool {
        let (work, reach) = (self.spent.work + effort.work, depth + effort.depth);
        if work > MAX_WORK || reach > self.spent.depth && !self.reaches(reach) {
            return false;
        }
        self.spent.work = work;
        true
    }

    /// The same for a question that is asked within another one.
    #[inline(always)]
    pub(super) fn asks(&mut self, depth: u16) -> bool {
        !self.tires(1) && self.goes_to(depth)
    }

    /// What was done since a question within another one began. The outer one has gone as deep, too.
    #[inline(always)]
    pub(super) fn effort_since(&mut self, start: Start) -> Effort {
        let effort = Effort { work: self.spent.work - start.spent.work, depth: self.spent.depth - start.depth };
        self.spent.depth = self.spent.depth.max(start.spent.depth);
        effort
    }

    /// Something was asked within a question that is over. It is to blame where most was done for it, or most levels are below it, and for
    /// nothing within it.
    #[cold]
    #[inline(never)]
    pub(super) fn blame(&mut self, what: Work, work: u32, depth: u16) {
        if self.over.is_none() {
            self.run_over(Limit::Work);
        }
        let Some(over) = &mut self.over else { return };
        let most = match over.limit {
            Limit::Depth => depth <= MAX_DEPTH / 2,
            Limit::Work => over.work.saturating_sub(work) >= MUCH,
        };
        if most && over.culprit.is_none() {
            over.culprit = Some(what);
        }
    }
}

impl Eval<'_> {
    /// Something was asked from so deep on, and with so much done before it. Perhaps it is to blame.
    #[inline(always)]
    pub(super) fn blamed(&mut self, what: Work, before: u32, depth: u16) {
        if self.desk.is_over() {
            self.desk.blame(what, before, depth);
        }
    }
}
