//! Cards as lines of text: a unit in an arena, a card in a build zone, a card in hand.

use super::table::{BENEATH, EQUIPMENT, PILOT, Table};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};
use trilogy_engine::view::CardView;
use trilogy_engine::{CardId, PlayerId, View};

pub(crate) const DIM: Style = Style::new().fg(Color::DarkGray);
pub(crate) const BOLD: Style = Style::new().add_modifier(Modifier::BOLD);

/// The colour of a player's side.
pub(crate) fn side(player: PlayerId) -> Color {
    if player == PlayerId(0) { Color::LightRed } else { Color::LightCyan }
}

/// What stands out on the board just now.
#[derive(Clone, Copy, Default)]
pub(crate) struct Marks {
    /// The card that the keyboard points at.
    pub pointed: Option<CardId>,
    pub attacker: Option<CardId>,
    pub defender: Option<CardId>,
}

/// Cut to a width, with a dot-dot-dot where something is lost.
pub(crate) fn fit(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_string();
    }
    let mut cut: String = text.chars().take(width.saturating_sub(1)).collect();
    if width > 0 {
        cut.push('…');
    }
    cut
}

/// Break into lines of a width at spaces; words that are too long are cut through.
pub(crate) fn wrap(text: &str, width: usize) -> Vec<String> {
    let width = width.max(1);
    let mut lines = vec![String::new()];
    let mut room = width;
    for word in text.split_whitespace() {
        let mut word: Vec<char> = word.chars().collect();
        let gap = usize::from(room < width);
        if word.len() + gap > room && room < width {
            lines.push(String::new());
            room = width;
        }
        while word.len() > width {
            let rest = word.split_off(width);
            lines.push(std::mem::replace(&mut word, rest).into_iter().collect());
            lines.push(String::new());
        }
        if let Some(line) = lines.last_mut() {
            if !line.is_empty() {
                line.push(' ');
            }
            line.extend(word.iter());
            room = width.saturating_sub(line.chars().count());
        }
    }
    lines.retain(|line| !line.is_empty());
    lines
}

pub(crate) fn name(view: &View<'_>, card: &CardView) -> String {
    card.def.map_or_else(|| "face-down card".into(), |def| view.catalogue().def(def).key.clone())
}

/// The word of a card from one enumeration of the game, such as its type.
pub(crate) fn word_of(view: &View<'_>, card: &CardView, list: &str) -> String {
    let catalogue = view.catalogue();
    let members = catalogue.enums.iter().find(|one| one.name == list).map(|one| one.members.as_slice()).unwrap_or_default();
    let words = card.def.map(|def| catalogue.def(def).words.as_slice()).unwrap_or_default();
    words.iter().find(|word| members.contains(word)).map(|word| catalogue.word(*word).replace('_', " ")).unwrap_or_default()
}

/// Speed/power/health, damage behind a minus and damage to come behind an exclamation mark;
/// a value that differs from the printed one is coloured.
pub(crate) fn stats(table: &Table, view: &View<'_>, card: &CardView) -> Vec<Span<'static>> {
    let mut spans = Vec::new();
    for stat in [table.speed, table.power, table.health] {
        let Some(now) = Table::stat(card, stat) else {
            continue;
        };
        if !spans.is_empty() {
            spans.push(Span::styled("/", DIM));
        }
        let printed = Table::printed(view.catalogue(), card, stat).unwrap_or(now);
        let style = match now.cmp(&printed) {
            std::cmp::Ordering::Greater => Style::new().fg(Color::LightGreen).add_modifier(Modifier::BOLD),
            std::cmp::Ordering::Less => Style::new().fg(Color::LightMagenta).add_modifier(Modifier::BOLD),
            std::cmp::Ordering::Equal => Style::new(),
        };
        spans.push(Span::styled(now.to_string(), style));
    }
    let fatal = Style::new().fg(Color::LightRed).add_modifier(Modifier::BOLD);
    let coming = Style::new().fg(Color::Yellow).add_modifier(Modifier::BOLD);
    for (counter, sign, style) in [(table.damage, "-", fatal), (table.pending, "!", coming)] {
        let number = Table::counter(card, counter);
        if number > 0 {
            spans.push(Span::styled(format!("{sign}{number}"), style));
        }
    }
    spans
}

/// A name on the left and something on the right of a line of the given width.
fn spread(left: Vec<Span<'static>>, right: Vec<Span<'static>>, width: usize) -> Line<'static> {
    let used: usize = left.iter().chain(&right).map(Span::width).sum();
    let gap = Span::raw(" ".repeat(width.saturating_sub(used)));
    Line::from_iter(left.into_iter().chain([gap]).chain(right))
}

