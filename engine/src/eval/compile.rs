//! From expressions to code.

use super::cells::Cell;
use super::code::{ARGS, Called, Code, Constant, Deeper, FREE, ME, NO_CODE, Piece, Reg, Site, Step, To, YOU};
use super::{MAX_DEPTH, STEP};
use crate::catalogue::{Ability, Args, BinOp, Catalogue, ClauseKind, Expr, Op, Print, Proc, Prop, Quantifier, Within};
use crate::ids::*;
use std::collections::{BTreeSet, HashMap};

/// The code of all that is often asked for: functions, clauses, scopes, values, abilities, windows and the expressions of programs.
pub(crate) fn compile(catalogue: &Catalogue, within: &Within) -> Code {
    let stride = catalogue.cards.len().div_ceil(64).max(1);
    let code = Code { pieces: vec![Piece::NONE; catalogue.exprs.len()], stride, ..Code::default() };
    let carriers = carriers(catalogue, within);
    let mut shelf = Shelf { catalogue, within, code, constants: HashMap::new(), carriers, classes: HashMap::new(), roles: HashMap::new() };
    for expr in roots(catalogue, within) {
        if shelf.code.pieces.get(expr.index()) == Some(&Piece::NONE) {
            shelf.code.pieces[expr.index()] = piece(&mut shelf, expr);
        }
    }
    legal_moves(&mut shelf);
    usable(&mut shelf);
    forbidden(&mut shelf);
    programs(&mut shelf);
    shelf.code
}

/// For each word the class of the cards that carry it.
fn carriers(catalogue: &Catalogue, within: &Within) -> Vec<Vec<u64>> {
    let stride = catalogue.cards.len().div_ceil(64).max(1);
    let mut classes = vec![vec![0; stride]; catalogue.words.len()];
    for (def, card) in catalogue.cards.iter().enumerate().filter(|(def, _)| within.has_card(*def)) {
        for word in card.words.iter().chain(&card.titles) {
            if let Some(class) = classes.get_mut(word.index()) {
                class[def / 64] |= 1 << (def % 64);
            }
        }
    }
    classes
}

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
}

impl Shelf<'_> {
    fn constant(&mut self, cell: Cell) -> Constant {
        *self.constants.entry(cell).or_insert_with(|| {
            self.code.constants.push(cell);
            self.code.constants.len() as Constant - 1
        })
    }

    /// The number of a class of cards; none where there are too many.
    fn class(&mut self, class: Vec<u64>) -> Option<u16> {
        if let Some(&known) = self.classes.get(&class) {
            return Some(known);
        }
        let number = u16::try_from(self.classes.len()).ok()?;
        self.code.classes.extend_from_slice(&class);
        self.classes.insert(class, number);
        Some(number)
    }

    /// The cards that carry a word.
    fn with_word(&self, word: WordId) -> Vec<u64> {
        self.carriers.get(word.index()).cloned().unwrap_or_else(|| vec![0; self.code.stride])
    }

    /// The cards with this member of an enumeration.
    fn with_member(&self, which: EnumId, word: WordId) -> Vec<u64> {
        let (index, enums) = (&self.catalogue.index, self.catalogue.enums.len());
        let mut class = self.with_word(word);
        for def in 0..self.catalogue.cards.len() {
            if class[def / 64] >> (def % 64) & 1 != 0 && index.members[def * enums + which.index()] != Some(word) {
                class[def / 64] &= !(1 << (def % 64));
            }
        }
        class
    }

    /// The cards that have a word in their title, text or lore. That is some work, so only few are asked.
    fn that_mention(&self, print: Print, word: WordId) -> Vec<u64> {
        let mut class = vec![0; self.code.stride];
        for (def, card) in self.catalogue.cards.iter().enumerate() {
            if self.within.has_card(def) && card.mentions(print, word, self.catalogue.word(word)) {
                class[def / 64] |= 1 << (def % 64);
            }
        }
        class
    }

    fn role_set(&mut self, set: u64) -> Option<u16> {
        if let Some(&known) = self.roles.get(&set) {
            return Some(known);
        }
        let number = u16::try_from(self.roles.len()).ok()?;
        self.code.roles.push(set);
        self.roles.insert(set, number);
        Some(number)
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
    compiler.finish().map_or(Piece::NONE, |(piece, _)| piece)
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
    registers: Option<Vec<Reg>>,
    /// How many calls there were before.
    sites: usize,
    /// There are too few places: it is walked, or run as it stands.
    failed: bool,
}

/// What is done with each item of a list: given the label where the next one starts.
type Body<'b> = &'b mut dyn FnMut(&mut Compiler<'_, '_>, To);

impl<'s, 'c> Compiler<'s, 'c> {
    /// For code that is given so many locals.
    fn new(shelf: &'s mut Shelf<'c>, locals: usize) -> Compiler<'s, 'c> {
        let (next, sites) = (locals as Reg, shelf.code.sites.len());
        let locals = (0..next).map(Some).collect();
        let catalogue = shelf.catalogue;
        Compiler { catalogue, shelf, steps: Vec::new(), labels: Vec::new(), next, locals, deeper: 0, deepest: 0, registers: None, sites, failed: false }
    }

