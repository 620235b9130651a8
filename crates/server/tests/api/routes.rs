//! All operations of the OpenAPI document, so that table tests include new ones.

use serde_json::Value;

/// An operation: a method of a path.
#[derive(Debug, Clone)]
pub(crate) struct Call {
    /// In capitals.
    pub(crate) method: String,
    /// Path template with `{names}` as parameters.
    pub(crate) path: String,
    /// Fields of the JSON body; `None` without a body.
    pub(crate) body: Option<Vec<String>>,
    /// Names of query parameters.
    pub(crate) query: Vec<String>,
}

/// All operations in the server's OpenAPI document.
pub(crate) fn all() -> Vec<Call> {
    let api: Value = serde_json::from_str(&kith::router::openapi()).unwrap();
    let paths = api["paths"].as_object().unwrap();
    let api = &api;
    let calls = paths.iter().flat_map(|(path, methods)| {
        let methods = methods.as_object().unwrap().iter();
        methods.map(move |(method, call)| Call {
            method: method.to_uppercase(),
            path: path.clone(),
            body: fields_of_body(api, call),
            query: names_in_query(call),
        })
    });
    let calls = calls.collect::<Vec<_>>();
    assert!(calls.len() > 20, "the description lists every endpoint");
    calls
}

fn fields_of_body(api: &Value, call: &Value) -> Option<Vec<String>> {
    let schema = call["requestBody"]["content"]["application/json"]["schema"]["$ref"].as_str()?;
    let properties = api.pointer(&format!("{}/properties", schema.trim_start_matches('#')))?;
    Some(properties.as_object().unwrap().keys().cloned().collect())
}

fn names_in_query(call: &Value) -> Vec<String> {
    let parameters = call["parameters"].as_array().cloned().unwrap_or_default();
    let of_query = parameters.iter().filter(|parameter| parameter["in"] == "query");
    of_query.map(|parameter| parameter["name"].as_str().unwrap().to_owned()).collect()
}

impl Call {
    /// Whether the operation requires a session.
    pub(crate) fn is_for_members(&self) -> bool {
        !matches!(
            self.path.as_str(),
            "/api/auth/request-magic-link"
                | "/api/auth/request-login-link"
                | "/api/auth/verify"
                | "/api/auth/verify-code"
                | "/api/account/email/confirm"
                | "/api/waitlist"
                | "/api/client-errors"
                | "/api/digest/unsubscribe"
                | "/api/moderation-notices/by-link"
                | "/api/moderation-notices/by-link/objection"
                | "/api/login"
                | "/api/openapi.json"
                | "/api/objects/{id}"
                | "/api/site"
                | "/api/site/pages/{page}"
        )
    }

    /// Whether the operation writes.
    pub(crate) fn writes(&self) -> bool {
        self.method != "GET"
    }

    /// The path with one text for each parameter; `None` without parameters.
    pub(crate) fn path_with(&self, text: &str) -> Option<String> {
        let (start, rest) = self.path.split_once('{')?;
        let (_, end) = rest.split_once('}').unwrap();
        Some(format!("{start}{text}{end}"))
    }

    /// A path whose ids name no row.
    pub(crate) fn nowhere(&self) -> String {
        self.path_with("1").unwrap_or_else(|| self.path.clone())
    }
}
