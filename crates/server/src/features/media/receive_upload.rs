//! Taking a file at an address that was given out for it.

use crate::features::media::MediaState;
use crate::features::media::keys::{LIFE, Name, Upload};
use crate::features::media::{active_uploads, errors, not_uploaded, store};
use crate::http::client_ip::Client;
use crate::http::error::{ApiError, Result};
use crate::http::extract::{Path, Query, body_unreadable};
use crate::http::openapi::refusals;
use crate::platform::crypto;
use crate::platform::rate_limit::{Act, Visit};
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use kith_db::{Sql, params, sql};
use kith_images::MAX_BYTES;
use kith_storage::CreateOutcome;
use serde::Deserialize;
use std::sync::Arc;
use utoipa::IntoParams;

const ARRIVED: Sql = sql!(
    "update uploads set byte_size = $3 where owner_id = $1 and id = $2
       and ended_at is null"
);

/// What makes an address one that this server gave out.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Signature {
    /// As the address has it.
    #[param(min_length = 1, max_length = 100, example = "nQ0vX2")]
    pub signature: Option<String>,
}

refusals!(NotReceived: not_given_out(), not_uploaded(), errors::expired(), errors::other_content(), errors::too_large(), body_unreadable());

fn not_given_out() -> ApiError {
    ApiError::forbidden(
        "bad_signature",
        "This upload address was not given out by Kith.",
    )
}

/// Takes one file of at most 10485760 bytes at an address of `createUpload`, which lives 10
/// minutes. The same file again is the same; another one is refused. The address is all it needs.
#[utoipa::path(put, path = "/api/objects/{id}", operation_id = "sendUpload", tag = "images", security(()),
    request_body(content = Vec<u8>, content_type = "application/octet-stream", description = "The file, of any media type"),
    params(("id" = inline(Name), Path, description = "As the address has it"), Signature),
    responses((status = 200, description = "It is here"), NotReceived))]
pub async fn receive(
    State(app): State<Arc<MediaState>>,
    client: Client,
    Path(name): Path<Name>,
    Query(query): Query<Signature>,
    headers: HeaderMap,
    body: Body,
) -> Result<StatusCode> {
    let given = query.signature.unwrap_or_default();
    let upload = name.upload(&app).and_then(|upload| {
        let right = upload.signature(&app.key);
        if !crypto::same(given.as_bytes(), right.as_bytes()) {
            Err(not_given_out())
        } else if app.now() > upload.id.time() + LIFE {
            Err(errors::expired())
        } else {
            Ok(upload)
        }
    });
    let upload = match upload {
        // Whoever shares a member's network and calls without pause does not stop the member's files; and whoever
        // has an address of theirs, from a log say, uses up nothing but that.
        Ok(upload) => {
            app.limits.act(Act::Send, upload.id)?;
            upload
        }
        Err(error) => {
            app.limits.visit(Visit::Any, client.0)?;
            return Err(error);
        }
    };
    let announced = headers
        .get(header::CONTENT_LENGTH)
        .and_then(|length| length.to_str().ok()?.parse().ok());
    if announced.is_some_and(|length: u64| length > MAX_BYTES as u64) {
        return Err(errors::too_large());
    }
    if !store::is_known(&app.db.reader(), upload).await? {
        return Err(not_uploaded());
    }
    keep(&app, upload, body).await?;
    Ok(StatusCode::OK)
}

async fn keep(app: &Arc<MediaState>, upload: Upload, body: Body) -> Result<()> {
    let key = &upload.key(&app.key);
    let limit = MAX_BYTES as u64;
    let created = app
        .storage
        .create(key, active_uploads::begin(app, upload.id, body), limit)
        .await
        .map_err(errors::failed)?;
    let size = match created {
        CreateOutcome::New(size) => size,
        // Known already, unless the process was killed between the file and the row.
        CreateOutcome::Same => match app.storage.size(key).await.map_err(errors::failed)? {
            Some(size) => size,
            None => return Err(not_uploaded()),
        },
        CreateOutcome::Different => return Err(errors::other_content()),
    };
    let size = i64::try_from(size).unwrap_or(i64::MAX);
    let arrived = params![upload.owner.0, upload.id.0, size];
    if app.db.exec(&ARRIVED, arrived).await? > 0 {
        return Ok(());
    }
    // It was cancelled while it came.
    app.storage.delete(key).await.map_err(errors::failed)?;
    Err(not_uploaded())
}
