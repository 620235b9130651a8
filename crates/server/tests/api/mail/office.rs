//! A mail server that does to the program whatever mail servers do: it takes mails, refuses some,
//! asks for encryption or a password, hesitates, and hangs up.

use std::collections::{BTreeSet, VecDeque};
use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

/// What happens to one try to send a mail.
#[derive(Debug, Clone)]
pub(crate) enum Fault {
    /// The recipient is answered so.
    Recipient(&'static str),
    /// The connection ends in the middle of the text.
    HangUp,
    /// The text is taken only once the test says so.
    Hesitate,
    /// The text is taken, and then nothing more is said.
    FallSilent,
}

/// What the server knows and does.
#[derive(Debug, Default)]
struct Desk {
    /// What happens to the next tries, one each; then nothing more.
    faults: VecDeque<Fault>,
    /// The mailbox that does not exist.
    unknown: Option<&'static str>,
    /// What a sender has to prove, as AUTH PLAIN sends it.
    password: Option<String>,
    /// What greets everybody instead of 220.
    greeting: Option<&'static str>,
    /// Who hesitates may go on.
    is_released: bool,
    /// As whom senders greeted, once each.
    greeted: BTreeSet<String>,
    tries: usize,
    wrong_passwords: usize,
    taken: Vec<String>,
}

/// How a conversation begins that is encrypted.
#[derive(Debug, Clone, Copy)]
enum Begins {
    Plain,
    Encrypted,
}

/// A running mail server; it ends with the test.
#[derive(Debug, Clone)]
pub(crate) struct PostOffice {
    address: SocketAddr,
    desk: Arc<Mutex<Desk>>,
}

trait Wire: Read + Write {}
impl<T: Read + Write> Wire for T {}

impl PostOffice {
    /// Answers on a free port, without encryption.
    pub(crate) fn open() -> Self {
        Self::start(None)
    }

    /// Takes mails only over STARTTLS, with this certificate.
    pub(crate) fn encrypted(tls: Arc<rustls::ServerConfig>) -> Self {
        Self::start(Some((tls, Begins::Plain)))
    }

    /// Talks nothing but TLS from the first byte, with this certificate.
    pub(crate) fn encrypted_at_once(tls: Arc<rustls::ServerConfig>) -> Self {
        Self::start(Some((tls, Begins::Encrypted)))
    }

    fn start(tls: Option<(Arc<rustls::ServerConfig>, Begins)>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let office = Self {
            address: listener.local_addr().unwrap(),
            desk: Arc::default(),
        };
        let desk = Arc::clone(&office.desk);
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let (desk, tls) = (Arc::clone(&desk), tls.clone());
                // A sender who hangs up ends a conversation like any other.
                std::thread::spawn(move || Counter { desk, tls }.serve(stream.unwrap()).ok());
            }
        });
        office
    }

    pub(crate) fn port(&self) -> u16 {
        self.address.port()
    }

    /// What happens to the next try that has nothing to expect yet.
    pub(crate) fn next(&self, fault: Fault) {
        self.desk().faults.push_back(fault);
    }

    /// Refuses a mailbox for good.
    pub(crate) fn refuse(&self, mailbox: &'static str) {
        self.desk().unknown = Some(mailbox);
    }

    /// Lets in only who proves to be this user.
    pub(crate) fn expect_password(&self, user: &str, password: &str) {
        use base64::Engine as _;
        let plain = format!("\0{user}\0{password}");
        let plain = base64::engine::general_purpose::STANDARD.encode(plain);
        self.desk().password = Some(plain);
    }

    /// Greets so from now on.
    pub(crate) fn greet(&self, greeting: Option<&'static str>) {
        self.desk().greeting = greeting;
    }

    /// Has no more faults in store.
    pub(crate) fn forgive(&self) {
        self.desk().faults.clear();
    }

    /// Lets go on who hesitates.
    pub(crate) fn release(&self) {
        self.desk().is_released = true;
    }

    /// As whom senders greeted, once each.
    pub(crate) fn greeted(&self) -> Vec<String> {
        self.desk().greeted.iter().cloned().collect()
    }

    /// How often a recipient was named.
    pub(crate) fn tries(&self) -> usize {
        self.desk().tries
    }

    /// How often a password was wrong.
    pub(crate) fn wrong_passwords(&self) -> usize {
        self.desk().wrong_passwords
    }

    /// The mails that were taken, decoded.
    pub(crate) fn taken(&self) -> Vec<String> {
        self.desk().taken.clone()
    }

    fn desk(&self) -> MutexGuard<'_, Desk> {
        self.desk.lock().unwrap()
    }
}

