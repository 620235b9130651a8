//! Virtual environments of Python for programs from a package index.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};

use crate::support::{apt, fingerprint, paths, process};

/// Exits with 0 if Python is recent enough and has `venv`.
const VERSION_CHECK: &str = "import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 10))";

/// Creates the virtual environment `name` in the target folder with exactly the packages pinned in
/// `requirements`, unless it is up to date; returns its folder.
pub(crate) fn environment(name: &str, requirements: &Path) -> Result<PathBuf> {
    let folder = paths::target().join(name);
    let python = folder.join("bin/python");
    let wanted = fingerprint::of_files(&[requirements.to_path_buf()])?;
    let marker = folder.join("kith-pins");
    if python.is_file() && process::read_optional(&marker)?.as_deref() == Some(&wanted) {
        return Ok(folder);
    }
    let system = find_or_install()?;
    let (from, to) = (requirements.display(), folder.display());
    println!("installing what {from} pins into {to}");
    let make = ["-m", "venv", "--clear"];
    process::run(process::command(system, &make).arg(&folder))?;
    // Installs all packages by pinned version and hash, and only binary ones, so that no setup code runs.
    let install = [
        "-m",
        "pip",
        "install",
        "--quiet",
        "--no-deps",
        "--require-hashes",
        "--only-binary=:all:",
        "-r",
    ];
    process::run(
        process::command(&python, &install)
            .arg(requirements)
            .env("PIP_DISABLE_PIP_VERSION_CHECK", "1")
            .env("PIP_ROOT_USER_ACTION", "ignore"),
    )
    .context(
        "pip could not install what requirements.txt pins; check the access to the package index",
    )?;
    process::run(&mut process::command(&python, &["-m", "pip", "check"]))?;
    fs::write(&marker, wanted).with_context(|| format!("cannot write {}", marker.display()))?;
    Ok(folder)
}

/// Path of a suitable Python, installed if missing.
pub(crate) fn find_or_install() -> Result<PathBuf> {
    if let Some(found) = find() {
        return Ok(found);
    }
    if apt::is_available() {
        apt::update()?;
        apt::install(&["python3", "python3-venv"])?;
        if let Some(found) = find() {
            return Ok(found);
        }
    }
    bail!("Python is missing: install python3, 3.10 or newer, with its module venv");
}

fn find() -> Option<PathBuf> {
    let found = process::find_program("python3")?;
    process::stdout_of(&mut process::command(&found, &["-c", VERSION_CHECK]))?;
    Some(found)
}
