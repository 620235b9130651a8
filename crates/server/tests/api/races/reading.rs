//! Concurrent reads of notifications, renames and waitlist entries.

use super::{join_all_responses, statuses};
use crate::harness::{Browser, id_of, on_both_engines};
use axum::http::Method;
use kith_db::{Sql, params, sql};
use serde_json::json;
use std::collections::BTreeMap;
use tokio::task::JoinSet;

const WAITING: Sql = sql!("select count(*) from waitlist");
const TERMS: Sql = sql!("select count(*) from search_terms where member_id = $1");
const UNREAD: Sql =
    sql!("select count(*) from notifications where member_id = $1 and read_at is null");

async fn count_results(viewer: &Browser, term: &str) -> usize {
    let list = viewer.get(&format!("/api/users/search?q={term}")).await;
    list.expect(200).as_array().unwrap().len()
}

on_both_engines! {
    /// While notifications arrive and are read, the badge equals the unread rows, and no read one
    /// becomes unread.
    /// proves: counters-exact, call-notification-read
    async fn notifications_can_be_read_while_they_arrive(server) {
        let ada = server.member("ada").await;
        let mut fans = Vec::new();
        for n in 0..6 {
            fans.push(server.member(&format!("fan{n}")).await);
        }
        for fan in &fans[..3] {
            fan.follow(&ada).await;
        }
        let first = id_of(&ada.get("/api/notifications").await.expect(200)[0]);
        let (id, body) = (ada.id().await, json!({"followingId": ada.id().await}));
        let mut tasks = JoinSet::new();
        for n in 0..10 {
            let (tab, path) = (ada.tab(), format!("/api/notifications/{first}/read"));
            tasks.spawn(async move {
                let path = if n == 5 { "/api/notifications/read-all" } else { &path };
                tab.json(Method::PUT, path, json!({})).await
            });
        }
        for fan in &fans[3..] {
            let (tab, body) = (fan.tab(), body.clone());
            tasks.spawn(async move { tab.post("/api/follows", body).await });
        }
        assert_eq!(statuses(&join_all_responses(tasks).await), BTreeMap::from([(200, 3), (204, 10)]));
        let unread = ada.me().await["unreadNotificationCount"].as_i64().unwrap();
        assert_eq!(unread, server.count(&UNREAD, params![id.parse::<i64>().unwrap()]).await);
        let list = ada.get("/api/notifications").await.expect(200);
        let list = list.as_array().unwrap();
        let old = list.iter().rev().take(3).filter(|row| row["isRead"] == false).count();
        assert_eq!((list.len(), old), (6, 0));
        assert!(unread <= 3, "{unread}");
    }

    /// A follow sent 20 times concurrently makes one follower and one notification.
    /// proves: follow-once, notification-once
    async fn one_follow_notifies_once(server) {
        let (ada, bob) = (server.member("ada").await, server.member("bob").await);
        let mut tasks = JoinSet::new();
        for _ in 0..20 {
            let (tab, body) = (bob.tab(), json!({"followingId": ada.id().await}));
            tasks.spawn(async move { tab.post("/api/follows", body).await });
        }
        assert_eq!(statuses(&join_all_responses(tasks).await), BTreeMap::from([(200, 20)]));
        let me = ada.me().await;
        assert_eq!((&me["followerCount"], &me["unreadNotificationCount"]), (&json!(1), &json!(1)));
    }

    /// An email that joins the waitlist 20 times concurrently is listed once.
    /// proves: waitlist-once
    async fn one_email_is_on_the_waitlist_once(server) {
        let mut tasks = JoinSet::new();
        for n in 0..20 {
            let visitor = server.visitor();
            let email = if n % 2 == 0 { "eve@example.org" } else { "EVE@example.org" };
            tasks.spawn(async move { visitor.post("/api/waitlist", json!({"email": email})).await });
        }
        assert_eq!(statuses(&join_all_responses(tasks).await), BTreeMap::from([(200, 20)]));
        assert_eq!(server.count(&WAITING, &[]).await, 1);
    }

    /// Of many concurrent renames one wins and alone is found; other changes are kept.
    /// proves: search-changes, call-update-profile
    async fn the_final_display_name_is_found(server) {
        let (ada, bob) = (server.member("ada").await, server.member("bob").await);
        let names = ["Alpha", "Bravo", "Charlie", "Delta", "Echoes", "Foxtrot"];
        let mut tasks = JoinSet::new();
        for name in names {
            for body in [json!({"displayName": name}), json!({"bio": "kept"})] {
                let tab = ada.tab();
                tasks.spawn(async move { tab.json(Method::PUT, "/api/users/profile", body).await });
            }
        }
        assert_eq!(statuses(&join_all_responses(tasks).await), BTreeMap::from([(200, 12)]));
        let me = ada.me().await;
        assert_eq!(me["bio"], "kept");
        for name in names {
            assert_eq!(count_results(&bob, name).await == 1, me["displayName"] == name, "{name}");
        }
        // As many search terms as of a name that was never changed.
        let id = ada.id().await.parse::<i64>().unwrap();
        let terms = server.count(&TERMS, params![id]).await;
        for name in ["Golf", me["displayName"].as_str().unwrap()] {
            ada.json(Method::PUT, "/api/users/profile", json!({"displayName": name})).await.expect(200);
        }
        assert_eq!(server.count(&TERMS, params![id]).await, terms);
    }

    /// An invite code revoked many times concurrently is returned to the quota once.
    /// proves: invite-revoke, invite-revoked-returns
    async fn a_revoked_code_returns_to_the_quota_once(server) {
        let ada = server.member("ada").await;
        let id = id_of(&ada.post_empty("/api/invites").await.expect(201));
        ada.post_empty("/api/invites").await.expect(201);
        let mut tasks = JoinSet::new();
        for _ in 0..10 {
            let (tab, path) = (ada.tab(), format!("/api/invites/{id}"));
            tasks.spawn(async move { tab.delete(&path).await });
        }
        assert_eq!(statuses(&join_all_responses(tasks).await), BTreeMap::from([(204, 10)]));
        assert_eq!(ada.me().await["invitesAvailable"], 2);
    }

    /// A post deleted from many tabs concurrently is counted once.
    /// proves: post-delete-again, counters-exact
    async fn a_post_is_deleted_once(server) {
        let (ada, bob) = (server.member("ada").await, server.member("bob").await);
        let root = ada.write("root").await;
        bob.reply(&root, "stays").await;
        let reply = bob.reply(&root, "goes").await;
        let mut tasks = JoinSet::new();
        for _ in 0..10 {
            let (tab, path) = (bob.tab(), format!("/api/posts/{reply}"));
            tasks.spawn(async move { tab.delete(&path).await });
        }
        assert_eq!(statuses(&join_all_responses(tasks).await), BTreeMap::from([(204, 10)]));
        assert_eq!((&bob.me().await["postCount"], &ada.get_post(&root).await["replyCount"]), (&json!(1), &json!(1)));
    }
}
