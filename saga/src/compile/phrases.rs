//! Phrases in brackets: which cards they mean.

use super::Compiler;
use super::expressions::Cx;
use crate::ast::{Name, Owner, Phrase, PhraseWord};
use crate::diagnostics::Span;
use crate::types::Ty;
use trilogy_engine::catalogue::*;

impl Compiler {
    pub(super) fn phrase_list(&mut self, cx: &mut Cx, phrase: &Phrase, span: Span) -> (ExprId, Ty) {
        let Some(noun) = self.names.phrase_noun(phrase).cloned() else {
            // Most likely it is there and misspelt.
            let (none, before) = (self.add(Expr::None), self.problems.len());
            for word in &phrase.words {
                if let PhraseWord::Is(name) = word {
                    self.phrase_word(none, name);
                }
            }
            if self.problems.len() == before {
                self.fail(span, "this phrase has no noun");
            }
            return (none, Ty::Cards);
        };
        let from = self.add(Expr::Call(noun.from, Args::default()));
        let local = self.id(cx.locals.len(), span);
        cx.locals.push(("it".into(), Ty::Card));
        let test = self.phrase_test(cx, phrase, span);
        cx.locals.pop();
        let args = self.args(&[test]);
        (self.add(Expr::Quantify(Quantifier::Where, from, local, args)), Ty::Cards)
    }

    /// Whether the innermost `it` is meant by a phrase.
    pub(super) fn phrase_test(&mut self, cx: &mut Cx, phrase: &Phrase, span: Span) -> ExprId {
        let at = cx.locals.iter().rposition(|(name, _)| name == "it").unwrap_or(0);
        let at = self.id(at, span);
        let it = self.add(Expr::Local(at));
        let mut tests = Vec::new();
        self.refuse_empty(phrase, span);
        if let Some(owner) = phrase.owner {
            let controller = self.add(Expr::Prop(Prop::Controller, it));
            let you = self.add(Expr::You);
            let who = match owner {
                Owner::Your => you,
                Owner::Opponents => self.add(Expr::Prop(Prop::Opponent, you)),
            };
            tests.push(self.add(Expr::Bin(BinOp::Eq, controller, who)));
        }
        let Some(noun) = self.names.phrase_noun(phrase).cloned() else {
            self.fail(span, "this phrase has no noun");
            return it;
        };
        for word in &phrase.words {
            match word {
                // The noun itself is tested below.
                PhraseWord::Is(name) if self.names.nouns.contains_key(&name.text) => {}
                PhraseWord::Is(name) => tests.extend(self.phrase_word(it, name)),
                PhraseWord::Not(name) => {
                    if let Some(test) = self.phrase_word(it, name) {
                        tests.push(self.add(Expr::Not(test)));
                    }
                }
                PhraseWord::AnyOf(names) => {
                    let mut any = None;
                    for name in names {
                        if let Some(test) = self.phrase_word(it, name) {
                            any = Some(match any {
                                Some(before) => self.add(Expr::Bin(BinOp::Or, before, test)),
                                None => test,
                            });
                        }
                    }
                    tests.extend(any);
                }
            }
        }
        let args = self.args(&[it]);
        tests.push(self.add(Expr::Call(noun.test, args)));
        if let Some(zone) = &phrase.zone {
            let zone = self.expr_of(cx, zone, Ty::Zone);
            let own = self.add(Expr::Prop(Prop::Zone, it));
            tests.push(self.add(Expr::Bin(BinOp::Eq, own, zone)));
        }
        if phrase.other {
            let me = self.add(Expr::Me);
            tests.push(self.add(Expr::Bin(BinOp::Ne, it, me)));
        }
        if let Some(title) = &phrase.named {
            let word = self.card_name(&title.text);
            let (name, title) = (self.add(Expr::Prop(Prop::Name, it)), self.add(Expr::Word(word)));
            let (own, other) = (self.add(Expr::Bin(BinOp::Eq, name, title)), self.add(Expr::Is(it, word)));
            tests.push(self.add(Expr::Bin(BinOp::Or, own, other)));
        }
        if let Some(with) = &phrase.with {
            tests.push(self.expr_of(cx, with, Ty::Bool));
        }
        let mut whole = tests[0];
        for &test in &tests[1..] {
            whole = self.add(Expr::Bin(BinOp::And, whole, test));
        }
        whole
    }

    fn phrase_word(&mut self, it: ExprId, name: &Name) -> Option<ExprId> {
        if let Some(test) = self.names.nouns.get(&name.text).map(|noun| noun.test) {
            let args = self.args(&[it]);
            return Some(self.add(Expr::Call(test, args)));
        }
        if let Some((function, _)) = self.names.adjectives.get(&name.text).cloned() {
            let args = self.args(&[it]);
            return Some(self.add(Expr::Call(function, args)));
        }
        if let Some(&word) = self.names.words.get(&name.text) {
            return Some(self.add(Expr::Is(it, word)));
        }
        let owner = match name.text.as_str() {
            "enemy" | "opponent" | "opposing" => Some("opponents"),
            "friendly" | "own" => Some("your"),
            _ => None,
        };
        if let Some(owner) = owner {
            let problem = format!("`{}` is no word, adjective or noun of this game", name.text);
            self.problems
                .push(crate::diagnostics::Diagnostic::new(name.span, problem).hint(format!("whose they are is said by `{owner}`")));
            return None;
        }
        let mut known: Vec<String> = self.names.words.keys().cloned().collect();
        known.extend(self.names.adjectives.keys().cloned());
        known.extend(self.names.nouns.keys().cloned());
        self.fail_near(
            name.span,
            format!("`{}` is no word, adjective or noun of this game", name.text),
            &name.text,
            known.iter().map(String::as_str),
        );
        None
    }
}
