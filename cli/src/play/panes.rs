//! The panes in which the viewer chooses and reads: the pending choice, the log, the keys of the moment.

use super::app::Focus;
use super::board::Scene;
use super::cards::{self, BOLD, DIM, fit, wrap};
use super::choice::{Kind, Row};
use super::session::{LogLine, Tone};
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span, Text};
use ratatui::widgets::Borders;
use trilogy_engine::{AskView, OptionView};

impl Scene<'_> {
    pub(super) fn moves(&self, frame: &mut Frame<'_>, area: Rect, borders: Borders) {
        let (prompt, options): (&str, &[OptionView]) = match &self.app.ask {
            Some(AskView::Pick { prompt, options, .. } | AskView::Order { prompt, options }) => (prompt, options),
            Some(AskView::Number { prompt, .. }) => (prompt, &[]),
            Some(AskView::Wait { .. }) => ("The other player is asked", &[]),
            None => ("The game is over", &[]),
        };
        let title = if borders == Borders::ALL { " Your choice ".to_string() } else { format!(" {} ", self.when()) };
        let block = self.block(&title, borders, self.app.focus == Focus::Moves);
        let inner = block.inner(area);
        frame.render_widget(block, area);
        let width = inner.width as usize;
        let opened = self.app.choice.beginning().map(|beginning| format!("{beginning} …"));
        let prompt = opened.as_deref().unwrap_or(prompt);
        let mut lines: Vec<Line<'static>> = wrap(prompt, width).into_iter().map(|line| Line::styled(line, BOLD)).collect();
        lines.truncate(3);
        if let (Some(now), true) = (self.layout.now(self), inner.height >= 7) {
            lines.insert(0, Line::styled(fit(&now, width), Style::new().fg(Color::Yellow)));
        }
        let room = (inner.height as usize).saturating_sub(lines.len());
        match self.app.choice.kind {
            Kind::Number { least, most } => lines.extend(self.number_lines(least, most, width)),
            _ => lines.extend(self.option_lines(options, width, room)),
        }
        frame.render_widget(Text::from(lines), inner);
    }

    fn number_lines(&self, least: i32, most: i32, width: usize) -> Vec<Line<'static>> {
        let number = self.app.choice.number;
        let wrong = number < least || number > most;
        let style = Style::new().fg(if wrong { Color::LightRed } else { Color::Yellow }).add_modifier(Modifier::BOLD);
        let mut lines = vec![Line::from_iter([Span::raw("  ▾ "), Span::styled(number.to_string(), style), Span::raw(" ▴")])];
        let says = format!("{least} to {most}: type it or use the arrows, then Enter");
        lines.extend(wrap(&says, width.saturating_sub(2)).into_iter().map(|line| Line::styled(format!("  {line}"), DIM)));
        lines
    }

    /// The options as lines: in full where there is room for all of them; otherwise only the one pointed at.
    fn option_lines(&self, options: &[OptionView], width: usize, room: usize) -> Vec<Line<'static>> {
        let choice = &self.app.choice;
        let draw = |in_full: bool| -> Vec<Vec<Line<'static>>> {
            let shown = choice.rows.iter().enumerate().filter_map(|(at, row)| Some((at, row, options.get(row.option as usize)?)));
            let mut rows: Vec<Vec<Line<'static>>> =
                shown.map(|(at, row, option)| self.option_row(at, row, option, width, in_full)).collect();
            if let Some(AskView::Pick { pass: Some(pass), .. }) = &self.app.ask {
                let pointed = choice.pointed().is_none();
                rows.push(row(Span::styled("  p ", DIM), &pass.label, Vec::new(), width, pointed, false));
            }
            rows
        };
        let lines = |rows: &[Vec<Line<'static>>]| rows.iter().map(Vec::len).sum::<usize>();
        let mut rows = draw(true);
        if lines(&rows) > room {
            rows = draw(false);
        }
        // Keep the row that is pointed at in the middle.
        let before = lines(&rows[..choice.cursor.min(rows.len())]);
        let from = before.saturating_sub(room / 2).min(lines(&rows).saturating_sub(room));
        rows.into_iter().flatten().skip(from).take(room).collect()
    }

    fn option_row(&self, at: usize, shown: &Row, option: &OptionView, width: usize, in_full: bool) -> Vec<Line<'static>> {
        let choice = &self.app.choice;
        let place = choice.marks.iter().position(|mark| *mark == shown.option);
        let mark = match (choice.kind, place) {
            (Kind::Many { .. }, Some(_)) => "[x] ".into(),
            (Kind::Many { .. }, None) => "[ ] ".into(),
            (Kind::Order, Some(place)) => format!("[{}] ", place + 1),
            (Kind::Order, None) => "[ ] ".into(),
            _ => String::new(),
        };
        let number = Span::styled(format!("{:>3} {mark}", at + 1), Style::new().fg(Color::Yellow));
        let pointed = choice.cursor == at;
        // What all rows begin with stands above them.
        let (full, beginning) = (option.full(), choice.beginning().unwrap_or_default());
        let rest = full.strip_prefix(beginning).filter(|rest| !rest.trim().is_empty()).unwrap_or(&full).trim_start().to_string();
        let label = match (&shown.group, shown.copies) {
            (Some((beginning, rows)), _) => format!("{beginning} … ({})", rows.len()),
            (None, 1) => rest,
            (None, copies) => format!("{rest} (x{copies})"),
        };
        row(number, &label, self.option_note(option), width, pointed, in_full || pointed)
    }

    /// The values of the card that an option is about.
    fn option_note(&self, option: &OptionView) -> Vec<Span<'static>> {
        let Some(card) = option.card.map(|card| self.view.card(card)) else {
            return Vec::new();
        };
        if card.def.is_none() {
            // Of a hidden card it is known where it lies.
            return vec![Span::styled(self.view.catalogue().zones[card.zone.index()].english.clone(), DIM)];
        }
        if card.zone == self.layout.told().hand(self.me) {
            cards::price(self.layout, &self.view, &card)
        } else {
            self.layout.note(&self.view, &card)
        }
    }

    pub(super) fn log(&self, frame: &mut Frame<'_>, area: Rect, borders: Borders) {
        let block = self.block(" Log ", borders, self.app.focus == Focus::Log);
        let inner = block.inner(area);
        frame.render_widget(block, area);
        let (width, height) = (inner.width as usize, inner.height as usize);
        let lines: Vec<Line<'static>> = self.app.session.log(self.me).iter().flat_map(|line| log_lines(line, width)).collect();
        let up = self.app.log_up.get().min(lines.len().saturating_sub(height));
        self.app.log_up.set(up);
        let end = lines.len() - up;
        let shown = lines[end.saturating_sub(height)..end].to_vec();
        frame.render_widget(Text::from(shown), inner);
        if up > 0 {
            let more = Line::styled(format!(" {up} more below "), DIM).right_aligned();
            frame.render_widget(more, Rect { y: area.y, height: 1, ..area });
        }
    }

    pub(super) fn hints(&self, frame: &mut Frame<'_>, area: Rect) {
        let line = match &self.app.message {
            Some(message) => Line::styled(format!(" {message}"), Style::new().fg(Color::Black).bg(Color::Yellow)),
            None => Line::styled(fit(self.keys(), area.width as usize), DIM),
        };
        frame.render_widget(line, area);
    }

    fn keys(&self) -> &'static str {
        if self.app.is_over() {
            return " The game is over  r rematch  u undo  Tab panes  l log  q quit";
        }
        match (self.app.focus, self.app.choice.kind) {
            (Focus::Board, _) => " arrows walk over the table  Enter inspect  Tab hand  Esc back to your choice",
            (Focus::Hand, _) => " arrows point at a card  Enter inspect  Tab log  Esc back to your choice",
            (Focus::Log, _) => " arrows, PageUp, PageDown scroll  End newest  Esc back to your choice",
            (_, Kind::One { .. }) if self.app.choice.outer.is_some() => {
                " Enter choose  Esc back to all  i inspect  u undo  Tab panes  h help  q quit"
            }
            (_, Kind::Many { .. }) => " Space mark  Enter confirm  p none  i inspect  u undo  Tab panes  h help  q quit",
            (_, Kind::Order) => " Enter next in line  Space mark  i inspect  u undo  Tab panes  h help  q quit",
            (_, Kind::Number { .. }) => " arrows or digits  Enter confirm  i inspect  u undo  Tab panes  h help  q quit",
            (_, _) => " Enter choose  p pass  ? why not  i inspect  u undo  Tab panes  h help  q quit",
        }
    }
}

