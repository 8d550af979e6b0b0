//! The lines of a board: counters, variables, cards in zones, and changes of what other boards have laid.

use super::parse::{BoardKind, BoardLine, Line, Placed, number, split};

/// A table of so many cards of one title would take long to lay, and nobody could mean it.
const MOST_COPIES: usize = 200;

const WRITE: &str = "write `PLAYER.counter N`, `var NAME N`, `PLAYER in ZONE`, `with CARD` or `without CARD`";

/// Read an indented block.
pub(super) fn read(block: &[Line<'_>], board: &mut Vec<BoardLine>) -> Result<(), String> {
    let Some(base) = block.first().map(|line| line.indent) else { return Ok(()) };
    let mut at = 0;
    while at < block.len() {
        let line = &block[at];
        let end = (at + 1..block.len()).find(|&next| block[next].indent <= base).unwrap_or(block.len());
        let under = &block[at + 1..end];
        at = end;
        let kind = one(line, under)?;
        if let (Some(extra), BoardKind::Counter { .. } | BoardKind::Var { .. } | BoardKind::Without(_)) = (under.first(), &kind) {
            return Err(format!("{}: this line is indented under one that holds no cards", extra.at));
        }
        board.push(BoardLine { at: line.at.clone(), kind });
    }
    Ok(())
}

fn one(line: &Line<'_>, under: &[Line<'_>]) -> Result<BoardKind, String> {
    let fail = || format!("{}: {WRITE}", line.at);
    let words: Vec<&str> = line.text.split_whitespace().collect();
    match words[..] {
        ["var", name, value] => Ok(BoardKind::Var { name: name.into(), value: value.into() }),
        ["without", name] => Ok(BoardKind::Without(name.into())),
        ["with", _, ..] => with(line, under).map(BoardKind::With),
        [player, "in", zone] if !zone.ends_with(':') => {
            Ok(BoardKind::Cards { player: player.into(), zone: zone.into(), cards: nested(Vec::new(), None, under)? })
        }
        [player, "in", zone, ..] => {
            let (_, behind) = line.text.split_once(&format!(" {zone}")).ok_or_else(fail)?;
            let zone = zone.strip_suffix(':').ok_or_else(fail)?;
            let cards = behind.split(';').map(|card| placed(line, card)).collect::<Result<Vec<_>, _>>()?;
            // What stands deeper is on the last card of the line.
            Ok(BoardKind::Cards { player: player.into(), zone: zone.into(), cards: nested(cards, Some(line.indent), under)? })
        }
        [name, value] => {
            let (player, counter) = name.split_once('.').ok_or_else(fail)?;
            Ok(BoardKind::Counter { player: player.into(), counter: counter.into(), value: number(line, value)? })
        }
        _ => Err(fail()),
    }
}

/// `with luke {hit}`, `with eisley: at Han Solo; at Chewbacca`, or its cards deeper.
fn with(line: &Line<'_>, under: &[Line<'_>]) -> Result<Placed, String> {
    let text = line.text["with".len()..].trim();
    let name_end = text.find([' ', ':', '{']).unwrap_or(text.len());
    let (name, mut rest) = text.split_at(name_end);
    rest = rest.trim_start();
    let mut change = Placed { at: line.at.clone(), count: 1, title: name.to_string(), ..Placed::default() };
    if rest.starts_with('{') {
        let close = rest.find('}').ok_or_else(|| format!("{}: `{{` is not closed by `}}`", line.at))?;
        traits(&rest[1..close], &mut change);
        rest = rest[close + 1..].trim_start();
    }
    if let Some(cards) = rest.strip_prefix(':') {
        for card in cards.split(';') {
            change.attached.push(attached(line, card.trim())?);
        }
    } else if !rest.is_empty() {
        return Err(format!("{}: write `with CARD {{TRAITS}}`, `with CARD: ROLE TITLE; ROLE TITLE` or the cards deeper", line.at));
    }
    let mut whole = nested(vec![change], Some(line.indent), under)?;
    whole.pop().ok_or_else(|| format!("{}: {WRITE}", line.at))
}

/// Cards with those on and under them. Lines deeper than `on_last` belong to the last of the cards that are there.
fn nested(mut cards: Vec<Placed>, on_last: Option<usize>, under: &[Line<'_>]) -> Result<Vec<Placed>, String> {
    // Indents of the cards that a deeper line could belong to, outermost first.
    let mut open: Vec<usize> = on_last.into_iter().collect();
    for next in under {
        open.retain(|indent| *indent < next.indent);
        if open.is_empty() {
            cards.push(placed(next, next.text)?);
        } else {
            let card = attached(next, next.text)?;
            let host = open.iter().skip(1).try_fold(cards.last_mut(), |host, _| match host {
                Some(host) => Some(host.attached.last_mut().map(|(_, card)| card)),
                None => None,
            });
            match host.flatten() {
                Some(host) => host.attached.push(card),
                None => return Err(format!("{}: there is no card to attach this to", next.at)),
            }
        }
        open.push(next.indent);
    }
    Ok(cards)
}

/// `pilot Han Solo {as han}`
fn attached(line: &Line<'_>, text: &str) -> Result<(String, Placed), String> {
    let (role, rest) = split(text);
    Ok((role.to_string(), placed(line, rest)?))
}

/// `2x Title (A) {tapped, damage 2, down, as name}`
fn placed(line: &Line<'_>, text: &str) -> Result<Placed, String> {
    let (title, said) = match text.split_once('{') {
        Some((title, rest)) => {
            let said = rest.trim_end().strip_suffix('}').ok_or_else(|| format!("{}: `{{` is not closed by `}}` at the end", line.at))?;
            (title.trim(), said)
        }
        None => (text.trim(), ""),
    };
    let (count, title) = match title.split_once("x ") {
        Some((count, rest)) if count.parse::<usize>().is_ok() => (count.parse().unwrap_or(1), rest.trim()),
        _ => (1, title),
    };
    if count > MOST_COPIES {
        return Err(format!("{}: {count} copies of a card make no sense", line.at));
    }
    let mut card = Placed { at: line.at.clone(), count, title: title.to_string(), ..Placed::default() };
    traits(said, &mut card);
    Ok(card)
}

fn traits(said: &str, card: &mut Placed) {
    // A comma in a title separates nothing.
    let mut in_title = false;
    let between = |c: char| {
        in_title ^= c == '"';
        c == ',' && !in_title
    };
    for one in said.split(between).map(str::trim).filter(|one| !one.is_empty()) {
        let (word, rest) = split(one);
        match word {
            "down" => card.facedown = true,
            "shown" => card.shown = true,
            "as" => card.name = Some(rest.to_string()),
            "of" => card.owner = Some(rest.to_string()),
            counter if rest.is_empty() => card.counters.push((counter.to_string(), "1".into())),
            counter => card.counters.push((counter.to_string(), rest.to_string())),
        }
    }
}
