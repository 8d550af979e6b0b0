//! Expressions: names, types and nodes.

use super::Compiler;
use super::names::{Alias, Callee, Held, Holder, PermissionNames};
use crate::ast::{self, Bin, ExprKind, Name};
use crate::diagnostics::Span;
use crate::types::Ty;
use trilogy_engine::PlayerId;
use trilogy_engine::catalogue::*;

/// Where an expression stands: the names it can use.
#[derive(Clone, Default)]
pub(super) struct Cx {
    /// Names in registers: of a program, or captured by a lasting effect.
    pub registers: Vec<(String, RegisterId, Ty)>,
    /// How many registers the program has so far; more than there can be are told where it ends.
    pub next_register: usize,
    /// Names bound while evaluating, by their place.
    pub locals: Vec<(String, Ty)>,
    /// The type a program returns, if it does.
    pub returns: Option<Ty>,
    /// Whether `self` means something.
    pub on_card: bool,
    /// The statement that each instruction comes from, as far as there are any.
    pub spans: Vec<Span>,
}

impl Cx {
    pub(super) fn pure(params: &[(String, Ty)]) -> Cx {
        Cx { locals: params.to_vec(), on_card: true, ..Cx::default() }
    }
    pub(super) fn program(params: &[(String, Ty)]) -> Cx {
        let mut cx = Cx { on_card: true, ..Cx::default() };
        for (name, ty) in params {
            cx.register(name, *ty);
        }
        cx
    }
    pub(super) fn register(&mut self, name: &str, ty: Ty) -> RegisterId {
        let at = RegisterId::new(self.next_register).unwrap_or_default();
        self.next_register += 1;
        self.registers.push((name.to_string(), at, ty));
        at
    }
}

impl Compiler {
    /// A name can be given to something new unless it stands for a parameter of a template or for what a moment tells: these
    /// are meant wherever it is written.
    pub(super) fn is_free(&mut self, name: &ast::Name) {
        if self.aliases.contains_key(&name.text) {
            self.fail(name.span, format!("`{}` stands for something else here: choose another name", name.text));
        }
    }

    /// An expression that must have a type.
    pub(super) fn expr_of(&mut self, cx: &mut Cx, expr: &ast::Expr, wanted: Ty) -> ExprId {
        let (id, ty) = self.expr(cx, expr);
        self.coerce(id, ty, wanted, expr.span)
    }

    fn coerce(&mut self, id: ExprId, ty: Ty, wanted: Ty, span: Span) -> ExprId {
        if ty == Ty::Zone && wanted == Ty::Cards {
            return self.add(Expr::Prop(Prop::Cards, id));
        }
        // A counter or keyword may stand for a truth: it holds when it is not zero.
        let truth = wanted == Ty::Bool && ty == Ty::Num;
        if !ty.fits(wanted) && !truth {
            self.fail(span, format!("this is a {}, but a {} is needed here", ty.name(), wanted.name()));
        }
        id
    }

    /// Anything that can be gone through, with the type of its items.
    pub(super) fn list(&mut self, cx: &mut Cx, expr: &ast::Expr) -> (ExprId, Ty) {
        let (id, ty) = self.expr(cx, expr);
        let Some(item) = ty.item() else {
            self.fail(expr.span, format!("this is a {}, but a list is needed here", ty.name()));
            return (id, Ty::Any);
        };
        (if ty == Ty::Zone { self.add(Expr::Prop(Prop::Cards, id)) } else { id }, item)
    }

