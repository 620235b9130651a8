//! Effects of blocks.

use crate::harness::{id_of, on_both_engines};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use kith::platform::clock::SECOND;
use serde_json::json;

on_both_engines! {
    /// A block ends follows in both directions, with both members' counts, permanently.
    /// proves: block-ends-follows, block-call
    async fn a_block_ends_follows(server) {
        let (ada, bob) = (server.member("ada").await, server.member("bob").await);
        ada.follow(&bob).await;
        bob.follow(&ada).await;
        let path = format!("/api/blocks/{}", bob.id().await);
        for _ in 0..2 {
            assert_eq!(ada.post_empty(&path).await.expect(200), json!({"isBlocked": true}));
        }
        for _ in 0..2 {
            for member in [&ada, &bob] {
                let me = member.me().await;
                assert_eq!((&me["followerCount"], &me["followingCount"]), (&json!(0), &json!(0)));
            }
            assert_eq!(ada.delete(&path).await.expect(200), json!({"isBlocked": false}));
        }
        let seen = ada.get(&format!("/api/users/{}", bob.name().await)).await.expect(200);
        assert_eq!((&seen["isFollowing"], &seen["followsYou"]), (&json!(false), &json!(false)));
    }

    /// A block deletes unread notifications between both members and hides read ones while it lasts.
    /// proves: block-takes-back
    async fn a_block_deletes_notifications(server) {
        let (ada, bob, eve) = (server.member("ada").await, server.member("bob").await, server.member("eve").await);
        let post = ada.write("mine").await;
        bob.post_empty(&format!("/api/posts/{post}/like")).await.expect(200);
        ada.json(axum::http::Method::PUT, "/api/notifications/read-all", json!({})).await.expect(204);
        bob.follow(&ada).await;
        ada.follow(&bob).await;
        eve.follow(&ada).await;
        assert_eq!(ada.me().await["unreadNotificationCount"], 2);
        ada.block(&bob).await;
        let kinds = async |member: &crate::harness::Browser| {
            let list = member.get("/api/notifications").await.expect(200);
            list.as_array().unwrap().iter().map(|row| row["type"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(kinds(&ada).await, ["follow"]);
        assert_eq!(ada.me().await["unreadNotificationCount"], 1);
        assert!(kinds(&bob).await.is_empty());
        assert_eq!(bob.me().await["unreadNotificationCount"], 0);
        ada.delete(&format!("/api/blocks/{}", bob.id().await)).await.expect(200);
        assert_eq!(kinds(&ada).await, ["follow", "like"]);
        assert!(kinds(&bob).await.is_empty());
    }

    /// Every interaction is rejected in both directions, with its own message; earlier ones cannot be undone unseen.
    /// proves: block-rejects
    async fn a_block_rejects_interactions(server) {
        let (ada, bob) = (server.member("ada").await, server.member("bob").await);
        let poll = json!({"content": "poll", "pollOptions": ["a", "b"]});
        let hers = id_of(&ada.create(poll.clone()).await);
        let his = id_of(&bob.create(poll).await);
        bob.post_empty(&format!("/api/posts/{hers}/like")).await.expect(200);
        let passed_on = bob.repost(&hers).await;
        ada.block(&bob).await;
        for (member, other, post, code) in [(&ada, &bob, &his, "you_blocked"), (&bob, &ada, &hers, "blocks_you")] {
            let follow = json!({"followingId": other.id().await});
            assert_eq!(member.post("/api/follows", follow).await.error_code(403), code);
            for body in [json!({"content": "so?", "replyToId": post}), json!({"content": "♻️", "repostOfId": post})] {
                assert_eq!(member.post("/api/posts", body).await.error_code(403), code);
            }
            assert_eq!(member.post_empty(&format!("/api/posts/{post}/like")).await.error_code(403), code);
            let vote = json!({"option": "a"});
            assert_eq!(member.post(&format!("/api/posts/{post}/vote"), vote).await.error_code(403), code);
            for undo in ["/like", "/repost", ""] {
                let path = format!("/api/posts/{post}{undo}");
                assert_eq!(member.delete(&path).await.error_code(404), "post_not_found", "{undo}");
            }
            member.write(&format!("hello @{}", other.name().await)).await;
            assert_eq!(other.me().await["unreadNotificationCount"], 0, "{code}");
        }
        // Members can delete their own repost by its own id.
        bob.delete(&format!("/api/posts/{passed_on}")).await.expect(204);
        assert_eq!(ada.get_post(&hers).await["repostCount"], 0);
        ada.delete(&format!("/api/blocks/{}", bob.id().await)).await.expect(200);
        bob.post_empty(&format!("/api/posts/{hers}/like")).await.expect(200);
    }

    /// A repost by a blocked member gives no access to its original, whatever its author, and a rejected interaction
    /// has no effect.
    /// proves: block-rejects
    async fn a_block_rejects_interactions_through_a_repost(server) {
        let (ada, bob, eve) = (server.member("ada").await, server.member("bob").await, server.member("eve").await);
        let original = eve.write("hers").await;
        let passed_on = bob.repost(&original).await;
        ada.post_empty(&format!("/api/posts/{original}/like")).await.expect(200);
        ada.block(&bob).await;
        let like = format!("/api/posts/{passed_on}/like");
        assert_eq!(ada.delete(&like).await.error_code(404), "post_not_found");
        assert_eq!(eve.get_post(&original).await["likeCount"], 1);
        ada.delete(&format!("/api/posts/{original}/like")).await.expect(200);
        assert_eq!(ada.post_empty(&like).await.error_code(403), "you_blocked");
        assert_eq!(eve.get_post(&original).await["likeCount"], 0);
    }

    /// The profile is found, shows the block and nothing else; posts are not found.
    /// proves: block-profile, block-post-404
    async fn a_blocked_profile_is_empty(server) {
        let (ada, bob, eve) = (server.member("ada").await, server.member("bob").await, server.member("eve").await);
        eve.follow(&ada).await;
        eve.follow(&bob).await;
        let (hers, his) = (ada.write("hers").await, bob.write("his").await);
        ada.block(&bob).await;
        for (member, other, post, flags) in [(&ada, &bob, &his, (true, false)), (&bob, &ada, &hers, (false, true))] {
            let name = other.name().await;
            let profile = member.get(&format!("/api/users/{name}")).await.expect(200);
            assert_eq!((&profile["isBlocked"], &profile["blocksMe"]), (&json!(flags.0), &json!(flags.1)));
            for list in ["posts", "posts?filter=likes", "followers", "following"] {
                assert_eq!(member.get(&format!("/api/users/{name}/{list}")).await.expect(200), json!([]), "{list}");
            }
            let thread = format!("/api/posts/{post}/thread");
            assert_eq!(member.get(&thread).await.error_code(404), "post_not_found");
            eve.get(&thread).await.expect(200);
        }
    }

    /// Blocked inviters are not named on profiles, in search, in suggestions or in follower lists; others see them.
    /// proves: block-inviter
    async fn a_blocked_inviter_is_not_named(server) {
        let ada = server.member("ada").await;
        let code = ada.post_empty("/api/invites").await.expect(201)["code"].as_str().unwrap().to_owned();
        let eve = server.member_with("eve", &code).await;
        let (bob, kim, fan) = (server.member("bob").await, server.member("kim").await, server.member("fan").await);
        eve.follow(&fan).await;
        let (eves, fans) = (eve.name().await, fan.name().await);
        let named = async |reader: &crate::harness::Browser| {
            let lists = [format!("search?q={eves}"), "suggested".to_owned(), format!("{fans}/followers")];
            let mut named = vec![reader.get(&format!("/api/users/{eves}")).await.expect(200)["invitedBy"]["id"].clone()];
            for list in lists {
                let list = reader.get(&format!("/api/users/{list}")).await.expect(200);
                let row = list.as_array().unwrap().iter().find(|row| row["username"] == eves.as_str());
                named.push(row.unwrap()["invitedBy"]["id"].clone());
            }
            named
        };
        let hers = json!(ada.id().await);
        let all = vec![hers.clone(); 4];
        ada.block(&bob).await;
        kim.block(&ada).await;
        fan.mute(&ada).await;
        for (reader, expected) in [(&bob, vec![json!(null); 4]), (&kim, vec![json!(null); 4]), (&fan, all)] {
            assert_eq!(named(reader).await, expected);
        }
        assert_eq!(eve.me().await["invitedBy"]["id"], hers);
        ada.block(&eve).await;
        assert_eq!(eve.me().await["invitedBy"], json!(null));
    }

    /// A gap reveals neither author nor content nor any interaction except replies.
    /// proves: entity-post-hidden
    async fn a_gap_reveals_nothing(server) {
        let (ada, bob) = (server.member("ada").await, server.member("bob").await);
        let post = ada.write("mine").await;
        let body = json!({"content": "so #loud @someone https://a.example", "replyToId": post, "pollOptions": ["a", "b"]});
        let reply = id_of(&bob.create(body).await);
        ada.post_empty(&format!("/api/posts/{reply}/like")).await.expect(200);
        ada.reply(&reply, "and?").await;
        bob.block(&ada).await;
        let replies = ada.get(&format!("/api/posts/{post}/thread")).await.expect(200)["replies"].clone();
        assert_eq!(replies[0], json!({
            "id": reply, "content": "", "createdAt": "2026-11-21T09:30:00.000Z",
            "author": {"id": "0", "username": "_", "displayName": "Hidden", "profileImageUrl": null},
            "imageUrls": [], "images": [], "pollOptions": [], "pollVotes": {}, "pollTallies": {},
            "pollMyVote": null, "pollExpiresAt": null, "replyToId": post, "replyTo": replies[0]["replyTo"],
            "repostOfId": null, "repostOf": null, "mentions": [], "hashtags": [], "links": [],
            "replyCount": 1, "repostCount": 0, "likeCount": 0, "isLiked": false, "isReposted": false,
            "isDeleted": true, "isHidden": true, "isMuted": false, "reason": null, "reposters": null,
        }));
        assert_eq!((&replies[1]["content"], &replies[1]["replyTo"]), (&json!("and?"), &json!(null)));
    }

    /// The list has pages of two, newest first, and is private.
    /// proves: blocks-listed
    async fn blocked_and_muted_members_are_listed(server) {
        let ada = server.member("ada").await;
        let mut names = Vec::new();
        for n in 0..3 {
            let other = server.member(&format!("m{n}")).await;
            names.insert(0, other.name().await);
            ada.block(&other).await;
            ada.mute(&other).await;
            assert_eq!(other.get("/api/blocks").await.expect(200), json!([]));
        }
        for (list, field) in [("/api/blocks", "isBlocked"), ("/api/mutes", "isMuted")] {
            let mut found = Vec::new();
            let mut next = Some(format!("{list}?limit=2"));
            while let Some(path) = next {
                let page = ada.get(&path).await;
                for row in page.expect(200).as_array().unwrap() {
                    assert_eq!(row[field], true);
                    found.push(row["username"].as_str().unwrap().to_owned());
                }
                next = page.next();
            }
            assert_eq!(found, names, "{list}");
        }
    }

    /// proves: block-yourself
    async fn invalid_blocks_are_rejected(server) {
        let ada = server.member("ada").await;
        let id = ada.id().await;
        for list in ["blocks", "mutes"] {
            assert_eq!(ada.post_empty(&format!("/api/{list}/{id}")).await.error_code(422), "invalid");
            for unknown in ["1", "nonsense"] {
                let path = format!("/api/{list}/{unknown}");
                assert_eq!(ada.post_empty(&path).await.error_code(404), "user_not_found");
                assert_eq!(ada.delete(&path).await.error_code(404), "user_not_found");
            }
        }
    }

    /// No cursor contains the id of a hidden post, whatever cursor was sent, and all pages are complete.
    /// proves: block-cursors
    async fn cursors_name_no_hidden_post(server) {
        let (ada, bob, eve) = (server.member("ada").await, server.member("bob").await, server.member("eve").await);
        eve.block(&ada).await;
        let (mut hidden, mut expected) = (Vec::new(), Vec::new());
        for n in 0..430 {
            server.advance_clock(SECOND);
            // At both ends of the feed, and around the borders of its blocks of 200.
            if n % 2 == 0 || !(6..=420).contains(&n) || (195..235).contains(&n) {
                hidden.push(eve.write("hidden").await);
            } else {
                expected.insert(0, bob.write("seen").await);
            }
        }
        let feed = "/api/posts/for-you?limit=";
        let ids = |page: &serde_json::Value| page.as_array().unwrap().iter().map(id_of).collect::<Vec<_>>();
        let check = |next: &str| {
            let (_, cursor) = next.rsplit_once("cursor=").unwrap();
            let mut parts = cursor.splitn(3, '-');
            let mut number = || parts.next().unwrap().parse::<i64>().unwrap();
            let mut named = vec![number(), number()];
            let best = URL_SAFE_NO_PAD.decode(parts.next().unwrap()).unwrap();
            named.extend(best.as_chunks::<8>().0.iter().map(|bytes| i64::from_be_bytes(*bytes) >> 1));
            for id in named {
                assert!([id, id - 1].iter().all(|id| !hidden.contains(&id.to_string())), "{cursor}");
            }
        };
        let (mut walked, mut next) = (Vec::new(), Some(format!("{feed}1")));
        while let Some(path) = next {
            let page = ada.get(&path).await;
            walked.extend(ids(&page.expect(200)));
            next = page.next();
            if let Some(next) = &next {
                check(next);
            }
        }
        assert_eq!(walked, expected);
        let mut walked = Vec::new();
        for offset in (0..expected.len()).step_by(45) {
            walked.extend(ids(&ada.get(&format!("{feed}45&offset={offset}")).await.expect(200)));
        }
        assert_eq!(walked, expected);
        for post in hidden.iter().skip(10).step_by(20) {
            let page = ada.get(&format!("{feed}1&cursor={}-{post}-", i64::MAX)).await;
            check(&page.next().unwrap());
        }
    }
}
