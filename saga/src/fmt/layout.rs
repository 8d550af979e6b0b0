//! Long lines, broken by structure: where the author broke them, and then the loosest parts first, until each line is
//! short enough or nothing is left to divide. How far a line is indented follows from where the breaks are, and breaks
//! are only added: that is why a second run finds nothing to do.

use super::Written;
use super::joints::{Joint, Joints, Rank, joints};
use crate::lexer::Tok;

/// Where citations start, if the line is short enough.
const CITES: usize = 71;
/// A longer line is broken.
const WIDE: usize = 120;
/// A longer line is broken even where it reads badly.
const TOO_WIDE: usize = 140;
/// How much deeper a line stands than the one it runs on from. A block stands two blanks deeper: nobody takes it for one.
const RUNS_ON: usize = 4;
/// How much deeper the parts of such a line stand.
const PART: usize = 2;
/// Parts of a list up to this width are written side by side.
const SHORT: usize = 40;
/// Nobody writes anything longer or deeper. Such a line is left as it is: to divide it would take too long.
const MOST_WORDS: usize = 20_000;
const MOST_NESTED: usize = 200;

/// A line at its indentation, broken as needed, with line ends.
pub(super) fn layout(line: &Written, indent: usize) -> String {
    let joints = joints(&line.words, indent == 0);
    let mut page = Page { line, indent, joints: &joints, breaks: vec![false; line.words.len()], broken: vec![0; joints.around.len()] };
    (0..line.words.len()).filter(|at| *at == 0 || line.words[*at].broken).for_each(|at| page.break_at(at));
    let readable = line.words.len() <= MOST_WORDS && joints.before.iter().all(|joint| joint.nest <= MOST_NESTED);
    // A break can move lines above it to the right, so that those are looked at again.
    while readable && page.divide_all() {}
    page.print()
}

#[derive(Clone)]
struct Page<'a> {
    line: &'a Written,
    indent: usize,
    joints: &'a Joints,
    /// Whether a line begins with the word.
    breaks: Vec<bool>,
    /// How many lines begin in each of the brackets and parts, those with citations only not counted.
    broken: Vec<usize>,
}

