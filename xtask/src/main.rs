//! The project's chores, as `cargo xtask <command>`. Runs on Linux and macOS.

mod bench;
mod browser;
mod check;
mod dev;
mod dist;
mod fuzz_api;
mod generate;
mod long_tests;
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
use long_tests::{attack, invite_race, login_timing, model, proofs};
use services::python;
use support::{paths as root, process};

/// One chore: its name on the command line, a line of help, and what it does with its arguments.
struct Command {
    name: &'static str,
    about: &'static str,
    run: fn(&[String]) -> Result<()>,
}

const COMMANDS: &[Command] = &[
    Command {
        name: "run",
        about: "build the web app and the release binary, then serve    [-- --demo, ARGS of kith serve]",
        run: run::command,
    },
    Command {
        name: "test",
        about: "set up and run every test, as CI does                   [--no-e2e] [--only STEP]",
        run: test::command,
    },
    Command {
        name: "check",
        about: "the fast ones: format, tidy, clippy, web types and lint",
        run: check::command,
    },
    Command {
        name: "dev",
        about: "server and Vite in one terminal, restarted on change    [-- ARGS of kith serve]",
        run: dev::command,
    },
    Command {
        name: "gen",
        about: "write the OpenAPI text and the web client's types anew",
        run: generate::command,
    },
    Command {
        name: "e2e",
        about: "the browser tests against the real binary               [ARGS of playwright test]",
        run: e2e::command,
    },
    Command {
        name: "screenshots",
        about: "pictures of every screen in target/screenshots          [-g NAME and other ARGS of playwright test]",
        run: screenshots::command,
    },
    Command {
        name: "model",
        about: "a long search with the model of the server              [--runs N] [--seed S] [--postgres]",
        run: model::command,
    },
    Command {
        name: "fuzz-api",
        about: "requests made from the API's description, good and bad   [--cases N] [--seed N] [--postgres] [-- ARGS]",
        run: fuzz_api::command,
    },
    Command {
        name: "invite-race",
        about: "many invite codes, each raced for by 50 strangers       [--rounds N] [--postgres]",
        run: invite_race::command,
    },
    Command {
        name: "login-timing",
        about: "whether the time of an answer tells who is a member     [--pairs N] [--release] [--postgres]",
        run: login_timing::command,
    },
    Command {
        name: "prove",
        about: "a proof of docs/security.md in its long form            NAME [--rounds N] [--postgres]",
        run: proofs::command,
    },
    Command {
        name: "attack",
        about: "an attacker's hour against the real program             [--postgres] [--only STEP]",
        run: attack::command,
    },
    Command {
        name: "pg",
        about: "run a command beside a private PostgreSQL               -- COMMAND ARGS",
        run: with_service::pg,
    },
    Command {
        name: "s3",
        about: "run a command beside a private S3                       -- COMMAND ARGS",
        run: with_service::s3,
    },
    Command {
        name: "tidy",
        about: "the house rules that compilers and linters don't know",
        run: tidy::command,
    },
    Command {
        name: "words",
        about: "words that the project does not use any more            [--list]",
        run: words::command,
    },
    Command {
        name: "coverage",
        about: "write anew which test proves which statement of docs/product.md",
        run: tidy::coverage::command,
    },
    Command {
        name: "web-perf",
        about: "what the web app costs on a slow device, in a table      [--debug] [ARGS of playwright test]",
        run: web_perf::command,
    },
    Command {
        name: "bench",
        about: "what a call costs beside a server without work          [--quick] [--write] [--against-size] [ARGS of kith-bench run]",
        run: bench::command,
    },
    Command {
        name: "supply-chain",
        about: "known weaknesses and licences of libraries, and lists of them in target/sbom",
        run: supply_chain::command,
    },
    Command {
        name: "dist",
        about: "build dist/kith, weigh it, and time its start",
        run: dist::command,
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
        eprintln!("There is no `cargo xtask {name}`.\n");
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

/// The arguments behind an optional leading `--`.
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
            assert!(
                COMMANDS[at + 1..]
                    .iter()
                    .all(|other| other.name != command.name)
            );
        }
    }
}
