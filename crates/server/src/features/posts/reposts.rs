//! Reposts: posts that refer to an original, at most one per member and original.

use crate::features::notifications::{NewNotification, NotificationKind};
use crate::features::posts::PostsState;
use crate::features::posts::dto::Post;
use crate::features::posts::idempotency::IdempotentRequest;
use crate::features::posts::respond::{WriteOutcome, respond_with_post};
use crate::features::posts::{post_not_found, score};
use crate::features::sessions::extract::AuthenticatedMember;
use crate::features::{members, relationships};
use crate::http::error::{ApiError, Result};
use crate::http::extract::Path;
use crate::platform::ids::Id;
use crate::platform::rate_limit::MemberAction;
use axum::extract::State;
use axum::response::Response;
use futures_util::{join, try_join};
use kith_db::{Sql, Tx, params, sql};
use std::sync::Arc;

const FIND: Sql = sql!(
    "select author_id, reply_to_author_id, repost_of_id, root_id from posts
     where id = $1 and deleted_at is null"
);
/// Returns the existing repost and locks its row, so that a concurrent undo comes before or after.
const CLAIM: Sql = sql!(
    "insert into reposts (post_id, member_id, repost_id) values ($1, $2, $3)
     on conflict (post_id, member_id) do update set repost_id = reposts.repost_id returning repost_id"
);
const INSERT: Sql = sql!(
    "insert into posts (id, author_id, content, repost_of_id, like_count, repost_count, reply_count)
     values ($1, $2, $3, $4, 0, 0, 0)"
);
const INSERT_AUTHOR_POST: Sql = sql!(
    "insert into author_posts (author_id, id, kind, media, repost_of_id) values ($1, $2, 2, 0, $3)"
);
const COUNT: Sql =
    sql!("update posts set repost_count = repost_count + $2 where id = $1 and deleted_at is null");
const RELEASE: Sql =
    sql!("delete from reposts where post_id = $1 and member_id = $2 returning repost_id");
const DELETE: Sql = sql!("delete from posts where id = $1");
const DELETE_AUTHOR_POST: Sql = sql!("delete from author_posts where author_id = $1 and id = $2");

/// Reposts a post; a repeated repost returns the first one.
pub(super) struct CreateRepost {
    pub(super) id: Id,
    pub(super) author: Id,
    pub(super) original: Id,
    pub(super) content: String,
    pub(super) request: IdempotentRequest,
}

/// The target of an interaction: the original if the client named a repost, otherwise the named post.
#[derive(Debug, Clone, Copy)]
pub(super) struct ResolvedPost {
    pub(super) post: Id,
    /// Authors of the requested post and of the resolved post; equal unless the former is a repost.
    pub(super) authors: [Id; 2],
    /// Author of the post that the resolved post replies to.
    pub(super) reply_to_author: Option<Id>,
    /// The post that the conversation started with.
    pub(super) root: Id,
}

impl ResolvedPost {
    /// Author of the resolved post.
    pub(super) fn author(&self) -> Id {
        self.authors[1]
    }
}

/// Resolves a repost to its original, and any other post to itself.
pub(super) async fn resolve_repost(tx: &Tx, post: Id) -> Result<ResolvedPost> {
    let (target, repost_of) = load_target(tx, post).await?;
    let Some(original) = repost_of else {
        return Ok(target);
    };
    let (original, _) = load_target(tx, original).await?;
    Ok(ResolvedPost { authors: [target.author(), original.author()], ..original })
}

/// Loads a post, and the id of the post it reposts.
async fn load_target(tx: &Tx, post: Id) -> Result<(ResolvedPost, Option<Id>)> {
    let read = |row: &kith_db::Row<'_>| {
        let target = ResolvedPost {
            post,
            authors: [Id(row.int(0)?); 2],
            reply_to_author: row.opt_int(1)?.map(Id),
            root: row.opt_int(3)?.map_or(post, Id),
        };
        Ok((target, row.opt_int(2)?.map(Id)))
    };
    let found = tx.opt(&FIND, params![post.0], read).await?;
    found.ok_or_else(post_not_found)
}

/// Resolves a repost and checks that the member may interact with the original.
pub(super) async fn resolve_for_interaction(tx: &Tx, post: Id, member: Id) -> Result<ResolvedPost> {
    let target = resolve_repost(tx, post).await?;
    ensure_can_interact(tx, target.authors, member).await?;
    Ok(target)
}

/// Checks that a member may interact with a post by `author` that was requested through a post by `requested`.
/// Fails when either of them is suspended, or when a block exists between one of them and the member.
pub(super) async fn ensure_can_interact(
    tx: &Tx,
    [requested, author]: [Id; 2],
    member: Id,
) -> Result<()> {
    let check = |author_id: Id, is_needed: bool| {
        Box::pin(async move {
            if !is_needed || author_id == member {
                return Ok(());
            }
            let ensure_active = async {
                if members::is_active_in(tx, author_id).await? {
                    Ok(())
                } else {
                    Err(post_not_found())
                }
            };
            try_join!(ensure_active, relationships::ensure_not_blocked(tx, member, author_id))
                .map(drop)
        })
    };
    try_join!(check(requested, true), check(author, author != requested)).map(drop)
}

