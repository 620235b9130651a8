//! Reads and writes the tables of uploads and images.

use crate::features::media::dto::ImageRow;
use crate::features::media::keys::{self, UploadTicket};
use crate::features::members;
use crate::http::error::{ApiError, Result};
use crate::platform::clock::{DAY, Millis};
use crate::platform::ids::Id;
use kith_db::{Db, Reader, Row, Sql, Tx, params, sql};
use kith_images::Preset;

/// How long an unreferenced image is kept.
pub const AFTER_USE: Millis = DAY;
/// How long the images of a deleted post are kept.
pub const AFTER_DELETION: Millis = 7 * DAY;

// Never shortens `keep_until`: images of deleted posts are kept longer than unposted ones.
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
const IS_OPEN: Sql =
    sql!("select id from uploads where owner_id = $1 and id = $2 and ended_at is null");
// S3 accepts a file while the presigned URL is valid, so the announced size stays in the quota.
const END: Sql = sql!(
    "update uploads set ended_at = $3, byte_size = case when is_at_store = 1 then byte_size else 0 end
     where owner_id = $1 and id = $2 and ended_at is null"
);
const HASHES_BY_UPLOAD: Sql =
    sql!("select hash from image_sources where owner_id = $1 and upload_id = $2 order by hash");
const IS_SOURCE: Sql = sql!(
    "select hash from image_sources where owner_id = $1 and hash = $2 order by upload_id limit 1"
);
const FIND_IMAGE: Sql = sql!(
    "select hash, width, height, widths, thumbhash from images
     where hash = $1 and kind = $2 and gone_at is null"
);
const ADD_REFERENCE: Sql = sql!(
    "update images set uses = uses + 1, keep_until = null, marked_at = null
     where hash = $1 and gone_at is null"
);
const DROP_REFERENCE: Sql = sql!(
    "update images set uses = uses - 1, keep_until = case when uses = 1 then $2 else keep_until end
     where hash = $1 and uses > 0"
);
const PIN: Sql = sql!(
    "update images set uses = uses + 1, held = held + 1, keep_until = null, marked_at = null
     where hash = $1 and gone_at is null"
);
const UNPIN: Sql = sql!(
    "update images set uses = uses - 1, held = held - 1,
       keep_until = case when uses = 1 then $2 else keep_until end
     where hash = $1 and uses > 0 and held > 0"
);

/// Returns the stored number of a preset.
pub(crate) const fn preset_number(preset: Preset) -> i64 {
    match preset {
        Preset::Post => 0,
        Preset::Avatar => 1,
        Preset::Header => 2,
    }
}

fn read_image(row: &Row<'_>) -> kith_db::Result<ImageRow> {
    let pixels = |at| Ok::<_, kith_db::Error>(u32::try_from(row.int(at)?).unwrap_or(0));
    Ok(ImageRow {
        hash: row.text(0)?,
        width: pixels(1)?,
        height: pixels(2)?,
        widths: serde_json::from_str(&row.text(3)?).unwrap_or_default(),
        thumbhash: row.text(4)?,
    })
}

/// Returns whether an upload exists and has not ended (cancelled, rejected or expired).
pub(super) async fn is_open(db: &Reader<'_>, upload: UploadTicket) -> kith_db::Result<bool> {
    let parameters = params![upload.owner.0, upload.id.0];
    Ok(db.opt(&IS_OPEN, parameters, |_| Ok(())).await?.is_some())
}

/// Marks an upload as ended; false if it was not open. Keeps the row, because S3 may still receive the file.
pub(super) async fn mark_ended(
    db: &Db,
    upload: UploadTicket,
    now: Millis,
) -> kith_db::Result<bool> {
    let parameters = params![upload.owner.0, upload.id.0, now];
    Ok(db.exec(&END, parameters).await? > 0)
}

async fn find_image(
    db: &Reader<'_>,
    hash: &str,
    preset: Preset,
) -> kith_db::Result<Option<ImageRow>> {
    db.opt(&FIND_IMAGE, params![hash, preset_number(preset)], read_image).await
}

