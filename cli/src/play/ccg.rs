//! The table of the Customizable Card Game: locations in a row with the opponent's cards above and the viewer's below,
//! totals between them, and a line for the battle, the Force drain or the cards that are being played.

use super::board::{Scene, share, shorten};
use super::cards::{self, BOLD, DIM, counter_of, fit, name, side, spread, stat_of, width_of};
use super::layout::{Layout, Names, Told};
use super::scenes;
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout as Split, Rect};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span, Text};
use ratatui::widgets::Borders;
use trilogy_engine::catalogue::{FieldId, PlayerCounterId, RoleId, StatId};
use trilogy_engine::{AskView, CardId, CardView, Catalogue, PlayerId, Value, View, ZoneId, player_text};
use trilogy_games::host::Host;

pub(super) struct Table {
    told: Told,
    locations: ZoneId,
    table: ZoneId,
    stack: ZoneId,
    power: StatId,
    ability: StatId,
    forfeit: StatId,
    icons: [StatId; 2],
    total_power: StatId,
    total_ability: StatId,
    drain: StatId,
    excluded: FieldId,
    attrition: PlayerCounterId,
    damage: PlayerCounterId,
    destiny_total: PlayerCounterId,
    /// The roles of those who are aboard.
    aboard: Vec<RoleId>,
    beneath: RoleId,
}

/// The least width of a location's column, and the least lines of a row of them.
const COLUMN: u16 = 28;
const ROW: u16 = 9;

impl Table {
    pub(super) fn new(catalogue: &Catalogue, host: &Host) -> Result<Table, String> {
        let names = Names(catalogue);
        Ok(Table {
            told: Told::new(&names, host)?,
            locations: names.zone("locations", None)?,
            table: names.zone("table", None)?,
            stack: names.zone("stack", None)?,
            power: names.stat("power")?,
            ability: names.stat("ability")?,
            forfeit: names.stat("forfeit")?,
            icons: [names.stat("dark_icons")?, names.stat("light_icons")?],
            total_power: names.stat("total_power")?,
            total_ability: names.stat("total_ability")?,
            drain: names.stat("drain")?,
            excluded: names.counter("excluded")?,
            attrition: names.player_counter("attrition")?,
            damage: names.player_counter("damage")?,
            destiny_total: names.player_counter("destiny_total")?,
            aboard: ["pilot", "passenger", "astromech", "cargo"].iter().map(|name| names.role(name)).collect::<Result<Vec<_>, String>>()?,
            beneath: names.role("beneath")?,
        })
    }
}

/// A location with what is there.
struct Place {
    card: CardView,
    /// Cards of each player, each with how deep it lies on others.
    cards: [Vec<(CardView, usize)>; 2],
    power: [i32; 2],
    ability: [i32; 2],
    drain: [i32; 2],
}

impl Layout for Table {
    fn told(&self) -> &Told {
        &self.told
    }

    /// Each location with what is there, the opponent's cards first; then what lies beside the locations.
    fn columns(&self, view: &View<'_>, viewer: PlayerId) -> Vec<Vec<CardId>> {
        let mut columns: Vec<Vec<CardId>> = Vec::new();
        for location in view.zone(self.locations).cards {
            let cards = self.cards_at(view, location.id);
            let mut column = vec![location.id];
            for player in [viewer.opponent(), viewer] {
                column.extend(cards[player.index()].iter().map(|(card, _)| card.id));
            }
            columns.push(column);
        }
        let beside: Vec<CardId> =
            [viewer.opponent(), viewer].iter().flat_map(|&player| self.beside(view, player)).map(|card| card.id).collect();
        columns.push(beside);
        columns
    }

