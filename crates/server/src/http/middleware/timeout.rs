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
    use crate::http::error::ApiError;
    use axum::Router;
    use axum::body::Body;
    use axum::http::StatusCode;
    use parking_lot::Mutex;
    use std::sync::Arc;
    use tower::ServiceExt as _;

    /// Keeps one test from deciding, without a subscriber, that the event of the other is never logged.
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

    /// Creates a runtime with a paused clock that advances to the next timer.
    fn paused_runtime() -> tokio::runtime::Runtime {
        let mut runtime = tokio::runtime::Builder::new_current_thread();
        runtime.enable_time().start_paused(true).build().unwrap()
    }

    /// proves: limit-time
    #[test]
    fn a_request_has_fifteen_seconds() {
        let _lock = ONE_AT_A_TIME.lock();
        paused_runtime().block_on(check_time_limits());
    }

    async fn check_time_limits() {
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

    /// Clients must not fill the disk with log lines that they cause.
    /// proves: log-slow
    #[test]
    fn timeouts_are_logged_at_a_bounded_rate() {
        let _lock = ONE_AT_A_TIME.lock();
        let file = tempfile::NamedTempFile::new().unwrap();
        let log = tracing_subscriber::fmt().with_writer(Arc::new(file.reopen().unwrap()));
        let runtime = paused_runtime();
        tracing::subscriber::with_default(log.finish(), || {
            for _ in 0..200 {
                let error = kith_db::Error::Unavailable("away".to_owned());
                assert_eq!(ApiError::from(error), ApiError::unavailable());
                // A retried transaction is not a failure.
                let error = kith_db::Error::Contended("in the way".to_owned());
                assert_eq!(ApiError::from(error), ApiError::unavailable());
                let response = runtime
                    .block_on(router_without_response().oneshot(Request::new(Body::empty())));
                assert_eq!(response.unwrap().status(), StatusCode::SERVICE_UNAVAILABLE);
            }
        });
        let written = std::fs::read_to_string(file.path()).unwrap();
        for line in ["not available: away", "a request timed out"] {
            let count = written.matches(line).count();
            assert!((50..100).contains(&count), "{line}: {count}");
        }
        assert!(!written.contains("in the way"), "{written}");
    }

    /// Builds a router whose requests time out.
    fn router_without_response() -> Router {
        let never = axum::routing::get(|| async { std::future::pending::<()>().await });
        Router::new().route("/", never).layer(axum::middleware::from_fn(limit_time))
    }
}
