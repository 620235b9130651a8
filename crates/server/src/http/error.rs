//! API errors: a status, a code and a message for people.

use crate::platform::clock::{Millis, rfc3339};
use crate::platform::rate_limit::RateLimited;
use crate::platform::telemetry::log_limit;
use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use std::borrow::Cow;
use std::collections::BTreeMap;
use utoipa::ToSchema;

/// Result of a handler.
pub type Result<T, E = ApiError> = std::result::Result<T, E>;

/// Error response of the API.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApiError {
    kind: ErrorKind,
    code: &'static str,
    message: Cow<'static, str>,
    fields: BTreeMap<&'static str, Cow<'static, str>>,
    until: Option<Millis>,
}

/// Response extension with the error's code, for logs.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ErrorCode(pub(crate) &'static str);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ErrorKind {
    Malformed,
    Unauthorized,
    Forbidden,
    NotFound,
    /// Value of the `Allow` header; empty where the router sets it.
    MethodNotAllowed(&'static str),
    Conflict,
    Gone,
    PreconditionFailed,
    TooLarge,
    Unsupported,
    Invalid,
    /// `Retry-After` in seconds.
    TooMany(u64),
    Unavailable,
    Internal,
}

/// Body of every error response.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!(ApiError::unauthorized()))]
pub struct ErrorBody {
    /// Error message for the member.
    #[schema(min_length = 1, max_length = 500)]
    pub message: String,
    /// Stable error code for programs.
    #[schema(min_length = 1, max_length = 40, pattern = "^[a-z]+(_[a-z]+)*$")]
    pub code: String,
    /// Error messages for single request fields, by field name. Absent if the error is not about a field.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub fields: BTreeMap<String, String>,
    /// Time until which the error lasts, such as the end of a suspension. Absent if unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(
        format = "date-time",
        min_length = 24,
        max_length = 24,
        example = "2026-11-28T09:30:00.000Z",
        value_type = String,
        required = false
    )]
    pub until: Option<String>,
}

