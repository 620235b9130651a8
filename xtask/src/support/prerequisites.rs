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

/// Finds or installs strace, which tests of the process need on Linux.
pub(crate) fn find_or_install_strace() -> Result<()> {
    if !cfg!(target_os = "linux") || process::find_program("strace").is_some() {
        return Ok(());
    }
    ensure!(apt::is_available(), "strace is missing: install it");
    apt::update()?;
    apt::install(&["strace"])
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
