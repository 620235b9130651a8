//! Which wishes become a mail. No answer tells whether one did.

use crate::harness::{Answer, Server, link_in, on_both_engines};
use kith::platform::clock::MINUTE;
use kith_db::{Sql, Tx, params, sql};
use serde_json::json;

const LOGIN: &str = "/api/auth/request-login-link";

async fn wish(server: &Server, email: &str) -> Answer {
    let answer = server.visitor().post(LOGIN, json!({"email": email})).await;
    server.mail_settles().await;
    answer
}

/// An answer without what is random in every answer.
fn shape(answer: &Answer) -> (u16, Vec<String>, Vec<u8>) {
    let mut headers = Vec::new();
    for (name, value) in &answer.headers {
        let text = match name.as_str() {
            "x-request-id" => "",
            "set-cookie" => value.to_str().unwrap().split_once(';').unwrap().1,
            _ => value.to_str().unwrap(),
        };
        headers.push(format!("{name}: {text}"));
    }
    (answer.status.as_u16(), headers, answer.bytes.clone())
}

const SLOW: Sql =
    sql!("update login_links set mailed_at = mailed_at + 5000 where mailed_at is not null");

/// Has all mails leave five seconds later than they did.
struct Slow;

impl kith_db::Write for Slow {
    type Out = ();
    type Err = kith_db::Error;

    async fn run(&self, tx: &mut Tx) -> kith_db::Result<()> {
        tx.exec(&SLOW, params![]).await.map(drop)
    }
}

/// A mail that waits for a day that is far away.
const WAITS: Sql = sql!(
    "insert into jobs (part, id, kind, payload, run_at, attempts)
     values ($1, $2, 'login_mail', '0', 9000000000000, 0)"
);

/// So many mails that wait.
struct Fill(std::ops::Range<i64>);

impl kith_db::Write for Fill {
    type Out = ();
    type Err = kith_db::Error;

    async fn run(&self, tx: &mut Tx) -> kith_db::Result<()> {
        for n in self.0.clone() {
            tx.exec(&WAITS, params![n % 4, n]).await?;
        }
        Ok(())
    }
}