macro_rules! constructors {
    ($($(#[$doc:meta])* $name:ident => $kind:expr;)*) => {$(
        $(#[$doc])*
        pub fn $name(code: &'static str, message: impl Into<Cow<'static, str>>) -> Self {
            Self::new($kind, code, message)
        }
    )*};
}

impl ApiError {
    fn new(kind: ErrorKind, code: &'static str, message: impl Into<Cow<'static, str>>) -> Self {
        Self { kind, code, message: message.into(), fields: BTreeMap::new(), until: None }
    }

    constructors! {
        /// 400: the request cannot be parsed.
        malformed => ErrorKind::Malformed;
        /// 403: the viewer lacks permission, or the request came from another site.
        forbidden => ErrorKind::Forbidden;
        /// 404: the resource does not exist or is hidden from the viewer.
        not_found => ErrorKind::NotFound;
        /// 409: conflict with the current state.
        conflict => ErrorKind::Conflict;
        /// 410: the resource has expired.
        gone => ErrorKind::Gone;
        /// 412: the stored content differs from the expected one.
        precondition_failed => ErrorKind::PreconditionFailed;
        /// 413: the body is too large.
        too_large => ErrorKind::TooLarge;
        /// 415: the media type is not supported.
        unsupported => ErrorKind::Unsupported;
        /// 422: the request is well-formed but invalid.
        unprocessable => ErrorKind::Invalid;
    }

    /// 405: the path does not support the method. `allow` is the `Allow` header; empty where the router sets it.
    pub fn method_not_allowed(message: impl Into<Cow<'static, str>>, allow: &'static str) -> Self {
        Self::new(ErrorKind::MethodNotAllowed(allow), "method_not_allowed", message)
    }

    /// 401: the request has no valid session.
    #[must_use]
    pub fn unauthorized() -> Self {
        Self::new(ErrorKind::Unauthorized, "unauthorized", "Please log in.")
    }

    /// 401: the request's session has ended, with the cause.
    #[must_use]
    pub fn session_ended(code: &'static str, message: &'static str) -> Self {
        Self::new(ErrorKind::Unauthorized, code, message)
    }

    /// 422: a field is invalid.
    pub fn invalid_field(field: &'static str, message: impl Into<Cow<'static, str>>) -> Self {
        let message = message.into();
        let mut error = Self::new(ErrorKind::Invalid, "invalid", message.clone());
        error.fields.insert(field, message);
        error
    }

    /// 400: a required field is missing or out of range.
    pub fn missing_field(field: &'static str, message: impl Into<Cow<'static, str>>) -> Self {
        let message = message.into();
        let mut error = Self::new(ErrorKind::Malformed, "invalid", message.clone());
        error.fields.insert(field, message);
        error
    }

    /// 429: rate limit exceeded; `seconds` is the `Retry-After`.
    #[must_use]
    pub fn too_many_requests(seconds: u64) -> Self {
        let message = "You're doing that too often. Please wait a moment and try again.";
        Self::new(ErrorKind::TooMany(seconds), "too_many_requests", message)
    }

    /// 503: the server is overloaded or a dependency is unavailable.
    #[must_use]
    pub fn unavailable() -> Self {
        let message = "The server is busy right now. Please try again in a moment.";
        Self::new(ErrorKind::Unavailable, "unavailable", message)
    }

    /// 500: internal error; the log has the cause.
    #[must_use]
    pub fn internal() -> Self {
        Self::new(
            ErrorKind::Internal,
            "internal",
            "Something went wrong on our side. Please try again.",
        )
    }

    /// Adds the time until which the error lasts.
    #[must_use]
    pub(crate) const fn lasting_until(mut self, until: Option<Millis>) -> Self {
        self.until = until;
        self
    }

    /// Returns the message for people.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Returns the stable code for programs.
    #[must_use]
    pub(crate) const fn code(&self) -> &'static str {
        self.code
    }

    /// Returns the HTTP status.
    #[must_use]
    pub const fn status(&self) -> StatusCode {
        match self.kind {
            ErrorKind::Malformed => StatusCode::BAD_REQUEST,
            ErrorKind::Unauthorized => StatusCode::UNAUTHORIZED,
            ErrorKind::Forbidden => StatusCode::FORBIDDEN,
            ErrorKind::NotFound => StatusCode::NOT_FOUND,
            ErrorKind::MethodNotAllowed(_) => StatusCode::METHOD_NOT_ALLOWED,
            ErrorKind::Conflict => StatusCode::CONFLICT,
            ErrorKind::Gone => StatusCode::GONE,
            ErrorKind::PreconditionFailed => StatusCode::PRECONDITION_FAILED,
            ErrorKind::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            ErrorKind::Unsupported => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            ErrorKind::Invalid => StatusCode::UNPROCESSABLE_ENTITY,
            ErrorKind::TooMany(_) => StatusCode::TOO_MANY_REQUESTS,
            ErrorKind::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
            ErrorKind::Internal => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }
}

impl From<RateLimited> for ApiError {
    fn from(limited: RateLimited) -> Self {
        Self::too_many_requests(limited.retry_after)
    }
}

/// Converts database errors, which are logged only here.
impl From<kith_db::Error> for ApiError {
    fn from(error: kith_db::Error) -> Self {
        if matches!(error, kith_db::Error::Contended(_)) {
            tracing::debug!(%error, "a contended write is retried");
            Self::unavailable()
        } else if matches!(error, kith_db::Error::Unavailable(_)) {
            // Limit the log lines: every waiting request fails at the same time.
            if log_limit::allow("no_database") {
                tracing::warn!(%error, "the database is not available");
            }
            Self::unavailable()
        } else {
            tracing::error!(%error, "a request failed");
            Self::internal()
        }
    }
}

/// Serializes the response body; the OpenAPI examples use it as well.
impl Serialize for ApiError {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let fields = self.fields.iter();
        ErrorBody {
            message: self.message.clone().into_owned(),
            code: self.code.to_owned(),
            fields: fields
                .map(|(name, text)| ((*name).to_owned(), text.clone().into_owned()))
                .collect(),
            until: self.until.map(rfc3339),
        }
        .serialize(serializer)
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let mut response = (self.status(), Json(&self)).into_response();
        response.extensions_mut().insert(ErrorCode(self.code));
        if let ErrorKind::MethodNotAllowed(allow) = self.kind
            && !allow.is_empty()
        {
            let allow = HeaderValue::from_static(allow);
            response.headers_mut().insert(header::ALLOW, allow);
        }
        let retry_after = match self.kind {
            ErrorKind::TooMany(seconds) => Some(seconds.max(1)),
            ErrorKind::Unavailable => Some(2),
            _ => None,
        };
        if let Some(seconds) = retry_after {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}
