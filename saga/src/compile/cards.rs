//! Cards: their words, numbers and abilities, and what tells them apart.

use super::expressions::Cx;
use super::names::TemplateDef;
use super::reach::place;
use super::{Compiler, Printing};
use crate::ast::{self, Ability as Written, ExprKind, Item, ItemKind, Name};
use crate::diagnostics::Span;
use crate::english::Speaker;
use crate::references::templates_in;
use crate::types::Ty;
use std::collections::BTreeSet;
use trilogy_engine::WordId;
use trilogy_engine::catalogue::*;

/// What a card being compiled gathers.
pub(super) struct Gathered {
    pub(super) def: DefId,
    pub(super) clauses: Vec<ClauseId>,
    pub(super) abilities: Vec<AbilityId>,
    pub(super) lines: Vec<String>,
    pub(super) words: Vec<WordId>,
    /// Titles that it counts as, besides its own.
    pub(super) titles: Vec<WordId>,
}

impl Gathered {
    pub(super) fn of(def: DefId) -> Gathered {
        Gathered { def, clauses: Vec::new(), abilities: Vec::new(), lines: Vec::new(), words: Vec::new(), titles: Vec::new() }
    }
}

impl Compiler {
    pub(super) fn card(&mut self, card: &ast::Card, item: &Item) {
        self.cite(&item.cites);
        let words = self.card_words(card);
        let facts = self.card_facts(card);
        self.needs_numbers(card, &words, &facts);
        let title = card.title.text.clone();
        let def = self.id(self.out.cards.len(), card.title.span);
        // A card that has always more than its title to be told by is the only one of its kind, and speaks of itself so.
        let one_of_a_kind = self.names.apart.clone().iter().any(|apart| !apart.when_shared && self.member_of(&words, *apart).is_some());
        self.speaker = Speaker::for_card(&title, one_of_a_kind, self.english().self_noun(&words));
        let mut gathered = Gathered { words, ..Gathered::of(def) };
        for (fact, value) in &card.facts {
            if let Some(line) = self.english().keyword_line(&fact.text, *value) {
                gathered.lines.push(line);
            }
            if value.is_none() && self.names.templates.contains_key(&fact.text) {
                self.own_ability(&Written::Template { name: fact.clone(), args: Vec::new(), span: fact.span }, &mut gathered);
            }
        }
        for ability in &card.abilities {
            self.own_ability(ability, &mut gathered);
        }
        let name = Some(self.card_name(&title));
        let lore = card.lore.iter().filter_map(|word| self.lookup("word", word, |names| &names.words)).collect();
        self.out.cards.push(CardDef {
            key: title.clone(),
            marks: Vec::new(),
            title,
            name,
            titles: gathered.titles,
            words: gathered.words,
            facts,
            clauses: gathered.clauses,
            abilities: gathered.abilities,
            text: gathered.lines,
            lore,
            set: card.set.as_ref().map_or_else(String::new, |set| set.text.clone()),
            number: card.number,
            rarity: card.rarity.as_ref().map_or_else(String::new, |rarity| rarity.text.clone()),
            reprints: card.reprints.iter().map(|(set, number)| (set.text.clone(), *number)).collect(),
            brings: Vec::new(),
        });
        self.printings.push(Printing::of(card, def));
        if !card.brings.is_empty() {
            self.brought.push((def, card.brings.clone()));
        }
    }

    fn card_words(&mut self, card: &ast::Card) -> Vec<WordId> {
        let mut words: Vec<WordId> = Vec::new();
        for word in card.header.iter().chain(&card.words) {
            let Some(id) = self.lookup("word", word, |names| &names.words) else { continue };
            let second = self.out.enums.iter().find(|one| {
                !one.several && one.members.contains(&id) && one.members.iter().any(|member| *member != id && words.contains(member))
            });
            if let Some(which) = second.map(|which| which.name.clone()) {
                self.fail(word.span, format!("a card carries one word of `{which}`, and this is the second"));
            }
            words.push(id);
        }
        for word in &card.header {
            let id = self.names.words.get(&word.text).copied();
            if id.is_some_and(|id| !self.out.enums.iter().any(|one| one.members.contains(&id))) {
                self.fail(word.span, format!("`{}` is a subtype: subtypes stand after the colon", word.text));
            }
        }
        words
    }

