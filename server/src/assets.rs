//! The browser client, which the program carries: its files under `/assets/HASH/`, and the page itself for every
//! address that nothing else answers, since the client draws its own pages.

use axum::Router;
use axum::body::Body;
use axum::extract::Path;
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri, header};
use axum::response::Response;
use axum::routing::get;

include!(concat!(env!("OUT_DIR"), "/assets.rs"));

struct File {
    path: &'static str,
    plain: &'static [u8],
    gzip: &'static [u8],
}

/// The name of every file changes with its content.
const FOR_EVER: &str = "public, max-age=31536000, immutable";

pub fn router<S: Clone + Send + Sync + 'static>() -> Router<S> {
    Router::new().route("/assets/{version}/{*path}", get(asset)).fallback(page)
}

async fn asset(Path((version, path)): Path<(String, String)>, headers: HeaderMap) -> Response {
    match FILES.iter().find(|file| file.path == path) {
        Some(file) if version == VERSION && file.path != "index.html" => send(file, &headers, FOR_EVER),
        _ => plain(StatusCode::NOT_FOUND, "no such file"),
    }
}

/// A page of the client. What programs ask for is not answered with a page.
async fn page(uri: Uri, headers: HeaderMap) -> Response {
    let path = uri.path();
    // Ids of rules have dots in them: `/rules/tcg.attack.hit` is a page.
    let file = path.contains('.') && !path.starts_with("/rules/");
    let for_programs = path == "/api" || path.starts_with("/api/") || path.starts_with("/assets/") || file;
    match FILES.iter().find(|file| file.path == "index.html") {
        Some(file) if !for_programs => send(file, &headers, "no-cache"),
        _ => plain(StatusCode::NOT_FOUND, "nothing is here"),
    }
}

fn send(file: &'static File, headers: &HeaderMap, caching: &'static str) -> Response {
    let accepts = headers.get(header::ACCEPT_ENCODING).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let packed = accepts.split(',').any(|encoding| encoding.trim().split(';').next() == Some("gzip"));
    let mut response = Response::new(Body::from(if packed { file.gzip } else { file.plain }));
    let set = response.headers_mut();
    set.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind(file.path)));
    set.insert(header::CACHE_CONTROL, HeaderValue::from_static(caching));
    set.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    if packed {
        set.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    }
    response
}

fn kind(path: &str) -> &'static str {
    match path.rsplit('.').next() {
        Some("js" | "mjs") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("html") => "text/html; charset=utf-8",
        _ => "application/octet-stream",
    }
}

fn plain(status: StatusCode, text: &'static str) -> Response {
    let mut response = Response::new(Body::from(text));
    *response.status_mut() = status;
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
    response
}
