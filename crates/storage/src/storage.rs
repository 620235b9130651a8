//! The storage: local files or S3 behind one interface.

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

/// Attempts to create an object that other processes create and delete meanwhile.
const CREATE_ATTEMPTS: u32 = 8;

/// A storage of objects.
///
/// A key is made of parts of `a-z`, `0-9`, `_`, `-` and `.` with single slashes between them, 200
/// characters at most; no part begins with a dot. Other keys give [`StorageError::InvalidKey`]. No
/// key may be the folder of another one, as `a` is of `a/b`: S3 servers with real folders omit one
/// of them in lists.
#[derive(Debug)]
pub enum Storage {
    /// Files in a folder of this machine.
    Local(LocalStore),
    /// Objects in a bucket.
    S3(Box<S3>),
}

impl Storage {
    /// Validates a URL for [`Storage::open`] without connecting. The error is one sentence that does
    /// not repeat the URL.
    pub fn check(url: &str) -> Result<(), String> {
        if url.is_empty() {
            return Ok(());
        }
        BucketConfig::parse(url).map(|_| ())
    }

    /// Opens the storage: for an empty `url`, files in `folder/media`; for
    /// `s3://bucket[/prefix]?endpoint=https://host&region=name` that bucket, with the keys that
    /// [`Credentials::from_env`] finds. Without an endpoint the bucket is at AWS; with one, its
    /// name goes into the path, and the region is optional. Sends no request to the bucket.
    /// The error is one sentence.
    pub async fn open(url: &str, folder: &Path) -> Result<Self, String> {
        if url.is_empty() {
            return Ok(Self::Local(LocalStore::open(&folder.join("media")).await?));
        }
        Self::open_s3(url, Credentials::from_env()?, folder).await
    }

    /// Opens a bucket with the given credentials. Incoming objects are staged in
    /// `folder/media/incoming` until they are complete.
    pub async fn open_s3(
        url: &str,
        credentials: Credentials,
        folder: &Path,
    ) -> Result<Self, String> {
        let s3 = S3::open(BucketConfig::parse(url)?, credentials, &folder.join("media")).await?;
        Ok(Self::S3(Box::new(s3)))
    }

    /// Stores an object atomically and durably, and replaces an object that has the key.
    pub async fn put(&self, key: &str, bytes: Bytes) -> Result<(), StorageError> {
        let key = Key::new(key)?;
        match self {
            Self::Local(local) => local.put(key, bytes).await,
            Self::S3(s3) => s3.put(key, bytes).await,
        }
    }

    /// Stores an incoming object under an unused key. More than `limit` bytes give
    /// [`StorageError::TooLarge`] and a failed stream [`StorageError::BodyAborted`]; both store
    /// nothing. Of concurrent calls with one key, one returns [`CreateOutcome::New`].
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
                // Another process deleted the object since.
                None => {}
            }
        }
        let sentence = "an object is made and deleted again and again";
        Err(StorageError::Unavailable(sentence.to_owned()))
    }

    /// Whether the stored object equals the received file; `None` without an object.
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

    /// The object's size in bytes, or `None` when there is no such object.
    pub async fn size(&self, key: &str) -> Result<Option<u64>, StorageError> {
        let key = Key::new(key)?;
        match self {
            Self::Local(local) => local.size(key).await,
            Self::S3(s3) => s3.size(key).await,
        }
    }

    /// Reads a whole object of at most `limit` bytes, or `None` when there is no such object. A
    /// larger object gives [`StorageError::TooLarge`] and is not read.
    pub async fn get(&self, key: &str, limit: u64) -> Result<Option<Bytes>, StorageError> {
        match self.read(key, None).await? {
            Some(object) if object.size > limit => Err(StorageError::TooLarge),
            Some(object) => object.collect().await.map(Some),
            None => Ok(None),
        }
    }

    /// Opens an object: its size and a stream of the bytes in `range`, or of all. A range must begin
    /// before the object's end, and is cut there.
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

    /// Deletes an object; a missing object is no error.
    pub async fn delete(&self, key: &str) -> Result<(), StorageError> {
        let key = Key::new(key)?;
        match self {
            Self::Local(local) => local.delete(key).await,
            Self::S3(s3) => s3.delete(key).await,
        }
    }

    /// Lists at most `limit` keys after the cursor `after` in byte order, with the objects' sizes.
    /// The last key of a page is the next cursor; an empty page is the end. Local files are all
    /// scanned for each page, so prefer large pages. S3 servers with real folders sort by part.
    pub async fn list(
        &self,
        after: Option<&str>,
        limit: usize,
    ) -> Result<Vec<(String, u64)>, StorageError> {
        if !after.is_none_or(key::has_valid_chars) {
            return Err(StorageError::InvalidKey("is made of a-z, 0-9, /, _, - and ."));
        }
        match self {
            Self::Local(local) => local.list(after, limit).await,
            Self::S3(s3) => s3.list(after, limit).await,
        }
    }

    /// Presigns one `PUT` of `size` bytes and type `content_type` to an unused key, from `now`
    /// (milliseconds since 1970 UTC) for `ttl`, at most 7 days. `None` for local files, and for a type
    /// or time that cannot be signed. A role's credentials may expire earlier, 5 minutes after `now`.
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

    /// Checks that the storage is writable (local) or readable (S3). Cheap enough for a health check
    /// every few seconds; [`probe`](Self::probe) checks more.
    pub async fn ready(&self) -> Result<(), StorageError> {
        match self {
            Self::Local(local) => local.ready().await,
            Self::S3(s3) => s3.ready().await,
        }
    }

    /// Checks that objects can be written, read and deleted, with the object `ready/probe`.
    pub async fn probe(&self) -> Result<(), StorageError> {
        const PROBE: &str = "ready/probe";
        let bytes = Bytes::from_static(b"Can this be written, read and removed?");
        self.put(PROBE, bytes.clone()).await?;
        let read = self.get(PROBE, bytes.len() as u64).await?;
        // Another process may have deleted the object: all processes share its key.
        if read.is_some_and(|read| read != bytes) {
            let sentence = "it gave other bytes back than were written";
            return Err(StorageError::Unavailable(sentence.to_owned()));
        }
        self.delete(PROBE).await
    }

    /// Origin (`scheme://host[:port]`) of the URLs that [`presign_put`](Self::presign_put) returns;
    /// `None` for local files.
    #[must_use]
    pub fn upload_origin(&self) -> Option<&str> {
        match self {
            Self::Local(_) => None,
            Self::S3(s3) => Some(s3.upload_origin()),
        }
    }
}
