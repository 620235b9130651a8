//! Copies all rows between a SQLite file and PostgreSQL, and compares what arrived with what was sent.

use crate::bulk_load::BulkLoader;
use crate::copy_text::{read_value, write_line};
use crate::migrate::{self, Layout};
use crate::postgres::Postgres;
use crate::sqlite::connection;
use crate::{Config, Db, Error, Migration, Param, Result};
use bytes::{BufMut as _, Bytes, BytesMut};
use futures_util::{SinkExt as _, TryStreamExt as _};
use rusqlite::{Connection, Row};
use sha2::{Digest as _, Sha256};
use std::path::Path;
use tokio_postgres::{Client, IsolationLevel};

const TABLES: &str = "select name from sqlite_schema where type = 'table'
    and name not like 'sqlite_%' and name <> 'schema_migrations' order by name";
/// Columns of a table, whether each is an integer, and its place in the primary key, or 0.
const COLUMNS: &str = "select name, type = 'INTEGER', pk from pragma_table_info(?1) order by cid";
/// Indexes that belong to no constraint, with their `create index` statements.
const POSTGRES_INDEXES: &str = "select pg_class.relname::text, pg_get_indexdef(pg_index.indexrelid) \
    from pg_index join pg_class on pg_class.oid = pg_index.indexrelid \
    where pg_class.relnamespace = current_schema()::regnamespace and not exists (select 1 \
      from pg_constraint where pg_constraint.conindid = pg_index.indexrelid)";
/// Bytes per message to PostgreSQL.
const CHUNK_BYTES: usize = 1 << 20;

/// Callback for the number of rows that were copied or compared, and their total.
pub type OnProgress<'a> = &'a mut dyn FnMut(u64, u64);

/// Counts rows that were copied or compared.
struct Progress<'a> {
    done: u64,
    total: u64,
    report: OnProgress<'a>,
}

impl Progress<'_> {
    fn add_row(&mut self) {
        self.done += 1;
        if self.done.is_multiple_of(1000) || self.done == self.total {
            (self.report)(self.done, self.total);
        }
    }
}

/// Number and digest of a table's rows, in any order.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
struct TableDigest {
    rows: u64,
    sum: u128,
}

impl TableDigest {
    /// Adds a row in the text format of `COPY`, without its line break.
    fn add(&mut self, line: &[u8]) {
        let mut first = [0; 16];
        first.copy_from_slice(&Sha256::digest(line)[..16]);
        self.sum = self.sum.wrapping_add(u128::from_be_bytes(first));
        self.rows += 1;
    }
}

/// A table of both databases.
struct Table {
    name: String,
    columns: Vec<Column>,
}

struct Column {
    name: String,
    is_integer: bool,
    /// Place in the primary key, from 1; 0 for other columns.
    key: i64,
}

