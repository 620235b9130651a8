//! Documents the errors that operations share, with examples built from the actual errors.

use super::{Object, reference};
use crate::http::error::ApiError;
use crate::http::extract::{self, PageQuery, Query};
use crate::http::middleware::csrf;
use axum::http::Uri;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use utoipa::openapi::example::ExampleBuilder;
use utoipa::openapi::{ContentBuilder, Ref, RefOr, Response, ResponseBuilder};

/// Errors of features that many operations document.
#[derive(Debug)]
pub struct FeatureErrors {
    /// An email is missing.
    pub email_missing: ApiError,
    /// An email has no valid form.
    pub email_invalid: ApiError,
    /// The session was ended from another device.
    pub session_ended: ApiError,
    /// The session ended because the member was suspended.
    pub session_suspended: ApiError,
    /// A post does not exist.
    pub post_not_found: ApiError,
    /// A member does not exist.
    pub user_not_found: ApiError,
    /// A notification does not exist.
    pub notification_not_found: ApiError,
    /// A field of a body is invalid.
    pub content_invalid: ApiError,
    /// Maximum length of the list of sessions, which has no pages.
    pub max_sessions: u32,
}

/// Error that operations share. The variant's name is published as the name of the response component.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum DocumentedError {
    BadJson,
    EmailMissing,
    BadQuery,
    BadPage,
    BadAddress,
    Unauthorized,
    SessionEnded,
    SessionSuspended,
    CrossSite,
    PostNotFound,
    UserNotFound,
    NotificationNotFound,
    TooLarge,
    NotJson,
    EmailInvalid,
    ContentInvalid,
    TooMany,
    Internal,
    Unavailable,
}

impl DocumentedError {
    fn build(self, features: &FeatureErrors) -> ApiError {
        match self {
            Self::BadJson => unwrap_error(extract::read_json::<Value>(b"{")),
            Self::EmailMissing => features.email_missing.clone(),
            Self::BadQuery => {
                unwrap_error(Query::<PageQuery>::read(&Uri::from_static("/?limit=many")))
            }
            Self::BadPage => unwrap_error(PageQuery::default().page(0)),
            Self::BadAddress => extract::bad_path(),
            Self::Unauthorized => ApiError::unauthorized(),
            Self::SessionEnded => features.session_ended.clone(),
            Self::SessionSuspended => features.session_suspended.clone(),
            Self::CrossSite => csrf::cross_site_error(),
            Self::PostNotFound => features.post_not_found.clone(),
            Self::UserNotFound => features.user_not_found.clone(),
            Self::NotificationNotFound => features.notification_not_found.clone(),
            Self::TooLarge => extract::body_too_large(),
            Self::NotJson => extract::not_json(),
            Self::EmailInvalid => features.email_invalid.clone(),
            Self::ContentInvalid => features.content_invalid.clone(),
            Self::TooMany => ApiError::too_many_requests(60),
            Self::Internal => ApiError::internal(),
            Self::Unavailable => ApiError::unavailable(),
        }
    }

    const fn description(self) -> &'static str {
        match self {
            Self::BadJson => "The request body is not valid JSON, or a field has the wrong type",
            Self::EmailMissing => "The email address is absent, null or empty",
            Self::BadQuery => "A query parameter has the wrong type",
            Self::BadPage => "A pagination parameter is out of range",
            Self::BadAddress => "The path contains percent-encoded bytes that are not UTF-8",
            Self::Unauthorized => "The request has no session, or the session has ended",
            Self::SessionEnded => {
                "The session was ended from another device, by an operator or by a change of the account"
            }
            Self::SessionSuspended => "The session ended because the member was suspended",
            Self::CrossSite => "The request was sent by another website",
            Self::PostNotFound => "The post does not exist or is hidden from the viewer",
            Self::UserNotFound => "The member does not exist",
            Self::NotificationNotFound => "The authenticated member has no such notification",
            Self::TooLarge => "The request body is too large",
            Self::NotJson => "The content type of the request is not `application/json`",
            Self::EmailInvalid => "The email address is invalid",
            Self::ContentInvalid => {
                "A field is invalid; `fields` contains an error message per field"
            }
            Self::TooMany => "Rate limit exceeded; retry after the seconds in `Retry-After`",
            Self::Internal => "Internal error; the server's log contains the cause",
            Self::Unavailable => {
                "The server is overloaded, the request took longer than 15 s, or the storage is unavailable; see `Retry-After`"
            }
        }
    }

    fn name(self) -> String {
        format!("{self:?}")
    }
}

