//! Files and folders that go away again unless the work is finished.

use crate::folder;
use std::fs::{File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

/// A path whose file or folder is removed when this is dropped.
#[derive(Debug)]
pub(super) struct Temporary(Option<PathBuf>);

impl Temporary {
    /// Makes a file that only its owner can read; one that is there is an error.
    pub(super) fn file(path: PathBuf) -> io::Result<(Self, File)> {
        let mut options = OpenOptions::new();
        options.read(true).write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let file = options.open(&path)?;
        Ok((Self(Some(path)), file))
    }

    /// Makes a folder that only its owner can read, with the folders above it; one that is there is an error.
    pub(super) fn folder(path: PathBuf) -> io::Result<Self> {
        folder::make(&path)?;
        Ok(Self(Some(path)))
    }

    /// Where it is.
    pub(super) fn path(&self) -> &Path {
        self.0.as_deref().unwrap_or(Path::new(""))
    }

    /// Leaves it where it is.
    pub(super) fn keep(mut self) {
        self.0 = None;
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if let Some(path) = &self.0 {
            // What cannot be removed is named by the error that led here.
            let _ = if path.is_dir() {
                std::fs::remove_dir_all(path)
            } else {
                std::fs::remove_file(path)
            };
        }
    }
}

/// Makes what a folder lists durable.
pub(super) fn flush(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}
