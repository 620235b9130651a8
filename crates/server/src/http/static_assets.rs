//! Serves the web app, which is embedded in the binary with compressed copies.

use crate::http::byte_range;
use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use rust_embed::{EmbeddedFile, RustEmbed};
use std::borrow::Cow;

#[derive(RustEmbed)]
#[folder = "../../web/dist"]
#[allow_missing = true]
struct Dist;

/// Index page of the web app, served for every path that is not a file.
pub const INDEX: &str = "index.html";
/// Extension of compressed copies.
const COMPRESSED: &str = ".br";

/// Serves a file of the web build. Files with a hashed name are immutable; others are revalidated.
#[must_use]
pub fn serve_file(path: &str, method: &Method, request: &HeaderMap) -> Option<Response> {
    // Compressed copies are selected by `Accept-Encoding` only.
    if path.ends_with(COMPRESSED) {
        return None;
    }
    let plain = Dist::get(path)?;
    let compressed = accepts_brotli(request).then(|| Dist::get(&format!("{path}{COMPRESSED}")));
    let (body, encoding) = match compressed.flatten() {
        Some(compressed) => (compressed, Some("br")),
        None => (plain.clone(), None),
    };
    let etag = etag(&body);
    let mut response = if request
        .get(header::IF_NONE_MATCH)
        .is_some_and(|value| value.as_bytes() == etag.as_bytes())
    {
        StatusCode::NOT_MODIFIED.into_response()
    } else if encoding.is_none() {
        // Serve a range only of the version that the client has.
        let is_same_version =
            request.get(header::IF_RANGE).is_none_or(|value| value.as_bytes() == etag.as_bytes());
        let range =
            request.get(header::RANGE).filter(|_| is_same_version && *method == Method::GET);
        range_response(into_bytes(body), range)
    } else {
        into_bytes(body).into_response()
    };
    let status = response.status();
    let headers = response.headers_mut();
    let cache = if status.is_client_error() {
        "no-store"
    } else if path.starts_with("assets/") {
        "public, max-age=31536000, immutable"
    } else {
        "no-cache"
    };
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(cache));
    headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    if let Ok(value) = HeaderValue::from_str(&etag) {
        headers.insert(header::ETAG, value);
    }
    if let Ok(value) = HeaderValue::from_str(content_type(path, &plain)) {
        headers.insert(header::CONTENT_TYPE, value);
    }
    if let Some(encoding) = encoding {
        headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(encoding));
    }
    Some(response)
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

fn etag(file: &EmbeddedFile) -> String {
    format!("\"{}\"", hex::encode(&file.metadata.sha256_hash()[..12]))
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
