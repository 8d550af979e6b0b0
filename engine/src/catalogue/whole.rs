//! Whether a catalogue holds together: all that it speaks of is there, and all that is made of parts has an end. Who runs its programs
//! need not look again. Whatever a table may hold is named here, so that nothing new in one is forgotten.

use super::*;
use crate::state::ATTACHED;

/// Levels of expressions inside each other: as many as are told apart when it is counted how deep a question goes. (Of the three games
/// of 2026 the deepest has 17, the longest 84 parts, and a program at most 25 names.)
pub(super) const MOST_LEVELS: u16 = 400;
/// Parts of an expression, each counted as often as one comes to it: a hundred times what anybody writes, and little enough to make code of.
const MOST_PARTS: u32 = 10_000;
/// Texts inside each other.
const MOST_TEXTS: u8 = 60;
/// Names in one program: each that runs keeps them all.
const MOST_REGISTERS: u32 = 4_096;

impl Catalogue {
    /// What part of it does not hold together, where one does not.
    pub fn broken_part(&self) -> Option<&'static str> {
        let Some(known) = self.known() else { return Some("expressions") };
        let parts = [
            ("what the table is made of", known.table()),
            ("functions, values and scopes", known.questions()),
            ("programs", known.programs()),
            ("clauses", self.clauses.iter().all(|clause| known.clause(clause))),
            ("abilities", self.abilities.iter().all(|ability| known.ability(ability))),
            ("texts", known.texts()),
            ("cards", known.cards()),
        ];
        parts.into_iter().find(|(_, holds)| !holds).map(|(part, _)| part)
    }

    /// What there is to speak of, where expressions are in order: each is made of earlier ones that are there, so that there is an end to
    /// all of them.
    fn known(&self) -> Option<Known<'_>> {
        let mut known = Known { catalogue: self, registers: Vec::with_capacity(self.exprs.len()) };
        let mut sizes: Vec<(u16, u32)> = Vec::with_capacity(self.exprs.len());
        for (at, &expr) in ExprId::all(self.exprs.len()).zip(self.exprs.iter()) {
            if !known.speaks_of_known(expr) {
                return None;
            }
            let (mut earlier, mut levels, mut parts, mut registers) = (true, 0, 0u32, 0);
            self.parts(at, &mut |part| match sizes.get(part.index()) {
                Some(&(inner, size)) => {
                    levels = levels.max(inner);
                    parts = parts.saturating_add(size);
                    registers = registers.max(known.registers[part.index()]);
                }
                None => earlier = false,
            });
            if !earlier || levels >= MOST_LEVELS || parts >= MOST_PARTS {
                return None;
            }
            if let Expr::Register(register) = expr {
                registers = register.index() as u32 + 1;
            }
            sizes.push((levels + 1, parts + 1));
            known.registers.push(registers);
        }
        Some(known)
    }
}

/// What a catalogue may speak of.
struct Known<'c> {
    catalogue: &'c Catalogue,
    /// How many registers each expression needs.
    registers: Vec<u32>,
}

fn has<T>(table: &[T], id: impl Id) -> bool {
    id.index() < table.len()
}

