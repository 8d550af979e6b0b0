//! Errors with their place, and how they are shown: file, line, caret, suggestion.

use ariadne::{CharSet, Color, Config, IndexType, Label, Report, ReportKind, Source as Text};

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Span {
    pub file: u16,
    pub start: u32,
    pub end: u32,
}

impl Span {
    pub fn to(self, other: Span) -> Span {
        Span { file: self.file, start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    pub span: Span,
    pub message: String,
    pub hint: String,
}

impl Diagnostic {
    pub fn new(span: Span, message: String) -> Diagnostic {
        Diagnostic { span, message, hint: String::new() }
    }
    pub fn hint(mut self, hint: impl Into<String>) -> Diagnostic {
        self.hint = hint.into();
        self
    }
}

/// A source file: its name as errors give it, and its text.
#[derive(Clone, Debug)]
pub struct SourceFile {
    pub name: String,
    pub text: String,
}

/// Line and column of a place, both from 1.
pub fn place(files: &[SourceFile], span: Span) -> (String, usize, usize) {
    let Some(file) = files.get(span.file as usize) else { return ("?".into(), 0, 0) };
    let before = file.text.get(..span.start as usize).unwrap_or("");
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
    (file.name.clone(), line, column)
}

/// All problems as text, each with the line it stands on and a caret.
pub fn report(files: &[SourceFile], problems: &[Diagnostic], color: bool) -> String {
    let mut out = Vec::new();
    for problem in problems {
        let Some(file) = files.get(problem.span.file as usize) else { continue };
        let end = (problem.span.end as usize).min(file.text.len());
        let range = (problem.span.start as usize).min(end)..end;
        let config = Config::new()
            .with_color(color)
            .with_char_set(if color { CharSet::Unicode } else { CharSet::Ascii })
            .with_index_type(IndexType::Byte);
        let name = file.name.as_str();
        let mut report = Report::build(ReportKind::Error, (name, range.clone()))
            .with_config(config)
            .with_message(&problem.message)
            .with_label(Label::new((name, range)).with_message("here").with_color(Color::Red));
        if !problem.hint.is_empty() {
            report = report.with_help(&problem.hint);
        }
        // Writing to memory cannot fail.
        let _ = report.finish().write((name, Text::from(file.text.as_str())), &mut out);
    }
    String::from_utf8_lossy(&out).into_owned()
}

/// The known name that is nearest to a mistyped one.
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let scored = known.into_iter().map(|candidate| (distance(name, candidate), candidate));
    scored.min().filter(|(distance, _)| *distance <= 1 + name.chars().count() / 4).map(|(_, candidate)| candidate)
}

fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.to_lowercase().chars().collect(), b.to_lowercase().chars().collect());
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, ca) in a.iter().enumerate() {
        let mut corner = row[0];
        row[0] = i + 1;
        for (j, cb) in b.iter().enumerate() {
            let next = (corner + usize::from(ca != cb)).min(row[j] + 1).min(row[j + 1] + 1);
            corner = std::mem::replace(&mut row[j + 1], next);
        }
    }
    row[b.len()]
}
