//! Random members perform random actions over the real router, and a naive model predicts every response.
//!
//! `KITH_MODEL_RUNS` is the number of runs, `KITH_MODEL_SEED` the first seed; `cargo xtask model` sets both for a long
//! search.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

#[expect(dead_code, unused_imports, unused_macros, reason = "the tests of the API use the rest")]
#[path = "../api/harness/mod.rs"]
mod harness;

mod actions;
mod alive;
mod best;
mod calendar;
mod compare;
mod deleting;
mod dice;
mod diff;
mod discover;
mod draw;
mod entering;
mod interactions;
mod joining;
mod lies;
mod lists;
mod model;
mod near;
mod pages;
mod perform;
mod run;
mod safety;
mod shape;
mod smaller;
mod words;
mod world;
mod writing;

use kith_db::Engine;
use run::Plan;

/// A number from the environment.
fn setting(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|text| text.parse().unwrap())
}

fn search(engine: Engine, short: u64) {
    let runs = setting("KITH_MODEL_RUNS");
    // A short search shares the machine with the other tests.
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let plan = Plan {
        engine,
        runs: runs.unwrap_or(short),
        seed: setting("KITH_MODEL_SEED").unwrap_or(0),
        threads: if runs.is_some() { threads } else { 1 },
        shrinks: true,
        tamper: None,
    };
    if let Some(failure) = plan.find_failure() {
        panic!("{}", failure.report(&plan));
    }
}

#[test]
fn sqlite_agrees_with_the_model() {
    search(Engine::Sqlite, 25);
}

#[test]
fn postgres_agrees_with_the_model() {
    search(Engine::Postgres, 5);
}
