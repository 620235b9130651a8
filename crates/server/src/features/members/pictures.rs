//! Sets and removes the viewer's avatar and header image.

use crate::features::media::{self, ImageRow, Preset};
use crate::features::members::MembersState;
use crate::features::members::{self, Me};
use crate::features::sessions::extract::AuthenticatedMember;
use crate::http::concurrency_limit::CurrentPermit;
use crate::http::error::{ApiError, Result};
use crate::http::extract::Body;
use crate::http::openapi::documented_errors;
use crate::platform::clock::Millis;
use crate::platform::ids::Id;
use crate::platform::rate_limit::MemberAction;
use axum::Json;
use axum::extract::State;
use kith_db::{Sql, Tx, params, sql};
use serde::Deserialize;
use std::sync::Arc;
use utoipa::ToSchema;

// Writing the current value locks the row: of two concurrent changes each releases a different image.
const LOCK_PICTURE: Sql = sql!(
    "update members set profile_image_url = profile_image_url
     where id = $1 and suspended_at is null returning profile_image_url"
);
const LOCK_HEADER: Sql = sql!(
    "update members set header_image_url = header_image_url
     where id = $1 and suspended_at is null returning header_image_url"
);
const SET_PICTURE: Sql = sql!("update members set profile_image_url = $2 where id = $1");
const SET_HEADER: Sql = sql!("update members set header_image_url = $2 where id = $1");

/// An image and the part of it to show.
#[derive(Debug, Deserialize, ToSchema)]
#[schema(examples(json!({"imageURL": "https://kith.example/api/objects/036f5a0c7e001000036f5a0c7e0020017c1d93e0a5b8f246"})))]
pub struct NewPicture {
    /// URL of a file uploaded by the member, with or without its query string, or of an image that was
    /// already the member's profile picture or header image.
    #[serde(rename = "imageURL")]
    #[schema(
        value_type = String,
        min_length = 1,
        max_length = 2000,
        example = "https://kith.example/api/objects/036f5a0c7e001000036f5a0c7e0020017c1d93e0a5b8f246"
    )]
    pub image_url: Option<String>,
    /// Part of the image to show. Defaults to the center.
    #[serde(default, deserialize_with = "crate::http::extract::deserialize_object")]
    pub crop: Option<CropRect>,
}

/// A part of an image, in fractions of its width and height as displayed.
#[derive(Debug, Clone, Copy, Deserialize, ToSchema)]
#[schema(as = Part)]
pub struct CropRect {
    /// Distance from the left edge, as a fraction of the width.
    #[schema(minimum = 0, maximum = 1, example = 0.25)]
    pub x: f64,
    /// Distance from the top edge, as a fraction of the height.
    #[schema(minimum = 0, maximum = 1, example = 0.0)]
    pub y: f64,
    /// Width of the part, as a fraction of the width.
    #[schema(minimum = 0, maximum = 1, example = 0.5)]
    pub width: f64,
    /// Height of the part, as a fraction of the height.
    #[schema(minimum = 0, maximum = 1, example = 1.0)]
    pub height: f64,
}

documented_errors!(SetPictureErrors: no_image(), bad_crop(), media::not_own_upload("imageURL"), media::not_an_image(), media::bad_image());

fn no_image() -> ApiError {
    ApiError::missing_field("imageURL", "Name the image to show.")
}

fn bad_crop() -> ApiError {
    ApiError::invalid_field("crop", "The part to show must lie inside the image.")
}

/// Sets the profile picture of the authenticated member to a square part of an image.
#[utoipa::path(put, path = "/api/profile-images", operation_id = "setProfileImage", tag = "users", request_body = NewPicture,
    responses((status = 200, body = Me), SetPictureErrors))]
pub async fn set_picture(
    State(state): State<Arc<MembersState>>,
    auth: AuthenticatedMember,
    permit: CurrentPermit,
    Body(body): Body<NewPicture>,
) -> Result<Json<Me>> {
    permit.release();
    process_and_set(&state, auth.member, PictureSlot::Picture, &body).await
}

