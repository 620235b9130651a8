//! Checks that the published OpenAPI document is complete, for endpoints added later too.

mod fitting;
mod operations;
mod published;
mod schemas;

use serde_json::Value;

/// The OpenAPI document, as `GET /api/openapi.json` returns it.
struct Description(Value);

impl Description {
    fn read() -> Self {
        Self(serde_json::from_str(&kith::router::openapi()).unwrap())
    }

    /// Resolves a `$ref`; returns any other value unchanged.
    fn resolve<'a>(&'a self, value: &'a Value) -> &'a Value {
        match value["$ref"].as_str() {
            Some(path) => {
                let found = self.0.pointer(path.trim_start_matches('#'));
                self.resolve(found.unwrap_or_else(|| panic!("{path} leads nowhere")))
            }
            None => value,
        }
    }

    /// Returns every operation with its name, such as `GET /api/posts/feed`.
    fn operations(&self) -> Vec<(String, &Value)> {
        let paths = self.0["paths"].as_object().unwrap();
        let operations = paths.iter().flat_map(|(path, methods)| {
            let methods = methods.as_object().unwrap().iter();
            methods.map(move |(method, operation)| {
                (format!("{} {path}", method.to_uppercase()), operation)
            })
        });
        operations.collect()
    }

    /// Returns every named schema.
    fn schemas(&self) -> impl Iterator<Item = (&String, &Value)> {
        self.0["components"]["schemas"].as_object().unwrap().iter()
    }
}

/// Returns whether a description is present and not trivially short.
fn is_described(value: &Value) -> bool {
    value.as_str().is_some_and(|text| text.len() > 2)
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn entries(value: &Value) -> impl Iterator<Item = (&String, &Value)> {
    value.as_object().into_iter().flatten()
}
