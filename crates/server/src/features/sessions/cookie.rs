//! The session cookie.

use crate::features::sessions::store::MAX_AGE;
use crate::http::cookies;
use crate::platform::Platform;
use crate::platform::crypto;
use axum::http::{HeaderMap, HeaderName};

/// Returns the hash of the request's session cookie, whether or not the session exists.
#[must_use]
pub fn hash_in(platform: &Platform, headers: &HeaderMap) -> Option<String> {
    cookies::value(headers, cookies::session_name(platform)).map(crypto::hash_secret)
}

/// Builds the `Set-Cookie` header of a session; an empty `value` removes the cookie.
#[must_use]
pub fn build_cookie(platform: &Platform, value: &str) -> (HeaderName, String) {
    let age = if value.is_empty() { 0 } else { MAX_AGE / 1_000 };
    cookies::set_cookie(platform, cookies::session_name(platform), value, age)
}
