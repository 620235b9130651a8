//! A member's own account: its overview, the export of its data, and its deletion.

pub mod deletion;
pub mod export;
mod overview;
mod state;

pub use overview::{__path_get_account, get_account};
pub use state::AccountState;
