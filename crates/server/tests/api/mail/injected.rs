//! An attacker in the network who sends SMTP responses before TLS begins.

use super::encrypted::{authority, send_test_mail};
use std::io::{Read, Write};
use std::net::TcpListener;

/// Plaintext responses for a whole session.
const RESPONSES: &str = "250 test\r\n250 ok\r\n250 ok\r\n354 go on\r\n250 taken\r\n221 bye\r\n";

/// Responses buffered before the TLS handshake are discarded: the mail server never received the
/// mail.
/// proves: mail-encrypted
#[test]
fn responses_before_tls_are_discarded() {
    let (ca, tls) = authority();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let session = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut received = [0; 512];
        for sent_line in ["220 test\r\n", "250-test\r\n250 STARTTLS\r\n"] {
            stream.write_all(sent_line.as_bytes()).unwrap();
            assert_ne!(stream.read(&mut received).unwrap(), 0);
        }
        let injected = format!("220 go on\r\n{RESPONSES}");
        stream.write_all(injected.as_bytes()).unwrap();
        let server = rustls::ServerConnection::new(tls).unwrap();
        let mut received = Vec::new();
        let mut stream = rustls::StreamOwned::new(server, stream);
        // The client disconnects, or no TLS bytes ever arrive.
        let _ = stream.read_to_end(&mut received);
        received
    });
    let folder = tempfile::tempdir().unwrap();
    let authorities = folder.path().join("ca.pem");
    std::fs::write(&authorities, ca).unwrap();
    let url = format!("smtp://localhost:{port}?tls=required");
    let sent = send_test_mail(folder.path(), &authorities, &url);
    assert!(!sent.status.success());
    assert_eq!(session.join().unwrap(), b"");
}
