//! Files and folders that go away again unless the work is finished.

use crate::folder;
use parking_lot::Mutex;
use std::fs::{File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

/// Those that are there now, the newest last.
static PRESENT: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Removes all that are there, for a process that is about to end.
pub(crate) fn remove_all() {
    // Kept locked: none is made any more.
    let mut present = PRESENT.lock();
    while let Some(path) = present.pop() {
        remove(&path);
    }
    parking_lot::MutexGuard::leak(present);
}

/// What cannot be removed is named by the error that led here.
fn remove(path: &Path) {
    let _ = if path.is_dir() {
        std::fs::remove_dir_all(path)
    } else {
        std::fs::remove_file(path)
    };
}

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
        let mut present = PRESENT.lock();
        let file = options.open(&path).map_err(|error| naming(&error, &path))?;
        present.push(path.clone());
        Ok((Self(Some(path)), file))
    }

    /// Makes a folder that only its owner can read, with the folders above it; one that is there is an error.
    pub(super) fn folder(path: PathBuf) -> io::Result<Self> {
        let mut present = PRESENT.lock();
        folder::make(&path).map_err(|error| naming(&error, &path))?;
        present.push(path.clone());
        Ok(Self(Some(path)))
    }

    /// Where it is.
    pub(super) fn path(&self) -> &Path {
        self.0.as_deref().unwrap_or(Path::new(""))
    }

    /// Leaves it where it is.
    pub(super) fn keep(mut self) {
        if let Some(path) = self.0.take() {
            forget(&path);
        }
    }
}

fn forget(path: &Path) {
    PRESENT.lock().retain(|present| present != path);
}

/// The same error with the path: hidden names are not what the operator typed.
fn naming(error: &io::Error, path: &Path) -> io::Error {
    io::Error::new(error.kind(), format!("{error}: {}", path.display()))
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if let Some(path) = &self.0 {
            remove(path);
            forget(path);
        }
    }
}

/// Makes what a folder lists durable.
pub(super) fn flush(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}
