//! Reposts: a post that points at another, one per member and original.

use crate::features::notifications::{self, Kind};
use crate::features::posts::PostsState;
use crate::features::posts::dto::Post;
use crate::features::posts::idempotency::Request;
use crate::features::posts::respond::{WriteOutcome, respond_with_post};
use crate::features::posts::{score, unknown};
use crate::features::sessions::extract::AuthenticatedMember;
use crate::features::{members, relationships};
use crate::http::error::{ApiError, Result};
use crate::http::extract::Path;
use crate::platform::ids::Id;
use crate::platform::rate_limit::Act;
use axum::extract::State;
use axum::response::Response;
use futures_util::{join, try_join};
use kith_db::{Sql, Tx, params, sql};
use std::sync::Arc;

const NAMED: Sql = sql!(
    "select author_id, reply_to_author_id, repost_of_id from posts where id = $1 and deleted_at is null"
);
/// Answers the repost there is, and holds it: an undo at the same time comes before or after.
const CLAIM: Sql = sql!(
    "insert into reposts (post_id, member_id, repost_id) values ($1, $2, $3)
     on conflict (post_id, member_id) do update set repost_id = reposts.repost_id returning repost_id"
);
const INSERT: Sql = sql!(
    "insert into posts (id, author_id, content, repost_of_id, like_count, repost_count, reply_count)
     values ($1, $2, $3, $4, 0, 0, 0)"
);
const INSERT_SKELETON: Sql = sql!(
    "insert into author_posts (author_id, id, kind, media, repost_of_id) values ($1, $2, 2, 0, $3)"
);
const COUNT: Sql =
    sql!("update posts set repost_count = repost_count + $2 where id = $1 and deleted_at is null");
const RELEASE: Sql =
    sql!("delete from reposts where post_id = $1 and member_id = $2 returning repost_id");
const DELETE: Sql = sql!("delete from posts where id = $1");
const DELETE_SKELETON: Sql = sql!("delete from author_posts where author_id = $1 and id = $2");

/// Reposts; the same post again answers the first repost.
pub(super) struct Repost {
    pub(super) id: Id,
    pub(super) author: Id,
    pub(super) original: Id,
    pub(super) content: String,
    pub(super) request: Request,
}

/// The post that is meant by one that was named: a repost stands for its original.
#[derive(Debug, Clone, Copy)]
pub(super) struct Meant {
    pub(super) post: Id,
    /// Who wrote what was named, and who wrote what is meant.
    pub(super) by: [Id; 2],
    /// Whom it answers.
    pub(super) answers: Option<Id>,
}

impl Meant {
    /// Who wrote it.
    pub(super) fn author(&self) -> Id {
        self.by[1]
    }
}

/// The post that is meant.
pub(super) async fn meant(tx: &Tx, post: Id) -> Result<Meant> {
    let (author, answers, pointed_at) = named(tx, post).await?;
    let Some(original) = pointed_at else {
        let by = [author; 2];
        return Ok(Meant { post, by, answers });
    };
    let by = author;
    let (author, answers, _) = named(tx, original).await?;
    Ok(Meant {
        post: original,
        by: [by, author],
        answers,
    })
}

/// Who wrote a post, whom it answers, and what it reposts.
async fn named(tx: &Tx, post: Id) -> Result<(Id, Option<Id>, Option<Id>)> {
    let read = |row: &kith_db::Row<'_>| {
        let [answers, pointed_at] = [row.opt_int(1)?, row.opt_int(2)?];
        Ok((Id(row.int(0)?), answers.map(Id), pointed_at.map(Id)))
    };
    let found = tx.opt(&NAMED, params![post.0], read).await?;
    found.ok_or_else(unknown)
}

/// The post that is meant, and its author, for a deed of this member: not one by somebody who is
/// suspended, nor while a block is between the two; nor through such a member's repost.
pub(super) async fn open(tx: &Tx, post: Id, member: Id) -> Result<(Id, Id)> {
    let meant = meant(tx, post).await?;
    check_open(tx, meant.by, member).await?;
    Ok((meant.post, meant.author()))
}

/// Refuses a deed of this member's to what these two wrote: what was named, and what is meant.
pub(super) async fn check_open(tx: &Tx, [by, author]: [Id; 2], member: Id) -> Result<()> {
    let check = |whom: Id, is_needed: bool| {
        Box::pin(async move {
            if !is_needed || whom == member {
                return Ok(());
            }
            let is_here = async {
                if members::is_active_in(tx, whom).await? {
                    Ok(())
                } else {
                    Err(unknown())
                }
            };
            try_join!(is_here, relationships::ensure_not_blocked(tx, member, whom)).map(drop)
        })
    };
    try_join!(check(by, true), check(author, author != by)).map(drop)
}

