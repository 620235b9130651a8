//! How far an export is, and how it can fail.

use crate::features::account::AccountState;
use crate::features::account::export::store::{Claim, LEASE, Note, What};
use crate::http::error::ApiError;
use crate::platform::clock::Millis;
use std::io;

#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
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
    pub(super) fn is_final(&self) -> bool {
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
pub(crate) struct Progress<'a> {
    /// `None` for an operator, who only waits.
    claim: Option<(&'a AccountState, Claim)>,
    percent: i64,
    told_at: Millis,
}

impl<'a> Progress<'a> {
    /// Nobody asks.
    pub(crate) const fn untold() -> Self {
        Self {
            claim: None,
            percent: 0,
            told_at: 0,
        }
    }

    pub(super) const fn of(app: &'a AccountState, claim: Claim) -> Self {
        Self {
            claim: Some((app, claim)),
            percent: 0,
            told_at: 0,
        }
    }

    /// Notes how much is done, if that is news or the lease wears out.
    pub(crate) async fn at(&mut self, percent: i64) -> Result<(), Failure> {
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
