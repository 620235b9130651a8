//! What calls answer.

use std::fmt;
use std::ops::Range;
use std::pin::Pin;

use bytes::Bytes;
use futures_util::Stream;

use crate::Failure;

/// An object's bytes as they come in. After an error nothing more comes.
pub type Body = Pin<Box<dyn Stream<Item = Result<Bytes, Failure>> + Send>>;

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

/// How an incoming object was taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Created {
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

/// `wanted`, cut at the end of an object of `size` bytes; all of it when nothing was asked for.
pub(crate) fn clip(wanted: Option<Range<u64>>, size: u64) -> Range<u64> {
    let wanted = wanted.unwrap_or(0..size);
    let start = wanted.start.min(size);
    start..wanted.end.clamp(start, size)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_cut_at_the_end() {
        assert_eq!(clip(None, 10), 0..10);
        assert_eq!(clip(Some(2..5), 10), 2..5);
        assert_eq!(clip(Some(2..50), 10), 2..10);
        assert_eq!(clip(Some(10..12), 10), 10..10);
        assert_eq!(clip(Some(70..90), 10), 10..10);
        #[expect(clippy::reversed_empty_ranges, reason = "a caller may be wrong")]
        let reversed = 5..2;
        assert_eq!(clip(Some(reversed), 10), 5..5);
    }

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
