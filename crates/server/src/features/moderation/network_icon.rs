//! /api/admin/settings/icon: sets and removes the network's icon.

use crate::features::media::{self, ImageRow, MediaState, Preset};
use crate::features::members::Role;
use crate::features::moderation::audit_log::{Actor, AuditWriter};
use crate::features::moderation::network_settings::{AdminSettings, append_change};
use crate::features::moderation::staff::{self, Admin};
use crate::features::settings::{self, StoredSettings};
use crate::http::concurrency_limit::CurrentPermit;
use crate::http::error::{ApiError, Result};
use crate::http::extract::Body;
use crate::http::openapi::documented_errors;
use crate::platform::Platform;
use crate::platform::clock::Millis;
use crate::platform::ids::Id;
use crate::platform::rate_limit::MemberAction;
use axum::Json;
use axum::extract::State;
use kith_db::Tx;
use serde::Deserialize;
use std::sync::Arc;
use utoipa::ToSchema;

/// Smallest side of an icon, in pixels, which installed apps need.
const MIN_ICON: u32 = 192;

/// The image to show as icon.
#[derive(Debug, Deserialize, ToSchema)]
pub struct NewIcon {
    /// URL of a file uploaded by the admin, with or without its query string.
    #[serde(rename = "imageURL")]
    #[schema(
        value_type = String,
        min_length = 1,
        max_length = 2000,
        example = "https://kith.example/api/objects/036f5a0c7e001000036f5a0c7e0020017c1d93e0a5b8f246"
    )]
    image_url: Option<String>,
}

documented_errors!(SetIconErrors: no_icon(), small_icon(), media::not_own_upload("imageURL"), media::not_an_image(),
    media::bad_image());

fn no_icon() -> ApiError {
    ApiError::missing_field("imageURL", "Name the image to show.")
}

fn small_icon() -> ApiError {
    let message = "Please choose an image that is at least 192 pixels wide and high.";
    ApiError::invalid_field("imageURL", message)
}

/// Sets the network's icon to the central square of an image. Requires the admin role; other members get 404.
#[utoipa::path(put, path = "/api/admin/settings/icon", operation_id = "setIcon", tag = "moderation",
    request_body = NewIcon, responses((status = 200, body = AdminSettings), SetIconErrors))]
pub async fn set_icon(
    State(state): State<Platform>,
    State(media_state): State<Arc<MediaState>>,
    Admin(me): Admin,
    permit: CurrentPermit,
    Body(body): Body<NewIcon>,
) -> Result<Json<AdminSettings>> {
    permit.release();
    let image_url = body.image_url.filter(|text| !text.is_empty()).ok_or_else(no_icon)?;
    state.rate_limiter.check_member(MemberAction::Moderate, me)?;
    let image = media::process_image(&media_state, me, &image_url, Preset::Avatar, None).await?;
    let image = image.ok_or_else(|| media::not_own_upload("imageURL"))?;
    check_size(&image)?;
    let change = ChangeIcon { actor: Actor::Member(me), image: Some(image), now: state.now() };
    Ok(Json(AdminSettings::new(&state.db.write(change).await?)))
}

/// Restores the icon of the design. Idempotent. Requires the admin role; other members get 404.
#[utoipa::path(delete, path = "/api/admin/settings/icon", operation_id = "removeIcon", tag = "moderation",
    responses((status = 200, body = AdminSettings)))]
pub async fn remove_icon(
    State(state): State<Platform>,
    Admin(me): Admin,
) -> Result<Json<AdminSettings>> {
    state.rate_limiter.check_member(MemberAction::Moderate, me)?;
    let change = ChangeIcon { actor: Actor::Member(me), image: None, now: state.now() };
    Ok(Json(AdminSettings::new(&state.db.write(change).await?)))
}

fn check_size(image: &ImageRow) -> Result<()> {
    if image.width < MIN_ICON { Err(small_icon()) } else { Ok(()) }
}

/// Processes a file of the operator into an icon, as large as one that an admin uploads.
pub async fn import_icon(state: &MediaState, file: &[u8]) -> Result<ImageRow> {
    let image = media::import_image(state, file, Preset::Avatar).await?;
    check_size(&image)?;
    Ok(image)
}

/// Transaction that sets or removes the icon, with its audit row.
#[derive(Debug)]
pub struct ChangeIcon {
    actor: Actor,
    image: Option<ImageRow>,
    now: Millis,
}

impl ChangeIcon {
    /// Builds a change by the operator; `None` restores the icon of the design.
    #[must_use]
    pub const fn by_operator(image: Option<ImageRow>, now: Millis) -> Self {
        Self { actor: Actor::Operator, image, now }
    }
}

impl kith_db::Write for ChangeIcon {
    type Out = StoredSettings;
    type Err = ApiError;

    async fn run(&self, tx: &mut Tx) -> Result<StoredSettings> {
        let log = AuditWriter::lock(tx).await?;
        staff::ensure_role(tx, self.actor, Role::Admin).await?;
        let stored = settings::load(&tx.reader()).await?;
        let url = self.image.as_ref().map(ImageRow::url);
        if stored.icon_url() == url.as_deref() {
            return Ok(stored);
        }
        // Add the new reference first: both URLs may be of one image.
        if let Some(image) = &self.image {
            let owner = self.actor.member().map_or(Id::NONE, Id);
            media::add_reference(tx, owner, &image.hash, self.now).await?;
        }
        if let Some(old) = stored.icon_url() {
            media::drop_reference(tx, old, self.now + media::AFTER_USE).await?;
        }
        settings::set_icon(tx, &stored, url.as_deref(), self.now).await?;
        append_change(log, tx, self.now, self.actor, "icon".to_owned()).await?;
        Ok(settings::load(&tx.reader()).await?)
    }
}
