//! Cards: their words, numbers and abilities, and what tells them apart.

use super::Compiler;
use super::expressions::Cx;
use super::names::{TemplateDef, spaced};
use crate::ast::{self, Ability as Written, ExprKind, Item, ItemKind, Name};
use crate::diagnostics::Span;
use crate::english::{Speaker, capital};
use std::collections::{BTreeSet, HashMap, HashSet};
use trilogy_engine::WordId;
use trilogy_engine::catalogue::*;

/// What a card being compiled gathers.
pub(super) struct Gathered {
    pub(super) def: DefId,
    pub(super) clauses: Vec<ClauseId>,
    pub(super) abilities: Vec<AbilityId>,
    pub(super) lines: Vec<String>,
    pub(super) words: Vec<WordId>,
}

impl Compiler {
    pub(super) fn card(&mut self, card: &ast::Card, item: &Item) {
        self.cite(&item.cites);
        let (words, version) = self.card_words(card);
        let facts = self.card_facts(card);
        let title = card.title.text.clone();
        let key = version.as_ref().map_or_else(|| title.clone(), |version| format!("{title} ({version})"));
        let by_side = self.names.apart.is_some_and(|(_, when_shared)| when_shared);
        if !by_side && self.out.cards.iter().any(|other| other.key == key) {
            self.fail(card.title.span, format!("there is a card \"{key}\" already"));
        }
        let def = self.id(self.out.cards.len(), card.title.span);
        self.speaker = Speaker::for_card(&title, version.is_some(), self.english().self_noun(&words));
        let mut gathered = Gathered { def, clauses: Vec::new(), abilities: Vec::new(), lines: Vec::new(), words };
        for (fact, value) in &card.facts {
            if let Some(line) = self.english().keyword_line(&fact.text, *value) {
                gathered.lines.push(line);
            }
            if value.is_none() && self.names.templates.contains_key(&fact.text) {
                self.ability(&Written::Template { name: fact.clone(), args: Vec::new(), span: fact.span }, None, &mut gathered, true);
            }
        }
        for ability in &card.abilities {
            self.ability(ability, None, &mut gathered, true);
        }
        let name = Some(self.card_name(&title));
        self.out.cards.push(CardDef {
            key,
            title,
            name,
            words: gathered.words,
            facts,
            clauses: gathered.clauses,
            abilities: gathered.abilities,
            text: gathered.lines,
            set: card.set.as_ref().map_or_else(String::new, |set| set.text.clone()),
            number: card.number,
            rarity: card.rarity.as_ref().map_or_else(String::new, |rarity| rarity.text.clone()),
            reprints: card.reprints.iter().map(|(set, number)| (set.text.clone(), *number)).collect(),
            brings: Vec::new(),
        });
        if !card.brings.is_empty() {
            self.brought.push((def, card.brings.clone()));
        }
    }