impl Page<'_> {
    fn break_at(&mut self, at: usize) {
        self.breaks[at] = true;
        self.broken[self.joints.before[at].group] += usize::from(at > 0 && at < self.line.cites);
    }

    /// Break what is too long, once through the lines; whether there was anything.
    fn divide_all(&mut self) -> bool {
        let (mut start, mut any) = (0, false);
        while start < self.breaks.len() {
            let end = (start + 1..self.breaks.len()).find(|at| self.breaks[*at]).unwrap_or(self.breaks.len());
            match self.divide(start, end) {
                Some(more) => {
                    any = true;
                    more.into_iter().for_each(|at| self.break_at(at));
                }
                None => start = end,
            }
        }
        any
    }

    /// The written lines: the first word of each, and the one behind its last.
    fn lines(&self) -> Vec<(usize, usize)> {
        let starts: Vec<usize> = (0..self.breaks.len()).filter(|at| self.breaks[*at]).collect();
        let ends = starts.iter().skip(1).copied().chain([self.breaks.len()]);
        starts.iter().copied().zip(ends).collect()
    }

    /// The first word of the written line that a word stands in.
    fn start_of(&self, at: usize) -> usize {
        (0..=at).rev().find(|at| self.breaks[*at]).unwrap_or(0)
    }

    /// How far the line is indented that begins with a word.
    fn indent_of(&self, at: usize) -> usize {
        if at == 0 {
            return self.indent;
        }
        if self.is_cite(at) && at >= self.line.cites {
            return self.column(at).max(self.indent + RUNS_ON);
        }
        if matches!(self.line.words[at].tok, Tok::Comment(_)) && at + 1 < self.line.words.len() {
            return self.indent_of(at + 1);
        }
        let joint = self.joints.before[at];
        let start = self.start_of(joint.whole);
        let above = self.indent_of(start);
        // `else` stands below its `if`, a bracket below the line that opened it, and what follows `=` on a line of
        // its own has its parts below it.
        let level = match joint.rank {
            Rank::Else => start == joint.whole,
            Rank::Then => false,
            _ => start == joint.whole && self.joints.before[start].rank == Rank::Into,
        };
        let step = match start {
            _ if self.line.words[at].tok.opens() < 0 && !joint.outer => return above,
            0 => RUNS_ON,
            _ if level => 0,
            _ => PART,
        };
        above + step + PART * (self.broken_around(joint, start) + usize::from(self.looser_below(joint, at)))
    }

    /// Whether what a joint divides is itself a part of something that is broken further down, as `a and b` in
    /// `a and b or c`: it must not stand as one with that.
    fn looser_below(&self, joint: Joint, at: usize) -> bool {
        let looser = |other: &Joint| other.group == joint.group && other.rank < joint.rank && other.whole <= joint.whole;
        // `then` stands deeper than `else` anyway.
        let inner = (Rank::Says..Rank::Odd).contains(&joint.rank) && joint.rank != Rank::Then;
        inner && (at + 1..self.breaks.len()).any(|below| self.breaks[below] && looser(&self.joints.before[below]))
    }

    /// How many of the brackets around a joint are broken themselves, of those that were opened on the written line
    /// that begins with `start`: their parts stand less deep.
    fn broken_around(&self, joint: Joint, start: usize) -> usize {
        let around = |group: usize| self.joints.around[group].1.filter(|outer| self.joints.around[*outer].0 >= start);
        std::iter::successors(around(joint.group), |group| around(*group)).filter(|group| self.broken[*group] > 0).count()
    }

    fn is_cite(&self, at: usize) -> bool {
        matches!(self.line.words[at].tok, Tok::Cite(_))
    }

    /// Where the citations stand that go from here to the end of the written line: in their column, or as far left
    /// of it as they need.
    fn column(&self, at: usize) -> usize {
        let cites = (at..self.line.words.len()).take_while(|cite| self.is_cite(*cite) && (*cite == at || !self.breaks[*cite]));
        let width: usize = cites.map(|cite| self.line.words[cite].text.chars().count() + 1).sum();
        CITES.min((WIDE + 1).saturating_sub(width))
    }

    /// How wide the words are, on one line behind the given indentation, without a comment at their end.
    fn width(&self, start: usize, end: usize, indent: usize) -> usize {
        let mut width = indent;
        for at in start..end {
            let word = &self.line.words[at];
            if !matches!(word.tok, Tok::Comment(_)) {
                width += if at == start { 0 } else { self.blanks(at, width) } + word.text.chars().count();
            }
        }
        width
    }

    /// How many blanks stand before a word that does not begin a line.
    fn blanks(&self, at: usize, width: usize) -> usize {
        let word = &self.line.words[at];
        match word.tok {
            Tok::Cite(_) if at == self.line.cites => self.column(at).saturating_sub(width).max(1),
            Tok::Comment(_) => 2,
            _ => usize::from(word.spaced),
        }
    }

    /// Where to break a written line, if it is too long and can be broken.
    fn divide(&self, start: usize, end: usize) -> Option<Vec<usize>> {
        let indent = self.indent_of(start);
        let whole = self.width(start, end, indent);
        if whole <= WIDE {
            return None;
        }
        let cites = self.line.cites;
        let movable = start < cites && cites < end && self.is_cite(cites) && self.line.words[cites - 1].tok != Tok::Colon;
        let code = if movable { cites } else { end };
        let best = self.best(start, code, whole);
        if movable && self.width(start, code, indent) <= WIDE {
            // Only the citations are too much: they get a line of their own, unless the line falls into two good parts.
            let divided = best.filter(|more| self.joints.before[more[0]].rank <= Rank::Into && self.fits(more, start, end));
            return Some(divided.unwrap_or_else(|| vec![cites]));
        }
        best.or_else(|| movable.then(|| vec![cites])).or_else(|| self.fill_cites(start, end))
    }

    /// Whether all parts of a written line are short enough when it is broken there.
    fn fits(&self, more: &[usize], start: usize, end: usize) -> bool {
        let mut page = self.clone();
        more.iter().for_each(|at| page.break_at(*at));
        page.lines()
            .into_iter()
            .filter(|(from, _)| (start..end).contains(from))
            .all(|(from, to)| page.width(from, to, page.indent_of(from)) <= WIDE)
    }

    /// The loosest parts of some words.
    fn best(&self, start: usize, end: usize, width: usize) -> Option<Vec<usize>> {
        let worst = if width > TOO_WIDE { Rank::Product } else { Rank::Sum };
        let open = |at: &usize| self.joints.before[*at].rank <= worst;
        let good = (start + 1..end).filter(open).min_by_key(|at| {
            let joint = self.joints.before[*at];
            (joint.rank >= Rank::Compare, joint.nest, joint.rank)
        })?;
        let Joint { rank, nest, .. } = self.joints.before[good];
        let all: Vec<usize> =
            (good..end).filter(|at| (self.joints.before[*at].rank, self.joints.before[*at].nest) == (rank, nest)).collect();
        if rank != Rank::Comma {
            return Some(all);
        }
        let parts = all.iter().copied().zip(all.iter().skip(1).copied().chain([end]));
        if parts.into_iter().any(|(from, to)| self.width(from, to, 0) > SHORT) {
            return Some(all);
        }
        let indent = self.indent_of(start);
        let last = all.iter().rev().find(|at| self.width(start, **at, indent) <= WIDE);
        Some(vec![*last.unwrap_or(&good)])
    }

    /// Citations that are too many for one line go on in the next.
    fn fill_cites(&self, start: usize, end: usize) -> Option<Vec<usize>> {
        let indent = self.indent_of(start);
        let more = (start.max(self.line.cites) + 1..end).filter(|at| self.is_cite(*at) && start >= self.line.cites);
        more.rev().find(|at| self.width(start, *at, indent) <= WIDE).map(|at| vec![at])
    }

    fn print(&self) -> String {
        let mut out = String::new();
        for (start, end) in self.lines() {
            let mut width = self.indent_of(start);
            out.push_str(&" ".repeat(width));
            for at in start..end {
                let blanks = if at == start { 0 } else { self.blanks(at, width) };
                out.push_str(&" ".repeat(blanks));
                out.push_str(&self.line.words[at].text);
                width += blanks + self.line.words[at].text.chars().count();
            }
            out.push('\n');
        }
        out
    }
}
