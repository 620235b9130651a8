//! Who calls: the address that limits count by, also behind proxies.

use crate::app::App;
use axum::extract::{ConnectInfo, FromRequestParts};
use axum::http::request::Parts;
use axum::http::{Extensions, HeaderMap};
use std::net::{IpAddr, Ipv6Addr, SocketAddr};

/// The address a request came from, as limits count it.
#[derive(Debug, Clone, Copy)]
pub struct Client(pub IpAddr);

impl Client {
    /// Its address, or the household around it, as most providers number them.
    pub(crate) fn home(self) -> IpAddr {
        wider(self.0, WIDER[0]).unwrap_or(self.0)
    }
}

impl FromRequestParts<App> for Client {
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Self::Rejection> {
        let proxies = &app.settings.trusted_proxies.0;
        let origin = origin(peer(&parts.extensions), &parts.headers, proxies);
        Ok(Self(network(origin)))
    }
}

/// The network of a client for whom a trusted proxy speaks.
pub(crate) fn behind(app: &App, extensions: &Extensions, headers: &HeaderMap) -> Option<IpAddr> {
    let (peer, proxies) = (peer(extensions), &app.settings.trusted_proxies.0);
    let client = proxies
        .contains(&peer)
        .then(|| origin(peer, headers, proxies));
    client.filter(|client| *client != peer).map(network)
}

/// Who is connected.
fn peer(extensions: &Extensions) -> IpAddr {
    let peer = extensions.get::<ConnectInfo<SocketAddr>>();
    let peer = peer.map_or(IpAddr::from([127, 0, 0, 1]), |info| info.0.ip());
    peer.to_canonical()
}

/// Walks X-Forwarded-For from the right, past the proxies we trust: what stands
/// left of the first untrusted hop was written by the client itself.
fn origin(peer: IpAddr, headers: &HeaderMap, trusted: &[IpAddr]) -> IpAddr {
    let mut hop = peer;
    let lines = headers.get_all("x-forwarded-for").iter();
    // As bytes: what a client wrote before the proxy's own word may be no text.
    let hops = lines.flat_map(|line| line.as_bytes().split(|byte| *byte == b','));
    for hop_before in hops.collect::<Vec<_>>().into_iter().rev() {
        if !trusted.contains(&hop) {
            break;
        }
        let text = std::str::from_utf8(hop_before).unwrap_or_default();
        let Ok(next) = text.trim().parse::<IpAddr>() else {
            break;
        };
        hop = next.to_canonical();
    }
    hop
}

/// What counts as one client: an IPv4 address, or the /64 of an IPv6 one.
pub(crate) fn network(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(v6) => first(v6, 64),
    }
}

/// Of IPv6, what holds a client's network: a household at most providers, and a site.
pub(crate) const WIDER: [u32; 2] = [56, 48];

/// The first so many bits of an IPv6 network; nothing of IPv4, where nobody has many addresses.
pub(crate) fn wider(network: IpAddr, bits: u32) -> Option<IpAddr> {
    match network {
        IpAddr::V4(_) => None,
        IpAddr::V6(v6) => Some(first(v6, bits)),
    }
}

/// The address with all after its first so many bits cleared.
fn first(address: Ipv6Addr, bits: u32) -> IpAddr {
    let mask = u128::MAX.checked_shl(128 - bits).unwrap_or(0);
    Ipv6Addr::from_bits(address.to_bits() & mask).into()
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
        assert_eq!(origin(proxy, &headers, &[]), proxy);
        assert_eq!(origin(proxy, &headers, &[proxy]), ip("1.2.3.4"));
        headers.append("x-forwarded-for", "10.0.0.2".parse().unwrap());
        assert_eq!(
            origin(proxy, &headers, &[proxy, ip("10.0.0.2")]),
            ip("1.2.3.4")
        );
        // A client that writes no text hides nothing that the proxy adds on the same line.
        let line = HeaderValue::from_bytes(b"\xff\xfe, 1.2.3.4").unwrap();
        headers.insert("x-forwarded-for", line);
        assert_eq!(origin(proxy, &headers, &[proxy]), ip("1.2.3.4"));
    }

    #[test]
    fn networks_of_ipv6_are_parts_of_wider_ones() {
        let address = network(ip("2001:db8:1:abcd:1::1"));
        assert_eq!(address, ip("2001:db8:1:abcd::"));
        let of = WIDER.map(|bits| wider(address, bits));
        assert_eq!(
            of,
            [Some(ip("2001:db8:1:ab00::")), Some(ip("2001:db8:1::"))]
        );
        assert_eq!(WIDER.map(|bits| wider(ip("192.0.2.1"), bits)), [None; 2]);
    }
}
