//! Pages that lie over the table: help, why something cannot be done, a card, a rule, the curtain between
//! two players, and the end.

use super::app::{App, Page, Refused};
use super::cards::{self, BOLD, DIM, side, wrap};
use super::layout::{Layout, Shown};
use crate::games::count;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span, Text};
use ratatui::widgets::{Block, BorderType, Clear};
use trilogy_engine::catalogue::Change;
use trilogy_engine::journal::hex;
use trilogy_engine::{CardId, CardView, PlayerId, Random, Status, TraceLine, Value, View, player_text};
use trilogy_saga::source::rule_text;

const HELP: &[(&str, &str)] = &[
    ("", "Choosing"),
    ("arrows, j k", "move through the list"),
    ("Enter, 1 2 3", "choose; long lists take two digits"),
    ("Space", "mark, where several can be chosen; Enter confirms"),
    ("p", "pass, where that is allowed"),
    ("P", "pass, and go on passing while the very same chance comes back and nothing has happened"),
    ("F", "full control: be asked everything, or only what is worth asking"),
    ("u", "undo: back to your previous choice"),
    ("", "Looking"),
    ("Tab", "your choice, the table, your hand, the log"),
    ("i", "inspect the card that is pointed at"),
    ("?", "what cannot be done now, why, and which rule says so"),
    ("l", "scroll the log"),
    ("q", "quit"),
    ("", "Signs"),
];

pub(crate) fn draw(frame: &mut Frame<'_>, app: &App, page: &Page) {
    let width = (frame.area().width.saturating_sub(6)).min(92) as usize;
    let (title, lines, foot) = match page {
        Page::Help => ("Help".to_string(), help(app, width), "Esc closes"),
        Page::WhyNot(rows, at) => ("Why not?".into(), why_not(rows, *at, width), "Enter reads the rule, Esc closes"),
        Page::Rule(id) => (id.clone(), rule(app, id, width), "Esc closes"),
        Page::Card(card) => card_page(app, *card, width),
        Page::Quit => ("Quit?".into(), quit(app, width), "y quits, n stays"),
        Page::Confirm(warning, _) => {
            let mut lines = vec![Line::default()];
            lines.extend(wrap(warning, width).into_iter().map(Line::raw));
            lines.push(Line::default());
            ("Are you sure?".into(), lines, "y goes on, n or Esc goes back")
        }
        Page::Curtain(player) => {
            let name = player_text(app.session.catalogue(), *player);
            let line = Line::styled(format!("Pass the keyboard to the {name}, press Enter"), Style::new().fg(side(*player)));
            (name, vec![Line::default(), line, Line::default()], "Enter goes on, q quits")
        }
        Page::End => ("The game is over".into(), end(app, width), "r rematch, u undo, Esc look at the table, q quit"),
    };
    let follow = match page {
        Page::WhyNot(_, at) => Some(why_not_row(&lines, *at)),
        _ => None,
    };
    show(frame, app, &title, lines, foot, follow);
}

/// Draw a page in the middle of the screen, scrolled as the reader left it or so that a line is in sight.
fn show(frame: &mut Frame<'_>, app: &App, title: &str, lines: Vec<Line<'static>>, foot: &str, follow: Option<usize>) {
    let area = frame.area();
    let widest = lines.iter().map(Line::width).max().unwrap_or(0).max(title.chars().count() + 4).max(foot.chars().count() + 4);
    let width = (widest as u16 + 4).min(area.width);
    let height = (lines.len() as u16 + 2).min(area.height.saturating_sub(2));
    let place = Rect { x: (area.width - width) / 2, y: (area.height - height) / 2, width, height };
    let block = Block::bordered()
        .border_type(BorderType::Rounded)
        .border_style(Style::new().fg(Color::Yellow))
        .title(Line::styled(format!(" {title} "), BOLD))
        .title_bottom(Line::styled(format!(" {foot} "), DIM).right_aligned())
        .padding(ratatui::widgets::Padding::horizontal(1));
    let inner = block.inner(place);
    let room = inner.height as usize;
    let last = lines.len().saturating_sub(room);
    let from = follow.map_or(app.scroll.get(), |line| line.saturating_sub(room / 2)).min(last);
    app.scroll.set(from);
    frame.render_widget(Clear, place);
    frame.render_widget(block, place);
    frame.render_widget(Text::from(lines.into_iter().skip(from).collect::<Vec<_>>()), inner);
    if from < last {
        let more = Line::styled(" more below ", Style::new().fg(Color::Yellow));
        frame.render_widget(more, Rect { x: place.x + 2, y: place.bottom() - 1, width: 12.min(width), height: 1 });
    }
}

