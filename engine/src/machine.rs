//! Running programs: from one ask to the next. All change to a state happens in this file,
//! in the atoms at its end.

use crate::catalogue::*;
use crate::eval::{Env, World, in_scope};
use crate::event::{Event, Sink, Spoken, Told};
use crate::memo::{self, Memo};
use crate::sight;
use crate::state::*;
use crate::text;
use crate::value::{CardId, Move, PlayerId, Value, ZoneId};
use smallvec::SmallVec;
use std::ops::ControlFlow;

/// More instructions than any answer needs: past this the running action is a fault.
const MAX_INSTRUCTIONS: u32 = 400_000;
const MAX_FRAMES: usize = 200;
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
    let Some(ask) = state.ask.take() else { return Err(BadAnswer("the game waits for no answer".into())) };
    if out.wants() {
        out.take(Event::Answered { player: ask.player, answer: answer.clone() });
    }
    let mut machine = Machine { catalogue, state, out, memo };
    machine.write(ask.to, value);
    machine.state.answers = machine.state.answers.saturating_add(1);
    if machine.state.answers > MAX_ANSWERS {
        machine.state.frames.clear();
        machine.state.status = Status::Broken(format!("stall: no end after {MAX_ANSWERS} answers"));
        return Ok(());
    }
    machine.run();
    Ok(())
}