    /// The words of a card, and the one that tells it from others of its title.
    fn card_words(&mut self, card: &ast::Card) -> (Vec<WordId>, Option<String>) {
        let mut words = Vec::new();
        let mut version = None;
        for word in card.header.iter().chain(&card.words) {
            if let Some(id) = self.lookup("word", word, |names| &names.words) {
                words.push(id);
                let tells = |at: EnumId| self.out.enums[at.index()].members.contains(&id);
                if self.names.apart.is_some_and(|(at, when_shared)| !when_shared && tells(at)) {
                    version = Some(word.text.clone());
                }
            }
        }
        for word in &card.header {
            let id = self.names.words.get(&word.text).copied();
            if id.is_some_and(|id| !self.out.enums.iter().any(|one| one.members.contains(&id))) {
                self.fail(word.span, format!("`{}` is a subtype: subtypes stand after the colon", word.text));
            }
        }
        (words, version)
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

    fn ability(&mut self, ability: &Written, scope: Option<&Name>, card: &mut Gathered, speak: bool) {
        match ability {
            Written::Clause(clause) => {
                if speak {
                    let line = self.english().speak_ability(ability);
                    card.lines.push(line);
                }
                let default = Name { text: "usual".into(), span: clause.span };
                let scope = self.lookup("scope", scope.unwrap_or(&default), |names| &names.scopes);
                card.clauses.extend(self.clause(&mut Cx::pure(&[]), clause, scope));
            }
            Written::Use(ability) => self.use_ability(ability, scope, card, speak),
            Written::In { scope, abilities } => {
                if speak {
                    let line = self.english().speak_ability(ability);
                    card.lines.push(line);
                }
                for inner in abilities {
                    self.ability(inner, Some(scope), card, false);
                }
            }
            Written::TreatAs(words) => {
                if speak {
                    let line = self.english().speak_ability(ability);
                    card.lines.push(line);
                }
                for word in words {
                    card.words.extend(self.lookup("word", word, |names| &names.words));
                }
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
                    card.lines.push(line);
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

    /// Compile a template with sample arguments and throw the result away: a template that no card uses
    /// is checked all the same, and what it cites counts.
    pub(super) fn try_template(&mut self, name: &Name, params: &[ast::Param]) {
        let mut trial = self.clone();
        let sample = |param: &ast::Param| {
            let kind = match param.ty.text.as_str() {
                "num" => ExprKind::Int(1),
                "cards" => ExprKind::List(Vec::new()),
                _ => ExprKind::Name("none".into()),
            };
            ast::Expr { kind: Box::new(kind), span: name.span }
        };
        let ability = Written::Template { name: name.clone(), args: params.iter().map(sample).collect(), span: name.span };
        let mut gathered = Gathered { def: DefId::FIRST, clauses: Vec::new(), abilities: Vec::new(), lines: Vec::new(), words: Vec::new() };
        trial.speaker = Speaker::for_card(&name.text, false, "unit".into());
        trial.ability(&ability, None, &mut gathered, true);
        self.problems = trial.problems;
        for (cite, place) in trial.out.cited_at.into_iter().skip(self.out.cited_at.len()) {
            let text = trial.out.cites[cite.index()].clone();
            let id = self.cite_id(&text);
            self.out.cited_at.push((id, place));
        }
    }

    /// Cards that share their title get longer keys.
    pub(super) fn tell_apart(&mut self) {
        let Some((which, true)) = self.names.apart else { return };
        let members = self.out.enums[which.index()].members.clone();
        let mut titles: HashMap<&str, u32> = HashMap::new();
        for card in &self.out.cards {
            *titles.entry(&card.title).or_default() += 1;
        }
        let keys: Vec<Option<String>> = self
            .out
            .cards
            .iter()
            .map(|card| {
                let member = card.words.iter().find(|word| members.contains(word))?;
                let word = capital(&spaced(self.out.word(*member)));
                (titles[card.title.as_str()] > 1).then(|| format!("{} ({word})", card.title))
            })
            .collect();
        for (at, key) in keys.into_iter().enumerate() {
            if let Some(key) = key {
                self.out.cards[at].key = key;
            }
        }
        let mut seen = HashSet::new();
        let twice: Vec<String> = self.out.cards.iter().filter(|card| !seen.insert(&card.key)).map(|card| card.key.clone()).collect();
        for key in twice {
            self.fail(Span::default(), format!("there are two cards \"{key}\""));
        }
    }

    /// Titles become cards: among those of one title the one of the same side.
    pub(super) fn bring(&mut self) {
        let members = self.names.apart.map_or_else(Vec::new, |(which, _)| self.out.enums[which.index()].members.clone());
        for (head, titles) in std::mem::take(&mut self.brought) {
            let side = self.out.def(head).words.iter().find(|word| members.contains(word)).copied();
            for title in titles {
                let of_title = |card: &CardDef| card.key == title.text || card.title == title.text;
                let on_side = |card: &CardDef| side.is_none_or(|side| card.words.contains(&side));
                let Some(def) = self.out.cards.iter().position(|card| of_title(card) && on_side(card)) else {
                    self.fail(title.span, format!("there is no card \"{}\" to bring", title.text));
                    continue;
                };
                let def: DefId = self.id(def, title.span);
                let brings = &mut self.out.cards[head.index()].brings;
                match brings.iter_mut().find(|(brought, _)| *brought == def) {
                    Some((_, copies)) => *copies += 1,
                    None => brings.push((def, 1)),
                }
            }
        }
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
        body.iter().any(|ability| match ability {
            Written::Template { name, .. } if name.text == wanted || seen.len() > 60 => true,
            Written::Template { name, .. } if !seen.insert(name.text.clone()) => false,
            Written::Template { name, .. } => {
                self.names.templates.get(&name.text).is_some_and(|template| self.uses_template(&template.body, wanted, seen))
            }
            Written::In { abilities, .. } => self.uses_template(abilities, wanted, seen),
            Written::Use(_) | Written::Clause(_) | Written::TreatAs(_) => false,
        })
    }
}
