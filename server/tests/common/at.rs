//! People at addresses of their own, seen through a proxy on this machine.

use super::{Browser, Place, Reply};
use serde_json::{Value, json};
use trilogy_server::guard::network;
use trilogy_server::limits::{Limits, Rate};
use trilogy_server::{Config, Running, start};

/// A server behind a proxy on this machine, so that a test can come from anywhere.
pub async fn behind_proxy(place: &Place, limits: Limits) -> Running {
    let trusted_proxies = vec![network("127.0.0.1").unwrap()];
    start(Config { limits, trusted_proxies, ..place.config() }).await.expect("the server starts")
}

/// Somebody at an address.
pub struct At<'a> {
    pub address: &'a str,
    pub browser: Browser,
}

impl<'a> At<'a> {
    pub fn new(running: &Running, address: &'a str) -> At<'a> {
        At { address, browser: Browser::new(running.addr) }
    }
    pub async fn guest(running: &Running, address: &'a str, name: &str) -> At<'a> {
        let mut at = At::new(running, address);
        at.post("/api/guest", &json!({ "name": name })).await.fine();
        at
    }
    pub async fn account(running: &Running, address: &'a str, name: &str) -> At<'a> {
        let mut at = At::new(running, address);
        at.post("/api/register", &json!({"name": name, "password": "correct horse"})).await.fine();
        at
    }
    pub async fn post(&mut self, path: &str, body: &Value) -> Reply {
        self.send("POST", path, body).await
    }
    pub async fn send(&mut self, method: &str, path: &str, body: &Value) -> Reply {
        let headers = [("content-type", "application/json"), ("x-forwarded-for", self.address)];
        self.browser.send(method, path, &headers, &body.to_string()).await
    }
    pub async fn login(&mut self, name: &str, password: &str) -> Reply {
        self.post("/api/login", &json!({"name": name, "password": password})).await
    }
}

pub fn slow(burst: f64) -> Rate {
    Rate { burst, per_second: 1e-6 }
}
