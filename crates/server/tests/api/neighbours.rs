//! Limits when members share an IP address with an attacker: a workplace, a school, a carrier's NAT.

use crate::account::token_in;
use crate::harness::{Browser, Server, TestResponse, on_both_engines};
use axum::body::{Body, Bytes};
use axum::http::Request;
use futures_util::stream::{self, FuturesUnordered, StreamExt as _};
use kith::platform::clock::{DAY, MINUTE};
use serde_json::{Value, json};
use std::net::{IpAddr, Ipv4Addr};
use std::time::Duration;

const PROXY: &[IpAddr] = &[IpAddr::V4(Ipv4Addr::LOCALHOST)];
/// Headers that the proxy adds for every client of the shared IP address.
const SHARED_IP: [(&str, &str); 2] =
    [("content-type", "application/json"), ("x-forwarded-for", "192.0.2.1")];

async fn call(browser: &Browser, method: &str, path: &str) -> TestResponse {
    browser.request(method, path, &SHARED_IP, Body::empty()).await
}

async fn send(browser: &Browser, path: &str, body: Value) -> TestResponse {
    browser.request("POST", path, &SHARED_IP, body.to_string()).await
}

/// Sends a request from the shared IP address whose body never ends.
async fn unfinished(browser: &Browser, path: &str) -> TestResponse {
    let begun = stream::iter([Ok::<_, std::io::Error>(Bytes::from_static(b"{"))]);
    let body = Body::from_stream(begun.chain(stream::pending()));
    browser.request("POST", path, &SHARED_IP, body).await
}

#[track_caller]
fn assert_too_many(answer: &TestResponse) {
    assert_eq!(answer.error_code(429), "too_many_requests");
}

on_both_engines! {
    with |options| {
        options.proxies = crate::neighbours::PROXY;
        options.limits = kith::platform::config::Toggle::On;
    };

    /// Visitors of the shared IP address exhaust its unfinished requests. A member there is still served, up to
    /// the member's own limit.
    /// proves: busy-neighbours, busy-one-member
    async fn unfinished_requests_block_no_member_of_a_shared_ip(server) {
        let (ada, stranger) = (server.member("ada").await, server.visitor());
        let mut slow = FuturesUnordered::new();
        for _ in 0..33 {
            slow.push(unfinished(&stranger, "/api/waitlist"));
        }
        assert_too_many(&slow.next().await.unwrap());
        assert_too_many(&call(&stranger, "GET", "/api/auth/me").await);
        // A PostgreSQL node caches the session only after the change feed reports the login.
        let mut tries = 0;
        while call(&ada, "GET", "/api/posts/feed").await.status == 429 {
            ada.me().await;
            tokio::time::sleep(Duration::from_millis(20)).await;
            tries += 1;
            assert!(tries < 250, "the session is not cached");
        }
        call(&ada, "GET", "/images/none/w640.jpg").await.expect(404);
        let mut own = FuturesUnordered::new();
        for _ in 0..17 {
            own.push(unfinished(&ada, "/api/posts"));
        }
        assert_too_many(&own.next().await.unwrap());
        assert_too_many(&call(&ada, "GET", "/api/posts/feed").await);
        drop((own, slow));
        call(&ada, "GET", "/api/posts/feed").await.expect(200);
        assert_eq!(call(&stranger, "GET", "/api/auth/me").await.error_code(401), "unauthorized");
    }

    /// The web app still loads there: 256 of its files concurrently.
    /// proves: busy-neighbours, busy-behind-proxy
    async fn unfinished_requests_do_not_block_the_web_app(server) {
        let stranger = server.visitor();
        let mut slow = FuturesUnordered::new();
        for _ in 0..33 {
            slow.push(unfinished(&stranger, "/api/waitlist"));
        }
        assert_too_many(&slow.next().await.unwrap());
        let page = || {
            let request = Request::get("/").header(SHARED_IP[1].0, SHARED_IP[1].1);
            stranger.start_request(request.body(Body::empty()).unwrap())
        };
        let mut unread = Vec::new();
        for _ in 0..256 {
            unread.push(page().await);
        }
        assert!(unread.iter().all(|answer| answer.status() != 429));
        assert_too_many(&call(&stranger, "GET", "/").await);
        assert_too_many(&call(&stranger, "GET", "/images/none/w640.jpg").await);
        drop(unread.pop());
        assert_ne!(call(&stranger, "HEAD", "/").await.status, 429);
    }
}

/// Exhausts the attempts at links and codes of the shared IP address.
async fn try_invalid_links(server: &Server) {
    let stranger = server.visitor();
    for _ in 0..3 {
        let answer = call(&stranger, "GET", "/api/auth/verify?token=x").await;
        assert_eq!(answer.error_code(400), "link_invalid");
    }
    assert_too_many(&call(&stranger, "GET", "/api/auth/verify?token=x").await);
    let path = "/api/account/email/confirm";
    assert_too_many(&send(&stranger, path, json!({"token": "x"})).await);
    assert_too_many(&send(&stranger, path, json!({})).await);
}

