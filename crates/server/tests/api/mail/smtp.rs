//! SMTP server that injects faults: it rejects recipients, requires TLS or a password, stalls and
//! disconnects.

use std::collections::{BTreeSet, VecDeque};
use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

/// Fault to inject into one delivery attempt.
#[derive(Debug, Clone)]
pub(crate) enum Fault {
    /// Replies to `RCPT` with this line.
    Recipient(&'static str),
    /// Disconnects in the middle of `DATA`.
    Disconnect,
    /// Accepts the text only after the test calls `resume`.
    Stall,
    /// Accepts the text, then does not reply to `QUIT`.
    NoQuitReply,
}

/// State shared by all sessions.
#[derive(Debug, Default)]
struct SmtpState {
    /// Faults for the next attempts, one each.
    faults: VecDeque<Fault>,
    /// Mailbox that does not exist.
    unknown: Option<&'static str>,
    /// Expected credentials, encoded as AUTH PLAIN sends them.
    password: Option<String>,
    /// Greeting that replaces 220.
    greeting: Option<&'static str>,
    /// Stalled sessions may continue.
    is_resumed: bool,
    /// Distinct names that clients sent in `EHLO`.
    ehlo_names: BTreeSet<String>,
    attempts: usize,
    wrong_passwords: usize,
    received: Vec<String>,
}

/// How a TLS session begins.
#[derive(Debug, Clone, Copy)]
enum Begins {
    Plain,
    Encrypted,
}

/// A running SMTP server; it stops with the test process.
#[derive(Debug, Clone)]
pub(crate) struct SmtpServer {
    addr: SocketAddr,
    state: Arc<Mutex<SmtpState>>,
}

trait Stream: Read + Write {}
impl<T: Read + Write> Stream for T {}

impl SmtpServer {
    /// Listens on a free port, without TLS.
    pub(crate) fn open() -> Self {
        Self::start(None)
    }

    /// Accepts mail over STARTTLS only, with this certificate.
    pub(crate) fn encrypted(tls: Arc<rustls::ServerConfig>) -> Self {
        Self::start(Some((tls, Begins::Plain)))
    }

    /// Speaks TLS from the first byte, with this certificate.
    pub(crate) fn with_tls(tls: Arc<rustls::ServerConfig>) -> Self {
        Self::start(Some((tls, Begins::Encrypted)))
    }

    fn start(tls: Option<(Arc<rustls::ServerConfig>, Begins)>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let smtp = Self { addr: listener.local_addr().unwrap(), state: Arc::default() };
        let state = Arc::clone(&smtp.state);
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let (state, tls) = (Arc::clone(&state), tls.clone());
                // A client that disconnects ends its session normally.
                std::thread::spawn(move || SmtpSession { state, tls }.serve(stream.unwrap()).ok());
            }
        });
        smtp
    }

    pub(crate) fn port(&self) -> u16 {
        self.addr.port()
    }

    /// Queues a fault for the next attempt without one.
    pub(crate) fn next(&self, fault: Fault) {
        self.state().faults.push_back(fault);
    }

    /// Rejects a mailbox permanently.
    pub(crate) fn reject_mailbox(&self, mailbox: &'static str) {
        self.state().unknown = Some(mailbox);
    }

    /// Requires these credentials.
    pub(crate) fn expect_password(&self, user: &str, password: &str) {
        use base64::Engine as _;
        let plain = format!("\0{user}\0{password}");
        let plain = base64::engine::general_purpose::STANDARD.encode(plain);
        self.state().password = Some(plain);
    }

    /// Replaces the greeting, or restores 220.
    pub(crate) fn greet(&self, greeting: Option<&'static str>) {
        self.state().greeting = greeting;
    }

    /// Drops all queued faults.
    pub(crate) fn clear_faults(&self) {
        self.state().faults.clear();
    }

    /// Lets stalled sessions continue.
    pub(crate) fn resume(&self) {
        self.state().is_resumed = true;
    }

    /// Returns the distinct names that clients sent in `EHLO`.
    pub(crate) fn ehlo_names(&self) -> Vec<String> {
        self.state().ehlo_names.iter().cloned().collect()
    }

    /// Counts `RCPT` commands.
    pub(crate) fn attempts(&self) -> usize {
        self.state().attempts
    }

    /// Counts failed logins.
    pub(crate) fn wrong_passwords(&self) -> usize {
        self.state().wrong_passwords
    }

    /// Returns the accepted mails, decoded.
    pub(crate) fn received(&self) -> Vec<String> {
        self.state().received.clone()
    }

    fn state(&self) -> MutexGuard<'_, SmtpState> {
        self.state.lock().unwrap()
    }
}

/// One client session.
struct SmtpSession {
    state: Arc<Mutex<SmtpState>>,
    tls: Option<(Arc<rustls::ServerConfig>, Begins)>,
}

