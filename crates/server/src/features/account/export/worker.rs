//! Worker that creates exports and deletes expired ones.

use crate::features::account::AccountState;
use crate::features::account::export::archive::Archive;
use crate::features::account::export::contents;
use crate::features::account::export::progress::{ExportError, ExportProgress};
use crate::features::account::export::store::{
    self, ClaimExport, ExportLease, ExportUpdate, LEASE, UpdateExport,
};
use crate::http::error::ApiError;
use crate::platform::ids::Id;
use axum::body::Bytes;
use futures_util::Stream;
use futures_util::future::BoxFuture;
use kith_storage::Storage;
use std::fs::{File, OpenOptions};
use std::future::Future;
use std::io::{self, Read as _, Seek as _};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// Maximum size in bytes: that of a single `PutObject` to S3.
const MAX_SIZE: u64 = 5 << 30;
/// Bytes per chunk of an upload.
const CHUNK_SIZE: usize = 64 * 1024;
/// Poll interval for exports of failed nodes.
const POLL_INTERVAL: Duration = Duration::from_secs(15);
/// Lease renewal interval during an upload.
const HEARTBEAT: Duration = Duration::from_millis(LEASE.unsigned_abs() / 4);

/// Creates exports until the process ends, woken by new requests.
pub async fn run_worker(state: Arc<AccountState>) {
    loop {
        if let Err(error) = process_exports(&state).await {
            tracing::warn!(%error, "exports could not be processed");
        }
        // Timeouts are expected.
        let _ = tokio::time::timeout(POLL_INTERVAL, state.exports.notified()).await;
    }
}

/// Deletes expired exports and creates requested ones. Safe to run on several nodes.
pub async fn process_exports(state: &AccountState) -> kith_db::Result<()> {
    loop {
        let expired = store::load_expired(&state.db.reader(), state.now()).await?;
        if expired.is_empty() || !delete(state, expired).await? {
            break;
        }
    }
    while let Some(lease) = state.db.write(ClaimExport { now: state.now() }).await? {
        let update = match create(state, lease).await {
            Ok(size) => ExportUpdate::Ready(size),
            Err(ExportError::LeaseLost) => continue,
            Err(error) => {
                tracing::error!(%error, attempt = lease.attempt, "an export failed");
                if error.is_final() || lease.is_exhausted() {
                    ExportUpdate::Failed
                } else {
                    ExportUpdate::Retry
                }
            }
        };
        let now = state.now();
        let is_ready = matches!(update, ExportUpdate::Ready(_));
        if !state.db.write(UpdateExport { lease, now, update }).await? {
            // Deletes the file if the account was deleted meanwhile, because no row refers to it.
            delete_file(&state.storage, lease).await;
        } else if is_ready {
            delete_older_files(state, lease).await?;
        }
    }
    Ok(())
}

/// Deletes all exports of a member; returns `false` if some remain.
pub async fn erase_exports(state: &AccountState, member: Id) -> kith_db::Result<bool> {
    loop {
        let all = store::load_by_member(&state.db.reader(), member).await?;
        if all.is_empty() {
            return Ok(true);
        }
        if !delete(state, all).await? {
            return Ok(false);
        }
    }
}

/// Deletes files before their rows, which refer to them. Returns whether all were deleted.
async fn delete(state: &AccountState, exports: Vec<ExportLease>) -> kith_db::Result<bool> {
    let mut are_all_deleted = true;
    for export in exports {
        let mut is_deleted = true;
        // Includes files of killed workers' attempts.
        for lease in export.all_attempts() {
            is_deleted &= delete_file(&state.storage, lease).await;
        }
        if is_deleted {
            store::delete(&state.db, export).await?;
        }
        are_all_deleted &= is_deleted;
    }
    Ok(are_all_deleted)
}

