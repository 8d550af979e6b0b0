//! The table as the viewer sees it: what lies between the players, hand, counts, log and the choice to make.
//! Two layouts: a roomy one with boxes, and a compact one for 80 columns by 24 lines.

use super::app::{App, Focus, Page};
use super::cards::{self, BOLD, DIM, Marks, side, wrap};
use super::layout::Layout;
use super::pages;
use super::session::Moment;
use ratatui::Frame;
use ratatui::layout::{Constraint, Rect};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span, Text};
use ratatui::widgets::{Block, BorderType, Borders, Paragraph};
use trilogy_engine::{CardView, PlayerId, View, player_text};

const SMALLEST: (u16, u16) = (60, 20);
const ROOMY: (u16, u16) = (100, 30);

/// All that drawing one picture needs.
pub(super) struct Scene<'a> {
    pub(super) app: &'a App,
    pub(super) layout: &'a dyn Layout,
    pub(super) view: View<'a>,
    pub(super) me: PlayerId,
    pub(super) marks: Marks,
    pub(super) moment: Moment,
}

pub(crate) fn draw(frame: &mut Frame<'_>, app: &App) {
    let area = frame.area();
    if area.width < SMALLEST.0 || area.height < SMALLEST.1 {
        let says = format!("this terminal has {} x {} characters; make it 80 x 24 or more", area.width, area.height);
        frame.render_widget(Paragraph::new(wrap(&says, area.width as usize).join("\n")), area);
        return;
    }
    if !app.pages.iter().any(|page| matches!(page, Page::Curtain(_))) {
        let scene = Scene::new(app);
        if area.width >= ROOMY.0 && area.height >= ROOMY.1 {
            scene.roomy(frame, area);
        } else {
            scene.compact(frame, area);
        }
    }
    if let Some(page) = app.pages.last() {
        pages::draw(frame, app, page);
    }
}

impl<'a> Scene<'a> {
    fn new(app: &'a App) -> Scene<'a> {
        let moment = app.session.moment();
        let (attacker, defender) = app.layout.attack(&app.view()).unzip();
        let marks = Marks { pointed: app.pointed(), attacker, defender };
        Scene { app, layout: &*app.layout, view: app.view(), me: app.viewer, marks, moment }
    }

    fn roomy(&self, frame: &mut Frame<'_>, area: Rect) {
        let rest = area.height - 4;
        let bottom = (rest * 2 / 5).clamp(10, 24);
        let [head, theirs, board, mine, bottom, hints] = ratatui::layout::Layout::vertical([
            Constraint::Length(1),
            Constraint::Length(1),
            Constraint::Fill(1),
            Constraint::Length(1),
            Constraint::Length(bottom),
            Constraint::Length(1),
        ])
        .areas(area);
        self.head(frame, head);
        frame.render_widget(self.counts(self.me.opponent(), area.width), theirs);
        self.layout.board(self, frame, board, true);
        frame.render_widget(self.counts(self.me, area.width), mine);
        let [moves, hand, log] =
            ratatui::layout::Layout::horizontal([Constraint::Fill(6), Constraint::Fill(5), Constraint::Fill(5)]).areas(bottom);
        self.moves(frame, moves, Borders::ALL);
        self.hand(frame, hand);
        self.log(frame, log, Borders::ALL);
        self.hints(frame, hints);
    }

    fn compact(&self, frame: &mut Frame<'_>, area: Rect) {
        let hand = self.hand_lines(area.width as usize);
        let bottom = (area.height / 3).max(8);
        let [theirs, board, mine, held, bottom, hints] = ratatui::layout::Layout::vertical([
            Constraint::Length(1),
            Constraint::Fill(1),
            Constraint::Length(1),
            Constraint::Length(hand.len() as u16),
            Constraint::Length(bottom),
            Constraint::Length(1),
        ])
        .areas(area);
        frame.render_widget(self.counts(self.me.opponent(), area.width), theirs);
        self.layout.board(self, frame, board, false);
        frame.render_widget(self.counts(self.me, area.width), mine);
        frame.render_widget(Text::from(hand), held);
        let [moves, log] = ratatui::layout::Layout::horizontal([Constraint::Fill(1), Constraint::Length(area.width * 2 / 5)]).areas(bottom);
        self.moves(frame, moves, Borders::TOP);
        self.log(frame, log, Borders::TOP | Borders::LEFT);
        self.hints(frame, hints);
    }

    fn head(&self, frame: &mut Frame<'_>, area: Rect) {
        let left = Line::from_iter([
            Span::styled(format!(" {} ", self.view.catalogue().title), Style::new().fg(Color::Black).bg(Color::Yellow)),
            Span::styled(format!("  {}", self.when()), BOLD),
        ]);
        frame.render_widget(left, area);
        let right = format!("{} answers ", self.app.session.answers());
        frame.render_widget(Line::styled(right, DIM).right_aligned(), area);
    }

    pub(super) fn when(&self) -> String {
        let phase = self.layout.phase(&self.view).unwrap_or_else(|| self.moment.phase.clone());
        match self.moment.turn {
            0 => phase,
            turn => format!("turn {turn}, {phase}"),
        }
    }

    /// A player's counters and piles, closer together where they would not fit.
    fn counts(&self, player: PlayerId, width: u16) -> Line<'static> {
        let color = side(player);
        let who = if player == self.me { "you" } else { "opponent" };
        let who = if self.app.session.is_bot(player) { "bot" } else { who };
        let name = player_text(self.view.catalogue(), player);
        let figures = self.layout.told().figures(&self.view, player);
        let line = |gap: &str| {
            let mut spans = vec![
                Span::styled(format!(" {name}"), Style::new().fg(color).add_modifier(Modifier::BOLD)),
                Span::styled(format!(" ({who})"), DIM),
            ];
            for (label, figure) in &figures {
                spans.push(Span::styled(format!("{gap}{label} "), DIM));
                spans.push(Span::styled(figure.to_string(), BOLD));
            }
            Line::from(spans)
        };
        let roomy = line("   ");
        if roomy.width() <= width as usize { roomy } else { line("  ") }
    }