/// Let a paused scenario go on.
pub fn resume(catalogue: &Catalogue, state: &mut State, out: &mut dyn Sink) {
    if state.ask.is_none() && state.status == Status::Asking {
        Machine { catalogue, state, out, memo: &Memo::default() }.run();
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

pub(crate) struct Machine<'a> {
    pub(crate) catalogue: &'a Catalogue,
    pub(crate) state: &'a mut State,
    pub(crate) out: &'a mut dyn Sink,
    /// What has been found out about the state so far.
    pub(crate) memo: &'a Memo,
}

/// The running action cannot go on.
struct Fault(&'static str);

enum Flow {
    Next,
    Stop,
}

impl Machine<'_> {
    pub(crate) fn start(&mut self) {
        self.start_program(self.catalogue.main);
    }

    pub(crate) fn start_program(&mut self, program: ProcId) {
        if self.push(program, &[], NO_REGISTER, None, None, PlayerId(0), None).is_ok() {
            self.run();
        }
    }

    pub(crate) fn run(&mut self) {
        let mut budget = MAX_INSTRUCTIONS;
        self.state.script.paused = false;
        while self.state.status == Status::Asking && self.state.ask.is_none() && !self.state.script.paused {
            let Some(frame) = self.state.frames.last_mut() else {
                self.state.status = Status::Broken("the rules came to their end without a winner".into());
                return;
            };
            let program = &self.catalogue.procs[frame.program as usize];
            let op = self.catalogue.ops[(program.start + frame.at) as usize];
            frame.at += 1;
            budget -= 1;
            let done = if budget == 0 { Err(Fault("too many instructions")) } else { self.execute(op) };
            match done {
                Ok(Flow::Next) => {}
                Ok(Flow::Stop) => return,
                Err(fault) => {
                    self.contain(fault);
                    budget = budget.max(MAX_INSTRUCTIONS / 4);
                }
            }
        }
    }

    /// What the text of a clause names, as it is now.
    fn spoken(&self, clause: ClauseId, captured: &[Value]) -> Vec<Spoken> {
        let value = |register: u8| captured.get(register as usize).cloned().unwrap_or_default();
        let spoken = |register: u8| {
            let value = value(register);
            let (def, seen) = value
                .card()
                .map_or((0, sight::EVERYONE), |card| (self.state.card(card).def, sight::mask(self.catalogue, self.state, card)));
            Spoken { register, value, def, seen }
        };
        text::registers(&self.catalogue.clause(clause).english).map(spoken).collect()
    }

    /// A fault ends the action it happened in; only a fault of the rules themselves ends the game.
    fn contain(&mut self, fault: Fault) {
        self.state.faults = self.state.faults.saturating_add(1);
        if self.out.wants() {
            self.out.take(Event::Fault { reason: fault.0.into() });
        }
        while let Some(frame) = self.state.frames.pop() {
            self.state.registers.truncate(frame.base as usize);
            if self.catalogue.procs[frame.program as usize].contains_faults && self.state.faults < 100 {
                return;
            }
        }
        self.state.status = Status::Broken(format!("fault: {}", fault.0));
    }

    fn env(&self) -> Env<'_> {
        Env::of_frame(World::remembering(self.catalogue, self.state, self.memo))
    }
    /// What stands in a register, or in the program itself, is at hand.
    fn eval(&self, expr: ExprId) -> Value {
        match self.catalogue.exprs[expr as usize] {
            Expr::None => Value::None,
            Expr::Num(number) => Value::Num(number),
            Expr::Bool(value) => Value::Bool(value),
            Expr::Player(player) => Value::Player(player),
            Expr::Var(at) => self.state.vars[at as usize].clone(),
            Expr::Register(at) => self.register(at).cloned().unwrap_or_default(),
            _ => self.env().eval(expr),
        }
    }
    fn test(&self, expr: ExprId) -> bool {
        match self.catalogue.exprs[expr as usize] {
            Expr::Bool(value) => value,
            Expr::Register(at) => self.register(at).is_some_and(Value::truth),
            _ => self.env().test(expr),
        }
    }
    fn register(&self, at: u8) -> Option<&Value> {
        let frame = self.state.frames.last()?;
        self.state.registers.get(frame.base as usize + at as usize)
    }
    fn card(&self, expr: ExprId) -> Option<CardId> {
        if let Expr::Register(at) = self.catalogue.exprs[expr as usize] {
            return self.register(at).and_then(Value::card);
        }
        self.env().card(expr)
    }
    fn player(&self, expr: ExprId) -> Option<PlayerId> {
        self.env().player(expr)
    }
    fn num(&self, expr: ExprId) -> i32 {
        if let Expr::Num(number) = self.catalogue.exprs[expr as usize] {
            return number;
        }
        self.env().num(expr)
    }

    fn write(&mut self, to: u8, value: Value) {
        if to != NO_REGISTER
            && let Some(frame) = self.state.frames.last()
        {
            self.state.registers[frame.base as usize + to as usize] = value;
        }
    }

    #[allow(clippy::too_many_arguments, reason = "a frame has this many parts")]
    fn push(
        &mut self,
        program: ProcId,
        args: &[Value],
        result: u8,
        me: Option<CardId>,
        source: Option<CardId>,
        you: PlayerId,
        ability: Option<u16>,
    ) -> Result<(), Fault> {
        if self.state.frames.len() >= MAX_FRAMES {
            return Err(Fault("programs nested too deep"));
        }
        let base = self.state.registers.len();
        let size = self.catalogue.procs[program as usize].registers as usize;
        self.state.registers.extend(args.iter().take(size).cloned());
        self.state.registers.resize(base + size, Value::None);
        self.state.frames.push(Frame { program, at: 0, base: base as u32, result, me, source, you, ability });
        Ok(())
    }

    fn execute(&mut self, op: Op) -> Result<Flow, Fault> {
        match op {
            Op::Set(to, expr) => {
                let value = self.eval(expr);
                self.write(to, value);
            }
            Op::SetVar(var, expr) => {
                let value = self.eval(expr);
                if self.state.vars[var as usize] != value {
                    self.state.vars[var as usize] = value;
                    self.memo.touch(memo::var(var));
                }
            }
            Op::Jump(to) => self.jump(to),
            Op::JumpUnless(test, to) => {
                if !self.test(test) {
                    self.jump(to);
                }
            }
            Op::Next(list, index, item, exit) => {
                let Some(frame) = self.state.frames.last() else { return Ok(Flow::Stop) };
                let base = frame.base as usize;
                let at = self.state.registers[base + index as usize].num().max(0) as usize;
                match self.state.registers[base + list as usize].items().get(at).cloned() {
                    Some(value) => {
                        self.write(item, value);
                        self.write(index, Value::Num(at as i32 + 1));
                    }
                    None => self.jump(exit),
                }
            }
            Op::Call(program, args, result) => {
                let values: SmallVec<[Value; 8]> = self.catalogue.slice(args).iter().map(|&arg| self.eval(arg)).collect();
                let Some(&frame) = self.state.frames.last() else { return Ok(Flow::Stop) };
                self.push(program, &values, result, frame.me, frame.source, frame.you, frame.ability)?;
            }
            Op::Return(expr) => {
                let value = self.eval(expr);
                if let Some(frame) = self.state.frames.pop() {
                    self.state.registers.truncate(frame.base as usize);
                    self.write(frame.result, value);
                }
            }
            Op::Run(expr) => {
                let Value::Move(chosen) = self.eval(expr) else {
                    return Err(Fault("no move to run"));
                };
                if self.out.wants() {
                    self.out.take(Event::Moving { chosen });
                }
                let Move { ability, player, card, source, target } = chosen;
                let program = self.catalogue.ability(ability).program;
                self.push(program, &[card.into(), target.into()], NO_REGISTER, card, source, player, Some(ability))?;
            }
            Op::Resolve(expr) => {
                let Value::Trigger(serial) = self.eval(expr) else { return Err(Fault("no trigger to resolve")) };
                let Some(at) = self.state.waiting.iter().position(|waiting| waiting.serial == serial) else {
                    return Ok(Flow::Next);
                };
                let waiting = self.state.waiting.remove(at);
                let ClauseKind::Trigger { program, .. } = self.catalogue.clause(waiting.clause).kind else {
                    return Err(Fault("a waiting clause is no trigger"));
                };
                if self.out.wants() {
                    let (def, seen) = self.carrier(waiting.source);
                    self.out.take(Event::Resolving { clause: waiting.clause, def, seen });
                }
                self.push(program, &waiting.registers, NO_REGISTER, waiting.me, waiting.source, waiting.you, None)?;
            }
            Op::Use => {
                if let Some(&Frame { ability: Some(ability), source, me, .. }) = self.state.frames.last()
                    && let Some(period) = self.catalogue.ability(ability).limit
                {
                    self.state.used.push(Used { ability, source: source.or(me), period });
                }
            }
            Op::Unuse => {
                if let Some(&Frame { ability: Some(ability), source, me, .. }) = self.state.frames.last() {
                    let this = |used: &Used| used.ability == ability && used.source == source.or(me);
                    if let Some(at) = self.state.used.iter().rposition(this) {
                        self.state.used.remove(at);
                    }
                }
            }
            Op::Pick { to, who, from, least, most, ask, list } => return self.pick(to, who, from, least, most, ask, list),
            Op::Number { to, who, least, most, ask: def } => {
                let (least, most) = (self.num(least), self.num(most));
                if most <= least {
                    self.write(to, Value::Num(least));
                } else {
                    let player = self.player(who).ok_or(Fault("nobody to ask"))?;
                    let kind = AskKind::Number { least, most };
                    self.state.ask = Some(Ask { player, kind, def, to, list: false });
                    return Ok(Flow::Stop);
                }
            }
            Op::Order { to, who, from, ask: def } => {
                let options = self.eval(from).items().to_vec();
                if options.len() < 2 {
                    self.write(to, Value::list(options));
                } else {
                    let player = self.player(who).ok_or(Fault("nobody to ask"))?;
                    let kind = AskKind::Order { options };
                    self.state.ask = Some(Ask { player, kind, def, to, list: true });
                    return Ok(Flow::Stop);
                }
            }
            Op::Place { card, zone, how } => {
                let zone = self.eval(zone);
                match (self.eval(card), zone) {
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
                if let (Some(card), Some(to)) = (self.card(card), self.card(to)) {
                    self.attach(card, to, role, down);
                }
            }
            Op::Turn { card, down } => {
                let down = self.env().test(down);
                if let Some(card) = self.card(card) {
                    self.turn(card, down);
                }
            }
            Op::PlaceBeside { card, other } => {
                if let (Some(card), Some(other)) = (self.card(card), self.card(other)) {
                    self.place_beside(card, other);
                }
            }
            Op::TakeOver { card, old } => {
                if let (Some(card), Some(old)) = (self.card(card), self.card(old)) {
                    self.take_over(card, old);
                }
            }
            Op::Control { card, player, for_good } => {
                if let (Some(card), Some(player)) = (self.card(card), self.player(player)) {
                    self.stir();
                    self.memo.touch(memo::PLACES | memo::PILES);
                    let given = &mut self.state.cards[card.0 as usize];
                    given.controller = player;
                    if for_good {
                        given.owner = player;
                    }
                    if self.out.wants() {
                        self.out.take(Event::Controlled { card, by: player });
                    }
                }
            }
            Op::Shuffle(zone) => {
                if let Value::Zone(zone) = self.eval(zone) {
                    self.shuffle(zone);
                }
            }
            Op::Reveal { cards, to } => {
                let to = match self.eval(to) {
                    Value::Player(player) => 1 << player.0,
                    _ => sight::EVERYONE,
                };
                match self.eval(cards) {
                    Value::Card(card) => self.show([card], to),
                    Value::List(cards) => self.show(cards.iter().filter_map(Value::card), to),
                    _ => {}
                }
            }
            Op::Count { counter, of, by, set } => {
                let by = self.num(by);
                match self.eval(of) {
                    Value::Card(card) => self.count(card, counter, by, set),
                    Value::List(cards) => cards.iter().filter_map(Value::card).for_each(|card| self.count(card, counter, by, set)),
                    _ => {}
                }
            }
            Op::CountPlayer { counter, of, by, set } => {
                let by = self.num(by);
                if let Some(player) = self.player(of) {
                    self.count_player(player, counter, by, set);
                }
            }
            Op::Roll { to, count, sides } => {
                let (count, sides) = (self.num(count).clamp(0, 1000) as usize, self.num(sides).max(1));
                if self.must_wait(count) {
                    return Ok(Flow::Stop);
                }
                let dice: Vec<i32> = self.draw(sides as u32, count).into_iter().map(|die| die + 1).collect();
                if self.out.wants() {
                    self.out.take(Event::Rolled { dice: dice.clone() });
                }
                self.write(to, Value::list(dice.into_iter().map(Value::Num).collect()));
            }
            Op::Random { to, from } => {
                if self.must_wait(1) {
                    return Ok(Flow::Stop);
                }
                let items = self.eval(from);
                let items = items.items();
                let value = if items.is_empty() {
                    Value::None
                } else {
                    let at = self.draw(items.len() as u32, 1)[0] as usize;
                    items[at.min(items.len() - 1)].clone()
                };
                if self.out.wants() {
                    self.out.take(Event::Chosen { at_random: vec![value.clone()] });
                }
                self.write(to, value);
            }
            Op::Emit { event, args } => {
                if self.out.wants() || self.catalogue.index.heard & (1 << event) != 0 {
                    let values = self.catalogue.slice(args).iter().map(|&arg| self.eval(arg)).collect();
                    self.emit(event, values);
                }
                if self.state.script.stop == Some(event) {
                    self.state.script.paused = true;
                    return Ok(Flow::Stop);
                }
            }
            Op::Lasting { clause, until } => {
                let Some(&Frame { me, source, you, base, program, .. }) = self.state.frames.last() else {
                    return Ok(Flow::Stop);
                };
                let size = self.catalogue.procs[program as usize].registers as usize;
                let captured = self.state.registers[base as usize..base as usize + size].to_vec();
                self.state.serial = self.state.serial.wrapping_add(1);
                let since = self.state.serial;
                self.stir();
                self.memo.touch(memo::EFFECTS);
                let carrier = source.map(|card| self.state.card(card).def);
                let names = if self.out.wants() { self.spoken(clause, &captured) } else { Vec::new() };
                self.state.effects.push(Lasting { clause, until, me, source, you, captured, since, carrier });
                if self.out.wants() {
                    let (def, seen) = self.carrier(source);
                    self.out.take(Event::EffectStarted { clause, def, seen, names });
                }
            }
            Op::End(period) => self.end(period),
            Op::Win(player) => {
                let winner = self.player(player);
                self.state.status = winner.map_or(Status::Drawn, Status::Won);
                self.state.frames.clear();
                self.state.registers.clear();
                if self.out.wants() {
                    self.out.take(Event::Over { winner });
                }
                return Ok(Flow::Stop);
            }
        }
        Ok(Flow::Next)
    }

    /// The card an ability comes from, for the log, and who knows it.
    fn carrier(&self, source: Option<CardId>) -> (Option<DefId>, u8) {
        source.map_or((None, sight::EVERYONE), |card| (Some(self.state.card(card).def), sight::mask(self.catalogue, self.state, card)))
    }

    /// A scripted game waits for its dice: the instruction will be run again.
    fn must_wait(&mut self, count: usize) -> bool {
        let wait = self.state.script.on && self.state.script.dice.len() < count;
        if wait {
            self.state.script.paused = true;
            if let Some(frame) = self.state.frames.last_mut() {
                frame.at -= 1;
            }
        }
        wait
    }

    fn jump(&mut self, to: u32) {
        if let Some(frame) = self.state.frames.last_mut() {
            frame.at = to;
        }
    }

    #[allow(clippy::too_many_arguments, reason = "the parts of the instruction")]
    fn pick(&mut self, to: u8, who: ExprId, from: ExprId, least: ExprId, most: ExprId, def: AskId, list: bool) -> Result<Flow, Fault> {
        let options = match self.eval(from) {
            Value::List(items) => items.into_iter().filter(|item| !item.is_none()).collect(),
            _ => Vec::new(),
        };
        let most = self.num(most).clamp(0, options.len() as i32);
        let least = self.num(least).clamp(0, most);
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
        let player = self.player(who).ok_or(Fault("nobody to ask"))?;
        let kind = AskKind::Pick { options, least: least as u16, most: most as u16 };
        self.state.ask = Some(Ask { player, kind, def, to, list });
        Ok(Flow::Stop)
    }

    // ---- atoms: the only code that changes cards, zones, counters and effects ----

    pub(crate) fn place(&mut self, card: CardId, to: ZoneId, how: Placing) {
        let before = if self.out.wants() { sight::mask(self.catalogue, self.state, card) } else { 0 };
        let from = self.state.card(card).zone;
        self.leave(card);
        let zone = &self.catalogue.zones[to.0 as usize];
        let hidden = zone.counted;
        let mut changed = 0;
        {
            let moved = &mut self.state.cards[card.0 as usize];
            let as_before = (moved.controller, moved.facedown);
            moved.zone = to;
            moved.parent = None;
            moved.role = 0;
            if let Some(owner) = zone.player {
                moved.controller = owner;
            }
            if from != to {
                for (at, counter) in self.catalogue.card_counters.iter().enumerate() {
                    if (!counter.kept || hidden) && moved.counters[at] != counter.floor as i16 {
                        moved.counters[at] = counter.floor as i16;
                        changed |= memo::counter(at as u8);
                    }
                }
                moved.facedown = false;
            }
            moved.facedown |= how == Placing::Down;
            if (moved.controller, moved.facedown) != as_before {
                changed |= memo::PLACES;
            }
            if zone.up == Sight::All {
                moved.shown = 0;
            }
        }
        if zone.live {
            self.comes_into_play(card, from);
        }
        let was_live = self.catalogue.zones[from.0 as usize].live;
        if zone.live || was_live {
            self.stir();
            changed |= memo::PLACES;
        }
        if !zone.live || !was_live {
            changed |= memo::PILES;
        }
        self.memo.touch(changed);
        match how {
            Placing::Top | Placing::Down => self.state.zones[to.0 as usize].push(card),
            Placing::Bottom => self.state.zones[to.0 as usize].insert(0, card),
        }
        if hidden {
            self.forget(card);
        }
        if self.out.wants() {
            let seen = before | sight::mask(self.catalogue, self.state, card);
            let def = self.state.card(card).def;
            self.out.take(Event::Moved { card, def, from, to, seen });
        }
    }

    /// Into the zone of another card, right behind it.
    fn place_beside(&mut self, card: CardId, other: CardId) {
        if card == other {
            return;
        }
        self.place(card, self.state.card(other).zone, Placing::Top);
        let cards = &mut self.state.zones[self.state.cards[other.0 as usize].zone.0 as usize];
        cards.pop();
        let behind = cards.iter().position(|&c| c == other).map_or(cards.len(), |at| at + 1);
        cards.insert(behind, card);
        self.memo.touch(memo::PLACES | memo::PILES);
    }

    fn stir(&mut self) {
        self.state.stirred = self.state.stirred.wrapping_add(1);
    }

    /// What a card does is as old as its stay in play.
    fn comes_into_play(&mut self, card: CardId, from: ZoneId) {
        if !self.catalogue.zones[from.0 as usize].live {
            self.state.serial = self.state.serial.wrapping_add(1);
            self.state.cards[card.0 as usize].since = self.state.serial;
        }
    }

    fn leave(&mut self, card: CardId) {
        let zone = self.state.card(card).zone;
        let cards = &mut self.state.zones[zone.0 as usize];
        if let Some(at) = cards.iter().rposition(|&c| c == card) {
            cards.remove(at);
        }
    }

    /// A card that goes back to a hidden place is a new object: what was tied to it lets go.
    fn forget(&mut self, card: CardId) {
        self.state.used.retain(|used| used.source != Some(card) || self.catalogue.ability(used.ability).limit_shared);
        for effect in &mut self.state.effects {
            for value in &mut effect.captured {
                if *value == Value::Card(card) {
                    *value = Value::None;
                    self.memo.touch(memo::EFFECTS);
                }
            }
        }
    }

    fn attach(&mut self, card: CardId, to: CardId, role: u8, down: bool) {
        // A card cannot lie on what lies on it.
        if card == to || self.state.laden(card).any(|on| on == to) {
            return;
        }
        let from = self.state.card(card).zone;
        self.leave(card);
        let moved = &mut self.state.cards[card.0 as usize];
        moved.zone = ATTACHED;
        moved.parent = Some(to);
        moved.role = role;
        moved.facedown = down;
        moved.shown = 0;
        self.state.zones[0].push(card);
        self.comes_into_play(card, from);
        self.stir();
        self.memo.touch(memo::PLACES | memo::PILES);
        if self.out.wants() {
            let (def, seen) = (self.state.card(card).def, sight::mask(self.catalogue, self.state, card));
            self.out.take(Event::Attached { card, def, to, seen });
        }
    }

    /// What lies on a card, its counters, what lasts for it, waits for it or is remembered of it in variables becomes
    /// another card's. Programs under way keep the cards that they hold: they know which one they mean.
    fn take_over(&mut self, card: CardId, old: CardId) {
        if card == old || self.state.laden(old).any(|on| on == card) {
            return;
        }
        for at in 0..self.catalogue.card_counters.len() {
            let (counter, count) = (at as u8, self.state.card(old).counters[at] as i32);
            self.count(card, counter, count, true);
            self.count(old, counter, self.catalogue.card_counters[at].floor, true);
        }
        let on: Vec<CardId> = self.state.zone(ATTACHED).iter().copied().filter(|&on| self.state.card(on).parent == Some(old)).collect();
        for on in on {
            self.state.cards[on.0 as usize].parent = Some(card);
            if self.out.wants() {
                let (def, seen) = (self.state.card(on).def, sight::mask(self.catalogue, self.state, on));
                self.out.take(Event::Attached { card: on, def, to: card, seen });
            }
        }
        for effect in &mut self.state.effects {
            effect.me = effect.me.map(|me| if me == old { card } else { me });
            for value in &mut effect.captured {
                value.rename(old, card);
            }
        }
        for waiting in &mut self.state.waiting {
            waiting.me = waiting.me.map(|me| if me == old { card } else { me });
            for value in &mut waiting.registers {
                value.rename(old, card);
            }
        }
        for used in &mut self.state.used {
            used.source = used.source.map(|source| if source == old { card } else { source });
        }
        let mut changed = memo::PLACES | memo::PILES | memo::EFFECTS;
        for (at, value) in self.state.vars.iter_mut().enumerate() {
            if value.rename(old, card) {
                changed |= memo::var(at as u8);
            }
        }
        self.stir();
        self.memo.touch(changed);
    }

    fn turn(&mut self, card: CardId, down: bool) {
        let was = self.state.card(card).facedown;
        if was == down {
            return;
        }
        self.state.cards[card.0 as usize].facedown = down;
        self.stir();
        self.memo.touch(memo::PLACES | memo::PILES);
        if self.out.wants() {
            let (def, seen) = (self.state.card(card).def, sight::mask(self.catalogue, self.state, card));
            self.out.take(Event::Turned { card, def, down, seen });
        }
    }

    /// Identities change places, handles stay: after it nobody can tell which handle is which card.
    fn shuffle(&mut self, zone: ZoneId) {
        let cards = self.state.zones[zone.0 as usize].clone();
        if !self.state.script.on {
            let face = |&card: &CardId| {
                let card = self.state.card(card);
                (card.def, card.owner, card.facedown)
            };
            let mut faces: Vec<(DefId, PlayerId, bool)> = cards.iter().map(face).collect();
            self.state.random.shuffle(&mut faces);
            for (&card, face) in cards.iter().zip(faces) {
                let card = &mut self.state.cards[card.0 as usize];
                (card.def, card.owner, card.facedown) = face;
            }
        }
        for &card in &cards {
            self.state.cards[card.0 as usize].shown = 0;
        }
        self.memo.touch(memo::FACES | memo::PLACES | memo::PILES);
        if self.out.wants() {
            self.out.take(Event::Shuffled { zone });
        }
    }

    fn show(&mut self, cards: impl IntoIterator<Item = CardId>, to: u8) {
        let mut told = Vec::new();
        for card in cards {
            let already = sight::mask(self.catalogue, self.state, card);
            self.state.cards[card.0 as usize].shown |= to & !already;
            if self.out.wants() && to & !already != 0 {
                told.push(Told { card, def: self.state.card(card).def, seen: to | already });
            }
        }
        if !told.is_empty() {
            self.out.take(Event::Shown { cards: told });
        }
    }

    fn count(&mut self, card: CardId, counter: u8, by: i32, set: bool) {
        let def = &self.catalogue.card_counters[counter as usize];
        let slot = &mut self.state.cards[card.0 as usize].counters[counter as usize];
        let before = *slot as i32;
        let now = if set { by } else { before.saturating_add(by) }.clamp(def.floor, def.cap);
        *slot = now as i16;
        if now != before {
            self.memo.touch(memo::counter(counter));
        }
        if self.out.wants() && now != before {
            self.out.take(Event::Counted { card, counter, by: now - before, now });
        }
    }

    fn count_player(&mut self, player: PlayerId, counter: u8, by: i32, set: bool) {
        let def = &self.catalogue.player_counters[counter as usize];
        let slot = &mut self.state.players[player.index()].counters[counter as usize];
        let before = *slot;
        *slot = if set { by } else { before.saturating_add(by) }.clamp(def.floor, def.cap);
        let now = *slot;
        if now != before {
            self.memo.touch(memo::PLAYERS);
        }
        if self.out.wants() && now != before {
            self.out.take(Event::PlayerCounted { player, counter, by: now - before, now });
        }
    }

    /// Numbers in `0..bound`: the scripted ones first, then from the generator.
    fn draw(&mut self, bound: u32, count: usize) -> Vec<i32> {
        let scripted = self.state.script.dice.len().min(count);
        let mut drawn: Vec<i32> = self.state.script.dice.drain(..scripted).map(|die| die.saturating_sub(1)).collect();
        let mut rest = vec![0; count - scripted];
        if !rest.is_empty() {
            self.state.random.draw(bound, &mut rest);
        }
        drawn.extend(rest.into_iter().map(|die| die as i32));
        drawn
    }

    /// Tell an event, and queue every triggered ability that it sets off.
    fn emit(&mut self, event: u8, args: Vec<Value>) {
        if self.out.wants() {
            let cards = args.iter().flat_map(|arg| if let Value::List(items) = arg { items } else { std::slice::from_ref(arg) });
            let told = |card: CardId| Told { card, def: self.state.card(card).def, seen: sight::mask(self.catalogue, self.state, card) };
            let cards = cards.filter_map(Value::card).map(told).collect();
            self.out.take(Event::Declared { event, args: args.clone(), cards });
        }
        if self.catalogue.index.heard & (1 << event) == 0 {
            return;
        }
        let mut set_off: Vec<Waiting> = Vec::new();
        let catalogue = self.catalogue;
        let state = &*self.state;
        let world = World::remembering(catalogue, state, self.memo);
        let mut hear = |id: ClauseId, me: Option<CardId>, source: Option<CardId>, you: PlayerId, captured: &[Value]| {
            let clause = catalogue.clause(id);
            let ClauseKind::Trigger { event: e, test, .. } = clause.kind else { return false };
            let mut env = Env::for_card(world, me, source, you).reading(captured).with(&args);
            let hears = e == event && test.is_none_or(|test| env.test(test)) && clause.when.is_none_or(|when| env.test(when));
            if hears {
                let mut registers = args.clone();
                registers.extend_from_slice(captured);
                set_off.push(Waiting { serial: 0, clause: id, me, source, you, registers });
            }
            hears
        };
        for &id in &catalogue.index.event_rules[event as usize] {
            hear(id, None, None, PlayerId(0), &[]);
        }
        world.carriers(
            |masks| masks.events & (1 << event) != 0,
            |card| {
                for &id in &catalogue.def(state.card(card).def).clauses {
                    let hears = matches!(catalogue.clause(id).kind, ClauseKind::Trigger { event: e, .. } if e == event);
                    if hears && let Some((me, you)) = in_scope(world, catalogue.clause(id).scope, card, 0) {
                        hear(id, me, Some(card), you, &[]);
                    }
                }
                ControlFlow::Continue(())
            },
        );
        let heard = state.effects.iter().map(|effect| hear(effect.clause, effect.me, effect.source, effect.you, &effect.captured));
        let heard: Vec<bool> = heard.collect();
        let mut heard = heard.into_iter();
        // What waits for its event once has heard it: that effect alone is over, not its like.
        let effects = self.state.effects.len();
        self.state.effects.retain(|effect| heard.next() != Some(true) || effect.until.is_some());
        if self.state.effects.len() < effects {
            self.memo.touch(memo::EFFECTS);
        }
        for mut waiting in set_off {
            self.state.serial = self.state.serial.wrapping_add(1);
            waiting.serial = self.state.serial;
            self.state.waiting.push(waiting);
        }
    }

    /// A period ends: its effects, limits, counters and variables with it.
    fn end(&mut self, period: u8) {
        let effects = self.state.effects.len();
        self.state.effects.retain(|effect| effect.until != Some(period));
        if self.state.effects.len() < effects {
            self.stir();
            self.memo.touch(memo::EFFECTS);
        }
        self.state.used.retain(|used| used.period != period);
        for (at, counter) in self.catalogue.card_counters.iter().enumerate() {
            if counter.period == Some(period) {
                for card in self.state.cards.iter_mut().filter(|card| card.counters[at] != counter.floor as i16) {
                    card.counters[at] = counter.floor as i16;
                    self.memo.touch(memo::counter(at as u8));
                }
            }
        }
        for (at, counter) in self.catalogue.player_counters.iter().enumerate() {
            if counter.period == Some(period) {
                self.memo.touch(memo::PLAYERS);
                for player in &mut self.state.players {
                    player.counters[at] = counter.floor;
                }
            }
        }
        for (at, var) in self.catalogue.vars.iter().enumerate() {
            if var.period == Some(period) {
                self.memo.touch(memo::var(at as u8));
                self.state.vars[at] = match var.init {
                    Some(init) => Env::new(World::new(self.catalogue, self.state), PlayerId(0)).eval(init),
                    None => Value::None,
                };
            }
        }
        if self.out.wants() {
            self.out.take(Event::PeriodEnded { period });
        }
    }
}
