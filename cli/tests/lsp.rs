//! `trilogy lsp` as an editor meets it: the program is started, and spoken to over its standard input and output.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;

use common::copy_all;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

const PATIENCE: Duration = Duration::from_secs(60);

/// An editor with the toy game open in a folder of its own.
struct Editor {
    server: Child,
    input: ChildStdin,
    heard: Receiver<Value>,
    /// What came while something else was waited for.
    aside: Vec<Value>,
    folder: PathBuf,
    next: i64,
}

impl Editor {
    fn open(name: &str) -> Editor {
        let folder = std::env::temp_dir().join(format!("trilogy lsp é {}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        copy_all(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../saga/tests/toy"), &folder.join("games/toy"));
        let mut server =
            Command::new(env!("CARGO_BIN_EXE_trilogy")).arg("lsp").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (input, output) = (server.stdin.take().unwrap(), server.stdout.take().unwrap());
        let (tell, heard) = channel();
        std::thread::spawn(move || {
            let mut output = BufReader::new(output);
            while let Some(message) = message(&mut output) {
                if tell.send(message).is_err() {
                    return;
                }
            }
        });
        let mut editor = Editor { server, input, heard, aside: Vec::new(), folder, next: 0 };
        let root = editor.uri("");
        let capabilities = json!({"workspace": {"didChangeWatchedFiles": {"dynamicRegistration": true}}});
        let began = editor.ask("initialize", json!({"processId": null, "rootUri": root, "capabilities": capabilities}));
        assert_eq!(began["capabilities"]["hoverProvider"], json!(true));
        editor.tell("initialized", json!({}));
        assert_eq!(editor.wait("client/registerCapability", |_| true)["method"], json!("client/registerCapability"));
        editor
    }

    fn uri(&self, file: &str) -> String {
        let path = self.folder.join("games/toy").join(file).to_string_lossy().into_owned();
        format!("file://{}", path.replace(' ', "%20").replace('é', "%C3%A9"))
    }
    fn text(&self, file: &str) -> String {
        std::fs::read_to_string(self.folder.join("games/toy").join(file)).unwrap()
    }

    fn send(&mut self, message: &Value) {
        let body = message.to_string();
        write!(self.input, "Content-Length: {}\r\n\r\n{body}", body.len()).unwrap();
        self.input.flush().unwrap();
    }
    fn tell(&mut self, method: &str, params: Value) {
        self.send(&json!({"jsonrpc": "2.0", "method": method, "params": params}));
    }
    fn request(&mut self, method: &str, params: Value) -> Value {
        self.next += 1;
        let id = self.next;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        self.wait(method, |message| message["id"] == json!(id) && message.get("method").is_none())
    }
    fn ask(&mut self, method: &str, params: Value) -> Value {
        let answer = self.request(method, params);
        assert!(answer.get("error").is_none(), "{method}: {answer}");
        answer["result"].clone()
    }
    fn wait(&mut self, what: &str, is: impl Fn(&Value) -> bool) -> Value {
        if let Some(at) = self.aside.iter().position(&is) {
            return self.aside.remove(at);
        }
        loop {
            let message = self.heard.recv_timeout(PATIENCE).unwrap_or_else(|_| panic!("{what} did not come"));
            if is(&message) {
                return message;
            }
            self.aside.push(message);
        }
    }
    /// What is wrong with a file, the next time it is told.
    fn problems(&mut self, file: &str) -> Vec<Value> {
        let uri = self.uri(file);
        let told = self.wait("publishDiagnostics", |message| {
            message["method"] == json!("textDocument/publishDiagnostics") && message["params"]["uri"] == json!(uri)
        });
        told["params"]["diagnostics"].as_array().unwrap().clone()
    }

