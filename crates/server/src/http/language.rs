//! Language of a request.

use crate::platform::mail::Language;
use axum::http::{HeaderMap, header};

/// Returns the first language of `Accept-Language` in which Kith sends mails.
pub(crate) fn of_request(headers: &HeaderMap) -> Option<Language> {
    let value = headers.get(header::ACCEPT_LANGUAGE)?.to_str().ok()?;
    Language::from_header(value)
}
