//! The end of a connection, which is not when its last answer was written: the system keeps that until the
//! other side has taken it. A connection that is left to the system then is counted by nobody.

use parking_lot::Mutex;
use std::collections::VecDeque;
use std::future::poll_fn;
use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::sync::oneshot;
use tokio::time::timeout;

/// How long a client may go on to take what the system still has for it.
pub(crate) const TAKING: Duration = Duration::from_mins(1);
/// The same of a proxy, which takes it as its own client does: as long as the sample gives one answer.
pub(crate) const PASSING_ON: Duration = Duration::from_hours(1);
/// Bytes that may come meanwhile and are not looked at: more than a body may have.
const IGNORED: usize = 16 << 20;
/// Bytes that are left to the system when who was told no more than these says no more. Who has hung up misses
/// nothing, but it looks the same when somebody waits for an answer and has nothing to add.
const LITTLE: u64 = 16 * 1024;

/// Ended connections whose last answers are still taken, the oldest first.
#[derive(Debug)]
pub(crate) struct Ended {
    most: usize,
    queue: Mutex<VecDeque<oneshot::Sender<()>>>,
}

impl Ended {
    /// So many of them are waited for at once: whoever is patient with them takes the places of nobody who calls.
    pub(crate) fn new(most: usize) -> Self {
        Self {
            most,
            queue: Mutex::default(),
        }
    }

    /// Adds one, which is waited for until what is answered here ends.
    fn add(&self) -> oneshot::Receiver<()> {
        let (waits, over) = oneshot::channel();
        let mut queue = self.queue.lock();
        queue.push_back(waits);
        if queue.len() > self.most {
            queue.retain(|waits| !waits.is_closed());
        }
        while queue.len() > self.most {
            queue.pop_front();
        }
        over
    }
}

/// What a connection goes over.
pub(crate) trait Wire: AsyncRead + AsyncWrite + Unpin + Send + 'static {
    /// Has the system let go of what was not taken yet as soon as this is dropped.
    fn forget(&self);
}

impl Wire for TcpStream {
    fn forget(&self) {
        if let Err(error) = self.set_zero_linger() {
            tracing::debug!(%error, "a connection is left to the system");
        }
    }
}

/// A stream that is still there when whoever answered over it is done.
#[derive(Debug)]
pub(crate) struct Shared<S> {
    stream: Arc<Mutex<S>>,
    /// Bytes that were said.
    said: Arc<AtomicU64>,
}

impl<S> Clone for Shared<S> {
    fn clone(&self) -> Self {
        Self {
            stream: self.stream.clone(),
            said: self.said.clone(),
        }
    }
}

impl<S: Wire> Shared<S> {
    pub(crate) fn new(stream: S) -> Self {
        Self {
            stream: Arc::new(Mutex::new(stream)),
            said: Arc::default(),
        }
    }

    /// Waits until the other side hangs up, and answers whether it did: not for longer than this, nor while too many
    /// others have `ended` since. Then what it has not taken is gone.
    pub(crate) async fn end(mut self, patience: Duration, ended: &Ended) -> bool {
        if self.said.load(Ordering::Relaxed) == 0 {
            return true;
        }
        let over = ended.add();
        let hung_up = tokio::select! {
            hung_up = timeout(patience, self.hung_up()) => hung_up.unwrap_or(false),
            _ = over => false,
        };
        if !hung_up || self.said.load(Ordering::Relaxed) > LITTLE {
            self.stream.lock().forget();
        }
        hung_up
    }

    /// Says that nothing more comes, and reads over what does. False when that is too much.
    async fn hung_up(&mut self) -> bool {
        // Who has hung up already is told nothing.
        let _ = poll_fn(|context| Pin::new(&mut *self).poll_shutdown(context)).await;
        let mut ignored = 0;
        while ignored < IGNORED {
            let read = poll_fn(|context| {
                let mut space = [0; 4_096];
                let mut buffer = ReadBuf::new(&mut space);
                ready!(Pin::new(&mut *self).poll_read(context, &mut buffer))?;
                Poll::Ready(io::Result::Ok(buffer.filled().len()))
            });
            match read.await {
                Ok(0) | Err(_) => return true,
                Ok(count) => ignored += count,
            }
        }
        false
    }

