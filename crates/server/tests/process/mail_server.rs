//! A mail server, in whatever mood it is.

use crate::port::Port;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Where a conversation is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    Greeting,
    Hello,
    Password,
    Recipient,
    /// The whole text is here.
    Text,
}

impl Step {
    /// What a kind server says.
    pub(crate) const fn welcome(self) -> &'static str {
        match self {
            Self::Greeting => "220 test",
            Self::Hello => "250-test\r\n250 AUTH PLAIN",
            Self::Password => "235 welcome",
            Self::Recipient => "250 ok",
            Self::Text => "250 taken",
        }
    }
}

/// Talks to one sender. `answer` says what each step is answered, or nothing to hang up. Answers the
/// mail that was taken.
pub(crate) fn converse(
    mut stream: TcpStream,
    mut answer: impl FnMut(Step) -> Option<&'static str>,
) -> std::io::Result<Option<String>> {
    let mut lines = BufReader::new(stream.try_clone()?).lines();
    let Some(greeting) = answer(Step::Greeting) else {
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
        let Some(said) = answer(step) else {
            return Ok(None);
        };
        write!(stream, "{said}\r\n")?;
        // The sender may keep the connection for its next mail.
        if mail.is_some() && said.starts_with('2') {
            return Ok(mail);
        }
    }
    Ok(None)
}

/// What a mail server does to whoever comes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mood {
    /// Stops answering: before its greeting, after the first words, at the recipient, or with the whole
    /// mail in its hands.
    Stalls,
    /// Says "later": in its greeting, at the recipient, or to the text.
    Busy,
    /// Takes no password.
    Locked,
    /// Takes every mail.
    Kind,
}

/// A mail server on a port that is closed at first.
pub(crate) struct MailServer {
    port: Option<Port>,
    number: u16,
    desk: Arc<Desk>,
}

struct Desk {
    mood: Mutex<Mood>,
    /// Connections so far.
    connections: AtomicUsize,
    stalled: AtomicUsize,
    busy: AtomicUsize,
    wrong_passwords: AtomicUsize,
    /// The mails that were taken, decoded.
    taken: Mutex<Vec<String>>,
}

impl MailServer {
    /// Is not there yet.
    pub(crate) fn away() -> Self {
        let port = Port::reserve();
        Self {
            number: port.number(),
            port: Some(port),
            desk: Arc::new(Desk {
                mood: Mutex::new(Mood::Kind),
                connections: AtomicUsize::new(0),
                stalled: AtomicUsize::new(0),
                busy: AtomicUsize::new(0),
                wrong_passwords: AtomicUsize::new(0),
                taken: Mutex::default(),
            }),
        }
    }

    /// Its address, with a password.
    pub(crate) fn url(&self) -> String {
        format!("smtp://kith:right@127.0.0.1:{}", self.number)
    }

    /// Does so from now on; opens the port if it is closed. Whoever was stalled is hung up on.
    pub(crate) fn turn(&mut self, mood: Mood) {
        *self.desk.mood.lock().unwrap() = mood;
        let Some(port) = self.port.take() else {
            return;
        };
        let (listener, desk) = (port.listen(), Arc::clone(&self.desk));
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let desk = Arc::clone(&desk);
                // A sender who hangs up ends a conversation like any other.
                std::thread::spawn(move || desk.serve(stream.unwrap()).ok());
            }
        });
    }

    /// How often it has stalled, said "later", and been told a password that it did not take.
    pub(crate) fn faults(&self) -> [usize; 3] {
        let desk = &self.desk;
        [&desk.stalled, &desk.busy, &desk.wrong_passwords].map(|count| count.load(SeqCst))
    }

    /// The mails that were taken, decoded.
    pub(crate) fn taken(&self) -> Vec<String> {
        self.desk.taken.lock().unwrap().clone()
    }
}

impl Desk {
    fn serve(&self, stream: TcpStream) -> std::io::Result<()> {
        let mood = *self.mood.lock().unwrap();
        let number = self.connections.fetch_add(1, SeqCst);
        let taken = converse(stream, |step| self.answer(mood, number, step))?;
        if let Some(mail) = taken {
            let mail = mail.replace("=\n", "").replace("=3D", "=");
            self.taken.lock().unwrap().push(mail);
        }
        Ok(())
    }

    fn answer(&self, mood: Mood, number: usize, step: Step) -> Option<&'static str> {
        const STALLS: [Step; 4] = [Step::Greeting, Step::Hello, Step::Recipient, Step::Text];
        const LATER: [(Step, &str); 3] = [
            (Step::Greeting, "421 4.3.2 too busy"),
            (Step::Recipient, "450 4.2.0 greylisted"),
            (Step::Text, "452 4.3.1 no room"),
        ];
        match mood {
            Mood::Stalls if STALLS[number % 4] == step => {
                self.stalled.fetch_add(1, SeqCst);
                while *self.mood.lock().unwrap() == Mood::Stalls {
                    std::thread::sleep(Duration::from_millis(20));
                }
                None
            }
            Mood::Busy if LATER[number % 3].0 == step => {
                self.busy.fetch_add(1, SeqCst);
                Some(LATER[number % 3].1)
            }
            Mood::Locked if step == Step::Password => {
                self.wrong_passwords.fetch_add(1, SeqCst);
                Some("535 5.7.8 wrong password")
            }
            _ => Some(step.welcome()),
        }
    }
}
