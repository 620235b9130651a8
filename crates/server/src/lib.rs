//! Kith: an invite-only social network for short posts, in one binary.
//!
//! `main.rs` is only the process; everything it starts is here, so that the
//! tests drive the same router. A request goes `router` → a feature's handler →
//! one write or a few reads → JSON. `ARCHITECTURE.md` has the map.

#![warn(clippy::print_stdout, clippy::print_stderr)]

pub mod account;
pub mod allowance;
pub mod assets;
mod audience;
pub mod auth;
pub mod authenticated_member;
pub mod backup;
pub mod bootstrap;
pub mod cli;
pub mod client;
pub mod clock;
pub mod concurrency_limit;
pub mod config;
mod connections;
pub mod cookies;
pub mod demo;
pub mod doctor;
pub mod edge;
pub mod error;
pub mod export;
pub mod extract;
mod files;
mod folder;
pub mod follows;
pub mod guard;
pub mod ids;
pub mod invites;
pub mod keyed_limit;
pub mod leaving;
pub mod limits;
pub mod listing;
pub mod load_shed;
pub mod mail;
pub mod media;
pub mod memory;
pub mod moderation;
pub mod notifications;
pub mod openapi;
pub mod output;
pub mod page;
pub mod platform;
pub mod posts;
pub mod purge;
pub mod range;
pub mod reason;
pub mod recount;
pub mod router;
pub mod safety;
pub mod schema;
pub mod secrets;
pub mod security;
pub mod serve;
pub mod session;
pub mod state;
pub mod tags;
pub mod telemetry;
mod temporary;
pub mod text;
pub mod users;
pub mod waitlist;
pub mod watermark;
pub mod workers;
