//! What a card owns and gives no English is told by what it does, in the words of the card that uses it.

use super::English;
use super::said::Thing;
use crate::ast::*;
use crate::compile::{Alias, Does, Meaning, with_arguments};
use crate::diagnostics::Diagnostic;
use std::sync::Arc;

impl English<'_> {
    pub(super) fn is_told(&self, name: &str) -> bool {
        self.names.told.contains_key(name)
    }

    /// Say something of what a definition does, its parameters being the arguments.
    pub(super) fn told<T>(&mut self, name: &str, args: &[Expr], say: impl FnOnce(&mut Self, &Meaning) -> T) -> Option<T> {
        let told = self.names.told.get(name)?.clone();
        if self.speaker.telling.iter().any(|other| other == name) {
            let problem = format!("`{}` speaks of itself, so it needs English", told.name.text);
            self.problems.push(Diagnostic::new(told.name.span, problem));
            return None;
        }
        let mut inside = with_arguments(&self.aliases, &told.params, args);
        if let Does::Value(_, parts) = &told.does {
            for (part, argument) in parts {
                let alias = Alias { argument: argument.clone(), outside: inside.clone() };
                Arc::make_mut(&mut inside).insert(part.text.clone(), alias);
            }
        }
        self.speaker.telling.push(name.to_string());
        let outside = std::mem::replace(&mut self.aliases, inside);
        let said = say(self, &told);
        self.aliases = outside;
        self.speaker.telling.pop();
        Some(said)
    }

    /// What a function without English gives, for a text that speaks of it.
    pub(super) fn told_value<T>(&mut self, name: &str, args: &[Expr], say: impl FnOnce(&mut Self, &Expr) -> T) -> Option<T> {
        self.told(name, args, |english, told| if let Does::Value(body, _) = &told.does { Some(say(english, body)) } else { None }).flatten()
    }

    /// Put into a noun phrase what a definition without English tests of its thing.
    pub(super) fn narrow_told(&mut self, thing: &mut Thing, test: &Expr, var: &str) -> bool {
        let (name, args) = match &*test.kind {
            ExprKind::Call(name, args) => (name, &args[..]),
            ExprKind::Field(of, name) => (name, std::slice::from_ref(of)),
            _ => return false,
        };
        let is_var = |arg: &Expr| matches!(&*arg.kind, ExprKind::Name(name) if name == var);
        let (Some(told), Some(at)) = (self.names.told.get(&name.text).cloned(), args.iter().position(is_var)) else { return false };
        let Some((param, _)) = told.params.get(at) else { return false };
        self.told_value(&name.text, args, |english, body| english.narrow(thing, body, param)).is_some()
    }

    /// A card may only use what can be said.
    pub(super) fn no_english(&mut self, sort: &str, name: &Name) {
        if !self.speaker.title().is_empty() {
            let problem = format!("the {sort} `{}` has no English, so no card can use it", name.text);
            self.problems.push(Diagnostic::new(name.span, problem));
        }
    }
}
