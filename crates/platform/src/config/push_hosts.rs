//! Push services that pushes may be sent to.

use std::str::FromStr;
use url::Url;

/// Hosts of the push services of browsers: Chrome, Edge, Firefox, Safari.
const BROWSERS: [&str; 5] = [
    "fcm.googleapis.com",
    "jmt17.google.com",
    "notify.windows.com",
    "push.services.mozilla.com",
    "push.apple.com",
];

/// Push services that the operator added to those of browsers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PushHosts {
    hosts: Vec<String>,
    /// Origins that may be unencrypted and in the own network.
    origins: Vec<Url>,
}

impl PushHosts {
    /// Returns whether a URL belongs to a push service: over TLS at a known host or below it, or at an added origin.
    #[must_use]
    pub fn allow(&self, url: &Url) -> bool {
        if self.origins.iter().any(|origin| origin.origin() == url.origin()) {
            return true;
        }
        let is_plain = url.username().is_empty() && url.password().is_none();
        let known = BROWSERS.into_iter().chain(self.hosts.iter().map(String::as_str));
        let mut known = known.filter_map(|known| url.host_str()?.strip_suffix(known));
        let is_known = known.any(|before| before.is_empty() || before.ends_with('.'));
        url.scheme() == "https" && url.port().is_none() && is_plain && is_known
    }
}

impl FromStr for PushHosts {
    type Err = String;

    /// Parses hosts and origins, separated by commas. Errors have no full stop.
    fn from_str(text: &str) -> Result<Self, String> {
        let mut parsed = Self::default();
        for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
            if part.contains("://") {
                let url = super::parse_public_url(part).map_err(|_| bad_part(part))?;
                parsed.origins.push(url);
            } else {
                let url = Url::parse(&format!("https://{part}")).map_err(|_| bad_part(part))?;
                let host = url.domain().filter(|host| host.contains('.') && url.path() == "/");
                parsed.hosts.push(host.ok_or_else(|| bad_part(part))?.to_owned());
            }
        }
        Ok(parsed)
    }
}

fn bad_part(part: &str) -> String {
    format!(
        "{part} is neither a host such as push.example.org nor an origin such as http://10.0.0.5:8030"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// proves: push-hosts
    #[test]
    fn only_known_push_services_are_allowed() {
        let hosts = "push.example.org, http://127.0.0.1:8030".parse::<PushHosts>().unwrap();
        let allow = |url: &str| hosts.allow(&Url::parse(url).unwrap());
        for url in [
            "https://fcm.googleapis.com/fcm/send/x",
            "https://updates.push.services.mozilla.com/wpush/v2/x",
            "https://web.push.apple.com/x",
            "https://db5p.notify.windows.com/w/?token=x",
            "https://push.example.org/x",
            "http://127.0.0.1:8030/x",
        ] {
            assert!(allow(url), "{url}");
        }
        for url in [
            "http://fcm.googleapis.com/x",
            "https://fcm.googleapis.com:8443/x",
            "https://user@fcm.googleapis.com/x",
            "https://fcm.googleapis.com.example.org/x",
            "https://evilpush.apple.com/x",
            "https://127.0.0.1:8030/x",
            "http://127.0.0.1:8031/x",
            "https://example.org/push.apple.com",
        ] {
            assert!(!allow(url), "{url}");
        }
        for bad in ["localhost", "10.0.0.1", "push.example.org/x", "ftp://push.example.org", "a b"]
        {
            assert!(bad.parse::<PushHosts>().is_err(), "{bad}");
        }
    }
}
