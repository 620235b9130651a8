//! Mail by SMTP: a server that accepts it, and one that first rejects it for now.

use crate::mail_server::{Step, serve_session};
use crate::program::Program;
use crate::proof::open_database;
use std::net::TcpListener;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

/// Serves SMTP on a free port; rejects the first `busy` mails for now.
pub(crate) fn mail_server(busy: usize) -> (String, Receiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("smtp://{}", listener.local_addr().unwrap());
    let (delivered, mails) = channel();
    std::thread::spawn(move || {
        let mut busy = busy;
        for stream in listener.incoming() {
            let reply_to = |step: Step| {
                if step == Step::Recipient && busy > 0 {
                    busy -= 1;
                    return Some("451 later");
                }
                Some(step.success_reply())
            };
            if let Ok(Some(mail)) = serve_session(stream.unwrap(), reply_to) {
                delivered.send(mail).unwrap();
            }
        }
    });
    (url, mails)
}

fn ask_for_link(program: &mut Program) {
    program.read_line();
    let printed = program.read_line();
    let (_, code) = printed.split_once("friend: ").unwrap();
    let body = format!("{{\"email\":\"ada@example.org\",\"inviteCode\":\"{code}\"}}");
    assert_eq!(program.request("POST", "/api/auth/request-magic-link", "", &body).status, 200);
}

/// Signs up by the link in a mail as it was transferred.
fn sign_up(program: &Program, mail: &str) {
    assert!(
        mail.contains("To: ada@example.org") && mail.contains("Kith <kith@localhost>"),
        "{mail}"
    );
    let text = mail.replace("=\n", "").replace("=3D", "=");
    let link =
        text.lines().find(|line| line.starts_with("http://") && line.contains("token=")).unwrap();
    program.log_in(link);
}

#[test]
fn a_mail_is_delivered_by_smtp() {
    let (url, mails) = mail_server(0);
    let folder = tempfile::tempdir().unwrap();
    let mut program = Program::start_with(folder.path(), &["--smtp-url", &url]);
    ask_for_link(&mut program);
    sign_up(&program, &mails.recv_timeout(Duration::from_secs(20)).unwrap());
    assert!(!folder.path().join("outbox").exists(), "no copy is kept");
}

#[test]
fn a_mail_is_retried_while_the_server_is_busy() {
    let (url, mails) = mail_server(1);
    let folder = tempfile::tempdir().unwrap();
    let mut program = Program::start_with(folder.path(), &["--smtp-url", &url]);
    ask_for_link(&mut program);
    sign_up(&program, &mails.recv_timeout(Duration::from_secs(30)).unwrap());
}

/// A stop waits for a mail that is being sent; otherwise it would be sent twice.
/// proves: operate-stop-mail
#[test]
fn a_stop_waits_for_a_mail_being_sent() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("smtp://{}", listener.local_addr().unwrap());
    let (notify_text, text_received) = channel();
    let serving = std::thread::spawn(move || {
        let (stream, _) = listener.accept().unwrap();
        let reply_to = |step: Step| {
            if step == Step::Text {
                notify_text.send(()).unwrap();
                std::thread::sleep(Duration::from_secs(1));
            }
            Some(step.success_reply())
        };
        serve_session(stream, reply_to).unwrap().unwrap()
    });
    let folder = tempfile::tempdir().unwrap();
    let mut program = Program::start_with(folder.path(), &["--smtp-url", &url]);
    ask_for_link(&mut program);
    text_received.recv_timeout(Duration::from_secs(20)).unwrap();
    program.signal("TERM");
    assert!(program.wait().success());
    assert!(serving.join().unwrap().contains("To: ada@example.org"));
    let count = "select count(*) from jobs";
    let left = open_database(folder.path()).query_row(count, [], |row| row.get::<_, i64>(0));
    assert_eq!(left.unwrap(), 0, "the mail was sent");
}
