//! The endpoint to which the web app reports its errors.

use crate::http::client_ip::ClientIp;
use crate::http::error::{ApiError, Result};
use crate::http::extract::Body;
use crate::platform::Platform;
use crate::platform::rate_limit::AnonymousAction;
use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use std::net::{IpAddr, Ipv4Addr};
use utoipa::ToSchema;

/// Maximum length of a text of a report, in bytes.
const MAX_LENGTH: usize = 100;
/// Maximum number of stack frames.
const MAX_FRAMES: usize = 10;
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
    pub source: ClientErrorSource,
    /// Pattern of the page's path; ASCII letters, digits and `/:_*.-` only.
    #[schema(max_length = 100, example = "/profile/:username")]
    pub route: String,
    /// Class of the error; ASCII letters, digits and `/:_*.-` only.
    #[schema(max_length = 100, example = "TypeError")]
    pub name: String,
    /// Positions in the web app's files, innermost first: file, line and column. The same characters.
    #[schema(max_items = 10, max_length = 100, example = json!(["index-B63kB6wH.js:1:20471"]))]
    pub frames: Vec<String>,
}

/// Writes an error of the web app to the server's log. Rate-limited per IP address and for all clients together.
#[utoipa::path(post, path = "/api/client-errors", operation_id = "reportClientError", tag = "diagnostics", request_body = ClientError, security(()),
    responses((status = 204, description = "Error logged")))]
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
    metrics::counter!("kith_client_errors_total", "source" => report.source.name()).increment(1);
    tracing::warn!(
        source = report.source.name(),
        route = report.route,
        name = report.name,
        frames = report.frames.join(" "),
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
fn check(report: ClientError) -> Result<ClientError> {
    let error = |field| Err(ApiError::invalid_field(field, "This is not a report of the web app."));
    if !is_identifier(&report.route) {
        return error("route");
    }
    if !is_identifier(&report.name) {
        return error("name");
    }
    if report.frames.len() > MAX_FRAMES || !report.frames.iter().all(|frame| is_identifier(frame)) {
        return error("frames");
    }
    Ok(report)
}

fn is_identifier(text: &str) -> bool {
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"/:_*.-".contains(&byte);
    text.len() <= MAX_LENGTH && text.bytes().all(is_allowed)
}
