//! Deletes what nothing shows: marked first, deleted an hour later. Uploads go soon after their use, or after a day.

use crate::app::App;
use crate::clock::{DAY, HOUR, MINUTE, Millis};
use crate::error::Result;
use crate::ids::Id;
use crate::media::address::{self, LIFE, Upload};
use crate::media::{refusals, rows};
use kith_db::{Row, Sql, Tx, params, sql};
use kith_storage::StorageError;
use std::time::Duration;

/// How long an image stays marked before its files go.
const GRACE: Millis = HOUR;
/// How long a file is kept after an image of it was shown: who did not hear of it asks again.
const AFTER_SHOWN: Millis = 10 * MINUTE;
/// Rows that one write handles.
const BATCH: u32 = 100;
/// Images whose files could not be deleted, after which a round leaves the others alone.
const FEW: u32 = 3;

const MARK: Sql = sql!(
    "update images set marked_at = $1 where hash in (
       select hash from images where keep_until is not null and keep_until <= $1
         and marked_at is null order by keep_until, hash limit $2)
       and uses = 0 and marked_at is null and keep_until <= $1"
);
// The taker deletes the files; after a crash, another an hour later. One at a time: the image is unusable meanwhile.
const TAKE: Sql = sql!(
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

/// Sweeps now and then until the process ends.
pub async fn run(app: App) {
    let mut tick = tokio::time::interval(Duration::from_mins(10));
    loop {
        tick.tick().await;
        if sweep(&app).await.is_err() {
            tracing::warn!("some images that nothing shows were not deleted");
        }
    }
}

/// One round. Several nodes may run it concurrently. What fails is left to the next round.
pub async fn sweep(app: &App) -> Result<()> {
    let images = delete_images(app).await;
    let used = end_used(app).await;
    let old = Id::first_at(app.now() - DAY);
    let uploads = delete_uploads(app, &OLD_UPLOADS, old).await;
    // A store may take a file until the address dies, and the file may then be on its way.
    let ended = Id::first_at(app.now() - LIFE - HOUR);
    let ended = delete_uploads(app, &ENDED_UPLOADS, ended).await;
    images.and(used).and(uploads).and(ended)
}

/// Ends uploads of which an image was shown: from that on, nobody needs the file.
async fn end_used(app: &App) -> Result<()> {
    loop {
        let bound = params![app.now() - AFTER_SHOWN, BATCH];
        let used = app.db.all(&USED_UPLOADS, bound, read_upload).await?;
        for &upload in &used {
            rows::end(app, upload).await?;
        }
        if used.len() < BATCH as usize {
            return Ok(());
        }
    }
}

async fn delete_images(app: &App) -> Result<()> {
    while app.db.exec(&MARK, params![app.now(), BATCH]).await? == u64::from(BATCH) {}
    let (mut failed, mut failures) = (Ok(()), 0);
    // What is taken cannot be shown for an hour: not everything, while the store is away.
    while failures < FEW {
        let taken = app.now();
        let gone = app.db.write(Take { now: taken }).await?;
        let Some((hash, widths)) = gone else {
            break;
        };
        let widths: Vec<u32> = serde_json::from_str(&widths).unwrap_or_default();
        match delete_files(app, &hash, widths).await {
            Ok(()) => app.db.write(Forget { hash, taken }).await?,
            Err(failure) => {
                failures += 1;
                failed = Err(refusals::failed(failure));
            }
        }
    }
    failed
}

async fn delete_files(
    app: &App,
    hash: &str,
    widths: Vec<u32>,
) -> std::result::Result<(), StorageError> {
    for width in widths {
        app.storage.delete(&address::stored(hash, width)).await?;
    }
    Ok(())
}

async fn delete_uploads(app: &App, which: &Sql, before: i64) -> Result<()> {
    let (mut failed, mut next) = (Ok(()), 0);
    loop {
        let bound = params![before, next, BATCH];
        let db = app.db.reader();
        let old = db.all(which, bound, read_upload).await?;
        drop(db);
        let Some(upload) = old.last() else {
            return failed;
        };
        next = upload.id.0 + 1;
        for upload in &old {
            match app.storage.delete(&upload.key(&app.key)).await {
                Ok(()) => {
                    let bound = params![upload.owner.0, upload.id.0];
                    app.db.exec(&DELETE_UPLOAD, bound).await?;
                }
                Err(failure) => failed = Err(refusals::failed(failure)),
            }
        }
    }
}

fn read_upload(row: &Row<'_>) -> kith_db::Result<Upload> {
    Ok(Upload {
        owner: Id(row.int(0)?),
        id: Id(row.int(1)?),
    })
}

/// Takes an image that was marked long enough.
struct Take {
    now: Millis,
}

impl kith_db::Write for Take {
    type Out = Option<(String, String)>;
    type Err = kith_db::Error;

    async fn run(&self, tx: &mut Tx) -> kith_db::Result<Option<(String, String)>> {
        let bound = params![self.now, self.now - GRACE];
        tx.opt(&TAKE, bound, |row| Ok((row.text(0)?, row.text(1)?)))
            .await
    }
}

/// Unless it took so long that somebody else took it, and it may have been made anew since.
struct Forget {
    hash: String,
    taken: Millis,
}

impl kith_db::Write for Forget {
    type Out = ();
    type Err = kith_db::Error;

    async fn run(&self, tx: &mut Tx) -> kith_db::Result<()> {
        let bound = params![self.hash.as_str(), self.taken];
        if tx.exec(&DELETE_IMAGE, bound).await? > 0 {
            tx.exec(&DELETE_SOURCES, params![self.hash.as_str()])
                .await?;
        }
        Ok(())
    }
}
