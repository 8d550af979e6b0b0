//! Abilities: one paragraph of a card each.

use super::English;
use super::said::Number;
use super::truths::Truth;
use super::words::{article, capital, joined, sentence};
use crate::ast::*;
use crate::compile::{TemplateDef, with_arguments};

impl English<'_> {
    /// The text of an ability, to be printed on its card or to stand for it elsewhere.
    pub(crate) fn speak_ability(&mut self, ability: &Ability, printing: bool) -> String {
        self.speaker.printing = printing;
        let text = self.ability(ability);
        self.speaker.printing = false;
        text
    }

    pub(super) fn ability(&mut self, ability: &Ability) -> String {
        self.speaker.names.clear();
        self.speaker.mentioned.clear();
        match ability {
            Ability::Clause(clause) => sentence(&self.speak_clause(clause)),
            Ability::TreatAs(words) => {
                let words: Vec<String> = words.iter().map(|word| self.counted_as(word)).collect();
                sentence(&format!("treat {} as {}", self.speaker.own.clone(), joined(&words, "and")))
            }
            Ability::In { scope, abilities } => self.speak_in(scope, abilities),
            Ability::Says { text, .. } => self.speak_template(text),
            Ability::Template { name, args, .. } => {
                let Some(TemplateDef { params, says, body }) = self.names.templates.get(&name.text) else { return String::new() };
                let inside = with_arguments(&self.aliases, params, args);
                let outer = std::mem::replace(&mut self.aliases, inside);
                let text = match says {
                    Some(says) => self.speak_template(says),
                    None => self.speak_abilities(body),
                };
                self.aliases = outer;
                text
            }
            Ability::Use(ability) => self.speak_use(ability),
        }
    }

    /// A subtype, "a droid", or a title.
    fn counted_as(&mut self, word: &Expr) -> String {
        match &*word.kind {
            ExprKind::Name(name) if !self.aliases.contains_key(name) => article(&self.word_text(name)),
            _ => self.noun(word, Number::One).text,
        }
    }

    fn speak_abilities(&mut self, abilities: &[Ability]) -> String {
        let mut lines: Vec<String> = Vec::new();
        for ability in self.joined_clauses(abilities) {
            lines.push(self.ability(&ability));
        }
        lines.join(" ")
    }

    fn speak_in(&mut self, scope: &Name, abilities: &[Ability]) -> String {
        let own = self.names.scope_own.get(&scope.text).cloned().map(|own| self.fill(&own, &[]).text());
        let outer = own.map(|own| std::mem::replace(&mut self.speaker.own, own));
        let inner = self.speak_abilities(abilities);
        if let Some(outer) = outer {
            self.speaker.own = outer;
        }
        match self.names.scope_english.get(&scope.text) {
            Some(english) if !english.is_empty() => format!("{english}: {inner}"),
            _ => inner,
        }
    }

    pub(crate) fn speak_template(&mut self, says: &Text) -> String {
        sentence(&self.fill(&says.text, &[]).text())
    }

    /// "Reaction: After you refresh, pay 1 Force -> Choose a unit. Tap that unit. Only if it is your turn."
    fn speak_use(&mut self, ability: &Use) -> String {
        let when = ability.timing.as_ref().map_or_else(String::new, |timed| self.speak_timing(timed));
        let aims = self.speak_targets(&ability.targets);
        self.speaker.mentioned.clear();
        let costs = self.speak_costs(&ability.costs);
        // What is paid for a target, or with it, is told behind it.
        let aimed = ability.targets.iter().any(|target| self.speaker.mentioned.contains(&target.name.text));
        let (aims, effects) = if aimed {
            (aims, self.orders(&ability.body))
        } else {
            (Vec::new(), self.speak_aims(&ability.targets, &mut Vec::new(), &ability.body))
        };
        let (before, mut lines) = if aimed { (aims, effects) } else { (Vec::new(), aims.into_iter().chain(effects).collect()) };
        if let (Some(first), false) = (lines.first_mut(), costs.is_empty()) {
            *first = format!("{} -> {}", joined(&costs, "and"), capital(first));
        }
        let mut lines: Vec<String> = before.into_iter().chain(lines).collect();
        // "You may use 1 Force": who is told to do it may or must.
        let kind = self.kind_english(&ability.kind);
        let woven = kind.starts_with(char::is_lowercase);
        if let (Some(first), true) = (lines.first_mut(), woven)
            && is_order(first)
        {
            *first = format!("{kind} {first}");
        }
        // A time leads the sentence, a restriction stands behind it.
        let leads = ["After", "At", "Before", "During", "If", "Once", "When", "While"].contains(&when.split(' ').next().unwrap_or(""));
        if let (Some(first), true) = (lines.first_mut(), leads) {
            *first = format!("{when}, {first}");
        }
        let mut text: Vec<String> = lines.iter().map(|line| sentence(line)).collect();
        text.extend(self.speak_requires(ability));
        if !leads && !when.is_empty() {
            text.push(sentence(&when));
        }
        if kind.is_empty() || woven { text.join(" ") } else { format!("{kind}: {}", text.join(" ")) }
    }

    fn kind_english(&self, kind: &Name) -> String {
        match self.names.kinds.get(&kind.text) {
            Some(ItemKind::Kind { says, .. }) => says.clone(),
            _ => String::new(),
        }
    }

    fn speak_targets(&mut self, targets: &[Target]) -> Vec<String> {
        let mut lines = Vec::new();
        let mut called = Vec::new();
        for Target { name, how, from, .. } in targets {
            let aim = self.choose_what(how, from);
            let later = self.target_again(from, how, &called);
            called.push(later.text.clone());
            self.speaker.name(name, later);
            lines.push(format!("choose {aim}"));
        }
        lines
    }

    fn speak_costs(&mut self, costs: &[Paid]) -> Vec<String> {
        let mut told = Vec::new();
        for Paid { cost, args, took } in costs {
            if let (Some(took), Some(from)) = (took, args.first()) {
                let later = self.again(from, false);
                self.speaker.name(took, later);
            }
            if let Some(def) = self.names.costs.get(&cost.text)
                && let Some(says) = &def.program.says
            {
                let says = says.text.clone();
                let named: Vec<(String, Expr)> =
                    def.program.params.iter().map(|(name, _)| name.clone()).zip(args.iter().cloned()).collect();
                told.extend(Some(self.fill(&says, &named).order()).filter(|said| !said.is_empty()));
            }
        }
        told
    }

    fn speak_requires(&mut self, ability: &Use) -> Option<String> {
        let chosen = self.chosen_from(ability);
        let mut truths = Vec::new();
        for require in &ability.requires {
            // That there is something to choose goes without saying.
            if self.exists(&require.test).is_none_or(|what| !chosen.contains(&what)) {
                truths.push(self.truth(&require.test));
            }
        }
        (!truths.is_empty()).then(|| format!("Only if {}.", Truth::all(truths).text()))
    }

    /// What a body lets a player choose from, in words.
    fn chosen_from(&mut self, ability: &Use) -> Vec<String> {
        let chosen = ability.body.iter().filter_map(|stmt| if let StmtKind::Choose { from, .. } = &stmt.kind { Some(from) } else { None });
        let from: Vec<&Expr> = chosen.chain(ability.targets.iter().map(|target| &target.from)).collect();
        from.into_iter().map(|from| self.noun(from, super::Number::Many).text).collect()
    }
}

/// Whether a line tells its reader to do something, and does not begin with whom it speaks of.
fn is_order(line: &str) -> bool {
    let subjects = [
        "a", "all", "an", "any", "both", "each", "either", "for", "if", "its", "no", "one", "that", "the", "their", "then", "this",
        "those", "unless", "until", "when", "while", "you", "your",
    ];
    line.starts_with(char::is_lowercase) && !subjects.contains(&line.split([' ', ',']).next().unwrap_or(""))
}
