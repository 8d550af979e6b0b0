//! Running programs: from one ask to the next. What an instruction changes it changes through the atoms of a state
//! (`state/atoms.rs`): nothing here could do it otherwise.

mod changes;
mod instructions;

use crate::catalogue::{Catalogue, Op};
use crate::eval::{Cell, Desk, Eval, Lies, NO_REGS, Operand, Place, Regs, Step, Work};
use crate::event::{Event, Sink};
use crate::ids::*;
use crate::memo::Memo;
use crate::state::{Answer, AskKind, Frame, State, Status};
use crate::value::{CardId, PlayerId, Value};

/// More instructions than any answer needs: past this the running action is a fault.
const MAX_INSTRUCTIONS: u32 = 400_000;
/// More answers than any game needs: past this the game ends as a stall.
const MAX_ANSWERS: u32 = 40_000;

/// An answer that cannot be taken. The state is as it was.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BadAnswer(pub String);

impl std::fmt::Display for BadAnswer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}
impl std::error::Error for BadAnswer {}

/// Take an answer and run to the next ask or to the end. A wrong answer is refused and changes nothing.
pub fn step(catalogue: &Catalogue, state: &mut State, answer: &Answer, out: &mut dyn Sink) -> Result<(), BadAnswer> {
    step_on(catalogue, state, answer, out, &Memo::default())
}

/// The same for one of many answers: what is found out about the state is kept for the next one. The memo must be of this
/// very state: new, or kept by all steps since it was new.
pub fn step_on(catalogue: &Catalogue, state: &mut State, answer: &Answer, out: &mut dyn Sink, memo: &Memo) -> Result<(), BadAnswer> {
    let value = accept(state, answer)?;
    let Some(ask) = state.take_ask() else { return Err(BadAnswer("the game waits for no answer".into())) };
    if out.wants() {
        out.take(Event::Answered { player: ask.player, answer: answer.clone() });
    }
    let mut desk = memo.desk();
    let mut machine = Machine::new(catalogue, state, out, &mut desk);
    machine.write(ask.to, value);
    if machine.state.count_answer() > MAX_ANSWERS {
        machine.state.break_off(format!("stall: no end after {MAX_ANSWERS} answers"));
        return Ok(());
    }
    machine.run();
    Ok(())
}

/// Run a program of the rules from its start, on a table that nothing runs on yet.
pub(crate) fn start(catalogue: &Catalogue, state: &mut State, program: ProcId, out: &mut dyn Sink) {
    let mut desk = Desk::default();
    let mut machine = Machine::new(catalogue, state, out, &mut desk);
    if machine.push(program, &[], None, None, None, PlayerId(0), None).is_ok() {
        machine.run();
    }
}

/// Let a paused scenario go on.
pub fn resume(catalogue: &Catalogue, state: &mut State, out: &mut dyn Sink) {
    if state.ask.is_none() && state.status == Status::Asking {
        Machine::new(catalogue, state, out, &mut Desk::default()).run();
    }
}

/// Check an answer against the pending ask, and turn it into the value it stands for.
fn accept(state: &State, answer: &Answer) -> Result<Value, BadAnswer> {
    let Some(ask) = &state.ask else {
        return Err(BadAnswer("the game is over".into()));
    };
    match (&ask.kind, answer) {
        (AskKind::Pick { options, least, most }, Answer::Pick(picked)) => {
            let (count, of) = (picked.len(), options.len());
            if count < *least as usize || count > *most as usize {
                let wanted = if least == most { format!("{least}") } else { format!("{least} to {most}") };
                return Err(BadAnswer(format!("choose {wanted} of the {of} options, not {count}")));
            }
            for (at, &index) in picked.iter().enumerate() {
                if index as usize >= of {
                    return Err(BadAnswer(format!("option {index} does not exist: there are {of}, counted from 0")));
                }
                if picked[..at].contains(&index) {
                    return Err(BadAnswer(format!("option {index} is chosen twice")));
                }
            }
            let mut chosen = picked.iter().map(|&index| options[index as usize].clone());
            Ok(if ask.list { Value::list(chosen.collect()) } else { chosen.next().unwrap_or_default() })
        }
        (AskKind::Number { least, most }, Answer::Number(number)) => {
            if (least..=most).contains(&number) {
                Ok(Value::Num(*number))
            } else {
                Err(BadAnswer(format!("{number} is not between {least} and {most}")))
            }
        }
        (AskKind::Order { options }, Answer::Pick(order)) => {
            let mut sorted = order.clone();
            sorted.sort_unstable();
            if sorted.iter().map(|&at| at as usize).eq(0..options.len()) {
                Ok(Value::list(order.iter().map(|&at| options[at as usize].clone()).collect()))
            } else {
                Err(BadAnswer(format!("name each of the {} options once", options.len())))
            }
        }
        (AskKind::Number { .. }, Answer::Pick(_)) => Err(BadAnswer("a number is asked for".into())),
        (_, Answer::Number(_)) => Err(BadAnswer("a choice among options is asked for, not a number".into())),
    }
}

