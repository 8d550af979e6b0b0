//! Compiles the rules and cards of this game into the blob that the program carries.

use std::path::Path;

fn main() {
    for watched in ["rules", "cards", "decks", "rulebook.md"] {
        println!("cargo::rerun-if-changed={watched}");
    }
    let compiled = match trilogy_saga::compile_folder(Path::new(".")) {
        Ok(compiled) => compiled,
        Err(error) => return println!("cargo::error={error}"),
    };
    if !compiled.problems.is_empty() {
        for line in trilogy_saga::report(&compiled.files, &compiled.problems, false).lines() {
            println!("cargo::error={line}");
        }
        return;
    }
    let out = std::env::var("OUT_DIR").unwrap_or_default();
    // The sources travel too: scenarios ask questions in the language.
    let root = std::env::current_dir().unwrap_or_default();
    let mut sources = String::from("&[\n");
    for file in &compiled.files {
        sources += &format!("    ({:?}, include_str!({:?})),\n", file.name, root.join(&file.name));
    }
    sources.push(']');
    if let Err(error) = std::fs::write(Path::new(&out).join("sources.rs"), sources) {
        println!("cargo::error=cannot write the list of sources: {error}");
    }
    if let Err(error) = std::fs::write(Path::new(&out).join("catalogue.bin"), compiled.catalogue.to_bytes()) {
        println!("cargo::error=cannot write the catalogue: {error}");
    }
}
