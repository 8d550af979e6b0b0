//! What players are asked: choices, numbers, orders, and the words of a question.

use super::Compiler;
use super::expressions::Cx;
use super::statements::{Code, land};
use crate::ast::{self, ExprKind, HowMany, Name, Question, Stmt};
use crate::diagnostics::Span;
use crate::english::English;
use crate::own::plain_name;
use crate::types::Ty;
use trilogy_engine::catalogue::*;

/// A branch of `choose one`: its text, when it is offered, and what it does.
type Branch = (ast::Text, Option<ast::Expr>, Vec<Stmt>);

impl Compiler {
    pub(super) fn choose(&mut self, cx: &mut Cx, code: &mut Code, name: &Name, how: &HowMany, from: &ast::Expr, question: &Question) {
        let made = |english: &mut English| english.choose_english(how, from);
        let (options, item) = self.list(cx, from);
        let (who, ask) = self.question(cx, question, made, item);
        let from = options;
        let (one, zero) = (self.add(Expr::Num(1)), self.add(Expr::Num(0)));
        let all = self.add(Expr::Num(i32::MAX));
        let (least, most, list) = match how {
            HowMany::One => (one, one, false),
            HowMany::OneOrNone => (zero, one, false),
            HowMany::UpTo(n) => (zero, self.expr_of(cx, n, Ty::Num), true),
            HowMany::AtLeast(n) => (self.expr_of(cx, n, Ty::Num), all, true),
            HowMany::Exactly(n) => {
                let n = self.expr_of(cx, n, Ty::Num);
                (n, n, true)
            }
            HowMany::Any => (zero, all, true),
        };
        self.is_free(name);
        let to = cx.register(&name.text, if list { item.list_of() } else { item });
        code.push(Op::Pick { to, who, from, least, most, ask, list });
    }

    pub(super) fn choose_number(
        &mut self,
        cx: &mut Cx,
        code: &mut Code,
        name: &Name,
        bounds: (&ast::Expr, &ast::Expr),
        question: &Question,
    ) {
        let (least, most) = (self.expr_of(cx, bounds.0, Ty::Num), self.expr_of(cx, bounds.1, Ty::Num));
        let (who, ask) = self.question(cx, question, |_| "Choose a number".into(), Ty::Num);
        self.is_free(name);
        let to = cx.register(&name.text, Ty::Num);
        code.push(Op::Number { to, who, least, most, ask });
    }

    pub(super) fn choose_order(&mut self, cx: &mut Cx, code: &mut Code, name: &Name, from: &ast::Expr, question: &Question) {
        let (from, item) = self.list(cx, from);
        let (who, ask) = self.question(cx, question, |_| "Choose an order".into(), item);
        self.is_free(name);
        let to = cx.register(&name.text, item.list_of());
        code.push(Op::Order { to, who, from, ask });
    }

    pub(super) fn may(&mut self, cx: &mut Cx, code: &mut Code, question: &Question, body: &[Stmt]) {
        let made = |english: &mut English| english.speak_may(body);
        let (who, ask) = self.question(cx, question, made, Ty::Any);
        let no = self.plain_text("No");
        self.out.asks[ask.index()].pass.get_or_insert(no);
        let yes = self.plain_text("Yes");
        let yes = self.add(Expr::Text(yes));
        let to = self.offer(cx, code, who, &[yes], 0, ask);
        let (to, none) = (self.add(Expr::Register(to)), self.add(Expr::None));
        let test = self.add(Expr::Bin(BinOp::Ne, to, none));
        self.skip_unless(cx, code, test, body);
    }

    pub(super) fn one_of(&mut self, cx: &mut Cx, code: &mut Code, question: &Question, branches: &[Branch]) {
        let (who, ask) = self.question(cx, question, |_| "Choose one".into(), Ty::Any);
        let mut labels = Vec::new();
        let mut offered = Vec::new();
        for (label, test, _) in branches {
            let text = self.text(cx, label);
            let label = self.add(Expr::Text(text));
            labels.push(label);
            offered.push(match test {
                Some(test) => {
                    let (test, none) = (self.expr_of(cx, test, Ty::Bool), self.add(Expr::None));
                    self.add(Expr::If(test, label, none))
                }
                None => label,
            });
        }
        let to = self.offer(cx, code, who, &offered, 1, ask);
        let to = self.add(Expr::Register(to));
        let mut exits = Vec::new();
        for ((_, _, body), label) in branches.iter().zip(labels) {
            let test = self.add(Expr::Bin(BinOp::Eq, to, label));
            exits.push(self.arm(cx, code, test, body));
        }
        land(code, &exits);
    }

