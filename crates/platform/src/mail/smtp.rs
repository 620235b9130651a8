//! SMTP client: URL parsing, encryption, authentication and sending.

use crate::mail::bounded_stream::BoundedStream;
use crate::tls;
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

/// Time to connect to each IP address of the mail server.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// Time for the server to respond to QUIT.
const QUIT_TIMEOUT: Duration = Duration::from_secs(2);

#[derive(Clone)]
pub(super) struct SmtpClient {
    host: String,
    port: u16,
    encryption: Encryption,
    credentials: Option<Credentials>,
    /// Client name sent in EHLO.
    client_name: ClientId,
}

#[derive(Clone)]
enum Encryption {
    Never,
    /// STARTTLS if the mail server offers it.
    Opportunistic(TlsParameters),
    /// Mandatory STARTTLS.
    Required(TlsParameters),
    /// TLS from the first byte.
    Implicit(TlsConnector),
}

#[derive(Debug)]
pub(super) struct SmtpError {
    /// SMTP status code, if the mail server responded.
    pub(super) code: Option<u16>,
    message: String,
}

impl SmtpError {
    /// Returns the text for the log, without the server's response: it can quote a login link.
    pub(super) fn log_message(&self) -> String {
        match self.code {
            Some(code) => format!("SMTP status {code}"),
            None => self.message.clone(),
        }
    }
}

impl Display for SmtpError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl From<lettre::transport::smtp::Error> for SmtpError {
    fn from(error: lettre::transport::smtp::Error) -> Self {
        let code = error.status().map(u16::from);
        let message = if error.is_response() {
            // The library's error quotes the response.
            "response error".to_owned()
        } else {
            error.to_string()
        };
        Self { code, message }
    }
}

impl From<io::Error> for SmtpError {
    fn from(error: io::Error) -> Self {
        Self { code: None, message: format!("Connection error: {error}") }
    }
}

impl Debug for SmtpClient {
    /// Omits the password.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SmtpClient({}:{})", self.host, self.port)
    }
}

impl SmtpClient {
    /// Parses the URL of a mail server; errors have no full stop.
    pub(super) fn new(url: &str, client_name: ClientId) -> Result<Self, String> {
        let url = Url::parse(url).map_err(|error| error.to_string())?;
        // DNS lookups and certificates have IPv6 addresses without the brackets of a URL.
        let host = url.host_str().ok_or("it has no host")?;
        let host = host.trim_matches(['[', ']']).to_owned();
        let starttls = || TlsParameters::new(host.clone()).map_err(|error| error.to_string());
        let tls = url.query_pairs().find(|(name, _)| name == "tls");
        let (port, encryption) = match (url.scheme(), tls.as_ref().map(|(_, mode)| &**mode)) {
            ("smtp", None) => (25, Encryption::Never),
            ("smtp", Some("required")) => (587, Encryption::Required(starttls()?)),
            ("smtp", Some("opportunistic")) => (587, Encryption::Opportunistic(starttls()?)),
            ("smtps", _) => {
                (465, Encryption::Implicit(TlsConnector::from(Arc::new(tls::client_config()?))))
            }
            ("smtp", Some(other)) => {
                return Err(format!("tls must be required or opportunistic, not {other}"));
            }
            (other, _) => return Err(format!("its scheme is {other}")),
        };
        let credentials = url.password().map(|password| {
            let decode = |text| percent_decode_str(text).decode_utf8().map(String::from);
            Ok(Credentials::new(decode(url.username())?, decode(password)?))
        });
        let credentials =
            credentials.transpose().map_err(|error: std::str::Utf8Error| error.to_string())?;
        Ok(Self { port: url.port().unwrap_or(port), host, encryption, credentials, client_name })
    }

    /// Sends one mail within `limit`, on a new connection: late responses to an aborted mail must not count for this
    /// one.
    pub(super) async fn send(
        &self,
        envelope: &Envelope,
        mail: &[u8],
        limit: Duration,
    ) -> Result<(), SmtpError> {
        let sending = async {
            let mut connection = self.connect().await?;
            connection.send(envelope, mail).await?;
            Ok::<_, SmtpError>(connection)
        };
        let connection = timeout(limit, sending).await.map_err(|_| SmtpError {
            code: None,
            message: "the server did not respond in time".to_owned(),
        })??;
        quit(connection).await;
        Ok(())
    }

