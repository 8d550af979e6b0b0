//! How much work was done for what: for those who write rules.

use super::code::Step;
use crate::catalogue::Catalogue;
use crate::ids::*;

/// What a piece of code is the code of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Origin {
    Function(FunctionId),
    Stat(StatId),
    Scope(ScopeId),
    Clause(ClauseId),
    Ability(AbilityId),
    Window(WindowId),
    Permission(PermissionId),
    /// An instruction of a program, by its place among all.
    Op(u32),
}

/// What was done for one thing.
#[derive(Clone, Copy, Default, Debug)]
pub struct Count {
    pub times: u64,
    /// How often the answer was known.
    pub known: u64,
    /// Steps of code, with all that was asked for on the way.
    pub steps: u64,
}

#[derive(Clone, Default, Debug)]
pub struct Counts {
    pub steps: u64,
    /// How often a piece of code was run.
    pub runs: u64,
    /// Instructions of programs that change something.
    pub instructions: u64,
    /// Lists that were made.
    pub lists: u64,
    /// How often each step was run, by its place in the code.
    hits: Vec<u64>,
    pub functions: Vec<Count>,
    pub stats: Vec<Count>,
    pub permissions: Vec<Count>,
    pub scopes: Vec<Count>,
    /// Moves that were thought of and judged, by ability.
    pub abilities: Vec<Count>,
    /// Questions for the moves in a window.
    pub windows: Vec<Count>,
    /// Instructions of programs, and with how many steps their expressions were worked out.
    pub programs: Vec<Count>,
}

fn of(list: &mut Vec<Count>, at: usize) -> &mut Count {
    if list.len() <= at {
        list.resize(at + 1, Count::default());
    }
    &mut list[at]
}

impl Counts {
    fn count(&mut self, what: Work) -> &mut Count {
        match what {
            Work::Function(id) => of(&mut self.functions, id.index()),
            Work::Stat(id) => of(&mut self.stats, id.index()),
            Work::Permission(id) => of(&mut self.permissions, id.index()),
            Work::Scope(id) => of(&mut self.scopes, id.index()),
            Work::Ability(id) => of(&mut self.abilities, id.index()),
            Work::Window(id) => of(&mut self.windows, id.index()),
            Work::Program(id) => of(&mut self.programs, id.index()),
        }
    }
    /// The work of another game with this one's.
    pub fn add(&mut self, other: &Counts) {
        self.steps += other.steps;
        self.runs += other.runs;
        self.instructions += other.instructions;
        self.lists += other.lists;
        if self.hits.len() < other.hits.len() {
            self.hits.resize(other.hits.len(), 0);
        }
        self.hits.iter_mut().zip(&other.hits).for_each(|(mine, theirs)| *mine += theirs);
        for (mine, theirs) in [
            (&mut self.functions, &other.functions),
            (&mut self.stats, &other.stats),
            (&mut self.permissions, &other.permissions),
            (&mut self.scopes, &other.scopes),
            (&mut self.abilities, &other.abilities),
            (&mut self.windows, &other.windows),
            (&mut self.programs, &other.programs),
        ] {
            for (at, count) in theirs.iter().enumerate() {
                let sum = of(mine, at);
                sum.times += count.times;
                sum.known += count.known;
                sum.steps += count.steps;
            }
        }
    }

    /// A step was run.
    #[inline]
    pub(super) fn hit(&mut self, place: usize, step: &Step) {
        self.steps += 1;
        self.lists += u64::from(matches!(step, Step::NewList(_)));
        self.instructions += u64::from(matches!(step, Step::Do(_) | Step::DoBare(_)));
        if self.hits.len() <= place {
            self.hits.resize(place + 1, 0);
        }
        self.hits[place] += 1;
    }

    /// The steps that were run of each piece of code, by what it is the code of: not with what was asked for on the way.
    pub fn pieces(&self, catalogue: &Catalogue) -> Vec<(Origin, u64)> {
        let steps = |from: usize, to: usize| self.hits.get(from..to.min(self.hits.len())).map_or(0, |hits| hits.iter().sum());
        let origins = catalogue.index.code.origins(catalogue);
        let ends = origins.iter().skip(1).map(|(start, _)| *start as usize).chain([usize::MAX]);
        origins
            .iter()
            .zip(ends)
            .map(|((start, origin), end)| (*origin, steps(*start as usize, end)))
            .filter(|(_, steps)| *steps > 0)
            .collect()
    }

    /// Something was worked out, from so many steps on.
    pub(crate) fn done(&mut self, what: Work, before: u64) {
        let steps = self.steps - before;
        let count = self.count(what);
        count.times += 1;
        count.steps += steps;
    }
    /// Something was known.
    pub(super) fn known(&mut self, what: Work) {
        let count = self.count(what);
        count.times += 1;
        count.known += 1;
    }
}

/// What work is done for.
#[derive(Clone, Copy)]
pub(crate) enum Work {
    Function(FunctionId),
    Stat(StatId),
    Permission(PermissionId),
    Scope(ScopeId),
    Ability(AbilityId),
    Window(WindowId),
    Program(ProcId),
}
