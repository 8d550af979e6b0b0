//! Statements, their blocks and their questions.

use super::{Parser, Res};
use crate::ast::*;
use crate::diagnostics::Diagnostic;
use crate::lexer::Tok;

impl Parser {
    pub(super) fn block_or_line(&mut self) -> Res<Vec<Stmt>> {
        let span = self.span();
        let cites = self.cites();
        let mut body = if self.eat(&Tok::Newline) { self.block()? } else { vec![self.deeper(Self::statement)?] };
        if !cites.is_empty() {
            body.insert(0, Stmt { kind: StmtKind::Cite, cites, span });
        }
        Ok(body)
    }

    pub(super) fn block(&mut self) -> Res<Vec<Stmt>> {
        self.expect(Tok::Indent)?;
        self.statements()
    }

    /// To the end of the block that is open.
    pub(super) fn statements(&mut self) -> Res<Vec<Stmt>> {
        self.deeper(|parser| {
            let mut statements = Vec::new();
            while !parser.eat(&Tok::Dedent) {
                if *parser.peek() == Tok::End {
                    break;
                }
                statements.push(parser.statement()?);
            }
            Ok(statements)
        })
    }

    fn statement(&mut self) -> Res<Stmt> {
        let start = self.span();
        let word = match self.peek() {
            Tok::Name(word) => word.clone(),
            Tok::Cite(_) => {
                // A line of citations stands for the statements around it.
                let cites = self.cites();
                self.end_of_line()?;
                return Ok(Stmt { kind: StmtKind::Cite, cites, span: start });
            }
            _ => return self.wrong("a statement"),
        };
        let mut cites = Vec::new();
        if let Some(kind) = self.block_statement(&word, &mut cites)? {
            return Ok(Stmt { kind, cites, span: start.to(self.last_span()) });
        }
        let kind = self.simple_statement()?;
        cites.extend(self.cites());
        let span = start.to(self.last_span());
        self.end_of_line()?;
        Ok(Stmt { kind, cites, span })
    }

    /// A statement with a block or a clause, which brings its own line end; none where the word starts no such statement.
    fn block_statement(&mut self, word: &str, cites: &mut Vec<Name>) -> Res<Option<StmtKind>> {
        // A variable may be called like one of them.
        if matches!(self.peek_at(1), Tok::Assign | Tok::Dot | Tok::AddAssign | Tok::SubAssign) {
            return Ok(None);
        }
        let one_of =
            matches!(self.peek_at(1), Tok::Name(one) if one == "one") && !matches!(self.peek_at(2), Tok::Name(from) if from == "from");
        Ok(Some(match word {
            "if" => self.if_statement(cites)?,
            "unless" | "while" => {
                self.next();
                let test = self.expr()?;
                let body = self.body(cites)?;
                if word == "unless" { StmtKind::Unless(test, body) } else { StmtKind::While(test, body) }
            }
            "for" => {
                self.next();
                let name = self.name("a name for the item")?;
                self.expect_word("in")?;
                let list = self.expr()?;
                StmtKind::For(name, list, self.body(cites)?)
            }
            "may" => {
                self.next();
                StmtKind::May { question: self.question()?, body: self.body(cites)? }
            }
            "with" => {
                self.next();
                let mut bound = Vec::new();
                loop {
                    let name = self.name("a variable")?;
                    self.expect(Tok::Equal)?;
                    bound.push((name, self.expr()?));
                    if !self.eat(&Tok::Comma) {
                        break;
                    }
                }
                StmtKind::With(bound, self.body(cites)?)
            }
            "match" => self.match_statement(cites)?,
            "then" => {
                self.next();
                StmtKind::Then(self.body(cites)?)
            }
            "choose" if one_of => self.one_of(cites)?,
            "until" => {
                self.next();
                let period = self.name("a period")?;
                self.expect(Tok::Colon)?;
                let clause = self.clause()?;
                cites.extend(clause.cites.iter().cloned());
                StmtKind::Until(period, clause)
            }
            "once" => {
                self.next();
                self.expect(Tok::Colon)?;
                if !["when", "instead", "may"].iter().any(|word| self.is(word)) {
                    return self.wrong("`when` or `instead`");
                }
                StmtKind::Once(self.clause()?)
            }
            _ => return Ok(None),
        }))
    }

    fn if_statement(&mut self, cites: &mut Vec<Name>) -> Res<StmtKind> {
        self.next();
        let test = self.expr()?;
        let mut arms = vec![(test, self.body(cites)?)];
        loop {
            if self.eat_word("elif") {
                let test = self.expr()?;
                arms.push((test, self.body(cites)?));
            } else if self.eat_word("else") {
                return Ok(StmtKind::If(arms, Some(self.body(cites)?)));
            } else {
                return Ok(StmtKind::If(arms, None));
            }
        }
    }

    /// `match EXPR:` and a block with values and statements for each arm: the same as an `if` with a test for each.
    fn match_statement(&mut self, cites: &mut Vec<Name>) -> Res<StmtKind> {
        self.next();
        let of = self.expr()?;
        cites.extend(self.cites());
        self.expect(Tok::Colon)?;
        self.end_of_line()?;
        self.expect(Tok::Indent)?;
        let (mut arms, mut otherwise) = (Vec::new(), None);
        while !self.eat(&Tok::Dedent) {
            if otherwise.is_some() {
                return self.wrong("the end of the block: nothing comes after `else`");
            }
            if self.eat_word("else") {
                otherwise = Some(self.body(cites)?);
            } else {
                let test = self.arm(&of, &Tok::Comma)?;
                arms.push((test, self.body(cites)?));
            }
        }
        Ok(StmtKind::If(arms, otherwise))
    }

