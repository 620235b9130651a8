//! From a sent file to an image that pages can show.

use crate::app::App;
use crate::error::{ApiError, Result};
use crate::ids::Id;
use crate::media::address::{self, Named, Upload};
use crate::media::image::Stored;
use crate::media::refusals;
use crate::media::rows::{self, Claim, Source};
use axum::body::Bytes;
use kith_images::{Crop, Kind, Made, Refusal};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// How long a request waits until a picture can be worked on.
const QUEUE: Duration = Duration::from_secs(10);

/// Bounds how many pictures are worked on at once: each takes a core, and memory for its pixels.
#[derive(Debug)]
pub struct Darkroom(Arc<Semaphore>);

impl Default for Darkroom {
    fn default() -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Self(Arc::new(Semaphore::new((cores / 2).max(1))))
    }
}

impl Darkroom {
    async fn enter(&self) -> Result<OwnedSemaphorePermit> {
        let place = tokio::time::timeout(QUEUE, self.0.clone().acquire_owned()).await;
        match place {
            Ok(Ok(place)) => Ok(place),
            _ => Err(ApiError::unavailable()),
        }
    }
}

/// Works on a picture, off the threads that answer requests.
async fn work(
    place: OwnedSemaphorePermit,
    sent: Bytes,
    kind: Kind,
    crop: Option<Crop>,
) -> Result<Result<Made, Refusal>> {
    let work = tokio::task::spawn_blocking(move || {
        let made = kith_images::make(&sent, kind, crop);
        // Kept to the end: the request that asked may have given up meanwhile.
        drop(place);
        made
    });
    work.await.map_err(|error| {
        tracing::error!(%error, "an image could not be worked on");
        ApiError::internal()
    })
}

/// The image that a member's text names: one of theirs, or one made now of what they uploaded;
/// none when it names neither.
pub async fn develop(
    app: &App,
    member: Id,
    text: &str,
    kind: Kind,
    crop: Option<Crop>,
) -> Result<Option<Stored>> {
    let Some(named) = address::read(app, text) else {
        return Ok(None);
    };
    let db = app.db.reader().await?;
    match named {
        Named::Image(hash) => Ok(rows::by_hash(&db, member, &hash, kind).await?),
        Named::Upload(upload) => {
            drop(db);
            develop_upload(app, member, upload, kind, crop).await
        }
    }
}

/// The same for an upload.
pub(super) async fn develop_upload(
    app: &App,
    member: Id,
    upload: Upload,
    kind: Kind,
    crop: Option<Crop>,
) -> Result<Option<Stored>> {
    if upload.owner != member {
        return Ok(None);
    }
    // The others are cut, each time as asked.
    if kind == Kind::Post {
        let db = app.db.reader().await?;
        if let Some(image) = rows::by_upload(&db, upload).await? {
            return Ok(Some(image));
        }
    }
    make(app, upload, kind, crop).await
}

async fn make(app: &App, upload: Upload, kind: Kind, crop: Option<Crop>) -> Result<Option<Stored>> {
    let key = upload.key(&app.key);
    let limit = kith_images::MAX_BYTES as u64;
    // Before the file is read: who waits holds no memory.
    let place = app.darkroom.enter().await?;
    let sent = app.storage.get(&key, limit).await;
    let Some(sent) = sent.map_err(refusals::failed)? else {
        return Ok(None);
    };
    let made = match work(place, sent, kind, crop).await? {
        Ok(made) => made,
        Err(why) => {
            // What cannot be shown is not kept.
            app.storage.delete(&key).await.map_err(refusals::failed)?;
            return Err(refusals::refused(why));
        }
    };
    let image = Stored::of(&made);
    let claim = Claim {
        image: image.clone(),
        kind,
        now: app.now(),
    };
    app.db.write(claim).await?;
    for rendition in made.renditions {
        let key = address::stored(&image.hash, rendition.width);
        let put = app.storage.put(&key, rendition.bytes.into()).await;
        put.map_err(refusals::failed)?;
    }
    let source = Source {
        upload,
        hash: image.hash.clone(),
        now: app.now(),
    };
    app.db.write(source).await?;
    Ok(Some(image))
}
