//! Checks the description and bounds of each parameter, field and schema.

use super::{Description, entries, is_described, list};
use serde_json::Value;

/// Fields without a bound, each with its reason.
const UNBOUNDED: &[(&str, &str)] = &[
    ("GET /api/users/username-available u", "any text gets a response"),
    ("GET /api/auth/verify invite", "it is not read"),
    ("Image.alt", "no image can be posted yet, so no rule says how long it is"),
    ("Image.srcset", "as for Image.alt"),
    ("Image.thumbhash", "as for Image.alt"),
    ("NewPostRequest.imageUrls item", "the list itself must be empty"),
];

#[test]
fn every_parameter_is_described_and_bounded() {
    let api = Description::read();
    for (name, operation) in api.operations() {
        for parameter in list(&operation["parameters"]) {
            let place = format!("{name} {}", parameter["name"].as_str().unwrap());
            assert!(
                is_described(&parameter["description"]),
                "{place}: openapi/fields.rs describes parameters in paths"
            );
            api.check_bounds(&place, &parameter["schema"]);
            let examples = list(&api.resolve(&parameter["schema"])["examples"]);
            for example in examples.chain(parameter.get("example")) {
                api.fits(example, &parameter["schema"])
                    .unwrap_or_else(|why| panic!("{place}: {why}"));
            }
        }
        for (status, response) in entries(&operation["responses"]) {
            let schema = &response["content"]["application/json"]["schema"];
            if schema["type"] == "array" {
                api.check_bounds(&format!("{name} {status}"), schema);
            }
        }
    }
}

#[test]
fn every_shape_and_field_is_described_bounded_and_has_an_example() {
    let api = Description::read();
    for (name, shape) in api.schemas() {
        assert!(is_described(&shape["description"]), "{name}");
        assert!(list(&shape["examples"]).count() > 0, "{name}");
        for example in list(&shape["examples"]) {
            api.fits(example, shape).unwrap_or_else(|why| panic!("{name}: {why}"));
        }
        api.check_fields(name, shape);
    }
}

#[test]
fn response_fields_are_required_and_request_fields_optional() {
    let api = Description::read();
    for name in ["SharedPost", "ViewerState", "ListFields"] {
        let part = &api.0["components"]["schemas"][name];
        let fields = entries(&part["properties"]).count();
        assert!(fields > 0, "{name}");
        assert_eq!(list(&part["required"]).count(), fields, "{name}");
    }
    let request = &api.0["components"]["schemas"]["NewPostRequest"];
    assert_eq!(list(&request["required"]).count(), 0, "a request can omit them");
}

#[test]
fn every_unbounded_field_exists() {
    let api = Description::read();
    for (place, _) in UNBOUNDED {
        let (first, last) = place.trim_end_matches(" item").rsplit_once(['.', ' ']).unwrap();
        let shape = &api.0["components"]["schemas"][first]["properties"][last];
        let operations = api.operations();
        let operation = operations.iter().find(|(name, _)| name == first);
        let mut parameters =
            operation.into_iter().flat_map(|(_, operation)| list(&operation["parameters"]));
        assert!(shape.is_object() || parameters.any(|one| one["name"] == last), "{place} is gone");
    }
}

impl Description {
    fn check_fields(&self, name: &str, shape: &Value) {
        for (field, schema) in entries(&shape["properties"]) {
            let place = format!("{name}.{field}");
            assert!(is_described(&schema["description"]), "{place}");
            self.check_bounds(&place, schema);
        }
        for part in list(&shape["allOf"]) {
            self.check_fields(name, part);
        }
    }

    /// Asserts that strings have a maximum length, integers a minimum and lists a maximum size.
    fn check_bounds(&self, place: &str, schema: &Value) {
        if UNBOUNDED.iter().any(|(known, _)| *known == place) {
            return;
        }
        let schema = self.resolve(schema);
        let is =
            |kind: &str| schema["type"] == kind || list(&schema["type"]).any(|one| one == kind);
        let has = |key: &str| !schema[key].is_null();
        if is("string") {
            assert!(has("maxLength") || has("enum"), "{place}: how long can it be?");
        }
        if is("integer") {
            assert!(
                has("minimum") && schema["format"] == "int64",
                "{place}: how small, how large?"
            );
        }
        if is("array") {
            assert!(has("maxItems"), "{place}: how many can there be?");
            self.check_bounds(&format!("{place} item"), &schema["items"]);
        }
        if has("additionalProperties") {
            self.check_bounds(&format!("{place} value"), &schema["additionalProperties"]);
        }
        for choice in list(&schema["oneOf"]) {
            self.check_bounds(place, choice);
        }
    }
}
