//! Finds or installs Firefox for the browser tests.

use std::path::PathBuf;

use anyhow::{Result, bail, ensure};

use crate::support::{apt, process};

/// Debian's package and program, which follows Firefox's extended support releases.
const ESR: &str = "firefox-esr";

/// Program names on different systems.
const PROGRAM_NAMES: &[&str] = &[ESR, "firefox"];

/// Path on macOS.
const MACOS_PATH: &str = "/Applications/Firefox.app/Contents/MacOS/firefox";

/// Path of the browser: `KITH_FIREFOX`, an installed one, or a newly installed one.
pub(crate) fn find_or_install() -> Result<PathBuf> {
    if let Some(chosen) = std::env::var_os("KITH_FIREFOX").filter(|path| !path.is_empty()) {
        let chosen = PathBuf::from(chosen);
        ensure!(chosen.is_file(), "KITH_FIREFOX names {}, which is no file", chosen.display());
        return Ok(chosen);
    }
    if find().is_none() && apt::is_available() {
        apt::update()?;
        apt::install(&[ESR])?;
    }
    if let Some(found) = find() {
        return Ok(found);
    }
    bail!("Firefox is missing: install it, or set KITH_FIREFOX to its path");
}

fn find() -> Option<PathBuf> {
    let programs = PROGRAM_NAMES.iter().filter_map(|name| process::find_program(name));
    programs.chain([PathBuf::from(MACOS_PATH)]).find(|file| file.is_file())
}
