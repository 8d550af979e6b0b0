//! The reference manual of the language, printed from the table of constructs.

use crate::lexer::{HEADS, JOINTS};
use crate::table::{ABILITIES, CALLABLES, Construct, EXPRESSIONS, ITEMS, STATEMENTS, Wants};
use crate::types::TYPES;
use trilogy_engine::inside::NATIVES;

const HEAD: &str = "# Saga, the language of rules and cards

This page is printed by the program (`trilogy cards manual`) from the table the compiler itself uses;
`cargo test` fails where the two differ. `games/tcg/rules/` is the best set of examples.

A source is a list of items. An item starts at the left margin; what belongs to it is indented. `#` starts a comment.
`@rule.id` behind a line cites the rule of the rulebook that the line implements; an unknown id is an error.
Names are declared once for a whole game, in any file and any order. Everything is typed and checked before a game starts.
Programs stop wherever a player is asked, and a stopped program is plain data: it can be copied, stored and gone on with.
The English of a card is printed from its program with the words that items give in quotes: in those, `{name}` stands for
an argument, `{name:each}` and `{name:many}` for each or all of several, `{name:bare}` for what lies in a zone
where the text says that itself, and `{name|one|many}` picks a word by number or person.
A verb behind the hole that a text starts with agrees with it (\"{c} is lost\": \"those units are lost\"), `{name}'s` is its
possessive, `{self}` the card; an amount that is worked out is told where it belongs (\"for each\", \"equal to\", \"where X is\").
What a card may use of the rules has English (`\"\"` says nothing, for what only keeps the books); a `def`, `proc` or `adjective` that stands
in a card and has none is told by what it does. What is chosen is told where something is first done with it.
A phrase that can mean no card is an error: `in` a zone that its noun does not look through, two members of one enumeration,
a word and `not` the same word.

";

/// What runs on, and what the formatter makes of it.
fn layout() -> String {
    let quoted = |words: &[&str]| words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ");
    format!(
        "## Lines

A block stands two blanks deeper than the line above it. A line runs on inside brackets, and where a deeper line follows that
opens no block: one that begins with a sign, a number, a text, a citation or one of the words
{};
and one below a line that ends with a comma, with a sign such as `=` or with `and`, `or`, `not`, `then` or `else`. No line runs on
behind a `:` at its end, because a block stands there. The items {}
have their block below them without a `:`; from their first line only a text, a citation or what follows a comma runs on.

`trilogy cards fmt` writes every source the same way. What an author broke stays broken, and a line over 120 characters is broken
at its loosest joints: before the clauses of a statement, behind `=`, before `where`, `else`, `or`, `and`, `+`, behind commas, and
what is still too long at the joints of its parts. A line that runs on stands four blanks deeper, parts of a part two more.
Citations stand behind the last line, or below it where they are too long; a text is never broken.

",
        quoted(&JOINTS),
        quoted(&HEADS)
    )
}

pub fn manual() -> String {
    let mut out = HEAD.to_string();
    out += &layout();
    section(&mut out, "Items", "What a file is made of.", ITEMS);
    section(
        &mut out,
        "Abilities",
        "What the lines of a card are, besides its numbers. `rule` takes the clauses among them (gets, forbid, allow, when).",
        ABILITIES,
    );
    section(
        &mut out,
        "Statements",
        "What programs are made of. A block stands behind `:`, indented, or one statement on the same line.",
        STATEMENTS,
    );
    section(&mut out, "Expressions", "What values are made of. They never change anything.", EXPRESSIONS);
    out += "## Built-in functions and verbs\n\nVerbs change the table and stand alone; `roll` and `random` stand right of `let`.\n\n| call | result | meaning |\n| --- | --- | --- |\n";
    for callable in CALLABLES {
        let params: Vec<&str> = callable.params.iter().map(|param| want(*param)).collect();
        let result = callable.result.map_or("", |ty| ty.name());
        out += &format!("| `{}({})` | {result} | {} |\n", callable.name, params.join(", "), callable.doc);
    }
    out += "\n## Types\n\n";
    let types: Vec<String> = TYPES.iter().map(|(name, _)| format!("`{name}`")).collect();
    out += &format!(
        "{}. A zone can stand wherever cards are gone through. A number stands for a truth where it is not zero. `none` fits every type.\n",
        types.join(", ")
    );
    out += "\n## Natives\n\n";
    if NATIVES.is_empty() {
        out += "Queries written in Rust because no composition can say them, each numbered, documented and tested. There are none: so far the language has carried every rule.\n";
    }
    for (at, native) in NATIVES.iter().enumerate() {
        out += &format!("{}. `{}`: {}\n", at + 1, native.name, native.doc);
    }
    out
}

fn section(out: &mut String, title: &str, intro: &str, rows: &[Construct]) {
    *out += &format!("## {title}\n\n{intro}\n\n| | written | meaning |\n| --- | --- | --- |\n");
    for row in rows {
        *out += &format!("| {} | `{}` | {} |\n", row.name, row.syntax.replace('|', "\\|"), row.doc.replace('|', "\\|"));
    }
    out.push('\n');
}

fn want(wants: Wants) -> &'static str {
    match wants {
        Wants::Value(ty) => ty.name(),
        Wants::AnyList => "list",
        Wants::CardOrCards => "card or cards",
        Wants::Role => "ROLE",
    }
}
