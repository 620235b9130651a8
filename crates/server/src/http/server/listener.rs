//! Whom an address that is listened on is for, and how many connections those have.

use crate::http::client_limit::MAX_PER_NETWORK;
use crate::platform::config::Proxies;
use crate::platform::fs::rlimit;
use std::net::IpAddr;
use std::time::Duration;

/// Time from a connection's start, or from its last answer, to the end of a request's head.
const HEAD: Duration = Duration::from_secs(10);
/// The same where there are few connections.
const HEAD_OF_OPERATOR: Duration = Duration::from_secs(2);
/// Connections at once, of members.
const MOST: usize = 8_192;
/// And of the operator's programs: every account of the machine reaches that address.
const MOST_OF_OPERATOR: usize = 64;

#[derive(Debug, Clone)]
pub(crate) enum Audience {
    /// Anybody: one network has few of the connections, unless it is a trusted proxy.
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

    /// How long a request's head may take, and whether another may follow: an operator's connection is not kept.
    pub(crate) const fn manner(&self) -> (Duration, bool) {
        match self {
            Self::Members(_) => (HEAD, true),
            Self::Operator => (HEAD_OF_OPERATOR, false),
        }
    }

    /// Of so many, those of one address.
    pub(crate) fn most_of(&self, address: IpAddr, all: usize) -> usize {
        match self {
            Self::Members(proxies) if !address.is_loopback() && !proxies.0.contains(&address) => {
                MAX_PER_NETWORK.min(all / 2)
            }
            _ => all,
        }
    }
}
