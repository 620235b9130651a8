//! The performance harness: a maker of networks, a load generator that checks answers, a floor to
//! compare with, and the runs that fill the tables of `docs/performance.md`.
//!
//! Nothing here ships; `cargo xtask bench` starts it.

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
pub mod scaling;
pub mod scenarios;
pub mod server;
