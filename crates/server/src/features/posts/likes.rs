//! Likes: one row per member and post, stored by post and by member, and a counter that changes only when
//! a row does.

use crate::features::notifications::{NewNotification, NotificationKind};
use crate::features::posts::PostsState;
use crate::features::posts::cache::WrittenPost;
use crate::features::posts::cached::Interactions;
use crate::features::posts::dto::Post;
use crate::features::posts::reposts::{self, ResolvedPost};
use crate::features::posts::respond::{WriteOutcome, respond_with_post};
use crate::features::posts::viewer_state;
use crate::features::posts::{post_not_found, score, store};
use crate::features::sessions::extract::AuthenticatedMember;
use crate::features::{members, relationships};
use crate::http::error::{ApiError, Result};
use crate::http::extract::Path;
use crate::http::openapi::documented_errors;
use crate::platform::ids::Id;
use crate::platform::rate_limit::MemberAction;
use axum::extract::State;
use axum::response::Response;
use futures_util::try_join;
use kith_db::{Sql, Tx, params, sql};
use std::sync::Arc;

const INSERT: Sql = sql!(
    "insert into likes (post_id, member_id, id) values ($1, $2, $3)
     on conflict (post_id, member_id) do nothing"
);
const INSERT_MEMBER_LIKE: Sql =
    sql!("insert into member_likes (member_id, post_id, id) values ($1, $2, $3)");
const DELETE: Sql = sql!("delete from likes where post_id = $1 and member_id = $2 returning id");
const DELETE_MEMBER_LIKE: Sql = sql!("delete from member_likes where member_id = $1 and id = $2");
const COUNT: Sql =
    sql!("update posts set like_count = like_count + $2 where id = $1 and deleted_at is null");

documented_errors!(NoLike: relationships::you_blocked(), relationships::blocks_you());

/// Likes a post. Idempotent.
#[utoipa::path(post, path = "/api/posts/{id}/like", operation_id = "likePost", tag = "posts", params(("id" = Id, Path)),
    responses((status = 200, body = Post), NoLike))]
pub async fn like_post(
    State(state): State<Arc<PostsState>>,
    auth: AuthenticatedMember,
    Path(id): Path<Id>,
) -> Result<Response> {
    let member = auth.member;
    state.rate_limiter.check_member(MemberAction::React, member)?;
    let write = LikePost { id: state.id(), member, post: id };
    let outcome = state.db.write(write).await?;
    respond_with_post(&state, member, outcome).await
}

/// Removes a like from a post. Idempotent.
#[utoipa::path(delete, path = "/api/posts/{id}/like", operation_id = "unlikePost", tag = "posts", params(("id" = Id, Path)),
    responses((status = 200, body = Post)))]
pub async fn unlike_post(
    State(state): State<Arc<PostsState>>,
    auth: AuthenticatedMember,
    Path(id): Path<Id>,
) -> Result<Response> {
    state.rate_limiter.check_member(MemberAction::React, auth.member)?;
    state.db.write(UnlikePost { member: auth.member, post: id }).await?;
    respond_with_post(&state, auth.member, WriteOutcome::reload(id)).await
}

struct LikePost {
    id: Id,
    member: Id,
    post: Id,
}

impl kith_db::Write for LikePost {
    type Out = WriteOutcome;
    type Err = ApiError;

    fn contention_key(&self) -> Option<i64> {
        Some(self.post.0)
    }

    async fn run(&self, tx: &mut Tx) -> Result<Self::Out> {
        let tx = &*tx;
        let actor = self.member;
        let target = reposts::resolve_repost(tx, self.post);
        let ((), target) = try_join!(members::ensure_active(tx, actor), target)?;
        let (original, author) = (target.post, target.author());
        let (post, member) = (original.0, actor.0);
        let row = params![post, member, self.id.0];
        let notification = NewNotification {
            id: self.id,
            kind: NotificationKind::Like,
            member: author,
            actor,
            post: original,
            conversation: target.root,
        };
        let ((), is_new, wanted) = try_join!(
            reposts::ensure_can_interact(tx, target.authors, actor),
            async { Ok(tx.exec(&INSERT, row).await? > 0) },
            async { Ok(notification.check_wanted(tx).await?) },
        )?;
        let mut outcome = WriteOutcome::reload(self.post);
        if !is_new {
            return Ok(outcome);
        }
        let member_like = params![member, post, self.id.0];
        let written = async {
            if original == self.post { load_liked_post(tx, target, actor).await } else { Ok(None) }
        };
        (.., outcome.written) = try_join!(
            async { Ok(tx.exec(&INSERT_MEMBER_LIKE, member_like).await?) },
            change_like_count(tx, post, 1),
            async { Ok(score::add_participant(tx, original, actor).await?) },
            async { Ok(notification.insert_if(tx, wanted).await?) },
            // Checked again: the transaction may have waited for the post's row, and account deletion does not
            // look for likes that appear later.
            members::ensure_active(tx, actor),
            written,
        )?;
        Ok(outcome)
    }
}

/// Loads a post that the member just liked. `None` for a post with a poll, whose votes need another query.
async fn load_liked_post(tx: &Tx, target: ResolvedPost, member: Id) -> Result<Option<WrittenPost>> {
    let members = [Some(target.author()), target.reply_to_author];
    let members = members.iter().flatten().map(|id| id.0).collect::<Vec<_>>();
    let (row, members, is_reposted) = try_join!(
        store::load_row_in(tx, target.post.0),
        members::load_refs_in(tx, &members),
        viewer_state::is_reposted(tx, member, target.post),
    )?;
    let row = row.filter(|row| row.options.is_none());
    Ok(row.map(|row| WrittenPost {
        row,
        members,
        interactions: Interactions { is_liked: true, is_reposted, choice: None },
    }))
}

struct UnlikePost {
    member: Id,
    post: Id,
}

impl kith_db::Write for UnlikePost {
    type Out = ();
    type Err = ApiError;

    fn contention_key(&self) -> Option<i64> {
        Some(self.post.0)
    }

    async fn run(&self, tx: &mut Tx) -> Result<()> {
        let original = reposts::resolve_visible(tx, self.post, self.member).await?.post;
        let (post, member) = (original.0, self.member.0);
        if let Some(like) = tx.opt(&DELETE, params![post, member], |row| row.int(0)).await? {
            tx.exec(&DELETE_MEMBER_LIKE, params![member, like]).await?;
            change_like_count(tx, post, -1).await?;
            score::remove_participant(tx, original, self.member).await?;
        }
        Ok(())
    }
}

/// Changes the like counter. Fails when the post was deleted since it was read.
async fn change_like_count(tx: &Tx, post: i64, change: i64) -> Result<()> {
    match tx.exec(&COUNT, params![post, change]).await? {
        0 => Err(post_not_found()),
        _ => Ok(()),
    }
}
