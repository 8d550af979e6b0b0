//! For tests of a running server: one on SQLite in a temporary folder, one on a PostgreSQL that is started here,
//! and a browser's worth of HTTP.

// Not every test file uses all of it.
#![allow(dead_code, unreachable_pub, clippy::unwrap_used, reason = "a test that cannot go on fails")]

pub mod at;
pub mod pair;

use serde_json::Value;
use sqlx::any::install_default_drivers;
use sqlx::{AnyConnection, AssertSqlSafe, Connection, Executor};
use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use trilogy_server::{Config, Running, start};

// ---- servers ----

/// Run the tests named here once on each storage.
#[macro_export]
macro_rules! on_both_storages {
    ($($name:ident),* $(,)?) => {
        mod on_sqlite {
            $(#[tokio::test(flavor = "multi_thread")]
            async fn $name() {
                super::$name(super::common::Place::folder()).await
            })*
        }
        mod on_postgres {
            $(#[tokio::test(flavor = "multi_thread")]
            async fn $name() {
                if let Some(place) = super::common::Place::postgres().await {
                    super::$name(place).await
                }
            })*
        }
    };
}

/// Where a server keeps its things; a folder is removed in the end.
pub struct Place {
    pub folder: PathBuf,
    pub database: Option<String>,
}

impl Place {
    pub fn folder() -> Place {
        Place { folder: temporary_folder(), database: None }
    }

    /// A fresh database; none where there is no PostgreSQL, which only CI holds against us.
    pub async fn postgres() -> Option<Place> {
        let url = match database_url() {
            Ok(url) => url,
            Err(why) => {
                skip(&why);
                return None;
            }
        };
        install_default_drivers();
        let name = format!("trilogy_test_{}", unique());
        let mut connection = connect(&url).await;
        connection.execute(sqlx::raw_sql(AssertSqlSafe(format!("CREATE DATABASE {name}")))).await.expect("a database can be made");
        connection.close().await.expect("the connection ends");
        Some(Place { folder: temporary_folder(), database: Some(with_database(&url, &name)) })
    }

    /// A configuration for this place, on any free port.
    pub fn config(&self) -> Config {
        Config {
            listen: SocketAddr::from(([127, 0, 0, 1], 0)),
            data: self.folder.clone(),
            database: self.database.clone(),
            ..Config::default()
        }
    }

    pub async fn start(&self) -> Running {
        start(self.config()).await.expect("the server starts")
    }

