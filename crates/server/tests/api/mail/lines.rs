//! Priorities of the mail queues.

use super::smtp::Fault;
use super::{Mail, log_in, received, request_sign_up, through_smtp, wait_for_attempts};
use crate::harness::{Server, id_of, on_both_engines};
use kith::features::auth::Email;
use kith::features::digest;
use kith::features::moderation::{Actor, AdmitPeople};
use kith::platform::clock::{DAY, MINUTE};
use kith::platform::jobs::{Job, enqueue};
use kith_db::{Sql, Tx, params, sql};
use serde_json::json;

const WAITING: Sql = sql!("select count(*) from jobs");
const LATER: Sql = sql!("select count(*) from jobs where run_at > $1");

/// Admits `count` people from the waitlist in one write, as the operator's command does.
async fn admit(server: &Server, count: usize) {
    let mut emails = Vec::new();
    for n in 0..count {
        let email = format!("w{n}@example.org");
        let visitor = server.visitor();
        visitor.post("/api/waitlist", json!({"email": email})).await.expect(200);
        emails.push(Email::parse(&email).unwrap());
    }
    let admit = AdmitPeople::new(&server.state, Actor::Operator, emails);
    server.state.db.write(admit).await.unwrap();
    server.state.mail.notify_one();
}

/// Enqueues more invite mails than the limit for other mails, due on a day that the test does not
/// reach.
struct ManyInvites(Vec<Job>);

impl kith_db::Write for ManyInvites {
    type Out = ();
    type Err = kith_db::Error;

    async fn run(&self, tx: &mut Tx) -> kith_db::Result<()> {
        for job in &self.0 {
            enqueue(tx, job).await?;
        }
        Ok(())
    }
}

