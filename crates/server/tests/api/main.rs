//! Black-box tests over the real router, each on both engines.
//!
//! `cargo xtask test` starts a PostgreSQL cluster and sets `KITH_TEST_POSTGRES`.

mod harness;

mod auth;
mod follows;
mod invites;
mod statements;
