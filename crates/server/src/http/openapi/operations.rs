//! Completes operations by their method, path, parameters and body.

use super::errors::{DocumentedError, SharedComponents};
use super::{Object, fields, reference, schemas};
use serde_json::{Value, json};

pub(super) fn complete(
    method: &str,
    path: &str,
    operation: &mut Object,
    schemas: &Object,
    shared: &mut SharedComponents,
) {
    set_summary(operation);
    let is_public = normalize_security(operation);
    for parameter in list(operation, "parameters") {
        complete_parameter(parameter, path);
    }
    let body = complete_body(operation, schemas);
    let errors = list_errors(method, path, operation, is_public, body.as_ref());
    let max_items = largest_page(operation, shared.features.max_sessions);
    let Some(responses) = operation.get_mut("responses").and_then(Value::as_object_mut) else {
        return;
    };
    for response in responses.values_mut() {
        complete_response(response, schemas, &max_items);
    }
    shared.add(responses, &errors);
}

/// Sets the summary to the first sentence of a handler's comment, and the description to all of it.
fn set_summary(operation: &mut Object) {
    let text = |name: &str| operation.get(name).and_then(Value::as_str).unwrap_or_default();
    let whole = format!("{}\n\n{}", text("summary"), text("description"));
    let whole = whole.trim().to_owned();
    let paragraph = whole.split("\n\n").next().unwrap_or_default();
    let paragraph = paragraph.replace('\n', " ");
    let summary = match paragraph.split_once(". ") {
        Some((first, _)) => format!("{first}."),
        None => paragraph,
    };
    operation.insert("summary".to_owned(), summary.into());
    operation.insert("description".to_owned(), whole.into());
}

/// Replaces `[{}]`, as which utoipa writes `security(())`, by `[]`. Returns whether the operation needs no session.
fn normalize_security(operation: &mut Object) -> bool {
    let is_public = operation.get("security") == Some(&json!([{}]));
    if is_public {
        operation.insert("security".to_owned(), json!([]));
    }
    is_public
}

fn complete_parameter(parameter: &mut Value, path: &str) {
    let name = parameter["name"].as_str().unwrap_or_default().to_owned();
    if parameter["description"].is_null()
        && let Some(description) = fields::describe_parameter(&name, path)
    {
        parameter["description"] = description.into();
    }
    // Paths, queries and headers cannot express null.
    schemas::remove_null(&mut parameter["schema"]);
    fields::complete(&name, &mut parameter["schema"]);
}

/// Completes the JSON body of an operation and returns its schema, if there is one.
fn complete_body(operation: &mut Object, schemas: &Object) -> Option<Value> {
    let body = operation.get_mut("requestBody")?;
    body["content"].get("application/json")?;
    // utoipa describes an optional body as nullable.
    if let Some(schema) = schemas::without_null(&body["content"]["application/json"]["schema"]) {
        body["content"]["application/json"]["schema"] = schema;
        body["required"] = false.into();
    }
    let content = &mut body["content"]["application/json"];
    let schema = schemas::resolve(&content["schema"], schemas).clone();
    body["description"] = schema["description"].clone();
    let content = &mut body["content"]["application/json"];
    if content["examples"].is_null() {
        let examples = schema["examples"].as_array().into_iter().flatten();
        let named = examples.enumerate().map(|(index, value)| {
            let name = format!("example{}", index + 1);
            (name, json!({"value": value}))
        });
        content["examples"] = Value::Object(named.collect());
    }
    Some(schema)
}

/// Returns the maximum of `limit`; for a list without pages `x-max-items`, which is removed, or `default`.
fn largest_page(operation: &mut Object, default: u32) -> Value {
    if let Some(max_items) = operation.remove("x-max-items") {
        return max_items;
    }
    let mut parameters = list(operation, "parameters");
    let limit = parameters.find(|parameter| parameter["name"] == "limit");
    limit.map_or(json!(default), |limit| limit["schema"]["maximum"].clone())
}

