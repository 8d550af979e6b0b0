//! What players can do: actions of the rules and abilities of cards.

use super::Compiler;
use super::cards::Gathered;
use super::could::mentions;
use super::expressions::Cx;
use super::names::{Aliases, Callee, CostDef};
use super::statements::Code;
use super::timings::{Timing, Told};
use crate::ast::{self, Ability as Written, HowMany, ItemKind, Name, Paid, Step};
use crate::types::Ty;
use trilogy_engine::catalogue::*;
use trilogy_engine::inside::BitSet;

/// A jump to be led somewhere later, and the test without which it is taken.
type Jump = (usize, ExprId);

/// An ability that is being compiled: its program, and what is required before it.
struct Using<'a> {
    ability: &'a ast::Use,
    /// What every ability of its kind costs.
    own_costs: &'a [Paid],
    /// What its timing tells it.
    told: &'a [Told],
    /// Names as they are where it does not speak of that.
    outside: Aliases,
    /// Where its requirements are asked.
    pure: Cx,
    requires: Vec<Require>,
    cx: Cx,
    code: Code,
    /// Where it ends early.
    exits: Vec<Jump>,
    /// Where it comes to nothing before it is paid for.
    unpaid: Vec<Jump>,
    costs_something: bool,
    paid: bool,
}

fn jump_unless(code: &mut Code, test: ExprId) -> Jump {
    code.push(Op::JumpUnless(test, 0));
    (code.len() - 1, test)
}

impl Compiler {
    pub(super) fn action(&mut self, action: &ast::Action, cites: &[Name]) {
        let cite = self.cite(cites);
        let params: Vec<(String, Ty)> = action.params.iter().map(|param| (param.text.clone(), Ty::Card)).collect();
        let mut pure = Cx::pure(&params);
        // What is required is asked of the first card alone: the second one has its place there, but no name.
        let mut early = Cx::pure(
            &params
                .iter()
                .enumerate()
                .map(|(at, (name, ty))| (if at == 0 { name.clone() } else { " second".into() }, *ty))
                .collect::<Vec<_>>(),
        );
        let label = self.text(&mut pure, &action.label);
        let from = action.from.as_ref().map(|from| self.expr_of(&mut Cx::pure(&[]), from, Ty::Cards));
        if action.params.is_empty() == action.from.is_some() {
            self.fail(action.name.span, "an action with a card needs a `from` line, one without needs none");
        }
        if (action.params.len() == 2) != action.to.is_some() {
            self.fail(action.name.span, "an action with two cards needs a `to` line, any other needs none");
        }
        let requires = action.requires.iter().map(|require| self.require(&mut early, require)).collect();
        let to = action.to.as_ref().map(|to| Targets {
            list: self.expr_of(&mut early, &to.test, Ty::Cards),
            reason: self.text(&mut early, &to.reason),
            cite: self.cite(&to.cites),
        });
        let windows = self.window_set(&action.windows);
        let limit_shared = action.limit.as_ref().is_some_and(|limit| limit.shared);
        let limit = action.limit.as_ref().and_then(|limit| self.lookup("period", &limit.period, |names| &names.periods));
        self.asker = (Asker::Rules, action.name.text.clone());
        let program = self.new_proc(&action.name.text, true);
        let mut cx = Cx::program(&params);
        // Every ability finds its card in register 0.
        cx.next_register = cx.next_register.max(1);
        let mut code = vec![Op::Use];
        self.block(&mut cx, &mut code, &action.body);
        self.close(program, action.params.len().max(1), &cx, code, action.name.span);
        let worth = action.worth.as_ref().map(|worth| self.expr_of(&mut pure, worth, Ty::Bool));
        let usual = action.usual.as_ref().map(|usual| self.expr_of(&mut pure, usual, Ty::Bool));
        let warning = action.warning.as_ref().map(|warning| self.text(&mut pure, warning));
        let id = self.id(self.out.abilities.len(), action.name.span);
        self.out.actions.push(id);
        self.out.abilities.push(Ability {
            worth,
            usual,
            warning,
            name: action.name.text.clone(),
            label,
            windows,
            scope: None,
            from,
            to,
            requires,
            limit,
            limit_shared,
            program,
            effect: None,
            cite,
            def: None,
        });
    }

