//! Polls: created with a post, open for votes until they end.

use crate::harness::{Browser, TestResponse, id_of, on_both_engines};
use serde_json::{Value, json};

async fn poll(ada: &Browser, options: &[&str]) -> Value {
    ada.create(json!({"content": "which?", "pollOptions": options})).await
}

async fn vote(browser: &Browser, post: &str, option: &str) -> TestResponse {
    browser.post(&format!("/api/posts/{post}/vote"), json!({"option": option})).await
}

on_both_engines! {
    /// Every valid option can be voted for, whatever the size of its characters.
    /// proves: length-any-script
    async fn large_options_can_be_voted_for(server) {
        let ada = server.member("ada").await;
        let families = "👨🏻‍👩🏻‍👧🏻‍👦🏻".repeat(50);
        let post = poll(&ada, &[&families, "none"]).await["id"].as_str().unwrap().to_owned();
        assert_eq!(vote(&ada, &post, &families).await.expect(200)["pollMyVote"], families);
    }

    /// A vote on a repost counts in the original's poll.
    /// proves: repost-stands
    async fn a_vote_on_a_repost_counts_in_its_original(server) {
        let (ada, bob) = (server.member("ada").await, server.member("bob").await);
        let post = poll(&ada, &["tea", "coffee"]).await["id"].as_str().unwrap().to_owned();
        let repost = ada.repost(&post).await;
        vote(&bob, &repost, "tea").await.expect(200);
        assert_eq!(bob.get_post(&post).await["pollMyVote"], "tea");
    }

    /// Blank options are removed, the others trimmed, and the default duration is a day.
    /// proves: poll-blank, poll-24-hours, entity-post-poll
    async fn a_poll_comes_with_its_post(server) {
        let ada = server.member("ada").await;
        let post = poll(&ada, &[" tea ", "", "coffee", "  "]).await;
        assert_eq!(post["pollOptions"], json!(["tea", "coffee"]));
        assert_eq!(post["pollTallies"], json!({"tea": 0, "coffee": 0}));
        assert_eq!(post["pollVotes"], json!({"tea": [], "coffee": []}));
        assert_eq!(post["pollMyVote"], json!(null));
        assert_eq!(post["pollExpiresAt"], "2026-11-22T09:30:00.000Z");
        assert_eq!(poll(&ada, &["a", "b", "c", "d"]).await["pollOptions"], json!(["a", "b", "c", "d"]));
        let fifty = "👩‍👩‍👧‍👦".repeat(15) + &"x".repeat(35);
        assert_eq!(poll(&ada, &[&fifty, "b"]).await["pollOptions"][0], fifty.as_str());
    }

    /// A poll has two to four distinct options within the limits of length and duration.
    /// proves: poll-options, poll-option-length, poll-distinct, poll-duration
    async fn invalid_polls_are_rejected(server) {
        let ada = server.member("ada").await;
        let long = "x".repeat(51);
        for (options, minutes) in [
            (json!(["a"]), json!(null)),
            (json!(["a", " "]), json!(null)),
            (json!(["a", "b", "c", "d", "e"]), json!(null)),
            (json!(["a", "a"]), json!(null)),
            (json!(["Ä", "a\u{308}"]), json!(null)),
            (json!(["yes", " YES "]), json!(null)),
            (json!(["a", long]), json!(null)),
            (json!(["a", "b"]), json!(4)),
            (json!(["a", "b"]), json!(10_081)),
            (json!(["a", "b"]), json!(-1)),
            (json!(["a", "b"]), json!(i64::MAX)),
            (json!(["a", "b"]), json!(i64::MIN)),
        ] {
            let body = json!({"content": "which?", "pollOptions": options, "pollDurationMinutes": minutes});
            assert_eq!(ada.post("/api/posts", body.clone()).await.error_code(422), "invalid", "{body}");
        }
        assert_eq!(ada.me().await["postCount"], 0);
    }

    /// A member has one vote; another vote replaces it.
    /// proves: call-vote, poll-one-vote, entity-post-poll, wire-idempotent
    async fn a_vote_can_be_changed(server) {
        let (ada, bob) = (server.member("ada").await, server.member("bob").await);
        let post = id_of(&poll(&ada, &["tea", "coffee"]).await);
        for _ in 0..2 {
            let voted = vote(&bob, &post, " tea ").await.expect(200);
            assert_eq!(voted["pollTallies"], json!({"tea": 1, "coffee": 0}));
            assert_eq!(voted["pollMyVote"], "tea");
            assert_eq!(voted["pollVotes"], json!({"tea": [bob.id().await], "coffee": []}));
        }
        vote(&ada, &post, "tea").await.expect(200);
        let moved = vote(&bob, &post, "coffee").await.expect(200);
        assert_eq!(moved["pollTallies"], json!({"tea": 1, "coffee": 1}));
        assert_eq!(moved["pollMyVote"], "coffee");
        let (seen, bobs) = (ada.get_post(&post).await, bob.id().await);
        assert_eq!(seen["pollMyVote"], "tea");
        assert_eq!(seen["pollVotes"]["coffee"].as_array().unwrap().len(), 1);
        assert_ne!(seen["pollVotes"]["coffee"][0], bobs.as_str(), "others' votes have no name");
    }

    /// A vote can be withdrawn while the poll is open; repeating that has no effect.
    /// proves: call-withdraw-vote, poll-withdraw, wire-idempotent
    async fn a_vote_can_be_withdrawn(server) {
        let (ada, bob) = (server.member("ada").await, server.member("bob").await);
        let post = id_of(&poll(&ada, &["tea", "coffee"]).await);
        let path = format!("/api/posts/{post}/vote");
        vote(&ada, &post, "tea").await.expect(200);
        vote(&bob, &post, "tea").await.expect(200);
        for _ in 0..2 {
            let withdrawn = bob.delete(&path).await.expect(200);
            assert_eq!(withdrawn["pollTallies"], json!({"tea": 1, "coffee": 0}));
            assert_eq!(withdrawn["pollMyVote"], json!(null));
        }
        assert_eq!(bob.get_post(&post).await["pollMyVote"], json!(null));
        assert_eq!(ada.get_post(&post).await["pollMyVote"], "tea");
        assert_eq!(vote(&bob, &post, "coffee").await.expect(200)["pollTallies"], json!({"tea": 1, "coffee": 1}));
        // A withdrawal on a repost applies to its original.
        let repost = ada.repost(&post).await;
        bob.delete(&format!("/api/posts/{repost}/vote")).await.expect(200);
        assert_eq!(bob.get_post(&post).await["pollTallies"], json!({"tea": 1, "coffee": 0}));
        let plain = ada.write("no poll").await;
        assert_eq!(ada.delete(&format!("/api/posts/{plain}/vote")).await.error_code(409), "no_poll");
        assert_eq!(ada.delete("/api/posts/1/vote").await.error_code(404), "post_not_found");
        server.advance_clock(86_400_000);
        for member in [&ada, &bob] {
            assert_eq!(member.delete(&path).await.error_code(409), "poll_ended", "whether or not they voted");
        }
        assert_eq!(ada.get_post(&post).await["pollTallies"], json!({"tea": 1, "coffee": 0}));
    }

    /// An ended poll accepts no votes and shows its result.
    /// proves: poll-ended, poll-duration, poll-24-hours
    async fn a_poll_ends(server) {
        let ada = server.member("ada").await;
        let day = id_of(&poll(&ada, &["a", "b"]).await);
        let body = json!({"content": "quick", "pollOptions": ["a", "b"], "pollDurationMinutes": 5});
        let quick = id_of(&ada.create(body).await);
        server.advance_clock(5 * 60_000 - 1);
        vote(&ada, &quick, "a").await.expect(200);
        server.advance_clock(1);
        for option in ["a", "b"] {
            assert_eq!(vote(&ada, &quick, option).await.error_code(409), "poll_ended");
        }
        vote(&ada, &day, "a").await.expect(200);
        server.advance_clock(86_400_000);
        assert_eq!(vote(&ada, &day, "b").await.error_code(409), "poll_ended");
        assert_eq!(ada.get_post(&day).await["pollTallies"], json!({"a": 1, "b": 0}));
    }

    /// A vote must name an option of that poll.
    /// proves: poll-option-only
    async fn invalid_votes_are_rejected(server) {
        let ada = server.member("ada").await;
        let post = id_of(&poll(&ada, &["a", "b", "__proto__"]).await);
        for option in ["c", "", "A", "a\0b", "toString", "0"] {
            assert_eq!(vote(&ada, &post, option).await.error_code(422), "invalid", "{option:?}");
        }
        for body in [json!({}), json!({"option": null})] {
            assert_eq!(ada.post(&format!("/api/posts/{post}/vote"), body).await.error_code(422), "invalid");
        }
        assert_eq!(vote(&ada, &post, "__proto__").await.expect(200)["pollMyVote"], "__proto__");
        let plain = ada.write("no poll").await;
        assert_eq!(vote(&ada, &plain, "a").await.error_code(409), "no_poll");
        assert_eq!(vote(&ada, "1", "a").await.error_code(404), "post_not_found");
    }
}