impl Table {
    fn load(conn: &Connection, name: &str) -> Result<Self> {
        let read = |row: &Row<'_>| {
            Ok(Column { name: row.get(0)?, is_integer: row.get(1)?, key: row.get(2)? })
        };
        let columns = conn.prepare(COLUMNS)?.query_map([name], read)?.collect::<Result<_, _>>()?;
        Ok(Self { name: name.to_owned(), columns })
    }

    fn load_all(conn: &Connection) -> Result<Vec<Self>> {
        let mut statement = conn.prepare(TABLES)?;
        let names = statement.query_map([], |row| row.get(0))?;
        let names = names.collect::<Result<Vec<String>, _>>()?;
        names.iter().map(|name| Self::load(conn, name)).collect()
    }

    fn column_names(&self) -> Vec<&str> {
        self.columns.iter().map(|column| column.name.as_str()).collect()
    }

    /// Returns the columns of the primary key, in its order.
    fn key(&self) -> String {
        let mut key = self.columns.iter().filter(|column| column.key > 0).collect::<Vec<_>>();
        key.sort_by_key(|column| column.key);
        key.iter().map(|column| column.name.as_str()).collect::<Vec<_>>().join(", ")
    }

    /// Passes each row of the SQLite file to `take`, in the text format of `COPY` without its line break.
    fn each_row(&self, conn: &Connection, mut take: impl FnMut(&[u8])) -> Result<()> {
        let columns = self.column_names().join(", ");
        let mut statement = conn.prepare(&format!("select {columns} from {}", self.name))?;
        let mut rows = statement.query([])?;
        let mut line = BytesMut::new();
        while let Some(row) = rows.next()? {
            line.clear();
            write_line(&mut line, row, self.columns.len())?;
            take(&line);
        }
        Ok(())
    }

    /// Copies the rows of a SQLite file into the empty table on PostgreSQL.
    async fn copy_in(
        &self,
        source: &Connection,
        client: &Client,
        progress: &mut Progress<'_>,
    ) -> Result<TableDigest> {
        let columns = self.column_names().join(", ");
        let mut statement = source.prepare(&format!("select {columns} from {}", self.name))?;
        let copy = format!("copy {} ({columns}) from stdin", self.name);
        let mut sink = std::pin::pin!(client.copy_in(&copy).await?);
        let mut rows = statement.query([])?;
        let mut digest = TableDigest::default();
        let mut chunk = BytesMut::with_capacity(CHUNK_BYTES + (1 << 16));
        while let Some(row) = rows.next()? {
            let start = chunk.len();
            write_line(&mut chunk, row, self.columns.len())?;
            digest.add(&chunk[start..]);
            chunk.put_u8(b'\n');
            progress.add_row();
            if chunk.len() >= CHUNK_BYTES {
                let full = chunk.split().freeze();
                sink.feed(full).await?;
            }
        }
        sink.feed(Bytes::from(chunk)).await?;
        sink.finish().await?;
        Ok(digest)
    }

    /// Passes each row of the table on PostgreSQL to `take`, in the order of its primary key.
    async fn copy_out(
        &self,
        client: &Client,
        progress: &mut Progress<'_>,
        mut take: impl FnMut(&[u8]) -> Result<()>,
    ) -> Result<TableDigest> {
        let (columns, key) = (self.column_names().join(", "), self.key());
        let copy = format!("copy (select {columns} from {} order by {key}) to stdout", self.name);
        let mut stream = std::pin::pin!(client.copy_out(&copy).await?);
        let mut digest = TableDigest::default();
        let mut rest = BytesMut::new();
        while let Some(chunk) = stream.try_next().await? {
            rest.put(chunk);
            while let Some(end) = rest.iter().position(|byte| *byte == b'\n') {
                let line = rest.split_to(end + 1);
                digest.add(&line[..end]);
                take(&line[..end])?;
                progress.add_row();
            }
        }
        Ok(digest)
    }

    fn compare(&self, sent: TableDigest, arrived: TableDigest) -> Result<()> {
        if sent == arrived {
            return Ok(());
        }
        let (name, sent, arrived) = (&self.name, sent.rows, arrived.rows);
        Err(Error::Statement(format!(
            "the rows of {name} differ after copying: {sent} were sent, {arrived} arrived"
        )))
    }
}

impl Db {
    /// Copies tables of a SQLite file with the same schema into empty ones on PostgreSQL, in one transaction.
    pub async fn copy_from_sqlite(&self, file: &Path, tables: &[String]) -> Result<()> {
        let Self::Postgres(db) = self else {
            let why = "only PostgreSQL is filled from a SQLite file";
            return Err(Error::Statement(why.into()));
        };
        let source = connection::open_existing(file)?;
        let tables = tables.iter().map(|table| Table::load(&source, table));
        let tables = tables.collect::<Result<Vec<_>>>()?;
        copy_tables(db, &source, &tables, &[], &mut |_, _| ()).await.map(drop)
    }
}

/// Copies a SQLite database into an empty one on PostgreSQL, in one transaction, and returns the number of rows. The
/// caller keeps servers from both.
pub async fn to_postgres(
    file: &Path,
    url: &str,
    all: &[Migration],
    report: OnProgress<'_>,
) -> Result<u64> {
    let source = connection::open_existing(file)?;
    migrate::ensure_current_sqlite(&source, all)?;
    let tables = Table::load_all(&source)?;
    let db = Postgres::connect(url, 2)?;
    migrate::migrate_postgres(&db, all, Layout::Plain).await?;
    let seeded = seeded_tables(all)?;
    let rows = copy_tables(&db, &source, &tables, &seeded, report).await?;
    // The WAL belongs to the file: without it, the file may be kept elsewhere.
    source.execute_batch("pragma wal_checkpoint(truncate)")?;
    Ok(rows)
}

