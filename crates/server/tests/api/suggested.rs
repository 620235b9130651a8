//! Suggested members.

use crate::harness::{Browser, on_both_engines};
use axum::http::Method;
use kith::features::members::Role;
use serde_json::{Value, json};

const LIST: &str = "/api/users/suggested";

async fn suggested(viewer: &Browser) -> Vec<(String, Value)> {
    let list = viewer.get(LIST).await.expect(200);
    let list = list.as_array().unwrap().iter();
    list.map(|user| (user["id"].as_str().unwrap().to_owned(), user["reason"].clone())).collect()
}

on_both_engines! {
    /// First members followed by most of the viewer's follows, then followers, then popular authors, then the newest.
    /// proves: call-suggested, suggestions-order, suggestions-never, suggestions-why, entity-reason
    async fn close_members_come_first(server) {
        let (ada, x, y) = (server.member("ada").await, server.member("x").await, server.member("y").await);
        let (both, single) = (server.member("both").await, server.member("single").await);
        let (fan, author) = (server.member("fan").await, server.member("author").await);
        let newest = server.member("newest").await;
        for (follower, followee) in [(&ada, &x), (&ada, &y), (&x, &both), (&y, &both), (&y, &single), (&x, &ada), (&x, &y), (&fan, &ada)] {
            follower.follow(followee).await;
        }
        let post = author.write("read me").await;
        newest.write("unread").await;
        for viewer in [&x, &y, &fan] {
            viewer.post_empty(&format!("/api/posts/{post}/like")).await.expect(200);
        }
        let list = suggested(&ada).await;
        let ids = list.iter().map(|(id, _)| id.as_str()).collect::<Vec<_>>();
        let (both, single, fan) = (both.id().await, single.id().await, fan.id().await);
        let (author, newest) = (author.id().await, newest.id().await);
        assert_eq!(ids[..5], [&both, &single, &fan, &author, &newest]);
        // The founder is last; the viewer and followed members are absent.
        assert_eq!(ids.len(), 6);
        assert_eq!(list[0].1["message"], "Followed by New member and 1 other you follow");
        let reason = |code: &str, message: &str, name: Option<&str>, others: Option<i64>| {
            json!({"code": code, "message": message, "name": name, "others": others})
        };
        let name = Some("New member");
        assert_eq!(list[1].1, reason("followed_by", "Followed by New member", name, Some(0)));
        assert_eq!(list[2].1, reason("follows_you", "Follows you", None, None));
        assert_eq!(list[3].1, reason("popular", "Popular on this network", None, None));
        assert_eq!(list[4].1, reason("new", "New on this network", None, None));
    }

    /// Following a member removes them from the list immediately; unfollowing restores them.
    /// proves: suggestions-never
    async fn suggestions_change_with_follows(server) {
        let (ada, bob) = (server.member("ada").await, server.member("bob").await);
        let id = bob.id().await;
        let has = async || suggested(&ada).await.iter().any(|(other, _)| *other == id);
        assert!(has().await);
        ada.follow(&bob).await;
        assert!(!has().await);
        ada.delete(&format!("/api/follows/{id}")).await.expect(200);
        assert!(has().await);
    }

    /// Reasons show current names and never name a suspended member.
    /// proves: suggestions-why, entity-user-invited-by, memory-equal
    async fn a_changed_name_is_shown_immediately(server) {
        let (ada, eve) = (server.member("ada").await, server.member("eve").await);
        let code = ada.post_empty("/api/invites").await.expect(201)["code"].as_str().unwrap().to_owned();
        let bob = server.member_with("bob", &code).await;
        ada.follow(&bob).await;
        eve.follow(&ada).await;
        let id = bob.id().await;
        let seen = async || {
            let list = eve.get(LIST).await.expect(200);
            let bob = list.as_array().unwrap().iter().find(|user| user["id"] == id).unwrap().clone();
            let found = eve.get(&format!("/api/users/search?q={}", bob["username"].as_str().unwrap())).await.expect(200);
            assert_eq!(found[0]["invitedBy"], bob["invitedBy"]);
            (bob["invitedBy"]["displayName"].clone(), bob["reason"]["message"].clone())
        };
        assert_eq!(seen().await, (json!("New member"), json!("Followed by New member")));
        ada.json(Method::PUT, "/api/users/profile", json!({"displayName": "Ada"})).await.expect(200);
        assert_eq!(seen().await, (json!("Ada"), json!("Followed by Ada")));
        let moderator = server.with_role("mia", Role::Moderator).await;
        let suspension = format!("/api/admin/members/{}/suspension", ada.id().await);
        moderator.json(Method::PUT, &suspension, json!({"note": ""})).await.expect(204);
        assert_eq!(seen().await, (json!(null), json!("New on this network")));
        moderator.json(Method::DELETE, &suspension, json!({"note": ""})).await.expect(204);
        assert_eq!(seen().await, (json!("Ada"), json!("Followed by Ada")));
    }

    /// The default page size is ten, and pages do not overlap.
    /// proves: suggestions-10, wire-limit-default
    async fn pages_do_not_overlap(server) {
        let ada = server.member("ada").await;
        for n in 0..12 {
            server.member(&format!("m{n}")).await;
        }
        assert_eq!(suggested(&ada).await.len(), 10);
        let mut seen = Vec::new();
        for offset in [0, 5, 10] {
            let page = ada.get(&format!("{LIST}?limit=5&offset={offset}")).await.expect(200);
            seen.extend(page.as_array().unwrap().iter().map(|user| user["id"].as_str().unwrap().to_owned()));
        }
        assert_eq!(seen.len(), 13, "twelve and the founder");
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen.len(), 13);
    }

    /// Of many mutual friends one is named and the others are counted.
    /// proves: suggestions-why
    async fn many_friends_are_counted(server) {
        let (ada, star) = (server.member("ada").await, server.member("star").await);
        for n in 0..3 {
            let friend = server.member(&format!("friend{n}")).await;
            ada.follow(&friend).await;
            friend.follow(&star).await;
        }
        let first = suggested(&ada).await.remove(0);
        let message = "Followed by New member and 2 others you follow";
        let reason = json!({"code": "followed_by", "message": message, "name": "New member", "others": 2});
        assert_eq!(first, (star.id().await, reason));
    }
}
