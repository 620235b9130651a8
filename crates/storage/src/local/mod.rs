//! Objects as files in a folder.

mod layout;
mod listing;

use std::fs::{self, File};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bytes::Bytes;
use futures_util::stream::{self, StreamExt as _, TryStreamExt as _};
use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;
use tempfile::NamedTempFile;
use tokio::io::AsyncReadExt as _;
use tokio_util::io::ReaderStream;

use crate::blocking::blocking;
use crate::key::Key;
use crate::private_dir;
use crate::staging::StagingDir;
use crate::{Object, StorageError};

/// Bytes per read. A shorter object takes one call on the blocking pool.
const CHUNK: u64 = 256 * 1024;

/// A folder of objects, which several processes may share.
///
/// The object `posts/5f3a/640.webp` is the file `<folder>/c/87/posts@5f3a@640.webp`: the three
/// hexadecimal digits come from a hash of the key, so that the 4,096 folders fill evenly whatever
/// keys look like, and a slash becomes `@`, which no key contains, so that no key leads out of its
/// folder.
#[derive(Debug, Clone)]
pub struct LocalStore {
    root: PathBuf,
    pub(crate) staging: StagingDir,
}

impl LocalStore {
    /// Opens the folder, and creates it when missing. The error is one sentence.
    pub(crate) async fn open(root: &Path) -> Result<Self, String> {
        let root = root.to_path_buf();
        let sentence = format!("the folder of objects {} cannot be used", root.display());
        let opened = blocking(move || {
            let staging = StagingDir::open(root.join("incoming"))?;
            sync_dir(&root)?;
            sync_dir(root.parent().unwrap_or(&root))?;
            Ok(Self { root, staging })
        });
        opened.await.map_err(|failure| format!("{sentence}: {failure}"))
    }

    pub(crate) async fn put(&self, key: Key<'_>, bytes: Bytes) -> Result<(), StorageError> {
        let (staging, file) = (self.staging.clone(), layout::object_path(&self.root, key));
        blocking(move || {
            let mut temporary = staging.create_file()?;
            temporary.write_all(&bytes)?;
            temporary.as_file().sync_all()?;
            let folder = create_parent(&file)?;
            temporary.persist(&file).map_err(|failed| failed.error)?;
            Ok(sync_dir(folder)?)
        })
        .await
    }

    /// Links a staged file to the object's path, and returns `false` when an object exists.
    pub(crate) async fn create(
        &self,
        key: Key<'_>,
        received: &Arc<NamedTempFile>,
    ) -> Result<bool, StorageError> {
        let (received, file) = (Arc::clone(received), layout::object_path(&self.root, key));
        blocking(move || {
            received.as_file().sync_all()?;
            let folder = create_parent(&file)?;
            // A hard link, because renaming would replace an existing object.
            match fs::hard_link(received.path(), &file) {
                Ok(()) => sync_dir(folder)?,
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => return Ok(false),
                Err(error) => return Err(error.into()),
            }
            Ok(true)
        })
        .await
    }

    pub(crate) async fn size(&self, key: Key<'_>) -> Result<Option<u64>, StorageError> {
        let file = layout::object_path(&self.root, key);
        blocking(move || Ok(size(&file)?)).await
    }

    /// Opens the file and reads its first chunk in one blocking call.
    pub(crate) async fn read(
        &self,
        key: Key<'_>,
        wanted: Option<Range<u64>>,
    ) -> Result<Option<Object>, StorageError> {
        let file = layout::object_path(&self.root, key);
        let opened = blocking(move || {
            let Some(mut file) = open(&file)? else {
                return Ok(None);
            };
            let size = file.metadata()?.len();
            let range = wanted.map_or(0..size, |wanted| wanted.start..wanted.end.min(size));
            file.seek(SeekFrom::Start(range.start))?;
            let length = range.end.saturating_sub(range.start);
            // Objects are never written in place, so a shorter file is damaged.
            let mut first = vec![0; usize::try_from(length.min(CHUNK)).unwrap_or(0)];
            file.read_exact(&mut first)?;
            let rest = tokio::fs::File::from_std(file).take(length - first.len() as u64);
            let rest = ReaderStream::with_capacity(rest, usize::try_from(CHUNK).unwrap_or(0));
            let first = stream::iter([Ok(Bytes::from(first))]);
            let body = first.chain(rest.map_err(StorageError::from)).boxed();
            Ok(Some(Object { size, range, body }))
        });
        opened.await
    }

    pub(crate) async fn delete(&self, key: Key<'_>) -> Result<(), StorageError> {
        let file = layout::object_path(&self.root, key);
        blocking(move || match fs::remove_file(&file) {
            Ok(()) => Ok(sync_dir(file.parent().unwrap_or(&file))?),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            Err(error) => Err(error.into()),
        })
        .await
    }

    pub(crate) async fn list(
        &self,
        after: Option<&str>,
        limit: usize,
    ) -> Result<Vec<(String, u64)>, StorageError> {
        let (root, after) = (self.root.clone(), after.map(str::to_owned));
        blocking(move || Ok(listing::page(&root, after.as_deref(), limit)?)).await
    }

    /// Writes a byte to a temporary file, without fsync.
    pub(crate) async fn ready(&self) -> Result<(), StorageError> {
        let staging = self.staging.clone();
        blocking(move || Ok(staging.create_file()?.write_all(b"?")?)).await
    }
}

/// Opens a regular file without following a symlink.
fn open(path: &Path) -> io::Result<Option<File>> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let file = match rustix::fs::open(path, flags, Mode::empty()) {
        Ok(file) => File::from(file),
        // `LOOP` is the error for a symlink.
        Err(Errno::LOOP | Errno::NOENT) => return Ok(None),
        Err(error) => return Err(error.into()),
    };
    Ok(file.metadata()?.is_file().then_some(file))
}

/// The size of a regular file in bytes.
fn size(path: &Path) -> io::Result<Option<u64>> {
    match fs::symlink_metadata(path) {
        Ok(data) => Ok(data.is_file().then_some(data.len())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Creates the parent folder of an object's file durably, when it is missing.
fn create_parent(file: &Path) -> io::Result<&Path> {
    let folder = file.parent().unwrap_or(file);
    if !folder.is_dir() {
        private_dir::create_all(folder)?;
        for above in folder.ancestors().skip(1).take(2) {
            sync_dir(above)?;
        }
    }
    Ok(folder)
}

/// Syncs a folder, so that added and deleted names survive a power cut.
fn sync_dir(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}
