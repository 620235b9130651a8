//! Change feed of this process on PostgreSQL: notifies the listener of its own changes and of those that others publish.

use super::encoding;
use super::instrument::Instrumentation;
use crate::change_feed::freshness::{FeedFreshness, MAX_LAG};
use crate::{ChangeEvent, Listener, RowChange, Sql, WatchSpec};
use parking_lot::{Mutex, RwLock};
use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher as _, RandomState};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use tokio::sync::{Notify, watch};

/// Watches, listener and poll state of this process.
pub(crate) struct ChangeFeed {
    watches: &'static [WatchSpec],
    listener: Listener,
    pub(crate) freshness: FeedFreshness,
    /// Instrumented statements, by their text.
    statements: RwLock<HashMap<&'static str, Arc<Instrumentation>>>,
    /// Hash of the watches, by [`encoding::spec_hash`].
    pub(super) spec_hash: String,
    /// Random number of this process.
    pub(crate) node: i64,
    pub(super) next_seq: AtomicI64,
    /// Number of polls that the subscriber has begun.
    begun_polls: AtomicU64,
    /// Number of the last completed poll.
    completed_poll: watch::Sender<u64>,
    /// Asks the subscriber to poll without its usual delay.
    pub(crate) poll_now: Notify,
    /// Sequence numbers of own transactions that the listener has not received: the commit is running, or its outcome
    /// is unknown and the poll that reads the row notifies the listener. Unknown ones, which are rare, are kept.
    pub(super) unacknowledged: Mutex<HashSet<i64>>,
}

impl std::fmt::Debug for ChangeFeed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ChangeFeed").field("node", &self.node).finish_non_exhaustive()
    }
}

impl ChangeFeed {
    pub(crate) fn new(watches: &'static [WatchSpec], listener: Listener) -> Self {
        Self {
            watches,
            listener,
            freshness: FeedFreshness::stale(),
            statements: RwLock::default(),
            spec_hash: encoding::spec_hash(watches),
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
            self.notify(encoding::decode(&self.spec_hash, changes).as_deref());
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

    /// Waits until a poll that begins after this call has completed. Returns immediately if the feed is stale, because
    /// caches are then bypassed.
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

    pub(super) fn notify(&self, changes: Option<&[RowChange]>) {
        if changes.is_some_and(<[_]>::is_empty) {
            return;
        }
        (self.listener)(changes.map_or(ChangeEvent::Unknown, ChangeEvent::Changed));
    }
}
