//! Rate limits per IP address and per member, with the defaults enabled.

use crate::harness::{Browser, Server, TestResponse, id_of, on_both_engines};
use kith::platform::config::Toggle;
use kith::platform::ids::Id;
use kith::platform::rate_limit::MemberAction;
use kith_db::{Sql, sql};
use serde_json::{Value, json};

const SESSIONS: Sql = sql!("select count(*) from sessions");

async fn limited() -> Server {
    Server::with(|options| options.limits = Toggle::On).await
}

#[track_caller]
fn assert_too_often(answer: &TestResponse, longest: u64) {
    assert_eq!(answer.error_code(429), "too_many_requests");
    let seconds: u64 = answer.header("retry-after").parse().unwrap();
    assert!((1..=longest).contains(&seconds), "{seconds} s");
}

/// proves: limit-waitlist, wire-429
#[tokio::test]
async fn the_sixth_waitlist_request_is_limited() {
    let server = limited().await;
    for n in 0..5 {
        let body = json!({"email": format!("eve{n}@example.org")});
        server.visitor().post("/api/waitlist", body).await.expect(200);
    }
    let body = json!({"email": "eve6@example.org"});
    let answer = server.visitor().post("/api/waitlist", body).await;
    assert_too_often(&answer, 6 * 60);
    // The bucket of login links is separate.
    server
        .visitor()
        .post("/api/auth/request-login-link", json!({"email": "eve@example.org"}))
        .await
        .expect(200);
}

/// proves: limit-networks
#[tokio::test]
async fn forwarded_headers_of_untrusted_clients_are_ignored() {
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
        let answer = server.visitor().request("POST", "/api/waitlist", &headers, body).await;
        statuses.push(answer.status.as_u16());
    }
    assert_eq!(statuses, [200, 200, 200, 200, 200, 429, 429]);
}

/// Joins the waitlist through a proxy that sends this `X-Forwarded-For`, and returns the status.
async fn wait_as(server: &Server, forwarded: &str) -> u16 {
    let headers = [("content-type", "application/json"), ("x-forwarded-for", forwarded)];
    let body = json!({"email": "eve@example.org"}).to_string();
    let visitor = server.visitor();
    let answer = visitor.request("POST", "/api/waitlist", &headers, body).await;
    answer.status.as_u16()
}

on_both_engines! {
    with |options| {
        options.limits = kith::platform::config::Toggle::On;
        // No bucket refills during the test.
        options.rate_limit_overrides = "member=50/30d,visitor=7/30d";
    };

    /// A stolen session exhausts the member's rate limit. The owner can still end it, within the limit of visitors.
    /// proves: limit-ending
    async fn a_stolen_session_cannot_prevent_its_end(server) {
        let (ada, bob, cat) = (server.member("ada").await, server.member("bob").await, server.member("cat").await);
        for _ in 0..2 {
            server.log_in_again(&ada, "").await;
        }
        let list = ada.get("/api/auth/sessions").await.expect(200);
        let other = list.as_array().unwrap().iter().find(|one| one["isCurrent"] == false).unwrap();
        for member in [&ada, &bob, &cat] {
            let id = Id::parse(&member.id().await);
            while server.state.rate_limiter.check_member(MemberAction::Any, id).is_ok() {}
            member.get("/api/posts/feed").await.expect(429);
            member.get("/api/auth/me").await.expect(200);
        }
        assert_eq!(ada.get("/api/auth/sessions").await.expect(200), list);
        ada.delete(&format!("/api/auth/sessions/{}", id_of(other))).await.expect(204);
        ada.delete("/api/auth/sessions").await.expect(204);
        bob.post_empty("/api/auth/logout").await.expect(200);
        assert_eq!(server.count(&SESSIONS, &[]).await, 1, "cat, whose requests are still limited, stays logged in");
        assert_too_often(&cat.post_empty("/api/auth/logout").await, 30 * 86_400);
    }
}

on_both_engines! {
    with |options| {
        options.limits = kith::platform::config::Toggle::On;
        options.proxies = &[std::net::IpAddr::V4(std::net::Ipv4Addr::LOCALHOST)];
    };

    /// Each client of a trusted proxy has its own bucket. Entries that the client itself put before the proxy's
    /// have no effect.
    /// proves: limit-proxies, limit-networks
    async fn clients_of_a_trusted_proxy_have_separate_buckets(server) {
        for n in 0..5 {
            assert_eq!(wait_as(&server, "192.0.2.1").await, 200, "request {n}");
        }
        for forged in ["192.0.2.1", "203.0.113.9, 192.0.2.1", "127.0.0.1, 198.51.100.1,192.0.2.1"] {
            assert_eq!(wait_as(&server, forged).await, 429, "{forged}");
        }
        for n in 0..6 {
            let status = if n < 5 { 200 } else { 429 };
            assert_eq!(wait_as(&server, "192.0.2.1, 192.0.2.2").await, status, "request {n}");
        }
    }
}

