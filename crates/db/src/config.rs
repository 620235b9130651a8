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
        /// A `postgres://` address. With `sslmode=require` or `verify-full` connections are
        /// encrypted, and the server's certificate is held against its name and the system's
        /// roots, or those in the PEM file `sslrootcert`. Other modes are refused.
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

    /// Whether the address can be read. An error is a sentence without a full stop and without the password.
    pub fn check(&self) -> Result<(), String> {
        match self {
            Self::Sqlite { .. } => Ok(()),
            Self::Postgres { url, .. } => crate::postgres::tls::Address::parse(url).map(drop),
        }
    }

    /// PostgreSQL at `url` with the default pool of 16 connections.
    pub fn postgres(url: impl Into<String>) -> Self {
        Self::Postgres {
            url: url.into(),
            pool_size: 16,
        }
    }
}
