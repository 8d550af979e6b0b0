//! The server as a service: systemd hears when it listens and when it ends, and docs/OPERATIONS.md names the flags that there are.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

#[cfg(target_os = "linux")]
#[test]
fn systemd_is_told_when_it_listens_and_when_it_ends() {
    use std::os::unix::net::UnixDatagram;
    let folder = std::env::temp_dir().join(format!("trilogy-service-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("notify");
    let keeper = UnixDatagram::bind(&path).unwrap();
    let hear = || {
        let mut said = [0; 200];
        let length = keeper.recv(&mut said).unwrap();
        String::from_utf8_lossy(&said[..length]).trim().to_string()
    };
    let mut server = Command::new(env!("CARGO_BIN_EXE_trilogy"))
        .args(["serve", "--no-browser", "--listen", "127.0.0.1:0", "--data"])
        .arg(folder.join("data"))
        .env("NOTIFY_SOCKET", &path)
        .env("RUST_LOG", "off")
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    assert_eq!(hear(), "READY=1");
    assert!(Command::new("kill").arg(server.id().to_string()).status().unwrap().success());
    assert_eq!(hear(), "STOPPING=1");
    assert!(server.wait().unwrap().success(), "it was told to end, and that is no failure");
    let _ = std::fs::remove_dir_all(folder);
}

// ---- flags on the page ----

fn docs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs")
}

/// Flags of a command, as its help names them.
fn flags(command: &str) -> BTreeSet<String> {
    let output = Command::new(env!("CARGO_BIN_EXE_trilogy")).args(command.split(' ')).arg("--help").output().unwrap();
    assert!(output.status.success(), "there is no command {command}");
    let help = String::from_utf8(output.stdout).unwrap();
    let named = help.lines().filter_map(|line| line.trim_start().trim_start_matches("-h, ").split(' ').next()?.strip_prefix("--"));
    named.map(str::to_string).collect()
}

#[test]
fn the_page_names_the_flags_that_there_are() {
    let page = std::fs::read_to_string(docs().join("OPERATIONS.md")).unwrap();
    let unit = std::fs::read_to_string(docs().join("operations/trilogy.service")).unwrap();
    let mut known: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut lines = 0;
    // Commands stand in blocks of code, and the unit has one.
    for line in page.lines().chain(unit.lines()) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let program = |word: &&str| word.rsplit(['/', '=']).next().is_some_and(|name| name == "trilogy" || name.starts_with("trilogy-"));
        let Some(at) = words.iter().position(program) else { continue };
        let mut rest = words[at + 1..].iter();
        let command = match rest.next() {
            Some(&"serve") => "serve".to_string(),
            Some(&"storage") => format!("storage {}", rest.next().unwrap()),
            _ => continue,
        };
        lines += 1;
        let known = known.entry(command.clone()).or_insert_with(|| flags(&command));
        for flag in rest.filter_map(|word| word.strip_prefix("--")) {
            let flag = flag.split(['=', '`', ',']).next().unwrap();
            assert!(known.contains(flag), "`trilogy {command}` has no flag --{flag}: {line}");
        }
    }
    assert!(lines > 5, "the page has commands");
    for flag in flags("serve").iter().filter(|flag| *flag != "help") {
        assert!(page.contains(&format!("--{flag}")), "the page says nothing of --{flag}");
    }
}
