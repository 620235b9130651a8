//! Changes that writes on SQLite make, collected by temporary triggers on the writer's connection.
//!
//! Triggers see each changed row whichever statement changed it. Another process changes rows unseen:
//! SQLite reports only that it committed (`data_version`), and then any row may have changed.

use crate::change_feed::{MAX_COLUMNS, hash_bytes};
use crate::{ChangeEvent, Error, Listener, Result, RowChange, WatchSpec};
use parking_lot::Mutex;
use rusqlite::Connection;
use rusqlite::functions::{Context, FunctionFlags};
use rusqlite::types::ValueRef;
use std::sync::Arc;

/// Number of changes whose memory is kept between transactions.
const RETAINED_CAPACITY: usize = 4096;

/// Collects the changes of the writer's transaction and passes them to the listener after the commit.
pub(crate) struct SqliteChangeTracker {
    changes: Arc<Mutex<Vec<RowChange>>>,
    listener: Listener,
    /// SQLite's `data_version`, which other connections' commits change.
    version: i64,
}

impl SqliteChangeTracker {
    /// Installs the triggers. Commits of other connections are detected from now on.
    pub(crate) fn install(
        conn: &Connection,
        watches: &[WatchSpec],
        listener: Listener,
    ) -> Result<Self> {
        let changes = Arc::new(Mutex::new(Vec::new()));
        let collected = Arc::clone(&changes);
        conn.create_scalar_function(
            "record_change",
            -1,
            FunctionFlags::SQLITE_UTF8,
            move |args| {
                let change = read_change(args)?;
                let mut changes = collected.lock();
                // A statement may change many rows with the same key: one event is enough.
                if changes.last() != Some(&change) {
                    changes.push(change);
                }
                Ok(0)
            },
        )?;
        for (number, watch) in watches.iter().enumerate() {
            conn.execute_batch(&trigger_sql(number, watch)?)?;
        }
        let version = data_version(conn)?;
        Ok(Self { changes, listener, version })
    }

    /// Checks whether another connection committed since the last check.
    pub(crate) fn check_other_writers(&mut self, conn: &Connection) {
        match data_version(conn) {
            Ok(version) if version == self.version => {}
            Ok(version) => {
                self.version = version;
                (self.listener)(ChangeEvent::Unknown);
            }
            Err(error) => {
                tracing::warn!(%error, "the change counter of other processes cannot be read");
                (self.listener)(ChangeEvent::Unknown);
            }
        }
    }

    /// Returns the number of changes of this transaction so far.
    pub(crate) fn position(&self) -> usize {
        self.changes.lock().len()
    }

    /// Drops the changes after the first `count`: their savepoint was rolled back.
    pub(crate) fn discard_after(&self, count: usize) {
        self.changes.lock().truncate(count);
    }

    /// Passes the transaction's changes to the listener after a commit, or an unknown change after a failed one.
    pub(crate) fn publish(&self, is_committed: bool) {
        let mut changes = self.changes.lock();
        if !is_committed {
            (self.listener)(ChangeEvent::Unknown);
        } else if !changes.is_empty() {
            (self.listener)(ChangeEvent::Changed(&changes));
        }
        changes.clear();
        changes.shrink_to(RETAINED_CAPACITY);
    }
}

fn data_version(conn: &Connection) -> Result<i64> {
    let mut statement = conn.prepare_cached("pragma data_version")?;
    Ok(statement.query_row([], |row| row.get(0))?)
}

fn read_change(args: &Context<'_>) -> rusqlite::Result<RowChange> {
    let mut row = [None; MAX_COLUMNS];
    for (index, value) in row.iter_mut().enumerate().take(args.len() - 2) {
        *value = match args.get_raw(index + 2) {
            ValueRef::Text(text) => Some(hash_bytes(text)),
            _ => args.get(index + 2)?,
        };
    }
    Ok(RowChange { topic: args.get(0)?, is_gone: args.get(1)?, row })
}

fn trigger_sql(number: usize, watch: &WatchSpec) -> Result<String> {
    let WatchSpec { topic, table, columns, update_of, when: condition } = watch;
    if columns.len() > MAX_COLUMNS {
        return Err(Error::Statement(format!(
            "more than {MAX_COLUMNS} columns of {table} are watched"
        )));
    }
    let events = [("insert", "new", false), ("update", "new", false), ("delete", "old", true)];
    let trigger = |(event, row, is_gone)| {
        let update_of = if event == "update" && !update_of.is_empty() {
            format!(" of {}", [*update_of, *columns].concat().join(", "))
        } else {
            String::new()
        };
        let condition_on = |row: &str| condition.replace("row.", &format!("{row}."));
        let when = match event {
            _ if condition.is_empty() => String::new(),
            "update" => format!(" when ({}) or ({})", condition_on("old"), condition_on("new")),
            _ => format!(" when {}", condition_on(row)),
        };
        let values = |row: &str| {
            let values = columns.iter().map(|column| format!(", {row}.{column}"));
            values.collect::<String>()
        };
        // Subscribers that know the row by its old key learn that it is gone.
        let before = if event == "update" && !columns.is_empty() {
            let moved = columns.iter();
            let moved = moved.map(|column| format!("old.{column} is not new.{column}"));
            let moved = moved.collect::<Vec<_>>().join(" or ");
            format!("select record_change({topic}, true{}) where {moved}; ", values("old"))
        } else {
            String::new()
        };
        format!(
            "create temp trigger changed_{number}_{event} after {event}{update_of} on main.{table}{when}
             begin {before}select record_change({topic}, {is_gone}{}); end;\n",
            values(row)
        )
    };
    Ok(events.map(trigger).concat())
}
