//! Session lifetime, cookies and logout.

use crate::harness::{Server, on_both_engines};
use axum::body::Body;
use axum::http::{HeaderValue, Request, header};

const DAY: i64 = 86_400_000;

on_both_engines! {
    /// Two weeks without a request end a session.
    /// proves: session-idle
    async fn an_idle_session_ends(server) {
        let ada = server.member("ada").await;
        server.advance_clock(14 * DAY - 1);
        ada.get("/api/auth/me").await.expect(200);
        server.advance_clock(14 * DAY);
        assert_eq!(ada.get("/api/auth/me").await.error_code(401), "unauthorized");
    }

    /// A session ends after thirty days, even in constant use.
    /// proves: session-absolute
    async fn a_session_in_use_expires_too(server) {
        let ada = server.member("ada").await;
        for _ in 0..29 {
            server.advance_clock(DAY);
            ada.get("/api/auth/me").await.expect(200);
        }
        server.advance_clock(DAY - 1);
        ada.get("/api/auth/me").await.expect(200);
        server.advance_clock(1);
        assert_eq!(ada.get("/api/auth/me").await.error_code(401), "unauthorized");
        server.log_in("ada").await.get("/api/auth/me").await.expect(200);
    }

    /// Logging out ends only this session.
    /// proves: session-logout, call-logout
    async fn logging_out_ends_one_session(server) {
        let ada = server.member("ada").await;
        server.wait_for_mail_queue().await;
        server.advance_clock(61_000);
        let phone = server.log_in("ada").await;
        let stolen = ada.tab();
        let response = ada.post_empty("/api/auth/logout").await;
        assert_eq!(response.expect(200)["message"], "You are logged out.");
        assert_eq!(response.header("clear-site-data"), "\"cache\"");
        assert_eq!(response.header("set-cookie"), "session=; HttpOnly; SameSite=Lax; Path=/; Max-Age=0");
        assert_eq!(ada.cookie("session"), None);
        for out in [ada, stolen] {
            assert_eq!(out.get("/api/auth/me").await.error_code(401), "unauthorized");
            assert_eq!(out.post_empty("/api/auth/logout").await.error_code(401), "unauthorized");
        }
        phone.get("/api/auth/me").await.expect(200);
    }

    /// A login creates a new session and ends the one that the browser brought along, so that a
    /// stolen cookie becomes invalid. Other browsers stay logged in.
    /// proves: session-new, session-same-browser
    async fn each_login_is_a_new_session(server) {
        let ada = server.member("ada").await;
        server.wait_for_mail_queue().await;
        server.advance_clock(61_000);
        let phone = server.log_in_again(&ada, "").await;
        let again = ada.tab();
        let link = server.request_login_link(&again, "ada").await;
        again.get(&link).await.expect(200);
        assert_ne!(again.cookie("session"), ada.cookie("session"));
        assert_eq!(again.cookie("login"), None, "the nonce is used up");
        assert_eq!(ada.get("/api/auth/me").await.error_code(401), "unauthorized");
        again.get(&link).await.expect(200);
        for here in [again, phone] {
            here.get("/api/auth/me").await.expect(200);
        }
    }

    /// Logging in as another member on the same device ends the previous session.
    /// proves: session-same-browser
    async fn another_member_in_the_same_browser_ends_the_session(server) {
        let (ada, bob) = (server.member("ada").await, server.member("bob").await);
        server.wait_for_mail_queue().await;
        server.advance_clock(61_000);
        let device = ada.tab();
        let link = server.request_login_link(&device, "bob").await;
        device.get(&link).await.expect(200);
        assert_eq!(device.me().await["email"], "bob@example.org");
        assert_eq!(ada.get("/api/auth/me").await.error_code(401), "unauthorized");
        bob.get("/api/auth/me").await.expect(200);
    }
}

/// Returns name, value length and attributes of each cookie that a login sets.
async fn cookies(server: &Server) -> Vec<String> {
    let browser = server.visitor();
    let body = serde_json::json!({"email": "ada@example.org", "inviteCode": server.founder_code()});
    let requested = browser.post("/api/auth/request-magic-link", body).await;
    let link = server.mailed_link("ada@example.org").await;
    let verified = browser.get(&link).await;
    verified.expect(200);
    let lines = [requested, verified].into_iter().flat_map(|response| {
        let all = response.headers.get_all("set-cookie").iter().cloned();
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
async fn cookie_attributes_fit_http_and_https() {
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

/// A sibling domain cannot set a session: percent-encoded cookie names are different names, and its
/// cookies lock no member out, whatever bytes they contain.
/// proves: session-raw
#[tokio::test]
async fn a_sibling_domain_cannot_choose_a_session() {
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
        assert_eq!(alone.error_code(401), "unauthorized", "{name}");
        for line in [
            format!("__Host-session={hers}; {name}={foreign}"),
            format!("{name}={foreign}; __Host-session={hers}"),
            format!("pref=café; __Host-session={hers}"),
        ] {
            assert_eq!(me(line).await.expect(200)["email"], "ada@example.org");
        }
    }
    let both = format!("__Host-session={hers}; __Host-session={foreign}");
    assert_eq!(me(both).await.error_code(401), "unauthorized");
    server.wait_for_mail_queue().await;
    server.advance_clock(61_000);
    // A sibling domain cannot forge the cookie of the browser that requested a link, either.
    let (requester, other) = (server.visitor(), server.visitor());
    let link = server.request_login_link(&requester, "ada").await;
    other.set_cookie("%5F%5FHost-login", &requester.cookie("__Host-login").unwrap());
    assert_eq!(other.get(&link).await.error_code(409), "confirm_email");
    requester.get(&link).await.expect(200);
}
