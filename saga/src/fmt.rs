//! The one way sources look: two blanks a level, one blank between words, citations in a column. What an author broke
//! stays broken, and a line that is too long is broken by structure (see `layout`).
//! Works on tokens, so comments stay where they are and a second run changes nothing.

mod joints;
mod layout;

use crate::lexer::{Line, Tok, Token, lines, raw};

/// Format a source; an error where it cannot be read.
pub fn format(text: &str) -> Result<String, String> {
    let (tokens, problems) = raw(0, text);
    if let Some(problem) = problems.first() {
        return Err(problem.message.clone());
    }
    let lines = lines(text, tokens);
    let mut out = String::new();
    let mut levels = vec![0usize];
    // Below the `where:` of a function, which has this level, its parts stand two blanks deeper than another block would.
    let mut parts_of: Option<usize> = None;
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
        let inside = parts_of.is_some_and(|function| level > function);
        if !inside && !line.is_comment() {
            parts_of = None;
        }
        let indent = level * 2 + if inside { 2 } else { 0 };
        match opens_parts(line) {
            Some(at) => {
                let head = line.until(at);
                out.push_str(&layout::layout(&Written::new(&head), indent));
                out.push_str(&format!("{}  where:\n", " ".repeat(indent)));
                parts_of = Some(level);
            }
            None => out.push_str(&layout::layout(&Written::new(line), indent)),
        }
    }
    Ok(out)
}

/// Where the line of a function ends that names its parts below: before its `where:`, and what stands behind that is nothing.
fn opens_parts(line: &Line) -> Option<usize> {
    let names = |tok: &Tok, name: &str| matches!(tok, Tok::Name(own) if own == name);
    let defines = line.tokens.first().is_some_and(|token| names(&token.tok, "def"));
    let code = line.tokens.iter().rposition(|token| token.tok != Tok::Newline)?;
    let opens = code > 1 && line.tokens[code].tok == Tok::Colon && names(&line.tokens[code - 1].tok, "where");
    let head = line.tokens[..code.saturating_sub(1)].iter().rposition(|token| token.tok != Tok::Newline)? + 1;
    (defines && opens).then_some(head)
}

/// A token as it is printed.
struct Word {
    tok: Tok,
    text: String,
    /// Whether a blank stands before it, if it does not begin a line.
    spaced: bool,
    /// Whether the author began a line with it.
    broken: bool,
}

/// A line, and those that run on from it, as its words.
struct Written {
    words: Vec<Word>,
    /// Where the citations behind it begin. None do behind a `:` at the end, where they stand among the words.
    cites: usize,
}

impl Written {
    fn new(line: &Line) -> Written {
        let tokens: Vec<&Token> = line.tokens.iter().filter(|token| token.tok != Tok::Newline).collect();
        let breaks = line.tokens.windows(2).filter(|pair| pair[1].tok != Tok::Newline).map(|pair| pair[0].tok == Tok::Newline);
        let breaks: Vec<bool> = std::iter::once(false).chain(breaks).collect();
        let words = tokens.iter().zip(breaks).enumerate().map(|(at, (token, broken))| Word {
            tok: token.tok.clone(),
            text: print(&token.tok),
            spaced: at > 0 && spaced(&tokens, at),
            broken,
        });
        let words: Vec<Word> = words.collect();
        let code = words.iter().rposition(|word| !matches!(word.tok, Tok::Comment(_))).map_or(0, |at| at + 1);
        let cites = words[..code].iter().rposition(|word| !matches!(word.tok, Tok::Cite(_))).map_or(0, |at| at + 1);
        Written { words, cites }
    }
}

fn print(tok: &Tok) -> String {
    match tok {
        Tok::Name(name) => name.clone(),
        Tok::Int(number) => number.to_string(),
        Tok::Str(text) => crate::lexer::quoted(text),
        Tok::Cite(id) => format!("@{id}"),
        Tok::Comment(comment) => comment.trim_end().to_string(),
        sign => sign.sign().to_string(),
    }
}

/// Whether a blank stands before a token.
fn spaced(line: &[&Token], at: usize) -> bool {
    // `noun unit/units` and `power +2` hold together.
    let noun = matches!(line.first().map(|token| &token.tok), Some(Tok::Name(name)) if name == "noun");
    match (&line[at - 1].tok, &line[at].tok) {
        // Side by side these would be something else.
        (Tok::Dot | Tok::Range | Tok::Cite(_), Tok::Dot | Tok::Range)
        | (Tok::Plus | Tok::Minus, Tok::Plus | Tok::Join | Tok::Equal | Tok::AddAssign) => true,
        (_, Tok::Comma | Tok::Close | Tok::ClosePhrase | Tok::Colon | Tok::Dot | Tok::Range) => false,
        (Tok::Open | Tok::OpenPhrase | Tok::Dot | Tok::Range | Tok::Bar, _) | (_, Tok::Bar) => false,
        (Tok::Slash, _) | (_, Tok::Slash) if noun => false,
        (Tok::Name(name), Tok::Open) => {
            ["and", "or", "not", "in", "if", "then", "else", "where", "while", "when", "to", "from", "by", "require", "return", "could"]
                .contains(&name.as_str())
        }
        (Tok::Plus | Tok::Minus, _) => !signed(line, at - 1),
        _ => true,
    }
}

/// A sign in a line with `gets` belongs to the number behind it.
fn signed(line: &[&Token], sign: usize) -> bool {
    let gets = line.iter().any(|token| matches!(&token.tok, Tok::Name(name) if name == "gets"));
    let after_name = sign > 0 && matches!(line[sign - 1].tok, Tok::Name(_));
    let depth: i32 = line[..sign].iter().map(|token| token.tok.opens()).sum();
    gets && after_name && depth == 0
}
