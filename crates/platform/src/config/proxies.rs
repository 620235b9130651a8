//! Proxies whose `X-Forwarded-For` is trusted.

use ipnet::{IpNet, Ipv4Net};
use std::net::IpAddr;
use std::str::FromStr;

/// Networks of trusted proxies; a single IP address is a network of one.
#[derive(Debug, Clone, Default)]
pub struct Proxies(Vec<IpNet>);

impl Proxies {
    /// Checks whether no proxy is trusted.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Checks whether a canonical IP address is that of a trusted proxy.
    #[must_use]
    pub fn contains(&self, ip: IpAddr) -> bool {
        self.0.iter().any(|network| network.contains(&ip))
    }

    /// Returns the first range that covers all IP addresses, with which every client could forge its own.
    #[must_use]
    pub fn everyone(&self) -> Option<String> {
        self.0.iter().find(|network| network.prefix_len() == 0).map(ToString::to_string)
    }
}

impl From<&[IpAddr]> for Proxies {
    fn from(ips: &[IpAddr]) -> Self {
        Self(ips.iter().map(|ip| IpNet::from(ip.to_canonical())).collect())
    }
}

impl FromStr for Proxies {
    type Err = String;

    /// Parses IP addresses and ranges, separated by commas. The error has no full stop.
    fn from_str(text: &str) -> Result<Self, String> {
        let parts = text.split(',').map(str::trim).filter(|part| !part.is_empty());
        parts.map(parse_network).collect::<Result<_, _>>().map(Self)
    }
}

fn parse_network(text: &str) -> Result<IpNet, String> {
    let ip = || text.parse::<IpAddr>().map(IpNet::from);
    let network = text.parse::<IpNet>().or_else(|_| ip()).map_err(|_| {
        format!("{text} is neither an IP address nor a range such as 10.0.0.0/8 or fd00::/8")
    })?;
    Ok(canonical(network))
}

/// Converts a range of IPv4-mapped addresses, because clients' IP addresses are compared in canonical form.
fn canonical(network: IpNet) -> IpNet {
    let (ip, prefix) = (network.addr().to_canonical(), network.prefix_len());
    match (network, ip) {
        (IpNet::V6(_), IpAddr::V4(ip)) if prefix >= 96 => {
            Ipv4Net::new(ip, prefix - 96).map_or(network, IpNet::V4)
        }
        _ => network,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_trusted(setting: &str, ip: &str) -> bool {
        setting.parse::<Proxies>().unwrap().contains(ip.parse().unwrap())
    }

    /// proves: limit-proxy-ranges
    #[test]
    fn addresses_and_ranges_are_trusted() {
        for (setting, inside, outside) in [
            ("10.0.0.1", "10.0.0.1", "10.0.0.2"),
            ("192.0.2.9, 10.0.0.0/8", "10.255.0.1", "11.0.0.1"),
            // The bits after the prefix do not count.
            ("172.30.80.2/16", "172.30.1.1", "172.31.1.1"),
            ("fd00::/8,2001:db8::1", "fdff::1", "2001:db8::2"),
            ("::ffff:127.0.0.1", "127.0.0.1", "127.0.0.2"),
            ("::ffff:10.0.0.0/104", "10.1.2.3", "11.0.0.1"),
            ("0.0.0.0/0", "10.1.2.3", "::1"),
        ] {
            assert!(is_trusted(setting, inside), "{setting}: {inside}");
            assert!(!is_trusted(setting, outside), "{setting}: {outside}");
        }
        assert!("".parse::<Proxies>().unwrap().is_empty());
        for wrong in ["everybody", "10.0.0.0/33", "10.0.0/8", "::1/129", "10.0.0.1/", "10.0.0.1:80"]
        {
            let error = format!("127.0.0.1,{wrong}").parse::<Proxies>().unwrap_err();
            assert!(error.starts_with(wrong), "{error}");
        }
    }

    #[test]
    fn a_range_of_everyone_is_found() {
        let everyone = |text: &str| text.parse::<Proxies>().unwrap().everyone();
        assert_eq!(everyone("10.0.0.0/8,::/0").as_deref(), Some("::/0"));
        assert_eq!(everyone("10.0.0.0/8"), None);
    }
}
