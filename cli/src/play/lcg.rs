//! The table of The Card Game: each player's current objectives with their units before them, between the players the Death Star
//! dial, the Balance of the Force and the engagement with its edge stacks.

use super::board::{Scene, share, shorten};
use super::cards::{self, DIM, counter_of, fit, name, printed, side, spread, stat_of, width_of, word_of};
use super::layout::{Layout, Names, Told};
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout as Split, Rect};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span, Text};
use ratatui::widgets::Borders;
use trilogy_engine::catalogue::{FieldId, RoleId, StatId};
use trilogy_engine::{AskView, CardId, CardView, Catalogue, PlayerId, Value, View, ZoneId, player_text};
use trilogy_games::host::Host;

/// The dial at which the Dark Side has won, and the objectives with which the Light Side has.
const DIAL: i32 = 12;
const OBJECTIVES: usize = 3;
/// The least width of a column of units, and the least lines of a board with boxes around objectives.
const COLUMN: u16 = 38;
const BOXED: u16 = 20;

const LIT: Style = Style::new().fg(Color::Yellow).add_modifier(Modifier::BOLD);
const HURT: Style = Style::new().fg(Color::LightRed).add_modifier(Modifier::BOLD);

pub(super) struct Table {
    told: Told,
    row: [ZoneId; 2],
    area: [ZoneId; 2],
    stack: [ZoneId; 2],
    victory: [ZoneId; 2],
    force: StatId,
    capacity: StatId,
    resources: StatId,
    priority: StatId,
    struggle: StatId,
    edge: StatId,
    /// Letter, icon, and the icon that needs the edge.
    icons: Vec<(String, StatId, StatId)>,
    damage: FieldId,
    focus: FieldId,
    shields: FieldId,
    committed: FieldId,
    pending: FieldId,
    piloting: RoleId,
    captive: RoleId,
}

impl Table {
    pub(super) fn new(catalogue: &Catalogue, host: &Host) -> Result<Table, String> {
        let names = Names(catalogue);
        let lettered = host.about.stats.iter().filter_map(|stat| Some((stat.letter.clone()?, &stat.name, stat.more.as_ref()?)));
        let icons = lettered.map(|(letter, plain, edge)| Ok((letter, names.stat(plain)?, names.stat(edge)?)));
        Ok(Table {
            told: Told::new(&names, host)?,
            row: names.both("row")?,
            area: names.both("area")?,
            stack: names.both("stack")?,
            victory: names.both("victory")?,
            force: names.stat("force")?,
            capacity: names.stat("capacity")?,
            resources: names.stat("resources")?,
            priority: names.stat("priority")?,
            struggle: names.stat("struggle")?,
            edge: names.stat("edge")?,
            icons: icons.collect::<Result<_, String>>()?,
            damage: names.counter("damage")?,
            focus: names.counter("focus")?,
            shields: names.counter("shields")?,
            committed: names.counter("committed")?,
            pending: names.counter("pending")?,
            piloting: names.role("piloting")?,
            captive: names.role("captive")?,
        })
    }
}

impl Layout for Table {
    fn told(&self) -> &Told {
        &self.told
    }

    /// The opponent's objectives and units, the viewer's units and objectives, each with what lies on it; then edge stacks.
    fn columns(&self, view: &View<'_>, viewer: PlayerId) -> Vec<Vec<CardId>> {
        let with = |cards: Vec<CardView>| -> Vec<CardId> {
            let whole = |card: CardView| std::iter::once(card.id).chain(view.attached(card.id).into_iter().map(|other| other.id)).collect();
            cards.into_iter().flat_map::<Vec<CardId>, _>(whole).collect()
        };
        let row = |player: PlayerId| with(view.zone(self.row[player.index()]).cards);
        let area = |player: PlayerId| with(self.area_of(view, player));
        let (them, me) = (viewer.opponent(), viewer);
        let stacks = with([them, me].iter().flat_map(|player| view.zone(self.stack[player.index()]).cards).collect());
        let columns = [row(them), area(them), area(me), row(me), stacks];
        columns.into_iter().filter(|column| !column.is_empty()).collect()
    }

