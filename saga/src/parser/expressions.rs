//! Expressions, loosest first.

use super::{Parser, QUANTIFIERS, Res};
use crate::ast::*;
use crate::lexer::Tok;

impl Parser {
    pub(super) fn expr(&mut self) -> Res<Expr> {
        self.deeper(Self::disjunction)
    }

    fn bin(op: Bin, a: Expr, b: Expr) -> Expr {
        let span = a.span.to(b.span);
        Expr { kind: Box::new(ExprKind::Bin(op, a, b)), span }
    }

    fn disjunction(&mut self) -> Res<Expr> {
        let mut left = self.conjunction()?;
        // `choose ... or none` is the statement's own.
        while self.is("or") && !matches!(self.peek_at(1), Tok::Name(word) if word == "none") {
            self.next();
            self.operator()?;
            left = Self::bin(Bin::Or, left, self.conjunction()?);
        }
        Ok(left)
    }

    fn conjunction(&mut self) -> Res<Expr> {
        let mut left = self.negation()?;
        while self.eat_word("and") {
            self.operator()?;
            left = Self::bin(Bin::And, left, self.negation()?);
        }
        Ok(left)
    }

    fn negation(&mut self) -> Res<Expr> {
        let start = self.span();
        let mut negated = false;
        while self.eat_word("not") {
            negated = !negated;
        }
        let inner = self.comparison()?;
        if negated {
            return Ok(Expr { span: start.to(inner.span), kind: Box::new(ExprKind::Not(inner)) });
        }
        Ok(inner)
    }

    fn comparison(&mut self) -> Res<Expr> {
        let left = self.sum()?;
        if self.is("is") {
            self.next();
            let negated = self.eat_word("not");
            let word = self.name("a word, such as `Jedi`")?;
            return Ok(Expr { span: left.span.to(word.span), kind: Box::new(ExprKind::Is(left, word, negated)) });
        }
        let op = match self.peek() {
            Tok::Equal => Bin::Eq,
            Tok::NotEqual => Bin::Ne,
            Tok::Less => Bin::Lt,
            Tok::AtMost => Bin::Le,
            Tok::More => Bin::Gt,
            Tok::AtLeast => Bin::Ge,
            Tok::Name(word) if word == "in" => Bin::In,
            _ => return Ok(left),
        };
        self.next();
        Ok(Self::bin(op, left, self.sum()?))
    }

    pub(super) fn sum(&mut self) -> Res<Expr> {
        let mut left = self.product()?;
        loop {
            let op = match self.peek() {
                Tok::Plus => Bin::Add,
                Tok::Minus => Bin::Sub,
                Tok::Join => Bin::Join,
                _ => return Ok(left),
            };
            self.next();
            self.operator()?;
            left = Self::bin(op, left, self.product()?);
        }
    }

    pub(super) fn product(&mut self) -> Res<Expr> {
        let mut left = self.postfix()?;
        loop {
            let op = match self.peek() {
                Tok::Star => Bin::Mul,
                Tok::Slash => Bin::Div,
                _ => return Ok(left),
            };
            self.next();
            self.operator()?;
            left = Self::bin(op, left, self.postfix()?);
        }
    }

    fn postfix(&mut self) -> Res<Expr> {
        let mut inner = self.atom()?;
        while self.eat(&Tok::Dot) {
            self.operator()?;
            let field = self.name("a property")?;
            inner = Expr { span: inner.span.to(field.span), kind: Box::new(ExprKind::Field(inner, field)) };
        }
        Ok(inner)
    }

    pub(super) fn args(&mut self) -> Res<Vec<Expr>> {
        self.expect(Tok::Open)?;
        let mut args = Vec::new();
        while !self.eat(&Tok::Close) {
            args.push(self.expr()?);
            if !self.eat(&Tok::Comma) && *self.peek() != Tok::Close {
                return self.wrong("`,` or `)`");
            }
        }
        Ok(args)
    }

