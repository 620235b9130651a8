//! Security events of logins and email changes.

use crate::http::error::ApiError;
use crate::platform::telemetry::security_log::{self, Event};
use axum::http::StatusCode;

/// Runs an action that a link or a code must prove, and emits `event` or, if the proof was rejected, `rejected`.
pub(super) async fn log_proof<T>(
    event: Event,
    rejected: Event,
    action: impl Future<Output = Result<T, ApiError>>,
) -> Result<T, ApiError> {
    let result = security_log::attempt(event, action).await;
    // The rate limiter and the request log emit 429 and 403.
    let is_elsewhere =
        |status| matches!(status, StatusCode::TOO_MANY_REQUESTS | StatusCode::FORBIDDEN);
    if let Err(error) = &result
        && error.status().is_client_error()
        && !is_elsewhere(error.status())
    {
        security_log::emit_rejected(rejected, error.code(), None);
    }
    result
}
