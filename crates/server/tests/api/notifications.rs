//! Notifications of other members' actions.

use crate::harness::{Browser, on_both_engines};
use axum::http::Method;
use kith::features::notifications;
use kith::platform::ids::Id;
use kith_db::{Sql, Tx, Write, params, sql};
use serde_json::{Value, json};

const NOTIFICATIONS: Sql = sql!(
    "insert into notifications (member_id, id, kind, actor_id, post_id) values ($1, $2, $3, $4, $5)"
);
const READ_AT: Sql = sql!("select read_at from notifications where member_id = $1 and id = $2");
const LEFT: Sql = sql!("select count(*) from notifications where member_id = $1 and post_id = $2");

/// Inserts notifications for many likes or reposts: by one actor of many posts, or by many actors of one post.
struct Popular {
    member: i64,
    ids: std::ops::Range<i64>,
    kind: i64,
    /// A different actor per row if `None`.
    actor: Option<i64>,
    post: Option<i64>,
}

impl Write for Popular {
    type Out = ();
    type Err = kith_db::Error;

    async fn run(&self, tx: &mut Tx) -> kith_db::Result<()> {
        for id in self.ids.clone() {
            let (actor, post) = (self.actor.unwrap_or(id), self.post.unwrap_or(id));
            let bound = params![self.member, id, self.kind, actor, post];
            tx.exec(&NOTIFICATIONS, bound).await?;
        }
        Ok(())
    }
}

async fn listed(browser: &Browser) -> Vec<Value> {
    browser.get("/api/notifications?limit=50").await.expect(200).as_array().unwrap().clone()
}

async fn types(browser: &Browser) -> Vec<String> {
    listed(browser).await.iter().map(|row| row["type"].as_str().unwrap().to_owned()).collect()
}

async fn put(browser: &Browser, path: &str) -> u16 {
    browser.json(Method::PUT, path, json!({})).await.status.as_u16()
}

