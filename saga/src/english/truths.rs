//! Tests as half-sentences, and what they tell of the things in a sentence.

use super::{English, Number};
use crate::ast::*;
use crate::compile::PermissionNames;

impl English<'_> {
    /// A test as a half-sentence: "you have a Jedi in the Character arena".
    pub(super) fn truth(&mut self, expr: &Expr) -> String {
        match &*expr.kind {
            ExprKind::Bin(Bin::And, a, b) => format!("{} and {}", self.truth(a), self.truth(b)),
            ExprKind::Bin(Bin::Or, a, b) => format!("{} or {}", self.truth(a), self.truth(b)),
            ExprKind::Not(inner) => match &*inner.kind {
                ExprKind::Is(of, word, false) => format!("{} is not {}", self.noun(of, Number::One), self.one_of(&word.text)),
                _ => format!("it is not so that {}", self.truth(inner)),
            },
            ExprKind::Is(of, word, negated) => {
                let of = self.noun(of, Number::One);
                format!("{of} is {}{}", if *negated { "not " } else { "" }, self.one_of(&word.text))
            }
            ExprKind::Bin(op, a, b) => self.comparison(expr, *op, a, b),
            ExprKind::Can(name, args) => {
                let Some(PermissionNames { params, says, .. }) = self.names.permissions.get(&name.text) else {
                    return String::new();
                };
                let mut text = says.text.replace("{can}", "can");
                for ((param, _), arg) in params.iter().zip(args) {
                    let said = self.noun(arg, Number::One);
                    text = text.replace(&format!("{{{param}}}"), &said);
                }
                text
            }
            // A program in a test is something a player does: "your opponent pays 2 Force".
            ExprKind::Call(name, args) if self.names.procs.contains_key(&name.text) => self.verb(name, args),
            ExprKind::Quantify { which, var, list, test, .. } if which.text == "any" => {
                let list = self.noun(list, Number::One);
                self.speaker.names.insert(var.text.clone(), "it".into());
                match test {
                    Some(test) => format!("there is {list} such that {}", self.truth(test)),
                    None => format!("there is {list}"),
                }
            }
            _ => self.noun(expr, Number::One),
        }
    }

    fn comparison(&mut self, whole: &Expr, op: Bin, a: &Expr, b: &Expr) -> String {
        if let (ExprKind::Call(name, args), ExprKind::Int(n)) = (&*a.kind, &*b.kind)
            && name.text == "count"
            && let [arg] = &args[..]
            && let ExprKind::Phrase(phrase) = &*arg.kind
        {
            return self.existence(phrase, op, *n);
        }
        if let (Bin::Ne, ExprKind::Name(name), ExprKind::Name(none)) = (op, &*a.kind, &*b.kind)
            && none == "none"
            && self.speaker.choices.contains(name)
        {
            return "you do".into();
        }
        // Something that may not be there: "there is no total".
        if let (Bin::Eq | Bin::Ne, ExprKind::Name(none)) = (op, &*b.kind)
            && none == "none"
        {
            let what = self.noun(a, Number::One);
            return if op == Bin::Eq { format!("there is no {}", what.trim_start_matches("the ")) } else { format!("there is {what}") };
        }
        let (left, right) = (self.noun(a, Number::One), self.noun(b, Number::One));
        match op {
            Bin::Eq => format!("{left} is {right}"),
            Bin::Ne => format!("{left} is not {right}"),
            Bin::Lt => format!("{left} is less than {right}"),
            Bin::Le => format!("{left} is {right} or less"),
            Bin::Gt => format!("{left} is more than {right}"),
            Bin::Ge => format!("{left} is {right} or more"),
            Bin::In => format!("{left} is {}", right.strip_prefix("the cards ").unwrap_or(&right)),
            _ => self.noun(whole, Number::One),
        }
    }

    fn existence(&mut self, phrase: &Phrase, op: Bin, n: i32) -> String {
        let bare = Phrase { owner: None, ..phrase.clone() };
        let (who, has) = match (phrase.owner, self.speaker.turned) {
            (Some(Owner::Your), false) | (Some(Owner::Opponents), true) => ("you", "have"),
            (Some(_), _) => ("your opponent", "has"),
            (None, _) => ("there", "is"),
        };
        match (op, n) {
            (Bin::Gt, 0) | (Bin::Ge, 1) => format!("{who} {has} {}", self.phrase(&bare, Number::One)),
            (Bin::Eq, 0) | (Bin::Lt, 1) => format!("{who} {has} no {}", self.phrase(&bare, Number::Many)),
            (Bin::Ge, n) => format!("{who} {has} {n} or more {}", self.phrase(&bare, Number::Many)),
            (Bin::Gt, n) => format!("{who} {has} more than {n} {}", self.phrase(&bare, Number::Many)),
            (Bin::Le, n) => format!("{who} {has} {n} or fewer {}", self.phrase(&bare, Number::Many)),
            (Bin::Lt, n) => format!("{who} {has} fewer than {n} {}", self.phrase(&bare, Number::Many)),
            (_, n) => format!("{who} {has} {n} {}", self.phrase(&bare, Number::Many)),
        }
    }

    /// The things that a test like `count([...]) > 0` asks for, in words.
    pub(super) fn exists(&mut self, test: &Expr) -> Option<String> {
        let ExprKind::Bin(Bin::Gt, count, zero) = &*test.kind else { return None };
        let (ExprKind::Call(name, args), ExprKind::Int(0)) = (&*count.kind, &*zero.kind) else { return None };
        let [list] = &args[..] else { return None };
        (name.text == "count").then(|| self.noun(list, Number::Many))
    }

    /// Split a test into `param = something` (said in place of the parameter) and the rest.
    pub(super) fn equated(
        &mut self,
        test: &Expr,
        params: &[Name],
        number: Number,
        named: &mut Vec<(String, String)>,
        rest: &mut Vec<String>,
    ) {
        match &*test.kind {
            ExprKind::Bin(Bin::And, a, b) => {
                self.equated(a, params, number, named, rest);
                self.equated(b, params, number, named, rest);
            }
            ExprKind::Bin(Bin::Eq, a, b) => {
                if let ExprKind::Name(name) = &*a.kind
                    && params.iter().any(|param| param.text == *name)
                {
                    let said = self.noun(b, Number::One);
                    self.speaker.names.insert(name.clone(), said.clone());
                    named.push((name.clone(), said));
                } else {
                    let said = self.truth(test);
                    rest.push(said);
                }
            }
            ExprKind::Bin(Bin::In, a, b) => {
                if let (ExprKind::Name(name), ExprKind::Phrase(_)) = (&*a.kind, &*b.kind)
                    && params.iter().any(|param| param.text == *name)
                {
                    let said = self.noun(b, number);
                    named.push((name.clone(), said));
                } else {
                    let said = self.truth(test);
                    rest.push(said);
                }
            }
            _ => {
                let said = self.truth(test);
                rest.push(said);
            }
        }
    }
}
