//! Staging of incoming objects: temporary files in a folder of their own.

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

/// Age since the last write at which a temporary file is abandoned. A request lasts seconds.
const ABANDONED_AFTER: Duration = Duration::from_hours(1);

/// Length of a temporary file's name, in letters and digits.
const NAME_LENGTH: usize = 16;

/// Size of the write buffer, in bytes.
const WRITE_BUFFER: usize = 256 * 1024;

/// The folder of temporary files.
#[derive(Debug, Clone)]
pub(crate) struct StagingDir {
    folder: PathBuf,
}

impl StagingDir {
    /// Creates the folder with mode 0700 and deletes temporary files of killed processes. Files
    /// younger than an hour may belong to another process and stay.
    pub(crate) fn open(folder: PathBuf) -> io::Result<Self> {
        private_dir::create_all(&folder)?;
        // A command that root runs would delete files at the target of a symlink.
        if folder.symlink_metadata()?.is_symlink() {
            let shown = folder.display();
            return Err(io::Error::other(format!("{shown} is a symbolic link")));
        }
        let staging = Self { folder };
        // A new file has the clock of the file system, which may be on another machine.
        let now = staging.create_file()?.as_file().metadata()?.modified()?;
        for entry in fs::read_dir(&staging.folder)? {
            let entry = entry?;
            if is_abandoned(&entry, now) {
                fs::remove_file(entry.path()).ok();
            }
        }
        Ok(staging)
    }

    /// Creates an empty temporary file, which is deleted on drop.
    pub(crate) fn create_file(&self) -> io::Result<NamedTempFile> {
        Builder::new().prefix("").rand_bytes(NAME_LENGTH).tempfile_in(&self.folder)
    }

    /// Writes a stream to a temporary file and returns the file with its length in bytes. A stream
    /// that fails or has more than `limit` bytes leaves no file.
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
        // The buffer copies, because a chunk of one byte keeps its whole network buffer in memory.
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

/// Whether the entry is an abandoned file of [`StagingDir::create_file`].
fn is_abandoned(entry: &fs::DirEntry, now: SystemTime) -> bool {
    let name = entry.file_name();
    let name = name.as_encoded_bytes();
    if name.len() != NAME_LENGTH || !name.iter().all(u8::is_ascii_alphanumeric) {
        return false;
    }
    let touched = entry.metadata().and_then(|data| data.modified());
    touched.is_ok_and(|touched| now.duration_since(touched).is_ok_and(|age| age > ABANDONED_AFTER))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::convert::Infallible;
    use std::sync::Arc;

    /// A chunk of a body from a connection: one byte of a larger buffer.
    struct Block(Arc<[u8]>);

    impl AsRef<[u8]> for Block {
        fn as_ref(&self) -> &[u8] {
            &self.0[..1]
        }
    }

    /// Otherwise a client that sends single bytes would hold a buffer for each of them.
    #[tokio::test]
    async fn no_chunk_is_held_while_others_arrive() -> Result<(), StorageError> {
        let folder = tempfile::tempdir()?;
        let staging = StagingDir::open(folder.path().join("incoming"))?;
        let held: Arc<[u8]> = Arc::from(vec![b'x'; 8_192]);
        let pieces = (0..1_000).map(|_| {
            assert_eq!(Arc::strong_count(&held), 1, "an earlier piece is still held");
            Ok::<_, Infallible>(Bytes::from_owner(Block(Arc::clone(&held))))
        });
        let body = futures_util::stream::iter(pieces);
        let (received, length) = staging.receive(body, 1_000).await?;
        assert_eq!((length, fs::read(received.path())?), (1_000, vec![b'x'; 1_000]));
        Ok(())
    }
}
