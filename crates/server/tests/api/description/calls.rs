//! What is said of each call.

use super::{Description, entries, list, told};
use crate::routes;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::Path;

#[test]
fn every_call_is_named_summed_up_and_described() {
    let api = Description::read();
    let tags = list(&api.0["tags"]).inspect(|tag| assert!(told(&tag["description"]), "{tag}"));
    let tags = tags.map(|tag| &tag["name"]).collect::<Vec<_>>();
    let mut names = BTreeSet::new();
    for (name, call) in api.calls() {
        assert!(
            names.insert(call["operationId"].as_str().unwrap()),
            "{name}"
        );
        assert!(
            list(&call["tags"]).count() == 1 && tags.contains(&&call["tags"][0]),
            "{name}: its tag is told in openapi/mod.rs"
        );
        assert!(told(&call["description"]), "{name}");
        let summary = call["summary"].as_str().unwrap();
        assert!(
            summary.ends_with('.') && !summary.contains('\n'),
            "{name}: {summary}"
        );
        let well = entries(&call["responses"]).filter(|(status, _)| status.starts_with(['2', '3']));
        assert_eq!(well.count(), 1, "{name}");
    }
}

#[test]
fn every_call_names_the_refusals_that_fit_it() {
    let api = Description::read();
    let all = routes::all();
    for (name, call) in api.calls() {
        let route = all
            .iter()
            .find(|route| format!("{} {}", route.method, route.path) == name);
        let route = route.unwrap();
        let visitors = call["security"] == json!([]);
        assert_eq!(
            visitors,
            !route.is_for_members(),
            "{name}: a call for visitors says `security(())`"
        );
        let (in_path, body) = (route.path.contains('{'), route.body.is_some());
        let file = call["requestBody"]["content"].get("application/octet-stream");
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
            let said = !call["responses"][status.to_string()].is_null();
            // Some calls have ids in their bodies, one in its query; one looks at a file that was sent
            // before, one at a file that may not be made yet.
            let in_query = name == "GET /api/admin/members";
            let more = status == 404 && (body || in_query || name.ends_with("/file"))
                || name.ends_with("/prepare") && status > 413;
            // Whom an address names may be oneself.
            let more = more || status == 422 && name.ends_with("s/{userId}");
            assert!(said == fits || said && more, "{name}: {status}");
        }
    }
}

#[test]
fn every_answer_has_its_headers_and_every_refusal_its_examples() {
    let api = Description::read();
    let code = source(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"));
    for (name, call) in api.calls() {
        for (status, answer) in entries(&call["responses"]) {
            let answer = api.resolve(answer);
            assert!(told(&answer["description"]), "{name}: {status}");
            let id = api.resolve(&answer["headers"]["x-request-id"]);
            assert_eq!(id["required"], true, "{name}: {status}");
            let later = !answer["headers"]["Retry-After"].is_null();
            assert_eq!(
                later,
                ["429", "503"].contains(&status.as_str()),
                "{name}: {status}"
            );
            for (header, value) in entries(&answer["headers"]) {
                assert!(told(&api.resolve(value)["description"]), "{name}: {header}");
            }
            if status.starts_with(['4', '5']) {
                check_refusal(&api, &code, &format!("{name}: {status}"), answer);
            }
        }
    }
}

/// A refusal's body is the one there is, and its examples are what the code says.
fn check_refusal(api: &Description, code: &str, place: &str, answer: &Value) {
    let content = &answer["content"]["application/json"];
    assert_eq!(
        content["schema"]["$ref"], "#/components/schemas/ErrorBody",
        "{place}"
    );
    let mut examples = 0;
    for (_, example) in entries(&content["examples"]) {
        let body = &api.resolve(example)["value"];
        api.fits(body, &content["schema"])
            .unwrap_or_else(|why| panic!("{place}: {why}"));
        let quoted = format!("\"{}\"", body["code"].as_str().unwrap());
        assert!(code.contains(&quoted), "{place}: nothing answers {quoted}");
        examples += 1;
    }
    assert!(examples > 0, "{place} has no example");
}

/// All of the server's source.
fn source(folder: &Path) -> String {
    let files = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path());
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
fn every_body_has_examples_that_fit() {
    let api = Description::read();
    for (name, call) in api.calls() {
        let sent = std::iter::once(&call["requestBody"]);
        let answered = entries(&call["responses"]).map(|(_, answer)| api.resolve(answer));
        for body in sent.chain(answered) {
            let Some(content) = body["content"].get("application/json") else {
                continue;
            };
            let schema = &content["schema"];
            let one = content.get("example");
            let own =
                entries(&content["examples"]).map(|(_, example)| &api.resolve(example)["value"]);
            let of_shape = list(&api.resolve(schema)["examples"]);
            let examples = own.chain(of_shape).chain(one).collect::<Vec<_>>();
            assert!(!examples.is_empty(), "{name}");
            for example in examples {
                api.fits(example, schema)
                    .unwrap_or_else(|why| panic!("{name}: {why}"));
            }
        }
    }
}
