//! Request fields that are unknown, duplicated, nested too deeply, or that contain invalid ids.

use crate::harness::{Browser, Server};
use crate::routes::{self, Call};
use crate::write_requests::every_write;
use serde_json::{Value, json};

const JSON: [(&str, &str); 1] = [("content-type", "application/json")];

/// Strings that are not valid ids.
const INVALID_IDS: [&str; 10] = [
    "0",
    "-1",
    "1.5",
    "1e3",
    " 1",
    "٣",
    "a\0b",
    "9223372036854775808",
    "18446744073709551616",
    "99999999999999999999999999999999",
];

async fn send(ada: &Browser, operation: &Call, body: String) -> crate::harness::TestResponse {
    ada.request(&operation.method, &operation.nowhere(), &JSON, body).await
}

/// Lists the fields of JSON bodies, each with a value of its type.
fn fields() -> Vec<(Call, String, Value)> {
    let operations = routes::all().into_iter();
    let fields = operations.flat_map(|operation| {
        let names = operation.body.clone().unwrap_or_default().into_iter();
        names.map(move |name| {
            let value = match name.as_str() {
                "imageUrls" | "pollOptions" => json!([]),
                "pollDurationMinutes" => json!(5),
                _ => json!("x"),
            };
            (operation.clone(), name, value)
        })
    });
    fields.collect()
}

/// Unknown fields in a valid request are ignored.
/// proves: wire-unknown-fields
#[tokio::test]
async fn every_operation_ignores_unknown_fields() {
    let server = Server::sqlite().await;
    let ada = server.admin("ada").await;
    for write in every_write(&server, &ada).await {
        let Some(Value::Object(fields)) = &write.body else {
            continue;
        };
        // Ignored fields may be nested deeply, since they are not stored.
        let deep = format!("{}1{}", "[{\"a\":".repeat(5_000), "}]".repeat(5_000));
        let valid = Value::Object(fields.clone()).to_string();
        let unknown = r#""id": 7, "role": "admin", "__proto__": {"role": "admin"}, "": null, "EMAIL": [], "x": 1, "x": 2"#;
        // One operation has a `role` field of its own.
        let unknown = if fields.contains_key("role") {
            unknown.replacen("\"role\"", "\"rank\"", 1)
        } else {
            unknown.to_owned()
        };
        let body = format!("{{{unknown}, \"deep\": {deep}, {}", &valid[1..]);
        write.assert_done(&write.send_with(&ada, &[], body).await);
    }
}

/// Optional fields may be null.
/// proves: wire-optional
#[tokio::test]
async fn every_optional_field_may_be_null() {
    let server = Server::sqlite().await;
    let ada = server.admin("ada").await;
    let all = routes::all();
    for write in every_write(&server, &ada).await {
        let Some(Value::Object(sent)) = &write.body else {
            continue;
        };
        let mut operations = all.iter();
        let operation = operations
            .find(|operation| operation.method == write.method && operation.path == write.route);
        let mut body = sent.clone();
        for name in operation.unwrap().body.clone().unwrap() {
            body.entry(name).or_insert(Value::Null);
        }
        let body = Value::Object(body).to_string();
        write.assert_done(&write.send_with(&ada, &[], body).await);
    }
}

/// proves: bound-twice
#[tokio::test]
async fn duplicate_fields_are_rejected() {
    let server = Server::sqlite().await;
    let ada = server.admin("ada").await;
    for (operation, name, value) in fields() {
        let body = format!("{{\"{name}\": {value}, \"{name}\": {value}}}");
        let response = send(&ada, &operation, body).await;
        assert_eq!(response.error_code(400), "bad_json", "{operation:?} {name}");
    }
}

/// proves: bound-nesting
#[tokio::test]
async fn deeply_nested_bodies_are_rejected() {
    let server = Server::sqlite().await;
    let ada = server.admin("ada").await;
    let lists = format!("{}{}", "[".repeat(10_000), "]".repeat(10_000));
    let objects = format!("{}1{}", "{\"a\":".repeat(10_000), "}".repeat(10_000));
    for (operation, name, _) in fields() {
        for deep in [&lists, &objects] {
            for body in [
                format!("[{deep}]"),
                format!("{{\"{name}\": {deep}}}"),
                format!("{{\"unknown\": {}", &deep[..9_000]),
            ] {
                let response = send(&ada, &operation, body).await;
                assert_eq!(response.error_code(400), "bad_json", "{operation:?} {name}");
            }
        }
    }
}

/// An unpaired surrogate is rejected wherever it occurs.
/// proves: bound-surrogates
#[tokio::test]
async fn unpaired_surrogates_are_rejected() {
    let server = Server::sqlite().await;
    let ada = server.admin("ada").await;
    for (operation, name, value) in fields() {
        for half in ["\\ud83d", "\\ude00", "\\ud83dx", "\\ude00\\ud83d", "\\ud800\\ud800"] {
            let bodies = [
                format!("{{\"{name}\": \"{half}\"}}"),
                format!("{{\"{name}\": \"{}{half}\"}}", "x".repeat(499)),
                format!("{{\"{name}\": {value}, \"{half}\": 1}}"),
            ];
            for body in bodies {
                let response = send(&ada, &operation, body).await;
                assert_eq!(response.error_code(400), "bad_json", "{operation:?} {name} {half}");
            }
        }
    }
}

/// proves: wire-odd-ids
#[tokio::test]
async fn invalid_ids_are_not_found() {
    let server = Server::sqlite().await;
    let ada = server.admin("ada").await;
    let ids = fields().into_iter().filter(|field| field.1.ends_with("Id"));
    let ids = ids.collect::<Vec<_>>();
    assert!(ids.len() >= 3, "{ids:?}");
    for (operation, name, _) in ids {
        for odd in INVALID_IDS {
            let body = json!({"content": "x", "reason": "spam", &name: odd}).to_string();
            let response = send(&ada, &operation, body).await;
            let code = response.error_code(404);
            assert!(code.ends_with("_not_found"), "{operation:?} {name} {odd:?}: {code}");
        }
        for number in ["7", "9223372036854775807", "1e400", "-1"] {
            let body = format!("{{\"content\": \"x\", \"{name}\": {number}}}");
            let response = send(&ada, &operation, body).await;
            assert_eq!(response.error_code(400), "bad_json", "{operation:?} {name} {number}");
        }
    }
    assert_eq!(ada.me().await["postCount"], 0);
}

/// Operations without a body tolerate one, whatever it contains.
/// proves: wire-no-5xx
#[tokio::test]
async fn no_body_breaks_an_operation_without_one() {
    let server = Server::sqlite().await;
    let ada = server.admin("ada").await;
    let large = "x".repeat(1 << 20);
    let mut operations = routes::all();
    operations.retain(|operation| operation.body.is_none());
    // Operations that end the session run last.
    operations.sort_by_key(|operation| {
        operation.method == "DELETE" && operation.path == "/api/auth/sessions"
    });
    operations.sort_by_key(|operation| operation.path == "/api/auth/logout");
    for operation in operations {
        for body in [large.as_str(), "{", "\0", "[[[[", "{\"id\": 1e999}"] {
            let response =
                ada.request(&operation.method, &operation.nowhere(), &JSON, body.to_owned()).await;
            assert!(response.status.as_u16() < 500, "{operation:?}: {}", response.status);
        }
    }
    assert_eq!(ada.get("/api/auth/me").await.error_code(401), "unauthorized");
}
