//! Deletes a post, by its author or a moderator. A tombstone stays in the thread while the post has replies.

use crate::features::media::{self, Image};
use crate::features::posts::PostsState;
use crate::features::posts::store::{load_row_in, parse_list};
use crate::features::posts::{delete_poll::delete_poll, post_not_found, removed, reposts, score};
use crate::features::sessions::extract::AuthenticatedMember;
use crate::features::{members, notifications, tags};
use crate::http::error::{ApiError, Result};
use crate::http::extract::Path;
use crate::http::openapi::documented_errors;
use crate::platform::clock::Millis;
use crate::platform::ids::Id;
use crate::platform::rate_limit::MemberAction;
use axum::extract::State;
use axum::http::StatusCode;
use kith_db::{Row, Sql, Tx, params, sql};
use kith_text::{Hashtag, Mention};
use std::sync::Arc;

const FIND: Sql = sql!("select author_id, repost_of_id from posts where id = $1");
/// Clears the content and locks the row: a concurrent reply is either counted before this or fails after it.
const MARK_DELETED: Sql = sql!(
    "update posts set deleted_at = $2, content = '', rank = null,
       poll_options = null, poll_expires_at = null
     where id = $1 and deleted_at is null
     returning reply_to_id, reply_to_author_id, reply_count, mentions, hashtags, images"
);
const CLEAR_ENTITIES: Sql =
    sql!("update posts set mentions = null, hashtags = null, images = null where id = $1");
const DELETE_AUTHOR_POST: Sql = sql!("delete from author_posts where author_id = $1 and id = $2");
const MARK_REPLY_DELETED: Sql =
    sql!("update replies set deleted_at = $3 where post_id = $1 and id = $2");
const DELETE_REPLY: Sql = sql!("delete from replies where post_id = $1 and id = $2");
const COUNT_REPLY: Sql = sql!(
    "update posts set reply_count = reply_count - 1 where id = $1
     returning reply_count, reply_to_id, deleted_at"
);

documented_errors!(NotDeleted: not_yours());

fn not_yours() -> ApiError {
    ApiError::forbidden("not_yours", "Only its author can delete a post.")
}

/// Deletes a post or reply of the authenticated member, or undoes a repost. Replies to it remain, below a
/// tombstone.
#[utoipa::path(delete, path = "/api/posts/{id}", operation_id = "deletePost", tag = "posts", params(("id" = Id, Path)),
    responses((status = 204, description = "Post deleted"), NotDeleted))]
