//! A successful request for every endpoint that writes, as input of table tests.

use crate::account::token_in;
use crate::harness::push_service;
use crate::harness::{Browser, Server, TestResponse, id_of};
use crate::media;
use crate::routes::{self, Call};
use axum::http::Method;
use kith::features::digest;
use kith::platform::ids::Id;
use serde_json::{Value, json};

/// A request that succeeds and writes.
pub(crate) struct WriteRequest {
    pub(crate) method: &'static str,
    /// Path template in the OpenAPI document.
    pub(crate) route: &'static str,
    pub(crate) path: String,
    pub(crate) body: Option<Value>,
    /// Browser that sends the request, for requests that end their own session. Others use the caller's browser.
    by: Option<Browser>,
}

impl WriteRequest {
    fn new(method: &'static str, route: &'static str, id: &str, body: Option<Value>) -> Self {
        let path = route.replace("{id}", id).replace("{userId}", id);
        Self { method, route, path, body, by: None }
    }

    /// Request that ends the session of `by`.
    fn ending(method: &'static str, route: &'static str, by: Browser) -> Self {
        Self { by: Some(by), ..Self::new(method, route, "", None) }
    }

    /// Request about an upload, whose id is a segment of its URL.
    fn about(route: &'static str, address: &str) -> Self {
        let name = address.split(['?', '/']).nth(5).unwrap();
        Self::new("POST", route, name, None)
    }

    /// Sends the request with additional headers.
    pub(crate) async fn send(&self, browser: &Browser, headers: &[(&str, &str)]) -> TestResponse {
        let body = self.body.as_ref().map(ToString::to_string);
        self.send_with(browser, headers, body.unwrap_or_default()).await
    }

    /// Sends the request with additional headers and a different body.
    pub(crate) async fn send_with(
        &self,
        browser: &Browser,
        headers: &[(&str, &str)],
        body: impl Into<axum::body::Body>,
    ) -> TestResponse {
        let mut headers = headers.to_vec();
        if self.body.is_some() {
            headers.push(("content-type", "application/json"));
        }
        let browser = self.by.as_ref().unwrap_or(browser);
        browser.request(self.method, &self.path, &headers, body).await
    }

    /// Checks for success. Endpoints that take a mailed code get a wrong one and respond with `invalid`.
    #[track_caller]
    pub(crate) fn assert_done(&self, answer: &TestResponse) {
        if self.route.ends_with("code") {
            assert_eq!(answer.error_code(422), "invalid");
        } else {
            assert!(answer.status.is_success(), "{}: {answer:?}", self.route);
        }
    }
}