/// Copies a PostgreSQL database into a new SQLite file, and returns the number of rows. Fails if another process
/// serves the database.
pub async fn to_sqlite(
    url: &str,
    file: &Path,
    all: &[Migration],
    report: OnProgress<'_>,
) -> Result<u64> {
    let db = Postgres::connect(url, 2)?;
    migrate::ensure_current_postgres(&db, all).await?;
    let mut client = db.client().await?;
    if crate::postgres::changes::has_other_server(&client).await? {
        return Err(Error::Schema("a server uses it: stop all servers first".into()));
    }
    let snapshot = client.build_transaction().isolation_level(IsolationLevel::RepeatableRead);
    let snapshot = snapshot.read_only(true).start().await?;
    let client = snapshot.client();
    client.batch_execute("set local statement_timeout = 0").await?;
    // Opening creates the schema.
    Db::open(&Config::sqlite(file), all).await?.close().await;
    let loader = BulkLoader::open(file)?;
    let conn = connection::open_reader(file)?;
    let tables = Table::load_all(&conn)?;
    drop(conn);
    let mut total = 0;
    for table in &tables {
        total += count_rows(client, table).await?;
    }
    let mut progress = Progress { done: 0, total: 2 * total, report };
    let mut sent = Vec::new();
    for table in seeded_tables(all)? {
        loader.clear(&table)?;
    }
    for table in &tables {
        let mut inserter = loader.rows(&table.name, &table.column_names())?;
        let insert = |line: &[u8]| {
            let texts = line.split(|byte| *byte == b'\t').map(read_value);
            let texts = texts.collect::<Result<Vec<_>>>()?;
            let values = table.columns.iter().zip(&texts);
            let values = values.map(|(column, text)| column.value(text.as_deref()));
            inserter.add(&values.collect::<Result<Vec<_>>>()?)
        };
        sent.push(table.copy_out(client, &mut progress, insert).await?);
    }
    loader.finish()?;
    let conn = connection::open_reader(file)?;
    for (table, sent) in tables.iter().zip(sent) {
        let mut arrived = TableDigest::default();
        table.each_row(&conn, |line| {
            arrived.add(line);
            progress.add_row();
        })?;
        table.compare(sent, arrived)?;
    }
    Ok(total)
}

impl Column {
    /// Converts a text of `COPY` to the column's type.
    fn value<'a>(&self, text: Option<&'a str>) -> Result<Param<'a>> {
        match text {
            None => Ok(Param::Null),
            Some(text) if self.is_integer => text
                .parse()
                .map(Param::Int)
                .map_err(|_| Error::Decode(format!("{text} in {} is not a number", self.name))),
            Some(text) => Ok(Param::Text(text)),
        }
    }
}

/// Returns the tables into which the migrations insert rows.
fn seeded_tables(all: &[Migration]) -> Result<Vec<String>> {
    let mut conn = Connection::open_in_memory()?;
    migrate::migrate_sqlite(&mut conn, all)?;
    let mut seeded = Vec::new();
    for table in Table::load_all(&conn)? {
        let has_rows = format!("select exists (select 1 from {})", table.name);
        if conn.query_row(&has_rows, [], |row| row.get(0))? {
            seeded.push(table.name);
        }
    }
    Ok(seeded)
}

async fn count_rows(client: &Client, table: &Table) -> Result<u64> {
    let count = format!("select count(*) from {}", table.name);
    let count: i64 = client.query_one(&count, &[]).await?.get(0);
    Ok(count.unsigned_abs())
}

/// Copies and compares tables. Those in `seeded` are emptied first; rows in another are an error.
async fn copy_tables(
    db: &Postgres,
    source: &Connection,
    tables: &[Table],
    seeded: &[String],
    report: OnProgress<'_>,
) -> Result<u64> {
    let mut total = 0;
    for table in tables {
        let count = format!("select count(*) from {}", table.name);
        total += source.query_row(&count, [], |row| row.get::<_, i64>(0))?.unsigned_abs();
    }
    let mut progress = Progress { done: 0, total: 2 * total, report };
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
        let has_rows = format!("select exists (select 1 from {})", table.name);
        if seeded.contains(&table.name) {
            client.batch_execute(&format!("delete from {}", table.name)).await?;
        } else if client.query_one(&has_rows, &[]).await?.get(0) {
            let reason = format!("the target is not empty: {} has rows", table.name);
            return Err(Error::Statement(reason));
        }
        let sent = table.copy_in(source, client, &mut progress).await?;
        let arrived = table.copy_out(client, &mut progress, |_| Ok(())).await?;
        table.compare(sent, arrived)?;
    }
    for sql in indexes {
        client.batch_execute(&sql).await?;
    }
    transaction.commit().await?;
    // The planner has no statistics until autovacuum runs.
    for table in tables {
        db.client().await?.batch_execute(&format!("analyze {}", table.name)).await?;
    }
    Ok(total)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_digest_ignores_order_and_notices_each_row() {
        let digest = |lines: &[&str]| {
            let mut digest = TableDigest::default();
            for line in lines {
                digest.add(line.as_bytes());
            }
            digest
        };
        assert_eq!(digest(&["1\ta", "2\tb"]), digest(&["2\tb", "1\ta"]));
        assert_ne!(digest(&["1\ta", "2\tb"]), digest(&["1\tb", "2\ta"]));
        assert_ne!(digest(&["1", "1"]), digest(&["1"]));
    }
}
