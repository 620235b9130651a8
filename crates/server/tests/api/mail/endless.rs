//! Mail servers that never end a line.

use super::encrypted::{authority, send_test_mail};
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::thread::JoinHandle;

/// Bytes that the server would send: far more than two socket buffers hold for a client that does
/// not read.
const LINE: usize = 64 << 20;

/// Point in the SMTP session at which the endless line begins.
#[derive(Clone, Copy)]
enum Begins {
    Greeting,
    /// TLS from the first byte.
    EncryptedGreeting,
    /// In response to STARTTLS.
    Starttls,
    /// Ends, but 2,000 more lines follow in the same response: 12,000 bytes in total.
    Many,
}

/// Writes until the client disconnects; returns the number of bytes written.
fn write_endlessly(mut stream: impl Read + Write, begins: Begins) -> usize {
    if let Begins::Starttls = begins {
        let mut received = [0; 512];
        for sent_line in ["220 test\r\n", "250-test\r\n250 STARTTLS\r\n"] {
            stream.write_all(sent_line.as_bytes()).unwrap();
            assert_ne!(stream.read(&mut received).unwrap(), 0);
        }
    }
    if let Begins::Many = begins {
        stream.write_all("220-\r\n".repeat(2_000).as_bytes()).unwrap();
        let _ = stream.read(&mut [0; 512]);
        return 0;
    }
    let part = [b'2'; 16 << 10];
    let mut sent_line = 0;
    while sent_line < LINE && stream.write_all(&part).is_ok() {
        sent_line += part.len();
    }
    sent_line
}

/// Starts a mail server for one session; returns its port and its CA.
fn start_endless_server(begins: Begins) -> (u16, String, JoinHandle<usize>) {
    let (ca, tls) = authority();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let encrypted = move |stream: TcpStream| {
        let server = rustls::ServerConnection::new(Arc::clone(&tls)).unwrap();
        rustls::StreamOwned::new(server, stream)
    };
    let session = std::thread::spawn(move || {
        let (stream, _) = listener.accept().unwrap();
        match begins {
            Begins::EncryptedGreeting => write_endlessly(encrypted(stream), begins),
            Begins::Greeting | Begins::Starttls | Begins::Many => write_endlessly(stream, begins),
        }
    });
    (port, ca, session)
}

/// proves: mail-endless
#[test]
fn an_endless_line_is_not_read_to_its_end() {
    for (begins, scheme, query) in [
        (Begins::Greeting, "smtp", ""),
        (Begins::EncryptedGreeting, "smtps", ""),
        (Begins::Starttls, "smtp", "?tls=required"),
        (Begins::Many, "smtp", ""),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let authorities = folder.path().join("ca.pem");
        let (port, ca, session) = start_endless_server(begins);
        std::fs::write(&authorities, ca).unwrap();
        let url = format!("{scheme}://localhost:{port}{query}");
        let sent = send_test_mail(folder.path(), &authorities, &url);
        assert!(!sent.status.success());
        let sent_line = String::from_utf8(sent.stdout).unwrap();
        assert!(sent_line.contains("the server's response is too long"), "{sent_line}");
        let received = session.join().unwrap();
        assert!(received < LINE, "{received}");
    }
}
