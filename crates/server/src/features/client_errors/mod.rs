//! Errors of the web app in browsers, written to the server's log.

mod routes;

pub use routes::{__path_report_client_error, count_from_zero, report_client_error};
