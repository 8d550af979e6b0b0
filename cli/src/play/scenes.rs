//! Games within the game, as `host.json` describes them: a heading with how it is won, and a line for each player.

use super::cards::{DIM, name, side};
use super::layout::Names;
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};
use trilogy_engine::{CardId, CardView, PlayerId, Value, View, player_text};
use trilogy_games::host::{Counted, GoalAt, PhaseValue, Scene, SceneCards, SceneSign};

/// All that go on, in lines, with how they are won where there is room for it; what is too long for a line goes on below, a little
/// further in.
pub(super) fn lines(view: &View<'_>, scenes: &[Scene], me: PlayerId, width: u16, roomy: bool) -> Vec<Line<'static>> {
    let on = scenes.iter().filter(|scene| [0, 1].iter().any(|&player| is_so(view, &scene.during, PlayerId(player))));
    on.flat_map(|scene| {
        let heading = super::cards::wrap(&heading(view, scene), width.saturating_sub(4) as usize);
        let lit = Style::new().fg(Color::Yellow).add_modifier(Modifier::BOLD);
        let mut lines: Vec<Line<'static>> = indented(heading, lit);
        for player in [me.opponent(), me] {
            if let Some(says) = line(view, scene, player, player == me) {
                lines.extend(indented(super::cards::wrap(&says, width.saturating_sub(4) as usize), Style::new().fg(side(player))));
            }
        }
        if roomy {
            lines.extend(indented(super::cards::wrap(&format!("{}.", scene.says), width.saturating_sub(4) as usize), DIM));
        }
        lines
    })
    .collect()
}

fn indented(lines: Vec<String>, style: Style) -> Vec<Line<'static>> {
    let indent = |at: usize| if at == 0 { " " } else { "   " };
    lines.into_iter().enumerate().map(|(at, line)| Line::from(vec![Span::raw(indent(at)), Span::styled(line, style)])).collect()
}

/// "Attempt to blow away: Commence Primary Ignition, total so far 11, needs more than 8"
fn heading(view: &View<'_>, scene: &Scene) -> String {
    let mut says = scene.name.clone();
    let about = scene.card.as_ref().and_then(|var| view.var(var).card());
    if let Some(card) = about {
        says += &format!(": {}", name(view, &view.card(card)));
    }
    if let Some(steps) = &scene.steps {
        let now = view.var(&steps.variable);
        let is_now = |value: &PhaseValue| match (value, &now) {
            (PhaseValue::Number(number), Value::Num(now)) => number == now,
            (PhaseValue::Word(word), Value::Word(now)) => word == view.catalogue().word(*now),
            _ => false,
        };
        says.extend(steps.steps.iter().filter(|step| is_now(&step.value)).map(|step| format!(", {}", step.says)));
    }
    if let Some(total) = &scene.total {
        let number = view.var(&total.variable).num();
        if number != 0 {
            says += &format!(", {} {number}", total.label.to_lowercase());
        }
    }
    if let Some(goal) = &scene.goal
        && let Some(number) = goal_at(view, &goal.at)
    {
        says += &format!(", {}", goal.says.replace("{n}", &number.to_string()));
    }
    says
}

/// "Light Side (you): Han Solo, worth 7 (Four 4, Three 3)"; none where there is nothing to say.
fn line(view: &View<'_>, scene: &Scene, player: PlayerId, mine: bool) -> Option<String> {
    let who: Vec<CardView> = scene.who.iter().flat_map(|cards| meant(view, cards, player, &[])).collect();
    let ids: Vec<CardId> = who.iter().map(|card| card.id).collect();
    let cards: Vec<CardView> = scene.cards.iter().flat_map(|some| meant(view, some, player, &ids)).collect();
    let hidden: usize = scene.cards.iter().map(|some| hidden(view, some, player)).sum();
    let mut parts: Vec<String> = who.iter().map(|card| name(view, card)).collect();
    let value = |card: &CardView, stat: &str| Names(view.catalogue()).stat(stat).ok().and_then(|stat| view.value(stat, card.id));
    if let Some(worth) = scene.worth.as_ref().filter(|_| hidden == 0 && cards.iter().all(|card| card.def.is_some()) && !cards.is_empty()) {
        let sum: i32 = cards.iter().filter_map(|card| value(card, &worth.value)).sum();
        parts.push(format!("{} {sum}", worth.label.to_lowercase()));
    }
    for part in &scene.parts {
        let number = |player| figure(view, &part.counts, player);
        // What is one player's undertaking is told of that one.
        if number(player) != 0 || scene.total.is_none() && number(player.opponent()) != 0 {
            parts.push(format!("{} {}", part.label.to_lowercase(), number(player)));
        }
    }
    parts.extend(scene.badges.iter().filter(|badge| is_so(view, &badge.when, player)).map(|badge| badge.says.clone()));
    let mut held: Vec<String> = cards.iter().map(|card| with_number(view, scene, card)).collect();
    if hidden > 0 {
        held.push(format!("{hidden} face-down {}", if hidden == 1 { "card" } else { "cards" }));
    }
    if !held.is_empty() {
        let label = scene.cards_label.as_ref().map_or_else(String::new, |label| format!("{} ", label.to_lowercase()));
        parts.push(format!("{label}[{}]", held.join(", ")));
    }
    let who = player_text(view.catalogue(), player);
    (!parts.is_empty()).then(|| format!("{who}{}: {}", if mine { " (you)" } else { "" }, parts.join(", ")))
}

