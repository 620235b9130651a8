//! Verifies that every referenced image has its files, and that the reference counts are right.

use crate::features::media::keys;
use kith_db::{Db, Reader, Sql, params, sql};
use kith_storage::Storage;
use std::collections::HashMap;

/// Rows per read.
const BATCH: u32 = 500;

const REFERENCED: Sql = sql!(
    "select hash, widths from images where uses > 0 and gone_at is null and hash > $1
     order by hash limit $2"
);

const COUNTS: Sql = sql!(
    "select hash, uses, held from images where gone_at is null and hash > $1 order by hash limit $2"
);

/// Reference counts by image hash: all references, and those pinned by open cases.
#[derive(Debug, Default)]
pub struct ReferenceCounts(HashMap<String, [i64; 2]>);

impl ReferenceCounts {
    /// Counts one reference to the image at a URL path; `is_held` marks a pin by an open case.
    pub fn add(&mut self, url: &str, is_held: bool) {
        if let Some(hash) = keys::hash_of(url) {
            let [uses, held] = self.0.entry(hash.to_owned()).or_default();
            *uses += 1;
            *held += i64::from(is_held);
        }
    }

    /// Compares the counts with the stored ones. Returns the number of images that differ or have no row.
    pub async fn count_differences(mut self, db: &Reader<'_>) -> kith_db::Result<i64> {
        let (mut wrong, mut after) = (0, String::new());
        loop {
            let read = |row: &kith_db::Row<'_>| Ok((row.text(0)?, [row.int(1)?, row.int(2)?]));
            let rows = db.all(&COUNTS, params![&after, BATCH], read).await?;
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

/// Result of the verification of all image files.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MediaReport {
    /// Number of referenced images.
    pub images: u64,
    /// Storage keys of missing files.
    pub missing: Vec<String>,
}

/// Checks that every file of every referenced image exists. An error is a sentence without a full stop.
pub async fn verify_files(
    db: &Db,
    storage: &Storage,
    mut progress: impl FnMut(u64),
) -> Result<MediaReport, String> {
    let mut report = MediaReport::default();
    let mut after = String::new();
    loop {
        let parameters = params![&after, BATCH];
        let rows = db.all(&REFERENCED, parameters, |row| Ok((row.text(0)?, row.text(1)?)));
        let rows =
            rows.await.map_err(|error| format!("its images could not be listed: {error}"))?;
        let Some((last, _)) = rows.last() else {
            return Ok(report);
        };
        after.clone_from(last);
        for (hash, widths) in rows {
            let widths: Vec<u32> = serde_json::from_str(&widths).unwrap_or_default();
            for width in widths {
                let key = keys::storage_key(&hash, width);
                let size = storage.size(&key).await;
                if size.map_err(|failure| failure.to_string())?.is_none() {
                    report.missing.push(key);
                }
            }
            report.images += 1;
            progress(report.images);
        }
    }
}
