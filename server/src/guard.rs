//! What every request passes on its way in and out: who sends it and how often, from which page, with which session;
//! then the time and size it may take, the headers of the answer, and a line in the log.

use crate::accounts::{self, User};
use crate::app::Shared;
use crate::failure::Failure;
use crate::limits::{What, address_key};
use axum::body::to_bytes;
use axum::extract::{FromRequestParts, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use ipnet::IpNet;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::time::{Duration, Instant};

/// The other end of the connection.
#[derive(Clone, Copy)]
pub(crate) struct Peer(pub(crate) SocketAddr);

/// Where a request comes from, as the peer or a trusted proxy says.
#[derive(Clone, Copy, Debug)]
pub struct Client {
    pub address: IpAddr,
    /// Over https.
    pub secure: bool,
}

impl<S: Send + Sync> FromRequestParts<S> for Client {
    type Rejection = Failure;
    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Client, Failure> {
        parts.extensions.get::<Client>().copied().ok_or_else(|| Failure::internal("a request without a client"))
    }
}

/// How long the refusal of one request too many takes: with so many connections as one address may have, it cannot ask much faster
/// than it is allowed to.
const HELD_UP: Duration = Duration::from_secs(1);
/// The longest that a request may take, its body included.
const PATIENCE: Duration = Duration::from_secs(20);

/// What a page may do: nothing but talk to this server. Pictures of cards are made in the page as `data:`.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
                      font-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/// Set on every answer, and nowhere else.
const HEADERS: [(HeaderName, &str); 7] = [
    (header::CONTENT_SECURITY_POLICY, POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (header::REFERRER_POLICY, "same-origin"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    (HeaderName::from_static("permissions-policy"), "camera=(), geolocation=(), microphone=(), payment=()"),
];

pub(crate) async fn guard(State(app): State<Shared>, request: Request, next: Next) -> Response {
    let started = Instant::now();
    let (method, path) = (request.method().clone(), request.uri().path().to_string());
    let programs = path.starts_with("/api/") || path == "/api";
    let passed = tokio::time::timeout(PATIENCE, admit(&app, request, next)).await;
    let mut response = match passed {
        Ok(Ok(response)) => response,
        Ok(Err(failure)) => failure.into_response(),
        Err(_) => Failure::new(StatusCode::REQUEST_TIMEOUT, "the request took too long").into_response(),
    };
    if programs {
        response = as_problem(response).await;
        response.headers_mut().entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    }
    for (name, value) in HEADERS {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    let (status, time) = (response.status().as_u16(), started.elapsed());
    app.metrics.request(status, time);
    let micros = time.as_micros() as u64;
    if programs || path == "/ws" {
        tracing::info!(%method, path, status, micros, "request");
    } else {
        tracing::debug!(%method, path, status, micros, "request");
    }
    response
}

async fn admit(app: &Shared, mut request: Request, next: Next) -> Result<Response, Failure> {
    let peer = request.extensions().get::<Peer>().map_or(IpAddr::from(Ipv4Addr::UNSPECIFIED), |peer| peer.0.ip());
    let client = client(peer, request.headers(), &app.trusted_proxies);
    request.extensions_mut().insert(client);
    let household = address_key(client.address);
    if app.is_banned(&household) {
        return Err(Failure::forbidden("this address is shut out"));
    }
    if let Err(failure) = app.limits.take(What::Address, &household) {
        // Whoever asks again at once has to wait for the refusal, too.
        tokio::time::sleep(HELD_UP).await;
        return Err(failure);
    }
    let changes = !matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS);
    let socket = request.headers().contains_key(header::UPGRADE);
    if (changes || socket) && !from_our_page(request.headers(), is_trusted(&app.trusted_proxies, peer)) {
        return Err(Failure::forbidden("this came from a page of another site"));
    }
    let path = request.uri().path();
    // Files of the client are the same for all.
    let user = if path.starts_with("/api/") || path == "/ws" { accounts::user_of(app, request.headers()).await? } else { None };
    if let Some(user) = user {
        if changes {
            check_csrf(&user, request.headers())?;
            app.limits.take(What::Session, &user.session)?;
        }
        request.extensions_mut().insert(user);
    }
    Ok(next.run(request).await)
}

/// Whether what this address says of others is believed.
pub(crate) fn is_trusted(proxies: &[IpNet], address: IpAddr) -> bool {
    let address = address.to_canonical();
    proxies.iter().any(|proxy| proxy.contains(&address))
}

/// An address or a network, as `--trusted-proxy` names it.
pub fn network(text: &str) -> Result<IpNet, String> {
    let text = text.trim();
    let network = text.parse::<IpAddr>().map(|address| IpNet::from(address.to_canonical())).or_else(|_| text.parse());
    network.map_err(|_| format!("\"{text}\" is neither an address (10.0.0.2) nor a network (10.0.0.0/8)"))
}

fn client(peer: IpAddr, headers: &HeaderMap, proxies: &[IpNet]) -> Client {
    let mut address = peer.to_canonical();
    if !is_trusted(proxies, address) {
        return Client { address, secure: false };
    }
    // Each proxy adds at the end who came to it, so that an address is true as long as those behind it are trusted.
    let lines: Vec<&str> = headers.get_all("x-forwarded-for").iter().map(|line| line.to_str().unwrap_or("")).collect();
    for hop in lines.iter().rev().flat_map(|line| line.rsplit(',')) {
        let Some(before) = hop_address(hop.trim()) else { break };
        address = before;
        if !is_trusted(proxies, address) {
            break;
        }
    }
    let scheme = headers.get_all("x-forwarded-proto").iter().next_back().and_then(|value| value.to_str().ok());
    Client { address, secure: scheme.is_some_and(|scheme| scheme.trim().eq_ignore_ascii_case("https")) }
}

/// Some proxies write the port with it.
fn hop_address(hop: &str) -> Option<IpAddr> {
    let address = hop.parse().or_else(|_| hop.parse::<SocketAddr>().map(|with_port| with_port.ip())).ok()?;
    Some(address.to_canonical())
}

/// Whether a request was made by our own page, or by no page at all. A browser always names the page's origin
/// with what changes something and with sockets; a program that is no browser has no cookies to be misused.
fn from_our_page(headers: &HeaderMap, proxied: bool) -> bool {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    if !text("sec-fetch-site").is_none_or(|site| site == "same-origin" || site == "none") {
        return false;
    }
    let Some(origin) = headers.get(header::ORIGIN) else { return true };
    let host = text("x-forwarded-host").filter(|_| proxied).or_else(|| text("host"));
    let origin = origin.to_str().ok().and_then(|origin| origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://")));
    matches!((origin, host), (Some(origin), Some(host)) if origin.eq_ignore_ascii_case(host))
}

fn check_csrf(user: &User, headers: &HeaderMap) -> Result<(), Failure> {
    let sent = headers.get("x-csrf").and_then(|value| value.to_str().ok());
    let fits = sent.is_some_and(|sent| accounts::same(sent, &user.csrf));
    fits.then_some(()).ok_or_else(|| Failure::forbidden("the header x-csrf is missing or wrong; load the page again"))
}

/// Failures that the framework words itself (no such path, wrong method, body too long) in the form of all others.
async fn as_problem(response: Response) -> Response {
    let failed = response.status().is_client_error() || response.status().is_server_error();
    let json = response.headers().get(header::CONTENT_TYPE).is_some_and(|kind| kind.as_bytes().starts_with(b"application/json"));
    if !failed || json {
        return response;
    }
    let (parts, body) = response.into_parts();
    let said = to_bytes(body, 1000).await.ok().and_then(|bytes| String::from_utf8(bytes.to_vec()).ok());
    let reason = said.filter(|said| !said.trim().is_empty()).unwrap_or_else(|| match parts.status {
        StatusCode::METHOD_NOT_ALLOWED => "this cannot be done with that path".to_string(),
        status => status.canonical_reason().unwrap_or("it did not work").to_lowercase(),
    });
    let mut problem = Failure::new(parts.status, reason.trim()).into_response();
    if let Some(allow) = parts.headers.get(header::ALLOW) {
        problem.headers_mut().insert(header::ALLOW, allow.clone());
    }
    problem
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(&'static str, &'static str)]) -> HeaderMap {
        pairs.iter().map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_static(value))).collect()
    }

    #[test]
    fn pages_of_other_sites_are_told_apart() {
        let ours = |pairs: &[(&'static str, &'static str)]| from_our_page(&headers(pairs), false);
        assert!(ours(&[("host", "a.example:80")]));
        assert!(ours(&[("host", "a.example:80"), ("origin", "http://a.example:80")]));
        assert!(!ours(&[("host", "a.example"), ("origin", "http://b.example")]));
        assert!(!ours(&[("host", "a.example"), ("origin", "http://a.example.evil")]));
        assert!(!ours(&[("host", "a.example"), ("origin", "null")]));
        assert!(!ours(&[("host", "a.example"), ("sec-fetch-site", "cross-site")]));
        assert!(!ours(&[("host", "a.example"), ("x-forwarded-host", "b.example"), ("origin", "http://b.example")]));
        let proxied = headers(&[("host", "localhost"), ("x-forwarded-host", "b.example"), ("origin", "https://b.example")]);
        assert!(from_our_page(&proxied, true));
    }

    #[test]
    fn only_a_trusted_proxy_tells_the_address() {
        let told = |peer: &str, trusted: &[&str], sent: &[(&'static str, &'static str)]| {
            let trusted: Vec<IpNet> = trusted.iter().map(|text| network(text).expect("a network")).collect();
            let client = client(peer.parse().expect("an address"), &headers(sent), &trusted);
            (client.address.to_string(), client.secure)
        };
        let sent = [("x-forwarded-for", "1.2.3.4, 5.6.7.8"), ("x-forwarded-proto", "https")];
        let is = |address: &str, secure: bool| (address.to_string(), secure);
        assert_eq!(told("127.0.0.1", &[], &sent), is("127.0.0.1", false));
        assert_eq!(told("127.0.0.1", &["10.0.0.0/8"], &sent), is("127.0.0.1", false), "a peer that is no proxy of ours");
        assert_eq!(told("127.0.0.1", &["127.0.0.1"], &sent), is("5.6.7.8", true), "what stands before it is hearsay");
        assert_eq!(told("::ffff:127.0.0.1", &["127.0.0.1"], &sent), is("5.6.7.8", true));
        assert_eq!(told("127.0.0.1", &["127.0.0.1", "5.6.0.0/16"], &sent), is("1.2.3.4", true), "two proxies, one behind the other");
        assert_eq!(told("127.0.0.1", &["0.0.0.0/0"], &sent), is("1.2.3.4", true));
        assert_eq!(told("127.0.0.1", &["127.0.0.1"], &[]), is("127.0.0.1", false), "the proxy itself");
        let lines = [("x-forwarded-for", "1.2.3.4"), ("x-forwarded-for", "5.6.7.8"), ("x-forwarded-for", "10.0.0.1")];
        assert_eq!(told("10.0.0.2", &["10.0.0.0/8"], &lines), is("5.6.7.8", false));
        let odd = [("x-forwarded-for", "1.2.3.4, unknown, [2001:db8::1]:443")];
        assert_eq!(told("10.0.0.2", &["10.0.0.2"], &odd), is("2001:db8::1", false));
        assert_eq!(told("10.0.0.2", &["10.0.0.2", "2001:db8::/32"], &odd), is("2001:db8::1", false), "what cannot be read ends it");
    }

    #[test]
    fn a_proxy_is_an_address_or_a_network() {
        assert_eq!(network("10.0.0.2").map(|network| network.to_string()), Ok("10.0.0.2/32".into()));
        assert_eq!(network("::ffff:10.0.0.2"), network("10.0.0.2"));
        assert_eq!(network(" 2001:db8::/32").map(|network| network.to_string()), Ok("2001:db8::/32".into()));
        for wrong in ["", "localhost", "10.0.0.0/33", "10.0.0"] {
            assert!(network(wrong).is_err_and(|why| why.contains("neither an address")), "{wrong}");
        }
    }
}
