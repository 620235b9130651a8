//! One interface, two places.

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures_util::{Stream, TryStreamExt as _};
use tempfile::NamedTempFile;
use tokio::fs::File;
use tokio::io::AsyncReadExt as _;

use crate::key::{self, Key};
use crate::s3::BucketConfig;
use crate::{CreateOutcome, Credentials, LocalStore, Object, Presigned, S3, StorageError};

/// How often an object may appear and vanish again while it is created.
const CREATE_ATTEMPTS: u32 = 8;

/// Where objects are kept.
///
/// A key is made of parts of `a-z`, `0-9`, `_`, `-` and `.` with single slashes between them, 200
/// characters at most; no part begins with a dot. Anything else is [`StorageError::InvalidKey`]. Give no
/// object a key that is the folder of another's, as `a` is of `a/b`: some S3 servers keep folders,
/// and lose one or the other in lists.
#[derive(Debug)]
pub enum Storage {
    /// In a folder of this machine.
    Local(LocalStore),
    /// In a bucket.
    S3(Box<S3>),
}

impl Storage {
    /// Whether `url` can be given to [`Storage::open`]; if not, why, in one sentence that does not
    /// repeat it. Looks at the text only.
    pub fn check(url: &str) -> Result<(), String> {
        if url.is_empty() {
            return Ok(());
        }
        BucketConfig::parse(url).map(|_| ())
    }

    /// Opens the storage: for an empty `url`, files in `folder/media`; for
    /// `s3://bucket[/prefix]?endpoint=https://host&region=name` that bucket, with the keys that
    /// [`Credentials::from_env`] finds. Without an endpoint the bucket is at AWS; with one, its
    /// name goes into the path, and the region may be missing. Asks the bucket nothing yet.
    /// A failure is one sentence.
    pub async fn open(url: &str, folder: &Path) -> Result<Self, String> {
        if url.is_empty() {
            return Ok(Self::Local(LocalStore::open(&folder.join("media")).await?));
        }
        Self::open_s3(url, Credentials::from_env()?, folder).await
    }

    /// Opens a bucket with keys that were found elsewhere. StagingDir objects wait in
    /// `folder/media/staging` until all of them is there.
    pub async fn open_s3(
        url: &str,
        credentials: Credentials,
        folder: &Path,
    ) -> Result<Self, String> {
        let s3 = S3::open(
            BucketConfig::parse(url)?,
            credentials,
            &folder.join("media"),
        )
        .await?;
        Ok(Self::S3(Box::new(s3)))
    }

    /// Stores an object whole and durably: readers see what was there before, or all of it. Again
    /// with the same key replaces it.
    pub async fn put(&self, key: &str, bytes: Bytes) -> Result<(), StorageError> {
        let key = Key::new(key)?;
        match self {
            Self::Local(local) => local.put(key, bytes).await,
            Self::S3(s3) => s3.put(key, bytes).await,
        }
    }

    /// Stores an staging object under a key that has none yet. It is counted while it comes in:
    /// one of more than `limit` bytes is [`StorageError::TooLarge`], one that breaks off is
    /// [`StorageError::BodyAborted`], and nothing of either stays. Of several with one key at once, one
    /// is [`CreateOutcome::New`].
    pub async fn create<E>(
        &self,
        key: &str,
        body: impl Stream<Item = Result<Bytes, E>>,
        limit: u64,
    ) -> Result<CreateOutcome, StorageError> {
        let key = Key::new(key)?;
        let staging = match self {
            Self::Local(local) => &local.staging,
            Self::S3(s3) => &s3.staging,
        };
        let (received, length) = staging.receive(body, limit).await?;
        let received = Arc::new(received);
        for _ in 0..CREATE_ATTEMPTS {
            let is_new = match self {
                Self::Local(local) => local.create(key, &received).await?,
                Self::S3(s3) => s3.create(key, &received, length).await?,
            };
            if is_new {
                return Ok(CreateOutcome::New(length));
            }
            match self.is_same(key, &received, length).await? {
                Some(true) => return Ok(CreateOutcome::Same),
                Some(false) => return Ok(CreateOutcome::Different),
                // Deleted since.
                None => {}
            }
        }
        let sentence = "an object is made and deleted again and again";
        Err(StorageError::Unavailable(sentence.to_owned()))
    }

    /// Whether the stored object is what the file holds; `None` when there is none.
    async fn is_same(
        &self,
        key: Key<'_>,
        received: &NamedTempFile,
        length: u64,
    ) -> Result<Option<bool>, StorageError> {
        let Some(mut object) = self.read(key.as_str(), None).await? else {
            return Ok(None);
        };
        if object.size != length {
            return Ok(Some(false));
        }
        let mut file = File::from_std(received.reopen()?);
        let mut own = Vec::new();
        while let Some(piece) = object.body.try_next().await? {
            own.resize(piece.len(), 0);
            file.read_exact(&mut own).await?;
            if own != piece {
                return Ok(Some(false));
            }
        }
        Ok(Some(true))
    }