    fn lay(&mut self, file: &str, text: &str) {
        let document = json!({"uri": self.uri(file), "languageId": "saga", "version": 1, "text": text});
        self.tell("textDocument/didOpen", json!({"textDocument": document}));
    }
    fn write(&mut self, file: &str, text: &str) {
        let document = json!({"uri": self.uri(file), "version": 2});
        self.tell("textDocument/didChange", json!({"textDocument": document, "contentChanges": [{"text": text}]}));
    }
    /// Where a text stands in a document, or the end of it, as a position.
    fn place(&self, file: &str, text: &str, wanted: &str, behind: bool) -> Value {
        let at = text.find(wanted).unwrap_or_else(|| panic!("no {wanted}")) + if behind { wanted.len() } else { 0 };
        let line = text[..at].matches('\n').count();
        let column = text[..at].rsplit('\n').next().unwrap().encode_utf16().count();
        json!({"textDocument": {"uri": self.uri(file)}, "position": {"line": line, "character": column}})
    }
    fn hover(&mut self, file: &str, text: &str, wanted: &str) -> String {
        let place = self.place(file, text, wanted, false);
        self.ask("textDocument/hover", place)["contents"]["value"].as_str().unwrap_or("").to_string()
    }
    /// The file and the text of the line that something leads to.
    fn definition(&mut self, file: &str, text: &str, wanted: &str) -> (String, String) {
        let place = self.place(file, text, wanted, false);
        let found = self.ask("textDocument/definition", place);
        let uri = found[0]["uri"].as_str().unwrap_or("").to_string();
        let inside = uri.rsplit("games/toy/").next().unwrap().to_string();
        let line = found[0]["range"]["start"]["line"].as_u64().unwrap_or(0) as usize;
        let there = self.text(&inside).lines().nth(line).unwrap_or("").to_string();
        (inside, there)
    }
    /// What is offered behind a text that ends the cards of the game.
    fn offered(&mut self, more: &str) -> Vec<Value> {
        let text = format!("{}\n{more}", self.text(CARDS));
        self.write(CARDS, &text);
        let place = self.place(CARDS, &text, &text, true);
        self.ask("textDocument/completion", place).as_array().unwrap().clone()
    }
    fn names(&mut self, more: &str) -> Vec<String> {
        self.offered(more).iter().map(|item| item["label"].as_str().unwrap().to_string()).collect()
    }

    fn close(mut self) {
        assert_eq!(self.ask("shutdown", Value::Null), Value::Null);
        self.tell("exit", Value::Null);
        assert!(self.server.wait().unwrap().success());
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

fn message(output: &mut impl BufRead) -> Option<Value> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if output.read_line(&mut line).ok()? == 0 {
            return None;
        }
        match line.trim() {
            "" => break,
            head => length = head.strip_prefix("Content-Length: ").map_or(length, |number| number.parse().unwrap()),
        }
    }
    let mut body = vec![0; length];
    output.read_exact(&mut body).ok()?;
    serde_json::from_slice(&body).ok()
}

const CARDS: &str = "cards/toy.saga";
const RULES: &str = "rules/toy.saga";

#[test]
fn problems_come_with_their_place_and_go_when_they_are_mended() {
    let mut editor = Editor::open("problems");
    let good = editor.text(CARDS);
    // Signs of two units and of two bytes stand before the fault.
    let bad = format!("{good}\ncard \"Öl 𝄞\" Keeper: Fox\n  glow 1\n  \"𝄞\" gets glow + 1\n\ncard \"New\" Keeper: Fos\n  glow 1\n");
    editor.lay(CARDS, &bad);
    let problems = editor.problems(CARDS);
    let fos = problems.iter().find(|problem| problem["message"].as_str().unwrap().contains("`Fos`")).unwrap();
    assert!(fos["message"].as_str().unwrap().contains("did you mean `Fox`?"), "{fos}");
    let line = bad.lines().position(|line| line.contains("Fos")).unwrap();
    assert_eq!(fos["range"], json!({"start": {"line": line, "character": 19}, "end": {"line": line, "character": 22}}));
    let gets = problems.iter().find(|problem| problem["range"]["start"]["line"] == json!(line - 2)).unwrap();
    assert_eq!(gets["range"]["end"]["character"], json!(6), "two quotation marks, and a clef of two units: {gets}");
    // What is on disk was well all the time; now the buffer is, too.
    editor.write(CARDS, &good);
    assert_eq!(editor.problems(CARDS), Vec::<Value>::new());
    // A fault in a file that is not open shows there, and goes when the buffer that made it is given up.
    let rules = editor.text(RULES);
    editor.lay(RULES, &rules.replace("words Moth, Owl, Fox", "words Moth, Owl"));
    assert_eq!(editor.problems(RULES), Vec::<Value>::new());
    assert!(!editor.problems(CARDS).is_empty());
    let uri = editor.uri(RULES);
    editor.tell("textDocument/didClose", json!({"textDocument": {"uri": uri}}));
    assert_eq!(editor.problems(CARDS), Vec::<Value>::new());
    // A file that is not on disk yet is part of the game.
    editor.lay("cards/zz.saga", "card \"Brand New\" Nothing\n");
    assert!(editor.problems("cards/zz.saga")[0]["message"].as_str().unwrap().contains("Nothing"));
    editor.close();
}