    fn board(&self, scene: &Scene<'_>, frame: &mut Frame<'_>, area: Rect, roomy: bool) {
        let beside = [scene.me.opponent(), scene.me].map(|player| self.beside_line(scene, player));
        let mut story = scenes::lines(&scene.view, &self.told.scenes, scene.me, area.width, roomy);
        story.extend(self.story_lines(scene, area.width));
        let room = |line: &Option<Line<'static>>| Constraint::Length(line.is_some().into());
        let [theirs, places, mine, now] =
            Split::vertical([room(&beside[0]), Constraint::Fill(1), room(&beside[1]), Constraint::Length(story.len() as u16)]).areas(area);
        for (line, place) in beside.into_iter().zip([theirs, mine]) {
            frame.render_widget(line.unwrap_or_default(), place);
        }
        frame.render_widget(Text::from(story), now);
        let all: Vec<Place> = view_places(self, &scene.view);
        if roomy && places.height >= ROW { self.columns_of(scene, frame, places, &all) } else { self.list_of(scene, frame, places, &all) }
    }

    fn now(&self, _scene: &Scene<'_>) -> Option<String> {
        None
    }

    fn note(&self, view: &View<'_>, card: &CardView) -> Vec<Span<'static>> {
        let mut spans = if cards::word_of(view, card, "type") == "Location" {
            self.icons(card)
        } else {
            cards::figures(view, card, &[self.power, self.ability, self.forfeit])
        };
        let lit = Style::new().fg(Color::LightRed).add_modifier(Modifier::BOLD);
        spans.extend(self.told.notes(view, card).into_iter().map(|note| Span::styled(format!(" {note}"), lit)));
        spans
    }

    fn totals(&self, _view: &View<'_>, card: &CardView) -> Vec<StatId> {
        if card.zone == self.locations { vec![self.total_power, self.total_ability, self.drain] } else { Vec::new() }
    }

    fn victory(&self, _view: &View<'_>, winner: &str) -> String {
        format!("the {winner} still has Life Force")
    }

    /// All there is: Force to activate, destiny to draw.
    fn suggested(&self, _view: &View<'_>, _me: PlayerId, ask: &AskView, _last: Option<CardId>) -> Option<i32> {
        match ask {
            AskView::Number { most, .. } => Some(*most),
            _ => None,
        }
    }
}

fn view_places(table: &Table, view: &View<'_>) -> Vec<Place> {
    let place = |card: CardView| {
        let both = |stat: StatId| [0, 1].map(|player| view.value_for(stat, card.id, &Value::Player(PlayerId(player))).unwrap_or(0));
        Place {
            cards: table.cards_at(view, card.id),
            power: both(table.total_power),
            ability: both(table.total_ability),
            drain: both(table.drain),
            card,
        }
    };
    view.zone(table.locations).cards.into_iter().map(place).collect()
}

impl Table {
    /// The cards at a location by player, each before what lies on it.
    fn cards_at(&self, view: &View<'_>, location: CardId) -> [Vec<(CardView, usize)>; 2] {
        let mut found: [Vec<(CardView, usize)>; 2] = Default::default();
        let mut attached = view.attached(location);
        // Those who fight come first.
        attached.sort_by_key(|card| stat_of(card, self.power).is_none());
        for card in attached.into_iter().filter(|card| card.role != self.beneath) {
            let player = card.controller.index();
            self.load(view, card, 0, &mut found[player]);
        }
        found
    }

    fn load(&self, view: &View<'_>, card: CardView, deep: usize, into: &mut Vec<(CardView, usize)>) {
        let on = view.attached(card.id);
        into.push((card, deep));
        for other in on {
            self.load(view, other, deep + 1, into);
        }
    }

    /// A player's cards on the table away from all locations.
    fn beside(&self, view: &View<'_>, player: PlayerId) -> Vec<CardView> {
        view.zone(self.table).cards.into_iter().filter(|card| card.controller == player).collect()
    }

