//! Pure queries: expressions, values with their modifiers, permissions, legal moves.
//! Nothing in this file can change a state.

use crate::catalogue::*;
use crate::memo::{Key, Live, Memo, Sort};
use crate::state::{ATTACHED, Lasting, State, Used};
use crate::value::{CardId, Move, PlayerId, Value, WordId, ZoneId};
use smallvec::SmallVec;
use std::ops::ControlFlow;
use std::rc::Rc;

/// What is asked about: a state, the game it is of, and what has been found out about it so far.
#[derive(Clone, Copy)]
pub struct World<'a> {
    pub catalogue: &'a Catalogue,
    pub state: &'a State,
    memo: Option<&'a Memo>,
}

impl<'a> World<'a> {
    pub fn new(catalogue: &'a Catalogue, state: &'a State) -> World<'a> {
        World { catalogue, state, memo: None }
    }
    /// The cards in live zones that have clauses.
    fn fill_live(&self, live: &mut Live) {
        let World { catalogue, state, .. } = *self;
        for &zone in &catalogue.index.live_zones {
            for &card in &state.zones[zone as usize] {
                let masks = catalogue.masks(state.card(card).def);
                if masks.stats | masks.permissions | masks.events != 0 {
                    live.add(card, masks);
                }
            }
        }
    }

    /// Whether nothing in play speaks of a value or permission: no card and no lasting effect. That is quickly seen.
    fn is_quiet(&self, memo: &Memo, wanted: impl Fn(&Masks) -> bool, kind: impl Fn(&ClauseKind) -> bool) -> bool {
        let World { catalogue, state, .. } = *self;
        !state.effects.iter().any(|effect| kind(&catalogue.clause(effect.clause).kind))
            && !memo.see_live(|live| self.fill_live(live), |live| wanted(&live.all))
    }

    /// Visit the cards in live zones whose clauses are of a sort.
    pub(crate) fn carriers(&self, wanted: impl Fn(&Masks) -> bool, mut visit: impl FnMut(CardId) -> ControlFlow<()>) {
        let World { catalogue, state, memo } = *self;
        let speaks = |card: CardId| catalogue.masks(state.card(card).def);
        let Some(memo) = memo else {
            for &zone in &catalogue.index.live_zones {
                for &card in &state.zones[zone as usize] {
                    if wanted(speaks(card)) && visit(card).is_break() {
                        return;
                    }
                }
            }
            return;
        };
        let live = memo.live(|live| self.fill_live(live));
        if !wanted(&live.all) {
            return;
        }
        for &card in &live.cards {
            if wanted(speaks(card)) && visit(card).is_break() {
                return;
            }
        }
    }
    /// With answers kept for as long as the state does not change.
    pub fn remembering(catalogue: &'a Catalogue, state: &'a State, memo: &'a Memo) -> World<'a> {
        World { catalogue, state, memo: Some(memo) }
    }
}

/// Where an expression is evaluated: for whom, on which card, with which registers.
pub struct Env<'a> {
    pub catalogue: &'a Catalogue,
    pub state: &'a State,
    pub me: Option<CardId>,
    pub source: Option<CardId>,
    pub you: PlayerId,
    pub registers: &'a [Value],
    locals: SmallVec<[Value; 6]>,
    base: usize,
    depth: u16,
    memo: Option<&'a Memo>,
}

/// Levels of expressions inside each other, through functions, values, scopes and permissions. Deeper than
/// any sensible rule; a value that needs more has no value.
const MAX_DEPTH: u16 = 480;
/// What a value, permission or window costs of that, besides its expressions.
const STEP: u16 = 12;

/// Why something is not allowed: who says so, and which rule stands behind it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    pub reason: String,
    pub cite: String,
    /// The card whose text forbids it.
    pub card: Option<CardId>,
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.reason)?;
        if !self.cite.is_empty() {
            write!(f, " ({})", self.cite)?;
        }
        Ok(())
    }
}

/// One line of the account of a value: `+1 from Clone Officer`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TraceLine {
    pub change: Change,
    pub amount: i32,
    pub source: Option<CardId>,
    pub cite: String,
    pub says: String,
}

/// Where a function was called from.
struct Outer {
    base: usize,
    len: usize,
    depth: u16,
}

