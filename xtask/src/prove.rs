//! `cargo xtask prove`: the long form of proofs that run briefly among the tests.

use anyhow::{Context as _, Result, bail};

use crate::cargo::{self, Profile};
use crate::postgres::Cluster;
use crate::seaweed::Bucket;
use crate::{e2e, process, web};

/// How many rounds a test goes, where it is a proof.
const ROUNDS: &str = "KITH_PROOF_ROUNDS";

/// What goes its rounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Test {
    /// A test of the program.
    Process(&'static str),
    /// A test of the API, on an engine.
    Api(&'static str),
    /// A browser test.
    Browser(&'static str),
}

/// A proof, and how long its long form is.
#[derive(Debug)]
struct Proof {
    name: &'static str,
    about: &'static str,
    rounds: u32,
    test: Test,
}

const PROOFS: &[Proof] = &[
    Proof {
        name: "kill",
        about: "kill -9 while members write",
        rounds: 1_000,
        test: Test::Process("killed::an_acknowledged_post_survives_a_kill"),
    },
    Proof {
        name: "upgrade-kill",
        about: "kill -9 while the schema is changed",
        rounds: 50,
        test: Test::Process("killed::a_killed_upgrade_is_whole_or_not_begun"),
    },
    Proof {
        name: "stop",
        about: "SIGTERM while members write",
        rounds: 100,
        test: Test::Process("stopping::a_stop_loses_no_request_in_flight"),
    },
    Proof {
        name: "power",
        about: "posts under strace, each answered after its flush",
        rounds: 1_000,
        test: Test::Process("power::an_answer_leaves_after_the_flush"),
    },
    Proof {
        name: "full-disk",
        about: "a disk of 64 MB, filled and emptied",
        rounds: 20,
        test: Test::Process(
            "full_disk::a_full_disk_stops_writes_only_and_for_as_long_as_it_is_full",
        ),
    },
    Proof {
        name: "clock",
        about: "jumps of a day, and starts on a clock that was set back",
        rounds: 100,
        test: Test::Process("clock::no_late_link_gets_in_when_the_clock_jumps"),
    },
    Proof {
        name: "overload",
        about: "seconds of ten times as many calls as can be answered",
        rounds: 300,
        test: Test::Process("overload::ten_times_too_much_is_survived"),
    },
    Proof {
        name: "failover",
        about: "promotions of a synchronous standby while members write",
        rounds: 100,
        test: Test::Process("failover::nothing_acknowledged_is_lost_when_a_standby_takes_over"),
    },
    Proof {
        name: "repeats",
        about: "posts sent five times each, four answers of five dropped",
        rounds: 1_000,
        test: Test::Process("repeated::a_post_sent_five_times_is_one_post"),
    },
    Proof {
        name: "toggles",
        about: "200 racing likes and unlikes each",
        rounds: 500,
        test: Test::Api("races::reactions::likes_do_not_drift"),
    },
    Proof {
        name: "scanner",
        about: "mailed links, followed by a program and by a strange browser first",
        rounds: 1_000,
        test: Test::Browser("scanner"),
    },
    Proof {
        name: "scripts",
        about: "scripts in every field, shown on every screen of a browser",
        rounds: 500,
        test: Test::Browser("scripts"),
    },
];

/// Runs one proof in its long form; it prints what it did.
pub(crate) fn command(arguments: &[String]) -> Result<()> {
    let (proof, rounds, on_postgres) = read(arguments)?;
    println!("{}: {} rounds: {}", proof.name, rounds, proof.about);
    let rounds = rounds.to_string();
    if on_postgres && !matches!(proof.test, Test::Api(_)) {
        bail!("`{}` has no database server to choose", proof.name);
    }
    web::ensure_dist_folder()?;
    match proof.test {
        Test::Process(test) => cargo_test("process", test, &rounds, None),
        Test::Api(test) if on_postgres => {
            let servers = (Cluster::start()?, Bucket::start()?);
            cargo_test("api", &format!("{test}::postgres"), &rounds, Some(&servers))
        }
        Test::Api(test) => cargo_test("api", &format!("{test}::sqlite"), &rounds, None),
        Test::Browser(spec) => {
            web::build()?;
            let binary = cargo::build(Profile::Debug)?;
            // The whole name: Playwright looks for a part of the path, in which the clone's folder stands too.
            let file = format!("e2e/{spec}.spec.ts");
            process::run(e2e::playwright("e2e", &binary, &[&file])?.env(ROUNDS, rounds))
        }
    }
}

fn cargo_test(
    target: &str,
    test: &str,
    rounds: &str,
    servers: Option<&(Cluster, Bucket)>,
) -> Result<()> {
    let mut command = cargo::command(&["test", "-p", "kith", "--test", target]);
    command
        .args(["--", "--exact", "--nocapture", test])
        .env(ROUNDS, rounds);
    if let Some((cluster, bucket)) = servers {
        command
            .env("KITH_TEST_POSTGRES", cluster.url())
            .envs(bucket.environment());
    }
    process::run(&mut command)
}

/// The proof, its rounds, and whether PostgreSQL is wanted.
fn read(arguments: &[String]) -> Result<(&'static Proof, u32, bool)> {
    let mut words = arguments.iter().map(String::as_str);
    let name = words.next().unwrap_or_default();
    let proof = PROOFS.iter().find(|proof| proof.name == name);
    let names = || PROOFS.iter().map(|proof| proof.name).collect::<Vec<_>>();
    let proof = proof.with_context(|| format!("say what to prove: {}", names().join(", ")))?;
    let (mut rounds, mut on_postgres) = (proof.rounds, false);
    while let Some(word) = words.next() {
        match word {
            "--rounds" => {
                let number = words.next().and_then(|word| word.parse().ok());
                rounds = number.context("`--rounds` takes a number")?;
            }
            "--postgres" => on_postgres = true,
            other => bail!("there is no flag `{other}`, only --rounds N and --postgres"),
        }
    }
    Ok((proof, rounds, on_postgres))
}

#[cfg(test)]
mod tests {
    use super::{PROOFS, Test};

    #[test]
    fn the_command_line_is_read() {
        let read = |words: &[&str]| {
            let words: Vec<String> = words.iter().map(ToString::to_string).collect();
            super::read(&words).map(|(proof, rounds, postgres)| (proof.name, rounds, postgres))
        };
        assert_eq!(read(&["stop"]).expect("a name"), ("stop", 100, false));
        let all = read(&["toggles", "--rounds", "7", "--postgres"]);
        assert_eq!(all.expect("all flags"), ("toggles", 7, true));
        for wrong in [
            &[][..],
            &["all"],
            &["stop", "--rounds"],
            &["stop", "--fast"],
        ] {
            assert!(read(wrong).is_err(), "{wrong:?}");
        }
    }

    /// A test that is not there is run by nobody, and `cargo test` is content with none.
    #[test]
    fn every_proof_is_there() {
        for proof in PROOFS {
            let (Test::Process(test) | Test::Api(test) | Test::Browser(test)) = proof.test;
            let (file, function) = test
                .rsplit_once("::")
                .unwrap_or((test, "KITH_PROOF_ROUNDS"));
            let file = file.replace("::", "/");
            let path = match proof.test {
                Test::Process(_) => format!("crates/server/tests/process/{file}.rs"),
                Test::Api(_) => format!("crates/server/tests/api/{file}.rs"),
                Test::Browser(_) => format!("web/e2e/{file}.spec.ts"),
            };
            let text = std::fs::read_to_string(crate::root::root().join(&path));
            assert!(
                text.expect("the file is there").contains(function),
                "{path}"
            );
        }
    }
}
