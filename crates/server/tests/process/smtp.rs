//! Mail by SMTP: a server that takes it, and one that first says "later".

use crate::mail_server::{Step, converse};
use crate::program::Program;
use crate::proof::open;
use std::net::TcpListener;
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
            let answer = |step: Step| {
                if step == Step::Recipient && busy > 0 {
                    busy -= 1;
                    return Some("451 later");
                }
                Some(step.welcome())
            };
            if let Ok(Some(mail)) = converse(stream.unwrap(), answer) {
                delivered.send(mail).unwrap();
            }
        }
    });
    (url, mails)
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

/// A mail that the mail server takes its time over is not cut off by a stop: it would be sent once more.
/// proves: operate-stop-mail
#[test]
fn a_stop_lets_a_mail_leave() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("smtp://{}", listener.local_addr().unwrap());
    let (reached, on_its_way) = channel();
    let taking = std::thread::spawn(move || {
        let (stream, _) = listener.accept().unwrap();
        let answer = |step: Step| {
            if step == Step::Text {
                reached.send(()).unwrap();
                std::thread::sleep(Duration::from_secs(1));
            }
            Some(step.welcome())
        };
        converse(stream, answer).unwrap().unwrap()
    });
    let folder = tempfile::tempdir().unwrap();
    let mut program = Program::start_with(folder.path(), &["--smtp-url", &url]);
    ask_for_link(&mut program);
    on_its_way.recv_timeout(Duration::from_secs(20)).unwrap();
    program.signal("TERM");
    assert!(program.wait().success());
    assert!(taking.join().unwrap().contains("To: ada@example.org"));
    let count = "select count(*) from jobs";
    let left = open(folder.path()).query_row(count, [], |row| row.get::<_, i64>(0));
    assert_eq!(left.unwrap(), 0, "it has left");
}
