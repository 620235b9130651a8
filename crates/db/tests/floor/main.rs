//! What both engines must do alike, and what each promises by itself.

#![expect(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

mod dialect;
mod encrypted;
mod hung;
mod news;
mod open;
mod postgres;
mod servers;
mod sqlite;
mod support;
mod tail;
