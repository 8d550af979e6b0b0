//! One pending question and what has been typed towards its answer. Keys go in, an answer comes out.

use ratatui::crossterm::event::KeyCode;
use trilogy_engine::Answer;
use trilogy_engine::view::AskView;

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
pub(crate) struct Choice {
    pub kind: Kind,
    /// Number of options.
    pub count: usize,
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
        let (kind, count) = match ask {
            Some(AskView::Pick { options, least, most, .. }) if *most <= 1 => (Kind::One { may_pass: *least == 0 }, options.len()),
            Some(AskView::Pick { options, least, most, .. }) => {
                (Kind::Many { least: (*least).into(), most: (*most).into() }, options.len())
            }
            Some(AskView::Order { options, .. }) => (Kind::Order, options.len()),
            Some(AskView::Number { least, most, .. }) => (Kind::Number { least: *least, most: *most }, 0),
            Some(AskView::Wait { .. }) | None => (Kind::Nothing, 0),
        };
        let number = match kind {
            Kind::Number { least, most } => suggested.unwrap_or(least).clamp(least, most),
            _ => 0,
        };
        Choice { kind, count, cursor: 0, marks: Vec::new(), number, digits: String::new() }
    }

    pub(crate) fn may_pass(&self) -> bool {
        matches!(self.kind, Kind::One { may_pass: true } | Kind::Many { least: 0, .. })
    }

    /// How many rows there are to point at.
    pub(crate) fn rows(&self) -> usize {
        self.count + usize::from(self.may_pass())
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
            KeyCode::Char('p') | KeyCode::Esc => self.pass(),
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
            let last = self.rows().saturating_sub(1) as isize;
            self.cursor = (self.cursor as isize).saturating_add(step).clamp(0, last) as usize;
        }
    }

    fn enter(&mut self) -> Typed {
        self.digits.clear();
        match self.kind {
            Kind::Nothing => Typed::Nothing,
            Kind::One { .. } if self.cursor < self.count => Typed::Answer(Answer::Pick(vec![self.cursor as u16])),
            Kind::One { .. } => self.pass(),
            Kind::Many { .. } if self.cursor == self.count => self.pass(),
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
        if self.marks.len() < self.count && !self.marks.contains(&(self.cursor as u16)) {
            self.marks.push(self.cursor as u16);
        }
        let rest: Vec<u16> = (0..self.count as u16).filter(|at| !self.marks.contains(at)).collect();
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
            Kind::Many { .. } | Kind::Order if self.cursor < self.count => self.toggle(),
            Kind::One { .. } => Typed::Say("Enter chooses".into()),
            _ => Typed::Nothing,
        }
    }

    fn toggle(&mut self) -> Typed {
        let at = self.cursor as u16;
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
        let Some(typed) = self.digits.parse::<usize>().ok().filter(|typed| (1..=self.count).contains(typed)) else {
            return Typed::Nothing;
        };
        // Another digit could still make a longer number.
        if typed * 10 <= self.count {
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
            _ if typed >= 1 && typed as usize <= self.count => {
                self.cursor = typed as usize - 1;
                true
            }
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use trilogy_engine::view::OptionView;

    fn pick(count: usize, least: u16, most: u16) -> Choice {
        let options = (0..count).map(|at| OptionView { label: at.to_string(), card: None }).collect();
        Choice::new(Some(&AskView::Pick { prompt: String::new(), options, least, most }), None)
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
        let options = (0..3).map(|at| OptionView { label: at.to_string(), card: None }).collect();
        let mut choice = Choice::new(Some(&AskView::Order { prompt: String::new(), options }), None);
        assert_eq!(type_in(&mut choice, "2\n"), Typed::Answer(Answer::Pick(vec![1, 0, 2])));
    }

    #[test]
    fn numbers_are_typed_or_counted() {
        let ask = AskView::Number { prompt: String::new(), least: 1, most: 12 };
        assert_eq!(type_in(&mut Choice::new(Some(&ask), Some(7)), "\n"), Typed::Answer(Answer::Number(7)));
        assert_eq!(type_in(&mut Choice::new(Some(&ask), None), "11\n"), Typed::Answer(Answer::Number(11)));
        assert_eq!(type_in(&mut Choice::new(Some(&ask), None), "kk\n"), Typed::Answer(Answer::Number(3)));
        assert!(matches!(type_in(&mut Choice::new(Some(&ask), None), "0\n"), Typed::Say(_)));
    }
}
