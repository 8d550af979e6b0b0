//! From expressions to code.

use super::cells::Cell;
use super::code::{Code, Deeper, NO_CODE, REGS, Reg, Step, To};
use crate::catalogue::{Args, BinOp, Catalogue, ClauseKind, Expr, Prop, Quantifier};
use crate::ids::*;

/// The code of all that is often asked for: functions, clauses, scopes, values, abilities, windows and the expressions of programs.
pub(crate) fn compile(catalogue: &Catalogue) -> Code {
    let mut code = Code { steps: Vec::new(), starts: vec![NO_CODE; catalogue.exprs.len()], deepest: vec![0; catalogue.exprs.len()] };
    for expr in roots(catalogue) {
        if code.starts.get(expr.index()) == Some(&NO_CODE) {
            (code.starts[expr.index()], code.deepest[expr.index()]) = chunk(catalogue, expr, &mut code.steps);
        }
    }
    code
}

fn roots(catalogue: &Catalogue) -> Vec<ExprId> {
    let mut roots: Vec<ExprId> = catalogue.functions.iter().map(|function| function.body).collect();
    roots.extend(catalogue.stats.iter().filter_map(|stat| stat.base));
    roots.extend(catalogue.windows.iter().filter_map(|window| window.until));
    for scope in &catalogue.scopes {
        roots.extend([Some(scope.test), Some(scope.subject), scope.player].into_iter().flatten());
    }
    for clause in &catalogue.clauses {
        let own = match clause.kind {
            ClauseKind::Modify { who, by, .. } => [who, Some(by)],
            ClauseKind::Permit { test, .. } | ClauseKind::Trigger { test, .. } | ClauseKind::Replace { test, .. } => [test, None],
            ClauseKind::Grant { who, .. } => [Some(who), None],
        };
        roots.extend(own.into_iter().chain([clause.when]).flatten());
    }
    for ability in &catalogue.abilities {
        roots.extend(ability.from);
        roots.extend(ability.to.as_ref().map(|to| to.list));
        roots.extend(ability.requires.iter().map(|require| require.test));
        roots.extend([ability.worth, ability.usual].into_iter().flatten());
    }
    catalogue.ops.iter().for_each(|op| op.exprs(catalogue, &mut |expr| roots.push(expr)));
    roots
}

/// The code of one expression, put behind what is there; where it starts, or that there is none, and how deep it goes.
fn chunk(catalogue: &Catalogue, expr: ExprId, steps: &mut Vec<Step>) -> (u32, Deeper) {
    let width = catalogue.index.widths.get(expr.index()).copied().unwrap_or(u16::MAX) as usize;
    let Ok(next) = u8::try_from(width) else { return (NO_CODE, 0) };
    let locals = (0..next).map(Some).collect();
    let failed = width >= REGS;
    let mut compiler = Compiler { catalogue, steps: Vec::new(), labels: Vec::new(), next, locals, deeper: 0, deepest: 0, failed };
    compiler.answer(expr);
    if compiler.failed {
        return (NO_CODE, 0);
    }
    let deepest = compiler.deepest;
    let start = steps.len() as u32;
    let labels: Vec<u32> = compiler.labels.iter().map(|label| start + label).collect();
    steps.extend(compiler.steps.into_iter().map(|mut step| {
        if let Some(to) = step.to() {
            *to = labels[*to as usize];
        }
        step
    }));
    (start, deepest)
}

struct Compiler<'c> {
    catalogue: &'c Catalogue,
    steps: Vec<Step>,
    /// The step that each label stands before.
    labels: Vec<u32>,
    /// The first place that is free.
    next: Reg,
    /// Where each local of the function lies that is being written.
    locals: Vec<Option<Reg>>,
    /// How deep the functions go that it stands in, and the deepest one's call.
    deeper: Deeper,
    deepest: Deeper,
    /// There are too few places: the expression is walked.
    failed: bool,
}

