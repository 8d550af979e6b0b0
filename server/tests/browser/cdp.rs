//! A Chromium without a window, told what to do over its own protocol (the Chrome DevTools Protocol).

use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::net::TcpStream;
use tokio::sync::{Mutex as AsyncMutex, mpsc, oneshot};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;

/// The longest that anything in a page may let us wait.
const PATIENCE: Duration = Duration::from_secs(60);
const NAMES: [&str; 5] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];

/// The first Chromium or Chrome on the PATH.
pub(crate) fn program() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    NAMES.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name))).find(|file| file.is_file())
}

// ---- the wire ----

type Sink = SplitSink<WebSocketStream<TcpStream>, Message>;
type Reply = Result<Value, String>;

/// What was heard of one page.
#[derive(Default)]
struct Heard {
    /// Errors that nobody in the page caught, and what it wrote to the console as errors.
    errors: Vec<String>,
    /// Answers that the page sent, and those that the server took.
    sent: u32,
    accepted: u32,
    rejected: Vec<String>,
}

#[derive(Default)]
struct Shared {
    waiting: HashMap<u64, oneshot::Sender<Reply>>,
    pages: HashMap<String, Heard>,
    closed: bool,
}

pub(crate) struct Wire {
    sink: AsyncMutex<Sink>,
    shared: Mutex<Shared>,
    next: AtomicU64,
}

impl Wire {
    async fn connect(url: &str) -> Arc<Wire> {
        let host = url.trim_start_matches("ws://").split('/').next().unwrap_or_default();
        let stream = TcpStream::connect(host).await.expect("the browser takes connections");
        let _ = stream.set_nodelay(true);
        // Pictures are large.
        let config = WebSocketConfig::default().max_message_size(None).max_frame_size(None);
        let (socket, _) = tokio_tungstenite::client_async_with_config(url, stream, Some(config)).await.expect("the browser talks");
        let (sink, source) = socket.split();
        let wire = Arc::new(Wire { sink: AsyncMutex::new(sink), shared: Mutex::default(), next: AtomicU64::new(1) });
        tokio::spawn(listen(wire.clone(), source));
        wire
    }

    fn shared(&self) -> MutexGuard<'_, Shared> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn call(&self, session: Option<&str>, method: &str, params: Value) -> Reply {
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        let mut message = json!({ "id": id, "method": method, "params": params });
        if let Some(session) = session {
            message["sessionId"] = session.into();
        }
        let (tell, told) = oneshot::channel();
        {
            let mut shared = self.shared();
            if shared.closed {
                return Err("the browser has ended".into());
            }
            shared.waiting.insert(id, tell);
        }
        self.sink.lock().await.send(Message::text(message.to_string())).await.map_err(|error| error.to_string())?;
        match tokio::time::timeout(PATIENCE, told).await {
            Ok(Ok(reply)) => reply,
            Ok(Err(_)) => Err("the browser has ended".into()),
            Err(_) => Err(format!("no reply to {method} in {PATIENCE:?}")),
        }
    }
}

async fn listen(wire: Arc<Wire>, mut source: SplitStream<WebSocketStream<TcpStream>>) {
    while let Some(Ok(message)) = source.next().await {
        let Message::Text(text) = message else { continue };
        let Ok(message) = serde_json::from_str::<Value>(&text) else { continue };
        let mut shared = wire.shared();
        if let Some(id) = message["id"].as_u64() {
            let reply = match message.get("error") {
                Some(error) => Err(error.to_string()),
                None => Ok(message["result"].clone()),
            };
            if let Some(tell) = shared.waiting.remove(&id) {
                let _ = tell.send(reply);
            }
        } else if let Some(session) = message["sessionId"].as_str() {
            hear(shared.pages.entry(session.into()).or_default(), &message);
        }
    }
    let mut shared = wire.shared();
    shared.closed = true;
    shared.waiting.clear();
}

