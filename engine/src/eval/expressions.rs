//! Expressions: what each one is worth in its place.

use super::{Env, MAX_DEPTH};
use crate::catalogue::{Args, BinOp, Catalogue, Expr, FieldSort, Print, Prop, Quantifier};
use crate::ids::*;
use crate::memo::{Key, Sort};
use crate::state::ATTACHED;
use crate::text;
use crate::value::{CardId, PlayerId, Value};
use smallvec::SmallVec;
use std::ops::ControlFlow;

/// Where a function was called from.
pub(super) struct Outer {
    pub(super) base: usize,
    len: usize,
    depth: u16,
}

impl Env<'_> {
    pub fn test(&mut self, expr: ExprId) -> bool {
        match self.catalogue.exprs[expr.index()] {
            Expr::Bool(value) => value,
            Expr::Bin(BinOp::And, a, b) => self.test(a) && self.test(b),
            Expr::Bin(BinOp::Or, a, b) => self.test(a) || self.test(b),
            Expr::Not(a) => !self.test(a),
            Expr::Is(card, word) => self.card(card).is_some_and(|card| self.is(card, word)),
            Expr::Truth(field, card) => self.card(card).is_some_and(|card| self.state.number(card, field).is_some()),
            Expr::HasRole(card, role) => self.has_role(card, role),
            Expr::Call(function, args) if self.depth < MAX_DEPTH && !self.remembers(function) => {
                let body = self.catalogue.functions[function.index()].body;
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
        match self.catalogue.exprs[expr.index()] {
            Expr::Num(number) => Some(number),
            Expr::Number(field, of) => self.card(of).map(|card| self.number_of(card, field)),
            Expr::Bin(BinOp::Add, a, b) => Some(self.number(a)?.saturating_add(self.number(b)?)),
            Expr::Bin(BinOp::Sub, a, b) => Some(self.number(a)?.saturating_sub(self.number(b)?)),
            Expr::Quantify(Quantifier::Count, list, ..)
                if self.state.waiting.is_empty() && matches!(self.catalogue.exprs[list.index()], Expr::Waiting(..)) =>
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
        if let Expr::Prop(prop @ (Prop::Controller | Prop::Zone), of) = self.catalogue.exprs[a.index()] {
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
            (self.catalogue.exprs[a.index()], self.catalogue.exprs[b.index()])
        {
            let (of, other) = (self.card(of), self.card(other));
            let name = |card: CardId| self.catalogue.def(self.state.card(card).def).name;
            return of.and_then(name) == other.and_then(name);
        }
        if let (Expr::Number(field, of), Expr::Num(number)) = (self.catalogue.exprs[a.index()], self.catalogue.exprs[b.index()]) {
            return self.card(of).is_some_and(|card| self.number_of(card, field) == number);
        }
        self.eval(a) == self.eval(b)
    }

    pub fn num(&mut self, expr: ExprId) -> i32 {
        match self.catalogue.exprs[expr.index()] {
            Expr::Num(number) => number,
            _ => self.eval(expr).num(),
        }
    }

    pub fn card(&mut self, expr: ExprId) -> Option<CardId> {
        match self.catalogue.exprs[expr.index()] {
            Expr::Local(at) => self.locals.get(self.base + at.index()).and_then(Value::card),
            Expr::Register(at) => self.registers.get(at.index()).and_then(Value::card),
            Expr::Me => self.me,
            Expr::Source => self.source,
            Expr::Prop(Prop::Parent, of) => self.card(of).and_then(|card| self.state.card(card).parent),
            Expr::Prop(Prop::Root, of) => self.card(of).map(|card| self.state.root(card)),
            _ => self.eval(expr).card(),
        }
    }

    pub fn player(&mut self, expr: ExprId) -> Option<PlayerId> {
        match self.catalogue.exprs[expr.index()] {
            Expr::You => Some(self.you),
            Expr::Player(player) => Some(player),
            Expr::Local(at) => self.locals.get(self.base + at.index()).and_then(Value::player),
            Expr::Register(at) => self.registers.get(at.index()).and_then(Value::player),
            Expr::Var(at) => self.state.vars[at.index()].player(),
            Expr::Prop(Prop::Controller, of) => self.card(of).map(|card| self.state.card(card).controller),
            Expr::Prop(Prop::Owner, of) => self.card(of).map(|card| self.state.card(card).owner),
            Expr::Prop(Prop::Opponent, of) => self.player(of).map(PlayerId::opponent),
            _ => self.eval(expr).player(),
        }
    }

    /// A counter or number of a card.
    #[inline]
    fn number_of(&self, card: CardId, field: FieldId) -> i32 {
        self.state.number(card, field).unwrap_or_else(|| self.catalogue.fields[field.index()].floor())
    }

    fn remembered(&self, card: CardId, field: FieldId) -> Value {
        match self.state.remembered(card, field) {
            Some(value) => value.clone(),
            None if self.catalogue.fields[field.index()].sort == FieldSort::List => Value::list(Vec::new()),
            None => Value::None,
        }
    }

    fn has_role(&mut self, card: ExprId, role: RoleId) -> bool {
        self.card(card).map(|card| self.state.card(card)).is_some_and(|card| card.zone == ATTACHED && card.role == role)
    }

    pub fn is(&self, card: CardId, word: WordId) -> bool {
        self.catalogue.index.words.has(self.state.card(card).def.index(), word.index())
    }

    fn word(&mut self, expr: ExprId) -> Option<WordId> {
        if let Value::Word(word) = self.eval(expr) { Some(word) } else { None }
    }

    /// Whether a word stands in a part of what is printed on a card.
    fn mentions(&self, print: Print, card: CardId, word: WordId) -> bool {
        let def = self.catalogue.def(self.state.card(card).def);
        match print {
            Print::Title => text::has_word(&def.title, self.catalogue.word(word)),
            Print::Text => def.text.iter().any(|line| text::has_word(line, self.catalogue.word(word))),
            Print::Lore => def.lore.contains(&word),
        }
    }

    /// One flat match, an arm for each expression: what needs more than a few lines is a method.
    pub fn eval(&mut self, expr: ExprId) -> Value {
        match self.catalogue.exprs[expr.index()] {
            Expr::None => Value::None,
            Expr::Num(number) => Value::Num(number),
            Expr::Bool(value) => Value::Bool(value),
            Expr::Word(word) => Value::Word(word),
            Expr::Player(player) => Value::Player(player),
            Expr::Zone(zone) => Value::Zone(zone),
            Expr::Text(text) => Value::Text(text),
            Expr::Register(at) => self.registers.get(at.index()).cloned().unwrap_or_default(),
            Expr::Local(at) => self.locals.get(self.base + at.index()).cloned().unwrap_or_default(),
            Expr::Var(at) => self.state.vars[at.index()].clone(),
            Expr::Me => self.me.into(),
            Expr::Source => self.source.into(),
            Expr::You => Value::Player(self.you),
            Expr::Option(at) => Value::Num(self.state.options[at.index()] as i32),
            Expr::ChangesInPlay => Value::Num((self.state.changes_in_play & 0x7fff_ffff) as i32),
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
                let fact = self.catalogue.def(self.state.card(card).def).facts[fact.index()];
                fact.map_or(Value::None, Value::Num)
            }),
            Expr::Enum(which, of) => self.card(of).map_or(Value::None, |card| {
                let def = self.state.card(card).def.index();
                let member = self.catalogue.index.members[def * self.catalogue.enums.len() + which.index()];
                member.map_or(Value::None, Value::Word)
            }),
            Expr::Members(which, of) => self.card(of).map_or(Value::None, |card| {
                let members = &self.catalogue.enums[which.index()].members;
                let words = &self.catalogue.def(self.state.card(card).def).words;
                Value::list(words.iter().filter(|word| members.contains(word)).map(|word| Value::Word(*word)).collect())
            }),
            Expr::Truth(field, of) => Value::Bool(self.card(of).is_some_and(|card| self.state.number(card, field).is_some())),
            Expr::Field(field, of) => self.card(of).map_or(Value::None, |card| self.remembered(card, field)),
            Expr::PlayerVar(first, of) => match self.player(of) {
                Some(player) => self.state.vars[first.index() + player.index()].clone(),
                None => Value::None,
            },
            Expr::Number(field, of) => match self.card(of) {
                Some(card) => Value::Num(self.number_of(card, field)),
                None => Value::None,
            },
            Expr::PlayerCounter(counter, of) => match self.player(of) {
                Some(player) => Value::Num(self.state.tally(player, counter)),
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
            Expr::Carries(card, word) => {
                let word = self.word(word);
                Value::Bool(self.card(card).zip(word).is_some_and(|(card, word)| self.is(card, word)))
            }
            Expr::Words(card) => self.card(card).map_or(Value::None, |card| {
                let words = &self.catalogue.def(self.state.card(card).def).words;
                Value::list(words.iter().map(|word| Value::Word(*word)).collect())
            }),
            Expr::Mentions(print, card, word) => {
                let word = self.word(word);
                Value::Bool(self.card(card).zip(word).is_some_and(|(card, word)| self.mentions(print, card, word)))
            }
            Expr::Is(card, word) => Value::Bool(self.card(card).is_some_and(|card| self.is(card, word))),
            Expr::ZoneOf(kind, player) => match self.player(player) {
                Some(player) => Value::Zone(zone_of(self.catalogue, kind, player)),
                None => Value::None,
            },
            Expr::Attached(role, to) => match self.card(to) {
                Some(to) => Value::list(self.state.attached(to, role).map(Value::Card).collect()),
                None => Value::list(Vec::new()),
            },
            Expr::AllOn(on) => match self.card(on) {
                Some(on) => Value::list(self.state.all_on(on).map(Value::Card).collect()),
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
            Expr::May(permission, args) => self.may(permission, args),
            Expr::Moves(window, player) => self.moves(window, player),
            Expr::Waiting(class, player) => self.waiting(class, player),
            Expr::Item(list, at) => {
                let at = self.num(at).max(0) as usize;
                match self.at_hand(list) {
                    Some(items) => items.get(at).cloned().unwrap_or_default(),
                    None => self.eval(list).items().get(at).cloned().unwrap_or_default(),
                }
            }
            Expr::AnythingActsIn(window) => self.anything_acts_in(window),
            Expr::WindowOver(window) => self.window_over(window),
            Expr::ActsIn(card, window) => self.acts_in(card, window),
            Expr::Brings(head, card) => self.brings(head, card),
            Expr::Native(native, args) => {
                let values = self.values(args);
                crate::native::query(self, native, &values)
            }
        }
    }

    pub(super) fn values(&mut self, args: Args) -> SmallVec<[Value; 4]> {
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
            (Prop::Role, Value::Card(card)) => Value::Num(state.card(card).role.index() as i32),
            (Prop::Name, Value::Card(card)) => self.catalogue.def(state.card(card).def).name.map_or(Value::None, Value::Word),
            (Prop::MoveCard, Value::Move(m)) => m.card.into(),
            (Prop::MoveCard, Value::Trigger(serial)) => {
                state.waiting.iter().find(|w| w.serial == serial).map_or(Value::None, |w| w.source.into())
            }
            (Prop::MoveSource, Value::Move(m)) => m.source.into(),
            (Prop::Root, Value::Card(card)) => Value::Card(state.root(card)),
            (Prop::Position, Value::Card(card)) => {
                let zone = state.card(card).zone;
                let live = self.catalogue.zones[zone.index()].live;
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

    /// How many copies of a card come into a deck with another one.
    fn brings(&mut self, head: ExprId, card: ExprId) -> Value {
        match (self.card(head), self.card(card)) {
            (Some(head), Some(card)) => {
                let card = self.state.card(card).def;
                let brought = self.catalogue.def(self.state.card(head).def).brings.iter().find(|(def, _)| *def == card);
                Value::Num(brought.map_or(0, |(_, copies)| *copies as i32))
            }
            _ => Value::None,
        }
    }

    fn call(&mut self, function: FunctionId, args: Args) -> Value {
        if self.depth >= MAX_DEPTH {
            return self.too_deep();
        }
        let body = self.catalogue.functions[function.index()].body;
        let outer = self.enter(body, args);
        let key = if self.remembers(function) { Key::new(Sort::Call, function.index(), &self.locals[self.base..]) } else { None };
        let result = match (self.memo, key) {
            (Some(memo), Some(key)) => memo.recall(key, self.catalogue.index.reads.functions[function.index()], || self.eval(body)),
            _ => self.eval(body),
        };
        self.leave(outer);
        result
    }

    /// Whether the answers of a function are worth keeping.
    pub(super) fn remembers(&self, function: FunctionId) -> bool {
        self.memo.is_some() && self.catalogue.index.kept[function.index()]
    }

    pub(super) fn too_deep(&self) -> Value {
        if let Some(memo) = self.memo {
            memo.cut();
        }
        Value::None
    }

    /// Open a function: its arguments become its first locals. Tests and their own locals come and go above.
    pub(super) fn enter(&mut self, body: ExprId, args: Args) -> Outer {
        let (base, len, depth) = (self.base, self.locals.len(), self.depth);
        let catalogue = self.catalogue;
        for &arg in catalogue.slice(args) {
            let value = self.eval(arg);
            self.locals.push(value);
        }
        self.base = len;
        self.depth += self.catalogue.index.depths[body.index()];
        Outer { base, len, depth }
    }

    pub(super) fn leave(&mut self, outer: Outer) {
        self.depth = outer.depth;
        self.base = outer.base;
        self.locals.truncate(outer.len);
    }
}

fn zone_of(catalogue: &Catalogue, kind: ZoneKindId, player: PlayerId) -> ZoneId {
    catalogue.index.zone_of.get(kind.index()).map_or(ZoneId::default(), |zones| zones[player.index()])
}
