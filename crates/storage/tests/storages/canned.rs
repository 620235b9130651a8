//! A server that answers what it was told to, whatever it is asked.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use kith_storage::{Credentials, Storage};
use tempfile::TempDir;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

/// One answer, on a connection that is closed afterwards.
#[derive(Debug, Clone)]
pub(crate) enum Reply {
    /// These bytes.
    Text(String),
    /// Nothing, and the connection stays open.
    Silence,
    /// These bytes, and then one after the other as long as somebody listens.
    Drip(String),
}

/// A whole answer without further headers.
pub(crate) fn reply(status: u16, body: &str) -> Reply {
    let length = body.len();
    Reply::Text(format!(
        "HTTP/1.1 {status} Told\r\ncontent-length: {length}\r\n\r\n{body}"
    ))
}

/// An answer that ends before its time: a connection that breaks.
pub(crate) fn broken() -> Reply {
    Reply::Text(String::new())
}

/// The server and a storage that talks to it.
pub(crate) struct Canned {
    pub(crate) storage: Storage,
    asked: Arc<AtomicUsize>,
    _folder: TempDir,
}

impl Canned {
    /// A server that gives these answers in turn, and the last one ever after.
    pub(crate) async fn start(replies: Vec<Reply>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let asked = Arc::new(AtomicUsize::new(0));
        tokio::spawn(serve(listener, replies, Arc::clone(&asked)));
        let folder = tempfile::tempdir().unwrap();
        let url = format!("s3://kith?endpoint=http://127.0.0.1:{port}");
        let credentials = Credentials::new("key", "secret", None);
        let storage = Storage::open_s3(&url, credentials, folder.path())
            .await
            .unwrap();
        Self {
            storage,
            asked,
            _folder: folder,
        }
    }

    /// How many requests came.
    pub(crate) fn asked(&self) -> usize {
        self.asked.load(Ordering::Relaxed)
    }
}

async fn serve(listener: TcpListener, replies: Vec<Reply>, asked: Arc<AtomicUsize>) {
    let mut silent = Vec::new();
    loop {
        let (mut stream, _) = listener.accept().await.unwrap();
        read_request(&mut stream).await;
        let number = asked.fetch_add(1, Ordering::Relaxed);
        match &replies[number.min(replies.len() - 1)] {
            Reply::Text(text) => stream.write_all(text.as_bytes()).await.unwrap(),
            Reply::Silence => silent.push(stream),
            Reply::Drip(text) => {
                stream.write_all(text.as_bytes()).await.unwrap();
                tokio::spawn(async move {
                    while stream.write_all(b"x").await.is_ok() {
                        tokio::time::sleep(Duration::from_millis(200)).await;
                    }
                });
            }
        }
    }
}

/// Reads a head and as many bytes as it announces.
async fn read_request(stream: &mut TcpStream) {
    let mut request = Vec::new();
    let mut wanted = None;
    while wanted.is_none_or(|wanted| request.len() < wanted) {
        if stream.read_buf(&mut request).await.unwrap() == 0 {
            return;
        }
        let text = String::from_utf8_lossy(&request).to_lowercase();
        if let Some((head, _)) = text.split_once("\r\n\r\n") {
            let length = head
                .lines()
                .find_map(|line| line.strip_prefix("content-length: "));
            let length: usize = length.map_or(0, |length| length.parse().unwrap());
            wanted = Some(head.len() + 4 + length);
        }
    }
}