    /// `choose one [QUESTION]:` and a block with a text for each branch.
    fn one_of(&mut self, cites: &mut Vec<Name>) -> Res<StmtKind> {
        self.next();
        self.next();
        let question = self.question()?;
        cites.extend(self.cites());
        self.expect(Tok::Colon)?;
        self.end_of_line()?;
        self.expect(Tok::Indent)?;
        let mut branches = Vec::new();
        while !self.eat(&Tok::Dedent) {
            let label = self.text("the text of a choice")?;
            let test = if self.eat_word("if") { Some(self.expr()?) } else { None };
            self.expect(Tok::Colon)?;
            branches.push((label, test, self.block_or_line()?));
        }
        Ok(StmtKind::OneOf { question, branches })
    }

    /// The block of a statement, behind the citations and the colon that end its first line.
    fn body(&mut self, cites: &mut Vec<Name>) -> Res<Vec<Stmt>> {
        cites.extend(self.cites());
        self.expect(Tok::Colon)?;
        self.block_or_line()
    }

    /// A statement that ends with its line.
    fn simple_statement(&mut self) -> Res<StmtKind> {
        let word = match self.peek() {
            Tok::Name(word) => word.clone(),
            _ => return self.wrong("a statement"),
        };
        let follows_name = matches!(self.peek_at(1), Tok::Name(_));
        Ok(match word.as_str() {
            "let" if follows_name => {
                self.next();
                let name = self.name("a name")?;
                self.expect(Tok::Equal)?;
                StmtKind::Let(name, self.expr()?)
            }
            "return" => {
                self.next();
                let value = if matches!(self.peek(), Tok::Newline | Tok::Cite(_)) { None } else { Some(self.expr()?) };
                StmtKind::Return(value)
            }
            "choose" => self.choose()?,
            "number" if follows_name => {
                self.next();
                let name = self.name("a name for the number")?;
                self.expect_word("from")?;
                let least = self.sum()?;
                self.expect_word("to")?;
                let most = self.sum()?;
                StmtKind::Number { name, least, most, question: self.question()? }
            }
            "order" if follows_name => {
                self.next();
                let name = self.name("a name for the order")?;
                self.expect_word("from")?;
                let from = self.expr()?;
                StmtKind::Order { name, from, question: self.question()? }
            }
            "emit" if follows_name => {
                self.next();
                let name = self.name("an event")?;
                let args = if *self.peek() == Tok::Open { self.args()? } else { Vec::new() };
                StmtKind::Emit(name, args)
            }
            "end" if follows_name => {
                self.next();
                StmtKind::End(self.name("a period")?)
            }
            "run" if follows_name => {
                self.next();
                StmtKind::Run(self.expr()?)
            }
            "repeat" if follows_name => {
                self.next();
                self.repeats = true;
                let what = self.expr()?;
                StmtKind::Repeat(what, if self.eat_word("by") { Some(self.expr()?) } else { None })
            }
            "resolve" if follows_name => {
                self.next();
                StmtKind::Resolve(self.expr()?)
            }
            "drop" if follows_name => {
                self.next();
                StmtKind::Drop(self.expr()?)
            }
            "win" if follows_name => {
                self.next();
                StmtKind::Win(self.expr()?)
            }
            _ => {
                let target = self.expr()?;
                let change = match self.peek() {
                    Tok::Assign => Change::Set,
                    Tok::AddAssign => Change::Add,
                    Tok::SubAssign => Change::Subtract,
                    _ => return Ok(StmtKind::Call(target)),
                };
                self.next();
                StmtKind::Assign(target, change, self.expr()?)
            }
        })
    }

    /// `choose [up to N | ...] NAME from LIST [or none ["..."]] [QUESTION]`
    fn choose(&mut self) -> Res<StmtKind> {
        self.next();
        let mut how = self.how_many()?;
        let name = self.name("a name for what is chosen")?;
        self.expect_word("from")?;
        let from = self.expr()?;
        let after = self.last_span();
        let id = self.ask_id()?;
        let mut pass = None;
        if self.eat_word("or") {
            let span = self.span();
            self.expect_word("none")?;
            pass = self.optional_text();
            how = match how {
                HowMany::One => HowMany::OneOrNone,
                HowMany::UpTo(_) | HowMany::Any => how,
                _ => return Err(Diagnostic::new(span, "so many must be chosen: `none` is no answer".into())),
            };
        }
        Ok(StmtKind::Choose { name, how, from, question: Question { id, after, pass, ..self.question()? } })
    }

    /// `as NAME`: by what hosts know a question.
    fn ask_id(&mut self) -> Res<Option<Name>> {
        if self.eat_word("as") { self.name("the name of the question").map(Some) } else { Ok(None) }
    }

    /// `[as NAME] [by PLAYER] [asking "..."] [labelled "..."] [warning "..."] [worth EXPR]`, in this order.
    pub(super) fn question(&mut self) -> Res<Question> {
        let after = self.last_span();
        let id = self.ask_id()?;
        let by = if self.eat_word("by") { Some(self.expr()?) } else { None };
        let asking = if self.eat_word("asking") { Some(self.text("the question")?) } else { None };
        let labelled = if self.eat_word("labelled") { Some(self.text("what an option is called")?) } else { None };
        let warning = if self.eat_word("warning") { Some(self.text("what is given away")?) } else { None };
        let worth = if self.is("worth") { Some(self.worth()?) } else { None };
        Ok(Question { id, after, by, asking, labelled, pass: None, warning, worth })
    }

    pub(super) fn worth(&mut self) -> Res<Expr> {
        self.expect_word("worth")?;
        self.expr()
    }
}
