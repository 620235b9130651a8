//! What a refusal says, and what it never says.

use crate::harness::Server;
use crate::routes;

/// What would tell of the inside: SQL, files, code.
const INSIDES: [&str; 14] = [
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
async fn refusals_tell_nothing_of_the_inside() {
    let server = Server::sqlite().await;
    let (ada, visitor) = (server.member("ada").await, server.visitor());
    let bodies = ["", "{", "{}", "[]", r#"{"content": "\u0000' or 1=1 --"}"#];
    let headers = [("content-type", "application/json")];
    let mut refused = 0;
    for call in routes::all() {
        let odd = "%27%20or%201=1--%00";
        let path = call.path_with(odd).unwrap_or_else(|| call.path.clone());
        for body in bodies {
            for (browser, query) in [
                (ada.tab(), ""),
                (visitor.tab(), ""),
                (ada.tab(), "?limit=x"),
            ] {
                let path = format!("{path}{query}");
                let answer = browser.call(&call.method, &path, &headers, body).await;
                if answer.status.is_success() || answer.status.is_redirection() {
                    continue;
                }
                refused += 1;
                let text = String::from_utf8_lossy(&answer.bytes).to_lowercase();
                for inside in INSIDES {
                    assert!(!text.contains(inside), "{} {path}: {text}", call.method);
                }
            }
        }
    }
    assert!(refused > 100, "{refused} refusals were looked at");
}

/// A database that is gone is a short wait, not a defect.
/// proves: wire-503
#[tokio::test]
async fn a_storage_that_is_down_is_a_short_wait() {
    let server = Server::sqlite().await;
    let ada = server.member("ada").await;
    server.app.db.close().await;
    let answer = ada
        .post("/api/posts", serde_json::json!({"content": "x"}))
        .await;
    assert_eq!(answer.refusal(503), "unavailable");
    let seconds: u64 = answer.header("retry-after").parse().unwrap();
    assert!(seconds > 0);
}