#[test]
fn completion_knows_what_fits() {
    let mut editor = Editor::open("completion");
    let text = editor.text(CARDS);
    editor.lay(CARDS, &text);
    let offered = editor.offered("card \"Probe\" Trick\n  trick:\n    choose k from [your bri");
    let bright = offered.iter().find(|item| item["label"] == json!("bright")).unwrap();
    assert!(bright["detail"].as_str().unwrap().starts_with("adjective"), "{bright}");
    assert!(bright["documentation"]["value"].as_str().unwrap().contains("bright"));
    let labels: Vec<&str> = offered.iter().map(|item| item["label"].as_str().unwrap()).collect();
    assert!(labels.contains(&"keepers") && labels.contains(&"Moth") && labels.contains(&"other"));
    assert!(!labels.contains(&"gain") && !labels.contains(&"wear"), "neither a verb nor a cost is part of a phrase");
    for (written, there, not) in [
        ("card \"Probe\" Trick\n  spark ", "once_a_turn", "gain"),
        ("card \"Probe\" Trick\n  spark once_a_turn pay ", "wear", "gain"),
        ("card \"Probe\" Trick\n  spark once_a_turn pay wear, li", "light", "gain"),
        ("card \"Probe\" Trick\n  trick:\n    ga", "gain", "wear"),
        ("card \"Probe\" Trick\n  self gets ", "glow", "gain"),
        ("card \"Probe\" Trick\n  when ", "turn_starts", "glow"),
        ("card \"Probe\" Trick\n  forbid ", "enter", "glow"),
        ("card \"Probe\" ", "Keeper", "Fox"),
        ("card \"Probe\" Keeper: ", "Fox", "Keeper"),
        ("card \"Probe\" Trick\n  ", "trick", "gain"),
        ("card \"Probe\" Bundle\n  brings \"", "Tiger Moth", "glow"),
        ("def x(c: card): num = c.", "glow", "gain"),
        ("proc x(which: card) \"burn {", "which", "Tiger Moth"),
        ("def x(which: card): num = ", "which", "gain"),
        ("proc x\n  until ", "turn", "gain"),
        ("words A @toy.", "toy.answer.order", "gain"),
        ("", "card", "gain"),
    ] {
        let names = editor.names(written);
        assert!(names.iter().any(|name| name == there), "{written:?} offers no {there}, but {names:?}");
        assert!(!names.iter().any(|name| name == not), "{written:?} offers {not}");
    }
    for free in ["# a comment is free, gl", "proc x \"so are the words of a "] {
        assert_eq!(editor.names(free), Vec::<String>::new(), "{free:?}");
    }
    // A blank asks for nothing but where few things fit.
    for (written, some) in [("card \"Probe\" Trick\n  spark ", true), ("def x: num = 1 + ", false)] {
        let text = format!("{}\n{written}", editor.text(CARDS));
        editor.write(CARDS, &text);
        let mut place = editor.place(CARDS, &text, &text, true);
        place["context"] = json!({"triggerKind": 2, "triggerCharacter": " "});
        assert_eq!(!editor.ask("textDocument/completion", place).as_array().unwrap().is_empty(), some, "{written:?}");
    }
    editor.close();
}

