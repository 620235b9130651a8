//! The thin floor under every feature: one SQL text, two engines.
//!
//! [`Db`] is either an embedded SQLite file or a PostgreSQL pool; callers never
//! ask which. Reads go through a [`Reader`], writes are values that implement
//! [`Write`] and run inside one transaction. Statements are written with
//! [`sql!`], which checks at compile time that both engines will take them.
//! This crate knows nothing of members, posts or any other feature.

mod bulk_load;
mod change_feed;
mod config;
mod db;
pub mod dialect;
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
mod tx;

pub use bulk_load::{Load, Rows};
pub use change_feed::freshness::Hearing;
pub use change_feed::{Change, Listener, News, Watch, number_of};
pub use config::Config;
pub use db::{Db, Engine};
pub use error::{Error, Result};
pub use health::{Depth, Health, health};
pub use migrate::Migration;
pub use param::Param;
pub use postgres::write_limiter::spread;
pub use reader::{Lease, Reader};
pub use row::Row;
pub use sql::{Sql, SqlIn};
pub use sqlite::backup::{copy_sqlite, damage_of_sqlite};
pub use tx::{Tx, Write};