/// What is done with each item of a list: given the label where the next one starts.
type Body<'b> = &'b mut dyn FnMut(&mut Compiler<'_>, To);

impl Compiler<'_> {
    fn emit(&mut self, step: Step) {
        self.steps.push(step);
    }
    fn label(&mut self) -> To {
        self.labels.push(0);
        self.labels.len() as To - 1
    }
    fn here(&mut self, label: To) {
        self.labels[label as usize] = self.steps.len() as u32;
    }
    fn fresh(&mut self) -> Reg {
        let reg = self.next;
        if (reg as usize) + 1 >= REGS {
            self.failed = true;
            return reg;
        }
        self.next += 1;
        reg
    }
    fn expr(&self, expr: ExprId) -> Expr {
        self.catalogue.exprs[expr.index()]
    }

    /// The whole of a piece of code.
    fn answer(&mut self, expr: ExprId) {
        if self.is_test(expr) {
            let no = self.label();
            self.branch(expr, false, no);
            self.emit(Step::Answer(Cell::truth_of(true)));
            self.here(no);
            self.emit(Step::Answer(Cell::truth_of(false)));
        } else if let Some(cell) = self.constant(expr) {
            self.emit(Step::Answer(cell));
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

    /// Where the value of an expression lies: a local lies somewhere already.
    fn value(&mut self, expr: ExprId) -> Reg {
        if let Expr::Local(at) = self.expr(expr)
            && let Some(Some(reg)) = self.locals.get(at.index())
        {
            return *reg;
        }
        let reg = self.fresh();
        self.into(expr, reg);
        reg
    }

    /// The value of each, side by side; where the first lies.
    fn values(&mut self, args: Args) -> (Reg, u8) {
        let args = self.catalogue.slice(args);
        // One that lies somewhere already may stay there.
        if let [arg] = args {
            return (self.value(*arg), 1);
        }
        let first = self.next;
        let regs: Vec<Reg> = args.iter().map(|_| self.fresh()).collect();
        for (&arg, &reg) in args.iter().zip(&regs) {
            self.into(arg, reg);
        }
        (first, args.len() as u8)
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

    /// The value of an expression into a place that none of its locals lies in.
    fn into(&mut self, expr: ExprId, to: Reg) {
        if let Some(cell) = self.constant(expr) {
            return self.emit(Step::Put(to, cell));
        }
        if self.is_test(expr) {
            let (no, end) = (self.label(), self.label());
            self.branch(expr, false, no);
            self.emit(Step::Put(to, Cell::truth_of(true)));
            self.emit(Step::Jump(end));
            self.here(no);
            self.emit(Step::Put(to, Cell::truth_of(false)));
            return self.here(end);
        }
        let deeper = self.deeper;
        match self.expr(expr) {
            Expr::Register(at) => self.emit(Step::Register(to, at)),
            Expr::Local(at) => match self.locals.get(at.index()) {
                Some(Some(reg)) => {
                    let reg = *reg;
                    self.emit(Step::Copy(to, reg));
                }
                _ => self.emit(Step::Put(to, Cell::NONE)),
            },
            Expr::Var(at) => self.emit(Step::Var(to, at)),
            Expr::Me => self.emit(Step::Me(to)),
            Expr::Source => self.emit(Step::Source(to)),
            Expr::You => self.emit(Step::You(to)),
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
                (BinOp::Add, Expr::Num(by)) => self.one(a, |a| Step::Increase(to, a, by)),
                (BinOp::Sub, Expr::Num(by)) if by > 0 => self.one(a, |a| Step::Increase(to, a, -by)),
                _ => self.two(a, b, |a, b| Step::Arithmetic(op, to, a, b)),
            },
            Expr::Stat(stat, of) => self.one(of, |of| Step::Stat(to, stat, of, deeper)),
            Expr::StatFor(stat, of, what) => self.two(of, what, |of, what| Step::StatFor(to, stat, of, what, deeper)),
            Expr::Fact(fact, of) => self.one(of, |of| Step::Fact(to, fact, of)),
            Expr::Enum(which, of) => self.one(of, |of| Step::Enum(to, which, of)),
            Expr::Members(which, of) => self.one(of, |of| Step::Members(to, which, of)),
            Expr::Number(field, of) => self.one(of, |of| Step::Number(to, field, of)),
            Expr::Field(field, of) => self.one(of, |of| Step::Field(to, field, of)),
            Expr::PlayerCounter(counter, of) => self.one(of, |of| Step::PlayerCounter(to, counter, of)),
            Expr::PlayerVar(first, of) => self.one(of, |of| Step::PlayerVar(to, first, of)),
            Expr::Prop(Prop::Controller, of) => self.one(of, |of| Step::Controller(to, of)),
            Expr::Prop(Prop::Parent, of) => self.one(of, |of| Step::Parent(to, of)),
            Expr::Prop(Prop::Root, of) => self.one(of, |of| Step::Root(to, of)),
            Expr::Prop(Prop::Size, of) if matches!(self.expr(of), Expr::Quantify(Quantifier::Where | Quantifier::Each, ..)) => {
                self.each_counted(of, to);
            }
            Expr::Prop(prop, of) => self.one(of, |of| Step::Prop(to, prop, of)),
            Expr::Words(card) => self.one(card, |card| Step::Words(to, card)),
            Expr::ZoneOf(kind, player) => self.one(player, |player| Step::ZoneOf(to, kind, player)),
            Expr::Attached(role, card) => self.one(card, |card| Step::Attached(to, role, card)),
            Expr::AllOn(card) => self.one(card, |card| Step::AllOn(to, card)),
            Expr::Quantify(which, list, local, args) => self.quantifier(to, which, list, local, args),
            Expr::Call(function, args) if self.catalogue.index.inlined[function.index()] => {
                self.in_place(function, args, |this, body| this.into(body, to));
            }
            Expr::Call(function, args) => self.meanwhile(|this| {
                let (first, count) = this.values(args);
                let kept = this.catalogue.index.kept[function.index()];
                this.emit(if kept {
                    Step::Kept(to, function, first, count, deeper)
                } else {
                    Step::Call(to, function, first, count, deeper)
                });
            }),
            Expr::List(args) => self.meanwhile(|this| {
                let list = this.fresh();
                this.emit(Step::NewList(list));
                for &item in this.catalogue.slice(args) {
                    this.one(item, |item| Step::Push(list, item));
                }
                this.emit(Step::Copy(to, list));
            }),
            Expr::Range(low, high) => self.two(low, high, |low, high| Step::Range(to, low, high)),
            Expr::Moves(window, player) => self.two(window, player, |window, player| Step::Moves(to, window, player, deeper)),
            Expr::Waiting(class, player) => self.two(class, player, |class, player| Step::Waiting(to, class, player)),
            Expr::Item(list, at) => self.two(list, at, |list, at| Step::Item(to, list, at)),
            Expr::Brings(head, card) => self.two(head, card, |head, card| Step::Brings(to, head, card)),
            Expr::Native(native, args) => self.meanwhile(|this| {
                let (first, count) = this.values(args);
                this.emit(Step::Native(to, native, first, count));
            }),
            // These are constants and tests, which have been seen to.
            Expr::None | Expr::Num(_) | Expr::Bool(_) | Expr::Word(_) | Expr::Player(_) | Expr::Zone(_) | Expr::Text(_) => {}
            Expr::Not(_) | Expr::Truth(..) | Expr::Is(..) | Expr::Carries(..) | Expr::Mentions(..) | Expr::HasRole(..) => {}
            Expr::May(..) | Expr::WindowOver(_) | Expr::AnythingActsIn(_) | Expr::ActsIn(..) => {}
        }
    }

    /// Jump where a test comes out as wanted, and go on where it does not.
    fn branch(&mut self, expr: ExprId, want: bool, to: To) {
        let next = self.next;
        self.branch_to(expr, want, to);
        self.next = next;
    }

    fn branch_to(&mut self, expr: ExprId, want: bool, to: To) {
        let deeper = self.deeper;
        match self.expr(expr) {
            Expr::Bool(value) => {
                if value == want {
                    self.emit(Step::Jump(to));
                }
            }
            Expr::Not(a) => self.branch(a, !want, to),
            // Both or neither: one that is not so settles it.
            Expr::Bin(op @ (BinOp::And | BinOp::Or), a, b) => {
                if want == (op == BinOp::Or) {
                    self.branch(a, want, to);
                    self.branch(b, want, to);
                } else {
                    let settled = self.label();
                    self.branch(a, !want, settled);
                    self.branch(b, want, to);
                    self.here(settled);
                }
            }
            Expr::If(test, a, b) => {
                let (otherwise, end) = (self.label(), self.label());
                self.branch(test, false, otherwise);
                self.branch(a, want, to);
                self.emit(Step::Jump(end));
                self.here(otherwise);
                self.branch(b, want, to);
                self.here(end);
            }
            Expr::Bin(op @ (BinOp::Eq | BinOp::Ne), a, b) => self.same(a, b, want == (op == BinOp::Eq), to),
            Expr::Bin(op @ (BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge), a, b) => match self.expr(b) {
                Expr::Num(with) => self.one(a, |a| Step::ComparesWith(op, a, with, want, to)),
                _ => self.two(a, b, |a, b| Step::Compares(op, a, b, want, to)),
            },
            Expr::Bin(BinOp::In, item, list) => match self.expr(list) {
                Expr::Register(at) => self.one(item, |item| Step::InRegister(item, at, want, to)),
                Expr::Var(at) => self.one(item, |item| Step::InVar(item, at, want, to)),
                _ => self.two(item, list, |item, list| Step::In(item, list, want, to)),
            },
            Expr::Is(card, word) => self.one(card, |card| Step::Is(card, word, want, to)),
            Expr::Truth(field, card) => self.one(card, |card| Step::Truth(card, field, want, to)),
            Expr::HasRole(card, role) => self.one(card, |card| Step::Role(card, role, want, to)),
            Expr::Carries(card, word) => self.two(card, word, |card, word| Step::Carries(card, word, want, to)),
            Expr::Mentions(print, card, word) => self.two(card, word, |card, word| Step::Mentions(print, card, word, want, to)),
            Expr::WindowOver(window) => self.one(window, |window| Step::WindowOver(window, want, to, deeper)),
            Expr::AnythingActsIn(window) => self.one(window, |window| Step::AnythingActsIn(window, want, to, deeper)),
            Expr::ActsIn(card, window) => self.two(card, window, |card, window| Step::ActsIn(card, window, want, to, deeper)),
            Expr::May(permission, args) => {
                let (first, count) = self.values(args);
                self.emit(Step::May(permission, first, count, want, to, deeper));
            }
            Expr::Call(function, args) if self.catalogue.index.inlined[function.index()] => {
                self.in_place(function, args, |this, body| this.branch(body, want, to));
            }
            Expr::Quantify(which @ (Quantifier::Any | Quantifier::All), list, local, args) => {
                let test = self.catalogue.slice(args)[0];
                let (decided, all) = (self.label(), which == Quantifier::All);
                let item = self.fresh();
                self.each(list, item, &mut |this, _| this.with_local(local, item, |this| this.branch(test, !all, decided)));
                // None has decided it: then all are so, or none is.
                if all == want {
                    self.emit(Step::Jump(to));
                    self.here(decided);
                } else {
                    let end = self.label();
                    self.emit(Step::Jump(end));
                    self.here(decided);
                    self.emit(Step::Jump(to));
                    self.here(end);
                }
            }
            _ => self.one(expr, |value| Step::If(value, want, to)),
        }
    }

    fn same(&mut self, a: ExprId, b: ExprId, want: bool, to: To) {
        match (self.expr(a), self.expr(b)) {
            (Expr::Prop(Prop::Zone, card), Expr::Zone(zone)) => self.one(card, |card| Step::LiesIn(card, zone, want, to)),
            (Expr::Prop(Prop::Controller, card), _) if self.is_player(b) => {
                self.two(card, b, |card, player| Step::ControlledBy(card, player, want, to));
            }
            _ => match (self.constant(a), self.constant(b)) {
                (_, Some(cell)) => self.one(a, |a| Step::SameAs(a, want, to, cell)),
                (Some(cell), None) => self.one(b, |b| Step::SameAs(b, want, to, cell)),
                (None, None) => self.two(a, b, |a, b| Step::Same(a, b, want, to)),
            },
        }
    }

    /// Whether an expression is a player by its form, and never nobody.
    fn is_player(&self, expr: ExprId) -> bool {
        matches!(self.expr(expr), Expr::You | Expr::Player(_))
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

    /// Go through a list: each item into a place, then what is done with it.
    fn each(&mut self, list: ExprId, item: Reg, body: Body<'_>) {
        let outer = self.next;
        self.each_of(list, item, body);
        self.next = outer;
    }

    fn each_of(&mut self, list: ExprId, item: Reg, body: Body<'_>) {
        match self.expr(list) {
            Expr::Quantify(Quantifier::Where, inner, local, args) => {
                let test = self.catalogue.slice(args)[0];
                self.each(inner, item, &mut |this, next| {
                    this.with_local(local, item, |this| this.branch(test, false, next));
                    body(this, next);
                });
            }
            Expr::Quantify(Quantifier::Each, inner, local, args) if self.catalogue.slice(args).len() > 1 => {
                let [test, value] = [0, 1].map(|at| self.catalogue.slice(args)[at]);
                let of = self.fresh();
                self.each(inner, of, &mut |this, next| {
                    this.with_local(local, of, |this| {
                        this.branch(test, false, next);
                        this.into(value, item);
                    });
                    body(this, next);
                });
            }
            Expr::Call(function, args) if self.catalogue.index.inlined[function.index()] => {
                let outer = (self.locals.clone(), self.deeper);
                self.in_place(function, args, |this, list| {
                    this.each(list, item, &mut |this, next| {
                        // What is done with it sees its own locals, and is as deep as it stands.
                        let inner = (std::mem::replace(&mut this.locals, outer.0.clone()), this.deeper);
                        this.deeper = outer.1;
                        body(this, next);
                        (this.locals, this.deeper) = inner;
                    });
                });
            }
            Expr::Prop(Prop::Cards, zone) => {
                let zone = self.value(zone);
                self.steps_through(|at, each| Step::NextOfZone(zone, at, item, each), body);
            }
            Expr::Attached(role, to) => {
                let to = self.value(to);
                self.steps_through(|at, each| Step::NextAttached(role, to, at, item, each), body);
            }
            Expr::AllOn(on) => {
                let on = self.value(on);
                self.steps_through(|at, each| Step::NextOn(on, at, item, each), body);
            }
            Expr::Register(list) => self.steps_through(|at, each| Step::NextOfRegister(list, at, item, each), body),
            Expr::Var(list) => self.steps_through(|at, each| Step::NextOfVar(list, at, item, each), body),
            _ => {
                let list = self.value(list);
                self.steps_through(|at, each| Step::NextOfList(list, at, item, each), body);
            }
        }
    }

    fn steps_through(&mut self, next_of: impl FnOnce(Reg, To) -> Step, body: Body<'_>) {
        let (at, next, each) = (self.fresh(), self.label(), self.label());
        self.emit(Step::Put(at, Cell::num(0)));
        self.emit(Step::Jump(next));
        self.here(each);
        body(self, next);
        self.here(next);
        self.emit(next_of(at, each));
    }

    fn each_counted(&mut self, list: ExprId, to: Reg) {
        self.emit(Step::Put(to, Cell::num(0)));
        let item = self.fresh();
        self.each(list, item, &mut |this, _| this.emit(Step::Count(to)));
        self.next = item;
    }

    fn quantifier(&mut self, to: Reg, which: Quantifier, list: ExprId, local: LocalId, args: Args) {
        let slice = self.catalogue.slice(args);
        let (test, value) = (slice[0], slice.get(1).copied());
        if which == Quantifier::Count && self.expr(test) == Expr::Bool(true) {
            // What is there anyway knows its size.
            let whole = match self.expr(list) {
                Expr::Prop(Prop::Cards, zone) => Some(zone),
                Expr::Call(function, _) if !self.catalogue.index.inlined[function.index()] => Some(list),
                _ => None,
            };
            if let Some(whole) = whole {
                return self.meanwhile(|this| {
                    let (whole, size) = (this.value(whole), this.fresh());
                    this.emit(Step::Prop(size, Prop::Size, whole));
                    this.emit(Step::Put(to, Cell::num(0)));
                    this.emit(Step::Sum(to, size));
                });
            }
        }
        let first = match which {
            Quantifier::Count | Quantifier::Sum => Step::Put(to, Cell::num(0)),
            Quantifier::Where | Quantifier::Each => Step::NewList(to),
            _ => Step::Put(to, Cell::NONE),
        };
        self.emit(first);
        let (item, end) = (self.fresh(), self.label());
        self.each(list, item, &mut |this, next| {
            this.with_local(local, item, |this| {
                this.branch(test, false, next);
                this.meanwhile(|this| match which {
                    Quantifier::Count => this.emit(Step::Count(to)),
                    Quantifier::Where => this.emit(Step::Push(to, item)),
                    Quantifier::First => {
                        this.emit(Step::Copy(to, item));
                        this.emit(Step::Jump(end));
                    }
                    _ => {
                        let value = value.map_or(item, |value| this.value(value));
                        this.emit(match which {
                            Quantifier::Sum => Step::Sum(to, value),
                            Quantifier::Each => Step::Push(to, value),
                            _ => Step::Better(which, to, value),
                        });
                    }
                });
            });
        });
        self.here(end);
        self.next = item;
    }
}
