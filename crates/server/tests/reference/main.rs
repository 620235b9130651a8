//! Agreement of the book, `docs/`, with the command line, the settings and the rate limits.
//!
//! `cargo xtask gen` writes the generated parts of its reference pages by running this with
//! `KITH_WRITE_REFERENCES`.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod book;
mod commands;
mod limits;
mod pages;
mod settings;
