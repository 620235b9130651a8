//! Bulk load of an empty SQLite file, many times faster than writes.

use crate::sqlite::connection;
use crate::{Param, Result};
use rusqlite::{Connection, Statement, params_from_iter};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::path::Path;

/// No journal: a crash corrupts the file, so load only a file that can be created again.
const UNSAFE_SETTINGS: &str = "pragma journal_mode = off; pragma synchronous = off; pragma secure_delete = off; \
    pragma cache_size = -400000; pragma temp_store = memory; pragma threads = 2;";
const SQLITE_INDEXES: &str =
    "select name, sql from sqlite_schema where type = 'index' and sql is not null";

/// A SQLite file during a bulk load. Its indexes are dropped first and created again at the end.
#[derive(Debug)]
pub struct BulkLoader {
    conn: Connection,
    /// `create index` statements of the dropped indexes.
    indexes: Vec<String>,
    /// Names of the filled tables.
    tables: RefCell<BTreeSet<String>>,
}

/// Inserts rows into one table.
#[derive(Debug)]
pub struct TableInserter<'a>(Statement<'a>);

impl BulkLoader {
    /// Opens a file that has its tables and that no other process uses.
    pub fn open(path: &Path) -> Result<Self> {
        let conn = connection::open_existing(path)?;
        conn.execute_batch(UNSAFE_SETTINGS)?;
        let found = conn
            .prepare(SQLITE_INDEXES)?
            .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?
            .collect::<rusqlite::Result<Vec<(String, String)>>>()?;
        for (name, _) in &found {
            conn.execute_batch(&format!("drop index {name}"))?;
        }
        conn.execute_batch("begin")?;
        Ok(Self {
            conn,
            indexes: found.into_iter().map(|(_, sql)| sql).collect(),
            tables: RefCell::default(),
        })
    }

    /// Starts to fill a table. Rows in primary key order are fastest.
    pub fn rows(&self, table: &str, columns: &[&str]) -> Result<TableInserter<'_>> {
        let places = (1..=columns.len()).map(|place| format!("?{place}"));
        let sql = format!(
            "insert into {table} ({}) values ({})",
            columns.join(", "),
            places.collect::<Vec<_>>().join(", ")
        );
        self.tables.borrow_mut().insert(table.to_owned());
        Ok(TableInserter(self.conn.prepare(&sql)?))
    }

    /// Deletes the rows of a table.
    pub(crate) fn clear(&self, table: &str) -> Result<()> {
        Ok(self.conn.execute_batch(&format!("delete from {table}"))?)
    }

    /// Creates the indexes and returns the names of the filled tables. Does not flush the file.
    pub fn finish(self) -> Result<Vec<String>> {
        self.conn.execute_batch("commit")?;
        for sql in &self.indexes {
            self.conn.execute_batch(sql)?;
        }
        self.conn.execute_batch("pragma journal_mode = delete")?;
        self.conn.close().map_err(|(_, error)| error)?;
        Ok(self.tables.into_inner().into_iter().collect())
    }
}

impl TableInserter<'_> {
    /// Inserts one row.
    pub fn add(&mut self, values: &[Param<'_>]) -> Result<()> {
        self.0.execute(params_from_iter(values))?;
        Ok(())
    }
}
