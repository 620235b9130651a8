//! Ports that are taken before anything listens on them.

use std::net::TcpListener;
use tokio::net::TcpSocket;

/// A port of this machine that no other test is given, though nobody listens there yet: who connects is
/// refused. A program that reuses addresses, as servers do, can listen on it all the same.
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

    /// Takes connections from now on.
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
fn a_port_is_closed_until_somebody_listens() {
    let port = Port::reserve();
    let address = ("127.0.0.1", port.number());
    let refused = std::net::TcpStream::connect(address).unwrap_err();
    assert_eq!(refused.kind(), std::io::ErrorKind::ConnectionRefused);
    let listener = port.listen();
    std::net::TcpStream::connect(address).unwrap();
    listener.accept().unwrap();
}
