//! Pagination of lists to their end.

use crate::harness::{Browser, Server, TestResponse, on_both_engines};

fn contents(answer: &TestResponse) -> Vec<String> {
    let posts = answer.expect(200);
    let posts = posts.as_array().unwrap().iter();
    posts.map(|post| post["content"].as_str().unwrap().to_owned()).collect()
}

/// Loads every page of a list; `between` runs after each.
async fn walk(
    reader: &Browser,
    first: &str,
    mut between: impl AsyncFnMut(usize),
) -> Vec<Vec<String>> {
    let mut pages = Vec::new();
    let mut path = Some(first.to_owned());
    while let Some(here) = path {
        let answer = reader.get(&here).await;
        pages.push(contents(&answer));
        path = answer.next();
        between(pages.len()).await;
        assert!(pages.len() < 100, "the list does not end");
    }
    pages
}

/// Ada follows two members who wrote `count` posts alternately; newest first.
async fn history(server: &Server, count: usize) -> (Browser, Browser, Vec<String>) {
    let (ada, bob) = (server.member("ada").await, server.member("bob").await);
    let eve = server.member("eve").await;
    ada.follow(&bob).await;
    ada.follow(&eve).await;
    let mut expected = Vec::new();
    for n in 0..count {
        let author = if n % 3 == 0 { &eve } else { &bob };
        author.write(&format!("post {n}")).await;
        expected.insert(0, format!("post {n}"));
        if n % 7 == 0 {
            server.advance_clock(3_600_000);
        }
    }
    (ada, bob, expected)
}

on_both_engines! {
    /// Pages by the `Link` header have every row once, even if new posts are written in between.
    /// proves: wire-link, wire-cursor
    async fn links_cover_the_whole_feed(server) {
        let (ada, bob, expected) = history(&server, 33).await;
        for limit in [1, 5, 11, 50] {
            let pages = walk(&ada, &format!("/api/posts/feed?limit={limit}"), async |_| {}).await;
            assert!(pages.iter().rev().skip(1).all(|page| page.len() == limit), "{pages:?}");
            assert_eq!(pages.concat(), expected, "limit {limit}");
        }
        let pages = walk(&ada, "/api/posts/feed?limit=10", async |n| {
            bob.write(&format!("post {n}")).await;
        })
        .await;
        assert_eq!(pages.concat(), expected, "nothing twice, nothing left out");
    }

    /// `offset` alone reaches the last row and stops there.
    /// proves: wire-offset, feed-page-20
    async fn offsets_reach_the_last_row(server) {
        let (ada, _, expected) = history(&server, 25).await;
        assert_eq!(ada.contents("/api/posts/feed").await, expected[..20]);
        let mut seen = Vec::new();
        for offset in (0..40).step_by(7) {
            seen.extend(ada.contents(&format!("/api/posts/feed?limit=7&offset={offset}")).await);
        }
        assert_eq!(seen, expected);
        for offset in [25, 26, 1_000_000, u32::MAX] {
            assert!(ada.contents(&format!("/api/posts/feed?offset={offset}")).await.is_empty());
        }
    }

    /// Profile pages neither repeat nor skip posts, with any filter.
    /// proves: wire-cursor
    async fn links_cover_a_whole_profile(server) {
        let (ada, bob) = (server.member("ada").await, server.member("bob").await);
        let name = bob.name().await;
        let root = ada.write("root").await;
        let (mut posts, mut replies) = (Vec::new(), Vec::new());
        for n in 0..12 {
            posts.insert(0, format!("post {n}"));
            replies.insert(0, format!("reply {n}"));
            let post = bob.write(&posts[0]).await;
            bob.reply(&root, &replies[0]).await;
            bob.post_empty(&format!("/api/posts/{post}/like")).await.expect(200);
        }
        for (filter, expected) in [("posts", &posts), ("replies", &replies), ("likes", &posts)] {
            let first = format!("/api/users/{}/posts?filter={filter}&limit=5", name.to_uppercase());
            let pages = walk(&ada, &first, async |n| {
                let late = bob.write(&format!("late {n}")).await;
                bob.post_empty(&format!("/api/posts/{late}/like")).await.expect(200);
                bob.reply(&root, &format!("late {n}")).await;
            })
            .await;
            let fresh = |text: &String| !text.starts_with("late");
            assert_eq!(pages.concat().into_iter().filter(fresh).collect::<Vec<_>>(), *expected, "{filter}");
        }
    }

    /// Lists are complete with more rows than one query reads, from two authors whose posts are far apart.
    async fn long_lists_are_complete(server) {
        let (ada, bob, eve) = (server.member("ada").await, server.member("bob").await, server.member("eve").await);
        let mut expected = Vec::new();
        for n in 0..3 {
            eve.write(&format!("rare {n}")).await;
            expected.push(format!("rare {n}"));
            for m in 0..90 {
                bob.write(&format!("{n}.{m}")).await;
                expected.push(format!("{n}.{m}"));
            }
            server.advance_clock(2 * 86_400_000);
        }
        expected.reverse();
        ada.follow(&bob).await;
        ada.follow(&eve).await;
        let pages = walk(&ada, "/api/posts/feed?limit=50", async |_| {}).await;
        assert_eq!(pages.concat(), expected);
        assert_eq!(ada.contents("/api/posts/feed?limit=3&offset=271").await, expected[271..]);
    }

    /// Every list has a default page size of twenty.
    /// proves: feed-page-20, wire-limit-default, wire-link
    async fn a_page_has_its_default_size(server) {
        let (ada, bob) = (server.member("ada").await, server.member("bob").await);
        let name = ada.name().await;
        for n in 0..21 {
            let post = ada.write(&format!("p{n} #tag")).await;
            ada.post_empty(&format!("/api/posts/{post}/like")).await.expect(200);
            bob.reply(&post, "reply").await;
            let fan = server.member(&format!("fan{n}")).await;
            fan.follow(&ada).await;
            ada.follow(&fan).await;
        }
        let lists = ["/api/posts/feed", "/api/posts/for-you", "/api/hashtags/tag/posts"].map(str::to_owned).into_iter();
        let own = ["posts", "posts?filter=posts", "posts?filter=likes", "followers", "following"].map(|list| format!("/api/users/{name}/{list}"));
        let replies = format!("/api/users/{}/posts?filter=replies", bob.name().await);
        for path in lists.chain(own).chain([replies]) {
            let page = ada.get(&path).await;
            assert_eq!(page.expect(200).as_array().unwrap().len(), 20, "{path}");
            let next = ada.get(&page.next().unwrap()).await;
            let rest = next.expect(200).as_array().unwrap().len();
            assert!(rest > 0 && rest < 20, "{path}: {rest}");
            assert_eq!(next.next(), None, "{path}: a page that is not full is the last");
        }
    }

    /// A full last page links to an empty one.
    /// proves: wire-link
    async fn a_full_last_page_links_to_an_empty_one(server) {
        let (ada, _, expected) = history(&server, 6).await;
        for path in ["/api/posts/feed?limit=3", "/api/posts/for-you?limit=3"] {
            let pages = walk(&ada, path, async |_| {}).await;
            let sizes = pages.iter().map(Vec::len).collect::<Vec<_>>();
            assert_eq!((sizes, pages.concat().len()), (vec![3, 3, 0], expected.len()), "{path}");
        }
    }
}