fn help(app: &App, width: usize) -> Vec<Line<'static>> {
    let mut lines = Vec::new();
    let signs = app.layout.told().signs.iter().map(|sign| (sign.sign.as_str(), sign.says.as_str()));
    for (key, what) in HELP.iter().copied().chain(signs) {
        if key.is_empty() {
            if !lines.is_empty() {
                lines.push(Line::default());
            }
            lines.push(Line::styled(what.to_string(), BOLD));
            continue;
        }
        for (at, part) in wrap(what, width.saturating_sub(18)).into_iter().enumerate() {
            let key = if at == 0 { key } else { "" };
            lines.push(Line::from_iter([Span::styled(format!("  {key:<14}"), Style::new().fg(Color::Yellow)), Span::raw(part)]));
        }
    }
    lines
}

fn why_not(rows: &[Refused], at: usize, width: usize) -> Vec<Line<'static>> {
    let mut lines = Vec::new();
    for (row, refused) in rows.iter().enumerate() {
        let (sign, style) = if row == at { ("▸ ", BOLD.fg(Color::Yellow)) } else { ("  ", Style::new()) };
        lines.push(Line::styled(format!("{sign}{}", cards::fit(&refused.label, width.saturating_sub(2))), style));
        let cite = if refused.cite.is_empty() { String::new() } else { format!("  [{}]", refused.cite) };
        for part in wrap(&format!("{}{cite}", refused.reason), width.saturating_sub(6)) {
            lines.push(Line::styled(format!("    {part}"), DIM));
        }
    }
    lines
}

/// The line of a why-not page on which an entry starts.
fn why_not_row(lines: &[Line<'_>], at: usize) -> usize {
    let starts = lines.iter().enumerate().filter(|(_, line)| !line.to_string().starts_with("    "));
    starts.map(|(row, _)| row).nth(at).unwrap_or(0)
}

fn rule(app: &App, id: &str, width: usize) -> Vec<Line<'static>> {
    let says = rule_text(&app.rulebook, id).unwrap_or("the rulebook has no text under this id");
    let mut lines: Vec<Line<'static>> = wrap(says, width).into_iter().map(Line::raw).collect();
    let rulings = trilogy_games::rulings::of(&app.session.catalogue().game).unwrap_or_default();
    for ruling in rulings.into_iter().filter(|ruling| ruling.rules.iter().any(|rule| rule == id)) {
        lines.push(Line::default());
        lines.extend(wrap(&format!("Our ruling: {}", ruling.title), width).into_iter().map(|line| Line::styled(line, BOLD)));
        lines.extend(wrap(&ruling.ours, width).into_iter().map(Line::raw));
    }
    lines
}

fn quit(app: &App, width: usize) -> Vec<Line<'static>> {
    let kept = match &app.journal {
        Some(path) => format!("The game is kept in {}; the same command goes on with it.", path.display()),
        None => "The game will be lost: it was started without --journal FILE.".into(),
    };
    wrap(&kept, width).into_iter().map(Line::raw).collect()
}

fn end(app: &App, width: usize) -> Vec<Line<'static>> {
    let catalogue = app.session.catalogue();
    let result = match app.session.status() {
        Status::Won(player) => {
            let name = player_text(catalogue, *player);
            let you = if *player == app.viewer { "You win" } else { "You lose" };
            let against_bot = app.session.is_bot(player.opponent()) || app.session.is_bot(*player);
            let says = if against_bot { format!("{you}: {}", app.layout.victory(&app.view(), &name)) } else { format!("The {name} wins") };
            Line::styled(says, BOLD.fg(side(*player)))
        }
        Status::Drawn => Line::styled("The game is drawn", BOLD),
        Status::Broken(why) => Line::styled(format!("The game ended without a winner: {why}"), BOLD),
        Status::Asking => Line::raw("The game goes on"),
    };
    let length = format!("{}, {}", count(app.session.moment().turn, "turn"), count(app.session.answers(), "answer"));
    let mut lines = vec![result, Line::raw(length), Line::default()];
    let seed = &app.session.setup().seed;
    for (label, value) in [("seed", hex(seed)), ("commitment", Random::commitment(seed))] {
        lines.push(Line::styled(label, DIM));
        lines.extend(wrap(&value, width).into_iter().map(Line::raw));
    }
    lines.push(Line::default());
    let says = "The commitment, shown at the start, is a hash of the seed: who checks it knows that no shuffle or die was changed.";
    lines.extend(wrap(says, width.min(66)).into_iter().map(|line| Line::styled(line, DIM)));
    lines
}

fn card_page(app: &App, card: CardId, width: usize) -> (String, Vec<Line<'static>>, &'static str) {
    let view = app.view();
    let card = view.card(card);
    let mut lines = Vec::new();
    if card.def.is_some() {
        lines.extend(face(&view, &card, width));
        lines.extend(values(&*app.layout, &view, &card, width));
    } else {
        lines.push(Line::raw("You may not know this card."));
    }
    lines.extend(condition(&*app.layout, &view, &card));
    (cards::name(&view, &card), lines, "Esc closes")
}

