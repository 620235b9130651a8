//! Temporary files and folders of commands, removed on failure and when a signal ends the process.

use crate::fs::private_dir;
use parking_lot::Mutex;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use tempfile::{Builder, NamedTempFile, TempDir, TempPath};

/// Paths to remove on a signal, newest last.
static REGISTERED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Removes all registered paths. The lock is never released, so that no further path is created.
pub fn remove_all() {
    let mut registered = REGISTERED.lock();
    while let Some(path) = registered.pop() {
        // Errors are ignored, because the process ends.
        let _ = if path.is_dir() {
            std::fs::remove_dir_all(&path)
        } else {
            std::fs::remove_file(&path)
        };
    }
    parking_lot::MutexGuard::leak(registered);
}

/// Creates a file with mode 0600, locked while it is open. Replaces a file that a killed process of this account left;
/// fails if the path exists otherwise.
pub fn create_file(path: &Path) -> io::Result<(TempPath, File)> {
    // Locked until the new file is, so that of two processes one replaces it.
    let abandoned = open_abandoned(path)?;
    if abandoned.is_some() {
        std::fs::remove_file(path)?;
    }
    let created = create_registered(path, |builder, folder| builder.tempfile_in(folder))?;
    let (file, path) = NamedTempFile::into_parts(created);
    file.try_lock()?;
    Ok((path, file))
}

/// Opens and locks the file of a process that has ended; `None` if the path does not exist.
#[cfg(unix)]
fn open_abandoned(path: &Path) -> io::Result<Option<File>> {
    use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
    let mut options = File::options();
    let no_symlinks = rustix::fs::OFlags::NOFOLLOW.bits().cast_signed();
    // For writing too, because opening a pipe for reading would wait for a writer.
    let file = match options.read(true).write(true).custom_flags(no_symlinks).open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(_) if std::fs::symlink_metadata(path).is_ok() => {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        Err(error) => return Err(error),
    };
    let is_locked = file.try_lock().is_ok();
    let (opened, current) = (file.metadata()?, std::fs::symlink_metadata(path)?);
    let is_current = (opened.dev(), opened.ino()) == (current.dev(), current.ino());
    if is_locked && opened.is_file() && is_own(&opened) && is_current {
        Ok(Some(file))
    } else {
        Err(io::ErrorKind::AlreadyExists.into())
    }
}

#[cfg(not(unix))]
fn open_abandoned(path: &Path) -> io::Result<Option<File>> {
    if path.try_exists()? { Err(io::ErrorKind::AlreadyExists.into()) } else { Ok(None) }
}

/// Removes the folder that a killed process of this account left; other folders are unchanged. Only the process that
/// holds the lock of the file beside it may call this.
pub fn remove_abandoned_dir(path: &Path) -> io::Result<()> {
    match std::fs::symlink_metadata(path) {
        Ok(found) if found.is_dir() && is_own(&found) => std::fs::remove_dir_all(path),
        _ => Ok(()),
    }
}

/// Checks whether a file belongs to the account of this process.
#[cfg(unix)]
fn is_own(metadata: &std::fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    metadata.uid() == rustix::process::geteuid().as_raw()
}

#[cfg(not(unix))]
const fn is_own(_metadata: &std::fs::Metadata) -> bool {
    false
}

/// Creates a folder with mode 0700 and its missing parents. Fails if the path exists.
pub fn create_dir(path: &Path) -> io::Result<TempDir> {
    let parent = parent_dir(path);
    if !parent.exists() {
        private_dir::create(parent)?;
    }
    create_registered(path, |builder, folder| {
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o700));
        builder.tempdir_in(folder)
    })
}

/// Creates a file or folder with `create` and registers its path for removal.
fn create_registered<T: AsRef<Path>>(
    path: &Path,
    create: impl FnOnce(&mut Builder<'_, '_>, &Path) -> io::Result<T>,
) -> io::Result<T> {
    let mut builder = Builder::new();
    builder.prefix(path.file_name().unwrap_or_default()).rand_bytes(0);
    let mut registered = REGISTERED.lock();
    let created = create(&mut builder, parent_dir(path))?;
    registered.push(created.as_ref().to_path_buf());
    Ok(created)
}

/// Keeps a finished folder and removes it from the registered paths.
pub fn keep_dir(folder: TempDir) {
    let kept = folder.keep();
    REGISTERED.lock().retain(|path| *path != kept);
}

/// Returns a hidden path in the folder of `file`, from which the finished file can be renamed.
#[must_use]
pub fn sibling_temp_path(file: &Path, extension: &str) -> PathBuf {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    file.with_file_name(format!(".{name}.{extension}"))
}

/// Returns the parent folder of a path; `.` for a bare file name.
#[must_use]
pub fn parent_dir(file: &Path) -> &Path {
    let folder = file.parent().filter(|parent| *parent != Path::new(""));
    folder.unwrap_or(Path::new("."))
}

/// Syncs a finished file and renames it to `file`. Fails if that path exists.
pub fn persist_noclobber(out: &File, part: TempPath, file: &Path) -> io::Result<()> {
    out.sync_all()?;
    part.persist_noclobber(file)?;
    sync_dir(parent_dir(file))
}

/// Syncs a folder, so that renames in it are durable.
pub fn sync_dir(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_cannot_be_created_is_not_reported_to_exist() {
        let file = NamedTempFile::new().unwrap();
        let error = create_file(&file.path().join("below-a-file")).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::NotADirectory);
        let folder = tempfile::tempdir().unwrap();
        let error = create_file(folder.path()).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::AlreadyExists);
    }
}
