//! Accepts the verification of login links only from the verification page's script.

use crate::http::error::{ApiError, Result};
use axum::http::{HeaderMap, Method};

/// Rejects page loads, prefetches and cross-site requests, which must never consume a login link.
pub(super) fn require_same_origin(method: &Method, headers: &HeaderMap) -> Result<()> {
    if *method != Method::GET {
        let message = "This URL supports only GET.";
        return Err(ApiError::method_not_allowed(message, "GET,POST"));
    }
    let matches = |name: &str, value: &str| headers.get(name).is_none_or(|found| found == value);
    let is_navigation = headers.get("sec-fetch-mode").is_some_and(|mode| mode == "navigate");
    if !matches("sec-fetch-site", "same-origin")
        || is_navigation
        || headers.contains_key("sec-purpose")
    {
        return Err(same_origin_error());
    }
    Ok(())
}

pub(super) fn same_origin_error() -> ApiError {
    ApiError::forbidden("not_same_origin", "Open the link from your mail to log in.")
}
