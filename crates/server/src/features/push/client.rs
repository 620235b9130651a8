//! Sends encrypted pushes to push services.

use crate::features::push::subscriptions::Subscription;
use crate::features::push::vapid::VapidKey;
use crate::platform::clock::Millis;
use crate::platform::config::PushHosts;
use crate::platform::tls;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use http_body_util::Full;
use hyper::body::Bytes;
use hyper::{Request, StatusCode};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::client::legacy::connect::dns::{GaiResolver, Name};
use hyper_util::rt::{TokioExecutor, TokioTimer};
use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;
use tower::Service;
use url::Url;
use web_push_native::p256::PublicKey;
use web_push_native::{Auth, encrypt};

/// How long a push may take.
const TIMEOUT: Duration = Duration::from_secs(5);
/// How long the push service keeps a push for a browser that is offline, in seconds.
const TTL: &str = "86400";
/// A waiting push with the same topic is replaced.
const TOPIC: &str = "notifications";

/// Client of push services.
#[derive(Debug)]
pub(super) struct PushClient {
    http: Client<HttpsConnector<HttpConnector<PublicResolver>>, Full<Bytes>>,
    key: VapidKey,
    hosts: PushHosts,
    /// URL of the network.
    subject: String,
}

/// Result of a push.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PushOutcome {
    /// The push service accepted it.
    Sent,
    /// The browser has unsubscribed.
    Gone,
    /// It may succeed later.
    Failed,
}

impl PushOutcome {
    /// Value of the metric label `result`.
    pub(super) const fn label(self) -> &'static str {
        match self {
            Self::Sent => "sent",
            Self::Gone => "gone",
            Self::Failed => "failed",
        }
    }
}

impl PushClient {
    /// Creates a client that trusts the system's certificates; an error is a sentence.
    pub(super) fn new(key: VapidKey, hosts: PushHosts, subject: String) -> Result<Self, String> {
        let mut tcp = HttpConnector::new_with_resolver(PublicResolver(GaiResolver::new()));
        tcp.enforce_http(false);
        let tls = tls::client_config().map_err(|error| format!("Web push: {error}."))?;
        let connector = HttpsConnectorBuilder::new()
            .with_tls_config(tls)
            .https_or_http()
            .enable_http1()
            .wrap_connector(tcp);
        let http = Client::builder(TokioExecutor::new())
            .pool_timer(TokioTimer::new())
            .pool_max_idle_per_host(4)
            .build(connector);
        Ok(Self { http, key, hosts, subject })
    }

    /// Returns the public key of the network.
    pub(super) fn public_key(&self) -> String {
        self.key.public_key()
    }

    /// Returns whether an endpoint belongs to a known push service.
    pub(super) fn is_allowed(&self, endpoint: &str) -> bool {
        Url::parse(endpoint).is_ok_and(|url| self.hosts.allow(&url))
    }

    /// Encrypts a message for a browser and sends it. Follows no redirect.
    pub(super) async fn send(
        &self,
        to: &Subscription,
        message: Vec<u8>,
        now: Millis,
    ) -> PushOutcome {
        // The list of hosts may have become shorter since the subscription.
        let endpoint = Url::parse(&to.endpoint).ok().filter(|url| self.hosts.allow(url));
        let (Some(endpoint), Some((public_key, auth))) =
            (endpoint, parse_keys(&to.public_key, &to.auth))
        else {
            return PushOutcome::Gone;
        };
        let Ok(encrypted) = encrypt(message, &public_key, &auth) else {
            return PushOutcome::Gone;
        };
        let service = endpoint.origin().ascii_serialization();
        let authorization = self.key.authorization(&service, &self.subject, now);
        let request = Request::post(endpoint.as_str())
            .header("authorization", authorization)
            .header("content-encoding", "aes128gcm")
            .header("content-type", "application/octet-stream")
            .header("topic", TOPIC)
            .header("ttl", TTL)
            .header("urgency", "normal")
            .body(Full::from(encrypted));
        let Ok(request) = request else {
            return PushOutcome::Gone;
        };
        let host = endpoint.host_str().unwrap_or_default();
        match tokio::time::timeout(TIMEOUT, self.http.request(request)).await {
            Ok(Ok(response)) if response.status().is_success() => PushOutcome::Sent,
            Ok(Ok(response)) => {
                let status = response.status();
                if matches!(status, StatusCode::NOT_FOUND | StatusCode::GONE) {
                    return PushOutcome::Gone;
                }
                tracing::warn!(host, status = status.as_u16(), "a push service rejected a push");
                PushOutcome::Failed
            }
            Ok(Err(error)) => {
                tracing::warn!(host, %error, "a push service could not be reached");
                PushOutcome::Failed
            }
            Err(_) => {
                tracing::warn!(host, "a push service did not respond in time");
                PushOutcome::Failed
            }
        }
    }
}

