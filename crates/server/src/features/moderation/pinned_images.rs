//! The images that open cases hold: what was reported is there to be seen until somebody decides.

use crate::features::media;
use crate::platform::clock::Millis;
use crate::platform::ids::Id;
use kith_db::{Reader, Result, Sql, Tx, params, sql};

/// Cases that one read takes.
const STEP: u32 = 500;

const HELD: Sql = sql!(
    "select id, held_images from report_cases
     where held_images is not null and closed_id is null and id > $1 order by id limit $2"
);

/// Holds what a case that holds `stored` does not hold yet; answers what it then holds, to be stored.
pub(super) async fn hold(
    tx: &mut Tx,
    stored: Option<String>,
    urls: &[String],
) -> Result<Option<String>> {
    let mut held = list_of(stored.as_deref());
    let mut urls = urls.iter().collect::<Vec<_>>();
    urls.sort_unstable();
    for url in urls {
        if !held.contains(url) && media::pin(tx, url).await? {
            held.push(url.clone());
        }
    }
    if held.is_empty() {
        return Ok(None);
    }
    Ok(serde_json::to_string(&held).ok().or(stored))
}

/// Lets go of what a case held; what nothing shows is kept as long as the images of a deleted post.
pub(super) async fn let_go(tx: &mut Tx, stored: Option<&str>, now: Millis) -> Result<()> {
    let mut held = list_of(stored);
    held.sort_unstable();
    for url in held {
        media::unpin(tx, &url, now + media::AFTER_DELETION).await?;
    }
    Ok(())
}

/// Image URLs that some cases behind `after` hold, and the last of these cases; none at the end.
pub async fn held_images(db: &Reader<'_>, after: Id) -> Result<Option<(Vec<String>, Id)>> {
    let bound = params![after.0, STEP];
    let rows = db.all(&HELD, bound, |row| Ok((Id(row.int(0)?), row.opt_text(1)?)));
    let rows = rows.await?;
    let last = rows.last().map(|(last, _)| *last);
    let urls = rows.iter().flat_map(|(_, held)| list_of(held.as_deref()));
    Ok(last.map(|last| (urls.collect(), last)))
}

fn list_of(stored: Option<&str>) -> Vec<String> {
    let list = stored.and_then(|stored| serde_json::from_str(stored).ok());
    list.unwrap_or_default()
}
