//! Moves a made network from its SQLite file into PostgreSQL: each table by one `COPY`, without its
//! indexes, which are made at the end.

use crate::cluster;
use anyhow::{Context as _, Result, ensure};
use bytes::{BufMut as _, Bytes, BytesMut};
use futures_util::SinkExt as _;
use kith::schema::MIGRATIONS;
use kith_db::{Config, Db};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, OpenFlags};
use std::io::Write as _;
use std::path::Path;
use tokio_postgres::Client;

/// Bytes that are sent at once.
const PIECE: usize = 1 << 20;
/// No trigger looks at rows that were right in SQLite, and nothing waits for the disk until the end.
const FAST: &str = "set session_replication_role = replica; set synchronous_commit = off; \
    set maintenance_work_mem = '512MB'";
/// Indexes that no constraint needs, with what makes them.
const INDEXES: &str = "select pg_class.relname::text, pg_get_indexdef(pg_index.indexrelid) \
    from pg_index join pg_class on pg_class.oid = pg_index.indexrelid \
    where pg_class.relnamespace = 'public'::regnamespace and not exists (select 1 \
      from pg_constraint where pg_constraint.conindid = pg_index.indexrelid)";
const TABLES: &str = "select name from sqlite_schema where type = 'table' \
    and name not like 'sqlite_%' and name <> 'schema_migrations'";

/// Fills the empty database at `url` with what is in the file.
pub(super) async fn pour(file: &Path, url: &str) -> Result<()> {
    let db = Db::open(&Config::postgres(url), MIGRATIONS).await?;
    db.close().await;
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let source = Connection::open_with_flags(file, flags)?;
    let client = cluster::connect(url).await?;
    client.batch_execute(FAST).await?;
    let mut made = Vec::new();
    for row in client.query(INDEXES, &[]).await? {
        let (name, sql): (String, String) = (row.get(0), row.get(1));
        client.batch_execute(&format!("drop index {name}")).await?;
        made.push(sql);
    }
    let tables = source
        .prepare(TABLES)?
        .query_map([], |row| row.get(0))?
        .collect::<rusqlite::Result<Vec<String>>>()?;
    ensure!(!tables.is_empty(), "{} has no tables", file.display());
    for table in tables {
        let copied = copy(&source, &client, &table).await;
        copied.with_context(|| format!("{table} could not be copied"))?;
    }
    for sql in made {
        client.batch_execute(&sql).await?;
    }
    // As autovacuum would have left it: what a load finds does not depend on when that looks.
    client.batch_execute("vacuum analyze").await?;
    client.batch_execute("checkpoint").await?;
    Ok(())
}

async fn copy(source: &Connection, client: &Client, table: &str) -> Result<()> {
    let mut statement = source.prepare(&format!("select * from {table}"))?;
    let columns = statement.column_names().collect::<Vec<_>>().join(", ");
    let count = statement.column_count();
    // What the migrations put there is in the file, too.
    client.batch_execute(&format!("truncate {table}")).await?;
    let copy = format!("copy {table} ({columns}) from stdin");
    let mut sink = std::pin::pin!(client.copy_in(&copy).await?);
    let mut rows = statement.query([])?;
    let mut piece = BytesMut::with_capacity(PIECE + (1 << 16));
    while let Some(row) = rows.next()? {
        for column in 0..count {
            put(&mut piece, row.get_ref(column)?)?;
            piece.put_u8(if column + 1 < count { b'\t' } else { b'\n' });
        }
        if piece.len() >= PIECE {
            let full = piece.split().freeze();
            sink.feed(full).await?;
        }
    }
    sink.feed(Bytes::from(piece)).await?;
    sink.finish().await?;
    Ok(())
}

/// A value in the text format of `COPY`.
fn put(piece: &mut BytesMut, value: ValueRef<'_>) -> Result<()> {
    match value {
        ValueRef::Null => piece.put_slice(b"\\N"),
        ValueRef::Integer(number) => write!(piece.writer(), "{number}")?,
        ValueRef::Text(text) => {
            for byte in text {
                match byte {
                    b'\\' => piece.put_slice(b"\\\\"),
                    b'\n' => piece.put_slice(b"\\n"),
                    b'\r' => piece.put_slice(b"\\r"),
                    b'\t' => piece.put_slice(b"\\t"),
                    other => piece.put_u8(*other),
                }
            }
        }
        other => anyhow::bail!("{other:?} is no value of both engines"),
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_separates_values_is_escaped_inside_of_them() -> Result<()> {
        let mut piece = BytesMut::new();
        put(&mut piece, ValueRef::Text(b"a\tb\\c\nd\re"))?;
        put(&mut piece, ValueRef::Null)?;
        put(&mut piece, ValueRef::Integer(-7))?;
        assert_eq!(&piece[..], b"a\\tb\\\\c\\nd\\re\\N-7");
        assert!(put(&mut piece, ValueRef::Real(0.5)).is_err());
        Ok(())
    }
}
