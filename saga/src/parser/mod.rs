//! Tokens to syntax, by descent. After an error it goes on at the next item, so that one run
//! reports every broken item of a file.

mod abilities;
mod expressions;
mod items;
mod statements;

use crate::ast::*;
use crate::diagnostics::{Diagnostic, SourceFile, Span};
use crate::lexer::{Tok, Token, lex};
use crate::own::Owned;

type Res<T> = Result<T, Diagnostic>;

/// The items of one source.
pub fn parse(file: u16, text: &str) -> (Vec<Item>, Vec<Diagnostic>) {
    let parsed = parse_all([(file, text)].into_iter(), &mut Owned::default());
    (parsed.groups.into_iter().flatten().collect(), parsed.problems)
}

/// The items of all sources of a game: cards of one title share what they own, whichever files they stand in.
pub fn parse_game(files: &[SourceFile]) -> Vec<Item> {
    let parsed = parse_all(files.iter().enumerate().map(|(at, file)| (at as u16, file.text.as_str())), &mut Owned::default());
    parsed.groups.into_iter().flatten().collect()
}

/// The items of some sources, and all that is wrong with their form. What a card owns stands behind it, under names that
/// nobody else can write; `owned` are the names that cards own already.
pub(crate) fn parse_all<'a>(files: impl Iterator<Item = (u16, &'a str)>, owned: &mut Owned) -> Parsed {
    let (mut lexed, mut problems) = (Vec::new(), Vec::new());
    for (file, text) in files {
        let (tokens, wrong) = lex(file, text);
        problems.extend(wrong);
        owned.find(&tokens);
        lexed.push(tokens);
    }
    let (mut groups, mut repeats) = (Vec::new(), false);
    for mut tokens in lexed {
        owned.mark(&mut tokens);
        let mut parser = Parser::new(tokens);
        while *parser.peek() != Tok::End {
            let mut group = Vec::with_capacity(1);
            match parser.item() {
                Ok(item) => group.push(item),
                Err(problem) => {
                    problems.push(problem);
                    parser.skip_item();
                }
            }
            group.append(&mut parser.owned);
            groups.push(group);
        }
        repeats |= parser.repeats;
    }
    Parsed { groups, problems, repeats }
}

/// What some sources hold.
pub(crate) struct Parsed {
    /// Each item with those that it owns.
    pub(crate) groups: Vec<Vec<Item>>,
    pub(crate) problems: Vec<Diagnostic>,
    /// Whether anything in them repeats effects.
    pub(crate) repeats: bool,
}

/// A lone expression inside a text. All of it is placed at the text.
pub fn parse_expr(at: Span, text: &str) -> Res<Expr> {
    let (mut tokens, problems) = lex(at.file, text);
    if let Some(problem) = problems.into_iter().next() {
        return Err(Diagnostic { span: at, ..problem });
    }
    tokens.iter_mut().for_each(|token| token.span = at);
    let mut parser = Parser::new(tokens);
    let expr = parser.expr()?;
    parser.end_of_line()?;
    Ok(expr)
}

struct Parser {
    tokens: Vec<Token>,
    /// How deep each token is indented.
    levels: Vec<u16>,
    at: usize,
    depth: u16,
    /// What the card that is being read owns.
    owned: Vec<Item>,
    /// Whether a statement has repeated an effect.
    repeats: bool,
    /// Operators so far on this line: a long chain of them is a deep tree, too.
    operators: u16,
}

/// Expressions and blocks nested deeper than this are refused rather than risk the stack.
const MAX_NESTING: u16 = 60;
const MAX_OPERATORS: u16 = 250;

pub const QUANTIFIERS: [&str; 9] = ["any", "all", "count", "sum", "filter", "each", "highest", "lowest", "first"];

