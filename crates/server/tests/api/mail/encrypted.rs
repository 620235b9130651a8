//! A mail server that talks only over TLS.

use super::office::PostOffice;
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};
use rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};
use std::path::Path;
use std::process::{Command, Output};
use std::sync::Arc;

/// An authority's certificate as a file holds it, and what a server named `localhost` needs.
fn authority() -> (String, Arc<rustls::ServerConfig>) {
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

/// Sends the operator's test mail, with these authorities believed.
fn send(data: &Path, authorities: &Path, smtp_url: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kith"));
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("KITH_")) {
        command.env_remove(name);
    }
    command
        .args(["doctor", "--send-mail", "me@example.org", "--data"])
        .arg(data)
        .args(["--smtp-url", smtp_url])
        .env("SSL_CERT_FILE", authorities)
        .env_remove("SSL_CERT_DIR")
        .output()
        .unwrap()
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
    assert!(said.contains("it took a mail"), "{said}");
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
