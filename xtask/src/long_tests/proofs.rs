//! `cargo xtask prove`: runs a test of the suite with many more rounds.

use std::process::Command;

use anyhow::{Context as _, Result, bail};

use crate::browser::e2e;
use crate::services::caddy;
use crate::services::postgres::{self, Cluster};
use crate::services::s3_server::Bucket;
use crate::support::cargo::{self, Profile};
use crate::support::{process, web_app};

/// Variable with the number of rounds of a test.
const ROUNDS_VARIABLE: &str = "KITH_PROOF_ROUNDS";
/// Variable with the path of the binary to start instead of the debug build.
const BINARY_VARIABLE: &str = "KITH_PROOF_BINARY";

/// Test that runs for a number of rounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ProofTest {
    /// Test of the process.
    Process(&'static str),
    /// Test of the process that also starts PostgreSQL servers itself.
    Replicas(&'static str),
    /// Test of the API on one engine.
    Api(&'static str),
    /// Browser test.
    Browser(&'static str),
}

/// A proof with its default number of rounds.
#[derive(Debug)]
struct Proof {
    name: &'static str,
    about: &'static str,
    rounds: u32,
    test: ProofTest,
}

const PROOFS: &[Proof] = &[
    Proof {
        name: "kill",
        about: "kill -9 while members write",
        rounds: 1_000,
        test: ProofTest::Process("killed::an_acknowledged_post_survives_a_kill"),
    },
    Proof {
        name: "upgrade-kill",
        about: "kill -9 while the schema is changed",
        rounds: 50,
        test: ProofTest::Process("killed::a_killed_upgrade_is_complete_or_not_begun"),
    },
    Proof {
        name: "stop",
        about: "SIGTERM while members write",
        rounds: 100,
        test: ProofTest::Process("stopping::a_stop_loses_no_request_in_flight"),
    },
    Proof {
        name: "power",
        about: "posts under strace, each acknowledged after its flush",
        rounds: 1_000,
        test: ProofTest::Process("power::a_response_is_sent_after_the_flush"),
    },
    Proof {
        name: "full-disk",
        about: "a disk of 64 MB, filled and emptied",
        rounds: 20,
        test: ProofTest::Process(
            "full_disk::a_full_disk_stops_writes_only_and_for_as_long_as_it_is_full",
        ),
    },
    Proof {
        name: "clock",
        about: "jumps of a day, and starts on a clock that is behind",
        rounds: 100,
        test: ProofTest::Process("clock::no_expired_link_works_when_the_clock_jumps"),
    },
    Proof {
        name: "mail-down",
        about: "minutes without a mail server while links are requested",
        rounds: 60,
        test: ProofTest::Process("mail_down::each_valid_link_is_mailed_once"),
    },
    Proof {
        name: "overload",
        about: "seconds of up to ten times the maximum load",
        rounds: 300,
        test: ProofTest::Process("overload::a_tenfold_overload_is_survived"),
    },
    Proof {
        name: "failover",
        about: "promotions of a synchronous standby while members write",
        rounds: 100,
        test: ProofTest::Replicas(
            "failover::nothing_acknowledged_is_lost_when_a_standby_takes_over",
        ),
    },
    Proof {
        name: "node-kill",
        about: "kill -9 of one of three nodes while members write",
        rounds: 20,
        test: ProofTest::Replicas("nodes::a_killed_node_loses_no_acknowledged_post"),
    },
    Proof {
        name: "rolling-restart",
        about: "restarts of three nodes in turn behind Caddy",
        rounds: 10,
        test: ProofTest::Replicas("nodes::a_rolling_restart_fails_no_request"),
    },
    Proof {
        name: "node-latency",
        about: "posts on one of three nodes, read on another",
        rounds: 200,
        test: ProofTest::Replicas("nodes::a_write_reaches_members_of_other_nodes"),
    },
    Proof {
        name: "event-latency",
        about: "likes on three nodes, shown by a browser behind Caddy",
        rounds: 200,
        test: ProofTest::Replicas("nodes::an_event_reaches_browsers_of_other_nodes"),
    },
    Proof {
        name: "node-cost",
        about: "twenties of posts on one node, applied by another",
        rounds: 500,
        test: ProofTest::Replicas("nodes::a_node_applies_the_writes_of_another_one"),
    },
    Proof {
        name: "repeats",
        about: "posts sent five times each, with four of five responses dropped",
        rounds: 1_000,
        test: ProofTest::Process("repeated::a_post_sent_five_times_is_one_post"),
    },
    Proof {
        name: "toggles",
        about: "200 racing likes and unlikes each",
        rounds: 500,
        test: ProofTest::Api("races::reactions::likes_do_not_drift"),
    },
    Proof {
        name: "group",
        about: "people who join with one code from one IP address",
        rounds: 2_000,
        test: ProofTest::Api("auth::groups::a_group_joins_from_one_network"),
    },
    Proof {
        name: "scanner",
        about: "emailed links, opened by a scanner and by another browser first",
        rounds: 1_000,
        test: ProofTest::Browser("scanner"),
    },
    Proof {
        name: "scripts",
        about: "scripts in every field, shown on every screen of a browser",
        rounds: 500,
        test: ProofTest::Browser("scripts"),
    },
];

/// Parsed arguments.
#[derive(Debug)]
struct Args {
    proof: &'static Proof,
    rounds: u32,
    on_postgres: bool,
    /// Whether to test the release build.
    is_release: bool,
}

/// Runs one proof, which prints its progress.
pub(crate) fn command(arguments: &[String]) -> Result<()> {
    let args = parse_args(arguments)?;
    let proof = args.proof;
    println!("{}: {} rounds: {}", proof.name, args.rounds, proof.about);
    let rounds = args.rounds.to_string();
    if args.on_postgres && !matches!(proof.test, ProofTest::Api(_)) {
        bail!("`{}` does not support --postgres", proof.name);
    }
    let is_program = matches!(proof.test, ProofTest::Process(_) | ProofTest::Replicas(_));
    if args.is_release && !is_program {
        bail!("`{}` does not support --release", proof.name);
    }
    web_app::ensure_dist_folder()?;
    match proof.test {
        ProofTest::Process(test) | ProofTest::Replicas(test) => {
            let mut command = cargo_test_command("process", test, &rounds);
            if matches!(proof.test, ProofTest::Replicas(_)) {
                command.env("KITH_PG_BIN", postgres::programs()?);
                command.env("KITH_CADDY", caddy::find_or_install()?);
            }
            if args.is_release {
                command.env(BINARY_VARIABLE, cargo::build(Profile::Release)?);
            }
            process::run(&mut command)
        }
        ProofTest::Api(test) if args.on_postgres => {
            let (cluster, bucket) = (Cluster::start()?, Bucket::start()?);
            let mut command = cargo_test_command("api", &format!("{test}::postgres"), &rounds);
            command.env("KITH_TEST_POSTGRES", cluster.url());
            process::run(command.envs(bucket.environment()))
        }
        ProofTest::Api(test) => {
            process::run(&mut cargo_test_command("api", &format!("{test}::sqlite"), &rounds))
        }
        ProofTest::Browser(spec) => {
            web_app::build()?;
            let binary = cargo::build(Profile::Debug)?;
            // The full path: Playwright's filter also matches the folder of the clone.
            let file = format!("e2e/{spec}.spec.ts");
            process::run(
                e2e::playwright_command("e2e", &binary, &[&file])?.env(ROUNDS_VARIABLE, rounds),
            )
        }
    }
}

fn cargo_test_command(target: &str, test: &str, rounds: &str) -> Command {
    let mut command = cargo::command(&["test", "-p", "kith", "--test", target]);
    command.args(["--", "--exact", "--nocapture", test]).env(ROUNDS_VARIABLE, rounds);
    command
}

/// Parses the name of the proof, its rounds and flags.
fn parse_args(arguments: &[String]) -> Result<Args> {
    let mut words = arguments.iter().map(String::as_str);
    let name = words.next().unwrap_or_default();
    let proof = PROOFS.iter().find(|proof| proof.name == name);
    let names = || PROOFS.iter().map(|proof| proof.name).collect::<Vec<_>>();
    let proof = proof.with_context(|| format!("name a proof: {}", names().join(", ")))?;
    let mut args = Args { proof, rounds: proof.rounds, on_postgres: false, is_release: false };
    while let Some(word) = words.next() {
        match word {
            "--rounds" => {
                let number = words.next().and_then(|word| word.parse().ok());
                args.rounds = number.context("`--rounds` takes a number")?;
            }
            "--postgres" => args.on_postgres = true,
            "--release" => args.is_release = true,
            other => {
                bail!("unknown flag `{other}`; known: --rounds N, --postgres and --release")
            }
        }
    }
    Ok(args)
}

#[cfg(test)]
mod tests {
    use super::{PROOFS, ProofTest};
    use crate::support::arguments;

    #[test]
    fn the_command_line_is_parsed() {
        let read = |words: &[&str]| {
            super::parse_args(&arguments(words))
                .map(|all| (all.proof.name, all.rounds, all.on_postgres, all.is_release))
        };
        assert_eq!(read(&["stop"]).expect("a name"), ("stop", 100, false, false));
        let all = read(&["toggles", "--rounds", "7", "--postgres"]);
        assert_eq!(all.expect("flags"), ("toggles", 7, true, false));
        let release = read(&["overload", "--release"]);
        assert_eq!(release.expect("a flag"), ("overload", 300, false, true));
        for wrong in [&[][..], &["all"], &["stop", "--rounds"], &["stop", "--fast"]] {
            assert!(read(wrong).is_err(), "{wrong:?}");
        }
    }

    /// `cargo test` succeeds if a filter matches no test, so a stale name would go unnoticed.
    #[test]
    fn every_proof_names_an_existing_test() {
        for proof in PROOFS {
            let (ProofTest::Process(test)
            | ProofTest::Replicas(test)
            | ProofTest::Api(test)
            | ProofTest::Browser(test)) = proof.test;
            let (file, function) = test.rsplit_once("::").unwrap_or((test, "KITH_PROOF_ROUNDS"));
            let file = file.replace("::", "/");
            let path = match proof.test {
                ProofTest::Process(_) | ProofTest::Replicas(_) => {
                    format!("crates/server/tests/process/{file}.rs")
                }
                ProofTest::Api(_) => format!("crates/server/tests/api/{file}.rs"),
                ProofTest::Browser(_) => format!("web/e2e/{file}.spec.ts"),
            };
            let text = std::fs::read_to_string(crate::support::paths::root().join(&path));
            assert!(text.expect("the file is there").contains(function), "{path}");
        }
    }
}
