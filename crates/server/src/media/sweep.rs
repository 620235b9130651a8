//! Deleting what nothing shows, in two phases: an image is marked first, and deleted an hour
//! later unless something showed it meanwhile. What was sent and not used goes after a day.

use crate::app::App;
use crate::clock::{DAY, HOUR, Millis};
use crate::ids::Id;
use crate::media::address::{self, Upload};
use kith_db::{Sql, Tx, params, sql};
use std::time::Duration;

/// How long an image stays marked before its files go.
const GRACE: Millis = HOUR;
/// Rows that one write handles.
const BATCH: usize = 100;

const MARK: Sql = sql!(
    "update images set marked_at = $1 where hash in (
       select hash from images where keep_until is not null and keep_until <= $1
         and marked_at is null order by keep_until, hash limit $2)
       and uses = 0 and marked_at is null"
);
// Whoever takes a row deletes its files; what a killed process left is taken again an hour later.
const TAKE: Sql = sql!(
    "update images set gone_at = $1 where hash in (
       select hash from images where keep_until is not null and marked_at <= $2
         and (gone_at is null or gone_at <= $2) order by keep_until, hash limit $3)
       and uses = 0 and marked_at <= $2 and (gone_at is null or gone_at <= $2)
     returning hash, widths"
);
const DELETE_SOURCES: Sql = sql!("delete from image_sources where hash = $1");
const DELETE_IMAGE: Sql = sql!("delete from images where hash = $1 and gone_at is not null");
const OLD_UPLOADS: Sql =
    sql!("select owner_id, id from uploads where id < $1 order by id limit $2");
const DELETE_UPLOAD: Sql = sql!("delete from uploads where owner_id = $1 and id = $2");

/// Sweeps now and then until the process ends.
pub async fn run(app: App) {
    let mut tick = tokio::time::interval(Duration::from_mins(10));
    loop {
        tick.tick().await;
        if let Err(error) = sweep(&app).await {
            tracing::warn!(error, "some images that nothing shows were not deleted");
        }
    }
}

/// One round. Several nodes may be at it at once.
pub async fn sweep(app: &App) -> Result<(), String> {
    let step = |error: kith_db::Error| error.to_string();
    app.db.write(Mark { now: app.now() }).await.map_err(step)?;
    while delete_images(app).await? == BATCH {}
    while delete_uploads(app).await? == BATCH {}
    Ok(())
}

async fn delete_images(app: &App) -> Result<usize, String> {
    let step = |error: kith_db::Error| error.to_string();
    let gone = app.db.write(Take { now: app.now() }).await.map_err(step)?;
    let count = gone.len();
    for (hash, widths) in gone {
        let widths: Vec<u32> = serde_json::from_str(&widths).unwrap_or_default();
        for width in widths {
            let key = address::stored(&hash, width);
            let deleted = app.storage.delete(&key).await;
            deleted.map_err(|failure| failure.to_string())?;
        }
        app.db.write(Forget { hash }).await.map_err(step)?;
    }
    Ok(count)
}

async fn delete_uploads(app: &App) -> Result<usize, String> {
    let step = |error: kith_db::Error| error.to_string();
    let db = app.db.reader().await.map_err(step)?;
    let before = Id::first_at(app.now() - DAY);
    let old = db
        .all(&OLD_UPLOADS, params![before, BATCH], |row| {
            Ok(Upload {
                owner: Id(row.int(0)?),
                id: Id(row.int(1)?),
            })
        })
        .await
        .map_err(step)?;
    drop(db);
    for &upload in &old {
        let key = upload.key(&app.key);
        let deleted = app.storage.delete(&key).await;
        deleted.map_err(|failure| failure.to_string())?;
        app.db.write(Drop { upload }).await.map_err(step)?;
    }
    Ok(old.len())
}

/// The first phase.
struct Mark {
    now: Millis,
}

impl kith_db::Write for Mark {
    type Out = ();
    type Err = kith_db::Error;

    async fn run(&self, tx: &mut Tx) -> kith_db::Result<()> {
        tx.exec(&MARK, params![self.now, BATCH]).await?;
        Ok(())
    }
}

/// The second phase, for what was marked long enough.
struct Take {
    now: Millis,
}

impl kith_db::Write for Take {
    type Out = Vec<(String, String)>;
    type Err = kith_db::Error;

    async fn run(&self, tx: &mut Tx) -> kith_db::Result<Vec<(String, String)>> {
        let bound = params![self.now, self.now - GRACE, BATCH];
        tx.all(&TAKE, bound, |row| Ok((row.text(0)?, row.text(1)?)))
            .await
    }
}

struct Forget {
    hash: String,
}

impl kith_db::Write for Forget {
    type Out = ();
    type Err = kith_db::Error;

    async fn run(&self, tx: &mut Tx) -> kith_db::Result<()> {
        for sql in [&DELETE_SOURCES, &DELETE_IMAGE] {
            tx.exec(sql, params![self.hash.as_str()]).await?;
        }
        Ok(())
    }
}

struct Drop {
    upload: Upload,
}

impl kith_db::Write for Drop {
    type Out = ();
    type Err = kith_db::Error;

    async fn run(&self, tx: &mut Tx) -> kith_db::Result<()> {
        let bound = params![self.upload.owner.0, self.upload.id.0];
        tx.exec(&DELETE_UPLOAD, bound).await?;
        Ok(())
    }
}
