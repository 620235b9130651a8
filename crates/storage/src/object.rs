//! Objects and results that a storage returns.

use std::fmt;
use std::ops::Range;
use std::pin::Pin;
use std::time::Duration;

use bytes::Bytes;
use futures_util::{Stream, TryStreamExt as _};
use tokio::time::timeout;

use crate::StorageError;

/// How long a transfer may make no progress.
pub(crate) const STALL_TIMEOUT: Duration = Duration::from_secs(10);

/// Stream of an object's bytes, which ends after an error.
pub type Body = Pin<Box<dyn Stream<Item = Result<Bytes, StorageError>> + Send>>;

/// An open object: its size and a stream of the requested bytes.
pub struct Object {
    /// Bytes of the whole object.
    pub size: u64,
    /// The bytes that `body` yields: the requested range, cut at the object's end.
    pub range: Range<u64>,
    /// The bytes of `range`.
    pub body: Body,
}

impl fmt::Debug for Object {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Object")
            .field("size", &self.size)
            .field("range", &self.range)
            .finish_non_exhaustive()
    }
}

impl Object {
    /// Collects the body within [`transfer_timeout`], which also bounds a body that drips.
    pub(crate) async fn collect(self) -> Result<Bytes, StorageError> {
        let length = self.range.end - self.range.start;
        let timed_out = |_| StorageError::Unavailable("the object came too slowly".to_owned());
        let chunks = timeout(transfer_timeout(length), self.body.try_collect::<Vec<_>>());
        let bytes = chunks.await.map_err(timed_out)??.concat();
        if bytes.len() as u64 != length {
            return Err(StorageError::Unavailable("the object broke off".to_owned()));
        }
        Ok(bytes.into())
    }
}

/// Time limit for a transfer of `length` bytes, at no less than 512 kB per second.
pub(crate) fn transfer_timeout(length: u64) -> Duration {
    STALL_TIMEOUT + Duration::from_millis(length / 512)
}

/// Result of creating an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CreateOutcome {
    /// The object was stored; the value is its size in bytes.
    New(u64),
    /// The key already has an object with equal bytes.
    Same,
    /// The key already has an object with other bytes, which stays.
    Different,
}

/// A presigned `PUT` request that uploads one object straight to S3.
#[derive(Clone, PartialEq, Eq)]
pub struct Presigned {
    /// The URL, a secret: any client that has it may upload until it expires.
    pub url: String,
    /// Headers that the request must have, names in lower case. `content-length` is missing,
    /// because browsers set it from the body.
    pub headers: Vec<(String, String)>,
}

impl fmt::Debug for Presigned {
    /// Omits the URL, which is a secret.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Presigned").field("headers", &self.headers).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_presigned_url_is_not_printed() {
        let presigned = Presigned {
            url: "https://a/b?signature=c".to_owned(),
            headers: vec![("content-type".to_owned(), "image/png".to_owned())],
        };
        let printed = format!("{presigned:?}");
        assert!(printed.contains("image/png") && !printed.contains("signature"));
    }
}
