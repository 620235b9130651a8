//! The program itself: what it prints, how it starts, stops and survives.

#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

mod backup;
mod command;
mod doctor;
mod images;
mod lifecycle;
mod operator;
mod program;
mod security;
mod smtp;