/// Writes by a member.
async fn member_writes(server: &Server, ada: &Browser) -> Vec<WriteRequest> {
    let (bob, eve) = (server.member("bob").await, server.member("eve").await);
    let poll = json!({"content": "poll", "pollOptions": ["a", "b"]});
    let post = id_of(&bob.create(poll).await);
    let (liked, reposted) = (bob.write("liked").await, bob.write("reposted").await);
    ada.post_empty(&format!("/api/posts/{liked}/like")).await.expect(200);
    ada.repost(&reposted).await;
    let own = ada.write("own").await;
    let invite = id_of(&ada.post_empty("/api/invites").await.expect(201));
    ada.follow(&eve).await;
    for friend in [&bob, &eve] {
        friend.follow(ada).await;
    }
    let notification = id_of(&ada.get("/api/notifications").await.expect(200)[0]);
    let (bobs, eves) = (bob.id().await, eve.id().await);
    let foe = server.member("foe").await.id().await;
    let image = media::upload(ada, media::small(1)).await;
    let (prepared, cancelled) =
        (media::upload(ada, media::small(2)).await, media::create_upload(ada).await);
    let picture = || Some(json!({"imageURL": image}));
    let (phone, tablet) = (server.log_in_again(ada, "").await, server.log_in_again(&bob, "").await);
    server.log_in_again(ada, "").await;
    let ended = id_of(&ada.get("/api/auth/sessions").await.expect(200)[0]);
    let leave = WriteRequest {
        body: Some(json!({"username": eve.name().await})),
        ..WriteRequest::ending("POST", "/api/account/deletion", eve)
    };
    let with = |method, route, body| WriteRequest::new(method, route, &post, Some(body));
    let bare = |method, route, id: &str| WriteRequest::new(method, route, id, None);
    let mut member_writes = block_and_mute_writes(&foe);
    member_writes.extend(notification_writes(&notification));
    member_writes.extend([
        with("POST", "/api/posts", json!({"content": "x"})),
        bare("POST", "/api/posts/{id}/like", &post),
        bare("DELETE", "/api/posts/{id}/like", &liked),
        bare("DELETE", "/api/posts/{id}/repost", &reposted),
        bare("POST", "/api/posts/{id}/mute", &post),
        bare("DELETE", "/api/posts/{id}/mute", &post),
        with("POST", "/api/posts/{id}/vote", json!({"option": "a"})),
        bare("DELETE", "/api/posts/{id}/vote", &post),
        with("POST", "/api/follows", json!({"followingId": bobs})),
        bare("DELETE", "/api/follows/{userId}", &eves),
        bare("POST", "/api/invites", ""),
        with("PUT", "/api/users/profile", json!({"bio": "x"})),
        with("PUT", "/api/users/username", json!({"username": "ada_new"})),
        bare("DELETE", "/api/posts/{id}", &own),
        bare("POST", "/api/objects/upload", ""),
        WriteRequest::about("/api/objects/{id}/prepare", &prepared),
        WriteRequest::about("/api/objects/{id}/cancel", &cancelled),
        WriteRequest::new("PUT", "/api/profile-images", "", picture()),
        bare("DELETE", "/api/profile-images", ""),
        WriteRequest::new("PUT", "/api/header-images", "", picture()),
        bare("DELETE", "/api/header-images", ""),
        bare("DELETE", "/api/invites/{id}", &invite),
        with("POST", "/api/account/email", json!({"email": "ada.new@example.net"})),
        with("PUT", "/api/account/language", json!({"language": "de"})),
        with("POST", "/api/rules/acceptance", json!({"version": 1})),
        with("POST", "/api/account/email/code", json!({"code": "AAAAAAAA"})),
        bare("DELETE", "/api/account/email", ""),
        bare("POST", "/api/account/export", ""),
        leave,
        bare("DELETE", "/api/account/deletion", ""),
        bare("DELETE", "/api/auth/sessions/{id}", &ended),
        WriteRequest::ending("POST", "/api/auth/logout", phone),
        WriteRequest::ending("DELETE", "/api/auth/sessions", tablet),
    ]);
    member_writes
}

fn notification_writes(notification: &str) -> Vec<WriteRequest> {
    let quiet_hours = json!({"from": "22:00", "until": "07:00", "timeZone": "Europe/Berlin"});
    let (_, subscription) = push_service::subscription("plain", false);
    let (some, all) = ("/api/notifications/read", "/api/notifications/read-all");
    vec![
        WriteRequest::new("PUT", some, "", Some(json!({"ids": [notification]}))),
        WriteRequest::new("PUT", "/api/notifications/{id}/read", notification, None),
        WriteRequest::new("PUT", all, "", None),
        WriteRequest::new(
            "PUT",
            "/api/notifications/settings",
            "",
            Some(json!({"like": {"from": "none", "push": false}})),
        ),
        WriteRequest::new("PUT", "/api/notifications/quiet-hours", "", Some(quiet_hours)),
        WriteRequest::new("DELETE", "/api/notifications/quiet-hours", "", None),
        WriteRequest::new("PUT", "/api/push/subscription", "", Some(subscription)),
        WriteRequest::new("POST", "/api/push/test", "", None),
        WriteRequest::new("DELETE", "/api/push/subscription", "", None),
    ]
}

fn block_and_mute_writes(foe: &str) -> Vec<WriteRequest> {
    let routes = ["/api/blocks/{userId}", "/api/mutes/{userId}"];
    let both = |route| ["POST", "DELETE"].map(|method| WriteRequest::new(method, route, foe, None));
    routes.into_iter().flat_map(both).collect()
}

