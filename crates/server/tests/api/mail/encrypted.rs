//! Mail servers that require TLS.

use super::received;
use super::smtp::SmtpServer;
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};
use rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::sync::Arc;

/// Creates a CA and returns its certificate in PEM and the TLS config of a server named
/// `localhost`.
pub(super) fn authority() -> (String, Arc<rustls::ServerConfig>) {
    let mut params = CertificateParams::new([]).unwrap();
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let authority = CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap();
    let key = KeyPair::generate().unwrap();
    let params = CertificateParams::new(["localhost".to_owned()]).unwrap();
    let certificate = params.signed_by(&key, &authority).unwrap();
    let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(key.serialize_der()));
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = rustls::ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![certificate.der().clone()], key)
        .unwrap();
    (authority.pem(), Arc::new(config))
}

/// Builds a `kith` command that trusts the CAs in a file.
fn kith(data: &Path, authorities: &Path, smtp_url: &str, words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kith"));
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("KITH_")) {
        command.env_remove(name);
    }
    command
        .args(words)
        .arg("--data")
        .arg(data)
        .args(["--smtp-url", smtp_url])
        .env("SSL_CERT_FILE", authorities)
        .env_remove("SSL_CERT_DIR");
    command
}

/// Sends the operator's test mail.
pub(super) fn send_test_mail(data: &Path, authorities: &Path, smtp_url: &str) -> Output {
    let words = ["doctor", "--send-mail", "me@example.org"];
    let mut command = kith(data, authorities, smtp_url, &words);
    command.output().unwrap()
}

/// A server process; dropped, it is killed.
struct Running {
    child: Child,
    address: SocketAddr,
    log: BufReader<std::process::ChildStderr>,
    stdout: BufReader<std::process::ChildStdout>,
}

