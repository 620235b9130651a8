//! `cargo xtask screenshots`: screenshots of every screen, taken with the real binary and demo data.

use std::fs;

use anyhow::{Context as _, Result};

use crate::after_dashes;
use crate::services::chromium;
use crate::support::cargo::{self, Profile};
use crate::support::{paths, process, web_app};

/// Builds the web app and the binary, then takes the screenshots that Playwright's arguments select.
pub(crate) fn command(arguments: &[String]) -> Result<()> {
    web_app::build()?;
    let binary = cargo::build(Profile::Debug)?;
    let browser = chromium::find_or_install()?;
    let folder = paths::target().join("screenshots");
    fs::create_dir_all(&folder).with_context(|| format!("creating {}", folder.display()))?;
    let mut words = vec!["run", "--silent", "screenshots", "--"];
    words.extend(after_dashes(arguments).iter().map(String::as_str));
    process::run(
        process::command("npm", &words)
            .current_dir(paths::web())
            .env("KITH_E2E_BINARY", binary)
            .env("KITH_CHROMIUM", browser)
            .env("KITH_SCREENSHOTS", &folder),
    )?;
    println!("The pictures are in {}", folder.display());
    Ok(())
}
