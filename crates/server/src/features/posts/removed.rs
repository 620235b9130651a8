//! Posts that moderators removed: their contents are kept for 30 days, in which they can be restored.

use crate::features::media::{self, Image};
use crate::features::posts::create::INSERT_AUTHOR_POST;
use crate::features::posts::delete_poll::delete_poll;
use crate::features::posts::report_snapshot::build_snapshot;
use crate::features::posts::score;
use crate::features::posts::store::{PostRow, parse_list};
use crate::features::{members, tags};
use crate::http::error::Result;
use crate::platform::clock::{DAY, Millis};
use crate::platform::ids::Id;
use kith_db::{Reader, Row, Sql, SqlIn, Tx, params, sql, sql_in};
use kith_text::Hashtag;
use std::collections::HashMap;

/// How long a removed post can be restored.
pub const RESTORABLE: Millis = 30 * DAY;
/// Contents per read of all.
const BATCH_SIZE: u32 = 500;

const INSERT: Sql = sql!(
    "insert into removed_posts (post_id, author_id, removed_id, actor_rank, content, mentions, hashtags, images,
       poll_options, poll_expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)"
);
const FIND: Sql =
    sql!("select author_id, actor_rank from removed_posts where post_id = $1 and removed_id >= $2");
const LIST: Sql = sql!(
    "select post_id, author_id, removed_id, content, poll_options, images from removed_posts
     where removed_id >= $1 order by removed_id desc limit $2"
);
static CONTENTS: SqlIn = sql_in!(
    "select post_id, content, poll_options, images from removed_posts where post_id in ($ids)"
);
const CLAIM: Sql = sql!(
    "delete from removed_posts where post_id = $1
     returning author_id, content, mentions, hashtags, images, poll_options, poll_expires_at"
);
const RESTORE: Sql = sql!(
    "update posts set deleted_at = null, content = $2, mentions = $3, hashtags = $4, images = $5, poll_options = $6,
       poll_expires_at = $7
     where id = $1 returning reply_to_id, reply_to_author_id"
);
/// Members can undo what they did to a deleted post, which does not change its counts.
const RECOUNT: Sql = sql!(
    "update posts set
       like_count = (select count(*) from likes where likes.post_id = $1),
       repost_count = (select count(*) from reposts where reposts.post_id = $1),
       reply_count = (select count(*) from replies where replies.post_id = $1 and replies.deleted_at is null),
       people_count = (select count(*) from (
         select likes.member_id from likes where likes.post_id = $1
         union select reposts.member_id from reposts where reposts.post_id = $1
         union select replies.author_id from replies
           where replies.post_id = $1 and replies.deleted_at is null
       ) as people where people.member_id <> posts.author_id)
     where id = $1 returning people_count"
);
const RANK: Sql = sql!("update posts set rank = $2 where id = $1");
const COUNT_REPLY: Sql = sql!(
    "update posts set reply_count = reply_count + 1 where id = $1
     returning author_id, reply_to_id, deleted_at"
);
const SHOW_REPLY: Sql = sql!(
    "insert into replies (post_id, id, author_id) values ($1, $2, $3)
     on conflict (post_id, id) do update set deleted_at = null"
);
const SHOW_TOMBSTONE: Sql = sql!(
    "insert into replies (post_id, id, author_id, deleted_at) values ($1, $2, $3, $4)
     on conflict (post_id, id) do nothing"
);
const EXPIRED: Sql =
    sql!("select post_id from removed_posts where removed_id < $1 order by removed_id limit $2");
const BY_AUTHOR: Sql =
    sql!("select post_id from removed_posts where author_id = $1 order by post_id limit $2");
const DELETE: Sql = sql!("delete from removed_posts where post_id = $1 returning images");
const LIST_IMAGES: Sql =
    sql!("select post_id, images from removed_posts where post_id > $1 order by post_id limit $2");

/// A removed post.
#[derive(Debug)]
pub struct RemovedPost {
    /// Id of the post.
    pub post: Id,
    /// Author of the post.
    pub author: Id,
    /// Time of the removal.
    pub removed_at: Millis,
    /// Text, with one line per poll option and image description, and the image URLs.
    pub snapshot: (String, Vec<String>),
}

