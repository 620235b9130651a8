//! Completes schemas: required fields, limits by field name, and examples.

use super::fields::allows_type;
use super::{Object, fields};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Completes all schemas. In schemas that only responses use, all fields are required.
pub(super) fn complete(schemas: &mut Object, paths: &Object) {
    let in_requests = collect_reachable(paths, "requestBody", schemas);
    let mut in_responses = collect_reachable(paths, "responses", schemas);
    in_responses.insert("ErrorBody".to_owned());
    for (name, schema) in schemas.iter_mut() {
        let only_in_responses = in_responses.contains(name) && !in_requests.contains(name);
        complete_schema(schema, only_in_responses);
    }
    for name in schemas.keys().cloned().collect::<Vec<_>>() {
        if schemas[&name]["examples"].is_null() {
            let example = example(&schemas[&name], schemas);
            schemas[&name]["examples"] = json!([example]);
        }
    }
}

fn complete_schema(schema: &mut Value, in_responses: bool) {
    convert_example(schema);
    let is_integer = in_responses && schema["type"] == "integer";
    if let Some(number) = schema.as_object_mut().filter(|_| is_integer) {
        fields::complete_number(number);
    }
    for key in ["allOf", "oneOf", "anyOf"] {
        for part in schema[key].as_array_mut().into_iter().flatten() {
            complete_schema(part, in_responses);
        }
    }
    lift_description(schema);
    for key in ["items", "additionalProperties"] {
        if schema[key].is_object() {
            complete_schema(&mut schema[key], in_responses);
        }
    }
    let Some(properties) = schema["properties"].as_object_mut() else {
        drop_nulls(schema);
        return;
    };
    let mut nullable = Vec::new();
    for (name, property) in properties {
        complete_schema(property, in_responses);
        fields::complete(name, property);
        if is_nullable(property) {
            nullable.push(json!(name));
        }
    }
    if in_responses && !nullable.is_empty() {
        let required = schema["required"].as_array().cloned().unwrap_or_default();
        nullable.retain(|name| !required.contains(name));
        schema["required"] = [required, nullable].concat().into();
    }
    drop_nulls(schema);
}

/// Removes the nulls that mutable indexing of a value inserts.
pub(super) fn drop_nulls(schema: &mut Value) {
    if let Some(object) = schema.as_object_mut() {
        object.retain(|_, value| !value.is_null());
    }
}

/// Replaces `example` by the list `examples` of OpenAPI 3.1.
fn convert_example(schema: &mut Value) {
    if let Some(object) = schema.as_object_mut()
        && let Some(example) = object.remove("example")
    {
        object.entry("examples").or_insert(json!([example]));
    }
}

/// Moves the description of a nullable reference out of `oneOf`.
fn lift_description(schema: &mut Value) {
    let Some(choices) = schema["oneOf"].as_array_mut() else {
        return;
    };
    let inside = choices.iter_mut().filter_map(Value::as_object_mut);
    let found = inside.filter_map(|choice| choice.remove("description"));
    if let Some(description) = found.last() {
        schema["description"] = description;
    }
}

fn is_nullable(schema: &Value) -> bool {
    let choices = schema["oneOf"].as_array().into_iter().flatten();
    allows_type(schema, "null") || choices.into_iter().any(is_nullable)
}

pub(super) fn remove_null(schema: &mut Value) {
    if let Some(kinds) = schema["type"].as_array_mut() {
        kinds.retain(|kind| kind != "null");
        if let [only] = kinds.as_slice() {
            schema["type"] = only.clone();
        }
    }
    if let Some(choices) = schema["oneOf"].as_array() {
        let non_null = choices.iter().find(|choice| !allows_type(choice, "null"));
        *schema = non_null.cloned().unwrap_or_default();
    }
    convert_example(schema);
    drop_nulls(schema);
    let is_integer = schema["type"] == "integer";
    if let Some(number) = schema.as_object_mut().filter(|_| is_integer) {
        fields::complete_number(number);
    }
}

pub(super) fn resolve<'a>(schema: &'a Value, schemas: &'a Object) -> &'a Value {
    let name = schema["$ref"].as_str().and_then(|path| path.rsplit('/').next());
    name.and_then(|name| schemas.get(name)).unwrap_or(schema)
}

/// Returns the non-null choice of a nullable schema.
pub(super) fn without_null(schema: &Value) -> Option<Value> {
    let null = json!({"type": "null"});
    let choices = schema["oneOf"].as_array()?;
    let mut others = choices.iter().filter(|choice| **choice != null);
    choices.contains(&null).then(|| others.next().cloned())?
}

pub(super) fn example(schema: &Value, schemas: &Object) -> Value {
    if let Some(first) = schema["examples"].get(0) {
        return first.clone();
    }
    let target = resolve(schema, schemas);
    if !std::ptr::eq(target, schema) {
        return example(target, schemas);
    }
    if is_nullable(schema) {
        return Value::Null;
    }
    if let Some(parts) = schema["allOf"].as_array() {
        let parts = parts.iter().map(|part| super::object(example(part, schemas)));
        return Value::Object(parts.flatten().collect());
    }
    if let Some(first) = schema["enum"].get(0) {
        return first.clone();
    }
    if let Some(properties) = schema["properties"].as_object() {
        // Nested lists are empty in examples, which show the outer object.
        let values = properties.iter().map(|(name, property)| {
            let is_list = property["type"] == "array" && property["examples"].is_null();
            let value = if is_list { json!([]) } else { example(property, schemas) };
            (name.clone(), value)
        });
        return Value::Object(values.collect());
    }
    match schema["type"].as_str() {
        Some("array") => json!([example(&schema["items"], schemas)]),
        Some("integer") => schema["minimum"].clone(),
        Some("boolean") => json!(false),
        Some("object") => json!({}),
        _ => json!(""),
    }
}

/// Collects the names of all schemas used by one part of all operations.
fn collect_reachable(paths: &Object, part: &str, schemas: &Object) -> BTreeSet<String> {
    let operations = paths.values().filter_map(Value::as_object).flatten();
    let mut found = BTreeSet::new();
    for (_, operation) in operations {
        collect_references(&operation[part], schemas, &mut found);
    }
    found
}

fn collect_references(value: &Value, schemas: &Object, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(object) => {
            let target = object.get("$ref").and_then(Value::as_str);
            if let Some(name) = target.and_then(|path| path.rsplit('/').next())
                && found.insert(name.to_owned())
                && let Some(schema) = schemas.get(name)
            {
                collect_references(schema, schemas, found);
            }
            for part in object.values() {
                collect_references(part, schemas, found);
            }
        }
        Value::Array(parts) => {
            for part in parts {
                collect_references(part, schemas, found);
            }
        }
        _ => {}
    }
}
