//! Everything that one member wrote and did, a page at a time, for a copy of it.

use crate::features::posts::PostsState;
use crate::features::posts::cache::PostSet;
use crate::features::posts::view::Viewer;
use crate::features::relationships::HiddenMembers;
use crate::platform::clock::Millis;
use crate::platform::ids::Id;
use kith_db::{Reader, Result, Sql, params, sql};
use serde_json::value::RawValue;

/// Rows of a page.
const PAGE: u32 = 50;

const WRITTEN: Sql =
    sql!("select id from author_posts where author_id = $1 and id < $2 order by id desc limit $3");
const LIKED: Sql = sql!(
    "select post_id, id from member_likes where member_id = $1 and id < $2 order by id desc limit $3"
);
const VOTED: Sql = sql!(
    "select post_id from poll_votes where member_id = $1 and post_id < $2 order by post_id desc limit $3"
);

/// Rows of a list, and where the next page begins; `None` after the last one.
pub(super) type Rows<T> = (Vec<T>, Option<i64>);

fn next(ids: &[i64]) -> Option<i64> {
    ids.last().copied().filter(|_| ids.len() == PAGE as usize)
}

/// Posts as JSON, as a member sees them and as if that member were not suspended; none for each that is gone.
async fn posts(
    app: &PostsState,
    db: &Reader<'_>,
    member: Id,
    ids: &[i64],
) -> Result<Vec<Option<Box<RawValue>>>> {
    let unseen = HiddenMembers::load(db, member).await?.sparing(member);
    let mut posts = PostSet::sparing(Some(member));
    posts.load_more(app, db, member, ids).await?;
    let viewer = Viewer {
        id: member,
        unseen: &unseen,
        posts: &posts,
    };
    Ok(ids.iter().map(|id| viewer.raw(*id)).collect())
}

/// A member's posts, replies and reposts below a place, newest first.
pub async fn written_by(
    app: &PostsState,
    db: &Reader<'_>,
    member: Id,
    before: i64,
) -> Result<Rows<Box<RawValue>>> {
    let bound = params![member.0, before, PAGE];
    let ids = db.all(&WRITTEN, bound, |row| row.int(0)).await?;
    let posts = posts(app, db, member, &ids).await?;
    Ok((posts.into_iter().flatten().collect(), next(&ids)))
}

/// What a member liked below a place, newest first: the post, when it was liked, and the post
/// itself while it is there.
pub async fn liked(
    app: &PostsState,
    db: &Reader<'_>,
    member: Id,
    before: i64,
) -> Result<Rows<(Id, Millis, Option<Box<RawValue>>)>> {
    let bound = params![member.0, before, PAGE];
    let rows = db.all(&LIKED, bound, |row| Ok((row.int(0)?, row.int(1)?)));
    let (ids, places): (Vec<_>, Vec<_>) = rows.await?.into_iter().unzip();
    let posts = posts(app, db, member, &ids).await?;
    let rows = ids.iter().zip(&places).zip(posts);
    let rows = rows.map(|((id, place), post)| (Id(*id), Id(*place).time(), post));
    Ok((rows.collect(), next(&places)))
}

/// The polls in which a member voted, below a place; each post says the vote.
pub async fn voted(
    app: &PostsState,
    db: &Reader<'_>,
    member: Id,
    before: i64,
) -> Result<Rows<Box<RawValue>>> {
    let bound = params![member.0, before, PAGE];
    let ids = db.all(&VOTED, bound, |row| row.int(0)).await?;
    let posts = posts(app, db, member, &ids).await?;
    Ok((posts.into_iter().flatten().collect(), next(&ids)))
}