on_both_engines! {
    /// Each action creates one notification about the right post, and none for one's own actions.
    /// proves: call-notifications, notification-once, notification-not-self
    /// proves: entity-notification-types
    async fn each_action_notifies_once(server) {
        let (ada, bob) = (server.member("ada").await, server.member("bob").await);
        let name = ada.me().await["username"].as_str().unwrap().to_owned();
        let post = ada.write(&format!("mine, @{name}")).await;
        ada.post_empty(&format!("/api/posts/{post}/like")).await.expect(200);
        assert!(types(&ada).await.is_empty(), "own actions create none");

        bob.follow(&ada).await;
        for _ in 0..2 {
            bob.post_empty(&format!("/api/posts/{post}/like")).await.expect(200);
            bob.delete(&format!("/api/posts/{post}/like")).await.expect(200);
            bob.post("/api/posts", json!({"content": "🔁", "repostOfId": post})).await.expect(201);
            bob.delete(&format!("/api/posts/{post}/repost")).await.expect(200);
        }
        let reply = json!({"content": format!("hello @{name}"), "replyToId": post});
        bob.post("/api/posts", reply).await.expect(201);
        bob.write(&format!("and @{name} again")).await;

        assert_eq!(types(&ada).await, ["mention", "reply", "repost", "like", "follow"]);
        let rows = listed(&ada).await;
        let contents = rows.iter().map(|row| row["post"]["content"].as_str()).collect::<Vec<_>>();
        let (mine, answer, named) = (format!("mine, @{name}"), format!("hello @{name}"), format!("and @{name} again"));
        assert_eq!(contents, [Some(&*named), Some(&*answer), Some(&*mine), Some(&*mine), None]);
        assert_eq!(rows[0]["actor"]["id"], bob.id().await);
        assert_eq!(ada.me().await["unreadNotificationCount"], 5);
    }

    /// Marking one or all as read lowers the count; other members' notifications are out of reach.
    /// proves: call-notification-read, call-notifications-read-all, wire-idempotent
    async fn reading_lowers_the_count(server) {
        let (ada, bob, eve) = (server.member("ada").await, server.member("bob").await, server.member("eve").await);
        bob.follow(&ada).await;
        eve.follow(&ada).await;
        let first = listed(&ada).await[0]["id"].as_str().unwrap().to_owned();
        let path = format!("/api/notifications/{first}/read");
        assert_eq!(put(&bob, &path).await, 404);
        assert_eq!(put(&ada, &path).await, 204);
        assert_eq!(put(&ada, &path).await, 204, "twice is the same as once");
        assert_eq!(ada.me().await["unreadNotificationCount"], 1);
        assert_eq!(listed(&ada).await[0]["isRead"], true);
        assert_eq!(put(&ada, "/api/notifications/read-all").await, 204);
        assert_eq!(ada.me().await["unreadNotificationCount"], 0);
        assert_eq!(put(&ada, "/api/notifications/nonsense/read").await, 404);
    }

    /// One request marks several as read, and no others: neither later ones nor another member's.
    /// proves: call-notifications-read, notification-read-time
    async fn several_are_read_by_one_request(server) {
        let ada = server.member("ada").await;
        let mut fans = Vec::new();
        for n in 0..3 {
            fans.push(server.member(&format!("fan{n}")).await);
            fans[n].follow(&ada).await;
        }
        ada.follow(&fans[0]).await;
        let mark = async |ids: Value| ada.json(Method::PUT, "/api/notifications/read", json!({"ids": ids})).await;
        let shown = listed(&ada).await.iter().map(|row| row["id"].clone()).collect::<Vec<_>>();
        let others = listed(&fans[0]).await[0]["id"].clone();
        server.member("late").await.follow(&ada).await;
        mark(json!([shown[2], shown[2], others])).await.expect(204);
        assert_eq!(mark(json!([shown[1], "no id"])).await.error_code(404), "notification_not_found");
        mark(json!([])).await.expect(204);
        let states = async |who: &Browser| {
            listed(who).await.iter().map(|row| row["isRead"].as_bool().unwrap()).collect::<Vec<_>>()
        };
        assert_eq!((states(&ada).await, states(&fans[0]).await), (vec![false, false, false, true], vec![false]));
        let member = ada.id().await.parse::<i64>().unwrap();
        let at = async || server.count(&READ_AT, params![member, shown[2].as_str().unwrap().parse::<i64>().unwrap()]).await;
        let first = at().await;
        server.advance_clock(kith::platform::clock::HOUR);
        mark(json!(shown)).await.expect(204);
        assert_eq!(states(&ada).await, [false, true, true, true]);
        assert_eq!((ada.me().await["unreadNotificationCount"].clone(), at().await), (json!(1), first));
        let many = (1..=501).map(|id| id.to_string()).collect::<Vec<_>>();
        assert_eq!(mark(json!(many)).await.error_code(422), "invalid");
        mark(json!(many[1..])).await.expect(204);
        let visitor = server.visitor();
        assert_eq!(put(&visitor, "/api/notifications/read").await, 401);
    }

    /// All are marked in batches, however many there are, including those of an actor with more than one batch.
    /// proves: call-notifications-read-all, notification-counted
    async fn many_are_marked_as_read(server) {
        let (ada, bob) = (server.member("ada").await, server.member("bob").await);
        let [member, other] = [&ada, &bob].map(async |browser| browser.id().await.parse().unwrap());
        let (member, other) = (member.await, other.await);
        let rows = |member, ids, actor| Popular { member, ids, kind: 1, actor, post: None };
        let unread = async |browser: &Browser| browser.me().await["unreadNotificationCount"].clone();
        server.state.db.write(rows(member, 1..1_000, None)).await.unwrap();
        assert_eq!(unread(&ada).await, 999);
        server.state.db.write(rows(member, 1_000..1_001, None)).await.unwrap();
        assert_eq!(unread(&ada).await, 1_000);
        server.state.db.write(rows(member, 2_000..3_100, Some(500))).await.unwrap();
        server.state.db.write(rows(other, 1..11, None)).await.unwrap();
        assert_eq!((unread(&ada).await, unread(&bob).await), (json!(1_000), json!(10)), "no more are counted");
        assert_eq!(put(&ada, "/api/notifications/read-all").await, 204);
        assert_eq!((unread(&ada).await, unread(&bob).await), (json!(0), json!(10)));
        assert_eq!(put(&ada, "/api/notifications/read-all").await, 204, "twice is the same as once");
    }

    /// Hidden actors with more notifications than are counted do not suppress others', and neither do visible
    /// actors of the same posts.
    /// proves: notification-counted
    async fn hidden_actors_suppress_no_notifications(server) {
        let (eve, ada, bob) = (server.member("eve").await, server.member("ada").await, server.member("bob").await);
        let mut ids = Vec::new();
        for who in [&eve, &ada, &bob] {
            ids.push(who.id().await.parse::<i64>().unwrap());
        }
        assert!(ids.is_sorted(), "{ids:?}");
        let member = ids[1];
        let rows = |ids, actor| Popular { member, ids, kind: 1, actor, post: None };
        let unread = async || ada.me().await["unreadNotificationCount"].clone();
        server.state.db.write(rows(1..301, Some(ids[0]))).await.unwrap();
        server.state.db.write(rows(2_001..2_901, Some(ids[2]))).await.unwrap();
        assert_eq!(unread().await, 1_000);
        ada.mute(&eve).await;
        assert_eq!(unread().await, 900, "what did not fit beside hers is counted");
        server.state.db.write(rows(301..1_202, Some(ids[0]))).await.unwrap();
        assert_eq!(unread().await, 900);
        server.state.db.write(rows(3_001..3_301, Some(ids[2] + 1))).await.unwrap();
        assert_eq!(unread().await, 1_000, "no more are counted");
    }

    /// Deleting a popular post deletes its notifications and no others.
    /// proves: notification-deleted
    async fn notifications_are_deleted_with_their_post(server) {
        let (ada, bob) = (server.member("ada").await, server.member("bob").await);
        let (post, kept) = (ada.write("popular").await, ada.write("kept").await);
        bob.post_empty(&format!("/api/posts/{post}/like")).await.expect(200);
        bob.post_empty(&format!("/api/posts/{kept}/like")).await.expect(200);
        let member = ada.id().await.parse().unwrap();
        let (post, kept) = (post.parse::<i64>().unwrap(), kept.parse::<i64>().unwrap());
        let rows = |kind, ids, post| Popular { member, ids, kind, actor: None, post: Some(post) };
        for popular in [rows(1, 1..1_201, post), rows(3, 2_001..2_601, post), rows(1, 3_001..3_601, kept)] {
            server.state.db.write(popular).await.unwrap();
        }
        // Other members cannot delete the post.
        bob.delete(&format!("/api/posts/{post}")).await.expect(403);
        assert_eq!(server.count(&LEFT, params![member, post]).await, 1_801);
        // Most are deleted in separate transactions.
        notifications::delete_for_post_in_steps(&server.state.db, Id(post), Id(member)).await.unwrap();
        assert_eq!(server.count(&LEFT, params![member, post]).await, 201 + 100);
        ada.delete(&format!("/api/posts/{post}")).await.expect(204);
        assert_eq!(server.count(&LEFT, params![member, post]).await, 0);
        assert_eq!(server.count(&LEFT, params![member, kept]).await, 601);
    }

    /// proves: notifications-filter
    async fn replies_and_mentions_are_listed_alone(server) {
        let (ada, ben) = (server.member("ada").await, server.member("ben").await);
        let (post, name) = (ada.write("Hi").await, ada.name().await);
        for n in 0..3 {
            ben.reply(&post, &format!("Reply {n}")).await;
            ben.write(&format!("Hello @{name}, {n}")).await;
            ben.post_empty(&format!("/api/posts/{post}/like")).await.expect(200);
            ben.follow(&ada).await;
        }
        let all = listed(&ada).await;
        let wanted = |row: &&Value| row["type"] == "reply" || row["type"] == "mention";
        let wanted = all.iter().filter(wanted).cloned().collect::<Vec<_>>();
        assert_eq!((all.len(), wanted.len()), (8, 6));
        let path = "/api/notifications?filter=conversation";
        assert_eq!(ada.get(path).await.expect(200), json!(wanted));
        let first = ada.get(&format!("{path}&limit=4")).await;
        let second = ada.get(&first.next().unwrap()).await;
        let pages = [&first, &second].map(|page| page.expect(200).as_array().unwrap().clone());
        assert_eq!((pages.concat(), second.next()), (wanted, None));
        assert_eq!(ada.get("/api/notifications?filter=all").await.expect(200), json!(all));
        assert_eq!(ada.get("/api/notifications?filter=likes").await.status, 400);
        ada.post_empty(&format!("/api/blocks/{}", ben.id().await)).await;
        assert_eq!(ada.get(path).await.expect(200), json!([]));
    }

    /// Pages by offset and by cursor cover all notifications.
    /// proves: wire-offset, wire-notifications-page, wire-cursor
    async fn pages_cover_everything(server) {
        let ada = server.member("ada").await;
        for n in 0..5 {
            server.member(&format!("fan{n}")).await.follow(&ada).await;
        }
        let all = listed(&ada).await;
        let two = ada.get("/api/notifications?limit=2&offset=2").await.expect(200);
        assert_eq!(two.as_array().unwrap()[..], all[2..4]);
        let cursor = all[3]["id"].as_str().unwrap();
        let last = ada.get(&format!("/api/notifications?cursor={cursor}")).await.expect(200);
        assert_eq!(last.as_array().unwrap()[..], all[4..]);
        // A new notification does not shift the next page.
        let first = ada.get("/api/notifications?limit=2").await;
        server.member("late").await.follow(&ada).await;
        let second = ada.get(&first.next().unwrap()).await;
        let third = ada.get(&second.next().unwrap()).await;
        let pages = [&first, &second, &third].map(|page| page.expect(200).as_array().unwrap().clone());
        assert_eq!((pages.concat(), third.next()), (all, None));
    }
}
