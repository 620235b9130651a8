//! Development commands, run as `cargo xtask <command>` on Linux and macOS.

mod bench;
mod browser;
mod check;
mod cluster;
mod dev;
mod dist;
mod docs;
mod fuzz_api;
mod generate;
mod long_tests;
mod release;
mod run;
mod services;
mod supply_chain;
mod support;
mod test;
mod tidy;
mod with_service;
mod words;

use std::process::ExitCode;

use anyhow::Result;
use browser::{e2e, screenshots, web_perf};
use long_tests::{attack, invite_race, login_timing, model, nodes, package_test, proofs};
use services::python;
use support::{paths as root, process};

/// A command: its name, its line in the help and its function.
struct Command {
    name: &'static str,
    about: &'static str,
    run: fn(&[String]) -> Result<()>,
}

const COMMANDS: &[Command] = &[
    Command {
        name: "run",
        about: "build the web app and the binary, then serve                [-- --demo, ARGS of kith serve]",
        run: run::command,
    },
    Command {
        name: "test",
        about: "install what is missing and run every test, as CI does      [--no-e2e] [--only STEP]",
        run: test::command,
    },
    Command {
        name: "check",
        about: "run the quick checks: format, tidy, clippy, web types, lint",
        run: check::command,
    },
    Command {
        name: "dev",
        about: "run the server and Vite, and restart on changes             [-- ARGS of kith serve]",
        run: dev::command,
    },
    Command {
        name: "gen",
        about: "generate the OpenAPI document, the web client's types and the references of the book",
        run: generate::command,
    },
    Command {
        name: "e2e",
        about: "run the browser tests against the real binary               [ARGS of playwright test]",
        run: e2e::command,
    },
    Command {
        name: "screenshots",
        about: "take screenshots of every screen into target/screenshots    [-g NAME and other ARGS of playwright test]",
        run: screenshots::command,
    },
    Command {
        name: "model",
        about: "run the model-based test of the server for long             [--runs N] [--seed S] [--postgres]",
        run: model::command,
    },
    Command {
        name: "fuzz-api",
        about: "fuzz the API with requests generated from its description   [--cases N] [--seed N] [--postgres] [-- ARGS]",
        run: fuzz_api::command,
    },
    Command {
        name: "invite-race",
        about: "race 50 sign-ups for each of many invite codes              [--rounds N] [--postgres]",
        run: invite_race::command,
    },
    Command {
        name: "login-timing",
        about: "check that response times do not reveal membership          [--pairs N] [--release] [--postgres]",
        run: login_timing::command,
    },
    Command {
        name: "cluster",
        about: "serve one network on three nodes behind a proxy             [--port PORT] or --e2e [ARGS of playwright test]",
        run: cluster::command,
    },
    Command {
        name: "nodes",
        about: "run the API tests with requests alternating between nodes   [--nodes N]",
        run: nodes::command,
    },
    Command {
        name: "prove",
        about: "run a proof of docs/internals/proofs.md with many rounds    NAME [--rounds N] [--postgres] [--release]",
        run: proofs::command,
    },
    Command {
        name: "attack",
        about: "attack the real binary from outside                         [--postgres] [--only STEP]",
        run: attack::command,
    },
    Command {
        name: "pg",
        about: "run a command beside a private PostgreSQL                   -- COMMAND ARGS",
        run: with_service::pg,
    },
    Command {
        name: "s3",
        about: "run a command beside a private S3 server                    -- COMMAND ARGS",
        run: with_service::s3,
    },
    Command {
        name: "tidy",
        about: "check the rules that compilers and linters do not know",
        run: tidy::command,
    },
    Command {
        name: "words",
        about: "find retired words in names, comments, texts and documents",
        run: words::command,
    },
    Command {
        name: "docs",
        about: "build the book of docs/ into target/book and check its links",
        run: docs::command,
    },
    Command {
        name: "coverage",
        about: "write the page that maps docs/product.md to its tests",
        run: tidy::coverage::command,
    },
    Command {
        name: "web-perf",
        about: "measure the web app on a slow device and network            [--debug] [ARGS of playwright test]",
        run: web_perf::command,
    },
    Command {
        name: "bench",
        about: "compare Kith with a baseline server                         [--quick] [--write] [--against-size] [ARGS of kith-bench run]",
        run: bench::command,
    },
    Command {
        name: "supply-chain",
        about: "check licences and vulnerabilities of dependencies, write SBOMs",
        run: supply_chain::command,
    },
    Command {
        name: "package-test",
        about: "install, upgrade and purge the package on a Debian          [--binary PATH]",
        run: package_test::command,
    },
    Command {
        name: "dist",
        about: "build dist/kith; measure its size and startup time",
        run: dist::command,
    },
    Command {
        name: "release",
        about: "write a Debian package, an archive, SBOMs and checksums     [--binary PATH] or --only-binary",
        run: release::command,
    },
];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (name, rest) = match arguments.split_first() {
        None => ("--help", &[][..]),
        Some((name, rest)) => (name.as_str(), rest),
    };
    if matches!(name, "--help" | "-h" | "help") {
        print_help();
        return ExitCode::SUCCESS;
    }
    let Some(command) = COMMANDS.iter().find(|command| command.name == name) else {
        eprintln!("unknown command `cargo xtask {name}`\n");
        print_help();
        return ExitCode::from(2);
    };
    match (command.run)(rest) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("cargo xtask {name}: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn print_help() {
    println!("cargo xtask <command>\n");
    for command in COMMANDS {
        println!("  {:<12} {}", command.name, command.about);
    }
}

/// Removes a leading `--`.
fn after_dashes(arguments: &[String]) -> &[String] {
    match arguments.split_first() {
        Some((first, rest)) if first == "--" => rest,
        _ => arguments,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_leading_double_dash_is_dropped_once() {
        let given = ["--", "--demo", "--"].map(String::from);
        assert_eq!(after_dashes(&given), ["--demo", "--"]);
        assert_eq!(after_dashes(&given[1..]), ["--demo", "--"]);
    }

    #[test]
    fn command_names_are_unique() {
        for (at, command) in COMMANDS.iter().enumerate() {
            assert!(COMMANDS[at + 1..].iter().all(|other| other.name != command.name));
        }
    }
}
