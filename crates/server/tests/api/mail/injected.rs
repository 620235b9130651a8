//! Somebody on the way to a mail server who speaks before anything is encrypted.

use super::encrypted::{authority, send};
use std::io::{Read, Write};
use std::net::TcpListener;

/// All that an encrypted conversation is answered with.
const ANSWERS: &str = "250 test\r\n250 ok\r\n250 ok\r\n354 go on\r\n250 taken\r\n221 bye\r\n";

/// What was said before is not taken for an answer of the mail server, which never had the mail then.
///
/// proves: mail-encrypted
#[test]
fn what_was_said_before_the_encryption_is_no_answer() {
    let (ca, tls) = authority();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let talking = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut heard = [0; 512];
        for said in ["220 test\r\n", "250-test\r\n250 STARTTLS\r\n"] {
            stream.write_all(said.as_bytes()).unwrap();
            assert_ne!(stream.read(&mut heard).unwrap(), 0);
        }
        let injected = format!("220 go on\r\n{ANSWERS}");
        stream.write_all(injected.as_bytes()).unwrap();
        let server = rustls::ServerConnection::new(tls).unwrap();
        let mut heard = Vec::new();
        let mut stream = rustls::StreamOwned::new(server, stream);
        // It breaks off, or nothing encrypted ever came.
        let _ = stream.read_to_end(&mut heard);
        heard
    });
    let folder = tempfile::tempdir().unwrap();
    let authorities = folder.path().join("ca.pem");
    std::fs::write(&authorities, ca).unwrap();
    let url = format!("smtp://localhost:{port}?tls=required");
    let sent = send(folder.path(), &authorities, &url);
    assert!(!sent.status.success());
    assert_eq!(talking.join().unwrap(), b"");
}