    pub(super) fn use_ability(&mut self, ability: &ast::Use, scope: Option<&Name>, card: &mut Gathered, speak: bool) {
        let Some(ItemKind::Kind { scope: own_scope, windows: own_windows, costs: own_costs, steps, step_cites, .. }) =
            self.lookup("kind of ability", &ability.kind, |names| &names.kinds)
        else {
            return;
        };
        let mut pure = Cx::pure(&[("it".into(), Ty::Card)]);
        let outside = self.aliases.clone();
        let Timing { windows, mut requires, limit, worth, cites, told } = self.timing(&mut pure, ability.timing.as_ref());
        let windows = self.window_set(if windows.is_empty() { &own_windows } else { &windows });
        let scope = self.lookup("scope", scope.unwrap_or(&own_scope), |names| &names.scopes);
        let line = self.english().speak_ability(&Written::Use(ability.clone()), speak);
        self.tell(&told);
        requires.extend(ability.requires.iter().map(|require| self.require(&mut pure, require)));
        self.asker = (Asker::Ability, ability.kind.text.clone());
        let program = self.new_proc(&format!("{} of {}", ability.kind.text, self.speaker.title()), true);
        let mut using = Using {
            ability,
            own_costs: &own_costs,
            told: &told,
            outside: outside.clone(),
            pure,
            requires,
            cx: Cx::program(&[("".into(), Ty::Card)]),
            code: vec![Op::Use],
            exits: Vec::new(),
            unpaid: Vec::new(),
            costs_something: steps.contains(&Step::Pay),
            paid: false,
        };
        self.use_steps(&mut using, &steps, &step_cites);
        let Using { pure, requires, cx, code, .. } = using;
        self.close(program, 1, &cx, code, ability.span);
        let effect = self.effect_alone(ability, &told, &outside);
        self.aliases = outside;
        if speak {
            self.print_line(line.clone(), ability.span, card);
        }
        // A move of a keyword is called by the keyword.
        let label = self.template_label.clone().unwrap_or(line);
        let label = self.label_with_costs(&pure, label, &own_costs);
        let limit_shared = limit.as_ref().is_some_and(|limit| limit.shared);
        let limit = limit.and_then(|limit| self.lookup("period", &limit.period, |names| &names.periods));
        // A limit that is used up is a matter of the timing's rule.
        let cite = cites.first().map(|cite| self.cite_id(&cite.text));
        card.abilities.push(self.id(self.out.abilities.len(), ability.span));
        self.out.abilities.push(Ability {
            worth,
            warning: None,
            name: ability.kind.text.clone(),
            label,
            windows,
            scope,
            from: None,
            to: None,
            usual: None,
            requires,
            limit,
            limit_shared,
            program,
            effect,
            cite,
            def: Some(card.def),
        });
    }

    /// The program of an ability, in the order of the steps that its kind has.
    fn use_steps(&mut self, using: &mut Using, steps: &[Step], step_cites: &[Name]) {
        let ability = using.ability;
        let permission = steps.iter().find_map(|step| if let Step::Target(permission) = step { permission.as_ref() } else { None });
        let could = if steps.contains(&Step::Could) { self.could(&ability.body) } else { None };
        // The effect finds what happened as it was, whatever happens meanwhile.
        for Told { name, ty, expr } in using.told {
            let value = self.expr_of(&mut using.cx, expr, *ty);
            let to = using.cx.register(&name.text, *ty);
            using.code.push(Op::Set(to, value));
        }
        let mut aimed = self.aim(ability, using.own_costs, permission, could.clone(), step_cites);
        for step in steps {
            match step {
                // With targets it is asked of them.
                Step::Could => {
                    if let Some(test) = could.as_ref().filter(|_| ability.targets.is_empty()) {
                        using.requires.push(self.could_require(&ability.body, test, step_cites));
                    }
                }
                Step::Target(_) => {
                    using.requires.extend(aimed.require.take());
                    self.choose_targets(using, &aimed.from);
                }
                Step::Pay => self.pay(using),
                Step::Respond(name) => self.offer_responses(using, name),
                Step::Effect => {
                    let told = std::mem::replace(&mut self.aliases, using.outside.clone());
                    self.block(&mut using.cx, &mut using.code, &ability.body);
                    self.aliases = told;
                }
            }
        }
        self.end_use(using);
    }

