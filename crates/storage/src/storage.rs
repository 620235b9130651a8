//! One interface, two places.

use std::ops::Range;
use std::path::Path;
use std::time::Duration;

use bytes::Bytes;
use futures_util::Stream;

use crate::key::{self, Key};
use crate::s3::Address;
use crate::{Created, Credentials, Failure, Files, Object, Presigned, S3};

/// Where objects are kept.
///
/// A key is made of parts of `a-z`, `0-9`, `_`, `-` and `.` with single slashes between them, 200
/// characters at most; no part begins with a dot. Anything else is [`Failure::WrongKey`]. Give no
/// object a key that is the folder of another's, as `a` is of `a/b`: some S3 servers keep folders,
/// and lose one or the other in lists.
#[derive(Debug)]
pub enum Storage {
    /// In a folder of this machine.
    Files(Files),
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
        Address::parse(url).map(|_| ())
    }

    /// Opens the storage: for an empty `url`, files in `folder/media`; for
    /// `s3://bucket[/prefix]?endpoint=https://host&region=name` that bucket, with the keys that
    /// [`Credentials::from_env`] finds. Without an endpoint the bucket is at AWS; with one, its
    /// name goes into the path, and the region may be missing. Asks the bucket nothing yet.
    /// A failure is one sentence.
    pub async fn open(url: &str, folder: &Path) -> Result<Self, String> {
        if url.is_empty() {
            return Ok(Self::Files(Files::open(&folder.join("media")).await?));
        }
        Self::open_s3(url, Credentials::from_env()?, folder).await
    }

    /// Opens a bucket with keys that were found elsewhere. Incoming objects wait in
    /// `folder/media/incoming` until all of them is there.
    pub async fn open_s3(
        url: &str,
        credentials: Credentials,
        folder: &Path,
    ) -> Result<Self, String> {
        let s3 = S3::open(Address::parse(url)?, credentials, &folder.join("media")).await?;
        Ok(Self::S3(Box::new(s3)))
    }

    /// Stores an object whole and durably: readers see what was there before, or all of it. Again
    /// with the same key replaces it.
    pub async fn put(&self, key: &str, bytes: Bytes) -> Result<(), Failure> {
        let key = Key::new(key)?;
        match self {
            Self::Files(files) => files.put(key, bytes).await,
            Self::S3(s3) => s3.put(key, bytes).await,
        }
    }

    /// Stores an incoming object under a key that has none yet. It is counted while it comes in:
    /// one of more than `limit` bytes is [`Failure::TooLarge`], one that breaks off is
    /// [`Failure::BodyBroken`], and nothing of either stays. Of several with one key at once, one
    /// is [`Created::New`].
    pub async fn create<E>(
        &self,
        key: &str,
        body: impl Stream<Item = Result<Bytes, E>>,
        limit: u64,
    ) -> Result<Created, Failure> {
        let key = Key::new(key)?;
        match self {
            Self::Files(files) => files.create(key, body, limit).await,
            Self::S3(s3) => s3.create(key, body, limit).await,
        }
    }

    /// The object's length in bytes, or `None` when there is no such object.
    pub async fn size(&self, key: &str) -> Result<Option<u64>, Failure> {
        let key = Key::new(key)?;
        match self {
            Self::Files(files) => files.size(key).await,
            Self::S3(s3) => s3.size(key).await,
        }
    }

    /// A whole object of at most `limit` bytes, or `None` when there is no such object. A larger
    /// one is [`Failure::TooLarge`] and is not read.
    pub async fn get(&self, key: &str, limit: u64) -> Result<Option<Bytes>, Failure> {
        let key = Key::new(key)?;
        match self {
            Self::Files(files) => files.get(key, limit).await,
            Self::S3(s3) => s3.get(key, limit).await,
        }
    }

    /// An object for somebody who waits for it: its length and a stream of the bytes in `range`,
    /// or of all. A range that goes beyond the end is cut there; one that begins there is empty.
    pub async fn read(
        &self,
        key: &str,
        range: Option<Range<u64>>,
    ) -> Result<Option<Object>, Failure> {
        let key = Key::new(key)?;
        match self {
            Self::Files(files) => files.read(key, range).await,
            Self::S3(s3) => s3.read(key, range).await,
        }
    }

    /// Removes an object; that there is none is fine.
    pub async fn delete(&self, key: &str) -> Result<(), Failure> {
        let key = Key::new(key)?;
        match self {
            Self::Files(files) => files.delete(key).await,
            Self::S3(s3) => s3.delete(key).await,
        }
    }

    /// Keys that begin with `prefix` and come behind `after`, in the order of their bytes, with
    /// the objects' lengths: `limit` of them at most. Pass the last key of a page to get the next;
    /// the last page is the empty one. Files are all looked through for each page, so ask for
    /// large ones. S3 servers that keep folders order keys part by part.
    pub async fn list(
        &self,
        prefix: &str,
        after: Option<&str>,
        limit: usize,
    ) -> Result<Vec<(String, u64)>, Failure> {
        if !key::all_allowed(prefix) || !after.is_none_or(key::all_allowed) {
            return Err(Failure::WrongKey("is made of a-z, 0-9, /, _, - and ."));
        }
        match self {
            Self::Files(files) => files.list(prefix, after, limit).await,
            Self::S3(s3) => s3.list(prefix, after, limit).await,
        }
    }

    /// Permission to send an object under `key` to the storage itself, by one `PUT`, from `now`
    /// (milliseconds since 1970 UTC) for `ttl`, at most 7 days. It must have `size` bytes and the
    /// type `content_type`, as far as these are given, and is refused when the key is taken.
    /// `None` for files, and when `key` is none.
    #[must_use]
    pub fn presign_put(
        &self,
        key: &str,
        size: Option<u64>,
        content_type: Option<&str>,
        ttl: Duration,
        now: i64,
    ) -> Option<Presigned> {
        match self {
            Self::Files(_) => None,
            Self::S3(s3) => s3.presign_put(Key::new(key).ok()?, size, content_type, ttl, now),
        }
    }

    /// Whether objects can be stored (files) or asked for (S3) now. Quick and cheap, for checks
    /// that come every few seconds; [`probe`](Self::probe) shows more.
    pub async fn ready(&self) -> Result<(), Failure> {
        match self {
            Self::Files(files) => files.ready().await,
            Self::S3(s3) => s3.ready().await,
        }
    }

    /// Whether objects can be written, read and removed now: does so with one of its own,
    /// `ready/probe`.
    pub async fn probe(&self) -> Result<(), Failure> {
        const PROBE: &str = "ready/probe";
        let bytes = Bytes::from_static(b"Can this be written, read and removed?");
        self.put(PROBE, bytes.clone()).await?;
        let read = self.get(PROBE, bytes.len() as u64).await?;
        // Another process may have removed it: they share the key.
        if read.is_some_and(|read| read != bytes) {
            let sentence = "it gave other bytes back than were written";
            return Err(Failure::Unavailable(sentence.to_owned()));
        }
        self.delete(PROBE).await
    }

    /// `scheme://host[:port]` that browsers talk to when they use what
    /// [`presign_put`](Self::presign_put) answers; `None` for files.
    #[must_use]
    pub fn upload_origin(&self) -> Option<&str> {
        match self {
            Self::Files(_) => None,
            Self::S3(s3) => Some(s3.upload_origin()),
        }
    }
}
