//! Default limits of fields by name. Limits at a field's definition take precedence.

use super::Object;
use serde_json::{Value, json};

fn bounds(name: &str) -> Option<Value> {
    let bounds = match name {
        "username" => {
            json!({"minLength": 3, "maxLength": 20, "pattern": "^[A-Za-z0-9_]+$", "examples": ["ada"]})
        }
        "displayName" => json!({"minLength": 1, "maxLength": 600, "examples": ["Ada"]}),
        "email" => {
            json!({"format": "email", "minLength": 5, "maxLength": 254, "examples": ["ada@example.org"]})
        }
        "content" => json!({"maxLength": 5_000, "examples": ["Hello, humans."]}),
        // Alternative text of an image.
        "imageAlt" => json!({"maxLength": 5_000, "examples": ["A cat on a wall"]}),
        "pollOption" => json!({"maxLength": 600, "examples": ["Tea"]}),
        // A member's id, or a placeholder for a hidden voter.
        "pollVote" => {
            json!({"maxItems": 100, "minLength": 1, "maxLength": 19, "examples": ["voter-1"]})
        }
        "header" => json!({"maxLength": 500, "examples": ["image/jpeg"]}),
        "field" => json!({"minLength": 1, "maxLength": 500}),
        time if time.ends_with("At") => {
            json!({"format": "date-time", "minLength": 24, "maxLength": 24, "examples": ["2026-11-21T09:30:00.000Z"]})
        }
        url if url == "url" || url.ends_with("Url") => {
            json!({"format": "uri-reference", "maxLength": 2_000})
        }
        _ => return None,
    };
    Some(bounds)
}

/// Adds a name's default limits to a string schema, or to the strings of a list or map with the plural name.
pub(super) fn complete(name: &str, schema: &mut Value) {
    let is_kind = |kind| allows_type(schema, kind);
    let (text, list, nullable) = (is_kind("string"), is_kind("array"), is_kind("null"));
    let Some(schema) = schema.as_object_mut().filter(|schema| !schema.contains_key("enum")) else {
        return;
    };
    for part in ["items", "additionalProperties"] {
        if let Some(part) = schema.get_mut(part) {
            complete(name.trim_end_matches('s'), part);
        }
    }
    for (key, value) in super::object(bounds(name).unwrap_or_default()) {
        let fits = match key.as_str() {
            "maxItems" => list,
            // Nullable fields are null in examples.
            "examples" => text && !nullable,
            _ => text,
        };
        if fits {
            schema.entry(key).or_insert(value);
        }
    }
}

pub(super) fn describe_parameter(name: &str, path: &str) -> Option<String> {
    let sentence = match name {
        "username" => {
            "Username of the member, case-insensitive. A former username refers to the same member."
                .to_owned()
        }
        "userId" => "Id of the member.".to_owned(),
        "id" => {
            let before = path.split("/{id}").next().unwrap_or_default();
            let collection = before.rsplit('/').next().unwrap_or_default();
            format!("Id of the {}.", collection.trim_end_matches('s'))
        }
        _ => return None,
    };
    Some(sentence)
}

/// Completes integers in responses: counts, sizes and positions are never negative and have 64 bits.
pub(super) fn complete_number(schema: &mut Object) {
    schema.entry("minimum").or_insert(json!(0));
    schema.insert("format".to_owned(), "int64".into());
}

/// Returns whether a schema allows values of a JSON type.
pub(super) fn allows_type(schema: &Value, kind: &str) -> bool {
    match &schema["type"] {
        Value::String(only) => only == kind,
        Value::Array(kinds) => kinds.iter().any(|allowed| allowed == kind),
        _ => false,
    }
}
