//! Determines the client's IP address behind trusted proxies, and the network by which limits count.

use crate::platform::Platform;
use crate::platform::config::Proxies;
use axum::extract::{ConnectInfo, FromRef, FromRequestParts};
use axum::http::request::Parts;
use axum::http::{Extensions, HeaderMap};
use std::convert::Infallible;
use std::net::{IpAddr, Ipv6Addr, SocketAddr};

/// Network of a request's client, the key of rate limits.
#[derive(Debug, Clone, Copy)]
pub struct ClientIp(pub IpAddr);

impl ClientIp {
    /// Determines the client of a request.
    pub(crate) fn from_parts(platform: &Platform, parts: &Parts) -> Self {
        let proxies = &platform.settings.trusted_proxies;
        let ip = client_ip_behind(peer(&parts.extensions), &parts.headers, proxies);
        Self(network(ip))
    }
}

impl<S> FromRequestParts<S> for ClientIp
where
    S: Send + Sync,
    Platform: FromRef<S>,
{
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Infallible> {
        Ok(Self::from_parts(&Platform::from_ref(state), parts))
    }
}

/// Returns the network of a client behind a trusted proxy; `None` without a proxy.
pub(crate) fn network_behind_proxy(
    platform: &Platform,
    extensions: &Extensions,
    headers: &HeaderMap,
) -> Option<IpAddr> {
    let (peer, proxies) = (peer(extensions), &platform.settings.trusted_proxies);
    let client = proxies.contains(peer).then(|| client_ip_behind(peer, headers, proxies));
    client.filter(|client| *client != peer).map(network)
}

fn peer(extensions: &Extensions) -> IpAddr {
    let peer = extensions.get::<ConnectInfo<SocketAddr>>();
    let peer = peer.map_or(IpAddr::from([127, 0, 0, 1]), |info| info.0.ip());
    peer.to_canonical()
}

/// Returns the client's IP address: walks X-Forwarded-For from the right past trusted proxies. Entries left of the
/// first untrusted hop can be forged.
fn client_ip_behind(peer: IpAddr, headers: &HeaderMap, trusted: &Proxies) -> IpAddr {
    let mut hop = peer;
    let lines = headers.get_all("x-forwarded-for").iter();
    // As bytes: entries written by the client may be invalid UTF-8.
    let entries = lines.flat_map(|line| line.as_bytes().split(|byte| *byte == b','));
    for entry in entries.collect::<Vec<_>>().into_iter().rev() {
        if !trusted.contains(hop) {
            break;
        }
        let text = std::str::from_utf8(entry).unwrap_or_default();
        let Ok(next) = text.trim().parse::<IpAddr>() else {
            break;
        };
        hop = next.to_canonical();
    }
    hop
}

/// Returns the network that counts as one client: an IPv4 address, or an IPv6 /56, the usual size of a household.
pub(crate) fn network(ip: IpAddr) -> IpAddr {
    match ip {
        IpAddr::V4(_) => ip,
        IpAddr::V6(v6) => Ipv6Addr::from_bits(v6.to_bits() & (u128::MAX << 72)).into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;

    fn ip(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    /// proves: limit-networks
    #[test]
    fn only_trusted_hops_are_believed() {
        let mut headers = HeaderMap::new();
        headers.append("x-forwarded-for", "6.6.6.6, 1.2.3.4".parse().unwrap());
        let proxy = ip("10.0.0.1");
        let trusted = |text: &str| text.parse::<Proxies>().unwrap();
        let one = trusted("10.0.0.1");
        assert_eq!(client_ip_behind(proxy, &headers, &trusted("")), proxy);
        assert_eq!(client_ip_behind(proxy, &headers, &one), ip("1.2.3.4"));
        headers.append("x-forwarded-for", "10.0.0.2".parse().unwrap());
        for both in ["10.0.0.1,10.0.0.2", "10.0.0.0/30"] {
            assert_eq!(client_ip_behind(proxy, &headers, &trusted(both)), ip("1.2.3.4"));
        }
        // Invalid UTF-8 from the client does not hide the entry that the proxy appends.
        let line = HeaderValue::from_bytes(b"\xff\xfe, 1.2.3.4").unwrap();
        headers.insert("x-forwarded-for", line);
        assert_eq!(client_ip_behind(proxy, &headers, &one), ip("1.2.3.4"));
    }

    /// proves: limit-networks
    #[test]
    fn an_ipv6_address_counts_by_its_56() {
        let address = network(ip("2001:db8:1:abcd:1::1"));
        assert_eq!(address, ip("2001:db8:1:ab00::"));
        assert_eq!(network(ip("192.0.2.1")), ip("192.0.2.1"));
    }
}
