//! The program itself: what it prints, how it starts, stops and survives.

#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

mod command;
mod images;
mod lifecycle;
mod program;
mod smtp;
