//! `cargo xtask s3 -- COMMAND`: a command beside a private S3.

use anyhow::{Context as _, Result};

use crate::seaweed::Bucket;
use crate::{after_dashes, process};

/// Starts a server with an empty bucket, runs the command with `KITH_TEST_S3` and the keys set,
/// stops the server.
pub(crate) fn command(arguments: &[String]) -> Result<()> {
    let usage = "say what to run, such as `cargo xtask s3 -- cargo test -p kith-storage`";
    let (program, rest) = after_dashes(arguments).split_first().context(usage)?;
    let bucket = Bucket::start()?;
    process::run(
        process::command(program, &[])
            .args(rest)
            .envs(bucket.environment()),
    )
}