impl Parser {
    fn new(tokens: Vec<Token>) -> Parser {
        let mut level = 0u16;
        let levels = tokens.iter().map(|token| {
            match token.tok {
                Tok::Indent => level += 1,
                Tok::Dedent => level = level.saturating_sub(1),
                _ => {}
            }
            level
        });
        Parser { levels: levels.collect(), tokens, at: 0, depth: 0, owned: Vec::new(), repeats: false, operators: 0 }
    }
    fn peek(&self) -> &Tok {
        &self.tokens[self.at].tok
    }
    fn peek_at(&self, ahead: usize) -> &Tok {
        &self.tokens[(self.at + ahead).min(self.tokens.len() - 1)].tok
    }
    fn span(&self) -> Span {
        self.tokens[self.at].span
    }
    fn last_span(&self) -> Span {
        self.tokens[self.at.saturating_sub(1)].span
    }
    fn next(&mut self) -> Token {
        let token = self.tokens[self.at].clone();
        if self.at + 1 < self.tokens.len() {
            self.at += 1;
        }
        token
    }
    fn is(&self, word: &str) -> bool {
        matches!(self.peek(), Tok::Name(name) if name == word)
    }
    fn eat(&mut self, tok: &Tok) -> bool {
        let yes = self.peek() == tok;
        if yes {
            self.next();
        }
        yes
    }
    fn eat_word(&mut self, word: &str) -> bool {
        let yes = self.is(word);
        if yes {
            self.next();
        }
        yes
    }
    fn wrong<T>(&self, wanted: &str) -> Res<T> {
        Err(Diagnostic::new(self.span(), format!("expected {wanted}, found {}", self.peek().describe())))
    }
    fn expect(&mut self, tok: Tok) -> Res<()> {
        if self.eat(&tok) { Ok(()) } else { self.wrong(&tok.describe()) }
    }
    fn expect_word(&mut self, word: &str) -> Res<()> {
        if self.eat_word(word) { Ok(()) } else { self.wrong(&format!("`{word}`")) }
    }
    fn name(&mut self, what: &str) -> Res<Name> {
        let span = self.span();
        match self.peek().clone() {
            Tok::Name(text) => {
                self.next();
                Ok(Name { text, span })
            }
            _ => self.wrong(what),
        }
    }
    fn text(&mut self, what: &str) -> Res<Text> {
        let span = self.span();
        match self.peek().clone() {
            Tok::Str(mut text) => {
                self.next();
                // A long text may stand in several parts, one after the other.
                while let Tok::Str(more) = self.peek().clone() {
                    text += &more;
                    self.next();
                }
                Ok(Text { text, span: span.to(self.last_span()) })
            }
            _ => self.wrong(what),
        }
    }
    fn optional_text(&mut self) -> Option<Text> {
        if matches!(self.peek(), Tok::Str(_)) { self.text("a text").ok() } else { None }
    }
    fn int(&mut self) -> Res<i32> {
        let sign = if self.eat(&Tok::Minus) { -1 } else { 1 };
        match *self.peek() {
            Tok::Int(number) => {
                self.next();
                Ok(sign * number)
            }
            _ => self.wrong("a number"),
        }
    }
    fn names(&mut self, what: &str) -> Res<Vec<Name>> {
        let mut names = vec![self.name(what)?];
        while self.eat(&Tok::Comma) {
            names.push(self.name(what)?);
        }
        Ok(names)
    }
    fn cites(&mut self) -> Vec<Name> {
        let mut cites = Vec::new();
        while let Tok::Cite(text) = self.peek().clone() {
            cites.push(Name { text, span: self.span() });
            self.next();
        }
        cites
    }
    fn end_of_line(&mut self) -> Res<()> {
        self.operators = 0;
        self.expect(Tok::Newline)
    }
    /// Go one level deeper, unless that is too deep.
    fn deeper<T>(&mut self, inside: impl FnOnce(&mut Self) -> Res<T>) -> Res<T> {
        if self.depth >= MAX_NESTING {
            return Err(Diagnostic::new(self.span(), "this is nested too deep".into()));
        }
        self.depth += 1;
        let result = inside(self);
        self.depth -= 1;
        result
    }
    fn operator(&mut self) -> Res<()> {
        self.operators += 1;
        if self.operators > MAX_OPERATORS {
            return Err(Diagnostic::new(self.span(), "this line is too long: name its parts with `def` or `let`".into()));
        }
        Ok(())
    }

    /// After an error: go on behind the item it is in.
    fn skip_item(&mut self) {
        (self.depth, self.operators) = (0, 0);
        while *self.peek() != Tok::End {
            let before = self.next().tok;
            let fresh = matches!(before, Tok::Newline | Tok::Dedent) && self.levels[self.at] == 0;
            if fresh && !matches!(self.peek(), Tok::Dedent | Tok::Newline | Tok::Indent) {
                return;
            }
        }
    }
}
