//! What can be said of a database without changing it.

use crate::postgres::Postgres;
use crate::sqlite::{backup, connection};
use crate::{Config, Migration, Result, migrate};

/// The oldest PostgreSQL that Kith runs on, as the server writes its version.
const OLDEST_POSTGRES: i32 = 140_000;

/// How closely to look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Depth {
    /// Whether it opens and what version it has.
    Shallow,
    /// On SQLite also whether its pages are whole, which reads all of them.
    Pages,
}

/// The state of a database.
#[derive(Debug, Clone)]
pub struct Health {
    /// The engine and its version, such as `SQLite 3.51.3`.
    pub engine: String,
    /// How many migrations this program would apply.
    pub missing: usize,
    /// What is wrong, in sentences without a full stop.
    pub faults: Vec<String>,
    /// What may be wanted otherwise, in sentences without a full stop.
    pub remarks: Vec<String>,
}

/// Checks a database that is there. An unknown schema is an error, as when it is opened.
pub async fn health(config: &Config, all: &[Migration], depth: Depth) -> Result<Health> {
    match config {
        Config::Sqlite { path } => {
            let conn = connection::open_existing(path)?;
            let faults = match depth {
                Depth::Shallow => Vec::new(),
                Depth::Pages => backup::complaints(&conn, "pragma quick_check")?,
            };
            Ok(Health {
                engine: format!("SQLite {}", rusqlite::version()),
                missing: migrate::missing_sqlite(&conn, all)?,
                faults,
                remarks: Vec::new(),
            })
        }
        Config::Postgres { url, .. } => of_postgres(&Postgres::connect(url, 1)?, all).await,
    }
}

async fn of_postgres(db: &Postgres, all: &[Migration]) -> Result<Health> {
    let missing = migrate::missing_postgres(db, all).await?;
    let settings = "select current_setting('server_version'), \
        current_setting('server_version_num')::int, current_setting('server_encoding'), \
        current_setting('synchronous_commit'), current_setting('fsync'), \
        current_setting('max_connections')::int";
    let row = db.client().await?.query_one(settings, &[]).await?;
    let (mut faults, mut remarks) = (Vec::new(), Vec::new());
    if row.get::<_, i32>(1) < OLDEST_POSTGRES {
        faults.push("version 14 or later is needed".to_owned());
    }
    let encoding: String = row.get(2);
    if encoding != "UTF8" {
        faults.push(format!("its encoding is {encoding}, UTF8 is needed"));
    }
    if row.get::<_, &str>(3) == "off" {
        remarks.push("synchronous_commit is off: an answered write may be lost".to_owned());
    }
    if row.get::<_, &str>(4) == "off" {
        faults.push("fsync is off: a power cut can destroy the database".to_owned());
    }
    if db.is_exposed() {
        remarks.push(
            "what is sent to it can be read on the way: its address has no sslmode=verify-full"
                .to_owned(),
        );
    }
    let connections: i32 = row.get(5);
    if connections < 20 {
        remarks.push(format!("max_connections is {connections}, Kith holds 17"));
    }
    Ok(Health {
        engine: format!("PostgreSQL {}", row.get::<_, &str>(0)),
        missing,
        faults,
        remarks,
    })
}
