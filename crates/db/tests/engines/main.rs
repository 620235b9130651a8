//! Tests of both database engines.

#![expect(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

mod change_feed_postgres;
mod change_feed_sqlite;
mod dialect;
mod hosts;
mod hung_server;
mod open;
mod postgres;
mod sqlite;
mod support;
mod tls;