impl<'a> Env<'a> {
    pub fn new(world: World<'a>, you: PlayerId) -> Env<'a> {
        let World { catalogue, state, memo } = world;
        Env { catalogue, state, me: None, source: None, you, registers: &[], locals: SmallVec::new(), base: 0, depth: 0, memo }
    }

    pub fn of_frame(world: World<'a>) -> Env<'a> {
        let Some(frame) = world.state.frames.last() else { return Env::new(world, PlayerId(0)) };
        Env {
            me: frame.me,
            source: frame.source,
            you: frame.you,
            registers: &world.state.registers[frame.base as usize..],
            ..Env::new(world, frame.you)
        }
    }

    pub fn for_card(world: World<'a>, me: Option<CardId>, source: Option<CardId>, you: PlayerId) -> Env<'a> {
        Env { me, source, ..Env::new(world, you) }
    }

    /// The place of a move: its cards are the first locals, the second one only where its action takes two.
    pub fn for_move(world: World<'a>, chosen: &Move) -> Env<'a> {
        let cards: [Value; 2] = [chosen.card.into(), chosen.target.into()];
        let taken = 1 + usize::from(world.catalogue.ability(chosen.ability).to.is_some());
        Env::for_card(world, chosen.card, chosen.source, chosen.player).with(&cards[..taken])
    }

    fn for_effect(world: World<'a>, effect: &'a Lasting) -> Env<'a> {
        Env::for_card(world, effect.me, effect.source, effect.you).reading(&effect.captured)
    }

    fn world(&self) -> World<'a> {
        World { catalogue: self.catalogue, state: self.state, memo: self.memo }
    }

    /// The same place with other registers.
    pub fn reading(self, registers: &'a [Value]) -> Self {
        Env { registers, ..self }
    }

    /// The same place with these values as its first locals.
    pub fn with(mut self, locals: &[Value]) -> Self {
        self.locals.extend(locals.iter().cloned());
        self
    }

    pub fn test(&mut self, expr: ExprId) -> bool {
        match self.catalogue.exprs[expr as usize] {
            Expr::Bool(value) => value,
            Expr::Bin(BinOp::And, a, b) => self.test(a) && self.test(b),
            Expr::Bin(BinOp::Or, a, b) => self.test(a) || self.test(b),
            Expr::Not(a) => !self.test(a),
            Expr::Is(card, word) => self.card(card).is_some_and(|card| self.is(card, word)),
            Expr::HasRole(card, role) => self.has_role(card, role),
            Expr::Call(function, args) if self.depth < MAX_DEPTH && !self.remembers(function) => {
                let body = self.catalogue.functions[function as usize].body;
                let outer = self.enter(body, args);
                let result = self.test(body);
                self.leave(outer);
                result
            }
            Expr::Bin(BinOp::Eq, a, b) => self.same(a, b),
            Expr::Bin(BinOp::Ne, a, b) => !self.same(a, b),
            Expr::Bin(op @ (BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge), a, b) => self.compare(op, a, b),
            _ => self.eval(expr).truth(),
        }
    }

    /// A missing value compares with nothing.
    fn compare(&mut self, op: BinOp, a: ExprId, b: ExprId) -> bool {
        let (Some(a), Some(b)) = (self.number(a), self.number(b)) else { return false };
        match op {
            BinOp::Lt => a < b,
            BinOp::Le => a <= b,
            BinOp::Gt => a > b,
            _ => a >= b,
        }
    }

    /// A number, where there is one.
    fn number(&mut self, expr: ExprId) -> Option<i32> {
        match self.catalogue.exprs[expr as usize] {
            Expr::Num(number) => Some(number),
            Expr::Counter(counter, of) => self.card(of).map(|card| self.state.card(card).counters[counter as usize] as i32),
            Expr::Bin(BinOp::Add, a, b) => Some(self.number(a)?.saturating_add(self.number(b)?)),
            Expr::Bin(BinOp::Sub, a, b) => Some(self.number(a)?.saturating_sub(self.number(b)?)),
            Expr::Quantify(Quantifier::Count, list, ..)
                if self.state.waiting.is_empty() && matches!(self.catalogue.exprs[list as usize], Expr::Waiting(..)) =>
            {
                Some(0)
            }
            _ => match self.eval(expr) {
                Value::Num(number) => Some(number),
                _ => None,
            },
        }
    }

    /// Whether two expressions have one value; the common questions about a card take a short way.
    fn same(&mut self, a: ExprId, b: ExprId) -> bool {
        if let Expr::Prop(prop @ (Prop::Controller | Prop::Zone), of) = self.catalogue.exprs[a as usize] {
            let Some(card) = self.card(of) else { return self.eval(b) == Value::None };
            let card = self.state.card(card);
            let (controller, zone) = (card.controller, card.zone);
            return match (prop, self.eval(b)) {
                (Prop::Controller, Value::Player(player)) => controller == player,
                (Prop::Zone, Value::Zone(other)) => zone == other,
                _ => false,
            };
        }
        if let (Expr::Prop(Prop::Name, of), Expr::Prop(Prop::Name, other)) =
            (self.catalogue.exprs[a as usize], self.catalogue.exprs[b as usize])
        {
            let (of, other) = (self.card(of), self.card(other));
            let name = |card: CardId| self.catalogue.def(self.state.card(card).def).name;
            return of.and_then(name) == other.and_then(name);
        }
        if let (Expr::Counter(counter, of), Expr::Num(number)) = (self.catalogue.exprs[a as usize], self.catalogue.exprs[b as usize]) {
            return self.card(of).is_some_and(|card| self.state.card(card).counters[counter as usize] as i32 == number);
        }
        self.eval(a) == self.eval(b)
    }

    pub fn num(&mut self, expr: ExprId) -> i32 {
        match self.catalogue.exprs[expr as usize] {
            Expr::Num(number) => number,
            _ => self.eval(expr).num(),
        }
    }

    pub fn card(&mut self, expr: ExprId) -> Option<CardId> {
        match self.catalogue.exprs[expr as usize] {
            Expr::Local(at) => self.locals.get(self.base + at as usize).and_then(Value::card),
            Expr::Register(at) => self.registers.get(at as usize).and_then(Value::card),
            Expr::Me => self.me,
            Expr::Source => self.source,
            Expr::Prop(Prop::Parent, of) => self.card(of).and_then(|card| self.state.card(card).parent),
            Expr::Prop(Prop::Root, of) => self.card(of).map(|card| self.state.root(card)),
            _ => self.eval(expr).card(),
        }
    }

    pub fn player(&mut self, expr: ExprId) -> Option<PlayerId> {
        match self.catalogue.exprs[expr as usize] {
            Expr::You => Some(self.you),
            Expr::Player(player) => Some(player),
            Expr::Local(at) => self.locals.get(self.base + at as usize).and_then(Value::player),
            Expr::Register(at) => self.registers.get(at as usize).and_then(Value::player),
            Expr::Var(at) => self.state.vars[at as usize].player(),
            Expr::Prop(Prop::Controller, of) => self.card(of).map(|card| self.state.card(card).controller),
            Expr::Prop(Prop::Owner, of) => self.card(of).map(|card| self.state.card(card).owner),
            Expr::Prop(Prop::Opponent, of) => self.player(of).map(PlayerId::opponent),
            _ => self.eval(expr).player(),
        }
    }

    fn has_role(&mut self, card: ExprId, role: u8) -> bool {
        self.card(card).map(|card| self.state.card(card)).is_some_and(|card| card.zone == ATTACHED && card.role == role)
    }

    pub fn is(&self, card: CardId, word: WordId) -> bool {
        let def = self.state.card(card).def;
        if word.0 < 256 {
            self.catalogue.masks(def).words[word.0 as usize / 128] & (1 << (word.0 % 128)) != 0
        } else {
            self.catalogue.def(def).words.contains(&word)
        }
    }

    pub fn eval(&mut self, expr: ExprId) -> Value {
        match self.catalogue.exprs[expr as usize] {
            Expr::None => Value::None,
            Expr::Num(number) => Value::Num(number),
            Expr::Bool(value) => Value::Bool(value),
            Expr::Word(word) => Value::Word(word),
            Expr::Player(player) => Value::Player(player),
            Expr::Zone(zone) => Value::Zone(ZoneId(zone)),
            Expr::Text(text) => Value::Text(text),
            Expr::Register(at) => self.registers.get(at as usize).cloned().unwrap_or_default(),
            Expr::Local(at) => self.locals.get(self.base + at as usize).cloned().unwrap_or_default(),
            Expr::Var(at) => self.state.vars[at as usize].clone(),
            Expr::Me => self.me.into(),
            Expr::Source => self.source.into(),
            Expr::You => Value::Player(self.you),
            Expr::Option(at) => Value::Num(self.state.options[at as usize] as i32),
            Expr::Stirred => Value::Num((self.state.stirred & 0x7fff_ffff) as i32),
            Expr::Not(a) => Value::Bool(!self.test(a)),
            Expr::Neg(a) => match self.eval(a) {
                Value::Num(n) => Value::Num(n.saturating_neg()),
                _ => Value::None,
            },
            Expr::Bin(op, a, b) => self.binary(op, a, b),
            Expr::If(test, a, b) => {
                if self.test(test) {
                    self.eval(a)
                } else {
                    self.eval(b)
                }
            }
            Expr::Stat(stat, of) => {
                let of = self.eval(of);
                self.stat(stat, &of, None)
            }
            Expr::StatFor(stat, of, what) => {
                let (of, what) = (self.eval(of), self.eval(what));
                self.stat(stat, &of, Some(&what))
            }
            Expr::Fact(fact, of) => self.card(of).map_or(Value::None, |card| {
                let fact = self.catalogue.def(self.state.card(card).def).facts[fact as usize];
                fact.map_or(Value::None, Value::Num)
            }),
            Expr::Enum(which, of) => self.card(of).map_or(Value::None, |card| {
                let def = self.state.card(card).def as usize;
                let member = self.catalogue.index.members[def * self.catalogue.enums.len() + which as usize];
                member.map_or(Value::None, Value::Word)
            }),
            Expr::Counter(counter, of) => match self.card(of) {
                Some(card) => Value::Num(self.state.card(card).counters[counter as usize] as i32),
                None => Value::None,
            },
            Expr::PlayerCounter(counter, of) => match self.player(of) {
                Some(player) => Value::Num(self.state.players[player.index()].counters[counter as usize]),
                None => Value::None,
            },
            Expr::Prop(prop @ (Prop::Owner | Prop::Controller | Prop::Zone | Prop::Parent | Prop::Root | Prop::Name), of) => {
                self.card(of).map_or(Value::None, |card| self.prop(prop, Value::Card(card)))
            }
            Expr::Prop(prop, of) => {
                let of = self.eval(of);
                self.prop(prop, of)
            }
            Expr::HasRole(card, role) => Value::Bool(self.has_role(card, role)),
            Expr::Is(card, word) => Value::Bool(self.card(card).is_some_and(|card| self.is(card, word))),
            Expr::ZoneOf(kind, player) => match self.player(player) {
                Some(player) => Value::Zone(zone_of(self.catalogue, kind, player)),
                None => Value::None,
            },
            Expr::Attached(role, to) => match self.card(to) {
                Some(to) => Value::list(self.state.attached(to, role).map(Value::Card).collect()),
                None => Value::list(Vec::new()),
            },
            Expr::Laden(on) => match self.card(on) {
                Some(on) => Value::list(self.state.laden(on).map(Value::Card).collect()),
                None => Value::list(Vec::new()),
            },
            Expr::Quantify(which, list, local, args) => self.quantify(which, list, local, args),
            Expr::Call(function, args) => self.call(function, args),
            Expr::List(args) => {
                let items = self.catalogue.slice(args);
                Value::list(items.iter().map(|&item| self.eval(item)).collect())
            }
            Expr::Range(low, high) => {
                let (low, high) = (self.num(low), self.num(high));
                Value::list((low..=high.min(low.saturating_add(1000))).map(Value::Num).collect())
            }
            Expr::May(permission, args) => {
                let world = self.world();
                if let Some(memo) = self.memo
                    && let Some(rest) = self.catalogue.index.permission_rest[permission as usize]
                    && world.is_quiet(
                        memo,
                        |masks| masks.permissions & (1 << permission) != 0,
                        |kind| matches!(kind, ClauseKind::Permit { permission: p, .. } if *p == permission),
                    )
                {
                    return Value::Bool(rest);
                }
                let values = self.values(args);
                let key = Key::new(Sort::May, permission as u16, &values);
                let (world, depth) = (self.world(), self.depth);
                let may = || Value::Bool(forbidder(world, permission, &values, depth).is_none());
                match (self.memo, key) {
                    (Some(memo), Some(key)) => memo.recall(key, self.catalogue.index.reads.permissions[permission as usize], may),
                    _ => may(),
                }
            }
            Expr::Moves(window, player) => {
                let window = self.num(window);
                let Some(player) = self.player(player) else { return Value::list(Vec::new()) };
                if window < 0 || window as usize >= self.catalogue.windows.len() {
                    return Value::list(Vec::new());
                }
                let window = window as u8;
                Value::list(moves_at(self.world(), window, player, self.depth).into_iter().map(Value::Move).collect())
            }
            Expr::Waiting(class, player) => {
                let (class, player) = (self.num(class) as u8, self.player(player));
                let mine = self.state.waiting.iter().filter(|waiting| {
                    Some(waiting.you) == player
                        && matches!(self.catalogue.clause(waiting.clause).kind, ClauseKind::Trigger { class: c, .. } if c == class)
                });
                Value::list(mine.map(|waiting| Value::Trigger(waiting.serial)).collect())
            }
            Expr::Item(list, at) => {
                let at = self.num(at).max(0) as usize;
                match self.at_hand(list) {
                    Some(items) => items.get(at).cloned().unwrap_or_default(),
                    None => self.eval(list).items().get(at).cloned().unwrap_or_default(),
                }
            }
            Expr::Heeded(window) => {
                let window = self.num(window);
                let (catalogue, state) = (self.catalogue, self.state);
                let all = || {
                    let cards = catalogue.index.act_zones.iter().flat_map(|&zone| &state.zones[zone as usize]);
                    cards.fold(catalogue.index.action_windows, |all, &card| all | catalogue.masks(state.card(card).def).windows)
                };
                let heeded = self.memo.map_or_else(all, |memo| memo.windows(all));
                Value::Bool((0..128).contains(&window) && heeded & (1 << window) != 0)
            }
            Expr::Heeds(card, window) => {
                let window = self.num(window);
                let windows = self.card(card).map_or(0, |card| self.catalogue.masks(self.state.card(card).def).windows);
                Value::Bool((0..128).contains(&window) && windows & (1 << window) != 0)
            }
            Expr::Brings(head, card) => match (self.card(head), self.card(card)) {
                (Some(head), Some(card)) => {
                    let card = self.state.card(card).def;
                    let brought = self.catalogue.def(self.state.card(head).def).brings.iter().find(|(def, _)| *def == card);
                    Value::Num(brought.map_or(0, |(_, copies)| *copies as i32))
                }
                _ => Value::None,
            },
            Expr::Native(native, args) => {
                let values = self.values(args);
                crate::native::query(self, native, &values)
            }
        }
    }

    fn values(&mut self, args: Args) -> SmallVec<[Value; 4]> {
        let items = self.catalogue.slice(args);
        items.iter().map(|&item| self.eval(item)).collect()
    }

    fn binary(&mut self, op: BinOp, a: ExprId, b: ExprId) -> Value {
        match op {
            BinOp::And => return Value::Bool(self.test(a) && self.test(b)),
            BinOp::Or => return Value::Bool(self.test(a) || self.test(b)),
            BinOp::In => {
                let item = self.eval(a);
                let found = self.each(b, &mut |_, value| {
                    if value == item { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
                });
                return Value::Bool(found.is_break());
            }
            _ => {}
        }
        let (a, b) = (self.eval(a), self.eval(b));
        match op {
            BinOp::Eq => return Value::Bool(a == b),
            BinOp::Ne => return Value::Bool(a != b),
            BinOp::Join => {
                let mut items = a.items().to_vec();
                items.extend_from_slice(b.items());
                return Value::list(items);
            }
            BinOp::Without => {
                let mut items = a.items().to_vec();
                for item in b.items() {
                    if let Some(at) = items.iter().position(|other| other == item) {
                        items.remove(at);
                    }
                }
                return Value::list(items);
            }
            _ => {}
        }
        let (Value::Num(a), Value::Num(b)) = (&a, &b) else {
            // A missing value compares with nothing and adds up to nothing.
            return match op {
                BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge => Value::Bool(false),
                _ => Value::None,
            };
        };
        match op {
            BinOp::Add => Value::Num(a.saturating_add(*b)),
            BinOp::Sub => Value::Num(a.saturating_sub(*b)),
            BinOp::Mul => Value::Num(a.saturating_mul(*b)),
            BinOp::Div => a.checked_div(*b).map_or(Value::None, Value::Num),
            BinOp::Lt => Value::Bool(a < b),
            BinOp::Le => Value::Bool(a <= b),
            BinOp::Gt => Value::Bool(a > b),
            BinOp::Ge => Value::Bool(a >= b),
            BinOp::Min => Value::Num(*a.min(b)),
            BinOp::Max => Value::Num(*a.max(b)),
            BinOp::And | BinOp::Or | BinOp::In | BinOp::Eq | BinOp::Ne | BinOp::Join | BinOp::Without => Value::None,
        }
    }

    fn prop(&self, prop: Prop, of: Value) -> Value {
        let state = self.state;
        match (prop, of) {
            (Prop::Owner, Value::Card(card)) => Value::Player(state.card(card).owner),
            (Prop::Controller, Value::Card(card)) => Value::Player(state.card(card).controller),
            (Prop::Zone, Value::Card(card)) => Value::Zone(state.card(card).zone),
            (Prop::Facedown, Value::Card(card)) => Value::Bool(state.card(card).facedown),
            (Prop::Parent, Value::Card(card)) => state.card(card).parent.into(),
            (Prop::Role, Value::Card(card)) => Value::Num(state.card(card).role as i32),
            (Prop::Name, Value::Card(card)) => self.catalogue.def(state.card(card).def).name.map_or(Value::None, Value::Word),
            (Prop::MoveCard, Value::Move(m)) => m.card.into(),
            (Prop::MoveCard, Value::Trigger(serial)) => {
                state.waiting.iter().find(|w| w.serial == serial).map_or(Value::None, |w| w.source.into())
            }
            (Prop::MoveSource, Value::Move(m)) => m.source.into(),
            (Prop::Root, Value::Card(card)) => Value::Card(state.root(card)),
            (Prop::Position, Value::Card(card)) => {
                let zone = state.card(card).zone;
                let live = self.catalogue.zones[zone.0 as usize].live;
                let place = state.zone(zone).iter().position(|&c| c == card).filter(|_| live);
                place.map_or(Value::None, |at| Value::Num(at as i32))
            }
            (Prop::MoveIsCard, Value::Move(m)) => Value::Bool(self.catalogue.ability(m.ability).def.is_some()),
            (Prop::Opponent, Value::Player(player)) => Value::Player(player.opponent()),
            (Prop::First, Value::List(items)) => items.first().cloned().unwrap_or_default(),
            (Prop::Last, Value::List(items)) => items.last().cloned().unwrap_or_default(),
            (Prop::Size, Value::List(items)) => Value::Num(items.len() as i32),
            (Prop::Size, Value::Zone(zone)) => Value::Num(state.zone(zone).len() as i32),
            (Prop::Cards, Value::Zone(zone)) => Value::list(state.zone(zone).iter().map(|&card| Value::Card(card)).collect()),
            (Prop::Distinct, Value::List(items)) => {
                let mut seen = Vec::new();
                for item in *items {
                    if !seen.contains(&item) {
                        seen.push(item);
                    }
                }
                Value::list(seen)
            }
            _ => Value::None,
        }
    }

    fn call(&mut self, function: u16, args: Args) -> Value {
        if self.depth >= MAX_DEPTH {
            return self.too_deep();
        }
        let body = self.catalogue.functions[function as usize].body;
        let outer = self.enter(body, args);
        let key = if self.remembers(function) { Key::new(Sort::Call, function, &self.locals[self.base..]) } else { None };
        let result = match (self.memo, key) {
            (Some(memo), Some(key)) => memo.recall(key, self.catalogue.index.reads.functions[function as usize], || self.eval(body)),
            _ => self.eval(body),
        };
        self.leave(outer);
        result
    }

    /// The items that a function lists, kept like its other answers.
    fn kept_list(&mut self, function: u16, args: Args) -> Rc<[Value]> {
        let body = self.catalogue.functions[function as usize].body;
        let outer = self.enter(body, args);
        let key = Key::new(Sort::Call, function, &self.locals[self.base..]);
        let (memo, reads) = (self.memo, self.catalogue.index.reads.functions[function as usize]);
        let mut collect = || {
            let mut items = Vec::new();
            let _ = self.each(body, &mut |_, value| {
                items.push(value);
                ControlFlow::Continue(())
            });
            items.into()
        };
        let items = match (memo, key) {
            (Some(memo), Some(key)) => memo.recall_list(key, reads, collect),
            _ => collect(),
        };
        self.leave(outer);
        items
    }

    /// Whether the answers of a function are worth keeping.
    fn remembers(&self, function: u16) -> bool {
        self.memo.is_some() && self.catalogue.index.kept[function as usize]
    }

    fn too_deep(&self) -> Value {
        if let Some(memo) = self.memo {
            memo.cut();
        }
        Value::None
    }

    /// Open a function: its arguments become its first locals. Tests and their own locals come and go above.
    fn enter(&mut self, body: ExprId, args: Args) -> Outer {
        let (base, len, depth) = (self.base, self.locals.len(), self.depth);
        let catalogue = self.catalogue;
        for &arg in catalogue.slice(args) {
            let value = self.eval(arg);
            self.locals.push(value);
        }
        self.base = len;
        self.depth += self.catalogue.index.depths[body as usize];
        Outer { base, len, depth }
    }

    fn leave(&mut self, outer: Outer) {
        self.depth = outer.depth;
        self.base = outer.base;
        self.locals.truncate(outer.len);
    }

    /// Visit the items of a list without building it where that can be avoided.
    fn each(&mut self, list: ExprId, visit: &mut dyn FnMut(&mut Self, Value) -> ControlFlow<()>) -> ControlFlow<()> {
        match self.catalogue.exprs[list as usize] {
            Expr::Prop(Prop::Cards, zone) => {
                let Value::Zone(zone) = self.eval(zone) else { return ControlFlow::Continue(()) };
                let state = self.state;
                state.zone(zone).iter().try_for_each(|&card| visit(self, Value::Card(card)))
            }
            Expr::Attached(role, to) => {
                let Some(to) = self.card(to) else { return ControlFlow::Continue(()) };
                let state = self.state;
                let mut attached = state.attached(to, role);
                attached.try_for_each(|card| visit(self, Value::Card(card)))
            }
            Expr::Waiting(..) if self.state.waiting.is_empty() => ControlFlow::Continue(()),
            Expr::Laden(on) => {
                let Some(on) = self.card(on) else { return ControlFlow::Continue(()) };
                let state = self.state;
                let mut laden = state.laden(on);
                laden.try_for_each(|card| visit(self, Value::Card(card)))
            }
            Expr::Bin(BinOp::Join, a, b) => {
                self.each(a, visit)?;
                self.each(b, visit)
            }
            Expr::Call(function, args) if self.depth < MAX_DEPTH && self.remembers(function) => {
                let items = self.kept_list(function, args);
                items.iter().try_for_each(|value| visit(self, value.clone()))
            }
            Expr::Call(function, args) if self.depth < MAX_DEPTH => {
                let body = self.catalogue.functions[function as usize].body;
                let outer = self.enter(body, args);
                let base = outer.base;
                let done = self.each(body, &mut |env, value| {
                    // The visitor sees our own locals; what it binds for a while it puts back.
                    let inner = std::mem::replace(&mut env.base, base);
                    let flow = visit(env, value);
                    env.base = inner;
                    flow
                });
                self.leave(outer);
                done
            }
            Expr::Var(at) => {
                let state = self.state;
                state.vars[at as usize].items().iter().try_for_each(|value| visit(self, value.clone()))
            }
            Expr::Register(at) => {
                let registers = self.registers;
                registers.get(at as usize).map_or(&[][..], Value::items).iter().try_for_each(|value| visit(self, value.clone()))
            }
            Expr::If(test, a, b) => {
                if self.test(test) {
                    self.each(a, visit)
                } else {
                    self.each(b, visit)
                }
            }
            Expr::Quantify(Quantifier::Where, inner, local, args) => {
                let test = self.catalogue.slice(args)[0];
                self.each(inner, &mut |env, value| {
                    if env.bind(local, value.clone(), |env| env.test(test)) { visit(env, value) } else { ControlFlow::Continue(()) }
                })
            }
            _ => match self.eval(list) {
                Value::List(items) => items.into_iter().try_for_each(|value| visit(self, value)),
                _ => ControlFlow::Continue(()),
            },
        }
    }

    /// The items of a list that stands in a register, a variable or a local, without a copy of it.
    fn at_hand(&self, list: ExprId) -> Option<&[Value]> {
        let value = match self.catalogue.exprs[list as usize] {
            Expr::Register(at) => self.registers.get(at as usize),
            Expr::Local(at) => self.locals.get(self.base + at as usize),
            Expr::Var(at) => self.state.vars.get(at as usize),
            _ => None,
        };
        value.map(Value::items)
    }

    fn bind<T>(&mut self, local: u8, value: Value, then: impl FnOnce(&mut Self) -> T) -> T {
        let len = self.locals.len();
        let at = self.base + local as usize;
        // Locals between the last one bound and this one belong to quantifiers that are not open here.
        while self.locals.len() < at {
            self.locals.push(Value::None);
        }
        if at < self.locals.len() {
            let before = std::mem::replace(&mut self.locals[at], value);
            let result = then(self);
            self.locals[at] = before;
            result
        } else {
            self.locals.push(value);
            let result = then(self);
            self.locals.truncate(len);
            result
        }
    }

    fn quantify(&mut self, which: Quantifier, list: ExprId, local: u8, args: Args) -> Value {
        let slice = self.catalogue.slice(args);
        let test = slice[0];
        let value = slice.get(1).copied();
        if which == Quantifier::Count
            && let Expr::Bool(true) = self.catalogue.exprs[test as usize]
            && let Some(items) = self.at_hand(list)
        {
            return Value::Num(items.len() as i32);
        }
        let mut count = 0i32;
        let mut found: Vec<Value> = Vec::new();
        let mut best: Option<i32> = None;
        let mut truth = which == Quantifier::All;
        let _ = self.each(list, &mut |env, item| {
            let holds = env.bind(local, item.clone(), |env| env.test(test));
            match which {
                Quantifier::Any if holds => {
                    truth = true;
                    return ControlFlow::Break(());
                }
                Quantifier::All if !holds => {
                    truth = false;
                    return ControlFlow::Break(());
                }
                Quantifier::First if holds => {
                    found.push(item);
                    return ControlFlow::Break(());
                }
                Quantifier::Any | Quantifier::All | Quantifier::First => {}
                Quantifier::Count if holds => count += 1,
                Quantifier::Where if holds => found.push(item),
                Quantifier::Sum | Quantifier::Each | Quantifier::Highest | Quantifier::Lowest if holds => {
                    let value = match value {
                        Some(value) => env.bind(local, item, |env| env.eval(value)),
                        None => item,
                    };
                    match which {
                        Quantifier::Sum => count = count.saturating_add(value.num()),
                        Quantifier::Each => found.push(value),
                        _ => {
                            if let Value::Num(n) = value {
                                best = Some(match (which, best) {
                                    (_, None) => n,
                                    (Quantifier::Highest, Some(b)) => b.max(n),
                                    (_, Some(b)) => b.min(n),
                                });
                            }
                        }
                    }
                }
                _ => {}
            }
            ControlFlow::Continue(())
        });
        match which {
            Quantifier::Any | Quantifier::All => Value::Bool(truth),
            Quantifier::Count | Quantifier::Sum => Value::Num(count),
            Quantifier::Where | Quantifier::Each => Value::list(found),
            Quantifier::Highest | Quantifier::Lowest => best.map_or(Value::None, Value::Num),
            Quantifier::First => found.pop().unwrap_or_default(),
        }
    }

    fn stat(&mut self, stat: u8, of: &Value, what: Option<&Value>) -> Value {
        if self.depth >= MAX_DEPTH {
            return self.too_deep();
        }
        let (world, depth) = (self.world(), self.depth + STEP);
        // What nothing changes is at hand: the printed number, or 0 where none is ever printed.
        if let (Some(memo), StatDef { base: None, fact, missing, floor, .. }, Value::Card(card)) =
            (self.memo, &self.catalogue.stats[stat as usize], of)
            && self.catalogue.index.stat_rules[stat as usize].is_empty()
            && world.is_quiet(
                memo,
                |masks| masks.stats & (1 << stat) != 0,
                |kind| matches!(kind, ClauseKind::Modify { stat: s, .. } if *s == stat),
            )
        {
            let printed = match fact {
                Some(fact) => self.catalogue.def(self.state.card(*card).def).facts[*fact as usize].or(*missing),
                None => Some(0),
            };
            return printed.map_or(Value::None, |number| Value::Num(floor.map_or(number, |floor| number.max(floor))));
        }
        let key = match what {
            Some(what) => Key::new(Sort::Stat, stat as u16, &[of.clone(), what.clone()]),
            None => Key::new(Sort::Stat, stat as u16, std::slice::from_ref(of)),
        };
        match (self.memo, key) {
            (Some(memo), Some(key)) => {
                memo.recall(key, self.catalogue.index.reads.stats[stat as usize], || stat_at(world, stat, of, what, depth, None))
            }
            _ => stat_at(world, stat, of, what, depth, None),
        }
    }
}

pub(crate) fn zone_of(catalogue: &Catalogue, kind: u8, player: PlayerId) -> ZoneId {
    catalogue.index.zone_of.get(kind as usize).map_or(ZoneId(0), |zones| zones[player.index()])
}

/// The current value of a card or player, or none where it has none.
pub fn stat(world: World<'_>, stat: u8, of: &Value) -> Value {
    stat_at(world, stat, of, None, 0, None)
}

/// The current value of a card or player for something: a player, a place.
pub fn stat_for(world: World<'_>, stat: u8, of: &Value, what: &Value) -> Value {
    stat_at(world, stat, of, Some(what), 0, None)
}

/// A value with its account: the base first, then each modifier in the order in which it counts.
pub fn trace(world: World<'_>, stat: u8, of: &Value, what: Option<&Value>) -> (Value, Vec<TraceLine>) {
    let mut lines = Vec::new();
    let value = stat_at(world, stat, of, what, 0, Some(&mut lines));
    (value, lines)
}

/// A change to a value, and what tells whether it counts beside another one like it.
struct Modifier {
    clause: ClauseId,
    source: Option<CardId>,
    change: Change,
    amount: i32,
    since: u32,
    /// Modifiers of one title and place in its text count once, unless they are cumulative.
    like: Option<(DefId, u16)>,
}

type Modifiers = SmallVec<[Modifier; 8]>;

fn stat_at(world: World<'_>, stat: u8, of: &Value, what: Option<&Value>, depth: u16, trace: Option<&mut Vec<TraceLine>>) -> Value {
    let World { catalogue, state, .. } = world;
    let def = &catalogue.stats[stat as usize];
    let you = match (what, of) {
        (Some(Value::Player(player)), _) | (_, Value::Player(player)) => *player,
        (_, Value::Card(card)) => state.card(*card).controller,
        _ => return Value::None,
    };
    let base = match (def.base, def.fact, of) {
        (Some(base), _, _) => {
            let depth = depth + catalogue.index.depths[base as usize];
            let mut env = Env { me: of.card(), depth, ..Env::new(world, you) };
            env.locals.push(of.clone());
            env.locals.extend(what.cloned());
            env.eval(base)
        }
        (None, Some(fact), Value::Card(card)) => {
            let fact = catalogue.def(state.card(*card).def).facts[fact as usize].or(def.missing);
            fact.map_or(Value::None, Value::Num)
        }
        _ => Value::Num(0),
    };
    let Value::Num(base) = base else { return Value::None };
    let mut modifiers = modifiers(world, stat, of, what, you, depth);
    if catalogue.values == ValuePolicy::TimeOrder {
        only_once(catalogue, &mut modifiers);
        modifiers.sort_by_key(|modifier| (order(modifier.change), modifier.since));
    }
    let total = combined(catalogue.values, base, &modifiers);
    if let Some(lines) = trace {
        lines.push(TraceLine { change: Change::Set, amount: base, source: of.card(), cite: String::new(), says: "printed".into() });
        for modifier in modifiers.iter().filter(|modifier| modifier.amount != 0 || modifier.change != Change::Add) {
            let clause = catalogue.clause(modifier.clause);
            let (cite, says) = (catalogue.cite(clause.cite).to_string(), crate::text::clause_text(catalogue, modifier.clause, |_| None));
            lines.push(TraceLine { change: modifier.change, amount: modifier.amount, source: modifier.source, cite, says });
        }
    }
    Value::Num(def.floor.map_or(total, |floor| total.max(floor)))
}

/// Every modifier that applies: of the rules, of cards, of lasting effects.
fn modifiers(world: World<'_>, stat: u8, of: &Value, what: Option<&Value>, you: PlayerId, depth: u16) -> Modifiers {
    let World { catalogue, state, .. } = world;
    let mut found = Modifiers::new();
    let mut consider = |id: ClauseId, mut env: Env<'_>, source: Option<CardId>, since: u32, like: Option<(DefId, u16)>| {
        let clause = catalogue.clause(id);
        let ClauseKind::Modify { stat: s, who, change, by, cumulative } = clause.kind else { return };
        if s != stat {
            return;
        }
        env.depth = depth + catalogue.index.clause_depths[id as usize];
        env.locals.push(of.clone());
        env.locals.extend(what.cloned());
        if who.is_some_and(|who| !env.test(who)) || clause.when.is_some_and(|when| !env.test(when)) {
            return;
        }
        let Value::Num(amount) = env.eval(by) else { return };
        found.push(Modifier { clause: id, source, change, amount, since, like: like.filter(|_| !cumulative) });
    };
    for &id in &catalogue.index.stat_rules[stat as usize] {
        consider(id, Env { me: of.card(), ..Env::new(world, you) }, None, 0, None);
    }
    world.carriers(
        |masks| masks.stats & (1 << stat) != 0,
        |card| {
            let carrier = state.card(card);
            let def = catalogue.def(carrier.def);
            for (at, &id) in def.clauses.iter().enumerate() {
                let clause = catalogue.clause(id);
                if matches!(clause.kind, ClauseKind::Modify { stat: s, .. } if s == stat)
                    && let Some((me, you)) = in_scope(world, clause.scope, card, depth)
                {
                    let like = Some((carrier.def, at as u16));
                    consider(id, Env::for_card(world, me, Some(card), you), Some(card), carrier.since, like);
                }
            }
            ControlFlow::Continue(())
        },
    );
    for effect in &state.effects {
        let clause = catalogue.clause(effect.clause);
        if matches!(clause.kind, ClauseKind::Modify { stat: s, .. } if s == stat) {
            let like = effect.carrier.map(|def| (def, u16::MAX - effect.clause));
            consider(effect.clause, Env::for_effect(world, effect), effect.source, effect.since, like);
        }
    }
    found
}

/// Of modifiers alike only the strongest stays.
fn only_once(catalogue: &Catalogue, modifiers: &mut Modifiers) {
    let same = |a: &Modifier, b: &Modifier| match (a.like, b.like) {
        (Some((a, x)), Some((b, y))) => x == y && catalogue.def(a).name == catalogue.def(b).name,
        _ => false,
    };
    let mut at = 0;
    while at < modifiers.len() {
        let beaten = modifiers.iter().enumerate().any(|(other, one)| {
            let (mine, theirs) = (modifiers[at].amount.abs(), one.amount.abs());
            other != at && same(one, &modifiers[at]) && (theirs > mine || (theirs == mine && other < at))
        });
        if beaten {
            modifiers.remove(at);
        } else {
            at += 1;
        }
    }
}

/// Limits come last, set values before them, everything else in its time.
fn order(change: Change) -> u8 {
    match change {
        Change::Add | Change::Multiply => 0,
        Change::Set => 1,
        Change::AtLeast => 2,
        Change::AtMost => 3,
    }
}

fn combined(policy: ValuePolicy, base: i32, modifiers: &[Modifier]) -> i32 {
    let mut total = base;
    let mut times = 1i32;
    let mut fixed = None::<i32>;
    for Modifier { change, amount, .. } in modifiers {
        match (policy, change) {
            (_, Change::Add) => total = total.saturating_add(*amount),
            (ValuePolicy::TimeOrder, Change::Multiply) => total = total.saturating_mul(*amount),
            (ValuePolicy::AddMultiplySet, Change::Multiply) => times = times.saturating_mul(*amount),
            // Of several set values the lowest counts, or the last one.
            (ValuePolicy::TimeOrder, Change::Set) => fixed = Some(fixed.map_or(*amount, |before| before.min(*amount))),
            (ValuePolicy::AddMultiplySet, Change::Set) => fixed = Some(*amount),
            (_, Change::AtLeast | Change::AtMost) => {}
        }
    }
    total = fixed.unwrap_or(total.saturating_mul(times));
    for Modifier { change, amount, .. } in modifiers {
        match change {
            Change::AtLeast => total = total.max(*amount),
            Change::AtMost => total = total.min(*amount),
            Change::Add | Change::Multiply | Change::Set => {}
        }
    }
    total
}

/// Whether an ability in this scope works on this card now; then the card it speaks of and the player who has it.
pub(crate) fn in_scope(world: World<'_>, scope: Option<u8>, card: CardId, depth: u16) -> Option<(Option<CardId>, PlayerId)> {
    let World { catalogue, state, memo } = world;
    let controller = state.card(card).controller;
    let Some(scope) = scope else { return Some((Some(card), controller)) };
    if depth >= MAX_DEPTH {
        if let Some(memo) = memo {
            memo.cut();
        }
        return None;
    }
    let find = || {
        let scope = &catalogue.scopes[scope as usize];
        let depth = depth + catalogue.index.depths[scope.test as usize];
        let mut env = Env { depth, ..Env::for_card(world, Some(card), Some(card), controller) };
        env.locals.push(Value::Card(card));
        if let Some(player) = scope.player.and_then(|player| env.player(player)) {
            env.you = player;
        }
        env.test(scope.test).then(|| (env.card(scope.subject), env.you))
    };
    match memo {
        Some(memo) => memo.recall_scope(scope, card, catalogue.index.reads.scopes[scope as usize], find),
        None => find(),
    }
}

/// The clause that forbids something, if any. Between cards "can't" beats "can"; a card beats a rule.
pub(crate) fn forbidder(world: World<'_>, permission: u8, args: &[Value], depth: u16) -> Option<(ClauseId, Option<CardId>)> {
    let World { catalogue, state, memo } = world;
    if depth >= MAX_DEPTH {
        if let Some(memo) = memo {
            memo.cut();
        }
        return None;
    }
    let depth = depth + STEP;
    let matches = |id: ClauseId, mut env: Env<'_>| -> Option<bool> {
        let clause = catalogue.clause(id);
        let ClauseKind::Permit { permission: p, allow, test } = clause.kind else { return None };
        if p != permission {
            return None;
        }
        env.depth = depth + catalogue.index.clause_depths[id as usize];
        env.locals.extend(args.iter().cloned());
        let holds = test.is_none_or(|test| env.test(test)) && clause.when.is_none_or(|when| env.test(when));
        holds.then_some(allow)
    };
    let mut allowed = false;
    let mut forbidding = None;
    world.carriers(
        |masks| masks.permissions & (1 << permission) != 0,
        |card| {
            for &id in &catalogue.def(state.card(card).def).clauses {
                let clause = catalogue.clause(id);
                if !matches!(clause.kind, ClauseKind::Permit { permission: p, .. } if p == permission) {
                    continue;
                }
                let Some((me, you)) = in_scope(world, clause.scope, card, depth) else { continue };
                match matches(id, Env::for_card(world, me, Some(card), you)) {
                    Some(false) => {
                        forbidding = Some((id, Some(card)));
                        return ControlFlow::Break(());
                    }
                    Some(true) => allowed = true,
                    None => {}
                }
            }
            ControlFlow::Continue(())
        },
    );
    if forbidding.is_some() {
        return forbidding;
    }
    for effect in &state.effects {
        match matches(effect.clause, Env::for_effect(world, effect)) {
            Some(false) => return Some((effect.clause, effect.source)),
            Some(true) => allowed = true,
            None => {}
        }
    }
    if allowed {
        return None;
    }
    for &id in &catalogue.index.permission_rules[permission as usize] {
        let you = args.iter().find_map(Value::card).map_or(PlayerId(0), |card| state.card(card).controller);
        let me = args.iter().find_map(Value::card);
        if matches(id, Env::for_card(world, me, None, you)) == Some(false) {
            return Some((id, None));
        }
    }
    None
}

/// What a player may do in a window, in a fixed order.
pub fn moves(world: World<'_>, window: u8, player: PlayerId) -> Vec<Move> {
    moves_at(world, window, player, 0)
}

fn moves_at(world: World<'_>, window: u8, player: PlayerId, depth: u16) -> Vec<Move> {
    let mut found = Vec::new();
    candidates(world, window, player, depth, &mut |candidate| {
        if unmet(world, &candidate, depth).is_none() {
            with_targets(world, candidate, depth, &mut |chosen| found.push(chosen));
        }
    });
    found
}

/// A move once for each second card that it may be done with.
fn with_targets(world: World<'_>, candidate: Move, depth: u16, visit: &mut dyn FnMut(Move)) {
    let catalogue = world.catalogue;
    let Some(to) = &catalogue.ability(candidate.ability).to else { return visit(candidate) };
    let mut env = Env { depth: depth + STEP + catalogue.index.depths[to.list as usize], ..Env::for_move(world, &candidate) };
    let _ = env.each(to.list, &mut |_, value| {
        visit(Move { target: value.card(), ..candidate });
        ControlFlow::Continue(())
    });
}

/// The window whose moves the pending ask offers: the running program says which.
pub fn open_window(world: World<'_>) -> Option<u8> {
    let World { catalogue, state, .. } = world;
    let frame = state.frames.last().filter(|_| state.ask.is_some())?;
    let program = catalogue.procs.get(frame.program as usize)?;
    let Some(Op::Pick { from, .. }) = catalogue.ops.get((program.start + frame.at).checked_sub(1)? as usize) else { return None };
    let window = catalogue.moves_within(*from)?;
    u8::try_from(Env::of_frame(world).num(window)).ok().filter(|window| (*window as usize) < catalogue.windows.len())
}

/// What a player might think of doing in a window but may not, with the reasons.
pub fn refused_moves(world: World<'_>, window: u8, player: PlayerId) -> Vec<(Move, Refusal)> {
    let mut found = Vec::new();
    candidates(world, window, player, 0, &mut |candidate| {
        if let Some(refusal) = why_not(world, &candidate) {
            found.push((candidate, refusal));
        }
    });
    found
}

fn candidates(world: World<'_>, window: u8, player: PlayerId, depth: u16, visit: &mut dyn FnMut(Move)) {
    let World { catalogue, state, .. } = world;
    if depth >= MAX_DEPTH {
        return;
    }
    for &action in &catalogue.index.window_actions[window as usize] {
        match catalogue.ability(action).from {
            None => visit(Move { ability: action, player, card: None, source: None, target: None }),
            Some(from) => {
                let depth = depth + STEP + catalogue.index.depths[from as usize];
                let mut env = Env { depth, ..Env::new(world, player) };
                let _ = env.each(from, &mut |_, value| {
                    visit(Move { ability: action, player, card: value.card(), source: None, target: None });
                    ControlFlow::Continue(())
                });
            }
        }
    }
    let bit = 1u128 << window;
    for &zone in &catalogue.index.act_zones {
        for &card in &state.zones[zone as usize] {
            let carrier = state.card(card);
            if catalogue.masks(carrier.def).windows & bit == 0 {
                continue;
            }
            let def = catalogue.def(carrier.def);
            for &id in &def.abilities {
                let ability = catalogue.ability(id);
                // Most abilities belong to the controller of their card: that is quickly seen.
                let settled = ability.scope.is_none_or(|scope| catalogue.scopes[scope as usize].player.is_none());
                if ability.windows & bit != 0
                    && !(settled && carrier.controller != player)
                    && let Some((me, you)) = in_scope(world, ability.scope, card, depth)
                    && you == player
                {
                    visit(Move { ability: id, player, card: me, source: Some(card), target: None });
                }
            }
        }
    }
}

enum Unmet<'a> {
    Limit(u8),
    Require(&'a Require),
}

fn unmet<'a>(world: World<'a>, candidate: &Move, depth: u16) -> Option<Unmet<'a>> {
    let World { catalogue, state, .. } = world;
    let ability = catalogue.ability(candidate.ability);
    if let Some(period) = ability.limit {
        let source = candidate.source.or(candidate.card);
        let same = |used: &Used| used.ability == candidate.ability && (ability.limit_shared || used.source == source);
        if state.used.iter().any(same) {
            return Some(Unmet::Limit(period));
        }
    }
    let mut env = Env::for_move(world, candidate);
    let unmet = |require: &&Require| {
        env.depth = depth + STEP + catalogue.index.depths[require.test as usize];
        !env.test(require.test)
    };
    ability.requires.iter().find(unmet).map(Unmet::Require)
}

