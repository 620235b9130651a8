//! Responses that are compared as a whole, so that added and removed fields are noticed.

use crate::harness::{Server, id_of, on_both_engines};
use kith_db::{Sql, Tx, Write, params, sql};
use serde_json::{Value, json};

const VOTES: Sql = sql!("update poll_choices set votes = 150 where post_id = $1 and choice = 0");

/// Inserts 150 votes in a poll, without 150 members.
struct Votes {
    post: i64,
}

impl Write for Votes {
    type Out = ();
    type Err = kith_db::Error;

    async fn run(&self, tx: &mut Tx) -> kith_db::Result<()> {
        tx.exec(&VOTES, params![self.post]).await.map(drop)
    }
}

async fn insert_votes(server: &Server, post: &str) {
    let post = post.parse().unwrap();
    server.state.db.write(Votes { post }).await.unwrap();
}

on_both_engines! {
    /// A member's own profile has the public fields and the private ones.
    /// proves: entity-me, call-get-me
    async fn the_own_profile_has_every_field(server) {
        let (ada, bob) = (server.member("ada").await, server.member("bob").await);
        bob.follow(&ada).await;
        let me = ada.me().await;
        let name = me["username"].as_str().unwrap();
        let mut expected = bob.get(&format!("/api/users/{name}")).await.expect(200);
        let more = json!({
            "isFollowing": false, "followsYou": false,
            "email": "ada@example.org", "invitesAvailable": 3, "unreadNotificationCount": 1,
            "role": "member", "usernameIsProvisional": true, "invitesFrozen": false, "deletionAt": null, "acceptedRulesVersion": 0, "unreadNotices": 0, "announcement": null,
        });
        expected.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        assert_eq!(me, expected);
    }

    /// An invite is valid for seven days and has no user yet.
    /// proves: entity-invite, entity-invite-use, call-create-invite
    async fn an_invite_has_every_field(server) {
        let ada = server.member("ada").await;
        let made = ada.post_empty("/api/invites").await.expect(201);
        assert_eq!(made, json!({
            "id": made["id"], "code": made["code"], "isUsed": false,
            "createdAt": "2026-11-21T09:30:00.000Z", "expiresAt": "2026-11-28T09:30:00.000Z",
            "usedAt": null, "usedBy": null,
        }));
        assert!(made["id"].is_string() && made["code"].is_string());
        assert_eq!(ada.get("/api/invites").await.expect(200), json!([made]));
        let bob = server.member_with("bob", made["code"].as_str().unwrap()).await;
        assert_eq!(ada.get("/api/invites").await.expect(200)[0]["usedBy"], json!({
            "id": bob.id().await, "username": bob.name().await, "displayName": "New member", "profileImageUrl": null,
        }));
    }

    /// A notification of a reply includes its post, one of a follow has none.
    /// proves: entity-notification, entity-notification-post
    async fn a_notification_has_every_field(server) {
        let (ada, bob) = (server.member("ada").await, server.member("bob").await);
        let post = ada.write("mine").await;
        bob.follow(&ada).await;
        bob.post_empty(&format!("/api/posts/{post}/like")).await.expect(200);
        let reply = bob.reply(&post, "so true").await;
        let list = ada.get("/api/notifications").await.expect(200);
        let actor = json!({
            "id": bob.id().await, "username": bob.name().await, "displayName": "New member", "profileImageUrl": null,
        });
        let expected = |row: usize, kind: &str, post: Value| json!({
            "id": list[row]["id"], "type": kind, "isRead": false, "createdAt": "2026-11-21T09:30:00.000Z",
            "actor": actor, "post": post,
        });
        assert_eq!(list, json!([
            expected(0, "reply", json!({"id": reply, "content": "so true"})),
            expected(1, "like", json!({"id": post, "content": "mine"})),
            expected(2, "follow", Value::Null),
        ]));
        assert!(list[0]["id"].is_string());
    }

    /// A poll lists a hundred voters, and names only the viewer.
    /// proves: entity-post-voters, entity-post-poll
    async fn a_poll_lists_a_hundred_voters(server) {
        let (ada, bob) = (server.member("ada").await, server.member("bob").await);
        let body = json!({"content": "which?", "pollOptions": ["a", "b"]});
        let post = id_of(&ada.create(body).await);
        ada.post(&format!("/api/posts/{post}/vote"), json!({"option": "a"})).await.expect(200);
        insert_votes(&server, &post).await;
        let me = ada.id().await;
        for (reader, own) in [(&ada, 1), (&bob, 0)] {
            let seen = reader.get_post(&post).await;
            assert_eq!(seen["pollTallies"], json!({"a": 150, "b": 0}));
            let voters = seen["pollVotes"]["a"].as_array().unwrap();
            assert_eq!(voters.len(), 100);
            assert_eq!(voters.iter().filter(|voter| **voter == me.as_str()).count(), own);
            let real = voters.iter().filter(|voter| voter.as_str().unwrap().parse::<i64>().is_ok());
            assert_eq!(real.count(), own, "others have no name");
        }
    }

    /// The default page size is fifty.
    /// proves: notifications-50
    async fn fifty_notifications_are_a_page(server) {
        let (ada, bob) = (server.member("ada").await, server.member("bob").await);
        for n in 0..51 {
            let post = ada.write(&format!("post {n}")).await;
            bob.post_empty(&format!("/api/posts/{post}/like")).await.expect(200);
        }
        let list = ada.get("/api/notifications").await.expect(200);
        assert_eq!(list.as_array().unwrap().len(), 50);
        assert_eq!(list[0]["post"]["content"], "post 50");
    }
}
