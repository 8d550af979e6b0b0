//! From expressions to code: what each sort of expression becomes. Tests are in `branches`, what a card is and how it lies in `kinds`, lists
//! in `lists`; whole pieces are put together in `pieces`, programs in `programs`.

mod branches;
mod kinds;
mod lists;
mod pieces;
mod programs;
mod tidy;

use super::cells::Cell;
use super::code::{ARGS, Called, Code, Constant, Deeper, FIRST_CONSTANT, FREE, ME, Piece, Reg, Site, Step, To, YOU};
use crate::catalogue::{Args, BinOp, Catalogue, Expr, Prop, Quantifier, Within};
use crate::ids::*;
use std::cell::RefCell;
use std::collections::HashMap;
use tidy::tidied;

/// The code of all that is often asked for: functions, clauses, scopes, values, abilities, windows and the expressions of programs.
pub(crate) fn compile(catalogue: &Catalogue, within: &Within) -> Code {
    let stride = catalogue.cards.len().div_ceil(64).max(1);
    let code = Code { pieces: vec![Piece::NONE; catalogue.exprs.len()], stride, ..Code::default() };
    let carriers = kinds::carriers(catalogue, within);
    let mut shelf = Shelf {
        catalogue,
        within,
        code,
        constants: HashMap::new(),
        carriers,
        classes: HashMap::new(),
        roles: HashMap::new(),
        printed: RefCell::default(),
    };
    for expr in roots(catalogue, within) {
        if shelf.code.pieces.get(expr.index()) == Some(&Piece::NONE) {
            shelf.code.pieces[expr.index()] = piece(&mut shelf, expr);
        }
    }
    shelf.code.functions = catalogue.functions.iter().map(|function| shelf.code.pieces[function.body.index()]).collect();
    pieces::legal_moves(&mut shelf);
    pieces::usable(&mut shelf);
    pieces::forbidden(&mut shelf);
    programs::all(&mut shelf);
    shelf.code
}

/// A test of what is printed on a card: what of it, compared how, and with what.
type PrintedTest = (kinds::Of, BinOp, Option<i32>);

/// What all pieces of code share.
struct Shelf<'c> {
    catalogue: &'c Catalogue,
    within: &'c Within,
    code: Code,
    constants: HashMap<Cell, Constant>,
    /// The cards with each word.
    carriers: Vec<Vec<u64>>,
    /// Classes of cards and sets of roles that there are.
    classes: HashMap<Vec<u64>, u16>,
    roles: HashMap<u64, u16>,
    /// The cards of which something printed compares so with something.
    printed: RefCell<HashMap<PrintedTest, Vec<u64>>>,
}

impl Shelf<'_> {
    /// The number of zones that are gone through together; none where there are too many of these.
    fn zones(&mut self, zones: Vec<ZoneId>) -> Option<u16> {
        let all = &mut self.code.zones;
        let at = all.iter().position(|other| *other == zones).unwrap_or_else(|| {
            all.push(zones);
            all.len() - 1
        });
        u16::try_from(at).ok()
    }

    fn constant(&mut self, cell: Cell) -> Constant {
        *self.constants.entry(cell).or_insert_with(|| {
            self.code.constants.push(cell);
            self.code.constants.len() as Constant - 1
        })
    }
}

fn roots(catalogue: &Catalogue, within: &Within) -> Vec<ExprId> {
    let functions = catalogue.functions.iter().enumerate().filter(|(at, _)| within.has_function(*at));
    let mut roots: Vec<ExprId> = functions.map(|(_, function)| function.body).collect();
    roots.extend(catalogue.stats.iter().filter_map(|stat| stat.base));
    roots.extend(catalogue.windows.iter().filter_map(|window| window.until));
    for scope in &catalogue.scopes {
        roots.extend([Some(scope.test), Some(scope.subject), scope.player].into_iter().flatten());
    }
    let clauses = ClauseId::all(catalogue.clauses.len()).zip(&catalogue.clauses);
    roots.extend(clauses.filter(|(id, _)| within.has_clause(*id)).flat_map(|(_, clause)| clause.exprs()));
    let abilities = AbilityId::all(catalogue.abilities.len()).zip(&catalogue.abilities);
    roots.extend(abilities.filter(|(id, _)| within.has_ability(*id)).flat_map(|(_, ability)| ability.exprs()));
    roots
}

