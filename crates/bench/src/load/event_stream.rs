//! A connection with an open stream of server-sent events.

use anyhow::{Context as _, Result, ensure};
use bytes::Bytes;
use http_body_util::{BodyExt as _, Full};
use hyper::body::Incoming;
use hyper::client::conn::http1::{self, SendRequest};
use hyper::{Request, StatusCode, header};
use hyper_util::rt::TokioIo;
use kith::http::cookies;
use std::net::SocketAddr;
use tokio::net::TcpStream;

/// An open stream; dropping it closes the connection.
#[derive(Debug)]
pub struct EventStream {
    _sender: SendRequest<Full<Bytes>>,
    body: Incoming,
    buffer: String,
}

impl EventStream {
    /// Opens a stream in a member's session.
    pub async fn open(address: SocketAddr, target: &str, cookie: &str) -> Result<Self> {
        let stream = TcpStream::connect(address).await?;
        let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await?;
        tokio::spawn(connection);
        let request = Request::get(target)
            .header(header::HOST, "localhost")
            .header(header::COOKIE, format!("{}={cookie}", cookies::SESSION))
            .body(Full::default())?;
        let response = sender.send_request(request).await?;
        let status = response.status();
        ensure!(status == StatusCode::OK, "a stream was not opened: {status}");
        Ok(Self { _sender: sender, body: response.into_body(), buffer: String::new() })
    }

    /// Returns the name of the next event; fails at the stream's end.
    pub async fn next_name(&mut self) -> Result<String> {
        loop {
            while let Some(end) = self.buffer.find("\n\n") {
                let block = self.buffer.drain(..end + 2).collect::<String>();
                if let Some(name) = block.lines().find_map(|line| line.strip_prefix("event: ")) {
                    return Ok(name.to_owned());
                }
            }
            let frame = self.body.frame().await.context("the stream ended")??;
            if let Ok(data) = frame.into_data() {
                self.buffer.push_str(std::str::from_utf8(&data)?);
            }
        }
    }
}
