//! Quotas of login mail. No response reveals whether a mail was sent.

use crate::harness::{Server, TestResponse, link_in, on_both_engines};
use kith::platform::clock::MINUTE;
use kith_db::{Sql, Tx, params, sql};
use serde_json::json;

const LOGIN: &str = "/api/auth/request-login-link";

async fn request_login_link(server: &Server, email: &str) -> TestResponse {
    let response = server.visitor().post(LOGIN, json!({"email": email})).await;
    server.wait_for_mail_queue().await;
    response
}

/// Returns a response without its random parts.
fn without_random_parts(response: &TestResponse) -> (u16, Vec<String>, Vec<u8>) {
    let mut headers = Vec::new();
    for (name, value) in &response.headers {
        let text = match name.as_str() {
            "x-request-id" => "",
            "set-cookie" => value.to_str().unwrap().split_once(';').unwrap().1,
            _ => value.to_str().unwrap(),
        };
        headers.push(format!("{name}: {text}"));
    }
    (response.status.as_u16(), headers, response.bytes.clone())
}

const DELAY_SENT: Sql =
    sql!("update login_links set mailed_at = mailed_at + 5000 where mailed_at is not null");

/// Moves the send time of all mails five seconds later.
struct DelaySent;

impl kith_db::Write for DelaySent {
    type Out = ();
    type Err = kith_db::Error;

    async fn run(&self, tx: &mut Tx) -> kith_db::Result<()> {
        tx.exec(&DELAY_SENT, params![]).await.map(drop)
    }
}

/// Inserts a mail due on a day that no test reaches.
const INSERT_LATER: Sql = sql!(
    "insert into jobs (part, id, kind, payload, run_at, attempts)
     values ($1, $2, 'login_mail', '0', 9000000000000, 0)"
);

/// Fills the mail queues with jobs that are not due.
struct FillQueues(std::ops::Range<i64>);

impl kith_db::Write for FillQueues {
    type Out = ();
    type Err = kith_db::Error;

    async fn run(&self, tx: &mut Tx) -> kith_db::Result<()> {
        for n in self.0.clone() {
            tx.exec(&INSERT_LATER, params![n % 4, n]).await?;
        }
        Ok(())
    }
}

