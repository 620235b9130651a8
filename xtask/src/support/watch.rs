//! Noticing that source files changed, by asking for their times.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::SystemTime;

use crate::support::{fingerprint, paths};

/// When each file of the server was last written.
#[derive(PartialEq, Eq)]
pub(crate) struct Snapshot(BTreeMap<PathBuf, SystemTime>);

impl Snapshot {
    /// The server's files as they are now. A file that vanishes meanwhile is left out.
    pub(crate) fn of_server() -> Self {
        let mut files = vec![
            paths::root().join("Cargo.toml"),
            paths::root().join("Cargo.lock"),
        ];
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
