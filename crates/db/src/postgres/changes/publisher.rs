//! Publishes changes on PostgreSQL: to the listener of this process directly, to others by a row of `changes`.

use super::instrument::Instrumentation;
use crate::change_feed::MAX_COLUMNS;
use crate::change_feed::freshness::{FeedFreshness, MAX_LAG};
use crate::{ChangeEvent, Listener, RowChange, Sql, WatchSpec, error::is_retryable};
use deadpool_postgres::Object;
use futures_util::future::join;
use parking_lot::{Mutex, RwLock};
use sha2::{Digest, Sha256};
use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;
use std::hash::{BuildHasher as _, RandomState};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};
use tokio::sync::{Notify, watch};

/// One row per transaction: its number, process, sequence number and changes. Logged, so that it survives failover.
pub(crate) const TABLE: &str = "create table if not exists changes (
    xact bigint not null, node bigint not null, seq bigint not null, told text not null,
    primary key (xact, node))";

const INSERT: &str = "insert into changes (xact, node, seq, told)
    values (pg_current_xact_id()::text::bigint, $1, $2, $3)";

/// Maximum number of changes in a row; a larger transaction publishes an unknown change.
const MAX_CHANGES: usize = 4096;
/// Content of a row whose transaction may have changed anything.
const UNKNOWN: &str = "*";

/// Watches and listener of this process.
pub(crate) struct ChangePublisher {
    watches: &'static [WatchSpec],
    listener: Listener,
    pub(crate) freshness: FeedFreshness,
    /// Instrumented statements, by their text.
    statements: RwLock<HashMap<&'static str, Arc<Instrumentation>>>,
    /// Short hash of the watches: topics of another process mean the same only if its hash is equal.
    spec_hash: String,
    /// Random number of this process.
    pub(crate) node: i64,
    next_seq: AtomicI64,
    /// Number of polls that the subscriber has begun.
    begun_polls: AtomicU64,
    /// Number of the last completed poll.
    completed_poll: watch::Sender<u64>,
    /// Asks the subscriber to poll without its usual delay.
    pub(crate) poll_now: Notify,
    /// Sequence numbers of own transactions that the listener has not received: the commit is running, or its outcome
    /// is unknown and the poll that reads the row notifies the listener. A few of the latter stay.
    unacknowledged: Mutex<HashSet<i64>>,
}

impl std::fmt::Debug for ChangePublisher {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ChangePublisher").field("node", &self.node).finish_non_exhaustive()
    }
}

impl ChangePublisher {
    pub(crate) fn new(watches: &'static [WatchSpec], listener: Listener) -> Self {
        let digest = Sha256::digest(format!("1 {watches:?}"));
        let spec_hash = hex::encode(&digest[..6]);
        Self {
            watches,
            listener,
            freshness: FeedFreshness::stale(),
            statements: RwLock::default(),
            spec_hash,
            node: RandomState::new().hash_one("node").cast_signed(),
            next_seq: AtomicI64::new(0),
            begun_polls: AtomicU64::new(0),
            completed_poll: watch::Sender::new(0),
            poll_now: Notify::new(),
            unacknowledged: Mutex::default(),
        }
    }

    /// Instruments a statement, once per text.
    pub(crate) fn instrument(&self, sql: &Sql) -> Arc<Instrumentation> {
        if let Some(statement) = self.statements.read().get(sql.postgres) {
            return Arc::clone(statement);
        }
        let statement = Arc::new(Instrumentation::parse(sql.postgres, self.watches));
        self.statements.write().insert(sql.postgres, Arc::clone(&statement));
        statement
    }

    /// Notifies the listener of a row of the table unless this process already has.
    pub(crate) fn receive(&self, node: i64, seq: i64, changes: &str) {
        if node != self.node || self.unacknowledged.lock().contains(&seq) {
            self.notify(self.decode(changes).as_deref());
        }
    }

    /// Notifies the listener that any row may have changed.
    pub(crate) fn notify_unknown(&self) {
        self.notify(None);
    }

    /// Whether this process published rows for others.
    pub(crate) fn has_published(&self) -> bool {
        self.next_seq.load(Ordering::Relaxed) > 0
    }