fn with_number(view: &View<'_>, scene: &Scene, card: &CardView) -> String {
    let stat = scene.worth.as_ref().map_or("destiny", |worth| worth.value.as_str());
    let number = Names(view.catalogue()).stat(stat).ok().and_then(|stat| view.value(stat, card.id));
    number.map_or_else(|| name(view, card), |number| format!("{} {number}", name(view, card)))
}

fn is_so(view: &View<'_>, sign: &SceneSign, player: PlayerId) -> bool {
    match sign {
        SceneSign::Variable(var) => cards_of(&view.var(var)).iter().any(|&card| view.glance(card).controller == player),
        SceneSign::Counter(_) | SceneSign::Value(_) => number_of(view, sign, player) != 0,
    }
}

fn number_of(view: &View<'_>, sign: &SceneSign, player: PlayerId) -> i32 {
    let names = Names(view.catalogue());
    match sign {
        SceneSign::Counter(counter) => names.player_counter(counter).map_or(0, |counter| view.player_counter(player, counter)),
        SceneSign::Value(stat) => names.stat(stat).ok().and_then(|stat| view.player_value(stat, player)).unwrap_or(0),
        SceneSign::Variable(_) => 0,
    }
}

fn figure(view: &View<'_>, counts: &Counted, player: PlayerId) -> i32 {
    match counts {
        Counted::Counter(counter) => number_of(view, &SceneSign::Counter(counter.clone()), player),
        Counted::Value(stat) => number_of(view, &SceneSign::Value(stat.clone()), player),
        Counted::Zones(zones) => {
            let zones = zones.iter().filter_map(|zone| Names(view.catalogue()).both(zone).ok());
            zones.map(|zone| view.lying_in(zone[player.index()]).len() as i32).sum()
        }
    }
}

/// The cards of a variable: it holds one or several.
fn cards_of(value: &Value) -> Vec<CardId> {
    value.card().into_iter().chain(value.items().iter().filter_map(Value::card)).collect()
}

fn meant(view: &View<'_>, cards: &SceneCards, player: PlayerId, who: &[CardId]) -> Vec<CardView> {
    let of_player = |card: &CardId| view.glance(*card).controller == player;
    match cards {
        SceneCards::Variable(var) => cards_of(&view.var(var)).into_iter().filter(of_player).map(|card| view.card(card)).collect(),
        SceneCards::Zone(zone) => {
            Names(view.catalogue()).both(zone).map_or_else(|_| Vec::new(), |zone| view.zone(zone[player.index()]).cards)
        }
        SceneCards::Value(stat) => match Names(view.catalogue()).stat(stat) {
            Ok(stat) => view
                .cards()
                .filter(of_player)
                .filter(|&card| view.value(stat, card).is_some_and(|number| number != 0))
                .map(|card| view.card(card))
                .collect(),
            Err(_) => Vec::new(),
        },
        SceneCards::Role(role) => {
            let role = view.catalogue().role(role);
            who.iter().flat_map(|&card| view.attached(card)).filter(|card| Some(card.role) == role).collect()
        }
    }
}

fn hidden(view: &View<'_>, cards: &SceneCards, player: PlayerId) -> usize {
    match cards {
        SceneCards::Zone(zone) => Names(view.catalogue()).both(zone).map_or(0, |zone| view.zone(zone[player.index()]).hidden),
        _ => 0,
    }
}

fn goal_at(view: &View<'_>, at: &GoalAt) -> Option<i32> {
    let number = match at {
        GoalAt::Number(number) => *number,
        GoalAt::Variable(var) => view.var(var).num(),
        GoalAt::Value(stat) => {
            let stat = Names(view.catalogue()).stat(stat).ok()?;
            view.cards().filter_map(|card| view.value(stat, card)).max().unwrap_or(0)
        }
    };
    Some(number).filter(|&number| number != 0)
}
