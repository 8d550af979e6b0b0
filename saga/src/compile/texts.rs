//! Texts that a player reads, with values in their holes.

use super::Compiler;
use super::expressions::Cx;
use crate::ast;
use crate::diagnostics::Span;
use crate::holes::{self, Part};
use crate::parser;
use crate::types::Ty;
use trilogy_engine::catalogue::*;

impl Compiler {
    /// Text with holes, each an expression in the same place.
    pub(super) fn text(&mut self, cx: &mut Cx, text: &ast::Text) -> TextId {
        let pieces = self.pieces(cx, &text.text, text.span);
        self.new_text(pieces)
    }

    pub(super) fn pieces(&mut self, cx: &mut Cx, text: &str, span: Span) -> Vec<Piece> {
        let parts = match holes::parts(text) {
            Ok(parts) => parts,
            Err(problem) => {
                self.fail(span, problem);
                return Vec::new();
            }
        };
        let mut pieces = Vec::new();
        for part in parts {
            pieces.extend(match part {
                Part::Plain(plain) => Some(Piece::Plain(plain.to_string())),
                Part::Value("moves") => Some(Piece::Moves),
                Part::Value(value) => self.hole(cx, value, span).map(|(id, ty)| match ty {
                    Ty::Window => Piece::Window(id),
                    _ => Piece::Hole(id),
                }),
                Part::Plural(value, one, many) => {
                    self.hole(cx, value, span).map(|(id, _)| Piece::Plural(id, one.to_string(), many.to_string()))
                }
                Part::When(test, then, otherwise) => self.hole(cx, test, span).map(|(test, _)| {
                    let mut said = |text: &str| self.text(cx, &ast::Text { text: text.to_string(), span });
                    Piece::When(test, said(then), otherwise.map(said))
                }),
            });
        }
        pieces
    }

    fn hole(&mut self, cx: &mut Cx, source: &str, span: Span) -> Option<(ExprId, Ty)> {
        match parser::parse_expr(span, source) {
            Ok(expr) => Some(self.expr(cx, &expr)),
            Err(problem) => {
                self.problems.push(problem);
                None
            }
        }
    }
}
