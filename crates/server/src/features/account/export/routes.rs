//! /api/account/export: requests an export, returns its progress and downloads it.

use crate::features::account::AccountState;
use crate::features::account::export::store::{
    self, ExportLease, ExportRow, RequestExport, already_running, quota_exceeded,
};
use crate::features::members;
use crate::features::sessions::extract::AuthenticatedMember;
use crate::http::error::{ApiError, Result};
use crate::http::openapi::documented_errors;
use crate::platform::clock::{Millis, rfc3339};
use crate::platform::telemetry::security_log::{self, Event};
use axum::Json;
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use std::sync::Arc;
use utoipa::ToSchema;

/// An export of all data of the authenticated member.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Export {
    /// State of the export.
    pub state: ExportState,
    /// Progress in percent.
    #[schema(minimum = 0, maximum = 100)]
    pub percent: i64,
    /// Size of the file in bytes; null until the export is ready.
    #[schema(minimum = 0)]
    pub size: Option<i64>,
    /// Time of the request; null if there is no export.
    pub created_at: Option<String>,
    /// Time until which the file can be downloaded; null until the export is ready.
    pub expires_at: Option<String>,
}

/// State of an export.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ExportState {
    /// No export exists.
    None,
    /// Queued.
    Waiting,
    /// In progress.
    Running,
    /// Ready for download.
    Ready,
    /// Failed.
    Failed,
}

const NO_EXPORT: Export =
    Export { state: ExportState::None, percent: 0, size: None, created_at: None, expires_at: None };

impl Export {
    fn from_row(row: &ExportRow, now: Millis) -> Self {
        let state = match row.state {
            0 if row.lease_until > now && row.percent > 0 => ExportState::Running,
            0 => ExportState::Waiting,
            _ if row.expires_at <= now => return NO_EXPORT,
            1 => ExportState::Ready,
            _ => ExportState::Failed,
        };
        let is_ready = state == ExportState::Ready;
        Self {
            state,
            percent: row.percent,
            size: row.byte_size.filter(|_| is_ready),
            created_at: Some(rfc3339(row.id.time())),
            expires_at: is_ready.then(|| rfc3339(row.expires_at)),
        }
    }
}

async fn load_newest(state: &AccountState, auth: &AuthenticatedMember) -> Result<Export> {
    let row = store::find_newest(&state.db.reader(), auth.member).await?;
    Ok(row.map_or(NO_EXPORT, |row| Export::from_row(&row, state.now())))
}

/// Starts an export of all data of the authenticated member. One export runs at a time, and at most 3 can be
/// started within a day.
#[utoipa::path(post, path = "/api/account/export", operation_id = "startExport", tag = "account",
    responses((status = 202, body = Export), StartExportErrors))]
pub async fn start_export(
    State(state): State<Arc<AccountState>>,
    auth: AuthenticatedMember,
) -> Result<(StatusCode, Json<Export>)> {
    let request = RequestExport { member: auth.member, id: state.id(), now: state.now() };
    security_log::attempt(Event::ExportRequested, state.db.write(request)).await?;
    state.exports.notify_one();
    let export = load_newest(&state, &auth).await?;
    Ok((StatusCode::ACCEPTED, Json(export)))
}

documented_errors!(StartExportErrors: already_running(), quota_exceeded());

/// Returns the state of the authenticated member's newest export.
#[utoipa::path(get, path = "/api/account/export", operation_id = "getExport", tag = "account",
    responses((status = 200, body = Export)))]
pub async fn get_export(
    State(state): State<Arc<AccountState>>,
    auth: AuthenticatedMember,
) -> Result<Json<Export>> {
    load_newest(&state, &auth).await.map(Json)
}

documented_errors!(ExportFileErrors: export_not_found());

fn export_not_found() -> ApiError {
    let message = "There is no export to download. Please ask for a new one.";
    ApiError::not_found("export_not_found", message)
}

/// Downloads the newest export of the authenticated member: a ZIP file with JSON files and images.
#[utoipa::path(get, path = "/api/account/export/file", operation_id = "getExportFile", tag = "account",
    responses((status = 200, description = "ZIP file", body = String, content_type = "application/zip"), ExportFileErrors))]
pub async fn get_export_file(
    State(state): State<Arc<AccountState>>,
    auth: AuthenticatedMember,
) -> Result<Response> {
    let db = state.db.reader();
    let newest = store::find_newest(&db, auth.member).await?;
    let ready = newest.filter(|row| row.state == 1 && row.expires_at > state.now());
    let ready = ready.ok_or_else(export_not_found)?;
    let name = members::load_refs(&db, &[auth.member.0]).await?;
    let name = name.get(&auth.member.0).map_or("me", |me| &me.username);
    let day = rfc3339(ready.id.time());
    let disposition = format!("attachment; filename=\"kith-{name}-{}.zip\"", &day[..10]);
    drop(db);
    let lease = ExportLease { member: auth.member, id: ready.id, attempt: ready.attempt };
    let object = state.storage.read(&lease.storage_key(), None).await.map_err(|error| {
        tracing::warn!(failure = %error, "an export could not be read");
        ApiError::unavailable()
    })?;
    let object = object.ok_or_else(export_not_found)?;
    let size = object.size;
    let mut response = Body::from_stream(object.body).into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/zip"));
    headers.insert(header::CONTENT_LENGTH, HeaderValue::from(size));
    if let Ok(value) = HeaderValue::try_from(disposition) {
        headers.insert(header::CONTENT_DISPOSITION, value);
    }
    security_log::emit(Event::ExportDownloaded);
    Ok(response)
}
