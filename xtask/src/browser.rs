//! Commands that drive Chromium with Playwright.

pub(crate) mod e2e;
pub(crate) mod screenshots;
pub(crate) mod web_perf;
