//! Environment variables that look like settings and are none.

use crate::cli::Cli;
use crate::cli::sources::closest_name;
use crate::ops::doctor::{Check, Verdict};
use crate::platform::output::print_stderr;
use clap::{Command, CommandFactory as _};
use std::ffi::OsStr;

/// A variable without effect that is probably mistyped.
#[derive(Debug, PartialEq, Eq)]
struct UnknownVariable {
    name: String,
    closest: String,
}

/// Logs the variables that are probably mistyped.
pub(super) fn log_unknown() {
    for UnknownVariable { name, closest } in find_in_environment() {
        tracing::warn!(name, closest, "an environment variable is not a setting and is ignored");
    }
}

/// Prints the variables that are probably mistyped to standard error.
pub(super) fn print_unknown() {
    for UnknownVariable { name, closest } in find_in_environment() {
        print_stderr(format_args!(
            "kith: {name} is not a setting and is ignored: did you mean {closest}?"
        ));
    }
}

/// Reports the variables that are probably mistyped; `None` if there are none.
pub(super) fn check_environment() -> Option<Check> {
    let found = find_in_environment();
    let join = |format: fn(&UnknownVariable) -> String, separator: &str| {
        found.iter().map(format).collect::<Vec<_>>().join(separator)
    };
    (!found.is_empty()).then(|| Check {
        name: "variables",
        verdict: Verdict::Warn,
        found: join(|one| format!("{} is not a setting and is ignored", one.name), "; "),
        advice: join(|one| format!("Did you mean {}?", one.closest), " "),
    })
}

fn find_in_environment() -> Vec<UnknownVariable> {
    let names = std::env::vars_os().filter_map(|(name, _)| name.into_string().ok());
    find(names)
}

/// Returns the names that resemble a setting. Others with the prefix may belong to other programs: compose files, tests,
/// and Kubernetes, which sets `KITH_PORT` and more beside a service called `kith`.
fn find(names: impl Iterator<Item = String>) -> Vec<UnknownVariable> {
    let known = known_variables();
    let mut found = names
        .filter(|name| name.starts_with("KITH_") && !known.contains(name))
        .filter_map(|name| Some(UnknownVariable { closest: closest(&name, &known)?, name }))
        .collect::<Vec<_>>();
    found.sort_by(|one, other| one.name.cmp(&other.name));
    found
}

fn closest(name: &str, known: &[String]) -> Option<String> {
    let key = |name: &str| name.trim_start_matches("KITH_").to_owned();
    let keys = known.iter().map(|name| key(name)).collect::<Vec<_>>();
    closest_name(&key(name), &keys).map(|key| format!("KITH_{key}"))
}

/// Returns the variables of all commands, with those that name a secret's file.
fn known_variables() -> Vec<String> {
    fn add(command: &Command, known: &mut Vec<String>) {
        for arg in command.get_arguments() {
            let Some(name) = arg.get_env().and_then(OsStr::to_str) else {
                continue;
            };
            known.push(name.to_owned());
            if arg.is_hide_env_values_set() {
                known.push(format!("{name}_FILE"));
            }
        }
        command.get_subcommands().for_each(|one| add(one, known));
    }
    let mut known = Vec::new();
    add(&Cli::command(), &mut known);
    known
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(names: &[&str]) -> Vec<(String, String)> {
        let found = find(names.iter().map(|name| (*name).to_owned()));
        found.into_iter().map(|one| (one.name, one.closest)).collect()
    }

    /// proves: operate-unknown-variables
    #[test]
    fn a_mistyped_variable_is_found_with_the_closest_setting() {
        for (wrong, closest) in [
            ("KITH_TRUSTED_PROXY", "KITH_TRUSTED_PROXIES"),
            ("KITH_PROXIES", "KITH_TRUSTED_PROXIES"),
            ("KITH_SMTP", "KITH_SMTP_URL"),
            ("KITH_STMP_URL", "KITH_SMTP_URL"),
            ("KITH_SMTP_URL_FILES", "KITH_SMTP_URL_FILE"),
            ("KITH_LOG_LEVEL", "KITH_LOG"),
            // Only secrets are read from files.
            ("KITH_LISTEN_FILE", "KITH_LISTEN"),
            ("KITH_MOVE_TOO", "KITH_MOVE_TO"),
        ] {
            assert_eq!(found(&[wrong]), [(wrong.to_owned(), closest.to_owned())]);
        }
    }

    /// proves: operate-unknown-variables
    #[test]
    fn settings_and_variables_of_other_programs_are_not_reported() {
        let settings = known_variables();
        assert!(settings.len() > 40, "{settings:?}");
        let settings = settings.iter().map(String::as_str).collect::<Vec<_>>();
        assert_eq!(found(&settings), []);
        let others = [
            "PATH",
            "KITH_",
            "KITH_SITE",
            "KITH_UPSTREAM",
            "KITH_HEALTH_PORT",
            "KITH_BACKUP_RECIPIENT",
            "KITH_VERSION",
            "KITH_TAG",
            "KITH_PORT",
            "KITH_PORT_8080_TCP_ADDR",
            "KITH_SERVICE_HOST",
            "KITH_SERVICE_PORT_HTTP",
            "KITH_TEST_POSTGRES",
            "KITH_TEST_S3",
            "KITH_TEST_NODES",
            "KITH_E2E_BINARY",
            "KITH_E2E_NODES",
            "KITH_PROOF_BINARY",
            "KITH_PROOF_ROUNDS",
            "KITH_PG_BIN",
            "KITH_CHROMIUM",
            "KITH_FIREFOX",
            "KITH_WEED",
            "KITH_CADDY",
            "KITH_SMALL_DISK",
            "KITH_SCREENSHOTS",
            "KITH_FUZZ_URL",
            "KITH_MODEL_SEED",
            "KITH_IMAGES_ROUNDS",
            "KITH_POWER_CONTROL",
        ];
        assert_eq!(found(&others), []);
    }
}