on_both_engines! {
    /// An unknown email gets an identical response, but no mail.
    /// proves: call-request-login-link, link-same-answer
    async fn known_and_unknown_emails_get_identical_responses(server) {
        server.member("ada").await;
        server.wait_for_mail_queue().await;
        server.advance_clock(61_000);
        let known = request_login_link(&server, "ada@example.org").await;
        let unknown = request_login_link(&server, "eve@example.org").await;
        assert_eq!(known.expect(200)["message"], "If an account exists, we've sent you a magic link.");
        assert_eq!(without_random_parts(&known), without_random_parts(&unknown));
        let mails = server.mails();
        assert_eq!(mails.len(), 1);
        assert!(mails[0].1.contains("To: ada@example.org"));
    }

    /// Sign-up requests get identical responses for members and strangers.
    /// proves: call-request-magic-link, link-same-answer, join-known-address
    async fn sign_up_responses_do_not_reveal_members(server) {
        server.member("ada").await;
        server.wait_for_mail_queue().await;
        server.advance_clock(61_000);
        let mut responses = Vec::new();
        for name in ["ada", "eve"] {
            let body = json!({"email": format!("{name}@example.org"), "inviteCode": server.founder_code()});
            let response = server.visitor().post("/api/auth/request-magic-link", body).await;
            assert_eq!(response.expect(200)["message"], "We sent you a magic link to log in.");
            responses.push(without_random_parts(&response));
        }
        assert_eq!(responses[0], responses[1]);
        server.wait_for_mail_queue().await;
        let subject = |name: &str| {
            let (_, mail) = server.mails().into_iter().find(|(_, mail)| mail.contains(&format!("To: {name}@"))).unwrap();
            mail.lines().find(|line| line.starts_with("Subject:")).unwrap().to_owned()
        };
        assert_eq!(subject("ada"), "Subject: Your link to log in to Kith");
        assert_eq!(subject("eve"), "Subject: Welcome to Kith: your link to join");
    }

    /// An email address gets one mail per minute and five per half hour; the response stays
    /// identical.
    /// proves: link-mail-share
    async fn an_email_has_a_mail_quota(server) {
        server.member("ada").await;
        server.wait_for_mail_queue().await;
        server.advance_clock(31 * 60_000);
        let first = without_random_parts(&request_login_link(&server, "ada@example.org").await);
        server.advance_clock(59_999);
        assert_eq!(without_random_parts(&request_login_link(&server, " ADA@Example.org").await), first);
        assert_eq!(server.mails().len(), 1);
        for n in 2..=8 {
            server.advance_clock(60_001);
            assert_eq!(without_random_parts(&request_login_link(&server, "ada@example.org").await), first);
            assert_eq!(server.mails().len(), n.min(5));
        }
        server.advance_clock(30 * 60_000);
        request_login_link(&server, "ada@example.org").await;
        assert_eq!(server.mails().len(), 6);
    }

    /// A browser learns when its next mail can be sent, computed from its own requests alone, so
    /// that it reveals neither members nor other requests.
    /// proves: link-next-mail
    async fn a_browser_learns_when_the_next_mail_can_be_sent(server) {
        server.member("ada").await;
        server.wait_for_mail_queue().await;
        server.advance_clock(31 * MINUTE);
        let (browser, other) = (server.visitor(), server.visitor());
        for email in ["ada@example.org", "nobody@example.org"] {
            let request = async |browser: &crate::harness::Browser, email: &str| {
                let response = browser.post(LOGIN, json!({"email": email})).await.expect(200);
                server.wait_for_mail_queue().await;
                response["nextMailInSeconds"].as_i64().unwrap()
            };
            assert_eq!(request(&browser, email).await, 60);
            server.advance_clock(20_500);
            assert_eq!(request(&browser, email).await, 40);
            assert_eq!(request(&other, email).await, 60, "a request of another browser");
            assert_eq!(request(&browser, "eve@example.org").await, 60, "another email");
            server.advance_clock(39_499);
            assert_eq!(request(&browser, &email.to_uppercase()).await, 1);
            server.advance_clock(1);
            assert_eq!(request(&browser, email).await, 60);
            server.advance_clock(MINUTE);
        }
    }

    /// A mail sent late does not delay the next one, whose time was announced.
    /// proves: link-next-mail
    async fn a_mail_sent_late_does_not_delay_the_next(server) {
        server.member("ada").await;
        server.wait_for_mail_queue().await;
        server.advance_clock(31 * MINUTE);
        let browser = server.visitor();
        browser.post(LOGIN, json!({"email": "ada@example.org"})).await.expect(200);
        server.wait_for_mail_queue().await;
        server.state.db.write(DelaySent).await.unwrap();
        server.advance_clock(59_999);
        browser.post(LOGIN, json!({"email": "ada@example.org"})).await.expect(200);
        server.wait_for_mail_queue().await;
        assert_eq!(server.mails().len(), 1);
        server.advance_clock(1);
        browser.post(LOGIN, json!({"email": "ada@example.org"})).await.expect(200);
        server.wait_for_mail_queue().await;
        assert_eq!(server.mails().len(), 2);
    }

    /// Endless requests of a stranger cannot lock a member out: the mailbox always holds a recent
    /// link, which logs its owner in from any browser.
    /// proves: link-mail-spare
    async fn a_stranger_cannot_lock_a_member_out(server) {
        server.member("ada").await;
        server.wait_for_mail_queue().await;
        server.advance_clock(31 * MINUTE);
        let mut sent = Vec::new();
        for minute in 0..90 {
            request_login_link(&server, "ada@example.org").await;
            for (path, mail) in server.mails() {
                std::fs::remove_file(path).unwrap();
                sent.push((minute, link_in(&mail)));
            }
            let (newest, _) = sent.last().unwrap();
            assert!(minute - newest <= 10, "nothing usable in minute {minute}: {sent:?}");
            let lately = sent.iter().filter(|(at, _)| *at > minute - 30).count();
            assert!(lately <= 7, "{lately} mails in half an hour");
            server.advance_clock(MINUTE);
        }
        let token = sent.last().unwrap().1.split_once("token=").unwrap().1.to_owned();
        let ada = server.visitor();
        let body = json!({"token": token, "email": "ada@example.org"});
        ada.post("/api/auth/verify", body).await.expect(200);
        assert_eq!(ada.me().await["email"], "ada@example.org");
    }

    /// Links whose invite was revoked do not count towards the mail quota of a new email address.
    /// proves: link-mail-newcomer
    async fn a_revoked_invite_code_does_not_use_up_the_mail_quota(server) {
        let founder = server.founder().await;
        let invite = founder.post("/api/invites", json!({})).await.expect(201);
        let request_link = async |code: &str| {
            server.advance_clock(MINUTE);
            let body = json!({"email": "eve@example.org", "inviteCode": code});
            server.visitor().post("/api/auth/request-magic-link", body).await.expect(200);
            server.wait_for_mail_queue().await;
            server.mails().len()
        };
        let (code, other) = (invite["code"].as_str().unwrap(), server.operator_code().await);
        for n in 1..=5 {
            assert_eq!(request_link(code).await, n);
        }
        assert_eq!(request_link(&other).await, 5, "the fifth link is still valid");
        let path = format!("/api/invites/{}", invite["id"].as_str().unwrap());
        founder.delete(&path).await.expect(204);
        assert_eq!(request_link(&other).await, 6, "no link is valid any more");
        assert_eq!(request_link(&other).await, 6, "the sixth does");
    }

    /// An invite code sends at most 50 mails per day; the response stays identical.
    /// proves: link-code-share, link-code-all
    async fn an_invite_code_has_a_mail_quota(server) {
        server.member("ada").await;
        server.wait_for_mail_queue().await;
        server.advance_clock(MINUTE);
        let code = server.operator_code().await;
        let other = server.operator_code().await;
        let request_link = async |name: &str, code: &str| {
            let body = json!({"email": format!("{name}@example.org"), "inviteCode": code});
            let response = server.visitor().post("/api/auth/request-magic-link", body).await;
            server.wait_for_mail_queue().await;
            without_random_parts(&response)
        };
        let first = request_link("friend", &code).await;
        for n in 1..53 {
            assert_eq!(request_link(&format!("stranger{n}"), &code).await, first);
        }
        assert_eq!(request_link("ada", &code).await, first);
        assert_eq!(server.mails().len(), 50, "a member's email counts as well");
        request_link("friend2", &other).await;
        assert_eq!(server.mails().len(), 51, "another code has its own quota");
        request_login_link(&server, "ada@example.org").await;
        assert_eq!(server.mails().len(), 52, "without a code a member logs in");
        server.advance_clock(24 * 60 * MINUTE);
        request_link("friend3", &code).await;
        assert_eq!(server.mails().len(), 53, "a day later");
    }

    /// When the mail queues are full, all requests fail alike, so that errors do not reveal members.
    /// proves: limit-mails-waiting
    async fn the_mail_queue_has_a_limit(server) {
        server.member("ada").await;
        server.wait_for_mail_queue().await;
        server.advance_clock(61_000);
        // One mail below the limit in each of the four queues.
        server.state.db.write(FillQueues(0..9_996)).await.unwrap();
        let response = server.visitor().post(LOGIN, json!({"email": "kim@example.org"})).await;
        response.expect(200);
        server.state.db.write(FillQueues(9_996..10_000)).await.unwrap();
        for email in ["ada@example.org", "eve@example.org"] {
            let response = server.visitor().post(LOGIN, json!({"email": email})).await;
            assert_eq!(response.error_code(503), "unavailable");
        }
        let code = json!({"email": "eve@example.org", "inviteCode": server.founder_code()});
        let response = server.visitor().post("/api/auth/request-magic-link", code).await;
        assert_eq!(response.error_code(503), "unavailable");
    }
}