    fn saying(&self, written: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
        if let Poll::Ready(Ok(count)) = written {
            self.said.fetch_add(count as u64, Ordering::Relaxed);
        }
        written
    }
}

impl<S: Wire> AsyncRead for Shared<S> {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut *self.stream.lock()).poll_read(context, buffer)
    }
}

impl<S: Wire> AsyncWrite for Shared<S> {
    fn poll_write(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut *self.stream.lock()).poll_write(context, bytes);
        self.saying(written)
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        pieces: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut *self.stream.lock()).poll_write_vectored(context, pieces);
        self.saying(written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.lock().is_write_vectored()
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut *self.stream.lock()).poll_flush(context)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut *self.stream.lock()).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, DuplexStream, duplex};
    use tokio::task::JoinHandle;
    use tokio::time::Instant;

    impl Wire for DuplexStream {
        fn forget(&self) {}
    }

    /// The end of a connection on which this was answered, and the client's side of it.
    async fn ended(answer: &[u8]) -> (DuplexStream, JoinHandle<u64>) {
        let (client, server) = duplex(65_536);
        let mut shared = Shared::new(server);
        shared.write_all(answer).await.unwrap();
        let began = Instant::now();
        let end = tokio::spawn(async move {
            shared.end(TAKING, &Ended::new(1)).await;
            began.elapsed().as_secs()
        });
        (client, end)
    }

    /// The clock of these tests jumps to the next thing that is waited for.
    /// proves: limit-taking
    #[tokio::test(start_paused = true)]
    async fn an_ended_connection_is_kept_while_its_answer_is_taken() {
        let (client, end) = ended(b"answer").await;
        assert_eq!(end.await.unwrap(), TAKING.as_secs(), "but not for good");
        drop(client);

        let (mut client, end) = ended(b"answer").await;
        tokio::time::sleep(TAKING / 2).await;
        let mut answer = String::new();
        client.read_to_string(&mut answer).await.unwrap();
        assert_eq!(answer, "answer", "and that nothing more comes");
        drop(client);
        assert_eq!(end.await.unwrap(), TAKING.as_secs() / 2, "it is over");
    }

    /// proves: limit-taking
    #[tokio::test(start_paused = true)]
    async fn who_was_told_nothing_is_not_waited_for() {
        let (_client, end) = ended(b"").await;
        assert_eq!(end.await.unwrap(), 0);
    }

    /// proves: limit-taking
    #[tokio::test(start_paused = true)]
    async fn who_goes_on_to_say_much_is_not_heard() {
        let (client, end) = ended(b"answer").await;
        let (_rest, mut client) = tokio::io::split(client);
        let (piece, mut said) = (vec![0; 65_536], 0);
        while client.write_all(&piece).await.is_ok() {
            said += piece.len();
            assert!(said <= IGNORED + 4 * piece.len());
        }
        assert_eq!(end.await.unwrap(), 0);
    }

    /// proves: limit-taking
    #[tokio::test(start_paused = true)]
    async fn only_so_many_are_waited_for() {
        let ended = Ended::new(2);
        let connected = async || {
            let (client, server) = duplex(64);
            let mut shared = Shared::new(server);
            shared.write_all(b"answer").await.unwrap();
            (client, shared)
        };
        let (gone, shared) = connected().await;
        drop(gone);
        assert!(shared.end(TAKING, &ended).await, "it takes no place");
        let (_first, oldest) = connected().await;
        let (_second, second) = connected().await;
        let (_third, third) = connected().await;
        let began = Instant::now();
        let (oldest, second, third) = tokio::join!(
            async { (oldest.end(TAKING, &ended).await, began.elapsed()) },
            async { (second.end(TAKING, &ended).await, began.elapsed()) },
            async { (third.end(TAKING, &ended).await, began.elapsed()) },
        );
        assert_eq!(oldest, (false, Duration::ZERO));
        assert_eq!([second, third], [(false, TAKING); 2]);
    }
}