pub async fn delete_post(
    State(state): State<Arc<PostsState>>,
    auth: AuthenticatedMember,
    Path(id): Path<Id>,
) -> Result<StatusCode> {
    state.rate_limiter.check_member(MemberAction::React, auth.member)?;
    let delete = DeletePost { member: auth.member, post: id, now: state.now() };
    notifications::delete_for_post_in_steps(&state.db, id, auth.member).await?;
    state.db.write(delete).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Removal of a post by a moderator or the operator.
#[derive(Debug, Clone, Copy)]
pub struct Removal {
    /// Post or reply.
    pub post: Id,
    /// Its author, from [`resolve_post`](crate::features::posts::resolve_post).
    pub author: Id,
    /// New id, whose timestamp is the time of the removal.
    pub id: Id,
    /// Stored number of the actor's rank.
    pub actor_rank: i64,
    /// Current time.
    pub now: Millis,
}

/// Removes a post like a deletion by its author, except that it can be restored for 30 days. Returns whether it still
/// existed. The caller checks the permission.
pub async fn remove_post(tx: &mut Tx, removal: Removal) -> Result<bool> {
    let Removal { post, author, id, actor_rank, now } = removal;
    let delete = DeletePost { member: author, post, now };
    let stored = load_row_in(tx, post.0).await?;
    let Some(stored) = stored.filter(|row| !row.is_deleted) else {
        return Ok(false);
    };
    let Some(deleted) = delete.mark_deleted(tx).await? else {
        return Ok(false);
    };
    removed::store(tx, &stored, id, actor_rank).await?;
    delete.remove_from_lists(tx, &deleted).await?;
    Ok(true)
}

/// Deletes a member's own post.
pub(super) struct DeletePost {
    pub(super) member: Id,
    pub(super) post: Id,
    pub(super) now: Millis,
}

impl kith_db::Write for DeletePost {
    type Out = ();
    type Err = ApiError;

    async fn run(&self, tx: &mut Tx) -> Result<()> {
        let read = |row: &Row<'_>| Ok((Id(row.int(0)?), row.opt_int(1)?.is_some()));
        let found = tx.opt(&FIND, params![self.post.0], read).await?;
        let (author, is_repost) = found.ok_or_else(post_not_found)?;
        if author != self.member {
            // For deleted and hidden posts and reposts of them, other members get "not found".
            reposts::resolve_visible(tx, self.post, self.member).await?;
            return Err(not_yours());
        }
        if is_repost {
            let undo =
                reposts::UndoRepost { member: self.member, post: self.post, may_be_hidden: true };
            return undo.run(tx).await.map(drop);
        }
        if let Some(deleted) = self.mark_deleted(tx).await? {
            delete_poll(tx, self.post.0).await?;
            self.remove_from_lists(tx, &deleted).await?;
        } else {
            // A removed post can no longer be restored once its author has deleted it.
            removed::delete_content(tx, self.post, self.now).await?;
        }
        Ok(())
    }
}

/// References of a deleted post that must be cleaned up.
struct DeletedPost {
    parent: Option<(Id, Id)>,
    replies: i64,
    mentions: Vec<Mention>,
    hashtags: Vec<Hashtag>,
    images: Vec<Image>,
}

impl DeletePost {
    /// Clears the post and marks it as deleted; votes stay. Returns `None` when it was deleted before or does not exist.
    async fn mark_deleted(&self, tx: &mut Tx) -> Result<Option<DeletedPost>> {
        let read = |row: &Row<'_>| {
            Ok(DeletedPost {
                parent: row.opt_int(0)?.map(Id).zip(row.opt_int(1)?.map(Id)),
                replies: row.int(2)?,
                mentions: parse_list(row.opt_text(3)?.as_deref()),
                hashtags: parse_list(row.opt_text(4)?.as_deref()),
                images: parse_list(row.opt_text(5)?.as_deref()),
            })
        };
        let deleted = tx.opt(&MARK_DELETED, params![self.post.0, self.now], read).await?;
        if deleted.is_some() {
            tx.exec(&CLEAR_ENTITIES, params![self.post.0]).await?;
        }
        Ok(deleted)
    }

    /// Removes the post from all lists and counts.
    async fn remove_from_lists(&self, tx: &mut Tx, deleted: &DeletedPost) -> Result<()> {
        let post = self.post.0;
        tx.exec(&DELETE_AUTHOR_POST, params![self.member.0, post]).await?;
        let tags = deleted.hashtags.iter().map(|hashtag| hashtag.tag.as_str());
        tags::remove_post(tx, self.post, tags).await?;
        let mut images = deleted.images.iter().map(|image| &image.url).collect::<Vec<_>>();
        images.sort_unstable();
        for url in images {
            media::drop_reference(tx, url, self.now + media::AFTER_DELETION).await?;
        }
        let mut recipients = Vec::new();
        if let Some((parent, author)) = deleted.parent {
            self.remove_from_thread(tx, parent, deleted.replies > 0).await?;
            recipients.push(author);
        }
        for mention in &deleted.mentions {
            recipients.extend(members::find_by_username(&tx.reader(), &mention.username).await?);
        }
        notifications::delete_for_post(tx, self.post, self.member, &recipients).await?;
        members::count_post(tx, self.member, -1).await?;
        Ok(())
    }

    async fn remove_from_thread(&self, tx: &mut Tx, parent: Id, has_replies: bool) -> Result<()> {
        if has_replies {
            tx.exec(&MARK_REPLY_DELETED, params![parent.0, self.post.0, self.now]).await?;
        } else {
            tx.exec(&DELETE_REPLY, params![parent.0, self.post.0]).await?;
        }
        let read = |row: &Row<'_>| {
            let is_deleted = row.opt_int(2)?.is_some();
            Ok((row.int(0)?, row.opt_int(1)?, is_deleted))
        };
        let (replies_left, grandparent, is_deleted) =
            tx.one(&COUNT_REPLY, params![parent.0], read).await?;
        score::remove_participant(tx, parent, self.member).await?;
        // A tombstone disappears with its last reply.
        if let (0, Some(grandparent), true) = (replies_left, grandparent, is_deleted) {
            tx.exec(&DELETE_REPLY, params![grandparent, parent.0]).await?;
        }
        Ok(())
    }
}