/// Resolves a repost to undo an interaction; not found when a block hides it.
pub(super) async fn resolve_visible(tx: &Tx, post: Id, member: Id) -> Result<ResolvedPost> {
    let block_errors = [relationships::you_blocked(), relationships::blocks_you()];
    let resolved = resolve_for_interaction(tx, post, member).await;
    resolved.map_err(|error| if block_errors.contains(&error) { post_not_found() } else { error })
}

impl kith_db::Write for CreateRepost {
    type Out = WriteOutcome;
    type Err = ApiError;

    fn contention_key(&self) -> Option<i64> {
        Some(self.original.0)
    }

    async fn run(&self, tx: &mut Tx) -> Result<WriteOutcome> {
        let tx = &*tx;
        let first = self.request.claim_or_find(tx, self.id);
        let (active, first) = join!(members::ensure_active(tx, self.author), first);
        active?;
        if let Some(first) = first? {
            return Ok(WriteOutcome::reload(first));
        }
        let target = resolve_for_interaction(tx, self.original, self.author).await?;
        let post = target.post;
        let row = params![post.0, self.author.0, self.id.0];
        let claimed = tx.one(&CLAIM, row, |row| Ok(Id(row.int(0)?))).await?;
        if claimed != self.id {
            self.request.replace_result(tx, claimed).await?;
            return Ok(WriteOutcome::reload(claimed));
        }
        let repost = params![self.id.0, self.author.0, &self.content, post.0];
        let entry = params![self.author.0, self.id.0, post.0];
        let count = async {
            match tx.exec(&COUNT, params![post.0, 1]).await? {
                // The post may have been deleted since it was read.
                0 => Err(post_not_found()),
                _ => Ok(()),
            }
        };
        let notification = NewNotification {
            id: self.id,
            kind: NotificationKind::Repost,
            member: target.author(),
            actor: self.author,
            post,
            conversation: target.root,
        };
        try_join!(
            async { Ok(tx.exec(&INSERT, repost).await?) },
            async { Ok(tx.exec(&INSERT_AUTHOR_POST, entry).await?) },
            count,
            async { Ok(score::add_participant(tx, post, self.author).await?) },
            async { Ok(notification.notify(tx).await?) },
            // Checked again: the transaction may have waited for the post's row, and account deletion does not
            // look for reposts that appear later.
            members::ensure_active(tx, self.author),
        )?;
        Ok(WriteOutcome::reload(self.id))
    }
}

/// Undoes a repost and returns the original. `id` is the id of the original or of the repost.
#[utoipa::path(delete, path = "/api/posts/{id}/repost", operation_id = "undoRepost", tag = "posts", params(("id" = Id, Path)),
    responses((status = 200, body = Post)))]
pub async fn undo_repost(
    State(state): State<Arc<PostsState>>,
    auth: AuthenticatedMember,
    Path(id): Path<Id>,
) -> Result<Response> {
    state.rate_limiter.check_member(MemberAction::React, auth.member)?;
    let post =
        state.db.write(UndoRepost { member: auth.member, post: id, may_be_hidden: false }).await?;
    respond_with_post(&state, auth.member, WriteOutcome::reload(post)).await
}

const FIND_ORIGINAL: Sql = sql!("select repost_of_id from posts where id = $1");

/// Deletes a repost by its own id, also when its original is deleted.
pub(super) async fn erase_repost(tx: &mut Tx, repost: Id, member: Id) -> Result<()> {
    let original = tx.opt(&FIND_ORIGINAL, params![repost.0], |row| row.opt_int(0)).await?;
    if let Some(original) = original.flatten() {
        delete_repost(tx, Id(original), member).await?;
    }
    Ok(())
}

/// Undoes a repost by the id of the original or of the repost, and returns the original.
pub(super) struct UndoRepost {
    pub(super) member: Id,
    pub(super) post: Id,
    /// Whether the original may be hidden from the member.
    pub(super) may_be_hidden: bool,
}

impl kith_db::Write for UndoRepost {
    type Out = Id;
    type Err = ApiError;

    fn contention_key(&self) -> Option<i64> {
        Some(self.post.0)
    }

    async fn run(&self, tx: &mut Tx) -> Result<Id> {
        let post = if self.may_be_hidden {
            resolve_repost(tx, self.post).await?.post
        } else {
            resolve_visible(tx, self.post, self.member).await?.post
        };
        delete_repost(tx, post, self.member).await?;
        Ok(post)
    }
}

/// Deletes a member's repost of `original`, if it exists.
async fn delete_repost(tx: &mut Tx, original: Id, member: Id) -> Result<()> {
    let released = tx.opt(&RELEASE, params![original.0, member.0], |row| row.int(0)).await?;
    if let Some(repost) = released {
        tx.exec(&DELETE_AUTHOR_POST, params![member.0, repost]).await?;
        tx.exec(&DELETE, params![repost]).await?;
        tx.exec(&COUNT, params![original.0, -1]).await?;
        score::remove_participant(tx, original, member).await?;
    }
    Ok(())
}
