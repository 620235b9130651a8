//! Location of the database and size of its connection pool.

use std::path::PathBuf;

/// Location of the data.
#[derive(Debug, Clone)]
pub enum Config {
    /// An embedded SQLite file, created when it is missing.
    Sqlite {
        /// Path of the database file; SQLite keeps `-wal` and `-shm` files beside it.
        path: PathBuf,
    },
    /// A PostgreSQL server, 14 or later.
    Postgres {
        /// A `postgres://` URL. `sslmode=require` and `verify-full` encrypt connections and check the server's
        /// certificate against its host name and the system's roots, or those in the PEM file `sslrootcert`.
        /// Other modes are errors.
        url: String,
        /// Maximum number of connections of this process.
        pool_size: usize,
    },
}

impl Config {
    /// Configures SQLite at `path`.
    pub fn sqlite(path: impl Into<PathBuf>) -> Self {
        Self::Sqlite { path: path.into() }
    }

    /// Checks the URL without connecting. An error is a sentence without a full stop and without the password.
    pub fn check(&self) -> Result<(), String> {
        match self {
            Self::Sqlite { .. } => Ok(()),
            Self::Postgres { url, .. } => crate::postgres::tls::DatabaseUrl::parse(url).map(drop),
        }
    }

    /// Configures PostgreSQL at `url` with the default pool of 16 connections.
    pub fn postgres(url: impl Into<String>) -> Self {
        Self::Postgres { url: url.into(), pool_size: 16 }
    }
}
