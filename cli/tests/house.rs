//! The house as a picture, made from the code: its crates with their rooms, which rests on which, and the two ways through it.
//! A room that is renamed, added or torn down makes the picture on disk stale, and a way that leads through a wall fails.

#![allow(clippy::unwrap_used, reason = "tests")]

use std::fmt::Write;
use std::path::{Path, PathBuf};

/// The storeys, what rests on nothing first.
const STOREYS: [(&str, &str); 7] =
    [("engine", "src"), ("saga", "src"), ("games", ""), ("bots", "src"), ("server", "src"), ("web", "src"), ("cli", "src")];

/// A way: what it is called, its colour, and its rooms by storey and name.
type Way = (&'static str, &'static str, &'static [(&'static str, &'static str)]);

/// The two main ways, room by room.
const WAYS: [Way; 2] = [
    (
        "from a click to the disk",
        "#c2410c",
        &[
            ("web", "table"),
            ("web", "net"),
            ("server", "ws"),
            ("server", "matches"),
            ("engine", "game"),
            ("engine", "machine"),
            ("engine", "state"),
            ("engine", "journal"),
            ("server", "store"),
        ],
    ),
    (
        "from a card's source to the card that glows",
        "#0369a1",
        &[
            ("games", "ccg"),
            ("saga", "lexer"),
            ("saga", "parser"),
            ("saga", "compile"),
            ("engine", "catalogue"),
            ("engine", "eval"),
            ("engine", "view"),
            ("server", "matches"),
            ("web", "net"),
            ("web", "table"),
        ],
    ),
];

struct Room {
    name: String,
    /// What it is for: the first sentence of its head.
    says: String,
}

struct Storey {
    name: &'static str,
    rooms: Vec<Room>,
    rests_on: Vec<String>,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_default()
}

/// Whether there are sources at or below a path.
fn has_sources(path: &Path) -> bool {
    if path.is_dir() {
        return std::fs::read_dir(path).unwrap().any(|entry| has_sources(&entry.unwrap().path()));
    }
    path.extension().is_some_and(|kind| ["rs", "ts", "tsx"].iter().any(|known| kind == *known))
}

fn head(path: &Path) -> String {
    let main = ["mod.rs", "main.tsx", "page.tsx"].iter().map(|name| path.join(name)).find(|file| file.exists());
    let text = read(&if path.is_dir() { main.unwrap_or_default() } else { path.to_path_buf() });
    let first: Vec<&str> = text.lines().take_while(|line| line.starts_with("//")).collect();
    let head = first.iter().map(|line| line.trim_start_matches(['/', '!']).trim()).collect::<Vec<_>>().join(" ");
    head.split_inclusive(". ").next().unwrap_or_default().trim().to_string()
}

fn rooms(storey: &str, folder: &Path) -> Vec<Room> {
    let mut rooms = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let game = storey == "games";
        let kept = if game { path.join("rules").is_dir() || name == "all" } else { has_sources(&path) };
        if kept && !["lib", "main"].contains(&name.as_str()) && !name.ends_with(".d") {
            rooms.push(Room { says: head(&path), name });
        }
    }
    // A folder and the file that opens it are one room.
    rooms.sort_by(|a, b| (&a.name, a.says.is_empty()).cmp(&(&b.name, b.says.is_empty())));
    rooms.dedup_by(|a, b| a.name == b.name);
    rooms
}

fn house() -> Vec<Storey> {
    let of = |(name, source): &(&'static str, &str)| {
        let folder = root().join(name);
        let manifest = read(&folder.join(if *name == "games" { "all/Cargo.toml" } else { "Cargo.toml" }));
        let mut rests_on: Vec<String> = STOREYS
            .iter()
            .map(|(other, _)| other.to_string())
            .filter(|other| other != name && manifest.lines().any(|line| line.starts_with(&format!("trilogy-{other}"))))
            .collect();
        if *name == "web" {
            rests_on.push("server".into());
        }
        Storey { name, rooms: rooms(name, &folder.join(source)), rests_on }
    };
    STOREYS.iter().map(of).collect()
}

const COLUMN: usize = 200;
const GAP: usize = 60;
const LINE: usize = 22;
const TOP: usize = 120;

