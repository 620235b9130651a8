//! Waitlist capacity.

use crate::http::error::{ApiError, Result};
use kith_db::{Db, Sql, params, sql};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Emails that can wait, because anonymous clients add them. Admitted entries do not count, because each
/// was admitted by an admin or the operator.
const MAX_WAITING: i64 = 100_000;

const OVERFLOW: Sql =
    sql!("select id from waitlist where admitted_at is null order by id limit 1 offset $1");

/// Cached "waitlist is full" flag, refreshed by the retention job.
#[derive(Debug, Default)]
pub(crate) struct CapacityFlag {
    is_full: AtomicBool,
}

impl CapacityFlag {
    /// Fails with 503 when the list is full, also for an email that is on the list, which would otherwise be revealed.
    pub(super) fn ensure_capacity(&self) -> Result<()> {
        if self.is_full.load(Relaxed) {
            return Err(ApiError::unavailable());
        }
        Ok(())
    }

    /// Refreshes the flag, and logs a warning when the list becomes full.
    pub(crate) async fn refresh(&self, db: &Db) -> kith_db::Result<()> {
        let overflow = db.opt(&OVERFLOW, params![MAX_WAITING - 1], |_| Ok(())).await?;
        let was_full = self.is_full.swap(overflow.is_some(), Relaxed);
        if overflow.is_some() && !was_full {
            tracing::warn!(
                most = MAX_WAITING,
                "the waitlist is full: new entries are rejected with 503"
            );
        }
        Ok(())
    }
}
