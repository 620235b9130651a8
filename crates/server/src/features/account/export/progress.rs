//! Progress and errors of an export.

use crate::features::account::AccountState;
use crate::features::account::export::store::{JobLease, JobUpdate, LEASE, UpdateJob};
use crate::http::error::ApiError;
use crate::platform::clock::Millis;
use std::io;

#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// Another worker has the lease, or the export was deleted.
    #[error("another worker has the lease")]
    Lost,
    /// The member does not exist or is suspended.
    #[error("{}", .0.message())]
    Rejected(ApiError),
    #[error(transparent)]
    Database(#[from] kith_db::Error),
    #[error(transparent)]
    File(#[from] io::Error),
    #[error(transparent)]
    Storage(#[from] kith_storage::StorageError),
}

impl Failure {
    /// Checks whether a retry would fail again.
    pub(super) fn is_final(&self) -> bool {
        match self {
            Self::Rejected(_) => true,
            Self::File(error) => error.kind() == io::ErrorKind::FileTooLarge,
            Self::Lost | Self::Database(_) | Self::Storage(_) => false,
        }
    }
}

impl From<ApiError> for Failure {
    fn from(error: ApiError) -> Self {
        Self::Rejected(error)
    }
}

/// Stores the percentage of an export and renews the worker's lease.
#[derive(Debug)]
pub(crate) struct Progress<'a> {
    /// `None` for the operator's export, which has no row.
    claim: Option<(&'a AccountState, JobLease)>,
    percent: i64,
    reported_at: Millis,
}

impl<'a> Progress<'a> {
    /// Creates a progress that is not stored.
    pub(crate) const fn untracked() -> Self {
        Self {
            claim: None,
            percent: 0,
            reported_at: 0,
        }
    }

    pub(super) const fn of(app: &'a AccountState, claim: JobLease) -> Self {
        Self {
            claim: Some((app, claim)),
            percent: 0,
            reported_at: 0,
        }
    }

    /// Stores a higher percentage, or renews the lease once a quarter of it has passed.
    pub(crate) async fn report(&mut self, percent: i64) -> Result<(), Failure> {
        let Some((app, claim)) = self.claim else {
            return Ok(());
        };
        let now = app.now();
        if percent <= self.percent && now < self.reported_at + LEASE / 4 {
            return Ok(());
        }
        (self.percent, self.reported_at) = (percent.max(self.percent), now);
        let what = JobUpdate::At(self.percent);
        if app.db.write(UpdateJob { claim, now, what }).await? {
            Ok(())
        } else {
            Err(Failure::Lost)
        }
    }
}
