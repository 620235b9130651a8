//! The pages `docs/api/endpoints.md` and `docs/api/schemas.md`, written from the OpenAPI document.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use anyhow::{Context as _, Result};
use serde_json::{Map, Value};

/// Path of the document, from the root.
pub(crate) const DOCUMENT: &str = "web/src/api/openapi.json";

const METHODS: [&str; 5] = ["get", "post", "put", "patch", "delete"];
const NOTE: &str = "<!-- Written by `cargo xtask gen` from web/src/api/openapi.json. -->\n";

/// Returns path and text of each page.
pub(crate) fn pages(document: &str) -> Result<[(&'static str, String); 2]> {
    let document: Value = serde_json::from_str(document).context("no OpenAPI document")?;
    Ok([
        ("docs/api/endpoints.md", endpoints(&document)),
        ("docs/api/schemas.md", schemas(&document)),
    ])
}

fn endpoints(document: &Value) -> String {
    let mut page = format!("# Endpoints\n\n{NOTE}\n{}\n", text(&document["info"]["description"]));
    page.push_str(
        "\nThe body of an error is an [ErrorBody](schemas.md#errorbody).\n\n`kith openapi` prints the whole description, with examples; a server has it at \
         `/api/openapi.json`. [Examples with curl](examples.md) show a session. An endpoint needs one \
         unless it says otherwise.\n",
    );
    for tag in document["tags"].as_array().into_iter().flatten() {
        let name = text(&tag["name"]);
        let _ = write!(page, "\n## {name}\n\n{}.\n", text(&tag["description"]));
        for (path, methods) in sorted(&document["paths"]) {
            for method in METHODS {
                let operation = &methods[method];
                if operation["tags"][0] == tag["name"] {
                    write_operation(&mut page, document, (method, path), operation);
                }
            }
        }
    }
    page
}

fn write_operation(
    page: &mut String,
    document: &Value,
    (method, path): (&str, &str),
    operation: &Value,
) {
    // The description begins with the summary.
    let about = [text(&operation["description"]), text(&operation["summary"])];
    let about = about.into_iter().find(|text| !text.is_empty()).unwrap_or_default();
    let _ = write!(page, "\n### `{} {path}`\n\n{about}\n", method.to_uppercase());
    if operation["security"].as_array().is_some_and(Vec::is_empty) {
        page.push_str("\nNeeds no session.\n");
    }
    let parameters = operation["parameters"].as_array().map_or(&[][..], Vec::as_slice);
    if !parameters.is_empty() {
        page.push_str("\n| Parameter | In | Type | Meaning |\n|---|---|---|---|\n");
    }
    for parameter in parameters {
        let optional = if parameter["required"] == true { "" } else { ", optional" };
        let (name, place) = (text(&parameter["name"]), text(&parameter["in"]));
        let kind = kind(&parameter["schema"]);
        let meaning = cell(&parameter["description"]);
        let _ = writeln!(page, "| `{name}` | {place}{optional} | {kind} | {meaning} |");
    }
    let body = body_of(&operation["requestBody"]);
    if !body.is_empty() {
        let optional = if operation["requestBody"]["required"] == true { "" } else { ", optional" };
        let _ = write!(page, "\nBody{optional}: {body}\n");
    }
    page.push_str("\n| Status | Body, or codes | Meaning |\n|---|---|---|\n");
    for (status, response) in sorted(&operation["responses"]) {
        let response = followed(document, response);
        let codes = codes_of(document, response);
        let body = if codes.is_empty() { body_of(response) } else { codes };
        let _ = writeln!(page, "| {status} | {body} | {} |", cell(&response["description"]));
    }
}

/// Codes of an error response, by its examples.
fn codes_of(document: &Value, response: &Value) -> String {
    let examples = sorted(&response["content"]["application/json"]["examples"]);
    let codes = examples.into_iter().filter_map(|(_, example)| {
        followed(document, example)["value"]["code"].as_str().map(|code| format!("`{code}`"))
    });
    codes.collect::<BTreeSet<_>>().into_iter().collect::<Vec<_>>().join(", ")
}

/// Whether the document has a path, such as `/api/posts/1`.
pub(crate) fn has_path(document: &str, path: &str) -> bool {
    let document: Value = serde_json::from_str(document).unwrap_or_default();
    let fits = |template: &str| {
        let parts = template.split('/').zip(path.split('/'));
        let is_same = |(part, given): (&str, &str)| part == given || part.starts_with('{');
        template.split('/').count() == path.split('/').count() && parts.into_iter().all(is_same)
    };
    sorted(&document["paths"]).into_iter().any(|(template, _)| fits(template))
}

/// Types of the content of a request or response.
fn body_of(holder: &Value) -> String {
    let contents = sorted(&holder["content"]).into_iter().map(|(media, content)| {
        if media == "application/json" { kind(&content["schema"]) } else { format!("`{media}`") }
    });
    contents.collect::<Vec<_>>().join(", ")
}

fn schemas(document: &Value) -> String {
    let mut page = format!(
        "# Schemas\n\n{NOTE}\nThe bodies of [requests and responses](endpoints.md). A field that \
         is marked *optional* may be absent.\n"
    );
    for (name, schema) in sorted(&document["components"]["schemas"]) {
        let _ = write!(page, "\n## {name}\n\n{}\n", text(&schema["description"]));
        // A schema that extends others has them and its own fields as parts.
        let parts = schema["allOf"].as_array().map_or(std::slice::from_ref(schema), Vec::as_slice);
        for part in parts {
            if part["properties"].is_object() {
                write_fields(&mut page, part);
            } else if parts.len() > 1 {
                let _ = write!(page, "\nAll fields of {}.\n", kind(part));
            } else {
                let _ = write!(page, "\n{}\n", kind(part));
            }
        }
    }
    page
}

fn write_fields(page: &mut String, schema: &Value) {
    page.push_str("\n| Field | Type | Meaning |\n|---|---|---|\n");
    let required = schema["required"].as_array().map_or(&[][..], Vec::as_slice);
    for (field, schema) in sorted(&schema["properties"]) {
        let is_required = required.iter().any(|name| name == field);
        let optional = if is_required { "" } else { ", optional" };
        let (kind, meaning) = (kind(schema), cell(&schema["description"]));
        let _ = writeln!(page, "| `{field}` | {kind}{optional} | {meaning} |");
    }
}

/// Type of a schema in words, with its bounds.
fn kind(schema: &Value) -> String {
    if let Some(name) = schema["$ref"].as_str().and_then(|path| path.rsplit('/').next()) {
        return format!("[{name}](schemas.md#{})", name.to_lowercase());
    }
    for choice in ["oneOf", "anyOf", "allOf"] {
        if let Some(several) = schema[choice].as_array() {
            return several.iter().map(kind).collect::<Vec<_>>().join(" or ");
        }
    }
    if let Some(values) = schema["enum"].as_array() {
        let values = values.iter().map(|value| format!("`{}`", plain(value)));
        return values.collect::<Vec<_>>().join(", ");
    }
    if schema.get("const").is_some() {
        return format!("`{}`", plain(&schema["const"]));
    }
    let names: Vec<&str> = match &schema["type"] {
        Value::Array(names) => names.iter().filter_map(Value::as_str).collect(),
        name => name.as_str().into_iter().collect(),
    };
    let names = names.into_iter().map(|name| match name {
        "array" => format!("list of {}", kind(&schema["items"])),
        name => name.to_owned(),
    });
    let names = names.collect::<Vec<_>>().join(" or ");
    let names = if names.is_empty() { "any".to_owned() } else { names };
    let bounds = bounds(schema);
    if bounds.is_empty() { names } else { format!("{names}, {}", bounds.join(", ")) }
}

/// Format and bounds of a schema.
fn bounds(schema: &Value) -> Vec<String> {
    let format = schema["format"].as_str().map(str::to_owned);
    let range = |low: &str, high: &str, unit: &str| match (schema.get(low), schema.get(high)) {
        (Some(low), Some(high)) if low == high => Some(format!("{low}{unit}")),
        (Some(low), Some(high)) => Some(format!("{low} to {high}{unit}")),
        (Some(low), None) => Some(format!("at least {low}{unit}")),
        (None, Some(high)) => Some(format!("at most {high}{unit}")),
        (None, None) => None,
    };
    let ranges = [
        range("minLength", "maxLength", " code points"),
        range("minItems", "maxItems", " items"),
        range("minimum", "maximum", ""),
    ];
    format.into_iter().chain(ranges.into_iter().flatten()).collect()
}

/// What a `$ref` refers to, or the value itself.
fn followed<'a>(document: &'a Value, value: &'a Value) -> &'a Value {
    let path = value["$ref"].as_str().and_then(|path| path.strip_prefix('#'));
    path.and_then(|path| document.pointer(path)).unwrap_or(value)
}

/// Entries of an object by name: whether `serde_json` keeps their order depends on other crates.
fn sorted(object: &Value) -> Vec<(&str, &Value)> {
    let entries = object.as_object().into_iter().flat_map(Map::iter);
    let mut entries: Vec<_> = entries.map(|(name, value)| (name.as_str(), value)).collect();
    entries.sort_by_key(|(name, _)| *name);
    entries
}

/// A text as a cell of a table.
fn cell(value: &Value) -> String {
    text(value).trim().replace('|', "\\|").replace("\n\n", "<br>").replace('\n', " ")
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn types_have_bounds_and_links() {
        let list =
            json!({"type": "array", "maxItems": 4, "items": {"type": "string", "minLength": 1}});
        assert_eq!(kind(&list), "list of string, at least 1 code points, at most 4 items");
        let choice =
            json!({"oneOf": [{"$ref": "#/components/schemas/Deletion"}, {"type": "null"}]});
        assert_eq!(kind(&choice), "[Deletion](schemas.md#deletion) or null");
        assert_eq!(kind(&json!({"enum": ["on", "off"]})), "`on`, `off`");
    }

    #[test]
    fn an_operation_lists_its_responses() {
        let document = json!({
            "info": {"description": "About."},
            "tags": [{"name": "posts", "description": "Posts"}],
            "components": {"responses": {"Gone": {"description": "`gone`: It | is gone.\n\nOr not."}}},
            "paths": {"/api/posts": {"get": {"tags": ["posts"], "summary": "List posts", "security": [],
                "responses": {"410": {"$ref": "#/components/responses/Gone"}}}}},
        });
        let page = endpoints(&document);
        assert!(
            has_path(&document.to_string(), "/api/posts")
                && !has_path(&document.to_string(), "/api")
        );
        assert!(
            page.contains("### `GET /api/posts`\n\nList posts\n\nNeeds no session.\n"),
            "{page}"
        );
        assert!(page.ends_with("| 410 |  | `gone`: It \\| is gone.<br>Or not. |\n"), "{page}");
    }
}
