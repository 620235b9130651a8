//! Mail delivery through an SMTP server that injects faults.

mod digests;
mod encrypted;
mod endless;
mod faults;
mod injected;
mod lines;
mod looks;
mod smtp;

use crate::harness::{Options, Server, api_path_of};
use serde_json::json;
use smtp::SmtpServer;
use std::time::Duration;

/// A Kith server and the SMTP server that receives its mails.
struct Mail {
    server: Server,
    smtp: SmtpServer,
}

/// Runs each test on both engines, each with its own SMTP server.
macro_rules! through_smtp {
    ($($(#[doc = $doc:literal])* async fn $name:ident($mail:ident) $body:block)*) => {$(
        $(#[doc = $doc])*
        async fn $name($mail: crate::mail::Mail) $body

        mod $name {
            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn sqlite() {
                super::$name(crate::mail::start(String::new()).await).await;
            }

            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn postgres() {
                super::$name(crate::mail::start(crate::harness::postgres_url().await).await).await;
            }
        }
    )*};
}

pub(super) use through_smtp;

async fn start(database_url: String) -> Mail {
    let smtp = SmtpServer::open();
    let options = Options {
        smtp_url: format!("smtp://kith:right@127.0.0.1:{}", smtp.port()),
        ..Options::on(database_url)
    };
    Mail { server: Server::start(options).await, smtp }
}

async fn request_sign_up(server: &Server, name: &str) {
    let code = server.operator_code().await;
    let body = json!({"email": format!("{name}@example.org"), "inviteCode": code});
    let response = server.visitor().post("/api/auth/request-magic-link", body).await;
    response.expect(200);
}

/// Waits until exactly `count` mails have been received.
async fn received(smtp: &SmtpServer, count: usize) -> Vec<String> {
    for _ in 0..6_000 {
        let mails = smtp.received();
        if mails.len() >= count {
            assert_eq!(mails.len(), count);
            return mails;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("fewer than {count} mails");
}

/// Logs in by the link in a mail.
async fn log_in(server: &Server, mail: &str) {
    let link = mail.lines().find(|line| line.contains("/auth/verify?"));
    server.visitor().get(&api_path_of(link.unwrap())).await.expect(200);
}

/// Waits until at least `count` delivery attempts were made.
async fn wait_for_attempts(smtp: &SmtpServer, count: usize) {
    for _ in 0..1_000 {
        if smtp.attempts() >= count {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("fewer than {count} attempts");
}