    pub(super) fn expr(&mut self, cx: &mut Cx, expr: &ast::Expr) -> (ExprId, Ty) {
        let span = expr.span;
        match &*expr.kind {
            ExprKind::Int(number) => (self.add(Expr::Num(*number)), Ty::Num),
            ExprKind::Str(title) => {
                let word = self.card_name(title);
                (self.add(Expr::Word(word)), Ty::Word)
            }
            ExprKind::Name(name) => self.name(cx, name, span),
            ExprKind::Field(of, field) => self.field(cx, of, field),
            ExprKind::Call(name, args) => self.call(cx, name, args, span),
            ExprKind::Bin(op, a, b) => self.binary(cx, *op, a, b),
            ExprKind::Not(inner) => {
                let inner = self.expr_of(cx, inner, Ty::Bool);
                (self.add(Expr::Not(inner)), Ty::Bool)
            }
            ExprKind::Neg(inner) => {
                let inner = self.expr_of(cx, inner, Ty::Num);
                (self.add(Expr::Neg(inner)), Ty::Num)
            }
            ExprKind::If(test, yes, no) => {
                let test = self.expr_of(cx, test, Ty::Bool);
                let (yes, a) = self.expr(cx, yes);
                let (no_id, b) = self.expr(cx, no);
                if !a.fits(b) {
                    self.fail(no.span, format!("one branch is a {}, the other a {}", a.name(), b.name()));
                }
                (self.add(Expr::If(test, yes, no_id)), if a == Ty::Any { b } else { a })
            }
            ExprKind::Is(of, word, negated) => {
                let of = self.expr_of(cx, of, Ty::Card);
                let is = if let Some(&word) = self.names.words.get(&word.text) {
                    self.add(Expr::Is(of, word))
                } else if self.stands_for_value(cx, &word.text) {
                    let (value, ty) = self.name(cx, &word.text, word.span);
                    if !ty.fits(Ty::Word) {
                        self.fail(word.span, format!("`{}` is a {}, but a word is needed here", word.text, ty.name()));
                    }
                    self.add(Expr::Carries(of, value))
                } else {
                    self.lookup("word", word, |names| &names.words);
                    return (of, Ty::Bool);
                };
                (if *negated { self.add(Expr::Not(is)) } else { is }, Ty::Bool)
            }
            ExprKind::Phrase(phrase) => self.phrase_list(cx, phrase, span),
            ExprKind::Quantify { which, var, list, test, value } => self.quantify(cx, which, var, list, test.as_ref(), value.as_ref()),
            ExprKind::List(items) => {
                let mut ids = Vec::new();
                let mut item_type = Ty::Any;
                for item in items {
                    let (id, ty) = self.expr(cx, item);
                    if !ty.fits(item_type) {
                        self.fail(item.span, format!("this is a {}, the items before it are of type {}", ty.name(), item_type.name()));
                    }
                    if item_type == Ty::Any {
                        item_type = ty;
                    }
                    ids.push(id);
                }
                let args = self.args(&ids);
                (self.add(Expr::List(args)), item_type.list_of())
            }
            ExprKind::Range(low, high) => {
                let (low, high) = (self.expr_of(cx, low, Ty::Num), self.expr_of(cx, high, Ty::Num));
                (self.add(Expr::Range(low, high)), Ty::Nums)
            }
            ExprKind::Can(name, args) => {
                let Some(PermissionNames { id, params, .. }) = self.lookup("permission", name, |names| &names.permissions) else {
                    return (self.add(Expr::None), Ty::Bool);
                };
                let args = self.typed_args(cx, name, args, &params);
                (self.add(Expr::May(id, args)), Ty::Bool)
            }
        }
    }

    /// Whether a name is that of an argument, a local value, a register or a variable here.
    fn stands_for_value(&self, cx: &Cx, name: &str) -> bool {
        self.aliases.contains_key(name)
            || cx.locals.iter().any(|(local, _)| local == name)
            || cx.registers.iter().any(|(register, ..)| register == name)
            || self.names.vars.contains_key(name)
    }

