//! `cargo xtask invite-race`: many invite codes, each used by 50 concurrent sign-ups.

use anyhow::{Context as _, Result, bail};

use crate::services::postgres::Cluster;
use crate::services::s3_server::Bucket;
use crate::support::{cargo, process, web_app};

/// Parsed arguments.
#[derive(Debug, PartialEq, Eq)]
struct Args {
    rounds: u32,
    on_postgres: bool,
}

/// Runs the race test of `crates/server/tests/api/races`; fails unless each code creates one member.
pub(crate) fn command(arguments: &[String]) -> Result<()> {
    let args = parse_args(arguments)?;
    web_app::ensure_dist_folder()?;
    let servers = args
        .on_postgres
        .then(|| Ok::<_, anyhow::Error>((Cluster::start()?, Bucket::start()?)))
        .transpose()?;
    let engine = if args.on_postgres { "postgres" } else { "sqlite" };
    let test = format!("races::joining::one_code_makes_one_member::{engine}");
    let mut command = cargo::command(&["test", "-p", "kith", "--test", "api"]);
    command
        .args(["--", "--exact", "--nocapture", &test])
        .env("KITH_RACE_ROUNDS", args.rounds.to_string());
    if let Some((cluster, bucket)) = &servers {
        command.env("KITH_TEST_POSTGRES", cluster.url()).envs(bucket.environment());
    }
    process::run(&mut command)
}

fn parse_args(arguments: &[String]) -> Result<Args> {
    let mut args = Args { rounds: 1_000, on_postgres: false };
    let mut words = arguments.iter().map(String::as_str);
    while let Some(word) = words.next() {
        match word {
            "--rounds" => {
                let number = words.next().and_then(|word| word.parse().ok());
                args.rounds = number.context("`--rounds` takes a number")?;
            }
            "--postgres" => args.on_postgres = true,
            other => bail!("unknown flag `{other}`; known: --rounds N and --postgres"),
        }
    }
    Ok(args)
}

#[cfg(test)]
mod tests {
    use crate::support::arguments;

    #[test]
    fn the_command_line_is_parsed() {
        let parse = |words: &[&str]| super::parse_args(&arguments(words));
        let usual = parse(&[]).expect("no flag is required");
        assert_eq!((usual.rounds, usual.on_postgres), (1_000, false));
        let all = parse(&["--rounds", "7", "--postgres"]).expect("all flags");
        assert_eq!((all.rounds, all.on_postgres), (7, true));
        for wrong in [&["--rounds"][..], &["--rounds", "many"], &["--fast"]] {
            assert!(parse(wrong).is_err(), "{wrong:?}");
        }
    }
}
