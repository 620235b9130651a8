//! Garbage-collects unreferenced images, marked first and deleted an hour later, and used or old uploads.

use crate::features::media::MediaState;
use crate::features::media::end_upload::end_upload;
use crate::features::media::errors;
use crate::features::media::keys::{self, UPLOAD_TTL, UploadTicket};
use crate::http::error::Result;
use crate::platform::clock::{DAY, HOUR, MINUTE, Millis};
use crate::platform::ids::Id;
use kith_db::{Row, Sql, Tx, params, sql};
use kith_storage::StorageError;
use std::sync::Arc;
use std::time::Duration;

/// How long an image stays marked before its files are deleted.
const GRACE: Millis = HOUR;
/// How long an upload is kept after its image was referenced, so that a client can retry the request.
const AFTER_REFERENCE: Millis = 10 * MINUTE;
/// Rows per transaction.
const BATCH: u32 = 100;
/// Failed deletions after which a round stops deleting images.
const MAX_FAILURES: u32 = 3;

const MARK: Sql = sql!(
    "update images set marked_at = $1 where hash in (
       select hash from images where keep_until is not null and keep_until <= $1
         and marked_at is null order by keep_until, hash limit $2)
       and uses = 0 and marked_at is null and keep_until <= $1"
);
// The claimer deletes the files; after a crash another node claims again an hour later. One image at a time,
// because a claimed image cannot be referenced.
const CLAIM_DELETION: Sql = sql!(
    "update images set gone_at = $1 where hash in (
       select hash from images where keep_until <= $1 and marked_at <= $2
         and (gone_at is null or gone_at <= $2) order by keep_until, hash limit 1)
       and uses = 0 and keep_until <= $1 and marked_at <= $2
       and (gone_at is null or gone_at <= $2)
     returning hash, widths"
);
const DELETE_SOURCES: Sql = sql!("delete from image_sources where hash = $1");
const DELETE_IMAGE: Sql = sql!("delete from images where hash = $1 and gone_at = $2");
const OLD_UPLOADS: Sql =
    sql!("select owner_id, id from uploads where id between $2 and $1 order by id limit $3");
const ENDED_UPLOADS: Sql = sql!(
    "select owner_id, id from uploads where ended_at is not null and id between $2 and $1
     order by id limit $3"
);
const USED_UPLOADS: Sql = sql!(
    "select owner_id, id from uploads where used_at <= $1 and used_at is not null and ended_at is null
     order by used_at, owner_id, id limit $2"
);
const DELETE_UPLOAD: Sql = sql!("delete from uploads where owner_id = $1 and id = $2");

/// Sweeps every 10 minutes until the process ends.
pub async fn run_sweeper(state: Arc<MediaState>) {
    let mut tick = tokio::time::interval(Duration::from_mins(10));
    loop {
        tick.tick().await;
        if sweep(&state).await.is_err() {
            tracing::warn!("some images that nothing shows were not deleted");
        }
    }
}

/// Runs one round. Nodes may run it concurrently; failed deletions are retried in the next round.
pub async fn sweep(state: &MediaState) -> Result<()> {
    let images = delete_images(state).await;
    let used = end_used(state).await;
    let old = Id::first_at(state.now() - DAY);
    let uploads = delete_uploads(state, &OLD_UPLOADS, old).await;
    // S3 accepts a file until the URL expires, and the transfer may take longer.
    let ended = Id::first_at(state.now() - UPLOAD_TTL - HOUR);
    let ended = delete_uploads(state, &ENDED_UPLOADS, ended).await;
    images.and(used).and(uploads).and(ended)
}

/// Ends uploads whose image has been referenced: the uploaded file is no longer needed.
async fn end_used(state: &MediaState) -> Result<()> {
    loop {
        let parameters = params![state.now() - AFTER_REFERENCE, BATCH];
        let used = state.db.all(&USED_UPLOADS, parameters, read_upload).await?;
        for &upload in &used {
            end_upload(state, upload).await?;
        }
        if used.len() < BATCH as usize {
            return Ok(());
        }
    }
}

async fn delete_images(state: &MediaState) -> Result<()> {
    while state.db.exec(&MARK, params![state.now(), BATCH]).await? == u64::from(BATCH) {}
    let (mut result, mut failures) = (Ok(()), 0);
    // Stops after a few failures, because claimed images cannot be referenced for an hour.
    while failures < MAX_FAILURES {
        let claimed_at = state.now();
        let claimed = state.db.write(ClaimFileDeletion { now: claimed_at }).await?;
        let Some((hash, widths)) = claimed else {
            break;
        };
        let widths: Vec<u32> = serde_json::from_str(&widths).unwrap_or_default();
        match delete_files(state, &hash, widths).await {
            Ok(()) => state.db.write(DeleteImage { hash, claimed_at }).await?,
            Err(failure) => {
                failures += 1;
                result = Err(errors::from_storage_error(failure));
            }
        }
    }
    result
}

async fn delete_files(
    state: &MediaState,
    hash: &str,
    widths: Vec<u32>,
) -> std::result::Result<(), StorageError> {
    for width in widths {
        state.storage.delete(&keys::storage_key(hash, width)).await?;
    }
    Ok(())
}

async fn delete_uploads(state: &MediaState, select: &Sql, before: i64) -> Result<()> {
    let (mut result, mut next) = (Ok(()), 0);
    loop {
        let parameters = params![before, next, BATCH];
        let db = state.db.reader();
        let old = db.all(select, parameters, read_upload).await?;
        drop(db);
        let Some(upload) = old.last() else {
            return result;
        };
        next = upload.id.0 + 1;
        for upload in &old {
            match state.storage.delete(&upload.storage_key(&state.key)).await {
                Ok(()) => {
                    let parameters = params![upload.owner.0, upload.id.0];
                    state.db.exec(&DELETE_UPLOAD, parameters).await?;
                }
                Err(failure) => result = Err(errors::from_storage_error(failure)),
            }
        }
    }
}

fn read_upload(row: &Row<'_>) -> kith_db::Result<UploadTicket> {
    Ok(UploadTicket { owner: Id(row.int(0)?), id: Id(row.int(1)?) })
}

/// Claims an image that has been marked long enough.
struct ClaimFileDeletion {
    now: Millis,
}

impl kith_db::Write for ClaimFileDeletion {
    type Out = Option<(String, String)>;
    type Err = kith_db::Error;

    async fn run(&self, tx: &mut Tx) -> kith_db::Result<Option<(String, String)>> {
        let parameters = params![self.now, self.now - GRACE];
        tx.opt(&CLAIM_DELETION, parameters, |row| Ok((row.text(0)?, row.text(1)?))).await
    }
}

/// Deletes a claimed image's row, unless another node has claimed it since.
struct DeleteImage {
    hash: String,
    claimed_at: Millis,
}

impl kith_db::Write for DeleteImage {
    type Out = ();
    type Err = kith_db::Error;

    async fn run(&self, tx: &mut Tx) -> kith_db::Result<()> {
        let parameters = params![self.hash.as_str(), self.claimed_at];
        if tx.exec(&DELETE_IMAGE, parameters).await? > 0 {
            tx.exec(&DELETE_SOURCES, params![self.hash.as_str()]).await?;
        }
        Ok(())
    }
}
