//! `cargo xtask web-perf`: performance of the web app on a slow device and network.

use anyhow::Result;

use crate::after_dashes;
use crate::browser::e2e;
use crate::support::cargo::{self, Profile};
use crate::support::{process, web_app};

/// Measures the release binary in Chromium and prints tables; `--debug` measures the debug binary.
/// Other arguments go to Playwright.
pub(crate) fn command(arguments: &[String]) -> Result<()> {
    let words: Vec<&str> = after_dashes(arguments).iter().map(String::as_str).collect();
    let (profile, rest) = match words.split_first() {
        Some((&"--debug", rest)) => (Profile::Debug, rest),
        _ => (Profile::Release, words.as_slice()),
    };
    web_app::build()?;
    let binary = cargo::build(profile)?;
    println!("measuring {}", binary.display());
    process::run(&mut e2e::playwright_command("perf", &binary, rest)?)
}
