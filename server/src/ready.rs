//! Answers that are written once and sent many times: JSON, as it is and packed, with a tag by which a browser tells that it has it.

use axum::body::Bytes;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use flate2::Compression;
use flate2::write::GzEncoder;
use serde::Serialize;
use std::io::Write;

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Ready {
    plain: Bytes,
    packed: Bytes,
    tag: String,
    /// Its content type.
    kind: &'static str,
}

/// How long a browser may keep an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Keeps {
    /// Until the tag is another.
    WhileSame,
    /// What it answers never changes.
    ForEver,
}

impl Ready {
    pub(crate) fn json<T: Serialize>(content: &T) -> Ready {
        Ready::of(serde_json::to_vec(content).unwrap_or_default(), "application/json")
    }

    pub(crate) fn of(plain: Vec<u8>, kind: &'static str) -> Ready {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        // Writing to memory does not fail.
        let _ = encoder.write_all(&plain);
        let packed = encoder.finish().unwrap_or_default();
        // Packed or not, it is the same: hence weak.
        let tag = format!("W/\"{}\"", &blake3::hash(&plain).to_hex()[..24]);
        Ready { plain: plain.into(), packed: packed.into(), tag, kind }
    }

    /// Bytes of memory that it takes.
    pub(crate) fn size(&self) -> usize {
        self.plain.len() + self.packed.len()
    }

    /// Send it, unless the browser has it.
    pub(crate) fn send(&self, headers: &HeaderMap, keeps: Keeps) -> Response {
        let caching = match keeps {
            Keeps::WhileSame => "no-cache",
            Keeps::ForEver => "private, max-age=31536000, immutable",
        };
        let told = [(header::ETAG, self.tag.clone()), (header::CACHE_CONTROL, caching.to_string())];
        if headers.get(header::IF_NONE_MATCH).is_some_and(|known| known.as_bytes() == self.tag.as_bytes()) {
            return (StatusCode::NOT_MODIFIED, told).into_response();
        }
        let kind = (header::CONTENT_TYPE, HeaderValue::from_static(self.kind));
        if takes_packed(headers) {
            let packed = [
                kind,
                (header::CONTENT_ENCODING, HeaderValue::from_static("gzip")),
                (header::VARY, HeaderValue::from_static("accept-encoding")),
            ];
            (told, packed, self.packed.clone()).into_response()
        } else {
            (told, [kind], self.plain.clone()).into_response()
        }
    }
}

fn takes_packed(headers: &HeaderMap) -> bool {
    let takes = |part: &str| {
        let mut words = part.split(';').map(str::trim);
        words.next().is_some_and(|name| name.eq_ignore_ascii_case("gzip"))
            && !words.any(|word| matches!(word, "q=0" | "q=0.0" | "q=0.00" | "q=0.000"))
    };
    let lists = headers.get_all(header::ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok());
    lists.flat_map(|list| list.split(',')).any(takes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;

    async fn body(response: Response) -> Vec<u8> {
        axum::body::to_bytes(response.into_body(), 1 << 20).await.expect("it ends").to_vec()
    }

    #[tokio::test]
    async fn it_is_sent_as_the_browser_takes_it_and_once() {
        let ready = Ready::json(&vec!["once upon a time"; 100]);
        let plain = body(ready.send(&HeaderMap::new(), Keeps::WhileSame)).await;
        assert_eq!(serde_json::from_slice::<Vec<String>>(&plain).expect("JSON").len(), 100);
        for (accepts, packed) in [("gzip", true), ("br, GZIP;q=0.5", true), ("gzip;q=0", false), ("br", false)] {
            let headers = HeaderMap::from_iter([(header::ACCEPT_ENCODING, HeaderValue::from_static(accepts))]);
            let response = ready.send(&headers, Keeps::ForEver);
            assert_eq!(response.headers().contains_key(header::CONTENT_ENCODING), packed, "{accepts}");
            let sent = body(response).await;
            if packed {
                assert!(sent.len() < plain.len() / 4);
                let mut unpacked = Vec::new();
                flate2::read::GzDecoder::new(&sent[..]).read_to_end(&mut unpacked).expect("it was packed");
                assert_eq!(unpacked, plain);
            }
        }
        let known = HeaderMap::from_iter([(header::IF_NONE_MATCH, HeaderValue::from_str(&ready.tag).expect("a tag"))]);
        assert_eq!(ready.send(&known, Keeps::ForEver).status(), StatusCode::NOT_MODIFIED);
        assert_ne!(Ready::json(&1).tag, Ready::json(&2).tag);
    }
}
