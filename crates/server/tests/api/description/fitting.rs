//! Validates a value against a schema, as far as the document's schemas need it.

use super::{Description, entries, list};
use serde_json::Value;

impl Description {
    /// Returns the first mismatch as an error.
    pub(super) fn fits(&self, value: &Value, schema: &Value) -> Result<(), String> {
        let schema = self.resolve(schema);
        let mismatch = |why: &str| Err(format!("{value} {why}: {schema}"));
        let kinds = match &schema["type"] {
            Value::Array(some) => some.iter().collect(),
            Value::Null => Vec::new(),
            one => vec![one],
        };
        if !kinds.is_empty() && !kinds.into_iter().any(|kind| is(value, kind)) {
            return mismatch("has another type");
        }
        if let Some(choices) = schema["oneOf"].as_array() {
            let fitting = choices.iter().filter(|choice| self.fits(value, choice).is_ok());
            if fitting.count() != 1 {
                return mismatch("is not one of the choices");
            }
        }
        list(&schema["allOf"]).try_for_each(|part| self.fits(value, part))?;
        if schema["enum"].as_array().is_some_and(|all| !all.contains(value)) {
            return mismatch("is not listed");
        }
        let size = match value {
            Value::String(text) => Some(("Length", text.chars().count())),
            Value::Array(items) => Some(("Items", items.len())),
            _ => None,
        };
        if let Some((name, size)) = size {
            let bound = |side: &str| schema[format!("{side}{name}")].as_u64();
            let size = size as u64;
            if bound("min").is_some_and(|least| size < least) {
                return mismatch("is too short");
            }
            if bound("max").is_some_and(|most| size > most) {
                return mismatch("is too long");
            }
        }
        if let Some(number) = value.as_i64() {
            let bound = |name: &str| schema[name].as_i64();
            let low = bound("minimum").is_some_and(|least| number < least);
            if low || bound("maximum").is_some_and(|most| number > most) {
                return mismatch("is out of range");
            }
        }
        self.parts_fit(value, schema)
    }

    fn parts_fit(&self, value: &Value, schema: &Value) -> Result<(), String> {
        for item in list(value) {
            self.fits(item, &schema["items"])?;
        }
        let missing =
            list(&schema["required"]).find(|name| value.get(name.as_str().unwrap()).is_none());
        if let Some(name) = missing {
            return Err(format!("{value} has no {name}"));
        }
        for (name, part) in entries(value) {
            let property = schema["properties"].get(name);
            self.fits(part, property.unwrap_or(&schema["additionalProperties"]))?;
        }
        Ok(())
    }
}

fn is(value: &Value, kind: &Value) -> bool {
    match kind.as_str().unwrap() {
        "string" => value.is_string(),
        "number" => value.is_number(),
        "integer" => value.is_i64() || value.is_u64(),
        "boolean" => value.is_boolean(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        "null" => value.is_null(),
        other => panic!("no schema has the type {other}"),
    }
}
