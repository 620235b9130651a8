//! Worker that creates exports and deletes expired ones.

use crate::features::account::AccountState;
use crate::features::account::export::archive::Archive;
use crate::features::account::export::contents;
use crate::features::account::export::progress::{Failure, Progress};
use crate::features::account::export::store::{
    self, ClaimExport, JobLease, JobUpdate, LEASE, UpdateJob,
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
pub async fn run(app: Arc<AccountState>) {
    loop {
        if let Err(error) = work(&app).await {
            tracing::warn!(%error, "exports could not be looked after");
        }
        // Timeouts are expected.
        let _ = tokio::time::timeout(POLL_INTERVAL, app.exports.notified()).await;
    }
}

/// Deletes expired exports and creates requested ones. Safe to run on several nodes.
pub async fn work(app: &AccountState) -> kith_db::Result<()> {
    loop {
        let old = store::expired(&app.db.reader(), app.now()).await?;
        if old.is_empty() || !delete(app, old).await? {
            break;
        }
    }
    while let Some(claim) = app.db.write(ClaimExport { now: app.now() }).await? {
        let what = match make(app, claim).await {
            Ok(size) => JobUpdate::Ready(size),
            Err(Failure::Lost) => continue,
            Err(error) => {
                tracing::error!(%error, attempt = claim.attempt, "an export was not made");
                if error.is_final() || claim.is_hopeless() {
                    JobUpdate::Failed
                } else {
                    JobUpdate::Later
                }
            }
        };
        let now = app.now();
        let is_ready = matches!(what, JobUpdate::Ready(_));
        if !app.db.write(UpdateJob { claim, now, what }).await? {
            // Deletes the file if the account was deleted meanwhile, because no row refers to it.
            discard(&app.storage, claim).await;
        } else if is_ready {
            discard_older(app, claim).await?;
        }
    }
    Ok(())
}

/// Deletes all exports of a member; returns `false` if some remain.
pub async fn erase(app: &AccountState, member: Id) -> kith_db::Result<bool> {
    loop {
        let all = store::of_member(&app.db.reader(), member).await?;
        if all.is_empty() {
            return Ok(true);
        }
        if !delete(app, all).await? {
            return Ok(false);
        }
    }
}

/// Deletes files before their rows, which refer to them. Returns whether all were deleted.
async fn delete(app: &AccountState, exports: Vec<JobLease>) -> kith_db::Result<bool> {
    let mut all = true;
    for export in exports {
        let mut gone = true;
        // Includes files of killed workers' attempts.
        for claim in export.all() {
            gone &= discard(&app.storage, claim).await;
        }
        if gone {
            store::delete(&app.db, export).await?;
        }
        all &= gone;
    }
    Ok(all)
}

/// Deletes the files of a member's earlier exports. Their rows count against the quota for a day.
async fn discard_older(app: &AccountState, newest: JobLease) -> kith_db::Result<()> {
    let all = store::of_member(&app.db.reader(), newest.member).await?;
    for older in all.into_iter().filter(|claim| claim.id < newest.id) {
        for claim in older.all() {
            discard(&app.storage, claim).await;
        }
    }
    Ok(())
}

async fn discard(storage: &Storage, export: JobLease) -> bool {
    match storage.delete(&export.key()).await {
        Ok(()) => true,
        Err(failure) => {
            tracing::warn!(%failure, "the file of an export could not be deleted");
            false
        }
    }
}

async fn make(app: &AccountState, claim: JobLease) -> Result<u64, Failure> {
    if claim.is_hopeless() {
        let message = "The export failed too many times.";
        return Err(ApiError::conflict("export_broken", message).into());
    }
    let mut progress = Progress::of(app, claim);
    progress.report(0).await?;
    let archive = Archive::new(
        anonymous_tempfile(&app.settings.store.data, claim)?,
        MAX_SIZE,
    );
    for image in contents::write(app, claim.member, &archive, &mut progress).await? {
        tracing::warn!(image, "an export lacks an image: it is not in the store");
    }
    let mut file = archive.finish().await?;
    let size = file.metadata()?.len();
    file.rewind()?;
    let body = stream_chunks(file);
    let key = claim.key();
    let stored = app.storage.create(&key, body, MAX_SIZE);
    // The upload may take longer than the lease.
    with_heartbeat(stored, &mut progress, |progress| {
        Box::pin(progress.report(0))
    })
    .await??;
    Ok(size)
}

/// Runs a future while renewing the lease; aborts it when the lease is lost.
async fn with_heartbeat<T, P>(
    work: impl Future<Output = T>,
    progress: &mut P,
    sign: impl for<'a> Fn(&'a mut P) -> BoxFuture<'a, Result<(), Failure>>,
) -> Result<T, Failure> {
    let lost = async {
        loop {
            tokio::time::sleep(HEARTBEAT).await;
            if let Err(failure) = sign(progress).await {
                return failure;
            }
        }
    };
    tokio::select! {
        done = work => Ok(done),
        failure = lost => Err(failure),
    }
}

/// Creates an unlinked temporary file, which disappears with the process.
fn anonymous_tempfile(folder: &Path, claim: JobLease) -> io::Result<File> {
    let path = folder.join(format!("export-{}-{}", claim.id.0, claim.attempt));
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
            let mut piece = vec![0; CHUNK_SIZE];
            let length = file.read(&mut piece)?;
            piece.truncate(length);
            Ok::<_, io::Error>((piece, file))
        });
        let (piece, file) = read.await.map_err(io::Error::other)??;
        Ok((!piece.is_empty()).then(|| (Bytes::from(piece), file)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::future::{pending, ready};

    /// proves: export-stored
    #[tokio::test(start_paused = true)]
    async fn an_export_is_kept_while_it_is_stored() {
        let mut signs = 0;
        let long = tokio::time::sleep(HEARTBEAT * 9 + HEARTBEAT / 2);
        let kept = with_heartbeat(long, &mut signs, |signs| {
            *signs += 1;
            Box::pin(ready(Ok(())))
        });
        kept.await.unwrap();
        assert_eq!(signs, 9);
        let endless = pending::<()>();
        let taken = with_heartbeat(endless, &mut signs, |_| Box::pin(ready(Err(Failure::Lost))));
        let left = taken.await;
        assert!(matches!(left, Err(Failure::Lost)));
    }
}
