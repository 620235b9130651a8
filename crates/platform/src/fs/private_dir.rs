//! Folders with mode 0700, and checks of folder permissions.

use std::fs::DirBuilder;
use std::io::{self, ErrorKind};
use std::path::Path;

/// Creates a folder and its missing parents with mode 0700. Fails if one of them is created concurrently, because
/// another account could own it.
pub fn create(path: &Path) -> io::Result<()> {
    match create_one(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            create(path.parent().ok_or(error)?)?;
            create_one(path)
        }
        result => result,
    }
}

fn create_one(path: &Path) -> io::Result<()> {
    let mut folder = DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut folder, 0o700);
    folder.create(path)
}

/// Checks whether another account owns a folder or can write to it.
#[cfg(unix)]
#[must_use]
pub fn is_writable_by_others(folder: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let own_uid = rustix::process::geteuid().as_raw();
    let metadata = std::fs::metadata(folder);
    metadata.is_ok_and(|metadata| metadata.mode() & 0o022 != 0 || metadata.uid() != own_uid)
}

#[cfg(not(unix))]
pub const fn is_writable_by_others(_: &Path) -> bool {
    false
}

/// Checks whether another account can replace files in a folder: it owns the folder, or can write to it without a
/// sticky bit. Root and the owner of `trusted`, who can read the written data anyway, do not count.
#[cfg(unix)]
pub fn allows_replacement_by_others(folder: &Path, trusted: &Path) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt as _;
    let (metadata, trusted) = (std::fs::metadata(folder)?, std::fs::metadata(trusted)?);
    let own_uid = rustix::process::geteuid().as_raw();
    let is_sticky = metadata.mode() & 0o1000 != 0;
    let is_foreign = ![0, own_uid, trusted.uid()].contains(&metadata.uid());
    Ok(is_foreign || (metadata.mode() & 0o022 != 0 && !is_sticky))
}

#[cfg(not(unix))]
pub fn allows_replacement_by_others(_: &Path, _: &Path) -> io::Result<bool> {
    Ok(false)
}
