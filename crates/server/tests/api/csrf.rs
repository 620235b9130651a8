//! Writes that another site makes a member's browser send change nothing.

use crate::harness::{Answer, Browser, Server, id_of};
use crate::routes;
use kith_db::{Sql, sql};
use serde_json::{Value, json};

const OWN: &str = "http://localhost:8080";

/// What a browser (or a page that tries to look like one) may say of a foreign request.
const FOREIGN: [&[(&str, &str)]; 8] = [
    &[("sec-fetch-site", "cross-site")],
    &[("sec-fetch-site", "same-site")],
    &[("sec-fetch-site", "cross-site"), ("origin", OWN)],
    &[("sec-fetch-site", "Same-Origin ")],
    &[("origin", "https://evil.example")],
    &[("origin", "null")],
    &[("origin", "http://localhost:8080.evil.example")],
    &[("origin", "https://localhost:8080")],
];

/// Everything that a call could write, as one number.
const ROWS: Sql = sql!(
    "select (select count(*) from members) + (select count(*) from posts) + (select count(*) from likes)
       + 3 * (select count(*) from reposts) + 5 * (select count(*) from follows)
       + 7 * (select count(*) from poll_votes) + 11 * (select count(*) from member_invites)
       + 13 * (select count(*) from login_links) + 17 * (select count(*) from sessions)
       + 19 * (select count(*) from waitlist) + 23 * (select count(*) from notifications)
       + 29 * (select count(*) from jobs) + 31 * (select count(*) from login_links where tries > 0)
       + 41 * (select count(*) from notifications where read_at is not null)
       + 37 * (select count(*) from members where bio <> '' or username_chosen_at is not null)"
);

/// A writing call that works.
struct Write {
    method: &'static str,
    /// As the description names it.
    route: &'static str,
    path: String,
    body: Option<Value>,
}

impl Write {
    fn new(method: &'static str, route: &'static str, id: &str, body: Option<Value>) -> Self {
        let path = route.replace("{id}", id).replace("{userId}", id);
        Self {
            method,
            route,
            path,
            body,
        }
    }
}

/// What a member does.
async fn deeds(server: &Server, ada: &Browser) -> Vec<Write> {
    let (bob, eve) = (server.member("bob").await, server.member("eve").await);
    let poll = json!({"content": "poll", "pollOptions": ["a", "b"]});
    let post = id_of(&bob.create(poll).await);
    let (liked, reposted) = (bob.write("liked").await, bob.write("reposted").await);
    ada.poke(&format!("/api/posts/{liked}/like"))
        .await
        .expect(200);
    ada.repost(&reposted).await;
    ada.follow(&eve).await;
    for friend in [&bob, &eve] {
        friend.follow(ada).await;
    }
    let news = id_of(&ada.get("/api/notifications").await.expect(200)[0]);
    let (bobs, eves) = (bob.id().await, eve.id().await);
    let with = |method, route, body| Write::new(method, route, &post, Some(body));
    let bare = |method, route, id: &str| Write::new(method, route, id, None);
    vec![
        with("POST", "/api/posts", json!({"content": "x"})),
        bare("POST", "/api/posts/{id}/like", &post),
        bare("DELETE", "/api/posts/{id}/like", &liked),
        bare("DELETE", "/api/posts/{id}/repost", &reposted),
        with("POST", "/api/posts/{id}/vote", json!({"option": "a"})),
        with("POST", "/api/follows", json!({"followingId": bobs})),
        bare("DELETE", "/api/follows/{userId}", &eves),
        bare("POST", "/api/invites", ""),
        with("PUT", "/api/users/profile", json!({"bio": "x"})),
        with("PUT", "/api/users/username", json!({"username": "ada_new"})),
        bare("PUT", "/api/notifications/{id}/read", &news),
        bare("PUT", "/api/notifications/read-all", ""),
        bare("POST", "/api/auth/logout", ""),
    ]
}

/// What somebody does who wants to join or to log in.
async fn wishes(server: &Server) -> Vec<Write> {
    let code = server.founder_code();
    let link = server.ask_to_join(&server.visitor(), "kim", &code).await;
    let token = link.split(['=', '&']).nth(1).unwrap();
    server.mail_settles().await;
    let post = |route, body| Write::new("POST", route, "", Some(body));
    let mail = |name: &str| json!({"email": format!("{name}@example.org"), "inviteCode": code});
    vec![
        post("/api/waitlist", mail("fay")),
        post("/api/auth/request-login-link", mail("bob")),
        post("/api/auth/request-magic-link", mail("lin")),
        post(
            "/api/auth/verify",
            json!({"token": token, "email": "kim@example.org"}),
        ),
        post("/api/auth/verify-code", json!({"code": "AAAAAAAA"})),
    ]
}

async fn writes(server: &Server, ada: &Browser) -> Vec<Write> {
    let mut all = deeds(server, ada).await;
    all.extend(wishes(server).await);
    all
}

async fn send(browser: &Browser, write: &Write, headers: &[(&str, &str)]) -> Answer {
    let mut headers = headers.to_vec();
    if write.body.is_some() {
        headers.push(("content-type", "application/json"));
    }
    let body = write
        .body
        .as_ref()
        .map(ToString::to_string)
        .unwrap_or_default();
    browser
        .call(write.method, &write.path, &headers, body)
        .await
}

/// proves: safe-cross-site, wire-403
#[tokio::test]
async fn another_site_writes_nothing() {
    let server = Server::sqlite().await;
    let ada = server.member("ada").await;
    let all = writes(&server, &ada).await;
    let before = server.count(&ROWS, &[]).await;
    for write in &all {
        for headers in FOREIGN {
            let answer = send(&ada, write, headers).await;
            assert_eq!(
                answer.refusal(403),
                "cross_site",
                "{} {headers:?}",
                write.route
            );
            assert_eq!(
                server.count(&ROWS, &[]).await,
                before,
                "{} {headers:?}",
                write.route
            );
        }
    }
    // The same requests from our own pages work: the table above is not refused for another reason.
    let own = [("sec-fetch-site", "same-origin"), ("origin", OWN)];
    for write in &all {
        let answer = send(&ada.tab(), write, &own).await;
        if write.route == "/api/auth/verify-code" {
            assert_eq!(answer.refusal(422), "invalid");
        } else {
            assert!(answer.status.is_success(), "{}: {answer:?}", write.route);
        }
    }
    assert_ne!(server.count(&ROWS, &[]).await, before);
}

/// proves: wire-415
#[tokio::test]
async fn a_form_of_another_site_is_no_json() {
    let server = Server::sqlite().await;
    let ada = server.member("ada").await;
    for write in writes(&server, &ada).await {
        if let Some(body) = &write.body {
            let headers = [("content-type", "text/plain")];
            let answer = ada
                .call(write.method, &write.path, &headers, body.to_string())
                .await;
            assert_eq!(answer.refusal(415), "not_json", "{}", write.route);
        }
    }
}

/// proves: safe-cross-site
#[tokio::test]
async fn no_writing_call_is_without_the_guard() {
    let server = Server::sqlite().await;
    let ada = server.member("ada").await;
    for call in routes::all().iter().filter(|call| call.writes()) {
        for headers in FOREIGN {
            let answer = ada.call(&call.method, &call.nowhere(), headers, "").await;
            assert_eq!(answer.refusal(403), "cross_site", "{call:?}");
        }
        let own = [("sec-fetch-site", "none")];
        let answer = ada
            .tab()
            .call(&call.method, &call.nowhere(), &own, "")
            .await;
        assert_ne!(answer.status.as_u16(), 403, "{call:?}");
    }
}
