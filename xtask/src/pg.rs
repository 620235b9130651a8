//! `cargo xtask pg -- COMMAND`: a command beside a private PostgreSQL.

use anyhow::{Context as _, Result};

use crate::postgres::{self, Cluster};
use crate::{after_dashes, process};

/// Starts a cluster, runs the command with `KITH_TEST_POSTGRES` set, stops the cluster.
pub(crate) fn command(arguments: &[String]) -> Result<()> {
    let usage = "say what to run, such as `cargo xtask pg -- cargo test -p kith feed`";
    let (program, rest) = after_dashes(arguments).split_first().context(usage)?;
    let cluster = Cluster::start()?;
    process::run(
        process::command(program, &[])
            .args(rest)
            .env("KITH_TEST_POSTGRES", cluster.url())
            .env("KITH_PG_BIN", postgres::programs()?),
    )
}
