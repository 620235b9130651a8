//! Checks the programs needed for building.

use anyhow::{Context as _, Result, bail, ensure};

use crate::support::{apt, process};

/// Oldest version of Node that the web app's build tools support.
const MIN_NODE: (u32, u32) = (20, 19);

/// Checks cargo, Node and npm; the error names the program to install.
pub(crate) fn check() -> Result<()> {
    if process::find_program("cargo").is_none() && std::env::var_os("CARGO").is_none() {
        bail!("cargo is missing: install Rust with rustup");
    }
    let (major, minor) = MIN_NODE;
    let printed = process::stdout_of(&mut process::command("node", &["--version"]))
        .with_context(|| format!("Node is missing: install Node {major}.{minor} or newer"))?;
    let version = parse_version(&printed)
        .with_context(|| format!("`node --version` printed `{printed}`, which is no version"))?;
    ensure!(
        version >= MIN_NODE,
        "Node {printed} is too old: install Node {major}.{minor} or newer"
    );
    ensure!(
        process::find_program("npm").is_some(),
        "npm is missing: install it, it comes with Node"
    );
    Ok(())
}

/// Programs of the process tests on Linux, with their packages. Tests without another one than strace are skipped.
const TEST_PROGRAMS: [(&str, &str); 5] = [
    ("strace", "strace"),
    ("curl", "curl"),
    ("jq", "jq"),
    ("man", "man-db"),
    ("sqlite3", "sqlite3"),
];

/// Installs missing programs of the process tests on Linux; fails without strace.
pub(crate) fn find_or_install_test_programs() -> Result<()> {
    let is_missing = |name: &str| process::find_program(name).is_none();
    let missing = TEST_PROGRAMS.iter().filter(|(name, _)| is_missing(name));
    let missing = missing.map(|(_, package)| *package).collect::<Vec<_>>();
    if !cfg!(target_os = "linux") || missing.is_empty() {
        return Ok(());
    }
    if apt::is_available() {
        apt::update()?;
        return apt::install(&missing);
    }
    ensure!(!is_missing("strace"), "strace is missing: install it");
    Ok(())
}

/// Parses major and minor version, as in `v20.19.4`.
fn parse_version(text: &str) -> Option<(u32, u32)> {
    let mut numbers = text.trim_start_matches('v').split('.').map(str::parse);
    Some((numbers.next()?.ok()?, numbers.next()?.ok()?))
}

#[cfg(test)]
mod tests {
    use super::parse_version;

    #[test]
    fn versions_are_read_and_ordered() {
        assert_eq!(parse_version("v20.19.4"), Some((20, 19)));
        assert!(parse_version("v22.1.0") > parse_version("v20.19.0"));
        assert!(parse_version("v18.20.0") < Some(super::MIN_NODE));
        assert_eq!(parse_version("unknown"), None);
    }
}