/// One conversation.
struct Counter {
    desk: Arc<Mutex<Desk>>,
    tls: Option<(Arc<rustls::ServerConfig>, Begins)>,
}

impl Counter {
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
                    return self.converse(&mut encrypted(stream), true);
                }
                _ => write!(stream, "530 encrypt first\r\n")?,
            }
        }
        Ok(())
    }

    fn greet(&self, stream: &mut dyn Wire, is_encrypted: bool) -> io::Result<()> {
        let greeting = self.desk().greeting;
        write!(stream, "{}\r\n", greeting.unwrap_or("220 test"))?;
        if greeting.is_some() {
            return Ok(());
        }
        self.converse(stream, is_encrypted)
    }

    fn desk(&self) -> MutexGuard<'_, Desk> {
        self.desk.lock().unwrap()
    }

    /// Waits until the test lets go on, if it is to.
    fn hesitate(&self, does: bool) {
        while does && !self.desk().is_released {
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    fn converse(&self, stream: &mut dyn Wire, is_encrypted: bool) -> io::Result<()> {
        let mut fault = None;
        while let Some(line) = read_line(stream)? {
            match verb(&line).as_str() {
                "EHLO" => {
                    let name = line.split_once(' ').map_or("", |(_, name)| name);
                    self.desk().greeted.insert(name.to_owned());
                    write!(stream, "250-test\r\n250 AUTH PLAIN\r\n")?;
                }
                "AUTH" => {
                    let mut desk = self.desk();
                    let given = line.rsplit(' ').next().unwrap_or_default();
                    let is_right = desk.password.as_ref().is_none_or(|right| right == given);
                    desk.wrong_passwords += usize::from(!is_right);
                    drop(desk);
                    let answer = if is_right {
                        "235 welcome"
                    } else {
                        "535 wrong password"
                    };
                    write!(stream, "{answer}\r\n")?;
                }
                "RCPT" => {
                    let mut desk = self.desk();
                    desk.tries += 1;
                    fault = desk.faults.pop_front();
                    let is_unknown = desk.unknown.is_some_and(|name| line.contains(name));
                    drop(desk);
                    let answer = match fault {
                        Some(Fault::Recipient(answer)) => answer,
                        _ if is_unknown => "550 5.1.1 nobody here",
                        _ => "250 ok",
                    };
                    write!(stream, "{answer}\r\n")?;
                }
                "DATA" => {
                    write!(stream, "354 go on\r\n")?;
                    if matches!(fault, Some(Fault::HangUp)) {
                        read_line(stream)?;
                        return Ok(());
                    }
                    let mut text = String::new();
                    while let Some(line) = read_line(stream)?.filter(|line| line != ".") {
                        text += &line;
                        text += "\n";
                    }
                    self.hesitate(matches!(fault, Some(Fault::Hesitate)));
                    let text = text.replace("=\n", "").replace("=3D", "=");
                    let note = if is_encrypted { "encrypted\n" } else { "" };
                    let mut desk = self.desk();
                    desk.taken.push(format!("{note}{text}"));
                    drop(desk);
                    write!(stream, "250 taken\r\n")?;
                }
                "QUIT" => {
                    self.hesitate(matches!(fault, Some(Fault::FallSilent)));
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

/// A line without its end; nothing once the sender has hung up. Byte by byte: what follows may be
/// encrypted.
fn read_line(stream: &mut (impl Wire + ?Sized)) -> io::Result<Option<String>> {
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
