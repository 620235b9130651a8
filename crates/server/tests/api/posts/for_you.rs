//! The For You feed: all members' posts, ordered by a documented score.

use crate::harness::{Browser, on_both_engines};
use serde_json::{Value, json};

const FEED: &str = "/api/posts/for-you";
const HOUR: i64 = 3_600_000;

async fn reasons(viewer: &Browser) -> Vec<(String, String)> {
    let posts = viewer.get(FEED).await.expect(200);
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let posts = posts.as_array().unwrap().iter();
    posts.map(|post| (text(&post["content"]), text(&post["reason"]["code"]))).collect()
}

on_both_engines! {
    /// It has every top-level post of the network and nothing else.
    /// proves: call-get-for-you, foryou-roots, post-delete-gone
    async fn the_feed_has_posts_of_the_whole_network(server) {
        let (ada, bob) = (server.member("ada").await, server.member("bob").await);
        let post = bob.write("bob's").await;
        let mine = ada.write("ada's").await;
        ada.reply(&post, "a reply").await;
        ada.repost(&post).await;
        // A reply and a repost by one member count as one.
        assert_eq!(bob.contents(FEED).await, ["bob's", "ada's"]);
        bob.delete(&format!("/api/posts/{post}")).await.expect(204);
        assert_eq!(ada.contents(FEED).await, ["ada's"]);
        ada.delete(&format!("/api/posts/{mine}")).await.expect(204);
        assert!(ada.contents(FEED).await.is_empty());
    }

    /// Each doubling of the members is worth six hours; each counts once, and the author never.
    /// proves: foryou-ranked, foryou-people
    async fn interactions_move_a_post_up(server) {
        let ada = server.member("ada").await;
        let (one, two, three) = (server.member("one").await, server.member("two").await, server.member("three").await);
        let old = ada.write("old").await;
        server.advance_clock(5 * HOUR);
        two.write("middle").await;
        server.advance_clock(6 * HOUR);
        two.write("new").await;
        let like = format!("/api/posts/{old}/like");
        let eve = server.member("eve").await;
        ada.post_empty(&like).await.expect(200);
        ada.reply(&old, "me again").await;
        assert_eq!(eve.contents(FEED).await, ["new", "middle", "old"]);
        // One member is worth six hours, more than the age difference of five.
        one.post_empty(&like).await.expect(200);
        one.repost(&old).await;
        one.reply(&old, "one").await;
        assert_eq!(eve.contents(FEED).await, ["new", "old", "middle"]);
        // Three members are worth twelve hours.
        two.post_empty(&like).await.expect(200);
        let reply = three.reply(&old, "three").await;
        assert_eq!(eve.contents(FEED).await, ["old", "new", "middle"]);
        let reason = &eve.get(FEED).await.expect(200)[0]["reason"];
        assert_eq!(reason, &json!({"code": "popular", "message": "Popular on this network", "name": null, "others": null}));
        three.delete(&format!("/api/posts/{reply}")).await.expect(204);
        assert_eq!(eve.contents(FEED).await, ["new", "old", "middle"]);
        // After the unlike the repost still counts.
        one.delete(&like).await.expect(200);
        assert_eq!(eve.contents(FEED).await, ["new", "old", "middle"]);
        one.delete(&format!("/api/posts/{old}/repost")).await.expect(200);
        two.delete(&like).await.expect(200);
        assert_eq!(eve.contents(FEED).await, ["new", "old", "middle"], "the answer still counts");
        server.advance_clock(300 * HOUR);
        assert_eq!(eve.contents(FEED).await, ["new", "old", "middle"], "whenever one looks");
    }

    /// Closeness is worth some hours, and each post has a reason.
    /// proves: foryou-ranked, foryou-close
    async fn closeness_counts_and_is_a_reason(server) {
        let ada = server.member("ada").await;
        let (friend, near) = (server.member("friend").await, server.member("near").await);
        let (fan, stranger) = (server.member("fan").await, server.member("stranger").await);
        ada.follow(&friend).await;
        friend.follow(&near).await;
        fan.follow(&ada).await;
        friend.write("friend").await;
        server.advance_clock(2 * HOUR);
        fan.write("fan").await;
        near.write("near").await;
        server.advance_clock(2 * HOUR);
        stranger.write("stranger").await;
        server.advance_clock(HOUR / 2);
        ada.write("ada").await;
        let found = reasons(&ada).await;
        let found = found.iter().map(|(text, code)| (text.as_str(), code.as_str())).collect::<Vec<_>>();
        assert_eq!(found, [
            ("friend", "following"), ("near", "followed_by"), ("fan", "follows_you"), ("ada", "own"), ("stranger", "new"),
        ]);
        assert_eq!(stranger.contents(FEED).await, ["ada", "stranger", "near", "fan", "friend"]);
        // A new follow has an immediate effect.
        ada.follow(&stranger).await;
        assert_eq!(reasons(&ada).await[0], ("stranger".to_owned(), "following".to_owned()));
    }

    /// No author has three posts in a row while there are others.
    /// proves: foryou-two-in-a-row
    async fn an_author_has_at_most_two_posts_in_a_row(server) {
        let (ada, bob) = (server.member("ada").await, server.member("bob").await);
        bob.write("b1").await;
        bob.write("b2").await;
        for n in 1..=5 {
            ada.write(&format!("a{n}")).await;
        }
        assert_eq!(bob.contents(FEED).await, ["a5", "a4", "b2", "a3", "a2", "b1", "a1"]);
    }

    /// A full last page links to an empty one, as in other lists.
    async fn a_full_last_page_links_to_an_empty_one(server) {
        let ada = server.member("ada").await;
        ada.write("one").await;
        ada.write("two").await;
        let answer = ada.get(&format!("{FEED}?limit=2")).await;
        assert_eq!(answer.expect(200).as_array().unwrap().len(), 2);
        let last = ada.get(&answer.next().unwrap()).await;
        assert_eq!((last.expect(200), last.next()), (json!([]), None));
    }

    /// Pages by offset and by cursor are complete, and new posts move no rows.
    /// proves: foryou-pages, wire-cursor, wire-cursor-odd
    async fn pages_are_complete(server) {
        let (ada, bob) = (server.member("ada").await, server.member("bob").await);
        let mut expected = Vec::new();
        for n in 0..230 {
            let author = if n % 2 == 0 { &ada } else { &bob };
            server.advance_clock(1_000);
            author.write(&format!("p{n}")).await;
            expected.insert(0, format!("p{n}"));
        }
        let mut by_offset = Vec::new();
        for offset in (0..230).step_by(45) {
            let page = ada.contents(&format!("{FEED}?limit=45&offset={offset}")).await;
            assert_eq!(page.len(), 45.min(230 - offset));
            by_offset.extend(page);
        }
        assert_eq!(by_offset, expected);
        let mut walked = Vec::new();
        let mut next = format!("{FEED}?limit=45");
        while !next.is_empty() {
            let answer = ada.get(&next).await;
            let page = answer.expect(200);
            walked.extend(page.as_array().unwrap().iter().map(|post| post["content"].as_str().unwrap().to_owned()));
            next = answer.next().unwrap_or_default();
            bob.write("meanwhile").await;
        }
        assert_eq!(walked, expected);
        for cursor in ["", "1", "x", "1-2", "1-2-AAAA", "1-2-!", "-1-2-", "1--"] {
            assert_eq!(ada.get(&format!("{FEED}?cursor={cursor}")).await.error_code(400), "invalid", "{cursor}");
        }
    }

    /// Likes, follows, deletions and new posts between two pages move no later rows.
    /// proves: foryou-pages, wire-cursor
    async fn each_post_is_listed_once_while_ranks_change(server) {
        let (ada, bob, eve) = (server.member("ada").await, server.member("bob").await, server.member("eve").await);
        let mut posts = Vec::new();
        for n in 0..260 {
            server.advance_clock(60_000);
            let author = if n % 2 == 0 { &bob } else { &eve };
            posts.push(author.write(&format!("p{n}")).await);
        }
        let like = |post: &String| format!("/api/posts/{post}/like");
        for post in &posts[200..] {
            ada.post_empty(&like(post)).await.expect(200);
        }
        let mut walked = Vec::new();
        let mut next = Some(format!("{FEED}?limit=20"));
        let mut turn = 0;
        while let Some(path) = next {
            let answer = ada.get(&path).await;
            let page = answer.expect(200);
            walked.extend(page.as_array().unwrap().iter().map(|post| post["id"].as_str().unwrap().to_owned()));
            next = answer.next();
            // New posts are written; a shown post falls in rank, and a later one rises.
            eve.write("meanwhile").await;
            server.advance_clock(60_000);
            ada.delete(&like(&posts[259 - turn])).await.expect(200);
            for (liker, post) in [(&ada, turn), (&bob, 10 + 2 * turn), (&eve, 60 + 5 * turn)] {
                liker.post_empty(&like(&posts[post])).await.expect(200);
            }
            if turn == 2 {
                ada.follow(&eve).await;
            }
            turn += 1;
        }
        let shown = walked.iter().collect::<std::collections::BTreeSet<_>>();
        assert_eq!(shown.len(), walked.len(), "none comes twice");
        assert_eq!(shown, posts.iter().collect(), "and none is left out, or new");
    }

    /// Each reason has its message.
    /// proves: foryou-why, entity-reason
    async fn each_post_has_a_reason(server) {
        let ada = server.member("ada").await;
        let mut named = Vec::new();
        for name in ["Friend", "Near", "Fan", "Stranger", "Star"] {
            let member = server.member(&name.to_lowercase()).await;
            member.json(axum::http::Method::PUT, "/api/users/profile", json!({"displayName": name})).await.expect(200);
            named.push((member, name));
        }
        let [friend, near, fan, _, star] = [0, 1, 2, 3, 4].map(|n| &named[n].0);
        ada.follow(friend).await;
        friend.follow(near).await;
        fan.follow(&ada).await;
        for (member, name) in &named {
            member.write(name).await;
        }
        let post = star.contents(FEED).await.iter().position(|text| text == "Star").unwrap();
        let post = star.get(FEED).await.expect(200)[post]["id"].as_str().unwrap().to_owned();
        for (member, _) in &named[..3] {
            member.post_empty(&format!("/api/posts/{post}/like")).await.expect(200);
        }
        ada.write("Ada").await;
        let list = ada.get(FEED).await.expect(200);
        let found = list.as_array().unwrap().iter().map(|post| (post["content"].as_str().unwrap(), &post["reason"]));
        let found = found.collect::<std::collections::BTreeMap<_, _>>();
        for (text, code, message, name) in [
            ("Ada", "own", "Your own post", None),
            ("Friend", "following", "You follow Friend", Some("Friend")),
            ("Near", "followed_by", "Followed by Friend, who you follow", Some("Friend")),
            ("Fan", "follows_you", "Fan follows you", Some("Fan")),
            ("Star", "popular", "Popular on this network", None),
            ("Stranger", "new", "New on this network", None),
        ] {
            let expected = json!({"code": code, "message": message, "name": name, "others": null});
            assert_eq!(found[text], &expected, "{text}");
        }
        // Other lists have no reasons.
        assert_eq!(ada.get("/api/posts/feed").await.expect(200)[0]["reason"], json!(null));
    }
}
