//! Texts with holes, taken apart: `{value}`, `{value|one|many}`, `{if test: text}`, `{if test: text | other text}`.

/// A part of a text. Sources of expressions are not parsed yet.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Part<'a> {
    Plain(&'a str),
    Value(&'a str),
    Plural(&'a str, &'a str, &'a str),
    When(&'a str, &'a str, Option<&'a str>),
}

/// The parts of a text; an error where a hole is not closed or a condition has no text.
pub(crate) fn parts(text: &str) -> Result<Vec<Part<'_>>, &'static str> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(open) = rest.find('{') {
        if open > 0 {
            found.push(Part::Plain(&rest[..open]));
        }
        let close = matching(&rest[open..]).ok_or("a hole `{` is not closed by `}`")? + open;
        found.push(hole(&rest[open + 1..close])?);
        rest = &rest[close + 1..];
    }
    if !rest.is_empty() {
        found.push(Part::Plain(rest));
    }
    Ok(found)
}

fn hole(inner: &str) -> Result<Part<'_>, &'static str> {
    if let Some(condition) = inner.strip_prefix("if ") {
        let (test, said) = split_at(condition, ':').ok_or("a condition in a text needs `:` and what is said then")?;
        return Ok(match split_at(said, '|') {
            Some((then, otherwise)) => Part::When(test, then, Some(otherwise)),
            None => Part::When(test, said, None),
        });
    }
    let mut pieces = inner.split('|');
    let value = pieces.next().unwrap_or("");
    Ok(match (pieces.next(), pieces.next()) {
        (Some(one), Some(many)) => Part::Plural(value, one, many),
        _ => Part::Value(value),
    })
}

/// Where the hole at the start of a text is closed.
fn matching(text: &str) -> Option<usize> {
    let mut depth = 0;
    text.char_indices().find_map(|(at, letter)| {
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        (depth == 0).then_some(at)
    })
}

/// Split at a sign that stands in no brackets.
fn split_at(text: &str, sign: char) -> Option<(&str, &str)> {
    let mut depth = 0;
    let at = text.char_indices().find_map(|(at, letter)| {
        match letter {
            '{' | '(' | '[' => depth += 1,
            '}' | ')' | ']' => depth -= 1,
            _ => {}
        }
        (depth == 0 && letter == sign).then_some(at)
    })?;
    Some((&text[..at], &text[at + sign.len_utf8()..]))
}

/// A text without what it says on a condition only.
pub(crate) fn unconditional(text: &str) -> String {
    let mut out = String::new();
    for part in parts(text).unwrap_or_default() {
        match part {
            Part::Plain(plain) => out.push_str(plain),
            Part::Value(value) => out += &format!("{{{value}}}"),
            Part::Plural(value, one, many) => out += &format!("{{{value}|{one}|{many}}}"),
            Part::When(..) => {}
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_taken_apart() {
        let text = "{p} plays {c}{if count(at) > 0: on {at} | alone}: {n|one|many}";
        let found = parts(text).unwrap_or_default();
        assert_eq!(found[0], Part::Value("p"));
        assert_eq!(found[3], Part::When("count(at) > 0", " on {at} ", Some(" alone")));
        assert_eq!(found[5], Part::Plural("n", "one", "many"));
        assert_eq!(unconditional("{c} moves{if to: to {to}}"), "{c} moves");
        assert!(parts("{if x}").is_err());
        assert!(parts("{a").is_err());
    }
}