/// Vouches of a member.
async fn vouch_writes(ada: &Browser) -> Vec<WriteRequest> {
    let route = "/api/waitlist/vouches";
    let vouch = |name| json!({"email": format!("{name}@example.org")});
    let given = id_of(&ada.post(route, vouch("xen")).await.expect(200));
    vec![
        WriteRequest::new("POST", route, "", Some(vouch("yan"))),
        WriteRequest::new("DELETE", "/api/waitlist/vouches/{id}", &given, None),
    ]
}

/// Writes by an admin.
async fn admin_writes(server: &Server, ada: &Browser) -> Vec<WriteRequest> {
    let (tom, una) = (server.member("tom").await, server.member("una").await);
    let (post, bad) = (tom.write("reported").await, tom.write("bad").await);
    let report = json!({"postId": post, "reason": "spam"});
    una.post("/api/reports", report.clone()).await.expect(200);
    let queue = ada.get("/api/admin/reports").await.expect(200);
    let body = json!({"email": "vic@example.org"});
    una.post("/api/waitlist", body).await.expect(200);
    let waiting = ada.get("/api/admin/waitlist").await.expect(200);
    let (case, entry) = (id_of(&queue[0]), id_of(&waiting[0]));
    let (toms, unas) = (tom.id().await, una.id().await);
    let note = || Some(json!({"note": "why"}));
    let (suspension, freeze) =
        ("/api/admin/members/{userId}/suspension", "/api/admin/members/{userId}/invite-freeze");
    ada.json(Method::PUT, &suspension.replace("{userId}", &unas), json!({})).await.expect(204);
    ada.json(Method::PUT, &freeze.replace("{userId}", &unas), json!({})).await.expect(204);
    let rules = json!({"rules": "Be kind.", "announcement": "Caw"});
    ada.json(Method::PUT, "/api/admin/settings", rules).await.expect(200);
    let icon = media::upload(ada, media::icon(1)).await;
    let removed = tom.write("removed").await;
    ada.json(Method::PUT, &format!("/api/admin/posts/{removed}/removal"), json!({}))
        .await
        .expect(204);
    vec![
        WriteRequest::new("DELETE", "/api/admin/posts/{id}/removal", &removed, None),
        WriteRequest::new("POST", "/api/reports", "", Some(report)),
        WriteRequest::new(
            "POST",
            "/api/admin/reports/{id}/resolve",
            &case,
            Some(json!({"action": "dismiss"})),
        ),
        WriteRequest::new("PUT", "/api/admin/posts/{id}/removal", &bad, note()),
        WriteRequest::new("PUT", freeze, &toms, note()),
        WriteRequest::new("DELETE", freeze, &unas, None),
        WriteRequest::new(
            "PUT",
            "/api/admin/members/{userId}/role",
            &toms,
            Some(json!({"role": "moderator"})),
        ),
        WriteRequest::new("PUT", suspension, &toms, note()),
        WriteRequest::new("DELETE", suspension, &unas, None),
        WriteRequest::new("POST", "/api/admin/waitlist/{id}/admit", &entry, None),
        WriteRequest::new(
            "PUT",
            "/api/admin/settings",
            "",
            Some(json!({"name": "Rookery", "rules": "Be kind.", "announcement": "Caw"})),
        ),
        WriteRequest::new(
            "POST",
            "/api/admin/settings/announcement/mails",
            "",
            Some(json!({"version": 1})),
        ),
        WriteRequest::new("PUT", "/api/admin/settings/icon", "", Some(json!({"imageURL": icon}))),
        WriteRequest::new("DELETE", "/api/admin/settings/icon", "", None),
    ]
}