impl Drop for Running {
    fn drop(&mut self) {
        // The process may have exited already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Running {
    fn start(mut command: Command, database_url: &str) -> Self {
        let free = || TcpListener::bind("127.0.0.1:0").unwrap().local_addr();
        let (address, admin) = (free().unwrap(), free().unwrap().to_string());
        let mut child = command
            .args(["--listen", &address.to_string(), "--admin-listen", &admin])
            .args(["--database-url", database_url])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        Self {
            address,
            log: BufReader::new(child.stderr.take().unwrap()),
            stdout: BufReader::new(child.stdout.take().unwrap()),
            child,
        }
    }

    /// Returns the next line of output that contains `words`.
    fn read_until(lines: &mut impl BufRead, words: &str) -> String {
        let mut lines = lines.lines().map(Result::unwrap);
        lines.find(|line| line.contains(words)).unwrap()
    }

    /// Requests a sign-up link with the code that the first start prints.
    fn request_sign_up_link(&mut self) {
        let printed = Self::read_until(&mut self.stdout, "friend: ");
        let (_, code) = printed.split_once("friend: ").unwrap();
        let body = format!("{{\"email\":\"ada@example.org\",\"inviteCode\":\"{code}\"}}");
        let mut stream = TcpStream::connect(self.address).unwrap();
        write!(
            stream,
            "POST /api/auth/request-magic-link HTTP/1.1\r\nhost: {}\r\nconnection: close\r\n\
             content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            self.address,
            body.len()
        )
        .unwrap();
        let mut response = String::new();
        stream.read_to_string(&mut response).unwrap();
        assert!(response.starts_with("HTTP/1.1 200"), "{response}");
    }
}

/// Runs a server that trusts `ca` until its worker has tried to send a mail, and asserts that
/// `wanted` mails arrive.
async fn send_from_server(smtp: &SmtpServer, ca: &str, url: &str, database: String, wanted: usize) {
    let folder = tempfile::tempdir().unwrap();
    let authorities = folder.path().join("ca.pem");
    std::fs::write(&authorities, ca).unwrap();
    let serve = kith(&folder.path().join("data"), &authorities, url, &["serve"]);
    let mut server = Running::start(serve, &database);
    server.request_sign_up_link();
    if wanted == 0 {
        Running::read_until(&mut server.log, "mail delivery failed and will be retried");
    }
    let mails = received(smtp, wanted).await;
    assert_eq!(smtp.attempts(), wanted);
    for mail in mails {
        assert!(mail.starts_with("encrypted\n") && mail.contains("To: ada@example.org"));
    }
}

/// Sends with an unknown CA first, then with the one that signed the mail server's certificate.
async fn assert_sent_only_to_trusted_server(
    smtp: SmtpServer,
    ca: &str,
    url: &str,
    databases: [String; 2],
) {
    let [untrusting, trusting] = databases;
    send_from_server(&smtp, &authority().0, url, untrusting, 0).await;
    send_from_server(&smtp, ca, url, trusting, 1).await;
}

/// Runs each test on both engines, with two databases.
macro_rules! with_databases {
    ($($(#[doc = $doc:literal])* async fn $name:ident($databases:ident) $body:block)*) => {$(
        $(#[doc = $doc])*
        async fn $name($databases: [String; 2]) $body

        mod $name {
            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn sqlite() {
                super::$name([String::new(), String::new()]).await;
            }

            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn postgres() {
                use crate::harness::postgres_url;
                super::$name([postgres_url().await, postgres_url().await]).await;
            }
        }
    )*};
}

/// proves: mail-encrypted
#[test]
fn mail_is_sent_over_tls_only_to_a_trusted_certificate() {
    let folder = tempfile::tempdir().unwrap();
    let (pem, tls) = authority();
    let (other, _) = authority();
    let known = folder.path().join("known.pem");
    let foreign = folder.path().join("foreign.pem");
    std::fs::write(&known, pem).unwrap();
    std::fs::write(&foreign, other).unwrap();
    let smtp = SmtpServer::encrypted(tls);
    let url = format!("smtp://kith:right@localhost:{}?tls=required", smtp.port());
    let rejected = send_test_mail(folder.path(), &foreign, &url);
    assert!(!rejected.status.success());
    assert_eq!((smtp.attempts(), smtp.received().len()), (0, 0));
    let sent = send_test_mail(folder.path(), &known, &url);
    let stdout = String::from_utf8(sent.stdout).unwrap();
    assert!(stdout.contains("it accepted an email"), "{stdout}");
    let mails = smtp.received();
    assert_eq!(mails.len(), 1);
    assert!(mails[0].starts_with("encrypted\n") && mails[0].contains("To: me@example.org"));
}

/// proves: mail-encrypted
#[test]
fn no_mail_is_sent_to_a_server_without_starttls() {
    let folder = tempfile::tempdir().unwrap();
    let authorities = folder.path().join("known.pem");
    std::fs::write(&authorities, authority().0).unwrap();
    let smtp = SmtpServer::open();
    let url = format!("smtp://kith:right@localhost:{}?tls=required", smtp.port());
    let rejected = send_test_mail(folder.path(), &authorities, &url);
    assert!(!rejected.status.success());
    assert_eq!((smtp.attempts(), smtp.received().len()), (0, 0));
}

with_databases! {
    /// proves: mail-encrypted
    async fn mail_is_sent_over_starttls(databases) {
        let (ca, tls) = authority();
        let smtp = SmtpServer::encrypted(tls);
        let url = format!("smtp://kith:right@localhost:{}?tls=required", smtp.port());
        assert_sent_only_to_trusted_server(smtp, &ca, &url, databases).await;
    }

    /// proves: mail-encrypted
    async fn mail_is_sent_over_smtps(databases) {
        let (ca, tls) = authority();
        let smtp = SmtpServer::with_tls(tls);
        let url = format!("smtps://kith:right@localhost:{}", smtp.port());
        assert_sent_only_to_trusted_server(smtp, &ca, &url, databases).await;
    }
}
