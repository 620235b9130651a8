//! Completes operations by their method, path, parameters and body.

use super::errors::{Refusal, Shared};
use super::{Object, fields, reference, schemas};
use serde_json::{Value, json};

pub(super) fn complete(
    method: &str,
    path: &str,
    call: &mut Object,
    shapes: &Object,
    shared: &mut Shared,
) {
    tell_summary(call);
    let visitors = for_visitors(call);
    for parameter in list(call, "parameters") {
        complete_parameter(parameter, path);
    }
    let body = complete_body(call, shapes);
    let refusals = refusals(method, path, call, visitors, body.as_ref());
    let largest = largest_page(call, shared.features.max_sessions);
    let Some(answers) = call.get_mut("responses").and_then(Value::as_object_mut) else {
        return;
    };
    for answer in answers.values_mut() {
        complete_answer(answer, shapes, &largest);
    }
    shared.add(answers, &refusals);
}

/// Sets the summary to the first sentence of a handler's comment, and the description to all of it.
fn tell_summary(call: &mut Object) {
    let text = |name: &str| call.get(name).and_then(Value::as_str).unwrap_or_default();
    let whole = format!("{}\n\n{}", text("summary"), text("description"));
    let whole = whole.trim().to_owned();
    let paragraph = whole.split("\n\n").next().unwrap_or_default();
    let paragraph = paragraph.replace('\n', " ");
    let summary = match paragraph.split_once(". ") {
        Some((first, _)) => format!("{first}."),
        None => paragraph,
    };
    call.insert("summary".to_owned(), summary.into());
    call.insert("description".to_owned(), whole.into());
}

/// Returns whether an operation needs no session: `security(())`, which utoipa writes as `[{}]`.
fn for_visitors(call: &mut Object) -> bool {
    let visitors = call.get("security") == Some(&json!([{}]));
    if visitors {
        call.insert("security".to_owned(), json!([]));
    }
    visitors
}

fn complete_parameter(parameter: &mut Value, path: &str) {
    let name = parameter["name"].as_str().unwrap_or_default().to_owned();
    if parameter["description"].is_null()
        && let Some(description) = fields::describe_parameter(&name, path)
    {
        parameter["description"] = description.into();
    }
    // Paths, queries and headers cannot express null.
    schemas::refuse_null(&mut parameter["schema"]);
    fields::complete(&name, &mut parameter["schema"]);
}

/// Completes the JSON body of an operation and returns its schema, if there is one.
fn complete_body(call: &mut Object, shapes: &Object) -> Option<Value> {
    let body = call.get_mut("requestBody")?;
    body["content"].get("application/json")?;
    // utoipa describes an optional body as nullable.
    if let Some(schema) = schemas::without_null(&body["content"]["application/json"]["schema"]) {
        body["content"]["application/json"]["schema"] = schema;
        body["required"] = false.into();
    }
    let content = &mut body["content"]["application/json"];
    let shape = schemas::resolve(&content["schema"], shapes).clone();
    body["description"] = shape["description"].clone();
    let content = &mut body["content"]["application/json"];
    if content["examples"].is_null() {
        let examples = shape["examples"].as_array().into_iter().flatten();
        let named = examples.enumerate().map(|(at, value)| {
            let name = format!("example{}", at + 1);
            (name, json!({"value": value}))
        });
        content["examples"] = Value::Object(named.collect());
    }
    Some(shape)
}

/// Returns the maximum of `limit`, or `otherwise` for a list without pages.
fn largest_page(call: &mut Object, otherwise: u32) -> Value {
    let mut parameters = list(call, "parameters");
    let limit = parameters.find(|parameter| parameter["name"] == "limit");
    limit.map_or(json!(otherwise), |limit| limit["schema"]["maximum"].clone())
}

fn complete_answer(answer: &mut Value, shapes: &Object, largest: &Value) {
    let named = answer["headers"].as_object().map(|headers| {
        let component = |name: &String| reference("headers", &name.replace('-', ""));
        let headers = headers.keys().map(|name| (name.clone(), component(name)));
        headers.collect::<Object>()
    });
    let mut headers = named.unwrap_or_default();
    headers.insert("x-request-id".to_owned(), reference("headers", "RequestId"));
    answer["headers"] = headers.into();
    if let Some(content) = answer["content"].get_mut("application/json") {
        let schema = &mut content["schema"];
        let mut said = schemas::resolve(schema, shapes)["description"].clone();
        if schema["type"] == "array" {
            if schema["maxItems"].is_null() {
                schema["maxItems"] = largest.clone();
            }
            schema["examples"] = json!([schemas::example(schema, shapes)]);
            let row = &schemas::resolve(&schema["items"], shapes)["description"];
            said = format!("A list. Each: {}", row.as_str().unwrap_or_default()).into();
        }
        if answer["description"].as_str().is_none_or(str::is_empty) {
            answer["description"] = said;
        }
    }
    schemas::drop_nulls(answer);
}

fn refusals(
    method: &str,
    path: &str,
    call: &mut Object,
    visitors: bool,
    body: Option<&Value>,
) -> Vec<Refusal> {
    let named = |call: &mut Object, place: &str| {
        let parameters = list(call, "parameters").filter(|one| one["in"] == place);
        parameters
            .filter_map(|one| one["name"].as_str().map(str::to_owned))
            .collect::<Vec<_>>()
    };
    let (in_path, in_query) = (named(call, "path"), named(call, "query"));
    let mut all = vec![Refusal::Internal, Refusal::Unavailable];
    if let Some(body) = body {
        all.extend([Refusal::BadJson, Refusal::TooLarge, Refusal::NotJson]);
        if !body["properties"]["email"].is_null() {
            all.extend([Refusal::EmailMissing, Refusal::EmailInvalid]);
        } else if call["responses"]["422"].is_null() {
            all.push(Refusal::ContentInvalid);
        }
    }
    if !in_query.is_empty() {
        all.push(Refusal::BadQuery);
    }
    if in_query.iter().any(|name| name == "limit") {
        all.push(Refusal::BadPage);
    }
    if !in_path.is_empty() {
        all.push(Refusal::BadAddress);
        if call["responses"]["404"].is_null() {
            all.extend(unknown(path, &in_path));
        }
    }
    if method != "get" {
        all.push(Refusal::CrossSite);
    }
    if !visitors {
        all.extend([
            Refusal::Unauthorized,
            Refusal::SessionEnded,
            Refusal::SessionSuspended,
        ]);
    }
    // Visitor operations without input are not rate-limited.
    if !visitors || body.is_some() || !in_query.is_empty() {
        all.push(Refusal::TooMany);
    }
    all
}

/// Returns the 404 errors of an operation by its path parameters.
fn unknown(path: &str, parameters: &[String]) -> Vec<Refusal> {
    let member = |name: &String| name == "username" || name == "userId";
    if parameters.iter().any(member) {
        vec![Refusal::UserNotFound]
    } else if path.starts_with("/api/posts/") {
        vec![Refusal::PostNotFound]
    } else if path.starts_with("/api/notifications/") {
        vec![Refusal::NotificationNotFound]
    } else {
        let any = [
            Refusal::PostNotFound,
            Refusal::UserNotFound,
            Refusal::NotificationNotFound,
        ];
        any.to_vec()
    }
}

fn list<'a>(call: &'a mut Object, name: &str) -> impl Iterator<Item = &'a mut Value> {
    let values = call.get_mut(name).and_then(Value::as_array_mut);
    values.into_iter().flatten()
}