    /// The printed numbers of a card.
    fn card_facts(&mut self, card: &ast::Card) -> Vec<Option<i32>> {
        let mut facts = vec![None; self.out.facts.len()];
        for (fact, value) in &card.facts {
            match (self.names.facts.get(&fact.text).copied(), value) {
                (Some((at, true)), None) => facts[at.index()] = Some(1),
                (Some((at, false)), Some(value)) => facts[at.index()] = Some(*value),
                (Some((_, flag)), _) => {
                    let wanted = if flag { "takes no number" } else { "needs a number" };
                    self.fail(fact.span, format!("`{}` {wanted}", fact.text));
                }
                (None, None) if self.names.templates.contains_key(&fact.text) => {}
                (None, _) => {
                    let mut known: Vec<String> = self.names.facts.keys().cloned().collect();
                    known.extend(self.names.templates.keys().cloned());
                    self.fail_near(
                        fact.span,
                        format!("cards of this game have no `{}`", fact.text),
                        &fact.text,
                        known.iter().map(String::as_str),
                    );
                }
            }
        }
        facts
    }

    fn own_ability(&mut self, ability: &Written, card: &mut Gathered) {
        let before = (card.clauses.len(), card.abilities.len());
        self.ability(ability, None, card, true);
        self.refuse_idle(ability, card, before);
    }

    pub(super) fn ability(&mut self, ability: &Written, scope: Option<&Name>, card: &mut Gathered, speak: bool) {
        match ability {
            Written::Clause(clause) => {
                if speak {
                    self.print(ability, card);
                }
                let default = Name { text: "usual".into(), span: clause.span };
                let scope = self.lookup("scope", scope.unwrap_or(&default), |names| &names.scopes);
                card.clauses.extend(self.clause(&mut Cx::pure(&[]), clause, scope));
            }
            Written::Use(ability) => self.use_ability(ability, scope, card, speak),
            Written::In { scope, abilities } => {
                if speak {
                    self.print(ability, card);
                }
                for inner in abilities {
                    self.ability(inner, Some(scope), card, false);
                }
            }
            Written::Says { text, abilities } => {
                if speak {
                    self.print(ability, card);
                    self.by_hand.push((text.text.clone(), card.def));
                }
                let label = self.english().speak_template(text);
                let outer = self.template_label.replace(label);
                for inner in abilities {
                    self.ability(inner, scope, card, false);
                }
                self.template_label = outer;
            }
            Written::TreatAs(words) => {
                if speak {
                    self.print(ability, card);
                }
                words.iter().for_each(|word| self.treat_as(word, card));
            }
            Written::Template { name, args, span } => {
                let Some(TemplateDef { params, says, body }) = self.lookup("template", name, |names| &names.templates) else { return };
                if args.len() != params.len() {
                    self.fail(*span, format!("the template `{}` takes {} values, here are {}", name.text, params.len(), args.len()));
                    return;
                }
                let problems_before = self.problems.len();
                for (arg, (_, ty)) in args.iter().zip(&params) {
                    self.expr_of(&mut Cx::pure(&[]), arg, *ty);
                }
                if self.problems.len() > problems_before {
                    return;
                }
                let outer = self.open_aliases(&params, args);
                let own_text = says.is_some();
                let label = says.as_ref().map(|says| self.english().speak_template(says));
                let outer_label = std::mem::replace(&mut self.template_label, label);
                if speak && let Some(line) = self.template_label.clone() {
                    self.print_line(line, *span, card);
                    if params.is_empty() {
                        self.by_hand.push((name.text.clone(), card.def));
                    }
                }
                for inner in &body {
                    self.ability(inner, scope, card, speak && !own_text);
                }
                self.aliases = outer;
                self.template_label = outer_label;
            }
        }
    }

