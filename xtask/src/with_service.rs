//! `cargo xtask pg` and `cargo xtask s3`: run a command beside a private PostgreSQL or S3 server.

use anyhow::{Context as _, Result};

use crate::after_dashes;
use crate::services::caddy;
use crate::services::postgres::{self, Cluster};
use crate::services::s3_server::Bucket;
use crate::support::process;

/// Starts a cluster, runs the command with `KITH_TEST_POSTGRES` and `KITH_PG_BIN` set, stops the cluster.
pub(crate) fn pg(arguments: &[String]) -> Result<()> {
    let usage = "name a command, such as `cargo xtask pg -- cargo test -p kith feed`";
    let (program, rest) = after_dashes(arguments).split_first().context(usage)?;
    let cluster = Cluster::start()?;
    process::run(
        process::command(program, &[])
            .args(rest)
            .env("KITH_TEST_POSTGRES", cluster.url())
            .env("KITH_PG_BIN", postgres::programs()?)
            .env("KITH_CADDY", caddy::find_or_install()?),
    )
}

/// Starts a server with an empty bucket, runs the command with `KITH_TEST_S3` and the keys set,
/// stops the server.
pub(crate) fn s3(arguments: &[String]) -> Result<()> {
    let usage = "name a command, such as `cargo xtask s3 -- cargo test -p kith-storage`";
    let (program, rest) = after_dashes(arguments).split_first().context(usage)?;
    let bucket = Bucket::start()?;
    process::run(process::command(program, &[]).args(rest).envs(bucket.environment()))
}
