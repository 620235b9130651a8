//! Whether every image that is shown has its files, and is counted as often as it is shown.

use crate::features::media::keys;
use kith_db::{Db, Reader, Sql, params, sql};
use kith_storage::Storage;
use std::collections::HashMap;

/// Rows that one read takes.
const STEP: u32 = 500;

const SHOWN: Sql = sql!(
    "select hash, widths from images where uses > 0 and gone_at is null and hash > $1
     order by hash limit $2"
);

const COUNTED: Sql = sql!(
    "select hash, uses, held from images where gone_at is null and hash > $1 order by hash limit $2"
);

/// How often each image is used, and by how many open cases of these, counted anew.
#[derive(Debug, Default)]
pub struct Uses(HashMap<String, [i64; 2]>);

impl Uses {
    /// Counts one use of the image at this address, which a case may be.
    pub fn add(&mut self, url: &str, is_held: bool) {
        if let Some(hash) = keys::hash_of(url) {
            let [uses, held] = self.0.entry(hash.to_owned()).or_default();
            *uses += 1;
            *held += i64::from(is_held);
        }
    }

    /// Of how many images something else is stored, or nothing.
    pub async fn differences(mut self, db: &Reader<'_>) -> kith_db::Result<i64> {
        let (mut wrong, mut after) = (0, String::new());
        loop {
            let read = |row: &kith_db::Row<'_>| Ok((row.text(0)?, [row.int(1)?, row.int(2)?]));
            let rows = db.all(&COUNTED, params![&after, STEP], read).await?;
            let Some((last, _)) = rows.last() else { break };
            after.clone_from(last);
            for (hash, stored) in rows {
                let counted = self.0.remove(&hash).unwrap_or_default();
                wrong += i64::from(counted != stored);
            }
        }
        Ok(wrong + i64::try_from(self.0.len()).unwrap_or(i64::MAX))
    }
}

const ANY: Sql = sql!("select 1 from images where uses > 0 and gone_at is null limit 1");

/// Whether posts or profiles show any image, or open cases hold one.
pub async fn shows_any(db: &Db) -> kith_db::Result<bool> {
    Ok(!db.all(&ANY, &[], |row| row.int(0)).await?.is_empty())
}

/// What a look at all images found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Stock {
    /// Images that posts and profiles show and open cases hold.
    pub images: u64,
    /// Files of these that are not there, by their keys in the storage.
    pub missing: Vec<String>,
}

/// Looks for every file of every shown image. An error is a sentence without a full stop.
pub async fn take_stock(
    db: &Db,
    storage: &Storage,
    mut progress: impl FnMut(u64),
) -> Result<Stock, String> {
    let mut stock = Stock::default();
    let mut after = String::new();
    loop {
        let bound = params![&after, STEP];
        let rows = db.all(&SHOWN, bound, |row| Ok((row.text(0)?, row.text(1)?)));
        let rows = rows
            .await
            .map_err(|error| format!("its images could not be listed: {error}"))?;
        let Some((last, _)) = rows.last() else {
            return Ok(stock);
        };
        after.clone_from(last);
        for (hash, widths) in rows {
            let widths: Vec<u32> = serde_json::from_str(&widths).unwrap_or_default();
            for width in widths {
                let key = keys::stored(&hash, width);
                let size = storage.size(&key).await;
                if size.map_err(|failure| failure.to_string())?.is_none() {
                    stock.missing.push(key);
                }
            }
            stock.images += 1;
            progress(stock.images);
        }
    }
}