    /// Connects, encrypts and authenticates as configured. Returns whether the server responds to a NOOP.
    pub(super) async fn check_connection(&self) -> Result<bool, SmtpError> {
        let mut connection = self.connect().await?;
        let is_responding = connection.test_connected().await;
        quit(connection).await;
        Ok(is_responding)
    }

    async fn connect(&self) -> Result<AsyncSmtpConnection, SmtpError> {
        let stream = self.connect_tcp().await?;
        let peer = stream.peer_addr()?;
        let stream: Box<dyn AsyncTokioStream> = match &self.encryption {
            Encryption::Implicit(connector) => {
                let name = ServerName::try_from(self.host.clone()).map_err(io::Error::other)?;
                Box::new(BoundedStream::new(connector.connect(name, stream).await?, peer))
            }
            _ => Box::new(BoundedStream::new(stream, peer)),
        };
        let mut connection =
            AsyncSmtpConnection::connect_with_transport(stream, &self.client_name).await?;
        let starttls = match &self.encryption {
            Encryption::Required(tls) => Some(tls),
            Encryption::Opportunistic(tls) => Some(tls).filter(|_| connection.can_starttls()),
            Encryption::Never | Encryption::Implicit(_) => None,
        };
        if let Some(tls) = starttls {
            connection.starttls(tls.clone(), &self.client_name).await?;
        }
        if let Some(credentials) = &self.credentials {
            let mechanisms = [Mechanism::Plain, Mechanism::Login];
            connection.auth(&mechanisms, credentials).await?;
        }
        Ok(connection)
    }

    async fn connect_tcp(&self) -> io::Result<TcpStream> {
        let mut last_error = io::Error::other("its name resolves to no IP address");
        for address in lookup_host((self.host.as_str(), self.port)).await? {
            match timeout(CONNECT_TIMEOUT, TcpStream::connect(address)).await {
                Ok(Ok(stream)) => return Ok(stream),
                Ok(Err(error)) => last_error = error,
                Err(_) => last_error = io::ErrorKind::TimedOut.into(),
            }
        }
        Err(last_error)
    }
}

/// Ends the connection. Ignores errors, because an accepted mail stays accepted.
async fn quit(mut connection: AsyncSmtpConnection) {
    let _ = timeout(QUIT_TIMEOUT, connection.abort()).await;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(url: &str) -> Result<SmtpClient, String> {
        SmtpClient::new(url, ClientId::Domain("kith.example".to_owned()))
    }

    /// proves: mail-address
    #[test]
    fn a_url_sets_host_and_port() {
        for (url, host, port) in [
            ("smtp://mail.example", "mail.example", 25),
            ("smtp://mail.example?tls=required", "mail.example", 587),
            ("smtp://mail.example?tls=opportunistic", "mail.example", 587),
            ("smtps://u:p@mail.example", "mail.example", 465),
            ("smtps://mail.example:2465/", "mail.example", 2465),
            ("smtp://[::1]:26", "::1", 26),
        ] {
            let client = parse(url).unwrap();
            assert_eq!((&*client.host, client.port), (host, port), "{url}");
        }
    }

    /// proves: mail-rejection-redacted
    #[test]
    fn the_log_has_the_status_code_without_the_response() {
        let error = SmtpError {
            code: Some(554),
            message: "554 b@x.io: https://kith.example/auth/verify?token=AbCd is listed".to_owned(),
        };
        assert_eq!(error.log_message(), "SMTP status 554");
    }

    /// proves: mail-address
    #[test]
    fn credentials_are_percent_decoded() {
        let client = parse("smtps://a%40b:p%3A%2F%25@mail.example").unwrap();
        let expected = Credentials::new("a@b".to_owned(), "p:/%".to_owned());
        assert_eq!(client.credentials, Some(expected));
    }

    /// proves: mail-address
    #[test]
    fn an_invalid_url_is_rejected() {
        for (url, message) in [
            ("mail.example", "relative URL without a base"),
            ("smtp:mail.example", "it has no host"),
            ("http://mail.example", "its scheme is http"),
            ("smtp://mail.example?tls=maybe", "tls must be required or opportunistic, not maybe"),
            ("smtp://u:%ff@localhost", "invalid utf-8"),
        ] {
            let error = parse(url).unwrap_err();
            assert!(error.starts_with(message), "{url}: {error}");
        }
    }
}
