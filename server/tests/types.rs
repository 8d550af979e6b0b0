//! `web/src/protocol.ts` is written from `src/protocol.rs`: `UPDATE_TYPES=1 cargo test -p trilogy-server --test types`.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::collections::BTreeMap;
use trilogy_server::protocol::*;
use ts_rs::{Config, TS, TypeVisitor};

const PATH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../web/src/protocol.ts");

#[test]
fn the_types_of_the_client_are_up_to_date() {
    let now = typescript();
    if std::env::var_os("UPDATE_TYPES").is_some() {
        std::fs::write(PATH, &now).expect("web/src/protocol.ts can be written");
    }
    let kept = std::fs::read_to_string(PATH).unwrap_or_default();
    assert!(kept == now, "web/src/protocol.ts is out of date: UPDATE_TYPES=1 cargo test -p trilogy-server --test types");
}

fn typescript() -> String {
    let mut types = Types::default();
    types.visit::<ClientMessage>();
    types.visit::<ServerMessage>();
    types.visit::<Table>();
    types.visit::<GameInfo>();
    types.visit::<CardInfo>();
    types.visit::<RuleInfo>();
    types.visit::<VocabularyInfo>();
    types.visit::<DeckInfo>();
    types.visit::<DeckReport>();
    types.visit::<Me>();
    types.visit::<NewTable>();
    types.visit::<Replay>();
    types.visit::<History>();
    types.visit::<AdminUser>();
    types.visit::<Troubles>();
    types.visit::<Problem>();
    let declared: Vec<String> = types.0.into_values().collect();
    format!(
        "// Written by server/tests/types.rs from server/src/protocol.rs; do not edit.\n\nexport const PROTOCOL = {PROTOCOL};\n\n{}\n",
        declared.join("\n\n")
    )
}

/// Each type that is met, with those it is made of, by name: the order in which they are met changes from build to build.
#[derive(Default)]
struct Types(BTreeMap<String, String>);

impl TypeVisitor for Types {
    fn visit<T: TS + 'static + ?Sized>(&mut self) {
        // Only types that are declared have a place to be written to; numbers and lists have none.
        if T::output_path().is_none() {
            T::visit_generics(self);
            return;
        }
        let config = Config::new();
        let name = T::ident(&config);
        if self.0.contains_key(&name) {
            return;
        }
        let docs = T::docs().map_or_else(String::new, |docs| format!("{}\n", docs.trim_end()));
        self.0.insert(name, format!("{docs}export {}", T::decl(&config)));
        T::visit_dependencies(self);
    }
}