/// Why a move is not legal now; none if it is.
pub fn why_not(world: World<'_>, candidate: &Move) -> Option<Refusal> {
    let catalogue = world.catalogue;
    let ability = catalogue.ability(candidate.ability);
    let Some(unmet) = unmet(world, candidate, 0) else {
        let to = ability.to.as_ref()?;
        let mut none = true;
        with_targets(world, *candidate, 0, &mut |_| none = false);
        let reason = none.then(|| crate::text::render(&mut Env::for_move(world, candidate), to.reason, None))?;
        return Some(Refusal { reason, cite: catalogue.cite(to.cite.or(ability.cite)).into(), card: None });
    };
    match unmet {
        Unmet::Limit(period) => Some(Refusal {
            reason: format!("already used this {}", catalogue.periods[period as usize]),
            cite: catalogue.cite(ability.cite).into(),
            card: candidate.source,
        }),
        Unmet::Require(require) => {
            let mut env = Env::for_move(world, candidate);
            // A permission that is refused names the clause that forbids it.
            if let Expr::May(permission, args) = catalogue.exprs[require.test as usize] {
                let values = env.values(args);
                if let Some((clause, card)) = forbidder(world, permission, &values, 0) {
                    return Some(clause_refusal(world, clause, card, &values, require));
                }
            }
            let reason = crate::text::render(&mut env, require.reason, None);
            Some(Refusal { reason, cite: catalogue.cite(require.cite.or(ability.cite)).into(), card: None })
        }
    }
}

