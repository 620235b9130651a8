//! Errors of uploads and images.

use crate::http::error::ApiError;
use crate::http::extract::body_unreadable;
use crate::platform::telemetry::log_limit;
use kith_images::ImageError;
use kith_storage::StorageError;

const NOT_UPLOADED: &str = "This image was not found among your uploads. Please upload it again.";

/// Builds the 404 error for an upload that is not the member's or no longer exists.
pub(super) fn not_uploaded() -> ApiError {
    ApiError::not_found("upload_not_found", NOT_UPLOADED)
}

/// Builds the field error for a URL that is not of the member's uploads.
pub(crate) fn not_own_upload(field: &'static str) -> ApiError {
    ApiError::invalid_field(field, NOT_UPLOADED)
}

pub(crate) fn not_an_image() -> ApiError {
    from_image_error(ImageError::NotAnImage)
}

pub(super) fn content_mismatch() -> ApiError {
    ApiError::precondition_failed(
        "upload_exists",
        "Another file was already sent to this upload URL. Please request a new one.",
    )
}

pub(super) fn expired() -> ApiError {
    ApiError::gone("upload_expired", "This upload URL has expired. Please request a new one.")
}

pub(super) fn too_large() -> ApiError {
    ApiError::too_large("image_too_large", "Images can be up to 10 MB.")
}

/// Builds the error for exceeding the quota of unposted uploads.
pub(super) fn quota_exceeded() -> ApiError {
    ApiError::conflict(
        "too_many_uploads",
        "You've reached the 200 MB limit for recent uploads. Space frees up within the hour for images you've posted, and within a day for the rest.",
    )
}

/// Builds the error for an image that cannot be decoded, as documented for all decoding errors.
pub(crate) fn bad_image() -> ApiError {
    from_image_error(ImageError::Broken)
}

pub(super) fn from_image_error(error: ImageError) -> ApiError {
    let sentence = error.to_string();
    match error {
        ImageError::TooLarge => too_large(),
        ImageError::NotAnImage => ApiError::unsupported("not_an_image", sentence),
        _ => ApiError::unprocessable("bad_image", sentence),
    }
}

/// Exports the counter with the value 0.
pub fn count_from_zero() {
    metrics::counter!("kith_storage_errors_total").absolute(0);
}

/// Maps a storage error to a response; an unavailable or full storage is a 503 and logged.
pub(super) fn from_storage_error(failure: StorageError) -> ApiError {
    match failure {
        StorageError::TooLarge => too_large(),
        StorageError::BodyAborted => body_unreadable(),
        failure => {
            metrics::counter!("kith_storage_errors_total").increment(1);
            if log_limit::allow("no_storage") {
                tracing::error!(%failure, "the image store failed");
            }
            ApiError::unavailable()
        }
    }
}
