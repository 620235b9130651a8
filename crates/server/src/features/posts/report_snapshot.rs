//! What a post says, kept with the reports of it.

use crate::features::media::Image;
use crate::features::posts::store::list_of;
use crate::features::posts::{reposts, unknown};
use crate::features::{members, relationships};
use crate::http::error::Result;
use crate::platform::ids::Id;
use kith_db::{Reader, Row, Sql, SqlIn, Tx, params, sql, sql_in};
use std::collections::{BTreeSet, HashMap};

const SAYS: Sql =
    sql!("select content, poll_options, images from posts where id = $1 and deleted_at is null");
static CONTEXTS: SqlIn = sql_in!(
    "select id, author_id, reply_to_id, deleted_at, content, poll_options, images from posts
     where id in ($ids)"
);

/// A living post: its id, which a repost has from its original, and its author.
pub async fn living(tx: &mut Tx, post: Id) -> Result<(Id, Id)> {
    let meant = reposts::meant(tx, post).await?;
    Ok((meant.post, meant.author()))
}

/// The same for a report. To a reporter who does not see it, it is as unknown as one that was deleted,
/// unless it is they who blocked its author.
pub async fn reported(tx: &mut Tx, post: Id, reporter: Id) -> Result<(Id, Id)> {
    let meant = reposts::meant(tx, post).await?;
    for whom in BTreeSet::from(meant.by) {
        if !members::is_active_in(tx, whom).await? {
            return Err(unknown());
        }
        match relationships::ensure_not_blocked(tx, reporter, whom).await {
            Err(refusal) if refusal == relationships::blocks_you() => return Err(unknown()),
            Err(refusal) if refusal != relationships::you_blocked() => return Err(refusal),
            _ => {}
        }
    }
    Ok((meant.post, meant.author()))
}

/// The text of a living post, with a line for each option of its poll and for what is said of each
/// image, and the addresses of its images.
pub async fn evidence(tx: &mut Tx, post: Id) -> Result<(String, Vec<String>)> {
    let found = tx.opt(&SAYS, params![post.0], |row| says(row, 0)).await?;
    found.ok_or_else(unknown)
}

/// Reads what a post says from its content, poll and images, which begin at a column.
fn says(row: &Row<'_>, column: usize) -> kith_db::Result<(String, Vec<String>)> {
    let mut lines = vec![row.text(column)?];
    let options = list_of::<String>(row.opt_text(column + 1)?.as_deref());
    lines.extend(options.into_iter().map(|option| format!("• {option}")));
    let images = list_of::<Image>(row.opt_text(column + 2)?.as_deref());
    let alts = images.iter().map(|image| &image.alt);
    let alts = alts.filter(|alt| !alt.is_empty());
    lines.extend(alts.map(|alt| format!("Image: {alt}")));
    let images = images.into_iter().map(|image| image.url);
    Ok((lines.join("\n"), images.collect()))
}

/// A post as moderators see it: who wrote it, which post it answers, and what it says unless it is deleted.
#[derive(Debug)]
pub struct Context {
    /// Who wrote it.
    pub author: i64,
    /// The post it answers.
    pub reply_to: Option<i64>,
    /// Its text and the addresses of its images; none when it is deleted.
    pub says: Option<(String, Vec<String>)>,
}

/// Posts by id, for moderators: by any author, and also those that are deleted.
pub async fn contexts(db: &Reader<'_>, posts: &[i64]) -> kith_db::Result<HashMap<i64, Context>> {
    let read = |row: &Row<'_>| {
        let is_deleted = row.opt_int(3)?.is_some();
        let context = Context {
            author: row.int(1)?,
            reply_to: row.opt_int(2)?,
            says: (!is_deleted).then(|| says(row, 4)).transpose()?,
        };
        Ok((row.int(0)?, context))
    };
    let rows = db.all_in(&CONTEXTS, &[], posts, read).await?;
    Ok(rows.into_iter().collect())
}
