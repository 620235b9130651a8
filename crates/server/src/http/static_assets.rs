//! Serves the web app, which is embedded in the binary with compressed copies.

use crate::http::byte_range;
use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use brotli::enc::BrotliEncoderParams;
use rust_embed::{EmbeddedFile, RustEmbed};
use sha2::{Digest as _, Sha256};
use std::borrow::Cow;

#[derive(RustEmbed)]
#[folder = "../../web/dist"]
#[allow_missing = true]
struct Dist;

/// Extension of compressed copies.
const COMPRESSED: &str = ".br";
/// `Cache-Control` of files that are revalidated.
const REVALIDATED: &str = "no-cache";

/// A file of the web app with its compressed copy.
#[derive(Debug, Clone)]
pub struct Asset {
    content_type: String,
    cache_control: &'static str,
    plain: Representation,
    brotli: Option<Representation>,
}

/// Bytes of a file in one encoding.
#[derive(Debug, Clone)]
struct Representation {
    body: Bytes,
    etag: String,
}

/// Finds a file of the web build. Files with a hashed name are immutable; others are revalidated.
#[must_use]
pub fn find(path: &str) -> Option<Asset> {
    // Compressed copies are selected by `Accept-Encoding` only.
    if path.ends_with(COMPRESSED) {
        return None;
    }
    let plain = Dist::get(path)?;
    let is_hashed = path.starts_with("assets/");
    Some(Asset {
        content_type: content_type(path, &plain).to_owned(),
        cache_control: if is_hashed { "public, max-age=31536000, immutable" } else { REVALIDATED },
        plain: plain.into(),
        brotli: Dist::get(&format!("{path}{COMPRESSED}")).map(Representation::from),
    })
}

/// Returns a text file of the web build.
#[must_use]
pub fn find_text(path: &str) -> Option<String> {
    String::from_utf8(Dist::get(path)?.data.into_owned()).ok()
}

impl Asset {
    /// Builds a file that the server writes, and compresses it.
    #[must_use]
    pub fn new(content_type: &str, text: String) -> Self {
        Self {
            content_type: content_type.to_owned(),
            cache_control: REVALIDATED,
            brotli: compress(text.as_bytes()).map(|body| Representation::new(body.into())),
            plain: Representation::new(text.into()),
        }
    }

    /// Responds with the file in the encoding that the client accepts.
    #[must_use]
    pub fn respond(&self, method: &Method, request: &HeaderMap) -> Response {
        let compressed = self.brotli.as_ref().filter(|_| accepts_brotli(request));
        let Representation { body, etag } = compressed.unwrap_or(&self.plain);
        let is_match = |name| {
            let value: Option<&HeaderValue> = request.get(name);
            value.map(|value| value.as_bytes() == etag.as_bytes())
        };
        let mut response = if is_match(header::IF_NONE_MATCH).unwrap_or(false) {
            StatusCode::NOT_MODIFIED.into_response()
        } else if compressed.is_none() {
            // Serve a range only of the version that the client has.
            let is_same_version = is_match(header::IF_RANGE).unwrap_or(true);
            let range =
                request.get(header::RANGE).filter(|_| is_same_version && *method == Method::GET);
            range_response(body.clone(), range)
        } else {
            body.clone().into_response()
        };
        let is_error = response.status().is_client_error();
        let headers = response.headers_mut();
        let cache = if is_error { "no-store" } else { self.cache_control };
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(cache));
        headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
        for (name, value) in [(header::ETAG, etag), (header::CONTENT_TYPE, &self.content_type)] {
            if let Ok(value) = HeaderValue::from_str(value) {
                headers.insert(name, value);
            }
        }
        if compressed.is_some() {
            headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("br"));
        }
        response
    }
}

impl Representation {
    fn new(body: Bytes) -> Self {
        let etag = format_etag(&Sha256::digest(&body));
        Self { body, etag }
    }
}

impl From<EmbeddedFile> for Representation {
    fn from(file: EmbeddedFile) -> Self {
        let etag = format_etag(&file.metadata.sha256_hash());
        Self { body: into_bytes(file), etag }
    }
}

fn compress(bytes: &[u8]) -> Option<Vec<u8>> {
    let params = BrotliEncoderParams { quality: 9, ..BrotliEncoderParams::default() };
    let mut compressed = Vec::new();
    brotli::BrotliCompress(&mut &bytes[..], &mut compressed, &params).ok()?;
    Some(compressed)
}

fn content_type<'a>(path: &str, file: &'a EmbeddedFile) -> &'a str {
    match path.rsplit('.').next() {
        Some("webmanifest") => "application/manifest+json",
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("svg") => "image/svg+xml; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        _ => file.metadata.mimetype(),
    }
}

fn accepts_brotli(request: &HeaderMap) -> bool {
    let accepted = request.get(header::ACCEPT_ENCODING);
    let accepted = accepted.and_then(|accepted| accepted.to_str().ok());
    accepted.unwrap_or_default().split(',').any(|part| {
        let (coding, weight) = part.split_once(';').unwrap_or((part, ""));
        let weight = weight.split_once('=').map_or("1", |(_, weight)| weight);
        coding.trim().eq_ignore_ascii_case("br")
            && weight.trim().parse().is_ok_and(|q: f32| q > 0.0)
    })
}

fn format_etag(hash: &[u8]) -> String {
    format!("\"{}\"", hex::encode(&hash[..12]))
}

fn into_bytes(file: EmbeddedFile) -> Bytes {
    match file.data {
        Cow::Borrowed(data) => Bytes::from_static(data),
        Cow::Owned(data) => Bytes::from(data),
    }
}

/// Responds with one byte range, which some players need to start a video.
fn range_response(data: Bytes, range: Option<&HeaderValue>) -> Response {
    let size = data.len();
    let parsed =
        range.and_then(|value| value.to_str().ok()).and_then(|text| byte_range::parse(text, size));
    let mut response = match parsed {
        None => data.into_response(),
        Some(Err(())) => {
            let mut response = StatusCode::RANGE_NOT_SATISFIABLE.into_response();
            set_content_range(&mut response, format!("bytes */{size}"));
            response
        }
        Some(Ok((first, last))) => {
            let mut response =
                (StatusCode::PARTIAL_CONTENT, Body::from(data.slice(first..=last))).into_response();
            set_content_range(&mut response, format!("bytes {first}-{last}/{size}"));
            response
        }
    };
    response.headers_mut().insert(header::ACCEPT_RANGES, HeaderValue::from_static("bytes"));
    response
}

fn set_content_range(response: &mut Response, range: String) {
    if let Ok(value) = HeaderValue::try_from(range) {
        response.headers_mut().insert(header::CONTENT_RANGE, value);
    }
}