struct Machine<'a> {
    catalogue: &'a Catalogue,
    state: &'a mut State,
    /// The registers of all frames: while programs run they lie here, and with the state again when they rest.
    registers: Vec<Value>,
    out: &'a mut dyn Sink,
    /// What has been found out about the state so far, and where more of it is worked out.
    desk: &'a mut Desk,
    /// What the running program works on where it is run as code, and where what the instruction needs stands among the operands of
    /// the code; else the instruction works it out.
    regs: Regs,
    needs: Option<u32>,
}

/// The running action cannot go on.
struct Fault(&'static str);

const TOO_MUCH: Fault = Fault("too many instructions");
const TOO_DEEP: Fault = Fault("programs nested too deep");

enum Flow {
    Next,
    /// Another program runs now, or the same in another place.
    Enter,
    Stop,
}

impl<'a> Machine<'a> {
    fn new(catalogue: &'a Catalogue, state: &'a mut State, out: &'a mut dyn Sink, desk: &'a mut Desk) -> Machine<'a> {
        let registers = state.take_registers();
        Machine { catalogue, state, registers, out, desk, regs: NO_REGS, needs: None }
    }
}

impl Drop for Machine<'_> {
    fn drop(&mut self) {
        self.state.put_registers(std::mem::take(&mut self.registers));
    }
}

