//! What writes change, told row by row once it is committed: whoever remembers rows learns here
//! when to forget them.
//!
//! The writer's own connection holds temporary triggers on the tables that are watched. They see
//! each changed row whichever statement changed it, so no write can forget to tell. What an undone
//! write told is dropped with it. A program beside this one changes rows that nobody here is told
//! of; SQLite says only that it did (`data_version`), and then everything counts as changed.
//!
//! On PostgreSQL the statements answer which rows they changed (`plan.rs`), and each transaction leaves
//! that behind for other processes (`office.rs`, `tail.rs`).

pub(crate) mod freshness;

use crate::{Error, Result};
use parking_lot::Mutex;
use rusqlite::Connection;
use rusqlite::functions::{Context, FunctionFlags};
use rusqlite::types::ValueRef;
use std::sync::Arc;

/// Columns that are told of a row at most.
pub(crate) const TOLD: usize = 4;

/// Rows whose changes are told.
#[derive(Debug, Clone, Copy)]
pub struct Watch {
    /// What the listener knows these rows by.
    pub topic: u8,
    /// Their table.
    pub table: &'static str,
    /// The columns that are told, at most 4: an integer as it is, a text as [`number_of`] it.
    pub told: &'static [&'static str],
    /// An update is told if it sets one of these columns or of those that are told; if there are none
    /// here, any.
    pub of: &'static [&'static str],
    /// A condition on the columns of `row`, met before or after the change; empty for any row.
    pub only: &'static str,
}

/// A row that was inserted, updated or deleted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Change {
    /// Which [`Watch`] saw it.
    pub topic: u8,
    /// Whether it was deleted, or is told otherwise from now on.
    pub is_gone: bool,
    /// What is told of it: after the change, or before it for what is gone.
    pub row: [Option<i64>; TOLD],
}

/// What a listener is told, in the order of commits.
#[derive(Debug)]
pub enum News<'a> {
    /// One commit changed these rows; nobody has been told yet that their write is made.
    Changed(&'a [Change]),
    /// Anything may have changed: another program wrote, or a commit failed and may have been made.
    Unknown,
}

/// Is told by whoever commits, who waits for it: it must be quick, and must not write. On SQLite that is
/// the writer's thread; on PostgreSQL commits tell at the same time, and so does what other processes did.
pub type Listener = Box<dyn Fn(News<'_>) + Send + Sync>;

/// Changes that memory is kept for between transactions.
const KEPT: usize = 4096;

/// The writer's side: what was told since the last commit, and whom to tell.
pub(crate) struct Desk {
    told: Arc<Mutex<Vec<Change>>>,
    listener: Listener,
    /// SQLite's count of other connections' commits.
    version: i64,
}

impl Desk {
    /// Installs the triggers. What other connections commit from now on is noticed.
    pub(crate) fn open(conn: &Connection, watches: &[Watch], listener: Listener) -> Result<Self> {
        let told = Arc::new(Mutex::new(Vec::new()));
        let heard = Arc::clone(&told);
        conn.create_scalar_function("tell", -1, FunctionFlags::SQLITE_UTF8, move |row| {
            let change = read(row)?;
            let mut told = heard.lock();
            // A statement may touch many rows of one member: once is enough.
            if told.last() != Some(&change) {
                told.push(change);
            }
            Ok(0)
        })?;
        for (number, watch) in watches.iter().enumerate() {
            conn.execute_batch(&triggers(number, watch)?)?;
        }
        let version = version(conn)?;
        Ok(Self {
            told,
            listener,
            version,
        })
    }

    /// Looks whether another connection has committed since the last look.
    pub(crate) fn look_around(&mut self, conn: &Connection) {
        match version(conn) {
            Ok(version) if version == self.version => {}
            Ok(version) => {
                self.version = version;
                (self.listener)(News::Unknown);
            }
            Err(error) => {
                tracing::warn!(%error, "whether another program wrote is not known");
                (self.listener)(News::Unknown);
            }
        }
    }

    /// How much was told so far in this transaction.
    pub(crate) fn mark(&self) -> usize {
        self.told.lock().len()
    }

    /// Drops what was told since a mark: it was undone.
    pub(crate) fn forget_since(&self, mark: usize) {
        self.told.lock().truncate(mark);
    }

    /// Tells what the transaction changed, once it is committed.
    pub(crate) fn publish(&self, is_committed: bool) {
        let mut told = self.told.lock();
        if !is_committed {
            (self.listener)(News::Unknown);
        } else if !told.is_empty() {
            (self.listener)(News::Changed(&told));
        }
        told.clear();
        told.shrink_to(KEPT);
    }
}

fn version(conn: &Connection) -> Result<i64> {
    let mut statement = conn.prepare_cached("pragma data_version")?;
    Ok(statement.query_row([], |row| row.get(0))?)
}

fn read(told: &Context<'_>) -> rusqlite::Result<Change> {
    let mut row = [None; TOLD];
    for (place, value) in row.iter_mut().enumerate().take(told.len() - 2) {
        *value = match told.get_raw(place + 2) {
            ValueRef::Text(text) => Some(number(text)),
            _ => told.get(place + 2)?,
        };
    }
    Ok(Change {
        topic: told.get(0)?,
        is_gone: told.get(1)?,
        row,
    })
}

/// The number that is told of a text, the same in every process; different texts may share one.
#[must_use]
pub fn number_of(text: &str) -> i64 {
    number(text.as_bytes())
}

/// FNV-1a: processes that were built by different compilers must agree.
fn number(text: &[u8]) -> i64 {
    let mix = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    text.iter().fold(0xcbf2_9ce4_8422_2325, mix).cast_signed()
}

fn triggers(number: usize, watch: &Watch) -> Result<String> {
    let Watch {
        topic,
        table,
        told,
        of,
        only,
    } = watch;
    if told.len() > TOLD {
        return Err(Error::Statement(format!(
            "more than {TOLD} columns of {table} are told"
        )));
    }
    let events = [
        ("insert", "new", false),
        ("update", "new", false),
        ("delete", "old", true),
    ];
    let trigger = |(event, row, is_gone)| {
        let of = if event == "update" && !of.is_empty() {
            format!(" of {}", [*of, *told].concat().join(", "))
        } else {
            String::new()
        };
        let of_row = |row: &str| only.replace("row.", &format!("{row}."));
        let when = match event {
            _ if only.is_empty() => String::new(),
            "update" => format!(" when ({}) or ({})", of_row("old"), of_row("new")),
            _ => format!(" when {}", of_row(row)),
        };
        let columns = |row: &str| {
            let columns = told.iter().map(|column| format!(", {row}.{column}"));
            columns.collect::<String>()
        };
        // Whoever knows the row by what was told of it before must hear that it is gone.
        let before = if event == "update" && !told.is_empty() {
            let moved = told.iter();
            let moved = moved.map(|column| format!("old.{column} is not new.{column}"));
            let moved = moved.collect::<Vec<_>>().join(" or ");
            format!(
                "select tell({topic}, true{}) where {moved}; ",
                columns("old")
            )
        } else {
            String::new()
        };
        format!(
            "create temp trigger told_{number}_{event} after {event}{of} on main.{table}{when}
             begin {before}select tell({topic}, {is_gone}{}); end;\n",
            columns(row)
        )
    };
    Ok(events.map(trigger).concat())
}
