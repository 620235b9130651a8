//! Hashtags: their lists and trends.

use crate::harness::{Browser, on_both_engines};
use kith_db::{Sql, Tx, Write, params, sql};
use serde_json::{Value, json};

const DAY: i64 = 86_400_000;

const USES: Sql = sql!(
    "with recursive uses (n) as (select cast($1 as bigint) + 1 union all
       select n + 1 from uses where n < cast($1 as bigint) + $2)
     insert into tag_posts (tag, id, author_id) select 'react', n, 1 from uses"
);

/// Inserts uses of a tag right after a post id.
struct Uses {
    first: i64,
    count: i64,
}

impl Write for Uses {
    type Out = ();
    type Err = kith_db::Error;

    async fn run(&self, tx: &mut Tx) -> kith_db::Result<()> {
        tx.exec(&USES, params![self.first, self.count]).await.map(drop)
    }
}

async fn counts(viewer: &Browser) -> Vec<(String, i64)> {
    let topics = viewer.get("/api/trending").await.expect(200);
    let read = |topic: &Value| {
        (topic["tag"].as_str().unwrap().to_owned(), topic["postCount"].as_i64().unwrap())
    };
    topics.as_array().unwrap().iter().map(read).collect()
}

on_both_engines! {
    /// A post is listed once under each of its tags, in any case.
    /// proves: call-hashtag, tag-list, tag-odd, tag-found, entity-post-hashtags
    async fn posts_are_listed_by_tag(server) {
        let (ada, bob) = (server.member("ada").await, server.member("bob").await);
        let first = ada.create(json!({"content": "👋 #WebDev and #webdev and #AI"})).await;
        assert_eq!(first["hashtags"], json!([
            {"tag": "webdev", "start": 3, "end": 10}, {"tag": "webdev", "start": 15, "end": 22}, {"tag": "ai", "start": 27, "end": 30},
        ]));
        let post = first["id"].as_str().unwrap();
        bob.reply(post, "a reply with #webdev").await;
        bob.repost(post).await;
        bob.write("webdev without a sign").await;
        let expected = ["a reply with #webdev", "👋 #WebDev and #webdev and #AI"];
        for tag in ["webdev", "WebDev", "%23WEBDEV", "W%C3%A9bdev"] {
            assert_eq!(ada.contents(&format!("/api/hashtags/{tag}/posts")).await, expected, "{tag}");
        }
        let answer = ada.get("/api/hashtags/webdev/posts?limit=1").await;
        let next = answer.next().unwrap();
        assert_eq!(ada.contents(&next).await, expected[1..]);
        assert_eq!(ada.contents("/api/hashtags/webdev/posts?limit=1&offset=1").await, expected[1..]);
        assert!(ada.contents("/api/hashtags/nothing/posts").await.is_empty());
        assert_eq!(ada.get("/api/hashtags/no%20tag/posts").await.error_code(404), "hashtag_not_found");
    }

    /// Tags of other scripts keep their letters, in the list and in its next page's link.
    /// proves: tag-list, tag-found, wire-link
    async fn tags_of_all_scripts_are_listed(server) {
        let ada = server.member("ada").await;
        for (text, tag) in [("#नमस्ते दुनिया", "नमस्ते"), ("#日本語 です", "日本語"), ("#عربي نص", "عربي"), ("#한국어 글", "한국어")] {
            let post = ada.create(json!({"content": text})).await;
            assert_eq!(post["hashtags"][0]["tag"], tag);
            ada.write(&format!("again {}", text.split(' ').next().unwrap())).await;
            let encoded: String = url::form_urlencoded::byte_serialize(tag.as_bytes()).collect();
            let answer = ada.get(&format!("/api/hashtags/{encoded}/posts?limit=1")).await;
            let next = answer.next().unwrap();
            assert_eq!(ada.contents(&next).await, [text], "{tag}");
        }
    }

    /// The six pinned topics come first, with real counts of the last seven days; then trending tags.
    /// proves: call-trending, trending-house, trending-counts, trending-people, entity-topic
    /// proves: tag-deleted
    async fn trending_counts_are_real(server) {
        let (ada, bob) = (server.member("ada").await, server.member("bob").await);
        let house = ["WebDev", "UIDesign", "BuildInPublic", "AI", "React", "Design"];
        let zero = house.map(|tag| (tag.to_owned(), 0));
        assert_eq!(counts(&ada).await, zero);
        let gone = ada.write("#ai #react").await;
        ada.write("#ai #loud").await;
        ada.write("#loud").await;
        ada.write("#loud").await;
        bob.write("#shared").await;
        ada.write("#shared").await;
        ada.delete(&format!("/api/posts/{gone}")).await.expect(204);
        server.advance_clock(60_000);
        let mut expected = zero.to_vec();
        expected[3].1 = 1;
        // Two members outweigh three posts.
        expected.extend([("shared".to_owned(), 2), ("loud".to_owned(), 3)]);
        assert_eq!(counts(&ada).await, expected);
        let page = ada.get("/api/trending?limit=6").await.expect(200);
        assert_eq!(page.as_array().unwrap().len(), 6);
        assert_eq!(page[1], json!({"tag": "UIDesign", "category": "Design", "postCount": 0}));
        let more = ada.get("/api/trending?offset=6&limit=1").await.expect(200);
        assert_eq!(more, json!([{"tag": "shared", "category": null, "postCount": 2}]));
        server.advance_clock(7 * DAY);
        let ada = server.log_in("ada").await;
        assert_eq!(counts(&ada).await, zero);
    }

    /// Of a popular tag the newest 200,000 uses are counted.
    /// proves: trending-counts
    async fn counts_are_bounded(server) {
        let ada = server.member("ada").await;
        let first = ada.write("#react").await.parse().unwrap();
        server.state.db.write(Uses { first, count: 199_999 }).await.unwrap();
        assert_eq!(counts(&ada).await[4], ("React".to_owned(), 200_000));
        let first = first + 199_999;
        server.state.db.write(Uses { first, count: 10 }).await.unwrap();
        server.advance_clock(60_000);
        assert_eq!(counts(&ada).await[4], ("React".to_owned(), 200_000));
    }

    /// The pinned topics and a hundred more, in pages.
    /// proves: trending-most, wire-offset
    async fn a_hundred_tags_trend(server) {
        let ada = server.member("ada").await;
        for n in 0..6 {
            let tags = (0..18).map(|m| format!("#t{n}x{m}")).collect::<Vec<_>>();
            ada.write(&tags.join(" ")).await;
        }
        let mut all = Vec::new();
        for offset in [0, 50, 100] {
            let page = ada.get(&format!("/api/trending?limit=50&offset={offset}")).await.expect(200);
            all.extend(page.as_array().unwrap().iter().map(|topic| topic["tag"].as_str().unwrap().to_owned()));
        }
        assert_eq!(all.len(), 106);
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), 106);
        assert_eq!(counts(&ada).await.len(), 20, "a page has 20");
    }

    /// Thirty tags of a post are counted, each up to a hundred characters.
    /// proves: bound-hashtags
    async fn a_post_has_thirty_tags(server) {
        let ada = server.member("ada").await;
        let text = (0..31).map(|n| format!("#t{n}")).collect::<Vec<_>>().join(" ");
        let post = ada.create(json!({"content": text})).await;
        assert_eq!(post["hashtags"].as_array().unwrap().len(), 30);
        assert_eq!(ada.contents("/api/hashtags/t29/posts").await, [text]);
        assert!(ada.contents("/api/hashtags/t30/posts").await.is_empty());
        for (length, tags) in [(100, 1), (101, 0)] {
            let tag = "é".repeat(length);
            let post = ada.create(json!({"content": format!("#{tag}")})).await;
            assert_eq!(post["hashtags"].as_array().unwrap().len(), tags, "{length}");
            let tag: String = url::form_urlencoded::byte_serialize(tag.as_bytes()).collect();
            let answer = ada.get(&format!("/api/hashtags/{tag}/posts")).await;
            assert_eq!(answer.status.as_u16(), if tags == 1 { 200 } else { 404 });
        }
    }

    /// Equally trending tags have a fixed order, so that pages contain each once.
    /// proves: trending-people
    async fn tags_of_one_post_trend_by_name(server) {
        let ada = server.member("ada").await;
        ada.write("#delta #bravo #echo #alfa #charlie").await;
        let tags = counts(&ada).await.into_iter().skip(6).map(|(tag, _)| tag);
        assert_eq!(tags.collect::<Vec<_>>(), ["alfa", "bravo", "charlie", "delta", "echo"]);
    }
}
