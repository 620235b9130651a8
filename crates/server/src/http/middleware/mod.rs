//! What every request passes before it is routed.

pub mod guard;
pub mod load_shed;
