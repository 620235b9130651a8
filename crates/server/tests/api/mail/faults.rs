//! What becomes of mails when the mail server is not kind.

use super::office::{Fault, PostOffice};
use crate::harness::{Options, Server, api_of, postgres_url};
use kith::clock::{MINUTE, SECOND};
use kith_db::{Sql, params, sql};
use serde_json::json;
use std::time::Duration;

/// Mails that wait to be tried again, by the number of their tries: a try in hand is a minute away.
const DELAYED: Sql =
    sql!("select count(*) from jobs where attempts = $1 and run_at > $2 and run_at < $3");
const MAILED: Sql = sql!("select count(*) from login_links where mailed_at is not null");

/// A server, and where its mails go.
struct Mail {
    server: Server,
    office: PostOffice,
}

/// Runs each test on both engines, with a mail server of its own.
macro_rules! through_smtp {
    ($($(#[doc = $doc:literal])* async fn $name:ident($mail:ident) $body:block)*) => {$(
        $(#[doc = $doc])*
        async fn $name($mail: Mail) $body

        mod $name {
            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn sqlite() {
                super::$name(super::start(String::new()).await).await;
            }

            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn postgres() {
                super::$name(super::start(super::postgres_url().await).await).await;
            }
        }
    )*};
}

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

/// Waits until the worker has given up its nth try for now, and lets its pause pass.
async fn passes_after_try(server: &Server, n: i64) {
    let now = server.app.now();
    server
        .comes_to(&DELAYED, params![n, now, now + MINUTE - SECOND], 1)
        .await;
    server.pass(MINUTE);
    server.app.mail.notify_one();
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

through_smtp! {
    /// A mail arrives, once.
    async fn a_kind_server_gets_each_mail_once(mail) {
        let Mail { server, office } = mail;
        for (n, name) in ["ada", "bob", "cat"].into_iter().enumerate() {
            ask(&server, name).await;
            let mails = taken(&office, n + 1).await;
            assert!(mails[n].contains(&format!("To: {name}@example.org")));
            log_in(&server, &mails[n]).await;
        }
        server.mail_settles().await;
        assert_eq!((office.tries(), office.taken().len()), (3, 3));
    }

    /// A wrong password is the operator's to put right: no mail is lost over it.
    /// proves: mail-kept
    async fn a_wrong_password_loses_no_mail(mail) {
        let Mail { server, office } = mail;
        office.expect_password("kith", "changed");
        ask(&server, "ada").await;
        passes_after_try(&server, 1).await;
        passes_after_try(&server, 2).await;
        assert_eq!((office.tries(), office.wrong_passwords()), (0, 2));
        office.expect_password("kith", "right");
        server.app.mail.notify_one();
        passes_or_arrives(&server, &office).await;
        log_in(&server, &taken(&office, 1).await[0]).await;
        server.mail_settles().await;
        assert_eq!(office.taken().len(), 1);
    }

    /// A server that wants nobody's mail, or a password that nobody gave, says nothing of this mail.
    /// proves: mail-kept
    async fn what_is_not_about_the_mail_loses_no_mail(mail) {
        let Mail { server, office } = mail;
        office.greet(Some("554 5.7.1 your machine may not send here"));
        ask(&server, "ada").await;
        passes_after_try(&server, 1).await;
        office.greet(None);
        office.next(Fault::Recipient("530 5.7.0 authentication required"));
        office.next(Fault::Recipient("503 5.5.1 not now"));
        passes_or_arrives(&server, &office).await;
        log_in(&server, &taken(&office, 1).await[0]).await;
        server.mail_settles().await;
        assert_eq!((office.tries(), office.taken().len()), (3, 1));
    }

    /// proves: mail-kept
    async fn a_greylisted_mail_is_sent_later_once(mail) {
        let Mail { server, office } = mail;
        office.next(Fault::Recipient("450 4.2.0 greylisted"));
        office.next(Fault::Recipient("451 4.7.1 still greylisted"));
        ask(&server, "ada").await;
        passes_after_try(&server, 1).await;
        passes_after_try(&server, 2).await;
        log_in(&server, &taken(&office, 1).await[0]).await;
        server.mail_settles().await;
        assert_eq!((office.tries(), office.taken().len()), (3, 1));
    }

    /// A mailbox that is not there is not tried again, and keeps no other mail back.
    /// proves: mail-refused
    async fn a_refused_mailbox_keeps_nobody_waiting(mail) {
        let Mail { server, office } = mail;
        office.refuse("nobody@");
        ask(&server, "nobody").await;
        ask(&server, "ada").await;
        log_in(&server, &taken(&office, 1).await[0]).await;
        server.mail_settles().await;
        assert_eq!((office.tries(), office.taken().len()), (2, 1));
        assert_eq!(server.count(&MAILED, &[]).await, 1, "what was refused counts for nothing");
    }

    /// proves: mail-kept
    async fn a_mail_that_was_cut_off_is_sent_again(mail) {
        let Mail { server, office } = mail;
        office.next(Fault::HangUp);
        ask(&server, "ada").await;
        passes_after_try(&server, 1).await;
        log_in(&server, &taken(&office, 1).await[0]).await;
        server.mail_settles().await;
        assert_eq!((office.tries(), office.taken().len()), (2, 1));
    }

    /// Nobody waits for a mail server: calls are answered, and the mail goes when it goes, once.
    async fn a_slow_server_holds_up_nothing_but_mail(mail) {
        let Mail { server, office } = mail;
        office.next(Fault::Hesitate);
        ask(&server, "ada").await;
        for _ in 0..500 {
            if office.tries() == 1 {
                break;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        ask(&server, "bob").await;
        assert_eq!(server.visitor().get("/api/auth/me").await.refusal(401), "unauthorized");
        assert_eq!((office.tries(), office.taken().len()), (1, 0));
        office.release();
        let mails = taken(&office, 2).await;
        server.mail_settles().await;
        for mail in &mails {
            log_in(&server, mail).await;
        }
        assert_eq!(office.tries(), 2);
    }

    /// A link that expired while no mail could leave is never sent; later ones are.
    /// proves: mail-expired
    async fn an_expired_link_is_never_sent(mail) {
        let Mail { server, office } = mail;
        for _ in 0..20 {
            office.next(Fault::Recipient("451 4.3.0 down"));
        }
        ask(&server, "ada").await;
        for n in 1..=3 {
            passes_after_try(&server, n).await;
        }
        server.pass(15 * MINUTE);
        server.app.mail.notify_one();
        server.mail_settles().await;
        let tries = office.tries();
        assert!((3..=4).contains(&tries), "{tries}");
        office.forgive();
        ask(&server, "bob").await;
        let mails = taken(&office, 1).await;
        assert!(mails[0].contains("To: bob@example.org"));
        log_in(&server, &mails[0]).await;
    }
}

/// Lets pauses pass until a mail has arrived.
async fn passes_or_arrives(server: &Server, office: &PostOffice) {
    for _ in 0..500 {
        if !office.taken().is_empty() {
            return;
        }
        // A try in hand keeps others away for a minute of this clock, so it must not leap.
        server.pass(SECOND);
        server.app.mail.notify_one();
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("the mail does not arrive");
}
