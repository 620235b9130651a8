//! Waitlist of applicants without an invite, and members' vouches for them.

mod admit;
mod capacity;
mod routes;
mod state;
mod store;
mod vouches;

pub use admit::{Admit, AdmitError, AdmitOutcome};
use capacity::CapacityFlag;
pub use routes::{__path_join, JoinWaitlist, join};
pub use state::WaitlistState;
pub use store::{
    RemovalOutcome, Waiting, WaitlistRow, erase_email, find_email, load_entries,
    load_longest_waiting, load_waiting, remove,
};
pub use vouches::{
    __path_vouch, __path_vouches, __path_withdraw_vouch, Vouch, erase, load_vouchers, load_vouches,
    purge_vouches, vouch, vouches, withdraw_vouch,
};
