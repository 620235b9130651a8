//! `cargo xtask fuzz-api`: schemathesis generates valid and invalid requests from the OpenAPI
//! document and checks every response of the real binary.

mod fuzzer;
mod server;

use std::hash::{BuildHasher as _, RandomState};
use std::path::Path;

use anyhow::{Context as _, Result, bail};
use fuzzer::Fuzzer;
use server::TestServer;

use crate::services::postgres::Cluster;
use crate::support::cargo::{self, Profile};

/// Default minimum of test cases.
const DEFAULT_CASES: u64 = 20_000;

/// Cases per operation and phase of a pass; a pass then has about 10,000.
const LONG_EXAMPLES: u32 = 250;

/// Cases per operation and phase in the test suite, which takes less than a minute.
const SHORT_EXAMPLES: u32 = 20;

/// Parsed arguments.
#[derive(Debug, PartialEq, Eq)]
struct Args {
    cases: u64,
    seed: Option<u32>,
    postgres: bool,
    /// Arguments for schemathesis.
    rest: Vec<String>,
}

/// Runs passes with new seeds until there were enough cases.
pub(crate) fn command(arguments: &[String]) -> Result<()> {
    let args = parse_args(arguments)?;
    let binary = cargo::build(Profile::Debug)?;
    let seed = args.seed.unwrap_or_else(random_seed);
    let pass = Pass { examples: LONG_EXAMPLES, postgres: args.postgres, rest: &args.rest };
    run_passes(&binary, &pass, seed, args.cases)
}

/// Installs schemathesis, so that a missing program is reported before the long builds.
pub(crate) fn install() -> Result<()> {
    Fuzzer::install().map(|_| ())
}

/// Step of the test suite: one pass with a fixed seed.
pub(crate) fn step(binary: &Path) -> Result<()> {
    let pass = Pass { examples: SHORT_EXAMPLES, postgres: false, rest: &[] };
    run_passes(binary, &pass, 1, 1)
}

/// Settings of a pass.
struct Pass<'a> {
    /// Cases per operation and phase.
    examples: u32,
    postgres: bool,
    /// Arguments for schemathesis.
    rest: &'a [String],
}

fn run_passes(binary: &Path, pass: &Pass<'_>, first_seed: u32, wanted: u64) -> Result<()> {
    let fuzzer = Fuzzer::install()?;
    let mut cases = 0;
    let mut passes = 0;
    while cases < wanted {
        let seed = first_seed.wrapping_add(passes);
        println!("fuzz-api: pass {}, seed {seed}", passes + 1);
        let made = run_pass(&fuzzer, binary, pass, seed);
        cases += made.with_context(|| format!("repeat with `--seed {seed}`"))?;
        passes += 1;
    }
    println!("fuzz-api: {cases} cases in {passes} passes from seed {first_seed}, 0 failures");
    Ok(())
}

/// Runs a pass on a fresh server, since each pass uses up the seeded content.
fn run_pass(fuzzer: &Fuzzer, binary: &Path, pass: &Pass<'_>, seed: u32) -> Result<u64> {
    let cluster = pass.postgres.then(Cluster::start).transpose()?;
    let mut server = TestServer::start(binary, cluster.as_ref().map(Cluster::url))?;
    let seeded = fuzzer.seed(&server)?;
    let made = fuzzer.pass(&server, &seeded, seed, pass.examples, pass.rest);
    server.check_health()?;
    made
}

fn parse_args(arguments: &[String]) -> Result<Args> {
    let mut args = Args { cases: DEFAULT_CASES, seed: None, postgres: false, rest: Vec::new() };
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        match word.as_str() {
            "--postgres" => args.postgres = true,
            "--cases" => args.cases = parse_number(words.next(), "--cases")?,
            "--seed" => args.seed = Some(parse_number(words.next(), "--seed")?),
            "--" => args.rest = words.by_ref().cloned().collect(),
            other => bail!(
                "unknown flag `{other}`; known: --cases N, --seed N, --postgres and -- ARGS of `schemathesis run`"
            ),
        }
    }
    Ok(args)
}

fn parse_number<N: std::str::FromStr>(word: Option<&String>, flag: &str) -> Result<N> {
    let number = word.and_then(|word| word.parse().ok());
    number.with_context(|| format!("`{flag}` takes a number"))
}

/// A random seed; it is printed, so that a pass can be repeated.
fn random_seed() -> u32 {
    let [a, b, c, d, ..] = RandomState::new().hash_one("seed").to_le_bytes();
    u32::from_le_bytes([a, b, c, d])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn args(words: &[&str]) -> Result<Args> {
        parse_args(&words.iter().map(ToString::to_string).collect::<Vec<_>>())
    }

    #[test]
    fn the_command_line_is_parsed() {
        let plain = args(&[]).expect("no flag is required");
        assert_eq!((plain.cases, plain.seed, plain.postgres), (DEFAULT_CASES, None, false));
        let all = ["--cases", "7", "--seed", "3", "--postgres", "--", "-w", "2"];
        let all = args(&all).expect("all flags");
        assert_eq!((all.cases, all.seed, all.postgres), (7, Some(3), true));
        assert_eq!(all.rest, ["-w", "2"]);
        for wrong in [&["--cases"][..], &["--cases", "many"], &["--fast"]] {
            assert!(args(wrong).is_err(), "{wrong:?}");
        }
    }
}