/// proves: limit-login-mail, limit-verify, wire-429
#[tokio::test]
async fn login_mails_and_attempts_are_limited() {
    let server = limited().await;
    let visitor = server.visitor();
    for _ in 0..25 {
        let body = json!({"email": "eve@example.org"});
        visitor.post("/api/auth/request-login-link", body).await.expect(200);
    }
    let body = json!({"email": "eve@example.org", "inviteCode": server.founder_code()});
    for path in ["/api/auth/request-login-link", "/api/auth/request-magic-link"] {
        assert_too_often(&server.visitor().post(path, body.clone()).await, 60);
    }
    let mut tries = 0;
    let rejected = loop {
        let answer = server.visitor().get("/api/auth/verify?token=AAAA").await;
        if answer.status.as_u16() != 400 {
            break answer;
        }
        tries += 1;
    };
    assert!((30..=32).contains(&tries), "{tries} tries");
    assert_too_often(&rejected, 60);
    for path in ["/api/auth/verify", "/api/auth/verify-code"] {
        let body = json!({"token": "AAAA", "email": "eve@example.org", "code": "AAAAAAAA"});
        assert_too_often(&server.visitor().post(path, body).await, 60);
    }
}

/// Number of requests that succeed before the first 429.
async fn requests_until_limited(browser: &Browser, status: u16) -> usize {
    for n in 0..2_000 {
        let answer = browser.get("/api/auth/me").await;
        if answer.status.as_u16() == 429 {
            assert_too_often(&answer, 2);
            return n;
        }
        answer.expect(status);
    }
    panic!("never rejected");
}

/// proves: limit-visitor, limit-member
#[tokio::test]
async fn visitors_are_limited_before_members() {
    let server = limited().await;
    let ada = server.member("ada").await;
    // The bucket refills slightly while it is emptied.
    let visitors = requests_until_limited(&server.visitor(), 401).await;
    assert!((290..=330).contains(&visitors), "{visitors}");
    let members = requests_until_limited(&ada, 200).await;
    assert!((1_490..=1_700).contains(&members), "{members}");
}

