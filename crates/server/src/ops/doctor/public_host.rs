//! Checks the DNS records and the certificate of the public URL.

use crate::ops::doctor::Check;
use crate::platform::clock::Clock;
use crate::platform::config::Settings;
use crate::platform::tls;
use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::ServerCertVerifier as _;
use rustls::pki_types::{ServerName, UnixTime};
use rustls::{ClientConfig, RootCertStore};
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;

const NAME: &str = "certificate";
/// How long a look-up, a connection or a handshake may take.
const TIMEOUT: Duration = Duration::from_secs(5);
/// Remaining time of a certificate below which the check warns: renewals are due a month before the end.
const RENEWAL: Duration = Duration::from_hours(14 * 24);

/// Resolves the host of the public URL, connects to it and verifies its certificate; `None` without https or if it is
/// this machine.
pub(super) async fn certificate(settings: &Settings, clock: &Clock) -> Option<Check> {
    if !settings.is_https() || settings.is_loopback() {
        return None;
    }
    let host = settings.public_url.host_str()?.trim_start_matches('[').trim_end_matches(']');
    let port = settings.public_url.port_or_known_default()?;
    let addresses = match resolve(host, port).await {
        Ok(addresses) => addresses,
        Err(error) => {
            return Some(Check::warn(
                NAME,
                format!("{host} has no IP address: {error}"),
                "Create an A or AAAA record of that name with the IP address of the proxy, or correct KITH_PUBLIC_URL.",
            ));
        }
    };
    let now = u64::try_from(clock.system_now()).unwrap_or_default();
    Some(check_certificate(host, &addresses, tls::system_roots(), Duration::from_millis(now)).await)
}

async fn resolve(host: &str, port: u16) -> Result<Vec<SocketAddr>, String> {
    let found = timeout(TIMEOUT, tokio::net::lookup_host((host, port))).await;
    let found = found.map_err(|_| "no response in 5 seconds".to_owned())?;
    let found = found.map_err(|error| error.to_string())?.collect::<Vec<_>>();
    if found.is_empty() { Err("there is no record".to_owned()) } else { Ok(found) }
}

/// Verifies the certificate of a server, now and when it should have been renewed.
async fn check_certificate(
    host: &str,
    addresses: &[SocketAddr],
    roots: Arc<RootCertStore>,
    now: Duration,
) -> Check {
    let name = ServerName::try_from(host.to_owned());
    let verifier = WebPkiServerVerifier::builder_with_provider(
        roots,
        Arc::new(rustls::crypto::ring::default_provider()),
    );
    let (Ok(name), Ok(verifier)) = (name, verifier.build()) else {
        return Check::warn(
            NAME,
            "the certificate cannot be verified without trusted authorities",
            "Install the package ca-certificates.",
        );
    };
    let stream = match connect(addresses).await {
        Ok(stream) => stream,
        Err(error) => {
            return Check::warn(
                NAME,
                format!("{host} cannot be reached from this machine: {error}"),
                "Start the proxy, and open its port in the firewall. If other machines reach it, ignore this.",
            );
        }
    };
    let chain = match handshake(stream, name.clone(), Arc::clone(&verifier)).await {
        Ok(chain) => chain,
        Err(error) => {
            return Check::fail(
                NAME,
                format!("browsers reject the connection to {host}: {error}"),
                "Let the proxy get a certificate for this name from an authority that browsers trust; Caddy does it by \
                 itself once the name leads to it.",
            );
        }
    };
    let soon = UnixTime::since_unix_epoch(now + RENEWAL);
    let [own, others @ ..] = chain.as_slice() else {
        return Check::fail(
            NAME,
            format!("{host} has no certificate"),
            "Configure TLS in the proxy.",
        );
    };
    if verifier.verify_server_cert(own, others, &name, &[], soon).is_err() {
        return Check::warn(
            NAME,
            format!("the certificate of {host} expires within 14 days"),
            "Look at the proxy's log for why it was not renewed: authorities renew it a month before its end.",
        );
    }
    Check::ok(NAME, format!("{host} has a valid certificate"))
}