/// Returns the error of a function call that must fail.
fn unwrap_error<T>(result: Result<T, ApiError>) -> ApiError {
    result.err().unwrap_or_else(ApiError::internal)
}

/// Components referenced by operations; each is added on first use.
#[derive(Debug)]
pub(super) struct SharedComponents {
    pub(super) features: FeatureErrors,
    pub(super) responses: Object,
    pub(super) examples: Object,
}

impl SharedComponents {
    pub(super) fn new(features: FeatureErrors) -> Self {
        Self { features, responses: Object::new(), examples: Object::new() }
    }

    /// Adds shared errors to the responses of an operation; extends a response that already has the status.
    pub(super) fn add(&mut self, responses: &mut Object, errors: &[DocumentedError]) {
        let mut by_status = BTreeMap::<u16, Vec<DocumentedError>>::new();
        for error in errors {
            let status = error.build(&self.features).status().as_u16();
            by_status.entry(status).or_default().push(*error);
        }
        for (status, errors) in by_status {
            let status_text = status.to_string();
            if let Some(own) = responses.get_mut(&status_text) {
                let descriptions = errors.iter().map(|error| error.description());
                let own_description = own["description"].as_str().unwrap_or_default();
                let lines = std::iter::once(own_description).chain(descriptions);
                own["description"] = lines.collect::<Vec<_>>().join("\n\n").into();
                self.extend(own, &errors);
            } else {
                let shared = self.response(status, &errors);
                responses.insert(status_text, shared);
            }
        }
    }

    /// Returns a reference to the response component of a set of errors.
    fn response(&mut self, status: u16, errors: &[DocumentedError]) -> Value {
        let names = errors.iter().map(|error| error.name());
        let name = names.collect::<Vec<_>>().join("Or");
        if !self.responses.contains_key(&name) {
            let mut headers = json!({"x-request-id": reference("headers", "RequestId")});
            if matches!(status, 429 | 503) {
                headers["Retry-After"] = reference("headers", "RetryAfter");
            }
            let descriptions = errors.iter().map(|error| error.description());
            let mut response = json!({
                "description": descriptions.collect::<Vec<_>>().join(". ") + ".",
                "headers": headers,
                "content": {"application/json": {"schema": reference("schemas", "ErrorBody")}},
            });
            self.extend(&mut response, errors);
            self.responses.insert(name.clone(), response);
        }
        reference("responses", &name)
    }

    /// Adds the examples of errors to a response.
    fn extend(&mut self, response: &mut Value, errors: &[DocumentedError]) {
        let content = &mut response["content"]["application/json"];
        for error in errors {
            let name = error.name();
            self.examples.entry(&name).or_insert_with(
                || json!({"summary": error.description(), "value": error.build(&self.features)}),
            );
            content["examples"][&name] = reference("examples", &name);
        }
    }
}

/// Defines a type for `responses(…)` that documents an operation's own errors, built from the actual errors.
macro_rules! documented_errors {
    ($name:ident: $($error:expr),+ $(,)?) => {
        /// Documented errors of an operation.
        pub(crate) struct $name;

        impl utoipa::IntoResponses for $name {
            fn responses() -> $crate::http::openapi::Responses {
                $crate::http::openapi::error_responses(&[$($error),+])
            }
        }
    };
}
pub(crate) use documented_errors;

pub(crate) type Responses = BTreeMap<String, RefOr<Response>>;

/// Builds the responses of an operation's own errors, one per status.
pub(crate) fn error_responses(errors: &[ApiError]) -> Responses {
    let mut responses = Responses::new();
    let mut by_status = BTreeMap::<u16, Vec<Value>>::new();
    for error in errors {
        by_status.entry(error.status().as_u16()).or_default().push(json!(error));
    }
    for (status, bodies) in by_status {
        let mut content =
            ContentBuilder::new().schema(Some(Ref::from_schema_name("ErrorBody"))).build();
        let mut description = Vec::new();
        for (index, body) in bodies.into_iter().enumerate() {
            let code = body["code"].as_str().unwrap_or_default();
            description.push(format!("`{code}`: {}", body["message"].as_str().unwrap_or_default()));
            let example = ExampleBuilder::new().value(Some(body.clone()));
            content.examples.insert(format!("{code}_{}", index + 1), example.into());
        }
        let response = ResponseBuilder::new()
            .description(description.join("\n\n"))
            .content("application/json", content);
        responses.insert(status.to_string(), response.into());
    }
    responses
}
