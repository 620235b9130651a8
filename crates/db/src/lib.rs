//! Database layer: one SQL text, two engines.
//!
//! [`Db`] is an embedded SQLite file or a pool of connections to PostgreSQL; features do not ask which.
//! A [`Reader`] reads, a value that implements [`Write`] runs inside one transaction. [`sql!`] converts a
//! statement for both engines. This crate knows no feature.

mod bulk_load;
mod change_feed;
mod config;
mod copy_text;
mod db;
mod erased_write;
mod error;
mod health;
mod metrics;
pub mod migrate;
mod param;
mod postgres;
mod reader;
mod row;
mod sql;
mod sqlite;
pub mod transfer;
mod tx;

pub use bulk_load::{BulkLoader, TableInserter};
pub use change_feed::freshness::FeedFreshness;
pub use change_feed::{ChangeEvent, Listener, RowChange, WatchSpec, hash_key};
pub use config::Config;
pub use db::{Db, Engine};
pub use error::{Error, Result};
pub use health::{Depth, Health, health};
pub use migrate::Migration;
pub use param::Param;
pub use postgres::write_limiter::fibonacci_hash;
pub use reader::{LazyConnection, Reader};
pub use row::Row;
pub use sql::{Sql, SqlIn, to_sqlite};
pub use sqlite::backup::{copy_sqlite, integrity_errors};
pub use tx::{Tx, Write};