/// Deletes the files of a member's earlier exports. Their rows count against the quota for a day.
async fn delete_older_files(state: &AccountState, newest: ExportLease) -> kith_db::Result<()> {
    let all = store::load_by_member(&state.db.reader(), newest.member).await?;
    for older in all.into_iter().filter(|lease| lease.id < newest.id) {
        for lease in older.all_attempts() {
            delete_file(&state.storage, lease).await;
        }
    }
    Ok(())
}

async fn delete_file(storage: &Storage, export: ExportLease) -> bool {
    match storage.delete(&export.storage_key()).await {
        Ok(()) => true,
        Err(error) => {
            tracing::warn!(failure = %error, "the file of an export could not be deleted");
            false
        }
    }
}

/// Creates the file of an export; returns its size in bytes.
async fn create(state: &AccountState, lease: ExportLease) -> Result<u64, ExportError> {
    if lease.is_exhausted() {
        let message = "The export failed too many times.";
        return Err(ApiError::conflict("export_broken", message).into());
    }
    let mut progress = ExportProgress::tracked(state, lease);
    progress.report(0).await?;
    let archive = Archive::new(anonymous_tempfile(&state.settings.store.data, lease)?, MAX_SIZE);
    for image in contents::write_archive(state, lease.member, &archive, &mut progress).await? {
        tracing::warn!(image, "an export lacks an image that is missing in the storage");
    }
    let mut file = archive.finish().await?;
    let size = file.metadata()?.len();
    file.rewind()?;
    let body = stream_chunks(file);
    let key = lease.storage_key();
    let stored = state.storage.create(&key, body, MAX_SIZE);
    // Renews the lease, because the upload may take longer.
    with_heartbeat(stored, &mut progress, |progress| Box::pin(progress.report(0))).await??;
    Ok(size)
}

/// Runs a future while renewing the lease; aborts it when the lease is lost.
async fn with_heartbeat<T, P>(
    work: impl Future<Output = T>,
    progress: &mut P,
    report: impl for<'a> Fn(&'a mut P) -> BoxFuture<'a, Result<(), ExportError>>,
) -> Result<T, ExportError> {
    let lost = async {
        loop {
            tokio::time::sleep(HEARTBEAT).await;
            if let Err(error) = report(progress).await {
                return error;
            }
        }
    };
    tokio::select! {
        done = work => Ok(done),
        error = lost => Err(error),
    }
}

/// Creates an unlinked temporary file, which disappears with the process.
fn anonymous_tempfile(folder: &Path, lease: ExportLease) -> io::Result<File> {
    let path = folder.join(format!("export-{}-{}", lease.id.0, lease.attempt));
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let file = options.open(&path)?;
    std::fs::remove_file(&path)?;
    Ok(file)
}

fn stream_chunks(file: File) -> impl Stream<Item = io::Result<Bytes>> {
    futures_util::stream::try_unfold(file, |mut file| async move {
        let read = tokio::task::spawn_blocking(move || {
            let mut chunk = vec![0; CHUNK_SIZE];
            let length = file.read(&mut chunk)?;
            chunk.truncate(length);
            Ok::<_, io::Error>((chunk, file))
        });
        let (chunk, file) = read.await.map_err(io::Error::other)??;
        Ok((!chunk.is_empty()).then(|| (Bytes::from(chunk), file)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::future::{pending, ready};

    /// proves: export-stored
    #[tokio::test(start_paused = true)]
    async fn the_lease_is_renewed_during_an_upload() {
        let mut reports = 0;
        let long = tokio::time::sleep(HEARTBEAT * 9 + HEARTBEAT / 2);
        let renewed = with_heartbeat(long, &mut reports, |reports| {
            *reports += 1;
            Box::pin(ready(Ok(())))
        });
        renewed.await.unwrap();
        assert_eq!(reports, 9);
        let endless = pending::<()>();
        let result =
            with_heartbeat(endless, &mut reports, |_| Box::pin(ready(Err(ExportError::LeaseLost))));
        let result = result.await;
        assert!(matches!(result, Err(ExportError::LeaseLost)));
    }
}
