//! Which database to open, and how large its bounds are.

use std::path::PathBuf;

/// Where the data lives.
#[derive(Debug, Clone)]
pub enum Config {
    /// An embedded SQLite file, created when it is missing.
    Sqlite {
        /// Path of the database file; `-wal` and `-shm` files stand beside it.
        path: PathBuf,
    },
    /// A PostgreSQL server, 14 or later.
    Postgres {
        /// A `postgres://` address.
        url: String,
        /// Connections that this process holds at most.
        pool_size: usize,
    },
}

impl Config {
    /// SQLite at `path`.
    pub fn sqlite(path: impl Into<PathBuf>) -> Self {
        Self::Sqlite { path: path.into() }
    }

    /// PostgreSQL at `url` with the default pool of 16 connections.
    pub fn postgres(url: impl Into<String>) -> Self {
        Self::Postgres {
            url: url.into(),
            pool_size: 16,
        }
    }
}
