//! Bounds in the OpenAPI document hold even for fields that a request does not use.

use crate::harness::{Server, id_of, on_both_engines};
use serde_json::json;

on_both_engines! {
    /// A repost uses neither text, poll nor key, but validates them all the same.
    /// proves: bound-unused, bound-key
    async fn unused_fields_are_validated_too(server) {
        let ada = server.member("ada").await;
        let post = ada.write("here").await;
        for (field, value) in [
            ("content", json!("x".repeat(5_001))),
            ("pollOptions", json!(["a", "b", "c", "d", ""])),
            ("pollOptions", json!(["a", "x".repeat(601)])),
            ("pollDurationMinutes", json!(4)),
            ("pollDurationMinutes", json!(10_081)),
        ] {
            for repost in [json!(null), json!(post)] {
                let mut body = json!({"content": "x", "repostOfId": repost});
                body[field] = value.clone();
                let response = ada.post("/api/posts", body).await;
                assert_eq!(response.error_code(422), "invalid", "{field}");
                assert!(response.expect(422)["fields"][field].is_string(), "{field}");
            }
        }
        let body = json!({"repostOfId": post}).to_string();
        for key in ["a b", "a\tb", "é"] {
            let headers = [("content-type", "application/json"), ("idempotency-key", key)];
            let response = ada.request("POST", "/api/posts", &headers, body.clone()).await;
            assert_eq!(response.error_code(400), "bad_idempotency_key", "{key}");
        }
    }

    /// A used idempotency key returns its post, except for a reply or repost of an invalid id.
    async fn a_used_key_does_not_skip_id_validation(server) {
        let ada = server.member("ada").await;
        let headers = [("content-type", "application/json"), ("idempotency-key", "k")];
        let first = ada.request("POST", "/api/posts", &headers, r#"{"content": "x"}"#).await;
        let first = id_of(&first.expect(201));
        for id in ["x", "007", "00000000000000000000", "99999999999999999999"] {
            for field in ["replyToId", "repostOfId"] {
                let body = json!({"content": "x", field: id}).to_string();
                let response = ada.request("POST", "/api/posts", &headers, body).await;
                assert_eq!(response.error_code(404), "post_not_found", "{field} {id}");
            }
        }
        let again = ada.request("POST", "/api/posts", &headers, r#"{"content": "x"}"#).await;
        assert_eq!(id_of(&again.expect(201)), first);
    }
}

/// proves: bound-number
#[tokio::test]
async fn integers_may_have_a_fraction_of_zero() {
    let server = Server::sqlite().await;
    let ada = server.member("ada").await;
    let json = [("content-type", "application/json")];
    let poll = |minutes: &str| {
        format!(
            r#"{{"content": "x", "pollOptions": ["a", "b"], "pollDurationMinutes": {minutes}}}"#
        )
    };
    for minutes in ["60", "60.0", "6e1", "null"] {
        ada.request("POST", "/api/posts", &json, poll(minutes)).await.expect(201);
    }
    for minutes in
        ["60.5", "1e300", "-1e300", "9223372036854775808", "18446744073709551616", "\"60\""]
    {
        let response = ada.request("POST", "/api/posts", &json, poll(minutes)).await;
        assert_eq!(response.error_code(400), "bad_json", "{minutes}");
    }
}

/// proves: bound-echo
#[tokio::test]
async fn a_long_value_is_truncated_in_the_error() {
    let server = Server::sqlite().await;
    let ada = server.member("ada").await;
    let long = "x".repeat(10_000);
    let body = ada.post("/api/posts", json!({"pollDurationMinutes": long})).await;
    let query = ada.get(&format!("/api/users/ada/posts?filter={long}")).await;
    for response in [body, query] {
        assert!(response.expect(400)["message"].as_str().unwrap().len() < 500);
    }
}

/// proves: bound-email
#[tokio::test]
async fn the_longest_email_is_accepted() {
    let server = Server::sqlite().await;
    let label = "a".repeat(61);
    let domain = format!("{label}.{label}.{label}.{label}.co");
    for (local, status) in [("abc", 200), ("abcd", 422)] {
        let email = format!("{local}@{domain}");
        let response = server.visitor().post("/api/waitlist", json!({"email": email})).await;
        assert_eq!((response.status.as_u16(), email.len()), (status, 251 + local.len()));
    }
}
