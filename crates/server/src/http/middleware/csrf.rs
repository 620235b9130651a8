//! Rejects cross-site writes (CSRF).

use crate::http::error::ApiError;
use axum::response::{IntoResponse as _, Response};
use tower_http::csrf::{CsrfLayer, ProtectionError};

/// Builds the layer that rejects unsafe requests sent by pages of other sites.
pub(crate) fn csrf_layer(
    origin: &str,
) -> CsrfLayer<impl Fn(ProtectionError) -> Response + Clone + use<>> {
    // A proxy may change `Host`, so the public URL is trusted explicitly.
    let layer = CsrfLayer::new().add_trusted_origin(origin);
    layer.unwrap_or_default().with_rejection_response(|_| cross_site_error().into_response())
}

pub(crate) fn cross_site_error() -> ApiError {
    ApiError::forbidden("cross_site", "This request came from another site and was rejected.")
}