/// The code of one expression, put behind what is there.
fn piece(shelf: &mut Shelf<'_>, expr: ExprId) -> Piece {
    let width = shelf.catalogue.index.widths.get(expr.index()).copied().unwrap_or(u16::MAX) as usize;
    if width >= FREE {
        return Piece::NONE;
    }
    let mut compiler = Compiler::new(shelf, width);
    compiler.answer(expr);
    compiler.finish(&[]).map_or(Piece::NONE, |(piece, _)| piece)
}

/// What a register of a program that stands in another one is given.
#[derive(Clone, Copy)]
enum Given {
    At(Reg),
    Constant(Cell),
}

struct Compiler<'s, 'c> {
    catalogue: &'c Catalogue,
    shelf: &'s mut Shelf<'c>,
    steps: Vec<Step>,
    /// The step that each label stands before.
    labels: Vec<To>,
    /// The first place that is free.
    next: Reg,
    /// Where each local of the function lies that is being written.
    locals: Vec<Option<Reg>>,
    /// How deep the functions go that it stands in, and the deepest one's call.
    deeper: Deeper,
    deepest: Deeper,
    /// Where the registers of the program lie, where it is not the one that runs; those that are not there are empty.
    registers: Option<Vec<Given>>,
    /// How many calls there were before.
    sites: usize,
    /// There are too few places: it is walked, or run as it stands.
    failed: bool,
}

impl<'s, 'c> Compiler<'s, 'c> {
    /// For code that is given so many locals.
    fn new(shelf: &'s mut Shelf<'c>, locals: usize) -> Compiler<'s, 'c> {
        let (next, sites) = (locals as Reg, shelf.code.sites.len());
        let locals = (0..next).map(Some).collect();
        let catalogue = shelf.catalogue;
        Compiler {
            catalogue,
            shelf,
            steps: Vec::new(),
            labels: Vec::new(),
            next,
            locals,
            deeper: 0,
            deepest: 0,
            registers: None,
            sites,
            failed: false,
        }
    }

    /// Put the code behind what is there, unless it has too many parts of some sort; and where its labels stand, at some of which it may
    /// be entered.
    fn finish(self, entries: &[To]) -> Option<(Piece, Vec<To>)> {
        let Compiler { shelf, steps, labels, deepest, sites, failed, .. } = self;
        let code = &mut shelf.code;
        if failed || u16::try_from(steps.len().max(labels.len())).is_err() {
            code.sites.truncate(sites);
            return None;
        }
        let (steps, labels) = tidied(steps, labels, entries);
        let start = code.steps.len() as u32;
        code.steps.extend(steps.into_iter().map(|mut step| {
            if let Some(to) = step.to() {
                *to = labels[*to as usize];
            }
            step
        }));
        Some((Piece { start, deepest }, labels))
    }
}

impl Compiler<'_, '_> {
    fn emit(&mut self, step: Step) {
        // A piece with more steps has no code: then no more of it is made.
        if self.steps.len() < To::MAX as usize { self.steps.push(step) } else { self.failed = true }
    }
    fn label(&mut self) -> To {
        // Where there are too many, the code is given up in the end, and no more of it is made.
        let label = self.labels.len() as To;
        self.failed |= self.labels.len() >= To::MAX as usize;
        self.labels.push(0);
        label
    }
    fn here(&mut self, label: To) {
        self.labels[label as usize] = self.steps.len() as To;
    }
    fn fresh(&mut self) -> Reg {
        let reg = self.next;
        if (reg as usize) + 1 >= FREE {
            self.failed = true;
            return reg;
        }
        self.next += 1;
        reg
    }
    fn expr(&self, expr: ExprId) -> Expr {
        self.catalogue.exprs[expr.index()]
    }
    fn is_inlined(&self, function: FunctionId) -> bool {
        self.catalogue.index.inlined[function.index()]
    }