    fn atom(&mut self) -> Res<Expr> {
        let start = self.span();
        let kind = match self.peek().clone() {
            Tok::Int(number) => {
                self.next();
                if self.eat(&Tok::Range) {
                    let low = Expr { kind: Box::new(ExprKind::Int(number)), span: start };
                    ExprKind::Range(low, self.deeper(Self::sum)?)
                } else {
                    ExprKind::Int(number)
                }
            }
            Tok::Minus => {
                self.next();
                ExprKind::Neg(self.deeper(Self::postfix)?)
            }
            Tok::Str(text) => {
                self.next();
                ExprKind::Str(text)
            }
            Tok::Open => {
                self.next();
                let inner = self.expr()?;
                self.expect(Tok::Close)?;
                return Ok(Expr { span: start.to(self.last_span()), ..inner });
            }
            Tok::OpenPhrase => {
                self.next();
                ExprKind::Phrase(self.phrase()?)
            }
            Tok::Name(word) => match word.as_str() {
                "if" => {
                    self.next();
                    let test = self.expr()?;
                    self.expect_word("then")?;
                    let yes = self.expr()?;
                    self.expect_word("else")?;
                    ExprKind::If(test, yes, self.expr()?)
                }
                "match" => {
                    self.next();
                    let of = self.sum()?;
                    self.expect_word("to")?;
                    self.expect(Tok::Open)?;
                    let value = self.match_value(&of)?;
                    self.expect(Tok::Close)?;
                    return Ok(Expr { span: start.to(self.last_span()), ..value });
                }
                "can" => {
                    self.next();
                    let name = self.name("a permission")?;
                    let args = if *self.peek() == Tok::Open { self.args()? } else { Vec::new() };
                    ExprKind::Can(name, args)
                }
                "list" if *self.peek_at(1) == Tok::Open => {
                    self.next();
                    ExprKind::List(self.args()?)
                }
                _ => {
                    let name = self.name("a name")?;
                    let quantifies = QUANTIFIERS.contains(&word.as_str())
                        && *self.peek() == Tok::Open
                        && matches!(self.peek_at(1), Tok::Name(_))
                        && matches!(self.peek_at(2), Tok::Name(word) if word == "in");
                    if quantifies {
                        self.next();
                        let var = self.name("a name for the item")?;
                        self.expect_word("in")?;
                        let list = self.expr()?;
                        let test = if self.eat_word("where") { Some(self.expr()?) } else { None };
                        let value = if self.eat(&Tok::Colon) { Some(self.expr()?) } else { None };
                        self.expect(Tok::Close)?;
                        ExprKind::Quantify { which: name, var, list, test, value }
                    } else if *self.peek() == Tok::Open {
                        ExprKind::Call(name, self.args()?)
                    } else {
                        ExprKind::Name(name.text)
                    }
                }
            },
            _ => return self.wrong("a value"),
        };
        Ok(Expr { kind: Box::new(kind), span: start.to(self.last_span()) })
    }

    /// `match X to (A: x, B or C: y, else z)`: the same as an `if` with a test for each.
    fn match_value(&mut self, of: &Expr) -> Res<Expr> {
        self.operator()?;
        if self.eat_word("else") {
            return self.expr();
        }
        let test = self.arm(of, &Tok::Name("or".into()))?;
        self.expect(Tok::Colon)?;
        let yes = self.expr()?;
        self.expect(Tok::Comma)?;
        let no = self.deeper(|parser| parser.match_value(of))?;
        Ok(Expr { span: of.span, kind: Box::new(ExprKind::If(test, yes, no)) })
    }

    /// The values of an arm: whether something is equal to one of them.
    pub(super) fn arm(&mut self, of: &Expr, between: &Tok) -> Res<Expr> {
        let equal = |value| Self::bin(Bin::Eq, of.clone(), value);
        let mut test = equal(self.sum()?);
        while self.eat(between) {
            test = Self::bin(Bin::Or, test, equal(self.sum()?));
        }
        Ok(test)
    }

    fn phrase(&mut self) -> Res<Phrase> {
        let mut phrase = Phrase { owner: None, other: false, words: Vec::new(), zone: None, named: None, with: None };
        loop {
            if self.eat(&Tok::ClosePhrase) {
                return Ok(phrase);
            }
            if self.eat_word("your") {
                phrase.owner = Some(Owner::Your);
            } else if self.eat_word("opponents") {
                phrase.owner = Some(Owner::Opponents);
            } else if self.eat_word("other") {
                phrase.other = true;
            } else if self.eat_word("in") {
                phrase.zone = Some(self.deeper(Self::sum)?);
            } else if self.eat_word("named") {
                phrase.named = Some(self.text("the name of a card")?);
            } else if self.eat_word("with") {
                phrase.with = Some(self.expr()?);
            } else if self.eat_word("not") {
                phrase.words.push(PhraseWord::Not(self.name("a word")?));
            } else {
                let first = self.name("a word of the phrase or `]`")?;
                if *self.peek() == Tok::Bar {
                    let mut names = vec![first];
                    while self.eat(&Tok::Bar) {
                        names.push(self.name("a word")?);
                    }
                    phrase.words.push(PhraseWord::AnyOf(names));
                } else {
                    phrase.words.push(PhraseWord::Is(first));
                }
            }
        }
    }
}