    /// Put the code behind what is there, unless it has too many parts of some sort; and where its labels stand.
    fn finish(self) -> Option<(Piece, Vec<To>)> {
        let Compiler { shelf, steps, labels, deepest, sites, failed, .. } = self;
        let code = &mut shelf.code;
        if failed || u16::try_from(steps.len().max(labels.len())).is_err() {
            code.sites.truncate(sites);
            return None;
        }
        // A jump to a jump goes where that one goes.
        let through = |label: To| {
            let mut to = labels[label as usize];
            for _ in 0..8 {
                match steps.get(to as usize) {
                    Some(Step::Jump(next)) => to = labels[*next as usize],
                    _ => break,
                }
            }
            to
        };
        let start = code.steps.len() as u32;
        code.steps.extend(steps.iter().map(|&step| {
            let mut step = step;
            if let Some(to) = step.to() {
                *to = through(*to);
            }
            step
        }));
        Some((Piece { start, deepest }, labels))
    }
}

impl Compiler<'_, '_> {
    fn emit(&mut self, step: Step) {
        self.steps.push(step);
    }
    fn label(&mut self) -> To {
        // Where there are too many, the code is given up in the end.
        let label = self.labels.len() as To;
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
        if self.is_test(expr) {
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

    /// Where the value of an expression lies that is there already.
    fn at_hand(&self, expr: ExprId) -> Option<Reg> {
        match self.expr(expr) {
            Expr::Local(at) => self.locals.get(at.index()).copied().flatten(),
            Expr::You => Some(YOU),
            Expr::Me => Some(ME),
            Expr::Register(at) => self.registers.as_ref()?.get(at.index()).copied(),
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
            *reg = self.value(arg);
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
            Expr::Register(_) => self.put(to, Cell::NONE),
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
                let site = this.site(native.into(), args);
                this.emit(Step::Native(to, site));
            }),
            // These are constants, at hand, or tests, which have been seen to.
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
            Expr::Bin(op @ (BinOp::And | BinOp::Or), ..) => self.several(op, expr, want, to),
            Expr::If(test, a, b) => {
                let (otherwise, end) = (self.label(), self.label());
                self.branch(test, false, otherwise);
                self.branch(a, want, to);
                self.emit(Step::Jump(end));
                self.here(otherwise);
                self.branch(b, want, to);
                self.here(end);
            }
            Expr::Bin(BinOp::Eq | BinOp::Ne, ..) if self.kind(expr).is_some() => self.kind_test(expr, want, to),
            Expr::Bin(op @ (BinOp::Eq | BinOp::Ne), a, b) => self.same(a, b, want == (op == BinOp::Eq), to),
            Expr::Bin(op @ (BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge), a, b) => self.compares(op, a, b, want, to),
            Expr::Bin(BinOp::In, item, list) => {
                let item = self.value(item);
                self.among(item, list, want, to);
            }
            Expr::Is(..) => self.kind_test(expr, want, to),
            Expr::Truth(field, card) => self.one(card, |card| Step::Truth(card, field, want, to)),
            Expr::HasRole(card, role) => self.one(card, |card| Step::Role(card, role, want, to)),
            Expr::Carries(..) => self.kind_test(expr, want, to),
            Expr::Mentions(print, card, word) if self.shelf.within.is_narrow() && matches!(self.expr(word), Expr::Word(_)) => {
                let class = match self.expr(word) {
                    Expr::Word(word) => self.shelf.that_mention(print, word),
                    _ => Vec::new(),
                };
                let card = self.value(card);
                self.fits(card, class, want, to);
            }
            Expr::Mentions(print, card, word) => self.two(card, word, |card, word| Step::Mentions(print, card, word, want, to)),
            Expr::WindowOver(window) => self.one(window, |window| Step::WindowOver(window, want, to, deeper)),
            Expr::AnythingActsIn(window) => self.one(window, |window| Step::AnythingActsIn(window, want, to, deeper)),
            Expr::ActsIn(card, window) => self.two(card, window, |card, window| Step::ActsIn(card, window, want, to, deeper)),
            Expr::May(permission, args) => {
                let site = self.site(permission.index(), args);
                self.emit(Step::May(site, want, to));
            }
            Expr::Call(function, args) if self.is_inlined(function) => match self.kind(expr) {
                Some(kind) => self.is_kind(&kind, want, to),
                None => self.in_place(function, args, |this, body| this.branch(body, want, to)),
            },
            Expr::Prop(Prop::Facedown, card) => self.one(card, |card| Step::IsDown(card, want, to)),
            Expr::Quantify(which @ (Quantifier::Any | Quantifier::All), list, local, args) => {
                let test = self.catalogue.slice(args)[0];
                // One item decides it: one that is so, or one that is not.
                let decides = which == Quantifier::Any;
                let decided = if want == decides { to } else { self.label() };
                let item = self.fresh();
                self.each(list, item, &mut |this, _| this.with_local(local, item, |this| this.branch(test, decides, decided)));
                if want != decides {
                    self.emit(Step::Jump(to));
                    self.here(decided);
                }
            }
            _ => self.one(expr, |value| Step::If(value, want, to)),
        }
    }

