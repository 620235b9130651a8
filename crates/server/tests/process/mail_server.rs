//! SMTP server that can be switched between faults.

use crate::port::Port;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Step of an SMTP session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    Greeting,
    Hello,
    Password,
    Recipient,
    /// The whole text was received.
    Text,
}

impl Step {
    /// Returns the reply that accepts this step.
    pub(crate) const fn success_reply(self) -> &'static str {
        match self {
            Self::Greeting => "220 test",
            Self::Hello => "250-test\r\n250 AUTH PLAIN",
            Self::Password => "235 welcome",
            Self::Recipient => "250 ok",
            Self::Text => "250 taken",
        }
    }
}

/// Serves one SMTP session. `reply_to` returns the reply to each step, or `None` to disconnect.
/// Returns the accepted mail.
pub(crate) fn serve_session(
    mut stream: TcpStream,
    mut reply_to: impl FnMut(Step) -> Option<&'static str>,
) -> std::io::Result<Option<String>> {
    let mut lines = BufReader::new(stream.try_clone()?).lines();
    let Some(greeting) = reply_to(Step::Greeting) else {
        return Ok(None);
    };
    write!(stream, "{greeting}\r\n")?;
    while let Some(line) = lines.next().transpose()? {
        let verb = line.split([' ', ':']).next().unwrap_or_default();
        let step = match verb.to_ascii_uppercase().as_str() {
            "EHLO" => Step::Hello,
            "AUTH" => Step::Password,
            "RCPT" => Step::Recipient,
            "DATA" => Step::Text,
            "QUIT" => {
                write!(stream, "221 bye\r\n")?;
                break;
            }
            _ => {
                write!(stream, "250 ok\r\n")?;
                continue;
            }
        };
        let mut mail = None;
        if step == Step::Text {
            write!(stream, "354 go on\r\n")?;
            let text = lines.by_ref().map_while(Result::ok);
            let text = text.take_while(|line| line != ".").collect::<Vec<_>>();
            mail = Some(text.join("\n"));
        }
        let Some(reply) = reply_to(step) else {
            return Ok(None);
        };
        write!(stream, "{reply}\r\n")?;
        // The client may keep the connection for its next mail.
        if mail.is_some() && reply.starts_with('2') {
            return Ok(mail);
        }
    }
    Ok(None)
}

/// Behavior of the mail server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mood {
    /// Stops replying: before the greeting, after `EHLO`, at the recipient, or after the text.
    Stalling,
    /// Rejects for now: in the greeting, at the recipient, or after the text.
    Busy,
    /// Rejects the password.
    WrongPassword,
    /// Accepts every mail.
    Accepting,
}

/// A mail server whose port is closed at first.
pub(crate) struct MailServer {
    port: Option<Port>,
    number: u16,
    state: Arc<ServerState>,
}

struct ServerState {
    mood: Mutex<Mood>,
    /// Number of connections so far.
    connections: AtomicUsize,
    stalled: AtomicUsize,
    busy: AtomicUsize,
    wrong_passwords: AtomicUsize,
    /// Accepted mails, decoded.
    received: Mutex<Vec<String>>,
}

impl MailServer {
    /// Reserves a port on which nothing listens yet.
    pub(crate) fn closed() -> Self {
        let port = Port::reserve();
        Self {
            number: port.number(),
            port: Some(port),
            state: Arc::new(ServerState {
                mood: Mutex::new(Mood::Accepting),
                connections: AtomicUsize::new(0),
                stalled: AtomicUsize::new(0),
                busy: AtomicUsize::new(0),
                wrong_passwords: AtomicUsize::new(0),
                received: Mutex::default(),
            }),
        }
    }

    /// Returns the SMTP URL, with a password.
    pub(crate) fn url(&self) -> String {
        format!("smtp://kith:right@127.0.0.1:{}", self.number)
    }

    /// Changes the behavior; opens the port if it is closed. Stalled sessions are disconnected.
    pub(crate) fn set_mood(&mut self, mood: Mood) {
        *self.state.mood.lock().unwrap() = mood;
        let Some(port) = self.port.take() else {
            return;
        };
        let (listener, state) = (port.listen(), Arc::clone(&self.state));
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let state = Arc::clone(&state);
                // A client that disconnects ends its session normally.
                std::thread::spawn(move || state.serve(stream.unwrap()).ok());
            }
        });
    }

    /// Counts stalled sessions, temporary rejections and rejected passwords.
    pub(crate) fn faults(&self) -> [usize; 3] {
        let state = &self.state;
        [&state.stalled, &state.busy, &state.wrong_passwords].map(|count| count.load(SeqCst))
    }

    /// Returns the accepted mails, decoded.
    pub(crate) fn received(&self) -> Vec<String> {
        self.state.received.lock().unwrap().clone()
    }
}

impl ServerState {
    fn serve(&self, stream: TcpStream) -> std::io::Result<()> {
        let mood = *self.mood.lock().unwrap();
        let number = self.connections.fetch_add(1, SeqCst);
        let received = serve_session(stream, |step| self.reply_to(mood, number, step))?;
        if let Some(mail) = received {
            let mail = mail.replace("=\n", "").replace("=3D", "=");
            self.received.lock().unwrap().push(mail);
        }
        Ok(())
    }

    fn reply_to(&self, mood: Mood, number: usize, step: Step) -> Option<&'static str> {
        const STALLS: [Step; 4] = [Step::Greeting, Step::Hello, Step::Recipient, Step::Text];
        const LATER: [(Step, &str); 3] = [
            (Step::Greeting, "421 4.3.2 too busy"),
            (Step::Recipient, "450 4.2.0 greylisted"),
            (Step::Text, "452 4.3.1 no room"),
        ];
        match mood {
            Mood::Stalling if STALLS[number % 4] == step => {
                self.stalled.fetch_add(1, SeqCst);
                while *self.mood.lock().unwrap() == Mood::Stalling {
                    std::thread::sleep(Duration::from_millis(20));
                }
                None
            }
            Mood::Busy if LATER[number % 3].0 == step => {
                self.busy.fetch_add(1, SeqCst);
                Some(LATER[number % 3].1)
            }
            Mood::WrongPassword if step == Step::Password => {
                self.wrong_passwords.fetch_add(1, SeqCst);
                Some("535 5.7.8 wrong password")
            }
            _ => Some(step.success_reply()),
        }
    }
}