/// Stores the contents of a post that is about to be removed, and pins its images.
pub(super) async fn store(
    tx: &mut Tx,
    row: &PostRow,
    removed: Id,
    actor_rank: i64,
) -> kith_db::Result<()> {
    for url in sorted_images(row.images.as_deref()) {
        media::pin(tx, &url).await?;
    }
    let parameters = params![
        row.id,
        row.author,
        removed.0,
        actor_rank,
        &row.content,
        row.mentions.as_deref(),
        row.hashtags.as_deref(),
        row.images.as_deref(),
        row.options.as_deref(),
        row.expires_at,
    ];
    tx.exec(&INSERT, parameters).await.map(drop)
}

/// Returns the author of a post that can be restored, and the stored rank of the actor that removed it.
pub async fn find_removed(tx: &Tx, post: Id, now: Millis) -> kith_db::Result<Option<(Id, i64)>> {
    let parameters = params![post.0, Id::first_at(now - RESTORABLE)];
    tx.opt(&FIND, parameters, |row| Ok((Id(row.int(0)?), row.int(1)?))).await
}

/// Lists at most `limit` posts that can be restored, most recently removed first.
pub async fn list_removed(
    db: &Reader<'_>,
    now: Millis,
    limit: usize,
) -> kith_db::Result<Vec<RemovedPost>> {
    let parameters = params![Id::first_at(now - RESTORABLE), limit];
    let read = |row: &Row<'_>| {
        Ok(RemovedPost {
            post: Id(row.int(0)?),
            author: Id(row.int(1)?),
            removed_at: Id(row.int(2)?).time(),
            snapshot: build_snapshot(row, 3)?,
        })
    };
    db.all(&LIST, parameters, read).await
}

/// Loads the texts of removed posts by id, with one line per poll option and image description.
pub async fn load_removed_texts(
    db: &Reader<'_>,
    posts: &[i64],
) -> kith_db::Result<HashMap<i64, String>> {
    let read = |row: &Row<'_>| Ok((row.int(0)?, build_snapshot(row, 1)?.0));
    Ok(db.all_in(&CONTENTS, &[], posts, read).await?.into_iter().collect())
}

/// Restores a removed post to all lists, with the likes, reposts, replies and votes it has. Notifications about it stay
/// deleted. The caller checks with [`find_removed`] whether it may. Returns false if it was restored or deleted meanwhile.
pub async fn restore_post(tx: &mut Tx, post: Id, now: Millis) -> Result<bool> {
    let read = |row: &Row<'_>| {
        Ok(PostRow {
            id: post.0,
            author: row.int(0)?,
            content: row.text(1)?,
            mentions: row.opt_text(2)?,
            hashtags: row.opt_text(3)?,
            images: row.opt_text(4)?,
            options: row.opt_text(5)?,
            expires_at: row.opt_int(6)?,
            ..PostRow::default()
        })
    };
    let Some(row) = tx.opt(&CLAIM, params![post.0], read).await? else {
        return Ok(false);
    };
    let author = Id(row.author);
    let parameters = params![
        post.0,
        &row.content,
        row.mentions.as_deref(),
        row.hashtags.as_deref(),
        row.images.as_deref(),
        row.options.as_deref(),
        row.expires_at,
    ];
    let read = |row: &Row<'_>| Ok((row.opt_int(0)?, row.opt_int(1)?));
    let (parent, parent_author) = tx.one(&RESTORE, parameters, read).await?;
    let people = tx.one(&RECOUNT, params![post.0], |row| row.int(0)).await?;
    if parent.is_none() {
        tx.exec(&RANK, params![post.0, score::compute_rank(post, people)]).await?;
    }
    let images = sorted_images(row.images.as_deref());
    let has_images = !images.is_empty();
    let (kind, media) = (i64::from(parent.is_some()), i64::from(has_images));
    let entry = params![author.0, post.0, kind, parent_author, media];
    tx.exec(&INSERT_AUTHOR_POST, entry).await?;
    let hashtags = parse_list::<Hashtag>(row.hashtags.as_deref());
    tags::add_post(tx, post, author, hashtags.iter().map(|hashtag| hashtag.tag.as_str())).await?;
    for url in images {
        if let Some((hash, _)) = media::hash_and_storage_key(&url) {
            media::add_reference(tx, author, hash, now).await?;
        }
        media::unpin(tx, &url, now + media::AFTER_DELETION).await?;
    }
    if let Some(parent) = parent {
        add_to_thread(tx, Id(parent), post, author).await?;
    }
    members::count_post(tx, author, 1).await?;
    Ok(true)
}

