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
        description = "The human network: HTTP API of an invite-only social network for short posts.\n\n\
            Log in with an emailed link; the session is a cookie. Every error response has a matching \
            status and the body `{message, code}`: `message` is for members, `code` for programs.\n\n\
            Unknown body fields and query parameters are ignored. Optional fields may be absent or null. \
            Ids are opaque strings; an id that does not exist results in a 404 response. Text lengths in \
            the schemas are counted in code points, as in JSON Schema, and limit the text as sent. Limits \
            in characters (grapheme clusters) are stated in the description of the field.",
        license(name = "MIT", identifier = "MIT"),
    ),
    servers((url = "/", description = "The server of this document")),
    tags(
        (name = "auth", description = "Login by emailed link, logout, sessions and the authenticated member"),
        (name = "account", description = "Email address, data export and account deletion"),
        (name = "waitlist", description = "Waitlist and vouches for applicants"),
        (name = "posts", description = "Posts, replies, reposts, polls, likes and votes"),
        (name = "feeds", description = "Timelines with posts by many authors"),
        (name = "users", description = "Members, profiles and posts by member"),
        (name = "hashtags", description = "Posts by hashtag, and trending hashtags"),
        (name = "follows", description = "Follows between members"),
        (name = "safety", description = "Blocks and mutes"),
        (name = "notifications", description = "Notifications of actions by other members"),
        (name = "events", description = "Live updates"),
        (name = "invites", description = "Invite codes"),
        (name = "images", description = "File uploads and the images made from them"),
        (name = "moderation", description = "Reports and the actions of moderators and admins"),
        (name = "site", description = "Name and texts of the network"),
        (name = "description", description = "The OpenAPI document"),
        (name = "diagnostics", description = "Errors of the web app"),
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
    let mut shared = errors::SharedComponents::new(features);
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
            "description": format!("Session cookie {when}, set by a login with a link or code. Expires 14 days after the last use and 30 days after login."),
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
            "description": "Id of the request in the server's log.",
            "required": true,
            "schema": {"type": "string", "minLength": 1, "maxLength": 19, "pattern": "^[0-9]+$", "examples": [crate::platform::ids::EXAMPLE]},
        },
        "RetryAfter": {
            "description": "Seconds to wait before retrying.",
            "required": true,
            "schema": {"type": "integer", "format": "int64", "minimum": 1, "examples": [2]},
        },
        "Link": {
            "description": "URL of the next page; absent on the last page.",
            "schema": {"type": "string", "minLength": 1, "maxLength": 2_400, "pattern": "^<[^>]+>; rel=\"next\"$", "examples": [page]},
        },
        "Location": {
            "description": "Redirect target.",
            "required": true,
            "schema": {"type": "string", "format": "uri-reference", "minLength": 1, "maxLength": 200, "examples": ["/?login=1"]},
        },
        "SetCookie": {
            "description": "Sets or clears the session cookie or the cookie of the browser that requested a link.",
            "schema": {"type": "string", "minLength": 1, "maxLength": 200, "examples": ["session=…; HttpOnly; SameSite=Lax; Path=/; Max-Age=2592000"]},
        },
        "ClearSiteData": {
            "description": "Clears the browser's cache.",
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