    /// The whole of a piece of code.
    fn answer(&mut self, expr: ExprId) {
        if self.failed {
        } else if self.is_test(expr) {
            let no = self.label();
            self.branch(expr, false, no);
            self.emit(Step::Decide(true));
            self.here(no);
            self.emit(Step::Decide(false));
        } else if let Some(cell) = self.constant(expr) {
            let constant = self.shelf.constant(cell);
            self.emit(Step::Answer(constant));
        } else if let Expr::If(test, a, b) = self.expr(expr) {
            let otherwise = self.label();
            let next = self.next;
            self.branch(test, false, otherwise);
            self.next = next;
            self.answer(a);
            self.here(otherwise);
            self.next = next;
            self.answer(b);
        } else {
            let reg = self.value(expr);
            self.emit(Step::Return(reg));
        }
    }

    fn constant(&self, expr: ExprId) -> Option<Cell> {
        Some(match self.expr(expr) {
            Expr::None => Cell::NONE,
            Expr::Num(number) => Cell::num(number),
            Expr::Bool(value) => Cell::truth_of(value),
            Expr::Word(word) => Cell::of_word(word),
            Expr::Player(player) => Cell::of_player(player),
            Expr::Zone(zone) => Cell::of_zone(zone),
            Expr::Text(text) => Cell::of_text(text),
            Expr::Register(at) => match self.registers.as_ref()?.get(at.index()) {
                Some(Given::Constant(cell)) => *cell,
                Some(Given::At(_)) => return None,
                // Nothing has been put there.
                None => Cell::NONE,
            },
            Expr::ZoneOf(kind, player) => match self.expr(player) {
                Expr::Player(player) => Cell::of_zone(self.catalogue.index.zone_of.get(kind.index())?[player.index()]),
                _ => return None,
            },
            Expr::Prop(Prop::Opponent, player) => match self.expr(player) {
                Expr::Player(player) => Cell::of_player(player.opponent()),
                _ => return None,
            },
            _ => return None,
        })
    }

    /// Whether an expression is true or false by its form.
    fn is_test(&self, expr: ExprId) -> bool {
        match self.expr(expr) {
            Expr::Not(_) | Expr::Is(..) | Expr::Truth(..) | Expr::HasRole(..) | Expr::Carries(..) | Expr::Mentions(..) => true,
            Expr::May(..) | Expr::WindowOver(_) | Expr::AnythingActsIn(_) | Expr::ActsIn(..) => true,
            Expr::Bin(op, ..) => {
                use BinOp::*;
                matches!(op, And | Or | Eq | Ne | Lt | Le | Gt | Ge | In)
            }
            Expr::Quantify(which, ..) => matches!(which, Quantifier::Any | Quantifier::All),
            _ => false,
        }
    }

    /// The window that an expression stands for by its form.
    fn window(&self, expr: ExprId) -> Option<WindowId> {
        self.catalogue.window(self.constant(expr)?.number()?)
    }
    /// Whether nothing can ever be done in a window.
    fn is_idle_window(&self, window: ExprId) -> bool {
        let index = &self.catalogue.index;
        self.window(window).is_some_and(|window| {
            index.usable_actions[window.index()].is_empty() && !index.acting_windows.has(window.index()) && !index.grants_any
        })
    }

    /// Where the value of an expression lies that is there already.
    fn at_hand(&self, expr: ExprId) -> Option<Reg> {
        match self.expr(expr) {
            Expr::Local(at) => self.locals.get(at.index()).copied().flatten(),
            Expr::You => Some(YOU),
            Expr::Me => Some(ME),
            Expr::Register(at) => match self.registers.as_ref()?.get(at.index())? {
                Given::At(reg) => Some(*reg),
                Given::Constant(_) => None,
            },
            _ => None,
        }
    }

    /// Where the value of an expression lies.
    fn value(&mut self, expr: ExprId) -> Reg {
        self.at_hand(expr).unwrap_or_else(|| {
            let reg = self.fresh();
            self.into(expr, reg);
            reg
        })
    }

