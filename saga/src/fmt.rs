//! The one way sources look: two blanks a level, one blank between words, citations in a column.
//! Works on tokens, so comments stay where they are and a second run changes nothing.

use crate::lexer::{Tok, Token, raw};

/// Where citations start, if the line is short enough.
const CITES: usize = 72;

/// Format a source; an error where it cannot be read.
pub fn format(text: &str) -> Result<String, String> {
    let (tokens, problems) = raw(0, text);
    if let Some(problem) = problems.first() {
        return Err(problem.message.clone());
    }
    let mut out = String::new();
    let mut levels = vec![0usize];
    let mut line: Vec<Token> = Vec::new();
    let mut empty = 0;
    let mut depth = 0i32;
    for token in tokens.into_iter().chain([Token { tok: Tok::Newline, span: Default::default() }]) {
        if token.tok != Tok::Newline {
            match token.tok {
                Tok::Open | Tok::OpenPhrase => depth += 1,
                Tok::Close | Tok::ClosePhrase => depth -= 1,
                _ => {}
            }
            line.push(token);
            continue;
        }
        if depth > 0 {
            continue;
        }
        depth = 0;
        let Some(first) = line.first() else {
            empty += 1;
            continue;
        };
        // One empty line is kept, more are too many.
        if empty > 0 && !out.is_empty() {
            out.push('\n');
        }
        empty = 0;
        let start = first.span.start as usize;
        let width = start - text[..start].rfind('\n').map_or(0, |at| at + 1);
        if !matches!(first.tok, Tok::Comment(_)) {
            while width < *levels.last().unwrap_or(&0) {
                levels.pop();
            }
            if width > *levels.last().unwrap_or(&0) {
                levels.push(width);
            }
        }
        let level = levels.iter().filter(|level| **level > 0 && **level <= width.max(1)).count();
        out.push_str(&"  ".repeat(level));
        write_line(&mut out, level * 2, &line);
        out.push('\n');
        line.clear();
    }
    Ok(out)
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
            ["and", "or", "not", "in", "if", "then", "else", "where", "while", "when", "to", "from", "by", "require", "return"]
                .contains(&name.as_str())
        }
        (Tok::Plus | Tok::Minus, _) => !signed(a, line),
        _ => true,
    }
}

/// A sign in a line with `gets` belongs to the number behind it.
fn signed(sign: &Tok, line: &[Token]) -> bool {
    let gets = line.iter().any(|token| matches!(&token.tok, Tok::Name(name) if name == "gets"));
    gets && matches!(sign, Tok::Plus | Tok::Minus)
        && line.windows(2).any(|pair| std::ptr::eq(&pair[1].tok, sign) && matches!(pair[0].tok, Tok::Name(_)))
}
