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

/// A processed image that can be posted.
#[derive(Debug, Serialize, ToSchema)]
pub struct PreparedImage {
    /// The image as a post will show it, without alternative text. `imageUrls` also accepts its `url`.
    pub image: Image,
}

documented_errors!(PrepareUploadErrors: not_uploaded(), errors::not_an_image(), errors::bad_image());

/// Processes an uploaded image for a post. Optional: creating a post processes its images if needed; calling
/// this earlier makes posting faster and reports invalid images before the member writes.
#[utoipa::path(post, path = "/api/objects/{id}/prepare", operation_id = "prepareUpload", tag = "images",
    params(("id" = inline(UploadName), Path, description = "Name of the upload: the last path segment of its URL, without the query string")),
    responses((status = 200, body = PreparedImage), PrepareUploadErrors))]
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
