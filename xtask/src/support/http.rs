//! Requests to servers that commands started.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

use anyhow::Result;

/// Whether the server with the admin listener `admin` reports that it is ready.
pub(crate) fn is_ready(admin: &str) -> bool {
    let probe = || -> Result<bool> {
        let mut stream = TcpStream::connect(admin)?;
        stream.set_read_timeout(Some(Duration::from_secs(2)))?;
        let request = format!("GET /readyz HTTP/1.1\r\nHost: {admin}\r\nConnection: close\r\n\r\n");
        stream.write_all(request.as_bytes())?;
        let mut status_line = [0; 12];
        stream.read_exact(&mut status_line)?;
        Ok(status_line == *b"HTTP/1.1 200")
    };
    probe().unwrap_or(false)
}