    /// The object's length in bytes, or `None` when there is no such object.
    pub async fn size(&self, key: &str) -> Result<Option<u64>, StorageError> {
        let key = Key::new(key)?;
        match self {
            Self::Local(local) => local.size(key).await,
            Self::S3(s3) => s3.size(key).await,
        }
    }

    /// A whole object of at most `limit` bytes, or `None` when there is no such object. A larger
    /// one is [`StorageError::TooLarge`] and is not read.
    pub async fn get(&self, key: &str, limit: u64) -> Result<Option<Bytes>, StorageError> {
        match self.read(key, None).await? {
            Some(object) if object.size > limit => Err(StorageError::TooLarge),
            Some(object) => object.collect().await.map(Some),
            None => Ok(None),
        }
    }

    /// An object for somebody who waits for it: its length and a stream of the bytes in `range`,
    /// or of all. A range begins before the object's end; one that goes beyond it is cut there.
    pub async fn read(
        &self,
        key: &str,
        range: Option<Range<u64>>,
    ) -> Result<Option<Object>, StorageError> {
        let key = Key::new(key)?;
        match self {
            Self::Local(local) => local.read(key, range).await,
            Self::S3(s3) => s3.read(key, range).await,
        }
    }

    /// Removes an object; that there is none is fine.
    pub async fn delete(&self, key: &str) -> Result<(), StorageError> {
        let key = Key::new(key)?;
        match self {
            Self::Local(local) => local.delete(key).await,
            Self::S3(s3) => s3.delete(key).await,
        }
    }

    /// Keys that come behind `after`, in the order of their bytes, with the objects' lengths:
    /// `limit` of them at most. Pass the last key of a page to get the next; the last page is the
    /// empty one. LocalStore are all looked through for each page, so ask for large ones. S3 servers
    /// that keep folders order keys part by part.
    pub async fn list(
        &self,
        after: Option<&str>,
        limit: usize,
    ) -> Result<Vec<(String, u64)>, StorageError> {
        if !after.is_none_or(key::has_valid_chars) {
            return Err(StorageError::InvalidKey(
                "is made of a-z, 0-9, /, _, - and .",
            ));
        }
        match self {
            Self::Local(local) => local.list(after, limit).await,
            Self::S3(s3) => s3.list(after, limit).await,
        }
    }

    /// Permission to send an object under `key` to the storage itself, by one `PUT`, from `now`
    /// (milliseconds since 1970 UTC) for `ttl`, at most 7 days. It must have `size` bytes and the
    /// type `content_type`, and is refused when the key is taken. `None` for files, and for a type
    /// or time that cannot be signed. With a role's keys it ends with them, which may be five
    /// minutes after `now`.
    pub async fn presign_put(
        &self,
        key: &str,
        size: u64,
        content_type: &str,
        ttl: Duration,
        now: i64,
    ) -> Result<Option<Presigned>, StorageError> {
        let key = Key::new(key)?;
        match self {
            Self::Local(_) => Ok(None),
            Self::S3(s3) => s3.presign_put(key, size, content_type, ttl, now).await,
        }
    }

    /// Whether objects can be stored (files) or asked for (S3) now. Quick and cheap, for checks
    /// that come every few seconds; [`probe`](Self::probe) shows more.
    pub async fn ready(&self) -> Result<(), StorageError> {
        match self {
            Self::Local(local) => local.ready().await,
            Self::S3(s3) => s3.ready().await,
        }
    }

    /// Whether objects can be written, read and removed now: does so with one of its own,
    /// `ready/probe`.
    pub async fn probe(&self) -> Result<(), StorageError> {
        const PROBE: &str = "ready/probe";
        let bytes = Bytes::from_static(b"Can this be written, read and removed?");
        self.put(PROBE, bytes.clone()).await?;
        let read = self.get(PROBE, bytes.len() as u64).await?;
        // Another process may have removed it: they share the key.
        if read.is_some_and(|read| read != bytes) {
            let sentence = "it gave other bytes back than were written";
            return Err(StorageError::Unavailable(sentence.to_owned()));
        }
        self.delete(PROBE).await
    }

    /// `scheme://host[:port]` that browsers talk to when they use what
    /// [`presign_put`](Self::presign_put) answers; `None` for files.
    #[must_use]
    pub fn upload_origin(&self) -> Option<&str> {
        match self {
            Self::Local(_) => None,
            Self::S3(s3) => Some(s3.upload_origin()),
        }
    }
}
