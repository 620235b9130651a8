//! The sentences with which images are refused.

use crate::http::error::ApiError;
use crate::http::extract::body_unreadable;
use crate::platform::telemetry::log_limit;
use kith_images::ImageError;
use kith_storage::StorageError;

const NOT_UPLOADED: &str = "This image was not found among your uploads. Please upload it again.";

/// Nothing that this member uploaded, or nothing any more.
pub(super) fn not_uploaded() -> ApiError {
    ApiError::not_found("upload_not_found", NOT_UPLOADED)
}

/// The same of an address in a field.
pub(crate) fn not_mine(field: &'static str) -> ApiError {
    ApiError::invalid(field, NOT_UPLOADED)
}

pub(crate) fn not_an_image() -> ApiError {
    refused(ImageError::NotAnImage)
}

pub(super) fn other_content() -> ApiError {
    ApiError::precondition_failed(
        "upload_exists",
        "Another file was already sent to this address. Please ask for a new one.",
    )
}

pub(super) fn expired() -> ApiError {
    ApiError::gone(
        "upload_expired",
        "This upload address has expired. Please ask for a new one.",
    )
}

pub(super) fn too_large() -> ApiError {
    ApiError::too_large("image_too_large", "Images can be up to 10 MB.")
}

/// More bytes wait to be posted than a member may leave here.
pub(super) fn too_much() -> ApiError {
    ApiError::conflict(
        "too_many_uploads",
        "You've reached the 200 MB limit for recent uploads. Space frees up within the hour for images you've posted, and within a day for the rest.",
    )
}

/// A damaged one stands for all that cannot be shown.
pub(crate) fn bad_image() -> ApiError {
    refused(ImageError::Broken)
}

pub(super) fn refused(why: ImageError) -> ApiError {
    let sentence = why.to_string();
    match why {
        ImageError::TooLarge => too_large(),
        ImageError::NotAnImage => ApiError::unsupported("not_an_image", sentence),
        _ => ApiError::unprocessable("bad_image", sentence),
    }
}

/// A store that is full or away is no fault of the member's.
pub(super) fn failed(failure: StorageError) -> ApiError {
    match failure {
        StorageError::TooLarge => too_large(),
        StorageError::BodyAborted => body_unreadable(),
        failure => {
            if log_limit::allow("no_storage") {
                tracing::error!(%failure, "the image store failed");
            }
            ApiError::unavailable()
        }
    }
}
