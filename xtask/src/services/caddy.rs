//! Finds or installs Caddy for tests behind the sample proxy.

use std::path::PathBuf;

use anyhow::{Context as _, Result, ensure};

use crate::support::{apt, process};

/// Path of the program: `KITH_CADDY`, an installed one, or a newly installed one.
pub(crate) fn find_or_install() -> Result<PathBuf> {
    if let Some(chosen) = std::env::var_os("KITH_CADDY").filter(|path| !path.is_empty()) {
        let chosen = PathBuf::from(chosen);
        ensure!(chosen.is_file(), "KITH_CADDY names {}, which is no file", chosen.display());
        return Ok(chosen);
    }
    if process::find_program("caddy").is_none() && apt::is_available() {
        apt::update()?;
        apt::install(&["caddy"])?;
    }
    process::find_program("caddy")
        .context("Caddy is missing: install it, or set KITH_CADDY to its path")
}
