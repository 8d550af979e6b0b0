//! What each instruction does.

use super::{Fault, Flow, Machine};
use crate::catalogue::{Args, ClauseKind, Op};
use crate::eval::{Eval, Instead, Lies, Operand};
use crate::event::Event;
use crate::ids::*;
use crate::sight;
use crate::state::{Ask, AskKind, Frame, Status, Used, Waiting};
use crate::value::{CardId, Move, Value};

impl Machine<'_> {
    /// One flat match, however long: each arm is an instruction, and most are one line of it.
    pub(super) fn execute(&mut self, op: &Op) -> Result<Flow, Fault> {
        match *op {
            // These are done where programs run.
            Op::Set(..) | Op::Jump(_) | Op::JumpUnless(..) | Op::Next(..) => {}
            Op::SetVar(var, expr) => self.set_var(var, expr),
            Op::Call(program, args, result) => return self.call(program, args, result),
            Op::Return(expr) => return Ok(self.return_with(expr)),
            Op::Run(expr) => {
                let Value::Move(chosen) = self.eval(0, expr) else {
                    return Err(Fault("no move to run"));
                };
                if self.out.wants() {
                    self.out.take(Event::Moving { chosen });
                }
                let Move { ability, player, card, source, target } = chosen;
                let program = self.catalogue.ability(ability).program;
                self.push(program, &[card.into(), target.into()], None, card, source, player, Some(ability))?;
                return Ok(Flow::Enter);
            }
            Op::Repeat(expr, by) => {
                let player = self.player(1, by).ok_or(Fault("nobody to repeat it"))?;
                match self.eval(0, expr) {
                    Value::Move(Move { ability, card, source, target, .. }) => {
                        let program = self.catalogue.ability(ability).effect.ok_or(Fault("a move without an effect of its own"))?;
                        self.push(program, &[card.into(), target.into()], None, card, source, player, None)?;
                        return Ok(Flow::Enter);
                    }
                    Value::Trigger(serial) => {
                        let waiting = self.state.waiting.iter().find(|waiting| waiting.serial == serial).cloned();
                        return self.carry_out(waiting.map(|waiting| Waiting { you: player, ..waiting }));
                    }
                    _ => return Err(Fault("nothing to repeat")),
                }
            }
            Op::Replace(proc, tried, result, exit) => return self.replace(proc, tried, result, exit),
            Op::Resolve(expr) => {
                let serial = self.trigger(expr)?;
                let waiting = self.state.take_waiting(serial);
                self.desk.tick();
                return self.carry_out(waiting);
            }
            Op::Drop(expr) => {
                let serial = self.trigger(expr)?;
                self.state.take_waiting(serial);
                self.desk.tick();
            }
            Op::Use => {
                if let Some(&Frame { ability: Some(ability), source, me, .. }) = self.state.frames.last()
                    && let Some(period) = self.catalogue.ability(ability).limit
                {
                    self.state.count_use(Used { ability, source: source.or(me), period });
                    self.desk.tick();
                }
            }
            Op::Unuse => {
                if let Some(&Frame { ability: Some(ability), source, me, .. }) = self.state.frames.last() {
                    self.state.take_back_use(ability, source.or(me));
                    self.desk.tick();
                }
            }
            Op::Pick { to, who, from, least, most, ask, list } => return self.pick(to, who, from, least, most, ask, list),
            Op::Number { to, who, least, most, ask: def } => {
                let (least, most) = (self.num(1, least), self.num(2, most));
                if most <= least {
                    self.write(to, Value::Num(least));
                } else {
                    let player = self.player(0, who).ok_or(Fault("nobody to ask"))?;
                    let kind = AskKind::Number { least, most };
                    self.state.put_ask(Ask { player, kind, def, to, list: false });
                    return Ok(Flow::Stop);
                }
            }
            Op::Order { to, who, from, ask: def } => {
                let options = self.eval(1, from).items().to_vec();
                if options.len() < 2 {
                    self.write(to, Value::list(options));
                } else {
                    let player = self.player(0, who).ok_or(Fault("nobody to ask"))?;
                    let kind = AskKind::Order { options };
                    self.state.put_ask(Ask { player, kind, def, to, list: true });
                    return Ok(Flow::Stop);
                }
            }
            Op::Place { card, zone, how } => {
                let zone = self.eval(1, zone);
                match (self.eval(0, card), zone) {
                    (Value::Card(card), Value::Zone(zone)) => self.place(card, zone, how),
                    (Value::List(cards), Value::Zone(zone)) => {
                        for card in cards.iter().filter_map(Value::card) {
                            self.place(card, zone, how);
                        }
                    }
                    _ => {}
                }
            }
            Op::Attach { card, to, role, down } => {
                if let (Some(card), Some(to)) = (self.card(0, card), self.card(1, to)) {
                    self.attach(card, to, role, down);
                }
            }
            Op::Turn { card, down } => {
                let down = self.test(1, down);
                if let Some(card) = self.card(0, card) {
                    self.turn(card, down);
                }
            }
            Op::PlaceBeside { card, other } => {
                if let (Some(card), Some(other)) = (self.card(0, card), self.card(1, other)) {
                    self.place_beside(card, other);
                }
            }
            Op::TakeOver { card, old } => {
                if let (Some(card), Some(old)) = (self.card(0, card), self.card(1, old)) {
                    self.take_over(card, old);
                }
            }
            Op::Control { card, player, for_good } => {
                if let (Some(card), Some(player)) = (self.card(0, card), self.player(1, player)) {
                    self.control(card, player, for_good);
                }
            }
            Op::Shuffle(zone) => {
                if let Value::Zone(zone) = self.eval(0, zone) {
                    self.shuffle(zone);
                }
            }
            Op::Reveal { cards, to } => {
                let to = match self.eval(1, to) {
                    Value::Player(player) => 1 << player.0,
                    _ => sight::EVERYONE,
                };
                match self.eval(0, cards) {
                    Value::Card(card) => self.show([card], to),
                    Value::List(cards) => self.show(cards.iter().filter_map(Value::card), to),
                    _ => {}
                }
            }
            Op::Count { counter, of, by, set } => {
                let by = self.num(1, by);
                match self.eval(0, of) {
                    Value::Card(card) => self.count(card, counter, by, set),
                    Value::List(cards) => cards.iter().filter_map(Value::card).for_each(|card| self.count(card, counter, by, set)),
                    _ => {}
                }
            }
            Op::Remember { field, of, value } => {
                let value = self.eval(1, value);
                match self.eval(0, of) {
                    Value::Card(card) => self.remember(card, field, value),
                    Value::List(cards) => cards.iter().filter_map(Value::card).for_each(|card| self.remember(card, field, value.clone())),
                    _ => {}
                }
            }
            Op::SetPlayerVar(first, of, value) => {
                let value = self.eval(1, value);
                if let Some(player) = self.player(0, of)
                    && let Ok(var) = VarId::new(first.index() + player.index())
                {
                    let changed = self.state.set_var(var, value);
                    self.touch_one(changed);
                }
            }
            Op::Bind(var, value) => self.bind(var, value),
            Op::Unbind(count) => (0..count).for_each(|_| {
                let changed = self.state.unbind();
                self.touch_one(changed);
            }),
            Op::CountPlayer { counter, of, by, set } => {
                let by = self.num(1, by);
                if let Some(player) = self.player(0, of) {
                    self.count_player(player, counter, by, set);
                }
            }
            Op::Roll { to, count, sides } => return Ok(self.roll(to, count, sides)),
            Op::Random { to, from } => return Ok(self.choose_at_random(to, from)),
            Op::Emit { event, args } => {
                if self.out.wants() || self.catalogue.index.heard.has(event.index()) {
                    let values = self.catalogue.slice(args).iter().enumerate().map(|(at, &arg)| self.eval(at, arg)).collect();
                    self.emit(event, values);
                }
                if self.state.script.stop == Some(event) {
                    self.state.pause(true);
                    return Ok(Flow::Stop);
                }
            }
            Op::Lasting { clause, until } => return Ok(self.start_effect(clause, until)),
            Op::End(period) => self.end(period),
            Op::Win(player) => {
                let winner = self.player(0, player);
                self.state.finish(winner.map_or(Status::Drawn, Status::Won));
                self.registers.clear();
                if self.out.wants() {
                    self.out.take(Event::Over { winner });
                }
                return Ok(Flow::Stop);
            }
        }
        Ok(Flow::Next)
    }

    pub(super) fn set_var(&mut self, var: VarId, expr: ExprId) {
        let value = self.eval(0, expr);
        let changed = self.state.set_var(var, value);
        self.touch_one(changed);
    }

    pub(super) fn bind(&mut self, var: VarId, expr: ExprId) {
        let value = self.eval(0, expr);
        let changed = self.state.bind(var, value);
        self.touch_one(changed);
    }

    /// Run a program in a frame of its own, for whom this one runs.
    pub(super) fn call(&mut self, program: ProcId, args: Args, result: Option<RegisterId>) -> Result<Flow, Fault> {
        let Some(&frame) = self.state.frames.last() else { return Ok(Flow::Stop) };
        self.has_room()?;
        let base = self.registers.len();
        let size = self.catalogue.procs[program.index()].registers as usize;
        for (at, &arg) in self.catalogue.slice(args).iter().enumerate().take(size) {
            let value = self.eval(at, arg);
            self.registers.push(value);
        }
        let registers = self.catalogue.procs[program.index()].registers;
        self.enter(Frame { program, at: 0, base: base as u32, result, ..frame }, registers);
        Ok(Flow::Enter)
    }

    /// End the program that runs, with a result for the one that called it.
    pub(super) fn return_with(&mut self, expr: ExprId) -> Flow {
        let value = self.eval(0, expr);
        self.end_frame(Some(value));
        Flow::Enter
    }

    /// The program that runs is over, with what it comes to where that is needed.
    pub(super) fn end_frame(&mut self, value: Option<Value>) {
        if let Some(frame) = self.leave() {
            self.unbind_left();
            if let Some((result, value)) = frame.result.zip(value) {
                self.write(result, value);
            }
        }
    }

    /// The serial number of a triggered ability.
    fn trigger(&mut self, trigger: ExprId) -> Result<u32, Fault> {
        if let Value::Trigger(serial) = self.eval(0, trigger) { Ok(serial) } else { Err(Fault("no trigger to resolve")) }
    }

    /// Run the program of a triggered ability; nothing comes of one that no longer waits.
    fn carry_out(&mut self, waiting: Option<Waiting>) -> Result<Flow, Fault> {
        let Some(waiting) = waiting else { return Ok(Flow::Next) };
        let ClauseKind::Trigger { program, .. } = self.catalogue.clause(waiting.clause).kind else {
            return Err(Fault("a waiting clause is no trigger"));
        };
        if self.out.wants() {
            let (def, seen) = self.carrier(waiting.source);
            self.out.take(Event::Resolving { clause: waiting.clause, def, seen });
        }
        self.push(program, &waiting.registers, None, waiting.me, waiting.source, waiting.you, None)?;
        Ok(Flow::Enter)
    }

    /// Run the next thing that is done instead of the running program, or go on behind them all. One that runs already, or
    /// was offered before for the same call, is not done again.
    fn replace(&mut self, proc: ProcId, tried: RegisterId, result: RegisterId, exit: u32) -> Result<Flow, Fault> {
        let Some(&Frame { base, .. }) = self.state.frames.last() else { return Err(Fault("no program to replace")) };
        let registers = &self.registers[base as usize..];
        let args = registers[..self.catalogue.procs[proc.index()].params as usize].to_vec();
        let offered = registers[tried.index()].clone();
        let runs = |clause: ClauseId, source: Option<CardId>| {
            let ClauseKind::Replace { program, .. } = self.catalogue.clause(clause).kind else { return false };
            self.state.frames.iter().any(|frame| frame.program == program && frame.source == source)
        };
        let mark = |clause: ClauseId, source: Option<CardId>| Value::list(vec![Value::Num(clause.index() as i32), source.into()]);
        let fresh = |clause: ClauseId, source: Option<CardId>| !runs(clause, source) && !offered.items().contains(&mark(clause, source));
        let mut eval = Eval::new(self.catalogue, self.state, self.desk);
        let Some(Instead { clause, program, me, source, you, captured, effect }) = eval.instead(proc, &args, fresh) else {
            self.state.jump(exit);
            return Ok(Flow::Enter);
        };
        let offered: Vec<Value> = offered.items().iter().cloned().chain([mark(clause, source)]).collect();
        self.write(tried, Value::list(offered));
        // What waits for its next time only has had it.
        if let Some(effect) = effect {
            let had: Vec<bool> = (0..self.state.effects.len()).map(|at| at == effect).collect();
            let changed = self.state.end_heard(self.catalogue, &had);
            self.touch(changed);
        }
        let args: Vec<Value> = args.into_iter().chain(captured).collect();
        self.push(program, &args, Some(result), me, source, you, None)?;
        Ok(Flow::Enter)
    }

    fn roll(&mut self, to: RegisterId, count: ExprId, sides: ExprId) -> Flow {
        let (count, sides) = (self.num(0, count).clamp(0, 1000) as usize, self.num(1, sides).max(1));
        if self.must_wait(count) {
            return Flow::Stop;
        }
        let dice: Vec<i32> = self.state.draw(sides as u32, count).into_iter().map(|die| die + 1).collect();
        if self.out.wants() {
            self.out.take(Event::Rolled { dice: dice.clone() });
        }
        self.write(to, Value::list(dice.into_iter().map(Value::Num).collect()));
        Flow::Next
    }

    fn choose_at_random(&mut self, to: RegisterId, from: ExprId) -> Flow {
        if self.must_wait(1) {
            return Flow::Stop;
        }
        let items = self.eval(0, from);
        let items = items.items();
        let value = if items.is_empty() {
            Value::None
        } else {
            let at = self.state.draw(items.len() as u32, 1)[0] as usize;
            items[at.min(items.len() - 1)].clone()
        };
        if self.out.wants() {
            self.out.take(Event::Chosen { at_random: vec![value.clone()] });
        }
        self.write(to, value);
        Flow::Next
    }

    /// What can be chosen from: whatever is there of a list.
    fn options(&mut self, at: usize, from: ExprId) -> Vec<Value> {
        let some = |item: &Value| !item.is_none();
        if let Some(Lies::At(at)) = self.given(at).map(Operand::lies) {
            return self.desk.items(self.regs[at]).iter().map(|&item| self.desk.value(item)).filter(some).collect();
        }
        self.eval(at, from).items().iter().filter(|item| some(item)).cloned().collect()
    }

    /// A scripted game waits for its dice: the instruction will be run again.
    fn must_wait(&mut self, count: usize) -> bool {
        let wait = self.state.script.on && self.state.script.dice.len() < count;
        if wait {
            self.state.pause(true);
            self.state.go_back();
        }
        wait
    }

    #[allow(clippy::too_many_arguments, reason = "the parts of the instruction")]
    fn pick(
        &mut self,
        to: RegisterId,
        who: ExprId,
        from: ExprId,
        least: ExprId,
        most: ExprId,
        def: AskId,
        list: bool,
    ) -> Result<Flow, Fault> {
        let options = self.options(1, from);
        let most = self.num(3, most).clamp(0, options.len() as i32);
        let least = self.num(2, least).clamp(0, most);
        if most == 0 {
            self.write(to, if list { Value::list(Vec::new()) } else { Value::None });
            return Ok(Flow::Next);
        }
        // A choice with one possible answer is not asked.
        if least as usize == options.len() {
            let value = if list { Value::list(options) } else { options.into_iter().next().unwrap_or_default() };
            self.write(to, value);
            return Ok(Flow::Next);
        }
        let player = self.player(0, who).ok_or(Fault("nobody to ask"))?;
        let (Ok(least), Ok(most)) = (u16::try_from(least), u16::try_from(most)) else {
            return Err(Fault("more options than can be asked for"));
        };
        let kind = AskKind::Pick { options, least, most };
        self.state.put_ask(Ask { player, kind, def, to, list });
        Ok(Flow::Stop)
    }
}
