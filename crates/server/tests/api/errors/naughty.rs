//! Unusual but legitimate texts: each is returned as written, or rejected with a message.

use crate::harness::{Browser, id_of, on_both_engines};
use crate::routes;
use axum::http::Method;
use kith_text::{clean, clean_line};
use serde_json::{Value, json};

/// At most 50 characters each, with something visible in each.
const UNUSUAL: [&str; 46] = [
    "zero\u{200b}width\u{200c}in\u{200d}side\u{2060}",
    "\u{feff}mark",
    "\u{202e}live\u{202c} \u{2066}apart\u{2069} \u{61c}\u{200e}\u{200f}way",
    "שלום hello مرحبا",
    "Z\u{337}\u{31b}\u{349}a\u{338}\u{304}\u{324}lgo\u{35d}\u{331}",
    "👩‍👩‍👧‍👦 👨🏿‍🚀 🇩🇪 ❤️‍🔥 1️⃣ 🏳️‍🌈",
    "🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}",
    "\u{1f469}\u{200d}",
    "\u{1f1e9}",
    "Ame\u{301}lie",
    "Am\u{e9}lie",
    "\u{212b}ngstro\u{308}m",
    "\u{1100}\u{1161}\u{11a8}",
    "q\u{307}\u{323}",
    "क्षत्रिय",
    "สวัสดีครับ",
    "田中さん",
    "ﷺ ﷽",
    "İıſß ẞ ΑΣ",
    "ﬁﬀＡ＠ｂ．ｃｏ",
    "__proto__",
    "constructor",
    "toString",
    "undefined",
    "null",
    "NaN",
    "-0",
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "&lt;b&gt; &amp;amp; <!-- --> ]]>",
    "{{7*7}} ${7*7} #{7*7} %s%n",
    "'; drop table posts; --",
    "1' or '1'='1",
    "\" or \"\"=\"",
    "\\",
    "\\u0000 \\x00 \\n",
    "a%b_c",
    "%00%0a%E2%80",
    "$1 $2 ?1 :name",
    "../../etc/passwd",
    "a\u{2028}b\u{2029}c",
    "tab\there",
    "\u{e000}\u{f8ff} own",
    "\u{fffd}\u{ffff}\u{10ffff}",
    "\u{fff9}gloss\u{fffa}a\u{fffb}",
    "\u{e0001}tagged",
];

/// Texts without a visible character.
const INVISIBLE: [&str; 7] = [
    "\u{200b}",
    "\u{200d}\u{2060}",
    "\u{feff}\u{202e}",
    "\u{3164}\u{115f}",
    "\u{ad}\u{34f}",
    "\0\u{7f}",
    " \u{a0}\u{3000}\t\r\n",
];

async fn update_profile(ada: &Browser, body: Value) -> crate::harness::TestResponse {
    ada.json(Method::PUT, "/api/users/profile", body).await
}

on_both_engines! {
    /// Posts, replies and reposts return the text as written, every time they are read.
    /// proves: text-comes-back
    async fn unusual_posts_are_returned_unchanged(server) {
        let ada = server.member("ada").await;
        for text in UNUSUAL {
            let post = ada.create(json!({"content": text})).await;
            let id = id_of(&post);
            let reply = ada.create(json!({"content": text, "replyToId": id})).await;
            let repost = ada.create(json!({"content": text, "repostOfId": id})).await;
            for seen in [&post, &reply, &repost, &ada.get_post(&id).await] {
                assert_eq!(seen["content"], clean(text), "{text:?}");
            }
        }
        let page = ada.contents("/api/posts/feed?limit=1&offset=91").await;
        assert_eq!(page, [clean(UNUSUAL[0])], "2 for each text, the newest first: a repost shows its original");
    }

    /// A poll option is returned unchanged as a key as well, and can be voted for.
    /// proves: text-comes-back
    async fn unusual_poll_options_are_returned_unchanged(server) {
        let ada = server.member("ada").await;
        for text in UNUSUAL {
            let stored = clean_line(text);
            let post = ada.create(json!({"content": "which?", "pollOptions": [text, "other"]})).await;
            assert_eq!(post["pollOptions"], json!([stored, "other"]), "{text:?}");
            let vote = format!("/api/posts/{}/vote", id_of(&post));
            let voted = ada.post(&vote, json!({"option": text})).await.expect(200);
            assert_eq!((&voted["pollMyVote"], &voted["pollTallies"]), (&json!(stored), &json!({&stored: 1, "other": 0})));
            assert_eq!(voted["pollVotes"][&stored], json!([ada.id().await]), "{text:?}");
        }
    }

    /// Display names and bios are returned unchanged to their member and to others.
    /// proves: text-comes-back
    async fn unusual_profiles_are_returned_unchanged(server) {
        let (ada, bob) = (server.member("ada").await, server.member("bob").await);
        let path = format!("/api/users/{}", ada.name().await);
        for text in UNUSUAL {
            let me = update_profile(&ada, json!({"displayName": text, "bio": text})).await.expect(200);
            let seen = bob.get(&path).await.expect(200);
            for user in [me, seen] {
                assert_eq!((&user["displayName"], &user["bio"]), (&json!(clean_line(text)), &json!(clean(text))));
            }
        }
    }

    /// A text without a visible character counts as empty: rejected where text is required, dropped
    /// where it is optional.
    /// proves: post-blank, display-name-length, poll-blank, text-invisible
    async fn invisible_texts_count_as_empty(server) {
        let ada = server.member("ada").await;
        for text in INVISIBLE {
            let response = ada.post("/api/posts", json!({"content": text})).await;
            assert_eq!(response.expect(422)["fields"], json!({"content": "Write something before you post."}), "{text:?}");
            let response = update_profile(&ada, json!({"displayName": text})).await;
            assert_eq!(response.expect(422)["fields"], json!({"displayName": "A display name has 1 to 50 characters."}), "{text:?}");
            let body = json!({"content": "poll", "pollOptions": ["a", text, "b"]});
            assert_eq!(ada.create(body).await["pollOptions"], json!(["a", "b"]), "{text:?}");
            update_profile(&ada, json!({"bio": "something"})).await.expect(200);
            assert_eq!(update_profile(&ada, json!({"bio": text})).await.expect(200)["bio"], "", "{text:?}");
        }
    }

    /// Any text in a query yields a result or an error message.
    /// proves: wire-no-5xx
    async fn no_text_breaks_a_query(server) {
        let ada = server.admin("ada").await;
        let name = ada.name().await;
        let long = "x".repeat(6_000);
        let texts = || UNUSUAL.into_iter().chain(INVISIBLE).chain([long.as_str()]);
        for operation in routes::all() {
            let path = operation.path_with(&name).unwrap_or_else(|| operation.path.clone());
            for (field, text) in operation.query.iter().flat_map(|field| texts().map(move |text| (field, text))) {
                let value: String = url::form_urlencoded::byte_serialize(text.as_bytes()).collect();
                let response = ada.request(&operation.method, &format!("{path}?{field}={value}"), &[], "").await;
                let status = response.status.as_u16();
                assert!([200, 400, 404].contains(&status), "{path} {field} {text:?}: {status}");
                if status != 200 {
                    response.error_code(status);
                }
            }
        }
    }
}