fn hear(heard: &mut Heard, message: &Value) {
    let params = &message["params"];
    match message["method"].as_str().unwrap_or_default() {
        "Runtime.exceptionThrown" => {
            let details = &params["exceptionDetails"];
            let text = details["exception"]["description"].as_str().or(details["text"].as_str());
            heard.errors.push(text.unwrap_or("an exception").to_string());
        }
        "Runtime.consoleAPICalled" if params["type"] == "error" => heard.errors.push(params["args"].to_string()),
        "Network.webSocketFrameSent" if payload(params)["type"] == "answer" => heard.sent += 1,
        "Network.webSocketFrameReceived" => match payload(params) {
            said if said["type"] == "accepted" => heard.accepted += 1,
            said if said["type"] == "rejected" => heard.rejected.push(said.to_string()),
            _ => {}
        },
        _ => {}
    }
}

/// A message between the page and our server; its first letters tell whether it is worth reading.
fn payload(params: &Value) -> Value {
    let text = params["response"]["payloadData"].as_str().unwrap_or_default();
    let start = text.get(..text.len().min(40)).unwrap_or_default();
    let wanted = ["\"answer\"", "\"accepted\"", "\"rejected\""].iter().any(|word| start.contains(word));
    if wanted { serde_json::from_str(text).unwrap_or_default() } else { Value::Null }
}

// ---- the browser ----

/// One process with a fresh profile; both are gone when this is dropped.
pub(crate) struct Chrome {
    process: Child,
    profile: PathBuf,
    wire: Arc<Wire>,
}

impl Chrome {
    pub(crate) async fn start(program: PathBuf, profile: PathBuf) -> Chrome {
        let root = Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout.trim_ascii() == b"0");
        let mut command = Command::new(program);
        command.args([
            "--headless=new",
            "--remote-debugging-port=0",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--no-first-run",
            "--no-default-browser-check",
            "--disable-background-networking",
            "--disable-background-timer-throttling",
            "--disable-renderer-backgrounding",
            "--disable-backgrounding-occluded-windows",
            "--disable-component-update",
            "--disable-extensions",
            "--disable-sync",
            "--disable-quic",
            "--hide-scrollbars",
            "--mute-audio",
            "--no-proxy-server",
            "--window-size=1280,800",
        ]);
        if root {
            command.arg("--no-sandbox");
        }
        command.arg(format!("--user-data-dir={}", profile.display())).arg("about:blank");
        let mut process =
            command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("Chromium can be started");
        let errors = process.stderr.take().expect("Chromium has an output for errors");
        let (tell, mut told) = mpsc::unbounded_channel();
        // Read to its end: a browser that cannot write its complaints stands still.
        std::thread::spawn(move || {
            for line in BufReader::new(errors).lines().map_while(Result::ok) {
                let _ = tell.send(line);
            }
        });
        let mut said = Vec::new();
        let since = Instant::now();
        let url = loop {
            let left = PATIENCE.saturating_sub(since.elapsed());
            match tokio::time::timeout(left, told.recv()).await {
                Ok(Some(line)) => match line.strip_prefix("DevTools listening on ") {
                    Some(url) => break url.to_string(),
                    None => said.push(line),
                },
                _ => {
                    let _ = process.kill();
                    let _ = process.wait();
                    panic!("Chromium does not start: {}", said.join("\n"));
                }
            }
        };
        Chrome { process, profile, wire: Wire::connect(&url).await }
    }

    /// A page of somebody new: nothing is shared with other people's pages, cookies least of all.
    pub(crate) async fn person(&self) -> Page {
        let context = self.wire.call(None, "Target.createBrowserContext", json!({})).await.expect("a browser context");
        let context = context["browserContextId"].as_str().expect("an id").to_string();
        let target = json!({ "url": "about:blank", "browserContextId": context, "width": 1280, "height": 800 });
        let target = self.wire.call(None, "Target.createTarget", target).await.expect("a page");
        let attach = json!({ "targetId": target["targetId"], "flatten": true });
        let session = self.wire.call(None, "Target.attachToTarget", attach).await.expect("a page to talk to");
        let session = session["sessionId"].as_str().expect("an id").to_string();
        let page = Page { wire: self.wire.clone(), session };
        for domain in ["Page", "Runtime", "Network"] {
            page.call(&format!("{domain}.enable"), json!({})).await;
        }
        // Else only the page that was opened last has the focus.
        page.call("Emulation.setFocusEmulationEnabled", json!({ "enabled": true })).await;
        page.call("Page.addScriptToEvaluateOnNewDocument", json!({ "source": include_str!("driver.js") })).await;
        page
    }
}

