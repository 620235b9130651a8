//! How many can wait.

use crate::http::error::{ApiError, Result};
use kith_db::{Db, Sql, params, sql};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Addresses that may wait, since strangers write them. Admitted ones are as many as codes were mailed.
const MOST: i64 = 100_000;

const BEYOND: Sql =
    sql!("select id from waitlist where admitted_at is null order by id limit 1 offset $1");

/// Whether the list has room, as it was when it was last looked at.
#[derive(Debug, Default)]
pub(crate) struct Room {
    is_full: AtomicBool,
}

impl Room {
    /// 503 when there is none, for an address that stands on the list too.
    pub(super) fn check(&self) -> Result<()> {
        if self.is_full.load(Relaxed) {
            return Err(ApiError::unavailable());
        }
        Ok(())
    }

    /// Looks anew, and tells the log when there is none any more.
    pub(crate) async fn look(&self, db: &Db) -> kith_db::Result<()> {
        let beyond = db.opt(&BEYOND, params![MOST - 1], |_| Ok(())).await?;
        let was_full = self.is_full.swap(beyond.is_some(), Relaxed);
        if beyond.is_some() && !was_full {
            tracing::warn!(most = MOST, "the waitlist is full: nobody can join it");
        }
        Ok(())
    }
}
