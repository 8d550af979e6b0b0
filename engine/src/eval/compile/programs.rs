//! Programs as code: what changes something is left to the machine, all else runs without it.

use super::{Compiler, Given, Shelf};
use crate::catalogue::{Args, BinOp, Catalogue, Expr, Op, Proc, Prop};
use crate::eval::MAX_DEPTH;
use crate::eval::code::{Lies, NO_CODE, Operand, Piece, Program, Step, To};
use crate::ids::*;
use std::collections::BTreeSet;

/// The code of the programs.
pub(super) fn all(shelf: &mut Shelf<'_>) {
    let catalogue = shelf.catalogue;
    shelf.code.entries = vec![0; catalogue.ops.len()];
    let code = |(at, proc): (usize, &Proc)| {
        let code = if shelf.within.has_proc(at) { program(shelf, proc.start as usize) } else { None };
        Program { first: code.unwrap_or(NO_CODE), start: proc.start, registers: proc.registers }
    };
    shelf.code.programs = catalogue.procs.iter().enumerate().map(code).collect();
}

fn program(shelf: &mut Shelf<'_>, start: usize) -> Option<u32> {
    let catalogue = shelf.catalogue;
    let reached = reached(catalogue, start)?;
    let mut compiler = Compiler::new(shelf, 0);
    let labels: Vec<To> = (0..=*reached.last()?).map(|_| compiler.label()).collect();
    let mut done = 0;
    for &at in &reached {
        compiler.here(labels[at]);
        // Nothing goes on between bindings that are made at once.
        if at >= done {
            done = at + compiler.instruction(start, at, &labels);
        }
        compiler.next = 0;
    }
    // A program goes on where it has changed something, or tries that again.
    let changes = |at: usize| !matches!(catalogue.ops[start + at], Op::Jump(_) | Op::JumpUnless(..) | Op::Set(..) | Op::Next(..));
    let entries = reached.iter().filter(|&&at| at == 0 || changes(at) || changes(at - 1)).map(|&at| labels[at]);
    let (Piece { start: first, deepest }, places) = compiler.finish(&entries.collect::<Vec<To>>())?;
    if deepest >= MAX_DEPTH {
        return None;
    }
    for at in reached {
        shelf.code.entries[start + at] = places[labels[at] as usize];
    }
    Some(first)
}

/// The instructions of a program that can be reached, in order; none where one of them is missing.
fn reached(catalogue: &Catalogue, start: usize) -> Option<Vec<usize>> {
    let mut reached = BTreeSet::new();
    let mut todo = vec![0usize];
    while let Some(at) = todo.pop() {
        if !reached.insert(at) {
            continue;
        }
        match *catalogue.ops.get(start.checked_add(at)?)? {
            Op::Jump(to) => todo.push(to as usize),
            Op::JumpUnless(_, to) | Op::Next(_, _, _, to) | Op::Replace(_, _, _, to) => todo.extend([to as usize, at + 1]),
            Op::Return(_) | Op::Win(_) => {}
            _ => todo.push(at + 1),
        }
    }
    Some(reached.into_iter().collect())
}

impl Compiler<'_, '_> {
    /// The code of an instruction, or of several in a row: how many.
    fn instruction(&mut self, start: usize, at: usize, labels: &[To]) -> usize {
        let bindings = self.bindings_at(start + at);
        if bindings.len() > 1 {
            let first = self.shelf.code.binding(&bindings);
            self.emit(Step::BindAll(bindings.len() as u16, first));
            return bindings.len();
        }
        self.single(start, at, labels);
        1
    }

    /// The bindings in a row from an instruction on of values that lie somewhere, so that none depends on another.
    fn bindings_at(&mut self, op: usize) -> Vec<(VarId, Operand)> {
        let mut bindings = Vec::new();
        while let Some(Op::Bind(var, value)) = self.catalogue.ops.get(op + bindings.len())
            && (self.constant(*value).is_some() || matches!(self.expr(*value), Expr::Register(_)))
            && bindings.len() < 64
        {
            bindings.push((*var, self.operand(*value)));
        }
        bindings
    }

