//! What a card is, by the words it carries, and how it lies: however many of them, one test.

use super::{Compiler, Shelf};
use crate::catalogue::{BinOp, Catalogue, Expr, Print, Prop, Within};
use crate::eval::code::{Deeper, Reg, Step, To};
use crate::eval::printed;
use crate::ids::*;

/// One of several tests: as it stands, or of a kind.
enum Several {
    Test(ExprId),
    Kind(usize),
}

/// What is asked of a card: whether it is in a set, and what holds for what is in no set of this sort at all.
#[derive(Clone)]
pub(super) struct Kind {
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

/// Something that is printed on a card and never changes.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Of {
    Member(EnumId),
    Name,
    Fact(FactId),
    /// A value that nothing speaks of.
    Stat(StatId),
}

impl Of {
    fn printed(self, catalogue: &Catalogue, def: DefId) -> Option<i32> {
        let word = |word: WordId| word.index() as i32;
        match self {
            Of::Member(which) => catalogue.index.members[def.index() * catalogue.enums.len() + which.index()].map(word),
            Of::Name => catalogue.def(def).name.map(word),
            Of::Fact(fact) => catalogue.def(def).facts[fact.index()],
            Of::Stat(stat) => printed(catalogue, stat, def),
        }
    }
}

impl Set {
    fn not(self) -> Set {
        match self {
            Set::Class(class) => Set::Class(class.into_iter().map(|word| !word).collect()),
            Set::Roles(set) => Set::Roles(!set),
        }
    }
}

impl Kind {
    fn not(self) -> Kind {
        Kind { set: self.set.not(), outside: !self.outside, ..self }
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

/// For each word the class of the cards that carry it.
pub(super) fn carriers(catalogue: &Catalogue, within: &Within) -> Vec<Vec<u64>> {
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

impl Shelf<'_> {
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

    /// The cards of which something that is printed on them compares so with a number or the number of a word; nothing is the same as
    /// nothing, and compares with it no further.
    fn with(&self, of: Of, op: BinOp, with: Option<i32>) -> Vec<u64> {
        if let Some(known) = self.printed.borrow().get(&(of, op, with)) {
            return known.clone();
        }
        let class = self.look_for(of, op, with);
        self.printed.borrow_mut().insert((of, op, with), class.clone());
        class
    }

    fn look_for(&self, of: Of, op: BinOp, with: Option<i32>) -> Vec<u64> {
        let mut class = vec![0; self.code.stride];
        for def in DefId::all(self.catalogue.cards.len()).filter(|def| self.within.has_card(def.index())) {
            let printed = of.printed(self.catalogue, def);
            let holds = match (op, printed, with) {
                (BinOp::Eq, ..) => printed == with,
                (BinOp::Ne, ..) => printed != with,
                (BinOp::Lt, Some(a), Some(b)) => a < b,
                (BinOp::Le, Some(a), Some(b)) => a <= b,
                (BinOp::Gt, Some(a), Some(b)) => a > b,
                (BinOp::Ge, Some(a), Some(b)) => a >= b,
                _ => false,
            };
            if holds {
                class[def.index() / 64] |= 1 << (def.index() % 64);
            }
        }
        class
    }

    /// The cards that have a word in their title, text or lore. That is some work, so only few are asked.
    pub(super) fn that_mention(&self, print: Print, word: WordId) -> Vec<u64> {
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

impl Compiler<'_, '_> {
    /// Tests of which all must hold, or one. Those that ask what one card is are one test together.
    pub(super) fn several(&mut self, op: BinOp, expr: ExprId, want: bool, to: To) {
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
    pub(super) fn kind(&self, expr: ExprId) -> Option<Kind> {
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
            Expr::Bin(BinOp::Eq | BinOp::Ne | BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge, ..) => {
                let (card, class, outside) = self.printed_test(expr)?;
                Some(Kind { outside, ..of_card(card, Set::Class(class))? })
            }
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

    /// A test of something that is printed on a card: the card, the class of those for which it holds, and whether it does for what is no
    /// card, which has nothing of the sort.
    fn printed_test(&self, expr: ExprId) -> Option<(ExprId, Vec<u64>, bool)> {
        let (op, card, of, with) = self.printed_parts(expr)?;
        Some((card, self.shelf.with(of, op, with), if op == BinOp::Ne { with.is_some() } else { op == BinOp::Eq && with.is_none() }))
    }

    pub(super) fn is_printed_test(&self, expr: ExprId) -> bool {
        self.printed_parts(expr).is_some()
    }

    fn printed_parts(&self, expr: ExprId) -> Option<(BinOp, ExprId, Of, Option<i32>)> {
        let Expr::Bin(op @ (BinOp::Eq | BinOp::Ne | BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge), a, b) = self.expr(expr) else {
            return None;
        };
        let (card, of) = self.print(a)?;
        let with = match self.expr(b) {
            Expr::None => None,
            Expr::Num(number) => Some(number),
            Expr::Word(word) => Some(word.index() as i32),
            _ => return None,
        };
        Some((op, card, of, with))
    }

    /// What of a card an expression tells that never changes, and the card.
    fn print(&self, expr: ExprId) -> Option<(ExprId, Of)> {
        match self.expr(expr) {
            Expr::Enum(which, card) => Some((card, Of::Member(which))),
            Expr::Prop(Prop::Name, card) => Some((card, Of::Name)),
            Expr::Fact(fact, card) => Some((card, Of::Fact(fact))),
            Expr::Stat(stat, card) => {
                let settled = self.catalogue.index.settled_stats.has(stat.index());
                (settled && !self.catalogue.stats[stat.index()].of_player).then_some((card, Of::Stat(stat)))
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

    pub(super) fn kind_test(&mut self, expr: ExprId, want: bool, to: To) {
        match (self.kind(expr), self.expr(expr)) {
            (Some(kind), _) => self.is_kind(&kind, want, to),
            // The card is first to be worked out.
            (None, Expr::Is(card, word)) => {
                let (card, class) = (self.value(card), self.shelf.with_word(word));
                self.fits(card, class, want, to);
            }
            (None, Expr::Carries(card, word)) => self.two(card, word, |card, word| Step::Carries(card, word, want, to)),
            (None, _) => match self.printed_test(expr) {
                Some((card, class, outside)) => {
                    let card = self.value(card);
                    self.is_of(card, Set::Class(class), outside, want, to);
                }
                None => self.failed = true,
            },
        }
    }

    pub(super) fn is_kind(&mut self, kind: &Kind, want: bool, to: To) {
        self.deepest = self.deepest.max(self.deeper.saturating_add(kind.deeper));
        let card = self.value(kind.card);
        self.is_of(card, kind.set.clone(), kind.outside, want, to);
    }

    fn is_of(&mut self, card: Reg, set: Set, outside: bool, want: bool, to: To) {
        // What is no card, or lies nowhere, is in no class: those that it is in are told by the others.
        let (set, want) = if outside { (set.not(), !want) } else { (set, want) };
        match set {
            Set::Class(class) => self.fits(card, class, want, to),
            Set::Roles(set) => match self.shelf.role_set(set) {
                Some(number) => self.emit(Step::Roles(card, number, want, to)),
                None => self.failed = true,
            },
        }
    }

    pub(super) fn fits(&mut self, card: Reg, class: Vec<u64>, want: bool, to: To) {
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
}
