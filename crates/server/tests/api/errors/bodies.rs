//! Request bodies that no endpoint accepts.

use crate::harness::{Browser, Server};
use crate::routes::{self, Call};
use axum::body::Body;

const JSON: [(&str, &str); 1] = [("content-type", "application/json; charset=utf-8")];

/// Returns every operation with a JSON body.
fn operations_with_body() -> Vec<Call> {
    let operations = routes::all().into_iter().filter(|operation| operation.body.is_some());
    let operations = operations.collect::<Vec<_>>();
    assert!(operations.len() >= 8, "{operations:?}");
    operations
}

async fn send(
    ada: &Browser,
    operation: &Call,
    body: impl Into<Body>,
) -> crate::harness::TestResponse {
    ada.request(&operation.method, &operation.nowhere(), &JSON, body).await
}

/// proves: wire-400, wire-error-body, wire-no-5xx
#[tokio::test]
async fn a_body_must_be_json() {
    let server = Server::sqlite().await;
    let ada = server.admin("ada").await;
    for operation in operations_with_body() {
        for bad in [
            &b""[..],
            b"{",
            b"{\"a\":1,}",
            b"nul",
            b"{\"email\": 'x'}",
            b"\xef\xbb\xbf{}",
            b"{} {}",
            b"\xff",
        ] {
            // The body of this request is optional.
            if !bad.is_empty() || operation.path != "/api/objects/upload" {
                let response = send(&ada, &operation, bad.to_vec()).await;
                assert_eq!(response.error_code(400), "bad_json", "{operation:?} {bad:?}");
            }
        }
        for field in operation.body.clone().unwrap() {
            let deep = format!("{}{}", "[".repeat(20_000), "]".repeat(20_000));
            for value in [
                deep.as_bytes(),
                b"\"\\ud800\"",
                b"\"\\udc00\\ud800\"",
                b"\"a\0b\"",
                b"\"\xff\xfe\"",
                b"\"\\x\"",
                b"\"a\nb\"",
                b"\"a",
                b"1e999999",
            ] {
                let mut body = format!("{{\"{field}\": ").into_bytes();
                body.extend(value);
                body.push(b'}');
                let response = send(&ada, &operation, body).await;
                assert_eq!(response.error_code(400), "bad_json", "{operation:?} {field}");
            }
        }
    }
}

/// proves: wire-400, bound-number
#[tokio::test]
async fn a_field_must_have_its_type() {
    let server = Server::sqlite().await;
    let ada = server.admin("ada").await;
    for operation in operations_with_body() {
        for bad in ["[]", " [null, null]", "\"x\"", "5", "true", "null"] {
            assert_eq!(
                send(&ada, &operation, bad).await.error_code(400),
                "bad_json",
                "{operation:?} {bad}"
            );
        }
        for field in operation.body.clone().unwrap() {
            let is_boolean = matches!(&*field, "notMe" | "weeklyDigest");
            let truth = if is_boolean { "\"true\"" } else { "true" };
            for bad in ["1.5", truth, "{}", "[[]]", "-99999999999999999999"] {
                let response = send(&ada, &operation, format!("{{\"{field}\": {bad}}}")).await;
                assert_eq!(response.error_code(400), "bad_json", "{operation:?} {field}: {bad}");
            }
        }
    }
    for bad in [
        r#"{"content": "x", "imageUrls": "x"}"#,
        r#"{"content": "x", "imageUrls": [1]}"#,
        r#"{"content": "x", "pollOptions": {"a": 1}}"#,
        r#"{"content": "x", "pollOptions": [null, null]}"#,
        r#"{"content": "x", "pollDurationMinutes": "5"}"#,
        r#"{"content": "x", "pollDurationMinutes": 5.5}"#,
        r#"{"content": "x", "pollDurationMinutes": 99999999999999999999}"#,
        r#"{"content": "x", "content": "y"}"#,
    ] {
        let response = ada.request("POST", "/api/posts", &JSON, bad).await;
        assert_eq!(response.error_code(400), "bad_json", "{bad}");
    }
}

#[tokio::test]
async fn missing_empty_and_null_fields_are_rejected_alike() {
    let server = Server::sqlite().await;
    let ada = server.admin("ada").await;
    for operation in operations_with_body() {
        if operation.is_for_members() && operation.path != "/api/posts" {
            continue;
        }
        let empty = r#"{"email": "", "inviteCode": "", "token": "", "code": "", "content": ""}"#;
        let null = empty.replace("\"\"", "null");
        let first = send(&ada, &operation, "{}").await;
        let code = if operation.path == "/api/posts" {
            first.error_code(422)
        } else {
            first.error_code(400)
        };
        assert_eq!(code, "invalid", "{operation:?}");
        for body in [empty, null.as_str()] {
            let response = send(&ada, &operation, body.to_owned()).await;
            assert_eq!(response.bytes, first.bytes, "{operation:?}");
        }
        assert!(first.expect(first.status.as_u16())["fields"].is_object());
    }
}

/// proves: wire-415
#[tokio::test]
async fn only_json_is_accepted() {
    let server = Server::sqlite().await;
    let ada = server.admin("ada").await;
    for operation in operations_with_body() {
        for kind in [
            "text/plain",
            "application/x-www-form-urlencoded",
            "multipart/form-data; boundary=x",
            "text/plain; application/json",
            "application/jsonx",
            "",
        ] {
            let kind = [("content-type", kind)];
            let response = ada.request(&operation.method, &operation.nowhere(), &kind, "{}").await;
            assert_eq!(response.error_code(415), "not_json", "{operation:?} {kind:?}");
        }
        let response = ada.request(&operation.method, &operation.nowhere(), &[], "{}").await;
        assert_eq!(response.error_code(415), "not_json", "{operation:?}");
    }
}

/// proves: wire-413, wire-unknown-fields
#[tokio::test]
async fn a_body_has_a_maximum_size() {
    let server = Server::sqlite().await;
    let ada = server.admin("ada").await;
    for operation in operations_with_body() {
        // The settings have room for four pages.
        let limit = if operation.path == "/api/admin/settings" { 384 } else { 64 } * 1024;
        for size in [limit + 1, 1 << 20] {
            let body = format!("{{\"pad\": \"{}\"}}", "x".repeat(size));
            // Sends the body once with a content length, once as a stream.
            let sized = send(&ada, &operation, body.clone()).await;
            assert_eq!(sized.error_code(413), "body_too_large", "{operation:?}");
            let pieces = body.into_bytes();
            let pieces = pieces.chunks(1_000).map(<[u8]>::to_vec).collect::<Vec<_>>();
            let stream = futures_util::stream::iter(
                pieces.into_iter().map(Ok::<_, std::convert::Infallible>),
            );
            let streamed = send(&ada, &operation, Body::from_stream(stream)).await;
            assert_eq!(streamed.error_code(413), "body_too_large", "{operation:?}");
        }
    }
    let fits = format!("{{\"content\": \"x\", \"pad\": \"{}\"}}", "x".repeat(65_000));
    ada.request("POST", "/api/posts", &JSON, fits).await.expect(201);
}
