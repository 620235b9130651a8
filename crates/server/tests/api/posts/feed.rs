//! Whose posts the Friends feed shows.

use crate::harness::{Browser, on_both_engines};
use serde_json::json;

const FEED: &str = "/api/posts/feed";

async fn feed(reader: &Browser) -> Vec<String> {
    reader.contents(FEED).await
}

on_both_engines! {
    /// A clock that ran ahead for a moment hides nothing, before or after it is set back.
    async fn a_clock_that_jumped_hides_nothing(server) {
        let ada = server.member("ada").await;
        ada.write("before").await;
        server.pass(86_400_000);
        ada.write("ahead").await;
        server.pass(-86_400_000);
        ada.write("after").await;
        assert_eq!(feed(&ada).await, ["after", "ahead", "before"]);
    }

    /// My own posts and those of whom I follow, newest first; nobody else's.
    /// proves: call-get-feed, feed-friends, wire-bare-lists
    async fn own_and_friends_posts_are_shown(server) {
        let (ada, bob, eve) = (server.member("ada").await, server.member("bob").await, server.member("eve").await);
        ada.follow(&bob).await;
        eve.follow(&ada).await;
        ada.write("ada 1").await;
        eve.write("eve 1").await;
        bob.write("bob 1").await;
        ada.write("ada 2").await;
        assert_eq!(feed(&ada).await, ["ada 2", "bob 1", "ada 1"]);
        assert_eq!(feed(&eve).await, ["ada 2", "eve 1", "ada 1"]);
        assert_eq!(feed(&bob).await, ["bob 1"]);
    }

    /// A reply is shown when it answers me, somebody I follow, or its own author.
    /// proves: feed-replies
    async fn replies_to_strangers_are_hidden(server) {
        let (ada, bob) = (server.member("ada").await, server.member("bob").await);
        let (cat, stranger) = (server.member("cat").await, server.member("eve").await);
        ada.follow(&bob).await;
        ada.follow(&cat).await;
        let mine = ada.write("mine").await;
        let cats = cat.write("cat's").await;
        let strange = stranger.write("strange").await;
        let chain = bob.write("bob's").await;
        bob.reply(&strange, "to a stranger").await;
        bob.reply(&mine, "to me").await;
        bob.reply(&cats, "to a friend").await;
        bob.reply(&chain, "to himself").await;
        stranger.reply(&mine, "from a stranger to me").await;
        ada.reply(&cats, "mine to a friend").await;
        assert_eq!(
            feed(&ada).await,
            ["mine to a friend", "to himself", "to a friend", "to me", "bob's", "cat's", "mine"]
        );
        // Following changes what one sees of the others, too.
        ada.follow(&stranger).await;
        assert!(feed(&ada).await.contains(&"to a stranger".to_owned()));
        for member in [&cat, &stranger] {
            ada.delete(&format!("/api/follows/{}", member.id().await)).await.expect(200);
        }
        assert_eq!(feed(&ada).await, ["to himself", "to me", "bob's", "mine"]);
    }

    /// A repost shows what a friend passed on, under the friend's name.
    /// proves: feed-friends, entity-post-repost-of
    async fn reposts_of_friends_are_shown(server) {
        let (ada, bob, eve) = (server.member("ada").await, server.member("bob").await, server.member("eve").await);
        ada.follow(&bob).await;
        let post = eve.write("from afar").await;
        bob.repost(&post).await;
        let list = ada.get(FEED).await.expect(200);
        assert_eq!(list.as_array().unwrap().len(), 1);
        assert_eq!(list[0]["author"]["id"], bob.id().await.as_str());
        assert_eq!(list[0]["repostOfId"], post.as_str());
        assert_eq!(list[0]["repostOf"]["content"], "from afar");
        assert_eq!(list[0]["repostOf"]["author"]["id"], eve.id().await.as_str());
        ada.poke(&format!("/api/posts/{post}/like")).await.expect(200);
        assert_eq!(ada.get(FEED).await.expect(200)[0]["repostOf"]["isLiked"], true);
        bob.delete(&format!("/api/posts/{post}/repost")).await.expect(200);
        assert!(feed(&ada).await.is_empty());
    }

    /// Years of silence between two posts do not hide the older one.
    async fn old_posts_are_found(server) {
        let bob = server.member("bob").await;
        server.member("ada").await;
        let mut written = vec!["oldest".to_owned()];
        bob.write("oldest").await;
        server.mail_settles().await;
        for (n, days) in [1, 7, 40, 100, 400, 900].into_iter().enumerate() {
            server.pass(days * 86_400_000);
            let bob = server.log_in("bob").await;
            bob.write(&format!("later {n}")).await;
            written.insert(0, format!("later {n}"));
            server.mail_settles().await;
        }
        server.pass(1_500 * 86_400_000);
        let (ada, bob) = (server.log_in("ada").await, server.log_in("bob").await);
        ada.follow(&bob).await;
        assert_eq!(feed(&ada).await, written);
        assert_eq!(ada.contents(&format!("{FEED}?limit=2&offset=5")).await, ["later 0", "oldest"]);
        assert_eq!(ada.contents(&format!("/api/users/{}/posts", bob.name().await)).await, written);
    }

    /// The reader's own view: likes, votes and reposts are mine.
    async fn the_feed_is_mine(server) {
        let (ada, bob) = (server.member("ada").await, server.member("bob").await);
        ada.follow(&bob).await;
        let body = json!({"content": "poll", "pollOptions": ["a", "b"]});
        let post = bob.create(body).await["id"].as_str().unwrap().to_owned();
        ada.post(&format!("/api/posts/{post}/vote"), json!({"option": "b"})).await.expect(200);
        ada.poke(&format!("/api/posts/{post}/like")).await.expect(200);
        for (reader, mine) in [(&ada, true), (&bob, false)] {
            let seen = reader.get(FEED).await.expect(200)[0].clone();
            assert_eq!(seen["isLiked"], mine);
            assert_eq!(seen["pollMyVote"].is_string(), mine);
            assert_eq!((&seen["likeCount"], &seen["pollTallies"]["b"]), (&json!(1), &json!(1)));
        }
    }
}
