//! Asking for an address to send a file to, and giving it back.

use crate::features::media::MediaState;
use crate::features::media::keys::{LIFE, Name, Upload};
use crate::features::media::{errors, not_uploaded, store};
use crate::features::members;
use crate::features::sessions::extract::AuthenticatedMember;
use crate::http::error::{ApiError, Result};
use crate::http::extract::{OptionalBody, Path};
use crate::http::openapi::refusals;
use crate::platform::clock::{DAY, Millis};
use crate::platform::ids::Id;
use crate::platform::rate_limit::Act;
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

/// Bytes of files that a member may have here or announced, until they are deleted.
const OUTSTANDING: i64 = 200_000_000;

/// What an upload may bring that announced nothing.
const LARGEST: i64 = 10_485_760;

const INSERT: Sql =
    sql!("insert into uploads (owner_id, id, byte_size, is_at_store) values ($1, $2, $3, $4)");
// One that announced nothing may still bring the largest file while its address lives.
const WAITING: Sql = sql!(
    "select cast(coalesce(sum(case when byte_size is null then $4 else byte_size end), 0) as bigint)
     from uploads where owner_id = $1 and id >= $2
       and (byte_size is not null or id >= $3)"
);

/// What will be sent. Nothing of it needs to be said.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[schema(examples(json!({}), json!({"size": 482_133, "type": "image/jpeg"})))]
pub struct NewUpload {
    /// Bytes, at most 10485760. With it and the type, a server whose images are at an S3 store
    /// answers an address of the store.
    #[serde(default, deserialize_with = "crate::http::extract::whole")]
    #[schema(minimum = 1, maximum = 10_485_760, example = 482_133)]
    pub size: Option<i64>,
    /// The file's media type.
    #[serde(rename = "type")]
    #[schema(
        max_length = 10,
        pattern = "^(image/(jpeg|png|webp|gif|avif))?$",
        example = "image/jpeg"
    )]
    pub media_type: Option<String>,
}

/// Where to send the file.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UploadAddress {
    /// Takes one file by `PUT`, for 10 minutes. Posts and profiles then name this address.
    #[serde(rename = "uploadURL")]
    #[schema(
        format = "uri",
        max_length = 2000,
        example = "https://kith.example/api/objects/036f5a0c7e001000036f5a0c7e0020017c1d93e0a5b8f246?signature=nQ0…"
    )]
    pub upload_url: String,
    /// Headers that the `PUT` must carry.
    #[schema(example = json!({}))]
    pub headers: BTreeMap<String, String>,
}

refusals!(NoUpload: bad_size(), bad_type(), errors::too_much());

fn bad_size() -> ApiError {
    ApiError::invalid("size", "Images can be up to 10 MB.")
}

fn bad_type() -> ApiError {
    ApiError::invalid("type", "Please send a JPEG, PNG, WebP, GIF or AVIF image.")
}

/// Answers an address for one file. The body may be left empty.
#[utoipa::path(post, path = "/api/objects/upload", operation_id = "createUpload", tag = "images", request_body = Option<NewUpload>,
    responses((status = 200, body = UploadAddress), NoUpload))]
pub async fn upload(
    State(app): State<Arc<MediaState>>,
    auth: AuthenticatedMember,
    OptionalBody(wish): OptionalBody<NewUpload>,
) -> Result<Json<UploadAddress>> {
    let wish = wish.unwrap_or_default();
    let (size, media_type) = check(&wish)?;
    app.limits.act(Act::Upload, auth.member)?;
    let upload = Upload {
        owner: auth.member,
        id: app.id(),
    };
    let key = upload.key(&app.key);
    let life = Duration::from_millis(LIFE.unsigned_abs());
    let at_store = if let Some((size, media_type)) = size.zip(media_type) {
        // The store looks at its own clock, which need not follow ours when that was once ahead.
        let now = app.clock.wall();
        let presigned = app.storage.presign_put(&key, size, media_type, life, now);
        presigned.await.map_err(errors::failed)?
    } else {
        None
    };
    let announced = at_store.as_ref().and(size);
    let write = NewRow {
        upload,
        announced: announced.and_then(|size| i64::try_from(size).ok()),
        now: app.now(),
    };
    app.db.write(write).await?;
    Ok(Json(match at_store {
        Some(signed) => UploadAddress {
            upload_url: signed.url,
            headers: signed.headers.into_iter().collect(),
        },
        None => UploadAddress {
            upload_url: upload.address(&app),
            headers: BTreeMap::new(),
        },
    }))
}

/// The size and the type that are announced.
fn check(wish: &NewUpload) -> Result<(Option<u64>, Option<&str>)> {
    let size = wish.size.map(u64::try_from).transpose();
    let size = size.map_err(|_| bad_size())?;
    if size.is_some_and(|size| size == 0 || size > MAX_BYTES as u64) {
        return Err(bad_size());
    }
    let media_type = wish.media_type.as_deref().filter(|text| !text.is_empty());
    let known = [
        "image/jpeg",
        "image/png",
        "image/webp",
        "image/gif",
        "image/avif",
    ];
    if media_type.is_some_and(|text| !known.contains(&text)) {
        return Err(bad_type());
    }
    Ok((size, media_type))
}

struct NewRow {
    upload: Upload,
    announced: Option<i64>,
    now: Millis,
}

impl kith_db::Write for NewRow {
    type Out = ();
    type Err = ApiError;

    async fn run(&self, tx: &mut Tx) -> Result<()> {
        // Many at once are counted one after the other.
        members::lock_active(tx, self.upload.owner).await?;
        let bound = params![
            self.upload.owner.0,
            Id::first_at(self.now - DAY),
            Id::first_at(self.now - LIFE),
            LARGEST,
        ];
        let waiting = tx.one(&WAITING, bound, |row| row.int(0)).await?;
        if waiting + self.announced.unwrap_or(LARGEST) > OUTSTANDING {
            return Err(errors::too_much());
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

refusals!(NotCancelled: not_uploaded());

/// Deletes a file that I sent. Images that were made of it go when no post or profile shows them.
#[utoipa::path(post, path = "/api/objects/{id}/cancel", operation_id = "cancelUpload", tag = "images",
    params(("id" = inline(Name), Path, description = "The last part of the upload's address, without its query")),
    responses((status = 204, description = "Gone"), NotCancelled))]
pub async fn cancel(
    State(app): State<Arc<MediaState>>,
    auth: AuthenticatedMember,
    Path(name): Path<Name>,
) -> Result<StatusCode> {
    let upload = name.upload(&app)?;
    if upload.owner != auth.member || !store::end(&app, upload).await? {
        return Err(not_uploaded());
    }
    Ok(StatusCode::NO_CONTENT)
}
