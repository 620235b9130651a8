//! Folders for their owner only.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, ErrorKind};
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _, fchown};
use std::path::Path;

/// Makes a folder for its owner only, with those above it that are missing, and gives each to whom the one above it
/// belongs, as [`hand_over`] says. One that is there stays as it is.
pub fn make(path: &Path) -> io::Result<()> {
    match make_one(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            make(path.parent().ok_or(error)?)?;
            make_one(path)
        }
        made => made,
    }
}

fn make_one(path: &Path) -> io::Result<()> {
    match DirBuilder::new().mode(0o700).create(path) {
        Ok(()) => {
            let mut options = OpenOptions::new();
            // Not where a link leads that somebody laid in its place meanwhile.
            options
                .read(true)
                .custom_flags(libc::O_DIRECTORY | libc::O_NOFOLLOW);
            hand_over(&options.open(path)?, path)
        }
        Err(error) if error.kind() == ErrorKind::AlreadyExists && path.is_dir() => Ok(()),
        Err(error) => Err(error),
    }
}

/// Gives what was just made to whom its folder belongs, when root made it in another's, as `SQLite` does with its
/// files: a server that is not root could not use what a command of root made.
pub fn hand_over(made: &File, path: &Path) -> io::Result<()> {
    let folder = path.parent().filter(|folder| *folder != Path::new(""));
    let owner = fs::metadata(folder.unwrap_or(Path::new(".")))?;
    if made.metadata()?.uid() != 0 || owner.uid() == 0 {
        return Ok(());
    }
    fchown(made, Some(owner.uid()), Some(owner.gid()))
}
