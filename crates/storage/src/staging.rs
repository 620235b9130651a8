//! Objects that are still coming in: temporary files in a folder of their own.

use std::fs;
use std::io;
use std::path::PathBuf;
use std::pin::pin;
use std::time::{Duration, SystemTime};

use bytes::Bytes;
use futures_util::{Stream, StreamExt as _};
use tempfile::{Builder, NamedTempFile};
use tokio::fs::File;
use tokio::io::{AsyncWriteExt as _, BufWriter};

use crate::StorageError;
use crate::blocking::blocking;
use crate::private_dir;

/// How long after its last write a temporary file belongs to nobody. A request lives seconds.
const ABANDONED_AFTER: Duration = Duration::from_hours(1);

/// Letters and digits in the name of a temporary file.
const NAME_LENGTH: usize = 16;

/// Bytes that are handed to the disk together.
const WRITE_BUFFER: usize = 256 * 1024;

/// The folder.
#[derive(Debug, Clone)]
pub(crate) struct StagingDir {
    folder: PathBuf,
}

impl StagingDir {
    /// Makes the folder, which nobody else may enter, and removes what killed processes left in
    /// it. What is younger than an hour may belong to another process and stays.
    pub(crate) fn open(folder: PathBuf) -> io::Result<Self> {
        private_dir::create_all(&folder)?;
        // A command of root's would delete what lies where the server's account lets a link lead.
        if folder.symlink_metadata()?.is_symlink() {
            let shown = folder.display();
            return Err(io::Error::other(format!("{shown} is a link")));
        }
        let staging = Self { folder };
        // The time of a new file is the file system's own, which may be another machine's.
        let now = staging.create_file()?.as_file().metadata()?.modified()?;
        for entry in fs::read_dir(&staging.folder)? {
            let entry = entry?;
            if is_abandoned(&entry, now) {
                fs::remove_file(entry.path()).ok();
            }
        }
        Ok(staging)
    }

    /// A new, empty temporary file, which is removed when it is dropped.
    pub(crate) fn create_file(&self) -> io::Result<NamedTempFile> {
        Builder::new()
            .prefix("")
            .rand_bytes(NAME_LENGTH)
            .tempfile_in(&self.folder)
    }

    /// Writes a stream to a temporary file and returns it with its length; nothing stays of one
    /// that breaks off or has more than `limit` bytes.
    pub(crate) async fn receive<E>(
        &self,
        body: impl Stream<Item = Result<Bytes, E>>,
        limit: u64,
    ) -> Result<(NamedTempFile, u64), StorageError> {
        let begun = self.clone();
        let (temporary, file) = blocking(move || {
            let temporary = begun.create_file()?;
            let file = temporary.as_file().try_clone()?;
            Ok((temporary, File::from_std(file)))
        })
        .await?;
        // Copies: a piece of one byte keeps the whole block that it was read into.
        let mut file = BufWriter::with_capacity(WRITE_BUFFER, file);
        let mut body = pin!(body);
        let mut length = 0;
        while let Some(chunk) = body.next().await {
            let chunk = chunk.map_err(|_| StorageError::BodyAborted)?;
            length += chunk.len() as u64;
            if length > limit {
                return Err(StorageError::TooLarge);
            }
            file.write_all(&chunk).await?;
        }
        file.flush().await?;
        Ok((temporary, length))
    }
}

/// Whether it is a file that [`StagingDir::begin`] made, and old.
fn is_abandoned(entry: &fs::DirEntry, now: SystemTime) -> bool {
    let name = entry.file_name();
    let name = name.as_encoded_bytes();
    if name.len() != NAME_LENGTH || !name.iter().all(u8::is_ascii_alphanumeric) {
        return false;
    }
    let touched = entry.metadata().and_then(|data| data.modified());
    touched.is_ok_and(|touched| {
        now.duration_since(touched)
            .is_ok_and(|age| age > ABANDONED_AFTER)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::convert::Infallible;
    use std::sync::Arc;

    /// A piece of a body as it comes from a connection: one byte of a larger block.
    struct Block(Arc<[u8]>);

    impl AsRef<[u8]> for Block {
        fn as_ref(&self) -> &[u8] {
            &self.0[..1]
        }
    }

    /// Who sends a file byte by byte would have a block of memory held for each.
    #[tokio::test]
    async fn no_piece_is_held_while_others_come() -> Result<(), StorageError> {
        let folder = tempfile::tempdir()?;
        let staging = StagingDir::open(folder.path().join("staging"))?;
        let held: Arc<[u8]> = Arc::from(vec![b'x'; 8_192]);
        let pieces = (0..1_000).map(|_| {
            assert_eq!(
                Arc::strong_count(&held),
                1,
                "an earlier piece is still held"
            );
            Ok::<_, Infallible>(Bytes::from_owner(Block(Arc::clone(&held))))
        });
        let body = futures_util::stream::iter(pieces);
        let (received, length) = staging.receive(body, 1_000).await?;
        assert_eq!(
            (length, fs::read(received.path())?),
            (1_000, vec![b'x'; 1_000])
        );
        Ok(())
    }
}
