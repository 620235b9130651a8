//! `cargo xtask run`: from a clone to a serving network.

use std::os::unix::process::CommandExt as _;

use anyhow::{Context as _, Result};

use crate::cargo::{self, Profile};
use crate::{after_dashes, root, web};

/// Builds everything, then becomes `kith serve`, so that signals and the exit code are its own.
pub(crate) fn command(arguments: &[String]) -> Result<()> {
    web::build()?;
    let binary = cargo::build(Profile::Release)?;
    let error = std::process::Command::new(&binary)
        .arg("serve")
        .args(after_dashes(arguments))
        .current_dir(root::root())
        .exec();
    Err(error).with_context(|| format!("{} can't be started", binary.display()))
}