impl Machine<'_> {
    /// Run programs until something is asked, waited for or over.
    fn run(&mut self) {
        self.state.pause(false);
        if self.state.status != Status::Asking || self.state.ask.is_some() {
            return;
        }
        self.desk.left = MAX_INSTRUCTIONS;
        while let Err(fault) = if self.desk.is_quick() {
            self.run_code::<false>()
        } else if self.desk.is_counting() {
            self.run_code::<true>()
        } else {
            self.run_instructions()
        } {
            self.contain(fault);
            if self.state.status != Status::Asking {
                return;
            }
            self.desk.left = self.desk.left.max(MAX_INSTRUCTIONS / 4);
        }
    }

    /// Programs as they stand.
    fn run_instructions(&mut self) -> Result<(), Fault> {
        while !self.state.frames.is_empty() {
            if matches!(self.run_instruction()?, Flow::Stop) {
                return Ok(());
            }
        }
        self.state.break_off("the rules came to their end without a winner".into());
        Ok(())
    }

    /// The next instruction as it stands.
    fn run_instruction(&mut self) -> Result<Flow, Fault> {
        self.needs = None;
        let Some((program, at)) = self.state.advance() else { return Ok(Flow::Stop) };
        let op = &self.catalogue.ops[(self.catalogue.procs[program.index()].start + at) as usize];
        let jump = |machine: &mut Machine<'_>, to: u32| {
            machine.state.jump(to);
            if to <= at { machine.spend() } else { Ok(()) }
        };
        match *op {
            Op::Jump(to) => jump(self, to).map(|()| Flow::Next),
            Op::JumpUnless(test, to) => if self.test(0, test) { Ok(()) } else { jump(self, to) }.map(|()| Flow::Next),
            Op::Set(to, expr) => {
                let value = self.eval(0, expr);
                self.write(to, value);
                Ok(Flow::Next)
            }
            Op::Next(list, index, item, exit) => {
                if !self.next_item(list, index, item) {
                    self.state.jump(exit);
                }
                Ok(Flow::Next)
            }
            _ => self.spend().and_then(|()| self.execute(op)),
        }
    }

    /// Programs as code, but for those that have none.
    fn run_code<const COUNTING: bool>(&mut self) -> Result<(), Fault> {
        let catalogue = self.catalogue;
        'frames: while let Some(&Frame { mut program, at, mut base, me, source, you, mut ability, .. }) = self.state.frames.last() {
            let mut code = catalogue.index.code.program(program);
            let Some((mut steps, mut next)) = catalogue.index.code.enter(code, at) else {
                if matches!(self.run_instruction()?, Flow::Stop) {
                    return Ok(());
                }
                continue;
            };
            let place = Place::of_card(me, source, you, 0);
            place.into_regs(&mut self.regs);
            loop {
                let before = if COUNTING { self.desk.steps() } else { None };
                // Changes often follow one another.
                if steps[next].is_of_machine() && !COUNTING {
                    next += 1;
                } else {
                    self.desk.begin();
                    let mut own = &mut self.registers[base as usize..];
                    Eval::new(catalogue, self.state, self.desk).run_on::<COUNTING>(&place, &mut own, steps, &mut self.regs, &mut next);
                }
                if let Some(before) = before {
                    self.desk.count(Work::Program(program), before);
                }
                match steps[next - 1] {
                    Step::SetVar(value, var) => {
                        self.spend()?;
                        let value = self.operand(value, base as usize);
                        let changed = self.state.set_var(var, value);
                        self.touch_one(changed);
                    }
                    Step::Bind(value, var) => {
                        self.spend()?;
                        let value = self.operand(value, base as usize);
                        let changed = self.state.bind(var, value);
                        self.touch_one(changed);
                    }
                    Step::BindAll(count, first) => {
                        if !self.desk.spend(count.into()) {
                            return Err(TOO_MUCH);
                        }
                        for &(var, value) in catalogue.index.code.bindings(count, first) {
                            let value = self.operand(value, base as usize);
                            let changed = self.state.bind(var, value);
                            self.touch_one(changed);
                        }
                    }
                    Step::CallTo(call) => {
                        self.spend()?;
                        self.has_room()?;
                        let call = catalogue.index.code.call(call);
                        self.state.jump(call.back);
                        let first = self.registers.len() as u32;
                        for &arg in catalogue.index.code.args(call) {
                            let value = self.operand(arg, base as usize);
                            self.registers.push(value);
                        }
                        (program, base, code) = (call.program, first, catalogue.index.code.program(call.program));
                        self.enter(Frame { program, at: 0, base, result: call.result, me, source, you, ability }, code.registers);
                        // It runs for the same player and card: only the code is another.
                        let Some(entered) = catalogue.index.code.enter(code, 0) else { continue 'frames };
                        (steps, next) = entered;
                    }
                    Step::End(value) => {
                        self.spend()?;
                        let result = self.state.frames.last().and_then(|frame| frame.result);
                        let result = result.map(|result| (result, self.operand(value, base as usize)));
                        self.state.pop_frame();
                        self.registers.truncate(base as usize);
                        if self.state.left_bound() {
                            self.unbind_left();
                        }
                        if let Some((result, value)) = result {
                            self.write(result, value);
                        }
                        // Mostly that which called it runs for the same player and card, too.
                        let Some(caller) =
                            self.state.frames.last().filter(|caller| (caller.me, caller.source, caller.you) == (me, source, you))
                        else {
                            continue 'frames;
                        };
                        (program, base, ability, code) =
                            (caller.program, caller.base, caller.ability, catalogue.index.code.program(caller.program));
                        let Some(entered) = catalogue.index.code.enter(code, caller.at) else { continue 'frames };
                        (steps, next) = entered;
                    }
                    // Nobody is told, and nobody waits for it.
                    Step::DoBare(_) if !self.out.wants() && self.state.script.stop.is_none() => self.spend()?,
                    step @ (Step::Do(at) | Step::DoBare(at)) => {
                        self.spend()?;
                        let (op, needs) = match step {
                            Step::Do(_) => {
                                let doing = catalogue.index.code.to_do(at);
                                (doing.op, Some(doing.needs))
                            }
                            _ => (at, None),
                        };
                        self.needs = needs;
                        self.state.jump(op - code.start + 1);
                        let op = &catalogue.ops[op as usize];
                        let flow = self.execute(op)?;
                        match flow {
                            Flow::Next => {}
                            Flow::Enter => continue 'frames,
                            Flow::Stop => return Ok(()),
                        }
                    }
                    // It went on for too long, or too deep.
                    _ => return Err(if self.state.has_room() { TOO_MUCH } else { TOO_DEEP }),
                }
            }
        }
        self.state.break_off("the rules came to their end without a winner".into());
        Ok(())
    }

    /// What an instruction needs, for a program whose registers lie from a place on.
    #[inline(always)]
    fn operand(&self, operand: Operand, base: usize) -> Value {
        match operand.lies() {
            Lies::At(at) => self.desk.value(self.regs[at]),
            Lies::Constant(at) => self.desk.value(self.catalogue.index.code.constant(at)),
            Lies::Register(at) => self.registers[base + at].clone(),
            Lies::Var(at) => self.state.vars[at].clone(),
        }
    }

    /// A fault ends the action it happened in; only a fault of the rules themselves ends the game.
    fn contain(&mut self, fault: Fault) {
        self.state.count_fault();
        if self.out.wants() {
            self.out.take(Event::Fault { reason: fault.0.into() });
        }
        while let Some(frame) = self.leave() {
            self.unbind_left();
            if self.catalogue.procs[frame.program.index()].contains_faults && self.state.faults < 100 {
                return;
            }
        }
        self.state.break_off(format!("fault: {}", fault.0));
    }

    /// For a question about the state as it is now.
    fn eval_now(&mut self) -> Eval<'_> {
        Eval::new(self.catalogue, self.state, self.desk)
    }
    /// What an expression of the running program is worth, with these values as its first locals.
    fn in_frame(&mut self, expr: ExprId, locals: &[Value]) -> Cell {
        let registers = self.state.frames.last().map_or(&[][..], |frame| &self.registers[frame.base as usize..]);
        Eval::new(self.catalogue, self.state, self.desk).in_frame(expr, registers, locals)
    }
    /// What an instruction needs, as the so many-th thing of it.
    #[inline]
    fn eval(&mut self, at: usize, expr: ExprId) -> Value {
        match self.given(at) {
            Some(operand) => self.operand(operand, self.base()),
            None => {
                let cell = self.in_frame(expr, &[]);
                self.desk.value(cell)
            }
        }
    }
    /// Where it lies, where that is known.
    #[inline]
    fn given(&self, at: usize) -> Option<Operand> {
        self.needs.map(|needs| self.catalogue.index.code.operand(needs as usize + at))
    }
    /// Where the registers of the running program start.
    #[inline]
    fn base(&self) -> usize {
        self.state.frames.last().map_or(0, |frame| frame.base as usize)
    }
    /// The same for what is small.
    #[inline]
    fn small<T>(&mut self, at: usize, expr: ExprId, of_cell: impl FnOnce(Cell) -> T, of_value: impl FnOnce(&Value) -> T) -> T {
        match self.given(at).map(Operand::lies) {
            Some(Lies::At(at)) => of_cell(self.regs[at]),
            Some(Lies::Constant(at)) => of_cell(self.catalogue.index.code.constant(at)),
            Some(Lies::Register(at)) => of_value(&self.registers[self.base() + at]),
            Some(Lies::Var(at)) => of_value(&self.state.vars[at]),
            None => of_cell(self.in_frame(expr, &[])),
        }
    }
    fn test(&mut self, at: usize, expr: ExprId) -> bool {
        self.small(at, expr, Cell::truth, Value::truth)
    }
    fn card(&mut self, at: usize, expr: ExprId) -> Option<CardId> {
        self.small(at, expr, Cell::card, Value::card)
    }
    fn player(&mut self, at: usize, expr: ExprId) -> Option<PlayerId> {
        self.small(at, expr, Cell::player, Value::player)
    }
    fn num(&mut self, at: usize, expr: ExprId) -> i32 {
        self.small(at, expr, Cell::count, Value::num)
    }

    /// An instruction that changes something, or a jump back: whatever goes on for ever is made of these.
    #[inline]
    fn spend(&mut self) -> Result<(), Fault> {
        if self.desk.spend(1) { Ok(()) } else { Err(TOO_MUCH) }
    }
    /// Whether another program can be called.
    fn has_room(&self) -> Result<(), Fault> {
        if self.state.has_room() { Ok(()) } else { Err(TOO_DEEP) }
    }

    #[allow(clippy::too_many_arguments, reason = "a frame has this many parts")]
    fn push(
        &mut self,
        program: ProcId,
        args: &[Value],
        result: Option<RegisterId>,
        me: Option<CardId>,
        source: Option<CardId>,
        you: PlayerId,
        ability: Option<AbilityId>,
    ) -> Result<(), Fault> {
        self.has_room()?;
        let base = self.registers.len();
        self.registers.extend(args.iter().take(self.catalogue.procs[program.index()].registers as usize).cloned());
        let registers = self.catalogue.procs[program.index()].registers;
        self.enter(Frame { program, at: 0, base: base as u32, result, me, source, you, ability }, registers);
        Ok(())
    }

    /// Open a frame of so many registers, the first of which are there.
    #[inline]
    fn enter(&mut self, frame: Frame, registers: u32) {
        let size = frame.base as usize + registers as usize;
        self.registers.extend((self.registers.len()..size).map(|_| Value::None));
        self.state.push_frame(frame);
    }

    /// Close the frame that runs, and its registers with it.
    #[inline]
    fn leave(&mut self) -> Option<Frame> {
        let frame = self.state.pop_frame()?;
        self.registers.truncate(frame.base as usize);
        Some(frame)
    }

    /// Into a register of the running program.
    #[inline]
    fn write(&mut self, to: RegisterId, value: Value) {
        if let Some(frame) = self.state.frames.last() {
            self.registers[frame.base as usize + to.index()] = value;
        }
    }

    /// The next item of a list in a register, by another register that counts them, into a third; whether there is one.
    fn next_item(&mut self, list: RegisterId, index: RegisterId, item: RegisterId) -> bool {
        let base = self.state.frames.last().map_or(0, |frame| frame.base as usize);
        let registers = &mut self.registers[base..];
        let at = registers[index.index()].num().max(0);
        let Some(value) = registers[list.index()].items().get(at as usize).cloned() else { return false };
        registers[item.index()] = value;
        registers[index.index()] = Value::Num(at + 1);
        true
    }
}
