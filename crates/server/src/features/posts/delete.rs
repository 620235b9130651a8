//! Deleting a post: one's own, or as a moderator anybody's. Its place stays in threads while somebody's answer hangs on it.

use crate::features::media::{self, Image};
use crate::features::posts::PostsState;
use crate::features::posts::store::list_of;
use crate::features::posts::{reposts, score, unknown};
use crate::features::sessions::extract::AuthenticatedMember;
use crate::features::{members, notifications, tags};
use crate::http::error::{ApiError, Result};
use crate::http::extract::Path;
use crate::http::openapi::refusals;
use crate::platform::clock::Millis;
use crate::platform::ids::Id;
use crate::platform::rate_limit::Act;
use axum::extract::State;
use axum::http::StatusCode;
use kith_db::{Row, Sql, Tx, params, sql};
use kith_text::{Hashtag, Mention};
use std::sync::Arc;

const FIND: Sql = sql!("select author_id, repost_of_id from posts where id = $1");
/// Empties the post; what it said is gone. Holds the row: an answer at the same time
/// comes before, and is counted, or after, and is refused.
const ERASE: Sql = sql!(
    "update posts set deleted_at = $2, content = '', rank = null,
       poll_options = null, poll_expires_at = null
     where id = $1 and deleted_at is null
     returning reply_to_id, reply_to_author_id, reply_count, mentions, hashtags, images"
);
const FORGET: Sql =
    sql!("update posts set mentions = null, hashtags = null, images = null where id = $1");
/// Votes that go with their post; a worker deletes those that are more, so that nobody waits for them.
const VOTES: u32 = 20;
const DELETE_VOTES: Sql = sql!(
    "delete from poll_votes where post_id = $1 and member_id in (select member_id from poll_votes
       where post_id = $1 order by member_id limit $2)"
);
const LEAVE_VOTES: Sql = sql!("update posts set has_votes_left = 1 where id = $1");
const WITH_VOTES: Sql =
    sql!("select id from posts where has_votes_left is not null order by id limit 1");
const NO_VOTES: Sql = sql!("update posts set has_votes_left = null where id = $1");
const DELETE_CHOICES: Sql = sql!("delete from poll_choices where post_id = $1");
const DELETE_SKELETON: Sql = sql!("delete from author_posts where author_id = $1 and id = $2");
const MARK_REPLY: Sql = sql!("update replies set deleted_at = $3 where post_id = $1 and id = $2");
const DELETE_REPLY: Sql = sql!("delete from replies where post_id = $1 and id = $2");
const COUNT_REPLY: Sql = sql!(
    "update posts set reply_count = reply_count - 1 where id = $1
     returning reply_count, reply_to_id, deleted_at"
);

refusals!(NotDeleted: not_yours());

fn not_yours() -> ApiError {
    ApiError::forbidden("not_yours", "Only its author can delete a post.")
}

/// Deletes my post or reply; of my repost, takes it back. Replies to it stay, below a tombstone.
#[utoipa::path(delete, path = "/api/posts/{id}", operation_id = "deletePost", tag = "posts", params(("id" = Id, Path)),
    responses((status = 204, description = "Deleted"), NotDeleted))]
