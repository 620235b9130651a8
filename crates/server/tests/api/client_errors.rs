//! Errors that the web app reports.

use crate::harness::Server;
use kith::platform::config::Toggle;
use serde_json::{Value, json};

const PATH: &str = "/api/client-errors";

fn report(change: &Value) -> Value {
    let mut report = json!({
        "source": "row",
        "route": "/profile/:username",
        "name": "TypeError",
        "frames": "index-B63kB6wH.js:1:20471",
    });
    for (field, value) in change.as_object().unwrap() {
        report[field] = value.clone();
    }
    report
}

/// Nothing in a report can be a message, a URL with a query, or the start of another log line.
/// proves: client-error-bounded
#[tokio::test]
async fn a_report_has_no_room_for_texts() {
    let server = Server::with(|_| ()).await;
    for source in ["page", "row", "script"] {
        server.visitor().post(PATH, report(&json!({ "source": source }))).await.expect(204);
    }
    let long = "x".repeat(101);
    for change in [
        json!({"source": "other"}),
        json!({"route": "/search?q=ada"}),
        json!({"route": "/\n{}"}),
        json!({"route": long}),
        json!({"name": "Ada said: \"hi\""}),
        json!({"name": "Ada said hi"}),
        json!({"frames": "Ada said hi"}),
        json!({"source": null}),
        json!({"frames": "at render (index.js:1:2)"}),
        json!({"frames": "Ada:said:hi"}),
        json!({"frames": "a.js:1:2".repeat(2)}),
        json!({"frames": vec!["a.js:1:2"; 200].join(" ")}),
    ] {
        let status = server.visitor().post(PATH, report(&change)).await.status.as_u16();
        assert!([400, 422].contains(&status), "{change}: {status}");
    }
}

/// proves: client-error-limit
#[tokio::test]
async fn reports_are_limited_per_network() {
    let server = Server::with(|options| options.limits = Toggle::On).await;
    for _ in 0..10 {
        server.visitor().post(PATH, report(&json!({}))).await.expect(204);
    }
    let limited = server.visitor().post(PATH, report(&json!({}))).await;
    assert_eq!(limited.error_code(429), "too_many_requests");
}

/// proves: client-error-limit
#[tokio::test]
async fn reports_of_all_networks_together_are_limited() {
    let server = Server::with(|options| {
        options.limits = Toggle::On;
        options.rate_limit_overrides = "all_client_errors=2/30d";
    })
    .await;
    for _ in 0..2 {
        server.visitor().post(PATH, report(&json!({}))).await.expect(204);
    }
    let limited = server.visitor().post(PATH, report(&json!({}))).await;
    assert_eq!(limited.error_code(429), "too_many_requests");
}
