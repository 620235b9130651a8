//! Mentions: resolved when the text is written, and notified to the named members.

use crate::harness::on_both_engines;
use axum::http::Method;
use kith::features::members::SanctionKind;
use serde_json::json;

on_both_engines! {
    /// Only names of members are resolved; positions are in UTF-16 units.
    /// proves: mention-resolved, entity-post-mentions
    async fn names_are_resolved(server) {
        let (ada, bob) = (server.member("ada").await, server.member("bob").await);
        let name = bob.name().await;
        let post = ada.create(json!({"content": format!("👋 @{}, @unknown_user and a@{name}", name.to_uppercase())})).await;
        assert_eq!(post["mentions"], json!([{"username": name, "start": 3, "end": 4 + name.len()}]));
        assert_eq!(bob.me().await["unreadNotificationCount"], 1);
        assert_eq!(ada.me().await["unreadNotificationCount"], 0);
    }

    /// A mention notifies once per post, not the author, and not beside the notification of a reply.
    async fn a_mention_notifies_once(server) {
        let (ada, bob) = (server.member("ada").await, server.member("bob").await);
        let (me, other) = (ada.name().await, bob.name().await);
        let post = bob.write("hello").await;
        ada.write(&format!("@{other} @{other} @{me}")).await;
        assert_eq!(bob.me().await["unreadNotificationCount"], 1);
        ada.reply(&post, &format!("@{other} indeed")).await;
        assert_eq!(bob.me().await["unreadNotificationCount"], 2);
        assert_eq!(ada.me().await["unreadNotificationCount"], 0);
    }

    /// Every member named in a post is notified.
    async fn all_named_members_are_notified(server) {
        let ada = server.member("ada").await;
        let mut friends = Vec::new();
        let mut text = String::new();
        for n in 0..4 {
            let friend = server.member(&format!("friend{n}")).await;
            text = format!("{text} @{}", friend.name().await);
            friends.push(friend);
        }
        let post = ada.create(json!({"content": text})).await;
        assert_eq!(post["mentions"].as_array().unwrap().len(), 4);
        for friend in friends {
            assert_eq!(friend.me().await["unreadNotificationCount"], 1);
        }
    }

    /// A mention of a suspended member has no link, including by the provisional username.
    /// proves: suspended-unseen, suspended-back
    async fn earlier_names_of_suspended_members_have_no_link(server) {
        let (ada, bob) = (server.member("ada").await, server.member("bob").await);
        let earlier = bob.name().await;
        let mut posts = vec![ada.write(&format!("hello @{earlier}")).await];
        bob.json(Method::PUT, "/api/users/username", json!({"username": "robert"})).await.expect(200);
        posts.push(ada.write(&format!("hello @robert, once @{earlier}")).await);
        let mentions = async || {
            let mut mentions = Vec::new();
            for post in &posts {
                mentions.push(ada.get_post(post).await["mentions"].as_array().unwrap().len());
            }
            mentions
        };
        assert_eq!(mentions().await, [1, 2]);
        server.apply_sanction("robert", SanctionKind::Suspend).await.unwrap();
        assert_eq!(mentions().await, [0, 0]);
        server.apply_sanction("robert", SanctionKind::Unsuspend).await.unwrap();
        assert_eq!(mentions().await, [1, 2]);
    }
}
