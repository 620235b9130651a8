//! Kith: an invite-only social network for short posts, in one binary.
//!
//! A layer imports itself and those below it: `http` ← `features` ← `state` and `router` ← `ops` ← `cli`. All may use
//! the crate `kith-platform`. `ARCHITECTURE.md` describes the layers.

#![warn(clippy::print_stdout, clippy::print_stderr)]

pub mod cli;
pub mod features;
pub mod http;
pub mod ops;
pub mod router;
pub mod state;

pub use kith_platform as platform;
