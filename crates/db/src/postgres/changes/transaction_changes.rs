//! Changes of one transaction: recorded by statement, published with the commit.

use super::encoding;
use super::feed::ChangeFeed;
use super::instrument::Instrumentation;
use crate::error::is_retryable;
use crate::{RowChange, Sql};
use deadpool_postgres::Object;
use futures_util::future::join;
use parking_lot::Mutex;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// One row per transaction: its number, process, sequence number and encoded changes. Not an `unlogged` table, so that
/// rows survive a failover.
pub(crate) const TABLE: &str = "create table if not exists changes (
    xact bigint not null, node bigint not null, seq bigint not null, told text not null,
    primary key (xact, node))";

const INSERT: &str = "insert into changes (xact, node, seq, told)
    values (pg_current_xact_id()::text::bigint, $1, $2, $3)";

/// Maximum number of changes in a row; a larger transaction publishes an unknown change.
const MAX_CHANGES: usize = 4096;

/// Collects the changes of one transaction.
#[derive(Debug)]
pub(crate) struct TransactionChanges {
    /// `None` while this process has no subscription.
    feed: Option<Arc<ChangeFeed>>,
    changes: Mutex<Vec<RowChange>>,
    is_unknown: AtomicBool,
}

impl TransactionChanges {
    pub(crate) const fn new(feed: Option<Arc<ChangeFeed>>) -> Self {
        Self { feed, changes: Mutex::new(Vec::new()), is_unknown: AtomicBool::new(false) }
    }

    pub(crate) fn instrument(&self, sql: &Sql) -> Option<Arc<Instrumentation>> {
        self.feed.as_ref().map(|feed| feed.instrument(sql))
    }

    /// Records the changes of a statement.
    pub(crate) fn record(&self, statement: Option<&Instrumentation>, rows: &[tokio_postgres::Row]) {
        match statement {
            None | Some(Instrumentation::Unwatched) => {}
            Some(Instrumentation::Unknown) => self.is_unknown.store(true, Ordering::Relaxed),
            Some(Instrumentation::Instrumented(instrumented)) => {
                for row in rows {
                    if let Err(error) = instrumented.decode_changes(row, &mut self.changes.lock()) {
                        tracing::error!(%error, "the changes of a statement cannot be read");
                        self.is_unknown.store(true, Ordering::Relaxed);
                    }
                }
            }
        }
    }

    /// Commits, together with the row for other processes, and notifies the listener before the write returns.
    pub(crate) async fn commit(self, client: &Object) -> Result<(), tokio_postgres::Error> {
        let (changes, is_unknown) = (self.changes.into_inner(), self.is_unknown.into_inner());
        let Some(feed) = self.feed else {
            return client.batch_execute("commit").await;
        };
        // A row also without watched changes: another version of the program may watch what this one does not.
        let insert = client.prepare_cached(INSERT).await?;
        let known = !is_unknown && changes.len() <= MAX_CHANGES;
        let known = known.then_some(&changes[..]);
        let encoded = known.map_or_else(
            || encoding::UNKNOWN.to_owned(),
            |changes| encoding::encode(&feed.spec_hash, changes),
        );
        let seq = feed.next_seq.fetch_add(1, Ordering::Relaxed);
        feed.unacknowledged.lock().insert(seq);
        let insert_row = async { client.execute(&insert, &[&feed.node, &seq, &encoded]).await };
        // Pipelined; a failed insert turns the commit into a rollback.
        let (inserted, committed) = join(insert_row, client.batch_execute("commit")).await;
        let is_undone = match &committed {
            Ok(()) => inserted.is_err(),
            Err(error) => error.code().is_some_and(is_retryable),
        };
        let result = inserted.and(committed);
        if is_undone || result.is_ok() {
            if result.is_ok() {
                feed.notify(known);
            }
            // Removed last: a poll that saw the row before also notified the listener.
            feed.unacknowledged.lock().remove(&seq);
        } else {
            // The commit may have happened or happen later: the row then notifies the listener once more.
            feed.notify_unknown();
        }
        result
    }
}
