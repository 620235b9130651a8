//! Invite codes: three at sign-up, three more each month, seven days each; and the operator's, which a group can share.
//!
//! Table `invites` decides whether a code can be claimed; `member_invites` lists the codes of a member. An expired or
//! revoked code stops counting against the quota.

mod dto;
mod erase;
mod errors;
mod lists;
mod operator_codes;
mod routes;
mod store;

pub use dto::Invite;
pub use erase::{erase_claim, erase_invites};
pub(crate) use errors::{not_valid, used_up};
pub use lists::{load_invitees, load_invites};
pub use operator_codes::{
    OperatorCode, RevokeOutcome, insert_operator_code, load_operator_codes, revoke_code,
};
pub use routes::{
    __path_create_invite, __path_list_invites, __path_revoke_invite, create_invite, list_invites,
    revoke_invite,
};
pub use store::{
    LIFETIME, claim_invite, count_available, count_uses, ensure_open, find_open_code,
    insert_invite, is_open, is_open_group,
};
