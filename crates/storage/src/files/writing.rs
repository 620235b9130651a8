//! Writing and removing files so that nobody ever sees half of one.

use std::fs::{self, File};
use std::io::{self, BufRead as _, BufReader, Write as _};
use std::path::Path;

use super::place::Place;
use super::reading;
use crate::Created;
use crate::folder;
use crate::incoming::{Incoming, Temporary};

/// How often a file may appear and vanish again while it is looked at.
const PATIENCE: u32 = 8;

/// Puts `bytes` in the place, instead of what was there.
pub(super) fn replace(incoming: &Incoming, place: &Place, bytes: &[u8]) -> io::Result<()> {
    let temporary = incoming.begin()?;
    (&*temporary.file).write_all(bytes)?;
    temporary.file.sync_all()?;
    in_folder(place, || fs::rename(temporary.path(), place.file()))?;
    flush_folder(&place.folder())
}

/// Gives a received file its place, unless one is there.
pub(super) fn create_once(
    temporary: &Temporary,
    place: &Place,
    length: u64,
) -> io::Result<Created> {
    temporary.file.sync_all()?;
    for _ in 0..PATIENCE {
        // A second name, since renaming would replace.
        match in_folder(place, || fs::hard_link(temporary.path(), place.file())) {
            Ok(()) => {
                flush_folder(&place.folder())?;
                return Ok(Created::New(length));
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
        match same_bytes(temporary.path(), &place.file()) {
            Ok(true) => return Ok(Created::Same),
            Ok(false) => return Ok(Created::Different),
            // Deleted since.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
    }
    Err(io::Error::other(
        "an object is made and deleted again and again",
    ))
}

/// Removes the file; that there is none is fine.
pub(super) fn remove(place: &Place) -> io::Result<()> {
    match fs::remove_file(place.file()) {
        Ok(()) => flush_folder(&place.folder()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
    }
}

/// Does `work`; when the place's folder is missing, makes it and does `work` again.
fn in_folder(place: &Place, work: impl Fn() -> io::Result<()>) -> io::Result<()> {
    match work() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            make_folder(&place.outer(), &place.root)?;
            make_folder(&place.folder(), &place.outer())?;
            work()
        }
        result => result,
    }
}

/// Makes a folder that survives a power cut.
fn make_folder(folder: &Path, parent: &Path) -> io::Result<()> {
    folder::make(folder)?;
    // Also when it was there: who made it may not have come this far.
    flush_folder(parent)
}

/// Makes sure of the names that were added to a folder or removed from it.
pub(super) fn flush_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

/// Whether two files hold the same, looking at a piece of both at a time.
fn same_bytes(one: &Path, other: &Path) -> io::Result<bool> {
    let (one, other) = (reading::open(one)?, reading::open(other)?);
    if one.metadata()?.len() != other.metadata()?.len() {
        return Ok(false);
    }
    let (mut one, mut other) = (BufReader::new(one), BufReader::new(other));
    loop {
        let (left, right) = (one.fill_buf()?, other.fill_buf()?);
        let length = left.len().min(right.len());
        if left[..length] != right[..length] || left.is_empty() != right.is_empty() {
            return Ok(false);
        }
        if length == 0 {
            return Ok(true);
        }
        one.consume(length);
        other.consume(length);
    }
}
