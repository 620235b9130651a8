//! `/api/moderation-notices`: a member's notices and objections.

use crate::features::members;
use crate::features::moderation::clean_text;
use crate::features::moderation::notices::dto::{self, ModerationNotice};
use crate::features::moderation::notices::store;
use crate::features::sessions::extract::AuthenticatedMember;
use crate::http::error::{ApiError, Result};
use crate::http::extract::{Body, Path};
use crate::http::openapi::documented_errors;
use crate::platform::Platform;
use crate::platform::ids::Id;
use crate::platform::rate_limit::MemberAction;
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use kith_db::Tx;
use serde::Deserialize;
use utoipa::ToSchema;

/// Notices in a list.
const MAX_LISTED: usize = 100;
/// Maximum length of an objection, in code points.
const MAX_OBJECTION_LENGTH: usize = 1_000;

/// An objection to a sanction.
#[derive(Debug, Deserialize, ToSchema)]
pub struct NewObjection {
    /// Why the sanction is wrong.
    #[schema(value_type = String, min_length = 1, max_length = 1000, example = "It was a joke between friends.")]
    pub text: Option<String>,
}

documented_errors!(ObjectErrors: notice_not_found(), already_objected(), lifted(), blank(), too_long());

pub(super) fn notice_not_found() -> ApiError {
    ApiError::not_found("notice_not_found", "There is no such notice.")
}

fn already_objected() -> ApiError {
    let message = "You have already objected to this decision.";
    ApiError::conflict("already_objected", message)
}

fn lifted() -> ApiError {
    let message = "This decision no longer applies, so there is nothing to object to.";
    ApiError::conflict("lifted", message)
}

fn blank() -> ApiError {
    ApiError::missing_field("text", "Please write why you object.")
}

fn too_long() -> ApiError {
    ApiError::invalid_field("text", "An objection can have at most 1,000 characters.")
}

/// Lists the authenticated member's notices of sanctions, newest first, at most 100.
#[utoipa::path(get, path = "/api/moderation-notices", operation_id = "listNotices", tag = "moderation", extensions(("x-max-items" = json!(100))),
    responses((status = 200, body = [ModerationNotice])))]
pub async fn list_notices(
    State(state): State<Platform>,
    auth: AuthenticatedMember,
) -> Result<Json<Vec<ModerationNotice>>> {
    let db = state.db.reader();
    let rows = store::load_page(&db, auth.member, i64::MAX, MAX_LISTED).await?;
    Ok(Json(dto::load_dtos(&db, rows).await?))
}

/// Objects to a sanction of the authenticated member, once. Another moderator decides about it, if there is one.
#[utoipa::path(post, path = "/api/moderation-notices/{id}/objection", operation_id = "object", tag = "moderation",
    params(("id" = Id, Path)), request_body = NewObjection,
    responses((status = 200, body = ModerationNotice), ObjectErrors))]
pub async fn object(
    State(state): State<Platform>,
    auth: AuthenticatedMember,
    Path(id): Path<Id>,
    Body(body): Body<NewObjection>,
) -> Result<Json<ModerationNotice>> {
    state.rate_limiter.check_member(MemberAction::Report, auth.member)?;
    write_objection(&state, auth.member, id, body.text.as_deref()).await
}

/// Writes an objection and returns the notice with it.
pub(super) async fn write_objection(
    state: &Platform,
    member: Id,
    notice: Id,
    text: Option<&str>,
) -> Result<Json<ModerationNotice>> {
    let text = clean_text(text, MAX_OBJECTION_LENGTH).ok_or_else(too_long)?;
    if text.is_empty() {
        return Err(blank());
    }
    state.db.write(WriteObjection { member, notice, text, id: state.id() }).await?;
    load_notice(state, member, notice).await
}

/// Loads a notice of a member.
pub(super) async fn load_notice(
    state: &Platform,
    member: Id,
    notice: Id,
) -> Result<Json<ModerationNotice>> {
    let db = state.db.reader();
    let row = store::find(&db, member, notice).await?.ok_or_else(notice_not_found)?;
    let mut notices = dto::load_dtos(&db, vec![row]).await?;
    notices.pop().map(Json).ok_or_else(notice_not_found)
}

struct WriteObjection {
    member: Id,
    notice: Id,
    text: String,
    id: Id,
}

impl kith_db::Write for WriteObjection {
    type Out = ();
    type Err = ApiError;

    async fn run(&self, tx: &mut Tx) -> Result<()> {
        let notice = store::find(&tx.reader(), self.member, self.notice).await?;
        let notice = notice.ok_or_else(notice_not_found)?;
        if notice.objection.is_some() {
            return Err(already_objected());
        }
        if notice.lifted_at.is_some() {
            return Err(lifted());
        }
        if store::insert_objection(tx, &notice, &self.text, self.id).await? {
            Ok(())
        } else {
            Err(already_objected())
        }
    }
}

/// Marks the authenticated member's notices, answers and outcomes of reports as read.
#[utoipa::path(post, path = "/api/moderation-notices/read", operation_id = "readNotices", tag = "moderation",
    responses((status = 204, description = "Marked as read")))]
pub async fn read_notices(
    State(state): State<Platform>,
    auth: AuthenticatedMember,
) -> Result<StatusCode> {
    state.rate_limiter.check_member(MemberAction::Edit, auth.member)?;
    state.db.write(ReadNotices { member: auth.member, until: state.id() }).await?;
    Ok(StatusCode::NO_CONTENT)
}

struct ReadNotices {
    member: Id,
    until: Id,
}

impl kith_db::Write for ReadNotices {
    type Out = ();
    type Err = ApiError;

    async fn run(&self, tx: &mut Tx) -> Result<()> {
        members::ensure_active(tx, self.member).await?;
        Ok(members::set_notices_read(tx, self.member, self.until).await?)
    }
}
