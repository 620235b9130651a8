//! Assigns each request an id, and logs and counts its response.

use crate::http::cookies;
use crate::http::error::ErrorCode;
use crate::http::middleware::state::MiddlewareState;
use crate::platform::ids::Id;
use crate::platform::telemetry::security_log::{self, Event};
use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderName, HeaderValue, Method, StatusCode};
use axum::middleware::Next;
use axum::response::Response;
use std::time::Instant;
use tracing::Instrument;

pub(crate) const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Request extension: the member of the session cache, for the request's log lines. `tracing-subscriber` would parse and
/// write all fields of the span again for a member that is recorded later.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LoggedMember(pub Id);

/// Assigns an id to the request, logs and counts the response. Query strings are not logged: they hold tokens.
pub async fn log_request(
    State(state): State<MiddlewareState>,
    request: Request,
    next: Next,
) -> Response {
    let id = state.id().0.to_string();
    let method = method_label(request.method());
    let route =
        request.extensions().get::<MatchedPath>().map_or("page", MatchedPath::as_str).to_owned();
    let member = request.extensions().get::<LoggedMember>().map(|member| member.0.0);
    // With the target of the security log, so that its lines keep the span whatever the log level.
    let span = tracing::info_span!(
        target: security_log::TARGET, "request", id, method, route, member
    );
    let has_session = cookies::has_session(request.headers());
    let started = Instant::now();
    let mut response = next.run(request).instrument(span.clone()).await;
    let (status, elapsed) = (response.status(), started.elapsed());
    span.in_scope(|| {
        tracing::debug!(
            status = status.as_u16(),
            micros = elapsed.as_micros(),
            "request completed"
        );
        let code = response.extensions().get::<ErrorCode>();
        // A 401 without a session cookie is normal on the landing page.
        if status == StatusCode::FORBIDDEN || (status == StatusCode::UNAUTHORIZED && has_session) {
            security_log::emit_rejected(Event::Rejected, code.map_or("", |code| code.0), None);
        }
    });
    let labels =
        [("method", method.to_owned()), ("route", route), ("status", status.as_u16().to_string())];
    metrics::counter!("kith_http_requests_total", &labels).increment(1);
    metrics::histogram!("kith_http_request_seconds", &labels[..2]).record(elapsed.as_secs_f64());
    if let Ok(value) = HeaderValue::from_str(&id) {
        response.headers_mut().insert(REQUEST_ID, value);
    }
    response
}

/// Returns the metric label of a method. Unknown methods share one, so that clients cannot create metrics.
pub(crate) fn method_label(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::DELETE => "DELETE",
        _ => "other",
    }
}
