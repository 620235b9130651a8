//! PUT /api/admin/posts/{id}/removal: removes a post by decision of a moderator or the operator.

use crate::features::members::Role;
use crate::features::moderation::audit_log::{Actor, AuditAction, AuditRecord, AuditWriter};
use crate::features::moderation::decide::Decision;
use crate::features::moderation::sanctions::ModerationNote;
use crate::features::moderation::staff::{
    Moderator, actor_rank, ensure_role, insufficient_role, yourself,
};
use crate::features::moderation::{clean_note, long_note, pinned_images};
use crate::features::posts;
use crate::http::error::{ApiError, Result};
use crate::http::extract::{Body, Path};
use crate::http::openapi::documented_errors;
use crate::platform::Platform;
use crate::platform::clock::Millis;
use crate::platform::ids::Id;
use crate::platform::rate_limit::MemberAction;
use axum::extract::State;
use axum::http::StatusCode;
use kith_db::{Sql, Tx, params, sql};

const CLOSE_OPEN: Sql = sql!(
    "update report_cases set closed_id = $2, closed_by = $3, decision = $4, note = $5
     where target_id = $1 and closed_id is null
     returning held_images"
);

documented_errors!(RemovePostErrors: yourself(), insufficient_role(), long_note());

/// Removes a post as if its author had deleted it, and closes its reports; for a repost, removes the
/// original. The author is not notified. Requires the moderator or admin role; other members get 404.
#[utoipa::path(put, path = "/api/admin/posts/{id}/removal", operation_id = "removePost", tag = "moderation",
    params(("id" = Id, Path)), request_body = ModerationNote,
    responses((status = 204, description = "Post removed"), RemovePostErrors))]
pub async fn remove_post(
    State(state): State<Platform>,
    Moderator(me): Moderator,
    Path(id): Path<Id>,
    Body(body): Body<ModerationNote>,
) -> Result<StatusCode> {
    state.rate_limiter.check_member(MemberAction::Moderate, me)?;
    let removal = RemovePost {
        actor: Actor::Member(me),
        post: id,
        note: clean_note(body.note.as_deref())?,
        closed: state.id(),
        now: state.now(),
    };
    state.db.write(removal).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Transaction that removes a post, reported or not, closes its reports and writes an audit row.
#[derive(Debug)]
pub struct RemovePost {
    /// Moderator or operator.
    pub actor: Actor,
    /// Post id; a repost is resolved to its original.
    pub post: Id,
    /// Cleaned note.
    pub note: String,
    /// New id, whose timestamp is the time of closing the reports.
    pub closed: Id,
    /// Current time.
    pub now: Millis,
}

impl kith_db::Write for RemovePost {
    type Out = ();
    type Err = ApiError;

    async fn run(&self, tx: &mut Tx) -> Result<()> {
        let log = AuditWriter::lock(tx).await?;
        ensure_role(tx, self.actor, Role::Moderator).await?;
        let (post, author) = posts::resolve_post(tx, self.post).await?;
        actor_rank(tx, self.actor, author).await?;
        let parameters = params![
            post.0,
            self.closed.0,
            self.actor.member(),
            Decision::Remove as i64,
            &self.note,
        ];
        let closed = tx.opt(&CLOSE_OPEN, parameters, |row| row.opt_text(0)).await?;
        if !posts::remove_post(tx, post, author, self.now).await? {
            return Err(posts::post_not_found());
        }
        pinned_images::unpin(tx, closed.flatten().as_deref(), self.now).await?;
        let record = AuditRecord {
            post: Some(post.0),
            member: Some(author.0),
            note: self.note.clone(),
            ..AuditRecord::new(self.now, self.actor, AuditAction::RemovePost)
        };
        Ok(log.append(tx, &record).await?)
    }
}
