//! Builds the OpenAPI document from the handlers' annotations and the rules that hold for all operations.
//!
//! `schemas` completes the schemas, `operations` the parameters and responses, `errors` the shared errors.

mod errors;
mod fields;
mod operations;
mod schemas;

pub use errors::FeatureErrors;
pub(crate) use errors::{Responses, documented_errors, error_responses};

use serde::Serialize;
use serde_json::{Map, Value, json};
use utoipa::OpenApi;

type Object = Map<String, Value>;

/// Head of the OpenAPI document; the router adds the operations.
#[derive(Debug, OpenApi)]
#[openapi(
    info(
        title = "Kith",
        description = "The human network: the API of an invite-only social network for short posts.\n\n\
            Log in by a mailed link; the session is a cookie. Every refusal is `{message, code}` with a \
            fitting status: `message` is for a person, `code` for a program.\n\n\
            Unknown fields of a body and unknown names in a query are ignored. An optional field may be \
            absent or null. Ids are opaque strings; one that names nothing is answered 404. Lengths of \
            texts in these schemas are in code points, as JSON Schema counts, and are bounds of what is \
            sent; where a rule counts characters as people do, its description says so.",
        license(name = "MIT", identifier = "MIT"),
    ),
    servers((url = "/", description = "The server that this description comes from")),
    tags(
        (name = "auth", description = "Logging in by a mailed link, and out; who I am"),
        (name = "account", description = "My address, a copy of everything I have, and leaving"),
        (name = "waitlist", description = "Asking to be told when it is one's turn, and vouching for who did"),
        (name = "posts", description = "Posts, replies, reposts, polls, and what members do with them"),
        (name = "feeds", description = "Lists of posts by many authors"),
        (name = "users", description = "Members, their profiles and their posts"),
        (name = "hashtags", description = "Posts by hashtag, and what is talked about"),
        (name = "follows", description = "Who follows whom"),
        (name = "safety", description = "Whom a member blocked or muted"),
        (name = "notifications", description = "What others did that concerns me"),
        (name = "invites", description = "Codes with which members let friends in"),
        (name = "images", description = "Sending files, and the images that are made of them"),
        (name = "moderation", description = "Reporting, and what moderators and admins do"),
        (name = "description", description = "This document"),
    ),
    components(schemas(crate::http::error::ErrorBody))
)]
pub struct Api;

/// OpenAPI document with its sections in reading order.
#[derive(Serialize)]
struct Document {
    openapi: Value,
    info: Value,
    servers: Value,
    security: Value,
    tags: Value,
    paths: Value,
    components: Value,
}

/// Completes the generated document and returns it as JSON.
///
/// # Panics
/// Never: plain values always serialize.
#[must_use]
pub fn complete(generated: &utoipa::openapi::OpenApi, features: FeatureErrors) -> String {
    let mut generated = serde_json::to_value(generated).unwrap_or_else(|error| panic!("{error}"));
    let mut paths = object(generated["paths"].take());
    let mut schemas = object(generated["components"]["schemas"].take());
    schemas::complete(&mut schemas, &paths);
    let mut shared = errors::Shared::new(features);
    for (path, operations) in &mut paths {
        for (method, operation) in operations.as_object_mut().into_iter().flatten() {
            if let Some(operation) = operation.as_object_mut() {
                operations::complete(method, path, operation, &schemas, &mut shared);
            }
        }
    }
    let document = Document {
        openapi: generated["openapi"].take(),
        info: generated["info"].take(),
        servers: generated["servers"].take(),
        // Operations need a session unless they say otherwise.
        security: json!([{"session": []}, {"hostSession": []}]),
        tags: generated["tags"].take(),
        paths: paths.into(),
        components: json!({
            "schemas": schemas,
            "responses": shared.responses,
            "examples": shared.examples,
            "headers": headers(),
            "securitySchemes": security_schemes(),
        }),
    };
    let mut text =
        serde_json::to_string_pretty(&document).unwrap_or_else(|error| panic!("{error}"));
    text.push('\n');
    text
}

/// Describes the session cookies of http and https; browsers accept the prefix on https only.
fn security_schemes() -> Value {
    let scheme = |name: &str, when: &str| {
        json!({
            "type": "apiKey", "in": "cookie", "name": name,
            "description": format!("The session {when}. Verifying a link or a code sets it; it ends 14 days after its last use and 30 days after login."),
        })
    };
    json!({
        "session": scheme(crate::http::cookies::SESSION, "on http"),
        "hostSession": scheme(crate::http::cookies::HOST_SESSION, "on https"),
    })
}

fn headers() -> Value {
    let page = "</api/posts/feed?limit=20&cursor=247513998712340480>; rel=\"next\"";
    json!({
        "RequestId": {
            "description": "The id of the request's log lines.",
            "required": true,
            "schema": {"type": "string", "minLength": 1, "maxLength": 19, "pattern": "^[0-9]+$", "examples": [crate::platform::ids::EXAMPLE]},
        },
        "RetryAfter": {
            "description": "Seconds until it is worth trying again.",
            "required": true,
            "schema": {"type": "integer", "format": "int64", "minimum": 1, "examples": [2]},
        },
        "Link": {
            "description": "The address of the next page, while there may be one.",
            "schema": {"type": "string", "minLength": 1, "maxLength": 2_400, "pattern": "^<[^>]+>; rel=\"next\"$", "examples": [page]},
        },
        "Location": {
            "description": "Where to go.",
            "required": true,
            "schema": {"type": "string", "format": "uri-reference", "minLength": 1, "maxLength": 200, "examples": ["/?login=1"]},
        },
        "SetCookie": {
            "description": "The session, the proof that this browser asked for a link, or the end of either.",
            "schema": {"type": "string", "minLength": 1, "maxLength": 200, "examples": ["session=…; HttpOnly; SameSite=Lax; Path=/; Max-Age=2592000"]},
        },
        "ClearSiteData": {
            "description": "Tells the browser to forget cached answers.",
            "schema": {"type": "string", "const": "\"cache\"", "examples": ["\"cache\""]},
        },
    })
}

/// Returns the object of a value, or an empty one.
fn object(value: Value) -> Object {
    match value {
        Value::Object(object) => object,
        _ => Object::new(),
    }
}

fn reference(kind: &str, name: &str) -> Value {
    json!({"$ref": format!("#/components/{kind}/{name}")})
}
