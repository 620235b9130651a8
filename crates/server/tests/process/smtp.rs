//! Mail by SMTP: a server that takes it, and one that first says "later".

use crate::program::Program;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

/// Answers SMTP on a free port; refuses the first `busy` mails for now.
pub(crate) fn mail_server(busy: usize) -> (String, Receiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("smtp://{}", listener.local_addr().unwrap());
    let (delivered, mails) = channel();
    std::thread::spawn(move || {
        let mut busy = busy;
        for stream in listener.incoming() {
            if let Ok(Some(mail)) = converse(stream.unwrap(), &mut busy) {
                delivered.send(mail).unwrap();
            }
        }
    });
    (url, mails)
}

/// One connection; answers the mail it carried.
fn converse(mut stream: TcpStream, busy: &mut usize) -> std::io::Result<Option<String>> {
    let mut lines = BufReader::new(stream.try_clone()?).lines();
    let mut mail = None;
    write!(stream, "220 test\r\n")?;
    while let Some(line) = lines.next().transpose()? {
        let verb = line
            .split([' ', ':'])
            .next()
            .unwrap_or_default()
            .to_ascii_uppercase();
        match verb.as_str() {
            "RCPT" if *busy > 0 => {
                *busy -= 1;
                write!(stream, "451 later\r\n")?;
            }
            "DATA" => {
                write!(stream, "354 go on\r\n")?;
                let text = lines
                    .by_ref()
                    .map_while(Result::ok)
                    .take_while(|line| line != ".");
                mail = Some(text.collect::<Vec<_>>().join("\n"));
                write!(stream, "250 taken\r\n")?;
                // The sender may keep the connection for its next mail.
                return Ok(mail);
            }
            "QUIT" => {
                write!(stream, "221 bye\r\n")?;
                break;
            }
            _ => write!(stream, "250 ok\r\n")?,
        }
    }
    Ok(mail)
}

fn ask_for_link(program: &mut Program) {
    program.line();
    let printed = program.line();
    let (_, code) = printed.split_once("friend: ").unwrap();
    let body = format!("{{\"email\":\"ada@example.org\",\"inviteCode\":\"{code}\"}}");
    assert_eq!(
        program
            .ask("POST", "/api/auth/request-magic-link", "", &body)
            .status,
        200
    );
}

/// Joins by the link in a mail as it went over the wire.
fn join(program: &Program, mail: &str) {
    assert!(
        mail.contains("To: ada@example.org") && mail.contains("Kith <kith@localhost>"),
        "{mail}"
    );
    let text = mail.replace("=\n", "").replace("=3D", "=");
    let link = text
        .lines()
        .find(|line| line.starts_with("http://") && line.contains("token="))
        .unwrap();
    program.log_in(link);
}

#[test]
fn a_mail_server_gets_the_mail() {
    let (url, mails) = mail_server(0);
    let folder = tempfile::tempdir().unwrap();
    let mut program = Program::start_with(folder.path(), &["--smtp-url", &url]);
    ask_for_link(&mut program);
    join(
        &program,
        &mails.recv_timeout(Duration::from_secs(20)).unwrap(),
    );
    assert!(!folder.path().join("outbox").exists(), "no copy is kept");
}

#[test]
fn a_busy_mail_server_is_asked_again() {
    let (url, mails) = mail_server(1);
    let folder = tempfile::tempdir().unwrap();
    let mut program = Program::start_with(folder.path(), &["--smtp-url", &url]);
    ask_for_link(&mut program);
    join(
        &program,
        &mails.recv_timeout(Duration::from_secs(30)).unwrap(),
    );
}
