//! `trilogy lsp`: what the compiler knows, told to editors over the Language Server Protocol, on standard input and output.

mod checker;
mod complete;
mod desk;
mod look;

use checker::{Checked, Checker};
use crossbeam_channel::select;
use desk::{Desk, Known, game_of};
use look::Found;
use lsp_server::{Connection, ErrorCode, Message, Notification, Request, RequestId, Response};
use lsp_types::notification::{
    DidChangeTextDocument, DidChangeWatchedFiles, DidCloseTextDocument, DidOpenTextDocument, DidSaveTextDocument, LogMessage,
    Notification as _, PublishDiagnostics,
};
use lsp_types::request::{Completion, DocumentSymbolRequest, Formatting, GotoDefinition, HoverRequest, RegisterCapability, Request as _};
use lsp_types::*;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use trilogy_saga::ast::ItemKind;
use trilogy_saga::diagnostics::Span;
use trilogy_saga::lines::Lines;
use trilogy_saga::{fmt, parser, vocabulary};

/// A game is checked when nothing was written for so long.
const PAUSE: Duration = Duration::from_millis(150);

pub(crate) fn run() -> Result<(), String> {
    let (connection, threads) = Connection::stdio();
    let told = |error: &dyn std::fmt::Display| format!("the editor broke off: {error}");
    let (id, client) = connection.initialize_start().map_err(|error| told(&error))?;
    let server = json!({"capabilities": capabilities(), "serverInfo": {"name": "trilogy", "version": env!("CARGO_PKG_VERSION")}});
    connection.initialize_finish(id, server).map_err(|error| told(&error))?;
    let mut server = Server::new(connection);
    server.watch_files(&client);
    server.serve();
    // What is left to send goes out when nobody can send more.
    drop(server);
    threads.join().map_err(|error| told(&error))
}

fn capabilities() -> ServerCapabilities {
    let triggers = [".", "[", "@", "\"", " "].map(String::from).to_vec();
    ServerCapabilities {
        text_document_sync: Some(TextDocumentSyncCapability::Kind(TextDocumentSyncKind::FULL)),
        hover_provider: Some(HoverProviderCapability::Simple(true)),
        definition_provider: Some(OneOf::Left(true)),
        document_symbol_provider: Some(OneOf::Left(true)),
        document_formatting_provider: Some(OneOf::Left(true)),
        completion_provider: Some(CompletionOptions { trigger_characters: Some(triggers), ..CompletionOptions::default() }),
        ..ServerCapabilities::default()
    }
}

struct Server {
    connection: Connection,
    desk: Desk,
    checker: Checker,
    /// When each game that has changed is checked.
    due: BTreeMap<PathBuf, Instant>,
    /// The files of each game that the editor was told problems of.
    marked: HashMap<PathBuf, BTreeSet<PathBuf>>,
}

/// What is asked about a place of a document.
struct At {
    path: PathBuf,
    text: String,
    byte: usize,
}

impl Server {
    fn new(connection: Connection) -> Server {
        Server { connection, desk: Desk::default(), checker: Checker::start(), due: BTreeMap::new(), marked: HashMap::new() }
    }

    fn serve(&mut self) {
        loop {
            let wait = self.due.values().min().map_or(Duration::from_secs(3600), |due| due.saturating_duration_since(Instant::now()));
            select! {
                recv(self.connection.receiver) -> message => match message {
                    Ok(message) => if self.hear(message) { return },
                    Err(_) => return,
                },
                recv(self.checker.done) -> checked => checked.into_iter().for_each(|checked| self.publish(checked)),
                default(wait) => {}
            }
            self.check_due();
        }
    }

    fn send(&self, message: impl Into<Message>) {
        // Where nobody listens any more, the loop ends by itself.
        let _ = self.connection.sender.send(message.into());
    }

    fn notify<N: lsp_types::notification::Notification>(&self, params: N::Params) {
        self.send(Notification::new(N::METHOD.into(), params));
    }

    /// Files change behind the editor's back, too: a checkout, another program.
    fn watch_files(&self, client: &Value) {
        if client.pointer("/capabilities/workspace/didChangeWatchedFiles/dynamicRegistration") != Some(&Value::Bool(true)) {
            return;
        }
        let watched = json!({"registrations": [{
            "id": "sources", "method": DidChangeWatchedFiles::METHOD,
            "registerOptions": {"watchers": [{"globPattern": "**/*.saga"}, {"globPattern": "**/rulebook.md"}]},
        }]});
        self.send(Request::new(RequestId::from("watch".to_string()), RegisterCapability::METHOD.into(), watched));
    }

