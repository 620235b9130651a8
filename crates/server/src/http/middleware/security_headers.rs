//! Adds security headers to responses.

use crate::http::middleware::state::MiddlewareState;
use crate::platform::config::Hsts;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use axum::middleware::Next;
use axum::response::Response;

/// Content-Security-Policy of images opened as documents.
const IMAGE_CSP: &str = "default-src 'none'; frame-ancestors 'none'; sandbox";

/// Kind of a response, which determines its headers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ContentKind {
    Api,
    Image,
    Page,
}

/// Adds the security headers of a response by its path.
pub async fn add_security_headers(
    State(state): State<MiddlewareState>,
    request: Request,
    next: Next,
) -> Response {
    let path = request.uri().path();
    let kind = match path {
        _ if path.starts_with("/api/") => ContentKind::Api,
        _ if path.starts_with("/images/") => ContentKind::Image,
        _ => ContentKind::Page,
    };
    let mut response = next.run(request).await;
    set_security_headers(&state, kind, response.headers_mut());
    response
}

pub(crate) fn set_security_headers(
    state: &MiddlewareState,
    kind: ContentKind,
    headers: &mut HeaderMap,
) {
    for (name, value) in [
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        // Links in emails hold tokens, which the Referer header would carry into a proxy's log.
        (header::REFERRER_POLICY, "no-referrer"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
        (
            HeaderName::from_static("permissions-policy"),
            "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
        ),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    let policy = if kind == ContentKind::Image {
        HeaderValue::from_static(IMAGE_CSP)
    } else {
        state.content_policy.clone()
    };
    headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    let year = match state.settings.hsts {
        Hsts::On => Some("max-age=31536000"),
        Hsts::Subdomains => Some("max-age=31536000; includeSubDomains"),
        Hsts::Off => None,
    };
    if let Some(year) = year.filter(|_| state.settings.is_https()) {
        headers.insert(header::STRICT_TRANSPORT_SECURITY, HeaderValue::from_static(year));
    }
    if kind == ContentKind::Api {
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
}
