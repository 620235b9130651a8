//! Fields that nobody asked for, that come twice, that are too deep, or that name what cannot be.

use crate::harness::{Browser, Server};
use crate::routes::{self, Call};
use crate::write_requests::every_write;
use serde_json::{Value, json};

const JSON: [(&str, &str); 1] = [("content-type", "application/json")];

/// Text that no id was ever written as.
const NO_IDS: [&str; 10] = [
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

async fn send(ada: &Browser, call: &Call, body: String) -> crate::harness::Answer {
    ada.call(&call.method, &call.nowhere(), &JSON, body).await
}

/// Calls with a JSON body, each field with a value of its type.
fn fields() -> Vec<(Call, String, Value)> {
    let calls = routes::all().into_iter();
    let fields = calls.flat_map(|call| {
        let names = call.body.clone().unwrap_or_default().into_iter();
        names.map(move |name| {
            let value = match name.as_str() {
                "imageUrls" | "pollOptions" => json!([]),
                "pollDurationMinutes" => json!(5),
                _ => json!("x"),
            };
            (call.clone(), name, value)
        })
    });
    fields.collect()
}

/// Whatever else a working request holds, it works.
/// proves: wire-unknown-fields
#[tokio::test]
async fn every_call_ignores_fields_that_it_does_not_know() {
    let server = Server::sqlite().await;
    let ada = server.admin("ada").await;
    for deed in every_write(&server, &ada).await {
        let Some(Value::Object(fields)) = &deed.body else {
            continue;
        };
        // However deep: what is not read is not kept either.
        let deep = format!("{}1{}", "[{\"a\":".repeat(5_000), "}]".repeat(5_000));
        let own = Value::Object(fields.clone()).to_string();
        let more = r#""id": 7, "role": "admin", "__proto__": {"role": "admin"}, "": null, "EMAIL": [], "x": 1, "x": 2"#;
        // One call knows a role.
        let more = if fields.contains_key("role") {
            more.replacen("\"role\"", "\"rank\"", 1)
        } else {
            more.to_owned()
        };
        let body = format!("{{{more}, \"deep\": {deep}, {}", &own[1..]);
        deed.assert_done(&deed.send_with(&ada, &[], body).await);
    }
}

/// What a working request leaves out may be null.
/// proves: wire-optional
#[tokio::test]
async fn every_optional_field_may_be_null() {
    let server = Server::sqlite().await;
    let ada = server.admin("ada").await;
    let all = routes::all();
    for deed in every_write(&server, &ada).await {
        let Some(Value::Object(sent)) = &deed.body else {
            continue;
        };
        let mut calls = all.iter();
        let call = calls.find(|call| call.method == deed.method && call.path == deed.route);
        let mut body = sent.clone();
        for name in call.unwrap().body.clone().unwrap() {
            body.entry(name).or_insert(Value::Null);
        }
        let body = Value::Object(body).to_string();
        deed.assert_done(&deed.send_with(&ada, &[], body).await);
    }
}

/// proves: bound-twice
#[tokio::test]
async fn a_field_that_comes_twice_is_refused() {
    let server = Server::sqlite().await;
    let ada = server.admin("ada").await;
    for (call, name, value) in fields() {
        let body = format!("{{\"{name}\": {value}, \"{name}\": {value}}}");
        let answer = send(&ada, &call, body).await;
        assert_eq!(answer.refusal(400), "bad_json", "{call:?} {name}");
    }
}

/// proves: bound-nesting
#[tokio::test]
async fn what_is_nested_too_deep_is_refused() {
    let server = Server::sqlite().await;
    let ada = server.admin("ada").await;
    let lists = format!("{}{}", "[".repeat(10_000), "]".repeat(10_000));
    let objects = format!("{}1{}", "{\"a\":".repeat(10_000), "}".repeat(10_000));
    for (call, name, _) in fields() {
        for deep in [&lists, &objects] {
            for body in [
                format!("[{deep}]"),
                format!("{{\"{name}\": {deep}}}"),
                format!("{{\"unknown\": {}", &deep[..9_000]),
            ] {
                let answer = send(&ada, &call, body).await;
                assert_eq!(answer.refusal(400), "bad_json", "{call:?} {name}");
            }
        }
    }
}

/// A half of a surrogate pair is no text, wherever it stands.
/// proves: bound-surrogates
#[tokio::test]
async fn half_a_surrogate_pair_is_refused() {
    let server = Server::sqlite().await;
    let ada = server.admin("ada").await;
    for (call, name, value) in fields() {
        for half in [
            "\\ud83d",
            "\\ude00",
            "\\ud83dx",
            "\\ude00\\ud83d",
            "\\ud800\\ud800",
        ] {
            let bodies = [
                format!("{{\"{name}\": \"{half}\"}}"),
                format!("{{\"{name}\": \"{}{half}\"}}", "x".repeat(499)),
                format!("{{\"{name}\": {value}, \"{half}\": 1}}"),
            ];
            for body in bodies {
                let answer = send(&ada, &call, body).await;
                assert_eq!(answer.refusal(400), "bad_json", "{call:?} {name} {half}");
            }
        }
    }
}

/// proves: wire-odd-ids
#[tokio::test]
async fn ids_that_cannot_be_name_nothing() {
    let server = Server::sqlite().await;
    let ada = server.admin("ada").await;
    let ids = fields().into_iter().filter(|field| field.1.ends_with("Id"));
    let ids = ids.collect::<Vec<_>>();
    assert!(ids.len() >= 3, "{ids:?}");
    for (call, name, _) in ids {
        for odd in NO_IDS {
            let body = json!({"content": "x", "reason": "spam", &name: odd}).to_string();
            let answer = send(&ada, &call, body).await;
            let code = answer.refusal(404);
            assert!(
                code.ends_with("_not_found"),
                "{call:?} {name} {odd:?}: {code}"
            );
        }
        for number in ["7", "9223372036854775807", "1e400", "-1"] {
            let body = format!("{{\"content\": \"x\", \"{name}\": {number}}}");
            let answer = send(&ada, &call, body).await;
            assert_eq!(answer.refusal(400), "bad_json", "{call:?} {name} {number}");
        }
    }
    assert_eq!(ada.me().await["postCount"], 0);
}

/// Also a call that takes none survives a body, whatever it is.
/// proves: wire-no-5xx
#[tokio::test]
async fn no_body_breaks_a_call_that_takes_none() {
    let server = Server::sqlite().await;
    let ada = server.admin("ada").await;
    let large = "x".repeat(1 << 20);
    let mut calls = routes::all();
    calls.retain(|call| call.body.is_none());
    // The last ones, since nothing works after them.
    calls.sort_by_key(|call| call.method == "DELETE" && call.path == "/api/auth/sessions");
    calls.sort_by_key(|call| call.path == "/api/auth/logout");
    for call in calls {
        for body in [large.as_str(), "{", "\0", "[[[[", "{\"id\": 1e999}"] {
            let answer = ada
                .call(&call.method, &call.nowhere(), &JSON, body.to_owned())
                .await;
            assert!(answer.status.as_u16() < 500, "{call:?}: {}", answer.status);
        }
    }
    assert_eq!(ada.get("/api/auth/me").await.refusal(401), "unauthorized");
}
