//! An empty storage, of either kind.

use std::ops::Range;

use bytes::Bytes;
use futures_util::{Stream, TryStreamExt as _, stream};
use kith_storage::{Failure, Object, Storage};
use tempfile::TempDir;

/// A storage that goes when the test ends.
pub(crate) struct Scratch {
    pub(crate) storage: Storage,
    _folder: TempDir,
}

pub(crate) async fn files() -> Scratch {
    let folder = tempfile::tempdir().unwrap();
    Scratch {
        storage: Storage::open("", folder.path()).await.unwrap(),
        _folder: folder,
    }
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
        }
    )*};
}
pub(crate) use on_both_storages;

/// What a stream that breaks off breaks off with.
#[derive(Debug)]
pub(crate) struct Broken;

/// `length` bytes that are unlike their neighbours.
pub(crate) fn bytes(length: usize) -> Bytes {
    (0..251_u8).cycle().step_by(31).take(length).collect()
}

/// `bytes` in chunks of 1000.
pub(crate) fn body(bytes: &Bytes) -> impl Stream<Item = Result<Bytes, Broken>> + Send + use<> {
    let chunks: Vec<_> = bytes
        .chunks(1000)
        .map(Bytes::copy_from_slice)
        .map(Ok)
        .collect();
    stream::iter(chunks)
}

/// Everything that an object's body holds.
pub(crate) async fn collect(object: Object) -> Result<Bytes, Failure> {
    let chunks: Vec<Bytes> = object.body.try_collect().await?;
    Ok(chunks.concat().into())
}

/// The object's size and the bytes that a range of it holds.
pub(crate) async fn part(storage: &Storage, key: &str, range: Range<u64>) -> (u64, Bytes) {
    let object = storage.read(key, Some(range)).await.unwrap().unwrap();
    (object.size, collect(object).await.unwrap())
}
