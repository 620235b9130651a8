//! Component tests of the web app, in Chromium and without a server.

use anyhow::Result;

use crate::services::chromium;
use crate::support::{paths, process, web_app};

/// Runs the tests of single components against the mocked API.
pub(crate) fn run_tests() -> Result<()> {
    web_app::install()?;
    let browser = chromium::find_or_install()?;
    let mut command = process::command("npm", &["run", "--silent", "test:components"]);
    process::run(command.current_dir(paths::web()).env("KITH_CHROMIUM", browser))
}
