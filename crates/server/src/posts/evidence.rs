//! What a post says, kept with the reports of it.

use crate::error::Result;
use crate::ids::Id;
use crate::media::Image;
use crate::posts::hydrate::list_of;
use crate::posts::{reposts, unknown};
use crate::{safety, users};
use kith_db::{Row, Sql, Tx, params, sql};
use std::collections::BTreeSet;

const SAYS: Sql =
    sql!("select content, poll_options, images from posts where id = $1 and deleted_at is null");

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
        if !users::exists(tx, whom).await? {
            return Err(unknown());
        }
        match safety::check(tx, reporter, whom).await {
            Err(refusal) if refusal == safety::blocks_you() => return Err(unknown()),
            Err(refusal) if refusal != safety::you_blocked() => return Err(refusal),
            _ => {}
        }
    }
    Ok((meant.post, meant.author()))
}

/// The text of a living post, with a line for each option of its poll and for what is said of each
/// image, and the addresses of its images.
pub async fn evidence(tx: &mut Tx, post: Id) -> Result<(String, Vec<String>)> {
    let read = |row: &Row<'_>| {
        let mut lines = vec![row.text(0)?];
        let options = list_of::<String>(row.opt_text(1)?.as_deref());
        lines.extend(options.into_iter().map(|option| format!("• {option}")));
        let images = list_of::<Image>(row.opt_text(2)?.as_deref());
        let alts = images.iter().map(|image| &image.alt);
        let alts = alts.filter(|alt| !alt.is_empty());
        lines.extend(alts.map(|alt| format!("Image: {alt}")));
        let images = images.into_iter().map(|image| image.url);
        Ok((lines.join("\n"), images.collect()))
    };
    let found = tx.opt(&SAYS, params![post.0], read).await?;
    found.ok_or_else(unknown)
}