/// A row of a list: its number, its label, and a note at the right end where there is room.
fn row(number: Span<'static>, label: &str, note: Vec<Span<'static>>, width: usize, pointed: bool, in_full: bool) -> Vec<Line<'static>> {
    let style = if pointed { Style::new().add_modifier(Modifier::REVERSED) } else { Style::new() };
    let (indent, noted) = (number.width(), note.iter().map(Span::width).sum::<usize>());
    let room = width.saturating_sub(indent);
    let parts = if in_full { wrap(label, room) } else { vec![fit(label, room)] };
    let mut numbers = Some(number).into_iter();
    let mut lines: Vec<Line<'static>> = parts
        .into_iter()
        .map(|part| {
            let start = numbers.next().unwrap_or_else(|| Span::raw(" ".repeat(indent)));
            Line::from_iter([start, Span::styled(part, style)])
        })
        .collect();
    if let Some(line) = lines.last_mut()
        && line.width() + 1 + noted <= width
    {
        line.push_span(Span::raw(" ".repeat(width - line.width() - noted)));
        line.spans.extend(note);
    }
    lines
}

fn log_lines(line: &LogLine, width: usize) -> Vec<Line<'static>> {
    let style = match line.tone {
        Tone::Plain if line.fresh => Style::new(),
        Tone::Plain => DIM,
        Tone::Heading => Style::new().fg(Color::LightBlue).add_modifier(Modifier::BOLD),
        Tone::Dice => Style::new().fg(Color::Yellow),
        Tone::Grave => Style::new().fg(Color::LightRed),
    };
    let indent = if line.tone == Tone::Heading { "" } else { " " };
    let broken = wrap(&line.text, width.saturating_sub(2));
    let line = |(at, text): (usize, String)| {
        let more = if at > 0 { " " } else { "" };
        Line::styled(format!("{indent}{more}{text}"), style)
    };
    broken.into_iter().enumerate().map(line).collect()
}
