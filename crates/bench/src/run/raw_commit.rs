//! Cost of a raw durable commit: one row at a time, in this process.

use crate::postgres;
use anyhow::Result;
use rusqlite::Connection;
use std::path::Path;
use std::time::{Duration, Instant};
use tokio_postgres::{Client, Statement};

/// The product's durability settings.
const DURABLE: &str = "pragma journal_mode = wal; pragma synchronous = full;";
/// Drops the old table, since a data set may be measured again.
const TABLE: &str = "drop table if exists bare; \
    create table bare (id bigint primary key, content text not null)";

/// A database with one table.
#[derive(Debug)]
pub(super) struct RawCommits {
    engine: Engine,
    /// Key of the last row.
    next: i64,
}

#[derive(Debug)]
enum Engine {
    Sqlite(Box<Connection>),
    Postgres(Client, Statement),
}

impl RawCommits {
    /// Creates the table in a SQLite file in `folder`, or in PostgreSQL if `database_url` is not empty.
    pub(super) async fn open(folder: &Path, database_url: &str) -> Result<Self> {
        let engine = if database_url.is_empty() {
            let conn = Connection::open(folder.join("bare.db"))?;
            conn.execute_batch(DURABLE)?;
            conn.execute_batch(TABLE)?;
            Engine::Sqlite(Box::new(conn))
        } else {
            let client = postgres::connect(database_url).await?;
            client.batch_execute(TABLE).await?;
            let insert = "insert into bare (id, content) values ($1, $2)";
            let insert = client.prepare(insert).await?;
            Engine::Postgres(client, insert)
        };
        Ok(Self { engine, next: 0 })
    }

    /// Commits rows for `time`; returns the mean microseconds per commit.
    pub(super) async fn measure_commit(&mut self, time: Duration) -> Result<f64> {
        let (begun, first) = (Instant::now(), self.next);
        while begun.elapsed() < time || self.next == first {
            self.next += 1;
            let text = crate::scenarios::TEXT;
            match &self.engine {
                Engine::Sqlite(conn) => {
                    let insert = "insert into bare (id, content) values (?1, ?2)";
                    conn.prepare_cached(insert)?.execute((self.next, text))?;
                }
                Engine::Postgres(client, insert) => {
                    client.execute(insert, &[&self.next, &text]).await?;
                }
            }
        }
        Ok(begun.elapsed().as_secs_f64() * 1e6 / (self.next - first) as f64)
    }
}
