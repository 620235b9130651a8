//! Limits the time of each request.

use crate::http::error::ApiError;
use crate::platform::telemetry::log_limit;
use axum::extract::Request;
use axum::http::Method;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::time::Duration;

/// Additional time for a request that uploads a file.
pub(crate) const UPLOAD_TIMEOUT: Duration = Duration::from_mins(5);
/// Timeout of a request, including its body.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(15);

/// Cancels a request that exceeds its timeout and responds with 503.
pub async fn limit_time(request: Request, next: Next) -> Response {
    let is_upload =
        *request.method() == Method::PUT && request.uri().path().starts_with("/api/objects/");
    // Uploads have a timeout of their own while the body is received, reported as the client's error.
    let timeout = REQUEST_TIMEOUT + if is_upload { UPLOAD_TIMEOUT } else { Duration::ZERO };
    let response = tokio::time::timeout(timeout, next.run(request)).await;
    response.unwrap_or_else(|_| {
        if log_limit::allow("given_up") {
            tracing::warn!("a request timed out");
        }
        ApiError::unavailable().into_response()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::Router;
    use axum::body::Body;
    use tower::ServiceExt as _;

    /// Runs with a paused clock that advances to the next timer.
    /// proves: limit-time
    #[tokio::test(start_paused = true)]
    async fn a_request_has_fifteen_seconds() {
        let never = || std::future::pending::<()>();
        let router = Router::new()
            .route("/", axum::routing::get(never))
            .route("/api/objects/{name}", axum::routing::put(never))
            .layer(axum::middleware::from_fn(limit_time));
        for (method, path, seconds) in [("GET", "/", 15), ("PUT", "/api/objects/x", 315)] {
            let request = Request::builder().method(method).uri(path);
            let started = tokio::time::Instant::now();
            let response = router.clone().oneshot(request.body(Body::empty()).unwrap());
            assert_eq!(response.await.unwrap().status(), 503);
            assert_eq!(started.elapsed().as_secs(), seconds);
        }
    }
}