#[test]
fn hover_and_definition_lead_to_what_is_meant() {
    let mut editor = Editor::open("meaning");
    let cards = editor.text(CARDS);
    editor.lay(CARDS, &cards);
    assert_eq!(editor.problems(CARDS), Vec::<Value>::new());
    // A name: its entry, and the line that defines it.
    let told = editor.hover(CARDS, &cards, "burn_one(");
    assert!(told.contains("cost") && told.contains("burn {cs}") && told.contains("Thorn"), "{told}");
    let (file, line) = editor.definition(CARDS, &cards, "burn_one(");
    assert!(file == RULES && line.starts_with("cost burn_one"), "{file}: {line}");
    // A title: what the card prints, and where it is.
    let told = editor.hover(CARDS, &cards, "\"Tiger Moth\", \"Moth Child\"");
    assert!(told.contains("Tiger Moth") && told.contains("stripes 2"), "{told}");
    assert_eq!(editor.definition(CARDS, &cards, "\"Moth Child\", \"Moth Child\"").1, "card \"Moth Child\" Keeper: Moth");
    // A name of the program's own, a word of the language, a rule.
    assert_eq!(editor.definition(CARDS, &cards, "k gets stripes").1.trim(), "choose k from [keepers]");
    assert!(editor.hover(CARDS, &cards, "brings \"Tiger").contains("come into a deck"));
    let rules = editor.text(RULES);
    assert!(editor.hover(RULES, &rules, "toy.template.beacon").contains("toy.template.beacon"));
    assert_eq!(editor.definition(RULES, &rules, "toy.template.beacon").0, "rulebook.md");
    // What is declared tells of itself; a hole in a text leads on; scenarios know cards and names.
    assert!(editor.hover(RULES, &rules, "glimmer(n: num)").contains("parameter of the same name"));
    let scenario = "scenarios/answers.scenario";
    let text = editor.text(scenario);
    assert!(editor.hover(scenario, &text, "Flare\n").contains("Flare"));
    assert_eq!(editor.definition(scenario, &text, "Flare\n").0, CARDS);
    assert!(editor.definition(scenario, &text, "light = 4").1.starts_with("counter light"));
    assert_eq!(editor.definition(scenario, &text, "toy.answer.close").0, "rulebook.md");
    // What a card owns: only it leads there, and only it is offered it.
    let beyond = "cards/beyond.saga";
    let text = editor.text(beyond);
    assert!(editor.hover(beyond, &text, "mine(1)").contains("Lodestar alone has it."));
    assert!(editor.definition(beyond, &text, "mine(1)").1.contains("\"{n}\" = n"));
    assert!(editor.definition(beyond, &text, "mine(2)").1.contains("n * 2"));
    assert_eq!(editor.definition(beyond, &text, "c is Trick once").1.trim(), "spark played_after(c, Moth) if c is Trick once per turn:");
    let mine = |editor: &mut Editor, behind: &str| {
        let place = editor.place(beyond, &text, behind, true);
        editor.ask("textDocument/completion", place).as_array().unwrap().iter().any(|item| item["label"] == json!("mine"))
    };
    assert!(mine(&mut editor, "[your keepers] gets glow + ") && !mine(&mut editor, "gain(you, of_the_fire("));
    // Nothing stands in an empty line.
    assert_eq!(editor.hover(CARDS, &cards, "\n\ncard \"Moth Child\""), "");
    editor.close();
}

