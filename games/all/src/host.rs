//! What programs that show a game need to know of it, in words and names: `host.json` of its folder, read by terminal and browser.
//! Nothing here decides a rule, and nothing here draws. [`Host::read`] refuses names that the rules do not have or do not show,
//! so that a table is never drawn from something else than what was meant.

use serde::{Deserialize, Serialize};
use trilogy_engine::{Catalogue, PlayerId};

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Host {
    pub about: About,
    pub terminal: Terminal,
}

/// What all programs need; the browser is sent this.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "protocol", derive(ts_rs::TS, utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct About {
    /// Said on the first page, and above the decks.
    pub lead: String,
    pub deck_lead: String,
    /// How a pasted list may look.
    pub list_example: String,
    /// More copies of a card than these are more than a deck may have; none where there is no such number.
    pub most_copies: Option<u32>,
    /// Whether there is a guided first game.
    pub lesson: bool,
    /// Types of cards in the order in which a deck is read.
    pub kinds: Vec<String>,
    /// Types of which a deck needs so many each, where the game asks for it.
    pub balance: Option<Balance>,
    /// Numbers printed on cards, in the order in which they are told.
    pub numbers: Vec<String>,
    /// The number in the upper corner: what a card costs, and what that is called.
    pub cost: String,
    pub cost_name: String,
    /// A number in the other upper corner.
    pub corner: Option<String>,
    /// Which of its words say more closely what a card is, in the order in which they are told; all of them where none is named.
    pub type_words: Vec<TypeWord>,
    /// What stands before the title of some cards.
    pub title_marks: Vec<TitleMark>,
    /// What the other words of a card are called, as a filter.
    pub words_name: String,
    /// Words of which a card has one, as a filter of their own: its affiliation.
    pub family: Option<Family>,
    /// Words of a card that are drawn as signs.
    pub signs: Vec<WordSign>,
    /// Numbers at the foot of a card.
    pub stats: Vec<StatSign>,
    /// Words that a card may have at times, with a sign.
    pub keywords: Vec<Keyword>,
    /// Counters on a card: how they are told, and what the mark on the card shows.
    pub counters: Vec<CounterWords>,
    /// How cards lie on others.
    pub roles: Vec<RoleWords>,
    /// Windows in which a player may want to be asked.
    pub windows: Vec<WindowWords>,
    /// What passing is called, by the name of the question, where the rules have no word for it.
    pub passing: Vec<PassWords>,
    /// A player's own zone, by its name without the seat.
    pub hand: String,
    pub piles: Vec<Pile>,
    /// Moves that no card stands for and that are made with a pile, so that a click on the pile does them.
    pub pile_moves: Vec<PileMove>,
    /// Actions of the rules of which there is one for each number: the number is set, and then done.
    pub by_number: Vec<String>,
    /// What counts on a player's line beside the piles.
    pub figures: Vec<Figure>,
    /// The parts of a turn, where the rules have them in a variable.
    pub phases: Option<Phases>,
    /// Games within the game, and tallies that go on for longer: told beside the board while they are there.
    #[serde(default)]
    pub scenes: Vec<Scene>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "protocol", derive(ts_rs::TS, utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Balance {
    pub kinds: Vec<String>,
    pub least: u32,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "protocol", derive(ts_rs::TS, utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct TypeWord {
    pub word: String,
    /// How it is said behind the type, where that is shorter.
    pub says: Option<String>,
}

/// A mark for cards with a word, or with a printed number that is not 0; one of the two is named.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "protocol", derive(ts_rs::TS, utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct TitleMark {
    pub word: Option<String>,
    pub number: Option<String>,
    pub mark: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "protocol", derive(ts_rs::TS, utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Family {
    pub name: String,
    pub words: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "protocol", derive(ts_rs::TS, utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct WordSign {
    pub word: String,
    pub label: String,
    /// A path of 16 by 16, drawn in lines.
    pub sign: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "protocol", derive(ts_rs::TS, utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct StatSign {
    pub name: String,
    /// The counter that takes from it.
    pub less: Option<String>,
    /// A number that counts beside it at times. A number with such a one may be given to a card that does not print it.
    pub more: Option<String>,
    /// The sign where there are letters only.
    pub letter: Option<String>,
    /// A path of 16 by 16, drawn full.
    pub sign: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "protocol", derive(ts_rs::TS, utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Keyword {
    pub name: String,
    pub label: String,
    /// Whether the number behind it matters.
    pub counts: bool,
    /// In a word, where the sign would not be known, and where there are letters only; `{n}` stands for the number.
    pub note: Option<String>,
    /// A path of 16 by 16, drawn in lines.
    pub sign: String,
}

/// `{n}` stands for the number.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "protocol", derive(ts_rs::TS, utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct CounterWords {
    pub name: String,
    pub says: String,
    /// How one of them is told, where that differs.
    pub says_one: Option<String>,
    pub mark: String,
    pub mark_one: Option<String>,
    /// A value of the card that the counters are on their way to: the mark is "3/6" where the card has it.
    pub of: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "protocol", derive(ts_rs::TS, utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct RoleWords {
    pub name: String,
    /// Before the names of the cards that lie so, in a list; none where they are not listed.
    pub label: Option<String>,
    /// On the card itself.
    pub tag: Option<String>,
    /// Beside the card where there are letters only.
    pub note: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "protocol", derive(ts_rs::TS, utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct WindowWords {
    pub name: String,
    pub label: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "protocol", derive(ts_rs::TS, utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct PassWords {
    pub question: String,
    pub says: String,
}

/// A player's pile.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "protocol", derive(ts_rs::TS, utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Pile {
    pub zone: String,
    pub name: String,
    /// False for one that is shown only when something lies there.
    pub always: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "protocol", derive(ts_rs::TS, utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct PileMove {
    pub action: String,
    /// The zone of the pile.
    pub pile: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "protocol", derive(ts_rs::TS, utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Figure {
    pub label: String,
    /// In full, for those who wonder.
    pub title: Option<String>,
    pub counts: Counted,
}

/// What a figure of a player counts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "protocol", derive(ts_rs::TS, utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Counted {
    Counter(String),
    Value(String),
    /// The cards in these zones together.
    Zones(Vec<String>),
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "protocol", derive(ts_rs::TS, utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Phases {
    /// The variable of the rules that says which it is.
    pub variable: String,
    pub steps: Vec<Phase>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "protocol", derive(ts_rs::TS, utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Phase {
    /// What the variable is then.
    pub value: PhaseValue,
    pub name: String,
    /// Within a sentence.
    pub says: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "protocol", derive(ts_rs::TS, utoipa::ToSchema))]
#[serde(untagged)]
pub enum PhaseValue {
    Number(i32),
    Word(String),
}

/// Something that both players take part in besides what lies on the board: for each of them a line with cards and numbers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "protocol", derive(ts_rs::TS, utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Scene {
    pub name: String,
    /// How it is won, in a sentence, for those who have never seen it.
    pub says: String,
    /// It is there while this is so for one of the players.
    pub during: SceneSign,
    /// A variable with the card that it is about.
    pub card: Option<String>,
    /// The steps that it goes through, where the rules have them in a variable.
    pub steps: Option<Phases>,
    /// Who takes part: named on the line of their player.
    #[serde(default)]
    pub who: Vec<SceneCards>,
    /// Cards that are held or laid open for it, on the line of their player.
    #[serde(default)]
    pub cards: Vec<SceneCards>,
    /// What these cards are called.
    pub cards_label: Option<String>,
    /// A value of these cards that is added up, as far as the viewer knows them, and what the sum is called.
    pub worth: Option<Worth>,
    /// Numbers of each player, told where one of them has any; the last one is what counts.
    #[serde(default)]
    pub parts: Vec<Figure>,
    /// A number of the game that counts for both, told between them.
    pub total: Option<Total>,
    /// What the last number, or the one between the players, is on its way to.
    pub goal: Option<Goal>,
    /// Words for a player for whom something is so: who leads, who has won.
    #[serde(default)]
    pub badges: Vec<Badge>,
}

/// Something that is so for a player.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "protocol", derive(ts_rs::TS, utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum SceneSign {
    /// A variable with cards of the player.
    Variable(String),
    /// More than none of this.
    Counter(String),
    Value(String),
}

/// Which cards are meant, of each player those that he controls.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "protocol", derive(ts_rs::TS, utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum SceneCards {
    /// Those of a variable.
    Variable(String),
    /// Those in a zone of the player, also where only their number is known.
    Zone(String),
    /// Those that have a value which is not 0.
    Value(String),
    /// Those that lie in a role on somebody who takes part.
    Role(String),
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "protocol", derive(ts_rs::TS, utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Worth {
    pub label: String,
    pub value: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "protocol", derive(ts_rs::TS, utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Total {
    pub label: String,
    pub variable: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "protocol", derive(ts_rs::TS, utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Goal {
    /// `{n}` stands for the number.
    pub says: String,
    pub at: GoalAt,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "protocol", derive(ts_rs::TS, utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum GoalAt {
    Number(i32),
    Variable(String),
    /// The highest of a value among the cards on the table.
    Value(String),
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "protocol", derive(ts_rs::TS, utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Badge {
    pub says: String,
    pub when: SceneSign,
}

/// What only a terminal needs, where there is room for little.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Terminal {
    /// A player's line, behind the name.
    pub figures: Vec<Figure>,
    /// Values on a card's page, in this order.
    pub values: Vec<String>,
    /// Those of them that are told also where there is nothing to say.
    pub always: Vec<String>,
    pub counters: Vec<CounterLine>,
    /// For the help page.
    pub signs: Vec<Sign>,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CounterLine {
    pub name: String,
    pub label: String,
    /// Whether the number is told, or only that there is one.
    pub counted: bool,
    /// What stands beside the card on the table, where that is worth it.
    pub note: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sign {
    pub sign: String,
    pub says: String,
}

impl Host {
    /// Read `host.json` and hold it against the game. All that is wrong is told at once.
    pub fn read(text: &str, catalogue: &Catalogue) -> Result<Host, String> {
        let host: Host = serde_json::from_str(text).map_err(|error| format!("host.json of {}: {error}", catalogue.title))?;
        let faults = host.faults(catalogue);
        if faults.is_empty() { Ok(host) } else { Err(format!("host.json of {}: {}", catalogue.title, faults.join("; "))) }
    }

    /// Names that the game does not have, or that it keeps to itself.
    fn faults(&self, catalogue: &Catalogue) -> Vec<String> {
        let mut names = Names { catalogue, faults: Vec::new() };
        names.about(&self.about);
        names.terminal(&self.terminal);
        names.faults
    }
}

/// Holds names against a catalogue and collects what is wrong.
struct Names<'a> {
    catalogue: &'a Catalogue,
    faults: Vec<String>,
}

impl Names<'_> {
    fn about(&mut self, about: &About) {
        let balanced = about.balance.iter().flat_map(|balance| &balance.kinds);
        for kind in about.kinds.iter().chain(balanced) {
            self.kind(kind);
        }
        let stats = about.stats.iter().flat_map(|stat| std::iter::once(&stat.name).chain(&stat.more));
        for number in about.numbers.iter().chain([&about.cost]).chain(&about.corner).chain(stats) {
            self.number(number);
        }
        let marks = about.title_marks.iter();
        let words = about.type_words.iter().map(|one| &one.word).chain(about.signs.iter().map(|sign| &sign.word));
        let words = words.chain(about.family.iter().flat_map(|family| &family.words)).chain(marks.clone().flat_map(|mark| &mark.word));
        for word in words {
            self.word(word);
        }
        for mark in marks {
            if mark.word.is_some() == mark.number.is_some() {
                self.faults.push(format!("the mark {} is for a word or for a number", mark.mark));
            }
            mark.number.iter().for_each(|number| self.number(number));
        }
        let out_of = about.counters.iter().flat_map(|counter| &counter.of);
        for value in about.keywords.iter().map(|keyword| &keyword.name).chain(out_of) {
            self.value(value, false);
        }
        let less = about.stats.iter().flat_map(|stat| &stat.less);
        for counter in about.counters.iter().map(|counter| &counter.name).chain(less) {
            self.counter(counter);
        }
        for role in &about.roles {
            self.found(self.catalogue.role(&role.name).is_some(), "role", &role.name);
        }
        for window in &about.windows {
            self.found(self.catalogue.windows.iter().any(|known| known.name == window.name), "window", &window.name);
        }
        for PassWords { question, .. } in &about.passing {
            self.found(self.catalogue.asks.iter().any(|ask| ask.id == *question), "question", question);
        }
        let piles = about.piles.iter().map(|pile| &pile.zone).chain(about.pile_moves.iter().map(|one| &one.pile));
        for zone in piles.chain([&about.hand]) {
            self.zone(zone);
        }
        for action in about.pile_moves.iter().map(|one| &one.action).chain(&about.by_number) {
            let known = self.catalogue.actions.iter().any(|known| self.catalogue.ability(*known).name == *action);
            self.found(known, "action", action);
        }
        about.figures.iter().for_each(|figure| self.figure(figure));
        about.scenes.iter().for_each(|scene| self.scene(scene));
        about.phases.iter().for_each(|phases| self.phases(phases));
    }

    fn phases(&mut self, phases: &Phases) {
        self.variable(&phases.variable);
        for step in &phases.steps {
            if let PhaseValue::Word(word) = &step.value {
                self.found(self.catalogue.word_named(word).is_some(), "word", word);
            }
        }
    }

    fn scene(&mut self, scene: &Scene) {
        for sign in scene.badges.iter().map(|badge| &badge.when).chain([&scene.during]) {
            match sign {
                SceneSign::Variable(name) => self.variable(name),
                SceneSign::Counter(name) => self.counter_of_players(name),
                SceneSign::Value(name) => self.value(name, true),
            }
        }
        scene.card.iter().for_each(|name| self.variable(name));
        scene.steps.iter().for_each(|steps| self.phases(steps));
        scene.total.iter().for_each(|total| self.variable(&total.variable));
        for cards in scene.who.iter().chain(&scene.cards) {
            match cards {
                SceneCards::Variable(name) => self.variable(name),
                SceneCards::Zone(name) => self.zone(name),
                SceneCards::Value(name) => self.value(name, false),
                SceneCards::Role(name) => self.found(self.catalogue.role(name).is_some(), "role", name),
            }
        }
        scene.worth.iter().for_each(|worth| self.value(&worth.value, false));
        scene.parts.iter().for_each(|part| self.figure(part));
        match scene.goal.as_ref().map(|goal| &goal.at) {
            Some(GoalAt::Variable(name)) => self.variable(name),
            Some(GoalAt::Value(name)) => self.value(name, false),
            Some(GoalAt::Number(_)) | None => {}
        }
    }

    fn terminal(&mut self, terminal: &Terminal) {
        terminal.figures.iter().for_each(|figure| self.figure(figure));
        terminal.values.iter().for_each(|value| self.value(value, false));
        for value in &terminal.always {
            self.found(terminal.values.contains(value), "value of a card's page", value);
        }
        terminal.counters.iter().for_each(|counter| self.counter(&counter.name));
    }

    fn figure(&mut self, figure: &Figure) {
        match &figure.counts {
            Counted::Counter(name) => self.counter_of_players(name),
            Counted::Value(name) => self.value(name, true),
            Counted::Zones(zones) => zones.iter().for_each(|zone| self.zone(zone)),
        }
    }

    fn found(&mut self, known: bool, what: &str, name: &str) {
        if !known {
            self.faults.push(format!("the rules have no {what} {name}"));
        }
    }
    /// A zone that each player has.
    fn zone(&mut self, name: &str) {
        self.found([0, 1].iter().all(|&seat| self.catalogue.zone(name, Some(PlayerId(seat))).is_some()), "zone of players", name);
    }
    /// A counter, or a number or truth that cards remember and players are told.
    fn counter(&mut self, name: &str) {
        let known = self.catalogue.field(name).map(|id| &self.catalogue.fields[id.index()]);
        self.found(known.is_some_and(|field| field.shown), "shown counter of cards", name);
    }
    fn counter_of_players(&mut self, name: &str) {
        let known = self.catalogue.player_counter(name);
        self.found(known.is_some_and(|id| self.catalogue.player_counters[id.index()].shown), "shown counter of players", name);
    }
    fn variable(&mut self, name: &str) {
        self.found(self.catalogue.vars.iter().any(|var| var.name == name && var.shown), "shown variable", name);
    }
    fn value(&mut self, name: &str, of_player: bool) {
        let known = self.catalogue.stat(name).map(|id| &self.catalogue.stats[id.index()]);
        let whose = if of_player { "shown value of players" } else { "shown value of cards" };
        self.found(known.is_some_and(|stat| stat.shown && stat.of_player == of_player), whose, name);
    }
    /// A number that cards print.
    fn number(&mut self, name: &str) {
        self.found(self.catalogue.facts.iter().any(|fact| fact == name), "printed number", name);
    }
    /// A word as players read it.
    fn word(&mut self, english: &str) {
        self.found(self.catalogue.word_named(&english.replace(' ', "_")).is_some(), "word", english);
    }
    fn kind(&mut self, english: &str) {
        let name = english.replace(' ', "_");
        let types = self.catalogue.enums.iter().filter(|one| one.name == "type").flat_map(|one| &one.members);
        let known = types.into_iter().any(|&word| self.catalogue.word(word) == name);
        self.found(known, "type of cards", english);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ccg() -> (Catalogue, String) {
        let game = crate::find("ccg").expect("it is built in");
        (game.catalogue().expect("it is whole"), game.host.to_string())
    }

    /// What is told of `host.json` with one text in place of another.
    fn told(old: &str, new: &str) -> String {
        let (catalogue, text) = ccg();
        assert!(text.contains(old), "{old} is not there to be changed");
        Host::read(&text.replace(old, new), &catalogue).err().unwrap_or_default()
    }

    #[test]
    fn every_game_has_names_that_its_rules_know_and_show() {
        for game in crate::games() {
            let catalogue = game.catalogue().expect("it is whole");
            let read = Host::read(game.host, &catalogue);
            assert!(read.is_ok(), "{:?}", read.err());
        }
    }

    #[test]
    fn what_the_rules_do_not_know_is_told_by_its_name() {
        for (old, new, fault) in [
            ("\"zone\": \"lost\"", "\"zone\": \"limbo\"", "no zone of players limbo"),
            ("\"name\": \"drained\"", "\"name\": \"drowned\"", "no shown counter of cards drowned"),
            ("\"Interrupt\"]", "\"Interlude\"]", "no type of cards Interlude"),
            ("\"corner\": \"destiny\"", "\"corner\": \"doom\"", "no printed number doom"),
            ("\"word\": \"Scomp link\"", "\"word\": \"Scomp line\"", "no word Scomp line"),
            ("\"name\": \"loss_window\"", "\"name\": \"gain_window\"", "no window gain_window"),
            ("\"question\": \"look_over\"", "\"question\": \"look_under\"", "no question look_under"),
            ("\"name\": \"astromech\"", "\"name\": \"butler\"", "no role butler"),
            ("\"action\": \"draw_card\"", "\"action\": \"drop_card\"", "no action drop_card"),
            ("\"variable\": \"phase_now\"", "\"variable\": \"phase_then\"", "no shown variable phase_then"),
            ("\"value\": \"move_phase\"", "\"value\": \"rest_phase\"", "no word rest_phase"),
            ("\"value\": \"generation\"", "\"value\": \"power\"", "no shown value of players power"),
            ("\"defense\"", "\"offense\"", "no shown value of cards offense"),
            ("\"zone\": \"sabacc\"", "\"zone\": \"pazaak\"", "no zone of players pazaak"),
            ("\"variable\": \"duelists\"", "\"variable\": \"duellers\"", "no shown variable duellers"),
            ("\"value\": \"race_finish\"", "\"value\": \"race_start\"", "no shown value of cards race_start"),
            ("\"counter\": \"has_race\"", "\"counter\": \"has_rice\"", "no shown counter of players has_rice"),
        ] {
            let told = told(old, new);
            assert!(told.contains(fault) && told.contains("host.json of"), "{new}: {told}");
        }
    }

    #[test]
    fn a_field_that_is_not_known_is_refused() {
        assert!(told("\"lesson\": true", "\"lessons\": true").contains("unknown field `lessons`"));
    }
}
