//! Installs missing programs, as root on Debian and its derivatives.

use anyhow::Result;

use crate::support::process::{self, command};

/// Whether packages can be installed.
pub(crate) fn is_available() -> bool {
    process::find_program("apt-get").is_some() && process::is_root()
}

/// Updates the package lists.
pub(crate) fn update() -> Result<()> {
    println!("updating the package lists");
    process::run(&mut command("apt-get", &["update", "-qq"]))
}

/// Installs packages without prompts and without recommended packages.
pub(crate) fn install(packages: &[&str]) -> Result<()> {
    println!("installing {}", packages.join(", "));
    process::run(
        command("apt-get", &["install", "-y", "-qq", "--no-install-recommends"])
            .args(packages)
            .env("DEBIAN_FRONTEND", "noninteractive"),
    )
}
