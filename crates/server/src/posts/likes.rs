//! Likes: a row a member and post, stored from both ends, and a counter that
//! changes only when a row did.

use crate::app::App;
use crate::caller::Caller;
use crate::error::{ApiError, Result};
use crate::extract::Path;
use crate::ids::Id;
use crate::limits::Act;
use crate::notifications::{self, Kind};
use crate::openapi::refusals;
use crate::posts::fresh::Fresh;
use crate::posts::page::{self, Left};
use crate::posts::shape::Post;
use crate::posts::{hydrate, ranking, reposts, unknown};
use crate::safety;
use crate::session::Session;
use axum::Json;
use axum::extract::State;
use axum::response::Response;
use futures_util::try_join;
use kith_db::{Sql, Tx, params, sql};

const INSERT: Sql = sql!(
    "insert into likes (post_id, member_id, id) values ($1, $2, $3)
     on conflict (post_id, member_id) do nothing"
);
const INSERT_MIRROR: Sql =
    sql!("insert into member_likes (member_id, post_id, id) values ($1, $2, $3)");
const DELETE: Sql = sql!("delete from likes where post_id = $1 and member_id = $2 returning id");
const DELETE_MIRROR: Sql = sql!("delete from member_likes where member_id = $1 and id = $2");
const COUNT: Sql =
    sql!("update posts set like_count = like_count + $2 where id = $1 and deleted_at is null");

refusals!(NoLike: safety::you_blocked(), safety::blocks_you());

/// Likes a post. Liking twice is the same as once.
#[utoipa::path(post, path = "/api/posts/{id}/like", operation_id = "likePost", tag = "posts", params(("id" = Id, Path)),
    responses((status = 200, body = Post), NoLike))]
pub async fn like(State(app): State<App>, caller: Caller, Path(id): Path<Id>) -> Result<Response> {
    let member = caller.member;
    app.limits.act(Act::React, member)?;
    let write = Like {
        id: app.id(),
        caller,
        post: id,
    };
    page::left_by(app.db.write(write), &app, member).await
}

/// Takes a like back. It is the same for a post that was not liked.
#[utoipa::path(delete, path = "/api/posts/{id}/like", operation_id = "unlikePost", tag = "posts", params(("id" = Id, Path)),
    responses((status = 200, body = Post)))]
pub async fn unlike(
    State(app): State<App>,
    session: Session,
    Path(id): Path<Id>,
) -> Result<Json<Post>> {
    app.limits.act(Act::React, session.member)?;
    app.db
        .write(Unlike {
            member: session.member,
            post: id,
        })
        .await?;
    // Seldom called, so read straight from the database.
    hydrate::one(&app.db.reader(), session.member, id)
        .await?
        .map(Json)
        .ok_or_else(unknown)
}

struct Like {
    id: Id,
    caller: Caller,
    post: Id,
}

impl kith_db::Write for Like {
    /// What was named; it is known as it is if it was not liked before, and no repost.
    type Out = Left;
    type Err = ApiError;

    fn row(&self) -> Option<i64> {
        Some(self.post.0)
    }

    async fn run(&self, tx: &mut Tx) -> Result<Self::Out> {
        let tx = &*tx;
        let by = self.caller.member;
        let meant = reposts::meant(tx, self.post);
        let ((), meant) = try_join!(self.caller.confirm(tx), meant)?;
        let (original, author) = (meant.post, meant.author());
        let (post, member) = (original.0, by.0);
        let mine = params![post, member, self.id.0];
        let ((), is_new, hears) = try_join!(
            reposts::check_open(tx, meant.by, by),
            async { Ok(tx.exec(&INSERT, mine).await? > 0) },
            async { Ok(notifications::hears(tx, author, by).await?) },
        )?;
        let mut left = Left::again(self.post, author);
        if !is_new {
            return Ok(left);
        }
        let mirror = params![member, post, self.id.0];
        let deed = (self.id, Kind::Like);
        let told = notifications::tell(tx, hears, deed, author, by, original);
        let fresh = async {
            if original == self.post {
                Ok(Fresh::liked(tx, meant, by).await?)
            } else {
                Ok(None)
            }
        };
        (.., left.fresh) = try_join!(
            async { Ok(tx.exec(&INSERT_MIRROR, mirror).await?) },
            count(tx, post, 1),
            async { Ok(ranking::joined(tx, original, by).await?) },
            async { Ok(told.await?) },
            // Once more: it may have waited for the post, and nobody looks again for what a member left.
            self.caller.confirm(tx),
            fresh,
        )?;
        Ok(left)
    }
}

struct Unlike {
    member: Id,
    post: Id,
}

impl kith_db::Write for Unlike {
    type Out = ();
    type Err = ApiError;

    fn row(&self) -> Option<i64> {
        Some(self.post.0)
    }

    async fn run(&self, tx: &mut Tx) -> Result<()> {
        let (original, _) = reposts::seen(tx, self.post, self.member).await?;
        let (post, member) = (original.0, self.member.0);
        let mine = params![post, member];
        if let Some(like) = tx.opt(&DELETE, mine, |row| row.int(0)).await? {
            tx.exec(&DELETE_MIRROR, params![member, like]).await?;
            count(tx, post, -1).await?;
            ranking::left(tx, original, self.member).await?;
        }
        Ok(())
    }
}

/// Changes the counter, unless the post was deleted since it was read.
async fn count(tx: &Tx, post: i64, step: i64) -> Result<()> {
    match tx.exec(&COUNT, params![post, step]).await? {
        0 => Err(unknown()),
        _ => Ok(()),
    }
}