    fn single(&mut self, start: usize, at: usize, labels: &[To]) {
        let op = self.catalogue.ops[start + at];
        match op {
            Op::Jump(to) => {
                let label = labels[to as usize];
                self.emit(if to as usize <= at { Step::Back(label) } else { Step::Jump(label) });
            }
            Op::JumpUnless(test, to) if to as usize <= at => {
                let on = self.label();
                self.branch(test, true, on);
                self.emit(Step::Back(labels[to as usize]));
                self.here(on);
            }
            Op::JumpUnless(test, to) => self.branch(test, false, labels[to as usize]),
            Op::Set(to, expr) => match self.expr(expr) {
                Expr::Register(from) => self.emit(Step::Take(to, from)),
                Expr::Var(from) => self.emit(Step::Load(to, from)),
                _ if let Some(cell) = self.constant(expr) => {
                    let constant = self.shelf.constant(cell);
                    self.emit(Step::Settle(to, constant));
                }
                Expr::Prop(Prop::Opponent, of) if let Expr::Register(from) = self.expr(of) => self.emit(Step::TakeOpponent(to, from)),
                _ if let Some(by) = self.raise(expr, to) => self.emit(Step::Raise(to, by)),
                _ => self.one(expr, |value| Step::Write(value, to)),
            },
            Op::Next(list, index, item, exit) => {
                let short = |register: RegisterId| u8::try_from(register.index()).ok();
                match (short(list), short(index), short(item)) {
                    (Some(list), Some(index), Some(item)) => {
                        self.emit(Step::NextItem(list, index, item, labels[exit as usize]));
                    }
                    _ => self.failed = true,
                }
            }
            Op::Call(program, args, result) if self.can_be_idle(program, 0) => self.guarded(at, program, args, result),
            // Few events are heard: those that are not need nothing.
            Op::Emit { event, .. } if !self.catalogue.index.heard.has(event.index()) => self.emit(Step::DoBare((start + at) as u32)),
            Op::Call(program, args, result) => self.call_to(at, program, args, result),
            Op::Return(expr) => {
                let value = self.operand(expr);
                self.emit(Step::End(value));
            }
            Op::SetVar(var, expr) => {
                let value = self.operand(expr);
                self.emit(Step::SetVar(value, var));
            }
            Op::Bind(var, expr) => {
                let value = self.operand(expr);
                self.emit(Step::Bind(value, var));
            }
            _ => self.change(start + at),
        }
    }

    /// How much more an expression is than what lies in a register, if it is no more than that.
    fn raise(&self, expr: ExprId, register: RegisterId) -> Option<i16> {
        let Expr::Bin(op @ (BinOp::Add | BinOp::Sub), a, b) = self.expr(expr) else { return None };
        let (Expr::Register(from), Expr::Num(by)) = (self.expr(a), self.expr(b)) else { return None };
        let by = i16::try_from(by).ok().filter(|by| *by >= 0 && from == register)?;
        Some(if op == BinOp::Add { by } else { -by })
    }

    /// Where the value of an expression lies for an instruction.
    fn operand(&mut self, expr: ExprId) -> Operand {
        let lies = match (self.constant(expr), self.expr(expr)) {
            (Some(cell), _) => Lies::Constant(self.shelf.constant(cell) as usize),
            (None, Expr::Register(at)) => Lies::Register(at.index()),
            (None, Expr::Var(at)) => Lies::Var(at.index()),
            _ => Lies::At(self.value(expr).into()),
        };
        Operand::new(lies).unwrap_or_else(|| {
            self.failed = true;
            Operand::NOTHING
        })
    }

    /// A call of a program, with its arguments.
    fn call_to(&mut self, at: usize, program: ProcId, args: Args, result: Option<RegisterId>) {
        let size = self.catalogue.procs[program.index()].registers as usize;
        let args: Vec<Operand> = self.catalogue.slice(args).iter().take(size).map(|&arg| self.operand(arg)).collect();
        let call = self.shelf.code.calling(program, result, at as u32 + 1, &args);
        self.emit(Step::CallTo(call));
    }

