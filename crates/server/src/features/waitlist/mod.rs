//! Waitlist of applicants without an invite, and members' vouches for them. Admins list and admit applicants by the
//! routes of `features/moderation/waitlist.rs`.

mod admit;
mod capacity;
mod routes;
mod state;
mod store;
mod vouches;

pub use admit::{AdmitApplicants, AdmitError, AdmitOutcome};
use capacity::CapacityFlag;
pub use routes::{__path_join_waitlist, JoinWaitlist, join_waitlist};
pub use state::WaitlistState;
pub use store::{
    PendingEntryRow, RemovalOutcome, WaitlistRow, add_entry, erase_email, find_email,
    load_all_entries, load_applicant_language, load_longest_waiting, load_pending_page,
    remove_entry,
};
pub use vouches::{
    __path_list_vouches, __path_vouch_for_email, __path_withdraw_vouch, Vouch, erase_vouches,
    list_vouches, load_vouchers, load_vouches, purge_vouches, vouch_for_email, withdraw_vouch,
};
