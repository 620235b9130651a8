//! Files and folders of commands that go away again unless the work is finished, also when a signal ends the process.

use crate::platform::fs::private_dir;
use parking_lot::Mutex;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use tempfile::{Builder, NamedTempFile, TempDir, TempPath};

/// Paths that are removed when a signal comes, the newest last.
static PRESENT: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

pub(crate) fn remove_all() {
    // Kept locked: none is made any more.
    let mut present = PRESENT.lock();
    while let Some(path) = present.pop() {
        // What cannot be removed is named by the error that led here.
        let _ = if path.is_dir() {
            std::fs::remove_dir_all(&path)
        } else {
            std::fs::remove_file(&path)
        };
    }
    parking_lot::MutexGuard::leak(present);
}

/// Makes a file that only its owner can read; one that is there is an error.
pub(crate) fn file(path: &Path) -> io::Result<(TempPath, File)> {
    let made = make(path, |name, folder| name.tempfile_in(folder))?;
    let (file, path) = NamedTempFile::into_parts(made);
    Ok((path, file))
}

/// Makes a folder that only its owner can read, with the folders above it; one that is there is an error.
pub(crate) fn folder(path: &Path) -> io::Result<TempDir> {
    let above = folder_of(path);
    if !above.exists() {
        private_dir::make(above)?;
    }
    make(path, |name, folder| {
        #[cfg(unix)]
        name.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o700));
        name.tempdir_in(folder)
    })
}

fn make<T: AsRef<Path>>(
    path: &Path,
    make: impl FnOnce(&mut Builder<'_, '_>, &Path) -> io::Result<T>,
) -> io::Result<T> {
    let mut name = Builder::new();
    name.prefix(path.file_name().unwrap_or_default())
        .rand_bytes(0);
    let mut present = PRESENT.lock();
    let made = make(&mut name, folder_of(path))?;
    present.push(made.as_ref().to_path_buf());
    Ok(made)
}

pub(crate) fn keep(folder: TempDir) {
    let kept = folder.keep();
    PRESENT.lock().retain(|path| *path != kept);
}

/// A hidden name in the same folder, so that the finished file only has to be given its own.
pub(crate) fn beside(file: &Path, ending: &str) -> PathBuf {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    file.with_file_name(format!(".{name}.{ending}"))
}

pub(crate) fn folder_of(file: &Path) -> &Path {
    let folder = file.parent().filter(|parent| *parent != Path::new(""));
    folder.unwrap_or(Path::new("."))
}

/// Makes a finished file durable under its name, which nothing else must have.
pub(crate) fn place(out: &File, part: TempPath, file: &Path) -> io::Result<()> {
    out.sync_all()?;
    part.persist_noclobber(file)?;
    flush(folder_of(file))
}

pub(crate) fn flush(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}