impl Known<'_> {
    fn expr(&self, id: ExprId) -> bool {
        has(&self.catalogue.exprs, id)
    }
    fn text(&self, id: TextId) -> bool {
        has(&self.catalogue.texts, id)
    }
    fn cite(&self, id: Option<CiteId>) -> bool {
        id.is_none_or(|id| has(&self.catalogue.cites, id))
    }
    fn period(&self, id: Option<PeriodId>) -> bool {
        id.is_none_or(|id| has(&self.catalogue.periods, id))
    }
    fn player(&self, player: PlayerId) -> bool {
        player.index() < 2
    }
    fn args(&self, args: Args) -> bool {
        (args.start as usize).checked_add(args.len as usize).is_some_and(|end| end <= self.catalogue.args.len())
    }

    /// Whether all that an expression names besides its parts is there, and its parts are in the table of arguments.
    fn speaks_of_known(&self, expr: Expr) -> bool {
        let Contents { words, enums, zones, fields, player_counters, facts, stats, vars, roles, options, .. } = &**self.catalogue;
        let Contents { functions, permissions, texts, .. } = &**self.catalogue;
        match expr {
            Expr::None | Expr::Num(_) | Expr::Bool(_) | Expr::Me | Expr::Source | Expr::You | Expr::ChangesInPlay => true,
            // What is not bound is none.
            Expr::Register(_) | Expr::Local(_) => true,
            Expr::Word(word) | Expr::Is(_, word) => has(words, word),
            Expr::Player(player) => self.player(player),
            Expr::Zone(zone) => has(zones, zone),
            Expr::Text(text) => has(texts, text),
            Expr::Var(var) => has(vars, var),
            Expr::PlayerVar(first, _) => first.index() + 1 < vars.len(),
            Expr::Option(option) => has(options, option),
            Expr::Stat(stat, _) | Expr::StatFor(stat, ..) => has(stats, stat),
            Expr::Fact(fact, _) => has(facts, fact),
            Expr::Enum(which, _) | Expr::Members(which, _) => has(enums, which),
            Expr::Number(field, _) | Expr::Truth(field, _) | Expr::Field(field, _) => has(fields, field),
            Expr::PlayerCounter(counter, _) => has(player_counters, counter),
            Expr::HasRole(_, role) | Expr::Attached(role, _) => has(roles, role),
            Expr::Quantify(_, _, _, args) => args.len > 0 && self.args(args),
            Expr::Call(function, args) => has(functions, function) && self.args(args),
            Expr::May(permission, args) => has(permissions, permission) && self.args(args),
            Expr::List(args) | Expr::Native(_, args) => self.args(args),
            // A kind that no zone is of has none.
            Expr::ZoneOf(..) => true,
            Expr::Not(_) | Expr::Neg(_) | Expr::Bin(..) | Expr::If(..) | Expr::Prop(..) => true,
            Expr::Carries(..) | Expr::Words(_) | Expr::Mentions(..) | Expr::AllOn(_) | Expr::Range(..) | Expr::Item(..) => true,
            Expr::Moves(..) | Expr::Waiting(..) | Expr::WindowOver(_) | Expr::AnythingActsIn(_) | Expr::ActsIn(..) => true,
            Expr::Brings(..) => true,
        }
    }

    /// Players, zones, variables, counters and the like.
    fn table(&self) -> bool {
        let Contents { game: _, title: _, hash: _, players, words, enums, zones, fields, player_counters, .. } = &**self.catalogue;
        let Contents { facts: _, vars, periods: _, roles: _, options, events, windows, cites, cited_at, deck_zones, .. } =
            &**self.catalogue;
        let zone = |zone: &ZoneDef| {
            let ZoneDef { name: _, english: _, kind: _, player, up: _, down: _, live: _, acts: _, counted: _ } = zone;
            player.is_none_or(|player| self.player(player))
        };
        let field = |field: &FieldDef| {
            let FieldDef { name: _, sort, period, kept: _, open: _, shown: _ } = field;
            let sorted = match sort {
                FieldSort::Counter { english: _, floor, cap } => floor <= cap,
                FieldSort::Number | FieldSort::Truth | FieldSort::Value | FieldSort::List => true,
            };
            sorted && self.period(*period)
        };
        let counter = |counter: &CounterDef| {
            let CounterDef { name: _, english: _, shown: _, floor, cap, period } = counter;
            floor <= cap && self.period(*period)
        };
        let var = |var: &VarDef| {
            let VarDef { name: _, shown: _, player, init, period } = var;
            player.is_none_or(|player| self.player(player)) && init.is_none_or(|init| self.expr(init)) && self.period(*period)
        };
        let event = |event: &EventDef| {
            let EventDef { name: _, params, log, tone: _, quiet, shows } = event;
            let shown = |(sign, of): &(Sign, Vec<u32>)| {
                Sign::ALL.iter().any(|(_, other, count)| other == sign && of.len() == *count)
                    && of.iter().all(|place| (*place as usize) < params.len())
            };
            log.is_none_or(|log| self.text(log)) && quiet.is_none_or(|quiet| self.expr(quiet)) && shows.as_ref().is_none_or(shown)
        };
        let window = |window: &WindowDef| {
            let WindowDef { name: _, english: _, asking, until } = window;
            asking.is_none_or(|asking| self.text(asking)) && until.is_none_or(|until| self.expr(until))
        };
        players.len() == 2
            && deck_zones.len() == 2
            && deck_zones.iter().all(|deck| has(zones, *deck))
            && has(zones, ATTACHED)
            && zones.iter().all(zone)
            && enums.iter().all(|EnumDef { name: _, several: _, members }| members.iter().all(|word| has(words, *word)))
            && fields.iter().all(field)
            && player_counters.iter().all(counter)
            && vars.iter().all(var)
            && options.iter().all(|OptionDef { name: _, doc: _, choices }| !choices.is_empty())
            && events.iter().all(event)
            && windows.iter().all(window)
            && cited_at.iter().all(|(cite, _)| has(cites, *cite))
    }

    /// What is asked for by name, and what is asked of players and decks.
    fn questions(&self) -> bool {
        let Contents { functions, stats, scopes, permissions, asks, args, deck_rules, facts, values: _, .. } = &**self.catalogue;
        let stat = |stat: &StatDef| {
            let StatDef { name: _, shown: _, english: _, of_player: _, for_something: _, for_player: _, .. } = stat;
            let StatDef { base, fact, missing: _, floor: _, .. } = stat;
            base.is_none_or(|base| self.expr(base)) && fact.is_none_or(|fact| has(facts, fact))
        };
        let ask = |ask: &AskDef| {
            let AskDef { id: _, by: _, prompt, label, pass, warning, worth } = ask;
            self.text(*prompt)
                && [label, pass, warning].into_iter().flatten().all(|text| self.text(*text))
                && worth.is_none_or(|worth| self.expr(worth))
        };
        let scope = |scope: &ScopeDef| {
            let ScopeDef { name: _, test, subject, player } = scope;
            self.expr(*test) && self.expr(*subject) && player.is_none_or(|player| self.expr(player))
        };
        args.iter().all(|arg| self.expr(*arg))
            && functions.iter().all(|Function { name: _, params: _, body }| self.expr(*body))
            && stats.iter().all(stat)
            && scopes.iter().all(scope)
            && permissions.iter().all(|PermissionDef { name: _, params: _ }| true)
            && asks.iter().all(ask)
            && deck_rules.iter().all(|require| self.require(require))
    }

    fn require(&self, require: &Require) -> bool {
        let Require { test, reason, cite } = require;
        self.expr(*test) && self.text(*reason) && self.cite(*cite)
    }

    /// Each program lies before the next one, and does not run into it.
    fn programs(&self) -> bool {
        let Contents { procs, ops, main, .. } = &**self.catalogue;
        let mut starts: Vec<usize> = procs.iter().map(|proc| proc.start as usize).collect();
        starts.push(ops.len());
        starts.sort_unstable();
        let ends = |start: usize| starts.get(starts.partition_point(|other| *other <= start)).copied();
        let program = |proc: &Proc| {
            let Proc { name: _, start, params, registers, contains_faults: _ } = proc;
            let start = *start as usize;
            let Some(ops) = ends(start).and_then(|end| ops.get(start..end)) else { return false };
            *params <= *registers
                && *registers <= MOST_REGISTERS
                && matches!(ops.last(), Some(Op::Jump(_) | Op::Return(_) | Op::Win(_)))
                && ops.iter().all(|op| self.op(op, *registers, ops.len()))
        };
        starts.is_sorted_by(|a, b| a < b) && has(procs, *main) && procs.iter().all(program)
    }

    /// An instruction of a program with so many registers and instructions.
    fn op(&self, op: &Op, registers: u32, length: usize) -> bool {
        let Contents { procs, clauses, asks, roles, events, fields, player_counters, vars, .. } = &**self.catalogue;
        let register = |register: RegisterId| (register.index() as u32) < registers;
        let lies_here = |to: u32| (to as usize) < length;
        let names = match *op {
            Op::Set(to, _) => register(to),
            Op::SetVar(var, _) | Op::Bind(var, _) => has(vars, var),
            Op::SetPlayerVar(first, _, _) => first.index() + 1 < vars.len(),
            Op::Jump(to) | Op::JumpUnless(_, to) => lies_here(to),
            Op::Next(list, index, item, exit) => [list, index, item].into_iter().all(register) && lies_here(exit),
            Op::Call(program, args, result) => has(procs, program) && self.args(args) && result.is_none_or(register),
            Op::Replace(program, tried, result, exit) => {
                let given = |proc: &Proc| proc.params <= registers;
                procs.get(program.index()).is_some_and(given) && register(tried) && register(result) && lies_here(exit)
            }
            Op::Pick { to, ask, .. } | Op::Number { to, ask, .. } | Op::Order { to, ask, .. } => register(to) && has(asks, ask),
            Op::Attach { role, .. } => has(roles, role),
            Op::Count { counter, .. } => has(fields, counter),
            Op::Remember { field, .. } => has(fields, field),
            Op::CountPlayer { counter, .. } => has(player_counters, counter),
            Op::Roll { to, .. } | Op::Random { to, .. } => register(to),
            Op::Emit { event, args } => {
                self.args(args) && events.get(event.index()).is_some_and(|event| event.params.len() == args.len as usize)
            }
            Op::Lasting { clause, until } => has(clauses, clause) && self.period(until),
            Op::End(period) => self.period(Some(period)),
            Op::Return(_) | Op::Run(_) | Op::Repeat(..) | Op::Resolve(_) | Op::Drop(_) | Op::Use | Op::Unuse => true,
            Op::Place { .. } | Op::Turn { .. } | Op::Control { .. } | Op::PlaceBeside { .. } | Op::TakeOver { .. } => true,
            Op::Shuffle(_) | Op::Reveal { .. } | Op::Unbind(_) | Op::Win(_) => true,
        };
        let mut needs = names;
        if names {
            op.exprs(self.catalogue, &mut |id| needs &= self.registers.get(id.index()).is_some_and(|needed| *needed <= registers));
        }
        needs
    }

    fn clause(&self, clause: &Clause) -> bool {
        let Clause { kind, scope, when: _, reason, cite, english: _ } = clause;
        let Contents { stats, permissions, events, procs, abilities, scopes, .. } = &**self.catalogue;
        let speaks_of = match *kind {
            ClauseKind::Modify { stat, who: _, change: _, by: _, cumulative: _ } => has(stats, stat),
            ClauseKind::Permit { permission, allow: _, test: _ } => has(permissions, permission),
            ClauseKind::Trigger { event, test: _, program, class: _, limit } => {
                has(events, event) && has(procs, program) && limit.is_none_or(|limit| has(abilities, limit))
            }
            ClauseKind::Replace { proc, test: _, program } => has(procs, proc) && has(procs, program),
            ClauseKind::Grant { who: _, first, count } => first.index() + count as usize <= abilities.len(),
        };
        speaks_of
            && clause.exprs().all(|id| self.expr(id))
            && scope.is_none_or(|scope| has(scopes, scope))
            && reason.is_none_or(|reason| self.text(reason))
            && self.cite(*cite)
    }

    fn ability(&self, ability: &Ability) -> bool {
        let Ability { name: _, label, windows, scope, from: _, to, requires, limit, limit_shared: _, program, .. } = ability;
        let Ability { effect, worth: _, usual: _, warning, cite, def, .. } = ability;
        let Contents { procs, scopes, cards, .. } = &**self.catalogue;
        let aims = |to: &Targets| {
            let Targets { list: _, reason, cite } = to;
            self.text(*reason) && self.cite(*cite)
        };
        self.text(*label)
            && windows.words().len() <= self.catalogue.windows.len().div_ceil(64)
            && windows.iter().all(|window| window < self.catalogue.windows.len())
            && scope.is_none_or(|scope| has(scopes, scope))
            && to.as_ref().is_none_or(aims)
            && requires.iter().all(|require| self.require(require))
            && self.period(*limit)
            && has(procs, *program)
            && effect.is_none_or(|effect| has(procs, effect))
            && warning.is_none_or(|warning| self.text(warning))
            && self.cite(*cite)
            && def.is_none_or(|def| has(cards, def))
            && ability.exprs().all(|id| self.expr(id))
    }

    /// A text may stand in later ones, and what is asked in a window does not name what is asked in one.
    fn texts(&self) -> bool {
        let Contents { texts, windows, .. } = &**self.catalogue;
        /// How many stand inside it, and whether any speaks of a window.
        #[derive(Clone, Copy, Default)]
        struct Inside {
            texts: u8,
            window: bool,
        }
        let mut inside: Vec<Inside> = Vec::with_capacity(texts.len());
        for Text(pieces) in texts {
            let mut all = Inside::default();
            for piece in pieces {
                let (expr, others) = match piece {
                    Piece::Plain(_) | Piece::Moves => (None, [None, None]),
                    Piece::Hole(expr) | Piece::Plural(expr, _, _) => (Some(expr), [None, None]),
                    Piece::Window(expr) => {
                        all.window = true;
                        (Some(expr), [None, None])
                    }
                    Piece::When(test, then, otherwise) => (Some(test), [Some(*then), *otherwise]),
                };
                for other in others.into_iter().flatten() {
                    let Some(other) = inside.get(other.index()) else { return false };
                    all = Inside { texts: all.texts.max(other.texts + 1), window: all.window || other.window };
                }
                if expr.is_some_and(|expr| !self.expr(*expr)) || all.texts > MOST_TEXTS {
                    return false;
                }
            }
            inside.push(all);
        }
        windows.iter().filter_map(|window| window.asking).all(|asking| inside.get(asking.index()).is_some_and(|asking| !asking.window))
    }

    fn cards(&self) -> bool {
        let Contents { cards, words, facts: all_facts, clauses: all_clauses, abilities: all, rule_clauses, actions, .. } =
            &**self.catalogue;
        let card = |card: &CardDef| {
            let CardDef { key: _, marks: _, title: _, name, titles, words: carried, facts, clauses, abilities, text: _, .. } = card;
            let CardDef { lore, set: _, number: _, rarity: _, reprints: _, brings, .. } = card;
            [titles, carried, lore].into_iter().flatten().chain(name).all(|word| has(words, *word))
                && facts.len() == all_facts.len()
                && clauses.iter().all(|clause| has(all_clauses, *clause))
                && abilities.iter().all(|ability| has(all, *ability))
                && brings.iter().all(|(def, _)| has(cards, *def))
        };
        cards.iter().all(card)
            && rule_clauses.iter().all(|clause| has(all_clauses, *clause))
            && actions.iter().all(|ability| has(all, *ability))
    }
}