    /// Offer texts to pick one from; the register that takes the pick.
    fn offer(&mut self, cx: &mut Cx, code: &mut Code, who: ExprId, options: &[ExprId], least: i32, ask: AskId) -> RegisterId {
        let args = self.args(options);
        let from = self.add(Expr::List(args));
        let (least, most) = (self.add(Expr::Num(least)), self.add(Expr::Num(1)));
        let to = cx.register("", Ty::Any);
        code.push(Op::Pick { to, who, from, least, most, ask, list: false });
        to
    }

    /// Who is asked, and what belongs to the question. Texts about an answer call it `it`.
    fn question(&mut self, cx: &mut Cx, question: &Question, made: impl Fn(&mut English) -> String, answer: Ty) -> (ExprId, AskId) {
        let who = match &question.by {
            Some(by) => self.expr_of(cx, by, Ty::Player),
            None => self.add(Expr::You),
        };
        let prompt = match &question.asking {
            Some(text) => self.text(cx, text),
            None => self.made_prompt(question.by.as_ref(), who, made),
        };
        let mut about = Cx { locals: vec![("it".into(), answer)], ..cx.clone() };
        let mut said = |text: &Option<ast::Text>| text.as_ref().map(|text| self.text(&mut about, text));
        let (label, pass, warning) = (said(&question.labelled), said(&question.pass), said(&question.warning));
        let worth = question.worth.as_ref().map(|worth| self.expr_of(cx, worth, Ty::Bool));
        let by = self.asker.0;
        let id = self.name_of_question(question);
        (who, self.ask(AskDef { id, by, prompt, label, pass, warning, worth }))
    }

    /// By what hosts know it. A program may ask several things, and is called by many: each of its questions says what it is. What
    /// an ability or a trigger asks is known by its kind or event, and by its card.
    fn name_of_question(&mut self, question: &Question) -> String {
        let (by, asker) = self.asker.clone();
        match &question.id {
            Some(id) => id.text.clone(),
            None => {
                if matches!(by, Asker::Rules | Asker::Cost) {
                    self.fail(question.after, "a question of a program needs a name: write `as NAME` here");
                }
                asker
            }
        }
    }

    pub(super) fn ask(&mut self, def: AskDef) -> AskId {
        let id = self.id(self.out.asks.len(), Span::default());
        // Hosts know a question by its name as the card wrote it.
        self.out.asks.push(AskDef { id: plain_name(&def.id).to_string(), ..def });
        id
    }

    /// A question made from what the statement says, as whoever is asked would put it; where only the game knows who that is, with
    /// words for each.
    fn made_prompt(&mut self, by: Option<&ast::Expr>, who: ExprId, made: impl Fn(&mut English) -> String) -> TextId {
        let named = by.map(|by| match &*by.kind {
            ExprKind::Name(name) => name.as_str(),
            _ => "",
        });
        let own = made(&mut self.english());
        if matches!(named, None | Some("you")) {
            return self.usual_prompt(&own);
        }
        let other = self.english().seen_by_opponent(&made);
        if named == Some("opponent") || own == other {
            return self.usual_prompt(&other);
        }
        let you = self.add(Expr::You);
        let test = self.add(Expr::Bin(BinOp::Eq, who, you));
        let (own, other) = (self.usual_prompt(&own), self.usual_prompt(&other));
        self.new_text(vec![Piece::When(test, own, Some(other))])
    }

    /// A question that the printer words: the card whose text asks it comes first.
    pub(super) fn usual_prompt(&mut self, says: &str) -> TextId {
        match self.speaker.title().to_string().as_str() {
            "" => self.plain_text(says),
            title => self.plain_text(&format!("{title}: {says}")),
        }
    }
}
