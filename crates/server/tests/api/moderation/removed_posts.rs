//! Restoring removed posts.

use super::{actions, remove};
use crate::harness::{Browser, TestResponse, id_of, on_both_engines};
use crate::media;
use kith::features::members::Role;
use kith::ops::{consistency, retention};
use kith::platform::clock::{DAY, MINUTE};
use serde_json::json;

async fn restore(who: &Browser, post: &str) -> TestResponse {
    who.delete(&format!("/api/admin/posts/{post}/removal")).await
}

on_both_engines! {
    /// proves: remove-restore, remove-list, call-removed-posts
    async fn a_removed_post_is_restored_with_what_belongs_to_it(server) {
        let mia = server.with_role("mia", Role::Moderator).await;
        let (ada, bob) = (server.member("ada").await, server.member("bob").await);
        bob.follow(&ada).await;
        let image = media::upload(&ada, media::small(1)).await;
        let name = bob.name().await;
        let body = json!({"content": format!("Tea, @{name}? #tea"), "imageUrls": [image], "pollOptions": ["yes", "no"]});
        let post = id_of(&ada.create(body).await);
        bob.post_empty(&format!("/api/posts/{post}/like")).await.expect(200);
        bob.repost(&post).await;
        bob.reply(&post, "Yes!").await;
        bob.post(&format!("/api/posts/{post}/vote"), json!({"option": "yes"})).await.expect(200);
        let feed = bob.contents("/api/posts/feed").await;
        let before = bob.get_post(&post).await;
        remove(&mia, &post).await.expect(204);
        bob.get(&format!("/api/posts/{post}")).await;
        assert!(bob.contents("/api/posts/feed").await.iter().all(|content| !content.contains("Tea")));
        // Undone while the post is away.
        bob.delete(&format!("/api/posts/{post}/like")).await;
        let list = mia.get("/api/admin/removed-posts").await.expect(200);
        assert_eq!((&list[0]["id"], &list[0]["author"]["username"]), (&json!(post), &json!(ada.name().await)));
        assert!(list[0]["content"].as_str().unwrap().starts_with(&format!("Tea, @{name}? #tea\n• yes")));
        assert_eq!(list[0]["imageUrls"].as_array().unwrap().len(), 1);
        assert_eq!(consistency::find_count_mismatches(&server.state.db).await.unwrap(), []);
        restore(&mia, &post).await.expect(204);
        let after = bob.get_post(&post).await;
        for field in ["content", "imageUrls", "pollOptions", "repostCount", "replyCount", "hashtags", "mentions", "createdAt"] {
            assert_eq!(after[field], before[field], "{field}");
        }
        assert_eq!(bob.contents("/api/posts/feed").await, feed);
        assert!(bob.contents("/api/hashtags/tea/posts").await.iter().any(|content| content.contains("Tea")));
        assert!(bob.contents(&format!("/api/users/{}/posts", ada.name().await)).await.iter().any(|content| content.contains("Tea")));
        assert_eq!(ada.me().await["postCount"], 1);
        assert_eq!(consistency::find_count_mismatches(&server.state.db).await.unwrap(), []);
        assert_eq!(restore(&mia, &post).await.error_code(404), "removal_not_found");
        assert_eq!(mia.get("/api/admin/removed-posts").await.expect(200), json!([]));
        assert!(ada.get("/api/moderation-notices").await.expect(200)[0]["liftedAt"].is_string());
        let kim = server.admin("kim").await;
        assert_eq!(actions(&kim).await, ["restore_post", "remove_post"]);
    }

    /// A tombstone that had disappeared with its last reply is back with it.
    /// proves: remove-restore
    async fn a_restored_reply_is_back_in_its_thread(server) {
        let mia = server.with_role("mia", Role::Moderator).await;
        let (ada, bob) = (server.member("ada").await, server.member("bob").await);
        let root = ada.write("root").await;
        let middle = bob.reply(&root, "middle").await;
        let leaf = ada.reply(&middle, "leaf").await;
        bob.delete(&format!("/api/posts/{middle}")).await.expect(204);
        remove(&mia, &leaf).await.expect(204);
        assert_eq!(ada.get_post(&root).await["replyCount"], 0);
        restore(&mia, &leaf).await.expect(204);
        let thread = ada.get(&format!("/api/posts/{leaf}/thread")).await.expect(200);
        assert!(thread.to_string().contains("leaf"), "{thread}");
        assert_eq!(ada.get_post(&leaf).await["content"], "leaf");
        assert_eq!(consistency::find_count_mismatches(&server.state.db).await.unwrap(), []);
    }

    /// proves: remove-restore-deleted
    async fn a_removed_post_that_its_author_deletes_is_gone(server) {
        let mia = server.with_role("mia", Role::Moderator).await;
        let ada = server.member("ada").await;
        let image = media::upload(&ada, media::small(1)).await;
        let post = id_of(&ada.create(json!({"content": "mine", "imageUrls": [image]})).await);
        remove(&mia, &post).await.expect(204);
        ada.delete(&format!("/api/posts/{post}")).await.expect(204);
        assert_eq!(restore(&mia, &post).await.error_code(404), "removal_not_found");
        assert_eq!(consistency::find_count_mismatches(&server.state.db).await.unwrap(), []);
    }

    /// proves: remove-restore-days, remove-restore-rank, objection-late
    async fn a_post_can_be_restored_for_30_days(server) {
        let (kim, mia) = (server.admin("kim").await, server.with_role("mia", Role::Moderator).await);
        let ada = server.member("ada").await;
        let image = media::upload(&ada, media::small(1)).await;
        let (old, poll) = (ada.write("old").await, json!({"content": "poll", "pollOptions": ["a", "b"], "imageUrls": [image]}));
        let poll = id_of(&ada.create(poll).await);
        remove(&kim, &old).await.expect(204);
        remove(&mia, &poll).await.expect(204);
        assert_eq!(restore(&mia, &old).await.error_code(403), "done_above");
        assert_eq!(restore(&ada, &old).await.error_code(404), "no_such_call");
        server.advance_clock(30 * DAY - MINUTE);
        let (kim, ada) = (server.log_in("kim").await, server.log_in("ada").await);
        retention::purge_expired(&server.state).await.unwrap();
        restore(&kim, &old).await.expect(204);
        server.advance_clock(2 * MINUTE);
        assert_eq!(restore(&kim, &poll).await.error_code(404), "removal_not_found");
        retention::purge_expired(&server.state).await.unwrap();
        assert_eq!(kim.get("/api/admin/removed-posts").await.expect(200), json!([]));
        let notices = ada.get("/api/moderation-notices").await.expect(200);
        assert_eq!(notices[0]["post"]["content"], json!(null));
        // The moderators agree, too late.
        let notice = notices[0]["id"].as_str().unwrap();
        let path = format!("/api/moderation-notices/{notice}/objection");
        ada.post(&path, json!({"text": "Why?"})).await.expect(200);
        let path = format!("/api/admin/objections/{notice}/resolve");
        kim.post(&path, json!({"action": "accept"})).await.expect(204);
        server.wait_for_mail_queue().await;
        let mails = server.mails();
        assert!(mails.iter().any(|(_, text)| text.contains("was already deleted.")), "{mails:?}");
        assert_eq!(actions(&kim).await[0], "accept_objection");
        assert_eq!(consistency::find_count_mismatches(&server.state.db).await.unwrap(), []);
    }
}
