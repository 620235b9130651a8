//! Waitlist of people without an invite, and members' vouches for them.

mod admit;
mod capacity;
mod routes;
mod state;
mod store;
mod vouches;

pub use admit::{Admit, AdmitOutcome, NotAdmitted};
use capacity::CapacityFlag;
pub use routes::{__path_join, JoinWaitlist, join};
pub use state::WaitlistState;
pub use store::{
    RemovalOutcome, Waiting, WaitlistRow, erase_email, find_email, load_entries,
    load_longest_waiting, load_waiting, remove,
};
pub use vouches::{
    __path_take_vouch_back, __path_vouch, __path_vouches, Vouch, erase, load_vouchers,
    load_vouches, purge_vouches, take_vouch_back, vouch, vouches,
};