/// What stands on a card.
fn face(view: &View<'_>, card: &CardView, width: usize) -> Vec<Line<'static>> {
    let catalogue = view.catalogue();
    let Some(def) = card.def.map(|def| catalogue.def(def)) else {
        return Vec::new();
    };
    let named = |list: &str| catalogue.enums.iter().find(|one| one.name == list).map(|one| one.members.as_slice()).unwrap_or_default();
    let listed = [named("side"), named("type"), named("version")].concat();
    let subtypes = def.words.iter().filter(|word| !listed.contains(word) && Some(**word) != def.name);
    let subtypes: Vec<String> = subtypes.map(|word| catalogue.word(*word).replace('_', " ")).collect();
    let side = cards::word_of(view, card, "side");
    let mut kind = format!("{side} {}", cards::word_of(view, card, "type"));
    if !subtypes.is_empty() {
        kind += &format!(": {}", subtypes.join(", "));
    }
    let mut lines = vec![Line::raw(kind), Line::styled(format!("{} {}, {}", def.set, def.number, def.rarity), DIM), Line::default()];
    for ability in &def.text {
        lines.extend(wrap(ability, width).into_iter().map(Line::raw));
    }
    if !def.text.is_empty() {
        lines.push(Line::default());
    }
    lines
}

/// The current values, each with its account where it has changed.
fn values(layout: &dyn Layout, view: &View<'_>, card: &CardView, width: usize) -> Vec<Line<'static>> {
    let mut lines = Vec::new();
    for &Shown { stat, always } in layout.told().values.iter().filter(|shown| layout.has_value(card, shown.stat)) {
        let Some((Value::Num(now), account)) = view.trace(stat, &Value::Card(card.id)) else {
            continue;
        };
        if !always && now == 0 && account.len() <= 1 {
            continue;
        }
        lines.extend(account_lines(view, card, &view.catalogue().stats[stat.index()].english, now, account, width));
    }
    for player in [PlayerId(0), PlayerId(1)] {
        for stat in layout.totals(view, card) {
            let Some((Value::Num(now), account)) = view.trace_for(stat, card.id, &Value::Player(player)) else { continue };
            let name = view.catalogue().stats[stat.index()].english.replace("{who}", &player_text(view.catalogue(), player));
            lines.extend(account_lines(view, card, &name, now, account, width));
        }
    }
    lines
}

/// A value, and behind it what it is made of.
fn account_lines(view: &View<'_>, card: &CardView, name: &str, now: i32, account: Vec<TraceLine>, width: usize) -> Vec<Line<'static>> {
    let mut lines = vec![Line::from_iter([Span::styled(format!("{name:<14} "), DIM), Span::styled(now.to_string(), BOLD)])];
    if account.len() <= 1 {
        return lines;
    }
    for line in account {
        let amount = match line.change {
            Change::Add => format!("{:+}", line.amount),
            Change::Multiply => format!("x{}", line.amount),
            Change::Set => format!("{}", line.amount),
            Change::AtLeast => format!("at least {}", line.amount),
            Change::AtMost => format!("at most {}", line.amount),
            Change::Unreduced => "not less".into(),
            Change::Unmodified => "not changed".into(),
        };
        let from = line.source.filter(|source| *source != card.id).map(|source| format!("{}: ", cards::name(view, &view.card(source))));
        let cite = if line.cite.is_empty() { String::new() } else { format!("  [{}]", line.cite) };
        let says = format!("{}{}{cite}", from.unwrap_or_default(), line.says);
        for (at, part) in wrap(&says, width.saturating_sub(20)).into_iter().enumerate() {
            let amount = if at == 0 { amount.as_str() } else { "" };
            lines.push(Line::styled(format!("{amount:>18}  {part}"), DIM));
        }
    }
    lines
}

/// Counters on a card and the cards that lie on it.
fn condition(layout: &dyn Layout, view: &View<'_>, card: &CardView) -> Vec<Line<'static>> {
    let mut lines = Vec::new();
    let strong = Style::new().fg(Color::Yellow).add_modifier(Modifier::BOLD);
    for (counter, line) in &layout.told().counters {
        match cards::counter_of(card, *counter) {
            0 => {}
            number if line.counted => lines.push(Line::styled(format!("{number} {}", line.label), strong)),
            _ => lines.push(Line::styled(line.label.clone(), strong)),
        }
    }
    let attached = view.attached(card.id);
    for (role, label) in &layout.told().roles {
        for other in attached.iter().filter(|other| other.role == *role) {
            lines.push(Line::from_iter([Span::styled(format!("{label:<14} "), DIM), Span::raw(cards::name(view, other))]));
        }
    }
    lines
}
