//! `cargo xtask supply-chain`: licences, sources and known vulnerabilities of dependencies, and SBOMs.
//! Not a step of the test suite, since it needs network access.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use anyhow::{Context as _, Result, bail};
use serde_json::Value;

use crate::support::{cargo, paths, process, web_app};

/// Installation hint for cargo-deny.
const NO_DENY: &str =
    "cargo-deny is missing: `cargo install cargo-deny --locked`, or name it in KITH_CARGO_DENY";

/// Version of cargo-cyclonedx that is installed if none is.
const CYCLONEDX: &str = "0.5.9";

/// Writes the SBOMs and runs all checks; prints the checks that were impossible offline.
pub(crate) fn command(_: &[String]) -> Result<()> {
    write_sboms(&paths::target().join("sbom"))?;
    deny(&["bans", "licenses", "sources"])?;
    let mut unchecked = Vec::new();
    if !check_advisories()? {
        unchecked.push("crates");
    }
    if !audit_packages()? {
        unchecked.push("packages");
    }
    if !unchecked.is_empty() {
        let which = unchecked.join(" and ");
        println!(
            "NOT CHECKED: known vulnerabilities of {which}. Run this again with network access."
        );
    }
    Ok(())
}

/// Writes `CycloneDX` documents of the crates and of the npm packages into a folder.
pub(crate) fn write_sboms(folder: &Path) -> Result<()> {
    fs::create_dir_all(folder)?;
    let list = folder.join("kith.cdx.json");
    list_crates(&list)?;
    println!("crates in the binary: {}", list.display());
    web_app::install()?;
    let list = folder.join("web.cdx.json");
    let npm = npm(&["sbom", "--sbom-format", "cyclonedx", "--omit", "dev"])?;
    if !npm.status.success() {
        bail!("npm sbom: {}", String::from_utf8_lossy(&npm.stderr).trim());
    }
    fs::write(&list, npm.stdout)?;
    println!("packages in the web app: {}", list.display());
    Ok(())
}

/// Writes the crates of the binary as a `CycloneDX` document.
fn list_crates(list: &Path) -> Result<()> {
    const NAME: &str = "kith-crates.cdx";
    let mut command = process::command(cyclonedx_program()?, &["cyclonedx", "--quiet"]);
    command.args(["--format", "json", "--spec-version", "1.5", "--override-filename", NAME]);
    process::run(&mut command)?;
    let written = format!("{NAME}.json");
    fs::copy(paths::root().join("crates/server").join(&written), list)?;
    // The tool writes a document for each crate of the workspace.
    for krate in fs::read_dir(paths::root().join("crates"))? {
        fs::remove_file(krate?.path().join(&written))?;
    }
    fs::remove_file(paths::root().join("xtask").join(&written))?;
    Ok(())
}

/// Path of cargo-cyclonedx: an installed one, or one built into `target/tools`.
fn cyclonedx_program() -> Result<PathBuf> {
    if let Some(found) = process::find_program("cargo-cyclonedx") {
        return Ok(found);
    }
    let folder = paths::target().join("tools");
    let program = folder.join("bin/cargo-cyclonedx");
    if !program.is_file() {
        println!("installing cargo-cyclonedx {CYCLONEDX} into {}", folder.display());
        let mut install = cargo::command(&["install", "--quiet", "--locked", "cargo-cyclonedx"]);
        install.args(["--version", CYCLONEDX, "--root"]).arg(&folder);
        process::run(&mut install)?;
    }
    Ok(program)
}

fn deny_program() -> Command {
    let named = std::env::var_os("KITH_CARGO_DENY").map(PathBuf::from);
    let mut command = Command::new(named.unwrap_or_else(|| "cargo-deny".into()));
    // `cargo deny` passes this argument, too.
    command.arg("deny").current_dir(paths::root());
    command
}

/// Checks the crates against `deny.toml`, offline.
fn deny(what: &[&str]) -> Result<()> {
    let mut command = deny_program();
    command.arg("check").args(what);
    let status = command.status().context(NO_DENY)?;
    if !status.success() {
        bail!("cargo deny check {} failed", what.join(" "));
    }
    Ok(())
}

/// Checks the crates for known vulnerabilities; returns false if the database is unreachable.
fn check_advisories() -> Result<bool> {
    let output = deny_program().args(["check", "advisories"]).output();
    let output = output.context(NO_DENY)?;
    let printed = String::from_utf8_lossy(&output.stderr);
    if output.status.success() {
        return Ok(true);
    }
    // Without the database, cargo-deny fails with a download error instead of a finding.
    let is_unreachable = printed.contains("failed to fetch advisory database")
        || printed.contains("failed to load advisory database");
    if is_unreachable {
        return Ok(false);
    }
    bail!("cargo deny check advisories:\n{printed}")
}

/// Checks the npm packages for known vulnerabilities; returns false if the registry is unreachable.
fn audit_packages() -> Result<bool> {
    let output = npm(&["audit", "--json"])?;
    let report: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
    match findings(&report) {
        None => Ok(false),
        Some(0) => Ok(true),
        Some(count) => {
            bail!("npm audit found {count} packages: run `npm audit` in {}", paths::web().display())
        }
    }
}

/// Number of packages in a report of `npm audit`; `None` if the audit failed.
fn findings(report: &Value) -> Option<u64> {
    report["metadata"]["vulnerabilities"]["total"].as_u64()
}

fn npm(arguments: &[&str]) -> Result<Output> {
    let mut command = process::command("npm", arguments);
    let output = command.current_dir(paths::web()).output();
    output.context("cannot start npm")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_failed_audit_is_not_a_report() {
        let report =
            |total: u64| json!({"metadata": {"vulnerabilities": {"high": total, "total": total}}});
        assert_eq!(findings(&report(0)), Some(0));
        assert_eq!(findings(&report(2)), Some(2));
        let unreachable =
            json!({"message": "request failed", "error": {"summary": "", "detail": ""}});
        assert_eq!(findings(&unreachable), None);
        assert_eq!(findings(&Value::Null), None);
    }
}
