//! What calls answer.

use std::fmt;
use std::ops::Range;
use std::pin::Pin;
use std::time::Duration;

use bytes::Bytes;
use futures_util::{Stream, TryStreamExt as _};
use tokio::time::timeout;

use crate::StorageError;

/// How long a transfer may stand still.
pub(crate) const STALL_TIMEOUT: Duration = Duration::from_secs(10);

/// An object's bytes as they come in. After an error nothing more comes.
pub type Body = Pin<Box<dyn Stream<Item = Result<Bytes, StorageError>> + Send>>;

/// An object on its way to a reader.
pub struct Object {
    /// Bytes of the whole object.
    pub size: u64,
    /// Which of them `body` holds: what was asked for, cut at the object's end.
    pub range: Range<u64>,
    /// Those bytes.
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
    /// Reads the whole body, within a time that also ends one that arrives a byte at a time.
    pub(crate) async fn collect(self) -> Result<Bytes, StorageError> {
        let length = self.range.end - self.range.start;
        let late = |_| StorageError::Unavailable("the object came too slowly".to_owned());
        let chunks = timeout(transfer_timeout(length), self.body.try_collect::<Vec<_>>());
        let bytes = chunks.await.map_err(late)??.concat();
        if bytes.len() as u64 != length {
            return Err(StorageError::Unavailable("the object broke off".to_owned()));
        }
        Ok(bytes.into())
    }
}

/// How long `length` bytes may take, at half a megabyte a second on the slowest line.
pub(crate) fn transfer_timeout(length: u64) -> Duration {
    STALL_TIMEOUT + Duration::from_millis(length / 512)
}

/// How an staging object was taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CreateOutcome {
    /// It is stored now, with so many bytes.
    New(u64),
    /// The same bytes were stored under this key before.
    Same,
    /// Other bytes are stored under this key; they stay.
    Different,
}

/// Permission to send one object straight to the storage by `PUT`.
#[derive(Clone, PartialEq, Eq)]
pub struct Presigned {
    /// Where to send it. Whoever has the address may use it until it ends.
    pub url: String,
    /// Headers that must be sent along, names in small letters. `content-length` is not among
    /// them: browsers set it themselves, from the body.
    pub headers: Vec<(String, String)>,
}

impl fmt::Debug for Presigned {
    /// Without the address, which is a secret.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Presigned")
            .field("headers", &self.headers)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_permission_is_not_printed() {
        let presigned = Presigned {
            url: "https://a/b?signature=c".to_owned(),
            headers: vec![("content-type".to_owned(), "image/png".to_owned())],
        };
        let printed = format!("{presigned:?}");
        assert!(printed.contains("image/png") && !printed.contains("signature"));
    }
}
