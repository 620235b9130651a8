//! A member's own account: its overview, the export of its data, and its deletion.

pub mod deletion;
pub mod export;
mod overview;
mod rules;
mod state;

pub use overview::{__path_get_account, __path_set_language, get_account, set_language};
pub use rules::{__path_accept_rules, accept_rules};
pub use state::AccountState;
