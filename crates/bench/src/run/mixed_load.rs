//! What members do in a day, all at once: mostly looking, seldom writing, each call when it is due.

use super::{RunConfig, ServerPair};
use crate::dataset::Caller;
use crate::load::{self, Load, Pace};
use crate::report::{Metrics, format_millis, format_thousands};
use crate::scenarios::{Scenario, ScenarioRun};
use anyhow::{Context as _, Result};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// How many of a hundred calls are which.
const SHARES: [(Scenario, u64); 10] = [
    (Scenario::Friends, 38),
    (Scenario::ForYou, 15),
    (Scenario::OpenPost, 15),
    (Scenario::Notifications, 12),
    (Scenario::Profile, 8),
    (Scenario::Like, 5),
    (Scenario::Search, 3),
    (Scenario::Suggested, 2),
    (Scenario::Follow, 1),
    (Scenario::CreatePost, 1),
];
/// Has no factor in common with a hundred, so that calls of one kind do not come in a row.
const STRIDE: u64 = 37;
/// After so many calls the kinds come again.
pub(super) const CYCLE: u64 = 100;

/// The kind of a call.
fn scenario_at(number: u64) -> usize {
    let place = number * STRIDE % CYCLE;
    let mut end = 0;
    let found = SHARES.iter().position(|(_, share)| {
        end += share;
        place < end
    });
    found.unwrap_or(0)
}

/// Calls as fast as answers come, then at half of that rate, and says how long that took and what it cost.
pub(super) async fn measure_mixed_load(
    pair: &ServerPair,
    config: &RunConfig,
    metrics: &mut Metrics,
) -> Result<()> {
    let fixtures = &pair.fixtures;
    let mut readers = fixtures.readers_of(fixtures.size.follows[0]);
    readers.extend(fixtures.cold.iter().cloned());
    // Each kind counts its own calls: a place in a hundred would meet the same readers again and again.
    let scenario_runs =
        SHARES.map(|(scenario, _)| (scenario_run(pair, scenario, &readers), AtomicU64::new(0)));
    let scenario_runs = Arc::new(scenario_runs);
    let load = |pace| {
        let load = Load {
            address: pair.product.address,
            connections: config.callers,
            pace,
            time: config.time * 3,
        };
        let scenario_runs = scenario_runs.clone();
        load::run_load(load, move |number| {
            let (scenario_run, calls) = &scenario_runs[scenario_at(number)];
            scenario_run.next_request(calls.fetch_add(1, Relaxed))
        })
    };
    let full = load(Pace::Full).await.context("the mix")?;
    let before = pair.product.cpu_time()?;
    let paced = load(Pace::At(full.rate() / 2.0)).await?;
    let used = pair.product.cpu_time()?.saturating_sub(before);
    let sessions = readers.len() + fixtures.writers.len();
    let within = |share| format_millis(paced.latency.value_at_quantile(share) as f64);
    metrics.add(
        &format!("A day's mix of {sessions} sessions, calls a second at most"),
        format_thousands(full.rate() as u64),
    );
    metrics.add(
        "The same at half of that rate: p50, p99, p99.9",
        [0.5, 0.99, 0.999].map(within).join(", "),
    );
    metrics.add(
        "Processor time of one of these calls",
        format!(
            "{:.0} µs",
            used.as_secs_f64() * 1e6 / paced.responses as f64
        ),
    );
    Ok(())
}

/// The calls of a path. Writes go on where they were, and not everybody was told something.
fn scenario_run(pair: &ServerPair, scenario: Scenario, readers: &[Caller]) -> Arc<ScenarioRun> {
    if Scenario::WRITES.contains(&scenario) || scenario == Scenario::Notifications {
        return pair.scenario_run(scenario, false);
    }
    // A thread for each of some posts: one reader's are enough.
    let readers = if scenario == Scenario::OpenPost {
        &readers[..1]
    } else {
        readers
    };
    Arc::new(ScenarioRun::new(
        scenario,
        &pair.fixtures,
        readers,
        2..=usize::MAX,
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hundred_calls_have_their_shares() {
        let mut counts = [0; SHARES.len()];
        for number in 300..400 {
            counts[scenario_at(number)] += 1;
        }
        assert_eq!(counts, SHARES.map(|(_, share)| share));
    }
}
