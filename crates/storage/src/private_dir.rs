//! Folders for their owner only.

use rustix::fs::{Mode, OFlags, mkdirat, open, openat};
use std::fs::{self, File, Metadata};
use std::io::{self, ErrorKind};
use std::os::unix::fs::{MetadataExt as _, fchown};
use std::path::Path;

/// Makes a folder for its owner only, with those above it that are missing, and gives each to whom the one above it
/// belongs, as [`chown_to_parent`] says. One that is there stays as it is.
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
    // The folder above is looked up once: whom it belongs to could exchange it while root works here, and be given
    // a folder that root has elsewhere. Nor does a link lead on that is laid in the place of what was made.
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

/// Gives what was just made to whom its folder belongs, when root made it in another's, as `SQLite` does with its
/// files: a server that is not root could not use what a command of root made.
pub fn chown_to_parent(made: &File, path: &Path) -> io::Result<()> {
    chown(made, &fs::metadata(folder_of(path))?)
}

fn chown(made: &File, owner: &Metadata) -> io::Result<()> {
    if made.metadata()?.uid() != 0 || owner.uid() == 0 {
        return Ok(());
    }
    fchown(made, Some(owner.uid()), Some(owner.gid()))
}