/// Opens an email change link from the shared IP address.
async fn open_link(server: &Server, token: &str) -> TestResponse {
    let path = "/api/account/email/confirm";
    send(&server.visitor(), path, json!({"token": token})).await
}

on_both_engines! {
    with |options| {
        options.limits = kith::platform::config::Toggle::On;
        options.proxies = crate::neighbours::PROXY;
        // No bucket refills during the test.
        options.rate_limit_overrides = "verify=3/30d,links=3/30d,login_mail=30/30d";
    };

    /// Attempts with invalid links do not use up valid ones, in any browser; each valid link has its own attempts.
    /// proves: limit-links
    async fn invalid_links_block_no_login_from_a_shared_ip(server) {
        let ada = server.visitor();
        let link = server.request_sign_up_link(&ada, "ada", &server.founder_code()).await;
        let bob = server.visitor();
        let other = server.request_sign_up_link(&bob, "bob", &server.operator_code().await).await;
        try_invalid_links(&server).await;
        for _ in 0..3 {
            call(&ada, "GET", &link).await.expect(200);
        }
        assert_too_many(&call(&ada, "GET", &link).await);
        let (_, token) = other.split_once("token=").unwrap();
        let token = token.split('&').next().unwrap();
        let named = |name: &str| json!({"token": token, "email": format!("{name}@example.org")});
        let path = "/api/auth/verify";
        assert_eq!(send(&ada, path, named("eve")).await.error_code(422), "invalid");
        send(&server.visitor(), path, named("bob")).await.expect(200);
        assert_eq!(call(&server.visitor(), "GET", &other).await.error_code(410), "link_used");
        assert_too_many(&send(&server.visitor(), path, named("bob")).await);
        // An expired link counts like an invalid one.
        server.advance_clock(16 * MINUTE);
        let late = server.request_login_link(&ada, "ada").await;
        server.advance_clock(16 * MINUTE);
        assert_eq!(call(&ada, "GET", &late).await.error_code(410), "link_expired");
        // No link is valid for longer than the founder's.
        server.advance_clock(DAY);
        assert_too_many(&call(&ada, "GET", &late).await);
        assert_eq!(ada.get(&late).await.error_code(410), "link_expired");
    }

    /// Invalid links do not block email changes. The owner of the new mailbox cannot use up the old one's undo
    /// link, and codes are counted per member.
    /// proves: limit-links
    async fn invalid_links_block_no_email_change(server) {
        let ada = server.member("ada").await;
        let (old, new) = ("ada@example.org", "new@example.net");
        server.wait_for_mail_queue().await;
        server.advance_clock(2 * MINUTE);
        ada.post("/api/account/email", json!({"email": new})).await.expect(200);
        let (there, here) = (server.mail_to(new).await, server.mail_to(old).await);
        try_invalid_links(&server).await;
        for _ in 0..3 {
            let code = send(&ada, "/api/account/email/code", json!({"code": "AAAAAAAA"})).await;
            assert_eq!(code.error_code(422), "invalid");
        }
        let code = send(&ada, "/api/account/email/code", json!({"code": "AAAAAAAA"})).await;
        assert_too_many(&code);
        let [new, old] = [(&there, "new"), (&here, "old")].map(|(mail, step)| token_in(mail, step));
        assert_eq!(open_link(&server, &new).await.expect(200)["state"], "waiting");
        assert_eq!(open_link(&server, &old).await.expect(200)["state"], "changed");
        open_link(&server, &new).await.expect(200);
        assert_too_many(&open_link(&server, &new).await);
        let undo = token_in(&here, "undo");
        assert_eq!(open_link(&server, &undo).await.expect(200)["state"], "restored");
        for _ in 0..2 {
            open_link(&server, &undo).await.expect(200);
        }
        assert_too_many(&open_link(&server, &undo).await);
    }
}

on_both_engines! {
    with |options| {
        options.limits = kith::platform::config::Toggle::On;
        options.proxies = crate::neighbours::PROXY;
        // No bucket refills during the test.
        options.rate_limit_overrides = "login_mail=2/30d,waitlist=2/30d,visitor=13/30d";
    };

    /// A request with a malformed email counts against the visitor limit, not against neighbours' login mails.
    /// proves: limit-login-mail, limit-waitlist
    async fn malformed_requests_do_not_limit_others(server) {
        let stranger = server.visitor();
        let paths = ["/api/auth/request-login-link", "/api/auth/request-magic-link", "/api/waitlist"];
        for body in [json!({"email": "x"}), json!({"email": ""}), json!({}), json!({"email": "x@"})] {
            for path in paths {
                let rejected = send(&stranger, path, body.clone()).await;
                assert!([400, 422].contains(&rejected.status.as_u16()), "{body}");
            }
        }
        let valid = || json!({"email": "eve@example.org"});
        for path in [paths[0], paths[2]] {
            for _ in 0..2 {
                send(&stranger, path, valid()).await.expect(200);
            }
            assert_too_many(&send(&stranger, path, valid()).await);
        }
        send(&stranger, paths[1], json!({"email": "x"})).await.expect(422);
        assert_too_many(&send(&stranger, paths[1], json!({"email": "x"})).await);
    }
}
