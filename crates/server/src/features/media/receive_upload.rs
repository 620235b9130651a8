//! Receives a file at an upload URL.

use crate::features::media::MediaState;
use crate::features::media::keys::{UPLOAD_TTL, UploadName, UploadTicket};
use crate::features::media::{active_uploads, errors, not_uploaded, store};
use crate::http::client_ip::ClientIp;
use crate::http::error::{ApiError, Result};
use crate::http::extract::{Path, Query, body_unreadable};
use crate::http::openapi::documented_errors;
use crate::platform::crypto;
use crate::platform::rate_limit::{AnonymousAction, MemberAction};
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use kith_db::{Sql, params, sql};
use kith_images::MAX_BYTES;
use kith_storage::CreateOutcome;
use serde::Deserialize;
use std::sync::Arc;
use utoipa::IntoParams;

const SET_RECEIVED: Sql = sql!(
    "update uploads set byte_size = $3 where owner_id = $1 and id = $2
       and ended_at is null"
);

/// Signature of an upload URL.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Signature {
    /// Signature from the upload URL.
    #[param(min_length = 1, max_length = 100, example = "nQ0vX2")]
    pub signature: Option<String>,
}

documented_errors!(ReceiveUploadErrors: bad_signature(), not_uploaded(), errors::expired(), errors::content_mismatch(), errors::too_large(), body_unreadable());

fn bad_signature() -> ApiError {
    ApiError::forbidden("bad_signature", "This upload URL wasn't issued by Kith.")
}

/// Uploads one file of at most 10485760 bytes to a URL created by `createUpload`, which is valid for 10
/// minutes. Requires no session: the URL authorizes the request. Idempotent for the same file; a different
/// file is rejected.
#[utoipa::path(put, path = "/api/objects/{id}", operation_id = "sendUpload", tag = "images", security(()),
    request_body(content = Vec<u8>, content_type = "application/octet-stream", description = "Content of the file, of any media type"),
    params(("id" = inline(UploadName), Path, description = "Name of the upload, from the upload URL"), Signature),
    responses((status = 200, description = "File received"), ReceiveUploadErrors))]
pub async fn receive(
    State(state): State<Arc<MediaState>>,
    client: ClientIp,
    Path(name): Path<UploadName>,
    Query(query): Query<Signature>,
    headers: HeaderMap,
    body: Body,
) -> Result<StatusCode> {
    let given = query.signature.unwrap_or_default();
    let upload = name.ticket(&state).and_then(|upload| {
        let expected = upload.signature(&state.key);
        if !crypto::constant_time_eq(given.as_bytes(), expected.as_bytes()) {
            Err(bad_signature())
        } else if state.now() > upload.id.time() + UPLOAD_TTL {
            Err(errors::expired())
        } else {
            Ok(upload)
        }
    });
    let upload = match upload {
        // Charges a valid URL to its own ticket: other clients of the same network must not block the upload,
        // and a leaked URL must not use up the member's limits.
        Ok(upload) => {
            state.rate_limiter.check_member(MemberAction::SendFile, upload.id)?;
            upload
        }
        Err(error) => {
            state.rate_limiter.check_ip(AnonymousAction::Any, client.0)?;
            return Err(error);
        }
    };
    let announced =
        headers.get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
    if announced.is_some_and(|length: u64| length > MAX_BYTES as u64) {
        return Err(errors::too_large());
    }
    if !store::is_open(&state.db.reader(), upload).await? {
        return Err(not_uploaded());
    }
    store_file(&state, upload, body).await?;
    Ok(StatusCode::OK)
}

async fn store_file(state: &Arc<MediaState>, upload: UploadTicket, body: Body) -> Result<()> {
    let key = &upload.storage_key(&state.key);
    let limit = MAX_BYTES as u64;
    let outcome = state
        .storage
        .create(
            key,
            active_uploads::receive_body(
                &state.active_uploads,
                state.clock.clone(),
                upload.id,
                body,
            ),
            limit,
        )
        .await
        .map_err(errors::from_storage_error)?;
    let size = match outcome {
        CreateOutcome::New(size) => size,
        // The file exists, but a crash may have prevented the update of the row.
        CreateOutcome::Same => {
            match state.storage.size(key).await.map_err(errors::from_storage_error)? {
                Some(size) => size,
                None => return Err(not_uploaded()),
            }
        }
        CreateOutcome::Different => return Err(errors::content_mismatch()),
    };
    let size = i64::try_from(size).unwrap_or(i64::MAX);
    let parameters = params![upload.owner.0, upload.id.0, size];
    if state.db.exec(&SET_RECEIVED, parameters).await? > 0 {
        return Ok(());
    }
    // The upload was cancelled while it was being received.
    state.storage.delete(key).await.map_err(errors::from_storage_error)?;
    Err(not_uploaded())
}
