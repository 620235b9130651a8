//! Errors of invites.

use crate::http::error::ApiError;

pub(super) fn no_such_invite() -> ApiError {
    ApiError::not_found("invite_not_found", "There is no such invite.")
}

pub(super) fn used() -> ApiError {
    let message = "A friend has joined with this code already.";
    ApiError::conflict("invite_used", message)
}

/// Error for a code that cannot be claimed.
pub(crate) fn not_valid() -> ApiError {
    ApiError::missing_field(
        "inviteCode",
        "This invite code isn't valid, has already been used, or has expired.",
    )
}

/// Error for a code that was used or expired between request and sign-up.
pub(crate) fn used_up() -> ApiError {
    ApiError::conflict(
        "invite_gone",
        "This invite code was used or has expired meanwhile. Please ask your friend for another one.",
    )
}

/// Error for a member who has used up the quota, which grows by `per_month`.
pub(super) fn none_left(per_month: i64) -> ApiError {
    let message = match per_month {
        0 => "You have no invites left.",
        3 => "You have no invites left. You will get 3 more next month.",
        _ => "You have no invites left. You will get more next month.",
    };
    ApiError::conflict("no_invites_left", message)
}

pub(super) fn closed() -> ApiError {
    let message = "Registration is closed, so you can't make invite codes for now.";
    ApiError::forbidden("registration_closed", message)
}

pub(super) fn frozen() -> ApiError {
    let message = "A moderator has frozen your invites. You cannot make new ones for now.";
    ApiError::conflict("invites_frozen", message)
}
