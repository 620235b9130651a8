//! Profile and posts of a suspended member, visible to moderators and admins only.

use crate::harness::{Browser, on_both_engines};
use kith::features::members::{Role, SanctionKind};
use serde_json::{Value, json};

/// Paths of all endpoints that show a member and their post.
fn calls(name: &str, post: &str) -> [String; 6] {
    [
        format!("/api/users/{name}"),
        format!("/api/users/{name}/posts?filter=all"),
        format!("/api/users/{name}/posts?filter=likes"),
        format!("/api/users/{name}/followers"),
        format!("/api/users/{name}/following"),
        format!("/api/posts/{post}/thread"),
    ]
}

async fn contents(who: &Browser, path: &str) -> Vec<Value> {
    let rows = who.get(path).await.expect(200);
    let rows = rows.as_array().unwrap().iter();
    rows.map(|row| row["content"].clone()).collect()
}

on_both_engines! {
    /// Moderators and admins see everything of a suspended member; members get 404, visitors must log in.
    /// proves: suspended-opened, entity-user-suspended
    async fn moderators_see_suspended_members(server) {
        let (ada, bob) = (server.member("ada").await, server.member("bob").await);
        let (mia, kim) = (server.with_role("mia", Role::Moderator).await, server.admin("kim").await);
        let (name, theirs) = (ada.name().await, bob.write("from bob").await);
        let post = ada.write("first").await;
        let reply = ada.reply(&theirs, "to bob").await;
        bob.reply(&post, "to ada").await;
        ada.post_empty(&format!("/api/posts/{theirs}/like")).await.expect(200);
        bob.follow(&ada).await;
        ada.follow(&bob).await;
        // Earlier reads do not leave cached copies.
        for who in [&bob, &mia] {
            for path in calls(&name, &post) {
                who.get(&path).await.expect(200);
            }
        }
        let [profile, posts, likes, followers, following, thread] = calls(&name, &post);
        assert_eq!(mia.get(&profile).await.expect(200)["suspendedAt"], json!(null));
        server.apply_sanction(&name, SanctionKind::Suspend).await.unwrap();
        for path in calls(&name, &post) {
            bob.get(&path).await.error_code(404);
            server.visitor().get(&path).await.expect(401);
        }
        for staff in [&mia, &kim] {
            let shown = staff.get(&profile).await.expect(200);
            assert_eq!((&shown["suspendedAt"], &shown["displayName"]), (&json!("2026-11-21T09:30:00.000Z"), &json!("New member")));
            assert_eq!(contents(staff, &posts).await, ["to bob", "first"]);
            assert_eq!(contents(staff, &likes).await, ["from bob"]);
            for list in [&followers, &following] {
                assert_eq!(staff.get(list).await.expect(200)[0]["username"], json!(bob.name().await));
            }
            let shown = staff.get(&thread).await.expect(200);
            assert_eq!((&shown["post"]["content"], &shown["replies"][0]["content"]), (&json!("first"), &json!("to ada")));
            let shown = staff.get(&format!("/api/posts/{reply}/thread")).await.expect(200);
            assert_eq!((&shown["ancestors"][0]["content"], &shown["post"]["author"]["username"]), (&json!("from bob"), &json!(name)));
            assert_eq!(contents(staff, &format!("/api/users/{}/posts", bob.name().await)).await, ["to ada", "from bob"]);
        }
        // Responses to moderators are not cached for others.
        for path in calls(&name, &post) {
            bob.get(&path).await.error_code(404);
        }
        server.apply_sanction(&mia.name().await, SanctionKind::Role(Role::Member)).await.unwrap();
        for path in calls(&name, &post) {
            mia.get(&path).await.error_code(404);
        }
    }

    /// The moderator role bypasses no block and shows no deleted content.
    /// proves: suspended-opened, block-profile
    async fn blocks_and_deletions_apply_to_moderators(server) {
        let ada = server.member("ada").await;
        let mia = server.with_role("mia", Role::Moderator).await;
        let (name, post, deleted) = (ada.name().await, ada.write("kept").await, ada.write("deleted").await);
        ada.delete(&format!("/api/posts/{deleted}")).await.expect(204);
        ada.post_empty(&format!("/api/blocks/{}", mia.id().await)).await.expect(200);
        server.apply_sanction(&name, SanctionKind::Suspend).await.unwrap();
        let [profile, posts, ..] = calls(&name, &post);
        assert_eq!(mia.get(&profile).await.expect(200)["blocksMe"], true);
        assert!(contents(&mia, &posts).await.is_empty());
        for post in [post, deleted] {
            mia.get(&format!("/api/posts/{post}/thread")).await.error_code(404);
        }
    }
}
