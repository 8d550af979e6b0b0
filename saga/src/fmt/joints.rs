//! Where a line can be broken: what each of its words would begin, if a line began with it.

use super::Word;
use crate::lexer::{Tok, head, opens_block, runs_on};

/// What is divided where a line is broken, loosest first: in one pair of brackets a looser part is divided before a
/// tighter one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Rank {
    /// Before what a line asks for or asks with: `require`, `target`, `pay`, `asking`, `labelled`, `warning`, `worth`.
    Clause,
    /// Before the text behind the first words of an item.
    Text,
    /// Before `else "..."` of a condition, and `while`.
    Reason,
    /// Before the test of a clause: `when`, `if`, `as`, `for`.
    Given,
    /// Behind `=` and `:=`.
    Into,
    /// Before `where`.
    Where,
    /// Behind the `:` of what is counted or collected.
    Value,
    /// Before `or none`.
    Pass,
    /// Before `from`, `by`, `to`, `gets`.
    By,
    /// Before what a function or an adjective says.
    Says,
    /// Behind a comma.
    Comma,
    Else,
    Then,
    Or,
    And,
    Sum,
    /// Before `=`, `<`, `in` and their like, and other places where a break reads badly.
    Compare,
    Product,
    /// Nowhere that the formatter breaks a line by itself.
    Odd,
}

/// How a line can be broken before one of its words.
#[derive(Clone, Copy)]
pub(super) struct Joint {
    pub rank: Rank,
    /// How many brackets and parts of `if` expressions are around it.
    pub nest: usize,
    /// The word that begins what it divides.
    pub whole: usize,
    /// What it stands in: a place among `Joints::around`.
    pub group: usize,
    /// Whether it stands in no brackets: then a line that begins with it must be deeper than the first.
    pub outer: bool,
}

pub(super) struct Joints {
    /// The joint before each word; that of the first is never used.
    pub before: Vec<Joint>,
    /// All brackets and parts: the word that opens each, and which of these it stands in.
    pub around: Vec<(usize, Option<usize>)>,
}

/// What is open around a word.
struct Group {
    kind: Kind,
    opener: usize,
    /// Its place among `Joints::around`.
    place: usize,
    /// The last joint of each rank so far.
    seen: Vec<(Rank, usize)>,
}

#[derive(PartialEq, Eq)]
enum Kind {
    Line,
    Brackets,
    /// `if ... then ... else ...`, with the `if` or `then` that is read.
    Choice(usize),
    /// What stands behind `if`, `then` or `else`.
    Part,
}

/// `margin`: the line stands at the left margin.
pub(super) fn joints(words: &[Word], margin: bool) -> Joints {
    let partners = partners(words);
    let mut groups = Vec::new();
    let mut out = Joints { before: Vec::new(), around: Vec::new() };
    enter(&mut groups, &mut out, Kind::Line, 0);
    // As the lexer counts them, even where brackets do not match.
    let mut depth = 0;
    for (at, word) in words.iter().enumerate() {
        let outer = depth <= 0;
        depth += word.tok.opens();
        let rank = rank(words, at, &partners, outer, margin);
        close(&mut groups, &word.tok, rank, partners[at]);
        let nest = groups.len();
        let Some(group) = groups.last_mut() else { continue };
        let looser = group.seen.iter().filter(|(other, _)| *other < rank && rank != Rank::Odd).map(|(_, place)| *place).max();
        let whole = looser.unwrap_or(group.opener).max(group.opener);
        out.before.push(Joint { rank, nest, whole, group: group.place, outer });
        group.seen.retain(|(other, _)| *other != rank);
        if rank != Rank::Odd {
            group.seen.push((rank, at));
        }
        open(&mut groups, &mut out, words, at, partners[at]);
    }
    out
}

