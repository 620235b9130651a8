//! The picture and the header image of one's own profile.

use crate::features::media::{self, Preset, Stored};
use crate::features::members::MembersState;
use crate::features::members::{self, Me};
use crate::features::sessions::extract::AuthenticatedMember;
use crate::http::concurrency_limit::CurrentPermit;
use crate::http::error::{ApiError, Result};
use crate::http::extract::Body;
use crate::http::openapi::refusals;
use crate::platform::clock::Millis;
use crate::platform::ids::Id;
use crate::platform::rate_limit::Act;
use axum::Json;
use axum::extract::State;
use kith_db::{Sql, Tx, params, sql};
use serde::Deserialize;
use std::sync::Arc;
use utoipa::ToSchema;

// Writing what is there already holds the row: two changes at once release one image each.
const HOLD_PICTURE: Sql = sql!(
    "update members set profile_image_url = profile_image_url
     where id = $1 and suspended_at is null returning profile_image_url"
);
const HOLD_HEADER: Sql = sql!(
    "update members set header_image_url = header_image_url
     where id = $1 and suspended_at is null returning header_image_url"
);
const SET_PICTURE: Sql = sql!("update members set profile_image_url = $2 where id = $1");
const SET_HEADER: Sql = sql!("update members set header_image_url = $2 where id = $1");

/// Which image to show, and which part of it.
#[derive(Debug, Deserialize, ToSchema)]
#[schema(examples(json!({"imageURL": "https://kith.example/api/objects/036f5a0c7e001000036f5a0c7e0020017c1d93e0a5b8f246"})))]
pub struct NewPicture {
    /// The address of a file that I uploaded, with or without its query, or of my picture or
    /// header as it was before.
    #[serde(rename = "imageURL")]
    #[schema(
        value_type = String,
        min_length = 1,
        max_length = 2000,
        example = "https://kith.example/api/objects/036f5a0c7e001000036f5a0c7e0020017c1d93e0a5b8f246"
    )]
    pub image_url: Option<String>,
    /// The part to show; the middle when absent.
    #[serde(default, deserialize_with = "crate::http::extract::object")]
    pub crop: Option<Part>,
}

/// A part of an image, in fractions of its width and height as people see it.
#[derive(Debug, Clone, Copy, Deserialize, ToSchema)]
pub struct Part {
    /// From the left edge.
    #[schema(minimum = 0, maximum = 1, example = 0.25)]
    pub x: f64,
    /// From the upper edge.
    #[schema(minimum = 0, maximum = 1, example = 0.0)]
    pub y: f64,
    /// Of the whole width.
    #[schema(minimum = 0, maximum = 1, example = 0.5)]
    pub width: f64,
    /// Of the whole height.
    #[schema(minimum = 0, maximum = 1, example = 1.0)]
    pub height: f64,
}

refusals!(NotSet: no_image(), bad_crop(), media::not_mine("imageURL"), media::not_an_image(), media::bad_image());

fn no_image() -> ApiError {
    ApiError::missing("imageURL", "Name the image to show.")
}

fn bad_crop() -> ApiError {
    ApiError::invalid("crop", "The part to show must lie inside the image.")
}

/// Sets my profile picture: a square of the image that is named.
#[utoipa::path(put, path = "/api/profile-images", operation_id = "setProfileImage", tag = "users", request_body = NewPicture,
    responses((status = 200, body = Me), NotSet))]
pub async fn set_picture(
    State(app): State<Arc<MembersState>>,
    auth: AuthenticatedMember,
    permit: CurrentPermit,
    Body(body): Body<NewPicture>,
) -> Result<Json<Me>> {
    permit.release();
    set(&app, auth.member, Place::Picture, &body).await
}

/// Removes my profile picture.
#[utoipa::path(delete, path = "/api/profile-images", operation_id = "removeProfileImage", tag = "users",
    responses((status = 200, body = Me)))]
pub async fn remove_picture(
    State(app): State<Arc<MembersState>>,
    auth: AuthenticatedMember,
) -> Result<Json<Me>> {
    change(&app, auth.member, Place::Picture, None).await
}

/// Sets my header image: a part three times as wide as high of the image that is named.
#[utoipa::path(put, path = "/api/header-images", operation_id = "setHeaderImage", tag = "users", request_body = NewPicture,
    responses((status = 200, body = Me), NotSet))]
pub async fn set_header(
    State(app): State<Arc<MembersState>>,
    auth: AuthenticatedMember,
    permit: CurrentPermit,
    Body(body): Body<NewPicture>,
) -> Result<Json<Me>> {
    permit.release();
    set(&app, auth.member, Place::Header, &body).await
}

/// Removes my header image.
#[utoipa::path(delete, path = "/api/header-images", operation_id = "removeHeaderImage", tag = "users",
    responses((status = 200, body = Me)))]
pub async fn remove_header(
    State(app): State<Arc<MembersState>>,
    auth: AuthenticatedMember,
) -> Result<Json<Me>> {
    change(&app, auth.member, Place::Header, None).await
}

#[derive(Debug, Clone, Copy)]
enum Place {
    Picture,
    Header,
}

async fn set(app: &MembersState, member: Id, place: Place, body: &NewPicture) -> Result<Json<Me>> {
    let named = body.image_url.as_deref().filter(|text| !text.is_empty());
    let named = named.ok_or_else(no_image)?;
    let crop = |part: Part| {
        kith_images::Crop::new(part.x, part.y, part.width, part.height).ok_or_else(bad_crop)
    };
    let crop = body.crop.map(crop).transpose()?;
    app.limits.act(Act::Edit, member)?;
    let kind = match place {
        Place::Picture => Preset::Avatar,
        Place::Header => Preset::Header,
    };
    let image = media::develop(&app.media, member, named, kind, crop).await?;
    let image = image.ok_or_else(|| media::not_mine("imageURL"))?;
    change(app, member, place, Some(image)).await
}

async fn change(
    app: &MembersState,
    member: Id,
    place: Place,
    image: Option<Stored>,
) -> Result<Json<Me>> {
    let change = Change {
        member,
        place,
        image,
        now: app.now(),
    };
    app.db.write(change).await?;
    members::me(app, member).await.map(Json)
}

struct Change {
    member: Id,
    place: Place,
    image: Option<Stored>,
    now: Millis,
}

impl kith_db::Write for Change {
    type Out = ();
    type Err = ApiError;

    async fn run(&self, tx: &mut Tx) -> Result<()> {
        let (hold, set) = match self.place {
            Place::Picture => (&HOLD_PICTURE, &SET_PICTURE),
            Place::Header => (&HOLD_HEADER, &SET_HEADER),
        };
        let member = params![self.member.0];
        let old = tx.opt(hold, member, |row| row.opt_text(0)).await?;
        // Suspended, or gone, since the call began.
        let old = old.ok_or_else(ApiError::unauthorized)?;
        // First the new one: it may be the old one again.
        if let Some(image) = &self.image {
            media::show(tx, self.member, &image.hash, self.now).await?;
        }
        if let Some(old) = old {
            media::release(tx, &old, self.now + media::AFTER_USE).await?;
        }
        let url = self.image.as_ref().map(Stored::url);
        tx.exec(set, params![self.member.0, url.as_deref()]).await?;
        Ok(())
    }
}
