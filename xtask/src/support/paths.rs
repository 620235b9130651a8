//! Where things are in the repository.

use std::path::{Path, PathBuf};

/// The repository's root folder.
pub(crate) fn root() -> PathBuf {
    // Set by `cargo run`; what was compiled in serves a binary started by hand.
    let package = std::env::var("CARGO_MANIFEST_DIR")
        .unwrap_or_else(|_| env!("CARGO_MANIFEST_DIR").to_owned());
    Path::new(&package)
        .parent()
        .map_or_else(|| PathBuf::from("."), Path::to_path_buf)
}

/// The web app's folder.
pub(crate) fn web() -> PathBuf {
    root().join("web")
}

/// Cargo's target folder: `CARGO_TARGET_DIR`, or `target` in the root.
pub(crate) fn target() -> PathBuf {
    root().join(std::env::var("CARGO_TARGET_DIR").unwrap_or_else(|_| "target".to_owned()))
}