    /// Take a message; whether it was the last one.
    fn hear(&mut self, message: Message) -> bool {
        match message {
            Message::Request(request) => {
                if self.connection.handle_shutdown(&request).unwrap_or(true) {
                    return true;
                }
                let (id, method) = (request.id.clone(), request.method.clone());
                // A fault of ours is an answer that fails, not an editor without a server.
                let answer = catch_unwind(AssertUnwindSafe(|| self.answer(request)));
                let failed = |code: ErrorCode, why: String| Response::new_err(id.clone(), code as i32, why);
                self.send(match answer {
                    Ok(Ok(Some(value))) => Response::new_ok(id.clone(), value),
                    Ok(Ok(None)) => failed(ErrorCode::MethodNotFound, format!("{method} is not known here")),
                    Ok(Err(why)) => failed(ErrorCode::InvalidParams, why),
                    Err(_) => failed(ErrorCode::InternalError, format!("{method} failed")),
                });
            }
            Message::Notification(note) => {
                let _ = catch_unwind(AssertUnwindSafe(|| self.take_note(note)));
            }
            Message::Response(_) => {}
        }
        false
    }

    /// The answer to a request; nothing where it is of no sort that we know.
    fn answer(&mut self, request: Request) -> Result<Option<Value>, String> {
        let params = request.params;
        Ok(Some(match request.method.as_str() {
            HoverRequest::METHOD => {
                let params: HoverParams = read(params)?;
                json!(self.at(params.text_document_position_params).and_then(|at| self.hover(&at)))
            }
            GotoDefinition::METHOD => {
                let params: GotoDefinitionParams = read(params)?;
                json!(self.at(params.text_document_position_params).map(|at| self.definition(&at)).unwrap_or_default())
            }
            Completion::METHOD => {
                let params: CompletionParams = read(params)?;
                let blank = params.context.and_then(|context| context.trigger_character).is_some_and(|sign| sign == " ");
                json!(self.at(params.text_document_position).map(|at| self.complete(&at, blank)).unwrap_or_default())
            }
            DocumentSymbolRequest::METHOD => {
                let params: DocumentSymbolParams = read(params)?;
                json!(self.document(&params.text_document.uri).map(|(path, text)| symbols(&path, &text)).unwrap_or_default())
            }
            Formatting::METHOD => {
                let params: DocumentFormattingParams = read(params)?;
                json!(self.document(&params.text_document.uri).map(|(path, text)| formatted(&path, &text)).unwrap_or_default())
            }
            _ => return Ok(None),
        }))
    }

    fn take_note(&mut self, note: Notification) {
        match note.method.as_str() {
            DidOpenTextDocument::METHOD => {
                let Ok(params) = read::<DidOpenTextDocumentParams>(note.params) else { return };
                self.written(&params.text_document.uri, params.text_document.text);
            }
            DidChangeTextDocument::METHOD => {
                let Ok(params) = read::<DidChangeTextDocumentParams>(note.params) else { return };
                // Each change is the whole text.
                let Some(last) = params.content_changes.into_iter().next_back() else { return };
                self.written(&params.text_document.uri, last.text);
            }
            DidCloseTextDocument::METHOD => {
                let Ok(params) = read::<DidCloseTextDocumentParams>(note.params) else { return };
                let Some(path) = path_of(&params.text_document.uri) else { return };
                self.desk.put_away(&path);
                self.changed(&path);
            }
            DidSaveTextDocument::METHOD => {
                let Ok(params) = read::<DidSaveTextDocumentParams>(note.params) else { return };
                path_of(&params.text_document.uri).iter().for_each(|path| self.changed(path));
            }
            DidChangeWatchedFiles::METHOD => {
                let Ok(params) = read::<DidChangeWatchedFilesParams>(note.params) else { return };
                for path in params.changes.iter().filter_map(|change| path_of(&change.uri)) {
                    if !self.desk.is_open(&path) {
                        self.changed(&path);
                    }
                }
            }
            _ => {}
        }
    }

    fn written(&mut self, uri: &Uri, text: String) {
        let Some(path) = path_of(uri) else { return };
        self.desk.lay(path.clone(), text);
        self.changed(&path);
    }

