//! Removes a post by decision of a moderator or an operator.

use crate::features::members::Role;
use crate::features::moderation::audit_log::{Actor, AuditAction, Deed, Log};
use crate::features::moderation::decide::Decision;
use crate::features::moderation::sanctions::DeedNote;
use crate::features::moderation::staff::{Moderator, confirm, outranked, rank, yourself};
use crate::features::moderation::{clean_note, long_note, pinned_images};
use crate::features::posts;
use crate::http::error::{ApiError, Result};
use crate::http::extract::{Body, Path};
use crate::http::openapi::refusals;
use crate::platform::Platform;
use crate::platform::clock::Millis;
use crate::platform::ids::Id;
use crate::platform::rate_limit::Act;
use axum::extract::State;
use axum::http::StatusCode;
use kith_db::{Sql, Tx, params, sql};

const CLOSE_OPEN: Sql = sql!(
    "update report_cases set closed_id = $2, closed_by = $3, decision = $4, note = $5
     where target_id = $1 and closed_id is null
     returning held_images"
);

refusals!(NotRemoved: yourself(), outranked(), long_note());

/// Removes a post, as if its author had deleted it, and closes its reports; of a repost, the original.
/// The author is not told. For moderators; for others there is no such call.
#[utoipa::path(put, path = "/api/admin/posts/{id}/removal", operation_id = "removePost", tag = "moderation",
    params(("id" = Id, Path)), request_body = DeedNote,
    responses((status = 204, description = "Removed"), NotRemoved))]
pub async fn remove_post(
    State(app): State<Platform>,
    Moderator(me): Moderator,
    Path(id): Path<Id>,
    Body(body): Body<DeedNote>,
) -> Result<StatusCode> {
    app.limits.act(Act::Decide, me)?;
    let removal = Removal {
        actor: Actor::Member(me),
        post: id,
        note: clean_note(body.note.as_deref())?,
        closed: app.id(),
        now: app.now(),
    };
    app.db.write(removal).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Removes a post that need not have been reported and closes its reports, with its row in the audit log.
#[derive(Debug)]
pub struct Removal {
    /// Who removes it.
    pub actor: Actor,
    /// Which; a repost stands for its original.
    pub post: Id,
    /// Why; cleaned.
    pub note: String,
    /// Holds the time at which its reports are closed.
    pub closed: Id,
    /// The time now.
    pub now: Millis,
}

impl kith_db::Write for Removal {
    type Out = ();
    type Err = ApiError;

    async fn run(&self, tx: &mut Tx) -> Result<()> {
        let log = Log::hold(tx).await?;
        confirm(tx, self.actor, Role::Moderator).await?;
        let (post, author) = posts::living(tx, self.post).await?;
        rank(tx, self.actor, author).await?;
        let bound = params![
            post.0,
            self.closed.0,
            self.actor.member(),
            Decision::Remove as i64,
            &self.note,
        ];
        let closed = tx.opt(&CLOSE_OPEN, bound, |row| row.opt_text(0)).await?;
        if !posts::remove(tx, post, author, self.now).await? {
            return Err(posts::unknown());
        }
        pinned_images::let_go(tx, closed.flatten().as_deref(), self.now).await?;
        let deed = Deed {
            post: Some(post.0),
            member: Some(author.0),
            note: self.note.clone(),
            ..Deed::new(self.now, self.actor, AuditAction::RemovePost)
        };
        Ok(log.write(tx, &deed).await?)
    }
}
