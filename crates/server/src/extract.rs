//! Readers of a request's parts whose refusals are sentences.

use crate::error::{ApiError, Result};
use axum::body::Bytes;
use axum::extract::rejection::{BytesRejection, FailedToBufferBody};
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::header::CONTENT_TYPE;
use axum::http::request::Parts;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use utoipa::IntoParams;

/// The largest JSON body, in bytes.
pub const JSON_LIMIT: usize = 64 * 1024;

/// A JSON body: `application/json`, at most [`JSON_LIMIT`] bytes, unknown fields ignored.
#[derive(Debug)]
pub struct Body<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Body<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<Self> {
        let json = request
            .headers()
            .get(CONTENT_TYPE)
            .and_then(|value| value.to_str().ok())
            .and_then(|value| value.split(';').next())
            .is_some_and(|mime| mime.trim().eq_ignore_ascii_case("application/json"));
        if !json {
            return Err(ApiError::unsupported(
                "not_json",
                "Send the request as application/json.",
            ));
        }
        let bytes =
            Bytes::from_request(request, state)
                .await
                .map_err(|rejection| match rejection {
                    BytesRejection::FailedToBufferBody(FailedToBufferBody::LengthLimitError(_)) => {
                        ApiError::too_large("body_too_large", "The request is larger than 64 KiB.")
                    }
                    _ => ApiError::malformed(
                        "body_unreadable",
                        "The request's body could not be read.",
                    ),
                })?;
        read_json(&bytes).map(Self)
    }
}

fn read_json<T: DeserializeOwned>(bytes: &[u8]) -> Result<T> {
    serde_json::from_slice(bytes).map_err(|error| {
        let message = match error.classify() {
            // serde's own words name the field and the type, both from our contract.
            serde_json::error::Category::Data => {
                format!("The request does not fit this call: {error}.")
            }
            _ => "The request is not valid JSON.".to_owned(),
        };
        ApiError::malformed("bad_json", message)
    })
}

/// The query string.
#[derive(Debug)]
pub struct Query<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Query<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self> {
        axum::extract::Query::try_from_uri(&parts.uri)
            .map(|axum::extract::Query(value)| Self(value))
            .map_err(|error| {
                ApiError::malformed(
                    "bad_query",
                    format!(
                        "The address's query does not fit this call: {}.",
                        error.body_text()
                    ),
                )
            })
    }
}

/// The parameters inside the address.
#[derive(Debug)]
pub struct Path<T>(pub T);

impl<T: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for Path<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self> {
        axum::extract::Path::from_request_parts(parts, state)
            .await
            .map(|axum::extract::Path(value)| Self(value))
            .map_err(|_| ApiError::malformed("bad_address", "This address cannot be read."))
    }
}

/// Which part of a list is asked for, as the client wrote it.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct PageQuery {
    /// How many rows, 1 to 50; when absent 20, of notifications and invites 50.
    #[param(minimum = 1, maximum = 50)]
    pub limit: Option<u32>,
    /// How many rows to skip.
    #[param(minimum = 0)]
    pub offset: Option<u32>,
    /// Where the last page ended: from the `Link` header.
    pub cursor: Option<String>,
}

/// Which part of a list is asked for, checked.
#[derive(Debug, Clone, Copy)]
pub struct Page {
    /// 1 to 50.
    pub limit: usize,
    /// Rows to skip.
    pub offset: usize,
    /// Only rows with a smaller id.
    pub before: i64,
}

/// Which part of a list that has no cursor is asked for.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct SliceQuery {
    /// How many rows, 1 to 50.
    #[param(minimum = 1, maximum = 50)]
    pub limit: Option<u32>,
    /// How many rows to skip.
    #[param(minimum = 0)]
    pub offset: Option<u32>,
}

impl SliceQuery {
    /// The limit and the offset, checked; `default` is the limit when none is given.
    pub fn bounds(&self, default: u32) -> Result<(usize, usize)> {
        let limit = self.limit.unwrap_or(default);
        if !(1..=50).contains(&limit) {
            return Err(ApiError::missing(
                "limit",
                "The limit must be between 1 and 50.",
            ));
        }
        Ok((limit as usize, self.offset.unwrap_or(0) as usize))
    }
}

impl PageQuery {
    /// The limit and the offset, checked; `default` is the limit when none is given.
    pub fn bounds(&self, default: u32) -> Result<(usize, usize)> {
        let slice = SliceQuery {
            limit: self.limit,
            offset: self.offset,
        };
        slice.bounds(default)
    }

    /// Checks the bounds; `default` is the limit when none is given.
    pub fn page(&self, default: u32) -> Result<Page> {
        let (limit, offset) = self.bounds(default)?;
        let before = match self.cursor.as_deref() {
            None => i64::MAX,
            Some(text) => match crate::ids::Id::parse(text).0 {
                0 => {
                    return Err(ApiError::missing(
                        "cursor",
                        "The cursor is not one that this list gave.",
                    ));
                }
                id => id,
            },
        };
        Ok(Page {
            limit,
            offset,
            before,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// proves: wire-limit
    #[test]
    fn bounds_of_a_page_are_kept() {
        let page = |limit, offset, cursor: Option<&str>| {
            PageQuery {
                limit,
                offset,
                cursor: cursor.map(str::to_owned),
            }
            .page(20)
        };
        assert_eq!(
            page(None, None, None).map(|page| (page.limit, page.before)),
            Ok((20, i64::MAX))
        );
        assert_eq!(
            page(Some(50), Some(3), Some("77")).map(|page| (page.offset, page.before)),
            Ok((3, 77))
        );
        for bad in [
            page(Some(0), None, None),
            page(Some(51), None, None),
            page(None, None, Some("x")),
        ] {
            assert!(bad.is_err());
        }
    }
}