    /// The targets and the effect of an ability without the rest, where something in the game repeats effects. What it was told
    /// is asked anew, and what was paid for it is not there: an effect that speaks of that cannot be repeated.
    fn effect_alone(&mut self, ability: &ast::Use, told: &[Told], outside: &Aliases) -> Option<ProcId> {
        let repeatable = self.names.repeats && ability.costs.iter().all(|paid| paid.took.is_none());
        repeatable.then(|| {
            let program = self.new_proc(&format!("effect of {}", self.speaker.title()), true);
            let mut using = Using {
                ability,
                own_costs: &[],
                told,
                outside: outside.clone(),
                pure: Cx::pure(&[("it".into(), Ty::Card)]),
                requires: Vec::new(),
                cx: Cx::program(&[("".into(), Ty::Card)]),
                code: Vec::new(),
                exits: Vec::new(),
                unpaid: Vec::new(),
                costs_something: false,
                paid: true,
            };
            self.tell(told);
            self.use_steps(&mut using, &[Step::Target(None), Step::Effect], &[]);
            self.aliases = outside.clone();
            self.close(program, 1, &using.cx, using.code, ability.span);
            program
        })
    }

    fn choose_targets(&mut self, using: &mut Using, from: &[ast::Expr]) {
        for (target, from) in using.ability.targets.iter().zip(from) {
            self.cite(&target.cites);
            let default = self.english().choose_english(&target.how, &target.from);
            let (from, item) = self.list(&mut using.cx, from);
            let prompt = self.usual_prompt(&default);
            let (who, ask) =
                (self.add(Expr::You), self.ask(AskDef { by: self.asker.0, id: self.asker.1.clone(), prompt, ..AskDef::default() }));
            let one = self.add(Expr::Num(1));
            let (least, most, list) = match &target.how {
                HowMany::One | HowMany::OneOrNone => (one, one, false),
                HowMany::UpTo(n) => (one, self.expr_of(&mut using.cx, n, Ty::Num), true),
                HowMany::AtLeast(n) => (self.expr_of(&mut using.cx, n, Ty::Num), self.add(Expr::Num(i32::MAX)), true),
                HowMany::Exactly(n) => {
                    let n = self.expr_of(&mut using.cx, n, Ty::Num);
                    (n, n, true)
                }
                HowMany::Any => (one, self.add(Expr::Num(i32::MAX)), true),
            };
            let to = using.cx.register(&target.name.text, if list { item.list_of() } else { item });
            using.code.push(Op::Pick { to, who, from, least, most, ask, list });
            // Paying may have taken the last target away: then nothing happens.
            if using.paid {
                let picked = self.add(Expr::Register(to));
                let (there, nothing) = match list {
                    true => (self.add(Expr::Prop(Prop::Size, picked)), self.add(Expr::Num(0))),
                    false => (picked, self.add(Expr::None)),
                };
                let found = self.add(Expr::Bin(BinOp::Ne, there, nothing));
                using.exits.push(jump_unless(&mut using.code, found));
            }
        }
    }

    fn pay(&mut self, using: &mut Using) {
        using.paid = true;
        let ability = using.ability;
        // What every cost comes to is settled before any is paid: paying one may change what the others read.
        let mut due = Vec::new();
        for Paid { cost: name, args, took } in ability.costs.iter().chain(using.own_costs) {
            let Some(cost) = self.lookup("cost", name, |names| &names.costs) else { continue };
            // What depends on the target was asked with the target.
            let settled = args.iter().all(|arg| !ability.targets.iter().any(|target| mentions(arg, &target.name.text)));
            for (test, reason, cite) in cost.requires.iter().filter(|_| settled) {
                let values = self.typed_args(&mut using.pure, name, args, &cost.program.params);
                let test = self.add(Expr::Call(*test, values));
                let mut told = using.pure.clone();
                let saved = self.open_aliases(&cost.program.params, args);
                let reason = self.text(&mut told, reason);
                self.aliases = saved;
                using.requires.push(Require { test, reason, cite: *cite });
            }
            if let Some(took) = took.as_ref().filter(|_| !cost.program.returns) {
                self.fail(took.span, format!("the cost `{}` does not say what it takes", name.text));
            }
            let values = self.settled_args(&mut using.cx, &mut using.code, name, args, &cost.program.params);
            due.push((cost.program, values, took));
        }
        for (program, values, took) in due {
            // One that takes something was not paid where it took nothing.
            let (ty, unpaid) = if program.returns { (program.result, Expr::None) } else { (Ty::Bool, Expr::Bool(false)) };
            let to = using.cx.register(took.as_ref().map_or("", |took| &took.text), ty);
            using.code.push(Op::Call(program.id, values, Some(to)));
            let (result, not_paid) = (self.add(Expr::Register(to)), self.add(unpaid));
            let goes_on = self.add(Expr::Bin(BinOp::Ne, result, not_paid));
            using.unpaid.push(jump_unless(&mut using.code, goes_on));
        }
    }

