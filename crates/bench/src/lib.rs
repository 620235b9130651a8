//! Performance benchmarks: a generator of synthetic data sets, a load generator that verifies
//! responses, a baseline server, and the runs that fill the tables of `docs/performance.md`.
//!
//! Started by `cargo xtask bench`; not part of a release.

#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "figures and indexes here are far below 2^52, and shares are rounded on purpose"
)]

pub mod baseline;
pub mod dataset;
pub mod load;
pub mod plot;
pub mod postgres;
pub mod raw_reads;
pub mod report;
pub mod run;
pub mod samples;
pub mod scaling;
pub mod scenarios;
pub mod separate_cores;
pub mod server;
