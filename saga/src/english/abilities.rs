//! Abilities: one paragraph of a card each.

use super::words::{article, capital, joined, sentence};
use super::{English, Number};
use crate::ast::*;
use crate::compile::{TemplateDef, with_arguments};

impl English<'_> {
    pub(crate) fn speak_ability(&mut self, ability: &Ability) -> String {
        self.speaker.names.clear();
        match ability {
            Ability::Clause(clause) => sentence(&self.speak_clause(clause)),
            Ability::TreatAs(words) => {
                let words: Vec<String> = words.iter().map(|word| article(&self.word_text(&word.text))).collect();
                sentence(&format!("treat {} as {}", self.speaker.own.clone(), joined(&words, "and")))
            }
            Ability::In { scope, abilities } => {
                let own = self.names.scope_own.get(&scope.text).cloned().map(|own| self.fill(&Text { text: own, span: scope.span }, &[]));
                let outer = own.map(|own| std::mem::replace(&mut self.speaker.own, own));
                let inner: Vec<String> = abilities.iter().map(|ability| self.speak_ability(ability)).collect();
                if let Some(outer) = outer {
                    self.speaker.own = outer;
                }
                match self.names.scope_english.get(&scope.text) {
                    Some(english) if !english.is_empty() => format!("{english}: {}", inner.join(" ")),
                    _ => inner.join(" "),
                }
            }
            Ability::Says { text, .. } => self.speak_template(text),
            Ability::Template { name, args, .. } => {
                let Some(TemplateDef { params, says, body }) = self.names.templates.get(&name.text) else { return String::new() };
                let inside = with_arguments(&self.aliases, params, args);
                let outer = std::mem::replace(&mut self.aliases, inside);
                let text = match says {
                    Some(says) => self.speak_template(says),
                    None => body.iter().map(|ability| self.speak_ability(ability)).collect::<Vec<_>>().join(" "),
                };
                self.aliases = outer;
                text
            }
            Ability::Use(ability) => self.speak_use(ability),
        }
    }

    pub(crate) fn speak_template(&mut self, says: &Text) -> String {
        let text = self.fill(says, &[]);
        sentence(&text)
    }

    /// "Reaction: After you refresh, pay 1 Force -> Choose a unit. Tap that unit. Only if it is your turn."
    fn speak_use(&mut self, ability: &Use) -> String {
        let when = ability.timing.as_ref().map_or_else(String::new, |timed| self.speak_timing(timed));
        let mut lines = Vec::new();
        for Target { name, how, from, .. } in &ability.targets {
            let aim = self.choose_what(how, from);
            let many = !matches!(how, HowMany::One | HowMany::OneOrNone);
            let later = if many { format!("those {}", self.plural(from)) } else { format!("that {}", self.singular(from)) };
            // The second of two alike is "the other unit".
            let again = self.speaker.names.values().any(|said| *said == later);
            let later = if again { later.replacen("that ", "the other ", 1).replacen("those ", "the other ", 1) } else { later };
            self.speaker.names.insert(name.text.clone(), later);
            lines.push(format!("choose {aim}"));
        }
        let mut costs = Vec::new();
        for Paid { cost, args, took } in &ability.costs {
            if let Some(took) = took {
                let noun = args.first().map_or_else(|| "card".into(), |from| self.singular(from));
                self.speaker.names.insert(took.text.clone(), format!("that {noun}"));
            }
            if let Some(def) = self.names.costs.get(&cost.text)
                && let Some(says) = &def.program.says
            {
                let named: Vec<(String, Expr)> =
                    def.program.params.iter().map(|(name, _)| name.clone()).zip(args.iter().cloned()).collect();
                costs.extend(Some(self.fill(says, &named)).filter(|said| !said.is_empty()));
            }
        }
        lines.extend(ability.body.iter().map(|stmt| self.speak_statement(stmt)).filter(|line| !line.is_empty()));
        // A time leads the sentence, a restriction stands behind it.
        let leads = ["After", "At", "Before", "During", "If", "Once", "When", "While"].contains(&when.split(' ').next().unwrap_or(""));
        if let Some(first) = lines.first_mut() {
            if !costs.is_empty() {
                *first = format!("{} -> {}", joined(&costs, "and"), capital(first));
            }
            if leads {
                *first = format!("{when}, {first}");
            }
        }
        let mut text: Vec<String> = lines.iter().map(|line| sentence(line)).collect();
        let chosen = self.chosen_from(&ability.body);
        for require in &ability.requires {
            // That there is something to choose goes without saying.
            if self.exists(&require.test).is_none_or(|what| !chosen.contains(&what)) {
                text.push(format!("Only if {}.", self.truth(&require.test)));
            }
        }
        if !leads && !when.is_empty() {
            text.push(sentence(&when));
        }
        match self.names.kinds.get(&ability.kind.text) {
            Some(ItemKind::Kind { says, .. }) if !says.is_empty() => format!("{says}: {}", text.join(" ")),
            _ => text.join(" "),
        }
    }

    /// What a body lets a player choose from, in words.
    fn chosen_from(&mut self, body: &[Stmt]) -> Vec<String> {
        let mut found = Vec::new();
        for stmt in body {
            if let StmtKind::Choose { from, .. } = &stmt.kind {
                found.push(self.noun(from, Number::Many));
            }
        }
        found
    }
}
