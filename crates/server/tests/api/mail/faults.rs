//! Retries of mail while the mail server fails.

use super::smtp::{Fault, SmtpServer};
use super::{Mail, log_in, received, request_sign_up, through_smtp, wait_for_attempts};
use crate::harness::Server;
use kith::platform::clock::{MINUTE, SECOND};
use kith_db::{Sql, params, sql};
use std::time::Duration;

/// Counts mails that wait for a retry after `$1` attempts; a mail being sent has its `run_at` a
/// minute ahead.
const DELAYED: Sql =
    sql!("select count(*) from jobs where attempts = $1 and run_at > $2 and run_at < $3");
/// Inserts a mail whose `attempts` is at the column's maximum.
const INSERT_EXHAUSTED: Sql = sql!(
    "insert into jobs (part, id, kind, payload, run_at, attempts) values ($1, 1, 'login_mail', '0', 0, 32767)"
);
const WAITING: Sql = sql!("select count(*) from jobs");
const MAILED: Sql = sql!("select count(*) from login_links where mailed_at is not null");

/// Writes one exhausted mail to the head of each queue.
struct InsertExhausted;

impl kith_db::Write for InsertExhausted {
    type Out = ();
    type Err = kith_db::Error;

    async fn run(&self, tx: &mut kith_db::Tx) -> kith_db::Result<()> {
        for part in 0..12 {
            tx.exec(&INSERT_EXHAUSTED, params![part]).await?;
        }
        Ok(())
    }
}

/// Waits until the worker has given up attempt `n`, then advances the clock past the backoff.
async fn wait_out_backoff(server: &Server, n: i64) {
    let now = server.state.now();
    server.wait_for_count(&DELAYED, params![n, now, now + MINUTE - SECOND], 1).await;
    server.advance_clock(MINUTE);
    server.state.mail.notify_one();
}

