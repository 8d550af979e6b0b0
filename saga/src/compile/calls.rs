//! Calls of functions and built-ins, and their arguments.

use super::Compiler;
use super::expressions::Cx;
use super::names::Holder;
use crate::ast::{self, ExprKind, Name};
use crate::diagnostics::Span;
use crate::table::{self, Builtin, Wants};
use crate::types::Ty;
use trilogy_engine::catalogue::*;

/// What a built-in is given: expressions, the name of a role, and the type of the items of the last list among them.
pub(super) struct Given {
    pub(super) values: Vec<ExprId>,
    pub(super) role: Option<RoleId>,
    pub(super) items: Ty,
}

impl Compiler {
    pub(super) fn call(&mut self, cx: &mut Cx, name: &Name, args: &[ast::Expr], span: Span) -> (ExprId, Ty) {
        if let Some(callee) = self.names.functions.get(&name.text).cloned() {
            let args = self.typed_args(cx, name, args, &callee.params);
            return (self.add(Expr::Call(callee.id, args)), callee.result);
        }
        if let Some((what, ty)) = self.names.stat_params.get(&name.text).cloned() {
            let (at, holder) = self.names.stats[&name.text];
            let it = if holder == Holder::Card { Ty::Card } else { Ty::Player };
            let params = [("it".to_string(), it), (what, ty)];
            let args = self.typed_args(cx, name, args, &params);
            if args.len != 2 {
                return (self.add(Expr::None), Ty::Num);
            }
            let (of, what) = (self.out.args[args.start as usize], self.out.args[args.start as usize + 1]);
            return (self.add(Expr::StatFor(at, of, what)), Ty::Num);
        }
        if let Some(&(kind, true)) = self.names.zones.get(&name.text) {
            let args: Vec<ExprId> = args.iter().map(|arg| self.expr_of(cx, arg, Ty::Player)).collect();
            if let [player] = args[..] {
                return (self.add(Expr::ZoneOf(kind, player)), Ty::Zone);
            }
            self.fail(span, format!("`{}` takes one player", name.text));
            return (self.add(Expr::None), Ty::Zone);
        }
        if let Some(callable) = table::callable(&name.text) {
            if callable.acts {
                self.fail(span, format!("`{}` does something: it stands alone or right of `let`", name.text));
                return (self.add(Expr::None), Ty::Any);
            }
            return self.builtin(cx, callable, name, args);
        }
        if let Some(at) = trilogy_engine::inside::NATIVES.iter().position(|native| native.name == name.text) {
            let ids: Vec<ExprId> = args.iter().map(|arg| self.expr(cx, arg).0).collect();
            let args = self.args(&ids);
            return (self.add(Expr::Native(at as u16, args)), Ty::Any);
        }
        if self.names.procs.contains_key(&name.text) {
            self.fail(span, format!("`{}` is a program: call it in a line of its own, or as `let x = {}(...)`", name.text, name.text));
            return (self.add(Expr::None), Ty::Any);
        }
        let mut known: Vec<String> = self.names.functions.keys().cloned().collect();
        known.extend(table::CALLABLES.iter().map(|callable| callable.name.to_string()));
        known.extend(self.names.procs.keys().cloned());
        self.fail_near(name.span, format!("there is no function called `{}`", name.text), &name.text, known.iter().map(String::as_str));
        (self.add(Expr::None), Ty::Any)
    }

