//! External programs for tests, found or installed.

pub(crate) mod caddy;
pub(crate) mod chromium;
pub(crate) mod firefox;
pub(crate) mod postgres;
pub(crate) mod python;
pub(crate) mod s3_server;
