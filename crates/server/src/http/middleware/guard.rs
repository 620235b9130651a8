//! The middleware around every request: an id, a log line, security headers, and the same-site check of writes.

use crate::http::cookies;
use crate::http::edge::Edge;
use crate::http::error::{ApiError, RefusalCode, Result};
use crate::platform::telemetry::log_limit;
use crate::platform::telemetry::security_log::{self, Event};
use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::time::{Duration, Instant};
use tower_http::csrf::{CsrfLayer, ProtectionError};
use tracing::Instrument;

/// An image that is opened by itself can do nothing at all.
const IMAGE_CSP: &str = "default-src 'none'; frame-ancestors 'none'; sandbox";

pub(crate) const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Gives the request an id, logs and counts its answer. Never logs a query: tokens are in it.
pub async fn observe(State(app): State<Edge>, request: Request, next: Next) -> Response {
    let id = app.id().0.to_string();
    let method = known(request.method());
    let route = request
        .extensions()
        .get::<MatchedPath>()
        .map_or("page", MatchedPath::as_str)
        .to_owned();
    // Of the same target as what it must name, whatever else the log leaves out.
    let span = tracing::info_span!(
        target: security_log::TARGET, "request", id, method, route, member = tracing::field::Empty
    );
    let has_session = cookies::has_session(request.headers());
    let started = Instant::now();
    let mut response = next.run(request).instrument(span.clone()).await;
    let (status, elapsed) = (response.status(), started.elapsed());
    span.in_scope(|| {
        tracing::debug!(
            status = status.as_u16(),
            micros = elapsed.as_micros(),
            "answered"
        );
        let code = response.extensions().get::<RefusalCode>();
        // A visitor without a session is ordinary on the landing page.
        if status == StatusCode::FORBIDDEN || (status == StatusCode::UNAUTHORIZED && has_session) {
            security_log::refused(Event::Refused, code.map_or("", |code| code.0), None);
        }
    });
    let labels = [
        ("method", method.to_owned()),
        ("route", route),
        ("status", status.as_u16().to_string()),
    ];
    metrics::counter!("kith_http_requests_total", &labels).increment(1);
    metrics::histogram!("kith_http_request_seconds", &labels[..2]).record(elapsed.as_secs_f64());
    if let Ok(value) = HeaderValue::from_str(&id) {
        response.headers_mut().insert(REQUEST_ID, value);
    }
    response
}

/// The method's name. A client may invent methods; each would be a metric of its own for good.
pub(crate) fn known(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::DELETE => "DELETE",
        _ => "other",
    }
}

/// More time for a request that uploads a file.
pub(crate) const UPLOAD_TIMEOUT: Duration = Duration::from_mins(5);
/// Time for one call, its body included.
const PATIENCE: Duration = Duration::from_secs(15);

/// Gives up on a call that takes too long, with a sentence.
pub async fn bound(request: Request, next: Next) -> Response {
    let upload =
        *request.method() == Method::PUT && request.uri().path().starts_with("/api/objects/");
    // What is sent too slowly is refused where it comes in, as the sender's fault.
    let patience = PATIENCE
        + if upload {
            UPLOAD_TIMEOUT
        } else {
            Duration::ZERO
        };
    let answer = tokio::time::timeout(patience, next.run(request)).await;
    answer.unwrap_or_else(|_| {
        if log_limit::allow("given_up") {
            tracing::warn!("a call took too long and was given up");
        }
        ApiError::unavailable().into_response()
    })
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Call,
    Image,
    Page,
}

/// Adds the headers that tell a browser what these pages must never do.
pub async fn harden(State(app): State<Edge>, request: Request, next: Next) -> Response {
    let path = request.uri().path();
    let kind = match path {
        _ if path.starts_with("/api/") => Kind::Call,
        _ if path.starts_with("/images/") => Kind::Image,
        _ => Kind::Page,
    };
    let mut response = next.run(request).await;
    protect(&app, kind, response.headers_mut());
    response
}

pub(crate) fn protect(app: &Edge, kind: Kind, headers: &mut HeaderMap) {
    for (name, value) in [
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        // Links in mails hold tokens, which requests of the page would otherwise carry into a proxy's log.
        (header::REFERRER_POLICY, "no-referrer"),
        (
            HeaderName::from_static("cross-origin-opener-policy"),
            "same-origin",
        ),
        (
            HeaderName::from_static("cross-origin-resource-policy"),
            "same-origin",
        ),
        (
            HeaderName::from_static("permissions-policy"),
            "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
        ),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    let policy = if kind == Kind::Image {
        HeaderValue::from_static(IMAGE_CSP)
    } else {
        app.content_policy.clone()
    };
    headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    if app.settings.https() {
        let year = HeaderValue::from_static("max-age=31536000; includeSubDomains");
        headers.insert(header::STRICT_TRANSPORT_SECURITY, year);
    }
    if kind == Kind::Call {
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
}

/// Rejects writes that a page of another site made a browser send.
pub(crate) fn same_site(
    origin: &str,
) -> CsrfLayer<impl Fn(ProtectionError) -> Response + Clone + use<>> {
    // A proxy may pass on another `Host`, so the public URL is named besides.
    let layer = CsrfLayer::new().add_trusted_origin(origin);
    layer
        .unwrap_or_default()
        .with_rejection_response(|_| cross_site().into_response())
}

pub(crate) fn cross_site() -> ApiError {
    ApiError::forbidden(
        "cross_site",
        "This request came from another site and was refused.",
    )
}

/// Rejects what is not the verification page's script: page loads and prefetches must never use up a login link.
pub fn own_script(method: &Method, headers: &HeaderMap) -> Result<()> {
    if *method != Method::GET {
        let message = "This address answers GET only.";
        return Err(ApiError::method_not_allowed(message, "GET,POST"));
    }
    let is = |name: &str, value: &str| headers.get(name).is_none_or(|found| found == value);
    let navigation = headers
        .get("sec-fetch-mode")
        .is_some_and(|mode| mode == "navigate");
    if !is("sec-fetch-site", "same-origin") || navigation || headers.contains_key("sec-purpose") {
        return Err(not_own_script());
    }
    Ok(())
}

pub(crate) fn not_own_script() -> ApiError {
    ApiError::forbidden("not_own_script", "Open the link from your mail to log in.")
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::Router;
    use axum::body::Body;
    use tower::ServiceExt as _;

    /// The clock of this test jumps to the next thing that is waited for.
    /// proves: limit-time
    #[tokio::test(start_paused = true)]
    async fn a_call_has_fifteen_seconds() {
        let never = || std::future::pending::<()>();
        let router = Router::new()
            .route("/", axum::routing::get(never))
            .route("/api/objects/{name}", axum::routing::put(never))
            .layer(axum::middleware::from_fn(bound));
        for (method, path, seconds) in [("GET", "/", 15), ("PUT", "/api/objects/x", 315)] {
            let request = Request::builder().method(method).uri(path);
            let began = tokio::time::Instant::now();
            let call = router.clone().oneshot(request.body(Body::empty()).unwrap());
            assert_eq!(call.await.unwrap().status(), 503);
            assert_eq!(began.elapsed().as_secs(), seconds);
        }
    }
}
