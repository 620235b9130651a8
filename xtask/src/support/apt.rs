//! Installing a missing program where we may: as root on a Debian-like system.

use anyhow::Result;

use crate::support::process::{self, command};

/// Whether packages can be installed without asking anybody.
pub(crate) fn is_available() -> bool {
    process::find_program("apt-get").is_some() && process::is_root()
}

/// Brings the lists of packages up to date.
pub(crate) fn update() -> Result<()> {
    println!("updating the package lists");
    process::run(&mut command("apt-get", &["update", "-qq"]))
}

/// Installs packages without questions and without what they merely recommend.
pub(crate) fn install(packages: &[&str]) -> Result<()> {
    println!("installing {}", packages.join(", "));
    process::run(
        command(
            "apt-get",
            &["install", "-y", "-qq", "--no-install-recommends"],
        )
        .args(packages)
        .env("DEBIAN_FRONTEND", "noninteractive"),
    )
}
