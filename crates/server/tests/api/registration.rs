//! Settings of who can join, members' invites, limits for new members and pinned topics.

use crate::harness::{Browser, Server, TestResponse, on_both_engines};
use axum::http::Method;
use futures_util::future::join_all;
use kith::features::members::Role;
use kith::platform::clock::DAY;
use serde_json::{Value, json};

const SIGN_UP: &str = "/api/auth/request-magic-link";

/// Replaces all settings.
async fn set(admin: &Browser, body: Value) -> Value {
    admin.json(Method::PUT, "/api/admin/settings", body).await.expect(200)
}

async fn make_code(member: &Browser) -> String {
    let invite = member.post_empty("/api/invites").await.expect(201);
    invite["code"].as_str().unwrap().to_owned()
}

async fn request_link(server: &Server, code: &str) -> TestResponse {
    let body = json!({"email": "someone@example.org", "inviteCode": code});
    server.visitor().post(SIGN_UP, body).await
}

async fn available(member: &Browser) -> i64 {
    member.me().await["invitesAvailable"].as_i64().unwrap()
}

async fn post(member: &Browser, n: usize) -> TestResponse {
    member.post("/api/posts", json!({"content": format!("Post {n}")})).await
}

on_both_engines! {
    /// proves: registration-closed, registration-closed-invites
    async fn closed_registration_admits_only_people_of_the_operator(server) {
        let (kim, ada) = (server.admin("kim").await, server.member("ada").await);
        let (code, mailed) = (make_code(&ada).await, make_code(&ada).await);
        let bob = server.visitor();
        let link = server.request_sign_up_link(&bob, "bob", &mailed).await;
        server.visitor().post("/api/waitlist", json!({"email": "eve@example.org"})).await.expect(200);
        set(&kim, json!({"registration": "closed"})).await;

        assert_eq!(server.visitor().get("/api/site").await.expect(200)["registration"], "closed");
        let waiting = server.visitor().post("/api/waitlist", json!({"email": "max@example.org"})).await;
        assert_eq!(waiting.error_code(403), "registration_closed");
        assert_eq!(waiting.expect(403)["message"], "Registration is closed for now.");
        // The response does not reveal whether there is such a code.
        for code in [code.as_str(), "AAAABBBBCCCC"] {
            let response = request_link(&server, code).await;
            assert_eq!(response.expect(403), waiting.expect(403));
        }
        assert_eq!(bob.get(&link).await.error_code(403), "registration_closed");
        assert_eq!(ada.post_empty("/api/invites").await.error_code(403), "registration_closed");
        assert_eq!(available(&ada).await, 0);

        server.member("cat").await;
        let entries = kim.get("/api/admin/waitlist").await.expect(200);
        let entry = entries[0]["id"].as_str().unwrap();
        kim.post_empty(&format!("/api/admin/waitlist/{entry}/admit")).await.expect(204);
        let mail = server.mail_to("eve@example.org").await;
        let admitted = mail.lines().find(|line| line.len() == 12).unwrap();
        server.member_with("eve", admitted).await;

        set(&kim, json!({})).await;
        assert_eq!(available(&ada).await, 1);
        bob.get(&link).await.expect(200);
        request_link(&server, &code).await.expect(200);
    }

    /// proves: registration-quota, registration-lifetime
    async fn quota_and_lifetime_of_invites_are_set(server) {
        let (kim, ada) = (server.admin("kim").await, server.member("ada").await);
        make_code(&ada).await;
        set(&kim, json!({"invitesPerMonth": 5, "inviteDays": 30})).await;
        assert_eq!(available(&ada).await, 4);
        let invite = ada.post_empty("/api/invites").await.expect(201);
        assert_eq!(invite["expiresAt"], "2026-12-21T09:30:00.000Z");
        assert_eq!(ada.get("/api/invites").await.expect(200)[0]["expiresAt"], invite["expiresAt"]);
        for _ in 0..3 {
            make_code(&ada).await;
        }
        let response = ada.post_empty("/api/invites").await;
        assert_eq!(response.error_code(409), "no_invites_left");
        assert_eq!(response.expect(409)["message"], "You have no invites left. You will get more next month.");
        // Ten were granted in November and December. Four are used up: the first code expired after seven days.
        server.advance_clock(10 * DAY);
        let ada = server.log_in("ada").await;
        assert_eq!(available(&ada).await, 6);
        let kim = server.log_in("kim").await;
        set(&kim, json!({"invitesPerMonth": 0})).await;
        assert_eq!(available(&ada).await, 0);
        let response = ada.post_empty("/api/invites").await;
        assert_eq!(response.expect(409)["message"], "You have no invites left.");
        let site = server.visitor().get("/api/site").await.expect(200);
        assert_eq!((&site["invitesPerMonth"], &site["inviteDays"]), (&json!(0), &json!(7)));

        set(&kim, json!({"inviteDays": 1})).await;
        server.visitor().post("/api/waitlist", json!({"email": "eve@example.org"})).await.expect(200);
        let entries = kim.get("/api/admin/waitlist").await.expect(200);
        let entry = entries[0]["id"].as_str().unwrap();
        kim.post_empty(&format!("/api/admin/waitlist/{entry}/admit")).await.expect(204);
        let mail = server.mail_to("eve@example.org").await;
        assert!(mail.contains("expires in 1 day."), "{mail}");
        server.advance_clock(DAY);
        let admitted = mail.lines().find(|line| line.len() == 12).unwrap();
        assert_eq!(request_link(&server, admitted).await.error_code(400), "invalid");
    }

    /// proves: new-members-posts, new-members-days
    async fn new_members_post_less(server) {
        let (kim, ada) = (server.admin("kim").await, server.member("ada").await);
        set(&kim, json!({"newMemberDays": 2, "newMemberPosts": 3})).await;
        let posts = (0..8).map(|n| post(&ada, n));
        let responses = join_all(posts).await;
        let posted = responses.iter().filter(|response| response.status == 201).count();
        assert_eq!(posted, 3, "concurrent posts do not exceed it");
        let rejected = responses.iter().find(|response| response.status != 201).unwrap();
        assert_eq!(rejected.error_code(409), "new_member_limit");
        let own = ada.get(&format!("/api/users/{}/posts", ada.name().await)).await.expect(200);
        assert_eq!(own.as_array().unwrap().len(), 3);
        let reply = json!({"content": "Reply", "replyToId": own[0]["id"]});
        assert_eq!(ada.post("/api/posts", reply).await.error_code(409), "new_member_limit");
        let repost = json!({"repostOfId": own[0]["id"]});
        ada.post("/api/posts", repost).await.expect(201);
        for n in 0..4 {
            post(&kim, n).await.expect(201);
        }
        server.advance_clock(DAY + 1);
        for n in 0..3 {
            post(&ada, n).await.expect(201);
        }
        assert_eq!(post(&ada, 4).await.error_code(409), "new_member_limit");
        server.advance_clock(DAY);
        for n in 0..4 {
            post(&ada, n).await.expect(201);
        }
    }

    /// proves: new-members-follows
    async fn new_members_follow_less(server) {
        let (kim, ada) = (server.admin("kim").await, server.member("ada").await);
        set(&kim, json!({"newMemberDays": 1, "newMemberFollows": 2})).await;
        let mut others = Vec::new();
        for n in 0..4 {
            others.push(server.with_role(&format!("other{n}"), Role::Member).await.id().await);
        }
        let follow = |id: &String| ada.post("/api/follows", json!({"followingId": id.clone()}));
        let responses = join_all(others.iter().map(follow)).await;
        let followed = responses.iter().filter(|response| response.status == 200).count();
        assert_eq!(followed, 2, "concurrent follows do not exceed it");
        let rejected = responses.iter().find(|response| response.status != 200).unwrap();
        assert_eq!(rejected.error_code(409), "new_member_limit");
        assert_eq!(ada.me().await["followingCount"], 2);
        server.advance_clock(DAY);
        for response in join_all(others.iter().map(follow)).await {
            response.expect(200);
        }
    }

    /// proves: trending-pinned
    async fn an_admin_pins_topics(server) {
        let kim = server.admin("kim").await;
        kim.post("/api/posts", json!({"content": "#roses"})).await.expect(201);
        let topics = json!([{"tag": "#Roses", "category": " Beds "}, {"tag": "Tea", "category": "Drinks"}]);
        let saved = set(&kim, json!({"pinnedTopics": topics})).await;
        let stored = json!([{"tag": "Roses", "category": "Beds"}, {"tag": "Tea", "category": "Drinks"}]);
        assert_eq!(saved["pinnedTopics"], stored);
        let listed = kim.get("/api/trending").await.expect(200);
        assert_eq!(listed, json!([
            {"tag": "Roses", "category": "Beds", "postCount": 1}, {"tag": "Tea", "category": "Drinks", "postCount": 0},
        ]));
        set(&kim, json!({"pinnedTopics": []})).await;
        server.advance_clock(60_000);
        let listed = kim.get("/api/trending").await.expect(200);
        assert_eq!(listed, json!([{"tag": "roses", "category": null, "postCount": 1}]));
        assert_eq!(set(&kim, json!({})).await["pinnedTopics"][0], json!({"tag": "WebDev", "category": "Technology"}));
    }

    /// proves: registration-bounds, trending-pinned
    async fn values_out_of_bounds_name_their_field(server) {
        let kim = server.admin("kim").await;
        let many = vec![json!({"tag": "a", "category": "b"}); 7];
        for (field, value) in [
            ("invitesPerMonth", json!(-1)), ("invitesPerMonth", json!(101)), ("inviteDays", json!(0)), ("inviteDays", json!(91)),
            ("newMemberDays", json!(31)), ("newMemberPosts", json!(0)), ("newMemberFollows", json!(401)),
            ("pinnedTopics", json!(many)), ("pinnedTopics", json!([{"tag": "a b", "category": "c"}])),
        ] {
            let response = kim.json(Method::PUT, "/api/admin/settings", json!({field: value})).await;
            assert_eq!(response.error_code(422), "invalid", "{field} {value}");
            assert!(response.expect(422)["fields"][field].is_string(), "{field} {value}");
        }
        let settings = kim.get("/api/admin/settings").await.expect(200);
        let values = ["newMemberDays", "newMemberPosts", "newMemberFollows", "version"].map(|name| settings[name].as_i64());
        assert_eq!(values, [Some(0), Some(20), Some(50), Some(0)]);
    }
}
