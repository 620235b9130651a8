//! The lists on a profile, filtered by the server.

use crate::harness::{Browser, on_both_engines};

async fn list(viewer: &Browser, name: &str, filter: &str) -> Vec<String> {
    let query = if filter.is_empty() { String::new() } else { format!("?filter={filter}") };
    viewer.contents(&format!("/api/users/{name}/posts{query}")).await
}

on_both_engines! {
    /// All, posts, replies, media, likes.
    /// proves: call-get-user-posts, profile-tab-posts, profile-tab-replies, profile-tab-likes
    async fn a_profile_has_five_lists(server) {
        let (ada, bob) = (server.member("ada").await, server.member("bob").await);
        let name = bob.name().await;
        let adas = ada.write("ada's").await;
        let first = bob.write("first").await;
        bob.reply(&adas, "reply").await;
        bob.reply(&first, "to himself").await;
        bob.repost(&adas).await;
        bob.write("last").await;
        for post in [&first, &adas] {
            bob.post_empty(&format!("/api/posts/{post}/like")).await.expect(200);
        }
        for filter in ["", "all"] {
            assert_eq!(list(&ada, &name, filter).await, ["last", "♻️", "to himself", "reply", "first"]);
        }
        assert_eq!(list(&ada, &name, "posts").await, ["last", "♻️", "first"]);
        assert_eq!(list(&ada, &name, "replies").await, ["to himself", "reply"]);
        assert!(list(&ada, &name, "media").await.is_empty());
        assert_eq!(list(&ada, &name, "likes").await, ["ada's", "first"], "newest like first");
        bob.delete(&format!("/api/posts/{adas}/like")).await.expect(200);
        assert_eq!(list(&ada, &name, "likes").await, ["first"]);
        assert!(list(&ada, &ada.name().await, "likes").await.is_empty());
    }

    /// An unknown username has no lists.
    async fn an_unknown_member_has_no_posts(server) {
        let ada = server.member("ada").await;
        for filter in ["all", "posts", "replies", "media", "likes"] {
            let answer = ada.get(&format!("/api/users/nobody/posts?filter={filter}")).await;
            assert_eq!(answer.error_code(404), "user_not_found");
        }
    }
}
