//! Catalogues that do not hold together are refused when they are read, whatever hash they have: who runs their programs need not look
//! again. Each case was once a way to stop the program, or could have been one.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::path::Path;
use std::sync::{Arc, LazyLock};
use trilogy_engine::catalogue::*;
use trilogy_engine::{Catalogue, Game, Setup, Silent, Status};
use trilogy_saga::{SourceFile, compile, compile_folder};

static TOY: LazyLock<Catalogue> = LazyLock::new(|| {
    let compiled = compile_folder(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/toy")).unwrap();
    assert!(compiled.problems.is_empty());
    compiled.catalogue
});

/// The toy game with a change is refused for this part of it.
fn refused(part: &str, change: impl FnOnce(&mut Catalogue)) {
    let mut changed = TOY.clone();
    change(&mut changed);
    let told = Catalogue::from_bytes(&changed.to_bytes()).err().unwrap_or_else(|| panic!("a fault in the {part} is not seen"));
    assert!(told.to_string().contains(&format!("its {part} do not hold together")), "{told}");
}

fn exprs(catalogue: &mut Catalogue) -> &mut Vec<Expr> {
    Arc::make_mut(&mut catalogue.exprs)
}

fn last(exprs: &[Expr]) -> ExprId {
    ExprId::new(exprs.len() - 1).unwrap()
}

/// The place of the first instruction that is such a one.
fn first_op(catalogue: &Catalogue, such: impl Fn(&Op) -> bool) -> usize {
    catalogue.ops.iter().position(such).unwrap()
}

#[test]
fn expressions_are_made_of_earlier_ones_and_have_an_end() {
    assert!(Catalogue::from_bytes(&TOY.to_bytes()).is_ok());
    let part = "expressions";
    refused(part, |toy| {
        let exprs = exprs(toy);
        exprs.push(Expr::Not(ExprId::new(exprs.len()).unwrap()));
    });
    // So deep that the stack would not do for it; and little that comes to more than there is room for.
    let grown = |toy: &mut Catalogue, times: usize, grow: &dyn Fn(ExprId) -> Expr| {
        let exprs = exprs(toy);
        (0..times).for_each(|_| exprs.push(grow(last(exprs))));
    };
    refused(part, |toy| grown(toy, 100_000, &Expr::Not));
    refused(part, |toy| grown(toy, 64, &|part| Expr::Bin(BinOp::Add, part, part)));
    let none = Args { start: 0, len: 0 };
    for speaks_of_nothing in [
        Expr::Word(WordId::new(60_000).unwrap()),
        Expr::PlayerVar(VarId::new(TOY.vars.len() - 1).unwrap(), ExprId::FIRST),
        Expr::Option(OptionId::new(60_000).unwrap()),
        Expr::HasRole(ExprId::FIRST, RoleId::new(60_000).unwrap()),
        Expr::Quantify(Quantifier::Any, ExprId::FIRST, LocalId::FIRST, none),
        Expr::List(Args { start: u32::MAX, len: u32::MAX }),
    ] {
        refused(part, |toy| exprs(toy).push(speaks_of_nothing));
    }
}

#[test]
fn programs_stay_within_themselves() {
    let part = "programs";
    refused(part, |toy| toy.main = ProcId::new(60_000).unwrap());
    refused(part, |toy| toy.procs[0].registers = 1_000_000);
    refused(part, |toy| toy.procs[1].start = toy.procs[0].start);
    refused(part, |toy| assert!(toy.ops.pop().is_some()));
    refused(part, |toy| {
        let at = first_op(toy, |op| matches!(op, Op::Jump(_)));
        toy.ops[at] = Op::Jump(60_000);
    });
    refused(part, |toy| {
        let at = first_op(toy, |op| matches!(op, Op::Set(..)));
        toy.ops[at] = Op::Set(RegisterId::new(4_095).unwrap(), ExprId::FIRST);
    });
    // An expression over a register that the program does not have.
    refused(part, |toy| {
        exprs(toy).push(Expr::Register(RegisterId::new(4_095).unwrap()));
        let (at, register) = (first_op(toy, |op| matches!(op, Op::Return(_))), last(&toy.exprs));
        toy.ops[at] = Op::Return(register);
    });
    // An event that is told with less than its text speaks of.
    refused(part, |toy| {
        let at = first_op(toy, |op| matches!(op, Op::Emit { args, .. } if args.len > 0));
        if let Op::Emit { args, .. } = &mut toy.ops[at] {
            args.len -= 1;
        }
    });
}

#[test]
fn all_else_speaks_of_what_is_there() {
    refused("what the table is made of", |toy| assert!(toy.players.pop().is_some()));
    refused("what the table is made of", |toy| {
        let counter = toy.player_counters.first_mut().unwrap();
        (counter.floor, counter.cap) = (1, 0);
    });
    refused("functions, values and scopes", |toy| toy.stats[0].base = Some(ExprId::new(1_000_000).unwrap()));
    refused("clauses", |toy| toy.clauses[0].cite = Some(CiteId::new(1_000_000).unwrap()));
    // A window that is not there, in a set with room for as many as there are bytes.
    refused("abilities", |toy| toy.abilities[0].windows.insert(60_000));
    refused("cards", |toy| toy.cards[0].facts.clear());
    // A text that stands in itself, and one that asks for what is asked in its own window.
    refused("texts", |toy| {
        let own = TextId::new(toy.texts.len()).unwrap();
        toy.texts.push(Text(vec![Piece::When(ExprId::FIRST, own, None)]));
    });
    refused("texts", |toy| {
        let own = TextId::new(toy.texts.len()).unwrap();
        toy.texts.push(Text(vec![Piece::Window(ExprId::FIRST)]));
        toy.windows[0].asking = Some(own);
    });
}

/// Numbers at the ends of what there is neither wrap nor stop a game.
#[test]
fn numbers_have_ends() {
    let least = "(-2147483647 - 1)";
    let text = format!(
        "game g \"G\"\nplayers A, B\nzone deck of player: deck\nzone porch: live\nstat glow of card printed\nfield n of card: num\n\
         scope usual when true\nnoun guest/guests from porch.cards where it.zone = porch\ncard \"C\"\n  glow 1\n  [guests] gets glow +{least}\n\
         proc main\n  place(A.deck.cards, porch)\n  for c in porch.cards:\n    c.n := {least}\n    c.n := 2147483647\n\
         \x20 if any(c in porch.cards where c.n = 2147483647 and c.glow < 0): win A\n  win B\n"
    );
    let compiled = compile(vec![SourceFile { name: "rules/one.saga".into(), text }], None);
    assert!(compiled.problems.is_empty(), "{:?}", compiled.problems);
    let deck = vec!["C".to_string(); 2];
    let setup = Setup { decks: [deck, Vec::new()], options: Default::default(), seed: [0; 32] };
    let game = Game::new(Arc::new(compiled.catalogue), setup, &mut Silent).unwrap();
    assert_eq!(*game.status(), Status::Won(trilogy_engine::PlayerId(0)));
}

/// What cannot be read again is told of where it is written.
#[test]
fn what_cannot_be_kept_is_an_error_of_its_sources() {
    let little = "game g \"G\"\nplayers A, B\nzone deck of player: deck\nproc main\n  win A\n".to_string();
    let many: String = (0..5_000).map(|at| format!("  let x{at} = {at}\n")).collect();
    for (text, well) in [(little.clone(), true), (little.replace("  win A", &format!("{many}  win A")), false)] {
        let compiled = compile(vec![SourceFile { name: "rules/one.saga".into(), text }], None);
        assert_eq!(compiled.problems.is_empty(), well, "{:?}", compiled.problems);
        assert!(well || compiled.problems[0].message.contains("its programs"), "{:?}", compiled.problems);
    }
}