fn complete_response(response: &mut Value, schemas: &Object, max_items: &Value) {
    let named = response["headers"].as_object().map(|headers| {
        let component = |name: &String| reference("headers", &name.replace('-', ""));
        let headers = headers.keys().map(|name| (name.clone(), component(name)));
        headers.collect::<Object>()
    });
    let mut headers = named.unwrap_or_default();
    headers.insert("x-request-id".to_owned(), reference("headers", "RequestId"));
    response["headers"] = headers.into();
    if let Some(content) = response["content"].get_mut("application/json") {
        let schema = &mut content["schema"];
        let mut description = schemas::resolve(schema, schemas)["description"].clone();
        if schema["type"] == "array" {
            if schema["maxItems"].is_null() {
                schema["maxItems"] = max_items.clone();
            }
            schema["examples"] = json!([schemas::example(schema, schemas)]);
            let row = &schemas::resolve(&schema["items"], schemas)["description"];
            description = format!("A list. Each item: {}", row.as_str().unwrap_or_default()).into();
        }
        if response["description"].as_str().is_none_or(str::is_empty) {
            response["description"] = description;
        }
    }
    schemas::drop_nulls(response);
}

fn list_errors(
    method: &str,
    path: &str,
    operation: &mut Object,
    is_public: bool,
    body: Option<&Value>,
) -> Vec<DocumentedError> {
    let parameter_names = |operation: &mut Object, location: &str| {
        let parameters =
            list(operation, "parameters").filter(|parameter| parameter["in"] == location);
        parameters
            .filter_map(|parameter| parameter["name"].as_str().map(str::to_owned))
            .collect::<Vec<_>>()
    };
    let (in_path, in_query) =
        (parameter_names(operation, "path"), parameter_names(operation, "query"));
    let mut errors = vec![DocumentedError::Internal, DocumentedError::Unavailable];
    if let Some(body) = body {
        errors.extend([
            DocumentedError::BadJson,
            DocumentedError::TooLarge,
            DocumentedError::NotJson,
        ]);
        if !body["properties"]["email"].is_null() {
            errors.extend([DocumentedError::EmailMissing, DocumentedError::EmailInvalid]);
        } else if operation["responses"]["422"].is_null() {
            errors.push(DocumentedError::ContentInvalid);
        }
    }
    if !in_query.is_empty() {
        errors.push(DocumentedError::BadQuery);
    }
    if in_query.iter().any(|name| name == "limit") {
        errors.push(DocumentedError::BadPage);
    }
    if !in_path.is_empty() {
        errors.push(DocumentedError::BadAddress);
        if operation["responses"]["404"].is_null() {
            errors.extend(not_found_errors(path, &in_path));
        }
    }
    if method != "get" {
        errors.push(DocumentedError::CrossSite);
    }
    if !is_public {
        errors.extend([
            DocumentedError::Unauthorized,
            DocumentedError::SessionEnded,
            DocumentedError::SessionSuspended,
        ]);
    }
    // Visitor operations without input are not rate-limited.
    if !is_public || body.is_some() || !in_query.is_empty() {
        errors.push(DocumentedError::TooMany);
    }
    errors
}

/// Returns the 404 errors of an operation by its path parameters.
fn not_found_errors(path: &str, parameters: &[String]) -> Vec<DocumentedError> {
    let is_member = |name: &String| name == "username" || name == "userId";
    if parameters.iter().any(is_member) {
        vec![DocumentedError::UserNotFound]
    } else if path.starts_with("/api/posts/") {
        vec![DocumentedError::PostNotFound]
    } else if path.starts_with("/api/notifications/") {
        vec![DocumentedError::NotificationNotFound]
    } else {
        let any = [
            DocumentedError::PostNotFound,
            DocumentedError::UserNotFound,
            DocumentedError::NotificationNotFound,
        ];
        any.to_vec()
    }
}

fn list<'a>(operation: &'a mut Object, name: &str) -> impl Iterator<Item = &'a mut Value> {
    let values = operation.get_mut(name).and_then(Value::as_array_mut);
    values.into_iter().flatten()
}
