//! Everything that one member wrote and did, a page at a time, for a copy of it.

use crate::clock::Millis;
use crate::ids::Id;
use crate::posts::hydrate;
use crate::posts::shape::Post;
use crate::safety::Unseen;
use kith_db::{Reader, Result, Sql, params, sql};
use std::collections::HashMap;

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

/// A member's posts, replies and reposts below a place, newest first.
pub async fn written_by(db: &Reader<'_>, member: Id, before: i64) -> Result<Rows<Post>> {
    let bound = params![member.0, before, PAGE];
    let ids = db.all(&WRITTEN, bound, |row| row.int(0)).await?;
    let unseen = Unseen::of(db, member).await?.but_for(member);
    Ok((hydrate::list(db, member, &unseen, &ids).await?, next(&ids)))
}

/// What a member liked below a place, newest first: the post, when it was liked, and the post
/// itself while it is there.
pub async fn liked(
    db: &Reader<'_>,
    member: Id,
    before: i64,
) -> Result<Rows<(Id, Millis, Option<Post>)>> {
    let bound = params![member.0, before, PAGE];
    let rows = db.all(&LIKED, bound, |row| Ok((row.int(0)?, row.int(1)?)));
    let rows = rows.await?;
    let posts = rows.iter().map(|(post, _)| *post).collect::<Vec<_>>();
    let unseen = Unseen::of(db, member).await?.but_for(member);
    let posts = hydrate::list(db, member, &unseen, &posts).await?;
    let posts = posts.into_iter();
    let mut posts = posts
        .map(|post| (post.id.0, post))
        .collect::<HashMap<_, _>>();
    let places = rows.iter().map(|(_, place)| *place).collect::<Vec<_>>();
    let rows = rows
        .into_iter()
        .map(|(post, place)| (Id(post), Id(place).time(), posts.remove(&post)));
    Ok((rows.collect(), next(&places)))
}

/// The polls in which a member voted, below a place; each post says the vote.
pub async fn voted(db: &Reader<'_>, member: Id, before: i64) -> Result<Rows<Post>> {
    let bound = params![member.0, before, PAGE];
    let ids = db.all(&VOTED, bound, |row| row.int(0)).await?;
    let unseen = Unseen::of(db, member).await?.but_for(member);
    Ok((hydrate::list(db, member, &unseen, &ids).await?, next(&ids)))
}
