//! External programs that tests need: found, or installed where that is possible.

pub(crate) mod chromium;
pub(crate) mod postgres;
pub(crate) mod python;
pub(crate) mod s3_server;
