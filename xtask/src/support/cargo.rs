//! Calling cargo, and the binary it builds.

use std::path::PathBuf;

use anyhow::{Result, ensure};

use crate::support::{paths, process, web_app};

/// Which of the two builds of `kith`.
#[derive(Clone, Copy)]
pub(crate) enum Profile {
    /// Quick to build; for tests and development.
    Debug,
    /// What members get.
    Release,
}

/// Runs cargo with its output shown.
pub(crate) fn cargo(arguments: &[&str]) -> Result<()> {
    process::run(&mut command(arguments))
}

/// A cargo command, not yet started.
pub(crate) fn command(arguments: &[&str]) -> std::process::Command {
    process::command(
        std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned()),
        arguments,
    )
}

/// Builds `kith` alone and answers where it is.
pub(crate) fn build(profile: Profile) -> Result<PathBuf> {
    web_app::ensure_dist_folder()?;
    let mut arguments = vec!["build", "-p", "kith", "--bin", "kith"];
    if matches!(profile, Profile::Release) {
        // What is shipped is what the lock file names.
        arguments.extend(["--release", "--locked"]);
    }
    cargo(&arguments)?;
    binary(profile)
}

/// Where a build of `kith` is; an error when it isn't there.
pub(crate) fn binary(profile: Profile) -> Result<PathBuf> {
    let folder = match profile {
        Profile::Debug => "debug",
        Profile::Release => "release",
    };
    let file = paths::target().join(folder).join("kith");
    ensure!(file.is_file(), "cargo built no {}", file.display());
    Ok(file)
}

/// `cargo fmt --check`, with a sentence when the component is missing.
pub(crate) fn format_check() -> Result<()> {
    let installed = process::stdout_of(&mut command(&["fmt", "--version"])).is_some();
    ensure!(
        installed,
        "rustfmt is missing: install it with `rustup component add rustfmt`"
    );
    cargo(&["fmt", "--all", "--check"])
}

/// Clippy over everything, warnings being errors.
pub(crate) fn clippy() -> Result<()> {
    let installed = process::stdout_of(&mut command(&["clippy", "--version"])).is_some();
    ensure!(
        installed,
        "clippy is missing: install it with `rustup component add clippy`"
    );
    web_app::ensure_dist_folder()?;
    cargo(&[
        "clippy",
        "--workspace",
        "--all-targets",
        "--",
        "-D",
        "warnings",
    ])
}

#[cfg(test)]
mod tests {
    use crate::support::paths;

    /// Without it, `cargo xtask dist` would write a stale lock file anew before its own `--locked` looks at it.
    #[test]
    fn the_alias_writes_no_lock_file() {
        let settings = std::fs::read_to_string(paths::root().join(".cargo/config.toml")).unwrap();
        let alias = settings.lines().find(|line| line.starts_with("xtask = "));
        assert!(alias.unwrap().contains(" --locked "), "{alias:?}");
    }
}
