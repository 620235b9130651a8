//! The thin floor under every feature: one SQL text, two engines.
//!
//! [`Db`] is either an embedded SQLite file or a PostgreSQL pool; callers never
//! ask which. Reads go through a [`Reader`], writes are values that implement
//! [`Write`] and run inside one transaction. Statements are written with
//! [`sql!`], which checks at compile time that both engines will take them.
//! This crate knows nothing of members, posts or any other feature.

mod config;
mod copy;
mod db;
pub mod dialect;
mod error;
mod figures;
mod fold;
mod health;
mod hearing;
mod job;
mod load;
pub mod migrate;
mod news;
mod office;
mod param;
mod plan;
mod pool;
mod postgres;
mod reader;
mod row;
mod sql;
mod sqlite;
mod tail;
mod ties;
mod tls;
mod turns;
mod tx;
mod writer;

pub use config::Config;
pub use copy::{copy_sqlite, damage_of_sqlite};
pub use db::{Db, Engine};
pub use error::{Error, Result};
pub use health::{Depth, Health, health};
pub use hearing::Hearing;
pub use load::{Load, Rows};
pub use migrate::Migration;
pub use news::{Change, Listener, News, Watch, number_of};
pub use param::Param;
pub use reader::{Lease, Reader};
pub use row::Row;
pub use sql::{Sql, SqlIn};
pub use turns::spread;
pub use tx::{Tx, Write};
