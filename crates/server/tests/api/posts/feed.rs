//! Selection of the Friends feed.

use crate::harness::{Browser, id_of, on_both_engines};
use serde_json::json;

const FEED: &str = "/api/posts/feed";

async fn feed(viewer: &Browser) -> Vec<String> {
    viewer.contents(FEED).await
}

async fn ids(viewer: &Browser, path: &str) -> Vec<String> {
    let list = viewer.get(path).await.expect(200);
    list.as_array().unwrap().iter().map(id_of).collect()
}

on_both_engines! {
    /// Posts written while the clock was ahead hide no others, before or after it is set back.
    async fn a_clock_jump_hides_no_posts(server) {
        let ada = server.member("ada").await;
        ada.write("before").await;
        server.advance_clock(86_400_000);
        ada.write("ahead").await;
        server.advance_clock(-86_400_000);
        ada.write("after").await;
        assert_eq!(feed(&ada).await, ["after", "ahead", "before"]);
    }

    /// The feed has the viewer's and followed members' posts only, newest first.
    /// proves: call-get-feed, feed-friends, wire-bare-lists
    async fn own_and_followed_posts_are_shown(server) {
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

    /// A reply is shown if it answers the viewer, a followed member, or its own author.
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
        // A new follow also shows replies to that member.
        ada.follow(&stranger).await;
        assert!(feed(&ada).await.contains(&"to a stranger".to_owned()));
        for member in [&cat, &stranger] {
            ada.delete(&format!("/api/follows/{}", member.id().await)).await.expect(200);
        }
        assert_eq!(feed(&ada).await, ["to himself", "to me", "bob's", "mine"]);
    }

    /// A repost shows the original under the name of the friend who reposted it.
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
        ada.post_empty(&format!("/api/posts/{post}/like")).await.expect(200);
        assert_eq!(ada.get(FEED).await.expect(200)[0]["repostOf"]["isLiked"], true);
        bob.delete(&format!("/api/posts/{post}/repost")).await.expect(200);
        assert!(feed(&ada).await.is_empty());
    }

    /// A post that several friends reposted is one row, at the newest repost, with all of them.
    /// proves: feed-once, entity-post-reposters
    async fn a_post_that_several_reposted_is_shown_once(server) {
        let (ada, bob, cat) = (server.member("ada").await, server.member("bob").await, server.member("cat").await);
        let (dan, eve) = (server.member("dan").await, server.member("eve").await);
        for friend in [&bob, &cat, &dan] {
            ada.follow(friend).await;
        }
        let post = eve.write("from afar").await;
        let first = bob.repost(&post).await;
        let between = cat.write("between").await;
        assert_eq!(ids(&ada, FEED).await, [between.as_str(), &first]);
        assert_eq!(ada.get(FEED).await.expect(200)[1]["reposters"], json!(null), "one is the author");
        let second = cat.repost(&post).await;
        // A stranger's repost does not count.
        eve.repost(&post).await;
        assert_eq!(ids(&ada, FEED).await, [second.as_str(), &between]);
        let reposters = ada.get(FEED).await.expect(200)[0]["reposters"].clone();
        assert_eq!((&reposters["count"], reposters["members"].as_array().unwrap().len()), (&json!(2), 2));
        assert_eq!(reposters["members"][0]["id"], cat.id().await.as_str());
        assert_eq!(reposters["members"][1]["id"], bob.id().await.as_str());
        let third = dan.repost(&post).await;
        assert_eq!(ids(&ada, FEED).await, [third.as_str(), &between]);
        let reposters = ada.get(FEED).await.expect(200)[0]["reposters"].clone();
        assert_eq!((&reposters["count"], reposters["members"].as_array().unwrap().len()), (&json!(3), 2));
        // A friend's own post is shown once as well; other lists show each repost.
        let repost = bob.repost(&between).await;
        assert_eq!(ids(&ada, FEED).await, [repost.as_str(), &third]);
        let profile = format!("/api/users/{}/posts", cat.name().await);
        assert_eq!(ids(&ada, &profile).await, [second.as_str(), &between]);
        assert_eq!(ada.get(&profile).await.expect(200)[0]["reposters"], json!(null));
        // An undone or hidden repost shows the row below it again.
        bob.delete(&format!("/api/posts/{between}/repost")).await.expect(200);
        dan.delete(&format!("/api/posts/{post}/repost")).await.expect(200);
        assert_eq!(ids(&ada, FEED).await, [second.as_str(), &between]);
        ada.delete(&format!("/api/follows/{}", cat.id().await)).await.expect(200);
        assert_eq!(ids(&ada, FEED).await, [first.as_str()]);
        eve.delete(&format!("/api/posts/{post}")).await.expect(204);
        assert!(feed(&ada).await.is_empty());
    }

    /// Pages by offset and by cursor show each post once, even if friends repost in between.
    /// proves: feed-once, wire-cursor, wire-offset
    async fn pages_with_reposts_are_complete(server) {
        let (ada, bob, cat) = (server.member("ada").await, server.member("bob").await, server.member("cat").await);
        let (dan, eve) = (server.member("dan").await, server.member("eve").await);
        for friend in [&bob, &cat, &dan] {
            ada.follow(friend).await;
        }
        let mut posts = Vec::new();
        for n in 0..40 {
            posts.push(if n % 4 == 0 { bob.write("friend's").await } else { eve.write("stranger's").await });
        }
        // Each row with the post that it shows, oldest first.
        let mut rows = posts.iter().step_by(4).map(|post| (post.clone(), post.clone())).collect::<Vec<_>>();
        for n in 0..120 {
            let post = posts[(n * 7) % 40].clone();
            rows.push(([&bob, &cat, &dan][n / 40].repost(&post).await, post));
            server.advance_clock(if n % 10 == 0 { 3_600_000 } else { 1_000 });
        }
        let mut seen = std::collections::HashSet::new();
        let newest = rows.iter().rev().filter(|(_, post)| seen.insert(post.clone()));
        let expected = newest.map(|(row, _)| row.clone()).collect::<Vec<_>>();
        assert_eq!(expected.len(), 40);
        for limit in [3, 17, 50] {
            let mut by_offset = Vec::new();
            for offset in (0..=40).step_by(limit) {
                by_offset.extend(ids(&ada, &format!("{FEED}?limit={limit}&offset={offset}")).await);
            }
            assert_eq!(by_offset, expected, "{limit} by offset");
        }
        for limit in [3, 17] {
            let (mut walked, mut next) = (Vec::new(), Some(format!("{FEED}?limit={limit}")));
            while let Some(path) = next {
                let page = ada.get(&path).await;
                walked.extend(page.expect(200).as_array().unwrap().iter().map(id_of));
                next = page.next();
                // A repost between two pages does not move the rows of the started list.
                let last = &rows.iter().find(|(row, _)| Some(row) == expected.last()).unwrap().1;
                ada.repost(last).await;
                eve.write("meanwhile").await;
            }
            assert_eq!(walked, expected, "{limit} by cursor");
            let last = &rows.iter().find(|(row, _)| Some(row) == expected.last()).unwrap().1;
            ada.delete(&format!("/api/posts/{last}/repost")).await.expect(200);
        }
        for cursor in ["1-", "-1", "1-x", "1-2-3", "0-5", "5-0"] {
            assert_eq!(ada.get(&format!("{FEED}?cursor={cursor}")).await.error_code(400), "invalid", "{cursor}");
        }
    }

    /// Posts older than a gap of years are found.
    async fn old_posts_are_found(server) {
        let bob = server.member("bob").await;
        server.member("ada").await;
        let mut written = vec!["oldest".to_owned()];
        bob.write("oldest").await;
        server.wait_for_mail_queue().await;
        for (n, days) in [1, 7, 40, 100, 400, 900].into_iter().enumerate() {
            server.advance_clock(days * 86_400_000);
            let bob = server.log_in("bob").await;
            bob.write(&format!("later {n}")).await;
            written.insert(0, format!("later {n}"));
            server.wait_for_mail_queue().await;
        }
        server.advance_clock(1_500 * 86_400_000);
        let (ada, bob) = (server.log_in("ada").await, server.log_in("bob").await);
        ada.follow(&bob).await;
        assert_eq!(feed(&ada).await, written);
        assert_eq!(ada.contents(&format!("{FEED}?limit=2&offset=5")).await, ["later 0", "oldest"]);
        assert_eq!(ada.contents(&format!("/api/users/{}/posts", bob.name().await)).await, written);
    }

    /// Likes, votes and reposts in the feed are the viewer's.
    async fn the_feed_shows_the_viewers_state(server) {
        let (ada, bob) = (server.member("ada").await, server.member("bob").await);
        ada.follow(&bob).await;
        let body = json!({"content": "poll", "pollOptions": ["a", "b"]});
        let post = bob.create(body).await["id"].as_str().unwrap().to_owned();
        ada.post(&format!("/api/posts/{post}/vote"), json!({"option": "b"})).await.expect(200);
        ada.post_empty(&format!("/api/posts/{post}/like")).await.expect(200);
        for (viewer, mine) in [(&ada, true), (&bob, false)] {
            let seen = viewer.get(FEED).await.expect(200)[0].clone();
            assert_eq!(seen["isLiked"], mine);
            assert_eq!(seen["pollMyVote"].is_string(), mine);
            assert_eq!((&seen["likeCount"], &seen["pollTallies"]["b"]), (&json!(1), &json!(1)));
        }
    }
}
