//! The endpoint to which the web app reports its errors.

use crate::http::client_ip::ClientIp;
use crate::http::error::{ApiError, Result};
use crate::http::extract::Body;
use crate::http::openapi::documented_errors;
use crate::platform::Platform;
use crate::platform::rate_limit::AnonymousAction;
use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use std::net::{IpAddr, Ipv4Addr};
use utoipa::ToSchema;

/// Maximum length of a text of a report, in bytes.
const MAX_LENGTH: usize = 100;
/// Maximum length of the stack frames, in bytes.
const MAX_FRAMES_LENGTH: usize = 1_000;
/// Key of the rate limit that all clients share.
const ALL_CLIENTS: IpAddr = IpAddr::V4(Ipv4Addr::UNSPECIFIED);

/// The part of the web app that failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ClientErrorSource {
    /// A whole page could not be shown.
    Page,
    /// A row of a list could not be shown.
    Row,
    /// A script failed outside of rendering.
    Script,
}

impl ClientErrorSource {
    const fn name(self) -> &'static str {
        match self {
            Self::Page => "page",
            Self::Row => "row",
            Self::Script => "script",
        }
    }
}

/// An error of the web app. It has no message and no URL, which could contain what members wrote.
#[derive(Debug, Deserialize, ToSchema)]
pub struct ClientError {
    /// The part of the web app that failed.
    #[schema(value_type = ClientErrorSource)]
    pub source: Option<ClientErrorSource>,
    /// Pattern of the page's path.
    #[schema(max_length = 100, pattern = "^[A-Za-z0-9/:_*.-]*$", example = "/profile/:username")]
    pub route: Option<String>,
    /// Class of the error.
    #[schema(max_length = 100, pattern = "^[A-Za-z0-9/:_*.-]*$", example = "TypeError")]
    pub name: Option<String>,
    /// Positions in the web app's files, innermost first: file, line and column, separated by spaces.
    #[schema(
        max_length = 1000,
        pattern = "^([A-Za-z0-9_.-]+:[0-9]+:[0-9]+( [A-Za-z0-9_.-]+:[0-9]+:[0-9]+)*)?$",
        example = "index-B63kB6wH.js:1:20471 feed-C2bq9xYt.js:1:804"
    )]
    pub frames: Option<String>,
}

/// A checked [`ClientError`].
struct Report {
    source: &'static str,
    route: String,
    name: String,
    frames: String,
}

documented_errors!(ClientErrorErrors: no_source(), invalid_text("route"));

fn no_source() -> ApiError {
    ApiError::missing_field("source", "The part of the web app is missing.")
}

fn invalid_text(field: &'static str) -> ApiError {
    ApiError::invalid_field(
        field,
        "The text is too long, or has characters that a report does not need.",
    )
}

/// Writes an error of the web app to the server's log. Rate-limited per IP address and for all clients together.
#[utoipa::path(post, path = "/api/client-errors", operation_id = "reportClientError", tag = "diagnostics", request_body = ClientError, security(()),
    responses((status = 204, description = "Error logged"), ClientErrorErrors))]
pub async fn report_client_error(
    State(state): State<Platform>,
    client: ClientIp,
    Body(report): Body<ClientError>,
) -> Result<StatusCode> {
    let report = state.rate_limiter.check_ip_for_input(
        AnonymousAction::ClientError,
        client.0,
        check(report),
    )?;
    state.rate_limiter.check_ip(AnonymousAction::AllClientErrors, ALL_CLIENTS)?;
    metrics::counter!("kith_client_errors_total", "source" => report.source).increment(1);
    tracing::warn!(
        source = report.source,
        route = report.route,
        name = report.name,
        frames = report.frames,
        "the web app failed in a browser"
    );
    Ok(StatusCode::NO_CONTENT)
}

/// Exports the counters with the value 0.
pub fn count_from_zero() {
    for source in [ClientErrorSource::Page, ClientErrorSource::Row, ClientErrorSource::Script] {
        metrics::counter!("kith_client_errors_total", "source" => source.name()).absolute(0);
    }
}

/// Checks sizes and characters, so that a report can neither contain what members wrote nor forge log lines.
fn check(report: ClientError) -> Result<Report> {
    let source = report.source.ok_or_else(no_source)?.name();
    Ok(Report {
        source,
        route: check_text("route", report.route, MAX_LENGTH)?,
        name: check_text("name", report.name, MAX_LENGTH)?,
        frames: check_text("frames", report.frames, MAX_FRAMES_LENGTH)?,
    })
}

fn check_text(field: &'static str, text: Option<String>, max_length: usize) -> Result<String> {
    let text = text.unwrap_or_default();
    let is_valid = match field {
        "frames" => text.is_empty() || text.split(' ').all(is_position),
        _ => has_only(&text, b"/:_*.-"),
    };
    if text.len() > max_length || !is_valid {
        return Err(invalid_text(field));
    }
    Ok(text)
}

/// Whether the text is a file, a line and a column.
fn is_position(text: &str) -> bool {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    text.split_once(':').is_some_and(|(file, position)| {
        !file.is_empty()
            && has_only(file, b"_.-")
            && position
                .split_once(':')
                .is_some_and(|(line, column)| is_number(line) && is_number(column))
    })
}

fn has_only(text: &str, punctuation: &[u8]) -> bool {
    text.bytes().all(|byte| byte.is_ascii_alphanumeric() || punctuation.contains(&byte))
}
