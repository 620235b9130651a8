//! Raw HTTP requests as a browser or an attacker sends them, without the storage's code.

use std::fmt::Write as _;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

/// A response.
pub(crate) struct Answer {
    pub(crate) status: u16,
    /// Status line and headers in lower case.
    pub(crate) head: String,
}

/// Sends a request with exactly these headers beside `host`, and reads the response to its end.
pub(crate) async fn send(
    method: &str,
    url: &str,
    headers: &[(String, String)],
    body: &[u8],
) -> Answer {
    let (host, target) = url.strip_prefix("http://").unwrap().split_once('/').unwrap();
    let mut head = format!("{method} /{target} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n");
    for (name, value) in headers {
        write!(head, "{name}: {value}\r\n").unwrap();
    }
    let mut stream = TcpStream::connect(host).await.unwrap();
    stream.write_all(format!("{head}\r\n").as_bytes()).await.unwrap();
    stream.write_all(body).await.unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await.unwrap();
    let answer = String::from_utf8_lossy(&answer);
    let head = answer.split("\r\n\r\n").next().unwrap().to_lowercase();
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    Answer { status, head }
}