    /// The game of a file is checked soon, once its writer pauses.
    fn changed(&mut self, path: &Path) {
        let game = game_of(path).or_else(|| path.parent().filter(|folder| folder.join("rules").is_dir()).map(Path::to_path_buf));
        if let Some(game) = game.filter(|_| path.extension().is_some_and(|ending| ending == "saga" || ending == "md")) {
            self.due.insert(game, Instant::now() + PAUSE);
        }
    }

    fn check_due(&mut self) {
        let now = Instant::now();
        let ready: Vec<PathBuf> = self.due.iter().filter(|(_, due)| **due <= now).map(|(game, _)| game.clone()).collect();
        for game in ready {
            self.due.remove(&game);
            match self.desk.job(&game) {
                Ok(job) => self.checker.check(job),
                Err(why) => self.notify::<LogMessage>(LogMessageParams { typ: MessageType::WARNING, message: why }),
            }
        }
    }

    /// Tell the editor what is wrong with each file, and which are well again.
    fn publish(&mut self, mut checked: Checked) {
        let mut found: BTreeMap<PathBuf, Vec<Diagnostic>> = BTreeMap::new();
        for problem in &checked.problems {
            let Some(file) = checked.files.get(problem.span.file as usize) else { continue };
            let hint = if problem.hint.is_empty() { String::new() } else { format!("\n{}", problem.hint) };
            found.entry(checked.game.join(&file.name)).or_default().push(Diagnostic {
                range: range(&Lines::of(&file.text), problem.span),
                severity: Some(DiagnosticSeverity::ERROR),
                source: Some("saga".into()),
                message: format!("{}{hint}", problem.message),
                ..Diagnostic::default()
            });
        }
        let before = self.marked.insert(checked.game.clone(), found.keys().cloned().collect()).unwrap_or_default();
        // A file that is open is told of also where it is well.
        let open = checked.files.iter().map(|file| checked.game.join(&file.name)).filter(|path| self.desk.is_open(path));
        for path in before.into_iter().chain(open) {
            found.entry(path).or_default();
        }
        self.desk.learn(&mut checked);
        for (path, diagnostics) in found {
            if let Some(uri) = uri_of(&path) {
                self.notify::<PublishDiagnostics>(PublishDiagnosticsParams { uri, diagnostics, version: None });
            }
        }
    }

    fn document(&self, uri: &Uri) -> Option<(PathBuf, String)> {
        let path = path_of(uri)?;
        let text = self.desk.text(&path)?;
        Some((path, text))
    }

    fn at(&self, place: TextDocumentPositionParams) -> Option<At> {
        let (path, text) = self.document(&place.text_document.uri)?;
        let byte = Lines::of(&text).byte(place.position.line as usize, place.position.character as usize);
        Some(At { path, text, byte })
    }

    fn hover(&mut self, at: &At) -> Option<Hover> {
        let known = self.desk.known(&game_of(&at.path)?)?;
        let (found, span) = look::at(&known, &at.path, &at.text, at.byte)?;
        let value = look::told(&self.desk, &known, &at.text, &found)?;
        let contents = HoverContents::Markup(MarkupContent { kind: MarkupKind::Markdown, value });
        Some(Hover { contents, range: Some(range(&Lines::of(&at.text), span)) })
    }

    fn definition(&mut self, at: &At) -> Vec<Location> {
        let Some(known) = game_of(&at.path).and_then(|game| self.desk.known(&game)) else { return Vec::new() };
        let Some((found, _)) = look::at(&known, &at.path, &at.text, at.byte) else { return Vec::new() };
        match found {
            Found::Entry(entry) => location(&known, entry.span).into_iter().collect(),
            Found::Cards(title) => {
                let cards: Vec<&vocabulary::CardEntry> = known.vocabulary.cards().iter().filter(|card| card.title == title).collect();
                cards.iter().filter_map(|card| location(&known, card.span)).collect()
            }
            Found::Rule(rule) => rule_location(&known, &rule).into_iter().collect(),
            Found::Bound(span) => {
                let uri = uri_of(&at.path);
                uri.map(|uri| Location { uri, range: range(&Lines::of(&at.text), span) }).into_iter().collect()
            }
            Found::Language(..) => Vec::new(),
        }
    }

