//! Kith: an invite-only social network for short posts, in one binary.
//!
//! `main.rs` is only the process; everything it starts is here, so that the
//! tests drive the same router. A request goes `router` → a feature's handler →
//! one write or a few reads → JSON. `ARCHITECTURE.md` has the map.

#![warn(clippy::print_stdout, clippy::print_stderr)]

pub mod cli;
pub mod features;
pub mod http;
pub mod ops;
pub mod platform;
pub mod router;
pub mod state;
