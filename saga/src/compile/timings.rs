//! Timings: when an ability can be used, and what the moment tells it.

use super::Compiler;
use super::expressions::Cx;
use super::names::with_arguments;
use crate::ast::{self, ExprKind, Item, ItemKind, Limit, Name, Text, Timed};
use crate::types::Ty;
use trilogy_engine::catalogue::{ExprId, Require};

/// What a timing asks of an ability that is used at it.
#[derive(Default)]
pub(super) struct Timing {
    pub(super) windows: Vec<Name>,
    pub(super) requires: Vec<Require>,
    pub(super) limit: Option<Limit>,
    pub(super) worth: Option<ExprId>,
    pub(super) cites: Vec<Name>,
    pub(super) told: Vec<Told>,
}

/// Something that a timing tells an ability, under the name that the ability gives it.
pub(super) struct Told {
    pub(super) name: Name,
    pub(super) ty: Ty,
    pub(super) expr: ast::Expr,
}

/// What an ability gives a timing, and what it is told.
#[derive(Default)]
struct Given {
    names: Vec<(String, Ty)>,
    values: Vec<ast::Expr>,
    told: Vec<Told>,
}

impl Compiler {
    pub(super) fn timing(&mut self, cx: &mut Cx, timed: Option<&Timed>) -> Timing {
        let found = timed.and_then(|timed| Some((timed, self.lookup("timing", &timed.name, |names| &names.timings)?)));
        let Some((timed, Item { kind: ItemKind::Timing { params, windows, requires, limit, worth, .. }, cites, .. })) = found else {
            return Timing::default();
        };
        let Given { names, values, told } = self.timing_args(cx, timed, &params);
        let outside = self.aliases.clone();
        self.aliases = with_arguments(&outside, &names, &values);
        let mut requires: Vec<Require> = requires.iter().map(|require| self.require(cx, require)).collect();
        let worth = worth.as_ref().map(|worth| self.expr_of(cx, worth, Ty::Bool));
        self.aliases = outside.clone();
        if let (Some(_), Some(other)) = (&limit, &timed.limit) {
            self.fail(other.period.span, format!("the timing `{}` has a limit of its own", timed.name.text));
        }
        if let Some(test) = &timed.test {
            self.tell(&told);
            let (own, cites) = (self.expr_of(cx, test, Ty::Bool), cites.clone());
            self.aliases = outside;
            let moment = self.english().speak_timing(timed);
            let reason = self.text(cx, &Text { text: format!("it can be used only {}", lower(&moment)), span: test.span });
            requires.push(Require { test: own, reason, cite: self.cite(&cites) });
        }
        Timing { windows, requires, limit: limit.or_else(|| timed.limit.clone()), worth, cites, told }
    }

    /// The names by which an ability speaks of what it is told.
    pub(super) fn tell(&mut self, told: &[Told]) {
        for Told { name, ty, expr } in told {
            self.open_aliases(&[(name.text.clone(), *ty)], std::slice::from_ref(expr));
        }
    }

    /// What an ability gives a timing, by its names, and what it is told by it.
    fn timing_args(&mut self, cx: &mut Cx, timed: &Timed, params: &[(ast::Param, Option<ast::Expr>)]) -> Given {
        let mut given = Given::default();
        let needed = params.iter().rposition(|(_, tells)| tells.is_none()).map_or(0, |last| last + 1);
        if timed.args.len() > params.len() || timed.args.len() < needed {
            let wanted = if needed < params.len() { format!("{needed} to {}", params.len()) } else { needed.to_string() };
            self.fail(timed.name.span, format!("the timing `{}` takes {wanted} values, here are {}", timed.name.text, timed.args.len()));
        }
        for ((param, tells), arg) in params.iter().zip(&timed.args) {
            let ty = self.ty(&param.ty);
            match (tells, &*arg.kind) {
                (None, _) => {
                    self.expr_of(cx, arg, ty);
                    given.names.push((param.name.text.clone(), ty));
                    given.values.push(arg.clone());
                }
                (Some(expr), ExprKind::Name(name)) => {
                    given.told.push(Told { name: Name { text: name.clone(), span: arg.span }, ty, expr: expr.clone() });
                }
                (Some(_), _) => self.fail(arg.span, format!("a name belongs here, for what `{}` tells", timed.name.text)),
            }
        }
        given
    }
}

/// A moment inside a sentence.
fn lower(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_lowercase().chain(chars).collect())
}
