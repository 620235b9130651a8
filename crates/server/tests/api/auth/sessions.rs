//! How long a session lasts, what its cookie says, and how it ends.

use crate::harness::{Server, on_both_engines};
use axum::body::Body;
use axum::http::{HeaderValue, Request, header};

const DAY: i64 = 86_400_000;

on_both_engines! {
    /// Two weeks without a request end it.
    /// proves: session-idle
    async fn an_idle_session_ends(server) {
        let ada = server.member("ada").await;
        server.pass(14 * DAY - 1);
        ada.get("/api/auth/me").await.expect(200);
        server.pass(14 * DAY);
        assert_eq!(ada.get("/api/auth/me").await.refusal(401), "unauthorized");
    }

    /// Thirty days end it however busy it was.
    /// proves: session-absolute
    async fn a_busy_session_ends_too(server) {
        let ada = server.member("ada").await;
        for _ in 0..29 {
            server.pass(DAY);
            ada.get("/api/auth/me").await.expect(200);
        }
        server.pass(DAY - 1);
        ada.get("/api/auth/me").await.expect(200);
        server.pass(1);
        assert_eq!(ada.get("/api/auth/me").await.refusal(401), "unauthorized");
        server.log_in("ada").await.get("/api/auth/me").await.expect(200);
    }

    /// Logging out ends this session, and only this one.
    /// proves: session-logout, call-logout
    async fn logging_out_ends_one_session(server) {
        let ada = server.member("ada").await;
        server.mail_settles().await;
        server.pass(61_000);
        let phone = server.log_in("ada").await;
        let stolen = ada.tab();
        let answer = ada.poke("/api/auth/logout").await;
        assert_eq!(answer.expect(200)["message"], "You are logged out.");
        assert_eq!(answer.header("clear-site-data"), "\"cache\"");
        assert_eq!(answer.header("set-cookie"), "session=; HttpOnly; SameSite=Lax; Path=/; Max-Age=0");
        assert_eq!(ada.cookie("session"), None);
        for out in [ada, stolen] {
            assert_eq!(out.get("/api/auth/me").await.refusal(401), "unauthorized");
            assert_eq!(out.poke("/api/auth/logout").await.refusal(401), "unauthorized");
        }
        phone.get("/api/auth/me").await.expect(200);
    }

    /// A login never takes over a session that the browser brought along, but ends it: who took its
    /// cookie is out. Other browsers stay in.
    /// proves: session-new, session-same-browser
    async fn each_login_is_a_new_session(server) {
        let ada = server.member("ada").await;
        server.mail_settles().await;
        server.pass(61_000);
        let phone = server.log_in_again(&ada, "").await;
        let again = ada.tab();
        let link = server.ask_to_log_in(&again, "ada").await;
        again.get(&link).await.expect(200);
        assert_ne!(again.cookie("session"), ada.cookie("session"));
        assert_eq!(again.cookie("login"), None, "the nonce is used up");
        assert_eq!(ada.get("/api/auth/me").await.refusal(401), "unauthorized");
        again.get(&link).await.expect(200);
        for here in [again, phone] {
            here.get("/api/auth/me").await.expect(200);
        }
    }

    /// Somebody else who logs in on the same device ends the session that was there.
    /// proves: session-same-browser
    async fn another_member_in_the_same_browser_ends_the_session(server) {
        let (ada, bob) = (server.member("ada").await, server.member("bob").await);
        server.mail_settles().await;
        server.pass(61_000);
        let device = ada.tab();
        let link = server.ask_to_log_in(&device, "bob").await;
        device.get(&link).await.expect(200);
        assert_eq!(device.me().await["email"], "bob@example.org");
        assert_eq!(ada.get("/api/auth/me").await.refusal(401), "unauthorized");
        bob.get("/api/auth/me").await.expect(200);
    }
}