    /// Tests of which all must hold, or one. Those that ask what one card is are one test together.
    fn several(&mut self, op: BinOp, expr: ExprId, want: bool, to: To) {
        let (mut todo, mut tests, mut kinds): (_, Vec<Several>, Vec<Kind>) = (vec![expr], Vec::new(), Vec::new());
        while let Some(expr) = todo.pop() {
            match (self.expr(expr), self.kind(expr)) {
                (_, Some(kind)) => match kinds.iter_mut().find(|other| self.joins(other, &kind)) {
                    Some(other) => other.join(op, &kind),
                    None => {
                        tests.push(Several::Kind(kinds.len()));
                        kinds.push(kind);
                    }
                },
                (Expr::Bin(other, a, b), None) if other == op => todo.extend([b, a]),
                _ => tests.push(Several::Test(expr)),
            }
        }
        let decides = op == BinOp::Or;
        let settled = self.label();
        let last = tests.len() - 1;
        for (at, test) in tests.into_iter().enumerate() {
            // Where one test settles it, it jumps at once; else only the last one knows.
            let (want, to) = if want == decides || at == last { (want, to) } else { (!want, settled) };
            match test {
                Several::Test(expr) => self.branch(expr, want, to),
                Several::Kind(kind) => self.is_kind(&kinds[kind], want, to),
            }
        }
        self.here(settled);
    }

    /// What a test asks of a card and nothing else: which card it is, or in which role it lies.
    fn kind(&self, expr: ExprId) -> Option<Kind> {
        self.kind_with(expr, None)
    }

    /// The same within a function that stands in place of its call, with these arguments.
    fn kind_with(&self, expr: ExprId, args: Option<&[ExprId]>) -> Option<Kind> {
        let of_card = |card: ExprId, set: Set| Some(Kind { card: self.argument(card, args)?, set, outside: false, deeper: 0 });
        match self.expr(expr) {
            Expr::Is(card, word) => of_card(card, Set::Class(self.shelf.with_word(word))),
            Expr::Carries(card, word) => match self.expr(word) {
                Expr::Word(word) => of_card(card, Set::Class(self.shelf.with_word(word))),
                _ => None,
            },
            Expr::HasRole(card, role) if role.index() < 64 => of_card(card, Set::Roles(1 << role.index())),
            Expr::Bin(op @ (BinOp::Eq | BinOp::Ne), a, b) => match (self.expr(a), self.expr(b)) {
                (Expr::Enum(which, card), Expr::Word(word)) => {
                    let kind = of_card(card, Set::Class(self.shelf.with_member(which, word)))?;
                    Some(if op == BinOp::Eq { kind } else { kind.not() })
                }
                _ => None,
            },
            Expr::Not(a) => self.kind_with(a, args).map(Kind::not),
            Expr::Bin(op @ (BinOp::And | BinOp::Or), a, b) => {
                let (mut kind, other) = (self.kind_with(a, args)?, self.kind_with(b, args)?);
                self.joins(&kind, &other).then(|| {
                    kind.join(op, &other);
                    kind
                })
            }
            Expr::Call(function, inner) if self.is_inlined(function) => {
                let inner: Option<Vec<ExprId>> = self.catalogue.slice(inner).iter().map(|&arg| self.argument(arg, args)).collect();
                let kind = self.kind_with(self.catalogue.functions[function.index()].body, Some(&inner?))?;
                Some(Kind { deeper: kind.deeper.saturating_add(self.catalogue.index.call_depth(function)), ..kind })
            }
            _ => None,
        }
    }

    /// What a name within a function stands for, where it is at hand.
    fn argument(&self, expr: ExprId, args: Option<&[ExprId]>) -> Option<ExprId> {
        let expr = match (self.expr(expr), args) {
            (Expr::Local(at), Some(args)) => *args.get(at.index())?,
            _ => expr,
        };
        self.at_hand(expr).map(|_| expr)
    }

    /// Whether two kinds are of one card, and sets of one sort.
    fn joins(&self, kind: &Kind, other: &Kind) -> bool {
        self.at_hand(kind.card) == self.at_hand(other.card) && std::mem::discriminant(&kind.set) == std::mem::discriminant(&other.set)
    }

    fn kind_test(&mut self, expr: ExprId, want: bool, to: To) {
        match (self.kind(expr), self.expr(expr)) {
            (Some(kind), _) => self.is_kind(&kind, want, to),
            // The card is first to be worked out.
            (None, Expr::Is(card, word)) => {
                let (card, class) = (self.value(card), self.shelf.with_word(word));
                self.fits(card, class, want, to);
            }
            (None, Expr::Carries(card, word)) => self.two(card, word, |card, word| Step::Carries(card, word, want, to)),
            _ => self.failed = true,
        }
    }