fn clause_refusal(world: World<'_>, clause: ClauseId, card: Option<CardId>, args: &[Value], require: &Require) -> Refusal {
    let World { catalogue, state, .. } = world;
    let clause = catalogue.clause(clause);
    let you = card.map_or(PlayerId(0), |card| state.card(card).controller);
    let mut env = Env::for_card(world, card, card, you).with(args);
    let reason = match (clause.reason, card) {
        (Some(reason), _) => crate::text::render(&mut env, reason, None),
        (None, Some(card)) => {
            format!("{}: {}", catalogue.def(state.card(card).def).title, clause.english)
        }
        (None, None) => crate::text::render(&mut env, require.reason, None),
    };
    Refusal { reason, cite: catalogue.cite(clause.cite.or(require.cite)).into(), card }
}

/// Faults of a deck: each rule of construction that the cards in a player's deck break.
pub fn deck_faults(catalogue: &Catalogue, state: &State, player: PlayerId) -> Vec<Refusal> {
    let mut env = Env::new(World::new(catalogue, state), player);
    let broken = catalogue.deck_rules.iter().filter(|rule| !env.test(rule.test)).collect::<Vec<_>>();
    let mut env = Env::new(World::new(catalogue, state), player);
    broken
        .into_iter()
        .map(|rule| Refusal {
            reason: crate::text::render(&mut env, rule.reason, None),
            cite: catalogue.cite(rule.cite).into(),
            card: None,
        })
        .collect()
}
