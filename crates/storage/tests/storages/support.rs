//! An empty storage of either kind.

use std::fs;
use std::io;
use std::ops::Range;
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};

use bytes::Bytes;
use futures_util::{Stream, TryStreamExt as _, stream};
use kith_storage::{Object, Storage, StorageError};
use tempfile::TempDir;

/// A storage that is deleted when the test ends.
pub(crate) struct Scratch {
    pub(crate) storage: Storage,
    pub(crate) folder: TempDir,
}

impl Scratch {
    /// Names of incomplete objects' files.
    pub(crate) fn temporary_files(&self) -> Vec<String> {
        temporary_files(self.folder.path())
            .map(|entry| entry.file_name().into_string().unwrap())
            .collect()
    }

    /// Size of incomplete objects' files in bytes.
    pub(crate) fn temporary_bytes(&self) -> u64 {
        temporary_bytes(self.folder.path())
    }
}

/// Size in bytes of incomplete objects of a storage in `folder`. A file may be deleted during the count.
pub(crate) fn temporary_bytes(folder: &Path) -> u64 {
    temporary_files(folder)
        .filter_map(|entry| match entry.metadata() {
            Ok(data) => Some(data.len()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => panic!("{error}"),
        })
        .sum()
}

fn temporary_files(folder: &Path) -> impl Iterator<Item = fs::DirEntry> + use<> {
    let entries = fs::read_dir(folder.join("media/incoming")).unwrap();
    entries.map(Result::unwrap)
}

/// An empty folder.
pub(crate) async fn files() -> Scratch {
    let folder = tempfile::tempdir().unwrap();
    Scratch { storage: Storage::open("", folder.path()).await.unwrap(), folder }
}

/// An empty prefix of the bucket.
pub(crate) async fn s3() -> Scratch {
    let folder = tempfile::tempdir().unwrap();
    Scratch { storage: Storage::open(&s3_url(), folder.path()).await.unwrap(), folder }
}

/// The URL of an empty prefix of the bucket.
pub(crate) fn s3_url() -> String {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let url = std::env::var("KITH_TEST_S3").unwrap_or_else(|_| {
        panic!("KITH_TEST_S3 is not set: run `cargo xtask test`, or `cargo xtask s3 -- cargo test`")
    });
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let prefix = format!("storage-{}-{number}", std::process::id());
    let (bucket, options) = url.split_once('?').unwrap();
    format!("{bucket}/{prefix}?{options}")
}

/// Runs a test on both storages.
macro_rules! on_both_storages {
    ($($(#[doc = $doc:literal])* async fn $name:ident($scratch:ident) $body:block)*) => {$(
        $(#[doc = $doc])*
        async fn $name($scratch: crate::support::Scratch) $body

        mod $name {
            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn files() {
                super::$name(crate::support::files().await).await;
            }

            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn s3() {
                super::$name(crate::support::s3().await).await;
            }
        }
    )*};
}
pub(crate) use on_both_storages;

/// The error at which an aborted stream ends.
#[derive(Debug)]
pub(crate) struct Broken;

/// `length` bytes that differ from their neighbours.
pub(crate) fn bytes(length: usize) -> Bytes {
    (0..251_u8).cycle().step_by(31).take(length).collect()
}

/// `bytes` in chunks of 1000.
pub(crate) fn body(bytes: &Bytes) -> impl Stream<Item = Result<Bytes, Broken>> + Send + use<> {
    let chunks: Vec<_> = bytes.chunks(1000).map(Bytes::copy_from_slice).map(Ok).collect();
    stream::iter(chunks)
}

/// Reads an object's body.
pub(crate) async fn collect(object: Object) -> Result<Bytes, StorageError> {
    let chunks: Vec<Bytes> = object.body.try_collect().await?;
    Ok(chunks.concat().into())
}

/// The object's size and the bytes of a range.
pub(crate) async fn part(storage: &Storage, key: &str, range: Range<u64>) -> (u64, Bytes) {
    let object = storage.read(key, Some(range)).await.unwrap().unwrap();
    (object.size, collect(object).await.unwrap())
}
