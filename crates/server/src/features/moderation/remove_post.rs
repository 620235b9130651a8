//! PUT /api/admin/posts/{id}/removal: removes a post by decision of a moderator or the operator.

use crate::features::members::Role;
use crate::features::moderation::audit_log::{Actor, AuditAction, AuditRecord, AuditWriter};
use crate::features::moderation::decide::Decision;
use crate::features::moderation::notices::{
    NewNotice, NoticeKind, NoticeText, long_message, long_rule,
};
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
use serde::Deserialize;
use utoipa::ToSchema;

const CLOSE_OPEN: Sql = sql!(
    "update report_cases set closed_id = $2, closed_by = $3, decision = $4, note = $5
     where target_id = $1 and closed_id is null
     returning held_images"
);

documented_errors!(RemovePostErrors: yourself(), insufficient_role(), long_note(), long_rule(), long_message());

/// Removal of a post.
#[derive(Debug, Deserialize, ToSchema)]
pub struct NewRemoval {
    /// Note for the audit log.
    #[schema(max_length = 1000, example = "Asked twice to stop")]
    pub note: Option<String>,
    /// Rule that was broken, for the notice to the author.
    #[schema(max_length = 300, example = "Be kind.")]
    pub rule: Option<String>,
    /// Message to the author, which the notice contains.
    #[schema(max_length = 1000, example = "Please don't insult others.")]
    pub message: Option<String>,
}

/// Removes a post as if its author had deleted it, and closes its reports; for a repost, removes the
/// original. The author gets a notice. The post can be restored for 30 days. Requires the moderator or admin role; other members get 404.
#[utoipa::path(put, path = "/api/admin/posts/{id}/removal", operation_id = "removePost", tag = "moderation",
    params(("id" = Id, Path)), request_body = NewRemoval,
    responses((status = 204, description = "Post removed"), RemovePostErrors))]
pub async fn remove_post(
    State(state): State<Platform>,
    Moderator(me): Moderator,
    Path(id): Path<Id>,
    Body(body): Body<NewRemoval>,
) -> Result<StatusCode> {
    state.rate_limiter.check_member(MemberAction::Moderate, me)?;
    let removal = RemovePost {
        actor: Actor::Member(me),
        post: id,
        note: clean_note(body.note.as_deref())?,
        notice_text: NoticeText::clean(body.rule.as_deref(), body.message.as_deref())?,
        closed: state.id(),
        now: state.now(),
    };
    state.db.write(removal).await?;
    state.mail.notify_one();
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
    /// Rule and message of the notice to the author.
    pub notice_text: NoticeText,
    /// New id, whose timestamp is the time of closing the reports; also of the notice.
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
        let (_, rank) = actor_rank(tx, self.actor, author).await?;
        let parameters = params![
            post.0,
            self.closed.0,
            self.actor.member(),
            Decision::Remove as i64,
            &self.note,
        ];
        let closed = tx.opt(&CLOSE_OPEN, parameters, |row| row.opt_text(0)).await?;
        let removal = posts::Removal {
            post,
            author,
            id: self.closed,
            actor_rank: rank as i64,
            now: self.now,
        };
        if !posts::remove_post(tx, removal).await? {
            return Err(posts::post_not_found());
        }
        let notice = NewNotice {
            id: self.closed,
            member: author,
            kind: NoticeKind::PostRemoved,
            actor: self.actor,
            rank,
            post: Some(post),
            text: &self.notice_text,
            ends_at: None,
            now: self.now,
        };
        notice.create(tx).await?;
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
