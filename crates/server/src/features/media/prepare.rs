//! Processes an upload before it is posted, so that posting is fast and invalid files fail early.

use crate::features::media::MediaState;
use crate::features::media::keys::UploadName;
use crate::features::media::process::process_upload;
use crate::features::media::{Image, errors, not_uploaded};
use crate::features::sessions::extract::AuthenticatedMember;
use crate::http::concurrency_limit::CurrentPermit;
use crate::http::error::Result;
use crate::http::extract::Path;
use crate::http::openapi::documented_errors;
use axum::Json;
use axum::extract::State;
use kith_images::Preset;
use serde::Serialize;
use std::sync::Arc;
use utoipa::ToSchema;

/// An image that can be posted.
#[derive(Debug, Serialize, ToSchema)]
pub struct PreparedImage {
    /// As a post will show it, without a description yet. `imageUrls` takes its `url` too.
    pub image: Image,
}

documented_errors!(NotPrepared: not_uploaded(), errors::not_an_image(), errors::bad_image());

/// Makes the image of a file that I sent, for a post. Posts do this by themselves; asked for
/// earlier, posting is quicker, and a file that is no image is refused before anything is written.
#[utoipa::path(post, path = "/api/objects/{id}/prepare", operation_id = "prepareUpload", tag = "images",
    params(("id" = inline(UploadName), Path, description = "The last part of the upload's address, without its query")),
    responses((status = 200, body = PreparedImage), NotPrepared))]
pub async fn prepare(
    State(state): State<Arc<MediaState>>,
    auth: AuthenticatedMember,
    permit: CurrentPermit,
    Path(name): Path<UploadName>,
) -> Result<Json<PreparedImage>> {
    let upload = name.ticket(&state)?;
    permit.release();
    let image = process_upload(&state, auth.member, upload, Preset::Post, None).await?;
    let image = image.ok_or_else(not_uploaded)?;
    let image = image.with_alt(String::new());
    Ok(Json(PreparedImage { image }))
}