    /// Change what is stored, while no server runs.
    pub async fn change(&self, sql: String) {
        install_default_drivers();
        let file = format!("sqlite://{}", self.folder.join("trilogy.db").display());
        let mut connection = connect(self.database.as_ref().unwrap_or(&file)).await;
        connection.execute(sqlx::raw_sql(AssertSqlSafe(sql))).await.expect("the storage can be changed");
        connection.close().await.expect("the connection ends");
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// A server that has just been started listens before it is ready to serve.
async fn connect(url: &str) -> AnyConnection {
    let since = Instant::now();
    loop {
        match AnyConnection::connect(url).await {
            Ok(connection) => return connection,
            Err(error) => assert!(since.elapsed() < Duration::from_secs(30), "the database server does not answer: {error}"),
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// Something that a test needs is not here: in CI that is a failure.
pub fn skip(why: &str) {
    assert!(std::env::var_os("CI").is_none_or(|value| value.is_empty()), "{why}, which CI must have");
    eprintln!("skipped: {why}");
}

fn unique() -> String {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    format!("{}_{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed))
}

pub fn temporary_folder() -> PathBuf {
    let folder = std::env::temp_dir().join(format!("trilogy-test-{}", unique()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a temporary folder can be made");
    folder
}

/// The same server, another database.
fn with_database(url: &str, name: &str) -> String {
    let (url, query) = url.split_once('?').map_or((url, String::new()), |(url, query)| (url, format!("?{query}")));
    let host = url.find("://").map_or(0, |at| at + 3);
    let end = url[host..].find('/').map_or(url.len(), |at| host + at);
    format!("{}/{name}{query}", &url[..end])
}

// ---- PostgreSQL ----

/// `TRILOGY_TEST_DATABASE`, or a server of our own that ends with this process.
fn database_url() -> Result<String, String> {
    static URL: OnceLock<Result<String, String>> = OnceLock::new();
    let found = URL.get_or_init(|| match std::env::var("TRILOGY_TEST_DATABASE") {
        Ok(url) if !url.is_empty() => Ok(url),
        _ => start_postgres(),
    });
    found.clone()
}

/// Kept for the life of the process: its standard input is what PostgreSQL's keeper waits on.
static KEEPER: OnceLock<(Child, ChildStdin)> = OnceLock::new();

fn start_postgres() -> Result<String, String> {
    let programs = postgres_programs().ok_or("no PostgreSQL here (initdb and postgres), and no TRILOGY_TEST_DATABASE")?;
    // The shell waits for the end of its input, which comes with the end of this process however that comes about.
    let script = r#"
        dir=$(mktemp -d /tmp/trilogy-postgres-XXXXXX) || exit 1
        "$0/initdb" -D "$dir/data" -A trust -U postgres -E UTF8 --no-locale --no-sync >"$dir/log" 2>&1 || { cat "$dir/log" >&2; exit 1; }
        "$0/postgres" -D "$dir/data" -k "$dir" -c listen_addresses= -c fsync=off -c max_connections=400 >>"$dir/log" 2>&1 &
        server=$!
        echo "$dir"
        cat >/dev/null
        kill -INT $server
        wait $server
        rm -rf "$dir"
    "#;
    let root = Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout.trim_ascii() == b"0");
    let mut command = if root {
        let mut command = Command::new("runuser");
        command.args(["-u", "postgres", "--", "sh", "-c"]);
        command
    } else {
        let mut command = Command::new("sh");
        command.arg("-c");
        command
    };
    command.arg(script).arg(programs).current_dir("/").stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().map_err(|error| format!("PostgreSQL cannot be started: {error}"))?;
    let input = child.stdin.take().ok_or("no input")?;
    let mut folder = String::new();
    BufReader::new(child.stdout.take().ok_or("no output")?).read_line(&mut folder).map_err(|error| error.to_string())?;
    let folder = folder.trim();
    if folder.is_empty() {
        return Err("PostgreSQL did not start; its reason is above".into());
    }
    let _ = KEEPER.set((child, input));
    let socket = Path::new(folder).join(".s.PGSQL.5432");
    let since = Instant::now();
    while std::os::unix::net::UnixStream::connect(&socket).is_err() {
        if since.elapsed() > Duration::from_secs(30) {
            return Err(format!("PostgreSQL in {folder} does not answer"));
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    Ok(format!("postgres://postgres@localhost/postgres?host={}", folder.replace('/', "%2F")))
}

/// The folder with `initdb` and `postgres`: the newest that is installed, or one on the PATH.
pub fn postgres_programs() -> Option<PathBuf> {
    let has = |folder: &PathBuf| folder.join("initdb").is_file() && folder.join("postgres").is_file();
    let mut installed: Vec<PathBuf> = std::fs::read_dir("/usr/lib/postgresql")
        .map(|entries| entries.filter_map(|entry| Some(entry.ok()?.path().join("bin"))).collect())
        .unwrap_or_default();
    installed.sort();
    let path = std::env::var_os("PATH").unwrap_or_default();
    installed.into_iter().rev().chain(std::env::split_paths(&path)).find(has)
}

// ---- HTTP ----

/// Someone who talks to a server and keeps its cookie, as a browser does.
#[derive(Clone, Debug)]
pub struct Browser {
    pub addr: SocketAddr,
    pub cookie: Option<String>,
    pub csrf: Option<String>,
    pub origin: Option<String>,
}

#[derive(Clone, Debug)]
pub struct Reply {
    pub status: u16,
    /// Names in lower case.
    pub headers: Vec<(String, String)>,
    pub body: String,
}

impl Reply {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }
    /// The reason of a failure, with the status it must have.
    pub fn refused(&self, status: u16) -> String {
        assert_eq!(self.status, status, "{self:?}");
        self.json()["reason"].as_str().unwrap_or_else(|| panic!("not a problem: {self:?}")).to_string()
    }
    pub fn fine(self) -> Reply {
        assert!((200..300).contains(&self.status), "{self:?}");
        self
    }
}

impl Browser {
    pub fn new(addr: SocketAddr) -> Browser {
        Browser { addr, cookie: None, csrf: None, origin: Some(format!("http://{addr}")) }
    }

    /// A guest of this name.
    pub async fn guest(addr: SocketAddr, name: &str) -> Browser {
        let mut browser = Browser::new(addr);
        browser.post("/api/guest", &serde_json::json!({"name": name})).await.fine();
        browser
    }

    pub async fn get(&mut self, path: &str) -> Reply {
        self.send("GET", path, &[], "").await
    }
    pub async fn post(&mut self, path: &str, body: &Value) -> Reply {
        self.json("POST", path, body).await
    }
    pub async fn json(&mut self, method: &str, path: &str, body: &Value) -> Reply {
        self.send(method, path, &[("content-type", "application/json")], &body.to_string()).await
    }

    pub async fn send(&mut self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Reply {
        let mut head = format!("{method} {path} HTTP/1.1\r\nhost: {}\r\nconnection: close\r\n", self.addr);
        let mut add = |name: &str, value: &str| head.push_str(&format!("{name}: {value}\r\n"));
        headers.iter().for_each(|(name, value)| add(name, value));
        if let Some(cookie) = &self.cookie {
            add("cookie", &format!("other=1; trilogy_session={cookie}"));
        }
        if let Some(origin) = self.origin.as_ref().filter(|_| method != "GET") {
            add("origin", origin);
        }
        if let Some(csrf) = self.csrf.as_ref().filter(|_| method != "GET") {
            add("x-csrf", csrf);
        }
        if !body.is_empty() || method != "GET" {
            add("content-length", &body.len().to_string());
        }
        let reply = exchange(self.addr, format!("{head}\r\n{body}").as_bytes()).await;
        self.remember(&reply);
        reply
    }

    fn remember(&mut self, reply: &Reply) {
        for (_, value) in reply.headers.iter().filter(|(name, _)| name == "set-cookie") {
            let token = value.strip_prefix("trilogy_session=").and_then(|rest| rest.split(';').next()).unwrap_or("");
            self.cookie = Some(token.to_string()).filter(|token| !token.is_empty());
            if self.cookie.is_none() {
                self.csrf = None;
            }
        }
        let told = serde_json::from_str::<Value>(&reply.body).ok().and_then(|body| Some(body.get("csrf")?.as_str()?.to_string()));
        self.csrf = told.or(self.csrf.take());
    }
}

/// Send bytes and read the reply to its end.
pub async fn exchange(addr: SocketAddr, request: &[u8]) -> Reply {
    let mut stream = TcpStream::connect(addr).await.expect("the server takes connections");
    // A server that has heard enough may close before all is sent.
    let _ = stream.write_all(request).await;
    let mut bytes = Vec::new();
    let _ = stream.read_to_end(&mut bytes).await;
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
    let mut lines = head.lines();
    let status = lines.next().and_then(|line| line.split(' ').nth(1)?.parse().ok()).unwrap_or_else(|| panic!("no HTTP: {text:?}"));
    let headers = lines.filter_map(|line| line.split_once(": ")).map(|(name, value)| (name.to_lowercase(), value.to_string()));
    let headers: Vec<(String, String)> = headers.collect();
    let chunked = headers.iter().any(|(name, value)| name == "transfer-encoding" && value == "chunked");
    Reply { status, headers, body: if chunked { unchunked(body) } else { body.to_string() } }
}

fn unchunked(mut body: &str) -> String {
    let mut out = String::new();
    while let Some((size, rest)) = body.split_once("\r\n") {
        let Some(size) = usize::from_str_radix(size, 16).ok().filter(|size| *size > 0) else { break };
        let Some(chunk) = rest.get(..size) else { break };
        out += chunk;
        body = rest.get(size + 2..).unwrap_or("");
    }
    out
}