fn enter(groups: &mut Vec<Group>, out: &mut Joints, kind: Kind, opener: usize) {
    let place = out.around.len();
    out.around.push((opener, groups.last().map(|group| group.place)));
    groups.push(Group { kind, opener, place, seen: Vec::new() });
}

/// Close what ends before a word.
fn close(groups: &mut Vec<Group>, tok: &Tok, rank: Rank, partner: Option<usize>) {
    let until = |groups: &mut Vec<Group>, wanted: &dyn Fn(&Kind) -> bool| {
        while groups.len() > 1 && groups.last().is_some_and(|group| !wanted(&group.kind)) {
            groups.pop();
        }
    };
    match (rank, partner) {
        (Rank::Then | Rank::Else, Some(partner)) => until(groups, &|kind| *kind == Kind::Choice(partner)),
        _ if tok.opens() < 0 || matches!(tok, Tok::Comma | Tok::Colon | Tok::Cite(_)) || rank < Rank::Else => {
            until(groups, &|kind| matches!(kind, Kind::Line | Kind::Brackets));
        }
        _ => {}
    }
}

/// Open what begins with a word, or close the brackets that end with it.
fn open(groups: &mut Vec<Group>, out: &mut Joints, words: &[Word], at: usize, partner: Option<usize>) {
    let word = &words[at];
    if word.tok.opens() > 0 {
        enter(groups, out, Kind::Brackets, at);
    } else if word.tok.opens() < 0 && groups.len() > 1 {
        groups.pop();
    }
    if partner.is_none() {
        return;
    }
    // `then`, and the `if` of `else if`, go on with the choice they stand in.
    match (word.text.as_str(), groups.last_mut().map(|group| &mut group.kind)) {
        ("if" | "then", Some(Kind::Choice(read))) => *read = at,
        ("if", _) => enter(groups, out, Kind::Choice(at), at),
        _ => {}
    }
    let goes_on = word.text == "else" && words.get(at + 1).is_some_and(|next| next.text == "if");
    if !goes_on {
        enter(groups, out, Kind::Part, at);
    }
}

/// For each `if`, `then` and `else` of an `if` expression its partner: for `if` its `then`, for the others the one before.
fn partners(words: &[Word]) -> Vec<Option<usize>> {
    let mut partners = vec![None; words.len()];
    let mut open: Vec<Vec<(bool, usize)>> = vec![Vec::new()];
    for (at, word) in words.iter().enumerate() {
        if word.tok.opens() > 0 {
            open.push(Vec::new());
        } else if word.tok.opens() < 0 && open.len() > 1 {
            open.pop();
        }
        let (Tok::Name(name), Some(here)) = (&word.tok, open.last_mut()) else { continue };
        match name.as_str() {
            "if" => here.push((false, at)),
            "then" => {
                if let Some((false, mate)) = here.last().copied() {
                    here.pop();
                    here.push((true, at));
                    (partners[mate], partners[at]) = (Some(at), Some(mate));
                }
            }
            "else" => {
                // An `if` that found no `then` belongs to the line itself.
                if let Some((true, mate)) = here.last().copied() {
                    here.pop();
                    partners[at] = Some(mate);
                }
            }
            _ => {}
        }
    }
    partners
}

/// Items that are told apart by a long text.
const TOLD: [&str; 10] = ["card", "proc", "action", "template", "timing", "kind", "cost", "permission", "event", "option"];

/// Words behind which no value has ended yet.
const UNFINISHED: [&str; 24] = [
    "and", "or", "not", "in", "is", "if", "then", "else", "where", "when", "while", "from", "to", "by", "as", "for", "of", "choose", "let",
    "number", "order", "up", "return", "could",
];

