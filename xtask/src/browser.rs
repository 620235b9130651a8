//! Commands and steps that drive a browser.

pub(crate) mod component_tests;
pub(crate) mod e2e;
pub(crate) mod screenshots;
pub(crate) mod web_perf;