    /// Numbers a poll that begins now.
    pub(crate) fn begin_poll(&self) -> u64 {
        self.begun_polls.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// Records a completed poll, whose changes the listener has received.
    pub(crate) fn complete_poll(&self, number: u64) {
        self.completed_poll.send_replace(number);
    }

    /// Waits until a poll that begins now has completed; not while the feed is stale, when nothing is cached.
    pub(crate) async fn catch_up(&self) {
        if !self.freshness.is_current() {
            return;
        }
        let begun = self.begun_polls.load(Ordering::Relaxed);
        let mut completed = self.completed_poll.subscribe();
        self.poll_now.notify_one();
        // After a timeout the feed is stale.
        let _ = tokio::time::timeout(MAX_LAG, completed.wait_for(|number| *number > begun)).await;
    }

    fn notify(&self, changes: Option<&[RowChange]>) {
        if changes.is_some_and(<[_]>::is_empty) {
            return;
        }
        (self.listener)(changes.map_or(ChangeEvent::Unknown, ChangeEvent::Changed));
    }

    fn encode(&self, changes: &[RowChange]) -> String {
        let mut text = self.spec_hash.clone();
        for change in changes {
            let sign = if change.is_gone { '-' } else { '+' };
            let _ = write!(text, " {}{sign}", change.topic);
            let last = change.row.iter().rposition(Option::is_some);
            for value in &change.row[..last.map_or(0, |last| last + 1)] {
                let value = value.map(|value| value.to_string()).unwrap_or_default();
                let _ = write!(text, "{value},");
            }
        }
        text
    }

    /// Decodes a row; `None` means that anything may have changed.
    fn decode(&self, text: &str) -> Option<Vec<RowChange>> {
        let mut words = text.split(' ');
        let changes = (words.next() == Some(&self.spec_hash)).then_some(words)?;
        changes.map(decode_change).collect()
    }
}

fn decode_change(word: &str) -> Option<RowChange> {
    let sign = word.find(['+', '-'])?;
    let mut row = [None; MAX_COLUMNS];
    for (number, value) in word[sign + 1..].split_terminator(',').enumerate() {
        let slot = row.get_mut(number)?;
        if !value.is_empty() {
            *slot = Some(value.parse().ok()?);
        }
    }
    Some(RowChange {
        topic: word[..sign].parse().ok()?,
        is_gone: word[sign..].starts_with('-'),
        row,
    })
}

/// Collects the changes of one transaction.
#[derive(Debug)]
pub(crate) struct TxChanges {
    /// `None` while this process has no subscription.
    publisher: Option<Arc<ChangePublisher>>,
    changes: Mutex<Vec<RowChange>>,
    is_unclear: AtomicBool,
}

impl TxChanges {
    pub(crate) const fn new(publisher: Option<Arc<ChangePublisher>>) -> Self {
        Self { publisher, changes: Mutex::new(Vec::new()), is_unclear: AtomicBool::new(false) }
    }

    pub(crate) fn instrument(&self, sql: &Sql) -> Option<Arc<Instrumentation>> {
        self.publisher.as_ref().map(|publisher| publisher.instrument(sql))
    }

    /// Records the changes of a statement.
    pub(crate) fn record(&self, statement: Option<&Instrumentation>, rows: &[tokio_postgres::Row]) {
        match statement {
            None | Some(Instrumentation::Unwatched) => {}
            Some(Instrumentation::Unclear) => self.is_unclear.store(true, Ordering::Relaxed),
            Some(Instrumentation::Instrumented(instrumented)) => {
                for row in rows {
                    if let Err(error) = instrumented.read(row, &mut self.changes.lock()) {
                        tracing::error!(%error, "the changes of a statement cannot be read");
                        self.is_unclear.store(true, Ordering::Relaxed);
                    }
                }
            }
        }
    }

    /// Commits, together with the row for other processes, and notifies the listener before the write returns.
    pub(crate) async fn commit(self, client: &Object) -> Result<(), tokio_postgres::Error> {
        let (changes, is_unclear) = (self.changes.into_inner(), self.is_unclear.into_inner());
        let Some(publisher) = self.publisher else {
            return client.batch_execute("commit").await;
        };
        // A row also without watched changes: another version of the program may watch what this one does not.
        let insert = client.prepare_cached(INSERT).await?;
        let known = !is_unclear && changes.len() <= MAX_CHANGES;
        let known = known.then_some(&changes[..]);
        let encoded = known.map_or_else(|| UNKNOWN.to_owned(), |changes| publisher.encode(changes));
        let seq = publisher.next_seq.fetch_add(1, Ordering::Relaxed);
        publisher.unacknowledged.lock().insert(seq);
        let insert_row =
            async { client.execute(&insert, &[&publisher.node, &seq, &encoded]).await };
        // Pipelined; a failed insert turns the commit into a rollback.
        let (inserted, committed) = join(insert_row, client.batch_execute("commit")).await;
        let is_undone = match &committed {
            Ok(()) => inserted.is_err(),
            Err(error) => error.code().is_some_and(is_retryable),
        };
        let result = inserted.and(committed);
        if is_undone || result.is_ok() {
            if result.is_ok() {
                publisher.notify(known);
            }
            // Removed last: a poll that saw the row before also notified the listener.
            publisher.unacknowledged.lock().remove(&seq);
        } else {
            // The commit may have happened or happen later: the row then notifies the listener once more.
            publisher.notify_unknown();
        }
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OTHER: &[WatchSpec] =
        &[WatchSpec { topic: 0, table: "t", columns: &[], update_of: &[], when: "" }];

    fn publisher(watches: &'static [WatchSpec]) -> ChangePublisher {
        ChangePublisher::new(watches, Box::new(|_| {}))
    }

    #[test]
    fn changes_round_trip_between_processes_with_the_same_watches() {
        let change = |topic, is_gone, row| RowChange { topic, is_gone, row };
        let changes = [
            change(0, false, [Some(i64::MIN), Some(i64::MAX), None, Some(-1)]),
            change(11, true, [None; 4]),
            change(255, false, [None, Some(0), None, None]),
        ];
        let encoded = publisher(&[]).encode(&changes);
        assert_eq!(publisher(&[]).decode(&encoded).as_deref(), Some(&changes[..]));
        assert_eq!(publisher(OTHER).decode(&encoded), None, "another version of the program");
        assert_eq!(publisher(&[]).decode(UNKNOWN), None);
        assert_eq!(publisher(&[]).decode(&format!("{encoded} 1+x,")), None);
    }
}
