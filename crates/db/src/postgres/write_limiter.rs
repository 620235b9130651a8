//! Whose turn it is to write on a server: so many at once, and few of them on one row.

use crate::metrics as figures;
use crate::{Error, Result};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Rows that are told apart; those that fall together share their turns.
const ROWS: usize = 64;

/// The turns of one pool.
#[derive(Debug)]
pub(crate) struct Turns {
    /// Writes at once: commits that wait for a standby must not take every connection away from the reads.
    all: Arc<Semaphore>,
    /// Of those, the ones that change one row. The server makes them one after the other: who waits there
    /// holds a connection, and all of them would be held by what happens to one well known post.
    rows: Vec<Arc<Semaphore>>,
    patience: Duration,
}

/// A turn, until it is dropped.
#[derive(Debug)]
pub(crate) struct Turn {
    _row: Option<OwnedSemaphorePermit>,
    _one: OwnedSemaphorePermit,
}

impl Turns {
    /// Of a pool of so many connections, for callers who wait so long.
    pub(crate) fn of(connections: usize, patience: Duration) -> Self {
        let most = (connections * 3 / 4).max(1);
        let on_one = || Arc::new(Semaphore::new((most / 4).max(1)));
        Self {
            all: Arc::new(Semaphore::new(most)),
            rows: std::iter::repeat_with(on_one).take(ROWS).collect(),
            patience,
        }
    }

    /// The next turn of a write that changes this row.
    pub(crate) async fn take(&self, row: Option<i64>) -> Result<Turn> {
        let waits = figures::Waits::begin();
        let turn = tokio::time::timeout(self.patience, self.next(row)).await;
        drop(waits);
        turn.ok().flatten().ok_or_else(|| {
            figures::refused().increment(1);
            Error::Unavailable("too many writes are waiting".into())
        })
    }

    async fn next(&self, row: Option<i64>) -> Option<Turn> {
        // First the row's: who waits for that takes no turn from others.
        let row = match row {
            Some(row) => Some(Arc::clone(self.on(row)).acquire_owned().await.ok()?),
            None => None,
        };
        let one = Arc::clone(&self.all).acquire_owned().await.ok()?;
        Some(Turn {
            _row: row,
            _one: one,
        })
    }

    fn on(&self, row: i64) -> &Arc<Semaphore> {
        &self.rows[(spread(row.cast_unsigned()) >> 32) as usize % ROWS]
    }
}

/// Spreads ids, which differ in their lowest bits, over a table: multiplied by 2⁶⁴ divided by the golden ratio.
#[must_use]
pub const fn spread(number: u64) -> u64 {
    number.wrapping_mul(0x9E37_79B9_7F4A_7C15)
}
