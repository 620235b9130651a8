//! How often one address may call, with the limits in force.

use crate::harness::{Answer, Browser, Server};
use kith::config::Switch;
use serde_json::json;

async fn limited() -> Server {
    Server::with(|options| options.limits = Switch::On).await
}

#[track_caller]
fn assert_too_often(answer: &Answer, longest: u64) {
    assert_eq!(answer.refusal(429), "too_many_requests");
    let seconds: u64 = answer.header("retry-after").parse().unwrap();
    assert!((1..=longest).contains(&seconds), "{seconds} s");
}

/// proves: limit-waitlist, wire-429
#[tokio::test]
async fn the_sixth_on_the_waitlist_waits() {
    let server = limited().await;
    for n in 0..5 {
        let body = json!({"email": format!("eve{n}@example.org")});
        server
            .visitor()
            .post("/api/waitlist", body)
            .await
            .expect(200);
    }
    for body in [json!({"email": "eve6@example.org"}), json!({"email": ""})] {
        let answer = server.visitor().post("/api/waitlist", body).await;
        assert_too_often(&answer, 6 * 60);
    }
    // Another bucket is not empty.
    server
        .visitor()
        .post(
            "/api/auth/request-login-link",
            json!({"email": "eve@example.org"}),
        )
        .await
        .expect(200);
}

/// proves: limit-networks
#[tokio::test]
async fn a_claimed_address_does_not_help() {
    let server = limited().await;
    let mut statuses = Vec::new();
    for n in 0..7 {
        let claimed = format!("192.0.2.{n}");
        let headers = [
            ("content-type", "application/json"),
            ("x-forwarded-for", claimed.as_str()),
            ("forwarded", "for=198.51.100.7"),
        ];
        let body = json!({"email": "eve@example.org"}).to_string();
        let answer = server
            .visitor()
            .call("POST", "/api/waitlist", &headers, body)
            .await;
        statuses.push(answer.status.as_u16());
    }
    assert_eq!(statuses, [200, 200, 200, 200, 200, 429, 429]);
}

/// proves: limit-login-mail, limit-verify, wire-429
#[tokio::test]
async fn login_mails_and_tries_are_limited() {
    let server = limited().await;
    let visitor = server.visitor();
    for _ in 0..25 {
        let body = json!({"email": "eve@example.org"});
        visitor
            .post("/api/auth/request-login-link", body)
            .await
            .expect(200);
    }
    let body = json!({"email": "eve@example.org", "inviteCode": server.founder_code()});
    for path in [
        "/api/auth/request-login-link",
        "/api/auth/request-magic-link",
    ] {
        assert_too_often(&server.visitor().post(path, body.clone()).await, 60);
    }
    let mut tries = 0;
    let refused = loop {
        let answer = server.visitor().get("/api/auth/verify?token=AAAA").await;
        if answer.status.as_u16() != 400 {
            break answer;
        }
        tries += 1;
    };
    assert!((30..=32).contains(&tries), "{tries} tries");
    assert_too_often(&refused, 60);
    for path in ["/api/auth/verify", "/api/auth/verify-code"] {
        let body = json!({"token": "AAAA", "email": "eve@example.org", "code": "AAAAAAAA"});
        assert_too_often(&server.visitor().post(path, body).await, 60);
    }
}

/// How often a call is answered before it is refused.
async fn calls_until_refused(browser: &Browser, status: u16) -> usize {
    for n in 0..2_000 {
        let answer = browser.get("/api/auth/me").await;
        if answer.status.as_u16() == 429 {
            assert_too_often(&answer, 2);
            return n;
        }
        answer.expect(status);
    }
    panic!("never refused");
}

/// proves: limit-visitor, limit-member
#[tokio::test]
async fn strangers_are_slowed_before_members() {
    let server = limited().await;
    let ada = server.member("ada").await;
    // A bucket refills a little while it is emptied.
    let visitors = calls_until_refused(&server.visitor(), 401).await;
    assert!((290..=330).contains(&visitors), "{visitors}");
    let members = calls_until_refused(&ada, 200).await;
    assert!((1_490..=1_700).contains(&members), "{members}");
}
