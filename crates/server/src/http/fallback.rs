//! Errors of unknown routes, and the redirect to the login dialog.

use crate::http::error::ApiError;
use axum::response::Redirect;

/// Builds the 404 error for an unknown API route, or one hidden from the viewer.
pub(crate) fn route_not_found() -> ApiError {
    ApiError::not_found("no_such_call", "This endpoint doesn't exist.")
}

/// Redirects the browser to the login dialog. For use in links, not for API clients.
#[utoipa::path(get, path = "/api/login", operation_id = "openLogin", tag = "auth", security(()),
    responses((status = 303, description = "Redirect to the page with the login dialog", headers(("Location")))))]
pub async fn open_login() -> Redirect {
    Redirect::to("/?login=1")
}

/// Responds with 405 to a known path with another method.
pub async fn method_not_allowed() -> ApiError {
    ApiError::method_not_allowed("This URL does not support that method.", "")
}
