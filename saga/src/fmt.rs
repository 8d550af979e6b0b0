//! The one way sources look: two blanks a level, one blank between words, citations in a column.
//! Works on tokens, so comments stay where they are and a second run changes nothing.

use crate::diagnostics::Span;
use crate::lexer::{Tok, Token, raw};

/// Where citations start, if the line is short enough.
const CITES: usize = 71;

/// A line of tokens, how far it was indented, and whether an empty line stood before it.
struct Line {
    tokens: Vec<Token>,
    width: usize,
    gap: bool,
}

/// Format a source; an error where it cannot be read.
pub fn format(text: &str) -> Result<String, String> {
    let (tokens, problems) = raw(0, text);
    if let Some(problem) = problems.first() {
        return Err(problem.message.clone());
    }
    let lines = split_lines(text, tokens);
    let mut out = String::new();
    let mut levels = vec![0usize];
    for (at, line) in lines.iter().enumerate() {
        // A comment goes with the line below it, if they were written as one.
        let code = lines[at..].iter().find(|line| !line.is_comment());
        let leads = code.filter(|code| !line.is_comment() || code.width == line.width);
        if let Some(code) = leads {
            levels.retain(|level| *level <= code.width);
            if levels.last().is_none_or(|last| *last < code.width) {
                levels.push(code.width);
            }
        }
        let level = levels.iter().filter(|level| **level > 0 && **level <= line.width).count();
        if line.gap && !out.is_empty() {
            out.push('\n');
        }
        out.push_str(&"  ".repeat(level));
        write_line(&mut out, level * 2, &line.tokens);
        out.push('\n');
    }
    Ok(out)
}

impl Line {
    fn is_comment(&self) -> bool {
        matches!(self.tokens.first().map(|token| &token.tok), Some(Tok::Comment(_)))
    }
}

/// Lines as they are meant: inside brackets a line runs on.
fn split_lines(text: &str, tokens: Vec<Token>) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut line: Vec<Token> = Vec::new();
    // Comments inside brackets go behind the whole.
    let mut held: Vec<Token> = Vec::new();
    let (mut gap, mut depth) = (false, 0i32);
    let end = text.len() as u32;
    for token in tokens.into_iter().chain([Token { tok: Tok::Newline, span: Span { file: 0, start: end, end } }]) {
        match token.tok {
            Tok::Open | Tok::OpenPhrase => depth += 1,
            Tok::Close | Tok::ClosePhrase => depth -= 1,
            Tok::Newline if depth > 0 && token.span.start < end => {
                held.extend(line.pop_if(|last| matches!(last.tok, Tok::Comment(_))));
                continue;
            }
            Tok::Newline => {
                depth = 0;
                line.append(&mut held);
                let Some(first) = line.first() else {
                    gap = true;
                    continue;
                };
                let start = first.span.start as usize;
                let line_start = text[..start].rfind('\n').map_or(0, |at| at + 1);
                let width = text[line_start..start].chars().map(|c| if c == '\t' { 2 } else { 1 }).sum();
                lines.push(Line { tokens: std::mem::take(&mut line), width, gap });
                gap = false;
                continue;
            }
            _ => {}
        }
        line.push(token);
    }
    lines
}

fn write_line(out: &mut String, indent: usize, line: &[Token]) {
    let mut width = indent;
    let mut before: Option<&Tok> = None;
    let put = |out: &mut String, text: &str, width: &mut usize| {
        out.push_str(text);
        *width += text.chars().count();
    };
    for token in line {
        if let Some(before_tok) = before {
            let cited = matches!(token.tok, Tok::Cite(_)) && !matches!(before_tok, Tok::Cite(_));
            if cited && !matches!(line.last().map(|t| &t.tok), Some(Tok::Colon)) {
                let gap = CITES.saturating_sub(width).max(1);
                put(out, &" ".repeat(gap), &mut width);
            } else if matches!(token.tok, Tok::Comment(_)) {
                put(out, "  ", &mut width);
            } else if spaced(before_tok, &token.tok, line) {
                put(out, " ", &mut width);
            }
        }
        let text = match &token.tok {
            Tok::Name(name) => name.clone(),
            Tok::Int(number) => number.to_string(),
            Tok::Str(text) => format!("\"{text}\""),
            Tok::Cite(id) => format!("@{id}"),
            Tok::Comment(comment) => comment.trim_end().to_string(),
            sign => sign.sign().to_string(),
        };
        put(out, &text, &mut width);
        before = Some(&token.tok);
    }
}

/// Whether a blank stands between two tokens.
fn spaced(a: &Tok, b: &Tok, line: &[Token]) -> bool {
    // `noun unit/units` and `power +2` hold together.
    let noun = matches!(line.first().map(|token| &token.tok), Some(Tok::Name(name)) if name == "noun");
    match (a, b) {
        (_, Tok::Comma | Tok::Close | Tok::ClosePhrase | Tok::Colon | Tok::Dot | Tok::Range) => false,
        (Tok::Open | Tok::OpenPhrase | Tok::Dot | Tok::Range | Tok::Bar, _) | (_, Tok::Bar) => false,
        (Tok::Slash, _) | (_, Tok::Slash) if noun => false,
        (Tok::Name(name), Tok::Open) => {
            ["and", "or", "not", "in", "if", "then", "else", "where", "while", "when", "to", "from", "by", "require", "return", "could"]
                .contains(&name.as_str())
        }
        (Tok::Plus | Tok::Minus, _) => !signed(a, line),
        _ => true,
    }
}

/// How many brackets are open before a token.
fn depth_at(line: &[Token], tok: &Tok) -> i32 {
    let before = line.iter().take_while(|token| !std::ptr::eq(&token.tok, tok));
    before
        .map(|token| {
            i32::from(matches!(token.tok, Tok::Open | Tok::OpenPhrase)) - i32::from(matches!(token.tok, Tok::Close | Tok::ClosePhrase))
        })
        .sum()
}

/// A sign in a line with `gets` belongs to the number behind it.
fn signed(sign: &Tok, line: &[Token]) -> bool {
    let gets = line.iter().any(|token| matches!(&token.tok, Tok::Name(name) if name == "gets"));
    let after_name = line.windows(2).any(|pair| std::ptr::eq(&pair[1].tok, sign) && matches!(pair[0].tok, Tok::Name(_)));
    gets && after_name && depth_at(line, sign) == 0
}