/// The attributes of each cookie that a login sets.
async fn cookies(server: &Server) -> Vec<String> {
    let browser = server.visitor();
    let body = serde_json::json!({"email": "ada@example.org", "inviteCode": server.founder_code()});
    let asked = browser.post("/api/auth/request-magic-link", body).await;
    let link = server.mailed_link("ada@example.org").await;
    let verified = browser.get(&link).await;
    verified.expect(200);
    let lines = [asked, verified].into_iter().flat_map(|answer| {
        let all = answer.headers.get_all("set-cookie").iter().cloned();
        all.collect::<Vec<_>>()
    });
    let mut lines = lines
        .map(|line| {
            let line = line.to_str().unwrap();
            let (name, rest) = line.split_once('=').unwrap();
            let (value, attributes) = rest.split_once("; ").unwrap();
            format!("{name}[{}] {attributes}", value.len())
        })
        .collect::<Vec<_>>();
    lines.sort();
    lines
}

/// proves: session-cookie
#[tokio::test]
async fn cookies_are_for_http_or_for_https() {
    let plain = cookies(&Server::sqlite().await).await;
    assert_eq!(
        plain,
        [
            "login[0] HttpOnly; SameSite=Lax; Path=/; Max-Age=0",
            "login[43] HttpOnly; SameSite=Lax; Path=/; Max-Age=900",
            "session[43] HttpOnly; SameSite=Lax; Path=/; Max-Age=2592000",
        ]
    );
    let server = Server::with(|options| options.public_url = "https://kith.example").await;
    assert_eq!(
        cookies(&server).await,
        [
            "__Host-login[0] HttpOnly; SameSite=Lax; Secure; Path=/; Max-Age=0",
            "__Host-login[43] HttpOnly; SameSite=Lax; Secure; Path=/; Max-Age=900",
            "__Host-session[43] HttpOnly; SameSite=Lax; Secure; Path=/; Max-Age=2592000",
        ]
    );
}

/// A host beside this one sets what a browser holds to no promise: encoded names are other names. And what
/// it may set for the whole domain, whatever bytes are in it, locks nobody out.
/// proves: session-raw
#[tokio::test]
async fn a_host_beside_this_one_chooses_nobodys_session() {
    let server = Server::with(|options| options.public_url = "https://kith.example").await;
    let (ada, eve) = (server.member("ada").await, server.member("eve").await);
    let hers = ada.cookie("__Host-session").unwrap();
    let foreign = eve.cookie("__Host-session").unwrap();
    let me = async |line: String| {
        let cookie = HeaderValue::from_bytes(line.as_bytes()).unwrap();
        let mut request = Request::get("/api/auth/me").body(Body::empty()).unwrap();
        request.headers_mut().insert(header::COOKIE, cookie);
        server.visitor().send(request).await
    };
    for name in ["%5F%5FHost-session", "__Host%2Dsession", "__Host-sessio%6E"] {
        let alone = me(format!("{name}={foreign}")).await;
        assert_eq!(alone.refusal(401), "unauthorized", "{name}");
        for line in [
            format!("__Host-session={hers}; {name}={foreign}"),
            format!("{name}={foreign}; __Host-session={hers}"),
            format!("pref=café; __Host-session={hers}"),
        ] {
            assert_eq!(me(line).await.expect(200)["email"], "ada@example.org");
        }
    }
    let both = format!("__Host-session={hers}; __Host-session={foreign}");
    assert_eq!(me(both).await.refusal(401), "unauthorized");
    server.mail_settles().await;
    server.pass(61_000);
    // Nor does it make a browser one that asked for a link.
    let (asker, other) = (server.visitor(), server.visitor());
    let link = server.ask_to_log_in(&asker, "ada").await;
    other.set_cookie("%5F%5FHost-login", &asker.cookie("__Host-login").unwrap());
    assert_eq!(other.get(&link).await.refusal(409), "confirm_email");
    asker.get(&link).await.expect(200);
}
