//! Bulk load of an empty database, many times faster than writes.

use crate::postgres::Postgres;
use crate::sqlite::connection;
use crate::{Db, Error, Param, Result};
use bytes::{BufMut as _, Bytes, BytesMut};
use futures_util::SinkExt as _;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, Statement, params_from_iter};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::path::Path;
use tokio_postgres::Client;

/// No journal: a crash corrupts the file, so load only a file that can be created again.
const UNSAFE_SETTINGS: &str = "pragma journal_mode = off; pragma synchronous = off; pragma secure_delete = off; \
    pragma cache_size = -400000; pragma temp_store = memory; pragma threads = 2;";
const SQLITE_INDEXES: &str =
    "select name, sql from sqlite_schema where type = 'index' and sql is not null";
/// Indexes that belong to no constraint, with their `create index` statements.
const POSTGRES_INDEXES: &str = "select pg_class.relname::text, pg_get_indexdef(pg_index.indexrelid) \
    from pg_index join pg_class on pg_class.oid = pg_index.indexrelid \
    where pg_class.relnamespace = current_schema()::regnamespace and not exists (select 1 \
      from pg_constraint where pg_constraint.conindid = pg_index.indexrelid)";
/// Bytes per message to PostgreSQL.
const CHUNK_BYTES: usize = 1 << 20;

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

impl Db {
    /// Copies tables of a SQLite file with the same schema into empty ones on PostgreSQL, in one transaction.
    pub async fn copy_from_sqlite(&self, file: &Path, tables: &[String]) -> Result<()> {
        let Self::Postgres(db) = self else {
            let why = "only PostgreSQL is filled from a SQLite file";
            return Err(Error::Statement(why.into()));
        };
        copy_tables(db, file, tables).await
    }
}

async fn copy_tables(db: &Postgres, file: &Path, tables: &[String]) -> Result<()> {
    let source = connection::open_existing(file)?;
    let mut client = db.client().await?;
    let transaction = client.transaction().await?;
    let client = transaction.client();
    // One statement copies a table of any size.
    client
        .batch_execute("set local statement_timeout = 0; set local maintenance_work_mem = '256MB'")
        .await?;
    let mut indexes = Vec::new();
    for row in client.query(POSTGRES_INDEXES, &[]).await? {
        let (name, sql): (String, String) = (row.get(0), row.get(1));
        client.batch_execute(&format!("drop index {name}")).await?;
        indexes.push(sql);
    }
    for table in tables {
        let has_rows = format!("select exists (select 1 from {table})");
        if client.query_one(&has_rows, &[]).await?.get(0) {
            return Err(Error::Statement(format!("{table} has rows already")));
        }
        copy_table(&source, client, table).await?;
    }
    for sql in indexes {
        client.batch_execute(&sql).await?;
    }
    transaction.commit().await?;
    // The planner has no statistics until autovacuum runs.
    for table in tables {
        db.client().await?.batch_execute(&format!("analyze {table}")).await?;
    }
    Ok(())
}

async fn copy_table(source: &Connection, client: &Client, table: &str) -> Result<()> {
    let mut statement = source.prepare(&format!("select * from {table}"))?;
    let columns = statement.column_names().collect::<Vec<_>>().join(", ");
    let count = statement.column_count();
    let copy = format!("copy {table} ({columns}) from stdin");
    let mut sink = std::pin::pin!(client.copy_in(&copy).await?);
    let mut rows = statement.query([])?;
    let mut chunk = BytesMut::with_capacity(CHUNK_BYTES + (1 << 16));
    while let Some(row) = rows.next()? {
        for column in 0..count {
            write_copy_value(&mut chunk, row.get_ref(column)?)?;
            chunk.put_u8(if column + 1 < count { b'\t' } else { b'\n' });
        }
        if chunk.len() >= CHUNK_BYTES {
            let full = chunk.split().freeze();
            sink.feed(full).await?;
        }
    }
    sink.feed(Bytes::from(chunk)).await?;
    sink.finish().await?;
    Ok(())
}

/// Writes a value in the text format of `COPY`.
fn write_copy_value(chunk: &mut BytesMut, value: ValueRef<'_>) -> Result<()> {
    match value {
        ValueRef::Null => chunk.put_slice(b"\\N"),
        ValueRef::Integer(number) => chunk.put_slice(number.to_string().as_bytes()),
        ValueRef::Text(text) => {
            for byte in text {
                match byte {
                    b'\\' => chunk.put_slice(b"\\\\"),
                    b'\n' => chunk.put_slice(b"\\n"),
                    b'\r' => chunk.put_slice(b"\\r"),
                    b'\t' => chunk.put_slice(b"\\t"),
                    other => chunk.put_u8(*other),
                }
            }
        }
        other => {
            return Err(Error::Decode(format!("{other:?} is not a value of both engines")));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn separators_inside_of_values_are_escaped() -> Result<()> {
        let mut chunk = BytesMut::new();
        write_copy_value(&mut chunk, ValueRef::Text(b"a\tb\\c\nd\re"))?;
        write_copy_value(&mut chunk, ValueRef::Null)?;
        write_copy_value(&mut chunk, ValueRef::Integer(-7))?;
        assert_eq!(&chunk[..], b"a\\tb\\\\c\\nd\\re\\N-7");
        assert!(write_copy_value(&mut chunk, ValueRef::Real(0.5)).is_err());
        Ok(())
    }
}