    fn name(&mut self, cx: &mut Cx, name: &str, span: Span) -> (ExprId, Ty) {
        if let Some(Alias { argument, outside }) = self.aliases.get(name).cloned() {
            let inside = std::mem::replace(&mut self.aliases, outside);
            let found = self.expr(cx, &argument);
            self.aliases = inside;
            return found;
        }
        if let Some(at) = cx.locals.iter().rposition(|(local, _)| local == name) {
            let ty = cx.locals[at].1;
            let at = self.id(at, span);
            return (self.add(Expr::Local(at)), ty);
        }
        if let Some((_, at, ty)) = cx.registers.iter().rev().find(|(register, _, _)| register == name) {
            return (self.add(Expr::Register(*at)), *ty);
        }
        let fixed = match name {
            "none" => Some((Expr::None, Ty::Any)),
            "true" => Some((Expr::Bool(true), Ty::Bool)),
            "false" => Some((Expr::Bool(false), Ty::Bool)),
            "you" => Some((Expr::You, Ty::Player)),
            "self" if cx.on_card => Some((Expr::Me, Ty::Card)),
            "source" if cx.on_card => Some((Expr::Source, Ty::Card)),
            _ => None,
        };
        if let Some((node, ty)) = fixed {
            return (self.add(node), ty);
        }
        if name == "opponent" {
            let you = self.add(Expr::You);
            return (self.add(Expr::Prop(Prop::Opponent, you)), Ty::Player);
        }
        if let Some(&(at, ty)) = self.names.vars.get(name) {
            return (self.add(Expr::Var(at)), ty);
        }
        if let Some(&at) = self.names.players.get(name) {
            return (self.add(Expr::Player(PlayerId(at))), Ty::Player);
        }
        if let Some(&(kind, of_player)) = self.names.zones.get(name) {
            if of_player {
                self.fail(span, format!("each player has a {name} of their own: write `you.{name}`"));
            }
            let at = self.out.zones.iter().position(|zone| zone.kind == kind).unwrap_or(0);
            let zone = self.id(at, span);
            return (self.add(Expr::Zone(zone)), Ty::Zone);
        }
        if let Some(Callee { id, params, result, .. }) = self.names.functions.get(name)
            && params.is_empty()
        {
            let (id, result) = (*id, *result);
            return (self.add(Expr::Call(id, Args::default())), result);
        }
        if let Some(&word) = self.names.words.get(name) {
            return (self.add(Expr::Word(word)), Ty::Word);
        }
        if let Some(&window) = self.names.windows.get(name) {
            return (self.add(Expr::Num(window.index() as i32)), Ty::Window);
        }
        if let Some(&class) = self.names.classes.get(name) {
            return (self.add(Expr::Num(class.index() as i32)), Ty::Class);
        }
        let mut known: Vec<String> = cx.locals.iter().map(|(name, _)| name.clone()).collect();
        known.extend(cx.registers.iter().map(|(name, _, _)| name.clone()));
        known.extend(self.names.vars.keys().cloned());
        known.extend(self.names.players.keys().cloned());
        known.extend(self.names.zones.keys().cloned());
        known.extend(self.names.functions.keys().cloned());
        known.extend(self.names.words.keys().cloned());
        known.extend(["you", "opponent", "self", "none", "true", "false"].map(String::from));
        self.fail_near(span, format!("nothing is called `{name}` here"), name, known.iter().map(String::as_str));
        (self.add(Expr::None), Ty::Any)
    }

    fn field(&mut self, cx: &mut Cx, of: &ast::Expr, field: &Name) -> (ExprId, Ty) {
        let (id, ty) = self.expr(cx, of);
        let name = field.text.as_str();
        if let Some((prop, result)) = property(ty, name) {
            return (self.add(Expr::Prop(prop, id)), result);
        }
        if let Some(item) = ty.item()
            && ty != Ty::Zone
        {
            match name {
                "size" => return (self.add(Expr::Prop(Prop::Size, id)), Ty::Num),
                "first" => return (self.add(Expr::Prop(Prop::First, id)), item),
                "last" => return (self.add(Expr::Prop(Prop::Last, id)), item),
                _ => {}
            }
        }
        if let Some(found) = self.held(id, ty, field) {
            return found;
        }
        if let Some(Callee { id: function, params, result, .. }) = self.names.functions.get(name).cloned()
            && params.len() == 1
            && ty.fits(params[0].1)
        {
            let args = self.args(&[id]);
            return (self.add(Expr::Call(function, args)), result);
        }
        let mut known: Vec<String> = self.names.held.keys().cloned().collect();
        known.extend(self.names.stats.keys().cloned());
        known.extend(self.names.zones.keys().cloned());
        known.extend(self.names.functions.iter().filter(|(_, callee)| callee.params.len() == 1).map(|(name, _)| name.clone()));
        known.extend(
            ["owner", "controller", "zone", "facedown", "parent", "name", "cards", "size", "first", "last", "card", "opponent"]
                .map(String::from),
        );
        // Of what is wrong itself nothing more is said.
        if ty != Ty::Any || self.problems.is_empty() {
            self.fail_near(field.span, format!("a {} has no `{name}`", ty.name()), name, known.iter().map(String::as_str));
        }
        (self.add(Expr::None), Ty::Any)
    }

