//! `cargo xtask e2e`: browser tests against the real binary.

use std::path::Path;
use std::process::Command;

use anyhow::Result;

use crate::after_dashes;
use crate::services::s3_server::Bucket;
use crate::services::{chromium, firefox};
use crate::support::cargo::{self, Profile};
use crate::support::{paths, process, web_app};

/// Builds the web app and the binary, then runs Playwright with the given arguments; accessibility is
/// tested at one more width than in the test suite.
pub(crate) fn command(arguments: &[String]) -> Result<()> {
    web_app::build()?;
    let binary = cargo::build(Profile::Debug)?;
    let words: Vec<&str> = after_dashes(arguments).iter().map(String::as_str).collect();
    let bucket = Bucket::start()?;
    let mut tests = playwright_command("e2e", &binary, &words)?;
    process::run(tests.env("KITH_E2E_ALL_WIDTHS", "1").envs(bucket.environment()))
}

/// Runs the browser tests against `binary`; some of them upload to the bucket.
pub(crate) fn run_tests(binary: &Path, bucket: &Bucket) -> Result<()> {
    process::run(playwright_command("e2e", binary, &[])?.envs(bucket.environment()))
}

/// Runs the main job of a new member in Firefox, against `binary`.
pub(crate) fn run_in_firefox(binary: &Path) -> Result<()> {
    let browser = firefox::find_or_install()?;
    let mut command = process::command("npm", &["run", "--silent", "e2e:firefox"]);
    command.current_dir(paths::web()).env("KITH_E2E_BINARY", binary).env("KITH_FIREFOX", browser);
    process::run(&mut command)
}

/// Builds the command for a script of `web/package.json` that drives Chromium against `binary`.
pub(crate) fn playwright_command(
    script: &str,
    binary: &Path,
    arguments: &[&str],
) -> Result<Command> {
    let browser = chromium::find_or_install()?;
    let mut words = vec!["run", "--silent", script];
    if !arguments.is_empty() {
        words.push("--");
        words.extend(arguments);
    }
    let mut command = process::command("npm", &words);
    command.current_dir(paths::web()).env("KITH_E2E_BINARY", binary).env("KITH_CHROMIUM", browser);
    Ok(command)
}
