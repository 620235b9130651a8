//! Runs cargo and finds the binaries that it builds.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context as _, Result, ensure};
use serde_json::Value;

use crate::support::{paths, process, web_app};

/// Build profile of `kith`.
#[derive(Clone, Copy)]
pub(crate) enum Profile {
    /// Debug build, for tests and development.
    Debug,
    /// Optimised without LTO, for a network on this machine.
    Local,
    /// Release build, as distributed.
    Release,
}

/// Whether Clippy compiles the workspace instead of rustc.
static LINTS_BUILDS: AtomicBool = AtomicBool::new(false);

/// Has Clippy compile the workspace from now on, with warnings as errors. `cargo clippy` would compile everything a second
/// time, without code.
pub(crate) fn lint_builds() -> Result<()> {
    ensure_clippy()?;
    LINTS_BUILDS.store(true, Ordering::Relaxed);
    Ok(())
}

/// Runs cargo and shows its output.
pub(crate) fn cargo(arguments: &[&str]) -> Result<()> {
    process::run(&mut command(arguments))
}

/// Builds a cargo command.
pub(crate) fn command(arguments: &[&str]) -> Command {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let mut command = process::command(cargo, arguments);
    command.envs(build_variables().iter().copied());
    command
}

/// Variables that select the compiler of the workspace. A build with others compiles everything again.
pub(crate) fn build_variables() -> &'static [(&'static str, &'static str)] {
    if LINTS_BUILDS.load(Ordering::Relaxed) {
        &[("RUSTC_WORKSPACE_WRAPPER", "clippy-driver"), ("CLIPPY_ARGS", "-Dwarnings")]
    } else {
        &[]
    }
}

/// Builds `kith` alone and returns its path.
pub(crate) fn build(profile: Profile) -> Result<PathBuf> {
    web_app::ensure_dist_folder()?;
    let mut arguments = vec!["build", "-p", "kith", "--bin", "kith"];
    match profile {
        Profile::Debug => {}
        // What members use is built of the dependencies of the lock file.
        Profile::Local => arguments.extend(["--profile", "local", "--locked"]),
        Profile::Release => arguments.extend(["--release", "--locked"]),
    }
    cargo(&arguments)?;
    binary(profile)
}

/// Path of a built `kith`; fails if it does not exist.
pub(crate) fn binary(profile: Profile) -> Result<PathBuf> {
    let folder = match profile {
        Profile::Debug => "debug",
        Profile::Local => "local",
        Profile::Release => "release",
    };
    let file = paths::target().join(folder).join("kith");
    ensure!(file.is_file(), "cargo built no {}", file.display());
    Ok(file)
}

/// A program with tests.
pub(crate) struct TestProgram {
    /// Name of its target, such as `api`.
    pub(crate) name: String,
    pub(crate) file: PathBuf,
    /// Folder of its package, in which cargo runs it.
    pub(crate) folder: PathBuf,
}

/// Builds the test programs of all packages.
pub(crate) fn test_programs() -> Result<Vec<TestProgram>> {
    let build = ["test", "--workspace", "--no-run", "--message-format=json-render-diagnostics"];
    let messages = String::from_utf8(process::output(&mut command(&build))?)?;
    let mut programs = Vec::new();
    for message in messages.lines() {
        let message: Value = serde_json::from_str(message)?;
        let is_test = message["profile"]["test"] == true;
        let Some(file) = message["executable"].as_str().filter(|_| is_test) else { continue };
        let name = message["target"]["name"].as_str().context("a target has no name")?;
        let manifest = message["manifest_path"].as_str().context("a package has no manifest")?;
        let folder = Path::new(manifest).parent().context("a manifest has no folder")?;
        let (name, file, folder) = (name.to_owned(), file.into(), folder.to_owned());
        programs.push(TestProgram { name, file, folder });
    }
    ensure!(!programs.is_empty(), "cargo lists no test programs");
    Ok(programs)
}

/// Runs `cargo fmt --check`; fails with a hint if rustfmt is missing.
pub(crate) fn format_check() -> Result<()> {
    let installed = process::stdout_of(&mut command(&["fmt", "--version"])).is_some();
    ensure!(installed, "rustfmt is missing: install it with `rustup component add rustfmt`");
    cargo(&["fmt", "--all", "--check"])
}

/// Runs clippy on all targets, with warnings as errors.
pub(crate) fn clippy() -> Result<()> {
    ensure_clippy()?;
    web_app::ensure_dist_folder()?;
    cargo(&["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"])
}

fn ensure_clippy() -> Result<()> {
    let installed = process::stdout_of(&mut command(&["clippy", "--version"])).is_some();
    ensure!(installed, "clippy is missing: install it with `rustup component add clippy`");
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::support::paths;

    /// Otherwise cargo would update a stale lock file before `--locked` of `cargo xtask dist` checks it.
    #[test]
    fn the_alias_writes_no_lock_file() {
        let settings = std::fs::read_to_string(paths::root().join(".cargo/config.toml")).unwrap();
        let alias = settings.lines().find(|line| line.starts_with("xtask = "));
        assert!(alias.unwrap().contains(" --locked "), "{alias:?}");
    }
}
