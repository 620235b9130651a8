//! `cargo xtask model`: runs the model-based property test of `crates/server/tests/model` for long.

use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context as _, Result, bail};

use crate::services::postgres::Cluster;
use crate::support::{cargo, process, web_app};

/// Number of runs from which an optimised build saves more time than it takes: debug runs are four
/// times slower, but the debug build usually exists.
const OPTIMISED_BUILD_RUNS: u64 = 3_000;

/// Parsed arguments.
#[derive(Debug, PartialEq, Eq)]
struct Args {
    runs: u64,
    /// Seed of the first run; derived from the time if `None`.
    seed: Option<u64>,
    on_postgres: bool,
}

/// Runs the test, which prints its progress and rate.
pub(crate) fn command(arguments: &[String]) -> Result<()> {
    let args = Args::parse(arguments)?;
    web_app::ensure_dist_folder()?;
    let cluster = args.on_postgres.then(Cluster::start).transpose()?;
    let test = match &cluster {
        Some(_) => "postgres_agrees_with_the_model",
        None => "sqlite_agrees_with_the_model",
    };
    let mut command = cargo::command(&["test", "-p", "kith", "--test", "model"]);
    if args.runs >= OPTIMISED_BUILD_RUNS {
        command.args(["--profile", "local"]);
    }
    command
        .args(["--", "--exact", "--nocapture", test])
        .env("KITH_MODEL_RUNS", args.runs.to_string())
        .env("KITH_MODEL_SEED", args.first_seed().to_string());
    if let Some(cluster) = &cluster {
        command.env("KITH_TEST_POSTGRES", cluster.url());
    }
    process::run(&mut command)
}

impl Args {
    fn parse(arguments: &[String]) -> Result<Self> {
        let mut args = Self { runs: 10_000, seed: None, on_postgres: false };
        let mut words = arguments.iter().map(String::as_str);
        while let Some(word) = words.next() {
            let mut number = || {
                let text = words.next().unwrap_or_default();
                text.parse::<u64>().with_context(|| format!("`{word}` takes a number"))
            };
            match word {
                "--runs" => args.runs = number()?,
                "--seed" => args.seed = Some(number()?),
                "--postgres" => args.on_postgres = true,
                other => bail!("unknown flag `{other}`; known: --runs, --seed and --postgres"),
            }
        }
        Ok(args)
    }

    fn first_seed(&self) -> u64 {
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        // Leaves room for a million runs, so that two searches hardly overlap.
        let other = now.map_or(0, |since| since.as_secs() * 1_000_000);
        self.seed.unwrap_or(other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(arguments: &[&str]) -> Result<Args> {
        Args::parse(&crate::support::arguments(arguments))
    }

    #[test]
    fn the_command_line_is_parsed() {
        let usual = parse(&[]).expect("no flag is required");
        assert_eq!((usual.runs, usual.on_postgres), (10_000, false));
        let given = parse(&["--runs", "5", "--postgres", "--seed", "7"]).expect("all of them");
        assert_eq!((given.runs, given.first_seed()), (5, 7));
        assert!(given.on_postgres);
        for wrong in [&["--runs"][..], &["--seed", "x"], &["--fast"]] {
            assert!(parse(wrong).is_err());
        }
    }
}
