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
    #[regex(r#""([^"\\\n]|\\["\\])*""#, |lex| unquoted(lex.slice()))]
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

/// A text without its quotation marks; one inside it stands behind a backslash.
fn unquoted(slice: &str) -> String {
    let mut text = String::with_capacity(slice.len());
    let mut letters = slice[1..slice.len() - 1].chars();
    while let Some(letter) = letters.next() {
        text.extend(if letter == '\\' { letters.next() } else { Some(letter) });
    }
    text
}

/// A text as it is written in a source.
pub fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

impl Tok {
    pub fn describe(&self) -> String {
        match self {
            Tok::Name(name) => format!("`{name}`"),
            Tok::Int(number) => format!("{number}"),
            Tok::Str(text) => quoted(text),
            Tok::Cite(id) => format!("@{id}"),
            Tok::Comment(_) => "a comment".into(),
            Tok::Newline => "the end of the line".into(),
            Tok::Indent => "a deeper block".into(),
            Tok::Dedent => "the end of the block".into(),
            Tok::End => "the end of the file".into(),
            other => format!("`{}`", other.sign()),
        }
    }

    /// How many brackets it opens; one that closes a bracket counts against them.
    pub fn opens(&self) -> i32 {
        match self {
            Tok::Open | Tok::OpenPhrase => 1,
            Tok::Close | Tok::ClosePhrase => -1,
            _ => 0,
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

/// A line as it is meant: one the author wrote, and those below that run on from it.
pub struct Line {
    /// With comments, and with a `Newline` wherever the author broke it.
    pub tokens: Vec<Token>,
    /// How far it is indented.
    pub width: usize,
    /// Whether an empty line stands before it.
    pub gap: bool,
    end: Token,
}

impl Line {
    /// The line as if it ended before a token.
    pub fn until(&self, token: usize) -> Line {
        Line { tokens: self.tokens[..token].to_vec(), width: self.width, gap: self.gap, end: self.end.clone() }
    }
    /// Nothing but a comment.
    pub fn is_comment(&self) -> bool {
        matches!(self.tokens.first().map(|token| &token.tok), Some(Tok::Comment(_)))
    }
}

/// Items whose block stands below them without a `:`. Only a text, a citation or what follows a comma runs on from
/// their first line, because a line of the block can begin with most of the other words.
pub const HEADS: [&str; 7] = ["card", "proc", "action", "template", "timing", "kind", "cost"];

/// Those of them that a card can own.
pub const OWN_HEADS: [&str; 4] = ["proc", "template", "timing", "cost"];

/// The word that opens the block below a line, if it is one of the heads: at the left margin, or of what a card owns.
pub fn head<'a>(mut line: impl Iterator<Item = &'a Tok>, margin: bool) -> Option<&'a Tok> {
    let (first, second) = (line.next()?, line.next());
    let owned = || matches!((first, second), (Tok::Name(word), Some(Tok::Name(_))) if OWN_HEADS.contains(&word.as_str()));
    (margin || owned()).then_some(first)
}

/// Words that join a deeper line to the one above it. Other words do not, so that a forgotten `:` or a line that was
/// indented by mistake is still told from one that runs on.
pub const JOINTS: [&str; 29] = [
    "and",
    "or",
    "not",
    "is",
    "in",
    "then",
    "else",
    "where",
    "if",
    "when",
    "while",
    "until",
    "as",
    "for",
    "of",
    "by",
    "to",
    "from",
    "asking",
    "labelled",
    "warning",
    "worth",
    "require",
    "target",
    "pay",
    "gets",
    "cumulatively",
    "quiet",
    "shows",
];

/// Whether a line cannot end here: with a comma, a sign or a word that wants something behind it.
fn hangs(tok: &Tok) -> bool {
    match tok {
        Tok::Name(word) => ["and", "or", "not", "then", "else"].contains(&word.as_str()),
        Tok::Int(_) | Tok::Str(_) | Tok::Cite(_) | Tok::Comment(_) | Tok::Close | Tok::ClosePhrase | Tok::Colon => false,
        _ => true,
    }
}

/// Whether a line can be broken between two of its tokens that stand in no brackets. `head` is what `head` finds; `open` says that a block stands below what is there so far.
pub fn runs_on(head: Option<&Tok>, open: bool, before: &Tok, after: &Tok) -> bool {
    if open {
        return false;
    }
    let heads_block = matches!(head, Some(Tok::Name(word)) if HEADS.contains(&word.as_str()));
    match after {
        Tok::Str(_) | Tok::Cite(_) => true,
        _ if heads_block => *before == Tok::Comma,
        Tok::Name(word) => JOINTS.contains(&word.as_str()) || hangs(before),
        Tok::Open | Tok::OpenPhrase => hangs(before),
        _ => true,
    }
}

/// Whether a block stands below a line that ends so: behind `:`, and citations may follow that.
pub fn opens_block<'a>(tokens: impl DoubleEndedIterator<Item = &'a Tok>) -> bool {
    let mut back = tokens.rev().filter(|tok| !matches!(tok, Tok::Comment(_) | Tok::Newline));
    back.find(|tok| !matches!(tok, Tok::Cite(_))) == Some(&Tok::Colon)
}

