//! Processes an uploaded file into a stored image with its renditions.

use crate::features::media::MediaState;
use crate::features::media::dto::ImageRow;
use crate::features::media::end_upload::end_upload;
use crate::features::media::errors;
use crate::features::media::image_workers::{WorkerPermit, process_in_worker};
use crate::features::media::keys::{self, ImageRef, UploadTicket};
use crate::features::media::store::{self, ClaimImage, SetSource};
use crate::http::error::{ApiError, Result};
use crate::platform::ids::Id;
use crate::platform::rate_limit::MemberAction;
use kith_images::{Crop, ImageError, Preset, ProcessedImage};
use kith_storage::StorageError;
use std::sync::Arc;

/// Resolves a URL to a member's image, processing their upload if necessary; `None` if it is neither.
pub async fn process_image(
    state: &Arc<MediaState>,
    member: Id,
    image_url: &str,
    preset: Preset,
    crop: Option<Crop>,
) -> Result<Option<ImageRow>> {
    let Some(image_ref) = keys::parse_image_url(state, image_url) else {
        return Ok(None);
    };
    let db = state.db.reader();
    match image_ref {
        ImageRef::Image(hash) => Ok(store::find_by_hash(&db, member, &hash, preset).await?),
        ImageRef::Upload(upload) => {
            drop(db);
            process_upload(state, member, upload, preset, crop).await
        }
    }
}

/// Returns the image of a member's upload, processing it if necessary; `None` if it is not the member's.
pub(super) async fn process_upload(
    state: &Arc<MediaState>,
    member: Id,
    upload: UploadTicket,
    preset: Preset,
    crop: Option<Crop>,
) -> Result<Option<ImageRow>> {
    if upload.owner != member {
        return Ok(None);
    }
    if let Some(image) = find_processed(state, upload, preset).await? {
        return Ok(Some(image));
    }
    // Acquires the permit before reading the file, so that waiting requests hold no memory.
    let permit = state.workers.acquire(member).await?;
    if preset != Preset::Post {
        // Each crop of a file is processed again, unlike an image for posts, so it is charged like an upload.
        // Charged after the permit: a request rejected for lack of workers costs nothing.
        state.rate_limiter.check_member(MemberAction::Upload, member)?;
    }
    let state = Arc::clone(state);
    // Detached: otherwise a client that disconnects and retries would restart the same work forever.
    let task = tokio::spawn(async move {
        match find_processed(&state, upload, preset).await? {
            Some(image) => Ok(Some(image)),
            None => process_file(&state, permit, upload, preset, crop).await,
        }
    });
    task.await.map_err(|error| {
        tracing::error!(%error, "an image could not be processed");
        ApiError::internal()
    })?
}

/// Returns the existing post image of an upload. Avatars and headers are cropped for each request.
async fn find_processed(
    state: &MediaState,
    upload: UploadTicket,
    preset: Preset,
) -> Result<Option<ImageRow>> {
    if preset != Preset::Post {
        return Ok(None);
    }
    let db = state.db.reader();
    Ok(store::find_by_upload(&db, upload).await?)
}

/// Decodes an uploaded file in a worker and stores its renditions; `None` if the upload has ended or has no file.
async fn process_file(
    state: &MediaState,
    permit: WorkerPermit,
    upload: UploadTicket,
    preset: Preset,
    crop: Option<Crop>,
) -> Result<Option<ImageRow>> {
    if !store::is_open(&state.db.reader(), upload).await? {
        return Ok(None);
    }
    let key = upload.storage_key(&state.key);
    let limit = kith_images::MAX_BYTES as u64;
    let file = match state.storage.get(&key, limit).await {
        Ok(Some(file)) => file,
        Ok(None) => return Ok(None),
        Err(failure) => {
            if matches!(failure, StorageError::TooLarge) {
                end_upload(state, upload).await?;
            }
            return Err(errors::from_storage_error(failure));
        }
    };
    let processed = decode(state, &file, preset, crop).await?;
    // Releases the worker permit while storing: a slow storage must not block other members' images.
    let _lock = permit.release_worker();
    let processed = match processed {
        Ok(processed) => processed,
        Err(error) => {
            // Deletes a file that cannot be decoded.
            end_upload(state, upload).await?;
            return Err(errors::from_image_error(error));
        }
    };
    let image = store_image(state, Some(upload.owner), processed, preset).await?;
    let source = SetSource { upload, hash: image.hash.clone() };
    state.db.write(source).await?;
    Ok(Some(image))
}

/// Decodes a file of the operator and stores its renditions. The image belongs to no member.
pub async fn import_image(state: &MediaState, file: &[u8], preset: Preset) -> Result<ImageRow> {
    let processed = decode(state, file, preset, None).await?;
    let processed = processed.map_err(errors::from_image_error)?;
    store_image(state, None, processed, preset).await
}

/// Decodes a file in a worker. The inner error is the file's.
async fn decode(
    state: &MediaState,
    file: &[u8],
    preset: Preset,
    crop: Option<Crop>,
) -> Result<std::result::Result<ProcessedImage, ImageError>> {
    let processed = process_in_worker(&state.settings.image_worker, file, preset, crop).await;
    processed.map_err(|error| {
        tracing::error!(%error, "an image could not be processed");
        ApiError::unavailable()
    })
}

/// Stores an image and its renditions, for a member or, without an owner, for the operator.
async fn store_image(
    state: &MediaState,
    owner: Option<Id>,
    processed: ProcessedImage,
    preset: Preset,
) -> Result<ImageRow> {
    let image = ImageRow::for_owner(&processed, owner.unwrap_or(Id::NONE), &state.key);
    let claim = ClaimImage { owner, image: image.clone(), preset, now: state.now() };
    state.db.write(claim).await?;
    for rendition in processed.renditions {
        let key = keys::storage_key(&image.hash, rendition.width);
        let put = state.storage.put(&key, rendition.bytes.into()).await;
        put.map_err(errors::from_storage_error)?;
    }
    Ok(image)
}

/// Reads an image from the storage by its URL path; `None` if its file is missing.
pub async fn read_image(state: &MediaState, path: &str) -> Result<Option<Vec<u8>>> {
    let Some((_, key)) = keys::hash_and_storage_key(path) else {
        return Ok(None);
    };
    let file = state.storage.get(key, kith_images::MAX_BYTES as u64).await;
    Ok(file.map_err(errors::from_storage_error)?.map(|bytes| bytes.to_vec()))
}
