//! Expressions walked as they stand, part by part: slow, short, and what the compiled code is held to.

use super::cells::Cell;
use super::{Eval, MAX_DEPTH, Place};
use crate::catalogue::{Args, BinOp, Expr, Quantifier};
use crate::ids::*;
use crate::value::CardId;
use smallvec::SmallVec;

impl Eval<'_> {
    /// What an expression is worth, with these values as its first locals.
    pub(super) fn walk_from(&mut self, place: &Place<'_>, locals: &[Cell], expr: ExprId) -> Cell {
        let (base, len) = (self.desk.base, self.desk.locals.len());
        self.desk.locals.extend_from_slice(locals);
        self.desk.base = len;
        let value = self.walk(place, expr);
        self.desk.base = base;
        self.desk.locals.truncate(len);
        value
    }

    fn walk_card(&mut self, place: &Place<'_>, expr: ExprId) -> Option<CardId> {
        self.walk(place, expr).card()
    }
    fn holds(&mut self, place: &Place<'_>, expr: ExprId) -> bool {
        self.walk(place, expr).truth()
    }
    fn all(&mut self, place: &Place<'_>, args: Args) -> SmallVec<[Cell; 8]> {
        self.catalogue.slice(args).iter().map(|&arg| self.walk(place, arg)).collect()
    }

    /// One flat match, an arm for each expression.
    fn walk(&mut self, place: &Place<'_>, expr: ExprId) -> Cell {
        let of_card = |card: Option<CardId>, then: &mut dyn FnMut(CardId) -> Cell| card.map_or(Cell::NONE, then);
        match self.catalogue.exprs[expr.index()] {
            Expr::None => Cell::NONE,
            Expr::Num(number) => Cell::num(number),
            Expr::Bool(value) => Cell::truth_of(value),
            Expr::Word(word) => Cell::of_word(word),
            Expr::Player(player) => Cell::of_player(player),
            Expr::Zone(zone) => Cell::of_zone(zone),
            Expr::Text(text) => Cell::of_text(text),
            Expr::Register(at) => place.registers.get(at.index()).map_or(Cell::NONE, |value| self.desk.heap.read(value)),
            Expr::Local(at) => self.desk.locals.get(self.desk.base + at.index()).copied().unwrap_or_default(),
            Expr::Var(at) => self.desk.heap.read(&self.state.vars[at.index()]),
            Expr::Me => place.me.into(),
            Expr::Source => place.source.into(),
            Expr::You => Cell::of_player(place.you),
            Expr::Option(at) => Cell::num(self.state.options[at.index()] as i32),
            Expr::ChangesInPlay => self.changes_in_play(),
            Expr::Not(a) => Cell::truth_of(!self.holds(place, a)),
            Expr::Neg(a) => self.walk(place, a).number().map_or(Cell::NONE, |number| Cell::num(number.saturating_neg())),
            Expr::Bin(op, a, b) => self.walk_binary(place, op, a, b),
            Expr::If(test, a, b) => {
                let then = if self.holds(place, test) { a } else { b };
                self.walk(place, then)
            }
            Expr::Stat(stat, of) => {
                let of = self.walk(place, of);
                self.stat(stat, of, None, place.depth)
            }
            Expr::StatFor(stat, of, what) => {
                let (of, what) = (self.walk(place, of), self.walk(place, what));
                self.stat(stat, of, Some(what), place.depth)
            }
            Expr::Fact(fact, of) => of_card(self.walk_card(place, of), &mut |card| self.fact(card, fact)),
            Expr::Enum(which, of) => of_card(self.walk_card(place, of), &mut |card| self.member(card, which)),
            Expr::Members(which, of) => of_card(self.walk_card(place, of), &mut |card| self.members(card, which)),
            Expr::Truth(field, of) => Cell::truth_of(self.walk_card(place, of).is_some_and(|card| self.has_truth(card, field))),
            Expr::Field(field, of) => of_card(self.walk_card(place, of), &mut |card| self.remembered(card, field)),
            Expr::Number(field, of) => of_card(self.walk_card(place, of), &mut |card| Cell::num(self.number_of(card, field))),
            Expr::PlayerVar(first, of) => match self.walk(place, of).player() {
                Some(player) => self.desk.heap.read(&self.state.vars[first.index() + player.index()]),
                None => Cell::NONE,
            },
            Expr::PlayerCounter(counter, of) => match self.walk(place, of).player() {
                Some(player) => Cell::num(self.state.tally(player, counter)),
                None => Cell::NONE,
            },
            Expr::Prop(prop, of) => {
                let of = self.walk(place, of);
                self.prop(prop, of)
            }
            Expr::HasRole(card, role) => Cell::truth_of(self.walk_card(place, card).is_some_and(|card| self.has_role(card, role))),
            Expr::Is(card, word) => Cell::truth_of(self.walk_card(place, card).is_some_and(|card| self.is(card, word))),
            Expr::Carries(card, word) => {
                let (word, card) = (self.walk(place, word).word(), self.walk_card(place, card));
                Cell::truth_of(card.zip(word).is_some_and(|(card, word)| self.is(card, word)))
            }
            Expr::Words(card) => of_card(self.walk_card(place, card), &mut |card| self.words(card)),
            Expr::Mentions(print, card, word) => {
                let (word, card) = (self.walk(place, word).word(), self.walk_card(place, card));
                Cell::truth_of(card.zip(word).is_some_and(|(card, word)| self.mentions(print, card, word)))
            }
            Expr::ZoneOf(kind, player) => match self.walk(place, player).player() {
                Some(player) => Cell::of_zone(self.zone_of(kind, player)),
                None => Cell::NONE,
            },
            Expr::Attached(role, to) => match self.walk_card(place, to) {
                Some(to) => self.attached(to, role),
                None => self.desk.heap.new_list(),
            },
            Expr::AllOn(on) => match self.walk_card(place, on) {
                Some(on) => self.all_on(on),
                None => self.desk.heap.new_list(),
            },
            Expr::Quantify(which, list, local, args) => self.walk_quantifier(place, which, list, local, args),
            Expr::Call(function, args) => self.walk_call(place, function, args),
            Expr::List(args) => {
                let items = self.all(place, args);
                self.desk.heap.list_of(items)
            }
            Expr::Range(low, high) => {
                let (low, high) = (self.walk(place, low).count(), self.walk(place, high).count());
                self.range(low, high)
            }
            Expr::May(permission, args) => {
                let args = self.all(place, args);
                Cell::truth_of(self.may(permission, &args, place.depth))
            }
            Expr::Moves(window, player) => {
                let (window, player) = (self.walk(place, window), self.walk(place, player));
                self.moves_in(window, player, place.depth)
            }
            Expr::Waiting(class, player) => {
                let (class, player) = (self.walk(place, class), self.walk(place, player));
                self.waiting(class, player)
            }
            Expr::Item(list, at) => {
                let (at, list) = (self.walk(place, at), self.walk(place, list));
                self.item(list, at)
            }
            Expr::AnythingActsIn(window) => {
                let window = self.walk(place, window);
                Cell::truth_of(self.anything_acts_in(window, place.depth))
            }
            Expr::WindowOver(window) => {
                let window = self.walk(place, window);
                Cell::truth_of(self.window_over(place, window))
            }
            Expr::ActsIn(card, window) => {
                let (window, card) = (self.walk(place, window), self.walk(place, card));
                Cell::truth_of(self.acts_in(card, window, place.depth))
            }
            Expr::Brings(head, card) => {
                let (head, card) = (self.walk(place, head), self.walk(place, card));
                self.brings(head, card)
            }
            Expr::Native(native, args) => {
                let args = self.all(place, args);
                self.native(native, &args)
            }
        }
    }

    fn walk_binary(&mut self, place: &Place<'_>, op: BinOp, a: ExprId, b: ExprId) -> Cell {
        match op {
            BinOp::And => return Cell::truth_of(self.holds(place, a) && self.holds(place, b)),
            BinOp::Or => return Cell::truth_of(self.holds(place, a) || self.holds(place, b)),
            _ => {}
        }
        let (a, b) = (self.walk(place, a), self.walk(place, b));
        match op {
            BinOp::In => Cell::truth_of(self.is_in(a, b)),
            BinOp::Eq => Cell::truth_of(self.desk.heap.same(a, b)),
            BinOp::Ne => Cell::truth_of(!self.desk.heap.same(a, b)),
            BinOp::Join => self.join(a, b),
            BinOp::Without => self.without(a, b),
            BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge => Cell::truth_of(Eval::compares(op, a, b)),
            BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::Div | BinOp::Min | BinOp::Max => Eval::arithmetic(op, a, b),
            BinOp::And | BinOp::Or => Cell::NONE,
        }
    }

    fn walk_call(&mut self, place: &Place<'_>, function: FunctionId, args: Args) -> Cell {
        let body = self.catalogue.functions[function.index()].body;
        let deeper = self.catalogue.index.call_depth(function);
        if place.depth >= MAX_DEPTH {
            return self.too_deep();
        }
        let args = self.all(place, args);
        self.walk_from(&place.deeper(deeper), &args, body)
    }

    fn bind<T>(&mut self, local: LocalId, value: Cell, then: impl FnOnce(&mut Self) -> T) -> T {
        let at = self.desk.base + local.index();
        if self.desk.locals.len() <= at {
            self.desk.locals.resize(at + 1, Cell::NONE);
        }
        let before = std::mem::replace(&mut self.desk.locals[at], value);
        let result = then(self);
        self.desk.locals[at] = before;
        result
    }

    fn walk_quantifier(&mut self, place: &Place<'_>, which: Quantifier, list: ExprId, local: LocalId, args: Args) -> Cell {
        let slice = self.catalogue.slice(args);
        let (test, value) = (slice[0], slice.get(1).copied());
        let list = self.walk(place, list);
        let found = self.desk.heap.new_list();
        let (mut count, mut best) = (0i32, Cell::NONE);
        for at in 0..self.desk.heap.items(list).len() {
            let item = self.desk.heap.items(list)[at];
            let holds = self.bind(local, item, |eval| eval.holds(place, test));
            match which {
                Quantifier::Any if holds => return Cell::truth_of(true),
                Quantifier::All if !holds => return Cell::truth_of(false),
                Quantifier::First if holds => return item,
                Quantifier::Count if holds => count += 1,
                Quantifier::Where if holds => self.desk.heap.push(found, item),
                Quantifier::Sum | Quantifier::Each | Quantifier::Highest | Quantifier::Lowest if holds => {
                    let value = value.map_or(item, |value| self.bind(local, item, |eval| eval.walk(place, value)));
                    match which {
                        Quantifier::Sum => count = count.saturating_add(value.count()),
                        Quantifier::Each => self.desk.heap.push(found, value),
                        _ => best = Eval::better(which, best, value),
                    }
                }
                _ => {}
            }
        }
        match which {
            Quantifier::Any => Cell::truth_of(false),
            Quantifier::All => Cell::truth_of(true),
            Quantifier::Count | Quantifier::Sum => Cell::num(count),
            Quantifier::Where | Quantifier::Each => found,
            Quantifier::Highest | Quantifier::Lowest => best,
            Quantifier::First => Cell::NONE,
        }
    }
}