/// Finds the post image of an upload.
pub(super) async fn find_by_upload(
    db: &Reader<'_>,
    upload: UploadTicket,
) -> kith_db::Result<Option<ImageRow>> {
    let parameters = params![upload.owner.0, upload.id.0];
    // A few at most: one per preset and crop.
    for hash in db.all(&HASHES_BY_UPLOAD, parameters, |row| row.text(0)).await? {
        if let Some(image) = find_image(db, &hash, Preset::Post).await? {
            return Ok(Some(image));
        }
    }
    Ok(None)
}

/// Finds a member's image by hash and preset.
pub(super) async fn find_by_hash(
    db: &Reader<'_>,
    owner: Id,
    hash: &str,
    preset: Preset,
) -> kith_db::Result<Option<ImageRow>> {
    let parameters = params![owner.0, hash];
    match db.opt(&IS_SOURCE, parameters, |_| Ok(())).await? {
        Some(()) => find_image(db, hash, preset).await,
        None => Ok(None),
    }
}

/// Inserts an image's row before its files are written, so that the sweeper does not delete them.
pub(super) struct ClaimImage {
    /// `None` for an image of the operator.
    pub(super) owner: Option<Id>,
    pub(super) image: ImageRow,
    pub(super) preset: Preset,
    pub(super) now: Millis,
}

impl kith_db::Write for ClaimImage {
    type Out = ();
    type Err = ApiError;

    async fn run(&self, tx: &mut Tx) -> Result<()> {
        let widths = format!("{:?}", self.image.widths);
        let parameters = params![
            self.image.hash.as_str(),
            preset_number(self.preset),
            i64::from(self.image.width),
            i64::from(self.image.height),
            widths.as_str(),
            self.image.thumbhash.as_str(),
            self.now + AFTER_USE,
        ];
        let claimed = tx.opt(&CLAIM, parameters, |_| Ok(())).await?;
        // The account may have been deleted while the image was processed.
        if let Some(owner) = self.owner {
            members::ensure_active(tx, owner).await?;
        }
        // The sweeper is deleting the files; a retry will succeed.
        claimed.ok_or_else(ApiError::unavailable)
    }
}

/// Links an upload to its image after the image's files are written.
pub(super) struct SetSource {
    pub(super) upload: UploadTicket,
    pub(super) hash: String,
}

impl kith_db::Write for SetSource {
    type Out = ();
    type Err = ApiError;

    async fn run(&self, tx: &mut Tx) -> Result<()> {
        let UploadTicket { owner, id } = self.upload;
        let parameters = params![owner.0, id.0, self.hash.as_str()];
        tx.exec(&INSERT_SOURCE, parameters).await?;
        // Erasure of a deleted account would miss this row.
        members::ensure_active(tx, owner).await
    }
}

/// Adds a reference by a post or profile of the image's owner. Fails with 503 while the sweeper deletes the files.
pub async fn add_reference(tx: &Tx, owner: Id, hash: &str, now: Millis) -> Result<()> {
    if tx.exec(&ADD_REFERENCE, params![hash]).await? == 0 {
        return Err(ApiError::unavailable());
    }
    tx.exec(&MARK_USED, params![owner.0, hash, now]).await?;
    Ok(())
}

/// Pins any member's image by its URL path for an open case; false if it does not exist.
pub async fn pin(tx: &Tx, url: &str) -> kith_db::Result<bool> {
    match keys::hash_of(url) {
        Some(hash) => Ok(tx.exec(&PIN, params![hash]).await? > 0),
        None => Ok(false),
    }
}

/// Removes one pin; an image without references is kept until `until`.
pub async fn unpin(tx: &mut Tx, url: &str, until: Millis) -> kith_db::Result<()> {
    if let Some(hash) = keys::hash_of(url) {
        tx.exec(&UNPIN, params![hash, until]).await?;
    }
    Ok(())
}

/// Removes one reference by URL path; an image without references is kept until `until`.
pub async fn drop_reference(tx: &mut Tx, url: &str, until: Millis) -> kith_db::Result<()> {
    if let Some(hash) = keys::hash_of(url) {
        tx.exec(&DROP_REFERENCE, params![hash, until]).await?;
    }
    Ok(())
}