    fn offer_responses(&mut self, using: &mut Using, name: &Name) {
        let Some(callee) = self.lookup("program", name, |names| &names.procs) else { return };
        let args = match &callee.params[..] {
            [] => Args::default(),
            [(_, Ty::Cards)] => self.all_targets(&mut using.cx, using.ability, false),
            [(_, Ty::Cards), (_, Ty::Words)] => self.all_targets(&mut using.cx, using.ability, true),
            _ => {
                self.fail(name.span, "a program that offers responses takes nothing, the targets, or the targets and their purposes");
                Args::default()
            }
        };
        if callee.result != Ty::Bool {
            self.fail(name.span, "a program that offers responses returns a bool");
        }
        let to = using.cx.register("", Ty::Bool);
        using.code.push(Op::Call(callee.id, args, Some(to)));
        let stopped = self.add(Expr::Register(to));
        let goes_on = self.add(Expr::Not(stopped));
        let jump = jump_unless(&mut using.code, goes_on);
        if using.paid || !using.costs_something { &mut using.exits } else { &mut using.unpaid }.push(jump);
    }

    /// Lead the jumps out of an ability to its end; one that was not paid for was not used.
    fn end_use(&mut self, using: &mut Using) {
        for &(exit, test) in &using.exits {
            using.code[exit] = Op::JumpUnless(test, using.code.len() as u32);
        }
        if !using.unpaid.is_empty() {
            let none = self.add(Expr::None);
            using.code.push(Op::Return(none));
            for &(exit, test) in &using.unpaid {
                using.code[exit] = Op::JumpUnless(test, using.code.len() as u32);
            }
            using.code.push(Op::Unuse);
        }
    }

    /// Arguments as they are now: what could change later goes into registers.
    fn settled_args(&mut self, cx: &mut Cx, code: &mut Code, name: &Name, args: &[ast::Expr], params: &[(String, Ty)]) -> Args {
        let written = self.typed_args(cx, name, args, params);
        let mut settled = Vec::new();
        for (at, (_, ty)) in (written.start as usize..).zip(params).take(written.len as usize) {
            let value = self.out.args[at];
            let fixed = matches!(
                self.out.exprs[value.index()],
                Expr::None | Expr::Num(_) | Expr::Bool(_) | Expr::Player(_) | Expr::Word(_) | Expr::Register(_) | Expr::You | Expr::Me
            );
            settled.push(if fixed {
                value
            } else {
                let to = cx.register("", *ty);
                code.push(Op::Set(to, value));
                self.add(Expr::Register(to))
            });
        }
        self.args(&settled)
    }

    /// What an ability says and, behind it, what it costs now besides that.
    fn label_with_costs(&mut self, pure: &Cx, line: String, costs: &[Paid]) -> TextId {
        let mut pieces = vec![Piece::Plain(line)];
        for Paid { cost: name, args, .. } in costs {
            let Some(CostDef { program: Callee { params, says: Some(says), .. }, .. }) = self.lookup("cost", name, |names| &names.costs)
            else {
                continue;
            };
            let outside = self.open_aliases(&params, args);
            pieces.extend(self.pieces(&mut pure.clone(), &says.text, says.span));
            self.aliases = outside;
        }
        self.new_text(pieces)
    }

    fn window_set(&mut self, windows: &[Name]) -> BitSet {
        let mut set = BitSet::default();
        for window in windows {
            if let Some(at) = self.lookup("window", window, |names| &names.windows) {
                set.insert(at.index());
            }
        }
        set
    }

    pub(super) fn require(&mut self, cx: &mut Cx, require: &ast::Require) -> Require {
        let test = self.expr_of(cx, &require.test, Ty::Bool);
        let reason = self.text(cx, &require.reason);
        Require { test, reason, cite: self.cite(&require.cites) }
    }
}