    /// The opponent's cards above a line, the viewer's below it.
    pub(super) fn halves(
        &self,
        frame: &mut Frame<'_>,
        area: Rect,
        split: u16,
        upper: Vec<Vec<Line<'static>>>,
        lower: Vec<Vec<Line<'static>>>,
    ) {
        let [top, middle, bottom] =
            ratatui::layout::Layout::vertical([Constraint::Length(split), Constraint::Length(1), Constraint::Fill(1)]).areas(area);
        frame.render_widget(Text::from(shorten(upper, top.height as usize)), top);
        frame.render_widget(Line::styled("┄".repeat(middle.width as usize), DIM), middle);
        frame.render_widget(Text::from(shorten(lower, bottom.height as usize)), bottom);
    }

    fn hand_cards(&self) -> Vec<CardView> {
        self.view.zone(self.layout.told().hand(self.me)).cards
    }

    fn hand(&self, frame: &mut Frame<'_>, area: Rect) {
        let cards = self.hand_cards();
        let block = self.block(&format!(" Your hand: {} ", cards.len()), Borders::ALL, self.app.focus == Focus::Hand);
        let inner = block.inner(area);
        frame.render_widget(block, area);
        let width = inner.width as usize;
        let lines = cards.iter().map(|card| vec![cards::in_hand(self.layout, &self.view, card, width, self.marks)]).collect();
        frame.render_widget(Text::from(shorten(lines, inner.height as usize)), inner);
    }

    /// The hand as a few full lines, for the compact layout.
    fn hand_lines(&self, width: usize) -> Vec<Line<'static>> {
        let mut lines = vec![Line::styled(" Hand: ", DIM)];
        for (at, card) in self.hand_cards().iter().enumerate() {
            let style = if self.marks.pointed == Some(card.id) { Style::new().add_modifier(Modifier::REVERSED) } else { Style::new() };
            let cost = self.layout.tag(card);
            let name = Span::styled(cards::name(&self.view, card), style);
            let cost = Span::styled(cost, Style::new().fg(Color::Yellow));
            let fits = lines.last().is_some_and(|line| line.width() + name.width() + cost.width() + 2 <= width);
            if !fits {
                lines.push(Line::raw("   "));
            }
            if let Some(line) = lines.last_mut() {
                if at > 0 && fits {
                    line.push_span(Span::styled(", ", DIM));
                }
                line.push_span(name);
                line.push_span(cost);
            }
        }
        let (many, most) = (lines.len(), 4);
        if many > most {
            lines.truncate(most);
            if let Some(line) = lines.last_mut() {
                line.push_span(Span::styled(" …", DIM));
            }
        }
        lines
    }

    pub(super) fn block(&self, title: &str, borders: Borders, lit: bool) -> Block<'static> {
        let style = if lit { Style::new().fg(Color::Yellow) } else { DIM };
        let title = Line::styled(title.to_string(), if lit { style.add_modifier(Modifier::BOLD) } else { BOLD });
        Block::new().borders(borders).border_type(BorderType::Rounded).border_style(style).title(title)
    }
}

/// Lines for the upper of two halves: half, unless one of them needs more and the other leaves it.
pub(super) fn share(height: u16, upper: u16, lower: u16) -> u16 {
    let half = height / 2;
    if upper > half && lower < height - half {
        upper.min(height - lower)
    } else if lower > height - half && upper < half {
        upper.max(height.saturating_sub(lower))
    } else {
        half
    }
}

/// As many cards as fit; the last line says how many are left out. A card that is pointed at stays in sight.
pub(super) fn shorten(cards: Vec<Vec<Line<'static>>>, room: usize) -> Vec<Line<'static>> {
    let all: usize = cards.iter().map(Vec::len).sum();
    if all <= room || room == 0 {
        return cards.into_iter().flatten().collect();
    }
    let reversed = |line: &Line<'_>| line.spans.iter().any(|span| span.style.add_modifier.contains(Modifier::REVERSED));
    let lines: Vec<Line<'static>> = cards.into_iter().filter_map(|card| card.into_iter().next()).collect();
    if lines.len() <= room {
        return lines;
    }
    let pointed = lines.iter().position(reversed).unwrap_or(0);
    let shown = room - 1;
    let from = (pointed + 1).saturating_sub(shown);
    let left_out = lines.len() - shown;
    let mut lines: Vec<Line<'static>> = lines.into_iter().skip(from).take(shown).collect();
    lines.push(Line::styled(format!("  … {left_out} more"), DIM));
    lines
}