/// Removes the profile picture of the authenticated member.
#[utoipa::path(delete, path = "/api/profile-images", operation_id = "removeProfileImage", tag = "users",
    responses((status = 200, body = Me)))]
pub async fn remove_picture(
    State(state): State<Arc<MembersState>>,
    auth: AuthenticatedMember,
) -> Result<Json<Me>> {
    store_picture(&state, auth.member, PictureSlot::Picture, None).await
}

/// Sets the header image of the authenticated member to a part of an image with an aspect ratio of 3:1.
#[utoipa::path(put, path = "/api/header-images", operation_id = "setHeaderImage", tag = "users", request_body = NewPicture,
    responses((status = 200, body = Me), SetPictureErrors))]
pub async fn set_header(
    State(state): State<Arc<MembersState>>,
    auth: AuthenticatedMember,
    permit: CurrentPermit,
    Body(body): Body<NewPicture>,
) -> Result<Json<Me>> {
    permit.release();
    process_and_set(&state, auth.member, PictureSlot::Header, &body).await
}

/// Removes the header image of the authenticated member.
#[utoipa::path(delete, path = "/api/header-images", operation_id = "removeHeaderImage", tag = "users",
    responses((status = 200, body = Me)))]
pub async fn remove_header(
    State(state): State<Arc<MembersState>>,
    auth: AuthenticatedMember,
) -> Result<Json<Me>> {
    store_picture(&state, auth.member, PictureSlot::Header, None).await
}

#[derive(Debug, Clone, Copy)]
enum PictureSlot {
    Picture,
    Header,
}

async fn process_and_set(
    state: &MembersState,
    member: Id,
    slot: PictureSlot,
    body: &NewPicture,
) -> Result<Json<Me>> {
    let image_url = body.image_url.as_deref().filter(|text| !text.is_empty());
    let image_url = image_url.ok_or_else(no_image)?;
    let crop = |part: CropRect| {
        kith_images::Crop::new(part.x, part.y, part.width, part.height).ok_or_else(bad_crop)
    };
    let crop = body.crop.map(crop).transpose()?;
    state.rate_limiter.check_member(MemberAction::Edit, member)?;
    let preset = match slot {
        PictureSlot::Picture => Preset::Avatar,
        PictureSlot::Header => Preset::Header,
    };
    let image = media::process_image(&state.media, member, image_url, preset, crop).await?;
    let image = image.ok_or_else(|| media::not_own_upload("imageURL"))?;
    store_picture(state, member, slot, Some(image)).await
}

async fn store_picture(
    state: &MembersState,
    member: Id,
    slot: PictureSlot,
    image: Option<ImageRow>,
) -> Result<Json<Me>> {
    let change = SetPicture { member, slot, image, now: state.now() };
    state.db.write(change).await?;
    members::load_me(state, member).await.map(Json)
}

struct SetPicture {
    member: Id,
    slot: PictureSlot,
    image: Option<ImageRow>,
    now: Millis,
}

impl kith_db::Write for SetPicture {
    type Out = ();
    type Err = ApiError;

    async fn run(&self, tx: &mut Tx) -> Result<()> {
        let (lock, update) = match self.slot {
            PictureSlot::Picture => (&LOCK_PICTURE, &SET_PICTURE),
            PictureSlot::Header => (&LOCK_HEADER, &SET_HEADER),
        };
        let old = tx.opt(lock, params![self.member.0], |row| row.opt_text(0)).await?;
        // The member has been suspended or deleted since authentication.
        let old = old.ok_or_else(ApiError::unauthorized)?;
        // Add the new reference first: it may be to the image that is released next.
        if let Some(image) = &self.image {
            media::add_reference(tx, self.member, &image.hash, self.now).await?;
        }
        if let Some(old) = old {
            media::drop_reference(tx, &old, self.now + media::AFTER_USE).await?;
        }
        let url = self.image.as_ref().map(ImageRow::url);
        tx.exec(update, params![self.member.0, url.as_deref()]).await?;
        Ok(())
    }
}
