//! Change feed: a subscriber learns after each commit which watched rows changed, and invalidates its caches.
//!
//! On SQLite, temporary triggers on the writer's connection collect the changes (`sqlite/change_tracker.rs`).
//! On PostgreSQL, statements return the rows that they change, and each transaction publishes them for other
//! processes (`postgres/changes/`). Changes of a transaction that is rolled back are dropped.

pub(crate) mod freshness;

/// Maximum number of columns of a watch.
pub(crate) const MAX_COLUMNS: usize = 4;

/// Rows and columns whose changes a listener receives.
#[derive(Debug, Clone, Copy)]
pub struct WatchSpec {
    /// Identifies these rows to the listener.
    pub topic: u8,
    /// Table of the rows.
    pub table: &'static str,
    /// Columns whose values a change carries, at most 4: integers unchanged, texts hashed by [`hash_key`].
    pub columns: &'static [&'static str],
    /// An update counts only if it sets one of these columns or of `columns`; an empty list means any column.
    pub update_of: &'static [&'static str],
    /// SQL condition on columns of `row`, checked before and after the change; empty for all rows.
    pub when: &'static str,
}

/// A row that was inserted, updated or deleted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RowChange {
    /// Topic of the [`WatchSpec`].
    pub topic: u8,
    /// Whether the row was deleted, or its watched columns now have other values.
    pub is_gone: bool,
    /// Values of the watched columns: after the change, or before it if `is_gone`.
    pub row: [Option<i64>; MAX_COLUMNS],
}

/// Event of the change feed, in commit order.
#[derive(Debug)]
pub enum ChangeEvent<'a> {
    /// One commit changed these rows; its writers have not received their results yet.
    Changed(&'a [RowChange]),
    /// Any row may have changed: another process wrote, or the outcome of a commit is unknown.
    Unknown,
}

/// Callback of a subscription. Commits wait for it: it must be quick and must not write. The writer thread calls
/// it on SQLite; concurrent commits and the change subscriber call it on PostgreSQL.
pub type Listener = Box<dyn Fn(ChangeEvent<'_>) + Send + Sync>;

/// Hashes a text column's value, alike in every process; texts may collide.
#[must_use]
pub fn hash_key(text: &str) -> i64 {
    hash_bytes(text.as_bytes())
}

/// Hashes by FNV-1a, which does not depend on the compiler.
pub(crate) fn hash_bytes(text: &[u8]) -> i64 {
    let mix = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    text.iter().fold(0xcbf2_9ce4_8422_2325, mix).cast_signed()
}
