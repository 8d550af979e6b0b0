//! The table of the Trading Card Game: where things lie, found by name once; arenas side by side and build zones beside them.

use super::board::{Scene, share};
use super::cards::{self, DIM, Marks, counter_of, fit, name, side, spread, stat_of, width_of};
use super::layout::{Layout, Names, Told};
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout as Split, Rect};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Borders};
use trilogy_engine::catalogue::{FieldId, RoleId, StatId};
use trilogy_engine::{AskView, CardId, CardView, Catalogue, PlayerId, Value, View, ZoneId};
use trilogy_games::host::Host;

pub(super) struct Table {
    arenas: [ZoneId; 3],
    told: Told,
    build: [ZoneId; 2],
    cost: StatId,
    speed: StatId,
    power: StatId,
    health: StatId,
    build_counters: FieldId,
    damage: FieldId,
    /// Damage that is about to be dealt.
    pending: FieldId,
    tapped: FieldId,
    pilot: RoleId,
    equipment: RoleId,
    beneath: RoleId,
    /// Values that are keywords, and whether their number counts.
    keywords: Vec<(StatId, bool)>,
}

impl Table {
    pub(super) fn new(catalogue: &Catalogue, host: &Host) -> Result<Table, String> {
        let names = Names(catalogue);
        let zone = |name: &str| names.zone(name, None);
        let both = |name: &str| names.both(name);
        let stat = |name: &str| names.stat(name);
        let counter = |name: &str| names.counter(name);
        let keywords: Result<_, String> = host.about.keywords.iter().map(|one| Ok((stat(&one.name)?, one.counts))).collect();
        Ok(Table {
            pilot: names.role("pilot")?,
            equipment: names.role("equipment")?,
            beneath: names.role("beneath")?,
            arenas: [zone("space")?, zone("ground")?, zone("character")?],
            told: Told::new(&names, host)?,
            build: both("build")?,
            cost: stat("cost")?,
            speed: stat("speed")?,
            power: stat("power")?,
            health: stat("health")?,
            build_counters: counter("build_counters")?,
            damage: counter("damage")?,
            pending: counter("pending")?,
            tapped: counter("tapped")?,
            keywords: keywords?,
        })
    }

    /// A player's cards in an arena.
    fn in_arena(&self, view: &View<'_>, arena: usize, player: PlayerId) -> Vec<CardView> {
        view.zone(self.arenas[arena]).cards.into_iter().filter(|card| card.controller == player).collect()
    }
}

impl Layout for Table {
    fn told(&self) -> &Told {
        &self.told
    }

    /// The arenas, then the build zones; in each the opponent's cards, then the viewer's.
    fn columns(&self, view: &View<'_>, viewer: PlayerId) -> Vec<Vec<CardId>> {
        let players = [viewer.opponent(), viewer];
        let ids = |cards: Vec<CardView>| cards.into_iter().map(|card| card.id).collect::<Vec<_>>();
        let arena = |at: usize| players.iter().flat_map(|&player| ids(self.in_arena(view, at, player))).collect();
        let build = players.iter().flat_map(|player| ids(view.zone(self.build[player.index()]).cards)).collect();
        vec![arena(0), arena(1), arena(2), build]
    }

    fn board(&self, scene: &Scene<'_>, frame: &mut Frame<'_>, area: Rect, roomy: bool) {
        if roomy {
            return self.roomy(scene, frame, area);
        }
        let [theirs, arenas, mine] = Split::vertical([Constraint::Length(1), Constraint::Fill(1), Constraint::Length(1)]).areas(area);
        frame.render_widget(self.build_line(scene, scene.me.opponent()), theirs);
        self.arenas(scene, frame, arenas, Borders::TOP);
        frame.render_widget(self.build_line(scene, scene.me), mine);
    }

    /// The attack that is going on.
    fn now(&self, scene: &Scene<'_>) -> Option<String> {
        let name = |card| cards::name(&scene.view, &scene.view.card(card));
        Some(format!("» {} attacks {}", name(scene.marks.attacker?), name(scene.marks.defender?)))
    }

    fn attack(&self, view: &View<'_>) -> Option<(CardId, CardId)> {
        Some((view.var("attacker").card()?, view.var("defender").card()?))
    }

