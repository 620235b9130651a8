//! Following and what it changes.

use crate::harness::on_both_engines;

on_both_engines! {
    /// The main job: follow a friend, read the friend's posts.
    async fn the_friends_feed_shows_whom_i_follow(server) {
        let (ada, bob) = (server.member("ada").await, server.member("bob").await);
        bob.write("from bob").await;
        assert!(ada.contents("/api/posts/feed").await.is_empty());
        ada.follow(&bob).await;
        assert_eq!(ada.contents("/api/posts/feed").await, ["from bob"]);
        let path = format!("/api/follows/{}", bob.id().await);
        ada.delete(&path).await.expect(200);
        assert!(ada.contents("/api/posts/feed").await.is_empty());
    }
}
