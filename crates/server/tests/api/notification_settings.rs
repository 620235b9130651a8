//! Notification settings of each type, and muted conversations.

use crate::harness::{Browser, on_both_engines};
use axum::http::Method;
use serde_json::{Value, json};

const PATH: &str = "/api/notifications/settings";

/// Sets which members' actions of a type notify.
async fn set(browser: &Browser, kind: &str, from: &str) {
    let changed = browser
        .json(Method::PUT, PATH, json!({kind: {"from": from, "push": true}}))
        .await
        .expect(200);
    assert_eq!(changed[kind]["from"], from);
    assert_eq!(browser.get(PATH).await.expect(200), changed);
}

/// The types of the member's notifications, newest first.
async fn types(browser: &Browser) -> Vec<String> {
    let list = browser.get("/api/notifications").await.expect(200);
    let kind = |row: &Value| row["type"].as_str().unwrap().to_owned();
    list.as_array().unwrap().iter().map(kind).collect()
}

on_both_engines! {
    /// proves: notification-settings, call-notification-settings, call-update-notification-settings
    async fn each_type_notifies_of_everyone_of_followed_ones_or_of_none(server) {
        let (ada, friend, stranger) =
            (server.member("ada").await, server.member("fay").await, server.member("sam").await);
        ada.follow(&friend).await;
        let kinds = ["follow", "like", "reply", "repost", "mention"];
        let settings = ada.get(PATH).await.expect(200);
        for kind in kinds {
            let push = !matches!(kind, "like" | "repost");
            assert_eq!(settings[kind], json!({"from": "everyone", "push": push}));
        }
        let name = ada.name().await;
        let act = async |browser: &Browser, post: &str| {
            browser.follow(&ada).await;
            browser.post_empty(&format!("/api/posts/{post}/like")).await.expect(200);
            browser.reply(post, "a reply").await;
            browser.repost(post).await;
            browser.write(&format!("hello @{name}")).await;
        };
        for kind in kinds {
            set(&ada, kind, "following").await;
        }
        let post = ada.write("mine").await;
        act(&stranger, &post).await;
        assert_eq!(types(&ada).await, Vec::<String>::new());
        act(&friend, &post).await;
        assert_eq!(types(&ada).await, ["mention", "repost", "reply", "like", "follow"]);
        set(&ada, "like", "none").await;
        set(&ada, "mention", "everyone").await;
        act(&friend, &ada.write("more").await).await;
        act(&stranger, &ada.write("and more").await).await;
        assert_eq!(types(&ada).await[..4], ["mention", "mention", "repost", "reply"]);
        assert_eq!(types(&ada).await.len(), 9);
        // Excluded actions are not counted either.
        assert_eq!(ada.me().await["unreadNotificationCount"], 9);
        let before = ada.get(PATH).await.expect(200);
        for body in [json!({}), json!({"like": null})] {
            assert_eq!(ada.json(Method::PUT, PATH, body).await.expect(200), before);
        }
        for body in [json!({"like": {"from": "friends", "push": true}}), json!({"like": "none"}), json!({"like": {}})] {
            assert_eq!(ada.json(Method::PUT, PATH, body).await.status, 400);
        }
    }

    /// proves: conversation-mute, call-conversation-mute
    async fn a_muted_conversation_does_not_notify(server) {
        let (ada, ben) = (server.member("ada").await, server.member("ben").await);
        let name = ada.name().await;
        let root = ben.write("the start").await;
        let reply = ada.reply(&root, "mine").await;
        let mute = format!("/api/posts/{reply}/mute");
        assert_eq!(ada.get(&mute).await.expect(200), json!({"isMuted": false}));
        for _ in 0..2 {
            assert_eq!(ada.post_empty(&mute).await.expect(200), json!({"isMuted": true}));
        }
        // Every post of the conversation names it, and so does a repost of one.
        let repost = ben.repost(&reply).await;
        for post in [&root, &reply, &repost] {
            let muted = ada.get(&format!("/api/posts/{post}/mute")).await.expect(200);
            assert_eq!(muted, json!({"isMuted": true}), "{post}");
        }
        let answer = ben.reply(&reply, "and?").await;
        ben.reply(&root, &format!("@{name} look")).await;
        ben.post_empty(&format!("/api/posts/{reply}/like")).await.expect(200);
        ben.repost(&reply).await;
        assert_eq!(types(&ada).await, Vec::<String>::new());
        // Other conversations notify, and so do other members' notifications in this one.
        ben.write(&format!("hello @{name}")).await;
        ada.reply(&answer, "yes").await;
        assert_eq!(types(&ada).await, ["mention"]);
        assert_eq!(types(&ben).await, ["reply", "reply"]);
        for _ in 0..2 {
            assert_eq!(ada.delete(&mute).await.expect(200), json!({"isMuted": false}));
        }
        ben.reply(&reply, "again").await;
        assert_eq!(types(&ada).await[0], "reply");
        assert_eq!(ada.post_empty("/api/posts/1/mute").await.status, 404);
        assert_eq!(ada.get("/api/posts/1/mute").await.status, 404);
        ben.post_empty(&format!("/api/blocks/{}", ada.id().await)).await.expect(200);
        for post in [&root, &repost] {
            let path = format!("/api/posts/{post}/mute");
            assert_eq!(ada.get(&path).await.status, 404);
            assert_eq!(ada.post_empty(&path).await.status, 404);
        }
    }
}