/// The lines of a source, as they are meant. Inside brackets a line runs on; elsewhere a deeper line does where the
/// one above opens no block.
pub fn lines(text: &str, raw: Vec<Token>) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    let mut open: Option<Line> = None;
    // Comments below an open line: they are part of it, if it runs on behind them.
    let mut held: Vec<Line> = Vec::new();
    let (mut written, mut gap, mut depth) = (Vec::new(), false, 0i32);
    let end = text.len() as u32;
    let last = Token { tok: Tok::Newline, span: Span { file: raw.first().map_or(0, |token| token.span.file), start: end, end } };
    for token in raw.into_iter().chain([last]) {
        if token.tok != Tok::Newline {
            written.push(token);
            continue;
        }
        let Some(first) = written.first() else {
            gap = true;
            continue;
        };
        let width = indentation(text, first);
        let line = Line { tokens: std::mem::take(&mut written), width, gap: std::mem::take(&mut gap), end: token };
        if line.is_comment() {
            held.push(line);
            continue;
        }
        let deeper = |above: &Line| {
            let code = || above.tokens.iter().map(|token| &token.tok).filter(|tok| !matches!(tok, Tok::Comment(_) | Tok::Newline));
            let head = head(code(), above.width == 0);
            line.width > above.width && code().next_back().is_some_and(|last| runs_on(head, opens_block(code()), last, &line.tokens[0].tok))
        };
        let brackets = |line: &Line| -> i32 { line.tokens.iter().map(|token| token.tok.opens()).sum() };
        if let Some(mut above) = open.take_if(|above| depth > 0 || deeper(above)) {
            depth += brackets(&line);
            for part in held.drain(..).chain([line]) {
                above.tokens.push(std::mem::replace(&mut above.end, part.end));
                above.tokens.extend(part.tokens);
            }
            open = Some(above);
        } else {
            lines.extend(open.take());
            lines.append(&mut held);
            depth = brackets(&line);
            open = Some(line);
        }
    }
    lines.extend(open);
    lines.append(&mut held);
    lines
}

/// How many blanks stand before the first token of a line.
fn indentation(text: &str, first: &Token) -> usize {
    let start = first.span.start as usize;
    let line = text[..start].rfind('\n').map_or(0, |at| at + 1);
    text[line..start].chars().map(|c| if c == '\t' { 2 } else { 1 }).sum()
}

/// Tokens with `Indent` and `Dedent`, without comments and empty lines; what runs on is one line.
pub fn lex(file: u16, text: &str) -> (Vec<Token>, Vec<Diagnostic>) {
    let (raw, mut problems) = raw(file, text);
    let mut out: Vec<Token> = Vec::new();
    let mut levels = vec![0usize];
    for line in lines(text, raw).into_iter().filter(|line| !line.is_comment()) {
        let start = line.tokens[0].span.start;
        let here = Span { file, start, end: start };
        if line.width > *levels.last().unwrap_or(&0) {
            levels.push(line.width);
            out.push(Token { tok: Tok::Indent, span: here });
        }
        while line.width < *levels.last().unwrap_or(&0) {
            levels.pop();
            out.push(Token { tok: Tok::Dedent, span: here });
            if line.width > *levels.last().unwrap_or(&0) {
                problems.push(Diagnostic::new(here, "this line is indented between two levels".into()));
                break;
            }
        }
        out.extend(line.tokens.into_iter().filter(|token| !matches!(token.tok, Tok::Comment(_) | Tok::Newline)));
        out.push(line.end);
    }
    let end = Span { file, start: text.len() as u32, end: text.len() as u32 };
    for _ in 1..levels.len() {
        out.push(Token { tok: Tok::Dedent, span: end });
    }
    out.push(Token { tok: Tok::End, span: end });
    (out, problems)
}
