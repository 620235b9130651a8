//! Push service that counts pushes and can hold its responses.

use crate::program::Program;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::time::{Duration, Instant};

/// A browser's public key, and its secret.
const KEYS: &str = r#""p256dh":"BOHVsfl9bw-z8r9npRvnXJJcSBejzlal85V2fu385pixaMQ0CNfvUweM2kg22mSjA7WSYcA0vf5QO2ze2Ptw72o","auth":"AAAAAAAAAAAAAAAAAAAAAA""#;
/// Longest wait for pushes.
const TIMEOUT: Duration = Duration::from_secs(30);

/// A running push service.
pub(crate) struct PushService {
    address: SocketAddr,
    state: Arc<ServiceState>,
}

#[derive(Default)]
struct ServiceState {
    received: AtomicUsize,
    is_holding: AtomicBool,
}

impl PushService {
    pub(crate) fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let (address, state) = (listener.local_addr().unwrap(), Arc::<ServiceState>::default());
        let shared = Arc::clone(&state);
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let state = Arc::clone(&shared);
                // A server that is killed meanwhile ends its connection.
                std::thread::spawn(move || state.serve(stream.unwrap()).ok());
            }
        });
        Self { address, state }
    }

    /// Returns the origin, in the syntax of `KITH_PUSH_HOSTS`.
    pub(crate) fn origin(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Subscribes the browser of a session.
    pub(crate) fn subscribe(&self, program: &Program, cookie: &str) {
        let body = format!("{{\"endpoint\":\"{}/send\",{KEYS},\"showsText\":true}}", self.origin());
        let reply = program.request("PUT", "/api/push/subscription", cookie, &body);
        assert_eq!(reply.status, 204, "{}", reply.body);
    }

    /// Sets whether pushes are left without a response.
    pub(crate) fn hold(&self, is_holding: bool) {
        self.state.is_holding.store(is_holding, SeqCst);
    }

    /// Returns the number of pushes so far.
    pub(crate) fn received(&self) -> usize {
        self.state.received.load(SeqCst)
    }

    /// Waits until the service has received `count` pushes; more are a failure.
    pub(crate) fn wait_for(&self, count: usize) {
        let begun = Instant::now();
        while self.received() < count {
            assert!(begun.elapsed() < TIMEOUT, "{} pushes, not {count}", self.received());
            std::thread::sleep(Duration::from_millis(5));
        }
        assert_eq!(self.received(), count);
    }
}

impl ServiceState {
    fn serve(&self, mut stream: TcpStream) -> std::io::Result<()> {
        let mut reader = BufReader::new(stream.try_clone()?);
        let (mut line, mut length) = (String::new(), 0);
        while reader.read_line(&mut line)? > 2 {
            if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length: ") {
                length = value.trim().parse().unwrap();
            }
            line.clear();
        }
        reader.read_exact(&mut vec![0; length])?;
        self.received.fetch_add(1, SeqCst);
        while self.is_holding.load(SeqCst) {
            std::thread::sleep(Duration::from_millis(5));
        }
        stream.write_all(b"HTTP/1.1 201 Created\r\ncontent-length: 0\r\nconnection: close\r\n\r\n")
    }
}
