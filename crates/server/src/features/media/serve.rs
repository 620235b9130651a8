//! Serves images. URLs contain a hash of the content, so responses are immutable.

use crate::features::media::MediaState;
use crate::features::media::{errors, keys};
use crate::http::byte_range;
use crate::http::error::ApiError;
use axum::body::Body;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use kith_storage::Object;
use std::sync::Arc;

/// Serves a rendition of an image, or a byte range of it.
pub async fn serve(
    State(state): State<Arc<MediaState>>,
    Path((hash, file)): Path<(String, String)>,
    method: Method,
    headers: HeaderMap,
) -> Response {
    let path = format!("/images/{hash}/{file}");
    if keys::hash_of(&path).is_none() {
        return not_found();
    }
    let etag = format!("\"{hash}-{}\"", file.trim_end_matches(".webp"));
    let value = headers.get(header::IF_NONE_MATCH);
    let mut response = if value.is_some_and(|value| etag_matches(value, &etag)) {
        // Checks that the image still exists: a client can send the ETag of a deleted one.
        match state.storage.size(&path[1..]).await {
            Ok(Some(_)) => StatusCode::NOT_MODIFIED.into_response(),
            Ok(None) => return not_found(),
            Err(error) => return errors::from_storage_error(error).into_response(),
        }
    } else {
        let if_range = headers.get(header::IF_RANGE);
        let is_same_version = if_range.is_none_or(|value| value.as_bytes() == etag.as_bytes());
        let range_header =
            headers.get(header::RANGE).filter(|_| is_same_version && method == Method::GET);
        let range_header = range_header.and_then(|value| value.to_str().ok());
        match read_object(&state, &path[1..], range_header).await {
            Ok(Some(response)) => response,
            Ok(None) => return not_found(),
            Err(error) => return error.into_response(),
        }
    };
    // An unsatisfiable range must not be cached as the image.
    let (media_type, cache) = if response.status().is_client_error() {
        ("text/plain; charset=utf-8", "no-store")
    } else {
        ("image/webp", "public, max-age=31536000, immutable")
    };
    let response_headers = response.headers_mut();
    for (name, value) in [
        (header::CONTENT_TYPE, media_type),
        (header::CACHE_CONTROL, cache),
        (header::ACCEPT_RANGES, "bytes"),
    ] {
        response_headers.insert(name, HeaderValue::from_static(value));
    }
    if let Ok(value) = HeaderValue::try_from(etag) {
        response_headers.insert(header::ETAG, value);
    }
    response
}

/// Returns whether `If-None-Match` matches the `ETag`; `*` matches any.
fn etag_matches(value: &HeaderValue, etag: &str) -> bool {
    if value.as_bytes() == b"*" {
        return true;
    }
    let mut tags = value.to_str().unwrap_or_default().split(',').map(str::trim);
    tags.any(|tag| tag.trim_start_matches("W/") == etag)
}

/// Reads the object, or the requested byte range of it.
async fn read_object(
    state: &MediaState,
    key: &str,
    range_header: Option<&str>,
) -> Result<Option<Response>, ApiError> {
    let Some(range_header) = range_header else {
        let whole = state.storage.read(key, None).await;
        let whole = whole.map_err(errors::from_storage_error)?;
        return Ok(whole.map(|object| build_response(object, StatusCode::OK, None)));
    };
    let Some(size) = state.storage.size(key).await.map_err(errors::from_storage_error)? else {
        return Ok(None);
    };
    let range = byte_range::parse(range_header, usize::try_from(size).unwrap_or(usize::MAX));
    let (first, last) = match range {
        None => return Box::pin(read_object(state, key, None)).await,
        Some(Err(())) => {
            let mut response = StatusCode::RANGE_NOT_SATISFIABLE.into_response();
            set_range(&mut response, format!("bytes */{size}"));
            return Ok(Some(response));
        }
        Some(Ok((first, last))) => (first as u64, last as u64),
    };
    let object = state.storage.read(key, Some(first..last + 1)).await;
    Ok(object.map_err(errors::from_storage_error)?.map(|object| {
        let range = format!("bytes {first}-{last}/{size}");
        build_response(object, StatusCode::PARTIAL_CONTENT, Some(range))
    }))
}

fn build_response(object: Object, status: StatusCode, range: Option<String>) -> Response {
    let length = object.range.end - object.range.start;
    let mut response = (status, Body::from_stream(object.body)).into_response();
    let length = HeaderValue::from(length);
    response.headers_mut().insert(header::CONTENT_LENGTH, length);
    if let Some(range) = range {
        set_range(&mut response, range);
    }
    response
}

fn set_range(response: &mut Response, range: String) {
    if let Ok(value) = HeaderValue::try_from(range) {
        response.headers_mut().insert(header::CONTENT_RANGE, value);
    }
}

fn not_found() -> Response {
    (StatusCode::NOT_FOUND, "There is no such image.").into_response()
}
