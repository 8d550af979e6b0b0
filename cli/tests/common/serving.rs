//! Servers in processes of their own, to be killed, frozen and woken.

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};

pub(crate) struct Server {
    child: Child,
    pub(crate) addr: SocketAddr,
}

impl Server {
    /// `trilogy serve` with these arguments besides.
    pub(crate) fn start(args: &[&str]) -> Server {
        let mut child = Command::new(env!("CARGO_BIN_EXE_trilogy"))
            .args(["serve", "--no-browser"])
            .args(args)
            .env("RUST_LOG", std::env::var("RUST_LOG").unwrap_or_else(|_| "off".into()))
            .stdout(Stdio::piped())
            .spawn()
            .expect("the server starts");
        let out = child.stdout.take().expect("it has an output");
        let said = BufReader::new(out).lines().map_while(Result::ok).find_map(|line| {
            let at = line.strip_prefix("Trilogy is at http://")?;
            at.trim_end_matches('/').parse().ok()
        });
        Server { child, addr: said.expect("the server says where it is") }
    }

    /// `kill -9`: the process has no time for anything.
    pub(crate) fn kill(&mut self) {
        self.child.kill().expect("the server can be killed");
        self.child.wait().expect("the server ends");
    }

    /// Tell the process to end, and wait until it has.
    pub(crate) fn end(&mut self) {
        self.signal("TERM");
        self.child.wait().expect("the server ends");
    }

    /// STOP, CONT, TERM.
    pub(crate) fn signal(&self, name: &str) {
        let sent = Command::new("kill").args([format!("-{name}"), self.child.id().to_string()]).status();
        assert!(sent.is_ok_and(|status| status.success()), "the signal {name} cannot be sent");
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
