//! Connection limits and timeouts of the public and the admin listener.

use crate::http::client_limit::MAX_PER_NETWORK;
use crate::platform::config::Proxies;
use crate::platform::fs::rlimit;
use std::net::IpAddr;
use std::time::Duration;

/// Time from the start of a connection, or the last response, to the end of a request's head.
const HEAD_TIMEOUT: Duration = Duration::from_secs(10);
/// Time for a request's head on the admin listener, which has few connections.
const ADMIN_HEAD_TIMEOUT: Duration = Duration::from_secs(2);
/// Maximum connections of the public listener: 10,000 streams of events, and requests.
const MAX_CONNECTIONS: usize = 16_384;
/// Maximum connections of the admin listener, which every local account can reach.
const MAX_ADMIN_CONNECTIONS: usize = 64;

/// Kind of a listener, which determines its limits.
#[derive(Debug, Clone)]
pub(crate) enum ListenerKind {
    /// Public listener: connections are limited per network, except those of trusted proxies.
    Public(Proxies),
    /// Admin listener, for the operator's tools.
    Admin,
}

impl ListenerKind {
    pub(crate) fn max_connections(&self) -> usize {
        match self {
            Self::Public(_) => rlimit::raise_for_connections(MAX_CONNECTIONS),
            Self::Admin => MAX_ADMIN_CONNECTIONS,
        }
    }

    /// Returns the timeout of a request's head and whether keep-alive is on; it is off on the admin listener.
    pub(crate) const fn head_timeout_and_keep_alive(&self) -> (Duration, bool) {
        match self {
            Self::Public(_) => (HEAD_TIMEOUT, true),
            Self::Admin => (ADMIN_HEAD_TIMEOUT, false),
        }
    }

    /// Returns how many of `max_connections` the network of an IP address may have.
    pub(crate) fn max_per_network(&self, ip: IpAddr, max_connections: usize) -> usize {
        match self {
            Self::Public(proxies) if !ip.is_loopback() && !proxies.contains(ip) => {
                MAX_PER_NETWORK.min(max_connections / 2)
            }
            _ => max_connections,
        }
    }
}