    fn beside_line(&self, scene: &Scene<'_>, player: PlayerId) -> Option<Line<'static>> {
        let cards = self.beside(&scene.view, player);
        let mut spans = vec![Span::styled(" On the table: ", DIM)];
        for (at, card) in cards.iter().enumerate() {
            if at > 0 {
                spans.push(Span::styled(", ", DIM));
            }
            spans.push(Span::styled(name(&scene.view, card), self.style(scene, card)));
        }
        (!cards.is_empty()).then(|| Line::from(spans))
    }

    /// The battle or Force drain that is going on, and what is being played; in as many lines as that takes.
    fn story_lines(&self, scene: &Scene<'_>, width: u16) -> Vec<Line<'static>> {
        let view = &scene.view;
        let lit = Style::new().fg(Color::Yellow).add_modifier(Modifier::BOLD);
        let mut parts = Vec::new();
        if let Some(place) = view.var("battle_at").card() {
            parts.push(Span::styled(format!("Battle at {}", short(&name(view, &view.card(place)), 40)), lit));
            let settled = view.var("battle_powers");
            for player in [scene.me.opponent(), scene.me] {
                let now = || view.value_for(self.total_power, place, &Value::Player(player)).unwrap_or(0);
                let power = settled.items().get(player.index()).map_or_else(now, Value::num);
                let mut says = format!("{} power {power}", player_text(view.catalogue(), player));
                for (counter, label) in [(self.destiny_total, "destiny"), (self.attrition, "attrition"), (self.damage, "damage")] {
                    let number = view.player_counter(player, counter);
                    if number > 0 {
                        says += &format!(", {label} {number}");
                    }
                }
                parts.push(Span::styled(says, Style::new().fg(side(player))));
            }
        } else if let Some(place) = view.var("drain_at").card() {
            let by = view.var("drain_by").player().unwrap_or(scene.me);
            let amount = view.value_for(self.drain, place, &Value::Player(by)).unwrap_or(0);
            parts.push(Span::styled(format!("Force drain at {}: {amount}", name(view, &view.card(place))), lit));
        }
        let stack = view.zone(self.stack).cards;
        if !stack.is_empty() {
            let names: Vec<String> = stack.iter().rev().map(|card| name(view, card)).collect();
            parts.push(Span::styled(format!("being played: {}", names.join(", in answer to ")), lit));
        }
        let mut lines: Vec<Line<'static>> = Vec::new();
        for part in parts {
            match lines.last_mut().filter(|line| line.width() + part.width() + 3 <= width as usize) {
                Some(line) => line.spans.extend([Span::raw("   "), part]),
                None => lines.push(Line::from(vec![Span::raw(" "), part])),
            }
        }
        lines
    }

    /// Force icons: "D2 L1".
    fn icons(&self, card: &CardView) -> Vec<Span<'static>> {
        let icon = |at: usize| {
            let letter = ["D", "L"][at];
            let number = stat_of(card, self.icons[at]).unwrap_or(0);
            Span::styled(format!("{letter}{number}"), Style::new().fg(side(PlayerId(at as u8))))
        };
        vec![icon(0), Span::raw(" "), icon(1)]
    }

    fn style(&self, scene: &Scene<'_>, card: &CardView) -> Style {
        let mut style = Style::new().fg(side(card.controller));
        if counter_of(card, self.excluded) > 0 {
            style = DIM;
        }
        if scene.marks.pointed == Some(card.id) { style.add_modifier(Modifier::REVERSED) } else { style }
    }

    /// One card at a location as a line.
    fn card_line(&self, scene: &Scene<'_>, card: &CardView, deep: usize, width: usize) -> Line<'static> {
        let sign = match deep {
            0 => String::new(),
            _ if self.aboard.contains(&card.role) => format!("{}+ ", " ".repeat(deep * 2 - 1)),
            _ => format!("{}· ", " ".repeat(deep * 2 - 1)),
        };
        let right = self.note(&scene.view, card);
        let room = width.saturating_sub(sign.chars().count() + 1 + width_of(&right));
        let left = vec![Span::styled(sign, DIM), Span::styled(fit(&name(&scene.view, card), room), self.style(scene, card))];
        spread(left, right, width)
    }

    /// Who can drain how much at a location.
    fn drain_note(&self, place: &Place) -> Option<Span<'static>> {
        let by = (0..2).find(|&at| place.ability[at] > 0 && place.ability[1 - at] == 0 && place.drain[at] > 0)?;
        Some(Span::styled(format!("drain {}", place.drain[by]), Style::new().fg(side(PlayerId(by as u8)))))
    }

    fn totals_of(&self, place: &Place, player: PlayerId) -> Span<'static> {
        let at = player.index();
        let empty = place.cards[at].is_empty();
        let says = if empty { "–".to_string() } else { format!("{}/{}", place.power[at], place.ability[at]) };
        Span::styled(says, Style::new().fg(side(player)).add_modifier(Modifier::BOLD))
    }

