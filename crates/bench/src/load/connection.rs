//! A keep-alive connection with one request in flight.

use anyhow::{Context as _, Result};
use bytes::Bytes;
use http_body_util::{BodyExt as _, Full};
use hyper::client::conn::http1::{self, SendRequest};
use hyper::{Request, StatusCode};
use hyper_util::rt::TokioIo;
use std::net::SocketAddr;
use tokio::net::TcpStream;

/// An HTTP/1.1 connection to a server.
#[derive(Debug)]
pub(super) struct Connection {
    sender: SendRequest<Full<Bytes>>,
}

impl Connection {
    /// Opens a TCP connection without Nagle's algorithm.
    pub(super) async fn open(address: SocketAddr) -> Result<Self> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        let (sender, connection) = http1::handshake(TokioIo::new(stream)).await?;
        // The task ends with the sender, which also returns its errors.
        tokio::spawn(connection);
        Ok(Self { sender })
    }

    /// Sends a request and returns the complete response.
    pub(super) async fn send(
        &mut self,
        request: Request<Full<Bytes>>,
    ) -> Result<(StatusCode, Bytes)> {
        let broken = "the connection closed before the response was complete";
        self.sender.ready().await.context(broken)?;
        let response = self.sender.send_request(request).await.context(broken)?;
        let status = response.status();
        let body = response.into_body().collect().await.context(broken)?;
        Ok((status, body.to_bytes()))
    }
}
