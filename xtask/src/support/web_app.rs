//! Installs, runs and builds the web app with npm.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};

use crate::support::{fingerprint, paths, prerequisites, process};

/// Folders below `web/` that do not affect the build.
const NOT_SOURCES: &[&str] =
    &["node_modules", "dist", "e2e", "perf", "test-results", "playwright-report"];

/// Installs the dependencies unless they match the lock file.
pub(crate) fn install() -> Result<()> {
    prerequisites::check()?;
    let files = ["package.json", "package-lock.json"].map(|name| paths::web().join(name));
    let wanted = fingerprint::of_files(&files)?;
    let marker = paths::web().join("node_modules/.kith-install");
    if process::read_optional(&marker)?.as_deref() == Some(&wanted) {
        return Ok(());
    }
    npm(&["ci", "--no-audit", "--no-fund"])?;
    write(&marker, &wanted)
}

/// Installs the dependencies and runs a script of `web/package.json`.
pub(crate) fn script(name: &str, arguments: &[&str]) -> Result<()> {
    install()?;
    let mut words = vec!["run", "--silent", name];
    if !arguments.is_empty() {
        words.push("--");
        words.extend(arguments);
    }
    npm(&words)
}

/// Builds `web/dist` unless it is up to date.
pub(crate) fn build() -> Result<()> {
    install()?;
    let marker = paths::web().join("node_modules/.kith-build");
    let sources = fingerprint::of_files(&fingerprint::files_below(&paths::web(), NOT_SOURCES)?)?;
    if dist().join("index.html").is_file() {
        let wanted = format!("{sources} {}", dist_fingerprint()?);
        if process::read_optional(&marker)?.as_deref() == Some(&wanted) {
            println!("web/dist is up to date");
            return Ok(());
        }
    }
    script("build", &[])?;
    write(&marker, &format!("{sources} {}", dist_fingerprint()?))
}

/// Creates `web/dist`: the server's crate embeds it and does not compile without.
pub(crate) fn ensure_dist_folder() -> Result<()> {
    let folder = dist();
    fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))
}

fn dist() -> PathBuf {
    paths::web().join("dist")
}

fn dist_fingerprint() -> Result<String> {
    fingerprint::of_sizes(&fingerprint::files_below(&dist(), &[])?)
}

fn write(marker: &Path, text: &str) -> Result<()> {
    // npm creates no folder for an app without dependencies.
    fs::create_dir_all(paths::web().join("node_modules"))?;
    fs::write(marker, text).with_context(|| format!("cannot write {}", marker.display()))
}

fn npm(arguments: &[&str]) -> Result<()> {
    process::run(process::command("npm", arguments).current_dir(paths::web()))
}
