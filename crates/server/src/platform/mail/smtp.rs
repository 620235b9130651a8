//! The mail server, and how it is reached.

use crate::platform::mail::bounded_stream::BoundedStream;
use lettre::address::Envelope;
use lettre::transport::smtp::authentication::{Credentials, Mechanism};
use lettre::transport::smtp::client::{AsyncSmtpConnection, AsyncTokioStream, TlsParameters};
use lettre::transport::smtp::extension::ClientId;
use percent_encoding::percent_decode_str;
use rustls::pki_types::ServerName;
use std::fmt::{self, Debug, Display};
use std::io;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpStream, lookup_host};
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
use url::Url;

/// How long each address of a mail server may take to let itself be reached.
const PATIENCE: Duration = Duration::from_secs(10);
/// How long it may take to say goodbye.
const FAREWELL: Duration = Duration::from_secs(2);

#[derive(Clone)]
pub(super) struct Relay {
    host: String,
    port: u16,
    encryption: Encryption,
    credentials: Option<Credentials>,
    /// As whom this server greets.
    name: ClientId,
}

#[derive(Clone)]
enum Encryption {
    Never,
    /// If the mail server offers it.
    Offered(TlsParameters),
    Required(TlsParameters),
    /// From the first byte.
    AtOnce(TlsConnector),
}

#[derive(Debug)]
pub(super) struct Refusal {
    /// The code of SMTP, if the mail server gave one.
    pub(super) code: Option<u16>,
    said: String,
}

impl Refusal {
    /// What the log may hold: a mail server can quote the mail, whose link lets a reader of the log log in.
    pub(super) fn to_log(&self) -> String {
        match self.code {
            Some(code) => format!("SMTP status {code}"),
            None => self.said.clone(),
        }
    }
}

impl Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.said)
    }
}

impl From<lettre::transport::smtp::Error> for Refusal {
    fn from(error: lettre::transport::smtp::Error) -> Self {
        let code = error.status().map(u16::from);
        let said = if error.is_response() {
            // The library's error quotes what it cannot read.
            "response error".to_owned()
        } else {
            error.to_string()
        };
        Self { code, said }
    }
}

impl From<io::Error> for Refusal {
    fn from(error: io::Error) -> Self {
        Self {
            code: None,
            said: format!("Connection error: {error}"),
        }
    }
}

impl Debug for Relay {
    /// Without the password.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Relay({}:{})", self.host, self.port)
    }
}

impl Relay {
    /// Reads the address of a mail server; an error says what is wrong with it, without a full stop.
    pub(super) fn new(address: &str, name: ClientId) -> Result<Self, String> {
        let url = Url::parse(address).map_err(|error| error.to_string())?;
        // An address of IPv6 stands in brackets there, and without them where it is looked up or certified.
        let host = url.host_str().ok_or("it names no host")?;
        let host = host.trim_matches(['[', ']']).to_owned();
        let by_starttls = || TlsParameters::new(host.clone()).map_err(|error| error.to_string());
        let wish = url.query_pairs().find(|(name, _)| name == "tls");
        let (port, encryption) = match (url.scheme(), wish.as_ref().map(|(_, wish)| &**wish)) {
            ("smtp", None) => (25, Encryption::Never),
            ("smtp", Some("required")) => (587, Encryption::Required(by_starttls()?)),
            ("smtp", Some("opportunistic")) => (587, Encryption::Offered(by_starttls()?)),
            ("smtps", _) => (465, Encryption::AtOnce(connector()?)),
            ("smtp", Some(other)) => {
                return Err(format!("tls is required or left out, not {other}"));
            }
            (other, _) => return Err(format!("it begins with {other}")),
        };
        let credentials = url.password().map(|password| {
            let plain = |text| percent_decode_str(text).decode_utf8().map(String::from);
            Ok(Credentials::new(plain(url.username())?, plain(password)?))
        });
        let credentials = credentials
            .transpose()
            .map_err(|error: std::str::Utf8Error| error.to_string())?;
        Ok(Self {
            port: url.port().unwrap_or(port),
            host,
            encryption,
            credentials,
            name,
        })
    }

    /// Sends one mail within `whole`, on its own connection: late answers of an aborted one would be taken for its own.
    pub(super) async fn send(
        &self,
        envelope: &Envelope,
        mail: &[u8],
        whole: Duration,
    ) -> Result<(), Refusal> {
        let sending = async {
            let mut connection = self.connect().await?;
            connection.send(envelope, mail).await?;
            Ok::<_, Refusal>(connection)
        };
        let connection = timeout(whole, sending).await.map_err(|_| Refusal {
            code: None,
            said: "the server took too long".to_owned(),
        })??;
        part(connection).await;
        Ok(())
    }

