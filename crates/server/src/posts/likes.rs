//! Likes: a row a member and post, stored from both ends, and a counter that
//! changes only when a row did.

use crate::app::App;
use crate::error::{ApiError, Result};
use crate::extract::Path;
use crate::ids::Id;
use crate::limits::Act;
use crate::notifications::{self, Kind};
use crate::openapi::refusals;
use crate::posts::shape::Post;
use crate::posts::{hydrate, page, ranking, reposts, unknown};
use crate::safety;
use crate::session::Session;
use axum::Json;
use axum::extract::State;
use axum::response::Response;
use kith_db::{Sql, Tx, params, sql};

const INSERT: Sql = sql!(
    "insert into likes (post_id, member_id, id) values ($1, $2, $3)
     on conflict (post_id, member_id) do nothing returning id"
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
pub async fn like(
    State(app): State<App>,
    session: Session,
    Path(id): Path<Id>,
) -> Result<Response> {
    set(&app, session.member, id, true).await?;
    page::alone(&app, session.member, id).await
}

/// Takes a like back. It is the same for a post that was not liked.
#[utoipa::path(delete, path = "/api/posts/{id}/like", operation_id = "unlikePost", tag = "posts", params(("id" = Id, Path)),
    responses((status = 200, body = Post)))]
pub async fn unlike(
    State(app): State<App>,
    session: Session,
    Path(id): Path<Id>,
) -> Result<Json<Post>> {
    set(&app, session.member, id, false).await?;
    // Seldom called, so read straight from the database.
    hydrate::one(&app.db.reader().await?, session.member, id)
        .await?
        .map(Json)
        .ok_or_else(unknown)
}

async fn set(app: &App, member: Id, post: Id, liked: bool) -> Result<()> {
    app.limits.act(Act::React, member)?;
    app.db
        .write(Like {
            id: app.id(),
            member,
            post,
            liked,
        })
        .await
}

struct Like {
    id: Id,
    member: Id,
    post: Id,
    liked: bool,
}

impl kith_db::Write for Like {
    type Out = ();
    type Err = ApiError;

    async fn run(&self, tx: &mut Tx) -> Result<()> {
        let (original, author) = if self.liked {
            reposts::open(tx, self.post, self.member).await?
        } else {
            reposts::seen(tx, self.post, self.member).await?
        };
        let (post, member) = (original.0, self.member.0);
        if self.liked {
            if tx
                .opt(&INSERT, params![post, member, self.id.0], |_| Ok(()))
                .await?
                .is_some()
            {
                tx.exec(&INSERT_MIRROR, params![member, post, self.id.0])
                    .await?;
                count(tx, post, 1).await?;
                ranking::joined(tx, original, self.member).await?;
                notifications::notify(tx, self.id, Kind::Like, author, self.member, original)
                    .await?;
            }
        } else if let Some(like) = tx
            .opt(&DELETE, params![post, member], |row| row.int(0))
            .await?
        {
            tx.exec(&DELETE_MIRROR, params![member, like]).await?;
            count(tx, post, -1).await?;
            ranking::left(tx, original, self.member).await?;
        }
        Ok(())
    }
}

/// Changes the counter, unless the post was deleted since it was read.
async fn count(tx: &mut Tx, post: i64, step: i64) -> Result<()> {
    match tx.exec(&COUNT, params![post, step]).await? {
        0 => Err(unknown()),
        _ => Ok(()),
    }
}
