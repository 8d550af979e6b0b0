//! Targets of abilities: which may be chosen, and what must be there to choose.

use super::Compiler;
use super::could::{both, mentions, of_one, quantified};
use super::expressions::Cx;
use crate::ast::{self, ExprKind, HowMany, Name, Paid, Target};
use crate::types::Ty;
use trilogy_engine::catalogue::*;

/// The targets of an ability, and the condition that there are any.
pub(super) struct Aimed {
    pub(super) require: Option<Require>,
    pub(super) from: Vec<ast::Expr>,
}

fn named(name: &Name) -> ast::Expr {
    ast::Expr { span: name.span, kind: Box::new(ExprKind::Name(name.text.clone())) }
}

/// What a target is chosen for, as a word or none.
fn purpose_of(target: &Target) -> ast::Expr {
    named(&target.purpose.clone().unwrap_or(Name { text: "none".into(), span: target.name.span }))
}

impl Compiler {
    /// The targets of an ability: those of each list that may be targeted, for which the rest of it can be had and of which
    /// something could come; and what must be there at all.
    pub(super) fn aim(
        &mut self,
        ability: &ast::Use,
        own_costs: &[Paid],
        permission: Option<&Name>,
        could: Option<ast::Expr>,
        cites: &[Name],
    ) -> Aimed {
        let targets = &ability.targets;
        let allowed = |target: &Target| match permission {
            Some(permission) => {
                let source = Name { text: "source".into(), span: target.name.span };
                let args = vec![named(&source), named(&target.name), purpose_of(target)];
                let test = ast::Expr { span: target.name.span, kind: Box::new(ExprKind::Can(permission.clone(), args)) };
                quantified("filter", &target.name, &target.from, Some(test))
            }
            None => target.from.clone(),
        };
        let mut aimed = Aimed { require: None, from: targets.iter().map(allowed).collect() };
        let Some(first) = targets.first() else { return aimed };
        let fruitful = could.is_some();
        // What the costs and the effect ask of the targets, as an expression over their names.
        let mut rest: Option<ast::Expr> = could;
        for Paid { cost: name, args, .. } in ability.costs.iter().chain(own_costs) {
            let aimed_at = args.iter().any(|arg| targets.iter().any(|target| mentions(arg, &target.name.text)));
            let Some(cost) = self.names.costs.get(&name.text).cloned().filter(|_| aimed_at) else { continue };
            for at in 0..cost.requires.len() {
                let function = Name { text: format!("can pay {} {at}", name.text), span: name.span };
                rest = Some(both(rest, ast::Expr { span: name.span, kind: Box::new(ExprKind::Call(function, args.clone())) }));
            }
        }
        for at in (0..targets.len()).rev() {
            let Target { name, how, from, .. } = &targets[at];
            let single = matches!(how, HowMany::One | HowMany::OneOrNone);
            let each = !single && rest.as_ref().is_some_and(|test| mentions(test, &name.text));
            let test = if single || each { rest.take() } else { None };
            let test = if each { test.map(|test| of_one(&test, name)) } else { test };
            let allowed = aimed.from[at].clone();
            if test.is_some() {
                aimed.from[at] = quantified("filter", name, &allowed, test.clone());
            }
            let there = match how {
                HowMany::AtLeast(least) | HowMany::Exactly(least) => {
                    let span = from.span;
                    let call = ExprKind::Call(Name { text: "count".into(), span }, vec![aimed.from[at].clone()]);
                    let count = ast::Expr { span, kind: Box::new(call) };
                    ast::Expr { span, kind: Box::new(ExprKind::Bin(ast::Bin::Ge, count, least.clone())) }
                }
                HowMany::One | HowMany::OneOrNone | HowMany::UpTo(_) | HowMany::Any => quantified("any", name, &allowed, test),
            };
            rest = Some(both(rest, there));
        }
        if let Some(test) = rest {
            let mut pure = Cx::pure(&[("it".into(), Ty::Card)]);
            let test = self.expr_of(&mut pure, &test, Ty::Bool);
            let what = self.english().choose_what(&first.how, &first.from);
            let of_use = if fruitful { " of which something would come" } else { "" };
            let reason = self.plain_text(&format!("nothing to choose: it needs {what}{of_use}"));
            let cite = first.cites.first().or(cites.first()).map(|cite| self.cite_id(&cite.text));
            aimed.require = Some(Require { test, reason, cite });
        }
        aimed
    }

    /// The cards that an ability is aimed at, and what each of them is chosen for, as arguments of a program.
    pub(super) fn all_targets(&mut self, cx: &mut Cx, ability: &ast::Use, purposes: bool) -> Args {
        let (mut singles, mut lists) = (Vec::new(), Vec::new());
        let (mut whys, mut why_lists) = (Vec::new(), Vec::new());
        for target in &ability.targets {
            let why = purpose_of(target);
            match cx.registers.iter().find(|(name, _, _)| *name == target.name.text) {
                Some(&(_, at, Ty::Card)) => {
                    singles.push(self.add(Expr::Register(at)));
                    whys.push(self.expr_of(cx, &why, Ty::Word));
                }
                Some(&(_, at, Ty::Cards)) => {
                    lists.push(self.add(Expr::Register(at)));
                    let (which, list) = (Name { text: "each".into(), span: target.name.span }, named(&target.name));
                    let each = ExprKind::Quantify { which, var: target.name.clone(), list, test: None, value: Some(why) };
                    let each = ast::Expr { span: target.name.span, kind: Box::new(each) };
                    why_lists.push(self.expr(cx, &each).0);
                }
                _ => {}
            }
        }
        let cards = self.joined_lists(&singles, &lists);
        let whys = self.joined_lists(&whys, &why_lists);
        self.args(&[cards, whys][..if purposes { 2 } else { 1 }])
    }

    fn joined_lists(&mut self, singles: &[ExprId], lists: &[ExprId]) -> ExprId {
        let singles = self.args(singles);
        let first = self.add(Expr::List(singles));
        lists.iter().fold(first, |all, &list| self.add(Expr::Bin(BinOp::Join, all, list)))
    }
}