    fn is_kind(&mut self, kind: &Kind, want: bool, to: To) {
        // What is no card, or lies nowhere, is in no class: those that it is in are told by the others.
        let (kind, want) = if kind.outside { (&kind.clone().not(), !want) } else { (kind, want) };
        self.deepest = self.deepest.max(self.deeper.saturating_add(kind.deeper));
        let card = self.value(kind.card);
        match &kind.set {
            Set::Class(class) => self.fits(card, class.clone(), want, to),
            Set::Roles(set) => match self.shelf.role_set(*set) {
                Some(number) => self.emit(Step::Roles(card, number, want, to)),
                None => self.failed = true,
            },
        }
    }

    fn fits(&mut self, card: Reg, class: Vec<u64>, want: bool, to: To) {
        if class.iter().all(|word| *word == 0) {
            if !want {
                self.emit(Step::Jump(to));
            }
            return;
        }
        match self.shelf.class(class) {
            Some(class) => self.emit(Step::Fits(card, class, want, to)),
            None => self.failed = true,
        }
    }

    /// Two tests of which both must hold, or one: one that is not so settles the first, one that is so the second.
    fn combined(&mut self, both: bool, want: bool, to: To, first: Test<'_>, second: Test<'_>) {
        if want == both {
            let settled = self.label();
            first(self, !want, settled);
            second(self, want, to);
            self.here(settled);
        } else {
            first(self, want, to);
            second(self, want, to);
        }
    }

    fn same(&mut self, a: ExprId, b: ExprId, want: bool, to: To) {
        match (self.expr(a), self.expr(b)) {
            (Expr::Prop(Prop::Zone, card), _) if let Some(zone) = self.constant(b).and_then(Cell::zone) => {
                self.one(card, |card| Step::LiesIn(card, zone, want, to));
            }
            (Expr::Prop(Prop::Controller, card), _) if self.is_player(b) => {
                self.two(card, b, |card, player| Step::ControlledBy(card, player, want, to));
            }
            _ => match (self.constant(a), self.constant(b)) {
                (_, Some(cell)) => self.same_as(a, cell, want, to),
                (Some(cell), None) => self.same_as(b, cell, want, to),
                (None, None) => self.two(a, b, |a, b| Step::Same(a, b, want, to)),
            },
        }
    }

    fn same_as(&mut self, expr: ExprId, cell: Cell, want: bool, to: To) {
        self.meanwhile(|this| {
            let value = this.value(expr);
            let constant = u16::try_from(this.shelf.constant(cell));
            let step = match constant {
                _ if cell == Cell::NONE => Step::Missing(value, want, to),
                Ok(constant) => Step::SameAs(value, constant, want, to),
                Err(_) => {
                    let other = this.fresh();
                    this.put(other, cell);
                    Step::Same(value, other, want, to)
                }
            };
            this.emit(step);
        });
    }

    fn compares(&mut self, op: BinOp, a: ExprId, b: ExprId, want: bool, to: To) {
        let with = match self.expr(b) {
            Expr::Num(with) => match op {
                BinOp::Le => with.checked_add(1),
                BinOp::Ge => with.checked_sub(1),
                _ => Some(with),
            },
            _ => None,
        };
        if let Some(with) = with.and_then(|with| i16::try_from(with).ok()) {
            return self.one(a, |a| match op {
                BinOp::Lt | BinOp::Le => Step::Below(a, with, want, to),
                _ => Step::Above(a, with, want, to),
            });
        }
        self.two(a, b, |a, b| match op {
            BinOp::Lt => Step::Less(a, b, want, to),
            BinOp::Le => Step::AtMost(a, b, want, to),
            BinOp::Gt => Step::Less(b, a, want, to),
            _ => Step::AtMost(b, a, want, to),
        });
    }