    /// A counter, a value, a printed number, an enumeration or a zone that belongs to a card or player.
    fn held(&mut self, id: ExprId, ty: Ty, field: &Name) -> Option<(ExprId, Ty)> {
        let name = field.text.as_str();
        let holder = match ty {
            Ty::Card => Holder::Card,
            Ty::Player => Holder::Player,
            _ => return None,
        };
        if let Some(held) = self.names.held.get(name).copied()
            && held.holder() == holder
        {
            let node = match held {
                Held::Counter(at) | Held::Field(at, Ty::Num) => Expr::Number(at, id),
                Held::Field(at, Ty::Bool) => Expr::Truth(at, id),
                Held::Field(at, _) => Expr::Field(at, id),
                Held::PlayerCounter(at) => Expr::PlayerCounter(at, id),
                Held::PlayerVar(first, _) => Expr::PlayerVar(first, id),
            };
            return Some((self.add(node), held.ty()));
        }
        if let Some(&(at, of)) = self.names.stats.get(name)
            && of == holder
        {
            if let Some((what, ty)) = self.names.stat_params.get(name).cloned() {
                self.fail(field.span, format!("`{name}` is a value for something: write `{name}(..., {what})` with a {}", ty.name()));
            }
            return Some((self.add(Expr::Stat(at, id)), Ty::Num));
        }
        if holder == Holder::Card
            && let Some(fact) = name.strip_prefix("printed_")
            && let Some(&(at, _)) = self.names.facts.get(fact)
        {
            return Some((self.add(Expr::Fact(at, id)), Ty::Num));
        }
        if holder == Holder::Card
            && let Some(&at) = self.names.enums.get(name)
        {
            let several = self.out.enums[at.index()].several;
            return Some(if several { (self.add(Expr::Members(at, id)), Ty::Words) } else { (self.add(Expr::Enum(at, id)), Ty::Word) });
        }
        if holder == Holder::Player
            && let Some(&(kind, true)) = self.names.zones.get(name)
        {
            return Some((self.add(Expr::ZoneOf(kind, id)), Ty::Zone));
        }
        None
    }

    fn binary(&mut self, cx: &mut Cx, op: Bin, a: &ast::Expr, b: &ast::Expr) -> (ExprId, Ty) {
        // An option is compared with the name of one of its choices.
        if let (Bin::Eq | Bin::Ne, ExprKind::Name(option), ExprKind::Name(choice)) = (op, &*a.kind, &*b.kind)
            && let Some(&at) = self.names.options.get(option)
        {
            let choices = self.out.options[at.index()].choices.clone();
            let Some(number) = choices.iter().position(|known| known == choice) else {
                self.fail_near(b.span, format!("the option {option} has no choice `{choice}`"), choice, choices.iter().map(String::as_str));
                return (self.add(Expr::None), Ty::Bool);
            };
            let (option, number) = (self.add(Expr::Option(at)), self.add(Expr::Num(number as i32)));
            let op = if op == Bin::Eq { BinOp::Eq } else { BinOp::Ne };
            return (self.add(Expr::Bin(op, option, number)), Ty::Bool);
        }
        let (engine_op, result) = match op {
            Bin::Add => (BinOp::Add, Ty::Num),
            Bin::Sub => (BinOp::Sub, Ty::Num),
            Bin::Mul => (BinOp::Mul, Ty::Num),
            Bin::Div => (BinOp::Div, Ty::Num),
            Bin::Lt => (BinOp::Lt, Ty::Bool),
            Bin::Le => (BinOp::Le, Ty::Bool),
            Bin::Gt => (BinOp::Gt, Ty::Bool),
            Bin::Ge => (BinOp::Ge, Ty::Bool),
            Bin::And | Bin::Or => {
                let (a, b) = (self.expr_of(cx, a, Ty::Bool), self.expr_of(cx, b, Ty::Bool));
                let op = if op == Bin::And { BinOp::And } else { BinOp::Or };
                return (self.add(Expr::Bin(op, a, b)), Ty::Bool);
            }
            Bin::Eq | Bin::Ne => {
                let (x, ty_x) = self.expr(cx, a);
                let (y, ty_y) = self.expr(cx, b);
                if !ty_x.fits(ty_y) {
                    self.fail(a.span.to(b.span), format!("a {} is never equal to a {}", ty_x.name(), ty_y.name()));
                }
                let op = if op == Bin::Eq { BinOp::Eq } else { BinOp::Ne };
                return (self.add(Expr::Bin(op, x, y)), Ty::Bool);
            }
            Bin::In => {
                let (x, ty_x) = self.expr(cx, a);
                let (list, item) = self.list(cx, b);
                if !ty_x.fits(item) {
                    self.fail(a.span, format!("a {} is never in a list of {} items", ty_x.name(), item.name()));
                }
                return (self.add(Expr::Bin(BinOp::In, x, list)), Ty::Bool);
            }
            Bin::Join => {
                let (x, item_x) = self.list(cx, a);
                let (y, item_y) = self.list(cx, b);
                if !item_x.fits(item_y) {
                    self.fail(b.span, "lists of different types cannot be joined");
                }
                let item = if item_x == Ty::Any { item_y } else { item_x };
                return (self.add(Expr::Bin(BinOp::Join, x, y)), item.list_of());
            }
        };
        let (a, b) = (self.expr_of(cx, a, Ty::Num), self.expr_of(cx, b, Ty::Num));
        (self.add(Expr::Bin(engine_op, a, b)), result)
    }

