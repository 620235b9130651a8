//! Profiles as other members see them.

use crate::harness::on_both_engines;
use serde_json::{Value, json};

on_both_engines! {
    /// A profile has every field, including the viewer's relationship to the member.
    /// proves: call-get-user, entity-user, entity-user-ties
    async fn a_profile_has_every_field(server) {
        let (ada, bob) = (server.member("ada").await, server.member("bob").await);
        let name = bob.name().await;
        let path = format!("/api/users/{name}");
        assert_eq!(ada.get(&path).await.expect(200), json!({
            "id": bob.id().await, "username": name, "displayName": "New member", "bio": "", "website": "",
            "profileImageUrl": null, "headerImageUrl": null, "createdAt": "2026-11-21T09:30:00.000Z",
            "followerCount": 0, "followingCount": 0, "postCount": 0,
            "isFollowing": false, "followsYou": false, "isBlocked": false, "blocksMe": false, "isMuted": false, "invitedBy": null,
            "suspendedAt": null,
        }));
        let ties = |user: Value| (user["isFollowing"].as_bool().unwrap(), user["followsYou"].as_bool().unwrap());
        bob.follow(&ada).await;
        assert_eq!(ties(ada.get(&path).await.expect(200)), (false, true));
        ada.follow(&bob).await;
        assert_eq!(ties(ada.get(&path).await.expect(200)), (true, true));
        assert_eq!(ties(bob.get(&path).await.expect(200)), (false, false), "oneself");
        let post = bob.write("one").await;
        bob.reply(&post, "two").await;
        let seen = ada.get(&path).await.expect(200);
        let counts = ["followerCount", "followingCount", "postCount"].map(|field| seen[field].as_i64().unwrap());
        assert_eq!(counts, [1, 1, 2]);
    }

    /// Private fields are absent from the public profile.
    /// proves: entity-user-private
    async fn a_profile_has_no_private_fields(server) {
        let (ada, bob) = (server.member("ada").await, server.member("bob").await);
        for reader in [&ada, &bob] {
            let path = format!("/api/users/{}", bob.name().await);
            let text = reader.get(&path).await.expect(200).to_string();
            for private in ["email", "example.org", "invitesAvailable", "unreadNotificationCount", "role"] {
                assert!(!text.contains(private), "{private}: {text}");
            }
        }
    }

    /// Names are case-insensitive; an unknown name is not found.
    async fn names_are_found_in_any_case(server) {
        let (ada, bob) = (server.member("ada").await, server.member("bob").await);
        let name = bob.name().await;
        let answer = ada.get(&format!("/api/users/{}", name.to_uppercase())).await.expect(200);
        assert_eq!(answer["username"], name.as_str());
        for unknown in ["unknown", "no", &format!("{name}x"), &bob.id().await] {
            let answer = ada.get(&format!("/api/users/{unknown}")).await;
            assert_eq!(answer.error_code(404), "user_not_found", "{unknown}");
            assert_eq!(answer.expect(404)["message"], "User not found.");
        }
    }

    /// The inviter is shown to all members.
    /// proves: entity-user-invited-by
    async fn the_inviter_is_shown(server) {
        let ada = server.member("ada").await;
        let code = ada.post_empty("/api/invites").await.expect(201)["code"].as_str().unwrap().to_owned();
        let bob = server.member_with("bob", &code).await;
        let seen = server.member("eve").await.get(&format!("/api/users/{}", bob.name().await)).await.expect(200);
        assert_eq!(seen["invitedBy"], json!({
            "id": ada.id().await, "username": ada.name().await, "displayName": "New member", "profileImageUrl": null,
        }));
    }
}