    fn builtin(&mut self, cx: &mut Cx, callable: &'static table::Callable, name: &Name, args: &[ast::Expr]) -> (ExprId, Ty) {
        let Some(Given { values, role, items }) = self.builtin_args(cx, callable, name, args) else {
            return (self.add(Expr::None), callable.result.unwrap_or(Ty::Any));
        };
        let result = callable.result.unwrap_or(Ty::Any);
        let role = role.unwrap_or_default();
        let node = match (callable.builtin, &values[..]) {
            (Builtin::Min, [a, b]) => Expr::Bin(BinOp::Min, *a, *b),
            (Builtin::Max, [a, b]) => Expr::Bin(BinOp::Max, *a, *b),
            (Builtin::Count, [list]) => {
                let yes = self.add(Expr::Bool(true));
                let args = self.args(&[yes]);
                let local = self.id(cx.locals.len(), name.span);
                Expr::Quantify(Quantifier::Count, *list, local, args)
            }
            (Builtin::Moves, [player, window]) => Expr::Moves(*window, *player),
            (Builtin::Waiting, [player, class]) => Expr::Waiting(*class, *player),
            (Builtin::Without, [a, b]) => return (self.add(Expr::Bin(BinOp::Without, *a, *b)), items.list_of()),
            (Builtin::Attached, [card]) => Expr::Attached(role, *card),
            (Builtin::HasRole, [card]) => Expr::HasRole(*card, role),
            (Builtin::ChangesInPlay, []) => Expr::ChangesInPlay,
            (Builtin::Root, [card]) => Expr::Prop(Prop::Root, *card),
            (Builtin::Position, [card]) => Expr::Prop(Prop::Position, *card),
            (Builtin::AllOn, [card]) => Expr::AllOn(*card),
            (Builtin::Distinct, [list]) => return (self.add(Expr::Prop(Prop::Distinct, *list)), items.list_of()),
            (Builtin::Item, [list, at]) => return (self.add(Expr::Item(*list, *at)), items),
            (Builtin::AnythingActsIn, [window]) => Expr::AnythingActsIn(*window),
            (Builtin::Over, [window]) => Expr::WindowOver(*window),
            (Builtin::ActsIn, [card, window]) => Expr::ActsIn(*card, *window),
            (Builtin::TitleHas, [card, word]) => Expr::Mentions(Print::Title, *card, *word),
            (Builtin::TextHas, [card, word]) => Expr::Mentions(Print::Text, *card, *word),
            (Builtin::LoreHas, [card, word]) => Expr::Mentions(Print::Lore, *card, *word),
            (Builtin::WordsOf, [card]) => Expr::Words(*card),
            (Builtin::Brings, [head, card]) => Expr::Brings(*head, *card),
            _ => Expr::None,
        };
        (self.add(node), result)
    }

    pub(super) fn typed_args(&mut self, cx: &mut Cx, name: &Name, args: &[ast::Expr], params: &[(String, Ty)]) -> Args {
        if args.len() != params.len() {
            let wanted: Vec<String> = params.iter().map(|(name, ty)| format!("{name}: {}", ty.name())).collect();
            self.fail(name.span, format!("`{}` takes ({}), here are {} values", name.text, wanted.join(", "), args.len()));
        }
        let ids: Vec<ExprId> = args.iter().zip(params).map(|(arg, (_, ty))| self.expr_of(cx, arg, *ty)).collect();
        self.args(&ids)
    }

    /// Arguments of a built-in.
    pub(super) fn builtin_args(
        &mut self,
        cx: &mut Cx,
        callable: &'static table::Callable,
        name: &Name,
        args: &[ast::Expr],
    ) -> Option<Given> {
        if args.len() != callable.params.len() {
            self.fail(name.span, format!("`{}` takes {} values, here are {}", name.text, callable.params.len(), args.len()));
            return None;
        }
        let mut given = Given { values: Vec::new(), role: None, items: Ty::Any };
        for (arg, wants) in args.iter().zip(callable.params) {
            let value = match wants {
                Wants::Value(ty) => self.expr_of(cx, arg, *ty),
                Wants::AnyList => {
                    let (id, item) = self.list(cx, arg);
                    given.items = item;
                    id
                }
                Wants::CardOrCards => {
                    let (id, ty) = self.expr(cx, arg);
                    match ty {
                        Ty::Zone => self.add(Expr::Prop(Prop::Cards, id)),
                        Ty::Card | Ty::Cards | Ty::Any => id,
                        _ => {
                            self.fail(arg.span, format!("this is a {}, but a card or cards are needed here", ty.name()));
                            id
                        }
                    }
                }
                Wants::Role => {
                    let ExprKind::Name(text) = &*arg.kind else {
                        self.fail(arg.span, "a name is needed here");
                        return None;
                    };
                    let name = Name { text: text.clone(), span: arg.span };
                    given.role = Some(self.lookup("role", &name, |names| &names.roles)?);
                    continue;
                }
            };
            given.values.push(value);
        }
        Some(given)
    }
}
