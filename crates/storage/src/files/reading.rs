//! Reading files.

use std::fs::{File, OpenOptions};
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::ops::Range;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

use bytes::Bytes;
use futures_util::stream::{self, StreamExt as _};

use super::place::Place;
use crate::blocking::blocking;
use crate::object::clip;
use crate::{Body, Failure, Object};

/// Bytes that are read at a time. What is no longer costs one turn on another thread.
const CHUNK: u64 = 256 * 1024;

/// Opens a regular file, and nothing that a link in its place points at.
pub(super) fn open(path: &Path) -> io::Result<File> {
    let flags = libc::O_NOFOLLOW | libc::O_NONBLOCK;
    let file = OpenOptions::new()
        .read(true)
        .custom_flags(flags)
        .open(path)?;
    if !file.metadata()?.is_file() {
        return Err(io::ErrorKind::NotFound.into());
    }
    Ok(file)
}

fn open_existing(path: &Path) -> io::Result<Option<File>> {
    match open(path) {
        Ok(file) => Ok(Some(file)),
        // What `O_NOFOLLOW` answers for a link.
        Err(error) if error.raw_os_error() == Some(libc::ELOOP) => Ok(None),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// All of a file of at most `limit` bytes.
pub(super) fn whole(path: &Path, limit: u64) -> Result<Option<Bytes>, Failure> {
    let Some(mut file) = open_existing(path)? else {
        return Ok(None);
    };
    let size = file.metadata()?.len();
    if size > limit {
        return Err(Failure::TooLarge);
    }
    Ok(Some(chunk(&mut file, size)?))
}

/// A file, or a part of it, with the first chunk already read.
pub(super) async fn object(
    place: Place,
    wanted: Option<Range<u64>>,
) -> Result<Option<Object>, Failure> {
    let opened = blocking(move || {
        let Some(mut file) = open_existing(&place.file())? else {
            return Ok(None);
        };
        let size = file.metadata()?.len();
        let range = clip(wanted, size);
        file.seek(SeekFrom::Start(range.start))?;
        let mut left = range.end - range.start;
        let first = next(&mut file, &mut left)?;
        Ok(Some((size, range, first, Rest { file, left })))
    });
    let Some((size, range, first, rest)) = opened.await? else {
        return Ok(None);
    };
    let first = stream::iter(first.map(Ok));
    let body: Body = if rest.left == 0 {
        first.boxed()
    } else {
        first.chain(stream::try_unfold(rest, Rest::step)).boxed()
    };
    Ok(Some(Object { size, range, body }))
}

/// What of a file is still to be read.
struct Rest {
    file: File,
    left: u64,
}

impl Rest {
    async fn step(mut self) -> Result<Option<(Bytes, Self)>, Failure> {
        if self.left == 0 {
            return Ok(None);
        }
        blocking(move || {
            let chunk = next(&mut self.file, &mut self.left)?;
            Ok(chunk.map(|chunk| (chunk, self)))
        })
        .await
    }
}

fn next(file: &mut File, left: &mut u64) -> io::Result<Option<Bytes>> {
    let length = CHUNK.min(*left);
    if length == 0 {
        return Ok(None);
    }
    *left -= length;
    chunk(file, length).map(Some)
}

/// Exactly `length` bytes: files are never written in place, so a shorter one is damaged.
fn chunk(file: &mut File, length: u64) -> io::Result<Bytes> {
    let length = usize::try_from(length).map_err(io::Error::other)?;
    let mut bytes = vec![0; length];
    file.read_exact(&mut bytes)?;
    Ok(bytes.into())
}
