//! `cargo xtask e2e`: the browser tests against the real binary.

use std::path::Path;

use anyhow::Result;

use crate::cargo::{self, Profile};
use crate::{after_dashes, chromium, process, root, web};

/// Builds what the tests need, then runs them with Playwright's own arguments.
pub(crate) fn command(arguments: &[String]) -> Result<()> {
    web::build()?;
    let binary = cargo::build(Profile::Debug)?;
    let words: Vec<&str> = after_dashes(arguments).iter().map(String::as_str).collect();
    run(&binary, &words)
}

/// Runs the browser tests against `binary`.
pub(crate) fn run(binary: &Path, arguments: &[&str]) -> Result<()> {
    playwright("e2e", binary, arguments)
}

/// Runs a script of `web/package.json` that drives Chromium against `binary`.
pub(crate) fn playwright(script: &str, binary: &Path, arguments: &[&str]) -> Result<()> {
    let browser = chromium::find_or_install()?;
    let mut words = vec!["run", "--silent", script];
    if !arguments.is_empty() {
        words.push("--");
        words.extend(arguments);
    }
    process::run(
        process::command("npm", &words)
            .current_dir(root::web())
            .env("KITH_E2E_BINARY", binary)
            .env("KITH_CHROMIUM", browser),
    )
}