    /// A call of something with these arguments.
    fn site(&mut self, what: usize, args: Args) -> Site {
        let mut regs = [0; ARGS];
        let slice = self.catalogue.slice(args);
        self.failed |= slice.len() > ARGS;
        for (reg, &arg) in regs.iter_mut().zip(slice) {
            let constant = self.constant(arg).and_then(|cell| Reg::try_from(self.shelf.constant(cell)).ok()?.checked_add(FIRST_CONSTANT));
            *reg = constant.unwrap_or_else(|| self.value(arg));
        }
        let (Ok(what), Ok(count)) = (u16::try_from(what), u8::try_from(slice.len())) else {
            self.failed = true;
            return 0;
        };
        self.shelf.code.sites.push(Called { what, deeper: self.deeper, count, args: regs });
        self.shelf.code.sites.len() as Site - 1
    }

    /// Code that needs places of its own for a while.
    fn meanwhile<T>(&mut self, then: impl FnOnce(&mut Self) -> T) -> T {
        let next = self.next;
        let result = then(self);
        self.next = next;
        result
    }

    fn one(&mut self, a: ExprId, step: impl FnOnce(Reg) -> Step) {
        self.meanwhile(|this| {
            let a = this.value(a);
            this.emit(step(a));
        });
    }
    fn two(&mut self, a: ExprId, b: ExprId, step: impl FnOnce(Reg, Reg) -> Step) {
        self.meanwhile(|this| {
            let (a, b) = (this.value(a), this.value(b));
            this.emit(step(a, b));
        });
    }

    fn put(&mut self, to: Reg, cell: Cell) {
        let step = match cell.number() {
            Some(number) => Step::PutNum(to, number),
            None => Step::Put(to, self.shelf.constant(cell)),
        };
        self.emit(step);
    }

