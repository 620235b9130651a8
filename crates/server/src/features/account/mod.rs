//! A member's own account: its overview, the export of its data, and its deletion.

pub mod deletion;
pub mod export;
mod overview;
mod state;

pub use overview::{__path_get_account, __path_set_language, get_account, set_language};
pub use state::AccountState;