    /// Whether something is in a list, without making the list where its form tells it.
    fn among(&mut self, item: Reg, list: ExprId, want: bool, to: To) {
        let next = self.next;
        match self.expr(list) {
            Expr::Register(at) if self.registers.is_none() => self.emit(Step::InRegister(item, at, want, to)),
            Expr::Var(at) => self.emit(Step::InVar(item, at, want, to)),
            Expr::Quantify(Quantifier::Where, inner, local, args) => {
                let test = self.catalogue.slice(args)[0];
                self.combined(true, want, to, &mut |this, want, to| this.among(item, inner, want, to), &mut |this, want, to| {
                    this.with_local(local, item, |this| this.branch(test, want, to));
                });
            }
            Expr::Bin(BinOp::Join, a, b) => {
                self.combined(false, want, to, &mut |this, want, to| this.among(item, a, want, to), &mut |this, want, to| {
                    this.among(item, b, want, to);
                });
            }
            Expr::Prop(Prop::Cards, zone) if let Some(zone) = self.constant(zone).and_then(Cell::zone) => {
                self.emit(Step::LiesIn(item, zone, want, to));
            }
            Expr::Attached(role, on) => {
                self.combined(true, want, to, &mut |this, want, to| this.emit(Step::Role(item, role, want, to)), &mut |this, want, to| {
                    let parent = this.fresh();
                    this.emit(Step::Parent(parent, item));
                    this.one(on, |on| Step::Same(parent, on, want, to));
                });
            }
            Expr::Call(function, args) if self.is_inlined(function) => {
                self.in_place(function, args, |this, list| this.among(item, list, want, to));
            }
            _ => {
                let list = self.value(list);
                self.emit(Step::In(item, list, want, to));
            }
        }
        self.next = next;
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
            Expr::List(args) if args.len == 0 => {}
            Expr::Quantify(Quantifier::Where, inner, local, args) => {
                let test = self.catalogue.slice(args)[0];
                let end = self.label();
                let tests = self.once_for_all(test, local, end);
                self.each(inner, item, &mut |this, next| {
                    this.with_local(local, item, |this| tests.iter().for_each(|&test| this.branch(test, false, next)));
                    body(this, next);
                });
                self.here(end);
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
            Expr::Call(function, args) if self.is_inlined(function) => {
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
            Expr::Prop(Prop::Cards, zone) => match self.constant(zone).and_then(Cell::zone) {
                Some(zone) => {
                    self.steps_through(|at, end| Step::FirstIn(at, item, zone, end), |at, each| Step::NextOfZone(at, item, each), body);
                }
                None => {
                    let zone = self.value(zone);
                    self.steps_through(|at, end| Step::FirstOfZone(at, item, zone, end), |at, each| Step::NextOfZone(at, item, each), body);
                }
            },
            Expr::Attached(role, on) => {
                let on = self.value(on);
                let first = |at, end| Step::FirstAttached(at, item, on, role, end);
                self.steps_through(first, |at, each| Step::NextAttached(at, item, on, role, each), body);
            }
            Expr::AllOn(on) => {
                let on = self.value(on);
                self.steps_through(|at, end| Step::FirstOn(at, item, on, end), |at, each| Step::NextOn(at, item, on, each), body);
            }
            Expr::Register(list) if self.registers.is_none() => {
                let first = |at, end| Step::FirstOfRegister(at, item, list, end);
                self.steps_through(first, |at, each| Step::NextOfRegister(at, item, list, each), body);
            }
            Expr::Var(list) => {
                let first = |at, end| Step::FirstOfVar(at, item, list, end);
                self.steps_through(first, |at, each| Step::NextOfVar(at, item, list, each), body);
            }
            _ => {
                let list = self.value(list);
                let first = |at, end| Step::FirstOfList(at, item, list, end);
                self.steps_through(first, |at, each| Step::NextOfList(at, item, list, each), body);
            }
        }
    }

    /// Tests that must all hold for each item of a list: those that are quickly seen and the same for all items are made here, once. The
    /// others are left.
    fn once_for_all(&mut self, test: ExprId, local: LocalId, otherwise: To) -> Vec<ExprId> {
        let (mut todo, mut left) = (vec![test], Vec::new());
        while let Some(test) = todo.pop() {
            match self.expr(test) {
                Expr::Bin(BinOp::And, a, b) => todo.extend([b, a]),
                _ if self.catalogue.is_slight(test) && !self.catalogue.speaks_of(test, &|expr| expr == Expr::Local(local)) => {
                    self.branch(test, false, otherwise);
                }
                _ => left.push(test),
            }
        }
        left
    }

    fn steps_through(&mut self, first: impl FnOnce(Reg, To) -> Step, next_of: impl FnOnce(Reg, To) -> Step, body: Body<'_>) {
        let (at, each, next, end) = (self.fresh(), self.label(), self.label(), self.label());
        self.emit(first(at, end));
        self.here(each);
        body(self, next);
        self.here(next);
        self.emit(next_of(at, each));
        self.here(end);
    }

    fn each_counted(&mut self, list: ExprId, to: Reg) {
        self.put(to, Cell::num(0));
        let item = self.fresh();
        self.each(list, item, &mut |this, _| this.emit(Step::Count(to)));
        self.next = item;
    }

    fn quantifier(&mut self, to: Reg, which: Quantifier, list: ExprId, local: LocalId, args: Args) {
        let slice = self.catalogue.slice(args);
        let (test, value) = (slice[0], slice.get(1).copied());
        if which == Quantifier::Count && self.expr(test) == Expr::Bool(true) {
            if let Expr::Waiting(class, player) = self.expr(list) {
                return self.two(class, player, |class, player| Step::CountWaiting(to, class, player));
            }
            // What is there anyway knows its size.
            let whole = match self.expr(list) {
                Expr::Prop(Prop::Cards, zone) => Some(zone),
                Expr::Call(function, _) if !self.is_inlined(function) => Some(list),
                _ => None,
            };
            if let Some(whole) = whole {
                return self.meanwhile(|this| {
                    let (whole, size) = (this.value(whole), this.fresh());
                    this.emit(Step::Size(size, whole));
                    this.put(to, Cell::num(0));
                    this.emit(Step::Sum(to, size));
                });
            }
        }
        match which {
            Quantifier::Count | Quantifier::Sum => self.put(to, Cell::num(0)),
            Quantifier::Where | Quantifier::Each => self.emit(Step::NewList(to)),
            _ => self.put(to, Cell::NONE),
        }
        let (item, end) = (self.fresh(), self.label());
        let tests = self.once_for_all(test, local, end);
        self.each(list, item, &mut |this, next| {
            this.with_local(local, item, |this| {
                tests.iter().for_each(|&test| this.branch(test, false, next));
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

/// One of several tests: as it stands, or of a kind.
enum Several {
    Test(ExprId),
    Kind(usize),
}

/// What is asked of a card: whether it is in a set, and what holds for what is in no set of this sort at all.
#[derive(Clone)]
struct Kind {
    card: ExprId,
    set: Set,
    outside: bool,
    /// How deep the functions go that it was found in.
    deeper: Deeper,
}

#[derive(Clone)]
enum Set {
    /// Of cards of the catalogue.
    Class(Vec<u64>),
    /// Of roles.
    Roles(u64),
}

impl Kind {
    fn not(mut self) -> Kind {
        match &mut self.set {
            Set::Class(class) => class.iter_mut().for_each(|word| *word = !*word),
            Set::Roles(set) => *set = !*set,
        }
        self.outside = !self.outside;
        self
    }

    /// Both, or either.
    fn join(&mut self, op: BinOp, other: &Kind) {
        let both = op == BinOp::And;
        let joined = |a: u64, b: u64| if both { a & b } else { a | b };
        match (&mut self.set, &other.set) {
            (Set::Class(class), Set::Class(other)) => class.iter_mut().zip(other).for_each(|(word, other)| *word = joined(*word, *other)),
            (Set::Roles(set), Set::Roles(other)) => *set = joined(*set, *other),
            _ => {}
        }
        self.outside = if both { self.outside && other.outside } else { self.outside || other.outside };
        self.deeper = self.deeper.max(other.deeper);
    }
}

/// Code that jumps where a test comes out as wanted.
type Test<'t> = &'t mut dyn FnMut(&mut Compiler<'_, '_>, bool, To);

/// The code of what each action of the rules allows: one list of its cards, the first and the second of each move.
fn legal_moves(shelf: &mut Shelf<'_>) {
    let catalogue = shelf.catalogue;
    let of_caller = catalogue.functions_of_caller();
    shelf.code.legal = vec![Piece::NONE; catalogue.abilities.len()];
    let can = |ability: &Ability| {
        // Uses are counted elsewhere; and the card that is gone through lies where the one that asks would.
        let asks = ability.from.is_some_and(|from| catalogue.speaks_of(from, &|expr| of_me(&expr, &of_caller)));
        ability.limit.is_none() && !asks
    };
    for &action in catalogue.actions.iter().filter(|action| shelf.within.has_ability(**action)) {
        let ability = catalogue.ability(action);
        if can(ability) {
            let mut compiler = Compiler::new(shelf, 0);
            compiler.legal(&[(action, ability)], None);
            shelf.code.legal[action.index()] = compiler.finish().map_or(Piece::NONE, |(piece, _)| piece);
        }
    }
    for actions in &catalogue.index.usable_actions {
        let actions: Vec<(AbilityId, &Ability)> = actions.iter().map(|&id| (id, catalogue.ability(id))).collect();
        let mut piece = Piece::NONE;
        if actions.iter().all(|(_, ability)| can(ability)) {
            let mut compiler = Compiler::new(shelf, 0);
            let which = compiler.fresh();
            compiler.legal(&actions, Some(which));
            piece = compiler.finish().map_or(Piece::NONE, |(piece, _)| piece);
        }
        shelf.code.legal_in.push(piece);
    }
}

/// Whether an expression asks for the card that asks, itself or through a function.
fn of_me(expr: &Expr, of_caller: &[bool]) -> bool {
    match expr {
        Expr::Me => true,
        Expr::Call(function, _) => of_caller[function.index()],
        _ => false,
    }
}

impl Compiler<'_, '_> {
    /// What actions allow, one after the other: the first and the second card of each move, and which action it is where that is told.
    fn legal(&mut self, actions: &[(AbilityId, &Ability)], which: Option<Reg>) {
        let (list, nothing, own) = (self.fresh(), self.fresh(), self.next);
        self.emit(Step::NewList(list));
        self.put(nothing, Cell::NONE);
        // Tests that were made for the action before, and where one of them goes on where it does not hold.
        let mut made: Vec<(ExprId, To)> = Vec::new();
        for (id, ability) in actions {
            self.next = own;
            self.allowed(*id, ability, list, nothing, which, &mut made);
        }
        made.into_iter().for_each(|(_, otherwise)| self.here(otherwise));
        self.emit(Step::Return(list));
    }

    fn allowed(&mut self, id: AbilityId, ability: &Ability, list: Reg, nothing: Reg, which: Option<Reg>, made: &mut Vec<(ExprId, To)>) {
        self.locals = vec![Some(ME)];
        if ability.to.is_some() {
            self.locals.push(Some(nothing));
        }
        // What is quickly seen and the same for all cards comes first. Actions that stand together often have the same first test: it is
        // made once for them.
        let tests: Vec<ExprId> = ability.requires.iter().map(|require| require.test).collect();
        let of_card = |expr: Expr| matches!(expr, Expr::Local(_) | Expr::Me);
        let (first, then): (Vec<_>, Vec<_>) =
            tests.into_iter().partition(|&test| self.catalogue.is_slight(test) && !self.catalogue.speaks_of(test, &of_card));
        let mut first = first.into_iter().peekable();
        match (first.peek().copied(), made.first().copied()) {
            (Some(test), Some((before, _))) if self.catalogue.is_same(test, before) => {
                first.next();
            }
            (test, _) => {
                made.drain(..).for_each(|(_, otherwise)| self.here(otherwise));
                if let Some(test) = test {
                    let otherwise = self.label();
                    self.require(test, otherwise);
                    made.push((test, otherwise));
                    first.next();
                }
            }
        }
        self.put(ME, Cell::NONE);
        if let Some(which) = which {
            self.put(which, Cell::num(id.index() as i32));
        }
        let end = self.label();
        first.for_each(|test| self.require(test, end));
        let push = |this: &mut Compiler<'_, '_>, target: Reg| {
            which.into_iter().chain([ME, target]).for_each(|item| this.emit(Step::Push(list, item)));
        };
        let each = |this: &mut Compiler<'_, '_>, next: To| {
            then.iter().for_each(|&test| this.require(test, next));
            match &ability.to {
                Some(to) => {
                    let target = this.fresh();
                    this.at_depth_of(to.list, |this| this.each(to.list, target, &mut |this, _| push(this, target)));
                    this.next = target;
                }
                None => push(this, nothing),
            }
        };
        match ability.from {
            Some(from) => self.at_depth_of(from, |this| this.each(from, ME, &mut |this, next| this.outside(|this| each(this, next)))),
            None => each(self, end),
        }
        self.here(end);
    }

    fn require(&mut self, test: ExprId, otherwise: To) {
        self.at_depth_of(test, |this| this.branch(test, false, otherwise));
    }

    /// Code that is as deep as if the expression were asked for by itself.
    fn at_depth_of<T>(&mut self, expr: ExprId, then: impl FnOnce(&mut Self) -> T) -> T {
        let deeper = STEP + self.catalogue.index.depths[expr.index()];
        self.deepest = self.deepest.max(deeper);
        let before = std::mem::replace(&mut self.deeper, deeper);
        let result = then(self);
        self.deeper = before;
        result
    }
    fn outside<T>(&mut self, then: impl FnOnce(&mut Self) -> T) -> T {
        let before = std::mem::take(&mut self.deeper);
        let result = then(self);
        self.deeper = before;
        result
    }
}

/// The code of all that each ability of a card requires, one after the other.
fn usable(shelf: &mut Shelf<'_>) {
    let catalogue = shelf.catalogue;
    shelf.code.usable = vec![Piece::NONE; catalogue.abilities.len()];
    for (id, ability) in AbilityId::all(catalogue.abilities.len()).zip(&catalogue.abilities) {
        // Those of actions stand in the code of what they allow.
        if !shelf.within.has_ability(id) || shelf.code.legal[id.index()] != Piece::NONE {
            continue;
        }
        let mut compiler = Compiler::new(shelf, 1 + usize::from(ability.to.is_some()));
        let no = compiler.label();
        ability.requires.iter().for_each(|require| compiler.require(require.test, no));
        compiler.emit(Step::Decide(true));
        compiler.here(no);
        compiler.emit(Step::Decide(false));
        shelf.code.usable[id.index()] = compiler.finish().map_or(Piece::NONE, |(piece, _)| piece);
    }
}

/// The code of what the rules forbid: whether any of their clauses on a permission does.
fn forbidden(shelf: &mut Shelf<'_>) {
    let catalogue = shelf.catalogue;
    let forbids = |id: &&ClauseId| matches!(catalogue.clause(**id).kind, ClauseKind::Permit { allow: false, .. });
    let rules = |permission: usize| catalogue.index.permission_rules[permission].iter().filter(forbids);
    shelf.code.forbidden = (0..catalogue.permissions.len())
        .map(|permission| {
            let mut compiler = Compiler::new(shelf, catalogue.permissions[permission].params as usize);
            for &id in rules(permission) {
                let clause = catalogue.clause(id);
                let ClauseKind::Permit { test, .. } = clause.kind else { continue };
                let other = compiler.label();
                compiler.deeper = catalogue.index.clause_depths[id.index()];
                compiler.deepest = compiler.deepest.max(compiler.deeper);
                test.into_iter().chain(clause.when).for_each(|test| compiler.branch(test, false, other));
                compiler.emit(Step::Decide(true));
                compiler.here(other);
            }
            compiler.emit(Step::Decide(false));
            compiler.finish().map_or(Piece::NONE, |(piece, _)| piece)
        })
        .collect();
}

/// The code of the programs.
fn programs(shelf: &mut Shelf<'_>) {
    let catalogue = shelf.catalogue;
    shelf.code.entries = vec![0; catalogue.ops.len()];
    let code = |(at, proc): (usize, &Proc)| match shelf.within.has_proc(at) {
        true => program(shelf, proc.start as usize).unwrap_or(NO_CODE),
        false => NO_CODE,
    };
    shelf.code.programs = catalogue.procs.iter().enumerate().map(code).collect();
}

fn program(shelf: &mut Shelf<'_>, start: usize) -> Option<u32> {
    let catalogue = shelf.catalogue;
    let reached = reached(catalogue, start)?;
    let mut compiler = Compiler::new(shelf, 0);
    let labels: Vec<To> = (0..=*reached.last()?).map(|_| compiler.label()).collect();
    for &at in &reached {
        compiler.here(labels[at]);
        compiler.instruction(start, at, &labels);
        compiler.next = 0;
    }
    let (Piece { start: first, deepest }, places) = compiler.finish()?;
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
    fn instruction(&mut self, start: usize, at: usize, labels: &[To]) {
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
            Op::Call(program, args, result) if self.can_be_idle(program, 0) => self.guarded(start + at, program, args, result),
            // Few events are heard: those that are not need nothing.
            Op::Emit { event, .. } if !self.catalogue.index.heard.has(event.index()) => self.emit(Step::DoBare((start + at) as u32)),
            _ => self.change(start + at),
        }
    }

    /// An instruction that changes something, with what it needs.
    fn change(&mut self, op: usize) {
        let mut exprs: Vec<ExprId> = Vec::new();
        self.catalogue.ops[op].exprs(self.catalogue, &mut |expr| exprs.push(expr));
        self.failed |= exprs.len() >= FREE;
        self.next = exprs.len().min(FREE) as Reg;
        for (reg, &expr) in exprs.iter().enumerate().take(FREE) {
            if !self.shelf.within.whole(self.catalogue, expr).is_at_hand() {
                self.meanwhile(|this| this.into(expr, reg as Reg));
            }
        }
        self.emit(Step::Do(op as u32));
    }

    /// Whether there is a way through a program on which it does nothing at all: past what stands behind tests, and past calls of such
    /// programs.
    fn can_be_idle(&self, program: ProcId, depth: u8) -> bool {
        let Proc { start, contains_faults, .. } = self.catalogue.procs[program.index()];
        if contains_faults || depth > 2 {
            return false;
        }
        let (mut at, mut tests) = (0, 0);
        for _ in 0..8 {
            match self.catalogue.ops.get((start + at) as usize) {
                Some(Op::JumpUnless(_, to)) if *to > at => (at, tests) = (*to, tests + 1),
                Some(Op::Jump(to)) if *to > at => at = *to,
                Some(Op::Call(callee, _, None)) if self.can_be_idle(*callee, depth + 1) => (at, tests) = (at + 1, tests + 1),
                Some(Op::Return(result)) => return tests > 0 && self.shelf.within.whole(self.catalogue, *result).is_at_hand(),
                _ => return false,
            }
        }
        false
    }

    /// A call of such a program: whether it would do anything is seen first.
    fn guarded(&mut self, op: usize, program: ProcId, args: Args, result: Option<RegisterId>) {
        let (busy, end) = (self.label(), self.label());
        let args: Vec<Reg> = self.catalogue.slice(args).iter().map(|&arg| self.value(arg)).collect();
        let mut spent = 1;
        let returned = self.idle(program, args, busy, &mut spent);
        if let Some(result) = result {
            self.emit(Step::Write(returned, result));
        }
        // What would have been done for nothing counts.
        self.emit(Step::Spend(spent));
        self.emit(Step::Jump(end));
        self.here(busy);
        self.next = 0;
        self.change(op);
        self.here(end);
    }

    /// Go through a program with these registers on the way on which it does nothing, and jump where that is not so. What it returns.
    fn idle(&mut self, program: ProcId, registers: Vec<Reg>, busy: To, spent: &mut u32) -> Reg {
        let start = self.catalogue.procs[program.index()].start;
        let outer = self.registers.replace(registers);
        let mut at = 0;
        let returned = loop {
            match self.catalogue.ops[(start + at) as usize] {
                Op::JumpUnless(test, to) => {
                    self.branch(test, true, busy);
                    at = to;
                }
                Op::Jump(to) => at = to,
                Op::Call(callee, args, _) => {
                    let args: Vec<Reg> = self.catalogue.slice(args).iter().map(|&arg| self.value(arg)).collect();
                    *spent += 1;
                    self.idle(callee, args, busy, spent);
                    at += 1;
                }
                Op::Return(result) => {
                    *spent += 1;
                    break self.value(result);
                }
                _ => {
                    self.failed = true;
                    break 0;
                }
            }
        };
        self.registers = outer;
        returned
    }
}