/// The same for taking a deed back: what this member does not see is not there.
pub(super) async fn seen(tx: &Tx, post: Id, member: Id) -> Result<(Id, Id)> {
    let is_blocked = [relationships::you_blocked(), relationships::blocks_you()];
    let open = open(tx, post, member).await;
    open.map_err(|error| {
        if is_blocked.contains(&error) {
            unknown()
        } else {
            error
        }
    })
}

impl kith_db::Write for Repost {
    type Out = WriteOutcome;
    type Err = ApiError;

    fn contention_key(&self) -> Option<i64> {
        Some(self.original.0)
    }

    async fn run(&self, tx: &mut Tx) -> Result<WriteOutcome> {
        let tx = &*tx;
        let first = self.request.first_answer(tx, self.id);
        let (here, first) = join!(members::ensure_active(tx, self.author), first);
        here?;
        if let Some(first) = first? {
            return Ok(WriteOutcome::reload(first));
        }
        let (post, author) = open(tx, self.original, self.author).await?;
        let mine = params![post.0, self.author.0, self.id.0];
        let claimed = tx.one(&CLAIM, mine, |row| Ok(Id(row.int(0)?))).await?;
        if claimed != self.id {
            self.request.answers(tx, claimed).await?;
            return Ok(WriteOutcome::reload(claimed));
        }
        let repost = params![self.id.0, self.author.0, &self.content, post.0];
        let entry = params![self.author.0, self.id.0, post.0];
        let count = async {
            match tx.exec(&COUNT, params![post.0, 1]).await? {
                // It may have been deleted since it was read.
                0 => Err(unknown()),
                _ => Ok(()),
            }
        };
        let told = notifications::notify(tx, self.id, Kind::Repost, author, self.author, post);
        try_join!(
            async { Ok(tx.exec(&INSERT, repost).await?) },
            async { Ok(tx.exec(&INSERT_SKELETON, entry).await?) },
            count,
            async { Ok(score::joined(tx, post, self.author).await?) },
            async { Ok(told.await?) },
            // Once more: it may have waited for the post, and nobody looks again for what a member left.
            members::ensure_active(tx, self.author),
        )?;
        Ok(WriteOutcome::reload(self.id))
    }
}

/// Takes a repost back; `id` is the original or the repost. Answers the original.
#[utoipa::path(delete, path = "/api/posts/{id}/repost", operation_id = "undoRepost", tag = "posts", params(("id" = Id, Path)),
    responses((status = 200, body = Post)))]
pub async fn undo_repost(
    State(app): State<Arc<PostsState>>,
    auth: AuthenticatedMember,
    Path(id): Path<Id>,
) -> Result<Response> {
    app.limits.act(Act::React, auth.member)?;
    let post = app
        .db
        .write(Undo {
            member: auth.member,
            post: id,
            may_be_unseen: false,
        })
        .await?;
    respond_with_post(&app, auth.member, WriteOutcome::reload(post)).await
}

const POINTS_AT: Sql = sql!("select repost_of_id from posts where id = $1");

/// Takes back the repost that `undo` names by its own id, also of what was deleted since.
pub(super) async fn forget(tx: &mut Tx, undo: &Undo) -> Result<()> {
    let repost = params![undo.post.0];
    let pointed = tx.opt(&POINTS_AT, repost, |row| row.opt_int(0)).await?;
    if let Some(original) = pointed.flatten() {
        undo.release(tx, Id(original)).await?;
    }
    Ok(())
}

/// Takes a repost back.
pub(super) struct Undo {
    pub(super) member: Id,
    pub(super) post: Id,
    /// Whether the original may be one that this member does not see.
    pub(super) may_be_unseen: bool,
}

impl kith_db::Write for Undo {
    type Out = Id;
    type Err = ApiError;

    fn contention_key(&self) -> Option<i64> {
        Some(self.post.0)
    }

    async fn run(&self, tx: &mut Tx) -> Result<Id> {
        let post = if self.may_be_unseen {
            meant(tx, self.post).await?.post
        } else {
            seen(tx, self.post, self.member).await?.0
        };
        self.release(tx, post).await?;
        Ok(post)
    }
}

impl Undo {
    async fn release(&self, tx: &mut Tx, post: Id) -> Result<()> {
        let released = tx
            .opt(&RELEASE, params![post.0, self.member.0], |row| row.int(0))
            .await?;
        if let Some(repost) = released {
            tx.exec(&DELETE_SKELETON, params![self.member.0, repost])
                .await?;
            tx.exec(&DELETE, params![repost]).await?;
            tx.exec(&COUNT, params![post.0, -1]).await?;
            score::left(tx, post, self.member).await?;
        }
        Ok(())
    }
}
