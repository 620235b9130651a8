//! The For You feed: everybody's posts, by a score that anybody can work out.

use crate::harness::{Browser, on_both_engines};
use serde_json::{Value, json};

const FEED: &str = "/api/posts/for-you";
const HOUR: i64 = 3_600_000;

async fn reasons(reader: &Browser) -> Vec<(String, String)> {
    let posts = reader.get(FEED).await.expect(200);
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let posts = posts.as_array().unwrap().iter();
    posts
        .map(|post| (text(&post["content"]), text(&post["reason"]["code"])))
        .collect()
}

on_both_engines! {
    /// Every top-level post of the network, and nothing else.
    /// proves: call-get-for-you, foryou-roots, post-delete-gone
    async fn it_shows_the_whole_network(server) {
        let (ada, bob) = (server.member("ada").await, server.member("bob").await);
        let post = bob.write("bob's").await;
        let mine = ada.write("ada's").await;
        ada.reply(&post, "a reply").await;
        ada.repost(&post).await;
        // An answer and a repost by one member are one person.
        assert_eq!(bob.contents(FEED).await, ["bob's", "ada's"]);
        bob.delete(&format!("/api/posts/{post}")).await.expect(204);
        assert_eq!(ada.contents(FEED).await, ["ada's"]);
        ada.delete(&format!("/api/posts/{mine}")).await.expect(204);
        assert!(ada.contents(FEED).await.is_empty());
    }

    /// Each doubling of the people is worth six hours; one person counts once; the author never.
    /// proves: foryou-ranked, foryou-people
    async fn people_move_a_post_up(server) {
        let ada = server.member("ada").await;
        let (one, two, three) = (server.member("one").await, server.member("two").await, server.member("three").await);
        let old = ada.write("old").await;
        server.pass(5 * HOUR);
        two.write("middle").await;
        server.pass(6 * HOUR);
        two.write("new").await;
        let like = format!("/api/posts/{old}/like");
        let eve = server.member("eve").await;
        ada.poke(&like).await.expect(200);
        ada.reply(&old, "me again").await;
        assert_eq!(eve.contents(FEED).await, ["new", "middle", "old"]);
        // One person: six hours, so five hours are made up for.
        one.poke(&like).await.expect(200);
        one.repost(&old).await;
        one.reply(&old, "one").await;
        assert_eq!(eve.contents(FEED).await, ["new", "old", "middle"]);
        // Three people: twelve hours.
        two.poke(&like).await.expect(200);
        let reply = three.reply(&old, "three").await;
        assert_eq!(eve.contents(FEED).await, ["old", "new", "middle"]);
        let reason = &eve.get(FEED).await.expect(200)[0]["reason"];
        assert_eq!(reason, &json!({"code": "popular", "message": "Popular on Kith"}));
        three.delete(&format!("/api/posts/{reply}")).await.expect(204);
        assert_eq!(eve.contents(FEED).await, ["new", "old", "middle"]);
        // The like goes, the repost still counts.
        one.delete(&like).await.expect(200);
        assert_eq!(eve.contents(FEED).await, ["new", "old", "middle"]);
        one.delete(&format!("/api/posts/{old}/repost")).await.expect(200);
        two.delete(&like).await.expect(200);
        assert_eq!(eve.contents(FEED).await, ["new", "old", "middle"], "the answer still counts");
        server.pass(300 * HOUR);
        assert_eq!(eve.contents(FEED).await, ["new", "old", "middle"], "whenever one looks");
    }

    /// Who is close is worth some hours, and each post says why it is there.
    /// proves: foryou-ranked, foryou-close
    async fn closeness_counts_and_is_told(server) {
        let ada = server.member("ada").await;
        let (friend, near) = (server.member("friend").await, server.member("near").await);
        let (fan, stranger) = (server.member("fan").await, server.member("stranger").await);
        ada.follow(&friend).await;
        friend.follow(&near).await;
        fan.follow(&ada).await;
        friend.write("friend").await;
        server.pass(2 * HOUR);
        fan.write("fan").await;
        near.write("near").await;
        server.pass(2 * HOUR);
        stranger.write("stranger").await;
        server.pass(HOUR / 2);
        ada.write("ada").await;
        let told = reasons(&ada).await;
        let told = told.iter().map(|(text, code)| (text.as_str(), code.as_str())).collect::<Vec<_>>();
        assert_eq!(told, [
            ("friend", "following"), ("near", "followed_by"), ("fan", "follows_you"), ("ada", "own"), ("stranger", "new"),
        ]);
        assert_eq!(stranger.contents(FEED).await, ["ada", "stranger", "near", "fan", "friend"]);
        // My own follow shows at once.
        ada.follow(&stranger).await;
        assert_eq!(reasons(&ada).await[0], ("stranger".to_owned(), "following".to_owned()));
    }

    /// Nobody fills the screen alone while there is somebody else.
    /// proves: foryou-two-in-a-row
    async fn at_most_two_in_a_row(server) {
        let (ada, bob) = (server.member("ada").await, server.member("bob").await);
        bob.write("b1").await;
        bob.write("b2").await;
        for n in 1..=5 {
            ada.write(&format!("a{n}")).await;
        }
        assert_eq!(bob.contents(FEED).await, ["a5", "a4", "b2", "a3", "a2", "b1", "a1"]);
    }

    /// Like every list: whoever holds a full page is told where the next one would be.
    async fn a_full_last_page_links_to_an_empty_one(server) {
        let ada = server.member("ada").await;
        ada.write("one").await;
        ada.write("two").await;
        let answer = ada.get(&format!("{FEED}?limit=2")).await;
        assert_eq!(answer.expect(200).as_array().unwrap().len(), 2);
        let last = ada.get(&answer.next().unwrap()).await;
        assert_eq!((last.expect(200), last.next()), (json!([]), None));
    }

    /// Pages by offset and by cursor are whole, and posts that arrive meanwhile move nothing.
    /// proves: foryou-pages, wire-cursor, wire-cursor-odd
    async fn pages_are_whole(server) {
        let (ada, bob) = (server.member("ada").await, server.member("bob").await);
        let mut expected = Vec::new();
        for n in 0..230 {
            let author = if n % 2 == 0 { &ada } else { &bob };
            server.pass(1_000);
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
            assert_eq!(ada.get(&format!("{FEED}?cursor={cursor}")).await.refusal(400), "invalid", "{cursor}");
        }
    }

    /// Likes, follows, deletions and new posts between two pages move nothing that is still to come.
    /// proves: foryou-pages, wire-cursor
    async fn each_post_comes_once_while_ranks_change(server) {
        let (ada, bob, eve) = (server.member("ada").await, server.member("bob").await, server.member("eve").await);
        let mut posts = Vec::new();
        for n in 0..260 {
            server.pass(60_000);
            let author = if n % 2 == 0 { &bob } else { &eve };
            posts.push(author.write(&format!("p{n}")).await);
        }
        let like = |post: &String| format!("/api/posts/{post}/like");
        for post in &posts[200..] {
            ada.poke(&like(post)).await.expect(200);
        }
        let mut walked = Vec::new();
        let mut next = Some(format!("{FEED}?limit=20"));
        let mut turn = 0;
        while let Some(path) = next {
            let answer = ada.get(&path).await;
            let page = answer.expect(200);
            walked.extend(page.as_array().unwrap().iter().map(|post| post["id"].as_str().unwrap().to_owned()));
            next = answer.next();
            // Posts arrive; one that was shown falls, and one that is still to come rises.
            eve.write("meanwhile").await;
            server.pass(60_000);
            ada.delete(&like(&posts[259 - turn])).await.expect(200);
            for (liker, post) in [(&ada, turn), (&bob, 10 + 2 * turn), (&eve, 60 + 5 * turn)] {
                liker.poke(&like(&posts[post])).await.expect(200);
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

    /// Each reason is a sentence.
    /// proves: foryou-why, entity-reason
    async fn each_post_says_why_it_is_shown(server) {
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
            member.poke(&format!("/api/posts/{post}/like")).await.expect(200);
        }
        ada.write("Ada").await;
        let list = ada.get(FEED).await.expect(200);
        let told = list.as_array().unwrap().iter().map(|post| (post["content"].as_str().unwrap(), &post["reason"]));
        let told = told.collect::<std::collections::BTreeMap<_, _>>();
        for (text, code, message) in [
            ("Ada", "own", "Your own post"),
            ("Friend", "following", "You follow Friend"),
            ("Near", "followed_by", "Followed by Friend, who you follow"),
            ("Fan", "follows_you", "Fan follows you"),
            ("Star", "popular", "Popular on Kith"),
            ("Stranger", "new", "New on Kith"),
        ] {
            assert_eq!(told[text], &json!({"code": code, "message": message}), "{text}");
        }
        // No other list says why.
        assert_eq!(ada.get("/api/posts/feed").await.expect(200)[0]["reason"], json!(null));
    }
}