    fn is_lit(&self, scene: &Scene<'_>, place: &Place) -> bool {
        ["battle_at", "drain_at"].iter().any(|var| scene.view.var(var).card() == Some(place.card.id))
    }

    /// The location that must be in sight: where something happens, or where the keyboard points.
    fn in_sight(&self, scene: &Scene<'_>, all: &[Place]) -> usize {
        let holds = |place: &Place, card: CardId| place.card.id == card || place.cards.iter().flatten().any(|(other, _)| other.id == card);
        let pointed = scene.marks.pointed.and_then(|card| all.iter().position(|place| holds(place, card)));
        pointed.or_else(|| all.iter().position(|place| self.is_lit(scene, place))).unwrap_or(0)
    }

    /// Locations side by side, in as many rows as fit.
    fn columns_of(&self, scene: &Scene<'_>, frame: &mut Frame<'_>, area: Rect, all: &[Place]) {
        if all.is_empty() {
            return;
        }
        let across = ((area.width / COLUMN) as usize).clamp(1, all.len());
        let needed = all.len().div_ceil(across);
        let rows = needed.min((area.height / ROW) as usize).max(1);
        // Even rows rather than a full one and a rest.
        let across = if rows == needed { all.len().div_ceil(rows) } else { across };
        let first = (self.in_sight(scene, all) / across).saturating_sub(rows - 1) * across;
        let shown = &all[first..all.len().min(first + rows * across)];
        let bands = Split::vertical(vec![Constraint::Fill(1); rows]).split(area);
        for (row, band) in shown.chunks(across).zip(bands.iter()) {
            let cells = Split::horizontal(vec![Constraint::Fill(1); across]).split(*band);
            for (place, cell) in row.iter().zip(cells.iter()) {
                self.column(scene, frame, *cell, place);
            }
        }
        let left_out = all.len() - shown.len();
        if left_out > 0 {
            let says = Line::styled(format!(" {left_out} more locations: Tab and arrows "), Style::new().fg(Color::Yellow));
            frame.render_widget(says.right_aligned(), Rect { y: area.bottom() - 1, height: 1, ..area });
        }
    }

    fn column(&self, scene: &Scene<'_>, frame: &mut Frame<'_>, area: Rect, place: &Place) {
        let room = area.width.saturating_sub(4) as usize;
        let title = fit(&short(&name(&scene.view, &place.card), room), room);
        let pointed = scene.marks.pointed == Some(place.card.id);
        let block = scene.block(&format!(" {title} "), Borders::ALL, pointed || self.is_lit(scene, place));
        let inner = block.inner(area);
        frame.render_widget(block, area);
        let (them, me) = (scene.me.opponent(), scene.me);
        let many = |player: PlayerId| place.cards[player.index()].len() as u16;
        let split = share(inner.height.saturating_sub(1), many(them), many(me));
        let [top, middle, bottom] = Split::vertical([Constraint::Length(split), Constraint::Length(1), Constraint::Fill(1)]).areas(inner);
        for (player, half) in [(them, top), (me, bottom)] {
            let cards = place.cards[player.index()].iter();
            let lines = cards.map(|(card, deep)| vec![self.card_line(scene, card, *deep, inner.width as usize)]).collect();
            frame.render_widget(Text::from(shorten(lines, half.height as usize)), half);
        }
        let mut left = self.icons(&place.card);
        if let Some(drain) = self.drain_note(place) {
            left.extend([Span::raw(" "), drain]);
        }
        let mut right = vec![self.totals_of(place, them), Span::styled(" ▲▼ ", DIM), self.totals_of(place, me)];
        let width = middle.width as usize;
        if width_of(&left) + width_of(&right) + 5 <= width {
            left.insert(0, Span::styled("┄ ", DIM));
            right.push(Span::styled(" ┄", DIM));
        }
        frame.render_widget(spread(left, right, width), middle);
    }

