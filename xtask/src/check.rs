//! `cargo xtask check`: static checks, without running a test.

use anyhow::Result;

use crate::support::cargo;
use crate::test;

/// Steps of the test suite that are quick enough to run before each commit.
const STEPS: &[&str] = &["fmt", "tidy", "words", "links", "web-types", "web-lint", "web-texts"];

/// Runs the steps and Clippy, and stops at the first failure.
pub(crate) fn command(_arguments: &[String]) -> Result<()> {
    let steps = test::steps::STEPS.iter().filter(|step| STEPS.contains(&step.name)).collect();
    test::run_steps(steps)?;
    cargo::clippy()
}
