//! Serves the web app for paths that are not API routes, and the errors of unknown routes.

use crate::http::error::ApiError;
use crate::http::{cookies, static_assets};
use crate::platform::Platform;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri};
use axum::response::{IntoResponse, Redirect, Response};

/// Path to which an installed app shares, as in `web/public/manifest.webmanifest`.
const SHARE_TARGET: &str = "share";

/// Response header of a page that the scripts of the page can read.
const SERVER_TIMING: HeaderName = HeaderName::from_static("server-timing");

/// Serves a file of the web app, or its index page, which routes on the client.
pub async fn fallback(
    State(platform): State<Platform>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
) -> Response {
    let path = uri.path().trim_start_matches('/');
    if path == "api" || path.starts_with("api/") {
        return route_not_found().into_response();
    }
    // The app's service worker keeps what is shared. Without one, the page asks to share it again.
    if path == SHARE_TARGET && method == Method::POST {
        return Redirect::to("/?share=failed").into_response();
    }
    if !matches!(method, Method::GET | Method::HEAD) {
        return ApiError::method_not_allowed("Pages can only be read.", "GET,HEAD").into_response();
    }
    if let Some(file) = static_assets::serve_file(path, &method, &headers) {
        return file;
    }
    // Do not serve the index page here: the images' CSP blocks its scripts.
    if ["assets/", "images/", "media/"].iter().any(|files| path.starts_with(files)) {
        return (StatusCode::NOT_FOUND, "There is no such file.").into_response();
    }
    let Some(mut page) = static_assets::serve_file(static_assets::INDEX, &method, &headers) else {
        let text = "The web app is not part of this build: run `cargo xtask run`.";
        return (StatusCode::SERVICE_UNAVAILABLE, text).into_response();
    };
    // Scripts cannot read the cookie, so this header announces a session. Its validity is not checked.
    if cookies::value(&headers, cookies::session_name(&platform)).is_some() {
        let entry = HeaderValue::from_static("session");
        page.headers_mut().insert(SERVER_TIMING, entry);
    }
    page
}

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
