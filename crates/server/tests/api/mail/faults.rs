//! What becomes of mails when the mail server is not kind.

use super::office::{Fault, PostOffice};
use super::{Mail, ask, log_in, taken, through_smtp, tried};
use crate::harness::Server;
use kith::platform::clock::{MINUTE, SECOND};
use kith_db::{Sql, params, sql};
use std::time::Duration;

/// Mails that wait to be tried again, by the number of their tries: a try in hand is a minute away.
const DELAYED: Sql =
    sql!("select count(*) from jobs where attempts = $1 and run_at > $2 and run_at < $3");
/// A mail that was tried as often as the column can count.
const WORN: Sql = sql!(
    "insert into jobs (part, id, kind, payload, run_at, attempts) values ($1, 1, 'login_mail', '0', 0, 32767)"
);
const WAITING: Sql = sql!("select count(*) from jobs");
const MAILED: Sql = sql!("select count(*) from login_links where mailed_at is not null");

/// One such mail at the head of each queue.
struct Wear;

impl kith_db::Write for Wear {
    type Out = ();
    type Err = kith_db::Error;

    async fn run(&self, tx: &mut kith_db::Tx) -> kith_db::Result<()> {
        for part in 0..8 {
            tx.exec(&WORN, params![part]).await?;
        }
        Ok(())
    }
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

through_smtp! {
    /// A mail arrives, once.
    /// proves: mail-name
    async fn a_kind_server_gets_each_mail_once(mail) {
        let Mail { server, office } = mail;
        for (n, name) in ["ada", "bob", "cat"].into_iter().enumerate() {
            ask(&server, name).await;
            let mails = taken(&office, n + 1).await;
            assert!(mails[n].contains(&format!("To: {name}@example.org")));
            // Of a network that only this machine reaches; the machine's own name is in none.
            let id = mails[n].lines().find(|line| line.starts_with("Message-ID: <"));
            assert!(id.unwrap().ends_with("@[127.0.0.1]>"), "{id:?}");
            log_in(&server, &mails[n]).await;
        }
        server.mail_settles().await;
        assert_eq!((office.tries(), office.taken().len()), (3, 3));
        assert_eq!(office.greeted(), ["[127.0.0.1]"]);
    }

    /// One that was tried more often than can be counted stops nothing, and is looked at like any other.
    /// proves: mail-worn
    async fn a_mail_tried_without_end_stops_no_other(mail) {
        let Mail { server, office } = mail;
        server.app.db.write(Wear).await.unwrap();
        ask(&server, "ada").await;
        log_in(&server, &taken(&office, 1).await[0]).await;
        server.comes_to(&WAITING, &[], 0).await;
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

    /// Nobody waits for a mail server: calls are answered, other mails go past the one over which it
    /// stalls, and that one goes when it goes, once.
    /// proves: mail-stalled
    async fn a_stalled_mail_holds_up_nothing_else(mail) {
        let Mail { server, office } = mail;
        office.next(Fault::Hesitate);
        ask(&server, "ada").await;
        tried(&office, 1).await;
        assert_eq!(server.visitor().get("/api/auth/me").await.refusal(401), "unauthorized");
        for (n, name) in ["bob", "cat", "dan"].into_iter().enumerate() {
            ask(&server, name).await;
            let mails = taken(&office, n + 1).await;
            assert!(mails[n].contains(&format!("To: {name}@example.org")));
        }
        office.release();
        for mail in &taken(&office, 4).await {
            log_in(&server, mail).await;
        }
        server.mail_settles().await;
        assert_eq!(office.tries(), 4);
    }

    /// While a mail to an address is on its way, nobody knows yet whether it counts: others to it wait
    /// for that, and however many they are, a mail to somebody else passes them.
    /// proves: link-mail-share
    async fn an_address_gets_one_of_two_mails_at_once(mail) {
        let Mail { server, office } = mail;
        office.next(Fault::Hesitate);
        ask(&server, "ada").await;
        tried(&office, 1).await;
        // More than are looked at together.
        for _ in 0..120 {
            ask(&server, "ada").await;
        }
        ask(&server, "bob").await;
        assert!(taken(&office, 1).await[0].contains("To: bob@example.org"));
        office.release();
        assert!(taken(&office, 2).await[1].contains("To: ada@example.org"));
        server.mail_settles().await;
        assert_eq!((office.tries(), office.taken().len()), (2, 2));
    }

    /// proves: mail-farewell
    async fn a_mail_that_was_taken_needs_no_goodbye(mail) {
        let Mail { server, office } = mail;
        office.next(Fault::FallSilent);
        ask(&server, "ada").await;
        log_in(&server, &taken(&office, 1).await[0]).await;
        server.mail_settles().await;
        assert_eq!((office.tries(), office.taken().len()), (1, 1));
        assert_eq!(server.count(&MAILED, &[]).await, 1);
        office.release();
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
