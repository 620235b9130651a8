//! Snapshots of reported posts, and the context that moderators see.

use crate::features::media::Image;
use crate::features::posts::store::parse_list;
use crate::features::posts::{post_not_found, reposts};
use crate::features::{members, relationships};
use crate::http::error::Result;
use crate::platform::ids::Id;
use kith_db::{Reader, Row, Sql, SqlIn, Tx, params, sql, sql_in};
use std::collections::{BTreeSet, HashMap};

const FIND: Sql =
    sql!("select content, poll_options, images from posts where id = $1 and deleted_at is null");
static FIND_MANY: SqlIn = sql_in!(
    "select id, author_id, reply_to_id, deleted_at, content, poll_options, images from posts
     where id in ($ids)"
);

/// Resolves a repost to its original, and any other post to itself. Returns its id and author. Not found when
/// it is deleted.
pub async fn resolve_post(tx: &mut Tx, post: Id) -> Result<(Id, Id)> {
    let target = reposts::resolve_repost(tx, post).await?;
    Ok((target.post, target.author()))
}

/// Resolves a post to report. Not found when it is hidden from the reporter, except by the reporter's own block.
pub async fn resolve_reported_post(tx: &mut Tx, post: Id, reporter: Id) -> Result<(Id, Id)> {
    let target = reposts::resolve_repost(tx, post).await?;
    for author in BTreeSet::from(target.authors) {
        if !members::is_active_in(tx, author).await? {
            return Err(post_not_found());
        }
        match relationships::ensure_not_blocked(tx, reporter, author).await {
            Err(error) if error == relationships::blocks_you() => return Err(post_not_found()),
            Err(error) if error != relationships::you_blocked() => return Err(error),
            _ => {}
        }
    }
    Ok((target.post, target.author()))
}

/// Loads the text of a post that is not deleted, with one line per poll option and image description, and
/// its image URLs. Not found when the post is deleted.
pub async fn load_report_snapshot(tx: &mut Tx, post: Id) -> Result<(String, Vec<String>)> {
    let found = tx.opt(&FIND, params![post.0], |row| build_snapshot(row, 0)).await?;
    found.ok_or_else(post_not_found)
}

/// Reads text and image URLs from the columns content, poll options and images, starting at `column`.
pub(super) fn build_snapshot(
    row: &Row<'_>,
    column: usize,
) -> kith_db::Result<(String, Vec<String>)> {
    let mut lines = vec![row.text(column)?];
    let options = parse_list::<String>(row.opt_text(column + 1)?.as_deref());
    lines.extend(options.into_iter().map(|option| format!("• {option}")));
    let images = parse_list::<Image>(row.opt_text(column + 2)?.as_deref());
    let alts = images.iter().map(|image| &image.alt);
    let alts = alts.filter(|alt| !alt.is_empty());
    lines.extend(alts.map(|alt| format!("Image: {alt}")));
    let images = images.into_iter().map(|image| image.url);
    Ok((lines.join("\n"), images.collect()))
}

/// A post as moderators see it.
#[derive(Debug)]
pub struct ReportedPost {
    /// Author of the post.
    pub author: i64,
    /// Id of the post that it replies to.
    pub reply_to: Option<i64>,
    /// Text and image URLs of the post; `None` when it is deleted.
    pub snapshot: Option<(String, Vec<String>)>,
}

/// Loads posts by id for moderators, including deleted ones and those of any author.
pub async fn load_reported_posts(
    db: &Reader<'_>,
    posts: &[i64],
) -> kith_db::Result<HashMap<i64, ReportedPost>> {
    let read = |row: &Row<'_>| {
        let is_deleted = row.opt_int(3)?.is_some();
        let post = ReportedPost {
            author: row.int(1)?,
            reply_to: row.opt_int(2)?,
            snapshot: (!is_deleted).then(|| build_snapshot(row, 4)).transpose()?,
        };
        Ok((row.int(0)?, post))
    };
    let rows = db.all_in(&FIND_MANY, &[], posts, read).await?;
    Ok(rows.into_iter().collect())
}
