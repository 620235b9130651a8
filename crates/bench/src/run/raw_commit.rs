//! What one durable commit costs without anything around it: one row at a time, in this process.

use crate::postgres;
use anyhow::Result;
use rusqlite::Connection;
use std::path::Path;
use std::time::{Duration, Instant};
use tokio_postgres::{Client, Statement};

/// Durable as the product's, and nothing else.
const DURABLE: &str = "pragma journal_mode = wal; pragma synchronous = full;";
/// Anew: a network may be measured more than once.
const TABLE: &str = "drop table if exists bare; \
    create table bare (id bigint primary key, content text not null)";

/// A database with one table.
#[derive(Debug)]
pub(super) struct RawCommits {
    engine: Engine,
    /// Rows so far.
    next: i64,
}

#[derive(Debug)]
enum Engine {
    Sqlite(Box<Connection>),
    Postgres(Client, Statement),
}

impl RawCommits {
    /// Makes one: a file in the folder, or a table of the database of PostgreSQL that is named.
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

    /// Microseconds from the begin of one commit to its end, on average over so much time.
    pub(super) async fn commit(&mut self, time: Duration) -> Result<f64> {
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
