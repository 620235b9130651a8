//! Errors of login links and codes.

use crate::features::auth::same_origin;
use crate::features::{invites, settings};
use crate::http::error::ApiError;
use crate::http::openapi::documented_errors;

documented_errors!(LinkErrors: missing_token(), invalid_link(), invites::used_up(), settings::registration_closed(), concurrent_sign_up(), link_expired(), link_used(), too_many_attempts(), member_suspended());
documented_errors!(BrowserErrors: same_origin::same_origin_error(), missing_token(), invalid_link(), wrong_browser(), invites::used_up(), settings::registration_closed(), concurrent_sign_up(), link_expired(), link_used(), too_many_attempts(), member_suspended());
documented_errors!(EmailErrors: wrong_email());
documented_errors!(CodeErrors: missing_code(), wrong_code(), invites::used_up(), settings::registration_closed(), concurrent_sign_up(), link_expired(), link_used(), too_many_attempts(), member_suspended());

pub(super) fn missing_token() -> ApiError {
    ApiError::missing_field("token", "No verification token found")
}

pub(super) fn missing_code() -> ApiError {
    ApiError::missing_field("code", "Please enter the code from the email.")
}

pub(super) fn link_expired() -> ApiError {
    ApiError::gone("link_expired", "This link has expired. Request a new one.")
}

pub(super) fn wrong_email() -> ApiError {
    ApiError::invalid_field("email", "That isn't the email address this link was sent to.")
}

/// Error for two links of one email that create a member concurrently.
pub(super) fn concurrent_sign_up() -> ApiError {
    ApiError::conflict("try_again", "Please open the link again.")
}

pub(super) fn invalid_link() -> ApiError {
    ApiError::malformed("link_invalid", "This link isn't valid. Request a new one.")
}

pub(super) fn link_used() -> ApiError {
    ApiError::gone("link_used", "This link has already been used. Request a new one.")
}

pub(super) fn too_many_attempts() -> ApiError {
    ApiError::gone("link_dead", "Too many incorrect attempts. Request a new link.")
}

pub(super) fn member_suspended() -> ApiError {
    ApiError::forbidden("suspended", "Your account is suspended, so you can't log in for now.")
}

pub(super) fn wrong_code() -> ApiError {
    ApiError::invalid_field("code", "That code isn't right. Please check the email and try again.")
}

pub(super) fn wrong_browser() -> ApiError {
    ApiError::conflict(
        "confirm_email",
        "You requested this link in a different browser. To continue here, enter the email address it was sent to.",
    )
}