    fn board(&self, scene: &Scene<'_>, frame: &mut Frame<'_>, area: Rect, roomy: bool) {
        let boxed = roomy && area.height >= BOXED;
        let story = self.story_lines(scene, area.width as usize, roomy);
        let band = Constraint::Length(if boxed {
            4
        } else if roomy {
            2
        } else {
            1
        });
        let [theirs, units, mine] = Split::vertical([band, Constraint::Fill(1), band]).areas(area);
        self.objectives(scene, frame, theirs, scene.me.opponent(), boxed);
        self.objectives(scene, frame, mine, scene.me, boxed);
        let across = if roomy { (units.width / COLUMN).max(1) } else { 0 };
        let width = if roomy { units.width / across } else { units.width } as usize;
        let draw = |player, full| -> Vec<Vec<Line<'static>>> {
            if roomy {
                return self
                    .area_of(&scene.view, player)
                    .iter()
                    .map(|card| self.unit(scene, card, width.saturating_sub(2), full))
                    .collect();
            }
            self.crowd(scene, player, width).into_iter().map(|line| vec![line]).collect()
        };
        let tall = |cards: &[Vec<Line<'static>>]| columns(cards, across).iter().map(|column| lines(column)).max().unwrap_or(0) as u16;
        let between = story.len() as u16 + 1;
        let room = units.height.saturating_sub(between);
        let players = [scene.me.opponent(), scene.me];
        let full = players.map(|player| draw(player, true));
        let fits = tall(&full[0]) + tall(&full[1]) <= room;
        let [upper, lower] = if fits { full } else { players.map(|player| draw(player, false)) };
        let split = share(room, tall(&upper), tall(&lower));
        let [top, middle, bottom] =
            Split::vertical([Constraint::Length(split), Constraint::Length(between), Constraint::Fill(1)]).areas(units);
        for (cards, half) in [(upper, top), (lower, bottom)] {
            let cells = Split::horizontal(vec![Constraint::Fill(1); across.max(1) as usize]).spacing(if roomy { 2 } else { 0 }).split(half);
            for (column, cell) in columns(&cards, across).into_iter().zip(cells.iter()) {
                frame.render_widget(Text::from(shorten(column, cell.height as usize)), *cell);
            }
        }
        let between: Vec<Line<'static>> = std::iter::once(self.dial_line(scene, area.width as usize)).chain(story).collect();
        frame.render_widget(Text::from(between), middle);
    }

    /// The strike that is going on.
    fn now(&self, scene: &Scene<'_>) -> Option<String> {
        let striking = scene.view.var("striking").card()?;
        Some(format!("» {} strikes", name(&scene.view, &scene.view.card(striking))))
    }

    /// "(3)F2"
    fn tag(&self, card: &CardView) -> String {
        let cost = self.cost(card).map_or(String::new(), |cost| format!("({cost})"));
        let force = stat_of(card, self.force).map_or(String::new(), |force| format!("F{force}"));
        format!(" {cost}{force}")
    }