pub async fn delete(
    State(app): State<Arc<PostsState>>,
    auth: AuthenticatedMember,
    Path(id): Path<Id>,
) -> Result<StatusCode> {
    app.limits.act(Act::React, auth.member)?;
    let delete = Delete {
        member: auth.member,
        post: id,
        now: app.now(),
    };
    notifications::forget_before(&app.db, id, auth.member).await?;
    app.db.write(delete).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Deletes a post or reply whoever wrote it, the same way as its author would. The caller made sure
/// that they may, of the author that [`reported`](crate::features::posts::reported) names. Answers whether it was
/// still there.
pub async fn remove(tx: &mut Tx, post: Id, author: Id, now: Millis) -> Result<bool> {
    let delete = Delete {
        member: author,
        post,
        now,
    };
    let erased = delete.erase(tx).await?;
    if let Some(erased) = &erased {
        delete.unlist(tx, erased).await?;
    }
    Ok(erased.is_some())
}

/// Deletes some of the votes in polls that are gone, and answers how many.
pub async fn purge_votes(tx: &mut Tx, most: u32) -> kith_db::Result<u64> {
    let Some(post) = tx.opt(&WITH_VOTES, &[], |row| row.int(0)).await? else {
        return Ok(0);
    };
    let count = tx.exec(&DELETE_VOTES, params![post, most]).await?;
    if count < u64::from(most) {
        tx.exec(&NO_VOTES, params![post]).await?;
        // There may be another poll.
        return Ok(u64::from(most));
    }
    Ok(count)
}

/// Deletes a post of its author's.
pub(super) struct Delete {
    pub(super) member: Id,
    pub(super) post: Id,
    pub(super) now: Millis,
}

impl kith_db::Write for Delete {
    type Out = ();
    type Err = ApiError;

    async fn run(&self, tx: &mut Tx) -> Result<()> {
        let read = |row: &Row<'_>| Ok((Id(row.int(0)?), row.opt_int(1)?.is_some()));
        let found = tx.opt(&FIND, params![self.post.0], read).await?;
        let (author, is_repost) = found.ok_or_else(unknown)?;
        if author != self.member {
            // Whoever may not delete it learns nothing of what was deleted, nor of reposts of it.
            reposts::seen(tx, self.post, self.member).await?;
            return Err(not_yours());
        }
        if is_repost {
            let undo = reposts::Undo {
                member: self.member,
                post: self.post,
                may_be_unseen: true,
            };
            return undo.run(tx).await.map(drop);
        }
        if let Some(erased) = self.erase(tx).await? {
            self.unlist(tx, &erased).await?;
        }
        Ok(())
    }
}

/// What a deleted post was tied to.
struct Erased {
    parent: Option<(Id, Id)>,
    replies: i64,
    mentions: Vec<Mention>,
    hashtags: Vec<Hashtag>,
    images: Vec<Image>,
}

impl Delete {
    /// Erases the post, once.
    async fn erase(&self, tx: &mut Tx) -> Result<Option<Erased>> {
        let read = |row: &Row<'_>| {
            Ok(Erased {
                parent: row.opt_int(0)?.map(Id).zip(row.opt_int(1)?.map(Id)),
                replies: row.int(2)?,
                mentions: list_of(row.opt_text(3)?.as_deref()),
                hashtags: list_of(row.opt_text(4)?.as_deref()),
                images: list_of(row.opt_text(5)?.as_deref()),
            })
        };
        let erased = tx.opt(&ERASE, params![self.post.0, self.now], read).await?;
        if erased.is_some() {
            for sql in [&FORGET, &DELETE_CHOICES] {
                tx.exec(sql, params![self.post.0]).await?;
            }
            let bound = params![self.post.0, VOTES];
            if tx.exec(&DELETE_VOTES, bound).await? == u64::from(VOTES) {
                tx.exec(&LEAVE_VOTES, params![self.post.0]).await?;
            }
        }
        Ok(erased)
    }

    /// Takes the post out of every list and count it is in.
    async fn unlist(&self, tx: &mut Tx, erased: &Erased) -> Result<()> {
        let post = self.post.0;
        tx.exec(&DELETE_SKELETON, params![self.member.0, post])
            .await?;
        let tags = erased.hashtags.iter().map(|hashtag| hashtag.tag.as_str());
        tags::remove(tx, self.post, tags).await?;
        let mut images = erased
            .images
            .iter()
            .map(|image| &image.url)
            .collect::<Vec<_>>();
        images.sort_unstable();
        for url in images {
            media::drop_reference(tx, url, self.now + media::AFTER_DELETION).await?;
        }
        let mut told = Vec::new();
        if let Some((parent, author)) = erased.parent {
            self.leave_thread(tx, parent, erased.replies > 0).await?;
            told.push(author);
        }
        for mention in &erased.mentions {
            told.extend(members::find_by_username_in(tx, &mention.username).await?);
        }
        notifications::forget_post(tx, self.post, self.member, &told).await?;
        members::count_post(tx, self.member, -1).await?;
        Ok(())
    }

    async fn leave_thread(&self, tx: &mut Tx, parent: Id, is_answered: bool) -> Result<()> {
        if is_answered {
            tx.exec(&MARK_REPLY, params![parent.0, self.post.0, self.now])
                .await?;
        } else {
            tx.exec(&DELETE_REPLY, params![parent.0, self.post.0])
                .await?;
        }
        let read = |row: &Row<'_>| {
            let gone = row.opt_int(2)?.is_some();
            Ok((row.int(0)?, row.opt_int(1)?, gone))
        };
        let (left, grandparent, gone) = tx.one(&COUNT_REPLY, params![parent.0], read).await?;
        score::left(tx, parent, self.member).await?;
        // A tombstone goes with the last answer to it.
        if let (0, Some(grandparent), true) = (left, grandparent, gone) {
            tx.exec(&DELETE_REPLY, params![grandparent, parent.0])
                .await?;
        }
        Ok(())
    }
}
