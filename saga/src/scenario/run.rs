//! Running a scenario in one mode.

use super::lay::{lay, player_named};
use super::parse::{Scenario, StepKind};
use crate::compile::Workshop;
use crate::diagnostics::SourceFile;
use crate::types::Ty;
use trilogy_engine::catalogue::{Catalogue, EventId, ExprId};
use trilogy_engine::inside::{self, Env, Memo, State, World, resume, start_at, step, step_on};
use trilogy_engine::{
    Answer, AskKind, AskView, CardId, Event, Move, OptionView, PlayerId, Random, Silent, Status, Value, View, Viewer, deck, log_line,
    player_text, seed_from_number,
};

/// What a run checks besides the scenario's own expectations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// Nothing more.
    Plain,
    /// The state is stored and read back at each ask.
    Reload,
    /// Each answer is given, taken back and given again.
    Undo,
    /// At each ask a copy goes the same way and must arrive at the same hash.
    Fork,
    /// At each ask, what a viewer sees does not change when all that is hidden from them changes.
    Views,
    /// After the last step, random answers go on without a fault.
    Onward,
    /// Each answer is also given to a copy whose expressions are walked as they stand: the same comes of it.
    Walked,
}

pub const MODES: [Mode; 7] = [Mode::Plain, Mode::Reload, Mode::Undo, Mode::Fork, Mode::Views, Mode::Onward, Mode::Walked];

/// How many random answers `Onward` gives.
const ONWARD: usize = 200;

/// How many questions an opening passes before each of its moves.
const PASSES: usize = 20;

/// Run one scenario in one mode; the error tells the line and what went wrong.
pub fn run(workshop: &Workshop, scenario: &Scenario, mode: Mode) -> Result<(), String> {
    let mut workshop = workshop.clone();
    play(&mut workshop, scenario, mode)?.finish(scenario)
}

/// A game as a scenario leaves it, for tests of those who show games: they see what a viewer sees.
pub struct Moment {
    workshop: Workshop,
    state: State,
}

impl Moment {
    /// Play a scenario to its end.
    pub fn after(workshop: &Workshop, scenario: &Scenario) -> Result<Moment, String> {
        let mut workshop = workshop.clone();
        let state = play(&mut workshop, scenario, Mode::Plain)?.state;
        Ok(Moment { workshop, state })
    }
    /// With the cards of the scenario's own.
    pub fn catalogue(&self) -> &Catalogue {
        self.workshop.catalogue()
    }
    pub fn view(&self, viewer: Viewer) -> View<'_> {
        inside::view(self.catalogue(), &self.state, viewer)
    }
}

/// Lay the board and take all steps.
fn play<'a>(workshop: &'a mut Workshop, scenario: &Scenario, mode: Mode) -> Result<Runner<'a>, String> {
    for (at, text) in &scenario.source {
        let file = SourceFile { name: format!("source at {at}"), text: text.clone() };
        workshop.add(file).map_err(|error| format!("{at}: {error}"))?;
    }
    let (state, names) = lay(workshop, scenario)?;
    let registers: Vec<(String, Ty)> = names.iter().map(|(name, _)| (name.clone(), Ty::Card)).collect();
    let mut questions: Vec<Option<(ExprId, Ty)>> = Vec::new();
    for step in &scenario.steps {
        questions.push(match &step.kind {
            StepKind::Expect(text) => Some(workshop.question(&registers, text).map_err(|error| format!("{}: {error}", step.at))?),
            _ => None,
        });
    }
    let mut runner = Runner { catalogue: workshop.catalogue(), state, mode, names, log: Vec::new(), begun: Vec::new() };
    runner.begin(scenario)?;
    let taken = if scenario.start.is_some() { leading_dice(scenario) } else { 0 };
    for (step, question) in scenario.steps.iter().zip(questions).skip(taken) {
        let made_way = if step.opening { runner.make_way(&step.kind) } else { Ok(()) };
        made_way.and_then(|()| runner.step(&step.kind, question)).map_err(|error| format!("{}: {error}", step.at))?;
    }
    Ok(runner)
}