/// Cards of one title share what they own, whichever of their files it stands in, and though the rules have something of that name.
#[test]
fn what_twins_share_leads_from_one_file_to_the_other() {
    let mut editor = Editor::open("twins");
    let first = "card \"Janus\" Keeper: Fox\n  glow 1\n  self gets glow +rank(2)\n  def rank(n: num): num \"{n} or more\" = n\n  noun face/faces \"face\"/\"faces\" from porch.cards where it is Fox\n  proc turn_round(n: num) \"turn round\"\n    gain(you, n)\n";
    let second = "card \"Janus\" Keeper New: Fox\n  glow 1\n  spark:\n    may asking \"Turn {rank(4)} times?\":\n      turn_round(count([faces]) + rank(3))\n";
    std::fs::write(editor.folder.join("games/toy/cards/one.saga"), first).unwrap();
    let two = "cards/two.saga";
    editor.lay(two, second);
    assert_eq!(editor.problems(two), Vec::<Value>::new());
    for (name, line) in [
        ("turn_round(", "proc turn_round(n: num)"),
        ("faces]", "noun face/faces"),
        ("rank(3)", "def rank(n: num)"),
        ("rank(4)", "def rank(n: num)"),
    ] {
        let (file, there) = editor.definition(two, second, name);
        assert!(file == "cards/one.saga" && there.trim().starts_with(line), "{name} leads to {file}: {there}");
        let told = editor.hover(two, second, name);
        assert!(told.contains("Janus alone has it."), "{name}: {told}");
    }
    for (behind, label) in [("[faces]) + ", "rank"), ("times?\":\n      ", "turn_round"), ("count([", "faces"), ("Turn {", "rank")] {
        let place = editor.place(two, second, behind, true);
        let offered = editor.ask("textDocument/completion", place);
        let owned = |item: &&Value| item["label"] == json!(label) && item["documentation"]["value"].as_str().unwrap().contains("Janus");
        assert_eq!(offered.as_array().unwrap().iter().filter(owned).count(), 1, "{label} behind {behind:?}");
    }
    editor.close();
}

#[test]
fn a_source_is_outlined_and_formatted() {
    let mut editor = Editor::open("outline");
    editor.lay("cards/zz.saga", "card   \"Öl\"  Keeper:Fox\n    glow   1\nwords Ash,Elm\n");
    let uri = editor.uri("cards/zz.saga");
    let symbols = editor.ask("textDocument/documentSymbol", json!({"textDocument": {"uri": uri}}));
    let names: Vec<&str> = symbols.as_array().unwrap().iter().map(|symbol| symbol["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["Öl", "Ash", "Elm"]);
    let options = json!({"tabSize": 2, "insertSpaces": true});
    let edits = editor.ask("textDocument/formatting", json!({"textDocument": {"uri": uri}, "options": options}));
    assert_eq!(edits[0]["newText"], json!("card \"Öl\" Keeper: Fox\n  glow 1\nwords Ash, Elm\n"));
    assert_eq!(edits[0]["range"]["end"], json!({"line": 3, "character": 0}));
    editor.close();
}

#[test]
fn nothing_that_is_written_ends_the_server() {
    let mut editor = Editor::open("broken");
    let good = editor.text(CARDS);
    editor.lay(CARDS, &good);
    assert_eq!(editor.problems(CARDS), Vec::<Value>::new());
    let deep = "(".repeat(5_000);
    for broken in ["", "card", "card \"", "\u{0}", "  [[[[", "proc x\n  (", "def x(: num = [your", "é𝄞\r\n\t@", &deep] {
        editor.write(CARDS, broken);
        for character in [0, 1, 2, 99] {
            let place = json!({"textDocument": {"uri": editor.uri(CARDS)}, "position": {"line": 0, "character": character}});
            for method in ["hover", "definition", "completion"] {
                editor.ask(&format!("textDocument/{method}"), place.clone());
            }
        }
        let uri = editor.uri(CARDS);
        editor.ask("textDocument/documentSymbol", json!({"textDocument": {"uri": uri}}));
        let options = json!({"tabSize": 2, "insertSpaces": true});
        editor.ask("textDocument/formatting", json!({"textDocument": {"uri": uri}, "options": options}));
    }
    // What is not asked properly, or is unknown, is an error; what belongs to no game is left alone.
    assert!(editor.request("textDocument/hover", json!({"what": 1}))["error"]["message"].is_string());
    assert!(editor.request("no/such/thing", json!({}))["error"]["message"].is_string());
    let nowhere = json!({"textDocument": {"uri": "untitled:Untitled-1"}, "position": {"line": 0, "character": 0}});
    assert_eq!(editor.ask("textDocument/hover", nowhere), Value::Null);
    editor.write(CARDS, &good);
    let place = editor.place(CARDS, &good, "burn_one(", false);
    assert!(editor.ask("textDocument/hover", place)["contents"]["value"].as_str().unwrap().contains("burn {cs}"));
    editor.close();
}
