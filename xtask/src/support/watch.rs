//! Detects changed source files by their modification times.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::SystemTime;

use crate::support::{fingerprint, paths};

/// Modification time of each source file of the server.
#[derive(PartialEq, Eq)]
pub(crate) struct Snapshot(BTreeMap<PathBuf, SystemTime>);

impl Snapshot {
    /// Takes a snapshot; files that vanish meanwhile are skipped.
    pub(crate) fn of_server() -> Self {
        let mut files = vec![paths::root().join("Cargo.toml"), paths::root().join("Cargo.lock")];
        for folder in ["crates", "migrations"] {
            files.extend(
                fingerprint::files_below(&paths::root().join(folder), &[]).unwrap_or_default(),
            );
        }
        let dated = files.into_iter().filter_map(|file| {
            let written = file.metadata().and_then(|data| data.modified()).ok()?;
            Some((file, written))
        });
        Self(dated.collect())
    }
}