    /// The value of an expression into a place that none of its locals lies in.
    fn into(&mut self, expr: ExprId, to: Reg) {
        if self.failed {
            return;
        }
        if let Some(cell) = self.constant(expr) {
            return self.put(to, cell);
        }
        if self.is_test(expr) {
            let (no, end) = (self.label(), self.label());
            self.branch(expr, false, no);
            self.put(to, Cell::truth_of(true));
            self.emit(Step::Jump(end));
            self.here(no);
            self.put(to, Cell::truth_of(false));
            return self.here(end);
        }
        if let Some(reg) = self.at_hand(expr) {
            return self.emit(Step::Copy(to, reg));
        }
        let deeper = self.deeper;
        match self.expr(expr) {
            Expr::Register(at) if self.registers.is_none() => self.emit(Step::Register(to, at)),
            // It is bound nowhere.
            Expr::Local(_) => self.put(to, Cell::NONE),
            Expr::Var(at) => self.emit(Step::Var(to, at)),
            Expr::Source => self.emit(Step::Source(to)),
            Expr::Option(at) => self.emit(Step::Option(to, at)),
            Expr::ChangesInPlay => self.emit(Step::ChangesInPlay(to)),
            Expr::Neg(a) => self.one(a, |a| Step::Neg(to, a)),
            Expr::If(test, a, b) => {
                let (otherwise, end) = (self.label(), self.label());
                self.branch(test, false, otherwise);
                self.into(a, to);
                self.emit(Step::Jump(end));
                self.here(otherwise);
                self.into(b, to);
                self.here(end);
            }
            Expr::Bin(BinOp::Join, a, b) => self.two(a, b, |a, b| Step::Join(to, a, b)),
            Expr::Bin(BinOp::Without, a, b) => self.two(a, b, |a, b| Step::Without(to, a, b)),
            Expr::Bin(op, a, b) => match (op, self.expr(b)) {
                (BinOp::Add, Expr::Num(0)) if self.is_number(a) => self.into(a, to),
                (BinOp::Add, Expr::Prop(Prop::Size, zone)) if let Expr::ZoneOf(kind, player) = self.expr(zone) => {
                    self.two(a, player, |a, player| Step::AddSizeOf(to, a, player, kind));
                }
                (BinOp::Add, Expr::Num(by)) => self.one(a, |a| Step::Increase(to, a, by)),
                (BinOp::Sub, Expr::Num(by)) if by > 0 => self.one(a, |a| Step::Increase(to, a, -by)),
                (BinOp::Add, _) => self.two(a, b, |a, b| Step::Add(to, a, b)),
                (BinOp::Sub, _) => self.two(a, b, |a, b| Step::Sub(to, a, b)),
                (BinOp::Mul, _) => self.two(a, b, |a, b| Step::Multiply(to, a, b)),
                (BinOp::Max, Expr::Num(least)) => self.one(a, |a| Step::AtLeast(to, a, least)),
                (BinOp::Max, _) if let Expr::Num(least) = self.expr(a) => self.one(b, |b| Step::AtLeast(to, b, least)),
                (BinOp::Max, _) => self.two(a, b, |a, b| Step::Max(to, a, b)),
                _ => self.two(a, b, |a, b| Step::Arithmetic(op, to, a, b)),
            },
            Expr::Stat(stat, of) if self.catalogue.index.settled_stats.has(stat.index()) => {
                self.deepest = self.deepest.max(deeper);
                self.one(of, |of| Step::Printed(to, of, stat));
            }
            Expr::Stat(stat, of) => self.one(of, |of| Step::Stat(to, of, stat, deeper)),
            Expr::StatFor(stat, of, what) => self.two(of, what, |of, what| Step::StatFor(to, of, what, stat, deeper)),
            Expr::Fact(fact, of) => self.one(of, |of| Step::Fact(to, of, fact)),
            Expr::Enum(which, of) => self.one(of, |of| Step::Enum(to, of, which)),
            Expr::Members(which, of) => self.one(of, |of| Step::Members(to, of, which)),
            Expr::Number(field, of) => {
                let floor = self.catalogue.fields[field.index()].floor();
                self.one(of, |of| if floor == 0 { Step::Number(to, of, field) } else { Step::Counter(to, of, field) });
            }
            Expr::Field(field, of) => self.one(of, |of| Step::Field(to, of, field)),
            Expr::PlayerCounter(counter, of) => self.one(of, |of| Step::PlayerCounter(to, of, counter)),
            Expr::PlayerVar(first, of) => self.one(of, |of| Step::PlayerVar(to, of, first)),
            Expr::Prop(prop, of) => self.prop(to, prop, of),
            Expr::Words(card) => self.one(card, |card| Step::Words(to, card)),
            Expr::ZoneOf(kind, player) => self.one(player, |player| Step::ZoneOf(to, player, kind)),
            Expr::Attached(role, card) => self.one(card, |card| Step::Attached(to, card, role)),
            Expr::AllOn(card) => self.one(card, |card| Step::AllOn(to, card)),
            Expr::Quantify(which, list, local, args) => self.quantifier(to, which, list, local, args),
            Expr::Call(function, args) if self.is_inlined(function) => {
                self.in_place(function, args, |this, body| this.into(body, to));
            }
            Expr::Call(function, args) => self.meanwhile(|this| {
                let site = this.site(function.index(), args);
                let kept = this.catalogue.index.kept[function.index()];
                this.emit(if kept { Step::Kept(to, site) } else { Step::Call(to, site) });
            }),
            Expr::List(args) => {
                self.emit(Step::NewList(to));
                for &item in self.catalogue.slice(args) {
                    self.one(item, |item| Step::Push(to, item));
                }
            }
            Expr::Range(low, high) => self.two(low, high, |low, high| Step::Range(to, low, high)),
            Expr::Moves(window, player) => self.two(window, player, |window, player| Step::Moves(to, window, player, deeper)),
            Expr::Waiting(class, player) => self.two(class, player, |class, player| Step::Waiting(to, class, player)),
            // No list is made for one item of it.
            Expr::Item(list, at) => match self.expr(list) {
                Expr::Prop(Prop::Cards, zone) => self.two(zone, at, |zone, at| Step::CardAt(to, zone, at)),
                Expr::Register(list) if self.registers.is_none() => self.one(at, |at| Step::ItemOfRegister(to, at, list)),
                _ => self.two(list, at, |list, at| Step::Item(to, list, at)),
            },
            Expr::Brings(head, card) => self.two(head, card, |head, card| Step::Brings(to, head, card)),
            Expr::Native(native, args) => self.meanwhile(|this| {
                let site = this.site(native.into(), args);
                this.emit(Step::Native(to, site));
            }),
            // These are constants, at hand, or tests, which have been seen to.
            Expr::Register(_) => {}
            Expr::None | Expr::Num(_) | Expr::Bool(_) | Expr::Word(_) | Expr::Player(_) | Expr::Zone(_) | Expr::Text(_) => {}
            Expr::Me | Expr::You => {}
            Expr::Not(_) | Expr::Truth(..) | Expr::Is(..) | Expr::Carries(..) | Expr::Mentions(..) | Expr::HasRole(..) => {}
            Expr::May(..) | Expr::WindowOver(_) | Expr::AnythingActsIn(_) | Expr::ActsIn(..) => {}
        }
    }

