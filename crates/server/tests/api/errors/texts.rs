//! Texts that break careless programs, in every field that takes text.

use crate::harness::on_both_engines;
use crate::routes;
use axum::http::Method;
use serde_json::{Value, json};

/// Fields that take something else than text, and one that would make every post a repost.
const NOT_TEXT: [&str; 4] = [
    "imageUrls",
    "pollOptions",
    "pollDurationMinutes",
    "repostOfId",
];

/// Texts that somebody will send.
fn nasty() -> Vec<String> {
    let short = [
        "\0",
        "a\0b",
        "K7QX\0M3TD9WB",
        "\u{1}\u{1f}\u{7f}\u{85}",
        "\u{202e}\u{2066}abc",
        "\u{200b}\u{feff}",
        "e\u{301}\u{301}\u{301}",
        "👩‍👩‍👧‍👦🇩🇪",
        "\u{fffd}\u{ffff}\u{10ffff}",
        "' or 1=1 --",
        "\"; drop table posts; --",
        "%s%n{}{0}${x}",
        "__proto__",
        "<script>alert(1)</script>",
        "../../etc/passwd",
        "a@b.co\r\nBcc: c@d.co",
        "99999999999999999999",
        "-1",
        "ﬁﬀＡ＠ｂ．ｃｏ",
        "ß İ ı ſ K",
    ];
    let mut texts = short.map(str::to_owned).to_vec();
    texts.push("x".repeat(50_000));
    texts.push("\u{301}".repeat(10_000));
    texts.push("@ab_c ".repeat(5_000));
    texts
}

on_both_engines! {
    /// No text in any field is a server's error.
    /// proves: wire-no-5xx, wire-error-body
    async fn no_text_breaks_a_call(server) {
        let ada = server.admin("ada").await;
        let post = ada.write("here").await;
        for call in routes::all() {
            let Some(fields) = &call.body else { continue };
            let path = call.path_with(&post).unwrap_or_else(|| call.path.clone());
            let method: Method = call.method.parse().unwrap();
            for text in nasty() {
                let texts = fields.iter().filter(|field| !NOT_TEXT.contains(&field.as_str()));
                let body = texts.map(|field| (field.clone(), json!(text))).collect::<Value>();
                let answer = ada.json(method.clone(), &path, body).await;
                if answer.status.is_success() {
                    continue;
                }
                assert!(answer.status.is_client_error(), "{path} {text:?}: {}", answer.status);
                answer.refusal(answer.status.as_u16());
            }
        }
        assert_eq!(ada.contents("/api/posts/feed").await, ["here"], "nothing was posted");
    }

    /// What a post may hold comes back whole or cleaned, whatever it is.
    /// proves: wire-no-5xx
    async fn no_text_breaks_a_post(server) {
        let ada = server.member("ada").await;
        for text in nasty() {
            for body in [
                json!({"content": text}),
                json!({"content": "poll", "pollOptions": [text, "other"]}),
            ] {
                let answer = ada.post("/api/posts", body).await;
                if answer.status.as_u16() != 201 {
                    assert_eq!(answer.refusal(422), "invalid", "{text:?}");
                    continue;
                }
                let post = answer.expect(201);
                let seen = ada.see(post["id"].as_str().unwrap()).await;
                assert_eq!(seen["content"], post["content"]);
                assert_eq!(seen["pollOptions"], post["pollOptions"]);
                let content = post["content"].as_str().unwrap();
                assert!(!content.contains(['\0', '\u{202e}', '\u{feff}']), "{content:?}");
            }
        }
    }

    /// Texts in headers and cookies.
    /// proves: wire-no-5xx
    async fn no_header_breaks_a_call(server) {
        let ada = server.member("ada").await;
        for value in ["", " ", "é", "%00", "\t", &"x".repeat(5_000)] {
            for name in ["idempotency-key", "user-agent", "x-forwarded-for", "accept", "origin", "sec-fetch-site", "range", "if-none-match"] {
                let headers = [("content-type", "application/json"), (name, value)];
                let answer = ada.call("POST", "/api/posts", &headers, r#"{"content": "x"}"#).await;
                assert!(answer.status.as_u16() < 500, "{name}: {value}");
                let answer = ada.call("GET", "/api/auth/me", &[(name, value)], "").await;
                answer.expect(200);
            }
        }
        let odd = server.visitor();
        for value in ["%00", "é", "\"quoted\"", &"x".repeat(10_000)] {
            odd.set_cookie("session", value);
            odd.set_cookie("login", value);
            assert_eq!(odd.get("/api/auth/me").await.refusal(401), "unauthorized");
            assert_eq!(odd.post("/api/auth/verify-code", json!({"code": "ABCDEFGH"})).await.refusal(422), "invalid");
        }
    }
}