    /// A line for each location, for a small terminal: its name, the opponent's cards, the viewer's cards.
    fn list_of(&self, scene: &Scene<'_>, frame: &mut Frame<'_>, area: Rect, all: &[Place]) {
        let block = scene.block(" Locations ", Borders::TOP, false);
        let inner = block.inner(area);
        frame.render_widget(block, area);
        let (width, height) = (inner.width as usize, inner.height as usize);
        let titled = (width * 3 / 10).max(16);
        let half = (width - titled) / 2;
        let line = |place: &Place| {
            let style = if scene.marks.pointed == Some(place.card.id) {
                BOLD.add_modifier(Modifier::REVERSED)
            } else if self.is_lit(scene, place) {
                BOLD.fg(Color::Yellow)
            } else {
                BOLD
            };
            let mut notes = self.icons(&place.card);
            notes.push(Span::raw(" "));
            let room = titled.saturating_sub(width_of(&notes) + 1);
            let title = vec![Span::styled(fit(&short(&name(&scene.view, &place.card), room), room), style)];
            let head = spread(title, notes, titled).spans;
            let [theirs, mine] = [scene.me.opponent(), scene.me].map(|player| self.crowd(scene, place, player, half));
            let row = |at: usize| {
                let head = if at == 0 { head.clone() } else { vec![Span::raw(" ".repeat(titled))] };
                let side = |lines: &[Vec<Span<'static>>]| {
                    lines.get(at).cloned().unwrap_or_else(|| spread(vec![Span::styled("│", DIM)], Vec::new(), half).spans)
                };
                Line::from_iter(head.into_iter().chain(side(&theirs)).chain(side(&mine)))
            };
            (0..theirs.len().max(mine.len())).map(row).collect::<Vec<_>>()
        };
        let mut places: Vec<Vec<Line<'static>>> = all.iter().map(line).collect();
        let at = self.in_sight(scene, all);
        // The location in sight keeps all its lines as long as the others have one each.
        let all_lines = |places: &[Vec<Line<'static>>]| places.iter().map(Vec::len).sum::<usize>();
        while all_lines(&places) > height {
            let Some(longest) =
                (0..places.len()).filter(|&other| places[other].len() > 1).max_by_key(|&other| (other != at, places[other].len()))
            else {
                break;
            };
            places[longest].pop();
            if let Some(line) = places[longest].last_mut() {
                line.push_span(Span::styled("…", DIM));
            }
        }
        let from = (at + 2).saturating_sub(height).min(places.len().saturating_sub(height));
        frame.render_widget(Text::from(shorten(places.into_iter().skip(from).collect(), height)), inner);
    }

    /// A player's cards at a location in lines, behind their total power and ability.
    fn crowd(&self, scene: &Scene<'_>, place: &Place, player: PlayerId, width: usize) -> Vec<Vec<Span<'static>>> {
        let first = vec![Span::styled("│", DIM), self.totals_of(place, player), Span::raw(" ")];
        let holds = place.ability[player.index()] > 0 && place.ability[player.opponent().index()] == 0;
        let mut parts: Vec<Vec<Span<'static>>> = Vec::new();
        parts.extend(self.drain_note(place).filter(|_| holds).map(|note| vec![note]));
        for (card, _) in &place.cards[player.index()] {
            let title = fit(&short(&name(&scene.view, card), 20), width.saturating_sub(4));
            parts.push(vec![Span::styled(title, self.style(scene, card))]);
        }
        let count = parts.len();
        let mut lines = vec![first];
        for (at, mut part) in parts.into_iter().enumerate() {
            if at + 1 < count {
                part.push(Span::styled(", ", DIM));
            }
            let fits = lines.last().is_some_and(|line| width_of(line) + width_of(&part) <= width);
            if !fits {
                lines.push(vec![Span::styled("│  ", DIM)]);
            }
            if let Some(line) = lines.last_mut() {
                line.extend(part);
            }
        }
        lines.into_iter().map(|line| spread(line, Vec::new(), width).spans).collect()
    }
}

/// A title without the planet where it is too long with it, and without what stands in brackets behind it.
fn short(title: &str, room: usize) -> String {
    let plain = title.split(" (").next().unwrap_or(title);
    match plain.split_once(": ") {
        Some((_, site)) if plain.chars().count() > room => site.to_string(),
        _ => plain.to_string(),
    }
}
