//! Completes schemas: required fields, limits by field name, and examples.

use super::fields::is;
use super::{Object, fields};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Completes all schemas. In schemas that only responses use, all fields are required.
pub(super) fn complete(shapes: &mut Object, paths: &Object) {
    let sent = reachable(paths, "requestBody", shapes);
    let mut answered = reachable(paths, "responses", shapes);
    answered.insert("ErrorBody".to_owned());
    for (name, shape) in shapes.iter_mut() {
        let only_answered = answered.contains(name) && !sent.contains(name);
        complete_shape(shape, only_answered);
    }
    for name in shapes.keys().cloned().collect::<Vec<_>>() {
        if shapes[&name]["examples"].is_null() {
            let example = example(&shapes[&name], shapes);
            shapes[&name]["examples"] = json!([example]);
        }
    }
}

fn complete_shape(shape: &mut Value, answered: bool) {
    name_examples(shape);
    let number = answered && shape["type"] == "integer";
    if let Some(number) = shape.as_object_mut().filter(|_| number) {
        fields::complete_number(number);
    }
    for key in ["allOf", "oneOf", "anyOf"] {
        for part in shape[key].as_array_mut().into_iter().flatten() {
            complete_shape(part, answered);
        }
    }
    lift_description(shape);
    for key in ["items", "additionalProperties"] {
        if shape[key].is_object() {
            complete_shape(&mut shape[key], answered);
        }
    }
    let Some(properties) = shape["properties"].as_object_mut() else {
        drop_nulls(shape);
        return;
    };
    let mut always = Vec::new();
    for (name, property) in properties {
        complete_shape(property, answered);
        fields::complete(name, property);
        if nullable(property) {
            always.push(json!(name));
        }
    }
    if answered && !always.is_empty() {
        let required = shape["required"].as_array().cloned().unwrap_or_default();
        always.retain(|name| !required.contains(name));
        shape["required"] = [required, always].concat().into();
    }
    drop_nulls(shape);
}

/// Removes the nulls that mutable indexing of a value inserts.
pub(super) fn drop_nulls(shape: &mut Value) {
    if let Some(object) = shape.as_object_mut() {
        object.retain(|_, value| !value.is_null());
    }
}

/// Replaces `example` by the list `examples` of OpenAPI 3.1.
fn name_examples(shape: &mut Value) {
    if let Some(object) = shape.as_object_mut()
        && let Some(example) = object.remove("example")
    {
        object.entry("examples").or_insert(json!([example]));
    }
}

/// Moves the description of a nullable reference out of `oneOf`.
fn lift_description(shape: &mut Value) {
    let Some(choices) = shape["oneOf"].as_array_mut() else {
        return;
    };
    let inside = choices.iter_mut().filter_map(Value::as_object_mut);
    let found = inside.filter_map(|choice| choice.remove("description"));
    if let Some(description) = found.last() {
        shape["description"] = description;
    }
}

fn nullable(schema: &Value) -> bool {
    let choices = schema["oneOf"].as_array().into_iter().flatten();
    is(schema, "null") || choices.into_iter().any(nullable)
}

pub(super) fn refuse_null(schema: &mut Value) {
    if let Some(kinds) = schema["type"].as_array_mut() {
        kinds.retain(|kind| kind != "null");
        if let [only] = kinds.as_slice() {
            schema["type"] = only.clone();
        }
    }
    if let Some(choices) = schema["oneOf"].as_array() {
        let real = choices.iter().find(|choice| !is(choice, "null"));
        *schema = real.cloned().unwrap_or_default();
    }
    name_examples(schema);
    drop_nulls(schema);
    let number = schema["type"] == "integer";
    if let Some(number) = schema.as_object_mut().filter(|_| number) {
        fields::complete_number(number);
    }
}

pub(super) fn resolve<'a>(schema: &'a Value, shapes: &'a Object) -> &'a Value {
    let name = schema["$ref"]
        .as_str()
        .and_then(|path| path.rsplit('/').next());
    name.and_then(|name| shapes.get(name)).unwrap_or(schema)
}

/// Returns the non-null choice of a nullable schema.
pub(super) fn without_null(schema: &Value) -> Option<Value> {
    let null = json!({"type": "null"});
    let choices = schema["oneOf"].as_array()?;
    let mut others = choices.iter().filter(|choice| **choice != null);
    choices.contains(&null).then(|| others.next().cloned())?
}

pub(super) fn example(schema: &Value, shapes: &Object) -> Value {
    if let Some(first) = schema["examples"].get(0) {
        return first.clone();
    }
    let target = resolve(schema, shapes);
    if !std::ptr::eq(target, schema) {
        return example(target, shapes);
    }
    if nullable(schema) {
        return Value::Null;
    }
    if let Some(parts) = schema["allOf"].as_array() {
        let parts = parts
            .iter()
            .map(|part| super::object(example(part, shapes)));
        return Value::Object(parts.flatten().collect());
    }
    if let Some(first) = schema["enum"].get(0) {
        return first.clone();
    }
    if let Some(properties) = schema["properties"].as_object() {
        // Nested lists are empty in examples, which show the outer object.
        let values = properties.iter().map(|(name, property)| {
            let list = property["type"] == "array" && property["examples"].is_null();
            let value = if list {
                json!([])
            } else {
                example(property, shapes)
            };
            (name.clone(), value)
        });
        return Value::Object(values.collect());
    }
    match schema["type"].as_str() {
        Some("array") => json!([example(&schema["items"], shapes)]),
        Some("integer") => schema["minimum"].clone(),
        Some("boolean") => json!(false),
        Some("object") => json!({}),
        _ => json!(""),
    }
}

/// Collects the names of all schemas used by one part of all operations.
fn reachable(paths: &Object, part: &str, shapes: &Object) -> BTreeSet<String> {
    let calls = paths.values().filter_map(Value::as_object).flatten();
    let mut found = BTreeSet::new();
    for (_, call) in calls {
        follow(&call[part], shapes, &mut found);
    }
    found
}

fn follow(value: &Value, shapes: &Object, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(object) => {
            let target = object.get("$ref").and_then(Value::as_str);
            if let Some(name) = target.and_then(|path| path.rsplit('/').next())
                && found.insert(name.to_owned())
                && let Some(shape) = shapes.get(name)
            {
                follow(shape, shapes, found);
            }
            object.values().for_each(|part| follow(part, shapes, found));
        }
        Value::Array(parts) => parts.iter().for_each(|part| follow(part, shapes, found)),
        _ => {}
    }
}