through_smtp! {
    /// A mail arrives exactly once.
    /// proves: mail-name
    async fn each_mail_is_delivered_once(mail) {
        let Mail { server, smtp } = mail;
        for (n, name) in ["ada", "bob", "cat"].into_iter().enumerate() {
            request_sign_up(&server, name).await;
            let mails = received(&smtp, n + 1).await;
            assert!(mails[n].contains(&format!("To: {name}@example.org")));
            // The network is reachable from this machine only, and the hostname appears in no mail.
            let id = mails[n].lines().find(|line| line.starts_with("Message-ID: <"));
            assert!(id.unwrap().ends_with("@[127.0.0.1]>"), "{id:?}");
            log_in(&server, &mails[n]).await;
        }
        server.wait_for_mail_queue().await;
        assert_eq!((smtp.attempts(), smtp.received().len()), (3, 3));
        assert_eq!(smtp.ehlo_names(), ["[127.0.0.1]"]);
    }

    /// A mail whose attempt counter is at its maximum blocks no other mail and is processed like
    /// any other.
    /// proves: mail-many-tries
    async fn an_exhausted_mail_blocks_no_other(mail) {
        let Mail { server, smtp } = mail;
        server.state.db.write(InsertExhausted).await.unwrap();
        request_sign_up(&server, "ada").await;
        log_in(&server, &received(&smtp, 1).await[0]).await;
        server.wait_for_count(&WAITING, &[], 0).await;
    }

    /// A wrong SMTP password is an operator's error: no mail is dropped because of it.
    /// proves: mail-kept
    async fn a_wrong_smtp_password_loses_no_mail(mail) {
        let Mail { server, smtp } = mail;
        smtp.expect_password("kith", "changed");
        request_sign_up(&server, "ada").await;
        wait_out_backoff(&server, 1).await;
        wait_out_backoff(&server, 2).await;
        assert_eq!((smtp.attempts(), smtp.wrong_passwords()), (0, 2));
        smtp.expect_password("kith", "right");
        server.state.mail.notify_one();
        advance_until_received(&server, &smtp).await;
        log_in(&server, &received(&smtp, 1).await[0]).await;
        server.wait_for_mail_queue().await;
        assert_eq!(smtp.received().len(), 1);
    }

    /// A rejection of the client or a missing password concerns no single mail, so the mail is
    /// kept.
    /// proves: mail-kept
    async fn an_error_about_the_client_loses_no_mail(mail) {
        let Mail { server, smtp } = mail;
        smtp.greet(Some("554 5.7.1 your machine may not send here"));
        request_sign_up(&server, "ada").await;
        wait_out_backoff(&server, 1).await;
        smtp.greet(None);
        smtp.next(Fault::Recipient("530 5.7.0 authentication required"));
        smtp.next(Fault::Recipient("503 5.5.1 not now"));
        advance_until_received(&server, &smtp).await;
        log_in(&server, &received(&smtp, 1).await[0]).await;
        server.wait_for_mail_queue().await;
        assert_eq!((smtp.attempts(), smtp.received().len()), (3, 1));
    }

    /// proves: mail-kept
    async fn a_greylisted_mail_is_sent_once_later(mail) {
        let Mail { server, smtp } = mail;
        smtp.next(Fault::Recipient("450 4.2.0 greylisted"));
        smtp.next(Fault::Recipient("451 4.7.1 still greylisted"));
        request_sign_up(&server, "ada").await;
        wait_out_backoff(&server, 1).await;
        wait_out_backoff(&server, 2).await;
        log_in(&server, &received(&smtp, 1).await[0]).await;
        server.wait_for_mail_queue().await;
        assert_eq!((smtp.attempts(), smtp.received().len()), (3, 1));
    }

    /// A rejected mailbox is not retried and delays no other mail.
    /// proves: mail-rejected
    async fn a_rejected_mailbox_delays_no_other_mail(mail) {
        let Mail { server, smtp } = mail;
        smtp.reject_mailbox("unknown@");
        request_sign_up(&server, "unknown").await;
        request_sign_up(&server, "ada").await;
        log_in(&server, &received(&smtp, 1).await[0]).await;
        server.wait_for_mail_queue().await;
        assert_eq!((smtp.attempts(), smtp.received().len()), (2, 1));
        assert_eq!(server.count(&MAILED, &[]).await, 1, "a rejected mail does not count");
    }

    /// proves: mail-kept
    async fn an_interrupted_mail_is_retried(mail) {
        let Mail { server, smtp } = mail;
        smtp.next(Fault::Disconnect);
        request_sign_up(&server, "ada").await;
        wait_out_backoff(&server, 1).await;
        log_in(&server, &received(&smtp, 1).await[0]).await;
        server.wait_for_mail_queue().await;
        assert_eq!((smtp.attempts(), smtp.received().len()), (2, 1));
    }

    /// A stalled mail server delays neither requests nor other mails; the stalled mail is sent
    /// once.
    /// proves: mail-stalled
    async fn a_stalled_mail_delays_nothing_else(mail) {
        let Mail { server, smtp } = mail;
        smtp.next(Fault::Stall);
        request_sign_up(&server, "ada").await;
        wait_for_attempts(&smtp, 1).await;
        assert_eq!(server.visitor().get("/api/auth/me").await.error_code(401), "unauthorized");
        for (n, name) in ["bob", "cat", "dan"].into_iter().enumerate() {
            request_sign_up(&server, name).await;
            let mails = received(&smtp, n + 1).await;
            assert!(mails[n].contains(&format!("To: {name}@example.org")));
        }
        smtp.resume();
        for mail in &received(&smtp, 4).await {
            log_in(&server, mail).await;
        }
        server.wait_for_mail_queue().await;
        assert_eq!(smtp.attempts(), 4);
    }

    /// While a mail to an email address is being sent, the quota of that address is unknown: other
    /// mails to it wait, but mails to other addresses are sent.
    /// proves: link-mail-share
    async fn concurrent_requests_for_one_email_send_one_mail(mail) {
        let Mail { server, smtp } = mail;
        smtp.next(Fault::Stall);
        request_sign_up(&server, "ada").await;
        wait_for_attempts(&smtp, 1).await;
        // More than the worker reads in one batch.
        for _ in 0..120 {
            request_sign_up(&server, "ada").await;
        }
        request_sign_up(&server, "bob").await;
        assert!(received(&smtp, 1).await[0].contains("To: bob@example.org"));
        smtp.resume();
        assert!(received(&smtp, 2).await[1].contains("To: ada@example.org"));
        server.wait_for_mail_queue().await;
        assert_eq!((smtp.attempts(), smtp.received().len()), (2, 2));
    }

    /// proves: mail-no-quit
    async fn an_accepted_mail_needs_no_quit_response(mail) {
        let Mail { server, smtp } = mail;
        smtp.next(Fault::NoQuitReply);
        request_sign_up(&server, "ada").await;
        log_in(&server, &received(&smtp, 1).await[0]).await;
        server.wait_for_mail_queue().await;
        assert_eq!((smtp.attempts(), smtp.received().len()), (1, 1));
        assert_eq!(server.count(&MAILED, &[]).await, 1);
        smtp.resume();
    }

    /// A link that expired while the mail server was down is never sent; later links are.
    /// proves: mail-expired
    async fn an_expired_link_is_never_sent(mail) {
        let Mail { server, smtp } = mail;
        for _ in 0..20 {
            smtp.next(Fault::Recipient("451 4.3.0 down"));
        }
        request_sign_up(&server, "ada").await;
        for n in 1..=3 {
            wait_out_backoff(&server, n).await;
        }
        server.advance_clock(15 * MINUTE);
        server.state.mail.notify_one();
        server.wait_for_mail_queue().await;
        let attempts = smtp.attempts();
        assert!((3..=4).contains(&attempts), "{attempts}");
        smtp.clear_faults();
        request_sign_up(&server, "bob").await;
        let mails = received(&smtp, 1).await;
        assert!(mails[0].contains("To: bob@example.org"));
        log_in(&server, &mails[0]).await;
    }
}

/// Advances the clock past backoffs until a mail has arrived.
async fn advance_until_received(server: &Server, smtp: &SmtpServer) {
    for _ in 0..500 {
        if !smtp.received().is_empty() {
            return;
        }
        // A mail being sent is leased for a minute of this clock, so the clock must not jump.
        server.advance_clock(SECOND);
        server.state.mail.notify_one();
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("the mail did not arrive");
}
