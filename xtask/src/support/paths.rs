//! Paths of the repository.

use std::path::{Path, PathBuf};

/// Root folder of the repository.
pub(crate) fn root() -> PathBuf {
    // `cargo run` sets the variable; the compiled value is for a binary started directly.
    let package = std::env::var("CARGO_MANIFEST_DIR")
        .unwrap_or_else(|_| env!("CARGO_MANIFEST_DIR").to_owned());
    Path::new(&package).parent().map_or_else(|| PathBuf::from("."), Path::to_path_buf)
}

/// Folder of the web app.
pub(crate) fn web() -> PathBuf {
    root().join("web")
}

/// Target folder of cargo: `CARGO_TARGET_DIR`, or `target` in the root.
pub(crate) fn target() -> PathBuf {
    root().join(std::env::var("CARGO_TARGET_DIR").unwrap_or_else(|_| "target".to_owned()))
}
