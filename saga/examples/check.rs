use std::path::Path;
fn main() {
    let dir = std::env::args().nth(1).unwrap();
    let c = trilogy_saga::compile_folder(Path::new(&dir)).unwrap();
    let n: usize = std::env::args().nth(2).and_then(|s| s.parse().ok()).unwrap_or(12);
    print!("{}", trilogy_saga::report(&c.files, &c.problems[..n.min(c.problems.len())], false));
    println!("{} problems", c.problems.len());
    for card in &c.catalogue.cards { println!("{} :: {}", card.key, card.text.join(" | ")); }
}
