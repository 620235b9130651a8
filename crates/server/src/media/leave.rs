//! The images and uploads of one member: for a copy of them, and to let go of them.

use crate::clock::Millis;
use crate::ids::Id;
use crate::media::address;
use kith_db::{Reader, Result, Sql, Tx, params, sql};

/// Rows of a page.
const PAGE: u32 = 50;
/// Rows that one transaction changes.
const ROWS: u32 = 200;

const OWN: Sql = sql!(
    "select hash from image_sources where owner_id = $1 and hash > $2 group by hash order by hash limit $3"
);
const COUNT: Sql = sql!("select count(*) from image_sources where owner_id = $1");
// What only an open case holds would tell its owner of the report.
const SHOWN: Sql =
    sql!("select widths from images where hash = $1 and uses > held and gone_at is null");
const END_UPLOADS: Sql = sql!(
    "update uploads set ended_at = $2 where owner_id = $1 and ended_at is null and id in (
       select id from uploads where owner_id = $1 and ended_at is null order by id limit $3)"
);
const FORGET_SOURCES: Sql = sql!(
    "delete from image_sources where owner_id = $1 and (upload_id, hash) in (
       select upload_id, hash from image_sources where owner_id = $1 order by upload_id, hash limit $2)"
);

/// An image that a member's posts or profile show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnImage {
    /// Its name in addresses.
    pub hash: String,
    /// Where its largest size is kept.
    pub key: String,
}

/// How many images a member made, at most.
pub async fn count_own(db: &Reader<'_>, member: Id) -> Result<i64> {
    db.one(&COUNT, params![member.0], |row| row.int(0)).await
}

/// A member's images behind a hash, those that are shown; and the hash the next page goes on from.
pub async fn own_images(
    db: &Reader<'_>,
    member: Id,
    after: &str,
) -> Result<(Vec<OwnImage>, Option<String>)> {
    let bound = params![member.0, after, PAGE];
    let hashes = db.all(&OWN, bound, |row| row.text(0)).await?;
    let next = hashes.last().filter(|_| hashes.len() == PAGE as usize);
    let next = next.cloned();
    let mut images = Vec::new();
    for hash in hashes {
        let widths = db.opt(&SHOWN, params![&hash], |row| row.text(0)).await?;
        let widths: Vec<u32> = widths
            .and_then(|widths| serde_json::from_str(&widths).ok())
            .unwrap_or_default();
        if let Some(width) = widths.into_iter().max() {
            let key = address::stored(&hash, width);
            images.push(OwnImage { hash, key });
        }
    }
    Ok((images, next))
}

/// Lets go of some uploads of a member, which the sweeper then deletes; answers how many.
pub async fn leave(tx: &mut Tx, member: Id, now: Millis) -> Result<u64> {
    let sources = tx.exec(&FORGET_SOURCES, params![member.0, ROWS]).await?;
    let uploads = tx.exec(&END_UPLOADS, params![member.0, now, ROWS]).await?;
    Ok(sources + uploads)
}
