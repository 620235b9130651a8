//! An HTTP server that sends prepared responses, whatever the request.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use kith_storage::{Credentials, Storage};
use tempfile::TempDir;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

/// One response, on a connection that is closed afterwards.
#[derive(Debug, Clone)]
pub(crate) enum Reply {
    /// These bytes.
    Text(String),
    /// Nothing, and the connection stays open.
    Silence,
    /// These bytes, then one more after another until the client disconnects.
    Drip(String),
}

/// A complete response.
pub(crate) fn reply(status: u16, body: &str) -> Reply {
    let length = body.len();
    Reply::Text(format!(
        "HTTP/1.1 {status} Canned\r\netag: \"1\"\r\ncontent-length: {length}\r\n\r\n{body}"
    ))
}

/// A response that ends early: the connection breaks.
pub(crate) fn broken() -> Reply {
    Reply::Text(String::new())
}

/// The received request in lower case.
type Requests = Arc<Mutex<Vec<String>>>;

/// The server and a storage that talks to it.
pub(crate) struct Canned {
    pub(crate) storage: Storage,
    requests: Requests,
    _folder: TempDir,
}

impl Canned {
    /// Starts a server that sends these responses in order, and repeats the last one.
    pub(crate) async fn start(replies: Vec<Reply>) -> Self {
        Self::start_with(replies, Credentials::new("key", "secret", None)).await
    }

    /// Starts a server that sends these responses in order to a storage with the given credentials.
    pub(crate) async fn start_with(replies: Vec<Reply>, credentials: Credentials) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let requests = Requests::default();
        tokio::spawn(serve(listener, replies, Arc::clone(&requests)));
        let folder = tempfile::tempdir().unwrap();
        let url = format!("s3://kith?endpoint=http://127.0.0.1:{port}");
        let storage = Storage::open_s3(&url, credentials, folder.path()).await.unwrap();
        Self { storage, requests, _folder: folder }
    }

    /// Number of received requests.
    pub(crate) fn request_count(&self) -> usize {
        self.requests().len()
    }

    /// Heads of the received requests in lower case.
    pub(crate) fn requests(&self) -> Vec<String> {
        self.requests.lock().unwrap().clone()
    }
}

async fn serve(listener: TcpListener, replies: Vec<Reply>, requests: Requests) {
    let mut silent = Vec::new();
    loop {
        let (mut stream, _) = listener.accept().await.unwrap();
        let request = read_request(&mut stream).await;
        let number = {
            let mut requests = requests.lock().unwrap();
            requests.push(request);
            requests.len() - 1
        };
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

/// Reads a head and as many bytes as it announces; returns the head in lower case.
async fn read_request(stream: &mut TcpStream) -> String {
    let (mut request, mut read) = (Vec::new(), String::new());
    let mut wanted = None;
    while wanted.is_none_or(|wanted| request.len() < wanted) {
        if stream.read_buf(&mut request).await.unwrap() == 0 {
            break;
        }
        let text = String::from_utf8_lossy(&request).to_lowercase();
        if let Some((head, _)) = text.split_once("\r\n\r\n") {
            let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
            let length: usize = length.map_or(0, |length| length.parse().unwrap());
            wanted = Some(head.len() + 4 + length);
            head.clone_into(&mut read);
        }
    }
    read
}
