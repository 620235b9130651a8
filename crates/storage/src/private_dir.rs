//! Folders with mode 0700.

use rustix::fs::{Mode, OFlags, mkdirat, open, openat};
use std::fs::{self, File, Metadata};
use std::io::{self, ErrorKind};
use std::os::unix::fs::{MetadataExt as _, fchown};
use std::path::Path;

/// Creates a folder and its missing parents with mode 0700, each owned like its parent folder
/// (see [`chown_to_parent`]). An existing folder stays unchanged.
pub fn create_all(path: &Path) -> io::Result<()> {
    match create_one(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            create_all(path.parent().ok_or(error)?)?;
            create_one(path)
        }
        made => made,
    }
}

fn create_one(path: &Path) -> io::Result<()> {
    if path.is_dir() {
        return Ok(());
    }
    let name = path.file_name().ok_or(ErrorKind::InvalidInput)?;
    // The parent is opened once and symlinks are not followed: otherwise its owner could replace it
    // while root works here, and make root chown a folder elsewhere.
    let here = OFlags::DIRECTORY | OFlags::CLOEXEC;
    let above = File::from(open(folder_of(path), here, Mode::empty())?);
    match mkdirat(&above, name, Mode::RWXU) {
        Ok(()) => {
            let made = openat(&above, name, here | OFlags::NOFOLLOW, Mode::empty())?;
            chown(&File::from(made), &above.metadata()?)
        }
        Err(rustix::io::Errno::EXIST) if path.is_dir() => Ok(()),
        Err(error) => Err(error.into()),
    }
}

fn folder_of(path: &Path) -> &Path {
    let folder = path.parent().filter(|folder| *folder != Path::new(""));
    folder.unwrap_or(Path::new("."))
}

/// Changes the owner of a new file to that of its folder when root created it, as `SQLite` does,
/// so that a server without root can use files created by a command that root ran.
pub fn chown_to_parent(made: &File, path: &Path) -> io::Result<()> {
    chown(made, &fs::metadata(folder_of(path))?)
}

fn chown(made: &File, owner: &Metadata) -> io::Result<()> {
    if made.metadata()?.uid() != 0 || owner.uid() == 0 {
        return Ok(());
    }
    fchown(made, Some(owner.uid()), Some(owner.gid()))
}