/// proves: link-address-form, wire-error-fields
#[tokio::test]
async fn malformed_emails_are_rejected() {
    let server = Server::sqlite().await;
    for (email, status) in [
        ("", 400),
        ("  ", 400),
        ("ada", 422),
        ("a@b", 422),
        ("a@b.co,c@d.co", 422),
        ("a@b.co\r\nBcc: c@d.co", 422),
        ("a@b.co\0", 422),
        ("ä@b.co", 422),
        ("\"a b\"@b.co", 422),
        (&format!("{}@b.co", "a".repeat(65)), 422),
    ] {
        let response = request_login_link(&server, email).await;
        assert_eq!(response.error_code(status), "invalid", "{email}");
        assert!(response.expect(status)["fields"]["email"].is_string());
        assert!(response.header("set-cookie").is_empty());
    }
    assert_eq!(server.mails().len(), 0);
}

/// proves: link-public-address
#[tokio::test]
async fn links_start_with_the_public_url() {
    let server = Server::with(|options| options.public_url = "https://kith.example").await;
    let headers = [
        ("content-type", "application/json"),
        ("host", "evil.example"),
        ("x-forwarded-host", "evil.example"),
    ];
    let body = json!({"email": "ada@example.org", "inviteCode": server.founder_code()});
    server
        .visitor()
        .request("POST", "/api/auth/request-magic-link", &headers, body.to_string())
        .await
        .expect(200);
    let mail = server.mail_to("ada@example.org").await;
    assert!(mail.contains("https://kith.example/auth/verify?token="));
    assert!(!mail.contains("evil.example"));
}
