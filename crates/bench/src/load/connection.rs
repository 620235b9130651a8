//! A kept connection on which one call is under way at a time.

use anyhow::{Context as _, Result};
use bytes::Bytes;
use http_body_util::{BodyExt as _, Full};
use hyper::client::conn::http1::{self, SendRequest};
use hyper::{Request, StatusCode};
use hyper_util::rt::TokioIo;
use std::net::SocketAddr;
use tokio::net::TcpStream;

/// A connection to a server.
#[derive(Debug)]
pub(super) struct Connection {
    sender: SendRequest<Full<Bytes>>,
}

impl Connection {
    /// Connects.
    pub(super) async fn open(address: SocketAddr) -> Result<Self> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        let (sender, connection) = http1::handshake(TokioIo::new(stream)).await?;
        // It ends with the sender; what goes wrong before is the sender's error, too.
        tokio::spawn(connection);
        Ok(Self { sender })
    }

    /// Sends a request and waits for the whole answer.
    pub(super) async fn send(
        &mut self,
        request: Request<Full<Bytes>>,
    ) -> Result<(StatusCode, Bytes)> {
        let broken = "a connection broke before its answer was whole";
        self.sender.ready().await.context(broken)?;
        let response = self.sender.send_request(request).await.context(broken)?;
        let status = response.status();
        let body = response.into_body().collect().await.context(broken)?;
        Ok((status, body.to_bytes()))
    }
}
