//! Extractors for bodies, queries and paths with API errors, and parameters of pagination.

use crate::http::error::{ApiError, Result};
use crate::platform::crypto::SecretKey;
use axum::body::Bytes;
use axum::extract::rejection::{BytesRejection, FailedToBufferBody};
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::Uri;
use axum::http::header::CONTENT_TYPE;
use axum::http::request::Parts;
use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer};
use utoipa::IntoParams;

/// Maximum size of a JSON body, in bytes.
pub const JSON_LIMIT: usize = 64 * 1024;

/// Maximum rows that a request may skip by offset; cursors have no such limit.
pub const MAX_OFFSET: usize = 10_000;

pub(crate) fn offset_too_large() -> ApiError {
    let message = "This is too far down the list. Follow the URLs in the Link header instead.";
    ApiError::missing_field("offset", message)
}

/// Extracts a JSON body: `application/json`, at most [`JSON_LIMIT`] bytes, unknown fields ignored.
#[derive(Debug)]
pub struct Body<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Body<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<Self> {
        if !is_json(&request) {
            return Err(not_json());
        }
        read_json(&read_body(request, state).await?).map(Self)
    }
}

/// Extracts an optional JSON body.
#[derive(Debug)]
pub struct OptionalJson<T>(pub Option<T>);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for OptionalJson<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<Self> {
        let is_json = is_json(&request);
        match &*read_body(request, state).await? {
            [] => Ok(Self(None)),
            bytes if is_json => read_json(bytes).map(Some).map(Self),
            _ => Err(not_json()),
        }
    }
}

fn is_json(request: &Request) -> bool {
    request
        .headers()
        .get(CONTENT_TYPE)
        .and_then(|value| value.to_str().ok())
        .and_then(|value| value.split(';').next())
        .is_some_and(|mime| mime.trim().eq_ignore_ascii_case("application/json"))
}

async fn read_body<S: Send + Sync>(request: Request, state: &S) -> Result<Bytes> {
    let bytes = Bytes::from_request(request, state).await;
    bytes.map_err(|rejection| match rejection {
        BytesRejection::FailedToBufferBody(FailedToBufferBody::LengthLimitError(_)) => {
            body_too_large()
        }
        _ => body_unreadable(),
    })
}

pub(crate) fn body_unreadable() -> ApiError {
    let sentence = "The request's body could not be read.";
    ApiError::malformed("body_unreadable", sentence)
}

pub(crate) fn not_json() -> ApiError {
    ApiError::unsupported("not_json", "Send the request as application/json.")
}

pub(crate) fn body_too_large() -> ApiError {
    ApiError::too_large("body_too_large", "The request is too large.")
}

pub(crate) fn bad_path() -> ApiError {
    ApiError::malformed("bad_address", "This URL cannot be read.")
}

/// Truncates a library's error message, which may quote a long value.
fn truncate(text: &str) -> String {
    text.chars().take(300).collect()
}

/// Parses a JSON body; 400 if it is malformed.
pub(crate) fn read_json<T: DeserializeOwned>(bytes: &[u8]) -> Result<T> {
    // serde would accept an array of a struct's values as the struct.
    if bytes.trim_ascii_start().starts_with(b"[") {
        let message = "The request doesn't match this endpoint: expected an object, got a list.";
        return Err(ApiError::malformed("bad_json", message));
    }
    serde_json::from_slice(bytes).map_err(|error| {
        let message = match error.classify() {
            // serde's message names the field and the type, which are documented.
            serde_json::error::Category::Data => {
                let detail = truncate(&error.to_string());
                format!("The request doesn't match this endpoint: {detail}.")
            }
            _ => "The request is not valid JSON.".to_owned(),
        };
        ApiError::malformed("bad_json", message)
    })
}

/// Deserializes an optional nested object. An array is rejected, see [`read_json`].
pub(crate) fn deserialize_object<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: DeserializeOwned,
{
    let fields = Option::<serde_json::Map<String, serde_json::Value>>::deserialize(deserializer)?;
    let parse = |fields| serde_json::from_value(serde_json::Value::Object(fields));
    fields.map(parse).transpose().map_err(D::Error::custom)
}

/// Deserializes an optional integer. JSON does not distinguish `60.0` from `60`, so both are accepted.
pub(crate) fn deserialize_integer<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<i64>, D::Error> {
    let Some(number) = Option::<serde_json::Number>::deserialize(deserializer)? else {
        return Ok(None);
    };
    // Parse the digits, so that values over 64 bits and fractions are rejected.
    let text = number.to_string();
    let digits = text.strip_suffix(".0").unwrap_or(&text);
    let invalid = |_| D::Error::custom(format!("invalid number: {text}, expected a whole one"));
    digits.parse().map(Some).map_err(invalid)
}

/// Maximum bytes of a query string, nearly twice the longest valid one: it is parsed before rate limiting.
const MAX_QUERY: usize = 4 * 1024;

/// Extracts the query string.
#[derive(Debug)]
pub struct Query<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Query<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self> {
        Self::read(&parts.uri)
    }
}

impl<T: DeserializeOwned> Query<T> {
    pub(crate) fn read(uri: &Uri) -> Result<Self> {
        if uri.query().is_some_and(|query| query.len() > MAX_QUERY) {
            let message = "The query string is too long.";
            return Err(ApiError::malformed("bad_query", message));
        }
        axum::extract::Query::try_from_uri(uri)
            .map(|axum::extract::Query(value)| Self(value))
            .map_err(|error| {
                let detail = truncate(&error.body_text());
                let message = format!("The query string doesn't match this endpoint: {detail}.");
                ApiError::malformed("bad_query", message)
            })
    }
}