fn width_of(spans: &[Span<'_>]) -> usize {
    spans.iter().map(Span::width).sum()
}

/// A unit in an arena: one line, or more that tell its keywords and what lies on it.
pub(crate) fn unit(table: &Table, view: &View<'_>, card: &CardView, width: usize, full: bool, marks: Marks) -> Vec<Line<'static>> {
    let tapped = Table::counter(card, table.tapped) > 0;
    let attached = view.attached(card.id);
    let with = |role: u8| attached.iter().filter(move |other| other.role == role);
    let mut style = Style::new().fg(side(card.controller));
    if tapped {
        style = style.add_modifier(Modifier::DIM);
    }
    let fighting = Style::new().fg(Color::Yellow).add_modifier(Modifier::BOLD);
    let (sign, sign_style) = if marks.attacker == Some(card.id) {
        ("»", fighting)
    } else if marks.defender == Some(card.id) {
        ("!", fighting)
    } else if tapped {
        ("○", DIM)
    } else {
        ("●", style)
    };
    let mut extras = String::new();
    if with(BENEATH).count() > 0 {
        extras += &format!(" x{}", with(BENEATH).count() + 1);
    }
    if with(PILOT).count() > 0 {
        extras += " +P";
    }
    if with(EQUIPMENT).count() > 0 {
        extras += " +E";
    }
    let (name, right) = (name(view, card), stats(table, view, card));
    let room = width.saturating_sub(2 + extras.len());
    // A name that does not fit beside the values has a line of its own where there is room for two.
    let beside = room.saturating_sub(1 + width_of(&right));
    let alone = full && name.chars().count() > beside;
    if marks.pointed == Some(card.id) {
        style = style.add_modifier(Modifier::REVERSED);
    }
    let left = vec![
        Span::styled(format!("{sign} "), sign_style),
        Span::styled(fit(&name, if alone { room } else { beside }), style),
        Span::styled(extras, Style::new().fg(Color::Yellow)),
    ];
    let (above, below) = if alone { (Vec::new(), right) } else { (right, Vec::new()) };
    let mut lines = vec![spread(left, above, width)];
    if full {
        let room = width.saturating_sub(3 + width_of(&below));
        let keywords = format!("  {}", fit(&keywords(table, view, card), room));
        if alone || !keywords.trim().is_empty() {
            lines.push(spread(vec![Span::styled(keywords, DIM)], below, width));
        }
        for (role, word) in [(PILOT, "pilot"), (EQUIPMENT, "carries"), (BENEATH, "under")] {
            for other in with(role) {
                let mut text = format!("  {word} {}", self::name(view, other));
                let damage = Table::counter(other, table.damage);
                if damage > 0 {
                    text += &format!(" -{damage}");
                }
                lines.push(Line::styled(fit(&text, width), DIM));
            }
        }
    }
    lines
}

/// "Armor, Critical Hit 2"
pub(crate) fn keywords(table: &Table, view: &View<'_>, card: &CardView) -> String {
    let words = table.keywords.iter().filter_map(|(stat, number)| {
        let value = Table::stat(card, *stat).filter(|value| *value > 0)?;
        let english = &view.catalogue().stats[*stat as usize].english;
        Some(if *number { format!("{english} {value}") } else { english.clone() })
    });
    words.collect::<Vec<_>>().join(", ")
}

/// What a card in a build zone has of what it needs, "3/6"; or the values of a unit that waits there.
fn progress(table: &Table, view: &View<'_>, card: &CardView) -> Vec<Span<'static>> {
    if !card.facedown {
        return stats(table, view, card);
    }
    let counters = Table::counter(card, table.build_counters);
    let cost = Table::stat(card, table.cost).map_or("?".to_string(), |cost| cost.to_string());
    vec![Span::styled(format!("{counters}/{cost}"), Style::new().fg(Color::Yellow))]
}

/// How a card lies in a build zone: face down, ready or tapped.
fn lies(table: &Table, card: &CardView) -> &'static str {
    match (card.facedown, Table::counter(card, table.tapped)) {
        (true, _) => "▒",
        (false, 0) => "●",
        (false, _) => "○",
    }
}

fn build_style(card: &CardView, marks: Marks) -> Style {
    let style = if card.def.is_some() { Style::new().fg(side(card.controller)) } else { DIM };
    if marks.pointed == Some(card.id) { style.add_modifier(Modifier::REVERSED) } else { style }
}

/// A card in a build zone.
pub(crate) fn building(table: &Table, view: &View<'_>, card: &CardView, width: usize, marks: Marks) -> Line<'static> {
    let right = progress(table, view, card);
    let room = width.saturating_sub(3 + width_of(&right));
    let sign = Span::styled(format!("{} ", lies(table, card)), DIM);
    spread(vec![sign, Span::styled(fit(&name(view, card), room), build_style(card, marks))], right, width)
}

/// A card in a build zone, as part of one line with the others.
pub(crate) fn building_short(table: &Table, view: &View<'_>, card: &CardView, marks: Marks) -> Vec<Span<'static>> {
    let mut spans = vec![Span::styled(lies(table, card), build_style(card, marks)), Span::raw(" ")];
    if card.def.is_some() {
        spans.push(Span::styled(name(view, card), build_style(card, marks)));
        spans.push(Span::raw(" "));
    }
    if card.facedown {
        spans.extend(progress(table, view, card));
    }
    spans
}

/// What a player weighs about a card in hand: its cost, and its values where it is a unit.
pub(crate) fn price(table: &Table, view: &View<'_>, card: &CardView) -> Vec<Span<'static>> {
    let mut spans = match Table::stat(card, table.cost) {
        Some(cost) => vec![Span::styled(format!("({cost})"), Style::new().fg(Color::Yellow))],
        None => Vec::new(),
    };
    let mut rest = stats(table, view, card);
    if rest.is_empty() {
        rest.push(Span::styled(word_of(view, card, "type"), DIM));
    }
    if !spans.is_empty() {
        spans.push(Span::raw(" "));
    }
    spans.extend(rest);
    spans
}

/// A card in hand.
pub(crate) fn in_hand(table: &Table, view: &View<'_>, card: &CardView, width: usize, marks: Marks) -> Line<'static> {
    let right = price(table, view, card);
    let room = width.saturating_sub(1 + width_of(&right));
    let style = if marks.pointed == Some(card.id) { Style::new().add_modifier(Modifier::REVERSED) } else { Style::new() };
    spread(vec![Span::styled(fit(&name(view, card), room), style)], right, width)
}
