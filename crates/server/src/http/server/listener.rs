//! Connection limits and timeouts of the public and the admin listener.

use crate::http::client_limit::MAX_PER_NETWORK;
use crate::platform::config::Proxies;
use crate::platform::fs::rlimit;
use std::net::IpAddr;
use std::time::Duration;

/// Time from the start of a connection, or the last response, to the end of a request's head.
const HEAD: Duration = Duration::from_secs(10);
/// Time for a request's head on the admin listener, which has few connections.
const HEAD_OF_OPERATOR: Duration = Duration::from_secs(2);
/// Maximum connections of the public listener.
const MOST: usize = 8_192;
/// Maximum connections of the admin listener, which every local account can reach.
const MOST_OF_OPERATOR: usize = 64;

#[derive(Debug, Clone)]
pub(crate) enum Audience {
    /// Public listener: connections are limited per network, except those of trusted proxies.
    Members(Proxies),
    Operator,
}

impl Audience {
    pub(crate) fn most(&self) -> usize {
        match self {
            Self::Members(_) => rlimit::connections(MOST),
            Self::Operator => MOST_OF_OPERATOR,
        }
    }

    /// Returns the timeout of a request's head and whether keep-alive is on; it is off on the admin listener.
    pub(crate) const fn manner(&self) -> (Duration, bool) {
        match self {
            Self::Members(_) => (HEAD, true),
            Self::Operator => (HEAD_OF_OPERATOR, false),
        }
    }

    /// Returns how many of `all` connections one IP address may have.
    pub(crate) fn most_of(&self, address: IpAddr, all: usize) -> usize {
        match self {
            Self::Members(proxies) if !address.is_loopback() && !proxies.0.contains(&address) => {
                MAX_PER_NETWORK.min(all / 2)
            }
            _ => all,
        }
    }
}
