//! Threads: a post with its replies and ancestors.

use crate::harness::{Browser, on_both_engines};
use kith::features::members::SanctionKind;
use serde_json::json;

async fn replies(viewer: &Browser, post: &str) -> Vec<String> {
    let thread = viewer.get(&format!("/api/posts/{post}/thread")).await;
    let thread = thread.expect(200);
    assert_eq!(thread["post"]["id"], post);
    let replies = thread["replies"].as_array().unwrap().iter();
    replies.map(|reply| reply["content"].as_str().unwrap().to_owned()).collect()
}

on_both_engines! {
    /// The author's own replies first, then the others, oldest first, each followed by its replies.
    /// proves: call-thread, thread-order, entity-thread
    async fn replies_have_their_order(server) {
        let (ada, bob, eve) = (server.member("ada").await, server.member("bob").await, server.member("eve").await);
        let post = ada.write("root").await;
        assert!(replies(&eve, &post).await.is_empty());
        let b1 = bob.reply(&post, "b1").await;
        let a1 = ada.reply(&post, "a1").await;
        let e1 = eve.reply(&post, "e1").await;
        ada.reply(&post, "a2").await;
        let b1e = eve.reply(&b1, "b1-e").await;
        ada.reply(&b1, "b1-a").await;
        bob.reply(&a1, "a1-b").await;
        ada.reply(&e1, "e1-a").await;
        eve.reply(&b1e, "deeper").await;
        let order = ["a1", "a1-b", "a2", "b1", "b1-e", "b1-a", "e1", "e1-a"];
        assert_eq!(replies(&eve, &post).await, order);
        assert_eq!(replies(&eve, &b1).await, ["b1-e", "deeper", "b1-a"]);
    }

    /// Direct replies are counted, and each names its parent.
    /// proves: call-create-post, entity-post-reply-to
    async fn a_reply_names_its_parent(server) {
        let (ada, bob) = (server.member("ada").await, server.member("bob").await);
        let post = ada.write("root").await;
        let reply = bob.create(json!({"content": "reply", "replyToId": post})).await;
        assert_eq!(reply["replyToId"], post.as_str());
        assert_eq!(reply["replyTo"]["id"], post.as_str());
        assert_eq!(reply["replyTo"]["author"]["id"], ada.id().await.as_str());
        let id = reply["id"].as_str().unwrap();
        ada.reply(id, "nested").await;
        assert_eq!(ada.get_post(&post).await["replyCount"], 1);
        assert_eq!(ada.get_post(id).await["replyCount"], 1);
        assert_eq!((ada.me().await["unreadNotificationCount"].as_i64(), bob.me().await["unreadNotificationCount"].as_i64()), (Some(1), Some(1)));
        assert_eq!(bob.me().await["postCount"], 1);
    }

    /// A reply to a missing post is rejected.
    async fn only_existing_posts_get_replies(server) {
        let ada = server.member("ada").await;
        for id in ["1", "0", "nonsense", "99999999999999999999"] {
            let answer = ada.post("/api/posts", json!({"content": "x", "replyToId": id})).await;
            assert_eq!(answer.error_code(404), "post_not_found", "{id}");
        }
        assert_eq!(ada.me().await["postCount"], 0);
    }

    /// Fifty and more replies to one reply do not displace other replies.
    /// proves: thread-most
    async fn a_flood_below_one_reply_hides_no_other(server) {
        let (ada, bob) = (server.member("ada").await, server.member("bob").await);
        let post = ada.write("root").await;
        let first = bob.reply(&post, "first").await;
        for n in 0..405 {
            bob.reply(&first, &format!("flood {n}")).await;
        }
        ada.reply(&bob.reply(&post, "second").await, "seen").await;
        let shown = replies(&ada, &post).await;
        assert_eq!(shown.len(), 1 + 50 + 2);
        assert_eq!(shown[51..], ["second", "seen"]);
    }

    /// An author of 210 replies gets 20 slots while others have replied, and the slots that remain after those. A
    /// viewer who blocked that author gets the replies of the others.
    /// proves: thread-fair
    async fn a_flood_below_a_post_hides_no_other(server) {
        let (ada, bob, eve) = (server.member("ada").await, server.member("bob").await, server.member("eve").await);
        let post = ada.write("root").await;
        for n in 0..210 {
            eve.reply(&post, &format!("flood {n}")).await;
        }
        bob.reply(&post, "seen").await;
        let shown = replies(&ada, &post).await;
        assert_eq!((shown.len(), shown[198].as_str(), shown[199].as_str()), (200, "flood 198", "seen"));
        ada.post_empty(&format!("/api/blocks/{}", eve.id().await)).await.expect(200);
        assert_eq!(replies(&ada, &post).await, ["seen"]);
    }

    /// Ten members fill a thread with 20 replies each. Once they are suspended, later replies have room, and
    /// replies to theirs remain.
    /// proves: thread-suspended
    async fn replies_of_suspended_members_use_no_slots(server) {
        let (ada, bob) = (server.member("ada").await, server.member("bob").await);
        let post = ada.write("root").await;
        let mut flooders = Vec::new();
        for n in 0..10 {
            let flooder = server.member(&format!("flooder{n}")).await;
            for n in 0..20 {
                let reply = flooder.reply(&post, &format!("flood {n}")).await;
                if flooders.is_empty() && n == 7 {
                    bob.reply(&reply, "answered").await;
                }
            }
            flooders.push(flooder.name().await);
        }
        bob.reply(&post, "late").await;
        let shown = replies(&ada, &post).await;
        assert!(shown.len() == 201 && !shown.contains(&"late".to_owned()), "{shown:?}");
        for flooder in &flooders {
            server.apply_sanction(flooder, SanctionKind::Suspend).await.unwrap();
        }
        assert_eq!(replies(&ada, &post).await, ["", "answered", "late"]);
        server.apply_sanction(&flooders[0], SanctionKind::Unsuspend).await.unwrap();
        assert_eq!(replies(&ada, &post).await.len(), 22);
    }

    /// If replies are as large as possible, the oldest that fit into the response are shown.
    /// proves: thread-large
    async fn a_thread_is_no_larger_than_a_mebibyte(server) {
        let (ada, bob, cat) = (server.member("ada").await, server.member("bob").await, server.member("cat").await);
        let post = ada.write("root").await;
        let large = "👨🏻‍👩🏻‍👧🏻‍👦🏻".repeat(121);
        for _ in 0..190 {
            bob.reply(&post, &large).await;
        }
        let last = cat.reply(&post, &large).await;
        cat.reply(&last, "below the last").await;
        let thread = ada.get(&format!("/api/posts/{post}/thread")).await;
        let shown = replies(&ada, &post).await;
        let (count, bytes) = (shown.len(), thread.bytes.len());
        assert!(count < 190 && (1_000_000..1_100_000).contains(&bytes), "{count} {bytes}");
        // A reply after the flood is shown, with its own replies.
        assert_eq!(shown[count - 1], "below the last");
        assert_eq!(thread.expect(200)["replies"][count - 2]["id"], last);
    }

    /// More replies than one query reads are in order.
    async fn many_replies_keep_their_order(server) {
        let (ada, bob) = (server.member("ada").await, server.member("bob").await);
        let post = ada.write("root").await;
        let mut order = Vec::new();
        for n in 0..60 {
            let reply = bob.reply(&post, &format!("r{n}")).await;
            order.push(format!("r{n}"));
            if n % 6 == 0 {
                bob.reply(&reply, &format!("r{n}+")).await;
                order.push(format!("r{n}+"));
            }
        }
        assert_eq!(replies(&ada, &post).await, order);
        assert_eq!(ada.get_post(&post).await["replyCount"], 60);
    }

    /// The ancestors of a reply are listed oldest first, at most the nearest twenty.
    /// proves: thread-ancestors, thread-root, entity-thread
    async fn a_reply_shows_its_ancestors(server) {
        let (ada, bob) = (server.member("ada").await, server.member("bob").await);
        let mut chain = vec![ada.write("0").await];
        for n in 1..=22 {
            let author = if n % 2 == 0 { &ada } else { &bob };
            let reply = author.reply(&chain[n - 1], &n.to_string()).await;
            chain.push(reply);
        }
        // A sibling is not an ancestor.
        bob.reply(&chain[0], "beside").await;
        for (n, post) in chain.iter().enumerate() {
            let thread = ada.get(&format!("/api/posts/{post}/thread")).await.expect(200);
            let above = thread["ancestors"].as_array().unwrap().iter().map(|post| post["content"].as_str().unwrap().to_owned());
            let expected = (n.saturating_sub(20)..n).map(|n| n.to_string());
            assert_eq!(above.collect::<Vec<_>>(), expected.collect::<Vec<_>>());
            assert_eq!(thread["post"]["id"], post.as_str());
            // More distant ancestors are reached by the thread's root.
            let root = (n > 20).then_some(&chain[0]);
            assert_eq!(thread["rootId"], json!(root), "{n}");
        }
        let eve = server.member("eve").await;
        eve.block(&ada).await;
        let end = bob.reply(&chain[21], "bob's").await;
        assert_eq!(eve.get(&format!("/api/posts/{end}/thread")).await.expect(200)["rootId"], json!(null), "she doesn't see it");
        ada.delete(&format!("/api/posts/{}", chain[0])).await.expect(204);
        let thread = bob.get(&format!("/api/posts/{end}/thread")).await.expect(200);
        assert_eq!(thread["rootId"], chain[0].as_str(), "its place is still there");
    }

    /// A thread has at most 200 direct replies, 50 replies to each while there is room, and 400 in all.
    /// proves: thread-most
    async fn a_thread_has_at_most_four_hundred_replies(server) {
        let (ada, bob) = (server.member("ada").await, server.member("bob").await);
        let post = ada.write("root").await;
        let mut direct = Vec::new();
        for n in 0..201 {
            direct.push(bob.reply(&post, &format!("r{n}")).await);
        }
        for reply in &direct[..5] {
            for n in 0..51 {
                ada.reply(reply, &format!("n{n}")).await;
            }
        }
        // Five share the room of 200.
        let answers = (0..40).map(|n| format!("n{n}")).collect::<Vec<_>>();
        let mut expected = Vec::new();
        for n in 0..200 {
            expected.push(format!("r{n}"));
            expected.extend(answers.iter().filter(|_| n < 5).cloned());
        }
        assert_eq!(replies(&ada, &post).await, expected);
        assert_eq!((expected.len(), replies(&ada, &direct[4]).await.len()), (400, 51));
        assert_eq!((&ada.get_post(&post).await["replyCount"], &ada.get_post(&direct[0]).await["replyCount"]), (&json!(201), &json!(51)));
    }
}
