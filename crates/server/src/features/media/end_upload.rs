//! Ends uploads that are used, cancelled or invalid.

use crate::features::media::MediaState;
use crate::features::media::keys::UploadTicket;
use crate::features::media::store;
use crate::http::error::Result;

/// Ends an upload and deletes its file; false if it was not open.
pub(super) async fn end_upload(state: &MediaState, upload: UploadTicket) -> Result<bool> {
    if !store::mark_ended(&state.db, upload, state.now()).await? {
        return Ok(false);
    }
    if let Err(failure) = state.storage.delete(&upload.storage_key(&state.key)).await {
        tracing::warn!(%failure, "a file that was sent is left to the sweeper");
    }
    Ok(true)
}
