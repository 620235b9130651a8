//! The published description says everything, of calls that nobody has thought of here, too.

mod calls;
mod fitting;
mod published;
mod schemas;

use serde_json::Value;

/// The description, as `GET /api/openapi.json` answers it.
struct Description(Value);

impl Description {
    fn read() -> Self {
        Self(serde_json::from_str(&kith::router::openapi()).unwrap())
    }

    /// What a reference leads to; anything else is itself.
    fn resolve<'a>(&'a self, value: &'a Value) -> &'a Value {
        match value["$ref"].as_str() {
            Some(path) => {
                let found = self.0.pointer(path.trim_start_matches('#'));
                self.resolve(found.unwrap_or_else(|| panic!("{path} leads nowhere")))
            }
            None => value,
        }
    }

    /// Every call as its name (`GET /api/posts/feed`) and what is said of it.
    fn calls(&self) -> Vec<(String, &Value)> {
        let paths = self.0["paths"].as_object().unwrap();
        let calls = paths.iter().flat_map(|(path, methods)| {
            let methods = methods.as_object().unwrap().iter();
            methods.map(move |(method, call)| (format!("{} {path}", method.to_uppercase()), call))
        });
        calls.collect()
    }

    /// Every named schema.
    fn schemas(&self) -> impl Iterator<Item = (&String, &Value)> {
        self.0["components"]["schemas"].as_object().unwrap().iter()
    }
}

/// Whether there is a text, and it says something.
fn told(value: &Value) -> bool {
    value.as_str().is_some_and(|text| text.len() > 2)
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn entries(value: &Value) -> impl Iterator<Item = (&String, &Value)> {
    value.as_object().into_iter().flatten()
}