    fn quantify(
        &mut self,
        cx: &mut Cx,
        which: &Name,
        var: &Name,
        list: &ast::Expr,
        test: Option<&ast::Expr>,
        value: Option<&ast::Expr>,
    ) -> (ExprId, Ty) {
        self.is_free(var);
        let (list, item) = self.list(cx, list);
        let local = self.id(cx.locals.len(), var.span);
        cx.locals.push((var.text.clone(), item));
        let test = match test {
            Some(test) => self.expr_of(cx, test, Ty::Bool),
            None => self.add(Expr::Bool(true)),
        };
        let mut ids = vec![test];
        let mut value_type = item;
        if let Some(value) = value {
            let (id, ty) = self.expr(cx, value);
            ids.push(id);
            value_type = ty;
        }
        cx.locals.pop();
        let (quantifier, result) = match which.text.as_str() {
            "any" => (Quantifier::Any, Ty::Bool),
            "all" => (Quantifier::All, Ty::Bool),
            "count" => (Quantifier::Count, Ty::Num),
            "sum" => (Quantifier::Sum, Ty::Num),
            "filter" => (Quantifier::Where, item.list_of()),
            "each" => (Quantifier::Each, value_type.list_of()),
            "highest" => (Quantifier::Highest, Ty::Num),
            "lowest" => (Quantifier::Lowest, Ty::Num),
            _ => (Quantifier::First, item),
        };
        if value.is_some()
            && matches!(quantifier, Quantifier::Any | Quantifier::All | Quantifier::Count | Quantifier::Where | Quantifier::First)
        {
            self.fail(which.span, format!("`{}` takes a test after `where`, and no value after `:`", which.text));
        }
        let args = self.args(&ids);
        (self.add(Expr::Quantify(quantifier, list, local, args)), result)
    }
}

/// What every card, move, player and zone has.
fn property(ty: Ty, name: &str) -> Option<(Prop, Ty)> {
    match (ty, name) {
        (Ty::Card, "owner") => Some((Prop::Owner, Ty::Player)),
        (Ty::Card, "controller") => Some((Prop::Controller, Ty::Player)),
        (Ty::Card, "zone") => Some((Prop::Zone, Ty::Zone)),
        (Ty::Card, "facedown") => Some((Prop::Facedown, Ty::Bool)),
        (Ty::Card, "parent") => Some((Prop::Parent, Ty::Card)),
        (Ty::Card, "name") => Some((Prop::Name, Ty::Word)),
        (Ty::Move | Ty::Trigger, "card") => Some((Prop::MoveCard, Ty::Card)),
        (Ty::Move, "source") => Some((Prop::MoveSource, Ty::Card)),
        (Ty::Move, "from_card") => Some((Prop::MoveIsCard, Ty::Bool)),
        (Ty::Player, "opponent") => Some((Prop::Opponent, Ty::Player)),
        (Ty::Zone, "cards") => Some((Prop::Cards, Ty::Cards)),
        (Ty::Zone, "size") => Some((Prop::Size, Ty::Num)),
        _ => None,
    }
}
