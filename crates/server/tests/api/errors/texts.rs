//! Hostile texts in every field that accepts text.

use crate::harness::on_both_engines;
use crate::routes;
use axum::http::Method;
use serde_json::{Value, json};

/// Fields that are not text, and one that would make every post a repost.
const NOT_TEXT: [&str; 4] = ["imageUrls", "pollOptions", "pollDurationMinutes", "repostOfId"];

/// Returns hostile texts.
fn hostile_texts() -> Vec<String> {
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
    /// No text in any field causes a server error.
    /// proves: wire-no-5xx, wire-error-body
    async fn no_text_breaks_an_operation(server) {
        let ada = server.admin("ada").await;
        let post = ada.write("here").await;
        for operation in routes::all() {
            let Some(fields) = &operation.body else { continue };
            let path = operation.path_with(&post).unwrap_or_else(|| operation.path.clone());
            let method: Method = operation.method.parse().unwrap();
            for text in hostile_texts() {
                let texts = fields.iter().filter(|field| !NOT_TEXT.contains(&field.as_str()));
                let body = texts.map(|field| (field.clone(), json!(text))).collect::<Value>();
                let response = ada.json(method.clone(), &path, body).await;
                if response.status.is_success() {
                    continue;
                }
                assert!(response.status.is_client_error(), "{path} {text:?}: {}", response.status);
                response.error_code(response.status.as_u16());
            }
        }
        assert_eq!(ada.contents("/api/posts/feed").await, ["here"], "nothing was posted");
    }

    /// A post's text is returned as accepted, whole or cleaned.
    /// proves: wire-no-5xx
    async fn no_text_breaks_a_post(server) {
        let ada = server.member("ada").await;
        for text in hostile_texts() {
            for body in [
                json!({"content": text}),
                json!({"content": "poll", "pollOptions": [text, "other"]}),
            ] {
                let response = ada.post("/api/posts", body).await;
                if response.status.as_u16() != 201 {
                    assert_eq!(response.error_code(422), "invalid", "{text:?}");
                    continue;
                }
                let post = response.expect(201);
                let seen = ada.get_post(post["id"].as_str().unwrap()).await;
                assert_eq!(seen["content"], post["content"]);
                assert_eq!(seen["pollOptions"], post["pollOptions"]);
                let content = post["content"].as_str().unwrap();
                assert!(!content.contains(['\0', '\u{202e}', '\u{feff}']), "{content:?}");
            }
        }
    }

    /// No text in a header or cookie causes a server error.
    /// proves: wire-no-5xx
    async fn no_header_breaks_a_request(server) {
        let ada = server.member("ada").await;
        for value in ["", " ", "é", "%00", "\t", &"x".repeat(5_000)] {
            for name in ["idempotency-key", "user-agent", "x-forwarded-for", "accept", "origin", "sec-fetch-site", "range", "if-none-match"] {
                let headers = [("content-type", "application/json"), (name, value)];
                let response = ada.request("POST", "/api/posts", &headers, r#"{"content": "x"}"#).await;
                assert!(response.status.as_u16() < 500, "{name}: {value}");
                let response = ada.request("GET", "/api/auth/me", &[(name, value)], "").await;
                response.expect(200);
            }
        }
        let odd = server.visitor();
        for value in ["%00", "é", "\"quoted\"", &"x".repeat(10_000)] {
            odd.set_cookie("session", value);
            odd.set_cookie("login", value);
            assert_eq!(odd.get("/api/auth/me").await.error_code(401), "unauthorized");
            assert_eq!(odd.post("/api/auth/verify-code", json!({"code": "ABCDEFGH"})).await.error_code(422), "invalid");
        }
    }
}
