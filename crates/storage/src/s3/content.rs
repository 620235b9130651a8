//! Bodies on their way to S3 and from there.

use std::fs::File;
use std::os::unix::fs::FileExt as _;
use std::sync::Arc;

use bytes::Bytes;
use futures_util::stream::{self, Stream, TryStreamExt as _};
use http_body_util::combinators::UnsyncBoxBody;
use http_body_util::{BodyExt as _, Full, StreamBody};
use hyper::body::{Frame, Incoming};
use tokio::time::timeout;

use super::client::{STALL, causes};
use crate::Failure;
use crate::blocking::blocking;

/// Bytes that are read from a file at a time.
const CHUNK: u64 = 256 * 1024;

/// The body of one attempt.
pub(super) type Sent = UnsyncBoxBody<Bytes, Failure>;

/// What a call sends; every attempt sends it from its beginning.
#[derive(Debug, Clone)]
pub(super) enum Content {
    /// Bytes in memory; none for most calls.
    Bytes(Bytes),
    /// So many bytes of a file.
    File(Arc<File>, u64),
}

impl Content {
    /// Nothing.
    pub(super) fn none() -> Self {
        Self::Bytes(Bytes::new())
    }

    /// How many bytes there are.
    pub(super) fn length(&self) -> u64 {
        match self {
            Self::Bytes(bytes) => bytes.len() as u64,
            Self::File(_, length) => *length,
        }
    }

    /// A body that begins at the beginning.
    pub(super) fn open(&self) -> Sent {
        match self {
            Self::Bytes(bytes) => Full::new(bytes.clone())
                .map_err(|never| match never {})
                .boxed_unsync(),
            Self::File(file, length) => {
                let frames = pieces(Arc::clone(file), *length).map_ok(Frame::data);
                StreamBody::new(frames).boxed_unsync()
            }
        }
    }
}

/// The bytes of a file. It reads at its own place, so that several may read one file.
pub(super) fn pieces(
    file: Arc<File>,
    length: u64,
) -> impl Stream<Item = Result<Bytes, Failure>> + Send {
    stream::try_unfold((file, 0), move |(file, at)| async move {
        if at == length {
            return Ok(None);
        }
        let (piece, file) = blocking(move || {
            let size = usize::try_from(CHUNK.min(length - at)).unwrap_or(0);
            let mut piece = vec![0; size];
            file.read_exact_at(&mut piece, at)?;
            Ok((Bytes::from(piece), file))
        })
        .await?;
        let next = at + piece.len() as u64;
        Ok(Some((piece, (file, next))))
    })
}

/// A body that comes from S3; it fails when it stands still or breaks off.
pub(super) fn incoming(body: Incoming) -> impl Stream<Item = Result<Bytes, Failure>> + Send {
    stream::try_unfold(body, |mut body| async move {
        loop {
            let frame = timeout(STALL, body.frame()).await;
            let stalled = |_| Failure::Unavailable("S3 stopped sending".to_owned());
            let Some(frame) = frame.map_err(stalled)? else {
                return Ok(None);
            };
            let frame = frame.map_err(|error| Failure::Unavailable(causes(&error)))?;
            // What is no data is trailers.
            if let Ok(bytes) = frame.into_data() {
                return Ok(Some((bytes, body)));
            }
        }
    })
}
