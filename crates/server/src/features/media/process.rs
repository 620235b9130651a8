//! From a sent file to an image that pages can show.

use crate::features::media::MediaState;
use crate::features::media::dto::Stored;
use crate::features::media::errors;
use crate::features::media::keys::{self, Named, Upload};
use crate::features::media::store::{self, Claim, Source};
use crate::features::media::worker;
use crate::features::media::worker_pool::Place;
use crate::http::error::{ApiError, Result};
use crate::platform::ids::Id;
use crate::platform::rate_limit::Act;
use kith_images::{Crop, Preset};
use kith_storage::StorageError;
use std::sync::Arc;

/// The image that a member's text names: one of theirs, or made now of their upload; none if neither.
pub async fn develop(
    app: &Arc<MediaState>,
    member: Id,
    text: &str,
    kind: Preset,
    crop: Option<Crop>,
) -> Result<Option<Stored>> {
    let Some(named) = keys::read(app, text) else {
        return Ok(None);
    };
    let db = app.db.reader();
    match named {
        Named::Image(hash) => Ok(store::by_hash(&db, member, &hash, kind).await?),
        Named::Upload(upload) => {
            drop(db);
            develop_upload(app, member, upload, kind, crop).await
        }
    }
}

/// The same for an upload.
pub(super) async fn develop_upload(
    app: &Arc<MediaState>,
    member: Id,
    upload: Upload,
    kind: Preset,
    crop: Option<Crop>,
) -> Result<Option<Stored>> {
    if upload.owner != member {
        return Ok(None);
    }
    if let Some(image) = made(app, upload, kind).await? {
        return Ok(Some(image));
    }
    // Before the file is read: who waits holds no memory.
    let place = app.darkroom.enter(member).await?;
    if kind != Preset::Post {
        // A file is worked on once for posts, but as often as somebody cuts another part of it: so
        // whoever has sent one file waits like who sends as many. Those who find no place pay nothing.
        app.limits.act(Act::Upload, member)?;
    }
    let app = Arc::clone(app);
    // Continues when the client hangs up: repeating that would otherwise process the same picture without end.
    let work = tokio::spawn(async move {
        match made(&app, upload, kind).await? {
            Some(image) => Ok(Some(image)),
            None => make(&app, place, upload, kind, crop).await,
        }
    });
    work.await.map_err(|error| {
        tracing::error!(%error, "an image could not be made");
        ApiError::internal()
    })?
}

/// What was already made of an upload. Pictures and headers are cut, each time as asked.
async fn made(app: &Arc<MediaState>, upload: Upload, kind: Preset) -> Result<Option<Stored>> {
    if kind != Preset::Post {
        return Ok(None);
    }
    let db = app.db.reader();
    Ok(store::by_upload(&db, upload).await?)
}

async fn make(
    app: &Arc<MediaState>,
    place: Place,
    upload: Upload,
    kind: Preset,
    crop: Option<Crop>,
) -> Result<Option<Stored>> {
    if !store::is_known(&app.db.reader(), upload).await? {
        return Ok(None);
    }
    let key = upload.key(&app.key);
    let limit = kith_images::MAX_BYTES as u64;
    let sent = match app.storage.get(&key, limit).await {
        Ok(Some(sent)) => sent,
        Ok(None) => return Ok(None),
        Err(failure) => {
            if matches!(failure, StorageError::TooLarge) {
                store::end(app, upload).await?;
            }
            return Err(errors::failed(failure));
        }
    };
    let made = worker::make(&app.settings.image_worker, &sent, kind, crop).await;
    let made = made.map_err(|error| {
        tracing::error!(%error, "an image could not be made");
        ApiError::unavailable()
    })?;
    // A store that stalls keeps nobody else's picture waiting.
    let _turn = place.leave();
    let made = match made {
        Ok(made) => made,
        Err(why) => {
            // What cannot be shown is not kept.
            store::end(app, upload).await?;
            return Err(errors::refused(why));
        }
    };
    let image = Stored::of(&made, upload.owner, &app.key);
    let claim = Claim {
        owner: upload.owner,
        image: image.clone(),
        kind,
        now: app.now(),
    };
    app.db.write(claim).await?;
    for rendition in made.renditions {
        let key = keys::stored(&image.hash, rendition.width);
        let put = app.storage.put(&key, rendition.bytes.into()).await;
        put.map_err(errors::failed)?;
    }
    let source = Source {
        upload,
        hash: image.hash.clone(),
    };
    app.db.write(source).await?;
    Ok(Some(image))
}