    fn phase(&self, view: &View<'_>) -> Option<String> {
        let Value::Zone(arena) = view.var("arena_now") else { return None };
        Some(format!("battle in {}", view.catalogue().zones[arena.index()].english))
    }

    fn note(&self, view: &View<'_>, card: &CardView) -> Vec<Span<'static>> {
        stats(self, view, card)
    }

    fn victory(&self, _view: &View<'_>, winner: &str) -> String {
        format!("the {winner} controls two arenas")
    }

    /// Build counters that the card of the last move still needs.
    fn suggested(&self, view: &View<'_>, me: PlayerId, _ask: &AskView, last: Option<CardId>) -> Option<i32> {
        let card = view.card(last?);
        let mine = card.zone == self.told.hand(me) || (card.zone == self.build[me.index()] && card.facedown);
        let cost = stat_of(&card, self.cost)?;
        mine.then(|| cost - counter_of(&card, self.build_counters))
    }
}

impl Table {
    /// Arenas and, to their right, the build zones.
    fn roomy(&self, scene: &Scene<'_>, frame: &mut Frame<'_>, area: Rect) {
        let build = (area.width / 5).clamp(24, 40);
        let [arenas, build] = Split::horizontal([Constraint::Fill(1), Constraint::Length(build)]).areas(area);
        let split = self.arenas(scene, frame, arenas, Borders::ALL);
        let block = scene.block(" Build zones ", Borders::ALL, false);
        let inner = block.inner(build);
        frame.render_widget(block, build);
        let lines = |player: PlayerId| -> Vec<Vec<Line<'static>>> {
            let cards = scene.view.zone(self.build[player.index()]).cards;
            cards.iter().map(|card| vec![building(self, &scene.view, card, inner.width as usize, scene.marks)]).collect()
        };
        scene.halves(frame, inner, split, lines(scene.me.opponent()), lines(scene.me));
    }

    /// The three arenas side by side; returns how many lines the upper half has.
    fn arenas(&self, scene: &Scene<'_>, frame: &mut Frame<'_>, area: Rect, borders: Borders) -> u16 {
        let columns: [Rect; 3] = Split::horizontal([Constraint::Fill(1); 3]).areas(area);
        let names = self.arenas.map(|arena| scene.view.catalogue().zones[arena.index()].english.clone());
        let names = names.map(|name| format!(" {} ", name.trim_start_matches("the ")));
        let blocks: [Block<'_>; 3] = std::array::from_fn(|at| {
            let left = if at > 0 { Borders::LEFT } else { Borders::NONE };
            let lit = scene.view.var("arena_now") == Value::Zone(self.arenas[at]);
            scene.block(&names[at], borders | left, lit)
        });
        let inner: [Rect; 3] = std::array::from_fn(|at| blocks[at].inner(columns[at]));
        let height = inner[0].height;
        let units = |at: usize, player| self.in_arena(&scene.view, at, player);
        let most = |player| (0..3).map(|at| units(at, player).len()).max().unwrap_or(0) as u16;
        let split = share(height.saturating_sub(1), most(scene.me.opponent()), most(scene.me));
        for (at, block) in blocks.into_iter().enumerate() {
            frame.render_widget(block, columns[at]);
            let lines = |player, room| self.units(scene, &units(at, player), inner[at].width as usize, room);
            let upper = lines(scene.me.opponent(), split);
            let lower = lines(scene.me, height.saturating_sub(split + 1));
            scene.halves(frame, inner[at], split, upper, lower);
        }
        split
    }

    /// Units as lines: with all their lines where these fit, with one line each where they do not.
    fn units(&self, scene: &Scene<'_>, units: &[CardView], width: usize, room: u16) -> Vec<Vec<Line<'static>>> {
        let draw = |full| -> Vec<Vec<Line<'static>>> {
            units.iter().map(|card| unit(self, &scene.view, card, width, full, scene.marks)).collect()
        };
        let full = draw(true);
        if full.iter().map(Vec::len).sum::<usize>() <= room as usize { full } else { draw(false) }
    }

    fn build_line(&self, scene: &Scene<'_>, player: PlayerId) -> Line<'static> {
        let cards = scene.view.zone(self.build[player.index()]).cards;
        let mut spans = vec![Span::styled(" Build zone: ", DIM)];
        if cards.is_empty() {
            spans.push(Span::styled("empty", DIM));
        }
        for (at, card) in cards.iter().enumerate() {
            if at > 0 {
                spans.push(Span::styled(", ", DIM));
            }
            spans.extend(building_short(self, &scene.view, card, scene.marks));
        }
        Line::from(spans)
    }
}

