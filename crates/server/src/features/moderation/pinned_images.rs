//! Pins images of reported content until the case is decided.

use crate::features::media;
use crate::platform::clock::Millis;
use crate::platform::ids::Id;
use kith_db::{Reader, Result, Sql, Tx, params, sql};

/// Cases per query.
const BATCH_SIZE: u32 = 500;

const PINNED: Sql = sql!(
    "select id, held_images from report_cases
     where held_images is not null and closed_id is null and id > $1 order by id limit $2"
);

/// Pins those of `urls` that the case does not pin yet. Returns the case's new list, in the format of the
/// column `held_images`.
pub(super) async fn pin(
    tx: &mut Tx,
    stored: Option<String>,
    urls: &[String],
) -> Result<Option<String>> {
    let mut pinned = parse_list(stored.as_deref());
    let mut urls = urls.iter().collect::<Vec<_>>();
    urls.sort_unstable();
    for url in urls {
        if !pinned.contains(url) && media::pin(tx, url).await? {
            pinned.push(url.clone());
        }
    }
    if pinned.is_empty() {
        return Ok(None);
    }
    Ok(serde_json::to_string(&pinned).ok().or(stored))
}

/// Unpins the images of a case. Images that nothing else uses are kept as long as those of a deleted post.
pub(super) async fn unpin(tx: &mut Tx, stored: Option<&str>, now: Millis) -> Result<()> {
    let mut pinned = parse_list(stored);
    pinned.sort_unstable();
    for url in pinned {
        media::unpin(tx, &url, now + media::AFTER_DELETION).await?;
    }
    Ok(())
}

/// Loads the image URLs pinned by the next batch of cases after `after`, and the last case's id; `None` at the end.
pub async fn load_pinned_images(db: &Reader<'_>, after: Id) -> Result<Option<(Vec<String>, Id)>> {
    let parameters = params![after.0, BATCH_SIZE];
    let rows = db.all(&PINNED, parameters, |row| Ok((Id(row.int(0)?), row.opt_text(1)?)));
    let rows = rows.await?;
    let last = rows.last().map(|(last, _)| *last);
    let urls = rows.iter().flat_map(|(_, pinned)| parse_list(pinned.as_deref()));
    Ok(last.map(|last| (urls.collect(), last)))
}

fn parse_list(stored: Option<&str>) -> Vec<String> {
    let list = stored.and_then(|stored| serde_json::from_str(stored).ok());
    list.unwrap_or_default()
}