    fn prop(&mut self, to: Reg, prop: Prop, of: ExprId) {
        match (prop, self.expr(of)) {
            (Prop::Size, Expr::Quantify(Quantifier::Where | Quantifier::Each, ..)) => self.each_counted(of, to),
            (Prop::Size, Expr::Waiting(class, player)) => self.two(class, player, |class, player| Step::CountWaiting(to, class, player)),
            (Prop::Size, Expr::ZoneOf(kind, player)) => self.one(player, |player| Step::SizeOf(to, player, kind)),
            _ => self.one(of, |of| match prop {
                Prop::Owner => Step::Owner(to, of),
                Prop::Controller => Step::Controller(to, of),
                Prop::Parent => Step::Parent(to, of),
                Prop::Name => Step::Name(to, of),
                Prop::Root => Step::Root(to, of),
                Prop::Position => Step::Position(to, of),
                Prop::Facedown => Step::Facedown(to, of),
                Prop::Cards => Step::Cards(to, of),
                Prop::Last => Step::Last(to, of),
                Prop::Opponent => Step::Opponent(to, of),
                Prop::Size => Step::Size(to, of),
                _ => Step::Prop(to, prop, of),
            }),
        }
    }

    /// Whether an expression is a number by its form, and never none.
    fn is_number(&self, expr: ExprId) -> bool {
        match self.expr(expr) {
            Expr::Num(_) | Expr::Quantify(Quantifier::Count | Quantifier::Sum, ..) => true,
            Expr::Prop(Prop::Size, zone) => match self.expr(zone) {
                Expr::ZoneOf(_, player) => matches!(self.expr(player), Expr::You | Expr::Player(_)),
                zone => matches!(zone, Expr::Zone(_)),
            },
            Expr::Bin(BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::Min | BinOp::Max, a, b) => self.is_number(a) && self.is_number(b),
            _ => false,
        }
    }

    /// A function in place of its call: its arguments lie where they are worked out.
    fn in_place(&mut self, function: FunctionId, args: Args, then: impl FnOnce(&mut Self, ExprId)) {
        let next = self.next;
        let locals: Vec<Option<Reg>> = self.catalogue.slice(args).iter().map(|&arg| Some(self.value(arg))).collect();
        let outer = (std::mem::replace(&mut self.locals, locals), self.deeper);
        self.deepest = self.deepest.max(self.deeper);
        self.deeper = self.deeper.saturating_add(self.catalogue.index.call_depth(function));
        then(self, self.catalogue.functions[function.index()].body);
        (self.locals, self.deeper) = outer;
        self.next = next;
    }

    fn with_local<T>(&mut self, local: LocalId, reg: Reg, then: impl FnOnce(&mut Self) -> T) -> T {
        if self.locals.len() <= local.index() {
            self.locals.resize(local.index() + 1, None);
        }
        let before = self.locals[local.index()].replace(reg);
        let result = then(self);
        self.locals[local.index()] = before;
        result
    }
}