    /// A subtype or title that a card has for good, or a parameter of a template that stands for one.
    fn treat_as(&mut self, word: &ast::Expr, card: &mut Gathered) {
        let mut span = word.span;
        if let ExprKind::Name(name) = &*word.kind {
            let Some(given) = self.aliases.get(name) else {
                let name = Name { text: name.clone(), span };
                card.words.extend(self.lookup("word", &name, |names| &names.words));
                return;
            };
            span = given.argument.span;
        }
        let id = self.expr_of(&mut Cx::pure(&[]), word, Ty::Word);
        match self.out.exprs[id.index()] {
            Expr::Word(word) if self.is_title(word) => card.titles.push(word),
            Expr::Word(word) => card.words.push(word),
            // What a template is tried with.
            Expr::None => {}
            _ => self.fail(span, "a card counts as the same at all times: a subtype or a title is needed here"),
        }
    }

    /// The text of an ability becomes a line of its card.
    fn print(&mut self, ability: &Written, card: &mut Gathered) {
        let line = self.english().speak_ability(ability, true);
        self.print_line(line, place(ability), card);
    }

    pub(super) fn print_line(&mut self, line: String, span: Span, card: &mut Gathered) {
        self.printed.push((span, line.clone()));
        // What only keeps the books has no text.
        card.lines.extend(Some(line).filter(|line| !line.is_empty()));
    }

    /// Compile templates with sample arguments and throw the result away: one that no card uses is checked all the same,
    /// and what it cites counts.
    pub(super) fn try_templates(&mut self, items: &[Item]) {
        let templates: Vec<(&Name, &[ast::Param])> = items
            .iter()
            .filter_map(|item| match &item.kind {
                ItemKind::Template { name, params, .. } => Some((name, &params[..])),
                _ => None,
            })
            .collect();
        if templates.is_empty() {
            return;
        }
        let mut trial = self.clone();
        for (name, params) in templates {
            trial.try_template(name, params);
        }
        self.problems = trial.problems;
        for (cite, span) in trial.cited.into_iter().skip(self.cited.len()) {
            let text = trial.out.cites[cite.index()].clone();
            let id = self.cite_id(&text);
            self.cited.push((id, span));
        }
    }

    fn try_template(&mut self, name: &Name, params: &[ast::Param]) {
        let sample = |param: &ast::Param| {
            let kind = match param.ty.text.as_str() {
                "num" => ExprKind::Int(1),
                "cards" => ExprKind::List(Vec::new()),
                _ => ExprKind::Name("none".into()),
            };
            ast::Expr { kind: Box::new(kind), span: name.span }
        };
        let ability = Written::Template { name: name.clone(), args: params.iter().map(sample).collect(), span: name.span };
        let mut gathered = Gathered::of(DefId::FIRST);
        self.speaker = Speaker::for_card(&name.text, false, "unit".into());
        self.ability(&ability, None, &mut gathered, true);
    }

    /// A template that uses itself would have no end.
    pub(super) fn refuse_cycle(&mut self, item: &Item) {
        if let ItemKind::Template { name, body, .. } = &item.kind
            && self.uses_template(body, &name.text, &mut BTreeSet::new())
        {
            self.fail(name.span, format!("the template `{}` uses itself, or too many others", name.text));
            self.names.templates.entry(name.text.clone()).and_modify(|template| template.body.clear());
        }
    }

    fn uses_template(&self, body: &[Written], wanted: &str, seen: &mut BTreeSet<String>) -> bool {
        templates_in(body).any(|name| {
            let deeper = |template: &TemplateDef, seen: &mut _| self.uses_template(&template.body, wanted, seen);
            let ends = name == wanted || seen.len() > 60;
            ends || seen.insert(name.to_string()) && self.names.templates.get(name).is_some_and(|template| deeper(template, seen))
        })
    }
}