/// Steps at the start that give dice: they may be rolled before the first ask.
fn leading_dice(scenario: &Scenario) -> usize {
    scenario.steps.iter().take_while(|step| matches!(step.kind, StepKind::Dice(_))).count()
}

struct Runner<'a> {
    catalogue: &'a Catalogue,
    state: State,
    mode: Mode,
    names: Vec<(String, CardId)>,
    log: Vec<String>,
    /// The options that are left once a move of two cards was named by its first one: the next answer says which second.
    begun: Vec<usize>,
}

/// An option as somebody who knows every card reads it.
struct Offer {
    at: usize,
    view: OptionView,
    full: String,
    chosen: Option<Move>,
    /// The label without the second card, and how much of the label that is.
    short: String,
    head: usize,
}

impl Runner<'_> {
    fn begin(&mut self, scenario: &Scenario) -> Result<(), String> {
        let Some(program) = &scenario.start else { return Ok(()) };
        for step in &scenario.steps[..leading_dice(scenario)] {
            if let StepKind::Dice(dice) = &step.kind {
                self.state.give_dice(dice);
            }
        }
        let stop = match &scenario.stop {
            Some(stop) => self.event(Some(&stop.name)).map_err(|error| format!("{}: {error}", stop.at))?,
            None => None,
        };
        self.state.stop_at(stop);
        let mut events = Vec::new();
        start_at(self.catalogue, &mut self.state, &program.name, &mut events).map_err(|error| format!("{}: {error}", program.at))?;
        self.hear(&events);
        self.check_machine().map_err(|error| format!("{}: {error}", program.at))
    }

    fn event(&self, name: Option<&str>) -> Result<Option<EventId>, String> {
        let Some(name) = name else { return Ok(None) };
        let at = self.catalogue.events.iter().position(|event| event.name == name);
        at.and_then(|at| EventId::new(at).ok()).map(Some).ok_or_else(|| format!("there is no event called `{name}`"))
    }

    fn hear(&mut self, events: &[Event]) {
        // The log of a scenario is the referee's: all names are in it.
        self.log.extend(events.iter().filter_map(|event| log_line(self.catalogue, event, Viewer::Referee)));
    }

    fn check_machine(&mut self) -> Result<(), String> {
        if let Status::Broken(why) = &self.state.status {
            return Err(format!("the game broke: {why}"));
        }
        if self.state.faults > 0 {
            return Err("a fault happened".into());
        }
        match self.mode {
            Mode::Reload => {
                let stored = self.state.to_bytes();
                let read = State::from_bytes(self.catalogue, &stored)?;
                if read != self.state {
                    return Err("the stored state is not the same when it is read back".into());
                }
                self.state = read;
            }
            Mode::Views => {
                for viewer in Viewer::ALL {
                    let real = inside::view(self.catalogue, &self.state, viewer);
                    for world in 0..2u8 {
                        let other = real.imagine([world + 1; 32]);
                        if other.view(viewer).snapshot() != real.snapshot() {
                            return Err(format!("{viewer:?} sees something that depends on hidden cards"));
                        }
                    }
                }
            }
            Mode::Plain | Mode::Undo | Mode::Fork | Mode::Onward | Mode::Walked => {}
        }
        Ok(())
    }

    /// What a scenario adds to its board may open windows before the moves of the opening: they are passed.
    fn make_way(&mut self, kind: &StepKind) -> Result<(), String> {
        let StepKind::Answer { player, what } = kind else { return Ok(()) };
        let player = player_named(self.catalogue, player)?;
        for _ in 0..PASSES {
            let Some(ask) = &self.state.ask else { break };
            let AskKind::Pick { least: 0, .. } = ask.kind else { break };
            let passing = what.first().is_some_and(|first| first == "pass");
            if ask.player == player && (passing || !self.begun.is_empty() || self.offers_all(what)) {
                break;
            }
            self.give(&Answer::Pick(Vec::new()))?;
        }
        Ok(())
    }

    fn offers_all(&self, wanted: &[String]) -> bool {
        self.offered().is_ok_and(|offers| wanted.iter().all(|text| self.meant(&offers, &[], text).is_ok()))
    }

    /// One line of a scenario: a flat match, an arm for each sort of line.
    fn step(&mut self, kind: &StepKind, question: Option<(ExprId, Ty)>) -> Result<(), String> {
        match kind {
            StepKind::Dice(dice) => {
                self.state.give_dice(dice);
                Ok(())
            }
            StepKind::Answer { player, what } => {
                let Some(answer) = self.answer(player, what)? else { return Ok(()) };
                self.begun.clear();
                self.give(&answer)
            }
            StepKind::GoOn(to) => {
                if !self.state.script.paused {
                    return Err("the game is not paused".into());
                }
                let stop = self.event(to.as_deref())?;
                self.state.stop_at(stop);
                let mut events = Vec::new();
                resume(self.catalogue, &mut self.state, &mut events);
                self.hear(&events);
                self.check_machine()
            }
            StepKind::Refuse(what) => self.refuse(what),
            StepKind::Expect(said) => self.expect(said, question),
            StepKind::Options(wanted) => self.options(wanted),
            StepKind::Offers(wanted, yes) => {
                // Where a number is asked for, no move is offered.
                let number = matches!(&self.state.ask, Some(ask) if matches!(ask.kind, AskKind::Number { .. }));
                let offers = if number && !yes { Vec::new() } else { self.offered()? };
                let found = offers.iter().any(|offer| self.speaks_of(offer, wanted));
                if found == *yes { Ok(()) } else { Err(format!("offered are: {}", listed(&offers))) }
            }
            StepKind::Cannot(what, rule) => self.cannot(what, rule),
            StepKind::Asked(player, said) => {
                let player = player_named(self.catalogue, player)?;
                let Some(ask) = &self.state.ask else { return Err("nobody is asked anything".into()) };
                let prompt = inside::prompt(self.catalogue, &self.state);
                if ask.player != player || !prompt.to_lowercase().contains(&said.to_lowercase()) {
                    return Err(format!("{} is asked: {prompt}", player_text(self.catalogue, ask.player)));
                }
                Ok(())
            }
            StepKind::Worth(worth) => {
                let Some(ask) = &self.state.ask else { return Err("nobody is asked anything".into()) };
                let usual = inside::view(self.catalogue, &self.state, Viewer::Player(ask.player)).usual();
                match (usual, worth) {
                    (None, true) | (Some(_), false) => Ok(()),
                    (None, false) => Err(format!("it is worth asking: {}", inside::prompt(self.catalogue, &self.state))),
                    (Some(answer), true) => Err(format!("the usual stops answer {answer:?}")),
                }
            }
            StepKind::Usually(wanted) => {
                let Some(ask) = &self.state.ask else { return Err("nobody is asked anything".into()) };
                let view = inside::view(self.catalogue, &self.state, Viewer::Player(ask.player));
                let said = match (view.usual(), view.ask()) {
                    (Some(Answer::Pick(picked)), _) if picked.is_empty() => "pass".into(),
                    (Some(answer), Some(ask)) => ask.words(&answer),
                    _ => return Err(format!("it is worth asking: {}", inside::prompt(self.catalogue, &self.state))),
                };
                if matches(&said, wanted) { Ok(()) } else { Err(format!("the usual stops answer {said}")) }
            }
            StepKind::Warns(answer, said) => {
                let warning = self.warning(answer)?;
                match (&warning, said) {
                    (None, None) => Ok(()),
                    (Some(warning), Some(said)) if warning.contains(said.as_str()) => Ok(()),
                    _ => Err(format!("the warning is: {}", warning.as_deref().unwrap_or("none"))),
                }
            }
            StepKind::Log(said) => match self.log.iter().position(|line| line.contains(said.as_str())) {
                Some(at) => {
                    self.log.drain(..=at);
                    Ok(())
                }
                None => Err(format!("the log has no such line; since the last check it reads:\n  {}", self.log.join("\n  "))),
            },
            StepKind::LogNot(said) => match self.log.iter().find(|line| line.contains(said.as_str())) {
                Some(line) => Err(format!("the log has it: {line}")),
                None => Ok(()),
            },
            StepKind::Knows { player, card, known } => {
                let viewer = if player == "spectator" { Viewer::Spectator } else { Viewer::Player(player_named(self.catalogue, player)?) };
                let named = self.names.iter().find(|(name, _)| name == card).map(|(_, id)| *id);
                let id = named.ok_or_else(|| format!("no card on this board is called `{card}`"))?;
                let knows = trilogy_engine::inside::knows(self.catalogue, &self.state, viewer, id);
                if knows == *known { Ok(()) } else { Err(format!("{player} {} {card}", if knows { "knows" } else { "does not know" })) }
            }
            StepKind::Winner(player) => {
                let player = player_named(self.catalogue, player)?;
                if self.state.status == Status::Won(player) { Ok(()) } else { Err(format!("the game stands at {:?}", self.state.status)) }
            }
            StepKind::Text { card, says } => {
                let key = deck::find(self.catalogue, card)?;
                let def = self.catalogue.card(&key).unwrap_or_default();
                let printed = self.catalogue.def(def).text.join(" ");
                if printed.contains(says.as_str()) { Ok(()) } else { Err(format!("it says: {printed}")) }
            }
            StepKind::Faults { player, rules } => {
                let player = player_named(self.catalogue, player)?;
                let faults = inside::deck_faults(self.catalogue, &self.state, player);
                let mut found: Vec<&str> = faults.iter().map(|fault| fault.cite.as_str()).collect();
                let mut wanted: Vec<&str> = rules.iter().map(String::as_str).collect();
                found.sort_unstable();
                wanted.sort_unstable();
                found.dedup();
                wanted.dedup();
                if found == wanted {
                    Ok(())
                } else {
                    Err(format!("the deck breaks: {}", if found.is_empty() { "nothing".into() } else { found.join(", ") }))
                }
            }
        }
    }

    /// What is offered, as somebody who knows every card reads it.
    fn offered(&self) -> Result<Vec<Offer>, String> {
        let views = match inside::view(self.catalogue, &self.state, Viewer::Referee).ask() {
            Some(AskView::Pick { options, .. } | AskView::Order { options, .. }) => options,
            Some(_) => return Err("a number is asked for, not a choice".into()),
            None => return Err("nobody is asked anything".into()),
        };
        let raw = match self.state.ask.as_ref().map(|ask| &ask.kind) {
            Some(AskKind::Pick { options, .. } | AskKind::Order { options }) => options.as_slice(),
            _ => &[],
        };
        let offer = |(at, view): (usize, OptionView)| {
            let chosen = if let Some(Value::Move(chosen)) = raw.get(at) { Some(*chosen) } else { None };
            let full = view.full();
            let short = match chosen.filter(|chosen| chosen.target.is_some()) {
                Some(chosen) => inside::move_text(self.catalogue, &self.state, &Move { target: None, ..chosen }, Some(Viewer::Referee)),
                None => full.clone(),
            };
            let head = short.bytes().zip(full.bytes()).take_while(|(a, b)| a == b).count();
            Offer { at, view, full, chosen, short, head }
        };
        let left = |offer: &Offer| self.begun.is_empty() || self.begun.contains(&offer.at);
        Ok(views.into_iter().enumerate().map(offer).filter(left).collect())
    }
    /// Whether a text means an option: not by its second card alone, unless the first one was said before.
    fn speaks_of(&self, offer: &Offer, wanted: &str) -> bool {
        let at = offer.full.to_lowercase().find(&wanted.to_lowercase());
        at.is_some_and(|at| !self.begun.is_empty() || at < offer.head) || self.begun.is_empty() && matches(&offer.short, wanted)
    }

    /// What an answer is warned of.
    fn warning(&self, answer: &str) -> Result<Option<String>, String> {
        let Some(ask) = inside::view(self.catalogue, &self.state, Viewer::Referee).ask() else {
            return Err("nobody is asked anything".into());
        };
        let answer = match &ask {
            AskView::Pick { .. } if answer == "pass" => Answer::Pick(Vec::new()),
            AskView::Number { .. } => Answer::Number(answer.parse().map_err(|_| "a number is asked for".to_string())?),
            _ => Answer::Pick(self.indices(&[answer.to_string()])?),
        };
        Ok(ask.warning(&answer).map(str::to_string))
    }

    /// The offers that a text means among those that are not picked yet: the closest first.
    fn meant<'a>(&self, offers: &'a [Offer], picked: &[u16], text: &str) -> Result<Vec<&'a Offer>, String> {
        let title = |card: CardId| inside::card_text(self.catalogue, &self.state, card, None);
        let tests: [&dyn Fn(&Offer) -> bool; 6] = [
            &|offer| offer.full.eq_ignore_ascii_case(text),
            &|offer| self.begun.is_empty() && offer.short.eq_ignore_ascii_case(text),
            &|offer| offer.view.label.eq_ignore_ascii_case(text),
            &|offer| !self.begun.is_empty() && offer.view.target.is_some_and(|card| title(card).eq_ignore_ascii_case(text)),
            &|offer| self.speaks_of(offer, text),
            &|offer| matches(&offer.full, text),
        ];
        let free = || offers.iter().filter(|offer| !picked.contains(&(offer.at as u16)));
        let found = tests.iter().map(|test| free().filter(|offer| test(offer)).collect::<Vec<_>>()).find(|found| !found.is_empty());
        found.ok_or_else(|| format!("\"{text}\" is not offered; offered are: {}", listed(offers)))
    }

    /// The indices of the options that texts mean, each used once.
    fn indices(&self, wanted: &[String]) -> Result<Vec<u16>, String> {
        let offers = self.offered()?;
        let mut picked: Vec<u16> = Vec::new();
        for text in wanted {
            let found = self.meant(&offers, &picked, text)?;
            // A text that fits several options of one label, or is the title of several cards, means the first of them.
            let titled = |offer: &&Offer| {
                let card = offer.view.card.filter(|_| offer.chosen.is_none());
                card.is_some_and(|card| inside::card_text(self.catalogue, &self.state, card, None).eq_ignore_ascii_case(text))
            };
            if found.iter().any(|other| other.view.label != found[0].view.label) && !found.iter().all(titled) {
                let all: Vec<&str> = found.iter().map(|offer| offer.view.label.as_str()).collect();
                return Err(format!("\"{text}\" could mean: {}", all.join(" & ")));
            }
            picked.push(found[0].at as u16);
        }
        Ok(picked)
    }

    /// The options of one move of two cards, where a text names the first and there are several for the second.
    fn begins(&self, text: &str) -> Result<Vec<usize>, String> {
        let offers = self.offered()?;
        let found = self.meant(&offers, &[], text)?;
        let first = |offer: &Offer| offer.chosen.filter(|chosen| chosen.target.is_some()).map(|chosen| Move { target: None, ..chosen });
        let whole = found.iter().any(|offer| offer.short != found[0].short || first(offer).is_none());
        let of_first: Vec<usize> = found.iter().filter(|offer| first(offer) == first(found[0])).map(|offer| offer.at).collect();
        Ok(if whole || of_first.len() < 2 { Vec::new() } else { of_first })
    }

    /// The answer that is meant; none where it only begins with the first of two cards.
    fn answer(&mut self, player: &str, what: &[String]) -> Result<Option<Answer>, String> {
        let player = player_named(self.catalogue, player)?;
        let Some(ask) = &self.state.ask else {
            let why = if self.state.script.paused {
                "the game is paused, before dice that are not given or at its `stop`".into()
            } else {
                format!("the game stands at {:?}", self.state.status)
            };
            return Err(format!("nobody is asked anything: {why}"));
        };
        if ask.player != player {
            return Err(format!("{} is asked: {}", player_text(self.catalogue, ask.player), inside::prompt(self.catalogue, &self.state)));
        }
        let first = what.first().map_or("", String::as_str);
        match &ask.kind {
            AskKind::Number { least: ..=0, .. } if first == "pass" => Ok(Some(Answer::Number(0))),
            AskKind::Number { .. } => first
                .parse()
                .map(|number| Some(Answer::Number(number)))
                .map_err(|_| format!("a number is asked for: {}", inside::prompt(self.catalogue, &self.state))),
            _ if first == "pass" && self.begun.is_empty() => Ok(Some(Answer::Pick(Vec::new()))),
            AskKind::Pick { most: 1, .. } if what.len() == 1 && self.begun.is_empty() => {
                self.begun = self.begins(first)?;
                if self.begun.is_empty() { Ok(Some(Answer::Pick(self.indices(what)?))) } else { Ok(None) }
            }
            _ => Ok(Some(Answer::Pick(self.indices(what)?))),
        }
    }

    fn give(&mut self, answer: &Answer) -> Result<(), String> {
        let before = self.state.clone();
        let mut events = Vec::new();
        step(self.catalogue, &mut self.state, answer, &mut events).map_err(|error| error.to_string())?;
        match self.mode {
            Mode::Undo => {
                let there = std::mem::replace(&mut self.state, before);
                step(self.catalogue, &mut self.state, answer, &mut Silent).map_err(|error| error.to_string())?;
                if self.state != there {
                    return Err("the answer leads elsewhere when it is given again".into());
                }
            }
            Mode::Fork => {
                let mut fork = before;
                step(self.catalogue, &mut fork, answer, &mut Silent).map_err(|error| error.to_string())?;
                if fork.hash() != self.state.hash() {
                    return Err("a copy of the game went another way".into());
                }
            }
            Mode::Walked => {
                let mut walked = before;
                step_on(self.catalogue, &mut walked, answer, &mut Silent, &Memo::plain()).map_err(|error| error.to_string())?;
                if walked != self.state {
                    return Err("the code of an expression does not mean what the expression does".into());
                }
            }
            Mode::Plain | Mode::Reload | Mode::Views | Mode::Onward => {}
        }
        self.hear(&events);
        self.check_machine()
    }

    /// An answer in raw form, `pick 0 7` or `number 12`, that must be refused and change nothing.
    fn refuse(&mut self, what: &str) -> Result<(), String> {
        let mut words = what.split_whitespace();
        let kind = words.next().unwrap_or("");
        let numbers: Vec<i32> = words.filter_map(|word| word.parse().ok()).collect();
        let answer = match kind {
            "number" => Answer::Number(numbers.first().copied().unwrap_or(0)),
            _ => Answer::Pick(numbers.iter().map(|&number| number as u16).collect()),
        };
        let before = self.state.clone();
        match step(self.catalogue, &mut self.state, &answer, &mut Silent) {
            Ok(()) => Err("the answer was taken".into()),
            Err(_) if self.state == before => Ok(()),
            Err(_) => Err("the answer was refused but changed something".into()),
        }
    }

    fn expect(&self, said: &str, question: Option<(ExprId, Ty)>) -> Result<(), String> {
        let Some((expr, ty)) = question else { return Ok(()) };
        let registers: Vec<Value> = self.names.iter().map(|(_, card)| Value::Card(*card)).collect();
        let mut env = Env::new(World::new(self.catalogue, &self.state), PlayerId(0)).reading(&registers);
        if ty != Ty::Bool && ty != Ty::Any {
            return Err(format!("`{said}` is a {}: an expectation is true or false", ty.name()));
        }
        if env.test(expr) {
            return Ok(());
        }
        // Tell the two sides of a comparison.
        if let trilogy_engine::catalogue::Expr::Bin(_, a, b) = self.catalogue.exprs[expr.index()] {
            let (a, b) = (env.eval(a), env.eval(b));
            let show = |value: &Value| inside::value_text(self.catalogue, &self.state, value, None);
            return Err(format!("`{said}` does not hold: left is {}, right is {}", show(&a), show(&b)));
        }
        Err(format!("`{said}` does not hold"))
    }

    fn options(&self, wanted: &[String]) -> Result<(), String> {
        let offers = self.offered()?;
        self.indices(wanted)?;
        if offers.len() == wanted.len() { Ok(()) } else { Err(format!("offered are exactly: {}", listed(&offers))) }
    }

    fn cannot(&self, what: &str, rule: &str) -> Result<(), String> {
        let Some(ask) = &self.state.ask else { return Err("nobody is asked anything".into()) };
        let refusals = inside::view(self.catalogue, &self.state, Viewer::Player(ask.player)).refusals();
        let named: Vec<_> = refusals.iter().filter(|(_, label, _)| matches(label, what)).collect();
        if named.iter().any(|(_, _, refusal)| refusal.cite == rule) {
            return Ok(());
        }
        if let Ok(offers) = self.offered()
            && offers.iter().any(|offer| self.speaks_of(offer, what))
        {
            return Err("it is offered".into());
        }
        let told: Vec<String> = if named.is_empty() {
            refusals.iter().map(|(_, label, refusal)| format!("{label}: {refusal}")).collect()
        } else {
            named.iter().map(|(_, label, refusal)| format!("{label}: {refusal}")).collect()
        };
        Err(format!("it is not refused because of {rule}; refused are:\n  {}", told.join("\n  ")))
    }

    fn finish(&mut self, scenario: &Scenario) -> Result<(), String> {
        if !self.state.script.dice.is_empty() {
            return Err(format!("line {}: dice were given and not rolled: {:?}", scenario.line, self.state.script.dice));
        }
        if self.mode == Mode::Onward {
            // From here on chance is chance again.
            self.state.unscript();
            resume(self.catalogue, &mut self.state, &mut Silent);
            let mut luck = Random::from_seed(seed_from_number(scenario.line as u64));
            for _ in 0..ONWARD {
                let Some(ask) = &self.state.ask else { break };
                let answer = any_answer(&mut luck, &ask.kind);
                step(self.catalogue, &mut self.state, &answer, &mut Silent)
                    .map_err(|error| format!("line {}: going on at random: {error}", scenario.line))?;
                if self.state.faults > 0 || matches!(self.state.status, Status::Broken(_)) {
                    return Err(format!("line {}: going on at random, the game broke: {:?}", scenario.line, self.state.status));
                }
            }
        }
        Ok(())
    }
}

fn any_answer(luck: &mut Random, ask: &AskKind) -> Answer {
    let mut below = |bound: usize| {
        let mut out = [0];
        luck.draw(bound as u32, &mut out);
        out[0] as usize
    };
    match ask {
        AskKind::Number { least, most } => Answer::Number(least + below((most - least + 1) as usize) as i32),
        AskKind::Order { options } => Answer::Pick((0..options.len() as u16).collect()),
        AskKind::Pick { options, least, most } => {
            let count = *least as usize + below((*most - *least) as usize + 1);
            let mut all: Vec<u16> = (0..options.len() as u16).collect();
            for at in 0..count {
                let other = at + below(all.len() - at);
                all.swap(at, other);
            }
            all.truncate(count);
            Answer::Pick(all)
        }
    }
}

fn listed(offers: &[Offer]) -> String {
    offers.iter().map(|offer| offer.full.as_str()).collect::<Vec<_>>().join(" & ")
}

/// A text means an option if it stands somewhere in its label, whatever the case.
fn matches(label: &str, wanted: &str) -> bool {
    label.to_lowercase().contains(&wanted.to_lowercase())
}