impl Drop for Chrome {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
        // Its children may still be writing.
        for _ in 0..20 {
            if std::fs::remove_dir_all(&self.profile).is_ok() || !self.profile.exists() {
                break;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

// ---- a page ----

pub(crate) struct Page {
    wire: Arc<Wire>,
    session: String,
}

impl Page {
    pub(crate) async fn call(&self, method: &str, params: Value) -> Value {
        let reply = self.wire.call(Some(&self.session), method, params).await;
        reply.unwrap_or_else(|error| panic!("{method}: {error}"))
    }

    /// The value of an expression in the page; a promise is waited for.
    pub(crate) async fn eval(&self, expression: &str) -> Value {
        self.try_eval(expression).await.unwrap_or_else(|error| panic!("{error}\nin {}", expression.get(..400).unwrap_or(expression)))
    }

    async fn try_eval(&self, expression: &str) -> Reply {
        let params = json!({ "expression": expression, "awaitPromise": true, "returnByValue": true, "userGesture": true });
        let reply = self.wire.call(Some(&self.session), "Runtime.evaluate", params).await?;
        match reply.get("exceptionDetails") {
            Some(details) => Err(details["exception"]["description"].as_str().unwrap_or("an exception").to_string()),
            None => Ok(reply["result"]["value"].clone()),
        }
    }

    pub(crate) async fn text(&self, expression: &str) -> String {
        self.eval(expression).await.as_str().unwrap_or_default().to_string()
    }

    /// Wait until an expression is true, and give its value.
    pub(crate) async fn until(&self, what: &str, expression: &str) -> Value {
        let since = Instant::now();
        loop {
            // While a page is being changed for another one there is nothing to ask.
            let value = self.try_eval(expression).await;
            if let Ok(value) = &value
                && !matches!(value, Value::Null | Value::Bool(false))
                && value != ""
            {
                return value.clone();
            }
            if since.elapsed() > PATIENCE {
                panic!("{what} did not come about in {PATIENCE:?}: {value:?}\n{}", self.told().await);
            }
            tokio::time::sleep(Duration::from_millis(15)).await;
        }
    }

    /// What a person would tell of this page.
    pub(crate) async fn told(&self) -> String {
        let text = self.try_eval("location.pathname + '\\n' + (document.body?.innerText ?? '').slice(0, 3000)").await;
        let errors = self.wire.shared().pages.get(&self.session).map_or(Vec::new(), |heard| heard.errors.clone());
        format!("page: {}\nerrors: {errors:#?}", text.map_or_else(|error| error, |text| text.as_str().unwrap_or_default().to_string()))
    }

    pub(crate) async fn goto(&self, url: &str) {
        let reply = self.call("Page.navigate", json!({ "url": url })).await;
        assert!(reply.get("errorText").is_none(), "{url}: {reply}");
        self.drawn().await;
    }

    pub(crate) async fn reload(&self) {
        self.eval("window.before = true").await;
        self.call("Page.reload", json!({})).await;
        self.until("the page again", "!window.before").await;
        self.drawn().await;
    }

    /// Wait until the client has drawn itself.
    pub(crate) async fn drawn(&self) {
        self.until("a drawn page", "document.readyState === 'complete' && !!document.querySelector('#app main')?.firstElementChild").await;
    }

    pub(crate) async fn size(&self, width: u32, height: u32) {
        let phone = width < 600;
        self.call(
            "Emulation.setDeviceMetricsOverride",
            json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": phone }),
        )
        .await;
        self.call("Emulation.setTouchEmulationEnabled", json!({ "enabled": phone })).await;
        self.frames(3).await;
    }

    /// Let the page be drawn so many times: what hears of a change has been drawn anew by then.
    pub(crate) async fn frames(&self, count: u32) {
        self.eval(&format!(
            "new Promise((done) => {{ let left = {count}; const draw = () => (left-- > 0 ? requestAnimationFrame(draw) : done(true)); draw(); setTimeout(() => done(true), 2000); }})"
        ))
        .await;
    }

    /// What the person has set their system to.
    pub(crate) async fn prefers(&self, scheme: &str, motion: &str) {
        let features = json!([{ "name": "prefers-color-scheme", "value": scheme }, { "name": "prefers-reduced-motion", "value": motion }]);
        self.call("Emulation.setEmulatedMedia", json!({ "features": features })).await;
    }

    pub(crate) async fn click(&self, x: f64, y: f64) {
        for (kind, buttons) in [("mouseMoved", 0), ("mousePressed", 1), ("mouseReleased", 0)] {
            let button = if kind == "mouseMoved" { "none" } else { "left" };
            self.call(
                "Input.dispatchMouseEvent",
                json!({ "type": kind, "x": x, "y": y, "button": button, "buttons": buttons, "clickCount": 1 }),
            )
            .await;
        }
    }

    /// A finger comes down and stays.
    pub(crate) async fn touch(&self, x: f64, y: f64) {
        self.call("Input.dispatchTouchEvent", json!({ "type": "touchStart", "touchPoints": [{ "x": x, "y": y }] })).await;
    }

    pub(crate) async fn lift(&self) {
        self.call("Input.dispatchTouchEvent", json!({ "type": "touchEnd", "touchPoints": [] })).await;
    }

    pub(crate) async fn tap(&self, x: f64, y: f64) {
        self.touch(x, y).await;
        self.lift().await;
    }

    /// Press the right button.
    pub(crate) async fn right_click(&self, x: f64, y: f64) {
        for (kind, buttons) in [("mousePressed", 2), ("mouseReleased", 0)] {
            let event = json!({ "type": kind, "x": x, "y": y, "button": "right", "buttons": buttons, "clickCount": 1 });
            self.call("Input.dispatchMouseEvent", event).await;
        }
    }

    /// Write into a field.
    pub(crate) async fn write(&self, what: &str, field: &str, text: &str) {
        self.press(what, field).await;
        self.until(what, &format!("document.activeElement === ({field})")).await;
        self.call("Input.insertText", json!({ "text": text })).await;
    }

    /// Run a script in every page that is loaded from now on, before its own.
    pub(crate) async fn prepare(&self, script: &str) {
        self.call("Page.addScriptToEvaluateOnNewDocument", json!({ "source": script })).await;
    }

    /// Where an element is, once it is there and nothing lies over it.
    pub(crate) async fn place(&self, what: &str, element: &str) -> (f64, f64) {
        let at = self.until(what, &format!("driver.place({element})")).await;
        (at["x"].as_f64().unwrap_or_default(), at["y"].as_f64().unwrap_or_default())
    }

    pub(crate) async fn is(&self, expression: &str) -> bool {
        self.eval(expression).await == json!(true)
    }

    pub(crate) async fn hover(&self, x: f64, y: f64) {
        self.call("Input.dispatchMouseEvent", json!({ "type": "mouseMoved", "x": x, "y": y })).await;
    }

    /// Click what an expression finds, once it is there and nothing lies over it.
    pub(crate) async fn press(&self, what: &str, element: &str) {
        let (x, y) = self.place(what, element).await;
        self.click(x, y).await;
    }

    /// Press and release a key: "Tab", "Shift+Tab", "Enter", "ArrowUp", "p".
    pub(crate) async fn key(&self, key: &str) {
        self.dispatch_key(key, false).await;
    }

    /// A key that is held down comes again.
    pub(crate) async fn held(&self, key: &str) {
        self.dispatch_key(key, true).await;
    }

    async fn dispatch_key(&self, key: &str, repeats: bool) {
        let (shift, name) = key.strip_prefix("Shift+").map_or((0, key), |name| (8, name));
        let (code, number, text) = match name {
            "Tab" => ("Tab", 9, ""),
            "Enter" => ("Enter", 13, "\r"),
            "ArrowLeft" => ("ArrowLeft", 37, ""),
            "ArrowUp" => ("ArrowUp", 38, ""),
            "ArrowRight" => ("ArrowRight", 39, ""),
            "ArrowDown" => ("ArrowDown", 40, ""),
            "Home" => ("Home", 36, ""),
            "End" => ("End", 35, ""),
            "Escape" => ("Escape", 27, ""),
            " " => ("Space", 32, " "),
            "1" => ("Digit1", 49, "1"),
            "2" => ("Digit2", 50, "2"),
            "3" => ("Digit3", 51, "3"),
            "+" => ("Equal", 187, "+"),
            "-" => ("Minus", 189, "-"),
            "/" => ("Slash", 191, "/"),
            "p" => ("KeyP", 80, "p"),
            "P" => ("KeyP", 80, "P"),
            "u" => ("KeyU", 85, "u"),
            _ => panic!("a key this test does not know: {name}"),
        };
        let kind = if text.is_empty() { "rawKeyDown" } else { "keyDown" };
        let mut press =
            json!({ "type": kind, "key": name, "code": code, "windowsVirtualKeyCode": number, "modifiers": shift, "autoRepeat": repeats });
        if !text.is_empty() {
            press["text"] = text.into();
        }
        self.call("Input.dispatchKeyEvent", press).await;
        if !repeats {
            let release = json!({ "type": "keyUp", "key": name, "code": code, "windowsVirtualKeyCode": number, "modifiers": shift });
            self.call("Input.dispatchKeyEvent", release).await;
        }
    }

    /// A picture of what is seen, as PNG.
    pub(crate) async fn picture(&self) -> Vec<u8> {
        let reply = self.call("Page.captureScreenshot", json!({ "format": "png" })).await;
        from_base64(reply["data"].as_str().unwrap_or_default())
    }

    /// Answers that the server has taken from this page since it was opened.
    pub(crate) fn accepted(&self) -> u32 {
        self.wire.shared().pages.get(&self.session).map_or(0, |heard| heard.accepted)
    }

    /// Whether an answer is under way.
    pub(crate) fn waits(&self) -> bool {
        self.wire
            .shared()
            .pages
            .get(&self.session)
            .is_some_and(|heard| heard.sent as usize > heard.accepted as usize + heard.rejected.len())
    }

    /// Nothing went wrong in the page, and nothing that it sent was refused.
    pub(crate) fn is_well(&self) {
        let shared = self.wire.shared();
        if let Some(heard) = shared.pages.get(&self.session) {
            assert!(heard.errors.is_empty(), "errors in the page: {:#?}", heard.errors);
            assert!(heard.rejected.is_empty(), "the server refused what the page sent: {:#?}", heard.rejected);
        }
    }
}

fn from_base64(text: &str) -> Vec<u8> {
    let value = |letter: u8| match letter {
        b'A'..=b'Z' => Some(letter - b'A'),
        b'a'..=b'z' => Some(letter - b'a' + 26),
        b'0'..=b'9' => Some(letter - b'0' + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    };
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    let (mut bits, mut count) = (0u32, 0);
    for six in text.bytes().filter_map(value) {
        bits = (bits << 6) | u32::from(six);
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
        }
    }
    bytes
}