/// Extracts the path parameters.
#[derive(Debug)]
pub struct Path<T>(pub T);

impl<T: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for Path<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self> {
        axum::extract::Path::from_request_parts(parts, state)
            .await
            .map(|axum::extract::Path(value)| Self(value))
            .map_err(|_| bad_path())
    }
}

/// Pagination parameters of a list, as sent by the client.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct PageQuery {
    /// Number of items per page, 1 to 50. Defaults to 50 for notifications, invites, the waitlist, vouches and
    /// the audit log, and to 20 for other lists.
    #[param(minimum = 1, maximum = 50, example = 20)]
    pub limit: Option<u32>,
    /// Number of items to skip from the start of the list. An offset over 10,000 is an error if the list is
    /// longer.
    #[param(value_type = Option<i64>, minimum = 0, maximum = 4_294_967_295_i64, example = 0)]
    pub offset: Option<u32>,
    /// Cursor of the next page, from the `Link` header of the previous response.
    #[param(
        min_length = 1,
        max_length = 19,
        pattern = "^[1-9][0-9]*$",
        example = "247513998712340480"
    )]
    pub cursor: Option<String>,
}

/// Validated pagination of a list.
#[derive(Debug, Clone, Copy)]
pub struct Page {
    /// Page size, 1 to 50.
    pub limit: usize,
    /// Rows to skip.
    pub offset: usize,
    /// Keyset cursor: only rows with a smaller id.
    pub before: i64,
}

impl Page {
    /// Returns the rows that a statement skips, capped at the maximum.
    /// [`crate::http::pagination::check_offset`] rejects deeper offsets with rows.
    #[must_use]
    pub fn statement_offset(self) -> usize {
        self.offset.min(MAX_OFFSET)
    }
}

/// Limit and offset of a list without the standard cursor, as sent by the client.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct OffsetQuery {
    /// Number of items per page, 1 to 50. Defaults to 10 for suggestions and to 20 for other lists.
    #[param(minimum = 1, maximum = 50, example = 20)]
    pub limit: Option<u32>,
    /// Number of items to skip from the start of the list. An offset over 10,000 is an error if the list is
    /// longer.
    #[param(value_type = Option<i64>, minimum = 0, maximum = 4_294_967_295_i64, example = 0)]
    pub offset: Option<u32>,
}

impl OffsetQuery {
    /// Validates limit and offset; `default` is the limit if absent. 400 if the limit is not 1 to 50.
    pub fn bounds(&self, default: u32) -> Result<(usize, usize)> {
        let limit = self.limit.unwrap_or(default);
        if !(1..=50).contains(&limit) {
            return Err(ApiError::missing_field("limit", "The limit must be between 1 and 50."));
        }
        Ok((limit as usize, self.offset.unwrap_or(0) as usize))
    }
}

impl PageQuery {
    /// Validates limit and offset; `default` is the limit if absent. 400 if the limit is not 1 to 50.
    pub fn bounds(&self, default: u32) -> Result<(usize, usize)> {
        let slice = OffsetQuery { limit: self.limit, offset: self.offset };
        slice.bounds(default)
    }

    /// Validates the parameters; `default` is the limit if absent. 400 if the limit or cursor is invalid.
    pub fn page(&self, default: u32) -> Result<Page> {
        let (limit, offset) = self.bounds(default)?;
        let before = match self.cursor.as_deref() {
            None => i64::MAX,
            Some(text) => match crate::platform::ids::Id::parse(text).0 {
                0 => return Err(bad_cursor()),
                id => id,
            },
        };
        Ok(Page { limit, offset, before })
    }
}

/// Query with an encrypted cursor, which does not disclose the time of other members' actions.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct OpaqueCursorQuery {
    /// Cursor of the next page, from the `Link` header of the previous response. Valid only for the same list.
    #[param(
        min_length = 1,
        max_length = 22,
        pattern = "^[A-Za-z0-9_-]+$",
        example = "q7b8Zt0mJ3dXo1vYxk5e2A"
    )]
    pub cursor: Option<String>,
}

impl OpaqueCursorQuery {
    /// Validates the parameters and decrypts the cursor, which is bound to `list`: its name and owner. 400 if the
    /// limit or cursor is invalid.
    pub fn page(&self, slice: &OffsetQuery, key: &SecretKey, list: (&str, i64)) -> Result<Page> {
        let (limit, offset) = slice.bounds(20)?;
        let before = match self.cursor.as_deref() {
            None => i64::MAX,
            Some(text) => key.decrypt_cursor(list, text).ok_or_else(bad_cursor)?,
        };
        Ok(Page { limit, offset, before })
    }
}

/// Builds the error for a cursor that the list has not issued.
pub(crate) fn bad_cursor() -> ApiError {
    ApiError::missing_field("cursor", "The cursor is not one that this list gave.")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// proves: wire-limit
    #[test]
    fn pages_outside_the_bounds_are_rejected() {
        let page = |limit, offset, cursor: Option<&str>| {
            PageQuery { limit, offset, cursor: cursor.map(str::to_owned) }.page(20)
        };
        assert_eq!(
            page(None, None, None).map(|page| (page.limit, page.before)),
            Ok((20, i64::MAX))
        );
        assert_eq!(
            page(Some(50), Some(3), Some("77")).map(|page| (page.offset, page.before)),
            Ok((3, 77))
        );
        for bad in
            [page(Some(0), None, None), page(Some(51), None, None), page(None, None, Some("x"))]
        {
            assert!(bad.is_err());
        }
    }
}
