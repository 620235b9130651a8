//! Why a link or a code does not log in.

use crate::features::auth::same_origin;
use crate::features::invites;
use crate::http::error::ApiError;
use crate::http::openapi::documented_errors;

documented_errors!(Link: no_token(), unknown(), invites::used_up(), try_again(), expired(), used(), dead(), suspended());
documented_errors!(Browser: same_origin::same_origin_error(), no_token(), unknown(), elsewhere(), invites::used_up(), try_again(), expired(), used(), dead(), suspended());
documented_errors!(Address: wrong_address());
documented_errors!(Code: no_code(), wrong_code(), invites::used_up(), try_again(), expired(), used(), dead(), suspended());

pub(super) fn no_token() -> ApiError {
    ApiError::missing_field("token", "No verification token found")
}

pub(super) fn no_code() -> ApiError {
    ApiError::missing_field("code", "Please enter the code from the email.")
}

pub(super) fn expired() -> ApiError {
    ApiError::gone("link_expired", "This link has expired. Request a new one.")
}

pub(super) fn wrong_address() -> ApiError {
    ApiError::invalid_field(
        "email",
        "That isn't the email address this link was sent to.",
    )
}

/// Two links of one address made a member at once.
pub(super) fn try_again() -> ApiError {
    ApiError::conflict("try_again", "Please open the link again.")
}

pub(super) fn unknown() -> ApiError {
    ApiError::malformed("link_invalid", "This link isn't valid. Request a new one.")
}

pub(super) fn used() -> ApiError {
    ApiError::gone(
        "link_used",
        "This link has already been used. Request a new one.",
    )
}

pub(super) fn dead() -> ApiError {
    ApiError::gone(
        "link_dead",
        "Too many incorrect attempts. Request a new link.",
    )
}

pub(super) fn suspended() -> ApiError {
    ApiError::forbidden(
        "suspended",
        "Your account is suspended, so you can't log in for now.",
    )
}

pub(super) fn wrong_code() -> ApiError {
    ApiError::invalid_field(
        "code",
        "That code isn't right. Please check the email and try again.",
    )
}

pub(super) fn elsewhere() -> ApiError {
    ApiError::conflict(
        "confirm_email",
        "You requested this link in a different browser. To continue here, enter the email address it was sent to.",
    )
}