/// A rate-limited action and a request that counts against it: method, path, body.
type LimitedRequest = (MemberAction, &'static str, String, Value);

/// Requests that count against each rate limit.
fn limited_requests(post: &str, own: &str, member: &str) -> Vec<LimitedRequest> {
    use MemberAction::{BlockOrMute, Follow, Post, React};

    let of = |what: &str| format!("/api/posts/{post}{what}");
    let posts = || "/api/posts".to_owned();
    let reply = json!({"content": "x", "replyToId": post});
    let mut all = Vec::from([
        (Post, "POST", posts(), json!({"content": "x"})),
        (Post, "POST", posts(), reply),
        (React, "POST", posts(), json!({"repostOfId": post})),
        (React, "DELETE", of("/repost"), Value::Null),
        (React, "POST", of("/like"), Value::Null),
        (React, "DELETE", of("/like"), Value::Null),
        (React, "POST", of("/vote"), json!({"option": "a"})),
        (React, "DELETE", format!("/api/posts/{own}"), Value::Null),
        (Follow, "POST", "/api/follows".to_owned(), json!({"followingId": member})),
        (BlockOrMute, "POST", format!("/api/mutes/{member}"), Value::Null),
        (BlockOrMute, "POST", format!("/api/blocks/{member}"), Value::Null),
    ]);
    all.extend(more_limited_requests(post));
    all
}

fn more_limited_requests(post: &str) -> Vec<LimitedRequest> {
    use MemberAction::{ChangeEmail, DeleteAccount, Edit, Invite, Report, Search, Upload, Vouch};

    Vec::from([
        (Search, "GET", "/api/users/search?q=a".to_owned(), Value::Null),
        (Invite, "POST", "/api/invites".to_owned(), Value::Null),
        (Edit, "PUT", "/api/users/profile".to_owned(), json!({"bio": "x"})),
        (Edit, "PUT", "/api/users/username".to_owned(), json!({"username": "ada_new"})),
        (
            Edit,
            "PUT",
            "/api/profile-images".to_owned(),
            json!({"imageURL": "https://example.org/x"}),
        ),
        (
            DeleteAccount,
            "POST",
            "/api/account/deletion".to_owned(),
            json!({"username": "someone_new"}),
        ),
        (Upload, "POST", "/api/objects/upload".to_owned(), json!({})),
        (Report, "POST", "/api/reports".to_owned(), json!({"postId": post, "reason": "spam"})),
        (ChangeEmail, "POST", "/api/account/email".to_owned(), json!({"email": "ada@new.example"})),
        (Vouch, "POST", "/api/waitlist/vouches".to_owned(), json!({"email": "friend@example.org"})),
    ])
}

/// Mentions and tags count individually; a member without any left can still post plain text.
/// proves: limit-mentions, limit-hashtags
#[tokio::test]
async fn mentions_and_tags_count_individually() {
    let server = limited().await;
    let ada = server.member("ada").await;
    for (word, posts, wait) in [("@bob ", 12, 15 * 60), ("#tag ", 30, 6 * 60)] {
        let many = json!({"content": word.repeat(60)});
        for _ in 0..posts {
            ada.post("/api/posts", many.clone()).await.expect(201);
        }
        assert_too_often(&ada.post("/api/posts", many).await, wait);
        ada.write("plain").await;
    }
}

/// An exhausted rate limit rejects every request of its action and no other.
/// proves: limit-posts, limit-reactions, limit-follows, limit-keep-away, limit-search, limit-invites, limit-edits, limit-reports, limit-vouches
#[tokio::test]
async fn every_action_counts_against_its_rate_limit() {
    let server = limited().await;
    let (ada, bob) = (server.member("ada").await, server.member("bob").await);
    let (post, own) = (bob.write("post").await, ada.write("own").await);
    let me = Id(ada.id().await.parse().unwrap());
    let limited_requests = limited_requests(&post, &own, &bob.id().await);
    let json = [("content-type", "application/json")];
    let name = std::mem::discriminant::<MemberAction>;
    let mut used_up = Vec::new();
    for (act, seconds) in [
        // First, because these limits allow three requests.
        (MemberAction::ChangeEmail, 1_200),
        (MemberAction::DeleteAccount, 1_200),
        (MemberAction::Post, 36),
        (MemberAction::React, 3),
        (MemberAction::Follow, 216),
        (MemberAction::BlockOrMute, 12),
        (MemberAction::Search, 1),
        (MemberAction::Invite, 4_320),
        (MemberAction::Edit, 60),
        (MemberAction::Upload, 60),
        (MemberAction::Report, 120),
        (MemberAction::Vouch, 4_320),
    ] {
        used_up.push(act);
        for (drawn, method, path, body) in &limited_requests {
            // Buckets refill slightly between requests.
            for act in &used_up {
                while server.state.rate_limiter.check_member(*act, me).is_ok() {}
            }
            let answer = ada.request(method, path, &json, body.to_string()).await;
            let waits = used_up.iter().any(|act| name(act) == name(drawn));
            assert_eq!(answer.status == 429, waits, "{method} {path}");
            if name(drawn) == name(&act) {
                assert_too_often(&answer, seconds);
            }
        }
    }
    ada.get("/api/posts/feed").await.expect(200);
}

/// A stolen moderator session can remove a limited number of posts; read requests of staff still succeed.
/// proves: limit-decisions
#[tokio::test]
async fn decisions_of_staff_are_limited_but_reads_are_not() {
    let server = limited().await;
    let (kim, bob) = (server.admin("kim").await, server.member("bob").await);
    let (post, bob) = (bob.write("post").await, bob.id().await);
    let me = Id(kim.id().await.parse().unwrap());
    for (method, path) in [
        ("PUT", format!("members/{bob}/suspension")),
        ("DELETE", format!("members/{bob}/suspension")),
        ("PUT", format!("members/{bob}/invite-freeze")),
        ("DELETE", format!("members/{bob}/invite-freeze")),
        ("PUT", format!("members/{bob}/role")),
        ("PUT", format!("posts/{post}/removal")),
        ("POST", "reports/1/resolve".to_owned()),
        ("POST", "waitlist/1/admit".to_owned()),
    ] {
        while server.state.rate_limiter.check_member(MemberAction::Moderate, me).is_ok() {}
        let body = json!({"role": "moderator", "action": "dismiss"}).to_string();
        let json = [("content-type", "application/json")];
        let path = format!("/api/admin/{path}");
        let answer = kim.request(method, &path, &json, body).await;
        assert_too_often(&answer, 12);
    }
    kim.get("/api/admin/reports").await.expect(200);
    let log = kim.get("/api/admin/audit").await.expect(200);
    let mut entries = log.as_array().unwrap().iter();
    assert!(entries.all(|entry| entry["actor"].is_null()), "the operator's alone: {log}");
}