impl SmtpSession {
    fn serve(self, mut stream: TcpStream) -> io::Result<()> {
        let Some((tls, begins)) = &self.tls else {
            return self.greet(&mut stream, false);
        };
        let encrypted = |stream| {
            let server = rustls::ServerConnection::new(Arc::clone(tls));
            rustls::StreamOwned::new(server.unwrap(), stream)
        };
        if let Begins::Encrypted = begins {
            return self.greet(&mut encrypted(stream), true);
        }
        write!(stream, "220 test\r\n")?;
        while let Some(line) = read_line(&mut stream)? {
            match verb(&line).as_str() {
                "EHLO" => write!(stream, "250-test\r\n250 STARTTLS\r\n")?,
                "STARTTLS" => {
                    write!(stream, "220 go on\r\n")?;
                    return self.serve_commands(&mut encrypted(stream), true);
                }
                _ => write!(stream, "530 encrypt first\r\n")?,
            }
        }
        Ok(())
    }

    fn greet(&self, stream: &mut dyn Stream, is_encrypted: bool) -> io::Result<()> {
        let greeting = self.state().greeting;
        write!(stream, "{}\r\n", greeting.unwrap_or("220 test"))?;
        if greeting.is_some() {
            return Ok(());
        }
        self.serve_commands(stream, is_encrypted)
    }

    fn state(&self) -> MutexGuard<'_, SmtpState> {
        self.state.lock().unwrap()
    }

    /// Waits until the test calls `resume`, if `stalls` is set.
    fn wait_until_resumed(&self, stalls: bool) {
        while stalls && !self.state().is_resumed {
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    fn serve_commands(&self, stream: &mut dyn Stream, is_encrypted: bool) -> io::Result<()> {
        let mut fault = None;
        while let Some(line) = read_line(stream)? {
            match verb(&line).as_str() {
                "EHLO" => {
                    let name = line.split_once(' ').map_or("", |(_, name)| name);
                    self.state().ehlo_names.insert(name.to_owned());
                    write!(stream, "250-test\r\n250 AUTH PLAIN\r\n")?;
                }
                "AUTH" => {
                    let mut state = self.state();
                    let given = line.rsplit(' ').next().unwrap_or_default();
                    let is_right = state.password.as_ref().is_none_or(|right| right == given);
                    state.wrong_passwords += usize::from(!is_right);
                    drop(state);
                    let reply = if is_right { "235 welcome" } else { "535 wrong password" };
                    write!(stream, "{reply}\r\n")?;
                }
                "RCPT" => {
                    let mut state = self.state();
                    state.attempts += 1;
                    fault = state.faults.pop_front();
                    let is_unknown = state.unknown.is_some_and(|name| line.contains(name));
                    drop(state);
                    let reply = match fault {
                        Some(Fault::Recipient(reply)) => reply,
                        _ if is_unknown => "550 5.1.1 unknown mailbox",
                        _ => "250 ok",
                    };
                    write!(stream, "{reply}\r\n")?;
                }
                "DATA" => {
                    write!(stream, "354 go on\r\n")?;
                    if matches!(fault, Some(Fault::Disconnect)) {
                        read_line(stream)?;
                        return Ok(());
                    }
                    let mut text = String::new();
                    while let Some(line) = read_line(stream)?.filter(|line| line != ".") {
                        text += &line;
                        text += "\n";
                    }
                    self.wait_until_resumed(matches!(fault, Some(Fault::Stall)));
                    let text = text.replace("=\n", "").replace("=3D", "=");
                    let note = if is_encrypted { "encrypted\n" } else { "" };
                    let mut state = self.state();
                    state.received.push(format!("{note}{text}"));
                    drop(state);
                    write!(stream, "250 taken\r\n")?;
                }
                "QUIT" => {
                    self.wait_until_resumed(matches!(fault, Some(Fault::NoQuitReply)));
                    write!(stream, "221 bye\r\n")?;
                    return Ok(());
                }
                _ => write!(stream, "250 ok\r\n")?,
            }
        }
        Ok(())
    }
}

fn verb(line: &str) -> String {
    let word = line.split([' ', ':']).next().unwrap_or_default();
    word.to_ascii_uppercase()
}

/// Reads a line without its ending; `None` after the client disconnects. Reads byte by byte, since
/// TLS may follow.
fn read_line(stream: &mut (impl Stream + ?Sized)) -> io::Result<Option<String>> {
    let (mut line, mut byte) = (Vec::new(), [0]);
    while stream.read(&mut byte)? == 1 {
        match byte[0] {
            b'\n' => return Ok(Some(String::from_utf8_lossy(&line).into_owned())),
            b'\r' => {}
            other => line.push(other),
        }
    }
    Ok(None)
}
