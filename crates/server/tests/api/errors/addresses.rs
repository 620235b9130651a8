//! Paths that name nothing, wrong methods, and requests without a session.

use crate::harness::{Server, on_both_engines};
use crate::routes;
use serde_json::json;

const ODD: [&str; 14] = [
    "0",
    "1",
    "-1",
    "1.5",
    "NaN",
    "9223372036854775807",
    "9223372036854775808",
    "99999999999999999999999999",
    "%00",
    "a%00b",
    "%F0%9F%98%80",
    "..%2F..%2Fetc%2Fpasswd",
    "%27%20or%201=1--",
    "%E2%80%AE%E2%80%8B",
];

on_both_engines! {
    /// Odd ids and names in a path yield a 404 with a message.
    /// proves: wire-404, wire-no-5xx, wire-odd-ids
    async fn odd_ids_and_names_are_unknown(server) {
        let ada = server.admin("ada").await;
        let long = "x".repeat(5_000);
        for operation in routes::all() {
            for text in ODD.into_iter().chain([long.as_str()]) {
                let Some(path) = operation.path_with(text) else { continue };
                // No post uses most of these as a hashtag; a valid hashtag has an empty list.
                if path.starts_with("/api/hashtags/") {
                    let response = ada.get(&path).await;
                    assert!(response.status == 404 || response.expect(200) == json!([]), "{path}");
                    continue;
                }
                let json = [("content-type", "application/json")];
                let action = if path.contains("objections") { "accept" } else { "dismiss" };
                let body = json!({"option": "a", "action": action, "role": "member", "text": "x"}).to_string();
                let response = ada.request(&operation.method, &path, &json, body).await;
                let code = response.error_code(404);
                assert!(code.ends_with("_not_found"), "{} {path}: {code}", operation.method);
            }
        }
    }

    /// Percent escapes that are not UTF-8 yield a 400.
    /// proves: wire-400
    async fn paths_that_are_not_utf_8_are_rejected(server) {
        let ada = server.admin("ada").await;
        for operation in routes::all() {
            for text in ["%FF", "%ED%A0%80", "a%C3"] {
                let Some(path) = operation.path_with(text) else { continue };
                let json = [("content-type", "application/json")];
                let response = ada.request(&operation.method, &path, &json, "{}").await;
                assert_eq!(response.error_code(400), "bad_address", "{} {path}", operation.method);
            }
        }
    }
}

/// proves: visitor-reach, wire-401
#[tokio::test]
async fn every_member_operation_asks_a_visitor_to_log_in() {
    let server = Server::sqlite().await;
    let stale = server.visitor();
    stale.set_cookie("session", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA");
    for browser in [server.visitor(), stale] {
        for operation in routes::all() {
            if operation.is_for_members() {
                for body in ["{}", "not json"] {
                    let json = [("content-type", "application/json")];
                    let response =
                        browser.request(&operation.method, &operation.nowhere(), &json, body).await;
                    assert_eq!(response.error_code(401), "unauthorized", "{operation:?}");
                    assert_eq!(response.expect(401)["message"], "Please log in.");
                }
            }
        }
    }
}

/// proves: wire-404
#[tokio::test]
async fn unknown_paths_are_not_found() {
    let server = Server::sqlite().await;
    let ada = server.admin("ada").await;
    for path in [
        "/api",
        "/api/",
        "/api/nope",
        "/api/auth/me/",
        "/api//auth/me",
        "/api/posts/1/2",
        "/api/%00",
        "/api/%FF",
    ] {
        for method in ["GET", "POST", "PUT", "DELETE", "PATCH"] {
            let response = ada.request(method, path, &[], "").await;
            assert_eq!(response.error_code(404), "no_such_call", "{method} {path}");
        }
    }
}

/// proves: wire-405
#[tokio::test]
async fn the_wrong_method_is_rejected() {
    let server = Server::sqlite().await;
    let ada = server.admin("ada").await;
    let all = routes::all();
    for operation in &all {
        for method in ["PUT", "PATCH", "OPTIONS", "PROPFIND"] {
            let known =
                |other: &&routes::Call| other.path == operation.path && other.method == method;
            if all.iter().any(|other| known(&other)) {
                continue;
            }
            let response = ada.request(method, &operation.nowhere(), &[], "").await;
            assert_eq!(
                response.error_code(405),
                "method_not_allowed",
                "{method} {}",
                operation.path
            );
            let allowed = response.header("allow");
            assert!(allowed.contains(&operation.method), "{method} {}", operation.path);
            assert!(!allowed.contains(method), "{method} {}", operation.path);
        }
    }
    for method in ["POST", "DELETE"] {
        let response = ada.request(method, "/", &[], "").await;
        assert_eq!(response.error_code(405), "method_not_allowed");
        assert_eq!(response.header("allow"), "GET,HEAD");
    }
    let head = ada.request("HEAD", "/api/auth/verify", &[], "").await;
    assert_eq!((head.status.as_u16(), head.header("allow")), (405, "GET,POST"));
}