    /// An instruction that changes something, with what it needs.
    fn change(&mut self, op: usize) {
        let mut exprs: Vec<ExprId> = Vec::new();
        self.catalogue.ops[op].exprs(self.catalogue, &mut |expr| exprs.push(expr));
        let needs: Vec<Operand> = exprs.into_iter().map(|expr| self.operand(expr)).collect();
        let doing = self.shelf.code.doing(op as u32, &needs);
        self.emit(Step::Do(doing));
    }

    /// Whether there is a way through a program on which it does nothing at all: past what stands behind tests, and past calls of such
    /// programs, to its end.
    fn can_be_idle(&self, program: ProcId, depth: u8) -> bool {
        let Proc { start, contains_faults, .. } = self.catalogue.procs[program.index()];
        if contains_faults || depth > 2 {
            return false;
        }
        let (mut at, mut tests) = (0, 0);
        for _ in 0..8 {
            match self.catalogue.ops.get((start + at) as usize) {
                Some(Op::JumpUnless(..)) if self.ends_at(start + at + 1) => return true,
                Some(Op::JumpUnless(_, to)) if *to > at => (at, tests) = (*to, tests + 1),
                Some(Op::Jump(to)) if *to > at => at = *to,
                Some(Op::Call(callee, _, None)) if self.can_be_idle(*callee, depth + 1) => (at, tests) = (at + 1, tests + 1),
                Some(Op::Return(_)) => return tests > 0 && self.ends_at(start + at),
                _ => return false,
            }
        }
        false
    }

    /// Whether a program ends with an instruction, and what it comes to is at hand.
    fn ends_at(&self, op: u32) -> bool {
        matches!(self.catalogue.ops.get(op as usize), Some(Op::Return(result)) if self.shelf.within.whole(self.catalogue, *result).is_at_hand())
    }

    /// A call of such a program: whether it would do anything is seen first.
    fn guarded(&mut self, at: usize, program: ProcId, call_args: Args, result: Option<RegisterId>) {
        let before = (self.steps.len(), self.labels.len(), self.shelf.code.sites.len(), self.failed);
        let (busy, end) = (self.label(), self.label());
        let args = self.given(call_args);
        let mut spent = 1;
        self.idle(program, args, busy, &mut spent, result);
        // What would have been done for nothing counts.
        self.emit(Step::Spend(spent, end));
        self.here(busy);
        self.next = 0;
        if self.failed {
            // That takes too many places: it is called whatever it does.
            self.steps.truncate(before.0);
            self.labels.truncate(before.1);
            self.shelf.code.sites.truncate(before.2);
            self.failed = before.3;
            return self.call_to(at, program, call_args, result);
        }
        self.call_to(at, program, call_args, result);
        self.here(end);
    }

    /// What the first registers of a program are given.
    fn given(&mut self, args: Args) -> Vec<Given> {
        let given = |this: &mut Self, arg: ExprId| match this.constant(arg) {
            Some(cell) => Given::Constant(cell),
            None => Given::At(this.value(arg)),
        };
        self.catalogue.slice(args).iter().map(|&arg| given(self, arg)).collect()
    }

    /// Go through a program with these registers on the way on which it does nothing, and jump where that is not so. What it returns goes
    /// into a register of the program that calls it.
    fn idle(&mut self, program: ProcId, registers: Vec<Given>, busy: To, spent: &mut u16, result: Option<RegisterId>) {
        let start = self.catalogue.procs[program.index()].start;
        let outer = self.registers.replace(registers);
        let mut at = 0;
        loop {
            match self.catalogue.ops[(start + at) as usize] {
                // It ends where this is so.
                Op::JumpUnless(test, _) if self.ends_at(start + at + 1) => {
                    self.branch(test, false, busy);
                    at += 1;
                }
                Op::JumpUnless(test, to) => {
                    self.branch(test, true, busy);
                    at = to;
                }
                Op::Jump(to) => at = to,
                Op::Call(callee, args, _) => {
                    let args = self.given(args);
                    *spent += 1;
                    self.idle(callee, args, busy, spent, None);
                    at += 1;
                }
                Op::Return(value) => {
                    *spent += 1;
                    if let Some(result) = result {
                        self.one(value, |value| Step::Write(value, result));
                    }
                    break;
                }
                _ => {
                    self.failed = true;
                    break;
                }
            }
        }
        self.registers = outer;
    }
}
