//! SMTP connection that works around two bugs of `lettre` 0.11.23:
//!
//! - `read_response` checks the length of a line only after reading it, so an endless line exhausts the memory. It also
//!   parses the whole response again for each line, in quadratic time.
//! - `starttls` keeps its read buffer, so plaintext that an attacker injects after the STARTTLS response is accepted as
//!   encrypted.
//!
//! Delete this file once a release has fixed both.

use lettre::transport::smtp::client::AsyncTokioStream;
use std::fmt::Debug;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use tokio::io::{AsyncBufRead as _, AsyncRead, AsyncWrite, BufReader, ReadBuf};

/// Maximum bytes from the server per connection, including its certificates. A normal session has a few kilobytes.
const MAX_BYTES: usize = 64 * 1024;
/// Maximum newline bytes from the server per connection. Encrypted data has about one per 256 bytes.
const MAX_LINES: usize = 1_000;

/// Stream that fails once the server exceeds its limits. No read continues past the end of a line.
#[derive(Debug)]
pub(super) struct BoundedStream<S> {
    stream: BufReader<S>,
    peer: SocketAddr,
    /// Remaining bytes that the server may send.
    bytes_left: usize,
    /// Remaining lines that the server may send.
    lines_left: usize,
}

impl<S: AsyncRead> BoundedStream<S> {
    pub(super) fn new(stream: S, peer: SocketAddr) -> Self {
        Self { stream: BufReader::new(stream), peer, bytes_left: MAX_BYTES, lines_left: MAX_LINES }
    }
}

impl<S: AsyncRead + AsyncWrite + Debug + Send + Sync + Unpin> AsyncTokioStream
    for BoundedStream<S>
{
    fn peer_addr(&self) -> io::Result<SocketAddr> {
        Ok(self.peer)
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for BoundedStream<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let filled = ready!(Pin::new(&mut self.stream).poll_fill_buf(context))?;
        let line = filled.iter().position(|byte| *byte == b'\n');
        let length = line.map_or(filled.len(), |end| end + 1);
        let length = length.min(buffer.remaining());
        buffer.put_slice(&filled[..length]);
        Pin::new(&mut self.stream).consume(length);
        let lines_left = self.lines_left.checked_sub(usize::from(line.is_some()));
        match (self.bytes_left.checked_sub(length), lines_left) {
            (Some(bytes_left), Some(lines_left)) => {
                (self.bytes_left, self.lines_left) = (bytes_left, lines_left);
                Poll::Ready(Ok(()))
            }
            _ => Poll::Ready(Err(io::Error::other("the server's response is too long"))),
        }
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncWrite for BoundedStream<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
