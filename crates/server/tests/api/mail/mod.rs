//! Mail through a server that is not always kind.

mod encrypted;
mod endless;
mod faults;
mod injected;
mod lines;
mod looks;
mod office;

use crate::harness::{Options, Server, api_of};
use office::PostOffice;
use serde_json::json;
use std::time::Duration;

/// A server, and where its mails go.
struct Mail {
    server: Server,
    office: PostOffice,
}

/// Runs each test on both engines, with a mail server of its own.
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
    let office = PostOffice::open();
    let options = Options {
        smtp_url: format!("smtp://kith:right@127.0.0.1:{}", office.port()),
        ..Options::on(database_url)
    };
    Mail {
        server: Server::start(options).await,
        office,
    }
}

async fn ask(server: &Server, name: &str) {
    let code = server.operator_code().await;
    let body = json!({"email": format!("{name}@example.org"), "inviteCode": code});
    let answer = server
        .visitor()
        .post("/api/auth/request-magic-link", body)
        .await;
    answer.expect(200);
}

/// Waits for so many mails.
async fn taken(office: &PostOffice, count: usize) -> Vec<String> {
    for _ in 0..1_000 {
        let mails = office.taken();
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
    server
        .visitor()
        .get(&api_of(link.unwrap()))
        .await
        .expect(200);
}

/// Waits until a recipient was named so often.
async fn tried(office: &PostOffice, count: usize) {
    for _ in 0..1_000 {
        if office.tries() >= count {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("fewer than {count} tries");
}
