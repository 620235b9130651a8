//! GET /api/admin/removed-posts, and DELETE /api/admin/posts/{id}/removal, which restores a removed post.

use crate::features::members::Role;
use crate::features::moderation::audit_log::{Actor, AuditAction, AuditRecord, AuditWriter};
use crate::features::moderation::members::{MemberRecord, load_records};
use crate::features::moderation::notices;
use crate::features::moderation::staff::{
    Moderator, actor_rank, done_above, ensure_role, insufficient_role, yourself,
};
use crate::features::posts;
use crate::http::error::{ApiError, Result};
use crate::http::extract::Path;
use crate::http::openapi::documented_errors;
use crate::platform::Platform;
use crate::platform::clock::{Millis, rfc3339};
use crate::platform::ids::Id;
use crate::platform::rate_limit::MemberAction;
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use kith_db::Tx;
use serde::Serialize;
use utoipa::ToSchema;

/// Posts in a list.
const MAX_LISTED: usize = 100;

/// A removed post that can be restored.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RemovedPost {
    /// Id of the post.
    pub id: Id,
    /// Author of the post.
    pub author: MemberRecord,
    /// Text of the post, with one line per poll option and image description.
    #[schema(max_length = 56_000, example = "Hello, humans.")]
    pub content: String,
    /// URLs of its images.
    #[schema(max_items = 4, example = json!([]))]
    pub image_urls: Vec<String>,
    /// Time of the removal.
    pub removed_at: String,
    /// Time until which the post can be restored.
    #[schema(
        format = "date-time",
        min_length = 24,
        max_length = 24,
        example = "2026-12-28T09:30:00.000Z"
    )]
    pub restorable_until: String,
}

documented_errors!(RestorePostErrors: removal_not_found(), yourself(), insufficient_role(), done_above());

pub(super) fn removal_not_found() -> ApiError {
    ApiError::not_found("removal_not_found", "This post can't be restored any more.")
}

/// Lists removed posts that can be restored, most recently removed first, at most 100. Requires the moderator or admin
/// role; other members get 404.
#[utoipa::path(get, path = "/api/admin/removed-posts", operation_id = "listRemovedPosts", tag = "moderation", extensions(("x-max-items" = json!(100))),
    responses((status = 200, body = [RemovedPost])))]
pub async fn list_removed_posts(
    State(state): State<Platform>,
    _moderator: Moderator,
) -> Result<Json<Vec<RemovedPost>>> {
    let db = state.db.reader();
    let removed = posts::list_removed(&db, state.now(), MAX_LISTED).await?;
    let authors = removed.iter().map(|post| post.author.0).collect::<Vec<_>>();
    let authors = load_records(&db, &authors).await?;
    let show = |removed: posts::RemovedPost| {
        let (content, image_urls) = removed.snapshot;
        Some(RemovedPost {
            id: removed.post,
            author: authors.get(&removed.author.0).cloned()?,
            content,
            image_urls,
            removed_at: rfc3339(removed.removed_at),
            restorable_until: rfc3339(removed.removed_at + posts::RESTORABLE),
        })
    };
    Ok(Json(removed.into_iter().filter_map(show).collect()))
}

/// Restores a post that was removed in the last 30 days, with its likes, reposts, replies and votes. Requires the
/// moderator or admin role; other members get 404.
#[utoipa::path(delete, path = "/api/admin/posts/{id}/removal", operation_id = "restorePost", tag = "moderation",
    params(("id" = Id, Path)), responses((status = 204, description = "Post restored"), RestorePostErrors))]
pub async fn restore_post(
    State(state): State<Platform>,
    Moderator(me): Moderator,
    Path(id): Path<Id>,
) -> Result<StatusCode> {
    state.rate_limiter.check_member(MemberAction::Moderate, me)?;
    let restore =
        RestorePost { actor: Actor::Member(me), post: id, note: String::new(), now: state.now() };
    state.db.write(restore).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Transaction that restores a removed post and writes an audit row.
#[derive(Debug)]
pub struct RestorePost {
    /// Moderator, admin or operator.
    pub actor: Actor,
    /// Id of the post.
    pub post: Id,
    /// Cleaned note.
    pub note: String,
    /// Current time.
    pub now: Millis,
}

impl kith_db::Write for RestorePost {
    type Out = ();
    type Err = ApiError;

    async fn run(&self, tx: &mut Tx) -> Result<()> {
        let log = AuditWriter::lock(tx).await?;
        ensure_role(tx, self.actor, Role::Moderator).await?;
        let author = restore(tx, self.actor, self.post, self.now).await?;
        let record = AuditRecord {
            post: Some(self.post.0),
            member: Some(author.0),
            note: self.note.clone(),
            ..AuditRecord::new(self.now, self.actor, AuditAction::RestorePost)
        };
        Ok(log.append(tx, &record).await?)
    }
}

/// Restores a removed post, and returns its author. Fails unless the actor outranks the author and the actor that removed it.
pub(super) async fn restore(tx: &mut Tx, actor: Actor, post: Id, now: Millis) -> Result<Id> {
    let found = posts::find_removed(tx, post, now).await?;
    let (author, removed_by) = found.ok_or_else(removal_not_found)?;
    let (_, rank) = actor_rank(tx, actor, author).await?;
    if (rank as i64) < removed_by {
        return Err(done_above());
    }
    if !posts::restore_post(tx, post, now).await? {
        return Err(removal_not_found());
    }
    notices::mark_restored(tx, author, post, now).await?;
    Ok(author)
}