async fn connect(addresses: &[SocketAddr]) -> io::Result<TcpStream> {
    timeout(TIMEOUT, TcpStream::connect(addresses))
        .await
        .map_err(|_| io::Error::other("no response in 5 seconds"))?
}

/// Returns the server's verified certificates.
async fn handshake(
    stream: TcpStream,
    name: ServerName<'static>,
    verifier: Arc<WebPkiServerVerifier>,
) -> io::Result<Vec<rustls::pki_types::CertificateDer<'static>>> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(io::Error::other)?
        .with_webpki_verifier(verifier)
        .with_no_client_auth();
    let connected = TlsConnector::from(Arc::new(config)).connect(name, stream);
    let connected = timeout(TIMEOUT, connected)
        .await
        .map_err(|_| io::Error::other("no response in 5 seconds"))??;
    let chain = connected.get_ref().1.peer_certificates();
    Ok(chain.unwrap_or_default().to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ops::doctor::Verdict;
    use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};
    use rustls::ServerConfig;
    use rustls::pki_types::PrivateKeyDer;
    use tokio::net::TcpListener;
    use tokio_rustls::TlsAcceptor;

    const HOST: &str = "kith.example";

    /// Serves a certificate for kith.example that lasts until a date; returns its address and authority.
    async fn serve(year: i32, month: u8, day: u8) -> (SocketAddr, Arc<RootCertStore>) {
        let mut authority = CertificateParams::new([]).unwrap();
        authority.distinguished_name.push(rcgen::DnType::CommonName, "Authority of the test");
        authority.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let authority = CertifiedIssuer::self_signed(authority, KeyPair::generate().unwrap());
        let authority = authority.unwrap();
        let mut params = CertificateParams::new(vec![HOST.to_owned()]).unwrap();
        params.not_after = rcgen::date_time_ymd(year, month, day);
        let key = KeyPair::generate().unwrap();
        let own = params.signed_by(&key, &authority).unwrap();
        let mut roots = RootCertStore::empty();
        roots.add(authority.der().clone()).unwrap();
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(
                vec![own.der().clone()],
                PrivateKeyDer::try_from(key.serialize_der()).unwrap(),
            )
            .unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        tokio::spawn(async move {
            let acceptor = TlsAcceptor::from(Arc::new(config));
            while let Ok((stream, _)) = listener.accept().await {
                // A client that rejects the certificate is an error here.
                let _ = acceptor.accept(stream).await;
            }
        });
        (address, Arc::new(roots))
    }

    /// proves: operate-doctor-certificate
    #[tokio::test]
    async fn a_certificate_that_browsers_reject_is_reported() {
        let check = async |host: &str, (address, roots): &(SocketAddr, Arc<RootCertStore>), now| {
            check_certificate(host, &[*address], roots.clone(), now).await
        };
        let now = Duration::from_secs(UnixTime::now().as_secs());
        let valid = serve(4000, 1, 1).await;
        let good = check(HOST, &valid, now).await;
        assert_eq!(good.verdict, Verdict::Ok, "{good:?}");
        let other_name = check("other.example", &valid, now).await;
        assert_eq!(other_name.verdict, Verdict::Fail, "{other_name:?}");
        let expired = check(HOST, &serve(2020, 1, 1).await, now).await;
        assert_eq!(expired.verdict, Verdict::Fail, "{expired:?}");
        assert!(expired.found.contains("expired"), "{expired:?}");
        let later = Duration::from_hours(24 * 365 * 3000);
        let ending = check(HOST, &valid, now + later).await;
        assert!(ending.verdict == Verdict::Warn && ending.found.contains("14 days"), "{ending:?}");
        let unknown = (valid.0, serve(4000, 1, 1).await.1);
        assert_eq!(check(HOST, &unknown, now).await.verdict, Verdict::Fail);
        let closed = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
        let closed = check(HOST, &(closed, valid.1), now).await;
        assert!(closed.found.contains("cannot be reached"), "{closed:?}");
    }

    #[tokio::test]
    async fn a_name_without_an_address_is_reported() {
        // Reserved by RFC 6761, so that no resolver knows it.
        assert!(resolve("kith.invalid", 443).await.is_err());
        assert!(resolve("127.0.0.1", 443).await.is_ok());
    }
}