on_both_engines! {
    /// A stranger gets the same answer and no mail.
    /// proves: call-request-login-link, link-same-answer
    async fn known_and_unknown_addresses_get_the_same_answer(server) {
        server.member("ada").await;
        server.mail_settles().await;
        server.pass(61_000);
        let known = wish(&server, "ada@example.org").await;
        let unknown = wish(&server, "eve@example.org").await;
        assert_eq!(known.expect(200)["message"], "If an account exists, we've sent you a magic link.");
        assert_eq!(shape(&known), shape(&unknown));
        let mails = server.mails();
        assert_eq!(mails.len(), 1);
        assert!(mails[0].1.contains("To: ada@example.org"));
    }

    /// With a code the same holds: members and strangers are told the same.
    /// proves: call-request-magic-link, link-same-answer, join-known-address
    async fn sign_up_answers_tell_nothing(server) {
        server.member("ada").await;
        server.mail_settles().await;
        server.pass(61_000);
        let mut answers = Vec::new();
        for name in ["ada", "eve"] {
            let body = json!({"email": format!("{name}@example.org"), "inviteCode": server.founder_code()});
            let answer = server.visitor().post("/api/auth/request-magic-link", body).await;
            assert_eq!(answer.expect(200)["message"], "We sent you a magic link to log in.");
            answers.push(shape(&answer));
        }
        assert_eq!(answers[0], answers[1]);
        server.mail_settles().await;
        let subject = |name: &str| {
            let (_, mail) = server.mails().into_iter().find(|(_, mail)| mail.contains(&format!("To: {name}@"))).unwrap();
            mail.lines().find(|line| line.starts_with("Subject:")).unwrap().to_owned()
        };
        assert_eq!(subject("ada"), "Subject: Your link to log in to Kith");
        assert_eq!(subject("eve"), "Subject: Welcome to Kith: your link to join");
    }

    /// One mail a minute to one address, five in half an hour; the answer stays the same.
    /// proves: link-mail-share
    async fn an_address_gets_a_few_mails_only(server) {
        server.member("ada").await;
        server.mail_settles().await;
        server.pass(31 * 60_000);
        let first = shape(&wish(&server, "ada@example.org").await);
        server.pass(59_999);
        assert_eq!(shape(&wish(&server, " ADA@Example.org").await), first);
        assert_eq!(server.mails().len(), 1);
        for n in 2..=8 {
            server.pass(60_001);
            assert_eq!(shape(&wish(&server, "ada@example.org").await), first);
            assert_eq!(server.mails().len(), n.min(5));
        }
        server.pass(30 * 60_000);
        wish(&server, "ada@example.org").await;
        assert_eq!(server.mails().len(), 6);
    }

    /// Asked again within a minute, the browser learns when it can have the next mail: by its own requests alone, so
    /// that no answer tells of members or of others' requests.
    /// proves: link-next-mail
    async fn a_browser_learns_when_the_next_mail_can_go(server) {
        server.member("ada").await;
        server.mail_settles().await;
        server.pass(31 * MINUTE);
        let (browser, other) = (server.visitor(), server.visitor());
        for email in ["ada@example.org", "nobody@example.org"] {
            let asks = async |browser: &crate::harness::Browser, email: &str| {
                let answer = browser.post(LOGIN, json!({"email": email})).await.expect(200);
                server.mail_settles().await;
                answer["nextMailInSeconds"].as_i64().unwrap()
            };
            assert_eq!(asks(&browser, email).await, 60);
            server.pass(20_500);
            assert_eq!(asks(&browser, email).await, 40);
            assert_eq!(asks(&other, email).await, 60, "a request of another browser");
            assert_eq!(asks(&browser, "eve@example.org").await, 60, "another email");
            server.pass(39_499);
            assert_eq!(asks(&browser, &email.to_uppercase()).await, 1);
            server.pass(1);
            assert_eq!(asks(&browser, email).await, 60);
            server.pass(MINUTE);
        }
    }

    /// A mail that took its time to leave does not keep the next one away that was promised.
    /// proves: link-next-mail
    async fn a_slow_mail_does_not_keep_the_next_one_away(server) {
        server.member("ada").await;
        server.mail_settles().await;
        server.pass(31 * MINUTE);
        let browser = server.visitor();
        browser.post(LOGIN, json!({"email": "ada@example.org"})).await.expect(200);
        server.mail_settles().await;
        server.app.db.write(Slow).await.unwrap();
        server.pass(59_999);
        browser.post(LOGIN, json!({"email": "ada@example.org"})).await.expect(200);
        server.mail_settles().await;
        assert_eq!(server.mails().len(), 1);
        server.pass(1);
        browser.post(LOGIN, json!({"email": "ada@example.org"})).await.expect(200);
        server.mail_settles().await;
        assert_eq!(server.mails().len(), 2);
    }

    /// A stranger who asks without end keeps nobody out: at any time the mailbox holds a link that
    /// lasts, and whoever asked for it, it lets the owner of the mailbox in from another browser.
    /// proves: link-mail-spare
    async fn a_stranger_cannot_lock_a_member_out(server) {
        server.member("ada").await;
        server.mail_settles().await;
        server.pass(31 * MINUTE);
        let mut sent = Vec::new();
        for minute in 0..90 {
            wish(&server, "ada@example.org").await;
            for (path, mail) in server.mails() {
                std::fs::remove_file(path).unwrap();
                sent.push((minute, link_in(&mail)));
            }
            let (newest, _) = sent.last().unwrap();
            assert!(minute - newest <= 10, "nothing usable in minute {minute}: {sent:?}");
            let lately = sent.iter().filter(|(at, _)| *at > minute - 30).count();
            assert!(lately <= 7, "{lately} mails in half an hour");
            server.pass(MINUTE);
        }
        let token = sent.last().unwrap().1.split_once("token=").unwrap().1.to_owned();
        let ada = server.visitor();
        let body = json!({"token": token, "email": "ada@example.org"});
        ada.post("/api/auth/verify", body).await.expect(200);
        assert_eq!(ada.me().await["email"], "ada@example.org");
    }

    /// Links whose invite was revoked let no newcomer in, so they keep no mail with another code away.
    /// proves: link-mail-newcomer
    async fn a_revoked_code_keeps_no_mail_from_a_newcomer(server) {
        let founder = server.founder().await;
        let invite = founder.post("/api/invites", json!({})).await.expect(201);
        let ask = async |code: &str| {
            server.pass(MINUTE);
            let body = json!({"email": "eve@example.org", "inviteCode": code});
            server.visitor().post("/api/auth/request-magic-link", body).await.expect(200);
            server.mail_settles().await;
            server.mails().len()
        };
        let (code, other) = (invite["code"].as_str().unwrap(), server.operator_code().await);
        for n in 1..=5 {
            assert_eq!(ask(code).await, n);
        }
        assert_eq!(ask(&other).await, 5, "the fifth link still lets in");
        let path = format!("/api/invites/{}", invite["id"].as_str().unwrap());
        founder.delete(&path).await.expect(204);
        assert_eq!(ask(&other).await, 6, "no link lets in any more");
        assert_eq!(ask(&other).await, 6, "the sixth does");
    }

    /// One code is for one friend: it mails 50 times a day at most, and the answer stays the same.
    /// proves: link-code-share, link-code-all
    async fn a_code_mails_a_few_strangers_only(server) {
        server.member("ada").await;
        server.mail_settles().await;
        server.pass(MINUTE);
        let code = server.operator_code().await;
        let other = server.operator_code().await;
        let ask = async |name: &str, code: &str| {
            let body = json!({"email": format!("{name}@example.org"), "inviteCode": code});
            let answer = server.visitor().post("/api/auth/request-magic-link", body).await;
            server.mail_settles().await;
            shape(&answer)
        };
        let first = ask("friend", &code).await;
        for n in 1..53 {
            assert_eq!(ask(&format!("stranger{n}"), &code).await, first);
        }
        assert_eq!(ask("ada", &code).await, first);
        assert_eq!(server.mails().len(), 50, "a member's address makes no difference");
        ask("friend2", &other).await;
        assert_eq!(server.mails().len(), 51, "another code has its own");
        wish(&server, "ada@example.org").await;
        assert_eq!(server.mails().len(), 52, "without a code a member logs in");
        server.pass(24 * 60 * MINUTE);
        ask("friend3", &code).await;
        assert_eq!(server.mails().len(), 53, "a day later");
    }

    /// While no mail can leave, no more than so many wait; nobody learns from it who is a member.
    /// proves: limit-mails-waiting
    async fn so_many_mails_wait_and_no_more(server) {
        server.member("ada").await;
        server.mail_settles().await;
        server.pass(61_000);
        // One fewer than may wait in each of the four queues.
        server.app.db.write(Fill(0..9_996)).await.unwrap();
        let answer = server.visitor().post(LOGIN, json!({"email": "kim@example.org"})).await;
        answer.expect(200);
        server.app.db.write(Fill(9_996..10_000)).await.unwrap();
        for email in ["ada@example.org", "eve@example.org"] {
            let answer = server.visitor().post(LOGIN, json!({"email": email})).await;
            assert_eq!(answer.refusal(503), "unavailable");
        }
        let code = json!({"email": "eve@example.org", "inviteCode": server.founder_code()});
        let answer = server.visitor().post("/api/auth/request-magic-link", code).await;
        assert_eq!(answer.refusal(503), "unavailable");
    }
}

/// proves: link-address-form, wire-error-fields
#[tokio::test]
async fn odd_addresses_are_refused() {
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
        let answer = wish(&server, email).await;
        assert_eq!(answer.refusal(status), "invalid", "{email}");
        assert!(answer.expect(status)["fields"]["email"].is_string());
        assert!(answer.header("set-cookie").is_empty());
    }
    assert_eq!(server.mails().len(), 0);
}

/// proves: link-public-address
#[tokio::test]
async fn links_start_with_the_public_address() {
    let server = Server::with(|options| options.public_url = "https://kith.example").await;
    let headers = [
        ("content-type", "application/json"),
        ("host", "evil.example"),
        ("x-forwarded-host", "evil.example"),
    ];
    let body = json!({"email": "ada@example.org", "inviteCode": server.founder_code()});
    server
        .visitor()
        .call(
            "POST",
            "/api/auth/request-magic-link",
            &headers,
            body.to_string(),
        )
        .await
        .expect(200);
    let mail = server.mail_to("ada@example.org").await;
    assert!(mail.contains("https://kith.example/auth/verify?token="));
    assert!(!mail.contains("evil.example"));
}
