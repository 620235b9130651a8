//! Black-box tests over the real router, each on both engines.
//!
//! `cargo xtask test` starts a PostgreSQL cluster and sets `KITH_TEST_POSTGRES`.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod demo;
mod harness;
mod routes;
mod write_requests;

mod account;
mod auth;
mod client_errors;
mod csrf;
mod description;
mod dialect;
mod digest;
mod errors;
mod events;
mod figures;
mod follows;
mod headers;
mod invites;
mod limits;
mod load_shed;
mod mail;
mod media;
mod member_limits;
mod moderation;
mod moving;
mod neighbours;
mod nodes;
mod notification_settings;
mod notifications;
mod operator;
mod operator_invites;
mod plans;
mod posts;
mod profile_edit;
mod purge;
mod push;
mod races;
mod reads;
mod registration;
mod safety;
mod schema;
mod search;
mod settings;
mod shapes;
mod statements;
mod suggested;
mod tags;
mod upgraded;
mod users;
mod waitlist;
