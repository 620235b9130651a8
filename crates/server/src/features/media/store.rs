//! The tables of uploads and images.

use crate::features::media::MediaState;
use crate::features::media::dto::Stored;
use crate::features::media::keys::{self, Upload};
use crate::features::members;
use crate::http::error::{ApiError, Result};
use crate::platform::clock::{DAY, Millis};
use crate::platform::ids::Id;
use kith_db::{Reader, Row, Sql, Tx, params, sql};
use kith_images::Preset;

/// How long an image that nothing shows is kept.
pub const AFTER_USE: Millis = DAY;
/// How long the images of a deleted post are kept.
pub const AFTER_DELETION: Millis = 7 * DAY;

// What a deleted post showed is kept for longer than what was only made: that is not shortened.
const CLAIM: Sql = sql!(
    "insert into images (hash, kind, width, height, widths, thumbhash, uses, keep_until)
     values ($1, $2, $3, $4, $5, $6, 0, $7)
     on conflict (hash) do update set marked_at = null,
       keep_until = case when images.uses > 0 then null
         when images.keep_until > excluded.keep_until then images.keep_until
         else excluded.keep_until end
     where images.gone_at is null
     returning hash"
);
const INSERT_SOURCE: Sql = sql!(
    "insert into image_sources (owner_id, upload_id, hash) values ($1, $2, $3)
     on conflict (owner_id, upload_id, hash) do nothing"
);
const MARK_USED: Sql = sql!(
    "update uploads set used_at = coalesce(used_at, $3) where owner_id = $1 and id in (
       select upload_id from image_sources where owner_id = $1 and hash = $2)"
);
const IS_KNOWN: Sql =
    sql!("select id from uploads where owner_id = $1 and id = $2 and ended_at is null");
// A store takes a file at an address that lives, whatever the row says: until then it counts.
const END: Sql = sql!(
    "update uploads set ended_at = $3, byte_size = case when is_at_store = 1 then byte_size else 0 end
     where owner_id = $1 and id = $2 and ended_at is null"
);
const MADE_OF: Sql =
    sql!("select hash from image_sources where owner_id = $1 and upload_id = $2 order by hash");
const IS_SOURCE: Sql = sql!(
    "select hash from image_sources where owner_id = $1 and hash = $2 order by upload_id limit 1"
);
const IMAGE: Sql = sql!(
    "select hash, width, height, widths, thumbhash from images
     where hash = $1 and kind = $2 and gone_at is null"
);
const SHOW: Sql = sql!(
    "update images set uses = uses + 1, keep_until = null, marked_at = null
     where hash = $1 and gone_at is null"
);
const RELEASE: Sql = sql!(
    "update images set uses = uses - 1, keep_until = case when uses = 1 then $2 else keep_until end
     where hash = $1 and uses > 0"
);
const HOLD: Sql = sql!(
    "update images set uses = uses + 1, held = held + 1, keep_until = null, marked_at = null
     where hash = $1 and gone_at is null"
);
const LET_GO: Sql = sql!(
    "update images set uses = uses - 1, held = held - 1,
       keep_until = case when uses = 1 then $2 else keep_until end
     where hash = $1 and uses > 0 and held > 0"
);

/// What an image is for. The numbers are stored.
pub(crate) const fn number(kind: Preset) -> i64 {
    match kind {
        Preset::Post => 0,
        Preset::Avatar => 1,
        Preset::Header => 2,
    }
}

fn read(row: &Row<'_>) -> kith_db::Result<Stored> {
    let pixels = |at| Ok::<_, kith_db::Error>(u32::try_from(row.int(at)?).unwrap_or(0));
    Ok(Stored {
        hash: row.text(0)?,
        width: pixels(1)?,
        height: pixels(2)?,
        widths: serde_json::from_str(&row.text(3)?).unwrap_or_default(),
        thumbhash: row.text(4)?,
    })
}

/// Whether an upload is waited for or here: not when it was cancelled or refused, or after a day.
pub(super) async fn is_known(db: &Reader<'_>, upload: Upload) -> kith_db::Result<bool> {
    let bound = params![upload.owner.0, upload.id.0];
    Ok(db.opt(&IS_KNOWN, bound, |_| Ok(())).await?.is_some())
}