through_smtp! {
    /// After a thousand admissions and a stalled mail server, a requested login mail is sent before
    /// the remaining invites.
    /// proves: mail-asked-first
    async fn a_login_mail_is_sent_before_invites(mail) {
        let Mail { server, smtp } = mail;
        smtp.next(Fault::Stall);
        admit(&server, 1_000).await;
        wait_for_attempts(&smtp, 1).await;
        for (n, name) in ["ada", "bob", "cat"].into_iter().enumerate() {
            request_sign_up(&server, name).await;
            log_in(&server, &received(&smtp, n + 1).await[n]).await;
        }
        server.wait_for_count(&WAITING, &[], 1_000).await;
        smtp.resume();
        while smtp.received().len() < 6 {
            tokio::task::yield_now().await;
        }
        assert!(smtp.received()[3..].iter().all(|mail| mail.contains("To: w")));
    }

    /// While the mail server stalls on a digest, login mails and invites are sent, and the other
    /// digests wait for them.
    /// proves: digest-last
    async fn a_digest_delays_no_other_mail(mail) {
        let Mail { server, smtp } = mail;
        let founder = server.founder().await;
        for (n, name) in ["ada", "bob", "cat"].into_iter().enumerate() {
            request_sign_up(&server, name).await;
            log_in(&server, &received(&smtp, n + 1).await[n]).await;
        }
        for member in founder.get("/api/users/suggested").await.expect(200).as_array().unwrap() {
            founder.post("/api/follows", json!({"followingId": member["id"]})).await.expect(200);
        }
        server.wait_for_mail_queue().await;
        server.advance_clock(8 * DAY);
        smtp.next(Fault::Stall);
        digest::enqueue_due(&server.state).await.unwrap();
        wait_for_attempts(&smtp, 4).await;
        request_sign_up(&server, "eve").await;
        log_in(&server, &received(&smtp, 4).await[3]).await;
        admit(&server, 3).await;
        let mails = received(&smtp, 7).await;
        assert!(mails[4..].iter().all(|mail| mail.contains("To: w")));
        server.wait_for_count(&WAITING, &[], 3).await;
        smtp.resume();
        server.wait_for_mail_queue().await;
        let mails = received(&smtp, 10).await;
        assert!(mails[7..].iter().all(|mail| mail.contains("List-Unsubscribe: <")));
    }

    /// Duplicate requests for an unknown email and a member's email are coalesced, so a new
    /// member's mail does not wait behind each of them.
    /// proves: mail-same
    async fn duplicate_requests_for_one_email_delay_no_other(mail) {
        let Mail { server, smtp } = mail;
        request_sign_up(&server, "ada").await;
        log_in(&server, &received(&smtp, 1).await[0]).await;
        server.advance_clock(MINUTE);
        for name in ["bob", "cat", "dan"] {
            smtp.next(Fault::Stall);
            request_sign_up(&server, name).await;
        }
        wait_for_attempts(&smtp, 4).await;
        for n in 0..400 {
            let name = if n % 2 == 0 { "unknown" } else { "ada" };
            let body = json!({"email": format!("{name}@example.org")});
            server.visitor().post("/api/auth/request-login-link", body).await.expect(200);
        }
        request_sign_up(&server, "eve").await;
        smtp.resume();
        let mut mails = received(&smtp, 6).await.split_off(4);
        mails.sort_by_key(|mail| mail.contains("To: eve@example.org"));
        assert!(mails[0].contains("To: ada@example.org"), "coalesced");
        assert!(mails[1].contains("To: eve@example.org"));
        server.wait_for_count(&WAITING, &[], 0).await;
        assert_eq!(smtp.received().len(), 6);
    }

    /// When a mailbox rejects for now, duplicate requests for it are postponed together instead of
    /// being tried one by one.
    /// proves: mail-same
    async fn duplicate_requests_are_postponed_together(mail) {
        let Mail { server, smtp } = mail;
        request_sign_up(&server, "ada").await;
        log_in(&server, &received(&smtp, 1).await[0]).await;
        server.advance_clock(MINUTE);
        for (n, name) in ["bob", "cat", "dan"].into_iter().enumerate() {
            smtp.next(Fault::Stall);
            request_sign_up(&server, name).await;
            wait_for_attempts(&smtp, n + 2).await;
        }
        for _ in 0..9 {
            smtp.next(Fault::Recipient("452 the mailbox is full"));
            let body = json!({"email": "ada@example.org"});
            server.visitor().post("/api/auth/request-login-link", body).await.expect(200);
        }
        smtp.resume();
        let now = server.state.now();
        server.wait_for_count(&LATER, params![now], 9).await;
        // One of the nine, and at most one more that the worker had not read when the first failed.
        assert!((5..=6).contains(&smtp.attempts()), "{} tries", smtp.attempts());
        smtp.clear_faults();
        server.advance_clock(MINUTE);
        server.state.mail.notify_one();
        server.wait_for_count(&WAITING, &[], 0).await;
        assert_eq!(smtp.received().len(), 5);
    }

    /// Requests for many emails with one invite code wait for each other, but delay no other
    /// request.
    /// proves: mail-same
    async fn requests_with_one_code_delay_no_other(mail) {
        let Mail { server, smtp } = mail;
        let invite = server.founder().await.post_empty("/api/invites").await.expect(201);
        smtp.next(Fault::Stall);
        for n in 0..200 {
            let body = json!({"email": format!("w{n}@example.org"), "inviteCode": invite["code"]});
            server.visitor().post("/api/auth/request-magic-link", body).await.expect(200);
        }
        wait_for_attempts(&smtp, 1).await;
        request_sign_up(&server, "eve").await;
        let mails = received(&smtp, 1).await;
        assert!(mails[0].contains("To: eve@example.org"));
        assert_eq!(smtp.attempts(), 2, "the others still wait");
        smtp.resume();
        // An invite code has a quota of fifty mails; the remaining requests are dropped.
        received(&smtp, 51).await;
        server.wait_for_count(&WAITING, &[], 0).await;
        assert_eq!(smtp.received().len(), 51);
    }

    /// A request with an invite code is not coalesced with one without.
    /// proves: mail-same
    async fn requests_with_and_without_a_code_are_not_coalesced(mail) {
        let Mail { server, smtp } = mail;
        smtp.next(Fault::Stall);
        request_sign_up(&server, "ada").await;
        wait_for_attempts(&smtp, 1).await;
        let login_request = json!({"email": "eve@example.org"});
        for _ in 0..3 {
            server.visitor().post("/api/auth/request-login-link", login_request.clone()).await.expect(200);
        }
        request_sign_up(&server, "eve").await;
        server.visitor().post("/api/auth/request-login-link", login_request).await.expect(200);
        smtp.resume();
        let mails = received(&smtp, 2).await;
        assert!(mails.iter().any(|mail| mail.contains("To: eve@example.org")));
        server.wait_for_count(&WAITING, &[], 0).await;
    }

    /// A revoked invite code sends no mail, not even to a member.
    /// proves: link-code-all
    async fn a_revoked_code_mails_no_member(mail) {
        let Mail { server, smtp } = mail;
        request_sign_up(&server, "ada").await;
        log_in(&server, &received(&smtp, 1).await[0]).await;
        server.advance_clock(MINUTE);
        let founder = server.founder().await;
        let invite = founder.post_empty("/api/invites").await.expect(201);
        let request_sign_up = async |name: &str| {
            let body = json!({"email": format!("{name}@example.org"), "inviteCode": invite["code"]});
            let visitor = server.visitor();
            visitor.post("/api/auth/request-magic-link", body).await.expect(200);
        };
        smtp.next(Fault::Stall);
        request_sign_up("eve").await;
        wait_for_attempts(&smtp, 2).await;
        request_sign_up("ada").await;
        founder.delete(&format!("/api/invites/{}", id_of(&invite))).await.expect(204);
        smtp.resume();
        server.wait_for_count(&WAITING, &[], 0).await;
        assert_eq!(smtp.received().len(), 2, "the second is the stranger's");
    }
}

on_both_engines! {
    /// Invite mails do not count towards the limit of waiting login mails.
    /// proves: mail-asked-first
    async fn invites_do_not_count_towards_the_login_mail_limit(server) {
        let email = Email::parse("eve@example.org").unwrap();
        let later = server.state.now() + DAY;
        let job = |_| Job::invite_mail(server.state.id(), email.as_str(), "ABCDEFGHJKMN", later);
        let many = ManyInvites((0..10_001).map(job).collect());
        server.state.db.write(many).await.unwrap();
        let ada = server.member("ada").await;
        assert_eq!(ada.me().await["email"], "ada@example.org");
        server.wait_for_count(&WAITING, &[], 10_001).await;
    }

    /// Concurrent sends do not exceed the mail quota of an invite code.
    /// proves: link-code-share
    async fn concurrent_requests_do_not_exceed_a_codes_mail_quota(server) {
        let code = server.operator_code().await;
        let request_sign_up = async |n: usize| {
            let body = json!({"email": format!("s{n}@example.org"), "inviteCode": code});
            let visitor = server.visitor();
            visitor.post("/api/auth/request-magic-link", body).await.expect(200);
        };
        futures_util::future::join_all((0..60).map(request_sign_up)).await;
        server.wait_for_mail_queue().await;
        assert_eq!(server.mails().len(), 50);
    }
}
