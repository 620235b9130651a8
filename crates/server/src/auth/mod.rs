//! Logging in without a password: a link by mail, then a session.
//!
//! `request` takes the wish and answers the same whoever asks; the mail worker
//! looks the account up. `verify` turns a link or its code into a session, and
//! makes the member when an invite says so.

mod account;
mod addresses;
mod anew;
mod change;
mod code;
mod device_name;
mod devices;
mod email;
mod leave;
mod links;
mod proof_log;
mod refusals;
mod request;
mod sign_in;
mod signup;
mod state;
mod verify;

pub use account::{__path_logout, __path_me, __path_user, logout, me, user};
pub use addresses::find_by_email;
pub use anew::EndEverything;
pub use change::{
    __path_ask_email, __path_cancel_email, __path_confirm_email, __path_confirm_email_code,
    __path_email_link, NewAddress, PendingEmail, SetEmail, ask_email, cancel_email, changes_of,
    confirm_email, confirm_email_code, email_link,
};
pub(crate) use change::{
    letter as address_letter, mailed as address_mailed, new_address, pending as pending_change,
    purge as purge_changes,
};
pub use code::{__path_verify_code, verify_code};
pub use devices::{
    __path_end_all_sessions, __path_end_session, __path_sessions, Device, devices_of,
    end_all_sessions, end_session, sessions,
};
pub use email::Email;
pub(crate) use leave::{forget_address, leave, leave_links};
pub(crate) use links::end_printed;
pub use links::{
    FOUNDING, LIFETIME, Link, NewLink, Share, address, find_link, insert_link, is_code_spent,
    mailed, one_time_code, printed_link, purge_links, share, token,
};
pub use request::{
    __path_request_login_link, __path_request_magic_link, request_login_link, request_magic_link,
};
pub use sign_in::{SignOut, sign_in_address};
pub use signup::provisional_name;
pub use state::AuthState;
pub use verify::{__path_confirm, __path_verify, confirm, verify};
