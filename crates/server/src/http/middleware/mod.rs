//! Middleware around the routes.

pub mod csrf;
pub mod load_shed;
pub mod read_own_writes;
pub mod request_log;
pub mod security_headers;
pub mod state;
pub mod timeout;
