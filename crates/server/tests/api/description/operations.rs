//! Checks the description of each operation.

use super::{Description, entries, is_described, list};
use crate::routes;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::Path;

#[test]
fn every_operation_has_an_id_a_summary_and_a_description() {
    let api = Description::read();
    let tags =
        list(&api.0["tags"]).inspect(|tag| assert!(is_described(&tag["description"]), "{tag}"));
    let tags = tags.map(|tag| &tag["name"]).collect::<Vec<_>>();
    let mut names = BTreeSet::new();
    for (name, operation) in api.operations() {
        assert!(names.insert(operation["operationId"].as_str().unwrap()), "{name}");
        assert!(
            list(&operation["tags"]).count() == 1 && tags.contains(&&operation["tags"][0]),
            "{name}: its tag is described in openapi/mod.rs"
        );
        assert!(is_described(&operation["description"]), "{name}");
        let summary = operation["summary"].as_str().unwrap();
        assert!(summary.ends_with('.') && !summary.contains('\n'), "{name}: {summary}");
        let successes =
            entries(&operation["responses"]).filter(|(status, _)| status.starts_with(['2', '3']));
        assert_eq!(successes.count(), 1, "{name}");
    }
}

#[test]
fn every_operation_lists_the_errors_it_can_return() {
    let api = Description::read();
    let all = routes::all();
    for (name, operation) in api.operations() {
        let route = all.iter().find(|route| format!("{} {}", route.method, route.path) == name);
        let route = route.unwrap();
        let visitors = operation["security"] == json!([]);
        assert_eq!(
            visitors,
            !route.is_for_members(),
            "{name}: an operation for visitors declares `security(())`"
        );
        let (in_path, body) = (route.path.contains('{'), route.body.is_some());
        let file = operation["requestBody"]["content"].get("application/octet-stream");
        let (query, members) = (!route.query.is_empty(), !visitors);
        for (status, fits) in [
            (400, body || query || in_path),
            (401, members),
            (403, route.writes() || route.path == "/api/auth/verify"),
            (404, in_path),
            (413, body || file.is_some()),
            (415, body),
            (422, body),
            (429, members || body || query),
            (500, true),
            (503, true),
        ] {
            let is_listed = !operation["responses"][status.to_string()].is_null();
            // Some operations take ids in the body, two in their query; `/prepare` and `/file` read a
            // file that may be missing.
            let in_query =
                matches!(&*name, "GET /api/admin/members" | "POST /api/digest/unsubscribe");
            let is_special = status == 404 && (body || in_query || name.ends_with("/file"))
                || name.ends_with("/prepare") && status > 413;
            // A network can have no live updates.
            let is_special = is_special || status == 404 && name == "GET /api/events";
            // The user id in the path can be the caller's own.
            let is_special = is_special || status == 422 && name.ends_with("s/{userId}");
            assert!(is_listed == fits || is_listed && is_special, "{name}: {status}");
        }
    }
}

#[test]
fn every_response_has_its_headers_and_every_error_its_examples() {
    let api = Description::read();
    let code = source(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"));
    for (name, operation) in api.operations() {
        for (status, response) in entries(&operation["responses"]) {
            let response = api.resolve(response);
            assert!(is_described(&response["description"]), "{name}: {status}");
            let id = api.resolve(&response["headers"]["x-request-id"]);
            assert_eq!(id["required"], true, "{name}: {status}");
            let has_retry_after = !response["headers"]["Retry-After"].is_null();
            assert_eq!(
                has_retry_after,
                ["429", "503"].contains(&status.as_str()),
                "{name}: {status}"
            );
            for (header, value) in entries(&response["headers"]) {
                assert!(is_described(&api.resolve(value)["description"]), "{name}: {header}");
            }
            if status.starts_with(['4', '5']) {
                check_error(&api, &code, &format!("{name}: {status}"), response);
            }
        }
    }
}

/// Asserts that an error body uses `ErrorBody` and that the source contains each example's code.
fn check_error(api: &Description, code: &str, place: &str, response: &Value) {
    let content = &response["content"]["application/json"];
    assert_eq!(content["schema"]["$ref"], "#/components/schemas/ErrorBody", "{place}");
    let mut examples = 0;
    for (_, example) in entries(&content["examples"]) {
        let body = &api.resolve(example)["value"];
        api.fits(body, &content["schema"]).unwrap_or_else(|why| panic!("{place}: {why}"));
        let quoted = format!("\"{}\"", body["code"].as_str().unwrap());
        assert!(code.contains(&quoted), "{place}: no code returns {quoted}");
        examples += 1;
    }
    assert!(examples > 0, "{place} has no example");
}

/// Returns the concatenated Rust source of a folder.
fn source(folder: &Path) -> String {
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let texts = files.map(|file| {
        if file.is_dir() {
            source(&file)
        } else if file.extension().is_some_and(|name| name == "rs") {
            std::fs::read_to_string(file).unwrap()
        } else {
            String::new()
        }
    });
    texts.collect()
}

#[test]
fn every_body_has_examples_that_match_its_schema() {
    let api = Description::read();
    for (name, operation) in api.operations() {
        let sent = std::iter::once(&operation["requestBody"]);
        let received = entries(&operation["responses"]).map(|(_, response)| api.resolve(response));
        for body in sent.chain(received) {
            let Some(content) = body["content"].get("application/json") else {
                continue;
            };
            let schema = &content["schema"];
            let one = content.get("example");
            let inline =
                entries(&content["examples"]).map(|(_, example)| &api.resolve(example)["value"]);
            let of_shape = list(&api.resolve(schema)["examples"]);
            let examples = inline.chain(of_shape).chain(one).collect::<Vec<_>>();
            assert!(!examples.is_empty(), "{name}");
            for example in examples {
                api.fits(example, schema).unwrap_or_else(|why| panic!("{name}: {why}"));
            }
        }
    }
}