    fn complete(&mut self, at: &At, unasked: bool) -> Vec<CompletionItem> {
        let is_source = at.path.extension().is_some_and(|ending| ending == "saga");
        let known = game_of(&at.path).filter(|_| is_source).and_then(|game| self.desk.known(&game));
        known.map_or_else(Vec::new, |known| complete::complete(&known, &at.text, at.byte, unasked))
    }
}

fn read<T: DeserializeOwned>(params: Value) -> Result<T, String> {
    serde_json::from_value(params).map_err(|error| error.to_string())
}

fn path_of(uri: &Uri) -> Option<PathBuf> {
    url::Url::parse(uri.as_str()).ok()?.to_file_path().ok()
}

fn uri_of(path: &Path) -> Option<Uri> {
    url::Url::from_file_path(path).ok()?.as_str().parse().ok()
}

fn range(lines: &Lines<'_>, span: Span) -> Range {
    let place = |byte: u32| {
        let (line, column) = lines.utf16(byte as usize);
        Position { line: line as u32, character: column as u32 }
    };
    Range { start: place(span.start), end: place(span.end) }
}

fn location(known: &Known, span: Span) -> Option<Location> {
    let (path, text) = known.path_of(span.file)?;
    Some(Location { uri: uri_of(&path)?, range: range(&Lines::of(text), span) })
}

fn rule_location(known: &Known, rule: &str) -> Option<Location> {
    let (path, text) = known.rulebook();
    let start = text.find(&format!("**{rule}**"))? + 2;
    let span = Span { file: 0, start: start as u32, end: (start + rule.len()) as u32 };
    Some(Location { uri: uri_of(&path)?, range: range(&Lines::of(&text), span) })
}

/// The items of a source: what each is called and what sort it is of.
#[allow(deprecated, reason = "the type has a field that was replaced by tags and must be given all the same")]
fn symbols(path: &Path, text: &str) -> Vec<DocumentSymbol> {
    if path.extension().is_none_or(|ending| ending != "saga") {
        return Vec::new();
    }
    let lines = Lines::of(text);
    let symbol = |name: String, detail: &str, kind: SymbolKind, whole: Span, own: Span| DocumentSymbol {
        name,
        detail: Some(detail.to_string()),
        kind,
        tags: None,
        deprecated: None,
        range: range(&lines, whole.to(own)),
        selection_range: range(&lines, own),
        children: None,
    };
    let items = parser::parse(0, text).0;
    let mut found = Vec::new();
    for item in &items {
        if let ItemKind::Card(card) = &item.kind {
            found.push(symbol(card.title.text.clone(), "card", SymbolKind::CLASS, item.span, card.title.span));
        }
        // Of a line that lists words each is one.
        found.extend(
            vocabulary::declared(item)
                .into_iter()
                .map(|entry| symbol(entry.name.clone(), entry.sort.name(), symbol_kind(entry.sort), item.span, entry.span)),
        );
    }
    found
}

fn symbol_kind(sort: vocabulary::Sort) -> SymbolKind {
    use vocabulary::Sort;
    match sort {
        Sort::Word | Sort::Member | Sort::Player => SymbolKind::ENUM_MEMBER,
        Sort::Enumeration => SymbolKind::ENUM,
        Sort::Noun | Sort::Kind | Sort::Template => SymbolKind::CLASS,
        Sort::Verb | Sort::Program | Sort::Function | Sort::Cost | Sort::Action => SymbolKind::FUNCTION,
        Sort::Event | Sort::Window | Sort::Timing => SymbolKind::EVENT,
        Sort::Value | Sort::Counter | Sort::Field | Sort::Adjective => SymbolKind::PROPERTY,
        Sort::Zone | Sort::Variable => SymbolKind::VARIABLE,
        Sort::Permission | Sort::Scope | Sort::Period | Sort::Role | Sort::Class | Sort::Option => SymbolKind::CONSTANT,
    }
}

/// The edit that brings a source into the usual form; none where it is in it, or cannot be read.
fn formatted(path: &Path, text: &str) -> Vec<TextEdit> {
    let source = path.extension().is_some_and(|ending| ending == "saga");
    let Some(new_text) = source.then(|| fmt::format(text).ok()).flatten().filter(|formatted| formatted != text) else { return Vec::new() };
    let whole = Span { file: 0, start: 0, end: text.len() as u32 };
    vec![TextEdit { range: range(&Lines::of(text), whole), new_text }]
}
