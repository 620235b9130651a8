//! A mail server that does not end its line.

use super::encrypted::{authority, send};
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::thread::JoinHandle;

/// What it would say, in bytes: far more than two sockets hold for who does not read.
const LINE: usize = 64 << 20;

/// Where in a conversation the line begins.
#[derive(Clone, Copy)]
enum Begins {
    Greeting,
    /// Encrypted from the first byte.
    EncryptedGreeting,
    /// In answer to STARTTLS.
    Starttls,
    /// It ends, and many others follow in the same answer, 12,000 bytes in all.
    Many,
}

/// Talks until it is not listened to any more; answers how much it could say.
fn talk(mut stream: impl Read + Write, begins: Begins) -> usize {
    if let Begins::Starttls = begins {
        let mut heard = [0; 512];
        for said in ["220 test\r\n", "250-test\r\n250 STARTTLS\r\n"] {
            stream.write_all(said.as_bytes()).unwrap();
            assert_ne!(stream.read(&mut heard).unwrap(), 0);
        }
    }
    if let Begins::Many = begins {
        stream
            .write_all("220-\r\n".repeat(2_000).as_bytes())
            .unwrap();
        let _ = stream.read(&mut [0; 512]);
        return 0;
    }
    let part = [b'2'; 16 << 10];
    let mut said = 0;
    while said < LINE && stream.write_all(&part).is_ok() {
        said += part.len();
    }
    said
}

/// A mail server for one conversation, and the authority that vouches for it.
fn chatterbox(begins: Begins) -> (u16, String, JoinHandle<usize>) {
    let (ca, tls) = authority();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let encrypted = move |stream: TcpStream| {
        let server = rustls::ServerConnection::new(Arc::clone(&tls)).unwrap();
        rustls::StreamOwned::new(server, stream)
    };
    let talking = std::thread::spawn(move || {
        let (stream, _) = listener.accept().unwrap();
        match begins {
            Begins::EncryptedGreeting => talk(encrypted(stream), begins),
            Begins::Greeting | Begins::Starttls | Begins::Many => talk(stream, begins),
        }
    });
    (port, ca, talking)
}

/// proves: mail-endless
#[test]
fn a_line_without_an_end_is_not_heard_out() {
    for (begins, scheme, wish) in [
        (Begins::Greeting, "smtp", ""),
        (Begins::EncryptedGreeting, "smtps", ""),
        (Begins::Starttls, "smtp", "?tls=required"),
        (Begins::Many, "smtp", ""),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let authorities = folder.path().join("ca.pem");
        let (port, ca, talking) = chatterbox(begins);
        std::fs::write(&authorities, ca).unwrap();
        let url = format!("{scheme}://localhost:{port}{wish}");
        let sent = send(folder.path(), &authorities, &url);
        assert!(!sent.status.success());
        let said = String::from_utf8(sent.stdout).unwrap();
        assert!(said.contains("the server says too much"), "{said}");
        let heard = talking.join().unwrap();
        assert!(heard < LINE, "{heard}");
    }
}
