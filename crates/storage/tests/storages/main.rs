//! What both storages must do alike, and what each promises by itself.

#![expect(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

mod objects;
mod support;