/// Ends an upload and deletes its file; whether it was known. The row stays, since a store may still receive the file.
pub(super) async fn end(app: &MediaState, upload: Upload) -> Result<bool> {
    let bound = params![upload.owner.0, upload.id.0, app.now()];
    if app.db.exec(&END, bound).await? == 0 {
        return Ok(false);
    }
    if let Err(failure) = app.storage.delete(&upload.key(&app.key)).await {
        tracing::warn!(%failure, "a file that was sent is left to the sweeper");
    }
    Ok(true)
}

async fn image(db: &Reader<'_>, hash: &str, kind: Preset) -> kith_db::Result<Option<Stored>> {
    db.opt(&IMAGE, params![hash, number(kind)], read).await
}

/// What was already made of an upload for posts.
pub(super) async fn by_upload(db: &Reader<'_>, upload: Upload) -> kith_db::Result<Option<Stored>> {
    let bound = params![upload.owner.0, upload.id.0];
    // At most a few: one for each use that it was put to.
    for hash in db.all(&MADE_OF, bound, |row| row.text(0)).await? {
        if let Some(image) = image(db, &hash, Preset::Post).await? {
            return Ok(Some(image));
        }
    }
    Ok(None)
}

/// An image of this member's, for this use.
pub(super) async fn by_hash(
    db: &Reader<'_>,
    owner: Id,
    hash: &str,
    kind: Preset,
) -> kith_db::Result<Option<Stored>> {
    let bound = params![owner.0, hash];
    match db.opt(&IS_SOURCE, bound, |_| Ok(())).await? {
        Some(()) => image(db, hash, kind).await,
        None => Ok(None),
    }
}

/// Reserves an image's row before its files are written, so that nobody deletes them meanwhile.
pub(super) struct Claim {
    pub(super) owner: Id,
    pub(super) image: Stored,
    pub(super) kind: Preset,
    pub(super) now: Millis,
}

impl kith_db::Write for Claim {
    type Out = ();
    type Err = ApiError;

    async fn run(&self, tx: &mut Tx) -> Result<()> {
        let widths = format!("{:?}", self.image.widths);
        let bound = params![
            self.image.hash.as_str(),
            number(self.kind),
            i64::from(self.image.width),
            i64::from(self.image.height),
            widths.as_str(),
            self.image.thumbhash.as_str(),
            self.now + AFTER_USE,
        ];
        let claimed = tx.opt(&CLAIM, bound, |_| Ok(())).await?;
        // The picture may have been worked on, and its row waited for, while the account was deleted.
        members::ensure_active(tx, self.owner).await?;
        // Its files are being deleted right now; in a moment they can be written anew.
        claimed.ok_or_else(ApiError::unavailable)
    }
}

/// Says whose upload the image was made of, once its files are written.
pub(super) struct Source {
    pub(super) upload: Upload,
    pub(super) hash: String,
}

impl kith_db::Write for Source {
    type Out = ();
    type Err = ApiError;

    async fn run(&self, tx: &mut Tx) -> Result<()> {
        let Upload { owner, id } = self.upload;
        let bound = params![owner.0, id.0, self.hash.as_str()];
        tx.exec(&INSERT_SOURCE, bound).await?;
        // What an account leaves here was looked for when it was deleted.
        members::ensure_active(tx, owner).await
    }
}

/// Counts one more post or profile of this member's that shows the image.
pub async fn show(tx: &Tx, owner: Id, hash: &str, now: Millis) -> Result<()> {
    if tx.exec(&SHOW, params![hash]).await? == 0 {
        // Its files are being deleted right now.
        return Err(ApiError::unavailable());
    }
    tx.exec(&MARK_USED, params![owner.0, hash, now]).await?;
    Ok(())
}

/// Counts one more use of any member's image by its address; false when there is none.
pub async fn hold(tx: &Tx, url: &str) -> kith_db::Result<bool> {
    match keys::hash_of(url) {
        Some(hash) => Ok(tx.exec(&HOLD, params![hash]).await? > 0),
        None => Ok(false),
    }
}

/// Takes back one [`hold`], as [`release`] takes back a use.
pub async fn let_go(tx: &mut Tx, url: &str, until: Millis) -> kith_db::Result<()> {
    if let Some(hash) = keys::hash_of(url) {
        tx.exec(&LET_GO, params![hash, until]).await?;
    }
    Ok(())
}

/// Counts one less, by the image's address; the last one leaves it to be deleted after `until`.
pub async fn release(tx: &mut Tx, url: &str, until: Millis) -> kith_db::Result<()> {
    if let Some(hash) = keys::hash_of(url) {
        tx.exec(&RELEASE, params![hash, until]).await?;
    }
    Ok(())
}
