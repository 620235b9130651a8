//! Folders for their owner only.

use std::fs::DirBuilder;
use std::io::{self, ErrorKind};
use std::path::Path;

/// Makes a folder that only its owner can read, with the folders above it that are missing. One that is there is an
/// error, of these too: somebody else made it since it was looked for, and may do in it what they like.
pub(crate) fn make(path: &Path) -> io::Result<()> {
    match make_one(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            make(path.parent().ok_or(error)?)?;
            make_one(path)
        }
        made => made,
    }
}

fn make_one(path: &Path) -> io::Result<()> {
    let mut folder = DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut folder, 0o700);
    folder.create(path)
}

/// Whether another account can change what is in a folder: it may write there, or the folder is its own.
#[cfg(unix)]
pub(crate) fn is_open_to_others(folder: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let me = rustix::process::geteuid().as_raw();
    let found = std::fs::metadata(folder);
    found.is_ok_and(|found| found.mode() & 0o022 != 0 || found.uid() != me)
}

#[cfg(not(unix))]
pub(crate) const fn is_open_to_others(_: &Path) -> bool {
    false
}

/// Whether another account can put something else in the place of a file in a folder: it may write there, and no
/// sticky bit keeps it from what is not its own, or the folder belongs to it. Who owns `trusted` has what is written
/// anyway, and the system's own account everything.
#[cfg(unix)]
pub(crate) fn is_changeable_by_others(folder: &Path, trusted: &Path) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt as _;
    let (found, trusted) = (std::fs::metadata(folder)?, std::fs::metadata(trusted)?);
    let me = rustix::process::geteuid().as_raw();
    let is_sticky = found.mode() & 0o1000 != 0;
    let is_strange = ![0, me, trusted.uid()].contains(&found.uid());
    Ok(is_strange || (found.mode() & 0o022 != 0 && !is_sticky))
}

#[cfg(not(unix))]
pub(crate) fn is_changeable_by_others(_: &Path, _: &Path) -> io::Result<bool> {
    Ok(false)
}
