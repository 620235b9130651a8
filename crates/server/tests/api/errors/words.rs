//! Error messages, and the internals that they never expose.

use crate::harness::{Server, id_of};
use crate::routes;
use axum::http::Method;
use serde_json::json;

/// Substrings that would expose internals: SQL, files, code.
const INTERNALS: [&str; 14] = [
    "select ",
    "insert ",
    "update ",
    "delete from",
    "sqlite",
    "postgres",
    "constraint",
    "crates/",
    ".rs",
    "panicked",
    "stack",
    "/tmp",
    "0x",
    "::",
];

/// proves: wire-no-insides
#[tokio::test]
async fn errors_expose_no_internals() {
    let server = Server::sqlite().await;
    let (ada, visitor) = (server.admin("ada").await, server.visitor());
    let bodies = ["", "{", "{}", "[]", r#"{"content": "\u0000' or 1=1 --"}"#];
    let headers = [("content-type", "application/json")];
    let mut errors = 0;
    for operation in routes::all() {
        let odd = "%27%20or%201=1--%00";
        let path = operation.path_with(odd).unwrap_or_else(|| operation.path.clone());
        for body in bodies {
            for (browser, query) in [(ada.tab(), ""), (visitor.tab(), ""), (ada.tab(), "?limit=x")]
            {
                let path = format!("{path}{query}");
                let response = browser.request(&operation.method, &path, &headers, body).await;
                if response.status.is_success() || response.status.is_redirection() {
                    continue;
                }
                errors += 1;
                let text = String::from_utf8_lossy(&response.bytes).to_lowercase();
                for internal in INTERNALS {
                    assert!(!text.contains(internal), "{} {path}: {text}", operation.method);
                }
            }
        }
    }
    assert!(errors > 100, "only {errors} errors were checked");
}

/// A missing required field yields a message that asks for it.
/// proves: required-sentences, wire-400, wire-error-fields
#[tokio::test]
async fn missing_fields_are_asked_for() {
    let server = Server::sqlite().await;
    let visitor = server.visitor();
    let email = ("email", "Please enter your email address.");
    let token = ("token", "No verification token found");
    let some = json!({"email": "ada@example.org", "inviteCode": " - "});
    for (path, body, (field, sentence)) in [
        ("/api/waitlist", json!({}), email),
        ("/api/auth/request-login-link", json!({"email": " "}), email),
        ("/api/auth/request-magic-link", json!({"email": null}), email),
        ("/api/auth/request-magic-link", some, ("inviteCode", "Please enter your invite code.")),
        ("/api/auth/verify", json!({}), token),
        (
            "/api/auth/verify-code",
            json!({"code": "--"}),
            ("code", "Please enter the code from the email."),
        ),
    ] {
        let body = visitor.post(path, body).await.expect(400);
        let expected = json!({"message": sentence, "code": "invalid", "fields": {field: sentence}});
        assert_eq!(body, expected, "{path}");
    }
    for query in ["", "?token=", "?invite=x"] {
        let response = visitor.get(&format!("/api/auth/verify{query}")).await;
        assert_eq!(response.expect(400)["message"], token.1, "{query}");
    }
}

/// A conflict yields a message with its reason.
/// proves: conflict-sentences, wire-403, wire-409
#[tokio::test]
async fn conflicts_state_their_reason() {
    let server = Server::sqlite().await;
    let (ada, bob) = (server.member("ada").await, server.member("bob").await);
    let plain = bob.write("plain").await;
    let body = json!({"content": "which?", "pollOptions": ["a", "b"], "pollDurationMinutes": 5});
    let poll = id_of(&bob.create(body).await);
    let invite = ada.post_empty("/api/invites").await.expect(201);
    server.member_with("eve", invite["code"].as_str().unwrap()).await;
    server.advance_clock(5 * 60_000);
    let username_path = "/api/users/username";
    let choose = |name: &str| json!({"username": name});
    bob.json(Method::PUT, username_path, choose("bob_1")).await.expect(200);
    let vote = json!({"option": "a"});
    let me = json!({"followingId": ada.id().await});
    for (browser, method, path, body, status, sentence) in [
        (
            &ada,
            "DELETE",
            format!("/api/posts/{plain}"),
            json!({}),
            403,
            "Only its author can delete a post.",
        ),
        (
            &ada,
            "POST",
            format!("/api/posts/{plain}/vote"),
            vote.clone(),
            409,
            "This post has no poll.",
        ),
        (&ada, "POST", format!("/api/posts/{poll}/vote"), vote, 409, "This poll has ended."),
        (
            &ada,
            "DELETE",
            format!("/api/invites/{}", id_of(&invite)),
            json!({}),
            409,
            "A friend has joined with this code already.",
        ),
        (&ada, "PUT", username_path.to_owned(), choose("bob_1"), 409, "This username is taken."),
        (
            &bob,
            "PUT",
            username_path.to_owned(),
            choose("bob_2"),
            409,
            "You have chosen your username already.",
        ),
        (&ada, "POST", "/api/follows".to_owned(), me, 422, "You cannot follow yourself."),
    ] {
        let response = browser.json(method.parse().unwrap(), &path, body).await;
        assert_eq!(response.expect(status)["message"], sentence);
    }
}

/// A database that is down yields a 503 with a retry time.
/// proves: wire-503
#[tokio::test]
async fn a_database_that_is_down_asks_to_retry() {
    let server = Server::sqlite().await;
    let ada = server.member("ada").await;
    server.state.db.close().await;
    let response = ada.post("/api/posts", json!({"content": "x"})).await;
    assert_eq!(response.error_code(503), "unavailable");
    let seconds: u64 = response.header("retry-after").parse().unwrap();
    assert!(seconds > 0);
}