/// Notices, and objections to them.
async fn notice_writes(server: &Server, ada: &Browser) -> Vec<WriteRequest> {
    let (ben, cal) = (server.member("ben").await, server.member("cal").await);
    let own = ada.write("removed by the operator").await;
    server.remove_post(&own).await;
    let own_notice = id_of(&ada.get("/api/moderation-notices").await.expect(200)[0]);
    let mut tokens = Vec::new();
    for (friend, email) in [(&ben, "ben@example.org"), (&cal, "cal@example.org")] {
        server.remove_post(&friend.write("removed").await).await;
        let mail = server.mail_to(email).await;
        let (_, token) = mail.split_once("/notice#").unwrap();
        tokens.push(token.lines().next().unwrap().trim().to_owned());
    }
    let dan = server.member("dan").await;
    let bad = dan.write("bad").await;
    let founder = server.founder().await;
    let path = format!("/api/admin/posts/{bad}/removal");
    founder.json(Method::PUT, &path, json!({})).await.expect(204);
    let notice = id_of(&dan.get("/api/moderation-notices").await.expect(200)[0]);
    let objection = json!({"text": "Why?"});
    let path = format!("/api/moderation-notices/{notice}/objection");
    dan.post(&path, objection.clone()).await.expect(200);
    let by_link = "/api/moderation-notices/by-link";
    vec![
        WriteRequest::new("POST", by_link, "", Some(json!({"token": tokens[0]}))),
        WriteRequest::new(
            "POST",
            "/api/moderation-notices/by-link/objection",
            "",
            Some(json!({"token": tokens[1], "text": "Why?"})),
        ),
        WriteRequest::new(
            "POST",
            "/api/moderation-notices/{id}/objection",
            &own_notice,
            Some(objection),
        ),
        WriteRequest::new("POST", "/api/moderation-notices/read", "", None),
        WriteRequest::new(
            "POST",
            "/api/admin/objections/{id}/resolve",
            &notice,
            Some(json!({"action": "reject"})),
        ),
    ]
}

/// Requests of visitors who join, log in or confirm an email address.
async fn visitor_writes(server: &Server) -> Vec<WriteRequest> {
    let code = server.founder_code();
    let link = server.request_sign_up_link(&server.visitor(), "kim", &code).await;
    let token = link.split(['=', '&']).nth(1).unwrap();
    server.wait_for_mail_queue().await;
    let pam = server.member("pam").await;
    let change_request = json!({"email": "pam.new@example.net"});
    pam.post("/api/account/email", change_request).await.expect(200);
    let change = token_in(&server.mail_to("pam.new@example.net").await, "new");
    let post = |route, body| WriteRequest::new("POST", route, "", Some(body));
    let mail = |name: &str| json!({"email": format!("{name}@example.org"), "inviteCode": code});
    let address = media::create_upload(&server.founder().await).await;
    let path = address.strip_prefix("http://localhost:8080").unwrap();
    let mut send = WriteRequest::new("PUT", "/api/objects/{id}", "", None);
    path.clone_into(&mut send.path);
    let unsubscribe_url = digest::unsubscribe_url(&server.state, Id::parse(&pam.id().await));
    let path = unsubscribe_url.strip_prefix("http://localhost:8080").unwrap();
    let mut unsubscribe = WriteRequest::new("POST", "/api/digest/unsubscribe", "", None);
    path.clone_into(&mut unsubscribe.path);
    vec![
        send,
        unsubscribe,
        post("/api/waitlist", mail("fay")),
        post(
            "/api/client-errors",
            json!({"source": "row", "route": "/", "name": "TypeError", "frames": ""}),
        ),
        post("/api/auth/request-login-link", mail("bob")),
        post("/api/auth/request-magic-link", mail("lin")),
        post("/api/auth/verify", json!({"token": token, "email": "kim@example.org"})),
        post("/api/account/email/confirm", json!({"token": change})),
        post("/api/auth/verify-code", json!({"code": "AAAAAAAA"})),
    ]
}

/// Requests for every writing endpoint, sent by an admin. Panics if the OpenAPI document has one that is missing here.
pub(crate) async fn every_write(server: &Server, ada: &Browser) -> Vec<WriteRequest> {
    let mut all = member_writes(server, ada).await;
    all.extend(vouch_writes(ada).await);
    all.extend(admin_writes(server, ada).await);
    all.extend(notice_writes(server, ada).await);
    all.extend(visitor_writes(server).await);
    let known = |call: &Call| {
        let mut named = all.iter();
        named.any(|request| request.method == call.method && request.route == call.path)
    };
    let unknown = routes::all().into_iter().find(|call| call.writes() && !known(call));
    assert!(unknown.is_none(), "no request for {unknown:?}");
    all
}
