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
pub(crate) struct Temporary(Option<PathBuf>);

impl Temporary {
    /// Makes a file that only its owner can read; one that is there is an error.
    pub(crate) fn file(path: PathBuf) -> io::Result<(Self, File)> {
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
    pub(crate) fn folder(path: PathBuf) -> io::Result<Self> {
        let mut present = PRESENT.lock();
        folder::make(&path).map_err(|error| naming(&error, &path))?;
        present.push(path.clone());
        Ok(Self(Some(path)))
    }

    /// Where it is.
    pub(crate) fn path(&self) -> &Path {
        self.0.as_deref().unwrap_or(Path::new(""))
    }

    /// Leaves it where it is.
    pub(crate) fn keep(mut self) {
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

/// A hidden name in the same folder, so that the finished file only has to be given its own.
pub(crate) fn beside(file: &Path, ending: &str) -> PathBuf {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    file.with_file_name(format!(".{name}.{ending}"))
}

/// The folder that a file is to be in.
pub(crate) fn folder_of(file: &Path) -> &Path {
    let folder = file.parent().filter(|parent| *parent != Path::new(""));
    folder.unwrap_or(Path::new("."))
}

/// Makes a finished file durable under its name, which nothing else must have.
pub(crate) fn place(out: &File, part: Temporary, file: &Path) -> io::Result<()> {
    out.sync_all()?;
    // A hard link, unlike a rename, never replaces what somebody else put there meanwhile.
    match std::fs::hard_link(part.path(), file) {
        Ok(()) => drop(part),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => return Err(error),
        Err(_) => {
            std::fs::rename(part.path(), file)?;
            part.keep();
        }
    }
    flush(folder_of(file))
}

/// Makes what a folder lists durable.
pub(crate) fn flush(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}
