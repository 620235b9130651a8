//! Making an image before a post names it, so that posting does not wait and a bad file is told at once.

use crate::app::App;
use crate::authenticated_member::AuthenticatedMember;
use crate::error::Result;
use crate::extract::Path;
use crate::load_shed::CurrentPermit;
use crate::media::address::Name;
use crate::media::develop::develop_upload;
use crate::media::{Image, not_uploaded, refusals};
use crate::openapi::refusals;
use axum::Json;
use axum::extract::State;
use kith_images::Preset;
use serde::Serialize;
use utoipa::ToSchema;

/// An image that can be posted.
#[derive(Debug, Serialize, ToSchema)]
pub struct PreparedImage {
    /// As a post will show it, without a description yet. `imageUrls` takes its `url` too.
    pub image: Image,
}

refusals!(NotPrepared: not_uploaded(), refusals::not_an_image(), refusals::bad_image());

/// Makes the image of a file that I sent, for a post. Posts do this by themselves; asked for
/// earlier, posting is quicker, and a file that is no image is refused before anything is written.
#[utoipa::path(post, path = "/api/objects/{id}/prepare", operation_id = "prepareUpload", tag = "images",
    params(("id" = inline(Name), Path, description = "The last part of the upload's address, without its query")),
    responses((status = 200, body = PreparedImage), NotPrepared))]
pub async fn prepare(
    State(app): State<App>,
    auth: AuthenticatedMember,
    permit: CurrentPermit,
    Path(name): Path<Name>,
) -> Result<Json<PreparedImage>> {
    let upload = name.upload(&app)?;
    permit.release();
    let image = develop_upload(&app, auth.member, upload, Preset::Post, None).await?;
    let image = image.ok_or_else(not_uploaded)?;
    let image = image.with_alt(String::new());
    Ok(Json(PreparedImage { image }))
}
