//! A mail server that talks only over TLS.

use super::office::PostOffice;
use super::taken;
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};
use rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::sync::Arc;

/// An authority's certificate as a file holds it, and what a server named `localhost` needs.
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

/// The program, with these authorities believed.
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
pub(super) fn send(data: &Path, authorities: &Path, smtp_url: &str) -> Output {
    let words = ["doctor", "--send-mail", "me@example.org"];
    let mut command = kith(data, authorities, smtp_url, &words);
    command.output().unwrap()
}

/// A server that was started; it is killed with this.
struct Running {
    child: Child,
    address: SocketAddr,
    log: BufReader<std::process::ChildStderr>,
    said: BufReader<std::process::ChildStdout>,
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended already.
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
            said: BufReader::new(child.stdout.take().unwrap()),
            child,
        }
    }

    /// The next line that it prints, or logs, with these words.
    fn until(lines: &mut impl BufRead, words: &str) -> String {
        let mut lines = lines.lines().map(Result::unwrap);
        lines.find(|line| line.contains(words)).unwrap()
    }

    /// Asks for a link with the code that the first start prints.
    fn ask_to_join(&mut self) {
        let printed = Self::until(&mut self.said, "friend: ");
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
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    }
}

/// Runs a server that believes `ca` until its own worker has tried to send a mail, of which so many
/// are to get there.
async fn worked(office: &PostOffice, ca: &str, url: &str, database: String, wanted: usize) {
    let folder = tempfile::tempdir().unwrap();
    let authorities = folder.path().join("ca.pem");
    std::fs::write(&authorities, ca).unwrap();
    let serve = kith(&folder.path().join("data"), &authorities, url, &["serve"]);
    let mut server = Running::start(serve, &database);
    server.ask_to_join();
    if wanted == 0 {
        Running::until(&mut server.log, "a mail will be tried again");
    }
    let mails = taken(office, wanted).await;
    assert_eq!(office.tries(), wanted);
    for mail in mails {
        assert!(mail.starts_with("encrypted\n") && mail.contains("To: ada@example.org"));
    }
}

/// First with an authority that nobody knows, then with the one that vouches for the mail server.
async fn only_a_proven_one(office: PostOffice, ca: &str, url: &str, databases: [String; 2]) {
    let [wary, sure] = databases;
    worked(&office, &authority().0, url, wary, 0).await;
    worked(&office, ca, url, sure, 1).await;
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
fn a_mail_goes_encrypted_to_who_proves_its_name_only() {
    let folder = tempfile::tempdir().unwrap();
    let (pem, tls) = authority();
    let (other, _) = authority();
    let known = folder.path().join("known.pem");
    let foreign = folder.path().join("foreign.pem");
    std::fs::write(&known, pem).unwrap();
    std::fs::write(&foreign, other).unwrap();
    let office = PostOffice::encrypted(tls);
    let url = format!("smtp://kith:right@localhost:{}?tls=required", office.port());
    let refused = send(folder.path(), &foreign, &url);
    assert!(!refused.status.success());
    assert_eq!((office.tries(), office.taken().len()), (0, 0));
    let sent = send(folder.path(), &known, &url);
    let said = String::from_utf8(sent.stdout).unwrap();
    assert!(said.contains("it accepted an email"), "{said}");
    let mails = office.taken();
    assert_eq!(mails.len(), 1);
    assert!(mails[0].starts_with("encrypted\n") && mails[0].contains("To: me@example.org"));
}

/// proves: mail-encrypted
#[test]
fn nothing_is_sent_to_who_does_not_encrypt() {
    let folder = tempfile::tempdir().unwrap();
    let authorities = folder.path().join("known.pem");
    std::fs::write(&authorities, authority().0).unwrap();
    let office = PostOffice::open();
    let url = format!("smtp://kith:right@localhost:{}?tls=required", office.port());
    let refused = send(folder.path(), &authorities, &url);
    assert!(!refused.status.success());
    assert_eq!((office.tries(), office.taken().len()), (0, 0));
}

with_databases! {
    /// proves: mail-encrypted
    async fn a_mail_goes_by_starttls(databases) {
        let (ca, tls) = authority();
        let office = PostOffice::encrypted(tls);
        let url = format!("smtp://kith:right@localhost:{}?tls=required", office.port());
        only_a_proven_one(office, &ca, &url, databases).await;
    }

    /// proves: mail-encrypted
    async fn a_mail_goes_by_smtps(databases) {
        let (ca, tls) = authority();
        let office = PostOffice::encrypted_at_once(tls);
        let url = format!("smtps://kith:right@localhost:{}", office.port());
        only_a_proven_one(office, &ca, &url, databases).await;
    }
}
