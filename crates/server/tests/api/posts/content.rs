//! Validation and representation of posts.

use crate::harness::on_both_engines;
use crate::media::{small, upload};
use axum::http::Method;
use kith::features::members::Role;
use serde_json::{Value, json};

/// One character to a reader, but 25 bytes and 7 code points.
const FAMILY: &str = "👩‍👩‍👧‍👦";

on_both_engines! {
    /// The response of a write, read inside its transaction, equals a later read.
    async fn the_response_to_a_post_equals_a_later_read(server) {
        let (ada, bob) = (server.member("ada").await, server.member("bob").await);
        let gone = server.member("gone").await;
        let post = ada.write("first").await;
        bob.post_empty(&format!("/api/mutes/{}", ada.id().await)).await.expect(200);
        let names = [ada.name().await, gone.name().await];
        let mia = server.with_role("mia", Role::Moderator).await;
        let suspension = format!("/api/admin/members/{}/suspension", gone.id().await);
        mia.json(Method::PUT, &suspension, json!({"note": ""})).await.expect(204);
        let url = upload(&bob, small(1)).await;
        for body in [
            json!({"content": "plain"}),
            json!({"content": format!("{FAMILY} @{} @{} @unknown #One #one #Zwei https://example.org/a?b", names[0], names[1])}),
            json!({"content": format!("@{}", names[0]), "replyToId": post}),
            json!({"content": "a poll", "pollOptions": ["\"a\"", "b", "c"], "pollDurationMinutes": 5}),
            json!({"content": "seen", "imageUrls": [url], "imageAlts": ["seen"]}),
        ] {
            let made = bob.create(body).await;
            assert_eq!(made, bob.get_post(made["id"].as_str().unwrap()).await);
            let by_another = ada.get_post(made["id"].as_str().unwrap()).await;
            assert_eq!(made["content"], by_another["content"]);
        }
    }

    /// A post has every field, including empty ones.
    /// proves: call-create-post, entity-post, entity-post-author, wire-camel-case, wire-times
    async fn a_post_has_every_field(server) {
        let ada = server.member("ada").await;
        let me = ada.me().await;
        let mut post = ada.create(json!({"content": "  Hello, humans.\n"})).await;
        let id = post["id"].take();
        assert!(id.as_str().unwrap().bytes().all(|byte| byte.is_ascii_digit()));
        let author = json!({
            "id": me["id"], "username": me["username"], "displayName": "New member", "profileImageUrl": null,
        });
        assert_eq!(post, json!({
            "id": null, "content": "Hello, humans.", "author": author, "createdAt": "2026-11-21T09:30:00.000Z",
            "imageUrls": [], "images": [], "pollOptions": [], "pollVotes": {}, "pollTallies": {},
            "pollMyVote": null, "pollExpiresAt": null, "replyToId": null, "replyTo": null, "repostOfId": null,
            "repostOf": null, "mentions": [], "hashtags": [], "links": [], "isDeleted": false, "isHidden": false, "isMuted": false, "reason": null, "reposters": null, "replyCount": 0, "repostCount": 0, "likeCount": 0,
            "isLiked": false, "isReposted": false,
        }));
        assert_eq!(ada.me().await["postCount"], 1);
        assert_eq!(ada.get_post(id.as_str().unwrap()).await["content"], "Hello, humans.");
    }

    /// proves: entity-post-links
    async fn a_post_has_its_links(server) {
        let ada = server.member("ada").await;
        let name = ada.name().await;
        let url = format!("https://www.kith.example/@{name}#tag");
        let post = ada.create(json!({"content": format!("👋 {url}, @{name}")})).await;
        let label = format!("kith.example/@{name}#tag");
        let end = 3 + url.len();
        for post in [&post, &ada.get_post(post["id"].as_str().unwrap()).await] {
            let link = json!({"url": url, "label": label, "start": 3, "end": end});
            assert_eq!(post["links"], json!([link]));
            assert_eq!((&post["hashtags"], &post["mentions"][0]["start"]), (&json!([]), &json!(end + 2)));
        }
    }

    /// The limit is 500 characters as readers count them, whatever their bytes.
    /// proves: post-length
    async fn a_post_has_at_most_500_characters(server) {
        let ada = server.member("ada").await;
        let mixed = format!("{}{}", FAMILY.repeat(150), "é".repeat(350));
        for text in ["a".repeat(500), "é".repeat(500), "e\u{301}".repeat(500), "🇩🇪".repeat(500), mixed] {
            let post = ada.create(json!({"content": format!(" {text}\n")})).await;
            assert_eq!(post["content"], text.replace("e\u{301}", "é"));
            let answer = ada.post("/api/posts", json!({"content": format!("{text}b")})).await;
            assert_eq!(answer.error_code(422), "invalid");
            assert_eq!(answer.expect(422)["fields"]["content"], "A post can have at most 500 characters.");
        }
    }

    /// One character can have any number of combining marks, so a post is also limited to 5,000 bytes.
    /// proves: post-bytes
    async fn a_post_has_at_most_5000_bytes(server) {
        let ada = server.member("ada").await;
        let tall = format!("a{}", "\u{20dd}".repeat(1_666));
        assert_eq!(tall.len(), 4_999);
        ada.create(json!({"content": tall})).await;
        let answer = ada.post("/api/posts", json!({"content": format!("{tall}bc")})).await;
        assert_eq!(answer.error_code(422), "invalid");
        let families = FAMILY.repeat(201);
        assert_eq!(ada.post("/api/posts", json!({"content": families})).await.error_code(422), "invalid");
    }

    /// A post without visible characters is rejected.
    /// proves: post-blank, wire-error-fields
    async fn a_post_is_not_blank(server) {
        let ada = server.member("ada").await;
        for blank in ["", " ", "\n\t\r\n", "\u{200b}", "\u{feff}", "\u{202e}\u{2060}", "\0", "\u{3000}"] {
            let answer = ada.post("/api/posts", json!({"content": blank})).await;
            assert_eq!(answer.error_code(422), "invalid", "{blank:?}");
            assert_eq!(answer.expect(422)["fields"]["content"], "Write something before you post.");
        }
        assert_eq!(ada.me().await["postCount"], 0);
    }

    /// Text is normalized: no control characters, no bidirectional overrides, no runs of empty lines.
    /// proves: post-clean
    async fn text_is_cleaned(server) {
        let ada = server.member("ada").await;
        for (typed, kept) in [
            ("e\u{301}", "é"),
            ("e\u{0}\u{301}", "é"),
            ("\u{212b}", "Å"),
            ("a\0b\u{7}c\u{7f}", "abc"),
            ("ab\u{202e}cd\u{202c}\u{2066}", "abcd"),
            ("a\r\nb\rc", "a\nb\nc"),
            ("a\n\n\n\n\nb", "a\n\nb"),
            ("👨‍👩‍👧 नि ไทย שלום", "👨‍👩‍👧 नि ไทย שלום"),
            ("<b>&amp;\"'\\", "<b>&amp;\"'\\"),
        ] {
            let post = ada.create(json!({"content": typed})).await;
            assert_eq!(post["content"], kept, "{typed:?}");
            let stored = ada.get_post(post["id"].as_str().unwrap()).await;
            assert_eq!(stored["content"], kept, "{typed:?}");
        }
    }

    /// Optional fields may be absent, null or empty; unknown fields are ignored.
    /// proves: wire-optional, wire-unknown-fields
    async fn optional_fields_may_be_empty(server) {
        let ada = server.member("ada").await;
        for extra in [
            json!({"imageUrls": null, "pollOptions": null, "replyToId": null, "repostOfId": null, "pollDurationMinutes": null}),
            json!({"imageUrls": [], "pollOptions": [], "replyToId": "", "repostOfId": ""}),
            json!({"pollOptions": ["", "  "]}),
            json!({"somethingElse": {"deep": [1, 2]}, "id": "7", "likeCount": 99, "author": "eve"}),
        ] {
            let mut body = json!({"content": "x"});
            body.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
            let post = ada.create(body).await;
            assert_eq!((&post["likeCount"], &post["pollOptions"], &post["replyToId"]), (&json!(0), &json!([]), &Value::Null));
        }
    }

    /// A URL that was not uploaded here is not an image.
    async fn foreign_images_are_rejected(server) {
        let ada = server.member("ada").await;
        for url in ["https://evil.example/a.png", "/media/x", "", "javascript:alert(1)"] {
            let answer = ada.post("/api/posts", json!({"content": "x", "imageUrls": [url]})).await;
            assert_eq!(answer.error_code(422), "invalid", "{url}");
        }
        assert_eq!(ada.me().await["postCount"], 0);
    }
}
