//! A compiled game that is kept open.

use super::expressions::Cx;
use super::{Compiled, Compiler, Printing, compile_all};
use crate::diagnostics::{Diagnostic, SourceFile, Span};
use crate::lines::Lines;
use crate::parser::{self, Parsed};
use crate::types::Ty;
use std::collections::BTreeSet;
use trilogy_engine::catalogue::{Catalogue, DefId, ExprId, WordId};

/// A compiled game that can still be asked and added to: scenarios bring cards and questions of their own.
#[derive(Clone)]
pub struct Workshop {
    compiler: Compiler,
}

impl Workshop {
    /// Compile the sources of a game, or tell what is wrong with them.
    pub fn new(files: Vec<SourceFile>, rules: Option<BTreeSet<String>>) -> Result<Workshop, Box<Compiled>> {
        let compiler = compile_all(files, rules);
        if compiler.problems.is_empty() { Ok(Workshop { compiler }) } else { Err(Box::new(compiler.into_compiled())) }
    }

    pub fn catalogue(&self) -> &Catalogue {
        &self.compiler.out
    }

    /// The sources, with those that were added.
    pub fn files(&self) -> &[SourceFile] {
        &self.compiler.files
    }

    /// A word by its name, or a title: in quotes, or where no word is called so.
    pub(crate) fn word(&self, name: &str) -> Option<WordId> {
        let title = |title: &str| self.compiler.names.words.get(&format!("\"{title}")).copied();
        match name.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
            Some(quoted) => title(quoted),
            None => self.compiler.names.words.get(name).copied().or_else(|| title(name)),
        }
    }

    /// Where the cards say in which sets they are.
    pub fn printings(&self) -> &[Printing] {
        &self.compiler.printings
    }

    /// The line of text that each ability of a card made, with where the ability stands: the file, its place and the line.
    pub fn printed(&self) -> impl Iterator<Item = (&SourceFile, Span, &str)> {
        let files = &self.compiler.files;
        self.compiler.printed.iter().filter_map(|(span, line)| Some((files.get(span.file as usize)?, *span, line.as_str())))
    }

    /// The cards with sentences that are written by hand, once for each sentence: a text above its abilities, or a template without
    /// parameters that is the text of one title only.
    pub fn by_hand(&self) -> Vec<DefId> {
        let Compiler { by_hand, out, .. } = &self.compiler;
        let title = |def: DefId| out.cards.get(def.index()).map(|card| card.title.as_str());
        let alone = |(template, def): &&(String, DefId)| by_hand.iter().all(|(other, by)| other != template || title(*by) == title(*def));
        by_hand.iter().filter(alone).map(|(_, def)| *def).collect()
    }

    /// The file and the line, from 1, that an instruction comes from, by its place among all.
    pub fn line_of(&self, op: usize) -> Option<(&str, usize)> {
        let span = self.compiler.op_spans.get(op)?;
        let file = self.compiler.files.get(span.file as usize)?;
        Some((&file.name, Lines::of(&file.text).line(span.start as usize) + 1))
    }

    /// Add items written in the language: cards, or anything a rules file may hold.
    pub fn add(&mut self, file: SourceFile) -> Result<(), String> {
        let compiler = &mut self.compiler;
        let place = compiler.files.len() as u16;
        let Parsed { groups, problems, repeats } = parser::parse_all([(place, file.text.as_str())].into_iter(), &mut compiler.owned);
        let items: Vec<_> = groups.into_iter().flatten().collect();
        compiler.files.push(file);
        compiler.names.repeats |= repeats;
        compiler.problems = problems;
        compiler.may_lack_numbers = true;
        compiler.compile_more(&items);
        compiler.place_cites();
        compiler.out.build_index();
        self.settle()
    }

    /// Compile a question about a state; the names stand for registers, in their order.
    pub fn question(&mut self, names: &[(String, Ty)], text: &str) -> Result<(ExprId, Ty), String> {
        let compiler = &mut self.compiler;
        let at = Span { file: compiler.files.len() as u16, start: 0, end: text.len() as u32 };
        compiler.files.push(SourceFile { name: "question".into(), text: text.to_string() });
        let found = match parser::parse_expr(at, text) {
            Ok(expr) => compiler.expr(&mut Cx::program(names), &expr),
            Err(problem) => {
                compiler.problems.push(problem);
                (ExprId::FIRST, Ty::Any)
            }
        };
        let settled = self.settle();
        self.compiler.files.pop();
        settled.map(|()| found)
    }

    fn settle(&mut self) -> Result<(), String> {
        self.compiler.plain_problems();
        let problems = std::mem::take(&mut self.compiler.problems);
        if problems.is_empty() {
            return Ok(());
        }
        let tell = |problem: &Diagnostic| {
            let hint = if problem.hint.is_empty() { String::new() } else { format!(" ({})", problem.hint) };
            format!("{}{hint}", problem.message)
        };
        Err(problems.iter().map(tell).collect::<Vec<_>>().join("; "))
    }
}
