//! The worker that makes exports, and deletes old ones.

use crate::app::App;
use crate::clock::Millis;
use crate::error::ApiError;
use crate::export::archive::Archive;
use crate::export::contents;
use crate::export::rows::{self, Claim, LEASE, Note, Take, What};
use crate::ids::Id;
use axum::body::Bytes;
use futures_util::Stream;
use futures_util::future::BoxFuture;
use kith_storage::Storage;
use std::fs::{File, OpenOptions};
use std::future::Future;
use std::io::{self, Read as _, Seek as _};
use std::path::Path;
use std::time::Duration;

/// The largest export: what an S3 store takes at once.
const LARGEST: u64 = 5 << 30;
/// Bytes that are read of the finished file at a time.
const PIECE: usize = 64 * 1024;
/// The time between two looks for exports that another node left.
const PAUSE: Duration = Duration::from_secs(15);
/// The time between two signs of life while a file is stored.
const SIGN: Duration = Duration::from_millis(LEASE.unsigned_abs() / 4);

#[derive(Debug, thiserror::Error)]
pub(super) enum Failure {
    /// Somebody else makes it, or it is not wanted any more.
    #[error("somebody else took it")]
    Lost,
    /// The member is not here.
    #[error("{}", .0.message())]
    Refused(ApiError),
    #[error(transparent)]
    Database(#[from] kith_db::Error),
    #[error(transparent)]
    File(#[from] io::Error),
    #[error(transparent)]
    Storage(#[from] kith_storage::StorageError),
}

impl Failure {
    /// Whether another try would end the same way.
    fn is_final(&self) -> bool {
        match self {
            Self::Refused(_) => true,
            Self::File(error) => error.kind() == io::ErrorKind::FileTooLarge,
            Self::Lost | Self::Database(_) | Self::Storage(_) => false,
        }
    }
}

impl From<ApiError> for Failure {
    fn from(error: ApiError) -> Self {
        Self::Refused(error)
    }
}

/// Tells how far an export is, and thereby keeps it.
#[derive(Debug)]
pub(super) struct Progress<'a> {
    /// `None` for an operator, who only waits.
    claim: Option<(&'a App, Claim)>,
    percent: i64,
    told_at: Millis,
}

impl<'a> Progress<'a> {
    /// Nobody asks.
    pub(super) const fn untold() -> Self {
        Self {
            claim: None,
            percent: 0,
            told_at: 0,
        }
    }

    const fn of(app: &'a App, claim: Claim) -> Self {
        Self {
            claim: Some((app, claim)),
            percent: 0,
            told_at: 0,
        }
    }

    /// Notes how much is done, if that is news or the lease wears out.
    pub(super) async fn at(&mut self, percent: i64) -> Result<(), Failure> {
        let Some((app, claim)) = self.claim else {
            return Ok(());
        };
        let now = app.now();
        if percent <= self.percent && now < self.told_at + LEASE / 4 {
            return Ok(());
        }
        (self.percent, self.told_at) = (percent.max(self.percent), now);
        let what = What::At(self.percent);
        if app.db.write(Note { claim, now, what }).await? {
            Ok(())
        } else {
            Err(Failure::Lost)
        }
    }
}

/// Makes exports until the process ends. Woken by each new one.
pub async fn run(app: App) {
    loop {
        if let Err(error) = work(&app).await {
            tracing::warn!(%error, "exports could not be looked after");
        }
        // A timeout is the ordinary case.
        let _ = tokio::time::timeout(PAUSE, app.exports.notified()).await;
    }
}

/// Deletes what has expired, and makes what waits. Several nodes may be at it at once.
pub async fn work(app: &App) -> kith_db::Result<()> {
    loop {
        let old = rows::expired(&app.db.reader(), app.now()).await?;
        if old.is_empty() || !delete(app, old).await? {
            break;
        }
    }
    while let Some(claim) = app.db.write(Take { now: app.now() }).await? {
        let what = match make(app, claim).await {
            Ok(size) => What::Ready(size),
            Err(Failure::Lost) => continue,
            Err(error) => {
                tracing::error!(%error, attempt = claim.attempt, "an export was not made");
                if error.is_final() || claim.is_hopeless() {
                    What::Failed
                } else {
                    What::Later
                }
            }
        };
        let now = app.now();
        let is_ready = matches!(what, What::Ready(_));
        if !app.db.write(Note { claim, now, what }).await? {
            // The account may be gone meanwhile, and nothing leads to the file then.
            discard(&app.storage, claim).await;
        } else if is_ready {
            discard_older(app, claim).await?;
        }
    }
    Ok(())
}

/// Deletes all exports of a member; they are asked for again when not all could be deleted.
pub async fn forget(app: &App, member: Id) -> kith_db::Result<bool> {
    loop {
        let all = rows::of_member(&app.db.reader(), member).await?;
        if all.is_empty() {
            return Ok(true);
        }
        if !delete(app, all).await? {
            return Ok(false);
        }
    }
}

/// The files first: a row leads to its file. Whether all are gone.
async fn delete(app: &App, exports: Vec<Claim>) -> kith_db::Result<bool> {
    let mut all = true;
    for export in exports {
        let mut gone = true;
        // A worker that was killed may have left a file of its own.
        for claim in export.all() {
            gone &= discard(&app.storage, claim).await;
        }
        if gone {
            rows::delete(&app.db, export).await?;
        }
        all &= gone;
    }
    Ok(all)
}

/// Deletes the files of a member's earlier exports. Their rows stay, since they are counted for a day.
async fn discard_older(app: &App, newest: Claim) -> kith_db::Result<()> {
    let all = rows::of_member(&app.db.reader(), newest.member).await?;
    for older in all.into_iter().filter(|claim| claim.id < newest.id) {
        for claim in older.all() {
            discard(&app.storage, claim).await;
        }
    }
    Ok(())
}

async fn discard(storage: &Storage, export: Claim) -> bool {
    match storage.delete(&export.key()).await {
        Ok(()) => true,
        Err(failure) => {
            tracing::warn!(%failure, "the file of an export could not be deleted");
            false
        }
    }
}

async fn make(app: &App, claim: Claim) -> Result<u64, Failure> {
    if claim.is_hopeless() {
        let message = "It broke off too often.";
        return Err(ApiError::conflict("export_broken", message).into());
    }
    let mut progress = Progress::of(app, claim);
    progress.at(0).await?;
    let archive = Archive::new(nameless(&app.settings.store.data, claim)?, LARGEST);
    for image in contents::write(app, claim.member, &archive, &mut progress).await? {
        tracing::warn!(image, "an export lacks an image: it is not in the store");
    }
    let mut file = archive.finish().await?;
    let size = file.metadata()?.len();
    file.rewind()?;
    let body = pieces(file);
    let key = claim.key();
    let stored = app.storage.create(&key, body, LARGEST);
    // It may take longer than the lease lasts.
    keeping(stored, &mut progress, |progress| Box::pin(progress.at(0))).await??;
    Ok(size)
}

/// Does something that takes long, and gives a sign of life now and then; when that cannot be done any more, it is left.
async fn keeping<T, P>(
    work: impl Future<Output = T>,
    progress: &mut P,
    sign: impl for<'a> Fn(&'a mut P) -> BoxFuture<'a, Result<(), Failure>>,
) -> Result<T, Failure> {
    let lost = async {
        loop {
            tokio::time::sleep(SIGN).await;
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

/// A file that only this process has: it is gone with it.
fn nameless(folder: &Path, claim: Claim) -> io::Result<File> {
    let path = folder.join(format!("export-{}-{}", claim.id.0, claim.attempt));
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let file = options.open(&path)?;
    std::fs::remove_file(&path)?;
    Ok(file)
}

fn pieces(file: File) -> impl Stream<Item = io::Result<Bytes>> {
    futures_util::stream::try_unfold(file, |mut file| async move {
        let read = tokio::task::spawn_blocking(move || {
            let mut piece = vec![0; PIECE];
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
        let long = tokio::time::sleep(SIGN * 9 + SIGN / 2);
        let kept = keeping(long, &mut signs, |signs| {
            *signs += 1;
            Box::pin(ready(Ok(())))
        });
        kept.await.unwrap();
        assert_eq!(signs, 9);
        let endless = pending::<()>();
        let taken = keeping(endless, &mut signs, |_| Box::pin(ready(Err(Failure::Lost))));
        let left = taken.await;
        assert!(matches!(left, Err(Failure::Lost)));
    }
}