/// Speed/power/health, damage behind a minus and damage to come behind an exclamation mark.
fn stats(table: &Table, view: &View<'_>, card: &CardView) -> Vec<Span<'static>> {
    let mut spans = cards::figures(view, card, &[table.speed, table.power, table.health]);
    let fatal = Style::new().fg(Color::LightRed).add_modifier(Modifier::BOLD);
    let coming = Style::new().fg(Color::Yellow).add_modifier(Modifier::BOLD);
    for (counter, sign, style) in [(table.damage, "-", fatal), (table.pending, "!", coming)] {
        let number = counter_of(card, counter);
        if number > 0 {
            spans.push(Span::styled(format!("{sign}{number}"), style));
        }
    }
    spans
}

/// A unit in an arena: one line, or more that tell its keywords and what lies on it.
fn unit(table: &Table, view: &View<'_>, card: &CardView, width: usize, full: bool, marks: Marks) -> Vec<Line<'static>> {
    let tapped = counter_of(card, table.tapped) > 0;
    let attached = view.attached(card.id);
    let with = |role: RoleId| attached.iter().filter(move |other| other.role == role);
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
    if with(table.beneath).count() > 0 {
        extras += &format!(" x{}", with(table.beneath).count() + 1);
    }
    if with(table.pilot).count() > 0 {
        extras += " +P";
    }
    if with(table.equipment).count() > 0 {
        extras += " +E";
    }
    let (title, right) = (name(view, card), stats(table, view, card));
    let room = width.saturating_sub(2 + extras.len());
    // A name that does not fit beside the values has a line of its own where there is room for two.
    let beside = room.saturating_sub(1 + width_of(&right));
    let alone = full && title.chars().count() > beside;
    if marks.pointed == Some(card.id) {
        style = style.add_modifier(Modifier::REVERSED);
    }
    let left = vec![
        Span::styled(format!("{sign} "), sign_style),
        Span::styled(fit(&title, if alone { room } else { beside }), style),
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
        for (role, word) in [(table.pilot, "pilot"), (table.equipment, "carries"), (table.beneath, "under")] {
            for other in with(role) {
                let mut text = format!("  {word} {}", name(view, other));
                let damage = counter_of(other, table.damage);
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
fn keywords(table: &Table, view: &View<'_>, card: &CardView) -> String {
    let words = table.keywords.iter().filter_map(|(stat, number)| {
        let value = stat_of(card, *stat).filter(|value| *value > 0)?;
        let english = &view.catalogue().stats[stat.index()].english;
        Some(if *number { format!("{english} {value}") } else { english.clone() })
    });
    words.collect::<Vec<_>>().join(", ")
}

/// What a card in a build zone has of what it needs, "3/6"; or the values of a unit that waits there.
fn progress(table: &Table, view: &View<'_>, card: &CardView) -> Vec<Span<'static>> {
    if !card.facedown {
        return stats(table, view, card);
    }
    let counters = counter_of(card, table.build_counters);
    let cost = stat_of(card, table.cost).map_or("?".to_string(), |cost| cost.to_string());
    vec![Span::styled(format!("{counters}/{cost}"), Style::new().fg(Color::Yellow))]
}

/// How a card lies in a build zone: face down, ready or tapped.
fn lies(table: &Table, card: &CardView) -> &'static str {
    match (card.facedown, counter_of(card, table.tapped)) {
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
fn building(table: &Table, view: &View<'_>, card: &CardView, width: usize, marks: Marks) -> Line<'static> {
    let right = progress(table, view, card);
    let room = width.saturating_sub(3 + width_of(&right));
    let sign = Span::styled(format!("{} ", lies(table, card)), DIM);
    spread(vec![sign, Span::styled(fit(&name(view, card), room), build_style(card, marks))], right, width)
}

/// A card in a build zone, as part of one line with the others.
fn building_short(table: &Table, view: &View<'_>, card: &CardView, marks: Marks) -> Vec<Span<'static>> {
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
