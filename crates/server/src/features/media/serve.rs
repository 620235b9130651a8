//! Answering images. Their addresses hold their content's hash, so what was once got never changes.

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

/// A size of an image, or a part of it.
pub async fn serve(
    State(app): State<Arc<MediaState>>,
    Path((hash, file)): Path<(String, String)>,
    method: Method,
    headers: HeaderMap,
) -> Response {
    let path = format!("/images/{hash}/{file}");
    if keys::hash_of(&path).is_none() {
        return missing();
    }
    let etag = format!("\"{hash}-{}\"", file.trim_end_matches(".webp"));
    let seen = headers.get(header::IF_NONE_MATCH);
    let mut response = if seen.is_some_and(|seen| names(seen, &etag)) {
        // Whoever names the version need not have it, and nothing is there for good.
        match app.storage.size(&path[1..]).await {
            Ok(Some(_)) => StatusCode::NOT_MODIFIED.into_response(),
            Ok(None) => return missing(),
            Err(error) => return errors::failed(error).into_response(),
        }
    } else {
        let same = headers.get(header::IF_RANGE);
        let same = same.is_none_or(|seen| seen.as_bytes() == etag.as_bytes());
        let wanted = headers
            .get(header::RANGE)
            .filter(|_| same && method == Method::GET);
        let wanted = wanted.and_then(|value| value.to_str().ok());
        match part(&app, &path[1..], wanted).await {
            Ok(Some(response)) => response,
            Ok(None) => return missing(),
            Err(error) => return error.into_response(),
        }
    };
    // A range that is not there says nothing of the image.
    let (media_type, cache) = if response.status().is_client_error() {
        ("text/plain; charset=utf-8", "no-store")
    } else {
        ("image/webp", "public, max-age=31536000, immutable")
    };
    let answer = response.headers_mut();
    for (name, value) in [
        (header::CONTENT_TYPE, media_type),
        (header::CACHE_CONTROL, cache),
        (header::ACCEPT_RANGES, "bytes"),
    ] {
        answer.insert(name, HeaderValue::from_static(value));
    }
    if let Ok(value) = HeaderValue::try_from(etag) {
        answer.insert(header::ETAG, value);
    }
    response
}

/// Whether `If-None-Match` names this version; `*` names any.
fn names(seen: &HeaderValue, etag: &str) -> bool {
    if seen.as_bytes() == b"*" {
        return true;
    }
    let mut tags = seen.to_str().unwrap_or_default().split(',').map(str::trim);
    tags.any(|tag| tag.trim_start_matches("W/") == etag)
}

/// The object, or the range of it that is wanted.
async fn part(
    app: &MediaState,
    key: &str,
    wanted: Option<&str>,
) -> Result<Option<Response>, ApiError> {
    let Some(wanted) = wanted else {
        let whole = app.storage.read(key, None).await;
        let whole = whole.map_err(errors::failed)?;
        return Ok(whole.map(|object| answer(object, StatusCode::OK, None)));
    };
    let Some(size) = app.storage.size(key).await.map_err(errors::failed)? else {
        return Ok(None);
    };
    let range = byte_range::parse(wanted, usize::try_from(size).unwrap_or(usize::MAX));
    let (first, last) = match range {
        None => return Box::pin(part(app, key, None)).await,
        Some(Err(())) => {
            let mut response = StatusCode::RANGE_NOT_SATISFIABLE.into_response();
            set_range(&mut response, format!("bytes */{size}"));
            return Ok(Some(response));
        }
        Some(Ok((first, last))) => (first as u64, last as u64),
    };
    let object = app.storage.read(key, Some(first..last + 1)).await;
    Ok(object.map_err(errors::failed)?.map(|object| {
        let range = format!("bytes {first}-{last}/{size}");
        answer(object, StatusCode::PARTIAL_CONTENT, Some(range))
    }))
}

fn answer(object: Object, status: StatusCode, range: Option<String>) -> Response {
    let length = object.range.end - object.range.start;
    let mut response = (status, Body::from_stream(object.body)).into_response();
    let length = HeaderValue::from(length);
    response
        .headers_mut()
        .insert(header::CONTENT_LENGTH, length);
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

fn missing() -> Response {
    (StatusCode::NOT_FOUND, "There is no such image.").into_response()
}
