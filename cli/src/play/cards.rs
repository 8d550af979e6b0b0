//! Cards as lines of text, as far as all games have it in common: names, values beside them, a card in hand.

use super::layout::Layout;
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};
use trilogy_engine::catalogue::{FieldId, StatId};
use trilogy_engine::{CardId, CardView, Catalogue, PlayerId, View};

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

/// A name on the left and something on the right of a line of the given width.
pub(crate) fn spread(left: Vec<Span<'static>>, right: Vec<Span<'static>>, width: usize) -> Line<'static> {
    let used: usize = left.iter().chain(&right).map(Span::width).sum();
    let gap = Span::raw(" ".repeat(width.saturating_sub(used)));
    Line::from_iter(left.into_iter().chain([gap]).chain(right))
}

pub(crate) fn width_of(spans: &[Span<'_>]) -> usize {
    spans.iter().map(Span::width).sum()
}

/// What a player weighs about a card in hand: its cost, and its values where it has some.
pub(crate) fn price(layout: &dyn Layout, view: &View<'_>, card: &CardView) -> Vec<Span<'static>> {
    let mut spans = match layout.cost(card) {
        Some(cost) => vec![Span::styled(format!("({cost})"), Style::new().fg(Color::Yellow))],
        None => Vec::new(),
    };
    let mut rest = layout.note(view, card);
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
pub(crate) fn in_hand(layout: &dyn Layout, view: &View<'_>, card: &CardView, width: usize, marks: Marks) -> Line<'static> {
    let right = price(layout, view, card);
    let room = width.saturating_sub(1 + width_of(&right));
    let style = if marks.pointed == Some(card.id) { Style::new().add_modifier(Modifier::REVERSED) } else { Style::new() };
    spread(vec![Span::styled(fit(&name(view, card), room), style)], right, width)
}

/// Values side by side; one that differs from the printed one is coloured.
pub(crate) fn figures(view: &View<'_>, card: &CardView, stats: &[StatId]) -> Vec<Span<'static>> {
    let mut spans = Vec::new();
    for &stat in stats {
        let Some(now) = stat_of(card, stat) else {
            continue;
        };
        if !spans.is_empty() {
            spans.push(Span::styled("/", DIM));
        }
        let printed = printed(view.catalogue(), card, stat).unwrap_or(now);
        let style = match now.cmp(&printed) {
            std::cmp::Ordering::Greater => Style::new().fg(Color::LightGreen).add_modifier(Modifier::BOLD),
            std::cmp::Ordering::Less => Style::new().fg(Color::LightMagenta).add_modifier(Modifier::BOLD),
            std::cmp::Ordering::Equal => Style::new(),
        };
        spans.push(Span::styled(now.to_string(), style));
    }
    spans
}

pub(crate) fn counter_of(card: &CardView, counter: FieldId) -> i32 {
    card.counter(counter)
}

pub(crate) fn stat_of(card: &CardView, stat: StatId) -> Option<i32> {
    card.stats.get(stat.index()).copied().flatten()
}

/// What is printed on a card for a value.
pub(crate) fn printed(catalogue: &Catalogue, card: &CardView, stat: StatId) -> Option<i32> {
    let fact = catalogue.stats[stat.index()].fact?;
    catalogue.def(card.def?).facts.get(fact.index()).copied().flatten()
}