    /// Connects, encrypts and logs in as far as the address says, and hears whether it listens.
    pub(super) async fn greet(&self) -> Result<bool, Refusal> {
        let mut connection = self.connect().await?;
        let listens = connection.test_connected().await;
        part(connection).await;
        Ok(listens)
    }

    async fn connect(&self) -> Result<AsyncSmtpConnection, Refusal> {
        let stream = self.reach().await?;
        let peer = stream.peer_addr()?;
        let stream: Box<dyn AsyncTokioStream> = match &self.encryption {
            Encryption::AtOnce(connector) => {
                let name = ServerName::try_from(self.host.clone()).map_err(io::Error::other)?;
                Box::new(BoundedStream::new(
                    connector.connect(name, stream).await?,
                    peer,
                ))
            }
            _ => Box::new(BoundedStream::new(stream, peer)),
        };
        let mut connection =
            AsyncSmtpConnection::connect_with_transport(stream, &self.name).await?;
        let starttls = match &self.encryption {
            Encryption::Required(tls) => Some(tls),
            Encryption::Offered(tls) => Some(tls).filter(|_| connection.can_starttls()),
            Encryption::Never | Encryption::AtOnce(_) => None,
        };
        if let Some(tls) = starttls {
            connection.starttls(tls.clone(), &self.name).await?;
        }
        if let Some(credentials) = &self.credentials {
            let ways = [Mechanism::Plain, Mechanism::Login];
            connection.auth(&ways, credentials).await?;
        }
        Ok(connection)
    }

    async fn reach(&self) -> io::Result<TcpStream> {
        let mut failure = io::Error::other("its name leads to no address");
        for address in lookup_host((self.host.as_str(), self.port)).await? {
            match timeout(PATIENCE, TcpStream::connect(address)).await {
                Ok(Ok(stream)) => return Ok(stream),
                Ok(Err(error)) => failure = error,
                Err(_) => failure = io::ErrorKind::TimedOut.into(),
            }
        }
        Err(failure)
    }
}

/// Says goodbye. What was taken is taken, whatever is answered.
async fn part(mut connection: AsyncSmtpConnection) {
    let _ = timeout(FAREWELL, connection.abort()).await;
}

/// Encrypts from the first byte, to who has a certificate that this system believes.
fn connector() -> Result<TlsConnector, String> {
    let mut roots = rustls::RootCertStore::empty();
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = rustls::ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| format!("TLS cannot be used: {error}"))?
        .with_root_certificates(roots)
        .with_no_client_auth();
    Ok(TlsConnector::from(Arc::new(config)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn relay(address: &str) -> Result<Relay, String> {
        Relay::new(address, ClientId::Domain("kith.example".to_owned()))
    }

    /// proves: mail-address
    #[test]
    fn an_address_says_where_a_server_is() {
        for (address, host, port) in [
            ("smtp://mail.example", "mail.example", 25),
            ("smtp://mail.example?tls=required", "mail.example", 587),
            ("smtp://mail.example?tls=opportunistic", "mail.example", 587),
            ("smtps://u:p@mail.example", "mail.example", 465),
            ("smtps://mail.example:2465/", "mail.example", 2465),
            ("smtp://[::1]:26", "::1", 26),
        ] {
            let relay = relay(address).unwrap();
            assert_eq!((&*relay.host, relay.port), (host, port), "{address}");
        }
    }

    /// proves: mail-refusal-redacted
    #[test]
    fn the_log_holds_the_code_and_not_the_servers_words() {
        let refusal = Refusal {
            code: Some(554),
            said: "554 b@x.io: https://kith.example/auth/verify?token=AbCd is listed".to_owned(),
        };
        assert_eq!(refusal.to_log(), "SMTP status 554");
    }

    /// proves: mail-address
    #[test]
    fn a_name_and_password_may_hold_anything() {
        let relay = relay("smtps://a%40b:p%3A%2F%25@mail.example").unwrap();
        let meant = Credentials::new("a@b".to_owned(), "p:/%".to_owned());
        assert_eq!(relay.credentials, Some(meant));
    }

    /// proves: mail-address
    #[test]
    fn what_is_no_address_is_refused() {
        for (address, why) in [
            ("mail.example", "relative URL without a base"),
            ("smtp:mail.example", "it names no host"),
            ("http://mail.example", "it begins with http"),
            (
                "smtp://mail.example?tls=maybe",
                "tls is required or left out, not maybe",
            ),
            ("smtp://u:%ff@localhost", "invalid utf-8"),
        ] {
            let refusal = relay(address).unwrap_err();
            assert!(refusal.starts_with(why), "{address}: {refusal}");
        }
    }
}