fn left(storey: usize) -> usize {
    30 + storey * (COLUMN + GAP)
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// The middle of a room.
fn place(house: &[Storey], storey: &str, room: &str) -> (usize, usize) {
    let at = house.iter().position(|one| one.name == storey).unwrap_or_else(|| panic!("there is no storey {storey}"));
    let row = house[at].rooms.iter().position(|one| one.name == room).unwrap_or_else(|| panic!("{storey} has no room {room}"));
    (left(at) + COLUMN / 2, TOP + 34 + row * LINE + LINE / 2)
}

fn picture(house: &[Storey]) -> String {
    let most = house.iter().map(|storey| storey.rooms.len()).max().unwrap_or(0);
    let (width, height) = (left(house.len()), TOP + 60 + most * LINE);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n\
         <text x=\"30\" y=\"34\" font-size=\"20\" font-weight=\"bold\">Trilogy: storeys, rooms, and the two ways through the house</text>\n"
    );
    for (at, (name, color, _)) in WAYS.iter().enumerate() {
        let x = 30 + at * 420;
        let _ = writeln!(out, "<line x1=\"{x}\" y1=\"58\" x2=\"{}\" y2=\"58\" stroke=\"{color}\" stroke-width=\"3\"/>", x + 40);
        let _ = writeln!(out, "<text x=\"{}\" y=\"62\">{}</text>", x + 50, escaped(name));
    }
    for (at, storey) in house.iter().enumerate() {
        let (x, rows) = (left(at), storey.rooms.len());
        let _ = writeln!(
            out,
            "<rect x=\"{x}\" y=\"{TOP}\" width=\"{COLUMN}\" height=\"{}\" rx=\"8\" fill=\"#f8fafc\" stroke=\"#64748b\"/>",
            40 + rows * LINE
        );
        let _ = writeln!(out, "<text x=\"{}\" y=\"{}\" font-size=\"15\" font-weight=\"bold\">{}</text>", x + 12, TOP + 22, storey.name);
        let rests = if storey.rests_on.is_empty() { "rests on nothing".into() } else { format!("rests on {}", storey.rests_on.join(", ")) };
        let _ = writeln!(out, "<text x=\"{}\" y=\"{}\" fill=\"#64748b\" font-size=\"10\">{rests}</text>", x, TOP - 8);
        for (row, room) in storey.rooms.iter().enumerate() {
            let y = TOP + 34 + row * LINE;
            let _ = writeln!(
                out,
                "<g><title>{}</title><rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"4\" fill=\"#e2e8f0\"/>\
                 <text x=\"{}\" y=\"{}\">{}</text></g>",
                escaped(&room.says),
                x + 8,
                y + 1,
                COLUMN - 16,
                LINE - 3,
                x + 16,
                y + 15,
                escaped(&room.name)
            );
        }
    }
    for (at, (_, color, rooms)) in WAYS.iter().enumerate() {
        // Beside each other where both lead through one room.
        let aside = |(x, y): (usize, usize)| (x + at * 24 - 12, y + at * 8 - 4);
        let stops: Vec<(usize, usize)> = rooms.iter().map(|(storey, room)| aside(place(house, storey, room))).collect();
        let path = stops.iter().map(|(x, y)| format!("{x},{y}")).collect::<Vec<_>>().join(" ");
        let _ = writeln!(out, "<polyline points=\"{path}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"2.5\" opacity=\"0.75\"/>");
        for (step, (x, y)) in stops.iter().enumerate() {
            let _ = writeln!(out, "<circle cx=\"{x}\" cy=\"{y}\" r=\"8\" fill=\"{color}\"/>");
            let _ = writeln!(
                out,
                "<text x=\"{x}\" y=\"{}\" fill=\"#fff\" font-size=\"9\" font-weight=\"bold\" text-anchor=\"middle\">{}</text>",
                y + 3,
                step + 1
            );
        }
    }
    out += "</svg>\n";
    out
}

#[test]
fn the_picture_shows_the_house_as_it_is() {
    let path = root().join("docs/house.svg");
    let drawn = picture(&house());
    if std::env::var("UPDATE_DOCS").is_ok_and(|value| value == "1") {
        std::fs::write(&path, &drawn).unwrap();
    }
    assert!(read(&path) == drawn, "docs/house.svg does not show the house as it is: run this test once with UPDATE_DOCS=1");
}

/// Dependencies point one way.
#[test]
fn no_storey_rests_on_one_above_it() {
    let house = house();
    for (at, storey) in house.iter().enumerate() {
        for other in &storey.rests_on {
            let below = house.iter().position(|one| one.name == other).unwrap();
            assert!(below < at, "{} rests on {other}, which stands above it", storey.name);
        }
    }
}