/// Shows a restored reply below its parent, which may be a tombstone that had disappeared with its last reply.
async fn add_to_thread(tx: &mut Tx, parent: Id, post: Id, author: Id) -> kith_db::Result<()> {
    let read = |row: &Row<'_>| Ok((row.int(0)?, row.opt_int(1)?, row.opt_int(2)?));
    let found = tx.opt(&COUNT_REPLY, params![parent.0], read).await?;
    tx.exec(&SHOW_REPLY, params![parent.0, post.0, author.0]).await?;
    score::add_participant(tx, parent, author).await?;
    if let Some((parent_author, Some(grandparent), Some(deleted_at))) = found {
        let parameters = params![grandparent, parent.0, parent_author, deleted_at];
        tx.exec(&SHOW_TOMBSTONE, parameters).await?;
    }
    Ok(())
}

/// Deletes at most `limit` contents that can no longer be restored, and returns their number.
pub async fn purge_removed(tx: &mut Tx, now: Millis, limit: u32) -> kith_db::Result<u64> {
    delete_contents(tx, &EXPIRED, Id::first_at(now - RESTORABLE), limit, now).await
}

/// Deletes at most `limit` contents of removed posts by a member, and returns their number.
pub(super) async fn erase_removed(
    tx: &mut Tx,
    author: Id,
    limit: u32,
    now: Millis,
) -> kith_db::Result<u64> {
    delete_contents(tx, &BY_AUTHOR, author.0, limit, now).await
}

async fn delete_contents(
    tx: &mut Tx,
    select: &'static Sql,
    bound: i64,
    limit: u32,
    now: Millis,
) -> kith_db::Result<u64> {
    let posts = tx.all(select, params![bound, limit], |row| Ok(Id(row.int(0)?))).await?;
    for post in &posts {
        delete_content(tx, *post, now).await?;
    }
    Ok(posts.len() as u64)
}

/// Deletes the content of a removed post, unless it was restored or deleted before.
pub(super) async fn delete_content(tx: &mut Tx, post: Id, now: Millis) -> kith_db::Result<()> {
    let Some(images) = tx.opt(&DELETE, params![post.0], |row| row.opt_text(0)).await? else {
        return Ok(());
    };
    delete_poll(tx, post.0).await?;
    for url in sorted_images(images.as_deref()) {
        media::unpin(tx, &url, now).await?;
    }
    Ok(())
}

/// Loads the image URLs of the next batch of removed posts after `after`, and the last post's id; `None` at the end.
pub async fn list_removed_images(
    db: &Reader<'_>,
    after: Id,
) -> kith_db::Result<Option<(Vec<String>, Id)>> {
    let read = |row: &Row<'_>| Ok((Id(row.int(0)?), row.opt_text(1)?));
    let rows = db.all(&LIST_IMAGES, params![after.0, BATCH_SIZE], read).await?;
    let last = rows.last().map(|(last, _)| *last);
    let urls = rows.iter().flat_map(|(_, images)| sorted_images(images.as_deref()));
    Ok(last.map(|last| (urls.collect(), last)))
}

/// URLs of stored images, in the order in which transactions lock their rows.
fn sorted_images(stored: Option<&str>) -> Vec<String> {
    let images = parse_list::<Image>(stored);
    let mut urls = images.into_iter().map(|image| image.url).collect::<Vec<_>>();
    urls.sort_unstable();
    urls
}
