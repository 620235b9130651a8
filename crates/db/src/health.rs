//! Read-only health check of a database.

use crate::postgres::Postgres;
use crate::sqlite::{backup, connection};
use crate::{Config, Migration, Result, migrate};

/// Oldest supported PostgreSQL, as `server_version_num`.
const OLDEST_POSTGRES: i32 = 140_000;

/// Extent of a health check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Depth {
    /// Opens the database and reads its version and settings.
    Shallow,
    /// Also checks all pages of a SQLite file, which reads the whole file.
    Pages,
}

/// Result of a health check.
#[derive(Debug, Clone)]
pub struct Health {
    /// Engine and version, such as `SQLite 3.51.3`.
    pub engine: String,
    /// Number of migrations that this program would apply.
    pub missing: usize,
    /// Faults, as sentences without a full stop.
    pub faults: Vec<String>,
    /// Warnings, as sentences without a full stop.
    pub warnings: Vec<String>,
    /// Time of PostgreSQL's clock in milliseconds since 1970; `None` for SQLite, which has no clock of its own.
    pub server_time: Option<i64>,
}

/// Checks an existing database. An unknown schema is an error, as in [`Db::open`](crate::Db::open).
pub async fn health(config: &Config, all: &[Migration], depth: Depth) -> Result<Health> {
    match config {
        Config::Sqlite { path } => {
            let conn = connection::open_existing(path)?;
            let faults = match depth {
                Depth::Shallow => Vec::new(),
                Depth::Pages => backup::run_check(&conn, "pragma quick_check")?,
            };
            Ok(Health {
                engine: format!("SQLite {}", rusqlite::version()),
                missing: migrate::count_missing_sqlite(&conn, all)?,
                faults,
                warnings: Vec::new(),
                server_time: None,
            })
        }
        Config::Postgres { url, .. } => check_postgres(&Postgres::connect(url, 1)?, all).await,
    }
}

async fn check_postgres(db: &Postgres, all: &[Migration]) -> Result<Health> {
    let missing = migrate::count_missing_postgres(db, all).await?;
    let settings = "select current_setting('server_version'), \
        current_setting('server_version_num')::int, current_setting('server_encoding'), \
        current_setting('synchronous_commit'), current_setting('fsync'), \
        current_setting('max_connections')::int, \
        (extract(epoch from clock_timestamp()) * 1000)::bigint";
    let row = db.client().await?.query_one(settings, &[]).await?;
    let (mut faults, mut warnings) = (Vec::new(), Vec::new());
    if row.get::<_, i32>(1) < OLDEST_POSTGRES {
        faults.push("version 14 or later is needed".to_owned());
    }
    let encoding: String = row.get(2);
    if encoding != "UTF8" {
        faults.push(format!("its encoding is {encoding}, UTF8 is needed"));
    }
    if row.get::<_, &str>(3) == "off" {
        warnings.push("synchronous_commit is off: a confirmed write may be lost".to_owned());
    }
    if row.get::<_, &str>(4) == "off" {
        faults.push("fsync is off: a power cut can destroy the database".to_owned());
    }
    if db.is_remote_plaintext() {
        warnings.push(
            "connections cross the network unencrypted: its URL has no sslmode=verify-full"
                .to_owned(),
        );
    }
    let connections: i32 = row.get(5);
    if connections < 20 {
        warnings.push(format!("max_connections is {connections}, Kith holds 17"));
    }
    Ok(Health {
        engine: format!("PostgreSQL {}", row.get::<_, &str>(0)),
        missing,
        faults,
        warnings,
        server_time: Some(row.get(6)),
    })
}
