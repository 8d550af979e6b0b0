//! One pending question and what has been typed towards its answer. Keys go in, an answer comes out.

use ratatui::crossterm::event::KeyCode;
use trilogy_engine::{Answer, AskView, OptionView};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// One option; or none where that is allowed.
    One {
        may_pass: bool,
    },
    Many {
        least: usize,
        most: usize,
    },
    Order,
    Number {
        least: i32,
        most: i32,
    },
    /// Nothing is asked of this viewer.
    Nothing,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Row {
    pub option: u16,
    /// How many options come to the same as this one, itself counted.
    pub copies: usize,
    /// Where a card can go to several places: how all of these begin, and each of them. Enter leads to them.
    pub group: Option<(String, Vec<Row>)>,
}

/// So many rows have a digit each, and need no second step.
const FEW: usize = 9;

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Choice {
    pub kind: Kind,
    /// The option of each row. Where one is chosen, options that come to the same stand in one row.
    pub rows: Vec<Row>,
    /// Where the rows are those of one group: all rows, and which of them it is.
    pub outer: Option<(Vec<Row>, usize)>,
    /// The row that is pointed at; the row behind the last option is the pass.
    pub cursor: usize,
    /// Options marked so far, in the order of marking.
    pub marks: Vec<u16>,
    pub number: i32,
    /// Digits typed so far.
    pub digits: String,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Typed {
    Nothing,
    Answer(Answer),
    Say(String),
}

impl Choice {
    pub(crate) fn new(ask: Option<&AskView>, suggested: Option<i32>) -> Choice {
        let each = |options: &[OptionView]| (0..options.len() as u16).map(|option| Row { option, copies: 1, group: None }).collect();
        let (kind, rows) = match ask {
            Some(AskView::Pick { options, least, most, .. }) if *most <= 1 => {
                (Kind::One { may_pass: *least == 0 }, grouped(options, distinct(options)))
            }
            Some(AskView::Pick { options, least, most, .. }) => {
                (Kind::Many { least: (*least).into(), most: (*most).into() }, each(options))
            }
            Some(AskView::Order { options, .. }) => (Kind::Order, each(options)),
            Some(AskView::Number { least, most, .. }) => (Kind::Number { least: *least, most: *most }, Vec::new()),
            Some(AskView::Wait { .. }) | None => (Kind::Nothing, Vec::new()),
        };
        let number = match kind {
            Kind::Number { least, most } => suggested.unwrap_or(least).clamp(least, most),
            _ => 0,
        };
        Choice { kind, rows, outer: None, cursor: 0, marks: Vec::new(), number, digits: String::new() }
    }

    pub(crate) fn may_pass(&self) -> bool {
        matches!(self.kind, Kind::One { may_pass: true } | Kind::Many { least: 0, .. })
    }

    /// The option that is pointed at; none on the row of the pass.
    pub(crate) fn pointed(&self) -> Option<u16> {
        self.rows.get(self.cursor).map(|row| row.option)
    }

    /// How all rows begin, where they are those of one group.
    pub(crate) fn beginning(&self) -> Option<&str> {
        let (rows, at) = self.outer.as_ref()?;
        rows.get(*at)?.group.as_ref().map(|(beginning, _)| beginning.as_str())
    }

    /// The last row there is to point at.
    fn last_row(&self) -> usize {
        (self.rows.len() + usize::from(self.may_pass())).saturating_sub(1)
    }

    pub(crate) fn key(&mut self, key: KeyCode) -> Typed {
        let step = match key {
            KeyCode::Up | KeyCode::Char('k') => -1,
            KeyCode::Down | KeyCode::Char('j') => 1,
            KeyCode::PageUp => -10,
            KeyCode::PageDown => 10,
            KeyCode::Home => isize::MIN,
            KeyCode::End => isize::MAX,
            _ => 0,
        };
        if step != 0 {
            self.step(step);
            return Typed::Nothing;
        }
        match key {
            KeyCode::Enter => self.enter(),
            KeyCode::Char(' ') => self.space(),
            KeyCode::Char('p') => self.pass(),
            // It takes back what was typed, and never answers.
            KeyCode::Esc => {
                self.digits.clear();
                self.marks.clear();
                if let Some((rows, cursor)) = self.outer.take() {
                    (self.rows, self.cursor) = (rows, cursor);
                }
                Typed::Nothing
            }
            KeyCode::Char(digit @ '0'..='9') => self.digit(digit),
            KeyCode::Backspace => {
                self.digits.pop();
                self.take_digits();
                Typed::Nothing
            }
            _ => Typed::Nothing,
        }
    }

    fn step(&mut self, step: isize) {
        self.digits.clear();
        if let Kind::Number { least, most } = self.kind {
            // Up is more, as on a counter.
            let step = step.clamp(-100_000, 100_000) as i32;
            self.number = self.number.saturating_sub(step).clamp(least, most);
        } else {
            let last = self.last_row() as isize;
            self.cursor = (self.cursor as isize).saturating_add(step).clamp(0, last) as usize;
        }
    }

    fn enter(&mut self) -> Typed {
        self.digits.clear();
        match self.kind {
            Kind::Nothing => Typed::Nothing,
            Kind::One { .. } => match self.rows.get(self.cursor) {
                Some(Row { group: Some((_, rows)), .. }) => {
                    let inner = rows.clone();
                    let outer = std::mem::replace(&mut self.rows, inner);
                    self.outer = Some((outer, std::mem::take(&mut self.cursor)));
                    Typed::Nothing
                }
                Some(row) => Typed::Answer(Answer::Pick(vec![row.option])),
                None => self.pass(),
            },
            Kind::Many { .. } if self.pointed().is_none() => self.pass(),
            Kind::Many { least, .. } if self.marks.len() < least => {
                Typed::Say(format!("mark at least {least} with Space, then press Enter"))
            }
            Kind::Many { .. } => Typed::Answer(Answer::Pick(self.marks.clone())),
            Kind::Order => self.enter_order(),
            Kind::Number { least, most } if self.number < least || self.number > most => {
                Typed::Say(format!("a number from {least} to {most} is needed"))
            }
            Kind::Number { .. } => Typed::Answer(Answer::Number(self.number)),
        }
    }

    /// Each Enter puts one more option in line; the last one follows by itself.
    fn enter_order(&mut self) -> Typed {
        self.marks.extend(self.pointed().filter(|option| !self.marks.contains(option)));
        let rest: Vec<u16> = self.rows.iter().map(|row| row.option).filter(|option| !self.marks.contains(option)).collect();
        match rest.as_slice() {
            [] => Typed::Answer(Answer::Pick(self.marks.clone())),
            [last] => {
                self.marks.push(*last);
                Typed::Answer(Answer::Pick(self.marks.clone()))
            }
            [next, ..] => {
                self.cursor = *next as usize;
                Typed::Nothing
            }
        }
    }

    fn space(&mut self) -> Typed {
        match self.kind {
            Kind::Many { .. } | Kind::Order => self.toggle(),
            Kind::One { .. } => Typed::Say("Enter chooses".into()),
            _ => Typed::Nothing,
        }
    }

    fn toggle(&mut self) -> Typed {
        let Some(at) = self.pointed() else { return Typed::Nothing };
        if let Some(place) = self.marks.iter().position(|mark| *mark == at) {
            self.marks.remove(place);
        } else if let Kind::Many { most, .. } = self.kind
            && self.marks.len() >= most
        {
            return Typed::Say(format!("no more than {most} can be marked"));
        } else {
            self.marks.push(at);
        }
        Typed::Nothing
    }

    fn pass(&mut self) -> Typed {
        match self.kind {
            Kind::Nothing => Typed::Nothing,
            _ if self.may_pass() => Typed::Answer(Answer::Pick(Vec::new())),
            _ => Typed::Say("you cannot pass here; u takes your last choice back".into()),
        }
    }

    fn digit(&mut self, digit: char) -> Typed {
        if let Kind::Nothing = self.kind {
            return Typed::Nothing;
        }
        self.digits.push(digit);
        if !self.take_digits() {
            self.digits = digit.to_string();
            self.take_digits();
        }
        let Some(typed) = self.digits.parse::<usize>().ok().filter(|typed| (1..=self.rows.len()).contains(typed)) else {
            return Typed::Nothing;
        };
        // Another digit could still make a longer number.
        if typed * 10 <= self.rows.len() {
            return Typed::Nothing;
        }
        self.digits.clear();
        match self.kind {
            Kind::One { .. } => self.enter(),
            Kind::Many { .. } => self.toggle(),
            Kind::Order => self.enter_order(),
            Kind::Number { .. } | Kind::Nothing => Typed::Nothing,
        }
    }

    /// Point at what the digits say; false where they say nothing that is there.
    fn take_digits(&mut self) -> bool {
        let typed = self.digits.parse::<i32>().unwrap_or(0);
        match self.kind {
            Kind::Number { most, .. } => {
                self.number = typed;
                typed <= most
            }
            _ if typed >= 1 && typed as usize <= self.rows.len() => {
                self.cursor = typed as usize - 1;
                true
            }
            _ => false,
        }
    }
}

/// A row for each option that is not like an earlier one.
fn distinct(options: &[OptionView]) -> Vec<Row> {
    let copies = |at: usize| 1 + options.iter().filter(|option| option.alike == Some(at as u16)).count();
    let first = options.iter().enumerate().filter(|(_, option)| option.alike.is_none());
    first.map(|(at, _)| Row { option: at as u16, copies: copies(at), group: None }).collect()
}

/// Many rows, those of which one move of one card has several targets in one each.
fn grouped(options: &[OptionView], rows: Vec<Row>) -> Vec<Row> {
    if rows.len() <= FEW {
        return rows;
    }
    let of = |row: &Row| &options[row.option as usize];
    let first_word = |row: &Row| of(row).label.split(' ').next();
    let same = |a: &Row, b: &Row| of(a).target.and(of(b).target).is_some() && of(a).card == of(b).card && first_word(a) == first_word(b);
    let mut groups: Vec<Vec<Row>> = Vec::new();
    for row in rows {
        match groups.iter_mut().find(|group| same(&group[0], &row)) {
            Some(group) => group.push(row),
            None => groups.push(vec![row]),
        }
    }
    let joined = |mut group: Vec<Row>| match group.as_slice() {
        [_] => group.remove(0),
        all => Row {
            option: all[0].option,
            copies: all[0].copies,
            group: Some((beginning(all.iter().map(|row| of(row).label.as_str())), group)),
        },
    };
    groups.into_iter().map(joined).collect()
}

/// The words that all of these begin with.
fn beginning<'a>(mut labels: impl Iterator<Item = &'a str>) -> String {
    let first: Vec<&str> = labels.next().unwrap_or_default().split(' ').collect();
    let same = |label: &str| first.iter().zip(label.split(' ')).take_while(|(a, b)| **a == *b).count();
    let length = labels.map(same).min().unwrap_or(first.len());
    first[..length].join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use trilogy_engine::CardId;

    fn option(label: &str) -> OptionView {
        OptionView { label: label.into(), detail: None, card: None, target: None, alike: None, warning: None }
    }

    fn pick(count: usize, least: u16, most: u16) -> Choice {
        let options = (0..count).map(|at| option(&at.to_string())).collect();
        Choice::new(Some(&AskView::Pick { prompt: String::new(), options, least, most, pass: None }), None)
    }

    fn type_in(choice: &mut Choice, keys: &str) -> Typed {
        keys.chars().fold(Typed::Nothing, |_, key| match key {
            '\n' => choice.key(KeyCode::Enter),
            _ => choice.key(KeyCode::Char(key)),
        })
    }

    #[test]
    fn a_digit_chooses_unless_a_longer_number_is_possible() {
        assert_eq!(type_in(&mut pick(5, 1, 1), "3"), Typed::Answer(Answer::Pick(vec![2])));
        assert_eq!(type_in(&mut pick(12, 1, 1), "1"), Typed::Nothing);
        assert_eq!(type_in(&mut pick(12, 1, 1), "11"), Typed::Answer(Answer::Pick(vec![10])));
        assert_eq!(type_in(&mut pick(12, 1, 1), "1\n"), Typed::Answer(Answer::Pick(vec![0])));
        assert_eq!(type_in(&mut pick(12, 1, 1), "2"), Typed::Answer(Answer::Pick(vec![1])));
    }

    #[test]
    fn options_that_come_to_the_same_stand_in_one_row() {
        let mut options = vec![option("a"), option("b"), option("b"), option("c")];
        options[2].alike = Some(1);
        let ask = AskView::Pick { prompt: String::new(), options, least: 1, most: 1, pass: None };
        let choice = Choice::new(Some(&ask), None);
        assert_eq!(choice.rows.iter().map(|row| (row.option, row.copies)).collect::<Vec<_>>(), [(0, 1), (1, 2), (3, 1)]);
        assert_eq!(type_in(&mut choice.clone(), "3"), Typed::Answer(Answer::Pick(vec![3])));
    }

    #[test]
    fn many_places_of_one_card_are_a_second_step() {
        let to = |card: u16, place: u16| OptionView {
            card: Some(CardId(card)),
            target: Some(CardId(place)),
            ..option(&format!("Deploy {card} to place {place}"))
        };
        let ask = |options| AskView::Pick { prompt: String::new(), options, least: 0, most: 1, pass: None };
        let few = Choice::new(Some(&ask((0..9).map(|place| to(1, place)).collect())), None);
        assert_eq!(few.rows.len(), 9, "each has a digit");
        let mut options: Vec<OptionView> = [1, 2].iter().flat_map(|card| (10..16).map(|place| to(*card, place))).collect();
        options.extend([to(3, 10), option("Deploy a location"), OptionView { label: "Replace 1 by it".into(), ..to(1, 20) }]);
        let choice = Choice::new(Some(&ask(options)), None);
        let shown: Vec<(u16, Option<&str>)> =
            choice.rows.iter().map(|row| (row.option, row.group.as_ref().map(|(label, _)| label.as_str()))).collect();
        assert_eq!(shown, [(0, Some("Deploy 1 to place")), (6, Some("Deploy 2 to place")), (12, None), (13, None), (14, None)]);
        // One more step, by a digit or Enter; Escape leads back to where it was opened, and never answers.
        let mut second = choice.clone();
        assert_eq!(type_in(&mut second, "2"), Typed::Nothing);
        assert_eq!(second.rows.iter().map(|row| row.option).collect::<Vec<_>>(), [6, 7, 8, 9, 10, 11]);
        assert_eq!(second.key(KeyCode::Esc), Typed::Nothing);
        assert_eq!((&second.rows, second.cursor), (&choice.rows, 1));
        assert_eq!(second.key(KeyCode::Esc), Typed::Nothing);
        assert_eq!(type_in(&mut second, "\n3"), Typed::Answer(Answer::Pick(vec![8])));
        // A single place needs none, and passing is the same everywhere.
        assert_eq!(type_in(&mut choice.clone(), "3"), Typed::Answer(Answer::Pick(vec![12])));
        assert_eq!(type_in(&mut choice.clone(), "1p"), Typed::Answer(Answer::Pick(vec![])));
    }

    #[test]
    fn escape_answers_nothing() {
        let mut choice = pick(3, 0, 1);
        assert_eq!(choice.key(KeyCode::Esc), Typed::Nothing);
        let mut many = pick(4, 0, 3);
        type_in(&mut many, " ");
        assert_eq!(many.key(KeyCode::Esc), Typed::Nothing);
        assert!(many.marks.is_empty());
    }

    #[test]
    fn passing_needs_permission() {
        assert_eq!(type_in(&mut pick(3, 0, 1), "p"), Typed::Answer(Answer::Pick(vec![])));
        assert!(matches!(type_in(&mut pick(3, 1, 1), "p"), Typed::Say(_)));
        assert_eq!(type_in(&mut pick(2, 0, 1), "jj\n"), Typed::Answer(Answer::Pick(vec![])));
    }

    #[test]
    fn many_are_marked_then_confirmed() {
        assert_eq!(type_in(&mut pick(4, 1, 3), " jj \n"), Typed::Answer(Answer::Pick(vec![0, 2])));
        assert!(matches!(type_in(&mut pick(4, 2, 3), " \n"), Typed::Say(_)));
        assert!(matches!(type_in(&mut pick(4, 1, 2), "123"), Typed::Say(_)));
    }

    #[test]
    fn an_order_takes_all() {
        let options = (0..3).map(|at| option(&at.to_string())).collect();
        let mut choice = Choice::new(Some(&AskView::Order { prompt: String::new(), options }), None);
        assert_eq!(type_in(&mut choice, "2\n"), Typed::Answer(Answer::Pick(vec![1, 0, 2])));
    }

    #[test]
    fn numbers_are_typed_or_counted() {
        let ask = AskView::Number { prompt: String::new(), least: 1, most: 12, warnings: Vec::new() };
        assert_eq!(type_in(&mut Choice::new(Some(&ask), Some(7)), "\n"), Typed::Answer(Answer::Number(7)));
        assert_eq!(type_in(&mut Choice::new(Some(&ask), None), "11\n"), Typed::Answer(Answer::Number(11)));
        assert_eq!(type_in(&mut Choice::new(Some(&ask), None), "kk\n"), Typed::Answer(Answer::Number(3)));
        assert!(matches!(type_in(&mut Choice::new(Some(&ask), None), "0\n"), Typed::Say(_)));
    }
}
