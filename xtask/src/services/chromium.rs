//! Finds or installs Chromium for the browser tests.

use std::path::PathBuf;

use anyhow::{Result, bail, ensure};

use crate::support::{apt, process};

/// Debian's headless build, which runs the tests in three quarters of the time.
const HEADLESS: &str = "chromium-headless-shell";

/// Program names on different systems.
const PROGRAM_NAMES: &[&str] =
    &[HEADLESS, "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/// Path on macOS.
const MACOS_PATH: &str = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome";

/// Path of the browser: `KITH_CHROMIUM`, an installed one, or a newly installed one.
pub(crate) fn find_or_install() -> Result<PathBuf> {
    if let Some(chosen) = std::env::var_os("KITH_CHROMIUM").filter(|path| !path.is_empty()) {
        let chosen = PathBuf::from(chosen);
        ensure!(chosen.is_file(), "KITH_CHROMIUM names {}, which is no file", chosen.display());
        return Ok(chosen);
    }
    if process::find_program(HEADLESS).is_none() && apt::is_available() {
        apt::update()?;
        // Without a font, text has no width and cannot be clicked.
        apt::install(&[HEADLESS, "fonts-liberation"])?;
    }
    if let Some(found) = find() {
        return Ok(found);
    }
    bail!("Chromium is missing: install it, or set KITH_CHROMIUM to its path");
}

fn find() -> Option<PathBuf> {
    let system = PROGRAM_NAMES.iter().map(|name| PathBuf::from("/usr/bin").join(name));
    system
        .chain(PROGRAM_NAMES.iter().filter_map(|name| process::find_program(name)))
        .chain([PathBuf::from(MACOS_PATH)])
        .find(|file| file.is_file())
}
