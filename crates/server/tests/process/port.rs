//! Ports reserved before a process listens on them.

use std::net::TcpListener;
use tokio::net::TcpSocket;

/// A reserved port on which no process listens yet: connections are rejected, and no other test
/// gets it. A program with `SO_REUSEADDR`, as servers set it, can still listen on it.
#[derive(Debug)]
pub(crate) struct Port(TcpSocket);

impl Port {
    pub(crate) fn reserve() -> Self {
        let socket = TcpSocket::new_v4().unwrap();
        socket.set_reuseaddr(true).unwrap();
        socket.bind(([127, 0, 0, 1], 0).into()).unwrap();
        Self(socket)
    }

    pub(crate) fn number(&self) -> u16 {
        self.0.local_addr().unwrap().port()
    }

    /// Starts to accept connections.
    pub(crate) fn listen(self) -> TcpListener {
        let mut runtime = tokio::runtime::Builder::new_current_thread();
        let runtime = runtime.enable_io().build().unwrap();
        let _inside = runtime.enter();
        let listener = self.0.listen(64).unwrap().into_std().unwrap();
        listener.set_nonblocking(false).unwrap();
        listener
    }
}

#[test]
fn a_reserved_port_is_closed_until_listening() {
    let port = Port::reserve();
    let address = ("127.0.0.1", port.number());
    let error = std::net::TcpStream::connect(address).unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::ConnectionRefused);
    let listener = port.listen();
    std::net::TcpStream::connect(address).unwrap();
    listener.accept().unwrap();
}