/// Parses a browser's public key and secret; `None` if they are not valid.
pub(super) fn parse_keys(public_key: &str, auth: &str) -> Option<(PublicKey, Auth)> {
    let decode = |text: &str| URL_SAFE_NO_PAD.decode(text.trim_end_matches('=')).ok();
    let public_key = PublicKey::from_sec1_bytes(&decode(public_key)?).ok()?;
    let auth: [u8; 16] = decode(auth)?.try_into().ok()?;
    Some((public_key, auth.into()))
}

/// Resolves host names to public IP addresses only, so that no push reaches a service in the operator's network.
#[derive(Debug, Clone)]
struct PublicResolver(GaiResolver);

impl Service<Name> for PublicResolver {
    type Response = std::vec::IntoIter<SocketAddr>;
    type Error = io::Error;
    type Future = Pin<Box<dyn Future<Output = io::Result<Self::Response>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.0.poll_ready(context)
    }

    fn call(&mut self, name: Name) -> Self::Future {
        let found = self.0.call(name);
        Box::pin(async move {
            let public = found.await?.filter(|address| is_public(address.ip()));
            let public = public.collect::<Vec<_>>();
            if public.is_empty() {
                return Err(io::Error::other("the host has no public IP address"));
            }
            Ok(public.into_iter())
        })
    }
}

fn is_public(ip: IpAddr) -> bool {
    match ip.to_canonical() {
        IpAddr::V4(ip) => is_public_v4(ip),
        IpAddr::V6(ip) => is_public_v6(ip),
    }
}

fn is_public_v4(ip: Ipv4Addr) -> bool {
    let [first, second, ..] = ip.octets();
    let is_shared = first == 100 && (64..128).contains(&second);
    let is_special = ip.is_private()
        || ip.is_loopback()
        || ip.is_link_local()
        || ip.is_documentation()
        || ip.is_multicast();
    !(is_special || is_shared || first == 0 || first >= 240)
}

/// Global unicast addresses (`2000::/3`), without those that embed an IPv4 address.
fn is_public_v6(ip: Ipv6Addr) -> bool {
    let [first, second, ..] = ip.segments();
    let is_global = first & 0xe000 == 0x2000;
    let is_tunnel = first == 0x2002 || (first == 0x2001 && second < 0x0200);
    let is_documentation = first == 0x2001 && second == 0x0db8;
    is_global && !is_tunnel && !is_documentation
}

#[cfg(test)]
mod tests {
    use super::*;

    /// proves: push-public
    #[test]
    fn only_public_addresses_are_used() {
        for ip in ["8.8.8.8", "172.32.0.1", "2606:4700::1111", "::ffff:8.8.8.8"] {
            assert!(is_public(ip.parse().unwrap()), "{ip}");
        }
        for ip in [
            "127.0.0.1",
            "10.0.0.1",
            "172.16.0.1",
            "192.168.1.1",
            "169.254.169.254",
            "100.64.0.1",
            "0.0.0.0",
            "255.255.255.255",
            "224.0.0.1",
            "192.0.2.1",
            "::1",
            "::",
            "fe80::1",
            "fd00::1",
            "::ffff:10.0.0.1",
            "2002:7f00:1::",
            "2001::1",
            "64:ff9b::a00:1",
            "2001:db8::1",
            "ff02::1",
        ] {
            assert!(!is_public(ip.parse().unwrap()), "{ip}");
        }
    }
}
