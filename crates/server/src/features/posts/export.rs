//! Pages of a member's posts, likes and votes for the data export.

use crate::features::posts::PostsState;
use crate::features::posts::cache::PostSet;
use crate::features::posts::view::Viewer;
use crate::features::relationships::HiddenMembers;
use crate::http::pagination;
use crate::platform::clock::Millis;
use crate::platform::ids::Id;
use kith_db::{Reader, Result, Sql, params, sql};
use serde_json::value::RawValue;

/// Rows per page.
const PAGE_ROWS: usize = 50;

const WRITTEN: Sql =
    sql!("select id from author_posts where author_id = $1 and id < $2 order by id desc limit $3");
const LIKED: Sql = sql!(
    "select post_id, id from member_likes where member_id = $1 and id < $2 order by id desc limit $3"
);
const VOTED: Sql = sql!(
    "select post_id from poll_votes where member_id = $1 and post_id < $2 order by post_id desc limit $3"
);

/// Rows of a page and the cursor of the next one; `None` after the last.
pub(super) type Rows<T> = (Vec<T>, Option<i64>);

fn next_cursor(ids: &[i64]) -> Option<i64> {
    pagination::next_cursor(ids, PAGE_ROWS, |id| *id)
}

/// Serialises posts as the member sees them, ignoring a suspension of the member. `None` for invisible ones.
async fn load_posts(
    state: &PostsState,
    db: &Reader<'_>,
    member: Id,
    ids: &[i64],
) -> Result<Vec<Option<Box<RawValue>>>> {
    let hidden = HiddenMembers::load(db, member).await?.sparing(member);
    let mut posts = PostSet::sparing(Some(member));
    posts.load_more(state, db, member, ids).await?;
    let viewer = Viewer { id: member, hidden: &hidden, posts: &posts };
    Ok(ids.iter().map(|id| viewer.to_raw_json(*id)).collect())
}

/// Exports a member's posts, replies and reposts below a cursor, newest first.
pub async fn export_posts(
    state: &PostsState,
    db: &Reader<'_>,
    member: Id,
    before: i64,
) -> Result<Rows<Box<RawValue>>> {
    let bound = params![member.0, before, PAGE_ROWS];
    let ids = db.all(&WRITTEN, bound, |row| row.int(0)).await?;
    let posts = load_posts(state, db, member, &ids).await?;
    Ok((posts.into_iter().flatten().collect(), next_cursor(&ids)))
}

/// Exports a member's likes below a cursor, newest first: the post id, the time of the like, and the post if it
/// is visible.
pub async fn export_likes(
    state: &PostsState,
    db: &Reader<'_>,
    member: Id,
    before: i64,
) -> Result<Rows<(Id, Millis, Option<Box<RawValue>>)>> {
    let bound = params![member.0, before, PAGE_ROWS];
    let rows = db.all(&LIKED, bound, |row| Ok((row.int(0)?, row.int(1)?)));
    let (ids, cursors): (Vec<_>, Vec<_>) = rows.await?.into_iter().unzip();
    let posts = load_posts(state, db, member, &ids).await?;
    let rows = ids.iter().zip(&cursors).zip(posts);
    let rows = rows.map(|((id, cursor), post)| (Id(*id), Id(*cursor).time(), post));
    Ok((rows.collect(), next_cursor(&cursors)))
}

/// Exports the posts with polls that a member voted in, below a cursor, newest first. Each contains the vote.
pub async fn export_votes(
    state: &PostsState,
    db: &Reader<'_>,
    member: Id,
    before: i64,
) -> Result<Rows<Box<RawValue>>> {
    let bound = params![member.0, before, PAGE_ROWS];
    let ids = db.all(&VOTED, bound, |row| row.int(0)).await?;
    let posts = load_posts(state, db, member, &ids).await?;
    Ok((posts.into_iter().flatten().collect(), next_cursor(&ids)))
}
