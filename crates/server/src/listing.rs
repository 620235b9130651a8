//! A page of a list and the address of the next one.

use axum::Json;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

/// A bare array, with a `Link` header while more may follow.
#[derive(Debug)]
pub struct Listing<T> {
    rows: Vec<T>,
    next: Option<String>,
}

impl<T> Listing<T> {
    /// A page of the list at `path`, which ends with the sign that its next parameter needs
    /// (`?` or `&`). The next page begins at `cursor`.
    pub(crate) fn new(
        rows: Vec<T>,
        path: &str,
        limit: usize,
        cursor: Option<impl std::fmt::Display>,
    ) -> Self {
        Self {
            rows,
            next: cursor
                .map(|cursor| format!("<{path}limit={limit}&cursor={cursor}>; rel=\"next\"")),
        }
    }
}

impl<T: Serialize> IntoResponse for Listing<T> {
    fn into_response(self) -> Response {
        let mut response = Json(self.rows).into_response();
        if let Some(link) = self.next.and_then(|next| HeaderValue::try_from(next).ok()) {
            response.headers_mut().insert(header::LINK, link);
        }
        response
    }
}