/// What the line is divided into, if it is broken before a word. `outer`: no brackets are open.
fn rank(words: &[Word], at: usize, partners: &[Option<usize>], outer: bool, margin: bool) -> Rank {
    let toks = || words[..at].iter().map(|word| &word.tok).filter(|tok| !matches!(tok, Tok::Comment(_)));
    let (Some(before), tok) = (toks().next_back(), &words[at].tok) else { return Rank::Odd };
    // A comment stays behind what it was written behind.
    if matches!(tok, Tok::Comment(_)) || outer && !runs_on(head(toks(), margin), opens_block(toks()), before, tok) {
        return Rank::Odd;
    }
    let first = words[0].text.as_str();
    // What stands between two values is a word of the language, and not a name.
    let ended = match before {
        Tok::Name(word) => !UNFINISHED.contains(&word.as_str()),
        other => matches!(other, Tok::Int(_) | Tok::Str(_) | Tok::Cite(_) | Tok::Close | Tok::ClosePhrase),
    };
    let begins = words
        .get(at + 1)
        .is_some_and(|next| matches!(next.tok, Tok::Name(_) | Tok::Int(_) | Tok::Str(_) | Tok::Open | Tok::OpenPhrase | Tok::Minus));
    match (before, tok) {
        (Tok::Comma, _) => Rank::Comma,
        (Tok::Assign | Tok::AddAssign | Tok::SubAssign, _) if outer => Rank::Into,
        (Tok::Equal, _) if outer && ["def", "let", "stat", "var", "shown"].contains(&first) => {
            if toks().filter(|tok| **tok == Tok::Equal).count() == 1 { Rank::Into } else { Rank::Odd }
        }
        (Tok::Colon, _) if !outer && quantifies(words, at) => Rank::Value,
        (_, Tok::Str(_)) if outer && TOLD.contains(&first) && ended => Rank::Text,
        (_, Tok::Str(_)) if outer && ["def", "adjective"].contains(&first) && defines(words, at + 1) => Rank::Says,
        (_, Tok::Name(word)) if outer && ended && first == "event" && word == "quiet" => Rank::Clause,
        (Tok::Str(_), Tok::Str(_)) => Rank::Text,
        (_, Tok::Name(word)) if ended && begins => match word.as_str() {
            "then" if partners[at].is_some() => Rank::Then,
            "else" if partners[at].is_some() => Rank::Else,
            "or" if outer && words.get(at + 1).is_some_and(|next| next.text == "none") => Rank::Pass,
            "or" => Rank::Or,
            "and" => Rank::And,
            "where" => Rank::Where,
            "require" | "target" | "pay" | "asking" | "labelled" | "warning" | "worth" | "shows" if outer && at > 1 => Rank::Clause,
            "until" if outer && first == "window" => Rank::Clause,
            "else" | "while" if outer => Rank::Reason,
            "if" | "when" | "as" | "for" if outer && partners[at].is_none() && at > 1 => Rank::Given,
            "from" | "by" | "to" | "gets" if outer => Rank::By,
            "in" | "is" => Rank::Compare,
            _ => Rank::Odd,
        },
        (_, Tok::Plus | Tok::Minus | Tok::Join) if ended && words.get(at + 1).is_some_and(|next| next.spaced) => Rank::Sum,
        (_, Tok::Equal | Tok::NotEqual | Tok::Less | Tok::AtMost | Tok::More | Tok::AtLeast) if ended => Rank::Compare,
        (_, Tok::Star | Tok::Slash) if ended && first != "noun" => Rank::Product,
        _ => Rank::Odd,
    }
}

fn defines(words: &[Word], at: usize) -> bool {
    words.get(at).is_some_and(|word| matches!(word.tok, Tok::Equal | Tok::Colon))
}

/// Whether the brackets around a word say `NAME in`: then a `:` in them stands before what is collected, and not before
/// the type of a parameter.
fn quantifies(words: &[Word], at: usize) -> bool {
    let mut depth = 0;
    let opener = words[..at].iter().rposition(|word| {
        depth += word.tok.opens();
        depth > 0
    });
    opener.is_some_and(|opener| words.get(opener + 2).is_some_and(|word| word.text == "in"))
}
