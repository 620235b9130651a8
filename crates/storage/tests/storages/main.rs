//! Behaviour that both storages share, and guarantees of each.
//!
//! `cargo xtask test` starts a bucket and sets `KITH_TEST_S3`.

#![expect(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

mod canned;
mod creating;
mod faults;
mod folder;
mod full;
mod keys;
mod killed;
mod listing;
mod objects;
mod presigned;
mod roles;
mod s3;
mod support;
mod wire;
