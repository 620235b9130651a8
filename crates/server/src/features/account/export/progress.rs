//! Progress and errors of an export.

use crate::features::account::AccountState;
use crate::features::account::export::store::{ExportLease, ExportUpdate, LEASE, UpdateExport};
use crate::http::error::ApiError;
use crate::platform::clock::Millis;
use std::io;

#[derive(Debug, thiserror::Error)]
pub(crate) enum ExportError {
    /// Another worker has the lease, or the export was deleted.
    #[error("another worker has the lease")]
    LeaseLost,
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

impl ExportError {
    /// Checks whether a retry would fail again.
    pub(super) fn is_final(&self) -> bool {
        match self {
            Self::Rejected(_) => true,
            Self::File(error) => error.kind() == io::ErrorKind::FileTooLarge,
            Self::LeaseLost | Self::Database(_) | Self::Storage(_) => false,
        }
    }
}

impl From<ApiError> for ExportError {
    fn from(error: ApiError) -> Self {
        Self::Rejected(error)
    }
}

/// Stores the percentage of an export and renews the worker's lease.
#[derive(Debug)]
pub(crate) struct ExportProgress<'a> {
    /// `None` for the operator's export, which has no row.
    lease: Option<(&'a AccountState, ExportLease)>,
    percent: i64,
    reported_at: Millis,
}

impl<'a> ExportProgress<'a> {
    /// Creates a progress that is not stored.
    pub(crate) const fn untracked() -> Self {
        Self { lease: None, percent: 0, reported_at: 0 }
    }

    /// Creates a progress stored in the row of the claimed export.
    pub(super) const fn tracked(state: &'a AccountState, lease: ExportLease) -> Self {
        Self { lease: Some((state, lease)), percent: 0, reported_at: 0 }
    }

    /// Stores a higher percentage, or renews the lease once a quarter of it has passed.
    pub(crate) async fn report(&mut self, percent: i64) -> Result<(), ExportError> {
        let Some((state, lease)) = self.lease else {
            return Ok(());
        };
        let now = state.now();
        if percent <= self.percent && now < self.reported_at + LEASE / 4 {
            return Ok(());
        }
        (self.percent, self.reported_at) = (percent.max(self.percent), now);
        let update = ExportUpdate::Progress(self.percent);
        if state.db.write(UpdateExport { lease, now, update }).await? {
            Ok(())
        } else {
            Err(ExportError::LeaseLost)
        }
    }
}
