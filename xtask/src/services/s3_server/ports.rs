//! Ports of the parts of SeaweedFS.

use std::net::TcpListener;
use std::path::PathBuf;

use anyhow::{Context as _, Result};

/// Each part also listens for gRPC on its port plus this offset.
const GRPC_OFFSET: u16 = 10_000;

/// Ports to choose from; they and their gRPC ports are below the ephemeral port range.
const PORT_RANGE: std::ops::Range<u16> = 12_000..22_000;

/// Parts that leave a socket in `/tmp`.
const SOCKET_NAMES: &[&str] = &["filer", "master", "s3", "volume"];

/// HTTP ports of the parts.
pub(super) struct Ports {
    pub(super) master: u16,
    pub(super) volume: u16,
    pub(super) filer: u16,
    pub(super) s3: u16,
}

impl Ports {
    /// Finds four ports without a listener, also on their gRPC ports.
    pub(super) fn find() -> Result<Self> {
        // Concurrent runs start their search at different ports.
        let spread = u32::from(PORT_RANGE.end - PORT_RANGE.start);
        let first = u16::try_from(std::process::id().wrapping_mul(97) % spread)?;
        let mut free = PORT_RANGE
            .clone()
            .cycle()
            .skip(usize::from(first))
            .take(PORT_RANGE.len())
            .filter(|port| is_free(*port) && is_free(port + GRPC_OFFSET));
        let mut next = || free.next().context("no ports are free for SeaweedFS");
        Ok(Self { master: next()?, volume: next()?, filer: next()?, s3: next()? })
    }

    /// Sockets that the server leaves in `/tmp`.
    pub(super) fn sockets(&self) -> Vec<PathBuf> {
        let ports = [self.filer, self.master, self.s3, self.volume];
        let path = |(part, port): (&&str, u16)| {
            PathBuf::from(format!("/tmp/seaweedfs-{part}-grpc-{}.sock", port + GRPC_OFFSET))
        };
        SOCKET_NAMES.iter().zip(ports).map(path).collect()
    }
}

fn is_free(port: u16) -> bool {
    TcpListener::bind(("127.0.0.1", port)).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ports_are_four_and_their_neighbours_are_free() {
        let ports = Ports::find().expect("some are free");
        let mut all = vec![ports.master, ports.volume, ports.filer, ports.s3];
        assert!(all.iter().all(|port| PORT_RANGE.contains(port)));
        assert!(all.iter().all(|port| is_free(*port) && is_free(port + GRPC_OFFSET)));
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), 4);
    }

    #[test]
    fn a_port_with_a_listener_is_not_free() {
        let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a port");
        let port = listener.local_addr().expect("its address").port();
        assert!(!is_free(port));
    }
}
