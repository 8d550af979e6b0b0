//! Text to tokens. Blocks are told by indentation: the lexer turns it into `Indent` and `Dedent`.

use crate::diagnostics::{Diagnostic, Span};
use logos::Logos;

#[derive(Logos, Clone, PartialEq, Eq, Debug)]
#[logos(skip r"[ \t\r]+")]
pub enum Tok {
    #[regex(r"[A-Za-z_][A-Za-z0-9_]*", |lex| lex.slice().to_string())]
    Name(String),
    #[regex(r"[0-9]+", |lex| lex.slice().parse::<i32>().ok())]
    Int(i32),
    #[regex(r#""[^"\n]*""#, |lex| { let s = lex.slice(); s[1..s.len() - 1].to_string() })]
    Str(String),
    #[regex(r"@[a-z][A-Za-z0-9_.\-]*", |lex| lex.slice()[1..].to_string())]
    Cite(String),
    #[regex(r"#[^\n]*", |lex| lex.slice().to_string(), allow_greedy = true)]
    Comment(String),
    #[token("\n")]
    Newline,
    #[token("(")]
    Open,
    #[token(")")]
    Close,
    #[token("[")]
    OpenPhrase,
    #[token("]")]
    ClosePhrase,
    #[token(",")]
    Comma,
    #[token(":")]
    Colon,
    #[token(":=")]
    Assign,
    #[token("..")]
    Range,
    #[token(".")]
    Dot,
    #[token("+=")]
    AddAssign,
    #[token("-=")]
    SubAssign,
    #[token("+")]
    Plus,
    #[token("-")]
    Minus,
    #[token("*")]
    Star,
    #[token("/")]
    Slash,
    #[token("++")]
    Join,
    #[token("=")]
    Equal,
    #[token("!=")]
    NotEqual,
    #[token("<=")]
    AtMost,
    #[token("<")]
    Less,
    #[token(">=")]
    AtLeast,
    #[token(">")]
    More,
    #[token("|")]
    Bar,
    Indent,
    Dedent,
    End,
}

impl Tok {
    pub fn describe(&self) -> String {
        match self {
            Tok::Name(name) => format!("`{name}`"),
            Tok::Int(number) => format!("{number}"),
            Tok::Str(text) => format!("\"{text}\""),
            Tok::Cite(id) => format!("@{id}"),
            Tok::Comment(_) => "a comment".into(),
            Tok::Newline => "the end of the line".into(),
            Tok::Indent => "a deeper block".into(),
            Tok::Dedent => "the end of the block".into(),
            Tok::End => "the end of the file".into(),
            other => format!("`{}`", other.sign()),
        }
    }

    /// How a sign is written.
    pub fn sign(&self) -> &'static str {
        match self {
            Tok::Open => "(",
            Tok::Close => ")",
            Tok::OpenPhrase => "[",
            Tok::ClosePhrase => "]",
            Tok::Comma => ",",
            Tok::Colon => ":",
            Tok::Assign => ":=",
            Tok::Range => "..",
            Tok::Dot => ".",
            Tok::AddAssign => "+=",
            Tok::SubAssign => "-=",
            Tok::Plus => "+",
            Tok::Minus => "-",
            Tok::Star => "*",
            Tok::Slash => "/",
            Tok::Join => "++",
            Tok::Equal => "=",
            Tok::NotEqual => "!=",
            Tok::AtMost => "<=",
            Tok::Less => "<",
            Tok::AtLeast => ">=",
            Tok::More => ">",
            Tok::Bar => "|",
            _ => "",
        }
    }
}

#[derive(Clone, Debug)]
pub struct Token {
    pub tok: Tok,
    pub span: Span,
}

/// Raw tokens with comments and line ends, as the formatter needs them.
pub fn raw(file: u16, text: &str) -> (Vec<Token>, Vec<Diagnostic>) {
    let (mut tokens, mut problems) = (Vec::new(), Vec::new());
    for (result, range) in Tok::lexer(text).spanned() {
        let span = Span { file, start: range.start as u32, end: range.end as u32 };
        match result {
            Ok(tok) => tokens.push(Token { tok, span }),
            Err(()) => {
                let bad = &text[range];
                let hint = if bad.starts_with('"') { "a text ends on the line it starts on, with \"" } else { "" };
                problems.push(Diagnostic::new(span, format!("`{bad}` means nothing here")).hint(hint));
            }
        }
    }
    (tokens, problems)
}

/// Tokens with `Indent` and `Dedent`, without comments and empty lines. Inside brackets lines run on.
pub fn lex(file: u16, text: &str) -> (Vec<Token>, Vec<Diagnostic>) {
    let (raw, mut problems) = raw(file, text);
    let mut out: Vec<Token> = Vec::new();
    let mut levels = vec![0usize];
    let mut depth = 0i32;
    let mut at_start = true;
    for token in raw {
        match &token.tok {
            Tok::Comment(_) => continue,
            Tok::Newline => {
                if depth <= 0 && !at_start {
                    out.push(token);
                    at_start = true;
                }
                continue;
            }
            _ => {}
        }
        if at_start {
            at_start = false;
            depth = 0;
            let start = token.span.start as usize;
            let line = text[..start].rfind('\n').map_or(0, |at| at + 1);
            let width = text[line..start].chars().map(|c| if c == '\t' { 2 } else { 1 }).sum::<usize>();
            let here = Span { file, start: token.span.start, end: token.span.start };
            if width > *levels.last().unwrap_or(&0) {
                levels.push(width);
                out.push(Token { tok: Tok::Indent, span: here });
            }
            while width < *levels.last().unwrap_or(&0) {
                levels.pop();
                out.push(Token { tok: Tok::Dedent, span: here });
                if width > *levels.last().unwrap_or(&0) {
                    problems.push(Diagnostic::new(here, "this line is indented between two levels".into()));
                    break;
                }
            }
        }
        match token.tok {
            Tok::Open | Tok::OpenPhrase => depth += 1,
            Tok::Close | Tok::ClosePhrase => depth -= 1,
            _ => {}
        }
        out.push(token);
    }
    let end = Span { file, start: text.len() as u32, end: text.len() as u32 };
    if !at_start {
        out.push(Token { tok: Tok::Newline, span: end });
    }
    for _ in 1..levels.len() {
        out.push(Token { tok: Tok::Dedent, span: end });
    }
    out.push(Token { tok: Tok::End, span: end });
    (out, problems)
}
