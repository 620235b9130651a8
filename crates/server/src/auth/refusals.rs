//! Why a link or a code does not log in.

use crate::error::ApiError;
use crate::openapi::refusals;
use crate::{guard, invites};

refusals!(Link: no_token(), unknown(), invites::gone(), try_again(), expired(), used(), dead(), suspended());
refusals!(Browser: guard::not_own_script(), no_token(), unknown(), elsewhere(), invites::gone(), try_again(), expired(), used(), dead(), suspended());
refusals!(Address: wrong_address());
refusals!(Code: no_code(), wrong_code(), invites::gone(), try_again(), expired(), dead(), suspended());

/// The address has no token.
pub(super) fn no_token() -> ApiError {
    ApiError::missing("token", "No verification token found")
}

/// Nothing was typed.
pub(super) fn no_code() -> ApiError {
    ApiError::missing("code", "Please enter the code from the mail.")
}

/// It is older than 15 minutes.
pub(super) fn expired() -> ApiError {
    ApiError::gone(
        "link_expired",
        "This link has expired. Please ask for a new one.",
    )
}

/// The mail went to another address.
pub(super) fn wrong_address() -> ApiError {
    ApiError::invalid("email", "That is not the address this link was sent to.")
}

/// Two links of one address made a member at once.
pub(super) fn try_again() -> ApiError {
    ApiError::conflict("try_again", "Please open the link again.")
}

/// The link is none of ours, or nobody has its address.
pub(super) fn unknown() -> ApiError {
    ApiError::malformed(
        "link_invalid",
        "This link is not valid. Please ask for a new one.",
    )
}

/// It logged somebody in before.
pub(super) fn used() -> ApiError {
    ApiError::gone(
        "link_used",
        "This link was used already. Please ask for a new one.",
    )
}

/// Too many guesses.
pub(super) fn dead() -> ApiError {
    ApiError::gone(
        "link_dead",
        "There were too many wrong tries. Please ask for a new link.",
    )
}

/// A moderator keeps the member out.
pub(super) fn suspended() -> ApiError {
    ApiError::forbidden(
        "suspended",
        "Your account is suspended, so you cannot log in for now.",
    )
}

/// The code is not the one in the mail.
pub(super) fn wrong_code() -> ApiError {
    ApiError::invalid(
        "code",
        "That code is not right. Please check the mail and try again.",
    )
}

/// Another browser asked for it.
pub(super) fn elsewhere() -> ApiError {
    ApiError::conflict(
        "confirm_email",
        "This link was asked for in another browser. Please enter the email address it was sent to.",
    )
}
