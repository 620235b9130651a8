//! Issues upload URLs and cancels uploads.

use crate::features::media::MediaState;
use crate::features::media::end_upload::end_upload;
use crate::features::media::keys::{UPLOAD_TTL, UploadName, UploadTicket};
use crate::features::media::{errors, not_uploaded};
use crate::features::members;
use crate::features::sessions::extract::AuthenticatedMember;
use crate::http::error::{ApiError, Result};
use crate::http::extract::{OptionalJson, Path};
use crate::http::openapi::documented_errors;
use crate::platform::clock::{DAY, Millis};
use crate::platform::ids::Id;
use crate::platform::rate_limit::MemberAction;
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use kith_db::{Sql, Tx, params, sql};
use kith_images::MAX_BYTES;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;
use utoipa::ToSchema;

/// Quota of a member's received and announced uploads, in bytes.
const QUOTA: i64 = 200_000_000;

/// Bytes counted for an upload that announced no size: the maximum size of a file.
const MAX_SIZE: i64 = 10_485_760;

const INSERT: Sql =
    sql!("insert into uploads (owner_id, id, byte_size, is_at_store) values ($1, $2, $3, $4)");
// An upload that announced no size counts as the maximum while its URL is valid.
const WAITING: Sql = sql!(
    "select cast(coalesce(sum(case when byte_size is null then $4 else byte_size end), 0) as bigint)
     from uploads where owner_id = $1 and id >= $2
       and (byte_size is not null or id >= $3)"
);

/// The file to upload. All fields are optional.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[schema(examples(json!({}), json!({"size": 482_133, "type": "image/jpeg"})))]
pub struct NewUpload {
    /// Size in bytes, at most 10485760. If `size` and `type` are set and the server stores images in an S3
    /// bucket, the response contains a URL of the bucket.
    #[serde(default, deserialize_with = "crate::http::extract::deserialize_integer")]
    #[schema(minimum = 1, maximum = 10_485_760, example = 482_133)]
    pub size: Option<i64>,
    /// Media type of the file.
    #[serde(rename = "type")]
    #[schema(
        max_length = 10,
        pattern = "^(image/(jpeg|png|webp|gif|avif))?$",
        example = "image/jpeg"
    )]
    pub media_type: Option<String>,
}

/// An upload URL and the headers to send with the file.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UploadAddress {
    /// URL that accepts one file by `PUT`, for 10 minutes. Posts and profiles refer to the file by this URL.
    #[serde(rename = "uploadURL")]
    #[schema(
        format = "uri",
        max_length = 2000,
        example = "https://kith.example/api/objects/036f5a0c7e001000036f5a0c7e0020017c1d93e0a5b8f246?signature=nQ0…"
    )]
    pub upload_url: String,
    /// Headers that the `PUT` request must contain.
    #[schema(example = json!({}))]
    pub headers: BTreeMap<String, String>,
}

documented_errors!(CreateUploadErrors: bad_size(), bad_type(), errors::quota_exceeded());

fn bad_size() -> ApiError {
    ApiError::invalid_field("size", "Images can be up to 10 MB.")
}

fn bad_type() -> ApiError {
    ApiError::invalid_field("type", "Please send a JPEG, PNG, WebP, GIF or AVIF image.")
}

/// Creates an upload URL for one file. The request body is optional.
#[utoipa::path(post, path = "/api/objects/upload", operation_id = "createUpload", tag = "images", request_body = Option<NewUpload>,
    responses((status = 200, body = UploadAddress), CreateUploadErrors))]
pub async fn upload(
    State(state): State<Arc<MediaState>>,
    auth: AuthenticatedMember,
    OptionalJson(body): OptionalJson<NewUpload>,
) -> Result<Json<UploadAddress>> {
    let body = body.unwrap_or_default();
    let (size, media_type) = validate(&body)?;
    state.rate_limiter.check_member(MemberAction::Upload, auth.member)?;
    let upload = UploadTicket { owner: auth.member, id: state.id() };
    let key = upload.storage_key(&state.key);
    let lifetime = Duration::from_millis(UPLOAD_TTL.unsigned_abs());
    let presigned = if let Some((size, media_type)) = size.zip(media_type) {
        // Signs with the wall clock: the storage checks its own, and the clock of this server may run ahead to stay
        // monotonic.
        let now = state.clock.system_now();
        let signed = state.storage.presign_put(&key, size, media_type, lifetime, now);
        signed.await.map_err(errors::from_storage_error)?
    } else {
        None
    };
    let announced = presigned.as_ref().and(size);
    let write = InsertUpload {
        upload,
        announced: announced.and_then(|size| i64::try_from(size).ok()),
        now: state.now(),
    };
    state.db.write(write).await?;
    Ok(Json(match presigned {
        Some(signed) => {
            UploadAddress { upload_url: signed.url, headers: signed.headers.into_iter().collect() }
        }
        None => UploadAddress { upload_url: upload.url(&state), headers: BTreeMap::new() },
    }))
}

/// Validates the announced size and type.
fn validate(body: &NewUpload) -> Result<(Option<u64>, Option<&str>)> {
    let size = body.size.map(u64::try_from).transpose();
    let size = size.map_err(|_| bad_size())?;
    if size.is_some_and(|size| size == 0 || size > MAX_BYTES as u64) {
        return Err(bad_size());
    }
    let media_type = body.media_type.as_deref().filter(|text| !text.is_empty());
    let known = ["image/jpeg", "image/png", "image/webp", "image/gif", "image/avif"];
    if media_type.is_some_and(|text| !known.contains(&text)) {
        return Err(bad_type());
    }
    Ok((size, media_type))
}

struct InsertUpload {
    upload: UploadTicket,
    announced: Option<i64>,
    now: Millis,
}

impl kith_db::Write for InsertUpload {
    type Out = ();
    type Err = ApiError;

    async fn run(&self, tx: &mut Tx) -> Result<()> {
        // Locks the member, so that concurrent requests are counted one after the other.
        members::lock_active(tx, self.upload.owner).await?;
        let parameters = params![
            self.upload.owner.0,
            Id::first_at(self.now - DAY),
            Id::first_at(self.now - UPLOAD_TTL),
            MAX_SIZE,
        ];
        let waiting = tx.one(&WAITING, parameters, |row| row.int(0)).await?;
        if waiting + self.announced.unwrap_or(MAX_SIZE) > QUOTA {
            return Err(errors::quota_exceeded());
        }
        tx.exec(
            &INSERT,
            params![
                self.upload.owner.0,
                self.upload.id.0,
                self.announced,
                i64::from(self.announced.is_some())
            ],
        )
        .await?;
        Ok(())
    }
}

documented_errors!(CancelUploadErrors: not_uploaded());

/// Deletes an uploaded file. Images made from it are deleted once no post or profile uses them.
#[utoipa::path(post, path = "/api/objects/{id}/cancel", operation_id = "cancelUpload", tag = "images",
    params(("id" = inline(UploadName), Path, description = "Name of the upload: the last path segment of its URL, without the query string")),
    responses((status = 204, description = "Upload deleted"), CancelUploadErrors))]
pub async fn cancel(
    State(state): State<Arc<MediaState>>,
    auth: AuthenticatedMember,
    Path(name): Path<UploadName>,
) -> Result<StatusCode> {
    let upload = name.ticket(&state)?;
    if upload.owner != auth.member || !end_upload(&state, upload).await? {
        return Err(not_uploaded());
    }
    Ok(StatusCode::NO_CONTENT)
}