    fn note(&self, view: &View<'_>, card: &CardView) -> Vec<Span<'static>> {
        let kind = word_of(view, card, "type");
        let mut parts = match kind.as_str() {
            "Unit" => self.combat(view, card),
            "Objective" | "Mission card" => vec![self.harm(view, card)],
            _ => vec![vec![Span::styled(kind.to_lowercase(), DIM)]],
        };
        let resources = self.of(card, self.resources);
        if resources > 0 {
            parts.push(vec![Span::raw(format!("R{resources}"))]);
        }
        if let Some(priority) = stat_of(card, self.priority) {
            parts.push(vec![Span::raw(format!("P{priority}"))]);
        }
        parts.extend(self.force_note(card));
        parts.extend(self.tokens(card));
        joined(parts)
    }

    /// Icons and keywords may be given to any card; those that it does not have are none of its values.
    fn has_value(&self, card: &CardView, stat: StatId) -> bool {
        stat_of(card, stat).is_some()
    }

    fn victory(&self, view: &View<'_>, winner: &str) -> String {
        let destroyed = view.zone(self.victory[1]).cards.len() >= OBJECTIVES;
        match winner {
            "Dark Side" if view.var("dial").num() >= DIAL => format!("the Death Star dial stands at {DIAL}"),
            "Light Side" if destroyed => format!("{OBJECTIVES} objectives of the Dark Side are destroyed"),
            "Light Side" if view.var("dial_damage").num() > 0 => "the Death Star is destroyed".into(),
            _ => format!("the {winner} still has cards to draw"),
        }
    }

    /// As little as has to be: one resource of each card that pays.
    fn suggested(&self, _view: &View<'_>, _me: PlayerId, _ask: &AskView, _last: Option<CardId>) -> Option<i32> {
        None
    }
}

/// Cards in columns from left to right, as evenly as can be; no columns means one.
fn columns(cards: &[Vec<Line<'static>>], across: u16) -> Vec<Vec<Vec<Line<'static>>>> {
    let each = cards.len().div_ceil(across.max(1) as usize).max(1);
    cards.chunks(each).map(<[_]>::to_vec).collect()
}

fn lines(cards: &[Vec<Line<'static>>]) -> usize {
    cards.iter().map(Vec::len).sum()
}

/// Notes with a blank between them.
fn joined(parts: Vec<Vec<Span<'static>>>) -> Vec<Span<'static>> {
    let mut spans = Vec::new();
    for part in parts.into_iter().filter(|part| !part.is_empty()) {
        if !spans.is_empty() {
            spans.push(Span::raw(" "));
        }
        spans.extend(part);
    }
    spans
}

impl Table {
    fn of(&self, card: &CardView, stat: StatId) -> i32 {
        stat_of(card, stat).unwrap_or(0)
    }

    /// A player's units, then enhancements of the play area and the affiliation card.
    fn area_of(&self, view: &View<'_>, player: PlayerId) -> Vec<CardView> {
        let mut cards = view.zone(self.area[player.index()]).cards;
        cards.sort_by_key(|card| match word_of(view, card, "type").as_str() {
            "Unit" => 0,
            "Affiliation" => 2,
            _ => 1,
        });
        cards
    }

    /// All that a player has in play.
    fn in_play(&self, view: &View<'_>, player: PlayerId) -> Vec<CardView> {
        let mut all = Vec::new();
        for owner in [PlayerId(0), PlayerId(1)] {
            for zone in [self.row[owner.index()], self.area[owner.index()]] {
                for card in view.zone(zone).cards {
                    all.extend(view.attached(card.id).into_iter().filter(|other| other.role != self.captive));
                    all.push(card);
                }
            }
        }
        all.retain(|card| card.controller == player && !card.facedown);
        all
    }

    fn is_listed(&self, view: &View<'_>, var: &str, card: CardId) -> bool {
        view.var(var).items().iter().any(|item| item.card() == Some(card))
    }

    /// Combat icons and what is left of a unit.
    fn combat(&self, view: &View<'_>, card: &CardView) -> Vec<Vec<Span<'static>>> {
        let mut parts = Vec::new();
        for (letter, plain, edge) in &self.icons {
            let (plain, edge) = (*plain, *edge);
            let (many, more) = (self.of(card, plain), self.of(card, edge));
            let mut spans = Vec::new();
            if many > 0 {
                spans.push(Span::raw(letter.clone()));
                spans.extend(cards::figures(view, card, &[plain]));
            }
            if more > 0 {
                spans.push(Span::raw(if many > 0 { "(".into() } else { letter.clone() }));
                if many == 0 {
                    spans.push(Span::raw("("));
                }
                spans.extend(cards::figures(view, card, &[edge]));
                spans.push(Span::raw(")"));
            }
            parts.push(spans);
        }
        parts.push(self.health(view, card));
        parts
    }

    /// Damage capacity, damage behind a minus and damage to come behind an exclamation mark.
    fn health(&self, view: &View<'_>, card: &CardView) -> Vec<Span<'static>> {
        let mut spans = cards::figures(view, card, &[self.capacity]);
        for (counter, sign, style) in [(self.damage, "-", HURT), (self.pending, "!", LIT)] {
            let number = counter_of(card, counter);
            if number > 0 {
                spans.push(Span::styled(format!("{sign}{number}"), style));
            }
        }
        spans
    }

    /// Damage on an objective, of what it can take.
    fn harm(&self, view: &View<'_>, card: &CardView) -> Vec<Span<'static>> {
        let damage = counter_of(card, self.damage);
        let mut spans = vec![Span::styled(damage.to_string(), if damage > 0 { HURT } else { Style::new() }), Span::raw("/")];
        spans.extend(cards::figures(view, card, &[self.capacity]));
        spans
    }

    fn force_note(&self, card: &CardView) -> Option<Vec<Span<'static>>> {
        let force = stat_of(card, self.force).filter(|&force| force > 0)?;
        let committed = counter_of(card, self.committed) > 0;
        let says = format!("F{force}{}", if committed { "*" } else { "" });
        Some(vec![Span::styled(says, if committed { Style::new().fg(Color::LightBlue).add_modifier(Modifier::BOLD) } else { DIM })])
    }

    fn tokens(&self, card: &CardView) -> Option<Vec<Span<'static>>> {
        let shields = counter_of(card, self.shields);
        let says = if shields > 1 { format!("◊{shields}") } else { "◊".into() };
        (shields > 0).then(|| vec![Span::styled(says, Style::new().fg(Color::LightGreen))])
    }

    /// Whether a card is ready, or fights.
    fn sign(&self, scene: &Scene<'_>, card: &CardView) -> (String, Style) {
        let focus = counter_of(card, self.focus);
        let state = match focus {
            0 => "●".to_string(),
            1 => "○".to_string(),
            more => format!("○{more}"),
        };
        let fights = if self.is_listed(&scene.view, "attackers", card.id) {
            "»"
        } else if self.is_listed(&scene.view, "defenders", card.id) || scene.view.var("engaged").card() == Some(card.id) {
            "!"
        } else {
            ""
        };
        let style = match (fights, focus) {
            ("", 0) => Style::new().fg(side(card.controller)),
            ("", _) => DIM,
            _ => LIT,
        };
        (format!("{fights}{state}"), style)
    }

    fn style(&self, scene: &Scene<'_>, card: &CardView) -> Style {
        let style = Style::new().fg(side(card.controller));
        let style = if counter_of(card, self.focus) > 0 { style.add_modifier(Modifier::DIM) } else { style };
        if scene.marks.pointed == Some(card.id) { style.add_modifier(Modifier::REVERSED) } else { style }
    }

    /// A name with its sign and what lies on it in a few characters on the left, values on the right.
    fn line_of(&self, scene: &Scene<'_>, card: &CardView, width: usize) -> Line<'static> {
        let view = &scene.view;
        let (sign, sign_style) = self.sign(scene, card);
        let on = view.attached(card.id).len();
        let on = if on > 0 { format!(" +{on}") } else { String::new() };
        let right = if card.def.is_some() { self.note(view, card) } else { Vec::new() };
        let room = width.saturating_sub(sign.chars().count() + 2 + on.len() + width_of(&right));
        let left = vec![
            Span::styled(format!("{sign} "), sign_style),
            Span::styled(fit(&name(view, card), room), self.style(scene, card)),
            Span::styled(on, Style::new().fg(Color::Yellow)),
        ];
        spread(left, right, width)
    }

    /// A card of a play area: one line, or more that tell what lies on it.
    fn unit(&self, scene: &Scene<'_>, card: &CardView, width: usize, full: bool) -> Vec<Line<'static>> {
        let mut lines = vec![self.line_of(scene, card, width)];
        if full {
            lines.extend(scene.view.attached(card.id).iter().map(|other| self.attached_line(scene, other, width)));
        }
        lines
    }

    fn attached_line(&self, scene: &Scene<'_>, card: &CardView, width: usize) -> Line<'static> {
        let word = match card.role {
            role if role == self.piloting => "pilot",
            role if role == self.captive => "captive",
            _ => "with",
        };
        let focus = if counter_of(card, self.focus) > 0 { " ○" } else { "" };
        let says = fit(&format!("  {word} {}{focus}", name(&scene.view, card)), width);
        let pointed = scene.marks.pointed == Some(card.id);
        Line::styled(
            says,
            if pointed { DIM.add_modifier(Modifier::REVERSED) } else { DIM.fg(side(card.controller)).add_modifier(Modifier::DIM) },
        )
    }

    /// A player's current objectives side by side: in boxes, in two lines each, or in one.
    fn objectives(&self, scene: &Scene<'_>, frame: &mut Frame<'_>, area: Rect, player: PlayerId, boxed: bool) {
        let cards = scene.view.zone(self.row[player.index()]).cards;
        let cells = Split::horizontal(vec![Constraint::Fill(1); cards.len().max(OBJECTIVES)]).spacing(u16::from(!boxed)).split(area);
        for (card, cell) in cards.iter().zip(cells.iter()) {
            let width = cell.width as usize;
            let on = scene.view.attached(card.id);
            if !boxed {
                let mut lines = vec![self.line_of(scene, card, width)];
                lines.extend(on.first().map(|_| Line::styled(fit(&format!("  {}", self.load(scene, &on)), width), DIM)));
                frame.render_widget(Text::from(lines), *cell);
                continue;
            }
            let (sign, _) = self.sign(scene, card);
            let engaged = scene.view.var("engaged").card() == Some(card.id);
            let pointed = scene.marks.pointed == Some(card.id);
            let title = fit(&name(&scene.view, card), width.saturating_sub(5 + sign.chars().count()));
            let block = scene.block(&format!(" {sign} {title} "), Borders::ALL, engaged || pointed);
            let inner = block.inner(*cell);
            frame.render_widget(block, *cell);
            let lines =
                vec![Line::from(self.objective_note(scene, card)), Line::styled(fit(&self.load(scene, &on), inner.width as usize), DIM)];
            frame.render_widget(Text::from(lines), inner);
        }
    }

    /// What lies on an objective: captives counted, enhancements by name.
    fn load(&self, scene: &Scene<'_>, on: &[CardView]) -> String {
        let captives: Vec<&CardView> = on.iter().filter(|card| card.role == self.captive).collect();
        let known: Vec<String> = captives.iter().filter(|card| card.def.is_some()).map(|card| name(&scene.view, card)).collect();
        let mut parts = Vec::new();
        if !captives.is_empty() {
            let many = if captives.len() == 1 { "captive" } else { "captives" };
            let names = if known.is_empty() { String::new() } else { format!(": {}", known.join(", ")) };
            parts.push(format!("{} {many}{names}", captives.len()));
        }
        parts.extend(on.iter().filter(|card| card.role != self.captive).map(|card| name(&scene.view, card)));
        parts.join("; ")
    }

    /// "damage 2/5  resources 2  focus 1  shield"
    fn objective_note(&self, scene: &Scene<'_>, card: &CardView) -> Vec<Span<'static>> {
        if card.def.is_none() || card.facedown {
            return vec![Span::styled("face down", DIM)];
        }
        let mut spans = vec![Span::styled("damage ", DIM)];
        spans.extend(self.harm(&scene.view, card));
        spans.push(Span::styled("  resources ", DIM));
        spans.extend(cards::figures(&scene.view, card, &[self.resources]));
        for (counter, label, style) in
            [(self.focus, "focus", Style::new().fg(Color::Yellow)), (self.shields, "shield", Style::new().fg(Color::LightGreen))]
        {
            let number = counter_of(card, counter);
            if number > 0 {
                spans.extend([Span::styled(format!("  {label} "), DIM), Span::styled(number.to_string(), style)]);
            }
        }
        spans
    }

    /// A player's play area in full lines, for a small terminal.
    fn crowd(&self, scene: &Scene<'_>, player: PlayerId, width: usize) -> Vec<Line<'static>> {
        let mut lines: Vec<Line<'static>> = Vec::new();
        for card in self.area_of(&scene.view, player) {
            let (sign, sign_style) = self.sign(scene, &card);
            let on = scene.view.attached(card.id).len();
            let mut part = vec![Span::styled(sign, sign_style), Span::styled(fit(&name(&scene.view, &card), 20), self.style(scene, &card))];
            if on > 0 {
                part.push(Span::styled(format!("+{on}"), Style::new().fg(Color::Yellow)));
            }
            part.push(Span::raw(" "));
            let is_unit = word_of(&scene.view, &card, "type") == "Unit";
            part.extend(if is_unit {
                self.note(&scene.view, &card)
            } else {
                vec![Span::raw(format!("R{}", self.of(&card, self.resources)))]
            });
            let gap = |line: &Line<'_>| if line.width() > 1 { 3 } else { 0 };
            match lines.last_mut().filter(|line| line.width() + gap(line) + width_of(&part) <= width) {
                Some(line) => line.spans.extend(std::iter::once(Span::styled(" · ", DIM)).chain(part)),
                None => lines.push(Line::from_iter(std::iter::once(Span::raw(" ")).chain(part))),
            }
        }
        lines
    }

    /// The dial, whose the Balance is, and how the Force struggle would end.
    fn dial_line(&self, scene: &Scene<'_>, width: usize) -> Line<'static> {
        let view = &scene.view;
        let dial = view.var("dial").num();
        let turned = dial.clamp(0, DIAL) as usize;
        let mut spans = vec![
            Span::styled("┄ ", DIM),
            Span::styled(format!("Death Star {dial}/{DIAL} "), Style::new().fg(side(PlayerId(0))).add_modifier(Modifier::BOLD)),
            Span::styled("▰".repeat(turned), Style::new().fg(side(PlayerId(0)))),
            Span::styled("▱".repeat(DIAL as usize - turned), DIM),
        ];
        let hits = view.var("dial_damage").num();
        if hits > 0 {
            spans.push(Span::styled(format!(" -{hits}"), HURT));
        }
        if let Some(holder) = view.var("balance").player() {
            spans.push(Span::styled("  Balance: ", DIM));
            spans.push(Span::styled(player_text(view.catalogue(), holder), Style::new().fg(side(holder)).add_modifier(Modifier::BOLD)));
        }
        spans.push(Span::styled("  Force ", DIM));
        for player in [PlayerId(0), PlayerId(1)] {
            let brings = |card: &CardView| {
                let ready = counter_of(card, self.committed) > 0 && counter_of(card, self.focus) == 0;
                self.of(card, self.struggle) + if ready { self.of(card, self.force) } else { 0 }
            };
            let total: i32 = self.in_play(view, player).iter().map(brings).sum();
            spans.push(Span::styled(total.to_string(), Style::new().fg(side(player)).add_modifier(Modifier::BOLD)));
            if player == PlayerId(0) {
                spans.push(Span::styled(" : ", DIM));
            }
        }
        let left = width.saturating_sub(width_of(&spans) + 1);
        spans.push(Span::styled(format!(" {}", "┄".repeat(left)), DIM));
        Line::from(spans)
    }

    /// The engagement: who attacks what, who fights, edge stacks and their totals.
    fn story_lines(&self, scene: &Scene<'_>, width: usize, roomy: bool) -> Vec<Line<'static>> {
        let view = &scene.view;
        let (Some(engaged), Some(attacker)) = (view.var("engaged").card(), view.var("attacking_player").player()) else {
            return Vec::new();
        };
        let who = |player: PlayerId| player_text(view.catalogue(), player);
        let mut parts = vec![Span::styled(format!("The {} engages {}", who(attacker), name(view, &view.card(engaged))), LIT)];
        let stacks = [attacker, attacker.opponent()].map(|player| (player, view.zone(self.stack[player.index()]).cards));
        if let Some(holder) = view.var("edge_holder").player() {
            parts.push(Span::styled(format!("the {} has the edge", who(holder)), Style::new().fg(side(holder))));
        } else {
            let totals = stacks.iter().map(|(player, stack)| format!("{} {}", who(*player), self.edge_of(view, *player, stack)));
            parts.push(Span::raw(format!("edge: {}", totals.collect::<Vec<_>>().join(", "))));
        }
        if view.var("unopposed") == Value::Bool(true) {
            parts.push(Span::styled("unopposed", LIT));
        }
        let mut told: Vec<Vec<Span<'static>>> = parts.into_iter().map(|part| vec![part]).collect();
        let mut lines = flow(&mut told, width);
        let known: Vec<String> = stacks
            .iter()
            .flat_map(|(_, stack)| stack)
            .filter(|card| card.def.is_some() && (card.owner == scene.me || !card.facedown))
            .map(|card| format!("{} F{}", name(view, card), self.printed_force(view, card)))
            .collect();
        if !known.is_empty() {
            lines.push(Line::from(vec![Span::styled(" Edge cards: ", DIM), Span::raw(fit(&known.join(", "), width.saturating_sub(14)))]));
        }
        if roomy {
            for (var, label, player) in [("attackers", "» Attackers: ", attacker), ("defenders", "! Defenders: ", attacker.opponent())] {
                let units: Vec<CardView> = view.var(var).items().iter().filter_map(Value::card).map(|card| view.card(card)).collect();
                let names: Vec<String> = units.iter().map(|unit| name(view, unit)).collect();
                let names = if names.is_empty() { "none".into() } else { names.join(", ") };
                let label = Span::styled(format!(" {label}"), DIM);
                let names = fit(&names, width.saturating_sub(label.width()));
                lines.push(Line::from(vec![label, Span::styled(names, Style::new().fg(side(player)))]));
            }
        }
        lines
    }

    /// "3 in 2 cards", with a question mark where cards are hidden.
    fn edge_of(&self, view: &View<'_>, player: PlayerId, stack: &[CardView]) -> String {
        let attacks = view.var("attacking_player").player() == Some(player);
        let units = view.var(if attacks { "attackers" } else { "defenders" });
        let by_units: i32 = units.items().iter().filter_map(Value::card).map(|unit| self.of(&view.card(unit), self.edge)).sum();
        let known: i32 = stack.iter().map(|card| self.printed_force(view, card)).sum();
        let hidden = stack.iter().any(|card| card.def.is_none());
        let total = match (by_units + known, hidden) {
            (0, true) => "?".to_string(),
            (total, true) => format!("{total}+?"),
            (total, false) => total.to_string(),
        };
        match stack.len() {
            0 => total,
            1 => format!("{total} in 1 card"),
            many => format!("{total} in {many} cards"),
        }
    }

    fn printed_force(&self, view: &View<'_>, card: &CardView) -> i32 {
        printed(view.catalogue(), card, self.force).unwrap_or(0)
    }
}

/// Parts one after the other, in as many lines as that takes.
fn flow(parts: &mut Vec<Vec<Span<'static>>>, width: usize) -> Vec<Line<'static>> {
    let mut lines: Vec<Line<'static>> = Vec::new();
    for part in parts.drain(..) {
        match lines.last_mut().filter(|line| line.width() + width_of(&part) + 3 <= width) {
            Some(line) => line.spans.extend(std::iter::once(Span::raw("   ")).chain(part)),
            None => lines.push(Line::from_iter(std::iter::once(Span::raw(" ")).chain(part))),
        }
    }
    lines
}
